"""Settings of the server: by flags, by the environment, in a file, in that order; every setting has a default."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from croupier.engine.plain import misfit
from croupier.errors import BadOptions

PREFIX = "CROUPIER_"
LISTS = ("origins", "hosts", "proxies")
"""Settings that are lists; flags and variables have their items with commas between them."""

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1)]
Ms = Annotated[int, Meta(ge=1)]
Age = Annotated[int, Meta(ge=0, le=36_500)]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of one server process."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Port = 8000
    """The port to listen on; 0 takes a free one."""
    metrics_port: Port = 9000
    """The port of metrics and probes, on the loopback address only; 0 takes a free one."""
    database: str = "sqlite:///croupier.db"
    """Where everything is kept: sqlite:///path or postgresql://user@host/name."""
    origins: tuple[str, ...] = ()
    """Sites besides our own whose pages may talk to the server, such as https://example.org."""
    hosts: tuple[str, ...] = ()
    """Names besides localhost and the address to listen on that the server answers to, such as play.example.org."""
    proxies: tuple[str, ...] = ()
    """Networks of proxies that are believed about where a request comes from, such as 10.0.0.0/8."""
    token_days: Count = 90
    """How long a token lets somebody in."""
    abandoned_ms: Ms = 900_000
    """How long a match waits for whoever is to move, where the room has no clock of its own."""
    rooms_each: Count = 20
    """How many rooms somebody may have a seat in at a time."""
    sessions_each: Count = 20
    """How many sessions somebody may have open at a time."""
    moves_max: Count = 2_000
    """How many moves a session may have; then it can only be closed."""
    keep_sessions_days: Age = 0
    """How long sessions that are over are kept whole, with their records; 0 for ever."""
    keep_commitments_days: Age = 0
    """How long commitments that were opened unused are kept whole; 0 for ever."""
    keep_replies_hours: Count = 24
    """How long the answer to a request with a key is given again."""
    matches_kept: Count = 5_000
    """How many matches are kept in memory; the others are read from the database when somebody asks."""
    body_max: Count = 65_536
    """The largest request or frame, in bytes."""
    depth_max: Count = 32
    """How deep JSON may be nested."""
    request_ms: Ms = 20_000
    """How long a request may take to arrive."""
    requests_burst: Count = 60
    """How many requests an account or an address may make at once, and how many control frames a connection."""
    requests_refill_ms: Ms = 50
    """How long it takes until one more is allowed."""
    registrations_burst: Count = 20
    """How many accounts an address may open at once."""
    registrations_refill_ms: Ms = 10_000
    """How long it takes until one more is allowed."""
    connections_max: Count = 20_000
    """How many live connections a process holds."""
    connections_each: Count = 8
    """How many of them an account may have."""
    buffer_frames: Count = 256
    """How many frames wait for a client that does not read before it is cut off."""
    buffer_bytes: Count = 262_144
    """How many bytes wait for such a client."""
    ticket_ms: Ms = 30_000
    """How long a ticket for a live connection is good."""
    queue_max: Count = 10_000
    """How many operations may wait to be written."""
    bot_processes: Count = 1
    """How many processes think for bots, and how many more for bots that think for long."""
    odds_ahead_ms: Ms = 1_000
    """How long after the start odds are counted that somebody may ask for; a process of its own counts them."""
    stop_ms: Ms = 10_000
    """How long a server that is told to stop lets clients finish."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """How much is logged: debug, info, warning, error."""


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Return the settings: flags win over the environment, which wins over the file. Raises `BadOptions`."""
    found: dict[str, Any] = {}
    if file is not None:
        try:
            found.update(tomllib.loads(file.read_text(encoding="utf-8")))
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadOptions(f"{file}: {error}") from None
    for name, text in (os.environ if environment is None else environment).items():
        if name.startswith(PREFIX) and (key := name.removeprefix(PREFIX).lower()) in Settings.__struct_fields__:
            found[key] = text
    found.update({key: value for key, value in (flags or {}).items() if value is not None})
    for key in (key for key in LISTS if isinstance(found.get(key), str)):
        found[key] = [each for each in found[key].split(",") if each]
    try:
        settings = msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise BadOptions(f"the settings do not hold: {misfit(error, found)}") from None
    try:
        for network in settings.proxies:
            ip_network(network)
        return settings
    except ValueError as error:
        raise BadOptions(f"the settings do not hold: {error}") from None
