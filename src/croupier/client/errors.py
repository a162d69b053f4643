"""Errors of the client: refusals by the server, and no answer at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import CroupierError


class ApiError(CroupierError):
    """The server refused. `reason` is its stable code, `status` that of HTTP (0 over a live connection)."""

    code = "api_error"

    def __init__(self, reason: str, detail: str, status: int = 0, extra: Mapping[str, Any] | None = None) -> None:
        self.reason = reason
        self.detail = detail
        self.status = status
        self.extra = dict(extra or {})
        super().__init__(f"{reason}: {detail}")


class ServerGone(CroupierError):
    """The server cannot be reached, and has been tried often enough."""

    code = "server_gone"
