"""`help()` of every package that users import: annotations can be read, so pydoc can print them."""

from __future__ import annotations

import pydoc
from importlib import import_module
from pathlib import Path

import pytest

SURFACE = Path(__file__).parents[1] / "vectors" / "surface.txt"
DOORS = [line.split()[-1] for line in SURFACE.read_text().splitlines() if line.startswith("#  ")]


@pytest.mark.parametrize("door", DOORS)
def test_help_can_be_printed(door):
    assert pydoc.render_doc(import_module(door))
