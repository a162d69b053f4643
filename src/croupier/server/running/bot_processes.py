"""Processes that think: bots must not keep the server waiting, nor anybody's match.

What is sent to them is a match and a name, what comes back is an action. A bot that breaks, or takes longer than any
bot should, costs its seat nothing but the choice: the first legal action is taken in its place.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from typing import Any

import msgspec

from croupier.bots import find_bot, pick_bot_action
from croupier.engine import Action, deserialize_match, get_game, legal_actions, serialize_match
from croupier.server.operations.rooms import BotTurn

__all__ = ["BotProcesses", "think"]

log = logging.getLogger("croupier.bots")

THINK_SECONDS = 30.0


def think(game_id: str, match: str, bot: str, player_id: str, seed: bytes) -> bytes:
    """Return what a bot does, as JSON. Runs in a process of its own."""
    game = get_game(game_id)
    action = pick_bot_action(game, deserialize_match(match, game), find_bot(game, bot), player_id, seed)
    return msgspec.json.encode(action)


class BotProcesses:
    """A few processes, started when the first bot has to think."""

    def __init__(self, processes: int, *, seconds: float = THINK_SECONDS) -> None:
        self._processes = processes
        self._seconds = seconds
        self._pool: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(2 * processes)

    async def choose(self, turn: BotTurn) -> Action | None:
        """Return what a bot does; None if there is nothing to do."""
        async with self._free:  # who waits here is not on the clock of `seconds` yet
            try:
                job = (turn.game_id, serialize_match(turn.match), turn.bot, turn.player_id, turn.seed)
                found: bytes = await self._run(think, *job)
                return msgspec.json.decode(found, type=Action | None)
            except Exception as error:
                log.error("bot %s of %s broke: %r", turn.bot, turn.game_id, error)
                self._start_again()
        return next(iter(legal_actions(get_game(turn.game_id), turn.match, turn.player_id)), None)

    async def _run(self, function: Any, *args: Any) -> Any:
        if self._pool is None:
            # Not forked: a copy of a process with threads may hang in the middle of anything.
            self._pool = ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"))
        future = asyncio.get_running_loop().run_in_executor(self._pool, function, *args)
        return await asyncio.wait_for(future, self._seconds)

    def _start_again(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            _end(pool)

    def close(self) -> None:
        """End the processes, whatever they are at."""
        self._start_again()


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(Exception):
            process.terminate()
