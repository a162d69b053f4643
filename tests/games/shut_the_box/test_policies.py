"""Policies of Shut the Box: the sets and dice they pick, and played games against their exact values."""

from __future__ import annotations

from math import sqrt

import pytest

from croupier.games.shut_the_box import odds, rules
from croupier.games.shut_the_box.policies import POLICIES
from croupier.rng import GameRng
from tests.games.shut_the_box.matches import score_chances

STANDARD = odds.BoardSettings()
NAMES = ["uniform", "fewest_tiles", "highest_tile", "optimal_score", "optimal_shut"]
FULL = rules.full_board(9)


def picked(name, up, total):
    return [odds.tiles_of(mask) for mask in POLICIES[name].sets(odds.mask_of(up, 9), total, STANDARD)]


def test_the_five_policies_are_listed_by_name_with_a_line_each():
    assert list(POLICIES) == NAMES
    for name, policy in POLICIES.items():
        assert policy.name == name
        assert policy.description
        assert "\n" not in policy.description


@pytest.mark.parametrize(
    ("name", "up", "total", "tiles"),
    [
        # The fewest tiles; among pairs the one with the highest tile, then the next.
        ("fewest_tiles", range(1, 10), 12, (3, 9)),
        ("fewest_tiles", (1, 2, 4, 8, 9), 12, (4, 8)),
        ("fewest_tiles", (1, 2, 3, 4, 5, 6), 10, (4, 6)),
        ("fewest_tiles", (2, 3, 4, 5), 10, (2, 3, 5)),
        ("fewest_tiles", (1, 2, 3, 4, 5), 10, (1, 4, 5)),
        # The highest tile, however many come with it.
        ("highest_tile", range(1, 10), 12, (3, 9)),
        ("highest_tile", (1, 2, 4, 8, 9), 12, (1, 2, 9)),
        ("highest_tile", (1, 2, 3, 4, 5), 10, (1, 4, 5)),
        # Where the objectives part (worked out by hand in test_odds).
        ("optimal_score", (3, 4, 7), 7, (7,)),
        ("optimal_shut", (3, 4, 7), 7, (3, 4)),
        # Equally good: the first in lexicographic order.
        ("optimal_shut", (1, 2, 3, 4), 5, (1, 4)),
        ("optimal_score", (1, 2, 3, 4), 5, (1, 4)),
    ],
)
def test_a_policy_picks_the_set_its_rule_names(name, up, total, tiles):
    assert picked(name, up, total) == [tiles]


@pytest.mark.parametrize("name", NAMES)
def test_every_policy_picks_valid_sets_on_every_board(name):
    for board in range(512):
        for total in range(1, 13):
            valid = odds.set_masks(board, total)
            picks = POLICIES[name].sets(board, total, STANDARD)
            assert set(picks) <= set(valid)
            assert len(picks) == (len(valid) if name == "uniform" else min(1, len(valid)))


@pytest.mark.parametrize("name", NAMES)
def test_a_total_that_cannot_be_made_leaves_nothing_to_choose(name):
    rng = GameRng.new(b"", 0, 0)

    with pytest.raises(odds.BadPosition, match="cannot be made"):
        POLICIES[name].choose(odds.mask_of([9], 9), 2, STANDARD, rng)
    assert rng.bytes_used == 0


def test_a_policy_draws_only_where_it_leaves_the_pick_to_chance():
    rng = GameRng.new(b"", 0, 0)
    for name in NAMES[1:]:
        POLICIES[name].choose(FULL, 12, STANDARD, rng)
    POLICIES["uniform"].choose(FULL, 2, STANDARD, rng)  # one valid set

    assert rng.bytes_used == 0


def test_uniform_takes_the_set_at_the_index_drawn():
    rng = GameRng.new(bytes(32), session_id=1, move_number=0)

    chosen = [POLICIES["uniform"].choose(FULL, 6, STANDARD, rng) for _ in range(20)]

    twin = GameRng.new(bytes(32), session_id=1, move_number=0)
    sets = [(1, 2, 3), (1, 5), (2, 4), (6,)]
    assert [odds.tiles_of(mask) for mask in chosen] == [sets[twin.next_bounded(4)] for _ in range(20)]


def test_uniform_is_uniform():
    """12,000 picks of 4 sets: each within four standard errors (190) of 3,000; false alarm 3 in 10,000."""
    rng = GameRng.new(b"uniform", 0, 0)
    counts = dict.fromkeys(odds.set_masks(FULL, 6), 0)

    for _ in range(12_000):
        counts[POLICIES["uniform"].choose(FULL, 6, STANDARD, rng)] += 1

    assert all(abs(count - 3_000) <= 4 * sqrt(12_000 * 0.25 * 0.75) for count in counts.values())


def test_the_simple_policies_roll_one_die_whenever_they_may():
    free = odds.BoardSettings(die_choice=True)
    for name in NAMES[:3]:
        assert [POLICIES[name].dice(board, free) for board in (1, 0b111111, 0b1000000, FULL)] == [1, 1, 2, 2]


def test_the_optimal_policies_roll_two_dice_where_that_is_better():
    free = odds.BoardSettings(die_choice=True)
    low = odds.mask_of(range(1, 7), 9)

    for name in ("optimal_score", "optimal_shut"):
        assert POLICIES[name].dice(low, free) == 2
        assert POLICIES[name].dice(low, STANDARD) == 1  # forced
        assert POLICIES[name].dice(odds.mask_of([1], 9), free) == 1
    # The two differ on 1, 2, 4: two dice shut the box more often, one die leaves less.
    assert POLICIES["optimal_score"].dice(odds.mask_of([1, 2, 4], 9), free) == 1
    assert POLICIES["optimal_shut"].dice(odds.mask_of([1, 2, 4], 9), free) == 2


def play(policy, settings, seed, session_id):
    """Play one game with the rules alone and return its score."""
    board = rules.full_board(settings.tile_count)
    move_number = 0
    while board:
        move_number += 1
        stream = GameRng.new(seed, session_id, move_number)
        total = sum(rules.roll(stream, policy.dice(board, settings)))
        if not rules.can_make(board, total):
            break
        board ^= policy.choose(board, total, settings, stream)
    return settings.score(board)


@pytest.mark.parametrize(("tile_count", "die_choice"), [(9, False), (12, True)])
@pytest.mark.parametrize("name", NAMES)
def test_played_games_agree_with_the_exact_values(name, tile_count, die_choice):
    """4,000 games of each policy: mean score and boxes shut within four standard errors of the exact figures.

    The standard errors are exact as well. A false alarm has a chance near 6 in 100,000 for each of the ten
    means, and below 1 in 1,000 for each of the ten counts (`uniform` on twelve tiles expects one box).
    """
    games = 4_000
    policy = POLICIES[name]
    settings = odds.BoardSettings(tile_count, die_choice=die_choice)
    scores = score_chances(policy, tile_count=tile_count, die_choice=die_choice)
    mean, square = (float(sum(score**power * chance for score, chance in scores.items())) for power in (1, 2))
    variance, shut = square - mean**2, float(scores[0])

    played = [play(policy, settings, b"shut the box", session_id) for session_id in range(games)]

    assert abs(sum(played) / games - mean) <= 4 * sqrt(variance / games)
    assert abs(played.count(0) - games * shut) <= 4 * sqrt(games * shut * (1 - shut))


def test_the_solution_names_the_best_set_and_dice_of_a_board():
    solution = odds.solve("shut", odds.BoardSettings(die_choice=True))

    assert solution.best_set(odds.mask_of([9], 9), 2) == 0
    assert odds.tiles_of(solution.best_set(odds.mask_of([3, 4, 7], 9), 7)) == (7,)  # then two dice: 7, or 3 and 4 apart
    assert solution.best_dice(FULL) == 2
    assert odds.dice_allowed(odds.mask_of([1, 6], 9), solution.settings) == (1, 2)
