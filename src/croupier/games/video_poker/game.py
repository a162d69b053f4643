"""Video poker: five cards, keep any of them, draw the rest once, and be paid for what you then have.

The stake is taken and the cards are dealt when the session opens; the one action is `hold`, and it ends the session.
There is no dealer's hand: a pay table says what each hand returns.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import Action, Advice, Match, MatchView, Turn, act, action, create_match, refuse
from croupier.games.video_poker import odds, tables
from croupier.games.video_poker.bets import BETS, HAND_NAMES, POLICIES, Hand
from croupier.games.video_poker.coach import best_mask, hold_values
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.render import held_words, outcome_words, render_cards
from croupier.games.video_poker.rules import rounds
from croupier.house import GameError, GameType, HouseState, HouseTurn, LitKind
from croupier.house.card_game import CardGame
from croupier.house.card_round import card_steps
from croupier.rng import GameRng
from croupier.rounds import DONE, PHASE

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

    @property
    def numbers(self) -> tuple[int, ...]:
        """The round as the steps of `rules.rounds` keep it; before the draw nothing is held or made."""
        return (*self.dealt, *self.cards, mask_of(self.held), HAND_NAMES.index(self.hand or "nothing"))


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


def _hold(mask: int) -> Action:
    return act("hold", cards=list(cards_of(mask)))


def _follow(policy: str | Worths, side: Any, view: MatchView[Any], legal: Any, rng: GameRng) -> Action:
    """Keep what the policy says."""
    return _hold(chosen_mask(policy, view.game.dealt, view.options))


class VideoPoker(CardGame[VideoPokerState]):
    """Video poker with five pay tables: Jacks or Better, Bonus, Double Bonus and Deuces Wild."""

    id, name = "video-poker", "Video Poker"
    description = "Five cards, one draw: keep what you like and be paid by the table. Jacks or better, or deuces wild."
    tags = ("casino", "cards", "poker")
    game_type = GameType.VIDEO_POKER
    stake_limits = (1, 1_000)
    lights = LitKind.CARD, rounds.generate
    card_fields = ("seen",)
    Options = VideoPokerOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = Worths
    policies, follow, usual_policy = POLICIES, staticmethod(_follow), "optimal"
    usual_stake = 125  # no boost is rounded
    objectives = ("return",)
    situation_help = 'the five cards dealt, such as "JS JH 7D 2C 9C"'
    steps = card_steps(rounds)
    bets = BETS
    round_phases = ("", "draw")
    has_edge_by_opening = False

    def most_returned(self, bet: str, stake: int, options: VideoPokerOptions, super_mode: bool) -> int:
        tenths = max(rounds.BOOST_TENTHS) if super_mode else rounds.BOOST_TENTHS[0]
        return rounds.super_return(stake, stake * max(options.pays), tenths)

    @action(phase="draw", opcode=0)
    def hold(self, state: VideoPokerState, turn: HouseTurn, cards: Hold) -> VideoPokerState:
        """Keep the cards with these numbers, 1 to 5 in ascending order, replace the others, and end the session."""
        if any(first >= second for first, second in pairwise(cards)):
            refuse("bad_hold", BAD_HOLD.format(_words(cards)))
        return self.taken(state, turn, mask_of(cards))

    def with_hand(self, state: VideoPokerState, hand: Sequence[int]) -> VideoPokerState:
        dealt, cards = tuple(hand[rounds.DEALT : rounds.CURRENT]), tuple(hand[rounds.CURRENT : rounds.HELD])
        made = HAND_NAMES[hand[rounds.MADE]] if hand[PHASE] == DONE else None
        return replace(state, dealt=dealt, cards=cards, held=cards_of(hand[rounds.HELD]), hand=made)

    def facts(self, state: VideoPokerState) -> tuple[int, ...]:
        """Return what decided a session: the cards dealt, the final ones, the hold, the hand's number."""
        return state.numbers

    def kernel_options(self, options: VideoPokerOptions, super_mode: bool, bets: Collection[str]) -> tuple[int, ...]:
        return options.numbers(super_mode)

    # What can be done, and what it is worth.

    def legal(self, state: VideoPokerState, turn: Turn) -> Iterator[Action]:
        yield from map(_hold, range(rounds.HOLD_ALL + 1))

    def auto_action(self, state: VideoPokerState, turn: Turn) -> Action:
        """Keep the best cards by the pay table: it costs nothing more, and who is away should lose nothing by it."""
        return _hold(chosen_mask("optimal", state.dealt, turn.options))

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

    def policy_numbers(self, policy: str | Worths, options: VideoPokerOptions, super_mode: bool) -> tuple[int, ...]:
        """Return whether a policy keeps every card, what hands are worth to it, and the sums of holds with that."""
        worths, keeps_all = _worths(policy, options), policy == "hold_all"
        return int(keeps_all), *worths, *(() if keeps_all else tables.sums(options.is_wild, worths))

    # Text.

    def describe(self, action: Action, before: Match[VideoPokerState], after: Match[VideoPokerState]) -> str:
        if after.result is None or after.game.hand is None:
            return super().describe(action, before, after)
        return f"{outcome_words(after.game, after.options)}; {after.result.reason}"

    def render(self, view: MatchView[VideoPokerState]) -> str:
        return render_cards(view)


def _words(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
