"""`make bench ARGS=rng`: draws of the generator, streams in Python and compiled, and the bare hash beside them."""

from __future__ import annotations

from hashlib import sha256

from benchmarks.report import Row, not_measured, row, time_per_call
from croupier.rng import GameRng

DRAWS = 20_000
STREAMS = 2_000
STREAM_BYTES = 44  # seed, session id and move number: what is hashed to open a stream
BARE = "hashlib's SHA-256 of 44 bytes"


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; the bare hash is always there, so `peers` makes no difference."""
    hashes = bare_sha256(repeats)
    rows = [*_draws(repeats), row(BARE, hashes, "hashes/s")]
    name = "streams opened, compiled"
    try:
        rows.append(row(name, streams_opened(repeats), "hashes/s", beside=(BARE, hashes)))
    except ImportError as error:
        rows.append(not_measured(name, "hashes/s", f"it needs croupier[sim] ({error})"))
    return rows


def bare_sha256(repeats: int) -> list[float]:
    """Return how many hashes of a stream's bytes Python makes in a second, one call each."""
    data = bytes(STREAM_BYTES)

    def hashes() -> None:
        for _ in range(STREAMS):
            sha256(data).digest()

    return [1e9 / each for each in time_per_call(hashes, STREAMS, repeats)]


def streams_opened(repeats: int) -> list[float]:
    """Return how many streams compiled code opens in a second, one hash each."""
    from benchmarks.limits import HASHES, hash_loop

    return [1e9 / each for each in time_per_call(hash_loop(), HASHES, repeats)]


def _draws(repeats: int) -> list[Row]:
    rng = GameRng.new(bytes(32), 1, 0)
    data = rng.copy().fill_bytes(DRAWS)

    def bare() -> list[int]:
        faces = []
        for byte in data:
            if byte < 252:
                faces.append(byte % 6)
        return faces

    def bounded() -> None:
        draw = rng.next_bounded
        for _ in range(DRAWS):
            draw(6)

    def two_dice(number: int) -> None:
        stream = GameRng.new(bytes(32), 1, number)
        stream.roll_die()
        stream.roll_die()

    def dice() -> None:
        for number in range(2000):
            two_dice(number)

    plain = time_per_call(bare, DRAWS, repeats)
    drawn = time_per_call(bounded, DRAWS, repeats)
    fresh = [each / 1000 for each in time_per_call(dice, 2000, repeats)]
    return [
        row(
            "GameRng.next_bounded(6)", drawn, "ns", beside=("a bare loop over bytes known beforehand", plain), at_most=8
        ),
        row("a fresh stream with two dice", fresh, "µs", at_most=2),
    ]
