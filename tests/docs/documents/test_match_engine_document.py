"""The founding document of the match engine (not in this repository), sentence by sentence, on a very small game."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from croupier import Game, Match, MatchClient, MatchResult, Setup, Turn, act, action, apply_action, create_match
from croupier.engine import Action, Rules, canonical
from croupier.errors import BadPlayers


class Pile(Struct, frozen=True):
    stones: int
    last_die: int = 0


class Nim(Game[Pile]):
    """Take one, two or three stones of seven; who takes the last one wins. A die may be rolled, for luck."""

    id, name, players = "tiny-nim", "Tiny Nim", (2, 3)
    starting_phase = "take"
    phases = ("rest",)

    def setup(self, table: Setup) -> Pile:
        return Pile(7)

    def validate(self, state: Pile, action: Action, turn: Turn) -> Any:
        return Rules.all(
            Rules.require_current_player(turn),
            Rules.require_phase(turn, "take"),
            Rules.require(action.payload.get("stones", 1) <= state.stones, "There are not that many."),
        )

    @action()
    def take(self, state: Pile, turn: Turn, stones: int) -> Pile:
        turn.events.end_turn()
        return replace(state, stones=state.stones - stones)

    @action()
    def give(self, state: Pile, turn: Turn, to: str) -> Pile:
        turn.events.end_turn(next=to)
        return state

    @action()
    def roll(self, state: Pile, turn: Turn) -> Pile:
        return replace(state, last_die=turn.rng.roll_die())

    @action()
    def sleep(self, state: Pile, turn: Turn) -> Pile:
        turn.events.set_phase("rest")
        return state

    @action()
    def resign(self, state: Pile, turn: Turn) -> Pile:
        turn.events.end_game(MatchResult("draw", reason="resigned"))
        return state

    def end_if(self, state: Pile, turn: Turn) -> MatchResult | None:
        return MatchResult("win", (turn.actor,)) if state.stones == 0 else None

    def legal(self, state: Pile, turn: Turn) -> Any:
        return [act("take", stones=count) for count in (1, 2, 3)]


NIM = Nim()


def start(players: int = 2) -> Match[Pile]:
    return create_match(NIM, ["ann", "bob", "cat"][:players], seed=bytes(32))


def after(match: Match[Pile], *actions: Action) -> Match[Pile]:
    for one in actions:
        answer = apply_action(NIM, match, one)
        assert answer.ok
        match = answer.state
    return match


def test_create_match_seats_the_players_and_starts_active_at_version_0() -> None:
    match = start(3)

    assert (match.status, match.version, match.result) == ("active", 0, None)
    assert [(player.id, player.seat) for player in match.players] == [("ann", 0), ("bob", 1), ("cat", 2)]
    assert (match.turn.current, match.turn.phase, match.turn.turn_number) == ("ann", "take", 1)


@pytest.mark.parametrize("players", [["ann"], ["a", "b", "c", "d"]])
def test_create_match_validates_the_player_count(players: list[str]) -> None:
    with pytest.raises(BadPlayers):
        create_match(NIM, players, seed=bytes(32))


def test_apply_action_is_pure_and_adds_one_to_the_version() -> None:
    match = start()
    before = canonical(match)

    answer = apply_action(NIM, match, act("take", stones=3))

    assert canonical(match) == before
    assert (answer.state.game.stones, answer.state.version) == (4, 1)


def test_an_illegal_action_returns_the_reason_and_the_unchanged_state() -> None:
    match = start()

    answer = apply_action(NIM, match, act("take", stones=8))

    assert not answer.ok
    assert (answer.error, answer.state) == ("There are not that many.", match)
    assert answer.state is match


def test_the_state_is_plain_json_under_the_documents_names() -> None:
    plain = json.loads(canonical(start()))

    names = ["matchId", "gameId", "players", "status", "turn", "rngState", "game", "result", "version", "updatedAt"]
    snake = ["".join(f"_{c.lower()}" if c.isupper() else c for c in name) for name in names]
    assert set(snake) | {"options", "rules_version"} == set(plain)
    assert set(plain["turn"]) == {"current", "phase", "turn_number", "order"}
    assert set(plain["players"][0]) == {"id", "name", "seat", "is_bot"}
    assert to_builtins(Action("take", {"stones": 1}, "ann")).keys() == {"type", "payload", "player_id"}


def test_without_a_player_id_the_current_player_acts() -> None:
    answer = apply_action(NIM, start(), act("take", stones=1))

    assert answer.ok
    assert answer.action.player_id == "ann"


def test_end_turn_advances_to_the_next_seat_or_to_the_one_named() -> None:
    match = after(start(3), act("take", stones=1))
    assert (match.turn.current, match.turn.turn_number) == ("bob", 2)

    match = after(match, act("give", to="ann"))
    assert (match.turn.current, match.turn.turn_number) == ("ann", 3)


def test_set_phase_changes_the_phase() -> None:
    match = after(start(), act("sleep"))

    assert match.turn.phase == "rest"
    refused = apply_action(NIM, match, act("take", stones=1))
    assert not refused.ok
    assert refused.code == "wrong_phase"


def test_end_game_finishes_the_match_with_a_result() -> None:
    match = after(start(), act("resign"))

    assert (match.status, match.result) == ("finished", MatchResult("draw", reason="resigned"))


def test_end_if_is_asked_after_every_action() -> None:
    match = after(start(), act("take", stones=3), act("take", stones=3), act("take", stones=1))

    assert (match.status, match.result) == ("finished", MatchResult("win", ("ann",)))


def test_same_seed_and_same_actions_give_identical_states() -> None:
    actions = [act("roll"), act("take", stones=2), act("roll")]

    assert canonical(after(start(), *actions)) == canonical(after(start(), *actions))


def test_the_generators_state_is_in_the_match_and_goes_on_with_every_action() -> None:
    match = start()

    later = after(match, act("take", stones=1))

    assert (match.rng_state.move_number, later.rng_state.move_number) == (1, 2)
    assert after(match, act("roll")).game.last_die == after(match, act("roll")).game.last_die


def test_rules_compose_and_the_first_that_fails_wins() -> None:
    assert Rules.all() is True
    assert Rules.all(True, Rules.require(True, "never said")) is True

    verdict = Rules.all(True, Rules.require(False, "first"), Rules.require(False, "second"))
    assert verdict == Rules.require(False, "first")
    out_of_turn = apply_action(NIM, start(), Action("take", {"stones": 1}, "bob"))
    assert not out_of_turn.ok
    assert out_of_turn.code == "not_your_turn"


def test_a_client_keeps_a_log_with_undo_and_redo() -> None:
    client = MatchClient(NIM, start())
    client.dispatch(act("roll"))
    client.dispatch(act("take", stones=2))
    end = client.get_state()

    assert [entry.action.type for entry in client.get_log()] == ["roll", "take"]
    assert client.undo()
    assert [entry.action.type for entry in client.get_log()] == ["roll"]
    assert client.redo()
    assert client.get_state() == end


def test_a_client_tells_its_subscribers_until_they_leave() -> None:
    client = MatchClient(NIM, start())
    seen: list[int] = []
    unsubscribe = client.subscribe(lambda match: seen.append(match.version))

    client.dispatch(act("take", stones=1))
    unsubscribe()
    client.dispatch(act("take", stones=1))

    assert seen == [1]


def test_a_client_takes_the_authoritys_newer_state_and_ignores_an_older_one() -> None:
    client = MatchClient(NIM, start())
    newer = after(start(), act("take", stones=1), act("take", stones=1))

    assert client.replace_state(newer)
    assert client.get_state() is newer
    assert not client.replace_state(start())
    assert client.get_state() is newer
