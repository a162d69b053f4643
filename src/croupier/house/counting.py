"""Exact odds by counting: every way a round can fall, played by the engine along a policy, with its chance.

States that come up again are counted once. Where play can come back to where it was, as the dice do before a point is
made, the chances are the solution of linear equations.

At the end stands the expected result of bets that were made, and its variance: luck is measured by them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import erf, lcm, sqrt
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import Match, canonical, create_match, get_game, view_for
from croupier.engine.chance import ScriptedRng, every_draw
from croupier.engine.transition import apply_action
from croupier.errors import BadOptions, CroupierError, DrawError
from croupier.house.odds import OddsRow, add, per_chip, row_from_returns
from croupier.house.plan import Plan
from croupier.kit.chains import Step, absorbed

if TYPE_CHECKING:
    from croupier.house.game import HouseGame

OUTCOMES_MAX = 100_000
"""A round is counted where its draws, in all positions together, can fall in so many ways at most: `count_round`."""
COUNTED_STAKE = 2_520
"""The stake with which a bet is counted: it divides by 1 to 10, so that few prices have to be rounded."""
SEED = bytes(32)  # never drawn from: every draw is chosen
PLAYER = "player"

Ending = tuple[tuple[str, int, int], ...]
"""The lines of the accounts at the end of a round: bet, stake, and what came back for it."""


class TooManyOutcomes(CroupierError):
    """A round that can fall in more ways than can be counted here; simulate it."""

    code = "too_many_outcomes"


def count_round(
    game: HouseGame[Any], plan: Plan, options: Any = None, *, limit: int = OUTCOMES_MAX
) -> dict[Ending, Fraction]:
    """Return every ending of a round with its exact chance. More than `limit` ways is a `TooManyOutcomes`.

    Ways are the outcomes of every draw in every position that differs in what matters of it. Nothing is estimated: a
    round is given up when more are known to be there, and counted otherwise, on any machine.
    """
    graph = _Graph(game, plan, limit)
    start = graph.explore(options)
    return _absorbed(start, graph.following)


def counted_row(
    game: HouseGame[Any],
    bets: Mapping[str, int],
    policy: str = "",
    options: Any = None,
    *,
    name: str | None = None,
    limit: int = OUTCOMES_MAX,
) -> OddsRow:
    """Return the odds of a round with these bets under a policy, counted; its figures are per chip laid at the start.

    The row is called after its first bet unless it has a `name`.
    """
    plan = game.plan(bets, policy, options)
    sums = sums_of(count_round(game, plan, options, limit=limit))
    return row_of_sums(name or next(iter(bets)), policy or "-", plan.opening, sums)


def sums_of(endings: Mapping[Ending, Fraction], bet: str | None = None) -> dict[tuple[int, int], Fraction]:
    """Return the chances of what was staked and came back in all, of every line or of those of a bet."""
    sums: dict[tuple[int, int], Fraction] = {}
    for ending, chance in endings.items():
        lines = [line for line in ending if bet is None or line[0] == bet]
        add(sums, (sum(line[1] for line in lines), sum(line[2] for line in lines)), chance)
    return sums


def counted_rows(game: HouseGame[Any], options: Any, limit: int = OUTCOMES_MAX) -> tuple[OddsRow, ...]:
    """Return the odds of every bet that a game lists (`bet_lists`), counted under its usual policy."""
    return tuple(
        row_of_sums(bet, game.usual_policy or "-", stake, sums)
        for bet, stake, sums in _counted_bets(game, options, limit)
    )


def counted_prices(game: HouseGame[Any], options: Any, limit: int = OUTCOMES_MAX) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet that a game lists can return, the least first; see `HouseGame.prices`."""
    return {
        bet: per_chip(stake, (returned for _, returned in sums))
        for bet, stake, sums in _counted_bets(game, options, limit)
    }


def _counted_bets(
    game: HouseGame[Any], options: Any, limit: int
) -> Iterator[tuple[str, int, dict[tuple[int, int], Fraction]]]:
    """Yield each bet, what was laid on it, and what it staked and brought in all with the chances."""
    for bets in game.bet_lists(options):
        plan = game.plan(bets, game.usual_policy, options)
        endings = count_round(game, plan, options, limit=limit)
        for bet, stake in bets.items():
            yield bet, stake, sums_of(endings, None if len(bets) == 1 else bet)


def row_of_sums(bet: str, policy: str, opening: int, sums: Mapping[tuple[int, int], Fraction]) -> OddsRow:
    """Return a row from what was staked and came back in all, with the chances.

    Later stakes count as a part of what the first chip brought: a raise that is won brings its profit, one that is lost
    costs itself.
    """
    returns: dict[Fraction | int, Fraction] = {}
    for (staked, returned), chance in sums.items():
        add(returns, 1 + Fraction(returned - staked, opening), chance)
    row = row_from_returns(bet, returns, policy)
    staked_mean = sum((staked * chance for (staked, _), chance in sums.items()), Fraction(0))
    return replace(row, edge_per_chip=row.edge * opening / staked_mean)


class _Graph:
    """The positions of a round and what follows each of them: others, or endings, with their chances."""

    def __init__(self, game: HouseGame[Any], plan: Plan, limit: int) -> None:
        self.game = game
        self.plan = plan
        self.left = limit
        self.limit = limit
        self.numbers: dict[bytes, int] = {}
        self.waiting: list[Match[Any]] = []
        self.following: list[dict[int | Ending, Fraction]] = []

    def explore(self, options: Any) -> dict[int | Ending, Fraction]:
        """Fill the graph, and return what set-up leads to."""
        start = self._merged(
            lambda rng: create_match(
                self.game, [PLAYER], seed=SEED, session_id=0, options=options, host=self.plan.terms, rng=rng
            ),
            None,
            options,
        )
        for match in self.waiting:  # grows while it is walked
            view = view_for(self.game, match, PLAYER)
            action = self.plan.policy(view, (), ScriptedRng(()))
            draw = partial(self._after, match, action)
            self.following.append(self._merged(draw, match.game, options))
        return start

    def _after(self, match: Match[Any], action: Any, rng: Any) -> Match[Any]:
        answer = apply_action(self.game, match, action, rng=rng)
        if not answer.ok:
            raise BadOptions(f"the policy chose {action.type}, which is refused: {answer.error}")
        return answer.state

    def _merged(self, draw: Any, state: Any, options: Any) -> dict[int | Ending, Fraction]:
        found: dict[int | Ending, Fraction] = {}
        for chance, match in self._ways(draw, self.game.counted_pack(state, self.game.read_options(options))):
            add(found, self._place(match), chance)
        return found

    def _ways(self, draw: Any, pack: Sequence[Hashable]) -> Iterator[tuple[Fraction, Match[Any]]]:
        too_many = f"a round of {self.game.name} can fall in more than {self.limit} ways: simulate it instead"
        others = len(self.waiting) - len(self.following) - 1  # positions to come, each with an outcome at least
        try:
            for chance, _, match in every_draw(draw, limit=self.left - max(others, 0), pack=pack):
                self.left -= 1
                yield chance, match
        except DrawError as error:
            if "outcomes" not in str(error):
                raise
            raise TooManyOutcomes(too_many) from None

    def _place(self, match: Match[Any]) -> int | Ending:
        money = match.game.money
        lines = tuple(sorted((self.plan.bet_of(line.bet), line.stake, line.returned) for line in money.lines))
        if match.status == "finished":
            return lines
        open_bets = [(stake.bet, stake.stake) for stake in money.open]
        key = canonical([self.game.position(match.game), match.turn.phase, lines, open_bets])
        if key not in self.numbers:
            self.numbers[key] = len(self.waiting)
            self.waiting.append(match)
        return self.numbers[key]


def _absorbed(
    start: Mapping[int | Ending, Fraction], following: Sequence[Mapping[int | Ending, Fraction]]
) -> dict[Ending, Fraction]:
    """Return the chance of every ending, from where play begins and what follows each position."""
    steps: dict[int, Step[int, Ending]] = {}
    for place, found in enumerate((start, *following), -1):
        whole = lcm(*(chance.denominator for chance in found.values()))
        ways = {after: int(chance * whole) for after, chance in found.items()}
        onward = {after: count for after, count in ways.items() if isinstance(after, int)}
        steps[place] = whole, onward, {after: count for after, count in ways.items() if isinstance(after, tuple)}
    try:
        return absorbed(steps, -1)
    except (StopIteration, ZeroDivisionError):
        raise TooManyOutcomes("the policy never ends the round: play comes back to where it was for ever") from None


# The expected result of bets that were made.

COUNTED_MAX = 3_000
"""In how many ways a round with several bets may fall to be counted."""


class Expected(Struct, frozen=True):
    """The mean of a player's result in chips, and its variance: None where the odds sheet does not tell it."""

    mean: Fraction
    variance: Fraction | None
    is_exact: bool = True
    """Whether the variance is exact; otherwise it is no larger than this."""

    def __add__(self, other: Expected) -> Expected:
        known = self.variance is not None and other.variance is not None
        variance = (self.variance or Fraction(0)) + (other.variance or Fraction(0)) if known else None
        return Expected(self.mean + other.mean, variance, self.is_exact and other.is_exact)


def expected_result(
    game: HouseGame[Any], bets: Mapping[str, int], options: Any = None, *, is_super: bool = False
) -> Expected:
    """Return what bets bring on average, and how far single rounds are from that; `bets` are stakes before the draw.

    The mean is exact for the way a game is usually played, its `usual_policy`. So is the variance of one bet, and of
    several where every way a round can fall is counted; otherwise it is bounded from above, and the result says so.

    A bet that has no row of its own, such as a raise, is a part of the bet it was raised from.

    >>> expected_result(get_game("roulette"), {"red": 37})
    Expected(mean=Fraction(-1, 1), variance=Fraction(1368, 1), is_exact=True)
    >>> expected_result(get_game("roulette"), {"red": 37, "black": 37}).variance  # only zero makes a difference
    Fraction(144, 1)
    """
    rows = _usual_rows(game.id, canonical(options), is_super)
    laid = [(rows[bet], stake) for bet, stake in bets.items() if bet in rows and stake]
    mean = sum((-row.edge * stake for row, stake in laid), Fraction(0))
    is_counted = all(row.variance is not None for row, _ in laid)
    spreads = [row.variance if row.variance is not None else row.variance_max for row, _ in laid]
    known = [spread * stake * stake for spread, (_, stake) in zip(spreads, laid, strict=True) if spread is not None]
    if len(known) < len(laid):
        return Expected(mean, None, is_exact=False)
    apart = sum(known, Fraction(0))
    if len(laid) < 2:
        return Expected(mean, apart, is_counted)
    if is_counted and not is_super:
        try:
            together = {row.bet: stake for row, stake in laid}
            whole = counted_row(game, together, options=options, limit=COUNTED_MAX)
        except (BadOptions, TooManyOutcomes):  # bets that no plan has, such as odds, are bounded like the others
            pass
        else:
            opening = sum(stake for _, stake in laid)
            assert whole.variance is not None
            return Expected(mean, whole.variance * opening * opening)
    return Expected(mean, apart * len(laid), is_exact=False)  # by Cauchy and Schwarz, however they hang together


def luck_percentile(result: int, expected: Expected) -> float | None:
    """Return of how many in a hundred players with the same bets the result is better, about: by a normal curve.

    >>> luck_percentile(0, Expected(Fraction(0), Fraction(100))), luck_percentile(5, Expected(Fraction(5), Fraction(0)))
    (50.0, None)
    """
    if not expected.variance:
        return None
    return 50 * (1 + erf(float(result - expected.mean) / sqrt(2 * expected.variance)))


@lru_cache(maxsize=128)
def _usual_rows(game_id: str, options: bytes, is_super: bool) -> dict[str, OddsRow]:
    """Return the row of each bet as it is usually played; in super mode a bet that may be lit has its row there."""
    game: HouseGame[Any] = get_game(game_id)  # type: ignore[assignment]
    read = game.read_options(msgspec.json.decode(options))
    sheets = [game.odds(read), *([game.super_odds(read)] if is_super else [])]
    return {bet: row for sheet in sheets for bet, row in _usual(sheet, game.usual_policy).items()}


def _usual(rows: Iterable[OddsRow], policy: str) -> dict[str, OddsRow]:
    """Return one row a bet: of this policy, or of the bet alone, or of the best where it has neither."""
    ranked = sorted(rows, key=lambda row: (row.policy == policy, row.policy == "-", -row.edge))
    return {row.bet: row for row in ranked if not row.refused}
