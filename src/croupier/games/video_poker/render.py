"""Terminal rendering of video poker: numbered cards, what is kept, the pay table; log lines of what a draw brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.video_poker.bets import HAND_NAMES, Hand
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.rules import hands, rounds
from croupier.house.show import accounts, card_drawing, decimal
from croupier.kit.cards import card_label

if TYPE_CHECKING:
    from croupier.games.video_poker.game import VideoPokerState

NAME_WIDTH = 20

# What four of a kind are called where the table pays some of them more.
FOURS: dict[Hand, str] = {
    "four_of_a_kind": "four fives to kings",
    "four_twos_to_fours": "four twos to fours",
    "four_aces": "four aces",
}


def hand_words(hand: Hand, options: VideoPokerOptions) -> str:
    """Return what a hand is called at a table.

    >>> hand_words("high_pair", VideoPokerOptions()), hand_words("royal_flush", VideoPokerOptions("deuces_wild"))
    ('jacks or better', 'natural royal flush')
    >>> hand_words("four_of_a_kind", VideoPokerOptions()), hand_words("four_of_a_kind", VideoPokerOptions("bonus_8_5"))
    ('four of a kind', 'four fives to kings')
    """
    if hand == "high_pair":
        return "jacks or better"
    if hand == "royal_flush" and options.is_wild:
        return "natural royal flush"
    if hand in FOURS:
        is_split = options.pays[hands.FOUR_ACES] > options.pays[hands.FOUR]
        return FOURS[hand] if is_split else "four of a kind"
    return hand.replace("_", " ")


def held_words(cards: tuple[int, ...], held: tuple[int, ...]) -> str:
    """Return the cards that are kept.

    >>> held_words((0, 13, 5, 6, 7), (1, 2)), held_words((0, 13, 5, 6, 7), ())
    ('A♠ A♥', 'nothing')
    """
    return " ".join(card_label(cards[number - 1]) for number in held) or "nothing"


def outcome_words(state: VideoPokerState, options: VideoPokerOptions) -> str:
    """Return one line that tells what was kept, what came, and why it was paid."""
    assert state.hand is not None
    kept = "kept everything" if len(state.held) == rounds.CARDS else f"kept {held_words(state.dealt, state.held)}"
    drawn = [card for number, card in enumerate(state.cards, 1) if number not in state.held]
    came = f", drew {' '.join(map(card_label, drawn))}" if drawn else ""
    line = state.money.lines[0]
    words = hand_words(state.hand, options)
    if line.returned == 0:
        return f"{kept}{came}: {words}"
    if line.profit == 0:
        return f"{kept}{came}: {words} returns the stake"
    each = options.pays[HAND_NAMES.index(state.hand)]
    return f"{kept}{came}: {words} returns {line.returned:,}, {each:,} for each chip{_boost_words(state)}"


def _boost_words(state: VideoPokerState) -> str:
    marked = [lit.id for lit in state.lit]
    tenths = rounds.boost(0, 0, state.numbers, marked, marked, len(marked))
    return f", the profit boosted ×{boost_factor(tenths)}" if tenths > rounds.BOOST_TENTHS[0] else ""


def boost_factor(tenths: int) -> str:
    """Return what a profit is multiplied by, in decimals.

    >>> [boost_factor(tenths) for tenths in rounds.BOOST_TENTHS]
    ['1', '1.008', '1.04', '2.96', '20.96']
    """
    return decimal(1000 + 100 * (tenths - 10) // rounds.BOOST_DIVISOR, 3)


def render_cards(view: MatchView[VideoPokerState]) -> str:
    """Return a view in Rich markup: the cards with their numbers, what is kept, the pay table, then the accounts."""
    state, options = view.game, view.options
    rows = _cards(state.cards)
    if view.result is None:
        rows.append("  " + "  ".join(f"   [bold cyan]{number}[/bold cyan]   " for number in range(1, 6)))
        rows.append("  [dim]hold 1,3 keeps the first and the third card; hold \\[] draws five new ones[/dim]")
    else:
        kept = ["[bold green] held  [/]" if number in state.held else "[dim] drawn [/]" for number in range(1, 6)]
        rows.append("  " + "  ".join(kept))
        rows.append(f"  [dim]dealt: {' '.join(map(card_label, state.dealt))}[/dim]")
    return "\n".join([*rows, *_pay_rows(state.hand, options), *accounts(state)])


def _cards(cards: tuple[int, ...]) -> list[str]:
    return [
        "".join(f"  {part}" for part in row) for row in zip(*(card_drawing(card, 5) for card in cards), strict=True)
    ]


def _pay_rows(hand: Hand | None, options: VideoPokerOptions) -> list[str]:
    """Return the pay table in two columns, dearest hand first, the hand that was made in green."""
    prices = {hand_words(name, options): pays for name, pays in zip(HAND_NAMES, options.pays, strict=True) if pays}
    made = "" if hand is None else hand_words(hand, options)
    cells = []
    for words, pays in sorted(prices.items(), key=lambda item: -item[1]):
        text = f"{words:<{NAME_WIDTH}}{pays:>5,}"
        cells.append(f"[bold green]{text}[/bold green]" if words == made else f"[dim]{text}[/dim]")
    half = (len(cells) + 1) // 2
    left, right = cells[:half], [*cells[half:], ""]
    return ["  " + f"{a}     {b}".rstrip() for a, b in zip(left, right, strict=False)]
