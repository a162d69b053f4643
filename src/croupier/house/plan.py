"""`Plan`: the bets and policy of one simulated round, for kernel and engine alike; players' own strategies, checked.

A kernel is one function in the numeric subset:

    step(stream, move, row, kinds, numbers, stakes, options, work, spare) -> next move

It gets the stream of a move, does what that move does, and returns the number of the next move whose stream it needs,
or `DONE`, which is 0. The row of whole numbers is the session, laid out as `croupier.rounds` says.

A game without money has its score for what was returned, and nothing staked: line 0 tells whether it was won (0 or 1),
line 1 how many actions it took.

A row starts as zeros. `work` and `spare` are scratch arrays of `work_size`: they begin as zeros, and a step finds what
the last step of whatever session left there. What a round comes to must not depend on it.

A player's own strategy is a table as data, from a file or from Python, checked before a round is played with it. A game
whose strategy is data names the shape of it, a struct, as `Strategy`; what a table says beyond its shape is checked by
the struct itself, in `__post_init__`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from croupier.engine import Bot
from croupier.engine.plain import misread
from croupier.errors import BadOptions, CroupierError
from croupier.house.money import CHIPS_MAX, Terms
from croupier.house.table_round import TableSteps
from croupier.rounds import ROW_SIZE, SUPER_FEE_DIVISOR

T = TypeVar("T", bound=Struct)


def no_kernel(*arguments: Any) -> int:
    """Stand where a plan has no kernel: rounds are then played by the engine."""
    raise BadOptions("there is no kernel for this round: the engine plays it")


def check_stake(bet: str, stake: int, stake_max: int = CHIPS_MAX, is_boosted: bool = False) -> None:
    """Raise `BadOptions` for a stake that a plan cannot have. One that pays the super fee divides by its divisor."""
    if type(stake) is not int or not 1 <= stake <= stake_max:
        raise BadOptions(f"stake {stake!r} on {bet}: the simulator takes whole numbers from 1 to {stake_max}")
    if is_boosted and stake % SUPER_FEE_DIVISOR:
        raise BadOptions(f"stake {stake} on {bet}: in super mode it is a multiple of {SUPER_FEE_DIVISOR}")


class Plan(Struct, frozen=True):
    """One kind of round: the same bets, options and policy every time, another session id."""

    step: Callable[..., int]
    """The kernel, a plain function; `sim` compiles it. `no_kernel` where there is none."""
    first_move: int
    """The move whose stream is drawn from first."""
    bets: tuple[str, ...]
    """The names of the lines."""
    kinds: tuple[int, ...]
    numbers: tuple[int, ...]
    stakes: tuple[int, ...]
    options: tuple[int, ...]
    work_size: int
    terms: Terms
    """The terms of the engine's session."""
    policy: Bot
    """The bot that plays for the engine, until the session is over."""
    facts: Callable[[Any], tuple[int, ...]]
    """The facts of a finished state, as the kernel writes them into its row."""
    opening_stake: int | None = None
    """The stake that the edge is a share of, where that is not all laid before the first draw: the Ante alone."""
    late: int = 0
    """The bets that are laid in the middle of a round, or not at all, as a mask."""
    row_size: int = ROW_SIZE
    """How many numbers a row has; more than usual where a kernel has more to remember."""
    steps: TableSteps | None = None
    """The steps that the kernel is made of, where a simulator may remember what they said of the bets."""

    @property
    def has_kernel(self) -> bool:
        """Whether rounds can be simulated without the engine."""
        return self.step is not no_kernel

    def bet_of(self, line: str) -> str:
        """Return the bet that a line of the accounts is about: a late one may have got a number, `come:6`."""
        base = line.partition(":")[0]
        is_late = base in self.bets and self.late >> self.bets.index(base) & 1 == 1
        return base if is_late else line

    @property
    def opening(self) -> int:
        """The chips at the start of a round that its edge is a share of."""
        return sum(self.stakes) if self.opening_stake is None else self.opening_stake


class BadStrategy(CroupierError, ValueError):
    """A strategy that the game does not take. The sentence says where it is wrong, as in `$.hard[3]`."""

    code = "bad_strategy"


def read_strategy(data: Any, shape: type[T]) -> T:
    """Return a strategy from JSON as text or bytes, from plain data, or as it is if it has the shape already."""
    if isinstance(data, shape):
        return data
    try:
        if isinstance(data, (str, bytes)):
            return msgspec.json.decode(data, type=shape)
        if isinstance(data, Mapping):
            return msgspec.convert(data, shape)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise BadStrategy(f"this is not a strategy: {_told(error, data, shape)}") from None
    raise BadStrategy(f"a strategy is JSON or a mapping, got {type(data).__name__}")


def _told(error: Exception, data: Any, shape: type[Struct]) -> str:
    """Return what is wrong and where. Of a mapping msgspec does not name the key: each is tried alone."""
    text, path = misread(error)
    field = path[2:].removesuffix("[...]")
    data = data if isinstance(data, Mapping) or not path.endswith("[...]") else msgspec.json.decode(data)
    if path == f"$.{field}[...]" and isinstance(data.get(field), Mapping):
        for key, value in data[field].items():
            try:
                msgspec.convert({**data, field: {key: value}}, shape, str_keys=True)
            except msgspec.ValidationError as again:
                if str(again) == str(error):
                    return f"{text} at $.{field}.{key}"
    return text if path == "$" else f"{text} at {path}"


def strategy_name(strategy: Struct) -> str:
    """Return what results call the policy of a strategy: the first digits of a hash over its content.

    >>> class Threshold(Struct):
    ...     stand_on: int
    >>> strategy_name(Threshold(15))
    'table-111a1dac'
    """
    content = msgspec.json.encode(msgspec.to_builtins(strategy), order="sorted")
    return f"table-{sha256(content).hexdigest()[:8]}"
