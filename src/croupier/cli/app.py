"""The command itself: its commands, loaded when they are called, and one place where everything that fails ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import getdoc
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from croupier.cli.errors import INTERRUPTED, Usage, report

__all__ = ["COMMANDS", "app"]

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
)
"""In the order of the help. Each is the function of its name in the module of its name."""

HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """The commands by name. A module is imported when its command is called, so that the others cost nothing."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name."""
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:  # a shell asks for completions
                return None
            raise Usage(f"there is no command {cmd_name!r}; there are {', '.join(COMMANDS)}")
        function = getattr(import_module(f"croupier.cli.commands.{cmd_name}"), cmd_name)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name, help=_help(function), context_settings=HELP_NAMES)(function)
        return get_command(single)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named. Ctrl-C and the end of input end it, and the next prompt begins a line."""
        try:
            return super().invoke(ctx)
        except EOFError:
            print()
            raise typer.Exit from None
        except KeyboardInterrupt:
            print(file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None

    def main(self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **more: Any) -> Any:  # type: ignore[override]
        """Run, and end the process with an exit code; whatever is raised becomes one line on standard error."""
        words = sys.argv[1:] if args is None else list(args)
        _open_streams()
        try:
            answer = super().main(args=words, standalone_mode=False, **more)
        except (KeyboardInterrupt, typer.Abort):
            answer = INTERRUPTED
        except Exception as error:
            answer = report(error, as_json="--json" in words)
        if not standalone_mode:
            return answer
        sys.exit(answer if isinstance(answer, int) else 0)


def _help(function: Callable[..., Any]) -> str:
    """Return a docstring as help: paragraphs may be wrapped, the lines of the example may not."""
    return (getdoc(function) or "").replace("Example:\n", "\b\nExample:\n")  # \\b is the mark for that


def _open_streams() -> None:
    """Let no odd byte or missing character raise: what a stream cannot hold is replaced."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace" if stream is sys.stderr else "replace")


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"croupier {version('croupier')}")
        raise typer.Exit


def croupier(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Games of chance and skill that anyone can check: same seed, same actions, same bytes.

    Example:
      croupier play shut-the-box --record game.json
      croupier verify game.json

    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


app = typer.Typer(cls=Commands, rich_markup_mode=None, pretty_exceptions_enable=False)
app.callback(invoke_without_command=True, help=_help(croupier), context_settings=HELP_NAMES)(croupier)
