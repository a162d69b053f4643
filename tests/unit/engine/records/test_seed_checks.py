"""Checks of a record's seed: forgeries that a host could make, and what the player kept against them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from croupier.engine import (
    Action,
    LogEntry,
    MatchRecord,
    apply_action,
    create_match,
    get_game,
    make_record,
    verify,
    write_record,
)
from croupier.engine.records.record import _sealed
from croupier.engine.records.seed_checks import Kept, KeptFile, read_kept, write_kept
from croupier.errors import BadDocument, WrongSchema
from croupier.fairness import SeedPair, commitment_to
from croupier.fairness.seeds import (
    EXTENSION,
    Binding,
    SeatSecret,
    VoidStart,
    receipt_message,
    seat_commitment,
    seats_digest,
)
from croupier.fairness.versions import LogHead
from croupier.rng import GameRng

SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(32))
KEY = SIGNER.public_key().public_bytes_raw()
SERVER, CLIENT, HEAD, TABLE = b"\x01" * 32, b"\x02" * 32, b"\x03" * 32, b"\x04" * 32
ROULETTE = get_game("roulette")
SPIN = [("place", {"bet": "straight:17", "stake": 10}), ("spin", {})]


def receipt_of(
    session_id: int, server: bytes = SERVER, account: str = "p_ann", n: int = 1, head: bytes = HEAD
) -> tuple[str, str]:
    """Return a commitment and the host's signature under it."""
    binding = Binding(session_id, KEY, account, n, head)
    commitment = commitment_to(server, binding)
    return commitment.hex(), SIGNER.sign(receipt_message(commitment, binding)).hex()


def pair_of(session_id: int = 9, client: bytes = CLIENT, head: bytes = HEAD, **more: Any) -> SeedPair:
    commitment, receipt = receipt_of(session_id, head=head)
    pair = SeedPair(
        commitment,
        SERVER.hex(),
        client.hex(),
        scheme=2,
        host_key=KEY.hex(),
        account="p_ann",
        n=1,
        log_head=head.hex(),
        log_n=5,
        table_digest=TABLE.hex(),
        receipt=receipt,
    )
    return replace(pair, **more)


def played(pair: SeedPair | None, session_id: int = 9, seed: bytes | None = None) -> MatchRecord:
    """Return the record of a spin of roulette."""
    own = seed or (pair.match_seed(session_id) if pair else bytes(32))
    state = create_match(ROULETTE, ["p_ann"], seed=own, session_id=session_id, host=ROULETTE.terms(0, False))
    start, log = state, []
    for number, (kind, payload) in enumerate(SPIN, 1):
        answer: Any = apply_action(ROULETTE, state, Action(kind, payload, "p_ann"))
        log.append(LogEntry(answer.action, number, 0, answer.drew))
        state = answer.state
    return make_record(ROULETTE, start, log, commitments=pair)


def kept_of(session_id: int = 9, **more: Any) -> Kept:
    commitment, receipt = receipt_of(session_id)
    usual = {"client_seed": CLIENT.hex(), "table_digest": TABLE.hex(), "game": "roulette"}
    asked = {"options": {"zero_rule": "standard"}, "stake": 0, "super": False}
    facts = (commitment, KEY.hex(), "p_ann", 1, 5, HEAD.hex(), receipt)
    return replace(Kept(session_id, *facts, "session"), **{**usual, **asked, **more})


def file_of(*kept: Kept) -> KeptFile:
    return KeptFile(1, kept, LogHead(KEY.hex(), 5, HEAD.hex()))


def failed(record: MatchRecord | bytes, kept: KeptFile | None = None) -> list[str]:
    found = verify(record if isinstance(record, bytes) else write_record(record), kept=kept)
    return [check.name for check in found.checks if check.ok is False]


# What a record shows by itself.


def test_a_record_that_holds_is_consistent_and_only_what_was_kept_makes_it_verified():
    record = played(pair_of())

    alone, with_notes = verify(record), verify(record, kept=file_of(kept_of()))
    assert (alone.ok, alone.is_compared) == (True, False)
    assert (with_notes.ok, with_notes.is_compared) == (True, True)
    names = [check.name for check in with_notes.checks]
    assert names == [
        *("form", "rules", "commitment", "seed", "kept", "receipt", "mine", "client seed", "asked", "count", "log"),
        *("moves", "seal"),
    ]
    assert all(check.ok for check in with_notes.checks)


def test_seeds_beside_a_commitment_are_refused_by_who_writes_and_by_who_reads():
    """A host that committed, and then gave the one move that matters a seed of its own choice."""
    pair = pair_of()
    start = create_match(ROULETTE, ["p_ann"], seed=pair.match_seed(9), session_id=9, host=ROULETTE.terms(0, False))
    placed: Any = apply_action(ROULETTE, start, Action(*SPIN[0], "p_ann"))
    tries = (bytes([number]) * 32 for number in range(256))
    seed = next(one for one in tries if GameRng.new(one, 9, 2).next_bounded(37) == 0)
    spun: Any = apply_action(ROULETTE, placed.state, Action(*SPIN[1], "p_ann"), seed=seed)
    assert spun.state.game.pockets[-1] == 0
    log = [LogEntry(placed.action, 1, 0, False), LogEntry(spun.action, 2, 0, True, seed.hex())]

    with pytest.raises(BadDocument, match="one or the other"):
        make_record(ROULETTE, start, log, commitments=pair)
    honest = make_record(ROULETTE, start, log)
    forged = _sealed(replace(honest, commitments=pair))
    assert failed(forged) == ["seeds"]
    assert failed(forged, file_of(kept_of())) == ["seeds"]


def test_a_receipt_that_the_host_did_not_sign_does_not_hold():
    pair = pair_of()

    assert failed(played(pair)) == []
    assert failed(played(replace(pair, receipt="00" * 64))) == ["receipt"]
    assert failed(played(replace(pair, receipt="00"))) == ["receipt"]
    assert failed(played(replace(pair, host_key="00" * 32))) == ["commitment"]
    assert failed(played(replace(pair, log_n=2**64))) == ["commitment"]


def notes(record: MatchRecord) -> dict[str, str]:
    return {check.name: check.text for check in verify(record).checks if check.ok is None}


def test_a_short_client_seed_is_called_weak():
    assert "strength" not in notes(played(SeedPair.of(SERVER, bytes(16), 9)))
    assert "15 bytes" in notes(played(SeedPair.of(SERVER, bytes(15), 9)))["strength"]


@pytest.mark.parametrize(
    ("client", "knew"),
    [(EXTENSION, True), (EXTENSION[:31], True), (EXTENSION + b"more", True), (EXTENSION[:30], False), (CLIENT, False)],
)
def test_records_of_the_old_scheme_are_read_and_said_to_be_attackable(client, knew):
    """The zero that the old formula put behind the client seed is the last byte of the padding: 31 bytes are enough."""
    pair = SeedPair(sha256(SERVER).hexdigest(), SERVER.hex(), client.hex())
    said = notes(played(pair))["scheme"]

    assert "can be attacked" in said
    assert ("begins with the bytes" in said) == knew
    assert failed(played(pair)) == []


# What the player kept.


def test_a_record_without_the_commitment_that_was_given_fails():
    record = played(None)

    assert failed(record) == []
    assert failed(record, file_of(kept_of())) == ["commitment"]
    assert failed(record, file_of(kept_of(10))) == []


def test_a_client_seed_that_the_host_replaced_is_found():
    """It committed, saw the player's seed, and used another that gives the pocket it wants."""
    candidates = (pair_of(client=bytes([number]) * 32) for number in range(256))
    pair = next(one for one in candidates if GameRng.new(one.match_seed(9), 9, 2).next_bounded(37) == 0)
    record = played(pair)

    assert failed(record) == []  # nothing in the record can show it
    assert failed(record, file_of(kept_of())) == ["client seed"]


NOT_SIGNED = ("receipt", "the host's signature does not hold")
FIELDS: dict[str, tuple[Any, tuple[str, str]]] = {
    "commitment": ("ab" * 32, NOT_SIGNED),
    "host_key": ("ab" * 32, NOT_SIGNED),
    "account": ("p_bob", NOT_SIGNED),
    "n": (2, NOT_SIGNED),
    "log_head": ("ab" * 32, NOT_SIGNED),
    "receipt": ("ab" * 64, NOT_SIGNED),
    "log_n": (6, ("mine", "the commitment is not the one you were given")),
    "client_seed": ("ab" * 32, ("client seed", "the client seed is not the one you named")),
    "table_digest": ("ab" * 32, ("asked", "the table is not what you asked for")),
    "game": ("hi-lo", ("asked", "the game is not what you asked for")),
    "options": ({"zero_rule": "la_partage"}, ("asked", "the options are not what you asked for")),
    "stake": (5, ("asked", "the stake is not what you asked for")),
    "super": (True, ("asked", "super mode is not what you asked for")),
}
"""Everything that is kept of a session, another value for it, and the check that has to fail, with its words."""


@pytest.mark.parametrize("name", FIELDS)
def test_everything_that_was_kept_is_compared(name):
    value, check = FIELDS[name]

    found = verify(played(pair_of()), kept=file_of(kept_of(**{name: value})))

    assert [(one.name, one.text) for one in found.checks if one.ok is False] == [check]
    assert found.problem == check[1]
    unused = {"session_id", "kind", "seat", "player_id", "secret", "seats_digest", "room", "at"}
    assert set(Kept.__struct_fields__) == FIELDS.keys() | unused


@pytest.mark.parametrize("receipt", ["", "ab" * 64, receipt_of(8)[1]], ids=["none", "no signature", "another's"])
def test_a_receipt_in_the_record_that_is_not_the_one_kept_is_found(receipt):
    assert failed(played(pair_of(receipt=receipt)), file_of(kept_of())) == ["mine"]


@pytest.mark.parametrize(
    "facts", [{"account": "p_bob"}, {"n": 2}, {"head": b"\x09" * 32}, {"server": b"\x09" * 32}], ids=str
)
def test_a_host_that_signs_something_else_afterwards_is_found(facts):
    """Its new commitment opens, its seed follows and its signature holds: only what was kept tells."""
    commitment, receipt = receipt_of(9, **facts)
    names = {"head": "log_head", "server": "server_seed"}
    changes = {names.get(name, name): value.hex() if name in names else value for name, value in facts.items()}
    record = played(pair_of(commitment=commitment, receipt=receipt, **changes))

    assert failed(record) == []
    assert failed(record, file_of(kept_of())) == ["mine"]


def test_a_number_that_was_given_out_twice_is_found_and_a_gap_is_told():
    other = kept_of(10)
    same_commitment = replace(kept_of(11, n=2), commitment=kept_of().commitment)

    assert failed(played(pair_of()), file_of(kept_of(), other)) == ["count"]
    assert failed(played(pair_of()), file_of(kept_of(), same_commitment)) == ["count"]
    found = verify(played(pair_of()), kept=file_of(kept_of(), replace(other, n=3)))
    assert [check.ok for check in found.checks if check.name == "count"] == [None]
    assert found.ok


def test_of_two_hosts_with_one_number_of_a_session_the_note_of_the_records_own_is_compared():
    """A commitment that was not noted is found, whichever host's it claims to be, and so are two of one host."""
    signer = Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
    key = signer.public_key().public_bytes_raw()
    made = commitment_to(SERVER, Binding(9, key, "p_ann", 1, HEAD))
    receipt = signer.sign(receipt_message(made, Binding(9, key, "p_ann", 1, HEAD))).hex()
    other: dict[str, Any] = {"commitment": made.hex(), "host_key": key.hex(), "receipt": receipt}
    theirs = played(pair_of(**other))
    again: dict[str, Any] = dict(zip(("commitment", "receipt"), receipt_of(9, n=2), strict=True))
    both = file_of(kept_of(), kept_of(**other))

    for record in (played(pair_of()), theirs):
        assert verify(record, kept=both).is_compared
        assert failed(record, both) == []
    assert failed(theirs, file_of(kept_of())) == ["mine"]
    assert failed(played(pair_of(n=2, **again)), both) == ["mine"]
    assert failed(played(pair_of()), file_of(kept_of(), kept_of(n=2, **again))) == ["count"]
    assert failed(played(None), both) == ["commitment"]


def test_two_logs_for_one_number_are_found():
    other = replace(kept_of(10), n=2, log_head="ab" * 32)

    assert failed(played(pair_of()), file_of(kept_of(), other)) == ["log"]
    later = replace(other, log_n=6)
    assert failed(played(pair_of()), file_of(kept_of(), later)) == []
    kept = KeptFile(1, (kept_of(),), LogHead(KEY.hex(), 5, "cd" * 32))
    assert failed(played(pair_of()), kept) == ["log"]


# Rooms.

BOX = get_game("shut-the-box")
SECRETS = [b"\x05" * 32, b"\x06" * 32]


def room_of(players: list[str] | None = None, begins: str | None = None, **more: Any) -> tuple[MatchRecord, Kept]:
    """Return the record of one roll between two people, and what the second of them kept."""
    commitment, receipt = receipt_of(9, account="m_room", n=0)
    made = bytes.fromhex(commitment)
    names = ["p_ann", "p_bob"]
    seats = tuple(
        SeatSecret(name, seat_commitment(made, seat, name, SECRETS[seat]).hex(), SECRETS[seat].hex())
        for seat, name in enumerate(names)
    )
    pair = pair_of(client=b"", account="m_room", n=0, seats=seats, commitment=commitment, receipt=receipt)
    digest = seats_digest(made, TABLE, 9, seats).hex()
    pair = replace(pair, **more)
    start = create_match(
        BOX, players or names, seed=pair.match_seed(9), session_id=9, match_id="m_room", starting_player=begins
    )
    rolled: Any = apply_action(BOX, start, Action("roll", {}, start.turn.current))
    record = make_record(BOX, start, [LogEntry(rolled.action, 1, 0, True)], commitments=pair)
    facts = (commitment, KEY.hex(), "m_room", 0, 5, HEAD.hex(), receipt)
    mine = {"seat": 1, "player_id": "p_bob", "secret": SECRETS[1].hex(), "seats_digest": digest}
    return record, replace(Kept(9, *facts, "room", room="m_room"), **mine)


def test_the_record_of_a_room_is_compared_with_the_secret_of_ones_seat():
    record, kept = room_of()

    assert failed(record, file_of(kept)) == []
    assert verify(record, kept=file_of(kept)).is_compared
    for other in ({"secret": "07" * 32}, {"seat": 0}, {"seat": 7}, {"player_id": "p_cat"}):
        assert failed(record, file_of(replace(kept, **other))) == ["client seed"]


def test_a_secret_that_another_seat_changed_after_the_seats_were_fixed_is_found():
    """The host and a seat of its own: my commitment and secret are as I sent them, and the other's are not."""
    record, kept = room_of()
    pair = record.commitments
    assert pair is not None
    changed = bytes(32)
    made = seat_commitment(bytes.fromhex(pair.commitment), 0, "p_ann", changed).hex()
    forged, _ = room_of(seats=(SeatSecret("p_ann", made, changed.hex()), pair.seats[1]))

    assert failed(forged) == []
    assert verify(forged, kept=file_of(kept)).problem == "the seats are not those you opened for"


def test_an_opening_that_the_host_says_it_never_got_is_found_by_who_sent_it():
    record, kept = room_of()
    pair = record.commitments
    assert pair is not None
    forged, _ = room_of(seats=(pair.seats[0], replace(pair.seats[1], secret="")))

    assert failed(forged) == []
    assert verify(forged, kept=file_of(kept)).problem == "the record says that you did not open, and you did"


@pytest.mark.parametrize(
    ("players", "begins"), [(["p_bob", "p_ann"], None), (None, "p_bob"), (["p_ann", "p_eve"], None)]
)
def test_a_host_that_seats_players_otherwise_when_it_knows_the_seed_is_found(players, begins):
    """It knows the seed when all have opened: who sits where and who begins would be a choice among several games."""
    record, kept = room_of(players, begins)

    assert failed(record) == failed(record, file_of(kept)) == ["players"]


def test_a_void_start_that_the_record_does_not_tell_of_is_found():
    """The host and a seat of its own may choose between two seeds, but not so that nobody sees it."""
    commitment, receipt = receipt_of(8, account="m_room", n=0)
    void = VoidStart(8, commitment, SERVER.hex(), HEAD.hex(), ("p_ann",))
    silent, kept = room_of()
    told, _ = room_of(voids=(void,))
    seen = file_of(replace(kept, session_id=8, commitment=commitment, receipt=receipt), kept)

    assert failed(told, seen) == []
    assert failed(silent, file_of(kept)) == []
    assert verify(silent, kept=seen).problem == "the record does not tell of a start that you saw"
    other_commitment = replace(void, commitment="ab" * 32)
    assert failed(room_of(voids=(other_commitment,))[0], seen) == ["commitment"]


def test_a_spectator_or_who_named_no_client_seed_is_told_that_they_had_no_part_in_the_seed():
    record, kept = room_of()
    watched = verify(record, kept=file_of(replace(kept, player_id="", secret="", seats_digest="")))
    unnamed = verify(played(pair_of(client=b"")), kept=file_of(kept_of(client_seed="")))

    for found in (watched, unnamed):
        assert found.ok
        assert [check.ok for check in found.checks if check.name == "client seed"] == [None]
    assert failed(played(pair_of()), file_of(kept_of(client_seed=""))) == ["client seed"]


def test_a_seed_in_which_no_player_had_a_part_is_said_to_be_the_hosts_alone():
    """No room of ours begins so: one person at least has opened."""
    nobody, bots = (SeatSecret("p_ann", "ab" * 32), SeatSecret("p_bob")), (SeatSecret("p_ann"), SeatSecret("p_bob"))
    for seats in (nobody, bots):
        assert notes(room_of(seats=seats)[0])["strength"] == "no player had a part in the seed: the host alone made it"
    assert "strength" not in notes(room_of()[0])


# The file.


def test_a_kept_file_is_read_as_it_was_written():
    kept = file_of(kept_of(), room_of()[1])

    assert read_kept(write_kept(kept.kept, kept.log)) == kept


@pytest.mark.parametrize(
    ("data", "error"),
    [
        *((data, BadDocument) for data in (b"", b"{}", b"[]", b'{"schema":1}', b'{"kept":[{}],"schema":1}')),
        (b'{"kept":[],"schema":"1"}', BadDocument),
        (b'{"kept":[],"schema":2}', WrongSchema),
    ],
)
def test_a_broken_kept_file_or_one_of_another_schema_is_refused(data, error):
    with pytest.raises(error):
        read_kept(data)


@pytest.mark.parametrize(
    "changed",
    [
        {"commitment": "AB"},
        {"host_key": "0"},
        {"n": -1},
        {"n": 2**64},
        {"log_n": -1},
        {"log_n": 2**64},
        {"session_id": -1},
        {"log_head": "x"},
        {"receipt": "é"},
        {"client_seed": "0"},
        {"secret": "ab"},
        {"seats_digest": "z"},
        {"seat": -1},
    ],
    ids=str,
)
def test_an_impossible_note_is_refused_when_it_is_read(changed):
    with pytest.raises(BadDocument, match="cannot be read"):
        read_kept(write_kept((replace(kept_of(), **changed),)))
