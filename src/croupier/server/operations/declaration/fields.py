"""Types of what requests hold: exact, bounded, and some with the code that is answered to what does not fit."""

from typing import Annotated, Any, Literal

from msgspec import Meta

NAME_MAX = 32
HEX = "^([0-9a-f][0-9a-f])*$"

Limit = Annotated[int, Meta(ge=1, le=100)]
Whole = Annotated[int, Meta(ge=0, le=2**53)]
Version = Annotated[int, Meta(ge=0, le=2**53)]
Chips = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Amount = Annotated[int, Meta(ge=1, le=2**53)]
Key = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[!-~]+$", examples=["4f9d1c"])]
"""An idempotency key: the same key and request get the same answer, and nothing happens twice."""
Id = Annotated[str, Meta(max_length=64, pattern="^[0-9A-Za-z_:.-]*$")]
RoomId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\0]*$")]  # PostgreSQL takes no NUL
SessionId = Annotated[int, Meta(ge=0, le=2**63 - 1, extra={"code": "no_such_session"})]
SeatNumber = Annotated[int, Meta(ge=0, extra={"code": "not_seated"})]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_MAX, examples=["Ann"], extra={"code": "bad_name"})]
_LABEL = {"code": "bad_name", "text": "a label is up to 64 printable characters"}
_DEVICE = "What to call the token, such as the device it is on."
Label = Annotated[str, Meta(max_length=64, examples=["phone"], description=_DEVICE, extra=_LABEL)]
RecoveryKey = Annotated[str, Meta(min_length=1, max_length=64)]
BotName = Annotated[str, Meta(min_length=1, max_length=64, examples=["random"])]
_LIMITS = {"code": "bad_limits"}
_LOSS = {**_LIMITS, "text": "loss_day is a whole number from 0 to 2^63 - 1, or null for no limit"}
LossLimit = Annotated[int, Meta(ge=0, le=2**63 - 1, extra=_LOSS)]
_MINUTES = {**_LIMITS, "text": "minutes_day is a whole number from 0 to 1440, or null for no limit"}
MinutesLimit = Annotated[int, Meta(ge=0, le=1440, extra=_MINUTES)]
TEN_YEARS = "excluded_until is a time within ten years, in whole milliseconds since 1970, or 0"
_UNTIL = "No play before this time, in milliseconds since 1970; it stays as it is where this is left out."
TimeLimit = Annotated[int, Meta(ge=0, le=2**53, description=_UNTIL, extra={**_LIMITS, "text": TEN_YEARS})]
TableLimit = Annotated[int, Meta(extra=_LIMITS)]
ClientSeed = Annotated[str, Meta(max_length=128, pattern=HEX, examples=["c0ffee"], extra={"code": "bad_seed"})]
Payload = Annotated[str, Meta(max_length=512, pattern=HEX)]
Secret = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]  # `$` lets a new line follow
Commitment = (
    Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", extra={"code": "bad_commitment"})]
    | Literal[""]
)
QueryFlag = Annotated[bool, "in the query"]
"""Says something about the answer to a change, and so stands behind the question mark as it does in other requests."""
Share = Annotated[str, "the token of a link"]
HEADERS: dict[Any, str] = {Share: "croupier-share"}
"""Parameters that come in a header, by their type: no log of addresses holds what is in one."""
