"""Seeds made by two parties: the host publishes the hash of its part before the player names the other part.

    host                                  player
    draws server_seed
    publishes SHA-256(server_seed)  ──►   sees the commitment
                                    ◄──   names client_seed
    seed = derive(server_seed ‖ client_seed, "match/<session id>")
    … the match …
    reveals server_seed             ──►   checks commitment, seed, every draw, every result

The host cannot choose the seed, because it committed first; the player cannot, because the commitment hides the rest.
"""

from hashlib import sha256
from hmac import compare_digest

from msgspec import Struct

from croupier.errors import BadSeed

__all__ = ["SeedPair", "commitment_to", "derive"]

SERVER_SEED_LENGTH = 32
CLIENT_SEED_MAX = 256


def derive(seed: bytes, label: str) -> bytes:
    """Return the seed for one purpose: SHA-256(seed ‖ 0x00 ‖ label as UTF-8).

    >>> derive(bytes(32), "match/1").hex()[:16]
    '011d580b5e19081b'
    """
    return sha256(seed + b"\x00" + label.encode()).digest()


def commitment_to(server_seed: bytes) -> str:
    """Return what a host publishes before the player names a client seed: SHA-256 in hex."""
    return sha256(server_seed).hexdigest()


class SeedPair(Struct, frozen=True, forbid_unknown_fields=True):
    """Both parts of a match's seed, revealed, with the commitment that was published first. All in hex."""

    commitment: str
    server_seed: str
    client_seed: str

    @classmethod
    def of(cls, server_seed: bytes, client_seed: bytes) -> "SeedPair":
        """Return the pair of a host's 32 random bytes and whatever the player named, up to 256 bytes."""
        # A fixed length for the first part: otherwise two pairs could run together into one seed.
        if not isinstance(server_seed, bytes) or len(server_seed) != SERVER_SEED_LENGTH:
            raise BadSeed(f"a server seed is {SERVER_SEED_LENGTH} random bytes")
        if not isinstance(client_seed, bytes) or len(client_seed) > CLIENT_SEED_MAX:
            raise BadSeed(f"a client seed is up to {CLIENT_SEED_MAX} bytes")
        return cls(commitment_to(server_seed), server_seed.hex(), client_seed.hex())

    def match_seed(self, session_id: int) -> bytes:
        """Return the seed of the match with that session id."""
        return derive(bytes.fromhex(self.server_seed + self.client_seed), f"match/{session_id}")

    def commitment_problem(self) -> str | None:
        """Return None if the server seed is the one committed to, else a sentence that says what differs."""
        try:
            server_seed = bytes.fromhex(self.server_seed)
            bytes.fromhex(self.client_seed)
        except ValueError:
            return "the seeds are not hex"
        if len(server_seed) != SERVER_SEED_LENGTH:
            return f"the server seed has {len(server_seed)} bytes, not {SERVER_SEED_LENGTH}"
        opened = commitment_to(server_seed)
        if not compare_digest(opened.encode(), self.commitment.encode()):
            return f"the server seed hashes to {opened}, but the commitment was {self.commitment}"
        return None

    def seed_problem(self, session_id: int, seed: str) -> str | None:
        """Return None if the seed of the match follows from the pair, else a sentence that says what differs."""
        derived = self.match_seed(session_id).hex()
        return None if derived == seed else f"the pair gives the seed {derived}, but the match used {seed}"
