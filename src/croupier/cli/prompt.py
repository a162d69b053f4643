"""Asking people: one line at a time, from a terminal or from a script."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from rich.console import Console

from croupier.cli.show import say

__all__ = ["Ask", "asker", "numbered"]

Ask = Callable[[str], str]
"""A prompt goes in, the line that was typed comes out, without spaces at its ends; `EOFError` where there is none."""


def numbered(line: str, count: int) -> int | None:
    """Return the index of the choice a line names by its number; None where it is no number from 1 to `count`."""
    is_short_number = line.isascii() and line.isdigit() and len(line) < 10
    return int(line) - 1 if is_short_number and 1 <= int(line) <= count else None


def asker(console: Console) -> Ask:
    """Return what asks people: with editing and history at a terminal, with an echo where a script answers."""
    if not sys.stdin.isatty():

        def hear(prompt: str) -> str:
            console.print(prompt, end="", soft_wrap=True)
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            say(console, line.strip())
            return line.strip()

        return hear

    with suppress(ImportError):
        import readline  # noqa: F401 - its presence gives `input` editing and history

    def ask(prompt: str) -> str:
        console.file.flush()
        return input(prompt).strip()

    return ask
