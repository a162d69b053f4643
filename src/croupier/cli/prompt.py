"""Prompts: one line at a time from a person at a terminal, or from a script."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress

from rich.console import Console

from croupier.cli.show import say

LEAVING = ("q", "quit", "exit")
"""Words that people type to leave, in lower case."""

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


def offer(words: Iterable[str]) -> None:
    """Have the Tab key complete these words at the next prompts; nothing where lines are not edited."""
    readline = sys.modules.get("readline")
    if readline is None:
        return
    known = sorted(set(words))

    def complete(begun: str, number: int) -> str | None:
        found = [word for word in known if word.startswith(begun.lower())]
        return f"{found[number]} " if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")  # a bet such as straight:17 is one word
    readline.parse_and_bind("tab: complete")
