"""Types of a card: frozen values in the words of a card file (docs/games/lanes.md, Reading a card)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.games.lanes.rules.layout import ABILITY_BITS

# Bounds of our own: these are far above any card, and keep every sum of powers within 64 bits.
AMOUNT_MAX = 9_999
LIST_MAX = 32

When = Literal[
    "on_play",
    "while_in_play",
    "on_destroyed",
    "on_card_destroyed",
    "on_card_played",
    "on_first_enhanced",
    "on_first_enfeebled",
    "on_power_reaches",
    "on_spawned",
    "on_lane_won",
    "on_round_end",
]
Do = Literal[
    "power", "power_by_replaced", "power_per", "gain", "destroy", "add_to_hand", "spawn", "score", "score_transfer"
]
Side = Literal["allies", "enemies", "all"]
Amount = Annotated[int, Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]
Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,24}\Z")]
Text = Annotated[str, Meta(max_length=500)]
Pattern = Annotated[str, Meta(pattern=r"^([A-E][1-5][PEX](,[A-E][1-5][PEX])*)?\Z")]


class Tokens(Struct, frozen=True, forbid_unknown_fields=True, rename={"one": "1", "two": "2", "three": "3"}):
    """The token for each rank of a tile."""

    one: Id
    two: Id
    three: Id


class Amounts(Struct, frozen=True, forbid_unknown_fields=True, rename={"one": "1", "two": "2", "three": "3"}):
    """The amount for each rank of a tile."""

    one: Amount
    two: Amount
    three: Amount


class Ability(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When something happens, and what. Which of the other fields there are depends on the two."""

    when: When
    do: Do
    who: Literal["allies", "enemies", "all", "self"] | None = None
    amount: Amount | None = None
    sign: Literal[1, -1] | None = None
    threshold: Amount | None = None
    watch: Side | None = None
    count: Literal["enhanced", "enfeebled", "either"] | None = None
    of: Side | None = None
    cards: Annotated[tuple[Id, ...], Meta(min_length=1, max_length=LIST_MAX)] | None = None
    tokens: Tokens | None = None
    by_rank: Amounts | None = None

    @property
    def made(self) -> tuple[str, ...]:
        """The cards that it puts somewhere: those for the hand, or the tokens for rank 1, 2 and 3."""
        if self.tokens is not None:
            return self.tokens.one, self.tokens.two, self.tokens.three
        return self.cards or ()


class Card(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"raise_": "raise"}):
    """One card as the set prints it. It never changes, so games share it; what happens to it is the board's."""

    id: Id
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    tier: Literal["common", "rare", "token"]
    cost: Literal[1, 2, 3, "replace"]
    power: Annotated[int, Meta(ge=1, le=AMOUNT_MAX)]
    pattern: Pattern
    raise_: Literal[1, 2, 3] = 1
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=ABILITY_BITS)] = ()
    text: Text = ""
    faction: Annotated[str, Meta(max_length=64)] = ""
    flavour: Text = ""

    @property
    def cells(self) -> tuple[tuple[int, int, str], ...]:
        """The cells of the pattern: columns forward, lanes down, and kind.

        >>> Card("x", "X", "common", 1, 1, "B3P,C2X").cells
        ((1, 0, 'P'), (0, -1, 'X'))
        """
        cells = self.pattern.split(",") if self.pattern else []
        return tuple((ord("C") - ord(cell[0]), int(cell[1]) - 3, cell[2]) for cell in cells)


class SetInfo(Struct, frozen=True):
    """Id, version and title of a card set."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    version: Annotated[str, Meta(min_length=1, max_length=64)]
    title: Annotated[str, Meta(max_length=100)] = ""


class Faction(Struct, frozen=True, forbid_unknown_fields=True):
    """A people of the cards' world, with the colour its cards are drawn in."""

    id: Id
    title: Annotated[str, Meta(min_length=1, max_length=64)]
    colour: Annotated[str, Meta(pattern=r"^#[0-9a-f]{6}\Z")] = "#888888"
    text: Text = ""
