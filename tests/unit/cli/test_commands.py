"""The commands that answer: games, rules, coach, replay; and how every command says no."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.cli.app import COMMANDS
from croupier.cli.errors import clean, one_line
from croupier.engine import get_game, list_games
from tests.unit.cli.conftest import rewritten

STORY = [
    "the match is set up",
    "optimal_score rolled 1 and 3",
    "optimal_score shut 4",
    "optimal_score rolled 2 and 4",
    "optimal_score shut 6",
    "optimal_score rolled 2 and 3",
    "optimal_score shut 5",
    "optimal_score rolled 2 and 2",
    "optimal_score shut 1, 3",
    "optimal_score rolled 1 and 5: 2, 7, 8, 9 cannot make 6, the score is 26",
]


@pytest.fixture
def record(records, path) -> Path:
    """Return the file of a match that the best player played with the seed 00."""
    path.write_bytes(records["fixed"])
    return Path(path)


# Every command.


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_fits_80_columns_and_has_an_example_that_calls_it(run, command):
    answer = run(command, "--help")

    assert answer.exit_code == 0
    assert max(map(len, answer.stdout.splitlines())) <= 80
    examples = answer.stdout.partition("Example:\n")[2]
    assert f"  croupier {command} " in examples or f"  croupier {command}\n" in examples


def test_the_examples_of_the_help_keep_their_lines(run):
    assert "  Example:\n    croupier games\n    croupier games --json\n" in run("games", "-h").stdout


def test_the_bare_command_prints_its_help_and_lists_every_command(run):
    answer = run()

    assert answer.exit_code == 0
    assert [line.split()[0] for line in answer.stdout.partition("Commands:\n")[2].splitlines()] == list(COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nope"], "usage"),
        (["verify"], "usage"),
        (["verify", "--nope", "a"], "usage"),
        (["verify", "no/such/file"], "file_error"),
        (["verify", "/"], "file_error"),
        (["replay", "no/such/file"], "file_error"),
        (["rules", "no-such-game"], "unknown_game"),
        (["coach", "no-such-game", "1"], "unknown_game"),
        (["coach", "shut-the-box"], "usage"),
        (["coach", "shut-the-box", "1,2", "--at", "x"], "usage"),
        (["coach", "shut-the-box", "1,2", "--version", "1"], "usage"),
        (["coach", "shut-the-box", "0,99"], "bad_options"),
        (["coach", "shut-the-box", "1,2", "--objective", "glory"], "usage"),
        (["coach", "shut-the-box", "1,2", "--option", "tile_count=11"], "bad_options"),
        (["coach", "shut-the-box", "--at", "no-such-save"], "usage"),
        (["play", "no-such-game"], "unknown_game"),
        (["play", "shut-the-box", "--seed", "7"], "usage"),
        (["play", "shut-the-box", "--seed", "0x00"], "usage"),
        (["play", "shut-the-box", "--seed", ""], "usage"),
        (["play", "shut-the-box", "--seed", "00 11"], "usage"),
        (["play", "shut-the-box", "--seed", "00" * 1025], "usage"),
        (["play", "shut-the-box", "--seed", "00", "--client-seed", "x"], "usage"),
        (["play", "shut-the-box", "--client-seed", "x" * 257], "bad_seed"),
        (["play", "shut-the-box", "--session", "-1"], "bad_seed"),
        (["play", "shut-the-box", "--session", "x"], "usage"),
        (["play", "shut-the-box", "--option", "tile_count"], "usage"),
        (["play", "shut-the-box", "--option", "a=1", "--option", "a=2"], "usage"),
        (["play", "shut-the-box", "--option", "tile_count=11"], "bad_options"),
        (["play", "shut-the-box", "--option", "colour=red"], "bad_options"),
        (["play", "shut-the-box", "--bot", "nobody"], "unknown_bot"),
        (["play", "shut-the-box", "--bot", ""], "usage"),
        (["play", "shut-the-box", "--auto", ""], "usage"),
        (["play", "shut-the-box", "--seats", "9"], "usage"),
        (["play", "shut-the-box", "--seats", "0"], "usage"),
        (["play", "shut-the-box", "--seats", "1", "--bot", "uniform"], "usage"),
        (["play", "shut-the-box", "--players", "Ann,Ann"], "bad_players"),
        (["play", "shut-the-box", "--players", "Ann,,Bob"], "usage"),
        (["play", "shut-the-box", "--record", "no/such/folder/g.json"], "file_error"),
        (["play", "shut-the-box", "--record", "/"], "file_error"),
        (["play", "--load", "no-such-save"], "usage"),
        (["play", "shut-the-box", "--load", "x"], "usage"),
    ],
    ids=" ".join,
)
def test_a_mistake_is_one_line_with_its_code_and_exit_code_2(run, arguments, code):
    answer = run(*arguments)

    assert answer.exit_code == 2
    assert re.fullmatch(rf"error: [^\n]+ \[{code}\]\n", answer.stderr)


def test_with_json_a_mistake_is_an_object_with_error_and_code(run):
    answer = run("verify", "no/such/file", "--json")

    assert (answer.exit_code, answer.stdout) == (2, "")
    assert json.loads(answer.stderr) == {"error": "no/such/file: No such file or directory", "code": "file_error"}


def test_a_seed_with_an_odd_number_of_digits_is_shown_an_even_one(run):
    answer = run("play", "shut-the-box", "--seed", "abc")

    assert answer.stderr == "error: --seed 'abc' has an odd number of digits; a byte has two: 0abc [usage]\n"


def test_text_from_outside_cannot_steer_the_terminal():
    assert clean("a\x1b[31mb\x07\udcff") == "a\\x1b[31mb\\x07\\udcff"
    assert one_line("two\nlines\x1b") == "two lines\\x1b"
    assert len(one_line("x" * 10_000)) == 601


# games, rules.


def test_games_lists_what_a_player_wants_to_know(run):
    (game,) = [row for row in json.loads(run("games", "--json").stdout)["games"] if row["id"] == "shut-the-box"]

    assert {key: game[key] for key in ("name", "players", "rules_version", "actions", "error")} == {
        "name": "Shut the Box",
        "players": [1, 8],
        "rules_version": 1,
        "actions": ["roll", "shut"],
        "error": None,
    }
    assert {"uniform", "optimal_score", "random"} <= set(game["bots"])


def test_the_table_of_games_says_the_same_for_people(run):
    text = " ".join(run("games").stdout.split())

    assert "id name players bots" in text
    assert "shut-the-box Shut the Box 1–8 uniform" in text


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_rules_are_shown_as_text_in_which_no_word_is_cut(run, columns):
    """Not one of craps' nine columns either: where words do not fit side by side, a row is a paragraph."""
    for game in map(get_game, list_games()):
        shown = run("rules", game.id, COLUMNS=str(columns)).stdout
        known = set(re.findall(r"`([\w:-]+)`", game.rules_text()))

        assert game.name in shown
        assert "##" not in shown
        assert shown.count("…") <= game.rules_text().count("…")
        assert {name for name in known if name not in shown} == set(), game.id
        assert max(map(len, shown.splitlines())) <= columns


def test_rules_for_programs_are_markdown_or_the_schema_of_every_action_and_the_options(run):
    rules = json.loads(run("rules", "shut-the-box", "--json").stdout)
    schema = json.loads(run("rules", "shut-the-box", "--schema").stdout)

    assert rules["game"] == "shut-the-box"
    assert rules["rules"].startswith("# Shut the Box")
    assert list(schema["actions"]) == ["roll", "shut"]
    assert schema["actions"]["shut"]["phases"] == ["shut"]
    assert schema["actions"]["shut"]["payload"]["required"] == ["tiles"]
    assert schema["options"]["$defs"]["BoxOptions"]["properties"]["tile_count"]["enum"] == [9, 10, 12]


# coach.


def test_the_coach_gives_exact_values_for_either_objective(run):
    """With 1 and 2 up one die is rolled: 1 leaves 2, 2 leaves 1, 3 shuts the box, 4 to 6 leave the score at 3."""
    answer = json.loads(run("coach", "shut-the-box", "1,2,4:4", "--json").stdout)

    # Shutting 4 leaves 1 and 2. Alone, 1 or 2 is shut one time in six: worth 5/6 and 10/6.
    leaves_low = Fraction(1, 6) * (Fraction(10, 6) + Fraction(5, 6) + 0 + 3 + 3 + 3)
    assert answer["objective"] == "score"
    assert [row["action_text"] for row in answer["advice"]] == ["shut 4"]
    assert Fraction(answer["advice"][0]["value"]) == leaves_low
    shut = json.loads(run("coach", "shut-the-box", "1,2:3", "--objective", "shut", "--json").stdout)
    assert (shut["objective"], shut["advice"][0]["value"]) == ("shut", "1/1")  # a chance, not a score


def test_the_coach_tells_what_the_other_choices_cost_as_json_and_as_a_table(run):
    rows = json.loads(run("coach", "shut-the-box", "1,2,3:3", "--json").stdout)["advice"]

    assert [row["action_text"] for row in rows] == ["shut 3", "shut 1,2"]
    assert rows[0]["cost"] == "0/1"
    assert Fraction(rows[1]["value"]) == Fraction(15, 6)  # 3 alone is shut one time in six
    assert Fraction(rows[1]["cost"]) == Fraction(rows[1]["value"]) - Fraction(rows[0]["value"])
    lines = run("coach", "shut-the-box", "1,2,3:3").stdout.splitlines()
    assert lines[1].split()[:4] == ["action", "value", "≈", "costs"]
    assert lines[2].split()[1:5] == ["3", "23/12", "1.9167", "best"]
    assert lines[3].split()[1:5] == ["1,2", "5/2", "2.5000", "0.5833"]


def test_the_coach_looks_at_a_record_at_any_version_until_the_match_is_over(run, record):
    at = ("coach", "shut-the-box", "--at", str(record))
    answer = json.loads(run(*at, "--version", "1", "--json").stdout)
    over, beyond = run(*at), run(*at, "--version", "10")

    assert [row["action_text"] for row in answer["advice"]] == ["shut 4", "shut 1,3"]
    assert over.exit_code == 1
    assert over.stderr.endswith("[no_advice]\n")
    assert beyond.exit_code == 2
    assert "versions 0 to 9, not 10" in beyond.stderr


# replay.


def test_replay_tells_every_step_with_the_beginning_of_its_digest(run, record):
    digests = json.loads(record.read_bytes())["digests"]

    lines = run("replay", str(record)).stdout.splitlines()

    assert lines[:-1] == [f"{n:>4}  {digests[n][:12]}  {line}" for n, line in enumerate(STORY)]
    assert lines[-1] == "The match is over: the score is 26"


def test_replay_as_json_lists_versions_digests_and_lines(run, record):
    answer = json.loads(run("replay", str(record), "--json").stdout)

    assert [step["line"] for step in answer["versions"]] == STORY
    assert [step["digest"] for step in answer["versions"]] == json.loads(record.read_bytes())["digests"]
    assert answer["versions"][2]["action"]["payload"] == {"tiles": [4]}
    assert (answer["error"], answer["result"]["status"], answer["result"]["winners"]) == (None, "draw", [])


def test_replay_at_a_version_shows_the_table_of_that_moment(run, record):
    answer = run("replay", str(record), "--at", "2")

    assert "optimal_score shut 4" in answer.stdout
    assert "│  3 │      │  5 │" in answer.stdout


def test_replay_steps_on_and_back_and_stops_when_told(run, record):
    answer = run("replay", str(record), "--step", typed="\n\nb\nq\n")

    told = re.findall(r"^ +(\d+)  [0-9a-f]{12}  ", answer.stdout, re.MULTILINE)
    assert (answer.exit_code, told) == (0, ["0", "1", "2", "1"])
    assert run("replay", str(record), "--step", typed="\n").exit_code == 0  # the end of input ends it


def test_replay_stops_at_the_first_difference(run, records, path):
    path.write_bytes(rewritten(records["fixed"], "actions", 3, "payload", "tiles", value=[1, 2, 3]))

    answer = run("replay", str(path))

    assert answer.exit_code == 1
    assert [line[20:] for line in answer.stdout.splitlines()] == STORY[:4]
    assert re.fullmatch(r"error: version 4 has the digest .* \[record_mismatch\]\n", answer.stderr)


def test_replay_as_json_holds_the_steps_before_the_difference(run, records, path):
    path.write_bytes(rewritten(records["fixed"], "digests", 0, value=json.loads(records["fixed"])["digests"][1]))

    answer = run("replay", str(path), "--json")

    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["versions"] == []
    assert json.loads(answer.stdout)["error"].startswith("version 0 ")


@pytest.mark.parametrize("emptied", ["digests", "actions"])
def test_replay_notices_too_few_and_too_many_digests(run, records, path, emptied):
    path.write_bytes(rewritten(records["fixed"], emptied, value=[]))

    assert run("replay", str(path)).exit_code == 1


def test_a_file_that_is_no_record_cannot_be_replayed(run, path):
    path.write_bytes(b"\xff\x1b[31mnot a record")

    answer = run("replay", str(path))

    assert answer.exit_code == 2
    assert "\x1b" not in answer.stderr
    assert answer.stderr.endswith("[bad_document]\n")
