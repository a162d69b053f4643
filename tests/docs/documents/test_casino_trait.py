"""A class written as the founding document's `CasinoGame` plays as a house game, with every kind of result."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from croupier import act, verify
from croupier.engine import make_record, register_game, write_record
from croupier.engine.client import MatchClient
from croupier.engine.registry import unregister_game
from croupier.errors import GameFault
from croupier.house import (
    Continue,
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    GameResult,
    Loss,
    LossPreDeducted,
    LossWithExtraDeduction,
    Push,
    Win,
    encode_payload,
    session,
)
from croupier.house.session import CasinoSession, hosted
from croupier.testing import HouseKit, ScriptedRng, check_game

ROLL, DOUBLE = b"\x00", b"\x01"


class DoubleDie:
    """One die: 1 loses, 2 pushes, 3 rolls again, 4 gives the stake back and rolls again for nothing, 5 and 6 win.

    Who doubles rolls once: up to 3 both stakes are lost, and from 4 on both win.
    """

    @staticmethod
    def init(session: CasinoSession, rng: Any) -> GameResult:
        session.state_blob = b"\x00"
        return Continue(("the die is yours",))

    @staticmethod
    def moves(session: CasinoSession) -> Iterator[bytes]:
        yield from (ROLL, DOUBLE) if session.state_blob == b"\x00" else (ROLL,)

    @staticmethod
    def stake_of(session: CasinoSession, payload: bytes) -> int:
        return session.bet if payload == DOUBLE else 0

    @staticmethod
    def process_move(session: CasinoSession, payload: bytes, rng: Any) -> GameResult:
        if payload not in (ROLL, DOUBLE):
            raise GameError(ErrorKind.INVALID_PAYLOAD, "roll is 0, double is 1")
        if payload == DOUBLE and session.state_blob != b"\x00":
            raise GameError(ErrorKind.INVALID_MOVE, "doubling is for the first roll")
        die, bet = rng.roll_die(), session.bet
        if payload == DOUBLE:
            return Win(3 * bet) if die > 3 else LossWithExtraDeduction(bet)
        if session.state_blob == b"\x04":
            return LossPreDeducted(0) if die < 6 else Continue()
        if die == 4:
            session.state_blob = b"\x04"
            return ContinueWithUpdate(bet)
        session.state_blob = b"\x03"
        results: dict[int, GameResult] = {1: Loss(), 2: Push(bet), 3: Continue()}
        return results.get(die, Win(2 * bet))


GAME = hosted(DoubleDie, id="double-die", name="Double Die", most=3)
KIT = HouseKit(GAME, stake=10)


def move(payload: bytes) -> Any:
    return act("move", payload=list(payload))


@pytest.mark.parametrize(
    ("moves", "net"),
    [
        ([(ROLL, 1)], -10),
        ([(ROLL, 2)], 0),
        ([(ROLL, 3), (ROLL, 3), (ROLL, 5)], 10),
        ([(ROLL, 4), (ROLL, 6), (ROLL, 1)], 0),
        ([(ROLL, 6)], 10),
        ([(DOUBLE, 3)], -20),
        ([(DOUBLE, 4)], 20),
    ],
)
def test_every_result_moves_the_chips_that_it_says(moves: list[tuple[bytes, int]], net: int) -> None:
    match = KIT.start()
    for payload, die in moves:
        match = KIT.do(match, move(payload), rng=ScriptedRng.of_dice(die))

    assert match.status == "finished"
    assert match.game.money.net == net
    assert match.game.money.open == ()


def test_its_errors_are_refusals() -> None:
    again = KIT.do(KIT.start(), move(ROLL), rng=ScriptedRng.of_dice(3))

    assert KIT.refusal(again, move(DOUBLE)) == "invalid_move"
    assert KIT.refusal(again, move(b"\x07")) == "invalid_payload"


def test_a_session_of_it_takes_its_own_bytes_and_keeps_its_logs_and_kinds_of_errors() -> None:
    """Payloads have no header; what `init` and `process_move` log or raise is what a caller gets."""

    class Talker(DoubleDie):
        @staticmethod
        def process_move(session: CasinoSession, payload: bytes, rng: Any) -> GameResult:
            if payload not in (ROLL, b""):
                raise GameError(list(ErrorKind)[payload[0] - 1], "as it was raised", "a reason of its own")
            return Loss([f"{session.session_id}.{session.move_count}: {payload!r}"])  # type: ignore[arg-type]

    game = hosted(Talker, id="talker", name="Talker", most=2)
    register_game(game)
    try:
        opened, dealt = session.init_game(session.open_session(game, player="ann", session_id=7, stake=10, seed=1))
        begun = session.settle(opened, dealt)
        results = [session.process_game_move(begun, payload)[1] for payload in (ROLL, b"")]
        kinds = []
        for code in range(1, 6):
            with pytest.raises(GameError, match="as it was raised") as error:
                session.process_game_move(begun, bytes([code]))
            kinds.append(error.value.kind)
    finally:
        unregister_game("talker")

    assert dealt == Continue(("the die is yours",))
    assert results == [Loss((r"7.1: b'\x00'",)), Loss(("7.1: b''",))]
    assert kinds == list(ErrorKind)
    assert encode_payload(GAME, move(DOUBLE)) == DOUBLE


def test_it_keeps_every_law_and_its_records_verify() -> None:
    assert check_game(GAME, seeds=4, rounds=0, outcomes=0).findings == ()
    client = MatchClient(GAME, KIT.start())
    while client.get_state().status == "active":
        assert client.dispatch(move(ROLL)).ok
    record = write_record(make_record(GAME, client.base, client.get_log()))
    assert verify(record, game=GAME).ok


@pytest.mark.parametrize(
    ("named", "result", "why"),
    [
        (0, LossWithExtraDeduction(10), "stake_of did not name"),
        (20, LossWithExtraDeduction(10), "hands back chips"),
        (20, LossPreDeducted(30), "hands back chips"),
        (20, Loss(), "hands back chips"),
    ],
)
def test_a_loss_that_takes_other_chips_than_were_named_before_the_draw_is_a_fault(
    named: int, result: GameResult, why: str
) -> None:
    class Greedy(DoubleDie):
        @staticmethod
        def stake_of(session: CasinoSession, payload: bytes) -> int:
            return named

        @staticmethod
        def process_move(session: CasinoSession, payload: bytes, rng: Any) -> GameResult:
            return result

    kit = HouseKit(hosted(Greedy, id="greedy", name="Greedy", most=4), stake=10)
    with pytest.raises(GameFault, match=why):
        kit.do(kit.start(), move(DOUBLE))


@pytest.mark.parametrize("result", [ContinueWithUpdate(5), Win(20)])
def test_a_payout_where_no_bet_is_open_is_a_fault(result: GameResult) -> None:
    class Payer(DoubleDie):
        @staticmethod
        def process_move(session: CasinoSession, payload: bytes, rng: Any) -> GameResult:
            return result if session.move_count > 1 else ContinueWithUpdate(5)

    kit = HouseKit(hosted(Payer, id="payer", name="Payer", most=5), stake=10)
    paid = kit.do(kit.start(), move(ROLL))
    with pytest.raises(GameFault, match="no bet is open"):
        kit.do(paid, move(ROLL))


def test_a_loss_never_pays() -> None:
    class Negative(DoubleDie):
        @staticmethod
        def process_move(session: CasinoSession, payload: bytes, rng: Any) -> GameResult:
            return LossWithExtraDeduction(-5)

    kit = HouseKit(hosted(Negative, id="negative", name="Negative", most=4), stake=10)
    with pytest.raises(GameFault, match="a result of a move is wanted"):
        kit.do(kit.start(), move(ROLL), rng=ScriptedRng.of_dice(1))


def test_an_error_of_the_document_needs_no_message() -> None:
    """Its variants hold nothing."""
    with pytest.raises(GameError.InvalidPayload, match=r"^invalid payload$") as raised:  # type: ignore[attr-defined]
        raise GameError.InvalidPayload  # type: ignore[attr-defined]

    assert (raised.value.kind, raised.value.reason) == (ErrorKind.INVALID_PAYLOAD, "invalid_payload")
    assert str(GameError(ErrorKind.DECK_EXHAUSTED)) == "deck exhausted"


def test_the_adapter_has_sixty_lines_at_most() -> None:
    text = inspect.getsource(session)

    assert len(text[text.index("class CasinoSession") :].splitlines()) <= 60
