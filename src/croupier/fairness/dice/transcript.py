"""The transcript of a table: one canonical file from which anyone can work out every roll, void and forfeit again.

It holds the terms and every event that the table accepted, in order, each with its signature; beside an event stand the
chips it moved. Whoever wrote the file signs it: the table, or a player who kept the book as well.
"""

from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.errors import BadDocument, WrongSchema
from croupier.fairness.dice.answers import Movement
from croupier.fairness.dice.encoding import seal_to_sign
from croupier.fairness.dice.messages import Event, Hex32, Hex64
from croupier.fairness.dice.terms import PROTOCOL, Terms, game_id_of, read_terms, write_terms
from croupier.fairness.signing import Signer

TRANSCRIPT_SCHEMA = PROTOCOL
"""A file has the schema of the protocol that its table follows; those of protocol 1 are read as well."""
SIZE_MAX = 64 * 2**20
DOCUMENT: Literal["dice-transcript"] = "dice-transcript"


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One event, and the chips it moved."""

    event: Event
    movements: tuple[Movement, ...] = ()


class Transcript(Struct, frozen=True, forbid_unknown_fields=True):
    """A table from its terms to its last event."""

    document: Literal["dice-transcript"]
    schema: int
    terms: Terms
    entries: tuple[Entry, ...]
    writer: Hex32
    """The key of the file's writer, who vouches that nothing is left out."""
    digest: Hex32
    """SHA-256 of this document without `digest` and `signature`."""
    signature: Hex64


_encode = msgspec.json.Encoder(order="sorted").encode


def transcript_digest(transcript: Transcript) -> bytes:
    """Return the hash of everything in a transcript but its seal."""
    plain = _plain(transcript)
    del plain["digest"], plain["signature"]
    return sha256(_encode(plain)).digest()


def _plain(transcript: Transcript) -> dict[str, Any]:
    plain = {field: getattr(transcript, field) for field in transcript.__struct_fields__}
    return {**plain, "terms": write_terms(transcript.terms)}


def make_transcript(terms: Terms, entries: tuple[Entry, ...], signer: Signer) -> Transcript:
    """Return the transcript of a table, sealed by whoever writes it."""
    bare = Transcript(DOCUMENT, terms.protocol, terms, entries, signer.key, "", "")
    digest = transcript_digest(bare)
    signature = signer.sign(seal_to_sign(game_id_of(terms), digest))
    return msgspec.structs.replace(bare, digest=digest.hex(), signature=signature.hex())


def write_transcript(transcript: Transcript) -> bytes:
    """Return the bytes of a transcript file. There is one way to write it; other bytes do not verify."""
    return _encode(_plain(transcript))


def read_transcript(data: bytes | str) -> Transcript:
    """Return the transcript that a file holds, or raise `BadDocument` saying what is wrong with it."""
    try:
        raw = data.encode() if isinstance(data, str) else bytes(data)
        if len(raw) > SIZE_MAX:
            raise BadDocument(f"the transcript is larger than {SIZE_MAX // 2**20} MiB")
        head = msgspec.json.decode(raw, type=dict[str, Any])
        schema = head.get("schema")
        if type(schema) is not int or not 1 <= schema <= TRANSCRIPT_SCHEMA:
            raise WrongSchema(
                f"the transcript has another schema than 1 to {TRANSCRIPT_SCHEMA}, which this croupier reads"
            )
        if schema == 1:
            transcript = msgspec.convert({**head, "terms": read_terms(head.get("terms"))}, Transcript)
        else:
            transcript = msgspec.json.decode(raw, type=Transcript)
        if transcript.terms.protocol != schema:
            raise BadDocument(
                f"a file of schema {schema} is of a table of that protocol, not {transcript.terms.protocol}"
            )
    except msgspec.ValidationError as error:
        raise BadDocument(f"the transcript has the wrong shape: {error!s:.300}") from None
    except (msgspec.DecodeError, UnicodeError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, BadDocument):
            raise
        raise BadDocument(f"the transcript is not JSON: {error!s:.300}") from None
    written = write_transcript(transcript)
    if raw != written:
        pairs = enumerate(zip(raw, written, strict=False))
        place = next((i for i, (a, b) in pairs if a != b), min(len(raw), len(written)))
        raise BadDocument(f"the transcript is not in canonical form: byte {place} differs from how croupier writes it")
    return transcript
