"""`Thinking`: how long a bot that plays matches out in its head may think about one decision."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Thinking(Struct, frozen=True):
    """The budget of one decision. Without a clock, the same view and stream give the same choice on any machine.

    A host that has a clock may set a limit besides. The choice then depends on how fast the machine is; a record holds
    the action that was taken, so it replays all the same.
    """

    playouts: int = 50
    """How often the match is played to its end, at most."""
    tries: int = 5_000
    """How many actions are listed and taken in all. At least one playout of each choice is made."""
    length: int = 500
    """After how many actions a playout stops."""
    seconds: float = 0.0
    """How long it may take by the host's clock; 0 is as long as it takes."""
    clock: Callable[[], float] | None = None
    """Seconds, such as `time.monotonic`: bots have none of their own."""
    on_progress: Callable[[float], object] | None = None
    """Told after every playout how much of the budget is used, from 0 to 1."""


THINKING = Thinking()


class Meter:
    """Meter of one decision: how much of its budget is used."""

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking
        self._playouts = self._tries = 0
        self._begun = thinking.clock() if thinking.clock else 0.0

    def spend(self, tries: int) -> None:
        """Count actions that were listed or taken."""
        self._tries += tries

    def goes_on(self) -> bool:
        """Count another playout, tell `on_progress` how much of the budget is used, and return whether any is left."""
        thinking = self._thinking
        self._playouts += 1
        used = max(self._playouts / max(thinking.playouts, 1), self._tries / max(thinking.tries, 1))
        if thinking.clock and thinking.seconds:
            used = max(used, (thinking.clock() - self._begun) / thinking.seconds)
        if thinking.on_progress is not None:
            thinking.on_progress(min(used, 1.0))
        return used < 1
