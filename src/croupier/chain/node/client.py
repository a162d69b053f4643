"""A client of a node: CometBFT's JSON-RPC, of which the simulated network has the same two methods.

client = NodeClient("http://127.0.0.1:26657")
account = AccountClient(client, Sender(secret))
account.send(Register("Ann"))
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from base64 import b64decode, b64encode
from http.client import HTTPException, InvalidURL
from typing import Any

import msgspec

from croupier.chain.block import app_hash_of
from croupier.chain.errors import BadProof, NodeError
from croupier.chain.merkle import StateProof, read_proof, verify_value
from croupier.chain.transactions import Body, Sender, sign_transaction
from croupier.engine.plain import canonical

ANSWER_BYTES_MAX = 64 * 1024 * 1024


class Refused(NodeError):
    """A transaction that a node did not take; `number` is its code."""

    code = "transaction_refused"

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class NodeClient:
    """Questions to one node."""

    def __init__(self, url: str, timeout: float = 10) -> None:
        if not url.startswith(("http://", "https://")):
            raise NodeError(f"{url} is no address of a node: http://HOST:PORT")
        self.url = url
        self._timeout = timeout

    def call(self, method: str, **params: Any) -> Any:
        """Return the result of a method, or raise `NodeError`."""
        body = msgspec.json.encode({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        try:
            request = urllib.request.Request(self.url, body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                data = answer.read(ANSWER_BYTES_MAX)
        except urllib.error.HTTPError as error:
            with error:
                data = error.read(ANSWER_BYTES_MAX)
        except (ValueError, InvalidURL):
            raise NodeError(f"{self.url} is no address of a node: http://HOST:PORT") from None
        except (OSError, HTTPException) as error:
            cause = getattr(error, "reason", error)  # of a URLError, which says no more
            raise NodeError(f"{self.url} does not answer: {getattr(cause, 'strerror', None) or cause}") from None
        try:
            found = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            raise NodeError(f"{self.url} answers with something else than a JSON object") from None
        if "result" not in found:
            raise NodeError(f"{self.url}: {found.get('error')}")
        return found["result"]

    def query(self, path: str, **shape: type) -> Any:
        """Return the application's answer to a query; one without the values that are named here is a `NodeError`."""
        found = self.call("abci_query", path=path, data="", height="0", prove=False)
        try:
            answer = found["response"]
            if answer.get("code"):
                raise NodeError(f"{path}: {answer.get('log')}")
            told = msgspec.json.decode(b64decode(answer["value"]), type=dict[str, Any])
            if not all(isinstance(told[name], kind) for name, kind in shape.items()):
                raise TypeError(f"{path} has another shape")
            return told
        except (LookupError, AttributeError, TypeError, ValueError, msgspec.DecodeError, RecursionError) as error:
            raise NodeError(f"{self.url} does not answer as a node does: {error!r}") from None

    def value(self, key: str) -> Any:
        """Return a value of the state, None if there is none; raise `BadProof` if the node does not prove it.

        The proof goes up to the app hash that the node names; whether the validators signed that is not asked here.
        """
        found = self.query(f"/value/{key}")
        try:
            roots = [bytes.fromhex(found[name]) for name in ("state_root", "events_root")]
            proof, value = read_proof(canonical(found["proof"]), StateProof), found["value"]
            is_told = app_hash_of(found["height"], *roots).hex() == found["app_hash"] or found["height"] == 0
        except (KeyError, TypeError, ValueError) as error:
            raise BadProof(f"the answer about {key} has no proof: {error!r}") from None
        data = (canonical(value),) if value is not None else (None, b"null")
        if not is_told or not any(verify_value(roots[0], key, each, proof) for each in data):
            raise BadProof(f"{self.url} does not prove what it says about {key}")
        return value

    def submit(self, data: bytes) -> None:
        """Hand a transaction in, or raise `Refused`."""
        answer = self.call("broadcast_tx_sync", tx=b64encode(data).decode())
        if answer["code"]:
            raise Refused(answer["code"], answer.get("log") or "the transaction was refused")

    def events(self, height: int) -> list[Any]:
        """Return the events of a block."""
        found: list[Any] = []
        while True:
            page = self.query(f"/events/{height}/{len(found)}", events=list, count=int)
            found += page["events"]
            if len(found) >= page["count"] or not page["events"]:
                return found

    def wait_for(self, height: int, seconds: float = 60, late: str = "") -> None:
        """Wait until the application has carried out a block; `late` is what to say where it has not."""
        end = time.monotonic() + seconds
        while self.query("/status", height=int)["height"] < height:
            if time.monotonic() > end:
                raise NodeError(late or f"block {height} has not come within {seconds:g} s")
            time.sleep(0.02)


class AccountClient:
    """One account at one node: it numbers its transactions, and waits for what becomes of them."""

    def __init__(self, client: NodeClient, sender: Sender) -> None:
        self.client = client
        self.sender = sender
        self.chain_id: str = client.query("/status", chain_id=str)["chain_id"]

    def nonce(self) -> int:
        """Return the next number that is free."""
        account = self.client.value(f"account/{self.sender.id}")
        return 0 if account is None else account["next"]

    def submit(self, body: Body, nonce: int | None = None) -> bytes:
        """Sign and hand in a transaction; return its bytes."""
        data = sign_transaction(self.sender, self.chain_id, self.nonce() if nonce is None else nonce, body)
        self.client.submit(data)
        return data

    def send(self, body: Body, seconds: float = 60) -> dict[str, Any]:
        """Send a transaction and return what became of it, a move's settlement included.

        The answer has `height`, the `code` and `message` of the result, its `data`, and `events`.
        """
        height, cause = self.client.query("/status", height=int)["height"], "transaction"
        data, end = self.submit(body), time.monotonic() + seconds
        late = f"no block has carried out the transaction within {seconds:g} s"
        while True:
            height += 1
            self.client.wait_for(height, max(0.0, end - time.monotonic()), late)
            block = self.client.query(f"/block/{height}", txs=list, results=list)
            if data.hex() in block["txs"]:
                break
        index = block["txs"].index(data.hex())
        result = block["results"][index]
        told: dict[str, Any] = {"height": height, **result}
        if "settled_at" in result["data"]:
            height, cause = result["data"]["settled_at"], "settled"
            self.client.wait_for(height, max(0.0, end - time.monotonic()), late)
        events = [each for each in self.client.events(height) if (each["cause"], each["index"]) == (cause, index)]
        return {**told, "events": [each["event"] for each in events]}
