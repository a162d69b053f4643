"""Coaching: a preview of every move, its value, and recommendations with reasons in plain words.

A move is previewed by making it, on a copy, with the rules that play; its reasons are read from the events of that. Its
worth comes from a search over what the side cannot know, so nothing here depends on the enemy's real hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from croupier.errors import BadOptions
from croupier.games.lanes.bots.evaluation import WEIGHTS, evaluate
from croupier.games.lanes.bots.prediction import EnemyReply, threats
from croupier.games.lanes.bots.search import expectimax, tree_search
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.position import LANES, SIDES, Side, hand_of, read_tile, side_number, tile_name, tiles_in
from croupier.games.lanes.play.public_events import move_step, read_event, recorded
from croupier.games.lanes.play.scores import MatchScore, score_of
from croupier.games.lanes.play.simulation import GameState, Move
from croupier.games.lanes.rules import layout, playouts
from croupier.games.lanes.rules.layout import tile_count
from croupier.rng import GameRng

GOOD = Fraction(1, 20)  # a move is good within so much of the best result
CLEAR = Fraction(1, 5)  # and clearly worse from so much on


class Evaluation(Struct, frozen=True):
    """Evaluation of a position for a side, with reasons."""

    margin: int
    """The score as it stands, own less the other's."""
    access: int
    """The worth of the tiles that can still be played on, own less the other's."""
    value: int
    """Both together, as the bots weigh them; a game that is won or lost counts a million."""


class Preview(Struct, frozen=True):
    """Preview of a move: what it would do."""

    move: Move
    score: MatchScore
    """The score after it."""
    margin: int
    """Own points less the other's, after it."""
    gained: int
    """By how much it changes that margin."""
    powers: dict[str, int]
    """The power of every card after it, by tile."""
    tiles: tuple[str, ...]
    """The tiles that would be the side's own and empty after it."""
    events: tuple[dict[str, Any], ...]


class Recommendation(Struct, frozen=True):
    """A move, what a search makes of it, what the enemy would most likely answer, and why."""

    move: Move
    card_id: str | None
    label: str
    """best, good, playable or weak."""
    value: Fraction
    """The expected result between 0 and 1, by how much it was won included."""
    behind: Fraction
    """The best value less this one."""
    visits: int
    margin: int
    """The margin right after it."""
    reply: EnemyReply | None
    """The likeliest best answer; None if there is none to come."""
    reasons: tuple[str, ...]


def enumerate_you_moves(state: GameState, side: Side = "Y") -> list[Move]:
    """Return every legal move of a side: by hand, then by tile, passing last."""
    return state.legal_moves(side)


def evaluate_position(state: GameState, side: Side = "Y") -> Evaluation:
    """Return what the position is worth to a side as it stands."""
    number = side_number(side)
    ahead = -state.score().margin if number else state.score().margin
    value = evaluate(state.cells, state.cards.tables, number)
    return Evaluation(ahead, 0 if state.is_game_over() else value - WEIGHTS[0] * ahead, value)


def preview_move(state: GameState, move: Move, side: Side | None = None) -> Preview:
    """Return what a move would do; a move that is not legal is refused, and the game is left alone."""
    return preview_of(state.cells, state.cards, _mover(state, move, side), move)


def _mover(state: GameState, move: Move, side: Side | None) -> int:
    """Return the number of the side that makes a move: the one named, or whose turn it is. The move has to be legal."""
    mover: Side = state.side_to_act if side is None else side
    if move not in state.legal_moves(mover):
        raise BadOptions(f"{move} is no legal move of {mover}")
    return side_number(mover)


def preview_of(cells: list[int], cards: CardSet, side: int, move: Move) -> Preview:
    """Return what a legal move of a side would lead to, on a board given as its row."""
    before = score_of(cells, cards.tables).margin
    after, noted = recorded(cells, move_step(cards, move.number))
    score = score_of(after, cards.tables)
    sign = 1 if side == 0 else -1
    free = after[layout.PAWNS_OF + 3 * side] & ~(after[layout.CARDS_OF] | after[layout.CARDS_OF + 1])
    return Preview(
        move=move,
        score=score,
        margin=sign * score.margin,
        gained=sign * (score.margin - before),
        powers={
            tile_name(number): tile.card.power
            for number in range(layout.TILE_COUNT)
            if (tile := read_tile(after, cards, number)).card is not None
        },
        tiles=tuple(map(tile_name, tiles_in(free))),
        events=tuple(read_event(event, cards) for event in noted),
    )


def evaluate_move(state: GameState, move: Move, rng: GameRng, side: Side | None = None, *, deals: int = 6) -> Fraction:
    """Return what the worst reply leaves after a move, on average over fair deals of what is hidden, in points."""
    mover = _mover(state, move, side)
    judged = {each.move: each.value for each in expectimax(state.cells, state.cards.tables, rng, deals)}
    return judged[first_alike(state.cells, mover, move.number)]


def first_alike(cells: Sequence[int], side: int, number: int) -> int:
    """Return the same move with the first equal card of the hand."""
    if number == playouts.PASS_MOVE:
        return number
    cards = [card >> 1 for card in hand_of(cells, side)]
    return 16 * cards.index(cards[number >> 4]) + (number & 15)


def rank_moves(state: GameState, rng: GameRng, *, budget: int = 400) -> list[tuple[Move, Fraction, int]]:
    """Return every move of the side whose turn it is with its expected result and its playouts; best first.

    Every legal move is in it; equal cards in the hand make equal moves.
    """
    ranked = tree_search(state.cells, state.cards.tables, rng, budget)
    return [(Move.of(each.move), each.value, each.visits) for each in ranked]


def recommend_moves(
    state: GameState, rng: GameRng, top_n: int = 3, *, budget: int = 400, deals: int = 24
) -> list[Recommendation]:
    """Return the best moves of the side whose turn it is, with margins, the likeliest answers, and reasons."""
    if top_n < 1 or budget < 1:
        raise BadOptions(f"at least one move and one playout, got {top_n} and {budget}")
    if state.is_game_over():
        return []
    cells, cards = state.cells, state.cards
    side = cells[layout.SIDE]
    ranked = tree_search(cells, cards.tables, rng, budget)
    best = ranked[0].value
    found = []
    for each in ranked[:top_n]:
        move = Move.of(each.move)
        shown = preview_of(cells, cards, side, move)
        behind = best - each.value
        label = "best" if each is ranked[0] else "good" if behind <= GOOD else "playable" if behind < CLEAR else "weak"
        found.append(
            Recommendation(
                move=move,
                card_id=None if move.is_pass else cards.cards[hand_of(cells, side)[move.hand_index] >> 1].id,
                label=label,
                value=each.value,
                behind=behind,
                visits=each.visits,
                margin=shown.margin,
                reply=_answer(cells, cards, each.move, rng, deals),
                reasons=reasons_for(cells, cards, side, shown),
            )
        )
    return found


def _answer(cells: list[int], cards: CardSet, number: int, rng: GameRng, deals: int) -> EnemyReply | None:
    after = cells.copy()
    side = after[layout.SIDE]
    playouts.make_move(after, cards.tables, None, number)
    if after[layout.OVER]:
        return None
    return threats(after, cards, rng, side, deals).replies[0][0]


def reasons_for(cells: list[int], cards: CardSet, side: int, shown: Preview) -> tuple[str, ...]:
    """Return why a move may be good or bad, read from what it does."""
    after = cells.copy()
    playouts.make_move(after, cards.tables, None, shown.move.number)
    own, other = SIDES[side], SIDES[1 - side]
    reasons = []
    if after[layout.OVER]:
        how = "won" if shown.margin > 0 else "lost" if shown.margin < 0 else "a draw"
        reasons.append(f"it ends the match: {how}, {shown.score.total_you} to {shown.score.total_enemy}")
    for was, now in zip(score_of(cells, cards.tables).lanes, shown.score.lanes, strict=True):
        if was.winner != now.winner:
            powers = (now.power_you, now.power_enemy) if side == 0 else (now.power_enemy, now.power_you)
            what = "takes" if now.winner == own else "ties" if now.winner is None else "loses"
            reasons.append(f"{what} the {LANES[now.lane_index]} lane, {powers[0]} to {powers[1]}")
    for event in shown.events:
        name = cards.get_card(event["card"]).name if "card" in event else ""
        match event["type"]:
            case "destroyed" if event["owner"] == other:
                reasons.append(f"destroys {name} on {event['tile']}")
            case "destroyed" if event["cause"] == "replaced":
                reasons.append(f"replaces {name} on {event['tile']}")
            case "destroyed":
                reasons.append(f"costs {name} on {event['tile']}")
            case "spawned":
                reasons.append(f"puts {name} on {event['tile']}")
            case "hand_add" if event["owner"] == own:
                reasons.append(f"brings {name} to the hand")
            case "one_shot":
                reasons.append(f"sets off {name} on {event['tile']}")
    gained = _raised(cells, after, side)
    taken = tile_count(
        cells[layout.PAWNS_OF + 3 * (1 - side)] & ~after[layout.PAWNS_OF + 3 * (1 - side)] & _free(cells)
    )
    if taken:
        reasons.append(f"takes {taken} {'tile' if taken == 1 else 'tiles'} from {other}")
    if gained:
        reasons.append(f"opens tiles for dearer cards: {', '.join(gained)}")
    if not reasons and shown.move.is_pass:
        reasons.append("keeps the hand; a second pass in a row ends the match")
    elif not reasons:
        reasons.append("brings a card to the board, and changes no lane")
    if shown.gained:
        reasons.append(f"changes the margin by {shown.gained:+d}, to {shown.margin:+d}")
    return tuple(reasons)


def _free(cells: Sequence[int]) -> int:
    return layout.ALL_TILES & ~(cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1])


def _raised(cells: Sequence[int], after: Sequence[int], side: int) -> list[str]:
    """Return the empty tiles on which a side has two or three pawns and had fewer."""
    found: list[str] = []
    for rank in (3, 2):
        place = layout.PAWNS_OF + 3 * side + rank - 1
        fresh = after[place] & ~cells[place] & _free(after)
        names = map(tile_name, tiles_in(fresh))
        found += [f"{name} ({rank})" for name in names if not any(name in each for each in found)]
    return found
