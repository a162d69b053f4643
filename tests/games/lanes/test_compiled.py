"""Compiled rules against CPython: the simulator compiles the very functions that CPython runs."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

import numpy as np

from croupier.games.lanes.compat import GameState, Rules, load_cards
from croupier.games.lanes.rules import layout, playouts
from croupier.rng import GameRng
from croupier.sim import compiled
from croupier.sim.stream import row_from_state
from tests.games.lanes.conftest import random_deck

GAMES = 150


def starts(cards: Any, rules: Rules) -> list[list[int]]:
    rng = GameRng.new(b"compiled", 0, 0)
    decks = [(random_deck(cards, rng), random_deck(cards, rng)) for _ in range(GAMES)]
    return [GameState.new(*pair, cards=cards, rules=rules, seed=seed).cells for seed, pair in enumerate(decks)]


def test_compiled_games_have_the_same_deals_moves_cells_and_scores_from_the_same_bytes(any_file, rules):
    cards = load_cards(any_file)
    tables = np.array(cards.tables, np.int64)
    play: Any = compiled(playouts.sample)
    rng = GameRng.new(b"playouts", 0, 0)
    row = row_from_state(rng.state())
    for number, cells in enumerate(starts(cards, rules)):
        array = np.array(cells, np.int64)
        viewer, passing = number % 3, number % 2
        pool = [0] * (15 + cells[layout.HAND_ROOM])
        ahead = play(array, tables, row, viewer, passing, np.array(pool, np.int64))
        assert ahead == playouts.sample(cells, cards.tables, rng, viewer, passing, pool)
        assert array.tolist() == cells
    assert (bytes(row[:32]), int(row[32])) == (rng.state(), rng.index)
