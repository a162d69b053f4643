"""Lets the examples on the pages import the files they show, by the names the reader gives them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "examples"))
