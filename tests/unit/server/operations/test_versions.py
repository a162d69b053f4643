"""The log of versions: what is announced, when, and that nothing else can be played. Heads are worked out by hand."""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.client.notes import Notes
from croupier.engine import get_game, list_games
from croupier.server.operations import accounts, commitments, operators, sessions, versions
from croupier.server.operations.table_settings import TableTerms
from croupier.server.problems import Problem
from croupier.store.audit import audit
from croupier.store.transaction import Transaction
from tests.unit.fairness.by_hand import lp
from tests.unit.server.conftest import ROULETTE


def plain(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def entries_of(office, since=0):
    return office.do(versions.read_versions, since).entries


def test_the_heads_are_a_hash_chain_over_the_entries_and_the_last_one_is_signed(office, ann):
    committed = office.do(commitments.commit, ann)
    page = office.do(versions.read_versions, 0)
    key = bytes.fromhex(page.host_key)

    head = sha256(lp(b"croupier/log/1", key)).digest()
    for entry in page.entries:
        head = sha256(lp(b"croupier/log/1", head, plain(msgspec.to_builtins(entry)))).digest()
    assert [entry.n for entry in page.entries] == list(range(1, page.n + 1))
    assert (page.head, committed.log_head, committed.log_n) == (head.hex(), head.hex(), page.n)
    message = lp(b"croupier/log-head/1") + page.n.to_bytes(8, "big") + lp(head)
    Ed25519PublicKey.from_public_bytes(key).verify(bytes.fromhex(page.signature), message)
    host = office.store.read(lambda tx: tx.host())
    assert host.secret not in repr(host)


def test_of_two_processes_that_serve_a_new_database_at_once_one_makes_the_hosts_key(make_office, postgres, monkeypatch):
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    there.numbers, usual = count(1_000), Transaction.host

    def read(tx, **how):
        found = usual(tx, **how)
        monkeypatch.undo()
        made.append(here.do(versions.announce))
        return found

    made: list[Any] = []
    monkeypatch.setattr(Transaction, "host", read)
    assert [there.do(versions.announce)] == made


def test_a_table_that_another_process_sets_meanwhile_is_not_announced_as_it_was(make_office, postgres, monkeypatch):
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    olga, usual = here.do(accounts.authenticate, here.do(operators.make_operator, "Olga").token), versions._subjects
    before = here.do(versions.announce)[1]

    def read(tables):
        monkeypatch.undo()
        here.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", is_open=False))
        return usual(tables)

    monkeypatch.setattr(versions, "_subjects", read)
    there.do(versions.announce)
    assert [entry.body["is_open"] for entry in entries_of(here, before)] == [False]


def test_every_game_and_every_table_is_announced_before_the_first_commitment(office, ann):
    office.do(commitments.commit, ann)
    entries = entries_of(office)

    rules = {entry.body["game_id"]: entry.body["rules_version"] for entry in entries if entry.kind == "rules"}
    assert rules == {game_id: get_game(game_id).rules_version for game_id in list_games()}
    tables = [entry.body for entry in entries if entry.kind == "table"]
    assert [table["table"] for table in tables] == list(range(10))
    for body in tables:
        rest = {name: value for name, value in body.items() if name != "table_digest"}
        assert body["table_digest"] == sha256(lp(b"croupier/table/1", plain(rest))).hexdigest()
        limits = {"stake_min", "stake_max", "exposure_max", "super_allowed", "super_fee_of_100", "abandoned_ms"}
        assert rest.keys() == {"game_id", "rules_version", "rules_digest", "table", "options", "prices", *limits}
        assert rest["prices"]
    (constants,) = [entry.body for entry in entries if entry.kind == "constants"]
    assert constants["super_fee_of_100"] == 20


def test_what_every_bet_pays_is_announced_as_fractions_and_follows_the_options(office, ann, olga):
    start = office.do(commitments.commit, ann).log_n
    (before,) = [entry.body for entry in entries_of(office) if entry.body.get("table") == ROULETTE]
    office.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", {"zero_rule": "la_partage"}))
    (after,) = [entry.body for entry in entries_of(office, since=start)]

    assert (before["prices"]["red"], after["prices"]["red"]) == (["0", "2"], ["0", "1/2", "2"])
    assert before["prices"]["straight:0"] == after["prices"]["straight:0"] == ["0", "36"]
    assert len(before["prices"]) == 157


def test_nothing_is_announced_twice_not_even_after_a_restart(office, ann):
    first = office.do(commitments.commit, ann)
    office.restart()
    second = office.do(commitments.commit, ann)

    assert (first.log_n, first.log_head) == (second.log_n, second.log_head)
    assert entries_of(office, since=first.log_n) == ()


def test_a_changed_table_is_announced_in_the_same_transaction_and_old_commitments_are_opened(office, ann, olga):
    before = office.do(commitments.commit, ann)
    office.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", {"zero_rule": "la_partage"}, stake_max=50))

    (entry,) = entries_of(office, since=before.log_n)
    assert (entry.kind, entry.body["table"], entry.body["stake_max"]) == ("table", ROULETTE, 50)
    assert entry.body["options"] == {"zero_rule": "la_partage"}
    with pytest.raises(Problem, match="table was changed") as caught:
        office.do(sessions.start, ann, before.session_id, ROULETTE, 0, "beef")
    assert caught.value.reason == "table_changed"
    assert caught.value.extra["opened"]["client_seed"] == "beef"
    after = office.do(commitments.commit, ann)
    assert after.log_n == before.log_n + 1
    session = office.do(sessions.start, ann, after.session_id, ROULETTE, 0, "beef")
    assert session.table_digest == entry.body["table_digest"]


def test_a_table_that_is_closed_and_opened_again_is_announced_each_time(office, ann, olga):
    start = office.do(commitments.commit, ann).log_n
    office.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", is_open=False))
    office.do(operators.reset_table, olga, ROULETTE)

    closed, opened = entries_of(office, since=start)
    digest = sha256(lp(b"croupier/table/1", b'{"is_open":false,"table":6}')).hexdigest()
    assert closed.body == {"table": ROULETTE, "is_open": False, "table_digest": digest}
    assert (opened.body["table"], opened.body["stake_min"]) == (ROULETTE, 1)
    notes = Notes()  # a client goes along with it
    assert notes.follow(office.do(versions.read_versions, 0)) is None
    assert notes.announced(f"table/{ROULETTE}", closed.n) == closed.body


def test_other_rules_are_announced_with_the_first_commitment_under_them(office, ann, monkeypatch):
    """As after an upgrade: whatever an older server had announced is followed by what holds now."""
    before = office.do(commitments.commit, ann)
    monkeypatch.setattr(versions, "rules_digest", lambda game: sha256(game.id.encode()).digest())
    versions._subjects.cache_clear()
    try:
        after = office.do(commitments.commit, ann)
    finally:
        monkeypatch.undo()
        versions._subjects.cache_clear()

    kinds = [entry.kind for entry in entries_of(office, since=before.log_n)]
    assert kinds == ["rules"] * len(list_games()) + ["table"] * 10
    assert after.log_n == before.log_n + len(kinds)
    with pytest.raises(Problem) as caught:
        office.do(sessions.start, ann, before.session_id, ROULETTE, 0, "beef")
    assert caught.value.reason == "table_changed"


def test_a_log_that_somebody_has_edited_does_not_pass_the_audit(office, ann):
    office.do(commitments.commit, ann)
    assert audit(office.store).ok

    with office.store.backend.writing() as connection:
        connection.cursor().execute("UPDATE versions SET body = replace(body, '\"at\":18', '\"at\":17') WHERE n = 3")
    assert (
        audit(office.store).problem == "the log of versions: the head after entry 3 is another than the one on record"
    )
