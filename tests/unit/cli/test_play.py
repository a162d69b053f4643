"""`croupier play` in scripts: seeds and commitments, seats, records, saves, and what can be typed."""

from __future__ import annotations

import hmac
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.bots import play_out
from croupier.cli.seats import seat_again, take_seats
from croupier.engine import MatchRecord, create_match, list_games, read_record, replay, state_digest
from croupier.games.shut_the_box import ShutTheBox
from tests.unit.fairness.by_hand import lp

FIRST_ROLL, END = "You rolled 1 and 3", "The match is over: the score is 26"  # with seed 00


def read(path: Path) -> MatchRecord:
    return read_record(path.read_bytes())


@pytest.fixture
def box(run, path):
    """Return a function that plays Shut the Box with a record: further words, and what is typed."""

    def box(words: str = "--seed 00", typed: str = ""):
        return run("play", "shut-the-box", "--record", str(path), *words.split(), typed=typed)

    return box


# Seeds.


def test_a_match_of_bots_with_a_fixed_seed_is_recorded_and_verifies(run, box, path):
    played = box("--auto optimal_score --seed 00")

    assert (played.exit_code, run("verify", str(path)).exit_code) == (0, 0)
    assert "optimal_score rolled 1 and 3\noptimal_score shut 4\n" in played.stdout
    assert "The match is over: the score is 26\n" in played.stdout
    assert played.stdout.endswith(f"check it with: croupier verify {path}\n")


def test_the_bots_of_the_terminal_play_as_the_bots_of_the_library(box, path):
    box("--auto uniform --seats 2 --seed c0ffee --session 7")

    client = play_out(ShutTheBox(), {"uniform": "uniform", "uniform 2": "uniform"}, b"\xc0\xff\xee", session_id=7)
    assert read(path).digests[-1] == state_digest(client.get_state())


def test_the_commitment_is_printed_before_anything_else_and_opens_at_the_end(box, path):
    answer = box("-v --auto uniform --client-seed lucky")

    record = read(path)
    assert record.commitments is not None
    assert answer.stdout.splitlines()[0] == f"commitment {record.commitments.commitment}"
    server_seed = bytes.fromhex(record.commitments.server_seed)
    nothing = lp(b"", b"") + bytes(16) + lp(b"")  # no host, no account, number 0, session 0, no log
    commitment = sha256(lp(b"croupier/commitment/2") + nothing + lp(server_seed)).digest()
    assert commitment.hex() == record.commitments.commitment
    assert bytes.fromhex(record.commitments.client_seed) == b"lucky"
    message = lp(b"croupier/match/2", commitment, b"lucky") + bytes(8) + lp(b"")
    assert record.seed == hmac.digest(server_seed, message, "sha256").hex()
    assert f"server seed {record.commitments.server_seed}" in answer.stdout


def test_the_commitment_comes_after_the_menu_and_before_the_first_roll(run):
    """It is bound to the session, which a house game counts and another has none of."""
    answer = run("play", "-v", typed="shut-the-box\nq\n")

    assert answer.exit_code == 0
    menu, _, rest = answer.stdout.partition("which game? ")
    assert "commitment" not in menu
    assert re.match(r"shut-the-box\ncommitment [0-9a-f]{64}\n", rest)


def test_two_matches_without_a_seed_have_different_seeds(box):
    first, second = (json.loads(box("--auto first --json").stdout) for _ in range(2))

    assert first["seed"] != second["seed"]
    assert first["commitments"]["client_seed"] != second["commitments"]["client_seed"]


def test_bots_alone_can_answer_in_json(box, path):
    found = json.loads(box("--auto optimal_score --seed 00 --json").stdout)

    assert found["result"] == {
        "status": "draw",
        "winners": [],
        "reason": "the score is 26",
        "scores": {"optimal_score": 26},
    }
    assert (found["version"], found["digest"], found["record"]) == (9, read(path).digests[-1], str(path))
    assert box("--json").exit_code == 2  # a person's game is for reading


# Seats.


def test_alone_one_plays_as_you():
    (you,) = take_seats(ShutTheBox()).players

    assert (you.id, you.name, you.is_bot) == ("you", "You", False)


@pytest.mark.parametrize(
    ("wanted", "seated"),
    [
        ({"names": ["Ann", " Bob"]}, {"Ann": None, "Bob": None}),
        ({"bots": ["uniform", "uniform"]}, {"you": None, "uniform": "uniform", "uniform 2": "uniform"}),
        ({"seats": 2}, {"Player 1": None, "Player 2": None}),
        ({"names": ["Ann"], "seats": 3, "bots": ["first"]}, {"Ann": None, "Player 2": None, "first": "first"}),
        ({"auto": "first"}, {"first": "first"}),
        ({"auto": "first", "bots": ["uniform"]}, {"first": "first", "uniform": "uniform"}),
        (
            {"auto": "first", "seats": 3, "bots": ["uniform"]},
            {"first": "first", "uniform": "uniform", "first 2": "first"},
        ),
        ({"auto": "first", "names": ["Ann", "Bob"]}, {"Ann": "first", "Bob": "first"}),
    ],
)
def test_seats_are_taken_by_people_first_then_bots(wanted, seated):
    seating = take_seats(ShutTheBox(), **wanted)

    assert [player.id for player in seating.players] == list(seated)
    assert seating.bots == {player_id: bot for player_id, bot in seated.items() if bot}
    assert {player.id for player in seating.players if player.is_bot} == set(seating.bots)


def test_a_game_may_have_a_bot_for_seats_that_nobody_is_named_for():
    class Public(ShutTheBox):
        id, seat_bot = "public", "uniform"

    assert take_seats(Public(), seats=3).bots == {"uniform": "uniform", "uniform 2": "uniform"}
    assert list(take_seats(Public(), names=["Ann", "Bob"], seats=3).bots) == ["uniform"]
    assert take_seats(Public()).bots == {}
    assert list(take_seats(Public(), seats=3, bots=["first"]).bots.values()) == ["first", "uniform"]


def test_a_game_that_needs_more_players_gets_its_strongest_bot():
    class Duel(ShutTheBox):
        id, players = "duel", (2, 2)

    assert take_seats(Duel()).bots == {"optimal_shut": "optimal_shut"}


def test_a_match_that_goes_on_keeps_the_bots_it_had():
    game = ShutTheBox()
    match = create_match(game, take_seats(game, bots=["uniform", "uniform"]).players, seed=b"")

    assert seat_again(game, match).bots == {"uniform": "uniform", "uniform 2": "uniform"}
    assert seat_again(game, match, bots=["first", "random"]).bots == {"uniform": "first", "uniform 2": "random"}
    assert seat_again(game, match, auto="first").bots == dict.fromkeys(["you", "uniform", "uniform 2"], "first")


# At the prompt.


SHOWN: dict[str, tuple[str, str, list[str], list[str]]] = {
    "Enter takes the only choice": ("--seed 00", "\nq\n", [FIRST_ROLL, "1 shut 1,3   2 shut 4"], []),
    "the server seed stays closed while the match is on": ("-v", "\nq\n", ["commitment"], ["server seed"]),
    "--quiet leaves out the lines of the actions": ("--auto optimal_score --seed 00 --quiet", "", [END], ["rolled"]),
    "hints come from the coach": (
        "--seed 00",
        "\nh\nh shut\nh glory\nq\n",
        ["shut 4    13.9507    best", "no: objective 'glory'"],
        [],
    ),
    "the keys, the rules and the log are one key away": (
        "--seed 00",
        "l\n?\nrules\n\nl\nq\n",
        ["nothing has happened yet", "How to play", "u, r  undo, redo", f"   1  {FIRST_ROLL}\n"],
        [],
    ),
    "people at one keyboard are asked by name, and nothing is secret here": (
        "--players Ann,Bob --seed 00",
        "\n2\n\n2\n\n1\n\n1\n\nq\n",
        ["Ann> ", "Ann rolled 1 and 3"],
        ["Pass the screen"],
    ),
} | {
    f"a name may look like markup: {name}": (f"--players {name}", "\nq\n", [f"{name}  score 45", f"{name} rolled"], [])
    for name in ("[red]", "[/]", "[/bold]", ":smile:", "a\\b", "[link=x]y[/link]")
}


@pytest.mark.parametrize(("words", "typed", "shown", "hidden"), SHOWN.values(), ids=SHOWN)
def test_the_table_shows_what_it_should(box, words, typed, shown, hidden):
    answer = box(words, typed)

    assert answer.exit_code == 0
    assert [text for text in shown if text not in answer.stdout] == []
    assert [text for text in hidden if text in answer.stdout] == []


def test_enter_chooses_nothing_where_there_is_a_choice(box, path):
    box(typed="\n\n\n\nq\n")

    assert len(read(path).actions) == 1


@pytest.mark.parametrize("typed", ["2", "shut 4", "shut tiles=4", "SHUT [4]", "  shut   4  "])
def test_a_choice_is_made_by_number_or_in_words(box, path, typed):
    box(typed=f"\n{typed}\nq\n")

    assert [action.payload for action in read(path).actions] == [{}, {"tiles": [4]}]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("shut 5", "no: 5 adds up to 5, the roll was 4 [wrong_sum]"),
        ("shut 2,2", "no: 2, 2 names a tile twice [tile_twice]"),
        ("roll", "no: roll belongs to phase roll; this is phase shut [wrong_phase]"),
        ("dance", "no: Shut the Box has no action 'dance' (it has roll, shut) [unknown_action]"),
        ("3", "no: there is no choice 3; there are 1 to 2"),
        ("0", "no: there is no choice 0; there are 1 to 2"),
        ("0000000000002", "no: there is no choice 0000000000002; there are 1 to 2"),
        ("٢", "no: there is no choice ٢; there are 1 to 2"),
        ("shut x", "[bad_payload]"),
        ("shut '", "[bad_action]"),
        ("", "choose 1 to 2, or ? for help"),
        ("r", "there is nothing to redo"),
        ("n", "there is nobody else to act"),
    ],
)
def test_a_refused_action_is_told_and_changes_nothing(box, path, typed, answer):
    told = box(typed=f"\n{typed}\nq\n")

    assert told.exit_code == 0
    assert answer in told.stdout
    assert len(read(path).actions) == 1


def test_undo_and_redo_go_back_and_forth_through_the_same_dice(box, path):
    answer = box(typed="\n1\nu\nu\nu\nr\n2\nr\nq\n")

    assert answer.stdout.count("back at version") == 2
    assert "there is nothing to undo" in answer.stdout
    assert "on to version 1" in answer.stdout
    assert "there is nothing to redo" in answer.stdout
    assert read(path).actions[1].payload == {"tiles": [4]}


def test_undo_takes_the_answers_of_bots_back_too(box, path):
    """In the game of seed 00 the choices below end the first player's round; the bot answers with a whole one."""
    typed = "\n2\n\nshut 6\n\nshut 5\n\nshut 1,3\n\n"  # the last roll ends the round, and then the match
    words = "--seed 00 --bot first --option rounds=2"
    box(words, typed)
    states = replay(read(path))
    mine = [state.version for state in states if state.turn.current == "you"]
    after_bot = next(version for version in mine if version - 1 not in mine and version)
    assert states[after_bot - 1].turn.current == "first"

    box(words, typed + "u\n")

    assert len(read(path).actions) == 8
    assert replay(read(path))[-1].turn.current == "you"


def test_the_menu_takes_a_number_a_name_or_an_id(run):
    number = str(list_games().index("shut-the-box") + 1)
    for typed in (number, "shut the box", "Shut-The-Box"):
        answer = run("play", "--seed", "00", typed=f"nonsense\n99\n{typed}\nq\n")

        assert "which game?" in answer.stdout
        assert "1 roll" in answer.stdout


def test_the_end_of_input_leaves_the_table_politely(run, box):
    for typed in ("", "\n", "\n2"):
        answer = box("", typed)

        assert (answer.exit_code, answer.stderr) == (0, "")
    assert run("play", typed="").exit_code == 0


def test_quitting_writes_the_record_so_far(run, box, path):
    box("-o tile_count=12 -o scoring=digits", "\nq\n")

    assert len(read(path).actions) == 1
    assert run("verify", str(path)).exit_code == 0
    assert (read(path).options["tile_count"], read(path).options["scoring"]) == (12, "digits")


def test_a_match_played_to_its_end_keeps_its_record_for_whoever_doubts_it(run, home):
    answer = run("play", "shut-the-box", typed="\n1\n" * 20)

    kept = home / "croupier" / "last" / "shut-the-box.json"
    assert f"croupier verify {kept}" in answer.stdout
    assert run("verify", str(kept)).exit_code == 0


# Saves.


def test_a_saved_match_goes_on_and_its_record_still_verifies(run, path, home):
    saved = run("play", "shut-the-box", "--bot", "first", typed="\ns my game/../x\nq\n")
    assert "go on with: croupier play --load 'my game/../x'" in saved.stdout
    assert (home / "croupier" / "saves" / "my game%2F%2E%2E%2Fx.json").is_file()

    resumed = run("play", "--load", "my game/../x", "-v", "--record", str(path), typed="1\nq\n")

    assert resumed.exit_code == 0
    record = read(path)
    assert record.commitments is not None
    assert resumed.stdout.startswith(f"commitment {record.commitments.commitment}")
    assert len(record.actions) == 2
    assert run("verify", str(path)).exit_code == 0


def test_a_save_without_a_name_has_the_name_of_the_game(run):
    run("play", "shut-the-box", typed="\ns\nq\n")

    answer = run("play", "--load", "shut-the-box", "--auto", "first", "--json")
    assert json.loads(answer.stdout)["status"] == "finished"


def test_a_match_goes_on_from_its_record(run, box, path):
    box(typed="\nq\n")

    answer = run("play", "--load", str(path), "--record", str(path), typed="2\nq\n")

    assert "1 shut 1,3   2 shut 4" in answer.stdout
    assert len(read(path).actions) == 2


def test_a_finished_match_that_is_loaded_shows_its_end(run, box, path):
    box("--auto optimal_score --seed 00")

    answer = run("play", "--load", str(path))

    assert (answer.exit_code, answer.stderr) == (0, "")
    assert "The match is over: the score is 26" in answer.stdout


def test_a_save_alone_has_no_log_to_make_a_record_of(run, path, home):
    run("play", "shut-the-box", typed="\ns lonely\nq\n")
    (home / "croupier" / "records" / "lonely.json").unlink()

    refused = run("play", "--load", "lonely", "--record", str(path))
    played = run("play", "--load", "lonely", typed="q\n")

    assert (refused.exit_code, played.exit_code) == (2, 0)


def test_a_broken_save_says_what_is_wrong_with_it(run, home):
    folder = home / "croupier" / "saves"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "broken.json").write_text('{"schema":99}')

    answer = run("play", "--load", "broken")

    assert answer.exit_code == 2
    assert "newer" in answer.stderr


def test_the_coach_looks_at_a_save(run):
    run("play", "shut-the-box", "--seed", "00", typed="\ns ask\nq\n")

    answer = run("coach", "shut-the-box", "--at", "ask", "--json")
    assert [row["action_text"] for row in json.loads(answer.stdout)["advice"]] == ["shut 4", "shut 1,3"]
