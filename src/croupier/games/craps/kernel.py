"""A session of craps over its streams, for the simulator to compile: a batch of bets, rolled until all are decided.

In super mode the lit points are drawn first, from the stream that is kept for them. With full odds, pass bets get the
largest odds as soon as there is a point; in the engine each of them is a move of its own, which draws nothing, so the
rolls after it are numbered higher. The row's facts are the last dice and the number of rolls.

There are two kernels: only where one of the bets needs the trackers are they kept, in a row long enough for them.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.craps.rules import boost, ids, line, placing, prices, roll, table

# The row, as `croupier.house.plan` lays it out; a kernel imports no house.
STAKED, RETURNED, FEES, LINES, FACTS, PRIVATE = 0, 1, 2, 3, 23, 39
DONE = 0
SUPER_MOVE = 4294967295
DIE1, DIE2, ROLLS = FACTS, FACTS + 1, FACTS + 2
POINT, DECIDED, ODDS = PRIVATE, PRIVATE + 1, PRIVATE + 2  # odds on pass, odds on dont_pass
LIT_IDS, LIT_MULTIPLIERS = PRIVATE + 4, PRIVATE + 4 + boost.LIT_COUNT
TABLE = 64
ROW_SIZE, TRACKED_ROW_SIZE = TABLE, TABLE + table.TABLE_SIZE
WORK_SIZE = table.TABLE_SIZE

# The options: a pay table, and after it these.
MULTIPLES = prices.PRICES_SIZE  # of the odds on 4, 5, 6, 8, 9, 10
OUTLAY, FEE, IS_FULL_ODDS, IS_SUPER = range(MULTIPLES + 6, MULTIPLES + 10)
STAKES = MULTIPLES + 10  # the stakes themselves; those of the plan have commissions added that are paid with them


def needs_trackers(bet: int) -> bool:
    """Tell whether a bet is decided by what the table remembers of earlier rolls."""
    return (ids.HOT_ROLLER <= bet < ids.NEXT and bet != ids.MUGGSY) or ids.REPEATER <= bet < ids.HOP


def step(
    stream: Stream,
    move: int,
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    work: MutableSequence[int],
    spare: MutableSequence[int],
) -> int:
    """Make one move and return the next. A bet's kind is its id and its number is its mode; none needs trackers."""
    if move == SUPER_MOVE:
        return _light(stream, row, work, spare)
    die1, die2 = _roll(stream, move, row, options)
    work[table.PHASE] = table.POINT_UP if row[POINT] > 0 else table.COME_OUT
    work[table.POINT] = row[POINT]
    work[table.ROLL_COUNT] = row[ROLLS]
    _settle(row, kinds, numbers, options, work, die1, die2)
    return _go_on(move, row, kinds, options, die1 + die2)


def tracked_step(
    stream: Stream,
    move: int,
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    work: MutableSequence[int],
    spare: MutableSequence[int],
) -> int:
    """Make one move and return the next, where bets need the table's trackers: the row has room for them."""
    if move == SUPER_MOVE:
        return _light(stream, row, work, spare)
    die1, die2 = _roll(stream, move, row, options)
    for place in range(table.TABLE_SIZE):
        work[place] = row[TABLE + place]
    table.feed(work, die1, die2)
    _settle(row, kinds, numbers, options, work, die1, die2)
    table.advance(work, die1 + die2)
    for place in range(table.TABLE_SIZE):
        row[TABLE + place] = work[place]
    return _go_on(move, row, kinds, options, die1 + die2)


def _light(stream: Stream, row: MutableSequence[int], work: MutableSequence[int], spare: MutableSequence[int]) -> int:
    for i in range(boost.generate(stream, work, spare)):
        row[LIT_IDS + i] = work[i]
        row[LIT_MULTIPLIERS + i] = spare[i]
    return 1


def _roll(stream: Stream, move: int, row: MutableSequence[int], options: Sequence[int]) -> tuple[int, int]:
    if move == 1:
        row[STAKED] = options[OUTLAY]
        row[FEES] = options[FEE]
    die1, die2 = roll.roll_dice(stream)
    row[DIE1] = die1
    row[DIE2] = die2
    row[ROLLS] += 1
    return die1, die2


def _go_on(move: int, row: MutableSequence[int], kinds: Sequence[int], options: Sequence[int], total: int) -> int:
    """Move the point, take odds on a new one, and return the next move."""
    point = row[POINT]
    row[POINT] = table.next_point(point, total)
    if row[DECIDED] == (1 << len(kinds)) - 1:
        return DONE
    if options[IS_FULL_ODDS] == 1 and point == 0 and row[POINT] > 0:
        return move + 1 + _take_odds(row, kinds, options)
    return move + 1


def _settle(
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    options: Sequence[int],
    work: Sequence[int],
    die1: int,
    die2: int,
) -> None:
    """Settle every bet that is up, and the odds on those that are decided."""
    decided = row[DECIDED]
    for i in range(len(kinds)):
        if decided >> i & 1 == 1:
            continue
        bet = kinds[i]
        stake = options[STAKES + i]
        chips = roll.settle(work, bet, 0, stake, numbers[i], ids.usual_working(bet), 0, die1, die2, options)
        if chips == prices.STAYS:
            continue
        if bet <= ids.DONT_PASS:
            if options[IS_SUPER] == 1 and bet == ids.PASS:
                chips = boost.boosted(chips, stake, _multiplier(row, die1 + die2))
            if row[ODDS + bet] > 0:
                row[RETURNED] += _odds_return(bet, row[POINT], die1 + die2, row[ODDS + bet], options)
        decided |= 1 << i
        row[LINES + i] = chips
        row[RETURNED] += chips
    row[DECIDED] = decided


def _odds_return(flat: int, number: int, total: int, stake: int, options: Sequence[int]) -> int:
    bet = ids.ODDS_PASS + flat
    verdict = line.judge_odds(bet, number, True, total)
    return prices.chips_of(verdict, bet, prices.slot_of(bet, number, 0), stake, options)


def _multiplier(row: Sequence[int], total: int) -> int:
    for i in range(boost.LIT_COUNT):
        if row[LIT_IDS + i] == total:
            return row[LIT_MULTIPLIERS + i]
    return 0


def _take_odds(row: MutableSequence[int], kinds: Sequence[int], options: Sequence[int]) -> int:
    """Put the largest odds on the line bets that are up, and return how many moves that takes."""
    moves = 0
    multiple = options[MULTIPLES + ids.point_place(row[POINT])]
    for i in range(len(kinds)):
        if kinds[i] <= ids.DONT_PASS and row[DECIDED] >> i & 1 == 0:
            stake = placing.odds_max(ids.ODDS_PASS + kinds[i], row[POINT], options[STAKES + i], multiple)
            if stake > 0:
                row[ODDS + kinds[i]] = stake
                row[STAKED] += stake
                moves += 1
    return moves
