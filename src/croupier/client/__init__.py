"""A client of the server for scripts, bots and tests, async and sync.

`Client` asks by HTTP and follows rooms over live connections; `SyncClient` is the same without `await`. Requests are
idempotent: one that is sent twice because an answer got lost happens once. Records are checked here, not believed.
"""

from importlib.util import find_spec

from croupier.fairness.signing import MissingExtra

if find_spec("httpx") is None or find_spec("websockets") is None:
    raise MissingExtra("playing on a server needs the extra [client]: pip install 'croupier[client]'")

from croupier.client.dice import DiceSeat
from croupier.client.errors import ApiError, ServerGone
from croupier.client.http import Client
from croupier.client.live import Live, Update
from croupier.client.model import Account, Room, Seat, Session
from croupier.client.sync import SyncClient

__all__ = [
    "Account",
    "ApiError",
    "Client",
    "DiceSeat",
    "Live",
    "MissingExtra",
    "Room",
    "Seat",
    "ServerGone",
    "Session",
    "SyncClient",
    "Update",
]
