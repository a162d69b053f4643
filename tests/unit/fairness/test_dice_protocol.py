"""Rounds that go well, and what each side checks on the way. Every seed is worked out again with hashlib alone."""

from __future__ import annotations

import os

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.errors import BadDocument, BadOptions, BadSeed
from croupier.fairness.dice import Contributor, DiceHost, HashChain, Reveal, Stakes, Terms, encoding
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.forfeits import share
from croupier.fairness.dice.messages import Close, Commit, Lock, Objection, Position
from croupier.fairness.dice.table import open_table
from croupier.fairness.dice.terms import game_id_of
from croupier.rng import GameRng
from tests.unit.fairness.by_hand import hashed, u64
from tools.adversaries import MacSigner, MacVerifier


def seed_by_hand(events) -> bytes:
    """Work out S from the messages of a round with nothing but a hash function."""
    close = next(event for event in events if isinstance(event, Close))
    reveals = [event for event in events if isinstance(event, Reveal)]
    context = bytes.fromhex(close.commits[0].context)
    fields, mixed = [], 0
    for commit in sorted(close.commits, key=lambda commit: commit.key):
        fields += [bytes.fromhex(commit.key), u64(commit.nonce), bytes.fromhex(commit.commitment)]
    for reveal in reveals:
        mixed ^= int(reveal.secret, 16)
    commits = hashed("craps/commits/1", context, *fields)
    return hashed("craps/seed/1", commits, mixed.to_bytes(32, "big"))


def of_kind(table, kind) -> list:
    return [event for event in table.events if isinstance(event, kind)]


# A round.


@pytest.mark.parametrize(
    ("names", "bank"),
    [
        (["ann"], True),  # two contributors are enough: a rule that needs four validators stops every smaller table
        (["ann", "bob"], False),
        (["ann", "bob"], True),
        (["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"], True),
    ],
)
def test_everyone_at_the_table_comes_to_the_same_roll(sitting, names, bank):
    table = sitting(names, bank=bank)

    answer = table.roll({"ann": (5, 20)})

    assert table.same_books()
    assert not any(table.complaints.values())
    assert {commit.key for commit in of_kind(table, Commit)} == {
        table.key(name) for name in [*names, "table"][: len(names) + bank]
    }
    seed = seed_by_hand(table.events)
    assert answer.rolled.seed == seed
    rng = GameRng.new(seed, 9, 1)
    assert answer.rolled.faces == (rng.roll_die(), rng.roll_die())


def test_one_player_without_a_bank_is_too_few(sitting):
    table = sitting(["ann"], bank=False)

    table.lock()

    assert (table.last.ok, table.last.code) == (False, "too_few_seats")
    assert table.state.round_number == 0


def test_the_bank_opens_last_and_nobody_knows_the_seed_before(sitting):
    table = sitting()
    reveals = table.to_reveals()

    table.send(reveals["bob"])
    assert [reveal.key for reveal in of_kind(table, Reveal)] == [table.key("bob")]
    assert (table.on.seed, table.on.phase) == (b"", "reveal")

    table.send(reveals["ann"])
    opened = [reveal.key for reveal in of_kind(table, Reveal)]
    assert opened == [table.key("bob"), table.key("ann"), table.key("table")]


def test_every_roll_refers_to_the_one_before(sitting):
    table = sitting()

    first, second = table.roll(), table.roll()

    assert [lock.previous for lock in of_kind(table, Lock)] == ["00" * 32, first.rolled.transcript]
    assert table.state.transcript == second.rolled.transcript
    assert first.rolled.seed != second.rolled.seed


def test_a_void_round_uses_up_its_number_and_its_link_of_the_chain(sitting):
    table = sitting()
    table.roll()
    table.void()

    answer = table.roll()

    assert answer.rolled.round == 3
    assert table.state.opened_round == 3
    assert table.same_books()


def test_a_player_who_sits_down_late_reads_the_book_and_joins_in(sitting):
    table = sitting(["ann"])
    table.roll()
    table.sit("bob")

    table.roll()

    assert table.same_books()
    assert len(of_kind(table, Commit)) == 2 + 3


def test_a_copy_of_a_table_has_other_contexts_though_everything_else_is_the_same(sitting):
    """Otherwise a host could open the same table twice and play old commitments off against new ones."""
    table, copy = sitting(["ann"]), sitting([])
    again = copy.sit("ann", entropy=lambda size: b"\x55" * size)
    first = table.to_commits()["ann"]
    second = copy.to_commits()["ann"]

    assert table.terms == copy.terms
    assert again.key == first.key == second.key
    assert first.context != second.context
    assert copy.judge(first) == "wrong_context"


def restarted_host(table, entries=None) -> DiceHost:
    """Return a host that knows the table's keys and its book."""
    host = table.host
    return DiceHost(table.terms, host.signer, MacVerifier(), host.chain, entries=entries or host.book.entries)


def test_a_host_that_starts_again_goes_on_where_it_was(sitting):
    table = sitting()
    table.roll()
    before = table.state
    sent = table.lock()
    locked = table.state

    table.host = restarted_host(table)
    assert table.state == locked != before
    table.now += 3_000
    table.send(*table.opened(table.send(*table.commits(sent).values())).values())

    assert table.last.rolled is not None
    assert table.same_books()


def test_a_restarted_host_grants_the_whole_time_again(sitting):
    table = sitting()
    table.lock()
    host = restarted_host(table)

    assert host.tick(500_000).send == ()
    assert host.deadline == 510_000


def test_a_book_that_does_not_replay_is_refused(sitting):
    table = sitting()
    table.roll()
    entries = table.host.book.entries

    with pytest.raises(BadDocument, match="entry 2 cannot be replayed"):
        restarted_host(table, [*entries[:2], *entries[3:]])


# Deadlines: ten seconds each, on the clock of whoever waits.


def test_the_table_closes_at_the_commit_deadline_with_whoever_is_in(sitting):
    table = sitting()
    commits = table.to_commits()
    table.send(commits["ann"])

    table.wait(9_999)
    assert table.on.phase == "commit"
    table.now += 1
    table.send(commits["bob"])
    assert table.last.code == "too_late"
    assert table.on.phase == "closed"
    assert {commit.key for commit in table.close().commits} == {table.key("ann"), table.key("table")}


def test_the_table_waits_for_openings_until_the_reveal_deadline(sitting):
    table = sitting()
    table.now = 5_000
    table.send(table.to_reveals()["ann"])

    assert table.host.deadline == 15_000
    table.wait(9_999)
    assert table.state.round is not None
    table.wait(1)
    assert table.last.voided.reason == "reveal_missing"


def test_the_deadlines_are_terms_of_the_table_and_nothing_is_waited_for_between_rounds(sitting):
    table = sitting(commit_ms=50, reveal_ms=70)
    table.roll()
    assert table.host.deadline is None
    assert table.wait(10**9) == []

    table.lock()

    assert table.host.deadline == 10**9 + 50


# What a player checks.


@pytest.mark.parametrize(
    "change",
    [
        {"move_number": 2},
        {"entries": (live_bet(bytes(32), 48, 0, 6).hex(),)},
        {"state": "ab" * 32},
        {"action": "{}"},
        {"hand": 1},
        None,
    ],
    ids=lambda change: next(iter(change)) if change else "told nothing",
)
def test_a_player_commits_to_nothing_but_what_it_sees(sitting, change):
    table = sitting(["ann"])
    if change is not None:
        table.players["ann"].expect(table.stakes())

    sent = table.tell(table.host.lock(msgspec.structs.replace(table.stakes(), **(change or {})), 0))

    assert [type(message) for _, message in sent] == [Objection]


def test_a_player_opens_nothing_when_close_is_not_what_it_saw(sitting):
    """The table tells ann of a CLOSE over commitments that were never shown to her."""
    table = sitting()
    commits = table.to_commits()
    ann = table.players["ann"]
    answer = table.host.receive(commits["ann"], 0)
    ann.receive(answer.send[0], 0)
    answer = table.host.receive(commits["bob"], 0)

    reply = ann.receive(answer.send[1], 0)  # CLOSE, without bob's COMMIT before it

    assert isinstance(answer.send[1], Close)
    assert reply.send == ()
    assert reply.complaint.code == "close_differs"


@pytest.mark.parametrize("is_void", [False, True])
def test_a_player_keeps_no_secret_longer_than_its_round(sitting, is_void):
    table = sitting(["ann"])
    ann = table.players["ann"]
    commits = table.to_commits()
    kept = ann.kept
    assert isinstance(kept.commit, Commit)
    assert kept.secret.hex() not in repr(kept)

    if is_void:
        table.wait(10_000)
    else:
        table.send(*table.opened(table.send(*commits.values())).values())

    assert ann.kept is None
    assert kept.secret.hex() not in repr(vars(ann))


def test_a_source_of_secrets_that_repeats_itself_is_noticed(sitting):
    table = sitting([])
    values = iter([bytes(32), b"\x01" * 32, b"\x02" * 32, b"\x02" * 32])
    table.sit("lazy", entropy=lambda size: next(values))
    table.roll()
    table.roll()

    with pytest.raises(BadSeed, match="same bytes twice"):
        table.lock()


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "0" * 32])
def test_a_source_of_secrets_gives_32_bytes(sitting, secret):
    with pytest.raises(BadSeed, match="must give 32 bytes"):
        sitting([]).sit("ann", entropy=lambda size: secret)


@pytest.mark.parametrize("stage", ["to_commits", "to_acks", "to_reveals"])
def test_a_player_who_starts_again_sends_what_it_owes_and_the_round_goes_on(sitting, stage):
    """It knows its key, its book, and the secret it kept."""
    table = sitting()
    sent = getattr(table, stage)()
    old = table.players["ann"]
    ann = Contributor(table.terms, old.signer, MacVerifier(), bytes, entries=old.book.entries, kept=old.kept)
    table.players["ann"] = ann

    assert ann.owed().send == (sent["ann"],)
    answers = table.send(*ann.owed().send, sent["bob"])
    if stage == "to_commits":
        answers = table.send(*table.acks(answers).values())
    table.send(*table.reveals(answers).values())

    assert table.last.rolled is not None
    assert ann.owed().send == ()


# Seats and chips.


def test_bonds_go_in_and_come_back(sitting):
    table = sitting(bond=40)
    assert table.state.chips() == 1000 + 80

    table.send(table.players["bob"].leave())
    answer = table.host.end(0)

    assert answer.closed == "ended"
    moved = [(one.source[:4], one.target.partition(":")[0], one.chips) for one in answer.movements]
    assert moved == [("bond", "player", 40), ("bond", "table", 1000)]
    assert table.state.chips() == 0


def test_bets_are_signed_and_numbered_and_nobody_bets_or_leaves_in_the_middle_of_a_round(sitting):
    table = sitting()
    ann = table.players["ann"]
    bet = ann.bet("place", live_bet(ann.key, 48, 0, 5))

    table.send(bet)
    assert table.last.ok
    assert table.refused(bet) == "stale_seq"
    raised = ann.bet("raise", live_bet(ann.key, 48, 0, 6))
    assert table.refused(msgspec.structs.replace(raised, verb="remove")) == "bad_signature"
    table.lock()
    assert table.refused(ann.bet("raise", live_bet(ann.key, 48, 0, 7))) == "round_on"
    assert table.refused(ann.leave()) == "round_on"


def test_a_bond_below_the_fee_does_not_sit_down(sitting):
    table = sitting([])
    poor = table.watch("poor", os.urandom)

    assert table.refused(poor.join(4)) == "bond_too_small"
    table.send(poor.join(5))
    assert table.last.ok


@pytest.mark.parametrize("wrong", [{"entries": ("xy",)}, {"state": "ab"}, {"move_number": -1}, {"hand": -1}])
def test_stakes_that_cannot_be_written_down_are_refused(sitting, wrong):
    table = sitting(["ann"])
    answers = [table.host.lock(table.stakes(**one), 0) for one in (wrong, {"move_number": 2**32})]

    assert [(answer.ok, answer.code) for answer in answers] == [(False, "wrong_stakes")] * 2
    assert table.host.lock(table.stakes(move_number=2**32 - 1), 0).ok  # the largest u32


def test_the_table_locks_no_more_than_its_bond_covers(sitting):
    table = sitting(["ann"], table_bond=100)
    positions = (Position(table.key("ann"), 10, 100),)
    assert table.state.cover_left(positions) == 0

    table.lock({"ann": (10, 101)})
    assert table.last.code == "bond_too_small"
    assert table.state.round_number == 0

    table.roll({"ann": (10, 100)})


def test_without_a_bank_every_bettor_covers_the_whole_round(sitting):
    table = sitting(bank=False, bond=60)

    table.lock({"ann": (10, 50), "bob": (1, 0)})
    assert table.last.code == "bond_too_small"
    assert table.state.cover_left((Position(table.key("ann"), 10, 40),)) == 10

    table.roll({"ann": (10, 50)})


def test_a_seat_without_a_bet_and_without_cover_is_passed_over(sitting):
    """Otherwise anyone could sit down with one chip and stop the others from betting."""
    table = sitting(bank=False, bond=60)
    table.sit("poor", bond=5)

    table.roll({"ann": (10, 20)})

    assert set(of_kind(table, Lock)[0].roster) == {table.key("ann"), table.key("bob")}
    # One with a bet never is: its own secret is what it relies on, and others must not bet it out of the roster.
    table.lock({"ann": (10, 20), "poor": (1, 1)})
    assert table.last.code == "bond_too_small"


weights_of_a_few = st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 99), min_size=1)


@given(chips=st.integers(0, 10**6), weights=weights_of_a_few)
def test_shares_add_up_and_nobody_gets_less_than_a_fair_part_rounded_down(chips, weights):
    parts = share(chips, weights)
    fair = weights if any(weights.values()) else dict.fromkeys(weights, 1)

    assert sum(parts.values()) == chips
    for key, part in parts.items():
        least = chips * fair[key] // sum(fair.values())
        assert least <= part <= least + 1


# Terms.


def test_every_term_is_part_of_the_tables_id():
    terms = Terms(name="a", table_key="ab" * 32, chain_end="cd" * 32)
    changes = {
        "name": "b",
        "table_key": "ac" * 32,
        "session_id": 1,
        "chain_end": "ce" * 32,
        "rounds_max": 3,
        "seats_max": 3,
        "dice": 3,
        "hidden": True,
        "commit_ms": 3,
        "reveal_ms": 3,
        "table_bond": 3,
        "fee": 3,
        "bond_min": 3,
        "table_pays": False,
        "scheme": "test-mac",
        "object_ms": 3,
        "protocol": 1,
    }

    assert set(changes) == set(Terms.__struct_fields__)
    ids = {game_id_of(msgspec.structs.replace(terms, **{name: value})) for name, value in changes.items()}
    assert len(ids | {game_id_of(terms)}) == len(changes) + 1
    assert len(game_id_of(terms)) == 16


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"table_key": "AB" * 32},
        {"chain_end": "cd"},
        {"rounds_max": 0},
        {"fee": -1},
        {"commit_ms": 0},
        {"session_id": 2**64},
        {"hidden": True},
        {"scheme": "rot13"},
        {"dice": 65},
    ],
    ids=str,
)
def test_terms_that_make_no_table_are_refused(wrong):
    with pytest.raises(BadOptions):
        open_table(Terms(**{"name": "a", "table_key": "ab" * 32, **wrong}))


def test_a_host_needs_the_key_and_the_chain_that_the_terms_name():
    signer, chain = MacSigner("table"), HashChain.make(bytes(32), 5)
    terms = Terms(name="a", table_key=signer.key, chain_end=chain.end, rounds_max=5, scheme="test-mac")

    DiceHost(terms, signer, MacVerifier(), chain)
    for other in [
        (MacSigner("other"), chain),
        (signer, None),
        (signer, HashChain.make(b"\x01" * 32, 5)),
        (signer, HashChain.make(chain.value(4), 4)),
    ]:
        with pytest.raises(BadOptions):
            DiceHost(terms, other[0], MacVerifier(), other[1])


def test_a_table_plays_as_many_rounds_as_its_terms_allow(sitting):
    table = sitting(["ann"])
    for _ in range(60):
        table.roll()

    table.lock()

    assert table.last.code == "rounds_used_up"


# Laws.


@settings(max_examples=150)
@given(data=st.data())
def test_in_any_order_of_messages_chips_add_up_and_dice_wait_for_every_secret(data, sitting):
    """Messages of two rounds in any order, doubled, left out and bent: no exception, no chip lost, no early dice."""
    table = sitting(["ann", "bob", "cat"], bank=data.draw(st.booleans()), bond=300)
    soup: list = []
    for _ in range(2):
        soup += [message for _, message in table.lock({"ann": (5, 20)})]
        for _ in range(8):
            if not soup:
                break
            message = soup[data.draw(st.integers(0, len(soup) - 1))]
            if isinstance(message, (Commit, Reveal)) and data.draw(st.integers(0, 4)) == 0:
                message = msgspec.structs.replace(message, nonce=message.nonce + 1)
            soup += [message for _, message in table.send(message)]
            assert_sound(table)
        for _ in range(2):
            soup += [message for _, message in table.wait(10_000)]
            assert_sound(table)


def assert_sound(table) -> None:
    state = table.state
    assert state.chips() == state.paid_in - state.paid_out
    rolled = table.last.rolled
    if rolled is None:
        return
    events = [event for event in table.events if getattr(event, "round", None) == rolled.round]
    (close,) = [event for event in events if isinstance(event, Close)]
    committed = {commit.key for commit in close.commits}
    reveals = [event for event in events if isinstance(event, Reveal) and event.key in committed]
    assert {reveal.key for reveal in reveals} == committed
    assert rolled.seed == seed_by_hand([close, *reveals])


def test_a_step_never_changes_the_table_it_was_given(sitting):
    table = sitting()
    before = table.state
    digest = repr(before)
    table.roll()

    assert repr(before) == digest
    assert table.state != before


def test_stakes_are_the_same_in_any_order(sitting):
    table = sitting()
    bets = {"ann": (5, 20), "bob": (7, 28)}
    one, other = table.stakes(bets), table.stakes(dict(reversed(bets.items())))
    table.players["ann"].expect(one)
    table.players["bob"].expect(other)

    sent = table.tell(table.host.lock(other, 0))

    assert [type(message) for _, message in sent] == [Commit, Commit]
    assert isinstance(one, Stakes)


def test_the_digest_of_the_stakes_is_over_the_bets_and_the_draw(sitting):
    table = sitting(["ann"])
    table.lock({"ann": (5, 20)}, state="ab" * 32, action="roll")
    (lock,) = of_kind(table, Lock)
    bet = live_bet(table.key("ann"), 48, 0, 5)
    book = bytes.fromhex(lock.book)
    draw = encoding.encode("craps/draw/1", encoding.u64(9), encoding.u32(1), b"\xab" * 32, b"roll", book)

    assert lock.digest == hashed("craps/bets/1", *sorted([bet, draw])).hex()
