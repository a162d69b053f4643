"""Hi-lo: a card is shown; guess whether the next ranks higher or lower, as often as you dare, and cash out in time.

Each right guess multiplies the pot, a wrong one loses the stake, and an equal rank changes nothing (or loses, where the
options say so). Every card comes from a fresh pack, so nothing can be counted.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace

from croupier.engine import Action, Match, MatchView
from croupier.games.hi_lo import odds, rules
from croupier.games.hi_lo.bets import CHOICES, LETTERS, POLICIES, STAKE, GuessTable
from croupier.games.hi_lo.options import HiLoOptions
from croupier.games.hi_lo.render import boost_words, factor_words, guess_words, render_cards
from croupier.house import CHIPS_MAX, GameType, HouseState, HouseTurn
from croupier.house.card_game import CardGame, decision
from croupier.house.card_round import card_steps, option_numbers
from croupier.house.plan import BadStrategy
from croupier.kit.cards import card_label, rank1

Guess = Literal["higher", "lower", "same"]


class HiLoState(HouseState, frozen=True):
    """Every card shown, the last on show; the guess made at each but the last; and what they have come to."""

    cards: tuple[int, ...] = ()
    guesses: tuple[Guess, ...] = ()
    factor: int = rules.ONE
    """The pot: how much the stake is worth now, in ten-thousandths of it; 0 once it is lost."""
    streak: int = 0
    """How many guesses were right; pushes do not count."""


WORDS = {choice: word for word, choice in CHOICES.items()}
BEST = "best"  # of the policies, under the options and in the session's mode


class HiLo(CardGame[HiLoState]):
    """Hi-lo at fair prices, aces low, with a commission on the profit."""

    id, name = "hi-lo", "Hi-Lo"
    description = "Higher or lower? Each right guess multiplies the pot; cash out before a wrong one takes it."
    game_type = GameType.HI_LO
    stake_limits = (1, 1_000)
    card_fields = ("cards",)
    Options = HiLoOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = GuessTable
    policies, usual_policy = (*POLICIES, BEST), "one_guess"
    usual_stake = 100  # commissions and floors bite small stakes
    steps = card_steps(rules)
    bets: ClassVar = {STAKE: (0, 0)}
    round_phases = ("", "guess")
    choices = CHOICES
    away: ClassVar = {"guess": "cash_out"}

    def most_returned(self, bet: str, stake: int, options: HiLoOptions, super_mode: bool) -> int:
        return rules.return_max(stake, option_numbers(options, super_mode))

    def position(self, state: HiLoState) -> list[int]:
        """Return the rank on show, how many guesses were made and were right, and what they came to."""
        return [rank1(state.cards[-1]), len(state.guesses), state.streak, state.factor]

    def card_copies(self, options: HiLoOptions) -> int:
        return CHIPS_MAX  # every card comes from a fresh pack

    higher = decision(rules.HIGHER, "guess", "Guess that the next card ranks higher.", 0)
    lower = decision(rules.LOWER, "guess", "Guess that the next card ranks lower.", 1)
    same = decision(rules.SAME, "guess", "Guess that the next card has the same rank.", 3)
    cash_out = decision(
        rules.CASH_OUT, "guess", "Take the pot, less the commission on the profit; before any guess, the stake.", 2
    )

    def decided(self, state: HiLoState, turn: HouseTurn, choice: int) -> HiLoState:
        after = super().decided(state, turn, choice)
        return after if choice == rules.CASH_OUT else replace(after, guesses=(*state.guesses, WORDS[choice]))

    def not_offered(self, state: HiLoState, choice: int) -> tuple[str, str]:
        card = card_label(state.cards[-1])
        if choice == rules.SAME:
            return "guess_not_offered", f"same is offered with an ace or a king on show, and this is {card}"
        return "guess_not_offered", f"nothing ranks {'above' if choice == rules.HIGHER else 'below'} {card}"

    def with_hand(self, state: HiLoState, hand: Sequence[int]) -> HiLoState:
        if state.cards and hand[rules.GUESSES] == len(state.guesses):
            return state  # cashed out: no card was shown
        cards = (*state.cards, hand[rules.CARD])
        return replace(state, cards=cards, streak=hand[rules.STREAK], factor=hand[rules.FACTOR])

    def facts(self, state: HiLoState) -> tuple[int, ...]:
        """Return the hand of the rules: first and last card, guesses, those that were right, the factor."""
        return state.cards[0], state.cards[-1], len(state.guesses), state.streak, state.factor

    def cash_out_return(self, state: HiLoState, options: HiLoOptions) -> int:
        """Return what a cash-out hands back in this state."""
        return rules.settle(0, 0, state.stake, self.facts(state), option_numbers(options, state.super_mode))

    def policy_numbers(self, policy: str | GuessTable, options: HiLoOptions, super_mode: bool) -> tuple[int, ...]:
        """Return what a policy decides; a player's own must not guess what is not offered."""
        if not isinstance(policy, GuessTable):
            return POLICIES[odds.best_plan(options, super_mode) if policy == BEST else policy]
        for place, row in enumerate(policy.by_streak):
            for rank, letter in enumerate(row, 1):
                if not rules.is_legal(LETTERS[letter], (0, rank - 1), option_numbers(options)):
                    raise BadStrategy(f"by_streak[{place}] has {letter} at rank {rank}, which is not offered there")
        return policy.policy

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
