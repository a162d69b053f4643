"""The tables, as statements speak of them. How they come to be is told by the migrations; a test compares the two.

Columns are what things are looked up by; `body` is the whole value as canonical JSON.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, Table, Text

__all__ = ["METADATA", "tables"]

METADATA = MetaData()


def _table(name: str, *, keys: str, text: str = "", number: str = "", data: str = "") -> Table:
    """Declare a table by the names of its columns; `keys` are the primary key."""
    kinds: dict[str, Any] = dict.fromkeys(text.split(), Text)
    kinds |= dict.fromkeys(number.split(), BigInteger)
    kinds |= dict.fromkeys(data.split(), LargeBinary)
    primary = keys.split()
    return Table(
        name, METADATA, *(Column(column, kind, primary_key=column in primary) for column, kind in kinds.items())
    )


class tables:
    """All tables there are: a namespace, read as `tables.rooms`."""

    accounts = _table("accounts", keys="id", text="id recovery_hash", data="body")
    tokens = _table("tokens", keys="hash", text="hash account", number="created_at", data="body")
    rooms = _table(
        "rooms", keys="id", text="id code game_id", number="created_at is_live is_listed deadline", data="body"
    )
    seated = _table("seated", keys="account room_id", text="account room_id", number="created_at is_live")
    events = _table("events", keys="match_id version", text="match_id kind digest", number="version at", data="body")
    snapshots = _table("snapshots", keys="match_id", text="match_id", number="version", data="data")
    session_ids = _table("session_ids", keys="id", number="id", text="purpose")
    seeds = _table("seeds", keys="session_id", number="session_id n expires_at", text="account state", data="body")
    used_seeds = _table("used_seeds", keys="mark", text="mark")
    versions = _table("versions", keys="n", number="n", text="subject head signature", data="body")
    sessions = _table(
        "sessions",
        keys="session_id",
        number="session_id updated_at is_complete",
        text="account",
        data="body",
    )
    replies = _table("replies", keys="account key", text="account key request_digest", number="status at", data="body")
    settings = _table("settings", keys="name", text="name", data="value")
    audits = _table("audits", keys="number", number="number at", text="actor what about", data="details")

    balances = _table("balances", keys="account", text="account", number="chips")
    movements = _table("movements", keys="number", number="number amount session", text="source target reason")
    carried = _table("carried", keys="account", text="account", number="chips")
    house_players = _table("house_players", keys="id", text="id", data="body")
    house_values = _table("house_values", keys="name", text="name", data="body")
