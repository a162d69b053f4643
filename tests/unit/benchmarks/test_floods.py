"""`make bench ARGS=floods`: every flood has a control beside it, and both promises have their goals."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import floods
from benchmarks.load.flooding import KINDS


def test_a_flood_and_its_control_take_turns_and_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ROOMS": 1, "SECONDS": 0.5, "WARM_SECONDS": 0.2, "HEAD_SECONDS": 0.1}.items():
        monkeypatch.setattr(floods, name, value)
    # Four clients at one table play faster than a hundred at twenty-five do.
    monkeypatch.setattr(floods, "LIMITS", {**floods.LIMITS, "requests_refill_ms": "1"})
    got, waited, cost = floods._beside("pings", 1)
    assert (got.name, got.unit, got.goal) == ("pings: durable actions of 4 clients", "actions/s", "at least 0.8")
    assert (waited.name, waited.goal) == ("pings: wait, 99 of 100", "at most 3")
    assert got.against == waited.against == cost.against == "a control that takes as much processor time"
    assert got.ratio is not None
    assert got.ratio > 0
    assert "refused or broken" not in got.note


def test_the_suite_measures_every_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def beside(kind: str, repeats: int) -> list[Any]:
        asked.append((kind, repeats))
        return []

    monkeypatch.setattr(floods, "_beside", beside)
    for name, value in {"SECONDS": 0.3, "FEW": 2, "CROWD": 20, "QUEUE": 2}.items():
        monkeypatch.setattr(floods, name, value)
    (retrying,) = floods.measure(repeats=1, peers=True).rows
    assert retrying.name == "20 clients that retry at once: written"
    assert (retrying.against, retrying.goal) == ("2 clients", "at least 0.8")
    assert retrying.best > 0
    assert asked == [(kind, 1) for kind in KINDS]
