"""Actions as players type them, counted from 1 as the board counts: `mulligan 1,4`, `play Oil Seller mid 1`."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.engine import Action, act, refuse
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.duel import DuelView
from croupier.games.lanes.play.position import LANES, SIDES


def phrase(action: Action, duel: DuelView, cards: CardSet) -> str:
    """Return an action in the words that `understand` reads; nothing for one that has no words of its own."""
    if action.type == "mulligan":
        return f"mulligan {','.join(str(place + 1) for place in action.payload.get('indices', ()))}".rstrip()
    if action.type != "play":
        return ""
    place, lane, col = (action.payload[name] for name in ("hand_index", "lane", "col"))
    name = _names(duel, cards)[place]
    return f"play {name} {LANES[lane].lower()} {col + 1}"


def understand(line: str, duel: DuelView, cards: CardSet) -> Action | None:
    """Return the action that a line means: `mulligan 1,4`, `keep`, `play signal mid 3`, `play 5 mid-3`."""
    words = line.replace(",", " ").replace("-", " ").lower().split() or [""]
    if "=" in line or words[0] not in ("mulligan", "keep", "play"):
        return None
    if words[0] == "play":
        return _play(words[1:], duel, cards)
    count = len(_names(duel, cards))
    places = [] if words[0] == "keep" or words[1:] == ["none"] else words[1:]
    return act("mulligan", indices=tuple(_number(word, "card", count) for word in places))


def _play(words: Sequence[str], duel: DuelView, cards: CardSet) -> Action:
    if len(words) < 3:
        refuse("bad_action", "say which card and where, such as play 2 mid 3")
    *said, lane, column = words
    lanes = [number for number, name in enumerate(LANES) if name.lower().startswith(lane[:3])]
    if len(lanes) != 1:
        refuse("no_such_place", f"there is no lane {lane!r}: they are top, mid and bot")
    place = _card(" ".join(said), _names(duel, cards))
    return act("play", hand_index=place, lane=lanes[0], col=_number(column, "column", 5))


def _card(said: str, names: Sequence[str]) -> int:
    """Return the place in the hand of the card that is meant: by its number or the beginning of one of its words."""
    if said.isdecimal():
        return _number(said, "card", len(names))
    meant = {name: place for place, name in enumerate(names) if f" {said}" in f" {name.lower().replace('-', ' ')}"}
    if len(meant) > 1:
        refuse("no_such_card", f"{said!r} could be {' or '.join(meant)}")
    if not meant:
        refuse("no_such_card", f"you hold no {said!r}; you hold {', '.join(names)}")
    return next(iter(meant.values()))


def _number(word: str, what: str, count: int) -> int:
    """Return the index that a number counted from 1 means."""
    if not (word.isascii() and word.isdecimal() and len(word) < 4 and 1 <= int(word) <= count):
        code = "no_such_place" if what == "column" else "no_such_card"
        refuse(code, f"there is no {what} {word!r}: they are 1 to {count}")
    return int(word) - 1


def _names(duel: DuelView, cards: CardSet) -> list[str]:
    """Return the names of the cards in the viewer's hand."""
    if duel.side is None:
        return []
    return [cards.get_card(card_id).name for card_id in duel.hands[SIDES.index(duel.side)]]
