"""Mistakes that other dice have made, one test each: it would fail if we made the mistake too.

The areas: consensus, dice, policing, memory. `test_dice_failures` has those that a single message shows, such as a key
made up on the spot, and what it costs to be slow; `test_draws` has faces that are equally likely over all bytes.
"""

from __future__ import annotations

import ast
import os
import random
import re
import time
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

import croupier.fairness.dice as package
from croupier.fairness import signing
from croupier.fairness.dice import Reveal, encoding
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.messages import Close

SOURCES = [*sorted(Path(str(package.__file__)).parent.glob("*.py")), Path(str(signing.__file__))]


# Consensus.


def test_the_order_in_which_messages_arrive_changes_nothing(sitting):
    """Hazard: iterating an unordered map into a hash; joining secrets in order of arrival."""
    seeds = set()
    for order in permutations(["ann", "bob", "cat"]):
        table = sitting(["ann", "bob", "cat"])
        commits = table.to_commits()
        acks = table.acks(table.send(*(commits[name] for name in order)))
        reveals = table.reveals(table.send(*(acks[name] for name in order)))
        table.send(*(reveals[name] for name in reversed(order)))
        seeds.add((table.last.rolled.seed, table.state.transcript))

    assert len(seeds) == 1


def test_the_time_of_day_changes_nothing(sitting):
    """Hazard: local timestamps inside a roll or a digest."""
    ends = set()
    for start, pause in [(0, 0), (10**12, 0), (77, 9_000)]:
        table = sitting()
        table.now = start
        commits = table.to_commits()
        table.now += pause
        reveals = table.opened(table.send(*commits.values()))
        table.now += pause
        table.send(*reveals.values())
        ends.add((table.last.rolled.seed, table.state.book))

    assert len(ends) == 1


# Dice.


def test_nothing_is_mixed_in_besides_the_secrets(sitting, monkeypatch):
    """Hazard: the local generator or clock stirred in after the reveals. Here neither may even be asked."""
    table = sitting()
    reveals = table.to_reveals()

    def asked(*_: object) -> None:
        raise AssertionError("asked for chance or time")

    for module, name in [(os, "urandom"), (time, "time"), (time, "monotonic"), (time, "time_ns"), (random, "random")]:
        monkeypatch.setattr(module, name, asked)
    table.send(*reveals.values())

    mixed = 0
    for event in table.events:
        mixed ^= int(event.secret, 16) if isinstance(event, Reveal) else 0
    close = next(event for event in table.events if isinstance(event, Close))
    seed = encoding.roll_seed(bytes.fromhex(close.digest), mixed.to_bytes(32, "big"))
    assert table.last.rolled.seed == seed


def with_secrets(table, name: str, secret: bytes) -> None:
    """Seat a player who commits to the same secret every time, against all advice."""
    values = [b"\x01" * 32]  # the salt
    table.sit(name, entropy=lambda size: values.pop() if values else secret)


def test_what_is_public_before_the_secrets_does_not_tell_the_roll(sitting):
    """Hazard: a seed made of table, round and players. All of that is the same here, and the secret is not."""
    contexts, seeds = set(), set()
    for number in range(3):
        table = sitting(["bob"])
        with_secrets(table, "ann", bytes([number]) * 32)
        seeds.add(table.roll({"bob": (5, 20)}).rolled.seed)
        contexts.add(table.state.contexts)

    assert len(contexts) == 1
    assert len(seeds) == 3


@pytest.mark.parametrize("secret", [bytes(32), b"\xff" * 32])
def test_equal_secrets_do_not_make_a_roll_that_can_be_foreseen(sitting, secret):
    """Hazard: reducing raw XOR bytes. Two equal secrets cancel out, and K still makes every roll another one."""
    table = sitting([], bank=False)
    with_secrets(table, "ann", secret)
    with_secrets(table, "bob", secret)
    seeds = []
    for _ in range(5):
        for player in table.players.values():
            player._used = b""  # overrule the check that would stop a source from repeating itself
        seeds.append(table.roll().rolled.seed)

    assert len(set(seeds)) == 5
    assert encoding.xor([secret, secret]) == bytes(32) not in seeds


def test_a_commitment_belongs_to_one_player_one_table_and_one_round(sitting):
    """Hazard: a commitment over nonce and round only. Ann's fits nowhere else: with bob, later, or next door."""
    table, next_door = sitting(), sitting(fee=6)
    first = table.to_commits()["ann"]
    next_door.lock()
    assert next_door.judge(first) == "wrong_context"

    bobs = table.sign("bob", replace(first, key=table.key("bob")))
    table.opened(table.send(first, bobs))
    assert table.on.phase == "reveal"
    secret = table.players["ann"].kept.secret.hex()
    echo = table.sign("bob", Reveal(1, table.key("bob"), bobs.nonce, secret), commits=table.on.commit_set)
    assert table.judge(echo) == "wrong_secret"

    table.wait(10_000)
    table.lock(hand=1)
    assert table.judge(first) == "wrong_round"
    assert table.judge(replace(first, round=2)) == "wrong_context"


def test_everything_that_was_said_before_is_refused_when_it_is_said_again(sitting):
    """Hazard: a replay check that always answers "no"."""
    table = sitting()
    ann = table.players["ann"]
    table.send(ann.bet("place", live_bet(ann.key, 48, 0, 5)))
    table.roll()
    table.void()
    said = table.events
    for is_on in (False, True):
        if is_on:
            table.lock()
        for event in said:
            assert table.judge(event), event


def test_only_sound_generators_and_hashes_are_in_reach():
    """Hazard: a fast generator or a general-purpose hash behind a function called "fair"."""
    allowed = {"__future__", "collections", "functools", "hashlib", "hmac", "types", "typing", "msgspec", "croupier"}
    imported = set()
    hashes = set()
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Import):
                imported |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module).split(".")[0])
                if node.module == "hashlib":
                    hashes |= {name.name for name in node.names}

    assert imported - allowed == {"cryptography"}
    assert hashes == {"sha256"}
    text = "".join(source.read_text() for source in SOURCES)
    assert not re.search(r"\b(hash|urandom|random\.\w+|time\.\w+)\(", text)


# Policing.


def test_nobody_is_punished_for_what_the_dice_show(sitting):
    """Hazard: a statistical test after every roll accuses everyone in the end. Sixty rolls, and no chip has moved."""
    table = sitting()
    for _ in range(60):
        assert table.roll({"ann": (5, 20)}).movements == ()

    assert {seat.bond for seat in table.state.seats.values()} == {100}


def test_messages_may_come_as_close_together_as_they_like(sitting):
    """Hazard: a minimum gap between messages treated as cheating. All of this happens in one millisecond."""
    table = sitting()
    ann = table.players["ann"]
    table.send(*(ann.bet("raise", live_bet(ann.key, 48, 0, stake)) for stake in range(1, 30)))
    table.roll()

    assert all(answer.ok for answer in table.answers)
    assert table.now == 0


# Memory.


def test_what_a_table_remembers_does_not_grow_with_its_rounds(sitting):
    """Hazard: unbounded history and evidence. The state after 60 rounds is no larger than after 20."""
    table = sitting()
    sizes = []
    for number in range(60):
        table.roll()
        if number in (19, 59):
            sizes.append(len(repr(table.state)))

    assert abs(sizes[1] - sizes[0]) < 100
    assert len(table.state.contexts) == 16


def test_one_player_cannot_fill_the_book_between_two_rounds(sitting):
    table = sitting()
    ann = table.players["ann"]
    bet = live_bet(ann.key, 48, 0, 5)
    codes = [table.host.receive(ann.bet("raise", bet), 0).code for _ in range(1100)]

    assert codes.count("") == 1023  # and the JOIN before them
    assert set(codes) == {"", "too_many_messages"}


def test_a_table_remembers_as_many_keys_as_its_terms_say_and_no_more(sitting):
    table = sitting([], seats_max=3)
    answers = []
    for number in range(5):
        player = table.watch(str(number), bytes)
        answers.append(table.host.receive(player.join(10), 0).code)
        table.host.receive(player.leave(), 0)

    assert answers == ["", "", "", "seats_used_up", "seats_used_up"]
