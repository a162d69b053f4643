"""The board as text, 80 columns wide: tiles with pawns or cards, the power of every lane, the viewer's hand.

Tiles where a card of the hand may be played are lit, with the places of those cards in the hand.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from croupier.engine import MatchView
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.cards.text import card_text, pattern_rows
from croupier.games.lanes.cards.types import Card
from croupier.games.lanes.play.duel import HIDDEN, DuelView
from croupier.games.lanes.play.position import LANES, SIDES, PlacedCard, Side, Tile
from croupier.games.lanes.play.scores import LaneScore
from croupier.kit.markup import escape_markup

COLOURS = {"Y": "cyan", "E": "magenta"}
LIT = "black on green"
INSIDE = 12  # columns inside a tile
COLUMNS = 5
CARD_WIDTH = 16  # columns for a card of the hand: five in a row
MARKS = {"enhanced": "▲", "enfeebled": "▼", "plain": " "}
PAWN = "●"


def render_duel(view: MatchView[Any], cards: CardSet) -> str:
    """Return a view in Rich markup."""
    duel: DuelView = view.game
    names = {player.id: escape_markup(player.name or player.id) for player in view.players}
    heading = [_who(side, names[player], duel, view.status) for side, player in zip(SIDES, duel.players, strict=True)]
    lit = _lit(duel) if view.turn.phase == "play" else {}
    lines = [*heading, "", *_board(duel, cards, lit), *_totals(duel)]
    if duel.side is not None:
        lines += ["", *_hand(duel, cards)]
    return "\n".join(lines)


def _who(side: Side, name: str, duel: DuelView, status: str) -> str:
    number = SIDES.index(side)
    arrow = "▶" if duel.side_to_act == side and status == "active" else " "
    forward = "plays to the right" if side == "Y" else "plays to the left"
    facts = f"hand {len(duel.hands[number])}, deck {duel.deck_counts[number]}"
    known = [card_id for card_id in duel.hands[number] if card_id != HIDDEN and duel.side != side]
    seen = f", of the hand known: {' '.join(known)}" if known else ""
    return f"{arrow} [bold {COLOURS[side]}]{side} {name}[/] [dim]{forward}, {facts}{seen}[/]"


# --- The board --------------------------------------------------------------------------------------------------------


def _board(duel: DuelView, cards: CardSet, lit: dict[int, tuple[int, ...]]) -> list[str]:
    lines = [
        "       " + "".join(f"{column:^{INSIDE + 1}}" for column in range(1, COLUMNS + 1)).rstrip(),
        _rule("┌", "┬", "┐"),
    ]
    for lane, score in enumerate(duel.lanes):
        tiles = [_tile(tile, lit.get(5 * lane + tile.col, ()), cards) for tile in duel.tiles[5 * lane : 5 * lane + 5]]
        left, right = _lane_labels(lane, score)
        for row in range(3):
            inside = "│".join(tile[row] for tile in tiles)
            lines.append(f"{left[row]} │{inside}│ {right[row]}".rstrip())
        lines.append(_rule("├", "┼", "┤") if lane < 2 else _rule("└", "┴", "┘"))
    return lines


def _rule(first: str, middle: str, last: str) -> str:
    return "      " + first + middle.join(["─" * INSIDE] * COLUMNS) + last


def _lane_labels(lane: int, score: LaneScore) -> tuple[list[str], list[str]]:
    """Return what stands to the left and right of a lane: its name, both powers, and the winner's points."""
    left = [f"{LANES[lane]:<5}", _power("Y", score.power_you, score), "     "]
    right = ["", _power("E", score.power_enemy, score), ""]
    if score.winner == "Y":
        left[2] = f"[green]{f'+{score.lane_points}':>5}[/]"
    elif score.winner == "E":
        right[2] = f"[green]+{score.lane_points}[/]"
    return left, right


def _power(side: Side, power: int, score: LaneScore) -> str:
    style = f"bold {COLOURS[side]}" if score.winner == side else COLOURS[side]
    return f"[{style}]{power:>5}[/]" if side == "Y" else f"[{style}]{power}[/]"


def _lit(duel: DuelView) -> dict[int, tuple[int, ...]]:
    """Return, by tile, the places in the viewer's hand, from 1, of the cards that may be played there now."""
    if duel.side != duel.side_to_act or duel.over:
        return {}
    found: dict[int, tuple[int, ...]] = {}
    for place, tiles in enumerate(duel.playable):
        for tile in tiles:
            found[tile] = (*found.get(tile, ()), place + 1)
    return found


def _tile(tile: Tile, places: tuple[int, ...], cards: CardSet) -> list[str]:
    """Return the three rows of a tile, each as wide as a tile is."""
    playable = " ".join(map(str, places))
    if tile.card is None:
        colour = COLOURS.get(tile.owner, "dim")
        pawns = f"{tile.owner} {PAWN * tile.rank}" if tile.rank else "·"
        return [_row(pawns, colour), _aura(tile), _row(playable, LIT if places else "")]
    placed = tile.card
    colour = COLOURS[placed.side]
    name = [*wrap(cards.get_card(placed.card_id).name, INSIDE), ""]
    power = _power_of(placed)
    style = LIT if places else f"bold {colour}"
    return [_row(name[0], colour), _row(name[1], colour), _row(f"{power} ({playable})" if places else power, style)]


def _row(text: str, style: str) -> str:
    """Return text in the middle of a tile; what is too long is cut."""
    row = escape_markup(f"{text[:INSIDE]:^{INSIDE}}")
    return f"[{style}]{row}[/]" if style else row


def _power_of(placed: PlacedCard) -> str:
    change = placed.power - placed.base
    how = f" {MARKS[placed.status]}{change:+d}" if change or placed.status != "plain" else ""
    return f"{placed.side} {placed.power}{how}"


def _aura(tile: Tile) -> str:
    """Return what the auras on an empty tile would do to a card of each side."""
    marks = [(side, amount) for side, amount in zip(SIDES, tile.aura, strict=True) if amount]
    text = " ".join(f"{side}{amount:+d}" for side, amount in marks)
    return _row(text, "dim")


def _totals(duel: DuelView) -> list[str]:
    totals = [sum(lane.lane_points for lane in duel.lanes if lane.winner == side) for side in SIDES]
    you, enemy = (f"[bold {COLOURS[side]}]{side} {total}[/]" for side, total in zip(SIDES, totals, strict=True))
    passed = "  [dim]the last turn was passed: one more pass ends the match[/]" if duel.passes == 1 else ""
    return [f"score  {you} : {enemy}{passed}"]


# --- The hand ---------------------------------------------------------------------------------------------------------


def _hand(duel: DuelView, cards: CardSet) -> list[str]:
    assert duel.side is not None
    hand = [cards.get_card(card_id) for card_id in duel.hands[SIDES.index(duel.side)]]
    if not hand:
        return ["[dim]your hand is empty[/]"]
    lines = []
    for first in range(0, len(hand), 5):
        placed = list(enumerate(hand[first : first + 5], first))
        blocks = [_block(place, card, duel) for place, card in placed]
        rows = ["".join(row).rstrip() for row in zip(*blocks, strict=True)]
        lines += (
            [*rows, ""] if any(len(_names(place, card)) > 1 for place, card in placed) else [rows[0], *rows[2:], ""]
        )
    told: dict[str, list[int]] = {}
    for place, card in enumerate(hand):
        if card.abilities or card.raise_ > 1:
            told.setdefault(card.id, []).append(place + 1)
    for card_id, places in told.items():
        card = cards.get_card(card_id)
        text = f"{', '.join(map(str, places))} {card.name}: {card_text(card, cards, duel.rules.transfer)}"
        lines += [f"[dim]{escape_markup(line)}[/]" for line in wrap(text, 78, subsequent_indent="  ")]
    forward = "right" if duel.side == "Y" else "left"
    lines.append(f"[dim]@ the card   o pawns   x its ability   # both   forward is to the {forward}[/]")
    return lines


def _block(place: int, card: Card, duel: DuelView) -> list[str]:
    """Return a card of the hand: its place and name, cost and power, and its pattern as its side plays it."""
    width = CARD_WIDTH - 1
    cost = "replace" if card.cost == "replace" else PAWN * card.cost
    can = bool(duel.playable[place]) and duel.side == duel.side_to_act
    style = "bold green" if can else "bold"
    names = [*_names(place, card), ""][:2]
    pattern = [row if duel.side == "Y" else row[::-1] for row in pattern_rows(card)]
    return [
        *[f"[{style}]{escape_markup(f'{name:<{width}}')}[/] " for name in names],
        *[f"{row:<{CARD_WIDTH}}" for row in (f"{cost}  power {card.power}", *pattern)],
    ]


def _names(place: int, card: Card) -> list[str]:
    """Return a card's place, from 1, and its name, in one or two lines: two will do for any name of 22 characters."""
    return wrap(f"{place + 1} {card.name}", CARD_WIDTH - 1, subsequent_indent="  ")
