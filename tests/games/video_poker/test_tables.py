"""The shipped tables of video poker, made again from the rules and compared; and published figures for the solver."""

from __future__ import annotations

import lzma
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

from croupier.games.video_poker import tables
from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES, Policy
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.rules import holds
from tools import video_poker_tables


@cache
def counter(is_wild: bool) -> video_poker_tables.Counter:
    return video_poker_tables.Counter(is_wild)


# The files.


def test_the_shipped_counts_are_those_of_the_rules():
    shipped = tables._shipped("counts.xz")

    assert lzma.decompress(shipped) == video_poker_tables.make_counts()
    assert len(shipped) < 5_000


@pytest.mark.parametrize("name", PAY_TABLES)
def test_the_shipped_best_play_is_that_of_the_rules(name):
    options = VideoPokerOptions(name)
    shipped = tables.best_play().pay_tables[name].policies

    policies: tuple[Policy, ...] = ("optimal", "hold_all")
    for policy in policies:
        assert shipped[policy] == video_poker_tables.make_policy(options, policy, counter(options.is_wild))


def test_what_is_shipped_about_super_mode_is_that_of_the_rules():
    options, shipped = VideoPokerOptions(), tables.best_play().pay_tables["jacks_9_6"]

    assert shipped.policies["royal_hunter"] == video_poker_tables.make_policy(options, "royal_hunter", counter(False))
    assert shipped.super_bound == video_poker_tables.make_super_bound(options, counter(False))


@pytest.mark.soak
def test_the_command_writes_what_is_shipped(tmp_path):
    """Every policy under every pay table, and every bound: half a minute."""
    assert video_poker_tables.main([str(tmp_path)]) == 0

    assert (tmp_path / "best_play.json").read_bytes() == tables._shipped("best_play.json")
    assert lzma.decompress((tmp_path / "counts.xz").read_bytes()) == lzma.decompress(tables._shipped("counts.xz"))
    assert video_poker_tables.write_best_play(video_poker_tables.make_best_play()) == tables._shipped("best_play.json")


def test_the_command_asks_for_a_folder(capsys):
    assert video_poker_tables.main([]) == 2
    assert "FOLDER" in capsys.readouterr().err


@pytest.mark.parametrize("is_wild", [False, True])
def test_counts_of_sets_add_up_to_those_of_larger_ones(is_wild):
    """Every hand that contains a set contains 5 - k larger ones by one card: counted for sets of the first cards."""

    def count(column: tables.Column, cards: tuple[int, ...]) -> int:
        slots = [0] * (3 << len(cards))
        in_order = sorted(cards, key=lambda card: (card % 13, card // 13))
        holds.fill_slots(in_order, 0, range(len(cards)), len(cards), slots)
        return column.count(slots[-1 - 2 * (1 << len(cards))])

    for column in tables.counts(is_wild):
        for size in range(4):
            for cards in list(combinations(range(0, 52, 7), size))[:12]:
                larger = sum(count(column, (*cards, card)) for card in range(52) if card not in cards)
                assert larger == (5 - size) * count(column, cards)


# Published figures: how often each hand is the final one, of 19,933,230,517,200.

TOTAL = comb(52, 5) * 7_669_695
PUBLISHED_WAYS = """
hand                        jacks_9_6          bonus_8_5 double_bonus_10_7     deuces_wild
royal_flush               493_512_264        495_443_136       414_860_472     458_696_304
straight_flush          2_178_883_296      2_129_604_264     2_254_539_360 102_392_435_976
four_aces                           -      3_903_775_812     3_962_537_892               -
four_twos_to_fours                  -     10_509_866_328    10_446_264_684               -
four_of_a_kind                      -     32_688_417_336    32_045_992_176               -
full_house            229_475_482_596    229_516_869_924   223_050_658_608               -
flush                 219_554_786_160    216_873_645_000   298_068_519_408               -
straight              223_837_565_784    223_676_319_912   299_385_345_432               -
three_of_a_kind     1_484_003_070_324  1_484_391_167_856 1_439_168_246_364               -
two_pair            2_576_946_164_148  2_577_523_603_752 2_484_844_034_580               -
high_pair           4_277_372_890_968  4_290_810_981_444 3_834_735_881_328               -
nothing            10_872_274_993_896 10_860_710_822_436 11_304_853_636_896              -
four_deuces                         -                  -                 -   3_721_737_204
wild_royal_flush                    -                  -                 -  38_006_962_464
five_of_a_kind                      -                  -                 -  61_961_233_656
"""
HEAD, *ROWS = [line.split() for line in PUBLISHED_WAYS.strip().splitlines()]
PUBLISHED = {
    name: {row[0]: int(row[column]) for row in ROWS if row[column] != "-"} for column, name in enumerate(HEAD) if column
}
NOT_ON_OFFER = PUBLISHED.pop("double_bonus_10_7")


@pytest.mark.parametrize("name", PUBLISHED)
def test_final_hands_are_as_frequent_as_published(name):
    solution = tables.best_play().pay_tables[name]
    ways = {str(hand): sum(by_light) for hand, by_light in solution.policies["optimal"].items()}

    assert tables.best_play().deals == TOTAL
    assert {hand: ways[hand] for hand in PUBLISHED[name]} == PUBLISHED[name]
    if name == "jacks_9_6":
        assert ways["four_of_a_kind"] + ways["four_twos_to_fours"] + ways["four_aces"] == 47_093_167_764


def test_a_pay_table_that_is_not_on_offer_comes_to_what_is_published():
    """Double Bonus 10/7, which gives the player an edge: 100.1725 %, and each final hand."""
    pays = [0, 1, 1, 3, 5, 7, 10, 50, 50, 800, 80, 160, 0, 0, 0]
    counts = counter(False).final_hands([pay for pay in pays for _ in range(5)])
    ways = {name: sum(counts[5 * hand : 5 * hand + 5]) for hand, name in enumerate(HAND_NAMES)}

    assert {name: count for name, count in ways.items() if count} == NOT_ON_OFFER
    returned = Fraction(sum(ways[name] * pays[hand] for hand, name in enumerate(HAND_NAMES)), TOTAL)
    assert f"{float(returned):.4%}" == "100.1725%"
