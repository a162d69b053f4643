"""Rate limiters: buckets of tokens, and a clock that the test turns."""

from __future__ import annotations

import pytest

from croupier.engine.rate_limit import MessageLimits, RateLimiter
from croupier.errors import BadOptions


def test_ten_messages_at_once_and_then_one_every_tenth_of_a_second():
    """The defaults: 10 tokens, one back every 100 ms."""
    now = 5_000
    limiter = RateLimiter(lambda: now)
    assert [limiter.allow("ann") for _ in range(12)] == [True] * 10 + [False] * 2
    assert limiter.wait_ms("ann") == 100
    assert limiter.allow("bob")

    now += 99
    assert not limiter.allow("ann")
    now += 1
    assert [limiter.allow("ann"), limiter.allow("ann")] == [True, False]
    now += 100_000
    assert [limiter.allow("ann") for _ in range(11)] == [True] * 10 + [False]


def test_a_steady_sender_at_the_refill_rate_is_never_stopped():
    now = 0
    limiter = RateLimiter(lambda: now, tokens=1, refill_ms=100)
    for now in range(0, 100_000, 100):  # noqa: B007 - the clock reads it
        assert limiter.allow("ann")


def test_nonsense_closes_a_connection_for_a_while_and_no_other():
    now = 0
    gate = MessageLimits(lambda: now, tokens=3)
    for _ in range(5):
        gate.blame("c1")

    assert not gate.admits("ann", "c1")
    assert gate.admits("ann", "c2")
    now = 100
    assert gate.admits("ann", "c1")


def test_a_bucket_has_room_for_a_token():
    for wrong in ({"tokens": 0}, {"refill_ms": 0}, {"keys_max": 0}):
        with pytest.raises(BadOptions):
            RateLimiter(lambda: 0, **wrong)


def test_a_clock_that_stands_still_or_goes_back_gives_no_tokens():
    now = 1_000
    limiter = RateLimiter(lambda: now, tokens=1)
    assert limiter.allow("ann")

    for now in (1_000, 500, 0):  # noqa: B007 - the clock reads it
        assert not limiter.allow("ann")
        assert limiter.wait_ms("ann") >= 100


def test_a_player_who_is_forgotten_begins_anew():
    limiter = RateLimiter(lambda: 0, tokens=1)
    assert [limiter.allow("ann"), limiter.allow("ann")] == [True, False]

    limiter.forget("ann")
    limiter.forget("nobody")

    assert limiter.allow("ann")
