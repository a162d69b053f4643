"""Statements: SQL for both databases, written where it is asked, and made ready once.

Parameters are `:name`. What every table is asked in the same form (`get`, `put`, `add`, `page`) is made from its
columns. Those are what things are looked up by; `body` is the whole value as canonical JSON. How tables come to be is
told by the migrations; a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any

JSON_TYPES = {"text": ("text", "new.{}"), "number": ("bigint", "new.{}"), "data": ("text", "decode(new.{}, 'base64')")}
"""Type of a column in rows of JSON, and the expression that makes the table's value of it."""


class Table:
    """A table: the kinds of its columns by their names, and the names of those that are its primary key."""

    def __init__(self, *, keys: str, text: str = "", number: str = "", data: str = "") -> None:
        kinds = {"text": text, "number": number, "data": data}
        self.keys = tuple(keys.split())
        self.columns = {name: kind for kind, names in kinds.items() for name in names.split()}


TABLES = {
    "accounts": Table(keys="id", text="id recovery_hash", data="body"),
    "tokens": Table(keys="hash", text="hash account", number="created_at", data="body"),
    "rooms": Table(keys="id", text="id code game_id", number="created_at is_live is_listed deadline", data="body"),
    "seated": Table(keys="account room_id", text="account room_id", number="created_at is_live"),
    "events": Table(keys="match_id version", text="match_id kind digest", number="version at", data="body"),
    "snapshots": Table(keys="match_id", text="match_id", number="version", data="data"),
    "session_ids": Table(keys="id", number="id", text="purpose"),
    "seeds": Table(keys="session_id", number="session_id n expires_at", text="account state", data="body"),
    "used_seeds": Table(keys="mark", text="mark"),
    "versions": Table(keys="n", number="n", text="subject head signature", data="body"),
    "sessions": Table(keys="session_id", number="session_id updated_at is_complete", text="account", data="body"),
    "replies": Table(keys="account key", text="account key request_digest", number="status at", data="body"),
    "settings": Table(keys="name", text="name", data="value"),
    "audits": Table(keys="number", number="number at", text="actor what about", data="details"),
    "balances": Table(keys="account", text="account", number="chips"),
    "movements": Table(keys="number", number="number amount session", text="source target reason"),
    "carried": Table(keys="account", text="account", number="chips"),
    "house_players": Table(keys="id", text="id", data="body"),
    "house_values": Table(keys="name", text="name", data="body"),
}
"""All tables there are, in the order in which they are written: those that others refer to first."""
_NUMBERS = {name for table in TABLES.values() for name, kind in table.columns.items() if kind == "number"}
_NUMBERS = {*_NUMBERS, "limit", "since", "before", "beyond", "now"} - {"id"}


class Statement:
    """The text of a statement: `here` for SQLite, in this process, and `far` for PostgreSQL.

    `tables` are those it speaks of, and `key_of` finds the key of the one row that it is about, if there is but one;
    `columns` are those of a row that it writes to `table`, but for the body.

    Where the database is far, `many` does to rows what `far` does to one: they are JSON, with bytes in base 64. With
    `replaces` the last row of a key decides; with `is_exact` it is an error if less is written than was given.
    """

    __slots__ = ("columns", "far", "here", "is_exact", "key_of", "many", "replaces", "table", "tables")

    def __init__(self, text: str, table: str = "", *, replaces: bool = False, is_exact: bool = False) -> None:
        self.here = text.removesuffix(" FOR UPDATE")
        self.far = re.sub(r"(?<!:):(\w+)", _named, text)
        self.tables = TABLES.keys() & re.findall(r"\w+", text)
        self.table, self.replaces, self.is_exact, self.many = table, replaces, is_exact, ""
        self.key_of: Callable[[dict[str, Any]], Any] | None = itemgetter(*TABLES[table].keys) if table else None
        self.columns = tuple(name for name in TABLES[table].columns if name != "body") if table else ()


def _named(found: re.Match[str]) -> str:
    """Return a parameter as PostgreSQL's driver has it; a whole number is always sent as one of 64 bits."""
    name = found[1]
    return f"%({name})s::bigint" if name.removeprefix("after_") in _NUMBERS else f"%({name})s"


def _writing(table: str, text: str, many: str, **more: bool) -> Statement:
    """Return a statement that writes a whole row, with its form for many rows."""
    made, columns = Statement(text, table, **more), TABLES[table].columns
    rows = ", ".join(f"{name} {JSON_TYPES[kind][0]}" for name, kind in columns.items())
    values = {name: JSON_TYPES[kind][1].format(name) for name, kind in columns.items()}
    fields = ", ".join(f"{name} = {value}" for name, value in values.items() if name not in TABLES[table].keys)
    keys = " AND ".join(f"{table}.{name} = {values[name]}" for name in TABLES[table].keys)
    source = f"json_to_recordset(%(rows)s::json) AS new ({rows})"
    made.many = many.format(rows=source, fields=fields, keys=keys, values=", ".join(values.values()))
    return made


def _is_key(table: str) -> str:
    return " AND ".join(f"{name} = :{name}" for name in TABLES[table].keys)


@cache
def get(table: str, columns: str = "body", *, lock: bool = False) -> Statement:
    """Select some columns by the primary key."""
    return Statement(f"SELECT {columns} FROM {table} WHERE {_is_key(table)}{' FOR UPDATE' if lock else ''}", table)


@cache
def drop(table: str) -> Statement:
    """Delete the row with a key."""
    return Statement(f"DELETE FROM {table} WHERE {_is_key(table)}")


@cache
def insert(table: str, otherwise: str = "", **more: bool) -> Statement:
    """Insert a row; `otherwise` says what happens if something about it is taken, which else is an error."""
    names = TABLES[table].columns
    begin, values = f"INSERT INTO {table} ({', '.join(names)})", ", ".join(f":{name}" for name in names)
    many = f"{begin} SELECT {{values}} FROM {{rows}}" + ("" if more.get("is_exact") else otherwise)
    return _writing(table, f"{begin} VALUES ({values}){otherwise}", many, **more)


@cache
def put(table: str, only: str = "", *, replaces: bool = True) -> Statement:
    """Insert a row, or replace the one with that key, `only` if something holds."""
    keys, columns = TABLES[table].keys, TABLES[table].columns
    fields = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in keys)
    where = f" WHERE {only}" if only else ""
    return insert(table, f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {fields}{where}", replaces=replaces)


@cache
def add(table: str, *, is_exact: bool = True) -> Statement:
    """Insert a row unless something about it is taken; how many rows there are to it tells which."""
    return insert(table, " ON CONFLICT DO NOTHING", is_exact=is_exact)


@cache
def replace(table: str) -> Statement:
    """Write a row in place of the one with that key, which has to be there."""
    fields = ", ".join(f"{name} = :{name}" for name in TABLES[table].columns if name not in TABLES[table].keys)
    text, many = f"UPDATE {table} SET {fields} WHERE {_is_key(table)}", f"UPDATE {table} SET {{fields}} FROM {{rows}}"
    return _writing(table, text, f"{many} WHERE {{keys}}", replaces=True, is_exact=True)


@cache
def page(table: str, *, is_first: bool) -> Statement:
    """Select the whole rows of a page, in the order of their keys, after the last key that was seen."""
    keys = ", ".join(TABLES[table].keys)
    after = "" if is_first else f" WHERE ({keys}) > ({', '.join(f':after_{key}' for key in TABLES[table].keys)})"
    return Statement(f"SELECT {', '.join(TABLES[table].columns)} FROM {table}{after} ORDER BY {keys} LIMIT :limit")


@cache
def prepared(text: str) -> Statement:
    """Return the statement of a text, made when it is first executed."""
    return Statement(text)
