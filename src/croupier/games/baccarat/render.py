"""Terminal rendering of baccarat: both hands, and log lines that say why each bet was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.baccarat import rules
from croupier.games.baccarat.bets import BETS
from croupier.games.baccarat.options import BaccaratOptions
from croupier.house import Line
from croupier.house.show import accounts
from croupier.kit.cards import card_label, is_red

if TYPE_CHECKING:
    from croupier.games.baccarat.game import BaccaratState


def deal_words(state: BaccaratState, options: BaccaratOptions) -> str:
    """Return one line that tells the hands, who won, and why each bet was paid."""
    player_total, banker_total = rules.outcome(state.slots)[:2]
    hands = f"Player {_plain(state.player)} is {player_total}, Banker {_plain(state.banker)} is {banker_total}"
    paid = [f"{line.bet} {_paid_words(line, state, options)}" for line in state.money.lines if line.returned]
    lost = [line.bet for line in state.money.lines if not line.returned]
    if lost:
        paid.append(f"lost {', '.join(lost)}")
    return "; ".join([f"{hands}: {_winner(player_total, banker_total)}", *paid])


def _plain(cards: tuple[int, ...]) -> str:
    return " ".join(map(card_label, cards))


def _winner(player_total: int, banker_total: int) -> str:
    if player_total == banker_total:
        return "a tie"
    return "Player wins" if player_total > banker_total else "Banker wins"


def _paid_words(line: Line, state: BaccaratState, options: BaccaratOptions) -> str:
    """Return what a bet that was not lost paid, and why."""
    kind, _ = BETS[line.bet]
    found = rules.outcome(state.slots)
    tie_pays = rules.SUPER_TIE_PAYS if state.super_mode else options.tie_pays
    pays = rules.profit_to_1(kind, found, tie_pays, options.pair_pays)
    if pays == 0:
        return f"pushes ({_reason(kind, found)})"
    price = "half" if kind == rules.BANKER and found[1] == 6 else f"{pays} to 1"
    ids = [lit.id for lit in state.lit]
    boost = rules.boost(kind, 0, state.slots, ids, [lit.multiplier for lit in state.lit], len(ids))
    boosted = f", boosted ×{boost}" if boost > 1 else ""
    return f"pays {line.profit:,} ({_reason(kind, found)}, {price}{boosted})"


def _reason(kind: int, found: tuple[int, int, int, int, int]) -> str:
    """Return what made a bet win or push."""
    player_total, banker_total, player_count, banker_count, pairs = found
    if player_total == banker_total and kind in (rules.PLAYER, rules.BANKER, rules.TIE):
        return "a tie"
    if kind == rules.PLAYER:
        return f"{player_total} beats {banker_total}"
    if kind == rules.BANKER:
        return f"{banker_total} beats {player_total}"
    if kind in (rules.PLAYER_PAIR, rules.BANKER_PAIR):
        return "a pair"
    if kind == rules.LUCKY_SIX:
        return f"a six of {'two' if banker_count == 2 else 'three'} cards"
    if kind == rules.PANDA_EIGHT:
        return "an eight of three cards"
    if kind == rules.PERFECT_PAIR:
        both = rules.PLAYER_HAS_PERFECT + rules.BANKER_HAS_PERFECT
        return "two identical pairs" if pairs & both == both else "an identical pair"
    if player_total == banker_total:
        return "equal naturals"
    own_total, own_count = (player_total, player_count) if kind == rules.PLAYER_DRAGON else (banker_total, banker_count)
    natural = own_count == 2 and rules.is_natural(own_total)
    return "a natural" if natural else f"won by {abs(player_total - banker_total)}"


def render_hands(view: MatchView[BaccaratState]) -> str:
    """Return a view in Rich markup: both hands with their totals, then the accounts."""
    state = view.game
    if not state.player:
        rows = ["  Player  [dim]??  ??[/dim]", "  Banker  [dim]??  ??[/dim]"]
        return "\n".join([*rows, *accounts(state)])
    player_total, banker_total = rules.outcome(state.slots)[:2]
    rows = [
        _hand("Player", state.player, player_total, player_total > banker_total),
        _hand("Banker", state.banker, banker_total, banker_total > player_total),
    ]
    if player_total == banker_total:
        rows.append("  [bold yellow]a tie[/bold yellow]")
    return "\n".join([*rows, *accounts(state)])


def _hand(name: str, cards: tuple[int, ...], total: int, won: bool) -> str:
    shown = " ".join(f"[{'red' if is_red(card) else 'bold'}]{card_label(card):>3}[/]" for card in cards)
    room = " " * (4 * (3 - len(cards)))
    return f"  {name} {shown}{room}   [bold]{total}[/bold]{'  [bold green]wins[/bold green]' if won else ''}"
