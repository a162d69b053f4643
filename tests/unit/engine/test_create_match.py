"""`create_match`: which players, options, seeds and ids it takes, and what a match starts as."""

from typing import Any
from unicodedata import category

import pytest
from msgspec import Struct

from croupier.engine import (
    Action,
    Game,
    MatchClient,
    MatchResult,
    NoOptions,
    Player,
    TurnState,
    create_match,
    make_record,
    state_digest,
    verify,
    write_record,
)
from croupier.engine.checks import is_name
from croupier.engine.model import RngState
from croupier.errors import BadGame, BadOptions, BadPlayers, BadSeed, CroupierError, GameFault
from tests.unit.engine.counting import made
from tests.unit.test_rng_oracle import Tape, mixed


def test_a_new_match_is_active_at_version_0_with_the_stream_of_move_1_next(tictactoe):
    match = create_match(tictactoe, ["a", "b"], seed=bytes(range(4)), session_id=7)

    assert match.match_id == "7"
    assert match.game_id == "tic-tac-toe"
    assert match.rules_version == 1
    assert match.options == NoOptions()
    assert match.players == (Player("a", "a", 0, False), Player("b", "b", 1, False))
    assert match.status == "active"
    assert match.turn == TurnState("a", "play", 1, ("a", "b"))
    assert match.rng_state == RngState("00010203", 7, 1)
    assert match.result is None
    assert match.version == 0
    assert match.updated_at == 0


def test_time_comes_from_the_caller(tictactoe):
    assert create_match(tictactoe, ["a", "b"], seed=b"", now=1234).updated_at == 1234


@pytest.mark.parametrize(("game", "wanted", "counts"), [("tictactoe", "2", (0, 1, 3)), ("pig", "1 to 4", (0, 5))])
def test_a_count_of_players_that_the_game_does_not_take_is_refused(request, game, wanted, counts):
    for count in counts:
        with pytest.raises(BadPlayers, match=f"for {wanted} players, got {count}"):
            create_match(request.getfixturevalue(game), list("vwxyz")[:count], seed=b"")


@pytest.mark.parametrize("count", [1, 4])
def test_the_fewest_and_the_most_players_can_start(pig, count):
    assert len(create_match(pig, [str(seat) for seat in range(count)], seed=b"").players) == count


@pytest.mark.parametrize(
    "players",
    [
        ["a", "a"],
        ["a", ""],
        ["a", " b"],
        ["a", "b "],
        ["a", "\t"],
        ["a", "b\x00"],
        ["a", "\u202eb"],  # turns the reading direction round
        ["a", "\ud800"],
        ["a", "b" * 65],
        ["a", None],
        ["a", 5],
        ["a", b"b"],
        ["a", ["b"]],
        ["a", {}],
        ["a", {"id": 5}],
        ["a", {"id": "b", "age": 5}],
        ["a", {"id": "b", "seat": "front"}],
        ["a", {"id": "b", "is_bot": 1}],
        ["a", {"id": "b", "name": "\n"}],
        ["a", Player("a", "somebody else")],
        "ab",
        b"ab",
        5,
        None,
        {"ann": "Ann", "bob": "Bob"},  # would be its keys: the options of a match, say, instead of its players
        pytest.param({"a", "b"}, id="set"),  # has no order that two machines share
    ],
    ids=repr,
)
def test_players_that_cannot_be_seated_are_bad_players(tictactoe, players):
    with pytest.raises(BadPlayers):
        create_match(tictactoe, players, seed=b"")


def test_players_may_be_ids_mappings_or_players_and_are_seated_in_the_order_given(pig):
    players: list[Any] = ["z", {"id": "y", "name": "Yves", "is_bot": True}, Player("x", seat=9)]
    for given in (players, (player for player in players)):
        match = create_match(pig, given, seed=b"", starting_player="y")

        assert match.players == (Player("z", "z", 0), Player("y", "Yves", 1, True), Player("x", "x", 2))
        assert match.turn == TurnState("y", "play", 1, ("z", "y", "x"))


@pytest.mark.parametrize("starter", ["c", "", "A", 0, ["a"]])
def test_the_starting_player_must_be_seated(tictactoe, starter):
    with pytest.raises(BadPlayers, match="is not seated"):
        create_match(tictactoe, ["a", "b"], seed=b"", starting_player=starter)


@pytest.mark.parametrize("seed", [None, -1, 2**64, bytearray(4), [1], b"x" * 1025])
def test_a_seed_is_up_to_1024_bytes(tictactoe, seed):
    with pytest.raises(BadSeed) as caught:
        create_match(tictactoe, ["a", "b"], seed=seed)

    assert "x" * 8 not in str(caught.value)  # a seed is a secret, also where it is wrong
    for good in (b"", b"x" * 1024):
        assert create_match(tictactoe, ["a", "b"], seed=good).rng_state.seed == good.hex()


@pytest.mark.parametrize("session_id", [-1, 2**64, 1.0, True, "1", None])
def test_a_session_id_is_a_whole_number_of_64_bits(tictactoe, session_id):
    with pytest.raises(BadSeed, match="session id"):
        create_match(tictactoe, ["a", "b"], seed=b"", session_id=session_id)
    assert create_match(tictactoe, ["a", "b"], seed=b"", session_id=2**64 - 1).match_id == "18446744073709551615"


@pytest.mark.parametrize("match_id", ["", " x", "x" * 65, "a\nb", 5, b"x"])
def test_a_match_id_is_short_printable_text(tictactoe, match_id):
    with pytest.raises(CroupierError, match="match id"):
        create_match(tictactoe, ["a", "b"], seed=b"", match_id=match_id)


def test_which_characters_are_invisible_is_the_same_in_every_python():
    """U+1FAE8 is a face since Unicode 15, which Python 3.11 does not know; U+1343B a control since then."""
    assert is_name("ann \U0001fae8")
    assert not is_name("a\U0001343b")
    known = [chr(code) for code in range(0x110000) if category(chr(code)) != "Cn" and not 0x13430 <= code <= 0x1343F]
    assert len(known) > 280_000
    assert [char for char in known if is_name(f"a{char}b") != char.isprintable()] == []


def test_a_text_of_another_type_names_a_player_like_a_plain_one(pig):
    """numpy's texts are such: kept as they are, they could not be written into a record."""
    text = type("text", (str,), {})
    client = MatchClient(pig, create_match(pig, [text("ann")], seed=b""))

    assert client.dispatch(Action("roll", {}, text("ann"))).ok
    assert verify(write_record(make_record(pig, client.base, client.get_log())), game=pig).ok


def test_a_match_id_is_never_a_seed(pig, accept):
    dice = [
        accept(pig, create_match(pig, ["a"], seed=b"", match_id=name), {"type": "roll"}).game.dice for name in "xyz"
    ]

    assert dice[0] == dice[1] == dice[2]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"goal": 0}, "$.goal"),
        ({"goal": 1001}, "$.goal"),
        ({"goal": 10**30}, "$.goal"),
        ({"goal": True}, "$.goal"),
        ({"goal": 20.0}, "$.goal"),
        ({"goal": "20"}, "$.goal"),
        ({"goal": None}, "$.goal"),
        ({"goal": [20]}, "$.goal"),
        ({"goal": float("nan")}, "$.goal"),
        ({"dice": 3}, "$.dice"),
        ({"dice": True}, "$.dice"),
        ({"dice": {1}}, "$.dice"),
        ({"gaol": 20}, "$"),
        ({"goal": 20, "": 1}, "$"),
        ({"\ud800": 1}, "$"),
        ([], "$"),
        ("goal", "$"),
        (7, "$"),
        (False, "$"),
        (b"{}", "$"),
        (lambda game: game.Options(goal=-5), "$.goal"),  # checked even when they come as the struct
    ],
)
def test_options_the_game_does_not_take_name_their_path(pig, options, path):
    with pytest.raises(BadOptions) as caught:
        create_match(pig, ["a"], seed=b"", options=options(pig) if callable(options) else options)

    assert caught.value.path == path
    assert path.removeprefix("$").removeprefix(".") in str(caught.value)  # people are told the field, not a path
    assert path == "$" or "$" not in str(caught.value)
    assert caught.value.code == "bad_options"


def test_an_option_name_that_is_not_text_is_refused_with_a_path_a_person_can_read(pig):
    with pytest.raises(BadOptions) as caught:
        create_match(pig, ["a"], seed=b"", options={1: 2})

    assert caught.value.path.startswith("$")
    assert "`" not in str(caught.value)


def test_options_left_out_are_the_defaults_and_part_of_the_match(pig):
    plain = create_match(pig, ["a"], seed=b"")
    spelled = create_match(pig, ["a"], seed=b"", options={"dice": 1, "goal": 20})
    other = create_match(pig, ["a"], seed=b"", options={"goal": 21})

    assert plain == spelled
    assert state_digest(plain) == state_digest(spelled) != state_digest(other)


def test_a_game_without_options_takes_none(tictactoe):
    with pytest.raises(BadOptions):
        create_match(tictactoe, ["a", "b"], seed=b"", options={"size": 3})


class Fussy(Struct, frozen=True, forbid_unknown_fields=True):
    rate: float = 0.5


Floating = made("floating", Options=Fussy)


@pytest.mark.parametrize("rate", [float("nan"), float("inf"), -float("inf")])
def test_an_option_that_json_cannot_hold_is_refused(rate):
    """Otherwise it would be stored as null, and the record of the match could not be read again."""
    with pytest.raises(BadOptions):
        create_match(Floating(), ["a"], seed=b"", options={"rate": rate})


def test_the_end_is_not_asked_for_at_creation(accept):
    over_at_once = made("over-at-once", end_if=lambda self, state, turn: MatchResult("draw"))()
    match = create_match(over_at_once, ["a"], seed=b"")

    assert match.status == "active"
    assert accept(over_at_once, match, {"type": "go"}).status == "finished"


def test_setup_draws_from_the_stream_of_move_0(hands):
    match = create_match(hands, ["a", "b"], seed=b"seed", session_id=3)

    cards, _ = mixed(Tape.of(b"seed", 3, 0), 0, range(12))
    assert match.game.hands == (tuple(cards[:3]), tuple(cards[3:6]))
    assert match.game.deck == tuple(cards[6:])


@pytest.mark.parametrize(
    ("setup", "error", "words"),
    [
        (Game.setup, BadGame, r"Made needs a method setup\(self, table\)"),
        (lambda self, table: None, GameFault, "did it forget to return the state"),
        (lambda self, table: [][0], GameFault, "setup raised IndexError"),
    ],
    ids=["none", "returns nothing", "raises"],
)
def test_a_setup_that_gives_no_state_is_named(setup, error, words):
    with pytest.raises(error, match=words):
        create_match(made("no-setup", setup=setup)(), ["a"], seed=b"")


@pytest.mark.parametrize("game", [None, "pig", Floating, Ellipsis], ids=repr)
def test_create_match_takes_a_game_and_nothing_else(game: Any):
    with pytest.raises(BadGame):
        create_match(game, ["a"], seed=b"")
