"""A charge that is reserved before the draw and taken with the loss: the one result that needs it."""

import pytest
from msgspec.structs import replace

from croupier.engine import action, register_game
from croupier.engine.registry import unregister_game
from croupier.house import (
    Continue,
    HouseGame,
    HouseState,
    HouseTurn,
    Loss,
    LossWithExtraDeduction,
    Win,
    game_result_delta,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.rng import GameRng


class Blank(HouseState, frozen=True):
    pass


class Surety(HouseGame[Blank]):
    """The surety is set aside before the draw, in a move of its own, and taken only by the loss."""

    id, name = "probe-surety", "Surety"

    def setup(self, table):
        table.take("main", table.stake, most=2 * table.stake)
        return Blank()

    @action(opcode=0)
    def vouch(self, state: Blank, turn: HouseTurn) -> Blank:
        stake = turn.stakes[0].stake
        turn.take("surety", stake, most=2 * stake, reserved=True)
        return state

    @action(opcode=1)
    def draw(self, state: Blank, turn: HouseTurn) -> Blank:
        wins = turn.rng.next_bounded(2)
        for laid in turn.stakes:
            turn.settle(laid.bet, 2 * laid.stake * wins)
        turn.finish()
        return state


@pytest.fixture
def surety():
    game = Surety()
    register_game(game)
    yield game
    unregister_game(game.id)


def outcomes(game, *moves):
    """Return every result that these moves lead to, each with what the player was left with."""
    seen = set()
    for number in range(20):
        seed = bytes((number,))
        opened = open_session(game, player="ann", session_id=1, stake=100, seed=seed)
        session, result = init_game(opened, GameRng.new(seed, 1, 0))
        moved = -100 + game_result_delta(result)
        for move in moves:
            session, result = process_game_move(settle(session, result), move)
            moved += game_result_delta(result)
        assert moved == session.money.net
        seen.add(replace(result, logs=()))
    return seen


def test_a_reserved_charge_is_taken_with_the_loss(surety):
    assert outcomes(surety, b"\1\0", b"\1\1") == {LossWithExtraDeduction(100), Win(300)}


def test_without_a_reservation_the_same_loss_is_a_plain_one(surety):
    assert outcomes(surety, b"\1\1") == {Loss(), Win(200)}


def test_reserving_moves_no_chips_in_the_result_and_still_sets_them_aside(surety):
    seed = bytes(32)
    opened = open_session(surety, player="ann", session_id=1, stake=100, seed=seed)
    session, result = init_game(opened, GameRng.new(seed, 1, 0))

    session, result = process_game_move(settle(session, result), b"\1\0")

    assert replace(result, logs=()) == Continue()
    assert session.money.staked == 200
