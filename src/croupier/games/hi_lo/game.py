"""Hi-lo: a card is shown; guess whether the next ranks higher or lower, as often as you dare, and cash out in time.

Each right guess multiplies the pot, a wrong one loses the stake, and an equal rank changes nothing (or loses, where the
options say so). Every card comes from a fresh pack, so nothing can be counted.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from croupier.engine import Action, Bot, Match, MatchView, Setup, Turn, act, refuse
from croupier.games.hi_lo import odds, rules
from croupier.games.hi_lo.bets import LETTERS, POLICIES, STAKE, GuessTable
from croupier.games.hi_lo.options import HiLoOptions
from croupier.games.hi_lo.render import boost_words, factor_words, guess_words, render_cards
from croupier.house import CHIPS_MAX, GameType, HouseSetup, HouseState, HouseTurn, Plan
from croupier.house.card_game import CardGame, decision
from croupier.house.card_round import card_steps
from croupier.house.plan import BadStrategy
from croupier.kit.cards import card_label, rank1
from croupier.rng import GameRng

__all__ = ["Guess", "HiLo", "HiLoState"]

Guess = Literal["higher", "lower", "same"]


class HiLoState(HouseState, frozen=True):
    """Every card shown, the last on show; the guess made at each but the last; and what they have come to."""

    cards: tuple[int, ...] = ()
    guesses: tuple[Guess, ...] = ()
    factor: int = rules.ONE
    """What the stake is worth now, in ten-thousandths of it; 0 once it is lost."""
    streak: int = 0
    """How many guesses were right; pushes do not count."""

    @property
    def facts(self) -> tuple[int, ...]:
        """The hand of the rules: first and last card, guesses, those that were right, the factor."""
        return self.cards[0], self.cards[-1], len(self.guesses), self.streak, self.factor


CHOICES = {"higher": rules.HIGHER, "lower": rules.LOWER, "same": rules.SAME, "cash_out": rules.CASH_OUT}
WORDS = {choice: word for word, choice in CHOICES.items()}
BEST = "best"


def _play(policy: tuple[int, ...] | None, view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
    """Do what a policy says; None is the best there is under the options, in the session's mode."""
    state, options = view.game, view.options
    chosen = policy or POLICIES[odds.best_plan(options, state.super_mode)]
    return act(WORDS[rules.choose(state.facts, (*options.numbers(state.super_mode), *chosen), [])])


BOTS: dict[str, Bot] = {name: partial(_play, policy) for name, policy in POLICIES.items()}
BOTS[BEST] = partial(_play, None)


class HiLo(CardGame[HiLoState]):
    """Hi-lo at fair prices, aces low, with a commission on the profit."""

    id, name = "hi-lo", "Hi-Lo"
    description = "Higher or lower? Each right guess multiplies the pot; cash out before a wrong one takes it."
    category = "card"
    tags = ("casino", "cards")
    game_type = GameType.HI_LO
    stake_limits = (1, 1_000)
    starting_phase = "guess"
    card_fields = ("cards",)
    Options = HiLoOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = GuessTable
    bots = BOTS
    usual_policy = "one_guess"
    steps = card_steps(rules)
    bets: ClassVar = {STAKE: (0, 0)}
    opening_bet = STAKE
    round_phases = ("", "guess")
    choices = CHOICES
    step_stake_max = rules.STAKE_MAX

    def setup(self, table: Setup) -> HiLoState:
        assert isinstance(table, HouseSetup)
        self.open_bets(table)
        return self.with_hand(HiLoState(), self.first_hand(table))

    def most_returned(self, bet: str, stake: int, options: HiLoOptions, super_mode: bool) -> int:
        return rules.return_max(stake, options.numbers(super_mode))

    def position(self, state: HiLoState) -> list[int]:
        """Return the rank on show, how many guesses were made and were right, and what they came to."""
        return [rank1(state.cards[-1]), len(state.guesses), state.streak, state.factor]

    def card_copies(self, options: HiLoOptions) -> int:
        return CHIPS_MAX  # every card comes from a fresh pack

    higher = decision(rules.HIGHER, "guess", 0, "Guess that the next card ranks higher.")
    lower = decision(rules.LOWER, "guess", 1, "Guess that the next card ranks lower.")
    same = decision(rules.SAME, "guess", 3, "Guess that the next card has the same rank.")
    cash_out = decision(
        rules.CASH_OUT, "guess", 2, "Take the pot, less the commission on the profit; before any guess, the stake."
    )

    def decided(self, state: HiLoState, turn: HouseTurn, choice: int) -> HiLoState:
        if not self.may_take(state, turn, choice):
            refuse("guess_not_offered", _not_offered(choice, state.cards[-1]))
        after = self.taken(state, turn, choice)
        return after if choice == rules.CASH_OUT else replace(after, guesses=(*state.guesses, WORDS[choice]))

    def with_hand(self, state: HiLoState, hand: Sequence[int]) -> HiLoState:
        if state.cards and hand[rules.GUESSES] == len(state.guesses):
            return state  # cashed out: no card was shown
        cards = (*state.cards, hand[rules.CARD])
        return replace(state, cards=cards, streak=hand[rules.STREAK], factor=hand[rules.FACTOR])

    def facts(self, state: HiLoState) -> tuple[int, ...]:
        return state.facts

    def kernel_options(self, options: HiLoOptions, super_mode: bool, bets: Collection[str]) -> tuple[int, ...]:
        return options.numbers(super_mode)

    def cash_out_return(self, state: HiLoState, options: HiLoOptions) -> int:
        """Return what a cash-out hands back in this state."""
        return rules.settle(0, 0, state.stake, state.facts, options.numbers(state.super_mode))

    def auto_action(self, state: HiLoState, turn: Turn) -> Action:
        """Cash out: nobody who is away guesses."""
        return act("cash_out")

    # Simulation.

    def usual_bets(self) -> Mapping[str, int]:
        return {STAKE: 100}  # commissions and floors bite small stakes

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a session is simulated: the bet is `stake`, the usual policy `one_guess`."""
        chosen: HiLoOptions = self.read_options(options)
        name = self.policy_named(policy)
        played = POLICIES[odds.best_plan(chosen, super_mode) if name == BEST else name]
        return self.plan_round(bets, chosen, super_mode, played, partial(_play, played))

    def plan_strategy(
        self, strategy: GuessTable, bets: Mapping[str, int], options: Any = None, super_mode: bool = False
    ) -> Plan:
        """Return how a session is simulated for a player with a table of their own, read as `Strategy`."""
        chosen: HiLoOptions = self.read_options(options)
        for place, row in enumerate(strategy.by_streak):
            for rank, letter in enumerate(row, 1):
                guess = LETTERS[letter]
                if guess != rules.CASH_OUT and not rules.is_offered(guess, rank, chosen.same_anywhere):
                    raise BadStrategy(f"by_streak[{place}] has {letter} at rank {rank}, which is not offered there")
        return self.plan_round(bets, chosen, super_mode, strategy.policy, partial(_play, strategy.policy))

    # Text.

    def describe(self, action: Action, before: Match[HiLoState], after: Match[HiLoState]) -> str:
        state = after.game
        is_guess = len(state.guesses) > len(before.game.guesses)
        parts = [guess_words(state, state.streak > before.game.streak)] if is_guess else []
        if after.result is None:
            pays = self.cash_out_return(state, after.options)
            parts.append(f"the pot is {factor_words(state.factor)}, a cash-out pays {pays:,}")
            return "; ".join(parts)
        if state.factor:
            parts.append(f"cashed out{' by itself' if is_guess else ''} at {factor_words(state.factor)}")
            parts[-1] += f"{boost_words(state)}: {state.money.returned:,} back"
        return "; ".join([*parts, after.result.reason])

    def render(self, view: MatchView[HiLoState]) -> str:
        return render_cards(view, 0 if view.result else self.cash_out_return(view.game, view.options))


def _not_offered(guess: int, card: int) -> str:
    if guess == rules.SAME:
        return f"same is offered with an ace or a king on show, and this is {card_label(card)}"
    return f"nothing ranks {'above a king' if guess == rules.HIGHER else 'below an ace'}, and that is on show"
