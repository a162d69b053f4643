"""Rounds of a simulation one by one: `find_rounds` looks for some, `play_again` records one, `rounds_of` lists all.

What is sought is one comparison, such as `net > 500x`, where `x` is the opening stake:

    net, staked, returned, fees, bonus   >  >=  <  <=  ==  !=   a number of chips, or of opening stakes with an x

or, in a game without chips, `score > 30`, `win[1] == 1` or `actions >= 100`; in brackets is the bot's place, 0 for the
first.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.bots.play import by_player
from croupier.engine import MatchRecord, make_record
from croupier.errors import BadOptions
from croupier.rounds import FEES, LINES, NOT_LAID, RETURNED, STAKED
from croupier.sim.engine_rounds import play_account, play_client
from croupier.sim.jobs import Job
from croupier.sim.simulate import CHUNK, bonuses, play_rounds

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
MONEY_FIELDS, MATCH_FIELDS = ("net", "staked", "returned", "fees", "bonus"), ("score", "win", "actions")
FORM = re.compile(
    r"\s*(?:(net|staked|returned|fees|bonus|actions)|(score|win)(?:\[(\d{1,3})\])?)"
    r"\s*(>=|<=|==|!=|>|<)\s*(-?\d{1,15}(?:\.\d{1,6})?)\s*(x?)\s*"
)


class Condition(Struct, frozen=True):
    """A comparison of one of a round's accounts with a number of chips or of opening stakes, or of a match's facts."""

    field: str
    comparison: str
    number: Fraction
    in_stakes: bool
    seat: int = 0

    @property
    def is_of_match(self) -> bool:
        """Whether the condition is about a match without chips."""
        return self.field in MATCH_FIELDS

    def holds(self, found: Any, opening: int = 0) -> Any:
        """Tell whether the condition holds for what its field is: of one round, or of an array of them."""
        bound = self.number * opening if self.in_stakes else self.number
        kind = object if bound.denominator > 1 else None  # the numbers of an array wrap silently, Python's do not
        return COMPARISONS[self.comparison](np.multiply(found, bound.denominator, dtype=kind), bound.numerator)


class Found(Struct, frozen=True):
    """One round: its session, and what it came to."""

    session_id: int
    staked: int
    returned: int
    fees: int
    bonus: int = 0
    """Chips that modifiers added."""

    @property
    def net(self) -> int:
        """Net result of the player, modifiers applied and fees paid."""
        return self.returned + self.bonus - self.staked - self.fees


class FoundMatch(Struct, frozen=True):
    """One match without chips: its session, who won (0 or 1), the scores, and how many actions it took."""

    session_id: int
    won: tuple[int, ...]
    scores: tuple[int | str | None, ...]
    actions: int


def read_condition(text: str) -> Condition:
    """Return the condition that a text says, or refuse it.

    >>> read_condition("net > 500x").number, read_condition("net > 500x").in_stakes
    (Fraction(500, 1), True)
    """
    found = FORM.fullmatch(text)
    if found is None:
        examples = "'net > 500x', 'returned == 0' or 'staked >= 40'; without chips 'score[1] > 30' or 'win == 1'"
        raise BadOptions(f"{text!r} is no condition: write one like {examples}")
    account, fact, seat, comparison, number, in_stakes = found.groups()
    if in_stakes and (fact or account == "actions"):
        raise BadOptions(f"{text!r} is no condition: an x is an opening stake, and here are no chips")
    return Condition(account or fact, comparison, Fraction(number), bool(in_stakes), int(seat or 0))


def find_rounds(
    job: Job, condition: Condition, *, first_session: int = 0, rounds: int = 1_000_000
) -> Iterator[Found | FoundMatch]:
    """Yield the rounds for which the condition holds, in order."""
    if job.is_house == condition.is_of_match:
        fields = MONEY_FIELDS if job.is_house else MATCH_FIELDS
        raise BadOptions(f"a round of {job.game.name} has {', '.join(fields)}, but no {condition.field}")
    if not job.is_house:
        yield from _find_matches(job, condition, first_session, rounds)
        return
    plan = job.plan()
    if plan is None or job.kernel_plan() is None:
        for session_id in range(first_session, first_session + rounds):
            account = play_account(job, plan, session_id)
            found = Found(session_id, account.staked, account.returned, account.fees, account.bonus)
            if condition.holds(getattr(found, condition.field), account.opening):
                yield found
        return
    for start in range(first_session, first_session + rounds, CHUNK):
        rows = play_rounds(plan, job.seed, start, min(CHUNK, first_session + rounds - start))
        columns: list[Any] = [rows[:, STAKED], rows[:, RETURNED], rows[:, FEES], bonuses(rows, job.shield, job.double)]
        every = getattr(Found(start, *columns), condition.field)
        for place in np.flatnonzero(condition.holds(every, plan.opening)).tolist():
            yield Found(start + place, *(int(column[place]) for column in columns))


def _find_matches(job: Job, condition: Condition, first: int, rounds: int) -> Iterator[FoundMatch]:
    # A kernel's row does not tell all that is asked for here, and whoever looks for a match looks at a few.
    if condition.seat >= len(job.bots):
        raise BadOptions(f"there are {len(job.bots)} seats, counted from 0, so none is {condition.seat}")
    seated = tuple(by_player(job.game, job.bots))
    for session_id in range(first, first + rounds):
        match = play_client(job, session_id).get_state()
        result = match.result
        assert result is not None
        won = tuple(int(player_id in result.winners) for player_id in seated)
        scores = tuple(result.scores.get(player_id) for player_id in seated)
        fact = {"score": scores[condition.seat], "win": won[condition.seat], "actions": match.version}[condition.field]
        if fact is not None and condition.holds(Fraction(fact)):
            yield FoundMatch(session_id, won, scores, match.version)


def play_again(job: Job, session_id: int) -> MatchRecord:
    """Return the record of a simulated round, played by the engine by the same policy or bots."""
    client = play_client(job, session_id)
    return make_record(job.game, client.base, client.get_log())


# All of them, as a table.


class RoundTable(Struct, frozen=True, eq=False):
    """Rounds of one job, a column for each of their accounts and for what each bet returned."""

    game_id: str
    columns: dict[str, NDArray[np.int64 | np.uint64]]
    """By name: session_id, staked, returned, fees, bonus, net, and the bets, where -1 means that it was not laid."""

    def __len__(self) -> int:
        return len(self.columns["session_id"])

    def __str__(self) -> str:
        return f"{self.game_id}: {len(self):,} rounds of {', '.join(self.columns)}"

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame`. Needs pandas."""
        import pandas  # type: ignore[import-untyped]

        return pandas.DataFrame(self.columns)

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table`. Needs pyarrow."""
        import pyarrow  # type: ignore[import-untyped]

        return pyarrow.table(self.columns)

    def to_parquet(self, file: Any) -> None:
        """Write a Parquet file. Needs pyarrow."""
        from pyarrow import parquet

        parquet.write_table(self.to_arrow(), file)


def rounds_of(job: Job, *, first_session: int = 0, rounds: int = 1000) -> RoundTable:
    """Return rounds of a job against the house, from session `first_session` on: those that `simulate` adds up."""
    plan = job.plan() if job.is_house else None
    if plan is None:
        raise BadOptions(f"{job.game.name}: rounds are listed where bets are laid by a plan, against the house")
    sessions = range(first_session, first_session + rounds)
    if job.kernel_plan() is not None:
        rows = play_rounds(plan, job.seed, first_session, rounds)
        staked, returned, fees = rows[:, STAKED], rows[:, RETURNED], rows[:, FEES]
        bonus = bonuses(rows, job.shield, job.double)
        bets = {bet: rows[:, LINES + place] for place, bet in enumerate(plan.bets)}
    else:
        played = [play_account(job, plan, session_id) for session_id in sessions]
        staked, returned, fees, bonus = (
            np.array([getattr(each, name) for each in played], np.int64)
            for name in ("staked", "returned", "fees", "bonus")
        )
        bets = {
            bet: np.array([each.lines[bet].returned if bet in each.lines else NOT_LAID for each in played], np.int64)
            for bet in plan.bets
        }
    accounts = {"staked": staked, "returned": returned, "fees": fees, "bonus": bonus}
    columns = {**accounts, "net": returned + bonus - staked - fees, **bets}
    return RoundTable(job.game.id, {"session_id": np.array(sessions, np.uint64), **columns})
