"""A process of the command at a real terminal, for tests: what it shows, what is typed, its size, its end."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")
PATIENCE = 120  # seconds until a test gives up on a process; none waits that long unless something is broken


def _hear_ctrl_c() -> None:
    """Undo what a shell does to whatever it runs in the background, tests among it: they and theirs ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A process at a terminal of 80 by 24."""

    def __init__(self, environment: dict[str, str], *arguments: str) -> None:
        self.side, other = pty.openpty()
        self.resize(80)
        command = [sys.executable, "-m", "croupier", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            env=environment,
            start_new_session=True,
            preexec_fn=_hear_ctrl_c,
        )
        os.close(other)
        self.shown = self.everything = b""

    def resize(self, columns: int) -> None:
        """Make the window wider or narrower."""
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def until(self, text: str) -> str:
        """Wait for a text to be shown; return all that was shown since the last wait, colours left out."""
        return self._wait(lambda plain: text in plain, repr(text))

    def prompt(self) -> str:
        """Wait until a prompt is the last that is shown; return the same."""
        return self._wait(lambda plain: plain.endswith("> "), "a prompt")

    def _wait(self, is_there: Callable[[str], bool], what: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while not is_there(plain := ESCAPES.sub(b"", self.shown).replace(b"\r", b"").decode(errors="replace")):
            ready, _, _ = select.select([self.side], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"{what} was not shown, but {plain!r}"
            self.shown += self.read()
        self.everything += self.shown
        self.shown = b""
        return plain

    def read(self) -> bytes:
        try:
            return os.read(self.side, 4096)
        except OSError:  # the other side is gone
            pytest.fail(f"the process ended; it had shown {self.shown!r}")

    def type(self, text: str) -> None:
        os.write(self.side, text.encode())

    def leave(self, *, interrupt: bool = False) -> int:
        """Read to the end and return the exit code; with `interrupt`, press Ctrl-C, and again if it waits in silence.

        Once is not always enough: a signal that comes between the prompt and the wait for a key ends no wait. Where
        others have the processor it may be silent for long and not wait: pressed again, it would be cut short.
        """
        deadline = time.monotonic() + PATIENCE
        is_silent, is_pressed = True, False
        while time.monotonic() < deadline:
            if interrupt and is_silent and self.process.poll() is None and (not is_pressed or self._is_asleep()):
                self.process.send_signal(signal.SIGINT)
                is_pressed = True
            is_silent = not select.select([self.side], [], [], 10)[0]
            if is_silent:
                continue
            try:
                more = os.read(self.side, 4096)
            except OSError:  # how a terminal says that the other side is gone
                break
            self.shown += more
        os.close(self.side)
        return self.process.wait(PATIENCE)

    def processor_seconds(self) -> float:
        """Return what the process has had of the processor so far."""
        user, system = self._stat()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _is_asleep(self) -> bool:
        return self._stat()[0] == "S"

    def _stat(self) -> list[str]:
        return Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
