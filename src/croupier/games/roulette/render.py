"""The layout as text, with the chips where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.roulette import rules
from croupier.house.show import accounts

if TYPE_CHECKING:
    from croupier.games.roulette.game import RouletteState

__all__ = ["pocket_words", "render_layout"]


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
    """Return a view in Rich markup: the numbers, straight bets marked, then the accounts."""
    state = view.game
    laid = {stake.bet for stake in state.money.open} | {line.bet for line in state.money.lines}
    last = state.pockets[-1] if state.pockets else -1
    rows = []
    for row in (3, 2, 1):
        rows.append("  " + "".join(_cell(number, laid, last) for number in range(row, 37, 3)))
    zeros = [0, rules.DOUBLE_ZERO] if view.options.zero_rule == "double_zero" else [0]
    rows.insert(0, "  " + "".join(_cell(number, laid, last) for number in zeros))
    if state.pockets:
        fell = ", then ".join(pocket_words(pocket) for pocket in state.pockets)
        rows.append(f"  The ball fell into [bold]{fell}[/bold].")
    return "\n".join([*rows, *accounts(state)])


def _cell(number: int, laid: set[str], last: int) -> str:
    name = "00" if number == rules.DOUBLE_ZERO else str(number)
    colour = "green" if number in (0, rules.DOUBLE_ZERO) else "red" if rules.is_red(number) else "white"
    style = f"bold reverse {colour}" if number == last else colour
    chip = "●" if f"straight:{name}" in laid else " "
    return f"[{style}]{name:>3}[/{style}]{chip}"
