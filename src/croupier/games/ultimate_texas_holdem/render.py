"""Terminal rendering of ultimate texas hold'em: cards, what the hands are worth in words, why each bet was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.bets import BETS
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.house import Line
from croupier.house.show import accounts, decimal
from croupier.kit import poker
from croupier.kit.cards import card_label, is_red, rank_word
from croupier.kit.poker import category, rank_hand

if TYPE_CHECKING:
    from croupier.games.ultimate_texas_holdem.game import HoldemState

_ENDINGS = {
    "lost": "the dealer wins",
    "lost_unqualified": "the dealer wins without qualifying",
    "tied": "a tie",
    "won_unqualified": "you win, and the dealer does not qualify",
    "won": "you win",
}


def hand_words(rank: int) -> str:
    """Return a rank in words.

    >>> from croupier.kit.poker import rank5
    >>> [hand_words(rank5(*hand)) for hand in ((0, 13, 1, 14, 12), (9, 22, 35, 5, 18), (0, 1, 2, 3, 17))]
    ['two pair, aces and twos', 'a full house, tens over sixes', 'a straight to the five']
    """
    first, second = rank >> 16 & 15, rank >> 12 & 15
    match category(rank):
        case poker.HIGH_CARD:
            return f"{rank_word(first)} high"
        case poker.PAIR:
            return f"a pair of {rank_word(first, plural=True)}"
        case poker.TWO_PAIR:
            return f"two pair, {rank_word(first, plural=True)} and {rank_word(second, plural=True)}"
        case poker.TRIPS:
            return f"three {rank_word(first, plural=True)}"
        case poker.FLUSH:
            return f"a flush, {rank_word(first)} high"
        case poker.FULL_HOUSE:
            return f"a full house, {rank_word(first, plural=True)} over {rank_word(second, plural=True)}"
        case poker.QUADS:
            return f"four {rank_word(first, plural=True)}"
        case poker.ROYAL_FLUSH:
            return "a royal flush"
        case kind:
            return f"a {poker.CATEGORY_NAMES[kind]} to the {rank_word(first)}"


def dealt_words(state: HoldemState, options: HoldemOptions) -> str:
    """Return one line that tells the cards just dealt, and what can be done."""
    if not state.board:
        raises = [f"{multiple}×" for multiple, on in ((4, options.play_4x), (3, options.play_3x)) if on]
        return f"you get {_cards(state.hole)}; {'check' if not raises else f'play {_either(raises)}, or check'}?"
    hand = hand_words(rank_hand(rules.hand_bits(state.cards, 0, 2 + len(state.board))))
    if len(state.board) == 3:
        return f"the flop is {_cards(state.board)}: you have {hand}; play 2×, or check?"
    return f"then {_cards(state.board[3:])}: you have {hand}; play 1×, or fold?"


def _either(words: list[str]) -> str:
    return " or ".join(words)


def outcome_words(state: HoldemState) -> str:
    """Return one line that tells both hands, how they compare, and why each bet was paid."""
    cards = state.cards
    player = f"{_cards(state.hole)} on {_cards(state.board)} is {hand_words(rules.player_rank(cards))}"
    dealer = f"the dealer's {_cards(state.dealer)} {hand_words(rules.dealer_rank(cards))}"
    if state.outcome == "folded":
        words = f"folded: {player}, {dealer}"
    else:
        words = f"{player}, {dealer}: {_ENDINGS[state.outcome or '']}"
    return "; ".join([words, *(f"{line.bet} {_line_words(line, state)}" for line in state.money.lines)])


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(map(card_label, cards))


def _line_words(line: Line, state: HoldemState) -> str:
    if line.returned == 0:
        return "loses"
    if line.profit == 0:
        return "pushes"
    if line.bet == "ante":
        return f"pays {line.profit:,}, 1 to 1{_boost_words(state)}"
    if line.bet == "play":
        return f"pays {line.profit:,}, 1 to 1"
    kind, _ = BETS[line.bet]
    hand = rules.category_for(kind, state.cards)
    return f"pays {line.profit:,}{_price(line, hand)} for {_article(poker.CATEGORY_NAMES[hand])}{_WHERE[line.bet]}"


_WHERE = {"blind": "", "trips": "", "six_card": " with the four extra cards", "progressive": " on the flop"}


def _price(line: Line, hand: int) -> str:
    if line.bet == "blind":
        halves = rules.BLIND_HALVES[hand]
        return f", {halves // 2} to 1" if halves % 2 == 0 else f", {halves} to 2"
    return f", {line.profit // line.stake:,} to 1"


def _article(hand: str) -> str:
    return hand if hand.endswith("of a kind") else f"a {hand}"


def _boost_words(state: HoldemState) -> str:
    marked = [lit.id for lit in state.lit]
    boost = rules.boost_of(rules.player_rank(state.cards), state.hole, marked, len(marked))
    if boost == 1:
        return ""
    tenths = 10 + (boost - 1) * 10 * rules.BOOST_NUMERATOR // rules.BOOST_DENOMINATOR
    return f", boosted ×{decimal(tenths, 1)}"


def render_cards(view: MatchView[HoldemState]) -> str:
    """Return a view in Rich markup: the board between both hands, what they are worth, then the accounts."""
    state = view.game
    cards = state.cards
    yours = dealers = ""
    if len(state.board) >= 3:
        yours = hand_words(rank_hand(rules.hand_bits(cards, 0, 2 + len(state.board))))
    if state.dealer:
        dealers = hand_words(rules.dealer_rank(cards))
        if view.options.dealer_qualifies == "pair" and category(rules.dealer_rank(cards)) < poker.PAIR:
            dealers += "[dim], does not qualify[/dim]"
    rows = [
        _row("You", state.hole, 2, yours),
        _row("Board", state.board, 5, ""),
        _row("Dealer", state.dealer, 2, dealers),
    ]
    if state.extra:
        rows.append(_row("Extra", state.extra, 4, hand_words(rules.six_card_rank(cards)) + " with your two"))
    if view.result is None:
        rows += _prompt(state, view.turn.phase, view.options)
    return "\n".join([*rows, *accounts(state)])


def _row(name: str, cards: tuple[int, ...], size: int, words: str) -> str:
    shown = [f"[{'red' if is_red(card) else 'bold'}]{card_label(card):>4}[/]" for card in cards]
    shown += ["[dim]  ??[/dim]"] * (size - len(cards))
    return f"  {name:<8}{''.join(shown)}{'    ' * (5 - size)}  {words}".rstrip()


def _prompt(state: HoldemState, phase: str, options: HoldemOptions) -> list[str]:
    ante = state.stake
    if phase == "deal":
        return ["  [dim]Lay side bets (trips, six_card, progressive) if you like, then deal.[/dim]"]
    if phase == "preflop":
        raises = [f"{n * ante:,}" for n, on in ((4, options.play_4x), (3, options.play_3x)) if on]
        words = f"Play for {_either(raises)} more, or check." if raises else "Check to see the flop."
    elif phase == "flop":
        words = f"Play for {2 * ante:,} more, or check."
    elif phase == "river":
        words = f"Play for {ante:,} more, or fold and lose Ante and Blind."
    else:
        words = "Reveal the other cards."
    return [f"  [bold yellow]{words}[/bold yellow]"]
