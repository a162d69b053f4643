"""A server process: the application on its port, metrics and probes on another, and an orderly end.

When it is told to stop it takes nobody new, says good-bye to live connections, answers what was asked, writes what
was taken on, and lets go of the database. Told twice, it stops at once; nothing acknowledged is lost even then.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import signal
import socket
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from msgspec import Struct

from croupier.server.process.file_limits import allow_many_files
from croupier.server.process.logs import set_up_logs
from croupier.server.process.metrics import Metrics
from croupier.server.process.protocols import LAST_SECONDS, BoundedConfig, HttpProtocol, Listener, Refusal
from croupier.server.running.background import BackgroundTasks, stop
from croupier.server.running.bot_processes import BotProcesses
from croupier.server.running.service import Service
from croupier.server.settings import Settings
from croupier.server.transport.addresses import guarded
from croupier.server.transport.app import create_app
from croupier.server.transport.hub import Hub
from croupier.server.transport.live import PATH, LiveServer
from croupier.store.database import DatabaseStore, open_store
from croupier.store.head import accept_head, check_head

log = logging.getLogger("croupier.serve")

PING_SECONDS = 20.0
BACKLOG = 4096
LOOPBACK = "127.0.0.1"
COLLECT_AFTER = 20_000, 20, 100
"""When Python looks for cycles to free: with thousands of connections and matches in memory that takes its time."""


class Addresses(Struct, frozen=True):
    """Addresses where a server can be reached."""

    url: str
    metrics_url: str


def run(settings: Settings, ready: Callable[[Addresses], None] = lambda _: None) -> None:
    """Serve until told to stop."""
    set_up_logs(settings.log_level)
    allow_many_files()
    try:
        import uvloop
    except ImportError:  # not on Windows
        asyncio.run(serve(settings, ready))
    else:
        uvloop.run(serve(settings, ready))


async def serve(
    settings: Settings, ready: Callable[[Addresses], None], told_to_stop: asyncio.Event | None = None
) -> None:
    """Serve until a signal comes, or the event is set."""
    gc.set_threshold(*COLLECT_AFTER)
    stopping = told_to_stop or asyncio.Event()
    doors = [_listen(settings.host, settings.port, "--port")]
    try:
        doors.append(_listen(LOOPBACK, settings.metrics_port, "--metrics-port"))
    except OSError:
        doors[0].close()
        raise
    store = await asyncio.to_thread(_open, settings.database)
    loop = asyncio.get_running_loop() if store.backend.writes_alone else None
    service = Service(store, settings, loop=loop)
    hub = Hub(service.look, service.cache.look_up, service.cache.overhear)
    live = LiveServer(hub, service)
    metrics = Metrics(service, live)
    clock = BackgroundTasks(service, hub, BotProcesses(settings.bot_processes))
    app = guarded(_joined(create_app(service), live), settings, service.refusals)
    servers = [
        _Server(_config(metrics.measured(app), settings, service.refusal, service.turns_away)),
        _Server(_config(metrics, settings)),
    ]
    try:
        await clock.start()
        with _signals(stopping, servers):
            tasks = [
                asyncio.create_task(servers[0].serve(sockets=doors[:1])),
                asyncio.create_task(asyncio.to_thread(asyncio.run, servers[1].serve(sockets=doors[1:]))),
            ]
            beating = asyncio.create_task(metrics.beat())
            while not all(server.started for server in servers):
                await _none_ended(tasks)
            found = Addresses(_url(settings.host, doors[0]), _url(LOOPBACK, doors[1]))
            log.info("ready", extra={"url": found.url, "metrics": found.metrics_url})
            ready(found)
            ends = asyncio.create_task(stopping.wait())
            await asyncio.wait([ends, *tasks], return_when=asyncio.FIRST_COMPLETED)
            ends.cancel()
            await _stop(servers, tasks, live, settings)
            await stop(beating)
    finally:
        servers[1].should_exit = True  # its thread ends, whatever has happened here
        await clock.close()
        await asyncio.to_thread(service.stop)
        store.close()
        log.info("stopped")


def _open(database: str) -> DatabaseStore:
    """Open a database for this server alone, unless it has moved back since the last one."""
    store = open_store(database)
    try:
        store.backend.claim()
        if not check_head(store) and store.backend.path is not None:
            accept_head(store)
    except BaseException:
        store.close()
        raise
    return store


async def _stop(servers: list[_Server], tasks: list[asyncio.Task[None]], live: LiveServer, settings: Settings) -> None:
    """Close the doors, say good-bye, let requests end."""
    log.info("stopping", extra={"connections": len(live.connections)})
    for door in servers[0].servers:
        door.close()
    await live.close(within=min(settings.stop_ms / 1000, LAST_SECONDS))
    for server, task in zip(servers, tasks, strict=True):
        server.should_exit = True
        await task


class _Server(uvicorn.Server):
    """A server with listeners of our own. It leaves signals to us: there are two servers in this process."""

    config: BoundedConfig

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        make = partial(HttpProtocol, self.config, self.server_state, self.lifespan.state)
        listeners: list[Any] = [Listener(one, self.config, make) for one in sockets or ()]
        await super().startup([])
        self.servers = listeners

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _config(
    app: Any,
    settings: Settings,
    refusal: Refusal = lambda *asked: ("", 0),
    turns_away: Callable[[str], bool | None] = lambda address: None,
) -> BoundedConfig:
    return BoundedConfig(
        app,
        settings,
        refusal,
        turns_away,
        lifespan="off",
        ws_max_size=settings.body_max,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # 300 kB a connection, and lengths that would depend on what was sent before
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=BACKLOG,
        proxy_headers=False,  # `proxies` says whom to believe
        timeout_keep_alive=30,
        timeout_graceful_shutdown=max(settings.stop_ms // 1000, 1),
    )


def _joined(app: Any, live: LiveServer) -> Any:
    """Return both applications as one: live connections go around everything that requests go through."""

    async def joined(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        is_live = scope["type"] == "websocket" and scope["path"] == PATH
        await (live if is_live else app)(scope, receive, send)

    return joined


@contextmanager
def _signals(stopping: asyncio.Event, servers: list[_Server]) -> Iterator[None]:
    loop = asyncio.get_running_loop()

    def told() -> None:
        for server in servers:
            server.force_exit = stopping.is_set()
        stopping.set()

    kinds: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)
    try:
        for kind in kinds:
            loop.add_signal_handler(kind, told)
    except (NotImplementedError, RuntimeError, ValueError):  # not in the main thread, or not on this system
        kinds = ()
    try:
        yield
    finally:
        for kind in kinds:
            loop.remove_signal_handler(kind)


async def _none_ended(tasks: list[asyncio.Task[None]]) -> None:
    """Wait a moment; if a server has ended before it began, raise what it raised."""
    done, _ = await asyncio.wait(tasks, timeout=0.01, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


def _listen(host: str, port: int, flag: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
    except OSError as error:
        door.close()
        error.filename = f"{host}:{port}"
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            error.strerror = f"{error.strerror}; {flag} takes another port, 0 a free one"
        raise
    return door


def _url(host: str, door: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{door.getsockname()[1]}"
