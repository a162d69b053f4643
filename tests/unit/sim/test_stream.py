"""Compiled streams against `hashlib` and `GameRng`: the same bytes, the same values, the same place afterwards."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier import draws
from croupier.errors import BadSeed, DrawError
from croupier.rng import GameRng
from croupier.sim import BadHashPath, compiled, hash_path
from croupier.sim.blocks import paths_of
from croupier.sim.sha256 import FEATURES, hash_rows, rehash
from croupier.sim.stream import open_rows, prepare_seed, row_from_state, streams

U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1
LIMITS = json.loads((Path(__file__).parents[2] / "vectors" / "rng" / "limits.json").read_text())["cases"]

sessions = st.integers(0, U64_MAX) | st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, U64_MAX])
moves = st.integers(0, U32_MAX) | st.sampled_from([0, 1, U32_MAX])


def first_block(seed: bytes, session_id: int, move: int) -> bytes:
    return sha256(seed + session_id.to_bytes(8, "big") + move.to_bytes(4, "big")).digest()


def rehash_row(row):
    rehash(row)


# The hash


@given(seed=st.binary(max_size=200), opened=st.lists(st.tuples(sessions, moves), max_size=40))
def test_the_first_blocks_are_the_hashes_of_seed_session_and_move(path, seed, opened):
    """Up to forty streams: two groups of sixteen side by side, one over rows that are open already, some one by one."""
    rows = streams(seed, [session for session, _ in opened], [move for _, move in opened], path)

    assert [row[:32].tobytes() for row in rows] == [first_block(seed, *stream) for stream in opened]
    assert [int(row[32]) for row in rows] == [0] * len(opened)


@pytest.mark.parametrize("length", [*range(130), 1023, 1024])
def test_a_seed_of_any_length_is_padded_as_the_hash_asks(path, length):
    """Every place where the counters can begin in a block, and every word that they can cross."""
    seed = bytes(byte % 251 for byte in range(length))
    session_ids = [U64_MAX, 0x0123456789ABCDEF, 0, 1, 2**40]
    numbers = [U32_MAX, 0x89ABCDEF, 0, 1, 2**20]

    for times in (1, 5):  # one by one; in lanes
        rows = streams(seed, session_ids * times, numbers * times, path)

        expected = [first_block(seed, *stream) for stream in zip(session_ids, numbers, strict=True)]
        assert [row[:32].tobytes() for row in rows] == expected * times


@pytest.mark.parametrize("count", range(70))
def test_any_number_of_streams_is_opened_and_no_more(path, count):
    """However many are left over after whole groups: singly, or in a group over rows that are open already."""
    rows = open_rows(count + 20, path)
    rows[:, :33] = 7
    ids, numbers = np.arange(count + 20, dtype=np.uint64) << np.uint64(30), np.arange(count + 20, dtype=np.uint32)

    compiled(hash_rows)(prepare_seed(b"first"), rows, ids, numbers, count)

    assert [row[:32].tobytes() for row in rows[:count]] == [first_block(b"first", n << 30, n) for n in range(count)]
    assert (rows[:count, 32] == 0).all()
    assert (rows[count:, :33] == 7).all()


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_a_million_random_streams_are_the_hashes_of_their_messages(path, part):
    """Seeds of every length up to 199 bytes, 500 streams of each: 10^6 with all ten parts, on every path."""
    rng = np.random.default_rng(part)
    for length in range(200):
        seed = rng.bytes(length)
        ids = rng.integers(0, 2**64, 500, np.uint64).tolist()
        numbers = rng.integers(0, 2**32, 500, np.uint32).tolist()

        rows = streams(seed, ids, numbers, path)

        assert [row[:32].tobytes() for row in rows] == list(map(first_block, [seed] * 500, ids, numbers))


def test_streams_go_on_as_hash_chains_on_every_path(path):
    rows = streams(b"chain", range(20), [3] * 20, path)
    expected = [first_block(b"chain", session, 3) for session in range(20)]

    for _ in range(5):
        for row in rows:
            compiled(rehash_row)(row)
        expected = [sha256(block).digest() for block in expected]

        assert [row[:32].tobytes() for row in rows] == expected


@given(block=st.binary(min_size=32, max_size=32), index=st.integers(0, 32))
def test_a_rehash_replaces_the_block_by_its_hash_and_nothing_else(path, block, index):
    row = row_from_state(block, index, path)
    before = row.copy()

    compiled(rehash_row)(row)

    assert row[:32].tobytes() == sha256(block).digest()
    assert (row[32:] == before[32:]).all()


# The bytes


@pytest.mark.parametrize("index", range(25, 33))
def test_a_word_may_straddle_two_blocks(compiled_rng, index):
    first = bytes(range(200, 232))
    tape = first + sha256(first).digest()

    assert compiled_rng.from_state(first, index).next_u32() == int.from_bytes(tape[index : index + 4], "big")
    assert compiled_rng.from_state(first, index).next_u64() == int.from_bytes(tape[index : index + 8], "big")


def test_a_word_of_64_bits_has_no_sign(compiled_rng):
    assert compiled_rng.from_state(b"\xff" * 32).next_u64() == U64_MAX
    assert compiled_rng.from_state(b"\x80" + bytes(31)).next_u64() == 2**63


# The draws

BOUNDS = st.integers(0, 255) | st.integers(256, U32_MAX) | st.sampled_from([1, 6, 37, 52, 128, 255])
DRAWS = {
    "next_byte": st.tuples(),
    "next_u32": st.tuples(),
    "next_u64": st.tuples(),
    "next_f32": st.tuples(),
    "roll_die": st.tuples(),
    "spin_roulette": st.tuples(),
    "next_bounded": st.tuples(st.integers(-3, 255)),
    "next_bounded_u32": st.tuples(BOUNDS),
    "next_bounded_usize": st.tuples(BOUNDS | st.integers(U32_MAX, 2**63 - 1)),
}
one_call = st.one_of([st.tuples(st.just(name), arguments) for name, arguments in DRAWS.items()])


@settings(max_examples=200)
@given(seed=st.binary(max_size=64), session_id=sessions, move=moves, calls=st.lists(one_call, max_size=40))
def test_any_sequence_of_draws_gives_what_the_reference_gives(compiled_rng, seed, session_id, move, calls):
    mine = compiled_rng.new(seed, session_id, move)
    reference = GameRng.new(seed, session_id, move)

    for name, arguments in calls:
        assert getattr(mine, name)(*arguments) == getattr(reference, name)(*arguments)
        assert (mine.block, mine.index) == (reference.block, reference.index)
    assert mine.bytes_used == reference.bytes_used


@given(seed=st.binary(max_size=8), size=st.integers(0, 420), drawn=st.integers(0, 9))
def test_shuffles_and_draws_of_any_size_give_what_the_reference_gives(compiled_rng, seed, size, drawn):
    mine, reference = compiled_rng.new(seed, 0, 0), GameRng.new(seed, 0, 0)
    my_pack, pack = list(range(size)), list(range(size))

    mine.shuffle(my_pack)
    reference.shuffle(pack)
    cards = [(mine.draw_card(my_pack), reference.draw_card(pack)) for _ in range(min(drawn, size))]

    assert my_pack == pack
    assert all(mine_card == card for mine_card, card in cards)
    assert (mine.block, mine.index) == (reference.block, reference.index)


@pytest.mark.parametrize("case", LIMITS, ids=lambda case: f"{case['draw']}-{case['bound']}")
def test_a_try_counts_up_to_the_published_limit_and_no_further(compiled_rng, case):
    width = 1 if case["draw"] == "next_bounded" else 4
    bound, limit, top = case["bound"], case["limit"], 256**width - 1

    def block_of(*tries: int) -> bytes:
        return b"".join(value.to_bytes(width, "big") for value in tries).ljust(32, b"\0")

    below = compiled_rng.from_state(block_of(limit - 1))
    assert (getattr(below, case["draw"])(bound), below.bytes_used) == (bound - 1, width)

    at = compiled_rng.from_state(block_of(limit, top, limit - 1))
    assert (getattr(at, case["draw"])(bound), at.bytes_used) == (bound - 1, 3 * width)


def test_thrown_away_tries_go_on_into_the_next_block(compiled_rng):
    full = b"\xff" * 32
    rng = compiled_rng.from_state(full)
    tries = next(number for number, byte in enumerate(sha256(full).digest()) if byte < 252)

    assert rng.next_bounded(6) == sha256(full).digest()[tries] % 6
    assert rng.bytes_used == 32 + tries + 1


@pytest.mark.parametrize("first_byte", [0, 255])
def test_a_bound_too_large_for_its_draw_is_the_same_error_as_in_the_reference(compiled_rng, first_byte):
    rng = compiled_rng.from_state(bytes([first_byte]) * 32)

    with pytest.raises(DrawError, match="bounded takes at most 255"):
        rng.next_bounded(256)
    with pytest.raises(DrawError, match="bounded_u32 takes at most"):
        rng.next_bounded_u32(2**32)


def test_compiled_draws_give_plain_whole_numbers(compiled_rng):
    rng = compiled_rng.new(b"plain", 0, 0)

    assert {type(rng.next_byte()), type(rng.next_u64()), type(rng.roll_die())} == {int}


# Ways to hash, and what is refused


def test_the_hash_path_is_the_best_that_the_processor_has_unless_the_environment_says_otherwise(monkeypatch):
    assert hash_path() == paths_of(FEATURES)[0]

    monkeypatch.setenv("CROUPIER_HASH_PATH", "portable")
    assert hash_path() == "portable"
    assert streams(b"", [0], [0]).tobytes() == streams(b"", [0], [0], "portable").tobytes()

    monkeypatch.setenv("CROUPIER_HASH_PATH", "md5")
    with pytest.raises(BadHashPath, match="'md5' is no hash path: they are avx512, sha-ni, avx2 and portable"):
        hash_path()


@pytest.mark.parametrize(
    ("features", "paths"),
    [
        ("", "portable"),
        ("+sse2 +avx", "portable"),
        ("+avx2", "avx2 portable"),
        ("+avx2 +sha", "sha-ni avx2 portable"),
        ("+sha", "sha-ni portable"),
        ("+avx2 +avx512f +avx512vl +avx512bw", "avx512 avx2 portable"),
        ("+avx2 +avx512f +avx512vl +sha", "sha-ni avx2 portable"),
        ("+avx2 +avx512f +avx512vl +avx512bw +sha", "avx512 sha-ni avx2 portable"),
    ],
)
def test_sixteen_lanes_are_best_then_sha_instructions_then_eight_lanes(features, paths):
    assert paths_of(frozenset(features.split())) == paths.split()


PROCESSORS = {
    "portable": ("generic", ""),
    "avx2": ("haswell", "+avx +avx2 +sse4.2"),
    "sha-ni": ("goldmont", "+sha +sse4.2"),
    "avx512": ("skylake-avx512", "+avx +avx2 +avx512f +avx512vl +avx512bw +avx512dq +sse4.2"),
}


@pytest.mark.parametrize("name", PROCESSORS)
def test_a_processor_with_less_hashes_all_the_same(in_new_process, name):
    """The compiler is told to know no more than that; its own abort would end the process."""
    processor, features = PROCESSORS[name]
    if missing := set(features.split()) - FEATURES:
        pytest.skip(f"this processor has no {' '.join(sorted(missing))}")
    script = """
from croupier.draws import bounded
from croupier.sim import (BadHashPath, compiled, hash_path)
from croupier.sim.stream import open_rows, streams
print(hash_path())
for length in (0, 31, 32, 45, 63, 100):
    rows = streams(bytes(length), range(2**40, 2**40 + 23), range(23))
    print(rows[:, :32].tobytes().hex())
row = streams(bytes(32), [1], [0])[0]
print([compiled(bounded)(row, 6) for _ in range(40)][-8:])
for path in ("avx512", "sha-ni", "avx2"):
    try:
        open_rows(1, path)
    except BadHashPath:
        print("refused", path)
"""
    environment = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": features.replace(" ", ",")}
    told = in_new_process(script, **environment).communicate()[0].splitlines()

    rng = GameRng.new(bytes(32), 1, 0)
    opened = [b"".join(first_block(bytes(n), 2**40 + k, k) for k in range(23)).hex() for n in (0, 31, 32, 45, 63, 100)]
    faces = [rng.next_bounded(6) for _ in range(40)][-8:]
    lacks = {"portable": ["avx512", "sha-ni", "avx2"], "avx2": ["avx512", "sha-ni"]}
    lacks |= {"sha-ni": ["avx512", "avx2"], "avx512": ["sha-ni"]}
    assert told == [name, *opened, str(faces), *(f"refused {path}" for path in lacks[name])]


@pytest.mark.parametrize(
    ("session_ids", "numbers", "said"),
    [
        ([-1], [0], "a session id is a whole number from 0 to 18446744073709551615"),
        ([2**64], [0], "a session id is"),
        ([1.0], [0], "a session id is"),
        ([0], [-1], "a move number is a whole number from 0 to 4294967295"),
        ([0], [2**32], "a move number is"),
        ([0, 1], [0], "got 2 and 1 of them"),
    ],
)
def test_counters_out_of_bounds_are_refused(session_ids, numbers, said):
    with pytest.raises(BadSeed, match=said):
        streams(b"", session_ids, numbers)


def test_a_seed_is_bytes_and_a_state_has_32_of_them():
    with pytest.raises(BadSeed, match="a seed is bytes, got str"):
        streams("seed", [0], [0])  # type: ignore[arg-type]
    with pytest.raises(BadSeed, match="32 bytes"):
        row_from_state(bytes(31))
    with pytest.raises(BadSeed, match="0 to 32, got 33"):
        row_from_state(bytes(32), 33)


def test_a_compiled_draw_takes_rows_of_bytes_only():
    with pytest.raises(Exception, match="next_byte"):
        compiled(draws.next_byte)(np.zeros(64, np.int64))  # type: ignore[arg-type]
