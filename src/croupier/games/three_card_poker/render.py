"""Terminal rendering of three card poker: both hands, what they are worth in words, and why each bet was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.three_card_poker import rules
from croupier.games.three_card_poker.bets import QUALIFIERS
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.house import Line
from croupier.house.show import accounts, decimal
from croupier.kit import poker
from croupier.kit.cards import RANKS, card_label, is_red, rank_word, suit
from croupier.kit.poker import category, rank3, rank6

if TYPE_CHECKING:
    from croupier.games.three_card_poker.game import ThreeCardState

SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs")
_ENDINGS = {"won": "you win", "tied": "a tie", "lost": "the dealer wins"}


def hand_words(cards: tuple[int, ...]) -> str:
    """Return what three cards are worth, to the last card that can decide.

    >>> [hand_words(hand) for hand in ((11, 18, 29), (5, 18, 0), (5, 18, 31))]
    ['Q-6-4 high', 'a pair of sixes, ace kicker', 'three sixes']
    >>> [hand_words(hand) for hand in ((0, 1, 15), (1, 5, 9), (0, 12, 11))]
    ['a straight to the three', 'a flush, 10-6-2', 'a straight flush to the ace']
    """
    rank = rank3(*cards)
    first, second, third = rank >> 16 & 15, rank >> 12 & 15, rank >> 8 & 15
    match category(rank):
        case poker.THREE_HIGH_CARD:
            return f"{_letter(first)}-{_letter(second)}-{_letter(third)} high"
        case poker.THREE_PAIR:
            return f"a pair of {rank_word(first, plural=True)}, {rank_word(second)} kicker"
        case poker.THREE_FLUSH:
            return f"a flush, {_letter(first)}-{_letter(second)}-{_letter(third)}"
        case poker.THREE_TRIPS:
            return f"three {rank_word(first, plural=True)}"
        case kind:
            return f"a {poker.THREE_CATEGORY_NAMES[kind]} to the {rank_word(first)}"


def _letter(rank: int) -> str:
    return RANKS[(rank - 1) % 13]


def dealt_words(state: ThreeCardState) -> str:
    """Return one line that tells the player's hand."""
    return f"you get {_hand(state.player)}; play or fold?"


def outcome_words(state: ThreeCardState, options: ThreeCardOptions) -> str:
    """Return one line that tells both hands, whether the dealer qualified, and why each bet was paid."""
    qualified = rules.qualifies(rank3(*state.dealer), QUALIFIERS[options.qualifier])
    dealer = f"the dealer has {_hand(state.dealer)} and {'qualifies' if qualified else 'does not qualify'}"
    if state.outcome == "folded":
        words = f"folded {_hand(state.player)}; {dealer}"
    elif qualified:
        words = f"{_hand(state.player)}; {dealer}: {_ENDINGS[state.outcome or '']}"
    else:
        words = f"{_hand(state.player)}; {dealer}"
    return "; ".join([words, *(f"{line.bet} {_line_words(line, state)}" for line in state.money.lines)])


def _hand(cards: tuple[int, ...]) -> str:
    return f"{' '.join(map(card_label, cards))} ({hand_words(cards)})"


def _line_words(line: Line, state: ThreeCardState) -> str:
    if line.returned == 0:
        return "loses"
    if line.bet == "ante":
        return _ante_words(line, state)
    if line.profit == 0:
        return "pushes"
    reason = {"play": "", "six_card": _six_card_words(state)}.get(line.bet, _own_words(state))
    return f"pays {line.profit:,}, {line.profit // line.stake:,} to 1{reason}"


def _six_card_words(state: ThreeCardState) -> str:
    rank = rank6(*(*state.player, *state.dealer))
    return f" for {_article(poker.CATEGORY_NAMES[category(rank)])} among the six"


def _own_words(state: ThreeCardState) -> str:
    rank = rank3(*state.player)
    if rank == poker.THREE_STRAIGHT_FLUSH << 20 | rules.ROYAL_TOP << 16:
        return f" for A-K-Q of {SUIT_WORDS[suit(state.player[0])]}"
    return f" for {_article(poker.THREE_CATEGORY_NAMES[category(rank)])}"


def _article(hand: str) -> str:
    return hand if hand.endswith("of a kind") else f"a {hand}"


def _ante_words(line: Line, state: ThreeCardState) -> str:
    bonus = rules.ANTE_BONUS[category(rank3(*state.player))]
    if not bonus:
        base = "pushes" if line.profit == 0 else f"pays {line.profit:,}, 1 to 1"
    elif state.outcome == "lost":
        base = f"loses, but its bonus of {bonus} to 1 brings {line.returned:,} back"
    elif state.outcome == "tied":
        base = f"pushes, and its bonus pays {line.profit:,}, {bonus} to 1"
    else:
        base = f"pays {line.profit:,}, 1 to 1 and a bonus of {bonus} to 1"
    return base + (_boost_words(state) if line.profit > 0 else "")


def _boost_words(state: ThreeCardState) -> str:
    marked = [lit.id for lit in state.lit]
    boost = rules.boost_of(marked, len(marked), rank3(*state.player), *state.player)
    if boost == 1:
        return ""
    tenths = 10 + (boost - 1) * 10 * rules.BOOST_NUMERATOR // rules.BOOST_DENOMINATOR
    return f", boosted ×{decimal(tenths, 1)}"


def render_cards(view: MatchView[ThreeCardState]) -> str:
    """Return a view in Rich markup: the cards of both sides and what they are worth, then the accounts."""
    state = view.game
    rows = [_side("You", state.player), _side("Dealer", state.dealer)]
    if state.dealer and not rules.qualifies(rank3(*state.dealer), QUALIFIERS[view.options.qualifier]):
        rows[1] += "[dim], does not qualify[/dim]"
    if view.result is None and view.turn.phase == "decide":
        rows.append(f"  [bold yellow]Play for {state.stake:,} more, or fold and lose the Ante.[/bold yellow]")
    elif view.result is None and view.turn.phase == "deal":
        rows.append("  [dim]Lay side bets (pair_plus, six_card, progressive) if you like, then deal.[/dim]")
    return "\n".join([*rows, *accounts(state)])


def _side(name: str, cards: tuple[int, ...]) -> str:
    if not cards:
        return f"  {name:<8}[dim]  ??   ??   ??[/dim]"
    shown = "  ".join(f"[{'red' if is_red(card) else 'bold'}]{card_label(card):>3}[/]" for card in cards)
    return f"  {name:<8} {shown}   {hand_words(cards)}"
