"""Advice for a view: every legal action with its value and reasons, and a preview of the board after a move.

Both are made from a view, so they know what its seat knows. The stream of the search follows from the view, so the same
situation gets the same advice everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from croupier.engine import Action, Advice, MatchView
from croupier.engine.plain import canonical
from croupier.fairness import derive
from croupier.games.lanes.bots.coaching import first_alike, preview_of, reasons_for
from croupier.games.lanes.bots.evaluation import COST_KEPT_MAX
from croupier.games.lanes.bots.search import PLAYOUTS, tree_search
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.duel import Duel, DuelView, cells_of, happenings, view_of
from croupier.games.lanes.play.legality import checked_move
from croupier.games.lanes.play.position import SIDES
from croupier.games.lanes.play.public_events import move_step, recorded
from croupier.games.lanes.play.simulation import PASS, Move
from croupier.rng import GameRng


def advise(view: MatchView[Any], legal: Sequence[Action], cards: CardSet, budget: int = PLAYOUTS) -> tuple[Advice, ...]:
    """Return the legal actions of the viewer with their values, best first.

    A move is worth the expected result between 0 and 1 that a tree search found for it; a mulligan is worth the
    expected number of cards in the hand that can be played in the first turns.
    """
    duel: DuelView = view.game
    if duel.side is None or not legal:
        return ()
    if view.turn.phase == "mulligan":
        return _mulligans(duel, legal, cards)
    cells = cells_of(duel, cards)
    side = SIDES.index(duel.side)
    rng = GameRng.new(derive(canonical(duel), "coach"), 0, 0)
    judged = {each.move: each for each in tree_search(cells, cards.tables, rng, budget)}
    ranked = []
    for action in legal:
        move = _read(action)
        found = judged[first_alike(cells, side, move.number)]
        why = "; ".join(reasons_for(cells, cards, side, preview_of(cells, cards, side, move)))
        ranked.append(
            (found.visits, Advice(action, found.value, f"{why or 'changes little'} ({found.visits} playouts)"))
        )
    # By visits, as the search chooses; what was hardly looked at has an uncertain value.
    ranked.sort(key=lambda each: (-each[0], -each[1].value))
    return tuple(each for _, each in ranked)


def _read(action: Action) -> Move:
    if action.type == "pass":
        return PASS
    return Move(action.payload["hand_index"], action.payload["lane"], action.payload["col"])


def _mulligans(duel: DuelView, legal: Sequence[Action], cards: CardSet) -> tuple[Advice, ...]:
    assert duel.side is not None
    number = SIDES.index(duel.side)
    hand = duel.hands[number]
    unseen = duel.unseen[number]
    early = [_is_early(card_id, cards) for card_id in hand]
    # What is put back is shuffled into the deck before it is drawn from.
    in_deck = sum(_is_early(card_id, cards) for card_id in unseen) - sum(early)
    deck = len(unseen) - len(hand)
    found = []
    for action in legal:
        places = action.payload.get("indices", ())
        kept = sum(is_early for place, is_early in enumerate(early) if place not in places)
        share = Fraction(in_deck + sum(early[place] for place in places), deck + len(places))
        names = ", ".join(cards.get_card(hand[place]).name for place in places)
        text = f"{'put back ' + names if places else 'keep the hand'}: cards for the first turns, on average"
        found.append(Advice(action, kept + share * len(places), text))
    return tuple(sorted(found, key=lambda each: (-each.value, len(each.action.payload.get("indices", ())))))


def _is_early(card_id: str, cards: CardSet) -> bool:
    cost = cards.get_card(card_id).cost
    return cost != "replace" and cost <= COST_KEPT_MAX


def previewed(view: MatchView[Any], action: Action, cards: CardSet) -> tuple[DuelView, tuple[str, ...]] | None:
    """Return the board as a move of the viewer would leave it, and what it does in words; None for a mulligan."""
    duel: DuelView = view.game
    if duel.side is None or action.type not in ("play", "pass"):
        return None
    cells = cells_of(duel, cards)
    side = SIDES.index(duel.side)
    move = _read(action)
    if action.type == "play":
        checked_move(cells, cards, side, move.hand_index, move.lane, move.col)
    after, noted = recorded(cells, move_step(cards, move.number))
    reasons = reasons_for(cells, cards, side, preview_of(cells, cards, side, move))
    shown = view_of(Duel(tuple(after), "", duel.players, happenings(noted, cards)), cards, side)
    return shown, reasons
