"""Head of a database file: a file that lost its newest part, is damaged or has a server already is noticed."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.cli.app import app
from croupier.house.ledger import DEPOSITS, Ledger
from croupier.server.process.serve import _open
from croupier.store.audit import audit
from croupier.store.backup import backup, restore
from croupier.store.database import DatabaseStore, open_store
from croupier.store.head import WrongHead, accept_head, head_of, head_path, keep_head
from croupier.store.interface import StoreUnavailable
from croupier.store.model import Account, Reply, Token


def fill(store: Any, first: int, count: int) -> None:
    def job(transaction: Any) -> None:
        for number in range(first, first + count):
            account = Account(f"p_{number}", f"guest {number}", number, "player", f"hash {number}")
            transaction.put_account(account)
            transaction.put_token(Token(f"{number:064x}", account.id, number, 10**15, "phone"))
            transaction.keep_reply(Reply(account.id, "k", "d" * 64, 200, b'{"chips":' + b"1" * 300 + b"}", number))
            transaction.add_audit(number, account.id, "limits", account.id)
            Ledger(transaction.house()).move(DEPOSITS, f"player/{account.id}", 100, "deposit")

    assert store.run([job]) == [None]


def test_a_lost_log_and_an_older_file_are_noticed(tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    store = open_store(f"sqlite:///{file}")
    fill(store, 0, 20)
    backup(store, tmp_path / "old.db")
    fill(store, 20, 5)
    keep_head(head_path(file), store.read(head_of))
    lost = tmp_path / "lost"
    lost.mkdir()
    shutil.copy(file, lost / "c.db")  # without the log, as after a crash that lost it
    shutil.copy(head_path(file), lost / "c.db-head")
    assert audit(store).problem is None
    store.close()
    _open(f"sqlite:///{file}").close()

    for source in (lost / "c.db", tmp_path / "old.db"):
        target = tmp_path / "again.db"
        shutil.copy(source, target)
        shutil.copy(lost / "c.db-head", head_path(target))
        with pytest.raises(
            StoreUnavailable, match=r"had 25 movements and has (0|20): its log was lost, or the file is"
        ):
            _open(f"sqlite:///{target}")
        with open_store(f"sqlite:///{target}") as store:
            assert "its log was lost" in str(audit(store).problem)
        for each in tmp_path.glob("again.db*"):
            if each != head_path(target):
                each.unlink()
    assert restore(tmp_path / "old.db", target) > 0  # whoever restores knows
    _open(f"sqlite:///{target}").close()


def test_a_head_that_is_gone_with_the_log_is_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A copy of the file alone, with or without its log, lacks the newest moves or the head that tells of them."""
    file = tmp_path / "c.db"
    fill(store := _open(f"sqlite:///{file}"), 0, 20)
    backup(store, tmp_path / "old.db")
    for copy, kept in (("alone", ("",)), ("logged", ("", "-wal")), ("whole", ("", "-wal", "-head"))):
        for part in kept:
            shutil.copy(f"{file}{part}", tmp_path / f"{copy}.db{part}")
    store.close()
    for copy, movements in (("alone", 0), ("logged", 20)):
        url = f"sqlite:///{tmp_path}/{copy}.db"
        with pytest.raises(WrongHead, match=f"head is missing, so nobody can tell.* the {movements} movements") as no:
            _open(url)
        assert no.value.code == "wrong_head"
        with open_store(url) as store:
            assert "head is missing" in str(audit(store).problem)
        assert not app(["server", "accept", "--database", url], standalone_mode=False)
        assert capsys.readouterr().out == f"movements: {movements}\n"
        with _open(url) as store:
            assert audit(store).problem is None
            assert app(["server", "accept", "--database", url], standalone_mode=False) == 2
            assert "another server is running" in capsys.readouterr().err
    for copy in ("whole", "old"):  # a backup is one file, and nothing of it is in a log
        for how in (open_store, _open):
            with how(f"sqlite:///{tmp_path}/{copy}.db") as store:
                assert audit(store).problem is None


def test_a_head_is_on_disk_before_the_file_says_that_it_has_one(tmp_path: Path, monkeypatch: Any) -> None:
    """Else a power cut could leave a server that does not start, though nothing is lost."""
    told = list[str]()

    def noted(real: Any) -> Any:
        def call(*given: Any) -> Any:
            told.append(real.__name__)
            return real(*given)

        return call

    for place, name in ((os, "fsync"), (os, "replace"), (DatabaseStore, "run")):
        monkeypatch.setattr(place, name, noted(getattr(place, name)))
    _open(f"sqlite:///{tmp_path}/c.db").close()
    assert told == ["fsync", "fsync", "replace", "fsync", "run"], "the first is of the folder with the new database"


def test_another_database_in_the_place_of_ours_is_noticed(tmp_path: Path) -> None:
    for name, first in (("one", 0), ("two", 100)):
        store = open_store(f"sqlite:///{tmp_path}/{name}.db")
        fill(store, first, 3)
        accept_head(store)
        store.close()
    shutil.copy(tmp_path / "one.db-head", tmp_path / "two.db-head")
    with pytest.raises(StoreUnavailable, match="movement 3 is not the one that was written"):
        _open(f"sqlite:///{tmp_path}/two.db")


def test_a_second_server_on_one_file_is_refused(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/c.db"
    first = _open(address)
    with pytest.raises(StoreUnavailable, match=r"another server is running on .*c.db: stop it first"):
        _open(address)
    with open_store(address) as beside:  # an audit, a backup
        assert audit(beside).problem is None
    first.close()
    _open(address).close()


def test_a_damaged_page_is_found_whichever_table_it_is_in(tmp_path: Path) -> None:
    """Forty random bytes in the middle of a row of each table; 7 of 12 such pages went unnoticed."""
    whole = tmp_path / "whole.db"
    store = open_store(f"sqlite:///{whole}")
    fill(store, 0, 60)
    store.close()
    pages = dict[str, list[int]]()
    data = whole.read_bytes()
    marks = {"accounts": b"guest 7", "tokens": b'"label":"phone"', "replies": b'{"chips":111', "audits": b"limits"}
    for table, mark in marks.items():
        pages[table] = [place for place in range(len(data)) if data.startswith(mark, place)][:3]
        assert pages[table], table
    with closing(sqlite3.connect(whole)) as file:
        roots = file.execute("SELECT rootpage FROM sqlite_master WHERE name IN ('tokens_account', 'accounts_recovery')")
        pages["indexes"] = [4096 * root - 60 for (root,) in roots]
    random = Random(3)
    for table, places in pages.items():
        for place in places:
            damaged = tmp_path / "damaged.db"
            damaged.write_bytes(data[:place] + random.randbytes(40) + data[place + 40 :])
            try:
                with open_store(f"sqlite:///{damaged}") as store:
                    problem = audit(store).problem
            except (StoreUnavailable, sqlite3.Error) as error:
                problem = str(error)
            assert problem is not None, (table, place)
