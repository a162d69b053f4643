"""Tables with shared dice over a store: messages are stored before they are answered, and a restart changes nothing."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.engine import Action, act, state_digest
from croupier.fairness.dice import Contributor, Ed25519Signer, Ed25519Verifier, HashChain, Reveal, verify_transcript
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.messages import Bet, Commit, Objection
from croupier.games.craps.table.shared_dice import RoomPlayer, first_state
from croupier.server.operations import actions, dice, room_views, rooms
from croupier.server.operations.context import Caller, Context
from croupier.server.problems import KeptRefusal, Problem
from croupier.server.running.background import stop
from croupier.server.running.service import Service
from croupier.server.settings import Settings
from croupier.server.transport import hub
from croupier.store.audit import audit
from croupier.store.database import DatabaseStore, open_store
from croupier.store.interface import StoreUnavailable
from croupier.store.model import Account, Room
from croupier.transcripts import check_transcript
from croupier.wire.dice import DiceAnswer, DicePage, NewDiceRoom
from croupier.wire.rooms import RoomView

ABANDONED = 900_000


def put(call: Context, account: Account) -> None:
    call.tx.put_account(account)


class Table:
    """A room, two players with books of their own, and clocks that a test sets."""

    def __init__(self, path: Any, **more: Any) -> None:
        self.url = f"sqlite:///{path}/dice.db"
        self.wall, self.steady = 1_800_000_000_000, 0
        self.store, self.service = self.started()
        self.people: dict[str, Caller] = {}
        self.players: dict[str, RoomPlayer] = {}
        self.heard: dict[str, int] = {}
        self.silent: set[tuple[str, type]] = set()
        self.complaints: list[str] = []
        for name in ("ann", "bob", "eve"):
            account = Account(f"p_{name}", name, self.wall)
            self.service.change_now(put, account)
            self.people[name] = Caller(account)
        body = NewDiceRoom(self.signer("ann").key, **more)
        self.id = self.service.change_now(dice.create_dice_room, self.people["ann"], body).id
        for name in ("ann", "bob"):
            self.sit(name)
        for name in ("ann", "bob"):
            self.act(name, act("buy_in", chips=500))

    def started(self) -> tuple[DatabaseStore, Service]:
        store = open_store(self.url)
        return store, Service(
            store,
            Settings(abandoned_ms=ABANDONED),
            clock=lambda: self.wall,
            monotonic=lambda: self.steady,
        )

    def restart(self) -> None:
        self.service.stop()
        self.store.close()
        self.steady = 0  # another process: its clock begins anew
        self.store, self.service = self.started()

    def close(self) -> None:
        self.service.stop()
        self.store.close()

    def signer(self, name: str) -> Ed25519Signer:
        return Ed25519Signer(sha256(name.encode()).digest())

    def sit(self, name: str) -> None:
        page = self.page()
        used = iter(range(10**6))
        me = Contributor(
            page.terms,
            self.signer(name),
            Ed25519Verifier(),
            lambda size: sha256(f"{name}{next(used)}".encode()).digest()[:size],
        )
        start = first_state(page.terms, page.players, page.options)
        self.players[name], self.heard[name] = RoomPlayer(me, start), 0
        self.listen(name)
        self.send(name, me.join(50))

    def page(self, since: int = 0) -> DicePage:
        return self.service.look_now(dice.read_dice, self.people["ann"], self.id, since)

    def send(self, name: str, message: Any) -> DiceAnswer:
        answer = self.service.change_now(dice.send_dice, self.people[name], self.id, message)
        self.settle()
        return answer

    def act(self, name: str, action: Action) -> Room | KeptRefusal:
        answer = self.service.change_now(actions.act, self.people[name], self.id, 0, action)
        self.settle()
        return answer

    def bet(self, name: str, **payload: Any) -> DiceAnswer:
        order = self.players[name].order(act("place", **payload))
        assert isinstance(order, Bet), order
        return self.send(name, order)

    def listen(self, name: str) -> bool:
        page = self.page(self.heard[name])
        for item in page.items:
            reply = self.players[name].hear(item.action or item.dice, self.steady)  # type: ignore[arg-type]
            self.heard[name] = item.version
            self.complaints += [reply.complaint.code] if reply.complaint else []
            for message in reply.send:
                if (name, type(message)) not in self.silent:
                    answer = self.service.change_now(dice.send_dice, self.people[name], self.id, message)
                    assert answer.ok
        return bool(page.items)

    def settle(self) -> None:
        while [name for name in self.players if self.listen(name)]:
            pass

    @property
    def room(self) -> RoomView:
        return self.service.look_now(room_views.find_room, self.people["ann"], self.id)

    @property
    def match(self) -> Any:
        return self.players["ann"].match

    def round(self) -> None:
        """Let the other be ready and the shooter lock."""
        names = {self.players[name].me.key: name for name in self.players}
        shooter = names[self.match.turn.current]
        for name in self.players:
            if name != shooter:
                self.act(name, act("ready"))
        self.act(shooter, act("lock"))

    def due(self) -> Any:
        answer = self.service.change_now(dice.dice_due, self.id)
        self.settle()
        return answer

    def wait(self, ms: int) -> None:
        self.wall += ms
        self.steady += ms

    def proven(self) -> Any:
        transcript = self.service.look_now(dice.read_transcript, self.people["eve"], self.id)
        record = self.service.look_now(room_views.read_record, self.people["eve"], self.id)
        verdict, checks = check_transcript(transcript, record)
        assert verdict.ok
        assert all(check.ok for check in checks), checks
        found = audit(self.store)
        assert found.ok, found.problem
        return verdict


@pytest.fixture
def table(tmp_path: Any) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def test_dice_go_on_after_a_restart_as_if_there_had_been_none(table: Table) -> None:
    table.bet("ann", bet="pass", stake=10)
    table.round()
    table.restart()
    table.round()
    table.restart()
    table.round()

    assert table.match.game.table.roll_count == 3
    assert table.complaints == []
    assert {state_digest(player.match) for player in table.players.values()} == {state_digest(table.match)}
    assert table.room.view.version == table.match.version
    table.wait(ABANDONED)
    assert table.due().ok  # abandoned: closed, and every bet is paid what it is worth
    assert table.room.status == "finished"
    assert len(table.proven().rolls) == 3


def test_a_restart_in_the_middle_of_a_round_ends_it_with_the_same_secret_of_the_bank(table: Table) -> None:
    """Bob commits and his opening is late; the server dies; the table he finds is the one that knows his commitment."""
    table.bet("ann", bet="field", stake=5)
    table.silent.add(("bob", Reveal))
    table.round()
    assert table.match.game.table.roll_count == 0
    before = table.page().items[-1].version
    table.restart()
    kept = table.players["bob"].me.owed().send
    assert len(kept) == 1
    assert table.send("bob", kept[0]).ok

    assert table.match.game.table.roll_count == 1
    assert table.page(before).items
    transcript = table.service.look_now(dice.read_transcript, table.people["eve"], table.id)
    assert verify_transcript(transcript).ok


def test_a_transcript_is_worked_out_once_for_all_who_ask(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may ask for it, and that of a long table takes its time."""
    made = []
    usual = Book

    def book(*args: Any) -> Any:
        made.append(1)
        return usual(*args)

    monkeypatch.setattr(dice, "Book", book)

    def asked() -> set[bytes]:
        return {table.service.look_now(dice.read_transcript, table.people["eve"], table.id) for _ in range(20)}

    before = asked()
    assert (len(before), len(made)) == (1, 1)
    table.bet("ann", bet="pass", stake=10)
    assert before.isdisjoint(asked())
    assert len(made) == 2


async def test_who_follows_is_told_all_there_is_in_as_many_frames_as_it_takes(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "TOLD_MAX", 2)
    monkeypatch.setattr(hub, "RETRY_SECONDS", 0)
    heard, end = list[int](), asyncio.Event()

    class Follower:
        account_id = "p_ann"

        def send(self, text: bytes) -> None:
            heard.extend(item["version"] for item in msgspec.json.decode(text).get("items", ()))
            if heard[-1:] == [table.room.version]:
                end.set()

    sender = hub.Hub(table.service.look, table.service.cache.look_up, table.service.cache.overhear)
    running = asyncio.create_task(sender.run())
    sender.follow(table.id, Follower(), 0, legal=False, told=True)
    await asyncio.wait_for(end.wait(), 20)
    await stop(running)
    assert heard == list(range(1, table.room.version + 1))


def test_nothing_is_told_of_what_could_not_be_written(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    version = table.room.version
    backend = table.store.backend
    real = backend.commit

    def full(connection: Any, topics: Any) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(backend, "commit", full)
    with pytest.raises(Problem, match="store_unavailable"):
        table.act("ann", act("buy_in", chips=100))
    monkeypatch.setattr(backend, "commit", real)

    assert table.room.version == version
    table.act("ann", act("buy_in", chips=100))  # the table in memory is not the one that was never written
    assert table.room.version == version + 1
    assert table.match.game.seats[0].bought == 600


def test_a_refusal_leaves_the_table_in_memory(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.act("ann", act("buy_in", chips=100))
    monkeypatch.setattr(dice, "DiceHost", lambda *_: pytest.fail("the table was read again"))

    for _ in range(3):
        with pytest.raises(Problem) as refused:
            table.act("ann", act("roll"))
        assert refused.value.reason == "dice_are_shared"
    table.act("ann", act("buy_in", chips=100))


def test_deadlines_go_by_the_clock_that_never_goes_back(table: Table) -> None:
    table.bet("ann", bet="field", stake=5)
    table.silent |= {("bob", Commit), ("bob", Objection)}
    table.round()
    table.wall += 3_600_000  # somebody sets the clock an hour ahead
    table.due()
    assert table.match.game.table.roll_count == 0  # not a millisecond has passed

    table.wait(table.page().terms.commit_ms)
    table.due()
    assert table.match.game.table.roll_count == 0
    table.wait(table.page().terms.object_ms)  # Bob is not in, and does not say that he objects to nothing
    table.due()
    assert table.match.game.table.roll_count == 1  # without Bob, who did not commit
    assert table.complaints == ["commit_dropped", "objection_ignored"]  # Bob's, who thinks that he has sent both


def test_a_void_round_is_locked_again_and_the_third_closes_the_table(table: Table) -> None:
    table.bet("ann", bet="pass", stake=10)
    table.silent |= {("ann", Commit), ("bob", Commit)}
    table.round()
    for _ in range(3):
        assert table.match.status == "active"
        table.wait(table.page().terms.commit_ms)
        table.due()
    assert table.match.status == "finished"
    assert table.match.game.seats[0].chips == 0
    assert table.room.status == "finished"
    assert table.proven().rolls == ()


def test_whoever_bets_and_does_not_commit_is_bought_out_and_the_round_begins_again(table: Table) -> None:
    table.bet("ann", bet="field", stake=36)
    table.bet("bob", bet="field", stake=36)
    table.silent |= {("bob", Commit), ("bob", Objection)}
    table.round()
    table.wait(table.page().terms.commit_ms)
    table.due()

    assert table.match.game.table.roll_count == 1
    assert table.match.game.seats[1].chips == 500 - 36 + 34  # the field is worth 17/18 of its stake
    with pytest.raises(Problem) as refused:
        table.bet("bob", bet="field", stake=36)
    assert refused.value.reason == "sits_out"
    table.wait(ABANDONED)
    assert table.due().ok
    assert len(table.proven().rolls) == 1


def test_a_table_of_an_older_protocol_is_closed_and_nobody_gets_less_than_the_stake(table: Table) -> None:
    """Nobody should play on there: whoever acts next, or the clock, finds it closed and the bets paid."""
    table.bet("ann", bet="field", stake=36)

    def older(call: Context) -> None:
        room = call.room(table.id)
        terms = {name: value for name, value in room.dice.items() if name not in ("protocol", "object_ms")}
        call.put_room(replace(room, dice=terms))

    table.service.change_now(older)
    table.restart()

    answer = table.act("ann", act("ready"))

    assert isinstance(answer, KeptRefusal)
    assert answer.problem.reason == "table_closed"
    room = table.room
    assert room.status == "finished"
    assert table.page().terms.protocol == 1
    last = table.page().items[-1].action
    assert last is not None
    assert last.action.payload == {"reason": "old_protocol", "at_value": True}
    game = table.service.look_now(lambda call: call.live(call.room(table.id)).match.game)
    assert [chair.paid_out for chair in game.seats] == [500, 500]


def test_the_key_and_the_chain_of_a_table_follow_from_its_seed_alone(table: Table) -> None:
    """HMAC with a label each, as the pages on fairness have it: worked out here by hand."""
    seed = bytes.fromhex(table.service.look_now(lambda call: call.room(table.id).server_seed))

    def labelled(label: bytes) -> bytes:
        return hmac.digest(seed, len(label).to_bytes(4, "big") + label, "sha256")

    terms = table.page().terms
    assert terms.table_key == Ed25519Signer(labelled(b"croupier/dice-key/2")).key
    assert terms.chain_end == HashChain.make(labelled(b"croupier/dice-chain/2"), terms.rounds_max).end
    assert (terms.protocol, terms.object_ms) == (2, 2_000)


def test_at_a_table_with_a_clock_a_round_begins_by_itself(tmp_path: Any) -> None:
    table = Table(tmp_path, turn_ms=20_000)
    table.bet("ann", bet="field", stake=5)
    for _ in range(2):  # Bob is taken to be ready, then the round begins
        table.wait(20_000)
        table.due()
    assert table.match.game.table.roll_count == 1
    table.close()


def test_only_the_owner_of_a_key_speaks_with_it(table: Table) -> None:
    bobs = table.players["bob"]
    order = bobs.order(act("place", bet="field", stake=5))
    with pytest.raises(Problem, match="forbidden"):
        table.send("ann", order)
    with pytest.raises(Problem, match="not_seated"):
        table.send("eve", order)
    with pytest.raises(Problem, match="forbidden"):
        table.send("eve", bobs.me.join(10))  # his key, and her account
    with pytest.raises(Problem, match="unsigned_bet"):
        table.act("ann", act("place", bet="field", stake=5))
    with pytest.raises(Problem, match="dice_room"):
        table.service.change_now(rooms.leave_room, table.people["ann"], table.id)


def test_the_seed_that_the_key_is_made_from_is_never_shown(table: Table) -> None:
    seed = table.service.look_now(lambda call: call.room(table.id).server_seed)
    table.wait(ABANDONED)
    table.due()
    room = table.room
    assert room.status == "finished"
    assert room.server_seed is None
    shown = [
        table.service.look_now(room_views.read_record, table.people["ann"], table.id),
        table.service.look_now(dice.read_transcript, table.people["ann"], table.id),
        repr(table.page()).encode(),
    ]
    assert all(seed.encode() not in text for text in shown)


def test_leaving_a_dice_table_frees_the_seat_for_another_key(table: Table) -> None:
    assert table.send("bob", table.players["bob"].me.leave()).ok
    assert [seat.left for seat in table.room.seats] == [False, True]
    del table.players["bob"]
    table.signer = lambda name: Ed25519Signer(sha256(f"{name} again".encode()).digest())  # type: ignore[method-assign]
    table.sit("bob")
    assert [seat.left for seat in table.room.seats] == [False, True, False]
    assert audit(table.store).ok
