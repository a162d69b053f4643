"""The byte strings of shared dice: the published check values, and a second calculation of every one of them."""

from __future__ import annotations

import inspect
import re
import struct
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.errors import BadSeed
from croupier.fairness.dice import HashChain, Reveal, encoding, messages
from croupier.fairness.dice.chain import fits_chain
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.messages import Bet, Commit, to_sign
from croupier.rng import GameRng
from tests.unit.fairness.by_hand import hashed, tagged, u64

GAME, T0 = b"\x01" * 16, bytes(32)
A, B = b"\xa1" * 32, b"\xb2" * 32
SECRET_A, SECRET_B = b"\x11" * 32, b"\x22" * 32

STAKES = encoding.stakes_digest([])
ROSTER = encoding.roster_digest([A, B])
CONTEXT = encoding.context(GAME, 1, T0, STAKES, ROSTER)
COMMIT_A = encoding.commitment(CONTEXT, A, 7, SECRET_A)
COMMIT_B = encoding.commitment(CONTEXT, B, 9, SECRET_B)
COMMITS = encoding.commit_set(CONTEXT, [(A, 7, COMMIT_A), (B, 9, COMMIT_B)])
SEED = encoding.roll_seed(COMMITS, encoding.xor([SECRET_A, SECRET_B]))

# Published messages of a table of shared dice. Their dice blocks are not used here: the seed opens a `GameRng`.
PUBLISHED = {
    "B": (STAKES, "263d363db2efb8b7a362438fbc17c07716d614318b0138bbac43b22b535a2872"),
    "R": (ROSTER, "43ec6e9924cbb30b90b478583622cda331c9e054c0e0f0e19ff5ba2de4a6e1da"),
    "C": (CONTEXT, "3d83e0beae500a8af97a9e4ca9aff1b6b2dab0bb439a2261359497ce8d9555d5"),
    "c1": (COMMIT_A, "a91a358b46cc7a86c915021b622645f5972e9dca308d1952d90822a0b42c9e90"),
    "c2": (COMMIT_B, "6392b61b11f478360832166e217c29977d2472ede43608e75460ede57425ff69"),
    "K": (COMMITS, "f1eb04f1178321b9cc3b20b151419f004096538abbf15dc3bfbe1fe2eb82533f"),
    "S": (SEED, "f3652c0e1335539f000ebee313a6fe16a6faf7c6fb09c7c3755189bbac14929b"),
}

keys = st.binary(min_size=32, max_size=32)
numbers = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_check_value_is_the_published_one(name):
    found, published = PUBLISHED[name]

    assert found.hex() == published


def test_the_published_stream_shows_two_sixes():
    """FF and FC are thrown away, FB is 41 × 6 + 5, and 05 is 5."""
    stream = GameRng.from_state(bytes.fromhex("fffcfb05") + bytes(28))

    assert [stream.roll_die(), stream.roll_die()] == [6, 6]
    assert stream.bytes_used == 4


@given(tag=st.text("abc/-1", max_size=20), fields=st.lists(st.binary(max_size=80), max_size=6))
def test_fields_have_their_length_in_front(tag, fields):
    assert encoding.encode(tag, *fields) == tagged(tag, *fields)


def test_a_long_field_has_its_length_in_front_too():
    assert encoding.encode("t", bytes(70_000)) == tagged("t", bytes(70_000))


fields_of_a_few = st.lists(st.binary(max_size=9), max_size=5)


@given(first=fields_of_a_few, second=fields_of_a_few)
def test_no_two_lists_of_fields_share_their_bytes(first, second):
    assume(first != second)

    assert encoding.encode("t", *first) != encoding.encode("t", *second)


def test_every_purpose_has_a_tag_of_its_own():
    sources = inspect.getsource(encoding) + inspect.getsource(messages)
    tags = re.findall(r'"(craps/[a-z-]+/\d)"', sources)

    assert len(tags) == len(set(tags)) >= 20
    assert set(tags) >= {f"craps/{name}/1" for name in ["roster", "bet", "bets", "ctx", "commit", "commits", "seed"]}


@given(keys=st.lists(keys, max_size=5), entries=st.lists(st.binary(max_size=40), max_size=5), data=st.data())
def test_hashes_do_not_depend_on_the_order_of_arrival(keys, entries, data):
    shuffled_keys = data.draw(st.permutations(keys))
    shuffled_entries = data.draw(st.permutations(entries))

    assert encoding.roster_digest(shuffled_keys) == hashed("craps/roster/1", *sorted(keys))
    assert encoding.stakes_digest(shuffled_entries) == hashed("craps/bets/1", *sorted(entries))


@given(
    parties=st.lists(st.tuples(keys, numbers, keys), min_size=1, max_size=5, unique_by=lambda p: p[0]), data=st.data()
)
def test_the_commit_set_the_mix_and_the_transcript_are_sorted_by_key(parties, data):
    shuffled = data.draw(st.permutations(parties))
    in_order = sorted(parties)
    flat = [field for key, nonce, c in in_order for field in (key, u64(nonce), c)]
    opened = [field for key, _, secret in in_order for field in (key, secret)]
    mixed = bytes(32)
    for _, _, secret in parties:
        mixed = bytes(a ^ b for a, b in zip(mixed, secret, strict=True))

    assert encoding.commit_set(CONTEXT, shuffled) == hashed("craps/commits/1", CONTEXT, *flat)
    assert encoding.xor(secret for _, _, secret in shuffled) == mixed
    pairs = [(key, secret) for key, _, secret in shuffled]
    assert encoding.roll_transcript(COMMITS, pairs, (5, 1)) == hashed(
        "craps/transcript/1", COMMITS, *opened, b"\x05", b"\x01"
    )


@given(game=st.binary(min_size=16, max_size=16), number=numbers, parts=st.tuples(keys, keys, keys))
def test_a_context_binds_table_round_history_stakes_and_roster(game, number, parts):
    expected = hashed("craps/ctx/1", game, u64(number), *parts)

    assert encoding.context(game, number, *parts) == expected


@given(context=keys, key=keys, nonce=numbers, secret=keys)
def test_a_commitment_binds_context_key_nonce_and_secret(context, key, nonce, secret):
    c = encoding.commitment(context, key, nonce, secret)

    assert c == hashed("craps/commit/1", context, key, u64(nonce), secret)
    commit = Commit(1, key.hex(), nonce, context.hex(), c.hex())
    assert to_sign(commit, GAME) == tagged("craps/sig-commit/1", context, key, u64(nonce), c)
    reveal = to_sign(Reveal(1, key.hex(), nonce, secret.hex()), GAME, commits=context)
    assert reveal == tagged("craps/sig-reveal/1", context, key, u64(nonce), secret)


def test_a_live_bet_has_the_published_bytes():
    """E("craps/bet/1", pk, u32 id, u32 number, u64 stake, mode, working), spelled out."""
    bet = live_bet(A, 9, 6, 30, "place", working=False)

    assert bet.hex() == (
        "0000000b" + b"craps/bet/1".hex() + "00000020" + A.hex() + "00000004" + "00000009" + "00000004" + "00000006"
        "00000008" + "000000000000001e" + "00000005" + b"place".hex() + "00000001" + "00"
    )
    assert live_bet(A.hex(), 9, 6, 30, "place", working=False) == bet
    assert live_bet(A, 4, 0, 5)[-9:].hex() == "00000000" + "00000001" + "01"  # no mode, working


@pytest.mark.parametrize("verb", ["place", "raise", "lower", "remove", "switch"])
def test_an_order_for_a_bet_is_signed_over_its_table_number_and_verb(verb):
    bet = live_bet(A, 0, 0, 5)

    signed = to_sign(Bet(A.hex(), 3, verb, bet.hex()), GAME)

    assert signed == tagged("craps/sig-bet/1", GAME, A, u64(3), verb.encode(), bet)


def test_the_draw_is_bound_to_session_move_state_action_and_book():
    fields: list[Any] = [7, 12, A, b'{"type":"roll"}', T0]
    entry = encoding.draw_entry(*fields)

    assert entry == tagged("craps/draw/1", u64(7), struct.pack(">I", 12), A, b'{"type":"roll"}', T0)
    for place, other in enumerate((8, 13, B, b'{"type":"rolf"}', A)):
        changed = [*fields[:place], other, *fields[place + 1 :]]
        assert encoding.draw_entry(*changed) != entry


def test_a_hash_chain_hashes_back_to_its_end():
    chain = HashChain.make(SECRET_A, 3)
    v2 = hashed("craps/chain/1", SECRET_A)
    v1 = hashed("craps/chain/1", v2)
    v0 = hashed("craps/chain/1", v1)

    assert (chain.end, [chain.value(number) for number in (1, 2, 3)]) == (v0.hex(), [v1, v2, SECRET_A])
    assert len(chain) == 3


@pytest.mark.parametrize(
    ("value", "steps", "known", "fits"), [(3, 3, 0, True), (3, 1, 2, True), (3, 2, 0, False), (1, 0, 1, False)]
)
def test_a_value_fits_after_as_many_steps_as_rounds_have_passed(value, steps, known, fits):
    chain = HashChain.make(SECRET_A, 3)
    values = [bytes.fromhex(chain.end), *(chain.value(number) for number in (1, 2, 3))]

    assert fits_chain(values[value], steps, values[known]) is fits


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_chain_has_values_for_its_rounds_only(number):
    with pytest.raises(BadSeed):
        HashChain.make(SECRET_A, 3).value(number)


@pytest.mark.parametrize(("last", "length"), [(bytes(31), 3), (bytes(32), 0), (bytes(32), 10**7), ("0" * 32, 3)])
def test_a_chain_is_made_of_32_bytes_and_has_a_length(last, length):
    with pytest.raises(BadSeed):
        HashChain.make(last, length)


@pytest.mark.parametrize("number", [-1, 2**64, True, 1.0, None, 10**200])
def test_a_number_that_does_not_fit_its_field_is_refused(number):
    with pytest.raises(BadSeed):
        encoding.u64(number)


def test_a_secret_is_not_shown_by_what_keeps_it():
    assert SECRET_A.hex() not in repr(HashChain.make(SECRET_A, 3))
