"""The terms of a table: fixed and published before it opens, and part of every context through the table's id."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from croupier.errors import BadOptions
from croupier.fairness.dice.chain import CHAIN_MAX
from croupier.fairness.dice.encoding import table_id
from croupier.fairness.dice.messages import CHIPS_MAX, Hex32
from croupier.rng import SESSION_MAX

PROTOCOL: Literal[2] = 2

Ms = Annotated[int, Meta(ge=1, le=86_400_000)]
Chips = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]


class Terms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms that everyone at a table has agreed to. Change one letter, and commitments made for it do not open."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    """The host's name for the table or the match; never the same twice."""
    table_key: Hex32
    """Signs for the table, and contributes for the bank."""
    session_id: Annotated[int, Meta(ge=0)] = 0
    """The session of the match that the seeds are for."""
    chain_end: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", max_length=64)] = ""
    """v0 of the bank's hash chain; empty at a table without a bank."""
    rounds_max: Annotated[int, Meta(ge=1, le=CHAIN_MAX)] = 1000
    seats_max: Annotated[int, Meta(ge=1, le=1024)] = 256
    """How many keys may ever sit here; the table remembers each of them."""
    dice: Annotated[int, Meta(ge=0, le=64)] = 2
    """How many dice a roll shows; 0 where the seed is for something else than dice."""
    hidden: bool = False
    """A match with hidden cards: the bank opens its chain when the match is over, and not before."""
    commit_ms: Ms = 10_000
    reveal_ms: Ms = 10_000
    table_bond: Chips = 0
    """The table's bond: lost if the table is at fault."""
    fee: Chips = 0
    """Chips that a player loses who commits and does not open, at a table with a bank."""
    bond_min: Chips = 0
    """The least bond to sit down with; at a table with a bank never less than the fee."""
    table_pays: bool = True
    """Whether a missing opening costs the table the cover of the round as well: it may have been overlooked."""
    scheme: Literal["ed25519", "test-mac"] = "ed25519"
    object_ms: Ms = 2_000
    """How long the table waits after CLOSE for seats that have not said that they object to nothing."""
    protocol: Literal[1, 2] = PROTOCOL
    """Which rules the messages follow. Tables of the first are read and checked, and no longer played at."""

    @property
    def least_bond(self) -> int:
        """The smallest bond that a player can sit down with."""
        return max(self.bond_min, self.fee) if self.banked else self.bond_min

    @property
    def banked(self) -> bool:
        """Whether there is a bank that contributes last."""
        return bool(self.chain_end)


def check_terms(terms: Terms) -> Terms:
    """Return the terms, read anew as if they came from outside, or raise `BadOptions`."""
    try:
        checked = msgspec.convert(msgspec.to_builtins(terms), Terms)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadOptions(f"the terms of the table do not hold: {error}") from None
    if checked.session_id > SESSION_MAX:
        raise BadOptions(f"a session id is at most {SESSION_MAX}", "$.session_id")
    if checked.hidden and not checked.banked:
        raise BadOptions("hidden cards need a bank whose chain hides the seed", "$.hidden")
    return checked


def check_playable(terms: Terms) -> None:
    """Raise `BadOptions` for a table of an older protocol: its transcript can be verified, nobody should play on."""
    if terms.protocol != PROTOCOL:
        raise BadOptions(
            f"the table follows protocol {terms.protocol}, under which a table and one seat can re-roll for free; "
            "croupier verifies its transcript, and plays at tables of protocol 2",
            "$.protocol",
        )


# Terms as JSON. Protocol 1 had neither of these fields, and its tables keep their ids.

_NEW_FIELDS = ("object_ms", "protocol")
_encode = msgspec.json.Encoder(order="sorted").encode


def write_terms(terms: Terms) -> dict[str, Any]:
    """Return terms as plain data, in the form whose canonical JSON makes the id of the table."""
    data: dict[str, Any] = msgspec.to_builtins(terms)
    if terms.protocol == 1:
        for name in _NEW_FIELDS:
            del data[name]
    return data


def read_terms(data: Any) -> Terms:
    """Return terms from plain data; where no protocol is named it is the first. Raises `msgspec.ValidationError`."""
    is_first = isinstance(data, dict) and not any(name in data for name in _NEW_FIELDS)
    return msgspec.convert({**data, "protocol": 1} if is_first else data, Terms)


def game_id_of(terms: Terms) -> bytes:
    """Return the 16 bytes that stand for the table: made from all of its terms, so that nobody can be shown others."""
    return table_id(_encode(write_terms(terms)))
