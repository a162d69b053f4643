"""Hand after hand at the terminal: Enter deals again, hex is shown with -v alone, an empty purse is offered chips."""

from __future__ import annotations

import json
import re

import pytest

from croupier.engine import read_record, verify
from tests.unit.cli.conftest import told_chips, told_results

HEX = re.compile(r"[0-9a-f]{32}")
OVER = "The round is over: "


@pytest.mark.parametrize(
    ("game", "typed", "bets"),
    [
        ("roulette", "red 10\n17 5\nspin\n\n\nq\n", ["place", "place", "spin"]),
        ("baccarat", "10 on tie\ndeal\n\n\nq\n", ["place", "deal"]),
        ("video-poker", "none\n\nnone\n\n1 2\nq\n", ["hold"]),
    ],
)
def test_enter_deals_again_with_the_same_bets_and_another_seed(visit, path, game, typed, bets):
    done = visit(f"{game} --record {path}", typed)

    assert done.exit_code == 0, done.output
    assert "no: " not in done.stdout
    rounds = done.stdout.count("The round is over: ")
    assert rounds == len(told_chips(done.stdout)) >= 3
    record = read_record(path.read_bytes())
    assert [each.type for each in record.actions][: len(bets)] == bets
    assert record.session_id == rounds
    assert verify(path.read_bytes()).ok


def test_rounds_of_an_evening_have_different_seeds_and_their_sums_add_up(visit):
    done = visit("roulette -v", "red 10\nspin\n\n\n\nq\n")

    commitments = re.findall(r"^(?:next )?commitment ([0-9a-f]{64})$", done.stdout, flags=re.MULTILINE)
    seeds = re.findall(r"^server seed ([0-9a-f]{64})", done.stdout, flags=re.MULTILINE)
    assert len(set(commitments)) == 5  # of four rounds, and of the one that was not played
    assert len(set(seeds)) == 4
    assert told_chips(done.stdout)[-1] == 1000 + sum(told_results(done.stdout))


def test_the_next_commitment_comes_with_the_result_and_is_the_one_that_is_played(visit, path):
    done = visit(f"hi-lo -v --record {path}", "cash\n\ncash\n")

    (first, second, _) = re.findall(r"commitment ([0-9a-f]{64})", done.stdout)
    assert done.stdout.index(f"next commitment {second}") < done.stdout.index("Enter deals again")
    pair = read_record(path.read_bytes()).commitments
    assert pair is not None
    assert (pair.commitment == second, second != first) == (True, True)


@pytest.mark.parametrize(("game", "typed"), [("roulette", "red 10\nspin\n\nq\n"), ("shut-the-box", "\n1\n" * 20)])
def test_hex_is_shown_to_those_alone_who_ask_for_it(visit, game, typed):
    assert not HEX.search(visit(game, typed).stdout)
    assert HEX.search(visit(f"{game} -v", typed).stdout)


@pytest.mark.parametrize(
    ("words", "typed", "counts"),
    [
        (
            "roulette",
            "red 10\nspin\nblack 20\nspin\nq\n",  # a bet that is typed after a round begins the next one
            {
                OVER: 2,
                "  black                      20  returned ": 1,
                "  red                        10  open": 1,
            },
        ),
        ("hi-lo", "cash\n?\nYES\nq\n", {"a bet or an action: a new round that begins with it": 1, OVER: 2}),
        ("hi-lo", "cash\nEXIT\nhigher\n", {OVER: 1}),
        (
            "roulette --shield --super --seed 00",
            "straight:17 10\nspin\n\n\n\nq\n",
            {"your shield held: nothing is lost": 1, "and a fee of 2": 4},  # armed once, and every time
        ),
    ],
)
def test_words_and_bets_after_a_round_are_understood(visit, words, typed, counts):
    shown = visit(words, typed).stdout

    assert {text: shown.count(text) for text in counts} == counts


LOSING = "roulette --seed 00 --session 1"
"""A round that a bet on black loses."""


def test_a_player_without_chips_is_offered_the_deposit_of_the_day_once(visit):
    broke = visit(LOSING, "black 1000\nspin\n")
    taken = visit("hi-lo", "\ncash\nq\n")
    lost = visit(LOSING, "black 1000\nspin\n\n\n")

    assert told_chips(broke.stdout) == [0]
    assert "you have 0 chips, and 10 are needed\n" in taken.stdout
    assert told_chips(taken.stdout)[0] == 1000
    assert "The round is over: push" in taken.stdout
    assert told_chips(lost.stdout) == [0]
    assert "no: today's chips are taken; there are more tomorrow\n" in lost.stdout
    assert (taken.exit_code, lost.exit_code) == (0, 0)


def test_an_offer_of_chips_can_be_turned_down(visit, tmp_path):
    broke = visit(LOSING, "black 1000\nspin\n")
    done = visit("roulette", "q\nred 10\nq\n")

    assert told_chips(broke.stdout) == [0]
    assert "no chips" not in done.stdout
    state = json.loads((tmp_path / "croupier" / "bankroll.json").read_bytes())
    assert state["player/you"]["deposited_at"] == -1


def test_a_match_that_was_loaded_is_played_again_by_the_same_rules(visit, path):
    visit(f"shut-the-box -o tile_count=12 --seed 00 --record {path}", "\nq\n")

    again = visit(f"--load {path}", "1\n\n" * 40)

    assert "│ 12 │" in again.stdout.partition("Enter plays again")[2]


def test_leaving_the_next_match_at_once_keeps_the_record_of_the_last(visit, run, path):
    visit(f"shut-the-box --seed 00 --record {path}", "roll\n1\nroll\n1\nroll\n1\nroll\n\nq\n")

    verdict = run("verify", str(path))
    assert verdict.exit_code == 0
    assert "The match is not over" not in verdict.stdout


def test_a_game_without_chips_is_played_again_too(visit):
    assert "Enter plays again" not in visit("shut-the-box --auto first").stdout
    assert visit("shut-the-box", "\n1\n" * 60).stdout.count("The match is over: ") > 1


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
def test_holds_are_a_prompt_and_their_numbers_are_enough(visit, line, told):
    shown = visit("video-poker --seed 02 --session 1", f"{line}\n").stdout

    assert "hold: 32 choices, such as hold 1,3 or hold 1,3,5\n" in shown
    assert told in shown
    assert "The round is over: " in shown
    assert not re.search(r"^ *1 hold", shown, flags=re.MULTILINE)


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
def test_lanes_counts_as_its_board_does(visit, line, told):
    shown = visit("lanes --bot greedy --seed 02", f"keep\n{line}\nq\n").stdout

    assert "\nYou kept the hand\n" in shown
    assert "1 Mirror        2 Prism Keeper  3 Oil Seller    4 Egg Gatherer  5 Signal Runner\n" in shown
    assert f"\n{told}" in shown


def test_a_mulligan_counts_from_1_and_is_a_prompt(visit):
    shown = visit("lanes --bot greedy --seed 02", "mulligan 1,2\nq\n").stdout

    assert "\nmulligan: 32 choices, such as mulligan 5 or mulligan 1,4,5\n" in shown
    assert "\nYou replaced 2 cards\n" in shown
    assert "3 Oil Seller    4 Egg Gatherer  5 Signal Runner\n" in shown.partition("You replaced")[2]
