"""Big Six: a wheel of fortune with 54 stops, of which a spin finds one; every bet is won or lost by it."""

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded_u32
from croupier.house import BetCodes, TableGame, TableState, TableSteps

SIGNS = ("one", "two", "five", "ten", "twenty", "joker", "logo")
STOPS = (24, 15, 7, 4, 2, 1, 1)  # how many of the 54 stops show each sign
PAYS = (1, 2, 5, 10, 20, 40, 40)  # the profit on a chip, should it come up


def draw(stream: Stream, find: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> None:
    """Spin the wheel: find the number of a sign, each as often as it has stops."""
    stop = bounded_u32(stream, 54)
    sign = 0
    while stop >= STOPS[sign]:
        stop -= STOPS[sign]
        sign += 1
    find[0] = sign


def settle(kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back for a bet on the sign `kind`: stake and profit, or nothing."""
    return stake + stake * PAYS[kind] if find[0] == kind else 0


class BigSix(TableGame[TableState]):
    """The big six wheel: lay chips on a sign, and one spin decides."""

    id, name = "big-six", "Big Six"
    description = "Lay chips on a sign of the wheel; one spin decides."
    stake_limits = (1, 1_000)
    codes = BetCodes({sign: (kind, 0) for kind, sign in enumerate(SIGNS)})
    decide = "spin"
    steps = TableSteps.plain(draw, settle)
