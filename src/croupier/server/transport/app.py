"""The HTTP side: it reads requests, hands them to the service, and writes the answers. It decides nothing.

address limit ─► route of the table ─► origin, size, type ─► query and body, by their types ─► account limit
─► one transaction: token, role, frozen?, key, operation ─► answer or problem+json, with the headers of all
"""

from __future__ import annotations

import logging
import re
from asyncio import to_thread
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

import msgspec
from litestar import Litestar, Request, Response
from litestar.config.cors import CORSConfig
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from croupier.engine.plain import UNREADABLE, misread
from croupier.server.operations.accounts import authenticate, hash_of
from croupier.server.operations.context import Context
from croupier.server.operations.idempotency import OperationResult, encoded, is_shared, request_digest
from croupier.server.problems import Problem
from croupier.server.running.service import Service, as_problem
from croupier.server.settings import Settings
from croupier.server.transport.addresses import address_key
from croupier.server.transport.frames import check_keys
from croupier.server.transport.openapi import PREFIX, openapi_document
from croupier.server.transport.request_types import Nothing
from croupier.server.transport.requests import RequestData, Route, answer_of_another, authorize
from croupier.server.transport.routes import ROUTES
from croupier.server.transport.static import python_static, static_files

__all__ = ["check_depth", "create_app", "origin_allowed", "token_in"]

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler = Callable[[Request[Any, Any, Any]], Coroutine[Any, Any, Response[bytes]]]

PROBLEM_JSON, JSON = "application/problem+json", "application/json"
NAMED = re.compile(r"[0-9A-Za-z_.:-]{1,64}")
TOKEN_MAX = 128
QUERY_FIELDS_MAX = 20
BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)

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
"""What every answer says to browsers. The connection's own security is its proxy's business."""
NO_STORE = {**HEADERS, "Cache-Control": "no-store"}

PAGES = {
    "/api": ("api.html", "text/html"),
    "/start.css": ("start.css", "text/css"),
}

log = logging.getLogger("croupier.server")


def create_app(
    service: Service,
    *,
    routes: Sequence[Route] = ROUTES,
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
    document = msgspec.json.encode(openapi_document(routes))
    return Litestar(
        route_handlers=[
            *(_mounted(PREFIX + route.path, route.method, _handler(service, route), route.name) for route in routes),
            _mounted(f"{PREFIX}/openapi.json", "GET", _fixed(document, JSON), "openapi"),
            *(_mounted(path, "GET", _fixed(_page(name), kind), name) for path, (name, kind) in PAGES.items()),
            _mounted("/", "GET", _static(lambda request: "index.html"), "page"),
            HTTPRouteHandler("/web/{file:path}", http_method="GET", name="web", status_code=200)(
                _static(lambda request: str(request.path_params["file"]).lstrip("/"))
            ),
            *handlers,
        ],
        exception_handlers={HTTPException: _http_problem, Exception: _any_problem},
        request_max_body_size=service.settings.body_max,
        openapi_config=None,
        logging_config=None,
        cors_config=cors if origins else None,
        **options,
    )


# One request.


def _handler(service: Service, route: Route) -> Handler:
    async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
        try:
            answer = await _serve(service, route, request)
            kind = JSON if answer.status < 400 else PROBLEM_JSON
            return Response(answer.body, status_code=answer.status, media_type=kind, headers=NO_STORE)
        except Problem as problem:
            service.refusals[problem.reason] += 1
            return _refused(problem)

    return handle


async def _serve(service: Service, route: Route, request: Request[Any, Any, Any]) -> OperationResult:
    address = address_key(request.client.host if request.client else "")
    _check_rate(service, f"address {address}", is_opening=route.is_opening)
    token = token_in(request.headers)
    if token is None and route.role != "anyone":
        raise Problem("no_token")
    if route.is_change and not origin_allowed(request.headers, service.settings):
        raise Problem("bad_origin")
    data = await request.body() if route.is_change else b""
    asked = read_request(service.settings, route, request, data, token)
    known = service.accounts_known.get(hash_of(token)) if token else None
    if known is not None:
        _check_rate(service, f"account {known}")
    if route.before is not None:
        await service.work(await service.look(_check_role, route, asked), route.before, asked)
    found, account_id = await _carried_out(service, route, asked)
    if token and account_id:
        service.know(hash_of(token), account_id)
    if route.after is not None:
        found = await _after(service, route, account_id or address, found)
    return found if isinstance(found, OperationResult) else OperationResult(route.status, encoded(found), account_id)


async def _carried_out(service: Service, route: Route, asked: RequestData) -> tuple[Any, str]:
    """Return what was found, or the answer to a change, and the account of whoever asked."""
    if not route.is_change:
        return await service.look(authorize, route, asked)
    try:
        return await service.change(authorize, route, asked)
    except Problem:
        if not asked.key or not is_shared(service.store):
            raise
        kept = await service.look(answer_of_another, asked)
        if kept is None:
            raise
        return kept, kept.account_id


async def _after(service: Service, route: Route, who: str, found: Any) -> Any:
    assert route.after is not None
    try:
        return await service.work(who, route.after, found)
    except Exception as error:
        raise as_problem(error) from None


def _check_role(call: Context, route: Route, asked: RequestData) -> str:
    """Return who asks, or raise `Problem` before anything is thought about for somebody who may not."""
    account = authenticate(call, asked.token).account
    if account is None:
        raise Problem("no_token")
    if route.role == "operator" and account.role != "operator":
        raise Problem("forbidden")
    return account.id


def _check_rate(service: Service, who: str, *, is_opening: bool = False) -> None:
    limits = [service.requests_limit, *([service.registrations_limit] if is_opening else [])]
    for limit in limits:
        if not limit.allow(who):
            raise Problem("too_many_requests", retry_after_ms=limit.wait_ms(who))


def token_in(headers: Mapping[str, str]) -> str | None:
    """Return the token that a request brings, or None; raises `Problem` for another kind of authorization."""
    value = headers.get("authorization")
    if value is None:
        return None
    scheme, _, token = value.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > TOKEN_MAX:
        raise Problem("bad_token")
    return token


def origin_allowed(headers: Mapping[str, str], settings: Settings) -> bool:
    """Tell whether a request comes from no page, from one of ours, or from a site that the operator has named."""
    origin = headers.get("origin")
    if origin is None or origin in settings.origins:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False


def read_request(
    settings: Settings, route: Route, request: Request[Any, Any, Any], data: bytes, token: str | None
) -> RequestData:
    """Return a request as the types of its route have it. Raises `Problem`; nothing of it has been trusted yet."""
    path = {name: str(value) for name, value in request.path_params.items()}
    if not all(NAMED.fullmatch(value) for value in path.values()):
        raise Problem("not_found")
    raw_query: bytes = request.scope["query_string"]
    query = _read_query(raw_query, route.query or Nothing)
    body = None
    key = request.headers.get("idempotency-key")
    if route.is_change:
        body = _read_body(settings, request.headers.get("content-type"), data, route.body)
        key = getattr(body, "id", None) or key
    where = f"{route.method} {request.scope['path']}".encode("utf-8", "surrogatepass")
    share = request.headers.get("croupier-share", "")[:TOKEN_MAX]
    return RequestData(path, query, body, token, key, request_digest(where, raw_query, data), share)


def _read_body(settings: Settings, content_type: str | None, data: bytes, kind: type[msgspec.Struct] | None) -> Any:
    if not data and kind is None:
        return None
    if content_type is None or content_type.partition(";")[0].strip().lower() != JSON:
        raise Problem("wrong_type")
    if len(data) > settings.body_max:
        raise Problem("too_large")
    check_depth(data, settings.depth_max)
    try:
        read = msgspec.json.decode(data, type=Nothing if kind is None else kind)
    except UNREADABLE as error:
        text, where = misread(error)
        raise Problem("bad_request", f"{text} at {where}") from None
    try:
        check_keys(data)
    except ValueError as error:
        raise Problem("bad_request", str(error)) from None
    return read


def _read_query(raw: bytes, kind: type[msgspec.Struct]) -> Any:
    try:
        pairs = parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, strict_parsing=bool(raw), errors="strict",
            max_num_fields=QUERY_FIELDS_MAX,
        )  # fmt: skip
        if len(dict(pairs)) != len(pairs):
            raise Problem("bad_request", "a parameter is there twice")
        return msgspec.convert(dict(pairs), kind, strict=False)
    except UNREADABLE as error:
        text, where = misread(error)
        raise Problem("bad_request", f"query: {text} at {where}") from None


def check_depth(data: bytes, most: int) -> None:
    """Raise `Problem` if JSON is nested more deeply than allowed; what is in strings does not count.

    >>> check_depth(b'{"a": "[[[["}', 1)
    """
    if data.count(b"[") + data.count(b"{") <= most:
        return
    depth = 0
    for found in BRACKETS.finditer(data):
        mark = found.group()
        if mark in (b"[", b"{"):
            depth += 1
            if depth > most:
                raise Problem("bad_request", f"JSON is nested at most {most} deep")
        elif mark in (b"]", b"}"):
            depth -= 1


# Answers.


def _refused(problem: Problem) -> Response[bytes]:
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


def _http_problem(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Return what the framework refuses, in our words."""
    response = _refused(Problem(_BY_STATUS.get(error.status_code, "internal")))
    if error.status_code == 405 and error.headers:
        response.headers.update({name: value for name, value in error.headers.items() if name.lower() == "allow"})
    return response


def _any_problem(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Return the answer to a request that broke something. What broke is logged, without the request."""
    return _refused(as_problem(error))


# Pages.


def _mounted(path: str, method: Method, handle: Handler, name: str) -> HTTPRouteHandler:
    typed = re.sub(r"\{(\w+)\}", r"{\1:str}", path)
    return HTTPRouteHandler(typed, http_method=method, name=name, status_code=200)(handle)


def _fixed(body: bytes, kind: str) -> Handler:
    async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
        return Response(body, media_type=kind, headers={**HEADERS, "Cache-Control": "no-cache"})

    return handle


def _static(name_of: Callable[[Request[Any, Any, Any]], str]) -> Handler:
    """Hand out the files of the browser client. A browser asks every time, and is told at once that nothing changed."""

    async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
        name = name_of(request)
        found = static_files().get(name)
        if found is None and name.startswith("python/"):
            found = (await to_thread(python_static)).get(name)
        if found is None:
            return _refused(Problem("not_found"))
        kept = "public, max-age=31536000, immutable" if found.is_fixed else "no-cache"
        headers = {**HEADERS, "Cache-Control": kept, "ETag": found.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(b"", status_code=304, media_type=found.kind, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", "") and found.packed is not found.body:
            return Response(found.packed, media_type=found.kind, headers={**headers, "Content-Encoding": "gzip"})
        return Response(found.body, media_type=found.kind, headers=headers)

    return handle


@lru_cache
def _page(name: str) -> bytes:
    if name == "api.html":
        from croupier.server.transport.reference import reference_page

        return reference_page(ROUTES).encode()
    return (resources.files("croupier.server") / "pages" / name).read_bytes()
