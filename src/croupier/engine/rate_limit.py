"""Rate limiters (token buckets), applied in `server`: `running/service.py`, `transport/app.py`, `transport/live.py`.

A limiter belongs to one host and is given that host's clock. No rule of a game knows of limiters: two machines' clocks
differ, and a match must replay to the same bytes on both. A sender who is too fast is slowed down, and never accused.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from math import inf

from croupier.errors import BadOptions


class RateLimiter:
    """A bucket of tokens for every key: a message takes one, and one comes back every `refill_ms`.

    >>> now = 0
    >>> limiter = RateLimiter(lambda: now, tokens=2)
    >>> [limiter.allow("ann") for _ in range(3)], limiter.wait_ms("ann")
    ([True, True, False], 100)
    >>> now = 100
    >>> limiter.allow("ann"), limiter.allow("ann"), limiter.allow("bob")
    (True, False, True)
    >>> [limiter.reserve_ms("cid", 200) for _ in range(6)]
    [0, 0, 100, 200, 300, 300]

    `clock` gives whole milliseconds and never goes back, such as `lambda: time.monotonic_ns() // 1_000_000`. A bucket
    that has filled up again is forgotten, since it is like a new one; if `keys_max` are in use at once, a new key has
    to wait until one is.
    """

    def __init__(
        self,
        clock: Callable[[], int],
        *,
        tokens: int = 10,
        refill_ms: int = 100,
        keys_max: int = 10_000,
    ) -> None:
        if min(tokens, refill_ms, keys_max) < 1:
            raise BadOptions("a bucket has one token or more, which take a millisecond or more to come back")
        self._clock = clock
        self._refill_ms = refill_ms
        self._full_ms = tokens * refill_ms
        self._keys_max = keys_max
        self._full_at: dict[str, int] = {}  # when each bucket will be full again; the others are

    def allow(self, key: str) -> bool:
        """Take a token and return True, or return False where there is none."""
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + self._refill_ms
        if full_at - now > self._full_ms:
            return False
        if key not in self._full_at and len(self._full_at) >= self._keys_max:
            self._full_at = {one: at for one, at in self._full_at.items() if at > now}
            if len(self._full_at) >= self._keys_max:
                return False
        self._full_at[key] = full_at
        return True

    def reserve_ms(self, key: str, most_ms: int) -> int:
        """Take a token, of those to come if there is none, and return how long to wait for it.

        If that is longer than `most_ms`, nothing is taken.
        """
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + self._refill_ms
        wait_ms = max(full_at - now - self._full_ms, 0)
        if wait_ms or not self.allow(key):
            if wait_ms > most_ms or key not in self._full_at:
                return max(wait_ms, most_ms + 1)
            self._full_at[key] = full_at
        return wait_ms

    def wait_ms(self, key: str) -> int:
        """Return how long it will be until there is a token; 0 if there is one."""
        now = self._clock()
        return max(self._full_at.get(key, now) + self._refill_ms - now - self._full_ms, 0)

    def forget(self, key: str) -> None:
        """Drop the bucket of somebody who is gone."""
        self._full_at.pop(key, None)

    def __len__(self) -> int:
        return len(self._full_at)


class MessageLimits:
    """Rate limits of a table: a bucket a player for messages, and one a connection for messages that make no sense.

    A connection that has used up its second bucket is not listened to until a token is back.
    """

    def __init__(self, clock: Callable[[], int], *, tokens: int = 10, refill_ms: int = 100) -> None:
        self.players = RateLimiter(clock, tokens=tokens, refill_ms=refill_ms)
        self.malformed = RateLimiter(clock, tokens=tokens, refill_ms=refill_ms)

    def admits(self, player: str, connection: str) -> bool:
        """Tell whether a message may be read; if so, it has taken a token of its player."""
        return not self.malformed.wait_ms(connection) and self.players.allow(player)

    def blame(self, connection: str) -> None:
        """Count a message that made no sense."""
        self.malformed.allow(connection)

    def left(self, player: str) -> None:
        """Drop the bucket of a player who has left."""
        self.players.forget(player)

    def hung_up(self, connection: str) -> None:
        """Drop the bucket of a connection that is closed."""
        self.malformed.forget(connection)


class IntervalLimiter:
    """At most one bet a player every `min_interval`, in seconds or as a `timedelta`, by a clock that the host lends.

    >>> limiter = IntervalLimiter(min_interval=0.5, clock=lambda: 0.0)
    >>> [limiter.allow("ann", now) for now in (0.0, 0.2, 0.6)], limiter.last_bet_time
    ([True, False, True], {'ann': 0.6})

    It is the `RateLimiter` of the craps document. Hosts have the bucket of tokens, since people bet in bursts.
    """

    def __init__(self, min_interval: float | timedelta, clock: Callable[[], float]) -> None:
        self.min_interval, self.clock = min_interval, clock
        self.last_bet_time: dict[str, float] = {}

    def allow(self, player: str, now: float | None = None) -> bool:
        """Note a bet and return True, or return False where the last one was too short a time ago."""
        at, gap = self.clock() if now is None else now, self.min_interval
        if at - self.last_bet_time.get(player, -inf) < (gap.total_seconds() if isinstance(gap, timedelta) else gap):
            return False
        self.last_bet_time[player] = at
        return True
