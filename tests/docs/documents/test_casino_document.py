"""The founding document of the casino's engine (not in this repository), sentence by sentence, at a roulette table."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier import GameRng, act, get_game, list_games
from croupier.engine import canonical
from croupier.house import (
    CHIPS_MAX,
    CasinoError,
    Continue,
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    GameMove,
    GameMoved,
    GameType,
    HouseGame,
    Instruction,
    Loss,
    LossPreDeducted,
    LossWithExtraDeduction,
    MemoryState,
    Player,
    Push,
    Register,
    Session,
    StartGame,
    UnsettledResult,
    Win,
    apply_modifiers,
    check_ledger,
    encode_payload,
    execute,
    game_result_delta,
    generate_super_multipliers,
    get_super_mode_fee,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.game import house_game
from croupier.house.instructions import GameCompleted, GameStarted
from croupier.house.ledger import Ledger
from croupier.rng import SUPER_MOVE

SEED = bytes(range(32))


ROULETTE = house_game("roulette")
RED = encode_payload(ROULETTE, act("place", bet="red", stake=100))
SPIN = encode_payload(ROULETTE, act("spin"))


def begun(session_id: int = 1, **more: Any) -> Session:
    session = open_session(ROULETTE, player="ann", session_id=session_id, seed=SEED, **more)
    session, result = init_game(session, GameRng.new(SEED, session_id, 0))
    return settle(session, result)


def after(session: Session, *payloads: bytes) -> Session:
    for payload in payloads:
        session, result = process_game_move(session, payload)
        session = settle(session, result)
    return session


# Shared types, dispatch, streams.


def test_there_are_ten_types_of_game_and_each_installed_one_has_its_own() -> None:
    games = [game for game in map(get_game, list_games()) if isinstance(game, HouseGame)]

    assert len(games) == len(GameType) == 10
    assert {game.game_type for game in games} == set(GameType)


def test_a_session_names_its_game_and_is_sent_to_it() -> None:
    """No list of games has to be kept: a session finds its game by name, as it was installed."""
    for game_id, dealt in (("roulette", "pockets"), ("sic-bo", "dice")):
        session = open_session(house_game(game_id), player="ann", session_id=1, seed=SEED)
        session, _ = init_game(session, GameRng.new(SEED, 1, 0))
        assert session.match is not None
        assert (session.game_id, getattr(session.match.game, dealt)) == (game_id, ())


def test_set_up_is_move_0_and_every_move_has_the_stream_of_its_number() -> None:
    session = begun()
    assert session.move_count == 0

    session = after(session, RED, SPIN)

    assert session.move_count == 2
    assert session.match is not None
    assert session.match.game.pockets == (GameRng.new(SEED, 1, 2).spin_roulette(),)


def test_a_session_holds_its_state_and_goes_to_plain_json() -> None:
    session = after(begun(), RED)

    assert (session.id, session.player, session.game_id, session.is_complete) == (1, "ann", "roulette", False)
    assert b'"bet":"red"' in canonical(session.match)


# Results.


@pytest.mark.parametrize(
    ("result", "delta"),
    [
        (Continue(), 0),
        (ContinueWithUpdate(-30), -30),
        (Win(200), 200),
        (Push(100), 100),
        (LossWithExtraDeduction(50), -50),
        (Loss(), 0),
        (LossPreDeducted(70), 0),
    ],
)
def test_results_map_to_balance_deltas_as_the_document_says(result: Any, delta: int) -> None:
    assert game_result_delta(result) == delta


def test_a_win_is_stake_and_profit_and_a_loss_during_play_was_deducted() -> None:
    results = {}
    for session_id in range(20):
        session = after(begun(session_id), RED)
        _, result = process_game_move(session, SPIN)
        results[type(result)] = replace(result, logs=())

    assert results == {Win: Win(200), LossPreDeducted: LossPreDeducted(100)}


def test_a_result_must_be_dealt_with_before_the_next_move() -> None:
    session, result = process_game_move(begun(), RED)

    with pytest.raises(UnsettledResult):
        process_game_move(session, SPIN)
    assert settle(session, result).unsettled is None


# Errors.


@pytest.mark.parametrize(
    ("payloads", "last", "kind"),
    [
        ((), b"\x01\x63", ErrorKind.INVALID_PAYLOAD),
        ((), RED + b"\x00", ErrorKind.INVALID_PAYLOAD),
        ((), SPIN, ErrorKind.INVALID_MOVE),
        ((RED, SPIN), SPIN, ErrorKind.GAME_ALREADY_COMPLETE),
    ],
)
def test_a_move_that_cannot_be_made_is_an_error_and_changes_nothing(
    payloads: tuple[bytes, ...], last: bytes, kind: ErrorKind
) -> None:
    session = after(begun(), *payloads)
    before = canonical(session.match)

    with pytest.raises(GameError) as error:
        process_game_move(session, last)

    assert error.value.kind is kind
    assert canonical(session.match) == before


def test_a_session_that_has_not_begun_is_an_invalid_state() -> None:
    with pytest.raises(GameError) as error:
        process_game_move(open_session(ROULETTE, player="ann", session_id=1, seed=SEED), SPIN)

    assert error.value.kind is ErrorKind.INVALID_STATE


# The interface.


def test_the_same_session_payload_and_stream_give_the_same_session_and_result() -> None:
    session = after(begun(), RED)

    assert process_game_move(session, SPIN) == process_game_move(session, SPIN)
    assert process_game_move(session, SPIN, GameRng.new(SEED, 1, 2)) == process_game_move(session, SPIN)


# Modifiers.


def test_a_shield_turns_a_loss_into_nothing_and_is_used_up() -> None:
    modified = apply_modifiers(Player("ann", active_shield=True), -100)

    assert (modified.net, modified.was_shielded, modified.player.shields) == (0, True, 2)
    assert not modified.player.active_shield


def test_a_double_doubles_a_profit_up_to_the_bound_and_is_used_up() -> None:
    modified = apply_modifiers(Player("ann", active_double=True), 100)

    assert (modified.net, modified.was_doubled, modified.player.doubles) == (200, True, 2)
    assert not modified.player.active_double
    assert apply_modifiers(Player("ann", active_double=True), CHIPS_MAX - 1).net == CHIPS_MAX


def test_flags_are_cleared_even_if_they_were_not_used() -> None:
    armed = Player("ann", active_shield=True, active_double=True)

    for net in (-5, 0, 5):
        player = apply_modifiers(armed, net).player
        assert (player.active_shield, player.active_double) == (False, False)
    assert apply_modifiers(Player("ann", active_shield=True), 5).player.shields == 3
    assert apply_modifiers(Player("ann", active_double=True), -5).player.doubles == 3


# Super mode.


def test_the_super_fee_is_a_fifth() -> None:
    assert [get_super_mode_fee(bet) for bet in (5, 100, 104)] == [1, 20, 20]


def test_super_multipliers_come_from_a_stream_of_their_own() -> None:
    """However much a game draws, what is lit stays the same; and hi-lo lights nothing."""
    lit = generate_super_multipliers(ROULETTE, SEED, 1)
    assert lit == ROULETTE.super_multipliers(GameRng.new(SEED, 1, SUPER_MOVE))
    session = begun(super_mode=True)
    for payload in (RED, SPIN):
        assert session.match is not None
        assert session.match.game.lit == ()
        session = after(session, payload)
    assert session.match is not None
    assert session.match.game.lit == lit
    assert generate_super_multipliers(house_game("hi-lo"), SEED, 1) == ()


def test_a_host_that_gives_every_move_its_own_seed_lights_from_that_of_the_move_that_decides() -> None:
    session = after(begun(super_mode=True), RED)

    session, _ = process_game_move(session, SPIN, seed=b"of this block")

    assert session.match is not None
    assert session.match.game.lit == generate_super_multipliers(ROULETTE, b"of this block", 1)


# The flow.


def test_instructions_start_a_session_move_it_book_its_result_and_are_told_as_events() -> None:
    state = MemoryState()

    def ask(body: Any) -> list[Any]:
        events = list(execute(state, Instruction("ann", body), SEED, 0))
        check_ledger(state, thorough=True)
        return events

    ask(Register("Ann"))
    (started, *_) = ask(StartGame(int(GameType.ROULETTE), 0, 1))
    (moved, *_) = ask(GameMove(1, RED))
    (spun, *_, completed) = ask(GameMove(1, SPIN))
    (refused,) = ask(GameMove(1, SPIN))

    kinds = [GameStarted, GameMoved, GameMoved, GameCompleted, CasinoError]
    assert [type(event) for event in (started, moved, spun, completed, refused)] == kinds
    assert spun.logs[0].startswith("the ball falls into")
    assert moved.balances.chips == 900
    assert completed.balances.chips == 1000 + completed.net == Ledger(state).balance("player/ann")
    assert refused.error_code == ErrorKind.GAME_ALREADY_COMPLETE.value
