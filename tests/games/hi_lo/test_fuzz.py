"""Bytes of every kind at the table of hi-lo: a move, or a clear error that changed and drew nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.engine import act, state_digest
from croupier.engine.chance import ScriptedRng
from croupier.games.hi_lo import HiLo
from croupier.house import (
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

GAME = HiLo()
SEED = bytes(range(32))


def sessions() -> list[Session]:
    """Return sessions to try bytes on: at an ace, a seven, a king, each fresh and after a push; in super mode; over."""
    found = []
    for first, super_mode in ((0, False), (6, False), (12, False), (6, True)):
        session = open_session(GAME, player="ann", session_id=1, stake=10, seed=SEED, super_mode=super_mode)
        session, result = init_game(session, ScriptedRng([first]))
        found.append(settle(session, result))
        word = "lower" if first == 12 else "higher"
        session, result = process_game_move(found[-1], act(word), ScriptedRng([first + 13]))
        found.append(settle(session, result))
    session, result = process_game_move(found[-1], act("cash_out"))
    return [*found, settle(session, result)]


def payloads(count: int) -> Iterator[bytes]:
    """Yield random bytes and valid payloads with a few of their bytes changed, cut off or added."""
    rng = GameRng.new(b"hi-lo payloads", 0, 0)
    valid = [encode_payload(GAME, act(word)) for word in GAME.actions]
    for number in range(count):
        if number % 4 == 0:
            yield bytes([1]) * (number % 8 == 0) + rng.fill_bytes(rng.int(0, 24))
            continue
        data = bytearray(rng.pick(valid))
        for _ in range(rng.int(0, 2)):
            data[rng.int(0, len(data) - 1)] = rng.pick((rng.int(0, 10), rng.next_byte()))
        if rng.int(0, 4) == 0:
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
        session = tables[number // 4 % len(tables)]  # every fourth payload is random, at every table
        stream = GameRng.new(SEED, number, session.move_count + 1)
        try:
            after, _ = process_game_move(session, payload, stream)
        except GameError as error:
            reasons.add(error.reason if str(error) else "no words")
            drawn.append(stream.bytes_used)
            continue
        accepted += 1
        assert after.move_count == session.move_count + 1
        assert encode_payload(GAME, decode_payload(GAME, payload)) == payload
        money = after.money
        assert [stake.stake for stake in money.open] + [line.stake for line in money.lines] == [money.staked] == [10]
    assert [state_digest(table.match) for table in tables if table.match] == digests
    assert not any(drawn)
    return accepted, reasons


REASONS = {"finished", "guess_not_offered", "invalid_payload"}


def test_ten_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(10_000)

    assert accepted > 1000
    assert reasons == REASONS


@pytest.mark.soak
def test_a_hundred_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(100_000)

    assert accepted > 10_000
    assert reasons == REASONS
