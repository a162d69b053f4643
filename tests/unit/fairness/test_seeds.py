"""Seeds made by two parties, checked by hand: every value here is worked out from hashlib and the sheet alone."""

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadSeed, CroupierError
from croupier.fairness import SeedPair, commitment_to, derive

SERVER = bytes(range(32))
CLIENT = b"lucky seven"
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"  # SHA-256 of the bytes 0 … 31


@pytest.mark.parametrize(
    ("seed", "label", "derived"),
    [
        (b"", "", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),  # SHA-256(00)
        (bytes(32), "match/1", "011d580b5e19081b560b2b71203eac3862daeeb4a0369a20ad60166a5dd19c57"),
    ],
)
def test_a_derived_seed_is_the_published_one(seed, label, derived):
    assert derive(seed, label).hex() == derived


@given(seed=st.binary(max_size=80), label=st.text(max_size=20))
def test_a_derived_seed_is_a_hash_of_seed_zero_and_label(seed, label):
    assert derive(seed, label) == sha256(seed + bytes(1) + label.encode("utf-8")).digest()


def test_labels_that_look_alike_give_seeds_that_do_not():
    labels = ["match/1", "match/01", "match/ 1", "Match/1", "match/1\x00", "match/\uff11"]

    assert len({derive(SERVER, label) for label in labels}) == len(labels)


@given(server=st.binary(max_size=64))
def test_a_commitment_is_the_sha256_of_the_server_seed(server):
    assert commitment_to(server) == sha256(server).hexdigest()


def test_a_pair_holds_both_parts_and_the_commitment_in_hex():
    pair = SeedPair.of(SERVER, CLIENT)

    assert pair.commitment == COMMITMENT
    assert pair.server_seed == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    assert pair.client_seed == "6c75636b7920736576656e"


@given(server=st.binary(min_size=32, max_size=32), client=st.binary(max_size=256), session=st.integers(0, 2**64 - 1))
def test_the_seed_of_a_match_follows_from_both_parts_and_the_session(server, client, session):
    pair = SeedPair.of(server, client)
    by_hand = sha256(server + client + b"\x00" + b"match/" + str(session).encode()).digest()

    assert pair.match_seed(session) == by_hand
    assert pair.commitment_problem() is None
    assert pair.seed_problem(session, by_hand.hex()) is None


@pytest.mark.parametrize("server", [b"", bytes(31), bytes(33), bytes(64), bytearray(32), "0" * 32, None, [0] * 32])
def test_a_server_seed_is_32_bytes(server):
    with pytest.raises(BadSeed, match="32 random bytes") as caught:
        SeedPair.of(server, CLIENT)

    assert "0000" not in str(caught.value)  # it is a secret, also where it is wrong


@pytest.mark.parametrize("client", [bytes(257), bytearray(4), "lucky", None, 7])
def test_a_client_seed_is_up_to_256_bytes(client):
    with pytest.raises(BadSeed, match="up to 256 bytes"):
        SeedPair.of(SERVER, client)


@pytest.mark.parametrize("client", [b"", bytes(256)])
def test_the_shortest_and_the_longest_client_seed_will_do(client):
    assert SeedPair.of(SERVER, client).commitment_problem() is None


def test_a_fixed_length_keeps_two_pairs_from_running_together():
    """Were the first part of any length, (ab, c) and (a, bc) would give one seed."""
    seeds = {SeedPair.of(SERVER[:-1] + bytes([last]), bytes([last])).match_seed(1) for last in range(50)}

    assert len(seeds) == 50


@pytest.mark.parametrize(
    "pair",
    [
        SeedPair("00" * 32, SERVER.hex(), CLIENT.hex()),
        SeedPair(COMMITMENT.upper(), SERVER.hex(), CLIENT.hex()),
        SeedPair(COMMITMENT + "00", SERVER.hex(), CLIENT.hex()),
        SeedPair("", SERVER.hex(), CLIENT.hex()),
        SeedPair("é", SERVER.hex(), CLIENT.hex()),
        SeedPair("\ud800", SERVER.hex(), CLIENT.hex()),
        SeedPair(COMMITMENT, bytes(32).hex(), CLIENT.hex()),
        SeedPair(COMMITMENT, SERVER.hex()[:-2], CLIENT.hex()),
        SeedPair(COMMITMENT, SERVER.hex()[:-1], CLIENT.hex()),
        SeedPair(COMMITMENT, SERVER.hex() + "00", CLIENT.hex()),
        SeedPair(COMMITMENT, "", CLIENT.hex()),
        SeedPair(COMMITMENT, "zz" * 32, CLIENT.hex()),
        SeedPair(COMMITMENT, SERVER.hex().upper(), CLIENT.hex()),
        SeedPair(COMMITMENT, " " + SERVER.hex(), CLIENT.hex()),
        SeedPair(COMMITMENT, SERVER.hex(), "z"),
        SeedPair(COMMITMENT, SERVER.hex(), "6C"),
        SeedPair(COMMITMENT, SERVER.hex(), "6c 75"),
        SeedPair(COMMITMENT, SERVER.hex(), "00" * 257),
    ],
    ids=ascii,
)
def test_a_pair_that_was_tampered_with_has_a_problem_in_words(pair):
    problem = pair.commitment_problem()

    assert problem
    assert isinstance(problem, str)


def test_a_problem_names_both_hashes():
    problem: Any = SeedPair("00" * 32, SERVER.hex(), "").commitment_problem()

    assert COMMITMENT in problem
    assert "00" * 32 in problem


def test_a_seed_that_does_not_follow_has_a_problem_in_words():
    pair = SeedPair.of(SERVER, CLIENT)
    seed = pair.match_seed(5).hex()

    assert pair.seed_problem(5, seed) is None
    for session, other in ((6, seed), (5, seed.upper()), (5, ""), (5, "zz"), (5, seed + "00"), (5, bytes(32).hex())):
        problem = pair.seed_problem(session, other)
        assert problem
        assert seed in problem or session == 6


@pytest.mark.parametrize("server", ["zz", "0", "00 "])
def test_a_pair_that_is_not_hex_gives_no_seed_but_a_clear_error(server):
    pair = SeedPair(COMMITMENT, server, "")

    with pytest.raises(CroupierError):
        pair.match_seed(1)


def test_two_players_who_name_the_same_seed_still_get_different_matches():
    """The session is part of it: a seed pair that is used for many matches gives each its own."""
    pair = SeedPair.of(SERVER, CLIENT)

    assert len({pair.match_seed(session) for session in range(1_000)}) == 1_000
