"""Terminal rendering of sic bo: the table with the chips where they lie, and log lines of what a roll did to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.sic_bo import rules
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import SicBoOptions
from croupier.house import Line
from croupier.house.show import accounts
from croupier.kit.dice import dice_art

if TYPE_CHECKING:
    from croupier.games.sic_bo.game import SicBoState


def roll_words(state: SicBoState, options: SicBoOptions) -> str:
    """Return one line that tells the dice, and what each bet paid."""
    parts = [f"the dice show {' '.join(map(str, state.dice))}: {_total_words(state.dice)}"]
    parts += [f"{line.bet} pays {_price(line, state, options)}" for line in state.money.lines if line.returned]
    lost = [line.bet for line in state.money.lines if not line.returned]
    if lost:
        parts.append(f"lost {', '.join(lost)}")
    return "; ".join(parts)


def _total_words(dice: tuple[int, ...]) -> str:
    total = sum(dice)
    if len(set(dice)) == 1:
        return f"a triple ({total})"
    return f"{total}, {'small' if total <= 10 else 'big'} and {'odd' if total % 2 else 'even'}"


def _price(line: Line, state: SicBoState, options: SicBoOptions) -> str:
    a, b, c = state.dice
    kind, number = BETS[line.bet]
    to_1 = rules.times_won(kind, number, a, b, c) * rules.price(kind, number, options.pay_table_code)
    lit = next((lit.multiplier for lit in state.lit if lit.id == number), 0) if rules.is_eligible(kind, number) else 0
    boost = f", boosted by a lit ×{lit}" if lit else ""
    return f"{line.profit:,} ({to_1} to 1{boost})"


def render_table(view: MatchView[SicBoState]) -> str:
    """Return a view in Rich markup: the bets with their prices, the dice, then the accounts."""
    state, pay_table = view.game, view.options.pay_table_code
    laid = {stake.bet for stake in state.money.open} | {line.bet for line in state.money.lines}
    rows = [
        _plain_bets(("small", "big", "odd", "even", "any_triple"), laid, state.dice, pay_table),
        "",
        "  [dim]total    [/dim]" + "".join(_total(total, laid, state.dice) for total in range(3, 19)),
        "  [dim]pays     [/dim]" + "".join(f"[dim]{price:>3}[/dim] " for price in rules.TOTAL_PAYS[pay_table]),
        "",
        *(_faces(word, laid, state.dice, price) for word, price in _face_prices(pay_table)),
        "",
        "  " + "   ".join(_combination(word, price, laid) for word, price in _combination_prices(pay_table)),
    ]
    if state.dice:
        art = [f"  {line}" for line in dice_art(state.dice)]
        art[2] += f"   [bold]{_total_words(state.dice)}[/bold]"
        rows += ["", *art]
    chips = accounts(state)
    return "\n".join([*rows, "", *chips] if chips else rows)


def _chip(is_laid: bool) -> str:
    return "[bold yellow]●[/bold yellow]" if is_laid else " "


def _won(bet: str, dice: tuple[int, ...]) -> bool:
    if not dice:
        return False
    a, b, c = dice
    return rules.times_won(*BETS[bet], a, b, c) > 0


def _plain_bets(words: tuple[str, ...], laid: set[str], dice: tuple[int, ...], pay_table: int) -> str:
    prices = {"any_triple": rules.ANY_TRIPLE_PAYS[pay_table]}
    cells = []
    for word in words:
        style = "bold reverse" if _won(word, dice) else "bold"
        cells.append(f"[{style}]{word}[/] [dim]{prices.get(word, 1)}[/dim] {_chip(word in laid)}")
    return "  " + "    ".join(cells) + "  [dim](to 1)[/dim]"


def _total(total: int, laid: set[str], dice: tuple[int, ...]) -> str:
    style = "bold reverse" if total == sum(dice) else "bold"
    return f"[{style}]{total:>3}[/]{_chip(f'total:{total}' in laid)}"


def _face_prices(pay_table: int) -> tuple[tuple[str, str], ...]:
    return (
        ("single", "1, 2 or 3, as many as show it"),
        ("double", str(rules.DOUBLE_PAYS[pay_table])),
        ("triple", str(rules.TRIPLE_PAYS[pay_table])),
    )


def _faces(word: str, laid: set[str], dice: tuple[int, ...], price: str) -> str:
    cells = []
    for face in range(1, 7):
        bet = f"{word}:{face}"
        style = "bold reverse" if _won(bet, dice) else "bold"
        cells.append(f"[{style}]{face:>3}[/]{_chip(bet in laid)}")
    return f"  [dim]{word:<9}[/dim]{''.join(cells)}  [dim]pays {price}[/dim]"


def _combination_prices(pay_table: int) -> tuple[tuple[str, int], ...]:
    return (
        ("domino", rules.DOMINO_PAYS[pay_table]),
        ("easy_hop", rules.EASY_HOP_PAYS[pay_table]),
        ("hard_hop", rules.HARD_HOP_PAYS[pay_table]),
        ("four_faces", rules.FOUR_FACES_PAYS[pay_table]),
    )


def _combination(word: str, price: int, laid: set[str]) -> str:
    return f"{word} [dim]{price}[/dim] {_chip(any(bet.startswith(f'{word}:') for bet in laid))}"
