"""The kernel of craps against the engine: the same sessions to the last chip, die and fee, in CPython and compiled."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.errors import BadOptions
from croupier.games.craps import Craps
from croupier.games.craps.bets import IDS, NAMED
from croupier.games.craps.house import kernel
from croupier.games.craps.rules.prices import STAKE_MAX
from croupier.house.plan import Plan
from croupier.rng import SUPER_MOVE, GameRng
from croupier.rounds import DONE, LINES, NOT_LAID, RETURNED, STAKED
from croupier.testing import HouseKit, assert_same_round

GAME = Craps()
KIT = HouseKit(GAME, keeps_scratch=True)
SEED = KIT.seed

EVERYTHING = {
    "pass": 15, "dont_pass": 10, "field": 5, "yes:6": 12, "buy:4": 25, "no:5": 35, "lose:8": 10, "hard:8": 3,
    "hot_roller": 5, "fire": 5, "twice_hard": 5, "ride_line": 5, "muggsy": 5, "bonus_small": 5, "bonus_all": 5,
    "replay": 5, "different_doubles": 5, "repeater:6": 5, "horn": 4, "hop:1-3": 1,
}  # fmt: skip
PLAIN = {"pass": 10, "yes:9": 10, "next:7": 5, "big:8": 10, "no:2": 120, "any_craps": 1, "world": 5, "c_and_e": 2}


def check(plan: Plan, state: Any) -> Any:
    """Check the stake of every line of a bet in the plan; odds are in the accounts alone."""
    lines = {plan.bet_of(line.bet): line.stake for line in state.money.lines}
    assert len(lines) == len(state.money.lines)
    for bet, stake in zip(plan.bets, plan.stakes, strict=True):
        assert lines.get(bet, stake if bet in ("come", "dont_come") else None) == stake, bet
    return state


def compare(plan: Plan, session_id: int, options: Any) -> Any:
    """Return the state of a session that kernel and engine play alike."""
    return check(plan, KIT.same_round(plan, session_id, options))


CASES: list[tuple[dict[str, int], str, dict[str, Any], bool]] = [
    (EVERYTHING, "", {}, False),
    (EVERYTHING, "full_odds", {"hot_roller": "ways", "ride": "ride-3", "fire": "fire-d"}, True),
    (EVERYTHING, "full_odds", {"hot_roller": "rolls", "vig": "upfront", "odds_plan": "double"}, False),
    (PLAIN, "", {"pay_table": "bitcraps"}, False),
    (PLAIN, "full_odds", {"pay_table": "nullspace", "vig": "upfront", "odds_map": (0, 1, 2, 2, 1, 7)}, True),
    ({"pass": 10}, "full_odds", {}, False),
    ({"dont_pass": 10}, "full_odds", {"odds_plan": "100x"}, False),
    ({"muggsy": 5}, "", {"pay_table": "bitcraps"}, False),
    ({"pass": 15, "dont_pass": 10, "yes:4": 10}, "single_odds", {}, False),
    ({"dont_pass": 10, "pass": 5}, "double_odds", {"odds_map": (1, 2, 3, 3, 2, 0)}, True),
    ({"fire": 5, "pass": 5, "repeater:2": 5, "field": 5}, "double_odds", {}, False),
    ({"come": 10, "pass": 15}, "", {}, True),
    ({"field": 5, "come": 10, "dont_come": 15, "hard:6": 5}, "full_odds", {"odds_plan": "100x"}, False),
    ({"dont_come": 20, "dont_pass": 10, "fire": 5, "come": 10}, "double_odds", {"pay_table": "bitcraps"}, True),
]


@pytest.mark.parametrize(("bets", "policy", "options", "super_mode"), CASES, ids=lambda value: str(value)[:24])
def test_sessions_of_the_kernel_are_those_of_the_engine(bets, policy, options, super_mode):
    plan = GAME.plan(bets, policy, options, super_mode)
    lengths = set()
    for session_id in range(250):
        lengths.add(compare(plan, session_id, options).table.roll_count)
    assert len(lengths) > 1


def test_two_thousand_sessions_of_the_line_with_odds_are_those_of_the_engine():
    plan = GAME.plan({"pass": 15, "dont_pass": 10}, "full_odds", None, True)
    for session_id in range(2_000):
        compare(plan, session_id, None)


def test_every_bet_that_can_be_placed_before_the_first_roll_is_settled_alike():
    names = [name for name, named in NAMED.items() if not named.number and named.id not in (2, 3, 29, 30)]
    assert len(names) == 85 + 16
    stakes = {"horn": 4, "c_and_e": 2, "world": 5}
    for first in range(0, len(names), 20):
        seen: dict[int, str] = {}
        for name in names[first : first + 20]:
            seen.setdefault(NAMED[name].id, name)
        plan = GAME.plan({name: stakes.get(name, 60) for name in seen.values()})
        for session_id in range(40):
            compare(plan, session_id, None)


@pytest.mark.parametrize("super_mode", [False, True])
def test_the_largest_stakes_stay_within_63_bits(super_mode):
    stake = STAKE_MAX // 60 * 60
    limits = {"table_max": STAKE_MAX, "prop_max": STAKE_MAX, "side_max": STAKE_MAX}
    options = {**limits, "max_profit": 2**63 - 1, "player_max": 2**63 - 1, "fire": "fire-b"}
    names = ["pass", "next:2", "fire", "replay", "yes:2", "no:2", "bonus_all", *(f"hop:{n}-{n}" for n in range(1, 7))]
    plan = GAME.plan(dict.fromkeys(names, stake), "", options, super_mode)
    for session_id in range(50):
        money = compare(plan, session_id, options).money
        assert max(money.staked, money.returned, money.fees) < 2**63


@pytest.mark.parametrize(("policy", "most"), [("no_odds", 0), ("single_odds", 1), ("double_odds", 2), ("full_odds", 5)])
def test_a_policy_stakes_its_multiple_of_the_line_bet_as_odds(policy, most):
    """At 3-4-5 times: so much on each point, and nothing in a session that ends with its first roll."""
    plan = GAME.plan({"pass": 10}, policy)
    wanted = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    seen = set()
    for session_id in range(120):
        row = KIT.by_kernel(plan, session_id)
        first = GameRng.new(SEED, session_id, 1)
        point = first.next_bounded(6) + 1 + first.next_bounded(6) + 1
        odds = 10 * min(wanted.get(point, 0), most)
        assert row[STAKED] == 10 + odds, point
        seen.add(point)
    assert seen == set(range(2, 13))


def dice_of(total: int) -> GameRng:
    """Return a stream that rolls a total: its bytes are what the dice are made from."""
    return GameRng.from_state(bytes([max(1, total - 6) - 1, min(6, total - 1) - 1]).ljust(32))


def told(bets: dict[str, int], *totals: int) -> tuple[int, int, list[int], int]:
    """Return what these rolls come to with full odds, 3-4-5 times: staked, returned, lines, and the number of moves."""
    plan = GAME.plan(bets, "full_odds")
    row, work, spare = [0] * plan.row_size, [0] * plan.work_size, [0] * plan.work_size
    move, last = plan.first_move, 0
    for total in totals:
        assert move != DONE
        last = move
        stream = dice_of(total)
        move = plan.step(stream, move, row, plan.kinds, plan.numbers, plan.stakes, plan.options, work, spare)
    assert move == DONE
    return row[STAKED], row[RETURNED], row[LINES : LINES + len(bets)], last


@pytest.mark.parametrize(
    ("bets", "rolls", "wanted"),
    [
        # Natural: the come bet is never laid.
        ({"pass": 10, "come": 20}, (7,), (10, 20, [20, NOT_LAID], 1)),
        # Point 4: odds 30 and the come bet, moves 2 and 3. It loses with craps; then the seven takes pass and odds.
        ({"pass": 10, "come": 20}, (4, 12, 7), (60, 0, [0, 0], 5)),
        # Come goes to 6 and gets 100 (move 5); 6 pays 20 and 120 for the odds; the point pays 10 and 60 for 30.
        ({"pass": 10, "come": 20}, (4, 6, 6, 4), (160, 40 + 220 + 20 + 90, [20, 40], 7)),
        # The point is made; on the come-out roll a seven takes the come bet, but its odds are off and come back.
        ({"pass": 10, "come": 20}, (4, 6, 4, 7), (160, 20 + 90 + 100, [20, 0], 7)),
        # Don't come odds work always: 5 times 20 wins as much, laid 120, at the come-out too.
        ({"pass": 10, "dont_come": 20}, (4, 6, 4, 7), (180, 20 + 90 + 40 + 220, [20, 40], 7)),
        # The field goes with the roll that sets the point: nothing lies, the session is over.
        ({"field": 5, "come": 20}, (4,), (5, 10, [10, NOT_LAID], 1)),
        # A hardway stays up through the come-out; the come bet waits for the second point.
        ({"hard:8": 5, "come": 20}, (11, 9, 11, 7), (25, 40, [0, 40], 5)),
    ],
    ids=str,
)
def test_come_bets_are_laid_with_a_point_up_and_get_odds_on_their_number(bets, rolls, wanted):
    """Worked out by hand from the rules page; every bet laid and every odds are a move before the next roll."""
    assert told(bets, *rolls) == wanted


def test_come_and_pass_with_odds_come_to_their_published_edges():
    """Fixed seed, 4.5 standard errors: a false alarm is 7 in a million for each of the three figures."""
    pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")
    from croupier.sim.simulate import simulate

    result = simulate(GAME, {"pass": 10, "come": 10, "dont_come": 10}, "full_odds", 1_000_000, SEED)

    assert [line.bet for line in result.lines] == ["pass", "come", "dont_come"]
    edges = [Fraction(7, 495), Fraction(7, 495), Fraction(3, 220)]
    for line, edge in zip(result.lines, edges, strict=True):
        assert abs(float(line.edge - edge)) < 4.5 * line.stderr
    _, come, dont_come = result.lines
    assert come.rounds == dont_come.rounds
    # Twelve of the 36 first rolls decide pass; 4.5 standard deviations of a count of chance 2/3.
    assert abs(come.rounds - 1_000_000 * 2 / 3) < 4.5 * (1_000_000 * 2 / 9) ** 0.5


def test_what_a_kernel_learnt_from_other_sessions_changes_none():
    """A session is the same with an empty memory, and with one that ten thousand rolls have filled."""
    plan = GAME.plan(EVERYTHING, "full_odds", None, True)
    rows = [KIT.by_kernel(plan, session_id) for session_id in range(60)]
    for session_id in reversed(range(60)):
        assert HouseKit(GAME, keeps_scratch=True).by_kernel(plan, session_id) == rows[session_id]


def test_a_super_session_begins_with_the_stream_of_the_lit_points():
    assert GAME.plan({"pass": 10}).first_move == 1
    assert GAME.plan({"pass": 10}, super_mode=True).first_move == SUPER_MOVE


def test_trackers_are_kept_only_where_a_bet_needs_them():
    assert GAME.plan(PLAIN).row_size == kernel.LIT_IDS == 41
    assert GAME.plan(PLAIN, super_mode=True).row_size == kernel.WAITING == 47
    assert GAME.plan({"pass": 10, "come": 10}).row_size == kernel.TABLE == 50
    tracked = {name for name in IDS if name in EVERYTHING and GAME.plan({name: EVERYTHING[name]}).row_size == 50 + 34}
    assert tracked == {"hot_roller", "fire", "twice_hard", "ride_line", "bonus_small", "bonus_all", "replay",
                       "different_doubles", "repeater:6"}  # fmt: skip


@pytest.mark.parametrize(
    ("bets", "policy", "options", "super_mode"),
    [
        ({}, "", None, False),
        ({"pass": 0}, "", None, False),
        ({"pass": 4}, "", None, False),
        ({"pass": 5_001}, "", None, False),
        ({"come": 10, "dont_come": 10}, "", None, False),  # nobody rolls for them
        ({"pass": 10, "come": 4}, "", None, False),
        ({"pass": 10, "come:6": 10}, "", None, False),
        ({"pass": 5, "come": 500}, "full_odds", {"odds_plan": "100x"}, False),
        ({"odds_pass": 10}, "", None, False),
        ({"pass": 10, "odds_pass": 10}, "", None, False),
        ({"yes:7": 10}, "", None, False),
        ({"horn": 3}, "", None, False),
        ({"yes:4": 10, "buy:4": 20}, "", None, False),
        ({"pass": 12}, "", None, True),
        ({"buy:4": 20}, "", {"pay_table": "bitcraps"}, False),
        ({"hop:1-1": 5}, "", {"pay_table": "nullspace"}, False),
        ({"pass": 10}, "half_odds", None, False),
        ({"pass": 1_000}, "full_odds", {"odds_plan": "100x"}, False),  # 100,000 chips of odds: more than one may risk
        ({"pass": 10}, "", {"table_max": 5, "pay": 1}, False),
        ({"fire": STAKE_MAX + 1}, "", {"side_max": STAKE_MAX}, False),
        ({name: 5 for name in IDS if name.startswith("hop")}, "", None, False),
    ],
)
def test_a_session_that_cannot_be_played_has_no_plan(bets, policy, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, policy, options, super_mode)


@pytest.mark.parametrize(
    ("bets", "said"),
    [
        ({"pass": 10, "odds_pass": 10}, "odds come with the policy"),
        ({"pass": 10, "come": 10, "odds_come:6": 10}, "odds come with the policy"),
        ({"come": 10}, "needs another bet"),
        ({"pass": 10, "come:6": 10}, "finds its number itself"),
    ],
)
def test_the_refusal_says_what_to_do_instead(bets, said):
    with pytest.raises(BadOptions, match=said):
        GAME.plan(bets)


# Compiled.


@pytest.mark.parametrize("case", [0, 1, 2, 4, 5, 12, 13], ids=str)
def test_the_compiled_kernel_plays_the_same_sessions(case):
    pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")
    from croupier.sim.simulate import play_rounds

    bets, policy, options, super_mode = CASES[case]
    plan = GAME.plan(bets, policy, options, super_mode)
    rows = play_rounds(plan, SEED, 2**40, 400)
    for session_id, row in enumerate(rows.tolist(), 2**40):
        state = check(plan, KIT.by_engine(plan, session_id, options).game)
        assert_same_round(plan, row, state)
