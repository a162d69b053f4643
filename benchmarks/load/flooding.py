"""Floods beside a server, in a process of its own: `python -m benchmarks.load.flooding KIND URL TOKEN`.

A flood does what one guest can do from one address, as fast as it can, and if it is cut off it comes again at once. The
kind `burn:0.7` is the control: it sends nothing and takes that share of a processor. Both go on until they are ended.
"""

from __future__ import annotations

import json
import socket
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit

HELD = 500
"""How many half-sent requests are held at a time."""
BLOCK = bytes(0x10000)
UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: croupier.v1",
)


class Flood:
    """One guest: where the server is, and what lets them in."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self.host = urlsplit(url).netloc
        self.where = (urlsplit(url).hostname or "", urlsplit(url).port or 80)

    def connect(self, data: bytes, *, small: bool = False) -> socket.socket:
        """Return a connection over which something was sent."""
        made = socket.socket()
        if small:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect(self.where)
        made.sendall(data)
        return made

    def head(self, line: str, *more: str) -> bytes:
        """Return the head of a request."""
        return "\r\n".join([f"{line} HTTP/1.1", f"Host: {self.host}", *more, "", ""]).encode()

    def live(self, *, small: bool = False) -> socket.socket:
        """Return a live connection."""
        asked = urllib.request.Request(f"{self.url}/api/v1/tickets", b"{}", {"Content-Type": "application/json"})
        asked.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(asked) as answer:
            ticket = json.load(answer)["ticket"]
        made = self.connect(self.head(f"GET /api/v1/live?ticket={ticket}", *UPGRADE), small=small)
        made.recv(4096)
        return made

    def frames(self, one: bytes, first: bytes = b"", *, reads: bool = True) -> None:
        """Send a frame again and again until the server has had enough."""
        with self.live(small=not reads) as made:
            if reads:
                Thread(target=_read, args=(made,), daemon=True).start()
            made.sendall(first)
            while True:
                made.sendall(one * 1_000)

    def half_sent(self) -> None:
        """Hold many requests that never come to an end."""
        held = [self.connect(self.head("GET /")[:-2] + b"X") for _ in range(HELD)]
        while True:
            for place, made in enumerate(held):
                made.settimeout(0.001)
                with suppress(TimeoutError, ConnectionError):
                    if not made.recv(1_000):
                        held[place] = self.connect(self.head("GET /")[:-2] + b"X")

    def bodies(self) -> None:
        """Send bodies that are larger than allowed."""
        chunk = b"10000\r\n" + BLOCK + b"\r\n"
        with self.connect(self.head("POST /api/v1/accounts", "Transfer-Encoding: chunked")) as made:
            while True:
                made.sendall(chunk)

    def connections(self) -> None:
        """Come, ask for something, and go without waiting for it."""
        while True:
            self.connect(self.head("GET /api/v1/games")).close()

    def requests(self, line: str) -> None:
        """Ask for more than is allowed over one connection, without waiting for answers."""
        with self.connect(b"") as made:
            Thread(target=_read, args=(made,), daemon=True).start()
            while True:
                made.sendall(self.head(line) * 100)

    def tickets(self) -> None:
        """Ask for live connections with tickets that are none."""
        while True:
            with self.connect(self.head("GET /api/v1/live?ticket=none", *UPGRADE)) as made:
                made.recv(4096)


def _read(made: socket.socket) -> None:
    with suppress(OSError):
        while made.recv(1 << 16):
            pass


def _ping(size: int) -> bytes:
    return bytes((0x89, 0x80 | size)) + bytes(4 + size)


def _text(text: bytes) -> bytes:
    return bytes((0x81, 0x80 | len(text))) + bytes(4) + text


KINDS: dict[str, tuple[int, Callable[[Flood], None]]] = {
    "pings": (1, lambda flood: flood.frames(_ping(0))),
    "pings over eight connections": (8, lambda flood: flood.frames(_ping(1))),
    "pings whose pongs are never read": (8, lambda flood: flood.frames(_ping(125), reads=False)),
    "pongs": (1, lambda flood: flood.frames(b"\x8a\x80\0\0\0\0")),
    "pieces of a message": (8, lambda flood: flood.frames(b"\0\x80\0\0\0\0", b"\x01\x81\0\0\0\0a")),
    "messages": (8, lambda flood: flood.frames(_text(b'{"type":"ping","id":"p"}'))),
    "half-sent requests": (1, Flood.half_sent),
    "bodies that are too large": (4, Flood.bodies),
    "connections": (4, Flood.connections),
    "requests beyond the limit": (4, lambda flood: flood.requests("GET /api/v1/games")),
    "files of the page": (4, lambda flood: flood.requests("GET /")),
    "paths that are none": (4, lambda flood: flood.requests("GET /api/v1/nowhere")),
    "tickets that are none": (4, Flood.tickets),
}
"""What is flooded with: over how many threads, and what each of them does."""


def main(kind: str, url: str, token: str) -> None:
    """Flood until ended."""
    if kind.startswith("burn:"):
        _burn(float(kind.removeprefix("burn:")))
    count, act = KINDS[kind]

    def again() -> None:
        flood = Flood(url, token)
        for _ in _for_ever():
            with suppress(OSError):
                act(flood)
            time.sleep(0.01)  # a loop of refusals would only burn this process's own time

    for _ in range(count):
        Thread(target=again, daemon=True).start()
    for _ in _for_ever():
        time.sleep(1)


def _burn(share: float) -> None:
    begin = time.perf_counter()
    for _ in _for_ever():
        if time.process_time() > share * (time.perf_counter() - begin):
            time.sleep(0.002)


def _for_ever() -> Iterator[None]:
    while True:
        yield


if __name__ == "__main__":
    main(*sys.argv[1:])
