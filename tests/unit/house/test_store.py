"""What `execute` asks of a host's store: `get` and `put`, and that all its puts are kept or none."""

from typing import Any

import msgspec
import pytest

from croupier.house import (
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


def story(casino):
    """Return instructions that touch everything, refused ones among them, each with its seed and time."""
    coin, card = casino.COIN, casino.CARD
    place = bytes.fromhex("0100 00 0000000000000064")
    bodies: list[tuple[str, Any, int]] = [
        ("ann", Register("Ann"), 0),
        ("bob", Register("Bob"), 0),
        ("ann", Deposit(500), 0),
        ("ann", Deposit(500), 0),
        ("ann", PlayerAction("shield"), 0),
        ("ann", PlayerAction("double"), 0),
        ("ann", PlayerAction("super"), 0),
        ("ann", StartGame(coin, 0, 1), 0),
        ("bob", StartGame(coin, 0, 1), 0),
        ("bob", StartGame(card, 50, 2), 0),
        ("ann", GameMove(1, place), 0),
        ("ann", GameMove(1, b"\x01\x02"), 0),
        ("ann", GameMove(1, place), 0),
        ("bob", GameMove(1, b"\x01\x01"), 0),
        ("ann", GameMove(1, b"\x01\x01"), 0),
        ("ann", GameMove(1, b"\x01\x01"), 0),
        ("ann", StartGame(coin, 0, 3), 0),
        ("ann", GameMove(3, place), 0),
        ("bob", CloseSession(3), 1),
        ("bob", CloseSession(3), 3_600_000),
        ("ann", CloseSession(2), 3_600_000),
    ]
    for number, (player, body, later) in enumerate(bodies):
        yield Instruction(player, body), b"seed %d" % number, START + later


def run(state, casino):
    return [execute(state, instruction, seed, time, tables=casino.tables) for instruction, seed, time in story(casino)]


def test_a_store_needs_get_and_put_alone(casino):
    watched, memory = Watched(), MemoryState()
    assert run(watched, casino) == run(memory, casino)
    assert watched._values == memory.values


def test_everything_is_read_before_anything_is_written_and_each_key_is_written_once(casino):
    """So a host can write all puts of an instruction in one transaction; keys are sorted."""
    state = Watched()
    for instruction, seed, time in story(casino):
        state.calls.clear()
        execute(state, instruction, seed, time, tables=casino.tables)
        kinds = [kind for kind, _ in state.calls]
        keys = [key for kind, key in state.calls if kind == "put"]
        assert kinds == sorted(kinds)  # "get" before "put"
        assert keys == sorted(set(keys))


def test_a_refusal_writes_nothing(casino):
    state = Watched()
    refused = 0
    for instruction, seed, time in story(casino):
        state.calls.clear()
        events = execute(state, instruction, seed, time, tables=casino.tables)
        puts = [key for kind, key in state.calls if kind == "put"]
        if type(events[0]).__name__ == "CasinoError":
            refused += 1
            assert puts == []
    assert refused == 5


def test_every_stored_value_and_event_goes_to_json(casino):
    state = MemoryState()
    events = run(state, casino)
    for key, value in state.values.items():
        assert msgspec.json.encode(value), key
    assert msgspec.json.encode(events)


def test_a_store_that_fails_is_heard_of_and_what_was_kept_before_is_kept(casino):
    """A put that fails is the host's to handle: the error comes through, and nothing before the first put changed."""
    before = MemoryState()
    for instruction, seed, time in story(casino):
        broken, kept = Failing(before.values, 0), dict(before.values)
        execute(before, instruction, seed, time, tables=casino.tables)
        if before.values == kept:  # refused: there is nothing to put
            continue
        with pytest.raises(Full):
            execute(broken, instruction, seed, time, tables=casino.tables)
        assert broken.values == kept


def test_after_a_rollback_the_same_instruction_gives_the_same_events_and_state(casino):
    """Wherever a store fails: a host that rolls back and tries again ends up where it would have been."""
    state = MemoryState()
    for instruction, seed, time in story(casino):
        whole = MemoryState(state.values)
        events = execute(whole, instruction, seed, time, tables=casino.tables)
        room = 0
        while True:
            kept = dict(state.values)
            failing = Failing(state.values, room)
            try:
                execute(failing, instruction, seed, time, tables=casino.tables)
            except Full:
                failing.values, failing.room = kept, -1  # rolled back, and room enough now
                assert execute(failing, instruction, seed, time, tables=casino.tables) == events
                assert failing.values == whole.values
                room += 1
                continue
            break
        assert room >= 1 or type(events[0]).__name__ == "CasinoError"
        state = whole


def test_half_written_money_is_found_by_a_thorough_check(casino):
    """A host without transactions is warned: where balances were written but not their movements, the check fails."""
    state = MemoryState()
    found = cuts = 0
    for instruction, seed, time in story(casino):
        whole = MemoryState(state.values)
        execute(whole, instruction, seed, time, tables=casino.tables)
        changed = sorted(key for key in whole.values if whole.values[key] is not state.values.get(key))
        movements = [key for key in changed if key.startswith("movement/")]
        for room in range(1, len(changed)):
            written = changed[:room]
            if not movements or not any(key.startswith("balance/") for key in written) or movements[-1] in written:
                continue
            if "ledger/accounts" in changed:
                continue  # an account that is not on the list yet is not looked at
            failing = Failing(state.values, room)
            with pytest.raises(Full):
                execute(failing, instruction, seed, time, tables=casino.tables)
            cuts += 1
            try:
                check_ledger(failing, thorough=True)
            except LedgerBroken:
                found += 1
        state = whole
    assert cuts > 10
    assert found == cuts
