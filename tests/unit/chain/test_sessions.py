"""Sessions as documents of the chain's state: to JSON and back, and nothing else is read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.chain.sessions import read_session, write_session
from croupier.errors import BadDocument, WrongSchema
from croupier.games.roulette import Roulette
from croupier.house import Instruction, MemoryState, Register, StartGame, execute, make_table

ROULETTE = 6


@pytest.fixture
def session():
    state, tables = MemoryState(), {ROULETTE: make_table(ROULETTE, Roulette(), allow_overpay=True)}
    for body in (Register("Ann"), StartGame(ROULETTE, 0, 3)):
        execute(state, Instruction("a_ann", body), bytes(32), 1, tables=tables)
    return state.get("session/3")


def test_a_session_without_a_match_goes_to_json_and_back(session):
    assert read_session(write_session(session)) == session
    assert read_session(write_session(replace(session, match=None))) == replace(session, match=None)


@pytest.mark.parametrize(
    ("was", "now", "error"),
    [
        (b'"schema":1,"session"', b'"schema":2,"session"', WrongSchema),
        (b'"player":"a_ann",', b"", BadDocument),
        (b'"started_at":1', b'"startled_at":1', BadDocument),
        (b'"started_at":1', b'"started_at":"1"', BadDocument),
        (b'"status":"active"', b'"status":"asleep"', BadDocument),
    ],
)
def test_a_session_that_was_tampered_with_is_refused(session, was, now, error):
    data = write_session(session)
    assert was in data
    with pytest.raises(error):
        read_session(data.replace(was, now, 1))
