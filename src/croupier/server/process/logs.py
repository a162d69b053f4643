"""Logs: one JSON object a line, for machines to read, and nothing in them that lets anybody in or tells a draw.

No part of the server logs a token, a seed or a recovery key. In case one ends up in a sentence all the same, such as
that of an exception, whatever is as long and as random as one of them is blotted out.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from typing import Any, TextIO

import msgspec

HIDDEN = "[hidden]"
# 32 random bytes are 64 digits of hex, or 43 characters of base64.
_SECRET = re.compile(r"[0-9A-Fa-f]{48,}|[A-Za-z0-9_-]{40,}=*")
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


def blotted(text: str) -> str:
    """Return text with everything hidden that could be a secret.

    >>> blotted("token " + "Zm9vYmFy" * 6 + " of ann")
    'token [hidden] of ann'
    """
    return _SECRET.sub(HIDDEN, text)


class JsonLines(logging.Formatter):
    """Makes a line of a record: time in milliseconds, level, who speaks, what, and the record's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "at": int(record.created * 1000),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": blotted(record.getMessage()),
        }
        for key, value in vars(record).items():
            if key not in _USUAL:
                line[key] = value if isinstance(value, (int, float, bool)) else blotted(str(value))
        if record.exc_info:
            line["error"] = blotted("".join(traceback.format_exception(*record.exc_info)))
        return msgspec.json.encode(line).decode()


def set_up_logs(level: str, stream: TextIO | None = None) -> None:
    """Send everything that is logged from `level` on to standard error, or another stream.

    The web server itself says nothing below a warning: its lines hold addresses, and addresses hold tickets.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "litestar"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)
