"""`apply_block`: what it does with transactions, which refusals it knows, and that it is pure."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.chain.block import CODES, app_hash_of, apply_block
from croupier.chain.errors import BadGenesis, ChainFault
from croupier.chain.genesis import catalogue_of, check_software, default_params, read_params
from croupier.chain.limits import NONCE_WINDOW, TRANSACTIONS_PER_ACCOUNT_MAX, UPGRADE_NOTICE_MIN
from croupier.chain.merkle import events_root
from croupier.chain.state import Account, ChainState
from croupier.chain.transactions import ApproveUpgrade
from croupier.engine import register_game
from croupier.engine.plain import canonical
from croupier.engine.registry import unregister_game
from croupier.games.roulette import Roulette
from croupier.house import (
    CloseSession,
    Deposit,
    GameMove,
    Instruction,
    MemoryState,
    PlayerAction,
    Register,
    StartGame,
    check_ledger,
    execute,
)
from tests.unit.chain.world import CHAIN, World, events_of, reasons, red, seed_at, sender


def test_a_round_of_roulette_by_way_of_the_chain_is_a_round_by_way_of_the_house():
    world, session = World.seated("ann")
    result = world.block(world.tx("ann", red(session, 100)))
    assert result.results[0].data == {"settled_at": result.height + 2}
    assert world.chips("ann") == 1000
    world.block()
    settled = world.block()

    # The house alone, with the seeds that the rule names: sat down in block 2, moved in block 5.
    house, ann = MemoryState(), sender("ann").id
    tables = catalogue_of(default_params())
    steps: list[tuple[Any, bytes, int]] = [
        (Register("player"), bytes(32), 1000),
        (StartGame(6, 0, 1), seed_at(3), 2000),
        (red(1, 100), seed_at(6), 5000),
    ]
    for body, seed, time in steps:
        events = execute(house, Instruction(ann, body), seed, time, tables=tables)
    assert events_of(settled, "GameMoved") == [read(events[0])]
    assert world.chips("ann") == house.get(f"balance/player/{ann}")
    assert world.chips("ann") in (900, 1100)


def read(event):
    return msgspec.json.decode(canonical(event))


def test_the_block_that_is_given_stays_as_it_was():
    world = World()
    world.register("ann", "bob")
    raw, root, ranking = dict(world.state.raw), world.state.root, list(world.state.ranking)
    tx = world.tx("ann", StartGame(6, 0, 0))

    (first, _), (second, _) = world.apply([tx]), world.apply([tx])

    assert first.app_hash == second.app_hash
    assert first.events == second.events
    assert (world.state.raw, world.state.root, world.state.ranking) == (raw, root, ranking)


def test_the_app_hash_is_over_height_state_and_events():
    world = World()
    result = world.block(world.tx("ann", Register("Ann")))

    assert result.state_root == ChainState(world.state.raw).root
    assert result.events_root == events_root(result.events)
    assert result.app_hash == app_hash_of(1, result.state_root, result.events_root)


def test_a_gap_is_refused():
    with pytest.raises(ChainFault, match="does not follow"):
        apply_block(World().state, CHAIN, 2, [], bytes(32), 0)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda world: b"", "malformed"),
        (lambda world: bytes(1000), "too_large"),
        (lambda world: world.tx("ann", Deposit(5), 0), "bad_nonce"),
        (lambda world: world.tx("ann", Deposit(5), 1 + NONCE_WINDOW), "bad_nonce"),
        (lambda world: world.tx("ann", Deposit(5), 2**64 - 1), "bad_nonce"),
        (lambda world: world.tx("ghost", Deposit(5)), "not_registered"),
        (lambda world: world.tx("ann", Deposit(5000)), "refused"),
        (lambda world: world.tx("ann", Register("again")), "refused"),
        (lambda world: world.tx("ann", CloseSession(77)), "refused"),
        (lambda world: world.tx("ann", CloseSession(2**64 - 1)), "refused"),
        (lambda world: world.tx("ann", ApproveUpgrade(50, b"{}")), "not_operator"),
        (lambda world: world.tx("operator 0", ApproveUpgrade(50, b"{}")), "bad_upgrade"),
        (lambda world: world.tx("operator 0", ApproveUpgrade(2, canonical(default_params()))), "bad_upgrade"),
    ],
)
def test_bad_transactions_have_a_code_and_change_nothing_but_a_nonce(make, reason):
    world = World()
    world.register("ann")
    before = dict(world.state.raw)

    result = world.block(make(world))

    assert reasons(result) == [reason]
    assert result.results[0].code == CODES[reason] != 0
    changed = {key for key in world.state.raw if world.state.raw[key] != before.get(key)}
    assert changed <= {f"account/{sender('ann').id}", f"account/{sender('operator 0').id}"}


def test_a_replayed_transaction_is_refused_in_the_same_block_and_later():
    world = World()
    world.register("ann")
    arm = world.tx("ann", PlayerAction("shield"))

    assert reasons(world.block(arm, arm)) == ["ok", "bad_nonce"]
    assert reasons(world.block(arm)) == ["bad_nonce"]
    assert world.state.get(f"player/{sender('ann').id}").active_shield


def test_nonces_may_come_out_of_order_within_the_window():
    account = Account()
    for nonce in (2, 0, NONCE_WINDOW, 1):
        taken = account.with_nonce(nonce)
        assert (taken is None) == (nonce == 0 and account.next > 0)
        account = taken or account
    assert account.next == 3
    assert account.with_nonce(NONCE_WINDOW) is None
    assert all(account.with_nonce(nonce) is None for nonce in (0, 1, 2, 3 + NONCE_WINDOW))


def test_an_account_has_so_many_transactions_in_a_block():
    world = World()
    world.register("ann")
    txs = [world.tx("ann", PlayerAction("shield")) for _ in range(TRANSACTIONS_PER_ACCOUNT_MAX + 1)]

    assert reasons(world.block(*txs)) == ["ok"] * TRANSACTIONS_PER_ACCOUNT_MAX + ["too_many"]


def test_a_move_of_another_s_session_is_refused_when_it_is_settled():
    world, session = World.seated("ann", "bob")
    moved, settled = world.settle(world.tx("bob", red(session)))

    assert reasons(moved) == ["ok"]
    assert [event["reason"] for event in events_of(settled, "CasinoError")] == ["session_not_owned"]
    assert world.chips("bob") == 1000


def test_an_abandoned_session_is_closed_for_its_player_with_a_seed_of_its_own():
    world, session = World.seated("ann", "bob", table=1, stake=10)
    assert reasons(world.block(world.tx("bob", CloseSession(session)))) == ["refused"]
    hour = 3_600_000
    asked = world.block(world.tx("bob", CloseSession(session)), time=2 * hour)
    assert reasons(asked) == ["ok"]
    # It is Ann's account that waits now, and Bob's that does not.
    both = world.block(world.tx("ann", Deposit(5)), world.tx("bob", Deposit(5)), time=2 * hour)
    assert reasons(both) == ["pending", "ok"]
    settled = world.block(time=2 * hour)

    assert [event["session_id"] for event in events_of(settled, "GameCompleted")] == [session]
    assert world.total() == 0


def test_chips_are_conserved_and_the_movements_make_the_balances():
    world = World()
    world.register(*range(6))
    sessions = {name: world.sit(name) for name in range(6)}
    _, settled = world.settle(*(world.tx(name, red(session, 7)) for name, session in sessions.items()))
    # Every movement since the beginning is an event of some block; here those of the settlement alone.
    moved: dict[str, int] = {}
    for event in events_of(settled):
        if "source" in event:
            moved[event["source"]] = moved.get(event["source"], 0) - event["amount"]
            moved[event["target"]] = moved.get(event["target"], 0) + event["amount"]

    assert sum(moved.values()) == 0
    assert {name: world.chips(name) - 1000 for name in range(6)} == {
        name: moved[f"player/{sender(name).id}"] for name in range(6)
    }
    assert world.total() == 0


def test_the_ranking_is_that_of_the_balances():
    world = World()
    world.register(*range(14))
    for name in range(14):
        world.block(world.tx(name, Deposit(1 + name * 37 % 20)))

    expected = sorted((-world.chips(name), f"player/{sender(name).id}") for name in range(14))
    assert world.state.ranking == expected
    assert ChainState(world.state.raw).ranking == expected
    _, block = world.apply([world.tx(name, Deposit(5)) for name in (13, 3)], 90_000_000)  # a day later
    held = sorted((-block.get(f"balance/{name}"), name) for _, name in expected)
    assert block.richest(12) == [(name, -chips) for chips, name in held[:12]] != [(n, -c) for c, n in expected[:12]]
    board = tuple((name.removeprefix("player/"), -chips) for chips, name in expected[:10])
    assert world.state.get("leaderboard") == board


# Upgrades.


def changed_params():
    params = default_params()
    tables = tuple(replace(table, stake_max=20) if table.id == 6 else table for table in params.tables)
    return replace(params, tables=tables)


def approve(world, operators, height, params):
    return world.block(*(world.tx(f"operator {i}", ApproveUpgrade(height, canonical(params))) for i in operators))


def test_constants_change_at_the_height_a_quorum_named_and_not_before():
    world, session = World.seated("ann")
    height = world.state.height + 1 + UPGRADE_NOTICE_MIN
    assert reasons(approve(world, [0], height, changed_params())) == ["ok"]
    assert world.state.get("upgrade") is None
    assert reasons(approve(world, [1], height - 1, changed_params())) == ["bad_upgrade"]
    late = height + 5
    approve(world, [0, 2], late, changed_params())
    assert world.state.get("upgrade").height == late
    while world.state.height < late - 3:
        world.block()
    # Settled before the change, under the old limit of the table.
    assert reasons(world.block(world.tx("ann", red(session, 100)))) == ["upgrade_near"]
    world.block()
    assert world.state.get("params") == default_params()
    changed = world.block()
    assert changed.height == late
    assert events_of(changed, "Upgraded")
    assert world.state.get("params") == changed_params()
    _, settled = world.settle(world.tx("ann", red(session, 100)))
    assert [event["reason"] for event in events_of(settled, "CasinoError")] == ["over_limit"]


def test_nothing_is_pending_when_constants_change():
    world, session = World.seated("ann")
    height = world.state.height + 2 + UPGRADE_NOTICE_MIN
    approve(world, [0, 1], height, changed_params())
    while world.state.height < height - 4:
        world.block()
    assert reasons(world.settle(world.tx("ann", red(session, 100)))[0]) == ["ok"]  # block height - 3
    assert world.state.get("pending/0") == world.state.get("pending/1") == ()


def test_software_that_differs_from_the_constants_stops():
    params = default_params()
    check_software(params)
    for other in (
        replace(params, super_fee_percent=19),
        replace(params, rules_versions={**params.rules_versions, "roulette": 99}),
        replace(params, chips_at_first=1),
    ):
        with pytest.raises(ChainFault, match="install the release"):
            check_software(other)


def test_constants_are_read_in_their_canonical_form_alone():
    data = canonical(default_params())
    assert read_params(data) == default_params()
    for broken in (data + b" ", data.replace(b'"tables":[', b'"tables":[ '), b"{}", data[:-1]):
        with pytest.raises(BadGenesis):
            read_params(broken)


def test_no_operator_s_approval_is_counted_twice():
    world = World()
    height = UPGRADE_NOTICE_MIN + 5
    for _ in range(3):
        assert reasons(approve(world, [0], height, changed_params())) == ["ok"]
    assert world.state.get("upgrade") is None


def test_an_upgrade_is_judged_alike_whatever_games_a_validator_has_installed():
    class Other(Roulette):
        id = "other"

    tables = tuple(replace(table, id=60, game_id="other") for table in default_params().tables if table.id == 6)
    params = replace(default_params(), tables=tables)
    without = approve(World(), [0], UPGRADE_NOTICE_MIN + 5, params)
    register_game(Other())
    having = approve(World(), [0], UPGRADE_NOTICE_MIN + 5, params)
    unregister_game("other")
    assert without == having
    assert reasons(having) == ["ok"]


def test_a_state_from_its_bytes_goes_on_like_the_one_in_memory():
    world, session = World.seated("ann", table=1, stake=10)
    copy = World(ChainState(world.state.raw, height=world.state.height, app_hash=world.state.app_hash))
    deal = GameMove(session, bytes.fromhex("0104"))
    tx = world.tx("ann", deal)
    for _ in range(4):
        first, second = world.block(tx), copy.block(tx)
        assert first.app_hash == second.app_hash


def test_the_house_s_ledger_check_holds_over_a_chain():
    world, _ = World.seated("ann", table=1, stake=10)
    values = {key: world.state.get(key) for key in world.state.raw if key.startswith("balance/")}
    state = MemoryState({**values, "ledger/accounts": tuple(key.partition("/")[2] for key in values)})

    check_ledger(state)
