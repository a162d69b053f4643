"""A round of blackjack in numbers: draws from the shoe, legal decisions and their effects, settlement of every bet.

A round is kept in an array, the hand. Its facts come first: the player's first cards, the up card, how many cards the
dealer had in the end and their total, how many hands there were, and the totals of up to four hands from left to right,
-1 for one that there was not.

The shoe is never stored. What is left of it is known from the cards that were seen, so it is told by the places those
took in the sorted shoe, and a draw picks one of the others: just the card, and just the bytes, that `draw_card` would
take from the sorted remaining shoe.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded_usize
from croupier.games.blackjack import rules
from croupier.kit.cards import rank0
from croupier.rounds import DONE, FACTS_MAX

# The hand: the facts; what comes next, which hand plays, whether the dealer has looked and has no natural, how many
# cards of the dealer's the side bets ask for where all hands are lost; then the player's hands and the cards seen.
FIRST_CARD, SECOND_CARD, UP_CARD, DEALER_SIZE, DEALER_TOTAL, HAND_COUNT, TOTALS = range(7)
PHASE, ACTIVE, IS_PEEKED, ASKED, SEEN_COUNT, HANDS = range(FACTS_MAX, FACTS_MAX + 6)

# One of the player's hands. They are numbered in the order they were made: the main bet lies on number 1, the leftmost.
# The cards come last, eight to a number, so that rows stay short; `card_at` reads them.
NUMBER, STATUS, IS_DOUBLED, HARD, HAS_ACE, SIZE, CARDS = range(7)
PACKED, CARD_BITS = 8, 7
HAND_SIZE = CARDS + rules.CARDS_MAX // PACKED + 1

SEEN = HANDS + rules.HANDS_MAX * HAND_SIZE
SEEN_MAX = rules.HANDS_MAX * rules.CARDS_MAX + 1
ROUND_SIZE = SEEN + SEEN_MAX

# What comes next; `DONE` before the deal and at the end.
INSURANCE, PLAY, REVEAL = 1, 2, 3

# The options; a caller may have more of its own after them.
DECKS, HIT_SOFT_17, SIX_TO_FIVE, SURRENDER, DOUBLE_AFTER_SPLIT, RESPLIT_ACES, HIT_SPLIT_ACES, PEEK = range(8)

# Scratch: two numbers for each card of one move, which are a hole card, the player's two, and all that the dealer
# draws; and the dealer's cards, with those that a decision draws from `DRAWN` on.
DRAWN = rules.CARDS_MAX + 1
WORK_SIZE = 2 * (rules.CARDS_MAX + 3)
NOT_BARRED = 0


# The shoe.


def note_seen(hand: MutableSequence[int], card: int, options: Sequence[int]) -> None:
    """Mark one copy of a card as seen.

    From `SEEN` on stand the places of the cards seen in the sorted shoe, ascending. Equal cards are adjacent there, and
    the first copies go first.
    """
    decks = options[DECKS]
    place = card * decks
    end = SEEN + hand[SEEN_COUNT]
    while end > SEEN and hand[end - 1] >= place + decks:
        hand[end] = hand[end - 1]
        end -= 1
    if end > SEEN and hand[end - 1] >= place:
        place = hand[end - 1] + 1
    hand[end] = place
    hand[SEEN_COUNT] += 1


def _place_at(index: int, hand: Sequence[int], moved: Sequence[int], drawn: int) -> int:
    """Return which place of the sorted shoe the card at an index of the remaining shoe has."""
    for before in range(drawn - 1, -1, -1):
        if moved[2 * before] == index:
            return moved[2 * before + 1]
    place = index
    for i in range(SEEN, SEEN + hand[SEEN_COUNT]):
        if hand[i] > place:
            return place
        place += 1
    return place


def draw(
    stream: Stream, hand: Sequence[int], options: Sequence[int], moved: MutableSequence[int], drawn: int, barred: int
) -> int:
    """Take a card from the shoe without the cards seen and the `drawn` ones that this move took before.

    A draw fills the index it took from with the last card; `moved` remembers that. A card whose value is `barred` is
    left where it is, and another index drawn; `NOT_BARRED` takes any.
    """
    decks = options[DECKS]
    left = 52 * decks - hand[SEEN_COUNT] - drawn
    index = 0
    place = 0
    is_barred = True
    while is_barred:  # one call in a loop: a compiler copies what is called to each place that calls it
        index = bounded_usize(stream, left)
        place = _place_at(index, hand, moved, drawn)
        is_barred = rules.card_value(place // decks) == barred
    moved[2 * drawn + 1] = _place_at(left - 1, hand, moved, drawn)
    moved[2 * drawn] = index
    return place // decks


def play_dealer(
    stream: Stream,
    hand: MutableSequence[int],
    options: Sequence[int],
    moved: MutableSequence[int],
    drawn: int,
    dealer: MutableSequence[int],
    size_max: int,
) -> None:
    """Draw the dealer's hand to its end, or to `size_max` cards, and note its size and total.

    Its first `DEALER_SIZE` cards are in `dealer`: the up card at least, on which alone the dealer always draws.
    """
    size = hand[DEALER_SIZE]
    hard = 0
    has_ace = False
    for i in range(size):
        hard += rules.card_value(dealer[i])
        has_ace = has_ace or rules.card_value(dealer[i]) == 1
    while size < size_max and rules.dealer_draws(hard, has_ace, options[HIT_SOFT_17] == 1):
        card = draw(stream, hand, options, moved, drawn, NOT_BARRED)
        drawn += 1
        dealer[size] = card
        size += 1
        hard += rules.card_value(card)
        has_ace = has_ace or rules.card_value(card) == 1
    hand[DEALER_SIZE] = size
    hand[DEALER_TOTAL] = rules.best_total(hard, has_ace)


# Decisions.


def is_legal(choice: int, hand: Sequence[int], options: Sequence[int]) -> bool:
    """Tell whether a decision can be made now, by the rules of the table."""
    phase = hand[PHASE]
    if phase == DONE:
        return choice == rules.DEAL and hand[HAND_COUNT] == 0
    if phase == INSURANCE:
        if choice == rules.TAKE_EVEN_MONEY:
            return hand[HANDS + STATUS] == rules.NATURAL and options[SIX_TO_FIVE] == 0
        return choice == rules.INSURE or choice == rules.DECLINE
    if phase == REVEAL:
        return choice == rules.REVEAL
    if choice == rules.DOUBLE:
        return _may_double(hand, options)
    if choice == rules.SPLIT:
        return _may_split(hand, options)
    if choice == rules.SURRENDER:
        return _may_surrender(hand, options)
    return choice == rules.HIT or choice == rules.STAND


def _may_double(hand: Sequence[int], options: Sequence[int]) -> bool:
    size = hand[HANDS + HAND_SIZE * hand[ACTIVE] + SIZE]
    return size == 2 and (hand[HAND_COUNT] == 1 or options[DOUBLE_AFTER_SPLIT] == 1)


def _may_split(hand: Sequence[int], options: Sequence[int]) -> bool:
    """Tell whether the hand in play is two cards of one rank. Ten and king are two ranks."""
    at, count = HANDS + HAND_SIZE * hand[ACTIVE], hand[HAND_COUNT]
    first, second = rank0(card_at(hand, at, 0)), rank0(card_at(hand, at, 1))
    if hand[at + SIZE] != 2 or count >= rules.HANDS_MAX or first != second:
        return False
    return options[RESPLIT_ACES] == 1 or count == 1 or first != 0


def _may_surrender(hand: Sequence[int], options: Sequence[int]) -> bool:
    size = hand[HANDS + HAND_SIZE * hand[ACTIVE] + SIZE]
    return options[SURRENDER] == 1 and size == 2 and hand[HAND_COUNT] == 1


def cost(choice: int, stake: int) -> int:
    """Return the chips that a decision lays besides the opening stake: half of it on insurance, rounded down.

    >>> cost(rules.DOUBLE, 5), cost(rules.INSURE, 5), cost(rules.HIT, 5)
    (5, 2, 0)
    """
    if choice == rules.INSURE:
        return stake // 2
    return stake if choice == rules.DOUBLE or choice == rules.SPLIT else 0


def needs_stream(choice: int) -> bool:
    """Tell whether a decision may draw a card."""
    return choice != rules.STAND and choice != rules.SURRENDER and choice != rules.TAKE_EVEN_MONEY


def cards_asked(kind: int) -> int:
    """Return how many cards of the dealer's a bet asks for where all hands are lost: nobody else wants to see them."""
    if kind == rules.BUST_IT:
        return rules.CARDS_MAX
    return 2 if kind == rules.LUCKY_LADIES else 1


def take(
    stream: Stream,
    choice: int,
    hand: MutableSequence[int],
    options: Sequence[int],
    moved: MutableSequence[int],
    dealer: MutableSequence[int],
) -> int:
    """Carry a decision out, draw what follows from it, and return what comes next; `DONE` where all is decided.

    `dealer` then has the dealer's cards. Draws are made here and for the dealer, nowhere else: a compiler copies what
    is called to each place that calls it. If this were longer, it would be called instead, for a tenth of the speed.
    """
    if not needs_stream(choice):
        _end_hand(choice, hand)
        return _go_on(hand)
    hidden = hand[IS_PEEKED]  # the first card drawn is then one that stays in the shoe
    wanted = _cards_wanted(choice, hidden)
    drawn = 0
    while drawn < wanted:
        barred = NOT_BARRED
        if drawn == 0 and hidden == 1:
            barred = rules.natural_value(rules.card_value(hand[UP_CARD]))
        dealer[DRAWN + drawn] = draw(stream, hand, options, moved, drawn, barred)
        drawn += 1
        if drawn == 3 and choice == rules.DEAL and options[PEEK] == 1 and rules.card_value(dealer[DRAWN + 2]) == 10:
            wanted = 4
    size_max = _carry_out(choice, hand, options, dealer, drawn)
    dealer[0] = hand[UP_CARD]
    if size_max > 0:
        play_dealer(stream, hand, options, moved, drawn, dealer, size_max)
        return _end(hand)
    shown = 0 if choice == rules.INSURE or choice == rules.DECLINE else min(drawn, 3)
    for place in range(DRAWN + hidden, DRAWN + shown):
        note_seen(hand, dealer[place], options)
    if choice == rules.DEAL and hand[PHASE] == INSURANCE:
        return INSURANCE
    return _go_on(hand)


def _end_hand(choice: int, hand: MutableSequence[int]) -> None:
    """Carry out what draws nothing: the hand stands, is given up, or takes even money."""
    if choice == rules.TAKE_EVEN_MONEY:
        hand[HANDS + STATUS] = rules.EVEN_MONEY
    else:
        status = rules.STANDING if choice == rules.STAND else rules.SURRENDERED
        hand[HANDS + HAND_SIZE * hand[ACTIVE] + STATUS] = status


def _go_on(hand: MutableSequence[int]) -> int:
    """Find the leftmost hand that still plays, and return what comes next."""
    active = hand[ACTIVE]
    while active < hand[HAND_COUNT] and hand[HANDS + HAND_SIZE * active + STATUS] != rules.PLAYING:
        active += 1
    hand[ACTIVE] = active
    hand[PHASE] = PLAY if active < hand[HAND_COUNT] else REVEAL
    return hand[PHASE]


def _end(hand: MutableSequence[int]) -> int:
    """Write the totals of the player's hands."""
    for place in range(rules.HANDS_MAX):
        at = HANDS + HAND_SIZE * place
        is_there = place < hand[HAND_COUNT]
        hand[TOTALS + place] = rules.best_total(hand[at + HARD], hand[at + HAS_ACE] == 1) if is_there else -1
    hand[PHASE] = DONE
    return DONE


def _cards_wanted(choice: int, hidden: int) -> int:
    """Return how many cards a decision draws to begin with, a hole card first where the dealer has peeked."""
    if choice == rules.DEAL:
        return 3
    if choice == rules.INSURE or choice == rules.DECLINE:
        return 1
    if choice == rules.REVEAL:
        return hidden
    if choice == rules.SPLIT:
        return hidden + 2
    return hidden + 1


def _carry_out(
    choice: int, hand: MutableSequence[int], options: Sequence[int], dealer: MutableSequence[int], drawn: int
) -> int:
    """Do what a decision does with its cards, and return how many cards the dealer may have; 0 where the round goes on.

    At the end of a round `DEALER_SIZE` tells how many of them the dealer has already.
    """
    hand[DEALER_SIZE] = 1
    if choice == rules.REVEAL:
        dealer[1] = dealer[DRAWN]
        hand[DEALER_SIZE] = 1 + drawn
        return rules.CARDS_MAX
    if choice == rules.DEAL:
        _deal(hand, options, dealer)
    elif choice != rules.INSURE and choice != rules.DECLINE:
        return _play(choice, hand, options, dealer)
    if choice == rules.DEAL and drawn == 3:
        return 0
    # The last card drawn is one to look at: a natural ends the round, any other goes back into the shoe.
    if rules.is_natural(hand[UP_CARD], dealer[DRAWN + drawn - 1]):
        dealer[1] = dealer[DRAWN + drawn - 1]
        hand[DEALER_SIZE] = 2
        return 2
    hand[IS_PEEKED] = 1
    return 0


def _deal(hand: MutableSequence[int], options: Sequence[int], dealer: Sequence[int]) -> None:
    for place in range(3):
        hand[FIRST_CARD + place] = dealer[DRAWN + place]
    hand[HAND_COUNT] = 1
    _set_hand(hand, HANDS, 1, hand[FIRST_CARD], hand[SECOND_CARD])
    if rules.is_natural(hand[FIRST_CARD], hand[SECOND_CARD]):
        hand[HANDS + STATUS] = rules.NATURAL
    if options[PEEK] == 1 and rules.card_value(hand[UP_CARD]) == 1:
        hand[PHASE] = INSURANCE  # and only when that is answered does the dealer look


def _play(choice: int, hand: MutableSequence[int], options: Sequence[int], dealer: MutableSequence[int]) -> int:
    """Hit, double or split; return as `_carry_out` does."""
    at = HANDS + HAND_SIZE * hand[ACTIVE]
    first = DRAWN + hand[IS_PEEKED]
    if choice == rules.SPLIT:
        _split(hand, at, dealer[first], dealer[first + 1], options)
        return 0
    hand[at + IS_DOUBLED] = int(choice == rules.DOUBLE)
    add_card(hand, at, dealer[first])
    hand[at + STATUS] = rules.status_after(hand[at + HARD], hand[at + HAS_ACE] == 1, choice == rules.DOUBLE)
    for number in range(hand[HAND_COUNT]):
        if hand[HANDS + HAND_SIZE * number + STATUS] != rules.BUSTED:
            return 0
    size_max = max(hand[ASKED], 1)
    if size_max > 1 and hand[IS_PEEKED] == 1:
        dealer[1] = dealer[DRAWN]
        hand[DEALER_SIZE] = 2
    return size_max


def _split(hand: MutableSequence[int], at: int, card: int, new_card: int, options: Sequence[int]) -> None:
    """Make two hands of one; the hands after it move on."""
    for place in range(HANDS + HAND_SIZE * hand[HAND_COUNT] - 1, at + HAND_SIZE - 1, -1):
        hand[place + HAND_SIZE] = hand[place]
    hand[HAND_COUNT] += 1
    kept_card, moved_card, number = card_at(hand, at, 0), card_at(hand, at, 1), hand[at + NUMBER]
    for side in range(2):
        place = at + HAND_SIZE * side
        if side == 0:
            _set_hand(hand, place, number, kept_card, card)
        else:
            _set_hand(hand, place, hand[HAND_COUNT], moved_card, new_card)
        if rules.card_value(kept_card) == 1 and options[HIT_SPLIT_ACES] == 0:
            hand[place + STATUS] = rules.STANDING


def _set_hand(hand: MutableSequence[int], at: int, number: int, first: int, second: int) -> None:
    for place in range(at, at + HAND_SIZE):
        hand[place] = 0  # so that the status is PLAYING
    hand[at + NUMBER] = number
    for place in range(2):
        add_card(hand, at, first if place == 0 else second)


def add_card(hand: MutableSequence[int], at: int, card: int) -> None:
    """Give a card to the player's hand that begins at place `at`."""
    hand[at + HARD] += rules.card_value(card)
    if rules.card_value(card) == 1:
        hand[at + HAS_ACE] = 1
    index = hand[at + SIZE]
    hand[at + CARDS + index // PACKED] |= card << CARD_BITS * (index % PACKED)
    hand[at + SIZE] = index + 1


def card_at(hand: Sequence[int], at: int, index: int) -> int:
    """Return a card of the player's hand that begins at place `at`."""
    return hand[at + CARDS + index // PACKED] >> CARD_BITS * (index % PACKED) & (1 << CARD_BITS) - 1


def follow(table: Sequence[int], start: int, hand: Sequence[int], options: Sequence[int]) -> int:
    """Return what is decided by a player who follows the strategy table that begins at `start`, and never insures."""
    if hand[PHASE] == INSURANCE:
        return rules.DECLINE
    if hand[PHASE] == REVEAL:
        return rules.REVEAL
    at = HANDS + HAND_SIZE * hand[ACTIVE]
    pair_value = 0
    if _may_split(hand, options):
        pair_value = rules.card_value(card_at(hand, at, 0))
    return rules.choose(
        table,
        start,
        hand[at + HARD],
        hand[at + HAS_ACE] == 1,
        pair_value,
        rules.card_value(hand[UP_CARD]),
        _may_double(hand, options),
        _may_surrender(hand, options),
    )


# The end.


def settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int], boost: int) -> int:
    """Return the chips handed back for a bet; insurance is over once the dealer has looked, all others at the end.

    A raise has the number of its hand. The boost, 1 without super mode, is that of the main bet.
    """
    dealer_natural = has_natural(hand)
    if kind == rules.INSURANCE:
        return rules.insurance_return(stake, dealer_natural)
    if rules.MAIN < kind < rules.INSURANCE:
        first, second, up_card = hand[FIRST_CARD], hand[SECOND_CARD], hand[UP_CARD]
        total, size = hand[DEALER_TOTAL], hand[DEALER_SIZE]
        return rules.side_return(kind, stake, first, second, up_card, dealer_natural, total, size)
    place = 0
    while kind != rules.MAIN and hand[HANDS + HAND_SIZE * place + NUMBER] != number:
        place += 1
    returned = settle_hand(place, stake, hand, options)
    return rules.super_return(stake, returned, boost) if kind == rules.MAIN else returned


def settle_hand(place: int, stake: int, hand: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back, before any boost, for each of the stakes that lie on a hand."""
    status, total = hand[HANDS + HAND_SIZE * place + STATUS], hand[TOTALS + place]
    return rules.hand_return(stake, status, total, hand[DEALER_TOTAL], has_natural(hand), options[SIX_TO_FIVE] == 1)


def has_natural(hand: Sequence[int]) -> bool:
    """Tell whether the dealer has shown a natural."""
    return hand[DEALER_SIZE] == 2 and hand[DEALER_TOTAL] == rules.TWENTY_ONE


def boost_of(hand: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int) -> int:
    """Return the boost of the main bet: the product of the lit cards in its hand, 1 where nothing is lit."""
    boost = 1
    if count == 0:
        return boost
    for index in range(hand[HANDS + SIZE]):
        boost = rules.boosted(boost, card_at(hand, HANDS, index), ids, multipliers, count)
    return boost
