"""Evaluation of positions, and the moves chosen by it. In CPython, as bots call it."""

from __future__ import annotations

import pytest

from croupier.errors import BadOptions
from croupier.games.lanes.bots import evaluation
from croupier.games.lanes.cards.card_set import own_cards, own_decks
from croupier.games.lanes.compat import BoardState, Rules
from croupier.games.lanes.play.legality import list_moves
from croupier.games.lanes.play.position import put_hand
from croupier.games.lanes.rules import layout, playouts, scoring
from croupier.rng import GameRng
from tests.games.lanes.conftest import row_after
from tools.lanes.deck_search import PLAYERS, duel, play_with

CARDS = own_cards()
LIGHT = own_decks()[0].cards
MID_2 = 6


def board(set_up: str) -> list[int]:
    state = BoardState(CARDS, Rules.seed())
    state.set_up(set_up)
    return state.cells


def holding(set_up: str, you: list[str], enemy: list[str]) -> list[int]:
    """Return a game in which Y is to move, with these hands and nothing left in the decks."""
    cells = board(set_up)
    cells[layout.TURN] = 9
    cells[layout.DREW] = 1
    for side, hand in enumerate((you, enemy)):
        put_hand(cells, CARDS, side, [2 * CARDS.number(card_id) for card_id in hand])
    return cells


# --- Worth ------------------------------------------------------------------------------------------------------------


def test_a_position_is_worth_the_score_and_the_tiles_by_rank():
    """Lanes: TOP 3 to 0, MID 5 to 7, so 3 − 7 = −4. Y: MID-1 and BOT-1 (4 each), MID-2 (7); E: BOT-5, MID-4 (4, 10)."""
    cells = board("TOP-1=Y1:TK02, MID-3=Y1:TK06, MID-5=E1:TK10, TOP-5=N0, MID-2=Y2, MID-4=E3")

    assert evaluation.WEIGHTS == (1, 4, 7, 10)
    assert evaluation.evaluate(cells, CARDS.tables, 0) == -4 + 4 + 4 + 7 - 4 - 10
    assert evaluation.evaluate(cells, CARDS.tables, 1) == 3


def test_a_game_that_is_over_is_won_lost_or_drawn():
    cells = board("TOP-1=Y1:TK02")
    cells[layout.OVER] = layout.TWO_PASSES

    assert evaluation.evaluate(cells, CARDS.tables, 0) == evaluation.WON + 3
    assert evaluation.evaluate(cells, CARDS.tables, 1) == -evaluation.WON - 3
    even = board("TOP-1=N0")
    even[layout.OVER] = layout.TWO_PASSES
    assert evaluation.evaluate(even, CARDS.tables, 0) == 0


# --- Moves ------------------------------------------------------------------------------------------------------------


def choices(cells: list[int]) -> dict[str, int]:
    """Return what each player would do. In CPython a playout takes its time: near the end of a game only."""
    desk, before = evaluation.desk_rows(cells), cells.copy()
    chosen = {name: choose(cells, CARDS.tables, GameRng.new(b"think", 0, 0), desk) for name, choose in PLAYERS.items()}
    assert cells == before
    return chosen


@pytest.mark.parametrize(("seed", "plies"), [(3, 12), (4, 13), (5, 14)])
def test_players_make_legal_moves_and_leave_the_position_alone(seed, plies):
    cells = row_after(plies, seed)
    moves = list_moves(cells, CARDS.tables, cells[layout.SIDE])

    assert cells[layout.OVER] == 0
    assert len(moves) > 1
    assert set(choices(cells).values()) <= set(moves)


def test_a_player_ahead_passes_after_the_others_pass_and_wins():
    """Played on, E would bring the Iron Gate to TOP, 7 to 3."""
    cells = holding("TOP-1=Y1:TK02, TOP-5=E3", ["RF01"], ["TK10"])
    cells[layout.PASSES] = 1

    assert set(choices(cells).values()) == {playouts.PASS_MOVE}


def test_one_reply_sees_what_greedy_does_not():
    """Greedy takes the tile ahead with Reed Cutter (1). E then plays Eel Trapper, which kills it and all its pawns.

    Gate Youth (3) survives that, so the one who looks at the reply plays it instead.
    """
    cells = holding("MID-2=Y1, MID-3=E2, TOP-1=N0, BOT-1=N0, MID-1=N0, TOP-5=N0, BOT-5=N0", ["RF01", "TK02"], ["RF04"])
    chosen = choices(cells)

    assert chosen["greedy"] == 16 * 0 + MID_2
    assert chosen["one_reply"] == 16 * 1 + MID_2


def test_equal_cards_are_looked_at_once():
    cells = holding("MID-2=Y1", ["LW01", "LW02", "LW01"], [])

    assert [evaluation.is_repeated(cells, 0, 16 * index + MID_2) for index in range(3)] == [False, False, True]
    assert not evaluation.is_repeated(cells, 0, playouts.PASS_MOVE)


def test_a_shortlist_holds_the_best_moves_in_order():
    cells = row_after(2, 1)
    desk, side = evaluation.desk_rows(cells), cells[layout.SIDE]
    count = evaluation.shortlist(cells, CARDS.tables, desk)
    values = []
    for move in list_moves(cells, CARDS.tables, side):
        if not evaluation.is_repeated(cells, side, move):
            after = cells.copy()
            playouts.make_move(after, CARDS.tables, None, move)
            values.append((evaluation.evaluate(after, CARDS.tables, side), move))
    values.sort(key=lambda each: -each[0])

    assert count == min(evaluation.SHORTLIST, len(values)) == evaluation.SHORTLIST
    assert list(zip(desk[evaluation.SUMS], desk[evaluation.KEPT], strict=True)) == values[: evaluation.SHORTLIST]


def test_playing_on_ends_the_game_and_differs_from_stream_to_stream():
    ends = set()
    for number in range(8):
        cells = row_after(0, 2)
        evaluation.play_on(cells, CARDS.tables, GameRng.new(b"on", number, 0), evaluation.desk_rows(cells))
        assert cells[layout.OVER] in (layout.TWO_PASSES, layout.BOARD_FULL)
        ends.add(scoring.margin(cells, CARDS.tables))

    assert len(ends) > 3


def test_cards_that_come_too_early_go_back():
    cells = holding("MID-2=Y1", ["LW01", "LW13", "LW07", "WR14", "RF12"], [])

    assert evaluation.mulligan_slots(cells, CARDS.tables, 0) == 0b11010


# --- Whole games ------------------------------------------------------------------------------------------------------


def test_players_are_known_by_name():
    assert list(PLAYERS) == ["greedy", "one_reply", "playout"]
    with pytest.raises(BadOptions, match="'best' is no player"):
        play_with("best")


@pytest.mark.parametrize(("player", "pairs"), [("greedy", 10), ("one_reply", 5)])
def test_a_deck_against_itself_wins_every_other_decided_game(player, pairs):
    """Each deal is played twice with the decks changing places: what one copy wins the other wins, too."""
    found = duel(LIGHT, [LIGHT], pairs, b"mirror", play=play_with(player))

    assert (found.games, found.wins, found.losses) == (2 * pairs, found.losses, found.wins)
    assert found.first_wins <= found.games - found.draws
    assert len(found.plays) == 2 * pairs
    assert found.plays[::2] == found.plays[1::2]
