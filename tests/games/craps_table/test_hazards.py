"""The hazards of the sheet (craps-table, section 7) that concern the table: its life, its chips, its memory.

Each test is named after its row. Rows about single bets are in tests/games/craps, those about the dice with the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from croupier.engine import HOST, apply_action, canonical, state_digest
from croupier.engine.rate_limit import MessageLimits, RateLimiter
from croupier.games.craps.table.game import SharedCraps
from croupier.testing import ScriptedRng

GAME = SharedCraps()

HAND_BETS = ["hot_roller", "fire", "ride_line", "replay"]
SET_BETS = ["twice_hard", "bonus_small", "bonus_tall", "bonus_all", "different_doubles"]
SET_BETS += [f"repeater:{total}" for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)]


# Lifecycle.


def test_lifecycle__neither_cashing_out_nor_leaving_nor_passing_escapes_a_bad_point(open_table):
    for way in ("cash_out", "leave", "time_out", "pass_dice"):
        table = open_table("ann", "bob")
        table.do("ann", "place", bet="pass", stake=100)
        table.do("ann", "place", bet="fire", stake=10)
        table.roll((2, 2))
        table.do("ann", "place", bet="come", stake=100)
        table.roll((5, 5))

        table.do("ann", way)

        assert table.bets("ann") == {"pass": 100, "fire": 10, "come:10": 100}
        table.roll((3, 4))
        assert table.chair("ann").net == -210


def ways_to_end(open_table: Callable[..., Any]) -> Iterator[Any]:
    for players in (("ann",), ("ann", "bob")):
        table = open_table(*players)
        for player in players:
            table.do(player, "cash_out")
        yield table
    table = open_table("ann", "bob")
    table.do("bob", "leave")
    table.do("ann", "leave")
    yield table
    table = open_table("ann", "bob")
    table.do("ann", "cash_out")
    table.do("bob", "leave")
    yield table
    for reason in ("ended", "host", "three_voids", "bank_missing"):
        table = open_table("ann", "bob")
        table.close(reason)
        yield table


def test_lifecycle__there_is_one_closed_and_it_takes_no_bets(open_table):
    for table in ways_to_end(open_table):
        assert (table.match.status, table.match.game.table.phase) == ("finished", "closed")
        for player in ("ann", "bob", HOST):
            for action in (*GAME.actions, "join", "leave", "time_out"):
                assert table.refused(player, action) == "finished"


@pytest.mark.parametrize("bet", HAND_BETS)
def test_lifecycle__a_bet_on_a_hand_is_placed_before_its_first_roll_by_newcomers_too(open_table, bet):
    table = open_table("ann")
    table.roll((6, 6))  # nothing was made, nothing ended; but the hand has begun
    table.do("dan", "join", id="dan")
    table.do("dan", "buy_in", chips=100)

    assert table.refused("ann", "place", bet=bet, stake=5) == "window_closed"
    assert table.refused("dan", "place", bet=bet, stake=5) == "window_closed"
    table.roll((2, 2), (3, 4))
    table.do("dan", "place", bet=bet, stake=5)


@pytest.mark.parametrize("bet", SET_BETS)
def test_lifecycle__a_bet_on_a_set_inherits_no_progress(open_table, bet):
    table = open_table("ann")
    table.roll((5, 5))

    assert table.refused("ann", "place", bet=bet, stake=5) == "window_closed"
    table.roll((3, 4))
    table.do("ann", "place", bet=bet, stake=5)


def test_lifecycle__every_side_bet_that_loses_is_taken(open_table):
    table = open_table("ann")
    for bet in (*HAND_BETS, *SET_BETS):
        table.do("ann", "place", bet=bet, stake=5)

    table.roll((2, 2), (3, 4))

    assert table.bets("ann") == {}
    assert table.match.game.bank == 1_000_000 + 5 * 19


# Money.


def test_money__players_may_win_and_the_bank_is_the_other_side(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=100)
    table.do("bob", "place", bet="pass", stake=100)

    table.roll((5, 6))

    assert sum(chair.chips for chair in table.match.game.seats) == 2_200
    assert table.match.game.bank == 1_000_000 - 200


def test_money__the_bank_gets_the_stake_of_a_lost_bet_and_not_what_it_had_reserved(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="next:12", stake=10)
    assert table.match.game.cover == 310

    table.roll((1, 1))

    assert (table.match.game.bank, table.match.game.cover) == (1_000_010, 0)


def test_money__what_is_reserved_is_released_when_a_bet_is_decided_lowered_or_removed(open_table):
    table = open_table("ann", bank=620)
    table.do("ann", "place", bet="next:12", stake=20)
    assert table.refused("ann", "place", bet="field", stake=5) == "bank_limit"
    table.do("ann", "lower", bet="next:12", stake=10)
    table.do("ann", "place", bet="next:2", stake=10)
    table.do("ann", "remove", bet="next:12")
    table.do("ann", "place", bet="next:12", stake=10)

    table.roll((6, 6))

    assert table.match.game.bank == 620 - 300 + 10
    assert table.match.game.cover == 0


def test_money__every_number_in_a_state_is_whole(open_table):
    table = open_table("ann", "bob", pay_table="nullspace", vig="upfront", allow_overpay=True)
    for bet, stake in (("pass", 7), ("yes:6", 11), ("no:9", 13), ("field", 3), ("next:5", 7), ("hard:8", 9)):
        table.do("ann", "place", bet=bet, stake=stake)
    table.roll((4, 4), (3, 3))

    def numbers(value: Any) -> Iterator[Any]:
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            for item in value:
                yield from numbers(item)
        elif not isinstance(value, (str, bool, type(None))):
            yield value

    found = list(numbers(msgspec.json.decode(canonical(table.match))))
    assert len(found) > 40
    assert all(type(number) is int for number in found)


def test_money__chips_stay_whole_at_the_largest_stakes(open_table):
    most = 2**40
    limits: dict[str, int] = {"table_max": most, "max_profit": 2**50, "player_max": 2**60, "buy_in_max": 2**50}
    table = open_table("ann", chips=2**42, bank=2**60, **limits)
    table.do("ann", "place", bet="yes:12", stake=most)
    table.roll((2, 2))

    table.roll((6, 6))

    assert table.settled() == [(0, "yes:12", most * 11 // 2)]


# Odds.


def test_odds__never_outlive_their_flat_bet(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="dont_pass", stake=10)
    table.roll((2, 2))
    table.do("ann", "place", bet="odds_dont_pass", stake=60)
    table.do("ann", "place", bet="dont_come", stake=10)
    table.roll((3, 3))
    table.do("ann", "place", bet="odds_dont_come:6", stake=60)

    table.do("ann", "remove", bet="dont_pass")
    table.do("ann", "remove", bet="dont_come:6")

    assert (table.bets("ann"), table.chair("ann").chips) == ({}, 1000)


# Memory.


def test_memory__a_table_that_runs_for_ever_stays_as_large_as_it_is(open_table):
    table = open_table("ann", "bob")
    match, sizes = table.match, {}
    for number in range(1, 1301):
        for player in match.turn.order:
            if player != match.turn.current:
                match = apply_action(GAME, match, {"type": "ready", "player_id": player}).state
        dice = ScriptedRng.of_dice(*((2, 2) if number % 3 else (3, 4)))
        match = apply_action(GAME, match, {"type": "roll"}, rng=dice).state
        sizes[number] = len(canonical(match.game))

    assert len(match.game.table.history) == 1000
    assert match.game.table.history[0].number == 301
    assert sizes[1300] - sizes[1100] < 500  # longer numbers, nothing else
    assert match.game.table.roll_count == 1300


def test_memory__buckets_of_those_who_are_gone_or_idle_are_dropped():
    now = 0
    gate = MessageLimits(lambda: now)
    for number in range(100):
        assert gate.admits(f"p{number}", f"c{number}")
        gate.blame(f"c{number}")
    assert (len(gate.players), len(gate.malformed)) == (100, 100)

    for number in range(50):
        gate.left(f"p{number}")
        gate.hung_up(f"c{number}")

    assert (len(gate.players), len(gate.malformed)) == (50, 50)
    limiter = RateLimiter(lambda: now, keys_max=3)
    assert [limiter.allow(key) for key in "abcd"] == [True, True, True, False]  # no room for a fourth busy one
    now = 100
    assert limiter.allow("d")  # the others have filled up again, and are forgotten
    assert len(limiter) == 1


# Policing.


def test_policing__whoever_is_slow_loses_no_chips(open_table):
    table = open_table("ann", "bob")
    table.do("bob", "place", bet="pass", stake=10)
    before = table.match.game

    table.do("bob", "time_out")
    table.do("ann", "time_out")

    after = table.match.game
    assert [chair.net for chair in after.seats] == [0, 0]
    assert (after.bank, after.cover, table.bets("bob")) == (before.bank, before.cover, {"pass": 10})


# Consensus.


def test_consensus__a_clock_is_no_part_of_a_digest(open_table):
    table = open_table("ann")
    early, late = (apply_action(GAME, table.match, {"type": "roll"}, now=now).state for now in (1, 10**12))

    assert state_digest(early) == state_digest(late)
