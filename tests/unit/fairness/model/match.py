"""Matches of one player against a host: schemes 1 and 2, run by `search` and over every secret of the small hash.

The player's event is that the seed shows the face it bet on; the host's is face 0. Both are one in four.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from tests.unit.fairness.model.hashing import BYTES, SECRET, Hash, Message, Table, join
from tests.unit.fairness.model.search import Game, Play

SESSION, TABLE = 1, 2
NOTHING: Message = ()


@cache
def strings(longest: int) -> list[Message]:
    """Return every text that anybody can write, up to a length."""
    return [text for length in range(longest + 1) for text in product(range(BYTES), repeat=length)]


def commitment_1(h: Hash, server: Message, session: int) -> Message:
    """Return H(server_seed)."""
    return h.digest(server)


def seed_1(h: Hash, server: Message, client: Message, session: int, table: int) -> Message:
    """Return H(server_seed ‖ client_seed ‖ 00 ‖ "match/<session id>")."""
    return h.digest((*server, *client, 0, 3, session))


def commitment_2(h: Hash, server: Message, session: int, account: int = 2, n: int = 1) -> Message:
    """Return H(tag, host_key, account, n, session_id, log_head, server_seed), lengths before everything."""
    return h.digest((*join((0, 1), (1,), (account,)), n, session, *join((3,), server)))


def seed_2(h: Hash, server: Message, client: Message, session: int, table: int) -> Message:
    """Return HMAC(server_seed, tag, commitment, client_seed, session_id, table_digest)."""
    head = join((0, 2), commitment_2(h, server, session), client)
    return h.hmac(server, (*head, session, *join((table,))))


class Scheme(NamedTuple):
    """The two formulas of a scheme."""

    commitment: Callable[[Hash, Message, int], Message]
    seed: Callable[[Hash, Message, Message, int, int], Message]


SCHEME_1 = Scheme(commitment_1, seed_1)
SCHEME_2 = Scheme(commitment_2, seed_2)

OLD_CHECKS = frozenset({"opened", "mine", "asked"})
"""Before scheme 2: a commitment that is shown is mine and opens; session and table are those I asked for."""
ALL_CHECKS = OLD_CHECKS | {"present", "client seed", "no seeds"}


class Record(NamedTuple):
    """The record that the host shows after the match. Without a commitment the seed is whatever the host says."""

    commitment: Message | None
    server: Message
    client: Message
    session: int
    table: int
    has_seeds: bool
    """Whether moves have seeds of their own beside the commitment."""


def match(
    scheme: Scheme,
    checks: Collection[str] = ALL_CHECKS,
    *,
    tries: int = 2,
    client_is_empty: bool = False,
    client_first: bool = False,
) -> Play:
    """Return a match; `tries` is how many server seeds a host tries, and `client_first` names the client seed early."""

    def play(game: Game) -> int:
        named = NOTHING if client_is_empty else game.secret("player", "client seed")
        if client_first:
            game.publish(named)
        servers = [game.secret("host", f"server seed {number}") for number in range(tries)]
        server = game.choose("host", servers)
        kept = scheme.commitment(game, server, SESSION)
        game.publish(kept)
        client = game.choose("player", strings(SECRET), honest=named)
        game.publish(client)
        bet = game.choose("player", range(BYTES))
        fair = Record(kept, server, client, SESSION, TABLE, False)
        shown = game.choose("host", _records(game, servers, client), honest=fair)
        if not _is_accepted(game, shown, fair, checks):
            return 0
        if shown.commitment is None or shown.has_seeds:
            return 1
        return game.dice(scheme.seed(game, shown.server, shown.client, shown.session, shown.table)) == bet

    def _records(game: Game, servers: list[Message], client: Message) -> Iterator[Record]:
        sessions, tables, clients = (SESSION, 0), (TABLE, 0), (client, (), (0,))
        commitments = [scheme.commitment(game, server, session) for server in servers for session in sessions]
        fields = product([None, *commitments], servers, clients, sessions, tables, (False, True))
        yield from map(Record._make, fields)

    def _is_accepted(game: Game, shown: Record, fair: Record, checks: Collection[str]) -> bool:
        if shown.commitment is None:
            return "present" not in checks
        opened = scheme.commitment(game, shown.server, shown.session)
        problems = {
            "opened": opened != shown.commitment,
            "mine": shown.commitment != fair.commitment,
            "client seed": shown.client != fair.client,
            "no seeds": shown.has_seeds,
            "asked": (shown.session, shown.table) != (fair.session, fair.table),
        }
        return not any(problems[check] for check in problems if check in checks)

    return play


def predictions(scheme: Scheme, table: Table) -> dict[Message, Fraction]:
    """Return how often the best guess from the commitment is right, for every client seed, over every server seed.

    The guess is any function of the commitment at all. A commitment of two bits stands for 64 server seeds here, so
    a guess that is right for all of them has not found the server seed: it has gone round it.
    """
    h = Hash(table)
    servers = list(product(range(BYTES), repeat=SECRET))
    commitments = [scheme.commitment(h, server, SESSION) for server in servers]
    found = {}
    for client in strings(SECRET):
        seen: dict[Message, Counter[Message]] = defaultdict(Counter)
        for server, commitment in zip(servers, commitments, strict=True):
            seen[commitment][scheme.seed(h, server, client, SESSION, TABLE)] += 1
        found[client] = Fraction(sum(max(counts.values()) for counts in seen.values()), len(servers))
    return found
