"""The published vectors of `tests/vectors/rng`, played through `GameRng`, bytes consumed included."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.rng import GameRng

VECTORS = Path(__file__).parents[1] / "vectors" / "rng"

# How many cases are published of each; `limits.json` is read by test_draws.
CASE_COUNTS = {
    "limits.json": 28,
    "v01_initial_blocks.json": 9,
    "v02_block_crossing.json": 3,
    "v03_words.json": 2,
    "v04_f32.json": 1,
    "v05_bounded.json": 27,
    "v06_rejection_edges.json": 12,
    "v07_deck.json": 4,
    "v08_shoe.json": 5,
    "v09_exclusions.json": 5,
    "v10_small_shuffle.json": 1,
    "v11_bulk_digests.json": 2,
    "v15_bulk_digests.json": 2,
    "v15_sorted_packs.json": 20,
}


def cases(*files: str) -> pytest.MarkDecorator:
    """Run a test once for every case of these vector files."""
    found = [
        pytest.param(case, id=f"{Path(file).stem}-{number}")
        for file in files
        for number, case in enumerate(json.loads((VECTORS / file).read_text())["cases"])
    ]
    return pytest.mark.parametrize("case", found)


def opened(case: dict[str, Any]) -> GameRng:
    """Return the stream that a case begins with."""
    if "draw" in case and "block" in case:
        return GameRng.from_state(bytes.fromhex(case["block"]))
    return GameRng.new(bytes.fromhex(case["seed"]), int(case["session_id"]), case["move_number"])


def as_published(value: object) -> object:
    """Return a drawn value the way the files write it."""
    return value.hex() if isinstance(value, bytes) else value


def h16(cards: list[int]) -> str:
    return sha256(bytes(cards)).hexdigest()[:16]


def test_no_vector_file_is_missing_short_or_unknown():
    files = {path.name: json.loads(path.read_text()) for path in VECTORS.iterdir()}

    assert {name: len(file["cases"]) for name, file in files.items()} == CASE_COUNTS
    for file in files.values():
        assert list(file) == ["name", "origin", "cases"]
        assert file["origin"].startswith("published")


@cases("v01_initial_blocks.json")
def test_a_stream_begins_with_the_published_block(case):
    rng = opened(case)

    assert rng.state().hex() == case["block"]
    assert (rng.index, rng.bytes_used) == (0, 0)
    assert rng.fill_bytes(32).hex() == case["block"]


@cases("v02_block_crossing.json")
def test_the_bytes_around_the_end_of_a_block_are_the_published_ones(case):
    rng = opened(case)
    rng.fill_bytes(case["first"])

    assert rng.fill_bytes(len(case["bytes"]) // 2).hex() == case["bytes"]
    assert rng.bytes_used == case["first"] + len(case["bytes"]) // 2


def test_the_block_is_replaced_when_the_33rd_byte_is_asked_for_and_not_before():
    rng = GameRng.new(bytes(32), 1, 0)
    rng.fill_bytes(32)
    assert rng.state().hex() == "5430dfc9c0a729db4f9409f336f5398b88bac9fe70f1d82890ecde22eac0e97a"  # V1
    assert rng.index == 32

    rng.next_byte()

    assert rng.state().hex() == "6129592cc2e0d42790d3046b62c44a5efd957aa2ce2b61c3b5e47d4ef834ade4"  # V2
    assert rng.index == 1


@cases("v03_words.json")
def test_words_are_the_published_ones(case):
    rng = opened(case)

    for call in case["calls"]:
        draw = getattr(rng, call["draw"])
        for value in call["values"]:
            drawn = as_published(draw(*call["args"]))
            assert drawn == (int(value) if call["draw"] == "next_u64" else value)


@cases("v04_f32.json")
def test_next_f32_is_the_published_fraction_of_two_to_the_24(case):
    rng = opened(case)

    drawn = [rng.next_f32() for _ in case["values"]]

    assert drawn == case["values"]
    assert [value * 2**24 for value in drawn] == case["numerators"]
    assert rng.bytes_used == 3 * len(drawn)


@cases("v05_bounded.json", "v06_rejection_edges.json")
def test_bounded_draws_and_the_bytes_they_use_are_the_published_ones(case):
    rng = opened(case)
    draw = getattr(rng, case["draw"])

    assert [draw(*case["args"]) for _ in case["values"]] == case["values"]
    assert rng.bytes_used == case["bytes_used"]


@cases("v07_deck.json", "v08_shoe.json", "v09_exclusions.json")
def test_packs_and_the_cards_drawn_from_them_are_the_published_ones(case):
    rng = opened(case)

    pack = getattr(rng, case["build"])(*case["args"])

    assert len(pack) == case["cards"]
    assert pack[:10] == case["first"]
    if "last" in case:
        assert pack[-5:] == case["last"]
    if "pack" in case:
        assert bytes(pack).hex() == case["pack"]
    assert h16(pack) == case["h16"]
    assert rng.bytes_used == case["bytes_used"]

    assert [rng.draw_card(pack) for _ in case["draws"]] == case["draws"]
    if "bytes_used_after_draws" in case:
        assert rng.bytes_used == case["bytes_used_after_draws"]
        assert h16(pack) == case["h16_after_draws"]


@cases("v10_small_shuffle.json")
def test_a_small_shuffle_is_the_published_one(case):
    rng = opened(case)
    items = list(case["items"])

    rng.shuffle(items)

    assert items == case["shuffled"]
    assert rng.bytes_used == case["bytes_used"]


@cases("v15_sorted_packs.json")
def test_draws_from_a_sorted_pack_are_the_published_ones(case):
    rng = opened(case)

    pack = rng.create_shoe_excluding(case["without"], case["decks"], shuffled=False)
    drawn = [rng.draw_card(pack) for _ in case["draws"]]

    assert drawn == case["draws"]
    assert rng.bytes_used == case["bytes_used"]  # building the pack used none
    assert len(pack) == 52 * case["decks"] - len(case["without"]) - len(drawn)


@cases("v11_bulk_digests.json", "v15_bulk_digests.json")
def test_many_packs_or_hands_from_sorted_packs_have_the_published_digest(case):
    seed = bytes.fromhex(case["seed"])
    digest = sha256()

    for session in range(case["session_count"]):
        rng = GameRng.new(seed, session, case["move_number"])
        if "build" in case:
            cards = getattr(rng, case["build"])(*case["args"])
        else:
            pack = rng.create_shoe(case["decks"], shuffled=False)
            cards = [rng.draw_card(pack) for _ in range(case["draw_count"])]
        digest.update(bytes(cards))

    assert digest.hexdigest() == case["sha256"]
