"""The reference of the API for people: one plain page, made from the table of routes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from croupier.server.problems import PROBLEMS
from croupier.server.transport.openapi import EXAMPLES, PREFIX, codes_of
from croupier.server.transport.requests import Route

__all__ = ["reference_page"]

_WHO = {"anyone": "anyone", "player": "who has a token", "operator": "operators"}


def reference_page(routes: Sequence[Route]) -> str:
    """Return the page."""
    tags = dict.fromkeys(route.tag for route in routes)
    parts = [f"<h2>{escape(tag)}</h2>{_rows(routes, tag)}" for tag in tags]
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


def _rows(routes: Sequence[Route], tag: str) -> str:
    return "".join(_route(route) for route in routes if route.tag == tag)


def _route(route: Route) -> str:
    example = ""
    if route.name in EXAMPLES:
        example = f"<pre>{escape(msgspec.json.encode(EXAMPLES[route.name]).decode())}</pre>"
    codes = ", ".join(f"<code>{code}</code>" for code in codes_of(route) if code in route.codes)
    problems = f" Refused with {codes}." if codes else ""
    return (
        f'<section id="{route.name}"><h3><code>{route.method} {escape(PREFIX + route.path)}</code></h3>'
        f"<p>{escape(route.summary)} For {_WHO[route.role]}.{problems}</p>{example}</section>"
    )
