"""Baccarat at the table: what each bet brings back, super mode, the log, the table and the page."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.baccarat import rules
from croupier.games.baccarat.bets import BETS
from croupier.games.baccarat.odds import banker_edge
from croupier.games.baccarat.options import BaccaratOptions
from croupier.house import generate_super_multipliers
from croupier.house.money import Cover
from croupier.testing import batch, place, returned
from tests.games.baccarat.facts import CHEAP, DEAL, KIT, dealing, dealt
from tests.games.pages import percent

GAME, start, do = KIT.game, KIT.start, KIT.do


# The deal.

ROUNDS = {
    # Player 1, Player 2, Banker 1, Banker 2, then third cards; and what 10 chips bring back, the bets left out lose.
    "a natural eight": ("4S 4H KD 7C", {"player": 20, "player_pair": 130, "player_dragon": 20}),
    "two natural nines": (
        "9S KS 9H QH",
        {"player": 10, "banker": 10, "tie": 100, "player_dragon": 10, "banker_dragon": 10},
    ),
    "an ordinary tie": ("6S KS 6H QH", {"player": 10, "banker": 10, "tie": 100}),
    "a Banker six of two cards": ("2S 3H 10D 6C KC", {"banker": 15, "lucky_six": 130}),
    "a Banker six of three cards": ("KS QH 2D AC 2H 3S", {"banker": 15, "lucky_six": 240, "banker_dragon": 20}),
    "a three-card eight": ("AS 2H KD 7C 5S", {"player": 20, "panda_eight": 260}),
    "a win by nine": ("4S KH KD QC 5S JS", {"player": 20, "player_dragon": 310}),
    "a win by eight": ("KS QH 2D KC KD 6C", {"banker": 20, "banker_dragon": 110}),
    "a win by seven": ("KS QH 2D KC KD 5C", {"banker": 20, "banker_dragon": 70}),
    "a win by six": ("2S KH KD QC 4S JS", {"player": 20, "player_dragon": 50}),
    "a win by five": ("KS QH 5D KC KD", {"banker": 20, "banker_dragon": 30}),
    "one identical pair": ("QH QH 6D KC 3S", {"banker": 15, "player_pair": 130, "perfect_pair": 260, "lucky_six": 130}),
    "two identical pairs": (
        "4H 4H 4H 4H",
        {"player": 10, "banker": 10, "tie": 100, "player_dragon": 10, "banker_dragon": 10}
        | {"player_pair": 130, "banker_pair": 130, "perfect_pair": 2510},
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_ten_chips_on_every_bet_bring_back_what_the_rules_page_says(name):
    cards, expected = ROUNDS[name]

    stream = dealing(cards)
    match = do(start(), *(place(bet, 10) for bet in BETS))
    match = do(match, DEAL, rng=stream)

    assert len(stream.bounds) == len(cards.split())
    assert returned(match) == {bet: expected.get(bet, 0) for bet in BETS}
    assert match.game.money.finished
    assert match.game.money.net == sum(expected.values()) - 100


def test_tie_and_pairs_pay_what_the_options_say():
    match = dealt("4H 4H 4H 4H", {"tie": 10, "player_pair": 10}, options=CHEAP)

    assert returned(match) == {"tie": 90, "player_pair": 120}


def test_half_of_one_chip_is_nothing_when_banker_wins_with_six():
    match = dealt("2S 3H 10D 6C KC", {"banker": 1})

    assert returned(match) == {"banker": 1}
    assert match.result is not None
    assert match.result.reason == "push"


# Super mode. Session 14 lights the queen of hearts times 3, the two of diamonds times 5, the eight of hearts times 3
# (published).

SUPER: dict[str, Any] = {"super_mode": True, "session_id": 14}


@pytest.mark.parametrize(
    ("cards", "bet", "expected"),
    [
        ("8H KS KC 7D", "player", 10 + 30),
        ("8H QH KC 7D", "player", 10 + 90),
        ("8S KS KC 7D", "player", 10 + 10),
        ("8S KS KC QH", "player", 10 + 10),  # the queen is in the other hand
        ("2D 2D KC KD 5C JS", "player", 10 + 250),  # a lit card dealt twice counts twice
        ("8H KS KC 9D", "player", 0),
        ("8H KS QH 8C", "player", 10),  # a push is never boosted
        ("KS 7D QH 9C", "banker", 10 + 30),
        ("2S 3H QH 6C KC", "banker", 10 + 15),  # half on six, then boosted
        ("9H KS QS 9C", "tie", 10 + 60),  # 6 to 1 instead of 9 to 1
        ("8H KS QH 8C", "tie", 10 + 540),  # the cards of both hands
        ("8H KS QH 8C", "player_dragon", 10),
        ("8H 8H KC 7D", "perfect_pair", 10 + 250),
    ],
)
def test_a_boost_multiplies_the_profit_of_a_winning_eligible_bet(cards, bet, expected):
    assert returned(dealt(cards, {bet: 10}, **SUPER)) == {bet: expected}


def test_the_fee_is_a_fifth_of_the_eligible_stakes_alone():
    match = dealt("8S KS KC 7D", {"player": 100, "banker": 50, "tie": 5, "lucky_six": 33}, **SUPER)

    assert match.game.money.fees == 31
    assert match.game.money.staked == 188


@pytest.mark.parametrize(
    ("bet", "stake", "cover"), [("player", 100, Cover(funds=120)), ("tie", 5, Cover(exposure_max=5 * (1 + 6 * 512)))]
)
def test_chips_that_are_just_covered_with_fee_and_boost_are_taken(bet, stake, cover):
    money = do(start(super_mode=True), place(bet, stake), cover=cover).game.money

    assert (money.staked, money.fees) == (stake, stake // 5)


def test_lit_cards_are_shown_with_the_result_and_not_before():
    match = do(start(**SUPER), place("player", 5))
    assert match.game.lit == ()

    lit = do(match, DEAL).game.lit

    found = [(entry.kind.name, entry.id, entry.multiplier) for entry in lit]
    assert found == [("CARD", 24, 3), ("CARD", 27, 5), ("CARD", 20, 3)]
    assert lit == generate_super_multipliers(GAME, KIT.seed, 14)
    plain = dealt("8H KS KC 7D", {"player": 10}, session_id=14)
    assert (plain.game.lit, plain.game.money.fees, returned(plain)) == ((), 0, {"player": 20})


def test_no_bet_brings_back_more_than_its_largest_return():
    """Every bet reaches it in some round; the largest boosts are counted rather than dealt."""
    best = {
        "lucky_six": ("KS QH 2D AC 2H 3S", 24),
        "player_dragon": ("4S KH KD QC 5S JS", 31),
        "banker_dragon": ("KD QC 3S KH JS 6S", 31),
        "panda_eight": ("AS 2H KD 7C 5S", 26),
        "perfect_pair": ("4H 4H 4H 4H", 251),
        "tie": ("4H 4H 4H 4H", 10),
        "player_pair": ("4H 4H 4H 4H", 13),
        "banker_pair": ("4H 4H 4H 4H", 13),
        "player": ("8S KS KC 7D", 2),
        "banker": ("KC 7D 8S KS", 2),
    }
    for bet, (cards, most) in best.items():
        assert rules.return_max(BETS[bet][0], 1, 9, 12, False) == most
        assert returned(dealt(cards, {bet: 10})) == {bet: 10 * most}
    assert [rules.return_max(kind, 1, 9, 12, True) for kind in range(3)] == [513, 513, 3073]
    assert sum(rules.return_max(kind, 1, 9, 12, True) for kind in range(10)) == 4488


# The log, the table and the page.


def test_the_log_of_a_super_session_names_the_boost():
    assert KIT.told(start(**SUPER), batch({"tie": 10, "player": 10}), dealing("8H KS QH 8C")) == (
        "Player 8♥ K♠ is 8, Banker Q♥ 8♣ is 8: a tie; tie pays 540 (a tie, 6 to 1, boosted ×9); "
        "player pushes (a tie); won 540"
    )


def test_the_table_shows_both_hands_and_the_winner():
    assert KIT.rendered(dealt("2S 3H 10D 6C KC", {"banker": 10})) == [
        "  Player [bold] 2♠[/] [red] 3♥[/] [bold] K♣[/]   [bold]5[/bold]",
        "  Banker [red]10♦[/] [bold] 6♣[/]       [bold]6[/bold]  [bold green]wins[/bold green]",
        "  banker                     10  [green]returned 15[/green]",
    ]
    assert KIT.rendered(start()) == ["  Player  [dim]??  ??[/dim]", "  Banker  [dim]??  ??[/dim]"]


def test_the_page_gives_the_figures_of_the_odds():
    page = GAME.rules_text()
    rows = {row.bet: row for row in GAME.odds()}

    for bet, row in rows.items():
        (line,) = [line for line in page.splitlines() if line.startswith(f"| `{bet}` |") and line.count("|") == 6]
        assert line.endswith(f"| {percent(row.win)} | {percent(row.edge)} |")
    for row in GAME.super_odds():
        assert f"| `{row.bet}` | {percent(row.edge_per_chip)} |" in page
    cheap = {row.bet: row for row in GAME.odds(BaccaratOptions(tie_pays=8, pair_pays=11))}
    assert f"at 8 its edge is {percent(cheap['tie'].edge)}" in page
    assert f"at 11 their edge is {percent(cheap['player_pair'].edge)}" in page
    assert f"{percent(banker_edge(1))} on one chip\nand {percent(banker_edge(101))} on 101" in page
