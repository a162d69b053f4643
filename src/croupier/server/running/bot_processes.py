"""Bot processes, and one that counts odds: neither may keep the server waiting, nor anybody's match.

What is sent to them is a match and a name, what comes back is an action. Accounts take turns, and whoever has twenty
rooms with slow bots waits for themselves. A bot has a second of processor time; one that needs more begins again in
another process, where only bots wait that think for long. Either way it chooses the same. A bot that breaks, or takes
longer than any bot should, costs its seat nothing but the choice: the first legal action is taken in its place.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import Any

import msgspec

from croupier.bots import find_bot
from croupier.bots.choosing import pick_bot_action
from croupier.engine import Action, deserialize_match, get_game, legal_actions, serialize_match
from croupier.server.operations.catalogue import Asked, count_odds, keep_odds
from croupier.server.operations.room_bots import BotTurn
from croupier.server.running.fair_turns import FairTurns

log = logging.getLogger("croupier.bots")

QUICK_SECONDS, THINK_SECONDS = 1.0, 120.0
HANG_FACTOR = 10
"""After how many times its processor time a process that says nothing is ended."""
TRIES = 3
NICE = 5


class _TooLong(BaseException):
    """The processor time is used up. No bot or game catches it."""


def think(game_id: str, match: str, bot: str, player_id: str, seed: bytes, seconds: float) -> bytes:
    """Return what a bot does, as JSON; nothing if it takes longer than so much processor time.

    Runs in a process of its own.
    """
    game = get_game(game_id)
    try:
        with _limited(seconds):
            action = pick_bot_action(game, deserialize_match(match, game), find_bot(game, bot), player_id, seed)
    except _TooLong:
        return b""
    return msgspec.json.encode(action)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `_TooLong` when so much processor time has been used, where the system can tell."""
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return

    def stop(*_: object) -> None:
        raise _TooLong

    usual = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, max(seconds, 1.0))  # again: what a finalizer raises is passed over
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, usual)


def _give_way() -> None:
    """Let the server, which others wait for, go first."""
    if hasattr(os, "nice"):
        os.nice(NICE)


class BotProcesses:
    """A few processes for quick decisions and as many for long ones, each started when there is the first to make."""

    def __init__(self, processes: int, *, seconds: float = THINK_SECONDS) -> None:
        self._lanes = [_Lane(processes, min(QUICK_SECONDS, seconds)), _Lane(processes, seconds)]
        self._counter = _Lane(1, seconds)

    async def count(self, odds: Iterable[Asked]) -> None:
        """Count odds before anybody asks for them, one after the other, in a process that ends with them."""
        try:
            for asked in odds:
                try:
                    keep_odds(asked, await self._counter.run(count_odds, *asked))
                except Exception as error:  # whoever asks for these is told why
                    log.warning("odds of %s are not counted ahead: %r", asked[0], error)
        finally:
            self._counter.end()

    async def choose(self, turn: BotTurn) -> Action | None:
        """Return what a bot does; None if there is nothing to do."""
        job = (turn.game_id, serialize_match(turn.match), turn.bot, turn.player_id, turn.seed)
        try:
            for lane in self._lanes:
                async with lane.turns.of(turn.host):
                    found = await lane.run(think, *job, lane.seconds)
                if found:
                    return msgspec.json.decode(found, type=Action | None)
            log.error("bot %s of %s thinks too long", turn.bot, turn.game_id)
        except Exception as error:
            log.error("bot %s of %s broke: %r", turn.bot, turn.game_id, error)
        return next(iter(legal_actions(get_game(turn.game_id), turn.match, turn.player_id)), None)

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for lane in (*self._lanes, self._counter):
            lane.end()


class _Lane:
    """Processes for decisions that take up to so much processor time, and the turns at them."""

    def __init__(self, processes: int, seconds: float) -> None:
        self.turns = FairTurns(processes)
        self._processes = processes
        self.seconds = seconds
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, job: Callable[..., Any], *args: Any) -> Any:
        """Return what a job returns, in one of the processes. One that another bot has broken is started again."""
        for left in reversed(range(TRIES)):
            pool = self._started()
            future = asyncio.get_running_loop().run_in_executor(pool, job, *args)
            try:
                async with asyncio.timeout(HANG_FACTOR * self.seconds):
                    return await future
            except (BrokenProcessPool, TimeoutError) as error:
                if pool is self._pool:
                    self.end()
                if not left or isinstance(error, TimeoutError):
                    raise
        raise AssertionError

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Not forked: a copy of a process with threads may hang in the middle of anything.
            self._pool = ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"), initializer=_give_way)
        return self._pool

    def end(self) -> None:
        """End the processes, whatever they are at."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(Exception):
                process.terminate()
