"""Escaping of text that goes into a terminal's Rich markup."""

from __future__ import annotations

import re

_TAG = re.compile(r"(\\*)\[")
_END = re.compile(r"\\+$")


def escape_markup(text: str) -> str:
    r"""Return text that a `render` can put between its own marks: a name such as `[red]` stays a name.

    >>> escape_markup("[red]Ann")
    '\\[red]Ann'
    """
    return _END.sub(lambda end: end[0] * 2, _TAG.sub(r"\1\1\\[", text))
