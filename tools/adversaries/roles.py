"""Cheats at a table of shared dice, one class a trick: each plays it as well as it can be played, else honestly.

A role knows its stage: what its side wants to fall, the secrets of its partners, and the bank's chain if the bank is
one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.fairness.dice import Contributor, DiceHost, Event, Reveal, encoding
from croupier.fairness.dice.contributor import Kept
from croupier.fairness.dice.host import Answer
from croupier.fairness.dice.messages import Ack, Close, Commit, Lock, Objection, Roll, key_bytes, signed, unhex
from croupier.fairness.dice.rounds import faces_of
from croupier.fairness.dice.table import Round
from tools.adversaries.network import Player, Sent

if TYPE_CHECKING:
    from tools.adversaries.simulation import Stage

NO_SIGNATURE = "00" * 64


def foresee(stage: Stage, on: Round, secrets: dict[str, bytes]) -> tuple[int, ...]:
    """Return the dice that these secrets give. Whoever lacks one of them works out something that will not fall."""
    seed = encoding.roll_seed(on.commit_set, encoding.xor(secrets.values()))
    return faces_of(stage.host.table, seed, on.lock.move_number)


class Role(Player):
    """A player with a stage."""

    def __init__(self, contributor: Contributor, stage: Stage) -> None:
        super().__init__(contributor)
        self.stage = stage

    def on(self) -> Round | None:
        """Return the round as this player's book has it."""
        return self.me.table.round


# Players.


class LastToOpen(Role):
    """Waits until everyone else has opened, works out the roll, and opens only if its side likes it.

    Partners share their secrets; if one is to withhold, one does and the others open.
    """

    late_ms: int | None = None
    """After how long it opens all the same; never if None."""

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        sent = list(super().hear(event, now))
        if isinstance(event, Lock):
            self.stage.holding.clear()
        held = [one for one in sent if isinstance(one.message, Reveal)]
        if held and self.me.kept:
            self.stage.holding[self.key] = self.me.kept
        sent = [one for one in sent if one not in held]
        on, holding = self.on(), self.stage.holding
        if on is None or on.phase != "reveal" or not isinstance(event, Reveal):
            return sent
        unopened = on.unopened(self.me.table.bank)
        if self.key not in unopened or not set(unopened) <= holding.keys():
            return sent
        opening = holding[self.key].reveal
        assert opening is not None
        partners = {key: kept.secret for key, kept in holding.items()}
        faces = foresee(self.stage, on, {**on.secrets, **partners, **self.stage.leaked(on)})
        if self.key != unopened[0] or self.stage.wants(faces):
            return [*sent, Sent(opening)]
        return sent if self.late_ms is None else [*sent, Sent(opening, self.late_ms)]


class LateOpener(LastToOpen):
    """Opens what it does not like after the deadline, and says the network was slow."""

    late_ms = 60_000


class Latecomer(Role):
    """Commits after the deadline, hoping to have seen something by then."""

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        return [Sent(one.message, 60_000 if isinstance(one.message, Commit) else 0) for one in super().hear(event, now)]


class Equivocator(Role):
    """Signs two commitments, to choose later which one to open."""

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        sent = list(super().hear(event, now))
        for message in [one.message for one in sent]:
            if isinstance(message, Commit):
                other = replace(message, nonce=message.nonce + 1, commitment=_flipped(message.commitment))
                sent.append(Sent(signed(self.me.signer, other, self.me.table.game_id)))
        return sent


class Replayer(Role):
    """Sends again what it has heard in earlier rounds, its own and others', and then plays on."""

    def __init__(self, contributor: Contributor, stage: Stage) -> None:
        super().__init__(contributor, stage)
        self.heard: list[Event] = []

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        sent = list(super().hear(event, now))
        if isinstance(event, (Commit, Ack, Reveal)):
            self.heard = [*self.heard[-7:], event]
        if isinstance(event, Lock):
            return [*(Sent(old) for old in self.heard), *sent]
        return sent


class EarlyOpener(Role):
    """Shows its secret together with its commitment, to see what others make of it."""

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        sent = list(super().hear(event, now))
        kept = self.me.kept
        if isinstance(event, Lock) and kept is not None:
            opening = Reveal(event.round, self.key, kept.commit.nonce, kept.secret.hex(), signature=NO_SIGNATURE)
            sent.append(Sent(opening))
        return sent


class Copier(Role):
    """Commits to what somebody else committed to, and echoes the secret: under a bare XOR both would cancel out."""

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        own = [one for one in super().hear(event, now) if not isinstance(one.message, (Commit, Reveal))]
        on, me = self.on(), self.me
        if on is None or self.key not in on.lock.roster:
            return own
        if isinstance(event, Commit) and event.key not in (self.key, me.table.bank) and self.key not in on.commits:
            nonce = me.table.seats[self.key].nonce + 1
            copy = Commit(event.round, self.key, nonce, event.context, event.commitment)
            own.append(Sent(signed(me.signer, copy, me.table.game_id)))
        if isinstance(event, Reveal) and event.key not in (self.key, me.table.bank) and self.key in on.commits:
            echo = Reveal(event.round, self.key, on.commits[self.key].nonce, event.secret)
            own.append(Sent(signed(me.signer, echo, me.table.game_id, commits=on.commit_set)))
        return own


class Forger(Role):
    """Sends messages in the name of others: a second commitment to frame them, an opening of its own making."""

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        sent = list(super().hear(event, now))
        if isinstance(event, (Commit, Ack, Reveal)) and event.key != self.key:
            field = {Commit: "commitment", Ack: "signature", Reveal: "secret"}[type(event)]
            sent.append(Sent(replace(event, **{field: _flipped(getattr(event, field))})))
        return sent


class Objector(Role):
    """Objects to every round although nothing is wrong with it, to get its bets back."""

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        sent, on = super().hear(event, now), self.on()
        if not isinstance(event, Lock) or on is None or self.key not in event.roster:
            return sent
        objection = Objection(event.round, self.key, "stakes_differ", None)
        return [Sent(signed(self.me.signer, objection, self.me.table.game_id, context=on.context))]


class Grinder(Role):
    """Tries secrets until one gives a roll that its side likes, if it and the bank are the only ones who add to it."""

    TRIES = 200

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Play the trick."""
        sent, on, kept = list(super().hear(event, now)), self.on(), self.me.kept
        if not isinstance(event, Lock) or on is None or kept is None:
            return sent
        for number in range(self.TRIES):
            secret = encoding.chain_link(kept.secret + bytes([number]))
            c = encoding.commitment(on.context, key_bytes(self.key), kept.commit.nonce, secret)
            commit = replace(kept.commit, commitment=c.hex())
            if self.stage.wants(self._alone(on, commit, secret)):
                commit = signed(self.me.signer, commit, self.me.table.game_id)
                self.me.kept = Kept(commit, secret)
                return [Sent(commit)]
        return sent

    def _alone(self, on: Round, commit: Commit, secret: bytes) -> tuple[int, ...]:
        """Return the roll that this secret and the bank's would give without anybody else's."""
        bank, chain = self.me.table.bank, self.stage.host.chain
        assert chain is not None
        value, nonce = chain.value(on.lock.round), self.me.table.bank_nonce + 1
        c = encoding.commitment(on.context, key_bytes(bank), nonce, value)
        committed = [(key_bytes(self.key), commit.nonce, unhex(commit.commitment)), (key_bytes(bank), nonce, c)]
        alone = replace(on, commit_set=encoding.commit_set(on.context, committed))
        return foresee(self.stage, alone, {self.key: secret, bank: value})


def _flipped(digits: str) -> str:
    """Return hex with its first digit changed."""
    return ("0" if digits[0] != "0" else "1") + digits[1:]


# Tables.


class _Crooked(DiceHost):
    """A host on a stage."""

    stage: Stage

    def foreseen(self, on: Round) -> tuple[int, ...]:
        """Return the roll, which the bank knows when all players have opened."""
        return foresee(self.stage, on, {**on.secrets, self.signer.key: self._value(on.lock.round)})


class SilentBank(_Crooked):
    """Does not open when it does not like the roll."""

    def _open(self, on: Round) -> Event | None:
        return super()._open(on) if self.stage.wants(self.foreseen(on)) else None


class HiddenBank(_Crooked):
    """At a table with hidden cards: says nothing about a roll that it does not like, which it alone knows."""

    def _next(self, on: Round, now: int) -> Event | None:
        due = super()._next(on, now)
        return None if isinstance(due, Roll) and not self.stage.wants(due.faces) else due


class OverlookingTable(_Crooked):
    """Overlooks the commitment of a partner's seat, and has the partner object when it does not like the roll.

    The partner's objection is written down as soon as the openings have shown the roll, and before them.
    """

    _kept: Commit | None = None

    def receive(self, message: Event | bytes, now: int, sender: str = "") -> Answer:
        """Play the trick."""
        on, partner = self.table.round, self.stage.players[-1]
        if on is not None and isinstance(message, Commit) and message.key == partner.key:
            self._kept = message
            return self.tick(now)
        if on is not None and isinstance(message, Objection):
            return self.tick(now)  # not yet
        if on is None or not isinstance(message, Reveal) or on.unopened(self.signer.key) != (message.key,):
            return super().receive(message, now, sender)
        shown = replace(on, secrets={**on.secrets, message.key: bytes.fromhex(message.secret)})
        if not self.stage.wants(self.foreseen(shown)):
            objection = Objection(on.lock.round, partner.key, "commit_dropped", self._kept)
            objection = signed(partner.me.signer, objection, self.table.game_id, context=on.context)
            answer = self._do([objection], now, sender)
            if answer.ok:
                return answer
        return super().receive(message, now, sender)

    def _next(self, on: Round, now: int) -> Event | None:
        others = {player.key for player in self.stage.players[:-1]} | {self.signer.key}
        if on.phase == "commit" and others <= on.commits.keys():
            return self._close(on)
        return super()._next(on, now)


class CensoringTable(_Crooked):
    """Hears nothing of what the player says who bets against it, once the bets are locked."""

    def receive(self, message: Event | bytes, now: int, sender: str = "") -> Answer:
        """Play the trick."""
        if self.table.round is not None and sender == self.stage.bettor:
            return self.tick(now)
        return super().receive(message, now, sender)


class TwoFacedTable(_Crooked):
    """Sends a second CLOSE when it does not like the roll that the first one leads to."""

    def _open(self, on: Round) -> Event | None:
        if self.stage.wants(self.foreseen(on)):
            return super()._open(on)
        fewer = on.standing()[:-1]
        return self._signed(Close(on.lock.round, fewer, encoding.ZERO.hex()))


class DroppingTable(_Crooked):
    """Overlooks the commitment of the player who bets against it, in the first attempt at every roll."""

    def receive(self, message: Event | bytes, now: int, sender: str = "") -> Answer:
        """Play the trick."""
        if isinstance(message, Commit) and not self.table.voids and message.key == self.stage.bettor:
            return self.tick(now)
        return super().receive(message, now, sender)


class FramingTable(_Crooked):
    """Overlooks the last opening when it does not like the roll, and blames the player."""

    def receive(self, message: Event | bytes, now: int, sender: str = "") -> Answer:
        """Play the trick."""
        on = self.table.round
        if isinstance(message, Reveal) and on is not None and on.unopened(self.signer.key) == (message.key,):
            secrets = {**on.secrets, message.key: bytes.fromhex(message.secret)}
            if not self.stage.wants(self.foreseen(replace(on, secrets=secrets))):
                return self.tick(now)
        return super().receive(message, now, sender)
