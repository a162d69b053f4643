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
from tests.unit.house.playing import HOUR

DAY = 86_400_000
COOLDOWN = 300_000


def test_several_instructions_are_carried_out_together_or_not_at_all(empty_casino):
    events = empty_casino.ok("ann", Together((Register("Ann"), Deposit(10))))
    assert [type(event) for event in events][::2] == [PlayerRegistered, Deposited]
    assert empty_casino.chips("ann") == 1010
    both = Together((StartGame(empty_casino.COIN, 0, 1), GameMove(1, b"nonsense")))
    assert empty_casino.refused("ann", both) == (16, "invalid_payload")
    assert empty_casino.state.get("session/1") is None


@pytest.mark.parametrize(
    "body",
    [
        Deposit(10),
        PlayerAction("shield"),
        PlayerAction("bogus"),  # type: ignore[arg-type]
        StartGame(0, 0, 1),
        StartGame(99, -1, -1),
        GameMove(1, b"\x01\x01"),
        CloseSession(1),
    ],
)
def test_an_unregistered_player_is_refused(casino, body):
    of_a_session = isinstance(body, GameMove | CloseSession)
    assert casino.refused("eve", body) == ((6, "session_not_found") if of_a_session else (2, "player_not_found"))


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


BAD_AMOUNT, TOO_SOON = (4, "bad_amount"), (10, "deposit_too_soon")
BAD_INSTRUCTION, BAD_NAME = (16, "bad_instruction"), (16, "bad_name")


@pytest.mark.parametrize(
    ("bodies", "refused"),
    [
        ([None, 5, "register", b"", {"type": "Register"}, Instruction("ann", Register())], BAD_INSTRUCTION),
        ([*map(PlayerAction, ["", "Shield", "shields", None, 0, b"shield", ["shield"]])], BAD_INSTRUCTION),  # type: ignore[arg-type]
        ([*map(Deposit, [0, -1, -1000, 1001, CHIPS_MAX, 2**64, True, 1.0, "1", None])], BAD_AMOUNT),  # type: ignore[arg-type]
    ],
    ids=["no instruction", "no modifier", "no amount"],
)
def test_a_value_that_cannot_be_is_refused(casino, bodies, refused):
    for body in bodies:
        assert casino.refused("ann", body) == refused, body


# Registering.


def test_a_new_player_gets_a_thousand_chips_three_shields_and_three_doubles(empty_casino):
    """As docs/house.md says."""
    events = empty_casino.do("ann", Register("Ann"))
    assert events == (PlayerRegistered("ann", "Ann"), LeaderboardUpdated((("ann", 1000),)))
    assert (empty_casino.chips("ann"), empty_casino.balance("deposits")) == (1000, -1000)
    assert empty_casino.player("ann") == Player("ann", "Ann", shields=3, doubles=3, registered_at=empty_casino.time)


def test_nobody_registers_twice_for_a_second_gift(casino):
    assert casino.refused("ann", Register("Again")) == (1, "already_registered")
    casino.heads(stake=1000)
    assert casino.chips("ann") == 0
    assert casino.refused("ann", Register()) == (1, "already_registered")


@pytest.mark.parametrize("name", ["", "x", "x" * 32, "é" * 16, "名" * 10])
def test_a_name_of_up_to_32_bytes_is_taken(casino, name):
    assert casino.ok("eve", Register(name))[0] == PlayerRegistered("eve", name)


@pytest.mark.parametrize("name", ["x" * 33, "é" * 17, "x" * 10**6, None, 5, b"Ann", "\ud800", "Ann\udfff"])
def test_a_name_that_is_too_long_or_no_text_is_refused(casino, name):
    """A lone surrogate cannot be written down: it would break the first host that stores or sends the event."""
    assert casino.refused("eve", Register(name)) == BAD_NAME


@pytest.mark.parametrize("player", ["", " ", " ann", "ann ", "a\nb", "\x00", "x" * 65, "\u202eann", "\ud800"])
def test_an_id_that_is_empty_long_or_invisible_cannot_register(casino, player):
    assert casino.refused(player, Register("Ann")) == (16, "bad_player")


def test_ids_that_look_like_accounts_are_players_like_all_others(empty_casino):
    """Nobody reaches the house's account by taking its name."""
    casino = empty_casino
    names = ("house", "open", "deposits", "player/ann", "ann", "balance/house", "../house", "session/ann")
    casino.register(*names)
    assert [casino.chips(name) for name in names] == [1000] * len(names)
    assert (casino.balance("house"), casino.balance("open"), casino.balance("deposits")) == (0, 0, -8000)
    casino.heads("house")
    assert (casino.chips("house"), casino.balance("open"), casino.balance("house")) == (900, 100, 0)


# Deposits.


@pytest.mark.parametrize("amount", [1, 2, 999, 1000])
def test_a_deposit_of_up_to_a_thousand_is_handed_out(casino, amount):
    """The chips are kept in the ledger and nowhere else: two places for one number would one day disagree."""
    board = LeaderboardUpdated((("ann", 1000 + amount), ("bob", 1000)))
    assert casino.ok("ann", Deposit(amount)) == (Deposited("ann", amount, 1000 + amount), board)
    assert casino.balance("deposits") == -2000 - amount
    assert (casino.player("ann").chips, casino.chips("ann")) == (0, 1000 + amount)


def test_there_is_one_deposit_a_day_and_a_pause_over_midnight(casino):
    midnight = casino.time // DAY * DAY + DAY
    casino.time = midnight - COOLDOWN + 1
    casino.ok("ann", Deposit(10))
    for later in (0, 1, COOLDOWN - 2, COOLDOWN - 1):
        casino.time = midnight - COOLDOWN + 1 + later
        assert casino.refused("ann", Deposit(10)) == TOO_SOON
    casino.ok("bob", Deposit(10))  # each has their own day
    casino.time = midnight + 1  # the pause is over, and it is another day
    casino.ok("ann", Deposit(10))
    for later in (COOLDOWN, DAY - 2):
        casino.time = midnight + 1 + later
        assert casino.refused("ann", Deposit(10)) == TOO_SOON
    casino.time = midnight + DAY
    casino.ok("ann", Deposit(10))
    assert casino.chips("ann") == 1030


def test_a_refused_deposit_does_not_start_the_pause(casino):
    casino.refused("ann", Deposit(1001))
    casino.ok("ann", Deposit(1000))


@pytest.mark.parametrize(("first", "then"), [(0, 0), (3 * DAY, 0)], ids=["at time 0", "a clock that goes back"])
def test_the_time_of_a_deposit_counts_whatever_it_is(casino, first, then):
    """Time 0 is a time like any other, and a clock that goes back brings no deposit."""
    casino.time = first
    casino.ok("ann", Deposit(10))
    casino.time = then
    assert casino.refused("ann", Deposit(10)) == TOO_SOON


def test_nobody_can_deposit_beyond_the_chip_bound(casino):
    casino.give("ann", CHIPS_MAX - 1000 - 10)
    assert casino.refused("ann", Deposit(11)) == BAD_AMOUNT
    assert casino.ok("ann", Deposit(10))[0].chips == CHIPS_MAX


# Arming.


def test_each_modifier_is_armed_and_disarmed_by_the_same_instruction(casino):
    armed = {"shield": False, "double": False, "super": False}
    for modifier in ("shield", "double", "super", "shield", "double", "super"):
        armed[modifier] = not armed[modifier]
        assert casino.ok("ann", PlayerAction(modifier)) == (ModifierToggled("ann", **armed),)
    assert (casino.player("ann").shields, casino.player("ann").doubles) == (3, 3)


@pytest.mark.parametrize(("modifier", "pool"), [("shield", "shields"), ("double", "doubles")])
def test_a_used_up_modifier_cannot_be_armed_but_an_armed_one_can_be_disarmed(casino, modifier, pool):
    player = casino.player("ann")
    casino.state.put("player/ann", msgspec.structs.replace(player, **{pool: 0}))
    assert casino.refused("ann", PlayerAction(modifier)) == (9, f"no_{modifier}")
    casino.state.put("player/ann", msgspec.structs.replace(player, **{pool: 0, f"active_{modifier}": True}))
    assert casino.ok("ann", PlayerAction(modifier)) == (ModifierToggled("ann", False, False, False),)


# The leaders.


def board(casino):
    return casino.state.get("leaderboard")


def test_leaders_are_sorted_by_chips_and_equal_ones_by_id(empty_casino):
    casino = empty_casino
    casino.register("cat", "ann", "bob")
    assert board(casino) == (("ann", 1000), ("bob", 1000), ("cat", 1000))
    casino.ok("bob", Deposit(1))
    casino.ok("cat", Deposit(2))
    assert board(casino) == (("cat", 1002), ("bob", 1001), ("ann", 1000))
    casino.ok("ann", Deposit(1))
    assert board(casino) == (("cat", 1002), ("ann", 1001), ("bob", 1001))


def test_ten_lead_and_an_unchanged_board_is_not_announced(empty_casino):
    """Whoever loses their chips makes room for the next."""
    casino, names = empty_casino, [f"p{number:02}" for number in range(12)]
    for number, name in enumerate(names):
        events = casino.do(name, Register())
        assert any(isinstance(event, LeaderboardUpdated) for event in events) == (number < 10)
    assert board(casino) == tuple((name, 1000) for name in names[:10])
    casino.ok("p11", Deposit(1))
    assert board(casino) == (("p11", 1001), *((name, 1000) for name in names[:9]))
    casino.start("p11", 1, casino.COIN)
    assert not any(isinstance(event, LeaderboardUpdated) for event in casino.start("p11", 2, casino.COIN))
    casino.heads("p00", 3, 1000)
    assert board(casino) == (("p11", 1001), *((name, 1000) for name in names[1:10]))


def test_a_stranger_who_closes_a_session_does_not_get_on_the_board(casino):
    casino.start("ann", 1, casino.COIN)
    casino.time += HOUR
    casino.close("eve", 1)

    assert [name for name, _ in board(casino)] == ["ann", "bob"]
    assert casino.state.get("player/eve") is None


def test_events_and_state_depend_on_the_arguments_alone(tables):
    def run():
        state = MemoryState()
        bodies: list[Any] = [Register("Ann"), PlayerAction("super"), StartGame(2, 10, 5), GameMove(5, b"\x01\x00")]
        events = [
            execute(state, Instruction("ann", body), sha256(bytes((number,))).digest(), 10**12, tables=tables)
            for number, body in enumerate(bodies)
        ]
        return state.values, events

    assert run() == run()
