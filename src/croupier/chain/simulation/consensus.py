"""A validator in one process: the voting rules of CometBFT v0.38 around an application, over any network and clock.

Proposal, prevote, precommit; a block with prevotes of more than two thirds is locked and precommitted with a vote
extension; precommits of more than two thirds in one round decide. A lock is given up for such prevotes of another block
in a later round. Whatever a validator signs is on its disk before it is sent, so a restart never signs two things.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.chain.abci import messages as abci
from croupier.chain.abci.server import Application
from croupier.chain.beacon import threshold_of
from croupier.chain.limits import BLOCK_BYTES_MAX

NIL = b""
Kind = Literal["prevote", "precommit"]
Step = Literal["new", "propose", "prevote", "precommit"]


class Block(Struct, frozen=True):
    """A block: its transactions, the beacon's first."""

    height: int
    time: int
    txs: tuple[bytes, ...]
    proposer: int

    @property
    def hash(self) -> bytes:
        """Hash that votes are for."""
        return sha256(msgspec.msgpack.encode(self)).digest()


class Proposal(Struct, frozen=True):
    """A proposer's block for a round; `pol_round` is the round whose prevotes speak for it, -1 for none."""

    height: int
    round: int
    block: Block
    pol_round: int
    sender: int


class Vote(Struct, frozen=True):
    """A prevote or precommit; a precommit for a block carries an extension."""

    kind: Kind
    height: int
    round: int
    hash: bytes
    sender: int
    signature: bytes = b""
    extension: bytes = b""


class Decided(Struct, frozen=True):
    """A block with the precommits that decided it, for those who are behind."""

    block: Block
    votes: tuple[Vote, ...]


class Status(Struct, frozen=True):
    """Height that a validator has reached, as it tells others."""

    height: int


Message = Proposal | Vote | Decided | Status


def sign_vote(vote: Vote) -> Vote:
    """Return a vote with its signature: a tag that the simulation's liars do not make for others."""
    content = (vote.kind, vote.height, vote.round, vote.hash, vote.sender)
    return replace(vote, signature=sha256(b"vote" + msgspec.msgpack.encode(content)).digest()[:8])


class Network(Protocol):
    """Network interface of a validator: others to talk to, and a clock."""

    def send(self, sender: int, message: Message, to: int | None = None) -> None:
        """Send to one, or to all others."""

    def schedule(self, sender: int, delay: int, action: Callable[[], None]) -> None:
        """Do something later, unless the validator has stopped by then."""

    def now(self) -> int:
        """Return the time in milliseconds."""

    def fsync(self, sender: int, write: Callable[[], None]) -> None:
        """Write to the disk of a validator; it may crash before or after."""


class Signed(Struct):
    """Write-ahead record of a height, kept across a crash: votes given, the proposal made, lock and valid block."""

    height: int = 0
    round: int = 0
    votes: dict[tuple[str, int], Vote] = {}
    proposals: dict[int, Proposal] = {}
    locked: Block | None = None
    locked_round: int = -1
    valid: Block | None = None
    valid_round: int = -1


class Disk:
    """Disk of a validator: what survives a crash of consensus; the application has a store of its own."""

    def __init__(self) -> None:
        self.signed = Signed()
        self.blocks: dict[int, Decided] = {}


class Replica:
    """One validator at work. Indices count from 0; the proposer of a round is (height + round) modulo their number."""

    PROPOSE_MS, VOTE_MS, GOSSIP_MS = 300, 150, 250

    def __init__(
        self, index: int, app: Application, addresses: tuple[bytes, ...], disk: Disk, network: Network, height: int
    ) -> None:
        self.index = index
        self.app = app
        self.addresses = addresses
        self.disk = disk
        self.network = network
        self.quorum = threshold_of(len(addresses))
        self.commit_ms = 100
        """How long it waits after a block before the next."""
        self.mempool: dict[bytes, None] = {}
        self._go_to(height)

    def _go_to(self, height: int) -> None:
        """Stand at the beginning of a height."""
        self.height = height
        self.round = 0
        self.step: Step = "new"
        self.votes: dict[tuple[str, int], dict[int, Vote]] = {}
        self.proposals: dict[int, Proposal] = {}
        self.known: dict[bytes, Block] = {}
        self.waited: set[tuple[str, int]] = set()

    # Beginning.

    def start(self) -> None:
        """Begin, or go on after a crash: replay a block that was saved and not applied, then what was signed."""
        if self.height in self.disk.blocks:
            self._apply(self.disk.blocks[self.height])
        if self.disk.signed.height != self.height:
            self.disk.signed = Signed(self.height)
        signed = self.disk.signed
        for vote in signed.votes.values():
            self._note(vote)
        proposed = [proposal.block for proposal in signed.proposals.values()]
        self.known = {block.hash: block for block in (*proposed, signed.locked, signed.valid) if block is not None}
        self._gossip()
        self._enter_round(self.disk.signed.round)

    def _gossip(self) -> None:
        """Say where it stands and repeat what it signed at this height: messages get lost."""
        self.network.send(self.index, Status(self.height))
        signed = self.disk.signed
        repeated: tuple[Vote | Proposal, ...] = (*signed.votes.values(), *signed.proposals.values())
        for said in repeated:
            if said.round >= self.round - 3:
                self.network.send(self.index, said)
        self.network.schedule(self.index, self.GOSSIP_MS, self._gossip)

    # Rounds.

    def proposer(self, height: int, number: int) -> int:
        """Return whose turn it is."""
        return (height + number) % len(self.addresses)

    def _enter_round(self, number: int) -> None:
        self.round, self.step = number, "propose"
        self.disk.signed.round = number
        self._wait_once("propose", self.PROPOSE_MS + 100 * number)
        if self.proposer(self.height, number) == self.index:
            self._propose()
        self._try_prevote()
        self._check_votes(number)

    def _propose(self) -> None:
        signed = self.disk.signed
        if self.round not in signed.proposals:
            block = signed.valid or self._make_block()
            made = Proposal(self.height, self.round, block, signed.valid_round, self.index)
            self.network.fsync(self.index, lambda: signed.proposals.__setitem__(self.round, made))
        self._take_proposal(signed.proposals[self.round])
        self.network.send(self.index, signed.proposals[self.round])

    def _make_block(self) -> Block:
        last = self.disk.blocks.get(self.height - 1)
        votes = () if last is None else last.votes
        extended = tuple(abci.ExtendedVote(abci.Validator(self.addresses[v.sender]), v.extension) for v in votes)
        time = max(self.network.now(), 0 if last is None else last.block.time + 1)
        commit = abci.ExtendedCommit(extended)
        request = abci.PrepareProposal(BLOCK_BYTES_MAX, tuple(self.mempool), commit, self.height)
        return Block(self.height, time, self.app.prepare_proposal(request).txs, self.index)

    def _try_prevote(self) -> None:
        proposal = self.proposals.get(self.round)
        if self.step != "propose" or proposal is None:
            return
        if 0 <= proposal.pol_round < self.round and self._most("prevote", proposal.pol_round) != proposal.block.hash:
            return  # its prevotes have not come yet
        self._prevote()

    def _prevote(self) -> None:
        """Prevote the locked block, else the proposed one if it is valid, else nothing."""
        self.step = "prevote"
        proposal, locked = self.proposals.get(self.round), self.disk.signed.locked
        if locked is not None:
            chosen = locked.hash
        else:
            chosen = proposal.block.hash if proposal is not None and self._is_valid(proposal.block) else NIL
        self._vote("prevote", chosen)

    def _is_valid(self, block: Block) -> bool:
        last = self.disk.blocks.get(self.height - 1)
        if block.height != self.height or (last is not None and block.time <= last.block.time):
            return False
        request = abci.ProcessProposal(block.txs, block.hash, block.height, abci.Timestamp.of(block.time))
        return self.app.process_proposal(request).status == abci.ACCEPT

    def _precommit(self) -> None:
        """Lock and precommit what more than two thirds prevoted in this round; else precommit nothing."""
        self.step = "precommit"
        most, signed = self._most("prevote", self.round), self.disk.signed
        block = self.known.get(most) if most else None
        if block is not None and not self._is_valid(block):
            block = None
        if most is not None:
            signed.locked, signed.locked_round = block, -1 if block is None else self.round
        self._vote("precommit", NIL if block is None else block.hash)

    def _vote(self, kind: Kind, chosen: bytes) -> None:
        signed, key = self.disk.signed, (kind, self.round)
        if key not in signed.votes:
            extension = b""
            if kind == "precommit" and chosen:
                extension = self.app.extend_vote(abci.ExtendVote(chosen, self.height)).extension
            made = sign_vote(Vote(kind, self.height, self.round, chosen, self.index, b"", extension))
            self.network.fsync(self.index, lambda: signed.votes.__setitem__(key, made))
        vote = signed.votes[key]
        self.network.send(self.index, vote)
        self._note(vote)
        self._check_votes(self.round)

    # Messages.

    def receive(self, sender: int, message: Message) -> None:
        """Take a message from another validator."""
        match message:
            case Proposal() if message.sender == sender and message.height == self.height:
                self._take_proposal(message)
            case Vote() if message.height == self.height and sign_vote(message).signature == message.signature:
                self._take_vote(message)
            case Decided() if message.block.height == self.height:
                self._take_decided(message)
            case Status() if message.height < self.height and message.height in self.disk.blocks:
                self.network.send(self.index, self.disk.blocks[message.height], sender)

    def _take_proposal(self, proposal: Proposal) -> None:
        if proposal.sender != self.proposer(self.height, proposal.round) or proposal.pol_round >= proposal.round:
            return
        self.known[proposal.block.hash] = proposal.block
        if proposal.round not in self.proposals:
            self.proposals[proposal.round] = proposal
        self._try_prevote()
        for number in range(self.round + 1):
            self._check_votes(number)

    def _take_vote(self, vote: Vote) -> None:
        if vote.kind == "precommit" and vote.hash and vote.sender != self.index:
            address = self.addresses[vote.sender]
            request = abci.VerifyVoteExtension(vote.hash, address, vote.height, vote.extension)
            if self.app.verify_vote_extension(request).status != abci.ACCEPT:
                return
        self._note(vote)
        self._check_votes(vote.round)

    def _note(self, vote: Vote) -> None:
        """Keep the first vote of a sender for a round; a second one is equivocation and not counted."""
        self.votes.setdefault((vote.kind, vote.round), {}).setdefault(vote.sender, vote)

    def _most(self, kind: Kind, number: int) -> bytes | None:
        """Return what more than two thirds voted for in a round, None if there is nothing."""
        counts: dict[bytes, int] = {}
        for vote in self.votes.get((kind, number), {}).values():
            counts[vote.hash] = counts.get(vote.hash, 0) + 1
        return next((chosen for chosen, count in counts.items() if count >= self.quorum), None)

    def _has_any(self, kind: Kind, number: int) -> bool:
        return len(self.votes.get((kind, number), {})) >= self.quorum

    def _check_votes(self, number: int) -> None:
        """Do whatever the votes of a round allow by now."""
        height = self.height
        self._check_prevotes(number)
        if self.height != height:
            return
        decided = self._most("precommit", number)
        if decided and decided in self.known:
            votes = tuple(v for v in self.votes[("precommit", number)].values() if v.hash == decided)
            self._decide(Decided(self.known[decided], votes))
            return
        if number > self.round and (self._has_any("prevote", number) or self._has_any("precommit", number)):
            self._enter_round(number)
        elif number == self.round and self._has_any("precommit", number):
            self._wait_once("precommit", self.VOTE_MS + 50 * number)

    def _check_prevotes(self, number: int) -> None:
        most, signed = self._most("prevote", number), self.disk.signed
        if most is not None:
            locked = signed.locked
            if locked is not None and signed.locked_round < number <= self.round and most != locked.hash:
                signed.locked, signed.locked_round = None, -1
            if most and most in self.known and signed.valid_round < number == self.round:
                signed.valid, signed.valid_round = self.known[most], number
        self._try_prevote()
        if number == self.round and self.step == "prevote":
            if most is not None:
                self._precommit()
            elif self._has_any("prevote", number):
                self._wait_once("prevote", self.VOTE_MS + 50 * number)

    def _wait_once(self, step: Step, delay: int) -> None:
        """Give a step of this round some time, longer in later rounds."""
        height, number = self.height, self.round
        if (step, number) not in self.waited:
            self.waited.add((step, number))
            self.network.schedule(self.index, delay, lambda: self.time_out(step, height, number))

    def time_out(self, step: Step, height: int, number: int) -> None:
        """Go on without what has not come, if this is still waited for."""
        if (self.height, self.round) == (height, number):
            if step == "precommit":
                self._enter_round(number + 1)
            elif step == self.step == "propose":
                self._prevote()
            elif step == self.step == "prevote":
                self._precommit()

    # Deciding.

    def _take_decided(self, decided: Decided) -> None:
        chosen = decided.block.hash
        good = {
            vote.sender: vote
            for vote in decided.votes
            if (vote.kind, vote.height, vote.hash) == ("precommit", self.height, chosen)
            and sign_vote(vote).signature == vote.signature
        }
        if len(good) >= self.quorum and len({vote.round for vote in good.values()}) == 1:
            self._decide(Decided(decided.block, tuple(good.values())))

    def _decide(self, decided: Decided) -> None:
        self.network.fsync(self.index, lambda: self.disk.blocks.__setitem__(self.height, decided))
        self._apply(decided)
        self.disk.signed = Signed(self.height)
        height = self.height
        self.network.schedule(self.index, self.commit_ms, lambda: self._next_height(height))

    def _next_height(self, height: int) -> None:
        if (self.height, self.step) == (height, "new"):
            self._enter_round(0)

    def _apply(self, decided: Decided) -> None:
        """Let the application carry out a decided block, and go to the next height."""
        block = decided.block
        self.app.finalize_block(abci.FinalizeBlock(block.txs, block.hash, block.height, abci.Timestamp.of(block.time)))
        self.app.commit(abci.Commit())
        for data in block.txs:
            self.mempool.pop(data, None)
        self._go_to(self.height + 1)
