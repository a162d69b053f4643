"""The table as text: the tiles of the player who has the dice drawn large, the others on a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.kit.dice import dice_art
from croupier.kit.markup import escape_markup

if TYPE_CHECKING:
    from croupier.games.shut_the_box.game import Box, BoxOptions, BoxTable


def render_table(view: MatchView[BoxTable]) -> str:
    """Return a view in Rich markup."""
    table, options = view.game, view.options
    blocks = []
    for player in view.players:
        box = table.boxes[player.seat]
        name = escape_markup(player.name or player.id)
        if player.id == view.turn.current:
            heading = f"[bold]{name}[/bold]{_progress(box, options)}"
            blocks.append("\n".join([heading, *_tiles(box, options.tile_count), *_dice(table)]))
        elif len(view.players) > 1:
            up = " ".join(map(str, box.tiles)) or "[green]shut![/green]"
            gone = "" if player.id in view.turn.order else " (left)"
            blocks.append(f"[dim]{name}{gone}[/dim]{_progress(box, options)}  [dim]up:[/dim] {up}")
    return "\n\n".join(blocks)


def _progress(box: Box, options: BoxOptions) -> str:
    score = f"  score {box.score}"
    return score if options.rounds == 1 else f"{score}  total {box.total} after {box.rounds_played} of {options.rounds}"


def _tiles(box: Box, tile_count: int) -> list[str]:
    """Draw the row of tiles: those that are up stand, the others lie flat."""
    rows = ["", "", ""]
    for tile in range(1, tile_count + 1):
        if tile in box.tiles:
            art = ("╭────╮", f"│ [bold yellow]{tile:>2}[/bold yellow] │", "╰────╯")
        else:
            art = ("      ", "      ", "[dim]▁▁▁▁▁▁[/dim]")
        rows = [f"{row}{piece}" for row, piece in zip(rows, art, strict=True)]
    return rows


def _dice(table: BoxTable) -> list[str]:
    faces = [face for face in table.dice if face]
    if not faces:
        return []
    lines = dice_art(faces)
    if table.current_sum:
        lines[len(lines) // 2] += f"   = [bold cyan]{table.current_sum}[/bold cyan] to shut"
    return lines
