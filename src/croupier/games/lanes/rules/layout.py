"""Layout of the rows: that of a game (`cells`), the row of a card set (`tables`), and the row of events.

Tiles are 0 to 14 in scan order, lane by lane from left to right; a set of tiles is a mask with one bit a tile. Side 0
is Y, who plays to the right, side 1 is E, who plays to the left. A card is its place in the card set. In hands and
decks it is twice that, plus 1 if everybody knows that it is there because an ability put it there.
"""

from __future__ import annotations

from collections.abc import Sequence

LANE_COUNT = 3
COLUMN_COUNT = 5
TILE_COUNT = 15
ALL_TILES = 32767
LANE_TILES = (31, 31 << 5, 31 << 10)
DECK_SIZE = 15
OPENING_HAND = 5
NOBODY = -1

# `bit % 19` is different for each of the 15 tiles, which turns the bit of a tile into its number without a search.
TILE_OF = (-1, 0, 1, 13, 2, -1, 14, 6, 3, 8, -1, 12, -1, 5, 7, 11, 4, 10, 9)

# --- The row of a game ------------------------------------------------------------------------------------------------

TURN = 0  # counted per side's turn, from 1
SIDE = 1  # whose turn it is
PASSES = 2  # in a row
DREW = 3  # whether the draw of this turn has been made
ACTED = 4  # whether a card has been played in this turn
OVER = 5  # 0, or why the game is over
MULLIGANED = 6  # bit of a side: its mulligan is used up, or the time for it is past
NEXT_UID = 7

# The four switches (docs/games/lanes.md, Two sets of rules).
CAPTURE = 8
OCCUPIED = 9
DESTROYED = 10
TRANSFER = 11

# Masks of tiles. Those of cards are kept by what the cards there can do, so that nobody has to look for them.
CARD_MASKS, CARD_MASK_TOTAL = 12, 9  # from UNSETTLED to the second of CARDS_OF: a card that goes is taken out of all
UNSETTLED = 12  # cards whose power may have changed since the last settling
COUNTERS = 13  # cards that count others
PLAY_WATCHERS = 14
DEATH_WATCHERS = 15
ARMED = 16  # cards with a one-shot ability that has not gone off
ENHANCED = 17
ENFEEBLED = 18
CARDS_OF = 19  # two: the tiles with a card of Y, of E
PAWNS_OF = 21  # six: the tiles where Y has at least 1, 2, 3 pawns, then E. Under a card they are there, but unseen
BASE_OF = 27  # six: the same before any card was played

LOG_COUNT = 33
LOG = 34  # fifteen: the tiles of the cards whose pawns can be taken back, in the order they were played

HAND_COUNT = 49  # two
HAND_ROOM = 51  # places for cards in each hand
DECK_NEXT = 52  # two: how many of the fifteen have been drawn

TILES = 54
TILE_CELLS = 10
# For each tile:
CARD = 0  # or NOBODY
OWNER = 1  # the side of the card
UID = 2
PERMANENT = 3
GAIN = 4
COUNT = 5
FIRED = 6  # bit of an ability: it has gone off. Above ABILITY_BITS: it is going off in this settling
PUT = 7  # the tiles this card put pawns on, where they can be taken back
AURA = 8  # two: what the auras here do to a card of Y, of E, whether or not there is one
AT_OF = (0, 54, 64, 184, 74, 0, 194, 114, 84, 134, 0, 174, 0, 104, 124, 164, 94, 154, 144)  # TILE_OF, as places

DECKS = TILES + TILE_COUNT * TILE_CELLS  # two decks of fifteen; what has been drawn is NOBODY
HANDS = DECKS + 2 * DECK_SIZE  # two hands of HAND_ROOM places; NOBODY behind the last card

# Values of the switches and of OVER.
ERODE, CONVERT = 0, 1
PAWNS_LOGGED, PAWNS_DEFERRED = 0, 1
ROLLBACK, KEEP = 0, 1
OWN_LANE, ALL_LANES = 0, 1
NOT_OVER, TWO_PASSES, BOARD_FULL = 0, 1, 2

# --- The row of a card set --------------------------------------------------------------------------------------------

CARD_TOTAL = 0
COSTS = 1  # where the cost of every card begins, by its number in hands and decks: two entries a card
CARDS = 2
CARD_CELLS = 67
# For each card:
COST = 0  # 0 for a replace card
POWER = 1
RAISE = 2
FLAGS = 3
ABILITIES = 4  # where its abilities begin in the row
ABILITY_TOTAL = 5
ONE_SHOTS = 6  # bits of those abilities that go off once
PAWN_TILES = 7  # the mask of its pawn cells for each of 15 tiles of Y, then of E
HIT_TILES = 37  # the same for the tiles its abilities reach

ABILITY_BITS = 16  # no card has more abilities
ABILITY_CELLS = 9
# For each ability:
WHEN = 0
DO = 1
WHO = 2  # also `of` and `watch`
AMOUNT = 3  # also `sign`, and the amount for rank 1 of an ability by rank
THRESHOLD = 4  # also `count`, and the amount for rank 2
AMOUNT_3 = 5  # the amount for rank 3
LIST_TOTAL = 6
LIST = 7  # where the cards to add begin in the row, or the three tokens
INDEX = 8  # its place among the card's abilities

# FLAGS: what the card can do at all.
IS_AURA = 1
IS_COUNTER = 2
IS_PLAY_WATCHER = 4
IS_DEATH_WATCHER = 8
IS_ONE_SHOT = 16
IS_LASTING = 31  # any of these: something has to be kept up while it is in play
IS_ON_PLAY = 32
IS_ON_DESTROYED = 64
IS_ON_SPAWNED = 128
IS_LANE_BONUS = 256
IS_TRANSFER = 512

(
    ON_PLAY,
    WHILE_IN_PLAY,
    ON_DESTROYED,
    ON_CARD_DESTROYED,
    ON_CARD_PLAYED,
    ON_FIRST_ENHANCED,
    ON_FIRST_ENFEEBLED,
    ON_POWER_REACHES,
    ON_SPAWNED,
    ON_LANE_WON,
    ON_ROUND_END,
) = range(11)
(
    DO_POWER,
    DO_POWER_BY_REPLACED,
    DO_POWER_PER,
    DO_GAIN,
    DO_DESTROY,
    DO_ADD_TO_HAND,
    DO_SPAWN,
    DO_SCORE,
    DO_SCORE_TRANSFER,
) = range(9)
ALLIES, ENEMIES, ALL, SELF = range(4)
COUNT_ENHANCED, COUNT_ENFEEBLED, COUNT_EITHER = range(3)

# A replaced power above this counts as this. No card comes near it, but powers that feed on each other would double
# from play to play, and compiled whole numbers have 64 bits.
REPLACED_MAX = 1_000_000

# --- The row of events ------------------------------------------------------------------------------------------------

# The first number is where the next event goes; then six numbers for each event. Where nobody listens it is None.
EVENT_CELLS = 6
(
    EVENT_PLAY,  # tile, card, side, uid, hand index or NOBODY
    EVENT_PAWN,  # tile, owner and rank before, owner and rank after
    EVENT_POWER,  # tile, amount, cause, tile of the source
    EVENT_ONE_SHOT,  # tile, card, index of the ability
    EVENT_DESTROYED,  # tile, card, side, cause, uid
    EVENT_SPAWNED,  # tile, card, side, uid, rank of the tile
    EVENT_HAND_ADD,  # tile of the source, card, side
    EVENT_DRAW,  # side, card
    EVENT_DRAW_EMPTY,  # side
    EVENT_PASS,  # side
    EVENT_TURN_END,  # side
    EVENT_OVER,  # reason
) = range(1, 13)
# Causes of a change of power, then of a destruction.
(BY_PLAY, BY_AURA, BY_DESTROYED, BY_ONE_SHOT, BY_SPAWNED, BY_GAIN, BY_COUNT) = range(7)
LOWERED, STRUCK, REPLACED = range(3)


def note(log: list[int] | None, kind: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Write an event down if somebody listens and there is room; if there is none the first number still grows."""
    if log is None:
        return
    at = log[0]
    if at + EVENT_CELLS <= len(log):
        log[at] = kind
        log[at + 1] = a
        log[at + 2] = b
        log[at + 3] = c
        log[at + 4] = d
        log[at + 5] = e
    log[0] = at + EVENT_CELLS


def abilities_of(tables: Sequence[int], card: int) -> range:
    """Return where the abilities of a card begin in the row of its set, in the order listed."""
    at = CARDS + card * CARD_CELLS
    first = tables[at + ABILITIES]
    return range(first, first + tables[at + ABILITY_TOTAL] * ABILITY_CELLS, ABILITY_CELLS)


def tile_count(tiles: int) -> int:
    """Return how many tiles a mask holds.

    >>> tile_count(0), tile_count(0b101), tile_count(ALL_TILES)
    (0, 2, 15)
    """
    tiles = tiles - ((tiles >> 1) & 0x5555)
    tiles = (tiles & 0x3333) + ((tiles >> 2) & 0x3333)
    tiles = (tiles + (tiles >> 4)) & 0x0F0F
    return (tiles + (tiles >> 8)) & 31
