"""Saved matches: exact in mid-game, and whatever is wrong with one is a clear error that names it."""

import copy
import json
import pickle
from typing import Any

import pytest

from croupier.engine import (
    Action,
    Match,
    act,
    create_match,
    deserialize_match,
    serialize_match,
    state_digest,
)
from croupier.engine.records import saves
from croupier.engine.records.saves import SaveInfo, SlotStore
from croupier.errors import BadDocument, CroupierError, GameFault, UnknownGame, WrongSchema
from tests.unit.engine.counting import play, put, written


@pytest.mark.parametrize("count", [0, 1, 3, 6])
def test_a_save_in_mid_game_goes_on_exactly(any_game, count):
    match = create_match(any_game, ["a", "b"], seed=b"saved", session_id=5, now=9)
    match = play(any_game, match, count).get_state()

    loaded = deserialize_match(serialize_match(match), any_game)

    assert loaded == match
    assert loaded.updated_at == match.updated_at
    assert type(loaded.game) is type(match.game)
    assert state_digest(loaded) == state_digest(match)
    assert serialize_match(loaded) == serialize_match(match)
    assert play(any_game, loaded, 8).history() == play(any_game, match, 8).history()


def test_a_save_may_be_text_or_bytes_and_is_canonical_json(pig, start):
    text = serialize_match(start(pig), saved_at=1234)

    assert deserialize_match(text.encode(), pig) == deserialize_match(text, pig) == start(pig)
    document = json.loads(text)
    assert written(document) == text
    assert (document["schema"], document["saved_at"]) == (1, 1234)
    assert sorted(document) == ["saved_at", "schema", "state"]


def test_the_game_of_a_save_is_looked_up_by_its_id(registered_pig, start):
    match = start(registered_pig)

    assert deserialize_match(serialize_match(match)) == match


def test_a_save_of_a_game_that_is_not_there_is_an_unknown_game(pig, start):
    with pytest.raises(UnknownGame, match="'small-pig'"):
        deserialize_match(serialize_match(start(pig)))


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_copy_and_pickle_of_a_match_simply_work(any_game, way):
    match = create_match(any_game, ["a", "b"], seed=b"copied")
    match = play(any_game, match, 2).get_state()

    twin = way(match)

    assert twin == match
    assert hash(twin) == hash(match)
    assert twin.updated_at == match.updated_at
    assert state_digest(twin) == state_digest(match)
    assert play(any_game, twin, 5).history() == play(any_game, match, 5).history()


# Corruption.


def saved(game, match) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(serialize_match(match))
    return document


def test_a_save_cut_off_anywhere_is_a_bad_document(pig, start, accept):
    text = serialize_match(accept(pig, start(pig), act("roll")))
    assert len(text) < 700
    for end in range(len(text)):
        with pytest.raises(BadDocument):
            deserialize_match(text[:end], pig)


@pytest.mark.parametrize(
    "text",
    [
        *["", "null", "[]", "5", '"save"', "{}", "{'schema': 1}", "\ufeff{}", "NaN", "\ud800", b"\xff\xfe", b"\x00"],
        *(f'{{"schema":{schema},"saved_at":0,"state":{{}}}}' for schema in ('"1"', "true", "1.0", "null", "1")),
        *(f'{{"schema":1,"saved_at":0,"state":{state}}}' for state in ("[]", "null", '{},"more":1')),
        '{"schema":1}',
        *['{"schema":1,"saved_at":"now","state":{}}', "[" * 100_000, '{"a":' * 100_000, None, 5, 2**70, [], Ellipsis],
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_bytes_that_are_no_save_are_a_bad_document(pig, text):
    with pytest.raises(BadDocument):
        deserialize_match(text, pig)


@pytest.mark.parametrize("schema", [2, 99, 10**30, 0, -1])
def test_a_newer_or_unknown_schema_says_so(pig, start, schema):
    document = saved(pig, start(pig)) | {"schema": schema}

    with pytest.raises(WrongSchema, match=str(schema)):
        deserialize_match(json.dumps(document), pig)


FIELDS = Match.__struct_fields__


@pytest.mark.parametrize("field", FIELDS)
def test_a_save_without_one_of_its_fields_is_a_bad_document(pig, start, field):
    document = saved(pig, start(pig))
    del document["state"][field]

    with pytest.raises(BadDocument):
        deserialize_match(json.dumps(document), pig)


JUNK: list[Any] = [None, True, -1, 1.5, 10**30, "junk", "\u0000", [], [1], {}, {"junk": 1}, [[[]]], {"seed": None}]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("registered", [True, False])
def test_a_field_of_another_type_is_an_error_whether_the_game_is_given_or_looked_up(
    registered_pig, start, accept, field, registered
):
    """The save is of mid-game, so that every field holds something; junk equal to what was there is left out."""
    match = accept(registered_pig, start(registered_pig), act("roll"))
    for junk in JUNK:
        document = saved(registered_pig, match)
        if document["state"][field] == junk and type(document["state"][field]) is type(junk):
            continue
        document["state"][field] = junk
        try:
            loaded = deserialize_match(json.dumps(document), None if registered else registered_pig)
        except (BadDocument, UnknownGame):
            continue
        # Free text, a time, and options that are all defaults are nobody's business to refuse.
        assert field in ("match_id", "updated_at", "options"), junk
        assert loaded.version == 1


@pytest.mark.parametrize("version", [0, -5, 2, 10**30])
def test_a_save_of_other_rules_says_that_there_is_no_way(pig, start, version):
    document = saved(pig, start(pig))
    document["state"]["rules_version"] = version

    with pytest.raises(WrongSchema, match="save of small-pig"):
        deserialize_match(json.dumps(document), pig)
    del document["state"]["game"]
    with pytest.raises(BadDocument):
        deserialize_match(json.dumps(document), pig)


WINNER = {"status": "win", "winners": ["a"]}
CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "another game": {"game_id": "tic-tac-toe"},
    "a field that no match has": {"more": 1},
    "seats out of order": {"players.0.seat": 1, "players.1.seat": 0},
    "two players of one id": {"players.1.id": "a"},
    "a player without an id": {"players.1.id": "", "turn.order": ["a", ""]},
    "a player nobody can see": {"players.1.name": "\u202e"},
    "a stranger in the order": {"turn.order": ["a", "c"]},
    "a player twice in the order": {"turn.order": ["a", "a"]},
    "nobody plays": {"turn.order": []},
    "a stranger's turn": {"turn.current": "c"},
    "a turn of one who left": {"turn.order": ["b"]},
    "a phase that is none": {"turn.phase": "midnight"},
    "no phase": {"turn.phase": ""},
    "no turn yet": {"turn.turn_number": 0},
    "a negative turn": {"turn.turn_number": -3},
    "finished without a result": {"status": "finished"},
    "a result and still on": {"result": WINNER},
    "a winner nobody knows": {"status": "finished", "result": {"status": "win", "winners": ["c"]}},
    "a score of nobody": {"status": "finished", "result": {"status": "draw", "scores": {"c": 1}}},
    "a win without winners": {"status": "finished", "result": {"status": "win"}},
    "a draw with winners": {"status": "finished", "result": {"status": "draw", "winners": ["a"]}},
    "a version before the first": {"version": -1, "rng_state.move_number": 0},
    "a move number that does not fit": {"rng_state.move_number": 7},
    "a move number that is used up": {"version": 2**32 - 2, "rng_state.move_number": 2**32 - 1},
    "a session out of bounds": {"rng_state.session_id": 2**64},
    "a negative session": {"rng_state.session_id": -1},
    "a seed that is not hex": {"rng_state.seed": "xyz"},
    "half a byte of seed": {"rng_state.seed": "0"},
    "a seed in capitals": {"rng_state.seed": "AB"},
    "a seed with a gap": {"rng_state.seed": "00 00"},
    "a seed that is too long": {"rng_state.seed": "00" * 1025},
    "an option out of bounds": {"options.goal": 0},
    "an option of nobody": {"options.gaol": 5},
}


@pytest.mark.parametrize("edits", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_save_that_contradicts_itself_is_a_bad_document(pig, start, edits):
    document = saved(pig, start(pig, seed=b"\xab"))
    for path, value in edits.items():
        put(document["state"], path, value)

    with pytest.raises(BadDocument):
        deserialize_match(json.dumps(document), pig)


@pytest.mark.parametrize("levels", [70, 300, 900, 990, 2_000])
def test_a_plain_state_from_a_save_is_as_plain_as_one_from_play(careless, start, levels):
    """A state that play could never reach must not come in through a save and break the next action."""
    text = serialize_match(start(careless))
    deep = text.replace('"pile":[3,1,2]', f'"pile":{"[" * levels}{"]" * levels}')
    assert deep != text

    with pytest.raises(BadDocument):
        deserialize_match(deep, careless)


# Migrations.


def test_saves_of_an_older_schema_pass_through_the_chain_of_migrations(pig, start, monkeypatch):
    """Schema -1 called the time `time`; schema 0 had the state as text."""
    document = saved(pig, start(pig))
    old = {"schema": -1, "time": 55, "state": json.dumps(document["state"])}

    def rename(save: dict[str, Any]) -> dict[str, Any]:
        return {"schema": 0, "saved_at": save["time"], "state": save["state"]}

    def unpack(save: dict[str, Any]) -> dict[str, Any]:
        return {**save, "schema": 1, "state": json.loads(save["state"])}

    monkeypatch.setitem(saves.MIGRATIONS, -1, rename)
    monkeypatch.setitem(saves.MIGRATIONS, 0, unpack)

    assert deserialize_match(json.dumps(old), pig) == start(pig)
    with pytest.raises(WrongSchema, match="no way from -2 to -1"):
        deserialize_match(json.dumps({**old, "schema": -2}), pig)


def test_a_migration_that_fails_is_told_apart_from_a_bad_save(pig, start, monkeypatch):
    monkeypatch.setitem(saves.MIGRATIONS, 0, lambda save: save["nothing"])

    with pytest.raises(CroupierError, match="migration of the save from version 0 failed"):
        deserialize_match(json.dumps(saved(pig, start(pig)) | {"schema": 0}), pig)


def test_saves_of_older_rules_are_migrated_by_the_game(pig, start, monkeypatch):
    document = saved(pig, start(pig))
    del document["state"]["game"]["pot"]
    document["state"]["game"]["points"] = document["state"]["game"].pop("scores")

    def to_2(state: dict[str, Any]) -> dict[str, Any]:
        return {**state, "pot": 7}

    def to_3(state: dict[str, Any]) -> dict[str, Any]:
        state = dict(state)
        return {"scores": state.pop("points"), **state}

    monkeypatch.setattr(type(pig), "rules_version", 3)
    monkeypatch.setattr(type(pig), "migrations", {1: to_2, 2: to_3})

    loaded = deserialize_match(json.dumps(document), pig)

    assert loaded.rules_version == 3
    assert loaded.game.scores == (0, 0)
    assert loaded.game.pot == 7


def test_a_migration_of_the_game_that_fails_is_the_games_fault(pig, start, monkeypatch):
    monkeypatch.setattr(type(pig), "rules_version", 2)
    monkeypatch.setattr(type(pig), "migrations", {1: lambda state: state["nothing"]})
    document = saved(pig, start(pig))
    document["state"]["rules_version"] = 1

    with pytest.raises(GameFault, match="migration of the save of small-pig from version 1 failed"):
        deserialize_match(json.dumps(document), pig)


# Slots.


@pytest.fixture
def storage() -> dict[str, bytes]:
    return {}


def test_a_slot_holds_what_was_saved_in_it(registered_pig, start, accept):
    match = accept(registered_pig, start(registered_pig), act("roll"))
    store = SlotStore({})

    store.save_match("mine", match, saved_at=9)

    assert store.load_match("mine") == match
    assert store.load_match("yours") is None
    assert store.list_saves() == (SaveInfo("mine", 9, "small-pig", 1),)
    assert store.delete_save("mine") is True
    assert store.delete_save("mine") is False
    assert store.list_saves() == ()


@pytest.mark.parametrize(
    ("keep", "saved_at", "kept"),
    [
        (3, {"d": 1, "b": 2, "e": 3, "a": 4, "c": 5}, ["c", "a", "e"]),
        (2, {"a": 10, "b": 20, "late": 5}, ["b", "late"]),  # the one just saved, though its clock is behind
    ],
)
def test_a_store_keeps_the_newest(registered_pig, start, storage, keep, saved_at, kept):
    store = SlotStore(storage, keep=keep)
    for slot, time in saved_at.items():
        store.save_match(slot, start(registered_pig), saved_at=time)

    assert [save.slot for save in store.list_saves()] == kept
    assert sorted(storage) == sorted(kept)


def test_a_store_keeps_no_more_than_it_should_when_nobody_tells_the_time(registered_pig, start, storage):
    """All are saved at 0: the one just saved is kept, and never more than were asked for."""
    store = SlotStore(storage, keep=2)
    for slot in "abc":
        store.save_match(slot, start(registered_pig))

    assert len(storage) == 2
    assert "c" in storage


def test_saving_into_a_slot_again_replaces_it(registered_pig, start, accept, storage):
    store = SlotStore(storage, keep=2)
    store.save_match("a", start(registered_pig), saved_at=1)
    store.save_match("b", start(registered_pig), saved_at=2)
    later = accept(registered_pig, start(registered_pig), act("roll"))
    store.save_match("a", later, saved_at=3)

    assert [save.slot for save in store.list_saves()] == ["a", "b"]
    assert store.load_match("a") == later


@pytest.mark.parametrize(
    "data",
    [
        *[b"", b"junk", b"\xff", b"{}", b'{"schema":1,"saved_at":0,"state":{}}', b"[" * 5_000, b'{"schema":9}'],
        b'{"schema":1,"saved_at":0,"state":{"game_id":[],"version":0}}',
        b'{"schema":1,"saved_at":0,"state":{"game_id":"small-pig","version":0,"rules_version":0}}',
        b'{"schema":1,"saved_at":0,"state":{"game_id":"nowhere","version":0}}',
    ],
    ids=lambda data: repr(data[:60]),
)
def test_a_corrupt_slot_loads_as_none_and_hides_no_other(registered_pig, start, data):
    store = SlotStore({"bad": data})
    store.save_match("good", start(registered_pig), saved_at=5)

    assert store.load_match("bad") is None
    assert store.load_match("good") == start(registered_pig)
    assert "good" in [save.slot for save in store.list_saves()]


@pytest.mark.parametrize("keep", [0, -1])
def test_a_store_keeps_at_least_one(keep):
    with pytest.raises(CroupierError, match="at least one"):
        SlotStore({}, keep=keep)


def test_a_finished_match_can_be_saved(rps, start, accept):
    over = accept(
        rps, start(rps), Action("throw", {"hand": "rock"}, "a"), Action("throw", {"hand": "paper"}, "b"), now=3
    )

    loaded = deserialize_match(serialize_match(over), rps)

    assert loaded == over
    assert loaded.result == over.result
