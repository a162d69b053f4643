"""Leaving a table for chips: quitting and Ctrl-C settle what is in play, give back what is not, and keep the record."""

from __future__ import annotations

import json
import re

import pytest

from croupier.engine import read_record, verify
from tests.unit.cli.conftest import told_chips

# The game, what is typed until chips are in play, and the seed: none of them is over after that.
IN_PLAY = [
    ("blackjack", "deal\n"),
    ("three-card-poker", "deal\n"),
    ("ultimate-texas-holdem", "deal\n"),
    ("craps", "place pass 10\nroll\n"),
    ("video-poker", ""),
    ("hi-lo", ""),
]


@pytest.mark.parametrize(("game", "typed"), IN_PLAY)
@pytest.mark.parametrize("key", ["q", "quit", "EXIT"])
def test_quitting_settles_with_a_line_a_move_and_keeps_a_record_that_verifies(visit, path, game, typed, key):
    done = visit(f"{game} --seed 02 --session 1 --record {path}", f"{typed}{key}\n")

    assert done.exit_code == 0, done.output
    record = path.read_bytes()
    checked = verify(record)
    assert checked.ok
    assert checked.match is not None
    assert checked.match.status == "finished"
    settled = len(read_record(record).actions) - typed.count("\n")
    assert done.stdout.count("played out: ") == settled > 0
    money = checked.match.game.money
    assert told_chips(done.stdout) == [1000 + money.returned - money.staked - money.fees]


@pytest.mark.parametrize(
    ("game", "typed"),
    [(game, "") for game in ("blackjack", "casino-war", "three-card-poker", "ultimate-texas-holdem")]
    + [("roulette", "place red 300\n")],
)
def test_chips_that_are_not_in_play_come_back(visit, game, typed):
    done = visit(game, f"{typed}q\n")

    assert done.exit_code == 0, done.output
    assert "nothing was dealt: your chips are back\nyou have 1,000 chips\n" in done.stdout


def test_where_chips_cannot_be_kept_nothing_is_played(run):
    done = run("play", "roulette", typed="red 10\nspin\nq\n", XDG_DATA_HOME="/proc")

    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "error: /proc/croupier: No such file or directory [file_error]\n"


def test_ctrl_c_at_a_table_settles_and_says_so(visit, path, monkeypatch):
    lines = iter(["deal"])

    def ask(prompt: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.cli.commands.play.asker", lambda console: ask)

    done = visit(f"blackjack --seed 02 --session 1 --record {path}")

    assert done.exit_code == 130
    assert "played out: " in done.stdout
    assert "you have " in done.stdout
    assert verify(path.read_bytes()).ok


def test_super_modes_sums_agree_with_the_chips(run, visit, path):
    done = visit(f"roulette --super --seed 00 --session 1 --record {path}", "place straight:17 10\nspin\n")
    told = run("verify", str(path))

    assert "lost 10, and a fee of 2: -12 in all\n" in done.stdout
    assert "you have 988 chips\n" in done.stdout
    assert told.stdout.endswith("The round is over: lost 10, and a fee of 2: -12 in all\n")


def test_a_super_round_that_was_found_and_its_record_tell_the_same_sum(run, path):
    words = "roulette --bet straight:17=10 --super --rounds 200 --engine"
    found = run("simulate", *words.split(), "--find", "net > 100", "--record", str(path))

    (net,) = re.findall(r"^\d+ .*?(\d+)$", found.stdout, flags=re.MULTILINE)[:1]
    assert f", and a fee of 2: +{net} in all\n" in run("verify", str(path)).stdout


def test_a_tie_at_baccarat_is_not_called_a_win_of_player(run, path):
    run("simulate", "baccarat", "--bet", "tie=5", "--rounds", "100", "--find", "net > 0", "--record", str(path))

    told = run("verify", str(path))

    assert "player wins" not in told.stdout
    assert told.stdout.endswith("The round is over: won 45\n")


def test_a_hint_before_the_deal_does_not_say_that_there_is_no_coach(visit):
    early = visit("blackjack", "h\nq\n").stdout

    assert "there is no coach" not in early
    assert "the coach has nothing to say here\n" in early
    assert "there is no coach for Roulette\n" in visit("roulette", "h\nq\n").stdout


def test_the_highest_session_number_does_not_end_the_bankroll(visit, tmp_path):
    for session in ("", f" --session {2**64 - 1}", ""):
        done = visit(f"casino-war{session}", "play\nsurrender\n")
        assert done.exit_code == 0, done.output

    file = tmp_path / "croupier" / "bankroll.json"
    state = json.loads(file.read_bytes())
    assert state["sessions"] == 2
    file.write_text(json.dumps({**state, "sessions": 2**64 - 1}))  # as earlier versions left it
    assert "session 1;" in visit("casino-war", "play\nsurrender\n").stdout
