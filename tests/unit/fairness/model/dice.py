"""Shared dice: commit and reveal with bonds (protocols 1 and 2), and the hand that a closing table breaks off.

Seat 0 bets a chip against the table that a roll shows face 0, which happens one time in six and pays 5 to 1: a fair
bet, worth nothing to anybody who cannot steer. What a coalition gets is the chips it takes home: bets, and bonds that
are forfeited. A void round is rolled again with the bets standing; the third in a row closes the table. ACK is left
out: it only shortens the wait for OPEN.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import NamedTuple

from tests.unit.fairness.model.hashing import Message, join, xor
from tests.unit.fairness.model.match import NOTHING
from tests.unit.fairness.model.rooms import honest_first, seat_name
from tests.unit.fairness.model.search import Game, Play

STAKE, WIN = 1, 5
ROUNDS = 3
BETTOR = 0


class Rules(NamedTuple):
    """The rules that a table plays by."""

    objections_end_with_open: bool
    """Protocol 2: the table's OPEN ends objections, and nobody opens a secret before it."""
    bets_need_commitments: bool
    """Protocol 2: a round in which whoever has a bet did not commit is void."""
    absent_are_bought_out: bool
    """Protocol 2: who objects or sends nothing sits out the hand, and its bet is paid at its value."""
    fee_to_others: bool = True
    """Whether the fee of who does not open goes to the seats that did; to nobody in protocol 2."""
    table_pays: bool = True
    """Whether an opening that is missing costs the table what the roll could have cost it."""
    fee: int = 1


PROTOCOL_1 = Rules(False, False, False)
PROTOCOL_2 = Rules(True, True, True, fee_to_others=False)


class Table:
    """One table in one run: who sits there, and who has won and lost how much."""

    def __init__(self, game: Game, rules: Rules, seats: int, tries: int) -> None:
        self.game, self.rules, self.tries = game, rules, tries
        self.seated = set(range(seats))
        self.chips: dict[str, Fraction] = defaultdict(Fraction)
        self.is_over = False
        self.bank = [game.secret("table", f"secret {number}") for number in range(ROUNDS)]
        for secret in self.bank:  # the chain whose end stands in the terms fixes all of them
            game.publish(game.digest(join((2, 0), secret)))

    def round(self, number: int) -> None:
        """Play one round: decided, void, or the end of the table."""
        context = self.game.digest((*join((2, 1)), number))
        secrets, commits = self._commit(context, number)
        if self._object(self.seated):  # they say that they see other stakes
            return
        heard = self._close(commits)
        overlooked = set(commits) - heard
        # Messages are in the order that the table writes them down in: it can go on before it hears an objection.
        is_heard = not overlooked or self.game.choose("table", [True, False])
        if (is_heard and self._object(overlooked, is_wronged=True)) or self._has_too_few(heard):
            return
        fixed = self.game.digest(join((2, 2), context, *(commits[seat] for seat in sorted(heard))))
        opened = self._reveal(secrets, [seat for seat in heard if not self._is_friend(seat)])
        is_late = not self.rules.objections_end_with_open and "table" in self.game.coalition
        if is_late and self._object(overlooked):  # booked before the openings that the table has in hand
            return
        opened |= self._reveal(secrets, [seat for seat in heard if self._is_friend(seat)])
        opened -= self.game.choose("table", [set(), *({seat} for seat in sorted(opened))])  # openings that got lost
        if opened != heard:
            self._missing(heard - opened, opened)
        elif self.game.choose("table", ["open", "silent"]) == "silent":
            self._pay("table", seat_name(BETTOR), WIN)
            self.is_over = True
        else:
            self._settle(fixed, [*(secrets[seat] for seat in sorted(heard)), self.bank[number]])

    def _is_friend(self, seat: int) -> bool:
        return seat_name(seat) in self.game.coalition

    def _commit(self, context: Message, number: int) -> tuple[dict[int, Message], dict[int, Message]]:
        secrets, commits = {}, {}
        for seat in honest_first(self.game, self.seated):
            tried = [self.game.secret(seat_name(seat), f"secret {number} {trial}") for trial in range(self.tries)]
            secrets[seat] = self.game.choose(seat_name(seat), [*tried, NOTHING])
            if secrets[seat] != NOTHING:
                commits[seat] = self.game.digest(join((2, 3), context, (seat,), secrets[seat]))
                self.game.publish(commits[seat])
        self.game.publish(self.game.digest(join((2, 3), context, (3,), self.bank[number])))
        return secrets, commits

    def _object(self, seats: Iterable[int], *, is_wronged: bool = False) -> bool:
        """Let seats object, which makes the round void; an honest one does so when it is wronged."""
        for seat in sorted(seats):
            honest = "object" if is_wronged else "nothing"
            if self.game.choose(seat_name(seat), ["nothing", "object"], honest) == "object":
                self._sit_out(seat, is_barred=self.rules.absent_are_bought_out)
                return True
        return False

    def _has_too_few(self, heard: set[int]) -> bool:
        """Tell whether the round is void for want of commitments; in protocol 2 a bet needs that of its owner."""
        if self.rules.bets_need_commitments and BETTOR not in heard:
            self._sit_out(BETTOR)
            return True
        return not heard

    def _close(self, commits: dict[int, Message]) -> set[int]:
        """Return whose commitments the table puts into K: all, if it is honest."""
        seats = sorted(commits)
        subsets = [set(some) for size in reversed(range(len(seats) + 1)) for some in combinations(seats, size)]
        return self.game.choose("table", subsets)

    def _reveal(self, secrets: dict[int, Message], seats: Iterable[int]) -> set[int]:
        opened = {seat for seat in sorted(seats) if self.game.choose(seat_name(seat), [True, False])}
        self.game.publish(*(secrets[seat] for seat in opened))
        return opened

    def _missing(self, missing: set[int], opened: set[int]) -> None:
        for seat in missing:
            self.chips[seat_name(seat)] -= self.rules.fee
            for other in opened if self.rules.fee_to_others else ():
                self.chips[seat_name(other)] += Fraction(self.rules.fee, len(opened))
            self._sit_out(seat)
        if self.rules.table_pays:
            self.chips["table"] -= WIN

    def _sit_out(self, seat: int, *, is_barred: bool = True) -> None:
        if is_barred:
            self.seated.discard(seat)
        if self.rules.absent_are_bought_out and seat == BETTOR:
            self.is_over = True  # the bet is fair: worth the stake, which is given back

    def _settle(self, fixed: Message, secrets: Iterable[Message]) -> None:
        mixed = reduce(lambda first, second: tuple(map(xor, first, second)), secrets)
        has_won = self.game.dice(self.game.digest(join((2, 4), fixed, mixed))) == 0
        self._pay("table", seat_name(BETTOR), WIN if has_won else -STAKE)
        self.is_over = True

    def _pay(self, source: str, target: str, chips: int) -> None:
        self.chips[source] -= chips
        self.chips[target] += chips


def shared_dice(rules: Rules, seats: int = 2, *, rounds: int = ROUNDS, tries: int = 1) -> Play:
    """Return a table of shared dice, until the bet is decided, or bought out, or given back.

    `tries` is how many secrets a seat of the coalition has to choose from.
    """

    def play(game: Game) -> Fraction | int:
        table = Table(game, rules, seats, tries)
        for number in range(rounds):
            table.round(number)
            if table.is_over or not table.seated:
                break
        return sum((table.chips[party] for party in game.coalition), Fraction(0))

    return play


WAYS = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
"""The ways to roll each point, of 36; a seven has six."""


def hand(bet: str, closing: str) -> Play:
    """Return a hand of craps with a chip on `pass` or `dont_pass`, at a table that anybody can bring to close.

    Three objections close it, and so does the host when it likes. Undecided bets are then paid at `face` or at `value`.
    """
    sign = 1 if bet == "pass" else -1
    win, lose, push = (8, 4, 0) if bet == "pass" else (3, 8, 1)

    def play(game: Game) -> Fraction | int:
        profit = _profit(game)
        return -profit if "table" in game.coalition else profit

    def _profit(game: Game) -> Fraction | int:
        come_out = game.roll("come-out roll", [Fraction(ways, 36) for ways in (win, lose, push, *WAYS.values())])
        if come_out < 3:
            return (1, -1, 0)[come_out]
        ways = list(WAYS.values())[come_out - 3]
        made = Fraction(ways, ways + 6)
        for party in ("seat 0", "seat 1", "table"):
            if game.choose(party, ["play on", "close"]) == "close":
                return sign * (2 * made - 1) if closing == "value" else 0
        return sign * (1, -1)[game.roll("point or seven", [made, 1 - made])]

    return play
