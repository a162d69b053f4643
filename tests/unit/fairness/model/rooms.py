"""Rooms of several seats: the seed from everybody's client seed (scheme 1), and from secrets committed to (scheme 2).

The coalition's event is face 0, one in four. Seats of the coalition speak after all others wherever the protocol does
not say who speaks first, and new accounts are free: a seat that lost its place may be taken by a friend.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product
from typing import NamedTuple

from tests.unit.fairness.model.hashing import Message, join
from tests.unit.fairness.model.match import NOTHING, SESSION, commitment_1, commitment_2, seed_1
from tests.unit.fairness.model.search import Game, Play

TABLE = 2


def seat_name(number: int) -> str:
    """Return what a seat is called in a coalition."""
    return f"seat {number}"


def honest_first(game: Game, seats: Iterable[int]) -> list[int]:
    """Return seats in the order that suits the coalition: its own see what all others send."""
    return sorted(seats, key=lambda seat: seat_name(seat) in game.coalition)


def room_1(
    seats: int, *, bots: int = 0, maker_first: bool = True, checks: Collection[str] = ("client seed",), tries: int = 3
) -> Play:
    """Return a room of scheme 1; the maker's client seed comes with the request that makes the room, or later.

    Who checks the client seed finds their own in the record; the host may show any other to who does not.
    """

    def play(game: Game) -> int:
        clients = [NOTHING] * (seats + bots)

        def name(seat: int) -> None:
            owner = seat_name(seat)
            clients[seat] = game.choose(owner, [game.secret(owner, f"client seed {number}") for number in range(tries)])
            game.publish(clients[seat])

        if maker_first:
            name(0)
        server = game.choose("host", [game.secret("host", f"server seed {number}") for number in range(tries)])
        game.publish(commitment_1(game, server, SESSION))
        for seat in honest_first(game, range(1 if maker_first else 0, seats)):
            name(seat)
        others = [] if "client seed" in checks else [(number,) for number in range(tries)]
        clients[0] = game.choose("host", [clients[0], *others])
        together = join(*(part for seat, client in enumerate(clients) for part in ((seat,), client)))
        return game.dice(seed_1(game, server, game.digest(together), SESSION, TABLE)) == 0

    return play


def seat_commitment(game: Game, commitment: Message, seat: int, secret: Message) -> Message:
    """Return c: H(tag, commitment, seat, player id, secret)."""
    return game.digest((*join((1, 0), commitment), seat, *join((seat,), secret)))


def room_digest(game: Game, commitment: Message, shown: Iterable[Opening]) -> Message:
    """Return K: the hash of all that was fixed before the first opening."""
    parts = [part for seat, opening in enumerate(shown) for part in ((seat,), opening.commit)]
    return game.digest((*join((1, 1), commitment, (TABLE,)), SESSION, *join(*parts)))


class Opening(NamedTuple):
    """A seat's commitment, and its secret or nothing."""

    commit: Message
    secret: Message


def room_2(
    seats: int,
    *,
    beneficiary: str = "host",
    is_strict: bool = True,
    host_loses: bool = True,
    checks: Collection[str] = ("secret", "digest"),
    tries: int = 1,
) -> Play:
    """Return a room of scheme 2.

    Of two seats, one that does not open has lost the match, which is not played. Of more, any that does not open makes
    the start void, and new accounts take the places for the second start; a second void start closes the room. Where
    it is not `is_strict`, a single seat that does not open has left instead, and the others play on. A host that
    `host_loses` may say of any opening that it never came. Of the record, players check that their own seat has their
    own secret, and that K is the one they kept.
    """

    def play(game: Game) -> int:
        for start in range(2):
            server = game.choose("host", [game.secret("host", f"{start} {number}") for number in range(tries)])
            commitment = commitment_2(game, server, SESSION + start, account=3, n=0)
            game.publish(commitment)
            real = _ready_and_open(game, start, commitment)
            missing = [seat_name(seat) for seat in range(seats) if real[seat].secret == NOTHING]
            if missing and seats == 2:
                return 0
            if not missing or (len(missing) == 1 and not is_strict):
                shown = game.choose("host", _records(game, start, commitment, real))
                fixed = room_digest(game, commitment, shown)
                seed = game.hmac(server, join((1, 2), fixed, *(opening.secret for opening in shown)))
                return beneficiary not in missing and game.dice(seed) == 0
        return 0

    def _ready_and_open(game: Game, start: int, commitment: Message) -> tuple[Opening, ...]:
        commits, opened = [NOTHING] * seats, [NOTHING] * seats
        for seat in honest_first(game, range(seats)):
            own = [seat_commitment(game, commitment, seat, secret) for secret in _secrets(game, start, seat)]
            copies = [commit for commit in commits if commit != NOTHING]
            commits[seat] = game.choose(seat_name(seat), own + copies)
            game.publish(commits[seat])
        for seat in honest_first(game, range(seats)):
            known = [*_secrets(game, start, seat), *(secret for secret in opened if secret != NOTHING)]
            fits = [secret for secret in known if seat_commitment(game, commitment, seat, secret) == commits[seat]]
            opened[seat] = game.choose(seat_name(seat), [*fits, NOTHING])
            game.publish(opened[seat])
        for seat in range(seats):
            if host_loses and opened[seat] != NOTHING:
                opened[seat] = game.choose("host", [opened[seat], NOTHING])
        return tuple(map(Opening, commits, opened))

    def _secrets(game: Game, start: int, seat: int) -> list[Message]:
        return [game.secret(seat_name(seat), f"{start} {number}") for number in range(tries)]

    def _records(game: Game, start: int, commitment: Message, real: tuple[Opening, ...]) -> list[tuple[Opening, ...]]:
        """Return what the host may show so that no honest seat objects; what was first, and all that opens."""
        choices = []
        for seat, opening in enumerate(real):
            is_friend = seat_name(seat) in game.coalition
            secrets = _secrets(game, start, seat) if is_friend else [] if "secret" in checks else [(seat, 0, 0, 0)]
            others = [Opening(seat_commitment(game, commitment, seat, secret), secret) for secret in secrets]
            choices.append([opening, *(other for other in others if opening.secret not in (NOTHING, other.secret))])
        kept = room_digest(game, commitment, real)
        shown = product(*choices)
        return [one for one in shown if "digest" not in checks or room_digest(game, commitment, one) == kept]

    return play
