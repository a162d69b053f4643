"""`croupier verify` and a transcript of shared dice: alone, beside the record of its match, and what it says no to."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import pytest

from croupier.engine import (
    Game,
    MatchClient,
    Setup,
    Turn,
    act,
    action,
    create_match,
    get_game,
    legal_actions,
    make_record,
    read_record,
    replay,
    write_record,
)
from croupier.fairness.dice import Rolled, read_transcript, verify_transcript
from croupier.fairness.dice.messages import Lock
from croupier.transcripts import undiced_draw
from tests.docs.conftest import load_example


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """Return a folder with a transcript and the record of its match, as the example on the page makes them."""
    folder = tmp_path_factory.mktemp("dice")
    load_example("shared_dice").play(folder)
    return Path(folder)


def test_a_sound_transcript_verifies(run, files):
    answer = run("verify", str(files / "table.json"))
    *checks, last = answer.stdout.splitlines()

    assert answer.exit_code == 0
    assert [line.split()[1] for line in checks] == ["form", "events", "chips", "seal"]
    assert last.startswith("verified. Seeds: ")


def test_a_transcript_is_verified_alone_and_has_no_receipts(run, files):
    table, match = str(files / "table.json"), str(files / "match.json")

    for words, told in (((match, table), "verified alone"), ((table, "--kept", match), "--kept goes with records")):
        answer = run("verify", *words)
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert told in answer.stderr


def test_a_transcript_goes_with_the_record_of_its_match(run, files):
    answer = run("verify", str(files / "table.json"), "--record", str(files / "match.json"), "--json")

    found = json.loads(answer.stdout)
    assert (answer.exit_code, found["ok"], found["closed"]) == (0, True, "ended")
    names = [check["name"] for check in found["checks"]]
    assert names == ["form", "events", "chips", "seal", "record", "seeds", "draws"]
    record = read_record((files / "match.json").read_bytes())
    assert [roll["seed"] for roll in found["rolls"]] == [seed for seed in record.seeds if seed]
    assert [roll["move_number"] for roll in found["rolls"]] == [
        move for move, seed in enumerate(record.seeds, 1) if seed
    ]


def test_a_transcript_of_the_first_protocol_verifies_with_a_warning(run):
    answer = run("verify", str(Path(__file__).parents[1] / "fairness" / "protocol_1.json"))

    assert answer.exit_code == 0
    (line,) = [line for line in answer.stdout.splitlines() if line.split()[1] == "warning"]
    assert line.startswith("!  warning     the table follows protocol 1")


def test_a_changed_or_unreadable_transcript_exits_with_1(run, files, path):
    data = (files / "table.json").read_bytes()
    path.write_bytes(data.replace(b'"session_id":7', b'"session_id":8'))
    forged = run("verify", str(path))
    path.write_text(json.dumps(json.loads(data)))
    spaced = run("verify", str(path))

    assert (forged.exit_code, spaced.exit_code) == (1, 1)
    assert forged.stdout.splitlines()[-1].startswith("not verified: entry 0 (join): the signature of ")
    assert "not in canonical form" in spaced.stdout


def test_a_record_that_does_not_verify_fails_its_transcript(run, files, path):
    path.write_bytes((files / "match.json").read_bytes().replace(b'"session_id":7', b'"session_id":6'))

    answer = run("verify", str(files / "table.json"), "--record", str(path), "--json")

    assert answer.exit_code == 1
    assert [check["name"] for check in json.loads(answer.stdout)["checks"] if not check["ok"]] == ["record"]


def test_the_record_of_another_match_is_told_apart(run, files, path):
    game = get_game("shut-the-box")
    client = MatchClient(game, create_match(game, ["ann", "bob"], seed=b"", session_id=7))
    client.dispatch(act("roll"), seed=bytes(32))
    path.write_bytes(write_record(make_record(game, client.base, client.get_log())))

    answer = run("verify", str(files / "table.json"), "--record", str(path))

    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[-1].startswith("not verified: round 1: it gives move 1 the seed ")


def test_a_record_alone_takes_no_record_beside_it(run, files):
    answer = run("verify", str(files / "match.json"), "--record", str(files / "match.json"))

    assert answer.exit_code == 2
    assert answer.stderr.endswith("match.json is none [usage]\n")


def test_without_the_package_verify_exits_with_2(run, files, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)

    answer = run("verify", str(files / "table.json"))

    assert answer.exit_code == 2
    assert answer.stderr.endswith("pip install 'croupier[fair]' [missing_extra]\n")


# Draws that no round made.


def test_a_move_that_drew_without_a_round_is_found(files):
    """Ann rolls from the seed of the match, which the host chose by itself."""
    record = read_record((files / "match.json").read_bytes())
    game = get_game("shut-the-box")
    rolls = verify_transcript((files / "table.json").read_bytes()).rolls
    assert undiced_draw(record, rolls, replay(record)) is None
    assert undiced_draw(record, rolls[1:], replay(record)) == "move 1 (roll) drew from a seed that no round made"

    client = MatchClient(game, create_match(game, ["ann"], seed=b"", session_id=7))
    client.dispatch(act("roll"))
    client.dispatch(legal_actions(game, client.get_state())[0])
    record = make_record(game, client.base, client.get_log())
    assert undiced_draw(record, [], replay(record)) == "move 1 (roll) drew from a seed that no round made"


class Dealt(Game[int]):
    """A game that draws when it is set up."""

    id, name, players = "dealt", "Dealt", (1, 4)

    def setup(self, table: Setup) -> int:
        return table.rng.next_bounded(200)

    @action()
    def go(self, state: int, turn: Turn) -> int:
        """Do nothing."""
        return state


def test_a_set_up_that_drew_needs_a_round_of_its_own(registered):
    dealt = registered(Dealt())
    client = MatchClient(dealt, create_match(dealt, ["ann"], seed=b"s", session_id=7))
    client.dispatch(act("go"))
    record = make_record(dealt, client.base, client.get_log())

    assert undiced_draw(record, [], replay(record)) == "setting up the match drew from a seed that no round made"
    assert undiced_draw(record, [Rolled(1, 0, b"s", (), "00" * 32)], replay(record)) is None


def test_the_transcript_of_the_example_binds_states_and_actions(files):
    transcript = read_transcript((files / "table.json").read_bytes())
    locks = [entry.event for entry in transcript.entries if isinstance(entry.event, Lock)]
    record = read_record((files / "match.json").read_bytes())

    assert [lock.state for lock in locks] == [record.digests[lock.move_number - 1] for lock in locks]
    assert {json.loads(lock.action)["type"] for lock in locks} == {"roll"}
    assert msgspec.json.decode(locks[0].action)["player_id"] == "ann"
