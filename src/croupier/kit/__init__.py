"""Parts that game authors compose: cards, piles, dice, boards, and pictures of them.

    kit.cards     cards as numbers 0 to 51: rank, suit, names both ways, words for screen readers
    kit.piles     cards as objects in decks, hands and discards: deal, draw, flip, what others may see
    kit.dice      rolls, exact chances of totals, dice as text
    kit.board     grids, distances, ways through walls, rows to win with, tracks, whose turn is next
    kit.faces     cards, dice and chips as SVG
    kit.lit       what super mode lights up: draw it, find it
    kit.poker     what three, five, six and seven cards are worth at poker
    kit.rows      a row of numbers from some place on, for kernels
    kit.markup    names that go into a terminal's markup
    kit.errors    `KitError`, for what cannot be asked

Everything is a plain function over values that cannot change, and whatever draws takes the stream to draw
from (`turn.rng`). All public names can be had from here; `rules.py` of a game, which must import no msgspec,
names `kit.cards` or `kit.poker` itself.
"""

from __future__ import annotations

from croupier.kit.board import Grid, lines, make_grid, neighbors, next_player, reachable
from croupier.kit.cards import HIDDEN, card_name, parse_card, suit
from croupier.kit.dice import Roll, d6, roll, sum_distribution
from croupier.kit.errors import KitError
from croupier.kit.faces import card_svg, chip_svg, die_svg
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
)
from croupier.kit.poker import rank_hand

__all__ = [
    "HIDDEN",
    "Card",
    "Grid",
    "KitError",
    "Roll",
    "add_card",
    "card_name",
    "card_svg",
    "chip_svg",
    "d6",
    "deal",
    "deck_from_spec",
    "die_svg",
    "draw_n",
    "flip",
    "lines",
    "make_grid",
    "neighbors",
    "next_player",
    "parse_card",
    "public_view",
    "rank_hand",
    "rank_value",
    "reachable",
    "remove_card",
    "roll",
    "shuffle",
    "standard52",
    "suit",
    "sum_distribution",
]
