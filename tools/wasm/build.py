"""Build the modules that the page is served: `python -m tools.wasm.build`.

`shut-the-box.wasm` holds the rules of Shut the Box, compiled from `croupier.games.shut_the_box.rules`, and the streams
that its dice are drawn from. Nothing but croupier and Python is needed, and the bytes are the same everywhere.
"""

from __future__ import annotations

import gzip
from pathlib import Path

from croupier.games.shut_the_box import rules
from tools.wasm.compiler import Compiler
from tools.wasm.streams import open_stream

OUT = Path(__file__).parents[2] / "src/croupier/web/static/offline/shut-the-box.wasm"
RULES = (
    rules.full_board, rules.tile_up, rules.board_score, rules.dice_min, rules.roll, rules.can_make, rules.set_at,
)  # fmt: skip


def shut_the_box() -> bytes:
    """Return the module of Shut the Box."""
    compiler = Compiler()
    for function in (open_stream, *RULES):
        compiler.export(function)
    return compiler.module.write()


if __name__ == "__main__":
    code = shut_the_box()
    OUT.write_bytes(code)
    print(f"{OUT}: {len(code)} bytes, {len(gzip.compress(code, 9, mtime=0))} packed")
