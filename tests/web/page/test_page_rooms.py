"""Several people: two browsers at one table, and two people at one screen."""

from __future__ import annotations

import json
import re

import pytest

from tests.web.conftest import NEXT_FRAME  # type: ignore[import-not-found, unused-ignore]

NEXT = ".cover button:not([disabled]), .felt:is([data-turn=mine], [data-status=finished]):not([data-busy])"
"""At one screen there is something to do: to take the seat, to move, or to see who has won."""

SLOW_PREVIEWS = """() => {
  const [go, wait] = [fetch, (ms) => new Promise((done) => setTimeout(done, ms))];
  window.fetch = async (url, ...more) => (await wait(/preview/.test(url) ? 200 : 0), go(url, ...more));
}"""


def meet_in_a_room(meet, game, people=2):
    """Return visitors at one table, which all but the first found by its code."""
    host, *guests = (meet() for _ in range(people))
    host.open_room(game, "^Open a room")
    for seated, guest in enumerate(guests, 1):
        guest.page.fill("#code", host.page.locator(".code").inner_text().lower())
        guest.page.get_by_role("button", name="Enter").click()
        guest.page.get_by_role("button", name="Take a seat").click()
        host.page.wait_for_selector(f":nth-match(.chair.is-ready, {seated})")
    host.page.get_by_role("button", name="I am ready").click()
    for one in (host, *guests):
        one.settle("[data-status=active]")
    return host, *guests


def end_lanes(host, guest, cards):
    """Play a match of Lanes to its end, each with so many moves that may play a card; return how many each made."""
    moves = {host: 0, guest: 0}
    while not host.is_over:
        mine = host if host.page.locator(".table-status").inner_text() == "your turn" else guest
        mine.settle("[data-turn=mine]")
        before = mine.version
        mine.move_in_lanes(plays=moves[mine] < cards)
        moves[mine] += 1
        for one in (host, guest):
            one.wait_for_version(before + 1)
    for one in (host, guest):
        one.settle("[data-status=finished]")
    return moves


def test_two_browsers_play_lanes_to_the_end(meet):
    host, guest = meet_in_a_room(meet, "lanes")
    guest.page.evaluate(SLOW_PREVIEWS)  # a move is not made before what was asked about it is answered
    moves = end_lanes(host, guest, cards=4)

    assert min(moves.values()) >= 3
    points = [one.page.locator(".lanes-points").all_inner_texts() for one in (host, guest)]
    assert points[0] == points[1][::-1], "each sees their own side first"
    for one in (host, guest):
        assert not one.went_back
        assert "bad" not in one.proof().values()


def bet_at_the_same_time(host, guest):
    """Hold the host's chip back until the guest's has arrived: it is sent for a state that is no longer there."""
    host.forgives = re.compile("status of 409")  # the browser's own words for it
    host.page.evaluate(NEXT_FRAME, ["act", "hold"])
    host.page.locator('[data-bet="field"]').click()
    host.page.wait_for_function("Boolean(window.goOn)")
    before = guest.version
    guest.bet("field")
    assert guest.version == before + 1
    host.page.evaluate("goOn()")
    host.page.wait_for_selector('[data-bet="field"].has-chips', state="attached")
    host.settle()
    guest.wait_for_version(host.version)
    for one in (host, guest):
        assert one.page.locator('[data-bet="field"].has-chips').count() == 1
        assert one.page.locator('[data-bet="field"] .spot-other').count() == 1
        assert one.page.locator("#banner").is_hidden()


def act_where_the_connection_breaks(host):
    """Whether an action or its answer is lost with the live connection: a request asks for it, and it happens once."""
    asked: list[tuple[str, str]] = []
    host.page.on("request", lambda one: asked.append((one.method, one.url.rpartition("/")[2])))
    before = host.version
    for number, does in enumerate(("go", "lose", "cut")):
        host.page.evaluate(NEXT_FRAME, ["act", does])
        host.page.locator('[data-bet="field"]').click()
        host.wait_for_version(before + number + 1)
        assert host.version == before + number + 1
        assert asked.count(("POST", "actions")) == number
        if does == "go":
            assert asked == [], "the live connection is all it takes"


def test_two_browsers_bet_at_one_craps_table(meet):
    host, guest, third = meet_in_a_room(meet, "craps-table", people=3)  # the third only watches its chips
    stakes = {host: "pass", guest: "dont_pass"}
    for one, other in ((host, guest), (guest, host)):
        one.settle("[data-turn=mine]")
        one.act("Buy in")
        other.wait_for_version(one.version)
        one.bet(stakes[one])
        other.wait_for_version(one.version)
    for one, bet in stakes.items():
        assert one.page.locator(f'[data-bet="{bet}"].has-chips').count() == 1
    assert host.page.locator('[data-bet="dont_pass"].has-chips').count() == 0, "the guest's chips are not the host's"
    assert host.page.locator('[data-bet="dont_pass"] .spot-other').count() == 1, "but they are seen"

    bet_at_the_same_time(host, guest)
    act_where_the_connection_breaks(host)
    everybody = (third, guest, host)
    newest = host.version
    for one in everybody:
        one.wait_for_version(newest)
        if one.press("Ready"):
            one.settle()
            newest = one.version
    for one in everybody:
        one.wait_for_version(newest)
    assert [one.press("Roll") for one in everybody].count(True) == 1, "one shoots for all"
    for one in everybody:
        one.page.wait_for_selector(".craps-last li", state="attached")
        one.settle()

    rolls = [one.page.locator(".craps-last li").last.inner_text() for one in (host, guest)]
    faces = [next(text for text in one.said if re.match(r"[1-6] and [1-6]: ", text)) for one in (host, guest)]
    assert rolls[0] == rolls[1]
    assert faces[0].split(":")[0] == faces[1].split(":")[0]
    assert not host.went_back
    assert not guest.went_back


@pytest.mark.parametrize("game", ["lanes", "shut-the-box"])
def test_two_people_play_at_one_screen(visitor, game):
    page = visitor.page
    visitor.go("")
    page.locator(f'a[href="#/hotseat/{game}"]').click()
    page.wait_for_selector("#main[data-shown^='hotseat/'][data-shown*='/m']", state="attached")
    hands_over = turns = 0
    while True:
        page.wait_for_selector(NEXT, state="attached")
        cover = page.locator(".cover button:not([disabled])")
        if cover.count():
            assert page.locator(".felt").count() == 0, "no hand is seen while the screen changes hands"
            cover.click()
            hands_over += 1
        elif visitor.is_over:
            break
        elif game == "lanes":
            visitor.move_in_lanes(plays=turns < 6)
            turns += 1
        elif not visitor.press("Roll"):
            page.locator(".shut-box-way").first.click()
            assert visitor.press("Shut")

    assert hands_over >= 1
    assert page.locator(".table-status").inner_text() == "the match is over"
    assert "bad" not in visitor.proof().values()


def test_one_screen_for_two_goes_on_after_answers_that_were_lost_and_moves_in_another_tab(visitor):
    page, left = visitor.page, [*"lost!"]
    visitor.forgives = re.compile("ERR_FAILED|409")
    page.goto(f"{visitor.url}/#/hotseat/lanes")
    visitor.settle()
    page.route("**/rooms/*?legal=true", lambda it: it.abort() if left and left.pop() else it.continue_())
    assert visitor.press("Keep this hand")
    page.wait_for_selector('.felt[data-version="1"]')
    other = visitor.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Pass").click()
    other.wait_for_selector(".cover")
    assert visitor.press("Pass")
    page.wait_for_selector(".cover")


def test_people_see_who_is_there_and_who_watches_and_meet_again(meet):
    host, guest, watcher = meet(permissions=["clipboard-read", "clipboard-write"]), meet(), meet(width=390, height=844)
    host.open_room("lanes", "^Open a room")
    chairs = host.page.locator(".chair")
    assert chairs.all_text_contents()[1] == "+free"  # whether or not it is drawn yet
    assert chairs.count() == 2
    host.page.get_by_role("button", name="Copy the link").click()
    host.page.get_by_role("button", name="The link is copied.").wait_for()
    link = host.page.evaluate("navigator.clipboard.readText()")
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Take a seat").hover()
    guest.page.mouse.down()
    host.page.get_by_role("button", name="I am ready").click()
    guest.page.wait_for_selector(".chair.is-ready")
    guest.page.mouse.up()  # what came meanwhile has not drawn the button anew: it hears the click
    for one in (host, guest):
        one.settle("[data-status=active]")
    watcher.page.goto(link)
    watcher.page.get_by_text("you are watching").wait_for()
    assert watcher.page.locator(".felt button:visible").count() == watcher.page.locator(".lanes-tile").count()

    host.unfold()
    copy = host.page.get_by_role("button", name="Copy the link")
    copy.focus()
    guest.page.goto("about:blank")
    host.page.get_by_text("away since").wait_for()
    assert copy.evaluate("(one) => one === document.activeElement"), "nor are the buttons of the match"
    host.page.locator(".menu > summary").click()
    guest.page.goto(link)
    host.page.get_by_text("away since").wait_for(state="detached")
    end_lanes(host, guest, cards=0)
    for one in (host, guest):
        assert one.press("Play again")
        one.page.wait_for_selector(f"#main:not([data-shown='{link.partition('#/')[2]}'])", state="attached")
    guest.page.wait_for_selector(".chair >> nth=1")
    assert guest.page.url == host.page.url


def test_nobody_is_shown_as_away_before_it_is_told_who_is_there(visitor):
    visitor.ask_by_requests()
    visitor.open_room("lanes", "^Play")
    visitor.settle()
    assert visitor.page.locator(".seat.current").count() == 1
    assert visitor.page.locator(".seat.away").count() == 0


def test_a_question_to_undo_is_answered_on_every_screen(meet):
    host, guest = meet_in_a_room(meet, "lanes")
    mine, other = (host, guest) if host.felt("turn") == "mine" else (guest, host)
    mine.move_in_lanes(plays=False)
    mine.unfold()
    mine.page.get_by_role("button", name="Ask to undo").click()
    agree = other.page.get_by_role("button", name="Agree")
    for width, height in ((320, 568), (390, 844), (768, 1024), (844, 390), (1280, 800)):
        other.page.set_viewport_size({"width": width, "height": height})
        agree.click(trial=True)  # nothing lies over it
    agree.click()
    agree.wait_for(state="detached")


def test_a_button_of_a_hall_that_is_pressed_twice_is_pressed_once(visitor):
    visitor.open_room("craps-table", "^Open a room")
    add, away = (visitor.page.get_by_role("button", name=re.compile(name)) for name in ("Add a bot", "^Send .* away"))
    add.dblclick()
    away.wait_for()
    add.click()
    away.nth(1).wait_for()
    away.first.dblclick()
    add.wait_for()
    assert [url.partition("/bots")[1:] for url in visitor.page.asked if "/bots" in url] == [
        ("/bots", ""),
        ("/bots", ""),
        ("/bots", "/1"),
    ]


# The seed of a room, which everybody makes.

PLAY_A_BOT = "^Play a bot"


def test_nothing_of_ours_is_made_before_the_receipt_is_kept_and_nothing_is_sent_with_the_room(visitor):
    """A page that sent its part with the request for the commitment would let the host choose its own by it."""
    visitor.page.evaluate(
        """() => {
          const draw = crypto.getRandomValues.bind(crypto);
          window.keptAt = [];
          crypto.getRandomValues = (bytes) => {
            const kept = JSON.parse(localStorage.getItem("croupier.kept")).kept;
            if (bytes.length === 32) window.keptAt.push(kept.at(-1));
            return draw(bytes);
          };
        }"""
    )
    with visitor.page.expect_request("**/rooms") as made:
        visitor.open_room("lanes", PLAY_A_BOT)
    visitor.settle("[data-status=active]")
    visitor.play("roulette")

    assert sorted(json.loads(made.value.post_data)) == ["bots", "game", "seats"]
    (room, session) = visitor.page.evaluate("window.keptAt")
    assert (room["kind"], session["kind"]) == ("room", "session")
    for kept in (room, session):
        assert len(kept["receipt"]) == 128
        assert "secret" not in kept
        assert "client_seed" not in kept


def test_a_room_that_asks_for_a_secret_for_other_seats_than_it_shows_gets_none(visitor):
    visitor.alter("/ready$", lambda body: re.sub(rb'"seats_digest":"\w{2}', b'"seats_digest":"00', body))
    visitor.press_in_lobby("lanes", PLAY_A_BOT)

    assert "for other seats than it showed" in visitor.warning()
    assert not [url for url in visitor.page.asked if url.endswith("/open")]


def test_a_page_that_was_left_before_it_opened_opens_when_it_is_back(visitor):
    visitor.page.route("**/open", lambda route: None)  # never answered
    with visitor.page.expect_request("**/open") as lost:
        visitor.press_in_lobby("lanes", PLAY_A_BOT)
    visitor.page.unroute("**/open")
    visitor.page.reload()
    visitor.go(f"room/{lost.value.url.split('/')[-2]}")
    visitor.settle("[data-status=active]")


@pytest.mark.soak
def test_a_player_who_does_not_open_has_left_and_is_named(meet):
    """It takes the ten seconds that everybody has to open."""
    host, guest = meet(), meet()
    host.open_room("craps-table", "^Open a room")
    guest.page.fill("#code", host.page.locator(".code").inner_text())
    guest.page.get_by_role("button", name="Enter").click()
    guest.page.route("**/open", lambda route: None)
    guest.page.get_by_role("button", name="Take a seat").click()
    host.page.wait_for_selector(".chair.is-ready")
    host.page.get_by_role("button", name="Add a bot").click()
    host.page.get_by_role("button", name="I am ready").click()
    host.settle("[data-status=active]")

    assert "(did not open)" in host.page.locator(".seats").inner_text()
