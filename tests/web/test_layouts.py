"""Modules of the page against the games: every bet has its spot and no other, and a proof claims what was checked."""

from __future__ import annotations

import json
import re
from itertools import pairwise, product

import pytest

from croupier.games.craps.bets import BETS as CRAPS_BETS
from croupier.games.craps.bets import CODES as CRAPS_CODES
from croupier.games.craps.layout import LiveBet
from croupier.games.roulette import rules as roulette_rules
from croupier.games.roulette.bets import bets_of
from croupier.games.sic_bo import rules as sic_bo_rules
from croupier.games.sic_bo.bets import BETS as SIC_BO_BETS
from tests.web.page_modules import STATIC, call, needs_node

pytestmark = needs_node


@pytest.mark.parametrize(
    ("zero_rule", "has_two_zeros"), [(roulette_rules.STANDARD, "false"), (roulette_rules.DOUBLE_ZERO_WHEEL, "true")]
)
def test_the_roulette_layout_has_one_spot_for_every_bet_that_lights_up_what_the_bet_covers(
    zero_rule: int, has_two_zeros: str
) -> None:
    spots = call("tables/roulette.js", f"m.placesOf({has_two_zeros}).map(one => [one.bet, one.covers])")
    bets = bets_of(zero_rule)
    assert sorted(bet for bet, _ in spots) == sorted(bets)
    for bet, covers in spots:
        kind, number = bets[bet]
        assert sorted(covers) == [pocket for pocket in range(38) if roulette_rules.covers(kind, number, pocket)], bet


def test_the_wheel_has_every_pocket_once_and_colours_alternate() -> None:
    for two, count in (("false", 37), ("true", 38)):
        order = call("draw/wheel.js", f"m.orderOf({two})")
        assert sorted(order) == list(range(count))
        colours = call("draw/wheel.js", f"m.orderOf({two}).map(m.colourOf)")
        rim = [colour for colour in colours if colour != "green"]
        assert {"red", "black", "green"} == set(colours)
        assert all(first != second for first, second in pairwise(colours)), two
        assert rim.count("red") == rim.count("black") == 18


def test_the_sic_bo_board_has_one_spot_for_every_bet() -> None:
    by_kind = call("tables/sic-bo.js", "m.betsOf()")
    spots = [one["bet"] for bets in by_kind.values() for one in bets] + ["small", "big", "odd", "even", "any_triple"]
    assert sorted(spots) == sorted(SIC_BO_BETS)


def test_every_spot_that_three_dice_make_is_lit_and_no_other() -> None:
    rolls = list(product(range(1, 7), repeat=3))
    made = call(
        "tables/sic-bo.js", f"{json.dumps(rolls)}.map(d => {json.dumps(list(SIC_BO_BETS))}.filter(b => m.isMade(b, d)))"
    )
    for dice, found in zip(rolls, made, strict=True):
        assert found == [bet for bet, named in SIC_BO_BETS.items() if sic_bo_rules.times_won(*named, *dice)], dice


def test_the_craps_layout_knows_every_name_there_is() -> None:
    assert sorted(call("common/craps-bets.js", "m.allNames()")) == sorted(CRAPS_BETS)


def test_a_craps_bet_is_called_on_the_page_what_the_rules_call_it() -> None:
    ups = []
    for name in CRAPS_CODES.codes:
        bet, second = CRAPS_BETS[name]
        is_mode = 5 <= bet < 25  # a YES or a NO: the second byte is the mode, else the number
        ups.append(LiveBet(bet, 5, 0 if is_mode else second, second if is_mode else 0))
    given = [{"id": up.id, "number": up.number, "mode": up.mode} for up in ups]
    assert call("common/craps-bets.js", f"{json.dumps(given)}.map(m.nameOf)") == [up.name for up in ups]


ROUNDS = "PPBBBTPBP"  # columns of the big road: PP, BBB (one tie), P, B, P


def _rounds(winners: str) -> str:
    return json.dumps([{"winner": winner, "pairs": [False, False]} for winner in winners])


def test_the_big_road_is_runs_of_one_winner_with_ties_noted_on_the_last() -> None:
    columns = call("draw/roads.js", f"m.bigRoad({_rounds(ROUNDS)}).map(c => c.map(e => e.winner + e.ties))")
    assert columns == [["P0", "P0"], ["B0", "B0", "B1"], ["P0"], ["B0"], ["P0"]]


def test_the_derived_roads_compare_columns_as_the_rules_of_the_roads_say() -> None:
    roads = call("draw/roads.js", f"[1, 2, 3].map((skip) => m.derivedRoad(m.bigRoad({_rounds(ROUNDS)}), skip))")
    # Big eye boy begins with the second of the second column. Its column before has two: row 2 has a neighbour (red),
    # row 3 has none below one (blue). Then new columns: 3 against 2 (blue), 1 against 3 (blue), 1 against 1 (red).
    assert roads[0] == ["red", "blue", "blue", "blue", "red"]
    # The small road skips one: it begins with the fourth column's first, 1 against 2, then 1 against 3.
    assert roads[1] == ["blue", "blue"]
    # The cockroach skips two: the fifth column's first, 1 against 2.
    assert roads[2] == ["blue"]


def test_prices_are_read_from_the_rules_where_the_odds_do_not_say_them() -> None:
    tables = [
        {
            "heading": "Bets",
            "columns": ["bet", "covers", "pays"],
            "rows": [["`straight:17`", "one", "35 to 1"], ["`red`, `black`", "18", "1 to 1"]],
        }
    ]
    ctx = f"{{ game: {{ pay_tables: {json.dumps(tables)} }}, pays: (bet) => bet === 'red' ? '2 to 1' : null }}"
    found = call(
        "common/pays.js", f"((ctx) => ['straight:5', 'red', 'black', 'odd'].map(b => m.paysOf(ctx, b)))({ctx})"
    )
    assert found == ["35 to 1", "2 to 1", "1 to 1", None]


def test_the_rules_that_players_read_name_no_command_and_no_identifier() -> None:
    pages = [page.read_text() for page in sorted((STATIC.parents[3] / "docs/games").glob("*.md"))]
    read = call("common/markdown.js", f"{json.dumps(pages)}.map(m.forPlayers)")
    assert len(read) == 13
    assert [re.findall(r"`(?:croupier|python|pip|--).*|[a-z]+_[a-z]+", text) for text in read] == [[]] * 13
    assert all("## How to play" in text for text in read)


MINE = {"kept": True, "client seed": True}
ALL_CHECKED = (
    "The cards were fixed before you bet, and you mixed in a number of your own. "
    r"Your browser worked them out again: the same\.$"
)
NOTHING = "(?!)"


@pytest.mark.parametrize(
    ("game", "came", "said", "unsaid"),
    [
        ("blackjack", {**MINE, "draws": True}, ALL_CHECKED, NOTHING),
        ("craps", {**MINE, "draws": None}, "The dice were fixed before you bet", "the same"),
        ("lanes", {"kept": True, "client seed": None, "draws": True}, "", "mixed in"),
        ("roulette", {"draws": True}, ".*not compared with what you saw", "fixed before"),
        ("roulette", {**MINE, "draws": False}, "This record does not hold", NOTHING),
    ],
    ids=["all was checked", "draws were not", "no part was mine", "nothing was kept", "a check fails"],
)
def test_the_sentence_of_a_proof_claims_what_was_checked_and_no_more(
    game: str, came: dict[str, bool | None], said: str, unsaid: str
) -> None:
    checks = [{"name": name, "ok": ok} for name, ok in came.items()]
    words = call("common/seal.js", f"m.sealWords(given, '{game}')", checks)

    assert re.match(said, words)
    assert not re.search(unsaid, words)
