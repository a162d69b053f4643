"""A whole server in one thread under one seed: store, clock, network, clients and crashes. One seed replays one run.

Messages are late, lost, doubled and overtake each other. The process dies before or after a commit, with all that it
kept in memory; the clock jumps. Clients know nothing of it: they ask again under the same id until they are answered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from hashlib import sha256
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, NamedTuple

import msgspec

from croupier.engine import Action, Match, get_game, legal_actions, verify
from croupier.fairness import derive
from croupier.house.ledger import check_ledger
from croupier.server.operations import accounts, commitments, purses, room_views, rooms, sessions, table_settings
from croupier.server.operations.context import Caller, Context, MatchCache
from croupier.server.operations.declaration.registry import FRAMES
from croupier.server.operations.played import record_of
from croupier.server.problems import KeptRefusal, Problem
from croupier.server.running.requests import Request, perform
from croupier.server.settings import Settings
from croupier.store.audit import audit
from croupier.store.database import open_store
from croupier.wire.rooms import NewRoom
from tests.unit.server.starting import create

START = 1_800_000_000_000
RETRY_MS, COMMIT_MS = 400, 50
RECORDS_CHECKED = 200
ROUNDS = {"shut-the-box": {"rounds": 3}, "craps-table": {}}


class Sent(NamedTuple):
    """A message under way."""

    at: int
    number: int
    target: str
    body: Any


class Pushed(NamedTuple):
    """A match as the server shows it on its own."""

    room_id: str
    match: Match[Any]


class Done(msgspec.Struct):
    """The answer to an action: the version it led to."""

    version: int


BY_TYPE: dict[Any, Any] = {kind.__struct_config__.tag: kind for kind in FRAMES}


class World:
    """Everything there is."""

    def __init__(self, seed: bytes, *, rooms_each: int = 6) -> None:
        self.chance = Random(derive(seed, "world"))
        self.secrets = Random(derive(seed, "entropy"))
        self.store = open_store("sqlite://")
        self.settings = Settings(abandoned_ms=60_000, rooms_each=100)
        self.now = START
        self.queue: list[Sent] = []
        self.numbers = count()
        self.counts: Counter[str] = Counter()
        self.acknowledged: dict[str, list[tuple[str, int]]] = {}
        self.clients: dict[str, Player] = {}
        self.waiting: list[Sent] = []
        self.commit_at = 0
        self.opened: list[str] = []
        self.start()
        for number in range(rooms_each):
            self.open_room(number)

    # The server.

    def start(self) -> None:
        """Begin with nothing but what is stored."""
        self.cache = MatchCache(self.settings, self.entropy)

    def entropy(self, size: int) -> bytes:
        return self.secrets.randbytes(size)

    def carry_out(self, operations: list[Any]) -> list[Any]:
        """Run operations in one transaction, as the writer does."""
        earlier: dict[str, Any] = {}

        def job(operation: Any) -> Any:
            def run(tx: Any) -> Any:
                call = Context(self.cache, tx, self.now, earlier)
                answer = operation(call)
                earlier.update(call.fresh)
                return answer

            return run

        answers = self.store.run([job(operation) for operation in operations])
        self.cache.remember(earlier)
        return list(answers)

    def do(self, operation: Any) -> Any:
        (answer,) = self.carry_out([operation])
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, KeptRefusal):
            raise answer.problem
        return answer

    def serve(self) -> None:
        """Answer everything that has arrived; now and then the process dies on the way."""
        batch, self.waiting = self.waiting, []
        fate = self.chance.randint(0, 299)
        if fate == 0:  # before the commit: nobody is answered, and nothing has happened
            self.counts["died before"] += 1
            self.start()
            return
        answers = self.carry_out([self.operation(sent.body) for sent in batch])
        if fate == 1:  # after it: it has happened, and nobody is told
            self.counts["died after"] += 1
            self.start()
            return
        for sent, answer in zip(batch, answers, strict=True):
            if isinstance(answer, Exception) and not isinstance(answer, Problem):
                raise answer
            self.post(sent.body[0], (sent.body, answer))
            if sent.body[1] == "act" and not isinstance(answer, Problem):
                self.push(sent.body[2].match)

    def push(self, room_id: str) -> None:
        """Show whoever is to move, and at craps one of the others, where the match stands, without asking the store."""
        live = self.cache.look_up(room_id)
        if live is None or live.match.status != "active":
            return
        match = live.match
        shown = {match.turn.current}
        if match.game_id == "craps-table":
            shown.add(match.players[self.chance.randint(0, len(match.players) - 1)].id)
        for name in sorted(shown):
            self.post(name, Pushed(room_id, match))

    def operation(self, body: Any) -> Any:
        account, kind, what = body
        look: Any = {"look": room_views.find_room, "look session": sessions.find_session}.get(kind)
        if look is None:
            return lambda call: self.perform(call, account, what)
        return lambda call: look(call, self.caller(call, account), what, legal=True)

    def perform(self, call: Context, account: str, frame: Any) -> Any:
        """Carry out what a frame asks for, as a live connection does."""
        operation = FRAMES[type(frame)]
        arguments, key = operation.frame_arguments(frame)
        answer = perform(call, Request(operation, arguments, account_id=account, key=key))
        return msgspec.json.decode(answer.body, type=Done)

    def caller(self, call: Context, account: str) -> Caller:
        return Caller(call.tx.get_account(account))

    # The network.

    def post(self, target: str, body: Any) -> None:
        """Send a message: one in fifty is lost, one in fifty comes twice, all take their time."""
        fate = self.chance.randint(0, 49)
        for _ in range((1, 0, 2)[min(fate, 2) if fate < 3 else 0]):
            heappush(self.queue, Sent(self.now + self.chance.randint(1, 120), next(self.numbers), target, body))

    def remind(self, name: str, after: int, why: Any) -> None:
        """Tell a player something later, surely and once."""
        heappush(self.queue, Sent(self.now + after, next(self.numbers), name, why))

    def run(self, actions: int) -> None:
        """Let everybody play until so many actions have been acknowledged."""
        while self.counts["acknowledged"] < actions:
            sent = heappop(self.queue)
            self.now = max(self.now, sent.at)
            if sent.target == "server":
                if not self.waiting:
                    self.commit_at = self.now + self.chance.randint(0, COMMIT_MS)
                self.waiting.append(sent)
            else:
                self.clients[sent.target].take(sent.body)
            if self.waiting and (not self.queue or self.queue[0].at > self.commit_at):
                self.serve()
            if self.chance.randint(0, 9_999) == 0:
                self.jump()

    def jump(self) -> None:
        """Let the clock jump ahead, and do what is due then."""
        self.now += self.chance.randint(1, 90_000)
        self.counts["jumps"] += 1
        for room in self.do(lambda call: list(call.tx.due_rooms(call.now))):
            if self.do(lambda call, room=room: rooms.time_up(call, room.id)) is not None:
                self.counts["timed out"] += 1

    # Everybody else.

    def open_room(self, number: int) -> None:
        """Fill a new room, or start sessions against the house, with players who have just come."""
        kind = ("shut-the-box", "shut-the-box", "craps-table", "house")[number % 4]
        people = [self.newcomer() for _ in range(1 if kind == "house" else 2 + number % 3)]
        if kind == "house":
            self.clients[people[0]] = HousePlayer(self, people[0])
        else:
            room_id = self.new_match(kind, people)
            for name in people:
                self.clients[name] = MatchPlayer(self, name, room_id, people)
        for name in people:
            self.acknowledged[name] = []
            self.clients[name].look_after(self.chance.randint(1, 200))

    def newcomer(self) -> str:
        return str(self.do(lambda call: accounts.register(call, "Somebody")).account.id)

    def new_match(self, game: str, people: list[str]) -> str:
        body = NewRoom(game, options=ROUNDS[game], seats=len(people))
        first, *others = [self.do(lambda call, name=name: self.caller(call, name)) for name in people]
        made = create(lambda asked, *rest: self.do(lambda call: asked(call, *rest)), first, body, *others)
        self.opened.append(str(made.id))
        return self.opened[-1]

    # What must hold.

    def check(self) -> str:
        """Raise unless everything adds up, and return a digest of all that happened."""
        digest = sha256()
        for name, answered in sorted(self.acknowledged.items()):
            written: dict[str, dict[int, str]] = {}
            for match_id in {match_id for match_id, _ in answered}:
                events = self.events(match_id)
                written[match_id] = {event.version: event.body["action"]["player_id"] for event in events}
            for match_id, version in answered:
                assert written[match_id].get(version) == name, f"{name} was told of version {version} of {match_id}"
            assert len(set(answered)) == len(answered), f"{name} was told twice of one action"
        with_records = 0
        for room_id in self.opened:
            room, events = self.room(room_id), self.events(room_id)
            assert [event.version for event in events] == list(range(1, room.version + 1))
            digest.update(repr([(event.version, event.digest) for event in events]).encode())
            if room.status == "finished":
                if with_records >= RECORDS_CHECKED:  # the audit below has re-executed them all
                    continue
                record = self.do(lambda call, room=room: record_of(call, room_views.play_of(call, room)))
                verdict = verify(record)
                assert verdict.ok, verdict.problem
                with_records += 1
            else:  # the states that are remembered are those that the events lead to
                live = self.do(lambda call, room=room: call.live(room))
                self.cache.forget(room_id)
                assert self.do(lambda call, room=room: call.live(room)).match == live.match
        self.counts["records"] = with_records
        self.store.read(lambda tx: check_ledger(tx.house(), thorough=True))
        report = audit(self.store)
        assert report.ok, report.problem
        return digest.hexdigest()

    def room(self, room_id: str) -> Any:
        return self.store.read(lambda tx: tx.get_room(room_id))

    def events(self, match_id: str) -> Any:
        return self.store.read(lambda tx: tx.events(match_id))


class Player(ABC):
    """Asks, waits, and asks again under the same id until there is an answer."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.asked: Any = None
        self.done = 0

    def take(self, answer: Any) -> None:
        """Hear an answer or a view, or be reminded that there was none."""
        match answer:
            case ("overdue", done):
                if self.asked is not None and done == self.done:
                    self.world.counts["asked again"] += 1
                    self.send(self.asked)
                return
            case ("quiet", done):
                if self.asked is None and done == self.done:
                    self.next()
                return
            case Pushed():
                self.pushed(answer)
                return
        body, found = answer
        if self.asked is None or body != self.asked:
            self.world.counts["late answers"] += 1
            return
        self.asked = None
        if isinstance(found, Problem):
            self.world.counts[f"refused {found.reason}"] += 1
        self.hear(body, found)

    def send(self, body: Any) -> None:
        self.asked = body
        self.done += 1
        self.world.post("server", body)
        self.world.remind(self.name, RETRY_MS, ("overdue", self.done))

    def look_after(self, wait: int) -> None:
        """Look where the match stands, unless something else is done before that."""
        self.done += 1
        self.world.remind(self.name, wait, ("quiet", self.done))

    def key(self) -> str:
        return self.world.chance.randbytes(8).hex()

    def choose(self, legal: Any) -> Action:
        chosen = legal[self.world.chance.randint(0, len(legal) - 1)]
        return Action(chosen.type, chosen.payload)

    def told(self, match_id: str, version: int) -> None:
        self.world.counts["acknowledged"] += 1
        self.world.acknowledged[self.name].append((match_id, version))

    @abstractmethod
    def next(self) -> None: ...

    @abstractmethod
    def hear(self, body: Any, found: Any) -> None: ...

    def pushed(self, shown: Pushed) -> None:
        raise AssertionError(f"{self.name} follows no room")


class MatchPlayer(Player):
    """Plays match after match in a room with the same others."""

    def __init__(self, world: World, name: str, room_id: str, people: list[str]) -> None:
        super().__init__(world, name)
        self.room_id = room_id
        self.people = people
        self.version = 0
        self.latest: Match[Any] | None = None

    def next(self) -> None:
        self.send((self.name, "look", self.room_id))

    def hear(self, body: Any, found: Any) -> None:
        if body[1] == "act":
            if not isinstance(found, Problem):
                self.told(self.room_id, found.version)
                self.look_after(self.world.chance.randint(1_000, 3_000))  # a view is on its way, or got lost
                if self.latest is not None:  # it was quicker than the answer
                    self.see(self.latest)
            else:
                self.next()
            return
        assert not isinstance(found, Problem), found
        self.look_at(found)

    def pushed(self, shown: Pushed) -> None:
        if shown.room_id == self.room_id and shown.match.version >= self.version:
            self.version, self.latest = shown.match.version, shown.match
            if self.asked is None:
                self.see(shown.match)

    def see(self, match: Match[Any]) -> None:
        self.latest = None
        legal = legal_actions(get_game(match.game_id), match, self.name)
        if legal:
            self.decide(match.version, legal)

    def look_at(self, found: Any) -> None:
        self.version, self.latest = found.version, None
        if found.status != "active" or found.seat is None:
            if self.name == self.people[0]:
                self.world.counts["matches over"] += 1
                self.over()
        elif found.legal:
            self.decide(found.version, found.legal)
        else:
            self.look_after(self.world.chance.randint(20_000, 60_000))

    def decide(self, version: int, legal: Any) -> None:
        """Ask for something. One in twenty asks with a version that is not the one it saw."""
        version += self.world.chance.randint(0, 19) == 0
        self.send((self.name, "act", BY_TYPE["act"](self.room_id, self.key(), version, self.choose(legal))))

    def over(self) -> None:
        """Begin another match with the same people."""
        fresh = self.world.new_match(("shut-the-box", "craps-table")["craps" in self.game()], self.people)
        for name in self.people:
            player = self.world.clients[name] = MatchPlayer(self.world, name, fresh, self.people)
            player.look_after(self.world.chance.randint(1, 100))

    def game(self) -> str:
        return str(self.world.room(self.room_id).game_id)


class HousePlayer(Player):
    """Plays round after round against the house."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(world, name)
        self.session = 0
        self.version = 0

    def next(self) -> None:
        if not self.session:
            self.begin()
        self.send((self.name, "look session", self.session))

    def begin(self) -> None:
        world = self.world
        made = world.do(lambda call: commitments.commit(call, world.caller(call, self.name)))
        table = (3, 4)[world.chance.randint(0, 1)]
        tables = world.do(table_settings.catalogue)
        game = get_game(tables[table].game_id)
        wanted = 5 if getattr(game, "opens_with_stake", False) else 0
        body = (made.session_id, table, wanted, "aa")
        try:
            world.do(lambda call: sessions.start(call, world.caller(call, self.name), *body))
        except Problem as problem:
            if problem.reason != "insufficient_funds":
                raise
            world.now += 86_400_000
            world.do(lambda call: purses.deposit(call, world.caller(call, self.name), 1000))
            return self.begin()
        self.session, self.version = made.session_id, 0
        return None

    def hear(self, body: Any, found: Any) -> None:
        if body[1] == "move":
            if not isinstance(found, Problem):
                self.told(f"s_{self.session}", found.version)
            self.look_after(self.world.chance.randint(1_000, 3_000))
            return
        assert not isinstance(found, Problem), found
        if not found.legal:
            if not found.is_complete:  # no chips are left for this table
                world = self.world
                world.do(lambda call: sessions.close_session(call, world.caller(call, self.name), found.session_id))
            self.session = 0
            self.world.counts["sessions over"] += 1
            self.next()
            return
        move = BY_TYPE["move"](self.session, self.key(), found.version, self.choose(found.legal))
        self.send((self.name, "move", move))
