"""Prediction: the enemy's likely deck and hand, its replies, and the threats they make.

Chances are exact fractions wherever counting gives them; what has to be sampled is drawn from a stream that the caller
names. Moves are made by the very rules that play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

from croupier.errors import BadOptions
from croupier.games.lanes.bots.observation import EnemyObservation
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.legality import list_moves
from croupier.games.lanes.play.position import Side, hand_of, side_number, tile_name, tiles_in
from croupier.games.lanes.play.simulation import PASS, GameState, Move
from croupier.games.lanes.rules import layout, playouts
from croupier.games.lanes.rules.scoring import lane_score, margin
from croupier.games.lanes.rules.turns import begin_turn, end_turn
from croupier.rng import GameRng


class DeckHypothesis(Struct, frozen=True):
    """A deck the enemy may play, and how likely it is among those considered."""

    name: str
    card_ids: tuple[str, ...]
    chance: Fraction


class HandHypothesis(Struct, frozen=True):
    """Hypothesis about the enemy's hand, if its deck is this one."""

    unseen: tuple[str, ...]
    """The rest of the deck's list, in the deck or in the hand."""
    hidden: int
    """The number of cards of the hand that are among those."""
    given: tuple[str, ...]
    """Cards that are in the hand for certain: an ability put them there."""

    def chance_of(self, card_id: str) -> Fraction:
        """Return how likely the hand holds at least one of a card.

        >>> HandHypothesis(("a", "b", "c", "c"), 2, ()).chance_of("c")
        Fraction(5, 6)
        """
        if card_id in self.given:
            return Fraction(1)
        others = len(self.unseen) - self.unseen.count(card_id)
        return 1 - Fraction(comb(others, self.hidden), comb(len(self.unseen), self.hidden))

    def chances(self) -> dict[str, Fraction]:
        """Return that for every card it may be, the likeliest first."""
        ids = sorted({*self.unseen, *self.given})
        return dict(sorted(((each, self.chance_of(each)) for each in ids), key=lambda item: -item[1]))

    def sample(self, rng: GameRng) -> list[str]:
        """Return one hand, every one as likely as it is."""
        pool = list(self.unseen)
        rng.shuffle(pool)
        return [*pool[: self.hidden], *self.given]


def infer_enemy_decks(
    observation: EnemyObservation, candidates: Mapping[str, Sequence[str]]
) -> tuple[DeckHypothesis, ...]:
    """Return the candidate decks that fit what was seen, likeliest first; each was as likely as any before the game.

    A deck is weighed by how many of its draws give the cards that were played: a deck with two copies of a card shows
    it more often than one with a single copy. Which cards the enemy likes to play is not weighed.
    """
    played = observation.played_from_deck
    weights: dict[str, int] = {}
    for name, card_ids in candidates.items():
        counts = Counter(card_ids)
        weight = 1
        for card_id, times in played.items():
            weight *= comb(counts[card_id], times)
        weights[name] = weight
    total = sum(weights.values())
    if not total:
        raise BadOptions("none of these decks has the cards that were played")
    found = [
        DeckHypothesis(name, tuple(candidates[name]), Fraction(weight, total))
        for name, weight in weights.items()
        if weight
    ]
    return tuple(sorted(found, key=lambda each: (-each.chance, each.name)))


def infer_enemy_hand(observation: EnemyObservation, deck_ids: Sequence[str] | None = None) -> HandHypothesis:
    """Return what may be in the enemy's hand, if its deck is this one (the one observed with, unless named)."""
    watched = EnemyObservation(observation.side, deck_ids if deck_ids is not None else observation.deck_ids)
    if watched.deck_ids is None:
        raise BadOptions("name the enemy's deck, or infer it first")
    watched.seen = observation.seen
    unseen = watched.get_known_enemy_deck_remaining_ids()
    given = tuple(sorted(observation.given.elements()))
    hidden = observation.hand_size - len(given)
    if not 0 <= hidden <= len(unseen):
        raise BadOptions(f"a hand of {observation.hand_size} does not fit a deck with {len(unseen)} cards left")
    return HandHypothesis(tuple(unseen), hidden, given)


def enumerate_enemy_moves(state: GameState, side: Side = "E", hand_ids: Sequence[str] | None = None) -> list[Move]:
    """Return every move of a side with the hand it has, or with another: replace cards and passing too."""
    return _turned(state, side, hand_ids).legal_moves(side)


def simulate_enemy_move(
    state: GameState, move: Move, side: Side = "E", hand_ids: Sequence[str] | None = None
) -> GameState:
    """Return the game after a move of a side, whoever's turn it was; the one given is left alone."""
    after = _turned(state, side, hand_ids)
    if move == PASS:
        after.pass_turn()
    else:
        after.play_card_from_hand(side, move.hand_index, move.lane, move.col)
        after.skip_turn()
    return after


def _turned(state: GameState, side: Side, hand_ids: Sequence[str] | None) -> GameState:
    """Return a clone in which it is that side's turn, with this hand if one is given."""
    turned = state.clone()
    if hand_ids is not None:
        (turned.enemy_hand if side == "E" else turned.player_hand).from_card_ids(list(hand_ids))
    if turned.side_to_act != side:
        turned.skip_turn()
    return turned


class EnemyReply(Struct, frozen=True):
    """A reply of the enemy: the card, the tile, and the margin it leaves to the side that asked."""

    card_id: str | None
    """None is a pass."""
    tile: str | None
    margin: int


class ThreatMap(Struct, frozen=True):
    """Threats of the enemy's next move, over sampled hands."""

    worst: EnemyReply
    """The reply that hurts most in any of the hands."""
    expected: Fraction
    """The mean, over the hands, of the margin that the best reply of each leaves."""
    lanes: tuple[Fraction, Fraction, Fraction]
    """For each lane, the share of the hands whose best reply takes or draws a lane that the asker now leads."""
    tiles: dict[str, Fraction]
    """The share of the hands that can destroy the card on a tile, or take the pawns there, with one move."""
    replies: tuple[tuple[EnemyReply, Fraction], ...]
    """The best replies, and in what share of the hands each is the best; the likeliest first."""


def compute_threat_map(state: GameState, rng: GameRng, side: Side = "Y", *, deals: int = 24) -> ThreatMap:
    """Return what the enemy may do to `side` if it were the enemy's turn now, over fair deals of what is hidden.

    The enemy picks the reply that leaves `side` the smallest margin; the mean and the map say how often that hurts.
    """
    return threats(state.cells, state.cards, rng, side_number(side), deals)


def threats(cells: list[int], card_set: CardSet, rng: GameRng, you: int, deals: int) -> ThreatMap:
    """Return the threat map of a row for side `you`; the cards that `you` cannot know may lie in any order."""
    if deals < 1:
        raise BadOptions(f"at least one deal, got {deals}")
    base = cells.copy()
    if base[layout.SIDE] == you:
        end_turn(base, None)
    tables = card_set.tables
    before = [lane_score(base, tables, lane) for lane in range(layout.LANE_COUNT)]
    pool = [0] * (layout.DECK_SIZE + base[layout.HAND_ROOM])
    worst: EnemyReply | None = None
    total, hits, lost = 0, Counter[str](), [0, 0, 0]
    best_replies: Counter[EnemyReply] = Counter()
    for _ in range(deals):
        dealt = base.copy()
        playouts.redeal(dealt, rng, you, pool)
        if not dealt[layout.DREW]:
            begin_turn(dealt, None)
        hurt: set[str] = set()
        best: tuple[EnemyReply, list[int]] | None = None
        for move in list_moves(dealt, tables, 1 - you):
            after = dealt.copy()
            playouts.make_move(after, tables, None, move)
            hurt |= _hurt(dealt, after, you)
            reply = _reply(dealt, card_set, 1 - you, move, after)
            if best is None or reply.margin < best[0].margin:
                best = reply, after
        assert best is not None
        reply, after = best
        best_replies[reply] += 1
        total += reply.margin
        hits.update(hurt)
        for lane in range(layout.LANE_COUNT):
            lost[lane] += before[lane][2] == you and lane_score(after, tables, lane)[2] != you
        if worst is None or reply.margin < worst.margin:
            worst = reply
    assert worst is not None
    return ThreatMap(
        worst=worst,
        expected=Fraction(total, deals),
        lanes=(Fraction(lost[0], deals), Fraction(lost[1], deals), Fraction(lost[2], deals)),
        tiles={tile: Fraction(count, deals) for tile, count in sorted(hits.items())},
        replies=tuple((reply, Fraction(count, deals)) for reply, count in best_replies.most_common()),
    )


def _reply(row: list[int], cards: CardSet, mover: int, move: int, after: list[int]) -> EnemyReply:
    ahead = margin(after, cards.tables)
    ahead = -ahead if mover == 0 else ahead
    if move == playouts.PASS_MOVE:
        return EnemyReply(None, None, ahead)
    card = hand_of(row, mover)[move >> 4] >> 1
    return EnemyReply(cards.cards[card].id, tile_name(move & 15), ahead)


def _hurt(before: list[int], after: list[int], side: int) -> set[str]:
    """Return the tiles where a side lost its card or its pawns."""
    masks = before[layout.CARDS_OF + side] & ~after[layout.CARDS_OF + side]
    masks |= before[layout.PAWNS_OF + 3 * side] & ~after[layout.PAWNS_OF + 3 * side]
    return set(map(tile_name, tiles_in(masks)))
