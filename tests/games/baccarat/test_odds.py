"""Exact odds of baccarat against published figures and a second count, made in another way."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, perm, prod, sqrt

from croupier.games.baccarat import rules
from croupier.games.baccarat.bets import BETS
from croupier.games.baccarat.odds import banker_edge, odds, super_odds
from croupier.games.baccarat.options import BaccaratOptions
from croupier.rng import GameRng
from tests.games.baccarat.test_vectors import BANKER_DRAWS_TO, profit
from tests.games.second_lit import lit_sets

VALUES = {0: 128} | dict.fromkeys(range(1, 10), 32)


def edges(options=None):
    return {row.bet: row.edge for row in odds(options or BaccaratOptions())}


# The second count deals value after value in order, and knows the drawing rules as text.


@cache
def oracle_rounds() -> Counter[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the number of orders behind each pair of hands, values sorted within a hand; takes about a second."""
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for a, b, c, d in product(range(10), repeat=4):
        ways, left = 1, dict(VALUES)
        for value in (a, b, c, d):
            ways *= left[value]
            left[value] -= 1
        player, banker = (a + b) % 10, (c + d) % 10
        two, other_two = tuple(sorted((a, b))), tuple(sorted((c, d)))
        if player > 7 or banker > 7 or (player > 5 and banker > 5):
            found[two, other_two] += ways * 412 * 411
        elif player > 5:
            for e in range(10):
                found[two, (*other_two, e)] += ways * left[e] * 411
        else:
            for e in range(10):
                if str(e) not in BANKER_DRAWS_TO[banker]:
                    found[(*two, e), other_two] += ways * left[e] * 411
                    continue
                for f in range(10):
                    found[(*two, e), (*other_two, f)] += ways * left[e] * (left[f] - (e == f))
    return found


def oracle_chance(condition) -> Fraction:
    ways = 0
    for (player, banker), count in oracle_rounds().items():
        if condition(sum(player) % 10, sum(banker) % 10, len(player), len(banker)):
            ways += count
    return Fraction(ways, perm(416, 6))


# Without super mode.


def test_edges_are_the_published_ones(checks):
    """Published figures."""
    checks("published", "baccarat", odds(BaccaratOptions()))
    percents = "1.2351 1.4581 4.8440 2.8916 2.8916 11.6985 2.6517 9.3731 10.1876 6.6235"

    assert list(edges()) == list(BETS)
    assert [f"{float(edge) * 100:.4f}" for edge in edges().values()] == percents.split()


def test_every_bet_has_one_row_and_no_edge_is_negative_on_any_table():
    for options in (BaccaratOptions(), BaccaratOptions(tie_pays=8, pair_pays=11)):
        rows = odds(options)
        assert [row.bet for row in rows] == list(BETS)
        assert all(row.edge > 0 and row.edge == row.edge_per_chip for row in rows)


def test_cheaper_tables_have_the_known_edges(checks):
    cheap = edges(BaccaratOptions(tie_pays=8, pair_pays=11))

    assert f"{float(cheap['tie']):.4%}" == "14.3596%"
    assert cheap["player_pair"] == cheap["banker_pair"] == Fraction(43, 415)
    rows = {row.bet: row for row in odds(BaccaratOptions(tie_pays=8, pair_pays=11))}
    checks("published", "baccarat", [rows["tie"]])
    checks("closed form", "baccarat", [rows["player_pair"], rows["banker_pair"]])


def test_player_and_banker_win_and_tie_as_often_as_published():
    chances = [row.win for row in odds(BaccaratOptions())[:3]]

    assert [f"{float(chance):.6f}" for chance in chances] == ["0.446247", "0.458597", "0.095156"]
    assert sum(chances) == 1


def test_a_round_of_the_second_count_has_the_published_number_of_cards_on_average():
    cards = sum((len(player) + len(banker)) * count for (player, banker), count in oracle_rounds().items())

    assert f"{cards / perm(416, 6):.4f}" == "4.9388"


def test_lucky_six_and_perfect_pair_win_as_often_as_published():
    assert f"{float(oracle_chance(lambda p, b, _, n: b == 6 > p and n == 2)):.7f}" == "0.0372467"
    assert f"{float(oracle_chance(lambda p, b, _, n: b == 6 > p and n == 3)):.7f}" == "0.0166170"
    rows = {row.bet: row for row in odds(BaccaratOptions())}
    assert rows["lucky_six"].win == oracle_chance(lambda p, b, _, n: b == 6 > p)
    assert f"{float(rows['perfect_pair'].win):.7f}" == "0.0334502"  # 0.0331655 one hand, 0.0002847 both


def oracle_edge(bet: str, **pays: int) -> Fraction:
    """Return the edge of two chips on a bet that asks for totals and cards, as the second calculation settles it."""
    won = 0
    for (player, banker), count in oracle_rounds().items():
        found = sum(player) % 10, sum(banker) % 10, len(player), len(banker)
        won += count * profit(bet, 2, found, set(), **pays)
    return -Fraction(won, 2 * perm(416, 6))


def test_bets_on_totals_match_the_second_count(checks):
    rows = [row for row in odds(BaccaratOptions()) if "pair" not in row.bet]
    (eight,) = [row for row in odds(BaccaratOptions(tie_pays=8)) if row.bet == "tie"]

    assert {row.bet: row.edge for row in rows} == {row.bet: oracle_edge(row.bet) for row in rows}
    assert len(rows) == 7
    assert eight.edge == oracle_edge("tie", tie_pays=8)
    checks("model", "baccarat", [*rows, eight])


def test_bets_on_pairs_match_the_second_count(checks):
    # The second card of a hand matches the first in rank for 31 cards of 415, exactly for 7.
    assert edges()["player_pair"] == edges()["banker_pair"] == 1 - 13 * Fraction(31, 415) == Fraction(12, 415)
    # Both hands identical pairs: the second hand is of the same card as the first, or of one of the other 51.
    both = Fraction(7, 415) * Fraction(6 * 5 + 51 * 8 * 7, 414 * 413)
    one = 2 * Fraction(7, 415) - 2 * both
    assert f"{float(one):.7f}" == "0.0331655"
    assert f"{float(both):.7f}" == "0.0002847"
    assert edges()["perfect_pair"] == 1 - 26 * one - 251 * both
    checks("closed form", "baccarat", [row for row in odds(BaccaratOptions()) if "pair" in row.bet])


def test_odd_stakes_on_banker_lose_half_a_chip_on_every_six():
    six = oracle_chance(lambda p, b, *_: b == 6 > p)
    even = edges()["banker"]

    for stake in (2, 10, 10_000):
        assert banker_edge(stake) == even
    for stake in (1, 3, 5, 9_999):
        assert banker_edge(stake) == even + six / (2 * stake)


# Super mode: which cards are behind the values is counted hand by hand instead of card by card, and which are lit
# is followed draw by draw instead of taken from their number.


@cache
def oracle_hands(count: int, kinds: int, rare: int) -> Counter[tuple[tuple[int, bool], ...]]:
    """Return the ways to take `count` cards of `kinds` kinds, eight of each; the last `rare` kinds are rare."""
    if kinds == 0:
        return Counter({(): 1} if count == 0 else {})
    found: Counter[tuple[tuple[int, bool], ...]] = Counter()
    for copies in range(count + 1):
        for hand, ways in oracle_hands(count - copies, kinds - 1, rare).items():
            longer = (*hand, (copies, kinds > 16 - rare)) if copies else hand
            found[tuple(sorted(longer))] += ways * comb(8, copies)
    return found


@cache
def oracle_mean_boost(shape: tuple[int, tuple[int, ...]], power: int) -> Fraction:
    zeros, others = shape
    hands = oracle_hands(zeros, 16, 4)
    for count in others:
        joined: Counter[tuple[tuple[int, bool], ...]] = Counter()
        for (one, ways), (two, more_ways) in product(hands.items(), oracle_hands(count, 4, 0).items()):
            joined[tuple(sorted(one + two))] += ways * more_ways
        hands = joined
    every_way = comb(128, zeros) * prod(comb(32, count) for count in others)
    return sum((Fraction(ways, every_way) * oracle_lit(hand, power) for hand, ways in hands.items()), Fraction(0))


@cache
def oracle_lit(hand: tuple[tuple[int, bool], ...], power: int) -> Fraction:
    """Return the mean capped product, to a power, over lit sets, one lit card after the other."""
    weights = tuple(4 if is_rare else 5 for _, is_rare in hand)
    mean = Fraction(0)
    for draws, share in ((3, Fraction(6, 10)), (4, Fraction(3, 10)), (5, Fraction(1, 10))):
        for lit, chance in lit_sets(weights, {5: 48, 4: 4}, draws).items():
            mean += share * chance * oracle_product(tuple(sorted(hand[place][0] for place in lit)), power)
    return mean


@cache
def oracle_product(copies: tuple[int, ...], power: int) -> Fraction:
    products: dict[int, Fraction] = {1: Fraction(1)}
    for dealt in copies:
        after: dict = Counter()
        for value, chance in products.items():
            for multiplier, percent in ((2, 45), (3, 35), (4, 15), (5, 4), (8, 1)):
                after[value * multiplier**dealt] += chance * Fraction(percent, 100)
        products = after
    return sum((chance * min(value, 512) ** power for value, chance in products.items()), Fraction(0))


def oracle_shape(values):
    counts = Counter(values)
    return counts.pop(0, 0), tuple(sorted(counts.values()))


def test_super_edges_match_the_second_count(checks):
    """Edges and variances, exact; about a second."""
    by_shape: dict[str, Counter] = {"player": Counter(), "banker": Counter(), "six": Counter(), "tie": Counter()}
    for (player, banker), count in oracle_rounds().items():
        player_total, banker_total = sum(player) % 10, sum(banker) % 10
        if player_total > banker_total:
            by_shape["player"][oracle_shape(player)] += count
        elif player_total == banker_total:
            by_shape["tie"][oracle_shape(player + banker)] += count
        else:
            by_shape["six" if banker_total == 6 else "banker"][oracle_shape(banker)] += count
    chance = {name: Fraction(sum(ways.values()), perm(416, 6)) for name, ways in by_shape.items()}
    boosted, squared = (
        {
            name: sum(
                (Fraction(count, perm(416, 6)) * oracle_mean_boost(shape, power) for shape, count in ways.items()),
                Fraction(0),
            )
            for name, ways in by_shape.items()
        }
        for power in (1, 2)
    )

    rows = {row.bet: row for row in super_odds(BaccaratOptions())}

    push = chance["tie"]
    outlay = Fraction(6, 5)
    assert rows["player"].edge == outlay - (push + chance["player"] + boosted["player"])
    banker_back = chance["banker"] + boosted["banker"] + chance["six"] + boosted["six"] / 2
    assert rows["banker"].edge == outlay - (push + banker_back)
    assert rows["tie"].edge == outlay - (chance["tie"] + 6 * boosted["tie"])
    squares = {
        "player": squared["player"] + chance["banker"] + chance["six"],
        "banker": squared["banker"] + squared["six"] / 4 + chance["player"],
        "tie": 36 * squared["tie"] + 1 - chance["tie"],
    }
    for name, row in rows.items():
        assert row.variance == squares[name] - (row.edge - Fraction(1, 5)) ** 2  # the fee does not stray
    assert all(row.edge_per_chip == row.edge / outlay for row in rows.values())
    assert {name: row.win for name, row in rows.items()} == {row.bet: row.win for row in odds(BaccaratOptions())[:3]}
    assert {name: row.push for name, row in rows.items()} == {"player": push, "banker": push, "tie": 0}
    checks("model", "baccarat", rows.values(), super_mode=True)


def test_rounds_that_are_dealt_return_what_super_odds_say():
    """6,000 rounds with fixed seeds, four standard errors: a false alarm once in 5,000 seeds over the three bets."""
    rounds, stake, seed = 6_000, 10, bytes(range(48))
    returns: dict[str, list[int]] = {"player": [], "banker": [], "tie": []}
    cards, ids, multipliers = [0] * 6, [0] * 5, [0] * 5
    for session_id in range(rounds):
        lit_count = rules.generate(GameRng.new(seed, session_id, 4294967295), ids, multipliers)
        rules.draw(GameRng.new(seed, session_id, 1), cards, (9, 12), [])
        found = rules.outcome(cards)
        for name, back in returns.items():
            kind = BETS[name][0]
            boost = rules.boost(kind, 0, cards, ids, multipliers, lit_count)
            back.append(rules.super_return(kind, stake, found, boost, 9, 12))

    for row in super_odds(BaccaratOptions()):
        back = returns[row.bet]
        mean = sum(back) / rounds
        error = sqrt(sum((one - mean) ** 2 for one in back) / (rounds - 1) / rounds)
        assert abs(mean - (12 - float(row.edge) * 10)) < 4 * error
