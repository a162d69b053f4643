"""Proofs on the page: records that were tampered with, and servers that cheat after the commitment, are caught."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import pytest

from croupier.engine import verify
from croupier.engine.records.seed_checks import read_kept
from tests.web.page_modules import canonical, commitment_to, facts_of, lp, seal, u64

DENIED = "This record does not hold. Do not trust this round."


def alter(visitor: Any, paths: str, change: Callable[[str], str]) -> list[bool]:
    """Change the text of what the server answers to requests; return whether there was something to change."""
    visitor.ask_by_requests()
    altered: list[bool] = visitor.alter(paths, lambda body: change(body.decode()).encode())
    return altered


def other_pocket(text: str) -> str:
    return re.sub(r'"pockets":\[(\d+)\]', lambda found: f'"pockets":[{(int(found[1]) + 1) % 37}]', text)


def other_card(text: str) -> str:
    """Return an answer with the first card that was dealt exchanged for another."""
    answer = json.loads(text)
    for one in answer if isinstance(answer, list) else [answer]:
        if "view" in one:
            game = one["view"]["game"]
            was = game["dealt"][0]
            now = next(card for card in range(52) if card not in game["dealt"])
            for row in ("dealt", "cards"):
                game[row] = [now if card == was else card for card in game[row]]
    return canonical(answer)


def other_digests(text: str) -> str:
    record = json.loads(text)
    return seal({**record, "digests": [sha256(digest.encode()).hexdigest() for digest in record["digests"]]})


def other_server_seed(text: str) -> str:
    return re.sub(r'"server_seed":"\w{2}', '"server_seed":"zz', text).replace("zz", "00")


def without_commitment(text: str) -> str:
    return seal({name: value for name, value in json.loads(text).items() if name != "commitments"})


def with_seed(name: str, text: str) -> str:
    """Return a record that is right in itself, from its commitment to its digest, with another seed than it had."""
    record = json.loads(text)
    pair, session = {**record["commitments"], name: "ab" * 32}, record["session_id"]
    server, client, table = (bytes.fromhex(pair[name]) for name in ("server_seed", "client_seed", "table_digest"))
    commitment = commitment_to(
        server, facts_of(pair["host_key"], pair["account"], pair["n"], session, pair["log_head"])
    )
    pair["commitment"] = commitment.hex()
    message = lp("croupier/match/2", commitment, client) + u64(session) + lp(table)
    return seal({**record, "commitments": pair, "seed": hmac.digest(server, message, "sha256").hex()})


RECORD = r"/sessions/\d+/record"
CONSISTENT = ("form", "seal", "commitment", "seed", "kept")
# The game, what is changed in which answers, the checks that hold nevertheless, and the one that tells.
CHEATS: dict[str, tuple[str, dict[str, Callable[[str], str]], tuple[str, ...], str]] = {
    "another bet": ("roulette", {RECORD: lambda text: text.replace('"bet":"red"', '"bet":"odd"', 1)}, (), "seal"),
    "another form": ("roulette", {RECORD: lambda text: text.replace(",", ", ", 1)}, (), "form"),
    "a seed that was not committed to": ("roulette", {RECORD: other_server_seed}, (), "commitment"),
    "no commitment": ("roulette", {RECORD: without_commitment}, (), "commitment"),
    "another pocket": ("roulette", {r"/v1/sessions(\?|/\d+/(moves|recall))": other_pocket}, (), "draws"),
    # Every answer has the other card, from the deal on, and the record fits its digest: the streams still tell.
    "another card": (
        "video-poker",
        {r"/api/v1/sessions(\?|/\d+($|\?|/moves|/recall))": other_card, RECORD: other_digests},
        ("seal",),
        "draws",
    ),
    # The record is right in itself, but this browser kept another commitment, or named another seed.
    "another server seed": ("hi-lo", {RECORD: partial(with_seed, "server_seed")}, CONSISTENT, "mine"),
    "another client seed": ("hi-lo", {RECORD: partial(with_seed, "client_seed")}, CONSISTENT, "client seed"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_server_that_cheats_after_the_commitment_is_caught(visitor, cheat):
    game, changes, hold, tells = CHEATS[cheat]
    changed = [alter(visitor, paths, change) for paths, change in changes.items()]
    visitor.play(game)
    checks = visitor.proof()

    assert all(each and all(each) for each in changed)
    assert [checks[name] for name in hold] == [""] * len(hold)
    assert checks[tells] == "bad"
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


@pytest.mark.parametrize(
    ("field", "changed", "said"),
    [
        (r'"receipt":"\w{2}', '"receipt":"00', "the host has not signed"),
        (r'"account":"\w{2}', '"account":"00', "the host has committed itself to somebody else"),
    ],
    ids=["not signed", "for another account"],
)
def test_a_commitment_that_is_not_signed_or_not_for_the_player_is_not_played_with(visitor, field, changed, said):
    """No client seed is named: the page asks for nothing more."""
    alter(visitor, r"/commitments$", lambda text: re.sub(field, changed, text))
    visitor.page.evaluate("localStorage.removeItem('croupier.next')")  # the one that came with the account
    visitor.open_table("video-poker")
    visitor.page.asked.clear()
    visitor.press("Deal")

    assert visitor.warning().startswith(f"Do not play here: {said}")
    assert not [url for url in visitor.page.asked if "/v1/sessions?" in url]
    visitor.go("account")
    assert visitor.warning().startswith("Do not play here"), "it stays on every screen"


def test_a_next_commitment_that_the_host_has_not_signed_is_not_played_with(visitor):
    """One round is played; what came with its end is not: nothing is named for it."""

    def unsigned(text: str) -> str:
        answer = json.loads(text)
        answer["next"]["receipt"] = "00" * 64
        return json.dumps(answer)

    alter(visitor, r"/v1/sessions\?", unsigned)
    visitor.play("roulette")
    visitor.page.asked.clear()
    visitor.press("Spin again")

    assert visitor.warning().startswith("Do not play here: the host has not signed")
    assert not [url for url in visitor.page.asked if "/v1/sessions?" in url]


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
def test_a_log_of_versions_that_does_not_hold_is_told(visitor, change, said):
    visitor.page.evaluate(LOG_IS_KEPT)
    visitor.page.evaluate("localStorage.removeItem('croupier.kept'); localStorage.removeItem('croupier.log')")

    def tamper(text: str) -> str:
        log = json.loads(text)
        change(log)
        return canonical(log)

    alter(visitor, r"/versions", tamper)
    visitor.page.reload()

    assert said in visitor.warning()


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

    assert "has changed its list" in visitor.warning()
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
        assert "has not opened what it committed to" in visitor.warning()
        assert len(started) == 1
        return
    visitor.settle("[data-status=active]")
    first, second = started
    assert first["session_id"] != second["session_id"]
    assert first["client_seed"] != second["client_seed"]
