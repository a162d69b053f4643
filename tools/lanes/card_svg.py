"""Cards as pictures: one SVG document a card, drawn from its data, with words for those who cannot see it.

A picture holds shapes and text alone: no script, no link, nothing to fetch. Ids in it begin with the id of the card, so
that many cards fit on one page. Lengths are whole numbers, and the same card is the same bytes everywhere.

    python -m tools.lanes.card_svg > cards.html

draws our own cards on a page for the browser.
"""

from __future__ import annotations

from textwrap import wrap
from xml.sax.saxutils import escape

from croupier.games.lanes.cards.card_set import CardSet, own_cards
from croupier.games.lanes.cards.text import Transfer, card_text
from croupier.games.lanes.cards.types import Card, Faction
from tools.lanes.card_art import scene

WIDTH, HEIGHT = 300, 420
PAPER, LIGHT, INK, FAINT = "#faf5e9", "#fffdf6", "#2a241c", "#e4dac4"
MARK = "#c2410c"  # one colour in every faction: what an ability reaches
PLAIN = Faction("plain", "Unaligned", "#6b6459")
COSTS = {1: "one pawn", 2: "two pawns", 3: "three pawns", "replace": "replaces one of your cards"}
CELL, GAP = 18, 2
PAWN_SHIFTS = {1: (0,), 2: (-4, 4), 3: (-5, 0, 5)}  # side by side in one cell


def card_svg(card: Card, cards: CardSet, transfer: Transfer = "own_lane") -> str:
    """Return a card of a set as an SVG document.

    `transfer` is the switch of the rules that `card_text` asks for.
    """
    faction = faction_of(card, cards)
    text = card_text(card, cards, transfer)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'role="img" aria-labelledby="{card.id}-title {card.id}-desc" '
            "font-family=\"Georgia, 'DejaVu Serif', serif\">",
            f'<title id="{card.id}-title">{escape(card.name)}</title>',
            f'<desc id="{card.id}-desc">{escape(card_label(card, faction, text))}</desc>',
            *_frame(card, faction),
            *scene(card, faction),
            *_header(card, faction),
            _at(18, 202, _pattern(card, faction.colour)),
            *_words(card, text),
            *_footer(card, faction),
            "</svg>",
        ]
    )


def card_label(card: Card, faction: Faction, text: str) -> str:
    """Return everything on a card as one paragraph, for those who listen.

    >>> card_label(Card("x", "X", "common", 2, 3, "B3P,C2X"), PLAIN, "No ability.")
    'Unaligned, common. Cost: two pawns. Power 3. Pawns: 1 ahead; 1 up. Marked: 1 up. No ability.'
    """
    pawns = [_direction(forward, down) for forward, down, kind in card.cells if kind in "PX"]
    marked = [_direction(forward, down) for forward, down, kind in card.cells if kind in "EX"]
    parts = [f"{faction.title}, {card.tier}.", f"Cost: {COSTS[card.cost]}.", f"Power {card.power}."]
    parts.append(f"Pawns: {'; '.join(pawns) or 'none'}.")
    if marked:
        parts.append(f"Marked: {'; '.join(marked)}.")
    return " ".join([*parts, text, card.flavour]).strip()


def _direction(forward: int, down: int) -> str:
    along = f"{abs(forward)} {'ahead' if forward > 0 else 'back'}" if forward else ""
    across = f"{abs(down)} {'down' if down > 0 else 'up'}" if down else ""
    return ", ".join(filter(None, [along, across]))


def faction_of(card: Card, cards: CardSet) -> Faction:
    """Return the faction of a card; a grey one for a card that has none."""
    return next((faction for faction in cards.factions if faction.id == card.faction), PLAIN)


def pattern_svg(card: Card, colour: str = PLAIN.colour) -> str:
    """Return the pattern alone as an SVG document: the card dark, pawns as pawns, marked tiles framed."""
    side = 5 * CELL + 4 * GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {side + 4} {side + 4}" width="{side + 4}" '
        f'height="{side + 4}" role="img" aria-labelledby="{card.id}-pattern">'
        f'<title id="{card.id}-pattern">Pattern of {escape(card.name)}</title>{_pattern(card, colour)}</svg>'
    )


def card_sheet(cards: CardSet) -> str:
    """Return all cards of a set side by side, as a page for a browser."""
    title = escape(cards.info.title or cards.info.id)
    return "\n".join(
        [
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>',
            '<body style="margin:12px;display:flex;flex-wrap:wrap;gap:10px;background:#d9d4c8">',
            *[card_svg(card, cards) for card in cards],
            "</body></html>\n",
        ]
    )


# --- Parts ------------------------------------------------------------------------------------------------------------


def _frame(card: Card, faction: Faction) -> list[str]:
    edge = {"common": "#3a3228", "rare": "#b8892b", "token": "#8d8573"}[card.tier]
    return [
        f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="16" fill="{edge}"/>',
        f'<rect x="6" y="6" width="{WIDTH - 12}" height="{HEIGHT - 12}" rx="13" fill="{faction.colour}"/>',
        f'<rect x="12" y="50" width="{WIDTH - 24}" height="{HEIGHT - 84}" rx="4" fill="{PAPER}"/>',
    ]


def _header(card: Card, faction: Faction) -> list[str]:
    if card.cost == "replace":
        signs, end = [_at(29, 30, _swap(LIGHT))], 44
    else:
        places = [25 + 16 * index for index in range(card.cost)]
        signs, end = [_at(x, 30, _pawn(LIGHT, 9)) for x in places], places[-1] + 9
    room = 242 - end
    size = min(18, room * 3 // (2 * len(card.name)))  # a bold letter is about two thirds as wide as the type is high
    name = (
        f'<text x="{end + room // 2}" y="35" text-anchor="middle" font-size="{size}" font-weight="bold" '
        f'fill="{LIGHT}">{escape(card.name)}</text>'
    )
    power = (
        f'<circle cx="267" cy="36" r="22" fill="{PAPER}" stroke="{faction.colour}" stroke-width="4"/>'
        f'<text x="267" y="45" text-anchor="middle" font-size="26" font-weight="bold" fill="{INK}">{card.power}</text>'
    )
    return [*signs, name, power]


def _pattern(card: Card, colour: str) -> str:
    kinds = {(forward, down): kind for forward, down, kind in card.cells}
    parts = []
    for down in range(-2, 3):
        for forward in range(-2, 3):
            x, y = (forward + 2) * (CELL + GAP), (down + 2) * (CELL + GAP)
            kind = kinds.get((forward, down), "")
            fill = INK if (forward, down) == (0, 0) else "#fbe3d3" if kind in ("E", "X") else FAINT
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="3" fill="{fill}"/>')
            if kind in ("E", "X"):
                parts.append(
                    f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="2" fill="none" '
                    f'stroke="{MARK}" stroke-width="2" stroke-dasharray="4 2"/>'
                )
            if kind in ("P", "X"):
                for shift in PAWN_SHIFTS[card.raise_]:
                    parts.append(_at(x + 9 + shift, y + 9, _pawn(colour, 6)))
    parts.append(f'<path d="M{2 * (CELL + GAP) + 6} {2 * (CELL + GAP) + 4}l7 5l-7 5z" fill="{PAPER}"/>')
    return "".join(parts)


def _words(card: Card, text: str) -> list[str]:
    """Set the text beside the pattern and the flavour below it, each in as large a type as fits."""
    size, lines = next(
        (size, lines)
        for size, columns in ((15, 17), (14, 19), (13, 20), (12, 22), (11, 25))
        if len(lines := wrap(text, columns)) * (size + 3) <= 110 or size == 11
    )
    top = 254 - (len(lines) * (size + 3)) // 2 + size
    parts = [_lines(lines, 128, top, size + 3, f'font-size="{size}" fill="{INK}"')]
    if card.flavour:
        parts.append('<path d="M30 322h240" stroke="#cfc3a8"/>')
        told = wrap(card.flavour, 35)
        style = 'font-size="14" font-style="italic" fill="#5c5142" text-anchor="middle"'
        parts.append(_lines(told, 150, 357 - 9 * (len(told) - 1), 18, style))
    return parts


def _lines(lines: list[str], x: int, y: int, step: int, style: str) -> str:
    spans = [f'<tspan x="{x}" y="{y + step * index}">{escape(line)}</tspan>' for index, line in enumerate(lines)]
    return f"<text {style}>{''.join(spans)}</text>"


def _footer(card: Card, faction: Faction) -> list[str]:
    style = f'font-size="12" fill="{LIGHT}" letter-spacing="1"'
    return [
        f'<text x="20" y="405" {style}>{escape(faction.title)}</text>',
        f'<text x="280" y="405" text-anchor="end" {style}>{card.tier} {escape(card.id)}</text>',
    ]


def _at(x: int, y: int, shapes: str) -> str:
    return f'<g transform="translate({x} {y})">{shapes}</g>'


def _pawn(colour: str, half: int) -> str:
    """Draw a pawn around the origin: a head, and a body that widens to its foot."""
    head = half * 2 // 5 + 1
    return (
        f'<path d="M{-half * 2 // 3} {half}q{half // 3} {-half * 2 // 3} {half // 3} {-half}h{half * 2 // 3}'
        f'q0 {half // 3} {half // 3} {half}z" fill="{colour}"/><circle cy="{-half // 2}" r="{head}" fill="{colour}"/>'
    )


def _swap(colour: str) -> str:
    """Draw two arrows, one each way: the sign of a replace card."""
    return (
        f'<g fill="none" stroke="{colour}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">'
        '<path d="M-11 -5h20l-6 -6"/><path d="M11 5h-20l6 6"/></g>'
    )


if __name__ == "__main__":
    print(card_sheet(own_cards()), end="")
