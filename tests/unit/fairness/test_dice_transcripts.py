"""Transcripts: a sound one verifies and says what happened, and no changed one does."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.errors import BadDocument, BadOptions, WrongSchema
from croupier.fairness.dice import (
    Contributor,
    DiceHost,
    Ed25519Signer,
    Ed25519Verifier,
    HashChain,
    Reveal,
    read_transcript,
    verify_transcript,
    write_transcript,
)
from croupier.fairness.dice.answers import Movement
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.messages import Close, Commit, Equivocation, Lock, Roll, Void
from croupier.fairness.dice.terms import game_id_of, read_terms, write_terms
from croupier.fairness.dice.transcript import Entry, Transcript, make_transcript
from croupier.transcripts import is_transcript
from tests.unit.fairness.faults import BETS, second_close, second_commit
from tools.adversaries import MacSigner, MacVerifier


@pytest.fixture(scope="module")
def eventful(sitting):
    """Return a table at which nearly everything happened once, ended in good order."""
    table = sitting(["ann", "bob", "cat", "dan"])
    ann = table.players["ann"]
    table.send(ann.bet("place", live_bet(ann.key, 48, 0, 5)))
    table.roll(BETS)
    table.void(BETS)
    table.withhold("cat", bets=BETS)
    table.roll(BETS, hand=1)
    commits = table.to_commits(BETS, hand=2)  # dan signs two commitments, bob opens too soon
    table.send(commits["dan"], second_commit(table, "dan", commits["dan"]), commits["bob"])
    secret = table.players["bob"].kept.secret.hex()
    table.send(Reveal(5, table.key("bob"), commits["bob"].nonce, secret, signature="ab" * 64))
    table.send(*table.opened(table.send(commits["ann"], commits["cat"])).values())
    table.send(table.overlook("cat", bets=BETS, hand=3)["cat"])
    table.roll(BETS, hand=3)
    table.overlook("bob", bets={"bob": (5, 20)}, hand=4)
    table.roll(BETS, hand=4)
    table.send(table.players["bob"].leave())
    table.tell(table.host.end(table.now))
    assert table.state.closed == "ended"
    return table


@pytest.fixture(scope="module")
def transcript(eventful) -> Transcript:
    found: Transcript = eventful.host.transcript()
    return found


def check(data, verifier=None):
    return verify_transcript(data, verifier=verifier or MacVerifier())


def signed_for_real(sitting, rounds: int):
    """Return a table with real signatures after so many rounds."""
    table = sitting(scheme="ed25519")
    for _ in range(rounds):
        table.roll(BETS)
    assert not any(table.complaints.values())
    return table


# A sound transcript.


def test_a_transcript_of_real_signatures_verifies_and_gives_the_rolls(sitting):
    table = signed_for_real(sitting, 4)
    table.host.end(0)

    verdict = verify_transcript(write_transcript(table.host.transcript()))

    assert verdict.ok
    assert [check.name for check in verdict.checks] == ["form", "events", "chips", "seal"]
    assert [roll.round for roll in verdict.rolls] == [1, 2, 3, 4]
    assert [roll.faces for roll in verdict.rolls] == [event.faces for event in table.events if isinstance(event, Roll)]
    assert verdict.closed == "ended"
    assert len(table.players["ann"].book.entries) == len(table.events) - 1


def test_an_eventful_table_verifies(transcript):
    verdict = check(write_transcript(transcript))

    assert verdict.problem is None
    assert [check.text for check in verdict.checks][1:3] == [
        "5 rolled and 4 void rounds; every signature and every secret holds",
        "125 chips forfeited, 25 of them unclaimed; the accounts add up; the table closed: ended",
    ]
    kinds = {type(entry.event).__name__ for entry in transcript.entries}
    assert kinds == {
        "Join", "Bet", "Lock", "Commit", "Close", "Ack", "Open", "Reveal", "Roll", "Void", "Objection", "Leave", "End",
    }  # fmt: skip


def test_a_players_own_book_verifies_too(eventful):
    verdict = check(eventful.players["ann"].transcript())

    assert verdict.ok
    assert verdict.checks[-1].text.startswith(f"sealed by the player {eventful.key('ann')}")


def test_a_table_that_is_still_open_has_a_transcript(sitting):
    table = sitting()
    table.roll()
    table.lock()

    verdict = check(table.host.transcript())

    assert verdict.ok
    assert verdict.closed == ""
    assert len(verdict.rolls) == 1


def test_rolls_of_a_match_with_hidden_cards_are_sealed_until_the_bank_opens(sitting):
    table = sitting(["ann", "bob"], hidden=True)
    seeds = [table.roll().rolled.seed, table.roll().rolled.seed]
    before = check(table.host.transcript())
    table.host.end(0)
    after = check(table.host.transcript())

    assert [roll.seed for roll in before.rolls] == [b"", b""]
    assert "2 rolls are still sealed" in before.checks[1].text
    assert [roll.seed for roll in after.rolls] == seeds


def test_a_bank_that_kept_silent_is_told_as_a_players_word(sitting):
    table = sitting(["ann"])
    table.host._open = lambda on: None
    table.send(*table.to_reveals(BETS).values())
    table.players["ann"].tick(10_000)

    verdict = check(table.players["ann"].transcript())

    assert verdict.ok
    assert verdict.closed == "bank_missing"
    assert "by the word of a player" in verdict.checks[2].text


def test_a_proof_against_the_table_stays_in_the_transcript(sitting):
    table = sitting(["ann", "bob"])
    table.to_reveals(BETS)
    table.send(Equivocation(table.close(), second_close(table)))

    verdict = check(table.players["ann"].transcript())

    assert (verdict.ok, verdict.closed) == (True, "two_closes")


def test_a_transcript_is_read_back_as_it_was(transcript):
    data = write_transcript(transcript)

    assert read_transcript(data) == transcript
    assert read_transcript(data.decode()) == transcript
    assert is_transcript(data)


# Tables of the first protocol.


@pytest.fixture
def first_protocol() -> bytes:
    """Return a table that was played under protocol 1: a roll, an objection after CLOSE, and two rounds of nothing."""
    return (Path(__file__).parent / "protocol_1.json").read_bytes()


def test_a_transcript_of_the_first_protocol_still_verifies_with_a_warning(first_protocol, sitting):
    verdict = verify_transcript(first_protocol)

    assert verdict.ok
    assert (verdict.closed, [roll.faces for roll in verdict.rolls]) == ("three_voids", [(3, 4)])
    assert len(verdict.warnings) == 1
    assert "could have a roll they did not like made again for free" in verdict.warnings[0]
    assert game_id_of(read_transcript(first_protocol).terms).hex() == "b1c015f0eafe81b976ec255a22c5b89e"
    assert verify_transcript(signed_for_real(sitting, 1).host.transcript()).warnings == ()


def test_nobody_plays_on_at_a_table_of_the_first_protocol(first_protocol):
    transcript = read_transcript(first_protocol)
    chain = HashChain.make(b"\x02" * 32, 9)
    assert chain.end == transcript.terms.chain_end

    with pytest.raises(BadOptions, match="protocol 1"):
        DiceHost(transcript.terms, Ed25519Signer(b"\x01" * 32), Ed25519Verifier(), chain)
    with pytest.raises(BadOptions, match="protocol 1"):
        Contributor(transcript.terms, Ed25519Signer(b"\x03" * 32), Ed25519Verifier(), bytes)


def test_neither_protocol_passes_for_the_other(first_protocol, transcript):
    """Terms that name no protocol are of the first: whoever adds it, or takes it away, has another table."""
    assert verify_transcript(first_protocol.replace(b'"schema":1', b'"schema":2')).code == "bad_document"
    added = first_protocol.replace(b'"rounds_max"', b'"protocol":1,"rounds_max"')
    assert verify_transcript(added).code == "bad_document"
    data = write_transcript(transcript)
    assert check(data.replace(b'"schema":2', b'"schema":1')).code == "bad_document"
    assert check(data.replace(b'"protocol":2', b'"protocol":1')).code == "bad_document"
    assert read_terms(write_terms(transcript.terms)) == transcript.terms
    old = read_transcript(first_protocol).terms
    assert read_terms(write_terms(old)) == old
    assert "protocol" not in write_terms(old)


def test_rounds_that_a_closed_table_never_opened_do_not_pass(sitting):
    table = sitting(["ann"], hidden=True)
    table.roll(BETS)
    table.players["ann"].miss_bank()

    verdict = check(table.players["ann"].transcript())

    assert (verdict.ok, verdict.code, verdict.closed) == (False, "sealed", "bank_missing")
    assert verdict.problem is not None
    assert "the bank never opened round 1" in verdict.problem


# What does not pass.


def test_signatures_of_simulations_prove_nothing_to_others(transcript):
    verdict = verify_transcript(transcript)

    assert not verdict.ok
    assert verdict.problem == "signatures of the scheme test-mac prove nothing to others"
    assert not verify_transcript(transcript, verifier=Ed25519Verifier()).ok


def swapped(transcript: Transcript, number: int, /, **fields: Any) -> Transcript:
    """Return the transcript with another event in one place, sealed anew by a player."""
    entries = list(transcript.entries)
    entries[number] = replace(entries[number], event=replace(entries[number].event, **fields))
    return make_transcript(transcript.terms, tuple(entries), MacSigner("ann"))


def place_of(transcript: Transcript, kind: type, nth: int = 0) -> int:
    return [number for number, entry in enumerate(transcript.entries) if isinstance(entry.event, kind)][nth]


@pytest.mark.parametrize(
    ("kind", "fields", "code"),
    [
        (Roll, {"faces": (1, 1)}, "roll_differs"),
        (Roll, {"transcript": "00" * 32}, "roll_differs"),
        (Reveal, {"secret": "00" * 32}, "wrong_secret"),
        (Reveal, {"signature": "00" * 64}, "bad_signature"),
        (Commit, {"commitment": "00" * 32}, "bad_signature"),
        (Commit, {"nonce": 77}, "bad_signature"),
        (Close, {"commits": ()}, "close_differs"),
        (Close, {"digest": "00" * 32}, "close_differs"),
        (Lock, {"hand": 5}, "bad_signature"),
        (Lock, {"move_number": 5}, "wrong_stakes"),
        (Lock, {"stakes": ()}, "wrong_stakes"),
        (Lock, {"positions": ()}, "bad_signature"),
        (Void, {"reason": "objected"}, "void_unfounded"),
    ],
)
def test_the_verdict_names_the_first_thing_that_is_wrong(transcript, kind, fields, code):
    place = place_of(transcript, kind)

    verdict = check(swapped(transcript, place, **fields))

    assert not verdict.ok
    assert (verdict.entry, verdict.code) == (place, code)
    assert f"entry {place} ({kind.__name__.lower()}, round " in (verdict.problem or "")


def test_a_forfeit_that_is_written_down_wrongly_is_found(transcript):
    entries = list(transcript.entries)
    place = next(number for number, entry in enumerate(entries) if isinstance(entry.event, Void) and entry.movements)
    entries[place] = replace(entries[place], movements=(Movement("table", "unclaimed", 1, "reveal_missing"),))

    verdict = check(make_transcript(transcript.terms, tuple(entries), MacSigner("ann")))

    assert (verdict.entry, verdict.code) == (place, "wrong_movements")


def test_other_terms_do_not_go_with_the_events(transcript):
    for name, value in [("name", "other"), ("fee", 4), ("session_id", 8), ("reveal_ms", 1), ("seats_max", 9)]:
        terms = replace(transcript.terms, **{name: value})
        verdict = check(make_transcript(terms, transcript.entries, MacSigner("ann")))
        assert (verdict.ok, verdict.entry, verdict.code) == (False, 0, "bad_signature"), name


def test_a_transcript_is_sealed_by_somebody_who_was_there(transcript):
    by_stranger = make_transcript(transcript.terms, transcript.entries, MacSigner("zoe"))
    forged = replace(transcript, signature="00" * 64)
    renamed = replace(transcript, writer=MacSigner("ann").key)

    assert "neither the table nor a player" in (check(by_stranger).problem or "")
    assert "not sealed by its writer" in (check(forged).problem or "")
    assert "the transcript hashes to" in (check(renamed).problem or "")


def test_only_its_writer_can_cut_a_transcript_short(transcript):
    """The beginning of a table's book is a sound book; what it cannot be is sealed by the table."""
    cut = transcript.entries[:-10]
    plain = replace(transcript, entries=cut)

    assert not check(plain).ok
    by_player = check(make_transcript(transcript.terms, cut, MacSigner("ann")))
    assert by_player.ok
    assert "sealed by the player" in by_player.checks[-1].text
    assert by_player.closed == ""


# Ten thousand changes.


@pytest.mark.parametrize(("size", "count"), [("short", 7000), ("long", 1000)])
def test_no_byte_of_a_transcript_can_be_changed(transcript, sitting, size, count):
    """8,000 files with a flipped bit, a lost, added or doubled byte, or a cut: none verifies, none raises."""
    if size == "short":
        table = sitting(["ann"])
        table.roll(BETS)
        transcript = table.host.transcript()
    data = write_transcript(transcript)
    chance = random.Random(size)
    for _ in range(count):
        place = chance.randrange(len(data))
        flipped = bytes([data[place] ^ 1 << chance.randrange(8)])
        kind = chance.randrange(5)
        changed = [
            data[:place] + flipped + data[place + 1 :],
            data[:place] + data[place + 1 :],
            data[:place] + flipped + data[place:],
            data[:place] + data[max(0, place - 8) :],
            data[:place],
        ][kind]
        if changed != data:
            assert not check(changed).ok, (place, kind)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all texts, numbers and truths in plain JSON."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [found for key, item in enumerate(value) for found in leaves(item, (*path, key))]
    return [path]


def test_no_value_of_a_transcript_can_be_changed_even_by_a_player_who_seals_it_anew(transcript):
    """1,500 changed values in canonical form, each file sealed by ann: the signatures of the others still decide.

    One thing is nobody's: the signature under an opening that came too soon, which was never looked at.
    """
    chance = random.Random("values")
    document = json.loads(write_transcript(transcript))
    early = next(
        number
        for number, entry in enumerate(document["entries"])
        if entry["event"]["type"] == "reveal" and entry["event"]["signature"] == "ab" * 64
    )
    paths = [path for path in leaves(document) if path[0] in ("entries", "terms")]
    for path in chance.choices(paths, k=1500):
        if path[:2] == ("entries", early) and path[-1] == "signature":
            continue
        place = document
        for step in path[:-1]:
            place = place[step]
        before = place[path[-1]]
        place[path[-1]] = other_value(before, chance)
        try:
            bare = msgspec.convert(document, Transcript)
        except msgspec.ValidationError:
            continue  # refused when it is read
        finally:
            place[path[-1]] = before
        assert not check(make_transcript(bare.terms, bare.entries, MacSigner("ann"))).ok, path


def other_value(value: Any, chance: random.Random) -> Any:
    if value is None:
        return 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([1, -1, 2**32])
    if not value:
        return "00" * 32
    place = chance.randrange(len(value))
    return value[:place] + ("0" if value[place] != "0" else "1") + value[place + 1 :]


def test_no_event_can_be_left_out_doubled_or_moved_even_by_a_player_who_seals_it_anew(transcript):
    """500 orders of events. Every LOCK, and the end, signs the whole book before it."""
    chance = random.Random("events")
    for _ in range(500):
        entries: list[Entry] = list(transcript.entries)
        one, other = chance.randrange(len(entries)), chance.randrange(len(entries))
        match chance.randrange(3):
            case 0:
                del entries[min(one, len(entries) - 2)]  # without its last event it is a shorter, sound book
            case 1:
                entries.insert(other, entries[one])
            case _:
                entries.insert(other, entries.pop(one))
        if entries != list(transcript.entries):
            assert not check(make_transcript(transcript.terms, tuple(entries), MacSigner("ann"))).ok


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"{}",
        b'{"document":"dice-transcript"}',
        b"\xff\xfe",
        b"[" * 200_000,
        b"1" * 5000,
        "é",
    ],
    ids=lambda data: repr(data[:12]),
)
def test_bytes_that_are_no_transcript_are_refused_in_words(data):
    verdict = check(data)

    assert not verdict.ok
    assert verdict.problem


def test_reading_a_broken_transcript_says_what_is_wrong(transcript):
    data = write_transcript(transcript)
    document = json.loads(data)

    broken: list[tuple[Any, type[BadDocument], str]] = [
        (json.dumps(document), BadDocument, "not in canonical form: byte 1"),
        (data.replace(b'"schema":2', b'"schema":3'), WrongSchema, "another schema"),
        (data.replace(b'"writer"', b'"reader"'), BadDocument, "wrong shape"),
        (data[:-1], BadDocument, "not JSON"),
        (12, BadDocument, "not JSON"),
    ]
    for given, error, words in broken:
        with pytest.raises(error, match=words):
            read_transcript(given)


@pytest.mark.parametrize("data", [b"{}", b"[]", b'{"document":"record"}', b"\xff", b"[" * 200_000, b'{"document":1}'])
def test_other_files_are_no_transcripts(data):
    assert not is_transcript(data)


def test_hundreds_of_real_signatures_later_everything_still_adds_up(sitting):
    """Forty rounds of Ed25519, checked from the file; `test_dice_adversaries` plays a thousand more."""
    verdict = verify_transcript(write_transcript(signed_for_real(sitting, 40).host.transcript()))

    assert verdict.ok
    assert len({roll.seed for roll in verdict.rolls}) == 40
