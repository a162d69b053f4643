"""Fuzzing by the OpenAPI document: for requests right and wrong, answers are as it says and no server error."""

from __future__ import annotations

from collections import Counter

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from croupier.server.operations.declaration.registry import OPERATIONS
from croupier.server.transport.openapi import PREFIX

# The client that asks in schemathesis leaves streams open behind it.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

# Not asked: whether data that fits a schema is accepted. To JSON Schema 1.0 is a whole number, and names with nothing
# visible in them are text; here they are not.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


class Player:
    """Somebody with a room and a session, so that requests about them get further than to nothing found."""

    def __init__(self, site, route):
        self.person = site.operator() if route.role == "operator" else site.person()
        room = site.begin(self.person, {"game": "shut-the-box", "seats": 1})
        self.names = {
            "room_id": room["id"],
            "session_id": str(site.session(self.person, 6)["session_id"]),
            "game_id": "roulette",
            "account_id": self.person.id,
            "table": "6",
            "seat": "0",
        }


def fuzz(site, schema, route, mode, count, seen):
    """Send requests to a route: half of them about what there is, half about what is made up."""
    operation = schema[PREFIX + route.path][route.method]
    player = Player(site, route)
    checks = [*CHECKS, negative_data_rejection] if mode is GenerationMode.NEGATIVE else CHECKS

    @settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        seen["asked"] += 1
        if mode is GenerationMode.POSITIVE and seen["asked"] % 2:
            for name in case.path_parameters or {}:
                case.path_parameters[name] = player.names.get(name, case.path_parameters[name])
        response = case.call(headers={"Authorization": f"Bearer {player.person.token}"})
        seen[response.status_code] += 1
        # What is too large is turned away before anybody reads it, and 413 is the word for that.
        case.validate_response(response, checks=CHECKS if response.status_code == 413 else checks)

    ask()
    if route.name == "freeze_everything":
        player.person.post("/operator/freeze", {"frozen": False})


def fuzz_all(site, count):
    seen: Counter[object] = Counter()
    schema = schemathesis.openapi.from_asgi(f"{PREFIX}/openapi.json", site.app)
    for route in OPERATIONS:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if mode is GenerationMode.POSITIVE or route.body is not None:
                fuzz(site, schema, route, mode, count, seen)
    return seen


def test_what_the_document_allows_and_what_it_forbids_is_answered_as_it_says(site):
    seen = fuzz_all(site, 3)

    assert seen["asked"] > 200
    assert seen[200] + seen[201] > 20
    assert seen[400] > 20


@pytest.mark.soak
def test_thousands_of_requests_are_answered_as_the_document_says(site):
    """Twenty minutes of whatever comes to mind would find what a few requests do not."""
    assert fuzz_all(site, 150)["asked"] > 8000
