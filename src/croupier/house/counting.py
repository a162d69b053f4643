"""Exact odds by counting: every way a round can fall, played by the engine along a policy, with its chance.

States that come up again are counted once. Where play can come back to where it was, as the dice do before a point is
made, the chances are the solution of linear equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.engine import Match, canonical, create_match, view_for
from croupier.engine.chance import ScriptedRng, every_draw
from croupier.engine.transition import apply_action
from croupier.errors import CroupierError, DrawError
from croupier.house.odds import OddsRow, per_chip, row_from_returns
from croupier.house.plan import Plan

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
    endings: dict[Ending, Fraction] = {}
    visits = [Fraction(0)] * len(following)

    def arrive(places: Mapping[int | Ending, Fraction], weight: Fraction, inside: frozenset[int]) -> None:
        for place, chance in places.items():
            if isinstance(place, tuple):
                endings[place] = endings.get(place, Fraction(0)) + weight * chance
            elif place not in inside:
                visits[place] += weight * chance

    arrive(start, Fraction(1), frozenset())
    for group in _groups(following):
        inside = frozenset(group)
        if len(group) > 1 or group[0] in following[group[0]]:
            _solve(group, following, visits)
        for place in group:
            arrive(following[place], visits[place], inside)
    return endings


def _solve(group: Sequence[int], following: Sequence[Mapping[int | Ending, Fraction]], visits: list[Fraction]) -> None:
    """Put into `visits` how often each position of a loop is visited, where it has how often one is entered.

    visits[i] = entered[i] + the sum of visits[j] * chance(j to i): elimination in fractions.
    """
    place_of = {place: index for index, place in enumerate(group)}
    rows = [[Fraction(int(i == j)) for j in range(len(group))] + [visits[place]] for i, place in enumerate(group)]
    for j, place in enumerate(group):
        for target, chance in following[place].items():
            if isinstance(target, int) and target in place_of:
                rows[place_of[target]][j] -= chance
    for pivot in range(len(rows)):
        other = next((index for index in range(pivot, len(rows)) if rows[index][pivot]), None)
        if other is None:
            raise TooManyOutcomes("the policy never ends the round: play comes back to where it was for ever")
        rows[pivot], rows[other] = rows[other], rows[pivot]
        scale = rows[pivot][pivot]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for index, row in enumerate(rows):
            if index != pivot and row[pivot]:
                rows[index] = [value - row[pivot] * above for value, above in zip(row, rows[pivot], strict=True)]
    for row, place in zip(rows, group, strict=True):
        visits[place] = row[-1]


def _groups(following: Sequence[Mapping[int | Ending, Fraction]]) -> list[list[int]]:
    """Return the positions in the order of play; those that lead to one another stand together (Tarjan)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    groups: list[list[int]] = []
    for root in range(len(following)):
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter([place for place in following[root] if isinstance(place, int)]))]
        while work:
            place, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[place])
                if low[place] == order[place]:
                    group: list[int] = []
                    while not group or group[-1] != place:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    groups.append(group)
            elif target not in order:
                order[target] = low[target] = len(order)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter([next_ for next_ in following[target] if isinstance(next_, int)])))
            elif target in on_stack:
                low[place] = min(low[place], order[target])
    return groups[::-1]
