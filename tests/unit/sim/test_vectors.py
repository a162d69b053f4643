"""The published vectors of `tests/vectors/rng` again, through compiled draws and both ways to hash."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier import draws
from croupier.sim import compiled
from croupier.sim.stream import streams

VECTORS = Path(__file__).parents[2] / "vectors" / "rng"


def read(file: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / file).read_text())["cases"]
    return found


def cases(*files: str) -> pytest.MarkDecorator:
    """Run a test once for every case of these vector files."""
    found = [
        pytest.param(case, id=f"{Path(file).stem}-{number}") for file in files for number, case in enumerate(read(file))
    ]
    return pytest.mark.parametrize("case", found)


def opened(compiled_rng: Any, case: dict[str, Any]) -> Any:
    """Return the stream that a case begins with."""
    if "draw" in case and "block" in case:
        return compiled_rng.from_state(bytes.fromhex(case["block"]))
    return compiled_rng.new(bytes.fromhex(case["seed"]), int(case["session_id"]), case["move_number"])


def unshuffled(build: str, *args: Any) -> list[int]:
    """Return the list that a builder shuffles."""
    if build == "create_deck":
        return list(range(52))
    if build == "create_shoe":
        return [card for _ in range(max(args[0], 1)) for card in range(52)]
    if build == "create_deck_excluding":
        return [card for card in range(52) if card not in args[0]]
    gone = args[0] if build == "create_shoe_excluding_counts" else [args[0].count(card) for card in range(52)]
    return [card for card in range(52) for _ in range(args[1] - gone[card])]


def h16(cards: list[int]) -> str:
    return sha256(bytes(cards)).hexdigest()[:16]


def test_every_vector_file_is_played_here():
    """A new file must not be forgotten; limits.json is about single tries and read by test_draws."""
    assert {path.name for path in VECTORS.iterdir()} == {
        "limits.json",
        "v01_initial_blocks.json",
        "v02_block_crossing.json",
        "v03_words.json",
        "v04_f32.json",
        "v05_bounded.json",
        "v06_rejection_edges.json",
        "v07_deck.json",
        "v08_shoe.json",
        "v09_exclusions.json",
        "v10_small_shuffle.json",
        "v11_bulk_digests.json",
        "v15_bulk_digests.json",
        "v15_sorted_packs.json",
    }


@cases("v01_initial_blocks.json")
def test_a_stream_begins_with_the_published_block(compiled_rng, case):
    rng = opened(compiled_rng, case)

    assert (rng.block.hex(), rng.index) == (case["block"], 0)
    assert rng.fill_bytes(32).hex() == case["block"]


@cases("v02_block_crossing.json")
def test_the_bytes_around_the_end_of_a_block_are_the_published_ones(compiled_rng, case):
    rng = opened(compiled_rng, case)
    rng.fill_bytes(case["first"])

    assert rng.fill_bytes(len(case["bytes"]) // 2).hex() == case["bytes"]
    assert rng.bytes_used == case["first"] + len(case["bytes"]) // 2


@cases("v03_words.json")
def test_words_are_the_published_ones(compiled_rng, case):
    rng = opened(compiled_rng, case)

    for call in case["calls"]:
        for value in call["values"]:
            drawn = getattr(rng, call["draw"])(*call["args"])
            if isinstance(drawn, bytes):
                drawn = drawn.hex()
            assert drawn == (int(value) if call["draw"] == "next_u64" else value)


@cases("v04_f32.json")
def test_the_numerators_of_f32_are_the_published_ones(compiled_rng, case):
    rng = opened(compiled_rng, case)

    drawn = [rng.next_f32() for _ in case["values"]]

    assert drawn == case["values"]
    assert [value * 2**24 for value in drawn] == case["numerators"]
    assert rng.bytes_used == 3 * len(drawn)


@cases("v05_bounded.json", "v06_rejection_edges.json")
def test_bounded_draws_and_the_bytes_they_use_are_the_published_ones(compiled_rng, case):
    rng = opened(compiled_rng, case)
    draw = getattr(rng, case["draw"])

    assert [draw(*case["args"]) for _ in case["values"]] == case["values"]
    assert rng.bytes_used == case["bytes_used"]


@cases("v07_deck.json", "v08_shoe.json", "v09_exclusions.json")
def test_packs_and_the_cards_drawn_from_them_are_the_published_ones(compiled_rng, case):
    rng = opened(compiled_rng, case)
    pack = unshuffled(case["build"], *case["args"])

    rng.shuffle(pack)

    assert len(pack) == case["cards"]
    assert h16(pack) == case["h16"]
    assert rng.bytes_used == case["bytes_used"]

    assert [rng.draw_card(pack) for _ in case["draws"]] == case["draws"]
    if "bytes_used_after_draws" in case:
        assert rng.bytes_used == case["bytes_used_after_draws"]
        assert h16(pack) == case["h16_after_draws"]


@cases("v10_small_shuffle.json")
def test_a_small_shuffle_is_the_published_one(compiled_rng, case):
    rng = opened(compiled_rng, case)
    places = list(range(len(case["items"])))

    rng.shuffle(places)

    assert [case["items"][place] for place in places] == case["shuffled"]
    assert rng.bytes_used == case["bytes_used"]


@cases("v11_bulk_digests.json")
def test_many_packs_in_a_row_have_the_published_digest(path, case):
    count = case["session_count"]
    rows = streams(bytes.fromhex(case["seed"]), range(count), [case["move_number"]] * count, path)
    fresh = np.array(unshuffled(case["build"], *case["args"]))
    digest = sha256()

    for row in rows:
        pack = fresh.copy()
        compiled(draws.shuffle)(row, pack, len(pack))
        digest.update(bytes(pack.tolist()))

    assert digest.hexdigest() == case["sha256"]


@cases("v15_sorted_packs.json")
def test_draws_from_a_sorted_pack_are_the_published_ones(compiled_rng, case):
    rng = opened(compiled_rng, case)
    pack = unshuffled("create_shoe_excluding", case["without"], case["decks"])

    assert [rng.draw_card(pack) for _ in case["draws"]] == case["draws"]
    assert rng.bytes_used == case["bytes_used"]


def deal(rows, fresh, pack, hands):
    """Draw a hand from a pack of its own in every stream."""
    for i in range(len(rows)):
        for j in range(len(fresh)):
            pack[j] = fresh[j]
        for j in range(hands.shape[1]):
            hands[i, j] = draws.draw_card(rows[i], pack, len(pack) - j)


@cases("v15_bulk_digests.json")
def test_many_hands_from_sorted_packs_have_the_published_digest(path, case):
    count = case["session_count"]
    rows = streams(bytes.fromhex(case["seed"]), range(count), [case["move_number"]] * count, path)
    fresh = np.repeat(np.arange(52), case["decks"])
    hands = np.empty((count, case["draw_count"]), np.int64)

    compiled(deal)(rows, fresh, np.empty_like(fresh), hands)

    assert sha256(hands.astype(np.uint8).tobytes()).hexdigest() == case["sha256"]
