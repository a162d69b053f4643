"""The kernel of hi-lo against the engine: the same sessions to the last chip, card and fee."""

from __future__ import annotations

import pytest

from croupier.engine import view_for
from croupier.engine.chance import ScriptedRng
from croupier.games.hi_lo import rules
from croupier.rng import GameRng
from croupier.rounds import FACTS, RETURNED
from tests.games.hi_lo.facts import GAME, HARSH, KIT

compare = KIT.same_round


def test_the_best_policy_is_the_patient_one_where_the_boost_is_worth_it():
    """Forty of the patient's sessions and as many of those who leave at once."""
    for super_mode, same_as in ((False, "cash_out_at_once"), (True, "patient")):
        best, other = (GAME.plan({"stake": 15}, policy, None, super_mode) for policy in ("best", same_as))
        assert best.options == other.options
        for session_id in range(40):
            compare(best, session_id, None)
    harsh = [GAME.plan({"stake": 15}, policy, HARSH, True).options for policy in ("best", "cash_out_at_once")]
    assert harsh[0] == harsh[1]


# The patient go back and forth between seven and eight, then down to the ace: the pot passes the cap on the way.
LONG_RUN = [6, 7, 6, 7, 6, 7, 6, 7, 6, 7, 6, 5, 4, 2, 1, 0]


@pytest.mark.parametrize("super_mode", [False, True])
def test_the_largest_stake_stays_within_63_bits_on_a_run_to_the_cap(super_mode):
    stake = rules.STAKE_MAX // 5 * 5
    plan = GAME.plan({"stake": stake}, "patient", {"commission_bps": 0}, super_mode)

    row = KIT.by_kernel(plan, 0, [ScriptedRng([card]) for card in LONG_RUN])

    match = KIT.start(stake, super_mode=super_mode, options={"commission_bps": 0}, rng=ScriptedRng(LONG_RUN[:1]))
    for card in LONG_RUN[1:]:
        action = plan.policy(view_for(GAME, match, "ann"), (), GameRng.new(b"", 0, 0))
        match = KIT.do(match, action, rng=ScriptedRng([card]))
    assert match.status == "finished"
    assert match.game.factor == 4_910_780_304
    assert tuple(row[FACTS : FACTS + 5]) == plan.facts(match.game) == (6, 0, 15, 15, 4_910_780_304)
    assert row[RETURNED] == match.game.money.returned < 2**63
    assert row[RETURNED] > 490_000 * stake


def test_the_facts_are_the_ends_of_the_run_and_its_counts():
    plan = GAME.plan({"stake": 1}, "three_guesses")
    seen = set()
    for session_id in range(200):
        state = compare(plan, session_id, None)
        assert plan.facts(state) == (state.cards[0], state.cards[-1], len(state.guesses), state.streak, state.factor)
        assert len(state.cards) == len(state.guesses) + 1
        seen.add((len(state.guesses), state.factor > 0))
    assert seen == {(1, False), (2, False), (3, False), (3, True)}


def test_one_guess_is_the_usual_policy():
    assert GAME.plan({"stake": 5}).options == GAME.plan({"stake": 5}, "one_guess").options
