"""Shared dice in the page: a second implementation, against the bytes, the tables and the orders of the first."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.engine import (
    Action,
    Match,
    Refused,
    act,
    apply_action,
    canonical,
    get_game,
    state_digest,
    view_for,
    write_record,
)
from croupier.fairness.dice import (
    Contributor,
    Ed25519Signer,
    Ed25519Verifier,
    Event,
    HashChain,
    Terms,
    encoding,
    game_id_of,
    read_message,
)
from croupier.fairness.dice.messages import stakes_bytes, stakes_of, to_sign
from croupier.games.craps.bets import NAMED
from croupier.games.craps.orders import order_for
from croupier.games.craps.shared_dice import DiceRoom, RoomAnswer, RoomPlayer, stakes_for

pytest.importorskip("cryptography")

STATIC = Path(__file__).parents[2] / "src/croupier/web/static"
NODE = shutil.which("node")
GAME = get_game("craps-table")

pytestmark = pytest.mark.skipif(NODE is None, reason="node runs the modules of the page")

HEAD = f"""import * as dice from "{(STATIC / "lib/dice.js").as_uri()}";
import {{ DiceBook }} from "{(STATIC / "lib/dice-book.js").as_uri()}";
import {{ digestOf }} from "{(STATIC / "lib/state.js").as_uri()}";
import {{ DiceSeat, makeKeys, orderFor, stakesOf }} from "{(STATIC / "lib/dice-seat.js").as_uri()}";
import {{ fromHex, toHex }} from "{(STATIC / "lib/sha256.js").as_uri()}";
import {{ parseJson }} from "{(STATIC / "lib/json.js").as_uri()}";
const answer = (value) => console.log(JSON.stringify(value));
"""


def run(script: str, given: Any) -> Any:
    """What a script prints as JSON; `given` is what it can use under that name."""
    code = f"{HEAD}const given = parseJson({json.dumps(json.dumps(given))});\n{script}"
    command = [str(NODE), "--input-type=module", "-"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def noise(name: str, size: int = 32) -> bytes:
    return sha256(name.encode()).digest()[:size]


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
            name: RoomPlayer(Contributor(self.terms, signer, Ed25519Verifier(), _Source(name)), self.room.match)
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


class _Source:
    """Bytes that are the same in every run."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return noise(f"{self.name}/{self.count}", size)


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


# Byte strings.


def test_the_published_check_values_hold():
    """docs/shared-dice.md, at the end of "Byte for byte"."""
    script = """const keys = ["a1".repeat(32), "b2".repeat(32)];
const secrets = ["11".repeat(32), "22".repeat(32)];
const digest = toHex((await import(given.sha)).sha256(dice.encode("craps/bets/1")));
const lock = { round: 1, previous: dice.ZERO, digest, roster: keys };
const context = dice.contextOf(fromHex("01".repeat(16)), lock);
const commits = keys.map((key, i) => {
  const nonce = [7, 9][i];
  return { key, nonce, commitment: dice.commitmentOf(context, key, nonce, secrets[i]) };
});
answer([context, dice.rollSeed(dice.commitSet(context, commits), secrets)]);"""

    assert run(script, {"sha": (STATIC / "lib/sha256.js").as_uri()}) == [
        "3d83e0beae500a8af97a9e4ca9aff1b6b2dab0bb439a2261359497ce8d9555d5",
        "f3652c0e1335539f000ebee313a6fe16a6faf7c6fb09c7c3755189bbac14929b",
    ]


def samples() -> list[tuple[dict[str, Any], bytes, bytes]]:
    """Every kind of message once, with a context and a K that go under it."""
    a, b, c, s = (noise(name).hex() for name in "abcs")
    commit = {"type": "commit", "round": 2**40, "key": a, "nonce": 2**60, "context": b, "commitment": c}
    commit["signature"] = s + s
    some: list[dict[str, Any]] = [
        {
            "type": "lock", "round": 3, "roster": sorted([a, b]), "stakes": [], "digest": c, "previous": s, "book": a,
            "move_number": 17, "state": b, "action": "{}", "hand": 2,
            "positions": [{"key": a, "stake": 2**62, "win_max": 5}],
        },
        commit,
        {"type": "close", "round": 3, "commits": [commit], "digest": c},
        {"type": "reveal", "round": 3, "key": a, "nonce": 1, "secret": s},
        {"type": "roll", "round": 3, "faces": [6, 1], "transcript": c},
        {"type": "void", "round": 3, "reason": "reveal_missing", "keys": [a, b]},
        {"type": "objection", "round": 3, "key": a, "reason": "stakes_differ", "commit": None},
        {"type": "objection", "round": 3, "key": a, "reason": "commit_dropped", "commit": commit},
        {"type": "silence", "round": 3, "key": a},
        {"type": "join", "key": a, "seq": 0, "chips": 2**63 - 1, "salt": s},
        {"type": "leave", "key": a, "seq": 1},
        {"type": "bet", "key": a, "seq": 2, "verb": "place", "bet": "00ff"},
        {"type": "end", "transcript": c, "book": s},
    ]  # fmt: skip
    return [({"signature": s + s, **one}, noise("context"), noise("commits")) for one in some]


def test_what_is_signed_are_the_same_bytes_for_every_kind_of_message():
    game_id = noise("table", 16)
    given, expected = [], []
    for message, context, commits in samples():
        read: Any = read_message(canonical(message))
        expected.append([to_sign(read, game_id, context=context, commits=commits).hex(), read.signature])
        given.append([message, context.hex(), commits.hex()])
    script = """answer(given.messages.map(([message, context, commits]) =>
  [toHex(dice.toSign(message, fromHex(given.id), { context, commits })), message.signature]));"""

    assert run(script, {"id": game_id.hex(), "messages": given}) == expected


def test_digests_of_tables_stakes_contexts_and_books_are_the_same():
    table = played(2)
    lock: Any = next(one for one in table.told if type(one).__name__ == "Lock" and one.stakes)
    terms = {**plain(table.terms), "name": 'a "table" of\ntwo'}
    other = msgspec.convert(terms, Terms)
    script = """const { lock } = given;
const id = dice.tableId(given.terms);
const digests = [dice.stakesDigest(lock, given.session), dice.contextOf(id, lock), dice.bookLink(lock.book, lock)];
answer([toHex(id), ...digests]);"""
    roster = encoding.roster_digest(map(bytes.fromhex, lock.roster))
    args = (game_id_of(other), lock.round, bytes.fromhex(lock.previous), bytes.fromhex(lock.digest), roster)
    book = bytes.fromhex(lock.book)

    assert run(script, {"lock": plain(lock), "terms": terms, "session": 2**53 + 11}) == [
        game_id_of(other).hex(),
        stakes_bytes(stakes_of(lock), 2**53 + 11, book).hex(),
        encoding.context(*args).hex(),
        encoding.book_link(book, canonical(lock)).hex(),
    ]


# Books.

FOLLOW = """const results = given.map(({ terms, events, trusts }) => {
  const book = new DiceBook(terms);
  book.trusts = Boolean(trusts);
  for (const [place, event] of events.entries()) {
    try { book.apply(event); } catch (wrong) { return { place, code: wrong.code ?? String(wrong) }; }
  }
  const keys = (parts) => parts.map(({ key }) => key);
  const rolls = book.rolls.map(({ round, move, seed, faces, parts }) => [round, move, seed, faces, keys(parts)]);
  return { book: book.book, transcript: book.transcript, rolls, closed: book.closed, signatures: book.signatures };
});
answer(results);"""


def test_a_table_of_the_reference_is_followed_to_the_same_book_and_the_same_dice():
    table = played(6)
    (found,) = run(FOLLOW, [{"terms": plain(table.terms), "events": table.events}])
    dice = table.room.host.table
    seeds = [entry for entry in table.room.log if entry.seed]

    assert found["book"] == dice.book.hex()
    assert found["transcript"] == dice.transcript
    assert [(roll[1], roll[2]) for roll in found["rolls"]] == [(entry.version, entry.seed) for entry in seeds]
    history = [roll[2:4] for roll in plain(table.match.game.table.history)]
    assert [roll[3] for roll in found["rolls"]] == history
    everybody = sorted([table.signer.key, *(one.me.key for one in table.players.values())])
    assert all(roll[4] == everybody for roll in found["rolls"])
    assert found["signatures"] == len(table.events)


def changed(value: Any) -> Any:
    """Something else of the same kind."""
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    if isinstance(value, int):
        return value + 1
    return value[:-1]


def test_whatever_is_changed_in_a_message_is_found():
    """Every field of every message of a round, one after the other; whatever follows is as it was."""
    table = played(1)
    begin = next(i for i, event in enumerate(table.events) if event["type"] == "lock")
    honest = table.events[begin : begin + 9]
    cases = [
        [*table.events[:place], {**event, name: changed(event[name])}, *table.events[place + 1 :]]
        for place, event in enumerate(honest, begin)
        for name in event
        if name != "type" and event[name] not in ([], "")
    ]
    terms = plain(table.terms)
    found = run(FOLLOW, [{"terms": terms, "events": events} for events in cases])

    assert {event["type"] for event in honest} == {"lock", "commit", "close", "reveal", "roll"}
    assert len(cases) > 50
    missed = [i for i, answer in enumerate(found) if "code" not in answer]
    assert missed == []


def test_a_table_that_leaves_out_a_player_or_rolls_other_dice_is_found_even_if_it_signs_that():
    """The table has its own key: what it must not say is refused although the signature holds."""
    table = played(1)
    events = table.events
    place = next(i for i, event in enumerate(events) if event["type"] == "close")
    commits = [one for one in events[place]["commits"] if one["key"] == table.signer.key]
    fewer = _resigned(table, {**events[place], "commits": commits})
    last = next(i for i, event in enumerate(events) if event["type"] == "roll")
    commit_set = bytes.fromhex(events[place]["digest"])
    roll = {**events[last], "faces": [face % 6 + 1 for face in events[last]["faces"]]}
    other = _resigned(table, roll, commits=commit_set)
    terms = plain(table.terms)
    tampered = [[*events[:place], fewer], [*events[:last], other]]
    found = run(FOLLOW, [{"terms": terms, "events": one} for one in tampered])

    assert [one["code"] for one in found] == ["close_differs", "roll_differs"]


def _resigned(table: Table, message: dict[str, Any], **more: bytes) -> dict[str, Any]:
    read: Any = msgspec.convert(message, Event)
    signature = table.signer.sign(to_sign(read, game_id_of(table.terms), **more)).hex()
    return {**message, "signature": signature}


def test_three_void_rounds_close_the_book_as_they_close_the_table():
    """Ann alone, who never answers: nobody but the bank commits."""
    table = Table(("ann",))
    table.act("ann", act("buy_in", chips=100))
    answer = table.room.act(Action("lock", {}, table.players["ann"].me.key), 0)
    told = [*answer.send]
    for turn in range(1, 4):
        told += table.room.tick(20_000 * turn).send
        if not table.room.host.table.closed:
            told += table.room.lock(20_000 * turn).send
    events = [*table.events, *(plain(one) for one in told if hasattr(one, "signature"))]
    (found,) = run(FOLLOW, [{"terms": plain(table.terms), "events": events}])

    assert found["closed"] == table.room.host.table.closed == "three_voids"
    assert found["book"] == table.room.host.table.book.hex()


def test_what_was_checked_before_is_read_again_without_its_signatures_to_the_same_book():
    table = played(2)
    given = {"terms": plain(table.terms), "events": table.events}
    slow, fast = run(FOLLOW, [given, {**given, "trusts": True}])

    assert fast == slow


RECORD = f"""const {{ recordSeeds }} = await import("{(STATIC / "lib/dice-record.js").as_uri()}");
const book = new DiceBook(given.terms);
for (const event of given.events) book.apply(event);
answer(given.texts.map((text) => recordSeeds(text, book).map(({{ name, ok }}) => [name, ok])));"""


def test_a_record_that_drew_from_anything_else_is_found():
    table = played(3)
    honest = json.loads(write_record(table.room.record()))
    rolled = [move for move, seed in enumerate(honest["seeds"]) if seed]
    swapped = [*honest["seeds"]]
    swapped[rolled[0]], swapped[rolled[1]] = swapped[rolled[1]], swapped[rolled[0]]
    added = [*honest["seeds"]]
    added[next(move for move, seed in enumerate(added) if not seed)] = "ab" * 32
    other = [*honest["digests"]]
    other[rolled[1]] = "00" * 32
    changes: list[dict[str, Any]] = [{}, {"seeds": swapped}, {"seeds": added}, {"digests": other}, {"session_id": 5}]
    texts = [_sealed({**honest, **change}) for change in changes]
    given = {"terms": plain(table.terms), "events": table.events, "texts": [*texts, texts[0].replace("field", "pass")]}
    found = run(RECORD, given)

    assert found == [
        [["seal", True], ["seeds", True]],
        *[[["seal", True], ["seeds", False]]] * 4,
        [["seal", False], ["seeds", True]],
    ]


def _sealed(record: dict[str, Any]) -> str:
    bare = {name: value for name, value in record.items() if name != "record_digest"}
    return canonical({**bare, "record_digest": sha256(canonical(bare)).hexdigest()}).decode()


# Seats.


def states() -> list[Match[Any]]:
    """A come-out and a point, with bets of every kind that can lie there."""
    table = Table(("ann",))
    table.act("ann", act("buy_in", chips=50_000))
    found = [table.match]
    match = table.match
    key = table.players["ann"].me.key
    for seed in range(200):
        state = match
        for bet in ("pass", "field", "yes:6", "buy:4", "no:8", "lose:5", "hard:8", "next:7", "hop:1-3", "big:6"):
            answer = apply_action(GAME, state, Action("place", {"bet": bet, "stake": 20}, key))
            state = answer.state if answer.ok else state
        found.append(state)
        answer = apply_action(GAME, state, Action("roll", {}, key), seed=bytes([seed]))
        if not answer.ok or not answer.state.game.table.point:
            continue
        state = answer.state
        for bet in ("come", "dont_come", "odds_pass"):
            answer = apply_action(GAME, state, Action("place", {"bet": bet, "stake": 20}, key))
            state = answer.state if answer.ok else state
        found.append(state)
        for again in range(60):
            answer = apply_action(GAME, state, Action("roll", {}, key), seed=bytes([again, seed]))
            bets = answer.state.game.seats[0].bets
            if answer.ok and answer.state.game.table.point and any(bet.id in (2, 3) and bet.number for bet in bets):
                return [*found[-3:], answer.state]
    raise AssertionError("no come bet has travelled")


VERBS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("place", {"stake": 20}),
    ("raise", {"stake": 20}),
    ("lower", {"stake": 10}),
    ("remove", {}),
    ("switch", {"come_out": True, "point": False}),
    ("switch", {"come_out": False, "point": True}),
)


def test_orders_for_every_bet_and_verb_are_the_bytes_of_the_reference():
    asked, expected = [], []
    for match in states():
        key = match.players[0].id
        view = plain(view_for(GAME, match, key))
        for bet in NAMED:
            for verb, more in VERBS:
                order = order_for(match, Action(verb, {"bet": bet, **more}, key))
                if not isinstance(order, Refused):
                    asked.append([view, key, verb, {"bet": bet, **more}])
                    expected.append({"verb": order[0], "bet": order[1].hex()})
    kinds = {(one[2], one[3]["bet"]) for one in asked}
    assert {verb for verb, _ in kinds} == {"place", "raise", "lower", "remove", "switch"}
    assert {bet for _, bet in kinds} >= {"odds_pass", "buy:4", "lose:5", "yes:6", "no:8", "hop:1-3", "fire"}
    assert any(bet.startswith(("come:", "dont_come:", "odds_come:", "odds_dont_come:")) for _, bet in kinds)

    assert run("answer(given.map((one) => orderFor(...one)));", asked) == expected


@pytest.mark.parametrize("pay_table", ["casino", "bitcraps", "nullspace"])
def test_stakes_and_the_digest_of_a_state_follow_from_the_view(pay_table):
    table = Table(names := ("ann", "bob"), pay_table=pay_table, allow_overpay=True)
    for name in names:
        table.act(name, act("buy_in", chips=1000))
        for bet in ("pass", "yes:6", "no:8", "hard:8", "field"):
            table.act(name, act("place", bet=bet, stake=30))
    match = table.match
    given = {
        "view": plain(view_for(GAME, match, None)),
        "seed": game_id_of(table.terms).hex(),
        "session": table.terms.session_id,
    }
    script = "answer([stakesOf(given.view), digestOf(given.view, given.seed, given.session)]);"

    assert run(script, given) == [sorted(stakes_for(match).entries), state_digest(match)]


ANSWER = """const keys = given.keys;
const book = new DiceBook(given.terms);
for (const event of given.events) book.apply(event);
const seat = new DiceSeat(keys, book);
answer(given.make ? seat[given.make](...given.args) : seat.owed(given.view));"""


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


def test_a_player_in_the_page_plays_whole_rounds_with_one_of_the_reference():
    keys = run("answer(makeKeys((size) => new Uint8Array(size).fill(given.next += 1)));", {"next": 3})
    assert keys["key"] == Ed25519Signer(bytes([4] * 32)).key
    table = Table(("bob",), first=keys["key"])
    eve = Browser(table, keys)
    eve.make("join", 50)
    for player in (keys["key"], table.players["bob"].me.key):
        table.tell(table.room.act(Action("buy_in", {"chips": 200}, player), 0))
    for turn in range(2):
        view = plain(view_for(GAME, table.match, None))
        order = run("answer(orderFor(...given));", [view, keys["key"], "place", {"bet": "field", "stake": 5}])
        eve.make("bet", order)
        shooter = table.match.turn.current
        for player in (keys["key"], table.players["bob"].me.key):
            if player != shooter:
                table.tell(table.room.act(Action("ready", {}, player), 0))
        table.tell(table.room.act(Action("lock", {}, shooter), 0))
        commit = eve.ask()
        assert commit["type"] == "commit"
        assert eve.ask() == commit  # the same after a reload, and in a second tab
        eve.send(commit)
        reveal = eve.ask()
        assert reveal["type"] == "reveal"
        assert sha256(bytes.fromhex(reveal["secret"])).hexdigest() not in json.dumps(commit)
        eve.send(reveal)
        assert table.match.game.table.roll_count == turn + 1
        assert eve.ask() is None


def test_the_page_objects_to_stakes_that_it_does_not_see():
    keys = run("answer(makeKeys((size) => new Uint8Array(size).fill(9)));", None)
    table = Table((), first=keys["key"])
    eve = Browser(table, keys)
    eve.make("join", 50)
    table.tell(table.room.act(Action("buy_in", {"chips": 200}, keys["key"]), 0))
    table.tell(table.room.act(Action("lock", {}, keys["key"]), 0))
    seen = plain(view_for(GAME, table.match, None))
    seen["game"]["seats"][0]["chips"] -= 1

    assert eve.ask(view=seen)["type"] == "objection"
    assert eve.ask()["type"] == "commit"
