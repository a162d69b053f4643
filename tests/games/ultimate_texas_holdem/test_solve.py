"""The count over all boards: its kinds of boards, and many flops against a plain count, a million showdowns each.

The plain count shares the ranking of hands with the package and nothing else: every card that may come, every hand of
the dealer, and the payouts written a second time. It is compiled, because there are so many.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

import numpy as np

from croupier.games.ultimate_texas_holdem import rules, tables
from croupier.games.ultimate_texas_holdem.odds import flop_values
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.tables import flop_words, read_flop_words
from croupier.kit import holdem
from croupier.kit.poker import card_bit, rank_hand
from croupier.sim import compiled
from tools.holdem_tables import Places, build, pack_flops, write_solution
from tools.solvers import holdem as solve

DATA = Path(tables.__file__).parent / "data"
DEFAULT, ALWAYS = HoldemOptions(), HoldemOptions("always")
BONUS_HALVES = (0, 0, 0, 0, 2, 3, 6, 20, 100, 1000)  # the rules page


def count_plainly(cards: Any, needs_pair: bool, sums: Any) -> None:
    """Write what checking and betting twice the Ante come to on a flop, in halves of the Ante."""
    sums[0] = 0
    sums[1] = 0
    seen = 0
    for place in range(5):
        seen |= card_bit(cards[place])
    hole = card_bit(cards[0]) | card_bit(cards[1])
    for turn in range(52):
        for river in range(turn):
            last = card_bit(turn) | card_bit(river)
            if last & seen:
                continue
            board = seen & ~hole | last
            player = rank_hand(board | hole)
            ahead = rest = 0
            for one in range(52):
                for other in range(one):
                    held = card_bit(one) | card_bit(other)
                    if held & (seen | last):
                        continue
                    dealer = rank_hand(board | held)
                    pays = 0 if needs_pair and dealer >> 20 == 0 else 2
                    if player > dealer:
                        ahead += 2
                        rest += pays + BONUS_HALVES[player >> 20]
                    elif player < dealer:
                        ahead -= 2
                        rest -= pays + 2
            sums[0] += max(ahead + rest, -4 * 990)
            sums[1] += 2 * ahead + rest


def spots() -> Iterator[list[int]]:
    rng = Random("spots")
    while True:
        yield rng.sample(range(52), 5)


def raises(cards: list[int], options: HoldemOptions) -> bool:
    """Tell what the shipped table says."""
    place = holdem.flop_place(cards)
    return flop_words(options.dealer_qualifies)[place // 32] >> place % 32 & 1 == 1


def plain_sums(cards: list[int], options: HoldemOptions) -> tuple[int, int]:
    sums = np.zeros(2, np.int64)
    compiled(count_plainly)(np.array(cards), options.dealer_qualifies == "pair", sums)
    return int(sums[0]), int(sums[1])


def test_a_flop_is_worth_what_the_plain_count_says():
    count = 2 * comb(47, 2) * comb(45, 2)
    for cards, options in zip(spots(), (DEFAULT, ALWAYS), strict=False):
        values = flop_values(cards, options)
        check, bet = plain_sums(cards, options)
        assert (values[0], values[2]) == (Fraction(check, count), Fraction(bet, count))


def test_the_shipped_tables_raise_where_the_plain_count_says():
    """150 flops with hole cards, in every second one against a dealer who needs no pair."""
    raised = 0
    for number, cards in enumerate(islice(spots(), 150)):
        options = (DEFAULT, ALWAYS)[number % 2]
        check, bet = plain_sums(cards, options)
        assert raises(cards, options) == (bet > check)
        raised += bet > check
    assert 40 < raised < 110


def test_the_shipped_tables_differ_where_the_plain_count_does():
    """Ten close calls, which go one way if the dealer needs a pair and the other way if not."""
    close_calls = (cards for cards in spots() if raises(cards, DEFAULT) != raises(cards, ALWAYS))
    for cards in islice(close_calls, 10):
        for options in (DEFAULT, ALWAYS):
            check, bet = plain_sums(cards, options)
            assert raises(cards, options) == (bet > check)


def walk_boards(board: Any, totals: Any) -> None:
    weight = solve.next_board(board)
    while weight > 0:
        totals[0] += 1
        totals[1] += weight
        weight = solve.next_board(board)


def test_boards_are_of_134459_kinds_and_2598960_in_all():
    totals = np.zeros(2, np.int64)

    compiled(walk_boards)(np.array([0, 1, 2, 3, 3]), totals)

    assert totals.tolist() == [134_459, comb(52, 5)]


def test_a_kind_of_boards_is_as_large_as_the_ways_to_name_its_suits():
    board, kinds = [0, 1, 2, 3, 3], set()
    for _ in range(3_000):
        weight = solve.next_board(board)
        suits = [tuple(card % 13 for card in board if card // 13 == suit) for suit in range(4)]
        orders = {(a, b, c, d) for a in range(4) for b in range(4) for c in range(4) for d in range(4)}
        named = {tuple(suits[place] for place in order) for order in orders if len(set(order)) == 4}
        assert weight == len(named)
        kinds.add(frozenset(named))
    assert len(kinds) == 3_000


def test_the_shipped_file_is_written_as_the_command_writes_it():
    assert write_solution(tables.solution()) == (DATA / "solution.json").read_bytes()


def test_the_packed_decisions_on_flops_are_those_that_were_counted():
    """Digests of the words as they were kept before they were packed, when places that no cards come to had no bit."""
    digests = {
        "pair": "2b99c5fa5e2fd04f18e43ab45147a3535c266497440b2e73b1f16c7919e108e3",
        "always": "6b205575c35dea18a1a5c29873d25f9655c2f6b136cf1ed9e0f95cebce26ed2c",
    }
    shipped = (DATA / "flop.xz").read_bytes()
    met = Places.make().are_met()

    bits = {
        name: np.unpackbits(np.array(words, "<u4").view(np.uint8), bitorder="little")[: rules.FLOP_PLACES]
        for name, words in read_flop_words(shipped).items()
    }

    assert met.sum() == 1_286_792  # hole cards and flops, whatever the names of suits
    for name, found in bits.items():
        words = np.packbits(found & met, bitorder="little").tobytes()
        assert sha256(words.ljust(4 * rules.FLOP_WORDS, b"\0")).hexdigest() == digests[name]
    assert pack_flops(bits["pair"] + 2 * bits["always"], met) == shipped


@pytest.mark.soak
def test_the_shipped_figures_are_made_again_to_the_last_byte():
    """All boards, three times over: some minutes of two cores. What is compressed is compared as it was before."""
    solution, flops = build()

    assert solution == (DATA / "solution.json").read_bytes()
    assert read_flop_words(flops) == read_flop_words((DATA / "flop.xz").read_bytes())
