"""Cards, dice and chips as pictures: SVG text that can stand in a page as it is.

The drawings are made of plain shapes with their colours in attributes: no ids, styles, fonts or files, so any
number of them share a page without touching each other. Each says what it shows to a screen reader. The same
call gives the same text. Cards are 250 by 350 units, dice and chips 100 by 100; CSS may give them any size.

Pips are marked `data-part="pip"`: as many as the rank says, and two on a court card.
"""

from __future__ import annotations

from croupier.kit.cards import HIDDEN, RANKS, card_words, rank0, rank1, suit
from croupier.kit.courts import court
from croupier.kit.dice import require_face
from croupier.kit.errors import KitError

_DARK = "#1d2330"

# Suit shapes in a box of 100 by 100 around the origin: spade, heart, diamond, club.
_SUIT_PATHS = (
    "M0-50C10-28 45-10 45 15C45 30 35 38 25 38C15 38 7 32 3 24C4 36 9 44 18 50H-18C-9 44-4 36-3 24"
    "C-7 32-15 38-25 38C-35 38-45 30-45 15C-45-10-10-28 0-50Z",
    "M0 48C-10 26-46 6-46-20C-46-36-35-46-22-46C-11-46-3-39 0-29C3-39 11-46 22-46C35-46 46-36 46-20C46 6 10 26 0 48Z",
    "M0-50C9-32 24-13 38 0C24 13 9 32 0 50C-9 32-24 13-38 0C-24-13-9-32 0-50Z",
    "M-8-8A22 22 0 1 1 8-8A22 22 0 1 1 3 22C4 35 9 44 18 50H-18C-9 44-4 35-3 22A22 22 0 1 1-8-8Z",
)
_TWO_INKS = (_DARK, "#c4142c", "#c4142c", _DARK)
_FOUR_INKS = (_DARK, "#c4142c", "#1560b0", "#1a7a3c")

_PAPER = "#fffdf8"
_OUTLINE = f'fill="{_PAPER}" stroke="#b9b4a7" stroke-width="2"'
_NAVY, _GOLD = "#1f3a68", "#e7c66b"
_CARD_EDGE = f'<rect x="1" y="1" width="248" height="348" rx="16" {_OUTLINE}/>'

_LEFT, _MIDDLE, _RIGHT = 80, 125, 170
_SIDES_2 = ((_LEFT, 61), (_RIGHT, 61), (_LEFT, 289), (_RIGHT, 289))
_SIDES_3 = (*_SIDES_2, (_LEFT, 175), (_RIGHT, 175))
_SIDES_4 = (*_SIDES_2, (_LEFT, 137), (_RIGHT, 137), (_LEFT, 213), (_RIGHT, 213))
_CENTRE = (_MIDDLE, 175)
# Where the pips of each rank stand, ace to ten.
_PIP_PLACES: tuple[tuple[tuple[int, int], ...], ...] = (
    (_CENTRE,),
    ((_MIDDLE, 61), (_MIDDLE, 289)),
    ((_MIDDLE, 61), _CENTRE, (_MIDDLE, 289)),
    _SIDES_2,
    (*_SIDES_2, _CENTRE),
    _SIDES_3,
    (*_SIDES_3, (_MIDDLE, 118)),
    (*_SIDES_3, (_MIDDLE, 118), (_MIDDLE, 232)),
    (*_SIDES_4, _CENTRE),
    (*_SIDES_4, (_MIDDLE, 99), (_MIDDLE, 251)),
)


def card_svg(card: int, *, four_colour: bool = False) -> str:
    """Return the face of a card; the back for a hidden one.

    With `four_colour` diamonds are blue and clubs green, which is easier to tell apart at a glance.
    """
    if card == HIDDEN:
        return card_back_svg()
    words = card_words(card)  # refuses what is no card
    ink = (_FOUR_INKS if four_colour else _TWO_INKS)[suit(card)]
    corner = _corner(card, ink)
    if rank0(card) >= 10:
        middle = court(rank0(card) - 10, _SUIT_PATHS[suit(card)], ink)
    else:
        middle = "".join(_pip(card, x, y, ink) for x, y in _PIP_PLACES[rank0(card)])
    turned = f'<g transform="rotate(180 125 175)">{corner}</g>'
    return _picture(words, 250, 350, _CARD_EDGE + corner + turned + middle)


def card_back_svg() -> str:
    """Return the back that all cards share; it looks the same upside down."""
    diamonds = "".join(
        f"M{x} {y - 9}l7 9l-7 9l-7-9z"
        for row, y in enumerate(range(43, 308, 12))
        for x in range(44 if row % 2 else 53, 210, 18)
    )
    petal = "M125 175C110 160 110 140 125 128C140 140 140 160 125 175Z"
    petals = "".join(
        f'<path d="{petal}" fill="{_GOLD}" transform="rotate({angle} 125 175)"/>' for angle in range(0, 360, 45)
    )
    return _picture(
        card_words(HIDDEN),
        250,
        350,
        f"{_CARD_EDGE}"
        f'<rect x="14" y="14" width="222" height="322" rx="10" fill="{_NAVY}"/>'
        f'<rect x="22" y="22" width="206" height="306" rx="6" fill="none" stroke="{_GOLD}" stroke-width="2"/>'
        f'<path d="{diamonds}" fill="#31578f"/>'
        f'<circle cx="125" cy="175" r="58" fill="{_NAVY}" stroke="{_GOLD}" stroke-width="3"/>'
        f"{petals}"
        f'<circle cx="125" cy="175" r="9" fill="{_NAVY}" stroke="{_GOLD}" stroke-width="3"/>',
    )


def _corner(card: int, ink: str) -> str:
    # Fixed width, so that the ten fits the corner whatever font the reader has.
    width = 'textLength="34" lengthAdjust="spacingAndGlyphs" ' if rank1(card) == 10 else ""
    return (
        f'<text x="27" y="45" text-anchor="middle" font-family="serif" font-weight="bold" font-size="38" '
        f'{width}fill="{ink}">{RANKS[rank0(card)]}</text>'
        f'<path d="{_SUIT_PATHS[suit(card)]}" fill="{ink}" transform="translate(27 68) scale(.28)"/>'
    )


def _pip(card: int, x: int, y: int, ink: str) -> str:
    scale = "1.3" if rank0(card) == 0 else ".44"
    turn = " rotate(180)" if y > 175 else ""
    return (
        f'<path data-part="pip" d="{_SUIT_PATHS[suit(card)]}" fill="{ink}" '
        f'transform="translate({x} {y}){turn} scale({scale})"/>'
    )


_DIE_PIPS = (
    ((50, 48),),
    ((27, 25), (73, 71)),
    ((27, 25), (50, 48), (73, 71)),
    ((27, 25), (73, 25), (27, 71), (73, 71)),
    ((27, 25), (73, 25), (50, 48), (27, 71), (73, 71)),
    ((27, 25), (73, 25), (27, 48), (73, 48), (27, 71), (73, 71)),
)


def die_svg(face: int) -> str:
    """Return one face of a six-sided die, lying as `dice_art` shows it."""
    pips = "".join(
        f'<circle data-part="pip" cx="{x}" cy="{y}" r="9" fill="{_DARK}"/>'
        for x, y in _DIE_PIPS[require_face(face) - 1]
    )
    return _picture(
        f"die showing {face}",
        100,
        100,
        '<rect x="3" y="3" width="94" height="94" rx="18" fill="#d9d4c5"/>'
        f'<rect x="3" y="3" width="94" height="90" rx="18" {_OUTLINE}/>{pips}',
    )


# The lowest value of each colour, the body, and what is printed on it.
_CHIP_COLOURS = (
    (1, "#e9e6dc", _DARK),
    (5, "#c4142c", "#ffffff"),
    (25, "#1a7a3c", "#ffffff"),
    (100, "#23262e", "#ffffff"),
    (500, "#6b3fa0", "#ffffff"),
    (1_000, "#e0a526", _DARK),
    (5_000, "#8a4b24", "#ffffff"),
    (25_000, "#1f7f93", "#ffffff"),
    (100_000, "#c2477f", "#ffffff"),
)
_CHIP_MAX = 2**63 - 1  # chips are counted in 63 bits
_UNITS = ((10**15, "Q"), (10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))


def chip_svg(value: int) -> str:
    """Return a chip with its value on it, coloured by the largest usual chip that is not above it.

    Long values are cut, never rounded up, to fit: 1,250,000 shows as 1.2M. The title says them in full.
    """
    if not 1 <= value <= _CHIP_MAX:
        raise KitError(f"a chip of {value}: chips are worth 1 to {_CHIP_MAX}")
    body, ink = next((body, ink) for lowest, body, ink in reversed(_CHIP_COLOURS) if value >= lowest)
    label = _short(value)
    spots = "".join(
        f'<path d="M41 4.5A46.5 46.5 0 0 1 59 4.5L56.4 19A31.5 31.5 0 0 0 43.6 19Z" fill="{ink}" '
        f'transform="rotate({angle} 50 50)"/>'
        for angle in range(0, 360, 45)
    )
    size = (34, 34, 30, 24, 20, 17)[len(label)]
    return _picture(
        f"chip worth {value}",
        100,
        100,
        f'<circle cx="50" cy="50" r="47" fill="{body}" stroke="#15181f" stroke-width="1"/>'
        f"{spots}"
        f'<circle cx="50" cy="50" r="31" fill="{body}" stroke="{ink}" stroke-width="2"/>'
        f'<circle cx="50" cy="50" r="27" fill="none" stroke="{ink}" opacity=".4" stroke-dasharray="3 3"/>'
        f'<text x="50" y="50" dy=".35em" text-anchor="middle" font-family="sans-serif" font-weight="bold" '
        f'font-size="{size}" fill="{ink}">{label}</text>',
    )


def _short(value: int) -> str:
    """Return at most five characters: `500`, `2500`, `10K`, `1.2M`, `9223Q`."""
    if value < 10_000 and value % 1_000:
        return str(value)
    unit, letter = next((unit, letter) for unit, letter in _UNITS if value >= unit)
    whole, tenth = value // unit, value % unit * 10 // unit
    return f"{whole}.{tenth}{letter}" if tenth and whole < 100 else f"{whole}{letter}"


def _picture(title: str, width: int, height: int, drawing: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><title>{title}</title>{drawing}</svg>'
    )
