"""Records: all that a replay needs, in one canonical file; the record's digest, which seals it, is made here.

A record holds the seed and where it came from, the options, the players, the actions, and the digest of the state at
every version. `verify` works it all out again and names the first thing that differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import msgspec

from croupier.engine.checks import check_match
from croupier.engine.game import Game
from croupier.engine.model import Action, LogEntry, Match, Player
from croupier.engine.plain import canonical, state_digest
from croupier.engine.records.documents import read_json
from croupier.engine.records.seed_checks import KeptFile, seed_checks
from croupier.engine.registry import get_game
from croupier.engine.transition import apply_action, create_match
from croupier.engine.turn import Refusal
from croupier.errors import BadDocument, BadGame, CroupierError, RecordMismatch, WrongSchema
from croupier.fairness import SeedPair
from croupier.fairness.seeds import Check, read_hex
from croupier.rng import GameRng

RECORD_SCHEMA = 1


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One match, from its seed to its last action. `digests[v]` is the digest of the state at version v."""

    schema: int
    game_id: str
    rules_version: int
    match_id: str
    session_id: int
    players: tuple[Player, ...]
    starting_player: str
    options: dict[str, Any]
    seed: str
    actions: tuple[Action, ...]
    digests: tuple[str, ...]
    record_digest: str
    seeds: tuple[str, ...] = ()
    """The host's seed for each move, in hex; empty text where the move used the seed of the match."""
    commitments: SeedPair | None = None
    """Origin of the seed, if it was committed to beforehand. Then there are no `seeds`."""
    stake: int = 0
    """The opening stake of a session."""
    super: bool = False
    """Whether it was a super session."""


class Verification(msgspec.Struct, frozen=True):
    """The outcome of `verify`: every check in order, up to and including the first that failed."""

    checks: tuple[Check, ...]
    version: int | None = None
    """The first version that differs, where one does."""
    match: Match[Any] | None = None
    """The match as re-executed, as far as it went."""

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return all(check.ok is not False for check in self.checks)

    @property
    def is_compared(self) -> bool:
        """Whether it was compared with what the player kept: only then is it the round that was played."""
        return any(check.name == "kept" and check.ok for check in self.checks)

    @property
    def problem(self) -> str | None:
        """The first difference, in words."""
        return next((check.text for check in self.checks if check.ok is False), None)


def make_record(
    game: Game[Any], start: Match[Any], log: Iterable[LogEntry], *, commitments: SeedPair | None = None
) -> MatchRecord:
    """Return the record of a match from its first state and its log. The states are worked out anew on the way.

    A match that does not follow from its seed and its log, such as a position set up by hand, has no record.
    """
    check_match(game, start)
    if start.version != 0:
        raise BadDocument(f"a record begins with version 0, this match is at version {start.version}")
    entries = tuple(log)
    if [entry.version for entry in entries] != list(range(1, len(entries) + 1)):
        raise BadDocument("the log does not lead from version 0 on without a gap")
    stake, super_mode = game.opening(start)
    has_seeds = any(entry.seed is not None for entry in entries)
    if has_seeds and commitments is not None:
        raise BadDocument(
            "moves with seeds of their own do not follow from a commitment: a record has one or the other"
        )
    record = MatchRecord(
        schema=RECORD_SCHEMA,
        game_id=game.id,
        rules_version=start.rules_version,
        match_id=start.match_id,
        session_id=start.rng_state.session_id,
        players=start.players,
        starting_player=start.turn.current,
        options=msgspec.to_builtins(start.options),
        seed=start.rng_state.seed,
        actions=tuple(entry.action for entry in entries),
        digests=(),
        record_digest="",
        seeds=tuple(entry.seed or "" for entry in entries) if has_seeds else (),
        commitments=commitments,
        stake=stake,
        super=super_mode,
    )
    digests = tuple(state_digest(state) for state in _states(game, record))
    if digests[0] != state_digest(start):
        raise BadDocument("the match does not begin as its seed, players and options say: it was set up by hand")
    return _sealed(msgspec.structs.replace(record, digests=digests))


def write_record(record: MatchRecord) -> bytes:
    """Return the bytes of a record file. There is one way to write a record; other bytes do not verify."""
    return canonical(record)


def read_record(data: bytes | str) -> MatchRecord:
    """Return the record that a file holds, or raise `BadDocument` saying what is wrong with it."""
    head: dict[str, Any] = read_json(data, dict[str, Any], "record")
    schema = head.get("schema")
    if type(schema) is not int:
        raise BadDocument("the record does not say its schema")
    if schema != RECORD_SCHEMA:
        raise WrongSchema(f"the record has schema {schema}, this croupier reads {RECORD_SCHEMA}")
    record: MatchRecord = read_json(data, MatchRecord, "record")
    raw = data.encode() if isinstance(data, str) else bytes(data)
    written = write_record(record)
    if raw != written:
        place = next(
            (i for i, (a, b) in enumerate(zip(raw, written, strict=False)) if a != b), min(len(raw), len(written))
        )
        raise BadDocument(f"the record is not in canonical form: byte {place} differs from how croupier writes it")
    return record


def replay(record: MatchRecord, *, game: Game[Any] | None = None, force: bool = False) -> tuple[Match[Any], ...]:
    """Return every state of a record, or raise `RecordMismatch` at the first version that differs.

    A record of other rules than the installed ones is refused, unless `force` says to try.
    """
    states = []
    for version, state in enumerate(_states(_game_of(record, game, force=force), record)):
        if problem := _differs(record, version, state):
            raise RecordMismatch(problem, version)
        states.append(state)
    _check_length(record, len(states))
    return tuple(states)


def verify(
    record: MatchRecord | bytes | str,
    *,
    game: Game[Any] | None = None,
    force: bool = False,
    kept: KeptFile | None = None,
) -> Verification:
    """Re-execute a record and return what was checked: form, commitment, seed, every state, the record's own digest.

    A record by itself can only be consistent. With `kept`, the player's notes, it is compared with what they saw.
    """
    if not isinstance(game, Game | None):
        raise BadGame(f"verify takes a game with an id, such as ShutTheBox(), not {game!r}")
    checks: list[Check] = []
    try:
        if not isinstance(record, MatchRecord):
            record = read_record(record)
        checks.append(Check("form", True, f"a record of {record.game_id}, {len(record.actions)} actions"))
        rules = _game_of(record, game, force=force)
    except CroupierError as error:
        return Verification((*checks, Check("rules" if checks else "form", False, str(error))))
    checks.append(Check("rules", True, f"{rules.name}, rules version {record.rules_version}"))
    checks.extend(seed_checks(record, kept))
    if any(check.ok is False for check in checks):
        return Verification(tuple(checks))
    state = None
    version = 0
    try:
        for version, state in enumerate(_states(rules, record)):
            if problem := _differs(record, version, state):
                raise RecordMismatch(problem, version)
        _check_length(record, version + 1)
    except RecordMismatch as error:
        checks.append(Check("moves", False, str(error)))
        return Verification(tuple(checks), error.version, state)
    except CroupierError as error:
        checks.append(Check("moves", False, f"the match cannot be set up: {error}"))
        return Verification(tuple(checks), 0, state)
    checks.append(Check("moves", True, f"all {version + 1} states re-executed to the digests on record"))
    seal = _sealed(record).record_digest
    matches = seal == record.record_digest
    text = f"record digest {seal}" if matches else f"the record hashes to {seal}, but says {record.record_digest}"
    checks.append(Check("seal", matches, text))
    return Verification(tuple(checks), match=state)


def _game_of(record: MatchRecord, game: Game[Any] | None, *, force: bool) -> Game[Any]:
    rules = get_game(record.game_id) if game is None else game
    if rules.id != record.game_id:
        raise BadDocument(f"this is a record of {record.game_id!r}, not of {rules.id!r}")
    if record.rules_version not in (rules.rules_version, *rules.older_rules) and not force:
        raise BadDocument(
            f"the record follows version {record.rules_version} of the rules of {rules.id}; "
            f"installed is version {rules.rules_version}"
        )
    return rules


def _states(game: Game[Any], record: MatchRecord) -> Iterator[Match[Any]]:
    """Yield the states of a record, worked out from its seed and actions alone."""
    seeds = [read_hex(text) if text else None for text in record.seeds]
    if seeds and (len(seeds) != len(record.actions) or not any(seeds)):
        raise BadDocument(f"seeds are one an action, of {len(record.actions)}, and left out where all are the match's")
    state = _first_state(game, record)
    yield state
    for version, action in enumerate(record.actions, 1):
        try:
            answer = apply_action(game, state, action, seed=seeds[version - 1] if seeds else None)
        except CroupierError as error:
            raise RecordMismatch(f"action {version} ({action.type}) cannot be played: {error}", version) from error
        if not answer.ok:
            raise RecordMismatch(f"action {version} ({action.type}) is refused: {answer.error}", version)
        if canonical(answer.action) != canonical(action):
            raise RecordMismatch(f"action {version} is on record as {action}, which means {answer.action}", version)
        state = answer.state
        yield state


def begin_again(
    game: Game[Any], record: MatchRecord, *, seed: bytes | None = None, rng: GameRng | None = None
) -> Match[Any]:
    """Return a new match that begins as a record says, from its seed unless another seed or a stream is given."""
    return create_match(
        game,
        record.players,
        seed=read_hex(record.seed) if seed is None else seed,
        session_id=record.session_id,
        match_id=record.match_id,
        starting_player=record.starting_player,
        options=record.options,
        rng=rng,
        host=game.terms(record.stake, record.super),
    )


def _first_state(game: Game[Any], record: MatchRecord) -> Match[Any]:
    try:
        state = begin_again(game, record)
    except Refusal as no:
        raise RecordMismatch(f"the match cannot begin: {no.sentence}", 0) from None
    if state.players != record.players or canonical(state.options) != canonical(record.options):
        raise RecordMismatch("the players or the options are not on record as the match has them", 0)
    if game.opening(state) != (record.stake, record.super):
        raise RecordMismatch("the stake or the super mode on record is not what the match began with", 0)
    # A record of older rules, or read by force, is compared with the digests that its own rules made.
    return msgspec.structs.replace(state, rules_version=record.rules_version)


def _check_length(record: MatchRecord, count: int) -> None:
    if len(record.digests) != count:
        raise RecordMismatch(f"there are {count} states, but {len(record.digests)} digests", count)


def _differs(record: MatchRecord, version: int, state: Match[Any]) -> str | None:
    if version >= len(record.digests):
        return f"version {version} has no digest on record"
    digest = state_digest(state)
    found = record.digests[version]
    return None if digest == found else f"version {version} has the digest {digest}, but {found} is on record"


def _sealed(record: MatchRecord) -> MatchRecord:
    """Return the record with the digest of everything else in it."""
    plain = msgspec.to_builtins(record)
    del plain["record_digest"]
    return msgspec.structs.replace(record, record_digest=sha256(canonical(plain)).hexdigest())
