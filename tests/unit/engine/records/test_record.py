"""Match records: they re-execute to the last byte, and every edit is named by the first thing that differs."""

import json
import re
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from croupier.engine import (
    Action,
    MatchClient,
    MatchRecord,
    act,
    action,
    apply_action,
    create_match,
    make_record,
    read_record,
    replay,
    state_digest,
    verify,
    write_record,
)
from croupier.errors import BadDocument, BadGame, CroupierError, RecordMismatch, WrongSchema
from croupier.fairness import SeedPair
from tests.unit.engine.counting import Count, Counting, at, made, play, put, taking
from tests.unit.engine.counting import written as canonical_text

PAIR = SeedPair.of(bytes(range(32)), b"lucky" * 5, session_id=7)


def record_of(client: MatchClient[Any], **more: Any) -> MatchRecord:
    return make_record(client.game, client.base, client.get_log(), **more)


@pytest.fixture(scope="session")
def record(pig, start) -> MatchRecord:
    """Return the record of six actions at Pig, its seed made by two parties."""
    match = start(pig, ["a", {"id": "b", "name": "Bea/2", "is_bot": True}], seed=PAIR.match_seed(7), session_id=7)
    return record_of(play(pig, match, 6), commitments=PAIR)


def plain(record: MatchRecord) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(write_record(record))
    return document


def written(document: Any) -> bytes:
    return canonical_text(document).encode()


def resealed(document: dict[str, Any]) -> bytes:
    """Write a document with the seal that its edits call for: what a forger would do."""
    rest = {key: value for key, value in document.items() if key != "record_digest"}
    return written({**rest, "record_digest": sha256(written(rest)).hexdigest()})


# What was played verifies.


def test_a_record_holds_what_a_replay_needs(record, pig):
    assert record.schema == 1
    assert (record.game_id, record.rules_version, record.match_id, record.session_id) == ("small-pig", 1, "7", 7)
    assert [(player.id, player.name, player.seat, player.is_bot) for player in record.players] == [
        ("a", "a", 0, False),
        ("b", "Bea/2", 1, True),
    ]
    assert record.starting_player == "a"
    assert record.options == {"goal": 20, "dice": 1}
    assert len(record.actions) == 6
    assert len(record.digests) == 7
    assert record.commitments == PAIR


def test_a_record_file_is_canonical_json_and_sealed(record):
    data = write_record(record)

    assert written(json.loads(data)) == data
    assert resealed(json.loads(data)) == data
    assert read_record(data) == read_record(data.decode()) == record


@pytest.mark.parametrize("count", [0, 1, 40])
def test_every_game_verifies_at_every_length(any_game, start, count):
    client = play(any_game, start(any_game, seed=b"verify"), count)
    record = record_of(client)

    outcome = verify(write_record(record), game=any_game)

    assert outcome.ok, outcome.problem
    assert outcome.problem is None
    assert outcome.version is None
    assert outcome.match == client.get_state()
    assert replay(record, game=any_game) == client.history()
    assert record.digests == tuple(state_digest(state) for state in client.history())


def test_verification_says_what_was_checked(record, pig):
    outcome = verify(record, game=pig)

    assert [(check.name, check.ok) for check in outcome.checks] == [
        ("form", True),
        ("rules", True),
        ("commitment", True),
        ("seed", True),
        ("moves", True),
        ("seal", True),
    ]
    assert all(check.text for check in outcome.checks)


def test_a_class_is_no_game_to_verify_with(pig):
    with pytest.raises(BadGame, match=r"such as ShutTheBox\(\), not <class"):
        verify(b"", game=type(pig))  # type: ignore[arg-type]


def test_a_seed_that_nobody_committed_to_is_said_to_be_one(pig, start):
    outcome = verify(record_of(play(pig, start(pig), 2)), game=pig)

    assert outcome.ok
    assert "not committed" in next(check.text for check in outcome.checks if check.name == "commitment")


def test_the_game_of_a_record_is_looked_up_by_its_id(registered_pig, record):
    assert verify(write_record(record)).ok
    assert len(replay(record)) == 7


@pytest.mark.parametrize("is_given", [False, True])
def test_a_record_of_another_or_an_unknown_game_does_not_verify(record, tictactoe, is_given):
    outcome: Any = verify(write_record(record), game=tictactoe if is_given else None)

    assert not outcome.ok
    assert [(check.name, check.ok) for check in outcome.checks] == [("form", True), ("rules", False)]
    assert ("record of 'small-pig', not of 'tic-tac-toe'" if is_given else "'small-pig'") in outcome.problem


# Seeds of the host, a seed a move.


def test_seeds_of_the_host_are_on_record_and_replay(pig, start):
    seeds = [b"one", None, b"three", None, b"\x00"]
    client = play(pig, start(pig, seed=b"own"), 5, seeds)
    record = record_of(client)

    assert record.seeds == ("6f6e65", "", "7468726565", "", "00")
    assert verify(write_record(record), game=pig).ok
    assert replay(record, game=pig) == client.history()


def test_an_edited_seed_of_a_move_is_named_by_the_version_it_leads_to(pig, start):
    document = plain(record_of(play(pig, start(pig), 5, [b"1", b"2", b"3", b"4", b"5"])))
    document["seeds"][2] = "ff00ff"

    outcome = verify(resealed(document), game=pig)

    assert not outcome.ok
    assert outcome.version == 3


# Edits, resealed as a forger would: each is named by the first thing that differs.


def edited(record: MatchRecord, path: str, value: Any) -> dict[str, Any]:
    """Return the document of a record with something else at a path: a value, or what a function makes of the old."""
    document = plain(record)
    put(document, path, value(at(document, path)) if callable(value) else value)
    return document


@pytest.mark.parametrize(
    ("path", "value", "name", "version"),
    [
        ("game_id", "tic-tac-toe", "rules", None),
        ("rules_version", 2, "rules", None),
        ("commitments.commitment", "00" * 32, "commitment", None),
        ("commitments.server_seed", "00" * 32, "commitment", None),
        ("commitments.server_seed", "00" * 31, "commitment", None),
        ("commitments.server_seed", "xy" * 32, "commitment", None),
        ("commitments.client_seed", "zz", "commitment", None),
        ("commitments.client_seed", "00", "seed", None),
        # Committed seeds have one spelling.
        ("commitments.server_seed", str.upper, "commitment", None),
        ("commitments.client_seed", str.upper, "commitment", None),
        ("commitments.commitment", str.upper, "commitment", None),
        ("commitments.server_seed", lambda text: f"{text[:4]} {text[4:]}", "commitment", None),
        ("commitments.client_seed", lambda text: f" {text}", "commitment", None),
        ("seed", "00" * 32, "seed", None),
        ("session_id", 8, "commitment", None),
        ("match_id", "8", "moves", 0),
        ("match_id", "", "moves", 0),
        ("players.0.id", "c", "moves", 0),
        ("players.1.name", "Ben", "moves", 0),
        ("players.1.is_bot", False, "moves", 0),
        ("players.1.id", "a", "moves", 0),
        ("players.1.id", "", "moves", 0),
        ("players", [], "moves", 0),
        ("starting_player", "b", "moves", 0),
        ("starting_player", "c", "moves", 0),
        ("options.goal", 21, "moves", 0),
        ("options.goal", 0, "moves", 0),
        ("options.extra", 0, "moves", 0),
        ("options", {}, "moves", 0),
        ("actions.0.type", "hold", "moves", 1),
        ("actions.0.type", "fly", "moves", 1),
        ("actions.2.player_id", "c", "moves", 3),
        ("actions.2.player_id", None, "moves", 3),
        ("actions.2.payload", {"extra": 1}, "moves", 3),
        ("digests.0", "00" * 32, "moves", 0),
        ("digests.1", "00" * 32, "moves", 1),
        ("digests.3", "", "moves", 3),
        ("digests.6", "00" * 32, "moves", 6),
        # One too few or too many is named by its version.
        ("digests", lambda digests: digests[:-1], "moves", 6),
        ("digests", lambda digests: [*digests, "00" * 32], "moves", 7),
        ("actions", lambda actions: actions[:-1], "moves", 6),
        ("actions", lambda actions: [*actions, actions[0]], "moves", 7),
    ],
)
def test_an_edit_is_named_by_the_first_difference(record, pig, path, value, name, version):
    outcome = verify(resealed(edited(record, path, value)), game=pig)

    assert not outcome.ok
    failed = [check for check in outcome.checks if not check.ok]
    assert [check.name for check in failed] == [name]
    assert outcome.problem == failed[0].text
    assert outcome.version == version


def test_an_edit_without_a_new_seal_is_found_all_the_same(record, pig):
    """Nothing but the seal differs, so that nothing else can tell."""
    document = plain(record)
    document["record_digest"] = "00" * 32

    outcome: Any = verify(written(document), game=pig)

    assert [check.name for check in outcome.checks if not check.ok] == ["seal"]
    assert "00" * 32 in outcome.problem


def leaves(value: Any, path: str = "") -> list[str]:
    """Return the paths of everything in a document that is not a list or an object with something in it."""
    if isinstance(value, dict) and value:
        return [leaf for key, item in value.items() for leaf in leaves(item, f"{path}.{key}")]
    if isinstance(value, list) and value:
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, f"{path}.{index}")]
    return [path.removeprefix(".")]


def other_forms(value: Any) -> list[Any]:
    """Return values that a careless reader might take for this one, and some that nobody would."""
    forms: list[Any] = [None, "", 0, 1, -1, True, False, 1.0, [], {}, "x", 10**30, "\x00"]
    if isinstance(value, str):
        forms += [
            value.upper(),
            f"{value} ",
            f" {value}",
            value[:-1],
            f"{value[:2]} {value[2:]}",
            value + "00",
            value.title(),
        ]
    if isinstance(value, (int, float)):
        forms += [value + 1, value - 1, float(value), str(value)]
    return [form for form in forms if form != value or type(form) is not type(value)]


def is_hex(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"([0-9a-f]{2})*", value) is not None


def test_every_edit_of_every_field_is_found_even_if_it_is_resealed(pig, start):
    """One record, one spelling: nothing in it can be written in another way and still verify."""
    record = record_of(
        play(pig, start(pig, ["ann", "bob"], seed=b"\xab\xcd", match_id="m"), 4, [b"\xab", None, None, b"\xcd"])
    )
    document = plain(record)
    forged = []
    for path in leaves(document):
        for form in other_forms(at(document, path)):
            if path == "record_digest" or (path.startswith("seeds") and is_hex(form)):
                continue  # the seal is put right anyway; another seed of a move may by chance give the same die
            if verify(resealed(edited(record, path, form)), game=pig).ok:
                forged.append((path, form))

    assert forged == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seeds", []),
        ("seeds", [""] * 4),
        *(("seeds", ["00"] * count) for count in (1, 3, 5)),  # as many as actions, or none
        ("commitments", None),
        ("stake", 0),
        ("stake", 500),
        ("super", False),
        ("super", True),
        ("note", "hello"),
    ],
    ids=str,
)
def test_a_field_that_says_nothing_or_nothing_true_is_found(pig, start, field, value):
    document = plain(record_of(play(pig, start(pig), 4)))

    assert not verify(resealed({**document, field: value}), game=pig).ok


Weigher = made("weigher", weigh=taking(grams=float), legal=lambda self, state, turn: [act("weigh", grams=1.0)])


def test_a_number_in_an_action_has_one_spelling(start):
    """1 and 1.0 are equal in Python, and mean the same weight; but one record must not have two forms."""
    document = plain(record_of(play(Weigher(), start(Weigher(), ["a"]), 2)))
    assert document["actions"][1]["payload"] == {"grams": 1.0}
    document["actions"][1]["payload"] = {"grams": 1}

    outcome = verify(resealed(document), game=Weigher())

    assert (outcome.ok, outcome.version) == (False, 2)


def test_a_client_seed_longer_than_a_player_may_name_does_not_verify(pig, start):
    server, client = bytes(range(32)), b"x" * 257
    pair = SeedPair(sha256(server).hexdigest(), server.hex(), client.hex())
    seed = sha256(server + client + b"\x00match/0").digest()

    outcome = verify(record_of(play(pig, start(pig, seed=seed), 2), commitments=pair), game=pig)

    assert not outcome.ok


# Form.


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + " ",
        lambda text: text + "\n",
        lambda text: " " + text,
        lambda text: text.replace(":", ": ", 1),
        lambda text: text.replace('"a"', '"\\u0061"', 1),
        lambda text: "{" + text[text.index('"digests"') : -1] + "," + text[1 : text.index('"digests"') - 1] + "}",
        lambda text: text[:-1] + ',"seed":"00"}',
        lambda text: text.replace('"schema":1', '"schema":1,"schema":1'),
        lambda text: text.replace('"schema":1', '"schema":2,"schema":1'),
        lambda text: text.replace('"goal":20', '"goal":20,"goal":20'),
        lambda text: text.replace('"goal":20', '"goal":2e1'),
        lambda text: text.replace('"is_bot":false', '"is_bot":0'),
        lambda text: text.replace('"name":"a",', ""),
        lambda text: text.replace('"payload":{},', ""),
        lambda text: text.replace('"schema":1', '"schema":1,"x":1'),
        lambda text: text.replace('"type":"roll"', '"type":"roll","x":1', 1),
        lambda text: text.replace("/", "\\/"),
    ],
)
def test_any_other_way_to_write_a_record_does_not_verify(record, pig, change):
    text = write_record(record).decode()
    other = change(text)
    assert other != text

    outcome = verify(other, game=pig)

    assert [check.name for check in outcome.checks] == ["form"]
    with pytest.raises(BadDocument):
        read_record(other)


def test_where_the_form_differs_is_named(record):
    text = write_record(record).decode()

    with pytest.raises(BadDocument, match="byte 10 differs"):
        read_record(text[:10] + " " + text[10:])


@pytest.mark.parametrize(
    ("schema", "error", "words"),
    [
        *((schema, WrongSchema, str(schema)) for schema in (0, 2, 99, -1, 10**30)),
        *((schema, BadDocument, "does not say its schema") for schema in (None, "1", 1.0, True, [1])),
    ],
)
def test_a_record_of_another_schema_or_none_says_so(record, pig, schema, error, words):
    data = written({**plain(record), "schema": schema})

    with pytest.raises(error, match=words):
        read_record(data)
    assert verify(data, game=pig).problem


@pytest.mark.parametrize(
    "data",
    [
        *["", "null", "[]", "5", "{}", "\ufeff{}", "NaN", "\ud800", b"\xff", "{", "[" * 100_000, '{"a":' * 100_000],
        *[None, 5, 2**70, [], Ellipsis, {"schema": 1}, "1" * 5_000, '{"schema":' + "1" * 5_000 + "}"],
    ],
    ids=lambda data: ascii(data)[:30],
)
def test_bytes_that_are_no_record_do_not_verify_and_do_not_raise(pig, data):
    outcome = verify(data, game=pig)

    assert not outcome.ok
    assert [check.name for check in outcome.checks] == ["form"]
    with pytest.raises(BadDocument):
        read_record(data)


@pytest.mark.parametrize("levels", [*range(60, 70), 200, 400, 600, *range(880, 1_005, 3), 5_000, 100_000])
def test_deep_nesting_does_not_verify_and_does_not_raise(record, pig, levels):
    """Also at the depths where reading just works and writing just does not."""
    text = write_record(record).decode()
    deep = "[" * levels + "]" * levels
    for place, inside in (('"goal":20', f'"goal":{deep}'), ('"payload":{}', f'"payload":{{"x":{deep}}}')):
        assert not verify(text.replace(place, inside, 1), game=pig).ok


# Other rules.


class Stable(Counting):
    id = "stable"

    @action()
    def go(self, state, turn):
        return Count(state.n + turn.rng.roll_die())


StillStable = made("stable", Stable, rules_version=2)
NotStable = made("stable", Stable, rules_version=2, go=action(lambda self, state, turn: Count(state.n + 7)))


def test_a_record_of_other_rules_is_refused_unless_forced(start):
    """Forced, the new rules are tried: they give the same states here, or other ones from version 1 on."""
    record = record_of(play(Stable(), start(Stable(), ["a"]), 3))

    outcome: Any = verify(record, game=StillStable())
    assert not outcome.ok
    assert "version 1 of the rules of stable; installed is version 2" in outcome.problem
    with pytest.raises(BadDocument, match="installed is version 2"):
        replay(record, game=StillStable())

    same = verify(record, game=StillStable(), force=True)
    other = verify(record, game=NotStable(), force=True)
    assert same.ok, same.problem
    assert len(replay(record, game=StillStable(), force=True)) == 4
    assert (other.ok, other.version) == (False, 1)
    with pytest.raises(RecordMismatch) as caught:
        replay(record, game=NotStable(), force=True)
    assert caught.value.version == 1


# Replay raises what verify reports.


@pytest.mark.parametrize(
    ("path", "value", "version", "words"),
    [
        *((f"digests.{version}", "00" * 32, version, f"version {version}") for version in (0, 2, 6)),
        ("actions.3.type", "fly", 4, r"action 4 \(fly\) is refused"),
    ],
)
def test_replay_raises_at_the_first_version_that_differs(record, pig, path, value, version, words):
    tampered = read_record(resealed(edited(record, path, value)))

    with pytest.raises(RecordMismatch, match=words) as caught:
        replay(tampered, game=pig)
    assert caught.value.version == version


class Fragile(Stable):
    id = "fragile"

    @action()
    def crash(self, state, turn):
        raise ZeroDivisionError("inside the rules")


def test_a_fault_of_the_game_in_a_replay_is_named_by_its_version(start):
    """Not as a match that cannot be set up: it was set up, and it broke at version 3."""
    document = plain(record_of(play(Fragile(), start(Fragile(), ["a"]), 0)))
    match = start(Fragile(), ["a"])
    digests = [state_digest(match)]
    for _ in range(2):
        match = apply_action(Fragile(), match, act("go")).state
        digests.append(state_digest(match))
    go = {"payload": {}, "player_id": "a", "type": "go"}
    document["actions"] = [go, go, {**go, "type": "crash"}]
    document["digests"] = [*digests, "00" * 32]

    outcome: Any = verify(resealed(document), game=Fragile())

    assert not outcome.ok
    assert outcome.version == 3
    assert "ZeroDivisionError" in outcome.problem
    assert "set up" not in outcome.problem


# Making records.


def test_a_record_is_made_of_a_log_from_version_0_on_that_follows_from_the_seed(pig, tictactoe, start):
    """A position set up by hand does not follow from its seed: a record would show another match than was played."""
    match = start(pig)
    by_hand = msgspec.structs.replace(match, game=msgspec.structs.replace(match.game, scores=(19, 0)))

    with pytest.raises(BadDocument, match="begins with version 0"):
        make_record(pig, play(pig, match, 3).get_state(), ())
    with pytest.raises(CroupierError):
        make_record(pig, by_hand, play(pig, by_hand, 3).get_log())
    with pytest.raises(CroupierError):
        make_record(pig, start(pig, ["x", "y"]), play(pig, match, 4).get_log())
    with pytest.raises(CroupierError):
        make_record(tictactoe, match, ())


def test_undone_actions_are_not_on_record(pig, start):
    client = play(pig, start(pig), 4)
    client.undo()
    client.undo()

    record = record_of(client)

    assert len(record.actions) == 2
    assert verify(record, game=pig).ok


def test_times_are_not_on_record(pig, start):
    one = record_of(play(pig, start(pig, now=1), 3))
    other = record_of(play(pig, start(pig, now=99_999), 3))

    assert write_record(one) == write_record(other)


def test_a_secret_action_is_on_record_for_the_auditor(rps, start):
    client = MatchClient(rps, start(rps))
    client.dispatch(Action("throw", {"hand": "rock"}, "a"))

    assert record_of(client).actions[0].payload == {"hand": "rock"}


def test_the_digest_of_a_state_is_the_hash_of_sorted_json_of_all_but_the_time(tictactoe):
    match = create_match(tictactoe, ["a", "b"], seed=b"\x01", session_id=2)
    by_hand = {
        "match_id": "2",
        "game_id": "tic-tac-toe",
        "rules_version": 1,
        "options": {},
        "players": [
            {"id": "a", "name": "a", "seat": 0, "is_bot": False},
            {"id": "b", "name": "b", "seat": 1, "is_bot": False},
        ],
        "status": "active",
        "turn": {"current": "a", "phase": "play", "turn_number": 1, "order": ["a", "b"]},
        "rng_state": {"seed": "01", "session_id": 2, "move_number": 1},
        "game": {"cells": [""] * 9},
        "result": None,
        "version": 0,
    }

    assert state_digest(match) == sha256(written(by_hand)).hexdigest()
    assert state_digest(match) == "6b9388f1aa030dc9d082e5698ac11323ecc20dffc13a3538009cac42fa1e1873"
