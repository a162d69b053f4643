"""What requests hold, in their bodies and after the question mark: exact types, bounded, and nothing besides."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.engine import Action
from croupier.server.operations.accounts import Label, Name

__all__ = [
    "ActionBody",
    "AfterQuery",
    "BeforeQuery",
    "BotBody",
    "CoachQuery",
    "DepositBody",
    "LegalQuery",
    "LimitsBody",
    "ModifierBody",
    "MoveBody",
    "NewcomerBody",
    "Nothing",
    "OddsQuery",
    "OldKeyBody",
    "OpenBody",
    "PreviewQuery",
    "ReadyBody",
    "RecallQuery",
    "RecoverBody",
    "RenameBody",
    "RoomsQuery",
    "SinceQuery",
    "StartBody",
    "TokenBody",
    "UndoBody",
]

Limit = Annotated[int, Meta(ge=1, le=100)]
Whole = Annotated[int, Meta(ge=0, le=2**53)]
Chips = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Seed = Annotated[str, Meta(max_length=128, pattern="^([0-9a-f][0-9a-f])*$", examples=["c0ffee"])]
Secret = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]*$")]
Id = Annotated[str, Meta(max_length=64, pattern="^[0-9A-Za-z_:.-]*$")]
Key = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[!-~]+$", examples=["4f9d1c"])]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing at all."""


class NewcomerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who somebody wants to be."""

    name: Name
    label: Label = ""
    """What to call the token, such as the device it is on."""


class RecoverBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The key that was shown when the account was opened."""

    recovery_key: Annotated[str, Meta(min_length=1, max_length=64)]
    label: Label = ""


class OldKeyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The recovery key that is to be replaced."""

    recovery_key: Annotated[str, Meta(min_length=1, max_length=64)]


class RenameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Another name."""

    name: Name


class TokenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What to call a token."""

    label: Label = ""


class LimitsBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of one's own; null is none."""

    loss_day: Chips | None = None
    minutes_day: Annotated[int, Meta(ge=0, le=1440)] | None = None
    excluded_until: Whole = 0
    """No play before this time, in milliseconds since 1970."""


class ReadyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether one is ready; who is sends the hash of a secret, as docs/fairness.md has it."""

    ready: bool
    commitment: Secret | Literal[""] = ""


class OpenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret that one was ready with."""

    secret: Secret


class BotBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot by its name."""

    bot: Annotated[str, Meta(min_length=1, max_length=64, examples=["random"])]


class ActionBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An action in a match, for the version the player has seen; `id` makes it happen once."""

    id: Key
    expected_version: Whole
    action: Action


class UndoBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether one agrees."""

    agrees: bool


class StartBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which table, and the client's part of the seed for the session that was committed to."""

    session_id: Whole
    table: Whole
    stake: Chips = 0
    client_seed: Seed = ""


class MoveBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A move: an action, or its payload in hex; `id` makes it happen once."""

    id: Key
    expected_version: Whole
    action: Action | None = None
    payload: Annotated[str, Meta(max_length=512, pattern="^([0-9a-f][0-9a-f])*$")] | None = None


class DepositBody(Struct, frozen=True, forbid_unknown_fields=True):
    """How many chips."""

    amount: Annotated[int, Meta(ge=1, le=2**53)]


class ModifierBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which modifier."""

    modifier: Literal["shield", "double", "super"]


class AfterQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A page: after the id of the last item seen."""

    after: Id = ""
    limit: Limit = 50


class PreviewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """An action, its payload as JSON."""

    type: Annotated[str, Meta(min_length=1, max_length=64, examples=["play"])]
    payload: Annotated[str, Meta(max_length=2048, examples=["{}"])] = "{}"


class BeforeQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A page: before the number of the last item seen."""

    before: Whole | None = None
    limit: Limit = 50


class RoomsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A page of rooms, of one game if named."""

    game: Id | None = None
    after: Id = ""
    limit: Limit = 50


class LegalQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to list what can be done."""

    legal: bool = False


class SinceQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The last version seen."""

    since: Whole = 0


class RecallQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A page of steps: after the version of the last one seen; -1 is before the deal."""

    after: Annotated[int, Meta(ge=-1, le=2**53)] = -1
    limit: Limit = 50


class CoachQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What to aim for; if it does not say, what the game usually does."""

    objective: Annotated[str, Meta(max_length=32)] = ""


class OddsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """At which table, and in which mode."""

    table: Whole | None = None
    is_super: bool = False
