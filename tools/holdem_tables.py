"""Makes the shipped figures of ultimate texas hold'em: every board counted, every decision valued, nothing sampled.

    python -m tools.holdem_tables FOLDER [THREADS]

writes `solution.json` and `flop.xz` there; the shipped ones lie in `croupier/games/ultimate_texas_holdem/data`. What
they hold is the same wherever it is made, whatever the number of threads.
"""

from __future__ import annotations

import operator
from argparse import ArgumentParser
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.bets import POLICIES
from croupier.games.ultimate_texas_holdem.odds import boost_unit, marked_chances, marked_denominator
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.tables import (
    FLOP_FILE,
    PER_HOLE,
    RAISES,
    SOLUTION_FILE,
    Qualifier,
    Rounds,
    Sharp,
    Solution,
    flop_guesses,
    flop_order,
    guide,
    holding_order,
    hole_count,
    preflop_choice,
)
from croupier.kit import holdem
from croupier.sim.compiling import compiled
from tools.solvers import holdem as solve
from tools.solvers import pack_xz

Numbers = NDArray[np.int64]
Profits = tuple[tuple[int, int, int], ...]

QUALIFIERS: tuple[Qualifier, ...] = get_args(Qualifier)  # in the order of `solve`
BOOST = 2 * rules.BOOST_NUMERATOR  # an Ante is two halves


def build(threads: int = 2) -> tuple[bytes, bytes]:
    """Return the content of `solution.json` and of `flop.xz`."""
    places = Places.make()
    usual = _values(threads, 1, 0, places)
    policies = _policies(threads, places.with_best(usual.flops))
    sharp = _values(threads, boost_unit(), BOOST, places)
    profits = {name: usual.profits(qualifier, 1, 0) for qualifier, name in enumerate(QUALIFIERS)}
    found = Solution(
        holes=profits,
        rounds=tuple(
            _rounds(HoldemOptions(name, *raises), policy, profits[name], usual.holes, policies)
            for name in QUALIFIERS
            for raises in RAISES
            for policy in POLICIES
        ),
        sharp=tuple(
            _sharp(HoldemOptions(name, *raises), sharp.profits(qualifier, boost_unit(), BOOST))
            for qualifier, name in enumerate(QUALIFIERS)
            for raises in RAISES
        ),
        categories={5: usual.categories(0, 1), 6: usual.categories(1, 6), 7: usual.categories(2, 21)},
    )
    return write_solution(found), _flop_file(usual.flops, places)


def write_solution(found: Solution) -> bytes:
    """Return the text of `solution.json`."""
    return msgspec.json.encode(found) + b"\n"


class Places(NamedTuple):
    """Columns over all places of hole cards and a flop: the place each belongs to, its hole cards, who raises there."""

    targets: Numbers
    kinds: Numbers
    raises: Numbers

    @classmethod
    def make(cls) -> Places:
        """Return the places of all hole cards and flops."""
        found = cls(*(np.full(rules.FLOP_PLACES, -1, np.int64) for _ in range(3)))
        flops = compiled(solve.fill_places, strict=False)(np.zeros(5, np.int64), np.zeros(52, np.int64), *found)
        assert flops == holdem.FLOP_CLASSES
        return found

    def are_met(self) -> NDArray[np.bool_]:
        """Return which places are those of some cards, and not another name of a place."""
        return np.asarray(self.targets == np.arange(rules.FLOP_PLACES))

    def with_best(self, flops: Numbers) -> Numbers:
        """Return who raises, the best policies included."""
        raises = self.raises.copy()
        is_place = self.targets >= 0
        for qualifier, flag in enumerate(solve.BEST_RAISES):
            raises[is_place] += flag * _best_raises(flops, qualifier)[self.targets[is_place]]
        return raises


def _best_raises(flops: Numbers, qualifier: int) -> NDArray[np.bool_]:
    """Return where a raise is worth more than a check; what is worth the same is not raised."""
    return flops[:, solve.PLAY_2 + qualifier] > flops[:, solve.CHECK + qualifier]


class _Values(NamedTuple):
    """Sums of the sweep for values."""

    hands: Numbers
    holes: Numbers
    flops: Numbers
    kinds: Numbers

    def categories(self, row: int, times: int) -> tuple[int, ...]:
        """Return how many hands there are of each category, each of which was met so many times."""
        counts = self.hands[row].tolist()
        assert all(count % times == 0 for count in counts)
        return tuple(count // times for count in counts)

    def profits(self, qualifier: int, unit: int, boost: int) -> Profits:
        """Return for each kind of hole cards the profit of checking, of 3 and of 4 Antes, as in `Rounds`."""
        best = self.flops[:, [solve.PLAY_2 + qualifier, solve.CHECK + qualifier]].max(axis=1)
        found = []
        for kind, sums in enumerate(self.holes.tolist()):
            # Python's own whole numbers: in super mode these do not fit 63 bits.
            check = sum(best[self.kinds == kind].tolist())
            gain = 10 * sums[solve.GAIN + qualifier] * boost
            play_3, play_4 = (10 * sums[play + qualifier] * unit + gain for play in (solve.PLAY_3, solve.PLAY_4))
            found.append((check, play_3, play_4))
        return tuple(found)


def _values(threads: int, unit: int, boost: int, places: Places) -> _Values:
    def part(number: int) -> tuple[int, Numbers, Numbers, Numbers]:
        shapes = (3, 10), (rules.HOLE_CLASSES, solve.HOLE_SUMS), (rules.FLOP_PLACES, solve.FLOP_SUMS)
        sums = [np.zeros(shape, np.int64) for shape in shapes]
        flat = [array.reshape(-1) for array in sums]
        sweep = compiled(solve.sweep_values, strict=False)
        boards = sweep(number, threads, unit, boost, make_boosts(), make_room(), *flat)
        return boards, sums[0], sums[1], sums[2]

    hands, holes, flops = _in_threads(threads, part)
    compiled(solve.fold_places, strict=False)(places.targets, flops.reshape(-1))
    assert flops[:, solve.MET].sum() == 22_100 * 1_176 * 1_081  # flops, hole cards, turns and rivers
    return _Values(hands, holes, flops, places.kinds)


def _policies(threads: int, raises: Numbers) -> list[Any]:
    """Return what the sweep for policies adds up: by policy, qualifier and kind of hole cards."""

    def part(number: int) -> tuple[int, Numbers]:
        sums = np.zeros((len(POLICIES), solve.QUALIFIERS, rules.HOLE_CLASSES, solve.POLICY_SUMS), np.int64)
        sweep = compiled(solve.sweep_policies, strict=False)
        return sweep(number, threads, make_boosts(), raises, make_room(), sums.reshape(-1)), sums

    (sums,) = _in_threads(threads, part)
    found: list[Any] = sums.tolist()
    return found


def _in_threads(threads: int, part: Callable[[int], tuple[Any, ...]]) -> list[Numbers]:
    """Return the arrays of all parts added up; each part says how many boards it saw, too."""
    with ThreadPoolExecutor(threads) as pool:
        boards, *arrays = zip(*pool.map(part, range(threads)), strict=True)
    assert sum(boards) == solve.BOARDS
    return [sum(parts[1:], start=parts[0]) for parts in arrays]


def make_room() -> solve.Room:
    """Return scratch arrays for a sweep."""
    choices = 8 * solve.BOARD_HOLDINGS
    sizes = {"board": 5, "profits": choices, "squares": choices, "per_card": 3 * 52, "names": 52, "spot": 5}
    room = solve.Room(*(np.zeros(sizes.get(name, solve.BOARD_HOLDINGS), np.int64) for name in solve.Room._fields))
    room.board[:] = 0, 1, 2, 3, 3
    return room


def make_boosts() -> solve.Boosts:
    """Return the chances of marked ranks, over their common denominator."""
    weights = {ranks: int(chance * marked_denominator()) for ranks, chance in marked_chances().items()}
    hits, pairs = np.zeros(8192, np.int64), np.zeros(169, np.int64)
    for (one, other), weight in weights.items():
        pairs[13 * one + other] = pairs[13 * other + one] = weight
        hits[np.arange(8192) & (1 << one | 1 << other) > 0] += weight
    return solve.Boosts(hits, pairs)


def _rounds(options: HoldemOptions, policy: str, profits: Profits, holes: Numbers, policies: list[Any]) -> Rounds:
    """Return what a policy comes to: some hole cards are raised, the others go by the sweep for policies."""
    qualifier = QUALIFIERS.index(options.dealer_qualifies)
    simple = guide(options, rules.SIMPLE)[rules.PREFLOP_AT :]
    total = [0] * 7
    for kind, sums in enumerate(holes.tolist()):
        raised = simple[kind] if policy == "simple" else preflop_choice(profits[kind], options)
        if raised:
            profit, bet = profits[kind][raised - 2], raised * hole_count(kind) * PER_HOLE
            square_at = solve.SQUARE_4 if raised == 4 else solve.SQUARE_3
            columns = (solve.GAIN, square_at, solve.BLIND_GAIN, solve.GAIN_SQUARE)
            gain, square, *more = (10 * sums[column + qualifier] for column in columns)
            wins, ties, more = 10 * sums[solve.WINS], 10 * sums[solve.TIES], [raised * gain, *more]
        else:
            profit, wins, ties, gain, bet, square, *more = policies[POLICIES[policy]][qualifier][kind]
            assert policy == "simple" or profit == profits[kind][0]  # both sweeps agree
        found = profit, bet, wins, ties, gain, square, _more_square(gain, *more)
        total = list(map(operator.add, total, found))
    return Rounds(options.dealer_qualifies, options.play_3x, options.play_4x, policy, *total)  # type: ignore[arg-type]


def _more_square(gain: int, play_gain: int, blind_gain: int, gain_square: int) -> int:
    """Return what boosts add to the square of the profit: 2 x g + g g, where x is won without them and g by them.

    In halves of the Ante x is 2 for the Ante, twice what is on Play, and the bonus of the Blind.
    """
    assert BOOST == rules.BOOST_DENOMINATOR  # so that g is the boost less 1
    return 4 * gain + 4 * play_gain + 2 * blind_gain + gain_square


def _sharp(options: HoldemOptions, profits: Profits) -> Sharp:
    profit = 0
    for offers in profits:
        raised = preflop_choice(offers, options)
        profit += offers[raised - 2 if raised else 0]
    return Sharp(options.dealer_qualifies, options.play_3x, options.play_4x, profit)


def _flop_file(flops: Numbers, places: Places) -> bytes:
    """Return both tables of raises on the flop, as `read_flop_words` tells."""
    pair, always = (_best_raises(flops, qualifier) for qualifier in range(solve.QUALIFIERS))
    return pack_flops(pair + 2 * always.astype(np.uint8), places.are_met())


def pack_flops(raises: NDArray[np.uint8], are_met: NDArray[np.bool_]) -> bytes:
    """Return a file of flops from a byte for each place, and whether `holdem.flop_place` ever gives it."""
    shape, ordered = (holdem.FLOP_CLASSES, holdem.HOLDINGS), np.ix_(flop_order(), holding_order())
    rows, met = raises.reshape(shape)[ordered], are_met.reshape(shape)[ordered]
    guesses = np.frombuffer(b"".join(flop_guesses()), np.uint8).reshape(holdem.HOLDINGS, -1)[list(holding_order())].T
    return pack_xz(np.where(met, rows ^ guesses, 0).tobytes())


def main() -> None:
    """Write both files into a folder."""
    parser = ArgumentParser(prog="python -m tools.holdem_tables", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where to write solution.json and flop.xz")
    parser.add_argument("threads", type=int, nargs="?", default=2, help="how many threads to use; 2 if not given")
    wish = parser.parse_args()
    solution, flops = build(wish.threads)
    wish.folder.mkdir(parents=True, exist_ok=True)
    (wish.folder / SOLUTION_FILE).write_bytes(solution)
    (wish.folder / FLOP_FILE).write_bytes(flops)


if __name__ == "__main__":
    main()
