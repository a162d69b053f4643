"""Ending asyncio tasks."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any


async def stop(task: asyncio.Task[Any]) -> None:
    """End a task and wait until it has ended."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
