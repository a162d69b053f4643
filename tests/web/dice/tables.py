"""Tables of shared dice that were really played, and thousands of ways in which a book of theirs can be wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import BadDocument, BadSeed
from croupier.fairness.dice import (
    Contributor,
    DiceHost,
    Ed25519Signer,
    Ed25519Verifier,
    Event,
    HashChain,
    Reveal,
    Stakes,
    Terms,
    encoding,
)
from croupier.fairness.dice.answers import Drop, Step
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.host import Answer
from croupier.fairness.dice.machine import step
from croupier.fairness.dice.messages import (
    Ack,
    Bet,
    Close,
    Commit,
    End,
    Equivocation,
    Join,
    Leave,
    Lock,
    Objection,
    Open,
    Position,
    Roll,
    Silence,
    Void,
    VoidReason,
    in_order,
    key_bytes,
    read_message,
    stakes_bytes,
    to_sign,
    unhex,
    write_message,
)
from croupier.fairness.dice.rounds import faces_of, opens, transcript_of
from croupier.fairness.dice.table import DiceTable, Round, open_table
from croupier.fairness.dice.terms import write_terms
from tests.web.dice.room import noise, source
from tests.web.page_modules import STATIC, node

NAMES = ("ann", "bob", "cyd")
SCRIPT = Path(__file__).with_name("books.mjs")
ROUNDS = 30
CHAIN = HashChain.make(bytes(range(32)), ROUNDS)
OTHER_CHAIN = HashChain.make(bytes(32), ROUNDS)
VOID_REASONS: tuple[VoidReason, ...] = ("too_few", "commit_missing", "objected", "reveal_missing")


SIGNERS = {name: Ed25519Signer(noise(name)) for name in (*NAMES, "table", "eve")}
BY_KEY = {signer.key: signer for signer in SIGNERS.values()}


class Listening:
    """Checks Ed25519 signatures, each of them once, and remembers which held."""

    scheme = "ed25519"

    def __init__(self) -> None:
        self.held: set[str] = set()
        self._check = lru_cache(maxsize=None)(Ed25519Verifier().verify)

    def verify(self, key: bytes, message: bytes, signature: bytes) -> bool:
        holds = self._check(key, message, signature)
        if holds:
            self.held.add(f"{signature.hex()}{sha256(key + message).hexdigest()}")
        return holds


class Played(Struct):
    """A table that was played: what was told, and the table before and after each of it."""

    terms: Terms
    events: list[Any]
    tables: list[DiceTable]
    secrets: dict[tuple[int, str], bytes]
    begin: int = 0
    """Where a book may go wrong first."""


class Sitting:
    """A host and its players. Whatever `mute` names, as (player, kind of message), does not get through."""

    def __init__(self, *, bank: bool = True, bond: int = 60, **more: Any) -> None:
        terms: dict[str, Any] = {"table_bond": 500, "fee": 5, "bond_min": 3, "rounds_max": ROUNDS, **more}
        signer = SIGNERS["table"]
        end = CHAIN.end if bank else ""
        self.terms = Terms(name="t", session_id=2**60 + 1, table_key=signer.key, chain_end=end, **terms)
        self.verifier = Ed25519Verifier()
        self.host = DiceHost(self.terms, signer, self.verifier, CHAIN if bank else None)
        self.now = self.move = 0
        self.secrets: dict[tuple[int, str], bytes] = {}
        self.players = {name: Contributor(self.terms, SIGNERS[name], self.verifier, source(name)) for name in NAMES}
        for name in NAMES:
            self.say(name, self.players[name].join(bond))

    def say(self, name: str, message: Event, mute: Iterable[tuple[str, str]] = ()) -> None:
        self.tell(self.host.receive(message, self.now, name), mute)

    def tell(self, answer: Answer, mute: Iterable[tuple[str, str]] = ()) -> None:
        waiting, muted = list(answer.send), set(mute)
        while waiting:
            event = waiting.pop(0)
            for name, player in self.players.items():
                for message in player.receive(event, self.now).send:
                    if player.kept is not None:
                        self.secrets[player.kept.commit.round, player.key] = player.kept.secret
                    if (name, type(message).__name__.lower()) not in muted:
                        waiting += self.host.receive(message, self.now, name).send

    def round(
        self, *betting: str, mute: Iterable[tuple[str, str]] = (), hand: int = 0, blind: Iterable[str] = ()
    ) -> None:
        """Play a round over the bets of some; whoever is blind sees other stakes than the table."""
        self.move += 1
        places = tuple(Position(SIGNERS[name].key, 4, 20) for name in betting)
        entries = tuple(live_bet(place.key, 4, 0, 4).hex() for place in places)
        stakes = Stakes(self.move, entries, noise(str(self.move)).hex(), "{}", hand, places)
        for name, player in self.players.items():
            player.expect(replace(stakes, move_number=0) if name in blind else stakes)
        self.tell(self.host.lock(stakes, self.now), mute)
        while self.host.table.round is not None:
            self.now = self.host.deadline or self.now
            self.tell(self.host.tick(self.now), mute)

    def bet(self, name: str) -> None:
        key = SIGNERS[name].key
        self.say(name, self.players[name].bet("place", live_bet(key, 4, 0, 4)))

    def done(self, last: int = 10**6) -> Played:
        """Return what was played, with the table at every step; books go wrong in the last few events."""
        events: list[Event] = [entry.event for entry in self.host.book.entries]
        tables = [open_table(self.terms)]
        for event in events:
            answer = step(tables[-1], event, self.verifier)
            assert isinstance(answer, Step)
            tables.append(answer.table)
        return Played(self.terms, events, tables, self.secrets, max(len(events) - last, 0))


def played_tables() -> list[Played]:
    """Every way in which a round can go, at tables with a bank, without one, and with hidden cards."""
    long = Sitting()
    for name in NAMES:
        long.bet(name)
    long.round("ann", "bob", "cyd")
    long.round("ann", mute=[("cyd", "commit")])  # whose objection gets through
    long.round("ann", "bob", hand=1)
    long.round("bob", mute=[("bob", "commit"), ("bob", "objection")], hand=1)
    long.round("ann", mute=[("ann", "ack")], hand=2)
    long.round("ann", "bob", mute=[("bob", "reveal")], hand=2)
    long.round("ann", "cyd", hand=2)
    long.say("bob", long.players["bob"].leave())
    long.say("bob", long.players["bob"].join(9))
    for _ in range(3):
        long.round("ann", mute=[("bob", "commit"), ("bob", "objection")], hand=3)
    long.say("bob", long.players["bob"].join(0))
    long.round("ann", "bob", hand=4)
    long.tell(long.host.end(long.now))

    stopped = Sitting(bond=8)
    stopped.round("ann", "bob", blind=["bob"])
    stopped.round("ann", mute=[("ann", "reveal")], hand=1)
    stopped.round("cyd", blind=["cyd"], hand=2)

    free = Sitting(bank=False, bond=200, seats_max=3)
    free.round("ann", "bob")
    free.round("ann", "bob", "cyd", mute=[("cyd", "reveal")])
    free.round("ann")
    free.round("ann", mute=[("ann", "commit"), ("bob", "commit"), ("bob", "objection"), ("ann", "objection")])
    free.tell(free.host.end(free.now))

    hidden = Sitting(hidden=True, dice=1, table_pays=False, rounds_max=3)
    hidden.round("ann", "bob")
    hidden.round("ann", blind=["cyd"])
    hidden.round("ann", "cyd", hand=1)
    hidden.tell(hidden.host.end(hidden.now))

    sealed = Sitting(hidden=True)
    sealed.round("ann")
    for hand in range(1, 4):
        sealed.round("ann", blind=["bob"], hand=hand)

    # A bank whose values are of another chain than the one in its terms.
    misfits = [Sitting(), Sitting(hidden=True)]
    for one in misfits:
        one.host.chain = OTHER_CHAIN
        one.round("ann")
    misfits[1].tell(misfits[1].host.end(0))

    busy = Sitting()
    busy.round("ann")
    for _ in range(1024):
        busy.bet("ann")
    ends = [one.done() for one in (long, stopped, free, hidden, sealed, *misfits)]
    return [*ends, busy.done(last=2)]


# Books that are wrong.


class Case(Struct):
    """A book up to a place, and what follows there: texts of events."""

    table: int
    place: int
    texts: list[str]


_WAYS = (
    *("dropped", "doubled", "swapped", "strange", "earlier", "unreadable"),
    *["changed", "made", "nearly made", "in a row"] * 2,
)


def make_cases(tables: list[Played], count: int, seed: int) -> Iterator[Case]:
    """Yield books that go wrong somewhere, and go on a little."""
    rng = Random(seed)
    for _ in range(count):
        number = rng.choice((0, 0, *range(len(tables))))
        place = rng.randint(tables[number].begin, len(tables[number].events))
        events = _gone_wrong(rng, tables[number], place, tables)
        yield Case(number, place, [one if isinstance(one, str) else write_message(one).decode() for one in events])


def _gone_wrong(rng: Random, played: Played, place: int, tables: list[Played]) -> list[Any]:
    """Return events that a book goes wrong with at a place."""
    table, tail = played.tables[place], played.events[place : place + 4]
    match rng.choice(_WAYS):
        case "dropped":
            return tail[1:]
        case "doubled":
            return [*tail[:1], *tail]
        case "swapped":
            return [*reversed(tail[:2]), *tail[2:]]
        case "strange":
            return [rng.choice(rng.choice(tables).events), *tail[:2]]
        case "earlier":
            return [rng.choice(played.events[max(place - 12, 0) : place + 12]), *tail[:2]]
        case "unreadable":
            event = rng.choice(tail) if tail else _fresh(rng, played, table)
            return [_spoiled(rng, json.loads(write_message(event))), *tail[:2]]
        case "changed":  # another value in a field: as it was signed, or signed again by whoever should
            return [_with_other(rng, table, tail[0] if tail else _fresh(rng, played, table)), *tail[1:3]]
        case "made":  # nobody sent it here, and it is as well made as can be
            return [_fresh(rng, played, table), *tail[:2]]
        case "nearly made":
            return [_with_other(rng, table, _fresh(rng, played, table)), *tail[:1]]
    found, verifier = [], Ed25519Verifier()  # a few in a row, each made for the table that the one before has left
    for _ in range(rng.randint(2, 4)):
        found.append(_fresh(rng, played, table))
        table = step(table, found[-1], verifier).table
    return [*found, *tail[:1]]


def _spoiled(rng: Random, plain: dict[str, Any]) -> str:
    """The text of an event of the wrong shape, or of one that is only just right."""
    inside: Any = plain
    while rng.random() < 0.5:
        deeper = [one for one in inside.values() if isinstance(one, dict)]
        deeper += [one[0] for one in inside.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
        if not deeper:
            break
        inside = rng.choice(deeper)
    name = rng.choice(sorted(inside))
    way = rng.randrange(4)
    if way == 0:
        del inside[name]
    elif way == 1:
        inside["more"] = 0
    else:
        odd: list[Any] = [
            None, True, -1, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 0.5, "", "0", "00", "AB" * 32, "ab" * 31,
            "ab" * 32, "ab" * 33, "ab" * 64, [], [1], ["00"], [256], {}, "place",
            "constructor", "\U0001f3b2", "z" * 65537,
        ]  # fmt: skip
        inside[name] = rng.choice(odd)
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _with_other(rng: Random, table: DiceTable, event: Any) -> Any:
    if isinstance(event, Equivocation):
        return Equivocation(event.second, event.first)
    names = [name for name in event.__struct_fields__ if name != "signature"]
    name = rng.choice(names)
    try:
        other = replace(event, **{name: _other(rng, name, getattr(event, name))})
    except (ValueError, TypeError):
        other = event
    way = rng.random()
    if way < 0.25:
        return other  # under the signature of what it was
    if way < 0.35:
        return replace(other, signature=_flipped(rng, other.signature or "00" * 64))
    return sign(other, table, rng.choice(list(BY_KEY)) if way < 0.45 else None)


def _other(rng: Random, name: str, value: Any) -> Any:
    if name in ("key", "roster", "keys") and rng.random() < 0.7:
        keys = sorted(rng.sample(sorted(BY_KEY), rng.randint(0, 3)))
        return rng.choice(sorted(BY_KEY)) if name == "key" else tuple(keys)
    if name == "reason":
        return rng.choice(VOID_REASONS if value in VOID_REASONS else ("stakes_differ", "commit_dropped"))
    if name == "verb":
        return rng.choice(("raise", "lower"))
    if isinstance(value, int):
        return max(value + rng.choice((-1, 1, 1, 2, 2**33, 2**63)), 0) if name != "chips" else rng.choice((0, 1, 2**62))
    if isinstance(value, str):
        return _flipped(rng, value) if value and value != "{}" else value
    if isinstance(value, tuple) and value:
        shuffled = rng.sample(value, len(value))
        return rng.choice((value[1:], value[:-1], (*value, value[0]), tuple(shuffled)))
    if isinstance(value, Commit):
        return rng.choice((None, replace(value, nonce=value.nonce + 1)))
    return value


def _flipped(rng: Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice("0123456789abcdef") + text[at + 1 :]


def sign(message: Any, table: DiceTable, key: str | None = None) -> Any:
    """Return the message under the signature of whoever should have sent it, if it can be signed at all."""
    on = table.round
    context = on.context if on else bytes(32)
    commits = on.commit_set if on else table.sealed[-1].commit_set if table.sealed else bytes(32)
    if isinstance(message, Reveal) and table.sealed and message.round == table.sealed[-1].lock.round:
        commits = table.sealed[-1].commit_set
    owner: str = getattr(message, "key", table.terms.table_key)
    signer = BY_KEY.get(key or owner)
    try:
        if isinstance(message, Lock):
            context = table.context_of(message)
        signed = to_sign(message, table.game_id, context=context, commits=commits)
    except (Drop, BadSeed):  # a number that fits no field, or hex that is none: it stays as it was signed
        return message if message.signature else replace(message, signature="00" * 64)
    return replace(message, signature=signer.sign(signed).hex() if signer else "00" * 64)


def _fresh(rng: Random, played: Played, table: DiceTable) -> Any:
    """Return an event that could come now, of any kind; most that fit the phase are taken."""
    on = table.round
    number = on.lock.round if on else table.round_number + 1
    key = rng.choice([signer.key for name, signer in SIGNERS.items() if name != "table" or rng.random() < 0.2])
    kinds: list[Any] = [Join, Leave, Bet, End, Lock, Lock, Equivocation, Silence]
    if on is not None:
        kinds += [Commit, Commit, Close, Close, Ack, Open, Open, Reveal, Reveal]
        kinds += [Roll, Void, Void, Objection, Objection]
    kind = rng.choice(kinds)
    if kind is Equivocation:
        return _a_proof(rng, played, table)
    if kind in (Join, Leave, Bet, End, Lock, Silence):
        return sign(_between_rounds(rng, kind, table, number, key), table)
    return sign(_in_round(rng, kind, played, table, on, number, key), table)


def _between_rounds(rng: Random, kind: Any, table: DiceTable, number: int, key: str) -> Any:
    seat = table.seats.get(key)
    seq = seat.seq + 1 if seat else 0
    if kind is Join:
        return Join(key, seq, rng.choice((0, 2, 3, 5, 50, 2**63 - 1)), noise(f"{key}/{seq}").hex())
    if kind is Leave:
        return Leave(key, seq)
    if kind is Bet:
        return Bet(key, seq, "place", live_bet(key, 4, 0, 9).hex())
    if kind is End:
        return End(table.transcript, table.book.hex())
    if kind is Silence:
        return Silence(number if table.round or not table.sealed else table.sealed[-1].lock.round, key)
    hand = rng.choice([*range(5), *(seat.barred for seat in table.seats.values() if seat.barred >= 0)])
    betting = [one for one in table.seats if rng.random() < 0.5]
    places = tuple(Position(one, rng.choice((0, 4, 70)), rng.choice((0, 20, 400))) for one in betting)
    stakes = in_order(Stakes(rng.randint(0, 9), ("00ff", "00"), "", rng.choice(("", "{}")), hand, places))
    everybody = table.roster(hand, stakes.positions)
    roster = everybody if rng.random() < 0.8 else tuple(one for one in everybody if one != key)
    digest = stakes_bytes(stakes, table.terms.session_id, table.book).hex()
    entries = stakes.entries if rng.random() < 0.9 else stakes.entries[::-1]
    return Lock(
        number, roster, entries, digest, table.transcript, table.book.hex(), stakes.move_number, stakes.state,
        stakes.action, hand, stakes.positions,
    )  # fmt: skip


def _in_round(rng: Random, kind: Any, played: Played, table: DiceTable, on: Any, number: int, key: str) -> Any:
    if kind is Ack:
        return Ack(number, key)
    if kind is Open:
        return Open(number)
    if kind is Commit:
        key = rng.choice(on.lock.roster)
        nonce = (table.bank_nonce if key == table.bank else table.seats[key].nonce) + rng.choice((0, 1, 1, 1))
        secret = CHAIN.value(number) if key == table.bank and rng.random() < 0.9 else noise(f"{key}/{number}")
        return commit_to(on, key, max(nonce, 0), secret)
    if kind is Close:
        standing = on.standing() if rng.random() < 0.8 else on.standing()[1:]
        return close_over(on, standing)
    if kind is Reveal:
        return _a_reveal(rng, played, table, on, key)
    if kind is Roll and not on.seed:
        return Roll(number, (1,) * rng.randint(1, 2), noise("T").hex())
    if kind is Roll:
        faces = faces_of(table, on.seed, on.lock.move_number)
        return Roll(number, faces, transcript_of(on.commit_set, on.secrets, faces))
    if kind is Void:
        reason = rng.choice(VOID_REASONS)
        blamed = {"commit_missing": table.missing_bettors(on), "reveal_missing": on.unopened(table.bank)}
        return Void(number, reason, blamed.get(reason, ()))
    if rng.random() < 0.5:
        return Objection(number, key, "stakes_differ", None)
    commit = sign(Commit(number, key, 99, on.context.hex(), noise("c").hex()), table)
    return Objection(number, key, "commit_dropped", commit if rng.random() < 0.8 else None)


def commit_to(on: Round, key: str, nonce: int, secret: bytes) -> Commit:
    """Return a COMMIT of a round, not signed."""
    c = encoding.commitment(on.context, key_bytes(key), nonce, secret)
    return Commit(on.lock.round, key, nonce, on.context.hex(), c.hex())


def close_over(on: Round, commits: tuple[Commit, ...]) -> Close:
    """Return the CLOSE of a round over these commitments, not signed."""
    committed = [(key_bytes(one.key), one.nonce, unhex(one.commitment)) for one in commits]
    return Close(on.lock.round, commits, encoding.commit_set(on.context, committed).hex())


def _a_reveal(rng: Random, played: Played, table: DiceTable, on: Round, key: str) -> Reveal:
    number = on.lock.round
    if table.sealed and rng.random() < 0.2:
        last = table.sealed[-1]
        number, nonce = last.lock.round, last.commits[table.bank].nonce
        return Reveal(number, table.bank, nonce, CHAIN.value(number).hex())
    first = rng.choice([*on.commits.values()] or [None])
    if first is None:
        return Reveal(number, key, 0, noise("none").hex())
    guesses = [CHAIN.value(number), noise(f"{first.key}/{number}"), played.secrets.get((number, first.key), b"")]
    secret = next((one for one in guesses if one and opens(on.context, first, first.nonce, one)), guesses[0])
    return Reveal(number, first.key, first.nonce, secret.hex())


def _a_proof(rng: Random, played: Played, table: DiceTable) -> Equivocation:
    """Two messages of a table, or one of them and what its signer might have signed as well."""
    some = [one for one in played.events if isinstance(one, Lock | Commit | Close)]
    first: Any = rng.choice(some)
    way = rng.random()
    if way < 0.3:
        return Equivocation(first, rng.choice(some))
    if isinstance(first, Commit):
        if way < 0.4:  # by somebody who never sat here
            first = sign(replace(first, key=SIGNERS["eve"].key), table)
        second: Any = replace(first, commitment=noise("other").hex())
    elif isinstance(first, Close):
        second = replace(first, digest=noise("other").hex(), commits=first.commits[1:])
    elif way < 0.5:
        second = replace(first, stakes=("ff",), move_number=first.move_number + 1)  # copies: not under the signature
        return Equivocation(first, second)
    else:
        second = replace(first, hand=first.hand + 1)
    return Equivocation(first, sign(second, table) if way < 0.9 else second)


# Verdicts.


def ask_page(tables: list[Played], cases: list[Case], held: Iterable[str], every: int, folder: Path) -> dict[str, Any]:
    """Return what the page's book says: `verdicts` of all cases, and of `signed` ones by its own Ed25519."""
    given = {
        "tables": [
            {
                "terms": json.dumps(write_terms(one.terms)),
                "events": [write_message(event).decode() for event in one.events],
            }
            for one in tables
        ],
        "cases": [{"table": case.table, "place": case.place, "texts": case.texts} for case in cases],
        "held": sorted(held),
        "every": every,
    }
    file = folder / "books.json"
    file.write_text(json.dumps(given))
    found: dict[str, Any] = node(SCRIPT, STATIC, file)
    return found


def judge(played: Played, case: Case, verifier: Listening) -> list[str]:
    """Return what the machine says to each event of a case, "" for yes; how the table closed; a digest of it."""
    table = played.tables[case.place]
    found = []
    for text in case.texts:
        try:
            answer = step(table, read_message(text.encode()), verifier)
        except BadDocument:
            found.append("unreadable")
            continue
        found.append("" if answer.ok else answer.code)
        table = answer.table
    return [*found, table.closed, sha256(summary(table).encode()).hexdigest()]


def summary(table: DiceTable) -> str:
    """Return all that decides about events to come, as text; the script has the same from the page's book."""
    if table.closed:
        return f"{table.book.hex()} {table.closed}"
    on = table.round
    seats = [
        f"{key[:8]} {one.bond} {one.status} {one.nonce} {one.seq} {one.misses} {one.barred} {one.messages}"
        for key, one in sorted(table.seats.items())
    ]
    about = f"{table.round_number} {table.transcript} {table.table_bond} {table.paid_in} {table.voids}"
    chain = f"{table.bank_nonce} {table.opened_round} {table.opened_value.hex()} {len(table.sealed)}"
    lines = [table.book.hex(), about, chain, *table.contexts, *seats]
    if on is not None:
        keys = (",".join(sorted(some)) for some in (on.commits, on.out, on.acks, on.secrets))
        lines.append(f"{on.phase} {on.context.hex()} {on.commit_set.hex()} {on.seed.hex()} {' '.join(keys)}")
    return "\n".join(lines)
