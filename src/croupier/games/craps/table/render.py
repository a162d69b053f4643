"""Text of the shared table: the shooter, every seat's chips and bets; and each action as a log line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from croupier.engine import Action, Match, MatchView, Player
from croupier.engine.notation import format_action
from croupier.games.craps.bets import POINTS
from croupier.games.craps.layout import CrapsTable, dice_words
from croupier.games.craps.table.state import Chair, Settled
from croupier.kit.dice import dice_art
from croupier.kit.markup import escape_markup

if TYPE_CHECKING:
    from croupier.games.craps.table.state import SharedTable

WIDTH = 78
NAME_WIDTH = 20
TOTALS_SHOWN = 16
BETS_TOLD = 8
DONE_WORDS = {
    "buy_in": "bought in for {chips:,}",
    "place": "bet {stake:,} on {bet}",
    "raise": "put {stake:,} more on {bet}",
    "lower": "took {stake:,} off {bet}",
    "remove": "took {bet} down",
    "ready": "got ready",
    "lock": "locked the betting",
    "pass_dice": "passed the dice",
    "join": "sat down",
}
"""Actions that are told from their payload alone."""


# An action in words.


def action_words(action: Action, before: Match[SharedTable], after: Match[SharedTable]) -> str:
    """Return what an action did, in one line."""
    player = next((one for one in after.players if one.id == action.player_id), None)
    if player is None:
        if action.type == "buy_out":
            return _bought_words(action.payload["player"], before, after)
        return f"the host closed the table: {after.result.reason if after.result else ''}"
    name = player.name or player.id
    if after.game.table.roll_count > before.game.table.roll_count:
        return _roll_words(_name_of(before.players, before.turn.current), before, after)
    return f"{name} {_done_words(action, player.seat, before, after)}{_end_words(before, after)}"


def _bought_words(player_id: str, before: Match[SharedTable], after: Match[SharedTable]) -> str:
    (player,) = [one for one in after.players if one.id == player_id]
    was, now = before.game.seats[player.seat], after.game.seats[player.seat]
    chips = now.chips + now.paid_out - was.chips - was.paid_out
    text = f"{player.name or player.id} sits out: bets of {was.at_risk:,} were bought out for {chips:,}"
    return text + _end_words(before, after)


def _done_words(action: Action, seat: int, before: Match[SharedTable], after: Match[SharedTable]) -> str:
    payload = action.payload
    if action.type in DONE_WORDS:
        return DONE_WORDS[action.type].format(**payload)
    chips = after.game.seats[seat].paid_out - before.game.seats[seat].paid_out
    stays = after.game.seats[seat].at_risk
    rest = f", {stays:,} stay on the table" if stays else ""
    match action.type:
        case "cash_out":
            return f"cashed out {chips:,}{rest}"
        case "switch":
            words = {(True, True): "on", (True, False): "on at come-out rolls only"}
            words |= {(False, True): "on with a point up only", (False, False): "off"}
            return f"had {payload['bet']} switched {words[payload['come_out'], payload['point']]}"
        case "keep_up":
            return f"{'wanted' if payload.get('keep', True) else 'no longer wanted'} {payload['bet']} kept up"
        case "leave":
            return f"left with {chips:,}{rest}"
        case "time_out":
            if before.turn.current != after.turn.current:
                return "ran out of time and lost the dice"
            is_ready = after.game.seats[seat].is_ready
            return f"ran out of time and was {'taken to be ready' if is_ready else f'cashed out {chips:,}'}"
    return format_action(action)


def _roll_words(shooter: str, before: Match[SharedTable], after: Match[SharedTable]) -> str:
    line = f"{shooter} rolled {dice_words(before.game.table, after.game.table)}"
    return "".join([line, *(f"; {one}" for one in _settled_words(after)), _end_words(before, after)])


def _settled_words(match: Match[SharedTable]) -> list[str]:
    """Results of everybody: bet by bet where they are few, else in all."""
    settled = match.game.settled
    told = []
    for player in match.players:
        own = [one for one in settled if one.seat == player.seat]
        if not own:
            continue
        if len(settled) <= BETS_TOLD:
            told.append(f"{player.name or player.id}: {', '.join(map(_bet_words, own))}")
        else:
            net = sum(one.returned - one.outlay for one in own)
            told.append(f"{player.name or player.id} {'won' if net >= 0 else 'lost'} {abs(net):,} on {len(own)} bets")
    return told


def _bet_words(one: Settled) -> str:
    profit = one.returned - one.outlay
    return f"{one.bet} " + (f"wins {profit:,}" if profit > 0 else f"loses {-profit:,}" if profit else "pushes")


def _end_words(before: Match[SharedTable], after: Match[SharedTable]) -> str:
    if after.result is not None:
        return f"; {after.result.reason}"
    if after.turn.current != before.turn.current:
        return f"; the dice went to {_name_of(after.players, after.turn.current)}"
    return ""


def _name_of(players: Iterable[Player], player_id: str) -> str:
    return next((player.name or player.id for player in players if player.id == player_id), player_id)


# The table.


def render_table(view: MatchView[SharedTable]) -> str:
    """Return a view in Rich markup, 80 columns wide: the point, the dice, the seats, the viewer's bets, the bank."""
    state = view.game
    rows = [*_puck(view), *_dice(state), "", *_seats(view)]
    own = next((player for player in view.players if player.id == view.viewer), None)
    shown = [own] if own else [player for player in view.players if state.seats[player.seat].bets]
    for player in shown:
        rows += _bets(player, state.seats[player.seat], state.table)
    rows += ["", f"  [dim]bank {state.bank:,}, of which {state.cover:,} covers the bets that are up[/dim]"]
    return "\n".join(rows)


def _puck(view: MatchView[SharedTable]) -> list[str]:
    table = view.game.table
    shooter = escape_markup(_clipped(_name_of(view.players, view.turn.current)))
    if table.phase == "closed":
        state = "the table is closed"
    else:
        bets = "no more bets" if view.turn.phase == "locked" else "bets are open"
        state = f"{bets}, shooter [bold]{shooter}[/bold]"
    numbers = [f"[bold reverse]({number})[/]" if number == table.point else f" {number} " for number in POINTS]
    off = " OFF " if table.point else "[bold reverse](OFF)[/]"
    facts = f"hand {table.hand_id + 1}, {table.hand_rolls} rolls in it, {table.roll_count:,} in all"
    return [f"  {off}  {' '.join(numbers)}    {state}", f"  [dim]{facts}{_last(table)}[/dim]"]


def _last(table: CrapsTable) -> str:
    totals = [str(rolled.die1 + rolled.die2) for rolled in table.history[-TOTALS_SHOWN:]]
    return f": {' '.join(totals)}" if totals else ""


def _dice(state: SharedTable) -> list[str]:
    """The dice of the last roll, and beside them what it decided."""
    if not state.table.dice:
        return []
    art = [f"  {line}" for line in dice_art(state.table.dice)]
    art[2] += f"  [bold]{sum(state.table.dice)}[/bold]"
    return ["", *art]


def _seats(view: MatchView[SharedTable]) -> list[str]:
    state = view.game
    rows = [f"  [dim]{'':2}{'':<{NAME_WIDTH}}{'chips':>10}{'bets':>8}{'at risk':>10}{'so far':>10}   last roll[/dim]"]
    for player in view.players:
        chair = state.seats[player.seat]
        if chair.has_left and not chair.bets:
            continue
        mark = "◆" if player.id == view.turn.current else " "
        name = f"{_clipped(player.name or player.id):<{NAME_WIDTH}}"
        figures = f"{chair.chips:>10,}{len(chair.bets):>8}{chair.at_risk:>10,}{chair.net:>+10,}"
        bold = "bold" if player.id == view.viewer else "not bold"
        rows.append(f"  {mark} [{bold}]{escape_markup(name)}[/]{figures}   {_fortune(state.settled, player.seat)}")
        standing = _standing(chair, view.turn.phase)
        rows[-1] = f"{rows[-1]}[dim]{standing}[/dim]" if standing else rows[-1].rstrip()
    return rows


def _fortune(settled: Sequence[Settled], seat: int) -> str:
    own = [one.returned - one.outlay for one in settled if one.seat == seat]
    if not own:
        return ""
    colour = "green" if sum(own) > 0 else "red" if sum(own) < 0 else "dim"
    return f"[{colour}]{sum(own):+,}[/] "


def _standing(chair: Chair, phase: str) -> str:
    if chair.has_left:
        return "has left"
    if chair.is_out:
        return "cashed out"
    return "ready" if chair.is_ready and phase == "betting" else ""


def _bets(player: Player, chair: Chair, table: CrapsTable) -> list[str]:
    """The bets of one player, as many on a line as fit."""
    if not chair.bets:
        return []
    label = escape_markup(_clipped(player.name or player.id))
    rows, width = [f"  [dim]{label}:[/dim]"], 0
    for bet in chair.bets:
        marks = ("" if bet.works(table) else " off") + (" ↻" if bet.keep_up else "")
        text = f"{bet.name} {bet.stake:,}{marks}"
        if width and width + len(text) + 3 > WIDTH - 4:
            rows.append("")
            width = 0
        if not width:
            rows.append("   ")
        rows[-1] += f" [yellow]{bet.name}[/] [bold]{bet.stake:,}[/][dim]{marks}[/]  "
        width += len(text) + 3
    legend = "[dim]↻ kept up: placed again when it is decided[/dim]" if any(bet.keep_up for bet in chair.bets) else ""
    return ["", *(row.rstrip() for row in rows if row), *([f"    {legend}"] if legend else [])]


def _clipped(name: str) -> str:
    return name if len(name) < NAME_WIDTH else f"{name[: NAME_WIDTH - 2]}…"
