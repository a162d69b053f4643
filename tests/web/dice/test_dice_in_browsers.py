"""Dice that everybody makes, in real browsers: keys and secrets are theirs, and a table that lies is caught."""

from __future__ import annotations

import json
import re
from typing import Any

PATIENT = """async () => {
  const { keepKeys, makeKeys } = await import("/web/common/dice-play.js");
  const { $lib_api: { post } } = await import(document.querySelector("script[type=module]").src); // the page's own
  const keys = makeKeys();
  const room = await post("/dice-rooms", { key: keys.key, commit_ms: 300000, object_ms: 300000, reveal_ms: 300000 });
  keepKeys(room.id, keys);
  return room.id;
}"""
"""The lobby's button in one script, for a table that waits for a busy machine."""


def open_table(one: Any) -> str:
    """Open a table, sit down at it, buy chips; return where it is."""
    one.go(f"room/{one.page.evaluate(PATIENT)}")
    buy_in(one)
    return str(one.page.url)


def join_table(one: Any, address: str) -> None:
    one.page.goto(address)
    one.page.get_by_role("button", name="Take a seat").click()
    buy_in(one)


def buy_in(one: Any) -> None:
    one.page.get_by_role("button", name="Leave").wait_for()
    one.page.get_by_role("button", name="Buy in").click()
    one.page.locator(".shared-seats .is-me").get_by_text("rack 200").wait_for()
    one.settle()


def rolls(one: Any, count: int) -> list[str]:
    """Wait for that many rolls in the proof and return them in words."""
    one.page.locator(".dice-rolls li").nth(count - 1).wait_for()
    return list(one.page.locator(".dice-rolls li").all_inner_texts())


def faces(text: str) -> str:
    return text.split(" from ")[0]


def test_two_browsers_make_the_dice_together_and_one_is_reloaded_in_mid_round(meet):
    """Bob's opening does not get through; the reloaded page opens what the one before had committed to."""
    ann, bob = meet(), meet()
    address = open_table(ann)
    join_table(bob, address)
    for one in (ann, bob):
        one.bet("field")
        one.proof()
    secrets = [
        one.page.evaluate("Object.entries(localStorage).find(([name]) => name.startsWith('croupier.dice.'))[1]")
        for one in (ann, bob)
    ]
    keys = [json.loads(text)["keys"] for text in secrets]
    assert len({keys[0]["key"], keys[1]["key"], keys[0]["root"], keys[1]["root"]}) == 4

    bob.forgives = re.compile("ERR_FAILED")
    sent: list[str] = []
    bob.page.on("request", lambda request: sent.append(request.post_data or ""))

    def lose(route: Any) -> None:
        route.abort() if '"reveal"' in (route.request.post_data or "") else route.continue_()

    bob.page.route("**/dice", lose)
    bob.page.get_by_role("button", name="Ready", exact=True).click()
    ann.page.locator(".bet-bar .primary:enabled").click()
    bob.page.get_by_text("waiting for you to open").wait_for()
    bob.page.unroute("**/dice")
    bob.page.reload()
    seen = [faces(one) for one in rolls(ann, 1)]
    bob.proof()

    assert [faces(one) for one in rolls(bob, 1)] == seen
    assert "you" in rolls(bob, 1)[0]
    assert "the bank" in rolls(bob, 1)[0]
    assert set(ann.proof().values()) == set(bob.proof().values()) == {""}
    assert not any(keys[1]["seed"] in text or keys[1]["root"] in text for text in sent)
    assert not bob.went_back


def test_one_alone_plays_against_the_bank_and_the_match_is_proven_to_its_end(visitor):
    open_table(visitor)
    for count in (1, 2):
        visitor.bet("field")
        visitor.page.locator(".bet-bar .primary:enabled").click()
        visitor.proof()
        rolls(visitor, count)
        visitor.settle()
    visitor.bet("field")  # signed orders take it down before the rack goes home
    assert visitor.page.get_by_role("button", name="Take down").count() == 1
    assert visitor.page.get_by_role("button", name="Keep up").count() == 0
    visitor.page.locator(".shared-bank summary").click()
    visitor.page.get_by_role("button", name="Cash out").click()
    visitor.page.wait_for_selector('.check[data-check="seeds"]')

    assert set(visitor.proof().values()) == {""}
    assert "seeds" in visitor.proof()
    assert visitor.findings() == []


def test_a_table_that_claims_other_dice_is_not_played_at_any_more(visitor):
    """The way between the server and the browser turns a die over: the secrets give something else."""
    visitor.page.get_by_role("button", name="Dice everybody makes").click()
    buy_in(visitor)
    visitor.bet("field")

    def lie(body: bytes) -> bytes:
        return re.sub(rb'"faces":\[(\d),', lambda found: b'"faces":[%d,' % (int(found[1]) % 6 + 1), body)

    visitor.alter(r"/dice\?since=", lie)
    visitor.page.locator(".bet-bar .primary:enabled").click()
    visitor.page.get_by_text(re.compile("Do not bet here: the secrets give")).wait_for()

    assert visitor.proof()["trouble"] == "bad"
    assert visitor.page.locator(".verdict.bad").is_visible()
