"""`croupier replay --draws`: every draw of every move, compared with the oracle of the generator."""

from __future__ import annotations

import json
import sys

import pytest

from croupier import act, create_match, get_game
from croupier.draw_list import Draw, list_draws
from croupier.engine import LogEntry, apply_action, make_record, replay, write_record
from tests.unit.test_rng_oracle import Tape, below_usize

SEED = bytes(range(32))
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def played(game_id, *actions, stake=0, super_mode=False, players=("ann",), options=None):
    game = get_game(game_id)
    start = match = create_match(
        game, players, seed=SEED, session_id=7, options=options, host=game.terms(stake, super_mode)
    )
    log = []
    for action in actions:
        answer = apply_action(game, match, action)
        assert answer.ok, answer
        match = answer.state
        log.append(LogEntry(answer.action, match.version))
    record = make_record(game, start, log)
    states = replay(record)
    pairs = zip((None, *states), states, strict=False)
    return game, record, tuple(list_draws(game, record, *pair) for pair in pairs)


def test_dice_of_a_box_are_two_draws_of_six():
    _, _, ((setup, _), (rolled, lit)) = played("shut-the-box", act("roll"))
    tape = Tape.of(SEED, 7, 1)
    first, used = below_usize(tape, 0, 6)
    second, after = below_usize(tape, used, 6)

    assert (setup, lit) == ((), ())
    assert rolled == (
        Draw("roll_die", 6, used, first, f"die shows {first + 1}"),
        Draw("roll_die", 6, after - used, second, f"die shows {second + 1}"),
    )


def test_a_blackjack_deal_maps_each_draw_to_the_card_it_gave():
    """Exercise 2 of the document: three cards from a shoe of 416, sorted with equal cards adjacent."""
    _, record, draws = played("blackjack", act("deal"), stake=10)
    state = replay(record)[-1].game
    tape, at, shoe, expected, labels = Tape.of(SEED, 7, 1), 0, [card for card in range(52) for _ in range(8)], [], []
    for card in (*state.hands[0].cards, *state.dealer):
        index, after = below_usize(tape, at, len(shoe))
        assert shoe[index] == card
        expected.append((len(shoe), after - at, index))
        labels.append(RANKS[card % 13] + "♠♥♦♣"[card // 13])
        shoe[index] = shoe[-1]
        shoe.pop()
        at = after

    assert [(draw.bound, draw.bytes, draw.value) for draw in draws[1][0]] == expected
    assert {draw.method for draw in draws[1][0]} == {"next_bounded_usize"}
    assert [draw.decided for draw in draws[1][0]] == labels


@pytest.mark.parametrize(
    ("game_id", "actions", "method", "bounds"),
    [
        ("baccarat", (act("place", bet="tie", stake=5), act("deal")), "next_bounded_u32", range(416, 412, -1)),
        ("roulette", (act("place", bet="red", stake=5), act("spin")), "next_bounded", [37]),
        ("sic-bo", (act("place", bet="small", stake=5), act("roll")), "roll_die", [6, 6, 6]),
        ("craps", (act("place", bet="pass", stake=5), act("roll")), "roll_die", [6, 6]),
    ],
)
def test_each_game_draws_with_its_method_and_its_bounds(game_id, actions, method, bounds):
    _, _, draws = played(game_id, *actions)

    last = draws[-1][0]
    assert {draw.method for draw in last} == {method}
    assert [draw.bound for draw in last][: len(bounds)] == list(bounds)


def test_draws_of_super_mode_are_listed_beside_their_move():
    _, _, draws = played("hi-lo", act("cash_out"), stake=10, super_mode=True)
    assert draws[1] == ((), ())
    _, record, draws = played("roulette", act("place", bet="straight:7", stake=5), act("spin"), super_mode=True)

    lit = replay(record)[-1].game.lit
    assert lit
    assert draws[1][1] == ()
    assert {str(each.id) for each in lit} <= {draw.decided for draw in draws[2][1]}
    assert sum(draw.bytes for draw in draws[2][1]) >= 5 * len(lit)


def test_a_lanes_match_lists_the_steps_of_its_shuffles_or_its_seed():
    _, _, draws = played("lanes", players=("ann", "bob"))

    (seed,) = draws[0][0]
    assert (seed.method, seed.bound, seed.bytes, seed.value) == ("fill_bytes", None, 32, Tape.of(SEED, 7, 0).data.hex())


def test_listing_draws_restores_the_profiler_of_the_caller():
    def mine(*args):
        return None

    before = sys.getprofile()
    sys.setprofile(mine)
    try:
        played("shut-the-box", act("roll"))
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(before)


def test_replay_prints_draws_and_gives_them_as_json(run, path):
    _, record, draws = played("shut-the-box", act("roll"))
    path.write_bytes(write_record(record))

    said = run("replay", str(path), "--draws").stdout
    data = json.loads(run("replay", str(path), "--draws", "--json").stdout)

    for draw in draws[1][0]:
        assert f"roll_die of 6, {draw.bytes} byte" in said
        assert draw.decided in said
    assert [row["value"] for row in data["versions"][1]["draws"]] == [draw.value for draw in draws[1][0]]
    assert data["versions"][1]["super_draws"] == []
    assert "draws" not in json.loads(run("replay", str(path), "--json").stdout)["versions"][1]
