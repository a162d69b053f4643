"""Features of the page besides playing: previews, replays and links, sound, edges in the lobby, zoom, results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def test_what_a_play_would_do_is_seen_before_it_is_made(visitor: Any) -> None:
    """With the mouse over a lit tile, and with the keyboard on it; and gone when nothing is pointed at."""
    visitor.pick_in_lanes()
    page = visitor.page
    before = page.locator(".lanes-board").inner_text()
    page.locator(".lanes-tile.is-lit").first.hover()
    page.wait_for_selector(".lanes-board.is-preview .lanes-tile.is-new")
    assert page.locator(".lanes-board").inner_text() != before
    assert "lane" in page.locator(".moment small").inner_text()
    page.mouse.move(1, 1)
    page.wait_for_selector(".lanes-board:not(.is-preview)")
    assert page.locator(".lanes-board").inner_text() == before

    tile = int(page.locator(".lanes-tile.is-lit").first.get_attribute("data-tile"))
    page.locator(".lanes-tile[tabindex='0']").focus()
    for _ in range(10):
        at = int(page.evaluate("document.activeElement.dataset.tile"))
        if at == tile:
            break
        if at // 5 != tile // 5:
            page.keyboard.press("ArrowUp" if at // 5 > tile // 5 else "ArrowDown")
        else:
            page.keyboard.press("ArrowLeft" if at > tile else "ArrowRight")
    page.wait_for_selector(".lanes-board.is-preview")
    assert int(page.evaluate("document.activeElement.dataset.tile")) == tile


def test_a_round_is_shared_and_proven_by_somebody_else_and_from_a_file_without_a_server(
    meet: Any, tmp_path: Path
) -> None:
    ann, bob = meet(), meet()
    ann.play("roulette")
    found = ann.proof()
    assert {found[name] for name in ("states", "lines", "ledger")} == {""}
    ann.page.get_by_role("button", name="Share this round").click()
    link = ann.page.locator(".share-link").input_value()

    bob.page.goto(link)
    bob.page.wait_for_selector(".verdict.good")
    bob.page.get_by_text("the ball falls into").wait_for()
    assert re.search(r"\d+ (red|black)?.* · (You (win|lose) 5|Even)", bob.page.locator(".step-head").inner_text())
    bob.page.get_by_role("button", name="Play it").click()
    bob.page.get_by_text("0 of ").wait_for()
    bob.page.get_by_text("the ball falls into").wait_for()
    assert bob.findings() == []
    with bob.page.expect_download() as saved:
        bob.page.get_by_role("button", name="Save the replay").click()
    file = tmp_path / "replay.json"
    saved.value.save_as(file)

    bob.go("replay/file")
    bob.page.evaluate("import('/web/tables/roulette.js')")
    bob.forgives = re.compile("ERR_INTERNET_DISCONNECTED")
    bob.context.set_offline(True)
    bob.page.set_input_files("#replay-file", file)
    bob.page.wait_for_selector(".verdict.good")
    document = json.loads(file.read_text())
    document["steps"][-1]["view"]["game"]["money"]["lines"][0]["returned"] += 1
    changed = tmp_path / "changed.json"  # the browser holds on to a file by its name
    changed.write_text(json.dumps(document))
    bob.page.set_input_files("#replay-file", changed)
    bob.page.wait_for_selector(".verdict.bad")
    wrong = bob.page.locator(".check.bad").evaluate_all("rows => rows.map((row) => row.dataset.check)")
    assert wrong == ["states", "lines"]
    empty = tmp_path / "empty.json"
    empty.write_text("{}")
    bob.page.set_input_files("#replay-file", empty)
    bob.page.get_by_text("The file is neither").wait_for()


def test_a_link_that_is_wrong_says_so(visitor: Any) -> None:
    visitor.forgives = re.compile("404")
    visitor.page.goto(f"{visitor.url}/#/replay/shared/1/{'ab' * 32}")
    visitor.page.get_by_text("There is no such round behind this link").wait_for()
    visitor.page.goto(f"{visitor.url}/#/replay/room/m_none")
    visitor.page.get_by_text("There is no such match").wait_for()
    for path, told in (("room/%E0", "there is nothing here"), ("play/none", "There is no such table.")):
        visitor.page.goto(f"{visitor.url}/#/{path}")
        visitor.page.get_by_text(told, exact=True).wait_for()


def test_a_name_that_begins_with_a_picture_keeps_it_on_its_chair(visitor: Any) -> None:
    visitor.go("account")
    visitor.page.get_by_label("Name").fill("🦊 Fox")
    visitor.page.get_by_role("button", name="Change").click()
    visitor.page.get_by_text("🦊 Fox").wait_for()
    visitor.go("")
    visitor.open_room("lanes", "^Open a room")
    assert visitor.page.locator(".chair-face").first.text_content() == "🦊"


def test_a_button_of_the_account_leaves_the_focus_and_what_was_typed_elsewhere(visitor: Any) -> None:
    visitor.go("account")
    loss, ask = visitor.page.get_by_label("Lose at most"), visitor.page.get_by_role("button", name="Ask for chips")
    loss.fill("50")
    ask.focus()
    visitor.page.keyboard.press("Enter")
    visitor.page.locator("tbody tr").nth(1).wait_for()
    assert ask.evaluate("(one) => one === document.activeElement")
    assert loss.input_value() == "50"


def test_a_name_with_dollars_is_told_as_it_is_in_the_steps_and_in_a_replay(visitor: Any) -> None:
    visitor.go("account")
    visitor.page.get_by_label("Name").fill("A$$e$&")
    visitor.page.get_by_role("button", name="Change").click()
    visitor.page.locator(".purse", has_text="A$$e$&").wait_for()
    visitor.go("")
    visitor.open_room("lanes", "^Play")
    assert visitor.wait_for_turn()
    visitor.unfold()
    visitor.page.get_by_role("button", name="Leave").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    visitor.settle("[data-status=finished]")
    visitor.drawer("Steps")
    visitor.page.locator(".drawer", has_text="A$$e$& left the table").wait_for()
    visitor.go(f"replay/{visitor.page.url.partition('#/')[2]}")
    visitor.page.locator(".step-text", has_text="A$$e$& left the table").wait_for()


def test_an_export_and_a_deletion_that_are_refused_are_told(visitor: Any) -> None:
    visitor.forgives = re.compile("409")
    visitor.page.on("dialog", lambda dialog: dialog.accept())
    visitor.go("account")
    told = "this is not done now"
    visitor.page.route("**/me{,/export}", lambda route: route.fulfill(status=409, json={"code": "no", "detail": told}))
    for button in ("Download everything", "Delete this account"):
        visitor.page.get_by_role("button", name=button).click()
        visitor.page.locator(".refusal", has_text=told).wait_for()
        visitor.page.get_by_role("heading", name="Your account").click()
        visitor.page.locator(".refusal").wait_for(state="detached")


def test_sound_is_off_until_it_is_wanted_and_kept_that_way(meet: Any) -> None:
    one = meet()
    one.page.evaluate(
        """() => {
          window.opened = 0;
          const Real = AudioContext;
          window.AudioContext = class extends Real { constructor() { super(); window.opened += 1; } };
        }"""
    )
    switch = one.page.locator(".sound-switch")
    assert switch.get_attribute("aria-pressed") == "false"
    one.play("roulette")
    assert one.page.evaluate("opened") == 0
    switch.click()
    one.play("roulette")
    assert one.page.evaluate("opened") == 1
    one.page.reload()
    one.page.wait_for_selector(".sound-switch[aria-pressed=true]")
    one.go("account")
    one.page.locator("select[name=sound]").select_option("off")
    one.page.wait_for_selector(".sound-switch[aria-pressed=false]")


def test_every_game_in_the_lobby_tells_its_edge(visitor: Any) -> None:
    """Each of the house, and the shared craps table; the two others are played without a house."""
    visitor.page.wait_for_selector(".games:not(:has-text('…'))")
    visitor.page.wait_for_selector("section:nth-of-type(3) .games:not(:has-text('…'))")
    edges = visitor.page.locator(".game-edge").all_inner_texts()

    assert len(edges) == 13
    assert sum("edge" in text and "%" in text for text in edges) == 11
    assert sum("no house" in text for text in edges) == 2


def test_cards_have_four_colours_for_who_wants_them(visitor: Any) -> None:
    visitor.go("account")
    visitor.page.locator("select[name=deck]").select_option("four")
    visitor.page.reload()
    visitor.page.wait_for_selector("html[data-deck=four]")
    colours = visitor.page.evaluate(
        """async () => {
          const { drawCard } = await import("/web/draw/cards.js");
          return [0, 13, 26, 39].map((card) => {
            const shown = document.body.appendChild(drawCard(card));
            const inks = [...shown.querySelectorAll("*")].map((part) => getComputedStyle(part).fill);
            shown.remove();
            return inks.join();
          });
        }"""
    )

    assert len(set(colours)) == 4


def test_a_page_at_twice_its_size_needs_no_scrolling_sideways(meet: Any) -> None:
    """640 pixels that stand for 1280: what a browser shows at 200 %."""
    one = meet(width=640, height=430, device_scale_factor=2)
    for path in ("play/roulette", "play/craps", "play/blackjack", "account", "history", "replay/file", "decks"):
        one.go(path)
        assert one.page.evaluate("document.documentElement.scrollWidth") == 640, path


def test_older_rounds_are_listed_once_where_they_are_asked_for_twice(visitor: Any) -> None:
    def answer(route: Any) -> None:
        top = int(route.request.url.partition("&before=")[2] or 101) - 1
        round_of = {"game_id": "roulette", "started_at": 1, "is_complete": True, "staked": 10}
        route.fulfill(json=[{"session_id": number, **round_of} for number in range(top, top - 50, -1)])

    visitor.page.route("**/me/sessions?*", answer)
    visitor.go("history")
    visitor.page.get_by_role("button", name="Show older ones").dblclick()
    visitor.page.wait_for_selector(".rooms .room >> nth=99")
    assert visitor.page.locator(".history-sum").inner_text() == "100 rounds, 1,000 staked -1,000"


def test_my_page_tells_results_sums_and_luck_in_words(visitor: Any) -> None:
    """Two rounds of roulette: what they came to stands in the list, in its sum and beside what was to be expected."""
    for _ in range(2):
        visitor.play("roulette")
    visitor.go("history")

    visitor.page.wait_for_selector(".luck")
    luck = visitor.page.locator(".luck").inner_text()
    assert "2 rounds, 10 staked" in luck
    assert re.search(r"bring -0\.27 on average, give or take 7: about \d+ of 100 players", luck)
    found = [int(text) for text in visitor.page.locator(".room b").all_inner_texts()]
    assert len(found) == 2
    total = visitor.page.locator(".history-sum").inner_text()
    assert total.startswith("2 rounds, 10 staked")
    assert int(total.split()[-1]) == sum(found)
    visitor.page.locator("select").select_option(label="Roulette")
    assert visitor.page.locator(".room b").count() == 2
