"""Every registered game keeps every law; nobody is exempt."""

import os
import subprocess
import sys
from typing import Any

import pytest

from croupier import get_game, list_games
from croupier.testing import check_game
from tests.games.house_facts import all_facts

# Every set of options that the facts of a game against the house name, and some of the others.
OPTIONS: dict[str, list[Any]] = {facts.game.id: [*facts.options] for facts in all_facts()} | {
    "shut-the-box": [
        None,
        {"die_choice": True, "scoring": "digits"},
        {"tile_count": 10, "die_rule": "sum_at_most_six", "die_choice": True, "rounds": 2},
        {"tile_count": 12, "die_rule": "always_two", "shut_wins": True},
    ],
    "craps-table": [None, {"bank": 2_000, "vig": "upfront", "odds_plan": "double", "allow_overpay": True}],
    "lanes": [
        None,
        {"profile": "console", "deck_y": "green-water", "deck_e": "long-fog", "first_side": "E"},
    ],
}
SEEDS = {"craps": 5, "lanes": 1}  # long matches, and bots that search a tree at every step
OPTIONS["craps"] += [{"pay_table": "bitcraps", "vig": "upfront"}, {"pay_table": "nullspace", "odds_plan": "double"}]
OPTIONS["hi-lo"] += [{"same_anywhere": True, "tie_pushes": False, "commission_bps": 0}]


@pytest.mark.parametrize(
    ("game_id", "seeds"),
    [*((game_id, SEEDS.get(game_id, 12)) for game_id in list_games()),
     *(pytest.param(game_id, 20, marks=pytest.mark.soak) for game_id in list_games())],
)  # fmt: skip
def test_the_game_keeps_every_law_of_the_engine(game_id, seeds):
    options = OPTIONS.get(game_id, (None,))
    report = check_game(get_game(game_id), seeds=seeds, options=options, rounds=0, outcomes=0)

    assert report.actions > 20


# So many rows of the usual odds are reached by the count, and by the simulation with those of super mode.
ROWS = {
    "baccarat": (0, 13),
    "blackjack": (0, 11),
    "casino-war": (0, 5),
    "craps": (0, 100),
    "hi-lo": (1, 12),
    "roulette": (157, 190),
    "sic-bo": (119, 130),
    "three-card-poker": (0, 13),
    "ultimate-texas-holdem": (0, 7),
    "video-poker": (0, 6),
}


@pytest.mark.parametrize(("game_id", "rows"), ROWS.items())
def test_the_odds_of_our_house_games_agree_with_count_and_simulation(game_id, rows):
    """The bets of craps are counted in `test_counting`, one by one."""
    report = check_game(get_game(game_id), seeds=0, rounds=1000, outcomes=0 if game_id == "craps" else 500).house

    assert report is not None
    assert report.counted == rows[0]
    assert report.simulated >= rows[1]


UP_FRONT = [{"vig": "upfront", "table_min": 10}, {"vig": "upfront", "pay_table": "nullspace"}]


def test_a_commission_that_is_paid_up_front_is_a_part_of_what_a_bet_costs():
    report = check_game(get_game("craps"), seeds=0, options=UP_FRONT, rounds=0, outcomes=700).house

    assert report is not None
    assert report.counted > 120


@pytest.mark.soak
@pytest.mark.parametrize("game_id", ROWS)
def test_the_odds_under_every_option_agree_with_count_and_simulation(game_id):
    check_game(get_game(game_id), seeds=0, options=OPTIONS[game_id], rounds=20_000, outcomes=3_000)


PLAY = """
import sys
from croupier import get_game
from croupier.engine import apply_action, create_match, legal_actions, state_digest
from croupier.rng import GameRng
for game_id in sys.argv[1:]:
    game = get_game(game_id)
    players = [f"p{n}" for n in range(game.players[0])]
    match = create_match(game, players, seed=bytes(32), host=game.sample_terms())
    rng = GameRng.new(b"choices", 0, 0)
    while match.status == "active":
        match = apply_action(game, match, rng.pick(legal_actions(game, match))).state
        print(game_id, state_digest(match))
"""


def test_the_order_of_hashes_does_not_change_a_match():
    """Sets and dicts of text iterate differently under another hash seed; no game may depend on it."""
    first, *others = (
        subprocess.run(
            [sys.executable, "-c", PLAY, *list_games()],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for hash_seed in ("0", "1", "4242")
    )

    assert {line.split()[0] for line in first} == set(list_games())
    for other in others:
        assert other == first
