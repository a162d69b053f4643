"""Messages that no honest party sends at a table of shared dice, for tests to send."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.fairness.dice import encoding
from croupier.fairness.dice.messages import Close, Commit
from tools.adversaries import MacSigner

BETS = {"ann": (5, 20)}


def moved(movements, *, among: str = "") -> list[tuple[str, str, int]]:
    """Return movements with names for keys. In order of keys it is cat, bob, ann."""
    names = {MacSigner(name).key: name for name in ["ann", "bob", "cat", "dan", "table"]}

    def told(account: str) -> str:
        kind, _, key = account.partition(":")
        return f"{kind} {names[key]}" if key else kind

    return [(told(one.source), told(one.target), one.chips) for one in movements if among in told(one.source)]


def second_commit(table, name: str, first: Commit):
    """Return another COMMIT of the same round, signed by the same player."""
    c = encoding.commitment(bytes.fromhex(first.context), bytes.fromhex(first.key), first.nonce, b"\x99" * 32)
    return table.sign(name, replace(first, commitment=c.hex()))


def close_over(table, commits: tuple[Commit, ...], **fields: int):
    """Return a CLOSE of the round over these commitments, signed by the table."""
    committed = [(bytes.fromhex(one.key), one.nonce, bytes.fromhex(one.commitment)) for one in commits]
    digest = encoding.commit_set(table.on.context, committed).hex()
    return table.sign("table", replace(Close(table.on.lock.round, commits, digest), **fields))


def second_close(table, **fields: int):
    """Return another CLOSE of the round, signed by the table."""
    return close_over(table, table.on.standing()[1:], **fields)
