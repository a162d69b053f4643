"""A craps table of shared dice with players of the reference, and a player whose side runs in node."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec

from croupier.engine import Action, Match, Refused, act, get_game, view_for
from croupier.fairness.dice import Contributor, Ed25519Signer, Ed25519Verifier, Event, HashChain, Terms
from croupier.fairness.dice.messages import to_sign
from croupier.fairness.dice.terms import game_id_of
from croupier.games.craps.table.shared_dice import DiceRoom, RoomAnswer, RoomPlayer
from tests.web import page_modules
from tests.web.page_modules import STATIC

GAME = get_game("craps-table")

HEAD = f"""import * as dice from "{(STATIC / "lib/dice.js").as_uri()}";
import {{ DiceBook }} from "{(STATIC / "lib/dice-book.js").as_uri()}";
import {{ digestOf }} from "{(STATIC / "lib/state.js").as_uri()}";
import {{ DiceSeat, makeKeys, orderFor, stakesOf }} from "{(STATIC / "lib/dice-seat.js").as_uri()}";
import {{ fromHex, toHex }} from "{(STATIC / "lib/sha256.js").as_uri()}";
import {{ parseJson }} from "{(STATIC / "lib/json.js").as_uri()}";
const answer = (value) => console.log(JSON.stringify(value));
"""


def run(script: str, given: Any) -> Any:
    """Run a script in node and return the JSON that it prints; it finds `given` under that name."""
    return page_modules.run(HEAD + script, given, read="parseJson")


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def noise(name: str, size: int = 32) -> bytes:
    return sha256(name.encode()).digest()[:size]


def source(name: str) -> Callable[[int], bytes]:
    """Return a source of bytes that are the same in every run."""
    counted = count()
    return lambda size: noise(f"{name}/{next(counted)}", size)


class Table:
    """A table of the reference, with players of the reference, and everything that was told there."""

    def __init__(self, names: Iterable[str] = ("ann", "bob"), *, first: str = "", **options: Any) -> None:
        self.signer, chain = Ed25519Signer(noise("table")), HashChain.make(noise("chain"), 50)
        self.terms = Terms(
            name="room", session_id=2**53 + 11, table_key=self.signer.key, chain_end=chain.end, rounds_max=50,
            table_bond=100_000, fee=5,
        )  # fmt: skip
        signers = {name: Ed25519Signer(noise(name)) for name in names}
        keys = [*([first] if first else []), *(signer.key for signer in signers.values())]
        self.room = DiceRoom.open(self.terms, self.signer, Ed25519Verifier(), chain, keys[:1], options=options)
        self.told: list[Any] = []
        self.players = {
            name: RoomPlayer(Contributor(self.terms, signer, Ed25519Verifier(), source(name)), self.room.match)
            for name, signer in signers.items()
        }
        for player in self.players.values():
            self.tell(self.room.receive(player.me.join(50), 0))

    def tell(self, answer: RoomAnswer) -> None:
        """Tell everybody, and let everybody answer, until nobody has anything to say."""
        assert answer.ok, answer.error
        waiting = list(answer.send)
        while waiting:
            one = waiting.pop(0)
            self.told.append(one)
            for player in self.players.values():
                reply = player.hear(one, 0)
                assert reply.complaint is None
                for message in reply.send:
                    waiting += self.room.receive(message, 0).send

    def act(self, name: str, action: Action) -> None:
        player = self.players[name]
        order = player.order(action) if action.type in ("place", "raise", "lower", "remove", "switch") else None
        assert not isinstance(order, Refused), order
        if order is not None:
            self.tell(self.room.receive(order, 0))
        else:
            self.tell(self.room.act(msgspec.structs.replace(action, player_id=player.me.key), 0))

    @property
    def match(self) -> Match[Any]:
        return self.room.match

    @property
    def events(self) -> list[Any]:
        return [plain(one) for one in self.told if hasattr(one, "signature")]

    def round(self) -> None:
        shooter = next(name for name, one in self.players.items() if one.me.key == self.match.turn.current)
        for name in self.players:
            if name != shooter:
                self.act(name, act("ready"))
        self.act(shooter, act("lock"))


def played(rounds: int = 4) -> Table:
    """Two people, some bets, some rounds."""
    table = Table()
    table.act("bob", act("buy_in", chips=500))
    table.act("ann", act("buy_in", chips=500))
    for _ in range(rounds):
        for name in ("ann", "bob"):
            if table.match.status == "active":
                table.act(name, act("place", bet="field", stake=5))
        table.round()
    return table


ANSWER = """const keys = given.keys;
const book = new DiceBook(given.terms);
for (const event of given.events) book.apply(event);
const seat = new DiceSeat(keys, book);
answer(given.make ? seat[given.make](...given.args) : seat.owed(given.view, given.kept));"""


class Browser:
    """A player whose side runs in node: everything it sends is taken by the table of the reference."""

    def __init__(self, table: Table, keys: dict[str, str]) -> None:
        self.table, self.keys = table, keys

    def ask(self, **more: Any) -> Any:
        view = plain(view_for(GAME, self.table.match, None))
        given = {"keys": self.keys, "terms": plain(self.table.terms), "events": self.table.events, "view": view}
        return run(ANSWER, {**given, **more})

    def send(self, message: Any) -> None:
        read: Any = msgspec.convert(message, Event)
        self.table.tell(self.table.room.receive(read, 0))

    def make(self, name: str, *args: Any) -> None:
        self.send(self.ask(make=name, args=args))


KEYS = "answer(makeKeys((size) => new Uint8Array(size).fill(given.next += 1)));"


def seated(*names: str, fill: int = 8) -> tuple[Table, Browser]:
    """Return a table with players of the reference and one whose side runs in node; everybody has bought in."""
    keys = run(KEYS, {"next": fill})
    table = Table(names, first=keys["key"])
    browser = Browser(table, keys)
    browser.make("join", 50)
    for key in (keys["key"], *(player.me.key for player in table.players.values())):
        table.tell(table.room.act(Action("buy_in", {"chips": 200}, key), 0))
    return table, browser


def resigned(table: Table, message: dict[str, Any], **more: bytes) -> dict[str, Any]:
    """Return a message signed by the table, whatever it says now."""
    read: Any = msgspec.convert(message, Event)
    signature = table.signer.sign(to_sign(read, game_id_of(table.terms), **more)).hex()
    return {**message, "signature": signature}
