"""The scene on a card: the bay at low water with what its people bring there, as SVG shapes.

Every faction has a motif of its own, drawn once for each pawn that the card costs; where it stands, and what the sky
and the water do, follows from the card's id.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.games.lanes.cards.types import Card, Faction

Motif = Callable[[str, int], str]

LEFT, TOP, WIDE, HIGH = 12, 50, 276, 136
HORIZON = TOP + 70
FOOT = TOP + HIGH
SIZES = {1: "1.05", 2: "0.95", 3: "0.78"}  # of a motif, by how many stand there
DARK, PALE = "#1c1a17", "#fff8e6"
COIN, FLAME, WOOD, STALK = "#f2c14e", "#e2571b", "#7a4a2b", "#6b4423"


def mixed(first: str, second: str, percent: int) -> str:
    """Return a colour between two: `percent` of the second.

    >>> mixed("#000000", "#ffffff", 50)
    '#7f7f7f'
    """
    channels = [
        (int(first[at : at + 2], 16) * (100 - percent) + int(second[at : at + 2], 16) * percent) // 100
        for at in (1, 3, 5)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def scene(card: Card, faction: Faction) -> list[str]:
    """Return the shapes of the scene, cut to its window."""
    chosen = sum(card.id.encode())  # tells neighbours apart, and is the same everywhere
    colour = faction.colour
    count = 2 if card.cost == "replace" else card.cost
    span = WIDE // count
    motif = MOTIFS.get(faction.id, _stone)
    sun = LEFT + 30 + chosen * 37 % (WIDE - 60)
    window = f'x="{LEFT}" y="{TOP}" width="{WIDE}" height="{HIGH}" rx="4"'
    parts = [
        f'<clipPath id="{card.id}-window"><rect {window}/></clipPath>',
        _fading(f"{card.id}-sky", mixed(colour, DARK, 55), mixed(colour, PALE, 65)),
        _fading(f"{card.id}-bay", mixed(colour, PALE, 45), mixed(colour, DARK, 45)),
        f'<g clip-path="url(#{card.id}-window)">',
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDE}" height="{HORIZON - TOP + 1}" fill="url(#{card.id}-sky)"/>',
        _circle(sun, TOP + 26 + chosen % 23, 13 + chosen % 6, PALE, opacity="0.85"),
        _hills(chosen, mixed(colour, DARK, 35)),
        f'<rect x="{LEFT}" y="{HORIZON}" width="{WIDE}" height="{HIGH}" fill="url(#{card.id}-bay)"/>',
        _causeways(mixed(colour, PALE, 75)),
        _ripples(chosen, mixed(colour, PALE, 60)),
    ]
    for index in range(count):
        x = LEFT + span // 2 + span * index + chosen * (7 + index) % 31 - 15
        y = FOOT - 14 - 9 * (index % 2)
        parts.append(f'<g transform="translate({x} {y}) scale({SIZES[count]})">{motif(colour, index)}</g>')
    parts += ["</g>", f'<rect {window} fill="none" stroke="{mixed(colour, DARK, 40)}" stroke-width="2"/>']
    return parts


def _hills(chosen: int, colour: str) -> str:
    first, second = 10 + chosen % 17, 6 + chosen % 11
    outline = f"M{LEFT} {HORIZON}q46 {-first} 92 0q50 {-second} 100 0q42 {-first} 84 0z"
    return _path(outline, colour, opacity="0.75")


def _causeways(colour: str) -> str:
    """Draw the three roads: they leave the lower edge apart and meet at the horizon."""
    middle = LEFT + WIDE // 2
    roads = [
        f"M{middle + 6 * way - 1} {HORIZON}L{middle + 92 * way - 9} {FOOT}h18L{middle + 6 * way + 1} {HORIZON}z"
        for way in (-1, 0, 1)
    ]
    return _path("".join(roads), colour, opacity="0.7")


def _ripples(chosen: int, colour: str) -> str:
    waves = [
        f"M{LEFT + (chosen * 13 + index * 67) % WIDE} {HORIZON + 8 + index * 7}q6 -3 12 0t12 0" for index in range(9)
    ]
    return _path("".join(waves), "none", colour, 2, opacity="0.8")


# --- Motifs: each stands with its foot at the origin and is about 90 high ---------------------------------------------


def _lamp(colour: str, index: int) -> str:
    return (
        _circle(0, -70, 34, "#ffe9a8", opacity="0.35")
        + _circle(0, -70, 21, "#ffefbd", opacity="0.55")
        + _path("M-3 0v-52h6v52zM-11 0l6 -6h10l6 6z", DARK)
        + _path("M-10 -52h20l4 -28h-28z", "#fff3c4", DARK)
        + _path("M-17 -80h34l-17 -15z", DARK)
        + _path("M0 -74q9 10 0 18q-9 -8 0 -18z", mixed(colour, FLAME, 40))
    )


def _reeds(colour: str, index: int) -> str:
    stems = ""
    for bend, height in ((-18, 72), (-7, 92), (4, 80), (15, 62)):
        lean = bend + (3 if index % 2 else -3)
        stems += _path(f"M{bend // 2} 0Q{bend // 2} {-height // 2} {lean} {-height}", "none", mixed(colour, DARK, 45))
        stems += f'<rect x="{lean - 4}" y="{-height - 4}" width="8" height="26" rx="4" fill="{STALK}"/>'
    leaves = "M0 0q-26 -18 -34 -46q22 16 34 46q10 -30 36 -40q-10 28 -36 40z"
    return stems + _path(leaves, mixed(colour, PALE, 12))


def _gate(colour: str, index: int) -> str:
    stone, line = mixed(colour, PALE, 55), mixed(colour, DARK, 55)
    wall = "M-34 0v-66h8v-10h10v10h9v-10h14v10h9v-10h10v10h8v66h-20v-28q-14 -22 -28 0v28z"
    return (
        _path(wall, stone, line)
        + _path("M-14 0v-24q14 -20 28 0v24", DARK, opacity="0.75")
        + _path("M-7 -34v34m7 -38v38m7 -34v34", "none", stone, 2)
        + _circle(0, -52, 8, COIN, line)
    )


def _wreck(colour: str, index: int) -> str:
    wood, dark = mixed(WOOD, colour, 25), mixed(colour, DARK, 65)
    hull = _path("M-42 -26q40 14 78 -6l-12 30q-30 12 -54 2z", wood, dark)
    plank = _path("M-30 -12q30 9 58 -4", "none", dark, 2)
    mast = _path("M-6 -22l4 -68l5 2l-2 66zM-22 -66l44 -8l1 4l-44 8z", dark)
    rag = _path("M3 -66l22 -3l-4 30l-9 -9l-8 8z", mixed(colour, PALE, 35))
    return f'<g transform="rotate({-12 if index % 2 else 10})">{hull}{plank}{mast}{rag}</g>'


def _moth(colour: str, index: int) -> str:
    wing, line = mixed(colour, PALE, 45), mixed(colour, DARK, 50)
    left = "M0 -52q-16 -36 -46 -28q-4 26 22 36q-18 4 -16 24q26 8 40 -22"
    right = "q14 30 40 22q2 -20 -16 -24q26 -10 22 -36q-30 -8 -46 28z"
    return (
        _path(left + right, wing, line)
        + _circle(-24, -60, 6, line)
        + _circle(24, -60, 6, line)
        + _path("M-3 -64h6v40l-3 6l-3 -6z", DARK)
        + _path("M-2 -64q-4 -14 -14 -16m18 16q4 -14 14 -16", "none", DARK, 2)
        + _path("M-70 -8h60m20 0h70m-120 10h90", "none", PALE, 7, opacity="0.5")
    )


def _stone(colour: str, index: int) -> str:
    return _path("M-16 0l4 -62q12 -16 24 0l4 62z", mixed(colour, PALE, 30), mixed(colour, DARK, 50))


MOTIFS: dict[str, Motif] = {
    "lampwrights": _lamp,
    "reedfolk": _reeds,
    "tollkeepers": _gate,
    "wreckers": _wreck,
    "fogcourt": _moth,
}


# --- Shapes -----------------------------------------------------------------------------------------------------------


def _path(outline: str, fill: str, line: str = "", width: int = 3, *, opacity: str = "1") -> str:
    drawn = f' stroke="{line}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"' if line else ""
    return f'<path d="{outline}" fill="{fill}"{drawn}{_seen(opacity)}/>'


def _circle(x: int, y: int, radius: int, fill: str, line: str = "", *, opacity: str = "1") -> str:
    drawn = f' stroke="{line}" stroke-width="2"' if line else ""
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"{drawn}{_seen(opacity)}/>'


def _seen(opacity: str) -> str:
    return "" if opacity == "1" else f' opacity="{opacity}"'


def _fading(name: str, top: str, foot: str) -> str:
    stops = f'<stop offset="0" stop-color="{top}"/><stop offset="1" stop-color="{foot}"/>'
    return f'<linearGradient id="{name}" x2="0" y2="1">{stops}</linearGradient>'
