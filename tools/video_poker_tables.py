"""Makes the shipped tables of video poker: every hand, deal and draw counted, nothing sampled.

    python -m tools.video_poker_tables FOLDER

writes `best_play.json` and `counts.xz` there; the shipped ones lie in `croupier/games/video_poker/data`. Takes about
twenty seconds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.games.video_poker import tables
from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES, POLICIES, Hand, Policy
from croupier.games.video_poker.odds import boost_chances, expected_boost, hunter_pays
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.rules import hands, holds
from croupier.sim.compiling import compiled
from tools.solvers import pack_xz
from tools.solvers import video_poker as solve

BOUND_UNIT = 10**6

Whole = NDArray[np.int64]


class Counter:
    """Counter over all hands of five cards, with deuces wild or not; the kinds of hands are found once."""

    def __init__(self, is_wild: bool) -> None:
        self.kinds = np.zeros(solve.DEALS, np.int16)
        self._choose, self._sets, self._work = (np.zeros(size, np.int64) for size in (312, 32, holds.WORK_SIZE))
        _run(solve.fill_choose, self._choose)
        _run(solve.fill_kinds, self.kinds, is_wild)

    def sums(self, values: Sequence[int]) -> Whole:
        """Return what all hands that contain a set of up to four cards are worth together; `values` go by kind."""
        found = np.zeros(solve.SMALL_SETS, np.int64)
        _run(solve.add_sums, self.kinds, np.array(values, np.int64), self._choose, found, self._sets)
        return found

    def slots(self) -> Whole:
        """Return the slot of every set of up to four cards."""
        found = np.zeros(solve.SMALL_SETS, np.int64)
        cards, order = np.zeros(4, np.int64), np.zeros(4, np.int64)
        _run(solve.fill_set_slots, self._choose, found, cards, order, self._sets, self._work)
        return found

    def final_hands(self, values: Sequence[int]) -> list[int]:
        """Return how often each kind of hand is the final one for who plays best, where hands are worth `values`."""
        weights = np.zeros(solve.SMALL_SETS + solve.DEALS, np.int64)
        worth = np.array(values, np.int64)
        _run(solve.solve, self.kinds, worth, self._choose, self.sums(values), weights, self._sets, self._work)
        counts = np.zeros(hands.HANDS * solve.LIGHT_COUNTS, np.int64)
        _run(solve.tally, self.kinds, weights, self._choose, counts, self._sets)
        return [int(count) for count in counts]

    def dealt(self) -> list[int]:
        """Return how often each kind of hand is the final one for who keeps every card."""
        counts = np.bincount(self.kinds, minlength=hands.HANDS * solve.LIGHT_COUNTS)
        return [int(count) * holds.COMMON for count in counts]


def _run(function: Callable[..., None], *arguments: Any) -> None:
    """Run a function of the numeric subset as machine code."""
    compiled(function)(*arguments)


def make_counts() -> bytes:
    """Return the content of `counts.xz` before it is packed."""
    columns = []
    for is_wild, family in enumerate(tables.FAMILIES):
        counter = Counter(bool(is_wild))
        slots = counter.slots()
        for hand in family:
            sums = counter.sums(
                [int(kind // solve.LIGHT_COUNTS == hand) for kind in range(hands.HANDS * solve.LIGHT_COUNTS)]
            )
            column = np.zeros(holds.SLOTS, np.int64)
            column[slots] = sums
            if (column[slots] != sums).any():
                raise AssertionError(f"sets with one slot differ in how often they are in {HAND_NAMES[hand]}")
            columns.append(column)
    slots_first = np.array(columns).T
    wide, narrow = slots_first[: tables.WIDE_SLOTS], slots_first[tables.WIDE_SLOTS :]
    return wide.astype("<u4").tobytes() + narrow.astype("u1").tobytes()


def make_best_play() -> tables.BestPlay:
    """Return the content of `best_play.json`."""
    counters = [Counter(False), Counter(True)]
    solutions = {}
    for name in PAY_TABLES:
        options = VideoPokerOptions(name)
        counter = counters[options.is_wild]
        policies = {policy: make_policy(options, policy, counter) for policy in POLICIES}
        solutions[name] = tables.Solution(policies, make_super_bound(options, counter))
    return tables.BestPlay(solve.DEALS * holds.COMMON, solutions)


def make_policy(options: VideoPokerOptions, policy: Policy, counter: Counter) -> dict[Hand, tables.ByLight]:
    """Return how often each hand is the final one under a policy, of all deals and draws."""
    if policy == "hold_all":
        counts = counter.dealt()
    else:
        worths = hunter_pays(options) if policy == "royal_hunter" else options.pays
        counts = counter.final_hands([worth for worth in worths for _ in range(solve.LIGHT_COUNTS)])
    assert sum(counts) == solve.DEALS * holds.COMMON
    found: dict[Hand, tables.ByLight] = {}
    for hand in (hands.NOTHING, *tables.FAMILIES[options.is_wild]):
        none, one, two, three, four = counts[hand * solve.LIGHT_COUNTS : (hand + 1) * solve.LIGHT_COUNTS]
        found[HAND_NAMES[hand]] = none, one, two, three, four
    return found


def make_super_bound(options: VideoPokerOptions, counter: Counter) -> tuple[int, int]:
    """Return what no play exceeds in super mode, per chip staked.

    Every hand is valued at no less than it is worth on average there, rounded up to whole millionths; the best play
    for these values then returns no less than the best play there is.
    """
    values = [
        ceil(BOUND_UNIT * (pays + max(pays - 1, 0) * expected_boost(hand, boost_chances(light))))
        for hand, pays in enumerate(options.pays)
        for light in range(solve.LIGHT_COUNTS)
    ]
    best = sum(value * ways for value, ways in zip(values, counter.final_hands(values), strict=True))
    bound = Fraction(best, BOUND_UNIT * solve.DEALS * holds.COMMON)
    return bound.numerator, bound.denominator


def write_best_play(best_play: tables.BestPlay) -> bytes:
    """Return the content of `best_play.json`, every list on one line."""
    spread = msgspec.json.format(msgspec.json.encode(best_play), indent=2)
    return re.sub(rb"\[[^\]]*\]", lambda found: b" ".join(found[0].split()), spread) + b"\n"


def main(arguments: Sequence[str]) -> int:
    """Write the tables into a folder; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m tools.video_poker_tables FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    (folder / "counts.xz").write_bytes(pack_xz(make_counts()))
    (folder / "best_play.json").write_bytes(write_best_play(make_best_play()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
