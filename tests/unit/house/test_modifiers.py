"""Shield and double: what they turn a result into, what they cost, and that their flags never stay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.house import CHIPS_MAX, Modified, Player, PlayerAction, apply_modifiers
from tests.unit.house.playing import HOUR, completed

players = st.builds(
    Player,
    id=st.just("ann"),
    name=st.text(max_size=3),
    chips=st.integers(0, CHIPS_MAX),
    shields=st.integers(0, 3),
    doubles=st.integers(0, 3),
    active_shield=st.booleans(),
    active_double=st.booleans(),
    active_super=st.booleans(),
    registered_at=st.integers(0, 10),
    deposited_at=st.integers(-1, 10),
    sessions_played=st.integers(0, 10),
)
nets = st.one_of(
    st.integers(-CHIPS_MAX, CHIPS_MAX),
    st.sampled_from([-CHIPS_MAX, -1, 0, 1, CHIPS_MAX // 2, CHIPS_MAX // 2 + 1, CHIPS_MAX]),
)


@pytest.mark.parametrize(
    ("armed", "net", "after", "shields", "doubles"),
    [
        ("", -100, -100, 3, 3),
        ("", 100, 100, 3, 3),
        ("shield", -100, 0, 2, 3),
        ("shield", 100, 100, 3, 3),
        ("shield", 0, 0, 3, 3),
        ("double", 100, 200, 3, 2),
        ("double", -100, -100, 3, 3),
        ("double", 0, 0, 3, 3),
        ("shield double", -100, 0, 2, 3),
        ("shield double", 100, 200, 3, 2),
        ("shield double", 0, 0, 3, 3),
        ("double", 2**62 - 1, 2**63 - 2, 3, 2),
        ("double", 2**62, 2**63 - 1, 3, 2),
        ("double", 2**63 - 1, 2**63 - 1, 3, 2),
        ("shield", -(2**63 - 1), 0, 2, 3),
    ],
)
def test_a_modifier_does_what_the_decision_says(armed, net, after, shields, doubles):
    """As docs/house.md says: a loss under a shield is nothing, a profit under a double is doubled up to the bound."""
    player = Player("ann", active_shield="shield" in armed, active_double="double" in armed)
    modified = apply_modifiers(player, net)

    assert modified == Modified(Player("ann", shields=shields, doubles=doubles), after, shields == 2, doubles == 2)


@given(player=players, net=nets)
def test_a_shield_is_spent_on_a_loss_alone_and_a_double_on_a_profit_alone(player, net):
    """The flags are cleared, and nothing else of the player changes."""
    modified = apply_modifiers(player, net)
    shielded = net < 0 and player.active_shield and player.shields > 0
    doubled = net > 0 and player.active_double and player.doubles > 0

    assert (modified.was_shielded, modified.was_doubled) == (shielded, doubled)
    left = {"shields": player.shields - shielded, "doubles": player.doubles - doubled}
    assert modified.player == replace(player, **left, active_shield=False, active_double=False)
    assert modified.net == (0 if shielded else min(net + net, 9223372036854775807) if doubled else net)
    assert modified.net >= net  # no modifier is ever to the player's harm


@given(player=players, net=nets)
def test_a_modifier_works_once_and_an_empty_pool_does_nothing(player, net):
    for unarmed in (replace(player, shields=0, doubles=0), apply_modifiers(player, net).player):
        again = apply_modifiers(unarmed, net)
        assert (again.net, again.was_shielded, again.was_doubled) == (net, False, False)
        assert again.player == replace(unarmed, active_shield=False, active_double=False)


# Reserved by a session.


def test_one_shield_does_not_save_two_sessions(casino, oracle):
    casino.state.put("player/ann", replace(casino.player("ann"), shields=1))
    casino.arm("ann", "shield")
    casino.heads("ann", 1)
    assert casino.refused("ann", PlayerAction("shield"))[1] == "no_shield"  # it is reserved
    casino.heads("ann", 2)
    second = completed(casino.move("ann", 2, "flip", seed=oracle.tails(2, 2)))
    first = completed(casino.move("ann", 1, "flip", seed=oracle.tails(1, 2)))
    assert (first.net, first.was_shielded) == (0, True)
    assert (second.net, second.was_shielded) == (-100, False)
    assert (casino.player("ann").shields, casino.chips("ann")) == (0, 900)


def test_a_session_of_an_older_store_reserved_nothing_and_gives_nothing_back(casino, oracle):
    """It was begun when the pool was asked at its end: a shield that others used meanwhile saves nothing."""
    for session_id, shields in ((1, 2), (2, 0)):
        casino.heads("ann", session_id)
        casino.state.put(f"session/{session_id}", replace(casino.session(session_id), shield=True))
        casino.state.put("player/ann", replace(casino.player("ann"), shields=shields))
        done = completed(casino.move("ann", session_id, "flip", seed=oracle.tails(session_id, 2)))
        assert (done.was_shielded, casino.player("ann").shields) == (shields > 0, max(shields - 1, 0))


steps = st.one_of(
    st.sampled_from(["shield", "double", "start", "abandon"]),
    st.tuples(st.integers(0, 5), st.sampled_from(["wins", "loses", "leaves"])),
)


@settings(max_examples=60)
@given(walk=st.lists(steps, max_size=40))
def test_modifiers_are_reserved_by_one_session_and_come_back_unused(open_casino, oracle, walk):
    """Any order of arming, starting, ending and abandoning, beside a count that is kept by hand.

    What a player has is in the pool, or reserved by one open session, or was used; the chips add up after each step.
    """
    casino = open_casino()
    casino.register("ann")
    pool, armed, chips = {"shield": 3, "double": 3}, set[str](), 1000
    running: dict[int, set[str]] = {}
    for number, step in enumerate(walk, 1):
        if step in ("shield", "double"):
            if step not in armed and not pool[step]:
                assert casino.refused("ann", PlayerAction(step))[1] == f"no_{step}"
            else:
                casino.arm("ann", step)
                armed ^= {step}
        elif step == "start":
            if chips < 10 + 10 * len(running):
                continue
            casino.heads("ann", number, 10)
            running[number] = set(armed)
            pool = {name: left - (name in armed) for name, left in pool.items()}
            armed, chips = set(), chips - 10
        elif running:
            which, how = (
                (next(iter(running)), "loses") if step == "abandon" else ([*running][step[0] % len(running)], step[1])
            )
            held, seed = running.pop(which), (oracle.heads if how == "wins" else oracle.tails)(which, 2)
            if how == "leaves":
                casino.move("ann", which, "clear")
            if step == "abandon" or how == "leaves":
                casino.time += HOUR
                done = completed(casino.close("ann", which, seed=seed))
            else:
                done = completed(casino.move("ann", which, "flip", seed=seed))
            used = {"wins": "double", "loses": "shield"}.get(how) if how != "leaves" else None
            took = used in held
            assert (done.was_shielded, done.was_doubled) == (took and used == "shield", took and used == "double")
            chips += {"wins": 30 if took else 20, "loses": 10 if took else 0, "leaves": 10}[how]
            pool = {name: left + (name in held) - (took and name == used) for name, left in pool.items()}
        player = casino.player("ann")
        assert {"shield": player.shields, "double": player.doubles} == pool
        assert casino.chips("ann") == chips
        assert min(pool.values()) >= 0
