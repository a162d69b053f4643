"""Sessions of the house as documents: the match is saved as the engine saves any match, so its migrations apply."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.engine import deserialize_match, get_game, serialize_match
from croupier.engine.plain import canonical
from croupier.engine.records.documents import read_json
from croupier.errors import BadDocument, WrongSchema
from croupier.house.session import Session

SESSION_SCHEMA = 1
_NAMES = set(Session.__struct_fields__) - {"match"}  # a match's state has the types of its game


class _Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    session: dict[str, Any]
    match: msgspec.Raw


for _kind in (_Form, Session):
    msgspec.json.Decoder(_kind)  # learns the type once: threads that do so at the same time crash msgspec


def write_session(session: Session) -> bytes:
    """Return a session as canonical JSON."""
    fields = {name: getattr(session, name) for name in session.__struct_fields__ if name != "match"}
    if not session.reserved:  # as it was written before there was such a field
        del fields["reserved"]
    match = None if session.match is None else msgspec.Raw(serialize_match(session.match).encode())
    return canonical({"schema": SESSION_SCHEMA, "session": fields, "match": match})


def read_session(data: bytes) -> Session:
    """Return the session that `write_session` wrote, or raise `BadDocument`."""
    form: _Form = read_json(data, _Form, "session")
    if form.schema != SESSION_SCHEMA:
        raise WrongSchema(f"the session has schema {form.schema}, this croupier reads {SESSION_SCHEMA}")
    if form.session.keys() | {"reserved"} != _NAMES:
        raise BadDocument(f"a session has {sorted(_NAMES)}, this one {sorted(form.session)}")
    try:
        session = msgspec.convert(form.session, Session)
    except msgspec.ValidationError as error:
        raise BadDocument(f"the session has the wrong shape: {error}") from None
    game = get_game(session.game_id)
    options = None if session.options is None else game.read_options(session.options)
    match = None if bytes(form.match) == b"null" else deserialize_match(bytes(form.match), game)
    return replace(session, options=options, match=match)
