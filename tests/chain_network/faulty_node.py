"""A node with a fault: `python faulty_node.py FAULT HOME`, a validator that the others have to live with.

bad_share    its vote extensions are well-formed points and not its shares
other_sums   from the first transaction on that it sees, it computes a balance differently
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from croupier.chain import beacon
from croupier.chain.abci.messages import ExtendVote, VoteExtension
from croupier.chain.app import HouseApp
from croupier.chain.block import BlockRecord
from croupier.chain.node.cometbft import find_cometbft
from croupier.chain.node.run import run_node
from croupier.chain.state import BlockState


class BadShare(HouseApp):
    """It signs another height than it is asked for."""

    def extend_vote(self, request: ExtendVote) -> VoteExtension:
        """Return a share of the wrong message."""
        assert self._secret is not None
        print("bad share for height", request.height, flush=True)
        return VoteExtension(beacon.sign(self._secret, beacon.message(self.chain_id, request.height + 1000)))


class OtherSums(HouseApp):
    """It believes in another seed wherever there is a transaction."""

    def apply(self, height: int, txs: Sequence[bytes], seed: bytes | None, time: int) -> tuple[BlockRecord, BlockState]:
        """Return what the block would do with a seed of its own."""
        return super().apply(height, txs, bytes(32) if txs else seed, time)


FAULTS = {"bad_share": BadShare, "other_sums": OtherSums}

if __name__ == "__main__":
    run_node(Path(sys.argv[2]), find_cometbft(build=False), FAULTS[sys.argv[1]])
