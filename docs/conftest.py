"""Lets the examples on the pages import the files they show, by the names the reader gives them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "examples"))

# Run by tests/docs/test_pages.py, as a reader runs them: in an environment of their own.
collect_ignore = ["operate.md", "scale.md", "shared-dice.md", "simulation.md", "testing.md"]
