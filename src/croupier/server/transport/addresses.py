"""Addresses and hosts: where a request comes from, behind proxies too, and under which name the server was called.

A page of another site can have its own name point at this server (DNS rebinding); its requests then come from "our own"
pages. So a server answers to names that it knows, and to no others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address, ip_network
from typing import Any

import msgspec

from croupier.server.problems import Problem
from croupier.server.settings import Settings

__all__ = ["client_address", "guarded", "host_allowed"]

LOCAL = ("localhost", "127.0.0.1", "::1")
Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]


def client_address(peer: str, forwarded: Iterable[str], proxies: Iterable[str]) -> str:
    """Return the last address, from the right, that is no proxy of ours: what stands left of it anybody can write.

    >>> client_address("10.0.0.1", ["6.6.6.6, 192.0.2.7", "10.0.0.9"], ["10.0.0.0/8"])
    '192.0.2.7'
    >>> client_address("192.0.2.7", ["6.6.6.6"], ["10.0.0.0/8"])
    '192.0.2.7'
    """
    networks = [ip_network(each) for each in proxies]
    line = [each.strip() for value in forwarded for each in value.split(",")]
    found = peer
    while line and _is_in(found, networks):
        try:
            found = str(ip_address(line.pop()))
        except ValueError:  # no address: the proxy itself is all that is known
            break
    return found


def _is_in(address: str, networks: Iterable[Any]) -> bool:
    try:
        return any(ip_address(address) in network for network in networks)
    except ValueError:
        return False


def host_allowed(host: str, settings: Settings) -> bool:
    """Tell whether the server answers to what the header `Host` names; its port does not matter.

    >>> [host_allowed(host, Settings()) for host in ("localhost:8000", "[::1]", "evil.example", "192.0.2.7")]
    [True, True, False, False]
    >>> [host_allowed(host, Settings(host="0.0.0.0")) for host in ("192.0.2.7:8000", "evil.example")]
    [True, False]
    """
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    name = name.lower().rstrip(".")
    if name in (*LOCAL, settings.host.lower(), *(each.lower() for each in settings.hosts)):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return settings.host in ("0.0.0.0", "::")


def guarded(app: Application, settings: Settings, refusals: MutableMapping[str, int]) -> Application:
    """Return an application that knows where requests come from, and is called by its own names alone."""

    async def serve(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        headers = scope.get("headers", ())
        host = next((value for name, value in headers if name == b"host"), b"").decode("latin-1")
        if host and not host_allowed(host, settings):
            refusals["wrong_host"] = refusals.get("wrong_host", 0) + 1
            await _refuse(scope, receive, send, Problem("wrong_host"))
            return
        if settings.proxies and scope.get("client"):
            told = [value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"]
            scope["client"] = (client_address(scope["client"][0], told, settings.proxies), 0)
        await app(scope, receive, send)

    return serve


async def _refuse(scope: MutableMapping[str, Any], receive: Any, send: Any, problem: Problem) -> None:
    prefix = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    if scope["type"] == "websocket":
        await receive()
    body = msgspec.json.encode(problem.body)
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    await send({"type": f"{prefix}.start", "status": problem.status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": body})
