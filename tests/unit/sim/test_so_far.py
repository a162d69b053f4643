"""A simulation as it goes: the engine's figures while the kernel is compiled, then the kernel's, of the same rounds."""

from __future__ import annotations

from threading import Event

import pytest

pytest.importorskip("numba", reason="simulation needs croupier[sim]")

from croupier.engine import get_game
from croupier.sim import simulate as simulating
from croupier.sim.jobs import make_job
from croupier.sim.simulate import simulate_job, totals_so_far

JOB = make_job(get_game("casino-war"), {"main": 10}, seed=b"so far")


def test_the_engine_gives_figures_until_the_kernel_is_ready(monkeypatch):
    ready = Event()
    work = simulating.work

    def slow(job, first, count):
        """Compile, as it were, until the engine has played a hundred rounds."""
        if not job.by_engine:
            ready.wait(60)
        return work(job, first, count)

    monkeypatch.setattr(simulating, "work", slow)
    seen = []
    for known in totals_so_far(JOB, 500):
        seen.append((known.stage, known.result()))
        if known.total.rounds >= 100:
            ready.set()

    stages = [stage for stage, _ in seen]
    assert stages.count("playing") == 1
    assert stages[-1] == "playing"
    by_engine = [result for stage, result in seen if stage == "compiling"]
    assert by_engine[0].rounds < 10
    assert by_engine[0].hash_path == "engine"
    again = simulate_job(make_job(JOB.game, JOB.bets, seed=JOB.seed, by_engine=True), by_engine[-1].rounds)
    assert by_engine[-1].digest == again.digest
    assert seen[-1][1].digest == simulate_job(JOB, 500).digest


def test_nobody_who_does_not_watch_pays_for_the_engine():
    assert [known.stage for known in totals_so_far(JOB, 300, is_watched=False)] == ["playing"]


def test_a_kernel_that_does_not_compile_is_told(monkeypatch):
    work = simulating.work

    def broken(job, first, count):
        if not job.by_engine:
            raise RuntimeError("no machine code")
        return work(job, first, count)

    monkeypatch.setattr(simulating, "work", broken)
    with pytest.raises(RuntimeError, match="no machine code"):
        list(totals_so_far(JOB, 10**6))


def test_matches_are_told_a_few_at_a_time_and_come_to_the_same():
    job = make_job(get_game("shut-the-box"), bots=("first",), seats=2)

    known = list(totals_so_far(job, 10))

    assert [each.total.rounds for each in known][-1] == 10
    assert len(known) == 3
    assert known[-1].result().digest == simulate_job(job, 10).digest
