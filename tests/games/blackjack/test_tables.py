"""The solver and the shipped tables: made again, counted in other ways, and compared with published charts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

from croupier.games.blackjack import coach, odds, packed, rules, solver, strategy
from croupier.games.blackjack.options import BlackjackOptions
from croupier.sim import compiled
from tests.games.blackjack.second_dealer import NATURAL, Shoe, dealer_ends, draws, taken, total_of
from tools.blackjack_tables import (
    FORMATS,
    Solved,
    differences,
    main,
    never_busting,
    pair_row,
    pairs_of_values,
    totals_chart,
)
from tools.solvers import blackjack as solve
from tools.solvers.blackjack import BOOSTED, CHANCES, FIELDS, NET, PUSH, STAKED, WIN

DATA = Path(strategy.__file__).parent / "data"


@cache
def solved(decks: int, hit_soft_17: bool) -> Solved:
    """Return what was solved, but for boosts, which take seconds."""
    found = Solved(decks, hit_soft_17)
    found.mean_boosts = np.zeros(found.size)
    return found


# The files.


@pytest.mark.parametrize(
    "options", [BlackjackOptions(), BlackjackOptions(surrender=True, peek=True)], ids=["plain", "peek"]
)
def test_the_shipped_tables_of_eight_decks_are_those_of_the_solver(options):
    """Charts, and what rounds come to but for boosts; `make soak` makes all of both files again."""
    found = solved(8, True)
    table = found.table(options)

    chart = strategy.chart(options)
    assert totals_chart(table) == {"hard": list(chart.hard), "soft": list(chart.soft)}
    assert [pair_row(table, value) for value in range(1, 11)] == list(chart.pairs)
    mimic = np.array(strategy.table_for("mimic_dealer", options), np.int64)
    for policy, followed in (("basic", table), ("never_bust", never_busting(table)), ("mimic_dealer", mimic)):
        assert tuple(followed) == strategy.table_for(policy, options)
        shipped = strategy.round_worth(policy, options)
        again = found.round(followed, options)
        assert np.allclose(again[:4], [shipped.net, shipped.staked, shipped.win, shipped.push], atol=2, rtol=0)
        assert again[5] == shipped.square


def test_the_shipped_values_of_first_decisions_are_those_of_the_solver():
    again = solved(8, True).first_decisions(packed.SMALL_HANDS)["hit"]
    shipped = packed.read_values((DATA / "values.xz").read_bytes())["hits"]["8h"]

    assert list(differences({"": again}, shipped)) == []
    assert len(again) == 90


SETS = (
    BlackjackOptions(),
    BlackjackOptions(decks=1, hit_soft_17=False, peek=True),
    BlackjackOptions(decks=2, peek=True),
)


# Small hands against small cards have trees of a thousand hands: all of them take a minute.
@pytest.mark.parametrize(
    ("up_values", "smallest", "count"),
    [((1, 6, 10), 11, 3 * 3 * 29), pytest.param(range(1, 11), 2, 3 * 54 * 10, marks=pytest.mark.soak)],
    ids=["some", "all"],
)
@pytest.mark.parametrize("options", SETS, ids=["eight", "one", "two"])
def test_first_decisions_of_the_coach_are_those_of_the_solver(options, up_values, smallest, count):
    """Two programs: the compiled solver, which looks at all hands, and the coach, which looks below one."""
    compared = 0
    hands = [(low, high) for low, high in pairs_of_values() if low + high >= smallest and (low, high) != (1, 10)]
    found = solved(options.decks, options.hit_soft_17).first_decisions(hands)
    for (place, (low, high)), up_value in product(enumerate(hands), up_values):
        cards, up_card = (low - 1, high + 12), up_value + 25  # of three suits
        is_peeked = options.peek and up_value in (1, 10)
        held = (low, high, up_value).count(11 - up_value)
        tens = options.decks * (16 if up_value == 1 else 4) - held
        natural = tens / (52 * options.decks - 3) if is_peeked else 0.0
        worths = coach.play_worths(cards, (*cards, up_card), 1, up_card, is_peeked, options)
        for action, stakes in (("stand", 1), ("hit", 1), ("double", 2)):
            worth = found[action][10 * place + up_value - 1] / strategy.SCALE
            # The solver counts what a natural takes; after a peek there is none.
            assert abs(float(worths[action]) - (worth + stakes * natural) / (1 - natural)) < 2e-12
            compared += 1
    assert compared == count


def test_the_files_are_written_as_they_are_shipped():
    for file, (write, read) in FORMATS.items():
        shipped = (DATA / file).read_bytes()
        assert read(write(read(shipped))) == read(shipped)
        assert len(shipped) < 60_000


def test_the_packed_values_are_the_7980_that_were_worked_out():
    """To the last digit: the digest is that of the text they were kept in before they were packed."""
    found = packed.read_values((DATA / "values.xz").read_bytes())
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))

    assert sha256(text.encode()).hexdigest() == "5c0fe4ef6977137686349c9af181a8f9f4455783c090d87c8936533c4327b00f"
    assert len(re.findall(r"-?\d{3,}", text)) == 7_980


def test_a_difference_is_told_with_its_place():
    assert list(differences({"a": [1, 2], "b": "x"}, {"a": [1, 9], "b": "y"})) == [
        "$.a[1]: 2, shipped 9",
        "$.b: 'x', shipped 'y'",
    ]
    assert list(differences({"a": 5}, {"a": 7})) == []  # the last digit may differ from machine to machine
    assert main(["--what"]) == 2


@pytest.mark.soak
def test_all_shipped_tables_are_those_of_the_solver():
    """Some minutes: every number of both files."""
    assert main(["--check"]) == 0


# The solver on both machines.


def test_compiled_and_plain_python_give_the_same_numbers():
    """For a ten up, whose tree is the smallest; floats may differ in the last bit."""
    plain_hands, plain_nodes = solve.hands(), solver.dealer_nodes(10, True)
    hands = solve.Hands(*map(np.array, plain_hands))  # type: ignore[arg-type]
    nodes = solver.Nodes(*map(np.array, plain_nodes))  # type: ignore[arg-type]
    count = len(plain_hands.size)
    shoe = [8.0] * 9 + [31.0]
    table = strategy.table_for("basic", BlackjackOptions(decks=2))
    boosts = [1.5] * count

    def zeros(make: Any) -> dict[str, Any]:
        return {
            "chances": make(CHANCES * count, float),
            "played": make(FIELDS * count, float),
            "column": make(rules.TABLE_SIZE, int),
            "best": [make(count, float) for _ in range(3)],
        }

    python, machine = zeros(lambda size, kind: [kind()] * size), zeros(np.zeros)

    def run(how: Any, hands: Any, nodes: Any, shoe: Any, boosts: Any, table: Any, out: Any) -> None:
        how(solve.fill_chances)(hands, nodes, shoe, 1, 0, 0, out["chances"])
        chances = out["chances"]
        how(solve.play)(hands, chances, boosts, shoe, 0, 0, 10, table, True, True, False, out["played"])
        how(solve.decide)(hands, chances, shoe, 10, False, out["column"])
        how(solve.best_values)(hands, chances, shoe, 10, *out["best"])

    run(lambda function: function, plain_hands, plain_nodes, shoe, boosts, table, python)
    run(
        lambda function: compiled(function, strict=False),
        hands,
        nodes,
        np.array(shoe),
        np.array(boosts),
        np.array(table, np.int64),
        machine,
    )

    assert np.allclose(python["chances"], machine["chances"], atol=1e-15, rtol=0)
    assert np.allclose(python["played"], machine["played"], atol=1e-13, rtol=0)
    assert np.allclose(python["best"], machine["best"], atol=1e-13, rtol=0)
    assert list(python["column"]) == machine["column"].tolist()


# Counted in other ways, with fractions.


@pytest.mark.parametrize(("up_value", "hits"), [(10, True), (6, False), (1, True)])
def test_the_dealers_chances_beside_a_hand_are_those_counted_card_by_card(up_value, hits):
    found = solved(8, hits)
    shoe = taken((*[32] * 9, 128), 6, 10, up_value)
    exact = dealer_ends((up_value,), shoe, hits)

    hand = found.two_cards(6, 10)
    chances = found.chances(up_value)[CHANCES * hand : CHANCES * (hand + 1)]

    expected = [float(exact.get(end, 0)) for end in (17, 18, 19, 20, 21, NATURAL)]
    assert np.allclose(chances, expected, atol=1e-15, rtol=0)


def whole_round(
    hands: tuple[tuple[tuple[int, ...], bool, bool], ...], shoe: Shoe, up: int, hole: int, table: Any, das: bool
) -> tuple[Fraction, ...]:
    """Return net, staked, and the chances that the first hand wins and pushes, by following a split card by card.

    A hand is its cards, whether it still plays, whether it is doubled. `hole` is a hole card, 0 where none was dealt.
    """
    place = next((place for place, hand in enumerate(hands) if hand[1]), -1)
    if place < 0:
        return settled(hands, shoe, up, hole)
    cards, _, _ = hands[place]
    total, soft = total_of(sum(cards), 1 in cards)
    pair = len(cards) == 2 and cards[0] == cards[1] and len(hands) < 4
    hard = total - 10 if soft else total
    action = rules.choose(table, 0, hard, 1 in cards, cards[0] if pair else 0, up, len(cards) == 2 and das, False)
    if action == rules.STAND:
        return whole_round(changed(hands, place, ((cards, False, False),)), shoe, up, hole, table, das)
    found = [Fraction(0)] * 4
    for value, chance, rest in draws(shoe):
        if action == rules.SPLIT:
            for other, second, left in draws(rest):
                two = (((cards[0], value), True, False), ((cards[1], other), True, False))
                worth = whole_round(changed(hands, place, two), left, up, hole, table, das)
                found = [old + chance * second * new for old, new in zip(found, worth, strict=True)]
            continue
        grown = (*cards, value)
        goes_on = action == rules.HIT and total_of(sum(grown), 1 in grown)[0] < 21
        after = changed(hands, place, ((grown, goes_on, action == rules.DOUBLE),))
        worth = whole_round(after, rest, up, hole, table, das)
        found = [old + chance * new for old, new in zip(found, worth, strict=True)]
    return tuple(found)


def changed(hands: Any, place: int, new: Any) -> Any:
    return (*hands[:place], *new, *hands[place + 1 :])


def settled(hands: Any, shoe: Shoe, up: int, hole: int) -> tuple[Fraction, ...]:
    ends = dealer_ends((up, hole) if hole else (up,), shoe, True)
    net = staked = win = push = Fraction(0)
    for place, (cards, _, doubled) in enumerate(hands):
        total, stake = total_of(sum(cards), 1 in cards)[0], 2 if doubled else 1
        staked += stake
        for end, chance in ends.items():
            beats, ties = end < total <= 21, end == total <= 21
            net += chance * stake * (1 if beats else 0 if ties else -1)
            if place == 0:
                win += chance * beats
                push += chance * ties
    return net, staked, win, push


# A shoe so small that every course of a round can be followed: two up to four hands of eights, and a dealer.
SMALL = (1, 1, 1, 0, 0, 1, 0, 4, 0, 6)


def compare_split(table: Any, up_value: int, options: BlackjackOptions, expected: Iterable[Fraction]) -> None:
    """Compare what the solver says of two eights, without boosts: net, staked, won and pushed."""
    small = Solved(1, True, SMALL)
    small.mean_boosts = np.zeros(small.size)
    found = small.split(np.array(table, np.int64), 8, up_value, options)
    assert np.allclose(found[[NET, STAKED, WIN, PUSH]], [float(worth) for worth in expected], atol=1e-13, rtol=0)
    assert found[BOOSTED] == 0


@pytest.mark.parametrize(("up_value", "das"), [(6, True), (6, False), (10, True)])
def test_splits_are_worth_what_following_every_card_gives(up_value, das):
    """Re-splits, doubles and the hands' common dealer included; the solver takes the hands one by one."""
    options = BlackjackOptions(double_after_split=das)
    table = list(strategy.table_for("basic", options))
    table[rules.pair_cell(8, up_value)] = rules.SPLIT_BIT
    shoe = taken(SMALL, up_value, 8, 8)
    start = (((8, 8), True, False),)

    compare_split(table, up_value, options, whole_round(start, shoe, up_value, 0, tuple(table), das))


def test_splits_after_a_peek_are_worth_what_a_hole_card_laid_aside_gives():
    """The round is followed with a real hole card that makes no natural: the very thing that is never stored."""
    options = BlackjackOptions(peek=True)
    table = list(strategy.table_for("basic", options))
    table[rules.pair_cell(8, 10)] = rules.SPLIT_BIT
    shoe = taken(SMALL, 10, 8, 8)
    expected = [Fraction(0)] * 4
    for hole, chance, rest in draws(shoe):
        if hole > 1:
            worth = whole_round((((8, 8), True, False),), rest, 10, hole, tuple(table), True)
            expected = [old + chance * new for old, new in zip(expected, worth, strict=True)]

    compare_split(table, 10, options, expected)


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_the_choices_that_the_coach_does_not_look_at_are_never_the_best(decks):
    """Every hand of a whole shoe against every card: but for two sevens against a ten, whose own choice it is."""
    found = solved(decks, True)
    wrong = []
    for up_value in range(1, 11):
        shoe, is_low = found.shoe(up_value), 2 <= up_value <= 6
        stand, hit, _ = found.best(up_value)
        for hand, counts in enumerate(found.compositions):
            hard, has_ace = int(found.hands.hard[hand]), bool(found.hands.has_ace[hand])
            total, soft = rules.best_total(hard, has_ace), rules.is_soft(hard, has_ace)
            if sum(counts) < 2 or total == 21 or (np.array(counts) > shoe).any():
                continue
            may_stand = total >= 18 if soft else total >= (12 if is_low else 15)
            may_hit = total <= 18 if soft else total <= (13 if is_low else 16)
            if (stand[hand] > hit[hand] and not may_stand) or (hit[hand] > stand[hand] and not may_hit):
                wrong.append((up_value, [value for value in range(1, 11) for _ in range(counts[value - 1])]))

    assert wrong == ([(10, [7, 7])] if decks == 1 else [])


# Published charts: two to ten, then the ace. `D` doubles or hits, `d` doubles or stands, `R` surrenders or hits.

CHART_STAND_17 = """
hard 5  HHHHHHHHHH   soft 13 HHHDDHHHHH   pairs 1  PPPPPPPPPP
hard 6  HHHHHHHHHH   soft 14 HHHDDHHHHH   pairs 2  PPPPPP....
hard 7  HHHHHHHHHH   soft 15 HHDDDHHHHH   pairs 3  PPPPPP....
hard 8  HHHHHHHHHH   soft 16 HHDDDHHHHH   pairs 4  ...PP.....
hard 9  HDDDDHHHHH   soft 17 HDDDDHHHHH   pairs 5  ..........
hard 10 DDDDDDDDHH   soft 18 SddddSSHHH   pairs 6  PPPPP.....
hard 11 DDDDDDDDDH   soft 19 SSSSSSSSSS   pairs 7  PPPPPP....
hard 12 HHSSSHHHHH   soft 20 SSSSSSSSSS   pairs 8  PPPPPPPPPP
hard 13 SSSSSHHHHH   hard 17 SSSSSSSSSS   pairs 9  PPPPP.PP..
hard 14 SSSSSHHHHH   hard 18 SSSSSSSSSS   pairs 10 ..........
hard 15 SSSSSHHHRH   hard 19 SSSSSSSSSS
hard 16 SSSSSHHRRR   hard 20 SSSSSSSSSS
"""
CELLS = re.findall(r"(\w+) (\d+) +(\S+)", CHART_STAND_17)
PUBLISHED_STAND_17 = {(part, int(row)): letters for part, row, letters in CELLS}
# What changes where the dealer hits soft 17: six cells, as published.
HIT_17_CHANGES = {
    ("hard", 11): "DDDDDDDDDD",
    ("hard", 15): "SSSSSHHHRR",
    ("hard", 17): "SSSSSSSSSr",
    ("soft", 18): "dddddSSHHH",
    ("soft", 19): "SSSSdSSSSS",
    ("pairs", 8): "PPPPPPPPPp",
}


@pytest.mark.parametrize(("decks", "hit_soft_17"), list(product((4, 6, 8), (False, True))))
def test_charts_for_a_dealer_who_peeks_are_the_published_ones(decks, hit_soft_17):
    options = BlackjackOptions(
        decks=decks, hit_soft_17=hit_soft_17, peek=True, hit_split_aces=False, resplit_aces=False
    )
    chart = strategy.chart(options)
    rows = {
        "hard": dict(enumerate(chart.hard, 4)),
        "soft": dict(enumerate(chart.soft, 12)),
        "pairs": dict(enumerate(chart.pairs, 1)),
    }

    assert len(PUBLISHED_STAND_17) == 16 + 8 + 10
    for (part, row), letters in PUBLISHED_STAND_17.items():
        wanted = HIT_17_CHANGES.get((part, row), letters) if hit_soft_17 else letters
        assert rows[part][row] == wanted, (part, row)


def test_without_double_after_split_low_pairs_and_fours_and_sixes_are_split_less():
    """As published: twos and threes against four to seven, sixes not against a two, fours never."""
    chart = strategy.chart(BlackjackOptions(hit_soft_17=False, peek=True, double_after_split=False))

    assert [chart.pairs[value - 1] for value in (2, 3)] == ["..PPPP...."] * 2
    assert [chart.pairs[value - 1] for value in (4, 6)] == ["..........", ".PPPP....."]


@pytest.mark.parametrize("hit_soft_17", [False, True])
def test_without_a_hole_card_nothing_is_raised_against_an_ace_and_little_against_a_ten(hit_soft_17):
    """As published: no double or split against an ace, no double against a ten, eights not split there."""
    chart = strategy.chart(BlackjackOptions(hit_soft_17=hit_soft_17, hit_split_aces=False, resplit_aces=False))

    against_ten = [row[8] for row in (*chart.hard, *chart.soft, *chart.pairs)]
    against_ace = [row[9] for row in (*chart.hard, *chart.soft, *chart.pairs)]
    assert not {"D", "d", "P", "p"} & set(against_ace)
    assert not {"D", "d"} & set(against_ten)
    assert [value for value, row in enumerate(chart.pairs, 1) if row[8] in "Pp"] == [1]


# What nobody can do about super mode.


@pytest.mark.soak
def test_playing_for_the_boost_still_has_an_edge():
    """Best play by composition with the boost in mind, under the kindest options: above 3.5 % of the stake.

    Some ten seconds. Splits are those of the chart with what they are boosted by; hits, stands and doubles are free.
    """
    options = BlackjackOptions(decks=1, hit_soft_17=False, surrender=True, peek=True)
    found = Solved(1, False)
    table, boost = found.table(options), float(rules.BOOST_NUMERATOR / rules.BOOST_DENOMINATOR)
    extra = boost * (found.mean_boosts - 1)
    counts, following = np.reshape(found.hands.counts, (-1, 10)), np.reshape(found.hands.next, (-1, 10))
    returned = 0.0
    for up_value in range(1, 11):
        shoe, chances = found.shoe(up_value), np.reshape(found.chances(up_value), (-1, CHANCES))
        natural_value = 11 - up_value if up_value in (1, 10) else 0
        best, doubled = np.zeros(found.size), np.zeros(found.size)
        for hand in range(found.size):
            if found.hands.size[hand] < 2:
                break
            total = rules.best_total(int(found.hands.hard[hand]), bool(found.hands.has_ace[hand]))
            net, wins = best_stand(found, chances, hand)
            stand = net + wins * extra[hand]
            left = shoe - counts[hand]
            hit = 0.0
            for i in range(10):
                if left[i] > 0 and following[hand][i] >= 0:
                    after = following[hand][i]
                    hit += left[i] / left.sum() * best[after]
                    plain = best_stand(found, chances, after)
                    doubled[hand] += left[i] / left.sum() * (2 * plain[0] + plain[1] * extra[after])
                elif left[i] > 0:
                    gone = left[natural_value - 1] - (i == natural_value - 1) if natural_value else 0.0
                    lost = left[i] / left.sum() * (1 - gone / (left.sum() - 1))
                    hit -= lost
                    doubled[hand] -= 2 * lost
            best[hand] = max(stand, hit) if total < 21 else stand
        for low, high in product(range(1, 11), repeat=2):
            if low > high:
                continue
            ways = shoe[low - 1] * (shoe[high - 1] - 1 if low == high else 2 * shoe[high - 1])
            chance = ways / (51 * 50) * (shoe[up_value - 1] + 1) / 52
            hand = found.two_cards(low, high)
            natural = found.natural_chance(hand, up_value)
            if (low, high) == (1, 10):
                returned += chance * (1 - natural) * 1.5 * (1 + extra[hand])
                continue
            choices = [best[hand], doubled[hand], -(1 - natural) / 2]
            if low == high:
                split = found.split(table, low, up_value, options)
                choices.append(split[NET] + boost * (split[BOOSTED] - split[WIN]))
            returned += chance * (max(choices) - natural)

    assert 0.2 - returned > 0.035
    assert odds.super_odds(options)[0].edge > 0.2 - returned


def best_stand(found: Solved, chances: Any, hand: int) -> tuple[float, float]:
    """Return the net result of a hand that stands, and the chance that it wins."""
    total = rules.best_total(int(found.hands.hard[hand]), bool(found.hands.has_ace[hand]))
    mass, ends = 1 - chances[hand][5], np.arange(17, 22)
    wins = mass - chances[hand][:5].sum() + chances[hand][:5][ends < total].sum()
    return 2 * wins + chances[hand][:5][ends == total].sum() - mass, wins
