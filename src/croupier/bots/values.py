"""Values of a match to a player: the figures that search bots maximise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from croupier.engine import Action, Bot, Game, Match, MatchView
from croupier.house.game import HouseGame
from croupier.rng import GameRng

Number: TypeAlias = Fraction | float
"""A value: exact where it can be. A whole number is one, too."""

Value: TypeAlias = Callable[[Game[Any], Match[Any], str], Number]
"""Value of a match, over or not, to one player: (game, match, player id) -> more is better.

It goes by the state, the turn, the players and the result; version and stream are made up where bots think.
"""


def usual_value(game: Game[Any]) -> Value:
    """Return what bots go by unless told otherwise: the share of the win; against the house, the profit."""
    # Not the chance to be ahead: the surest bet against the house need not be the one that loses least.
    return score if isinstance(game, HouseGame) else win_share


def win_share(game: Game[Any], match: Match[Any], player_id: str) -> Fraction:
    """Return the player's share of the win: winners share 1, a draw shares it among all, whoever loses has 0.

    While the match is on all have equal shares. Alone at the table there is nobody to share with: only a win counts
    1, a draw 0, and what is undecided lies between.
    """
    result, count = match.result, len(match.players)
    if result is None:
        return Fraction(1, max(count, 2))
    if result.status == "win":
        return Fraction(player_id in result.winners, len(result.winners))
    return Fraction(1, count) if count > 1 else Fraction(0)


def score(game: Game[Any], match: Match[Any], player_id: str) -> Fraction:
    """Return the player's score in the result, 0 as long as there is none: for games where more is better.

    Against the house that is the profit.
    """
    return Fraction(0 if match.result is None else match.result.scores.get(player_id, 0))


def valuing_bot(
    name: str, values: Callable[[MatchView[Any], tuple[Action, ...], GameRng], Sequence[Number | None]]
) -> Bot:
    """Return a bot of that name that takes the action of the highest value, and a single one without working it out."""

    def play(view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
        return legal[0] if len(legal) == 1 else best_of(legal, values(view, legal, rng), rng)

    play.__name__ = name
    return play


def best_of(actions: Sequence[Action], values: Sequence[Number | None], rng: GameRng) -> Action:
    """Return the action of the highest value; between equals, and where no value is known, the stream decides."""
    known = [value for value in values if value is not None]
    if not known:
        return rng.pick(actions)
    highest = max(known)
    best = [action for action, value in zip(actions, values, strict=True) if value == highest]
    return best[0] if len(best) == 1 else rng.pick(best)
