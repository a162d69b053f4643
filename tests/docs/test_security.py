"""SECURITY.md: every threat has its attacker, what stops them, and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.conftest import table_rows, words

ROOT = Path(__file__).parents[2]
ROWS = table_rows("SECURITY.md", "attacker", "what they can do", "what stops them", "test", ticks=True)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]}"[:60])
def test_every_threat_has_tests_that_exist(row: list[str]) -> None:
    assert len(row) == 4
    assert all(row)
    named = words(row[3])
    assert ", ".join(f"`{name}`" for name in named) == row[3], "tests alone stand in the last column"
    for name in named:
        path, _, function = name.partition("::")
        found = re.findall(r"^(?:async )?def (test_\w+)\(", (ROOT / path).read_text(), flags=re.MULTILINE)
        assert found, f"{path} has no test"
        assert not function or function in found, f"{path} has no {function}"
