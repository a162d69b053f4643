"""Failures at a table of shared dice: a test for every row of `FAILURES` but objections, and for what is close by."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.fairness.dice import Reveal, encoding
from croupier.fairness.dice.failures import FAILURES, proof_problem
from croupier.fairness.dice.messages import Close, Equivocation, Lock, Objection, Roll, Void
from tests.unit.fairness.faults import BETS, moved, second_close, second_commit
from tools.adversaries import MacSigner, MacVerifier

# No COMMIT in time.


@pytest.mark.parametrize(
    ("rounds", "misses", "status"),
    [("late", 1, "in"), ("late late late", 0, "out"), ("late late timely late late", 2, "in")],
)
def test_a_missed_commit_costs_nothing_and_the_third_in_a_row_sits_the_seat_out(sitting, rounds, misses, status):
    """The host is told who: if it is the shooter, the dice pass on. Bob is late, and each round rolls without him."""
    table = sitting()
    sat_out: list = []
    for when in rounds.split():
        commits = table.to_commits()
        sent = table.send(commits["ann"]) + (table.wait(10_000) if when == "late" else table.send(commits["bob"]))
        reveals = table.opened(sent)
        sat_out += next(one.sat_out for one in reversed(table.answers) if table.close() in one.send)
        table.send(*reveals.values())
        assert table.last.rolled is not None

    is_out = status == "out"
    assert sat_out == [table.key("bob")] * is_out
    assert not any(one.movements for one in table.answers[2:])
    assert (table.seat("bob").misses, table.seat("bob").status, table.seat("bob").bond) == (misses, status, 100)
    assert (table.key("bob") in table.state.roster(0)) is not is_out
    table.send(table.players["bob"].join(0))
    assert len(table.state.roster(0)) == 3


# Fewer than the minimum.


@pytest.mark.parametrize(("bank", "absent"), [(True, ["ann", "bob"]), (False, ["bob"])])
def test_with_too_few_commitments_the_round_is_void_and_bets_stand(sitting, bank, absent):
    """A bank alone is too few, and so is one player without a bank."""
    table = sitting(bank=bank)

    table.overlook(*absent, bets=BETS)

    answer = table.last
    assert (answer.voided.reason, answer.voided.keys, answer.movements, answer.closed) == ("too_few", (), (), "")
    assert answer.rolled is None


def test_a_round_without_its_bank_is_void_however_many_players_there_are(sitting):
    """Two players alone would do at a table without a bank, but there their bonds are larger."""
    table = sitting()
    table.host._commit = lambda on: None
    table.send(*table.to_commits().values())
    del table.host._commit

    on = table.on
    close = table.sign("table", Close(on.lock.round, on.standing(), "00" * 32))
    assert table.judge(close) == "too_few"
    void = table.sign("table", Void(on.lock.round, "too_few", ()), context=on.context)
    assert table.judge(void) == ""


# Messages that are dropped: at each stage of a round, what is sent instead of the right message, and the code.


def committing(table):
    """Lock the second round, and let nobody commit."""
    table.roll()
    return table.to_commits()


def committed(table):
    """Let ann commit, and bob not yet."""
    commits = table.to_commits()
    table.send(commits["ann"])
    return commits


def half_opened(table):
    """Let ann open, and bob not yet."""
    reveals = table.to_reveals()
    table.send(reveals["ann"])
    return reveals


def closed(table):
    """Let everybody commit; return the commitments."""
    commits = table.to_commits()
    table.send(*commits.values())
    return commits


def overlooked(table):
    """Close without bob's COMMIT; return the commitments."""
    commits = committed(table)
    table.wait(10_000)
    return commits


def objection(table, commit, name="bob"):
    """Return somebody's objection that a commitment was dropped."""
    return table.sign(name, Objection(1, table.key(name), "commit_dropped", commit), context=table.on.context)


def proof_from_elsewhere(sitting):
    """Return a proof that ann equivocated at a table with other terms."""
    other = sitting(fee=6)
    commit = other.to_commits()["ann"]
    return Equivocation(commit, second_commit(other, "ann", commit))


UNSIGNED = "00" * 64
COUNTED = {
    "stale_nonce", "wrong_round", "wrong_context", "bad_signature", "unknown_key", "unreadable", "wrong_secret"
}  # fmt: skip


DROPPED = {
    committing: [
        (lambda table, sent: table.sign("ann", replace(sent["ann"], nonce=0)), "stale_nonce"),
        (lambda table, sent: replace(sent["ann"], round=3), "wrong_round"),
        (lambda table, sent: replace(sent["ann"], round=1), "wrong_round"),
        (lambda table, sent: table.sign("ann", replace(sent["ann"], context="00" * 32)), "wrong_context"),
        (lambda table, sent: replace(sent["ann"], signature=UNSIGNED), "bad_signature"),
        # Other dice have taken any signature that is not all zero.
        (lambda table, sent: replace(sent["ann"], signature="01" * 64), "bad_signature"),
        (lambda table, sent: replace(sent["ann"], signature="ff" * 64), "bad_signature"),
        (lambda table, sent: replace(sent["ann"], signature="00" * 63 + "01"), "bad_signature"),
        (lambda table, sent: replace(sent["ann"], commitment="00" * 32), "bad_signature"),
        (lambda table, sent: table.sign("bob", sent["ann"]), "bad_signature"),
        (lambda table, sent: table.sign("dan", replace(sent["ann"], key=MacSigner("dan").key)), "unknown_key"),
        (lambda table, sent: replace(sent["ann"], commitment="xy"), "unreadable"),
    ],
    committed: [
        (lambda table, sent: sent["ann"], "again"),
        (lambda table, sent: replace(sent["ann"], commitment="99" * 32), "bad_signature"),
        # An opening before CLOSE that opens nothing takes nothing out: otherwise anyone could throw anyone out.
        (
            lambda table, sent: Reveal(1, sent["ann"].key, sent["ann"].nonce, "ab" * 32, signature=UNSIGNED),
            "wrong_secret",
        ),
    ],
    closed: [(lambda table, sent: objection(table, sent["bob"]), "no_proof")],
    overlooked: [
        (lambda table, sent: objection(table, None), "wrong_context"),
        (lambda table, sent: objection(table, sent["ann"]), "wrong_context"),
        (lambda table, sent: objection(table, replace(sent["bob"], commitment="00" * 32)), "bad_signature"),
        (lambda table, sent: replace(objection(table, sent["bob"]), signature=UNSIGNED), "bad_signature"),
        (lambda table, sent: objection(table, sent["bob"], "table"), "unknown_key"),
    ],
    half_opened: [
        (lambda table, sent: replace(sent["bob"], signature=UNSIGNED), "bad_signature"),
        (lambda table, sent: table.close(), "again"),
        (lambda table, sent: table.sign("ann", second_close(table)), "bad_signature"),
        (lambda table, sent: table.host._open(table.on), "bank_not_last"),
        (lambda table, sent: table.host._roll(table.on), "not_opened"),
        # A proof is two different messages of one kind and one round.
        (lambda table, sent: Equivocation(table.close(), table.on.lock), "no_proof"),
        (lambda table, sent: Equivocation(table.close(), table.close()), "no_proof"),
        (lambda table, sent: Equivocation(table.on.lock, table.on.lock), "no_proof"),
        (lambda table, sent: Equivocation(table.close(), second_close(table, round=2)), "no_proof"),
    ],
}


@pytest.mark.parametrize(("stage", "bend", "code"), [(stage, *row) for stage, rows in DROPPED.items() for row in rows])
def test_a_message_that_does_not_fit_is_dropped_and_counted_if_no_honest_party_sends_it(sitting, stage, bend, code):
    table = sitting()
    sent = stage(table)
    state = table.state

    assert table.refused(bend(table, sent)) == code

    assert table.host.malformed == ({"wire": 1} if code in COUNTED else {})
    assert table.state is state
    if stage is committing:  # the right one is still welcome
        assert table.send(sent["ann"]) == []
        assert table.last.ok


def test_the_count_of_malformed_messages_is_by_sender_and_bounded(sitting):
    table = sitting(["ann"])
    for number in range(1100):
        table.host.receive(b"?", 0, sender=f"cable {number}")
    table.host.receive(b"?", 0, sender="cable 1099")

    assert len(table.host.malformed) == 1024
    assert "cable 0" not in table.host.malformed
    assert table.host.malformed["cable 1099"] == 2
    table.host.forget("cable 1099")
    assert "cable 1099" not in table.host.malformed


# Two different COMMITs.


def test_two_different_commits_close_the_seat_and_cost_the_bond(sitting):
    table = sitting(["ann", "bob", "cat"])
    commits = table.to_commits(BETS)
    table.send(commits["ann"], second_commit(table, "ann", commits["ann"]))

    assert moved(table.last.movements) == [("bond ann", "player cat", 50), ("bond ann", "player bob", 50)]
    assert table.seat("ann").status == "closed"
    assert table.same_books()

    reveals = table.opened(table.send(commits["bob"], commits["cat"]))
    assert table.key("ann") not in {commit.key for commit in table.close().commits}
    table.send(*reveals.values())
    assert table.last.rolled is not None
    assert table.refused(table.players["ann"].join(500)) == "seat_closed"


def test_a_second_commit_after_close_costs_the_bond_and_the_first_must_still_be_opened(sitting):
    table = sitting()
    commits = table.to_commits()
    reveals = table.opened(table.send(*commits.values()))
    table.send(second_commit(table, "ann", commits["ann"]))
    assert moved(table.last.movements) == [("bond ann", "player bob", 100)]

    table.send(reveals["bob"])
    assert table.last.rolled is None
    table.send(reveals["ann"])
    assert table.last.rolled is not None


def test_two_commits_are_a_proof_that_convinces_anyone(sitting):
    table = sitting()
    commits = table.to_commits()
    first = commits["ann"]

    def problem(second) -> str | None:
        return proof_problem(table.terms, Equivocation(first, second), MacVerifier())

    assert problem(second_commit(table, "ann", first)) is None
    assert problem(first)
    assert problem(commits["bob"])
    assert problem(table.sign("ann", replace(first, context="00" * 32)))
    assert "does not hold" in (problem(replace(first, commitment="99" * 32)) or "")


def test_a_proof_is_heard_when_the_round_is_over_too(sitting):
    table = sitting()
    commits = table.to_commits()
    table.send(*table.opened(table.send(*commits.values())).values())
    proof = Equivocation(commits["ann"], second_commit(table, "ann", commits["ann"]))

    table.send(proof)
    assert moved(table.last.movements) == [("bond ann", "player bob", 100)]
    assert table.refused(proof) == "seat_closed"
    assert table.refused(proof_from_elsewhere(sitting)) == "wrong_context"


# REVEAL before CLOSE.


def test_an_opening_before_close_takes_the_commitment_out(sitting):
    """Sender and signature do not matter: the secret is out."""
    table = sitting()
    commits = committed(table)
    secret = table.players["ann"].kept.secret.hex()

    table.send(Reveal(1, table.key("ann"), commits["ann"].nonce, secret, signature=UNSIGNED))
    assert table.last.ok
    table.send(*table.opened(table.send(commits["bob"])).values())

    assert table.last.rolled is not None
    (close,) = [event for event in table.events if isinstance(event, Close)]
    assert table.key("ann") not in {commit.key for commit in close.commits}
    seat = table.seat("ann")
    assert (seat.bond, seat.misses, seat.status) == (100, 0, "in")
    assert not table.complaints["ann"]  # it knows why it was left out


def test_a_bank_that_opens_before_close_leaves_the_round_void(sitting):
    table = sitting(["ann"])
    commits = table.to_commits()
    bank = table.key("table")
    secret = table.host.chain.value(1).hex()
    table.send(Reveal(1, bank, table.on.commits[bank].nonce, secret, signature=UNSIGNED))

    table.send(commits["ann"])

    assert table.last.voided.reason == "too_few"


# REVEAL that does not hash to c.


def wrong_secret(table, reveal: Reveal):
    return table.sign("ann", replace(reveal, secret="ab" * 32), commits=table.on.commit_set)


def test_a_wrong_secret_is_dropped_and_a_right_one_is_still_in_time(sitting):
    table = sitting(["ann"])
    reveals = table.to_reveals()
    assert table.refused(wrong_secret(table, reveals["ann"])) == "wrong_secret"
    assert table.on.secrets == {}

    table.now = 9_999  # the last millisecond
    table.send(reveals["ann"])
    assert table.last.rolled is not None
    assert table.seat("ann").bond == 100


def test_a_wrong_secret_counts_as_missing_in_the_end(sitting):
    table = sitting()
    reveals = table.to_reveals()
    table.send(reveals["bob"], wrong_secret(table, reveals["ann"]))

    table.wait(10_000)

    assert (table.last.voided.reason, table.last.voided.keys) == ("reveal_missing", (table.key("ann"),))


# A player's REVEAL is missing.


def test_with_a_bank_an_opening_that_is_missing_costs_a_fee_and_the_rest_of_the_hand(sitting):
    table = sitting(["ann", "bob", "cat"])

    answer = table.withhold("ann", bets=BETS, hand=4)

    assert (answer.rolled, answer.voided.keys, answer.closed) == (None, (table.key("ann"),), "")
    assert moved(answer.movements) == [("bond ann", "unclaimed", 5), ("bond table", "unclaimed", 20)]
    assert table.key("ann") not in table.state.roster(4)
    assert table.key("ann") in table.state.roster(5)
    assert table.same_books()

    table.lock(BETS, hand=4)
    assert table.last.code == "wrong_stakes"  # her bets are bought out first: she has no part in these dice
    after = table.roll(hand=4)  # a new number, fresh secrets
    assert after.rolled.round == 2
    assert table.roll(BETS, hand=5).rolled.round == 3


TWO_BETS = {"ann": (5, 20), "bob": (10, 40)}


@pytest.mark.parametrize(
    ("names", "bets", "withheld", "cover", "table_pays"),
    [
        (["ann"], {}, ["ann"], 0, True),
        (["ann", "bob", "cat"], {}, ["ann", "bob"], 0, True),
        (["ann", "bob"], BETS, ["ann"], 0, False),
        (["ann", "bob", "cat", "dan"], TWO_BETS, ["dan"], 60, True),
        (["ann", "bob", "cat", "dan"], TWO_BETS, ["dan"], 0, False),
    ],
)
def test_a_fee_and_what_the_roll_could_have_cost_the_table_go_to_nobody(
    sitting, names, bets, withheld, cover, table_pays
):
    """Not to the bank, and not to others: a table with a seat of its own would earn by losing openings.

    Of a roll that it dislikes it would say that the bettor did not open. Ann could have won 20 and bob 40.
    """
    table = sitting(names, table_pays=table_pays)

    answer = table.withhold(*withheld, bets=bets)

    fees = [(f"bond {name}", "unclaimed", 5) for name in withheld]
    assert moved(answer.movements) == [*fees, *[("bond table", "unclaimed", cover)] * bool(cover)]
    assert table.state.table_bond == 1000 - cover
    assert table.state.unclaimed == 5 * len(withheld) + cover
    assert {table.seat(name).status for name in names} == {"in"}


def test_a_bond_that_no_longer_holds_the_fee_sits_out_until_it_is_filled(sitting):
    table = sitting(bond=8)
    table.withhold("ann")

    assert table.seat("ann").status == "out"
    assert table.refused(table.players["ann"].join(1)) == "bond_too_small"
    table.send(table.players["ann"].join(2))
    assert table.key("ann") in table.state.roster(1)


def test_without_a_bank_an_opening_that_is_missing_costs_bond_bets_and_seat(sitting):
    table = sitting(["ann", "bob", "cat"], bank=False)

    answer = table.withhold("ann", bets={"ann": (10, 20), "bob": (20, 10), "cat": (3, 3)})

    assert answer.voided.keys == (table.key("ann"),)
    assert moved(answer.movements) == [
        ("bond ann", "player cat", 17),  # 6 of 36 could have been cat's: 16, and the chip that is left over
        ("bond ann", "player bob", 83),
        ("stake ann", "player cat", 2),
        ("stake ann", "player bob", 8),
    ]
    assert table.seat("ann").status == "closed"
    assert answer.closed == ""

    table.roll({"bob": (20, 10), "cat": (3, 3)})  # the other bets stand


@pytest.mark.parametrize("opened", range(4))
def test_no_share_of_the_openings_is_enough_but_all_of_them(sitting, opened):
    """Two thirds of three is two, and two do not roll."""
    table = sitting(["ann", "bob", "cat"])
    reveals = table.to_reveals()
    table.send(*list(reveals.values())[:opened])
    is_rolled = table.last.rolled is not None

    table.wait(10_000)

    assert is_rolled is (opened == 3)
    assert (table.last.voided is None) is (opened == 3)


# Two different CLOSE messages; two LOCKs; two COMMITs of the bank.


def another_lock(table):
    other = replace(table.on.lock, digest="11" * 32)
    return table.sign("table", other, context=table.state.context_of(other))


def another_commit_of_the_bank(table):
    return second_commit(table, "table", table.on.commits[table.key("table")])


@pytest.mark.parametrize(
    ("until", "second", "code", "bets", "shares"),
    [
        # Ann could have won 20 and bob 30: they share the 1,000 two to three.
        ("to_reveals", second_close, "two_closes", {"ann": (5, 20), "bob": (10, 30)}, [("ann", 400), ("bob", 600)]),
        # Nobody has a bet: the bond goes to all who sit.
        ("to_reveals", second_close, "two_closes", {}, [("ann", 500), ("bob", 500)]),
        ("lock", another_lock, "two_locks", BETS, [("ann", 1000)]),
        ("lock", another_commit_of_the_bank, "two_commits", BETS, [("ann", 1000)]),
    ],
)
def test_a_table_that_equivocates_is_closed_and_its_bond_shared_by_what_could_have_been_won(
    sitting, until, second, code, bets, shares
):
    """The game says what the bets are paid."""
    table = sitting()
    getattr(table, until)(bets)

    table.send(second(table))

    assert table.last.closed == code
    assert moved(table.last.movements) == [
        *(("bond table", f"player {name}", chips) for name, chips in shares),
        ("bond ann", "player ann", 100),
        ("bond bob", "player bob", 100),
    ]
    assert table.state.chips() == 0
    for name in ("ann", "bob"):
        assert table.complaint_codes(name) == [code]
        (proof,) = table.complaints[name][0].evidence
        if code != "two_commits":
            assert proof_problem(table.terms, proof, MacVerifier()) is None


def test_two_closes_are_a_proof_when_the_round_is_long_over(sitting):
    table = sitting()
    reveals = table.to_reveals(BETS)
    proof = Equivocation(table.close(), second_close(table))
    table.send(*reveals.values())
    for _ in range(5):
        table.roll()

    table.send(proof)

    assert table.last.closed == "two_closes"


# Disagreement about ROLL.


def test_a_false_roll_moves_nobody(sitting):
    """The signed messages decide: everyone works out the dice, and the table's word does not count."""
    table = sitting(["ann"])
    reveals = table.to_reveals()
    honest = table.host._roll
    false: list[Roll] = []

    def lie(on):
        true = honest(on)
        faces = (6, 6) if true.faces != (6, 6) else (1, 1)
        false.append(table.sign("table", replace(true, faces=faces), commits=on.commit_set))
        return false[-1]

    table.host._roll = lie
    table.send(reveals["ann"])

    assert (table.last.ok, table.last.code) == (False, "roll_differs")
    assert table.players["ann"].receive(false[0], 0).complaint.code == "roll_differs"
    seed = table.players["ann"].table.round.seed
    assert len(seed) == 32
    table.host._roll = honest
    table.wait(0)
    assert table.last.rolled.seed == seed


# The table of failures.


def test_every_failure_that_is_listed_says_what_it_leads_to():
    assert set(FAILURES) == {
        "no_commit", "commit_missing", "too_few", "again", "two_commits", "stale_nonce", "wrong_round", "wrong_context",
        "bad_signature", "unknown_key", "early_reveal", "wrong_secret", "reveal_missing", "objected",
        "two_locks", "two_closes", "bank_missing", "bank_misfit", "three_voids", "roll_differs",
    }  # fmt: skip
    assert all(FAILURES.values())


def test_a_lock_is_held_to_the_book(sitting):
    """A LOCK that leaves a player out, skips a number or refers to another history begins nothing."""
    table = sitting()
    table.roll()
    state = table.state
    digest = encoding.stakes_digest([encoding.draw_entry(9, 2, b"", b"", state.book)]).hex()
    good = Lock(2, state.roster(0), (), digest, state.transcript, state.book.hex(), 2, "", "", 0, ())
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, ""),
        ({"round": 3}, "wrong_round"),
        ({"round": 1}, "wrong_round"),
        ({"roster": good.roster[1:]}, "wrong_roster"),
        ({"roster": good.roster[::-1]}, "wrong_roster"),
        ({"previous": "00" * 32}, "wrong_transcript"),
        ({"book": "00" * 32}, "wrong_book"),
        ({"digest": "00" * 32}, "wrong_stakes"),
        ({"move_number": 3}, "wrong_stakes"),
    ]
    for fields, code in cases:
        lock = replace(good, **fields)
        assert table.judge(table.sign("table", lock, context=state.context_of(lock))) == code, fields

    assert table.judge(replace(good, signature=UNSIGNED)) == "bad_signature"
    table.lock()
    assert table.judge(replace(good, round=3, signature=UNSIGNED)) == "round_on"


def test_a_contributor_that_never_sat_down_answers_nothing(sitting):
    table = sitting(["ann"])
    watcher = table.watch("dan", bytes)

    table.roll()

    assert watcher.table == table.state
    assert msgspec.to_builtins(watcher.transcript().writer) == watcher.key
