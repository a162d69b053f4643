"""`with_clients`: a decorator for tests that are coroutines, with clients of a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import wraps
from inspect import Signature, signature
from typing import Any

from croupier.client import Client


def with_clients(*names: str) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Run a test with a client for each of these names, which has registered; pytest gives it the rest."""

    def decorate(story: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        async def told(given: dict[str, Any]) -> None:
            async with AsyncExitStack() as stack:
                clients = {}
                for name in names:
                    clients[name] = await stack.enter_async_context(Client(given["server"].url))
                    await clients[name].register(name.capitalize())
                await story(**given, **clients)

        @wraps(story)
        def test(**given: Any) -> None:
            asyncio.run(told(given))

        asked = [each for each in signature(story).parameters.values() if each.name not in names]
        test.__signature__ = Signature(asked)  # type: ignore[attr-defined]
        return test

    return decorate
