"""Sic bo at the table: what each bet brings back, super mode, the log and the table."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from croupier.engine import chance_outcomes
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import PAY_TABLES
from croupier.house import generate_super_multipliers
from croupier.testing import batch, place, returned
from tests.games.sic_bo.facts import ATLANTIC_CITY, KIT, ROLL, dice, rolled
from tests.games.sic_bo.test_rules import oracle_profit

GAME, start, do, shown = KIT.game, KIT.start, KIT.do, KIT.shown


# The roll.


@pytest.mark.parametrize("pay_table", PAY_TABLES)
def test_ten_chips_on_every_bet_bring_back_what_the_second_calculation_says(pay_table):
    for faces, first in product(combinations_with_replacement(range(1, 7), 3), range(0, len(BETS), 20)):
        names = list(BETS)[first : first + 20]
        match = rolled(dict.fromkeys(names, 10), *faces, options={"pay_table": pay_table})
        won = {bet: oracle_profit(bet, faces, PAY_TABLES.index(pay_table)) for bet in names}
        assert match.game.dice == faces
        assert returned(match) == {bet: 10 + 10 * times if times else 0 for bet, times in won.items()}


def test_all_rolls_are_equally_likely():
    outcomes = chance_outcomes(GAME, do(start(), place("small", 1)), ROLL)

    assert {outcome.state.game.dice for outcome in outcomes} == set(product(range(1, 7), repeat=3))
    assert {outcome.chance.denominator for outcome in outcomes} == {216}


# Super mode.


def test_the_lit_totals_are_the_published_ones_and_shown_with_the_result():
    """Published: session 4 lights 10, 16 and 14, and its first move rolls 6, 4, 4."""
    match = start(super_mode=True, session_id=4)
    lit = generate_super_multipliers(GAME, KIT.seed, 4)
    assert [(entry.id, entry.multiplier) for entry in lit] == [(10, 3), (16, 17), (14, 6)]
    assert do(match, place("total:14", 100)).game.lit == ()

    match = do(match, batch({"total:14": 100, "double:4": 10, "total:9": 50}))

    assert match.game.dice == (6, 4, 4)
    assert match.game.lit == lit
    # 12 to 1 times 1 + 5/10; the double is not boosted, nor did it cost a fee.
    assert returned(match) == {"total:14": 1900, "double:4": 90, "total:9": 0}
    assert match.game.money.fees == 30


def test_an_unlit_total_pays_its_price():
    assert returned(rolled({"total:9": 100}, 4, 4, 1, super_mode=True, session_id=4)) == {"total:9": 700}


def test_chips_laid_in_parts_are_paid_their_boost_together():
    """Five and five on 6 at 17 to 1, lit with 30: 331.5 of profit each, and 663 together."""
    session_id = next(
        number
        for number in range(10_000)
        if (6, 30) in [(lit.id, lit.multiplier) for lit in generate_super_multipliers(GAME, KIT.seed, number)]
    )
    match = start(super_mode=True, options=ATLANTIC_CITY, session_id=session_id)

    match = do(do(match, place("total:6", 5), place("total:6", 5)), ROLL, rng=dice(1, 2, 3))

    assert returned(match) == {"total:6": 673}


def test_no_bet_returns_more_than_was_declared():
    for bet, super_mode in product(("small", "single:2", "total:9", "total:10", "hard_hop:4-4-1"), (False, True)):
        (stake,) = do(start(super_mode=super_mode), place(bet, 100)).game.money.open
        boost = {"total:9": 39, "total:10": 12}.get(bet, 10) if super_mode else 10
        pays = {"small": 1, "single:2": 3, "total:9": 6, "total:10": 6, "hard_hop:4-4-1": 50}[bet]
        assert stake.most == 100 + 100 * pays * boost // 10


# The log.


def test_the_log_of_a_super_session_names_what_was_lit():
    assert KIT.told(start(super_mode=True, session_id=4), batch({"total:14": 100})) == (
        "the dice show 6 4 4: 14, big and even; total:14 pays 1,800 (12 to 1, boosted by a lit ×6); won 1800"
    )


def test_the_table_shows_the_prices_and_where_the_chips_lie():
    assert shown(
        do(start(), place("small", 10), place("total:9", 5), place("single:4", 1), place("domino:1-4", 2))
    ) == [
        "  small 1 ●    big 1      odd 1      even 1      any_triple 24    (to 1)",
        "",
        "  total      3   4   5   6   7   8   9● 10  11  12  13  14  15  16  17  18",
        "  pays     180  50  18  14  12   8   6   6   6   6   8  12  14  18  50 180",
        "",
        "  single     1   2   3   4●  5   6   pays 1, 2 or 3, as many as show it",
        "  double     1   2   3   4   5   6   pays 8",
        "  triple     1   2   3   4   5   6   pays 150",
        "",
        "  domino 5 ●   easy_hop 30     hard_hop 50     four_faces 7",
        "",
        "  small                      10  open",
        "  total:9                     5  open",
        "  single:4                    1  open",
        "  domino:1-4                  2  open",
    ]


def test_the_table_shows_the_dice_and_what_they_add_up_to():
    rows = shown(rolled({"small": 10}, 4, 1, 4))

    assert rows[-7:] == [
        "  ╭───────╮ ╭───────╮ ╭───────╮",
        "  │ ●   ● │ │       │ │ ●   ● │",
        "  │       │ │   ●   │ │       │   9, small and odd",
        "  │ ●   ● │ │       │ │ ●   ● │",
        "  ╰───────╯ ╰───────╯ ╰───────╯",
        "",
        "  small                      10  returned 20",
    ]
    assert max(map(len, rows)) <= 80


def test_the_table_of_atlantic_city_shows_its_prices():
    assert "  pays     180  60  30  17  12   8   6   6   6   6   8  12  17  30  60 180" in shown(
        start(options=ATLANTIC_CITY)
    )
