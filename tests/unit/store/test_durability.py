"""An acknowledged job is on disk: after kill -9, after a power cut; and a full disk costs nothing that was there.

Children are forked from a clean process that has imported the store, and run the texts below.
"""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.house.ledger import check_ledger
from croupier.store.database import open_store

POWER = Path(__file__).with_name("power.py")

WRITE_FOR_EVER = """
import threading
from croupier.house.ledger import Ledger
from croupier.store.database import open_store
from croupier.store.model import StoredEvent
from croupier.store.writer import Writer

store = open_store(url)
writer = Writer(store)
turn = threading.Lock()

def work(name):
    version = len(store.read(lambda transaction: transaction.events(name)))
    while True:
        version += 1
        def job(transaction):
            transaction.append(name, [StoredEvent(name, version, "action", 1, {"filler": "x" * 500})])
            Ledger(transaction.house()).move("deposits", "player/" + name, 1, "move", version)
        writer.submit(job).result()
        with turn:
            acknowledged.send((name, version))

for name in ("m_0", "m_1", "m_2", "m_3"):
    threading.Thread(target=work, args=(name,)).start()
"""

CUT_POWER = """
import importlib.util
from pathlib import Path
from random import Random
spec = importlib.util.spec_from_file_location("power", power)
power = importlib.util.module_from_spec(spec)
spec.loader.exec_module(power)
disk = power.ForgetfulDisk()

from croupier.store.database import open_store
from croupier.store.model import StoredEvent

chance = Random(11)
store = open_store("sqlite:///" + folder + "/store.db", synchronous=synchronous)
version = 0
for cut in range(cuts):
    for _ in range(chance.randrange(1, 30)):
        version += 1
        event = StoredEvent("m", version, "action", 1, {"filler": "x" * 900})
        (answer,) = store.run([lambda t: t.append("m", [event])])
        assert answer is None
    disk.cut_power(Path(folder) / f"cut-{cut}", chance)
    acknowledged.send(version)
acknowledged.send(disk.syncs)
"""

FILL_DISK = """
import os, resource, signal
from croupier.store.database import open_store
from croupier.store.interface import StoreUnavailable
from croupier.store.model import StoredEvent

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_store("sqlite:///" + path)
store.run([lambda t: t.put_setting("motto", b"fair")])
written = []

def write(version):
    (answer,) = store.run([lambda t: t.append("m", [StoredEvent("m", version, "action", 1, {"filler": "x" * 3000})])])
    assert answer is None
    written.append(version)

usual = resource.getrlimit(resource.RLIMIT_FSIZE)
for round in range(3):
    size = max(os.stat(path + suffix).st_size for suffix in ("", "-wal"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, usual[1]))
    refused = 0
    version = len(written)
    for _ in range(40):
        try:
            write(len(written) + 1)
        except StoreUnavailable as error:
            refused += 1
            sentence = str(error)
    read = store.read(lambda t: t.get_setting("motto")), len(store.read(lambda t: t.events("m")))
    acknowledged.send(("full", refused, sentence, read, len(written)))
    resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    write(len(written) + 1)
    acknowledged.send(("free again", len(store.read(lambda t: t.events("m"))), len(written)))
store.close()
"""


@pytest.fixture(scope="module")
def context():
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["croupier.store.writer", "croupier.store.database", "croupier.house.ledger"])
    return found


@pytest.fixture
def run_child(context):
    """Start a child that runs a text, and return it with the pipe it acknowledges on."""
    children = []

    def run(text, **names):
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=exec, args=(text, {**names, "acknowledged": theirs}))
        child.start()
        theirs.close()
        children.append(child)
        return child, ours

    yield run
    for child in children:
        child.kill()
        child.join()


def hear(pipe):
    assert pipe.poll(60), "the child says nothing"
    return pipe.recv()


def kill_again_and_again(run_child, path, times, seed):
    chance, url = Random(seed), f"sqlite:///{path}"
    told: dict[str, int] = {}
    store: Any
    for _ in range(times):
        child, pipe = run_child(WRITE_FOR_EVER, url=url)
        for _ in range(chance.randrange(1, 60)):
            name, version = hear(pipe)
            told[name] = max(told.get(name, 0), version)
        child.kill()
        child.join()
        while True:  # what it had said before it died counts, too
            try:
                name, version = pipe.recv()
            except (EOFError, OSError):
                break
            told[name] = max(told.get(name, 0), version)
        with open_store(url) as store:
            count = 0
            for name in ("m_0", "m_1", "m_2", "m_3"):
                versions = [event.version for event in store.read(lambda t, name=name: t.events(name))]
                assert versions == list(range(1, len(versions) + 1)), "a version is missing or there twice"
                assert len(versions) >= told.get(name, 0), "an acknowledged version was lost"
                count += len(versions)
            store.read(lambda transaction: check_ledger(transaction.house(), thorough=True))
            moved = store.read(lambda transaction: transaction.house().get("ledger/count"))
            assert moved == count, "a version without its chips, or chips without their version"
    return told


def test_nothing_acknowledged_is_lost_by_kill_9(run_child, tmp_path):
    told = kill_again_and_again(run_child, tmp_path / "store.db", times=20, seed=1)
    assert sum(told.values()) > 100


@pytest.mark.soak  # 200 children
def test_nothing_acknowledged_is_lost_by_kill_9_at_200_moments(run_child, tmp_path):
    kill_again_and_again(run_child, tmp_path / "store.db", times=200, seed=2)


def losses(run_child, folder, synchronous, cuts=25):
    """Cut the power again and again, and return how many acknowledged versions each cut has cost."""
    child, pipe = run_child(CUT_POWER, power=str(POWER), folder=str(folder), synchronous=synchronous, cuts=cuts)
    lost = []
    for cut in range(cuts):
        acknowledged = hear(pipe)
        with open_store(f"sqlite:///{folder / f'cut-{cut}' / 'store.db'}") as store:
            versions = [event.version for event in store.read(lambda transaction: transaction.events("m"))]
        assert versions == list(range(1, len(versions) + 1))
        lost.append(acknowledged - len(versions))
    syncs = hear(pipe)
    child.join()
    return lost, syncs


def test_a_power_cut_loses_nothing_acknowledged(run_child, tmp_path):
    lost, syncs = losses(run_child, tmp_path, "FULL")
    assert lost == [0] * 25
    assert syncs > 25


def test_the_same_power_cuts_would_lose_much_if_commits_did_not_wait_for_the_disk(run_child, tmp_path):
    """This is what synchronous=NORMAL does. If it lost nothing, the test above would prove nothing."""
    lost, _ = losses(run_child, tmp_path, "NORMAL")
    assert sum(1 for one in lost if one > 0) > 10


def test_a_full_disk_refuses_goes_on_reading_and_recovers(run_child, tmp_path):
    child, pipe = run_child(FILL_DISK, path=str(tmp_path / "store.db"))
    for _ in range(3):
        what, refused, sentence, (motto, read), written = hear(pipe)
        assert what == "full"
        assert refused > 0
        assert "cannot be written" in sentence
        assert motto == b"fair"
        assert read == written
        assert hear(pipe) == ("free again", written + 1, written + 1)
    child.join()
    assert child.exitcode == 0
    with sqlite3.connect(tmp_path / "store.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
