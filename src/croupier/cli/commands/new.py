"""`croupier new`: scaffold a package with a game that works at once, to be changed into another."""

from __future__ import annotations

import re
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from typing import NamedTuple

import click

from croupier.cli.errors import Usage
from croupier.cli.inputs import command
from croupier.engine import get_game, list_games

PROJECT = """\
[build-system]
requires = ["flit_core >=3.12,<5"]
build-backend = "flit_core.buildapi"

[project]
name = "{package}"
version = "1.0.0"
description = "{title} for croupier."
readme = "README.md"
requires-python = ">=3.11"
license = "Apache-2.0"
dependencies = ["croupier >=0.1,<1"]

# This is what makes `croupier games` list it: the game's id, and the class.
[project.entry-points."croupier.games"]
{id} = "{module}:{kind}"
"""

READ_ME = """\
# {package}

{title} for croupier. Install it from this folder, and play:

    pip install .
    croupier play {id}

The game is in `src/{module}/__init__.py`. A rules page for players goes into `rules.md` beside it.
"""

TEST = '''\
"""{title} keeps the laws of the engine."""

from croupier.testing import check_game

from {module} import {kind}


def test_the_game_conforms() -> None:
    check_game({kind}())
'''


class Names(NamedTuple):
    """Names of a game: its id, its title, its class, its module and its package."""

    id: str
    title: str
    kind: str
    module: str
    package: str

    @classmethod
    def of(cls, name: str) -> Names:
        """Return the names of a game that is called so, in words or as an id.

        >>> Names.of("Lucky wheel").id, Names.of("lucky-wheel").kind
        ('lucky-wheel', 'LuckyWheel')
        """
        words = re.split(r"[ _-]+", name.strip())
        game_id = "-".join(words).lower()
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", game_id):
            raise Usage(f"{name!r} is no name for a game: letters, digits and - such as lucky-wheel, a letter first")
        upper = [word[0].upper() + word[1:] for word in words]
        if iskeyword("".join(upper)):
            raise Usage(f"{name!r} is no name for a game: Python has a word {''.join(upper)} that no class can have")
        return cls(
            game_id, " ".join(upper), "".join(upper), f"croupier_{'_'.join(words)}".lower(), f"croupier-{game_id}"
        )


def package_files(name: str, is_house: bool) -> dict[str, str]:
    """Return the files of a new package by their paths in it."""
    names = Names.of(name)
    model = Names.of("big-six" if is_house else "pig")
    text = (files("croupier.cli") / "templates" / f"{model.id.replace('-', '_')}.py.txt").read_text(encoding="utf-8")
    if names.kind != model.kind and re.search(rf"\b{names.kind}(State)?\b", text):
        raise Usage(f"{names.kind} means something else in the game's file: choose another name")
    changes = {
        f'"{model.id}", "{model.title}"': f'"{names.id}", "{names.title}"',
        f"{model.title}: ": f"{names.title}: ",
        f"class {model.kind}": f"class {names.kind}",
        f"{model.kind}State": f"{names.kind}State",
        f"{model.title} for": f"{names.title} for",
        f"The {model.title.lower()} wheel": "A wheel",
    }
    if names != model:
        text = re.sub("|".join(map(re.escape, changes)), lambda found: changes[found.group()], text)
    told = names._asdict()
    return {
        "README.md": READ_ME.format(**told),
        "pyproject.toml": PROJECT.format(**told),
        f"src/{names.module}/__init__.py": text,
        f"tests/test_{names.module}.py": TEST.format(**told),
    }


@command
@click.argument("name", help="What the game is called, such as lucky-wheel.")
@click.option("--house", is_flag=True, help="A game for chips against the house.")
def new(name: str, house: bool) -> None:
    """Write a package with a game that works at once.

    The game is Pig for two to six players, or with --house the wheel Big Six, under your name: change it into yours.
    The package is a folder croupier-NAME here, with the game, a test that holds it to the laws of the engine, and the
    entry point by which croupier finds it once it is installed.

    Example:
      croupier new lucky-dice
      croupier new lucky-wheel --house

    """
    names, found = Names.of(name), package_files(name, house)
    folder = Path(names.package)
    is_known = names.id in list_games()
    if is_known and type(get_game(names.id)).__module__.startswith("croupier."):
        raise Usage(f"croupier has a game {names.id} already: choose another name")
    if folder.exists():
        raise Usage(f"{folder} is there already: nothing was written")
    for path, text in found.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        print(folder / path)
    if is_known:
        print(f"another package has a game {names.id}: uninstall it first")
    print(f"install it with: pip install ./{folder}")
    print(f"then play it with: croupier play {names.id}")
