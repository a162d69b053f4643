"""The OpenAPI 3.1 document, made from the table of routes and the types in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from croupier import __version__
from croupier.server.problems import PROBLEMS, Problem
from croupier.server.transport.requests import Route

__all__ = ["PREFIX", "ProblemBody", "codes_of", "openapi_document"]

PREFIX = "/api/v1"
_REF = "#/components/schemas/{name}"

_TAGS = {
    "accounts": "Who you are: tokens, names, limits of your own.",
    "games": "What there is to play, by which rules, and what it is worth.",
    "rooms": "Matches between players, people or bots.",
    "house": "Sessions against the house, with play money.",
    "operators": "For those who run the server.",
}


class ProblemBody(Struct, frozen=True):
    """Why a request was refused (RFC 9457). `code` is stable; some codes bring more fields, such as `version`."""

    type: str
    title: str
    status: int
    code: str
    detail: str


def codes_of(route: Route) -> tuple[str, ...]:
    """Return the codes that a request of a route can be refused with, the rules' own aside."""
    codes = ["too_many_requests", "overloaded", "store_unavailable", "shutting_down", "internal", "bad_token"]
    codes += ["bad_request", "account_closed", "not_found"]
    if route.role != "anyone":
        codes += ["no_token"]
    if route.role == "operator":
        codes += ["forbidden"]
    if route.is_change:
        codes += ["bad_origin", "length_required", "too_large", "wrong_type", "conflict"]
        codes += ["frozen"] if route.role != "operator" else []
        codes += ["key_reused"] if not route.shows_secret and route.role != "anyone" else []
    return tuple(sorted({*codes, *route.codes}))


def openapi_document(routes: Sequence[Route]) -> dict[str, Any]:
    """Return the document of an API with these routes."""
    kinds = [route.answer for route in routes] + [ProblemBody]
    kinds += [route.body for route in routes if route.body is not None]
    queries = [route.query for route in routes if route.query is not None]
    schemas, components = msgspec.json.schema_components([*kinds, *queries], ref_template=_REF)
    by_kind = dict(zip(map(id, [*kinds, *queries]), schemas, strict=True))
    paths: dict[str, Any] = {}
    refusals: dict[str, Any] = {}
    for route in routes:
        operation = _operation(route, by_kind, components, refusals)
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = operation
    for query in queries:
        components.pop(query.__name__, None)  # its fields are parameters
    tags = list(dict.fromkeys(route.tag for route in routes))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "croupier",
            "version": __version__,
            "summary": "The table server of croupier.",
            "description": (
                "Requests and answers are JSON. Errors are problem+json with a stable `code`. Requests that change "
                "something may carry an `Idempotency-Key`: the same key and request get the same answer for 24 hours."
            ),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "tags": [{"name": tag, "description": _TAGS.get(tag, tag)} for tag in tags],
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": refusals,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(
    route: Route, by_kind: dict[int, Any], components: dict[str, Any], refusals: dict[str, Any]
) -> dict[str, Any]:
    parameters = [_path_parameter(name) for name in _names_in(route.path)]
    if route.query is not None:
        parameters += _query_parameters(components[route.query.__name__])
    if route.is_change and not route.shows_secret and route.role != "anyone":
        parameters.append(_KEY)
    if route.takes_share:
        parameters.append(_SHARE)
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [route.tag],
        "parameters": parameters,
        "responses": {
            str(route.status): {
                "description": "Done.",
                "content": {"application/json": {"schema": by_kind[id(route.answer)]}},
            },
            **_refusals(codes_of(route), refusals),
        },
        "security": {"anyone": [{}, {"token": []}]}.get(route.role, [{"token": []}]),
    }
    if route.body is not None:
        content: dict[str, Any] = {"schema": by_kind[id(route.body)]}
        if route.name in EXAMPLES:
            content["example"] = EXAMPLES[route.name]
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
    return operation


def _refusals(codes: Iterable[str], shared: dict[str, Any]) -> dict[str, Any]:
    """Return the responses for codes, by status; the rules' own refusals are 422. What several have is shared."""
    by_status: dict[int, list[str]] = {422: []}
    for code in codes:
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    schema = {"$ref": _REF.format(name=ProblemBody.__name__)}
    responses = {}
    for status, found in sorted(by_status.items()):
        said = "; ".join(f"`{code}`: {PROBLEMS[code][1]}" for code in found)
        if status == 422:
            said = "; ".join(filter(None, (said, "the rules say no, with a code of their own")))
        content: dict[str, Any] = {"schema": schema}
        if found:
            content["example"] = Problem(found[0]).body
        name = "_".join((str(status), *found))
        shared[name] = {"description": said, "content": {"application/problem+json": content}}
        responses[str(status)] = {"$ref": f"#/components/responses/{name}"}
    return responses


def _names_in(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def _path_parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": "^[0-9A-Za-z_.:-]+$", "minLength": 1, "maxLength": 64}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(schema: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for name, kind in schema["properties"].items():
        # Left out is how a query says nothing: null is not a word of it.
        choices = [choice for choice in kind.get("anyOf", ()) if choice != {"type": "null"}]
        plain = {**choices[0]} if choices else {key: value for key, value in kind.items() if key != "anyOf"}
        found.append({"name": name, "in": "query", "required": False, "schema": plain})
    return found


_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Makes the request happen once: the same key and request get the same answer for 24 hours.",
    "schema": {"type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": 64},
}

_SHARE = {
    "name": "Croupier-Share",
    "in": "header",
    "required": True,
    "description": "The token of the link that the player has given away, 64 digits of hex.",
    "schema": {"type": "string", "maxLength": 128},
}

_DICE_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, section 7.1

EXAMPLES: dict[str, Any] = {
    "register": {"name": "Ann"},
    "recover": {"recovery_key": "p5TzUu6yCBpVXs3n6nSy1yq4h4Qh3Rr4H2o0X2G9b7E"},
    "new_recovery_key": {"recovery_key": "p5TzUu6yCBpVXs3n6nSy1yq4h4Qh3Rr4H2o0X2G9b7E"},
    "rename": {"name": "Ann II"},
    "set_limits": {"loss_day": 500, "minutes_day": 60, "excluded_until": 0},
    "new_token": {"label": "phone"},
    "create_room": {"game": "shut-the-box", "seats": 2, "bots": ["random"]},
    "set_ready": {"ready": True, "commitment": "c0ffee00" * 8},
    "open_seat": {"secret": "0badcafe" * 8},
    "add_bot": {"bot": "random"},
    "act": {"id": "4f9d1c", "expected_version": 0, "action": {"type": "roll"}},
    "answer_undo": {"agrees": True},
    "start_session": {"session_id": 7, "table": 6, "stake": 0, "client_seed": "c0ffee"},
    "move": {
        "id": "4f9d1c",
        "expected_version": 0,
        "action": {"type": "place", "payload": {"bet": "red", "stake": 100}},
    },
    "deposit": {"amount": 1000},
    "arm": {"modifier": "shield"},
    "create_dice_room": {"key": _DICE_KEY, "seats": 4},
    "send_dice": {"message": {"type": "leave", "key": _DICE_KEY, "seq": 3, "signature": "0123456789abcdef" * 8}},
    "act_at_dice": {"id": "4f9d1c", "action": {"type": "ready"}},
    "freeze_everything": {"frozen": True, "why": "moving to another machine"},
    "freeze_account": {"frozen": True, "why": "asked for by its owner"},
    "freeze_room": {"frozen": True, "why": "a dispute"},
    "set_table": {"game": "roulette", "options": {"zero_rule": "la_partage"}, "stake_min": 5, "stake_max": 500},
}
"""One request body for each route that takes one."""
