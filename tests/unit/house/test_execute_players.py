"""Instructions about players: joining, chips, modifiers, several at once, and the board of leaders."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest

from croupier.engine import act
from croupier.house import (
    CHIPS_MAX,
    CloseSession,
    Deposit,
    GameMove,
    Instruction,
    MemoryState,
    Player,
    PlayerAction,
    Register,
    StartGame,
    Together,
    execute,
)
from croupier.house.instructions import Deposited, LeaderboardUpdated, ModifierToggled, PlayerRegistered

DAY = 86_400_000
COOLDOWN = 300_000


# Several at once.


def test_several_instructions_are_carried_out_together_or_not_at_all(casino):
    first = (Register("Ann"), Deposit(10))
    assert [type(event).__name__ for event in casino.ok("ann", Together(first))][::2] == [
        "PlayerRegistered",
        "Deposited",
    ]
    assert casino.chips("ann") == 1010
    error = casino.refused("ann", Together((StartGame(casino.COIN, 0, 1), GameMove(1, b"nonsense"))))
    assert (error.error_code, error.reason) == (16, "invalid_payload")
    assert casino.state.get("session/1") is None


# Who may ask for what.


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (Deposit(10), 2),
        (PlayerAction("shield"), 2),
        (PlayerAction("bogus"), 2),  # type: ignore[arg-type]
        (StartGame(0, 0, 1), 2),
        (StartGame(99, -1, -1), 2),
        (GameMove(1, b"\x01\x01"), 6),
        (CloseSession(1), 6),
    ],
)
def test_a_stranger_is_told_so(casino, body, code):
    error = casino.refused("eve", body)
    assert error.error_code == code
    assert error.session_id == getattr(body, "session_id", None)


@pytest.mark.parametrize("body", [None, 5, "register", b"", {"type": "Register"}, Instruction("ann", Register())])
def test_a_value_that_is_no_instruction_is_refused(casino, body):
    casino.register("ann")
    error = casino.refused("ann", body)
    assert (error.error_code, error.reason) == (16, "bad_instruction")


def test_instructions_go_to_json_and_back():
    for body in (
        Register("Ann"),
        Deposit(5),
        StartGame(65535, 2**63 - 1, 2**64 - 1),
        GameMove(7, bytes(range(256))),
        PlayerAction("super"),
        CloseSession(0),
        GameMove(7, act("place", bet="heads", stake=5)),
        Together((StartGame(1, 0, 7), GameMove(7, b"\x01\x01"))),
    ):
        instruction = Instruction("ann", body)
        assert msgspec.json.decode(msgspec.json.encode(instruction), type=Instruction) == instruction


# Registering.


def test_a_new_player_gets_a_thousand_chips_three_shields_and_three_doubles(casino):
    """As docs/house.md says."""
    assert casino.do("ann", Register("Ann")) == (PlayerRegistered("ann", "Ann"), LeaderboardUpdated((("ann", 1000),)))
    assert casino.chips("ann") == 1000
    assert casino.balance("deposits") == -1000
    assert casino.player("ann") == Player("ann", "Ann", shields=3, doubles=3, registered_at=casino.time)


def test_nobody_registers_twice_for_a_second_gift(casino):
    casino.register("ann")
    error = casino.refused("ann", Register("Again"))
    assert (error.error_code, error.reason) == (1, "already_registered")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=1000)
    assert casino.chips("ann") == 0
    assert casino.refused("ann", Register()).error_code == 1


@pytest.mark.parametrize("name", ["", "x", "x" * 32, "é" * 16, "名" * 10])
def test_a_name_of_up_to_32_bytes_is_taken(casino, name):
    assert casino.ok("ann", Register(name))[0] == PlayerRegistered("ann", name)


@pytest.mark.parametrize("name", ["x" * 33, "é" * 17, "x" * 10**6, None, 5, b"Ann", "\ud800", "Ann\udfff"])
def test_a_name_that_is_too_long_or_no_text_is_refused(casino, name):
    """A lone surrogate cannot be written down: it would break the first host that stores or sends the event."""
    error = casino.refused("ann", Register(name))
    assert (error.error_code, error.reason) == (16, "bad_name")


@pytest.mark.parametrize("player", ["", " ", " ann", "ann ", "a\nb", "\x00", "x" * 65, "\u202eann", "\ud800"])
def test_an_id_that_is_empty_long_or_invisible_cannot_register(casino, player):
    error = casino.refused(player, Register("Ann"))
    assert (error.error_code, error.reason) == (16, "bad_player")


def test_ids_that_look_like_accounts_are_players_like_all_others(casino):
    """Nobody reaches the house's account by taking its name."""
    names = ("house", "open", "deposits", "player/ann", "ann", "balance/house", "../house", "session/ann")
    casino.register(*names)
    assert [casino.chips(name) for name in names] == [1000] * len(names)
    assert (casino.balance("house"), casino.balance("open"), casino.balance("deposits")) == (0, 0, -8000)
    casino.start("house", 1, casino.COIN)
    casino.move("house", 1, "place", bet="heads", stake=100)
    assert (casino.chips("house"), casino.balance("open"), casino.balance("house")) == (900, 100, 0)


# Deposits.


@pytest.mark.parametrize("amount", [1, 2, 999, 1000])
def test_a_deposit_of_up_to_a_thousand_is_handed_out(casino, amount):
    casino.register("ann")
    events = casino.ok("ann", Deposit(amount))
    assert events == (Deposited("ann", amount, 1000 + amount), LeaderboardUpdated((("ann", 1000 + amount),)))
    assert casino.balance("deposits") == -1000 - amount


@pytest.mark.parametrize("amount", [0, -1, -1000, 1001, CHIPS_MAX, 2**64, True, 1.0, "1", None])
def test_any_other_deposit_is_refused(casino, amount):
    casino.register("ann")
    error = casino.refused("ann", Deposit(amount))
    assert (error.error_code, error.reason) == (4, "bad_amount")


def test_there_is_one_deposit_a_day_and_a_pause_over_midnight(casino):
    casino.register("ann", "bob")
    midnight = casino.time // DAY * DAY + DAY
    casino.time = midnight - COOLDOWN + 1
    casino.ok("ann", Deposit(10))
    for later in (0, 1, COOLDOWN - 2, COOLDOWN - 1):
        casino.time = midnight - COOLDOWN + 1 + later
        error = casino.refused("ann", Deposit(10))
        assert (error.error_code, error.reason) == (10, "deposit_too_soon")
    casino.ok("bob", Deposit(10))  # each has their own day
    casino.time = midnight + 1  # the pause is over, and it is another day
    casino.ok("ann", Deposit(10))
    for later in (COOLDOWN, DAY - 2):
        casino.time = midnight + 1 + later
        assert casino.refused("ann", Deposit(10)).error_code == 10
    casino.time = midnight + DAY
    casino.ok("ann", Deposit(10))
    assert casino.chips("ann") == 1030


def test_a_refused_deposit_does_not_start_the_pause(casino):
    casino.register("ann")
    casino.refused("ann", Deposit(1001))
    casino.ok("ann", Deposit(1000))


def test_the_first_moment_counts_as_a_deposit_too(casino):
    """Time 0 is a time like any other: a deposit then counts."""
    casino.time = 0
    casino.register("ann")
    casino.ok("ann", Deposit(10))
    assert casino.refused("ann", Deposit(10)).error_code == 10


def test_a_clock_that_goes_back_brings_no_deposit(casino):
    casino.register("ann")
    casino.ok("ann", Deposit(10))
    casino.time -= 3 * DAY
    assert casino.refused("ann", Deposit(10)).error_code == 10


def test_nobody_can_deposit_beyond_the_chip_bound(casino):
    casino.register("ann")
    casino.give("ann", CHIPS_MAX - 1000 - 10)
    error = casino.refused("ann", Deposit(11))
    assert error.error_code == 4
    assert casino.ok("ann", Deposit(10))[0].chips == CHIPS_MAX


def test_chips_are_kept_in_the_ledger_and_nowhere_else(casino):
    """Two places for one number would one day disagree."""
    casino.register("ann")
    casino.ok("ann", Deposit(10))
    assert (casino.player("ann").chips, casino.chips("ann")) == (0, 1010)


# Arming.


def test_each_modifier_is_armed_and_disarmed_by_the_same_instruction(casino):
    casino.register("ann")
    assert casino.ok("ann", PlayerAction("shield")) == (ModifierToggled("ann", True, False, False),)
    assert casino.ok("ann", PlayerAction("double")) == (ModifierToggled("ann", True, True, False),)
    assert casino.ok("ann", PlayerAction("super")) == (ModifierToggled("ann", True, True, True),)
    assert casino.ok("ann", PlayerAction("shield")) == (ModifierToggled("ann", False, True, True),)
    assert casino.ok("ann", PlayerAction("double")) == (ModifierToggled("ann", False, False, True),)
    assert casino.ok("ann", PlayerAction("super")) == (ModifierToggled("ann", False, False, False),)
    assert (casino.player("ann").shields, casino.player("ann").doubles) == (3, 3)


@pytest.mark.parametrize("modifier", ["", "Shield", "shields", None, 0, b"shield", ["shield"]])
def test_there_is_no_other_modifier(casino, modifier):
    casino.register("ann")
    error = casino.refused("ann", PlayerAction(modifier))
    assert (error.error_code, error.reason) == (16, "bad_instruction")


@pytest.mark.parametrize(("modifier", "pool"), [("shield", "shields"), ("double", "doubles")])
def test_a_used_up_modifier_cannot_be_armed_but_an_armed_one_can_be_disarmed(casino, modifier, pool):
    casino.register("ann")
    player = casino.player("ann")
    casino.state.put("player/ann", msgspec.structs.replace(player, **{pool: 0}))
    error = casino.refused("ann", PlayerAction(modifier))
    assert (error.error_code, error.reason) == (9, f"no_{modifier}")
    casino.state.put("player/ann", msgspec.structs.replace(player, **{pool: 0, f"active_{modifier}": True}))
    assert casino.ok("ann", PlayerAction(modifier)) == (ModifierToggled("ann", False, False, False),)


# The leaders.


def board(casino):
    return casino.state.get("leaderboard")


def test_leaders_are_sorted_by_chips_and_equal_ones_by_id(casino):
    casino.register("cat", "ann", "bob")
    assert board(casino) == (("ann", 1000), ("bob", 1000), ("cat", 1000))
    casino.ok("bob", Deposit(1))
    casino.ok("cat", Deposit(2))
    assert board(casino) == (("cat", 1002), ("bob", 1001), ("ann", 1000))
    casino.ok("ann", Deposit(1))
    assert board(casino) == (("cat", 1002), ("ann", 1001), ("bob", 1001))


def test_ten_lead_and_an_unchanged_board_is_not_announced(casino):
    names = [f"p{number:02}" for number in range(12)]
    for number, name in enumerate(names):
        events = casino.do(name, Register())
        assert any(isinstance(event, LeaderboardUpdated) for event in events) == (number < 10)
    assert board(casino) == tuple((name, 1000) for name in names[:10])
    casino.ok("p11", Deposit(1))
    assert board(casino) == (("p11", 1001), *((name, 1000) for name in names[:9]))
    casino.start("p11", 1, casino.COIN)
    assert not any(isinstance(event, LeaderboardUpdated) for event in casino.start("p11", 2, casino.COIN))


def test_the_board_always_holds_the_ten_with_the_most_chips(casino):
    """Whoever loses their chips makes room for the eleventh."""
    names = [f"p{number:02}" for number in range(11)]
    casino.register(*names)
    casino.start("p00", 1, casino.COIN)
    casino.move("p00", 1, "place", bet="heads", stake=1000)

    assert board(casino) == tuple((name, 1000) for name in names[1:])


def test_the_board_agrees_with_the_ledger_after_someone_else_closes_a_session(casino, oracle):
    casino.register("ann", "bob")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    casino.time += 3_600_000
    casino.ok("bob", CloseSession(1), seed=oracle.heads(1, 2))

    assert casino.chips("ann") == 1100
    assert board(casino) == (("ann", 1100), ("bob", 1000))


def test_a_stranger_who_closes_a_session_does_not_get_on_the_board(casino):
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    casino.time += 3_600_000
    casino.do("eve", CloseSession(1))

    assert [name for name, _ in board(casino)] == ["ann"]
    assert casino.state.get("player/eve") is None


# All by itself.


def test_nothing_but_its_arguments_decides_what_happens(tables):
    def run():
        state = MemoryState()
        bodies: list[Any] = [Register("Ann"), PlayerAction("super"), StartGame(2, 10, 5), GameMove(5, b"\x01\x00")]
        events = [
            execute(state, Instruction("ann", body), sha256(bytes((number,))).digest(), 10**12, tables=tables)
            for number, body in enumerate(bodies)
        ]
        return state.values, events

    assert run() == run()
