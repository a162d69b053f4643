"""Verdicts for `Game.validate`: True, or a reason with a stable code beside it.

def validate(self, state, action, turn):
    return Rules.all(
        Rules.require_phase(turn, "play"),
        Rules.require(state.open, "The table is closed.", code="closed"),
    )
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from croupier.engine.model import Action
from croupier.engine.plain import UNREADABLE, misfit, shown
from croupier.engine.turn import Turn


class Verdict(str):
    """A no: the reason, which the player reads, and the code a front end translates by. It counts as false."""

    __slots__ = ("code",)
    code: str

    def __new__(cls, reason: str, code: str = "illegal") -> Verdict:
        """Return a reason with its code."""
        verdict = super().__new__(cls, reason)
        verdict.code = code
        return verdict

    def __bool__(self) -> bool:
        return False


class Rules:
    """Checks that return a verdict; combine them with `Rules.all`."""

    @staticmethod
    def all(*verdicts: Literal[True] | Verdict | str) -> Literal[True] | Verdict | str:
        """Return the first verdict that is not True; True if there is none."""
        for verdict in verdicts:
            if verdict is not True:
                return verdict
        return True

    @staticmethod
    def require(condition: object, reason: str, *, code: str = "illegal") -> Literal[True] | Verdict:
        """Return True if the condition holds, else the reason."""
        return True if condition else Verdict(reason, code)

    check = require

    @staticmethod
    def require_current_player(turn: Turn) -> Literal[True] | Verdict:
        """Return True if it is the actor's own turn."""
        return Rules.require(
            turn.actor == turn.current, f"it is {turn.current}'s turn, not {turn.actor}'s", code="not_your_turn"
        )

    @staticmethod
    def require_phase(turn: Turn, phase: str) -> Literal[True] | Verdict:
        """Return True if the match is in that phase."""
        return Rules.require(
            turn.phase == phase, f"that belongs to phase {phase}; this is phase {turn.phase}", code="wrong_phase"
        )

    @staticmethod
    def require_actor_in(turn: Turn, players: Iterable[str]) -> Literal[True] | Verdict:
        """Return True if the actor is one of `players`."""
        return Rules.require(turn.actor in tuple(players), f"that is not for {turn.actor} to do", code="not_your_turn")

    @staticmethod
    def require_payload(action: Action, schema: Any) -> Literal[True] | Verdict:
        """Return True if the payload fits a type that msgspec understands, such as a struct."""
        try:
            msgspec.convert(action.payload, schema)
        except UNREADABLE as error:
            return Verdict(f"{action.type}: {misfit(error, action.payload)}", "bad_payload")
        return True

    @staticmethod
    def require_int_between(value: object, low: int, high: int, what: str = "the number") -> Literal[True] | Verdict:
        """Return True for a whole number from low to high; True and False are not numbers here."""
        fits = type(value) is int and low <= value <= high
        return Rules.require(fits, f"{what} must be from {low} to {high}, got {shown(value)}", code="out_of_range")
