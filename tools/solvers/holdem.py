"""Best play by counting everything: what each decision is worth over all boards and all hands of the dealer.

There are 2,598,960 boards, 134,459 that differ in more than the names of suits. On each of them the 1,081 ways to hold
two cards are ranked at once and sorted, and counting through them tells for every player's hand how many of the
dealer's are worse, equal and better. That is the value of betting at the river, and of folding; added up over the
boards that share a flop it is the value of what was done on the flop, and over all flops of what was done before.

Two sweeps over the boards do it: `sweep_values` for what decisions are worth, from which the best ones follow, and
`sweep_policies` for what a policy then comes to: profit, wins, ties, boosts, chips bet. Both take every `parts`-th
board, so that threads can share the work and tests can try a little of it.

These are plain functions over flat arrays, for `tools.holdem_tables` to compile. All values are whole numbers:
halves of the Ante, added up over boards and the dealer's hands.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from croupier.games.ultimate_texas_holdem import rules
from croupier.kit import holdem
from croupier.kit.cards import rank0, rank_high
from croupier.kit.poker import PAIR, card_bit, category, rank_hand

Array = Any
"""A flat array of whole numbers: numpy's where it is compiled; a list will do where it is not."""

BOARDS = 2_598_960
BOARD_HOLDINGS = 1081  # two of the 47 cards that are not on the board
FLOPS = tuple(combinations(range(5), 3))  # places on the board
FOLD_SQUARE = rules.SHOWDOWN_COUNT * rules.round_profit(2, 0, rules.FOLDED, 0) ** 2

# The two ways for a dealer to qualify.
PAIR_NEEDED, ALWAYS = 0, 1
QUALIFIERS = 2

# What `sweep_values` adds up for each kind of hole cards: wins and ties, and for each qualifier what 3 and 4 Antes bet
# before the flop come to, their boosts, the squares of both profits, boosts times the bonus of the Blind, and boosts
# squared. The last two are apart because with Play in one number they would come close to 63 bits.
WINS, TIES, PLAY_3, PLAY_4, GAIN, SQUARE_3, SQUARE_4, BLIND_GAIN, GAIN_SQUARE = 0, 1, 2, 4, 6, 8, 10, 12, 14
HOLE_SUMS = 16

# And for each place of hole cards and a flop: how often it was met, and for each qualifier what 2 Antes bet on the flop
# come to, and checking it.
MET, PLAY_2, CHECK = 0, 1, 3
FLOP_SUMS = 5

# What `sweep_policies` adds up for each policy, qualifier and kind of hole cards after a check before the flop, ten
# times over, because a board has ten flops: profit, wins, ties, boosts, and Antes bet on Play; profit squared, boosts
# times Play, boosts times the bonus of the Blind, and boosts squared.
PROFIT, POLICY_WINS, POLICY_TIES, POLICY_GAIN, BET = range(5)
POLICY_SQUARE, PLAY_GAIN, POLICY_BLIND_GAIN, POLICY_GAIN_SQUARE = range(5, 9)
POLICY_SUMS = 9

# Which policies raise at a place of hole cards and a flop, each in eight bits of its own so that ten flops add up.
BEST_RAISES = (1, 1 << 8)  # by qualifier
SIMPLE_RAISES = 1 << 16


class Room(NamedTuple):
    """Scratch arrays of a sweep."""

    board: Array  # 5, and must begin as 0, 1, 2, 3, 3
    keys: Array  # 1081: rank, and then the two cards, of each holding in ascending order
    won: Array  # 1081 each, in the order of the keys
    tied: Array
    won_unqualified: Array
    lost_unqualified: Array
    gains: Array
    gain_squares: Array
    flags: Array
    profits: Array  # 8 * 1081: of 1 to 4 Antes bet, for each qualifier
    squares: Array  # 8 * 1081: the same of profits squared
    per_card: Array  # 3 * 52
    names: Array  # 52
    spot: Array  # 5


class Boosts(NamedTuple):
    """The chances of marked ranks, over a common denominator."""

    hits: Array  # 8192: that a rank of the set is marked, ranks as bits from the ace up
    pairs: Array  # 169: that just these two ranks are


def next_board(board: Array) -> int:
    """Go on to the next board that stands for its kind, and return how many are of its kind; 0 after the last.

    The cards ascend, and so do the boards. Of those that differ in the names of suits alone, that one stands for all
    whose suits come in the order of the ranks they have, read as bits, the largest first.
    """
    while True:
        place = 4
        while place >= 0 and board[place] == 47 + place:
            place -= 1
        if place < 0:
            return 0
        board[place] += 1
        for later in range(place + 1, 5):
            board[later] = board[later - 1] + 1
        weight = _kind_size(board)
        if weight > 0:
            return weight


def _kind_size(board: Array) -> int:
    """Return how many boards are this one but for the names of suits, itself included; 0 if another stands for them."""
    last = _suit_ranks(board, 0)
    run, size = 1, 24
    for suit in range(1, 4):
        ranks = _suit_ranks(board, suit)
        if ranks > last:
            return 0
        run = run + 1 if ranks == last else 1
        size //= run  # by the factorial of each run of equal suits in the end
        last = ranks
    return size


def _suit_ranks(board: Array, suit: int) -> int:
    ranks = 0
    for place in range(5):
        if board[place] // 13 == suit:
            ranks |= 1 << rank0(board[place])
    return ranks


def study_board(room: Room, boosts: Boosts) -> None:
    """Work out all that a sweep needs to know of the holdings on a board."""
    _rank_holdings(room)
    _count_showdowns(room)
    _fill_profits(room)
    _fill_gains(room, boosts)


def _rank_holdings(room: Room) -> None:
    """Rank all holdings on the board, and sort them."""
    board = rules.hand_bits(room.board, 0, 5)
    size = 0
    for first in range(52):
        if board & card_bit(first):
            continue
        for second in range(first):
            if not board & card_bit(second):
                rank = rank_hand(board | card_bit(first) | card_bit(second))
                room.keys[size] = rank << 12 | first << 6 | second
                size += 1
    room.keys.sort()


def _count_showdowns(room: Room) -> None:
    """Count for each holding the hands of the dealer that are worse than it and as good."""
    keys, per_card = room.keys, room.per_card
    for place in range(3 * 52):
        per_card[place] = 0
    unqualified = 0
    while unqualified < BOARD_HOLDINGS and category(keys[unqualified] >> 12) < PAIR:
        _add(per_card, 104, keys[unqualified], 1)
        unqualified += 1
    # Holdings that share a card with the player's own cannot be the dealer's: they are taken off card by card.
    start = 0
    while start < BOARD_HOLDINGS:
        end = start
        while end < BOARD_HOLDINGS and keys[end] >> 12 == keys[start] >> 12:
            _add(per_card, 52, keys[end], 1)
            end += 1
        for place in range(start, end):
            key = keys[place]
            won = start - _shared(per_card, 0, key)
            tied = end - start - _shared(per_card, 52, key) + 1  # itself was taken off twice
            idle = unqualified - _shared(per_card, 104, key)
            room.won[place] = won
            room.tied[place] = tied
            if start < unqualified:
                room.won_unqualified[place] = won
                room.lost_unqualified[place] = idle + 1 - won - tied
            else:
                room.won_unqualified[place] = idle
                room.lost_unqualified[place] = 0
        for place in range(start, end):
            _add(per_card, 0, keys[place], 1)
            _add(per_card, 52, keys[place], -1)
        start = end


def _add(per_card: Array, at: int, key: int, count: int) -> None:
    per_card[at + (key >> 6 & 63)] += count
    per_card[at + (key & 63)] += count


def _shared(per_card: Array, at: int, key: int) -> int:
    count: int = per_card[at + (key >> 6 & 63)] + per_card[at + (key & 63)]
    return count


def _fill_profits(room: Room) -> None:
    """Write what Play bets come to over the 990 hands of the dealer, and their squares."""
    for place in range(BOARD_HOLDINGS):
        won, tied = room.won[place], room.tied[place]
        for choice in range(8):
            needs_pair = choice % QUALIFIERS == PAIR_NEEDED
            idle_won = room.won_unqualified[place] if needs_pair else 0
            idle_lost = room.lost_unqualified[place] if needs_pair else 0
            lost = rules.SHOWDOWN_COUNT - won - tied - idle_lost
            profit, square = 0, 0
            for ending, count in enumerate((0, lost, idle_lost, tied, idle_won, won - idle_won)):
                one = rules.round_profit(2, choice // QUALIFIERS + 1, ending, category(room.keys[place] >> 12))
                profit += count * one
                square += count * one * one
            room.profits[8 * place + choice], room.squares[8 * place + choice] = profit, square


def _of(sums: Array, place: int, multiple: int, qualifier: int) -> int:
    """Return what profits or squares have of a holding's Play bet."""
    found: int = sums[8 * place + QUALIFIERS * (multiple - 1) + qualifier]
    return found


def _paid(room: Room, place: int, qualifier: int) -> int:
    """Return how many hands of the dealer the Ante is paid against."""
    paid: int = room.won[place] - (room.won_unqualified[place] if qualifier == PAIR_NEEDED else 0)
    return paid


def _fill_gains(room: Room, boosts: Boosts) -> None:
    """Write for each holding how much more than its stake a won Ante gets from boosts on average, and its square."""
    last, in_hand = -1, 0
    for place in range(BOARD_HOLDINGS):
        key = room.keys[place]
        if key >> 12 != last:  # once for all holdings of a rank
            last = key >> 12
            in_hand = 0
            for rank in range(13):
                if rules.is_in_hand(last, rank_high(rank)):
                    in_hand |= 1 << rank
        one, other = rank0(key >> 6 & 63), rank0(key & 63)
        room.gains[place] = boost_gain(category(last), in_hand, one, other, 1, boosts)
        room.gain_squares[place] = boost_gain(category(last), in_hand, one, other, 2, boosts)


def boost_gain(hand: int, in_hand: int, one: int, other: int, power: int, boosts: Boosts) -> int:
    """Return the mean of a power of a boost less 1, over all ranks that may be marked, times the chances' denominator.

    The hand is of a category, has ranks as bits from the ace up, and `one` and `other` are the ranks in the hole.
    """
    boost = rules.BOOSTS[hand]
    gain: int = boosts.hits[in_hand] * (boost - 1) ** power
    more = (max(boost, rules.BOOST_BOTH_HOLE) - 1) ** power - (boost - 1) ** power
    if more > 0:
        for rank in range(13):
            if rank != one and other in (one, rank) and (in_hand >> one | in_hand >> rank) & 1:
                gain += boosts.pairs[13 * one + rank] * more
    return gain


def _rename_for_flop(room: Room, one: int, two: int, three: int) -> int:
    """Write the new names of all cards with these of the board as the flop, and return which flop it is."""
    room.spot[2], room.spot[3], room.spot[4] = room.board[one], room.board[two], room.board[three]
    return rename_cards(room.spot, room.names)


def rename_cards(spot: Array, names: Array) -> int:
    """Write the new names of all cards for the flop in places 2 to 4 of `spot`, and return which flop it is.

    Unlike `holdem.flop_place` it does not look at hole cards, and so may name suits that are alike on the flop in
    either way; `fill_places` says which places are therefore one.
    """
    a, b = holdem.flop_key(spot, 0), holdem.flop_key(spot, 1)
    c, d = holdem.flop_key(spot, 2), holdem.flop_key(spot, 3)
    for card in range(52):
        names[card] = holdem.renamed(card, holdem.suit_place(a, b, c, d, card // 13))
    return holdem.flop_class(names[spot[2]], names[spot[3]], names[spot[4]])


def fill_places(spot: Array, names: Array, places: Array, kinds: Array, raises: Array) -> int:
    """Write for each place of `rename_cards` the one that `holdem.flop_place` gives, and return how many flops it was.

    `kinds` gets the kind of the hole cards, and `raises` whether the simple policy raises. `places` begins as -1s, and
    what no cards have stays so.
    """
    flops = 0
    for one in range(52):
        for two in range(one):
            for three in range(two):
                spot[2], spot[3], spot[4] = one, two, three
                base = rename_cards(spot, names) * holdem.HOLDINGS
                if places[base + _free_holding(spot, names)] >= 0:
                    continue
                flops += 1
                for first in range(52):
                    for second in range(first):
                        if first in (one, two, three) or second in (one, two, three):
                            continue
                        spot[0], spot[1] = first, second
                        place = base + holdem.holding(names[first], names[second])
                        places[place] = holdem.flop_place(spot)
                        kinds[place] = rules.hole_class(first, second)
                        raises[place] = SIMPLE_RAISES if rules.simple_flop(spot) else 0
    return flops


def _free_holding(spot: Array, names: Array) -> int:
    """Return a holding that none of the flop's cards is in."""
    first = 0
    while first in (spot[2], spot[3], spot[4]):
        first += 1
    second = first + 1
    while second in (spot[2], spot[3], spot[4]):
        second += 1
    return holdem.holding(names[first], names[second])


def fold_places(places: Array, flops: Array) -> None:
    """Add up what stands at places that are one, at the one place that `holdem.flop_place` gives."""
    for place in range(rules.FLOP_PLACES):
        target = places[place]
        if target >= 0 and target != place:
            for column in range(FLOP_SUMS):
                flops[FLOP_SUMS * target + column] += flops[FLOP_SUMS * place + column]
                flops[FLOP_SUMS * place + column] = 0


def sweep_values(
    part: int, parts: int, unit: int, boost: int, boosts: Boosts, room: Room, hands: Array, holes: Array, flops: Array
) -> int:
    """Add what decisions are worth on every `parts`-th board to `holes` and `flops`, and return how many boards it was.

    `hands` gets the categories of all hands of five, of six (each six times) and of seven cards (each 21 times).

    On the flop and at the river a profit counts `unit` times and boosts count `boost` times. With 1 and 0 that is the
    usual game; with others it is super mode, played by someone who reckons with boosts.
    """
    number = boards = 0
    weight = next_board(room.board)
    while weight > 0:
        if number % parts == part:
            boards += weight
            study_board(room, boosts)
            _add_hands(weight, room, hands)
            _add_holes(weight, room, holes)
            for one, two, three in FLOPS:
                _add_flop(_rename_for_flop(room, one, two, three), weight, unit, boost, room, flops)
        number += 1
        weight = next_board(room.board)
    return boards


def _add_hands(weight: int, room: Room, hands: Array) -> None:
    board = rules.hand_bits(room.board, 0, 5)
    hands[category(rank_hand(board))] += weight
    for card in range(52):
        if not board & card_bit(card):
            hands[10 + category(rank_hand(board | card_bit(card)))] += weight
    for place in range(BOARD_HOLDINGS):
        hands[20 + category(room.keys[place] >> 12)] += weight


def _add_holes(weight: int, room: Room, holes: Array) -> None:
    for place in range(BOARD_HOLDINGS):
        key = room.keys[place]
        at = HOLE_SUMS * rules.hole_class(key >> 6 & 63, key & 63)
        holes[at + WINS] += weight * room.won[place]
        holes[at + TIES] += weight * room.tied[place]
        for qualifier in range(QUALIFIERS):
            holes[at + PLAY_3 + qualifier] += weight * _of(room.profits, place, 3, qualifier)
            holes[at + PLAY_4 + qualifier] += weight * _of(room.profits, place, 4, qualifier)
            holes[at + SQUARE_3 + qualifier] += weight * _of(room.squares, place, 3, qualifier)
            holes[at + SQUARE_4 + qualifier] += weight * _of(room.squares, place, 4, qualifier)
            paid = weight * _paid(room, place, qualifier)
            holes[at + GAIN + qualifier] += paid * room.gains[place]
            holes[at + BLIND_GAIN + qualifier] += paid * room.gains[place] * rules.BLIND_HALVES[category(key >> 12)]
            holes[at + GAIN_SQUARE + qualifier] += paid * room.gain_squares[place]


def _add_flop(flop: int, weight: int, unit: int, boost: int, room: Room, flops: Array) -> None:
    fold = rules.fold_profit() * unit
    for place in range(BOARD_HOLDINGS):
        key = room.keys[place]
        holding = holdem.holding(room.names[key >> 6 & 63], room.names[key & 63])
        at = FLOP_SUMS * (flop * holdem.HOLDINGS + holding)
        flops[at + MET] += weight
        for qualifier in range(QUALIFIERS):
            gain = _paid(room, place, qualifier) * room.gains[place] * boost
            bet_now = _of(room.profits, place, 2, qualifier) * unit + gain
            bet_later = _of(room.profits, place, 1, qualifier) * unit + gain
            flops[at + PLAY_2 + qualifier] += weight * bet_now
            flops[at + CHECK + qualifier] += weight * max(bet_later, fold)


def sweep_policies(part: int, parts: int, boosts: Boosts, raises: Array, room: Room, sums: Array) -> int:
    """Add what both policies come to on every `parts`-th board to `sums`, and return how many boards it was.

    `raises` says which of them raise at a place of hole cards and a flop.
    """
    number = boards = 0
    weight = next_board(room.board)
    while weight > 0:
        if number % parts == part:
            boards += weight
            study_board(room, boosts)
            for place in range(BOARD_HOLDINGS):
                room.flags[place] = 0
            for one, two, three in FLOPS:
                base = _rename_for_flop(room, one, two, three) * holdem.HOLDINGS
                for place in range(BOARD_HOLDINGS):
                    key = room.keys[place]
                    holding = holdem.holding(room.names[key >> 6 & 63], room.names[key & 63])
                    room.flags[place] += raises[base + holding]
            _add_policies(weight, room, sums)
        number += 1
        weight = next_board(room.board)
    return boards


def _add_policies(weight: int, room: Room, sums: Array) -> None:
    board = rules.hand_bits(room.board, 0, 5)
    for card in range(52):
        room.per_card[card] = 0 if board & card_bit(card) else rank_hand(board | card_bit(card))
    for place in range(BOARD_HOLDINGS):
        simple_bets = _simple_bets(room, place, rank_hand(board))
        for qualifier in range(QUALIFIERS):
            best_bets = _of(room.profits, place, 1, qualifier) > rules.fold_profit()
            best_raises = room.flags[place] // BEST_RAISES[qualifier] & 255
            simple_raises = room.flags[place] // SIMPLE_RAISES & 255
            _add_policy(weight, room, place, rules.BEST, qualifier, best_raises, best_bets, sums)
            _add_policy(weight, room, place, rules.SIMPLE, qualifier, simple_raises, simple_bets, sums)


def _simple_bets(room: Room, place: int, board: int) -> bool:
    """Tell what `rules.simple_river` says, from the ranks that single cards make with the board."""
    key = room.keys[place]
    outs = 0
    for card in range(52):
        if room.per_card[card] > key >> 12 and card != key >> 6 & 63 and card != key & 63:
            outs += 1
    return rules.bets_with_outs(key >> 12, board, outs)


def _add_policy(
    weight: int, room: Room, place: int, policy: int, qualifier: int, raised: int, bets: bool, sums: Array
) -> None:
    """Add a holding that is raised on so many of the ten flops, and bet or folded at the river after the others."""
    key = room.keys[place]
    kind = rules.hole_class(key >> 6 & 63, key & 63)
    at = POLICY_SUMS * (rules.HOLE_CLASSES * (QUALIFIERS * policy + qualifier) + kind)
    checked = len(FLOPS) - raised
    shown = len(FLOPS) if bets else raised
    bet = 2 * raised + (checked if bets else 0)
    last = _of(room.profits, place, 1, qualifier) if bets else rules.fold_profit()
    last_square = _of(room.squares, place, 1, qualifier) if bets else FOLD_SQUARE
    paid = weight * _paid(room, place, qualifier)
    sums[at + PROFIT] += weight * (raised * _of(room.profits, place, 2, qualifier) + checked * last)
    sums[at + POLICY_SQUARE] += weight * (raised * _of(room.squares, place, 2, qualifier) + checked * last_square)
    sums[at + POLICY_WINS] += weight * shown * room.won[place]
    sums[at + POLICY_TIES] += weight * shown * room.tied[place]
    sums[at + POLICY_GAIN] += shown * paid * room.gains[place]
    sums[at + PLAY_GAIN] += bet * paid * room.gains[place]
    sums[at + POLICY_BLIND_GAIN] += shown * paid * room.gains[place] * rules.BLIND_HALVES[category(key >> 12)]
    sums[at + POLICY_GAIN_SQUARE] += shown * paid * room.gain_squares[place]
    sums[at + BET] += weight * rules.SHOWDOWN_COUNT * bet
