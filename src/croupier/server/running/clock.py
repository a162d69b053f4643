"""The server's clock: the wall clock without its jumps.

The server's time is the wall clock's at the start, carried on by the clock that never goes back; if somebody sets the
wall clock, the server follows by one hundredth of the time that passes, so no deadline comes more than a hundredth
early. Rounds of shared dice do not look at it at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FOLLOW = 100  # one part in so many


class SteadyClock:
    """The wall clock without its jumps.

    >>> wall, steady = [10**18], [0]
    >>> clock = SteadyClock(lambda: wall[0], lambda: steady[0])
    >>> wall[0] += 3600 * 10**9  # set an hour ahead
    >>> steady[0] += 10 * 10**9  # ten seconds later
    >>> clock.now() - 10**12
    10100
    """

    def __init__(
        self, wall_ns: Callable[[], int] = time.time_ns, steady_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._wall_ns = wall_ns
        self._steady_ns = steady_ns
        self._last = steady_ns()
        self._ahead = wall_ns() - self._last

    def now(self) -> int:
        """Return the server's time, in milliseconds. It never goes back."""
        steady = self._steady_ns()
        most = (steady - self._last) // FOLLOW
        if most > 0:
            gap = self._wall_ns() - steady - self._ahead
            self._ahead += max(-most, min(gap, most))
            self._last = steady
        return (steady + self._ahead) // 1_000_000

    def monotonic(self) -> int:
        """Return the time of the clock that never goes back, in milliseconds."""
        return self._steady_ns() // 1_000_000
