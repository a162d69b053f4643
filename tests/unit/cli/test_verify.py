"""`croupier verify`: a sound record passes, and no changed byte does."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from croupier.engine import write_record
from croupier.engine.records.seed_checks import write_kept
from tests.unit.cli.conftest import rewritten
from tests.unit.engine.records.test_seed_checks import kept_of, pair_of, played


@pytest.fixture
def check(run, path):
    """Return a function that verifies bytes."""

    def check(data: bytes, *arguments: str):
        path.write_bytes(data)
        return run("verify", str(path), *arguments)

    return check


def other_digit(digest: str) -> str:
    return ("1" if digest[0] == "0" else "0") + digest[1:]


@pytest.mark.parametrize("name", ["fixed", "committed"])
def test_a_sound_record_verifies(check, records, name):
    answer = check(records[name])

    assert answer.exit_code == 0
    assert answer.stdout.splitlines()[-1].startswith("consistent; not compared with what you saw. ")
    assert "✗" not in answer.stdout


def test_a_committed_seed_is_checked_in_two_steps(check, records):
    names = [entry["name"] for entry in json.loads(check(records["committed"], "--json").stdout)["checks"]]

    assert names == ["form", "rules", "commitment", "seed", "moves", "seal"]


@pytest.mark.parametrize(
    ("place", "value", "difference"),
    [
        (("seed",), "01", "not verified: version 0 has the digest"),
        (("options", "tile_count"), 10, "not verified: version 0 has the digest"),
        (("options", "tile_count"), 11, "not verified: version 0: the match cannot be set up"),
        (("actions", 1, "payload", "tiles"), [1, 3], "not verified: version 2 has the digest"),
        (("actions", 1, "payload", "tiles"), [5], "not verified: version 2: action 2 (shut) is refused"),
        (("actions", 0, "type"), "shut", "not verified: version 1: action 1 (shut) is refused"),
        (("session_id",), 1, "not verified: version 0 has the digest"),
        (("players", 0, "name"), "Ann", "not verified: version 0 has the digest"),
        (("digests", 4), "0" * 64, "not verified: version 4 has the digest"),
        (("record_digest",), "0" * 64, "not verified: the record hashes to"),
        (("rules_version",), 2, "not verified: the record follows version 2 of the rules"),
        (("game_id",), "ludo", "not verified: there is no game 'ludo'"),
        (("schema",), 2, "not verified: the record has schema 2"),
    ],
)
def test_the_last_line_names_the_first_difference(check, records, place, value, difference):
    answer = check(rewritten(records["fixed"], *place, value=value))

    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[-1].startswith(difference)


@pytest.mark.parametrize("part", ["commitment", "server_seed", "client_seed"])
def test_a_commitment_that_was_tampered_with_is_found_before_any_move(check, records, part):
    digits = json.loads(records["committed"])["commitments"][part]

    answer = check(rewritten(records["committed"], "commitments", part, value=other_digit(digits)), "--json")

    found = json.loads(answer.stdout)
    assert (answer.exit_code, found["ok"], found["result"]) == (1, False, None)
    failed = [entry["name"] for entry in found["checks"] if entry["ok"] is False]
    assert failed == ["seed" if part == "client_seed" else "commitment"]


def test_a_forced_verification_goes_on_with_other_rules(check, records):
    """The version of the rules is part of every state: it still differs, but at version 0 and not before."""
    answer = check(rewritten(records["fixed"], "rules_version", value=2), "--force", "--json")

    assert (answer.exit_code, json.loads(answer.stdout)["version"]) == (1, 0)


@pytest.mark.parametrize("name", ["fixed", "committed"])
def test_no_changed_byte_gets_through(check, records, name):
    """Bit flips, lost, added and doubled bytes, cuts: 200 files for each record, all refused in words."""
    chance = random.Random(name)
    data = records[name]
    for _ in range(200):
        place = chance.randrange(len(data))
        kind = chance.choice(["flip", "lose", "add", "cut", "double"])
        flipped = bytes([data[place] ^ 1 << chance.randrange(8)])
        changed = {
            "flip": data[:place] + flipped + data[place + 1 :],
            "lose": data[:place] + data[place + 1 :],
            "add": data[:place] + flipped + data[place:],
            "cut": data[:place],
            "double": data[:place] + data[max(0, place - 8) :],
        }[kind]
        answer = check(changed)

        assert answer.exit_code == 1, (kind, place)
        assert answer.stderr == ""
        assert answer.stdout.splitlines()[-1].startswith("not verified: ")


@pytest.mark.parametrize(
    "value", [None, True, -1, 2**70, 1.5, "", "x", "\u202e\x1b[2J", [], {}, [[]], {"a": 1}], ids=repr
)
def test_no_value_of_another_kind_gets_through(check, records, value):
    """Every field of the record, and every field inside it, replaced in turn."""
    document = json.loads(records["committed"])
    places: list[tuple[str | int, ...]] = [(key,) for key in document]
    places += [("options", key) for key in document["options"]]
    places += [("players", 0, key) for key in document["players"][0]]
    places += [("actions", 1, key) for key in document["actions"][1]]
    places += [("commitments", key) for key in document["commitments"]]
    for place in places:
        changed = rewritten(records["committed"], *place, value=value)
        if changed == records["committed"]:
            continue
        answer = check(changed)

        assert (answer.exit_code, answer.stderr) == (1, ""), place
        assert "\x1b" not in answer.stdout


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b"\x00", b"\xff\xfe", b"[" * 100_000, b'{"schema":1}'])
def test_a_file_with_broken_content_is_not_verified(check, data):
    answer = check(data)

    assert (answer.exit_code, answer.stderr) == (1, "")


def test_without_unicode_checks_are_marked_by_words(records, path, shell):
    path.write_bytes(records["fixed"])

    answer = shell("verify", str(path), PYTHONIOENCODING="ascii")

    assert answer.returncode == 0
    assert answer.stdout.startswith(b"yes  form")


# Several records, and what was kept.


def written(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


def test_several_records_are_verified_each_and_the_worst_decides(run, records, tmp_path: Path):
    sound = written(tmp_path, "sound.json", records["committed"])
    broken = written(tmp_path, "broken.json", rewritten(records["committed"], "record_digest", value="0" * 64))

    both = run("verify", sound, broken, "--json")

    assert (both.exit_code, [found["ok"] for found in json.loads(both.stdout)]) == (1, [True, False])
    assert run("verify", sound, sound).exit_code == 0


def test_a_host_that_shows_two_logs_is_found_by_comparing_records(run, tmp_path: Path):
    """Two players exchange their records: for one length of the host's log each names another head."""
    names = [
        written(tmp_path, f"{head}.json", write_record(played(pair_of(head=bytes([head]) * 32)))) for head in (3, 4)
    ]

    alone = run("verify", names[0])
    both = run("verify", *names)

    assert alone.exit_code == 0
    assert both.exit_code == 0, "the number is not signed, so that whoever holds a record could have changed it"
    assert "two heads that the host signed are given for entry 5 of its log, 03030303… and 04040404…" in both.stdout


def test_nobody_accuses_a_host_with_a_record_that_it_did_not_sign(run, tmp_path: Path):
    honest = written(tmp_path, "honest.json", write_record(played(pair_of())))
    forged = written(tmp_path, "forged.json", write_record(played(pair_of(head=b"\x04" * 32, receipt=""))))

    for names in ([forged], [honest, forged], [forged, honest]):
        found = run("verify", *names)
        assert found.exit_code == 0
        assert "there is no receipt" in found.stdout
        assert "two heads" not in found.stdout


def test_kept_receipts_decide_whether_a_record_is_verified(run, tmp_path: Path):
    record = written(tmp_path, "round.json", write_record(played(pair_of())))
    mine = written(tmp_path, "mine.json", write_kept((kept_of(),)))
    other = written(tmp_path, "other.json", write_kept((kept_of(client_seed="09" * 32),)))
    broken = written(tmp_path, "broken.json", b"{}")

    assert "verified: it is what you saw." in run("verify", record, "--kept", mine).stdout
    refused = run("verify", record, "--kept", other)
    assert (refused.exit_code, refused.stdout.splitlines()[-1]) == (
        1,
        "not verified: the client seed is not the one you named",
    )
    assert run("verify", record, "--kept", broken).exit_code == 2
