"""The `croupier` command group: commands are imported when they are called, every exception becomes an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from croupier.cli.errors import INTERRUPTED, UNREAD, Usage, one_line, report
from croupier.errors import CroupierError

COMMANDS = (
    "play",
    "games",
    "rules",
    "replay",
    "verify",
    "coach",
    "arena",
    "odds",
    "simulate",
    "serve",
    "server",
    "node",
    "new",
)
"""In the order of the help. Each is the command of its name in the module of its name."""


class Commands(click.Group):
    """The commands by name. A module is imported when its command is called, so that the others cost nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name."""
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:  # a shell asks for completions
                return None
            from croupier.engine.plain import nearest

            meant = nearest(cmd_name, COMMANDS) or f"; there are {', '.join(COMMANDS)}"
            raise Usage(f"there is no command {cmd_name!r}{meant}")
        found: click.Command = getattr(import_module(f"croupier.cli.commands.{cmd_name}"), cmd_name)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named. Ctrl-C and the end of input end it, and the next prompt begins a line."""
        try:
            return super().invoke(ctx)
        except EOFError:
            print()
            raise click.exceptions.Exit from None
        except KeyboardInterrupt:
            print(file=sys.stderr)
            raise click.exceptions.Exit(INTERRUPTED) from None

    def main(self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **more: Any) -> Any:  # type: ignore[override]
        """Run, and end the process with an exit code; whatever is raised becomes one line on standard error."""
        words = sys.argv[1:] if args is None else list(args)
        _open_streams()
        try:
            answer = super().main(args=words, standalone_mode=False, **more)
        except (KeyboardInterrupt, click.Abort):
            answer = INTERRUPTED
        except SystemExit as end:  # so rich and click end a command whose output nobody reads any more
            answer = INTERRUPTED if end.code == INTERRUPTED else UNREAD
        except Exception as error:
            answer = report(error, as_json="--json" in words)
        if not standalone_mode:
            return answer
        sys.exit(answer if isinstance(answer, int) else 0)


def _open_streams() -> None:
    """Let no odd byte, missing character or closed stream raise: what a stream cannot hold is replaced."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller: no input comes, and output goes nowhere
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (held as long as the process is)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace" if stream is sys.stderr else "replace")


def _print_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        from croupier.engine import get_game, list_games
        from croupier.engine.rules_digest import rules_digest

        print(f"croupier {version('croupier')}")
        width = max(map(len, list_games()))
        for game_id in list_games():
            try:
                game = get_game(game_id)
                told = f"rules {game.rules_version} {rules_digest(game).hex()}"
            except CroupierError as error:
                told = one_line(str(error))
            print(f"{game_id:<{width}} {told}")
        ctx.exit()


def _complete(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """Print the script for the player's shell, or install it."""
    if asked and not ctx.resilient_parsing:
        from croupier.cli.completion import install, script

        print(install() if param.name == "install_completion" else script())
        ctx.exit()


HELP = """Games of chance and skill that anyone can check: same seed, same actions, same bytes.

\b
Example:
  croupier play shut-the-box --record game.json
  croupier verify game.json
"""  # \\b: these lines are not wrapped


@click.group(
    cls=Commands, help=HELP, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, and for each game the version and the digest of its rules.",
)
@click.option(
    "--install-completion",
    is_flag=True,
    expose_value=False,
    callback=_complete,
    help="Teach your shell (bash, zsh, fish) to complete commands, games and bots.",
)
@click.option(
    "--show-completion", is_flag=True, expose_value=False, callback=_complete, help="Print the script that does that."
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """Run a command, or print the help where none is named."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
