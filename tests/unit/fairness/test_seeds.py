"""Seeds made by two parties, checked by hand: every value here is worked out from hashlib and the formulas alone."""

from __future__ import annotations

import hmac
import json
import struct
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.errors import BadSeed, CroupierError
from croupier.fairness import SeedPair, commitment_to, derive
from croupier.fairness.seeds import (
    EXTENSION,
    Binding,
    SeatSecret,
    VoidStart,
    keyed,
    receipt_message,
    seat_commitment,
    seats_digest,
)
from tests.unit.fairness.by_hand import lp, u64

SERVER = bytes(range(32))
CLIENT = b"lucky seven"
OLD_COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"  # SHA-256 of the bytes 0 … 31
VECTORS = Path(__file__).parents[2] / "vectors" / "fairness" / "seeds.json"

seeds = st.binary(min_size=32, max_size=32)
numbers = st.integers(0, 2**64 - 1)


# What follows from a seed.


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


@given(seed=seeds, label=st.text(max_size=30), number=numbers)
def test_what_is_keyed_is_an_hmac_under_the_server_seed(seed, label, number):
    assert keyed(seed, label) == hmac.digest(seed, lp(label.encode()), "sha256")
    assert keyed(seed, label, number) == hmac.digest(seed, lp(label.encode()) + u64(number), "sha256")


# Formulas.


@given(server=seeds, session=numbers, key=st.binary(max_size=32), account=st.text(max_size=12), n=numbers, head=seeds)
def test_a_commitment_and_its_receipt_are_bound_to_everything(server, session, key, account, n, head):
    binding = Binding(session, key, account, n, head)
    facts = lp(key, account.encode()) + u64(n) + u64(session) + lp(head)
    commitment = sha256(lp(b"croupier/commitment/2") + facts + lp(server)).digest()

    assert commitment_to(server, binding) == commitment
    assert receipt_message(commitment, binding) == lp(b"croupier/receipt/2", commitment) + facts


@given(server=seeds, client=st.binary(max_size=64), session=numbers)
def test_the_seed_of_a_match_follows_from_both_parts_and_the_session(server, client, session):
    pair = SeedPair.of(server, client, session)
    commitment = commitment_to(server, Binding(session))
    message = lp(b"croupier/match/2", commitment, client) + u64(session) + lp(b"")
    by_hand = hmac.digest(server, message, "sha256")

    assert pair.commitment == commitment.hex()
    assert pair.match_seed(session) == by_hand
    assert pair.commitment_problem(session) is None
    assert pair.seed_problem(session, by_hand.hex()) is None


def test_a_table_is_part_of_the_seed():
    pair = SeedPair.of(SERVER, CLIENT, 7)
    other = replace(pair, table_digest="ab" * 32)
    message = lp(b"croupier/match/2", bytes.fromhex(pair.commitment), CLIENT) + u64(7) + lp(b"\xab" * 32)

    assert other.match_seed(7) == hmac.digest(SERVER, message, "sha256") != pair.match_seed(7)


def room(*secrets: bytes | None) -> SeedPair:
    """Return the seeds of a room: None for a seat that did not open, no bytes for a bot."""
    binding = Binding(9, b"\x11" * 32, "m_room", 0, b"\x22" * 32)
    commitment = commitment_to(SERVER, binding)
    seats = []
    for number, secret in enumerate(secrets):
        name = f"p_{number}"
        if secret == b"":
            seats.append(SeatSecret(name))
            continue
        head = lp(b"croupier/seat/2", commitment) + struct.pack(">I", number)
        made = sha256(head + lp(name.encode(), secret or SERVER))
        seats.append(SeatSecret(name, made.hexdigest(), "" if secret is None else secret.hex()))
    return SeedPair(
        commitment.hex(),
        SERVER.hex(),
        "",
        scheme=2,
        host_key="11" * 32,
        account="m_room",
        log_head="22" * 32,
        log_n=3,
        table_digest="33" * 32,
        seats=tuple(seats),
    )


def test_the_seed_of_a_room_follows_from_every_seat():
    secrets = [b"\x01" * 32, b"", None, b"\x04" * 32]
    pair = room(*secrets)
    commitment = bytes.fromhex(pair.commitment)
    fixed = lp(b"croupier/seats/2", commitment, b"\x33" * 32) + u64(9)
    for seat in pair.seats:
        fixed += lp(seat.player_id.encode(), bytes.fromhex(seat.commitment))
    k = sha256(fixed).digest()

    assert seats_digest(commitment, b"\x33" * 32, 9, pair.seats) == k
    message = lp(b"croupier/room/2", k, b"\x01" * 32, b"", b"", b"\x04" * 32)
    assert pair.match_seed(9) == hmac.digest(SERVER, message, "sha256")
    assert pair.commitment_problem(9) is None
    assert seat_commitment(commitment, 0, "p_0", b"\x01" * 32).hex() == pair.seats[0].commitment


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"client_seed": "aa"}, "no client seed"),
        ({"seats": (SeatSecret("p_0", "", "01" * 32),)}, "without a commitment"),
        ({"seats": (SeatSecret("p_0", "ab" * 32, "01" * 32),)}, "secret of seat 0 hashes to"),
        ({"seats": (SeatSecret("p_0", "ab" * 32, "01" * 31),)}, "32 random bytes"),
        ({"seats": (SeatSecret("p_0", "ab" * 32, "zz"),)}, "hex"),
        ({"voids": (VoidStart(8, "ab" * 32, SERVER.hex(), "22" * 32, ("p_1",)),)}, "void start of session 8"),
        ({"voids": (VoidStart(-8, "ab" * 32, SERVER.hex(), "22" * 32, ("p_1",)),)}, "goes here"),
    ],
    ids=str,
)
def test_a_room_whose_seats_do_not_open_has_a_problem_in_words(changed, words):
    problem = replace(room(b"\x01" * 32), **changed).commitment_problem(9)

    assert problem is not None
    assert words in problem


def test_a_void_start_is_opened_by_its_own_session_and_head():
    binding = Binding(8, b"\x11" * 32, "m_room", 0, b"\x44" * 32)
    void = VoidStart(8, commitment_to(bytes(32), binding).hex(), bytes(32).hex(), "44" * 32, ("p_1", "p_2"))

    assert replace(room(b"\x01" * 32), voids=(void,)).commitment_problem(9) is None
    assert replace(room(b"\x01" * 32), voids=(replace(void, missing=()),)).commitment_problem(9)


def test_golden_vectors_hold():
    """Made once with hashlib and hmac by the formulas as they are published; other languages read the same file."""
    vectors = json.loads(VECTORS.read_text())
    for one in vectors["matches"]:
        host_key, log_head, server = (bytes.fromhex(one[name]) for name in ("host_key", "log_head", "server_seed"))
        binding = Binding(int(one["session_id"]), host_key, one["account"], int(one["n"]), log_head)
        pair = SeedPair(
            one["commitment"], one["server_seed"], one["client_seed"], scheme=2, host_key=one["host_key"],
            account=one["account"], n=int(one["n"]), log_head=one["log_head"], table_digest=one["table_digest"],
        )  # fmt: skip
        assert commitment_to(server, binding).hex() == one["commitment"]
        assert receipt_message(bytes.fromhex(one["commitment"]), binding).hex() == one["receipt_message"]
        assert pair.match_seed(binding.session_id).hex() == one["seed"]
        assert keyed(server, "croupier/share/2", binding.session_id).hex() == one["share"]
    for one in vectors["rooms"]:
        seats = tuple(SeatSecret(*seat) for seat in one["seats"])
        table_digest = one["table_digest"]
        pair = SeedPair(one["commitment"], one["server_seed"], "", scheme=2, table_digest=table_digest, seats=seats)
        parts = bytes.fromhex(one["commitment"]), bytes.fromhex(table_digest)
        digest = seats_digest(*parts, one["session_id"], seats)
        assert digest.hex() == one["seats_digest"]
        assert pair.match_seed(one["session_id"]).hex() == one["seed"]
    assert len(vectors["matches"]) + len(vectors["rooms"]) >= 30


# Bad input.


@pytest.mark.parametrize("server", [b"", bytes(31), bytes(33), bytes(64), bytearray(32), "0" * 32, None, [0] * 32])
def test_a_server_seed_is_32_bytes_and_nothing_is_keyed_by_less_or_more(server):
    """HMAC fills a shorter key up with zeros: then two seeds would be one."""
    for make in (lambda: SeedPair.of(server, CLIENT, 1), lambda: keyed(server, "croupier/share/2")):
        with pytest.raises(BadSeed, match="32 random bytes") as caught:
            make()

        assert "0000" not in str(caught.value)  # it is a secret, also where it is wrong


@pytest.mark.parametrize("client", [bytes(65), bytearray(4), "lucky", None, 7])
def test_a_client_seed_is_up_to_64_bytes(client):
    with pytest.raises(BadSeed, match="up to 64 bytes"):
        SeedPair.of(SERVER, client, 1)


@pytest.mark.parametrize("client", [b"", bytes(64)])
def test_the_shortest_and_the_longest_client_seed_will_do(client):
    assert SeedPair.of(SERVER, client, 1).commitment_problem(1) is None


@pytest.mark.parametrize("session", [-1, 2**64])
def test_a_session_that_is_no_session_has_a_problem_and_no_seed(session):
    with pytest.raises(BadSeed):
        SeedPair.of(SERVER, CLIENT, session)
    assert SeedPair.of(SERVER, CLIENT, 1).commitment_problem(session)


PAIR = SeedPair.of(SERVER, CLIENT, 7)


@pytest.mark.parametrize(
    "changed",
    [
        {"commitment": "00" * 32},
        {"commitment": PAIR.commitment.upper()},
        {"commitment": PAIR.commitment + "00"},
        {"commitment": ""},
        {"commitment": "é"},
        {"commitment": "\ud800"},
        {"server_seed": bytes(32).hex()},
        {"server_seed": SERVER.hex()[:-2]},
        {"server_seed": SERVER.hex()[:-1]},
        {"server_seed": SERVER.hex() + "00"},
        {"server_seed": ""},
        {"server_seed": "zz" * 32},
        {"server_seed": SERVER.hex().upper()},
        {"server_seed": " " + SERVER.hex()},
        {"client_seed": "z"},
        {"client_seed": "6C"},
        {"client_seed": "6c 75"},
        {"client_seed": "00" * 65},
        {"scheme": 0},
        {"scheme": 3},
        {"host_key": "00"},
        {"host_key": "0"},
        {"account": "p_ann"},
        {"n": 1},
        {"n": -1},
        {"n": 2**64},
        {"log_head": "00"},
        {"table_digest": "x"},
        {"receipt": "x"},
    ],
    ids=ascii,
)
def test_a_pair_that_was_tampered_with_has_a_problem_in_words(changed):
    problem = replace(PAIR, **changed).commitment_problem(7)

    assert problem
    assert isinstance(problem, str)


def test_a_commitment_opens_for_its_own_session_alone_and_a_problem_names_both_hashes():
    """Else one commitment could be shown for two sessions, and opened by the first."""
    assert PAIR.commitment_problem(7) is None
    assert PAIR.commitment in (PAIR.commitment_problem(8) or "")
    problem = replace(PAIR, commitment="00" * 32).commitment_problem(7) or ""
    assert PAIR.commitment in problem
    assert "00" * 32 in problem


def test_a_seed_that_does_not_follow_has_a_problem_in_words():
    seed = PAIR.match_seed(7).hex()

    assert PAIR.seed_problem(7, seed) is None
    for session, other in ((6, seed), (7, seed.upper()), (7, ""), (7, "zz"), (7, seed + "00"), (7, bytes(32).hex())):
        problem = PAIR.seed_problem(session, other)
        assert problem
        assert seed in problem or session == 6


@pytest.mark.parametrize("server", ["zz", "0", "00 "])
def test_a_pair_that_is_not_hex_gives_no_seed_but_a_clear_error(server):
    with pytest.raises(CroupierError):
        replace(PAIR, server_seed=server).match_seed(7)


def test_two_players_who_name_the_same_seed_still_get_different_matches():
    assert len({SeedPair.of(SERVER, CLIENT, session).match_seed(session) for session in range(1_000)}) == 1_000


# Scheme 1, which is only read.


@given(server=seeds, client=st.binary(max_size=256), session=st.integers(0, 2**64 - 1))
def test_the_old_scheme_is_still_read(server, client, session):
    pair = SeedPair(sha256(server).hexdigest(), server.hex(), client.hex())
    by_hand = sha256(server + client + b"\x00" + b"match/" + str(session).encode()).digest()

    assert pair.match_seed(session) == by_hand
    assert pair.commitment_problem(session) is None


@pytest.mark.parametrize("field", ["host_key", "account", "log_head", "table_digest", "receipt"])
def test_the_old_scheme_has_three_fields_and_no_more(field):
    pair = SeedPair(OLD_COMMITMENT, SERVER.hex(), CLIENT.hex())

    assert pair.commitment_problem(1) is None
    assert "nothing else" in str(replace(pair, **{field: "00"}).commitment_problem(1))


# SHA-256 by hand, as far as an attacker needs it: to go on hashing where somebody else has stopped.

_K = [int(2**32 * (prime ** (1 / 3) % 1)) for prime in range(2, 312) if all(prime % other for other in range(2, prime))]


def _rotate(x: int, n: int) -> int:
    return (x >> n | x << 32 - n) & 0xFFFFFFFF


def compress(state: tuple[int, ...], block: bytes) -> tuple[int, ...]:
    w = list(struct.unpack(">16I", block))
    for i in range(16, 64):
        low = _rotate(w[i - 15], 7) ^ _rotate(w[i - 15], 18) ^ w[i - 15] >> 3
        high = _rotate(w[i - 2], 17) ^ _rotate(w[i - 2], 19) ^ w[i - 2] >> 10
        w.append((w[i - 16] + low + w[i - 7] + high) & 0xFFFFFFFF)
    a, b, c, d, e, f, g, h = state
    for i in range(64):
        one = h + (_rotate(e, 6) ^ _rotate(e, 11) ^ _rotate(e, 25)) + (e & f ^ ~e & g) + _K[i] + w[i]
        two = (_rotate(a, 2) ^ _rotate(a, 13) ^ _rotate(a, 22)) + (a & b ^ a & c ^ b & c)
        h, g, f, e, d, c, b, a = g, f, e, (d + one) & 0xFFFFFFFF, c, b, a, (one + two) & 0xFFFFFFFF
    return tuple((x + y) & 0xFFFFFFFF for x, y in zip(state, (a, b, c, d, e, f, g, h), strict=True))


def extend(digest: str, length: int, tail: bytes) -> bytes:
    """Return SHA-256(m ‖ padding of m ‖ tail) of a message of that length of which only the digest is known."""
    state = struct.unpack(">8I", bytes.fromhex(digest))
    whole = length + 1 + (55 - length) % 64 + 8 + len(tail)
    message = tail + b"\x80" + bytes((55 - whole) % 64) + (8 * whole).to_bytes(8, "big")
    for start in range(0, len(message), 64):
        state = compress(state, message[start : start + 64])
    return struct.pack(">8I", *state)


@given(server=seeds, tail=st.binary(max_size=32), session=st.integers(0, 2**40))
def test_under_the_old_scheme_a_player_knew_the_seed_from_the_commitment(server, tail, session):
    """Why it is never begun again: whoever names the padding of 32 bytes can go on hashing from the commitment."""
    pair = SeedPair(sha256(server).hexdigest(), server.hex(), (EXTENSION + tail).hex())

    foreseen = extend(pair.commitment, 32, tail + b"\x00" + f"match/{session}".encode())

    assert foreseen == pair.match_seed(session)


@given(server=seeds, tail=st.binary(max_size=32), session=st.integers(0, 2**40))
def test_under_this_scheme_no_extension_of_the_commitment_is_the_seed(server, tail, session):
    """Every way of going on from what is public, for every client seed that begins with a padding."""
    paddings = [b"\x80" + bytes((55 - n) % 64) + (8 * n).to_bytes(8, "big") for n in (32, 36, 89, 153)]
    for padding in paddings:
        pair = SeedPair.of(server, (padding + tail)[:64], session)
        rest = lp(bytes.fromhex(pair.client_seed)) + u64(session) + lp(b"")
        for ending in (tail, rest, lp(b""), tail + b"\x00" + f"match/{session}".encode()):
            for length in (32, 36, 89, 153):
                assert extend(pair.commitment, length, ending) != pair.match_seed(session)
