"""Slices of a row of numbers that write through to it, for kernels that keep several things in one row."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

Row = MutableSequence[int]
"""Whole numbers that a step writes."""
Ints = Sequence[int]
"""Whole numbers that a step reads."""


def tail(row: MutableSequence[int], first: int) -> MutableSequence[int]:
    """Return the numbers of a row from `first` on: what is written there is written into the row.

    Compiled code takes a slice, which costs nothing; a slice of a list would be a copy.

    >>> row = [1, 2, 3, 4]
    >>> tail(row, 2)[0] += 10
    >>> row, list(tail(row, 1))
    ([1, 2, 13, 4], [2, 13, 4])
    """
    return _Tail(row, first)


class _Tail(MutableSequence[int]):
    def __init__(self, row: MutableSequence[int], first: int) -> None:
        self._row = row
        self._first = first

    def __getitem__(self, index: int) -> int:  # type: ignore[override]
        return self._row[self._place(index)]

    def __setitem__(self, index: int, value: int) -> None:  # type: ignore[override]
        self._row[self._place(index)] = value

    def __len__(self) -> int:
        return len(self._row) - self._first

    def _place(self, index: int) -> int:
        if not 0 <= index < len(self):
            raise IndexError(f"index {index}: there are {len(self)} numbers")
        return self._first + index

    def __delitem__(self, index: object) -> None:
        raise TypeError("a row keeps its length")

    def insert(self, index: int, value: int) -> None:
        raise TypeError("a row keeps its length")
