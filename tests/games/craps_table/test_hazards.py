"""The published hazards of craps (tests/vectors/README.md) that concern the table: its life, its chips, its memory.

Each test is named after its row. Rows about single bets are in tests/games/craps, those about the dice with the dice;
that a clock is no part of a digest is a test of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from croupier.engine import apply_action, canonical
from croupier.engine.model import HOST
from croupier.engine.rate_limit import MessageLimits, RateLimiter
from croupier.games.craps.table.game import SharedCraps
from croupier.testing import ScriptedRng
from tests.games.craps_table.conftest import staged
from tests.games.scenes import play, rows, scenes

GAME = SharedCraps()

HAND_BETS = ["hot_roller", "fire", "ride_line", "replay"]
SET_BETS = ["twice_hard", "bonus_small", "bonus_tall", "bonus_all", "different_doubles"]
SET_BETS += [f"repeater:{total}" for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)]


BAD_POINT = "ann place pass 100; ann place fire 10; roll 22; ann place come 100; roll 55; ann {way}"
BAD_POINT += "; ? ann.bets {{'pass': 100, 'fire': 10, 'come:10': 100}}; roll 34; ? ann.net -210"
# Nothing was made and nothing ended on the first roll, but the hand has begun, for newcomers too.
HAND_BET = "roll 66; dan join dan; dan buy_in 100; ann place {bet} 5 -> window_closed"
HAND_BET += "; dan place {bet} 5 -> window_closed; roll 22 34; dan place {bet} 5"
SET_BET = "roll 55; ann place {bet} 5 -> window_closed; roll 34; ann place {bet} 5"
ALL_SIDE_BETS = "; ".join(f"ann place {bet} 5" for bet in (*HAND_BETS, *SET_BETS))
SCENES = [
    *scenes("\n".join(f"# lifecycle: {way} does not escape a bad point | ann bob\n{BAD_POINT.format(way=way)}"
                      for way in ("cash_out", "leave", "time_out", "pass_dice"))),
    *scenes("\n".join(f"# lifecycle: {bet} is placed before the first roll of a hand | ann\n{HAND_BET.format(bet=bet)}"
                      for bet in HAND_BETS)),
    *scenes("\n".join(f"# lifecycle: {bet} inherits no progress | ann\n{SET_BET.format(bet=bet)}" for bet in SET_BETS)),
    *scenes(f"""
# lifecycle: every side bet that loses is taken | ann
{ALL_SIDE_BETS}; roll 22 34; ? ann.bets {{}}; ? game.bank 1_000_095
# money: players may win and the bank is the other side | ann bob
ann place pass 100; bob place pass 100; roll 56; ? ann.chips 1100; ? bob.chips 1100; ? game.bank 999_800
# money: the bank gets the stake of a lost bet and not what it had reserved | ann
ann place next:12 10; ? game.cover 310; roll 11; ? game.bank 1_000_010; ? game.cover 0
# money: what is reserved is released when a bet is decided lowered or removed | ann bank=620
ann place next:12 20; ann place field 5 -> bank_limit; ann lower next:12 10; ann place next:2 10
ann remove next:12; ann place next:12 10; roll 66; ? game.bank 330; ? game.cover 0
# money: chips stay whole at the largest stakes | ann chips={2**42} bank={2**60} table_max={2**40} max_profit={2**50} \
player_max={2**60} buy_in_max={2**50}
ann place yes:12 {2**40}; roll 22 66; ? settled [(0, 'yes:12', {2**40 * 11 // 2})]
# odds: never outlive their flat bet | ann
ann place dont_pass 10; roll 22; ann place odds_dont_pass 60; ann place dont_come 10; roll 33
ann place odds_dont_come:6 60; ann remove dont_pass; ann remove dont_come:6; ? ann.bets {{}}; ? ann.chips 1000
# policing: whoever is slow loses no chips | ann bob
bob place pass 10; ? game.bank 1_000_000; ? game.cover 20; bob time_out; ann time_out; ? ann.net 0; ? bob.net 0
? game.bank 1_000_000; ? game.cover 20; ? bob.bets {{'pass': 10}}
"""),
]  # fmt: skip


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_published_hazard_is_met(head, scene):
    play(staged(head), scene)


# Lifecycle.


@pytest.mark.parametrize(
    ("head", "scene"),
    rows("""
ann | ann cash_out
ann bob | ann cash_out; bob cash_out
ann bob | bob leave; ann leave
ann bob | ann cash_out; bob leave
ann bob | host close ended yes
ann bob | host close host yes
ann bob | host close three_voids yes
ann bob | host close bank_missing yes
"""),
)
def test_lifecycle__there_is_one_closed_and_it_takes_no_bets(head, scene):
    table = staged(head)
    play(table, f"{scene}; ? status 'finished'; ? game.table.phase 'closed'")
    for player in ("ann", "bob", HOST):
        for action in (*GAME.actions, "join", "leave", "time_out"):
            assert table.refused(player, action) == "finished"


# Money.


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
