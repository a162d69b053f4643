"""Rates of other programs: a script that measures them in their own environment, not in ours.

`python peer_rates.py NAME REPEATS` prints JSON: the version, and for each thing that was measured a rate a repeat. It
needs nothing but the program it measures, so that the environment can be made from that program's lock file alone.
Every program is called the way its documentation calls it, without its slower wrappers where it has some.
"""

from __future__ import annotations

import json
import platform
import random  # noqa: TID251 (peers leave their chance to the caller, and croupier is not there)
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any

LEAST_S = 0.3
CRAPS_ROLLS = 5_000
HANDS = 2_000
STAND_ON = 17


def measure(name: str, repeats: int) -> dict[str, Any]:
    """Return what a peer that can be imported here does in a second, once a repeat."""
    works = PEERS[name]()
    rates = {what: [_rate(work) for _ in range(repeats)] for what, work in works.items()}
    return {"peer": name, "version": version(name), "python": platform.python_version(), "rates": rates}


def _rate(work: Callable[[], int]) -> float:
    """Return how much is done in a second; `work` returns how much it did."""
    done, begin = 0, time.perf_counter()
    while True:
        done += work()
        spent = time.perf_counter() - begin
        if spent >= LEAST_S:
            return done / spent


Works = dict[str, Callable[[], int]]


def _crapssim() -> Works:
    tables: Any = import_module("crapssim.table")
    strategies: Any = import_module("crapssim.strategy")

    def rolls() -> int:
        table = tables.Table(seed=1)
        line = strategies.BetPassLine(10) + strategies.PassLineOddsMultiplier()
        table.add_player(bankroll=10**9, strategy=line)
        table.run(max_rolls=CRAPS_ROLLS, verbose=False)
        return CRAPS_ROLLS

    return {"rolls of the pass line with odds": rolls}


def _gymnasium() -> Works:
    gymnasium: Any = import_module("gymnasium")
    env = gymnasium.make("Blackjack-v1").unwrapped  # its wrappers check every step
    env.reset(seed=1)

    def hands() -> int:
        for _ in range(HANDS):
            observation, _ = env.reset()
            over = False
            while not over:
                observation, _, over, _, _ = env.step(int(observation[0] < STAND_ON))
        return HANDS

    return {"hands of blackjack": hands}


def _rlcard() -> Works:
    rlcard: Any = import_module("rlcard")
    env = rlcard.make("blackjack", config={"seed": 1})

    def hands() -> int:
        for _ in range(HANDS // 10):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(int(state["obs"][0] >= STAND_ON))  # 0 hits, 1 stands
        return HANDS // 10

    return {"hands of blackjack": hands}


def _open_spiel() -> Works:
    pyspiel: Any = import_module("pyspiel")
    chance = random.Random(1)
    blackjack, noughts = pyspiel.load_game("blackjack"), pyspiel.load_game("tic_tac_toe")

    def playouts(game: Any) -> tuple[int, int]:
        actions = 0
        for _ in range(HANDS // 10):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                actions += 1
        return HANDS // 10, actions

    return {
        "hands of blackjack": lambda: playouts(blackjack)[0],
        "actions of tic-tac-toe": lambda: playouts(noughts)[1],
    }


def _eval7() -> Works:
    eval7: Any = import_module("eval7")
    chance = random.Random(1)
    pack = eval7.Deck().cards
    dealt = [chance.sample(pack, 7) for _ in range(HANDS)]

    def hands() -> int:
        for hand in dealt:
            eval7.evaluate(hand)
        return HANDS

    return {"hands of seven cards": hands}


def _chess() -> Works:
    chess: Any = import_module("chess")
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    moves = list(board.legal_moves)

    def pairs() -> int:
        for move in moves:
            board.push(move)
            board.pop()
        return len(moves)

    return {"moves made and taken back": pairs}


PEERS: dict[str, Callable[[], Works]] = {
    "chess": _chess,
    "crapssim": _crapssim,
    "eval7": _eval7,
    "gymnasium": _gymnasium,
    "open-spiel": _open_spiel,
    "rlcard": _rlcard,
}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
