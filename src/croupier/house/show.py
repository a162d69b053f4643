"""The accounts of a session as text, the same for every house game."""

from __future__ import annotations

from croupier.house.game import HouseState, LitKind
from croupier.kit.cards import RANKS, SUITS, card_label

__all__ = ["accounts", "lit_words"]


def accounts(state: HouseState) -> list[str]:
    """Return lines of Rich markup: the bets that are open, those that were settled, and what it came to."""
    money = state.money
    rows = []
    for stake in money.open:
        rows.append(f"  {stake.bet:<20} {stake.stake:>8,}  [dim]open[/dim]")
    for line in money.lines:
        colour = "green" if line.profit > 0 else "red" if line.profit < 0 else "dim"
        rows.append(f"  {line.bet:<20} {line.stake:>8,}  [{colour}]returned {line.returned:,}[/{colour}]")
    if state.lit:
        rows.append("  lit: " + ", ".join(lit_words(lit.kind, lit.id, lit.multiplier) for lit in state.lit))
    if money.fees:
        rows.append(f"  [dim]super fee {money.fees:,}[/dim]")
    return rows


def lit_words(kind: LitKind, lit_id: int, multiplier: int) -> str:
    """Return one lit thing in words.

    >>> lit_words(LitKind.CARD, 0, 3), lit_words(LitKind.NUMBER, 17, 50)
    ('A♠ ×3', '17 ×50')
    """
    names = {
        LitKind.CARD: lambda: card_label(lit_id),
        LitKind.RANK: lambda: RANKS[lit_id],
        LitKind.SUIT: lambda: "♠♥♦♣"[lit_id] if lit_id < len(SUITS) else "?",
    }
    name = names.get(kind, lambda: str(lit_id))()
    return name if multiplier == 1 else f"{name} ×{multiplier}"
