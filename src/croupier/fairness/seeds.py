"""Seeds made by two parties, scheme 2: the host commits to its part before the player names the other part.

    host                                             player
    draws server_seed, 32 bytes
    publishes commitment and receipt           ──►   keeps them, then draws client_seed
                                               ◄──   names client_seed
    seed = HMAC(server_seed, … client_seed …)
    … the match …
    reveals server_seed                        ──►   checks commitment, seed, every draw, every result

The host cannot choose the seed, because it committed first; the player cannot, because the commitment hides the rest.
Every formula is a hash over parts with their lengths before them, under a tag of its own; whatever a secret is hashed
with is hashed under HMAC, so that no hash can be extended into another. `docs/fairness.md` has the formulas, who may
know what when, and what remains to trust. Scheme 1, which could be extended, is only read, never begun.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import BadSeed

SECRET_LENGTH = 32
CLIENT_SEED_MAX = 64
WEAK_BELOW = 16
"""A client seed of fewer bytes can be guessed by a host before it commits."""

# Tags; each is used by one formula and no other.
COMMITMENT = b"croupier/commitment/2"
MATCH = b"croupier/match/2"
RECEIPT = b"croupier/receipt/2"
SEAT = b"croupier/seat/2"
SEATS = b"croupier/seats/2"
ROOM = b"croupier/room/2"

_OLD_CLIENT_SEED_MAX = 256
EXTENSION = b"\x80" + bytes(23) + (256).to_bytes(8, "big")
"""SHA-256's padding of 32 bytes. Whoever named a client seed of scheme 1 that begins so knew the seed beforehand."""


class Check(Struct, frozen=True):
    """One thing that was checked: its name, whether it held, and what was found. None is what could not be checked."""

    name: str
    ok: bool | None
    text: str


def join(*parts: bytes) -> bytes:
    """Return parts as one message that can be taken apart again: each with its length, four bytes, before it.

    >>> join(b"ab", b"").hex()
    '00000002616200000000'
    """
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def u64(number: int) -> bytes:
    """Return a number as eight bytes, the highest first."""
    if not 0 <= number < 2**64:
        raise BadSeed(f"a number of 0 to {2**64 - 1} goes here")
    return number.to_bytes(8, "big")


def derive(seed: bytes, label: str) -> bytes:
    """Return the seed for one of our own purposes: SHA-256(seed ‖ 0x00 ‖ label as UTF-8).

    For labels of our own alone: nothing that another party chooses may stand in one beside a secret. See `keyed`.

    >>> derive(bytes(32), "match/1").hex()[:16]
    '011d580b5e19081b'
    """
    return sha256(seed + b"\x00" + label.encode()).digest()


def keyed(server_seed: bytes, label: str, *numbers: int) -> bytes:
    """Return 32 bytes that follow from a server seed for one purpose, and tell nothing of those for another.

    >>> keyed(bytes(32), "croupier/share/2", 7).hex()[:16]
    '35f11205621ca2aa'
    """
    message = join(label.encode()) + b"".join(map(u64, numbers))
    return hmac.digest(_checked(server_seed), message, "sha256")


class Binding(Struct, frozen=True):
    """All that a commitment is bound to: the session, and, where a host makes it, whose it is and what was announced.

    `n` counts the commitments made to an account, from 1. Keys and heads are bytes; what does not exist is empty.
    """

    session_id: int
    host_key: bytes = b""
    account: str = ""
    n: int = 0
    log_head: bytes = b""

    def message(self) -> bytes:
        """Return the bytes that stand for it in a commitment and in its receipt."""
        counted = u64(self.n) + u64(self.session_id)
        return join(self.host_key, self.account.encode()) + counted + join(self.log_head)


class Receipt(Struct, frozen=True):
    """A commitment with the host's signature, as it is handed out, kept and compared; in hex.

    `log_n` tells how many entries the host's log of versions had. It is not signed: `log_head` is.
    """

    session_id: int
    commitment: str
    host_key: str
    account: str
    n: int
    log_n: int
    log_head: str
    receipt: str

    def binding(self) -> Binding:
        """Return what the commitment is bound to."""
        return Binding(self.session_id, read_hex(self.host_key), self.account, self.n, read_hex(self.log_head))

    def message(self) -> bytes:
        """Return what the host has signed."""
        return receipt_message(read_hex(self.commitment), self.binding())


def commitment_to(server_seed: bytes, binding: Binding) -> bytes:
    """Return what a host publishes before the player names a client seed."""
    return sha256(join(COMMITMENT) + binding.message() + join(_checked(server_seed))).digest()


def receipt_message(commitment: bytes, binding: Binding) -> bytes:
    """Return what a host signs when it hands out a commitment."""
    return join(RECEIPT, commitment) + binding.message()


def seat_commitment(commitment: bytes, seat: int, player_id: str, secret: bytes) -> bytes:
    """Return what a player of a room sends when ready: the hash of a secret, made after the room's commitment."""
    return sha256(
        join(SEAT, commitment) + seat.to_bytes(4, "big") + join(player_id.encode(), _checked(secret))
    ).digest()


def seats_digest(commitment: bytes, table_digest: bytes, session_id: int, seats: tuple[SeatSecret, ...]) -> bytes:
    """Return K of a room: everything that is fixed before the first of its seats opens."""
    message = join(SEATS, commitment, table_digest) + u64(session_id)
    for seat in seats:
        message += join(seat.player_id.encode(), read_hex(seat.commitment))
    return sha256(message).digest()


def read_hex(text: str) -> bytes:
    """Return the bytes that hex stands for, which has one spelling here: lower case, two digits a byte, no spaces."""
    try:
        data = bytes.fromhex(text)
    except (ValueError, TypeError):
        data = b""
    if data.hex() != text:
        raise BadSeed("a seed is written in lower-case hex, two digits a byte")  # not what came: it may be a secret
    return data


def _checked(secret: bytes) -> bytes:
    # Exactly 32: HMAC fills shorter keys up with zeros, so that two of them would be one.
    if not isinstance(secret, bytes) or len(secret) != SECRET_LENGTH:
        raise BadSeed(f"a server seed, or the secret of a seat, is {SECRET_LENGTH} random bytes")
    return secret


class SeatSecret(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One seat's part of a room's seed, in hex: a bot has no commitment, and who did not open has no secret."""

    player_id: str
    commitment: str = ""
    secret: str = ""


class VoidStart(Struct, frozen=True, forbid_unknown_fields=True):
    """A start of a room that came to nothing because seats did not open. Its server seed is revealed as well."""

    session_id: int
    commitment: str
    server_seed: str
    log_head: str
    missing: tuple[str, ...]


class SeedPair(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Both parts of a match's seed, revealed, with the commitment that was published first. All in hex.

    `seats` are the players' parts in a room, where there is no `client_seed`. Scheme 1 has the first three fields only.
    """

    commitment: str
    server_seed: str
    client_seed: str
    scheme: int = 1
    host_key: str = ""
    account: str = ""
    """Whom the commitment was made to: an account, or a room."""
    n: int = 0
    """Which of the commitments to that account it was, from 1; 0 for rooms, and where nobody counts."""
    log_head: str = ""
    """The head of the host's log of versions when it committed."""
    log_n: int = 0
    """How many entries the log had then."""
    table_digest: str = ""
    """The table that was played, with its prices, limits and rules."""
    receipt: str = ""
    """The host's signature under the commitment."""
    seats: tuple[SeatSecret, ...] = ()
    voids: tuple[VoidStart, ...] = ()

    @classmethod
    def of(cls, server_seed: bytes, client_seed: bytes, session_id: int) -> SeedPair:
        """Return the pair of 32 random bytes and whatever a player named, up to 64 bytes; there is no host to name.

        >>> pair = SeedPair.of(bytes(range(32)), b"lucky", session_id=7)
        >>> pair.commitment[:16], pair.match_seed(7).hex()[:16]
        ('e1301597bb2c2b65', '293f73748f48fe0f')
        """
        if not isinstance(client_seed, bytes) or len(client_seed) > CLIENT_SEED_MAX:
            raise BadSeed(f"a client seed is up to {CLIENT_SEED_MAX} bytes")
        commitment = commitment_to(server_seed, Binding(session_id))
        return cls(commitment.hex(), server_seed.hex(), client_seed.hex(), scheme=2)

    def binding(self, session_id: int) -> Binding:
        """Return what the commitment is bound to."""
        return Binding(session_id, read_hex(self.host_key), self.account, self.n, read_hex(self.log_head))

    def match_seed(self, session_id: int) -> bytes:
        """Return the seed of the match with that session id."""
        server_seed = read_hex(self.server_seed)
        if self.scheme == 1:
            return derive(server_seed + read_hex(self.client_seed), f"match/{session_id}")
        commitment, table_digest = read_hex(self.commitment), read_hex(self.table_digest)
        if self.seats:
            secrets = [read_hex(seat.secret) for seat in self.seats]
            message = join(ROOM, seats_digest(commitment, table_digest, session_id, self.seats), *secrets)
        else:
            message = join(MATCH, commitment, read_hex(self.client_seed)) + u64(session_id) + join(table_digest)
        return hmac.digest(_checked(server_seed), message, "sha256")

    def commitment_problem(self, session_id: int) -> str | None:
        """Return None if the server seed is the one committed to, else a sentence that says what differs."""
        if self.scheme not in (1, 2):
            return f"the seeds follow scheme {self.scheme}, which this croupier does not know"
        if self.scheme == 1 and replace(self, commitment="", server_seed="", client_seed="") != SeedPair("", "", ""):
            return "seeds of scheme 1 have a commitment, a server seed, a client seed and nothing else"
        try:
            server_seed, client_seed = read_hex(self.server_seed), read_hex(self.client_seed)
            for text in (self.commitment, self.host_key, self.log_head, self.table_digest, self.receipt):
                read_hex(text)
        except BadSeed:
            return "the seeds and the commitment are not written in lower-case hex"
        if len(server_seed) != SECRET_LENGTH:
            return f"the server seed has {len(server_seed)} bytes, not {SECRET_LENGTH}"
        most = _OLD_CLIENT_SEED_MAX if self.scheme == 1 else CLIENT_SEED_MAX
        if len(client_seed) > most:
            return f"the client seed has {len(client_seed)} bytes, more than the {most} a player may name"
        if self.scheme == 1:
            opened = sha256(server_seed).hexdigest()
        else:
            try:
                u64(self.log_n)
                opened = commitment_to(server_seed, self.binding(session_id)).hex()
            except BadSeed as error:
                return str(error)
        if opened != self.commitment:
            return f"the server seed hashes to {opened}, but the commitment was {self.commitment}"
        return self._seats_problem()

    def _seats_problem(self) -> str | None:
        """Check that every secret opens the commitment of its seat, and every void start is opened."""
        if self.seats and self.client_seed:
            return "a room has the secrets of its seats, and no client seed"
        try:
            for number, seat in enumerate(self.seats):
                if seat.secret and not seat.commitment:
                    return f"seat {number} has opened without a commitment"
                if not seat.secret:
                    read_hex(seat.commitment)
                    continue
                opened = seat_commitment(read_hex(self.commitment), number, seat.player_id, read_hex(seat.secret))
                if opened.hex() != seat.commitment:
                    return f"the secret of seat {number} hashes to {opened.hex()}, not to {seat.commitment}"
            for void in self.voids:
                binding = replace(self.binding(void.session_id), log_head=read_hex(void.log_head))
                if commitment_to(read_hex(void.server_seed), binding).hex() != void.commitment or not void.missing:
                    return f"the void start of session {void.session_id} is not opened"
        except BadSeed as error:
            return str(error)
        return None

    def seed_problem(self, session_id: int, seed: str) -> str | None:
        """Return None if the seed of the match follows from the pair, else a sentence that says what differs."""
        derived = self.match_seed(session_id).hex()
        return None if derived == seed else f"the pair gives the seed {derived}, but the match used {seed}"
