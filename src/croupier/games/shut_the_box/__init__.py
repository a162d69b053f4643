"""Shut the Box: roll, and shut tiles that add up to the total, until no tiles are up or none will do."""

from croupier.games.shut_the_box.game import ShutTheBox
from croupier.games.shut_the_box.solo import SoloBox

__all__ = ["ShutTheBox", "SoloBox"]
