"""`apply_block`: the whole transition of a chain, around `house.execute`. Pure: it changes no state it is given.

    1. constants that were approved for this height take effect; nothing is pending then
    2. the moves of block h - 2 are settled with the seed of height h - 1, in their order
    3. the transactions, in their order: what draws nothing is carried out, moves of sessions become pending

A pending move locks its player's account. Until it is settled nothing of that account changes: no second move, no
close, no modifier, no deposit. Moves are settled at the time and under the constants of their own block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.chain.errors import BadGenesis, BadTransaction, ChainFault
from croupier.chain.genesis import Params, catalogue_of, check_software, read_params
from croupier.chain.limits import SETTLED_AFTER, UPGRADE_NOTICE_MAX, UPGRADE_NOTICE_MIN
from croupier.chain.merkle import events_root
from croupier.chain.state import Account, BlockState, ChainState, Pending, Trial, Upgrade
from croupier.chain.transactions import ApproveUpgrade, Transaction, read_transaction
from croupier.engine.plain import canonical
from croupier.fairness.seeds import join, u64
from croupier.house import CasinoError, CloseSession, GameMove, Instruction, Register, StartGame, execute
from croupier.rng import SESSION_MAX

_REASONS = (
    *("ok", "malformed", "too_large", "wrong_chain", "bad_signature", "bad_nonce", "too_many", "not_registered"),
    *("pending", "upgrade_near", "not_operator", "bad_upgrade", "refused", "bad_beacon", "bad_query"),
)
CODES = {reason: code for code, reason in enumerate(_REASONS)}
"""The code of a transaction's result by reason; `refused` is the house's own no, and its data says why."""

_TRIAL_SEED = bytes(32)


class Result(Struct, frozen=True):
    """Result of a transaction: its code by name, a sentence, and what there is to know."""

    reason: str
    message: str = ""
    data: dict[str, Any] = {}

    @property
    def code(self) -> int:
        """The number of its reason."""
        return CODES[self.reason]


class SeedKnown(Struct, frozen=True, tag=True):
    """The seed of a height, which settles the moves of the block before it."""

    height: int
    seed: str


class UpgradeApproved(Struct, frozen=True, tag=True):
    """A quorum of the operators has approved constants from a height on."""

    height: int
    digest: str


class Upgraded(Struct, frozen=True, tag=True):
    """Constants that were approved hold from this block on."""

    digest: str


class BlockRecord(Struct, frozen=True):
    """A block that has been carried out, as a node keeps it. `txs` are those without the beacon's.

    `changes` has the SHA-256 of each value that the block changed, by key.
    """

    height: int
    time: int
    txs: tuple[bytes, ...]
    app_hash: bytes
    state_root: bytes
    events_root: bytes
    events: tuple[bytes, ...]
    results: tuple[Result, ...]
    changes: dict[str, str]
    beacon: bytes = b""
    """T(height - 1), as the node has it; nothing at the first block."""


def app_hash_of(height: int, state_root: bytes, root_of_events: bytes) -> bytes:
    """Return the hash that validators agree on."""
    return sha256(join(b"croupier/app/2", u64(height), state_root, root_of_events)).digest()


def apply_block(
    state: ChainState, chain_id: str, height: int, txs: Sequence[bytes], seed: bytes | None, time: int
) -> tuple[BlockRecord, BlockState]:
    """Return what a block does to a state, and the state as changed. `seed` is that of height - 1, None at the first.

    The state that is given stays as it is.
    """
    if height != state.height + 1:
        raise ChainFault(f"block {height} does not follow on block {state.height}")
    block = _Block(BlockState(state), chain_id, height, time)
    block.upgrade()
    if seed is not None:
        block.settle(seed)
    results = tuple(block.carry_out(index, data) for index, data in enumerate(txs))
    block.state.put(f"pending/{height % SETTLED_AFTER}", tuple(block.pending))
    root, events = block.state.seal(), tuple(block.events)
    last = events_root(events)
    changes = {key: digest.hex() for key, digest in block.state.digests.items()}
    app_hash = app_hash_of(height, root, last)
    return BlockRecord(height, time, tuple(txs), app_hash, root, last, events, results, changes), block.state


def sender_of(state: ChainState | BlockState, data: bytes, chain_id: str) -> tuple[Transaction, Account] | Result:
    """Return a transaction and its account with the nonce used up, or why it can stand in no block."""
    read = read_transaction(data, chain_id)
    if isinstance(read, BadTransaction):
        return Result(read.reason, str(read))
    account: Account | None = state.get(f"account/{read.sender}")
    if account is None:
        if not isinstance(read.body, Register):
            return Result("not_registered", f"{read.sender} is not registered")
        account = Account()
    after = account.with_nonce(read.nonce)
    if after is None:
        return Result("bad_nonce", f"nonce {read.nonce}: the next that is free is {account.next}")
    return read, after


def waits(account: Account, height: int) -> Result | None:
    """Return the refusal of an account whose last move waits for its seed in a block, None if none does."""
    locked = Result("pending", f"a move of block {account.moved} waits for its seed")
    return locked if height < account.moved + SETTLED_AFTER else None


class _Block:
    """One block being carried out."""

    def __init__(self, state: BlockState, chain_id: str, height: int, time: int) -> None:
        self.state = state
        self.chain_id = chain_id
        self.height = height
        self.time = time
        self.events: list[bytes] = []
        self.pending: list[Pending] = []
        self.sent: Counter[str] = Counter()
        self.params: Params = state.get("params")
        self.tables = catalogue_of(self.params)

    # The beginning of a block.

    def upgrade(self) -> None:
        """Let approved constants take effect at their height."""
        upgrade: Upgrade | None = self.state.get("upgrade")
        if upgrade is None or upgrade.height != self.height:
            return
        check_software(upgrade.params)
        self.state.put("params", upgrade.params)
        self.state.put("upgrade", None)
        self.params, self.tables = upgrade.params, catalogue_of(upgrade.params)
        self.tell("block", 0, Upgraded(sha256(canonical(upgrade.params)).hexdigest()))

    def settle(self, seed: bytes) -> None:
        """Carry out the moves of the block before the last, with the seed that nobody knew then."""
        self.tell("block", 0, SeedKnown(self.height - 1, seed.hex()))
        waiting: tuple[Pending, ...] = self.state.get(f"pending/{self.height % SETTLED_AFTER}")
        for pending in waiting:
            self.execute(pending.player, pending.body, seed, pending.time, "settled", pending.transaction)

    # Transactions.

    def carry_out(self, index: int, data: bytes) -> Result:
        found = sender_of(self.state, data, self.chain_id)
        if isinstance(found, Result):
            return found
        read, account = found
        self.state.put(f"account/{read.sender}", account)  # the nonce is used up, however the transaction fares
        self.sent[read.sender] += 1
        if self.sent[read.sender] > self.params.transactions_per_account_max:
            return Result("too_many", "too many transactions of one account in one block")
        if (locked := waits(account, self.height)) is not None:
            return locked
        match read.body:
            case ApproveUpgrade():
                return self.approve(read.sender, read.body, index)
            case StartGame() | GameMove() | CloseSession():
                return self.defer(read, read.body, index)
            case _:
                no = self.execute(read.sender, read.body, _TRIAL_SEED, self.time, "transaction", index)
                return _refused(no) if no is not None else Result("ok")

    def defer(self, transaction: Transaction, body: StartGame | GameMove | CloseSession, index: int) -> Result:
        """Let a move wait for its seed; from here on its player's account is locked."""
        sender = owner = transaction.sender
        upgrade: Upgrade | None = self.state.get("upgrade")
        if upgrade is not None and self.height >= upgrade.height - SETTLED_AFTER:
            return Result("upgrade_near", f"no moves until the constants change at block {upgrade.height}")
        data: dict[str, Any] = {"settled_at": self.height + SETTLED_AFTER}
        if isinstance(body, StartGame):
            number = self.state.get("sessions") + 1
            self.state.put("sessions", number)
            body = replace(body, session_id=number)
            data["session_id"] = number
        elif body.session_id > SESSION_MAX:
            return Result("refused", f"there is no session {body.session_id}", {"reason": "session_not_found"})
        if isinstance(body, CloseSession):
            session = self.state.get(f"session/{body.session_id}")
            owner = sender if session is None else session.player
            if (locked := waits(self.state.get(f"account/{owner}"), self.height)) is not None:
                return locked
            # Whether it is abandoned is asked now: nobody may lock another's account without cause.
            tried = execute(Trial(self.state), Instruction(sender, body), _TRIAL_SEED, self.time, tables=self.tables)
            if isinstance(tried[0], CasinoError):
                return _refused(tried[0])
        self.state.put(f"account/{owner}", replace(self.state.get(f"account/{owner}"), moved=self.height))
        self.pending.append(Pending(sender, owner, body, self.time, index))
        return Result("ok", "", data)

    def approve(self, sender: str, body: ApproveUpgrade, index: int) -> Result:
        """Note an operator's word; when a quorum has given the same, the upgrade is on."""
        if f"approval/{sender}" not in self.state.base.raw:
            return Result("not_operator", f"{sender} is no operator")
        if not UPGRADE_NOTICE_MIN <= body.height - self.height <= UPGRADE_NOTICE_MAX:
            span = f"{UPGRADE_NOTICE_MIN} to {UPGRADE_NOTICE_MAX}"
            return Result("bad_upgrade", f"height {body.height}: an upgrade comes {span} blocks after its approval")
        if self.state.get("upgrade") is not None:
            return Result("bad_upgrade", "an upgrade is on already")
        try:
            approval = Upgrade(body.height, params := read_params(body.params))
            # Validators may differ in what else is installed: a game that is new to the chain is judged at the height.
            played = tuple(table for table in params.tables if table.game_id in self.params.rules_versions)
            catalogue_of(replace(params, tables=played))
        except BadGenesis as error:
            return Result("bad_upgrade", str(error))
        self.state.put(f"approval/{sender}", approval)
        operators = [key for key in self.state.base.raw if key.startswith("approval/")]
        agreeing = [key for key in operators if self.state.get(key) == approval]
        if len(agreeing) >= self.state.get("quorum"):
            self.state.put("upgrade", approval)
            for key in operators:
                self.state.put(key, None)
            digest = sha256(body.params).hexdigest()
            self.tell("transaction", index, UpgradeApproved(approval.height, digest))
        return Result("ok")

    # What they share.

    def execute(self, player: str, body: Any, seed: bytes, time: int, cause: str, index: int) -> CasinoError | None:
        """Let the house carry out an instruction, and keep its events; return its no, if it was one."""
        events = execute(self.state, Instruction(player, body), seed, time, tables=self.tables)
        for event in events:
            self.tell(cause, index, event)
        for movement in self.state.movements:
            self.tell(cause, index, movement)
        self.state.movements.clear()
        return events[0] if isinstance(events[0], CasinoError) else None

    def tell(self, cause: str, index: int, event: Any) -> None:
        """Add an event to those of the block: what caused it, the index of that, the event."""
        self.events.append(canonical({"cause": cause, "index": index, "event": event}))


def _refused(no: CasinoError) -> Result:
    return Result("refused", no.message, {"reason": no.reason, "error_code": no.error_code})
