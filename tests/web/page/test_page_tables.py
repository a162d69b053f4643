"""Every game is played through the page to its proof; chips, refusals, advice and results as a player meets them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.web.conftest import NEXT_FRAME  # type: ignore[import-not-found, unused-ignore]

NO_SUCH = re.compile("404|400|409|422|net::ERR_")
"""Complaints of the browser about answers and lines that these tests bring about themselves."""


def give(visitor: Any, chips: int) -> None:
    """Let the page believe in a purse of so many chips when it loads next."""

    def answer(body: bytes) -> bytes:
        account = json.loads(body)
        account["house"]["chips"] = chips
        return json.dumps(account).encode()

    visitor.alter("/api/v1/me$", answer)


def reopen(visitor: Any, path: str, **memory: Any) -> None:
    """Load a table anew, with what the browser remembers of it."""
    game = path.split("/")[1]
    visitor.page.evaluate(
        "([name, value]) => localStorage.setItem(name, value)", [f"croupier.memory.{game}", json.dumps(memory)]
    )
    visitor.page.goto(f"{visitor.url}/#/{path}")
    visitor.page.reload()
    visitor.page.wait_for_selector(f'#main[data-shown="{path}"]', state="attached")
    visitor.settle()


def purse(visitor: Any) -> int:
    return int(visitor.page.locator(".purse strong").inner_text().replace(",", ""))


def total(visitor: Any) -> int:
    return int(visitor.page.locator(".bet-total b").inner_text().replace(",", ""))


# Whole rounds, from the first chip to the proof.

KEPT = {"kept", "receipt", "mine", "client seed", "asked", "count", "log"}
USUAL = {"form", "seal", "commitment", "seed", *KEPT}
"""Checks in the proof of every record whose seed was committed to while this browser kept the receipt."""


def check_proof(visitor: Any) -> dict[str, str]:
    """Open the proof: it has every usual check, and none of them fails. Return what became of each."""
    checks: dict[str, str] = visitor.proof()
    assert checks.keys() >= USUAL
    assert "bad" not in checks.values()
    return checks


@contextmanager
def held_back(visitor: Any, asked: str) -> Iterator[None]:
    """Hold answers back, and let them go in the end."""
    held: list[Any] = []
    visitor.page.route(asked, lambda route: held.append(route))
    yield
    for route in held:
        route.continue_()
    visitor.page.unroute(asked)


def test_a_round_is_played_and_proven(visitor, house_game):
    visitor.play(house_game)

    assert re.match(r"You (win|lose) [\d,]+|Even", visitor.page.locator(".lines-sum").inner_text())
    checks = check_proof(visitor)
    # A dealer who has peeked draws by a rule of their own, which the page leaves to `croupier verify`.
    left_open = {"draws"} if house_game == "blackjack" else set()
    assert {name for name, what in checks.items() if what == "open"} <= left_open
    verdict = visitor.page.locator(".verdict").inner_text()
    assert re.match(
        "The (cards|dice|numbers) were fixed before you bet, and you mixed in a number of your own", verdict
    )
    assert verdict.endswith("worked them out again: the same.") == (checks["draws"] == "")


@pytest.mark.parametrize("game", ["roulette", "craps", "baccarat", "casino-war"])
def test_a_table_is_played_at_before_its_odds_are_counted(visitor, game):
    has_prices = "() => document.querySelector('.felt').innerHTML.includes('edge ')"
    with held_back(visitor, "**/odds?*"):
        visitor.play(game)
        assert not visitor.page.evaluate(has_prices)
    visitor.page.wait_for_function(has_prices)


def watch_what_is_asked(visitor: Any) -> list[tuple[str, str, str]]:
    """Return a list that fills with what is asked of the house from here on: over what, for what, with which action."""
    asked: list[tuple[str, str, str]] = []

    def note(how: str, what: str, text: str | None) -> None:
        body = json.loads(text or "{}")
        if what not in ("tickets", "ping"):
            asked.append((how, what, (body.get("action") or {}).get("type", "")))

    def request(one: Any) -> None:
        if one.method == "POST":
            note("http", one.url.rpartition("/")[2].partition("?")[0], one.post_data)

    def socket(one: Any) -> None:
        one.on("framesent", lambda text: note("live", json.loads(text)["type"], text))

    visitor.page.on("request", request)
    visitor.page.on("websocket", socket)
    return asked


def test_a_round_begins_with_its_bets_in_one_request(visitor, house_game):
    asked = watch_what_is_asked(visitor)
    visitor.open_table(house_game)
    asked.clear()
    if house_game in LAID:
        visitor.bet(LAID[house_game])
    if house_game != "craps":  # where every chip is sent as it is laid, and the first opens the session
        assert visitor.press("Deal", "Roll", "Spin")
    visitor.settle()

    begun, *after = [(what, action) for _, what, action in asked]
    assert begun in [(what, FIRST.get(house_game, "batch")) for what in ("start", "sessions")]
    assert set(after) <= {("move", "reveal"), ("moves", "reveal")}  # what follows by itself, without a choice


SOCKETS = """() => {
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...all) {
      super(...all);
      window.sockets.push(this);
    }
  };
}"""
IS_LIVE = "() => window.sockets.at(-1)?.readyState === 1"


@pytest.mark.parametrize("does", ["go", "lose", "cut"])
def test_a_session_is_played_over_the_live_connection_and_where_that_breaks_by_requests(visitor, does):
    """Whether a move or its answer is lost with the connection: a request asks for it, and it happens once."""
    asked = watch_what_is_asked(visitor)
    visitor.page.evaluate(SOCKETS)
    visitor.open_table("hi-lo")
    visitor.page.wait_for_function(IS_LIVE)
    asked.clear()
    for pressed, frame, path in (("Deal", "start", "sessions"), ("Cash", "move", "moves")):
        visitor.page.wait_for_function(IS_LIVE)
        visitor.page.evaluate(NEXT_FRAME, [frame, does])
        visitor.act(pressed, until="[data-status=active]" if frame == "start" else "[data-status=finished]")
        ways = [(how, what) for how, what, _ in asked]
        assert ways == [("live", frame)] * (does != "lose") + [("http", path)] * (does != "go")
        asked.clear()
    assert purse(visitor) == 1_000, "nothing was staked twice"


LAID = {"baccarat": "player", "craps": "field", "roulette": "red", "sic-bo": "small"}
FIRST = {"craps": "place", "casino-war": "play", "hi-lo": "", "video-poker": ""} | dict.fromkeys(
    ("blackjack", "three-card-poker", "ultimate-texas-holdem"), "deal"
)
"""The action that a session is opened with; where the stake alone has the cards dealt, none."""


def test_shut_the_box_is_played_alone_and_proven(visitor):
    """It ends with a score, not with a draw."""
    visitor.open_room("shut-the-box", "^Play")
    visitor.play_box()

    assert visitor.is_over
    said = visitor.page.locator(".moment").inner_text()
    assert re.search(r"Your score is \d+", said)
    assert "draw" not in said
    check_proof(visitor)


def test_lanes_is_played_against_a_bot_and_proven(visitor):
    visitor.open_room("lanes", "^Play")
    for turn in range(40):
        if not visitor.wait_for_turn():
            break
        visitor.move_in_lanes(plays=turn < 4)

    assert visitor.is_over
    check_proof(visitor)


def test_a_hand_at_the_craps_table_is_played_and_proven(visitor):
    visitor.open_room("craps-table", "^Play")
    visitor.settle()
    visitor.act("Buy in")
    chips = visitor.page.locator(".tray-chip")
    assert [chips.nth(place).is_disabled() for place in range(7)] == [False] * 4 + [True] * 3, "the rack is 200"
    visitor.bet("pass")
    for _ in range(200):  # a line is open for longer than this once in 10^18 hands
        visitor.act("Roll")
        if re.search("pass line (wins|loses|comes back)", visitor.said[-1]):
            break
    visitor.page.locator(".shared-bank summary").click()
    visitor.act("Cash out", until="[data-status=finished]")

    rolls = [text for text in visitor.said if re.match(r"[1-6] and [1-6]: ", text)]
    assert len(rolls) == visitor.page.locator(".craps-last li").count()
    check_proof(visitor)


# Chips.


def test_chips_one_does_not_have_are_off_and_nothing_becomes_all_in(visitor):
    give(visitor, 343)
    reopen(visitor, "play/roulette", chip=500, last=[{"bet": "red", "stake": 500}])
    page = visitor.page
    chips = page.locator(".tray-chip")
    assert [chips.nth(place).is_disabled() for place in range(7)] == [False] * 4 + [True] * 3
    assert page.locator(".tray-chip[aria-checked=true]").get_attribute("aria-label") == "100 chips"

    page.get_by_role("button", name="Rebet").click()
    assert total(visitor) == 0
    assert "500 chips; you have 343" in page.locator(".refusal").inner_text()
    for stake in (100, 200, 300):
        visitor.bet("red")
        assert total(visitor) == stake
    assert page.locator(".refusal").count() == 0, "what was solved is not complained of"
    black = page.locator('.felt [data-bet="black"]').first
    black.click()
    refusal = page.locator(".refusal")
    assert "you have 343" in refusal.inner_text()
    said, there = refusal.bounding_box(), black.bounding_box()
    assert abs(said["y"] + said["height"] / 2 - there["y"] - there["height"] / 2) < 100, "it is told at the bet"
    assert said["x"] < there["x"] + there["width"]
    assert there["x"] < said["x"] + said["width"]
    assert total(visitor) == 300
    page.get_by_role("button", name="Double").click()
    assert total(visitor) == 300


def test_a_card_table_never_bets_more_than_there_is(visitor):
    give(visitor, 343)
    reopen(visitor, "play/blackjack", chip=100, bets={"main": 300})
    main = visitor.page.locator('.felt [data-bet="main"]')
    main.click()
    assert "300 chips on it" in str(main.get_attribute("aria-label"))
    assert "you have 343" in visitor.page.locator(".refusal").inner_text()
    visitor.page.locator('.felt [data-id="double-bets"]').click()
    assert "300 chips on it" in str(main.get_attribute("aria-label"))


def test_a_player_without_chips_is_offered_the_daily_ones(visitor):
    give(visitor, 0)
    reopen(visitor, "play/roulette")
    visitor.page.get_by_role("button", name="Take today's 1,000 chips").click()
    visitor.page.wait_for_selector(".purse strong:text('2,000')")
    visitor.page.get_by_role("button", name="Take today's").wait_for(state="detached")
    visitor.bet("red")


def test_a_choice_that_costs_more_than_is_left_is_not_offered_and_the_felt_says_so(visitor):
    reopen(visitor, "play/three-card-poker", bets={"ante": 600})
    visitor.act("Deal")
    assert visitor.page.locator(".moment").inner_text() == "You have 400 more chips: what costs more is not offered."
    assert not visitor.press("Play")
    visitor.act("Fold", until="[data-status=finished]")


# The edge, and the coach.


def test_the_edge_on_a_bet_is_that_of_the_best_way_to_play_it(visitor):
    visitor.open_table("blackjack")
    label = visitor.page.locator('.felt [data-bet="main"]').get_attribute("aria-label")
    assert "edge 0.52 % with basic strategy" in str(label)


def test_the_coach_names_every_choice_and_what_it_costs(visitor):
    visitor.deal("three-card-poker")
    with held_back(visitor, "**/coach"):
        visitor.drawer("Coach")
        visitor.page.get_by_text("The coach is thinking").wait_for()
    visitor.page.wait_for_selector(".advice li")
    rows = visitor.page.locator(".advice li").all_inner_texts()
    assert sorted(row.split()[0] for row in rows) == ["Fold", "Play"]
    assert "best" in rows[0]
    assert re.search(r"costs [\d.]+ chips more on average", rows[1])


def test_advice_for_a_street_that_is_past_is_not_shown(visitor):
    visitor.deal("ultimate-texas-holdem")
    visitor.drawer("Coach")
    visitor.page.wait_for_selector(".advice li:has-text('4×')")
    with held_back(visitor, "**/coach"):
        visitor.act("Check")
        visitor.page.get_by_text("The coach is thinking").wait_for()
        assert visitor.page.locator(".advice").count() == 0
    visitor.page.wait_for_selector(".advice li:has-text('2×')")


def test_hidden_cards_are_shown_face_down(visitor):
    visitor.deal("three-card-poker")
    dealer = visitor.page.get_by_role("region", name="Dealer")
    labels = "all => all.map((card) => card.ariaLabel)"
    assert dealer.locator(".card").evaluate_all(labels) == ["a card face down"] * 3
    assert dealer.inner_text() == "DEALER", "nothing is said of cards that nobody has seen"
    visitor.act("Play", until="[data-status=finished]")
    assert "a card face down" not in visitor.page.locator(".felt .card").evaluate_all(labels)
    panel = "import('/web/generic/panels.js').then(({ panel }) => panel([3, null]).textContent)"
    assert visitor.page.evaluate(panel) == "3?"


# Refusals, and the way out.


def test_a_refusal_stands_at_the_field_and_goes_when_something_else_is_typed(visitor):
    visitor.forgives = NO_SUCH
    code = visitor.page.get_by_label("Room code")
    code.fill("ZZZZZZ")
    code.press("Enter")
    refusal = visitor.page.locator(".refusal")
    refusal.wait_for()
    box, field = refusal.bounding_box(), code.bounding_box()
    assert abs(box["y"] + box["height"] - field["y"]) < 80
    assert visitor.page.locator("#banner").is_hidden()
    code.press("A")
    refusal.wait_for(state="detached")


CHANGED_FRAME = """([from, to]) => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) { send.call(this, text.replace(from, to)); };
}"""


@pytest.mark.parametrize(
    ("game", "sent", "told"),
    [
        ("roulette", ('"bet":"red"', '"bet":"rouge"'), "Roulette has no bet 'rouge'; did you mean red?"),
        ("roulette", ('"stake":5', '"stake":"ten"'), "stake of number 1 of bets cannot be 'ten': expected a whole"),
        ("hi-lo", ('"stake":5', '"stake":0'), "stake 0 at Hi-Lo: a stake is needed to sit down"),
    ],
)
def test_a_refusal_of_the_rules_has_the_words_of_the_terminal(visitor, game, sent, told):
    """The page sends nothing that is refused, so a bet is changed on its way: what a player reads then has no path."""

    def on_the_way(route: Any) -> None:
        route.continue_(post_data=(route.request.post_data or "").replace(*sent) or None)

    visitor.forgives = NO_SUCH
    reopen(visitor, f"play/{game}", chip=5)
    visitor.page.route("**/api/v1/**", on_the_way)
    visitor.page.evaluate(CHANGED_FRAME, sent)
    if game == "roulette":
        visitor.bet("red")
    visitor.press("Spin" if game == "roulette" else "Deal")
    refusal = visitor.page.locator(".refusal, #banner:not([hidden])").first
    refusal.wait_for()

    assert told in refusal.inner_text()
    assert not re.search(r"\$|\w\[\d|\w\.\w", refusal.inner_text())


def test_leaving_a_match_is_asked_about(visitor):
    visitor.open_room("shut-the-box", "^Play")
    visitor.settle("[data-turn=mine]")
    leave = visitor.page.get_by_role("button", name="Leave")
    visitor.unfold()
    leave.click()
    visitor.page.get_by_role("button", name="Stay").click()
    assert visitor.felt("status") == "active"
    leave.click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    visitor.settle("[data-status=finished]")


def test_what_is_pressed_while_the_line_is_lost_is_sent_when_it_is_back(visitor):
    visitor.forgives = NO_SUCH
    visitor.open_table("hi-lo")
    failed: list[Any] = []
    visitor.page.on("requestfailed", lambda request: failed.append(request) if request.method == "POST" else None)
    visitor.context.set_offline(True)
    visitor.page.wait_for_selector("body.offline", state="attached")
    assert "is sent when it is back" in visitor.page.locator("#banner").inner_text()
    assert visitor.press("Deal")
    while len(failed) < 4:  # as often as it is tried at once; then it waits
        visitor.page.wait_for_event("requestfailed")
    visitor.context.set_offline(False)
    visitor.settle("[data-status=active]")


def test_the_focus_is_where_it_was_when_the_ball_has_fallen(meet):
    visitor = meet(reduced_motion="no-preference")
    visitor.open_table("roulette")
    visitor.bet("red")
    go = visitor.page.locator(".bet-bar .primary")
    go.focus()
    visitor.page.keyboard.press("Enter")
    visitor.settle("[data-status=finished]")
    assert visitor.page.evaluate("document.activeElement.matches('.bet-bar .primary')")
    assert go.inner_text() == "Spin again"
    before = visitor.felt("match")
    visitor.page.keyboard.press("Enter")  # the same bets, in one press
    visitor.page.wait_for_selector(f".felt:not([data-match='{before}'])", state="attached")
    visitor.settle("[data-status=finished]")
    assert visitor.page.locator(".lines li").count() == 1


def test_a_second_tab_follows_the_first(visitor):
    visitor.open_table("hi-lo")
    other = visitor.context.new_page()
    other.goto(f"{visitor.url}/#/play/hi-lo")
    other.wait_for_selector(".felt[data-status=none]", state="attached")
    visitor.act("Deal", until="[data-status=active]")
    other.wait_for_selector(f".felt[data-status=active][data-match='{visitor.felt('match')}']", state="attached")
    visitor.act("Cash", until="[data-status=finished]")
    other.wait_for_selector(".felt[data-status=finished]", state="attached")
    assert other.locator(".purse strong").inner_text() == "1,000"


# Words.


def test_a_button_of_the_lobby_that_is_pressed_twice_opens_one_room(visitor):
    card = visitor.page.locator("li.game").filter(has=visitor.page.get_by_role("heading", name="Lanes", exact=True))
    card.get_by_role("button", name="Open a room").dblclick()
    visitor.page.wait_for_selector(".hall")
    visitor.go("history")
    assert visitor.page.locator("a[href^='#/room/']").count() == 1


def test_the_lobby_counts_its_games(visitor):
    cards = visitor.page.locator("li.game").count()
    assert f"{cards} games" in visitor.page.locator(".lead").first.inner_text()


def test_super_mode_is_offered_where_there_is_one_and_says_what_it_costs(visitor):
    visitor.go("play/roulette")
    offered = visitor.page.get_by_role("checkbox", name=re.compile("^Super"))
    offered.click()
    asked = visitor.page.get_by_role("dialog")
    assert re.search(r"a fee of a fifth of each stake.*[\d.]+ %", asked.inner_text())
    chosen = visitor.page.locator(".tray-chip[aria-checked=true]").get_attribute("title")
    visitor.page.keyboard.press("4")
    assert visitor.page.locator(".tray-chip[aria-checked=true]").get_attribute("title") == chosen != "key 4"
    asked.get_by_role("button", name="Not now").click()
    visitor.page.locator(".super input:not(:checked)").wait_for()
    offered.click()
    with visitor.page.expect_response("**/me/modifiers"):
        asked.get_by_role("button", name="Play super").click()
    assert offered.is_checked()
    visitor.bet("red")
    visitor.act("Spin", until="[data-status=finished]")
    assert not offered.is_checked(), "it was armed for one round"

    visitor.alter(r"/odds\?.*is_super=true", lambda body: json.dumps({**json.loads(body), "bets": []}).encode())
    with visitor.page.expect_response("**/odds?*is_super=true"):
        visitor.go("play/sic-bo")
    visitor.settle()
    assert offered.count() == 0


# Two pairs of kings, with an ace and with a queen.
KICKERS = """async () => {
  const ctx = { memory: {}, chip: 1, balance: () => 9, say: () => {}, foot: document.createElement("div") };
  const { default: table } = await import("/web/tables/ultimate-texas-holdem.js");
  const game = { outcome: "won", hole: [25, 26], dealer: [38, 50], board: [12, 14, 32, 47, 10] };
  return table.mount(document.createElement("div"), ctx).headline({ view: { result: {}, game } });
}"""


def test_what_happened_is_told_in_words_and_not_in_names_of_actions(visitor):
    visitor.deal("ultimate-texas-holdem")
    visitor.drawer("Steps")
    visitor.page.wait_for_selector(".steps li")
    assert visitor.page.locator(".steps details").count() == 0  # not before the end: hidden cards may be among it
    visitor.act("Play 4×", until="[data-status=finished]")
    visitor.page.wait_for_selector(".steps li:has-text('Bet 4× the Ante')")
    assert visitor.page.locator(".felt .card.is-dim").count() == 4, "of nine cards the five that count stand out"
    assert "ace kicker beats queen kicker" in visitor.page.evaluate(KICKERS)
    told = visitor.page.locator(".steps").inner_text() + visitor.page.locator(".moment").inner_text()
    assert not re.search(r"[a-z]_[a-z]|stake=", told)

    # What `croupier replay --draws` lists stands below each step, and the cards in it are those on the table.
    drawn = visitor.page.locator(".steps details li").all_text_contents()
    assert all(
        re.fullmatch(r"(10|[2-9AJQK])[♠♥♦♣]: number \d+ of \d\d, counted from 0, out of \d bytes?", line)
        for line in drawn
    )
    suits = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
    shown = visitor.page.locator(".felt .card").evaluate_all("all => all.map((card) => card.ariaLabel)")
    assert sorted(line.partition(":")[0][-1] for line in drawn) == sorted(suits[card.split()[-1]] for card in shown)
    aces = [card for card in shown if card.startswith("ace")]
    assert (len(drawn), sum(line.startswith("A") for line in drawn)) == (9, len(aces))


# The first minute.


def test_the_lobby_on_a_phone_begins_with_rooms_and_every_tile_is_a_link(meet):
    visitor = meet(width=390, height=844)
    code = visitor.page.get_by_label("Room code").bounding_box()
    assert code["y"] + code["height"] < 400
    for game in ("sic-bo", "hi-lo"):
        visitor.go("")
        picture = visitor.page.locator(f'li.game:has(a[href="#/play/{game}"]) .mark')
        picture.scroll_into_view_if_needed()
        box = picture.bounding_box()
        visitor.page.mouse.click(box["x"] + 5, box["y"] + 5)
        visitor.page.wait_for_selector(f'#main[data-shown="play/{game}"]', state="attached")


def test_a_table_is_folded_to_what_is_played_next(meet):
    """Drawers are closed, roads are folded, craps begins with its lines, and holds are under their cards."""
    visitor = meet(width=390, height=844)
    visitor.go("play/baccarat")
    assert visitor.page.locator(".drawers").is_hidden()
    assert visitor.page.locator(".baccarat-roads").is_hidden()
    visitor.go("play/craps")
    assert visitor.page.locator('.felt [data-bet="pass"]').is_visible()
    assert visitor.page.locator('.felt [data-bet="next:12"]').is_hidden()
    visitor.go("play/video-poker")
    tops = "all => all.map((one) => one.querySelector('.video-poker-key').getBoundingClientRect().top)"
    ends = "all => all.map((one) => one.querySelector('.card').getBoundingClientRect().bottom)"
    holds = visitor.page.locator(".video-poker-hold")
    assert all(top >= end for top, end in zip(holds.evaluate_all(tops), holds.evaluate_all(ends), strict=True))


def test_a_visitor_finds_their_way_by_what_they_read(meet):
    """From the lobby over a bet and its result to the proof, by visible texts alone."""
    visitor = meet(width=390, height=844)
    page = visitor.page
    page.get_by_text("Roulette", exact=True).click()
    page.get_by_text("1. Choose a chip · 2. Click a bet · 3. Spin").wait_for()
    page.get_by_role("radio", name="25 chips").click()
    page.get_by_text("Odd", exact=True).click()
    page.get_by_text("Odd · pays 1 to 1 · edge 2.70 %").wait_for()
    page.get_by_text("Spin", exact=True).click()
    page.get_by_text(re.compile("^You (win|lose) 25$")).wait_for()
    page.get_by_text("Why", exact=True).click()
    page.get_by_text(re.compile("^odd: 25 (lost|wins 25, 50 back)$")).wait_for()
    page.get_by_text("Proof", exact=True).click()
    page.get_by_text("The numbers were fixed before you bet").wait_for()
    page.get_by_text("A locked box").wait_for()
