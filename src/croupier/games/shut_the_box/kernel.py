"""Kernel of Shut the Box: one player's match over its streams, played by a policy that is a table.

There is no money: what was returned is the score, line 0 tells whether the match was won, line 1 how many actions it
took. Only a roll draws, so every step is a roll, and what is shut for it; shutting is a move, but needs no stream. The
row's facts are the tiles left up in the last round as a mask, the last dice, and how many rounds were played.
"""

from __future__ import annotations

from croupier.draws import Stream
from croupier.games.shut_the_box import rules
from croupier.kit.rows import Ints, Row
from croupier.rounds import DONE, FACTS, LINES, PRIVATE, RETURNED

WON, ACTIONS = LINES, LINES + 1
BOARD, FIRST_DIE, SECOND_DIE, ROUNDS_PLAYED = range(FACTS, FACTS + 4)
IS_ON = PRIVATE

# The options; then, for every board, how many dice the policy rolls, and the set it shuts for each total.
TILE_COUNT, SCORING, ROUNDS, SHUT_WINS = range(4)
TABLE = 4
TABLE_ROW = 1 + rules.TOTAL_MAX
WORK_SIZE = 1


def step(
    stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
) -> int:
    """Roll, shut what the policy shuts, and return the move of the next roll."""
    if row[IS_ON] == 0:
        row[IS_ON] = 1
        row[BOARD] = rules.full_board(options[TILE_COUNT])
    board = row[BOARD]
    place = TABLE + TABLE_ROW * board
    first, second = rules.roll(stream, options[place])
    row[FIRST_DIE] = first
    row[SECOND_DIE] = second
    if rules.can_make(board, first + second):
        board ^= options[place + first + second]
        row[BOARD] = board
        move += 1
        if board > 0:
            return move + 1
    row[ACTIONS] = move
    row[RETURNED] += rules.board_score(board, options[SCORING])
    row[ROUNDS_PLAYED] += 1
    row[IS_ON] = 0
    if board == 0 and options[SHUT_WINS] == 1:
        row[WON] = 1
        return DONE
    if row[ROUNDS_PLAYED] < options[ROUNDS]:
        return move + 1
    if row[RETURNED] == 0:
        row[WON] = 1
    return DONE
