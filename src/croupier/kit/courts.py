"""The court cards' figures: jack, queen and king, built from plain shapes and shown twice, head to head.

Each figure is drawn around the middle of the card, from its crown at y = -128 down to its sash at y = 0, and
once more turned over. Whole cards come from `kit.faces`.
"""

from __future__ import annotations

_GOLD = "#e3b448"
_SKIN = "#f7dfc6"
_LINE = "#1d2330"
_WHITE = "#fffdf8"
_RED, _BLUE = "#c4142c", "#2b4c86"
_FAIR, _BROWN, _GREY = "#a8692f", "#7a3b1e", "#6d6a66"
_STEM, _LEAF = "#1a7a3c", "#3c9a57"
_STEEL, _SHADE = "#dfe4ea", "#8b95a1"


def court(figure: int, suit_path: str, ink: str) -> str:
    """Return the framed drawing of a jack (0), queen (1) or king (2) of a suit, in the suit's colour."""
    trim = _BLUE if ink == _RED else _RED
    pip = f'<path data-part="pip" d="{suit_path}" fill="{ink}" transform="translate(-49 -103) scale(.36)"/>'
    half = _robe(ink, trim) + (_jack, _queen, _king)[figure](ink, trim) + pip
    frame = 'rect x="-75" y="-131" width="150" height="262" rx="5"'
    return (
        '<g transform="translate(125 175)" stroke-linejoin="round" stroke-linecap="round">'
        f'<{frame} fill="{ink}" fill-opacity=".06"/>'
        f'<g>{half}</g><g transform="rotate(180)">{half}</g>'
        f"{_sash(ink)}"
        f'<{frame} fill="none" stroke="{ink}" stroke-width="2"/></g>'
    )


def _robe(ink: str, trim: str) -> str:
    return (
        _shape("M-74 0V-22C-62-46-34-46-18-54H18C34-46 62-46 74-22V0Z", ink)
        + _shape("M-74 0V-22C-66-36-55-41-44-44L-52 0ZM74 0V-22C66-36 55-41 44-44L52 0Z", trim)
        + _stroke("M-44-44L-52 0M44-44L52 0", _GOLD, "4")
        + _shape("M-15-54H15L20 0H-20Z", _GOLD)
        + _stroke("M-11-36L0-26L11-36M-13-24L0-12L13-24", trim, "4")
    )


def _sash(ink: str) -> str:
    lozenges = "".join(f"M{x}-5l6 5l-6 5l-6-5z" for x in (-58, -40, 40, 58))
    return (
        f'<rect x="-75" y="-10" width="150" height="20" fill="{_GOLD}" stroke="{_LINE}" stroke-width="1.5"/>'
        f'<path d="{lozenges}" fill="{ink}"/>'
        f'<circle r="15" fill="{_WHITE}" stroke="{_LINE}" stroke-width="1.5"/>'
        f'<circle r="9" fill="{ink}" stroke="{_GOLD}" stroke-width="3"/>'
    )


def _jack(ink: str, trim: str) -> str:
    """A page with a feather in his cap and a pennant on his lance."""
    bob = "M-25-62C-30-84-26-104 0-106C26-104 30-84 25-62C20-58 16-60 14-64H-14C-16-60-20-58-25-62Z"
    return (
        _stroke("M50 0V-112", _LINE, "6")
        + _stroke("M50 0V-112", _GOLD, "3.5")
        + _shape("M50-127L57-109L50-101L43-109Z", _WHITE)
        + _shape("M48-98C57-102 61-94 70-98L66-88L70-78C61-74 57-82 48-78Z", trim)
        + _hand(50, -34)
        + _shape(bob, _FAIR)
        + _shape("M-10-58H10L22-50L8-40L0-50L-8-40L-22-50Z", _WHITE)
        + _face()
        + _shape("M18-104C20-118 30-127 41-126C36-122 37-112 24-101Z", _WHITE)
        + _shape("M-27-98C-30-120-10-126 6-122C22-120 28-110 27-98Z", ink)
        + _shape("M-29-99Q0-108 29-99V-92Q0-101-29-92Z", _GOLD)
        + _dot(20, -104, 4, trim)
    )


def _queen(ink: str, trim: str) -> str:
    """A lady in a ruff and a crown of pearls, with a flower in her hand."""
    waves = (
        "M0-107C28-107 30-82 29-66C28-54 36-48 32-36C24-32 16-38 14-46H-14C-16-38-24-32-32-36"
        "C-36-48-28-54-29-66C-30-82-28-107 0-107Z"
    )
    crown = "M-21-96L-27-114L-17-106L-14-118L-6-108L0-121L6-108L14-118L17-106L27-114L21-96Q0-103-21-96Z"
    pearls = ((-27, -115), (-14, -120), (0, -123), (14, -120), (27, -115))
    ruff = ((-24, -53), (24, -53), (-13, -49), (13, -49), (0, -47))
    petals = "".join(
        f'<circle cx="0" cy="-9" r="6.5" fill="{trim}" stroke="{_LINE}" stroke-width="1.2" '
        f'transform="translate(51 -92) rotate({angle})"/>'
        for angle in range(0, 360, 60)
    )
    return (
        _stroke("M50-26C56-48 48-66 51-88", _STEM, "4")
        + _shape("M52-58C58-68 68-66 70-72C72-60 64-52 52-54Z", _LEAF)
        + petals
        + _dot(51, -92, 6, _GOLD)
        + _hand(50, -32)
        + _shape(waves, _BROWN)
        + "".join(_dot(x, y, 8, _WHITE) for x, y in ruff)
        + _face()
        + _shape(crown, _GOLD)
        + "".join(_dot(x, y, 3, _WHITE) for x, y in pearls)
        + _dot(0, -105, 3, ink)
    )


def _king(ink: str, trim: str) -> str:
    """A bearded king in ermine under a closed crown, his sword upright."""
    curls = "M-24-70C-30-72-29-80-26-84C-29-96-22-104-12-104H12C22-104 29-96 26-84C29-80 30-72 24-70Z"
    cape = "M-14-58H14C24-54 32-52 38-46C34-34 20-28 0-26C-20-28-34-34-38-46C-32-52-24-54-14-58Z"
    tails = "".join(f"M{x} {y}l2 6h-4z" for x, y in ((-26, -46), (-14, -42), (0, -40), (14, -42), (26, -46)))
    beard = "M-18-80C-19-60-12-46 0-44C12-46 19-60 18-80C15-70 10-71 0-73C-10-71-15-70-18-80Z"
    cross = "M0-127V-115M-4-123H4"
    return (
        _shape("M46-44V-112L50-124L54-112V-44Z", _STEEL)
        + _stroke("M50-46V-110", _SHADE, "1.2")
        + _shape("M36-46H64V-40H36Z", _GOLD)
        + _stroke("M50-38V-24", _LINE, "6")
        + _dot(50, -19, 5, _GOLD)
        + _hand(50, -32)
        + _shape(curls, _GREY)
        + _shape(cape, _WHITE)
        + f'<path d="{tails}" fill="{_LINE}"/>'
        + _face()
        + _shape(beard, _GREY)
        + _stroke("M-4-64Q0-62 4-64", _SKIN, "2")
        + _shape("M-22-102C-26-116-14-120-8-112C-6-122 6-122 8-112C14-120 26-116 22-102Z", ink)
        + _shape("M-25-94L-29-112L-17-104L-22-94ZM25-94L29-112L17-104L22-94Z", _GOLD)
        + _shape("M-25-102Q0-110 25-102V-92Q0-100-25-92Z", _GOLD)
        + "".join(_dot(x, y, 3, trim) for x, y in ((-15, -99), (0, -101), (15, -99)))
        + _stroke(cross, _LINE, "5")
        + _stroke(cross, _GOLD, "2.5")
    )


def _face() -> str:
    return (
        _shape("M-17-88C-17-98-10-100 0-100C10-100 17-98 17-88C17-70 10-57 0-57C-10-57-17-70-17-88Z", _SKIN)
        + _stroke("M-12-87Q-8-90-4-87M12-87Q8-90 4-87M0-84L-2-74H1M-5-67Q0-64 5-67", _LINE, "1.4")
        + f'<circle cx="-8" cy="-83" r="1.8" fill="{_LINE}"/><circle cx="8" cy="-83" r="1.8" fill="{_LINE}"/>'
    )


def _hand(x: int, y: int) -> str:
    return _shape(f"M{x - 8} {y - 6}h13q5 6 0 12h-13q-4-6 0-12z", _SKIN)


def _shape(path: str, fill: str) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{_LINE}" stroke-width="1.5"/>'


def _dot(x: int, y: int, radius: int, fill: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{_LINE}" stroke-width="1.2"/>'


def _stroke(path: str, colour: str, width: str = "1.5") -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
