"""Every registered game keeps every law; nobody is exempt."""

import os
import subprocess
import sys

import pytest

from croupier import get_game, list_games
from croupier.testing import check_game

OPTIONS = {
    "shut-the-box": [
        None,
        {"die_choice": True, "scoring": "digits"},
        {"tile_count": 10, "die_rule": "sum_at_most_six", "die_choice": True, "rounds": 2},
        {"tile_count": 12, "die_rule": "always_two", "shut_wins": True},
    ],
}


@pytest.mark.parametrize("game_id", list_games())
def test_the_game_keeps_every_law_of_the_engine(game_id):
    report = check_game(get_game(game_id), seeds=4, options=OPTIONS.get(game_id, (None,)))

    assert report.actions > 100


PLAY = """
from croupier import get_game
from croupier.engine import apply_action, create_match, legal_actions, state_digest
from croupier.rng import GameRng
game = get_game({game_id!r})
match = create_match(game, [f"p{{n}}" for n in range(game.players[0])], seed=bytes(32))
rng = GameRng.new(b"choices", 0, 0)
while match.status == "active":
    match = apply_action(game, match, rng.pick(legal_actions(game, match))).state
    print(state_digest(match))
"""


@pytest.mark.parametrize("game_id", list_games())
def test_the_order_of_hashes_does_not_change_a_match(game_id):
    """Sets and dicts of text iterate differently under another hash seed; a game must not depend on it."""
    runs = {
        subprocess.run(
            [sys.executable, "-c", PLAY.format(game_id=game_id)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }

    assert len(runs) == 1
    assert len(runs.pop().split()) > 1
