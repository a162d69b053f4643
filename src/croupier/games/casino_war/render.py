"""Terminal rendering of casino war: the cards, and log lines that say why each bet was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.casino_war import rules
from croupier.house import Line
from croupier.house.show import accounts
from croupier.kit.cards import card_label, is_red

if TYPE_CHECKING:
    from croupier.games.casino_war.game import WarState

# Each outcome after both cards: `7♠ beats 5♦`.
VERBS = {
    "lost": "loses to",
    "won": "beats",
    "tied": "ties with",
    "war_lost": "loses the war to",
    "war_won": "wins the war against",
    "war_tied": "wins the war, tied again with",
}


def outcome_words(state: WarState, lines: tuple[Line, ...]) -> str:
    """Return one line that tells the cards, and why each of the bets just settled was paid."""
    if state.outcome == "surrendered":
        words = f"surrendered after {card_label(state.player[0])} tied with {card_label(state.dealer[0])}"
    else:
        words = f"{card_label(state.player[-1])} {VERBS[state.outcome or 'tied']} {card_label(state.dealer[-1])}"
    return "; ".join([words, *(f"{line.bet} {_line_words(line, state)}" for line in lines)])


def _line_words(line: Line, state: WarState) -> str:
    if state.outcome == "surrendered":
        return f"gives {line.returned:,} of {line.stake:,} back"
    if line.returned == 0:
        return "loses"
    if line.profit == 0:
        return "pushes"
    if line.bet == "main" and state.super_mode:
        return f"pays {line.profit:,}{_boost_words(state)}"
    bonus = " with the bonus" if line.bet == "raise" and line.profit > line.stake else ""
    return f"pays {line.profit:,}, {line.profit // line.stake} to 1{bonus}"


def _boost_words(state: WarState) -> str:
    found = {"won": rules.DEAL_WON, "war_won": rules.WAR_WON, "war_tied": rules.WAR_TIED}[state.outcome or ""]
    marked = [lit.id for lit in state.lit]
    war_card = state.player[1] if len(state.player) > 1 else rules.NO_CARD
    boost = rules.boost(rules.MAIN, 0, (state.player[0], 0, war_card, 0, found), marked, (), len(marked))
    return f", the win boosted ×{boost}" if boost > 1 else ", 1 to 1"


def render_cards(view: MatchView[WarState]) -> str:
    """Return a view in Rich markup: the cards of both sides, then the accounts."""
    state = view.game
    rows = [_side("You", state.player), _side("Dealer", state.dealer)]
    if len(state.player) > 1:
        rows.insert(0, "  [dim]          deal   war[/dim]")
    if view.turn.phase == "war" and state.outcome == "tied":
        rows.append("  [bold yellow]A tie: surrender half the bet, or raise it and go to war.[/bold yellow]")
    return "\n".join([*rows, *accounts(state)])


def _side(name: str, cards: tuple[int, ...]) -> str:
    shown = [f"[{'red' if is_red(card) else 'bold'}]{card_label(card):>4}[/]" for card in cards]
    return f"  {name:<10}{'  '.join(shown) or '[dim]  ??[/dim]'}"
