"""Two books of shared dice, Python's machine and the page's: one verdict and one reason, event by event."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cryptography")

from croupier.fairness.dice.messages import write_message
from tests.web.dice.tables import Case, Listening, ask_page, judge, make_cases, played_tables
from tests.web.page_modules import needs_node

EVERY = 40  # cases whose signatures the page's own Ed25519 checks: it takes four milliseconds for one

REFUSALS = {
    "again", "bad_signature", "bank_not_last", "bank_sealed", "bond_too_small", "close_differs", "commit_missing",
    "no_bank", "no_proof", "not_due", "not_opened", "roll_differs", "round_on", "round_void", "rounds_used_up",
    "seat_closed", "seats_used_up", "stale_nonce", "stale_seq", "table_closed", "taken_out", "too_early", "too_few",
    "too_few_seats", "too_late", "too_many_chips", "too_many_messages", "unknown_key", "unreadable", "void_unfounded",
    "wrong_book", "wrong_context", "wrong_roster", "wrong_round", "wrong_secret", "wrong_stakes", "wrong_transcript",
}  # fmt: skip
CLOSINGS = {"bank_misfit", "bank_missing", "ended", "three_voids", "two_closes", "two_commits", "two_locks"}

pytestmark = needs_node


def verdicts(count: int, seed: int, folder: Path) -> tuple[list[Case], list[list[str]], dict[str, Any]]:
    """Cases, what the machine says to them, and what the page says."""
    tables = played_tables()
    verifier = Listening()
    for played in tables:
        for place in range(len(played.events)):
            whole = Case(0, place, [write_message(played.events[place]).decode()])
            assert judge(played, whole, verifier)[0] == ""
    cases = list(make_cases(tables, count, seed))
    expected = [judge(tables[case.table], case, verifier) for case in cases]
    return cases, expected, ask_page(tables, cases, verifier.held, EVERY, folder)


def check(count: int, seed: int, folder: Path) -> tuple[Counter[str], set[str]]:
    cases, expected, found = verdicts(count, seed, folder)

    different = [
        (case.texts, here, there)
        for case, here, there in zip(cases, expected, found["verdicts"], strict=True)
        if here != there
    ]
    assert different[:1] == []
    assert found["signed"] == expected[::EVERY]
    return Counter(code for one in expected for code in one[:-2]), {one[-2] for one in expected}


def test_two_thousand_books_that_go_wrong_get_the_same_answers_from_both(tmp_path):
    """Every refusal there is comes up, and so does every way in which a table closes."""
    codes, closings = check(2_000, 1, tmp_path)

    assert codes[""] > 1_000
    assert set(codes) == REFUSALS | {""}
    assert closings == CLOSINGS | {""}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_hundred_thousand_more_books_get_the_same_answers_from_both(tmp_path, seed):
    check(20_000, seed, tmp_path)
