"""The compiled kernels and the reference engine are one: the same cards, lines and totals, session by session.

Every policy of every game plays a thousand sessions in both, plain and super, under two sets of options or more; the
soak test a million. The engine takes 50 to 600 microseconds for a session: some 7 seconds for all of them in the
suite, and close to two hours for the soak test, on one core.
"""

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

from croupier.engine import Game, Match, get_game, list_games
from croupier.house import HouseGame, Plan
from croupier.rounds import FACTS, FEES, LINES, RETURNED, STAKED
from croupier.sim.blocks import PATHS
from croupier.sim.jobs import make_job
from croupier.sim.sha256 import FEATURES
from croupier.sim.simulate import play_rounds
from croupier.testing import HouseKit, assert_same_round

SEEDS = (bytes(32), bytes(range(48)), b"three seeds")
SESSIONS, SOAK_SESSIONS = 1_000, 1_000_000
STRATEGY_SESSIONS, STRATEGY_SOAK_SESSIONS = 500, 10_000
AT_ONCE = 10_000  # rows in memory

Case = tuple[dict[str, int], dict[str, Any]]

# Bets and options. Stakes of bets that super mode boosts are multiples of five.
CASES: dict[str, list[Case]] = {
    "baccarat": [
        (
            {"player": 10, "banker": 5, "tie": 5, "player_pair": 5, "banker_pair": 10, "lucky_six": 5,
             "player_dragon": 5, "banker_dragon": 5, "panda_eight": 1, "perfect_pair": 2},
            {},
        ),
        ({"player": 10, "banker": 15, "tie": 5, "panda_eight": 1}, {"tie_pays": 8, "pair_pays": 11}),
    ],
    "blackjack": [
        (
            {"main": 10, "twenty_one_plus_three": 1, "lucky_ladies": 2, "perfect_pairs": 3, "bust_it": 4,
             "royal_match": 5},
            {},
        ),
        ({"main": 10}, {"decks": 1, "peek": True, "surrender": True, "hit_soft_17": False}),
        ({"main": 15, "bust_it": 2}, {"decks": 2, "double_after_split": False, "resplit_aces": True}),
        ({"main": 10, "lucky_ladies": 1}, {"six_to_five": True, "hit_split_aces": False, "peek": True}),
    ],
    "casino-war": [
        ({"main": 10, "tie": 3}, {}),
        ({"main": 10}, {"second_tie_bonus": False}),
        ({"main": 10}, {"tie_pays": 11}),
    ],
    "craps": [
        ({"pass": 10}, {"odds_plan": "double"}),
        ({"pass": 15, "yes:9": 10, "next:7": 5, "big:8": 10, "no:2": 120, "any_craps": 1}, {}),
        ({"dont_pass": 10, "yes:6": 12, "buy:4": 25, "fire": 5, "bonus_all": 5}, {"vig": "upfront"}),
        ({"pass": 10, "come": 15, "dont_come": 10}, {"odds_plan": "3-4-5"}),
        ({"come": 10, "field": 5, "dont_come": 20, "no:4": 20, "fire": 5}, {"vig": "upfront"}),
    ],
    "hi-lo": [
        ({"stake": 100}, {}),
        ({"stake": 15}, {"tie_pushes": False, "commission_bps": 0}),
        ({"stake": 15}, {"same_anywhere": True}),
    ],
    "roulette": [
        (
            {"red": 101, "odd": 3, "low": 2, "dozen:2": 5, "column:3": 4, "straight:17": 5, "straight:0": 10,
             "split:1-4": 3},
            {},
        ),
        *(
            ({"red": 11, "straight:0": 5, "straight:9": 5}, {"zero_rule": rule})
            for rule in ("la_partage", "en_prison", "en_prison_repeat", "double_zero")
        ),
    ],
    "shut-the-box": [
        ({}, {}),
        ({}, {"tile_count": 12, "die_choice": True}),
        ({}, {"tile_count": 10, "die_rule": "sum_at_most_six", "rounds": 2, "shut_wins": True}),
        ({}, {"die_rule": "always_two", "scoring": "digits"}),
    ],
    "sic-bo": [
        (
            {"small": 10, "odd": 2, "triple:4": 5, "any_triple": 5, "double:3": 5, "total:9": 5, "single:5": 10,
             "domino:1-4": 5},
            {},
        ),
        ({"total:5": 5, "total:11": 10, "big": 1}, {"pay_table": "atlantic_city"}),
    ],
    "three-card-poker": [
        ({"ante": 10, "pair_plus": 3, "six_card": 2, "progressive": 1}, {}),
        ({"ante": 10, "six_card": 1}, {"qualifier": "q64"}),
    ],
    "ultimate-texas-holdem": [
        ({"ante": 10, "trips": 3, "six_card": 2, "progressive": 1}, {}),
        ({"ante": 15, "six_card": 1}, {"dealer_qualifies": "always"}),
        ({"ante": 10}, {"play_4x": False}),
    ],
    "video-poker": [
        *(({"stake": 15}, {"pay_table": name}) for name in
          ("jacks_9_6", "jacks_8_5", "bonus_8_5", "double_bonus_9_7", "deuces_wild")),
    ],
}  # fmt: skip

# Strategies of a player's own: a chart that stands early and splits everything, and the like.
STRATEGIES: dict[str, dict[str, Any]] = {
    "blackjack": {
        "hard": [*["H" * 10] * 5, "D" * 10, "DDDDDDDDRd", *["S" * 10] * 10],
        "soft": [*["HHDDDHHHHR"] * 6, *["SdSdSdSdSr"] * 3],
        "pairs": ["P" * 10, "pPpPpPpPpR", *["P" * 10] * 8],
    },
    "hi-lo": {"by_streak": ["HHHHHHHLLLLLL", "HHHCCCCCCCLLL", "SCCCCCCCCCCCS"]},
    "three-card-poker": {"play_from": "K-5-3"},
    "video-poker": {"worths": {"high_pair": 1, "flush": 40, "straight": 3, "full_house": 5, "four_of_a_kind": 9}},
}


def policies(game_id: str) -> list[str]:
    """Return every policy that a game's kernel plays: its bots but the one that draws."""
    return [name for name in get_game(game_id).bots if name != "uniform"] or [""]


ALL = [(game_id, policy) for game_id in CASES for policy in policies(game_id)]


def assert_same(game: Game[Any], plan: Plan, row: list[int], match: Match[Any]) -> None:
    if isinstance(game, HouseGame):
        assert_same_round(plan, row, match.game)
        return
    facts = plan.facts(match.game)
    assert tuple(row[FACTS : FACTS + len(facts)]) == tuple(facts)
    assert match.result is not None
    assert (row[STAKED], row[RETURNED], row[FEES]) == (0, match.result.scores["ann"], 0)
    assert (row[LINES], row[LINES + 1]) == ("ann" in match.result.winners, match.version)


def compare(game: Any, plan: Plan, options: Any, seed: bytes, first: int, count: int) -> None:
    kit = HouseKit(game, seed=seed)
    for start in range(first, first + count, AT_ONCE):
        rows = play_rounds(plan, seed, start, min(AT_ONCE, first + count - start)).tolist()
        for session_id, row in enumerate(rows, start):
            assert_same(game, plan, row, kit.by_engine(plan, session_id, options))


def plans(game_id: str, policy: str) -> Iterator[tuple[Plan, dict[str, Any]]]:
    """Yield the plans of a policy under every set of options, plain and, against the house, super."""
    game: Any = get_game(game_id)
    for bets, options in CASES[game_id]:
        for super_mode in (False, True)[: 1 + isinstance(game, HouseGame)]:
            plan = game.plan(bets, policy, options, super_mode)
            assert plan.has_kernel
            yield plan, options


def compare_all(game_id: str, policy: str, sessions: int) -> None:
    found = list(plans(game_id, policy))
    share = -(-sessions // len(found))
    for number, (plan, options) in enumerate(found):
        # Small session ids and large ones.
        compare(get_game(game_id), plan, options, SEEDS[number % 3], number % 2 * 2**40, share)


def test_every_game_with_a_kernel_has_cases():
    planned = [game_id for game_id in list_games() if hasattr(get_game(game_id), "plan")]

    assert sorted(CASES) == planned
    assert all(len(CASES[game_id]) > 1 for game_id in CASES)
    tables = [game_id for game_id in planned if getattr(get_game(game_id), "Strategy", None) is not None]
    assert sorted(STRATEGIES) == tables


@pytest.mark.parametrize(("game_id", "policy"), ALL)
def test_a_thousand_sessions_are_the_same_in_kernel_and_engine(game_id, policy):
    compare_all(game_id, policy, SESSIONS)


@pytest.mark.soak
@pytest.mark.parametrize(("game_id", "policy"), ALL)
def test_a_million_sessions_are_the_same_in_kernel_and_engine(game_id, policy):
    compare_all(game_id, policy, SOAK_SESSIONS)


@pytest.mark.parametrize("sessions", [STRATEGY_SESSIONS, pytest.param(STRATEGY_SOAK_SESSIONS, marks=pytest.mark.soak)])
@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
@pytest.mark.parametrize("game_id", STRATEGIES)
def test_sessions_with_a_strategy_of_ones_own_are_the_same_in_kernel_and_engine(game_id, super_mode, sessions):
    game = get_game(game_id)
    bets, options = CASES[game_id][1]
    job = make_job(game, bets, options=options, super_mode=super_mode, strategy=STRATEGIES[game_id])
    plan = job.kernel_plan()
    assert plan is not None

    compare(game, plan, options, SEEDS[2], 0, sessions)


@pytest.mark.parametrize("path", PATHS[:-1], ids=lambda path: path.name)
@pytest.mark.parametrize("seed", SEEDS, ids=["zeros", "counting", "text"])
@pytest.mark.parametrize("game_id", CASES)
def test_every_way_of_hashing_gives_the_same_rows(game_id, seed, path):
    if missing := path.features - FEATURES:
        pytest.skip(f"this processor lacks what {path.name} needs: {' '.join(sorted(missing))}")
    plan, _ = next(plans(game_id, policies(game_id)[0]))

    by_path = play_rounds(plan, seed, 0, AT_ONCE, path=path.name)
    portable = play_rounds(plan, seed, 0, AT_ONCE, path="portable")

    assert (by_path == portable).all()
