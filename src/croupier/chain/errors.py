"""Errors of the chain: what cannot be read of proofs, transactions, genesis, shares; nodes that cannot go on or answer.

CroupierError
├── BadProof (ValueError)          a Merkle proof that cannot be read
├── BadTransaction (ValueError)    bytes that are no transaction; `code` says why
├── BadGenesis (ValueError)        a genesis document that no chain can begin with
├── BadShare (ValueError)          a key, share or signature of the beacon that is not one
├── ChainFault (RuntimeError)      the node cannot go on: a gap, a wrong beacon, other software than the chain's
├── ChainMismatch (ValueError)     re-execution differs; `height` and `key` are the first that do
└── NodeError (RuntimeError)       a node that does not answer, or a program that is not there
"""

from __future__ import annotations

from croupier.errors import CroupierError


class BadProof(CroupierError, ValueError):
    """A Merkle proof that cannot be read."""

    code = "bad_proof"


class BadTransaction(CroupierError, ValueError):
    """Bytes that are no transaction of this chain; `reason` is the code of the refusal."""

    code = "bad_transaction"

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class BadGenesis(CroupierError, ValueError):
    """A genesis document that no chain can begin with."""

    code = "bad_genesis"


class BadShare(CroupierError, ValueError):
    """A key, share or signature of the beacon that is not one."""

    code = "bad_share"


class ChainFault(CroupierError, RuntimeError):
    """The node cannot go on: a gap in the blocks, a wrong beacon, other software than the chain's."""

    code = "chain_fault"


class ChainMismatch(CroupierError, ValueError):
    """Re-execution differs from what a node says; `height` and `key` are the first that do."""

    code = "chain_mismatch"

    def __init__(self, message: str, height: int, key: str) -> None:
        super().__init__(message)
        self.height = height
        self.key = key


class NodeError(CroupierError, RuntimeError):
    """A node that does not answer, or a program that is not there."""

    code = "node_error"
