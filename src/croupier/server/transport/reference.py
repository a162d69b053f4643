"""The reference of the API for people: one plain page, made from the operations."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from croupier.server.operations.declaration.operation import Operation
from croupier.server.problems import PROBLEMS
from croupier.server.transport.openapi import PREFIX, codes_of

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
