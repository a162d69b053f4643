"""Validation of JSON documents from outside: not JSON, a wrong shape or an unknown schema gets a clear error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from croupier.engine.checks import SEED_MAX, is_name, result_problem
from croupier.engine.game import Game
from croupier.engine.model import Match
from croupier.engine.plain import UNREADABLE, misread
from croupier.errors import BadDocument, BadSeed, CroupierError, GameFault, InvalidState, WrongSchema
from croupier.fairness.seeds import read_hex
from croupier.rng import MOVE_MAX, SESSION_MAX

T = TypeVar("T")

SIZE_MAX = 64 * 2**20

Migration = Callable[[dict[str, Any]], dict[str, Any]]


# The fields of a match, all of them and no others: a document leaves nothing to defaults.
_FIELDS = [(field.name, field.type) for field in msgspec.structs.fields(Match)]
_MatchForm = msgspec.defstruct("_MatchForm", _FIELDS, frozen=True, forbid_unknown_fields=True)


def read_json(data: bytes | str, kind: type[T] | Any, what: str) -> T:
    """Return a document as a value of `kind`; `what` names it in the error."""
    if not isinstance(data, (str, bytes)):
        raise BadDocument(f"a {what} is text or bytes, got {type(data).__name__}")
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > SIZE_MAX:
            raise BadDocument(f"the {what} is larger than {SIZE_MAX // 2**20} MiB")
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise BadDocument("the {} has the wrong shape: {} at {}".format(what, *misread(error))) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadDocument(f"the {what} is not JSON: {error}") from None
    except RecursionError:
        raise BadDocument(f"the {what} is nested too deeply") from None


def match_from_plain(game: Game[Any], document: Any) -> Match[Any]:
    """Return the match that a plain JSON object holds, every part checked against the game's own types."""
    try:
        fields = msgspec.structs.asdict(msgspec.convert(document, _MatchForm))
        if fields["game_id"] != game.id:
            raise BadDocument(f"this is a match of {fields['game_id']!r}, not of {game.id!r}")
        fields["options"] = game.read_options(fields["options"])
        fields["game"] = msgspec.convert(fields["game"], game.shape.type)
        match: Match[Any] = Match(**fields)
    except (*UNREADABLE, CroupierError) as error:
        raise BadDocument(f"the match has the wrong shape: {error}") from None
    if problem := _inconsistent(game, match):
        raise BadDocument(f"the match contradicts itself: {problem}")
    if not game.shape.is_frozen and (problem := game.shape.not_stored(match.game)):
        raise BadDocument(f"the state of the match cannot be played on: {problem}")
    try:
        problem = game.audit(match.game, match.options)
    except Exception as error:  # numbers that a game never made may break its arithmetic
        problem = f"{type(error).__name__}: {error}"
    if problem:
        raise InvalidState(f"no play leads to this state of {game.id}: {problem}")
    return match


def _inconsistent(game: Game[Any], match: Match[Any]) -> str | None:
    ids = [player.id for player in match.players]
    turn, rng = match.turn, match.rng_state
    if not all(map(is_name, (match.match_id, *ids, *(player.name for player in match.players)))):
        return "its id and its players' ids and names are not printable text"
    if len(set(ids)) != len(ids) or [player.seat for player in match.players] != list(range(len(ids))):
        return "its seats are not numbered in order"
    if not set(turn.order) <= set(ids) or len(set(turn.order)) != len(turn.order):
        return "the order of play names somebody who is not seated"
    if match.status == "active" and turn.current not in turn.order:
        return "the current player does not play"
    if turn.phase not in game.phases or turn.turn_number < 1:
        return "it is in a phase that the game does not have, or before the first turn"
    if (match.status == "finished") != (match.result is not None):
        return "it is finished without a result, or has a result without being finished"
    if match.result is not None and (problem := result_problem(match.result, match.players)):
        return problem
    if match.version < 0 or rng.move_number != match.version + 1 or rng.move_number >= MOVE_MAX:
        return "its version and its move number do not fit together"
    if not 0 <= rng.session_id <= SESSION_MAX:
        return "its session id is out of bounds"
    try:
        seed = read_hex(rng.seed)
    except BadSeed as error:
        return str(error)
    return None if len(seed) <= SEED_MAX else f"its seed is longer than {SEED_MAX} bytes"


def run_migrations(
    document: dict[str, Any], version: int, wanted: int, steps: Mapping[int, Migration], what: str
) -> dict[str, Any]:
    """Return the document after the pure steps from `version` to `wanted`; each takes it one version on."""
    if version > wanted:
        raise WrongSchema(
            f"the {what} has version {version}, newer than the {wanted} this croupier knows; upgrade croupier"
        )
    for number in range(version, wanted):
        if number not in steps:
            raise WrongSchema(f"the {what} has version {version}; there is no way from {number} to {number + 1}")
        try:
            document = steps[number](document)
        except Exception as error:
            raise GameFault(f"the migration of the {what} from version {number} failed: {error}") from error
    return document
