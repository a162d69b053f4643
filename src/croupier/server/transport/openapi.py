"""The OpenAPI 3.1 document, and the reference for people, one plain page: made from the operations and their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import msgspec
from msgspec import Struct

from croupier import __version__
from croupier.server.operations.declaration.operation import Operation
from croupier.server.operations.declaration.registry import TAGS
from croupier.server.problems import PROBLEMS, Problem

PREFIX = "/api/v1"
_REF = "#/components/schemas/{name}"


class ProblemBody(Struct, frozen=True):
    """Why a request was refused (RFC 9457). `code` is stable; some codes bring more fields, such as `version`."""

    type: str
    title: str
    status: int
    code: str
    detail: str


def codes_of(operation: Operation) -> tuple[str, ...]:
    """Return the codes that a request for an operation can be refused with, the rules' own aside."""
    codes = ["too_many_requests", "overloaded", "store_unavailable", "shutting_down", "internal", "bad_token"]
    codes += ["bad_request", "account_closed", "not_found", *(code for code, _ in operation.field_codes.values())]
    if operation.role != "anyone":
        codes += ["no_token"]
    if operation.role == "operator":
        codes += ["forbidden"]
    if operation.is_change:
        codes += ["bad_origin", "length_required", "too_large", "wrong_type", "conflict"]
        codes += ["frozen"] if operation.role != "operator" else []
        codes += ["key_reused"] if _takes_key(operation) else []
    return tuple(sorted({*codes, *operation.codes}))


def _takes_key(operation: Operation) -> bool:
    return operation.is_change and not operation.shows_secret and operation.role != "anyone"


def openapi_document(operations: Sequence[Operation]) -> dict[str, Any]:
    """Return the document of an API with these operations."""
    kinds = [each.returns for each in operations] + [ProblemBody]
    kinds += [each.body for each in operations if each.body is not None]
    queries = [each.query for each in operations if each.query is not None]
    schemas, components = msgspec.json.schema_components([*kinds, *queries], ref_template=_REF)
    by_kind = dict(zip(map(id, [*kinds, *queries]), schemas, strict=True))
    paths: dict[str, Any] = {}
    refusals: dict[str, Any] = {}
    for each in operations:
        entry = _operation(each, by_kind, components, refusals)
        paths.setdefault(PREFIX + each.path, {})[each.method.lower()] = entry
    for schema in components.values():
        for field in schema.get("properties", {}).values():
            if not re.search(field.get("pattern", ""), str(field.get("default", ""))):
                field.pop("default", None)  # left out is how it says nothing: an empty word does not fit
    for query in queries:
        components.pop(query.__name__, None)  # its fields are parameters
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
        "servers": [{"url": "/", "description": "The server that this document comes from."}],
        "tags": [{"name": tag, "description": text} for tag, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": refusals,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(
    operation: Operation, by_kind: dict[int, Any], components: dict[str, Any], refusals: dict[str, Any]
) -> dict[str, Any]:
    parameters = [_path_parameter(name) for name in operation.in_path]
    if operation.query is not None:
        parameters += _query_parameters(components[operation.query.__name__])
    if _takes_key(operation) and not operation.is_keyed:
        parameters.append(_KEY)
    parameters += [_HEADERS[name] for name in operation.in_header.values()]
    entry: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": parameters,
        "responses": {
            str(operation.status): {
                "description": "Done.",
                "content": {"application/json": {"schema": by_kind[id(operation.returns)]}},
            },
            **_refusals(codes_of(operation), refusals),
        },
        "security": {"anyone": [{}, {"token": []}]}.get(operation.role, [{"token": []}]),
    }
    if operation.body is not None:
        content = {"schema": by_kind[id(operation.body)], "example": operation.example}
        entry["requestBody"] = {"required": True, "content": {"application/json": content}}
    return entry


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


def _path_parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": "^[0-9A-Za-z_.:-]+$", "minLength": 1, "maxLength": 64}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(schema: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for name, kind in schema["properties"].items():
        # Left out is how a query says nothing: null is not a word of it.
        choices = [choice for choice in kind.get("anyOf", ()) if choice != {"type": "null"}]
        plain = {**choices[0]} if choices else {key: value for key, value in kind.items() if key != "anyOf"}
        is_needed = name in schema.get("required", ())
        found.append({"name": name, "in": "query", "required": is_needed, "schema": plain})
    return found


_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Makes the request happen once: the same key and request get the same answer for 24 hours.",
    "schema": {"type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": 64},
}

_HEADERS = {
    "croupier-share": {
        "name": "Croupier-Share",
        "in": "header",
        "required": True,
        "description": "The token of the link that the player has given away, 64 digits of hex.",
        "schema": {"type": "string", "maxLength": 128},
    }
}


# For people.

_WHO = {"anyone": "anyone", "player": "who has a token", "operator": "operators"}


def reference_page(operations: Sequence[Operation]) -> str:
    """Return the page."""
    tags = dict.fromkeys(each.tag for each in operations)
    parts = [
        f"<h2>{escape(tag)}</h2>{''.join(_section(each) for each in operations if each.tag == tag)}" for tag in tags
    ]
    codes = "".join(
        f"<tr><td><code>{code}</code></td><td>{status}</td><td>{escape(text)}</td></tr>"
        for code, (status, text) in PROBLEMS.items()
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>croupier: the API</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/start.css"></head><body><main><h1>The API</h1>'
        "<p>Requests and answers are JSON. A token goes into <code>Authorization: Bearer …</code>. "
        f'Programs read the same in <a href="{PREFIX}/openapi.json">the OpenAPI document</a>. '
        '<a href="/">Back to the start</a>.</p>'
        f"{''.join(parts)}<h2>problems</h2><table><tr><th>code</th><th>status</th><th>meaning</th></tr>{codes}</table>"
        "</main></body></html>"
    )


def _section(each: Operation) -> str:
    example = "" if each.body is None else f"<pre>{escape(msgspec.json.encode(each.example).decode())}</pre>"
    codes = ", ".join(f"<code>{code}</code>" for code in codes_of(each) if code in each.codes)
    problems = f" Refused with {codes}." if codes else ""
    return (
        f'<section id="{each.name}"><h3><code>{each.method} {escape(PREFIX + each.path)}</code></h3>'
        f"<p>{escape(each.summary)} For {_WHO[each.role]}.{problems}</p>{example}</section>"
    )
