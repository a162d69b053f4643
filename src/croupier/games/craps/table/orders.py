"""Signed bets: the bytes of the order that an action needs, and the action that an order means.

An order names the verb and the bet as it will lie on the table (as it lies, where it is removed). Whoever takes an
order works out the action it means, and that the bet then lies there exactly as signed: number, stake, mode, and
whether it works on the next roll.
"""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

from croupier.engine import Action, Match, Refused, apply_action
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.messages import Verb
from croupier.games.craps.bets import name_of, read_name
from croupier.games.craps.layout import CrapsTable, LiveBet
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import ids
from croupier.games.craps.table.game import SharedCraps
from croupier.games.craps.table.state import SharedTable

GAME = SharedCraps()
SECOND_MODES = ("buy", "lose")
FIELDS = 7  # the tag, and what `live_bet` puts behind it


class SignedBet(NamedTuple):
    """Bet read from signed bytes."""

    key: str
    id: int
    number: int
    stake: int
    mode: str
    working: bool


def bet_bytes(key: str, bet: LiveBet, table: CrapsTable, book: PriceBook) -> bytes:
    """Return a bet that is up as it is signed."""
    return live_bet(key, bet.id, bet.number, bet.stake, bet.mode_word(book), bet.works(table))


def read_bet(data: bytes) -> SignedBet | None:
    """Return what the bytes of a bet say; None if they are not written as `live_bet` writes them."""
    fields, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        fields.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    if len(fields) != FIELDS:
        return None
    _, key, bet, number, stake, mode, working = fields
    found = SignedBet(
        key.hex(),
        int.from_bytes(bet, "big"),
        int.from_bytes(number, "big"),
        int.from_bytes(stake, "big"),
        mode.decode("latin-1"),
        working == b"\x01",
    )
    is_written_so = mode.isascii() and len(stake) <= 8 and len(bet) <= 4 and len(number) <= 4
    return found if is_written_so and live_bet(*found) == data else None


def order_for(match: Match[SharedTable], action: Action) -> tuple[Verb, bytes] | Refused[SharedTable]:
    """Return the verb and the bytes of the order that an action about a bet needs, or why there is none.

    An order does not say everything that an action can: no bet is kept up, and none switched for other rolls alone.
    """
    order = _order(match, action)
    if isinstance(order, Refused):
        return order
    signed = read_bet(order[1])
    assert signed is not None
    meant = apply_action(GAME, match, _action(match, order[0], signed))
    if not meant.ok or meant.state.game != apply_action(GAME, match, action).state.game:
        return Refused("order_differs", "a signed order says how a bet lies on the next roll, and nothing more", match)
    return order


def _order(match: Match[SharedTable], action: Action) -> tuple[Verb, bytes] | Refused[SharedTable]:
    if action.type not in get_args(Verb):
        return Refused("unknown_action", f"{action.type!r} is no order about a bet", match)
    answer = apply_action(GAME, match, action)
    if not answer.ok:
        return answer
    verb: Any = action.type
    lies_in = match if action.type == "remove" else answer.state
    bet = _find(lies_in, str(action.player_id), str(action.payload["bet"]))
    assert bet is not None
    return verb, bet_bytes(str(action.player_id), bet, match.game.table, book_of(match.options))


def action_for(match: Match[SharedTable], verb: Verb, data: bytes, key: str) -> Action | Refused[SharedTable]:
    """Return the action that an order means, if the bet would then lie as signed; else the rules' no."""
    signed = read_bet(data)
    if signed is None or signed.key != key or signed.id >= ids.BET_COUNT or signed.number > 10:
        return Refused("unknown_bet", "the order names no bet of the one who signed it", match)
    action = _action(match, verb, signed)
    order = _order(match, action)
    if isinstance(order, Refused):
        return order
    if order[1] != data:
        return Refused("order_differs", "the bet would not lie on the table as the order says", match)
    return action


def _action(match: Match[SharedTable], verb: Verb, signed: SignedBet) -> Action:
    name = name_of(signed.id, signed.number, int(signed.mode in SECOND_MODES and ids.YES <= signed.id < ids.HARD))
    lying = _find(match, signed.key, name)
    stake, working = (0, 0) if lying is None else (lying.stake, lying.working)
    payload: dict[str, Any] = {"bet": name}
    if verb == "place":
        payload["stake"] = signed.stake
    elif verb == "raise":
        payload["stake"] = signed.stake - stake
    elif verb == "lower":
        payload["stake"] = stake - signed.stake
    elif verb == "switch":
        now = ids.WORKS_WITH_POINT if match.game.table.point else ids.WORKS_AT_COME_OUT
        wanted = working | now if signed.working else working & ~now
        payload["come_out"] = bool(wanted & ids.WORKS_AT_COME_OUT)
        payload["point"] = bool(wanted & ids.WORKS_WITH_POINT)
    return Action(verb, payload, signed.key)


def _find(match: Match[SharedTable], key: str, name: str) -> LiveBet | None:
    """Return the bet of that name that a player has up, in whichever mode."""
    named = read_name(name)
    seat = next((player.seat for player in match.players if player.id == key), None)
    if named is None or seat is None:
        return None
    number = match.game.table.point if named.id in (ids.ODDS_PASS, ids.ODDS_DONT_PASS) else named.number
    bets = match.game.seats[seat].bets
    return next((bet for bet in bets if bet.id == named.id and bet.number == number), None)
