"""A simulated network that runs in real time and answers like a node's RPC: four validators in one process, no Go."""

from __future__ import annotations

import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

from croupier.chain.abci.messages import Query
from croupier.chain.genesis import NetworkKeys
from croupier.chain.simulation.network import SimulatedNetwork
from croupier.engine.plain import canonical

BODY_BYTES_MAX = 1_048_576
STEPS_AT_ONCE = 10
BEHIND_MS_MAX = 50
COMMIT_MS = 400


def _milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000


class SimulatedNode:
    """A network in this process, on the machine's clock; requests and events take turns under one lock."""

    def __init__(self, keys: NetworkKeys, port: int = 0) -> None:
        self.network = SimulatedNetwork(keys, commit_ms=COMMIT_MS)
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self.call))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._threads = [
            threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True),
            threading.Thread(target=self._run, daemon=True),
        ]

    def __enter__(self) -> SimulatedNode:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ending.set()
        self._server.shutdown()
        for thread in self._threads:
            thread.join()
        self._server.server_close()

    def _run(self) -> None:
        """Let things happen when they are due. On a machine that cannot keep up the network's clock goes slower."""
        offset = _milliseconds() - self.network.now()
        while not self._ending.wait(0.005):
            with self._lock:
                for _ in range(STEPS_AT_ONCE):
                    if self.network.next_at() > _milliseconds() - offset:
                        break
                    self.network.step()
                offset = max(offset, _milliseconds() - self.network.next_at() - BEHIND_MS_MAX)

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """Answer a method of the RPC."""
        with self._lock:
            match method:
                case "abci_query":
                    answer = self.network.app(0).query(Query(path=str(params.get("path", ""))))
                    value = b64encode(answer.value).decode()
                    return {"response": {"code": answer.code, "log": answer.log, "value": value}}
                case "broadcast_tx_sync":
                    data = b64decode(str(params.get("tx", "")), validate=True)
                    checked = self.network.submit(data)
                    return {"code": checked.code, "log": checked.log}
        raise ValueError(f"there is no method {method!r}")


def _handler(call: Callable[[str, dict[str, Any]], Any]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            try:
                size = int(self.headers.get("Content-Length") or 0)
                if not 0 <= size <= BODY_BYTES_MAX:
                    raise ValueError(f"a request of {size} bytes")
                asked = msgspec.json.decode(self.rfile.read(size))
                found: dict[str, Any] = {"result": call(str(asked["method"]), dict(asked.get("params") or {}))}
            except (msgspec.MsgspecError, ValueError, KeyError, TypeError, RecursionError) as error:
                found = {"error": {"code": -32600, "message": str(error)}}
            data = canonical({"jsonrpc": "2.0", "id": 1, **found})
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    return Handler
