"""Playouts: random moves are legal and equally likely, playouts are whole games, deals keep what the viewer knows."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from croupier.games.lanes.cards.card_set import own_cards, own_decks
from croupier.games.lanes.compat import GameState, Rules
from croupier.games.lanes.play.position import deck_of, hand_of
from croupier.games.lanes.play.simulation import PASS, Move
from croupier.games.lanes.rules import layout, playouts, scoring, turns
from croupier.games.lanes.rules.playouts import PASS_MOVE
from croupier.rng import GameRng
from tests.games.lanes.conftest import make_move


@pytest.fixture(scope="module")
def positions() -> list[GameState]:
    """Return positions of games between our own decks, at every fourth turn, with the draw made."""
    found = []
    decks = own_decks()
    for seed in range(10):
        state = GameState.new(decks[seed % 6].cards, decks[(seed + 1) % 6].cards, seed=seed)
        rng = GameRng.new(b"positions", seed, 0)
        while not state.is_game_over():
            state.draw_start_of_turn()
            if state.turn % 4 == 1:
                found.append(state.clone())
            make_move(state, rng.pick(state.legal_moves()[:-1] or [PASS]))
    return found


def as_numbers(state: GameState) -> list[int]:
    """Return the legal moves as numbers, worked out here: 16 times the place in the hand, plus the tile."""
    return [PASS_MOVE if m.is_pass else 16 * m.hand_index + 5 * m.lane + m.col for m in state.legal_moves()]


def test_a_move_and_its_number_turn_into_each_other(positions):
    for state in positions:
        assert [move.number for move in state.legal_moves()] == as_numbers(state)
        assert [Move.of(number) for number in as_numbers(state)] == state.legal_moves()


@pytest.mark.parametrize("passing", [0, 1])
def test_every_legal_move_comes_up_and_none_else(positions, passing):
    rng = GameRng.new(b"moves", 0, 0)
    for state in positions:
        cells = state.cells
        legal = as_numbers(state)
        expected = set(legal) if passing or len(legal) == 1 else set(legal[:-1])
        drawn = {playouts.random_move(cells, state.cards.tables, rng, passing) for _ in range(25 * len(legal))}
        assert drawn == expected
        assert cells == state.cells


def test_random_moves_are_equally_likely(positions):
    """One position of nine or more moves, 20,000 draws: every share within four standard errors.

    A share of 1/n has a standard error below 0.0023 here; the chance that one of 40 strays further is below 0.3 %.
    """
    state = max(positions, key=lambda state: len(state.legal_moves()))
    legal = as_numbers(state)
    rng = GameRng.new(b"fair", 0, 0)
    counts = Counter(playouts.random_move(state.cells, state.cards.tables, rng, 1) for _ in range(20_000))

    share = 1 / len(legal)
    error = (share * (1 - share) / 20_000) ** 0.5
    assert 9 <= len(legal) <= 60
    assert all(abs(counts[move] / 20_000 - share) < 4 * error for move in legal)


def test_a_side_with_no_legal_play_passes_without_drawing_a_byte_and_the_end_draws_no_card(probe):
    cells, rng = GameState.new(["K09"] * 15, ["K09"] * 15, cards=probe).cells, GameRng.new(b"", 0, 0)

    assert [playouts.random_move(cells, probe.tables, rng, passing) for passing in (0, 1)] == [PASS_MOVE] * 2
    turns.pass_turn(cells, None)
    turns.pass_turn(cells, None)
    assert cells[layout.OVER] == layout.TWO_PASSES
    assert playouts.playout(cells, probe.tables, None, rng, 0) == 0
    assert rng.bytes_used == 0


@pytest.mark.parametrize("passing", [0, 1])
def test_a_playout_is_the_game_its_moves_make(positions, passing):
    """The same stream in a game of the simulation layer, turn by turn, leads to the same end in as many steps."""
    for state in positions:
        rng, twin = GameRng.new(b"out", 0, 0), GameRng.new(b"out", 0, 0)
        cells = state.cells
        plies = playouts.playout(cells, state.cards.tables, None, rng, passing)
        game = state.clone()
        steps = 0
        while not game.is_game_over():
            if steps:
                game.draw_start_of_turn()
            move = playouts.random_move(game.cells, game.cards.tables, twin, passing)
            make_move(game, Move.of(move))
            steps += 1
        assert (cells, plies) == (game.cells, steps)
        assert scoring.margin(cells, state.cards.tables) == game.score().margin


def test_a_playout_may_begin_in_the_middle_of_a_turn(positions):
    for state in positions:
        move = state.legal_moves()[0]
        if move.is_pass:
            continue
        open_turn, closed = state.clone(), state.clone()
        for game in (open_turn, closed):
            game.play_card_from_hand(game.side_to_act, move.hand_index, move.lane, move.col)
        if closed.is_game_over():
            continue
        closed.end_turn()
        ends = []
        for game in (open_turn, closed):
            cells = game.cells
            playouts.playout(cells, game.cards.tables, None, GameRng.new(b"m", 0, 0), 0)
            ends.append(cells)
        assert ends[0] == ends[1]


def test_making_a_move_hands_over_and_draws_nothing(positions):
    for state in positions:
        for move in as_numbers(state):
            cells = state.cells
            playouts.make_move(cells, state.cards.tables, None, move)
            game = state.clone()
            make_move(game, Move.of(move))
            assert cells == game.cells


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_a_deal_keeps_what_the_viewer_knows_and_moves_the_rest(positions, viewer):
    rng = GameRng.new(b"deal", viewer, 0)
    moved = 0
    for state in positions:
        before, after = state.cells, state.cells
        playouts.redeal(after, rng, viewer, [0] * (15 + before[layout.HAND_ROOM]))
        assert after[: layout.DECKS] == before[: layout.DECKS]
        for side in range(2):
            hands = hand_of(before, side), hand_of(after, side)
            decks = deck_of(before, side), deck_of(after, side)
            assert sorted(hands[0] + decks[0]) == sorted(hands[1] + decks[1])
            if side == viewer:
                assert hands[0] == hands[1]
            for old, new in zip(*hands, strict=True):
                assert (old & 1, new & 1) in ((0, 0), (1, 1))
                assert not old & 1 or old == new
            moved += hands[0] != hands[1]
            moved += decks[0] != decks[1]
    assert moved > len(positions)


def test_playing_both_profiles_out_gives_games_of_the_expected_length():
    """Random games between all pairs of our own decks: whole games, neither stuck nor over at once."""
    tables = own_cards().tables
    decks = own_decks()
    rng = GameRng.new(b"length", 0, 0)
    for rules in (Rules.seed(), Rules.console()):
        pairs = enumerate(product(decks, decks))
        starts = [GameState.new(one.cards, two.cards, rules=rules, seed=n).cells for n, (two, one) in pairs]
        lengths = [playouts.playout(cells, tables, None, rng, 0) for cells in starts]
        assert 15 < sum(lengths) / len(lengths) < 30
        assert all(cells[layout.OVER] for cells in starts)
        assert all(cells[layout.PASSES] == 2 or cells[layout.OVER] == layout.BOARD_FULL for cells in starts)


def test_a_sample_is_a_deal_a_playout_and_a_score(positions):
    for state in positions:
        tables = state.cards.tables
        pool = [0] * (15 + state.cells[layout.HAND_ROOM])
        one, two = state.cells, state.cells
        rng, twin = GameRng.new(b"s", 0, 0), GameRng.new(b"s", 0, 0)

        ahead = playouts.sample(one, tables, rng, 1, 0, pool)

        playouts.redeal(two, twin, 1, pool)
        playouts.playout(two, tables, None, twin, 0)
        assert (one, ahead) == (two, scoring.margin(two, tables))
