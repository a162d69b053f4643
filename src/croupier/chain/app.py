"""The house as an ABCI application: `apply_block` between a beacon and a store.

Every validator puts its share of T(h) into the vote extension of height h; the proposer of block h + 1 combines them,
and its first transaction is T(h). A block without the right one is rejected before it can be decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from croupier.chain import beacon
from croupier.chain.abci.messages import (
    ACCEPT,
    REJECT,
    CheckTx,
    Commit,
    CommitDone,
    ExtendVote,
    FinalizeBlock,
    Finalized,
    Info,
    InfoAnswer,
    InitChain,
    InitChainAnswer,
    Prepared,
    PrepareProposal,
    ProcessProposal,
    Query,
    QueryAnswer,
    Status,
    Timestamp,
    TransactionResult,
    VerifyVoteExtension,
    VoteExtension,
)
from croupier.chain.block import BlockResult, Result, apply_block
from croupier.chain.errors import BadGenesis, BadTransaction, ChainFault
from croupier.chain.genesis import Genesis, Params, catalogue_of, check_software, read_genesis
from croupier.chain.queries import answer_query
from croupier.chain.state import Account, ChainState, genesis_state
from croupier.chain.store import BlockRecord, ChainStore, Start, record_of
from croupier.chain.transactions import Transaction, read_transaction
from croupier.engine.plain import canonical
from croupier.house import Register

__all__ = ["BEACON_MARK", "HouseApp", "beacon_transaction"]

BEACON_MARK = b"\x00"
APP_VERSION = 1
_TX_OVERHEAD = 8  # bytes that the encoding of a block adds to a transaction, at most


def beacon_transaction(signature: bytes) -> bytes:
    """Return the first transaction of a block."""
    return BEACON_MARK + signature


class HouseApp:
    """One node's application. `secret` is the validator's share of the beacon's key; an observer has none."""

    def __init__(self, store: ChainStore, secret: bytes | None = None) -> None:
        self.store = store
        self._secret = secret
        self.chain_id = ""
        self.genesis: Genesis | None = None
        self.state = ChainState()
        self._indices: dict[bytes, int] = {}
        self._own: bytes = b"" if secret is None else beacon.public_share(secret)
        self._shares: dict[int, dict[int, bytes]] = {}
        self._signatures: dict[int, bytes] = {}
        self._finalized: tuple[BlockResult, BlockRecord] | None = None
        start = store.start()
        if start is not None:
            self._take_genesis(start)
            last = store.block(store.height())
            app_hash = b"" if last is None else last.app_hash
            self.state = ChainState(store.values(), height=store.height(), app_hash=app_hash)
            check_software(self.state.get("params"))

    # Where it stands.

    def info(self, request: Info) -> InfoAnswer:
        """Return the last durable height and its hash."""
        return InfoAnswer("croupier", "1", APP_VERSION, self.state.height, self.state.app_hash)

    def init_chain(self, request: InitChain) -> InitChainAnswer:
        """Begin a chain: the validators are those of the genesis document, with equal power, and stay so."""
        start = Start(request.chain_id, request.app_state)
        genesis = read_genesis(start.genesis, start.chain_id)
        if request.initial_height not in (0, 1):
            raise BadGenesis(f"a chain begins at height 1, not {request.initial_height}")
        given = {each.public_key.ed25519.hex() if each.public_key else "" for each in request.validators}
        if given != {each.vote_key for each in genesis.validators} or len(given) != len(request.validators):
            raise BadGenesis("the validators are not those of the genesis document")
        if len({each.power for each in request.validators}) != 1:
            raise BadGenesis("every validator has the same voting power")
        check_software(genesis.params)
        catalogue_of(genesis.params)
        state = genesis_state(genesis)
        self.store.begin(start, state.raw)
        self._take_genesis(start)
        self.state = state
        return InitChainAnswer(state.root)

    def _take_genesis(self, start: Start) -> None:
        self.chain_id = start.chain_id
        self.genesis = genesis = read_genesis(start.genesis, start.chain_id)
        self._indices = {each.address: index for index, each in enumerate(genesis.validators, 1)}
        if self._own and self._own not in genesis.keys.shares:
            raise ChainFault("this node's share of the beacon's key is not one of the chain's")

    @property
    def _begun(self) -> Genesis:
        if self.genesis is None:
            raise ChainFault("the chain has not begun")
        return self.genesis

    def query(self, request: Query) -> QueryAnswer:
        """Answer a client: a value or an event with its proof, a seed, a block."""
        return answer_query(self.state, self.store, self.chain_id, request)

    # Transactions that wait.

    def check_tx(self, request: CheckTx) -> TransactionResult:
        """Say whether a transaction could be carried out in the next block, as far as nonce and lock go."""
        return encode_result(self._check(request.tx))

    def _check(self, data: bytes) -> Result:
        read = read_transaction(data, self.chain_id)
        if isinstance(read, BadTransaction):
            return Result(read.reason, str(read))
        account: Account | None = self.state.get(f"account/{read.sender}")
        if account is None:
            if not isinstance(read.body, Register):
                return Result("not_registered", f"{read.sender} is not registered")
            account = Account()
        if account.with_nonce(read.nonce) is None:
            return Result("bad_nonce", f"nonce {read.nonce}: the next that is free is {account.next}")
        if account.is_locked(self.state.height + 1):
            return Result("pending", f"a move of block {account.moved} waits for its seed")
        return Result("ok")

    # Proposals.

    def prepare_proposal(self, request: PrepareProposal) -> Prepared:
        """Return a block: T of the height before, then the waiting transactions that may stand in one.

        With too few good shares there is no T, so no block; the others reject an empty one, and the turn passes on.
        """
        chosen: list[bytes] = []
        if request.height > 1:
            votes = request.last_commit.votes if request.last_commit else ()
            given = {
                vote.validator.address: vote.extension
                for vote in votes
                if vote.validator is not None and vote.extension
            }
            signature = self._signature(request.height - 1, given)
            if signature is None:
                return Prepared()
            chosen.append(beacon_transaction(signature))
        room = request.max_tx_bytes - sum(len(data) + _TX_OVERHEAD for data in chosen)
        params = self._params()
        sent: Counter[str] = Counter()
        for data in request.txs:
            read = read_transaction(data, self.chain_id)
            if not isinstance(read, Transaction) or sent[read.sender] >= params.transactions_per_account_max:
                continue
            room -= len(data) + _TX_OVERHEAD
            if room < 0 or len(chosen) >= params.transactions_max:
                break
            sent[read.sender] += 1
            chosen.append(data)
        return Prepared(tuple(chosen))

    def process_proposal(self, request: ProcessProposal) -> Status:
        """Accept a block whose T is right and whose transactions are all well formed, signed, and not too many."""
        return Status(ACCEPT if self._is_valid(request.height, request.txs) else REJECT)

    def _is_valid(self, height: int, txs: Sequence[bytes]) -> bool:
        params = self._params()
        if height != self.state.height + 1 or len(txs) > params.transactions_max:
            return False
        if height > 1:
            if not txs or not self._is_beacon(height - 1, txs[0]):
                return False
            self._signatures[height - 1] = txs[0][len(BEACON_MARK) :]
            txs = txs[1:]
        sent: Counter[str] = Counter()
        for data in txs:
            read = read_transaction(data, self.chain_id)
            if not isinstance(read, Transaction):
                return False
            sent[read.sender] += 1
        return not sent or max(sent.values()) <= params.transactions_per_account_max

    def _params(self) -> Params:
        params: Params = self.state.get("params")
        return params

    def _is_beacon(self, height: int, data: bytes) -> bool:
        signed = self.signed_at(height)
        return data[:1] == BEACON_MARK and beacon.verify(self._begun.keys.group, signed, data[len(BEACON_MARK) :])

    def signed_at(self, height: int) -> bytes:
        """Return what shares of a height sign: the chain and the height, nothing that anybody chooses."""
        return beacon.message(self.chain_id, height)

    # The beacon.

    def extend_vote(self, request: ExtendVote) -> VoteExtension:
        """Return this validator's share of T, once the block before has been committed and not earlier."""
        if self._secret is None:
            raise ChainFault("this node has no share of the beacon's key")
        if request.height != self.state.height + 1:
            raise ChainFault(f"asked to sign height {request.height} after block {self.state.height}")
        signed = self.signed_at(request.height)
        share = beacon.sign(self._secret, signed)
        if not beacon.verify(self._own, signed, share):
            raise ChainFault("this node's own share does not verify")
        return VoteExtension(share)

    def verify_vote_extension(self, request: VerifyVoteExtension) -> Status:
        """Accept a good share. A bad one is rejected, so that no commit is decided by votes without a share."""
        if not self._is_share(request.height, request.validator, request.extension):
            return Status(REJECT)
        if request.height == self.state.height + 1:
            self._shares.setdefault(request.height, {})[self._indices[request.validator]] = request.extension
        return Status(ACCEPT)

    def _is_share(self, height: int, address: bytes, share: bytes) -> bool:
        index = self._indices.get(address)
        if index is None:
            return False
        return beacon.verify(self._begun.keys.shares[index - 1], self.signed_at(height), share)

    def _signature(self, height: int, given: dict[bytes, bytes]) -> bytes | None:
        """Return T of a height from verified shares: those of the commit, late ones, or a proposal already seen."""
        if height in self._signatures:
            return self._signatures[height]
        shares = dict(self._shares.get(height, {}))
        for address, share in given.items():
            if self._is_share(height, address, share):
                shares[self._indices[address]] = share
        threshold = beacon.threshold_of(len(self._indices))
        if len(shares) < threshold:
            return None
        signature = beacon.combine(shares, threshold)
        if not beacon.verify(self._begun.keys.group, self.signed_at(height), signature):
            raise ChainFault(f"good shares of height {height} make a bad signature")
        return signature

    # Blocks.

    def finalize_block(self, request: FinalizeBlock) -> Finalized:
        """Carry out a decided block. The last durable one again changes nothing and is answered as it was."""
        if request.height == self.state.height and request.height:
            known = self.store.block(request.height)
            assert known is not None
            given = request.txs if request.height == 1 else request.txs[1:]
            if known.txs != given:
                raise ChainFault(f"block {request.height} came again with other transactions")
            return _finalized(known)
        if request.height != self.state.height + 1:
            raise ChainFault(f"block {request.height} came after block {self.state.height}")
        txs, signature, seed = request.txs, b"", None
        if request.height > 1:
            if not txs or not self._is_beacon(request.height - 1, txs[0]):
                raise ChainFault(f"block {request.height} was decided without the right beacon")
            signature, txs = txs[0][len(BEACON_MARK) :], txs[1:]
            seed = beacon.seed_of(signature)
        time = (request.time or Timestamp()).milliseconds
        result = self.apply(request.height, txs, seed, time)
        record = record_of(result, txs, signature, time)
        self._finalized = (result, record)
        return _finalized(record)

    def apply(self, height: int, txs: Sequence[bytes], seed: bytes | None, time: int) -> BlockResult:
        """Return what a block does to the state."""
        return apply_block(self.state, self.chain_id, height, txs, seed, time)

    def commit(self, request: Commit) -> CommitDone:
        """Make the finalized block durable."""
        if self._finalized is not None:
            result, record = self._finalized
            self._finalized = None
            self.store.commit(record, result.state.encoded)
            self.state.advance(result.state, result.height, result.app_hash)
            _forget(self._shares, result.height)
            _forget(self._signatures, result.height)
        return CommitDone()


def _forget(kept: dict[int, dict[int, bytes]] | dict[int, bytes], height: int) -> None:
    """Drop what belongs to heights that nobody will ask for."""
    for old in [each for each in kept if each < height]:
        del kept[old]


def encode_result(result: Result) -> TransactionResult:
    """Return a transaction's result for CometBFT."""
    return TransactionResult(result.code, canonical(result.data) if result.data else b"", result.message)


def _finalized(record: BlockRecord) -> Finalized:
    results: Iterable[Result] = record.results
    if record.beacon:
        results = (Result("ok"), *results)
    return Finalized(tuple(encode_result(result) for result in results), record.app_hash)
