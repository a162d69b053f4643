"""The store that `execute` needs of a host: `get` and `put`, with all puts of an instruction kept or none."""

from functools import partial
from typing import Any

import msgspec
import pytest

from croupier.house import (
    CasinoError,
    CloseSession,
    Deposit,
    GameMove,
    Instruction,
    MemoryState,
    PlayerAction,
    Register,
    StartGame,
    check_ledger,
    execute,
)
from croupier.house.ledger import LedgerBroken
from tests.unit.house.playing import HOUR

START = 1_700_000_000_000


class Watched:
    """A store with `get` and `put` and nothing else, which writes down every call."""

    __slots__ = ("_values", "calls")

    def __init__(self, values=()):
        self._values = dict(values)
        self.calls = []

    def get(self, key):
        assert isinstance(key, str)
        self.calls.append(("get", key))
        return self._values.get(key)

    def put(self, key, value):
        assert isinstance(key, str)
        self.calls.append(("put", key))
        self._values[key] = value


class Full(Exception):
    pass


class Failing(MemoryState):
    """A store that takes so many puts and no more."""

    def __init__(self, values, room):
        super().__init__(values)
        self.room = room

    def put(self, key, value):
        if self.room == 0:
            raise Full
        self.room -= 1
        super().put(key, value)


COIN, CARD = 0, 2
PLACE, FLIP, CLEAR = bytes.fromhex("0100 00 0000000000000064"), b"\x01\x01", b"\x01\x02"
STORY: list[tuple[str, Any, int]] = [
    ("ann", Register("Ann"), 0),
    ("bob", Register("Bob"), 0),
    ("ann", Deposit(500), 0),
    ("ann", Deposit(500), 0),
    ("ann", PlayerAction("shield"), 0),
    ("ann", PlayerAction("double"), 0),
    ("ann", PlayerAction("super"), 0),
    ("ann", StartGame(COIN, 0, 1), 0),
    ("bob", StartGame(COIN, 0, 1), 0),
    ("bob", StartGame(CARD, 50, 2), 0),
    ("ann", GameMove(1, PLACE), 0),
    ("ann", GameMove(1, CLEAR), 0),
    ("ann", GameMove(1, PLACE), 0),
    ("bob", GameMove(1, FLIP), 0),
    ("ann", GameMove(1, FLIP), 0),
    ("ann", GameMove(1, FLIP), 0),
    ("ann", StartGame(COIN, 0, 3), 0),
    ("ann", GameMove(3, PLACE), 0),
    ("bob", CloseSession(3), 1),
    ("bob", CloseSession(3), HOUR),
    ("ann", CloseSession(2), HOUR),
]
"""Instructions that touch everything, five refused ones among them, each with how much later it comes."""


@pytest.fixture
def asks(tables):
    """Return a function a step of the story, which carries its instruction out on a state and returns the events."""
    return [
        partial(_execute, Instruction(player, body), b"seed %d" % number, START + later, tables)
        for number, (player, body, later) in enumerate(STORY)
    ]


def _execute(instruction, seed, time, tables, state):
    return execute(state, instruction, seed, time, tables=tables)


def puts(state):
    return [key for kind, key in state.calls if kind == "put"]


def test_a_store_needs_get_and_put_alone(asks):
    watched, memory = Watched(), MemoryState()
    for ask in asks:
        assert ask(watched) == ask(memory)
    assert watched._values == memory.values


def test_everything_is_read_before_anything_is_written_and_each_key_is_written_once(asks):
    """So a host can write all puts of an instruction in one transaction; keys are sorted. A refusal writes nothing."""
    state, refused = Watched(), 0
    for ask in asks:
        state.calls.clear()
        if isinstance(ask(state)[0], CasinoError):
            refused += 1
            assert puts(state) == []
        kinds = [kind for kind, _ in state.calls]
        assert kinds == sorted(kinds)  # "get" before "put"
        assert puts(state) == sorted(set(puts(state)))
    assert refused == 5


def test_every_stored_value_and_event_goes_to_json(asks):
    state = MemoryState()
    assert msgspec.json.encode([ask(state) for ask in asks])
    for key, value in state.values.items():
        assert msgspec.json.encode(value), key


def test_after_a_rollback_the_same_instruction_gives_the_same_events_and_state(asks):
    """Wherever a store fails, the error is the host's to handle: one that rolls back and tries again loses nothing.

    Nothing is changed before the first put.
    """
    state = MemoryState()
    for ask in asks:
        whole, room = MemoryState(state.values), 0
        events = ask(whole)
        while True:
            failing = Failing(state.values, room)
            try:
                ask(failing)
            except Full:
                assert room or failing.values == state.values
                failing.values, failing.room = dict(state.values), -1  # rolled back, and room enough now
                assert ask(failing) == events
                assert failing.values == whole.values
                room += 1
                continue
            break
        assert room >= 1 or isinstance(events[0], CasinoError)
        state = whole


def test_half_written_money_is_found_by_a_thorough_check(asks):
    """A host without transactions is warned: where balances were written but not their movements, the check fails."""
    state, cuts = MemoryState(), 0
    for ask in asks:
        whole = MemoryState(state.values)
        ask(whole)
        changed = sorted(key for key in whole.values if whole.values[key] is not state.values.get(key))
        movements = [key for key in changed if key.startswith("movement/")]
        # An account that is not on the list yet is not looked at.
        for room in range(1, len(changed)) if "ledger/accounts" not in changed else ():
            written = changed[:room]
            if not movements or not any(key.startswith("balance/") for key in written) or movements[-1] in written:
                continue
            failing = Failing(state.values, room)
            with pytest.raises(Full):
                ask(failing)
            cuts += 1
            with pytest.raises(LedgerBroken):
                check_ledger(failing, thorough=True)
        state = whole
    assert cuts > 10
