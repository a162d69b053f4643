"""Metrics and probes, on a port of their own that only this machine can reach.

/metrics   for Prometheus
/livez     the loop that serves players turns; else 503
/readyz    the store answers and takes what is written, and the server is not about to stop; else 503

They have a thread and a loop of their own. So a server that is busy answers them, and one that hangs does not pass for
alive because a thread beside it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from time import monotonic, perf_counter
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from croupier.server.running.service import Service, as_problem
from croupier.server.transport.live import LiveServer

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
BEAT_SECONDS, STALLED_SECONDS = 1.0, 30.0
"""How often the loop that serves says that it turns, and after what silence it counts as dead."""
CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]


class Metrics:
    """Metrics of the server, and the application that shows them."""

    def __init__(self, service: Service, live: LiveServer) -> None:
        self.service = service
        self.live = live
        self.turned_at = monotonic()
        self.registry = CollectorRegistry()
        labels = ["method", "status"]
        self.requests = Counter(
            "croupier_requests", "Requests answered, by method and status.", labels, registry=self.registry
        )
        self.seconds = Histogram(
            "croupier_request_seconds", "Time to the end of an answer.", registry=self.registry, buckets=SECONDS
        )
        self.registry.register(self)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    async def beat(self) -> None:
        """Note that the loop turns, for ever; to be run on the loop that serves."""
        while True:
            self.turned_at = monotonic()
            await asyncio.sleep(BEAT_SECONDS)

    def collect(self) -> Iterator[Metric]:
        """Yield what the parts of the server count themselves."""
        service, live = self.service, self.live
        jobs, batches = service.written
        yield GaugeMetricFamily("croupier_connections", "Live connections.", len(live.connections))
        yield GaugeMetricFamily("croupier_followers", "Rooms followed, over all connections.", len(live.hub))
        yield GaugeMetricFamily("croupier_waiting", "Operations that wait to be written.", service.waiting)
        yield GaugeMetricFamily("croupier_matches_kept", "Matches in memory.", len(service.cache))
        yield CounterMetricFamily("croupier_operations", "Operations written.", jobs)
        yield CounterMetricFamily("croupier_transactions", "Transactions, each with one wait for the disk.", batches)
        yield CounterMetricFamily("croupier_pushed", "Views and told items sent.", live.hub.pushed)
        for name, text, label, counts in (
            ("croupier_live", "Frames by type, and connections that ended, by why.", "what", live.counts),
            ("croupier_refusals", "Requests refused, by the code.", "code", service.refusals),
            ("croupier_pruned", "What was taken out after it had been kept long enough.", "what", service.pruned),
        ):
            family = CounterMetricFamily(name, text, labels=[label])
            for key, count in sorted(dict(counts).items()):  # a copy: another thread counts on
                family.add_metric([key], count)
            yield family

    def measured(self, app: Application) -> Application:
        """Return the application with its answers counted and timed."""
        requests, seconds = self.requests, self.seconds

        async def counted(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            begin, status = perf_counter(), 500

            async def watched(message: MutableMapping[str, Any]) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            try:
                await app(scope, receive, watched)
            finally:
                method = scope["method"] if scope["method"] in ("GET", "POST", "PUT", "PATCH", "DELETE") else "other"
                requests.labels(method, status).inc()
                seconds.observe(perf_counter() - begin)

        return counted

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer on the port of metrics and probes."""
        if scope["type"] != "http":
            return
        path = scope["path"]
        if path == "/metrics":
            await _answer(send, 200, generate_latest(self.registry), CONTENT_TYPE)
        elif path == "/livez":
            is_alive = monotonic() - self.turned_at <= STALLED_SECONDS
            await _answer(send, 200 if is_alive else 503, b"alive\n" if is_alive else b"nobody is served\n")
        elif path == "/readyz":
            problem = await self._problem()
            await _answer(send, 503 if problem else 200, f"{problem or 'ready'}\n".encode())
        else:
            await _answer(send, 404, b"there are /metrics, /livez and /readyz\n")

    async def _problem(self) -> str:
        if self.service.is_stopping or self.live.is_closing:
            return "shutting_down"
        try:
            await self.service.probe(lambda call: call.tx.get_setting(""))
            # Another value every time: SQLite writes nothing for what stays as it is.
            await self.service.change(lambda call: call.tx.put_setting("probe", f"{call.now}".encode()))
        except Exception as error:
            return as_problem(error).reason
        return ""


async def _answer(send: Any, status: int, body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
