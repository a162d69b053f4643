"""The published vectors of `tests/vectors/rng` again, through compiled draws and every way to hash."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from croupier import draws
from croupier.sim import compiled
from croupier.sim.stream import streams
from tests.unit import test_rng_vectors as reference
from tests.unit.test_rng_vectors import cases

# Every test of the reference is run here once more, with compiled streams in its place; those below of the same name
# replace it and hash all their streams at once.
globals().update({name: test for name, test in vars(reference).items() if name.startswith("test_")})


@pytest.fixture(autouse=True)
def compiled_streams(compiled_rng, monkeypatch):
    monkeypatch.setattr(reference, "GameRng", compiled_rng)


@cases("v11_bulk_digests.json")
def test_many_packs_in_a_row_have_the_published_digest(path, case):
    count = case["session_count"]
    rows = streams(bytes.fromhex(case["seed"]), range(count), [case["move_number"]] * count, path)
    fresh = np.array(list(range(52)) * (case["args"] or [1])[0])
    digest = sha256()

    for row in rows:
        pack = fresh.copy()
        compiled(draws.shuffle)(row, pack, len(pack))
        digest.update(bytes(pack.tolist()))

    assert digest.hexdigest() == case["sha256"]


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
