"""With the keyboard alone, and by ear: no test in this file moves a mouse or touches the screen."""

from __future__ import annotations

import re


def test_roulette_is_played_with_the_keyboard_alone(visitor):
    keys = visitor.page.keyboard
    visitor.open_table("roulette")
    visitor.tab_to(".felt [data-bet]")
    keys.press("ArrowRight")
    bet = visitor.page.evaluate("document.activeElement.dataset.bet")
    keys.press("Enter")
    visitor.tab_to(".bet-bar .primary")
    keys.press("Enter")
    visitor.settle("[data-status=finished]")

    assert visitor.page.locator(f'[data-bet="{bet}"]').count() == 1
    assert visitor.page.evaluate("document.activeElement.closest('.bet-bar') !== null"), "the focus stays at hand"


def test_blackjack_is_played_with_the_keyboard_alone(visitor):
    keys = visitor.page.keyboard
    visitor.open_table("blackjack")
    visitor.tab_to('.felt [data-bet="main"]')
    keys.press("Enter")
    visitor.tab_to('.felt [data-bet="perfect_pairs"]')
    keys.press("Enter")
    visitor.tab_to(".felt .table-primary")
    keys.press("Enter")
    visitor.settle()
    for _ in range(12):
        if visitor.is_over:
            break
        onward = ".felt :is([data-id=stand], [data-id=decline], [data-id=reveal])"
        if not visitor.page.evaluate("(wanted) => document.activeElement.matches(wanted)", onward):
            visitor.tab_to(onward)
        keys.press("Enter")
        visitor.settle()

    assert visitor.is_over
    assert visitor.page.locator(".lines li").count() == 2
    assert visitor.page.evaluate("document.activeElement.closest('.felt') !== null"), "the focus stays at hand"


def test_shut_the_box_is_played_with_the_keyboard_alone(visitor):
    keys = visitor.page.keyboard
    visitor.go("")
    visitor.tab_to("li.game:has(a[href='#/hotseat/shut-the-box']) button.primary")
    keys.press("Enter")
    visitor.page.wait_for_selector("#main[data-shown^=room]", state="attached")
    for _ in range(100):
        if not visitor.wait_for_turn():
            break
        if visitor.page.locator(".shut-box-way").count():
            visitor.tab_to(".shut-box-way")
            keys.press("Enter")
            keys.press("s")  # the letter on the button
        else:
            keys.press("r")
    visitor.tab_to(".drawer-tabs button:last-child")
    keys.press("Enter")

    assert visitor.is_over
    visitor.page.wait_for_selector(".verdict")


def test_the_focus_stays_where_it_is_in_the_list_of_rooms_and_in_a_hall(meet):
    host, other = meet(), meet()
    host.open_room("lanes", "^Open a room")
    host.page.get_by_role("button", name="I am ready").focus()
    host.page.keyboard.press("Enter")
    host.page.locator("button:focus", has_text="Not ready yet").wait_for()

    other.page.clock.install()
    other.go("history")
    other.go("")
    link = other.page.locator(f"a[href='#{host.page.url.partition('#')[2]}']")
    link.focus()
    before = link.element_handle()
    other.page.clock.run_for(5000)
    before.wait_for_element_state("hidden")
    assert link.evaluate("(one) => one === document.activeElement")

    host.page.get_by_role("button", name="Add a bot").focus()
    host.page.keyboard.press("Enter")
    host.settle("[data-status=active]")
    assert host.page.evaluate("document.activeElement.id") == "main", "Tab goes on from the table"


def test_every_event_of_shut_the_box_is_said(visitor):
    visitor.open_room("shut-the-box", "^Play")
    visitor.play_box()

    log = visitor.page.evaluate(
        """async () => {
          const room = location.hash.split("/").at(-1);
          const token = JSON.parse(localStorage.getItem("croupier.token"));
          const answer = await fetch(`/api/v1/rooms/${room}/log`, { headers: { authorization: `Bearer ${token}` } });
          return (await answer.json()).entries.map((entry) => entry.action);
        }"""
    )
    said = [text for text in visitor.said if re.match("You (rolled|shut)", text)]
    expected = [
        "You rolled" if action["type"] == "roll" else f"You shut {', '.join(map(str, action['payload']['tiles']))}"
        for action in log
        if action["type"] in ("roll", "shut")
    ]
    assert len(said) == len(expected) > 0
    assert [text[: len(start)] for text, start in zip(said, expected, strict=True)] == expected
    assert re.search(r"Your score is \d+", visitor.said[-1])


def test_every_event_of_roulette_is_said(visitor):
    visitor.play("roulette")

    number = visitor.page.locator(".roulette-fell b").inner_text()
    came_to = visitor.page.locator(".lines-sum").inner_text().replace("You win", "won").replace("You lose", "lost")
    assert visitor.said[0] == "5 chips on red"
    assert re.search(rf"\b{number}\b", visitor.said[1])
    assert visitor.said[1].endswith(came_to)
