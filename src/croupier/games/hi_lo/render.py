"""Terminal rendering of hi-lo: the cards, what each guess would bring, and log lines of what the last one did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.hi_lo import rules
from croupier.games.hi_lo.bets import CHOICES
from croupier.games.hi_lo.options import HiLoOptions
from croupier.house.show import accounts, card_drawing, decimal
from croupier.kit.cards import card_label, is_red, rank1

if TYPE_CHECKING:
    from croupier.games.hi_lo.game import HiLoState

ARROWS = {"higher": "▲", "lower": "▼", "same": "="}
HISTORY_MAX = 10  # cards beside the one on show: they fit 80 columns with it


def factor_words(factor: int) -> str:
    """Return a factor in words.

    >>> factor_words(15_000), factor_words(10_909), factor_words(1_200_000_000)
    ('×1.5', '×1.0909', '×120,000')
    """
    return f"×{decimal(factor, 4)}"


def boost_words(state: HiLoState) -> str:
    """Return what super mode multiplies the profit by at a cash-out; nothing before any right guess."""
    extra = rules.streak_tenths(state.streak, state.cards[-1]) - rules.STREAK_TENTHS[0]
    if not state.super_mode or not extra:
        return ""
    return f", boost ×{decimal(10**5 + 10**5 * extra // rules.BOOST_DIVISOR, 5)}"


def guess_words(state: HiLoState, was_right: bool) -> str:
    """Return what the next card did to the last guess."""
    guess = state.guesses[-1]
    what = "was right" if was_right else "pushed, the ranks are equal" if state.factor else "was wrong"
    return f"{card_label(state.cards[-2])} to {card_label(state.cards[-1])}: {guess} {what}"


def render_cards(view: MatchView[HiLoState], cash_out: int) -> str:
    """Return a view in Rich markup: the card on show, those before it, the guesses on offer, then the accounts."""
    state = view.game
    rows = [f"  {row}" for row in card_drawing(state.cards[-1], 7)]
    if state.guesses:
        rows[1] += f"   {_before(state)}"
    tally = f"{state.streak} right{boost_words(state)}"
    if view.result is None:
        share, has_profit = view.options.commission_bps, state.factor != rules.ONE
        terms = f" after {decimal(share, 2)} % commission on the profit" if share and has_profit else ""
        rows[2] += f"   the pot is [bold]{factor_words(state.factor)}[/bold] ({tally})"
        rows[3] += f"   a cash-out pays [bold green]{cash_out:,}[/bold green][dim]{terms}[/dim]"
        rows += _offers(rank1(state.cards[-1]), view.options)
    elif state.factor:
        rows[2] += f"   cashed out at [bold]{factor_words(state.factor)}[/bold] ({tally})"
    else:
        rows[2] += f"   [bold red]{state.guesses[-1]} was wrong[/bold red] after {state.streak} right"
    return "\n".join([*rows, *accounts(state)])


def _before(state: HiLoState) -> str:
    """Return the cards before the one on show, each with the guess made at it."""
    pairs = list(zip(state.cards, state.guesses, strict=False))
    shown = [
        f"[{'red' if is_red(card) else 'default'}]{card_label(card)}[/] [cyan]{ARROWS[guess]}[/cyan]"
        for card, guess in pairs[-HISTORY_MAX:]
    ]
    return ("… " if len(pairs) > HISTORY_MAX else "") + " ".join(shown)


def _offers(rank: int, options: HiLoOptions) -> list[str]:
    rows = []
    for word, guess in CHOICES.items():
        if rules.is_offered(guess, rank, options.same_anywhere):
            times, ranks = factor_words(rules.multiplier(guess, rank)), rules.winning_ranks(guess, rank)
            rows.append(f"  [cyan]{ARROWS[word]}[/cyan] {word:<8} {times:>8}  [dim]with {ranks} of 13 ranks[/dim]")
    equal = "leaves the pot as it is" if options.tie_pushes else "loses"
    return [*rows, f"  [dim]after higher or lower an equal rank {equal}[/dim]"]
