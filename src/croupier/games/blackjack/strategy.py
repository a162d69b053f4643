"""Strategy charts and expected values of blackjack, read from the data files that are shipped with the game.

`strategy.json` has a chart for every set of options, the way players know them. `values.xz` has what a round comes to
for those who follow it, and what first decisions are worth that take long to work out. Both are made from the solver,
compiled, by `python -m tools.blackjack_tables`. Numbers are whole, in millionths of millionths of the stake.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from croupier.games.blackjack import rules
from croupier.games.blackjack.options import BlackjackOptions
from croupier.games.blackjack.packed import SMALL_HANDS, read_values

SCALE = 10**12
SQUARE_SCALE = 10**6

# What players write into a chart. `R` and `D` hit where surrender or a double is not allowed, `r` and `d` stand. Of a
# pair, `P` splits, `p` splits where it may not surrender, and `.` is played as its total.
LETTERS = {
    "H": rules.HIT_BIT,
    "S": 0,
    "D": rules.DOUBLE_BIT | rules.HIT_BIT,
    "d": rules.DOUBLE_BIT,
    "R": rules.SURRENDER_BIT | rules.HIT_BIT,
    "r": rules.SURRENDER_BIT,
}
PAIR_LETTERS = {"P": rules.SPLIT_BIT, "p": rules.SPLIT_BIT | rules.SURRENDER_BIT, "R": rules.SURRENDER_BIT, ".": 0}
UP_VALUES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)  # the columns of a chart

# The parts of a chart: how many rows each has, and what may stand there.
CHART_PARTS = (
    ("hard", rules.TOTAL_HIGH - rules.HARD_LOW + 1, LETTERS),
    ("soft", rules.TOTAL_HIGH - rules.SOFT_LOW + 1, LETTERS),
    ("pairs", 10, PAIR_LETTERS),
)

POLICIES = ("basic", "never_bust", "mimic_dealer")


class Chart(Struct, frozen=True, forbid_unknown_fields=True):
    """A strategy as rows of letters, one for each up card from two to ten, then the ace: ours, or a player's own."""

    hard: tuple[str, ...]
    """Totals from 4 to 20."""
    soft: tuple[str, ...]
    """Totals from 12 to 20."""
    pairs: tuple[str, ...]
    """From aces to tens."""

    def __post_init__(self) -> None:
        for name, count, letters in CHART_PARTS:
            rows: tuple[str, ...] = getattr(self, name)
            if len(rows) != count:
                raise ValueError(f"{name} has {len(rows)} rows, and needs {count}")
            for place, row in enumerate(rows):
                if len(row) != len(UP_VALUES) or not set(row) <= letters.keys():
                    wanted = f"ten letters of {' '.join(letters)}, one for each up card from 2 to ace"
                    raise ValueError(f"{name}[{place}] is {row!r}, and a row is {wanted}")


class RoundValue(Struct, frozen=True, array_like=True):
    """Value of a round for a policy, natural at 3 to 2, per chip of the opening stake."""

    net: int
    staked: int
    """All the chips laid, raises included."""
    win: int
    """The chance that the opening stake wins."""
    push: int
    boosted: int
    """That chance without naturals, each hand weighed with its mean boost in super mode."""
    square: int
    """Of the net result, in `SQUARE_SCALE` parts, rounded up; where pairs are split it is at most this."""


class FirstValues(Struct, frozen=True):
    """Values of the first decision for those who have not peeked, in `SCALE` parts of the stake, where shipped."""

    hit: int | None
    """Of `packed.SMALL_HANDS`."""
    split: int | None
    """Where the cards are a pair below tens: by those who then follow the table, all hands together. After a peek, of
    what the dealer's natural leaves."""


class _Charts(Struct, frozen=True):
    hard: tuple[str, ...]
    soft: tuple[str, ...]
    pairs: dict[str, tuple[str, ...]]
    aces: dict[str, str]


class _Strategy(Struct, frozen=True):
    about: str
    charts: dict[str, _Charts]
    mimic_dealer: dict[str, RoundValue]


class _Splits(Struct, frozen=True):
    pairs: dict[str, tuple[int, ...]]
    aces: dict[str, tuple[int, ...]]


class _Values(Struct, frozen=True):
    basic: dict[str, dict[str, RoundValue]]
    never_bust: dict[str, dict[str, RoundValue]]
    hits: dict[str, dict[str, tuple[int, ...]]]
    splits: dict[str, _Splits]


# Keys: the decks, then a letter each for what the dealer does on soft 17 and whether there is a peek; and letters for
# the options about splits and surrender that are on.


def dealer_key(options: BlackjackOptions) -> str:
    """Return the key of what the dealer's hand depends on."""
    return f"{options.decks}{'h' if options.hit_soft_17 else 's'}"


def chart_key(options: BlackjackOptions) -> str:
    """Return the key of a chart."""
    return f"{dealer_key(options)}{'p' if options.peek else 'n'}"


def aces_key(options: BlackjackOptions) -> str:
    """Return the key of what split aces depend on: whether they may be hit, and then split again and doubled."""
    if not options.hit_split_aces:
        return ""
    return f"h{'r' if options.resplit_aces else ''}{pairs_key(options)}"


def pairs_key(options: BlackjackOptions) -> str:
    """Return the key of what other split pairs depend on."""
    return "d" if options.double_after_split else ""


def round_key(options: BlackjackOptions) -> str:
    """Return the key of a round."""
    return f"{aces_key(options) or pairs_key(options)}{'s' if options.surrender else ''}"


@cache
def _strategy() -> _Strategy:
    return msgspec.json.decode(_read("strategy.json"), type=_Strategy)


@cache
def _values() -> _Values:
    return msgspec.convert(read_values(_read("values.xz")), type=_Values)


def _read(name: str) -> bytes:
    return resources.files(__package__).joinpath("data", name).read_bytes()


def chart(options: BlackjackOptions) -> Chart:
    """Return the basic strategy for a table: best on the average of each total, pairs aside, with two cards.

    It has surrender on it whether or not the table offers that.

    >>> chart(BlackjackOptions()).hard[16 - 4]
    'SSSSSHHRRR'
    """
    found = _strategy().charts[chart_key(options)]
    pairs = (found.aces[aces_key(options)], *found.pairs[pairs_key(options)])
    return Chart(found.hard, found.soft, pairs)


@cache
def table_for(policy: str, options: BlackjackOptions) -> tuple[int, ...]:
    """Return a policy as the table that `rules.choose` reads.

    `basic` follows the chart. `never_bust` does so too, but stands on any hard total that could bust. `mimic_dealer`
    draws as the dealer does, and neither doubles nor splits.
    """
    table = [0] * rules.TABLE_SIZE
    if policy == "mimic_dealer":
        for up_value in range(1, 11):
            for soft, low in ((False, rules.HARD_LOW), (True, rules.SOFT_LOW)):
                for total in range(low, rules.TOTAL_HIGH + 1):
                    hits = rules.dealer_draws(total - 10 * soft, soft, options.hit_soft_17)
                    table[rules.total_cell(total, soft, up_value)] = rules.HIT_BIT if hits else 0
        return tuple(table)
    return chart_table(chart(options), never_bust=policy == "never_bust")


def chart_table(found: Chart, *, never_bust: bool = False) -> tuple[int, ...]:
    """Return a chart as the table that `rules.choose` reads; who never busts stands on any hard total from 12 on."""
    table = [0] * rules.TABLE_SIZE
    for column, up_value in enumerate(UP_VALUES):
        for total, row in enumerate(found.hard, rules.HARD_LOW):
            stands = never_bust and total >= 12
            table[rules.total_cell(total, False, up_value)] = 0 if stands else LETTERS[row[column]]
        for total, row in enumerate(found.soft, rules.SOFT_LOW):
            table[rules.total_cell(total, True, up_value)] = LETTERS[row[column]]
        for value, row in enumerate(found.pairs, 1):
            table[rules.pair_cell(value, up_value)] = PAIR_LETTERS[row[column]]
    return tuple(table)


def round_worth(policy: str, options: BlackjackOptions) -> RoundValue:
    """Return the expected result of a round for players who follow a policy."""
    if policy == "mimic_dealer":
        return _strategy().mimic_dealer[dealer_key(options)]
    of_policy: dict[str, dict[str, RoundValue]] = getattr(_values(), policy)
    return of_policy[chart_key(options)][round_key(options)]


def first_values(options: BlackjackOptions, low: int, high: int, up_value: int) -> FirstValues:
    """Return what is shipped of the first decision with cards of two values, the lower first.

    >>> first_values(BlackjackOptions(), 3, 3, 4).hit / SCALE
    -0.066793832971
    """
    found = _values()
    hits = found.hits[dealer_key(options)][""]
    splits = found.splits[chart_key(options)]
    hit = split = None
    if (low, high) in SMALL_HANDS:
        hit = hits[10 * SMALL_HANDS.index((low, high)) + up_value - 1]
    if low == high == 1:
        split = splits.aces[aces_key(options)][up_value - 1]
    elif low == high < 10:
        split = splits.pairs[pairs_key(options)][10 * (low - 2) + up_value - 1]
    return FirstValues(hit, split)
