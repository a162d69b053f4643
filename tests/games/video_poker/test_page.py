"""The page of video poker: the prices, chances and edges it states are those that are counted."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import floor
from pathlib import Path

from croupier.games.video_poker import VideoPoker, odds
from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES, POLICIES
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.render import boost_factor, hand_words
from croupier.games.video_poker.rules import hands, rounds
from tests.games.pages import percent, plain_table

GAME = VideoPoker()
PAGE = GAME.rules_text()
table = partial(plain_table, PAGE)
DECISION = (Path(__file__).parents[3] / "docs" / "decisions" / "0023-video-poker.md").read_text()
OPTIONS = {name: VideoPokerOptions(name) for name in PAY_TABLES}


def head(*names: str) -> str:
    return " | ".join(["hand", *(f"`{name}`" for name in names)])


def test_hands_pay_what_the_page_says():
    natural = PAY_TABLES[:4]
    for words, *prices in table(head(*natural)):
        hand = next(hand for hand in HAND_NAMES if hand_words(hand, OPTIONS["bonus_8_5"]) == words)
        assert prices == [str(OPTIONS[name].pays[HAND_NAMES.index(hand)]) for name in natural]
    assert len(table(head(*natural))) == sum(paid > 0 for paid in hands.PAYS[0])
    wild = dict(table(head("deuces_wild")))
    assert wild == {
        hand_words(hand, OPTIONS["deuces_wild"]): str(paid)
        for hand, paid in zip(HAND_NAMES, OPTIONS["deuces_wild"].pays, strict=True)
        if paid
    }


def test_the_best_play_has_the_chances_and_edges_the_page_says():
    stated = {name: cells for name, *cells in table("pay table | chance to win | chance to push | edge")}

    assert list(stated) == list(PAY_TABLES)
    for name, options in OPTIONS.items():
        row = next(row for row in odds.odds(options) if row.policy == "optimal")
        assert stated[name] == [percent(row.win), percent(row.push), percent(row.edge)]


def test_final_hands_are_as_frequent_as_the_page_says():
    chances = [odds.hand_chances(options, "optimal") for options in OPTIONS.values()]
    rows = table(head(*PAY_TABLES))

    assert sorted(row[0] for row in rows) == sorted(HAND_NAMES)
    for name, *cells in rows:
        hand = HAND_NAMES[HAND_NAMES.index(name)]
        assert cells == [f"{float(1 / found[hand]):,.2f}" if found.get(hand) else "–" for found in chances]


def test_super_mode_costs_what_the_page_says():
    """The edge that no play gets below is rounded down, not to the nearest."""
    stated = {name: cells for name, *cells in table("pay table | `optimal` | `royal_hunter` | no play gets below")}

    assert list(stated) == list(PAY_TABLES)
    for name, options in OPTIONS.items():
        edges = {row.policy: row.edge_per_chip for row in odds.super_odds(options)}
        bound = Fraction(floor(odds.super_bound(options) * 10**6), 10**6)
        assert stated[name] == [percent(edges["optimal"]), percent(edges["royal_hunter"]), percent(bound)]


def test_boosts_are_those_of_the_page():
    (row,) = table("marked cards in the final hand | 0 | 1 | 2 | 3 | 4 | any in a royal flush")

    assert row[1:6] == [boost_factor(tenths) for tenths in rounds.BOOST_TENTHS]
    assert row[6] == boost_factor(rounds.boost_tenths(hands.ROYAL, 1))
    assert f"returns {rounds.super_return(125, 800 * 125, 5000) // 125:,} chips" in PAGE
    assert f"worth {odds.hunter_pays(OPTIONS['jacks_9_6'])[hands.ROYAL] // 1000:,} chips" in PAGE


def test_bots_have_the_edges_the_page_says():
    edges = {row.policy: percent(row.edge) for row in odds.odds(OPTIONS["jacks_9_6"])}

    assert {policy: edge for policy, _, edge in table("policy | keeps | edge at `jacks_9_6`")} == edges
    assert tuple(edges) == POLICIES == tuple(GAME.bots)


# The decision about super mode.


def test_the_decision_states_the_edges_of_the_page():
    head = "pay table | edge | in super mode, `optimal` | `royal_hunter` | no play below"
    stated = {name: cells for name, *cells in plain_table(DECISION, head)}
    plain = {name: cells[-1] for name, *cells in table("pay table | chance to win | chance to push | edge")}
    boosted = {name: cells for name, *cells in table("pay table | `optimal` | `royal_hunter` | no play gets below")}

    assert stated == {name: [plain[name], *boosted[name]] for name in ("jacks_9_6", "deuces_wild")}
    assert set(boosted) == set(PAY_TABLES)


def test_other_constants_would_come_to_what_the_decision_says():
    """The worth of boosts is proportional to the constant; 1/25 is ours."""
    options = OPTIONS["jacks_9_6"]
    plain = {row.policy: row.edge for row in odds.odds(options)}
    boosts = {row.policy: plain[row.policy] + Fraction(1, 5) - row.edge for row in odds.super_odds(options)}

    def edge(policy: str, divisor: int) -> Fraction:
        return (plain[policy] + Fraction(1, 5) - boosts[policy] * Fraction(25, divisor)) / Fraction(6, 5)

    words = " ".join(DECISION.split())
    assert f"still cost {percent(edge('optimal', 20))} at 9/6" in words
    assert f"it would cost {percent(edge('optimal', 50))}:" in words
    assert edge("royal_hunter", 20) < 0  # and who hunts for 1/20 and not for 1/25 does better still
