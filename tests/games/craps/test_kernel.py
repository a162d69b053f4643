"""The kernel of craps against the engine: the same sessions to the last chip, die and fee, in CPython and compiled."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.errors import BadOptions
from croupier.games.craps.bets import IDS, NAMED
from croupier.games.craps.house import kernel
from croupier.rng import GameRng
from croupier.rounds import DONE, LINES, NOT_LAID, RETURNED, STAKED
from croupier.testing import HouseKit, assert_same_round
from tests.games.craps.facts import BITCRAPS, EVERYTHING, FACTS, KIT, LARGEST, PLAIN, shows

GAME, SEED = KIT.game, KIT.seed


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
            KIT.same_round(plan, session_id, None)


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


def test_the_kernels_cache_never_changes_a_session():
    """A session is the same with an empty memory, and with one that ten thousand rolls have filled."""
    plan = GAME.plan(EVERYTHING, "full_odds", None, True)
    rows = [KIT.by_kernel(plan, session_id) for session_id in range(60)]
    for session_id in reversed(range(60)):
        assert HouseKit(GAME, keeps_scratch=True).by_kernel(plan, session_id) == rows[session_id]


def test_trackers_are_kept_only_where_a_bet_needs_them():
    assert GAME.plan(PLAIN).row_size == kernel.LIT_IDS == 41
    assert GAME.plan(PLAIN, super_mode=True).row_size == kernel.WAITING == 47
    assert GAME.plan({"pass": 10, "come": 10}).row_size == kernel.TABLE == 50
    tracked = {name for name in IDS if name in EVERYTHING and GAME.plan({name: EVERYTHING[name]}).row_size == 50 + 34}
    assert tracked == {"hot_roller", "fire", "twice_hard", "ride_line", "bonus_small", "bonus_all", "replay",
                       "different_doubles", "repeater:6"}  # fmt: skip


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

    asked = FACTS.rounds[case]
    plan = GAME.plan(*asked)
    rows = play_rounds(plan, SEED, 2**40, 400)
    states = [KIT.by_engine(plan, session_id, asked.options).game for session_id in range(2**40, 2**40 + 400)]
    shows(asked, states)
    for state, row in zip(states, rows.tolist(), strict=True):
        assert_same_round(plan, row, state)


@pytest.mark.parametrize("over", [{"pass": 134_412_300_159}, {"dont_pass": 67_206_150_080}], ids=str)
def test_odds_are_held_to_the_largest_stake_and_settled_alike_up_to_there(over):
    """The largest is 134,412,300,158,186; at a thousand times the flat bet twice as much is laid on 4 and 10."""
    pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")
    from croupier.sim.simulate import play_rounds

    options = {**LARGEST, **BITCRAPS, "odds_map": (1000,) * 6}
    for other in ({}, {"come": 134_412_300_158}, {"dont_come": 67_206_150_079}):
        plan = GAME.plan({bet: stake - 1 for bet, stake in over.items()} | other, "full_odds", options)
        for session_id, row in enumerate(play_rounds(plan, SEED, 0, 60).tolist()):
            assert_same_round(plan, row, KIT.by_engine(plan, session_id, options).game)
    for bets in (over, {"field": 60} | {bet.replace("pass", "come"): stake for bet, stake in over.items()}):
        with pytest.raises(BadOptions, match="from 1 to 134412300158186"):
            GAME.plan(bets, "full_odds", options)


@pytest.mark.parametrize("options", [{"player_max": 12}, {"max_bets": 1}, {"max_profit": 20}, {"table_min": 7}])
def test_bots_stay_within_the_limits_of_a_table(options):
    from croupier.sim.simulate import simulate

    assert simulate(GAME, bots=["full_odds"], rounds=50, seed=SEED, options=options).rounds == 50


def test_a_lit_pass_that_could_win_too_much_is_not_simulated_either():
    assert GAME.plan({"pass": 10}, options={"max_profit": 100}, super_mode=True).has_kernel
    with pytest.raises(BadOptions, match="lit, it could win"):
        GAME.plan({"pass": 15}, options={"max_profit": 100}, super_mode=True)
