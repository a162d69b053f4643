"""Messages at a table of shared dice: signed, frozen, and written in one way only.

    table    LOCK ─────────────► CLOSE ──────────► OPEN ────────────► ROLL      VOID, END
    seats           ──► COMMIT          ──► ACK          ──► REVEAL             JOIN, LEAVE, BET, OBJECTION, SILENCE

Keys, digests, secrets and signatures are lower-case hex. A message on the wire is canonical JSON, as in records: sorted
keys, no spaces, nothing unknown, nothing twice.
"""

from functools import lru_cache
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from croupier.errors import BadDocument
from croupier.fairness.dice.answers import refuse
from croupier.fairness.dice.encoding import draw_entry, encode, fixed, stakes_digest, u64
from croupier.fairness.signing import SIGNATURE_LENGTH, Signer, Verifier

MESSAGE_MAX = 4 * 2**20  # bytes; a LOCK with every bet of a full table has a few hundred thousand
CHIPS_MAX = 2**63 - 1

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]
Entry = Annotated[str, Meta(pattern="^([0-9a-f]{2})+$", max_length=1024)]
Digest = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", max_length=64)]
Count = Annotated[int, Meta(ge=0)]
Chips = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]
Face = Annotated[int, Meta(ge=1, le=255)]
Text = Annotated[str, Meta(max_length=65536)]

Verb = Literal["place", "raise", "lower", "remove", "switch"]
VoidReason = Literal["too_few", "commit_missing", "objected", "reveal_missing"]
Complained = Literal["commit_dropped", "stakes_differ"]


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """Exposure of a player on the table: chips staked, and the largest profit the next roll could bring."""

    key: Hex32
    stake: Chips
    win_max: Chips


class Stakes(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is fixed before the secrets of a round: host and players each make it from their copy of the match.

    `entries` are the live bets (`live_bet`) or whatever else lies on the table, in any order. `state` is the digest of
    the match before the move and `action` what will be done, as canonical JSON; both may be empty.
    """

    move_number: int
    entries: tuple[str, ...] = ()
    state: str = ""
    action: str = ""
    hand: int = 0
    positions: tuple[Position, ...] = ()


class _Signed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True, gc=False):
    signature: Hex64 = ""


class Lock(_Signed, frozen=True, gc=False, tag="lock"):
    """The table: betting is over; this is the round, its roster, its stakes, and what went before."""

    round: Count
    roster: tuple[Hex32, ...]
    stakes: tuple[Entry, ...]
    digest: Hex32
    """B, over the stakes and the draw."""
    previous: Hex32
    """T of the last roll."""
    book: Hex32
    """The digest of every event before this one: whoever accepts the LOCK holds the same book."""
    move_number: Count
    state: Digest
    action: Text
    hand: Count
    positions: tuple[Position, ...]


class Commit(_Signed, frozen=True, gc=False, tag="commit"):
    """A contributor: I have chosen my secret for this context."""

    round: Count
    key: Hex32
    nonce: Count
    context: Hex32
    commitment: Hex32


class Close(_Signed, frozen=True, gc=False, tag="close"):
    """The table: these are the commitments, K is over them; object now, or never."""

    round: Count
    commits: tuple[Commit, ...]
    digest: Hex32


class Ack(_Signed, frozen=True, gc=False, tag="ack"):
    """A seat: I have seen CLOSE with K, and object to nothing."""

    round: Count
    key: Hex32


class Open(_Signed, frozen=True, gc=False, tag="open"):
    """The table: no more objections; open now."""

    round: Count


class Reveal(_Signed, frozen=True, gc=False, tag="reveal"):
    """A contributor: this was my secret."""

    round: Count
    key: Hex32
    nonce: Count
    secret: Hex32


class Roll(_Signed, frozen=True, gc=False, tag="roll"):
    """The table: this is what fell. Anyone can work it out."""

    round: Count
    faces: tuple[Face, ...]
    transcript: Hex32


class Void(_Signed, frozen=True, gc=False, tag="void"):
    """The table: the round is void, for this reason, because of these keys. Bets stand."""

    round: Count
    reason: VoidReason
    keys: tuple[Hex32, ...]


class Objection(_Signed, frozen=True, gc=False, tag="objection"):
    """A seat: my commitment is not in CLOSE (it is enclosed), or the stakes in LOCK are not those I see."""

    round: Count
    key: Hex32
    reason: Complained
    commit: Commit | None


class Silence(_Signed, frozen=True, gc=False, tag="silence"):
    """A seat's word that the bank did not open in time. It cannot be proven; everyone has a clock."""

    round: Count
    key: Hex32


class Join(_Signed, frozen=True, gc=False, tag="join"):
    """A player sits down with a bond, adds to it, or comes back after sitting out."""

    key: Hex32
    seq: Count
    chips: Chips
    salt: Hex32
    """Random: with it every book is a new one, and with the book every context."""


class Leave(_Signed, frozen=True, gc=False, tag="leave"):
    """A player stands up; the bond is handed back."""

    key: Hex32
    seq: Count


class Bet(_Signed, frozen=True, gc=False, tag="bet"):
    """A player's order about a bet; `bet` is the bet as it will lie on the table."""

    key: Hex32
    seq: Count
    verb: Verb
    bet: Entry


class End(_Signed, frozen=True, gc=False, tag="end"):
    """The table ends in good order."""

    transcript: Hex32
    book: Hex32


class Equivocation(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="equivocation"):
    """A proof: two different messages where one signer may send only one. It convinces anyone who has the terms."""

    first: Lock | Commit | Close
    second: Lock | Commit | Close


Message = Lock | Commit | Close | Ack | Open | Reveal | Roll | Void | Objection | Silence | Join | Leave | Bet | End
Event = Message | Equivocation
"""Every message and proof that can change a table."""

M = TypeVar("M", bound=Message)

_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(Event).decode


def write_message(message: Event) -> bytes:
    """Return the bytes of a message on the wire."""
    return _encode(message)


def read_message(data: bytes) -> Event:
    """Return the message that bytes hold, or raise `BadDocument`."""
    if not isinstance(data, bytes) or len(data) > MESSAGE_MAX:
        raise BadDocument(f"a message is up to {MESSAGE_MAX} bytes")
    try:
        message: Event = _decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadDocument(f"the message cannot be read: {error!s:.200}") from None
    if write_message(message) != data:
        raise BadDocument("the message is not in canonical form")
    return message


@lru_cache(maxsize=1024)
def key_bytes(key: str) -> bytes:
    """Return the bytes of a public key; they come up in every message."""
    return unhex(key)


def unhex(text: str, size: int | None = 32) -> bytes:
    """Return the bytes of a field; what is not lower-case hex, and of that size if it has one, is refused."""
    try:
        data = bytes.fromhex(text)
    except (ValueError, TypeError):
        data = b""
    if data.hex() != text or (size is not None and len(data) != size):
        refuse("unreadable", f"{size or 'some'} bytes in lower-case hex go here")  # not what came: it may be a secret
    return data


def stakes_of(lock: Lock) -> Stakes:
    """Return what a LOCK says about the table, for comparing with what one sees."""
    return Stakes(lock.move_number, lock.stakes, lock.state, lock.action, lock.hand, lock.positions)


def in_order(stakes: Stakes) -> Stakes:
    """Return the same stakes in the order in which a LOCK lists them."""
    positions = sorted(stakes.positions, key=lambda place: place.key)
    return msgspec.structs.replace(stakes, entries=tuple(sorted(stakes.entries)), positions=tuple(positions))


def stakes_bytes(stakes: Stakes, session_id: int, book: bytes) -> bytes:
    """Return B of a round: the digest over the entries and the draw they wait for."""
    state = unhex(stakes.state) if stakes.state else b""
    draw = draw_entry(session_id, stakes.move_number, state, stakes.action.encode(), book)
    return stakes_digest([*(unhex(entry, None) for entry in stakes.entries), draw])


def to_sign(message: Message, game_id: bytes, *, context: bytes = b"", commits: bytes = b"") -> bytes:
    """Return the bytes that go under a message. LOCK, VOID, objections need C; whatever follows CLOSE, K."""
    match message:
        case Commit(key=key, nonce=nonce):
            c = unhex(message.commitment)
            return encode("craps/sig-commit/1", unhex(message.context), key_bytes(key), u64(nonce), c)
        case Reveal(key=key, nonce=nonce):
            secret = unhex(message.secret)
            return encode("craps/sig-reveal/1", commits, key_bytes(key), u64(nonce), secret)
        case Lock(round=number):  # the round is beside its context, so that two LOCKs of one round are a proof
            places = [(key_bytes(place.key), place.stake, place.win_max) for place in message.positions]
            book = unhex(message.book)
            positions = [field for key, stake, win in places for field in (key, u64(stake), u64(win))]
            return encode("craps/sig-lock/1", game_id, u64(number), context, book, u64(message.hand), *positions)
        case Close(round=number):
            digest = unhex(message.digest)
            return encode("craps/sig-close/1", game_id, u64(number), digest)
        case Ack(round=number, key=key):
            owner = key_bytes(key)
            return encode("craps/sig-ack/2", game_id, u64(number), commits, owner)
        case Open(round=number):
            return encode("craps/sig-open/2", game_id, u64(number), commits)
        case Roll(round=number):
            transcript = unhex(message.transcript)
            dice = b"".join([fixed(face, 1) for face in message.faces])
            return encode("craps/sig-roll/1", game_id, u64(number), commits, transcript, dice)
        case Void(round=number, reason=reason):
            blamed = map(key_bytes, message.keys)
            return encode("craps/sig-void/1", game_id, u64(number), context, reason.encode("ascii"), *blamed)
        case Objection(key=key, reason=reason):
            c = unhex(message.commit.commitment) if message.commit else b""
            return encode("craps/sig-object/1", context, key_bytes(key), reason.encode("ascii"), c)
        case Silence(round=number, key=key):
            owner = key_bytes(key)
            return encode("craps/sig-silence/1", game_id, u64(number), commits, owner)
        case Join(key=key, seq=seq):
            salt = unhex(message.salt)
            return encode("craps/sig-join/1", game_id, key_bytes(key), u64(seq), u64(message.chips), salt)
        case Leave(key=key, seq=seq):
            return encode("craps/sig-leave/1", game_id, key_bytes(key), u64(seq))
        case Bet(key=key, seq=seq, verb=verb):
            bet = unhex(message.bet, None)
            return encode("craps/sig-bet/1", game_id, key_bytes(key), u64(seq), verb.encode("ascii"), bet)
        case End():
            return encode("craps/sig-end/1", game_id, unhex(message.transcript), unhex(message.book))


def signed(signer: Signer, message: M, game_id: bytes, *, context: bytes = b"", commits: bytes = b"") -> M:
    """Return the message with its signature."""
    signature = signer.sign(to_sign(message, game_id, context=context, commits=commits))
    return msgspec.structs.replace(message, signature=signature.hex())


def check_signature(verifier: Verifier, key: str, message: bytes, signature: str) -> None:
    """Refuse unless the owner of the key signed the message. Nothing is stored before this."""
    if not verifier.verify(key_bytes(key), message, unhex(signature, SIGNATURE_LENGTH)):
        refuse("bad_signature", f"the signature of {key[:16]}… does not hold")


def check_signed(
    verifier: Verifier, key: str, message: Message, game_id: bytes, *, context: bytes = b"", commits: bytes = b""
) -> None:
    """Refuse unless the owner of the key signed what the message says."""
    signed = to_sign(message, game_id, context=context, commits=commits)
    check_signature(verifier, key, signed, message.signature)
