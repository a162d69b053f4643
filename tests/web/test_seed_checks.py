"""Where a seed came from, as the page checks it: against hosts that cheat, and against Python on mutated records."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.engine import Action, apply_action, create_match, get_game, make_record, read_record, verify, write_record
from croupier.engine.model import LogEntry
from croupier.engine.records.seed_checks import read_kept, seed_checks
from croupier.errors import CroupierError
from croupier.fairness import SeedPair
from croupier.fairness.seeds import SeatSecret, VoidStart
from croupier.fairness.signing import Ed25519Signer
from tests.web.page_modules import (
    HEAD,
    HOST,
    canonical,
    commitment_of,
    kept_of,
    lp,
    needs_node,
    paths_in,
    place_of,
    played,
    proofs,
    seal,
    seen,
    signed_pair,
    u64,
)

pytestmark = needs_node

SESSION = 9
OTHER = Ed25519Signer(bytes(32))


def bad(given: dict[str, Any]) -> list[str]:
    """Return the names of the checks that fail on the page."""
    (checks,) = proofs([given])
    return [name for name, ok, _ in checks if ok is False]


def spun(pair: SeedPair, seed: bytes, spin_seed: bytes | None = None) -> tuple[dict[str, Any], list[Any], int]:
    """Play a spin on 17; return the record without commitments, what the table showed, and the pocket."""
    game: Any = get_game("roulette")
    state = first = create_match(game, ["ann"], seed=seed, session_id=SESSION, host=game.terms(0, False))
    log, states = [], [first]
    for number, (kind, payload) in enumerate([("place", {"bet": "straight:17", "stake": 10}), ("spin", {})], 1):
        own = spin_seed if kind == "spin" else None
        answer: Any = apply_action(game, state, Action(kind, payload, "ann"), seed=own)
        log.append(LogEntry(answer.action, number, 0, answer.drew, own.hex() if own else None))
        state = answer.state
        states.append(state)
    return json.loads(write_record(make_record(game, first, log))), seen(states), state.game.pockets[-1]


def plain(pair: SeedPair) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(msgspec.json.encode(pair))
    return found


def committed(record: dict[str, Any], pair: SeedPair) -> str:
    return seal({**record, "commitments": plain(pair)})


def file_of(*kept: dict[str, Any], log: Any = None) -> dict[str, Any]:
    return {"schema": 1, "kept": list(kept), "log": log}


# Hosts that cheat.


def test_a_host_that_gives_a_move_a_seed_of_its_own_beside_the_commitment_is_caught():
    pair = signed_pair(SESSION, 1)
    found = (spun(pair, pair.match_seed(SESSION), bytes([i]) * 32) for i in range(256))
    record, steps, _ = next(one for one in found if one[2] == 0)
    text = committed(record, pair)

    assert bad({"text": text, "steps": steps}) == ["seeds"]
    assert bad({"text": text, "steps": steps, "kept": file_of(kept_of(pair, SESSION))}) == ["seeds"]


def test_a_host_that_uses_another_client_seed_than_the_player_named_is_caught():
    mine = signed_pair(SESSION, 1)
    for i in range(256):
        other = msgspec.structs.replace(mine, client_seed=f"{i:02x}" * 32)
        record, steps, pocket = spun(other, other.match_seed(SESSION))
        if pocket == 0:
            break
    text = committed(record, other)

    assert bad({"text": text, "steps": steps}) == [], "the record is consistent: only what was kept tells"
    assert bad({"text": text, "steps": steps, "kept": file_of(kept_of(mine, SESSION))}) == ["client seed"]


def test_a_record_without_commitments_is_caught_where_a_commitment_was_kept():
    mine = signed_pair(SESSION, 1)
    record, steps, _ = next(one for i in range(256) if (one := spun(mine, bytes([i]) * 32))[2] == 0)

    assert bad({"text": seal(record), "steps": steps}) == []
    assert bad({"text": seal(record), "steps": steps, "kept": file_of(kept_of(mine, SESSION))}) == ["commitment"]


def test_a_host_that_commits_to_another_seed_afterwards_is_caught():
    mine, other = signed_pair(SESSION, 1), signed_pair(SESSION, 1, account="p_bob")
    record, steps, _ = spun(other, other.match_seed(SESSION))

    assert bad({"text": committed(record, other), "steps": steps, "kept": file_of(kept_of(mine, SESSION))}) == ["mine"]


def test_a_receipt_in_the_record_that_is_not_the_one_kept_is_caught():
    mine = signed_pair(SESSION, 1)
    record, steps, _ = spun(mine, mine.match_seed(SESSION))
    text = committed(record, msgspec.structs.replace(mine, receipt="ab" * 64))

    assert bad({"text": text, "steps": steps, "kept": file_of(kept_of(mine, SESSION))}) == ["mine"]


@pytest.mark.parametrize(
    ("change", "name", "ok"), [({"receipt": ""}, "receipt", None), ({"log_n": 2**64}, "commitment", False)]
)
def test_a_missing_receipt_is_told_and_a_number_outside_64_bits_refused(change, name, ok):
    mine = signed_pair(SESSION, 1)
    record, _, _ = spun(mine, mine.match_seed(SESSION))
    text = committed(record, msgspec.structs.replace(mine, **change))
    (checks,) = proofs([{"text": text}])
    told = next(check for check in verify(text.encode()).checks if check.name == name)

    assert [name, ok, told.text] in checks
    assert told.ok is ok


@pytest.mark.parametrize(
    ("asked", "differs"),
    [
        ({"table_digest": "ab" * 32}, "the table is"),
        ({"game": "craps"}, "the game is"),
        ({"options": {"zeros": 2}}, "the options are"),
        ({"stake": 5}, "the stake is"),
        ({"super": True}, "super mode is"),
    ],
)
def test_a_session_that_is_not_what_was_asked_for_is_caught(asked, differs):
    mine = signed_pair(SESSION, 1)
    record, _, _ = spun(mine, mine.match_seed(SESSION))
    kept = file_of({**kept_of(mine, SESSION), **asked})
    (checks,) = proofs([{"text": committed(record, mine), "kept": kept}])

    assert checks[-1] == ["asked", False, f"{differs} not what you asked for"]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"receipt": "00" * 64}, "receipt"),
        ({"log_n": 5}, None),
        ({"n": 3, "session_id": 10, "commitment": "ab" * 32}, None),  # a gap is a question, not a fault
    ],
)
def test_what_was_kept_is_checked_in_itself(change, name):
    mine, next_one = signed_pair(SESSION, 1), signed_pair(11, 2)
    record, _, _ = spun(mine, mine.match_seed(SESSION))
    first = kept_of(mine, SESSION)
    if name == "receipt":
        first |= change
    others = [kept_of(next_one, 11) | change] if name is None else []

    assert bad({"text": committed(record, mine), "kept": file_of(first, *others)}) == ([name] if name else [])


def test_two_heads_for_one_number_and_a_number_given_twice_are_caught():
    mine, again = signed_pair(SESSION, 1), signed_pair(11, 1)
    record, _, _ = spun(mine, mine.match_seed(SESSION))
    text, first = committed(record, mine), kept_of(mine, SESSION)
    other_log = {"host_key": HOST.key, "n": 4, "head": "ab" * 32}

    assert bad({"text": text, "kept": file_of(first, log=other_log)}) == ["log"]
    assert bad({"text": text, "kept": file_of(first, kept_of(again, 11))}) == ["count"]


def test_of_two_hosts_with_one_number_of_a_session_the_note_of_the_records_own_is_compared():
    mine, theirs, again = signed_pair(SESSION, 1), signed_pair(SESSION, 1, host=OTHER), signed_pair(SESSION, 2)
    notes = [kept_of(pair, SESSION) for pair in (mine, theirs, again)]
    texts = [committed(spun(pair, pair.match_seed(SESSION))[0], pair) for pair in (mine, theirs, again)]

    assert [bad({"text": text, "kept": file_of(*notes[:2])}) for text in texts] == [[], [], ["mine"]]
    assert bad({"text": texts[0], "kept": file_of(notes[0], notes[2])}) == ["count"]


@pytest.mark.parametrize("begins", ["80" + "00" * 29 + "0100ab", "80" + "00" * 29 + "01", "77" * 32])
def test_a_record_of_scheme_1_is_read_with_a_warning(begins):
    text = seal(old_record(begins))
    (checks,) = proofs([{"text": text}])

    held = [[name, True] for name in ("form", "seal", "commitment", "seed")]
    assert [one[:2] for one in checks] == [*held, ["scheme", None]]
    assert checks[-1][2].startswith("scheme 1 can be attacked")
    assert ("begins with the bytes" in checks[-1][2]) == begins.startswith("80")


def old_record(client_seed: str) -> dict[str, Any]:
    """A record of scheme 1. For the seed alone: its moves are another seed's."""
    server = b"\x09" * 32
    seed = sha256(server + bytes.fromhex(client_seed) + f"\0match/{SESSION}".encode()).hexdigest()
    pair = {"commitment": sha256(server).hexdigest(), "server_seed": server.hex(), "client_seed": client_seed}
    return {**json.loads(played("roulette", SESSION)["text"]), "commitments": pair, "seed": seed}


# Rooms.


def room_pair() -> SeedPair:
    """The seed of a room with three seats: one's own, a bot, and one that did not open; a start before it was void."""
    pair = signed_pair(SESSION, 0, client_seed=b"", account="m_room")
    head = lp("croupier/seat/2", bytes.fromhex(pair.commitment))
    made = [sha256(head + bytes([0, 0, 0, seat]) + lp(f"p_{seat}", bytes([seat]) * 32)).hexdigest() for seat in (0, 2)]
    seats = (SeatSecret("p_0", made[0], "00" * 32), SeatSecret("bot:1:greedy"), SeatSecret("p_2", made[1]))
    before = commitment_of(b"\x66" * 32, 8, 0, "m_room").hex()
    void = VoidStart(8, before, "66" * 32, HEAD.hex(), ("p_cal", "p_dan"))
    return msgspec.structs.replace(pair, seats=seats, voids=(void,))


def room_record() -> tuple[dict[str, Any], dict[str, Any]]:
    """A record with the seed of a room, and what the first player kept. For the seed alone: its moves are a spin's."""
    pair = room_pair()
    record, _, _ = spun(pair, pair.match_seed(SESSION))
    record["commitments"] = plain(pair)
    seat_players(record)
    parts = lp("croupier/seats/2", bytes.fromhex(pair.commitment), bytes.fromhex(pair.table_digest)) + u64(SESSION)
    parts += b"".join(lp(seat.player_id, bytes.fromhex(seat.commitment)) for seat in pair.seats)
    digest = sha256(parts).hexdigest()
    mine = {"seat": 0, "player_id": "p_0", "secret": "00" * 32, "seats_digest": digest}
    kept = kept_of(pair, SESSION, kind="room", room="m_room", **mine)
    del kept["client_seed"]
    return record, kept


def seat_players(record: dict[str, Any]) -> None:
    """Seat the players of a record as its seed says."""
    names = [seat["player_id"] for seat in record["commitments"]["seats"]]
    record["players"] = [{"id": name, "name": name, "seat": place, "is_bot": False} for place, name in enumerate(names)]
    record["starting_player"] = names[0]


def test_the_proof_of_a_room_names_who_did_not_open_and_which_start_was_void():
    record, mine = room_record()
    (checks,) = proofs([{"text": seal(record), "kept": file_of(mine)}])
    texts = {name: text for name, _, text in checks}

    assert [name for name, ok, _ in checks if ok is False] == []
    assert texts["seats"] == "seat 2 did not open; a host in league with it could choose between two seeds"
    assert texts["void"].startswith("a start was void because p_cal, p_dan did not open")
    assert texts["client seed"] == "your seat's secret is the one you opened"


def hosts_own(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a room with a seed to which no seat has given anything."""
    seats = [{"player_id": seat["player_id"]} for seat in record["commitments"]["seats"]]
    alone = {**record, "commitments": {**record["commitments"], "seats": seats}}
    return {**alone, "seed": msgspec.convert(alone["commitments"], SeedPair).match_seed(SESSION).hex()}


def test_a_seed_in_which_no_player_had_a_part_is_said_to_be_the_hosts_alone():
    (checks,) = proofs([{"text": seal(hosts_own(room_record()[0]))}])

    assert ["strength", None, "no player had a part in the seed: the host alone made it"] in checks


def void_note(mine: dict[str, Any]) -> dict[str, Any]:
    """Return the note of the start before, which was void."""
    return {**mine, "session_id": 8, "commitment": commitment_of(b"\x66" * 32, 8, 0, "m_room").hex()}


def test_a_void_start_that_the_record_does_not_tell_of_is_caught():
    """Else a host in league with a seat would choose between two seeds, and nothing would show it."""
    record, mine = room_record()
    kept = file_of(void_note(mine), mine)
    silent = copy.deepcopy(record)
    del silent["commitments"]["voids"]

    told, untold = proofs([{"text": seal(one), "kept": kept} for one in (record, silent)])
    assert ["starts", True, "the record tells of every start that you saw"] in told
    assert untold[-1] == ["starts", False, "the record does not tell of a start that you saw"]


@pytest.mark.parametrize(
    "change",
    [
        lambda seats: seats[0].pop("secret"),  # the host says that one did not open
        lambda seats: seats.pop(2),  # other seats than one opened for
        lambda seats: seats.insert(0, {"player_id": "p_eve"}),
    ],
)
def test_a_room_that_leaves_out_what_a_player_opened_is_caught(change):
    record, mine = room_record()
    change(record["commitments"]["seats"])
    seat_players(record)
    record["seed"] = msgspec.convert(record["commitments"], SeedPair).match_seed(SESSION).hex()

    assert bad({"text": seal(record), "kept": file_of(mine)})[0] in ("client seed", "commitment")


def test_a_host_that_seats_players_otherwise_when_it_knows_the_seed_is_caught():
    record, mine = room_record()
    begins = {**record, "starting_player": "p_2"}
    swapped = {**record, "players": record["players"][::-1], "starting_player": "p_2"}

    for one in (begins, swapped):
        assert bad({"text": seal(one), "kept": file_of(mine)}) == ["players"]


# Against Python.


def mutate(random: Random, document: dict[str, Any], under: tuple[str, ...]) -> None:
    """Change one thing at random: a digit, a number, a kind, a key that is missing or too many."""
    path = random.choice([path for path in paths_in(document) if path[0] in under])
    place, last = place_of(document, path), path[-1]
    old = place[last]
    if isinstance(old, str):
        digit = random.randrange(len(old)) if old else 0
        flipped = old[:digit] + random.choice("0123456789abcdef") + old[digit + 1 :]
        place[last] = random.choice([flipped, old.upper(), old[:-2], old + "00", "", "zz", flipped])
    elif isinstance(old, bool):
        place[last] = not old
    elif isinstance(old, int):
        place[last] = random.choice([old + 1, 0, 2, 2**63, 2**64, -1, old - 1 if old else 7])
    elif isinstance(old, list) and old:
        random.choice([old.pop, old.reverse, lambda: old.append(copy.deepcopy(old[0]))])()
    elif isinstance(old, dict):
        old["extra"] = 1


def bases() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Records of every kind, each with a kept file."""
    log = {"host_key": HOST.key, "n": 6, "head": "ab" * 32}
    mine, room, honest = signed_pair(SESSION, 2), room_record(), json.loads(played("roulette", SESSION)["text"])
    session = {**honest, "commitments": plain(mine), "seed": mine.match_seed(SESSION).hex()}
    weak = signed_pair(SESSION, 2, client_seed=b"lucky")
    short = {**honest, "commitments": plain(weak), "seed": weak.match_seed(SESSION).hex()}
    none = signed_pair(SESSION, 2, client_seed=b"")
    empty = {**honest, "commitments": plain(none), "seed": none.match_seed(SESSION).hex()}
    unnamed = {name: value for name, value in kept_of(none, SESSION).items() if name != "client_seed"}
    asked = {"game": "roulette", "options": dict(honest["options"]), "stake": honest.get("stake", 0), "super": False}
    others = [kept_of(signed_pair(7, 1), 7), kept_of(signed_pair(12, 3), 12, log_n=5, log_head="cd" * 32)]
    bare = {name: value for name, value in honest.items() if name != "commitments"}
    with_seeds = {**bare, "seeds": ["", "ab" * 32][: len(bare["actions"])]}
    elsewhere = kept_of(signed_pair(SESSION, 2, host=OTHER), SESSION)
    return [
        (session, file_of(elsewhere, *others, kept_of(mine, SESSION, **asked), log=log)),
        (session, file_of(*others)),
        (short, file_of(kept_of(weak, SESSION), log=log)),
        (empty, file_of(unnamed)),
        (room[0], file_of(*others, room[1], log=log)),
        (room[0], file_of(void_note(room[1]), room[1])),
        (hosts_own(room[0]), file_of(*others)),
        (room[0], file_of({name: value for name, value in room[1].items() if name not in PART})),
        (old_record("77" * 40), file_of()),
        (bare, file_of(*others)),
        (with_seeds, file_of()),
    ]


PART = {"seat", "player_id", "secret", "seats_digest"}
"""Fields that a player who was ready in a room keeps besides its receipt."""
RECORD_FIELDS = ("commitments", "seeds", "seed", "session_id", "game_id", "options", "stake", "super", "players")


def in_python(text: str, kept: str | None) -> list[list[Any]]:
    """Return what Python checks of a seed; a record that it cannot read has the one check of its form."""
    try:
        record = read_record(text)
    except CroupierError:
        return [["form", False]]
    found = seed_checks(record, None if kept is None else read_kept(kept))
    return [["form", True], *([one.name, one.ok, one.text] for one in found)]


def on_the_page(checks: list[list[Any]]) -> list[list[Any]]:
    form = checks[0][:2]
    return [form, *(one for one in checks[1:] if one[0] != "seal")] if form[1] else [form]


def mutated(random: Random, count: int) -> Iterator[dict[str, Any]]:
    """Yield records that were changed in up to two places, some with a kept file that was changed as well."""
    documents = bases()
    for number in range(count):
        record, kept = copy.deepcopy(documents[number % len(documents)])
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            mutate(random, record, RECORD_FIELDS)
        if kept["kept"] and random.random() < 0.6:
            place = random.choice(kept["kept"])
            name = random.choice(sorted(place.keys() - {"kind", "options", "at", "room"}))
            names = ["p_bob", "p_ann"] if name in ("account", "player_id") else ["ab" * 32, "cd" * 32]
            values: dict[type, list[Any]] = {str: names, int: [1, 4, 9], bool: [True]}
            place[name] = random.choice(values[type(place[name])])
        yield {"text": seal(record), "kept": kept if random.random() < 0.9 else None}


@pytest.mark.parametrize(("seed", "count"), [(17, 1_000), pytest.param(18, 10_000, marks=pytest.mark.soak)])
def test_python_and_the_page_agree_on_mutated_records(seed, count):
    cases = list(mutated(Random(seed), count))
    for case, checks in zip(cases, proofs(cases), strict=True):
        kept = None if case["kept"] is None else canonical(case["kept"])
        assert on_the_page(checks) == in_python(case["text"], kept), case["text"]
