"""`Rules` of Lanes, with the profiles `seed` and `console`: four switches in which versions of the game differ."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import astuple

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

    def switches(self) -> tuple[int, ...]:
        """Return the four as numbers, as the rules keep them: 0 for the default, 1 for the other."""
        return tuple(int(word != usual) for word, usual in zip(astuple(self), astuple(Rules.seed()), strict=True))

    @classmethod
    def from_switches(cls, *switches: int) -> "Rules":
        """Return the rules that those numbers mean."""
        pairs = zip(astuple(cls.seed()), astuple(cls.console()), strict=True)
        return cls(*(pair[switch] for pair, switch in zip(pairs, switches, strict=True)))


PROFILES: dict[Profile, Rules] = {"seed": Rules.seed(), "console": Rules.console()}
