"""Three card poker at the table: the cards of deal and reveal, what is covered, the coach, the log, the page."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from time import process_time
from typing import Any

import pytest

from croupier.engine import Match, legal_actions, view_for
from croupier.errors import BadOptions
from croupier.games.three_card_poker import dealer, policies, rules
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.house.money import Cover
from croupier.kit.poker import rank3
from croupier.testing import cards_of, dealing, laid, returned
from tests.games.pages import percent
from tests.games.three_card_poker.facts import (
    DEAL,
    FOLD,
    HELD,
    KIT,
    LOW,
    MARKED,
    PLAY,
    REVEAL,
    deal_with,
    dealt,
    played,
    side,
    waiting,
)

GAME: Any = KIT.game
start, do = KIT.start, KIT.do


def test_dealing_with_all_three_replaces_what_was_laid():
    match = do(start(), side("pair_plus", 50), side("progressive", 1))

    assert laid(do(match, deal_with(7, 3, 0))) == [("ante", 100), ("pair_plus", 7), ("six_card", 3)]
    assert laid(do(match, deal_with(0, 0, 0))) == [("ante", 100)]
    assert laid(do(match, DEAL)) == [("ante", 100), ("pair_plus", 50), ("progressive", 1)]
    covered = Cover(funds=0, exposure_max=700 + 410 + 2002)
    assert do(match, deal_with(10, 2, 0), cover=covered).game.money.staked == 112


# The deal, and what follows.


def test_three_cards_are_dealt_from_the_whole_pack_and_the_dealers_from_what_is_left():
    deal, reveal, fold = dealing(HELD), dealing("KS 9H 9D", HELD), dealing(LOW, HELD)

    match = do(start(), DEAL, rng=deal)
    assert (match.turn.phase, list(match.game.player)) == ("decide", cards_of(HELD))
    assert (match.game.dealer, match.game.outcome) == ((), None)
    raised = do(match, PLAY)
    assert (raised.turn.phase, raised.game.dealer, laid(raised)) == ("reveal", (), [("ante", 100), ("play", 100)])
    shown = do(raised, REVEAL, rng=reveal)
    assert (shown.status, list(shown.game.dealer)) == ("finished", cards_of("KS 9H 9D"))
    assert list(do(match, FOLD, rng=fold).game.dealer) == cards_of(LOW)
    assert (deal.bounds, reveal.bounds, fold.bounds) == ([52, 51, 50], [49, 48, 47], [49, 48, 47])


def test_a_raise_that_is_just_covered_is_taken_and_a_fold_needs_no_chips():
    assert do(dealt(), PLAY, cover=Cover(funds=100, exposure_max=900)).game.money.staked == 200
    assert do(dealt(), FOLD, cover=Cover(funds=0)).status == "finished"


def test_only_the_ante_pays_the_fee_and_only_it_is_boosted():
    match = played("5S 6S 7S", "QS 9H 2D", sides=(33, 7, 1), **MARKED)

    assert (match.game.money.fees, match.game.money.staked) == (20, 241)
    others = {"play": 200, "pair_plus": 33 * 41, "six_card": 0, "progressive": 70}
    assert returned(match).items() > others.items()
    assert returned(played("5S 6S 7S", "QS 9H 2D", sides=(33, 7, 1))).items() > others.items()


def test_marked_suits_are_shown_after_a_fold_too():
    match = dealt("KS 6S 4H", **MARKED)

    assert match.game.lit == do(match, PLAY).game.lit == ()
    assert [lit.id for lit in do(match, FOLD).game.lit] == [2, 0]


# The coach.


def advice(match: Match[Any]) -> list[Any]:
    return list(GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match)))


@pytest.mark.parametrize("qualifier", ["queen", "q64"])
@pytest.mark.parametrize("hand", ["QS 6H 3D", "QS 6H 4D", "QS 7H 2D", "2S 3H 5D", "7S 7H 2D", "2S 3S 4S", "AS 2H 3D"])
def test_the_coach_values_play_and_fold_by_every_hand_of_the_dealer(hand, qualifier):
    """A second count: the profit of each of the 18,424 rounds, from the table of the rules page."""
    held = cards_of(hand)
    mine, lowest = rank3(*held), {"queen": 0xC0000, "q64": 0xC6400}[qualifier]
    bonus = {5: 5, 4: 4, 3: 1}.get(mine >> 20, 0)
    total = 0
    for other in combinations([card for card in range(52) if card not in held], 3):
        theirs = rank3(*other)
        total += bonus + (1 if theirs < lowest else 2 * ((mine > theirs) - (mine < theirs)))

    found = {each.action.type: each.value for each in advice(dealt(hand, stake=7, options={"qualifier": qualifier}))}

    assert found == {"play": 7 * Fraction(total, 18_424), "fold": -7}


def test_the_coach_puts_the_best_first_in_every_stage():
    before = advice(do(start(), side("pair_plus", 10)))
    assert (before[0].action.type, before[0].action.payload) == ("pair_plus", {"stake": 0})
    assert before[0].value == -100 * GAME.odds()[0].edge
    assert [each.value for each in before] == sorted((each.value for each in before), reverse=True)
    assert len(before) == len(legal_actions(GAME, do(start(), side("pair_plus", 10))))
    assert [each.action.type for each in advice(dealt("QS 6H 4D"))] == ["play", "fold"]
    assert [each.action.type for each in advice(dealt("QS 6H 3D"))] == ["fold", "play"]
    (only,) = advice(do(dealt("QS 6H 3D"), PLAY))
    assert (only.action.type, only.value) == ("reveal", advice(dealt("QS 6H 3D"))[1].value)


def test_before_the_deal_the_coach_counts_what_every_bet_costs():
    pair_plus, six_card, progressive = (row.edge for row in GAME.odds()[-3:])
    found = {(each.action.type, *each.action.payload.values()): each for each in advice(start(10))}

    best = -10 * GAME.odds()[0].edge
    assert found["deal",].value == best
    assert found["pair_plus", 10].value == best - 10 * pair_plus
    assert found["deal_with", 10, 10, 1].value == best - 10 * pair_plus - 10 * six_card - progressive
    assert found["pair_plus", 10].text == "ante costs 0.3373, pair_plus costs 0.7276"


def test_in_super_mode_the_coach_counts_the_boost_and_not_the_fee():
    """Q-5-2 with two spades: spades are marked half the time, and a dealer who is out pays 1.4 instead of 1."""
    suited = advice(dealt("QS 5S 2H", **MARKED))
    plain = advice(dealt("QS 5S 2H"))

    counts = dealer.outcome_counts(tuple(cards_of("QS 5S 2H")), rules.QUEEN)
    gain = Fraction(counts[rules.NOT_QUALIFIED] + counts[rules.WON], 18_424) * Fraction(2, 5) / 2 * 100
    assert suited[0].action.type == "play"
    assert suited[0].value == plain[1].value + gain
    assert plain[0].action.type == "fold"
    assert advice(start(**MARKED))[0].value == 100 * (Fraction(1, 5) - GAME.super_odds()[0].edge)


def test_the_coach_answers_within_fifty_milliseconds_from_a_cold_start():
    """Processor time, the best of three runs with empty caches; about 15 ms where nothing else is running."""
    match = dealt("QS 6H 4D", sides=(10, 10, 1))
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)
    taken = []
    for _ in range(3):
        for cached in (dealer._tables, dealer.starting_hands, dealer.outcome_counts, policies._value):
            cached.cache_clear()
        begun = process_time()
        GAME.advise(view, legal)
        taken.append(process_time() - begun)

    assert min(taken) < 0.05


def test_a_situation_is_three_cards_with_an_ante_of_one():
    match = GAME.situation("qs, 6H 4♦", {"qualifier": "q64"})

    assert (match.turn.phase, match.game.stake, list(match.game.player)) == ("decide", 1, cards_of("QS 6H 4D"))
    assert match.options == ThreeCardOptions(qualifier="q64")
    assert [action.type for action in legal_actions(GAME, match)] == ["play", "fold"]
    for text in ("", "QS 6H", "QS 6H 4D 2C", "QS QS 4D", "QS 6H 1D"):
        with pytest.raises(BadOptions):
            GAME.situation(text)
    with pytest.raises(BadOptions):
        GAME.advise(view_for(GAME, match, "you"), (), "glory")


# Around the table.


@pytest.mark.parametrize(
    ("hand", "dealer_cards", "text", "terms"),
    [
        ("KS 6S 4H", "QS 9H 2D", "ante pays 140, 1 to 1, boosted ×1.4; ", MARKED),
        ("5S 6S 7S", LOW, "and a bonus of 5 to 1, boosted ×6.6; ", MARKED),
        ("KS 6D 4H", "QS 9H 2D", "ante pays 100, 1 to 1; play", MARKED),
        ("5S 6S 7H", "8S 9H 10D", "brings 100 back; play loses", MARKED),
        (HELD, "QH 6D 4C", "a tie; ante pushes; play pushes; push", {}),
        ("AS KS QS", LOW, "progressive pays 9,999, 9,999 to 1 for A-K-Q of spades", {"sides": (0, 0, 1)}),
    ],
)
def test_the_log_names_boosts_pushes_and_jackpots(hand, dealer_cards, text, terms):
    assert text in KIT.told(waiting(hand, **terms), REVEAL, dealing(dealer_cards, hand))


def test_the_log_of_a_fold_says_that_the_dealer_would_not_have_qualified():
    match = dealt("7S 7H 2D", (10, 0, 0), options={"qualifier": "q64"})

    assert "(Q-5-3 high) and does not qualify; ante loses" in KIT.told(match, FOLD, dealing("QS 5H 3C", "7S 7H 2D"))


def test_the_table_shows_the_hands_and_the_choice():
    assert KIT.rendered(start())[:3] == [
        "  You     [dim]  ??   ??   ??[/dim]",
        "  Dealer  [dim]  ??   ??   ??[/dim]",
        "  [dim]Lay side bets (pair_plus, six_card, progressive) if you like, then deal.[/dim]",
    ]
    assert KIT.rendered(dealt("QS 6H 10D")) == [
        "  You      [bold] Q♠[/]  [red] 6♥[/]  [red]10♦[/]   Q-10-6 high",
        "  Dealer  [dim]  ??   ??   ??[/dim]",
        "  [bold yellow]Play for 100 more, or fold and lose the Ante.[/bold yellow]",
        "  ante                      100  [dim]open[/dim]",
    ]
    assert KIT.rendered(played("QS 6H 10D", LOW))[1] == (
        "  Dealer   [bold]10♣[/]  [red] 8♥[/]  [bold] 3♣[/]   10-8-3 high[dim], does not qualify[/dim]"
    )


# The page.


def test_the_page_gives_the_figures_of_the_odds():
    page = GAME.rules_text()
    queen, q64 = GAME.odds(), GAME.odds(ThreeCardOptions(qualifier="q64"))

    for row in queen:
        policy = f"`{row.policy}`" if row.policy != "-" else ""
        figures = f"{percent(row.win)} | {percent(row.edge)} | {percent(row.edge_per_chip)} |"
        assert re.search(rf"^\| `{row.bet}` \| {policy}[^|]*\| {re.escape(figures)}$", page, re.MULTILINE), row
    for row in q64[:3]:
        assert f"| `{row.policy}` | {percent(row.edge)} | {percent(row.edge_per_chip)} |" in page
    for options in (None, ThreeCardOptions(qualifier="q64")):
        for row in GAME.super_odds(options)[:3]:
            qualifier = "queen" if options is None else "q64"
            figures = f"{percent(row.edge)} | {percent(row.edge_per_chip)} |"
            assert f"| `{qualifier}` | `{row.policy}` | {figures}" in page
