"""The client without its extra, and the types that it shares with the server."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from inspect import signature

import pytest

from croupier.client import Client, Live, SyncClient, model
from croupier.wire import rooms, sessions

WITHOUT = """
import importlib.util, sys
usual = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "{missing}" else usual(name, *more)
try:
    import croupier.client
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("missing", ["httpx", "websockets"])
def test_without_its_extra_the_client_says_what_to_install(missing: str) -> None:
    script = WITHOUT.format(missing=missing)
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)

    assert said.stdout == (
        "MissingExtra playing on a server needs the extra [client]: pip install 'croupier[client]'\n"
    )


def test_the_verbs_are_the_same_over_http_live_and_without_await() -> None:
    for verb in ("act", "move"):
        taken = [list(signature(getattr(kind, verb)).parameters)[1:3] for kind in (Client, Live, SyncClient)]
        assert taken[0] == taken[1] == taken[2]
    for verb in ("play", "coach", "start_session", "check_session", "follow"):
        assert hasattr(SyncClient, verb)
    assert importlib.util.find_spec("croupier.wire") is not None


def test_types_of_answers_are_those_of_the_wire() -> None:
    """One set of types for server and client: what the client adds to a session stands in a class of its own."""
    assert vars(model)["RoomView"] is rooms.RoomView
    assert model.Seat is rooms.SeatView
    assert model.Session.__mro__[1] is sessions.SessionView
