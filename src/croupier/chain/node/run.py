"""Run nodes: one from its home, or a network on this machine, with CometBFT as a child of each."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

import msgspec

from croupier.chain.abci.server import serve
from croupier.chain.app import HouseApp
from croupier.chain.errors import ChainFault, NodeError
from croupier.chain.node.client import NodeClient
from croupier.chain.node.home import Ports, read_share
from croupier.chain.store import ChainStore

STOP_SECONDS = 10
NODE = (sys.executable, "-m", "croupier", "node", "start")
FAILURE = re.compile(rb"\nE\[[^]\n]*\] CONSENSUS FAILURE!!!")
"""CometBFT says so when a block that the others agreed on does not fit; inside a line the words are a stranger's."""


def free_ports(count: int) -> list[Ports]:
    """Return ports of this machine that nobody listens on now, below those that it gives to connections by itself."""
    numbers: list[int] = []
    with ExitStack() as stack:
        while len(numbers) < 2 * count:
            with suppress(OSError):  # taken
                door = socket.create_server(("127.0.0.1", 20_000 + secrets.randbelow(12_000)))
                numbers.append(stack.enter_context(door).getsockname()[1])
    return [Ports(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]


def run_node(home: Path, cometbft: Path, make_app: Callable[[ChainStore, bytes], HouseApp] = HouseApp) -> None:
    """Run a node until it is interrupted. Where the application or CometBFT ends, so does the other."""
    if not (home / "config" / "genesis.json").exists():
        raise NodeError(f"{home} is no home of a node; croupier node init makes one")
    store = ChainStore(home / "chain.db")
    try:
        asyncio.run(_run(make_app(store, read_share(home)), home, cometbft))
    except (sqlite3.Error, msgspec.MsgspecError) as error:
        raise ChainFault(f"{home / 'chain.db'} cannot be read or written: {error}") from None
    finally:
        store.close()


async def _run(app: HouseApp, home: Path, cometbft: Path) -> None:
    loop = asyncio.get_running_loop()
    port: asyncio.Future[int] = loop.create_future()
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    serving = asyncio.create_task(serve(app, ready=port.set_result))
    with open(home / "cometbft.log", "ab", buffering=0) as log:
        child = await asyncio.create_subprocess_exec(
            *(str(cometbft), "start", "--home", str(home), "--proxy_app", f"tcp://127.0.0.1:{await port}"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            preexec_fn=_die_with_parent,
            env={"GOGC": "400", **os.environ},  # collect garbage less often: its heap is small, its processor shared
        )
        assert child.stdout is not None
        ended, asked = asyncio.create_task(_watch(child.stdout, log)), asyncio.create_task(stopping.wait())
        try:
            await asyncio.wait({serving, ended, asked}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
            if ended.done() and not asked.done():
                raise NodeError(f"CometBFT {ended.result()}; {home / 'cometbft.log'} says why")
        finally:
            if child.returncode is None:
                child.terminate()
                try:
                    await asyncio.wait_for(child.wait(), STOP_SECONDS)
                except TimeoutError:
                    child.kill()
                    await child.wait()
            for task in (serving, asked):
                task.cancel()
            await asyncio.gather(serving, asked, ended, return_exceptions=True)


async def _watch(words: asyncio.StreamReader, log: IO[bytes]) -> str:
    """Write CometBFT's words into a file until they end or it gives up and votes no more; return which and why."""
    last = b""
    while chunk := await words.read(65536):
        log.write(chunk)
        if FAILURE.search(last[-60:] + chunk):
            return "disagrees with the other validators"
        last = chunk
    return "ended: " + last.decode(errors="replace").strip().rpartition("\n")[2][-200:]


def _die_with_parent() -> None:
    """Let the kernel end CometBFT if its node is killed: alone it would only wait for it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class LocalNetwork:
    """Nodes on this machine, each a process of its own with its CometBFT; `with` starts and stops them all."""

    def __init__(self, homes: Sequence[Path], ports: Sequence[Ports]) -> None:
        self.homes = list(homes)
        self.ports = list(ports)
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> LocalNetwork:
        try:
            for index in range(len(self.homes)):
                self.start(index)
            self.wait_for(2)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._processes.values():
            process.terminate()
        for index in list(self._processes):
            self.stop(index)

    def client(self, index: int) -> NodeClient:
        """Return a client of a node."""
        return NodeClient(f"http://127.0.0.1:{self.ports[index].rpc}")

    def start(self, index: int, command: Sequence[str] = NODE) -> None:
        """Start a node; its words go into node.log of its home."""
        home = self.homes[index]
        with open(home / "node.log", "ab") as log:
            self._processes[index] = subprocess.Popen(
                [*command, str(home)], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def is_running(self, index: int) -> bool:
        """Tell whether a node's process is there."""
        return index in self._processes and self._processes[index].poll() is None

    def ended(self) -> list[str]:
        """Return what there is to say of nodes that have ended by themselves, of each once."""
        found = [index for index in self._processes if not self.is_running(index)]
        return [f"node {index} has ended with exit code {self.stop(index)}: {self.words(index)}" for index in found]

    def stop(self, index: int, *, kill: bool = False) -> int:
        """Stop a node, or kill it; return its exit code."""
        process = self._processes.pop(index)
        process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        try:
            return process.wait(STOP_SECONDS * 2)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def wait_for(self, height: int, nodes: Sequence[int] | None = None, seconds: float = 120) -> None:
        """Wait until the nodes have carried out a block."""
        end, late = time.monotonic() + seconds, f"block {height} has not come within {seconds:g} s"
        for index in range(len(self.homes)) if nodes is None else nodes:
            while True:
                try:
                    self.client(index).wait_for(height, max(0.0, end - time.monotonic()), late)
                    break
                except NodeError as error:
                    if not self.is_running(index):
                        raise NodeError(f"node {index} has ended: {self.words(index)}") from None
                    if time.monotonic() > end:
                        raise NodeError(f"node {index}: {error}") from None
                    time.sleep(0.05)  # it does not listen yet

    def words(self, index: int, count: int = 400) -> str:
        """Return the last words of a node."""
        path = self.homes[index] / "node.log"
        return path.read_text(errors="replace")[-count:].strip() if path.exists() else ""
