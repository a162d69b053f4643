"""Games of many bets and one draw, the actions that all of them have, and the probes under the conformance kit."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.engine import act, action
from croupier.errors import BadGame, GameFault
from croupier.house import (
    BetCodes,
    GameType,
    HouseTurn,
    OddsRow,
    TableGame,
    decode_payload,
    encode_payload,
)
from croupier.house.odds import row_from_returns
from croupier.house.table_game import BetOpcodes
from croupier.testing import HouseKit, check_game, laid, lines
from tests.unit.house.playing import after, batch, begun, refusal
from tests.unit.house.probes import Blank


def place(bet, stake=1):
    return act("place", bet=bet, stake=stake)


def test_a_batch_has_no_more_bets_than_the_most_whatever_its_schema_takes(probes):
    """A game with the actions of the base class says so in the schema: see `tests/games/test_table_games.py`."""
    session = begun(probes.wheel)
    assert refusal(session, batch(("even", 1), ("odd", 1), ("number:1", 1), ("number:2", 1))) == "too_many_bets"
    assert session == begun(probes.wheel)


@pytest.mark.parametrize("name", ["coin", "wheel", "card", "war", "ladder"])
def test_the_probes_keep_every_law_of_the_conformance_kit(probes, name):
    """So that what these tests find is the house's doing and not theirs."""
    report = check_game(getattr(probes, name), seeds=2, limit=5000)
    assert report.findings == ()


def test_the_audit_of_a_state_finds_chips_that_are_on_no_line(probes):
    state = after(begun(probes.wheel), place("even", 5)).match.game
    assert probes.wheel.audit(state) is None
    for forged in (replace(state.money, staked=6), replace(state.money, returned=1), replace(state.money, open=())):
        assert probes.wheel.audit(replace(state, money=forged))


# The actions that every table game has: given for naming their opcodes, with the game's own bets in the signature.


class Draw(TableGame[Blank]):
    """One bet, won by nobody."""

    id, name = "probe-draw", "Draw"
    game_type = GameType.SIC_BO
    codes = BetCodes({"any": (3, 0), "number:7": (4, 7)})
    opcodes = BetOpcodes(place=0, clear=5, batch=9)
    bets_max = 2
    sample_bets = ("any",)

    @action(phase="betting", opcode=1)
    def draw(self, state: Blank, turn: HouseTurn) -> Blank:
        """Draw and lose."""
        self.require_bets(turn)
        return self.drawn(state, turn)

    def drawn(self, state: Blank, turn: HouseTurn) -> Blank:
        turn.rng.next_bounded(2)
        for stake in turn.stakes:
            turn.settle(stake.bet, 0)
        turn.finish()
        return state

    def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
        return stake


KIT = HouseKit(Draw())


def test_a_game_gets_place_clear_and_batch_with_its_opcodes_in_their_order():
    actions = KIT.game.actions
    assert [(spec.name, spec.opcode) for spec in actions.values()] == [
        ("place", 0),
        ("draw", 1),
        ("clear", 5),
        ("batch", 9),
    ]
    assert actions["place"].doc == "Lay chips on a bet, or more chips on it."
    assert actions["clear"].doc == "Take every bet back."


def test_their_bytes_are_those_of_the_games_own_bets():
    placed = encode_payload(KIT.game, place("number:7", 5))
    assert placed.hex() == "010004070000000000000005"
    assert decode_payload(KIT.game, placed).payload == {"bet": "number:7", "stake": 5}
    assert encode_payload(KIT.game, batch(("any", 1))).hex() == "01090103000000000000000001"


def test_they_lay_take_back_and_play_no_more_bets_than_the_most():
    match = KIT.do(KIT.start(), place("any", 5))
    assert laid(match) == [("any", 5)]
    assert laid(KIT.do(match, act("clear"))) == []
    played = KIT.do(KIT.start(), batch(("any", 1), ("number:7", 2)))
    assert lines(played) == [("any", 1, 0), ("number:7", 2, 0)]
    assert played.status == "finished"
    assert KIT.refusal(KIT.start(), batch(("any", 1), ("number:7", 1), ("any", 1))) == "bad_payload"


def test_a_game_must_say_how_bets_are_decided_and_the_most_they_return():
    class Undecided(Draw):
        id = "probe-undecided"
        drawn = TableGame.drawn
        most_returned = TableGame.most_returned

    game: Any = Undecided()
    kit = HouseKit(game)
    with pytest.raises(BadGame, match="most a bet returns"):
        game.most_returned("any", 1, None, False)
    game.most_returned = Draw().most_returned
    with pytest.raises((BadGame, GameFault), match="decided"):
        kit.do(kit.start(), batch(("any", 1)))


def test_a_game_that_writes_one_of_them_itself_keeps_its_own():
    class Strict(Draw):
        id = "probe-strict"

        @action(phase="betting", opcode=5)
        def clear(self, state: Blank, turn: HouseTurn) -> Blank:
            """Give nothing back."""
            return state

    class Stricter(Strict):
        id = "probe-stricter"

    for game in (Strict(), Stricter()):
        assert game.actions["clear"].doc == "Give nothing back."
        assert [spec.opcode for spec in game.actions.values()] == [0, 1, 5, 9]


# Rows of an odds sheet.


def test_a_row_of_odds_counts_chances_and_edge():
    row = row_from_returns("red", {2: Fraction(18, 37), 1: Fraction(1, 37), 0: Fraction(18, 37)})
    chances = (Fraction(18, 37), Fraction(1, 37), Fraction(18, 37))
    assert row == OddsRow("red", "-", *chances, Fraction(0), Fraction(0), variance=Fraction(36, 37))
    assert row.plain() == {
        "bet": "red",
        "policy": "-",
        "win": "18/37",
        "push": "1/37",
        "lose": "18/37",
        "edge": "0/1",
        "edge_per_chip": "0/1",
        "method": "exact",
        "variance": "36/37",
    }


@given(weights=st.dictionaries(st.fractions(0, 40, max_denominator=5), st.integers(1, 50), min_size=1, max_size=6))
def test_the_edge_is_the_stake_less_what_comes_back_on_average(weights):
    whole = sum(weights.values())
    row = row_from_returns("bet", {returned: Fraction(weight, whole) for returned, weight in weights.items()})
    assert row.win + row.push + row.lose == 1
    average = sum((returned * weight for returned, weight in weights.items()), Fraction(0)) / whole
    assert row.edge == row.edge_per_chip == 1 - average


def test_chances_that_do_not_add_up_are_a_bug():
    with pytest.raises(AssertionError, match="add up"):
        row_from_returns("red", {2: Fraction(1, 2), 0: Fraction(1, 3)})
