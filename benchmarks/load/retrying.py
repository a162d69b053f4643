"""Clients beside a server that ask again at once: `python -m benchmarks.load.retrying URL TOKEN CLIENTS SECONDS`.

Each wants something written, over a connection of its own, as often as it can, and does not listen to `Retry-After`.
Prints how many were written and how many refused, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from urllib.parse import urlsplit

WARM_SECONDS = 1.0
SIZE = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


async def _ask(streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], asked: bytes, found: Counter[str]) -> None:
    reader, writer = streams
    while True:
        writer.write(asked)
        head = await reader.readuntil(b"\r\n\r\n")
        size = SIZE.search(head)
        await reader.readexactly(int(size[1]) if size else 0)
        found[head[9:12].decode()] += 1


async def _all(url: str, token: str, clients: int, seconds: float) -> None:
    parts = urlsplit(url)
    lines = ["POST /api/v1/tickets HTTP/1.1", f"host: {parts.netloc}", f"authorization: Bearer {token}"]
    asked = "\r\n".join([*lines, "content-type: application/json", "content-length: 2", "", "{}"]).encode()
    found: Counter[str] = Counter()
    where = (parts.hostname or "", parts.port or 80)
    streams = [await asyncio.open_connection(*where) for _ in range(clients)]
    tasks = [asyncio.create_task(_ask(each, asked, found)) for each in streams]
    await asyncio.sleep(WARM_SECONDS)
    found.clear()
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(found))


def main(url: str, token: str, clients: str, seconds: str) -> None:
    """Ask so long."""
    from croupier.server.process.file_limits import allow_many_files

    allow_many_files()
    asyncio.run(_all(url, token, int(clients), float(seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
