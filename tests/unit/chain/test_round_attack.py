"""A coalition that delays messages to pick between two blocks of one height, against two ways to make a seed.

Four validators, one of them, m, in league with the network; nobody signs two things. Over four rounds shares of block B
leak while B is not decided, and m can still have B or another block decided. A seed signed over the block's hash is
known to m at that point; one signed over the height decides the moves of the block before, which is final.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.chain import beacon
from croupier.chain.abci.messages import ExtendVote, FinalizeBlock, Finalized, VerifyVoteExtension
from croupier.chain.app import HouseApp, init_request
from croupier.chain.genesis import make_network_keys
from croupier.chain.simulation.consensus import Block, Disk, Message, Proposal, Replica, Vote, sign_vote
from croupier.chain.store import ChainStore
from croupier.engine.plain import canonical

KEYS = make_network_keys("attacked", 4, b"attack")
A, C, D, M = range(4)
HEIGHT = 2  # the proposers of rounds 0 to 3 are d, m, a, c


class HashApp(HouseApp):
    """The scheme that is not used: shares sign the height and the hash of its block."""

    def __init__(self, *given: Any) -> None:
        self.hashes: dict[int, bytes] = {}
        self.voted = b""
        super().__init__(*given)

    def signed_at(self, height: int) -> bytes:
        return super().signed_at(height) + self.hashes.get(height, self.voted)

    def extend_vote(self, request: ExtendVote) -> Any:
        self.voted = request.hash
        return super().extend_vote(request)

    def verify_vote_extension(self, request: VerifyVoteExtension) -> Any:
        self.voted = request.hash
        return super().verify_vote_extension(request)

    def finalize_block(self, request: FinalizeBlock) -> Finalized:
        self.hashes[request.height] = request.hash
        return super().finalize_block(request)


class Adversary:
    """A network in which a message arrives when the test says so. Everything sent is seen."""

    def __init__(self, app_type: type[HouseApp]) -> None:
        self.sent: list[Message] = []
        self.nodes: list[Replica] = []
        addresses = tuple(each.address for each in KEYS.genesis.validators)
        for index, secret in enumerate(KEYS.shares):
            app = app_type(ChainStore(), secret)
            app.init_chain(init_request(KEYS.chain_id, canonical(KEYS.genesis)))
            self.nodes.append(Replica(index, app, addresses, Disk(), self, 1))
        self._first_block()

    def send(self, sender: int, message: Message, to: int | None = None) -> None:
        self.sent.append(message)

    def schedule(self, sender: int, delay: int, action: Callable[[], None]) -> None:
        pass

    def now(self) -> int:
        return 1

    def fsync(self, sender: int, write: Callable[[], None]) -> None:
        write()

    def _first_block(self) -> None:
        """Decide block 1 with every message delivered, then enter height 2."""
        for node in self.nodes:
            node.start()
        seen = 0
        while seen < len(self.sent):
            message = self.sent[seen]
            seen += 1
            sender = getattr(message, "sender", None)
            for node in self.nodes:
                if sender is not None and node.index != sender:
                    node.receive(sender, message)
        assert [node.height for node in self.nodes] == [HEIGHT] * 4
        self.sent.clear()
        for node in self.nodes[:M]:  # m is played by the test
            node._enter_round(0)

    def vote(self, kind: str, number: int, sender: int) -> Vote:
        return next(
            m for m in self.sent if isinstance(m, Vote) and (m.kind, m.round, m.sender) == (kind, number, sender)
        )

    def proposal(self, number: int) -> Proposal:
        return next(m for m in self.sent if isinstance(m, Proposal) and m.round == number)

    def hear(self, to: int, *messages: Any) -> None:
        for message in messages:
            self.nodes[to].receive(message.sender, message)

    def prevotes(self, number: int, *senders: int) -> list[Vote]:
        return [self.vote("prevote", number, sender) for sender in senders]

    def m_votes(self, kind: Any, number: int, chosen: bytes) -> Vote:
        """A vote of m's, with the extension that its own application makes."""
        extension = b""
        if kind == "precommit" and chosen:
            extension = self.nodes[M].app.extend_vote(ExtendVote(chosen, HEIGHT)).extension
        made = sign_vote(Vote(kind, HEIGHT, number, chosen, M, b"", extension))
        self.sent.append(made)
        return made


def attack(app_type: type[HouseApp]) -> tuple[Adversary, Block, Block]:
    """Play rounds 0 to 2 up to the point where m has to make up its mind."""
    net = Adversary(app_type)
    b = net.proposal(0).block
    for node in (A, C):
        net.hear(node, net.proposal(0))
    nil = net.m_votes("prevote", 0, b"")
    net.hear(A, *net.prevotes(0, C, D))
    net.hear(C, *net.prevotes(0, D), nil)
    net.hear(D, *net.prevotes(0, C), nil)
    for node in (C, D):
        net.nodes[node].time_out("prevote", HEIGHT, 0)
    for node in (A, C, D):
        net.nodes[node].time_out("precommit", HEIGHT, 0)

    b2 = replace(b, time=b.time + 7, proposer=M)
    for node in (A, C, D):
        net.hear(node, Proposal(HEIGHT, 1, b2, -1, M))
    m1 = net.m_votes("prevote", 1, b2.hash)
    net.hear(C, *net.prevotes(1, D), m1)
    net.hear(A, *net.prevotes(1, C, D))
    net.hear(D, *net.prevotes(1, A, C))
    for node in (A, D):
        net.nodes[node].time_out("prevote", HEIGHT, 1)
    for node in (A, C, D):
        net.nodes[node].time_out("precommit", HEIGHT, 1)

    net.hear(D, *net.prevotes(0, A))  # the prevotes of round 0 are complete for d now
    assert net.proposal(2).block == b
    for node in (C, D):
        net.hear(node, net.proposal(2))
    net.nodes[C].time_out("propose", HEIGHT, 2)  # c lacks those prevotes, waits in vain, and prevotes its lock
    m2 = net.m_votes("prevote", 2, b.hash)
    net.hear(D, *net.prevotes(2, A), m2)
    net.hear(A, *net.prevotes(2, C, D))
    net.hear(C, *net.prevotes(2, A, D))
    return net, b, b2


def finish(net: Adversary, b: Block, b2: Block, *, likes: bool) -> set[int]:
    """Have b decided, or b2; return who has decided."""
    if likes:
        net.hear(A, net.vote("prevote", 2, M))
        votes = [net.vote("precommit", 2, A), net.vote("precommit", 2, D), net.m_votes("precommit", 2, b.hash)]
    else:
        net.nodes[A].time_out("prevote", HEIGHT, 2)
        for node in (A, C):
            net.nodes[node].time_out("precommit", HEIGHT, 2)
        net.hear(A, net.vote("prevote", 1, M))  # and a gives up its lock on b
        net.hear(A, net.proposal(3))
        m3 = net.m_votes("prevote", 3, b2.hash)
        net.hear(A, *net.prevotes(3, C), m3)
        net.hear(C, *net.prevotes(3, A), m3)
        votes = [net.vote("precommit", 3, A), net.vote("precommit", 3, C), net.m_votes("precommit", 3, b2.hash)]
    for node in (A, C, D):
        net.hear(node, *(vote for vote in votes if vote.sender != node))
    return {node.index for node in net.nodes[:M] if node.height > HEIGHT}


def signature_known(net: Adversary, signed: bytes) -> bytes | None:
    """Return the signature that m can combine of every extension seen on the wire, and its own share."""
    shares = {}
    for message in net.sent:
        if isinstance(message, Vote) and message.extension:
            key = KEYS.genesis.keys.shares[message.sender]
            if beacon.verify(key, signed, message.extension):
                shares[message.sender + 1] = message.extension
    shares[M + 1] = beacon.sign(KEYS.shares[M], signed)
    return beacon.combine(shares, 3) if len(shares) >= 3 else None


def deciding_message(app_type: type[HouseApp], block: Block) -> bytes:
    """Return the message that the seed of a block's moves is a signature of, in each scheme."""
    if app_type is HashApp:
        return beacon.message(KEYS.chain_id, HEIGHT) + block.hash
    return beacon.message(KEYS.chain_id, HEIGHT + 1)


@pytest.mark.parametrize("likes", [True, False])
def test_signed_over_the_hash_a_coalition_knows_the_seed_and_chooses_the_block(likes):
    net, b, b2 = attack(HashApp)
    assert [node.height for node in net.nodes[:M]] == [HEIGHT] * 3  # nobody has decided
    seed = signature_known(net, deciding_message(HashApp, b))
    assert seed is not None
    assert beacon.verify(KEYS.genesis.keys.group, deciding_message(HashApp, b), seed)

    assert finish(net, b, b2, likes=likes) >= {A, C}
    decided = net.nodes[A].disk.blocks[HEIGHT].block
    assert decided == (b if likes else b2)


@pytest.mark.parametrize("likes", [True, False])
def test_signed_over_the_height_the_same_coalition_knows_nothing_while_it_can_choose(likes):
    net, b, b2 = attack(HouseApp)
    assert [node.height for node in net.nodes[:M]] == [HEIGHT] * 3
    # What it can know, T of this height, settles the moves of the block before, which everybody has committed.
    assert signature_known(net, beacon.message(KEYS.chain_id, HEIGHT)) is not None
    assert signature_known(net, deciding_message(HouseApp, b)) is None

    assert finish(net, b, b2, likes=likes) >= {A, C}
    assert net.nodes[A].disk.blocks[HEIGHT].block == (b if likes else b2)
    # The block is final, and still nobody has signed for the height that decides its moves.
    assert signature_known(net, deciding_message(HouseApp, b)) is None
