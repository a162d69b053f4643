"""A validator as an ABCI application: checks the seed in every proposed block, applies blocks and stores them.

Every validator puts its share of T(h) into the vote extension of height h; the proposer of block h + 1 combines them,
and its first transaction is T(h). A block without the right one is rejected before it can be decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from croupier.chain import beacon
from croupier.chain.abci import messages as abci
from croupier.chain.block import BlockRecord, Result, apply_block, sender_of, waits
from croupier.chain.errors import BadGenesis, ChainFault
from croupier.chain.genesis import Genesis, Params, catalogue_of, check_software, read_genesis
from croupier.chain.limits import BLOCK_BYTES_MAX
from croupier.chain.queries import answer_query
from croupier.chain.state import BlockState, ChainState, genesis_state
from croupier.chain.store import ChainStore, Start
from croupier.chain.transactions import Transaction, read_transaction
from croupier.engine.plain import canonical

BEACON_MARK = b"\x00"
APP_VERSION = 1
_TX_OVERHEAD = 8  # bytes that the encoding of a block adds to a transaction, at most


def beacon_transaction(signature: bytes) -> bytes:
    """Return the first transaction of a block."""
    return BEACON_MARK + signature


def init_request(chain_id: str, document: bytes) -> abci.InitChain:
    """Return the request that begins the chain of a genesis document, its validators with one vote each."""
    votes = [bytes.fromhex(each.vote_key) for each in read_genesis(document, chain_id).validators]
    updates = tuple(abci.ValidatorUpdate(abci.PublicKey(key), 1) for key in votes)
    return abci.InitChain(chain_id, updates, document, 1)


class HouseApp:
    """One node's application. `secret` is the validator's share of the beacon's key; an observer has none."""

    def __init__(self, store: ChainStore, secret: bytes | None = None) -> None:
        self.store = store
        self._secret = secret
        self.chain_id = ""
        self.genesis: Genesis | None = None
        self.state = ChainState()
        self._keys = beacon.BeaconKeys(b"", ())
        self._indices: dict[bytes, int] = {}
        self._own: bytes = b"" if secret is None else beacon.public_share(secret)
        self._shares: dict[int, dict[int, bytes]] = {}
        self._signatures: dict[int, bytes] = {}
        self._finalized: tuple[BlockRecord, BlockState] | None = None
        if (start := store.start()) is not None:
            self._take_genesis(start)
            last = store.block(store.height())
            app_hash = b"" if last is None else last.app_hash
            self.state = ChainState(store.values(), height=store.height(), app_hash=app_hash)
            if last is not None and self.state.root != last.state_root:
                raise ChainFault(f"the values that are kept here are not those of block {last.height}")
            check_software(self.state.get("params"))

    # Where it stands.

    def info(self, request: abci.Info) -> abci.InfoAnswer:
        """Return the last durable height and its hash."""
        return abci.InfoAnswer("croupier", "1", APP_VERSION, self.state.height, self.state.app_hash)

    def init_chain(self, request: abci.InitChain) -> abci.InitChainAnswer:
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
        return abci.InitChainAnswer(state.root)

    def _take_genesis(self, start: Start) -> None:
        self.chain_id = start.chain_id
        self.genesis = genesis = read_genesis(start.genesis, start.chain_id)
        self._indices = {each.address: index for index, each in enumerate(genesis.validators, 1)}
        self._keys = genesis.keys
        if self._own and self._own not in self._keys.shares:
            raise ChainFault("this node's share of the beacon's key is not one of the chain's")

    def query(self, request: abci.Query) -> abci.QueryAnswer:
        """Answer a client: a value or an event with its proof, a seed, a block."""
        return answer_query(self.state, self.store, self.chain_id, request)

    # Transactions that wait.

    def check_tx(self, request: abci.CheckTx) -> abci.TransactionResult:
        """Say whether a transaction could be carried out in the next block, as far as nonce and lock go."""
        found = sender_of(self.state, request.tx, self.chain_id)
        if not isinstance(found, Result):
            found = waits(found[1], self.state.height + 1) or Result("ok")
        return encode_result(found)

    # Proposals.

    def prepare_proposal(self, request: abci.PrepareProposal) -> abci.Prepared:
        """Return a block: T of the height before, then the waiting transactions that may stand in one.

        With too few good shares there is no T, so no block; the others reject an empty one, and the turn passes on.
        """
        chosen: list[bytes] = []
        if request.height > 1:
            votes = request.last_commit.votes if request.last_commit else ()
            signature = self._signature(request.height - 1, votes)
            if signature is None:
                return abci.Prepared()
            chosen.append(beacon_transaction(signature))
        room = request.max_tx_bytes - sum(len(data) + _TX_OVERHEAD for data in chosen)
        return abci.Prepared((*chosen, *self._choose(request.txs, len(chosen), room)))

    def _choose(self, txs: Sequence[bytes], count: int, room: int) -> list[bytes]:
        """Return the transactions that may follow so many others in a block and fit into so many bytes."""
        params: Params = self.state.get("params")
        sent, chosen = Counter[str](), list[bytes]()
        for data in txs:
            read = read_transaction(data, self.chain_id)
            if not isinstance(read, Transaction) or sent[read.sender] >= params.transactions_per_account_max:
                continue
            room -= len(data) + _TX_OVERHEAD
            if room < 0 or count + len(chosen) >= params.transactions_max:
                break
            sent[read.sender] += 1
            chosen.append(data)
        return chosen

    def process_proposal(self, request: abci.ProcessProposal) -> abci.Status:
        """Accept a block whose T is right and whose transactions are all well formed, signed, and not too many."""
        signature = self._beacon_of(request.height, request.txs)
        if request.height != self.state.height + 1 or signature is None:
            return abci.Status(abci.REJECT)
        self._signatures[request.height - 1] = signature
        first = int(request.height > 1)
        following = list(request.txs[first:])
        is_fit = self._choose(following, first, BLOCK_BYTES_MAX) == following
        return abci.Status(abci.ACCEPT if is_fit else abci.REJECT)

    def _beacon_of(self, height: int, txs: Sequence[bytes]) -> bytes | None:
        """Return the T that a block begins with, nothing at the first height; None if it is not the right one."""
        if height == 1:
            return b""
        mark, signature = (txs[0][:1], txs[0][1:]) if txs and height > 1 else (b"", b"")
        is_right = mark == BEACON_MARK and beacon.verify(self._keys.group, self.signed_at(height - 1), signature)
        return signature if is_right else None

    def signed_at(self, height: int) -> bytes:
        """Return what shares of a height sign: the chain and the height, nothing that anybody chooses."""
        return beacon.message(self.chain_id, height)

    # The beacon.

    def extend_vote(self, request: abci.ExtendVote) -> abci.VoteExtension:
        """Return this validator's share of T, once the block before has been committed and not earlier."""
        if self._secret is None:
            raise ChainFault("this node has no share of the beacon's key")
        if request.height != self.state.height + 1:
            raise ChainFault(f"asked to sign height {request.height} after block {self.state.height}")
        signed = self.signed_at(request.height)
        share = beacon.sign(self._secret, signed)
        if not beacon.verify(self._own, signed, share):
            raise ChainFault("this node's own share does not verify")
        return abci.VoteExtension(share)

    def verify_vote_extension(self, request: abci.VerifyVoteExtension) -> abci.Status:
        """Accept a good share. A bad one is rejected, so that no commit is decided by votes without a share."""
        if not self._is_share(request.height, request.validator, request.extension):
            return abci.Status(abci.REJECT)
        if request.height == self.state.height + 1:
            self._shares.setdefault(request.height, {})[self._indices[request.validator]] = request.extension
        return abci.Status(abci.ACCEPT)

    def _is_share(self, height: int, address: bytes, share: bytes) -> bool:
        index = self._indices.get(address) if height > 0 else None
        return index is not None and beacon.verify(self._keys.shares[index - 1], self.signed_at(height), share)

    def _signature(self, height: int, votes: Sequence[abci.ExtendedVote]) -> bytes | None:
        """Return T of a height from verified shares: those of the commit, late ones, or a proposal already seen."""
        if height in self._signatures:
            return self._signatures[height]
        shares = dict(self._shares.get(height, {}))
        for vote in votes:
            if vote.validator is not None and self._is_share(height, vote.validator.address, vote.extension):
                shares[self._indices[vote.validator.address]] = vote.extension
        threshold = beacon.threshold_of(len(self._indices))
        if len(shares) < threshold:
            return None
        signature = beacon.combine(shares, threshold)
        if not beacon.verify(self._keys.group, self.signed_at(height), signature):
            raise ChainFault(f"good shares of height {height} make a bad signature")
        return signature

    # Blocks.

    def finalize_block(self, request: abci.FinalizeBlock) -> abci.Finalized:
        """Carry out a decided block. The last durable one again changes nothing and is answered as it was."""
        if request.height == self.state.height and request.height:
            known = self.store.block(request.height)
            assert known is not None
            if known.txs != request.txs[request.height > 1 :]:
                raise ChainFault(f"block {request.height} came again with other transactions")
            return _finalized(known)
        if request.height != self.state.height + 1:
            raise ChainFault(f"block {request.height} came after block {self.state.height}")
        signature = self._beacon_of(request.height, request.txs)
        if signature is None:
            raise ChainFault(f"block {request.height} was decided without the right beacon")
        seed = beacon.seed_of(signature) if signature else None
        time = (request.time or abci.Timestamp()).milliseconds
        record, after = self.apply(request.height, request.txs[bool(signature) :], seed, time)
        record = replace(record, beacon=signature)
        self._finalized = (record, after)
        return _finalized(record)

    def apply(self, height: int, txs: Sequence[bytes], seed: bytes | None, time: int) -> tuple[BlockRecord, BlockState]:
        """Return what a block does to the state."""
        return apply_block(self.state, self.chain_id, height, txs, seed, time)

    def commit(self, request: abci.Commit) -> abci.Nothing:
        """Make the finalized block durable."""
        if self._finalized is not None:
            record, after = self._finalized
            self._finalized = None
            self.store.commit(record, after.encoded)
            self.state.advance(after, record.height, record.app_hash)
            # Of lower heights nobody will ask for anything.
            self._shares = {height: each for height, each in self._shares.items() if height >= record.height}
            self._signatures = {height: each for height, each in self._signatures.items() if height >= record.height}
        return abci.Nothing()


def encode_result(result: Result) -> abci.TransactionResult:
    """Return a transaction's result for CometBFT."""
    return abci.TransactionResult(result.code, canonical(result.data) if result.data else b"", result.message)


def _finalized(record: BlockRecord) -> abci.Finalized:
    results = (Result("ok"), *record.results) if record.beacon else record.results
    return abci.Finalized(tuple(encode_result(result) for result in results), record.app_hash)
