"""Moves that wait: from their block until settlement nothing about them changes, whatever else happens."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.bots import play_out
from croupier.chain.state import ChainState
from croupier.engine import get_game, list_games, view_for
from croupier.house import (
    CloseSession,
    Deposit,
    GameMove,
    HouseGame,
    PlayerAction,
    Register,
    StartGame,
    default_catalogue,
)
from croupier.rng import GameRng
from tests.unit.chain.world import World, events_of, reasons, red, seed_at, sender


def waiting() -> tuple[World, int]:
    """A chain on which Ann and Bob have sessions, and somebody else plays too."""
    world, session = World.seated("ann", "bob", "cat")
    world.sit("bob")
    return world, session


BASE, SESSION = waiting()


def fork() -> World:
    state = ChainState(BASE.state.raw, height=BASE.state.height, app_hash=BASE.state.app_hash)
    world = World(state)
    world.nonces = dict(BASE.nonces)
    return world


bodies = st.one_of(
    st.just(red(SESSION, 5)),
    st.just(red(SESSION + 1, 5)),
    st.just(CloseSession(SESSION)),
    st.just(CloseSession(SESSION + 1)),
    st.builds(Deposit, st.integers(1, 1000)),
    st.builds(PlayerAction, st.sampled_from(["shield", "double", "super"])),
    st.just(StartGame(6, 0, 0)),
    st.just(StartGame(1, 10, 0)),
    st.just(GameMove(SESSION, b"\x01\x02")),
    st.just(Register("x")),
)
# A bet on Ann's session, a session that she begins, and Bob closing the one that she has left lying.
ASKED = [("ann", red(SESSION, 100)), ("ann", StartGame(1, 10, 0)), ("bob", CloseSession(SESSION))]
LATE = 10**9
sent = st.lists(st.tuples(st.sampled_from(["ann", "ann", "bob", "dan"]), bodies), min_size=1, max_size=6)


def mine(result):
    """Return events of Ann's sessions and movements of her account, without their running numbers."""
    ann = sender("ann").id
    found = []
    for event in events_of(result):
        moved = [event.get(end, "").removeprefix("player/") for end in ("source", "target")]
        if event.get("session_id") in (SESSION, SESSION + 2) or ann in moved:
            found.append({name: value for name, value in event.items() if name != "number"})
    return found


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: type(asked[1]).__name__)
@settings(derandomize=True, deadline=None, max_examples=40)
@given(before=sent, first=sent, second=sent, later=st.integers(0, 10**9))
def test_nothing_sent_after_a_move_changes_how_it_is_settled(asked, before, first, second, later):
    """Neither other transactions in its block and the two after it, nor the clock."""
    quiet, busy = fork(), fork()
    move = quiet.tx(*asked)
    busy.nonces[asked[0]] += 1
    expected = mine(quiet.settle(move, time=LATE)[1])
    assert expected

    result = busy.block(move, *(busy.tx(name, body) for name, body in before), time=LATE)
    assert result.results[0].reason == "ok"
    held = {key: busy.state.raw[key] for key in own_keys()}
    result = busy.block(*(busy.tx(name, body) for name, body in first), time=LATE + later)
    assert {key: busy.state.raw[key] for key in own_keys()} == held
    settled = busy.block(*(busy.tx(name, body) for name, body in second), time=LATE + later)

    assert mine(settled)[: len(expected)] == expected
    session = f"session/{SESSION + 2 if isinstance(asked[1], StartGame) else SESSION}"
    assert busy.state.raw[session] == quiet.state.raw[session]  # its times are those of the block that asked
    assert busy.total() == 0


def own_keys():
    ann = sender("ann").id
    return [f"balance/player/{ann}", f"player/{ann}", f"session/{SESSION}"]


@pytest.mark.parametrize(
    "body",
    [red(SESSION), StartGame(6, 0, 0), Deposit(5), PlayerAction("shield"), CloseSession(SESSION)],
    ids=lambda body: type(body).__name__,
)
def test_the_account_of_a_pending_move_takes_no_other_transaction(body):
    world = fork()
    assert reasons(world.block(world.tx("ann", red(SESSION)), world.tx("ann", body))) == ["ok", "pending"]
    assert reasons(world.block(world.tx("ann", body))) == ["pending"]
    after = world.block(world.tx("ann", body))
    assert after.results[0].reason != "pending"


def test_nobody_closes_a_session_whose_move_is_pending():
    world = fork()
    both = world.block(world.tx("ann", red(SESSION)), world.tx("bob", CloseSession(SESSION)), time=LATE)
    assert reasons(both) == ["ok", "pending"]
    assert reasons(world.block(world.tx("bob", CloseSession(SESSION)), time=LATE)) == ["pending"]


def test_the_seed_of_the_next_height_decides_and_no_other():
    """Block k's draws follow T(k+1): another T(k), T(k+2) or T(k+3) changes nothing, another T(k+1) does."""
    height = BASE.state.height + 1

    def played(other: int | None) -> object:
        world = fork()
        world.seeds = lambda h: seed_at(h + 2000 if h == other else h)
        _, settled = world.settle(world.tx("ann", red(SESSION, 100)))
        return mine(settled)[0]["view"]["game"]["pockets"]

    rng = GameRng.new(seed_at(height + 1), SESSION, 1)
    assert played(None) == [rng.next_bounded(37)]
    assert played(height) == played(height + 2) == played(height + 3) == played(None)
    other = GameRng.new(seed_at(height + 2001), SESSION, 1)
    assert played(height + 1) == [other.next_bounded(37)] != played(None)


@pytest.mark.parametrize("game_id", [name for name in list_games() if isinstance(get_game(name), HouseGame)])
def test_no_house_game_keeps_a_secret_in_its_state(game_id):
    """Everything on a chain is public, seeds of past heights too: what a view hides, a player could read there."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    if not hasattr(game, "game_type"):
        pytest.skip("not in the catalogue")
    looked = 0
    for number in range(12):
        terms = game.terms(50 if game.opens_with_stake else 0, number % 2 == 1)
        for state in play_out(game, {"ann": "random"}, bytes(32), session_id=number, host=terms).history():
            if state.status == "active":
                shown = msgspec.to_builtins(view_for(game, state, "ann").game)
                assert shown == msgspec.to_builtins(state.game)
                looked += 1
    assert looked >= 12


def test_the_catalogue_has_all_ten_house_games():
    assert len(default_catalogue(trusts_own=True)) == 10
