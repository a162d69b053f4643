"""A node's home: the folder with its keys, the genesis file, the settings of CometBFT and the chain's database.

config/genesis.json              the same for every node
config/priv_validator_key.json   the key for votes (Ed25519), CometBFT's
config/node_key.json             the key for connections, CometBFT's
config/config.toml               settings of CometBFT; what is not there has its default
share.json                       the validator's share of the beacon's key
chain.db                         the application's state and blocks
"""

from __future__ import annotations

import os
import secrets
import time
from base64 import b64encode
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.chain.errors import NodeError
from croupier.chain.genesis import Genesis, address_of, make_network_keys
from croupier.chain.limits import BLOCK_BYTES_MAX, CHAIN_ID_BYTES_MAX, GENESIS_BYTES_MAX
from croupier.chain.transactions import Sender
from croupier.engine.plain import canonical


class Ports(Struct, frozen=True):
    """Ports on 127.0.0.1 where a node listens: for other nodes, for clients, and for its CometBFT."""

    peers: int
    rpc: int


def deal_network(
    folder: Path, ports: list[Ports], *, chain_id: str = "croupier-localnet", commit_ms: int = 500
) -> list[Path]:
    """Make the homes of a whole network, the keys dealt from one hand: for one machine and demonstrations.

    Whoever runs this has seen every secret share, and could foresee every seed. A real network makes its keys
    together; docs/validators.md says how.
    """
    if not 1 <= len(chain_id.encode()) <= CHAIN_ID_BYTES_MAX:
        raise NodeError(f"a chain id has 1 to {CHAIN_ID_BYTES_MAX} bytes")
    if folder.exists() and any(folder.iterdir()):
        raise NodeError(f"{folder} is not empty")
    keys = make_network_keys(chain_id, len(ports), secrets.token_bytes(32))
    nodes = [secrets.token_bytes(32) for _ in ports]
    homes = [folder / f"node{index}" for index in range(len(ports))]
    for home in homes:
        (home / "config").mkdir(parents=True)
        (home / "data").mkdir()
    new_key(folder / "operator.json", keys.operator)
    document = canonical(_genesis_file(keys.genesis, chain_id))
    peers = ",".join(
        f"{address_of(Sender(node).public).hex()}@127.0.0.1:{port.peers}"
        for node, port in zip(nodes, ports, strict=True)
    )
    for index, home in enumerate(homes):
        _write(home / "config" / "genesis.json", document)
        _write(home / "config" / "priv_validator_key.json", canonical(_vote_key(keys.votes[index])))
        _write(home / "config" / "node_key.json", canonical({"priv_key": _private(nodes[index])}))
        _write(home / "config" / "config.toml", _settings(index, ports[index], peers, commit_ms).encode())
        _write(home / "data" / "priv_validator_state.json", b'{"height":"0","round":0,"step":0}')
        _write(home / "share.json", canonical({"dealt": True, "secret": keys.shares[index].hex()}))
    return homes


def _genesis_file(genesis: Genesis, chain_id: str) -> dict[str, object]:
    validators = [
        {"address": each.address.hex().upper(), "pub_key": _public(each.vote_key), "power": "1", "name": f"node{index}"}
        for index, each in enumerate(genesis.validators)
    ]
    params = {
        "block": {"max_bytes": str(BLOCK_BYTES_MAX), "max_gas": "-1"},
        "evidence": {"max_age_num_blocks": "100000", "max_age_duration": "172800000000000", "max_bytes": "1048576"},
        "validator": {"pub_key_types": ["ed25519"]},
        "version": {"app": "1"},
        "abci": {"vote_extensions_enable_height": "1"},
    }
    return {
        "genesis_time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "chain_id": chain_id,
        "initial_height": "1",
        "consensus_params": params,
        "validators": validators,
        "app_hash": "",
        "app_state": genesis,
    }


def _settings(index: int, ports: Ports, peers: str, commit_ms: int) -> str:
    """Return CometBFT's settings."""
    return f"""moniker = "node{index}"
log_level = "info"

[rpc]
laddr = "tcp://127.0.0.1:{ports.rpc}"

[p2p]
laddr = "tcp://127.0.0.1:{ports.peers}"
persistent_peers = "{peers}"
addr_book_strict = false
allow_duplicate_ip = true
pex = false

[mempool]
size = 20000
cache_size = 40000
recheck = false

[consensus]
timeout_commit = "{commit_ms}ms"

[tx_index]
indexer = "null"

[storage]
discard_abci_responses = true
"""


def new_key(path: Path, secret: bytes | None = None) -> str:
    """Write an account key, a new one if none is given, into a file of its own and return the account's id."""
    secret = secret or secrets.token_bytes(32)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, canonical({"secret": secret.hex(), "id": Sender(secret).id}))
    return Sender(secret).id


def read_key(path: Path) -> Sender:
    """Return the account in a key file."""
    return Sender(_read_secret(path))


def read_share(home: Path) -> bytes:
    """Return the share of the beacon's key in a home."""
    return _read_secret(home / "share.json")


def _read_secret(path: Path) -> bytes:
    try:
        data = path.read_bytes() if path.stat().st_size <= GENESIS_BYTES_MAX else b""
        secret = bytes.fromhex(msgspec.json.decode(data)["secret"])
    except (msgspec.MsgspecError, ValueError, KeyError, TypeError, RecursionError):
        secret = b""
    if len(secret) != 32:
        raise NodeError(f"{path} is no key file")
    return secret


def _write(path: Path, data: bytes) -> None:
    """Write a new file that only its owner can read."""
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(data)


def _public(key: str) -> dict[str, str]:
    return {"type": "tendermint/PubKeyEd25519", "value": b64encode(bytes.fromhex(key)).decode()}


def _private(secret: bytes) -> dict[str, str]:
    return {"type": "tendermint/PrivKeyEd25519", "value": b64encode(secret + Sender(secret).public).decode()}


def _vote_key(secret: bytes) -> dict[str, object]:
    public = Sender(secret).public
    address = address_of(public).hex().upper()
    return {"address": address, "pub_key": _public(public.hex()), "priv_key": _private(secret)}
