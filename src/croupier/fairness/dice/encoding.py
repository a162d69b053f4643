"""The byte strings of shared dice: how fields are encoded, what is hashed, and in which order.

    E(tag, f1 … fk) = LP(tag) LP(f1) … LP(fk)        LP(x) = length of x in four bytes, then x

Every field has its length in front, so no two different lists of fields share their bytes; every purpose has a tag of
its own, so no value made for one can be passed off for another. Wherever several parties appear they are sorted by
key: what is hashed never depends on who came first, or on a clock.

The tags say `craps` because they were first published for a craps table; the protocol serves any match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256

from croupier.errors import BadSeed

SECRET_LENGTH = 32
ZERO = bytes(32)
"""The transcript before the first roll."""

Opened = tuple[bytes, bytes]
"""A key and the secret it opened."""
Committed = tuple[bytes, int, bytes]
"""A key, its nonce and its commitment."""


def u32(number: int) -> bytes:
    """Return a number as four bytes, the highest first."""
    return fixed(number, 4)


def u64(number: int) -> bytes:
    """Return a number as eight bytes, the highest first."""
    return fixed(number, 8)


def fixed(number: int, width: int) -> bytes:
    """Return a number as that many bytes, the highest first."""
    if type(number) is not int or not 0 <= number < 1 << 8 * width:
        raise BadSeed(f"a whole number from 0 to 2**{8 * width} - 1 goes here, got {number!r:.40}")
    return number.to_bytes(width, "big")


def encode(tag: str, *fields: bytes) -> bytes:
    """Return E(tag, fields): each with its length in front.

    >>> encode("ab", b"c", b"").hex(" ", -4)
    '00000002 61620000 00016300 000000'
    """
    parts = [_tag(tag)]
    for field in fields:
        size = len(field)
        parts += (_LENGTHS[size] if size < 65 else size.to_bytes(4, "big"), field)
    return b"".join(parts)


_LENGTHS = tuple(size.to_bytes(4, "big") for size in range(65))  # of keys, digests, secrets: nearly all there are


@cache
def _tag(tag: str) -> bytes:
    name = tag.encode("ascii")
    return len(name).to_bytes(4, "big") + name


def _hash(tag: str, *fields: bytes) -> bytes:
    return sha256(encode(tag, *fields)).digest()


# What a round is about.


def table_id(terms: bytes) -> bytes:
    """Return the 16 bytes that stand for a table in every context: the beginning of the hash of its terms."""
    return _hash("craps/table/1", terms)[:16]


def roster_digest(keys: Iterable[bytes]) -> bytes:
    """Return R: who may contribute."""
    return _hash("craps/roster/1", *sorted(keys))


def live_bet(key: bytes | str, bet_id: int, number: int, stake: int, mode: str = "", working: bool = True) -> bytes:
    """Return b, one bet that lies on a craps table; `number` is 0 if it has none. Odds are bets of their own."""
    owner = bytes.fromhex(key) if isinstance(key, str) else key
    fields = (owner, u32(bet_id), u32(number), u64(stake), mode.encode("ascii"), b"\x01" if working else b"\x00")
    return encode("craps/bet/1", *fields)


def draw_entry(session_id: int, move_number: int, state: bytes, action: bytes, book: bytes) -> bytes:
    """Return the entry that ties a round to the one draw its seed is for, and to everything that went before.

    The seed opens the stream of (seed, session, move): whoever could still choose the move number after the secrets
    are known would choose among streams. `state` is the digest of the match before the move and `action` the canonical
    JSON of what will be done; either may be empty. `book` holds a fresh salt of everyone who sat down, so that no
    context comes twice, not even at a copy of the table.
    """
    return encode("craps/draw/1", u64(session_id), u32(move_number), state, action, book)


def stakes_digest(entries: Iterable[bytes]) -> bytes:
    """Return B, the digest of all that is fixed before the secrets: live bets, and the draw they wait for."""
    return _hash("craps/bets/1", *sorted(entries))


def context(game_id: bytes, round_number: int, transcript: bytes, stakes: bytes, roster: bytes) -> bytes:
    """Return C: one table, one round, what went before, one list of stakes and one roster."""
    return _hash("craps/ctx/1", game_id, u64(round_number), transcript, stakes, roster)


# Secrets.


def commitment(context: bytes, key: bytes, nonce: int, secret: bytes) -> bytes:
    """Return c. Key and nonce are in it: a copied commitment cannot be opened by whoever copied it."""
    return _hash("craps/commit/1", context, key, u64(nonce), secret)


def commit_set(context: bytes, commits: Iterable[Committed]) -> bytes:
    """Return K: everyone's commitments."""
    fields = [field for key, nonce, c in sorted(commits) for field in (key, u64(nonce), c)]
    return _hash("craps/commits/1", context, *fields)


def xor(secrets: Iterable[bytes]) -> bytes:
    """Return x, all secrets of 32 bytes taken together; their order does not matter.

    >>> xor([bytes([1] * 32), bytes([3] * 32)]) == bytes([2] * 32)
    True
    """
    number = 0
    for secret in secrets:
        number ^= int.from_bytes(secret, "big")
    return number.to_bytes(SECRET_LENGTH, "big")


def roll_seed(commits: bytes, mixed: bytes) -> bytes:
    """Return S, the seed of the move, from K and x. Nothing else goes in: no clock, no generator, no order."""
    return _hash("craps/seed/1", commits, mixed)


def roll_transcript(commits: bytes, opened: Iterable[Opened], faces: Sequence[int] = ()) -> bytes:
    """Return T, what the next round refers to: K, every secret by key, and a byte for each die."""
    secrets = [field for pair in sorted(opened) for field in pair]
    return _hash("craps/transcript/1", commits, *secrets, *(fixed(face, 1) for face in faces))


def chain_link(value: bytes) -> bytes:
    """Return the value before this one in the bank's hash chain."""
    return _hash("craps/chain/1", value)


def book_link(book: bytes, event: bytes) -> bytes:
    """Return the digest of a book after one more event: every LOCK signs all that was written before it."""
    return _hash("craps/book/1", book, event)


def seal_to_sign(game_id: bytes, digest: bytes) -> bytes:
    """Return what the writer of a transcript file signs; `to_sign` of `messages` has what goes under a message."""
    return encode("craps/sig-seal/1", game_id, digest)
