"""Notes that a client keeps while it plays: receipts, its own parts of seeds, and where the host's log stood.

A record is compared with these notes and with nothing that the server says later. Notes can be saved and read again:
`croupier verify --kept` reads the same file.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from croupier.engine.records.seed_checks import Kept, KeptFile, write_kept
from croupier.errors import BadDocument, BadSeed
from croupier.fairness import commitment_to
from croupier.fairness.seeds import Receipt, read_hex
from croupier.fairness.signing import Ed25519Verifier
from croupier.fairness.versions import LogHead, digest_of_table, first_head, follow, head_message
from croupier.wire.accounts import CommitmentView
from croupier.wire.sessions import VersionsPage

__all__ = ["Notes", "Opened", "Receipt"]


class Opened(CommitmentView, frozen=True):
    """A commitment and what became of it, as the server lists it."""

    def problem(self) -> str | None:
        """Return what is wrong with the opening of a commitment; None where nothing is, or it is not over yet."""
        if self.server_seed is None:
            is_over = self.state not in ("issued", "started")
            return f"commitment {self.n} is {self.state} and not opened" if is_over else None
        try:
            opened = commitment_to(read_hex(self.server_seed), self.binding()).hex()
        except BadSeed:
            opened = ""
        return None if opened == self.commitment else f"commitment {self.n} does not open"


class Notes:
    """One player's notes about one host.

    The host's log is read from its first entry, by every client anew: all heads that were noted have to be on the way.
    """

    def __init__(self, kept: KeptFile | None = None) -> None:
        noted = () if kept is None else kept.kept
        self._kept = {one.session_id: one for one in noted}
        self.log = None if kept is None else kept.log
        """The newest head that was seen."""
        self.host_key = self.log.host_key if self.log is not None else next((one.host_key for one in noted), "")
        self._heads = {one.log_n: one.log_head for one in noted if one.host_key == self.host_key}
        if self.log is not None:
            self._heads[self.log.n] = self.log.head
        self._read: LogHead | None = None
        self._announced: dict[str, list[tuple[int, dict[str, Any]]]] = {}
        self._verifier = Ed25519Verifier()

    def file(self) -> KeptFile:
        """Return everything as the value that `verify` compares with."""
        return KeptFile(1, tuple(self._kept.values()), self.log)

    def write(self) -> bytes:
        """Return everything as a file."""
        return write_kept(tuple(self._kept.values()), self.log)

    def get(self, session_id: int) -> Kept | None:
        """Return what was noted about a session."""
        return self._kept.get(session_id)

    def note(self, session_id: int, **more: Any) -> Kept:
        """Add to what was noted about a session."""
        self._kept[session_id] = kept = replace(self._kept[session_id], **more)
        return kept

    def since(self, receipt: Receipt) -> int | None:
        """Return after which entry the log has to be asked for to check a receipt; None if it was read that far."""
        read = 0 if self._read is None else self._read.n
        return read if receipt.log_n > read else None

    def follow(self, page: VersionsPage) -> int | None:
        """Take entries of the log; return after which one to go on, None at the end. Raises `BadDocument`."""
        self._check_key(page.host_key)
        if not self._is_signed(page.host_key, head_message(page.n, read_hex(page.head)), page.signature):
            raise BadDocument("the log of versions is not signed by the host")
        read = self._read or LogHead(page.host_key, 0, first_head(read_hex(page.host_key)).hex())
        heads, found = {read.n: read.head}, list[tuple[str, int, dict[str, Any]]]()
        for entry in page.entries:
            read = follow(read, (entry,))
            heads[read.n] = read.head
            if entry.kind == "table":
                found.append((f"table/{_checked_table(entry.body)['table']}", read.n, entry.body))
            elif entry.kind == "rules":
                found.append((f"rules/{entry.body.get('game_id')}", read.n, entry.body))
        if page.n < max((read.n, *self._heads)) or (page.n > read.n and not page.entries):
            raise BadDocument("the host keeps entries of its log of versions back")
        for n, head in (*heads.items(), (page.n, page.head)):
            if self._heads.get(n, head) != head or heads.get(n, head) != head:
                raise BadDocument("the log of versions does not go on from the one that was seen before")
        self._heads.update(heads)
        for subject, n, body in found:
            self._announced.setdefault(subject, []).append((n, body))
        self._read = read
        self.log = read if self.log is None or read.n > self.log.n else self.log
        self.host_key = page.host_key
        return None if read.n == page.n else read.n

    def receive(self, receipt: Receipt, kind: Literal["session", "room"], at: int = 0, **more: Any) -> Kept:
        """Check a receipt and write it down, before anything of ours goes out. Raises `BadDocument`."""
        known = self._kept.get(receipt.session_id)
        if known is not None and known.commitment != receipt.commitment:
            raise BadDocument("the server has changed what it committed to")
        if known is not None:
            return known
        self._check_key(receipt.host_key)
        if not self._is_signed(receipt.host_key, receipt.message(), receipt.receipt):
            raise BadDocument("the host's signature under its commitment does not hold")
        if self._heads.get(receipt.log_n) != receipt.log_head:
            raise BadDocument("the server has shown two logs of versions")
        kept = Kept(**{name: getattr(receipt, name) for name in Receipt.__struct_fields__}, kind=kind, at=at, **more)
        self._kept[receipt.session_id] = kept
        return kept

    def _check_key(self, host_key: str) -> None:
        if self.host_key and host_key != self.host_key:
            raise BadDocument("the server has another key than the one it had before")

    def _is_signed(self, host_key: str, message: bytes, signature: str) -> bool:
        return self._verifier.verify(read_hex(host_key), message, read_hex(signature))

    def announced(self, subject: str, log_n: int) -> dict[str, Any]:
        """Return the last entry about a table or a game's rules, up to a number of the log; nothing if there is none.

        A subject is `table/6` or `rules/lanes`.
        """
        found = [body for n, body in self._announced.get(subject, ()) if n <= log_n]
        return found[-1] if found else {}

    def room_digest(self, game: str, options: dict[str, Any], log_n: int) -> str:
        """Return the digest of a room that plays a game by the rules that were announced, with some options."""
        return digest_of_table({**self.announced(f"rules/{game}", log_n), "table": 0, "options": options}).hex()


def _checked_table(body: dict[str, Any]) -> dict[str, Any]:
    """Return what was announced about a table, if its digest is over just that."""
    terms = {name: value for name, value in body.items() if name != "table_digest"}
    if digest_of_table(terms).hex() != body.get("table_digest") or "table" not in terms:
        raise BadDocument("the host has announced a table under a digest of something else")
    return body
