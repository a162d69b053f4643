"""Bots that look ahead: `greedy` one action, `expectimax` as many as you say.

Both search matches imagined from the view: what is hidden is dealt anew, and chance is listed with exact
probabilities where there is little of it, else sampled. Every player is taken to do what is best for themselves,
knowing all there is in the imagined match. That is exact in games without secrets; with secrets or simultaneous
choices it lets opponents see too much, and `monte_carlo` may play better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct

from croupier.bots.turn_order import last_asked, next_to_act, viewer_of
from croupier.bots.values import Number, Value, usual_value, valuing_bot
from croupier.engine import Action, Bot, Game, Match, MatchView, apply_action, canonical, chance_outcomes
from croupier.engine.views import imagine
from croupier.errors import DrawError, GameFault
from croupier.fairness import derive
from croupier.rng import GameRng

DEPTH = 2
CERTAIN = Fraction(1)

Values: TypeAlias = tuple[Number, ...]  # by seat


class Budget(Struct, frozen=True):
    """Budget of a search. The same view, stream and budget give the same choice on any machine."""

    deals: int = 16
    """Matches imagined in a game with secrets; in a game without, one tells all."""
    outcomes: int = 64
    """An action with more outcomes than this (two dice have 36, a shuffle far more) is sampled."""
    samples: int = 32
    """How often it is sampled."""
    positions: int = 20_000
    """A search of more positions than this is given up, and one that is an action less deep is made."""


BUDGET = Budget()


def greedy(game: Game[Any], *, value: Value | None = None, budget: Budget = BUDGET) -> Bot:
    """Return a bot that takes the action after which the match is worth most to it, on average over chance.

    With the usual `value` it wins where it can win at once and plays at random elsewhere: a good `value` makes the bot.
    """
    return valuing_bot("greedy", partial(action_values, game, depth=1, value=value, budget=budget))


def expectimax(game: Game[Any], *, depth: int = DEPTH, value: Value | None = None, budget: Budget = BUDGET) -> Bot:
    """Return a bot that takes the action with the best of `action_values`; between equals its stream decides."""
    return valuing_bot("expectimax", partial(action_values, game, depth=depth, value=value, budget=budget))


def action_values(
    game: Game[Any],
    view: MatchView[Any],
    legal: Sequence[Action],
    rng: GameRng,
    *,
    depth: int = DEPTH,
    value: Value | None = None,
    budget: Budget = BUDGET,
) -> tuple[Number | None, ...]:
    """Return what each legal action is worth to the viewer if everybody then does their best.

    The search is `depth` actions deep, fewer if the budget does not reach that far, and at least one; what is not over
    by then counts as `value` says (`usual_value` unless given). An action that no imagined match allows has the value
    None.
    """
    viewer = viewer_of(view)
    worth = value or usual_value(game)
    seat = [player.id for player in view.players].index(viewer)
    imagined = [imagine(game, view, rng) for _ in range(budget.deals if game.has_secrets else 1)]
    choices = [Action(action.type, action.payload, viewer) for action in legal]
    for levels in range(depth, 1, -1):
        try:
            return _Search(game, worth, budget, budget.positions).values_of(choices, imagined, seat, levels)
        except _TooMany:
            continue
    return _Search(game, worth, budget, None).values_of(choices, imagined, seat, 1)


class _TooMany(Exception):
    """The search has met more positions than its budget allows."""


class _Search:
    """One search: the values of positions, remembered, since different actions often lead to the same one."""

    def __init__(self, game: Game[Any], value: Value, budget: Budget, positions: int | None) -> None:
        self.game = game
        self.value = value
        self.budget = budget
        self.positions_left = positions
        self.known: dict[bytes, Values] = {}

    def values_of(
        self, choices: Sequence[Action], imagined: Sequence[Match[Any]], seat: int, levels: int
    ) -> tuple[Number | None, ...]:
        """Return the mean value of each choice over the imagined matches that allow it, to one seat."""
        means: list[Number | None] = []
        for choice in choices:
            found = [self.after(match, choice, levels) for match in imagined]
            allowed = [values[seat] for values in found if values is not None]
            means.append(sum(allowed) * Fraction(1, len(allowed)) if allowed else None)
        return tuple(means)

    def after(self, match: Match[Any], action: Action, levels: int) -> Values | None:
        """Return the values of an action by seat, on average over chance; None if it is refused."""
        outcomes = self.outcomes(match, action)
        if not outcomes:
            return None
        found = []
        for chance, following in outcomes:
            last = last_asked(match, following, str(action.player_id))
            found.append((chance, self.values(following, last, levels - 1)))
        if len(found) == 1:
            return found[0][1]
        return tuple(sum(chance * values[seat] for chance, values in found) for seat in range(len(match.players)))

    def values(self, match: Match[Any], last: str | None, levels: int) -> Values:
        """Return the values of a position by seat if everybody does their best for so many actions more."""
        if levels == 0 or match.status == "finished":
            self.count()
            return tuple(self.value(self.game, match, player.id) for player in match.players)
        # Whatever rules and value may look at; neither version nor stream is among it.
        key = canonical((levels, last, match.turn, match.game))
        best = self.known.get(key)
        if best is None:
            self.count()
            player_id, legal = next_to_act(self.game, match, last)
            seat = next(player.seat for player in match.players if player.id == player_id)
            for action in legal:
                values = self.after(match, action, levels)
                assert values is not None, "a legal action is not refused"
                if best is None or values[seat] > best[seat]:
                    best = values
            assert best is not None
            self.known[key] = best
        return best

    def outcomes(self, match: Match[Any], action: Action) -> list[tuple[Fraction, Match[Any]]]:
        """Return what the action may lead to, with chances that add up to 1; nothing if it is refused."""
        game, budget = self.game, self.budget
        answer = apply_action(game, match, action)
        if not answer.ok:
            return []
        if not answer.drew:
            return [(CERTAIN, answer.state)]
        try:
            outcomes = chance_outcomes(game, match, action, limit=budget.outcomes)
            return [(outcome.chance, outcome.state) for outcome in outcomes]
        except (DrawError, GameFault):
            # Too many to list, or the game takes raw bytes, which cannot be listed.
            return [(Fraction(1, budget.samples), sample) for sample in self.samples(match, action)]

    def samples(self, match: Match[Any], action: Action) -> Iterator[Match[Any]]:
        """Yield what the action leads to with streams of other seeds: the same for all actions of a position."""
        seed = bytes.fromhex(match.rng_state.seed)
        for number in range(self.budget.samples):
            answer = apply_action(self.game, match, action, seed=derive(seed, f"sample/{number}"))
            assert answer.ok, "a legal action is not refused"
            yield answer.state

    def count(self) -> None:
        """Count one position, and give up if it is one too many."""
        if self.positions_left is not None:
            self.positions_left -= 1
            if self.positions_left < 0:
                raise _TooMany
