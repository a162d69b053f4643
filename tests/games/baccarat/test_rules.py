"""The rules of baccarat against the published tables and streams, and the second calculation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.engine.chance import ScriptedRng
from croupier.games.baccarat import rules
from croupier.games.baccarat.bets import BETS, NAMES
from croupier.rng import GameRng
from tests.games.baccarat.test_vectors import BANKER_DRAWS_TO, BET_NAMES, profit, total
from tests.games.baccarat.test_vectors import deal as second_deal
from tests.games.second_stream import stream

SEED_Z = bytes(32)
SEED_C = bytes(range(48))
SEED_O = b"\x00\x01" + b"\xa5" * 48


def deal(seed: bytes, session_id: int, move_number: int) -> tuple[list[int], tuple[int, int, int, int, int]]:
    cards = [0] * 6
    rules.draw(GameRng.new(seed, session_id, move_number), cards, (9, 12), [])
    return cards, rules.outcome(cards)


PAIR_BITS = {"player_pair": 1, "banker_pair": 2, "player_perfect": 4, "banker_perfect": 8}


def all_outcomes() -> Iterator[tuple[tuple[int, int, int, int], set[str], int]]:
    for player_total, banker_total, player_count, banker_count in product(range(10), range(10), (2, 3), (2, 3)):
        stopped = (player_count == 2 and player_total >= 8) or (banker_count == 2 and banker_total >= 8)
        if stopped and player_count + banker_count > 4:
            continue  # a natural leaves both hands at two cards
        for chosen in product((False, True), repeat=4):
            pairs = {name for name, is_in in zip(PAIR_BITS, chosen, strict=True) if is_in}
            bits = sum(PAIR_BITS[name] for name in pairs)
            yield (player_total, banker_total, player_count, banker_count), pairs, bits


# Dealing.


def test_the_thirteen_ranks_count_as_printed_and_courts_nothing():
    assert [rules.card_value(card) for card in range(13)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    assert all(rules.card_value(card) == rules.card_value(card % 13) for card in range(52))


def test_the_pack_is_eight_decks_sorted_by_card():
    assert [rules.card_at(place, ()) for place in range(416)] == sorted(list(range(52)) * 8)


@given(st.lists(st.integers(0, 410) | st.sampled_from((0, 7, 408, 409, 410)), min_size=6, max_size=6))
@example([0] * 6)
@example([415, 414, 413, 412, 411, 410])
@example([7, 7, 415 - 2, 7, 0, 7])
@example([400, 401, 402, 403, 0, 0])
def test_every_place_has_the_card_that_the_draws_before_left_there(places):
    """A draw fills the place it took from with the last card, which may have come to its own place that way."""
    pack, taken, cards, rng = sorted(list(range(52)) * 8), [], [0] * 6, ScriptedRng(places)
    for place in places:
        taken.append(pack[place])
        pack[place] = pack[-1]
        pack.pop()

    rules.draw(rng, cards, (9, 12), [])

    assert [rules.card_at(place, tuple(places)) for place in range(410)] == pack
    assert rng.bounds == [416, 415, 414, 413, 412, 411][: len(rng.bounds)]
    assert [card for card in cards if card != -1] == taken[: len(rng.bounds)]


def test_player_draws_to_five_or_less_unless_a_natural_ends_the_round():
    for player, banker in product(range(10), range(10)):
        assert rules.player_draws(player, banker) == (player in range(6) and banker in range(8))


def test_banker_draws_by_the_table_to_the_third_card_of_player():
    for banker, third in product(range(8), range(10)):
        assert rules.banker_draws(5, banker, third) == (str(third) in BANKER_DRAWS_TO[banker])


def test_banker_draws_to_five_or_less_when_player_stood():
    assert [rules.banker_draws(6, banker, rules.NO_CARD) for banker in range(8)] == [True] * 6 + [False] * 2


def test_nobody_draws_against_a_natural():
    for natural, other in product((8, 9), range(10)):
        assert not rules.banker_draws(natural, other, rules.NO_CARD)
        assert not rules.banker_draws(other, natural, rules.NO_CARD)


@pytest.mark.parametrize(
    ("seed", "session_id", "move_number", "cards", "found"),
    [
        # The cards are vector V15; which of them are drawn, and the totals, were worked out by hand.
        (SEED_Z, 1, 0, [33, 11, 47, 5, -1, -1], (8, 5, 2, 2, 0)),
        (SEED_C, 42, 0, [3, 16, 41, 30, -1, -1], (8, 8, 2, 2, 1)),
        (SEED_C, 42, 1, [19, 9, 42, 20, -1, 20], (7, 0, 2, 3, 0)),
        (SEED_O, 7, 1, [34, 25, 46, 46, -1, -1], (9, 6, 2, 2, 2 + 8)),
    ],
)
def test_published_streams_deal_these_rounds(seed, session_id, move_number, cards, found):
    assert deal(seed, session_id, move_number) == (cards, found)


def test_five_hundred_rounds_match_the_oracle():
    shapes = set()
    for session_id in range(500):
        player, banker = second_deal(stream(SEED_C.hex(), str(session_id), 1))

        cards, found = deal(SEED_C, session_id, 1)

        assert [cards[slot] for slot in (0, 1, 4) if cards[slot] != -1] == player
        assert [cards[slot] for slot in (2, 3, 5) if cards[slot] != -1] == banker
        assert found[:4] == (total(player), total(banker), len(player), len(banker))
        shapes.add(found[2:4])
    assert shapes == {(2, 2), (2, 3), (3, 2), (3, 3)}


@pytest.mark.parametrize(
    ("cards", "bits"),
    [
        ((25, 25, 38, 16, 0, -1), 1 + 4),
        ((25, 12, 38, 12, 0, -1), 1 + 2),
        ((0, 1, 51, 51, -1, -1), 2 + 8),
        ((7, 7, 7, 7, -1, -1), 1 + 2 + 4 + 8),
        ((0, 1, 2, 3, 0, 2), 0),
        ((12, 11, 10, 9, -1, -1), 0),  # all count 0, but they are four ranks
    ],
)
def test_pairs_are_found_in_the_first_two_cards_of_a_hand(cards, bits):
    assert rules.pair_bits(cards) == bits


def test_outcomes_have_numbers_of_their_own_below_their_count():
    """Hands that begin with no pair, a pair and a perfect one, each with a third card and without."""
    hands = [(rank, rank + more) for rank in range(13) for more in (0, 13, 14)]
    thirds = (rules.NO_CARD, *range(0, 13, 4))
    rounds = [(*a, *b, c, d) for a, b, c, d in product(hands, hands, thirds, thirds)]
    numbers = {cards: rules.find_number(cards) for cards in rounds}

    assert min(numbers.values()) >= 0
    assert max(numbers.values()) < rules.FIND_COUNT == 3600
    found = {(number, rules.outcome(cards)) for cards, number in numbers.items()}
    assert len(found) == len(set(numbers.values())) == len({facts for _, facts in found}) > 2_000


# Settling.


@pytest.mark.parametrize("name", BETS)
def test_every_bet_settles_as_the_oracle_says_on_every_outcome(name):
    kind, _ = BETS[name]
    for facts, pairs, bits in all_outcomes():
        for prices in ((9, 12), (8, 11)):
            returned = rules.bet_return(kind, 2, (*facts, bits), *prices)
            assert returned == 2 + profit(name, 2, facts, pairs, *prices), (facts, pairs)


def test_half_pay_on_a_banker_six_is_rounded_down_to_nothing_for_one_chip():
    returned = [rules.bet_return(rules.BANKER, stake, (5, 6, 3, 3, 0), 9, 12) for stake in (1, 2, 3, 10, 101)]

    assert returned == [1, 3, 4, 15, 151]  # the last one published


@given(
    kind=st.integers(0, 9),
    found=st.sampled_from([(*facts, bits) for facts, _, bits in all_outcomes()]),
    boost=st.integers(1, 512),
)
def test_the_largest_stake_returns_no_more_than_63_bits_hold(kind, found, boost):
    assert rules.bet_return(kind, rules.STAKE_MAX, found, 9, 12) < 2**63
    assert rules.super_return(kind, rules.STAKE_MAX, found, boost, 9, 12) < 2**63


# Super mode.


def test_only_the_cards_that_count_for_a_bet_boost_it():
    cards = (36, 27, 41, 51, 42, 51)
    ids, multipliers = (27, 51, 41, 42, 9), (5, 2, 3, 8, 4)

    boosts = [rules.boost(kind, 0, cards, ids, multipliers, 5) for kind in range(10)]

    assert boosts == [5 * 8, 3 * 2 * 2, 480] + [1] * 7


def test_entries_beyond_the_count_are_not_lit():
    assert rules.boost(rules.PLAYER, 0, (0, 1, 2, 3, -1, -1), (9, 10, 11, 0, 1), (2, 2, 2, 8, 8), 3) == 1


def test_a_boost_stops_at_512():
    cards = (0, 0, 1, 1, 0, 1)

    assert rules.boost(rules.PLAYER, 0, cards, (0, 1, 2), (8, 2, 2), 3) == 512
    assert rules.boost(rules.TIE, 0, cards, (0, 1, 2), (8, 2, 2), 3) == 512


@pytest.mark.parametrize(
    ("name", "found", "boost", "returned"),
    [
        ("player", (8, 5, 2, 2, 0), 6, 10 + 60),
        ("player", (5, 8, 2, 2, 0), 6, 0),
        ("player", (5, 5, 3, 3, 0), 6, 10),  # a push is never boosted
        ("banker", (5, 7, 3, 2, 0), 3, 10 + 30),
        ("banker", (5, 6, 3, 2, 0), 3, 10 + 15),
        ("tie", (5, 5, 3, 3, 0), 1, 10 + 60),  # 6 to 1 here, whatever the table pays otherwise
        ("tie", (5, 5, 3, 3, 0), 4, 10 + 240),
        ("tie", (5, 6, 3, 3, 0), 4, 0),
        ("panda_eight", (8, 6, 3, 2, 0), 4, 10 + 250),
        ("perfect_pair", (8, 6, 3, 2, 1 + 4), 4, 10 + 250),
    ],
)
def test_super_mode_boosts_the_profit_of_winning_main_bets_alone(name, found, boost, returned):
    assert rules.super_return(BETS[name][0], 10, found, boost, 9, 12) == returned


# Words.


def test_ten_bets_have_their_published_codes_and_names_lead_back():
    assert list(BETS.items()) == [(name, (kind, 0)) for kind, name in enumerate(BET_NAMES)]
    assert {name: NAMES[code] for name, code in BETS.items()} == {name: name for name in BET_NAMES}
    assert (len(BET_NAMES), len(NAMES)) == (10, 10)
