"""The cases of the specification in its own notation: boards S01 to S29, layer and data A01 to A18."""

from __future__ import annotations

import re
from typing import Any

import pytest

from croupier.games.lanes.compat import (
    CardHydrator,
    Deck,
    Hand,
    compute_projection_targets,
    compute_projection_targets_for_enemy,
)
from croupier.games.lanes.play.position import LANES
from tests.games.lanes.conftest import RULES, cases, run_case

# The lines are those of the specification, without the columns that say where they come from.
CASES = """
S01 | both | start board | none | TOP-1=Y1; MID-1=Y1; BOT-1=Y1; TOP-5=E1; BOT-5=E1; MID-3=N0; TOP-2=N0
S02 | both | start board | Y K01 MID-1 | TOP-1=Y2; BOT-1=Y2; MID-2=Y1; MID-1=Y:K01(1); TOP-2=N0
S03 | both | start board | E K01 MID-5 | TOP-5=E2; BOT-5=E2; MID-4=E1; MID-5=E:K01(1)
S04 | both | start board | E K03 MID-5 | MID-4=E1; TOP-5=E1; BOT-5=E1; TOP-4=N0
S05 | both | start board | Y K02 TOP-1 | TOP-2=Y1; MID-1=Y2; BOT-1=Y1
S06 | both | TOP-1=Y3 | Y K01 MID-1 | TOP-1=Y3
S07 | both | start board | Y K11 TOP-1 | BOT-1=Y3; MID-1=Y1
S08 | both | MID-1=Y2 | Y K10 MID-1 | TOP-1=Y3; BOT-1=Y3; MID-2=Y2
S09 | both | MID-1=Y2, TOP-3=Y3, BOT-1=Y1:K01 | none | Y K08 MID-1 legal; Y K08 TOP-1 illegal; Y K01 TOP-2 illegal; Y K01 TOP-5 illegal; E K01 TOP-5 legal; Y K01 BOT-1 illegal; Y K01 TOP-3 legal; Y K09 TOP-3 legal; E K01 MID-1 illegal
S10 | both | BOT-1=Y1:K01, TOP-5=E1:K01 | none | Y K21 BOT-1 legal; Y K21 TOP-1 illegal; Y K21 TOP-5 illegal; E K21 TOP-5 legal
S11 | both | MID-2=E1 | Y K01 MID-1 | MID-2=Y1
S12 | seed | MID-2=E2 | Y K01 MID-1 | MID-2=E1
S13 | console | MID-2=E2 | Y K01 MID-1 | MID-2=Y2
S14 | both | MID-2=E1:K08 | Y K03 MID-1 | MID-2=E:K08(1); MID-1=Y:K03(3)
S15 | both | MID-2=Y1:K08 | Y K03 MID-1 | MID-2=Y:K08(4)
S16 | both | start board | Y K05 MID-1, Y K01 TOP-1 | TOP-1=Y:K01(3); MID-1=Y:K05(1)
S17 | both | TOP-1=E1:K08 | Y K05 MID-1 | TOP-1=E:K08(4)
S18 | both | start board | Y K05 MID-1, Y K01 TOP-1, Y K21 MID-1 | TOP-1=Y:K01(1); MID-1=Y:K21(2)
S19 | both | TOP-1=Y2:K08, BOT-1=E1:K08 | Y K04 MID-1 | TOP-1=Y:K08(3); BOT-1=E:K08(3)
S20 | both | TOP-1=Y2:K08 | Y K04 MID-1, Y K21 MID-1 | TOP-1=Y:K08(3)
S21 | both | MID-3=E1:K02, MID-1=Y2 | Y K46 MID-1 | MID-3=E1; MID-1=Y:K46(1)
S22 | both | start board | Y K36 MID-1 | Y hand ends with K37
S23 | both | TOP-1=Y1:K08, MID-1=Y1:K02, MID-2=Y1:K03, MID-3=E1:K26, MID-4=E1:K17, MID-5=E1:K27, BOT-1=Y1:K02, BOT-2=Y1:K03, BOT-4=E1:K17, BOT-5=E1:K10 | none | lanes 4-0→Y 4 / 5-8→E 8 / 5-7→E 7; total 4-15, winner E
S24 | both | TOP-1=Y1:K02, TOP-5=E1:K17, MID-1=Y1:K01 | none | lanes 2-2→none / 1-0→Y 1 / 0-0→none; total 1-0, winner Y
S25 | both | TOP-1=Y1:K08, MID-5=E1:K41 | none | lanes 4-0→Y 4 / 0-4→E 4 / 0-0→none; total 4-4, winner none
S26 | both | TOP-1=Y1:K38, TOP-2=Y1:K02, TOP-5=E1:K01, BOT-1=Y1:K38, BOT-5=E1:K17 | none | lanes 3-1→Y 8 / 0-0→none / 1-2→E 2; total 8-2, winner Y
S27 | both | TOP-1=Y1:K38, TOP-2=Y1:K38, TOP-5=E1:K01 | none | lanes 2-1→Y 12 / 0-0→none / 0-0→none; total 12-0, winner Y
S28 | console | TOP-1=Y1:K39, TOP-5=E1:K03, MID-1=Y2:K08, MID-5=E1:K01 | none | lanes 1-3→E 4 / 4-1→Y 5 / 0-0→none; total 5-4, winner Y
S29 | seed | TOP-1=Y1:K39, TOP-5=E1:K03, MID-1=Y2:K08, MID-5=E1:K01 | none | lanes 1-3→E 3 / 4-1→Y 4 / 0-0→none; total 4-3, winner Y
"""  # noqa: E501
ROWS = cases(CASES)
PARAMETERS = [
    pytest.param(profile, set_up, plays, expected, id=f"{name}-{profile}")
    for name, profiles, set_up, plays, expected in ROWS
    for profile in (RULES if profiles == "both" else [profiles])
]


def test_there_are_as_many_cases_as_specified():
    assert [row[0] for row in ROWS] == [f"S{number:02}" for number in range(1, 30)]
    assert len(PARAMETERS) == 54


@pytest.mark.parametrize(("profile", "set_up", "plays", "expected"), PARAMETERS)
def test_a_board_case_comes_out_as_specified(probe, profile, set_up, plays, expected):
    run_case(probe, RULES[profile], set_up, plays, expected)


# --- The layer and its data -------------------------------------------------------------------------------------------
# A02, A07, A09 and A13 are tests that the document names, in test_simulation.py: shuffle, sync, draw step, clone. There
# A08, A10, A11 and A14 are scenes, and A12 is the mulligan of a game.

IDS = [f"{number:03}" for number in range(1, 16)]
A03 = ["015", "011", "006", "009", "001", "010", "007", "013", "004", "012", "008", "014", "005", "003", "002"]


@pytest.mark.parametrize("count", [14, 16])
def test_a01_a_deck_of_another_size_is_a_value_error(count):
    with pytest.raises(ValueError, match="a deck is 15 cards"):
        Deck(["001"] * count)


def test_a04_an_empty_deck_gives_none():
    deck = Deck(IDS)

    assert sorted(deck.draw_n(20)) == IDS
    assert deck.draw() is None


def test_a03_and_a05_seed_7_gives_the_published_order_and_a_second_shuffle_gives_it_again():
    deck = Deck(IDS, seed=7)
    assert [deck.draw() for _ in range(15)] == A03

    deck.shuffle()

    assert deck.draw_n(15) == A03


def test_a06_one_copy_is_removed_and_places_that_are_not_there_are_index_errors(probe):
    hand = Hand(CardHydrator(probe))
    hand.from_card_ids(["K01", "K01", "K02"])

    hand.remove_index(0)

    assert hand.as_card_ids() == ["K01", "K02"]
    for place_in_hand in (5, -1):
        with pytest.raises(IndexError):
            hand.remove_index(place_in_hand)


@pytest.mark.parametrize(
    ("reaches", "card_id", "lane", "col", "expected"),
    [
        pytest.param(compute_projection_targets, "015", 2, 1, {"P MID-1", "P MID-3"}, id="A15 between the lanes"),
        pytest.param(compute_projection_targets, "020", 1, 1, {"X MID-3", "P TOP-1", "P BOT-1"}, id="A16"),
        pytest.param(compute_projection_targets_for_enemy, "020", 1, 3, {"X MID-3", "P TOP-5", "P BOT-5"},
                     id="A16 mirrored for the enemy"),
        pytest.param(compute_projection_targets, "012", 0, 0, {"P TOP-2", "P MID-1", "E BOT-2"}, id="A17 lanes down"),
    ],
)  # fmt: skip
def test_a15_to_a17_a_pattern_reaches_what_is_specified(compatibility, reaches, card_id, lane, col, expected):
    targets = reaches(compatibility.get_card(card_id), lane, col)

    assert {f"{kind} {LANES[to_lane]}-{to_col + 1}" for to_lane, to_col, kind in targets} == expected


def test_a18_the_compatibility_file(compatibility_file: list[dict[str, Any]]):
    """The file as it is: how many cards of which cost there are, and that every pattern is one."""
    cards = compatibility_file[1:]
    patterns = [card["pattern"] or "" for card in cards]

    assert list(compatibility_file[0]) == ["_meta"]
    assert len(cards) == 164
    assert [sum(1 for card in cards if card["cost"] == cost) for cost in range(4)] == [11, 63, 49, 41]
    assert all(re.fullmatch(r"|[A-E][1-5][PEX](,[A-E][1-5][PEX])*", pattern) for pattern in patterns)
    assert not any("C3" in pattern for pattern in patterns)
