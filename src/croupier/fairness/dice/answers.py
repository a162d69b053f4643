"""Answers of the state machine of shared dice to an event: a `Step` to the next table, or `Dropped` with a code."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, NoReturn

from msgspec import Struct

if TYPE_CHECKING:
    from croupier.fairness.dice.messages import Void
    from croupier.fairness.dice.table import DiceTable

MALFORMED = frozenset(
    {
        "unreadable",
        "unknown_key",
        "wrong_round",
        "wrong_context",
        "stale_nonce",
        "stale_seq",
        "bad_signature",
        "wrong_secret",
    }
)
"""Codes of messages that no honest party sends; hosts count these messages by sender."""


class Drop(Exception):
    """Carries a no from a rule of the protocol to `step`, which alone catches it; raise it with `refuse`."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


def refuse(code: str, sentence: str) -> NoReturn:
    """Say no: the event is dropped and the table stays as it is."""
    raise Drop(code, sentence)


class Movement(Struct, frozen=True, forbid_unknown_fields=True):
    """Chips that go from one account to another: `bond:KEY`, `stake:KEY`, `player:KEY`, `table` or `unclaimed`."""

    source: str
    target: str
    chips: int
    reason: str


class Rolled(Struct, frozen=True):
    """A round that came to its end: the seed for one move of the match.

    At a table with hidden cards `seed` is empty until the bank opens its chain; the host knows it before.
    """

    round: int
    move_number: int
    seed: bytes
    faces: tuple[int, ...]
    transcript: str


class Step(Struct, frozen=True):
    """The machine's yes: the table after the event, and what came with it."""

    ok: ClassVar[Literal[True]] = True
    table: DiceTable
    movements: tuple[Movement, ...] = ()
    rolled: tuple[Rolled, ...] = ()
    voided: Void | None = None
    sat_out: tuple[str, ...] = ()
    failure: str = ""
    """The row of `FAILURES` that this event is evidence for, where it is."""


class Dropped(Struct, frozen=True):
    """The machine's no: a stable code, a sentence, and the very table that was given."""

    ok: ClassVar[Literal[False]] = False
    code: str
    error: str
    table: DiceTable
