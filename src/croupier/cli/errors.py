"""Errors of the command: one line on standard error, a stable code, and an exit code.

    0    done, or yes
    1    a negative answer: the record differs, the game broke, there is no advice to give
    2    the question could not be put: a usage mistake, a file that cannot be read or is not what it should be
    130  interrupted with Ctrl-C
    141  whoever read the output has gone

Nothing here ends in a traceback: what is nobody's plan is told as `internal_error`, and `CROUPIER_TRACEBACK=1` in the
environment shows where it came from.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import traceback

import msgspec

from croupier.errors import CroupierError

TEXT_MAX = 600  # characters of a line that quotes what came from outside


class Usage(CroupierError, ValueError):
    """The command was called in a way that makes no sense; the sentence says what would."""

    code = "usage"


class NoAdvice(CroupierError, LookupError):
    """There is nothing to advise: the game has no coach, or the match is over."""

    code = "no_advice"


INTERRUPTED, UNREAD = 130, 141
NEGATIVE = {"record_mismatch", "chain_mismatch", "game_fault", "no_advice", "no_end", "transaction_refused"}
"""The codes of errors that are answers."""


def exit_code_of(error: BaseException) -> int:
    """Return the exit code of an error: 1 where it is an answer, 2 where the question could not be put."""
    return 1 if isinstance(error, CroupierError) and error.code in NEGATIVE else 2


def clean(text: str) -> str:
    r"""Return text with everything invisible spelled out: a file must not be able to steer the terminal.

    >>> clean("red\x1b[31m")
    'red\\x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def one_line(text: str) -> str:
    """Return text as one printable line, cut where it goes on and on."""
    line = clean(" ".join(text.split()))
    return line if len(line) <= TEXT_MAX else f"{line[:TEXT_MAX]}…"


def missing_extra(what: str, extra: str, error: ImportError) -> Usage:
    """Return an error that says what to install: the packages of an extra, which every index has."""
    names = shlex.join(sorted(_packages(extra)))
    return Usage(f"{what} needs more packages ({error.name} is missing): pip install {names}")


def _packages(extra: str) -> set[str]:
    """Return the packages of an extra with their bounds, and those of the extra of ours that it names."""
    from importlib.metadata import requires

    texts = [text for text in requires("croupier") or () if f'extra == "{extra}"' in text.replace("'", '"')]
    found = {text.partition(";")[0].replace(" ", "") for text in texts}
    return found - {"croupier[fair]"} | _packages("fair") if "croupier[fair]" in found else found


def report(error: Exception, *, as_json: bool) -> int:
    """Say on standard error what went wrong, and return the exit code."""
    sentence, code = _words(error)
    if code == "internal_error" and os.environ.get("CROUPIER_TRACEBACK"):
        traceback.print_exception(error)
    if as_json:
        print(msgspec.json.encode({"error": one_line(sentence), "code": code}).decode(), file=sys.stderr)
    else:
        print(f"error: {one_line(sentence)} [{code}]", file=sys.stderr)
    return exit_code_of(error)


def _words(error: Exception) -> tuple[str, str]:
    """Return the sentence and the code of an error."""
    if isinstance(error, CroupierError):
        if error.code == "problem":  # a refusal of the server's operations
            from croupier.server.problems import Problem

            assert isinstance(error, Problem)
            return error.detail, error.reason
        return str(error), error.code
    if isinstance(error, OSError):
        reason = error.strerror or str(error) or type(error).__name__
        return f"{error.filename}: {reason}" if error.filename is not None else reason, "file_error"
    if hasattr(error, "format_message"):  # the command line's own: a missing argument, an unknown option
        return str(error.format_message()), Usage.code
    if isinstance(error, ModuleNotFoundError) and error.name:
        name = error.name.partition(".")[0].replace("_", "-")
        for extra in ("chain", "server", "sim"):  # those that are asked for deep inside a command
            if name in {re.split(r"[\[<>=!~(]", package)[0] for package in _packages(extra)}:
                return _words(missing_extra("this", extra, error))
    sentence = f"croupier broke: {type(error).__name__}: {error}; CROUPIER_TRACEBACK=1 shows where"
    return sentence, "internal_error"
