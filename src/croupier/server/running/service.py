"""The running server without its network: operations go in, under rate limits by address, and come back once on disk.

`change` hands an operation to the one writer; whatever waits there is written together. `look` runs one
that only reads, on a thread of its own. Matches that an operation has moved on are remembered, and listeners are told
of them, after the commit and not before.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from croupier.engine.rate_limit import RateLimiter
from croupier.errors import CroupierError, GameFault
from croupier.server.operations.context import CachedMatch, Context, MatchCache
from croupier.server.problems import Problem, ensure
from croupier.server.running.clock import SteadyClock
from croupier.server.running.fair_turns import FairTurns
from croupier.server.running.warm_types import prepare_types
from croupier.server.settings import Settings
from croupier.store.database import DatabaseStore
from croupier.store.interface import Conflict, Job, StoreUnavailable
from croupier.store.transaction import Transaction
from croupier.store.writer import StoreBusy, Waiting, Writer

P = ParamSpec("P")
T = TypeVar("T")

Listener = Callable[[Mapping[str, int]], None]
"""Hears which rooms and sessions have changed, with the versions they are at."""

READERS, WORKERS = 4, 2
WORK_WAITING_MAX = 8
"""How much an account may ask the coach and the like while the first of it is worked out."""
KEYS_MAX = 100_000
OVERLOADED_MS, OVERLOADED_MS_MAX = 1_000, 30_000
REFUSALS_A_SECOND = 200
"""How many requests an overloaded server refuses a second in the long run: whoever was refused waits accordingly."""
PAGES = 10
"""How many times as many files of the page as requests an address may ask for at once."""
PAGE_REFILL_MS = 10
"""How often an address may have one more: however fast accounts may ask, a page is loaded no faster than that."""
PAGE_WAIT_MS = 10_000
CONNECTIONS = 4
"""How many connections for each request an address may begin: whoever waits for answers never gets there."""
TOKENS_KNOWN = 100_000
ON_LOOP_MAX = 64
"""How many operations may keep an event loop from everything else, together some 15 ms."""

log = logging.getLogger("croupier.server")


class _OnLoop:
    """Runs things in the thread of an event loop while another thread waits for them."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def __call__(self, work: Callable[[], T]) -> T:
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._loop.call_soon_threadsafe(run)
        return done.result()


class _Waiting:
    """A caller on an event loop: it gets the answer once the operation is on disk, and before listeners do."""

    __slots__ = ("_loop", "_service", "answer")

    def __init__(self, service: Service, loop: asyncio.AbstractEventLoop) -> None:
        self._service = service
        self._loop = loop
        self.answer: asyncio.Future[Any] = loop.create_future()

    def set_running_or_notify_cancel(self) -> bool:
        return True

    def set_result(self, result: tuple[Any, Context]) -> None:
        self._service.cache.remember(result[1].fresh)
        self._run(self._answered, *result)

    def set_exception(self, exception: BaseException) -> None:
        self._run(self._refused, exception)

    def _run(self, tell: Callable[..., None], *what: Any) -> None:
        if self._loop is self._service.loop:  # then this is its thread
            tell(*what)
        else:
            self._loop.call_soon_threadsafe(tell, *what)

    def _answered(self, result: Any, call: Context) -> None:
        if not self.answer.done():
            self.answer.set_result(result)
        if call.notices:
            self._loop.call_soon(self._service.tell, call)  # whoever asked hears first, whatever else was written

    def _refused(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(as_problem(error))


class Service:
    """A store behind a cache of matches. `clock` is a `SteadyClock` and `entropy` the system's, unless given.

    Operations that write run in the thread that writes, or, if there is a `loop`, in that of the loop: where statements
    are quick, as in SQLite, two threads that take turns at every one of them cost more than they do. The thread that
    writes then does what takes long, which is to wait for its turn and for the disk.
    """

    def __init__(
        self,
        store: DatabaseStore,
        settings: Settings | None = None,
        *,
        clock: Callable[[], int] | None = None,
        monotonic: Callable[[], int] | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.store = store
        self.settings = settings or Settings()
        steady = SteadyClock()
        self.clock = clock or steady.now
        self.monotonic = monotonic = monotonic or steady.monotonic
        self.cache = MatchCache(self.settings, entropy)
        self.listeners: list[Listener] = []
        self.is_stopping = False
        self.is_damaged = False
        """Whether the database was found to be damaged: then nothing more is written into it."""
        chosen = self.settings
        limit = partial(RateLimiter, monotonic, keys_max=KEYS_MAX)
        self.requests_limit = limit(tokens=chosen.requests_burst, refill_ms=chosen.requests_refill_ms)
        self.registrations_limit = limit(tokens=chosen.registrations_burst, refill_ms=chosen.registrations_refill_ms)
        self._pages_limit = limit(tokens=PAGES * chosen.requests_burst, refill_ms=PAGE_REFILL_MS)
        each_ms = max(chosen.requests_refill_ms // CONNECTIONS, 1)
        self._connections_limit = limit(tokens=CONNECTIONS * chosen.requests_burst, refill_ms=each_ms)
        self._refusals_pace = RateLimiter(monotonic, tokens=REFUSALS_A_SECOND, refill_ms=1000 // REFUSALS_A_SECOND)
        self.accounts_known: dict[str, str] = {}
        """Accounts by the hash of a token that has let them in: whom to count a request for."""
        prepare_types()  # before the first thread
        self.is_shared = not store.backend.writes_alone
        """Whether other processes may write into the same database at the same time."""
        self.loop = loop
        how: Any = {} if loop is None else {"batch_max": ON_LOOP_MAX, "within": _OnLoop(loop)}
        self._writer = Writer(store, waiting_max=self.settings.queue_max, **how)
        self._batch: tuple[Transaction | None, dict[str, CachedMatch]] = (None, {})
        self._looking = 0
        self.refusals: Counter[str] = Counter()
        """How many requests were refused, by the code."""
        self.pruned: Counter[str] = Counter()
        """Counts of rows that retention has pruned, by kind."""
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="croupier-reader")
        self._prober = ThreadPoolExecutor(1, thread_name_prefix="croupier-prober")
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="croupier-worker")
        self.work_turns = FairTurns(WORKERS, waiting_max=WORK_WAITING_MAX)

    # From a network.

    async def change(self, op: Callable[Concatenate[Context, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an operation in the thread that writes, and return its answer when it is on disk.

        Raises `Problem`. Who stops waiting does not stop the operation: it happens, and listeners hear of it.
        """
        waiting = _Waiting(self, asyncio.get_running_loop())
        self._submit(op, args, kwargs, waiting)
        answer: T = await waiting.answer
        return answer

    async def look(self, op: Callable[Concatenate[Context, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an operation that only reads, and return its answer. Raises `Problem`."""
        loop = asyncio.get_running_loop()
        self._looking += 1
        try:
            return await loop.run_in_executor(self._readers, lambda: self.look_now(op, *args, **kwargs))
        finally:
            self._looking -= 1

    async def probe(self, op: Callable[[Context], T]) -> T:
        """Run an operation that only reads on a thread of its own, if there is room: a probe waits for nobody."""

        def run() -> T:
            self.store.backend.check_room()
            return self.look_now(op)

        return await asyncio.get_running_loop().run_in_executor(self._prober, run)

    async def work(self, who: str, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run slow work in a worker thread, away from the network and from readers; accounts take turns."""
        async with self.work_turns.of(who):
            return await asyncio.get_running_loop().run_in_executor(self._workers, lambda: job(*args, **kwargs))

    # From a command, a test, or a clock that has a thread to itself.

    def change_now(self, op: Callable[Concatenate[Context, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an operation and wait until what it wrote is on disk. Listeners are told in the caller's thread."""
        future: Future[tuple[T, Context]] = Future()
        self._submit(op, args, kwargs, future)
        try:
            result, call = future.result()
        except Exception as error:
            raise as_problem(error) from None
        self.cache.remember(call.fresh)
        self.tell(call)
        return result

    def look_now(self, op: Callable[Concatenate[Context, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an operation that only reads."""
        now, monotonic = self.clock(), self.monotonic()

        def job(tx: Transaction) -> tuple[T, Context]:
            call = Context(self.cache, tx, now, monotonic=monotonic)
            return op(call, *args, **kwargs), call

        try:
            result, call = self.store.read(job)
        except Exception as error:
            raise as_problem(error) from None
        self.cache.remember(call.fresh)
        return result

    # What they share.

    def _submit(self, op: Callable[..., T], args: Any, kwargs: Any, future: Waiting) -> None:
        """Hand an operation to the writer; its first argument may tell what it is going to read."""
        ensure(not self.is_stopping, "shutting_down")
        ensure(not self.is_damaged, "store_unavailable")
        now, monotonic = self.clock(), self.monotonic()

        def run(tx: Transaction) -> tuple[T, Context]:
            if self._batch[0] is not tx:  # another transaction: what the last one has not committed is gone
                self._batch = (tx, {})
            earlier = self._batch[1]
            call = Context(self.cache, tx, now, earlier, monotonic=monotonic)
            result = op(call, *args, **kwargs)
            for topic in call.notices:
                live = call.fresh.get(topic)
                tx.notify(f"{topic} {live.told}" if live is not None and live.told else topic)
            earlier.update(call.fresh)
            return result, call

        reads = getattr(args[0], "reads", None) if args and self.is_shared else None
        job: Callable[[Transaction], tuple[T, Context]] = run if reads is None else Job(run, reads)
        try:
            self._writer.hand_in(job, future)
        except Exception as error:
            raise as_problem(error) from None

    def tell(self, call: Context) -> None:
        """Tell listeners what an operation has changed."""
        for listener in self.listeners if call.notices else ():
            try:
                listener(call.notices)
            except Exception as error:  # what is on disk is on disk: whoever asked is told so
                log.error("a listener broke", exc_info=error)

    def refusal(self, method: str, path: str, address: str, length: int, beginning: int = 0) -> tuple[str, int]:
        """Return why a request cannot be taken on now, or "", and how many milliseconds are to be waited.

        That is told by the head, before the body is read; its `length` is -1 where the head does not tell it. So many
        others are `beginning`, and will wait as well. An address that asks for more than it may costs no more than
        this, whatever it asks for; files of the page are handed out all the same, a little later.
        """
        waiting = self._looking if method in ("GET", "HEAD", "OPTIONS") else self.waiting
        if waiting + beginning >= self.settings.queue_max:
            more_ms = self._refusals_pace.reserve_ms("", OVERLOADED_MS_MAX)  # refusals alone are not to load it
            return self._refused("overloaded", OVERLOADED_MS + min(more_ms, OVERLOADED_MS_MAX))
        if length < 0:
            return self._refused("length_required", 0)
        if length > self.settings.body_max:
            return self._refused("too_large", 0)
        if not path.startswith("/api/"):
            wait_ms = self._pages_limit.reserve_ms(address, PAGE_WAIT_MS)
            return ("", wait_ms) if wait_ms <= PAGE_WAIT_MS else self._refused("too_many_requests", wait_ms)
        who = f"address {address}"
        if self.requests_limit.allow(who):
            return "", 0
        return self._refused("too_many_requests", self.requests_limit.wait_ms(who) or 1)  # 1 if too many ask at once

    def turns_away(self, address: str) -> bool | None:
        """Return None for a connection that is taken; of too many of an address, whether it is told why or just cut.

        Even a head costs to parse, and an answer to send: of a flood, few are answered.
        """
        if self._connections_limit.allow(address):
            return None
        self._refused("too_many_requests", 0)
        return self._refusals_pace.allow("connections")

    def _refused(self, reason: str, wait_ms: int) -> tuple[str, int]:
        self.refusals[reason] += 1
        return reason, wait_ms

    @property
    def waiting(self) -> int:
        """Count of operations that wait to be written."""
        return self._writer.waiting

    @property
    def written(self) -> tuple[int, int]:
        """Counts of operations written, and of their transactions."""
        return self._writer.jobs, self._writer.batches

    def know(self, token_hash: str, account_id: str) -> None:
        """Cache whose a token is. That never changes; whether it is still good is asked every time."""
        if len(self.accounts_known) >= TOKENS_KNOWN:
            self.accounts_known.clear()
        self.accounts_known[token_hash] = account_id

    def stop(self) -> None:
        """Take nothing more on, and return when everything that was taken on is on disk. The store stays open."""
        self.is_stopping = True
        self._writer.close()
        self._readers.shutdown()
        self._workers.shutdown()
        self._prober.shutdown()


def as_problem(error: BaseException) -> Problem:
    """Return what a failed operation is to whoever asked. What broke is logged; it is nobody else's business."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, StoreBusy):
        return Problem("overloaded")
    if isinstance(error, StoreUnavailable):
        log.error("the store is unavailable: %s", error)
        return Problem("store_unavailable")
    if isinstance(error, Conflict):
        return Problem("conflict")
    if isinstance(error, GameFault):
        log.error("a game broke", exc_info=error)
        return Problem("game_fault")
    kind = "refused by a part that should not" if isinstance(error, CroupierError) else "broke"
    log.error("an operation %s", kind, exc_info=error)
    return Problem("internal")
