"""Casino war at the table: the cards of deal and war, what is covered, what is marked, the table and the page."""

from __future__ import annotations

import pytest

from croupier.games.casino_war import rules
from croupier.games.casino_war.options import CasinoWarOptions
from croupier.house.money import Cover
from croupier.testing import cards_of, laid, lines
from tests.games.casino_war import facts
from tests.games.casino_war.facts import KIT, MARKED, NO_BONUS, SURRENDER, WAR, played, war_stream
from tests.games.pages import percent

GAME, start, do = KIT.game, KIT.start, KIT.do


# The deal.


@pytest.mark.parametrize(("pays", "expected"), [(10, 110), (11, 120)])
def test_equal_ranks_pay_the_tie_bet_at_once_and_lead_to_war(pays, expected):
    match = played(tie=10, options={"tie_pays": pays})

    assert (match.status, match.turn.phase, match.game.outcome) == ("active", "war", "tied")
    assert (lines(match), laid(match)) == ([("tie", 10, expected)], [("main", 100)])
    assert played("9S 9S").turn.phase == "war"  # the same card of two decks


# After a tie.


@pytest.mark.parametrize("cards", ["KD QD", "QD QS", "9D 9C", "QD KD"])
def test_a_war_burns_three_cards_of_those_that_are_left_and_keeps_two(cards):
    stream = war_stream(cards)

    match = do(played(), WAR, rng=stream)

    assert stream.bounds == [310, 309, 308, 307, 306]
    assert [*match.game.player, *match.game.dealer] == cards_of("9S {} 9H {}".format(*cards.split()))
    assert lines(match)[1][:2] == ("raise", 100)


def test_a_raise_that_is_just_covered_is_taken_and_surrender_needs_no_chips():
    assert do(played(), WAR, cover=Cover(funds=100)).game.money.staked == 200
    assert do(played(), SURRENDER, cover=Cover(funds=0)).status == "finished"
    assert do(played(), WAR, cover=Cover(exposure_max=500)).status == "finished"
    assert do(played(options=NO_BONUS), WAR, cover=Cover(exposure_max=400)).status == "finished"


# Super mode. Of 32 zero bytes, session 1 marks the ten, the queen and the jack (V13).


def test_only_the_main_bet_pays_the_fee():
    match = do(played(tie=33, **MARKED), WAR)

    assert (match.game.money.fees, match.game.money.staked) == (20, 233)


def test_marked_ranks_are_shown_once_they_cannot_change_the_answer_to_a_tie():
    waiting = played("QS QH", tie=5, **MARKED)
    assert (lines(waiting), waiting.game.lit) == ([("tie", 5, 55)], ())

    for match in (do(waiting, WAR), do(waiting, SURRENDER), played("QS KH", **MARKED)):
        assert [lit.id for lit in match.game.lit] == [9, 11, 10]


def test_no_bet_brings_back_more_than_its_largest_return():
    assert [rules.return_max(kind, 1, 10, True, False) for kind in range(3)] == [2, 3, 11]
    assert [rules.return_max(kind, 1, 11, False, False) for kind in range(3)] == [2, 2, 12]
    assert [rules.return_max(kind, 1, 11, True, True) for kind in range(3)] == [4, 3, 12]
    for found in range(7):
        for boost in (1, 2) if found == rules.DEAL_WON else (1, 2, 4):
            assert rules.super_settle(rules.MAIN, 0, 10, (0, 0, 0, 0, found), (), boost) <= 40


# Around the table.


def test_the_table_shows_the_cards_and_the_choice():
    assert KIT.rendered(played()) == [
        "  You       [bold]  9♠[/]",
        "  Dealer    [red]  9♥[/]",
        "  [bold yellow]A tie: surrender half the bet, or raise it and go to war.[/bold yellow]",
        "  main                      100  [dim]open[/dim]",
    ]
    assert KIT.rendered(facts.war("KD 10S"))[:3] == [
        "  [dim]          deal   war[/dim]",
        "  You       [bold]  9♠[/]  [red]  K♦[/]",
        "  Dealer    [red]  9♥[/]  [bold] 10♠[/]",
    ]
    assert KIT.rendered(start())[0] == "  You       [dim]  ??[/dim]"


def test_the_page_gives_the_figures_of_the_odds():
    page = GAME.rules_text()
    war, surrender, tie = GAME.odds()

    for start_of_row, row in (("`main` | go to war", war), ("`main` | surrender", surrender), ("`tie` |", tie)):
        figures = f"{percent(row.win)} | {percent(row.edge)} | {percent(row.edge_per_chip)} |"
        assert f"| {start_of_row} | {figures}" in page
    for answer, row in zip(("go to war", "surrender"), GAME.super_odds(), strict=True):
        assert f"| {answer} | {percent(row.edge)} | {percent(row.edge_per_chip)} |" in page
    cheap_war, _, cheap_tie = GAME.odds(CasinoWarOptions(tie_pays=11, second_tie_bonus=False))
    assert f"at 11 its edge is {percent(cheap_tie.edge)}" in page
    assert f"without it going to war costs {percent(cheap_war.edge)}" in page
    assert f"war {float(war.edge / tie.win) * 100:.1f} % of it on average" in page
