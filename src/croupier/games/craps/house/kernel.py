"""A session of craps over its streams, for the simulator to compile: a batch of bets, rolled until all are decided.

In super mode the lit points are drawn first, from the stream that is kept for them. Come bets are laid as soon as a
point is up while another bet lies; a session that is over before that has none, and its line says `NOT_LAID`. Under a
policy with odds, line and come bets get them as soon as they have a number. In the engine each of these is a move of
its own, which draws nothing, so the rolls after it are numbered higher. The row's facts are the last dice and the
number of rolls.

The same bets lie on the table session after session, and what a roll does to one of them depends on the point and the
dice alone: it is asked of the rules once and kept in `work`, where a later roll finds it. Bets that are decided by what
the table remembers of earlier rolls are judged each time, and so are come bets, which have numbers of their own; only
where there is one are the trackers, or the numbers, kept, in a row long enough for them.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.craps.rules import boost, ids, line, placing, prices, progress, roll, table
from croupier.kit.rows import tail
from croupier.rounds import DONE, FACTS, FEES, LINES, NOT_LAID, PRIVATE, RETURNED, STAKED, SUPER_MOVE

DIE1, DIE2, ROLLS = FACTS, FACTS + 1, FACTS + 2
WHEN, DECIDED = PRIVATE, PRIVATE + 1  # the decided bets as a mask
LIT_IDS, LIT_MULTIPLIERS = PRIVATE + 2, PRIVATE + 2 + boost.LIT_COUNT
TABLE = LIT_MULTIPLIERS + boost.LIT_COUNT
WAITING = TABLE + table.TABLE_SIZE  # the come bets that are not laid yet, as a mask
COME_NUMBERS = WAITING + 1  # where come and dont_come are: 0 for the box

# When a roll comes: the first of the session, a come-out roll, or with a point up, which are six more.
FIRST_ROLL, COME_OUT, WITH_POINT, WHENS = 0, 1, 2, 8

# What is kept in `work`, behind a table to ask the rules about, for each roll and pair of dice: whether it is known; as
# masks the bets that it decides, those on trackers that it may decide, and those that get odds; when the next roll
# comes. Then what each bet returns, and what its odds return, or cost where it gets them.
KNOWN, DECIDES, MAY_DECIDE, GETS_ODDS, NEXT, CHIPS = 0, 1, 2, 3, 4, 5
PAIRS = 36
MEMORY = table.TABLE_SIZE

# The options: a pay table, and after it these.
MULTIPLES = prices.PRICES_SIZE  # of the odds that the policy puts on 4, 5, 6, 8, 9, 10
# TRACKED, LATE: the bets that need trackers, and the come bets, as masks; SETTLED: how many there are up to the last of
# the others.
OUTLAY, FEE, IS_SUPER, TRACKED, LATE, SETTLED = range(MULTIPLES + 6, MULTIPLES + 12)
STAKES = MULTIPLES + 12  # the stakes themselves; those of the plan have commissions added that are paid with them


def needs_trackers(bet: int) -> bool:
    """Tell whether a bet is decided by what the table remembers of earlier rolls."""
    return (ids.HOT_ROLLER <= bet < ids.NEXT and bet != ids.MUGGSY) or ids.REPEATER <= bet < ids.HOP


def is_late(bet: int) -> bool:
    """Tell whether a bet is laid with a point up."""
    return bet == ids.COME or bet == ids.DONT_COME


def row_size(is_tracked: bool, has_late: bool, is_super: bool) -> int:
    """Return how many numbers a session needs: a long row takes time to clear."""
    if has_late:
        return COME_NUMBERS + 2
    if is_tracked:
        return TABLE + table.TABLE_SIZE
    return TABLE if is_super else LIT_IDS


def work_size(bet_count: int) -> int:
    """Return how large `work` is for so many bets."""
    return MEMORY + WHENS * PAIRS * (CHIPS + 2 * bet_count)


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
    """Make one move and return the next. A bet's kind is its id and its number is its mode."""
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
    known = MEMORY + (PAIRS * when + 6 * die1 + die2 - 7) * (CHIPS + 2 * len(kinds))
    if work[known] == 0:
        _learn(kinds, numbers, options, work, known, when, die1, die2)
    row[WHEN] = work[known + NEXT]
    moves = _settle(row, work, known, len(kinds), options[SETTLED])
    if options[IS_SUPER] == 1:
        _boost(row, kinds, options, work, known, die1 + die2)
    row[DECIDED] |= work[known + DECIDES]
    if options[TRACKED] & ~row[DECIDED] != 0:
        _settle_tracked(row, kinds, options, work[known + MAY_DECIDE], die1, die2)
    if options[LATE] & ~row[DECIDED] != 0:
        moves += _settle_late(row, kinds, stakes, options, work, when >= WITH_POINT, die1, die2)
    return DONE if row[DECIDED] == (1 << len(kinds)) - 1 else move + moves


def _settle(row: MutableSequence[int], work: Sequence[int], known: int, bet_count: int, settled: int) -> int:
    """Settle the bets that are known to be decided by this roll, take odds, and return how many moves all that takes.

    No branches: which bets a roll decides is what the processor cannot foresee.
    """
    up = ~row[DECIDED]
    decides = work[known + DECIDES] & up
    gets_odds = work[known + GETS_ODDS] & up
    returned, staked, moves = row[RETURNED], row[STAKED], 1
    for i in range(settled):
        chips = work[known + CHIPS + i]
        odds = work[known + CHIPS + bet_count + i]
        is_decided = -(decides >> i & 1)  # all bits or none
        with_odds = -(gets_odds >> i & 1)
        row[LINES + i] += chips & is_decided
        returned += (chips + odds) & is_decided
        staked += odds & with_odds
        moves -= with_odds
    row[RETURNED] = returned
    row[STAKED] = staked
    return moves


def _boost(
    row: MutableSequence[int], kinds: Sequence[int], options: Sequence[int], work: Sequence[int], known: int, total: int
) -> None:
    """Raise what a pass that this roll decides returns, where its point is lit."""
    decides = work[known + DECIDES] & ~row[DECIDED]
    for i in range(len(kinds)):
        if kinds[i] == ids.PASS and decides >> i & 1 == 1:
            chips = boost.boosted(row[LINES + i], options[STAKES + i], _multiplier(row, total))
            row[RETURNED] += chips - row[LINES + i]
            row[LINES + i] = chips


def _multiplier(row: Sequence[int], total: int) -> int:
    for i in range(boost.LIT_COUNT):
        if row[LIT_IDS + i] == total:
            return row[LIT_MULTIPLIERS + i]
    return 0


def _settle_tracked(
    row: MutableSequence[int],
    kinds: Sequence[int],
    options: Sequence[int],
    may_decide: int,
    die1: int,
    die2: int,
) -> None:
    """Settle the bets that are judged by the trackers, of which the roll may decide these."""
    trackers = tail(row, TABLE)
    table.feed(trackers, die1, die2)
    waiting = may_decide & ~row[DECIDED]
    i = 0
    while waiting >> i != 0:
        if waiting >> i & 1 == 1:
            verdict = progress.judge_trackers(trackers, kinds[i], 0, die1 + die2, options)
            if verdict != prices.STAYS:
                chips = prices.chips_of(verdict, kinds[i], kinds[i], options[STAKES + i], options)
                row[DECIDED] |= 1 << i
                row[LINES + i] = chips
                row[RETURNED] += chips
        i += 1
    table.advance(trackers, die1 + die2)


def _settle_late(
    row: MutableSequence[int],
    kinds: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    work: Sequence[int],
    with_point: bool,
    die1: int,
    die2: int,
) -> int:
    """Settle the come bets, lay those that wait if they can be, and return how many moves that takes."""
    moves = 0
    for i in range(len(kinds)):
        if options[LATE] & ~row[DECIDED] & ~row[WAITING] & 1 << i != 0:
            moves += _settle_come(row, kinds[i], i, options, work, with_point, die1, die2)
    all_bets = (1 << len(kinds)) - 1
    is_over = row[DECIDED] | row[WAITING] == all_bets
    if is_over or row[WHEN] >= WITH_POINT:
        for i in range(len(kinds)):
            if row[WAITING] >> i & 1 == 1 and is_over:
                row[LINES + i] = NOT_LAID
            elif row[WAITING] >> i & 1 == 1:
                row[STAKED] += stakes[i]
                moves += 1
        row[WAITING] = 0
    if is_over:
        row[DECIDED] = all_bets
    return moves


def _settle_come(
    row: MutableSequence[int],
    bet: int,
    place: int,
    options: Sequence[int],
    work: Sequence[int],
    with_point: bool,
    die1: int,
    die2: int,
) -> int:
    """Settle one come bet that is laid, and return how many moves that takes: one if it gets odds."""
    total = die1 + die2
    number = row[COME_NUMBERS + bet - ids.COME]
    stake = options[STAKES + place]
    chips = roll.settle(work, bet, number, stake, 0, ids.usual_working(bet), 0, die1, die2, options)
    if chips == prices.STAYS:
        return 0
    if chips == prices.TRAVELS:
        row[COME_NUMBERS + bet - ids.COME] = total
        odds = _odds_stake(bet, total, stake, options)
        row[STAKED] += odds
        return 1 if odds > 0 else 0
    odds = _odds_stake(bet, number, stake, options)
    row[DECIDED] |= 1 << place
    row[LINES + place] = chips
    row[RETURNED] += chips + (_odds_return(bet, number, with_point, total, odds, options) if odds > 0 else 0)
    return 0


def _learn(
    kinds: Sequence[int],
    numbers: Sequence[int],
    options: Sequence[int],
    work: MutableSequence[int],
    known: int,
    when: int,
    die1: int,
    die2: int,
) -> None:
    """Ask the rules what a roll does to every bet that lay before the first and needs no trackers, and keep it."""
    place = when - WITH_POINT
    point = 0 if place < 0 else ids.POINTS[place]
    after = table.next_point(point, die1 + die2)
    work[table.PHASE] = table.POINT_UP if point > 0 else table.COME_OUT
    work[table.POINT] = point
    work[table.ROLL_COUNT] = 1 if when == FIRST_ROLL else 2  # bets are placed at 0, and no rule asks for more
    work[known] = 1
    work[known + NEXT] = COME_OUT if after == 0 else WITH_POINT + ids.point_place(after)
    for i in range(len(kinds)):
        bet = kinds[i]
        if options[TRACKED] >> i & 1 == 1:
            if progress.may_decide(bet, point, die1, die2, options):
                work[known + MAY_DECIDE] |= 1 << i
        if (options[TRACKED] | options[LATE]) >> i & 1 == 1:
            continue
        stake = options[STAKES + i]
        chips = roll.settle(work, bet, 0, stake, numbers[i], ids.usual_working(bet), 0, die1, die2, options)
        if chips != prices.STAYS:
            work[known + DECIDES] |= 1 << i
            work[known + CHIPS + i] = chips
        if bet <= ids.DONT_PASS:
            odds = _odds_stake(bet, point if point > 0 else after, stake, options)
            if odds > 0 and point == 0 and after > 0:
                work[known + GETS_ODDS] |= 1 << i
                work[known + CHIPS + len(kinds) + i] = odds
            elif odds > 0 and chips != prices.STAYS:
                work[known + CHIPS + len(kinds) + i] = _odds_return(bet, point, True, die1 + die2, odds, options)


def _odds_stake(flat: int, number: int, stake: int, options: Sequence[int]) -> int:
    """Return the odds that the policy puts on a line or come bet, 0 for none."""
    if number == 0:
        return 0
    return placing.odds_max(ids.ODDS_PASS + flat, number, stake, options[MULTIPLES + ids.point_place(number)])


def _odds_return(flat: int, number: int, with_point: bool, total: int, stake: int, options: Sequence[int]) -> int:
    bet = ids.ODDS_PASS + flat
    works = roll.works_now(ids.usual_working(bet), table.POINT_UP if with_point else table.COME_OUT)
    verdict = line.judge_odds(bet, number, works, total)
    return prices.chips_of(verdict, bet, prices.slot_of(bet, number, 0), stake, options)


# Bets that are laid with a point up, in rounds that begin there: their odds are checked with these.
ALWAYS_WORKS = 3
LATE_DECIDED, LATE_NUMBERS = PRIVATE, PRIVATE + 1


def late_step(
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
    """Roll once in a round that begins with a point up, and settle what the roll decides; the options are a pay table.

    Its bets are come bets and odds, which no session opens with; odds on no number are laid on the first one rolled.
    """
    if move == 1:
        for i in range(len(kinds)):
            row[STAKED] += stakes[i]
            row[LATE_NUMBERS + i] = numbers[i]
    die1, die2 = roll.roll_dice(stream)
    total = die1 + die2
    for i in range(len(kinds)):
        if row[LATE_DECIDED] >> i & 1 == 1:
            continue
        number = row[LATE_NUMBERS + i]
        if number == 0 and ids.is_odds(kinds[i]):
            row[LATE_NUMBERS + i] = table.next_point(0, total)  # 0 still, if it is no point
            continue
        chips = roll.settle(work, kinds[i], number, stakes[i], 0, ALWAYS_WORKS, 0, die1, die2, options)
        if chips == prices.TRAVELS:
            row[LATE_NUMBERS + i] = total
        elif chips != prices.STAYS:
            row[LATE_DECIDED] |= 1 << i
            row[LINES + i] = chips
            row[RETURNED] += chips
    return DONE if row[LATE_DECIDED] == (1 << len(kinds)) - 1 else move + 1
