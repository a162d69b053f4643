"""Solvers behind the shipped tables of games: whole counts in the numeric subset, which the simulator compiles."""

import lzma


def pack_xz(data: bytes) -> bytes:
    """Return small numbers compressed as `.xz`: bytes without high bits to go by, and without a place in a word."""
    best = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0}
    return lzma.compress(data, check=lzma.CHECK_CRC32, filters=[best])
