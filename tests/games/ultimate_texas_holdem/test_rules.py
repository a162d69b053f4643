"""The rules of ultimate texas hold'em against its rules page, a plain evaluator, and counts of small worlds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest

from croupier.engine.chance import ScriptedRng
from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.bets import BETS, POLICIES, SIDE_BETS
from croupier.kit import holdem
from croupier.kit.cards import draw_until
from croupier.kit.poker import category, rank_hand
from croupier.rng import GameRng
from croupier.rounds import DONE, PHASE
from croupier.testing import cards_of
from tests.games.second_poker import HANDS, best_five, value_of_five
from tests.games.ultimate_texas_holdem.test_vectors import BLIND, PROGRESSIVE, SIX_CARD, TRIPS, boost_of


def random_spreads(count: int, size: int = 9) -> list[list[int]]:
    rng = Random("spreads")
    found = [rng.sample(range(52), size) for _ in range(count // 2)]
    while len(found) < count:  # boards on which a flush can be made, which are a third of all, and more suited ones
        suit, other = rng.sample(range(4), 2)
        board = rng.sample(range(13 * suit, 13 * suit + 13), rng.choice((3, 3, 4, 5)))
        board += rng.sample(range(13 * other, 13 * other + 13), 5 - len(board))
        rest = rng.sample([card for card in range(52) if card not in board], size - 5)
        found.append(rest[:2] + board + rest[2:])
    return found


# Cards.


@pytest.mark.parametrize(
    ("known", "wanted", "bounds"),
    [
        (0, 2, [52, 51]),
        (2, 5, [50, 49, 48]),
        (5, 7, [47, 46]),
        (2, 9, [50, 49, 48, 47, 46, 45, 44]),
        (5, 9, [47, 46, 45, 44]),
        (7, 9, [45, 44]),
        (7, 13, [45, 44, 43, 42, 41, 40]),
        (2, 13, [50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40]),
    ],
)
def test_cards_are_drawn_in_order_from_what_is_left_of_one_pack(known, wanted, bounds):
    """At each place the first card of the sorted pack that is left, then what fills its place."""
    cards = [51, 3, 17, 40, 22, 8, 9][:known] + [0] * (13 - known)
    stream = ScriptedRng([0] * (wanted - known))

    draw_until(stream, cards, known, wanted, [0] * 52)

    pack = [card for card in range(52) if card not in cards[:known]]
    expected = []
    for _ in range(known, wanted):
        expected.append(pack[0])
        pack[0] = pack[-1]
        pack.pop()
    assert cards[known:wanted] == expected
    assert stream.bounds == bounds


def test_no_card_is_dealt_twice():
    for session_id in range(300):
        cards = [0] * 13
        draw_until(GameRng.new(b"", session_id, 1), cards, 0, 2, [0] * 52)
        draw_until(GameRng.new(b"", session_id, 2), cards, 2, 5, [0] * 52)
        draw_until(GameRng.new(b"", session_id, 3), cards, 5, 13, [0] * 52)
        assert len(set(cards)) == 13
        assert set(cards) <= set(range(52))


OPTIONS = (0, 1, 0, 1, 1)  # no super mode, a pair qualifies, no six-card bet, both raises


def test_a_check_shows_the_flop_and_then_the_whole_board():
    hand, stream = [0] * 20, GameRng.new(b"", 1, 1)
    phases, known = [rules.deal(stream, hand, OPTIONS, [0] * 200)], [hand.count(rules.NO_CARD)]

    for _ in range(2):
        hand[PHASE] = phases[-1]
        phases.append(rules.take(stream, rules.CHECK, hand, OPTIONS, [0] * 200))
        known.append(hand.count(rules.NO_CARD))

    assert phases == [rules.PREFLOP_PHASE, rules.FLOP_PHASE, rules.RIVER_PHASE]
    assert known == [11, 8, 6]


@pytest.mark.parametrize(
    ("phase", "offers", "legal"),
    [
        (rules.PREFLOP_PHASE, (1, 1), {3, 4, rules.CHECK}),
        (rules.PREFLOP_PHASE, (0, 1), {4, rules.CHECK}),
        (rules.PREFLOP_PHASE, (1, 0), {3, rules.CHECK}),
        (rules.FLOP_PHASE, (1, 1), {2, rules.CHECK}),
        (rules.RIVER_PHASE, (1, 1), {1, rules.FOLD}),
        (rules.REVEAL_PHASE, (1, 1), {rules.REVEAL}),
        (DONE, (1, 1), set()),
    ],
)
def test_the_raise_is_the_smaller_the_later_it_comes(phase, offers, legal):
    hand = [0] * 20
    hand[PHASE] = phase

    assert {choice for choice in range(1, 8) if rules.is_legal(choice, hand, (0, 1, 0, *offers))} == legal


def test_hands_are_made_of_the_cards_the_rules_page_says():
    for spread in random_spreads(60, 13):
        seven, six, five = spread[:7], spread[:2] + spread[9:], spread[:5]
        assert category(rules.player_rank(spread)) == best_five(seven)[0][0]
        assert category(rules.dealer_rank(spread)) == best_five(spread[2:9])[0][0]
        for kind, cards in ((rules.SIX_CARD, six), (rules.PROGRESSIVE, five), (rules.TRIPS_BET, seven)):
            assert rules.category_for(kind, spread) == best_five(cards)[0][0]


def test_showdowns_end_as_the_best_five_of_seven_compare():
    seen = set()
    for spread in random_spreads(400):
        player, dealer = best_five(spread[:7])[0], best_five(spread[2:9])[0]
        qualifies = dealer[0] >= 1
        if player == dealer:
            expected = rules.TIED
        elif player > dealer:
            expected = rules.WON if qualifies else rules.WON_UNQUALIFIED
        else:
            expected = rules.LOST if qualifies else rules.LOST_UNQUALIFIED
        found = rules.compare(rules.player_rank(spread), rules.dealer_rank(spread), True)
        assert found == expected
        always = {rules.WON_UNQUALIFIED: rules.WON, rules.LOST_UNQUALIFIED: rules.LOST}.get(expected, expected)
        assert rules.compare(rules.player_rank(spread), rules.dealer_rank(spread), False) == always
        seen.add(found)
    assert seen == {rules.LOST, rules.LOST_UNQUALIFIED, rules.TIED, rules.WON_UNQUALIFIED, rules.WON}


# Bets, by the rules page, for an Ante and a Blind of 10; Play is 40.

OUTCOMES = {
    rules.FOLDED: (0, 0, 0),
    rules.TIED: (10, 10, 40),
    rules.WON: (20, 10, 80),
    rules.WON_UNQUALIFIED: (10, 10, 80),
    rules.LOST: (0, 0, 0),
    rules.LOST_UNQUALIFIED: (10, 0, 0),
}


@pytest.mark.parametrize("hand", range(10))
def test_hands_pay_what_the_rules_page_says(hand):
    """By the prices of the second calculation; the progressive bet pays what the rules page says.

    Side bets lose with less than three of a kind, and the Blind has no bonus below a straight.
    """
    name = HANDS[hand]
    for ending, (ante, base, play) in OUTCOMES.items():
        bonus = int(10 * BLIND.get(name, 0)) if ending in (rules.WON, rules.WON_UNQUALIFIED) else 0
        assert rules.bet_return(rules.ANTE, 10, ending, hand) == ante
        assert rules.bet_return(rules.BLIND, 10, ending, hand) == base + bonus
        assert rules.bet_return(rules.PLAY, 40, ending, hand) == play
        has_trips = hand >= HANDS.index("three of a kind")
        assert rules.bet_return(rules.TRIPS_BET, 10, ending, hand) == (10 + 10 * TRIPS[name] if has_trips else 0)
        assert rules.bet_return(rules.SIX_CARD, 10, ending, hand) == (10 + 10 * SIX_CARD[name] if has_trips else 0)
        assert rules.bet_return(rules.PROGRESSIVE, 1, ending, hand) == (PROGRESSIVE[name] if has_trips else 0)


@pytest.mark.parametrize(("blind", "returned"), [(1, 2), (2, 5), (5, 12), (100, 250)])
def test_a_flush_pays_the_blind_three_to_two_without_half_chips(blind, returned):
    assert rules.bet_return(rules.BLIND, blind, rules.WON, 5) == returned


def test_a_round_comes_to_what_its_bets_do():
    for ending, (ante, blind, play) in OUTCOMES.items():
        assert rules.round_profit(10, 4, ending, 2) == ante + blind + play - 60


def test_no_bet_returns_more_than_its_largest_return():
    for kind, is_super in product(range(6), (False, True)):
        most = rules.return_max(kind, 10, is_super)
        returns = [rules.bet_return(kind, 10, ending, hand) for ending in range(6) for hand in range(10)]
        if kind == rules.ANTE and is_super:
            returns = [rules.super_ante_return(10, rules.WON, boost) for boost in (1, 2, 3, 4, 5, 10, 15, 30)]
        assert max(returns) == most


def test_all_bets_at_their_best_fit_63_bits():
    stake = rules.STAKE_MAX
    kinds = {rules.ANTE: 1, rules.BLIND: 1, rules.PLAY: 4, rules.TRIPS_BET: 1, rules.SIX_CARD: 1}
    most = 10_000 + sum(rules.return_max(kind, times * stake, True) for kind, times in kinds.items())

    assert most < 2**63 <= most + 2 * 1578


def test_six_bets_and_two_policies_have_their_codes():
    names = ("ante", "blind", "play", "trips", "six_card", "progressive")
    assert {name: (kind, 0) for kind, name in enumerate(names)} == BETS
    assert set(SIDE_BETS) < set(BETS)
    assert POLICIES == {"best": 0, "simple": 1}


# Super mode.


def test_boosts_go_by_the_marked_ranks_among_the_best_five():
    spreads = random_spreads(120) + [
        cards_of(names)
        for names in (
            "AS KS QS JS 10S 2D 2C 3H 4H",  # royal flush
            "5S 6S 7S 8S 9S 2D 2C 3H 4H",
            "AS 2D 3S 4S 5H KD KC 9H 9C",  # the ace is in the straight, the kings are not
            "7S 7D 7H 7C KD 2C 3H 4H 9C",
            "7S 7D 7H KC KD 2C 3H 4H 9C",
            "2S 2D AH KC QD JC 9H 4H 9C",
            "2S 3D AH AC QD QC 9H 4H 8C",  # neither hole card plays
        )
    ]
    seen: Counter[int] = Counter()
    for spread in spreads:
        rank = rules.player_rank(spread)
        for marked in combinations(range(13), 2):
            boost = rules.boost_of(rank, spread, marked, 2)
            assert boost == boost_of(spread, marked)
            seen[boost] += 1
    assert set(seen) == {1, 2, 3, 4, 5, 10, 15, 30}


@pytest.mark.parametrize(
    ("stake", "boost", "returned"),
    [(100, 1, 200), (100, 2, 250), (100, 4, 350), (100, 30, 1650), (5, 2, 12), (5, 4, 17)],
)
def test_a_boost_multiplies_the_profit_of_an_ante_that_wins_by_half_of_what_it_is_above_one(stake, boost, returned):
    assert rules.super_ante_return(stake, rules.WON, boost) == returned


def test_an_ante_that_does_not_win_is_not_boosted():
    for ending in (rules.FOLDED, rules.LOST, rules.LOST_UNQUALIFIED, rules.TIED, rules.WON_UNQUALIFIED):
        assert rules.super_ante_return(100, ending, 30) == OUTCOMES[ending][0] * 10


# The river: all hands of the dealer.


def test_showdowns_are_counted_as_if_one_by_one():
    """80 boards, half of them with three or more of a suit; 990 hands of the dealer on each."""
    work = [7] * rules.SHOWDOWN_WORK
    flush_boards = 0
    for spread in random_spreads(80, 7):
        player, board = rules.player_rank(spread), rules.hand_bits(spread, 2, 7)
        expected = [0, 0, 0, 0, 0]
        for dealer in combinations([card for card in range(52) if card not in spread], 2):
            rank = rank_hand(board | rules.hand_bits(dealer, 0, 2))
            place = 0 if player > rank else 1 if player == rank else 2
            expected[place] += 1
            if place != 1 and category(rank) == 0:
                expected[3 if place == 0 else 4] += 1
        assert rules.count_showdowns(spread, work) == tuple(expected)
        flush_boards += max(Counter(card // 13 for card in spread[2:7]).values()) >= 3
    assert flush_boards >= 40


def test_the_river_is_worth_what_every_showdown_comes_to():
    work = [0] * rules.SHOWDOWN_WORK
    for spread, needs_pair, multiple in zip(random_spreads(12, 7), (True, False) * 6, (1, 2, 4) * 4, strict=True):
        hand, total = category(rules.player_rank(spread)), 0
        for dealer in combinations([card for card in range(52) if card not in spread], 2):
            rank = rules.dealer_rank([*spread, *dealer])
            ending = rules.compare(rules.player_rank(spread), rank, needs_pair)
            total += rules.round_profit(2, multiple, ending, hand)
        assert rules.river_profit(spread, multiple, needs_pair, work) == total
    assert rules.fold_profit() == -990 * 4


# What a policy looks at.


def test_hole_cards_are_of_169_kinds_by_ranks_and_suitedness_alone():
    kinds: dict[int, list[Any]] = {}
    for first, second in combinations(range(52), 2):
        kind = rules.hole_class(first, second)
        assert kind == rules.hole_class(second, first)
        key = (frozenset((first % 13, second % 13)), first // 13 == second // 13)
        kinds.setdefault(kind, []).append(key)

    assert sorted(kinds) == list(range(169))
    assert Counter(map(len, kinds.values())) == {6: 13, 4: 78, 12: 78}
    assert all(len(set(keys)) == 1 for keys in kinds.values())


@pytest.mark.parametrize(
    ("cards", "raises"),
    [
        ("KS 7D QH 7C 2S", True),  # a pair with a card of one's own
        ("9S 9D QH 7C 2S", True),
        ("2S 2D QH 7C 9S", False),  # deuces in the hole
        ("2S 2D QH QC 9S", True),  # but two pair with them
        ("2S 2D 2H QC 9S", True),
        ("KS 7D QH QC 2S", False),  # the pair is the flop's
        ("KS QD QH QC 2S", True),
        ("KS 7D QH QC QS", False),  # so are the three queens
        ("7S 7D QH QC QS", True),
        ("KS 7S QS 3S 2D", True),  # four to a flush, with a king
        ("10S 7S QS 3S 2D", True),
        ("9S 7S QS 3S 2D", False),
        ("KS 7D QS 3S 2S", True),  # one's own card of the four is the king
        ("9S KD QS 3S 2S", False),  # the king is none of the four
        ("KS 7D QS 3S 2H", False),  # three to a flush
        ("KS JS QS 10D 3C", False),  # a straight draw is nothing
        ("AS 2D 3S 4H 5C", True),
        ("KS 7S QS 3S 2S", True),
    ],
)
def test_the_simple_policy_raises_on_the_flop_by_its_rule(cards, raises):
    assert rules.simple_flop(cards_of(cards)) is raises


@pytest.mark.parametrize(
    ("cards", "bets", "outs"),
    [
        ("KS 7D QH 7C 2S JD 5H", True, None),  # a pair with a card of one's own
        ("KS 7D QH QC 2S JD 5H", True, 15),  # two queens, three each of jack, five, two, and four aces
        ("4S 3D QH QC 9S JD 7H", False, 27),  # of the board eleven; and all eights, tens, kings, aces
        ("KS 8D QH 9C 2S JD 5H", True, 19),  # the board's fifteen, and four aces
        ("10S 7D QH 9C 2S KD 5H", False, 23),  # and four jacks
    ],
)
def test_the_simple_policy_bets_at_the_river_by_its_rule(cards, bets, outs):
    spread = cards_of(cards)
    assert rules.simple_river(spread) is bets
    assert outs in (None, river_outs(spread))


def river_outs(spread: list[int]) -> int:
    """Return how many unseen cards make a better hand with the board than the player has."""
    player = best_five(spread)[0]
    unseen = [card for card in range(52) if card not in spread]
    return sum(best_five([*spread[2:], card])[0] > player for card in unseen)


def test_the_simple_policy_at_the_river_is_its_rule():
    for spread in random_spreads(60, 7):
        player, board = best_five(spread)[0], value_of_five(tuple(sorted(spread[2:])))
        assert rules.simple_river(spread) == (player[0] > board[0] or river_outs(spread) < 21)


# Flops and hole cards that are alike.


def renaming(cards: Any, names: tuple[int, ...]) -> list[int]:
    return [13 * names[card // 13] + card % 13 for card in cards]


def test_there_are_1755_flops():
    by_class: dict[int, set[Any]] = {}
    for flop in combinations(range(52), 3):
        place = holdem.flop_place([*[card for card in range(52) if card not in flop][:2], *flop])
        suits = sorted(tuple(card % 13 for card in flop if card // 13 == suit) for suit in range(4))
        by_class.setdefault(place // holdem.HOLDINGS, set()).add(tuple(suits))

    assert sorted(by_class) == list(range(1755))
    assert all(len(kinds) == 1 for kinds in by_class.values())


def test_a_place_is_the_same_whatever_the_suits_are_called_and_in_whatever_order_cards_come():
    rng = Random("places")
    for _ in range(60):
        cards = rng.sample(range(52), 5)
        places = {holdem.flop_place(renaming(cards, names)) for names in permutations(range(4))}
        places |= {
            holdem.flop_place([*hole, *flop]) for hole in permutations(cards[:2]) for flop in permutations(cards[2:])
        }
        assert len(places) == 1
        assert 0 <= places.pop() < rules.FLOP_PLACES


@pytest.mark.parametrize("flop", ["AS KS QS", "AS KS 7D", "7S 7D KS", "7S 7D 2H", "7S 7D 7H", "AS 9D 4H"])
def test_hole_cards_share_a_place_against_a_flop_only_if_suits_can_be_swapped(flop):
    """Among the renamings that leave the flop as it is; every two hole cards are tried."""
    table = cards_of(flop)
    keeping = [names for names in permutations(range(4)) if sorted(renaming(table, names)) == sorted(table)]
    by_place: dict[int, set[Any]] = {}
    for hole in combinations([card for card in range(52) if card not in table], 2):
        alike = min(tuple(sorted(renaming(hole, names))) for names in keeping)
        by_place.setdefault(holdem.flop_place([*hole, *table]), set()).add(alike)

    assert all(len(kinds) == 1 for kinds in by_place.values())
    assert len(by_place) == len({kind for kinds in by_place.values() for kind in kinds})
