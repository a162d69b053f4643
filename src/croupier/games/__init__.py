"""The games, a folder each. A game imports no other game.

Plain objects of the founding documents: `craps.CrapsGame` with `Bet`, `BetType` and `DiceRoll`; `shut_the_box.Game`;
`lanes.GameState` with `Deck` and `Hand`. The casino's `hilo`, `three_card` and `ultimate_holdem` are the packages
`hi_lo`, `three_card_poker` and `ultimate_texas_holdem`; its names find them too.
"""

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_NAMES = {"hilo": "hi_lo", "three_card": "three_card_poker", "ultimate_holdem": "ultimate_texas_holdem"}


def __getattr__(name: str) -> Any:
    """Return a game's package, by its document's name too."""
    if find_spec(f"croupier.games.{_NAMES.get(name, name)}") is not None:
        return import_module(f"croupier.games.{_NAMES.get(name, name)}")
    raise AttributeError(f"croupier.games has no {name!r}")


for _name in _NAMES:  # for `from croupier.games.hilo import HiLo`; the package is imported when it is asked for
    sys.modules[f"{__name__}.{_name}"] = _module = ModuleType(f"{__name__}.{_name}")
    _module.__file__ = __file__
    vars(_module)["__getattr__"] = partial(lambda game, name: getattr(__getattr__(game), name), _name)


def _with_objects(game: Any) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a game's package that also offers the objects of its `compat`, `*` too."""
    own = game.pop("__all__")  # asked for by `find` from now on

    def find(name: str) -> Any:
        objects = import_module(f"{game['__name__']}.compat")
        if name == "__all__":
            return [*own, *objects.__all__]
        if name not in objects.__all__:
            raise AttributeError(f"{game['__name__']} has no {name!r}")
        return getattr(objects, name)

    return find, lambda: sorted({*game, *find("__all__")})
