"""Every bet against a reading of its name, over all 216 rolls, and the published rolls, rounds and multipliers."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.sic_bo import rules
from croupier.games.sic_bo.bets import BETS, KINDS
from croupier.games.sic_bo.options import PAY_TABLES, SicBoOptions
from croupier.rng import SUPER_MOVE, GameRng

SEED_C = bytes(range(48))
SEED_O = bytes([0, 1]) + bytes([0xA5]) * 48
SEED_Z = bytes(32)
FACES = range(1, 7)
ROLLS = list(product(FACES, repeat=3))

MACAU_TOTALS = {3: 180, 4: 50, 5: 18, 6: 14, 7: 12, 8: 8, 9: 6, 10: 6}
ATLANTIC_CITY_TOTALS = {3: 180, 4: 60, 5: 30, 6: 17, 7: 12, 8: 8, 9: 6, 10: 6}


def rolled(stream: GameRng) -> tuple[int, ...]:
    dice = [0, 0, 0]
    rules.draw(stream, dice, (), [])
    return tuple(dice)


def oracle_profit(name, dice, pay_table):
    """What the bet pays to 1, from its name and the dice as a bag of faces; 0 where it loses."""
    macau = pay_table == rules.MACAU
    kind, _, rest = name.partition(":")
    numbers = [int(word) for word in rest.split("-")] if rest else []
    bag = Counter(dice)
    total = sum(dice)
    if kind in ("small", "big", "odd", "even"):
        wanted = {"small": total <= 10, "big": total > 10, "odd": total % 2 == 1, "even": total % 2 == 0}[kind]
        return int(wanted and len(bag) > 1)
    if kind == "single":
        return bag[numbers[0]]
    if kind == "total":
        table = MACAU_TOTALS if macau else ATLANTIC_CITY_TOTALS
        return table[min(total, 21 - total)] if numbers == [total] else 0
    won, price = {
        "triple": lambda: (bag == {numbers[0]: 3}, 150 if macau else 180),
        "any_triple": lambda: (len(bag) == 1, 24 if macau else 30),
        "double": lambda: (bag[numbers[0]] >= 2, 8 if macau else 10),
        "domino": lambda: (set(numbers) <= set(bag), 5),
        "easy_hop": lambda: (sorted(dice) == numbers, 30),
        "hard_hop": lambda: (sorted(dice) == sorted(numbers), 50),
        "four_faces": lambda: (len(bag) == 3 and set(bag) <= set(numbers), 7),
    }[kind]()
    return price if won else 0


def expected_names():
    names = {"small", "big", "odd", "even", "any_triple"}
    names |= {f"{kind}:{face}" for kind in ("triple", "double", "single") for face in FACES}
    names |= {f"total:{total}" for total in range(3, 19)}
    names |= {"domino:" + "-".join(map(str, pair)) for pair in combinations(FACES, 2)}
    names |= {"easy_hop:" + "-".join(map(str, three)) for three in combinations(FACES, 3)}
    names |= {f"hard_hop:{pair}-{pair}-{single}" for pair, single in permutations(FACES, 2)}
    names |= {"four_faces:" + "-".join(map(str, four)) for four in combinations(FACES, 4)}
    return names


def test_the_catalogue_holds_all_thirteen_kinds_and_nothing_else():
    assert set(BETS) == expected_names()
    assert len(BETS) == 119
    assert len(KINDS) == rules.KIND_COUNT == 13


def test_names_and_codes_are_one_to_one():
    assert len(set(BETS.values())) == len(BETS)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("even", (3, 0)),
        ("triple:4", (4, 4)),
        ("total:18", (7, 18)),
        ("domino:1-4", (9, 0x14)),
        ("domino:5-6", (9, 0x56)),
        ("easy_hop:1-2-3", (10, 7)),
        ("easy_hop:4-5-6", (10, 56)),
        ("hard_hop:1-1-2", (11, 0x12)),
        ("hard_hop:6-6-5", (11, 0x65)),
        ("four_faces:1-2-3-4", (12, 15)),
        ("four_faces:3-4-5-6", (12, 60)),
    ],
)
def test_a_name_stands_for_its_code_on_the_wire(name, code):
    assert BETS[name] == code


def test_every_other_kind_and_number_is_no_bet():
    offered = set(BETS.values())
    for kind, number in product(range(-1, 256), range(-1, 257)):
        expected = 0 <= number <= 255 if kind in (0, 1, 2, 3, 5) else (kind, number) in offered
        assert rules.valid(kind, number) == expected, (kind, number)


@pytest.mark.parametrize("pay_table", [rules.MACAU, rules.ATLANTIC_CITY])
def test_every_bet_pays_what_its_name_says_on_every_roll(pay_table):
    for name, code in BETS.items():
        for dice in ROLLS:
            profit = oracle_profit(name, dice, pay_table)
            a, b, c = dice
            assert rules.times_won(*code, a, b, c) * rules.price(*code, pay_table) == profit, (name, dice)
            expected = 100 + 100 * profit if profit else 0
            assert rules.settle(*code, 100, (a, b, c), (pay_table,)) == expected, (name, dice)


# The published rolls (sheet, section 13).


def test_the_dice_are_those_of_the_published_streams():
    found = [rolled(GameRng.new(SEED_C, 42, move)) for move in range(1, 8)]

    assert found == [(2, 6, 6), (5, 5, 3), (1, 4, 4), (1, 4, 1), (2, 6, 5), (6, 2, 1), (6, 1, 3)]


@pytest.mark.parametrize(
    ("move", "pay_table", "total_return", "digest"),
    [
        (1, 0, 112870, "d56afec1b3d745c0d30bd5187e457eb5311a96382ea99c00819c767436d8a587"),
        (2, 1, 117410, "1b4c421a79eb39b75caf983d03c14e9a102ca194fc2297ea9beb65d30a19ab90"),
    ],
)
def test_a_thousand_rounds_of_thirteen_bets_match_the_published_digest(move, pay_table, total_return, digest):
    """The digest is over the origin's stored form, rebuilt here: bets, dice, pay table, then the return."""
    hashed = sha256()
    total = 0
    for n in range(1000):
        face = 1 + n % 6
        numbers = [0, 0, 0, 0, face, 0, face, 3 + n % 16, face, 0x12 + n % 5, 7, 0x12, 15]
        dice = rolled(GameRng.new(SEED_C, n, move))
        returned = sum(rules.settle(kind, number, 10, dice, (pay_table,)) for kind, number in enumerate(numbers))
        total += returned
        if pay_table:
            hashed.update(bytes([0, 1]) + bytes(8))  # the move that chose the pay table: no bets, nothing paid
        hashed.update(bytes([13]))
        for kind, number in enumerate(numbers):
            hashed.update(bytes([kind, number]) + (10).to_bytes(8, "big"))
        hashed.update(bytes([*dice, pay_table]) + returned.to_bytes(8, "big"))

    assert total == total_return
    assert hashed.hexdigest() == digest


# Super mode.


def lit(seed, session_id):
    rng = GameRng.new(seed, session_id, SUPER_MOVE)
    ids, multipliers = [0] * 3, [0] * 3
    assert rules.generate(rng, ids, multipliers) == 3
    return list(zip(ids, multipliers, strict=True)), rng


@pytest.mark.parametrize(
    ("seed", "session_id", "expected"),
    [
        (SEED_O, 7, [(5, 13), (8, 5), (13, 5)]),
        (SEED_Z, 1, [(12, 18), (8, 7), (5, 23)]),
        (SEED_C, 4, [(10, 3), (16, 17), (14, 6)]),
        (SEED_C, 42, [(15, 30), (17, 29), (6, 20)]),
    ],
)
def test_the_lit_totals_match_the_published_vectors(seed, session_id, expected):
    assert lit(seed, session_id)[0] == expected


def test_the_published_sessions_take_six_and_nine_bytes():
    assert [lit(SEED_O, 7)[1].bytes_used, lit(SEED_Z, 1)[1].bytes_used] == [6, 9]


def test_two_thousand_sessions_light_the_published_digest():
    digest = sha256()
    for session_id in range(2000):
        found, rng = lit(SEED_C, session_id)
        for total, multiplier in found:
            digest.update(bytes([total]) + multiplier.to_bytes(2, "big") + b"\x02")
        digest.update(bytes([rng.next_byte()]))

    assert digest.hexdigest()[:16] == "b95923809cdc1188"


def test_totals_that_can_be_lit_are_eligible_and_no_other_bet_is():
    assert {name for name, code in BETS.items() if rules.is_eligible(*code)} == {f"total:{n}" for n in range(4, 18)}


def test_a_boost_multiplies_the_profit_by_a_tenth_of_each_extra_and_rounds_down():
    assert rules.boosted(1300, 100, 6) == 100 + 1800  # 12 to 1, times 1 + 5 / 10
    assert rules.boosted(95, 5, 2) == 104  # 90 times 1.1
    assert rules.boosted(90, 5, 2) == 98  # 85 times 1.1 is 93.5
    assert rules.boosted(1300, 100, 0) == 1300
    assert rules.boosted(0, 100, 30) == 0


@given(stake=st.integers(1, rules.STAKE_MAX), total=st.integers(4, 17), multiplier=st.integers(2, 30))
def test_a_boost_stays_below_63_bits_and_never_takes_chips_away(stake, total, multiplier):
    returned = stake + stake * max(MACAU_TOTALS[min(total, 21 - total)], ATLANTIC_CITY_TOTALS[min(total, 21 - total)])

    assert (returned - stake) * (9 + multiplier) < 2**63
    assert returned <= rules.boosted(returned, stake, multiplier)
    assert rules.BETS_MAX * rules.boosted(returned, stake, 30) < 2**63


def test_no_roll_brings_more_than_the_largest_return():
    for pay_table in (rules.MACAU, rules.ATLANTIC_CITY):
        for name, code in BETS.items():
            most = max(oracle_profit(name, dice, pay_table) for dice in ROLLS)
            assert rules.return_max(*code, 100, pay_table, False) == 100 + 100 * most
    assert rules.return_max(rules.TOTAL, 9, 100, rules.MACAU, True) == 100 + 600 * 39 // 10
    assert rules.return_max(rules.TOTAL, 10, 100, rules.MACAU, True) == 100 + 600 * 12 // 10
    assert rules.return_max(rules.TOTAL, 3, 100, rules.MACAU, True) == 18_100


@pytest.mark.parametrize("pay_table", [rules.MACAU, rules.ATLANTIC_CITY])
@pytest.mark.parametrize("total", range(4, 18))
def test_chips_laid_in_parts_bring_no_more_than_their_largest_returns_together(total, pay_table):
    """Seventeen to one on five chips boosted 39 tenths is 331.5: twice that is a chip more than two times 331."""
    most = {stake: rules.return_max(rules.TOTAL, total, stake, pay_table, True) for stake in range(5, 41, 5)}
    to_1 = (MACAU_TOTALS, ATLANTIC_CITY_TOTALS)[pay_table][min(total, 21 - total)]
    for first, second in product(range(5, 21, 5), repeat=2):
        together = first + second
        for byte in range(256):
            multiplier = rules.lit_multiplier(total, byte)
            returned = together + together * to_1 * (9 + multiplier) // 10
            assert rules.boosted(together + together * to_1, together, multiplier) == returned
            assert returned <= most[first] + most[second]


def test_options_know_the_number_of_their_pay_table():
    assert [SicBoOptions(table).pay_table_code for table in PAY_TABLES] == [0, 1]
    assert SicBoOptions().pay_table == "macau"
