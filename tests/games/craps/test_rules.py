"""The rules of craps: names and ids, every bet on every roll, trackers, and the order of settlement."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.engine import act
from croupier.games.craps import Craps
from croupier.games.craps.bets import ALIASES, BETS, CODES, IDS, NAMED, name_of, read_name
from croupier.games.craps.layout import CrapsTable, LiveBet, RollOutcome, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids, prices, progress, roll
from croupier.games.craps.rules import table as rows
from croupier.house import decode_payload, encode_payload
from tests.games.craps import seats
from tests.games.craps.test_vectors import Second

BOOK = book_of(CrapsOptions())
DICE = [(die1, die2) for die1 in range(1, 7) for die2 in range(1, 7)]
POINTS = (4, 5, 6, 8, 9, 10)


def live(name: str, stake: int = 60, **more: Any) -> LiveBet:
    return seats.live(name, stake, **more)


def thrown(table: CrapsTable, dice: tuple[int, int], *bets: LiveBet) -> RollOutcome:
    return throw(table, [bets], *dice, BOOK)


# Names and numbers.


def test_the_ninety_one_bets_have_their_published_numbers():
    numbers = {
        "pass": 0, "dont_pass": 1, "come": 2, "dont_come": 3, "field": 4, "yes:2": 5, "yes:6": 9, "yes:8": 10,
        "yes:12": 14, "no:2": 15, "no:7": None, "no:12": 24, "hard:4": 25, "hard:6": 26, "hard:8": 27, "hard:10": 28,
        "odds_pass": 29, "odds_dont_pass": 30, "hot_roller": 33, "fire": 34, "twice_hard": 35, "ride_line": 36,
        "muggsy": 37, "bonus_small": 38, "bonus_tall": 39, "bonus_all": 40, "replay": 41, "different_doubles": 42,
        "next:2": 43, "next:7": 48, "next:12": 53, "repeater:2": 54, "repeater:6": 58, "repeater:8": 59,
        "repeater:12": 63, "hop:1-1": 64, "hop:1-6": 69, "hop:2-2": 70, "hop:3-4": 76, "hop:6-6": 84, "any_craps": 85,
        "horn": 86, "world": 87, "c_and_e": 88, "big:6": 89, "big:8": 90,
    }  # fmt: skip
    for name, number in numbers.items():
        assert (read_name(name) or (None,))[0] == number, name
    assert (IDS[31], IDS[32]) == ("odds_come", "odds_dont_come")
    assert len(IDS) == len(set(IDS)) == 91


def test_every_name_goes_to_its_two_bytes_and_back():
    assert len(BETS) == len(set(BETS.values())) == 91 - 2 + 10 + 6 + 4 * 6
    for name, code in BETS.items():
        payload = encode_payload(Craps(), act("place", bet=name, stake=5))
        assert payload == bytes((1, 0, *code)) + (5).to_bytes(8, "big")
        assert decode_payload(Craps(), payload).payload["bet"] == name
        named = read_name(name)
        assert named is not None
        assert name_of(*named) == name
    assert {BETS[name] for name in IDS if name in BETS} == {(bet, 0) for bet in range(91) if bet not in (31, 32)}
    assert BETS["buy:4"] == (7, 1)
    assert BETS["come:6"] == (2, 6)
    assert BETS["odds_come:10"] == (31, 10)


def test_aliases_are_the_same_bets_and_have_no_codes_of_their_own():
    pairs = {
        "any7": "next:7", "aces": "next:2", "ace_deuce": "next:3", "yo": "next:11", "boxcars": "next:12",
        "place:4": "yes:4", "lay:10": "no:10", "place_to_lose:5": "lose:5", "hop:4-2": "hop:2-4", "c&e": "c_and_e",
    }  # fmt: skip
    for alias, name in pairs.items():
        assert read_name(alias) == read_name(name)
        assert CODES.encode(alias) == CODES.encode(name)
    assert not set(ALIASES) & set(BETS)


@pytest.mark.parametrize("name", ["yes:7", "no:1", "hard:2", "hard:12", "hop:0-1", "next:13", "lose:2", "", "PASS"])
def test_a_name_of_no_bet_is_not_read(name):
    assert read_name(name) is None


# Bets without trackers, exhaustively.


@pytest.mark.parametrize("always", [False, True], ids=["as_usual", "on_every_roll"])
@pytest.mark.parametrize("point", [0, *POINTS])
def test_every_roll_settles_every_bet_without_a_tracker_as_the_second_calculation_does(point, always):
    """Which bets are decided, the chips that come back, and the numbers that come bets travel to, in every phase."""
    table = seats.point_up(point) if point else CrapsTable()
    needs_point = {"come", "dont_come", "odds_pass", "odds_dont_pass"}
    bets = {}
    for name, named in NAMED.items():
        if not ids.is_tracked(named.id) and (point or name not in needs_point):
            number = point if name in ("odds_pass", "odds_dont_pass") else named.number
            working = ids.WORKS if always else ids.usual_working(named.id)
            bets[name] = LiveBet(named.id, 60, number, named.mode, working)
    assert len(bets) == (109 if point else 105)
    for dice in DICE:
        second = Second()
        second.points, second.up, second.always = [point], dict.fromkeys(bets, (60, 0)), {*bets} if always else set()
        outcome = thrown(table, dice, *bets.values())
        assert seats.returns(outcome) == second.roll(dice)
        assert seats.stakes(outcome.seats[0]).keys() == second.up.keys()


def test_a_bet_that_is_off_is_not_touched():
    """By default YES, hardways and come odds are off at the come-out; NO and Big are not."""
    off_at_come_out = {name for name in IDS if not roll.works_now(ids.usual_working(IDS.index(name)), rows.COME_OUT)}
    assert off_at_come_out == {name for name in IDS if name.startswith(("yes", "hard"))} | {"odds_come"}
    assert all(roll.works_now(ids.usual_working(bet), rows.POINT_UP) for bet in range(91))
    for dice in DICE:
        for name in ("yes:6", "hard:6"):
            assert thrown(CrapsTable(), dice, live(name, working=ids.WORKS_WITH_POINT)).decisions == ()
            assert thrown(seats.point_up(4), dice, live(name, working=ids.WORKS_AT_COME_OUT)).decisions == ()


# The table.


@given(dice=st.lists(st.sampled_from(DICE), max_size=60))
@example(dice=[(6, 5), (6, 1), (2, 2), (3, 1), (4, 4), (3, 4)])  # a cycle, a set and a hand end
@example(dice=[(2, 2), (1, 1), (6, 6), (3, 1), (6, 5), (2, 2), (2, 2)])  # an easy 4 breaks the streak of hard ones
@example(dice=[(2, 2), (2, 2), (3, 4), (2, 2), (3, 4)])  # any 7 clears the set, and only a seven-out the hand
def test_the_trackers_are_those_of_a_second_count_over_the_whole_log(dice):
    """A second calculation from the full list of rolls, which the table itself does not keep."""
    now, second = CrapsTable(), Second()
    for pair in dice:
        now = thrown(now, pair).table
        second.roll(pair)
    *before, point = second.points
    rolls = list(zip(dice, before, strict=True))
    sevens = [place for place, pair in enumerate(dice) if sum(pair) == 7]
    outs = [place for place in sevens if before[place]]
    hand, since_seven = rolls[max(outs, default=-1) + 1 :], dice[max(sevens, default=-1) + 1 :]
    made = [number for pair, number in hand if number == sum(pair)]
    naturals = [pair for pair, number in hand if not number and sum(pair) in (7, 11)]
    cycles = [pair for pair, number in rolls if number and sum(pair) in (number, 7)]
    assert (now.phase, now.point) == ("point" if point else "come_out", point)
    assert (now.roll_count, now.series_id, now.hand_id) == (len(dice), len(cycles), len(outs))
    assert (now.hand_rolls, now.set_rolls) == (len(hand), len(since_seven))
    assert now.fire_points == tuple(sorted(set(made)))
    assert now.points_made == tuple(made.count(number) for number in POINTS)
    assert (now.hot_streak, now.pass_wins) == (len(made), len(made) + len(naturals))
    totals = [sum(pair) for pair in since_seven]
    assert now.bonus_numbers == tuple(sorted(set(totals)))
    assert now.repeater_counts == tuple(totals.count(total) for total in range(2, 13))
    assert now.doubles_seen == tuple(sorted({a for a, b in since_seven if a == b}))
    pairs = {f"{min(pair)}-{max(pair)}" for pair in since_seven if sum(pair) in POINTS}
    assert set(now.ways_seen) == pairs
    for place, number in enumerate((4, 6, 8, 10)):
        thrown_so = [a == b for a, b in since_seven if a + b == number]
        streak = thrown_so[::-1].index(False) if False in thrown_so else len(thrown_so)
        assert now.hard_streak[place] == streak
    assert [(entry.die1, entry.die2) for entry in now.history] == dice
    assert [entry.phase for entry in now.history] == [int(number > 0) for number in before]
    assert CrapsTable.from_row(now.row(), now.history) == now


# Order.


def everything(point: int) -> list[LiveBet]:
    """Return a seat with one of every bet, come bets on all numbers and in the box, and odds on everything."""
    bets = [live(name) for name in IDS if not name.startswith("odds")]
    bets += [LiveBet(IDS.index(f"odds_{side}pass"), 60, point) for side in ("", "dont_")] if point else []
    bets += [live(f"{kind}:{n}") for n in POINTS for kind in ("come", "dont_come", "odds_come", "odds_dont_come")]
    return bets


@pytest.mark.parametrize("point", [0, 6])
def test_no_bet_looks_at_another_so_their_order_changes_nothing(point):
    table = CrapsTable(phase="point", point=6, roll_count=3, hand_rolls=3) if point else CrapsTable()
    bets = everything(point)
    shuffles = [bets, bets[::-1], bets[1::2] + bets[::2]]
    for dice in DICE:
        outcomes = [thrown(table, dice, *some) for some in shuffles]
        for outcome in outcomes[1:]:
            assert outcome.decisions == outcomes[0].decisions
            assert set(outcome.seats[0]) == set(outcomes[0].seats[0])
        alone = [decision for bet in bets for decision in thrown(table, dice, bet).decisions]
        assert sorted(alone, key=repr) == sorted(outcomes[0].decisions, key=repr)


def test_results_are_listed_by_seat_then_bets_that_live_on_then_id_and_number():
    table = CrapsTable(phase="point", point=6, roll_count=1, hand_rolls=1)
    names = ("field", "next:7", "come:9", "come:4", "pass", "no:10", "any_craps")
    outcome = throw(table, [tuple(map(live, names)), (live("hop:3-4"), live("dont_pass"))], 3, 4, BOOK)

    assert [(decision.seat, decision.bet.name) for decision in outcome.decisions] == [
        (0, "pass"), (0, "come:4"), (0, "come:9"), (0, "no:10"), (0, "field"), (0, "next:7"), (0, "any_craps"),
        (1, "dont_pass"), (1, "hop:3-4"),
    ]  # fmt: skip


@pytest.mark.parametrize("hot_roller", ["streak", "ways", "rolls"])
@given(dice=st.lists(st.sampled_from(DICE), min_size=40, max_size=120))
def test_may_decide_never_rules_out_a_roll_that_decides_a_tracked_bet(hot_roller, dice):
    """The question is asked to save time: with the trackers themselves the answer is the same."""
    book = book_of(CrapsOptions(hot_roller=hot_roller))
    bets = [bet for bet in range(33, 64) if bet < 43 or bet > 53]
    table, up = [0] * rows.TABLE_SIZE, set(bets)
    for die1, die2 in dice:
        rows.feed(table, die1, die2)
        for bet in sorted(up):
            verdict = progress.judge_trackers(table, bet, 0, die1 + die2, book.prices)
            if verdict != prices.STAYS:
                assert progress.may_decide(bet, table[rows.POINT], die1, die2, book.prices), (bet, die1, die2)
                up.discard(bet)
        rows.advance(table, die1 + die2)
        if table[rows.HAND_ROLLS] == 0:
            up = set(bets)  # a new hand, and all of them placed again
