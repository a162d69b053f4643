"""HTTP transport: reads requests, applies the rate limit of accounts, hands them to the service, writes the answers.

an operation's route ─► origin, size, type ─► query and body, by their types ─► account limit
─► running.requests.carry_out ─► answer or problem+json, with the headers of all
"""

from __future__ import annotations

import logging
import re
from asyncio import to_thread
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from importlib import resources
from typing import Any

import msgspec
from litestar import Litestar, Request, Response
from litestar.config.cors import CORSConfig
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from croupier.engine.rate_limit import RateLimiter
from croupier.server.operations.accounts import hash_of
from croupier.server.operations.declaration.operation import Method, Operation
from croupier.server.operations.declaration.registry import OPERATIONS
from croupier.server.problems import Problem, ensure
from croupier.server.running.requests import Answer, carry_out
from croupier.server.running.requests import Request as Asked
from croupier.server.running.service import Service, as_problem
from croupier.server.settings import Settings
from croupier.server.transport.addresses import address_key
from croupier.server.transport.openapi import PREFIX, openapi_document, reference_page
from croupier.server.transport.reading import TOKEN_MAX, check_origin, read_json, read_query, token_in
from croupier.server.transport.static import python_static, static_files

Handler = Callable[[Request[Any, Any, Any]], Coroutine[Any, Any, Response[bytes]]]

PROBLEM_JSON, JSON = "application/problem+json", "application/json"
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
NAMED = re.compile(r"[0-9A-Za-z_.:-]{1,64}")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Security headers of every answer. The connection's own security is its proxy's business."""
NO_STORE = {**HEADERS, "Cache-Control": "no-store"}

log = logging.getLogger("croupier.server")


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A query or a body of an operation that takes none."""


def create_app(
    service: Service,
    *,
    operations: Sequence[Operation] = OPERATIONS,
    handlers: Sequence[ControllerRouterHandler] = (),
    **options: Any,
) -> Litestar:
    """Return the application over a service.

    `handlers` are what others mount beside the table, such as the live connection; `options` go to Litestar, such as
    `on_startup`. The service is started and stopped by who made it.
    """
    origins = list(service.settings.origins)
    cors = CORSConfig(
        allow_origins=origins,
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=["authorization", "content-type", "idempotency-key", "croupier-share"],
        max_age=600,
    )
    document = msgspec.json.encode(openapi_document(operations))
    style = resources.files("croupier.server") / "pages" / "start.css"
    return Litestar(
        route_handlers=[
            *(_mounted(PREFIX + each.path, each.method, _handler(service, each), each.name) for each in operations),
            _mounted(f"{PREFIX}/openapi.json", "GET", _fixed(document, JSON), "openapi"),
            _mounted("/api", "GET", _fixed(reference_page(operations).encode(), "text/html"), "api.html"),
            _mounted("/start.css", "GET", _fixed(style.read_bytes(), "text/css"), "start.css"),
            _mounted("/", "GET", _static(service, lambda request: "index.html"), "page"),
            HTTPRouteHandler("/web/{file:path}", http_method="GET", name="web", status_code=200)(
                _static(service, lambda request: str(request.path_params["file"]).lstrip("/"))
            ),
            *handlers,
        ],
        exception_handlers={
            HTTPException: partial(_http_problem, service),
            Exception: lambda _, error: _refused(service, as_problem(error)),  # logged, without the request
        },
        request_max_body_size=service.settings.body_max,
        openapi_config=None,
        logging_config=None,
        cors_config=cors if origins else None,
        **options,
    )


# One request.


def _handler(service: Service, operation: Operation) -> Handler:
    async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
        try:
            answer = await _serve(service, operation, request)
            if answer.status >= 400:
                service.refusals[msgspec.json.decode(answer.body)["code"]] += 1
            kind = JSON if answer.status < 400 else PROBLEM_JSON
            return Response(answer.body, status_code=answer.status, media_type=kind, headers=NO_STORE)
        except Problem as problem:
            return _refused(service, problem)

    return handle


async def _serve(service: Service, operation: Operation, request: Request[Any, Any, Any]) -> Answer:
    address = address_key(request.client.host if request.client else "")
    if operation.is_opening:
        _check_rate(service.registrations_limit, f"address {address}")
    token = token_in(request.headers)
    ensure(token is not None or operation.role == "anyone", "no_token")
    if operation.is_change:
        check_origin(request.headers.get("origin"), request.headers.get("host", ""), service.settings)
    data = await request.body() if operation.is_change else b""
    arguments, key = read_request(service.settings, operation, request, data)
    known = service.accounts_known.get(hash_of(token)) if token else None
    if known is not None:
        _check_rate(service.requests_limit, f"account {known}")
    asked = Asked(operation, arguments, token, key=key, address=address, known_as=known or "")
    answer = await carry_out(service, asked)
    if token and answer.account_id:
        service.know(hash_of(token), answer.account_id)
    return answer


def _check_rate(limit: RateLimiter, who: str) -> None:
    if not limit.allow(who):
        raise Problem("too_many_requests", retry_after_ms=limit.wait_ms(who))


def read_request(
    settings: Settings, operation: Operation, request: Request[Any, Any, Any], data: bytes
) -> tuple[dict[str, Any], str | None]:
    """Return the arguments that a request brings and its key. Raises `Problem`; nothing of it has been trusted yet."""
    named = {name: str(value) for name, value in request.path_params.items()}
    ensure(all(NAMED.fullmatch(value) for value in named.values()), "not_found")
    query = read_query(request.scope["query_string"], operation.query or Nothing, operation.field_codes)
    kind = request.headers.get("content-type")
    body = _read_body(settings, kind, data, operation) if operation.is_change else None
    arguments, key = operation.arguments(query, body)
    for name, header in operation.in_header.items():
        arguments[name] = request.headers.get(header, "")[:TOKEN_MAX]
    arguments.update(operation.read_path(named))
    given = request.headers.get("idempotency-key")
    if key is not None and given not in (None, key):
        raise Problem("bad_request", "the key of this request is the id in its body: leave out Idempotency-Key")
    return arguments, key or given


def _read_body(settings: Settings, content_type: str | None, data: bytes, operation: Operation) -> Any:
    if not data and operation.body is None:
        return None
    if content_type is None or content_type.partition(";")[0].strip().lower() != JSON:
        raise Problem("wrong_type")
    decode = partial(msgspec.json.decode, type=operation.body or Nothing)
    read = read_json(data, decode, settings.depth_max, operation.field_codes)
    return read if operation.body else None


# Answers.


def _refused(service: Service, problem: Problem) -> Response[bytes]:
    service.refusals[problem.reason] += 1
    headers = dict(NO_STORE)
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.reason in ("too_many_requests", "overloaded"):
        headers["Retry-After"] = str(-(-problem.extra.get("retry_after_ms", 1000) // 1000))
    body = msgspec.json.encode(problem.body)
    return Response(body, status_code=problem.status, media_type=PROBLEM_JSON, headers=headers)


_BY_STATUS = {
    400: "bad_request",
    401: "no_token",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "wrong_type",
}


def _http_problem(service: Service, request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Return what the framework refuses, in our words."""
    response = _refused(service, Problem(_BY_STATUS.get(error.status_code, "internal")))
    if error.status_code == 405 and error.headers:
        response.headers.update({name: value for name, value in error.headers.items() if name.lower() == "allow"})
    return response


# Pages.


def _mounted(path: str, method: Method, handle: Handler, name: str) -> HTTPRouteHandler:
    typed = re.sub(r"\{(\w+)\}", r"{\1:str}", path)
    return HTTPRouteHandler(typed, http_method=method, name=name, status_code=200)(handle)


def _fixed(body: bytes, kind: str) -> Handler:
    async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
        return Response(body, media_type=kind, headers={**HEADERS, "Cache-Control": "no-cache"})

    return handle


def _static(service: Service, name_of: Callable[[Request[Any, Any, Any]], str]) -> Handler:
    """Hand out the files of the browser client. A browser asks every time, and is told at once that nothing changed."""

    async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
        name = name_of(request)
        found = static_files().get(name)
        if found is None and name.startswith("python/"):
            found = (await to_thread(python_static)).get(name)
        if found is None:
            return _refused(service, Problem("not_found"))
        kept = "public, max-age=31536000, immutable" if found.is_fixed else "no-cache"
        headers = {**HEADERS, "Cache-Control": kept, "ETag": found.tag, "Vary": "Accept-Encoding"}
        if found.tag in (known := request.headers.get("if-none-match", "")) or known == "*":  # also a weak one, W/"…"
            return Response(b"", status_code=304, media_type=found.kind, headers=headers)
        if TAKES_GZIP.search(request.headers.get("accept-encoding", "")) and found.packed is not found.body:
            return Response(found.packed, media_type=found.kind, headers={**headers, "Content-Encoding": "gzip"})
        return Response(found.body, media_type=found.kind, headers=headers)

    return handle
