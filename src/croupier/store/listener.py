"""Change notices from other processes on the same database: they wake the server, which reads what has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

POLL_SECONDS = 0.5
NOTICE_BYTES = 7_900
"""A notice of PostgreSQL has less than 8,000 bytes."""


def notices(instance: str, topics: Iterable[str]) -> list[str]:
    r"""Return the texts that tell of topics, a line each after the sender's, in as few as there can be.

    >>> notices("me", ["m_1", "m_2"])
    ['me\nm_1\nm_2']
    """
    texts: list[str] = []
    room = 0
    for told in topics:  # of an action that fits into no notice, the topic alone is told
        topic = told if len(told.encode()) + len(instance) < NOTICE_BYTES else told.partition(" ")[0]
        room -= len(topic.encode()) + 1
        if room < 0:
            texts.append(instance)
            room = NOTICE_BYTES - len(instance) - len(topic.encode()) - 1
        texts[-1] += f"\n{topic}"
    return texts


class Listener:
    """Listens until it is closed; this one has nobody to listen to."""

    def close(self) -> None:
        """Stop listening."""


class PostgresListener(Listener):
    """A thread that LISTENs, on a connection that it makes again when it breaks."""

    def __init__(self, url: str, channel: str, instance: str, heard: Callable[[str], None]) -> None:
        self._url = url
        self._channel = channel
        self._instance = instance
        self._heard = heard
        self._closing = threading.Event()
        self._first = threading.Event()
        self._thread = threading.Thread(target=self._run, name="croupier-listener", daemon=True)
        self._thread.start()
        self._first.wait(5)  # nothing that is notified from now on is missed

    def _run(self) -> None:
        import psycopg

        is_again = False
        while not self._closing.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {self._channel}")
                    self._first.set()
                    if is_again:
                        self._heard("")
                    is_again = True
                    self._listen(connection)
            except psycopg.OperationalError:
                self._closing.wait(POLL_SECONDS)
        self._first.set()

    def _listen(self, connection: Any) -> None:
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=POLL_SECONDS):
                sender, *topics = notice.payload.split("\n")
                for topic in topics if sender != self._instance else ():
                    self._heard(topic)

    def close(self) -> None:
        """Stop listening, within half a second."""
        self._closing.set()
        self._thread.join()
