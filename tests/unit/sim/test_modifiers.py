"""Shields and doubles in a simulation: what `house.execute` makes of the same sessions, chip for chip."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import act, view_for
from croupier.house import (
    GameMove,
    HouseGame,
    Instruction,
    MemoryState,
    PlayerAction,
    Register,
    StartGame,
    default_catalogue,
    encode_payload,
    execute,
)
from croupier.house.instructions import GameCompleted
from croupier.house.ledger import Ledger
from croupier.rng import GameRng
from croupier.sim.bankroll import simulate_paths
from croupier.sim.find import Found, find_rounds, read_condition
from croupier.sim.jobs import make_job
from croupier.sim.simulate import simulate
from tests.unit.sim.conftest import house_game

SEED = bytes(range(32))
ROUNDS = 120
CASES: list[tuple[str, dict[str, int], str]] = [
    ("roulette", {"straight:17": 5, "red": 10}, ""),
    ("casino-war", {"main": 10, "tie": 1}, "always_war"),
]


def executed(game: HouseGame[Any], bets: dict[str, int], policy: str, armed: list[Any]) -> list[GameCompleted]:
    """Return how every session ended in a casino, where the player always has modifiers in the pool, and chips."""
    plan = game.plan(bets, policy, None, "super" in armed)
    tables = default_catalogue(trusts_own=True)
    (table,) = [number for number, entry in tables.items() if entry.game_id == game.id]
    state = MemoryState()

    def do(body: Any) -> tuple[Any, ...]:
        return execute(state, Instruction("ann", body), SEED, 0, tables=tables)

    do(Register("Ann"))
    Ledger(state).move("deposits", "player/ann", 10**7, "gift")
    ended = []
    for session_id in range(ROUNDS):
        state.put("player/ann", replace(state.get("player/ann"), shields=3, doubles=3))
        for modifier in armed:
            do(PlayerAction(modifier))
        (events) = do(StartGame(table, plan.terms.stake, session_id))
        while not any(isinstance(event, GameCompleted) for event in events):
            match = state.get(f"session/{session_id}").match
            move = plan.policy(view_for(game, match, "ann"), (), GameRng.new(b"", 0, 0))
            payload = encode_payload(game, act(move.type, **move.payload))
            events = do(GameMove(session_id, payload))
            assert type(events[0]).__name__ != "CasinoError", events
        ended += [event for event in events if isinstance(event, GameCompleted)]
    return ended


@pytest.mark.parametrize("by_engine", [False, True], ids=["kernel", "engine"])
@pytest.mark.parametrize(
    "armed", [["shield"], ["double"], ["shield", "double"], ["shield", "double", "super"]], ids=str
)
@pytest.mark.parametrize(("game_id", "bets", "policy"), CASES, ids=[case[0] for case in CASES])
def test_a_simulation_comes_to_what_the_house_pays(game_id, bets, policy, armed, by_engine):
    game = house_game(game_id)
    ended = executed(game, bets, policy, armed)
    modifiers = [name for name in armed if name != "super"]

    result = simulate(
        game, bets, policy, ROUNDS, SEED, super_mode="super" in armed, modifiers=modifiers, by_engine=by_engine
    )

    assert (result.staked, result.returned, result.fees) == (
        sum(event.staked for event in ended),
        sum(event.returned for event in ended),
        sum(event.fees for event in ended),
    )
    assert dict(result.distribution) == Counter(event.net - event.fees for event in ended)
    assert result.net == sum(event.net - event.fees for event in ended)
    assert result.bonus == sum(event.net - (event.returned - event.staked) for event in ended)
    assert result.modified == sum(event.was_shielded or event.was_doubled for event in ended) > 0
    assert result.modifiers == tuple(modifiers)


def test_a_shield_gives_the_stakes_back_and_never_the_fee():
    result = simulate(house_game("roulette"), {"straight:17": 5}, "", 5000, SEED, super_mode=True, modifiers=["shield"])

    assert result.quantile(0) == -1  # the fee of one chip
    assert result.net == result.returned + result.bonus - result.staked - result.fees


def test_modifiers_are_in_the_digest_and_leave_the_bets_alone():
    game = house_game("roulette")
    plain, shielded, doubled = (
        simulate(game, {"red": 10}, "", 1000, SEED, modifiers=modifiers) for modifiers in ([], ["shield"], ["double"])
    )

    assert plain.lines == shielded.lines == doubled.lines
    assert len({plain.digest, shielded.digest, doubled.digest}) == 3
    assert (shielded.wins, doubled.wins) == (plain.wins, plain.wins)
    assert shielded.edge < 0


def test_found_rounds_and_bankrolls_know_modifiers():
    game = house_game("roulette")
    job = make_job(game, {"red": 10}, seed=SEED, modifiers=["shield", "double"])
    nets = {each.net for each in find_rounds(job, read_condition("net != 1000"), rounds=50) if isinstance(each, Found)}
    paths = simulate_paths(game, {"red": 10}, bankroll=10, rounds=50, paths=10, seed=SEED, modifiers=["shield"])

    assert nets == {0, 20}
    assert paths.ruin == 0
    assert (paths.drawdown == 0).all()
