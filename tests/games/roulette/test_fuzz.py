"""Bytes of every kind at the table of roulette: a move, or a clear error that changed and drew nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.engine import act, state_digest
from croupier.engine.chance import ScriptedRng
from croupier.games.roulette import Roulette
from croupier.games.roulette.bets import BETS
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

GAME = Roulette()
SEED = bytes(range(32))
COVER = Cover(funds=600, stake_min=1, stake_max=500, exposure_max=50_000)
TWENTY = [f"straight:{number}" for number in range(1, 21)]


def sessions() -> list[Session]:
    """Return sessions to try bytes on: fresh, with one bet or twenty down, in super mode, in prison, and over."""
    found = []
    for super_mode in (False, True):
        session = open_session(GAME, player="ann", session_id=1, seed=SEED, super_mode=super_mode)
        session, result = init_game(session, GameRng.new(SEED, 1, 0))
        found.append(settle(session, result))
        for action in (act("place", bet="straight:17", stake=10), act("spin")):
            session, result = process_game_move(found[-1], action)
            found.append(settle(session, result))
    full = found[0]
    for bet in TWENTY:
        full, result = process_game_move(full, act("place", bet=bet, stake=1))
        full = settle(full, result)
    prison = open_session(GAME, player="ann", session_id=1, seed=SEED, options={"zero_rule": "en_prison"})
    prison, result = init_game(prison, GameRng.new(SEED, 1, 0))
    bets = [{"bet": "red", "stake": 5}]
    prison, result = process_game_move(settle(prison, result), act("batch", bets=bets), ScriptedRng([0]))
    return [*found, full, settle(prison, result)]


def payloads(count: int) -> Iterator[bytes]:
    """Yield random bytes and valid payloads with a few of their bytes changed, cut off or added."""
    rng = GameRng.new(b"roulette payloads", 0, 0)
    valid = [
        encode_payload(GAME, action)
        for action in (
            act("spin"),
            act("clear"),
            *(act("place", bet=bet, stake=stake) for bet in BETS for stake in (1, 25, 500)),
            act("batch", bets=[{"bet": bet, "stake": 5} for bet in TWENTY]),
            act("batch", bets=[{"bet": "red", "stake": 400}, {"bet": "black", "stake": 300}]),
        )
    ]
    valid += valid[:2] * 40 + valid[-2:] * 40  # as often as all the bets together
    valid.append(bytes.fromhex("010402" + 2 * "00110000000000000005"))  # but for naming a bet twice
    valid += valid[-1:] * 40
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
    "too_many_bets",
    "unknown_bet",
    "wrong_phase",
}


def test_ten_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(10_000)

    assert accepted > 800
    assert reasons == REASONS


@pytest.mark.soak
def test_a_hundred_thousand_payloads_are_moves_or_clear_errors():
    accepted, reasons = try_payloads(100_000)

    assert accepted > 8000
    assert reasons == REASONS
