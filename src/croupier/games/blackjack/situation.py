"""Parser of the situations that players describe to the coach, such as `10,6:9`."""

from __future__ import annotations

from croupier.errors import BadOptions
from croupier.games.blackjack import rules
from croupier.kit.cards import RANKS, SUITS, card_label, parse_card
from croupier.kit.errors import KitError


def read_situation(text: str, decks: int, help_text: str) -> tuple[tuple[int, ...], int]:
    """Return the player's cards and the dealer's; a rank without a suit is any card of it that is left.

    >>> read_situation("10,6 : 9", 8, "")
    ((9, 5), 8)
    >>> read_situation("K♥ A:2", 1, "")
    ((25, 0), 1)
    """
    hand, colon, dealer = text.partition(":")
    names = [*hand.replace(",", " ").split(), *dealer.split()]
    if not colon or len(dealer.split()) != 1 or len(names) < 3:
        raise BadOptions(f"{text!r} is not a situation; give {help_text}")
    dealt: dict[int, int] = {}
    cards = [_card(name, dealt, decks, text, help_text) for name in names]
    own = cards[:-1]
    if len(own) > rules.CARDS_MAX or sum(map(rules.card_value, own)) > rules.TWENTY_ONE:
        raise BadOptions(f"{text!r}: {' '.join(map(card_label, own))} is more than {rules.TWENTY_ONE}")
    return tuple(own), cards[-1]


def _card(name: str, dealt: dict[int, int], decks: int, text: str, help_text: str) -> int:
    try:
        found = [parse_card(f"{name}{suit}") for suit in SUITS] if _is_rank(name) else [parse_card(name)]
    except KitError as error:
        raise BadOptions(f"{text!r} is not a situation ({error}); give {help_text}") from None
    for card in found:
        if dealt.get(card, 0) < decks:
            dealt[card] = dealt.get(card, 0) + 1
            return card
    raise BadOptions(f"{text!r}: there are not so many of {name} in {decks} deck{'s' if decks > 1 else ''}")


def _is_rank(name: str) -> bool:
    return name.upper() in (*RANKS, "T")
