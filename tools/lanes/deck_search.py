"""Decks against each other, played by equal players, and a search for a better deck, card by card.

Every seed is played twice, with the sides swapped, so that neither deck begins more often. Y begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from croupier.errors import BadOptions
from croupier.fairness import derive
from croupier.games.lanes.bots import evaluation
from croupier.games.lanes.cards.card_set import CardSet, own_cards
from croupier.games.lanes.cards.decks import validate_deck
from croupier.games.lanes.play.position import deck_of, hand_of
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.simulation import GameState
from croupier.games.lanes.rules import layout, turns
from croupier.games.lanes.rules.playouts import PASS_MOVE, make_move
from croupier.games.lanes.rules.scoring import margin
from croupier.rng import GameRng

PLAYERS: dict[str, Callable[..., int]] = {
    "greedy": evaluation.greedy_move,
    "one_reply": evaluation.one_reply_move,
    "playout": evaluation.playout_move,
}
"""Those who can play for both sides, from the weakest to the strongest."""


class Played(Struct, frozen=True):
    """Result of a game between two decks."""

    ahead: int
    """By how much Y won; less than 0 if it lost."""
    plays: int
    """The number of cards played from hands."""


Play = Callable[[list[int], CardSet, bytes], Played]
"""Plays a game that has just been dealt to its end, and draws from the stream of a seed."""


class Duels(Struct, frozen=True):
    """Results of a deck against others."""

    games: int
    wins: int
    draws: int
    first_wins: int = 0
    """The number of games won by the side that began."""
    plays: tuple[int, ...] = ()
    """The number of cards played, game by game."""

    @property
    def losses(self) -> int:
        """The number of games it lost."""
        return self.games - self.wins - self.draws

    @property
    def points(self) -> int:
        """Two for a win and one for a draw."""
        return 2 * self.wins + self.draws


class DeckFound(Struct, frozen=True):
    """The deck a search ended with."""

    card_ids: tuple[str, ...]
    before: Duels
    """Results of the deck that the search began with."""
    after: Duels
    swaps: tuple[tuple[str, str], ...]
    """The cards that went out and came in, in order."""


def duel(
    deck: Sequence[str],
    against: Sequence[Sequence[str]],
    pairs: int,
    seed: bytes,
    *,
    cards: CardSet | None = None,
    rules: Rules | None = None,
    play: Play | None = None,
) -> Duels:
    """Return how a deck does in `pairs` pairs of games against each of the others; both sides are greedy by default."""
    if pairs < 1 or not against:
        raise BadOptions("at least one pair of games, against at least one deck")
    card_set = own_cards() if cards is None else cards
    play_out = play_with("greedy") if play is None else play
    wins = draws = first_wins = 0
    plays = []
    for number, other in enumerate(against):
        for pair in range(pairs):
            own_seed = derive(seed, f"duel/{number}/{pair}")
            for is_second in (False, True):
                decks = (other, deck) if is_second else (deck, other)
                played = play_out(_dealt(decks, card_set, rules or Rules.seed(), own_seed), card_set, own_seed)
                wins += played.ahead < 0 if is_second else played.ahead > 0
                draws += played.ahead == 0
                first_wins += played.ahead > 0
                plays.append(played.plays)
    return Duels(2 * pairs * len(against), wins, draws, first_wins, tuple(plays))


def _dealt(decks: tuple[Sequence[str], Sequence[str]], cards: CardSet, rules: Rules, seed: bytes) -> list[int]:
    return GameState.new(*decks, cards=cards, rules=rules, seed=int.from_bytes(seed[:8], "big")).cells


class Machine(NamedTuple):
    """What runs the rules: how functions, rows of numbers and streams are made ready for it."""

    function: Callable[[Any], Any]
    row: Callable[[Any], Any]
    stream: Callable[[bytes], Any]


PYTHON = Machine(lambda function: function, lambda row: row, lambda seed: GameRng.new(seed, 0, 0))


def play_with(player: str, used: Counter[tuple[str, str]] | None = None, machine: Machine = PYTHON) -> Play:
    """Return what plays a game with one of `PLAYERS` on both sides.

    `used` counts ("drawn", id) and ("played", id) for every card that began in a deck.
    """
    if player not in PLAYERS:
        raise BadOptions(f"{player!r} is no player: they are {', '.join(PLAYERS)}")
    called = (turns.begin_turn, make_move, turns.mulligan, evaluation.mulligan_slots, margin, PLAYERS[player])
    begin, move_on, change, slots, ahead, choose = map(machine.function, called)
    known: list[tuple[CardSet, Any]] = []  # the card set met last, and its row

    def play(cells: list[int], cards: CardSet, seed: bytes) -> Played:
        if not known or known[0][0] is not cards:
            known[:] = [(cards, machine.row(cards.tables))]
        row, tables, stream = machine.row(cells), known[0][1], machine.stream(seed)
        desk = tuple(machine.row(each) for each in evaluation.desk_rows(cells))
        plays = 0
        for side in range(2):
            change(row, stream, side, slots(row, tables, side), desk[evaluation.POOL])
        if used is not None:
            used.update(("drawn", card_id) for card_id in [*_ids(hand_of, row, cards), *_ids(deck_of, row, cards)])
        while row[layout.OVER] == 0:
            begin(row, None)
            move = choose(row, tables, stream, desk)
            if used is not None and move != PASS_MOVE:
                held = row[layout.HANDS + row[layout.SIDE] * row[layout.HAND_ROOM] + (move >> 4)]
                used["played", cards.cards[held >> 1].id] += 1
            move_on(row, tables, None, move)
            plays += move != PASS_MOVE
        if used is not None:
            used.subtract(("drawn", card_id) for card_id in _ids(deck_of, row, cards))
        return Played(int(ahead(row, tables)), plays)

    return play


def _ids(cards_of: Callable[..., Any], row: Any, cards: CardSet) -> list[str]:
    return [cards.cards[card >> 1].id for side in range(2) for card in cards_of(row, side)]


def search_deck(
    start: Sequence[str],
    against: Sequence[Sequence[str]],
    *,
    steps: int,
    pairs: int,
    seed: bytes,
    cards: CardSet | None = None,
    rules: Rules | None = None,
    play: Play | None = None,
) -> DeckFound:
    """Swap cards one at a time, and keep a swap that wins more of the same games; every deck on the way is legal.

    The games of the search flatter the deck found, which was chosen by them: measure it again with another seed.
    """
    card_set = own_cards() if cards is None else cards
    problem = validate_deck(tuple(start), card_set).errors
    if problem:
        raise BadOptions(f"the search begins with a legal deck: {'; '.join(problem)}")
    rng = GameRng.new(derive(seed, "search"), 0, 0)
    pool = [card.id for card in card_set if card.tier != "token"]

    def measure(deck: Sequence[str]) -> Duels:
        return duel(deck, against, pairs, seed, cards=card_set, rules=rules, play=play)

    deck, swaps = list(start), []
    before = best = measure(deck)
    for _ in range(steps):
        place, card_id = rng.next_bounded(len(deck)), rng.pick(pool)
        tried = [*deck[:place], card_id, *deck[place + 1 :]]
        if card_id == deck[place] or validate_deck(tuple(tried), card_set).errors:
            continue
        found = measure(tried)
        if found.points > best.points:
            swaps.append((deck[place], card_id))
            deck, best = tried, found
    return DeckFound(tuple(deck), before, best, tuple(swaps))
