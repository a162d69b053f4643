"""Check a record, a transcript of shared dice or many records, in the browser's Python, as `croupier verify` does.

The worker calls `check` with texts and gets JSON. Signatures are checked by the page's own Ed25519, which stands in for
the package `cryptography`: that one has no build for WebAssembly.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec

from croupier.engine import Verification, get_game, read_record, verify
from croupier.engine.plain import canonical
from croupier.engine.records.seed_checks import read_kept
from croupier.engine.rules_digest import rules_digest
from croupier.errors import CroupierError
from croupier.transcripts import check_transcript, conclusion, is_transcript, with_heads

RECORDS_MAX = 10_000


class PageKey:
    """A public key whose signatures the page checks."""

    def __init__(self, key: bytes, verify_in_page: Any) -> None:
        self.key = key
        self.verify_in_page = verify_in_page

    def verify(self, signature: bytes, message: bytes) -> None:
        """Raise `ValueError` if the signature does not hold."""
        if not self.verify_in_page(self.key.hex(), message.hex(), signature.hex()):
            raise ValueError("the signature does not hold")


def use_signatures(verify_in_page: Any) -> None:
    """Let `croupier.fairness` check signatures by a function of the page."""
    keys = SimpleNamespace(from_public_bytes=lambda key: PageKey(key, verify_in_page))
    name = "cryptography"
    for part in ("", ".hazmat", ".primitives", ".asymmetric"):
        name += part
        sys.modules[name] = ModuleType(name)
    setattr(sys.modules[name], "ed25519", SimpleNamespace(Ed25519PublicKey=keys))  # noqa: B010


def check(text: str, kept: str | None = None, record: str | None = None, tell: Any = None) -> str:
    """Return the verdicts on a file, as a JSON list: one for a record or a transcript, many for an export.

    `tell` is told after each record how many are done.
    """
    try:
        notes = None if kept is None else read_kept(kept)
        if is_transcript(text.encode()):
            return _told([_transcript(text.encode(), None if record is None else record.encode())])
        texts = [one.encode() for one in _records_in(text)]
        found = []
        for count, one in enumerate(texts, 1):
            found.append(verify(one, kept=notes))
            if tell is not None:
                tell(count)
        if len(found) > 1:
            found = with_heads(texts, found)
        return _told([_facts(data, one) for data, one in zip(texts, found, strict=True)])
    except CroupierError as error:
        return _told([{"ok": False, "checks": [], "verdict": f"not verified: {error}"}])


def _told(verdicts: list[dict[str, Any]]) -> str:
    return msgspec.json.encode(verdicts).decode()


def _records_in(text: str) -> list[str]:
    """Return the records of a file: itself, those of a replay, or of a list of records."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return [text]  # `verify` has the words for it
    if isinstance(found, dict) and isinstance(found.get("record"), str):
        return [found["record"]]
    records = found.get("records") if isinstance(found, dict) else found
    if not isinstance(records, list) or not records:
        return [text]
    if len(records) > RECORDS_MAX:
        raise CroupierError(f"the file has {len(records)} records; {RECORDS_MAX} are checked at once")
    return [one if isinstance(one, str) else canonical(one).decode() for one in records]


def _facts(data: bytes, found: Verification) -> dict[str, Any]:
    told = {"ok": found.ok, "checks": found.checks, "verdict": conclusion(found)}
    try:
        record = read_record(data)
        game = get_game(record.game_id)
    except CroupierError:
        return told
    rules = {"game": game.id, "name": game.name, "version": game.rules_version, "digest": rules_digest(game).hex()}
    log_n = None if record.commitments is None else record.commitments.log_n
    return {**told, "rules": rules, "session": str(record.session_id), "log_n": log_n}


def _transcript(data: bytes, record: bytes | None) -> dict[str, Any]:
    _, checks = check_transcript(data, record)
    problem = next((one.text for one in checks if one.ok is False), None)
    words = f"not verified: {problem}" if problem else "verified"
    return {"ok": problem is None, "checks": checks, "verdict": words}
