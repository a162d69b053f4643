"""A sitting with games that are harder on it: secrets, simultaneous choices, ranges, faults, and any line at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Annotated, Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct
from msgspec.structs import replace
from rich.console import Console

from croupier.cli.terminal_game import Sitting
from croupier.engine import (
    Action,
    Game,
    Match,
    MatchClient,
    MatchResult,
    MatchView,
    Range,
    Setup,
    Turn,
    act,
    action,
    create_match,
    read_record,
    refuse,
    register_game,
)
from croupier.engine.registry import unregister_game
from croupier.games.shut_the_box import ShutTheBox
from croupier.rng import GameRng


class Bids(Struct, frozen=True):
    bids: tuple[int, ...]  # by seat; 0 is none yet, -1 stands for one that is hidden


class Sealed(Game[Bids]):
    """Everybody names a number in secret, in any order; then the highest wins."""

    id, name, players = "sealed", "Sealed", (2, 3)

    def setup(self, table: Setup) -> Bids:
        return Bids((0,) * len(table.players))

    @action(by="anyone", secret=True)
    def bid(self, state: Bids, turn: Turn, number: Literal[1, 2, 3]) -> Bids:
        if state.bids[turn.seat]:
            refuse("has_bid", "you have named your number")
        bids = (*state.bids[: turn.seat], number, *state.bids[turn.seat + 1 :])
        if all(bids):
            winners = tuple(player.id for player, bid in zip(turn.players, bids, strict=True) if bid == max(bids))
            turn.events.end_game(MatchResult("win", winners, f"the highest is {max(bids)}"))
        return Bids(bids)

    def view(self, state: Bids, viewer: str | None) -> Bids:
        return state if all(state.bids) else Bids(tuple(-1 if bid else 0 for bid in state.bids))

    def redeal(self, state: Bids, viewer: str | None, rng: GameRng) -> Bids:
        return Bids(tuple(rng.int(1, 3) if bid else 0 for bid in state.bids))

    def render(self, view: MatchView[Bids]) -> str:
        return f"numbers: {view.game.bids} seen by {view.viewer}"


class Chips(Struct, frozen=True):
    staked: int = 0


class Stakes(Game[Chips]):
    """Stake any number of chips, once; faults on demand."""

    id, name, players = "stakes", "Stakes", (1, 1)

    def setup(self, table: Setup) -> Chips:
        return Chips()

    @action()
    def stake(self, state: Chips, turn: Turn, chips: Annotated[int, Meta(ge=1, le=10**6)]) -> Chips:
        if chips == 13:
            raise ZeroDivisionError("unlucky")
        turn.events.end_game(MatchResult("win", (turn.actor,), "staked"))
        return replace(state, staked=chips)

    def legal(self, state: Chips, turn: Turn) -> Iterator[Action]:
        for chips in range(10, 800, 10):
            yield act("stake", chips=chips)

    def ranges(self, state: Chips, turn: Turn) -> Mapping[str, Mapping[str, Range]]:
        return {"stake": {"chips": Range(1, 10**6)}}


class Mute(Stakes):
    id, name = "mute", "Mute"

    def describe(self, action: Action, before: Match[Chips], after: Match[Chips]) -> str:
        raise RuntimeError("no words")

    def render(self, view: MatchView[Chips]) -> str:
        return "a mark [/that] ends nothing"


@pytest.fixture(scope="module", autouse=True)
def their_games() -> Iterator[None]:
    games: list[Game[Any]] = [Sealed(), Stakes(), Mute()]
    for game in games:
        register_game(game)
    yield
    for game in games:
        unregister_game(game.id)


# Secrets, and choices at the same time.


def test_everybody_who_may_act_is_asked_in_turn(run):
    answer = run("play", "sealed", "--players", "Ann,Bob,Cid", typed="\n1\n\n3\n\n2\n")

    assert [line for line in answer.stdout.splitlines() if line.startswith("Pass the screen")] == [
        "Pass the screen to Ann, then press Enter: ",
        "Pass the screen to Bob, then press Enter: ",
        "Pass the screen to Cid, then press Enter: ",
    ]
    assert "Bob wins: the highest is 3" in answer.stdout


def test_a_secret_is_shown_to_nobody_else_while_the_match_is_on(run):
    """And who comes to the screen reads what happened since."""
    answer = run("play", "sealed", "--players", "Ann,Bob", typed="\n3\n\nl\nq\n")

    assert answer.stdout.partition("Pass the screen to Bob")[2].splitlines()[1] == "Ann: bid"
    after_bid = answer.stdout.partition("Ann> 3\n")[2]
    assert "numbers: (-1, 0) seen by Bob" in after_bid
    assert "number=3" not in after_bid
    assert "Ann: bid\n" in after_bid


SHOWN = {
    "a player can let the next choose first": (
        "sealed --players Ann,Bob",
        "\nn\n\n2\n\n1\n",
        ["Bob wins: the highest is 2"],
    ),
    "shared winners are all named": (
        "sealed --players Ann,Bob",
        "\n2\n\n2\n",
        ["Ann and Bob win: the highest is 2"],
    ),
    "too many choices are told as a range": (
        "stakes",
        "stake 123456\n",
        [
            "\nstake: 79 choices, such as stake 140 or stake 530\n",
            "stake: chips from 1 to 1,000,000",
            "You win: staked",
        ],
    ),
    "a number alone is meant for the only action": ("stakes", "79\n", ["You: stake chips=79\n"]),
    "an action the game breaks on is told and the match goes on": (
        "stakes",
        "stake 13\nstake 14\n",
        ["error: stakes: stake raised ZeroDivisionError: unlucky", "You win: staked"],
    ),
    "a drawing with broken markup is shown as it is": ("mute", "q\n", ["a mark [/that] ends nothing"]),
}


@pytest.mark.parametrize(("words", "typed", "shown"), SHOWN.values(), ids=SHOWN)
def test_the_table_shows_what_it_should(visit, words, typed, shown):
    answer = visit(words, typed)

    assert answer.exit_code == 0
    assert [text for text in shown if text not in answer.stdout] == []


def test_against_bots_there_is_nobody_to_pass_the_screen_to(visit):
    answer = visit("sealed --bot first", "3\n")

    assert "Pass the screen" not in answer.stdout
    assert "You win: the highest is 3" in answer.stdout


# Faults.


def test_a_game_without_a_coach_has_no_hints(run):
    answer = run("coach", "stakes", "--at", "x")

    assert (answer.exit_code, answer.stderr) == (1, "error: Stakes has no coach [no_advice]\n")
    assert "there is no coach for Stakes" in run("play", "stakes", typed="h\nq\n").stdout


def test_a_bug_in_a_game_ends_in_one_line_and_loses_no_action(run, tmp_path):
    path = tmp_path / "g.json"

    answer = run("play", "mute", "--record", str(path), typed="1\n")

    assert answer.exit_code == 2
    assert answer.stderr.startswith("error: croupier broke: RuntimeError: no words;")
    assert answer.stderr.endswith("[internal_error]\n")
    assert len(read_record(path.read_bytes()).actions) == 1


def test_the_place_of_a_bug_is_shown_to_who_asks(run):
    assert "Traceback" in run("play", "mute", typed="1\n", CROUPIER_TRACEBACK="1").stderr


# Any line.


def sat_down(*lines: str) -> tuple[MatchClient[Any], str]:
    """Play the game of seed 00 from its first roll, type lines, leave; return the client and what was shown."""
    game = ShutTheBox()
    client = MatchClient(game, create_match(game, ["Ann"], seed=b"\0"))
    client.dispatch(act("roll"))
    typed = iter(lines)
    shown = StringIO()

    def ask(prompt: str) -> str:
        return next(typed, "q").strip()

    Sitting(Console(file=shown, markup=False, width=80), client, {}, ask).play()
    return client, shown.getvalue()


WORDS = st.sampled_from(
    ["shut", "roll", "tiles=", "4", "1,3", "[", "]", "{", '"', "'", "=", "dice=", "null", "u", "l", "h", "s"]
)
LINES = st.one_of(
    st.text(max_size=40),
    st.lists(WORDS, max_size=6).map(" ".join),
    st.binary(max_size=20).map(lambda data: data.decode("latin-1")),
)


@settings(max_examples=200)
@given(line=LINES)
@example(line="shut " + "[" * 5000)
@example(line="shut 1e999")
@example(line="9" * 5000)
@example(line="shut tiles=[4,4.0]")
def test_no_line_breaks_the_table_and_a_refused_one_changes_nothing(line: str) -> None:
    """After any line the match is as it was, or one legal action or undo away."""
    before, _ = sat_down()
    client, shown = sat_down(line)

    after = client.get_state()
    if "\nno: " in shown:
        assert after == before.get_state()
    assert after.version in (0, 1, 2)
    assert client.base.version == 0


@settings(max_examples=50)
@given(lines=st.lists(LINES, max_size=8))
def test_whatever_is_typed_the_log_leads_to_the_state(lines: list[str]) -> None:
    client, _ = sat_down(*lines)

    again = MatchClient(client.game, client.base)
    for entry in client.get_log():
        assert again.dispatch(entry.action).ok
    assert again.get_state() == client.get_state()
