"""Registry of games: our own and those of any installed package that has an entry point in `croupier.games`.

    [project.entry-points."croupier.games"]
    pig = "croupier_pig:Pig"

The name is the game's id, the value its class. A game is loaded when it is first asked for, so that one broken package
does not hide the others.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from croupier.engine.game import Game
from croupier.engine.plain import nearest, shown
from croupier.errors import BadGame, UnknownGame

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "croupier.games"

_registered: dict[str, Game[Any]] = {}


def register_game(game: Game[Any]) -> None:
    """Add a game to this process, for scripts and tests. An id that is taken is an error."""
    if not isinstance(game, Game):
        raise BadGame(f"register_game takes a game, such as Pig(), not {shown(game)}")
    if has_game(game.id):
        raise BadGame(f"there is a game with the id {game.id!r} already")
    _registered[game.id] = game


def unregister_game(game_id: str) -> None:
    """Take a game that `register_game` added out again."""
    _registered.pop(game_id, None)


def has_game(game_id: str) -> bool:
    """Tell whether a game of that id is registered or installed."""
    return isinstance(game_id, str) and (game_id in _registered or game_id in _installed())


def get_game(game_id: Any) -> Game[Any]:
    """Return the game of that id, or of whatever has a `game_id`, such as a match; its package is loaded if need be."""
    game_id = game_id if type(game_id) is str else getattr(game_id, "game_id", game_id)
    if not has_game(game_id):
        meant = f"{nearest(shown(game_id), list_games())} (there are {', '.join(list_games())})"
        raise UnknownGame(f"there is no game {shown(game_id)}{meant}")
    return _registered[game_id] if game_id in _registered else _load(game_id)


def list_games() -> tuple[str, ...]:
    """Return the ids of all games, sorted. An id is listed even if its package turns out to be broken."""
    return tuple(sorted({*_registered, *_installed()}))


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # here, because it takes longer to import than all of croupier

    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: not point.value.startswith("croupier.")):
        found.setdefault(point.name, point)  # our own come first: no package can take the place of one of them
    return found


@cache
def _load(game_id: str) -> Game[Any]:
    point = _installed()[game_id]
    package = point.dist.name if point.dist else point.value
    try:
        game = point.load()()
    except Exception as error:
        raise BadGame(f"the package {package} has a game {game_id!r} that does not load: {error}") from error
    if not isinstance(game, Game) or game.id != game_id:
        raise BadGame(f"the package {package} says {game_id!r} is {point.value}, which is not a Game with that id")
    return game
