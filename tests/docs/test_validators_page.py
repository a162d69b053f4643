"""The page of validators: its constants, codes, queries and formulas are those of the source."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.chain import limits, queries
from croupier.chain.abci.protobuf import ITEMS_MAX
from croupier.chain.abci.server import FRAME_BYTES_MAX
from croupier.chain.block import CODES
from croupier.chain.node.cometbft import VERSION

PAGE = (Path(__file__).parents[2] / "docs" / "validators.md").read_text()


def test_the_page_has_every_constant_with_its_value() -> None:
    told = {name: int(value) for name, value in re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|$", PAGE, re.MULTILINE)}
    known = {name: value for name, value in vars(limits).items() if name.isupper()}

    assert told == {**known, "FRAME_BYTES_MAX": FRAME_BYTES_MAX, "ITEMS_MAX": ITEMS_MAX}


def test_the_page_has_every_code() -> None:
    told = {name: int(code) for code, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", PAGE, re.MULTILINE)}

    assert told == CODES


def test_the_page_has_every_query() -> None:
    told = set(re.findall(r"^\| `(/[^`]+)` \|", PAGE, re.MULTILINE))

    assert told == set(re.findall(r"^ *(/\S+)", str(queries.__doc__), re.MULTILINE))


def test_the_page_names_the_pinned_cometbft() -> None:
    assert f"`cometbft` {VERSION}" in PAGE
