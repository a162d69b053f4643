"""The state of a table of shared dice: frozen, without a clock, the same for host, players and any auditor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from croupier.fairness.dice import encoding
from croupier.fairness.dice.answers import refuse
from croupier.fairness.dice.messages import (
    CHIPS_MAX,
    Close,
    Commit,
    Lock,
    Position,
    Roll,
    key_bytes,
    unhex,
)
from croupier.fairness.dice.terms import Terms, check_terms, game_id_of

MISSES_MAX = 3  # commits missed in a row: the third sits the seat out
VOIDS_MAX = 3  # void rounds in a row close the table
CONTEXTS_MAX = 16  # rounds for which a proof of two COMMITs is still heard
MESSAGES_MAX = 1024  # joins and bets of one key between two rounds: what bounds the transcript of a round

Status = Literal["in", "out", "closed", "left"]


class Seat(Struct, frozen=True):
    """One key at the table. It is remembered after it has left: its counters guard against replays."""

    bond: int = 0
    status: Status = "in"
    nonce: int = -1
    """Of the last COMMIT."""
    seq: int = -1
    """Of the last JOIN, LEAVE or BET."""
    misses: int = 0
    barred: int = -1
    """The hand in which it contributes no more."""
    messages: int = 0


class Round(Struct, frozen=True):
    """A round that is on."""

    lock: Lock
    context: bytes
    phase: Literal["commit", "closed", "reveal", "opened", "objected"] = "commit"
    """`closed` after CLOSE, `reveal` after OPEN, `opened` when all have opened; `objected` instead of either."""
    commits: dict[str, Commit] = {}
    """The first COMMIT of each key."""
    out: frozenset[str] = frozenset()
    """Keys whose commitment was taken out: spoiled, or sent twice in different forms."""
    close: Close | None = None
    commit_set: bytes = b""
    acks: frozenset[str] = frozenset()
    """Seats that object to nothing."""
    secrets: dict[str, bytes] = {}
    """Secrets opened so far, by key."""
    seed: bytes = b""
    roll: Roll | None = None
    """The table's word for what fell, in a round of hidden cards that waits for the bank to open."""

    def standing(self) -> tuple[Commit, ...]:
        """Return the commitments that count, sorted by key."""
        return tuple(self.commits[key] for key in sorted(self.commits) if key not in self.out)

    def digest(self) -> bytes:
        """Return K, over the commitments that count."""
        committed = [(key_bytes(one.key), one.nonce, unhex(one.commitment)) for one in self.standing()]
        return encoding.commit_set(self.context, committed)

    def unopened(self, bank: str) -> tuple[str, ...]:
        """Return the players in K who have not opened."""
        return tuple(commit.key for commit in self.standing() if commit.key not in self.secrets and commit.key != bank)


class DiceTable(Struct, frozen=True):
    """Everything that the events so far have made of a table."""

    terms: Terms
    game_id: bytes
    table_bond: int
    opened_value: bytes
    """The last value of the bank's chain that was opened, and the round it belongs to."""
    opened_round: int = 0
    seats: dict[str, Seat] = {}
    round: Round | None = None
    round_number: int = 0
    transcript: str = encoding.ZERO.hex()
    book: bytes = encoding.ZERO
    """The digest of all events so far."""
    bank_nonce: int = -1
    voids: int = 0
    """In a row."""
    contexts: tuple[str, ...] = ()
    sealed: tuple[Round, ...] = ()
    """Rounds of a match with hidden cards that were rolled, and wait for the bank to open."""
    positions: tuple[Position, ...] = ()
    """Of the last LOCK."""
    paid_in: int = 0
    paid_out: int = 0
    unclaimed: int = 0
    """Forfeits that nobody was there to receive. They are never the table's."""
    closed: str = ""

    @property
    def bank(self) -> str:
        """The key that contributes for the bank, or nothing."""
        return self.terms.table_key if self.terms.banked else ""

    @property
    def contributors_min(self) -> int:
        """Least number of players who must contribute: two, or one and the bank."""
        return 1 if self.terms.banked else 2

    def players(self, hand: int, positions: Iterable[Position] = ()) -> tuple[str, ...]:
        """Return the keys of the players who may contribute in a hand, sorted.

        A seat without a bet whose bond does not cover the round is passed over. One with a bet never is: whoever has
        chips at risk can rely on its own secret, so the round waits until its bond is large enough.
        """
        places = tuple(positions)
        _, each = self.cover(places)
        betting = {place.key for place in places}
        return tuple(
            key
            for key in sorted(self.seats)
            if (seat := self.seats[key]).status == "in"
            and seat.barred != hand
            and (seat.bond >= each or key in betting)
        )

    def roster(self, hand: int, positions: Iterable[Position] = ()) -> tuple[str, ...]:
        """Return everyone who may contribute in a hand, the bank included, sorted."""
        return tuple(sorted((*self.players(hand, positions), *filter(None, [self.bank]))))

    def cover(self, positions: Iterable[Position]) -> tuple[int, int]:
        """Return what the bonds of the table and of each contributor must hold before these bets can be locked."""
        places = tuple(positions)
        win = sum(place.win_max for place in places)
        full = win + sum(place.stake for place in places)
        if not self.terms.banked:
            return 0, full
        return win, self.terms.fee

    def cover_left(self, positions: Iterable[Position]) -> int:
        """Return how much more the bonds would cover; below 0 if one falls short.

        Of a new bet the bank's bond covers the profit; where there is none, all bonds cover stake and profit.
        """
        places = tuple(positions)
        table, player = self.cover(places)
        spare = [self.table_bond - table] if self.terms.banked else []
        if not self.terms.banked:
            seats = [self.seats.get(place.key, Seat()) for place in places]
            spare += [seat.bond - player for seat in seats if seat.status == "in"]
        return min(spare, default=CHIPS_MAX)

    def context_of(self, lock: Lock) -> bytes:
        """Return C of a round, from its LOCK."""
        roster = encoding.roster_digest(map(key_bytes, lock.roster))
        return encoding.context(self.game_id, lock.round, unhex(lock.previous), unhex(lock.digest), roster)

    def has_enough(self, on: Round) -> bool:
        """Tell whether the commitments that stand can make a roll: two players, or one and the bank."""
        standing = [commit.key for commit in on.standing()]
        return len(standing) >= 2 and (not self.bank or self.bank in standing)

    def missing_bettors(self, on: Round) -> tuple[str, ...]:
        """Return the seats with a bet on the round and no commitment in it, sorted.

        No bet is decided by dice that its owner had no part in: whoever makes them alone could choose them. So the
        round does not go on without these. A seat that was closed for cheating has lost its say.
        """
        if not self.terms.banked or self.terms.protocol == 1:
            return ()
        standing = {commit.key for commit in on.standing()}
        betting = [place.key for place in on.lock.positions if place.key not in standing]
        return tuple(key for key in betting if key in on.lock.roster and self.seats[key].status == "in")

    def barred(self, keys: Iterable[str], hand: int) -> dict[str, Seat]:
        """Return the seats with some of them sitting out the rest of a hand."""
        return {**self.seats, **{key: replace(self.seats[key], barred=hand) for key in keys}}

    def count_misses(self, on: Round) -> tuple[dict[str, Seat], tuple[str, ...]]:
        """Return the seats after the commits were counted, and who sits out: whoever missed three in a row."""
        seats, sat_out = dict(self.seats), []
        for key in on.lock.roster:
            if key == self.bank or seats[key].status != "in":
                continue
            misses = 0 if key in on.commits else seats[key].misses + 1
            if misses >= MISSES_MAX:
                sat_out.append(key)
                seats[key] = replace(seats[key], misses=0, status="out")
            elif misses != seats[key].misses:
                seats[key] = replace(seats[key], misses=misses)
        return seats, tuple(sat_out)

    def chips(self) -> int:
        """Return all chips the table holds: bonds, and what is unclaimed."""
        return self.table_bond + self.unclaimed + sum(seat.bond for seat in self.seats.values())

    def round_on(self, number: int) -> Round:
        """Return the round that is on, or refuse if it is another one."""
        if self.round is None or number != self.round.lock.round:
            refuse("wrong_round", f"round {number} is not on")
        return self.round

    def with_seat(self, key: str, seat: Seat) -> DiceTable:
        """Return the table with another record of one key."""
        return replace(self, seats={**self.seats, key: seat})


@lru_cache(maxsize=64)
def open_table(terms: Terms) -> DiceTable:
    """Return a table before anybody has sat down, or raise `BadOptions`."""
    checked = check_terms(terms)
    end = bytes.fromhex(checked.chain_end) if checked.banked else b""
    bond = checked.table_bond
    return DiceTable(checked, game_id_of(checked), bond, end, paid_in=bond)
