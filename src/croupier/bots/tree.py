"""`tree_search`: a Monte-Carlo tree search over what a player knows, for any game with `redeal` or without secrets.

Every playout imagines a match anew from the view (`redeal`) and draws its chance anew. It goes down one tree that all
imagined matches share, whose branches are actions, by the upper confidence bound of whoever is to act; where an action
was not tried yet, it plays on at random. A branch counts how often it could have been taken, because what is legal
differs with what is hidden. So nobody in the tree goes by what they could not know of this very deal, as they do in
`expectimax`, where every imagined match is searched as if it were open.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from croupier.bots.playouts import play_on
from croupier.bots.thinking import Meter, Thinking
from croupier.bots.turn_order import last_asked, next_to_act, viewer_of
from croupier.bots.values import Number, Value, usual_value, valuing_bot
from croupier.engine import Action, Bot, Game, Match, MatchView, apply_action, canonical
from croupier.engine.views import imagine
from croupier.rng import GameRng

SEARCHING = Thinking(playouts=1_000, tries=20_000)
EXPLORE = 0.7


def tree_search(game: Game[Any], *, thinking: Thinking = SEARCHING, value: Value | None = None) -> Bot:
    """Return a bot that takes the action it tried most often; between equals its stream decides."""

    def visits(view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> list[Number]:
        viewer, root, meter = viewer_of(view), _Branch(), Meter(thinking)
        search = _Search(game, value or usual_value(game), thinking.length, meter)
        choices = tuple(Action(action.type, action.payload, viewer) for action in legal)
        for _ in choices:  # each of them once, whatever the budget
            search.playout(root, imagine(game, view, rng), viewer, choices, rng)
        while meter.goes_on():
            search.playout(root, imagine(game, view, rng), viewer, choices, rng)
        return [root.branches[canonical(choice)].visits for choice in choices]

    return valuing_bot("tree_search", visits)


class _Branch:
    """A branch of the search tree: visits and values of one action, for whoever took it."""

    __slots__ = ("branches", "possible", "total", "visits")

    def __init__(self) -> None:
        self.visits = self.possible = 0
        self.total = 0.0
        self.branches: dict[bytes, _Branch] = {}


class _Search:
    """One decision: the values met so far bound how far a value may be from another."""

    def __init__(self, game: Game[Any], value: Value, length: int, meter: Meter) -> None:
        self.game, self.value, self.length, self.meter = game, value, length, meter
        self.low, self.high = float("inf"), float("-inf")

    def playout(self, branch: _Branch, match: Match[Any], actor: str, legal: tuple[Action, ...], rng: GameRng) -> None:
        """Go down the tree, try one action that is new there, play on at random, and tell every branch on the way."""
        way: list[tuple[_Branch, str]] = []
        last: str | None = None
        for _ in range(self.length):
            branch, match, last, is_new = self._step(branch, match, actor, legal, rng)
            way.append((branch, actor))
            if is_new or match.status == "finished":
                break
            actor, legal = next_to_act(self.game, match, last)
            self.meter.spend(len(legal) + 1)
        end = play_on(self.game, match, last, rng, self.length - len(way), self.meter)
        for taken, player_id in way:
            worth = float(self.value(self.game, end, player_id))
            self.low, self.high = min(self.low, worth), max(self.high, worth)
            taken.visits += 1
            taken.total += worth

    def _step(
        self, branch: _Branch, match: Match[Any], actor: str, legal: tuple[Action, ...], rng: GameRng
    ) -> tuple[_Branch, Match[Any], str | None, bool]:
        """Return the branch that is taken here, the match after it, who acted last, and whether the branch is new."""
        found = {canonical(action): branch.branches.setdefault(canonical(action), _Branch()) for action in legal}
        for each in found.values():
            each.possible += 1
        actions = dict(zip(found, legal, strict=True))
        while found:
            fresh = [key for key, each in found.items() if not each.visits]
            key = rng.pick(fresh) if fresh else max(found, key=lambda key: self._promise(found[key]))
            answer = apply_action(self.game, match, actions[key])
            if answer.ok:
                return found[key], answer.state, last_asked(match, answer.state, actor), bool(fresh)
            del found[key]  # this deal does not allow what another did
        raise AssertionError("nothing that is legal by the view is legal in a match imagined from it")

    def _promise(self, branch: _Branch) -> float:
        mean, span = branch.total / branch.visits, self.high - self.low
        share = (mean - self.low) / span if span > 0 else 0.5
        return share + EXPLORE * sqrt(log(branch.possible) / branch.visits)
