"""`croupier serve`: the server, with an embedded database or on PostgreSQL."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli.errors import Usage
from croupier.server.settings import PREFIX, Settings, load_settings

__all__ = ["serve", "setting_texts"]


def serve(**flags: Any) -> None:
    """Serve the API, live connections and the start page, until told to stop.

    Everything is kept in one SQLite file unless --database says otherwise. Every flag is also a variable of the
    environment (CROUPIER_PORT) and a line of a TOML file (port = 8000); flags win over the environment, and that over
    the file. Logs are JSON lines on standard error.

    Example:
      croupier serve
      croupier serve --port 0 --database sqlite:////var/lib/croupier/croupier.db

    """
    try:
        from croupier.server.process.serve import Addresses, run
    except ImportError as error:
        raise Usage(f"the server needs the extra [server]: pip install 'croupier[server]' ({error.name})") from error
    config = flags.pop("config")
    settings = load_settings(_read(flags), file=None if config is None else Path(config))

    def ready(found: Addresses) -> None:
        print(f"croupier is at {found.url}  (metrics and probes: {found.metrics_url})", flush=True)

    run(settings, ready)


def _read(flags: dict[str, Any]) -> dict[str, Any]:
    """Return the flags as settings: those that are lists are given as text with commas."""
    origins = flags.get("origins")
    return flags if origins is None else {**flags, "origins": [each for each in origins.split(",") if each]}


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


def _parameters() -> list[inspect.Parameter]:
    """Return one option for each setting, and one for the file."""
    texts, usual = setting_texts(), Settings()
    kinds: dict[str, tuple[Any, str]] = {
        "config": (str | None, "A TOML file with settings."),
        **{
            name: (
                int | None if isinstance(getattr(usual, name), int) else str | None,
                f"{texts[name]} [{PREFIX}{name.upper()}; {_shown(getattr(usual, name))}]",
            )
            for name in Settings.__struct_fields__
        },
    }
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[kind, typer.Option("--" + name.replace("_", "-"), help=text, show_default=False)],
        )
        for name, (kind, text) in kinds.items()
    ]


def _shown(value: Any) -> str:
    return str(value) if value != () else "none"


serve.__signature__ = inspect.Signature(_parameters())  # type: ignore[attr-defined]
serve.__annotations__ = {each.name: each.annotation for each in _parameters()}
