"""Group commit: the future of a job is done when the job is on disk, and not before."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from croupier.store.database import DatabaseStore
from croupier.store.interface import StoreUnavailable
from croupier.store.model import StoredEvent
from croupier.store.writer import StoreBusy, Writer


def answer(number, _):
    return number


class SlowStore(DatabaseStore):
    """A store of nothing that waits before each commit until it is let go, and counts."""

    def __init__(self):
        self.batches = []
        self.may_commit = threading.Semaphore(0)
        self.began = threading.Semaphore(0)
        self.fails = False

    def run(self, jobs, *, within=None):
        self.batches.append(len(jobs))
        self.began.release()
        assert self.may_commit.acquire(timeout=120)
        if self.fails:
            raise StoreUnavailable("the disk is full")
        return [job(None) for job in jobs]

    def read(self, job):
        return job(None)

    def close(self):
        pass


def test_those_who_come_while_the_disk_is_busy_share_the_next_commit():
    slow = SlowStore()
    with Writer(slow) as writer:
        first = writer.submit(lambda _: "first")
        assert slow.began.acquire(timeout=120)
        others = [writer.submit(partial(answer, number)) for number in range(20)]
        assert not first.done()
        assert writer.waiting == 20
        slow.may_commit.release(2)
        assert first.result(timeout=120) == "first"
        assert [future.result(timeout=120) for future in others] == list(range(20))
    assert slow.batches == [1, 20]
    assert (writer.batches, writer.jobs) == (2, 21)


def test_a_batch_has_a_limit():
    slow = SlowStore()
    slow.may_commit.release(10)
    with Writer(slow, batch_max=8) as writer:
        futures = [writer.submit(lambda _: None) for _ in range(20)]
        for future in futures:
            future.result(timeout=120)
    assert max(slow.batches) <= 8
    assert sum(slow.batches) == 20


def test_a_full_queue_says_so_at_once():
    slow = SlowStore()
    with Writer(slow, waiting_max=2) as writer:
        writer.submit(lambda _: None)
        assert slow.began.acquire(timeout=120)
        writer.submit(lambda _: None)
        writer.submit(lambda _: None)
        with pytest.raises(StoreBusy, match="2 jobs are waiting"):
            writer.submit(lambda _: None)
        slow.may_commit.release(5)


def test_closing_finishes_what_waits_and_takes_nothing_more():
    slow = SlowStore()
    writer = Writer(slow)
    futures = [writer.submit(partial(answer, number)) for number in range(5)]
    slow.may_commit.release(5)
    writer.close()
    assert [future.result(timeout=0) for future in futures] == [0, 1, 2, 3, 4]
    with pytest.raises(StoreBusy, match="closing"):
        writer.submit(lambda _: None)


def test_when_nothing_can_be_committed_everybody_hears_it_and_the_writer_goes_on():
    slow = SlowStore()
    slow.fails = True
    with Writer(slow) as writer:
        lost = writer.submit(lambda _: "lost")
        slow.may_commit.release()
        with pytest.raises(StoreUnavailable, match="the disk is full"):
            lost.result(timeout=120)
        slow.fails = False
        slow.may_commit.release()
        assert writer.submit(lambda _: "found").result(timeout=120) == "found"


def test_a_job_that_was_cancelled_in_time_does_not_run():
    slow, ran = SlowStore(), []
    with Writer(slow) as writer:
        writer.submit(lambda _: None)
        assert slow.began.acquire(timeout=120)
        unwanted = writer.submit(lambda _: ran.append("unwanted"))
        wanted = writer.submit(lambda _: ran.append("wanted"))
        assert unwanted.cancel()
        slow.may_commit.release(2)
        wanted.result(timeout=120)
    assert ran == ["wanted"]


def test_many_threads_write_and_nothing_is_lost(store):
    """Eight threads with twenty versions each; in every batch one job fails and hurts nobody else."""

    def append(match_id, version):
        return lambda t: t.append(match_id, [StoredEvent(match_id, version, "action", 1, {})])

    def fail(_):
        raise KeyError("on purpose")

    def write(match_id, writer, failed):
        for version in range(1, 21):
            bad = writer.submit(fail)
            writer.submit(append(match_id, version)).result(timeout=120)
            failed.append(type(bad.exception(timeout=120)))

    failed: list[type] = []
    with Writer(store) as writer:
        threads = [threading.Thread(target=write, args=(f"m_{i}", writer, failed)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failed == [KeyError] * 160
    for i in range(8):
        events = store.read(lambda t, i=i: t.events(f"m_{i}"))
        assert [event.version for event in events] == list(range(1, 21))
    assert writer.jobs == 320
    assert writer.batches < 320
