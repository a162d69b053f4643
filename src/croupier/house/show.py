"""The accounts of a session as text, the same for every house game."""

from __future__ import annotations

from croupier.house.game import HouseState, LitKind
from croupier.kit.cards import RANKS, SUITS, card_label, is_red, rank0


def accounts(state: HouseState) -> list[str]:
    """Return lines of Rich markup: the bets that are open, those that were settled, and what it came to."""
    money = state.money
    rows = [f"  {stake.bet:<20} {stake.stake:>8,}  [dim]open[/dim]" for stake in money.open]
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
    name = str(lit_id)
    if kind is LitKind.CARD:
        name = card_label(lit_id)
    elif kind is LitKind.RANK:
        name = RANKS[lit_id]
    elif kind is LitKind.SUIT:
        name = "♠♥♦♣"[lit_id] if lit_id < len(SUITS) else "?"
    return name + (f" ×{multiplier}" if multiplier != 1 else "")


def decimal(value: int, digits: int) -> str:
    """Return a whole number of tenths, hundredths and so on as a decimal, without the zeros at its end.

    >>> decimal(15_000, 4), decimal(120_000_000, 3), decimal(1_040, 3)
    ('1.5', '120,000', '1.04')
    """
    whole, rest = divmod(value, 10**digits)
    return f"{whole:,}" + f".{rest:0{digits}}".rstrip("0").rstrip(".")


def card_drawing(card: int, width: int) -> list[str]:
    """Return five rows of Rich markup that draw a card, so wide within its frame; five or seven look well."""
    rank, suit, style = RANKS[rank0(card)], card_label(card)[-1], "bold red" if is_red(card) else "bold"
    frame, side, margin = "─" * width, " " * (width // 2), " " * ((width - 5) // 2)
    gap, room = " " * (2 - len(margin)), width - 2
    return [
        f"╭{frame}╮",
        f"│{margin}[{style}]{rank:<{room}}[/]{gap}│",
        f"│{side}[{style}]{suit}[/]{side}│",
        f"│{gap}[{style}]{rank:>{room}}[/]{margin}│",
        f"╰{frame}╯",
    ]
