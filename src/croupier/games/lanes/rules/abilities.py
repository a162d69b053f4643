"""Abilities of cards: coming into play, effects, destruction and settling."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.lanes.rules.layout import (
    ABILITY_BITS,
    ALL,
    ALLIES,
    AMOUNT,
    AMOUNT_3,
    ARMED,
    AT_OF,
    AURA,
    BY_AURA,
    BY_DESTROYED,
    BY_GAIN,
    BY_ONE_SHOT,
    BY_PLAY,
    BY_SPAWNED,
    CARD,
    CARD_CELLS,
    CARD_MASK_TOTAL,
    CARD_MASKS,
    CARDS,
    CARDS_OF,
    COUNTERS,
    DEATH_WATCHERS,
    DO,
    DO_ADD_TO_HAND,
    DO_DESTROY,
    DO_POWER,
    DO_SPAWN,
    EVENT_DESTROYED,
    EVENT_HAND_ADD,
    EVENT_ONE_SHOT,
    EVENT_POWER,
    EVENT_SPAWNED,
    FIRED,
    FLAGS,
    GAIN,
    HAND_COUNT,
    HAND_ROOM,
    HANDS,
    HIT_TILES,
    INDEX,
    IS_AURA,
    IS_COUNTER,
    IS_DEATH_WATCHER,
    IS_LASTING,
    IS_ON_DESTROYED,
    IS_ON_SPAWNED,
    IS_PLAY_WATCHER,
    LIST,
    LIST_TOTAL,
    LOWERED,
    NEXT_UID,
    NOBODY,
    ON_CARD_DESTROYED,
    ON_CARD_PLAYED,
    ON_DESTROYED,
    ON_FIRST_ENFEEBLED,
    ON_FIRST_ENHANCED,
    ON_PLAY,
    ON_SPAWNED,
    ONE_SHOTS,
    OWNER,
    PAWNS_OF,
    PERMANENT,
    PLAY_WATCHERS,
    PUT,
    REPLACED_MAX,
    STRUCK,
    THRESHOLD,
    TILE_OF,
    UID,
    UNSETTLED,
    WHEN,
    WHO,
    abilities_of,
    note,
    tile_count,
)
from croupier.games.lanes.rules.pawns import note_pawns, pawns_of, rank_at, take_back
from croupier.games.lanes.rules.powers import (
    change_at,
    change_auras,
    lowered_of,
    power_at,
    targets_of,
    update_counts,
    update_status,
)

# --- Coming and going -------------------------------------------------------------------------------------------------


def put_card(cells: list[int], tables: Sequence[int], log: list[int] | None, side: int, card: int, tile: int) -> None:
    """Put a new card on an empty tile. Its auras begin, and those that are there reach it."""
    bit = 1 << tile
    at = AT_OF[bit % 19]
    cells[at + CARD] = card
    cells[at + OWNER] = side
    cells[at + UID] = cells[NEXT_UID]
    cells[NEXT_UID] += 1
    cells[CARDS_OF + side] |= bit
    cells[UNSETTLED] |= bit
    if tables[CARDS + card * CARD_CELLS + FLAGS] & IS_LASTING:
        begin_lasting(cells, tables, log, tile)


def begin_lasting(cells: list[int], tables: Sequence[int], log: list[int] | None, tile: int) -> None:
    """Begin what the card on a tile does for as long as it stays: auras, counting, watching, one-shots to come."""
    bit = 1 << tile
    at = AT_OF[bit % 19]
    flags = tables[CARDS + cells[at + CARD] * CARD_CELLS + FLAGS]
    if flags & IS_AURA:
        change_auras(cells, tables, log, cells[at + CARD], cells[at + OWNER], tile, 1)
    if flags & IS_COUNTER:
        cells[COUNTERS] |= bit
    if flags & IS_PLAY_WATCHER:
        cells[PLAY_WATCHERS] |= bit
    if flags & IS_DEATH_WATCHER:
        cells[DEATH_WATCHERS] |= bit
    if unfired_at(cells, tables, at) != 0:
        cells[ARMED] |= bit


def note_aura(cells: list[int], log: list[int] | None, tile: int) -> None:
    """Tell what the auras that were there before a card do to it."""
    at = AT_OF[(1 << tile) % 19]
    amount = cells[at + AURA + cells[at + OWNER]]
    if amount != 0:
        note(log, EVENT_POWER, tile, amount, BY_AURA, NOBODY, 0)


def watch_play(cells: list[int], tables: Sequence[int], log: list[int] | None, side: int, tile: int) -> None:
    """Let every other card that watches plays gain for the card just played (step 5 of a play)."""
    watchers = cells[PLAY_WATCHERS] & ~(1 << tile)
    while watchers != 0:
        bit = watchers & -watchers
        watchers ^= bit
        _watch(cells, tables, log, bit, ON_CARD_PLAYED, 1 - side, side)


def _watch(
    cells: list[int], tables: Sequence[int], log: list[int] | None, bit: int, when: int, seen_y: int, seen_e: int
) -> None:
    """Let the card on a tile gain for so many events of each side."""
    at = AT_OF[bit % 19]
    for ability in abilities_of(tables, cells[at + CARD]):
        if tables[ability + WHEN] == when:
            who = tables[ability + WHO]
            if who == ALL:
                times = seen_y + seen_e
            elif (who == ALLIES) == (cells[at + OWNER] == 0):
                times = seen_y
            else:
                times = seen_e
            if times != 0:
                cells[at + GAIN] += tables[ability + AMOUNT] * times
                cells[UNSETTLED] |= bit
                tile = TILE_OF[bit % 19]
                note(log, EVENT_POWER, tile, tables[ability + AMOUNT] * times, BY_GAIN, tile, 0)


def destroy(cells: list[int], tables: Sequence[int], log: list[int] | None, batch: int, cause: int) -> None:
    """Destroy the cards on these tiles together, whatever their power."""
    dead_y = batch & cells[CARDS_OF]
    dead_e = batch & cells[CARDS_OF + 1]
    for mask in range(CARD_MASKS, CARD_MASKS + CARD_MASK_TOTAL):
        cells[mask] &= ~batch
    flags = 0
    put = 0
    rest = batch
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        at = AT_OF[bit % 19]
        card = cells[at + CARD]
        own = tables[CARDS + card * CARD_CELLS + FLAGS]
        flags |= own
        put |= cells[at + PUT]
        note(log, EVENT_DESTROYED, TILE_OF[bit % 19], card, cells[at + OWNER], cause, cells[at + UID])
        if own & IS_AURA:
            change_auras(cells, tables, log, card, cells[at + OWNER], TILE_OF[bit % 19], -1)
    before_y = pawns_of(cells, 0)
    before_e = pawns_of(cells, 1)
    if put != 0:
        take_back(cells, tables, batch, put)
    if log is not None:
        note_pawns(cells, log, dead_y, dead_e, before_y, before_e)
    if flags & IS_ON_DESTROYED:
        rest = batch
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            _last_words(cells, tables, log, bit)
    watchers = cells[DEATH_WATCHERS]
    while watchers != 0:
        bit = watchers & -watchers
        watchers ^= bit
        _watch(cells, tables, log, bit, ON_CARD_DESTROYED, tile_count(dead_y), tile_count(dead_e))
    cells[UNSETTLED] |= cells[COUNTERS]  # a card that is gone is not counted any more
    while batch != 0:
        bit = batch & -batch
        batch ^= bit
        at = AT_OF[bit % 19]
        cells[at + CARD] = NOBODY
        for place in range(at + OWNER, at + AURA):
            cells[place] = 0


def _last_words(cells: list[int], tables: Sequence[int], log: list[int] | None, bit: int) -> None:
    """Resolve what a card does when it is destroyed, from where it stood, on the cards that are still there."""
    at = AT_OF[bit % 19]
    tile = TILE_OF[bit % 19]
    side = cells[at + OWNER]
    hit = tables[CARDS + cells[at + CARD] * CARD_CELLS + HIT_TILES + 15 * side + tile]
    for ability in abilities_of(tables, cells[at + CARD]):
        if tables[ability + WHEN] == ON_DESTROYED:
            if tables[ability + DO] == DO_POWER:
                targets = targets_of(cells, hit, side, tables[ability + WHO], tile)
                change_powers(cells, log, targets, tables[ability + AMOUNT], BY_DESTROYED, tile)
            else:
                _add_to_hand(cells, tables, log, ability, side, tile)


# --- What an ability does ---------------------------------------------------------------------------------------------


def change_powers(cells: list[int], log: list[int] | None, tiles: int, amount: int, cause: int, source: int) -> None:
    """Change the power of the cards on these tiles for as long as they stay."""
    cells[UNSETTLED] |= tiles
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        cells[AT_OF[bit % 19] + PERMANENT] += amount
        note(log, EVENT_POWER, TILE_OF[bit % 19], amount, cause, source, 0)


def _add_to_hand(
    cells: list[int], tables: Sequence[int], log: list[int] | None, ability: int, side: int, source: int
) -> None:
    """Put the cards that an ability lists at the end of a hand, where everybody has seen them go."""
    first = tables[ability + LIST]
    for place in range(first, first + tables[ability + LIST_TOTAL]):
        cells[HANDS + side * cells[HAND_ROOM] + cells[HAND_COUNT + side]] = 2 * tables[place] + 1
        cells[HAND_COUNT + side] += 1
        note(log, EVENT_HAND_ADD, source, tables[place], side, 0, 0)


def on_play(cells: list[int], tables: Sequence[int], log: list[int] | None, side: int, card: int, tile: int,
            replaced: int) -> None:  # fmt: skip
    """Resolve what a card does when it is played, in the order listed (step 7 of a play)."""
    hit = tables[CARDS + card * CARD_CELLS + HIT_TILES + 15 * side + tile]
    for ability in abilities_of(tables, card):
        if tables[ability + WHEN] != ON_PLAY:
            continue
        do = tables[ability + DO]
        if do == DO_ADD_TO_HAND:
            _add_to_hand(cells, tables, log, ability, side, tile)
        elif do == DO_SPAWN:
            _spawn(cells, tables, log, ability, side)
        else:
            targets = targets_of(cells, hit, side, tables[ability + WHO], tile)
            if do == DO_DESTROY:
                if targets != 0:
                    destroy(cells, tables, log, targets, STRUCK)
            elif do == DO_POWER:
                change_powers(cells, log, targets, tables[ability + AMOUNT], BY_PLAY, tile)
            else:
                amount = tables[ability + AMOUNT] * min(replaced, REPLACED_MAX)
                change_powers(cells, log, targets, amount, BY_PLAY, tile)


def _spawn(cells: list[int], tables: Sequence[int], log: list[int] | None, ability: int, side: int) -> None:
    """Put the token for its rank on every empty tile of a side; then each does what it does when spawned."""
    tiles = cells[PAWNS_OF + 3 * side] & ~(cells[CARDS_OF] | cells[CARDS_OF + 1])
    rest = tiles
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        rank = rank_at(cells, side, bit)
        card = tables[tables[ability + LIST] + rank - 1]
        tile = TILE_OF[bit % 19]
        note(log, EVENT_SPAWNED, tile, card, side, cells[NEXT_UID], rank)
        put_card(cells, tables, log, side, card, tile)
        note_aura(cells, log, tile)
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        card = cells[AT_OF[bit % 19] + CARD]
        if tables[CARDS + card * CARD_CELLS + FLAGS] & IS_ON_SPAWNED:
            rank = rank_at(cells, side, bit)
            for own in abilities_of(tables, card):
                if tables[own + WHEN] == ON_SPAWNED:
                    amount = tables[own + AMOUNT]
                    if rank == 2:
                        amount = tables[own + THRESHOLD]
                    elif rank == 3:
                        amount = tables[own + AMOUNT_3]
                    if amount != 0:
                        change_powers(cells, log, bit, amount, BY_SPAWNED, TILE_OF[bit % 19])


# --- Settling ---------------------------------------------------------------------------------------------------------


def settle(cells: list[int], tables: Sequence[int], log: list[int] | None) -> None:
    """Let cards die and one-shots go off until nothing more happens.

    Only cards whose power may have changed are looked at: all others were looked at before, and found alive and with
    nothing to go off.
    """
    while cells[UNSETTLED] != 0:
        tiles = cells[UNSETTLED]
        cells[UNSETTLED] = 0
        dead = update_status(cells, tables, tiles)
        if cells[COUNTERS] != 0:
            tiles |= update_counts(cells, tables, log)
            dead = lowered_of(cells, tables, tiles)
        if dead != 0:
            cells[UNSETTLED] = tiles & ~dead  # they have been found alive, but have not yet done what they can
            destroy(cells, tables, log, dead, LOWERED)
        elif tiles & cells[ARMED]:
            _one_shots(cells, tables, log, tiles & cells[ARMED])


def _one_shots(cells: list[int], tables: Sequence[int], log: list[int] | None, armed: int) -> None:
    """Let every one-shot go off whose time has come: all are found before the first of them is resolved."""
    ready = 0
    rest = armed
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        at = AT_OF[bit % 19]
        now = ready_at(cells, tables, at)
        if now != 0:
            ready |= bit
            cells[at + FIRED] |= now | now << ABILITY_BITS
    while ready != 0:
        bit = ready & -ready
        ready ^= bit
        at = AT_OF[bit % 19]
        tile = TILE_OF[bit % 19]
        side = cells[at + OWNER]
        now = cells[at + FIRED] >> ABILITY_BITS
        cells[at + FIRED] &= (1 << ABILITY_BITS) - 1
        hit = tables[CARDS + cells[at + CARD] * CARD_CELLS + HIT_TILES + 15 * side + tile]
        for ability in abilities_of(tables, cells[at + CARD]):
            if now >> tables[ability + INDEX] & 1:
                note(log, EVENT_ONE_SHOT, tile, cells[at + CARD], tables[ability + INDEX], side, cells[at + UID])
                targets = targets_of(cells, hit, side, tables[ability + WHO], tile)
                change_powers(cells, log, targets, tables[ability + AMOUNT], BY_ONE_SHOT, tile)
        if unfired_at(cells, tables, at) == 0:
            cells[ARMED] &= ~bit


def ready_at(cells: Sequence[int], tables: Sequence[int], at: int) -> int:
    """Return the one-shots of a card that have not gone off and whose condition holds, as bits of its abilities."""
    unfired = unfired_at(cells, tables, at)
    change = change_at(cells, at)
    ready = 0
    for ability in abilities_of(tables, cells[at + CARD]):
        own = 1 << tables[ability + INDEX]
        if unfired & own:
            when = tables[ability + WHEN]
            if when == ON_FIRST_ENHANCED:
                holds = change > 0
            elif when == ON_FIRST_ENFEEBLED:
                holds = change < 0
            else:
                holds = power_at(cells, tables, at) >= tables[ability + THRESHOLD]
            if holds:
                ready |= own
    return ready


def unfired_at(cells: Sequence[int], tables: Sequence[int], at: int) -> int:
    """Return the one-shots of a card that have not gone off, as bits of its abilities."""
    return tables[CARDS + cells[at + CARD] * CARD_CELLS + ONE_SHOTS] & ~cells[at + FIRED]
