"""Cards as whole numbers from 0 to 51, and their names.

The thirteen spades come first, ace to king, then hearts, diamonds and clubs (docs/numbering.md):

    card = suit * 13 + rank0        0 ace of spades, 12 king of spades, 13 ace of hearts, 51 king of clubs

The functions from `is_card` to `draw_until` are in the numeric subset: a compiler can take them as they stand,
and they trust their input. Those after them deal in text and refuse what is no card with a `KitError`.
`HIDDEN` stands for a card that the viewer may not see; the naming functions know it, the numeric ones do not.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from croupier.draws import Stream, draw_card
from croupier.kit.errors import KitError
from croupier.kit.lit import lit_place

SUITS = ("S", "H", "D", "C")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
HIDDEN = 255  # one byte of ones, so that it never meets a card


def is_card(card: int) -> bool:
    """Tell whether the number is one of the 52 cards; `HIDDEN` is not."""
    return 0 <= card < 52


def rank0(card: int) -> int:
    """Return the rank counted from 0: ace 0, two 1, ... king 12."""
    return card % 13


def rank1(card: int) -> int:
    """Return the rank counted from 1, ace low: ace 1, two 2, ... king 13."""
    return card % 13 + 1


def rank_high(card: int) -> int:
    """Return the rank with the ace on top: two 2, ... king 13, ace 14.

    >>> rank_high(0), rank_high(1), rank_high(12)
    (14, 2, 13)
    """
    if card % 13 == 0:
        return 14
    return card % 13 + 1


def suit(card: int) -> int:
    """Return the suit: spades 0, hearts 1, diamonds 2, clubs 3."""
    return card // 13


def is_red(card: int) -> bool:
    """Tell whether the card is a heart or a diamond."""
    return card // 13 == 1 or card // 13 == 2


def draw_until(
    stream: Stream, cards: MutableSequence[int], known: int, wanted: int, pack: MutableSequence[int]
) -> None:
    """Draw cards until `wanted` of them are known, from the sorted pack without the first `known`.

    They are written in their places in the order drawn; `pack` is room for 52.
    """
    size = 0
    for card in range(52):
        if lit_place(card, cards, known) < 0:
            pack[size] = card
            size += 1
    for place in range(known, wanted):
        cards[place] = draw_card(stream, pack, size)
        size -= 1


_HIDDEN_NAME = "??"
_SUIT_SYMBOLS = ("♠", "♥", "♦", "♣")
_SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs")
_RANK_WORDS = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")

# Spelled out, because str.upper() would also let in look-alikes: the long s (U+017F) becomes an S.
_RANK_BY_TEXT = {text: index for index, rank in enumerate(RANKS) for text in (rank, rank.lower())}
_RANK_BY_TEXT |= {"T": 9, "t": 9}
_SUIT_BY_TEXT = {
    text: index
    for index, (letter, symbol) in enumerate(zip(SUITS, _SUIT_SYMBOLS, strict=True))
    for text in (letter, letter.lower(), symbol)
}


def card_name(card: int) -> str:
    """Return the card's short name in plain letters, as logs and payloads spell it.

    >>> card_name(0), card_name(9), card_name(51), card_name(HIDDEN)
    ('AS', '10S', 'KC', '??')
    """
    return RANKS[rank0(card)] + SUITS[suit(card)] if _is_shown(card) else _HIDDEN_NAME


def parse_card(text: str) -> int:
    """Return the card that a short name or a label stands for, in either case, ten as `10` or `T`.

    The name of a hidden card is refused: it names none.

    >>> parse_card("10h"), parse_card("TH"), parse_card("A♠")
    (22, 22, 0)
    """
    plain = text.removesuffix("\ufe0f")  # phones add this invisible mark to ask for a coloured suit
    rank_found = _RANK_BY_TEXT.get(plain[:-1])
    suit_found = _SUIT_BY_TEXT.get(plain[-1:])
    if rank_found is None or suit_found is None:
        raise KitError(
            f"{text!r} is no card: write a rank (A, 2 to 10 or T, J, Q, K), then a suit (S, H, D, C or ♠♥♦♣)"
        )
    return suit_found * 13 + rank_found


def card_label(card: int) -> str:
    """Return the card's name with its suit as a symbol, for screens.

    >>> card_label(0), card_label(22), card_label(HIDDEN)
    ('A♠', '10♥', '??')
    """
    return RANKS[rank0(card)] + _SUIT_SYMBOLS[suit(card)] if _is_shown(card) else _HIDDEN_NAME


def rank_word(rank: int, plural: bool = False) -> str:
    """Return a rank from 2 to 14, the ace, in words.

    >>> rank_word(14), rank_word(6, plural=True)
    ('ace', 'sixes')
    """
    word = _RANK_WORDS[(rank - 1) % 13]
    return f"{word}{'es' if word == 'six' else 's'}" if plural else word


def card_words(card: int) -> str:
    """Return the card in words, for screen readers and spoken logs.

    >>> card_words(0), card_words(22), card_words(HIDDEN)
    ('ace of spades', 'ten of hearts', 'face-down card')
    """
    return f"{_RANK_WORDS[rank0(card)]} of {_SUIT_WORDS[suit(card)]}" if _is_shown(card) else "face-down card"


def card_glyph(card: int) -> str:
    """Return the one Unicode character that shows the card; the back for a hidden one.

    >>> card_glyph(0), card_glyph(11), card_glyph(HIDDEN) == card_back_glyph()
    ('🂡', '🂭', True)
    """
    if not _is_shown(card):
        return card_back_glyph()
    # Unicode keeps a knight, the tarot's fourth court card, between jack and queen: step over it.
    knight_skip = 1 if rank1(card) >= 12 else 0
    return chr(0x1F0A0 + 16 * suit(card) + rank1(card) + knight_skip)


def card_back_glyph() -> str:
    """Return the Unicode character for the back of a card."""
    return "🂠"


def _is_shown(card: int) -> bool:
    """Tell whether a card is not hidden; a number that is no card is an error."""
    if not is_card(card) and card != HIDDEN:
        raise KitError(f"{card} is no card: cards are 0 to 51, and {HIDDEN} for a hidden one")
    return card != HIDDEN
