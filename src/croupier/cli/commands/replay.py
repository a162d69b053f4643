"""`croupier replay`: show a record step by step."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from croupier.cli.errors import Usage, clean
from croupier.cli.files import read_file
from croupier.cli.inputs import Whole, command, json_option
from croupier.cli.prompt import asker
from croupier.cli.show import (
    current_view,
    in_words,
    log_lines,
    make_console,
    print_json,
    result_data,
    say,
    say_row,
    show_board,
)
from croupier.draw_list import Draw, draw_lines, list_draws
from croupier.engine import Action, Game, Match, MatchRecord, get_game, read_record
from croupier.engine import replay as replay_record
from croupier.errors import RecordMismatch

DIGEST_SHOWN = 12  # hex digits: enough to compare by eye


class Reel(msgspec.Struct, frozen=True):
    """A record as re-executed, up to the first difference if there is one."""

    game: Game[Any]
    states: tuple[Match[Any], ...]
    lines: tuple[str, ...]
    """One for every state: how it came about."""
    actions: tuple[Action, ...]
    digests: tuple[str, ...]
    difference: RecordMismatch | None
    draws: tuple[tuple[tuple[Draw, ...], tuple[Draw, ...]], ...] = ()
    """For every state what was drawn on the way, and what super mode drew, where that was asked for."""


@command
@click.argument("file", help="The record.")
@click.option("--at", metavar="N", type=Whole(min=0), help="Show the table at that version.")
@click.option("--step", is_flag=True, help="Go step by step: Enter on, b back, q quits.")
@click.option("--as", "viewer", metavar="PLAYER", help="Show tables as that player saw them.")
@click.option("--draws", is_flag=True, help="List every draw of every move: bound, bytes, value, what it decided.")
@json_option
@click.option("--force", is_flag=True, help="Try even if the record follows another version of the rules.")
def replay(file: str, at: int | None, step: bool, viewer: str | None, draws: bool, json: bool, force: bool) -> None:
    """Tell a record again, action by action.

    Every state is shown with the beginning of its digest. With --draws, each value that was drawn on the way to it
    stands below: the method of the stream, how many values there were, the bytes it took, the value, and the card, face
    or place that it decided.

    A record that does not re-execute stops at the first difference, with exit code 1.

    With --json: game, versions (a list of version, digest, line, action, status, and with --draws also draws and
    super_draws), result, error (null, or the first difference).

    Example:
      croupier replay game.json
      croupier replay game.json --at 4
      croupier replay game.json --draws

    """
    if (at is not None) + step + json > 1:
        raise Usage("--at, --step and --json do different things: give one of them")
    if viewer is not None and at is None and not step:
        raise Usage("--as goes with --at or --step: it says who looks at the table")
    record = read_record(read_file(file))
    reel = _wind(record, force=force)
    if draws:
        pairs = zip((None, *reel.states), reel.states, strict=False)
        drawn = tuple(list_draws(reel.game, record, before, after) for before, after in pairs)
        reel = msgspec.structs.replace(reel, draws=drawn)
    console = make_console()
    if json:
        print_json(_as_data(reel))
    elif at is not None:
        if at >= len(reel.states) and reel.difference is None:
            raise Usage(f"the record has versions 0 to {len(reel.states) - 1}, not {at}")
        if at < len(reel.states):
            _show(console, reel, at, viewer)
            return
    elif step:
        _step_through(console, reel, viewer)
    else:
        for version in range(len(reel.states)):
            _tell(console, reel, version)
        if reel.states and (result := reel.states[-1].result) is not None:
            say(console, in_words(reel.states[-1], result), "bold green")
    if reel.difference is not None:
        raise click.exceptions.Exit(1) if json else reel.difference


def _wind(record: MatchRecord, *, force: bool) -> Reel:
    """Re-execute a record as far as it goes."""
    difference = None
    try:
        states = replay_record(record, force=force)
    except RecordMismatch as error:
        difference = error
        states = replay_record(_up_to(record, error.version), force=force) if error.version else ()
    game = get_game(record.game_id)
    lines = ("the match is set up", *log_lines(game, states, record.actions))[: len(states)]
    return Reel(game, states, lines, record.actions, record.digests[: len(states)], difference)


def _up_to(record: MatchRecord, version: int) -> MatchRecord:
    """Return the part of a record before a version."""
    count = version - 1
    return msgspec.structs.replace(
        record, actions=record.actions[:count], seeds=record.seeds[:count], digests=record.digests[:version]
    )


def _tell(console: Console, reel: Reel, version: int) -> None:
    digest = Text(reel.digests[version][:DIGEST_SHOWN], "dim")
    say_row(console, Text(f"{version:>4}"), digest, Text(clean(reel.lines[version])))
    for line in draw_lines(reel.draws[version]) if reel.draws else ():
        say_row(console, Text("    "), Text(" " * DIGEST_SHOWN), Text(clean(line)))


def _show(console: Console, reel: Reel, version: int, viewer: str | None) -> None:
    state = reel.states[version]
    _tell(console, reel, version)
    console.print()
    show_board(console, reel.game, current_view(reel.game, state, viewer))
    if state.result is not None:
        console.print()
        say(console, in_words(state, state.result), "bold green")


def _step_through(console: Console, reel: Reel, viewer: str | None) -> None:
    ask = asker(console)
    version = 0
    while 0 <= version < len(reel.states):
        _show(console, reel, version, viewer)
        try:
            answer = ask(f"{version} of {len(reel.states) - 1}: Enter on, b back, q quit> ").lower()
        except EOFError:
            console.print()
            return
        if answer == "q":
            return
        version = max(version - 1, 0) if answer == "b" else version + 1


def _as_data(reel: Reel) -> dict[str, Any]:
    versions = [
        {
            "version": version,
            "digest": reel.digests[version],
            "line": reel.lines[version],
            "action": reel.actions[version - 1] if version else None,
            "status": state.status,
            **(dict(zip(("draws", "super_draws"), reel.draws[version], strict=True)) if reel.draws else {}),
        }
        for version, state in enumerate(reel.states)
    ]
    return {
        "game": reel.game.id,
        "versions": versions,
        "result": result_data(reel.states[-1].result) if reel.states else None,
        "error": None if reel.difference is None else str(reel.difference),
    }
