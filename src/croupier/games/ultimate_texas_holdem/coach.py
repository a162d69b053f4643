"""The coach: the exact worth of each choice, before the deal by the odds, afterwards by all cards that may still come.

Values are Antes won on average under best play, fees and boosts of super mode aside. Before the deal they are those of
all bets as they would lie; afterwards of Ante, Blind and Play, because side bets come to the same whatever is chosen.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.engine import Action, Advice, MatchView
from croupier.games.ultimate_texas_holdem import odds, rules
from croupier.games.ultimate_texas_holdem.bets import SIDE_BETS

if TYPE_CHECKING:
    from croupier.games.ultimate_texas_holdem.game import HoldemState

MULTIPLES = {"check": 0, "fold": 0, "play_1x": 1, "play_2x": 2, "play_3x": 3, "play_4x": 4}


def advise(view: MatchView[HoldemState], legal: tuple[Action, ...]) -> tuple[Advice, ...]:
    """Return the legal actions with what they are worth, best first."""
    if view.turn.phase == "deal":
        found = [_before_deal(view, choice) for choice in legal]
    elif view.turn.phase == "reveal":
        value = _values(view, view.game.play)[view.game.play]
        found = [Advice(choice, value, "Play is bet: nothing is left to choose") for choice in legal]
    else:
        values = _values(view)
        found = [_with_cards(choice, values[MULTIPLES[choice.type]]) for choice in legal]
    return tuple(sorted(found, key=lambda advice: advice.value, reverse=True))


def _before_deal(view: MatchView[HoldemState], choice: Action) -> Advice:
    stakes = {stake.bet: stake.stake for stake in view.game.money.open if stake.bet in SIDE_BETS}
    if choice.type in SIDE_BETS:
        stakes[choice.type] = choice.payload["stake"]
    elif choice.type == "deal_with":
        stakes |= choice.payload
    edges = {row.bet: row.edge for row in odds.odds(view.options) if row.policy != "simple"}
    costs = {"ante": edges["ante"]}
    costs |= {bet: edges[bet] * Fraction(stake, view.game.stake) for bet, stake in stakes.items() if stake}
    words = [f"{bet} {'costs' if cost >= 0 else 'brings'} {abs(float(cost)):.4f}" for bet, cost in costs.items()]
    return Advice(choice, -sum(costs.values(), Fraction(0)), ", ".join(words))


def _values(view: MatchView[HoldemState], multiple: int | None = None) -> dict[int, Fraction]:
    """Return what can be done with the cards known, by the Antes bet, with what it is worth."""
    state = view.game
    cards = (*state.hole, *state.board)
    if len(cards) == rules.HOLE_KNOWN:
        return odds.hole_values(cards, view.options)
    if len(cards) == rules.FLOP_KNOWN:
        return odds.flop_values(cards, view.options, 2 if multiple is None else multiple)
    return odds.river_values(cards, view.options, 1 if multiple is None else multiple)


def _with_cards(choice: Action, value: Fraction) -> Advice:
    if choice.type == "fold":
        return Advice(choice, value, "Ante and Blind are lost")
    return Advice(choice, value, f"{'wins' if value >= 0 else 'loses'} {abs(float(value)):.4f} Antes on average")
