"""Bytes of every kind at the table of casino war: a move, or a clear error that changed and drew nothing."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine import act, state_digest
from croupier.engine.chance import ScriptedRng
from croupier.games.casino_war import CasinoWar
from croupier.house import (
    Cover,
    GameError,
    Session,
    decode_payload,
    encode_payload,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.rng import GameRng

GAME = CasinoWar()
SEED = bytes(range(32))
COVERS = (Cover(funds=90, stake_min=1, stake_max=80, exposure_max=700), Cover(funds=500))


def sessions() -> list[Session]:
    """Return sessions to try bytes on: fresh, with a tie bet, after a tie, over; plain and super."""
    found = []
    for super_mode in (False, True):
        session = open_session(GAME, player="ann", session_id=1, stake=100, seed=SEED, super_mode=super_mode)
        session, result = init_game(session, GameRng.new(SEED, 1, 0))
        found.append(settle(session, result))
        # The first two cards of the pack are copies of one card: a tie.
        for action, rng in (
            (act("tie_bet", stake=10), None),
            (act("play"), ScriptedRng([0, 1])),
            (act("surrender"), None),
        ):
            session, result = process_game_move(found[-1], action, rng)
            found.append(settle(session, result))
    return found


def payloads(count: int) -> Any:
    """Yield random bytes and valid payloads with a few of their bytes changed, cut off or added."""
    rng = GameRng.new(b"casino war payloads", 0, 0)
    actions = [
        act("play"),
        act("war"),
        act("surrender"),
        *(act("tie_bet", stake=stake) for stake in (0, 1, 20, 60, 70)),
    ]
    valid = [encode_payload(GAME, action) for action in actions]
    for number in range(count):
        if number % 4 == 0:
            yield bytes([1]) * (number % 8 == 0) + rng.fill_bytes(rng.int(0, 12))
            continue
        data = bytearray(rng.pick(valid))
        for _ in range(rng.int(0, 2)):
            data[rng.int(0, len(data) - 1)] = rng.pick((rng.int(0, 5), rng.next_byte()))
        if rng.int(0, 9) == 0:
            data = data[: rng.int(0, len(data))]
        elif rng.int(0, 9) == 0:
            data += rng.fill_bytes(rng.int(1, 4))
        yield bytes(data)


def try_payloads(count: int) -> tuple[int, set[str]]:
    """Return how many payloads were moves, and the reasons the others were not."""
    tables = sessions()
    digests = [state_digest(table.match) for table in tables if table.match]
    accepted, reasons, drawn = 0, set(), []
    for number, payload in enumerate(payloads(count)):
        session = tables[number % len(tables)]
        stream = GameRng.new(SEED, 1, session.move_count + 1)
        try:
            after, _ = process_game_move(session, payload, stream, cover=COVERS[number // len(tables) % 2])
        except GameError as error:
            reasons.add(error.reason if str(error) else "no words")
            drawn.append(stream.bytes_used)
            continue
        accepted += 1
        assert after.move_count == session.move_count + 1
        assert encode_payload(GAME, decode_payload(GAME, payload)) == payload
        money = after.money
        assert money.staked == sum(stake.stake for stake in money.open) + sum(line.stake for line in money.lines)
    assert [state_digest(table.match) for table in tables if table.match] == digests
    assert not any(drawn)
    return accepted, reasons


REASONS = {
    "bad_payload",
    "exposure_limit",
    "finished",
    "insufficient_funds",
    "invalid_payload",
    "over_limit",
    "wrong_phase",
}


def test_ten_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(10_000)

    assert accepted > 500
    assert reasons == REASONS


@pytest.mark.soak
def test_a_hundred_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(100_000)

    assert accepted > 5_000
    assert reasons == REASONS
