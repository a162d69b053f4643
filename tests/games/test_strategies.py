"""A player's own strategy: read from files and data, refused with a reason, and played as it says."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.errors import BadOptions
from croupier.games.blackjack.options import BlackjackOptions
from croupier.games.blackjack.strategy import Chart, chart
from croupier.house.game import house_game
from croupier.house.plan import BadStrategy, read_strategy
from croupier.sim.results import Simulation
from croupier.sim.simulate import simulate

SEED = bytes(range(32))

BOOK: dict[str, Any] = msgspec.to_builtins(chart(BlackjackOptions()))
ALWAYS_STAND: dict[str, Any] = {"hard": ["S" * 10] * 17, "soft": ["S" * 10] * 9, "pairs": ["." * 10] * 10}


def totals(result: Simulation) -> Any:
    return result.staked, result.returned, result.distribution, result.lines


@pytest.mark.parametrize(
    ("game_id", "bets", "policy", "strategy"),
    [
        ("blackjack", {"main": 10}, "basic", BOOK),
        ("three-card-poker", {"ante": 10}, "q64", {"play_from": "Q-6-4"}),
        ("three-card-poker", {"ante": 10}, "always_play", {"play_from": "5-3-2"}),
        ("hi-lo", {"stake": 10}, "streak_1", {"by_streak": ["HHHHHHHLLLLLL", "CCCCCCCCCCCCC"]}),
        ("hi-lo", {"stake": 10}, "cash_out_at_once", {"by_streak": ["CCCCCCCCCCCCC"]}),
        (
            "video-poker",
            {"stake": 5},
            "optimal",
            {"worths": {"high_pair": 1, "two_pair": 2, "three_of_a_kind": 3, "straight": 4, "flush": 6,
                        "full_house": 9, "four_of_a_kind": 25, "four_twos_to_fours": 25, "four_aces": 25,
                        "straight_flush": 50, "royal_flush": 800}},
        ),
    ],
)  # fmt: skip
def test_a_policy_written_out_is_that_policy(game_id, bets, policy, strategy):
    """Fifty thousand rounds of each: the same chips to the last, under another name."""
    named = simulate(house_game(game_id), bets, policy, 50_000, SEED)
    own = simulate(house_game(game_id), bets, rounds=50_000, seed=SEED, strategy=strategy)

    assert totals(own) == totals(named)
    assert own.policy.startswith("table-")
    assert own.digest != named.digest


def test_standing_on_everything_never_raises_and_loses_about_as_much_as_is_known():
    """To stand on everything costs some 16 % of the stake; 200,000 rounds have a standard error of 0.2 %."""
    result = simulate(house_game("blackjack"), {"main": 10}, rounds=200_000, seed=SEED, strategy=ALWAYS_STAND)

    assert result.staked == 2_000_000
    assert 0.14 < float(result.edge) < 0.18


def test_a_strategy_is_the_same_from_text_bytes_data_and_as_it_is():
    game = house_game("blackjack")
    text = msgspec.json.encode(ALWAYS_STAND)
    read = [game.read_strategy(form) for form in (text, text.decode(), ALWAYS_STAND)]

    assert read == [Chart(("S" * 10,) * 17, ("S" * 10,) * 9, ("." * 10,) * 10)] * 3
    assert game.read_strategy(read[0]) is read[0]


@pytest.mark.parametrize(
    ("game_id", "strategy", "words"),
    [
        ("blackjack", "{", "not a strategy"),
        ("blackjack", b"\xff", "not a strategy"),
        ("blackjack", 7, "JSON or a mapping"),
        ("blackjack", {"hard": ["S" * 10] * 17, "soft": ["S" * 10] * 9}, "pairs"),
        ("blackjack", {**ALWAYS_STAND, "hards": []}, "hards"),
        ("blackjack", {**ALWAYS_STAND, "hard": ["S" * 10] * 16}, "hard has 16 rows, and needs 17"),
        ("blackjack", {**ALWAYS_STAND, "soft": [*["S" * 10] * 8, "SSSSSSSSSX"]}, r"soft\[8\] is 'SSSSSSSSSX'"),
        ("blackjack", {**ALWAYS_STAND, "pairs": ["P" * 9] * 10}, r"pairs\[0\]"),
        ("blackjack", {**ALWAYS_STAND, "pairs": ["D" * 10] * 10}, r"pairs\[0\]"),
        ("three-card-poker", {"play_from": "Q-6"}, "three ranks"),
        ("three-card-poker", {"play_from": "Q-6-1"}, "three ranks"),
        ("hi-lo", {"by_streak": []}, "1 to 100"),
        ("hi-lo", {"by_streak": ["HHHHHHHLLLLLX"]}, r"by_streak\[0\]"),
        ("video-poker", {"worths": {"royal": 5}}, "royal"),
        ("video-poker", {"worths": {"straight": 1, "flush": -1}}, r"expected .*>= 0 at \$\.worths\.flush$"),
        ("roulette", {"red": 1}, "takes no strategy"),
    ],
)
def test_an_invalid_strategy_is_refused_with_the_reason(game_id, strategy, words):
    with pytest.raises(BadStrategy, match=words) as caught:
        simulate(house_game(game_id), rounds=1, strategy=strategy)

    assert caught.value.code == "bad_strategy"


class Nested(msgspec.Struct):
    """A strategy with rows in it."""

    rows: list[dict[str, int]]


def test_what_is_wrong_deep_in_a_strategy_is_named_by_its_path():
    for given in ({"rows": [{"a": "x"}]}, b'{"rows": [{"a": "x"}]}'):
        with pytest.raises(BadStrategy, match=r"got text at \$\.rows\[0\]\[\.\.\.\]$"):
            read_strategy(given, Nested)


def test_a_guess_that_is_not_offered_is_refused():
    with pytest.raises(BadStrategy, match=r"by_streak\[0\] has H at rank 13"):
        simulate(house_game("hi-lo"), rounds=1, strategy={"by_streak": ["HHHHHHHHHHHHH"]})
    with pytest.raises(BadStrategy, match="S at rank 7"):
        simulate(house_game("hi-lo"), rounds=1, strategy={"by_streak": ["CCCCCCSCCCCCC"]})
    simulate(house_game("hi-lo"), rounds=1, strategy={"by_streak": ["CCCCCCSCCCCCC"]}, options={"same_anywhere": True})


def test_a_strategy_together_with_a_policy_is_refused():
    with pytest.raises(BadOptions, match="one of them decides"):
        simulate(house_game("blackjack"), None, "basic", 1, strategy=ALWAYS_STAND)
