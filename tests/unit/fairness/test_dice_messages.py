"""The messages of shared dice on the wire: one way to write each of them, and words for everything else."""

from __future__ import annotations

from typing import get_args

import pytest

from croupier.engine import canonical
from croupier.errors import BadDocument
from croupier.fairness.dice import Event, Reveal
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.messages import (
    Bet,
    Commit,
    End,
    Equivocation,
    Join,
    Objection,
    Silence,
    Void,
    read_message,
    write_message,
)


def message_of_every_kind(table) -> list:
    table.sit("cat")
    reveals = table.to_reveals({"ann": (5, 20)}, state="ab" * 32, action='{"type":"roll"}')
    ann = table.players["ann"]
    close = table.close()
    table.send(*reveals.values())
    commit = close.commits[0]
    return [
        *(event for event in table.events if not isinstance(event, (Commit, Reveal, Join))),
        commit,
        reveals["ann"],
        ann.join(3),
        ann.leave(),
        ann.bet("place", live_bet(ann.key, 4, 0, 5)),
        Void(3, "reveal_missing", (ann.key,), signature="00" * 64),
        Objection(3, ann.key, "commit_dropped", commit, signature="00" * 64),
        Silence(3, ann.key, signature="00" * 64),
        End("00" * 32, "00" * 32, signature="00" * 64),
        Equivocation(commit, close.commits[1]),
    ]


def test_every_message_goes_to_bytes_and_back(sitting):
    messages = message_of_every_kind(sitting())

    assert {type(message) for message in messages} == set(get_args(Event))
    for message in messages:
        data = write_message(message)
        assert read_message(data) == message
        assert data == canonical(message)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.replace(b",", b", ", 1),
        lambda data: data[:-1] + b',"zz":1}',
        lambda data: data[:-1] + b',"type":"join"}',
        lambda data: data.replace(b'"chips":7', b'"chips":7.0'),
        lambda data: data.replace(b'"chips":7', b'"chips":-7'),
        lambda data: data.replace(b'"chips":7', b'"chips":9223372036854775808'),
        lambda data: data.replace(b'"type":"join"', b'"type":"jump"'),
        lambda data: data.upper(),
        lambda data: data.replace(b'"key":"', b'"key":"0'),
        lambda data: data[:40],
        lambda data: b"\xff" + data,
        lambda data: b"[" * 100_000,
        lambda data: b"",
        lambda data: data.decode(),
    ],
)
def test_bytes_that_are_no_message_are_refused_in_words(sitting, spoil):
    data = write_message(sitting(["ann"]).players["ann"].join(7))

    with pytest.raises(BadDocument):
        read_message(spoil(data))


def test_the_host_reads_bytes_as_well_as_messages(sitting):
    table = sitting([])
    ann = table.watch("ann", bytes)

    assert table.host.receive(write_message(ann.join(7)), 0).ok
    assert table.host.receive(b"{", 0, sender="cable 3").code == "unreadable"
    assert table.host.malformed == {"cable 3": 1}


@pytest.mark.parametrize(
    "message",
    [
        Join("ab", 0, 1, "00" * 32, signature="00" * 64),
        Join("AB" * 32, 0, 1, "00" * 32, signature="00" * 64),
        Join("ab" * 32, 0, 1, "00" * 32, signature=""),
        Join("ab" * 32, 0, 1, "salt", signature="00" * 64),
        Join("ab" * 32, 2**64, 1, "00" * 32, signature="00" * 64),
        Bet("ab" * 32, 0, "place", "xyz", signature="00" * 64),
    ],
    ids=range(6),
)
def test_a_message_put_together_wrongly_is_dropped(sitting, message):
    table = sitting([])

    answer = table.host.receive(message, 0)

    assert not answer.ok
    assert table.host.table.seats == {}


def test_a_value_that_is_no_event_is_dropped(sitting):
    assert sitting([]).judge("seven") == "unreadable"
