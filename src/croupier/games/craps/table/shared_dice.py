"""A craps table whose dice all players make by commit and reveal, joined to the match that they decide.

`DiceRoom` is the host's side. It holds the match and the `DiceHost`, takes what players send, and returns what to
broadcast, in order: actions of the match and messages about the dice. `RoomPlayer` is a player's side: it follows
the match in a copy of its own, so that it commits to nothing but what it has seen itself.

A player's id in the match is their public key. Bets are signed orders. Betting is locked, everybody commits and opens,
and the seed that follows is the seed of the roll: no other action draws anything, so record and transcript prove each
other (`croupier verify TRANSCRIPT --record RECORD`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement
from typing import Any, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.engine import (
    Accepted,
    Action,
    LogEntry,
    Match,
    MatchRecord,
    Player,
    Refused,
    apply_action,
    canonical,
    create_match,
    make_record,
    state_digest,
)
from croupier.engine.model import HOST
from croupier.engine.rate_limit import MessageLimits
from croupier.errors import BadDocument, BadOptions, CroupierError
from croupier.fairness.dice import Contributor, DiceHost, Event, HashChain, Rolled, Stakes, Terms
from croupier.fairness.dice.answers import MALFORMED, Dropped, Movement
from croupier.fairness.dice.contributor import Complaint, Reply
from croupier.fairness.dice.host import Answer
from croupier.fairness.dice.machine import step
from croupier.fairness.dice.messages import (
    Bet,
    Join,
    Leave,
    Lock,
    Position,
    Roll,
    Verb,
    Void,
    in_order,
    read_message,
    stakes_of,
)
from croupier.fairness.dice.table import DiceTable
from croupier.fairness.dice.terms import game_id_of
from croupier.fairness.signing import Signer, Verifier
from croupier.games.craps.layout import CrapsTable, Seat, throw
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.table.game import LOCKED, CloseReason, SharedCraps
from croupier.games.craps.table.orders import action_for, bet_bytes, order_for
from croupier.games.craps.table.state import SharedTable

Table = Match[SharedTable]
Told = LogEntry | Event
"""A broadcast: an action that the match has taken, or a message about the dice."""

GAME = SharedCraps()
PAIRS = tuple(combinations_with_replacement(range(1, 7), 2))
BETS = (*get_args(Verb), "keep_up")  # nobody can sign `keep_up`: it would stake chips again and again without an order


def first_state(terms: Terms, players: Iterable[str | Player], options: Any = None) -> Table:
    """Return the match of a table as it begins. Its seed is the table's public id: nothing draws from it."""
    seed, number = game_id_of(terms), terms.session_id
    return create_match(GAME, players, seed=seed, session_id=number, match_id=terms.name, options=options)


def stakes_for(match: Table) -> Stakes:
    """Return what a round of dice is about: every bet that is up, and the roll that the match waits for."""
    state, book = match.game, book_of(match.options)
    entries, positions = [], []
    for player in match.players:
        chair = state.seats[player.seat]
        entries += [bet_bytes(player.id, bet, state.table, book).hex() for bet in chair.bets]
        if chair.bets:
            positions.append(Position(player.id, chair.at_risk, win_max(state.table, chair.bets, book)))
    return Stakes(
        move_number=match.version + 1,
        entries=tuple(entries),
        state=state_digest(match),
        action=canonical(_roll(match)).decode(),
        hand=state.table.hand_id,
        positions=tuple(positions),
    )


def win_max(table: CrapsTable, bets: Seat, book: PriceBook) -> int:
    """Return the most that a player can win on the next roll, losses on other bets taken off."""
    best = 0
    for die1, die2 in PAIRS:
        decisions = throw(table, (bets,), die1, die2, book).decisions
        best = max(best, sum(one.returned - one.bet.outlay(book) for one in decisions))
    return best


def sits_out(dice: DiceTable, player_id: str, hand: int) -> bool:
    """Tell whether a player does not contribute in a hand: then no bet of theirs may lie on its dice."""
    seat = dice.seats.get(player_id)
    return seat is not None and (seat.status in ("out", "left") or (seat.status == "in" and seat.barred == hand))


def _roll(match: Table) -> Action:
    return Action("roll", {}, match.turn.current)


def _close(reason: str) -> Action:
    return Action("close", {"reason": reason, "at_value": True}, HOST)


class RoomAnswer(Struct, frozen=True):
    """Answer to a call. `send` goes to everybody, in order; where `ok` is False what came was refused."""

    ok: bool = True
    code: str = field(default="")
    error: str = ""
    send: tuple[Told, ...] = ()
    rolled: Rolled | None = None
    voided: Void | None = None
    movements: tuple[Movement, ...] = ()
    """Bonds and forfeits. What a closing table pays for bets is in the match."""
    closed: str = ""


class DiceRoom:
    """The host's side of one table. `now` is in milliseconds of any clock that never goes back.

    After a restart, `start` and `log` bring back the match, as the host's own entries bring back the dice. They are
    replayed, not believed; write both down together before anything is sent.
    """

    def __init__(
        self, start: Table, host: DiceHost, gate: MessageLimits | None = None, *, log: Iterable[LogEntry] = ()
    ) -> None:
        terms = host.table.terms
        if not terms.banked or terms.dice != 2 or terms.hidden:
            raise BadOptions("a craps table has a bank that opens last, two dice, and nothing hidden", "$.terms")
        if terms.session_id != start.rng_state.session_id:
            raise BadOptions("the dice are for another session than the match", "$.session_id")
        self.start = start
        self.match = start
        self.log: list[LogEntry] = []
        self.host = host
        self.gate = gate
        for entry in log:
            done = self._dispatch(entry.action, None if entry.seed is None else bytes.fromhex(entry.seed))
            if not done.ok:
                raise BadDocument(f"action {entry.version} cannot be replayed: {done.error}")

    @classmethod
    def open(
        cls,
        terms: Terms,
        signer: Signer,
        verifier: Verifier,
        chain: HashChain,
        players: Iterable[str | Player],
        *,
        options: Any = None,
        gate: MessageLimits | None = None,
    ) -> DiceRoom:
        """Return a new table; the ids of its players are their keys."""
        return cls(first_state(terms, players, options), DiceHost(terms, signer, verifier, chain), gate)

    @property
    def deadline(self) -> int | None:
        """When to call `tick`; None while no time-out is running."""
        return self.host.deadline

    # Between rolls.

    def act(self, action: Action, now: int, sender: str = "") -> RoomAnswer:
        """Take an unsigned action: buy in, cash out, ready, pass the dice; or `lock`, which begins a round.

        `action.player_id` is the player whom the host has authenticated.
        """
        if not self._admits(sender):
            return _no(self._too_fast())
        refusal = self._not_here(action)
        if refusal is None and action.type == "lock":
            trial = apply_action(GAME, self.match, action)
            return self.lock(now) if trial.ok else _no(trial)
        return _no(refusal) if refusal is not None else self._dispatch(action)

    def _not_here(self, action: Action) -> Refused[SharedTable] | None:
        """Return why an action is not taken in this way."""
        spec = GAME.actions.get(action.type)
        if not action.player_id or (spec is not None and spec.by == "host") or action.type in ("join", "leave"):
            return Refused("host_only", f"{action.type!r} is for the host to say", self.match)
        if action.type in BETS:
            return Refused("unsigned_bet", "bets are signed orders at this table, and none is kept up", self.match)
        if action.type == "cash_out" and _moves_bets(self.match, apply_action(GAME, self.match, action).state):
            return Refused("unsigned_bet", "take your bets down first: each needs a signed order", self.match)
        if action.type == "roll":
            return Refused("dice_are_shared", "the dice are everybody's: lock the betting, and they fall", self.match)
        if action.type == "time_out" and self._would_draw(action):
            return Refused("dice_are_shared", "nobody is there to throw: begin a round, or close the table", self.match)
        if self.host.table.round is not None:  # it is locked over this very state and shooter
            return Refused("wrong_phase", "a round is on: it comes to its end first", self.match)
        return None

    def _would_draw(self, action: Action) -> bool:
        trial = apply_action(GAME, self.match, action)
        return trial.ok and trial.drew

    def receive(self, message: Event | bytes, now: int, sender: str = "") -> RoomAnswer:
        """Take a message about the dice, a signed order, or somebody who sits down or leaves."""
        before = self.tick(now)  # a deadline that has passed comes first
        if isinstance(message, bytes):
            with suppress(BadDocument):  # the host says so, and counts it
                message = read_message(message)
        if isinstance(message, (Bet, Join, Leave)):
            return _joined(before, self._change(message, now, sender))
        if self.gate is not None and self.gate.malformed.wait_ms(sender):
            return _joined(before, _no(self._too_fast()))
        return _joined(before, self._heard(message, now, sender))

    def _change(self, message: Bet | Join | Leave, now: int, sender: str) -> RoomAnswer:
        """Take an order: first it must hold at the dice, then in the match; then it is done in both."""
        if not self._admits(sender):
            return _no(self._too_fast())
        table = self.host.table
        if isinstance(step(table, message, self.host.book.verifier), Dropped):
            return self._heard(message, now, sender)
        action = self._meant(message)
        if isinstance(action, Refused):
            return _no(action)
        if isinstance(message, Bet) and sits_out(table, message.key, self.match.game.table.hand_id):
            text = "you sit out this hand: bet again when you may add to the dice"
            return _no(Refused("sits_out", text, self.match))
        if action is not None:
            trial = apply_action(GAME, self.match, action)
            if not trial.ok:
                return _no(trial)
            winnable = trial.state.game.winnable
            if isinstance(message, Bet) and winnable > max(table.table_bond, self.match.game.winnable):
                text = f"all bets together could win {winnable:,}, and the bank's bond is {table.table_bond:,}"
                return _no(Refused("bond_limit", text, self.match))
        heard = self._heard(message, now, sender)
        if not heard.ok or action is None:
            return heard
        done = self._dispatch(action)
        if isinstance(message, Leave):
            done = _joined(done, self._buy_out())
            if self.gate is not None:
                self.gate.left(sender)
        return _joined(heard, done)

    def _meant(self, message: Bet | Join | Leave) -> Action | Refused[SharedTable] | None:
        """Return what a message means in the match; None for nothing, such as more chips for a bond."""
        if isinstance(message, Bet):
            return action_for(self.match, message.verb, bytes.fromhex(message.bet), message.key)
        is_seated = message.key in self.match.turn.order
        if isinstance(message, Join):
            return None if is_seated else Action("join", {"id": message.key}, message.key)
        return Action("leave", {}, message.key) if is_seated else None

    # A round.

    def lock(self, now: int) -> RoomAnswer:
        """Lock the betting and begin a round; after a void one, the next over the same bets."""
        match = self.match
        locked = match
        if match.turn.phase != LOCKED:
            trial = apply_action(GAME, match, Action("lock", {}, match.turn.current))
            if not trial.ok:
                return _no(trial)
            locked = trial.state
        answer = self.host.lock(stakes_for(locked), now)
        if answer.code == "rounds_used_up":
            return self._dispatch(_close(answer.code))
        if not answer.ok:
            return _no(answer)
        done = self._dispatch(Action("lock", {}, match.turn.current)) if locked is not match else RoomAnswer()
        return _joined(done, self._carried_out(answer))

    def tick(self, now: int) -> RoomAnswer:
        """Handle a deadline that has passed, if there is one."""
        return self._carried_out(self.host.tick(now))

    def end(self, now: int) -> RoomAnswer:
        """End in good order: no bet is up, and every bond goes back."""
        if self.match.status == "active":
            trial = apply_action(GAME, self.match, _close("ended"))
            if not trial.ok:
                return _no(trial)
        answer = self.host.end(now)
        return self._carried_out(answer) if answer.ok else _no(answer)

    def close(self, now: int) -> RoomAnswer:
        """Close the table because its host must: bets are paid what they are worth. Bonds stay until `end`."""
        if self.host.table.round is not None:
            return _no(Refused("wrong_phase", "a round is on: it comes to its end first", self.match))
        return self._dispatch(_close("host"))

    def record(self) -> MatchRecord:
        """Return the record of the match so far."""
        return make_record(GAME, self.start, self.log)

    # Carrying it out.

    def _heard(self, message: Event | bytes, now: int, sender: str) -> RoomAnswer:
        answer = self.host.receive(message, now, sender)
        if not answer.ok and self.gate is not None and answer.code in MALFORMED:
            self.gate.blame(sender)
        return self._carried_out(answer)

    def _carried_out(self, answer: Answer) -> RoomAnswer:
        """Do in the match what the dice have come to."""
        found = _joined(RoomAnswer(), answer)
        if answer.rolled is not None:
            found = _joined(found, self._dispatch(_roll(self.match), answer.rolled.seed))
            assert self.match.game.table.dice == answer.rolled.faces
        if answer.voided is not None and not answer.closed:
            found = _joined(found, self._buy_out())
        if answer.rolled is not None or answer.voided is not None:
            found = _joined(found, self._pass_over())
        if answer.closed and self.match.status == "active":
            reason = answer.closed if answer.closed in get_args(CloseReason) else "host"
            found = _joined(found, self._dispatch(_close(reason)))
        return found

    def _buy_out(self) -> RoomAnswer:
        """Buy the bets of everybody who has no part in the dice, in the order of their seats."""
        found, hand = RoomAnswer(), self.match.game.table.hand_id
        for player in self.match.players:
            if self.match.game.seats[player.seat].bets and sits_out(self.host.table, player.id, hand):
                found = _joined(found, self._dispatch(Action("buy_out", {"player": player.id}, HOST)))
        return found

    def _pass_over(self) -> RoomAnswer:
        """Take the dice from a shooter whose seat sits out, and on, until somebody has them who does not."""
        found = RoomAnswer()
        for _ in self.match.turn.order:
            shooter = self.match.turn.current
            late = Action("time_out", {}, shooter)
            is_out = sits_out(self.host.table, shooter, self.match.game.table.hand_id)
            if self.match.status == "finished" or not is_out or self._would_draw(late):
                break
            found = _joined(found, self._dispatch(late))
        return found

    def _dispatch(self, action: Action, seed: bytes | None = None) -> RoomAnswer:
        answer = apply_action(GAME, self.match, action, seed=seed)
        if not answer.ok:
            return _no(answer)
        entry = LogEntry(
            answer.action, answer.state.version, drew=answer.drew, seed=None if seed is None else seed.hex()
        )
        self.match = answer.state
        self.log.append(entry)
        return RoomAnswer(send=(entry,))

    def _admits(self, sender: str) -> bool:
        return self.gate is None or self.gate.admits(sender, sender)

    def _too_fast(self) -> Refused[SharedTable]:
        return Refused("too_fast", "too many messages: wait a little", self.match)


def _moves_bets(before: Table, after: Table) -> bool:
    return any(one.bets != other.bets for one, other in zip(before.game.seats, after.game.seats, strict=False))


def _no(refusal: Refused[Any] | Answer) -> RoomAnswer:
    return RoomAnswer(False, refusal.code, refusal.error)


def _joined(first: RoomAnswer, second: RoomAnswer | Answer) -> RoomAnswer:
    """Return two answers as one; the no of either is a no."""
    no = second if first.ok else first
    return RoomAnswer(
        no.ok,
        no.code,
        no.error,
        first.send + second.send,
        second.rolled or first.rolled,
        second.voided or first.voided,
        first.movements + second.movements,
        second.closed or first.closed,
    )


class RoomPlayer:
    """A player's side: a copy of the match, and the player's part in the dice.

    Everything that the host sends goes to `hear`, in order. The copy is the player's own: an action that the rules
    refuse, a draw from anything but the seed of the last round, or a bet put up, changed or taken down that is not
    signed is complained of and not followed.
    """

    def __init__(self, me: Contributor, match: Table) -> None:
        self.me = me
        self.match = match
        self._rolled: Rolled | None = None
        self._ordered: Action | Refused[SharedTable] | None = None

    def order(self, action: Action) -> Bet | Refused[SharedTable]:
        """Return the signed order for an action about a bet, or why the rules would refuse it."""
        order = order_for(self.match, replace(action, player_id=self.me.key))
        return order if isinstance(order, Refused) else self.me.bet(*order)

    def hear(self, told: Told, now: int) -> Reply:
        """Take a broadcast of the host and return the player's reply."""
        if isinstance(told, LogEntry):
            return Reply(complaint=self._follow(told))
        if isinstance(told, Lock):  # a roll that is still to be thrown comes first: else it could be made again
            self.me.expect(stakes_for(self.match) if self._rolled is None else Stakes(0))
        reply = self.me.receive(told, now)
        if isinstance(told, Bet) and reply.complaint is None:
            self._ordered = action_for(self.match, told.verb, bytes.fromhex(told.bet), told.key)
        if reply.rolled:
            self._rolled = reply.rolled[-1]
        return reply

    def _host_problem(self, action: Action) -> str | None:
        """Return what is wrong with something that only a host can do: the dice must have given a reason for it."""
        dice, payload = self.me.table, action.payload
        if action.type == "buy_out" and not sits_out(dice, payload["player"], self.match.game.table.hand_id):
            return "the host bought the bets of somebody who does not sit out"
        if action.type == "close" and self.match.game.has_bets and not payload.get("at_value"):
            return "the host closed the table and paid stakes instead of what the bets were worth"
        if action.type == "close" and dice.closed and payload["reason"] != dice.closed:
            return f"the dice were closed for {dice.closed}, and the host says {payload['reason']}"
        return None

    def _is_unsigned(self, action: Action, answer: Accepted[SharedTable] | Refused[SharedTable]) -> bool:
        """Tell whether an action needs a signature that was not heard: about a bet, or to sit down or leave."""
        if action == self._ordered:
            return False
        if action.type in ("join", "leave"):
            if answer.ok and answer.action.player_id != action.player_id:
                return True  # somebody else sits down than who has signed
            seat = self.me.table.seats.get(str(action.player_id))
            return seat is None or (seat.status == "left") != (action.type == "leave")
        is_thrown = answer.ok and answer.drew
        is_silent = action.player_id != HOST and not is_thrown
        return action.type in BETS or (is_silent and _moves_bets(self.match, answer.state))

    def _follow(self, entry: LogEntry) -> Complaint | None:
        action = entry.action
        try:
            seed = None if entry.seed is None else bytes.fromhex(entry.seed)
            answer = apply_action(GAME, self.match, action, seed=seed)
        except (ValueError, CroupierError) as error:
            return Complaint("action_refused", f"what the host says was done cannot be read: {error}")
        if self.me.table.round is not None or (self._rolled is not None and not (answer.ok and answer.drew)):
            return Complaint("other_dice", "a round is on, and its dice come before anything else")
        is_unsigned = self._is_unsigned(action, answer)
        self._ordered = None
        if is_unsigned:
            return Complaint("unsigned_bet", f"the host says {action.type!r} of somebody who has signed no such order")
        if not answer.ok:
            return Complaint("action_refused", f"the rules refuse what the host says was done: {answer.error}")
        if action.player_id == HOST and (problem := self._host_problem(action)):
            return Complaint("host_oversteps", problem)
        rolled = self._rolled
        if answer.drew:
            if rolled is None or (rolled.move_number, rolled.seed) != (answer.state.version, seed):
                return Complaint("other_dice", "the dice were not thrown with the seed of the last round")
            self._rolled = None
        self.match = answer.state
        return None


def unsigned_problem(events: Iterable[Event], actions: Sequence[Action], states: Sequence[Table]) -> str | None:
    """Return None if all that moved a bet or a seat was signed, in its turn, and every LOCK was over what lay there."""
    orders: list[tuple[int, Bet | Join | Leave]] = []  # with the number of rolls before them
    rolls = 0
    for event in events:
        if isinstance(event, Lock) and 0 < event.move_number <= len(states):
            if in_order(stakes_for(states[event.move_number - 1])) != stakes_of(event):
                return f"round {event.round} was locked over other bets, or other wins, than the record has"
        elif isinstance(event, (Bet, Join, Leave)):
            orders.append((rolls, event))
        rolls += isinstance(event, Roll)
    rolls = 0
    for move, (action, before, after) in enumerate(zip(actions, states, states[1:], strict=False), 1):
        if action.type == "roll":
            rolls += 1
        elif action.type == "close" and before.game.has_bets and not action.payload.get("at_value"):
            return f"move {move} (close) paid stakes instead of what the bets were worth"
        elif action.type in (*BETS, "join", "leave") or (action.player_id != HOST and _moves_bets(before, after)):
            while orders and (orders[0][0] < rolls or _meaning(before, orders[0][1]) is None):
                orders.pop(0)
            if not orders or orders[0][0] > rolls or _meaning(before, orders.pop(0)[1]) != action:
                return f"move {move} ({action.type}) is of somebody who has signed no such order"
    return None


def _meaning(match: Table, order: Bet | Join | Leave) -> Action | None:
    """Return what an order does in the match, as the log has it; None for nothing, such as more chips for a bond."""
    if isinstance(order, Bet):
        action = action_for(match, order.verb, bytes.fromhex(order.bet), order.key)
        if isinstance(action, Refused):
            return None
    elif isinstance(order, Join):
        action = Action("join", {"id": order.key}, order.key)
    else:
        action = Action("leave", {}, order.key)
    answer = apply_action(GAME, match, action)
    return answer.action if answer.ok else None
