"""Proofs on the page: records that were tampered with, and servers that cheat after the commitment, are caught."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from croupier.engine import verify
from croupier.engine.records.seed_checks import read_kept
from tests.web.page_modules import canonical, lp, seal, u64

DENIED = "This record does not hold. Do not trust this round."


def alter(visitor: Any, paths: str, change: Callable[[str], str]) -> list[bool]:
    """Change what the server answers; return, for each answer, whether there was something to change."""
    changed: list[bool] = []

    def tamper(route: Any) -> None:
        answer = route.fetch()
        text = answer.text()
        changed.append(change(text) != text)
        route.fulfill(response=answer, body=change(text))

    visitor.ask_by_requests()
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

    changed = alter(visitor, r"/v1/sessions(\?|/\d+/(moves|recall))", move_on)
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

    changed = alter(visitor, r"/api/v1/sessions(\?|/\d+($|\?|/moves|/recall))", other_card)
    alter(visitor, r"/sessions/\d+/record", other_record)
    visitor.play("video-poker")
    checks = visitor.proof()

    assert all(changed)
    assert checks["seal"] == ""
    assert checks["draws"] == "bad"
    assert visitor.page.locator(".verdict").inner_text() == DENIED


def consistent(record: dict[str, Any], **changes: str) -> str:
    """Return a record that is right in itself, from its commitment to its digest, with other seeds than it had."""
    pair, session = {**record["commitments"], **changes}, record["session_id"]
    server, client, host, head, table = (
        bytes.fromhex(pair[name]) for name in ("server_seed", "client_seed", "host_key", "log_head", "table_digest")
    )
    facts = lp(host, pair["account"]) + u64(pair["n"]) + u64(session) + lp(head)
    commitment = sha256(lp("croupier/commitment/2") + facts + lp(server)).digest()
    pair["commitment"] = commitment.hex()
    message = lp("croupier/match/2", commitment, client) + u64(session) + lp(table)
    return seal({**record, "commitments": pair, "seed": hmac.digest(server, message, "sha256").hex()})


@pytest.mark.parametrize(("seed", "told_by"), [("server_seed", "mine"), ("client_seed", "client seed")])
def test_a_server_that_swaps_a_seed_after_the_commitment_is_caught(visitor, seed, told_by):
    """The record is right in itself, but this browser kept another commitment, or named another seed."""
    alter(visitor, r"/sessions/\d+/record", lambda text: consistent(json.loads(text), **{seed: "ab" * 32}))
    visitor.play("hi-lo")
    checks = visitor.proof()

    assert [checks[name] for name in ("form", "seal", "commitment", "seed", "kept")] == [""] * 5
    assert checks[told_by] == "bad"
    assert visitor.page.locator(".verdict").inner_text() == DENIED


def test_a_record_without_its_commitment_is_caught(visitor):
    def without(text: str) -> str:
        return seal({name: value for name, value in json.loads(text).items() if name != "commitments"})

    alter(visitor, r"/sessions/\d+/record", without)
    visitor.play("roulette")

    assert visitor.proof()["commitment"] == "bad"
    assert visitor.page.locator(".verdict").inner_text() == DENIED


def test_the_record_of_another_session_is_caught(visitor):
    records: list[str] = []

    def first_again(text: str) -> str:
        records.append(text)
        return records[0]

    alter(visitor, r"/sessions/\d+/record", first_again)
    visitor.play("roulette")
    assert "bad" not in visitor.proof().values()
    visitor.play("roulette")
    visitor.page.wait_for_selector('[data-check="session"]')

    assert visitor.proof()["session"] == "bad"


# The receipt, and the log of versions.

LOG_IS_KEPT = """
async () => {
  while (!localStorage.getItem("croupier.log")) await new Promise(requestAnimationFrame);
}
"""


def test_a_commitment_that_the_host_has_not_signed_is_not_played_with(visitor):
    """No client seed is named: the page asks for nothing more."""
    alter(visitor, r"/commitments$", lambda text: re.sub(r'"receipt":"\w{2}', '"receipt":"00', text))
    visitor.page.evaluate("localStorage.removeItem('croupier.next')")  # the one that came with the account
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.open_table("video-poker")
    visitor.press("Deal")
    visitor.page.wait_for_selector("#banner:not([hidden])")

    assert visitor.page.locator("#banner").inner_text().startswith("Do not play here: the host has not signed")
    assert not [url for url in asked if "/v1/sessions?" in url]
    visitor.go("account")
    assert visitor.page.locator("#banner").inner_text().startswith("Do not play here"), "it stays on every screen"


def test_a_next_commitment_that_the_host_has_not_signed_is_not_played_with(visitor):
    """One round is played; what came with its end is not: nothing is named for it."""

    def unsigned(text: str) -> str:
        answer = json.loads(text)
        answer["next"]["receipt"] = "00" * 64
        return json.dumps(answer)

    alter(visitor, r"/v1/sessions\?", unsigned)
    visitor.play("roulette")
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.press("Spin again")
    visitor.page.wait_for_selector("#banner:not([hidden])")

    assert visitor.page.locator("#banner").inner_text().startswith("Do not play here: the host has not signed")
    assert not [url for url in asked if "/v1/sessions?" in url]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda log: log["entries"].clear(), "afterwards"),
        (lambda log: log["entries"].pop(3), "leaves something out"),
        (lambda log: log["entries"][-1]["body"].update(stake_max=1), "names a table by what it is not"),
        (lambda log: log["entries"][0]["body"].update(scheme=1), "afterwards"),
        (lambda log: log.update(signature="00" * 64), "has not signed its list"),
    ],
)
def test_a_log_of_versions_that_does_not_hold_is_told(meet, change, said):
    visitor = meet()
    visitor.page.evaluate(LOG_IS_KEPT)
    visitor.page.evaluate("localStorage.removeItem('croupier.kept'); localStorage.removeItem('croupier.log')")

    def tamper(text: str) -> str:
        log = json.loads(text)
        change(log)
        return canonical(log)

    alter(visitor, r"/versions", tamper)
    visitor.page.reload()
    visitor.page.wait_for_selector("#banner:not([hidden])")

    assert said in visitor.page.locator("#banner").inner_text()


def test_a_log_that_does_not_extend_what_was_kept_is_told_with_what_proves_it(visitor):
    """Another log, right in itself and signed, with as many entries: two heads for one number."""
    visitor.page.evaluate(LOG_IS_KEPT)
    kept = json.loads(visitor.page.evaluate("localStorage.getItem('croupier.kept')"))
    other = {**kept, "log": {**kept["log"], "head": "ab" * 32}}
    log = json.loads(visitor.page.evaluate("localStorage.getItem('croupier.log')"))
    log["heads"][str(kept["log"]["n"])] = "ab" * 32
    for name, value in {"kept": other, "log": log}.items():
        put = "([name, text]) => localStorage.setItem(name, text)"
        visitor.page.evaluate(put, [f"croupier.{name}", json.dumps(value)])
    visitor.page.reload()
    visitor.page.wait_for_selector("#banner:not([hidden])")

    assert "has changed its list" in visitor.page.locator("#banner").inner_text()
    with visitor.page.expect_download() as saved:
        visitor.page.get_by_role("button", name="Download what proves it").click()
    proof = json.loads(saved.value.path().read_text())
    assert proof["first"]["n"] == proof["second"]["n"]
    assert proof["first"]["head"] != proof["second"]["head"]
    assert proof["first"]["host_key"] == proof["second"]["host_key"]
    assert len(proof["second"]["signature"]) == len(proof["first"]["signature"]) == 128


def test_what_the_page_kept_is_read_by_verify(visitor):
    """The file from the proof drawer, with the record beside it: Python compares what this browser saw."""
    visitor.play("roulette")
    assert "bad" not in visitor.proof().values()
    saved = {}
    for name in ("Download what this browser kept", "Download the record"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=name).click()
        saved[name] = download.value.path().read_bytes()
    kept, record = (read_kept(saved["Download what this browser kept"]), saved["Download the record"])
    verdict = verify(record, kept=kept)

    assert verdict.ok
    assert verdict.is_compared
    assert kept.log is not None
    assert (kept.kept[0].game, kept.kept[0].options) == ("roulette", {"zero_rule": "standard"})
    assert kept.kept[0].table_digest == json.loads(record)["commitments"]["table_digest"]


@pytest.mark.parametrize("opened", [None, {"server_seed": "ab" * 32}])
def test_a_start_refused_for_a_changed_table_is_tried_once_more(visitor, opened):
    """With another commitment and another client seed; but not with a host that opens something else."""
    visitor.forgives = re.compile("status of 409")
    problem = {"code": "table_changed", "detail": "the table was changed", **({"opened": opened} if opened else {})}
    started: list[dict[str, Any]] = []

    def refuse_first(route: Any) -> None:
        started.append(json.loads(route.request.post_data))
        if len(started) > 1:
            route.continue_()
        else:
            route.fulfill(status=409, json=problem)

    visitor.ask_by_requests()
    visitor.page.route(re.compile(r"/api/v1/sessions\?"), refuse_first)
    visitor.open_table("video-poker")
    visitor.press("Deal")
    if opened:
        visitor.page.wait_for_selector("#banner:not([hidden])")
        assert "has not opened what it committed to" in visitor.page.locator("#banner").inner_text()
        assert len(started) == 1
        return
    visitor.settle("[data-status=active]")
    first, second = started
    assert first["session_id"] != second["session_id"]
    assert first["client_seed"] != second["client_seed"]
