"""Handlers of WebSocket frames. Each is idempotent by the frame's id.

An action carries an id. The answer is kept under it for a day, with a digest of what was asked; whoever did not hear
the answer sends the same frame again, over any connection, and is told the same without anything happening twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from croupier.server.operations import dice, rooms, sessions
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.idempotency import is_shared, kept_reply, reply_of_another, request_digest
from croupier.server.operations.operators import is_frozen
from croupier.server.operations.tickets import Admission, good_tokens, redeem_ticket
from croupier.server.problems import Problem
from croupier.server.running.service import Service
from croupier.server.transport import frames
from croupier.store.model import Reply

__all__ = ["ServiceActions"]


class ServiceActions:
    """The handlers of live frames, over a service."""

    def __init__(self, service: Service) -> None:
        self.service = service

    async def redeem(self, ticket: str) -> Admission:
        """Return whom a ticket lets in, and use it up."""
        return await self.service.change(redeem_ticket, ticket)

    async def good_tokens(self, hashes: frozenset[str]) -> frozenset[str]:
        """Return those of some tokens that are still good."""
        return await self.service.look(good_tokens, hashes)

    async def act(self, account_id: str, frame: frames.Act) -> frames.Done:
        """Take an action in a match."""
        return _unless_refused(await self._change(_act, account_id, frame))

    async def move(self, account_id: str, frame: frames.Move) -> frames.Done:
        """Take an action in a session."""
        return _unless_refused(await self._change(_move, account_id, frame))

    async def _change(
        self,
        op: Callable[[Context, str, Any], frames.Done | dice.DiceAnswer],
        account_id: str,
        frame: frames.Act | frames.Move,
    ) -> frames.Done | dice.DiceAnswer:
        try:
            return await self.service.change(op, account_id, frame)
        except Problem:
            if not is_shared(self.service.store):
                raise
            kept = await self.service.look(reply_of_another, account_id, frame.id, _digest(frame))
            if kept is None:
                raise
            return msgspec.json.decode(kept.body, type=frames.Done)

    async def dice(self, account_id: str, frame: frames.Dice) -> frames.Done:
        """Take a signed message. It is its own id: nonces and numbers see to it that nothing is taken twice."""
        message = bytes(frame.message)
        answer = await self.service.change(_dice, account_id, frame.match, message)
        return frames.Done(frame.id, answer.unless_refused().version)


def _act(call: Context, account_id: str, frame: frames.Act) -> frames.Done | dice.DiceAnswer:
    room = call.room(frame.match, lock=True)

    def do(caller: Caller) -> frames.Done | dice.DiceAnswer:
        if not room.dice:
            after = rooms.take_action(call, caller, room.id, frame.expected_version, frame.action)
            return frames.Done(frame.id, after.version)
        # No version is expected of a dice table: others' messages move it on all the time, and the rules decide.
        answer = dice.act_at_dice(call, caller, room.id, None, frame.action)
        return frames.Done(frame.id, answer.version) if answer.ok else answer

    return _once(call, account_id, frame, do)


def _move(call: Context, account_id: str, frame: frames.Move) -> frames.Done | dice.DiceAnswer:
    def do(caller: Caller) -> frames.Done:
        view = sessions.move(call, caller, frame.session, frame.expected_version, frame.action, None)
        return frames.Done(frame.id, view.version, view)

    return _once(call, account_id, frame, do)


def _dice(call: Context, account_id: str, room_id: str, message: bytes) -> dice.DiceAnswer:
    return dice.send_dice(call, _caller(call, account_id), room_id, message)


def _digest(frame: frames.Act | frames.Move) -> str:
    about = frame.match if isinstance(frame, frames.Act) else frame.session
    return request_digest(msgspec.json.encode((about, frame.expected_version, frame.action)))


def _once(
    call: Context,
    account_id: str,
    frame: frames.Act | frames.Move,
    do: Callable[[Caller], frames.Done | dice.DiceAnswer],
) -> frames.Done | dice.DiceAnswer:
    digest = _digest(frame)
    kept = kept_reply(call, account_id, frame.id, digest)
    if kept is not None:
        return msgspec.json.decode(kept.body, type=frames.Done)
    if is_frozen(call):
        raise Problem("frozen")
    done = do(_caller(call, account_id))
    if isinstance(done, frames.Done):
        call.tx.keep_reply(Reply(account_id, frame.id, digest, 200, msgspec.json.encode(done), call.now))
    return done


def _unless_refused(answer: frames.Done | dice.DiceAnswer) -> frames.Done:
    """Return the answer, or raise `Problem` for a table's no; what the table said before that stands."""
    if isinstance(answer, dice.DiceAnswer):
        raise Problem(answer.code, answer.error, version=answer.version)
    return answer


def _caller(call: Context, account_id: str) -> Caller:
    """Return who asks, as they are now: somebody may have been stopped since the connection was made."""
    account = call.tx.get_account(account_id)
    if account is None or account.closed_at:
        raise Problem("account_closed")
    return Caller(account)
