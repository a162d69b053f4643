"""The byte strings of shared dice in Python and in the page, hundreds of inputs for every formula."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.engine import canonical
from croupier.fairness.dice import Terms, encoding
from croupier.fairness.dice.messages import Event, read_message, stakes_bytes, stakes_of, to_sign
from croupier.fairness.dice.terms import game_id_of
from croupier.rng import GameRng
from tests.web.page_modules import STATIC, needs_node, run

COUNT, SOAK_COUNT = 250, 1000

pytestmark = needs_node


class Inputs:
    """Random fields of messages, with the ends of their ranges among them."""

    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)

    def hex(self, size: int = 32) -> str:
        way = self.rng.random()
        return ("00" if way < 0.05 else "ff") * size if way < 0.1 else self.rng.randbytes(size).hex()

    def number(self, bits: int = 64) -> int:
        some = self.rng.randrange(2**bits)
        ends = (0, 1, 2**bits - 1, 1 << bits - 11)
        return self.rng.choice((*ends, some, some % 99))

    def list_of_keys(self, most: int = 5) -> list[str]:
        return [self.rng.randbytes(32).hex() for _ in range(self.rng.randint(0, most))]

    def faces(self) -> list[int]:
        return [self.rng.randint(1, 255) for _ in range(self.rng.randint(0, 5))]

    def word(self) -> str:
        return self.rng.choice(["", "{}", '{"a":1}', 'a "table"\n', "Würfel \U0001f3b2", "x" * 300])

    def commit(self) -> dict[str, Any]:
        named = {"type": "commit", "round": self.number(), "key": self.hex(), "nonce": self.number()}
        return {**named, "context": self.hex(), "commitment": self.hex(), "signature": self.hex(64)}

    def message(self, kind: str) -> dict[str, Any]:
        """A message of a kind, with everything that it may hold."""
        number, text, keys = self.number, self.hex, self.list_of_keys
        about: dict[str, Any] = {"round": number(), "key": text()}
        fields: dict[str, Callable[[], dict[str, Any]]] = {
            "lock": lambda: {
                "round": number(), "roster": keys(), "stakes": keys(), "digest": text(), "previous": text(),
                "book": text(), "move_number": number(32), "hand": number(), "action": self.word(),
                "state": self.rng.choice(["", text()]),
                "positions": [{"key": key, "stake": number(63), "win_max": number(63)} for key in keys()],
            },
            "commit": self.commit,
            "close": lambda: {"round": number(), "commits": [self.commit() for _ in keys(3)], "digest": text()},
            "ack": lambda: about,
            "open": lambda: {"round": number()},
            "reveal": lambda: {**about, "nonce": number(), "secret": text()},
            "roll": lambda: {"round": number(), "faces": self.faces(), "transcript": text()},
            "void": lambda: {"round": number(), "reason": "commit_missing", "keys": keys()},
            "objection": lambda: {
                **about, "reason": "commit_dropped", "commit": self.rng.choice([None, self.commit()])
            },
            "silence": lambda: about,
            "join": lambda: {"key": text(), "seq": number(), "chips": number(63), "salt": text()},
            "leave": lambda: {"key": text(), "seq": number()},
            "bet": lambda: {"key": text(), "seq": number(), "verb": "switch", "bet": text(9)},
            "end": lambda: {"transcript": text(), "book": text()},
        }  # fmt: skip
        return {"signature": text(64), **fields[kind](), "type": kind}


KINDS = (
    "lock", "commit", "close", "ack", "open", "reveal", "roll", "void", "objection", "silence", "join", "leave",
    "bet", "end",
)  # fmt: skip


def read(message: dict[str, Any]) -> Any:
    return read_message(canonical(message))


def as_bytes(*texts: str) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def table_id(some: Inputs) -> Any:
    name, session, fee = some.word() or "t", some.number(), some.number(63)
    terms = Terms(name=name, table_key=some.hex(), chain_end=some.hex(), session_id=session, fee=fee)
    return [json.loads(msgspec.json.encode(terms))], game_id_of(terms)


def live_bet(some: Inputs) -> Any:
    bet = {"key": some.hex(), "id": some.number(32), "number": some.number(32), "stake": some.number(63)}
    more = {"mode": some.rng.choice(["", "buy"]), "working": some.rng.random() < 0.5}
    return [{**bet, **more}], encoding.live_bet(bet["key"], bet["id"], bet["number"], bet["stake"], **more)  # type: ignore[arg-type]


def stakes(some: Inputs) -> Any:
    lock, session = some.message("lock"), some.number()
    return [lock, session], stakes_bytes(stakes_of(read(lock)), session, bytes.fromhex(lock["book"]))


def context(some: Inputs) -> Any:
    lock, game_id = some.message("lock"), some.hex(16)
    roster = encoding.roster_digest(as_bytes(*lock["roster"]))
    game, previous, digest = as_bytes(game_id, lock["previous"], lock["digest"])
    return [game_id, lock], encoding.context(game, lock["round"], previous, digest, roster)


def commitment(some: Inputs) -> Any:
    texts, nonce = [some.hex() for _ in range(3)], some.number()
    c, key, secret = as_bytes(*texts)
    return [*texts[:2], nonce, texts[2]], encoding.commitment(c, key, nonce, secret)


def commit_set(some: Inputs) -> Any:
    c, commits = some.hex(), [{**some.commit(), "key": key} for key in sorted(some.list_of_keys())]
    some_bytes = [(bytes.fromhex(one["key"]), one["nonce"], bytes.fromhex(one["commitment"])) for one in commits]
    return [c, commits], encoding.commit_set(bytes.fromhex(c), some_bytes)


def roll_seed(some: Inputs) -> Any:
    commits, secrets = some.hex(), some.list_of_keys()
    return [commits, secrets], encoding.roll_seed(bytes.fromhex(commits), encoding.xor(as_bytes(*secrets)))


def roll_transcript(some: Inputs) -> Any:
    commits, opened, faces = some.hex(), [[key, some.hex()] for key in some.list_of_keys()], some.faces()
    pairs = [(bytes.fromhex(key), bytes.fromhex(secret)) for key, secret in opened]
    return [commits, opened, faces], encoding.roll_transcript(bytes.fromhex(commits), pairs, faces)


def chain(some: Inputs) -> Any:
    value = some.hex()
    return [value], encoding.chain_link(bytes.fromhex(value))


def book(some: Inputs) -> Any:
    before, event = some.hex(), some.message(some.rng.choice(KINDS))
    return [before, event], encoding.book_link(bytes.fromhex(before), canonical(event))


def faces(some: Inputs) -> Any:
    seed, session, move, count = some.hex(), some.number(), some.number(32), some.rng.randint(0, 64)
    rng = GameRng.new(bytes.fromhex(seed), session, move)
    return [seed, session, move, count], bytes(rng.roll_die() for _ in range(count))


def secret(some: Inputs) -> Any:
    """Nobody but the page makes its secrets so: the library's HMAC over the bytes that the design names."""
    root, c = some.hex(), some.hex()
    message = (22).to_bytes(4, "big") + b"croupier/dice-secret/2" + bytes.fromhex(c)
    return [root, c], hmac.digest(bytes.fromhex(root), message, "sha256")


def signed(kind: str) -> Callable[[Inputs], Any]:
    def make(some: Inputs) -> Any:
        message, game_id, c, commits = some.message(kind), some.hex(16), some.hex(), some.hex()
        found: Event = read(message)
        game, *more = as_bytes(game_id, c, commits)
        return [message, game_id, c, commits], to_sign(found, game, context=more[0], commits=more[1])  # type: ignore[arg-type]

    return make


FORMULAS: dict[str, Callable[[Inputs], Any]] = {
    "tableId": table_id,
    "betBytes": live_bet,
    "stakesDigest": stakes,
    "contextOf": context,
    "commitmentOf": commitment,
    "commitSet": commit_set,
    "rollSeed": roll_seed,
    "rollTranscript": roll_transcript,
    "chainLink": chain,
    "bookLink": book,
    "facesOf": faces,
    "secretOf": secret,
    **{kind: signed(kind) for kind in KINDS},
}

SCRIPT = f"""import {{ parseJson }} from "{(STATIC / "lib/json.js").as_uri()}";
const dice = await import("{(STATIC / "lib/dice.js").as_uri()}");
const {{ fromHex, toHex }} = await import("{(STATIC / "lib/sha256.js").as_uri()}");
const ask = {{
  contextOf: (id, lock) => dice.contextOf(fromHex(id), lock),
  rollTranscript: (commits, opened, faces) => dice.rollTranscript(commits, new Map(opened), faces),
}};
const signed = (message, id, context, commits) => dice.toSign(message, fromHex(id), {{ context, commits }});
const {{ name, inputs }} = given;
const formula = ask[name] ?? dice[name] ?? signed;
const plain = (found) => (typeof found === "string" ? found : toHex(found));
console.log(JSON.stringify(inputs.map((input) => plain(formula(...input)))));"""


@pytest.mark.parametrize("count", [COUNT, pytest.param(SOAK_COUNT, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_gives_the_same_bytes_in_both_languages(name, count):
    some = Inputs(name)
    cases = [FORMULAS[name](some) for _ in range(count)]
    found = run(SCRIPT, {"name": name, "inputs": [inputs for inputs, _ in cases]}, read="parseJson")

    assert found == [expected.hex() for _, expected in cases]
    assert len(set(found)) > count // 10
