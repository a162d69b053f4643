"""Observation, prediction and coaching: facts from events, chances by counting, previews that come true."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import astuple, replace

from croupier.engine import act, apply_action, create_match, legal_actions, view_for
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.games.lanes import Lanes
from croupier.games.lanes.bots import coaching, prediction
from croupier.games.lanes.bots.observation import EnemyObservation
from croupier.games.lanes.cards.card_set import own_cards, own_decks
from croupier.games.lanes.cards.decks import validate_deck
from croupier.games.lanes.play.position import LANES
from croupier.games.lanes.play.simulation import PASS, GameState, Move
from croupier.rng import GameRng
from tests.games.lanes.conftest import make_move
from tools.lanes.deck_search import search_deck

CARDS = own_cards()
DECKS = {deck.id: deck.cards for deck in own_decks()}
LIGHT, RUIN = (deck.cards for deck in own_decks()[:2])
GAME = Lanes()


def stream(number: int = 0) -> GameRng:
    return GameRng.new(b"coach", number, 0)


def game_after(plies: int, seed: int = 3) -> GameState:
    """Return a game after some random plies, at the point where the next side chooses."""
    state, rng = GameState.new(LIGHT, RUIN, cards=CARDS, seed=seed), GameRng.new(b"plies", seed, 0)
    for _ in range(plies):
        take_ply(state, rng)
    return state


def take_ply(state: GameState, rng: GameRng) -> str:
    """Make a random move, and the draw of the next side; return the card that was played, or nothing."""
    move = rng.pick(state.legal_moves()[:-1] or [PASS])
    played = card_of(state, move)
    make_move(state, move)
    if not state.is_game_over():
        state.draw_start_of_turn()
    return played


def card_of(state: GameState, move: Move) -> str:
    """Return the id of the card that a move plays; nothing for a pass."""
    hand = state.player_hand if state.side_to_act == "Y" else state.enemy_hand
    return "" if move.is_pass else hand.as_card_ids()[move.hand_index]


# Observation.


def test_the_enemys_plays_are_seen_once_each_and_nothing_else():
    state = GameState.new(LIGHT, RUIN, cards=CARDS, seed=3)
    watched, rng = EnemyObservation("Y", RUIN), GameRng.new(b"plies", 3, 0)
    played = []
    while state.turn <= 12 and not state.is_game_over():
        side, card_id = state.side_to_act, take_ply(state, rng)
        played += [card_id] * (side == "E" and card_id != "")
        watched.update_from_game_state(state)
        watched.update_from_game_state(state)  # again: nothing is counted twice

    assert [seen.card_id for seen in watched.seen if not seen.is_token] == played
    assert played
    assert watched.hand_size == len(state.enemy_hand)
    left = watched.get_known_enemy_deck_remaining_ids()
    hidden = [*state.enemy_hand.as_card_ids(), *state.enemy_deck.value.left]
    for card_id in watched.given.elements():
        hidden.remove(card_id)
    assert left == sorted(hidden)


def test_plays_can_be_entered_by_hand():
    watched = EnemyObservation("Y", RUIN)
    card = RUIN[0]
    watched.register_enemy_play(card, 1, 4, 2)
    watched.register_destroyed("MID-5", 3)

    assert watched.seen[0].destroyed_turn == 3
    assert len(watched.get_known_enemy_deck_remaining_ids()) == 14
    with pytest.raises(BadOptions, match="no card"):
        watched.register_destroyed("MID-5", 4)
    with pytest.raises(BadOptions, match="no lane"):
        watched.register_enemy_play(card, 3, 0, 2)


def test_plays_count_against_the_deck_unless_the_card_was_given():
    watched = EnemyObservation("Y", RUIN)
    watched.register_gift("TOKEN")
    watched.register_enemy_play("TOKEN", 0, 4, 2)
    assert watched.seen[0].was_given
    assert len(watched.get_known_enemy_deck_remaining_ids()) == 15

    for _ in range(3):
        watched.register_enemy_play(RUIN[0], 0, 4, 2)
    with pytest.raises(BadOptions, match="more often"):
        watched.get_known_enemy_deck_remaining_ids()
    assert EnemyObservation("Y").get_known_enemy_deck_remaining_ids() == []


# Prediction.


def test_decks_are_weighed_by_how_many_draws_show_what_was_seen():
    """Two copies show a card twice as often as one; two sightings of a pair can be drawn in one way only."""
    watched = EnemyObservation("Y")
    watched.register_enemy_play("a", 0, 4, 2)
    decks = {"two": ["a", "a", "b"], "one": ["a", "b", "c"], "none": ["b", "b", "c"]}

    found = {each.name: each.chance for each in prediction.infer_enemy_decks(watched, decks)}
    assert found == {"two": Fraction(2, 3), "one": Fraction(1, 3)}
    watched.register_enemy_play("a", 0, 3, 4)
    assert [each.name for each in prediction.infer_enemy_decks(watched, decks)] == ["two"]
    watched.register_enemy_play("z", 1, 4, 6)
    with pytest.raises(BadOptions, match="none of these decks"):
        prediction.infer_enemy_decks(watched, decks)


def test_the_chance_of_a_card_is_the_share_of_hands_that_hold_it():
    unseen = ("a", "a", "b", "c", "d", "e")
    hypothesis = prediction.HandHypothesis(unseen, 3, ("g",))
    hands = list(combinations(range(6), 3))
    for card in "abcde":
        holding = sum(any(unseen[place] == card for place in hand) for hand in hands)
        assert hypothesis.chance_of(card) == Fraction(holding, len(hands))
    assert hypothesis.chance_of("g") == 1
    assert hypothesis.chance_of("z") == 0
    assert next(iter(hypothesis.chances())) == "g"


def test_hands_are_sampled_fairly():
    """2,000 hands of 2 out of 4: each card in half of them, within 4.5 standard errors (one false alarm in 150,000)."""
    hypothesis, rng = prediction.HandHypothesis(("a", "b", "c", "d"), 2, ()), stream()
    hands = [hypothesis.sample(rng) for _ in range(2000)]
    for card in "abcd":
        assert abs(sum(card in hand for hand in hands) - 1000) < 4.5 * (2000 / 4) ** 0.5


def test_a_hand_is_inferred_from_the_list_and_what_was_seen():
    state, watched = game_after(6), EnemyObservation("Y", RUIN)
    watched.update_from_game_state(state)
    hypothesis = prediction.infer_enemy_hand(watched)

    assert hypothesis.hidden + len(hypothesis.given) == len(state.enemy_hand)
    assert all(hypothesis.chance_of(card_id) > 0 for card_id in state.enemy_hand.as_card_ids())
    with pytest.raises(BadOptions, match="name the enemy's deck"):
        prediction.infer_enemy_hand(EnemyObservation("Y"))


def test_enemy_moves_are_those_of_the_rules_on_their_turn():
    state = game_after(1)
    assert state.side_to_act == "E"
    assert prediction.enumerate_enemy_moves(state) == state.legal_moves()
    with_one = prediction.enumerate_enemy_moves(state, hand_ids=[RUIN[0]])
    assert with_one[-1] == PASS
    assert {move.hand_index for move in with_one[:-1]} <= {0}
    before = state.state_hash()
    for move in prediction.enumerate_enemy_moves(state)[:5]:
        after, expected = prediction.simulate_enemy_move(state, move), state.clone()
        make_move(expected, move)
        assert after.state_hash() == expected.state_hash()
    assert state.state_hash() == before


@pytest.mark.parametrize("plies", [2, 6, 10])
def test_the_worst_threat_is_the_worst_of_all_replies(plies):
    """The worst of the best replies, over sixteen deals; the mean lies between them, and the shares add up."""
    state = game_after(plies)
    side = state.side_to_act
    threat = prediction.compute_threat_map(state, stream(), side, deals=16)
    margins = [reply.margin for reply, _ in threat.replies]

    assert threat.worst.margin == min(margins)
    assert min(margins) <= threat.expected <= max(margins)
    assert sum(share for _, share in threat.replies) == 1
    assert all(0 <= share <= 1 for share in (*threat.lanes, *threat.tiles.values()))
    assert prediction.compute_threat_map(state, stream(), side, deals=16) == threat
    with pytest.raises(BadOptions):
        prediction.compute_threat_map(state, stream(), side, deals=0)


def test_a_threat_does_not_depend_on_the_real_hand_of_the_enemy():
    state = game_after(4)
    other = state.clone()
    pool = sorted([*other.enemy_hand.as_card_ids(), *other.enemy_deck.value.left])
    count = len(other.enemy_hand)
    known = prediction.compute_threat_map(state, stream(), "Y", deals=200)
    other.enemy_hand.from_card_ids(pool[:count])
    other.enemy_deck._value = replace(other.enemy_deck.value, left=tuple(pool[count:]))
    again = prediction.compute_threat_map(other, stream(1), "Y", deals=200)

    # Two samples of 200 deals of the same distribution: the means are close.
    assert abs(known.expected - again.expected) < 2


# Coaching.


@pytest.mark.parametrize("plies", [0, 3, 8])
def test_a_preview_comes_true(plies):
    state = game_after(plies)
    side = state.side_to_act
    before = state.state_hash()
    for move in coaching.enumerate_you_moves(state, side):
        shown = coaching.preview_move(state, move)
        after = state.clone()
        make_move(after, move)
        assert shown.score == after.score()
        assert shown.margin == (after.score().margin if side == "Y" else -after.score().margin)
        tiles = after.board.tiles()
        assert sorted(shown.powers.values()) == sorted(tile.card.power for tile in tiles if tile.card)
        assert len(shown.tiles) == sum(tile.owner == side and tile.card is None for tile in tiles)
        assert next(event["type"] for event in shown.events) == ("pass" if move.is_pass else "play")
    assert state.state_hash() == before
    with pytest.raises(BadOptions, match="no legal move"):
        coaching.preview_move(state, Move(0, 0, 2) if Move(0, 0, 2) not in state.legal_moves() else Move(99, 0, 0))


def test_a_position_is_worth_to_one_side_what_it_costs_the_other():
    for plies in (0, 3, 8):
        state = game_after(plies)
        you, enemy = coaching.evaluate_position(state, "Y"), coaching.evaluate_position(state, "E")
        assert astuple(you) == tuple(-value for value in astuple(enemy))
        assert you.margin == state.score().margin


def test_every_legal_move_is_ranked_and_has_a_value():
    state = game_after(5)
    ranked = coaching.rank_moves(state, stream(), budget=80)
    distinct = {(card_of(state, move), move.lane, move.col) for move in state.legal_moves()}

    assert {(card_of(state, move), move.lane, move.col) for move, _, _ in ranked} == distinct
    assert [visits for *_, visits in ranked] == sorted((visits for *_, visits in ranked), reverse=True)
    for move in state.legal_moves():
        assert coaching.evaluate_move(state, move, stream(), deals=2) is not None


def test_recommendations_have_reasons_labels_and_replies():
    state = game_after(5)
    best, *others = coaching.recommend_moves(state, stream(), 3, budget=80, deals=4)

    assert best.label == "best"
    assert best.behind == 0
    assert all(each.label in ("good", "playable", "weak") for each in others)
    assert all(0 <= each.value <= 1 and each.reasons for each in (best, *others))
    assert best.reply is not None
    assert coaching.recommend_moves(state, stream(), 3, budget=80, deals=4)[0] == best
    with pytest.raises(BadOptions):
        coaching.recommend_moves(state, stream(), 0)
    state.pass_turn()
    state.pass_turn()
    assert coaching.recommend_moves(state, stream()) == []  # the game is over


def test_reasons_say_what_the_move_does():
    """The first card of a game on its own lane: it takes that lane, and says so."""
    state = GameState.new(LIGHT, RUIN, cards=CARDS, seed=3)
    move = state.legal_moves()[0]
    (found,) = [each for each in coaching.recommend_moves(state, stream(), 99, budget=60, deals=2) if each.move == move]

    assert f"takes the {LANES[move.lane]} lane" in found.reasons[0]


# At the table.


def test_the_coach_values_every_legal_action():
    match = create_match(GAME, ["ann", "bob"], seed=bytes(32))
    for _ in range(4):
        player = match.turn.current
        legal = legal_actions(GAME, match)
        advice = GAME.advise(view_for(GAME, match, player), legal)
        assert sorted(map(repr, (each.action for each in advice))) == sorted(map(repr, legal))
        assert all(each.text for each in advice)
        match = apply_action(GAME, match, advice[0].action).state


def test_the_mulligan_is_valued_by_counting():
    """Kept cards that can come early, and for each one put back its share in deck and hand together."""
    match = create_match(GAME, ["ann", "bob"], seed=bytes(32))
    view: Any = view_for(GAME, match, "ann")
    side = 0 if view.game.side == "Y" else 1
    hand, unseen = view.game.hands[side], view.game.unseen[side]
    early = [CARDS.get_card(card_id).cost in (1, 2) for card_id in hand]
    in_deck = sum(CARDS.get_card(card_id).cost in (1, 2) for card_id in unseen) - sum(early)
    for advice in GAME.advise(view, legal_actions(GAME, match)):
        back = advice.action.payload.get("indices", ())
        kept = sum(early) - sum(early[place] for place in back)
        drawn = Fraction(in_deck + sum(early[place] for place in back), 10 + len(back)) * len(back)
        assert advice.value == kept + drawn


def test_a_preview_at_the_table_shows_the_board_after_the_move():
    match = create_match(GAME, ["ann", "bob"], seed=bytes(32))
    match = apply_action(GAME, match, legal_actions(GAME, match)[0]).state
    view = view_for(GAME, match, match.turn.current)
    action = legal_actions(GAME, match)[0]
    shown = GAME.preview(view, action)
    after = view_for(GAME, apply_action(GAME, match, action).state, match.turn.current)

    assert shown is not None
    board = GAME.render(after).split("score")[0].split("\n", 2)[2]
    assert shown.split("score")[0].split("\n", 2)[2] == board
    with pytest.raises(Refusal):
        GAME.preview(view, act("play", hand_index=0, lane=0, col=4))


# Decks.


def test_a_search_keeps_decks_legal_and_never_gets_worse_on_its_own_games():
    found = search_deck(RUIN, [LIGHT], steps=12, pairs=4, seed=b"search", cards=CARDS)

    assert validate_deck(found.card_ids, CARDS).errors == ()
    assert found.after.points >= found.before.points
    assert len(found.swaps) == sum(a != b for a, b in zip(RUIN, found.card_ids, strict=True)) or found.swaps
    assert search_deck(RUIN, [LIGHT], steps=12, pairs=4, seed=b"search", cards=CARDS) == found
    with pytest.raises(BadOptions, match="legal deck"):
        search_deck([RUIN[0]] * 15, [LIGHT], steps=1, pairs=1, seed=b"", cards=CARDS)
