"""Shield and double: what they turn a result into, what they cost, and that their flags never stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.house import CHIPS_MAX, Modified, Player, apply_modifiers

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
    """decisions, section 2: a loss under a shield is nothing, a profit under a double is doubled up to the bound."""
    player = Player("ann", active_shield="shield" in armed, active_double="double" in armed)
    modified = apply_modifiers(player, net)

    assert modified == Modified(Player("ann", shields=shields, doubles=doubles), after, shields == 2, doubles == 2)


@given(player=players, net=nets)
def test_flags_are_always_cleared_and_nothing_else_of_the_player_changes(player, net):
    after = apply_modifiers(player, net).player
    assert not after.active_shield
    assert not after.active_double
    untouched = [name for name in Player.__struct_fields__ if name not in SPENT]
    assert "active_super" in untouched
    assert [getattr(after, name) for name in untouched] == [getattr(player, name) for name in untouched]


SPENT = ("shields", "doubles", "active_shield", "active_double")


@given(player=players, net=nets)
def test_a_shield_is_spent_on_a_loss_alone_and_a_double_on_a_profit_alone(player, net):
    modified = apply_modifiers(player, net)
    spent = (player.shields - modified.player.shields, player.doubles - modified.player.doubles)

    assert spent == (
        int(net < 0 and player.active_shield and player.shields > 0),
        int(net > 0 and player.active_double and player.doubles > 0),
    )
    assert spent == (int(modified.was_shielded), int(modified.was_doubled))


@given(player=players, net=nets)
def test_what_comes_out_is_the_net_nothing_or_twice_the_net_within_the_bound(player, net):
    modified = apply_modifiers(player, net)
    if modified.was_shielded:
        assert modified.net == 0
    elif modified.was_doubled:
        assert modified.net == min(net + net, 9223372036854775807)
    else:
        assert modified.net == net
    assert modified.net >= net  # no modifier is ever to the player's harm


@given(player=players, net=nets)
def test_an_empty_pool_does_nothing(player, net):
    empty = Player("ann", active_shield=player.active_shield, active_double=player.active_double, shields=0, doubles=0)
    modified = apply_modifiers(empty, net)
    assert (modified.net, modified.was_shielded, modified.was_doubled) == (net, False, False)
    assert (modified.player.shields, modified.player.doubles) == (0, 0)


@given(player=players, net=nets)
def test_a_modifier_works_once(player, net):
    once = apply_modifiers(player, net)
    again = apply_modifiers(once.player, net)
    assert (again.net, again.was_shielded, again.was_doubled) == (net, False, False)
    assert again.player == once.player
