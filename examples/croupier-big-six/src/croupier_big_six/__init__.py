"""Big Six: a wheel of fortune with 54 stops, of which a spin finds one; every bet is won or lost by it."""

from collections.abc import MutableSequence, Sequence

from croupier import Action, Match
from croupier.draws import Stream, bounded_u32
from croupier.engine import MatchView
from croupier.house import BetCodes, TableGame, TableState, TableSteps

SIGNS = ("one", "two", "five", "ten", "twenty", "joker", "logo")
STOPS = (24, 15, 7, 4, 2, 1, 1)  # how many of the 54 stops show each sign
PAYS = (1, 2, 5, 10, 20, 40, 40)  # the profit on a chip, should it come up


# The rules, in whole numbers: the simulator compiles these two functions, and the table plays by them.


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
    """The big six wheel of Nevada: six numbers' worth of hope and a slow wheel."""

    id, name = "big-six", "Big Six"
    description = "Lay chips on a sign of the wheel; one spin decides."
    category = "wheel"
    tags = ("casino", "wheel")
    stake_limits = (1, 1_000)
    codes = BetCodes({sign: (kind, 0) for kind, sign in enumerate(SIGNS)})
    decide = "spin"
    steps = TableSteps.plain(draw, settle)

    def describe(self, action: Action, before: Match[TableState], after: Match[TableState]) -> str:
        if after.result is None or not after.game.find:
            return super().describe(action, before, after)
        return f"the wheel stops at {SIGNS[after.game.find[0]]}; {after.result.reason}"

    def render(self, view: MatchView[TableState]) -> str:
        signs = "  ".join(f"{sign} pays {pay}" for sign, pay in zip(SIGNS, PAYS, strict=True))
        laid = [f"{stake.stake} on {stake.bet}" for stake in view.game.money.open]
        stopped = [f"the wheel stopped at {SIGNS[view.game.find[0]]}"] if view.game.find else []
        return "\n".join([signs, *laid, *stopped])
