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

import hmac
from hashlib import sha256

from msgspec import Struct

from croupier.errors import BadSeed

__all__ = ["SeedPair", "commitment_to", "derive", "join", "keyed", "read_hex", "u64"]

SERVER_SEED_LENGTH = 32
CLIENT_SEED_MAX = 256


def derive(seed: bytes, label: str) -> bytes:
    """Return the seed for one purpose: SHA-256(seed ‖ 0x00 ‖ label as UTF-8).

    >>> derive(bytes(32), "match/1").hex()[:16]
    '011d580b5e19081b'
    """
    return sha256(seed + b"\x00" + label.encode()).digest()


def join(*parts: bytes) -> bytes:
    """Return parts as one message that can be taken apart again: each with its length, four bytes, before it.

    >>> join(b"ab", b"").hex()
    '00000002616200000000'
    """
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def u64(number: int) -> bytes:
    """Return a number as eight bytes, the highest first."""
    return number.to_bytes(8, "big")


def keyed(server_seed: bytes, label: str, *numbers: int) -> bytes:
    """Return 32 bytes that follow from a server seed for one purpose, and tell nothing of those for another.

    >>> keyed(bytes(32), "croupier/share/2", 7).hex()[:16]
    '35f11205621ca2aa'
    """
    # Exactly 32: HMAC fills shorter keys up with zeros, so that two of them would be one.
    if not isinstance(server_seed, bytes) or len(server_seed) != SERVER_SEED_LENGTH:
        raise BadSeed(f"a server seed is {SERVER_SEED_LENGTH} random bytes")
    message = join(label.encode()) + b"".join(map(u64, numbers))
    return hmac.digest(server_seed, message, "sha256")


def commitment_to(server_seed: bytes) -> str:
    """Return what a host publishes before the player names a client seed: SHA-256 in hex."""
    return sha256(server_seed).hexdigest()


def read_hex(text: str) -> bytes:
    """Return the bytes that hex stands for, which has one spelling here: lower case, two digits a byte, no spaces."""
    try:
        data = bytes.fromhex(text)
    except (ValueError, TypeError):
        data = b""
    if data.hex() != text:
        raise BadSeed("a seed is written in lower-case hex, two digits a byte")  # not what came: it may be a secret
    return data


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
        return derive(read_hex(self.server_seed) + read_hex(self.client_seed), f"match/{session_id}")

    def commitment_problem(self) -> str | None:
        """Return None if the server seed is the one committed to, else a sentence that says what differs."""
        try:
            server_seed, client_seed, _ = map(read_hex, (self.server_seed, self.client_seed, self.commitment))
        except BadSeed:
            return "the seeds and the commitment are not written in lower-case hex"
        if len(server_seed) != SERVER_SEED_LENGTH:
            return f"the server seed has {len(server_seed)} bytes, not {SERVER_SEED_LENGTH}"
        if len(client_seed) > CLIENT_SEED_MAX:
            return f"the client seed has {len(client_seed)} bytes, more than the {CLIENT_SEED_MAX} a player may name"
        opened = commitment_to(server_seed)
        if opened != self.commitment:
            return f"the server seed hashes to {opened}, but the commitment was {self.commitment}"
        return None

    def seed_problem(self, session_id: int, seed: str) -> str | None:
        """Return None if the seed of the match follows from the pair, else a sentence that says what differs."""
        derived = self.match_seed(session_id).hex()
        return None if derived == seed else f"the pair gives the seed {derived}, but the match used {seed}"
