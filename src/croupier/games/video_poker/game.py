"""Video poker: five cards, keep any of them, draw the rest once, and be paid for what you then have.

The stake is taken and the cards are dealt when the session opens; the one action is `hold`, and it ends the session.
There is no dealer's hand: a pay table says what each hand returns.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import Action, Advice, Bot, Match, MatchView, Setup, Turn, act, action, create_match, refuse
from croupier.errors import BadOptions
from croupier.games.video_poker import kernel, odds, tables
from croupier.games.video_poker.bets import HAND_NAMES, POLICIES, STAKE, Hand
from croupier.games.video_poker.coach import best_mask, hold_values
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.render import held_words, outcome_words, render_cards
from croupier.games.video_poker.rules import hands, rounds
from croupier.house import GameError, GameType, HouseGame, HouseSetup, HouseState, HouseTurn, LitKind, Plan, Terms
from croupier.house.plan import check_stake
from croupier.rng import GameRng

BAD_HOLD = "{}: name the cards to keep in ascending order, each of them once"


class HoldMask:
    """The cards that are kept, as the one byte they are on the wire: bit 0 for the first card, bit 4 for the fifth."""

    layout = "mask u8"

    def encode(self, cards: Sequence[int]) -> bytes:
        """Return the byte of a hold."""
        mask = mask_of(tuple(cards))
        if cards_of(mask) != tuple(cards):
            raise ValueError(BAD_HOLD.format(_words(tuple(cards))))
        return bytes([mask])

    def decode(self, data: bytes, at: int) -> tuple[list[int], int]:
        """Return the cards kept by the byte at a place in the payload, and the place after it."""
        if at >= len(data):
            raise GameError.invalid_payload(f"{len(data)} bytes: the mask of a hold is missing")
        if not rounds.is_legal(data[at], (), ()):
            raise GameError.invalid_payload(f"byte {at}: a hold is a mask of five bits, got {data[at]:#04x}")
        return list(cards_of(data[at])), at + 1


CardNumber = Annotated[int, Meta(ge=1, le=rounds.CARDS)]
# The codec asks the codes of a bet for its bytes, and a hold has bytes of its own in just that way.
Hold = Annotated[tuple[CardNumber, ...], Meta(max_length=rounds.CARDS, extra={"bets": HoldMask()})]


def mask_of(held: tuple[int, ...]) -> int:
    """Return the mask that keeps the cards with these numbers.

    >>> mask_of((1, 3)), mask_of(()), mask_of((1, 2, 3, 4, 5))
    (5, 0, 31)
    """
    return sum({1 << (number - 1) for number in held})


def cards_of(mask: int) -> tuple[int, ...]:
    """Return the numbers of the cards that a mask keeps.

    >>> cards_of(5), cards_of(0)
    ((1, 3), ())
    """
    return tuple(number for number in range(1, rounds.CARDS + 1) if mask >> (number - 1) & 1)


class VideoPokerState(HouseState, frozen=True):
    """The five cards dealt, the five that are there now, the numbers of those that were kept, and what they made."""

    dealt: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    hand: Hand | None = None
    """Name of the hand that the final cards make; None before the draw."""

    @property
    def seen(self) -> tuple[int, ...]:
        """Every card of the deck that was shown: those dealt, and those drawn for them."""
        return (*self.dealt, *(card for card in self.cards if card not in self.dealt))

    def in_numbers(self, options: VideoPokerOptions) -> list[int]:
        """Return the round so far as the steps of `rules.rounds` keep it."""
        return [*self.dealt, *self.cards, mask_of(self.held), hands.hand_at(self.cards, 0, options.is_wild)]


class Worths(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's own strategy: what each hand is worth to them. What to keep is then what is worth most on average."""

    worths: dict[Hand, Annotated[int, Meta(ge=0, le=10**9)]]
    """By hand, in units of its own; a hand that is not named is worth nothing."""

    @property
    def by_number(self) -> tuple[int, ...]:
        """The worths in the order of the hands."""
        return tuple(self.worths.get(hand, 0) for hand in HAND_NAMES)


def chosen_mask(policy: str | Worths, dealt: tuple[int, ...], options: VideoPokerOptions) -> int:
    """Return the hold that a policy takes."""
    if policy == "hold_all":
        return rounds.HOLD_ALL
    return best_mask(dealt, options, _worths(policy, options))


def _worths(policy: str | Worths, options: VideoPokerOptions) -> tuple[int, ...]:
    """Return what hands are worth to a policy, in units of its own."""
    if isinstance(policy, Worths):
        return policy.by_number
    return odds.hunter_pays(options) if policy == "royal_hunter" else options.pays


def _play(policy: str | Worths, view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
    """Keep what the policy says."""
    return act("hold", cards=list(cards_of(chosen_mask(policy, view.game.dealt, view.options))))


BOTS: dict[str, Bot] = {policy: partial(_play, policy) for policy in POLICIES}


class VideoPoker(HouseGame[VideoPokerState]):
    """Video poker with five pay tables: Jacks or Better, Bonus, Double Bonus and Deuces Wild."""

    id, name = "video-poker", "Video Poker"
    description = "Five cards, one draw: keep what you like and be paid by the table. Jacks or better, or deuces wild."
    category = "card"
    tags = ("casino", "cards", "poker")
    game_type = GameType.VIDEO_POKER
    stake_limits = (1, 1_000)
    lights = LitKind.CARD, rounds.generate
    starting_phase = "draw"
    card_fields = ("seen",)
    Options = VideoPokerOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = Worths
    bots = BOTS
    usual_policy = "optimal"
    objectives = ("return",)
    situation_help = 'the five cards dealt, such as "JS JH 7D 2C 9C"'

    def setup(self, table: Setup) -> VideoPokerState:
        assert isinstance(table, HouseSetup)
        tenths = max(rounds.BOOST_TENTHS) if table.super_mode else rounds.BOOST_TENTHS[0]
        most = rounds.super_return(table.stake, table.stake * max(table.options.pays), tenths)
        table.take(STAKE, table.stake, most=most, boosted=True)
        hand = [0] * rounds.HAND_SIZE
        rounds.deal(table.rng, hand, table.options.numbers, [0] * rounds.PACK_SIZE)
        cards = tuple(hand[rounds.DEALT : rounds.CURRENT])
        return VideoPokerState(dealt=cards, cards=cards)

    @action(phase="draw", opcode=0)
    def hold(self, state: VideoPokerState, turn: HouseTurn, cards: Hold) -> VideoPokerState:
        """Keep the cards with these numbers, 1 to 5 in ascending order, replace the others, and end the session."""
        if any(first >= second for first, second in pairwise(cards)):
            refuse("bad_hold", BAD_HOLD.format(_words(cards)))
        hand, options = state.in_numbers(turn.options), turn.options.numbers
        rounds.take(turn.rng, mask_of(cards), hand, options, [0] * rounds.PACK_SIZE)
        marked = [lit.id for lit in turn.light()]
        turn.settle(STAKE, rounds.settle_marked(state.stake, hand, options, marked, len(marked)))
        turn.finish()
        final = tuple(hand[rounds.CURRENT : rounds.HELD])
        return replace(state, cards=final, held=cards, hand=HAND_NAMES[hand[rounds.MADE]])

    # What can be done, and what it is worth.

    def legal(self, state: VideoPokerState, turn: Turn) -> Iterator[Action]:
        hand, options = state.in_numbers(turn.options), turn.options.numbers
        for mask in range(rounds.HOLD_ALL + 1):
            if rounds.is_legal(mask, hand, options):
                yield act("hold", cards=list(cards_of(mask)))

    def auto_action(self, state: VideoPokerState, turn: Turn) -> Action:
        """Keep the best cards by the pay table: it costs nothing more, and who is away should lose nothing by it."""
        return act("hold", cards=list(cards_of(chosen_mask("optimal", state.dealt, turn.options))))

    def advise(
        self, view: MatchView[VideoPokerState], legal: tuple[Action, ...], objective: str = ""
    ) -> tuple[Advice, ...]:
        """Value every hold by what it returns on average per chip, in super mode with what boosts add."""
        self.objective_named(objective)
        state, found = view.game, []
        for worth in hold_values(state.dealt, view.options, state.super_mode) if legal else ():
            held = cards_of(worth.mask)
            chances = f"wins {float(worth.win):.3%}, pushes {float(worth.push):.3%}"
            text = f"keep {held_words(state.dealt, held)}: {chances}"
            found.append(Advice(act("hold", cards=list(held)), worth.value, text))
        return tuple(found)

    def situation(self, text: str, options: Any = None) -> Match[VideoPokerState]:
        chosen = self.read_options(options)
        (cards,) = self.situation_cards(text, (rounds.CARDS,))
        match = create_match(self, ["you"], seed=b"", options=chosen, host=self.sample_terms())
        return replace(match, game=replace(match.game, dealt=cards, cards=cards))

    # Simulation.

    def usual_bets(self) -> Mapping[str, int]:
        return {STAKE: 125}  # no boost is rounded

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a session is simulated: the bet is `stake`, the usual policy `optimal`."""
        chosen: VideoPokerOptions = self.read_options(options)
        return self._plan(self.policy_named(policy), bets, chosen, super_mode)

    def plan_strategy(
        self, strategy: Worths, bets: Mapping[str, int], options: Any = None, super_mode: bool = False
    ) -> Plan:
        """Return how a session is simulated for a player with worths of their own, read as `Strategy`."""
        return self._plan(strategy, bets, self.read_options(options), super_mode)

    def _plan(self, played: str | Worths, bets: Mapping[str, int], chosen: VideoPokerOptions, super_mode: bool) -> Plan:
        if list(bets) != [STAKE]:
            raise BadOptions(f"a session has the bet {STAKE} alone; got {', '.join(bets) or 'none'}")
        stake = bets[STAKE]
        check_stake(STAKE, stake, rounds.STAKE_MAX, super_mode)
        worths, keeps_all = _worths(played, chosen), played == "hold_all"
        sums = () if keeps_all else tables.sums(chosen.is_wild, worths)
        return Plan(
            step=kernel.step,
            first_move=0,
            bets=(STAKE,),
            kinds=(0,),
            numbers=(0,),
            stakes=(stake,),
            options=(*chosen.numbers, int(super_mode), int(keeps_all), *worths, *sums),
            work_size=kernel.WORK_SIZE,
            terms=Terms(stake, super_mode),
            policy=partial(_play, played),
            facts=self.facts,
        )

    def facts(self, state: VideoPokerState) -> tuple[int, ...]:
        """Return what decided a finished session: the cards dealt, the final ones, the hold, the hand's number."""
        assert state.hand is not None
        return (*state.dealt, *state.cards, mask_of(state.held), HAND_NAMES.index(state.hand))

    # Text.

    def describe(self, action: Action, before: Match[VideoPokerState], after: Match[VideoPokerState]) -> str:
        if after.result is None or after.game.hand is None:
            return super().describe(action, before, after)
        return f"{outcome_words(after.game, after.options)}; {after.result.reason}"

    def render(self, view: MatchView[VideoPokerState]) -> str:
        return render_cards(view)


def _words(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
