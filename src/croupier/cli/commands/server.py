"""`croupier server`: audit, back up, restore, export and import a server's database; create operators."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from croupier.cli.errors import Usage
from croupier.cli.files import now_ms
from croupier.cli.inputs import command, json_option
from croupier.cli.show import make_console, print_json, say
from croupier.server.settings import load_settings

if TYPE_CHECKING:
    from croupier.store.database import DatabaseStore

ACTIONS = ("audit", "backup", "restore", "accept", "export", "import", "operator")
MAKERS = ("import", "operator")
"""The actions that may begin a new database."""


@command
@click.argument("action", metavar="ACTION", help=f"One of {', '.join(ACTIONS)}.")
@click.argument("what", required=False, metavar="[FILE|NAME]", help="The file to write or read; the operator's name.")
@click.option("--database", metavar="URL", help="The database, as `croupier serve` has it.")
@click.option("--config", metavar="FILE", help="A TOML file with settings.")
@click.option("--account", metavar="ID", help="With export: only what concerns one account.")
@json_option
def server(
    action: str, what: str | None, database: str | None, config: str | None, account: str | None, json: bool
) -> None:
    """Look after the database of a server.

    audit re-executes every match and adds every movement up; the exit code is 1 if anything differs. backup copies an
    SQLite database into one file while the server runs; restore makes a database of such a file. accept goes on with
    one that a server refuses as what was played last may be missing. export writes everything as lines of JSON, for
    either kind, and import fills an empty one. operator opens an operator's account and shows its token, once.

    With --json: what was counted, or made.

    Example:
      croupier server audit --database sqlite:///croupier.db
      croupier server backup monday.db

    """
    if action not in ACTIONS:
        raise Usage(f"there is no action {action!r}; there are {', '.join(ACTIONS)}")
    if account is not None and action != "export":
        raise Usage("--account goes with export")
    if what is not None and action in ("audit", "accept"):
        raise Usage(f"{action} takes no {what!r}: --database sqlite:///FILE names the database")
    settings = load_settings({"database": database}, file=None if config is None else Path(config))
    file = settings.database.partition(":///")[2].partition("?")[0] if settings.database.startswith("sqlite") else None
    if file == "":
        raise Usage(f"{settings.database} names no file, so there is no database: --database sqlite:///FILE")
    if action == "restore":
        _tell(_restore(file, _named(what, "the backup")), json)
        return
    from croupier.store.database import open_store

    if action not in MAKERS and file is not None and not Path(file).exists():
        raise Usage(f"there is no database {file} to {action}; name yours with --database sqlite:///FILE")
    with open_store(settings.database) as store:
        done = _done(store, action, what, account)
    _tell(done, json)
    if action == "audit" and done["problem"] is not None:
        raise click.exceptions.Exit(1)


def _tell(done: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    console = make_console()
    for name, value in sorted(done.items(), key=lambda item: item[0] == "problem"):  # which comes last
        if name != "problem":
            say(console, f"{name.replace('_', ' ')}: {value}")
        else:
            say(console, *(("all is as it should be", "green") if value is None else (f"wrong: {value}", "red")))


def _named(what: str | None, meaning: str) -> str:
    if not what:
        raise Usage(f"name {meaning}")
    return what


def _restore(target: str | None, source: str) -> dict[str, Any]:
    from croupier.store.backup import restore

    if target is None:
        raise Usage("a backup is an SQLite file: --database sqlite:///FILE")
    return {"file": target, "bytes": restore(Path(source), Path(target))}


def _done(store: DatabaseStore, action: str, what: str | None, account: str | None) -> dict[str, Any]:
    """Carry an action out on an open database, and return what was counted, or made."""
    match action:
        case "audit":
            from croupier.store.audit import audit

            return asdict(audit(store))
        case "backup":
            from croupier.store.backup import backup

            target = _named(what, "the file to write")
            return {"file": target, "bytes": backup(store, Path(target))}
        case "accept":
            from croupier.store.head import accept_head

            store.backend.claim()
            return {"movements": accept_head(store).movements}
        case "export":
            return _export(store, what, account)
        case "import":
            from croupier.store.export import import_store

            with open(_named(what, "the file to read"), "rb") as file:
                return {"rows": import_store(store, file)}
    return _new_operator(store, _named(what, "the operator"))


def _export(store: DatabaseStore, what: str | None, account: str | None) -> dict[str, Any]:
    from croupier.store.export import export_account, export_store

    lines: Iterable[bytes] = export_store(store) if account is None else export_account(store, account)
    target, size = _named(what, "the file to write"), 0
    # New, and for its owner alone: every secret is in it.
    with open(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        try:
            for line in lines:
                size += file.write(line)
        except BaseException:
            os.unlink(target)
            raise
    return {"file": target, "bytes": size}


def _new_operator(store: DatabaseStore, name: str) -> dict[str, Any]:
    from croupier.server.operations.accounts import open_account
    from croupier.server.running.service import Service

    service = Service(store, clock=now_ms)
    try:
        made = service.change_now(open_account, name, is_operator=True)
    finally:
        service.stop()
    print("the token and the recovery key are shown this once", file=sys.stderr)
    return {"id": made.account.id, "token": made.token, "recovery_key": made.recovery_key}
