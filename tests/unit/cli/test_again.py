"""Hand after hand at the terminal: Enter deals again, hex comes with -v alone, who is broke is offered chips."""

from __future__ import annotations

import json
import re

import pytest

from croupier.engine import read_record, verify

HEX = re.compile(r"[0-9a-f]{32}")


def told_chips(output: str) -> list[int]:
    """Return the chips that the player was told to have after each round."""
    told = re.findall(r"^you have ([0-9,]+) chips$", output, flags=re.MULTILINE)
    return [int(chips.replace(",", "")) for chips in told]


@pytest.mark.parametrize(
    ("game", "typed", "bets"),
    [
        ("roulette", "red 10\n17 5\nspin\n\n\nq\n", ["place", "place", "spin"]),
        ("baccarat", "10 on tie\ndeal\n\n\nq\n", ["place", "deal"]),
        ("video-poker", "none\n\nnone\n\n1 2\nq\n", ["hold"]),
    ],
)
def test_enter_deals_again_with_the_same_bets_and_another_seed(run, tmp_path, game, typed, bets):
    path = tmp_path / "last.json"
    done = run("play", game, "--record", str(path), typed=typed, XDG_DATA_HOME=str(tmp_path))

    assert done.exit_code == 0, done.output
    assert "no: " not in done.stdout
    rounds = done.stdout.count("The round is over: ")
    assert rounds == len(told_chips(done.stdout)) >= 3
    record = read_record(path.read_bytes())
    assert [each.type for each in record.actions][: len(bets)] == bets
    assert record.session_id == rounds
    assert verify(path.read_bytes()).ok


def test_rounds_of_an_evening_have_different_seeds_and_their_sums_add_up(run, tmp_path):
    done = run("play", "roulette", "-v", typed="red 10\nspin\n\n\n\nq\n", XDG_DATA_HOME=str(tmp_path))

    commitments = re.findall(r"^(?:next )?commitment ([0-9a-f]{64})$", done.stdout, flags=re.MULTILINE)
    seeds = re.findall(r"^server seed ([0-9a-f]{64})", done.stdout, flags=re.MULTILINE)
    assert len(set(commitments)) == 5  # of four rounds, and of the one that was not played
    assert len(set(seeds)) == 4
    results = [
        int(f"{'-' if word == 'lost' else ''}{chips}")
        for word, chips in re.findall(r"The round is over: (won|lost) (\d+)", done.stdout)
    ]
    assert told_chips(done.stdout)[-1] == 1000 + sum(results)


def test_the_next_commitment_comes_with_the_result_and_is_the_one_that_is_played(run, tmp_path):
    path = tmp_path / "last.json"
    done = run("play", "hi-lo", "-v", "--record", str(path), typed="cash\n\ncash\n", XDG_DATA_HOME=str(tmp_path))

    (first, second, _) = re.findall(r"commitment ([0-9a-f]{64})", done.stdout)
    assert done.stdout.index(f"next commitment {second}") < done.stdout.index("Enter deals again")
    pair = read_record(path.read_bytes()).commitments
    assert pair is not None
    assert (pair.commitment == second, second != first) == (True, True)


@pytest.mark.parametrize("game", ["roulette", "shut-the-box"])
def test_hex_is_shown_to_those_alone_who_ask_for_it(run, tmp_path, game):
    typed = "red 10\nspin\n\nq\n" if game == "roulette" else "\n1\n" * 20
    quiet = run("play", game, typed=typed, XDG_DATA_HOME=str(tmp_path))
    wordy = run("play", game, "-v", typed=typed, XDG_DATA_HOME=str(tmp_path))

    assert not HEX.search(quiet.stdout)
    assert HEX.search(wordy.stdout)


def test_a_bet_that_is_typed_after_a_round_begins_the_next_one(run, tmp_path):
    done = run("play", "roulette", typed="red 10\nspin\nblack 20\nspin\nq\n", XDG_DATA_HOME=str(tmp_path))

    assert done.stdout.count("The round is over: ") == 2
    assert "  black                      20  returned " in done.stdout
    assert done.stdout.count("  red                        10  open") == 1


def test_question_marks_and_other_words_after_a_round(run, tmp_path):
    done = run("play", "hi-lo", typed="cash\n?\nYES\nq\n", XDG_DATA_HOME=str(tmp_path))
    left = run("play", "hi-lo", typed="cash\nEXIT\nhigher\n", XDG_DATA_HOME=str(tmp_path))

    assert "a bet or an action: a new round that begins with it" in done.stdout
    assert done.stdout.count("The round is over: ") == 2
    assert left.stdout.count("The round is over: ") == 1


def test_shields_are_armed_once_and_super_mode_every_time(run, tmp_path):
    typed = "straight:17 10\nspin\n\n\n\nq\n"
    done = run("play", "roulette", "--shield", "--super", "--seed", "00", typed=typed, XDG_DATA_HOME=str(tmp_path))

    assert done.stdout.count("your shield held: nothing is lost") == 1
    assert done.stdout.count("and a fee of 2") == 4


def lose_all(run, tmp_path) -> None:
    """Leave the player with nothing, by a bet that this seed loses."""
    done = run(
        "play", "roulette", "--seed", "00", "--session", "1", typed="black 1000\nspin\n", XDG_DATA_HOME=str(tmp_path)
    )
    assert told_chips(done.stdout) == [0]


def test_a_player_without_chips_is_offered_the_deposit_of_the_day_once(run, tmp_path):
    lose_all(run, tmp_path)
    taken = run("play", "hi-lo", typed="\ncash\nq\n", XDG_DATA_HOME=str(tmp_path))
    lost = run(
        "play",
        "roulette",
        "--seed",
        "00",
        "--session",
        "1",
        typed="black 1000\nspin\n\n\n",
        XDG_DATA_HOME=str(tmp_path),
    )

    assert "you have 0 chips, and 10 are needed\n" in taken.stdout
    assert told_chips(taken.stdout)[0] == 1000
    assert "The round is over: push" in taken.stdout
    assert told_chips(lost.stdout) == [0]
    assert "no: today's chips are taken; there are more tomorrow\n" in lost.stdout
    assert (taken.exit_code, lost.exit_code) == (0, 0)


def test_an_offer_of_chips_can_be_turned_down(run, tmp_path):
    lose_all(run, tmp_path)
    done = run("play", "roulette", typed="q\nred 10\nq\n", XDG_DATA_HOME=str(tmp_path))

    assert "no chips" not in done.stdout
    state = json.loads((tmp_path / "croupier" / "bankroll.json").read_bytes())
    assert state["player/you"]["deposited_at"] == -1


def test_a_match_that_was_loaded_is_played_again_by_the_same_rules(run, tmp_path):
    path = tmp_path / "match.json"
    run("play", "shut-the-box", "-o", "tile_count=12", "--seed", "00", "--record", str(path), typed="\nq\n")

    again = run("play", "--load", str(path), typed="1\n\n" * 40, XDG_DATA_HOME=str(tmp_path))

    assert "│ 12 │" in again.stdout.partition("Enter plays again")[2]


def test_a_game_without_chips_is_played_again_too(run, tmp_path):
    done = run("play", "shut-the-box", "--auto", "first", XDG_DATA_HOME=str(tmp_path))
    again = run("play", "shut-the-box", typed="\n1\n" * 60, XDG_DATA_HOME=str(tmp_path))

    assert "Enter plays again" not in done.stdout
    assert again.stdout.count("The match is over: ") > 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1 3", "kept J♦ J♣"),
        ("hold 1,3", "kept J♦ J♣"),
        ("none", "kept nothing"),
        ("hold none", "kept nothing"),
        ("hold 1 2 3 4 5", "kept "),
    ],
)
def test_holds_are_a_prompt_and_their_numbers_are_enough(run, tmp_path, line, told):
    done = run("play", "video-poker", "--seed", "02", "--session", "1", typed=f"{line}\n", XDG_DATA_HOME=str(tmp_path))

    assert "hold: 32 choices, such as hold 1,3 or hold 1,3,5\n" in done.stdout
    assert "The round is over: " in done.stdout
    assert not re.search(r"^ *1 hold", done.stdout, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("play egg mid 1", "You played Egg Gatherer on MID-1"),
        ("PLAY 4 mid-1", "You played Egg Gatherer on MID-1"),
        ("pl Signal Runner bottom 1", "You played Signal Runner on BOT-1"),
        ("play hand_index=4 lane=0 col=0", "You played Signal Runner on TOP-1"),
        ("play oil mid 1", "no: Oil Seller needs 2 pawns, MID-1 has 1"),
        ("play er mid 1", "no: you hold no 'er'; you hold Mirror Polisher, Prism Keeper, Oil Seller, "),
        ("play 6 mid 1", "no: there is no card '6': they are 1 to 5"),
        ("play 1 mid 6", "no: there is no column '6': they are 1 to 5"),
        ("play 1 up 1", "no: there is no lane 'up': they are top, mid and bot"),
        ("play 1", "no: say which card and where, such as play 2 mid 3"),
    ],
)
def test_lanes_counts_as_its_board_does(run, line, told):
    done = run("play", "lanes", "--bot", "greedy", "--seed", "02", typed=f"keep\n{line}\nq\n")

    assert "\nYou kept the hand\n" in done.stdout
    assert "1 Mirror        2 Prism Keeper  3 Oil Seller    4 Egg Gatherer  5 Signal Runner\n" in done.stdout
    assert f"\n{told}" in done.stdout


def test_a_mulligan_counts_from_1_and_is_a_prompt(run):
    done = run("play", "lanes", "--bot", "greedy", "--seed", "02", typed="mulligan 1,2\nq\n")

    assert "\nmulligan: 32 choices, such as mulligan 5 or mulligan 1,4,5\n" in done.stdout
    assert "\nYou replaced 2 cards\n" in done.stdout
    assert "3 Oil Seller    4 Egg Gatherer  5 Signal Runner\n" in done.stdout.partition("You replaced")[2]
