"""Shut the Box: roll, and shut tiles that add up to the total, until no tiles are up or none will do.

The document's object is in `compat`; `Game` and `SoloBox`, two names of it, can be imported from here.
"""

from croupier.games import _with_objects
from croupier.games.shut_the_box.game import ShutTheBox

__all__ = ["ShutTheBox"]
__getattr__, __dir__ = _with_objects(globals())
