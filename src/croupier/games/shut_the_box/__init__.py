"""Shut the Box: roll, and shut tiles that add up to the total, until no tiles are up or none will do.

The document's object is in `compat`; `Game` and `SoloBox`, two names of it, can be imported from here.
"""

from importlib import import_module
from typing import Any

from croupier.games.shut_the_box.game import ShutTheBox

__all__ = ["ShutTheBox"]


def __getattr__(name: str) -> Any:
    """Return one of the document's objects."""
    objects = import_module("croupier.games.shut_the_box.compat")
    if name not in objects.__all__:
        raise AttributeError(f"croupier.games.shut_the_box has no {name!r}")
    return getattr(objects, name)
