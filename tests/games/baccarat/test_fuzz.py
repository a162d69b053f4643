"""Bytes of every kind at the table of baccarat: a move, or a clear error that changed and drew nothing."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine import act, state_digest
from croupier.games.baccarat import Baccarat
from croupier.games.baccarat.bets import BETS
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

GAME = Baccarat()
SEED = bytes(range(32))
COVER = Cover(funds=600, stake_min=1, stake_max=500, exposure_max=100_000)


def sessions() -> list[Session]:
    """Return sessions to try bytes on: fresh, with bets down, in super mode, and over."""
    found = []
    for super_mode in (False, True):
        session = open_session(GAME, player="ann", session_id=1, seed=SEED, super_mode=super_mode)
        session, result = init_game(session, GameRng.new(SEED, 1, 0))
        found.append(settle(session, result))
        for action in (act("place", bet="tie", stake=10), act("deal")):
            session, result = process_game_move(found[-1], action)
            found.append(settle(session, result))
    return found


def payloads(count: int) -> Any:
    """Yield random bytes and valid payloads with a few of their bytes changed, cut off or added."""
    rng = GameRng.new(b"baccarat payloads", 0, 0)
    valid = [
        encode_payload(GAME, action)
        for action in (
            act("deal"),
            act("clear"),
            *(act("place", bet=bet, stake=stake) for bet in BETS for stake in (1, 25, 500)),
            act("batch", bets=[{"bet": bet, "stake": 5} for bet in BETS]),
            act("batch", bets=[{"bet": "banker", "stake": 400}, {"bet": "player", "stake": 300}]),
        )
    ]
    valid.append(bytes.fromhex("010302" + 2 * "020000000000000005"))  # but for naming a bet twice
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
        session = tables[number % len(tables)]
        stream = GameRng.new(SEED, 1, session.move_count + 1)
        try:
            after, _ = process_game_move(session, payload, stream, cover=COVER)
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
    "bet_twice",
    "bets_are_down",
    "exposure_limit",
    "finished",
    "insufficient_funds",
    "invalid_payload",
    "no_bets",
    "over_limit",
    "super_stake",
}


def test_ten_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(10_000)

    assert accepted > 1000
    assert reasons == REASONS


@pytest.mark.soak
def test_a_hundred_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(100_000)

    assert accepted > 10_000
    assert reasons == REASONS
