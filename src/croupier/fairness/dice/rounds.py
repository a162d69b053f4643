"""Messages of a round, in their order: LOCK, COMMIT, CLOSE, ACK, OPEN, REVEAL, ROLL."""

from __future__ import annotations

from hmac import compare_digest
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from croupier.fairness.dice import encoding
from croupier.fairness.dice.answers import Rolled, Step, refuse
from croupier.fairness.dice.chain import fits_chain
from croupier.fairness.dice.failures import second_commit, second_of_table
from croupier.fairness.dice.forfeits import table_at_fault
from croupier.fairness.dice.messages import (
    Ack,
    Close,
    Commit,
    Lock,
    Open,
    Reveal,
    Roll,
    check_signature,
    check_signed,
    key_bytes,
    stakes_bytes,
    stakes_of,
    to_sign,
    unhex,
)
from croupier.fairness.dice.table import CONTEXTS_MAX, VOIDS_MAX, DiceTable, Round
from croupier.fairness.signing import Verifier
from croupier.rng import MOVE_MAX, GameRng


def lock(table: DiceTable, message: Lock, verifier: Verifier) -> Step:
    """Begin a round: everyone who may contribute is in the roster, and all bonds cover what can be won."""
    on = table.round
    if on is not None and message.round == on.lock.round:
        return second_of_table(table, on.lock, message, verifier)
    if on is not None:
        refuse("round_on", f"round {on.lock.round} is not over")
    if message.round != table.round_number + 1:
        refuse("wrong_round", f"the next round is {table.round_number + 1}, not {message.round}")
    if message.round > table.terms.rounds_max:
        refuse("rounds_used_up", f"the terms allow {table.terms.rounds_max} rounds")
    if message.previous != table.transcript:
        refuse("wrong_transcript", "the round refers to another roll than the last one")
    if message.book != table.book.hex():
        refuse("wrong_book", "the round goes on from another book than this one")
    _check_stakes(table, message)
    players = table.players(message.hand, message.positions)
    if message.roster != table.roster(message.hand, message.positions):
        refuse("wrong_roster", "the roster is not everyone who may contribute, sorted by key")
    if len(players) < table.contributors_min:
        refuse("too_few_seats", f"{table.contributors_min} or more players must be able to contribute")
    _check_betting(table, message)
    _check_bonds(table, message, players)
    context = table.context_of(message)
    check_signed(verifier, table.terms.table_key, message, table.game_id, context=context)
    seats = {key: replace(seat, messages=0) if seat.messages else seat for key, seat in table.seats.items()}
    contexts = (*table.contexts, context.hex())[-CONTEXTS_MAX:]
    table = replace(table, seats=seats, contexts=contexts, positions=message.positions)
    return Step(replace(table, round=Round(message, context), round_number=message.round))


def _check_stakes(table: DiceTable, message: Lock) -> None:
    if message.digest != stakes_bytes(stakes_of(message), table.terms.session_id, table.book).hex():
        refuse("wrong_stakes", "the digest is not that of the stakes and the draw")
    if list(message.stakes) != sorted(message.stakes) or message.move_number > MOVE_MAX:
        refuse("wrong_stakes", "the stakes are not sorted, or the move number is out of bounds")
    keys = [place.key for place in message.positions]
    if keys != sorted(set(keys)) or not set(keys) <= table.seats.keys():
        refuse("wrong_stakes", "positions are one a seat, sorted by key")


def _check_betting(table: DiceTable, message: Lock) -> None:
    """Refuse a bet on dice that its owner does not contribute to; whoever was closed for cheating wanted it so."""
    if not table.terms.banked or table.terms.protocol == 1:
        return
    for place in message.positions:
        if place.key not in message.roster and table.seats[place.key].status != "closed":
            refuse("wrong_stakes", f"{place.key[:16]}… has bets on dice it has no part in")


def _check_bonds(table: DiceTable, message: Lock, players: tuple[str, ...]) -> None:
    cover, each = table.cover(message.positions)
    if table.table_bond < cover:
        refuse("bond_too_small", f"{cover} chips could be won, the table's bond is {table.table_bond}: limit the bets")
    for key in players:
        if table.seats[key].bond < each:
            refuse("bond_too_small", f"the bond of {key[:16]}… is {table.seats[key].bond}, this round needs {each}")


def commit(table: DiceTable, message: Commit, verifier: Verifier) -> Step:
    """Take a commitment, the first of each key; a second, different one is a proof."""
    on = table.round_on(message.round)
    key = message.key
    if key not in on.lock.roster:
        refuse("unknown_key", f"{key[:16]}… is not in the roster")
    if message.context != on.context.hex():
        refuse("wrong_context", "the commitment is for another table, round, roster or list of stakes")
    first = on.commits.get(key)
    if first is not None and (first.nonce, first.commitment) == (message.nonce, message.commitment):
        refuse("again", "this commitment is here already")
    check_signed(verifier, key, message, table.game_id)
    if first is not None:
        return second_commit(table, key)
    if on.phase != "commit":
        refuse("too_late", "commitments are closed")
    last = table.bank_nonce if key == table.bank else table.seats[key].nonce
    if message.nonce <= last:
        refuse("stale_nonce", f"nonce {message.nonce} is not above the last one, {last}")
    if key == table.bank:
        table = replace(table, bank_nonce=message.nonce)
    else:
        table = table.with_seat(key, replace(table.seats[key], nonce=message.nonce))
    return Step(replace(table, round=replace(on, commits={**on.commits, key: message})))


def close(table: DiceTable, message: Close, verifier: Verifier) -> Step:
    """Fix K. It holds every commitment that stands and no other: nobody is left out, nobody made up."""
    on = table.round_on(message.round)
    if on.close is not None:
        return second_of_table(table, on.close, message, verifier)
    if on.phase != "commit":
        refuse("round_void", "an objection was raised: the round is void")
    if message.commits != on.standing():
        refuse("close_differs", "the commitments are not those that stand, sorted by key")
    if not table.has_enough(on):
        refuse("too_few", "there are too few commitments to go on; the round is void")
    if missing := table.missing_bettors(on):
        refuse("commit_missing", f"{missing[0][:16]}… has a bet and no commitment; the round is void")
    commit_set = on.digest()
    if message.digest != commit_set.hex():
        refuse("close_differs", "the digest is not that of the commitments")
    check_signed(verifier, table.terms.table_key, message, table.game_id)
    seats, sat_out = table.count_misses(on)
    failure = "no_commit" if len(on.commits) < len(on.lock.roster) else ""
    phase: Literal["closed", "reveal"] = "reveal" if table.terms.protocol == 1 else "closed"
    on = replace(on, phase=phase, close=message, commit_set=commit_set)
    return Step(replace(table, seats=seats, round=on), sat_out=sat_out, failure=failure)


def ack(table: DiceTable, message: Ack, verifier: Verifier) -> Step:
    """Note that a seat of the roster has seen K and objects to nothing."""
    on = _closed(table, message.round)
    if message.key not in on.lock.roster or message.key == table.bank:
        refuse("unknown_key", f"{message.key[:16]}… is not in the roster")
    if message.key in on.acks:
        refuse("again", "this seat has said so already")
    check_signed(verifier, message.key, message, table.game_id, commits=on.commit_set)
    return Step(replace(table, round=replace(on, acks=on.acks | {message.key})))


def open_round(table: DiceTable, message: Open, verifier: Verifier) -> Step:
    """End the time for objections, and begin that for openings: no secret is out while a round can be void for free.

    When OPEN is due, by everybody's ACK or by the clock, is for host and players to know: the machine has no clock.
    """
    on = _closed(table, message.round)
    check_signed(verifier, table.terms.table_key, message, table.game_id, commits=on.commit_set)
    return Step(replace(table, round=replace(on, phase="reveal")))


def _closed(table: DiceTable, number: int) -> Round:
    """Return the round that is on, if it is between CLOSE and OPEN."""
    on = table.round_on(number)
    if on.phase == "objected":
        refuse("round_void", "an objection was raised: the round is void")
    if on.phase == "commit":
        refuse("too_early", "the commitments are not closed yet")
    if on.phase != "closed":
        refuse("again", "the round is open already")
    return on


def opens(context: bytes, commit: Commit, nonce: int, secret: bytes) -> bool:
    """Tell whether a secret is the one that was committed to."""
    found = encoding.commitment(context, key_bytes(commit.key), nonce, secret)
    return nonce == commit.nonce and compare_digest(found, unhex(commit.commitment))


class EntropyContribution(Struct, frozen=True):
    """Contribution of one player to a roll: 32 secret bytes, a nonce that is never used again, and a signature.

    It is a REVEAL of the protocol in other words, and worth nothing without the COMMIT before it.
    """

    player: str
    """The public key, in hex."""
    entropy: bytes
    nonce: int
    signature: bytes

    @classmethod
    def of(cls, reveal: Reveal) -> EntropyContribution:
        """Return what a REVEAL contributes."""
        return cls(reveal.key, unhex(reveal.secret), reveal.nonce, bytes.fromhex(reveal.signature))

    def opens(self, commit: Commit) -> bool:
        """Tell whether these are the bytes that were committed to."""
        return self.player == commit.key and opens(unhex(commit.context), commit, self.nonce, self.entropy)

    def is_signed(self, commits: bytes, verifier: Verifier) -> bool:
        """Tell whether the player signed this for the round with these commitments (K)."""
        message = to_sign(Reveal(0, self.player, self.nonce, self.entropy.hex()), b"", commits=commits)
        return verifier.verify(key_bytes(self.player), message, self.signature)


def reveal(table: DiceTable, message: Reveal, verifier: Verifier) -> Step:
    """Take an opening: after OPEN, of a commitment in K, the bank's last."""
    if table.sealed and message.key == table.bank and message.round == table.sealed[-1].lock.round:
        return _unseal(table, message, verifier)
    on = table.round_on(message.round)
    first = on.commits.get(message.key)
    if first is None:
        refuse("unknown_key", f"{message.key[:16]}… has not committed in this round")
    secret = unhex(message.secret)
    if on.phase == "objected":
        refuse("round_void", "an objection was raised: the round is void")
    if message.key in on.out:
        refuse("taken_out", "the commitment was taken out of this round")
    if on.secrets.get(message.key) == secret:
        refuse("again", "this secret is here already")
    if not opens(on.context, first, message.nonce, secret):
        refuse("wrong_secret", "the secret does not hash to the commitment")
    if on.phase == "commit":
        # Signed or not, the secret is out, and a commitment to it hides nothing any more.
        return Step(replace(table, round=replace(on, out=on.out | {message.key})), failure="early_reveal")
    if on.phase == "closed":
        refuse("too_early", "secrets are opened after OPEN")
    if message.key == table.bank:
        _check_turn(table, on)
    check_signed(verifier, message.key, message, table.game_id, commits=on.commit_set)
    if message.key == table.bank and not _fits(table, message.round, secret):
        return table_at_fault(table, "bank_misfit")
    on = replace(on, secrets={**on.secrets, message.key: secret})
    players_opened = not on.unopened(table.bank)
    if players_opened and table.terms.hidden:
        on = replace(on, phase="opened")
    elif players_opened and len(on.secrets) == len(on.standing()):
        on = replace(on, phase="opened", seed=encoding.roll_seed(on.commit_set, encoding.xor(on.secrets.values())))
    return Step(replace(table, round=on))


def _check_turn(table: DiceTable, on: Round) -> None:
    if table.terms.hidden:
        refuse("bank_sealed", "the bank opens its chain when the match is over")
    if on.unopened(table.bank):
        refuse("bank_not_last", "the bank opens when all players have opened")


def _fits(table: DiceTable, number: int, value: bytes) -> bool:
    return fits_chain(value, number - table.opened_round, table.opened_value)


def faces_of(table: DiceTable, seed: bytes, move_number: int) -> tuple[int, ...]:
    """Return the dice that a seed shows: the first of the stream of its move."""
    rng = GameRng.new(seed, table.terms.session_id, move_number)
    return tuple([rng.roll_die() for _ in range(table.terms.dice)])


def roll(table: DiceTable, message: Roll, verifier: Verifier) -> Step:
    """Take note of the table's word for what fell, if it is what fell."""
    on = table.round_on(message.round)
    if on.phase != "opened":
        refuse("not_opened", "there are no dice before every commitment is opened")
    signed = to_sign(message, table.game_id, commits=on.commit_set)
    if on.seed:
        faces = faces_of(table, on.seed, on.lock.move_number)
        transcript = transcript_of(on.commit_set, on.secrets, faces)
        if (message.faces, message.transcript) != (faces, transcript):
            refuse("roll_differs", f"the secrets give {faces} and {transcript[:16]}…, the table says {message.faces}")
    elif len(message.faces) != table.terms.dice:
        refuse("roll_differs", f"a roll shows {table.terms.dice} dice")
    check_signature(verifier, table.terms.table_key, signed, message.signature)
    after = replace(table, round=None, voids=0, transcript=message.transcript)
    if not on.seed:
        after = replace(after, sealed=(*table.sealed, replace(on, roll=message)))
    elif table.bank:
        after = replace(after, opened_round=message.round, opened_value=on.secrets[table.bank])
    rolled = Rolled(message.round, on.lock.move_number, on.seed, message.faces, message.transcript)
    return Step(after, rolled=(rolled,))


def transcript_of(commit_set: bytes, secrets: dict[str, bytes], faces: tuple[int, ...]) -> str:
    """Return T of a roll, in hex."""
    opened = [(key_bytes(key), secret) for key, secret in secrets.items()]
    return encoding.roll_transcript(commit_set, opened, faces).hex()


def _unseal(table: DiceTable, message: Reveal, verifier: Verifier) -> Step:
    """Open the chain after a match with hidden cards: the last value gives all before it; every round is checked."""
    value, last = unhex(message.secret), table.sealed[-1]
    if table.round is not None and table.voids < VOIDS_MAX - 1:
        refuse("round_on", "the bank opens its chain when no round is on, or when the next void one ends the table")
    if not opens(last.context, last.commits[table.bank], message.nonce, value):
        refuse("wrong_secret", "the value does not hash to the commitment")
    check_signed(verifier, message.key, message, table.game_id, commits=last.commit_set)
    rolled = _open_back(table, value) if _fits(table, message.round, value) else None
    if rolled is None:
        return table_at_fault(table, "bank_misfit")
    return Step(replace(table, sealed=(), opened_round=message.round, opened_value=value), rolled=rolled)


def _open_back(table: DiceTable, value: bytes) -> tuple[Rolled, ...] | None:
    """Return all sealed rounds with their seeds, or None if one of them was not what the table said it was."""
    found, number = [], table.sealed[-1].lock.round
    for one in reversed(table.sealed):
        roll, commit, move_number = one.roll, one.commits[table.bank], one.lock.move_number
        assert roll is not None
        while number > roll.round:
            value, number = encoding.chain_link(value), number - 1
        secrets = {**one.secrets, table.bank: value}
        seed = encoding.roll_seed(one.commit_set, encoding.xor(secrets.values()))
        fair = roll.faces == faces_of(table, seed, move_number)
        fair = fair and roll.transcript == transcript_of(one.commit_set, secrets, roll.faces)
        if not fair or not opens(one.context, commit, commit.nonce, value):
            return None
        found.append(Rolled(roll.round, move_number, seed, roll.faces, roll.transcript))
    return tuple(reversed(found))
