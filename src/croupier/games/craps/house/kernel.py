"""A session of craps over its streams, for the simulator to compile: a batch of bets, rolled until all are decided.

In super mode the lit points are drawn first, from the stream that is kept for them. Come bets are laid as soon as
`come_wanted` says so; a session that is over before that has none, and its line says `NOT_LAID`. Under a
policy with odds, line and come bets get them as soon as they have a number. In the engine each of these is a move of
its own, which draws nothing, so the rolls after it are numbered higher. The row's facts are the last dice and the
number of rolls.

What a roll does to a bet depends on the point and the dice alone: the rules are asked once (`croupier.kit.memory`).
Bets that are decided by what the table remembers of earlier rolls are judged each time, and so are come bets, which
have numbers of their own; only where there is one are the trackers, or numbers, kept, in a row long enough for them.
"""

from __future__ import annotations

from croupier.draws import Stream
from croupier.games.craps.rules import boost, ids, placing, prices, progress, roll, table
from croupier.kit.lit import multiplier_on
from croupier.kit.memory import answer_place, memory_size, recalling
from croupier.kit.rows import Ints, Row, tail
from croupier.rounds import DONE, FACTS, FEES, LINES, NOT_LAID, PRIVATE, RETURNED, STAKED, SUPER_MOVE

DIE1, DIE2, ROLLS = FACTS, FACTS + 1, FACTS + 2
WHEN, DECIDED = PRIVATE, PRIVATE + 1  # the decided bets as a mask
LIT_IDS, LIT_MULTIPLIERS = PRIVATE + 2, PRIVATE + 2 + boost.LIT_COUNT
WAITING = LIT_MULTIPLIERS + boost.LIT_COUNT  # the come bets that are not laid yet, as a mask
COME_NUMBERS = WAITING + 1  # where come and dont_come are: 0 for the box
TABLE = COME_NUMBERS + 2

# When a roll comes: the first of the session, a come-out roll, or with a point up, which are six more.
FIRST_ROLL, COME_OUT, WITH_POINT, WHENS = 0, 1, 2, 8

# What is kept in `work`, behind a table to ask the rules about, for each roll and pair of dice: as masks the bets that
# it decides, those on trackers that it may decide, and those that get odds; when the next roll comes. Then what each
# bet returns, and what its odds return, or cost where it gets them.
DECIDES, MAY_DECIDE, GETS_ODDS, NEXT, CHIPS = range(5)
PAIRS = 36

# The options: a pay table, and after it these.
MULTIPLES = prices.PRICES_SIZE  # of the odds that the policy puts on 4, 5, 6, 8, 9, 10
# TRACKED, LATE: the bets that need trackers, and the come bets, as masks; SETTLED, WITH_ODDS: how many there are up to
# the last of the others, and to the last on a line, if the policy puts odds there.
OUTLAY, FEE, IS_SUPER, TRACKED, LATE, SETTLED, WITH_ODDS = range(MULTIPLES + 6, MULTIPLES + 13)
BETS = MULTIPLES + 13  # the bets as `roll` reads them; the stakes of the plan have commissions added that are paid then


def bet_at(line: int) -> int:
    """Return where the bet of a line begins among the options."""
    return BETS + roll.BET_SIZE * line


def row_size(is_tracked: bool, has_late: bool, is_super: bool) -> int:
    """Return how many numbers a session needs: a long row takes time to clear."""
    if is_tracked:
        return TABLE + table.TABLE_SIZE
    if has_late:
        return TABLE
    return WAITING if is_super else LIT_IDS


def work_size(bet_count: int) -> int:
    """Return how large `work` is for so many bets."""
    return memory_size(table.TABLE_SIZE, WHENS * PAIRS, CHIPS + 2 * bet_count)


def step(
    stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
) -> int:
    """Make one move and return the next. A bet's kind is its id."""
    if move == SUPER_MOVE:
        for i in range(boost.generate(stream, work, spare)):
            row[LIT_IDS + i] = work[i]
            row[LIT_MULTIPLIERS + i] = spare[i]
        return 1
    when = row[WHEN]
    if when == FIRST_ROLL:
        row[STAKED] = options[OUTLAY]
        row[FEES] = options[FEE]
        if options[LATE] != 0:
            row[WAITING] = options[LATE]
    die1, die2 = roll.roll_dice(stream)
    row[DIE1] = die1
    row[DIE2] = die2
    row[ROLLS] += 1
    known = answer_place(table.TABLE_SIZE, PAIRS * when + 6 * die1 + die2 - 7, CHIPS + 2 * len(kinds))
    _recall(known, tail(row, FACTS), kinds, numbers, stakes, options, work, spare)
    row[WHEN] = work[known + NEXT]
    moves = _settle(row, work, known, len(kinds), options[SETTLED], options[WITH_ODDS])
    if options[IS_SUPER] == 1:
        _boost(row, kinds, options, work, known, die1 + die2)
    row[DECIDED] |= work[known + DECIDES]
    if options[TRACKED] & ~row[DECIDED] != 0:
        _settle_tracked(row, options, spare, work[known + MAY_DECIDE], die1, die2)
    if options[LATE] & ~row[DECIDED] != 0:
        _show_point(work, when)
        moves += _settle_late(row, kinds, options, work, spare, die1, die2)
        moves += _lay_late(row, stakes)
    return DONE if row[DECIDED] == (1 << len(kinds)) - 1 else move + moves


def _settle(row: Row, work: Ints, known: int, bet_count: int, settled: int, with_odds: int) -> int:
    """Settle the bets that are known to be decided by this roll, take odds, and return how many moves all that takes.

    No branches: which bets a roll decides is what the processor cannot foresee.
    """
    up = ~row[DECIDED]
    decides = work[known + DECIDES] & up
    gets_odds = work[known + GETS_ODDS] & up
    returned, staked, moves = row[RETURNED], row[STAKED], 1
    for i in range(with_odds):
        chips = work[known + CHIPS + i]
        odds = work[known + CHIPS + bet_count + i]
        is_decided = -(decides >> i & 1)  # all bits or none
        is_taken = gets_odds >> i & 1
        row[LINES + i] += chips & is_decided
        returned += (chips + odds) & is_decided
        staked += odds & -is_taken
        moves += is_taken
    for i in range(with_odds, settled):
        chips = work[known + CHIPS + i] & -(decides >> i & 1)
        row[LINES + i] += chips
        returned += chips
    row[RETURNED] = returned
    row[STAKED] = staked
    return moves


def _boost(row: Row, kinds: Ints, options: Ints, work: Ints, known: int, total: int) -> None:
    """Raise what a pass that this roll decides returns, where its point is lit."""
    decides = work[known + DECIDES] & ~row[DECIDED]
    for i in range(len(kinds)):
        if boost.is_eligible(kinds[i]) and decides >> i & 1 == 1:
            lit = multiplier_on(total, tail(row, LIT_IDS), tail(row, LIT_MULTIPLIERS), boost.LIT_COUNT)
            chips = boost.boosted(row[LINES + i], options[bet_at(i) + roll.STAKE], lit)
            row[RETURNED] += chips - row[LINES + i]
            row[LINES + i] = chips


def _settle_tracked(row: Row, options: Ints, verdicts: Row, may_decide: int, die1: int, die2: int) -> None:
    """Take the roll through the trackers, and settle the bets that are judged by them, of which it may decide these."""
    up = may_decide & ~row[DECIDED]
    decided = roll.resolve_tracked(tail(row, TABLE), options, BETS, up, die1, die2, options, verdicts)
    row[DECIDED] |= decided
    i = 0
    while decided >> i != 0:
        if decided >> i & 1 == 1:
            bet, stake = options[bet_at(i) + roll.ID], options[bet_at(i) + roll.STAKE]
            row[LINES + i] = prices.chips_of(verdicts[i], bet, bet, stake, options)  # its slot is its id
            row[RETURNED] += row[LINES + i]
        i += 1


def _settle_late(row: Row, kinds: Ints, options: Ints, work: Ints, spare: Row, die1: int, die2: int) -> int:
    """Settle the come bets that are laid, and their odds; return how many moves it takes to put odds on them."""
    moves = 0
    for i in range(len(kinds)):
        if options[LATE] & ~row[DECIDED] & ~row[WAITING] & 1 << i == 0:
            continue
        bet, stake, place = kinds[i], options[bet_at(i) + roll.STAKE], COME_NUMBERS + kinds[i] - ids.COME
        number = row[place]
        roll.lay(spare, 0, bet, number, stake, 0)
        chips = roll.settle(work, spare, 0, die1, die2, options)
        if chips == prices.TRAVELS:
            row[place] = die1 + die2
            odds = placing.odds_max(bet, die1 + die2, stake, options, MULTIPLES)
            row[STAKED] += odds
            moves += int(odds > 0)
        elif chips != prices.STAYS:
            row[DECIDED] |= 1 << i
            row[LINES + i] = chips
            row[RETURNED] += chips + _odds_return(bet, number, stake, options, work, spare, die1, die2)
    return moves


def _lay_late(row: Row, stakes: Ints) -> int:
    """Lay the come bets that wait as soon as they are wanted; return how many moves that takes."""
    moves, all_bets = 0, (1 << len(stakes)) - 1
    is_over = row[DECIDED] | row[WAITING] == all_bets
    if is_over or placing.come_wanted(row[WHEN] >= WITH_POINT, not is_over):
        for i in range(len(stakes)):
            if row[WAITING] >> i & 1 == 1 and is_over:
                row[LINES + i] = NOT_LAID
            elif row[WAITING] >> i & 1 == 1:
                row[STAKED] += stakes[i]
                moves += 1
        row[WAITING] = 0
    if is_over:
        row[DECIDED] = all_bets
    return moves


def _learn(
    answer: Row, find: Ints, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
) -> None:
    """Ask the rules what a roll does to every bet that lay before the first and needs no trackers."""
    when, die1, die2 = find[WHEN - FACTS], find[DIE1 - FACTS], find[DIE2 - FACTS]
    _show_point(work, when)
    point = work[table.POINT]
    after = table.next_point(point, die1 + die2)
    answer[NEXT] = COME_OUT if after == 0 else WITH_POINT + ids.point_place(after)
    for i in range(len(kinds)):
        bet, stake = kinds[i], options[bet_at(i) + roll.STAKE]
        if options[TRACKED] >> i & 1 == 1 and progress.may_decide(bet, point, die1, die2, options):
            answer[MAY_DECIDE] |= 1 << i
        if (options[TRACKED] | options[LATE]) >> i & 1 == 1:
            continue
        chips = roll.settle(work, options, bet_at(i), die1, die2, options)
        if chips != prices.STAYS:
            answer[DECIDES] |= 1 << i
            answer[CHIPS + i] = chips
        if bet <= ids.DONT_PASS and point == 0:
            odds = placing.odds_max(bet, after, stake, options, MULTIPLES)
            answer[CHIPS + len(kinds) + i] = odds
            answer[GETS_ODDS] |= int(odds > 0) << i
        elif bet <= ids.DONT_PASS and chips != prices.STAYS:
            answer[CHIPS + len(kinds) + i] = _odds_return(bet, point, stake, options, work, spare, die1, die2)


_recall = recalling(_learn)


def _show_point(work: Row, when: int) -> None:
    """Make the table in `work` one that has seen the rolls before this one, as far as bets without trackers ask."""
    point = 0 if when < WITH_POINT else ids.POINTS[when - WITH_POINT]
    work[table.PHASE] = table.POINT_UP if point > 0 else table.COME_OUT
    work[table.POINT] = point
    work[table.ROLL_COUNT] = 1 if when == FIRST_ROLL else 2  # bets are placed at 0, and no rule asks for more


def _odds_return(flat: int, number: int, stake: int, options: Ints, on: Ints, spare: Row, die1: int, die2: int) -> int:
    """Return what the policy's odds on a line or come bet hand back, with the roll that decides it."""
    odds = placing.odds_max(flat, number, stake, options, MULTIPLES)
    if odds == 0:
        return 0
    roll.lay(spare, 0, ids.ODDS_PASS + flat, number, odds, 0)
    return roll.settle(on, spare, 0, die1, die2, options)


# Bets that are laid with a point up, in rounds that begin there: their odds are checked with these.
LATE_DECIDED, LATE_NUMBERS = PRIVATE, PRIVATE + 1


def late_step(
    stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
) -> int:
    """Roll once in a round that begins with a point up, and settle what the roll decides; the options are a pay table.

    Its bets are come bets and odds, which no session opens with; odds on no number are laid on the first one rolled.
    """
    if move == 1:
        for i in range(len(kinds)):
            row[STAKED] += stakes[i]
            row[LATE_NUMBERS + i] = numbers[i]
    work[table.PHASE] = table.POINT_UP
    die1, die2 = roll.roll_dice(stream)
    total = die1 + die2
    for i in range(len(kinds)):
        if row[LATE_DECIDED] >> i & 1 == 1:
            continue
        number = row[LATE_NUMBERS + i]
        if number == 0 and ids.is_odds(kinds[i]):
            row[LATE_NUMBERS + i] = table.next_point(0, total)  # 0 still, if it is no point
            continue
        roll.lay(spare, 0, kinds[i], number, stakes[i], 0)
        spare[roll.WORKING] = ids.WORKS
        chips = roll.settle(work, spare, 0, die1, die2, options)
        if chips == prices.TRAVELS:
            row[LATE_NUMBERS + i] = total
        elif chips != prices.STAYS:
            row[LATE_DECIDED] |= 1 << i
            row[LINES + i] = chips
            row[RETURNED] += chips
    return DONE if row[LATE_DECIDED] == (1 << len(kinds)) - 1 else move + 1
