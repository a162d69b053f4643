"""`monte_carlo`: a bot that plays matches to the end in its head, at random, and takes what came out best."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from croupier.bots.thinking import THINKING, Meter, Thinking
from croupier.bots.turn_order import last_asked, next_to_act, viewer_of
from croupier.bots.values import Number, Value, usual_value, valuing_bot
from croupier.engine import Action, Bot, Game, Match, MatchView, apply_action
from croupier.engine.views import imagine
from croupier.fairness import derive
from croupier.rng import GameRng


def monte_carlo(game: Game[Any], *, thinking: Thinking = THINKING, value: Value | None = None) -> Bot:
    """Return a bot that takes the action with the best of `playout_values`; between equals its stream decides."""
    return valuing_bot("monte_carlo", partial(playout_values, game, thinking=thinking, value=value))


def playout_values(
    game: Game[Any],
    view: MatchView[Any],
    legal: Sequence[Action],
    rng: GameRng,
    *,
    thinking: Thinking = THINKING,
    value: Value | None = None,
) -> tuple[Number | None, ...]:
    """Return what each legal action is worth to the viewer, on average over the random matches that follow it.

    Every playout imagines a match anew and tries all actions on it, with the same luck for each, so that they differ by
    what they do and not by how the dice fell. A playout that is not over after its length counts as `value` says
    (`usual_value` unless given). An action that no imagined match allows has the value None.
    """
    viewer = viewer_of(view)
    worth = value or usual_value(game)
    choices = [Action(action.type, action.payload, viewer) for action in legal]
    totals: list[Number] = [0] * len(choices)
    counts = [0] * len(choices)
    meter = Meter(thinking)
    while True:
        match = imagine(game, view, rng)
        luck = derive(bytes.fromhex(match.rng_state.seed), "playout")
        for index, choice in enumerate(choices):
            answer = apply_action(game, match, choice)
            meter.spend(1)
            if answer.ok:
                last = last_asked(match, answer.state, viewer)
                end = play_on(game, answer.state, last, GameRng.new(luck, 0, 0), thinking.length - 1, meter)
                totals[index] += worth(game, end, viewer)
                counts[index] += 1
        if not meter.goes_on():
            break
    return tuple(total * Fraction(1, count) if count else None for total, count in zip(totals, counts, strict=True))


def play_on(
    game: Game[Any], match: Match[Any], last: str | None, rng: GameRng, length: int, meter: Meter
) -> Match[Any]:
    """Return the match after at most `length` random actions."""
    for _ in range(length):
        if match.status == "finished":
            break
        player_id, legal = next_to_act(game, match, last)
        meter.spend(len(legal) + 1)
        answer = apply_action(game, match, rng.pick(legal))
        assert answer.ok, "a legal action is not refused"
        last = last_asked(match, answer.state, player_id)
        match = answer.state
    return match
