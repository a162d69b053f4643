"""The bank of shared dice: one that does not open, or not what fits its chain, hidden cards, three void rounds."""

from __future__ import annotations

import pytest

from croupier.fairness.dice import Reveal, verify_transcript, write_transcript
from croupier.fairness.dice.messages import End, Roll, Silence, Void
from croupier.fairness.dice.rounds import transcript_of
from tests.unit.fairness.faults import BETS, moved
from tools.adversaries import MacVerifier

# The bank does not open, or not what fits.


def test_a_bank_that_does_not_open_loses_its_bond_to_the_players_with_live_bets(sitting):
    table = sitting()
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


def test_a_player_who_starts_again_gives_the_bank_its_whole_time_again(sitting):
    table = sitting()
    table.host._open = lambda on: None
    table.send(*table.to_reveals(BETS).values())
    ann = table.watch("ann", bytes)

    assert ann.tick(500_000).send == ann.tick(509_999).send == ()
    assert ann.tick(510_000).complaint.code == "bank_missing"


def test_nobody_takes_anothers_word_for_the_banks_silence(sitting):
    """It would be a cheap way to close a table whose bank is about to open."""
    table = sitting()
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
    assert (table.last.ok, table.last.code) == (False, "not_due")
    assert table.last.rolled is not None  # the bank opened, as it was about to


def test_silence_is_claimed_only_while_the_bank_has_something_to_open(sitting):
    table = sitting()
    table.to_reveals()
    word = table.sign("ann", Silence(1, table.key("ann")), commits=table.on.commit_set)

    assert table.judge(word) == "not_due"
    assert sitting(bank=False).judge(word) == "no_bank"


@pytest.mark.parametrize("hidden", [False, True])
def test_a_bank_whose_value_does_not_fit_its_chain_loses_its_bond(sitting, hidden):
    table = sitting(hidden=hidden)
    table.host._value = lambda number: b"\x66" * 32
    table.send(*table.to_reveals(BETS).values())
    if hidden:
        last = table.state.sealed[-1]
        opening = Reveal(1, table.key("table"), last.commits[table.key("table")].nonce, "66" * 32)
        table.send(table.sign("table", opening, commits=last.commit_set))

    assert table.last.closed == "bank_misfit"
    assert ("bond table", "player ann", 1000) in moved(table.last.movements)
    assert table.complaint_codes("bob")[0] == "bank_misfit"


def test_at_the_end_of_a_match_with_hidden_cards_a_player_can_give_up_on_the_bank(sitting):
    """A host does not take the player's word for it: between rounds the chain is closed, and any match could end so."""
    table = sitting(["ann"], hidden=True)
    table.roll(BETS)
    ann = table.players["ann"]

    assert ann.tick(10**9).send == ()  # the match may be going on: only the player knows
    reply = ann.miss_bank()

    assert reply.complaint.code == "bank_missing"
    assert ann.table.closed == "bank_missing"
    assert table.refused(*reply.send) == "not_due"
    assert table.state.closed == ""


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
    void = table.sign("table", Void(4, "too_few", ()), context=table.on.context)
    table.host._unseal = lambda: void

    table.wait(10_000)

    assert table.last.closed == "bank_missing"
    assert ("bond table", "player ann", 1000) in moved(table.last.movements)
    assert table.complaint_codes("ann")[-1] == "bank_missing"


def test_with_hidden_cards_the_bank_opens_before_the_void_round_that_ends_the_table(sitting):
    table = sitting(["ann"], hidden=True)
    seed = table.roll(BETS).rolled.seed
    for _ in range(3):
        table.void()

    assert table.last.closed == "three_voids"
    verdict = verify_transcript(write_transcript(table.host.transcript()), verifier=MacVerifier())
    assert verdict.ok
    assert [roll.seed for roll in verdict.rolls] == [seed]


# Hidden cards.


def test_with_hidden_cards_the_seed_is_the_hosts_alone_until_the_match_is_over(sitting):
    table = sitting(hidden=True, dice=0)
    seeds = [table.roll().rolled.seed, table.void() and table.roll().rolled.seed]

    assert {event.key for event in table.events if isinstance(event, Reveal)} == {table.key("ann"), table.key("bob")}
    assert all(seed.hex() not in str(table.events) for seed in seeds)
    assert len(table.players["ann"].table.sealed) == 2

    replies = []
    for event in table.host.end(0).send:
        replies += [player.receive(event, 0) for player in table.players.values()]

    opened = [[roll.seed for roll in reply.rolled] for reply in replies if reply.rolled]
    assert opened == [seeds, seeds]
    assert table.same_books()
    assert table.state.closed == "ended"


@pytest.mark.parametrize("fits", [False, True])
def test_with_hidden_cards_a_false_roll_is_found_when_the_chain_is_opened(sitting, fits):
    """The table dealt from another seed than the secrets give; its own transcript convicts it, even if it fits."""
    table = sitting(["ann"], hidden=True, dice=1)
    reveals = table.to_reveals(BETS)
    honest = table.host._roll

    def lie(on):
        true = honest(on)
        faces = (true.faces[0] % 6 + 1,)
        secrets = {**on.secrets, table.key("table"): table.host.chain.value(1)}
        transcript = transcript_of(on.commit_set, secrets, faces) if fits else true.transcript
        return table.sign("table", Roll(1, faces, transcript), commits=on.commit_set)

    table.host._roll = lie
    table.send(*reveals.values())
    assert table.last.rolled is not None

    answer = table.host.end(0)

    assert answer.closed == "bank_misfit"
    assert ("bond table", "player ann", 1000) in moved(answer.movements)


def test_with_hidden_cards_every_commitment_of_the_bank_must_fit_its_chain(sitting):
    """In its first round the bank commits to something else than its chain, and rolls from the chain all the same."""
    table = sitting(["ann"], hidden=True)
    honest = table.host._value
    table.host._value = lambda number: b"\x66" * 32
    commits = table.to_commits(BETS)
    table.host._value = honest
    table.send(*table.opened(table.send(*commits.values())).values())
    table.roll(BETS)

    assert table.host.end(0).closed == "bank_misfit"


def test_with_hidden_cards_the_bank_opens_its_chain_after_the_rounds_and_before_the_end(sitting):
    table = sitting(["ann"], hidden=True)
    reveals = table.to_reveals()
    assert table.judge(table.host._open(table.on)) == "bank_sealed"

    table.send(*reveals.values())

    assert table.refused(table.sign("table", End(table.state.transcript, table.state.book.hex()))) == "bank_sealed"


# Three void rounds in a row.


def test_three_void_rounds_in_a_row_close_the_table_and_hand_back_the_bonds(sitting):
    table = sitting()
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
    assert table.last.code == "table_closed"


def test_a_roll_in_between_starts_the_count_of_voids_again(sitting):
    table = sitting()
    for _ in range(3):
        table.void()
        table.void()
        table.roll()

    assert table.state.closed == ""


def test_stakes_that_were_forfeited_do_not_come_back_with_the_third_void(sitting):
    table = sitting(["ann", "bob", "cat"], bank=False)
    bets = {"ann": (10, 10), "bob": (10, 10)}
    table.void(bets)
    table.void(bets)

    answer = table.withhold("ann", bets=bets)

    assert answer.closed == "three_voids"
    assert moved(answer.movements, among="stake") == [("stake ann", "player bob", 10)]
    assert moved(answer.movements, among="bond ann") == [("bond ann", "player bob", 100)]
