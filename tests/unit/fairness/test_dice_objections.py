"""Objections at a table of shared dice, the time for them, and what players complain of."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.fairness.dice import Contributor, Reveal, Stakes
from croupier.fairness.dice.failures import proof_problem
from croupier.fairness.dice.messages import Ack, Commit, Objection, Open, Void
from tests.unit.fairness.faults import BETS, close_over, second_close
from tools.adversaries import MacSigner, MacVerifier


def lock_disputed(table, bets=None, **more) -> dict:
    """Lock a round whose stakes bob sees otherwise; return what the players are about to say to it."""
    table.players["ann"].expect(table.stakes(bets, **more))
    table.players["bob"].expect(Stakes(77))
    return dict(table.tell(table.host.lock(table.stakes(bets, **more), 0)))


# Objections.


def test_a_dropped_commitment_voids_the_round_without_a_penalty(sitting):
    """Bob has opened nothing: he objects, and shows the COMMIT that the table overlooked."""
    table = sitting()
    sent = table.overlook("bob", bets=BETS)
    assert {name: type(message) for name, message in sent.items()} == {"ann": Ack, "bob": Objection}
    bob = table.players["bob"]
    assert table.complaints["bob"][0].evidence[1] == sent["bob"].commit == bob.kept.commit
    again = Contributor(table.terms, bob.signer, table.verifier, bytes, entries=bob.book.entries, kept=bob.kept)
    assert again.owed().send == (sent["bob"],)  # also if he starts again, and finds CLOSE in the book

    table.send(sent["bob"])

    assert table.last.voided.reason == "objected"
    assert table.last.movements == ()
    assert table.same_books()


def test_disputed_stakes_void_the_round_before_anything_is_opened(sitting):
    table = sitting()
    sent = lock_disputed(table, BETS)
    assert {name: type(message) for name, message in sent.items()} == {"ann": Commit, "bob": Objection}
    assert table.complaint_codes("bob") == ["stakes_differ"]

    table.send(sent["ann"], sent["bob"])

    assert table.last.voided.reason == "objected"
    assert not [event for event in table.events if isinstance(event, Reveal)]


def test_whoever_objects_sits_out_the_hand(sitting):
    """Otherwise one seat could object to round after round, and close the table when a bet stands badly."""
    table = sitting()
    table.send(lock_disputed(table, hand=3)["bob"])

    assert table.state.roster(3) == tuple(sorted([table.key("ann"), table.key("table")]))
    assert table.key("bob") in table.state.roster(4)
    table.lock({"bob": (5, 20)}, hand=3)
    assert table.last.code == "wrong_stakes"
    assert table.roll(hand=3).rolled is not None


def test_a_later_objection_does_not_stop_the_round(sitting):
    table = sitting(["ann", "bob", "cat"])
    sent = table.overlook("bob")
    reveals = table.opened(sent.items())  # bob's objection is on its way for more than two seconds
    assert table.refused(sent["bob"]) == "too_late"

    table.send(*reveals.values())
    assert table.last.rolled is not None
    assert table.complaint_codes("bob") == ["commit_dropped", "objection_ignored"]


def test_a_seat_that_has_acknowledged_cannot_object_later(sitting):
    """Cat has not committed: she may dispute the stakes until she has said that she does not."""
    table = sitting(["ann", "bob", "cat"])
    table.overlook("cat")

    def disputed(name):
        return table.sign(name, Objection(1, table.key(name), "stakes_differ", None), context=table.on.context)

    assert table.judge(disputed("bob")) == "too_late"  # committed to them
    assert table.judge(disputed("cat")) == ""
    table.send(table.sign("cat", Ack(1, table.key("cat")), commits=table.on.commit_set))
    assert table.judge(disputed("cat")) == "too_late"


# OPEN.


def test_there_is_a_time_to_object_and_then_a_time_to_open(sitting):
    table = sitting()
    acks = table.to_acks()
    on, ann = table.on, table.players["ann"]
    early = Reveal(1, ann.key, ann.kept.commit.nonce, ann.kept.secret.hex())
    early = table.sign("ann", early, commits=on.commit_set)
    assert table.judge(early) == "too_early"
    opening = table.sign("table", Open(1), commits=on.commit_set)
    assert table.judge(replace(opening, signature=acks["ann"].signature)) == "bad_signature"
    assert table.judge(opening) == ""  # when it is due nobody's clock can say but the table's and each player's

    table.send(*acks.values())

    assert table.on.phase == "reveal"
    assert table.judge(early) == ""
    void = table.sign("table", Void(1, "objected", ()), context=on.context)
    assert table.judge(void) == "void_unfounded"
    assert table.judge(opening) == "again"


def test_nothing_opens_a_round_that_was_objected_to(sitting):
    table = sitting()
    table.host._void = lambda on, reason, keys=(): None  # a table that would rather go on
    sent = table.overlook("bob")
    table.send(sent["bob"])

    assert table.on.phase == "objected"
    assert table.judge(table.sign("table", Open(1), commits=table.on.commit_set)) == "round_void"
    assert table.judge(sent["ann"]) == "round_void"


def test_an_ack_is_for_one_set_of_commitments_and_said_once(sitting):
    table = sitting(["ann", "bob", "cat"])
    commits = table.to_commits()

    def ack(name, over=None):
        return table.sign(name, Ack(1, MacSigner(name).key), commits=over or table.on.commit_set)

    assert table.judge(ack("ann", bytes(32))) == "too_early"
    table.send(commits["ann"], commits["bob"])
    sent = dict(table.wait(10_000))

    assert table.judge(ack("ann", bytes(32))) == "bad_signature"
    assert table.judge(ack("dan")) == table.judge(ack("table")) == "unknown_key"
    table.send(sent["ann"])
    assert table.judge(sent["ann"]) == "again"
    assert table.judge(ack("cat")) == ""  # not in K


def test_the_table_asks_for_openings_when_all_have_answered_or_two_seconds_have_passed(sitting):
    table = sitting()
    table.send(table.to_acks()["ann"])
    assert table.host.deadline == 2_000

    table.wait(1_999)
    assert table.on.phase == "closed"
    assert set(table.reveals(table.wait(1))) == {"ann", "bob"}
    assert all(table.complaints[name] == [] for name in ("ann", "bob"))


# A bet without its owner's secret.


def test_a_round_without_the_secret_of_somebody_who_bets_is_void(sitting):
    """A player left out could be bet against by those who make the dice: the table and one seat of its own."""
    table = sitting()
    table.send(table.to_commits(BETS, hand=2)["bob"])
    assert table.judge(close_over(table, table.on.standing())) == "commit_missing"
    too_few = table.sign("table", Void(1, "too_few", ()), context=table.on.context)
    assert table.judge(too_few) == "void_unfounded"

    table.wait(10_000)

    assert (table.last.voided.reason, table.last.voided.keys) == ("commit_missing", (table.key("ann"),))
    assert (table.last.movements, table.last.closed) == ((), "")
    assert table.complaint_codes("ann") == ["commit_dropped"]  # she has sent it
    assert table.key("ann") not in table.state.roster(2)
    table.lock(BETS, hand=2)
    assert table.last.code == "wrong_stakes"
    assert table.roll(hand=2).rolled is not None


def test_a_round_is_not_void_for_the_want_of_somebody_who_does_not_bet(sitting):
    table = sitting()
    table.send(*table.opened(table.overlook("bob", bets=BETS).items()).values())

    assert table.last.rolled is not None


# What a table may not do, and a player complains of.


def test_a_round_is_not_void_because_the_table_says_so(sitting):
    table = sitting()
    reveals = table.to_reveals()

    def judged(reason, *names):
        keys = tuple(sorted(table.key(name) for name in names))
        return table.judge(table.sign("table", Void(1, reason, keys), context=table.on.context))

    for unfounded in [["too_few"], ["objected"], ["reveal_missing"], ["reveal_missing", "ann"]]:
        assert judged(*unfounded) == "void_unfounded"
    table.send(reveals["ann"])
    assert judged("reveal_missing", "bob") == ""
    table.host._open = lambda on: None
    table.send(reveals["bob"])
    assert judged("reveal_missing", "bob") == "void_unfounded"


def test_a_player_complains_of_a_table_in_a_hurry(sitting):
    """It gives nobody time to object, and then declares the round void before its time."""
    table = sitting()
    acks = table.to_acks()
    table.host._started = (1, "closed", -2_000)

    reveals = table.reveals(table.send(acks["ann"]))

    assert table.complaint_codes("ann") == ["open_too_early"]
    assert set(reveals) == {"ann", "bob"}  # not to open would cost a fee

    table.send(reveals["ann"])
    table.host._started = (1, "reveal", -10_000)
    table.wait(1)
    assert table.last.voided is not None
    assert table.complaint_codes("ann") == ["open_too_early", "void_too_early"]


@pytest.mark.parametrize(
    ("name", "heard"),
    [("bob", None), ("ann", {}), ("ann", {"signature": "00" * 64})],
    ids=["its own", "passed on", "forged"],
)
def test_a_player_complains_when_an_opening_it_has_was_overlooked(sitting, name, heard):
    """Bob's opening reaches ann from bob himself: she knows that the table has nothing to blame him for.

    One that does not hold is heard from nobody.
    """
    table = sitting()
    reveals = table.to_reveals()
    table.send(reveals["ann"])
    if heard is not None:
        assert table.players[name].hear(replace(reveals["bob"], **heard)).complaint is None

    table.wait(10_000)

    found = [(complaint.code, complaint.evidence[1]) for complaint in table.complaints[name]]
    assert found == ([] if heard else [("reveal_ignored", reveals["bob"])])


def test_players_who_compare_their_closes_hold_a_proof_if_they_differ(sitting):
    table = sitting()
    table.to_reveals()
    ann = table.players["ann"]

    assert ann.hear(table.close()).send == ()
    assert ann.hear(table.sign("bob", second_close(table))).send == ()
    (proof,) = ann.hear(second_close(table)).send
    assert proof_problem(table.terms, proof, MacVerifier()) is None
    table.send(proof)
    assert table.last.closed == "two_closes"
