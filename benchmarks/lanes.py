"""`make bench ARGS=lanes`: random games, clones and tree search of the three-lane duel, one core, in plain Python."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.report import Row, row, time_per_call
from croupier.games.lanes.bots.search import tree_search
from croupier.games.lanes.cards.card_set import own_cards, own_decks
from croupier.games.lanes.play.simulation import GameState
from croupier.games.lanes.rules.layout import OVER
from croupier.games.lanes.rules.playouts import playout
from croupier.rng import GameRng

GAMES = 100
CLONES = 1000
PLAYOUTS = 100


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    return [
        row("full random games", _rates(_games(), GAMES, repeats), "games/s", at_least=1500),
        row("GameState.clone", [each / 1000 for each in time_per_call(_clones(), CLONES, repeats)], "µs", at_most=20),
        row("plies of a tree search's playouts", plies(repeats), "plies/s", at_least=10_000),
    ]


def _rates(work: Callable[[], object], calls: int, repeats: int) -> list[float]:
    return [1e9 / each for each in time_per_call(work, calls, repeats, least_s=0.3)]


def _start() -> GameState:
    first, second = (deck.cards for deck in own_decks()[:2])
    return GameState.new(first, second, cards=own_cards(), seed=1)


def _games() -> Callable[[], object]:
    """Return what plays some games to their end, from the deal on."""
    dealt, tables = _start().cells, own_cards().tables

    def play() -> None:
        stream = GameRng.new(b"bench", 0, 0)
        for _ in range(GAMES):
            cells = dealt.copy()
            playout(cells, tables, None, stream, 1)
            assert cells[OVER]

    return play


def _clones() -> Callable[[], object]:
    state = _start()

    def clone() -> None:
        for _ in range(CLONES):
            state.clone()

    return clone


def plies(repeats: int) -> list[float]:
    """Return the plies a second that a search goes through, in its tree and in its playouts."""
    cells, tables = _start().cells, own_cards().tables
    counted = cells.copy()
    plies = sum(playout(counted.copy(), tables, None, GameRng.new(b"bench", game, 0), 0) for game in range(PLAYOUTS))
    return _rates(lambda: tree_search(cells, tables, GameRng.new(b"bench", 0, 0), PLAYOUTS), plies, repeats)
