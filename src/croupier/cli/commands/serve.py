"""`croupier serve`: the server, with an embedded database or on PostgreSQL."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import click

from croupier.cli.errors import missing_extra
from croupier.cli.inputs import command
from croupier.server.settings import PREFIX, Settings, load_settings


@command
def serve(**flags: Any) -> None:
    """Serve the page, the API and live connections.

    It runs until it is told to stop. Everything is kept in one SQLite file unless --database says otherwise. Every flag
    is also a variable of the environment (CROUPIER_PORT) and a line of a TOML file (port = 8000); flags win over the
    environment, and that over the file. Logs are JSON lines on standard error.

    Example:
      croupier serve
      croupier serve --port 0 --database sqlite:////var/lib/croupier/croupier.db

    """
    try:
        from croupier.server.process.serve import Addresses, run
    except ImportError as error:
        raise missing_extra("the server", "server", error) from None
    config = flags.pop("config")
    settings = load_settings(flags, file=None if config is None else Path(config))

    def ready(found: Addresses) -> None:
        print(f"croupier is at {found.url}  (metrics and probes: {found.metrics_url})", flush=True)

    run(settings, ready)


def setting_texts() -> dict[str, str]:
    """Return what each setting is for, in the words that stand below it in the source."""
    (body,) = [node for node in ast.parse(inspect.getsource(Settings)).body if isinstance(node, ast.ClassDef)]
    found, name = {}, ""
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif name and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found[name] = inspect.cleandoc(str(node.value.value))
    return found


def _options() -> list[click.Parameter]:
    """Return one option for each setting, and one for the file."""
    texts, usual = setting_texts(), Settings()
    found: list[click.Parameter] = [click.Option(["--config"], metavar="FILE", help="A TOML file with settings.")]
    for name in Settings.__struct_fields__:
        value = getattr(usual, name)
        shown = f"{texts[name]} [{PREFIX}{name.upper()}; {'none' if value == () else value}]"
        found.append(
            click.Option([f"--{name.replace('_', '-')}"], type=int if isinstance(value, int) else str, help=shown)
        )
    return found


serve.params += _options()
