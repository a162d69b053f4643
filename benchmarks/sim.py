"""`make bench ARGS=sim`: simulated rounds against the bare cost of their hashes, and what else the simulator promises.

Rounds and hashes are measured turn by turn in processor time, so that other programs do not move the ratio. One thread,
unless it says two.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct

from benchmarks import starts
from benchmarks.all_peers import measure_peer
from benchmarks.limits import bare_hash, cpu_ns, hash_in_c
from benchmarks.report import Row, not_measured, row, time_per_call
from croupier.engine import get_game
from croupier.games.craps.house.kernel import ROLLS
from croupier.house import HouseGame, Plan
from croupier.kit.poker import card_bit, rank_hand
from croupier.sim import compiled, hash_path
from croupier.sim.simulate import play_rounds, simulate, tally_rounds

SLICE_NS = 10e6
SLICES = 3  # a turn, of which the best counts: as many as the program in C takes
TURNS = 7  # a repeat
HASH = "the hashes of its streams in C"
LINE = ("craps", {"pass": 10}, "full_odds")


class Case(Struct, frozen=True):
    """A round to measure, and the goal: so many times its hashes at most, or so many rounds a second at least."""

    game_id: str
    bets: dict[str, int]
    policy: str = ""
    at_most: float | None = None
    at_least: float | None = None
    what: str = ""


CASES = (
    Case(*LINE, at_most=3),
    Case(
        "craps",
        {"pass": 10, "field": 5, "yes:6": 12, "yes:8": 12, "hard:8": 5}
        | {"no:4": 11, "next:7": 5, "any_craps": 5, "horn": 4, "big:6": 10},
        at_most=5,
        what="of ten kinds",
    ),
    Case(
        "craps",
        {"pass": 10, "dont_pass": 10, "fire": 5, "bonus_all": 5, "repeater:6": 5}
        | {"hot_roller": 5, "yes:6": 12, "hard:8": 5, "field": 5, "ride_line": 5},
        at_most=5,
        what="half of them on trackers",
    ),
    Case(
        "craps",
        {"fire": 5, "hot_roller": 5, "ride_line": 5, "replay": 5, "bonus_small": 5}
        | {"bonus_tall": 5, "bonus_all": 5, "different_doubles": 5, "twice_hard": 5, "repeater:6": 5},
        at_most=5,
        what="all on trackers",
    ),
    Case("roulette", {"red": 10}, at_most=2.4),
    Case("roulette", {"red": 10, "straight:17": 1, "dozen:1": 5, "split:1-2": 2, "corner:1-2-4-5": 3}, at_most=3),
    Case("sic-bo", {"small": 10}, at_most=2.4),
    Case("sic-bo", {"small": 10, "total:9": 1, "triple:4": 1, "domino:1-4": 5, "single:5": 3}, at_most=3),
    Case("baccarat", {"player": 10}, at_most=5),
    Case("baccarat", {"player": 10, "tie": 1, "player_pair": 1, "lucky_six": 1, "banker_dragon": 2}, at_most=5),
    Case("casino-war", {"main": 10}, "always_war"),
    Case("hi-lo", {"stake": 10}, "one_guess"),
    Case("video-poker", {"stake": 5}, "optimal", at_least=500_000),
    Case("three-card-poker", {"ante": 10}, "best", at_least=3_000_000),
    Case("ultimate-texas-holdem", {"ante": 10}, "best", at_least=50_000),
    Case("ultimate-texas-holdem", {"ante": 10}, "simple", at_least=500_000),
)


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; crapssim and gymnasium are measured beside ours where they can be installed."""
    bare, in_c = bare_hash(), hash_in_c()
    rows = _hashes(bare, in_c, repeats)
    floor = ("their bare hashes", bare) if isinstance(in_c, str) else (HASH, in_c)
    rows += [_rounds(case, *floor, repeats) for case in CASES]
    rows += _threads(repeats)
    rows.append(_ranking(repeats))
    rows += _beside_peers(repeats, peers)
    rows += _starts(repeats)
    return rows


def _hashes(bare: Callable[[], float], in_c: Callable[[], float] | str, repeats: int) -> list[Row]:
    rows = [row("one stream opened", [bare() for _ in range(TURNS * repeats)], "ns", note=f"hash path {hash_path()}")]
    name, against = "one stream opened", "the same in C, by SHA instructions or sixteen lanes"
    if isinstance(in_c, str):
        return [*rows, not_measured(f"{name}, beside C", "ns", in_c)]
    theirs, beside = [], []
    for _ in range(2 * repeats):
        beside.append(min(bare() for _ in range(3)))
        theirs.append(in_c())
    # The clock of the processor changes between the two, and the best turns of both met the fastest.
    return [*rows, row(name, beside, "ns", beside=(against, theirs), at_most=1.25)]


def _plan(case: Case) -> tuple[HouseGame[Any], Plan]:
    game = get_game(case.game_id)
    assert isinstance(game, HouseGame)
    return game, game.plan(case.bets, case.policy)


def _rounds(case: Case, against: str, floor: Callable[[], float], repeats: int) -> Row:
    _, plan = _plan(case)
    seed = bytes(32)
    rolls = 1.0
    if case.game_id == "craps":
        rolls = float(play_rounds(plan, seed, 0, 50_000)[:, ROLLS].mean())
    rounds = _rounds_a_slice(plan)
    hashes, times = [], []
    for turn in range(TURNS * repeats):
        before, first = floor(), turn * SLICES * rounds
        slices = (partial(tally_rounds, plan, seed, first + each * rounds, rounds) for each in range(SLICES))
        times.append(min(cpu_ns(work, rounds) for work in slices))
        hashes.append(rolls * (before + floor()) / 2)
    bets = f"{len(case.bets)} {'bet' if len(case.bets) == 1 else 'bets'}"
    name = f"a round of {case.game_id}, {', '.join(part for part in (bets, case.what, case.policy) if part)}"
    note = f"{rolls:.2f} rolls a session, each a stream" if case.game_id == "craps" else ""
    if case.at_least is not None:
        return row(name, [1e9 / each for each in times], "rounds/s", at_least=case.at_least, note=_edge(case))
    return row(name, times, "ns", beside=(against, hashes), at_most=case.at_most, note=note, turn_by_turn=True)


def _rounds_a_slice(plan: Plan) -> int:
    """Return how many rounds take about as long as a slice, after the kernel has been compiled."""
    tally_rounds(plan, bytes(32), 0, 1_000)
    return max(2_000, int(SLICE_NS / cpu_ns(lambda: tally_rounds(plan, bytes(32), 0, 10_000), 10_000)))


def _edge(case: Case) -> str:
    """Return what a policy costs, where the odds tell."""
    game, _ = _plan(case)
    for each in game.odds():
        if each.bet in case.bets and each.policy == case.policy:
            return f"its edge is {100 * float(each.edge):.3f} % of the {next(iter(case.bets))}"
    found = simulate(game, case.bets, case.policy, 2_000_000)
    low, high = (100 * bound for bound in found.interval)
    return f"its edge is {low:.2f} to {high:.2f} % of the {next(iter(case.bets))}, 95 % sure, from 2,000,000 rounds"


def _threads(repeats: int) -> list[Row]:
    """Time the same rounds with one thread and with two, by the clock on the wall."""
    game, _ = _plan(Case(*LINE))
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(3 * repeats):
        for threads, found in seconds.items():
            begin = time.perf_counter()
            simulate(game, LINE[1], LINE[2], 4 * 2**18, threads=threads)
            found.append(4 * 2**18 / (time.perf_counter() - begin))
    beside = ("one thread", seconds[1])
    return [row("sessions of craps with two threads", seconds[2], "rounds/s", beside=beside, at_least=1.85)]


def _ranking(repeats: int) -> Row:
    hands = np.array([_hand(number) for number in range(4096)], np.int64)
    loop = compiled(_rank_all)
    loop(hands, 1)
    rates = [1e9 / cpu_ns(lambda: loop(hands, 100), 100 * len(hands)) for _ in range(TURNS * repeats)]
    return row("seven cards ranked", rates, "hands/s", at_least=20_000_000)


def _hand(number: int) -> int:
    cards = np.random.default_rng(number).permutation(52)[:7].tolist()
    return sum(card_bit(card) for card in cards)


def _rank_all(hands: Any, times: int) -> int:
    total = 0
    for _ in range(times):
        for i in range(len(hands)):
            total ^= rank_hand(hands[i])
    return total


def _beside_peers(repeats: int, peers: bool) -> list[Row]:
    line, blackjack = "rolls of the pass line with full odds", "hands of blackjack by basic strategy"
    ours = {
        line: _rates(Case(*LINE), starts.ROLLS_A_SESSION, repeats),
        f"{line}, by the portable path": [starts.portable_rolls() for _ in range(min(repeats, 3))],
        blackjack: _rates(Case("blackjack", {"main": 10}, "basic"), 1, repeats),
    }
    found = {
        name: measure_peer(name, repeats) if peers else (None, "without peers") for name in ("crapssim", "gymnasium")
    }
    rows = []
    goals = (("crapssim", 400), ("crapssim", 25), ("gymnasium", 100))
    for (name, rates), (peer, at_least) in zip(ours.items(), goals, strict=True):
        unit = "hands/s" if name == blackjack else "rolls/s"
        theirs, about = found[peer]
        if theirs is None:
            note = f"not compared: {about}; the goal is {at_least} times {peer}"
            rows.append(row(name, rates, unit, note=note))
        else:
            (done,) = theirs.values()
            rows.append(row(name, rates, unit, beside=(peer, done), at_least=at_least))
    return rows


def _rates(case: Case, per_round: float, repeats: int) -> list[float]:
    """Return how much is done in a second by the clock on the wall, which is what peers are measured by."""
    _, plan = _plan(case)
    rounds = _rounds_a_slice(plan)
    times = time_per_call(lambda: tally_rounds(plan, bytes(32), 0, rounds), rounds, TURNS * repeats)
    return [1e9 * per_round / each for each in times]


def _starts(repeats: int) -> list[Row]:
    warm = [starts.warm_start_s() for _ in range(min(repeats, 3))]
    cold, growth = starts.cold_compile_s(), starts.memory_growth_mib()
    again = f"{starts.ROUNDS_MANY:,} rounds of roulette beside {starts.ROUNDS_FEW:,}"
    return [
        row("a new process up to its first thousand rounds, kernel kept", warm, "s", at_most=1),
        row("all kernels compiled anew", [cold], "s", at_most=60, note="processor time of one process"),
        row(f"peak memory of {again}", [max(growth, 0.0)], "MiB more", at_most=8),
    ]
