"""`MatchClient` against a model: two lists and a base, whatever is done in whatever order."""

from typing import Annotated, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import Meta, Struct

from croupier.engine import (
    Game,
    Match,
    MatchClient,
    MatchResult,
    act,
    action,
    apply_action,
    create_match,
    require,
)
from tests.unit.engine.counting import check_log


class Tally(Struct, frozen=True):
    counts: tuple[int, ...]
    rolled: int = 0


class Counter(Game[Tally]):
    """Adds what it is told or what it rolls; 40 is the end."""

    id, name, players = "counter", "Counter", (2, 3)

    def setup(self, table):
        return Tally((0,) * len(table.players))

    @action()
    def add(self, state, turn, n: Annotated[int, Meta(ge=0, le=3)]):
        require(n, "too_few", "add something")
        turn.events.end_turn()
        return self._plus(state, turn, n)

    @action()
    def roll(self, state, turn):
        face = turn.rng.roll_die()
        if face > 3:
            turn.events.end_turn()
        return self._plus(state, turn, face, face)

    def _plus(self, state, turn, n, rolled=0):
        counts = tuple(count + n * (seat == turn.seat) for seat, count in enumerate(state.counts))
        if sum(counts) >= 40:
            turn.events.end_game(MatchResult("draw", reason="40"))
        return Tally(counts, rolled)


GAME = Counter()


class ClientAgainstModel(RuleBasedStateMachine):
    """The model: the states from the base on, how many of the last may be undone, and those that may be redone."""

    @initialize(seed=st.binary(max_size=4))
    def begin(self, seed: bytes) -> None:
        match = create_match(GAME, ["a", "b", "c"], seed=seed)
        self.client: MatchClient[Any] = MatchClient(GAME, match)
        self.states: list[Match[Any]] = [match]
        self.undoable: list[bool] = []
        self.undone: list[tuple[Match[Any], bool]] = []
        self.error = False
        self.told = 0
        self.client.subscribe(self.listen)

    def listen(self, match: Match[Any]) -> None:
        assert match is self.client.get_state()
        self.told += 1

    def present(self) -> Match[Any]:
        return self.states[-1]

    @rule(asked=st.sampled_from([act("roll"), act("add", n=1), act("add", n=3)]), ephemeral=st.booleans())
    def dispatch(self, asked: Any, ephemeral: bool) -> None:
        told = self.told
        answer = self.client.dispatch(asked, ephemeral=ephemeral)
        assert self.told == told + 1
        if self.present().status == "finished":
            assert not answer.ok
            self.error = True
            return
        assert answer.ok
        expected = apply_action(GAME, self.present(), asked).state
        assert answer.state == expected
        self.states.append(answer.state)
        self.undoable.append(not ephemeral)
        self.undone.clear()
        self.error = False

    @rule(seed=st.binary(min_size=1, max_size=4))
    def roll_with_a_seed_of_the_hosts(self, seed: bytes) -> None:
        answer = self.client.dispatch(act("roll"), seed=seed)
        if answer.ok:
            self.states.append(answer.state)
            self.undoable.append(True)
            self.undone.clear()
        self.error = not answer.ok

    @rule(asked=st.sampled_from([act("add", n=0), act("fly"), None, {"type": "add"}, act("add", n=True)]))
    def dispatch_nonsense(self, asked: Any) -> None:
        told = self.told
        answer = self.client.dispatch(asked)
        assert not answer.ok
        assert answer.state is self.present()
        assert self.client.get_error() == answer.error
        assert self.told == told + 1
        self.error = True

    @rule()
    def undo(self) -> None:
        told = self.told
        can = bool(self.undoable) and self.undoable[-1]
        assert self.client.can_undo == can
        assert self.client.undo() == can
        assert self.told == told + can
        if can:
            self.undone.append((self.states.pop(), self.undoable.pop()))
            self.error = False

    @rule()
    def undo_without_crossing_chance(self) -> None:
        can = bool(self.undoable) and self.undoable[-1] and not self.client.get_log()[-1].drew
        assert self.client.undo(stop_at_chance=True) == can
        if can:
            self.undone.append((self.states.pop(), self.undoable.pop()))
            self.error = False

    @rule()
    def redo(self) -> None:
        told = self.told
        assert self.client.redo() == bool(self.undone)
        assert self.told == told + bool(self.undone)
        if self.undone:
            state, can_undo = self.undone.pop()
            self.states.append(state)
            self.undoable.append(can_undo)
            self.error = False

    def rebase(self, remote: Match[Any]) -> None:
        told = self.told
        assert self.client.replace_state(remote) is True
        assert self.told == told + 1
        assert not self.client.can_undo
        self.states, self.undoable, self.undone, self.error = [remote], [], [], False

    @rule()
    def the_authority_repeats_the_present(self) -> None:
        self.rebase(self.present())

    @precondition(lambda self: len(self.states) > 1)
    @rule()
    def the_authority_has_another_state_of_this_version(self) -> None:
        self.rebase(apply_action(GAME, self.states[-2], act("roll"), seed=b"authority").state)

    @precondition(lambda self: self.present().status == "active")
    @rule()
    def the_authority_is_ahead(self) -> None:
        self.rebase(apply_action(GAME, self.present(), act("roll"), seed=b"authority").state)

    @precondition(lambda self: len(self.states) > 1)
    @rule(data=st.data())
    def the_authority_is_behind(self, data: Any) -> None:
        told = self.told
        older = data.draw(st.sampled_from(self.states[:-1]))
        assert self.client.replace_state(older) is False
        assert self.told == told

    @rule(data=st.data())
    def fork(self, data: Any) -> None:
        index = data.draw(st.integers(0, len(self.states) - 1))
        fork = self.client.fork(self.states[index].version)
        fork.dispatch(act("roll"))
        fork.undo()
        fork.undo()
        assert fork.base is self.client.base

    @rule()
    def clear_the_error(self) -> None:
        told = self.told
        self.client.clear_error()
        assert self.told == told + self.error
        self.error = False

    @invariant()
    def the_client_is_where_the_model_is(self) -> None:
        client = self.client
        assert client.get_state() is self.present()
        assert client.base is self.states[0]
        assert client.history() == tuple(self.states)
        assert client.can_redo == bool(self.undone)
        assert (client.get_error() is not None) == self.error
        assert client.listener_errors == []

    @invariant()
    def the_log_leads_from_the_base_to_the_present(self) -> None:
        check_log(self.client)


TestClientAgainstModel = ClientAgainstModel.TestCase
TestClientAgainstModel.settings = settings(max_examples=80, stateful_step_count=30, deadline=None, derandomize=True)
