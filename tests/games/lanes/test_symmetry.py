"""The two sides are one: a game mirrored left to right with the sides swapped gives the mirrored result."""

from __future__ import annotations

import pytest

from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.compat import CardHydrator, Deck, GameState, Rules, load_cards
from croupier.games.lanes.play.position import Side
from croupier.rng import GameRng

OTHER: dict[str, Side] = {"Y": "E", "E": "Y"}


def picture(state: GameState, mirrored: bool) -> object:
    """Return all that can be seen of a game; mirrored, as its twin shows it.

    Hands are compared sorted: cards that several dying cards bring at once come in scan order, which has no mirror.
    """
    tiles = []
    for lane in range(3):
        for col in range(5):
            tile = state.board.tile_at(lane, 4 - col if mirrored else col)
            owner = OTHER.get(tile.owner, "N") if mirrored else tile.owner
            card = tile.card
            seen = card and (card.card_id, OTHER[card.side] if mirrored else card.side, card.power, card.permanent,
                             card.gain, card.aura, card.count, card.status, card.fired)  # fmt: skip
            tiles.append((owner, tile.rank, OTHER.get(tile.under, "N") if mirrored else tile.under, seen))
    hands = [sorted(state.player_hand.as_card_ids()), sorted(state.enemy_hand.as_card_ids())]
    score = state.score()
    lanes = [(lane.power_you, lane.power_enemy, lane.winner, lane.lane_points) for lane in score.lanes]
    if mirrored:
        hands.reverse()
        lanes = [(enemy, you, winner and OTHER[winner], points) for you, enemy, winner, points in lanes]
    return tiles, hands, lanes, state.turn, state.consecutive_passes, state.is_game_over()


def twins(cards: CardSet, rules: Rules, rng: GameRng) -> tuple[GameState, GameState]:
    ids = [card.id for card in cards if card.tier != "token"]
    lists = [[rng.pick(ids) for _ in range(15)] for _ in range(2)]
    decks = [Deck(ids, seed) for seed, ids in enumerate(lists)]
    hydrator = CardHydrator(cards)
    return (
        GameState(decks[0], decks[1], hydrator, rules=rules, first_side="Y"),
        GameState(decks[1], decks[0], hydrator, rules=rules, first_side="E"),
    )


def play_twins(cards: CardSet, rules: Rules, rng: GameRng) -> None:
    one, two = twins(cards, rules, rng)
    while not one.is_game_over():
        for state in (one, two):
            state.draw_start_of_turn()
        moves = one.legal_moves()
        assert len(moves) == len(two.legal_moves())
        move = rng.pick(moves)
        side = one.side_to_act
        if move.is_pass:
            one.pass_turn()
            two.pass_turn()
        else:
            hands = {"Y": one.player_hand, "E": one.enemy_hand}, {"Y": two.player_hand, "E": two.enemy_hand}
            card_id = hands[0][side].as_card_ids()[move.hand_index]
            place = hands[1][OTHER[side]].as_card_ids().index(card_id)
            one.play_card_from_hand(side, move.hand_index, move.lane, move.col)
            two.play_card_from_hand(OTHER[side], place, move.lane, 4 - move.col)
            one.board.validate()
            two.board.validate()
            one.end_turn()
            two.end_turn()
        assert picture(one, False) == picture(two, True)


@pytest.mark.parametrize("rules", [Rules.seed(), Rules.console()], ids=["seed", "console"])
def test_a_mirrored_game_gives_the_mirrored_result(any_file, rules):
    cards = load_cards(any_file)
    rng = GameRng.new(b"mirror", 0, 0)

    for _ in range(12):
        play_twins(cards, rules, rng)
