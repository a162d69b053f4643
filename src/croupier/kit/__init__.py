"""What game authors compose: cards, piles, dice, boards, and pictures of them.

    kit.cards     cards as numbers 0 to 51: rank, suit, names both ways, words for screen readers
    kit.piles     cards as objects in decks, hands and discards: deal, draw, flip, what others may see
    kit.dice      rolls, exact chances of totals, dice as text
    kit.board     grids, distances, ways through walls, rows to win with, tracks, whose turn is next
    kit.faces     cards, dice and chips as SVG
    kit.lit       what super mode lights up: draw it, find it
    kit.markup    names that go into a terminal's markup
    kit.errors    `KitError`, for what cannot be asked

Everything is a plain function over values that cannot change, and whatever draws takes the stream to draw
from (`turn.rng`). All public names can be had from here; `rules.py` of a game, which must import no msgspec,
names `kit.cards` itself.
"""

from __future__ import annotations

from croupier.kit.board import (
    Grid,
    advance_on_track,
    cell_id,
    chebyshev,
    in_bounds,
    is_passable,
    is_wall,
    lines,
    make_grid,
    manhattan,
    neighbors,
    next_player,
    parse_cell,
    reachable,
)
from croupier.kit.cards import (
    HIDDEN,
    RANKS,
    SUITS,
    card_back_glyph,
    card_glyph,
    card_label,
    card_name,
    card_words,
    is_card,
    is_red,
    parse_card,
    rank0,
    rank1,
    rank_high,
    suit,
)
from croupier.kit.dice import Roll, d6, dice_art, die_glyph, roll, sum_distribution
from croupier.kit.errors import KitError
from croupier.kit.faces import card_back_svg, card_svg, chip_svg, die_svg
from croupier.kit.lit import draw_unlit, lit_place
from croupier.kit.markup import escape_markup
from croupier.kit.piles import (
    Card,
    Fact,
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

__all__ = [
    "HIDDEN",
    "RANKS",
    "SUITS",
    "Card",
    "Fact",
    "Grid",
    "KitError",
    "Roll",
    "add_card",
    "advance_on_track",
    "card_back_glyph",
    "card_back_svg",
    "card_glyph",
    "card_label",
    "card_name",
    "card_svg",
    "card_words",
    "cell_id",
    "chebyshev",
    "chip_svg",
    "d6",
    "deal",
    "deck_from_spec",
    "dice_art",
    "die_glyph",
    "die_svg",
    "draw_n",
    "draw_unlit",
    "escape_markup",
    "flip",
    "in_bounds",
    "is_card",
    "is_passable",
    "is_red",
    "is_wall",
    "lines",
    "lit_place",
    "make_grid",
    "manhattan",
    "neighbors",
    "next_player",
    "parse_card",
    "parse_cell",
    "public_view",
    "rank0",
    "rank1",
    "rank_high",
    "rank_value",
    "reachable",
    "remove_card",
    "roll",
    "shuffle",
    "standard52",
    "suit",
    "sum_distribution",
    "top_of",
]
