"""Seed checks: where a record's seed came from, compared with itself, and against what the player kept.

A record alone can only be consistent. Whether it is the round that was played is decided by what the player wrote down
before and during it: the receipt of the commitment, the client seed, what was asked for. `Kept` is one such note,
`KeptFile` the file of them that the page and the client write and `croupier verify --kept` reads. The page makes the
same checks in JavaScript, with the same names and the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from croupier.engine.plain import canonical
from croupier.engine.records.documents import read_json
from croupier.errors import BadDocument, BadSeed, WrongSchema
from croupier.fairness import SeedPair
from croupier.fairness.seeds import (
    EXTENSION,
    SECRET_LENGTH,
    WEAK_BELOW,
    Check,
    Receipt,
    read_hex,
    receipt_message,
    seat_commitment,
    seats_digest,
    u64,
)
from croupier.fairness.versions import LogHead

if TYPE_CHECKING:
    from croupier.engine.records.record import MatchRecord

KEPT_SCHEMA = 1


class Kept(Receipt, frozen=True, omit_defaults=True):
    """A player's note about one session or room: the receipt first, then their own part, then what they asked for."""

    kind: Literal["session", "room"]
    client_seed: str = ""
    seat: int = 0
    player_id: str = ""
    secret: str = ""
    seats_digest: str = ""
    room: str = ""
    table_digest: str = ""
    game: str = ""
    options: dict[str, Any] | None = None
    stake: int | None = None
    super: bool | None = None
    at: int = 0


class KeptFile(Struct, frozen=True):
    """All that was kept, and where the host's log of versions stood when it was last looked at."""

    schema: int
    kept: tuple[Kept, ...]
    log: LogHead | None = None

    def find(self, session_id: int, commitment: str = "") -> Kept | None:
        """Return what was kept about a session: the note with that commitment, else any, for every host counts from 1.

        No host escapes so: its record passes with another host's commitment only as that host's round, part for part;
        a commitment that nobody noted, under whatever key, fails by any note; and two of one host fail in `_series`.
        """
        same = [one for one in self.kept if one.session_id == session_id]
        return next((one for one in same if one.commitment == commitment), same[0] if same else None)


def read_kept(data: bytes | str) -> KeptFile:
    """Return what a file of kept receipts holds, or raise `BadDocument`."""
    found: KeptFile = read_json(data, KeptFile, "kept file")
    if found.schema != KEPT_SCHEMA:
        raise WrongSchema(f"the kept file has schema {found.schema}, this croupier reads {KEPT_SCHEMA}")
    for one in found.kept:
        try:
            _check_note(one)
        except BadSeed as error:
            raise BadDocument(f"what was kept about session {one.session_id} cannot be read: {error}") from None
    return found


def _check_note(kept: Kept) -> None:
    kept.message()
    u64(kept.log_n)
    for text in (kept.client_seed, kept.seats_digest, kept.table_digest, kept.receipt):
        read_hex(text)
    if len(read_hex(kept.secret)) not in (0, SECRET_LENGTH) or kept.seat < 0:
        raise BadSeed("the secret of a seat has 32 bytes, and its number is 0 or more")


def write_kept(kept: tuple[Kept, ...], log: LogHead | None = None) -> bytes:
    """Return the bytes of a file of kept receipts."""
    return canonical(KeptFile(KEPT_SCHEMA, kept, log))


def seed_checks(record: MatchRecord, kept: KeptFile | None = None) -> list[Check]:
    """Return the checks of where the seed came from, up to and including the first that failed."""
    found: list[Check] = []
    for check in _checks(record, kept):
        found.append(check)
        if check.ok is False:
            break
    return found


def _checks(record: MatchRecord, kept: KeptFile | None) -> Iterator[Check]:
    pair = record.commitments
    mine = None if kept is None else kept.find(record.session_id, "" if pair is None else pair.commitment)
    if pair is None:
        if mine is not None:
            yield Check("commitment", False, "you were given a commitment for this session, and the record has none")
        else:
            text = "the seed was not committed to beforehand: trust in it is trust in who drew it"
            yield Check("commitment", None, text)
        return
    if record.seeds:
        yield Check("seeds", False, "the record has seeds of its own for some moves beside the one committed to")
    problem = pair.commitment_problem(record.session_id)
    yield Check("commitment", not problem, problem or f"the server seed is the one committed to, {pair.commitment}")
    problem = pair.seed_problem(record.session_id, record.seed)
    yield Check("seed", not problem, problem or "the seed follows from both parts")
    seats = [seat.player_id for seat in pair.seats]
    if seats and ([player.id for player in record.players] != seats or record.starting_player != seats[0]):
        yield Check("players", False, "the players sit otherwise than the seats that the seed was made for")
    yield from _weaknesses(pair)
    if mine is None:
        if pair.receipt:
            message = receipt_message(read_hex(pair.commitment), pair.binding(record.session_id))
            yield _receipt(pair.host_key, message, pair.receipt)
        elif pair.host_key:
            yield Check("receipt", None, "there is no receipt: nothing shows that the host named here took part")
        if kept is not None:
            yield Check("kept", None, "nothing was kept about this session")
        return
    assert kept is not None
    yield Check("kept", True, "this session is among what was kept")
    yield _receipt(mine.host_key, mine.message(), mine.receipt)
    yield from _compared(record, pair, mine)
    yield from _starts(pair, kept, mine)
    yield from _series(kept, mine)


def _weaknesses(pair: SeedPair) -> Iterator[Check]:
    """Say what remains open although everything fits."""
    client_seed = read_hex(pair.client_seed)
    if pair.scheme == 1:
        knew = (client_seed + b"\0").startswith(EXTENSION)  # the formula put a zero behind it
        yield Check(
            "scheme",
            None,
            "scheme 1 can be attacked: a client seed made for it knows the seed from the commitment; "
            + ("this one begins with the bytes that such a seed begins with" if knew else "this one does not look so"),
        )
    if not pair.seats and len(client_seed) < WEAK_BELOW:
        size = len(client_seed)
        yield Check("strength", None, f"the client seed is weak: {size} bytes, and a host can guess fewer than 16")
    if pair.seats and not any(seat.secret for seat in pair.seats):
        yield Check("strength", None, "no player had a part in the seed: the host alone made it")
    missing = [number for number, seat in enumerate(pair.seats) if seat.commitment and not seat.secret]
    for number in missing:
        text = f"seat {number} did not open; a host in league with it could choose between two seeds"
        yield Check("seats", None, text)
    for void in pair.voids:
        text = f"a start was void because {', '.join(void.missing)} did not open"
        yield Check("void", None, f"{text}; a host in league with them could choose between two seeds")


def _receipt(host_key: str, message: bytes, receipt: str) -> Check:
    from croupier.fairness.signing import Ed25519Verifier, MissingExtra

    try:
        holds = Ed25519Verifier().verify(read_hex(host_key), message, read_hex(receipt))
    except MissingExtra:
        return Check("receipt", None, "the receipt was not checked: that takes the extra croupier[fair]")
    except BadSeed:
        holds = False
    return Check(
        "receipt", holds, "the host has signed the commitment" if holds else "the host's signature does not hold"
    )


def _compared(record: MatchRecord, pair: SeedPair, mine: Kept) -> Iterator[Check]:
    names = ("commitment", "host_key", "account", "n", "log_n", "log_head", "receipt")
    is_mine = all(getattr(pair, name) == getattr(mine, name) for name in names)
    yield Check(
        "mine",
        is_mine,
        "the commitment is the one you were given" if is_mine else "the commitment is not the one you were given",
    )
    if mine.kind == "session" and (mine.client_seed or pair.client_seed or pair.seats):
        named = pair.client_seed == mine.client_seed and not pair.seats
        text = "the client seed is the one you named" if named else "the client seed is not the one you named"
        yield Check("client seed", named, text)
    elif not mine.player_id or not mine.secret:
        yield Check("client seed", None, "you had no part in this seed")
    else:
        problem = _seat_problem(record, pair, mine)
        yield Check("client seed", problem is None, problem or "your seat's secret is the one you opened")
    differs = _asked_otherwise(record, pair, mine)
    yield Check("asked", not differs, f"{differs} not what you asked for" if differs else "it is what you asked for")


def _seat_problem(record: MatchRecord, pair: SeedPair, mine: Kept) -> str | None:
    seat = pair.seats[mine.seat] if 0 <= mine.seat < len(pair.seats) else None
    if seat is None or seat.player_id != mine.player_id:
        return "your seat has no part in the seed"
    made = seat_commitment(read_hex(mine.commitment), mine.seat, mine.player_id, read_hex(mine.secret)).hex()
    if seat.commitment != made or seat.secret not in (mine.secret, ""):
        return "your seat's secret is not the one you made"
    digest = seats_digest(read_hex(pair.commitment), read_hex(pair.table_digest), record.session_id, pair.seats).hex()
    if mine.seats_digest and mine.seats_digest != digest:
        return "the seats are not those you opened for"
    if mine.seats_digest and not seat.secret:
        return "the record says that you did not open, and you did"
    return None


def _asked_otherwise(record: MatchRecord, pair: SeedPair, mine: Kept) -> str:
    """Return the first thing that is not as asked for, or nothing."""
    if mine.game and mine.game != record.game_id:
        return "the game is"
    if mine.table_digest and mine.table_digest != pair.table_digest:
        return "the table is"
    if mine.options is not None and canonical(mine.options) != canonical(record.options):
        return "the options are"
    if mine.stake is not None and mine.stake != record.stake:
        return "the stake is"
    if mine.super is not None and mine.super != record.super:
        return "super mode is"
    return ""


def _starts(pair: SeedPair, kept: KeptFile, mine: Kept) -> Iterator[Check]:
    """Compare the starts of a room that were noted: all but the last were void, and the record has to say so."""
    same = [one for one in kept.kept if mine.room and (one.host_key, one.room) == (mine.host_key, mine.room)]
    noted = {(one.session_id, one.commitment) for one in same if one.session_id != mine.session_id}
    if noted:
        is_told = noted <= {(void.session_id, void.commitment) for void in pair.voids}
        text = "tells of every start that you saw" if is_told else "does not tell of a start that you saw"
        yield Check("starts", is_told, f"the record {text}")


def _series(kept: KeptFile, mine: Kept) -> Iterator[Check]:
    """Compare all that was kept of one host: nothing twice, no number left out, one log."""
    host = [one for one in kept.kept if one.host_key == mine.host_key]
    numbers = sorted(one.n for one in host if one.kind == "session" and one.account == mine.account)
    once = (numbers, [one.commitment for one in host], [one.session_id for one in host])
    if any(len(set(given)) < len(given) for given in once):
        yield Check("count", False, "a number or a commitment was given out twice")
    elif numbers and numbers[-1] - numbers[0] >= len(numbers):
        yield Check("count", None, "some numbers are not among what was kept: ask the host to open them")
    else:
        yield Check("count", True, "the host's commitments to you are numbered without a gap")
    heads = {(one.log_n, one.log_head) for one in host}
    if kept.log is not None and kept.log.host_key == mine.host_key:
        heads.add((kept.log.n, kept.log.head))
    is_one = len({n for n, _ in heads}) == len(heads)
    text = "the host has shown you one log of versions" if is_one else "the host has shown you two logs of versions"
    yield Check("log", is_one, text)
