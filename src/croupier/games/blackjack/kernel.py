"""One round of blackjack over its streams, for the simulator to compile: a player who follows a strategy table.

The bets are main and whichever side bets are laid; raises have no lines, but are in the accounts. Side bets are laid
with the deal, which is move 1. What draws nothing, to stand or to surrender, needs no stream, but is a move and counts
as one. In super mode the lit cards are drawn first, from the stream that is kept for them. The row's facts are the
player's first cards, the up card, how many cards the dealer had in the end and their total, how many hands there were,
and the totals of up to four hands from left to right, -1 for one that there was not.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.blackjack import rules
from croupier.rounds import DONE, FACTS, FEES, LINES, PRIVATE, RETURNED, STAKED, SUPER_MOVE, super_fee

FIRST_CARD, SECOND_CARD, UP_CARD, DEALER_SIZE, DEALER_TOTAL, HAND_COUNT, TOTALS = range(FACTS, FACTS + 7)

# The options; the strategy table comes after them.
DECKS, HIT_SOFT_17, SIX_TO_FIVE, SURRENDER, DOUBLE_AFTER_SPLIT, RESPLIT_ACES, HIT_SPLIT_ACES, PEEK, IS_SUPER = range(9)
TABLE = 9

# What the next move is: the deal, the answer to an offer of insurance, what `ACTION` says on hand `ACTIVE`, the reveal.
DEAL, OFFER, PLAY, REVEAL = range(4)
STAGE, ACTION, ACTIVE, IS_PEEKED, SEEN_COUNT = range(PRIVATE, PRIVATE + 5)

# A hand. `BOOST` is that of the cards it has, counted for every hand and used for the first.
HARD, HAS_ACE, SIZE, STATUS, IS_DOUBLED, ONE_CARD, OTHER_CARD, BOOST = range(8)
HAND_SIZE = 8
HANDS = PRIVATE + 5
LIT_IDS = HANDS + HAND_SIZE * rules.HANDS_MAX
LIT_MULTIPLIERS = LIT_IDS + rules.LIT_COUNT
SEEN = LIT_MULTIPLIERS + rules.LIT_COUNT
ROW_SIZE = SEEN + rules.SEEN_MAX

# Scratch: `work` is for what draws move about; `spare` has the dealer's hand, and from `DRAWN` on what a move draws.
DRAWN = rules.CARDS_MAX + 1
WORK_SIZE = rules.MOVED_SIZE


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
    """Make one move and return the next.

    Draws are made here and at the end, nowhere else: a compiler copies what is called to each place that calls it.
    """
    if move == SUPER_MOVE:
        for i in range(rules.generate(stream, work, spare)):
            row[LIT_IDS + i] = work[i]
            row[LIT_MULTIPLIERS + i] = spare[i]
        return 1
    decks = options[DECKS]
    stage = row[STAGE]
    hidden = row[IS_PEEKED]  # the first card drawn is then one that stays in the shoe
    wanted = _cards_wanted(row)
    drawn = 0
    while drawn < wanted:
        barred = rules.NOT_BARRED
        if drawn == 0 and hidden == 1:
            barred = rules.barred_hole(row[UP_CARD])
        spare[DRAWN + drawn] = rules.draw(stream, decks, row, SEEN, row[SEEN_COUNT], work, drawn, barred)
        drawn += 1
        if drawn == 3 and stage == DEAL and options[PEEK] == 1 and rules.card_value(spare[DRAWN + 2]) == 10:
            wanted = 4
    size_max = _move(row, kinds, stakes, options, spare, drawn)
    if size_max == 0:
        if stage != OFFER:
            for place in range(DRAWN + hidden, DRAWN + min(drawn, 3)):
                row[SEEN_COUNT] = rules.note_seen(row, SEEN, row[SEEN_COUNT], spare[place], decks)
        return _advance(move, row, options)
    spare[0] = row[UP_CARD]
    size = rules.play_dealer(
        stream,
        decks,
        row,
        SEEN,
        row[SEEN_COUNT],
        work,
        drawn,
        spare,
        row[DEALER_SIZE],
        size_max,
        options[HIT_SOFT_17] == 1,
    )
    _finish(row, kinds, stakes, options, spare, size)
    return DONE


def _cards_wanted(row: Sequence[int]) -> int:
    """Return how many cards a move draws to begin with, a hole card first where the dealer has peeked."""
    if row[STAGE] == DEAL:
        return 3
    if row[STAGE] == OFFER:
        return 1
    if row[STAGE] == REVEAL:
        return row[IS_PEEKED]
    return row[IS_PEEKED] + (2 if row[ACTION] == rules.SPLIT else 1)


def _move(
    row: MutableSequence[int],
    kinds: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    spare: MutableSequence[int],
    drawn: int,
) -> int:
    """Do what a move does with its cards, and return how many cards the dealer may have; 0 where the round goes on.

    At the end of a round `DEALER_SIZE` tells how many of them the dealer has already.
    """
    row[DEALER_SIZE] = 1
    if row[STAGE] == PLAY:
        return _play(row, kinds, stakes, options, spare)
    if row[STAGE] == REVEAL:
        spare[1] = spare[DRAWN]
        row[DEALER_SIZE] = 1 + drawn
        return rules.CARDS_MAX
    if row[STAGE] == DEAL:
        _deal(row, stakes, options, spare)
        if drawn == 3:
            return 0
    # The last card drawn is one to look at: a natural ends the round, any other goes back into the shoe.
    if rules.is_natural(row[UP_CARD], spare[DRAWN + drawn - 1]):
        spare[1] = spare[DRAWN + drawn - 1]
        row[DEALER_SIZE] = 2
        return 2
    row[IS_PEEKED] = 1
    row[STAGE] = PLAY
    return 0


def _deal(row: MutableSequence[int], stakes: Sequence[int], options: Sequence[int], spare: Sequence[int]) -> None:
    for i in range(len(stakes)):
        row[STAKED] += stakes[i]
    if options[IS_SUPER] == 1:
        row[FEES] = super_fee(stakes[0])
    for place in range(3):
        row[FIRST_CARD + place] = spare[DRAWN + place]
    row[HAND_COUNT] = 1
    _set_hand(row, HANDS, row[FIRST_CARD], row[SECOND_CARD], options)
    if rules.is_natural(row[FIRST_CARD], row[SECOND_CARD]):
        row[HANDS + STATUS] = rules.NATURAL
    row[STAGE] = PLAY
    if options[PEEK] == 1 and rules.card_value(row[UP_CARD]) == 1:
        row[STAGE] = OFFER  # insurance is declined, and only then does the dealer look


def _play(
    row: MutableSequence[int],
    kinds: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    spare: MutableSequence[int],
) -> int:
    """Hit, double or split."""
    hand = HANDS + HAND_SIZE * row[ACTIVE]
    card = spare[DRAWN + row[IS_PEEKED]]
    if row[ACTION] != rules.HIT:
        row[STAKED] += stakes[0]
    if row[ACTION] == rules.SPLIT:
        _split(row, hand, card, spare[DRAWN + row[IS_PEEKED] + 1], options)
        return 0
    is_double = row[ACTION] == rules.DOUBLE
    row[hand + IS_DOUBLED] = int(is_double)
    _add_card(row, hand, card, options)
    row[hand + STATUS] = rules.status_after(row[hand + HARD], row[hand + HAS_ACE] == 1, is_double)
    for number in range(row[HAND_COUNT]):
        if row[HANDS + HAND_SIZE * number + STATUS] != rules.BUSTED:
            return 0
    # All hands are lost: only bets on the dealer's hand can ask for it.
    size_max = 1
    for i in range(1, len(kinds)):
        if kinds[i] == rules.LUCKY_LADIES:
            size_max = max(size_max, 2)
        if kinds[i] == rules.BUST_IT:
            size_max = rules.CARDS_MAX
    if size_max > 1 and row[IS_PEEKED] == 1:
        spare[1] = spare[DRAWN]
        row[DEALER_SIZE] = 2
    return size_max


def _split(row: MutableSequence[int], hand: int, card: int, new_card: int, options: Sequence[int]) -> None:
    """Make two hands of one; the hands after it move on."""
    for place in range(HANDS + HAND_SIZE * row[HAND_COUNT] - 1, hand + HAND_SIZE - 1, -1):
        row[place + HAND_SIZE] = row[place]
    row[HAND_COUNT] += 1
    kept_card = row[hand + ONE_CARD]
    moved_card = row[hand + OTHER_CARD]
    for side in range(2):
        place = hand + HAND_SIZE * side
        _set_hand(row, place, moved_card if side == 1 else kept_card, new_card if side == 1 else card, options)
        if rules.card_value(kept_card) == 1 and options[HIT_SPLIT_ACES] == 0:
            row[place + STATUS] = rules.STANDING


def _set_hand(row: MutableSequence[int], hand: int, first: int, second: int, options: Sequence[int]) -> None:
    for place in range(hand, hand + HAND_SIZE):
        row[place] = 0
    row[hand + BOOST] = 1
    row[hand + ONE_CARD] = first
    for number in range(2):
        _add_card(row, hand, first if number == 0 else second, options)


def _add_card(row: MutableSequence[int], hand: int, card: int, options: Sequence[int]) -> None:
    row[hand + HARD] += rules.card_value(card)
    if rules.card_value(card) == 1:
        row[hand + HAS_ACE] = 1
    row[hand + OTHER_CARD] = card
    row[hand + SIZE] += 1
    if options[IS_SUPER] == 1:
        ids = row[LIT_IDS : LIT_IDS + rules.LIT_COUNT]
        multipliers = row[LIT_MULTIPLIERS : LIT_MULTIPLIERS + rules.LIT_COUNT]
        row[hand + BOOST] = rules.boosted(row[hand + BOOST], card, ids, multipliers, rules.LIT_COUNT)


def _advance(move: int, row: MutableSequence[int], options: Sequence[int]) -> int:
    """Let the table decide, hand by hand, up to something that draws, and return the move that does."""
    if row[STAGE] == OFFER:
        return move + 1
    for number in range(row[HAND_COUNT]):
        hand = HANDS + HAND_SIZE * number
        if row[hand + STATUS] == rules.PLAYING:
            action = _choose(row, hand, options)
            if action != rules.STAND and action != rules.SURRENDER:
                row[ACTION] = action
                row[ACTIVE] = number
                return move + 1
            row[hand + STATUS] = rules.STANDING if action == rules.STAND else rules.SURRENDERED
            move += 1
    row[STAGE] = REVEAL
    return move + 1


def _choose(row: Sequence[int], hand: int, options: Sequence[int]) -> int:
    size = row[hand + SIZE]
    is_split = row[HAND_COUNT] > 1
    pair_value = 0
    if rules.can_split(row[hand + ONE_CARD], row[hand + OTHER_CARD], size, row[HAND_COUNT], options[RESPLIT_ACES] == 1):
        pair_value = rules.card_value(row[hand + ONE_CARD])
    return rules.choose(
        options,
        TABLE,
        row[hand + HARD],
        row[hand + HAS_ACE] == 1,
        pair_value,
        rules.card_value(row[UP_CARD]),
        rules.can_double(size, is_split, options[DOUBLE_AFTER_SPLIT] == 1),
        rules.can_surrender(size, is_split, options[SURRENDER] == 1),
    )


def _finish(
    row: MutableSequence[int],
    kinds: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    dealer: Sequence[int],
    size: int,
) -> None:
    """Settle every bet."""
    hard = 0
    has_ace = False
    for i in range(size):
        hard += rules.card_value(dealer[i])
        has_ace = has_ace or rules.card_value(dealer[i]) == 1
    dealer_total = rules.best_total(hard, has_ace)
    dealer_natural = size == 2 and rules.is_natural(dealer[0], dealer[1])
    row[DEALER_SIZE] = size
    row[DEALER_TOTAL] = dealer_total
    for number in range(rules.HANDS_MAX):
        row[TOTALS + number] = -1
    for number in range(row[HAND_COUNT]):
        hand = HANDS + HAND_SIZE * number
        total = rules.best_total(row[hand + HARD], row[hand + HAS_ACE] == 1)
        row[TOTALS + number] = total
        returned = rules.hand_return(
            stakes[0], row[hand + STATUS], total, dealer_total, dealer_natural, options[SIX_TO_FIVE] == 1
        )
        if row[hand + IS_DOUBLED] == 1:
            row[RETURNED] += returned
        if number == 0:
            if options[IS_SUPER] == 1:
                returned = rules.super_return(stakes[0], returned, row[hand + BOOST])
            row[LINES] = returned
        row[RETURNED] += returned
    for i in range(1, len(kinds)):
        returned = rules.side_return(
            kinds[i],
            stakes[i],
            row[FIRST_CARD],
            row[SECOND_CARD],
            row[UP_CARD],
            dealer_natural,
            dealer_total,
            size,
        )
        row[LINES + i] = returned
        row[RETURNED] += returned


ACE = 0


def insurance_step(
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
    """Draw the hole card under an ace, which is all that was seen; the option is the number of decks."""
    seen = rules.note_seen(row, PRIVATE, 0, ACE, options[0])
    hole = rules.draw(stream, options[0], row, PRIVATE, seen, work, 0, rules.NOT_BARRED)
    row[STAKED] = stakes[0]
    row[LINES] = rules.insurance_return(stakes[0], rules.is_natural(ACE, hole))
    row[RETURNED] = row[LINES]
    return DONE
