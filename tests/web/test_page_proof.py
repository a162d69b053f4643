"""Cheats: records that were tampered with, and servers that change their mind after the commitment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from croupier.fairness import derive

DENIED = "This record does not hold."


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def seal(record: dict[str, Any]) -> str:
    """Return a record with a digest that fits, whatever was changed in it."""
    rest = {name: value for name, value in record.items() if name != "record_digest"}
    return canonical({**rest, "record_digest": sha256(canonical(rest).encode()).hexdigest()})


def alter(visitor: Any, paths: str, change: Callable[[str], str]) -> list[bool]:
    """Change what the server answers; return, for each answer, whether there was something to change."""
    changed: list[bool] = []

    def tamper(route: Any) -> None:
        answer = route.fetch()
        text = answer.text()
        changed.append(change(text) != text)
        route.fulfill(response=answer, body=change(text))

    visitor.page.route(re.compile(paths), tamper)
    return changed


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("seal", lambda text: text.replace('"bet":"red"', '"bet":"odd"', 1)),
        ("form", lambda text: text.replace(",", ", ", 1)),
        ("commitment", lambda text: re.sub(r'"server_seed":"\w{2}', '"server_seed":"zz', text).replace("zz", "00")),
    ],
)
def test_a_record_that_was_tampered_with_is_caught(visitor, what, change):
    changed = alter(visitor, r"/sessions/\d+/record", change)
    visitor.play("roulette")

    assert visitor.proof()[what] == "bad"
    assert all(changed)
    assert visitor.page.locator(".verdict").inner_text() == DENIED


def test_a_pocket_that_was_changed_after_the_commitment_is_caught(visitor):
    def move_on(text: str) -> str:
        return re.sub(r'"pockets":\[(\d+)\]', lambda found: f'"pockets":[{(int(found[1]) + 1) % 37}]', text)

    changed = alter(visitor, r"/sessions/\d+/(moves|recall)", move_on)
    visitor.play("roulette")

    assert visitor.proof()["draws"] == "bad"
    assert any(changed)
    assert visitor.page.locator(".verdict").inner_text() == DENIED


def test_a_server_that_changes_a_card_everywhere_and_seals_the_record_anew_is_caught(visitor):
    """Every answer has the other card, from the deal on, and the record fits its digest: the streams still tell."""

    def swap(game: dict[str, Any]) -> None:
        was = game["dealt"][0]
        now = next(card for card in range(52) if card not in game["dealt"])
        for row in ("dealt", "cards"):
            game[row] = [now if card == was else card for card in game[row]]

    def other_card(text: str) -> str:
        answer = json.loads(text)
        for one in answer if isinstance(answer, list) else [answer]:
            if "view" in one:
                swap(one["view"]["game"])
        return canonical(answer)

    def other_record(text: str) -> str:
        record = json.loads(text)
        record["digests"] = [sha256(digest.encode()).hexdigest() for digest in record["digests"]]
        return seal(record)

    changed = alter(visitor, r"/api/v1/sessions(/\d+(\?legal=true|/moves|/recall.*)?)?$", other_card)
    alter(visitor, r"/sessions/\d+/record", other_record)
    visitor.play("video-poker")
    checks = visitor.proof()

    assert all(changed)
    assert checks["seal"] == ""
    assert checks["draws"] == "bad"
    assert visitor.page.locator(".verdict").inner_text() == DENIED


def test_a_server_that_swaps_its_seed_after_the_commitment_is_caught(visitor):
    """The record is right in itself, from its seed to its digest, but this browser had seen another commitment."""

    def other_seed(text: str) -> str:
        record = json.loads(text)
        pair = record["commitments"]
        server = sha256(bytes.fromhex(pair["server_seed"])).digest()
        pair["server_seed"], pair["commitment"] = server.hex(), sha256(server).hexdigest()
        seed = derive(server + bytes.fromhex(pair["client_seed"]), f"match/{record['session_id']}")
        record["seed"] = seed.hex()
        return seal(record)

    alter(visitor, r"/sessions/\d+/record", other_seed)
    visitor.play("hi-lo")
    checks = visitor.proof()

    assert [checks[name] for name in ("form", "seal", "commitment", "seed")] == ["", "", "", ""]
    assert checks["seen before"] == "bad"
    assert visitor.page.locator(".verdict").inner_text() == DENIED
