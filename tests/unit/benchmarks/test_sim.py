"""`make bench ARGS=sim`: the limit it measures against is the real one, and every promise has a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("numba", reason="the suite needs croupier[sim]")

from benchmarks import limits, sim, starts
from benchmarks.report import Row, row


def test_the_limit_in_c_hashes_the_very_message_that_opens_a_stream(tmp_path, monkeypatch):
    """The digest of session 1, move 1 under the zero seed, from the published definition of a stream."""
    assert limits.DIGEST == "c108d12a67676a712ddcf6afbd147e0792cfc62caa28e632f1de2637244be8c3"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    measure = limits.hash_in_c()
    if isinstance(measure, str):
        pytest.skip(measure)
    assert measure() > 0  # it compares the digest before it returns a figure
    monkeypatch.setattr(limits, "DIGEST", "00" * 32)
    with pytest.raises(AssertionError, match="something else"):
        measure()


def test_without_a_compiler_the_report_says_why_there_is_no_limit(monkeypatch):
    monkeypatch.setattr(limits, "which", lambda program: None)
    assert limits.hash_in_c() == "there is no C compiler (cc)"


def _counted(name: str, calls: list[str], value: Any) -> Callable[..., Any]:
    def stand_in(*arguments: Any, **more: Any) -> Any:
        calls.append(name)
        return value

    return stand_in


def test_every_promise_about_the_simulator_has_a_row_with_its_goal(monkeypatch):
    """Nothing is measured here: what takes time is replaced, and the goals are read off the rows."""
    calls: list[str] = []
    for name in ("warm_start_s", "cold_compile_s", "portable_rolls", "memory_growth_mib"):
        monkeypatch.setattr(starts, name, _counted(name, calls, 1.0))
    monkeypatch.setattr(sim, "bare_hash", lambda: lambda: 20.0)
    monkeypatch.setattr(sim, "hash_in_c", lambda: lambda: 20.0)
    monkeypatch.setattr(sim, "_rates", _counted("rates", calls, [1e6]))
    monkeypatch.setattr(sim, "measure_peer", _counted("peer", calls, ({"rolls": [1e3]}, "")))
    monkeypatch.setattr(sim, "_threads", lambda repeats: [row("two", [2.0], "/s", beside=("one", [1.0]), at_least=1.6)])
    monkeypatch.setattr(sim, "_ranking", lambda repeats: row("seven", [3e7], "/s", at_least=20_000_000))

    def measured(case: sim.Case, against: str, floor: object, repeats: int) -> Row:
        return row(case.game_id, [1.0], "ns", at_most=case.at_most, at_least=case.at_least)

    monkeypatch.setattr(sim, "_rounds", measured)
    goals = {(each.name, each.goal) for each in sim.measure(repeats=1, peers=True) if each.goal}
    assert {
        ("craps", "at most 3"),
        ("craps", "at most 5"),
        ("roulette", "at most 2.4"),
        ("roulette", "at most 3"),
        ("sic-bo", "at most 2.4"),
        ("sic-bo", "at most 3"),
        ("baccarat", "at most 5"),
        ("video-poker", "at least 500000"),
        ("three-card-poker", "at least 3e+06"),
        ("ultimate-texas-holdem", "at least 50000"),
        ("ultimate-texas-holdem", "at least 500000"),
        ("one stream opened", "at most 1.25"),
        ("two", "at least 1.6"),
        ("seven", "at least 2e+07"),
        ("rolls of the pass line with full odds", "at least 400"),
        ("rolls of the pass line with full odds, by the portable path", "at least 25"),
        ("hands of blackjack by basic strategy", "at least 100"),
        ("a new process up to its first thousand rounds, kernel kept", "at most 1"),
        ("all kernels compiled anew", "at most 60"),
        ("peak memory of 100,000,000 rounds of roulette beside 1,000,000", "at most 8"),
    } == goals
    assert calls.count("peer") == 2
    assert {"warm_start_s", "cold_compile_s", "portable_rolls", "memory_growth_mib"} <= set(calls)


def test_without_peers_the_goals_against_them_are_told_and_not_judged(monkeypatch):
    monkeypatch.setattr(sim, "_rates", lambda case, per_round, repeats: [1e6])
    monkeypatch.setattr(starts, "portable_rolls", lambda: 1e6)
    found = sim._beside_peers(1, peers=False)
    assert [each.met for each in found] == [None, None, None]
    assert "the goal is 400 times crapssim" in found[0].note
