"""Works out the shipped tables of blackjack, from the solver in `tools.solvers`, compiled.

    python -m tools.blackjack_tables FOLDER

writes `strategy.json` and `values.xz` there; the shipped ones lie in `croupier/games/blackjack/data`, and `--check`
in place of a folder says whether they are the same. It takes some two minutes. Figures are the same on every machine
but for the last digit or two, which come from how its floats are rounded; so a check lets them differ by 2e-12.
"""

from __future__ import annotations

import itertools
import json
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from croupier.games.blackjack import odds, packed, rules, solver, strategy
from croupier.games.blackjack.options import DECKS, BlackjackOptions
from croupier.games.blackjack.strategy import LETTERS, PAIR_LETTERS, SCALE, UP_VALUES
from croupier.sim.compiling import compiled
from tools.solvers import blackjack as solve
from tools.solvers import pack_xz
from tools.solvers.blackjack import BOOSTED, CHANCES, EXTRA_MAX, FIELDS, NATURAL_AT, NET, PUSH, SQUARE, STAKED, WIN

VALUES = range(1, 11)
ABOUT = "Made by python -m tools.blackjack_tables. Numbers are in 1e-12 of the opening stake."
TOLERANCE = 2

# Arrays of float64 and int64.
Floats = Any
Table = Any


class Solved:
    """All there is to know of a number of decks and a rule about soft 17; worked out when it is first asked for.

    `counts` is what the shoe has of each value, ace first, where that is not what the decks have.
    """

    def __init__(self, decks: int, hit_soft_17: bool, counts: Sequence[int] | None = None) -> None:
        self.decks = decks
        self.hit_soft_17 = hit_soft_17
        self.counts = [4 * decks] * 9 + [16 * decks] if counts is None else list(counts)
        self.hands = solve.Hands(*_arrays(solve.hands()))
        self.size = len(self.hands.size)
        self.compositions: list[list[int]] = np.reshape(self.hands.counts, (-1, 10)).tolist()
        self.places = {tuple(hand): place for place, hand in enumerate(self.compositions)}
        self._chances: dict[tuple[int, int, int], Floats] = {}
        self._splits: dict[Any, Floats] = {}

    @cached_property
    def mean_boosts(self) -> Floats:
        """The mean boost of every hand in super mode."""
        there = [max(hand[:9]) <= 4 * self.decks for hand in self.compositions]  # no five aces in one deck
        boosts_of = zip(self.compositions, there, strict=True)
        return np.array([float(odds.mean_boost(hand, self.decks)) if fits else 0.0 for hand, fits in boosts_of])

    def shoe(self, up_value: int) -> Floats:
        """Return what is left of each value beside an up card."""
        left = np.array(self.counts, np.float64)
        left[up_value - 1] -= 1
        return left

    def chances(self, up_value: int, value: int = 0, extra: int = 0) -> Floats:
        """Return how the dealer ends beside every hand, where so many more cards of a value are gone."""
        key = up_value, value, extra
        if key not in self._chances:
            nodes = solver.Nodes(*_arrays(solver.dealer_nodes(up_value, self.hit_soft_17)))
            found = np.zeros(CHANCES * self.size)
            _compiled(solve.fill_chances)(
                self.hands, nodes, self.shoe(up_value), rules.natural_value(up_value), value, extra, found
            )
            self._chances[key] = found
        return self._chances[key]

    def two_cards(self, one: int, other: int) -> int:
        """Return the place of a hand of two cards."""
        counts = [0] * 10
        counts[one - 1] += 1
        counts[other - 1] += 1
        return self.places[tuple(counts)]

    def natural_chance(self, hand: int, up_value: int) -> float:
        """Return the chance of a dealer's natural beside a hand."""
        return float(self.chances(up_value)[CHANCES * hand + NATURAL_AT])

    def played(
        self,
        table: Table,
        up_value: int,
        options: BlackjackOptions,
        *,
        value: int = 0,
        extra: int = 0,
        may_double: bool = True,
        may_surrender: bool = False,
    ) -> Floats:
        """Return what every hand is worth to who follows a table, pairs not split; a row of six fields a hand."""
        found = np.zeros(FIELDS * self.size)
        _compiled(solve.play)(
            self.hands,
            self.chances(up_value, value, extra),
            self.mean_boosts,
            self.shoe(up_value),
            value,
            extra,
            up_value,
            table,
            options.peek,
            may_double,
            may_surrender,
            found,
        )
        return found.reshape(-1, FIELDS)

    def split(
        self, table: Table, value: int, up_value: int, options: BlackjackOptions, *, again: bool = True
    ) -> Floats:
        """Return what a split pair is worth to who follows the rows for totals, and splits such pairs again or not."""
        rule = strategy.aces_key(options) if value == 1 else strategy.pairs_key(options)
        totals = table[: 10 * rules.PAIR_ROW].tobytes()
        key = value, up_value, rule, options.peek, again, totals
        if key not in self._splits:
            self._splits[key] = self._split(table, value, up_value, options, again)
        return self._splits[key]

    def _split(self, table: Table, value: int, up_value: int, options: BlackjackOptions, again: bool) -> Floats:
        """Work a split out.

        Tens of another rank cannot be split, but which rank the up card has is not known here: a ten as up card takes a
        quarter of a card from the pair's rank. It matters to nobody, since no table splits tens.
        """
        shoe = self.shoe(up_value)
        same_left = (shoe[value - 1] if value < 10 else shoe[9] / 4) - 2
        cards_left = float(shoe.sum()) - 2
        stands = value == 1 and not options.hit_split_aces
        followed = np.zeros_like(table) if stands else table
        may_double = options.double_after_split and not stands
        worths = np.zeros(2 * FIELDS * EXTRA_MAX)
        for gone in range(EXTRA_MAX):
            extra = gone + 1
            fields = self.played(followed, up_value, options, value=value, extra=extra, may_double=may_double)
            same = max(same_left - gone, 0.0)
            for other in VALUES:
                cards = shoe[other - 1] - (extra + 1 if other == value else 0)
                at = 2 * FIELDS * gone
                worth = fields[self.two_cards(value, other)] / (cards_left - gone)
                if other == value:
                    worths[at + FIELDS : at + 2 * FIELDS] += worth * same
                    cards -= same
                if cards > 0:
                    worths[at : at + FIELDS] += worth * cards
        may_again = again and (value > 1 or strategy.aces_key(options).startswith("hr"))
        splits_max = rules.HANDS_MAX - 1 if may_again else 1
        paths = [(*path, ways) for path, ways in solver.split_paths(splits_max).items()]
        found = np.zeros(FIELDS)
        _compiled(solve.split_values)(worths, same_left, cards_left, np.array(paths, np.int64).ravel(), found)
        return found

    def table(self, options: BlackjackOptions) -> Table:
        """Return the basic strategy for a table."""
        table = np.zeros(rules.TABLE_SIZE, np.int64)
        for up_value in VALUES:
            shoe, chances = self.shoe(up_value), self.chances(up_value)
            _compiled(solve.decide)(self.hands, chances, shoe, up_value, options.peek, table)
            alone = self.played(table, up_value, options)
            for value in VALUES:
                pair = self.two_cards(value, value)
                whole = alone[pair][NET]
                split = self.split(table, value, up_value, options)[NET]
                given_up = surrendered(self.natural_chance(pair, up_value), options)[NET]
                code = rules.SPLIT_BIT if split > whole else 0
                code += rules.SURRENDER_BIT if given_up > max(split, whole) else 0
                table[rules.pair_cell(value, up_value)] = code
        return table

    def round(self, table: Table, options: BlackjackOptions) -> list[int]:
        """Return what a round comes to for who follows a table, as `strategy.Round` lists it."""
        cards = sum(self.counts)
        total = np.zeros(FIELDS)
        for up_value in VALUES:
            shoe = self.shoe(up_value)
            up_chance = (shoe[up_value - 1] + 1) / cards
            alone = self.played(table, up_value, options, may_surrender=options.surrender)
            for low, high in pairs_of_values():
                ways = shoe[low - 1] * (shoe[high - 1] - 1 if low == high else 2 * shoe[high - 1])
                chance = up_chance * ways / ((cards - 1) * (cards - 2))
                hand = self.two_cards(low, high)
                natural = self.natural_chance(hand, up_value)
                if (low, high) == (1, 10):
                    total += chance * np.array([1.5 * (1 - natural), 1, 1 - natural, natural, 0, 2.25 * (1 - natural)])
                    continue
                worth = alone[hand]
                if low == high:
                    hard, has_ace = low + high, low == 1
                    action = rules.choose(table, 0, hard, has_ace, low, up_value, True, options.surrender)
                    if action == rules.SPLIT:
                        worth = self.split(table, low, up_value, options)
                    elif action == rules.SURRENDER:
                        worth = surrendered(natural, options)
                if options.peek:  # the dealer's natural ended the round
                    worth = worth + np.array([-natural, natural, 0, 0, 0, natural])
                total += chance * worth
        wholes = [whole(total[field]) for field in (NET, STAKED, WIN, PUSH, BOOSTED)]
        return [*wholes, ceil(total[SQUARE] * strategy.SQUARE_SCALE)]

    def first_decisions(self, hands: Iterable[tuple[int, int]]) -> dict[str, list[int]]:
        """Return what it is worth to stand, hit and double with some two cards, by up card."""
        found: dict[str, list[int]] = {"stand": [], "hit": [], "double": []}
        columns = {up_value: self.best(up_value) for up_value in VALUES}
        for low, high in hands:
            hand = self.two_cards(low, high)
            for up_value in VALUES:
                for action, column in zip(found, columns[up_value], strict=True):
                    found[action].append(whole(column[hand]))
        return found

    def best(self, up_value: int) -> tuple[Floats, Floats, Floats]:
        """Return what it is worth to stand, hit and double with every hand."""
        columns = np.zeros(self.size), np.zeros(self.size), np.zeros(self.size)
        shoe, chances = self.shoe(up_value), self.chances(up_value)
        _compiled(solve.best_values)(self.hands, chances, shoe, up_value, *columns)
        return columns


def _compiled(function: Any) -> Any:
    return compiled(function, strict=False)  # they make lists of floats


def _arrays(columns: Any) -> Any:
    return map(np.array, columns)


def pairs_of_values() -> Iterator[tuple[int, int]]:
    """Yield two values, the lower first."""
    return ((low, high) for low in VALUES for high in range(low, 11))


def surrendered(natural: float, options: BlackjackOptions) -> Floats:
    """Return what a hand is worth that surrenders: half, unless the dealer has a natural."""
    mass = 1 - natural if options.peek else 1.0
    half = (1 - natural) / 2
    return np.array([half - mass, mass, 0, 0, 0, mass - 1.5 * half])


def whole(value: float) -> int:
    """Return a number in the unit of the files."""
    return round(float(value) * SCALE)


# The files.


def all_options(decks: int, hit_soft_17: bool) -> Iterator[BlackjackOptions]:
    """Yield the sets of options that differ in anything but what a natural pays."""
    names = ("peek", "double_after_split", "hit_split_aces", "resplit_aces", "surrender")
    for flags in product((False, True), repeat=len(names)):
        rules_of = dict(zip(names, flags, strict=True))
        if rules_of["hit_split_aces"] or not rules_of["resplit_aces"]:
            yield BlackjackOptions(decks=decks, hit_soft_17=hit_soft_17, **rules_of)  # type: ignore[arg-type]


DEALERS = tuple(product(DECKS, (False, True)))


def make(dealers: Iterable[tuple[int, bool]] = DEALERS) -> dict[str, Any]:
    """Return the content of both files, or the part of it for some numbers of decks and rules about soft 17."""
    charts: dict[str, Any] = {}
    rounds: dict[str, dict[str, Any]] = {"basic": {}, "never_bust": {}, "mimic_dealer": {}}
    hits: dict[str, Any] = {}
    splits: dict[str, Any] = {}
    for decks, hit_soft_17 in dealers:
        solved = Solved(decks, hit_soft_17)
        for options in all_options(decks, hit_soft_17):
            key, dealer = strategy.chart_key(options), strategy.dealer_key(options)
            aces, pairs = strategy.aces_key(options), strategy.pairs_key(options)
            table = solved.table(options)
            chart = charts.setdefault(key, {**totals_chart(table), "pairs": {}, "aces": {}})
            rows = [pair_row(table, value) for value in VALUES]
            chart["aces"].setdefault(aces, rows[0])
            chart["pairs"].setdefault(pairs, rows[1:])
            worths = splits.setdefault(key, {"pairs": {}, "aces": {}})
            if aces not in worths["aces"]:
                worths["aces"][aces] = split_row(solved, table, options, range(1, 2))
            if pairs not in worths["pairs"]:
                worths["pairs"][pairs] = split_row(solved, table, options, range(2, 10))
            round_key = strategy.round_key(options)
            rounds["basic"].setdefault(key, {})[round_key] = solved.round(table, options)
            stands = never_busting(table)
            rounds["never_bust"].setdefault(key, {})[round_key] = solved.round(stands, options)
            if dealer not in hits:
                hits[dealer] = {"": solved.first_decisions(packed.SMALL_HANDS)["hit"]}
                mimic = np.array(strategy.table_for("mimic_dealer", options), np.int64)
                rounds["mimic_dealer"][dealer] = solved.round(mimic, options)
    return {
        "strategy.json": {"about": ABOUT, "charts": charts, "mimic_dealer": rounds.pop("mimic_dealer")},
        "values.xz": {"hits": hits, "splits": splits, **rounds},
    }


def never_busting(table: Table) -> Table:
    """Return a table that stands on every hard total that could bust."""
    changed = table.copy()
    for total, up_value in product(range(12, rules.TOTAL_HIGH + 1), VALUES):
        changed[rules.total_cell(total, False, up_value)] = 0
    return changed


def split_row(solved: Solved, table: Table, options: BlackjackOptions, values: range) -> list[int]:
    """Return what it is worth to split pairs and then follow the table: one that it does not split, not again."""
    row = []
    for value, up_value in product(values, VALUES):
        again = bool(table[rules.pair_cell(value, up_value)] & rules.SPLIT_BIT)
        row.append(whole(solved.split(table, value, up_value, options, again=again)[NET]))
    return row


def totals_chart(table: Table) -> dict[str, Any]:
    """Return the rows of a chart for hard and soft totals."""
    letters = {code: letter for letter, code in LETTERS.items()}
    return {
        name: [
            "".join(letters[int(table[rules.total_cell(total, soft, up_value)])] for up_value in UP_VALUES)
            for total in range(low, rules.TOTAL_HIGH + 1)
        ]
        for name, soft, low in (("hard", False, rules.HARD_LOW), ("soft", True, rules.SOFT_LOW))
    }


def pair_row(table: Table, value: int) -> str:
    """Return the row of a chart for a pair."""
    letters = {code: letter for letter, code in PAIR_LETTERS.items()}
    return "".join(letters[int(table[rules.pair_cell(value, up_value)])] for up_value in UP_VALUES)


def as_text(value: Any, indent: str = "") -> str:
    """Return data as JSON with a line for each list of numbers or text."""
    if isinstance(value, dict):
        inside = ",\n".join(f"{indent} {json.dumps(key)}: {as_text(part, indent + ' ')}" for key, part in value.items())
        return f"{{\n{inside}\n{indent}}}"
    return json.dumps(value, separators=(",", ":"))


def differences(made: Any, shipped: Any, where: str = "$") -> Iterator[str]:
    """Yield where the data that was made and the data that is shipped are not the same."""
    if isinstance(made, dict) and isinstance(shipped, dict) and made.keys() == shipped.keys():
        for key in made:
            yield from differences(made[key], shipped[key], f"{where}.{key}")
    elif isinstance(made, list) and isinstance(shipped, list) and len(made) == len(shipped):
        for place, (one, other) in enumerate(zip(made, shipped, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif isinstance(made, int) and isinstance(shipped, int):
        if abs(made - shipped) > TOLERANCE:
            yield f"{where}: {made}, shipped {shipped}"
    elif made != shipped:
        yield f"{where}: {made!r}, shipped {shipped!r}"


def pack_values(found: dict[str, Any]) -> bytes:
    """Return the content of `values.xz`, as `packed` tells."""
    planes = []
    for (part, peek, *names), _ in packed.COLUMNS:
        less: Iterable[Iterable[int]] = itertools.repeat(itertools.repeat(0))
        for rule in packed.RULES:
            rows = []
            for decks in packed.DECK_ORDER:
                place = found[part][f"{decks}{rule}{peek}"]
                for name in names[:-1]:
                    place = place[name]
                rows.append(list(map(operator.sub, place[names[-1]], packed.added(place, names[-1]))))
            bent = [list(map(operator.sub, row, base)) for row, base in zip(rows, less, strict=False)]
            rest = [
                number - guess
                for at, row in enumerate(bent)
                for number, guess in itertools.zip_longest(row, packed.foretold(bent[:at]), fillvalue=0)
            ]
            plain = [number << 1 if number >= 0 else ~number << 1 | 1 for number in rest]
            planes += [bytes(number >> 8 * byte & 255 for number in plain) for byte in range(packed.WIDTH)]
            less = rows
    return pack_xz(b"".join(planes))


FORMATS: dict[str, tuple[Callable[[Any], bytes], Callable[[bytes], Any]]] = {
    "strategy.json": (lambda content: f"{as_text(content)}\n".encode(), json.loads),
    "values.xz": (pack_values, packed.read_values),
}


def main(arguments: list[str]) -> int:
    """Write the files into a folder, or check those that are shipped; return the exit code."""
    if len(arguments) != 1 or (arguments[0].startswith("-") and arguments[0] != "--check"):
        print("give the folder to write strategy.json and values.xz to, or --check", file=sys.stderr)
        return 2
    is_check = arguments == ["--check"]
    folder = Path(strategy.__file__).parent / "data" if is_check else Path(arguments[0])
    wrong = 0
    for name, content in make().items():
        write, read = FORMATS[name]
        if not is_check:
            (folder / name).write_bytes(write(content))
            continue
        for line in differences(content, read((folder / name).read_bytes())):
            print(f"{name} {line}")
            wrong += 1
    print(f"{wrong} differences" if is_check else f"written to {folder}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
