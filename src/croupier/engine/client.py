"""`MatchClient`: a match with its log, undo and redo, time travel, and listeners. Tied to no user interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any, Generic, NamedTuple, TypeVar

from croupier.engine.checks import check_match
from croupier.engine.game import Game
from croupier.engine.model import Accepted, Action, LogEntry, Match, Player, Refused
from croupier.engine.transition import apply_action, create_match
from croupier.engine.views import imagine, log_for, view_for
from croupier.errors import GameFault, WrongMatch
from croupier.fairness import derive
from croupier.rng import GameRng, draw_seed

S = TypeVar("S")

REDEALS = 8  # how many other deals are tried to find out whether an action revealed something


class HistoryStep(NamedTuple, Generic[S]):
    """One entry of the line: the log entry, and the state before it and after it."""

    entry: LogEntry
    before: Match[S]
    after: Match[S]
    can_undo: bool


class MatchClient(Generic[S]):
    """Holds one match and moves it on. The log always leads from the base state to the present one.

    A client keeps whole states, which share what did not change; `base` is where its log begins. With a `clock`, which
    gives milliseconds, every action is dated: `updated_at` of the match, and `at` of the log.
    """

    def __init__(self, game: Game[S], match: Match[S], *, clock: Callable[[], int] | None = None) -> None:
        if match.game_id != game.id:
            raise WrongMatch(f"a match of {match.game_id!r} was given to a client of {game.id!r}")
        self.game = game
        self.base = match
        self.clock = clock
        self._state = match
        self._line: list[HistoryStep[S]] = []
        self._redo: list[HistoryStep[S]] = []
        self._error: str | None = None
        self._listeners: dict[object, Callable[[Match[S]], object]] = {}
        self.listener_errors: list[Exception] = []
        """Exceptions of listeners, newest last; a listener's failure stops neither the others nor the match."""

    @classmethod
    def start(
        cls,
        game: Game[S],
        players: Iterable[str | Player | Mapping[str, Any]],
        *,
        seed: bytes | int | str | None = None,
        clock: Callable[[], int] | None = None,
        **more: Any,
    ) -> MatchClient[S]:
        """Return a client with a new match. Where no seed is given one is drawn, and the match's record tells it.

        `more` is what `create_match` takes besides.
        """
        dated = {"now": clock(), **more} if clock is not None else more
        match = create_match(game, players, seed=draw_seed() if seed is None else seed, **dated)
        return cls(game, match, clock=clock)

    # Looking.

    def get_state(self) -> Match[S]:
        """Return the present match."""
        return self._state

    def get_log(self, viewer: str | None = None, *, everything: bool = True) -> tuple[LogEntry, ...]:
        """Return the log since the base; with `everything=False`, as `viewer` (None: a spectator) may read it."""
        entries = tuple(step.entry for step in self._line)
        return entries if everything else log_for(self.game, self._state, entries, viewer)

    state = property(get_state, doc="The present match.")
    log = property(get_log, doc="The log since the base.")

    def get_error(self) -> str | None:
        """Return the sentence of the last refusal, if it has not been cleared."""
        return self._error

    def history(self) -> tuple[Match[S], ...]:
        """Return every state from the base to the present."""
        return (self.base, *(step.after for step in self._line))

    def goto(self, version: int) -> Match[S]:
        """Return the state at a version of the line; the live match stays where it is."""
        index = version - self.base.version
        if not 0 <= index <= len(self._line):
            low, high = self.base.version, self._state.version
            raise WrongMatch(f"this client knows versions {low} to {high}, not {version}")
        return self.base if index == 0 else self._line[index - 1].after

    def fork(self, version: int | None = None) -> MatchClient[S]:
        """Return a client of its own that starts with the same line up to a version; for analysis."""
        state = self._state if version is None else self.goto(version)
        twin = MatchClient(self.game, self.base, clock=self.clock)
        twin._state = state
        twin._line = self._line[: state.version - self.base.version]
        return twin

    # Moving.

    def dispatch(
        self,
        action: Action | Mapping[str, Any],
        *,
        ephemeral: bool = False,
        seed: bytes | None = None,
        now: int | None = None,
    ) -> Accepted[S] | Refused[S]:
        """Apply an action and return the answer. `ephemeral` keeps it off the undo stack."""
        before = self._state
        if now is None and self.clock is not None:
            now = self.clock()
        answer = apply_action(self.game, before, action, seed=seed, now=now)
        if not answer.ok:
            self._go_to(before, answer.error)
            return answer
        after, own_seed = answer.state, None if seed is None else seed.hex()
        entry = LogEntry(answer.action, after.version, after.updated_at, answer.drew, own_seed)
        self._line.append(HistoryStep(entry, before, after, not ephemeral))
        self._redo.clear()
        self._go_to(after)
        return answer

    @property
    def can_undo(self) -> bool:
        """Whether `undo()` would go back."""
        return bool(self._line) and self._line[-1].can_undo

    @property
    def can_redo(self) -> bool:
        """Whether `redo()` would go on."""
        return bool(self._redo)

    def undo(self, *, stop_at_chance: bool = False) -> bool:
        """Go back one action and return True, or False where there is nothing to go back to.

        The stream goes back too: the same action again gives the same dice. With `stop_at_chance` it will not go back
        past an action that drew, or that showed any player something hidden.
        """
        if not self.can_undo or (stop_at_chance and self.crosses_chance()):
            return False
        self._redo.append(self._line.pop())
        self._go_to(self._redo[-1].before)
        return True

    def redo(self) -> bool:
        """Take back the last undo and return True, or False where there is none."""
        if not self._redo:
            return False
        self._line.append(self._redo.pop())
        self._go_to(self._line[-1].after)
        return True

    def _go_to(self, state: Match[S], error: str | None = None) -> None:
        self._state, self._error = state, error
        self._notify()

    def crosses_chance(self) -> bool:
        """Tell whether undoing the last action would let anybody choose again, knowing what chance or others hid."""
        return bool(self._line) and (self._line[-1].entry.drew or self._reveals(self._line[-1]))

    def _reveals(self, step: HistoryStep[S]) -> bool:
        """Tell whether the action told any player more than they could have foreseen, or what the seed has lit."""
        if not (self.game.has_secrets or self.game.has_seal) or step.entry.action.type == "join":
            return False
        there = {player.id for player in step.after.players}
        return any(self._tells(step, player.id) for player in step.before.players if player.id in there)

    def _tells(self, step: HistoryStep[S], viewer: str) -> bool:
        """Tell whether some other deal that looked the same to a viewer before would have looked different after."""
        game, action = self.game, step.entry.action
        seen_before, seen_after = view_for(game, step.before, viewer), view_for(game, step.after, viewer)
        (read,) = log_for(game, step.after, (step.entry,), viewer)
        for number in range(REDEALS):
            rng = GameRng.new(derive(b"", "does it reveal?"), step.before.version, number)
            try:
                other = apply_action(game, imagine(game, seen_before, rng), action)
                if not other.ok and read.action != action:  # it could not be this action, which they do not read
                    continue
                seen_other = view_for(game, other.state, viewer) if other.ok else None
            except GameFault:  # a game that cannot re-deal: what it hides may have shown
                return True
            if seen_other != seen_after:
                return True
        return False

    def replace_state(self, remote: Match[S]) -> bool:
        """Swap in the authority's state and return True; an older one is ignored (False). The log restarts there."""
        check_match(self.game, remote)
        if (remote.match_id, remote.game_id) != (self.base.match_id, self.base.game_id):
            raise WrongMatch(f"this client holds match {self.base.match_id!r} of {self.base.game_id!r}")
        if remote.version < self._state.version:
            return False
        self.base = remote
        self._line.clear()
        self._redo.clear()
        self._go_to(remote)
        return True

    def clear_error(self) -> None:
        """Forget the last refusal."""
        if self._error is not None:
            self._go_to(self._state)

    # Listening.

    def subscribe(self, listener: Callable[[Match[S]], object] | Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after every change, with the match if it takes one; return a function that ends it.

        That function is harmless to call twice. What a listener raises goes to `listener_errors`.
        """
        key = object()
        self._listeners[key] = _taking_a_match(listener)

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    def _notify(self) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(self._state)
            except Exception as error:
                self.listener_errors.append(error)


def _taking_a_match(listener: Callable[..., object]) -> Callable[..., object]:
    try:
        signature(listener).bind(None)
    except TypeError:  # it takes nothing
        return lambda _: listener()
    except ValueError:  # built in, and not telling
        return listener
    return listener
