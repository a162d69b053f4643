"""Roulette at the table: what each bet brings back, zero, super mode, the log and the layout."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from croupier.engine import act, chance_outcomes, legal_actions
from croupier.engine.chance import ScriptedRng
from croupier.games.roulette.options import ZERO_RULES
from croupier.house import generate_super_multipliers
from croupier.testing import batch, laid, place, returned
from tests.games.roulette.facts import EVEN_MONEY, KIT, SPIN, spun, start

GAME, do, refusal, shown = KIT.game, KIT.do, KIT.refusal, KIT.shown
SUPER: dict[str, Any] = {"super_mode": True, "session_id": 7}


# The spin.


@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_all_pockets_are_equally_likely(zero_rule):
    count = 38 if zero_rule == "double_zero" else 37
    outcomes = chance_outcomes(GAME, do(start(zero_rule), place("dozen:1", 1)), SPIN)

    assert [outcome.state.game.pockets for outcome in outcomes] == [(pocket,) for pocket in range(count)]
    assert {outcome.chance.denominator for outcome in outcomes} == {count}


# Zero.


@pytest.mark.parametrize(
    ("zero_rule", "pockets", "expected"),
    [
        ("standard", (0,), 0),
        ("double_zero", (0,), 0),
        ("double_zero", (37,), 0),
        ("la_partage", (0,), 50),
        ("en_prison", (0, 1), 101),
        ("en_prison", (0, 0), 0),
        ("en_prison_repeat", (0, 1), 101),
        ("en_prison_repeat", (0, 0, 0, 1), 101),
        ("en_prison_repeat", (0, 0, 1), 101),
    ],
)
def test_zero_takes_halves_or_imprisons_even_money_bets(zero_rule, pockets, expected):
    """The last pocket is zero, the double zero, or one that frees half of the imprisoned bets."""
    for bet in EVEN_MONEY:
        match = spun({bet: 101}, *pockets, zero_rule=zero_rule)
        assert (match.status, match.game.pockets) == ("finished", pockets)
        freed = expected != 101 or bet in ("red", "odd", "low")
        assert returned(match) == {bet: expected if freed else 0}


def test_zero_imprisons_even_money_bets_and_settles_the_others():
    match = spun({"red": 100, "straight:0": 10, "dozen:1": 5, "high": 20}, 0, zero_rule="en_prison")

    assert match.turn.phase == "prison"
    assert returned(match) == {"straight:0": 360, "dozen:1": 0}
    assert laid(match) == [("red", 100), ("high", 20)]
    assert [action.type for action in legal_actions(GAME, match)] == ["spin"]

    match = do(match, SPIN, rng=ScriptedRng([12]))

    assert returned(match) == {"straight:0": 360, "dozen:1": 0, "red": 100, "high": 0}
    assert match.game.money.returned == 460


def test_a_round_without_even_money_bets_ends_with_zero():
    assert spun({"straight:0": 10, "dozen:1": 5}, 0, zero_rule="en_prison").status == "finished"


# Super mode.


def test_the_lit_numbers_are_the_published_ones_and_shown_with_the_result():
    """Published: session 7 lights these, and its second move spins 27."""
    match, lit = start(**SUPER), generate_super_multipliers(GAME, KIT.seed, 7)
    assert [(entry.id, entry.multiplier) for entry in lit] == [(26, 400), (27, 50), (6, 100), (34, 150), (20, 50)]

    match = do(match, place("straight:27", 100))
    assert match.game.lit == ()
    match = do(match, SPIN)

    assert match.game.pockets == (27,)
    assert match.game.lit == lit
    assert returned(match) == {"straight:27": 5100}
    assert match.game.money.fees == 20


@pytest.mark.parametrize(
    ("pocket", "bets", "expected"),
    [
        # Not lit, so that a number pays 30 to 1; and lit 400 times. Other bets have their price.
        (17, {"straight:17": 5, "black": 7, "split:17-18": 1, "straight:16": 5}, [155, 14, 18, 0]),
        (26, {"straight:26": 5, "black": 7, "split:25-26": 1}, [2005, 14, 18]),
    ],
)
def test_a_number_pays_its_multiplier_or_thirty_and_the_others_nothing_more(pocket, bets, expected):
    match = spun(bets, pocket, **SUPER)

    assert list(returned(match).values()) == expected
    assert match.game.money.fees == sum(stake // 5 for bet, stake in bets.items() if bet.startswith("straight"))


def test_the_double_zero_costs_no_fee_and_is_not_boosted():
    match = do(
        start("double_zero", super_mode=True), place("straight:17", 25), place("red", 7), place("straight:00", 3)
    )

    assert match.game.money.fees == 5
    assert [stake.boosted for stake in match.game.money.open] == [True, False, False]
    match = do(match, SPIN, rng=ScriptedRng([37]))
    assert returned(match) == {"straight:17": 0, "red": 0, "straight:00": 108}


def test_imprisoned_bets_are_not_boosted():
    match = spun({"red": 7, "straight:0": 5}, 0, zero_rule="en_prison", **SUPER)
    assert returned(match) == {"straight:0": 155}
    assert match.game.lit  # the number was settled, so they are shown

    match = do(match, SPIN, rng=ScriptedRng([27]))

    assert returned(match) == {"straight:0": 155, "red": 7}


@pytest.mark.parametrize(("bet", "most"), [("straight:17", 40100), ("red", 200), ("split:1-2", 1800), ("dozen:1", 300)])
def test_the_most_a_bet_returns_is_declared(bet, most):
    (stake,) = do(start(super_mode=True), place(bet, 100)).game.money.open

    assert stake.most == most
    assert do(start(), place("straight:17", 100)).game.money.open[0].most == 3600


# Around the table.


def test_an_abandoned_prison_is_spun_to_its_end():
    match = spun({"red": 100}, 0, zero_rule="en_prison")
    assert do(match, act("time_out"), rng=ScriptedRng([1])).game.money.returned == 100


def test_the_log_tells_where_the_ball_fell():
    imprisoned = spun({"red": 100}, 0, zero_rule="en_prison")
    bets = batch({"red": 5})

    assert KIT.told(do(start("en_prison"), place("red", 100)), SPIN, ScriptedRng([0])).startswith(
        "the ball falls into 0"
    )
    assert KIT.told(imprisoned, SPIN, ScriptedRng([1])).startswith("the ball falls into 1 red")
    lost = KIT.told(start("double_zero"), bets, ScriptedRng([37]))
    assert (lost[:22], lost[-6:]) == ("the ball falls into 00", "lost 5")


def test_the_layout_shows_where_the_chips_lie():
    bets = {"straight:17": 5, "split:0-2": 1, "corner:25-26-28-29": 1, "red": 10, "dozen:3": 2, "column:1": 2}

    assert shown(do(start(), *(place(bet, stake) for bet, stake in bets.items()))) == [
        "      │  3   6   9  12  15  18  21  24  27  30  33  36 │ column:3",
        "    0○│  2○  5   8  11  14  17● 20  23  26○ 29○ 32  35 │ column:2",
        "      │  1   4   7  10  13  16  19  22  25○ 28○ 31  34 │ column:1 ●",
        "      │   dozen:1     │   dozen:2     │   dozen:3 ●    │",
        "      │ low   │even   │ red ● │black  │ odd   │high    │",
        "  ● chips on the number   ○ on a bet that shares it with others",
        "  straight:17                 5  open",
        "  split:0-2                   1  open",
        "  corner:25-26-28-29          1  open",
        "  red                        10  open",
        "  dozen:3                     2  open",
        "  column:1                    2  open",
    ]


def test_the_layout_of_the_double_zero_wheel_has_both_zeros():
    rows = shown(do(start("double_zero"), place("straight:00", 1)))

    assert [row[:7] for row in rows[:3]] == ["   00●│", "      │", "    0 │"]


def test_the_layout_marks_what_won():
    match = spun({"red": 10}, 32)

    marked = re.findall(r"\[bold reverse[a-z ]*\] *([a-z0-9:]+)", "\n".join(KIT.rendered(match)))
    assert marked == ["32", "column:2", "dozen:3", "even", "red", "high"]
    assert "  The ball fell into 32 red." in shown(match)


def test_the_layout_tells_of_prison():
    rows = shown(spun({"red": 10}, 0, zero_rule="en_prison"))

    assert "  The bets that are left are imprisoned: the next spin frees or takes them." in rows
    assert "imprisoned" not in "".join(shown(spun({"red": 10}, 0, 1, zero_rule="en_prison")))
    assert "  The ball fell into 0, then 1 red." in shown(spun({"red": 10}, 0, 1, zero_rule="en_prison"))


def test_a_full_layout_fits_eighty_columns():
    bets = dict.fromkeys([f"straight:{number}" for number in range(10)] + [*EVEN_MONEY, "corner:1-2-4-5"], 10_000)
    for zero_rule, pocket, super_mode in product(("standard", "double_zero"), (0, 17), (False, True)):
        assert max(map(len, shown(spun(bets, pocket, zero_rule=zero_rule, super_mode=super_mode)))) <= 80
