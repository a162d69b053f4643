"""Decks against each other, played by equal players, and a search for a better deck, card by card.

Every seed is played twice, with the sides swapped, so that neither deck begins more often. Y begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from croupier.errors import BadOptions
from croupier.fairness import derive
from croupier.games.lanes.bots.evaluation import (
    POOL,
    desk_rows,
    greedy_move,
    mulligan_slots,
    one_reply_move,
    playout_move,
)
from croupier.games.lanes.cards.card_set import CardSet, own_cards
from croupier.games.lanes.cards.decks import validate_deck
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.simulation import GameState
from croupier.games.lanes.rules.layout import OVER
from croupier.games.lanes.rules.playouts import PASS_MOVE, make_move
from croupier.games.lanes.rules.scoring import margin
from croupier.games.lanes.rules.turns import begin_turn, mulligan
from croupier.rng import GameRng

PLAYERS = {"greedy": greedy_move, "one_reply": one_reply_move, "playout": playout_move}
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


def play_with(player: str) -> Play:
    """Return what plays a game with one of `PLAYERS` on both sides."""
    if player not in PLAYERS:
        raise BadOptions(f"{player!r} is no player: they are {', '.join(PLAYERS)}")

    def play(cells: list[int], cards: CardSet, seed: bytes) -> Played:
        tables, stream, desk = cards.tables, GameRng.new(seed, 0, 0), desk_rows(cells)
        plays = 0
        for side in range(2):
            mulligan(cells, stream, side, mulligan_slots(cells, tables, side), desk[POOL])
        while cells[OVER] == 0:
            begin_turn(cells, None)
            move = PLAYERS[player](cells, tables, stream, desk)
            make_move(cells, tables, None, move)
            plays += move != PASS_MOVE
        return Played(margin(cells, tables), plays)

    return play


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
