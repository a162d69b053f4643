"""The actions that every table game has: given for naming their opcodes, with the game's own bets in the signature."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine import Setup, act, action, apply_action, create_match
from croupier.errors import BadGame, GameFault
from croupier.house import BetCodes, GameType, HouseState, HouseTurn, decode_payload, encode_payload
from croupier.house.table_game import BetOpcodes, TableGame


class Blank(HouseState, frozen=True):
    pass


class Draw(TableGame[Blank]):
    """One bet, won by nobody."""

    id, name = "probe-draw", "Draw"
    game_type = GameType.SIC_BO
    starting_phase = "betting"
    codes = BetCodes({"any": (3, 0), "number:7": (4, 7)})
    opcodes = BetOpcodes(place=0, clear=5, batch=9)
    bets_max = 2
    sample_bets = ("any",)
    decide = "draw"

    def setup(self, table: Setup) -> Blank:
        return Blank()

    @action(phase="betting", opcode=1)
    def draw(self, state: Blank, turn: HouseTurn) -> Blank:
        """Draw and lose."""
        self.require_bets(turn)
        return self.drawn(state, turn)

    def drawn(self, state: Blank, turn: HouseTurn) -> Blank:
        turn.rng.next_bounded(2)
        for laid in turn.stakes:
            turn.settle(laid.bet, 0)
        turn.finish()
        return state

    def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
        return stake


GAME = Draw()


def start():
    return create_match(GAME, ["ann"], seed=bytes(32), host=GAME.sample_terms())


def test_a_game_gets_place_clear_and_batch_with_its_opcodes_in_their_order():
    assert [(spec.name, spec.opcode) for spec in GAME.actions.values()] == [
        ("place", 0),
        ("draw", 1),
        ("clear", 5),
        ("batch", 9),
    ]
    assert GAME.actions["place"].doc == "Lay chips on a bet, or more chips on it."
    assert GAME.actions["clear"].doc == "Take every bet back."


def test_their_bytes_are_those_of_the_games_own_bets():
    placed = encode_payload(GAME, act("place", bet="number:7", stake=5))
    assert placed.hex() == "010004070000000000000005"
    assert decode_payload(GAME, placed).payload == {"bet": "number:7", "stake": 5}
    batch = encode_payload(GAME, act("batch", bets=[{"bet": "any", "stake": 1}]))
    assert batch.hex() == "01090103000000000000000001"


def test_they_lay_take_back_and_play():
    match = apply_action(GAME, start(), act("place", bet="any", stake=5)).state
    assert [stake.bet for stake in match.game.money.open] == ["any"]
    assert apply_action(GAME, match, act("clear")).state.game.money.open == ()
    bets = [{"bet": "any", "stake": 1}, {"bet": "number:7", "stake": 2}]
    played = apply_action(GAME, start(), act("batch", bets=bets)).state
    assert [(line.bet, line.stake) for line in played.game.money.lines] == [("any", 1), ("number:7", 2)]
    assert played.status == "finished"


def test_a_batch_is_no_longer_than_the_most_bets():
    many = [{"bet": "any", "stake": 1}, {"bet": "number:7", "stake": 1}, {"bet": "any", "stake": 1}]
    answer = apply_action(GAME, start(), act("batch", bets=many))
    assert not answer.ok
    assert answer.code == "bad_payload"


def test_a_game_that_does_not_say_how_bets_are_decided_is_told_so():
    class Undecided(Draw):
        id = "probe-undecided"
        drawn = TableGame.drawn

    match = create_match(Undecided(), ["ann"], seed=bytes(32), host=GAME.sample_terms())
    with pytest.raises((BadGame, GameFault), match="decided"):
        apply_action(Undecided(), match, act("batch", bets=[{"bet": "any", "stake": 1}]))


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
