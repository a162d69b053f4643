"""Simulation: the generator and the rules as machine code, with the results of the reference bit for bit.

`compiled` takes a plain function of the numeric subset and everything it calls. Where the reference passes a `GameRng`,
compiled code takes a row of bytes (`streams`, `open_rows`, `row_from_state`). `play_sessions` runs a step of the rules
over many sessions at once; a kernel with a loop of its own calls `hash_rows` with what `prepare_seed` returned.

The first call of a compiled function takes a second or two; its machine code is then kept for later processes.
"""

from croupier.sim.batches import play_sessions
from croupier.sim.compiling import compiled
from croupier.sim.errors import BadHashPath, NotNumeric
from croupier.sim.stream import hash_path

__all__ = [
    "BadHashPath",
    "NotNumeric",
    "compiled",
    "hash_path",
    "play_sessions",
]
