"""The tables, and every statement on them, written once in SQLAlchemy Core and compiled once for the database at hand.

How tables come to be is told by the migrations; a test compares the two. Columns are what things are looked up by;
`body` is the whole value as canonical JSON.

They are executed as text: compiling anew for each of a thousand actions a second would cost more than the database.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    ColumnElement,
    Dialect,
    LargeBinary,
    MetaData,
    Select,
    Table,
    Text,
    Update,
    and_,
    any_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    tuple_,
    union,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.base import Executable

__all__ = ["METADATA", "Statement", "Statements", "statements_for", "tables"]

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


t = tables

EVENT = ("version", "kind", "at", "body", "digest")
REPLY = ("account", "key", "request_digest", "status", "body", "at")
ONE: ColumnElement[int] = literal_column("1")
ZERO: ColumnElement[int] = literal_column("0")
JSON_TYPES: dict[type[Any], tuple[str, str]] = {
    Text: ("text", "new.{}"),
    BigInteger: ("bigint", "new.{}"),
    LargeBinary: ("text", "decode(new.{}, 'base64')"),
}
"""What a column of many rows is in JSON, and how it becomes what it is in the table."""
INSERTS: dict[str, Callable[[Table], Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class Statement:
    """The text of a statement, and its parameters in the order the driver wants them; None if it wants names.

    `fixed` are parameters that the compiler brought, such as an offset of 0; `tables` are those it speaks of, and `key`
    names the columns of the one row that it is about, if there is but one; `columns` are those of a row that it writes,
    but for the body.

    Where the database is far, `many` does to rows what `text` does to one: they are JSON, with bytes in base 64. With
    `replaces` the last row of a key decides; with `is_exact` it is an error if less is written than was given.
    """

    __slots__ = ("columns", "fixed", "is_exact", "key", "many", "names", "replaces", "table", "tables", "text")

    def __init__(self, text: str, names: tuple[str, ...] | None = (), fixed: dict[str, Any] | None = None) -> None:
        self.text = text
        self.names = names
        self.fixed = fixed or {}
        self.tables: frozenset[str] = frozenset()
        self.key: tuple[str, ...] = ()
        self.columns: tuple[str, ...] = ()
        self.table = self.many = ""
        self.replaces = self.is_exact = False


def _text(name: str) -> Any:
    return bindparam(name, type_=Text)


def _number(name: str) -> Any:
    return bindparam(name, type_=BigInteger)


def _named(table: Table) -> dict[str, Any]:
    """Return a parameter for each column, named as it is."""
    return {column.name: bindparam(column.name, type_=column.type) for column in table.columns}


_compiled: dict[str, Statements] = {}


def statements_for(dialect: Dialect) -> Statements:
    """Return the statements for a kind of database, compiled when it is first asked for."""
    if dialect.name not in _compiled:
        _compiled[dialect.name] = Statements(dialect)
    return _compiled[dialect.name]


class Statements:
    """The statements for one kind of database."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._insert = INSERTS[dialect.name]
        self._limit = _number("limit")
        self.order = {name: index for index, name in enumerate(METADATA.tables)}
        """In which order tables are written: those that others refer to first."""
        self._accounts_and_tokens()
        self._rooms()
        self._events()
        self._house()
        self._sessions()
        self._other()
        self._several()
        self._whole_tables()

    def _compile(self, statement: Executable) -> Statement:
        compiled: Any = statement.compile(dialect=self._dialect)  # type: ignore[attr-defined]
        fixed = {name: value for name, value in compiled.params.items() if value is not None}
        made = Statement(str(compiled), tuple(compiled.positiontup) if compiled.positional else None, fixed)
        made.tables = frozenset(name for name in METADATA.tables if re.search(rf"\b{name}\b", made.text))
        return made

    # The few forms that most statements have.

    def _get(self, table: Table, *columns: str, lock: bool = False) -> Statement:
        """Select some columns by the primary key."""
        found = select(*(table.c[name] for name in columns)).where(self._is_key(table))
        statement = self._compile(found.with_for_update() if lock else found)
        statement.key = tuple(column.name for column in table.primary_key)
        return statement

    def _write(self, table: Table, written: Executable, *, replaces: bool = False, is_exact: bool = False) -> Statement:
        """Compile a statement that writes a whole row, and its form for many rows."""
        statement = self._compile(written)
        statement.key = tuple(column.name for column in table.primary_key)
        statement.columns = tuple(column.name for column in table.columns if column.name != "body")
        statement.table, statement.replaces, statement.is_exact = table.name, replaces, is_exact
        if self._dialect.name == "postgresql":
            rows = ", ".join(f"{column.name} {JSON_TYPES[type(column.type)][0]}" for column in table.columns)
            rows = f"json_to_recordset(%(rows)s::json) AS new ({rows})"
            values = {column.name: JSON_TYPES[type(column.type)][1].format(column.name) for column in table.columns}
            if isinstance(written, Update):
                fields = ", ".join(f"{name} = {value}" for name, value in values.items() if name not in statement.key)
                keys = " AND ".join(f"{table.name}.{name} = {values[name]}" for name in statement.key)
                statement.many = f"UPDATE {table.name} SET {fields} FROM {rows} WHERE {keys}"
            else:
                end = statement.text.find(" ON CONFLICT")
                otherwise = "" if end < 0 or is_exact else statement.text[end:]  # what is taken is an error then
                fields, found = ", ".join(values), ", ".join(values.values())
                statement.many = f"INSERT INTO {table.name} ({fields}) SELECT {found} FROM {rows}{otherwise}"
        return statement

    def _put(self, table: Table) -> Statement:
        """Insert a row, or replace the one with that key."""
        new = self._insert(table).values(_named(table))
        others = {column.name: new.excluded[column.name] for column in table.columns if not column.primary_key}
        put = new.on_conflict_do_update(index_elements=list(table.primary_key), set_=others)
        return self._write(table, put, replaces=True)

    def _add(self, table: Table, *, is_exact: bool = True) -> Statement:
        """Insert a row unless something about it is taken; how many rows there are to it tells which."""
        return self._write(table, self._insert(table).values(_named(table)).on_conflict_do_nothing(), is_exact=is_exact)

    def _is_key(self, table: Table) -> ColumnElement[bool]:
        return and_(*(column == bindparam(column.name, type_=column.type) for column in table.primary_key))

    def _page(self, found: Select[Any], *order: ColumnElement[Any]) -> Statement:
        return self._compile(found.order_by(*order).limit(self._limit))

    # What there is.

    def _accounts_and_tokens(self) -> None:
        self.get_account = self._get(t.accounts, "body")
        self.lock_account = self._get(t.accounts, "body", lock=True)
        self.put_account = self._put(t.accounts)
        self.account_by_recovery = self._compile(
            select(t.accounts.c.body).where(
                t.accounts.c.recovery_hash == _text("recovery_hash"), t.accounts.c.recovery_hash != literal_column("''")
            )
        )
        tokens = t.tokens
        self.find_token = self._get(tokens, "body")
        self.put_token = self._put(tokens)
        self.drop_token = self._compile(delete(tokens).where(self._is_key(tokens)))
        self.tokens_of = self._compile(
            select(tokens.c.body)
            .where(tokens.c.account == _text("account"))
            .order_by(tokens.c.created_at, tokens.c.hash)
        )

    def _rooms(self) -> None:
        rooms, seated = t.rooms, t.seated
        self.add_room = self._add(rooms)
        fields = {name: value for name, value in _named(rooms).items() if name != "id"}
        written = update(rooms).where(rooms.c.id == _text("id")).values(fields)
        self.put_room = self._write(rooms, written, replaces=True, is_exact=True)
        self.get_room = self._get(rooms, "body")
        self.lock_room = self._get(rooms, "body", lock=True)
        self.room_by_code = self._compile(
            select(rooms.c.body).where(rooms.c.code == _text("code"), rooms.c.is_live == ONE)
        )
        listed = select(rooms.c.body).where(rooms.c.is_live == ONE, rooms.c.is_listed == ONE)
        place = (rooms.c.created_at, rooms.c.id)
        newest = [column.desc() for column in place]
        seen = rooms.alias("seen")
        last_seen = select(seen.c.created_at, seen.c.id).where(seen.c.id == _text("after")).scalar_subquery()
        older = tuple_(*place) < last_seen
        of_game = rooms.c.game_id == _text("game_id")
        self.open_rooms = {
            (False, False): self._page(listed, *newest),
            (False, True): self._page(listed.where(older), *newest),
            (True, False): self._page(listed.where(of_game), *newest),
            (True, True): self._page(listed.where(of_game, older), *newest),
        }
        mine = select(rooms.c.body).join(seated, seated.c.room_id == rooms.c.id)
        mine = mine.where(seated.c.account == _text("account"))
        mine_place = (seated.c.created_at, seated.c.room_id)
        mine_newest = [column.desc() for column in mine_place]
        self.rooms_of = {
            False: self._page(mine, *mine_newest),
            True: self._page(mine.where(tuple_(*mine_place) < last_seen), *mine_newest),
        }
        self.live_rooms_of = self._page(mine.where(seated.c.is_live == ONE), *mine_newest)
        due = select(rooms.c.body).where(rooms.c.deadline > ZERO, rooms.c.deadline <= _number("now"))
        self.due_rooms = self._page(due, rooms.c.deadline, rooms.c.id)
        self.add_seated = self._add(seated, is_exact=False)
        of_room = update(seated).where(seated.c.room_id == _text("room_id"), seated.c.is_live == ONE)
        self.end_seats = self._compile(of_room.values(is_live=ZERO))

    def _events(self) -> None:
        events = t.events
        self.append = self._add(events)
        found = select(*(events.c[name] for name in EVENT))
        found = found.where(events.c.match_id == _text("match_id"), events.c.version > _number("since"))
        self.events_since = self._page(found, events.c.version)
        of_match = events.c.match_id == _text("match_id")
        self.last_event = self._compile(select(func.max(events.c.version)).where(of_match))
        self.drop_events = self._compile(delete(events).where(of_match))
        snapshots = t.snapshots
        new = self._insert(snapshots).values(_named(snapshots))
        newer = {"version": new.excluded.version, "data": new.excluded.data}
        is_newer = new.excluded.version >= snapshots.c.version
        self.put_snapshot = self._write(
            snapshots, new.on_conflict_do_update(index_elements=["match_id"], set_=newer, where=is_newer)
        )
        self.last_snapshot = self._get(snapshots, "version", "data")
        self.drop_snapshot = self._compile(delete(snapshots).where(self._is_key(snapshots)))

    def _house(self) -> None:
        moves = t.movements
        self.get_balance = self._get(t.balances, "chips")
        self.put_balance = self._put(t.balances)
        self.ledger_accounts = self._compile(select(t.balances.c.account).order_by(t.balances.c.account))
        chips, account = t.balances.c.chips, t.balances.c.account
        # "player/" up to "player0": all names that begin with it, and none of the others.
        players = select(account, chips).where(account >= "player/", account < "player0")
        self.richest = self._page(players, chips.desc(), account)
        self.ledger_count = self._compile(select(func.max(moves.c.number)))
        self.get_movement = self._compile(select(*moves.columns).where(moves.c.number == _number("number")))
        self.add_movement = self._write(moves, insert(moves).values(_named(moves)), is_exact=True)
        before = moves.c.number < _number("before")
        newest = moves.c.number.desc()
        self.movements = self._page(select(*moves.columns).where(before), newest)
        # One index each for what went out and what came in: together they would be sorted from the beginning.
        sides = [
            select(*moves.columns).where(side == _text("account"), before).order_by(newest).limit(self._limit)
            for side in (moves.c.source, moves.c.target)
        ]
        both = union(*(select(*side.subquery().columns) for side in sides)).subquery()
        self.movements_of = self._page(select(*both.columns), both.c.number.desc())
        self.house_player = self._get(t.house_players, "body")
        self.put_house_player = self._put(t.house_players)
        after = moves.c.number > _number("after")
        self.movements_after = self._page(select(*moves.columns).where(after), moves.c.number)
        of_session = select(moves.c.session).where(after, moves.c.session.is_not(None))
        self.next_session_moved = self._compile(of_session.order_by(moves.c.number).limit(ONE))
        self.drop_movements = self._compile(delete(moves).where(moves.c.number <= _number("number")))
        carried = self._insert(t.carried).values(_named(t.carried))
        added = {"chips": t.carried.c.chips + carried.excluded.chips}
        self.add_carried = self._compile(carried.on_conflict_do_update(index_elements=["account"], set_=added))
        self.carried = self._compile(select(t.carried.c.account, t.carried.c.chips))
        self.get_carried = self._get(t.carried, "chips")
        self.house_value = self._get(t.house_values, "body")
        self.put_house_value = self._put(t.house_values)

    def _sessions(self) -> None:
        sessions = t.sessions
        self.put_seed = self._put(t.seeds)
        self.get_seed = self._get(t.seeds, "body")
        self.lock_seed = self._get(t.seeds, "body", lock=True)
        self.drop_seed = self._compile(delete(t.seeds).where(self._is_key(t.seeds)))
        self.use_seed = self._add(t.used_seeds)
        seeds = t.seeds
        of_account = seeds.c.account == _text("account")
        is_issued = seeds.c.state == literal_column("'issued'")
        self.last_seed_number = self._compile(select(func.max(seeds.c.n)).where(of_account))
        self.issued_seeds = self._page(select(seeds.c.body).where(of_account, is_issued), seeds.c.session_id.desc())
        found_seeds = select(seeds.c.body).where(of_account, seeds.c.session_id < _number("before"))
        self.seeds_of = self._page(found_seeds, seeds.c.session_id.desc())
        expired = select(seeds.c.body).where(is_issued, seeds.c.expires_at <= _number("now"))
        self.expired_seeds = self._page(expired, seeds.c.expires_at, seeds.c.session_id)
        is_opened = or_(*(seeds.c.state == literal_column(f"'{state}'") for state in ("refused", "expired")))
        opened = select(seeds.c.body).where(
            seeds.c.expires_at > ZERO, is_opened, seeds.c.expires_at < _number("before")
        )
        self.opened_seeds = self._page(opened, seeds.c.expires_at, seeds.c.session_id)
        versions = t.versions
        columns = [versions.c[name] for name in ("n", "subject", "body", "head", "signature")]
        self.add_version = self._add(versions)
        self.last_version = self._compile(select(*columns).order_by(versions.c.n.desc()).limit(ONE))
        self.last_version_of = self._compile(
            select(*columns).where(versions.c.subject == _text("subject")).order_by(versions.c.n.desc()).limit(ONE)
        )
        self.versions_since = self._page(select(*columns).where(versions.c.n > _number("since")), versions.c.n)
        self.put_session = self._put(sessions)
        self.get_session = self._get(sessions, "body")
        newest = sessions.c.session_id.desc()
        mine = select(sessions.c.body).where(sessions.c.account == _text("account"))
        self.sessions_of = self._page(mine.where(sessions.c.session_id < _number("before")), newest)
        self.open_sessions = self._page(mine.where(sessions.c.is_complete == ZERO), newest)
        # From the index of open sessions to their accounts, and not the other way: accounts are many.
        still_open = select(sessions.c.account).where(sessions.c.is_complete == ZERO, sessions.c.updated_at > ZERO)
        gone = select(ONE).where(
            t.accounts.c.id == sessions.c.account, t.accounts.c.recovery_hash == literal_column("''")
        )
        self.deleted_players = self._compile(
            still_open.where(gone.correlate(sessions).exists()).order_by(sessions.c.updated_at)
        )
        idle = select(sessions.c.body).where(sessions.c.is_complete == ZERO, sessions.c.updated_at < _number("since"))
        self.idle_sessions = self._page(idle, sessions.c.updated_at, sessions.c.session_id)
        finished = select(sessions.c.body).where(
            sessions.c.is_complete == ONE, sessions.c.updated_at < _number("before")
        )
        self.finished_sessions = self._page(finished, sessions.c.updated_at, sessions.c.session_id)
        self.drop_session = self._compile(delete(sessions).where(self._is_key(sessions)))
        self.next_session_id = self._compile(
            insert(t.session_ids).values(purpose=literal_column("''")).returning(t.session_ids.c.id)
        )

    def _other(self) -> None:
        replies, audits = t.replies, t.audits
        self.find_reply = self._get(replies, *REPLY)
        self.keep_reply = self._add(replies)
        key = tuple_(replies.c.account, replies.c.key)
        old = select(replies.c.account, replies.c.key).where(replies.c.at < _number("before"))
        self.forget_replies = self._compile(
            delete(replies).where(key.in_(old.order_by(replies.c.at, *replies.primary_key).limit(self._limit)))
        )
        self.drop_reply = self._compile(delete(replies).where(self._is_key(replies)))
        self.drop_replies = self._compile(delete(replies).where(replies.c.account == _text("account")))
        self.get_setting = self._get(t.settings, "value")
        self.put_setting = self._put(t.settings)
        fields = {name: value for name, value in _named(audits).items() if name != "number"}
        self.add_audit = self._compile(insert(audits).values(fields))
        order = ("number", "at", "actor", "what", "about", "details")
        found = select(*(audits.c[name] for name in order))
        self.audits = self._page(found.where(audits.c.number < _number("before")), audits.c.number.desc())

    def _several(self) -> None:
        """Statements that read many rows by their keys, where the database is far and each would be a round trip."""
        if self._dialect.name != "postgresql":
            return

        def of(table: Table) -> Any:
            return table.primary_key.columns[0] == any_(bindparam("ids", type_=ARRAY(Text)))

        def listed(*names: str) -> Any:
            arrays = [bindparam(name, type_=ARRAY(BigInteger if name == "since" else Text)) for name in names]
            return func.unnest(*arrays).table_valued(*names).render_derived()

        self.some_accounts = self._compile(select(t.accounts.c.body).where(of(t.accounts)))
        self.some_tokens = self._compile(select(t.tokens.c.body).where(of(t.tokens)))
        self.some_settings = self._compile(select(t.settings.c.name, t.settings.c.value).where(of(t.settings)))
        found = select(t.rooms.c.body).where(of(t.rooms))
        # In one order, so that two processes do not wait for each other.
        self.lock_rooms = self._compile(found.order_by(t.rooms.c.id).with_for_update())
        self.some_rooms = self._compile(found)
        asked, columns = listed("account", "key"), (t.replies.c[name] for name in REPLY)
        is_asked = and_(t.replies.c.account == asked.c.account, t.replies.c.key == asked.c.key)
        self.some_replies = self._compile(select(*columns).join(asked, is_asked))
        asked, columns = listed("id", "since"), (t.events.c[name] for name in ("match_id", *EVENT))
        is_asked = and_(t.events.c.match_id == asked.c.id, t.events.c.version > asked.c.since)
        ordered = select(*columns).join(asked, is_asked).order_by(t.events.c.match_id, t.events.c.version)
        self.some_events = self._compile(ordered)

    def _whole_tables(self) -> None:
        """Statements for backup, export and audit, which look at everything, a page at a time in the order of keys."""
        self.first_page: dict[str, Statement] = {}
        self.next_page: dict[str, Statement] = {}
        self.insert_row: dict[str, Statement] = {}
        for table in METADATA.sorted_tables:
            keys = list(table.primary_key)
            found = select(*table.columns)
            after = [bindparam(f"after_{key.name}", type_=key.type) for key in keys]
            beyond = keys[0] > after[0] if len(keys) == 1 else tuple_(*keys) > tuple_(*after)
            self.first_page[table.name] = self._page(found, *keys)
            self.next_page[table.name] = self._page(found.where(beyond), *keys)
            self.insert_row[table.name] = self._compile(insert(table).values(_named(table)))
        match_id = t.events.c.match_id
        self.match_ids = self._page(select(match_id).distinct().where(match_id > _text("after")), match_id)
