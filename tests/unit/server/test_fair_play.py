"""Attacks on fairness by guests and hosts: commitments that were extended, withheld or chosen, and seeds sent early."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.fairness.seeds import EXTENSION
from croupier.server.operations import commitments, sessions
from croupier.server.operations.context import Caller
from croupier.server.problems import Problem
from croupier.store.audit import audit
from tests.games.second_stream import below, stream
from tests.unit.fairness.test_seeds import extend
from tests.unit.server.conftest import ROULETTE


def test_a_guest_who_goes_on_hashing_from_the_commitment_foresees_nothing(site):
    """40 spins, each on the pocket that the old formula would give; it used to win all of them.

    A right guess is one in 37: seven or more of 40 happen by chance once in 11,000 such tests, whose seeds are fixed.
    """
    guest = site.person("guest")
    hits = 0
    for _ in range(40):
        committed = guest.post("/commitments")
        number = committed["session_id"]
        seed = extend(committed["commitment"], 32, b"\x00" + f"match/{number}".encode())
        foreseen = below(stream(seed.hex(), str(number), 2), 37)
        body = {"session_id": number, "table": ROULETTE, "client_seed": EXTENSION.hex()}
        session = guest.post("/sessions", body)
        bet = {"type": "place", "payload": {"bet": f"straight:{foreseen}", "stake": 1}}
        guest.post(f"/sessions/{number}/moves", {"id": f"bet-{number}", "expected_version": 0, "action": bet})
        spin = {"id": f"spin-{number}", "expected_version": 1, "action": {"type": "spin"}}
        session = guest.post(f"/sessions/{number}/moves", spin)
        hits += session["ended"]["net"] > 0

    assert hits < 7


def test_no_request_that_makes_or_joins_a_room_can_carry_a_part_of_the_seed(site):
    """The maker's part used to travel with the request that made the commitment: a host could read it first."""
    ann, bob = site.person("Ann"), site.person("Bob")
    room = ann.post("/rooms", {"game": "shut-the-box", "seats": 2})

    for name in ("client_seed", "secret", "commitment"):
        body = {"game": "shut-the-box", name: "ab" * 32}
        assert ann.refused("POST", "/rooms", body) == (400, "bad_request")
        assert bob.refused("POST", f"/rooms/{room['id']}/join", {name: "ab" * 32}) == (400, "bad_request")


def test_the_same_start_sent_again_gets_the_same_answer_also_where_it_was_refused(site):
    ann = site.person("Ann")
    committed = ann.post("/commitments")
    body = {"session_id": committed["session_id"], "table": ROULETTE, "stake": 5, "client_seed": "ab" * 32}
    headers = {"Idempotency-Key": "start"}

    first, second = (ann.ask("POST", "/sessions", body, headers=headers) for _ in range(2))

    assert first.status_code == second.status_code == 422
    assert first.headers["content-type"] == second.headers["content-type"] == "application/problem+json"
    assert first.json() == second.json()
    assert first.json()["code"] == "bad_stake"
    opened = first.json()["opened"]
    assert (opened["commitment"], opened["client_seed"]) == (committed["commitment"], "ab" * 32)
    assert len(opened["server_seed"]) == 64
    other = {**body, "stake": 0, "client_seed": "cd" * 32}
    assert ann.refused("POST", "/sessions", other) == (409, "seed_used")


def test_nothing_of_a_start_is_told_before_its_client_seed_is_on_disk(site, monkeypatch):
    """The transaction that fails takes the draw with it: what was not stored was not dealt."""
    ann = site.person("Ann")
    number = ann.post("/commitments")["session_id"]
    commit = type(site.store.backend).commit

    def fail(*arguments):
        from croupier.store.interface import StoreUnavailable

        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(type(site.store.backend), "commit", fail)
    body = {"session_id": number, "table": ROULETTE, "client_seed": "ab" * 32}
    assert ann.refused("POST", "/sessions", body) == (503, "store_unavailable")
    monkeypatch.setattr(type(site.store.backend), "commit", commit)

    (listed,) = ann.get("/me/commitments")
    assert (listed["state"], listed["client_seed"]) == ("issued", None)
    assert ann.post("/sessions", body)["version"] == 0


@pytest.mark.parametrize("reason", ["commitment_expired", "account_frozen"])
def test_a_start_that_is_too_late_or_of_a_stopped_account_opens_its_commitment_and_is_final(office, reason):
    """A client seed was named, and a second one must not be taken.

    Else an operator could look at the round that it leads to, and stop the account before it.
    """
    ann = office.person("Ann")
    committed = office.do(commitments.commit, ann)
    if reason == "commitment_expired":
        office.now = committed.expires_at
    who = Caller(replace(ann.account, frozen=reason == "account_frozen"))

    with pytest.raises(Problem) as caught:
        office.do(sessions.start, who, committed.session_id, ROULETTE, 0, "beef")
    opened = caught.value.extra["opened"]
    assert (caught.value.reason, opened["client_seed"]) == (reason, "beef")
    (listed,) = office.do(commitments.list_commitments, ann, None, 10)
    assert (listed.state, listed.reason, listed.client_seed) == ("refused", reason, "beef")
    assert listed.server_seed == opened["server_seed"]
    assert office.refusal(sessions.start, ann, committed.session_id, ROULETTE, 0, "cafe") == "seed_used"
    assert office.do(commitments.open_expired) == 0
    assert audit(office.store).ok
