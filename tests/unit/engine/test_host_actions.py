"""Actions of the host: they have no seat, and no player can take them in the host's name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import (
    Action,
    Game,
    MatchClient,
    MatchResult,
    Setup,
    Turn,
    act,
    action,
    apply_action,
    create_match,
    legal_actions,
    make_record,
    refuse,
    verify,
    write_record,
)
from croupier.engine.legal import may_act
from croupier.engine.model import HOST
from croupier.errors import GameFault
from croupier.rng import GameRng
from croupier.testing import check_game
from tests.unit.engine.counting import made


class Door(Struct, frozen=True):
    knocks: int = 0
    called_by: str = "-"
    behind: int = 0


class Inn(Game[Door]):
    """Anyone knocks; the landlord, who does not play, warns and then closes."""

    id, name, players = "inn", "Inn", (2, 3)

    def setup(self, table: Setup) -> Door:
        return Door(behind=table.rng.roll_die())

    @action(by="anyone")
    def knock(self, state: Door, turn: Turn) -> Door:
        """Knock."""
        if state.knocks >= 30:
            refuse("late", "it is late")
        turn.events.end_turn()
        return replace(state, knocks=state.knocks + 1)

    @action(by="host")
    def close(self, state: Door, turn: Turn, reason: str = "time") -> Door:
        """Close, for any reason but thirst."""
        if reason == "thirst":
            refuse("thirsty", "never")
        turn.events.end_game(MatchResult("draw", reason=reason))
        return replace(state, called_by=turn.actor)

    def legal(self, state: Door, turn: Turn) -> Iterator[Action]:
        yield act("knock")
        yield act("close")

    def end_if(self, state: Door, turn: Turn) -> MatchResult | None:
        return MatchResult("draw", reason="morning") if state.knocks >= 30 else None

    def view(self, state: Door, viewer: str | None) -> Door:
        return replace(state, behind=0)

    def redeal(self, state: Door, viewer: str | None, rng: GameRng) -> Door:
        return replace(state, behind=rng.roll_die())


INN = Inn()


def start():
    return create_match(INN, ["ann", "bob"], seed=bytes(32))


@pytest.mark.parametrize("asked", [Action("close", {}, HOST), {"type": "close", "player_id": ""}])
def test_the_host_acts_without_a_seat(asked):
    answer = apply_action(INN, start(), asked)

    assert answer.ok
    assert (answer.action, answer.state.game.called_by) == (Action("close", {}, HOST), HOST)
    assert answer.state.status == "finished"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        *((Action("close", {}, player), "host_only") for player in ("ann", "bob", None)),
        *((Action(name, {}, HOST), "unknown_player") for name in ("knock", "leave", "time_out", "dance")),
        (Action("close", {}, "cid"), "unknown_player"),
        (Action("close", {"reason": "thirst"}, HOST), "thirsty"),
        (Action("close", {"reason": 3}, HOST), "bad_payload"),
    ],
)
def test_players_do_not_act_as_the_host_nor_the_host_as_a_player_or_against_the_rules(no, asked, code):
    assert no(INN, start(), asked) == code


def test_host_actions_are_listed_for_nobody():
    match = start()

    assert [one.type for player in ("ann", "bob") for one in legal_actions(INN, match, player)] == ["knock", "knock"]
    assert legal_actions(INN, match, HOST) == ()
    assert may_act(INN, match) == ("ann", "bob")


def test_host_actions_are_on_record_and_replay():
    client = MatchClient(INN, start())
    client.dispatch(Action("knock", {}, "bob"))
    client.dispatch(Action("close", {"reason": "rain"}, HOST))
    record = make_record(INN, client.base, client.get_log())

    assert record.actions[-1] == Action("close", {"reason": "rain"}, HOST)
    assert verify(write_record(record), game=INN).ok
    assert not client.crosses_chance()  # the host sees nothing, so nothing was shown to it
    assert client.undo(stop_at_chance=True)


def test_a_game_with_host_actions_keeps_every_law():
    check_game(INN, seeds=2)


def test_a_time_out_that_would_act_as_the_host_is_a_fault():
    game = made("careless-inn", Inn, auto_action=lambda self, state, turn: act("close"))()
    match = create_match(game, ["ann", "bob"], seed=b"")

    with pytest.raises(GameFault, match="auto_action chose what the rules refuse"):
        apply_action(game, match, Action("time_out", {}, "ann"))
