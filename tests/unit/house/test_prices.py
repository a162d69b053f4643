"""The price list of a table: literals from the rules pages, and every return of the engine is one of the prices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.engine import get_game, list_games
from croupier.errors import BadOptions
from croupier.house import HouseGame
from croupier.testing import HouseKit

STAKE = 1320  # no price of any game has to be rounded on it
HOUSE_GAMES = [name for name in list_games() if isinstance(get_game(name), HouseGame)]


@pytest.mark.parametrize(
    ("game", "options", "bet", "prices"),
    [
        ("baccarat", {}, "banker", "0 1 3/2 2"),
        ("baccarat", {"tie_pays": 8}, "tie", "0 9"),
        ("blackjack", {}, "main", "0 1 2 5/2"),
        ("blackjack", {"six_to_five": True, "surrender": True}, "main", "0 1/2 1 2 11/5"),
        ("blackjack", {"decks": 1}, "perfect_pairs", "0 6 11"),
        ("blackjack", {"decks": 2}, "twenty_one_plus_three", "0 6 11 31 41"),
        ("blackjack", {"peek": True}, "insurance", "0 3"),
        ("casino-war", {"tie_pays": 11}, "tie", "0 12"),
        ("craps", {}, "pass", "0 2"),
        ("craps", {}, "dont_pass", "0 1 2"),
        ("craps", {}, "field", "0 2 3"),
        ("craps", {"field_triple": True}, "field", "0 2 3 4"),
        ("craps", {}, "yes:6", "0 13/6"),
        ("craps", {}, "buy:4", "0 59/20"),
        ("craps", {"vig": "upfront"}, "buy:4", "0 20/7"),
        ("craps", {}, "odds_pass:5", "0 5/2"),
        ("craps", {"pay_table": "bitcraps"}, "next:7", "0 59/10"),
        ("craps", {"fire": "fire-d"}, "fire", "0 7 30 150 300"),
        ("craps", {}, "replay", "0 71 96 101 121 501 1001"),
        ("craps", {"pay_table": "bitcraps"}, "replay", "0 11 26 51"),
        ("craps", {"bonus": "bonus-classic"}, "bonus_all", "0 176"),
        ("hi-lo", {}, "lower:2", "0 1 1167/100"),
        ("hi-lo", {"tie_pushes": False, "commission_bps": 0}, "lower:2", "0 12"),
        ("roulette", {}, "straight:17", "0 36"),
        ("roulette", {"zero_rule": "la_partage"}, "red", "0 1/2 2"),
        ("roulette", {"zero_rule": "en_prison"}, "red", "0 1 2"),
        ("roulette", {"zero_rule": "double_zero"}, "top_line", "0 7"),
        ("sic-bo", {}, "any_triple", "0 25"),
        ("sic-bo", {"pay_table": "atlantic_city"}, "any_triple", "0 31"),
        ("three-card-poker", {}, "pair_plus", "0 2 4 7 31 41"),
        ("ultimate-texas-holdem", {}, "blind", "0 1 2 5/2 4 11 51 501"),
        ("video-poker", {"pay_table": "jacks_8_5"}, "stake", "0 1 2 3 4 5 8 25 50 800"),
    ],
)
def test_a_bet_has_the_prices_of_its_rules_page(game, options, bet, prices):
    found: Any = get_game(game)
    assert found.prices(found.read_options(options))[bet] == tuple(map(Fraction, prices.split()))


@pytest.mark.parametrize(
    ("game", "options", "bet"),
    [
        ("blackjack", {}, "insurance"),
        ("craps", {"pay_table": "bitcraps"}, "buy:4"),
        ("hi-lo", {}, "same:7"),
        ("roulette", {}, "top_line"),
    ],
)
def test_a_bet_that_the_table_does_not_take_has_no_price(game, options, bet):
    found: Any = get_game(game)
    assert bet not in found.prices(found.read_options(options))


@pytest.mark.parametrize("name", HOUSE_GAMES)
def test_every_return_of_the_engine_is_among_the_prices(name):
    game: Any = get_game(name)
    prices = game.prices()
    offered = {price for found in prices.values() for price in found}
    settled = set()
    for bet in prices:
        for session in range(12):
            for line in _lines(game, bet, session):
                assert Fraction(line.returned, line.stake) in prices.get(line.bet, offered), line
                settled.add(line.bet)

    assert len(settled) >= min(3, len(prices)) or name == "hi-lo", "hi-lo has one line, the stake"


def _lines(game, bet, session_id):
    """Play a round with a stake on a bet, and on the main bet where the bet goes with it; none if it has no plan."""
    stake = 1 if bet == "progressive" else STAKE
    for bets in ({bet: stake}, {**dict.fromkeys(game.usual_bets(), STAKE), bet: stake}):
        try:
            plan = game.plan(bets)
        except BadOptions:
            continue
        return HouseKit(game, seed=bytes(32)).by_engine(plan, session_id).game.money.lines
    return ()
