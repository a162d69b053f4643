"""Group commit: many callers, one background thread that writes, one wait for the disk for all who came meanwhile."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from croupier.store.database import DatabaseStore
from croupier.store.interface import StoreUnavailable, Within
from croupier.store.transaction import Transaction

T = TypeVar("T")

BATCH_MAX = 256
WAITING_MAX = 4096


class StoreBusy(StoreUnavailable):
    """Too many jobs are waiting to be written: come again a little later."""

    code = "store_busy"


class Waiting(Protocol):
    """The part of a future that a writer needs."""

    def set_running_or_notify_cancel(self) -> bool: ...  # noqa: D102
    def set_result(self, result: Any) -> None: ...  # noqa: D102
    def set_exception(self, exception: BaseException) -> None: ...  # noqa: D102


class Writer:
    """Takes jobs from any thread and runs all that wait in one transaction. A future is done when its job is on disk.

    Jobs run in the order they came, in the thread that writes or wherever `within` runs them, and so do the callbacks
    of their futures, which should do little. `batches` and `jobs` count what has been committed.
    """

    def __init__(
        self,
        store: DatabaseStore,
        *,
        batch_max: int = BATCH_MAX,
        waiting_max: int = WAITING_MAX,
        within: Within | None = None,
    ) -> None:
        self._store = store
        self._within = within
        self._batch_max = batch_max
        self._waiting_max = waiting_max
        self._waiting: deque[tuple[Callable[[Transaction], Any], Waiting]] = deque()
        self._changed = threading.Condition()
        self._is_closing = False
        self.batches = 0
        self.jobs = 0
        self._thread = threading.Thread(target=self._run, name="croupier-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Count of jobs that wait."""
        return len(self._waiting)

    def submit(self, job: Callable[[Transaction], T]) -> Future[T]:
        """Return the future of a job. Raises `StoreBusy` if too many are waiting, and after `close`."""
        future: Future[T] = Future()
        self.hand_in(job, future)
        return future

    def hand_in(self, job: Callable[[Transaction], T], future: Waiting) -> None:
        """Take a job on; the future may be anything that can be told what came of it."""
        with self._changed:
            if self._is_closing:
                raise StoreBusy("the store is closing")
            if len(self._waiting) >= self._waiting_max:
                raise StoreBusy(f"{len(self._waiting)} jobs are waiting to be written already")
            self._waiting.append((job, future))
            self._changed.notify()

    def close(self) -> None:
        """Finish what is waiting, then stop. The store stays open."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._is_closing:
                    self._changed.wait()
                if not self._waiting:
                    return
                taken = [self._waiting.popleft() for _ in range(min(self._batch_max, len(self._waiting)))]
            self._write([(job, future) for job, future in taken if future.set_running_or_notify_cancel()])

    def _write(self, batch: list[tuple[Callable[[Transaction], Any], Waiting]]) -> None:
        if not batch:
            return
        answers: Sequence[Any]
        try:
            answers = self._store.run([job for job, _ in batch], within=self._within)
            self.batches += 1
            self.jobs += len(batch)
        except BaseException as error:
            answers = [error] * len(batch)

        def tell() -> None:
            for (_, future), answer in zip(batch, answers, strict=True):
                if isinstance(answer, BaseException):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

        if self._within is None:
            tell()
        else:
            self._within(tell)
