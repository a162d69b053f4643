"""Addresses and hosts: where a request comes from, behind proxies too, and under which name the server was called.

A page of another site can have its own name point at this server (DNS rebinding); its requests then come from "our own"
pages. So a server answers to names that it knows, and to no others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import msgspec

from croupier.server.problems import Problem
from croupier.server.settings import Settings

LOCAL = ("localhost", "127.0.0.1", "::1")
Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]


def client_address(peer: str, forwarded: Iterable[str], proxies: Iterable[str]) -> str:
    """Return the last address, from the right, that is no proxy of ours: what stands left of it anybody can write.

    >>> client_address("10.0.0.1", ["6.6.6.6, 192.0.2.7", "10.0.0.9"], ["10.0.0.0/8"])
    '192.0.2.7'
    >>> client_address("192.0.2.7", ["6.6.6.6"], ["10.0.0.0/8"])
    '192.0.2.7'
    >>> client_address("::ffff:10.0.0.1", ["192.0.2.7"], ["10.0.0.0/8"])
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


@lru_cache(maxsize=4096)
def address_key(host: str) -> str:
    """Return what requests from an address are counted under: of IPv6 the network, since anyone has all of one.

    >>> address_key("192.0.2.7"), address_key("2001:db8:1:2:3:4:5:6"), address_key("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::', '192.0.2.7')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> 64 << 64))


def source_of(scope: Mapping[str, Any], settings: Settings) -> tuple[str, bool]:
    """Return the address that a request comes from, and whether its connection is the client's own and no proxy's."""
    peer = scope["client"][0] if scope.get("client") else ""
    if not settings.proxies or not _is_in(peer, [ip_network(each) for each in settings.proxies]):
        return peer, True
    told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return client_address(peer, told, settings.proxies), False


def _is_in(address: str, networks: Iterable[Any]) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:  # a socket for both kinds of addresses
        found = found.ipv4_mapped
    return any(found in network for network in networks)


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
        host = next((value for name, value in scope.get("headers", ()) if name == b"host"), b"").decode("latin-1")
        if host and not host_allowed(host, settings):
            refusals["wrong_host"] = refusals.get("wrong_host", 0) + 1
            if scope["type"] == "websocket":
                await receive()  # websocket.connect
            await refuse(scope, send, Problem("wrong_host"))
            return
        address, is_own = source_of(scope, settings)
        if not is_own:
            scope["client"] = (address, 0)
        await app(scope, receive, send)

    return serve


async def refuse(scope: MutableMapping[str, Any], send: Any, problem: Problem) -> None:
    """Answer a request, or a live connection that is not let in, with the same body as everywhere."""
    prefix = "http.response"
    if scope["type"] == "websocket":
        prefix = "websocket.http.response"
        if prefix not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 4000 + problem.status % 1000})
            return
    body = msgspec.json.encode(problem.body)
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"retry-after", b"1")] if problem.status == 503 else []
    await send({"type": f"{prefix}.start", "status": problem.status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": body})
