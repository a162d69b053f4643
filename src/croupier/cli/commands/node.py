"""`croupier node`: validators of a chain, and a client of theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from croupier.cli.errors import Usage
from croupier.cli.inputs import Whole, command, is_given, json_option
from croupier.cli.show import make_console, print_json, say

ACTIONS = ("localnet", "init", "start", "status", "query", "send", "key", "verify")
OPTIONS = {  # which actions each is for
    "validators": ("localnet", "init"),
    "simulated": ("localnet",),
    "port": ("localnet",),
    "key": ("send",),
    "rpc": ("status", "query", "send", "verify"),
    "json": ("init", "status", "query", "send", "key", "verify"),
}


@command
@click.argument("action", metavar="ACTION", help=f"One of {', '.join(ACTIONS)}.")
@click.argument("words", nargs=-1, metavar="[WORDS]", help="A folder, a query, or what to send.")
@click.option("--validators", metavar="N", type=Whole(min=1), default=4, help="How many validators.")
@click.option("--simulated", is_flag=True, help="With localnet: all in one process, without CometBFT.")
@click.option("--rpc", metavar="URL", default="http://127.0.0.1:26657", help="The node to ask.")
@click.option("--key", metavar="FILE", help="With send: the account's key file.")
@click.option("--port", metavar="PORT", type=Whole(0, 65535), default=26657, help="With localnet: node 0's RPC port.")
@json_option
def node(
    action: str,
    words: tuple[str, ...],
    validators: int,
    simulated: bool,
    rpc: str,
    key: str | None,
    port: int,
    json: bool,
) -> None:
    """Run validators of a chain, and play on it.

    localnet runs a whole network on this machine: with --simulated at once and in one process, else with CometBFT,
    which is built once if it is missing. Its keys are dealt from one hand, for demonstrations. init FOLDER makes the
    homes of such a network, start HOME runs one node. status, query PATH, send and verify ask a node: verify
    re-executes its chain and says where it differs, with exit code 1. key FILE makes an account. send takes one of:
    register NAME, deposit CHIPS, sit TABLE STAKE, move SESSION HEX, arm MODIFIER, close SESSION, upgrade HEIGHT FILE;
    its exit code is 1 where the chain or the house refuses.

    Example:
      croupier node localnet --simulated
      croupier node key ann.json
      croupier node send register Ann --key ann.json

    """
    from croupier.chain.node.cometbft import find_cometbft
    from croupier.chain.node.commands import run_localnet
    from croupier.chain.node.run import run_node

    if action not in ACTIONS:
        raise Usage(f"there is no action {action!r}; there are {', '.join(ACTIONS)}")
    for name, actions in OPTIONS.items():
        if is_given(name) and action not in actions:
            raise Usage(f"{action} takes no --{name}; it goes with {', '.join(actions)}")
    given, console = list(words), make_console()
    if given and action in ("status", "verify"):
        raise Usage(f"{action} takes no {given[0]!r}: --rpc URL names the node")
    if action == "localnet":
        if len(given) > (not simulated):
            raise Usage("localnet takes one folder, and none with --simulated, which keeps nothing")
        folder = Path(given[0]) if given else None
        run_localnet(folder, validators, port, simulated=simulated, say=lambda text: say(console, text))
        return
    if action == "start":
        run_node(Path(_one(given, "the home of a node")), find_cometbft(lambda text: say(console, text)))
        return
    done = _ask(action, given, validators, rpc, key)
    if json:
        print_json(done)
    else:
        for name, value in done.items():
            lines = (
                map(_told, value) if action == "send" and name == "events" else (f"{name.replace('_', ' ')}: {value}",)
            )
            for line in lines:
                say(console, line)
    if action == "send" and (done["code"] or any(event.get("type") == "CasinoError" for event in done["events"])):
        raise click.exceptions.Exit(1)


def _ask(action: str, given: list[str], validators: int, rpc: str, key: str | None) -> dict[str, Any]:
    """Return the answer to an action that has one."""
    from msgspec.structs import asdict

    from croupier.chain.node.client import AccountClient, NodeClient
    from croupier.chain.node.commands import init_network, read_body
    from croupier.chain.node.home import new_key, read_key
    from croupier.chain.node.observer import observe

    match action:
        case "init":
            return init_network(Path(_one(given, "the folder of the network")), validators)
        case "key":
            file = _one(given, "the file to write")
            return {"file": file, "id": new_key(Path(file))}
        case "status":
            return dict(NodeClient(rpc).query("/status"))
        case "query":
            return dict(NodeClient(rpc).query("/" + _one(given, "the path of the query").removeprefix("/")))
        case "verify":
            return asdict(observe(NodeClient(rpc)))
    if key is None:
        raise Usage("--key names the account's key file; croupier node key FILE makes one")
    return AccountClient(NodeClient(rpc), read_key(Path(key))).send(read_body(given))


def _told(event: dict[str, Any]) -> str:
    """Return one event of a transaction as a line; --json has all of it."""
    if "type" not in event:
        return "{amount} chips from {source} to {target}: {reason}".format_map(event)
    held = [f"{event['balances']['chips']} chips"] if "balances" in event else []
    return ": ".join([event["type"], *event.get("logs", ()), *filter(None, [event.get("message")]), *held])


def _one(words: list[str], meaning: str) -> str:
    if len(words) != 1:
        raise Usage(f"name {meaning}")
    return words[0]
