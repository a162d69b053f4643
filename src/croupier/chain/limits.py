"""Bounds of everything that comes from outside, enforced where it is decoded; docs/validators.md lists them."""

from __future__ import annotations

CHAIN_ID_BYTES_MAX = 50
"""CometBFT takes no longer one."""
VALIDATORS_MAX = 64
OPERATORS_MAX = 16
TABLES_MAX = 256
TRANSACTION_BYTES_MAX = 512
UPGRADE_BYTES_MAX = 65_536
"""Of an upgrade transaction: it holds the constants and the whole catalogue."""
NAME_BYTES_MAX = 32
PAYLOAD_BYTES_MAX = 256
NONCE_WINDOW = 16
"""How far ahead of the next number an account's transaction may be."""
TRANSACTIONS_MAX = 5_000
"""In a block, the beacon's among them."""
TRANSACTIONS_PER_ACCOUNT_MAX = 4
"""In a block."""
BLOCK_BYTES_MAX = 2_097_152
UPGRADE_NOTICE_MIN = 10
"""Blocks between an upgrade's approval and its height."""
UPGRADE_NOTICE_MAX = 10_000_000
SETTLED_AFTER = 2
"""Blocks from a move to its settlement."""
STATE_PROOF_DEPTH_MAX = 64
EVENT_PROOF_DEPTH_MAX = 32
PROOF_BYTES_MAX = 65_536
QUERY_PATH_BYTES_MAX = 512
QUERY_EVENTS_MAX = 1000
"""In one answer."""
GENESIS_BYTES_MAX = 1_048_576
HEIGHT_MAX = 2**63 - 1
