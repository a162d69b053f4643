"""What goes wrong at a table of shared dice: a test for every row of the table of failures, and what is close by."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from croupier.fairness.dice import Contributor, Reveal, Stakes, encoding, verify_transcript, write_transcript
from croupier.fairness.dice.failures import FAILURES, proof_problem
from croupier.fairness.dice.messages import (
    Ack,
    Close,
    Commit,
    Equivocation,
    Lock,
    Objection,
    Open,
    Roll,
    Silence,
    Void,
    signed,
)
from tools.adversaries import MacSigner, MacVerifier

BETS = {"ann": (5, 20)}


def moved(movements, *, among: str = "") -> list[tuple[str, str, int]]:
    """Return movements with names for keys. In order of keys it is cat, bob, ann."""
    names = {MacSigner(name).key: name for name in ["ann", "bob", "cat", "dan", "table"]}

    def told(account: str) -> str:
        kind, _, key = account.partition(":")
        return f"{kind} {names[key]}" if key else kind

    return [(told(one.source), told(one.target), one.chips) for one in movements if among in told(one.source)]


def signed_by(table, name: str, message, **fields):
    """Return a message signed by a player, or by the table."""
    return signed(MacSigner(name), message, table.host.table.game_id, **fields)


def second_commit(table, name: str, first: Commit):
    c = encoding.commitment(bytes.fromhex(first.context), bytes.fromhex(first.key), first.nonce, b"\x99" * 32)
    return signed_by(table, name, replace(first, commitment=c.hex()))


def second_close(table):
    """Return another CLOSE of the round, signed by the table."""
    on = table.host.table.round
    fewer = on.standing()[1:]
    committed = [(bytes.fromhex(one.key), one.nonce, bytes.fromhex(one.commitment)) for one in fewer]
    digest = encoding.commit_set(on.context, committed).hex()
    return signed_by(table, "table", Close(on.lock.round, fewer, digest))


def dropped(table):
    """Return the code that the last message was dropped with."""
    assert not table.answers[-1].ok
    assert table.answers[-1].send == ()
    return table.answers[-1].code


# No COMMIT in time.


def test_no_commit_in_time_is_no_contribution_and_costs_nothing(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(commits["ann"])
    reveals = table.opened(table.wait(10_000))
    table.send(reveals["ann"])

    answer = table.answers[-1]
    assert answer.rolled is not None
    assert [one.movements for one in table.answers[-3:]] == [(), (), ()]
    assert table.host.table.seats[table.key("bob")].misses == 1


def test_the_third_commit_missed_in_a_row_sits_the_seat_out(sitting):
    """The host is told who: if it is the shooter, the dice pass on."""
    table = sitting(["ann", "bob"])
    sat_out = []
    for _ in range(3):
        commits = table.commits(table.lock())
        table.send(commits["ann"])
        reveals = table.opened(table.wait(10_000))
        sat_out.append(next(one.sat_out for one in reversed(table.answers) if table.close() in one.send))
        table.send(reveals["ann"])

    assert sat_out == [(), (), (table.key("bob"),)]
    assert table.host.table.roster(0) == tuple(sorted([table.key("ann"), table.key("table")]))
    assert table.host.table.seats[table.key("bob")].bond == 100

    table.send(table.players["bob"].join(0))
    assert len(table.host.table.roster(0)) == 3


def test_a_commit_in_between_starts_the_count_again(sitting):
    table = sitting(["ann", "bob"])
    for is_late in [True, True, False, True, True]:
        commits = table.commits(table.lock())
        if is_late:
            table.send(commits["ann"])
            table.send(*table.opened(table.wait(10_000)).values())
        else:
            table.send(*table.opened(table.send(*commits.values())).values())

    assert table.host.table.seats[table.key("bob")].misses == 2
    assert table.host.table.seats[table.key("bob")].status == "in"


def test_a_commit_after_the_deadline_is_dropped(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(commits["ann"])
    table.now = 10_000

    table.send(commits["bob"])

    assert table.answers[-1].code == "too_late"
    assert table.host.table.round.phase == "closed"


# Fewer than the minimum.


def test_with_too_few_commitments_the_round_is_void_and_bets_stand(sitting):
    table = sitting(["ann", "bob"])

    answer = table.void(BETS)

    assert (answer.voided.reason, answer.voided.keys, answer.movements, answer.closed) == ("too_few", (), (), "")
    assert answer.rolled is None


def test_without_a_bank_one_commitment_is_too_few(sitting):
    table = sitting(["ann", "bob"], bank=False)
    commits = table.commits(table.lock())
    table.send(commits["ann"])

    table.wait(10_000)

    assert table.answers[-1].voided.reason == "too_few"


def test_a_round_without_its_bank_is_void_however_many_players_there_are(sitting):
    """Two players alone would do at a table without a bank, but there their bonds are larger."""
    table = sitting(["ann", "bob"])
    table.host._commit = lambda on: None
    commits = table.commits(table.lock())
    table.send(*commits.values())
    del table.host._commit

    on = table.host.table.round
    close = signed_by(table, "table", Close(on.lock.round, on.standing(), "00" * 32))
    assert table.judge(close) == "too_few"
    void = signed_by(table, "table", Void(on.lock.round, "too_few", ()), context=on.context)
    assert table.judge(void) == ""


# The same COMMIT again; two different ones.


def test_the_same_commit_again_is_ignored(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(commits["ann"])

    table.send(commits["ann"])

    assert dropped(table) == "again"
    assert table.host.malformed == {}
    assert table.host.table.seats[table.key("ann")].bond == 100


def test_two_different_commits_close_the_seat_and_cost_the_bond(sitting):
    table = sitting(["ann", "bob", "cat"])
    commits = table.commits(table.lock(BETS))
    table.send(commits["ann"], second_commit(table, "ann", commits["ann"]))

    assert moved(table.answers[-1].movements) == [("bond ann", "player cat", 50), ("bond ann", "player bob", 50)]
    assert table.host.table.seats[table.key("ann")].status == "closed"
    assert table.same_books()

    reveals = table.opened(table.send(commits["bob"], commits["cat"]))
    assert table.key("ann") not in {commit.key for commit in table.close().commits}
    table.send(*reveals.values())
    assert table.answers[-1].rolled is not None

    table.send(table.players["ann"].join(500))
    assert dropped(table) == "seat_closed"


def test_a_forged_second_commit_costs_nobody_anything(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(commits["ann"])

    table.send(replace(commits["ann"], commitment="99" * 32))

    assert dropped(table) == "bad_signature"
    assert table.host.table.seats[table.key("ann")].status == "in"


def test_a_second_commit_after_close_costs_the_bond_and_the_first_must_still_be_opened(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    reveals = table.opened(table.send(*commits.values()))
    table.send(second_commit(table, "ann", commits["ann"]))
    assert moved(table.answers[-1].movements) == [("bond ann", "player bob", 100)]

    table.send(reveals["bob"])
    assert table.answers[-1].rolled is None
    table.send(reveals["ann"])
    assert table.answers[-1].rolled is not None


def test_two_commits_are_a_proof_that_convinces_anyone(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    proof = Equivocation(commits["ann"], second_commit(table, "ann", commits["ann"]))
    verifier = MacVerifier()

    assert proof_problem(table.terms, proof, verifier) is None
    assert proof_problem(table.terms, Equivocation(commits["ann"], commits["ann"]), verifier)
    assert proof_problem(table.terms, Equivocation(commits["ann"], commits["bob"]), verifier)
    other_round = signed_by(table, "ann", replace(commits["ann"], context="00" * 32))
    assert proof_problem(table.terms, Equivocation(commits["ann"], other_round), verifier)
    forged = replace(commits["ann"], commitment="99" * 32)
    assert "does not hold" in (proof_problem(table.terms, Equivocation(commits["ann"], forged), verifier) or "")


def test_a_proof_is_heard_when_the_round_is_over_too(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(*table.opened(table.send(*commits.values())).values())
    proof = Equivocation(commits["ann"], second_commit(table, "ann", commits["ann"]))

    table.send(proof)
    assert moved(table.answers[-1].movements) == [("bond ann", "player bob", 100)]

    table.send(proof)
    assert dropped(table) == "seat_closed"


def test_a_proof_from_another_table_is_none_here(sitting):
    table, other = sitting(["ann", "bob"]), sitting(["ann", "bob"], fee=6)
    commits = other.commits(other.lock())

    table.send(Equivocation(commits["ann"], second_commit(other, "ann", commits["ann"])))

    assert dropped(table) == "wrong_context"


# Nonce not fresh, wrong round, wrong context, bad signature, unknown key.


@pytest.mark.parametrize(
    ("bend", "code"),
    [
        (lambda table, commit: signed_by(table, "ann", replace(commit, nonce=0)), "stale_nonce"),
        (lambda table, commit: replace(commit, round=commit.round + 1), "wrong_round"),
        (lambda table, commit: replace(commit, round=commit.round - 1), "wrong_round"),
        (lambda table, commit: signed_by(table, "ann", replace(commit, context="00" * 32)), "wrong_context"),
        (lambda table, commit: replace(commit, signature="00" * 64), "bad_signature"),
        (lambda table, commit: replace(commit, commitment="00" * 32), "bad_signature"),
        (lambda table, commit: signed_by(table, "bob", commit), "bad_signature"),
        (lambda table, commit: signed_by(table, "dan", replace(commit, key=MacSigner("dan").key)), "unknown_key"),
        (lambda table, commit: replace(commit, commitment="xy"), "unreadable"),
    ],
)
def test_what_no_honest_player_sends_is_dropped_and_counted(sitting, bend, code):
    table = sitting(["ann", "bob"])
    table.roll()
    before = table.commits(table.lock())
    state = table.host.table

    table.send(bend(table, before["ann"]))

    assert dropped(table) == code
    assert table.host.malformed == {"wire": 1}
    assert table.host.table is state
    assert table.send(before["ann"]) == []
    assert table.answers[-1].ok  # the right one is still welcome


def test_the_count_of_malformed_messages_is_by_sender_and_bounded(sitting):
    table = sitting(["ann"])
    for number in range(1100):
        table.host.receive(b"?", 0, sender=f"cable {number}")
    table.host.receive(b"?", 0, sender="cable 1099")

    assert len(table.host.malformed) == 1024
    assert table.host.malformed["cable 1099"] == 2
    table.host.forget("cable 1099")
    assert "cable 1099" not in table.host.malformed


# REVEAL before CLOSE.


def test_an_opening_before_close_takes_the_commitment_out(sitting):
    """Whoever sends it, and whatever the signature: the secret is out."""
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(commits["ann"])
    secret = table.players["ann"].kept.secret.hex()
    early = Reveal(1, table.key("ann"), commits["ann"].nonce, secret, signature="00" * 64)

    table.send(early)
    assert table.answers[-1].ok
    table.send(*table.opened(table.send(commits["bob"])).values())

    assert table.answers[-1].rolled is not None
    assert table.key("ann") not in {
        commit.key
        for entry in table.host.book.entries
        if isinstance(entry.event, Close)
        for commit in entry.event.commits
    }
    seat = table.host.table.seats[table.key("ann")]
    assert (seat.bond, seat.misses, seat.status) == (100, 0, "in")
    assert not table.complaints["ann"]  # it knows why it was left out


def test_an_opening_before_close_that_opens_nothing_takes_nothing_out(sitting):
    """Otherwise anyone could throw anyone out."""
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(commits["ann"])

    table.send(Reveal(1, table.key("ann"), commits["ann"].nonce, "ab" * 32, signature="00" * 64))

    assert dropped(table) == "wrong_secret"
    assert table.host.table.round.out == frozenset()


def test_a_bank_that_opens_before_close_leaves_the_round_void(sitting):
    table = sitting(["ann"])
    commits = table.commits(table.lock())
    on = table.host.table.round
    early = Reveal(1, table.key("table"), on.commits[table.key("table")].nonce, table.host.chain.value(1).hex())
    table.send(replace(early, signature="00" * 64))

    table.send(commits["ann"])

    assert table.answers[-1].voided.reason == "too_few"


# REVEAL that does not hash to c.


def test_a_wrong_secret_is_dropped_and_a_right_one_is_still_in_time(sitting):
    table = sitting(["ann"])
    reveals = table.to_reveals()
    on = table.host.table.round
    wrong = signed_by(table, "ann", replace(reveals["ann"], secret="ab" * 32), commits=on.commit_set)

    table.send(wrong)
    assert dropped(table) == "wrong_secret"

    table.now = 9_999
    table.send(reveals["ann"])
    assert table.answers[-1].rolled is not None


def test_a_wrong_secret_counts_as_missing_in_the_end(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    table.send(reveals["bob"])
    on = table.host.table.round
    table.send(signed_by(table, "ann", replace(reveals["ann"], secret="ab" * 32), commits=on.commit_set))

    table.wait(10_000)

    assert (table.answers[-1].voided.reason, table.answers[-1].voided.keys) == ("reveal_missing", (table.key("ann"),))


def test_a_right_secret_with_a_wrong_signature_is_no_opening(sitting):
    table = sitting(["ann"])
    reveals = table.to_reveals()

    table.send(replace(reveals["ann"], signature="00" * 64))

    assert dropped(table) == "bad_signature"


# A player's REVEAL is missing.


def test_with_a_bank_an_opening_that_is_missing_costs_a_fee_and_the_rest_of_the_hand(sitting):
    table = sitting(["ann", "bob", "cat"])
    reveals = table.to_reveals(BETS, hand=4)
    table.send(reveals["bob"], reveals["cat"])

    table.wait(10_000)

    answer = table.answers[-1]
    assert (answer.rolled, answer.voided.keys, answer.closed) == (None, (table.key("ann"),), "")
    assert moved(answer.movements) == [
        ("bond ann", "unclaimed", 5),
        ("bond table", "unclaimed", 20),
    ]
    assert table.key("ann") not in table.host.table.roster(4)
    assert table.key("ann") in table.host.table.roster(5)
    assert table.same_books()

    table.lock(BETS, hand=4)
    assert dropped(table) == "wrong_stakes"  # her bets are bought out first: she has no part in these dice
    after = table.roll(hand=4)  # a new number, fresh secrets
    assert after.rolled.round == 2
    assert table.roll(BETS, hand=5).rolled.round == 3


def test_a_fee_goes_to_nobody_so_that_no_table_earns_by_losing_openings(sitting):
    """With a seat of its own it would: of a roll it dislikes it says that the bettor did not open."""
    table = sitting(["ann", "bob"], table_pays=False)
    reveals = table.to_reveals({"ann": (5, 20)})
    table.send(reveals["bob"])

    table.wait(10_000)

    assert moved(table.answers[-1].movements) == [("bond ann", "unclaimed", 5)]


def test_a_fee_never_goes_to_the_bank(sitting):
    table = sitting(["ann"])
    table.to_reveals()

    table.wait(10_000)

    assert moved(table.answers[-1].movements) == [("bond ann", "unclaimed", 5)]
    assert table.host.table.unclaimed == 5
    assert table.host.table.table_bond == 1000


def test_two_who_withhold_pay_a_fee_each(sitting):
    table = sitting(["ann", "bob", "cat"])
    reveals = table.to_reveals()
    table.send(reveals["cat"])

    table.wait(10_000)

    assert moved(table.answers[-1].movements) == [("bond ann", "unclaimed", 5), ("bond bob", "unclaimed", 5)]


def test_a_bond_that_no_longer_holds_the_fee_sits_out_until_it_is_filled(sitting):
    table = sitting(["ann", "bob"], bond=8)
    reveals = table.to_reveals()
    table.send(reveals["bob"])
    table.wait(10_000)

    assert table.host.table.seats[table.key("ann")].status == "out"
    table.send(table.players["ann"].join(1))
    assert dropped(table) == "bond_too_small"
    table.send(table.players["ann"].join(2))
    assert table.key("ann") in table.host.table.roster(1)


@pytest.mark.parametrize("table_pays", [True, False])
def test_a_missing_opening_costs_the_table_what_the_roll_could_have_cost_it_and_nobody_gets_that(sitting, table_pays):
    """Ann could have won 20 and bob 40; dan's fee is 5, and nobody gets either."""
    table = sitting(["ann", "bob", "cat", "dan"], table_pays=table_pays)
    reveals = table.to_reveals({"ann": (5, 20), "bob": (10, 40)})
    table.send(*(reveals[name] for name in ("ann", "bob", "cat")))
    bond = table.host.table.table_bond

    table.wait(10_000)

    paid = [("bond table", "unclaimed", 60)] if table_pays else []
    assert moved(table.answers[-1].movements) == [("bond dan", "unclaimed", 5), *paid]
    assert bond - table.host.table.table_bond == 60 * table_pays
    assert table.host.table.unclaimed == 5 + 60 * table_pays
    assert table.host.table.seats[table.key("dan")].status == "in"


def test_without_a_bank_an_opening_that_is_missing_costs_bond_bets_and_seat(sitting):
    table = sitting(["ann", "bob", "cat"], bank=False)
    reveals = table.to_reveals({"ann": (10, 20), "bob": (20, 10), "cat": (3, 3)})
    table.send(reveals["bob"], reveals["cat"])

    table.wait(10_000)

    answer = table.answers[-1]
    assert answer.voided.keys == (table.key("ann"),)
    assert moved(answer.movements) == [
        ("bond ann", "player cat", 17),  # 6 of 36 could have been cat's: 16, and the chip that is left over
        ("bond ann", "player bob", 83),
        ("stake ann", "player cat", 2),
        ("stake ann", "player bob", 8),
    ]
    assert sum(chips for source, _, chips in moved(answer.movements) if source == "bond ann") == 100
    assert table.host.table.seats[table.key("ann")].status == "closed"
    assert table.answers[-1].closed == ""

    table.roll({"bob": (20, 10), "cat": (3, 3)})  # the other bets stand


@pytest.mark.parametrize("opened", range(4))
def test_no_share_of_the_openings_is_enough_but_all_of_them(sitting, opened):
    """Two thirds of three is two, and two do not roll."""
    table = sitting(["ann", "bob", "cat"])
    reveals = table.to_reveals()
    table.send(*list(reveals.values())[:opened])
    is_rolled = table.answers[-1].rolled is not None

    table.wait(10_000)

    assert is_rolled is (opened == 3)
    assert (table.answers[-1].voided is None) is (opened == 3)


# Two different CLOSE messages; two LOCKs.


def test_two_closes_close_the_table_and_cost_its_bond(sitting):
    """Ann could have won 20 and bob 30: they share the 1,000 two to three. What their bets are paid the game says."""
    table = sitting(["ann", "bob"])
    table.to_reveals({"ann": (5, 20), "bob": (10, 30)})

    table.send(second_close(table))

    answer = table.answers[-1]
    assert answer.closed == "two_closes"
    assert moved(answer.movements) == [
        ("bond table", "player ann", 400),
        ("bond table", "player bob", 600),
        ("bond ann", "player ann", 100),
        ("bond bob", "player bob", 100),
    ]
    assert table.host.table.chips() == 0
    assert [complaint.code for complaint in table.complaints["ann"]] == ["two_closes"]
    (proof,) = table.complaints["ann"][0].evidence
    assert proof_problem(table.terms, proof, MacVerifier()) is None


def test_the_same_close_again_is_ignored(sitting):
    table = sitting(["ann"])
    table.to_reveals()

    table.send(table.close())

    assert dropped(table) == "again"


def test_a_close_that_the_table_did_not_sign_is_no_proof(sitting):
    table = sitting(["ann", "bob"])
    table.to_reveals()

    table.send(signed_by(table, "ann", second_close(table)))

    assert dropped(table) == "bad_signature"


def test_two_closes_are_a_proof_when_the_round_is_long_over(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals(BETS)
    proof = Equivocation(table.close(), second_close(table))
    table.send(*reveals.values())
    for _ in range(5):
        table.roll()

    table.send(proof)

    assert table.answers[-1].closed == "two_closes"


def test_two_locks_close_the_table_too(sitting):
    table = sitting(["ann", "bob"])
    table.lock(BETS)
    on = table.host.table.round
    other = replace(on.lock, digest="11" * 32)
    other = signed_by(table, "table", other, context=table.host.table.context_of(other))

    table.send(other)

    assert table.answers[-1].closed == "two_locks"
    assert table.complaints["bob"][0].code == "two_locks"
    assert proof_problem(table.terms, table.complaints["bob"][0].evidence[0], MacVerifier()) is None


def test_a_bank_with_two_commitments_closes_the_table(sitting):
    table = sitting(["ann"])
    table.lock(BETS)
    first = table.host.table.round.commits[table.key("table")]

    table.send(second_commit(table, "table", first))

    assert table.answers[-1].closed == "two_commits"


def test_a_proof_is_two_messages_of_one_kind_and_one_round(sitting):
    table = sitting(["ann", "bob"])
    table.to_reveals()
    close, on = table.close(), table.host.table.round

    for proof in [
        Equivocation(close, on.lock),
        Equivocation(close, close),
        Equivocation(on.lock, on.lock),
        Equivocation(close, signed_by(table, "table", replace(second_close(table), round=2))),
    ]:
        table.send(proof)
        assert dropped(table) == "no_proof"


# The bank does not open, or not what fits.


def test_a_bank_that_does_not_open_loses_its_bond_to_the_players_with_live_bets(sitting):
    table = sitting(["ann", "bob"])
    table.host._open = lambda on: None
    reveals = table.to_reveals(BETS)
    table.now = 4_000
    table.send(*reveals.values())
    ann = table.players["ann"]

    assert ann.tick(13_999).send == ()
    reply = ann.tick(14_000)

    assert reply.complaint.code == "bank_missing"
    assert ann.table.closed == "bank_missing"
    assert moved(ann.book.entries[-1].movements) == [
        ("bond table", "player ann", 1000),
        ("bond ann", "player ann", 100),
        ("bond bob", "player bob", 100),
    ]
    assert ann.tick(99_000).send == ()


def test_nobody_takes_anothers_word_for_the_banks_silence(sitting):
    """It would be a cheap way to close a table whose bank is about to open."""
    table = sitting(["ann", "bob"])
    opening = table.host._open
    table.host._open = lambda on: None
    table.send(*table.to_reveals(BETS).values())
    ann, bob = table.players["ann"], table.players["bob"]
    word = bob.miss_bank().send[0]

    assert isinstance(word, Silence)
    assert ann.receive(word, 0).complaint is None
    assert ann.table.closed == ""
    table.host._open = opening
    table.send(word)
    assert (table.answers[-1].ok, table.answers[-1].code) == (False, "not_due")
    assert table.answers[-1].rolled is not None  # the bank opened, as it was about to


def test_silence_is_claimed_only_while_the_bank_has_something_to_open(sitting):
    table = sitting(["ann", "bob"])
    table.to_reveals()
    on = table.host.table.round
    word = signed_by(table, "ann", Silence(1, table.key("ann")), commits=on.commit_set)

    assert table.judge(word) == "not_due"
    bankless = sitting(["ann", "bob"], bank=False)
    assert bankless.judge(word) == "no_bank"


@pytest.mark.parametrize("hidden", [False, True])
def test_a_bank_whose_value_does_not_fit_its_chain_loses_its_bond(sitting, hidden):
    table = sitting(["ann", "bob"], hidden=hidden)
    table.host._value = lambda number: b"\x66" * 32
    table.send(*table.to_reveals(BETS).values())
    if hidden:
        last = table.host.table.sealed[-1]
        opening = Reveal(1, table.key("table"), last.commit.nonce, "66" * 32)
        table.send(signed_by(table, "table", opening, commits=last.commit_set))

    answer = table.answers[-1]
    assert answer.closed == "bank_misfit"
    assert ("bond table", "player ann", 1000) in moved(answer.movements)
    assert table.complaints["bob"][0].code == "bank_misfit"


def test_at_the_end_of_a_match_with_hidden_cards_a_player_can_give_up_on_the_bank(sitting):
    table = sitting(["ann"], hidden=True)
    table.roll(BETS)
    ann = table.players["ann"]

    assert ann.tick(10**9).send == ()  # the match may be going on: only the player knows
    reply = ann.miss_bank()

    assert reply.complaint.code == "bank_missing"
    assert ann.table.closed == "bank_missing"


def test_with_hidden_cards_a_bank_that_keeps_back_a_roll_loses_its_bond(sitting):
    """When all have opened the bank alone knows what fell: to say nothing is to refuse it."""
    table = sitting(["ann"], hidden=True)
    table.host._roll = lambda on: None
    table.send(*table.to_reveals(BETS).values())
    ann = table.players["ann"]

    assert ann.table.round.phase == "opened"
    assert ann.tick(9_999).send == ()
    assert ann.tick(10_000).complaint.code == "bank_missing"
    assert ("bond table", "player ann", 1000) in moved(ann.book.entries[-1].movements)


def test_with_hidden_cards_a_third_void_round_does_not_free_the_bank_of_opening(sitting):
    table = sitting(["ann"], hidden=True)
    table.roll(BETS)
    table.void()
    table.void()
    table.lock()
    on = table.host.table.round
    table.host._unseal = lambda: signed_by(table, "table", Void(4, "too_few", ()), context=on.context)

    table.wait(10_000)

    assert table.answers[-1].closed == "bank_missing"
    assert ("bond table", "player ann", 1000) in moved(table.answers[-1].movements)
    assert table.complaints["ann"][-1].code == "bank_missing"


def test_with_hidden_cards_the_bank_opens_before_the_void_round_that_ends_the_table(sitting):
    table = sitting(["ann"], hidden=True)
    seed = table.roll(BETS).rolled.seed
    table.void()
    table.void()
    table.void()

    assert table.answers[-1].closed == "three_voids"
    verdict = verify_transcript(write_transcript(table.host.transcript()), verifier=MacVerifier())
    assert verdict.ok
    assert [roll.seed for roll in verdict.rolls] == [seed]


def test_a_host_does_not_take_a_players_word_that_its_chain_is_overdue(sitting):
    """With hidden cards the chain is closed between rounds; a player could end any match that way."""
    table = sitting(["ann"], hidden=True)
    table.roll(BETS)
    word = table.players["ann"].miss_bank().send[0]

    table.send(word)

    assert dropped(table) == "not_due"
    assert table.host.table.closed == ""


def test_a_bank_does_not_open_before_the_players(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    table.send(reveals["ann"])
    on = table.host.table.round
    opening = type(table.host)._open(table.host, on)

    table.send(opening)

    assert dropped(table) == "bank_not_last"


def test_where_nobody_has_a_bet_the_banks_bond_goes_to_all_who_sit(sitting):
    table = sitting(["ann", "bob"])
    table.to_reveals()

    table.send(second_close(table))

    assert ("bond table", "player bob", 500) in moved(table.answers[-1].movements)


# Three void rounds in a row.


def test_three_void_rounds_in_a_row_close_the_table_and_hand_back_the_bonds(sitting):
    table = sitting(["ann", "bob"])
    table.void(BETS)
    table.void(BETS)

    answer = table.void(BETS)

    assert answer.closed == "three_voids"
    assert moved(answer.movements) == [
        ("bond ann", "player ann", 100),
        ("bond bob", "player bob", 100),
        ("bond table", "table", 1000),
    ]
    table.lock(BETS)
    assert dropped(table) == "table_closed"


def test_a_roll_in_between_starts_the_count_of_voids_again(sitting):
    table = sitting(["ann", "bob"])
    for _ in range(3):
        table.void()
        table.void()
        table.roll()

    assert table.host.table.closed == ""


def test_stakes_that_were_forfeited_do_not_come_back_with_the_third_void(sitting):
    table = sitting(["ann", "bob", "cat"], bank=False)
    bets = {"ann": (10, 10), "bob": (10, 10)}
    table.void(bets)
    table.void(bets)
    reveals = table.to_reveals(bets)
    table.send(reveals["bob"], reveals["cat"])

    table.wait(10_000)

    answer = table.answers[-1]
    assert answer.closed == "three_voids"
    assert moved(answer.movements, among="stake") == [("stake ann", "player bob", 10)]
    assert moved(answer.movements, among="bond ann") == [("bond ann", "player bob", 100)]


# Objections.


def test_a_dropped_commitment_voids_the_round_without_a_penalty(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock(BETS))
    table.send(commits["ann"])
    sent = dict(table.wait(10_000))

    table.send(sent["bob"])

    assert isinstance(sent["bob"], Objection)
    assert table.answers[-1].voided.reason == "objected"
    assert table.answers[-1].movements == ()
    assert table.same_books()


def test_whoever_objects_sits_out_the_hand(sitting):
    """Otherwise one seat could object to round after round, and close the table when a bet stands badly."""
    table = sitting(["ann", "bob"])
    for player in table.players.values():
        player.expect(table.stakes(hand=3))
    table.players["bob"].expect(Stakes(77))
    sent = dict(table.tell(table.host.lock(table.stakes(hand=3), 0)))
    table.send(sent["bob"])

    assert table.host.table.roster(3) == tuple(sorted([table.key("ann"), table.key("table")]))
    assert table.key("bob") in table.host.table.roster(4)
    table.lock({"bob": (5, 20)}, hand=3)
    assert dropped(table) == "wrong_stakes"
    assert table.roll(hand=3).rolled is not None


# OPEN.


def test_there_is_a_time_to_object_and_then_a_time_to_open(sitting):
    table = sitting(["ann", "bob"])
    acks = table.to_acks()
    on, ann = table.host.table.round, table.players["ann"]
    early = Reveal(1, ann.key, ann.kept.commit.nonce, ann.kept.secret.hex())
    early = signed_by(table, "ann", early, commits=on.commit_set)
    assert table.judge(early) == "too_early"
    opening = signed_by(table, "table", Open(1), commits=on.commit_set)
    assert table.judge(replace(opening, signature=acks["ann"].signature)) == "bad_signature"
    assert table.judge(opening) == ""  # when it is due nobody's clock can say but the table's and each player's

    table.send(*acks.values())

    assert table.host.table.round.phase == "reveal"
    assert table.judge(early) == ""
    void = signed_by(table, "table", Void(1, "objected", ()), context=on.context)
    assert table.judge(void) == "void_unfounded"
    assert table.judge(opening) == "again"


def test_nothing_opens_a_round_that_was_objected_to(sitting):
    table = sitting(["ann", "bob"])
    table.host._void = lambda on, reason, keys=(): None  # a table that would rather go on
    commits = table.commits(table.lock())
    table.send(commits["ann"])
    sent = dict(table.wait(10_000))
    table.send(sent["bob"])
    on = table.host.table.round

    assert on.phase == "objected"
    assert table.judge(signed_by(table, "table", Open(1), commits=on.commit_set)) == "round_void"
    assert table.judge(sent["ann"]) == "round_void"


def test_an_ack_is_for_one_set_of_commitments_and_said_once(sitting):
    table = sitting(["ann", "bob", "cat"])
    commits = table.commits(table.lock())
    ack = Ack(1, table.key("ann"))
    assert table.judge(signed_by(table, "ann", ack, commits=bytes(32))) == "too_early"
    table.send(commits["ann"], commits["bob"])
    sent = dict(table.wait(10_000))
    on = table.host.table.round

    assert table.judge(signed_by(table, "ann", ack, commits=bytes(32))) == "bad_signature"
    assert table.judge(signed_by(table, "dan", Ack(1, MacSigner("dan").key), commits=on.commit_set)) == "unknown_key"
    assert table.judge(signed_by(table, "table", Ack(1, table.key("table")), commits=on.commit_set)) == "unknown_key"
    table.send(sent["ann"])
    assert table.judge(sent["ann"]) == "again"
    assert table.judge(signed_by(table, "cat", Ack(1, table.key("cat")), commits=on.commit_set)) == ""  # not in K


def test_a_seat_that_has_acknowledged_cannot_object_later(sitting):
    """Cat has not committed: she may dispute the stakes until she has said that she does not."""
    table = sitting(["ann", "bob", "cat"])
    commits = table.commits(table.lock())
    table.send(commits["ann"], commits["bob"])
    table.wait(10_000)
    on = table.host.table.round

    def disputed(name):
        return signed_by(table, name, Objection(1, table.key(name), "stakes_differ", None), context=on.context)

    assert table.judge(disputed("bob")) == "too_late"  # committed to them
    assert table.judge(disputed("cat")) == ""
    table.send(signed_by(table, "cat", Ack(1, table.key("cat")), commits=on.commit_set))
    assert table.judge(disputed("cat")) == "too_late"


def test_the_table_asks_for_openings_when_all_have_answered_or_two_seconds_have_passed(sitting):
    table = sitting(["ann", "bob"])
    acks = table.to_acks()
    table.send(acks["ann"])
    assert table.host.deadline == 2_000

    table.wait(1_999)
    assert table.host.table.round.phase == "closed"
    assert set(table.reveals(table.wait(1))) == {"ann", "bob"}
    assert all(table.complaints[name] == [] for name in ("ann", "bob"))


def test_a_player_complains_of_a_table_that_gives_nobody_time_to_object(sitting):
    table = sitting(["ann", "bob"])
    acks = table.to_acks()
    table.host._started = (1, "closed", -2_000)  # a table in a hurry

    reveals = table.reveals(table.send(acks["ann"]))

    assert [complaint.code for complaint in table.complaints["ann"]] == ["open_too_early"]
    assert set(reveals) == {"ann", "bob"}  # not to open would cost a fee


# A bet without its owner's secret.


def test_a_round_without_the_secret_of_somebody_who_bets_is_void(sitting):
    """Whoever is left out could be bet against by those who make the dice: the table and one seat that is its own."""
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock(BETS, hand=2))
    table.send(commits["bob"])
    on = table.host.table.round
    digest = encoding.commit_set(
        on.context, [(bytes.fromhex(one.key), one.nonce, bytes.fromhex(one.commitment)) for one in on.standing()]
    )
    assert table.judge(signed_by(table, "table", Close(1, on.standing(), digest.hex()))) == "commit_missing"
    too_few = signed_by(table, "table", Void(1, "too_few", ()), context=on.context)
    assert table.judge(too_few) == "void_unfounded"

    table.wait(10_000)

    answer = table.answers[-1]
    assert (answer.voided.reason, answer.voided.keys) == ("commit_missing", (table.key("ann"),))
    assert (answer.movements, answer.closed) == ((), "")
    assert [complaint.code for complaint in table.complaints["ann"]] == ["commit_dropped"]  # she has sent it
    assert table.key("ann") not in table.host.table.roster(2)
    table.lock(BETS, hand=2)
    assert dropped(table) == "wrong_stakes"
    assert table.roll(hand=2).rolled is not None


def test_a_round_is_not_void_for_the_want_of_somebody_who_does_not_bet(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock(BETS))
    table.send(commits["ann"])
    table.send(*table.opened(table.wait(10_000)).values())

    assert table.answers[-1].rolled is not None


def test_a_later_objection_does_not_stop_the_round(sitting):
    table = sitting(["ann", "bob", "cat"])
    commits = table.commits(table.lock())
    table.send(commits["ann"], commits["cat"])
    sent = dict(table.wait(10_000))
    reveals = table.opened(sent.items())  # bob's objection is on its way for more than two seconds

    table.send(sent["bob"])
    assert dropped(table) == "too_late"

    table.send(*reveals.values())
    assert table.answers[-1].rolled is not None
    assert [complaint.code for complaint in table.complaints["bob"]] == ["commit_dropped", "objection_ignored"]


def test_an_objection_needs_the_commitment_it_is_about(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(commits["ann"])
    table.wait(10_000)
    on = table.host.table.round

    def objection(**fields):
        bare = Objection(1, table.key("bob"), "commit_dropped", commits["bob"])
        return signed_by(table, "bob", replace(bare, **fields), context=on.context)

    for bent, code in [
        (objection(commit=None), "wrong_context"),
        (objection(commit=commits["ann"]), "wrong_context"),
        (objection(commit=replace(commits["bob"], commitment="00" * 32)), "bad_signature"),
        (replace(objection(), signature="00" * 64), "bad_signature"),
        (signed_by(table, "table", replace(objection(), key=table.key("table")), context=on.context), "unknown_key"),
    ]:
        table.send(bent)
        assert dropped(table) == code


def test_whoever_is_in_the_round_has_nothing_to_object_to(sitting):
    table = sitting(["ann", "bob"])
    commits = table.commits(table.lock())
    table.send(*commits.values())
    on = table.host.table.round
    bare = Objection(1, table.key("bob"), "commit_dropped", commits["bob"])

    table.send(signed_by(table, "bob", bare, context=on.context))

    assert dropped(table) == "no_proof"


def test_disputed_stakes_void_the_round_before_anything_is_opened(sitting):
    table = sitting(["ann", "bob"])
    table.players["ann"].expect(table.stakes(BETS))
    table.players["bob"].expect(Stakes(77))
    sent = dict(table.tell(table.host.lock(table.stakes(BETS), 0)))

    table.send(sent["ann"], sent["bob"])

    assert table.answers[-1].voided.reason == "objected"
    assert not [entry for entry in table.host.book.entries if isinstance(entry.event, Reveal)]


# What a table may not do.


def test_a_round_is_not_void_because_the_table_says_so(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    on = table.host.table.round

    def void(reason, *names):
        keys = tuple(sorted(table.key(name) for name in names))
        return signed_by(table, "table", Void(1, reason, keys), context=on.context)

    for unfounded in [void("too_few"), void("objected"), void("reveal_missing"), void("reveal_missing", "ann")]:
        assert table.judge(unfounded) == "void_unfounded"
    table.send(reveals["ann"])
    assert table.judge(void("reveal_missing", "bob")) == ""
    table.host._open = lambda on: None
    table.send(reveals["bob"])
    assert table.judge(void("reveal_missing", "bob")) == "void_unfounded"


def test_a_player_complains_of_a_void_before_its_time(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    table.send(reveals["ann"])
    table.host._started = (1, "reveal", -10_000)  # a table in a hurry

    table.wait(1)

    assert table.answers[-1].voided is not None
    assert [complaint.code for complaint in table.complaints["ann"]] == ["void_too_early"]


def test_a_player_complains_when_its_opening_was_overlooked(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    table.send(reveals["ann"])

    table.wait(10_000)

    (complaint,) = table.complaints["bob"]
    assert complaint.code == "reveal_ignored"
    assert complaint.evidence[1] == reveals["bob"]


def test_players_who_pass_openings_on_all_see_that_the_table_overlooked_one(sitting):
    """Bob's opening reaches ann from bob himself: she knows that the table has nothing to blame him for."""
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    table.send(reveals["ann"])
    assert table.players["ann"].hear(reveals["bob"]).complaint is None

    table.wait(10_000)

    (complaint,) = table.complaints["ann"]
    assert (complaint.code, complaint.evidence[1]) == ("reveal_ignored", reveals["bob"])


def test_an_opening_that_does_not_hold_is_not_heard_from_anyone(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    table.send(reveals["ann"])
    table.players["ann"].hear(replace(reveals["bob"], signature="00" * 64))

    table.wait(10_000)

    assert table.complaints["ann"] == []


def test_players_who_compare_their_closes_hold_a_proof_if_they_differ(sitting):
    table = sitting(["ann", "bob"])
    table.to_reveals()
    ann = table.players["ann"]

    assert ann.hear(table.close()).send == ()
    assert ann.hear(signed_by(table, "bob", second_close(table))).send == ()
    (proof,) = ann.hear(second_close(table)).send
    assert proof_problem(table.terms, proof, MacVerifier()) is None
    table.send(proof)
    assert table.answers[-1].closed == "two_closes"


# Disagreement about ROLL.


def test_a_false_roll_moves_nobody(sitting):
    """The signed messages decide: everyone works out the dice, and the table's word does not count."""
    table = sitting(["ann"])
    reveals = table.to_reveals()
    honest = table.host._roll
    false: list[Roll] = []

    def lie(on):
        true = honest(on)
        false.append(
            table.host._signed(replace(true, faces=(6, 6) if true.faces != (6, 6) else (1, 1)), commits=on.commit_set)
        )
        return false[-1]

    table.host._roll = lie
    table.send(reveals["ann"])

    assert (table.answers[-1].ok, table.answers[-1].code) == (False, "roll_differs")
    assert table.players["ann"].receive(false[0], 0).complaint.code == "roll_differs"
    seed = table.players["ann"].table.round.seed
    assert len(seed) == 32
    table.host._roll = honest
    table.wait(0)
    assert table.answers[-1].rolled.seed == seed


def test_there_are_no_dice_before_everything_is_open(sitting):
    table = sitting(["ann", "bob"])
    reveals = table.to_reveals()
    table.send(reveals["ann"])
    on = table.host.table.round
    roll = table.host._roll(on)

    table.send(roll)

    assert dropped(table) == "not_opened"


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
    table = sitting(["ann", "bob"])
    table.roll()
    state = table.host.table
    good = Lock(2, state.roster(0), (), "", state.transcript, state.book.hex(), 2, "", "", 0, ())
    digest = encoding.stakes_digest([encoding.draw_entry(9, 2, b"", b"", state.book)]).hex()
    good = replace(good, digest=digest)

    def answer(**fields):
        lock = replace(good, **fields)
        lock = signed_by(table, "table", lock, context=table.host.table.context_of(lock))
        return table.judge(lock)

    assert answer() == ""
    assert answer(round=3) == "wrong_round"
    assert answer(round=1) == "wrong_round"
    assert answer(roster=good.roster[1:]) == "wrong_roster"
    assert answer(roster=good.roster[::-1]) == "wrong_roster"
    assert answer(previous="00" * 32) == "wrong_transcript"
    assert answer(book="00" * 32) == "wrong_book"
    assert answer(digest="00" * 32) == "wrong_stakes"
    assert answer(move_number=3) == "wrong_stakes"
    unsigned = replace(good, signature="00" * 64)
    assert table.judge(unsigned) == "bad_signature"
    table.lock()
    next_one = replace(good, round=3, signature="00" * 64)
    assert table.judge(next_one) == "round_on"


def test_a_contributor_that_never_sat_down_answers_nothing(sitting):
    table = sitting(["ann"])
    watcher = Contributor(table.terms, MacSigner("dan"), MacVerifier(), bytes, entries=table.host.book.entries)
    table.players["dan"], table.complaints["dan"] = watcher, []

    table.roll()

    assert watcher.table == table.host.table
    assert msgspec.to_builtins(watcher.transcript().writer) == watcher.key
