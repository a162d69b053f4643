"""The decks and cards of Lanes are fair to each other, and the pages about them are those of the present set."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median_low

import pytest

from croupier.games.lanes.cards.card_set import own_cards, own_decks
from tools.lanes import balance
from tools.lanes.balance import PLAIN_CARDS, balance_page, cards_digest, fast_play, measure
from tools.lanes.deck_search import duel, play_with

REPORT = Path(balance.__file__).with_suffix(".md")
LIGHT, RUIN = (deck.cards for deck in own_decks() if deck.starter)


def test_the_report_is_about_the_present_set_and_keeps_what_it_promises():
    """The starters within 45 to 55, the first side at most 58, draws under 10, 12 plays; every card within 8 points."""
    page = REPORT.read_text()
    players = re.findall(r"^\| `(\w+)` \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| (\d+) \|$", page, re.MULTILINE)
    swaps = re.findall(r"^\| .+ \((\w+)\) \| \w+ \| .+ \| ([+-][\d.]+) \|$", page, re.MULTILINE)

    assert cards_digest() in page
    assert [player for player, *_ in players] == ["one_reply", "playout"]
    for _, won, first, draws, plays in players:
        assert 45 <= float(won) <= 55
        assert float(first) <= 58
        assert float(draws) < 10
        assert int(plays) >= 12
    weighed = {card.id for card in own_cards() if card.tier != "token"} - set(PLAIN_CARDS.values())
    assert {card_id for card_id, _ in swaps} == weighed
    assert max(abs(float(points)) for _, points in swaps) <= 8


def test_neither_starter_is_the_better_deck():
    """2,000 games, fixed seeds; were the decks at 50:50, five points would be 4.4 standard errors (1 in 90,000)."""
    found = duel(LIGHT, [RUIN], 1_000, balance.STARTER_SEED, play=fast_play("one_reply"))
    decided = found.games - found.draws

    assert found.games == 2_000
    assert 0.45 <= found.wins / decided <= 0.55
    assert found.first_wins / decided <= 0.58
    assert found.draws < 200
    assert median_low(found.plays) >= 12


@pytest.mark.parametrize("player", ["greedy", "one_reply"])
def test_machine_code_plays_as_the_reference_does(player):
    found = duel(LIGHT, [RUIN], 4, b"same", play=play_with(player))

    assert found == duel(LIGHT, [RUIN], 4, b"same", play=fast_play(player))


@pytest.mark.soak
def test_the_report_is_what_its_games_say():
    assert REPORT.read_text() == balance_page(measure())
