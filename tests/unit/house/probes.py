"""Small house games, one for each thing a game may do with chips or do wrong."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import Action, MatchResult, Turn, act, action, refuse, require
from croupier.house import (
    BetCodes,
    GameType,
    HouseGame,
    HouseState,
    HouseTurn,
    Line,
    LitKind,
    OddsRow,
    TableGame,
    bet_type,
)
from croupier.house.game import Lit
from croupier.house.money import Money
from croupier.house.odds import row_from_returns
from croupier.house.payload import Chips
from croupier.rng import GameRng

S = TypeVar("S", bound=HouseState)

COIN_CODES = BetCodes({"heads": (0, 0), "tails": (1, 0)}, numbered=False)
WHEEL_CODES = BetCodes({"even": (0, 0), "odd": (1, 0)} | {f"number:{n}": (2, n) for n in range(10)})
if TYPE_CHECKING:
    Side = str
    WheelBet = str
else:
    Side = bet_type(COIN_CODES)
    WheelBet = bet_type(WHEEL_CODES)


class Blank(HouseState, frozen=True):
    """The state of a game that remembers nothing."""


class Probe(HouseGame[S], Generic[S]):
    """A game that begins with its usual state; a stake to open with lies on `main`."""

    samples: ClassVar[tuple[Action, ...]] = ()
    """The actions that `legal` tries, where not every one there is."""
    away: ClassVar[str] = ""
    """The time-out action."""

    def setup(self, table: Any) -> S:
        if self.opens_with_stake:
            table.take("main", table.stake, most=2 * table.stake, boosted=True)
        return self.shape.runtime_type()  # type: ignore[no-any-return]

    def legal(self, state: S, turn: Turn) -> Iterator[Action]:
        return iter(self.samples or super().legal(state, turn))

    def auto_action(self, state: S, turn: Turn) -> Action | None:
        return act(self.away) if self.away and state.money.open else None


class Coin(HouseState, frozen=True):
    side: int = -1


class CoinFlip(Probe[Coin]):
    """Lay chips on heads or tails; one flip settles them. In super mode a lit side pays 3 to 1."""

    id, name = "probe-coin", "Coin Flip"
    game_type = GameType.ROULETTE
    opens_with_stake = False
    samples = (act("place", bet="heads", stake=5), act("flip"), act("clear"))
    away = "flip"

    @action(opcode=0)
    def place(self, state: Coin, turn: HouseTurn, bet: Side, stake: Chips) -> Coin:
        require(bet in COIN_CODES.codes, "unknown_bet", f"there is no {bet!r}")
        turn.take(bet, stake, most=(4 if turn.super_mode else 2) * stake, boosted=True)
        return state

    @action(opcode=1)
    def flip(self, state: Coin, turn: HouseTurn) -> Coin:
        require(turn.stakes, "no_bets", "lay a bet first")
        side = turn.rng.next_bounded(2)
        lit = {light.id: light.multiplier for light in turn.light()}
        for laid in turn.stakes:
            wins = COIN_CODES.codes[laid.bet][0] == side
            profit = laid.stake * (lit.get(side, 1) if laid.boosted else 1)
            turn.settle(laid.bet, laid.stake + profit if wins else 0)
        turn.finish()
        return replace(state, side=side)

    @action(opcode=2)
    def clear(self, state: Coin, turn: HouseTurn) -> Coin:
        require(turn.stakes, "no_bets", "there is nothing to take back")
        for laid in turn.stakes:
            turn.withdraw(laid.bet)
        return state

    def super_multipliers(self, stream: GameRng) -> tuple[Lit, ...]:
        return (Lit(LitKind.NUMBER, stream.next_bounded(2), 3),)

    def odds(self, options: Any = None) -> tuple[OddsRow, ...]:
        return (row_from_returns("heads", {2: Fraction(1, 2), 0: Fraction(1, 2)}),)


class Spin(HouseState, frozen=True):
    pocket: int = -1


class WheelOptions(Struct, frozen=True, forbid_unknown_fields=True):
    number_pays: Annotated[int, Meta(ge=1, le=100)] = 8
    has_zero: bool = True


class Laid(Struct, frozen=True, forbid_unknown_fields=True):
    bet: WheelBet
    stake: Chips


class Wheel(TableGame[Spin]):
    """Ten pockets; built on `TableGame`. Numbers pay `number_pays` to 1; zero is neither odd nor even."""

    id, name = "probe-wheel", "Wheel"
    game_type = GameType.SIC_BO
    stake_limits = (1, 5000)
    Options = WheelOptions
    codes = WHEEL_CODES
    bets_max = 3
    sample_bets = ("even", "number:7")
    decide = "spin"

    def returned(self, bet: str, stake: int, pocket: int, options: WheelOptions) -> int:
        kind, number = WHEEL_CODES.codes[bet]
        if kind == 2:
            return stake * (1 + options.number_pays) if pocket == number else 0
        return 2 * stake if pocket and pocket % 2 == kind else 0

    def most_returned(self, bet: str, stake: int, options: WheelOptions, super_mode: bool) -> int:
        return stake * (1 + options.number_pays) if bet.startswith("number") else 2 * stake

    def is_eligible(self, bet: str) -> bool:
        return bet.startswith("number")

    def bet_problem(self, bet: str, options: WheelOptions) -> str | None:
        return "this wheel has no zero" if bet == "number:0" and not options.has_zero else None

    @action(opcode=0)
    def place(self, state: Spin, turn: HouseTurn, bet: WheelBet, stake: Chips) -> Spin:
        return self.placed(state, turn, bet, stake)

    @action(opcode=1)
    def spin(self, state: Spin, turn: HouseTurn) -> Spin:
        self.require_bets(turn)
        pocket = turn.rng.next_bounded(10)
        for laid in turn.stakes:
            turn.settle(laid.bet, self.returned(laid.bet, laid.stake, pocket, turn.options))
        turn.finish()
        return replace(state, pocket=pocket)

    @action(opcode=2)
    def clear(self, state: Spin, turn: HouseTurn) -> Spin:
        return self.cleared(state, turn)

    @action(opcode=4)
    def batch(
        self, state: Spin, turn: HouseTurn, bets: Annotated[tuple[Laid, ...], Meta(min_length=1, max_length=20)]
    ) -> Spin:
        return self.spin(self.all_placed(state, turn, bets), turn)

    def odds(self, options: Any = None) -> tuple[OddsRow, ...]:
        pays = (options or WheelOptions()).number_pays
        return (row_from_returns("number:7", {1 + pays: Fraction(1, 10), 0: Fraction(9, 10)}),)


class Dealt(HouseState, frozen=True):
    mine: int = -1
    theirs: int = -1


class HighCard(Probe[Dealt]):
    """Opens with a stake and draws at set-up: your card of ten against the house's; equal cards push."""

    id, name = "probe-card", "High Card"
    game_type = GameType.VIDEO_POKER
    stake_limits = (1, 1000)
    away = "show"

    def setup(self, table: Any) -> Dealt:
        return replace(super().setup(table), mine=table.rng.next_bounded(10))

    @action(opcode=0)
    def show(self, state: Dealt, turn: HouseTurn) -> Dealt:
        theirs = turn.rng.next_bounded(10)
        stake = turn.stakes[0].stake
        turn.settle("main", 2 * stake if state.mine > theirs else stake if state.mine == theirs else 0)
        turn.finish()
        return replace(state, theirs=theirs)


class War(Probe[Dealt]):
    """Raises in mid-game: a tie of three cards is surrendered for half, or fought out for as much again."""

    id, name = "probe-war", "War"
    game_type = GameType.CASINO_WAR
    starting_phase = "deal"

    @action(phase="deal", opcode=0)
    def deal(self, state: Dealt, turn: HouseTurn) -> Dealt:
        mine, theirs = turn.rng.next_bounded(3), turn.rng.next_bounded(3)
        if mine == theirs:
            turn.events.set_phase("tie")
        else:
            turn.settle("main", 2 * turn.stakes[0].stake if mine > theirs else 0)
            turn.finish()
        return replace(state, mine=mine, theirs=theirs)

    @action(phase="tie", opcode=1)
    def fight(self, state: Dealt, turn: HouseTurn) -> Dealt:
        stake = turn.stakes[0].stake
        turn.take("raise", stake, most=2 * stake)
        mine, theirs = turn.rng.next_bounded(3), turn.rng.next_bounded(3)
        turn.settle("main", stake if mine >= theirs else 0)
        turn.settle("raise", 2 * stake if mine >= theirs else 0)
        turn.finish()
        return replace(state, mine=mine, theirs=theirs)

    @action(phase="tie", opcode=2)
    def surrender(self, state: Dealt, turn: HouseTurn) -> Dealt:
        turn.settle("main", turn.stakes[0].stake // 2)
        turn.finish()
        return state

    def auto_action(self, state: Dealt, turn: Turn) -> Action:
        return act("deal" if turn.phase == "deal" else "surrender")


class Climb(HouseState, frozen=True):
    rolls: tuple[int, ...] = ()


class Ladder(Probe[Climb]):
    """A round of many moves: each roll settles the lowest rung, which returns 0, 1 or 3 times its stake."""

    id, name = "probe-ladder", "Ladder"
    game_type = GameType.CRAPS
    opens_with_stake = False
    samples = (act("climb", rungs=2, stake=5), act("roll"), act("jump"))
    away = "roll"

    @action(opcode=0)
    def climb(self, state: Climb, turn: HouseTurn, rungs: Annotated[int, Meta(ge=1, le=3)], stake: Chips) -> Climb:
        for rung in range(1, rungs + 1):
            require(turn.stake_on(f"rung:{rung}") is None, "already_placed", "there are chips on it already")
            turn.take(f"rung:{rung}", stake, most=3 * stake)
        return state

    @action(opcode=1)
    def roll(self, state: Climb, turn: HouseTurn) -> Climb:
        require(turn.stakes, "no_bets", "climb first")
        laid = turn.stakes[0]
        face = turn.rng.next_bounded(3)
        turn.settle(laid.bet, laid.stake * (0, 1, 3)[face])
        if not turn.stakes:
            turn.finish()
        return replace(state, rolls=(*state.rolls, face))

    @action(opcode=3)
    def jump(self, state: Climb, turn: HouseTurn) -> Climb:
        """Take the highest rung back after the first roll; the rest is played out."""
        require(len(turn.stakes) > 1, "no_bets", "there is no rung to spare")
        turn.withdraw(turn.stakes[-1].bet)
        return state


class Shapes(HouseState, frozen=True):
    got: str = ""


Byte = Annotated[int, Meta(ge=0, le=255)]


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=0, le=65535)]
    side: Side


class Forms(Probe[Shapes]):
    """Every kind of field the wire knows, and no money."""

    id, name = "probe-forms", "Forms"
    game_type = GameType.HI_LO
    opens_with_stake = False
    samples = (act("nothing"),)

    @action(opcode=0)
    def numbers(
        self,
        state: Shapes,
        turn: HouseTurn,
        one: Byte,
        two: Annotated[int, Meta(ge=0, le=256)],
        two_full: Annotated[int, Meta(ge=0, le=65535)],
        four: Annotated[int, Meta(ge=0, le=65536)],
        four_full: Annotated[int, Meta(ge=0, le=2**32 - 1)],
        eight: Annotated[int, Meta(ge=0, le=2**32)],
        stake: Chips,
    ) -> Shapes:
        return Shapes(got=f"{one} {two} {two_full} {four} {four_full} {eight} {stake}")

    @action(opcode=1)
    def words(
        self, state: Shapes, turn: HouseTurn, yes: bool, face: Literal[1, 3, 5], side: Side, bet: WheelBet
    ) -> Shapes:
        return Shapes(got=f"{yes} {face} {side} {bet}")

    @action(opcode=7)
    def lists(
        self, state: Shapes, turn: HouseTurn, pairs: tuple[Pair, ...], bytes_: tuple[Byte, ...], last: Byte
    ) -> Shapes:
        return Shapes(got=f"{[(pair.number, pair.side) for pair in pairs]} {bytes_} {last}")

    @action(opcode=254)
    def nothing(self, state: Shapes, turn: HouseTurn) -> Shapes:
        return Shapes(got="nothing")

    @action(opcode=255)
    def hold(self, state: Shapes, turn: HouseTurn, mask: Annotated[int, Meta(ge=0, le=31)] = 0) -> Shapes:
        return Shapes(got=f"hold {mask}")


class RogueOptions(Struct, frozen=True, forbid_unknown_fields=True):
    at_setup: Literal["nothing", "take_after_draw", "crash", "refuse", "no_deck"] = "nothing"


class Rogue(Probe[Climb]):
    """Does with chips what no game may do."""

    id, name = "probe-rogue", "Rogue"
    game_type = GameType.BACCARAT
    Options = RogueOptions
    CRIMES: ClassVar[dict[str, list[tuple[Any, ...]]]] = {
        "take after drawing": [("draw",), ("take",)],
        "settle above the most": [("settle", "main", 21)],  # 10 are staked
        "settle below nothing": [("settle", "main", -1)],
        "finish with open bets": [("finish",)],
        "settle what is not there": [("settle", "side", 0)],
        "withdraw what is not there": [("withdraw", "side")],
        "settle twice": [("settle", "main", 0), ("settle", "main", 0)],
        "refuse after drawing": [("draw",), ("refuse",)],
        "crash": [("crash",)],
        "return nothing": [("nothing",)],
        "end the match with open bets": [("end_game",)],
        "let end_if end the match with open bets": [("rolls", 6)],
        "take after finishing": [("settle", "main", 0), ("finish",), ("take",)],
        "take in on_turn_begin": [("end_turn",)],
        "settle in on_turn_begin": [("end_turn",), ("rolls", 5)],
    }

    def setup(self, table: Any) -> Climb:
        match table.options.at_setup:
            case "take_after_draw":
                table.rng.next_byte()
            case "crash":
                raise ZeroDivisionError("no such card")
            case "refuse":
                refuse("closed", "the table is closed")
            case "no_deck":
                refuse("deck_exhausted", "there is no card left")
        return super().setup(table)

    @action(opcode=0)
    def do(self, state: Climb, turn: HouseTurn, crime: Annotated[int, Meta(ge=0, le=14)]) -> Climb:
        after: Any = state
        for what, *given in list(self.CRIMES.values())[crime]:
            match what:
                case "draw":
                    turn.rng.next_byte()
                case "take":
                    turn.take("late", 1, most=2)
                case "refuse":
                    refuse("too_late", "after the draw")
                case "crash":
                    raise KeyError("nobody foresaw this")
                case "end_game":
                    turn.events.end_game(MatchResult("draw"))
                case "end_turn":
                    turn.events.end_turn()
                case "rolls":
                    after = replace(state, rolls=tuple(given))
                case "nothing":
                    after = None
                case _:
                    getattr(turn, what)(*given)
        return after  # type: ignore[no-any-return]

    def on_turn_begin(self, state: Climb, turn: Turn) -> Climb:
        assert isinstance(turn, HouseTurn)
        if state.rolls:
            turn.settle("main", 0)
        else:
            turn.take("late", 1, most=2)
        return state

    def end_if(self, state: Climb, turn: Turn) -> MatchResult | None:
        return MatchResult("draw") if state.rolls == (6,) else None

    @action(opcode=1)
    def forge(self, state: Climb, turn: HouseTurn) -> Climb:
        """Write accounts of one's own: the engine's stand."""
        forged = Money(returned=10**6, lines=(Line("main", 0, 10**6),), finished=True)
        return replace(state, money=forged)

    @action(opcode=2)
    def exhaust(self, state: Climb, turn: HouseTurn) -> Climb:
        refuse("deck_exhausted", "there is no card left")

    def auto_action(self, state: Climb, turn: Turn) -> Action:
        return act("do", crime=8)


class Endless(Probe[Climb]):
    """Never comes to an end by itself."""

    id, name = "probe-endless", "Endless"
    game_type = GameType.BLACKJACK
    away = "wait"

    @action(opcode=0)
    def wait(self, state: Climb, turn: HouseTurn) -> Climb:
        return state


class Encore(Probe[Climb]):
    """Settles one box a move, shows what is lit with the first, and would take stakes on the next."""

    id, name = "probe-encore", "Encore"
    game_type = GameType.THREE_CARD
    opens_with_stake = False
    samples = (act("open_box"),)

    @action(opcode=0)
    def lay(self, state: Climb, turn: HouseTurn, stake: Chips) -> Climb:
        turn.take(f"box:{len(state.rolls)}", stake, most=10 * stake, boosted=True)
        return state

    @action(opcode=1)
    def open_box(self, state: Climb, turn: HouseTurn) -> Climb:
        drawn = turn.rng.next_byte()
        turn.light()
        for laid in turn.stakes:
            turn.settle(laid.bet, 0)
        return replace(state, rolls=(*state.rolls, drawn))


class Surety(Probe[Blank]):
    """The surety is set aside before the draw, in a move of its own, and taken only by the loss."""

    id, name = "probe-surety", "Surety"
    game_type = GameType.ULTIMATE_HOLDEM

    @action(opcode=0)
    def vouch(self, state: Blank, turn: HouseTurn) -> Blank:
        stake = turn.stakes[0].stake
        turn.take("surety", stake, most=2 * stake, reserved=True)
        return state

    @action(opcode=1)
    def draw(self, state: Blank, turn: HouseTurn) -> Blank:
        wins = turn.rng.next_bounded(2)
        for laid in turn.stakes:
            turn.settle(laid.bet, 2 * laid.stake * wins)
        turn.finish()
        return state


PROBES: Any = (CoinFlip, Wheel, HighCard, War, Ladder, Forms, Rogue, Endless, Encore, Surety)
