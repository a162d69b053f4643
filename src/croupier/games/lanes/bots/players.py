"""Bots of Lanes, from a glance at the board to a tree search. Each sees the view of its own seat alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from croupier.engine import Action, Bot, MatchView, act
from croupier.games.lanes.bots.evaluation import desk_rows, greedy_move, mulligan_slots, one_reply_move
from croupier.games.lanes.bots.search import expectimax, tree_search
from croupier.games.lanes.cards.card_set import CardSet, own_cards
from croupier.games.lanes.play.duel import cells_of
from croupier.games.lanes.play.position import SIDES, tiles_in
from croupier.games.lanes.rules.layout import COLUMN_COUNT
from croupier.games.lanes.rules.playouts import PASS_MOVE
from croupier.rng import GameRng

Chooser = Callable[[list[int], CardSet, GameRng], int]
"""Chooses a move of the side whose turn it is, on a row in which what it cannot know lies in any order."""


def greedy(cells: list[int], cards: CardSet, rng: GameRng) -> int:
    """Return the move after which the board looks best."""
    return greedy_move(cells, cards.tables, rng, desk_rows(cells))


def one_reply(cells: list[int], cards: CardSet, rng: GameRng) -> int:
    """Return the move whose worst reply, from one hand the other side might have, leaves the board best."""
    return one_reply_move(cells, cards.tables, rng, desk_rows(cells))


def expect(cells: list[int], cards: CardSet, rng: GameRng) -> int:
    """Return the move whose worst reply is best on average over hands the other side might have."""
    return expectimax(cells, cards.tables, rng)[0].move


def search(cells: list[int], cards: CardSet, rng: GameRng) -> int:
    """Return the move that a tree search came back to most often."""
    return tree_search(cells, cards.tables, rng)[0].move


def bot_of(choose: Chooser, cards: Callable[[], CardSet] = own_cards) -> Bot:
    """Return a bot that makes the chosen moves, and replaces the cards of its opening hand that come too early."""
    return partial(_play, choose, cards)


def _play(
    choose: Chooser, cards: Callable[[], CardSet], view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng
) -> Action:
    card_set = cards()
    cells = cells_of(view.game, card_set)
    if view.turn.phase == "mulligan":
        side = SIDES.index(view.game.side)
        return act("mulligan", indices=tiles_in(mulligan_slots(cells, card_set.tables, side)))
    return action_of(choose(cells, card_set, rng))


def action_of(move: int) -> Action:
    """Return a move of the rules as an action of the game."""
    if move == PASS_MOVE:
        return act("pass")
    lane, col = divmod(move & 15, COLUMN_COUNT)
    return act("play", hand_index=move >> 4, lane=lane, col=col)


BOTS = {
    "greedy": bot_of(greedy),
    "one_reply": bot_of(one_reply),
    "expectimax": bot_of(expect),
    "tree_search": bot_of(search),
}
