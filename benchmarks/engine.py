"""`make bench ARGS=engine`: how fast the one transition is, with boardgame.io beside it."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from benchmarks.all_peers import measure_peer
from benchmarks.peers import tic_tac_toe_games
from benchmarks.report import Row, not_measured, row, time_per_call
from croupier.engine import (
    Action,
    Game,
    Match,
    MatchResult,
    Setup,
    Turn,
    act,
    action,
    apply_action,
    create_match,
    get_game,
    legal_actions,
    refuse,
    view_for,
)
from croupier.rng import GameRng

PEER = "boardgame.io's client dispatch of tic-tac-toe"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board(Struct, frozen=True):
    """Nine cells: 0 is free, 1 and 2 are the players' marks."""

    cells: tuple[int, ...] = (0,) * 9


class TicTacToe(Game[Board]):
    """Three in a row wins: the same rules and the same games as the peers play."""

    id, name, players = "tic-tac-toe", "Tic-tac-toe", (2, 2)
    category = "board"

    def setup(self, table: Setup) -> Board:
        """Begin with an empty board."""
        return Board()

    @action()
    def mark(self, board: Board, turn: Turn, cell: Annotated[int, Meta(ge=0, le=8)]) -> Board:
        """Mark a free cell."""
        cells = board.cells
        if cells[cell]:
            refuse("taken", f"cell {cell} is taken")
        cells = (*cells[:cell], turn.seat + 1, *cells[cell + 1 :])
        turn.events.end_turn()
        return Board(cells)

    def end_if(self, board: Board, turn: Turn) -> MatchResult | None:
        """Three in a row wins; a full board is a draw."""
        cells = board.cells
        for a, b, c in LINES:
            if cells[a] and cells[a] == cells[b] == cells[c]:
                return MatchResult("win", (turn.actor,))
        return None if 0 in cells else MatchResult("draw")


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures: ours, the peer's, ours again, so that both meet the same machine."""
    first = _transition(repeats)
    theirs, about = measure_peer("boardgame.io", repeats) if peers else (None, "")
    second = _transition(repeats)
    rates = {name: [*first[name], *second[name]] for name in first}
    rows, goal = [], dict[str, Any]()
    if theirs is not None:
        (moves,) = theirs.values()
        rows, goal = [row(PEER, moves, "moves/s", note=about)], {"beside": (PEER, moves), "at_least": 12}
    elif about:
        rows = [not_measured(PEER, "moves/s", about)]
    return [
        *rows,
        *(row(f"apply_action, {name}", rates[name], "actions/s", **goal) for name in rates),
        _long_match(repeats),
        _import_time(repeats),
    ]


def _transition(repeats: int) -> dict[str, list[float]]:
    """Return actions a second through the whole path: payload as a dict in, frozen match out."""
    box = get_game("shut-the-box")
    first, actions = _one_match(box)
    times = time_per_call(lambda: _replay(box, first, actions), len(actions), repeats)
    return {"tic-tac-toe": marks(repeats), "Shut the Box": [1e9 / each for each in times]}


def marks(repeats: int) -> list[float]:
    """Return actions of tic-tac-toe a second."""
    game = TicTacToe()
    start = create_match(game, ["a", "b"], seed=bytes(32))
    lists = [[act("mark", cell=cell) for cell in listed.cells] for listed in tic_tac_toe_games()]

    def work() -> None:
        for actions in lists:
            _replay(game, start, actions)

    return [1e9 / each for each in time_per_call(work, sum(map(len, lists)), repeats)]


def _replay(game: Game[Any], match: Match[Any], actions: list[Action]) -> None:
    for each in actions:
        match = apply_action(game, match, each).state
    assert match.status == "finished"


def _one_match(game: Game[Any]) -> tuple[Match[Any], list[Action]]:
    """Return a match of two players, three rounds each, and its actions."""
    start = match = create_match(game, ["a", "b"], seed=bytes(32), options={"rounds": 3})
    bot = game.bots["optimal_score"]
    actions = []
    while match.status == "active":
        legal = legal_actions(game, match)
        chosen = bot(view_for(game, match, match.turn.current), legal, GameRng.new(b"", 0, match.version))
        answer = apply_action(game, match, chosen)
        assert answer.ok
        actions.append(Action(answer.action.type, answer.action.payload))  # as a client sends it: plain JSON
        match = answer.state
    return start, actions


def _long_match(repeats: int) -> Row:
    """Compare an action late in a long match with one at its start."""
    game = get_game("shut-the-box")
    roll = act("roll")
    early = create_match(game, ["a"], seed=bytes(32), options={"rounds": 100})
    late = early
    while late.version < 10_000:  # a match of ten thousand moves, without the tiles running out
        late = replace(
            apply_action(game, late, roll).state, game=early.game, turn=early.turn, status="active", result=None
        )

    def many(match: Match[Any]) -> Callable[[], None]:
        def work() -> None:
            for _ in range(200):
                apply_action(game, match, roll)

        return work

    at_start = time_per_call(many(early), 200, repeats)
    at_end = time_per_call(many(late), 200, repeats)
    return row("an action at version 10,000", at_end, "ns", beside=("one at version 0", at_start), at_most=1.3)


def _import_time(repeats: int) -> Row:
    def start(code: str) -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return (time.perf_counter() - begin) * 1000

    bare = min(start("pass") for _ in range(repeats))
    return row("import croupier", [start("import croupier") - bare for _ in range(repeats)], "ms", at_most=150)
