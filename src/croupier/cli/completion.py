"""Shell completion: the script for bash, zsh or fish, and its installation for the player's own shell."""

from __future__ import annotations

import os
from pathlib import Path

from click.shell_completion import get_completion_class

from croupier.cli.errors import Usage
from croupier.cli.files import data_folder, write_file

STARTED_BY = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
"""The file that a shell reads when it starts, in the home of its user."""


def script() -> str:
    """Return the script that completes `croupier` in the shell that $SHELL names."""
    from croupier.cli.app import app

    kind = get_completion_class(_shell())
    assert kind is not None
    return kind(app, {}, "croupier", "_CROUPIER_COMPLETE").source().strip()


def install() -> str:
    """Keep the script in the player's folder and have the shell read it when it starts; return what was done."""
    shell = _shell()
    file = data_folder() / f"completion.{shell}"
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_file(file, f"{script()}\n".encode())
    start = Path.home() / STARTED_BY[shell]
    line = f'source "{file}"'
    if not start.exists() or line not in start.read_text().splitlines():
        start.parent.mkdir(parents=True, exist_ok=True)
        with open(start, "a") as file_of_shell:
            file_of_shell.write(f"\n{line}\n")
    return f"{shell} completes croupier from its next start on: {start} reads {file}"


def _shell() -> str:
    name = os.path.basename(os.environ.get("SHELL", ""))
    if name not in STARTED_BY:
        raise Usage(f"completion is for {', '.join(STARTED_BY)}; SHELL={name} says which you use")
    return name
