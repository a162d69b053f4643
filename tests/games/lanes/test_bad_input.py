"""Bad input to the simulation layer: every call works, or raises the error it names and changes nothing."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

from croupier.errors import BadOptions, CroupierError
from croupier.games.lanes.cards.decks import validate_deck
from croupier.games.lanes.compat import (
    BoardError,
    BoardState,
    CardHydrator,
    Deck,
    DeckError,
    GameState,
    Hand,
    HandIndexError,
    IllegalPlacement,
    LegalityChecker,
    Rules,
    compute_projection_targets,
    load_cards,
)
from croupier.games.lanes.play.board import check_cells
from croupier.games.lanes.rules import layout

IDS = [f"{number:03}" for number in range(1, 16)]


@pytest.mark.parametrize("ids", ["123456789012345", b"123456789012345", None, 15, [1] * 15, [None] * 15, [["a"]] * 15])
def test_decks_and_hands_are_lists_of_ids(ids, probe):
    hand = Hand(CardHydrator(probe))
    for take in (Deck, hand.from_card_ids, lambda wrong: validate_deck(wrong, probe)):
        with pytest.raises(DeckError):
            take(ids)


# By what is so: the errors, the arguments that are wrong, and the calls that refuse each of them.
REFUSED: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "a number of cards is a whole number": (DeckError, [-1, 1.0, "3", None, True], [
        lambda state, n: Deck(IDS).draw_n(n),
    ]),
    "a place in a hand is a whole number below its size": (HandIndexError, [-1, 5, 5.0, "0", None, True, 2**70], [
        lambda state, index: state.player_hand.remove_index(index),
        lambda state, index: state.play_card_from_hand("Y", index, 0, 0),
        lambda state, index: state.mulligan("Y", [index]),
        lambda state, index: Deck(IDS, 1).mulligan(Deck(IDS, 1).draw_n(5), [index]),
    ]),
    "a tile is two whole numbers on the board": (
        IllegalPlacement, [(-1, 0), (3, 0), (0, -1), (0, 5), ("0", 0), (0, None), (0.0, 0), (True, 0)], [
        lambda state, tile: state.play_card_from_hand("Y", 0, *tile),
        lambda state, tile: state.board.tile_at(*tile),
        lambda state, tile: state.board.power_at(*tile),
        lambda state, tile: state.board.place_card(*tile, "K01", "Y"),
        lambda state, tile: state.board.apply_pawns_for_you(*tile),
        lambda state, tile: state.board.remove_card(*tile),
        lambda state, tile: LegalityChecker.check(state.board, "Y", "K01", *tile),
        lambda state, tile: compute_projection_targets(state.cards.get_card("K01"), *tile),
    ]),
    "a side is Y or E": (BadOptions, ["y", "", None, 0, "YE", ["Y"]], [
        lambda state, side: state.play_card_from_hand(side, 0, 0, 0),
        lambda state, side: state.mulligan(side, []),
        lambda state, side: state.board.place_card(1, 1, "K01", side),
        lambda state, side: LegalityChecker.check(state.board, side, "K01", 0, 0),
    ]),
    "a mulligan takes places, each once": (
        (DeckError, HandIndexError), ["01", None, 3, [[0]], [0, 0], range(6), {0: 1}.items()], [
        lambda state, indices: state.mulligan("Y", indices),
    ]),
    "the steps of a play need a card of that side": (IllegalPlacement, [(2, 1)], [
        lambda state, tile: state.board.place_card(*tile, "K01", "Y"),
        lambda state, tile: state.board.apply_pawns_for_you(*tile),
        lambda state, tile: state.board.apply_effects_for_you(*tile),
        lambda state, tile: state.board.apply_effects_for_enemy(0, 0),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("errors", "arguments", "calls"), REFUSED.values(), ids=REFUSED)
def test_a_call_with_a_wrong_argument_is_refused_and_changes_nothing(state, errors, arguments, calls):
    state.board.place_card(2, 1, "K01", "E")
    before = state.state_hash()

    for argument, call in product(arguments, calls):
        with pytest.raises(errors):
            call(state, argument)
        assert state.state_hash() == before


def test_no_card_is_legal_off_the_board(state):
    for tile in REFUSED["a tile is two whole numbers on the board"][1]:
        assert not LegalityChecker.is_legal(state.board, "Y", "K01", *tile)


def test_a_deck_exchanges_only_what_was_drawn_from_it():
    deck = Deck(IDS, 1)
    hand = deck.draw_n(5)
    left = list(deck.value.left)

    for wrong in ([*hand[:4], left[0]], [hand[0], hand[0]], ["nobody"]):
        with pytest.raises(DeckError, match="not among the cards drawn"):
            deck.mulligan(wrong, [0])
    assert list(deck.value.left) == left


def test_every_reason_for_a_no_is_its_own(probe):
    board = BoardState(probe)
    board.set_up("MID-1=Y1:K01, MID-5=E1:K01, TOP-2=E1")
    reasons = {
        LegalityChecker.reason(board, "Y", card_id, lane, col)
        for card_id, lane, col in [
            ("K01", 1, 0), ("K01", 0, 2), ("K01", 0, 1), ("K09", 0, 0), ("K21", 0, 0), ("K21", 1, 4), ("K01", 7, 0),
            ("K01", 0, 7), ("K01", 0, 0),
        ]
    }  # fmt: skip

    assert reasons == {
        "MID-1 holds a card already",
        "TOP-3 is not yours: it belongs to nobody",
        "TOP-2 is not yours: it is theirs",
        "Anvil Giant needs 3 pawns, TOP-1 has 1",
        "Relief replaces a card of your own; on TOP-1 there is none",
        "Relief replaces a card of your own; on MID-5 the card there is the other side's",
        "there is no lane 7: they are 0 to 2",
        "there is no column 7: they are 0 to 4",
        None,
    }


@pytest.mark.parametrize(
    "text",
    ["MID-6=E1", "mid-1=E1", "MID-1", "MID-1=", "MID-1=E4", "MID-1=N1", "MID-1=Y0", "MID-1=E1:nobody", "MID-1=N0:K01",
     "MID-1=Y1:K01{x}", "MID-1=Y1:K01{+99999}", "MID-1=E1, MID-1=E2", "MID-1=E1:K01{-1", "=E1"],
)  # fmt: skip
def test_a_board_that_cannot_be_read_is_not_set_up(probe, text):
    board = BoardState(probe)
    before = board.cells

    with pytest.raises(CroupierError):
        board.set_up(text)

    assert board.cells == before


def test_a_game_takes_a_board_of_its_own_cards_and_rules(probe, probe_file):
    decks = [Deck(["K01"] * 15) for _ in range(2)]
    hydrator = CardHydrator(probe)

    with pytest.raises(BadOptions, match="another card set"):
        GameState(decks[0], decks[1], hydrator, board=BoardState(load_cards(probe_file)))
    with pytest.raises(BadOptions, match="other rules"):
        GameState(decks[0], decks[1], hydrator, board=BoardState(probe, Rules.console()), rules=Rules.seed())
    assert GameState(decks[0], decks[1], hydrator, board=BoardState(probe, Rules.console())).rules == Rules.console()


def test_a_deck_of_unknown_cards_is_a_key_error(probe):
    with pytest.raises(KeyError):
        GameState.new(IDS, IDS, cards=probe)


def test_validation_finds_every_changed_cell_of_a_board(probe):
    """Every number that follows from others, changed by one: the check sees each of them."""
    board = BoardState(probe)
    board.set_up("TOP-1=Y1:K05, MID-2=Y1:K30, MID-3=E1:K24, BOT-1=Y1:K19, BOT-2=E1:K18, TOP-2=Y1:K01{+1}")
    board.place_card(1, 0, "K01", "Y")
    board.apply_pawns_for_you(1, 0)
    board.settle()
    board.validate()
    cells = board.cells
    derived = [
        *range(layout.UNSETTLED, layout.BASE_OF),
        layout.LOG_COUNT,
        layout.LOG,
        *(layout.TILES + layout.TILE_CELLS * tile + field for tile in range(15)
          for field in (layout.COUNT, layout.AURA, layout.AURA + 1)),
        *(layout.TILES + layout.TILE_CELLS * 4 + field for field in range(layout.OWNER, layout.AURA)),
        *(layout.TILES + layout.TILE_CELLS * tile + field for tile in (0, 5)
          for field in (layout.UID, layout.PUT)),
        *(layout.TILES + layout.TILE_CELLS * 0 + field for field in (layout.OWNER, layout.FIRED)),
    ]  # fmt: skip

    unnoticed = []
    for place in derived:
        for change in (1, -1, 1 << 14):
            changed = list(cells)
            changed[place] += change
            try:
                check_cells(changed, probe)
            except (BoardError, IndexError, ValueError):
                continue
            unnoticed.append((place, change))
    # A serial number may be another as long as it is unique; which abilities went off, only their moment shows.
    uids = {layout.TILES + layout.TILE_CELLS * tile + layout.UID for tile in (0, 5)}
    fired = {layout.TILES + layout.FIRED}
    assert {place for place, _ in unnoticed} <= uids | fired


@settings(max_examples=50)
@given(data=st.data())
def test_random_deeds_raise_our_own_errors_or_work(probe, fifteen, data):
    """A caller who tries anything: every error is one of ours, and the board stays right."""
    state = GameState.new(fifteen, fifteen, cards=probe, seed=data.draw(st.integers(0, 50)))
    small = st.integers(-1, 6)
    for _ in range(data.draw(st.integers(1, 25))):
        deed = data.draw(st.sampled_from(["play", "pass", "end", "draw", "mulligan", "clone"]))
        before = state.state_hash()
        try:
            match deed:
                case "play":
                    move = data.draw(st.sampled_from([*state.legal_moves(), None]))
                    is_free = move is None or move.is_pass
                    place = data.draw(st.tuples(small, small, small)) if is_free else astuple(move)
                    state.play_card_from_hand(data.draw(st.sampled_from("YE")), *place)
                case "pass":
                    state.pass_turn()
                case "end":
                    state.end_turn()
                case "draw":
                    state.draw_start_of_turn()
                case "mulligan":
                    state.mulligan(data.draw(st.sampled_from("YE")), data.draw(st.lists(small, max_size=3)))
                case "clone":
                    state = state.clone()
        except CroupierError:
            assert state.state_hash() == before
        state.board.validate()
    total = len(state.player_hand) + state.player_deck.cards_remaining()
    assert total <= 15 + 2  # what K36 and K14 may have added
