"""Piles: nothing is lost, nothing is changed in place, nothing shows through a card's back."""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence
from functools import partial
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.kit.errors import KitError
from croupier.kit.piles import (
    Card,
    add_card,
    deal,
    deck_from_spec,
    draw_n,
    flip,
    public_view,
    rank_value,
    remove_card,
    shuffle,
    standard52,
    top_of,
)
from croupier.rng import GameRng

DECK = standard52()
piles = st.lists(st.sampled_from(DECK), unique=True).map(tuple)
mixed_piles = st.lists(st.tuples(st.sampled_from(DECK), st.booleans()), unique_by=lambda pair: pair[0].id).map(
    lambda pairs: tuple(flip(card) if face_up else card for card, face_up in pairs)
)


def ids(pile: tuple[Card, ...]) -> list[str]:
    return [card.id for card in pile]


def test_the_standard_deck_has_52_cards_face_down_and_no_two_alike() -> None:
    assert len(DECK) == len(set(ids(DECK))) == 52
    assert not any(card.face_up for card in DECK)
    assert Counter(card.suit for card in DECK) == {"S": 13, "H": 13, "D": 13, "C": 13}
    assert Counter(card.value for card in DECK) == dict.fromkeys(range(2, 15), 4)


def test_the_standard_deck_lies_in_the_order_of_the_card_numbers() -> None:
    places = [ids(DECK)[place] for place in (0, 9, 12, 13, 26, 39, 51)]

    assert places == ["AS", "10S", "KS", "AH", "AD", "AC", "KC"]
    assert DECK[0] == Card(id="AS", kind="AS", suit="S", rank="A", value=14)


def test_ranks_have_the_values_printed_and_the_ace_two_of_them() -> None:
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]

    assert [rank_value(rank) for rank in ranks] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert [rank_value(rank, ace_high=False) for rank in ranks] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert (rank_value("A"), rank_value("A", ace_high=True), rank_value("A", False)) == (14, 14, 1)


KNIGHTS = deck_from_spec([{"kind": "knight", "data": {"power": 3}}])
IMPOSSIBLE = [
    *((partial(rank_value, rank), "is no rank") for rank in ("", "1", "11", "a", "T", "AS", " 2")),
    (partial(KNIGHTS[0].fact, "cost"), r"knight-1 has no 'cost': it has \['power'\]"),
    (partial(deal, "abcde", ("ann", "bob"), 3), "6 cards are wanted and 5 are there"),
    (partial(deal, DECK, ("ann", "ann"), 2), "names a hand twice"),
    (partial(deal, DECK, ("ann", "bob"), -1), "-1 cards are wanted"),
    (partial(deal, DECK, (), -1), "-1 cards are wanted"),
    (partial(draw_n, DECK, -1), "-1 cards are wanted"),
    (partial(remove_card, DECK, "ZZ"), "no card 'ZZ' in a pile of 52"),
]


@pytest.mark.parametrize(("ask", "words"), IMPOSSIBLE)
def test_an_impossible_question_is_an_error_that_says_why(ask: partial[object], words: str) -> None:
    with pytest.raises(KitError, match=words):
        ask()


def test_a_deck_follows_its_specification_line_by_line() -> None:
    deck = deck_from_spec(
        [
            {"kind": "knight", "count": 2, "data": {"power": 3, "cost": 1}},
            {"kind": "dragon", "data": {"name": "Old Smoke", "flies": True, "rider": None}},
            {"kind": "ghost", "count": 0},
        ]
    )

    assert ids(deck) == ["knight-1", "knight-2", "dragon-1"]
    assert [card.kind for card in deck] == ["knight", "knight", "dragon"]
    assert deck[0].data == (("cost", 1), ("power", 3))
    assert (deck[2].fact("name"), deck[2].fact("flies"), deck[2].fact("rider")) == ("Old Smoke", True, None)
    assert not any(card.face_up for card in deck)
    assert ids(deck_from_spec((MappingProxyType({"kind": "knight", "count": 1}),))) == ["knight-1"]  # read-only


@pytest.mark.parametrize(
    ("spec", "where"),
    [
        ([{"count": 2}], "kind"),
        ([{"kind": ""}], r"\$\[0\]\.kind"),
        ([{"kind": 7}], r"\$\[0\]\.kind"),
        ([{"kind": "a"}, {"kind": "b", "count": -1}], r"\$\[1\]\.count"),
        ([{"kind": "a", "count": True}], r"\$\[0\]\.count"),
        ([{"kind": "a", "count": 1.0}], r"\$\[0\]\.count"),
        ([{"kind": "a", "cuont": 2}], "cuont"),
        ([{"kind": "a", "data": {"x": [1]}}], r"\$\[0\]\.data"),
        ([{"kind": "a", "data": {"x": 0.5}}], r"\$\[0\]\.data"),
        ([{"kind": "a", "data": {1: 2}}], r"\$\[0\]\.data"),
        ([3], r"\$\[0\]"),
        ([{"kind": "a"}, {"kind": "b"}, {"kind": "a"}], "names a kind twice"),
    ],
)
def test_a_faulty_specification_is_an_error_that_says_where(spec: Any, where: str) -> None:
    with pytest.raises(KitError, match=where):
        deck_from_spec(spec)


@given(st.dictionaries(st.text(alphabet="ab-12?", min_size=1, max_size=4), st.integers(0, 12), max_size=6))
def test_ids_stay_unique_whatever_the_kinds_are_called(counts: dict[str, int]) -> None:
    deck = deck_from_spec([{"kind": kind, "count": count} for kind, count in counts.items()])

    assert len(set(ids(deck))) == len(deck) == sum(counts.values())


@given(mixed_piles)
def test_a_pile_survives_being_saved_and_loaded(pile: tuple[Card, ...]) -> None:
    text = msgspec.json.encode(pile)

    assert msgspec.json.decode(text, type=tuple[Card, ...]) == pile


def test_the_facts_of_a_card_survive_being_saved_and_loaded() -> None:
    facts = {"n": -5, "on": True, "off": False, "no": None, "t": "1"}
    deck = deck_from_spec([{"kind": "a", "count": 2, "data": facts}])

    loaded = msgspec.json.decode(msgspec.json.encode(deck), type=tuple[Card, ...])

    assert loaded == deck
    assert loaded[0].fact("on") is True


class BackwardsRng:
    """A stream whose only order is the reverse."""

    def shuffle(self, items: MutableSequence[Any]) -> None:
        items.reverse()


def test_a_shuffle_gives_the_order_of_the_stream_and_leaves_the_pile_alone() -> None:
    pile = (1, 2, 3)

    assert shuffle(BackwardsRng(), pile) == (3, 2, 1)
    assert pile == (1, 2, 3)


def test_a_shuffle_matches_the_published_vector() -> None:
    """Ten letters by the stream of zeros, session 1, move 0."""
    rng = GameRng.new(bytes(32), session_id=1, move_number=0)

    assert "".join(shuffle(rng, "abcdefghij")) == "jigbcafhde"


@given(piles, st.binary(max_size=8))
def test_a_shuffled_pile_holds_the_same_cards(pile: tuple[Card, ...], seed: bytes) -> None:
    assert Counter(shuffle(GameRng.new(seed, 0, 0), pile)) == Counter(pile)


def test_cards_are_dealt_one_at_a_time_in_turn() -> None:
    hands, rest = deal(DECK, ("ann", "bob", "cid"), 2)

    assert {player: ids(hand) for player, hand in hands.items()} == {
        "ann": ["AS", "4S"],
        "bob": ["2S", "5S"],
        "cid": ["3S", "6S"],
    }
    assert ids(rest)[0] == "7S"
    assert deal("abcd", ("ann", "bob"), 2) == ({"ann": ("a", "c"), "bob": ("b", "d")}, ())  # to the last card


@given(st.lists(st.integers(0, 51)), st.integers(0, 5), st.integers(0, 12))
def test_a_deal_conserves_every_card_or_is_an_error(deck: list[int], players: int, n: int) -> None:
    if players * n > len(deck):
        with pytest.raises(KitError, match=f"{players * n} cards are wanted and {len(deck)} are there"):
            deal(deck, range(players), n)
        return

    hands, rest = deal(deck, range(players), n)

    assert list(hands) == list(range(players))
    assert all(len(hand) == n for hand in hands.values())
    # Gathered again in the order they went out, the cards are the deck.
    assert [hands[p][i] for i in range(n) for p in range(players)] + list(rest) == deck


@given(piles, st.integers(0, 60))
def test_drawing_splits_a_pile_from_the_top_or_is_an_error(pile: tuple[Card, ...], n: int) -> None:
    if n > len(pile):
        with pytest.raises(KitError, match="are wanted"):
            draw_n(pile, n)
        return

    drawn, rest = draw_n(pile, n)

    assert len(drawn) == n
    assert drawn + rest == pile


@given(piles.filter(len), st.data())
def test_removing_a_card_takes_that_one_and_keeps_the_order(pile: tuple[Card, ...], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(pile) - 1))

    card, rest = remove_card(pile, pile[index].id)

    assert card is pile[index]
    assert list(rest) == [other for other in pile if other.id != card.id]


def test_of_two_cards_with_one_id_the_upper_goes() -> None:
    upper, lower = Card(id="x", kind="a"), Card(id="x", kind="b")

    assert remove_card((upper, lower), "x") == (upper, (lower,))


@given(piles, st.sampled_from(DECK))
def test_an_added_card_is_the_top_unless_it_goes_to_the_bottom(pile: tuple[Card, ...], card: Card) -> None:
    assert top_of(add_card(pile, card)) is card
    assert draw_n(add_card(pile, card), 1) == ((card,), pile)
    assert add_card(pile, card, to_bottom=True) == (*pile, card)


def test_functions_give_tuples_back_when_given_lists_and_the_top_of_nothing_is_none() -> None:
    assert (top_of(()), top_of(DECK)) == (None, DECK[0])
    deck = list(DECK[:6])

    hands, rest = deal(deck, ("ann",), 1)

    assert type(rest) is type(hands["ann"]) is type(add_card(deck, DECK[7])) is tuple
    assert deck == list(DECK[:6])


def test_a_flipped_card_shows_its_face_and_flips_back() -> None:
    card = DECK[0]

    assert flip(card).face_up
    assert not card.face_up
    assert flip(flip(card)) == card


@given(st.integers(0, 52), st.binary(max_size=4), st.binary(max_size=4))
def test_two_face_down_piles_of_one_length_look_the_same(n: int, seed_a: bytes, seed_b: bytes) -> None:
    pile_a, _ = draw_n(shuffle(GameRng.new(seed_a, 1, 0), DECK), n)
    other = deck_from_spec([{"kind": "secret", "count": 52, "data": {"power": 9}}])
    pile_b, _ = draw_n(shuffle(GameRng.new(seed_b, 2, 0), other), n)

    assert public_view(pile_a) == public_view(pile_b)


@given(mixed_piles, st.data())
def test_a_view_depends_on_the_face_up_cards_alone(pile: tuple[Card, ...], data: st.DataObject) -> None:
    spare = [card for card in DECK if card.id not in ids(pile)]
    hidden = [index for index, card in enumerate(pile) if not card.face_up]
    swapped = list(pile)
    for index, card in zip(data.draw(st.permutations(hidden)), spare, strict=False):
        swapped[index] = card

    assert public_view(pile) == public_view(swapped)


@given(mixed_piles)
def test_a_view_keeps_the_count_the_open_cards_and_nothing_of_the_others(pile: tuple[Card, ...]) -> None:
    view = public_view(pile)

    assert len(view) == len(pile)
    assert len(set(ids(view))) == len(view)
    assert [card for card in view if card.face_up] == [card for card in pile if card.face_up]
    for stand_in in (card for card in view if not card.face_up):
        assert stand_in == Card(id=stand_in.id, kind="??")
        assert stand_in.id not in ids(DECK)
