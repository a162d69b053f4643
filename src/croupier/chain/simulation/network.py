"""A network of validators in one process on a seeded event loop: one seed replays one run, faults and all.

Messages are delayed, dropped, duplicated, reordered and held back by partitions; validators crash before and after
each write to disk; at most f of them lie. Every kind of fault is counted. After `calm_after` the network is good, and
everybody who does not lie must arrive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from heapq import heappop, heappush

from msgspec import Struct
from msgspec.structs import replace

from croupier.chain.abci.messages import CheckTx, TransactionResult
from croupier.chain.app import HouseApp, beacon_transaction, init_request
from croupier.chain.block import BlockRecord
from croupier.chain.errors import ChainFault
from croupier.chain.genesis import NetworkKeys
from croupier.chain.simulation.consensus import Block, Decided, Disk, Message, Proposal, Replica, Vote, sign_vote
from croupier.chain.store import ChainStore
from croupier.engine.plain import canonical
from croupier.rng import GameRng

FAULTS = (
    *("delay", "drop", "duplicate", "reorder", "partition", "crash_before_fsync", "crash_after_fsync"),
    *("byzantine_proposal", "equivocation", "bad_share", "late_share"),
)
"""Every kind of fault, as it is counted."""


class Faults(Struct, frozen=True):
    """Fault rates, in thousandths; `liars` is how many validators lie."""

    drop: int = 60
    duplicate: int = 50
    long_delay: int = 60
    partition: int = 250
    crash: int = 12
    liars: int = 1
    calm_after_ms: int = 20_000


NO_FAULTS = Faults(0, 0, 0, 0, 0, 0, 0)


class Violation(AssertionError):
    """A broken invariant: a fork, chips made, a pending move changed."""


class _Crash(Exception):
    pass


class _CrashingChain(ChainStore):
    """A store whose writes go through the network, which may crash its validator, and compares what was kept."""

    def __init__(self, fsync: Callable[[Callable[[], None]], None], compare: Callable[[BlockRecord], None]) -> None:
        super().__init__()
        self._fsync, self._compare = fsync, compare

    def commit(self, record: BlockRecord, values: Mapping[str, bytes]) -> None:
        def write() -> None:
            super(_CrashingChain, self).commit(record, values)
            self._compare(record)

        self._fsync(write)


class SimulatedNetwork:
    """Validators 0 to n - 1; the last `liars` of them lie. `run_until` drives everything."""

    def __init__(
        self, keys: NetworkKeys, seed: bytes = bytes(32), faults: Faults = NO_FAULTS, *, commit_ms: int = 100
    ) -> None:
        self.keys = keys
        self.faults = faults
        self.commit_ms = commit_ms
        self.counts: Counter[str] = Counter()
        self.rng = GameRng.new(seed, 0, 0)
        self.agreed: dict[int, tuple[bytes, bytes]] = {}
        self._time = 0
        self._sequence = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        count = len(keys.genesis.validators)
        self.honest = range(count - faults.liars)
        self._last_delivery: dict[tuple[int, int], int] = {}
        self._lives = [0] * count
        self._island: set[int] = set()
        self.stores = [_CrashingChain(partial(self.fsync, i), partial(self._compare, i)) for i in range(count)]
        self.disks = [Disk() for _ in range(count)]
        self.replicas: list[Replica | None] = [None] * count
        for index in range(count):
            self.restart(index)
        self._at(0, self._change_partition)

    # Validators.

    def app(self, index: int) -> HouseApp:
        """Return the application of a validator that runs."""
        replica = self.replicas[index]
        if replica is None:
            raise ChainFault(f"validator {index} is down")
        assert isinstance(replica.app, HouseApp)
        return replica.app

    def restart(self, index: int) -> None:
        """Start a validator, from its disk if it has run before."""
        app = HouseApp(self.stores[index], self.keys.shares[index])
        if app.genesis is None:
            app.init_chain(init_request(self.keys.chain_id, canonical(self.keys.genesis)))
        addresses = tuple(each.address for each in self.keys.genesis.validators)
        replica = Replica(index, app, addresses, self.disks[index], self, app.state.height + 1)
        replica.commit_ms = self.commit_ms
        self.replicas[index] = replica
        self._guard(index, replica.start)

    def _guard(self, index: int, action: Callable[[], None]) -> None:
        """Do something in a validator; if it crashes there, it is down for a while."""
        try:
            action()
        except _Crash:
            self.stop(index)
            self._at(200 + self._below(3000), lambda: self.restart(index))

    def stop(self, index: int) -> None:
        """Stop a validator until `restart`."""
        self.replicas[index] = None
        self._lives[index] += 1

    # What replicas use.

    def now(self) -> int:
        """Return the time in milliseconds."""
        return self._time

    def schedule(self, sender: int, delay: int, action: Callable[[], None]) -> None:
        """Do something later, unless the validator has stopped by then."""
        life = self._lives[sender]

        def later() -> None:
            if self._lives[sender] == life and self.replicas[sender] is not None:
                self._guard(sender, action)

        self._at(delay, later)

    def fsync(self, sender: int, write: Callable[[], None]) -> None:
        """Write to the disk of a validator; it may crash before or after."""
        if self._happens("crash_before_fsync", self.faults.crash // 2):
            raise _Crash
        write()
        if self._happens("crash_after_fsync", self.faults.crash // 2):
            raise _Crash

    def send(self, sender: int, message: Message, to: int | None = None) -> None:
        """Send to one, or to all others."""
        for target in range(len(self.replicas)) if to is None else (to,):
            if target != sender:
                for said in self._lie(sender, message, target) if sender not in self.honest else (message,):
                    self._deliver(sender, target, said)

    # The network.

    def _deliver(self, sender: int, target: int, message: Message) -> None:
        delay = 1 + self._below(20)
        if self._is_stormy() and (sender in self._island) != (target in self._island):
            self.counts["partition"] += 1
            return
        if self._happens("drop", self.faults.drop):
            return
        if self._happens("delay", self.faults.long_delay):
            delay += self._below(2000)
        if self._happens("duplicate", self.faults.duplicate):
            self._arrive(sender, target, message, delay + self._below(500))
        self._arrive(sender, target, message, delay)

    def _arrive(self, sender: int, target: int, message: Message, delay: int) -> None:
        link, at = (sender, target), self._time + delay
        if at < self._last_delivery.get(link, 0):
            self.counts["reorder"] += 1
        self._last_delivery[link] = max(at, self._last_delivery.get(link, 0))

        def arrive() -> None:
            replica = self.replicas[target]
            if replica is not None:
                self._guard(target, lambda: replica.receive(sender, message))

        self._at(delay, arrive)

    def _change_partition(self) -> None:
        self._island = set()
        if self._is_stormy():
            if self._chance(self.faults.partition):
                self._island = {index for index in range(len(self.replicas)) if self._below(2)}
            self._at(500 + self._below(1500), self._change_partition)

    def _is_stormy(self) -> bool:
        return self._time < self.faults.calm_after_ms

    def _below(self, count: int) -> int:
        return self.rng.next_bounded_usize(count)

    def _chance(self, thousandths: int) -> bool:
        return thousandths > 0 and self._below(1000) < thousandths

    def _happens(self, fault: str, thousandths: int) -> bool:
        """Tell whether a fault happens now, and count it."""
        happens = self._is_stormy() and self._chance(thousandths)
        if happens:
            self.counts[fault] += 1
        return happens

    # Liars.

    def _lie(self, sender: int, message: Message, target: int) -> tuple[Message, ...]:
        """Return what a liar says to one of the others instead."""
        if isinstance(message, Vote):
            return self._lie_vote(message, target)
        if isinstance(message, Proposal) and self._chance(500):
            self.counts["byzantine_proposal"] += 1
            return (replace(message, block=self._false_block(message.block, target)),)
        if isinstance(message, Decided) and self._chance(300):
            self.counts["bad_share"] += 1
            return (replace(message, votes=tuple(replace(vote, extension=b"\x80" * 48) for vote in message.votes)),)
        return (message,)

    def _lie_vote(self, vote: Vote, target: int) -> tuple[Message, ...]:
        match self._below(5):
            case 0 if vote.extension:
                self.counts["bad_share"] += 1
                bad = bytes([vote.extension[0]]) + self.rng.fill_bytes(47)
                return (replace(vote, extension=bad),)
            case 1 if vote.extension:
                self.counts["late_share"] += 1
                self._arrive(vote.sender, target, vote, 500 + self._below(1500))
                return ()
            case 2:
                if target % 2:  # the others hear the true one
                    self.counts["equivocation"] += 1
                    return (sign_vote(replace(vote, hash=b"" if vote.hash else sha256(b"other").digest())),)
        return (vote,)

    def _false_block(self, block: Block, target: int) -> Block:
        """Return another block: without its beacon, with a wrong one, with junk, or merely different for each."""
        match self._below(4):
            case 0:
                return replace(block, txs=block.txs[1:])
            case 1:
                return replace(block, txs=(beacon_transaction(b"\x80" * 48), *block.txs[1:]))
            case 2:
                return replace(block, txs=(*block.txs, b"junk"))
            case _:
                return replace(block, time=block.time + 1 + target)

    # Driving.

    def _at(self, delay: int, action: Callable[[], None]) -> None:
        self._sequence += 1
        heappush(self._queue, (self._time + delay, self._sequence, action))

    def submit(self, data: bytes, *, to: int | None = None) -> TransactionResult:
        """Give a transaction to validators that run, and return the first answer."""
        answers = []
        for replica in self.replicas if to is None else [self.replicas[to]]:
            if replica is not None:
                answers.append(replica.app.check_tx(CheckTx(data)))
                if answers[-1].code == 0:
                    replica.mempool[data] = None
        if not answers:
            raise ChainFault("no validator runs")
        return answers[0]

    def next_at(self) -> int:
        """Return when the next thing happens."""
        return self._queue[0][0]

    def step(self) -> None:
        """Let the next thing happen."""
        self._time, _, action = heappop(self._queue)
        action()

    def run_until(self, is_done: Callable[[], bool], limit_ms: int = 600_000) -> None:
        """Go on until something holds; `Violation` if it does not within the simulated time."""
        end = self._time + limit_ms
        while not is_done():
            if self._time > end:
                raise Violation(f"{limit_ms} ms have passed, heights are {self.heights()}")
            self.step()

    def heights(self) -> list[int]:
        """Return the last durable height of each validator."""
        return [store.height() for store in self.stores]

    def _compare(self, index: int, record: BlockRecord) -> None:
        """Raise `Violation` if an honest validator keeps another block at a height than those before it."""
        found = (record.app_hash, sha256(canonical([record.time, *record.txs])).digest())
        if index in self.honest and self.agreed.setdefault(record.height, found) != found:
            raise Violation(f"validator {index} differs at height {record.height}")
