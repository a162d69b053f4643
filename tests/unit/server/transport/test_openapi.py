"""The OpenAPI document: valid by the standard, complete, and what the server hands out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from croupier.server.operations.declaration.registry import OPERATIONS
from croupier.server.problems import PROBLEMS
from croupier.server.transport.openapi import PREFIX, codes_of, openapi_document


@pytest.fixture(scope="module")
def document() -> Any:
    return msgspec.json.decode(msgspec.json.encode(openapi_document(OPERATIONS)))


def test_the_document_passes_the_validator(document: Any) -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_a_document_with_a_wrong_reference_would_not_pass(document: Any) -> None:
    """The validator looks inside: a schema that is no schema is found."""
    broken = msgspec.json.decode(msgspec.json.encode(document))
    broken["components"]["schemas"]["RoomView"]["properties"]["id"]["type"] = "word"

    assert list(OpenAPIV31SpecValidator(broken).iter_errors())


def references(value: Any) -> Iterator[str]:
    """Yield every `$ref` of a document."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if key == "$ref":
            yield item
        else:
            yield from references(item)


def test_the_document_has_every_route_and_leads_nowhere_else(site: Any, document: Any) -> None:
    assert site.client.get(f"{PREFIX}/openapi.json").json() == document
    assert document["openapi"].startswith("3.1")
    assert [server["url"] for server in document["servers"]] == ["/"]
    listed = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    assert listed == {(route.method, PREFIX + route.path) for route in OPERATIONS}
    for reference in references(document):
        ((kind, name),) = re.findall(r"^#/components/(\w+)/(.+)$", reference)
        assert name in document["components"][kind]
    moves = document["paths"][f"{PREFIX}/sessions/{{session_id}}/moves"]["post"]  # its key is the id of the body
    assert "Idempotency-Key" not in {each["name"] for each in moves["parameters"]}
    assert "http://" not in str(document)
    assert "https://" not in str(document)


def test_every_route_has_an_example_that_its_body_accepts_and_codes_that_have_a_status() -> None:
    for route in OPERATIONS:
        if route.body is not None:
            msgspec.convert(route.example, route.body)
        assert set(codes_of(route)) <= set(PROBLEMS)
