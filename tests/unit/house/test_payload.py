"""Payload bytes: one way to write each action, and nothing else is read."""

from random import Random
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from croupier.engine import Action, act, action
from croupier.errors import BadGame
from croupier.house import (
    CHIPS_MAX,
    BetCodes,
    ErrorKind,
    GameError,
    GameMove,
    GameType,
    HouseTurn,
    bet_type,
    decode_payload,
    encode_payload,
    process_game_move,
    settle,
)
from tests.unit.house.playing import after, begun, error_of
from tests.unit.house.probes import Blank, Probe

PLAYED = ("coin", "wheel", "card", "war", "ladder", "forms", "rogue", "endless")

# name of the probe, action, its bytes after version and opcode worked out by hand
VECTORS = [
    ("coin", act("place", bet="heads", stake=1), "0100 00 0000000000000001"),
    ("coin", act("place", bet="tails", stake=CHIPS_MAX), "0100 01 7fffffffffffffff"),
    ("coin", act("flip"), "0101"),
    ("coin", act("clear"), "0102"),
    ("wheel", act("place", bet="number:7", stake=258), "0100 0207 0000000000000102"),
    ("wheel", act("place", bet="odd", stake=1), "0100 0100 0000000000000001"),
    (
        "wheel",
        act("batch", bets=[{"bet": "even", "stake": 5}, {"bet": "number:9", "stake": 65536}]),
        "0104 02 0000 0000000000000005 0209 0000000000010000",
    ),
    ("ladder", act("climb", rungs=3, stake=16), "0100 03 0000000000000010"),
    (
        "forms",
        act("numbers", one=255, two=256, two_full=65535, four=65536, four_full=2**32 - 1, eight=2**32, stake=1),
        "0100 ff 0100 ffff 00010000 ffffffff 0000000100000000 0000000000000001",
    ),
    (
        "forms",
        act("numbers", one=0, two=0, two_full=0, four=0, four_full=0, eight=0, stake=1),
        "0100 00 0000 0000 00000000 00000000 0000000000000000 0000000000000001",
    ),
    ("forms", act("words", yes=True, face=3, side="tails", bet="even"), "0101 01 03 01 0000"),
    ("forms", act("words", yes=False, face=1, side="heads", bet="number:9"), "0101 00 01 00 0209"),
    ("forms", act("lists", pairs=[], bytes_=[], last=9), "0107 00 00 09"),
    (
        "forms",
        act("lists", pairs=[{"number": 258, "side": "tails"}, {"number": 0, "side": "heads"}], bytes_=[1, 2], last=3),
        "0107 02 010201 000000 02 01 02 03",
    ),
    ("forms", act("nothing"), "01fe"),
    ("forms", act("hold", mask=31), "01ff 1f"),
    ("rogue", act("forge"), "0101"),
]
IDS = [f"{game}-{number}" for number, (game, _, _) in enumerate(VECTORS)]


def problem(game, data):
    """Return the sentence of the GameError that bytes give, or nothing if they are an action."""
    try:
        decode_payload(game, data)
    except GameError as error:
        found = error
    else:
        return ""
    assert found.kind is ErrorKind.INVALID_PAYLOAD
    assert found.kind.value == 16
    assert str(found)
    return str(found)


@pytest.mark.parametrize(("name", "action", "text"), VECTORS, ids=IDS)
def test_an_action_has_these_bytes_and_no_others_longer_or_shorter(probes, name, action, text):
    game = getattr(probes, name)
    data = bytes.fromhex(text)
    assert encode_payload(game, action) == data
    assert decode_payload(game, data) == action
    for length in range(len(data)):
        assert problem(game, data[:length]), data[:length].hex()
    for tail in (b"\x00", b"\x01", b"\xff", b"\x00\x00", data, bytes(8)):
        assert problem(game, data + tail), (data + tail).hex()


def test_a_version_is_never_unknown_or_left_out(probes):
    for version in (0, 2, 3, 16, 127, 128, 255):
        assert "version" in problem(probes.coin, bytes((version, 1)))
    for data in (b"", b"\x00", b"\x01", b"\x02", b"\x00\x00" + (1).to_bytes(8, "big")):
        assert problem(probes.coin, data), data


def test_every_opcode_and_code_that_is_no_action_or_bet_is_refused(probes):
    stake = (5).to_bytes(8, "big")
    tails = {0: b"\x00" + stake}
    opcodes = [code for code in range(256) if not problem(probes.coin, bytes((1, code)) + tails.get(code, b""))]
    assert opcodes == [0, 1, 2]
    assert [kind for kind in range(256) if not problem(probes.coin, bytes((1, 0, kind)) + stake)] == [0, 1]
    every = ((kind, number) for kind in range(256) for number in range(256))
    wheel = {code for code in every if not problem(probes.wheel, bytes((1, 0, *code)) + stake)}
    assert wheel == {(0, 0), (1, 0)} | {(2, number) for number in range(10)}


def test_yes_or_no_is_one_or_nothing_and_no_other_byte(probes):
    taken = [yes for yes in range(256) if not problem(probes.forms, bytes((1, 1, yes, 3, 0, 0, 0)))]
    assert taken == [0, 1]


def test_a_payload_has_at_most_256_bytes(probes):
    def lists(count):
        return bytes.fromhex("010700") + bytes((count,)) + bytes(count) + b"\x00"

    assert not problem(probes.forms, lists(251))
    assert len(lists(251)) == 256
    assert problem(probes.forms, lists(252))
    assert problem(probes.coin, b"\x01\x01" + bytes(10**6))


# Bytes of the right shape may still name a value that the action does not take.


def fresh(probes, name):
    game = getattr(probes, name)
    return begun(game, 10 if game.opens_with_stake else 0)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("coin", "0100 00 0000000000000000"),  # no stake
        ("coin", "0100 00 8000000000000000"),  # 2**63
        ("coin", "0100 00 ffffffffffffffff"),
        ("ladder", "0100 00 0000000000000001"),  # no rung
        ("ladder", "0100 04 0000000000000001"),
        ("ladder", "0100 ff 0000000000000001"),
        ("forms", "0100 00 0101 0000 00000000 00000000 0000000000000000 0000000000000001"),  # 257
        ("forms", "0100 00 0000 0000 00010001 00000000 0000000000000000 0000000000000001"),  # 65537
        ("forms", "0100 00 0000 0000 00000000 00000000 0000000100000001 0000000000000001"),  # 2**32 + 1
        ("forms", "0101 01 02 00 0000"),  # 2 is not 1, 3 or 5
        ("forms", "01ff 20"),
        ("wheel", "0104 00"),  # a batch of no bets
    ],
)
def test_a_value_out_of_bounds_is_an_invalid_payload_and_changes_nothing(probes, name, text):
    session = fresh(probes, name)
    assert error_of(process_game_move, session, bytes.fromhex(text)).kind is ErrorKind.INVALID_PAYLOAD
    assert session == fresh(probes, name)


# Nothing but a fixed set of errors, whatever the bytes.


def feed(probes, name, count, seed):
    """Send random bytes, many of them close to real payloads, to a session; return how many were accepted."""
    rng = Random(f"{name} {seed}")
    game = getattr(probes, name)
    start = session = fresh(probes, name)
    opcodes = sorted(game.opcode_table())
    accepted = 0
    for _ in range(count):
        data = rng.randbytes(rng.randrange(65))
        if rng.random() < 0.8:
            data = b"\x01" + data[1:]
        if rng.random() < 0.8:
            data = data[:1] + bytes((rng.choice(opcodes),)) + data[2:]
        if rng.random() < 0.5:  # small numbers come up in real payloads
            data = data[:2] + bytes(min(byte, rng.randrange(8)) for byte in data[2 : 2 + rng.randrange(24)])
        action = None if problem(game, data) else decode_payload(game, data)
        before = session
        try:
            session, result = process_game_move(session, data)
        except GameError:
            assert session is before
            continue
        assert action is not None
        assert encode_payload(game, action) == data, data.hex()
        accepted += 1
        session = start if session.is_complete else settle(session, result)
        if session.money.staked > CHIPS_MAX // 8:
            session = start
    return accepted


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize(("count", "seed"), [(10_000, 1), pytest.param(100_000, 2, marks=pytest.mark.soak)])
def test_random_payloads_are_actions_with_those_very_bytes_or_errors(probes, name, count, seed):
    assert feed(probes, name, count, seed) > count // 1000


stakes = st.integers(1, CHIPS_MAX)
sides = st.sampled_from(["heads", "tails"])
wheel_bets = st.sampled_from(["even", "odd", *(f"number:{number}" for number in range(10))])
pairs = st.fixed_dictionaries({"number": st.integers(0, 65535), "side": sides})
laid = st.fixed_dictionaries({"bet": wheel_bets, "stake": stakes})


def whole(largest):
    return st.integers(0, largest)


def named(game, action, **fields):
    """Return a strategy of actions of a game, from a strategy for each field."""
    return st.fixed_dictionaries(fields).map(lambda payload: (game, Action(action, payload)))


actions = st.one_of(
    named("coin", "place", bet=sides, stake=stakes),
    named("wheel", "batch", bets=st.lists(laid, min_size=1, max_size=20)),
    named(
        "forms",
        "numbers",
        one=whole(255),
        two=whole(256),
        two_full=whole(65535),
        four=whole(65536),
        four_full=whole(2**32 - 1),
        eight=whole(2**32),
        stake=stakes,
    ),
    named("forms", "words", yes=st.booleans(), face=st.sampled_from([1, 3, 5]), side=sides, bet=wheel_bets),
    named(
        "forms",
        "lists",
        pairs=st.lists(pairs, max_size=30),
        bytes_=st.lists(whole(255), max_size=100),
        last=whole(255),
    ),
)


@given(named=actions, data=st.data())
def test_an_action_is_read_from_its_bytes_and_from_no_others(probes, named, data):
    """A changed byte is another action or none."""
    name, action = named
    game = getattr(probes, name)
    written = encode_payload(game, action)
    assert decode_payload(game, written) == action
    place = data.draw(st.integers(0, len(written) - 1))
    changed = bytearray(written)
    changed[place] ^= data.draw(st.integers(1, 255))
    assert problem(game, bytes(changed)) or decode_payload(game, bytes(changed)) != action


# Writing.


def test_a_field_left_at_its_default_is_written_like_any_other(probes):
    assert encode_payload(probes.forms, act("hold", mask=0)) == bytes.fromhex("01ff00")
    assert encode_payload(probes.forms, act("hold")) == bytes.fromhex("01ff00")
    assert after(begun(probes.forms), bytes.fromhex("01ff00")).match.game.got == "hold 0"


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("coin", act("fly")),
        ("coin", act("place")),
        ("coin", act("place", bet="heads")),
        ("coin", act("place", bet="heads", stake=0)),
        ("coin", act("place", bet="heads", stake=CHIPS_MAX + 1)),
        ("coin", act("place", bet="heads", stake=True)),
        ("coin", act("place", bet="heads", stake=1.0)),
        ("coin", act("place", bet="heads", stake="1")),
        ("coin", act("place", bet="edge", stake=1)),
        ("coin", act("place", bet="", stake=1)),
        ("coin", act("place", bet="heads" * 100, stake=1)),
        ("coin", act("place", bet="heads", stake=1, tip=1)),
        ("coin", act("leave")),
        ("coin", act("time_out")),
        ("ladder", act("climb", rungs=4, stake=1)),
        ("wheel", act("batch", bets=[])),
        ("wheel", act("batch", bets=[{"bet": "even", "stake": 1}] * 21)),
        ("wheel", act("batch", bets=[{"bet": "number:10", "stake": 1}])),
        ("forms", act("lists", pairs=[], bytes_=[256], last=0)),
        # What could not be read must not be written: the count is one byte, and a payload at most 256.
        *(("forms", act("lists", pairs=[], bytes_=[0] * count, last=0)) for count in (252, 255, 256, 1000)),
    ],
)
def test_an_action_that_the_game_does_not_take_has_no_bytes(probes, name, action):
    assert error_of(encode_payload, getattr(probes, name), action).kind is ErrorKind.INVALID_PAYLOAD


# The types and codes that games can put on the wire.


class Loose(Struct, frozen=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=0)]


def game_with(kind: Any, *opcodes: int | None) -> Any:
    """Return a game with an action for each opcode, whose one field is of a type."""

    def do(self, state, turn, field):
        return state

    do.__annotations__ = {"state": Blank, "turn": HouseTurn, "field": kind, "return": Blank}

    actions = {f"do{place or ''}": action(opcode=code)(do) for place, code in enumerate(opcodes)}
    about = {"id": "probe-one", "name": "One", "game_type": GameType.HI_LO, "__orig_bases__": (Probe[Blank],)}
    return type("One", (Probe,), {**about, **actions})()


@pytest.mark.parametrize(
    ("bound", "width", "numbers"),
    [
        (0, 1, [0]),
        (1, 1, [1]),
        (255, 1, [255]),
        (256, 2, [256]),
        (65535, 2, [65535]),
        (65536, 4, [65536]),
        (2**32 - 1, 4, [2**32 - 1]),
        (2**32, 8, [2**32]),
        (2**63 - 1, 8, [2**63 - 1]),
        (None, 8, [0, 255, 256, 2**63 - 1]),  # as the engine bounds it
    ],
)
def test_a_whole_number_is_as_wide_as_its_bound_needs(bound, width, numbers):
    game = game_with(Annotated[int, Meta(ge=0, le=bound)], 0)
    for number in numbers:
        written = encode_payload(game, act("do", field=number))
        assert written == b"\x01\x00" + number.to_bytes(width, "big")
        assert decode_payload(game, written) == act("do", field=number)


@pytest.mark.parametrize(
    "kind",
    [
        int,
        str,
        float,
        bytes,
        int | None,
        Annotated[int, Meta(ge=-1, le=5)],
        Annotated[int, Meta(le=5)],
        Annotated[int, Meta(ge=0, lt=300)],
        Literal["a", "b"],
        Literal[-1, 1],
        Literal[1, 256],
        list[str],
        dict[str, int],
        tuple[str, ...],
        tuple[int, ...],
        Loose,
        tuple[Loose, ...],
    ],
    ids=str,
)
def test_a_type_without_fixed_bytes_is_a_mistake_of_the_game(kind):
    """A number without a bound above has no width: one byte for it would cut it off."""
    with pytest.raises(BadGame, match="do"):
        decode_payload(game_with(kind, 0), bytes((1, 0, 0)))


@pytest.mark.parametrize("opcodes", [[None], [-1], [256], [3, 3]], ids=str)
def test_a_house_action_needs_an_opcode_of_one_byte_and_of_its_own(opcodes):
    with pytest.raises(BadGame, match="opcode"):
        game_with(Annotated[int, Meta(ge=0, le=1)], *opcodes).opcode_table()


@pytest.mark.parametrize(
    ("codes", "numbered", "said"),
    [
        ({"red": (0, 0), "black": (0, 0)}, True, "same code"),
        ({"red": (256, 0)}, True, "does not fit its 2 bytes"),
        ({"red": (0, 256)}, True, "does not fit its 2 bytes"),
        ({"red": (-1, 0)}, True, "does not fit its 2 bytes"),
        # On the wire both would be one byte, and a player who bets on black would find the chips on red.
        ({"red": (0, 0), "black": (0, 1)}, False, "does not fit its 1 bytes"),
        ({"red": (0, 1)}, False, "does not fit its 1 bytes"),
    ],
    ids=str,
)
def test_codes_of_bets_that_are_not_their_own_or_do_not_fit_are_a_mistake_of_the_game(codes, numbered, said):
    with pytest.raises(BadGame, match=said):
        BetCodes(codes, numbered=numbered)


@pytest.mark.parametrize("numbered", [True, False])
def test_bet_codes_go_both_ways(numbered):
    codes = BetCodes({"red": (3, 0), "black": (200, 0)}, numbered=numbered)
    for name in ("red", "black"):
        written = codes.encode(name)
        assert len(written) == 1 + numbered
        assert codes.decode(b"??" + written, 2) == (name, 2 + len(written))
    with pytest.raises(GameError):
        codes.decode(b"", 0)


def test_a_bet_field_is_text_of_at_most_32_characters_in_the_schema():
    schema = msgspec.json.schema(bet_type(BetCodes({"red": (0, 0)})))
    assert schema["type"] == "string"
    assert schema["maxLength"] == 32
    assert schema["examples"] == ["red"]


def test_an_action_and_its_bytes_are_the_same_move(casino):
    for session_id in (1, 2):
        casino.start("ann", session_id, casino.COIN, seed=bytes(32))
    laid = Action("place", {"bet": "heads", "stake": 5})
    (by_bytes, *_) = casino.ok("ann", GameMove(1, casino.payload(1, "place", bet="heads", stake=5)), seed=bytes(32))
    (by_action, *_) = casino.ok("ann", GameMove(2, laid), seed=bytes(32))

    assert by_bytes.action == by_action.action == Action("place", {"bet": "heads", "stake": 5}, "ann")
    assert by_bytes.view.game == by_action.view.game
    assert casino.chips("ann") == 990
