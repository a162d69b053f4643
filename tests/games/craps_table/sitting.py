"""Test harness of a craps table with shared dice: players, signed bets, rounds, and proofs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.engine import Action, Player, Refused, act, replay, state_digest, verify, write_record
from croupier.engine.rate_limit import MessageLimits
from croupier.fairness.dice import Contributor, HashChain, Reveal, Stakes, Terms, verify_transcript
from croupier.fairness.dice.messages import Commit, Objection, write_message
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.table.game import SharedCraps
from croupier.games.craps.table.shared_dice import DiceRoom, RoomAnswer, RoomPlayer
from croupier.transcripts import record_problem, withheld_roll
from tests.games.craps.seats import payload_of
from tests.games.scenes import look_at
from tools.adversaries import MacSigner, MacVerifier

GAME = SharedCraps()
CHAIN = HashChain.make(bytes(31) + b"\x05", 60)
BOOK = book_of(CrapsOptions())
KEPT_BACK = {"opening": (Reveal,), "commitment": (Commit,), "everything": (Commit, Objection)}
"""The messages that a player keeps back; one who is absent does not even object that a commitment was dropped."""


class Sitting:
    """A room, its players, and a wire between them: every message goes over it as bytes, and everybody hears all."""

    def __init__(
        self,
        *names: str,
        sign: Callable[[str], Any] = MacSigner,
        verifier: Any = None,
        chips: int = 1_000,
        gate: MessageLimits | None = None,
        options: dict[str, Any] | None = None,
        **terms: Any,
    ) -> None:
        self.signer = sign("table")
        verifier = verifier or MacVerifier()
        settings = {"name": "table 7", "table_bond": 500_000, "fee": 5, "scheme": verifier.scheme, **terms}
        self.terms = Terms(session_id=7, table_key=self.signer.key, chain_end=CHAIN.end, rounds_max=60, **settings)
        self.verifier = verifier
        self.now = 0
        self.signers = {name: sign(name) for name in names}
        seated = [Player(self.signers[name].key, name) for name in names]
        self.room = DiceRoom.open(self.terms, self.signer, verifier, CHAIN, seated, options=options, gate=gate)
        self.players: dict[str, RoomPlayer] = {}
        self.silent: dict[str, Any] = {}
        """The kinds of messages that a player keeps back."""
        self.complaints: list[tuple[str, str]] = []
        self.answers: list[RoomAnswer] = []
        for name in names:
            self.sit(name)
        for name in names:
            self.act(name, "buy_in", chips=chips)

    def sit(self, name: str) -> None:
        used = iter(range(10**6))
        secret = lambda size: (f"{name}/{next(used)}/" + "." * size).encode()[:size]  # noqa: E731
        me = Contributor(self.terms, self.signers[name], self.verifier, secret, entries=self.room.host.book.entries)
        self.players[name] = RoomPlayer(me, self.room.match)
        self.send(name, me.join(50))

    def key(self, name: str) -> str:
        return str(self.signers[name].key)

    def act(self, name: str, type: str, **payload: Any) -> RoomAnswer:
        return self.spread(self.room.act(Action(type, payload, self.key(name)), self.now, sender=name))

    def bet(self, name: str, type: str, **payload: Any) -> RoomAnswer:
        order = self.players[name].order(act(type, **payload))
        assert not isinstance(order, Refused), order.error
        return self.send(name, order)

    def send(self, name: str, message: Any) -> RoomAnswer:
        return self.spread(self.room.receive(write_message(message), self.now, sender=name))

    def spread(self, answer: RoomAnswer) -> RoomAnswer:
        """Let everybody hear what an answer says, and answer in turn."""
        wire = deque([answer])
        while wire:
            heard = wire.popleft()
            self.answers.append(heard)
            for told in heard.send:
                for name, player in self.players.items():
                    reply = player.hear(told, self.now)
                    if reply.complaint is not None:
                        self.complaints.append((name, reply.complaint.code))
                    for message in reply.send:
                        if not isinstance(message, self.silent.get(name, ())):
                            wire.append(self.room.receive(write_message(message), self.now, sender=name))
        return answer

    @property
    def shooter(self) -> str:
        (name,) = [name for name in self.signers if self.key(name) == self.room.match.turn.current]
        return name

    def lock(self) -> None:
        """Let everybody be ready and the shooter lock; after a void round, begin the next."""
        if self.room.match.turn.phase == "betting":
            for player in self.room.match.turn.order:
                (name,) = [name for name in self.signers if self.key(name) == player]
                if name != self.shooter and self.chair(name).is_waited_for:
                    assert self.act(name, "ready").ok
            locked = self.act(self.shooter, "lock")
        else:
            locked = self.spread(self.room.lock(self.now))
        assert locked.ok, locked.error

    def round(self) -> RoomAnswer:
        """Lock, wait if need be, and return how the round ended."""
        self.lock()
        while self.room.deadline is not None:
            self.now = self.room.deadline
            self.spread(self.room.tick(self.now))
        return next(one for one in reversed(self.answers) if one.rolled or one.voided or one.closed)

    def seat(self, name: str) -> int:
        (seat,) = [one.seat for one in self.room.match.players if one.id == self.key(name)]
        return seat

    def chair(self, name: str) -> Any:
        return self.room.match.game.seats[self.seat(name)]

    def copies_agree(self) -> bool:
        return {state_digest(player.match) for player in self.players.values()} == {state_digest(self.room.match)}

    def proves(self) -> None:
        """Check record and transcript, alone and together, as anyone could."""
        transcript, record = self.room.host.transcript(), self.room.record()
        verdict = verify_transcript(transcript, verifier=self.verifier)
        assert verdict.ok, verdict.problem
        assert verify(write_record(record)).ok
        assert record_problem(transcript, verdict.rolls, record) is None
        states = replay(record)
        assert withheld_roll(transcript, verdict.closed, states[-1]) is None
        assert GAME.dice_problem([entry.event for entry in transcript.entries], record.actions, states) is None
        seeds = [roll.seed.hex() for roll in verdict.rolls]
        assert [seed for seed in record.seeds if seed] == seeds

    # Scenes (`tests.games.scenes`).

    def take(self, words: list[str]) -> None:
        """Take a step: one of those below, a signed bet as `ann place pass 10`, or what needs no signature.

        `round`; `bob keeps opening` to himself, or `all speak` again; `eve objects` to all stakes; `bob misreads` them;
        `used up` are the rounds of the table; `mark` is what `since` counts from.
        """
        name, verb, *rest = [*words, ""]
        if name == "round":
            self.ended = self.round()
        elif verb == "keeps":
            self.silent[name] = KEPT_BACK[rest[0]]
        elif name == "all":
            self.silent = {}
        elif verb == "objects":
            see_otherwise(self.players[name].me)
        elif verb == "misreads":
            self.players[name].match = replace(self.players[name].match, version=self.players[name].match.version + 1)
        elif name == "used":
            book = self.room.host.book
            book.table = replace(book.table, round_number=self.terms.rounds_max)
        elif name == "mark":
            self.marked = self.room.match
        else:
            self.ended = self.tell(words)
            assert self.ended.ok, self.ended.error

    def tell(self, words: list[str]) -> RoomAnswer:
        """Let the host, a player or the shooter say something to the room, and return its answer."""
        name, type, *rest = words
        if name == "host":
            return self.spread(getattr(self.room, type)(self.now))
        name = self.shooter if name == "shooter" else name
        if type in ("joins", "leaves"):
            me = self.players[name].me
            return self.send(name, me.join(int(rest[0])) if type == "joins" else me.leave())
        does = self.bet if type in ("place", "remove", "raise", "lower", "switch") else self.act
        return does(name, type, **payload_of(type, rest))

    def refusal(self, words: list[str]) -> str:
        """Return the code with which the room refuses, or a player who is told so before signing: `unsigned` and it."""
        before = self.room.match
        if words[1] == "orders":
            order = self.players[words[0]].order(act(words[2], **payload_of(words[2], words[3:])))
            assert isinstance(order, Refused)
            return f"unsigned {order.code}"
        answer = self.tell(words)
        assert (answer.ok, self.room.match is before) == (False, True)
        return str(answer.code)

    def look(self, path: str) -> Any:
        """Return what a scene asks for: of a player, of how the last round `ended`, one of those below, or a path."""
        name, _, rest = path.partition(".")
        if name in self.signers:
            if rest == "complaints":
                return [code for who, code in self.complaints if who == name]
            if rest == "status":
                return self.room.host.table.seats[self.key(name)].status
            chair = self.chair(name)
            return {bet.name: bet.stake for bet in chair.bets} if rest == "bets" else look_at(chair, rest)
        if name == "ended":
            return look_at(self.ended, rest)
        if path == "proves":
            self.proves()
            return True
        names = {self.key(name): name for name in self.signers} | {self.terms.table_key: "table"}

        def called(account: str) -> str:
            kind, _, key = account.partition(":")
            return f"{kind}:{names[key]}" if key else kind

        found = {
            "shooter": lambda: self.shooter,
            "agree": self.copies_agree,
            "rolled": lambda: self.ended.rolled is not None and self.ended.voided is None,
            "blamed": lambda: [names[key] for key in self.ended.voided.keys] if self.ended.voided else None,
            "dice": lambda: self.ended.rolled and self.ended.rolled.faces,
            "moved": lambda: [(called(one.source), called(one.target), one.chips) for one in self.ended.movements],
            "stakes_moved": lambda: [one for one in self.ended.movements if one.source.startswith("stake:")],
            "paid": lambda: sorted(called(one.target)[7:] for one in self.ended.movements if "player:" in one.target),
            "log": lambda: [entry.action.type for entry in self.room.log][-3:],
            "since": lambda: self.room.match.version - self.marked.version,
            "same": lambda: self.room.match is self.marked,
        }
        return found[path]() if path in found else look_at(self.room.match, path)


def see_otherwise(me: Contributor) -> None:
    """Let a player see other stakes than there are."""
    see = me.expect

    def expect(stakes: Stakes) -> None:
        see(replace(stakes, move_number=0))

    me.expect = expect  # type: ignore[method-assign]
