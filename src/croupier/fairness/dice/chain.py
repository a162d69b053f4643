"""The bank's hash chain: v0 is published before the table opens, and each value is the hash of the next.

    v0 ◄── v1 ◄── v2 ◄── … ◄── vn        the bank's secret for round r is vr

Whoever knows v0 can check any value, and nobody can find the next one. So the bank is committed to its secret for every
round before it has seen a single bet, although it opens last.
"""

from __future__ import annotations

from hmac import compare_digest

from croupier.errors import BadSeed
from croupier.fairness.dice.encoding import SECRET_LENGTH, chain_link

CHAIN_MAX = 1_000_000


class HashChain:
    """All values of a chain, for the bank to keep. One is used up by every round, void ones too.

    >>> chain = HashChain.make(bytes(32), 2)
    >>> chain_link(chain.value(1)).hex() == chain.end, chain.value(2) == bytes(32)
    (True, True)
    """

    def __init__(self, values: tuple[bytes, ...]) -> None:
        self._values = values

    @classmethod
    def make(cls, last: bytes, length: int) -> HashChain:
        """Return the chain for `length` rounds that ends in `last`: 32 bytes from the operating system's generator."""
        if not isinstance(last, bytes) or len(last) != SECRET_LENGTH:
            raise BadSeed(f"a chain begins with {SECRET_LENGTH} random bytes")
        if type(length) is not int or not 1 <= length <= CHAIN_MAX:
            raise BadSeed(f"a chain has 1 to {CHAIN_MAX} values, got {length!r:.40}")
        values = [last]
        for _ in range(length):
            values.append(chain_link(values[-1]))
        return cls(tuple(reversed(values)))

    @property
    def end(self) -> str:
        """v0 in hex: what the bank publishes before the table opens."""
        return self._values[0].hex()

    def __len__(self) -> int:
        return len(self._values) - 1

    def value(self, round_number: int) -> bytes:
        """Return the bank's secret for a round, counted from 1."""
        if not 1 <= round_number <= len(self):
            raise BadSeed(f"the chain has values for rounds 1 to {len(self)}, not for {round_number}")
        return self._values[round_number]

    def __repr__(self) -> str:
        return f"<HashChain of {len(self)} values, end {self.end[:16]}…>"


def fits_chain(value: bytes, steps: int, known: bytes) -> bool:
    """Tell whether a value hashes back to a known one in that many steps: one for every round number passed."""
    if steps < 1:
        return False
    for _ in range(steps):
        value = chain_link(value)
    return compare_digest(value, known)
