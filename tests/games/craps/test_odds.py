"""The exact odds against published figures, and against second calculations that are written in another way."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod

import pytest

from croupier.games.craps import Craps, odds
from croupier.games.craps.bets import IDS
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules.prices import outlay_of
from croupier.house import OddsRow
from tests.games.craps.test_paytables import FIRE, HOT, RIDE
from tools.odds_checks import Checks

F = Fraction
POINTS = (4, 5, 6, 8, 9, 10)
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
TABLES = ("casino", "bitcraps", "nullspace")


@cache
def sheet(pay_table: str) -> dict[str, OddsRow]:
    return {row.bet: row for row in odds.odds(CrapsOptions(pay_table=pay_table))[:91]}  # type: ignore[arg-type]


@pytest.fixture
def agrees(checks: Checks) -> Callable[..., None]:
    """Compare a row with a second calculation: chances, each with what it then pays to 1; otherwise the bet loses."""

    def compare(bet: str, *paid: tuple[Fraction, Fraction | int], **options: object) -> None:
        chosen = Craps().read_options(options)
        found = [odds.bet_odds(IDS.index(bet), chosen)] if bet in IDS else odds.odds(chosen)
        row = next(row for row in found if (row.bet, row.policy) == (bet, "-"))
        checks("closed form", "craps", [row])
        assert row.win == sum(chance for chance, price in paid if price > 0)
        assert row.push == sum(chance for chance, price in paid if price == 0)
        assert row.edge == 1 - sum(chance * (1 + price) for chance, price in paid)

    return compare


# The whole list.


@pytest.mark.parametrize("pay_table", TABLES)
def test_all_ninety_one_bets_are_listed_by_id_and_name_refused_ones_as_refused(pay_table):
    rows = odds.odds(CrapsOptions(pay_table=pay_table))

    assert [(row.id, row.bet) for row in rows[:91]] == list(enumerate(IDS))
    refused = {row.bet for row in rows if row.refused}
    assert refused == (set() if pay_table == "casino" else {"hop:1-1", "hop:1-2", "hop:5-6", "hop:6-6"})
    for row in rows:
        assert row.id is not None or row in rows[91:]
        if not row.refused:
            assert row.win + row.push + row.lose == 1
            assert row.method == "exact"
    assert rows[64].refused == (pay_table != "casino")
    if pay_table != "casino":
        assert rows[64].plain() == {"bet": "hop:1-1", "policy": "-", "id": 64, "refused": True}


def test_other_modes_and_odds_by_number_follow():
    more = [(row.bet, row.policy) for row in odds.odds(CrapsOptions())[91:]]
    numbers = (2, 3, *POINTS, 11, 12)
    wanted = [(f"buy:{number}", "-") for number in numbers] + [(f"lose:{number}", "-") for number in POINTS]
    wanted += [(bet, f"on_{number}") for bet in IDS[29:33] for number in POINTS]
    wanted += [(bet, f"{size}_odds") for size in ("single", "double", "full") for bet in ("pass", "dont_pass")]
    assert more == wanted


# Published figures.


@pytest.mark.parametrize("pay_table", TABLES)
def test_a_price_list_has_what_the_ends_of_every_bet_return(pay_table):
    options = CrapsOptions(pay_table=pay_table)
    book = book_of(options).prices
    for bet, listed in odds.price_list(options).items():  # by one way to each, the ends by all with their chances
        if bet in IDS and not bet.startswith("odds_"):
            outlay = outlay_of(number := IDS.index(bet), odds.STAKE, book)
            assert {F(chips, outlay) for chips, _, _ in odds._ends(number, 0, 0, book)} == {*listed}, bet


@pytest.mark.parametrize(
    ("bet", "pay_table", "exact"),
    [
        ("pass", "casino", F(7, 495)), ("come", "casino", F(7, 495)), ("dont_pass", "casino", F(3, 220)),
        ("dont_come", "casino", F(3, 220)), ("field", "casino", F(1, 18)), ("next:7", "casino", F(1, 6)),
        ("field", "nullspace", F(1, 36)), ("hard:4", "nullspace", F(1, 9)), ("hard:10", "casino", F(1, 9)),
        ("hard:6", "nullspace", F(1, 11)), ("hard:8", "casino", F(1, 11)), ("muggsy", "nullspace", F(1, 18)),
        ("muggsy", "casino", F(1, 18)), ("any_craps", "casino", F(1, 9)), ("big:6", "casino", F(1, 11)),
    ],
)  # fmt: skip
def test_exact_reference_values(bet, pay_table, exact, checks):
    checks("published", "craps", [sheet(pay_table)[bet]])
    assert sheet(pay_table)[bet].edge == exact


@pytest.mark.parametrize(
    ("bet", "percent"),
    [
        ("fire", "20.7628"), ("bonus_small", "18.3029"), ("bonus_tall", "18.3029"), ("bonus_all", "20.6087"),
        ("different_doubles", "27.9221"), ("ride_line", "10.2127"), ("replay", "24.8064"), ("hot_roller", "7.5003"),
        *((f"yes:{n}", text) for n, text in {2: "0.857", 3: "0.750", 4: "0.667", 5: "0.600", 6: "0.545", 8: "0.545",
                                             9: "0.600", 10: "0.667", 11: "0.750", 12: "0.857"}.items()),
        *((f"no:{n}", text) for n, text in {2: "0.143", 3: "0.250", 4: "0.333", 5: "0.400", 6: "0.455", 8: "0.455",
                                            9: "0.400", 10: "0.333", 11: "0.250", 12: "0.143"}.items()),
        *((f"next:{n}", text) for n, text in {2: "0.972", 3: "0.944", 4: "0.917", 5: "0.889", 6: "3.611", 7: "0.833",
                                              8: "3.611", 9: "0.889", 10: "0.917", 11: "0.944", 12: "0.972"}.items()),
    ],
)  # fmt: skip
def test_published_figures_of_the_house_game(bet, percent, checks):
    checks("published", "craps", [sheet("nullspace")[bet]])
    digits = len(percent.partition(".")[2])
    assert f"{100 * float(sheet('nullspace')[bet].edge):.{digits}f}" == percent


def test_published_chances_of_the_house_game():
    assert f"{float(sheet('nullspace')['bonus_small'].win):.7f}" == "0.0263539"
    assert f"{float(sheet('nullspace')['bonus_all'].win):.7f}" == "0.0052577"


def test_odds_are_worth_nothing_to_the_house_and_bitcraps_gives_some_away(checks):
    for pay_table in ("casino", "nullspace"):
        rows = odds.odds(CrapsOptions(pay_table=pay_table))
        fair = [row for row in rows if row.bet.startswith("odds")]
        assert {row.edge for row in fair} == {F(0)}
        checks("closed form", "craps", fair)
    rows = odds.odds(CrapsOptions(pay_table="bitcraps"))
    found = {(row.bet, row.policy): row.edge for row in rows}
    checks("closed form", "craps", [row for row in rows if row.policy.startswith("on_")])
    for bet in ("odds_dont_pass", "odds_dont_come"):
        assert [found[bet, f"on_{number}"] for number in POINTS] == [0, F(-1, 500), F(1, 550), F(1, 550), F(-1, 500), 0]
    assert {bet for (bet, _), edge in found.items() if edge < 0} == {
        "ride_line", "different_doubles", "odds_dont_pass", "odds_dont_come",
    }  # fmt: skip


# Second calculations, one a family: closed forms, and recursions over what is left.


def test_bets_on_a_number_before_a_seven(agrees):
    for number in (2, 3, *POINTS, 11, 12):
        ways = WAYS[number]
        win = F(ways, ways + 6)
        place = {1: F(11, 2), 2: F(11, 4), 3: F(9, 5), 4: F(7, 5), 5: F(7, 6)}[ways]
        true = F(6, ways)
        agrees(f"yes:{number}", (win, place))
        agrees(f"no:{number}", (1 - win, F(19, 20) / true))
        agrees(f"buy:{number}", (win, true - F(1, 20)))
        if ways > 2:
            agrees(f"lose:{number}", (1 - win, {3: F(5, 11), 4: F(5, 8), 5: F(4, 5)}[ways]))
        agrees(f"buy:{number}", (win, (1 + true) / F(21, 20) - 1), vig="upfront")
        agrees(f"no:{number}", (1 - win, (1 + 1 / true) / (1 + 1 / true / 20) - 1), vig="upfront")


def test_one_roll_bets_by_their_ways(agrees):
    prices: dict[str, tuple[int, int | Fraction]]
    prices = {"next:2": (1, 30), "next:3": (2, 15), "next:4": (3, 10), "next:5": (4, 7), "next:6": (5, F(11, 2))}
    prices |= {"hop:2-2": (1, 30), "hop:2-3": (2, 15), "any_craps": (4, 7)}
    for bet, (ways, price) in prices.items():
        agrees(bet, (F(ways, 36), price))
    for bet, parts, paid in (
        ("horn", 4, {31: 2, 16: 4}),
        ("world", 5, {31: 2, 16: 4, 5: 6}),
        ("c_and_e", 2, {8: 4, 16: 2}),
    ):
        agrees(bet, *((F(ways, 36), F(returned, parts) - 1) for returned, ways in paid.items()))
    for total, price in {2: 3430, 3: 1666, 4: 1078, 5: 784, 6: 608, 7: 490}.items():
        agrees(f"next:{total}", (F(WAYS[total], 36), F(price, 100)), pay_table="bitcraps")


def test_repeaters_are_runs_of_a_number_before_a_seven(agrees):
    for total, price in {2: 40, 3: 50, 4: 65, 5: 80, 6: 90}.items():
        win = F(WAYS[total], WAYS[total] + 6) ** (WAYS[total] + 1)
        for other in (total, 14 - total):
            agrees(f"repeater:{other}", (win, price))
            agrees(f"repeater:{other}", (win, price - 1), repeater="repeater-for-one")


@cache
def all_before_seven(missing: frozenset[int]) -> Fraction:
    """The chance that every missing total falls before a 7."""
    if not missing:
        return F(1)
    whole = sum(WAYS[total] for total in missing) + 6
    return sum((F(WAYS[total], whole) * all_before_seven(missing - {total}) for total in missing), F(0))


def test_bonus_bets_by_the_totals_that_are_missing(agrees):
    for bet, totals, pays, classic in (("bonus_small", range(2, 7), 30, 34), ("bonus_tall", range(8, 13), 30, 34),
                                       ("bonus_all", [*range(2, 7), *range(8, 13)], 150, 175)):  # fmt: skip
        win = all_before_seven(frozenset(totals))
        agrees(bet, (win, pays))
        agrees(bet, (win, classic), bonus="bonus-classic")


def test_different_doubles_by_inclusion_and_exclusion(agrees):
    """k certain doubles and no others before a 7, of six or of five that count."""
    for pay_table, kinds, pays in (("casino", 6, {3: 4, 4: 8, 5: 15, 6: 100}),
                                   ("bitcraps", 5, {2: 6, 3: 25, 4: 100, 5: 250})):  # fmt: skip
        paid = []
        for count, price in pays.items():
            # Given that only these doubles may fall, the 7 beats the others: sum over those that also stay away.
            exactly = sum(
                (-1) ** away * comb(count, away) * F(6, 6 + kinds - (count - away)) for away in range(count + 1)
            )
            paid.append((comb(kinds, count) * exactly, price))
        agrees("different_doubles", *paid, pay_table=pay_table)


def test_twice_hard_by_iterating_over_which_hardways_were_thrown_hard_last(checks):
    """Values of the 16 sets, improved until they stand still: every round keeps at most 30/36 of the error."""
    states = [
        frozenset(n for n, taken in zip((4, 6, 8, 10), mask, strict=True) if taken)
        for mask in product((0, 1), repeat=4)
    ]
    value = dict.fromkeys(states, 0.0)
    for _ in range(250):
        value = {state: _twice_hard(state, value) for state in states}
    assert abs(value[frozenset()] - float(sheet("casino")["twice_hard"].win)) < 1e-12
    for pay_table, pays in (("casino", 15), ("bitcraps", 6)):
        row = sheet(pay_table)["twice_hard"]
        assert row.edge == 1 - (1 + pays) * row.win
        assert row.win == sheet("casino")["twice_hard"].win
        checks("model", "craps", [row])


def _twice_hard(once: frozenset[int], value: dict[frozenset[int], float]) -> float:
    total = 0.0
    for die1, die2 in product(range(1, 7), repeat=2):
        number = die1 + die2
        if number in (4, 6, 8, 10) and die1 == die2:
            total += 1 if number in once else value[once | {number}]
        elif number != 7:
            total += value[once - {number}]
    return total / 36


# Bets on a hand: a point cycle ends with its point made, p[n], or with the seven-out, q.

MADE = {number: F(WAYS[number], 24) * F(WAYS[number], WAYS[number] + 6) for number in POINTS}
SEVEN_OUT = 1 - sum(MADE.values(), F(0))


def tiers(prices: tuple[int | None, ...]) -> list[tuple[int, int]]:
    """Return what counts pay to 1 that pay anything, of a row of the published tables."""
    return [(count, price) for count, price in enumerate(prices) if price is not None]


def fire_counts(made: tuple[int, ...] = ()) -> dict[int, Fraction]:
    """The chances that a hand which has made some points ends with so many different ones.

    A hand makes no point but those of a set with the chance q / (1 - the chances of the set); by inclusion and
    exclusion, exactly those of a set.
    """
    counts = dict.fromkeys(range(7), F(0))
    others = [number for number in POINTS if number not in made]
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            for inner in range(size + 1):
                for some in combinations(more, inner):
                    within = SEVEN_OUT / (1 - sum((MADE[number] for number in (*made, *some)), F(0)))
                    counts[len(made) + size] += (-1) ** (size - inner) * within
    assert sum(counts.values()) == 1
    return counts


def test_fire_by_inclusion_and_exclusion_over_the_points(agrees):
    counts = fire_counts()
    for variant, pays in FIRE.items():
        agrees("fire", *((counts[count], price) for count, price in tiers(pays)), fire=variant)


@pytest.mark.parametrize("variant", RIDE)
def test_ride_the_line_counts_wins_before_the_seven_out(variant, agrees):
    natural, point = F(8, 36), F(24, 36)
    win = (natural + point * (1 - SEVEN_OUT)) / (natural + point)
    assert f"{float(win):.6f}" == "0.554545"  # published
    chances = {count: win**count * (1 - win) for count in range(11)} | {11: win**11}
    agrees("ride_line", *((chances[count], pays) for count, pays in tiers(RIDE[variant])), ride=variant)


REPLAY = {
    "casino": {4: [120, 1000], 5: [95, 500], 6: [70, 100], 8: [70, 100], 9: [95, 500], 10: [120, 1000]},
    "bitcraps": {number: [10, 25, 50] for number in POINTS},
}
"""Prices of the third, the fourth and more times, by point."""


def made_at_most(bounds: dict[int, int]) -> Fraction:
    """The chance that no point is made more often than its bound, summed over all that is allowed.

    A point without a bound may be made as often as it likes: its cycles are left out of account.
    """
    counted = SEVEN_OUT + sum((MADE[number] for number in bounds), F(0))
    found = F(0)
    for times in product(*(range(bound + 1) for bound in bounds.values())):
        orders = factorial(sum(times)) // prod(map(factorial, times))
        chances = [(MADE[number] / counted) ** count for number, count in zip(bounds, times, strict=True)]
        found += orders * prod(chances, start=F(1))
    return found * SEVEN_OUT / counted


def replay_chances(pay_table: str, made: tuple[int, ...] = (0,) * 6) -> list[tuple[Fraction, int]]:
    """The prizes of Replay with their chances, from a hand that has made each point so often."""
    tiers, found, below = REPLAY[pay_table], [], F(1)
    for level in sorted({price for prices in tiers.values() for price in prices}, reverse=True):
        # No point pays so much: each is made twice, and once more for every tier that pays less.
        bounds = {
            number: 2 + sum(price < level for price in tiers[number]) - count
            for number, count in zip(POINTS, made, strict=True)
            if tiers[number][-1] >= level
        }
        reached, below = below, made_at_most(bounds)
        found.append((reached - below, level))
    return found


@pytest.mark.parametrize("pay_table", REPLAY)
def test_replay_by_how_often_each_point_may_be_made(pay_table, agrees):
    agrees("replay", *replay_chances(pay_table), pay_table=pay_table)


def test_the_hot_roller_by_streak_and_by_the_length_of_the_hand(agrees):
    streaks = {count: (1 - SEVEN_OUT) ** count * SEVEN_OUT for count in range(6)} | {6: (1 - SEVEN_OUT) ** 6}
    lengths = hand_lengths(50)
    rolls = lengths | {51: 1 - sum(lengths.values(), F(0))}
    counts = {"streak": streaks, "rolls": rolls, "bitcraps": rolls}
    for rule, rows in HOT.items():
        paid = [
            (chance, price)
            for count, chance in counts[rule].items()
            for low, high, price in rows
            if low <= count <= high and price is not None
        ]
        agrees("hot_roller", *paid, hot_roller=rule)


def hand_lengths(most: int) -> dict[int, Fraction]:
    """The chance that a hand has so many rolls, the seven-out included."""
    at = {0: F(1)} | dict.fromkeys(POINTS, F(0))
    found = {}
    for count in range(1, most + 1):
        after = dict.fromkeys(at, F(0))
        out = F(0)
        for point, chance in at.items():
            for total, ways in WAYS.items():
                share = chance * F(ways, 36)
                if point and total == 7:
                    out += share
                elif point:
                    after[0 if total == point else point] += share
                else:
                    after[total if total in POINTS else 0] += share
        found[count], at = out, after
    return found


def test_a_hand_lasts_eight_and_a_half_rolls():
    """1671/196, the published mean: the lengths above add up to it as far as they go."""
    lengths = hand_lengths(400)
    assert abs(float(sum(count * chance for count, chance in lengths.items())) - 1671 / 196) < 1e-12


def test_the_hot_roller_by_ways_with_clocks_instead_of_rolls(agrees):
    """Let every pair of dice ring by its own clock, and 7 by another: until that rings the pairs are independent.

    With x = exp(-t) a pair with w ways has been seen with chance 1 - x^w, and the mean of x^k when the 7 rings is
    6 / (6 + k). So the number of finished points is a polynomial in x.
    """
    counts: list[dict[int, Fraction]] = [{0: F(1)}]
    for number in POINTS:
        done = {0: F(1)}
        for ways in [2 if low != number - low else 1 for low in range(1, 7) if low <= number - low <= 6]:
            done = _plus(done, {power + ways: -value for power, value in done.items()})
        missing = _plus({0: F(1)}, {power: -value for power, value in done.items()})
        grown = [_times(entry, missing) for entry in counts] + [{}]
        for place, entry in enumerate(counts):
            grown[place + 1] = _plus(grown[place + 1], _times(entry, done))
        counts = grown
    chances = [sum((value * F(6, 6 + power) for power, value in entry.items()), F(0)) for entry in counts]
    assert sum(chances) == 1
    agrees("hot_roller", *zip(chances[2:], (5, 10, 20, 50, 200), strict=True), hot_roller="ways")


def _plus(first: dict[int, Fraction], second: dict[int, Fraction]) -> dict[int, Fraction]:
    return {power: first.get(power, F(0)) + second.get(power, F(0)) for power in {*first, *second}}


def _times(first: dict[int, Fraction], second: dict[int, Fraction]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for (a, x), (b, y) in product(first.items(), second.items()):
        found[a + b] = found.get(a + b, F(0)) + x * y
    return found


def test_muggsy_lives_one_roll_or_two(agrees):
    agrees("muggsy", (F(6, 36), 2), (F(24, 36) * F(6, 36), 3))
    agrees("muggsy", (F(6, 36) * F(24, 36), 2), pay_table="bitcraps")


# Full odds and super mode.


LAID = {4: F(50, 100), 5: F(67, 100), 6: F(83, 100), 8: F(83, 100), 9: F(67, 100), 10: F(50, 100)}  # by bitcraps


@pytest.mark.parametrize(
    "plan",
    [{}, {"odds_plan": "single"}, {"odds_plan": "double"}, {"odds_plan": "10x"}, {"pay_table": "bitcraps"}],
    ids=str,
)
def test_odds_cost_nothing_and_spread_the_edge_of_the_line_over_more_chips(plan, checks):
    """Behind a point n lie m chips a chip of the line; against it as many as win m: they are laid at 6 to its ways.

    Bitcraps pays those by hundredths, which costs a little or gives some away.
    """
    most = {"single": dict.fromkeys(POINTS, 1), "double": dict.fromkeys(POINTS, 2), "10x": dict.fromkeys(POINTS, 10)}
    full = most.get(plan.get("odds_plan", ""), {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3})
    rows = {(row.bet, row.policy): row for row in odds.odds(Craps().read_options(plan))}
    pays = LAID if plan.get("pay_table") == "bitcraps" else {number: F(WAYS[number], 6) for number in POINTS}
    laid_edge = {number: 1 - F(6, WAYS[number] + 6) * (1 + pays[number]) for number in POINTS}
    for bet in ("odds_dont_pass", "odds_dont_come"):
        assert rows[bet, "-"].edge == sum(F(WAYS[number], 24) * laid_edge[number] for number in POINTS)
        checks("closed form", "craps", [rows[bet, "-"]])
    for policy, wanted in (("single_odds", 1), ("double_odds", 2), ("full_odds", 99)):
        chips = {number: min(wanted, full[number]) for number in POINTS}
        light = 1 + sum(F(WAYS[number], 36) * chips[number] for number in POINTS)
        laid = {number: F(WAYS[number], 36) * chips[number] * F(6, WAYS[number]) for number in POINTS}
        dark_edge = F(3, 220) + sum(laid[number] * laid_edge[number] for number in POINTS)
        assert rows["pass", policy].edge_per_chip == F(7, 495) / light
        assert rows["dont_pass", policy].edge_per_chip == dark_edge / (1 + sum(laid.values()))
        assert (rows["pass", policy].edge, rows["dont_pass", policy].edge) == (F(7, 495), dark_edge)
        checks("closed form", "craps", [rows["pass", policy], rows["dont_pass", policy]])


def test_full_odds_cost_what_is_published_for_three_four_five(checks):
    """0.374 % and 0.273 % of all chips, the figures printed for tables with these odds."""
    rows = {(row.bet, row.policy): row for row in odds.odds(CrapsOptions())}
    light, dark = rows["pass", "full_odds"], rows["dont_pass", "full_odds"]
    assert (light.edge, dark.edge) == (F(7, 495), F(3, 220))
    checks("published", "craps", [light, dark])
    assert f"{100 * float(light.edge_per_chip):.3f}" == "0.374"
    assert f"{100 * float(dark.edge_per_chip):.3f}" == "0.273"
    single = {(row.bet, row.policy): row for row in odds.odds(CrapsOptions(odds_plan="single"))}
    assert f"{100 * float(single['pass', 'full_odds'].edge_per_chip):.3f}" == "0.848"


def test_super_mode_costs_between_half_a_percent_and_the_edge_plus_fifteen_points(checks):
    (row,) = odds.super_odds(CrapsOptions())
    checks("model", "craps", [row], super_mode=True)
    lit = dict.fromkeys(POINTS, F(0))
    for first, second, third in product(range(6), range(5), range(4)):
        numbers = list(POINTS)
        for place, step in enumerate((first, second, third)):
            numbers[place], numbers[place + step] = numbers[place + step], numbers[place]
        chance = prod(F(len(range(step, 256, 6 - place)), 256) for place, step in enumerate((first, second, third)))
        for number in numbers[:3]:
            lit[number] += chance
    usual = {4: 7, 5: 4, 6: 2, 8: 2, 9: 4, 10: 7}
    boost = sum(
        F(WAYS[n], 36) * F(WAYS[n], WAYS[n] + 6) * lit[n] * (F(49, 50) * F(usual[n] - 1, 2) + F(1, 50) * 7)
        for n in POINTS
    )
    assert lit == odds.lit_chances()
    assert row.edge == F(7, 495) + F(1, 5) - boost
    assert row.edge_per_chip == row.edge / F(6, 5)
    assert F(1, 200) <= row.edge_per_chip <= F(7, 495) + F(15, 100)
    assert F(1, 200) <= row.edge <= F(7, 495) + F(15, 100)
    assert (row.bet, f"{100 * float(row.edge):.4f}", f"{100 * float(row.edge_per_chip):.4f}") == (
        "pass",
        "1.7294",
        "1.4412",
    )
