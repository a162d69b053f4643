"""`Rules`: the four points on which versions of the game differ, and the two sets of answers that have a name."""

from typing import Literal

from msgspec import Struct

Profile = Literal["seed", "console"]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The switches of a game; it cannot be changed. `Rules.seed()` is the default, `Rules.console()` the other set.

    Other mixtures can be played, too. Two points then need a word. Where pawns aimed at a card are logged but those of
    dead cards are kept, a tile that is freed shows all the pawns that were aimed at it. Where they are deferred but
    those of dead cards are taken back, a card that dies in its own play leaves nothing behind.
    """

    capture: Literal["erode", "convert"] = "erode"
    """Pawns that fall on those of the other side: they wear them down, or turn them over."""
    occupied: Literal["log", "defer"] = "log"
    """Pawns aimed at a card: there, but unseen until it goes; or only if it goes in the same play."""
    destroyed: Literal["rollback", "keep"] = "rollback"
    """The pawns of a destroyed card: taken back, or kept."""
    transfer: Literal["own_lane", "all_lanes"] = "own_lane"
    """The loser's power: taken by each copy of a lane's winner there; or in all lanes, if any copy is in play."""

    @classmethod
    def seed(cls) -> "Rules":
        """Return the default: captures erode, and the pawns of a dead card are taken back."""
        return cls()

    @classmethod
    def console(cls) -> "Rules":
        """Return what players of the video game expect: captures convert, pawns stay."""
        return cls("convert", "defer", "keep", "all_lanes")

    def switches(self) -> tuple[int, int, int, int]:
        """Return the four as numbers, as the rules keep them."""
        return (
            int(self.capture == "convert"),
            int(self.occupied == "defer"),
            int(self.destroyed == "keep"),
            int(self.transfer == "all_lanes"),
        )

    @classmethod
    def from_switches(cls, capture: int, occupied: int, destroyed: int, transfer: int) -> "Rules":
        """Return the rules that those numbers mean."""
        return cls(
            "convert" if capture else "erode",
            "defer" if occupied else "log",
            "keep" if destroyed else "rollback",
            "all_lanes" if transfer else "own_lane",
        )


PROFILES: dict[Profile, Rules] = {"seed": Rules.seed(), "console": Rules.console()}
