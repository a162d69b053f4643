"""The OpenAPI document is one: it passes the validator of the standard, and says where the server is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from croupier.server.operations.declaration.registry import OPERATIONS
from croupier.server.transport.openapi import PREFIX, openapi_document


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


def test_paths_are_below_the_server_that_the_document_names(document: Any) -> None:
    assert [server["url"] for server in document["servers"]] == ["/"]
    assert all(path.startswith(f"{PREFIX}/") for path in document["paths"])
