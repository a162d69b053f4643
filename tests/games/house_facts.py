"""Types of the facts that `test_house_facts` asks of every game against the house; `facts.py` of each game has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from croupier.engine import Action, Match
from croupier.house import ContinueWithUpdate, ErrorKind, GameError, GameType, process_game_move
from croupier.house.money import Cover
from croupier.testing import HouseKit, batch, dealing


class Round(NamedTuple):
    """The arguments of `plan`."""

    bets: Mapping[str, int]
    policy: str = ""
    options: Any = None
    super_mode: bool = False


class Evening(NamedTuple):
    """Sessions that are played through the house: how many, the actions of each, and the endings that they show."""

    session_count: int
    actions: Callable[[int], Sequence[Action]]
    stake: int = 0
    options: Sequence[Any] = (None,)
    endings: frozenset[str] = frozenset()


class Results(NamedTuple):
    """Moves as actions or bytes in hexadecimal, each with its stream or none, and what each did to the money."""

    moves: Sequence[tuple[Any, Any]]
    expected: Sequence[Any]
    stake: int | None = None
    options: Any = None


def updates(*payouts: int) -> list[Any]:
    """Return the results of moves that go on with these payouts."""
    return [ContinueWithUpdate(payout) for payout in payouts]


def at_once(bets: Mapping[str, int], stream: Any, expected: Any) -> Results:
    """Return the one result of a batch that is decided by a stream."""
    return Results([(batch(bets), stream)], [expected])


def by_cards(*moves: tuple[str, str], expected: Sequence[Any], stake: int | None = None, decks: int = 1) -> Results:
    """Return the results of moves as bytes, each with the cards that it draws from those that are left, or none."""
    found, known = [], ""
    for payload, cards in moves:
        found.append((payload, dealing(cards, known, decks=decks) if cards else None))
        known = f"{known} {cards}"
    return Results(found, expected, stake)


class Refused(NamedTuple):
    """An action that a match refuses with a code, under a cover or none."""

    match: Callable[[], Match[Any]]
    action: Action
    code: str
    cover: Cover | None = None


def refused(rows: Mapping[str, Sequence[tuple[Callable[[], Match[Any]], Action]]]) -> list[Refused]:
    """Return the rows of actions that matches refuse, by the code of the refusal."""
    return [Refused(match, action, code) for code, found in rows.items() for match, action in found]


Opening = tuple[int, bool, Cover | None, str]
"""Stake, super mode, cover and code of a session that is not opened."""


def not_opened(stake: int, funds: int, most: int, super_most: int | None) -> list[Opening]:
    """Return openings that are refused, one chip short of what covers a stake; the fee is a fifth of it.

    `funds` is what an opening takes, `most` what it can return, and `super_most` in super mode, where that is told.
    """
    rows: list[Opening] = [
        (0, False, None, "stake_too_small"),
        (12, True, None, "super_stake"),
        (stake, False, Cover(funds=funds - 1), "insufficient_funds"),
        (stake, True, Cover(funds=funds + stake // 5 - 1), "insufficient_funds"),
        (4, False, Cover(stake_min=5), "under_limit"),
        (501, False, Cover(stake_max=500), "over_limit"),
        (stake, False, Cover(exposure_max=most - 1), "exposure_limit"),
    ]
    if super_most is not None:
        rows.append((stake, True, Cover(exposure_max=super_most - 1), "exposure_limit"))
    return rows


@dataclass(frozen=True, kw_only=True)
class GameFacts:
    """One game: what it is, its options, its bytes, the stakes it is not opened with, and its kernel."""

    kit: HouseKit
    game_type: GameType
    stake_max: int
    opcodes: str
    """The actions in the order of their opcodes; a dash stands for an opcode that is not used."""
    options: Sequence[Any]
    """Every set of options that there is, or as many as matter."""
    bad_options: Sequence[Any]
    law_seeds: int
    """How many random matches under each set of options the conformance kit plays."""
    payloads: Mapping[str, Action]
    """Bytes in hexadecimal, and the action that they are."""
    not_payloads: Sequence[str]
    """Bytes that are no action, besides those that are too short, too long or of another version."""
    not_moves: Sequence[str] = ()
    """Bytes of an action that cannot be taken at the start."""
    opening_refusals: Sequence[Opening] = ()

    rounds: Sequence[Round]
    """Rounds that kernel and engine play so many times each."""
    round_count: int = 2000
    shows: Callable[[Round, Sequence[Any]], None] | None = None
    """Asserts that the final states of those rounds show every way they can go."""
    largest: Sequence[Round] = ()
    """The largest stakes that a kernel takes, plain; they are played in super mode too."""
    largest_count: int = 200
    main_bet: str = ""
    """A bet that super mode boosts; nothing, no chips or too many of them, bad options and policies have no plan."""
    kernel_stake_max: int = 0
    no_plans: Sequence[Round | Mapping[str, int]]
    """Other rounds that have no plan, or their bets alone."""
    first_moves: Sequence[tuple[Round, int]] = ()
    """Rounds and their first move, which in super mode is the stream of what is lit, unless that is shown last."""
    marked: Sequence[int] = ()
    """The cards, ranks or suits that session 1 marks, of 32 zero bytes (V13)."""
    opening: Sequence[tuple[str, int]] = ()
    """The bets that lie after an opening with the stake of the kit."""
    most_returned: int = 0
    """The most that an opening of that stake can return in a plain session."""
    just_covered: Cover | None = None
    """The least that an opening of that stake needs in super mode; the fee is a fifth of the stake."""

    def __post_init__(self) -> None:
        """Tell which openings are refused: those that what just covers one does not cover."""
        if self.opening and self.just_covered:
            funds = sum(stake for _, stake in self.opening)
            rows = not_opened(self.kit.stake, funds, self.most_returned, self.just_covered.exposure_max)
            object.__setattr__(self, "opening_refusals", [*self.opening_refusals, *rows])

    @property
    def game(self) -> Any:
        """The game itself."""
        return self.kit.game


@dataclass(frozen=True, kw_only=True)
class Facts(GameFacts):
    """One game with its money, its refusals and its odds besides."""

    odds_rows: Sequence[str]
    """Bet and policy of every row; a policy that is not named is none."""
    super_rows: Sequence[str]

    results: Sequence[Results]
    evening: Evening
    refusals: Sequence[Refused]


@dataclass(frozen=True, kw_only=True)
class TableFacts(Facts):
    """A game in which several bets are laid and one draw decides them all."""

    find: str
    """The fields of the state that are empty until something is drawn."""
    three: tuple[str, str, str]
    """Three bets that can be laid."""
    most_bets: Sequence[str]
    """As many bets as can be down at once."""
    one_more: str = ""
    """Another bet, where there is one."""
    unknown: Sequence[str]
    """Names of no bet."""
    covered: tuple[Mapping[str, int], int]
    """Ten chips on each of two bets, and the most that they return together."""
    usual: Sequence[str]
    draw: Callable[[], Any]
    """Makes a stream that decides some of the usual bets."""
    boosted: str
    not_boosted: Sequence[str]
    logs: Sequence[tuple[Mapping[str, int], Callable[[], Any], str]] = ()
    """Bets of a batch, what makes the stream that decides them, and the log line."""


@dataclass(frozen=True, kw_only=True)
class CardFacts(Facts):
    """A game that is opened with a stake and has side bets and decisions; matches are made when a test needs them."""

    sides: Mapping[str, str]
    """Side bets of any size, by the action that lays them."""
    one_chip: Sequence[str] = ()
    """Side bets of one chip, by an action of the same name."""
    choices: Sequence[tuple[Callable[[], Match[Any]], str]]
    """Matches, and what is legal: actions with their values behind colons."""
    ranges: Mapping[str, tuple[int, int]]
    """The least and the most of every stake before the deal, by action and field."""
    away: Sequence[tuple[Callable[[], Match[Any]], set[str]]]
    """Matches that are left alone, and their possible endings."""
    bots: Sequence[tuple[Callable[[], Match[Any]], Mapping[str, str]]]
    """Matches, and the action of every bot there."""
    endings: Sequence[tuple[Callable[[], Match[Any]], str, Mapping[str, int]]]
    """Matches that are over, how they ended, and what every bet brought back, in the order of their lines."""
    told: Sequence[tuple[Callable[[], Match[Any]], Action, Any, str]]
    """Matches, an action and its stream, and the log line."""
    plan_bets: Mapping[str, int]
    """Every bet of a plan, in the order of the plan."""
    facts_of: Callable[[Any], list[int]]
    """Returns what a plan tells of a state, but for the ending that comes last."""
    outcomes: str
    """The endings by their numbers."""


def kind_of_error(facts: GameFacts, payload: str) -> ErrorKind:
    """Return the kind of error that bytes in hexadecimal are in a session that was just opened."""
    with pytest.raises(GameError) as no:
        process_game_move(facts.kit.opened(), bytes.fromhex(payload))
    return no.value.kind


def folders(module: str) -> list[str]:
    """Return the folders of the games that have a module of this name."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob(f"*/{module}.py"))


def all_facts() -> list[GameFacts]:
    """Return the facts of every game that has them."""
    return [import_module(f"tests.games.{folder}.facts").FACTS for folder in folders("facts")]


def per_game(kind: type[GameFacts] = GameFacts, having: str = "game") -> Any:
    """Return the mark that runs a test with the facts of every game of a kind that say something of this name."""
    chosen = [facts for facts in all_facts() if isinstance(facts, kind) and getattr(facts, having)]
    found = [pytest.param(facts, id=facts.game.id) for facts in chosen]
    return pytest.mark.parametrize("facts", found)


def per_case(field: str) -> Any:
    """Return the mark that runs a test with every row that the facts of a game have in a field."""
    rows = [
        pytest.param(facts, case, id=f"{facts.game.id}-{number}")
        for facts in all_facts()
        for number, case in enumerate(getattr(facts, field, ()))
    ]
    return pytest.mark.parametrize(("facts", "case"), rows)
