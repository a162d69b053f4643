"""The simulation layer's document, as its reader would type it: decks, hands, a game, its turns, and its errors."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from croupier.games.lanes.cards.card_set import own_decks
from croupier.games.lanes.compat import (
    BoardError,
    BoardState,
    CardDataError,
    CardHydrator,
    Deck,
    GameState,
    load_cards,
)
from croupier.games.lanes.rules import layout
from croupier.rng import GameRng

LIGHT, RUIN = (list(deck.cards) for deck in own_decks()[:2])


def a_game(seed: int = 1) -> GameState:
    return GameState(Deck(LIGHT, seed), Deck(RUIN, seed + 1), seed=seed)


def test_decks_without_a_seed_differ_and_keep_theirs() -> None:
    """Two of 64 bits are equal once in 2**64."""
    one, two = Deck(LIGHT), Deck(LIGHT)

    assert one.seed != two.seed
    assert Deck(LIGHT, one.seed).draw_n(15) == one.draw_n(15)
    assert GameState.new(LIGHT, RUIN).seed != GameState.new(LIGHT, RUIN).seed
    assert Deck(LIGHT, "lucky").draw_n(15) == Deck(LIGHT, "lucky").draw_n(15)
    assert Deck(LIGHT, b"\0").seed != Deck(LIGHT, b"\0\0").seed


def test_decks_without_a_seed_follow_that_of_the_game() -> None:
    games = [GameState(Deck(LIGHT), Deck(LIGHT), seed=9) for _ in range(2)]
    games.append(GameState.new(LIGHT, LIGHT, seed=9))

    assert len({game.state_hash() for game in games}) == 1
    assert GameState(Deck(LIGHT, 1), Deck(LIGHT), seed=9).player_deck.seed == 1
    assert Deck(LIGHT, 7).rng.shuffle(list(LIGHT)) == Deck(LIGHT, 7).draw_n(15)


def test_a_turn_without_a_play_is_the_same_state_as_a_pass() -> None:
    state, passed = a_game(), a_game()
    for _ in range(2):
        state.draw_start_of_turn()
        state.end_turn()
        passed.draw_start_of_turn()
        passed.pass_turn()

    assert passed.state_hash() == state.state_hash()


@pytest.mark.parametrize("close", [GameState.end_turn, GameState.pass_turn])
def test_the_clean_up_of_every_turn_validates_the_board(close) -> None:
    state = a_game()
    cells = state.cells
    cells[layout.CARDS_OF] ^= 1  # a card that no tile has
    state._set_cells(cells)

    with pytest.raises(BoardError):
        close(state)


@pytest.mark.parametrize("seed", range(12))
def test_the_calls_of_section_8_leave_a_valid_board(seed: int) -> None:
    """Placement, projection, effects, influence: in this order, for cards of both sides on tiles of their own."""
    rng = GameRng.new(bytes([seed]), 0, 0)
    board = BoardState()
    cards = board.cards.cards
    you = ("Y", 0, board.apply_pawns_for_you, board.apply_effects_for_you)
    enemy = ("E", 4, board.apply_pawns_for_enemy, board.apply_effects_for_enemy)
    for (side, col, apply_pawns, apply_effects), lane in product((you, enemy), range(3)):
        if board.tile_at(lane, col).card is not None:
            continue
        board.place_card(lane, col, rng.pick(cards), side)  # type: ignore[arg-type]
        apply_pawns(lane, col)
        apply_effects(lane, col)
        board.recompute_influence_from_deltas()
        board.validate()


def test_a_file_name_is_refused_with_the_call_that_reads_a_file() -> None:
    for wrong in ("cards.json", Path("cards.json")):
        with pytest.raises(CardDataError, match="load_cards"):
            CardHydrator(wrong)  # type: ignore[arg-type]
        with pytest.raises(CardDataError, match="the name of a file"):
            load_cards(wrong)  # type: ignore[arg-type]


def test_a_command_of_another_process_writes_the_same_log_for_a_seed(tmp_path: Path) -> None:
    """The record has every move and the digest of every state; `replay` tells it in words."""
    written = []
    for hash_seed in ("0", "4242"):
        room = {**os.environ, "PYTHONHASHSEED": hash_seed, "XDG_DATA_HOME": str(tmp_path / hash_seed)}
        record = tmp_path / "game.json"
        play = ["play", "lanes", "--auto", "random", "--seed", "07", "--session", "1", "--quiet", "--record"]
        for command in (play, ["replay"]):
            line = [sys.executable, "-m", "croupier", *command, str(record)]
            told = subprocess.run(line, env=room, capture_output=True, check=True).stdout
        written.append((record.read_bytes(), told))
        record.unlink()

    assert written[0] == written[1]
    assert len(written[0][1].splitlines()) > 5
