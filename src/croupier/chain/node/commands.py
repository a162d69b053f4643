"""The actions of `croupier node`, without its command line."""

from __future__ import annotations

import re
import secrets
import signal
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from croupier.chain.errors import NodeError
from croupier.chain.genesis import make_network_keys
from croupier.chain.node.cometbft import find_cometbft
from croupier.chain.node.home import Ports, deal_network
from croupier.chain.node.run import LocalNetwork, free_ports
from croupier.chain.node.simulated import SimulatedNode
from croupier.chain.transactions import ApproveUpgrade, Body
from croupier.engine.plain import canonical
from croupier.house import CloseSession, Deposit, GameMove, PlayerAction, Register, StartGame


def init_network(folder: Path, validators: int) -> dict[str, Any]:
    """Make the homes of a network for this machine."""
    ports = [Ports(peers, peers + 1) for peers in range(26656, 26656 + 10 * validators, 10)]
    homes = deal_network(folder, ports)
    return {"homes": [str(home) for home in homes], "operator": str(folder / "operator.json"), "dealt": True}


def run_localnet(
    folder: Path | None, validators: int, port: int, *, simulated: bool, say: Callable[[str], None]
) -> None:
    """Run a network until it is interrupted."""
    if simulated:
        keys = make_network_keys("croupier-simulated", validators, secrets.token_bytes(32))
        with SimulatedNode(keys, port) as node:
            say(f"{validators} simulated validators, chain {keys.chain_id}, RPC at {node.url}; Ctrl-C ends them")
            _wait_for_interrupt(lambda: None)
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # else it would end this process and leave its children
    cometbft = find_cometbft(say)
    with tempfile.TemporaryDirectory(prefix="croupier-localnet-") as made:
        place = Path(made) if folder is None else folder
        first, *others = free_ports(validators)
        ports = [Ports(first.peers, port or first.rpc), *others]
        say("keys are dealt from one hand: for demonstrations, not for a network that others rely on")
        homes = deal_network(place, ports)
        say(f"starting {validators} validators with {cometbft}, homes in {place}")
        with LocalNetwork(homes, ports) as network:
            for index in range(validators):
                say(f"node {index}: http://127.0.0.1:{ports[index].rpc}")
            say("blocks are coming; Ctrl-C ends the network")
            _wait_for_interrupt(lambda: [*map(say, network.ended())])


def _wait_for_interrupt(look: Callable[[], object]) -> None:
    ending = threading.Event()
    before = {each: signal.signal(each, lambda *_: ending.set()) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        while not ending.wait(1):
            look()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def read_body(words: list[str]) -> Body:
    """Return the body of a transaction from the words of a command.

    >>> read_body(["sit", "6", "0"])
    StartGame(table=6, stake=0, session_id=0)
    """
    try:
        match words:
            case ["register", name]:
                return Register(name.encode().decode())  # a name that is not UTF-8 cannot be signed
            case ["deposit", amount]:
                return Deposit(_whole(amount))
            case ["sit", table, stake]:
                return StartGame(_whole(table), _whole(stake), 0)
            case ["move", session, payload]:
                return GameMove(_whole(session), _hex(payload))
            case ["arm", ("shield" | "double" | "super") as modifier]:
                return PlayerAction(modifier)
            case ["close", session]:
                return CloseSession(_whole(session))
            case ["upgrade", height, file]:
                return ApproveUpgrade(_whole(height), canonical(msgspec.json.decode(Path(file).read_bytes())))
    except (ValueError, OSError, msgspec.MsgspecError, RecursionError) as error:
        raise NodeError(f"{' '.join(words)[:80]}: {getattr(error, 'strerror', None) or error}") from None
    kinds = "register NAME, deposit CHIPS, sit TABLE STAKE, move SESSION HEX, arm MODIFIER, close SESSION"
    raise NodeError(f"send takes one of {kinds}, upgrade HEIGHT FILE")


def _whole(text: str) -> int:
    if not re.fullmatch("[0-9]{1,20}", text) or int(text) >= 2**64:
        raise ValueError(f"{text[:40]!r} is no whole number from 0 to 2**64 - 1")
    return int(text)


def _hex(text: str) -> bytes:
    if not re.fullmatch("([0-9a-fA-F]{2})*", text):
        raise ValueError(f"{text[:40]!r} is no hex, two digits a byte")
    return bytes.fromhex(text)
