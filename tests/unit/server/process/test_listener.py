"""`Listener`: accepts connections, closes those beyond the limit of their address, and outlasts a lack of files."""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import Any

import pytest

from croupier.server.process.protocols import BoundedConfig, Listener
from croupier.server.settings import Settings


class Scarce(socket.socket):
    """A socket for which there is no file at the first accept."""

    fails = 1

    def accept(self) -> Any:
        if self.fails:
            self.fails -= 1
            raise OSError(errno.EMFILE, "too many open files")
        return super().accept()


@pytest.mark.parametrize("is_told", [None, False])
def test_a_lack_of_files_delays_connections_and_those_too_many_are_closed_unread(is_told: bool | None) -> None:
    async def story() -> list[bytes]:
        said: list[bytes] = []

        class Greeting(asyncio.Protocol):
            def connection_made(self, transport: Any) -> None:
                transport.write(b"hello")
                transport.close()

        config = BoundedConfig(None, Settings(), lambda *asked: ("", 0), lambda address: is_told)
        with Scarce() as listening:
            listening.bind(("127.0.0.1", 0))
            listener = Listener(listening, config, Greeting)
            for _ in range(2):
                reader, writer = await asyncio.open_connection(*listening.getsockname())
                said.append(await reader.read())
                writer.close()
            listener.close()
            listener.close()
            assert listening.fileno() < 0
        return said

    assert asyncio.run(story()) == ([b"hello"] * 2 if is_told is None else [b""] * 2)
