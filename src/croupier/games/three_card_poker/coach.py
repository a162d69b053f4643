"""The coach: each choice's exact worth, before the deal by the odds, with the cards in hand by the dealer's hands."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.engine import Action, Advice, MatchView
from croupier.games.three_card_poker import odds, rules
from croupier.games.three_card_poker.bets import QUALIFIERS, SIDE_BETS
from croupier.games.three_card_poker.dealer import Hand, outcome_counts
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.games.three_card_poker.policies import play_value
from croupier.house.odds import SUPER_FEE

if TYPE_CHECKING:
    from croupier.games.three_card_poker.game import ThreeCardState


def advise(view: MatchView[ThreeCardState], legal: tuple[Action, ...]) -> tuple[Advice, ...]:
    """Return the legal actions with the chips they win on average under best play, fees aside, best first."""
    value = _before_deal if view.turn.phase == "deal" else _with_cards
    return tuple(sorted((value(view, choice) for choice in legal), key=lambda advice: advice.value, reverse=True))


def _before_deal(view: MatchView[ThreeCardState], choice: Action) -> Advice:
    """Value a deal, or a side bet and then the deal, by what all bets cost."""
    stakes = {stake.bet: stake.stake for stake in view.game.money.open}
    if choice.type in SIDE_BETS:
        stakes[choice.type] = choice.payload["stake"]
    elif choice.type == "deal_with":
        stakes |= choice.payload
    edges = {row.bet: row.edge for row in odds.odds(view.options) if row.policy in ("best", "-")}
    if view.game.super_mode:
        edges["ante"] = odds.super_odds(view.options)[0].edge - SUPER_FEE
    costs = {bet: edges[bet] * stake for bet, stake in stakes.items() if stake}
    words = [f"{bet} {'costs' if cost >= 0 else 'brings'} {abs(float(cost)):.4f}" for bet, cost in costs.items()]
    return Advice(choice, -sum(costs.values(), Fraction(0)), ", ".join(words))


def _with_cards(view: MatchView[ThreeCardState], choice: Action) -> Advice:
    """Value what Ante and Play win; the side bets come to the same whatever is chosen, and are left out."""
    state = view.game
    if choice.type == "fold":
        return Advice(choice, Fraction(-state.stake), "the Ante is lost")
    a, b, c = state.player
    value = play_value((a, b, c), view.options, state.super_mode)
    return Advice(choice, value * state.stake, _chances((a, b, c), view.options))


def _chances(held: Hand, options: ThreeCardOptions) -> str:
    counts = outcome_counts(held, QUALIFIERS[options.qualifier])
    won = counts[rules.NOT_QUALIFIED] + counts[rules.WON]
    shares = (("win", won), ("tie", counts[rules.TIED]), ("lose", counts[rules.LOST]))
    return ", ".join(f"{word} {count / rules.DEALER_HAND_COUNT:.2%}" for word, count in shares)
