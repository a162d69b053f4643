"""Terminal rendering of roulette: the layout, with the chips where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.roulette import rules
from croupier.games.roulette.bets import BETS
from croupier.house.show import accounts

if TYPE_CHECKING:
    from croupier.games.roulette.game import RouletteState

DOZENS = ("dozen:1", "dozen:2", "dozen:3")
HALVES = ("low", "even", "red", "black", "odd", "high")
CHIP, SHARED_CHIP = "[bold yellow]●[/bold yellow]", "[yellow]○[/yellow]"


def pocket_words(pocket: int) -> str:
    """Return a pocket in words.

    >>> pocket_words(17), pocket_words(37), pocket_words(1)
    ('17 black', '00', '1 red')
    """
    if pocket == rules.DOUBLE_ZERO:
        return "00"
    if pocket == 0:
        return "0"
    return f"{pocket} {'red' if rules.is_red(pocket) else 'black'}"


def render_layout(view: MatchView[RouletteState]) -> str:
    """Return a view in Rich markup: the numbers and the outside bets with their chips, then the accounts."""
    state = view.game
    laid = {stake.bet for stake in state.money.open} | {line.bet for line in state.money.lines}
    last = state.pockets[-1] if state.pockets else -1
    zeros = (rules.DOUBLE_ZERO, None, 0) if view.options.zero_rule == "double_zero" else (None, 0, None)
    rows = []
    for zero, column in zip(zeros, (3, 2, 1), strict=True):
        left = "    " if zero is None else _number(zero, laid, last)
        numbers = "".join(_number(number, laid, last) for number in range(column, 37, 3))
        rows.append(f"  {left}│{numbers}│ {_outside(f'column:{column}', laid, last, 10)}")
    for bets, width in ((DOZENS, 15), (HALVES, 7)):
        rows.append("      │" + "│".join(_outside(bet, laid, last, width) for bet in bets) + " │")
    if SHARED_CHIP in "".join(rows):
        rows.append(f"  [dim]{CHIP} chips on the number   {SHARED_CHIP} on a bet that shares it with others[/dim]")
    if state.pockets:
        fell = ", then ".join(pocket_words(pocket) for pocket in state.pockets)
        rows.append(f"  The ball fell into [bold]{fell}[/bold].")
    if view.turn.phase == "prison" and view.result is None:
        rows.append(
            "  [bold yellow]The bets that are left are imprisoned: the next spin frees or takes them.[/bold yellow]"
        )
    return "\n".join([*rows, *accounts(state)])


def _number(number: int, laid: set[str], last: int) -> str:
    name = "00" if number == rules.DOUBLE_ZERO else str(number)
    colour = "green" if number in (0, rules.DOUBLE_ZERO) else "red" if rules.is_red(number) else "white"
    style = f"bold reverse {colour}" if number == last else colour
    if f"straight:{name}" in laid:
        chip = CHIP
    elif any(rules.covers(*BETS[bet], number) for bet in laid if not _is_outside(bet)):
        chip = SHARED_CHIP
    else:
        chip = " "
    return f"[{style}]{name:>3}[/{style}]{chip}"


def _is_outside(bet: str) -> bool:
    return rules.RED <= BETS[bet][0] <= rules.COLUMN


def _outside(bet: str, laid: set[str], last: int, width: int) -> str:
    wins = last >= 0 and rules.covers(*BETS[bet], last)
    style = "bold reverse" if wins else "bold"
    left, right = divmod(width - len(bet) - 2, 2)
    return f"{' ' * left}[{style}]{bet}[/{style}] {CHIP if bet in laid else ' '}{' ' * (left + right)}"
