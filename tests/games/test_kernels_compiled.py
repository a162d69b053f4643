"""The compiled kernels and the reference engine are one: the same cards, lines and totals, session by session."""

from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

from croupier.engine import Match, apply_action, create_match, get_game, view_for
from croupier.house import HouseGame, Plan
from croupier.house.plan import FACTS, FEES, LINES, RETURNED, STAKED
from croupier.rng import GameRng
from croupier.sim.blocks import HAS_SHA_NI
from croupier.sim.simulate import play_rounds

SEEDS = (bytes(32), bytes(range(48)), b"three seeds")
SESSIONS = 10_000
VARIANT_SESSIONS = 1_000

MAIN: dict[str, tuple[dict[str, int], str]] = {
    "baccarat": (
        {
            "player": 10,
            "banker": 7,
            "tie": 1,
            "player_pair": 2,
            "banker_pair": 3,
            "lucky_six": 1,
            "player_dragon": 4,
            "banker_dragon": 5,
            "panda_eight": 1,
            "perfect_pair": 2,
        },
        "",
    ),
    "blackjack": (
        {
            "main": 10,
            "twenty_one_plus_three": 1,
            "lucky_ladies": 2,
            "perfect_pairs": 3,
            "bust_it": 4,
            "royal_match": 5,
        },
        "basic",
    ),
    "casino-war": ({"main": 10, "tie": 3}, "always_war"),
    "hi-lo": ({"stake": 100}, "three_guesses"),
    "roulette": (
        {
            "red": 101,
            "odd": 3,
            "low": 2,
            "dozen:2": 5,
            "column:3": 4,
            "straight:17": 1,
            "straight:0": 2,
            "split:1-4": 3,
        },
        "",
    ),
    "sic-bo": (
        {
            "small": 10,
            "odd": 2,
            "triple:4": 1,
            "any_triple": 1,
            "double:3": 2,
            "total:9": 3,
            "single:5": 7,
            "domino:1-4": 4,
        },
        "",
    ),
    "three-card-poker": ({"ante": 10, "pair_plus": 3, "six_card": 2, "progressive": 1}, "best"),
    "ultimate-texas-holdem": ({"ante": 10, "trips": 3, "six_card": 2, "progressive": 1}, "simple"),
}
VARIANTS: list[tuple[str, dict[str, int], str, dict[str, Any], bool]] = [
    *(("roulette", {"red": 11, "straight:0": 5, "straight:9": 5}, "", {"zero_rule": rule}, super_mode)
      for rule in ("la_partage", "en_prison", "en_prison_repeat", "double_zero")
      for super_mode in (False, True)),
    ("roulette", {"straight:3": 5, "red": 1}, "", {}, True),
    ("sic-bo", {"total:5": 5, "total:11": 10, "big": 1}, "", {"pay_table": "atlantic_city"}, True),
    ("baccarat", {"player": 10, "banker": 15, "tie": 5, "panda_eight": 1}, "", {"tie_pays": 8, "pair_pays": 11}, True),
    ("blackjack", {"main": 10}, "basic", {"decks": 1, "peek": True, "surrender": True, "hit_soft_17": False}, True),
    ("blackjack", {"main": 15, "bust_it": 2}, "never_bust", {"decks": 2, "double_after_split": False}, False),
    ("blackjack", {"main": 10, "lucky_ladies": 1}, "basic", {"six_to_five": True, "hit_split_aces": False}, True),
    ("blackjack", {"main": 5}, "mimic_dealer", {"decks": 6, "peek": True}, False),
    ("casino-war", {"main": 10}, "always_surrender", {"second_tie_bonus": False}, False),
    ("casino-war", {"main": 10}, "always_war", {"tie_pays": 11}, True),
    ("craps", {"pass": 10}, "full_odds", {"odds_plan": "double"}, True),
    ("craps", {"dont_pass": 10, "yes:6": 12, "buy:4": 25, "fire": 5, "bonus_all": 5}, "", {"vig": "upfront"}, False),
    ("hi-lo", {"stake": 100}, "one_guess", {"tie_pushes": False}, False),
    ("hi-lo", {"stake": 100}, "three_guesses", {"commission_bps": 0}, True),
    ("three-card-poker", {"ante": 10, "six_card": 1}, "best", {"qualifier": "q64"}, True),
    ("three-card-poker", {"ante": 10}, "q72", {}, False),
    ("ultimate-texas-holdem", {"ante": 10}, "best", {}, False),
    ("ultimate-texas-holdem", {"ante": 15, "six_card": 1}, "best", {"dealer_qualifies": "always"}, True),
    ("ultimate-texas-holdem", {"ante": 10}, "simple", {"play_4x": False}, True),
]  # fmt: skip


def played(game: HouseGame[Any], plan: Plan, seed: bytes, session_id: int, options: Any) -> Match[Any]:
    """Return the session as the engine plays it."""
    match = create_match(game, ["p"], seed=seed, session_id=session_id, options=options, host=plan.terms)
    while match.status == "active":
        answer = apply_action(game, match, plan.policy(view_for(game, match, "p"), (), GameRng.new(b"", 0, 0)))
        assert answer.ok, answer
        match = answer.state
    return match


def assert_same(game: HouseGame[Any], plan: Plan, row: list[int], match: Match[Any]) -> None:
    money = match.game.money
    assert (row[STAKED], row[RETURNED], row[FEES]) == (money.staked, money.returned, money.fees)
    returned: dict[str, int] = {}
    for line in money.lines:
        returned[line.bet] = returned.get(line.bet, 0) + line.returned
    for index, bet in enumerate(plan.bets):
        assert row[LINES + index] == returned[bet], bet
    facts = plan.facts(match.game)
    assert tuple(row[FACTS : FACTS + len(facts)]) == tuple(facts)


def house_game(game_id: str) -> HouseGame[Any]:
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return game


@pytest.mark.parametrize("seed", SEEDS, ids=["zeros", "counting", "text"])
@pytest.mark.parametrize("game_id", MAIN)
def test_ten_thousand_sessions_are_the_same_in_kernel_and_engine(game_id, seed):
    game = house_game(game_id)
    bets, policy = MAIN[game_id]
    plan = game.plan(bets, policy)

    rows = play_rounds(plan, seed, 0, SESSIONS)

    for session_id, row in enumerate(rows.tolist()):
        assert_same(game, plan, row, played(game, plan, seed, session_id, None))


@pytest.mark.parametrize(("game_id", "bets", "policy", "options", "super_mode"), VARIANTS, ids=str)
def test_every_variant_is_the_same_in_kernel_and_engine(game_id, bets, policy, options, super_mode):
    game = house_game(game_id)
    plan = game.plan(bets, policy, options, super_mode)

    rows = play_rounds(plan, SEEDS[1], 2**40, VARIANT_SESSIONS)

    for session_id, row in enumerate(rows.tolist(), 2**40):
        assert_same(game, plan, row, played(game, plan, SEEDS[1], session_id, options))


@pytest.mark.skipif(not HAS_SHA_NI, reason="this processor has no SHA instructions; there is one path only")
@pytest.mark.parametrize("seed", SEEDS, ids=["zeros", "counting", "text"])
@pytest.mark.parametrize("game_id", MAIN)
def test_both_ways_of_hashing_give_the_same_rows(game_id, seed):
    bets, policy = MAIN[game_id]
    plan = house_game(game_id).plan(bets, policy)

    with_instructions = play_rounds(plan, seed, 0, SESSIONS, path="sha-ni")
    without = play_rounds(plan, seed, 0, SESSIONS, path="portable")

    assert (with_instructions == without).all()
