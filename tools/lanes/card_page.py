"""The gallery of a card set as a page: every card with its pattern, what it does, and the decks it is in.

`tools.site_pages` makes the page of our own set when the site is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from croupier.games.lanes.cards.card_set import CardSet, DeckList
from croupier.games.lanes.cards.text import pattern_rows
from croupier.games.lanes.cards.types import Card

COSTS = {1: "1 pawn", 2: "2 pawns", 3: "3 pawns", "replace": "a card of yours, which it replaces"}

HEAD = """# The cards of Lanes

{world}

How the game goes, and what the words on the cards mean, is told [on its own page](games/lanes.md); how the cards were
weighed against each other [on another](lanes-balance.md). A pattern shows the tiles around a card as side Y sees them,
who plays to the right: `@` is the card, `o` gets a pawn, `x` is a marked tile, where the card's abilities work, and `#`
is both. A deck has fifteen cards: two of a common at most, one of a rare, no tokens.

In a checkout of the repository, `python -m tools.lanes.card_svg > cards.html` draws them all on a page for the browser.
"""


def card_page(cards: CardSet, decks: Sequence[DeckList]) -> str:
    """Return the page: the factions with their cards, the tokens, the decks."""
    parts = [HEAD.format(world=fill(cards.world, 118)), _summary(cards)]
    for faction in cards.factions:
        parts.append(f"## {faction.title}\n\n{faction.text}")
        parts += [_entry(card, decks) for card in cards if card.faction == faction.id and card.tier != "token"]
    parts.append("## Tokens\n\nCards that only abilities bring.")
    parts += [_entry(card, decks) for card in cards if card.tier == "token"]
    parts.append("## Decks")
    parts += [_deck(deck, cards) for deck in decks]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _summary(cards: CardSet) -> str:
    columns = ("1", "2", "3", "replace")
    lines = ["| faction | cost 1 | cost 2 | cost 3 | replace | rare | tokens |", f"|{'---|' * 7}"]
    for faction in cards.factions:
        own = [card for card in cards if card.faction == faction.id]
        collectible = [card for card in own if card.tier != "token"]
        counts = [sum(1 for card in collectible if str(card.cost) == cost) for cost in columns]
        counts += [sum(1 for card in own if card.tier == tier) for tier in ("rare", "token")]
        lines.append(f"| [{faction.title}](#{_anchor(faction.title)}) | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)


def _entry(card: Card, decks: Sequence[DeckList]) -> str:
    facts = [f"{card.id}, {card.tier}", f"cost   {COSTS[card.cost]}", f"power  {card.power}", "", ""]
    rows = [f"{row}   {fact}".rstrip() for row, fact in zip(pattern_rows(card), facts, strict=True)]
    uses = [f"{deck.title}{' ×2' if deck.cards.count(card.id) == 2 else ''}" for deck in decks if card.id in deck.cards]
    where = f"\n\nIn {', '.join(uses)}." if uses else ""
    return "\n".join([f"### {card.name}", "", "```text", *rows, "```", "", f"{card.text} *{card.flavour}*{where}"])


def _deck(deck: DeckList, cards: CardSet) -> str:
    kind = "A starter. " if deck.starter else ""
    listed = [
        f"- {deck.cards.count(card_id)} × [{cards.get_card(card_id).name}](#{_anchor(cards.get_card(card_id).name)})"
        for card_id in dict.fromkeys(deck.cards)
    ]
    return "\n".join([f"### {deck.title}", "", f"`{deck.id}`. {kind}{deck.plan}", "", *listed])


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")
