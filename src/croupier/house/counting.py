"""Exact odds by counting: every way a round can fall, played by the engine along a policy, with its chance.

States that come up again are counted once. Where play can come back to where it was, as the dice do before a point is
made, the chances are the solution of linear equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from croupier.engine import Match, canonical, create_match, view_for
from croupier.engine.chance import ScriptedRng, every_draw
from croupier.engine.transition import apply_action
from croupier.errors import CroupierError, DrawError
from croupier.house.odds import OddsRow, per_chip, row_from_returns
from croupier.house.plan import Plan
from croupier.kit.chains import Step, absorbed

if TYPE_CHECKING:
    from croupier.house.game import HouseGame

__all__ = ["COUNTED_STAKE", "Ending", "TooManyOutcomes", "count_round", "counted_prices", "counted_row", "counted_rows"]

OUTCOMES_MAX = 100_000
COUNTED_STAKE = 2_520
"""What is laid on a bet to count it: it divides by 1 to 10, so that few prices have to be rounded."""
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
    """Return every ending of a round with its exact chance. More than `limit` ways is a `TooManyOutcomes`."""
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
    sums: dict[tuple[int, int], Fraction] = {}
    for ending, chance in count_round(game, plan, options, limit=limit).items():
        key = sum(stake for _, stake, _ in ending), sum(returned for _, _, returned in ending)
        sums[key] = sums.get(key, Fraction(0)) + chance
    return row_of_sums(name or next(iter(bets)), policy or "-", plan.opening, sums)


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
            sums: dict[tuple[int, int], Fraction] = {}
            for ending, chance in endings.items():
                lines = ending if len(bets) == 1 else tuple(line for line in ending if line[0] == bet)
                key = sum(line[1] for line in lines), sum(line[2] for line in lines)
                sums[key] = sums.get(key, Fraction(0)) + chance
            yield bet, stake, sums


def row_of_sums(bet: str, policy: str, opening: int, sums: Mapping[tuple[int, int], Fraction]) -> OddsRow:
    """Return a row from what was staked and came back in all, with the chances.

    Later stakes count as a part of what the first chip brought: a raise that is won brings its profit, one that is lost
    costs itself.
    """
    returns: dict[Fraction | int, Fraction] = {}
    for (staked, returned), chance in sums.items():
        worth = 1 + Fraction(returned - staked, opening)
        returns[worth] = returns.get(worth, Fraction(0)) + chance
    row = row_from_returns(bet, returns, policy)
    staked_mean = sum((staked * chance for (staked, _), chance in sums.items()), Fraction(0))
    return OddsRow(
        bet, policy, row.win, row.push, row.lose, row.edge, row.edge * opening / staked_mean, variance=row.variance
    )


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
            )
        )
        for match in self.waiting:  # grows while it is walked
            view = view_for(self.game, match, PLAYER)
            action = self.plan.policy(view, (), ScriptedRng(()))
            self.following.append(self._merged(lambda rng, match=match, action=action: self._after(match, action, rng)))
        return start

    def _after(self, match: Match[Any], action: Any, rng: Any) -> Match[Any]:
        answer = apply_action(self.game, match, action, rng=rng)
        if not answer.ok:
            raise DrawError(f"the policy chose {action.type}, which is refused: {answer.error}")
        return answer.state

    def _merged(self, draw: Any) -> dict[int | Ending, Fraction]:
        found: dict[int | Ending, Fraction] = {}
        for chance, match in self._ways(draw):
            place = self._place(match)
            found[place] = found.get(place, Fraction(0)) + chance
        return found

    def _ways(self, draw: Any) -> Iterator[tuple[Fraction, Match[Any]]]:
        try:
            for chance, _, match in every_draw(draw, limit=max(self.left, 1)):
                self.left -= 1
                yield chance, match
        except DrawError as error:
            if "outcomes" not in str(error):
                raise
            raise TooManyOutcomes(
                f"a round of {self.game.name} can fall in more than {self.limit} ways: simulate it instead"
            ) from None

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
