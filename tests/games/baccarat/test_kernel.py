"""The kernel of baccarat against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from tests.games.baccarat.facts import KIT


def test_the_facts_are_the_six_slots_of_the_deal():
    plan = KIT.game.plan({"player": 1})
    seen = set()
    for session_id in range(50):
        state = KIT.same_round(plan, session_id)
        facts = plan.facts(state)
        thirds = tuple(hand[2] if len(hand) == 3 else -1 for hand in (state.player, state.banker))
        assert facts == (*state.player[:2], *state.banker[:2], *thirds)
        seen.add((facts[4] == -1, facts[5] == -1))
    assert seen == {(True, True), (True, False), (False, True), (False, False)}
