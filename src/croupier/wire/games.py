"""Types of answers about games: their actions, rules, tables and odds, and the coach's advice."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.engine import Action


class PayTable(Struct, frozen=True):
    """A table of the rules that says what pays what, under its heading."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class GameSummary(Struct, frozen=True):
    """A game, as a list shows it."""

    id: str
    name: str
    description: str
    category: str
    players: tuple[int, int]
    """Fewest and most players."""
    rules_version: int
    is_house: bool
    """Whether it is played against the house, in sessions; others are played in rooms."""
    bots: tuple[str, ...]
    objectives: tuple[str, ...]
    """Aims that the coach knows; empty where there is no coach."""


class ActionView(Struct, frozen=True):
    """One kind of action: when, by whom, and what its payload holds, as a JSON Schema."""

    phases: tuple[str, ...]
    """Empty means any."""
    by: str
    is_secret: bool
    opcode: int | None
    doc: str
    payload: dict[str, Any]


class GameView(Struct, frozen=True):
    """Everything a client needs to know of a game to play it."""

    summary: GameSummary
    options: dict[str, Any]
    """The JSON Schema of its options."""
    actions: dict[str, ActionView]
    opens_with_stake: bool | None
    """Whether a session is opened with a stake; None for a game that is not the house's."""
    pay_tables: tuple[PayTable, ...]


class RulesView(Struct, frozen=True):
    """The rules for people, in Markdown."""

    game: str
    rules_version: int
    rules: str


class TableView(Struct, frozen=True):
    """A table of the house: what is played there, and for how much."""

    id: int
    game: str
    options: Any
    stake_min: int
    stake_max: int
    exposure_max: int
    super_allowed: bool
    abandoned_ms: int


class OddsView(Struct, frozen=True):
    """Odds of every bet at a table: chances and edges exact, as p/q."""

    game: str
    options: dict[str, Any]
    is_super: bool
    bets: tuple[dict[str, Any], ...]


class ResultsRow(Struct, frozen=True):
    """Results of somebody's rounds of a game, beside what their bets bring on average; the game is "" for all."""

    game: str
    rounds: int
    staked: int
    result: int
    """Chips won, or lost, with fees and without modifiers."""
    expected: float
    deviation: float | None
    """One standard deviation of the result, in chips; None where it is not known of a bet."""
    is_exact: bool
    """Whether the deviation is exact; otherwise it is no larger."""
    luck: float | None
    """Of how many in a hundred players with the same bets this result is better."""


class AdviceRow(Struct, frozen=True):
    """Advice on one legal action; `cost` is what it gives away against the best."""

    action: Action
    value: str
    value_decimal: float | None
    cost: str | None
    text: str


class AdviceView(Struct, frozen=True):
    """Advice of the coach, best first."""

    game: str
    objective: str
    player_id: str
    version: int
    advice: tuple[AdviceRow, ...]


class PreviewView(Struct, frozen=True):
    """Preview of an action, as far as the player can know: the game's part of their view, and words."""

    version: int
    action: Action
    game: Any
    reasons: tuple[str, ...]
