"""Errors of the client: refusals by the server, and no answer at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.engine.plain import UNREADABLE
from croupier.errors import CroupierError

PROBLEM = ("type", "title", "status", "code", "detail")
"""Members that every problem+json of a server has; others are the problem's own."""
PASSING = {429, 502, 503, 504}
"""Statuses after which a request is retried; while a server starts, two of them come from the proxy before it."""


class ApiError(CroupierError):
    """The server refused. `reason` is its stable code, `status` that of HTTP (0 over a live connection)."""

    code = "api_error"

    def __init__(self, reason: str, detail: str, status: int = 0, extra: Mapping[str, Any] | None = None) -> None:
        self.reason = reason
        self.detail = detail
        self.status = status
        self.extra = dict(extra or {})
        super().__init__(f"{reason}: {detail}")

    @classmethod
    def read(cls, body: bytes | bytearray, status: int) -> ApiError:
        """Return the error that an answer tells, which may be none of a croupier server."""
        try:
            said = msgspec.json.decode(body, type=dict[str, Any])
            extra = {name: value for name, value in said.items() if name not in PROBLEM}
            return cls(str(said["code"]), str(said["detail"]), status, extra)
        except (*UNREADABLE, KeyError):
            return cls("not_ours", f"the answer {status} is none of a croupier server", status)


class ServerGone(CroupierError):
    """The server cannot be reached, and has been tried often enough."""

    code = "server_gone"
