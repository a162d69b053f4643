"""Output of the command: consoles, boards, tables, JSON. Text from outside goes through `clean` on its way here."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from rich.cells import cell_len
from rich.console import Console
from rich.errors import MarkupError
from rich.table import Column, Table
from rich.text import Text

from croupier.cli.errors import clean
from croupier.engine import Action, Game, Match, MatchResult, MatchView, legal_actions, view_for
from croupier.engine.transition import trial_turn
from croupier.house.game import HouseState
from croupier.house.money import Money


def make_console() -> Console:
    """Return a console that prints what it is given: no markup, no emoji names, no guessed highlights.

    Colours are left out where the output is no terminal or NO_COLOR is set; Rich sees to that.
    """
    return Console(markup=False, emoji=False, highlight=False)


def say(console: Console, text: str, style: str = "") -> None:
    """Print a line, whole where it goes into a pipe or a file."""
    console.print(Text(clean(text), style), soft_wrap=not console.is_terminal)


def say_row(console: Console, *cells: Text) -> None:
    """Print cells side by side; at a terminal what is too long goes on below its own cell."""
    if not console.is_terminal:
        console.print(Text("  ").join(cells), soft_wrap=True)
        return
    row = Table.grid(padding=(0, 2, 0, 0))
    for cell in cells[:-1]:
        row.add_column(no_wrap=True, min_width=cell.cell_len)
    row.add_column(overflow="fold")
    row.add_row(*cells)
    console.print(row)


def print_json(value: Any) -> None:
    """Print a value as JSON, indented."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def mark(console: Console, ok: bool | None) -> Text:
    """Return a tick or a cross, or a word where the terminal has neither; a mark of its own for what is open."""
    tick, cross = ("✓", "✗") if console.encoding.startswith("utf") else ("yes", "NO")
    if ok is None:
        return Text("!", "bold yellow")
    return Text(tick, "green") if ok else Text(cross, "bold red")


def plain_table(*headings: str, numbers: Sequence[str] = ()) -> Table:
    """Return an empty table without lines. The columns in `numbers` stand to the right and are never cut."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in headings:
        is_number = heading in numbers
        table.add_column(heading, overflow="fold", no_wrap=is_number, justify="right" if is_number else "left")
    return table


def print_table(console: Console, table: Table, *, drop: Sequence[str] = ()) -> None:
    """Print a table so that nothing in it is cut.

    Columns without an entry are left out. In a pipe every row is one line. At a terminal words are folded, and where
    that is not enough the columns that `drop` names are left out, one after the other, and a line says which.
    """
    table = _with_columns(table, [table.columns[0], *(each for each in table.columns[1:] if any(map(str, each.cells)))])
    if not console.is_terminal:
        wide = Console(width=max(measure(table), 1), color_system=None)
        with wide.capture() as written:
            wide.print(table)
        console.file.write("".join(f"{line.rstrip()}\n" for line in written.get().splitlines()))
        return
    dropped = []
    for heading in drop:
        if measure(table, least=True) > console.width:
            table = _with_columns(table, [column for column in table.columns if column.header != heading])
            dropped.append(heading)
    share_width(table, console.width)
    console.print(table)
    if dropped:
        say(console, f"({console.width} columns have no room for: {', '.join(dropped)})", "dim")


def share_width(table: Table, width: int) -> None:
    """Set how wide each column is: it has room for its longest word, and the first ones for more."""
    room = width - measure(table, least=True)
    for column in table.columns:
        extra = max(0, min(room, _widest(column, split=False) - _least(column)))
        column.width = _least(column) + extra
        room -= extra


def _with_columns(table: Table, columns: Sequence[Column]) -> Table:
    """Return a table of some of the columns of another."""
    numbers = [str(column.header) for column in columns if column.no_wrap]
    fresh = plain_table(*(str(column.header) for column in columns), numbers=numbers)
    fresh.show_header = table.show_header
    for row in zip(*(column.cells for column in columns), strict=True):
        fresh.add_row(*row)
    return fresh


def measure(table: Table, *, least: bool = False) -> int:
    """Return how wide a table is when nothing is folded; `least`: with words folded, but no number or word cut."""
    widths = [_least(column) if least else _widest(column, split=False) for column in table.columns]
    return sum(widths) + 2 * len(widths)  # Rich counts the padding of the last column, too


def _least(column: Column) -> int:
    return _widest(column, split=not column.no_wrap)


def _widest(column: Column, *, split: bool) -> int:
    cells = [str(cell) for cell in (column.header, *column.cells)]
    return max(cell_len(part) for cell in cells for part in (cell.split() if split else [cell]) or [""])


# The table and what can be done at it.


def show_board(console: Console, game: Game[Any], view: MatchView[Any]) -> None:
    """Print the view as the game draws it."""
    print_drawing(console, game.render(view))


def print_drawing(console: Console, drawing: str) -> None:
    """Print what a game drew, every line of it on one line."""
    try:
        board = Text.from_markup(drawing, emoji=False)
    except MarkupError:  # a game that forgot to escape a name
        board = Text(drawing)
    width = max((line.cell_len for line in board.split("\n")), default=0)
    console.print(board, soft_wrap=True)  # a terminal that is too narrow folds it: nothing is cut
    if console.is_terminal and width > console.width:
        say(console, f"(the window has {console.width} columns, the table needs {width})", "dim")


def name_of(match: Match[Any] | MatchView[Any], player_id: str) -> str:
    """Return what a player is called."""
    return next((player.name or player.id for player in match.players if player.id == player_id), player_id)


def in_words(match: Match[Any], result: MatchResult) -> str:
    """Return how a match ended, as a sentence."""
    if isinstance(match.game, HouseState):
        return f"The round is over: {_money_words(match.game.money)}"
    reason = f": {result.reason}" if result.reason else ""
    if result.status == "win":
        names = [name_of(match, player_id) for player_id in result.winners]
        is_one = len(names) == 1 and names[0].lower() != "you"
        return f"{' and '.join(names)} {'wins' if is_one else 'win'}{reason}"
    return f"{'The match is over' if len(match.players) == 1 else 'A draw'}{reason}"


def _money_words(money: Money) -> str:
    """Return what a session came to; where there was a fee, without it and with it."""
    net = money.net
    words = "push" if net == 0 else f"won {net:,}" if net > 0 else f"lost {-net:,}"
    return words if not money.fees else f"{words}, and a fee of {money.fees:,}: {net - money.fees:+,} in all"


def result_data(result: MatchResult | None) -> dict[str, Any] | None:
    """Return a result as plain data with all its keys: status, winners, reason, scores."""
    return None if result is None else msgspec.structs.asdict(result)


def log_lines(game: Game[Any], states: Sequence[Match[Any]], actions: Iterable[Action]) -> list[str]:
    """Return one line for every action, as the game tells it."""
    steps = zip(actions, states, states[1:], strict=False)
    return [
        " ".join(game.describe(_chosen(game, action, before), before, after).split()) for action, before, after in steps
    ]


def _chosen(game: Game[Any], action: Action, before: Match[Any]) -> Action:
    """Return the action that the game took for a player whose time ran out; any other as it is."""
    actor = action.player_id or before.turn.current
    if action.type != "time_out" or actor is None:
        return action
    chosen = game.auto_action(before.game, trial_turn(game, before, actor))
    chosen = chosen or next(iter(legal_actions(game, before, actor)), None)
    return action if chosen is None else Action(chosen.type, chosen.payload, actor)


def current_view(game: Game[Any], match: Match[Any], viewer: str | None = None) -> MatchView[Any]:
    """Return the match as a player sees it; nobody named means the one whose go it is."""
    return view_for(game, match, match.turn.current if viewer is None else viewer)
