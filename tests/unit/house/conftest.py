"""Small house games, one for each thing a game may do with chips or do wrong, and a casino to play them in.

The dice of the oracle come from SHA-256 directly, not from `GameRng`.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import sha256
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import Action, MatchResult, Setup, Turn, act, action, refuse, register_game, require
from croupier.engine.registry import unregister_game
from croupier.house import (
    BetCodes,
    CasinoError,
    CloseSession,
    GameMove,
    GameType,
    HouseGame,
    HouseSetup,
    HouseState,
    HouseTurn,
    Instruction,
    Line,
    LitKind,
    MemoryState,
    OddsRow,
    Player,
    PlayerAction,
    Register,
    Session,
    StartGame,
    Table,
    bet_type,
    check_ledger,
    encode_payload,
    execute,
    make_table,
)
from croupier.house.game import Lit
from croupier.house.ledger import Ledger
from croupier.house.money import Money
from croupier.house.odds import row_from_returns
from croupier.house.payload import Chips
from croupier.house.session import game_of
from croupier.house.table_game import TableGame
from croupier.rng import GameRng

COIN_CODES = BetCodes({"heads": (0, 0), "tails": (1, 0)}, numbered=False)
WHEEL_CODES = BetCodes({"even": (0, 0), "odd": (1, 0)} | {f"number:{n}": (2, n) for n in range(10)})
if TYPE_CHECKING:
    Side = str
    WheelBet = str
else:
    Side = bet_type(COIN_CODES)
    WheelBet = bet_type(WHEEL_CODES)


class Coin(HouseState, frozen=True):
    side: int = -1


class CoinFlip(HouseGame[Coin]):
    """Lay chips on heads or tails; one flip settles them. In super mode a lit side pays 3 to 1."""

    id, name = "probe-coin", "Coin Flip"
    game_type = GameType.ROULETTE
    opens_with_stake = False

    def setup(self, table: Setup) -> Coin:
        return Coin()

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

    def legal(self, state: Coin, turn: Turn) -> Iterator[Action]:
        yield act("place", bet="heads", stake=5)
        yield act("flip")
        yield act("clear")

    def auto_action(self, state: Coin, turn: Turn) -> Action | None:
        return act("flip") if state.money.open else None

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

    def setup(self, table: Setup) -> Spin:
        return Spin()

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
        self.lay(turn, bet, stake)
        return state

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
        self.take_back(turn)
        return state

    @action(opcode=4)
    def batch(
        self, state: Spin, turn: HouseTurn, bets: Annotated[tuple[Laid, ...], Meta(min_length=1, max_length=20)]
    ) -> Spin:
        self.lay_all(turn, bets)
        return self.spin(state, turn)

    def odds(self, options: Any = None) -> tuple[OddsRow, ...]:
        pays = (options or WheelOptions()).number_pays
        return (row_from_returns("number:7", {1 + pays: Fraction(1, 10), 0: Fraction(9, 10)}),)


class Dealt(HouseState, frozen=True):
    mine: int = -1
    theirs: int = -1


class HighCard(HouseGame[Dealt]):
    """Opens with a stake and draws at set-up: your card of ten against the house's; equal cards push."""

    id, name = "probe-card", "High Card"
    game_type = GameType.VIDEO_POKER
    stake_limits = (1, 1000)

    def setup(self, table: HouseSetup) -> Dealt:  # type: ignore[override]
        table.take("main", table.stake, most=2 * table.stake, boosted=True)
        return Dealt(mine=table.rng.next_bounded(10))

    @action(opcode=0)
    def show(self, state: Dealt, turn: HouseTurn) -> Dealt:
        theirs = turn.rng.next_bounded(10)
        stake = turn.stakes[0].stake
        turn.settle("main", 2 * stake if state.mine > theirs else stake if state.mine == theirs else 0)
        turn.finish()
        return replace(state, theirs=theirs)

    def auto_action(self, state: Dealt, turn: Turn) -> Action | None:
        return act("show")


class War(HouseGame[Dealt]):
    """Raises in mid-game: a tie of three cards is surrendered for half, or fought out for as much again."""

    id, name = "probe-war", "War"
    game_type = GameType.CASINO_WAR
    starting_phase = "deal"

    def setup(self, table: HouseSetup) -> Dealt:  # type: ignore[override]
        table.take("main", table.stake, most=2 * table.stake, boosted=True)
        return Dealt()

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

    def auto_action(self, state: Dealt, turn: Turn) -> Action | None:
        return act("deal" if turn.phase == "deal" else "surrender")


class Climb(HouseState, frozen=True):
    rolls: tuple[int, ...] = ()


Rungs = Annotated[int, Meta(ge=1, le=3)]


class Ladder(HouseGame[Climb]):
    """A round of many moves: each roll settles the lowest rung, which returns 0, 1 or 3 times its stake."""

    id, name = "probe-ladder", "Ladder"
    game_type = GameType.CRAPS
    opens_with_stake = False

    def setup(self, table: Setup) -> Climb:
        return Climb()

    @action(opcode=0)
    def climb(self, state: Climb, turn: HouseTurn, rungs: Rungs, stake: Chips) -> Climb:
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

    def legal(self, state: Climb, turn: Turn) -> Iterator[Action]:
        yield act("climb", rungs=2, stake=5)
        yield act("roll")
        yield act("jump")

    def auto_action(self, state: Climb, turn: Turn) -> Action | None:
        return act("roll") if state.money.open else None


class Shapes(HouseState, frozen=True):
    got: str = ""


Byte = Annotated[int, Meta(ge=0, le=255)]


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=0, le=65535)]
    side: Side


class Forms(HouseGame[Shapes]):
    """Every kind of field the wire knows, and no money."""

    id, name = "probe-forms", "Forms"
    game_type = GameType.HI_LO
    opens_with_stake = False

    def setup(self, table: Setup) -> Shapes:
        return Shapes()

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

    def legal(self, state: Shapes, turn: Turn) -> Iterator[Action]:
        yield act("nothing")


class RogueOptions(Struct, frozen=True, forbid_unknown_fields=True):
    at_setup: Literal["nothing", "take_after_draw", "crash", "refuse", "no_deck"] = "nothing"


class Rogue(HouseGame[Climb]):
    """Does with chips what no game may do."""

    id, name = "probe-rogue", "Rogue"
    game_type = GameType.BACCARAT
    Options = RogueOptions
    CRIMES = (
        "take after drawing",
        "settle above the most",
        "settle below nothing",
        "finish with open bets",
        "settle what is not there",
        "withdraw what is not there",
        "settle twice",
        "refuse after drawing",
        "crash",
        "return nothing",
        "end the match with open bets",
        "let end_if end the match with open bets",
        "take after finishing",
        "take in on_turn_begin",
        "settle in on_turn_begin",
    )

    def setup(self, table: HouseSetup) -> Climb:  # type: ignore[override]
        match table.options.at_setup:
            case "take_after_draw":
                table.rng.next_byte()
            case "crash":
                raise ZeroDivisionError("no such card")
            case "refuse":
                refuse("closed", "the table is closed")
            case "no_deck":
                refuse("deck_exhausted", "there is no card left")
        table.take("main", table.stake, most=2 * table.stake)
        return Climb()

    @action(opcode=0)
    def do(self, state: Climb, turn: HouseTurn, crime: Annotated[int, Meta(ge=0, le=14)]) -> Climb:
        match self.CRIMES[crime]:
            case "take after drawing":
                turn.rng.next_byte()
                turn.take("late", 1, most=2)
            case "settle above the most":
                turn.settle("main", turn.stakes[0].most + 1)
            case "settle below nothing":
                turn.settle("main", -1)
            case "finish with open bets":
                turn.finish()
            case "settle what is not there":
                turn.settle("side", 0)
            case "withdraw what is not there":
                turn.withdraw("side")
            case "settle twice":
                turn.settle("main", 0)
                turn.settle("main", 0)
            case "refuse after drawing":
                turn.rng.next_byte()
                refuse("too_late", "after the draw")
            case "crash":
                raise KeyError("nobody foresaw this")
            case "return nothing":
                return None  # type: ignore[return-value]
            case "end the match with open bets":
                turn.events.end_game(MatchResult("draw"))
            case "let end_if end the match with open bets":
                return replace(state, rolls=(6,))
            case "take after finishing":
                turn.settle("main", 0)
                turn.finish()
                turn.take("late", 1, most=2)
            case "take in on_turn_begin":
                turn.events.end_turn()
            case "settle in on_turn_begin":
                turn.events.end_turn()
                return replace(state, rolls=(5,))
        return state

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

    def auto_action(self, state: Climb, turn: Turn) -> Action | None:
        return act("do", crime=8)


class Endless(HouseGame[Climb]):
    """Never comes to an end by itself."""

    id, name = "probe-endless", "Endless"
    game_type = GameType.BLACKJACK

    def setup(self, table: HouseSetup) -> Climb:  # type: ignore[override]
        table.take("main", table.stake, most=2 * table.stake)
        return Climb()

    @action(opcode=0)
    def wait(self, state: Climb, turn: HouseTurn) -> Climb:
        return state

    def auto_action(self, state: Climb, turn: Turn) -> Action | None:
        return act("wait")


CLASSES: tuple[type[HouseGame[Any]], ...] = (CoinFlip, Wheel, HighCard, War, Ladder, Forms, Rogue, Endless)


@pytest.fixture(scope="module")
def probes() -> Iterator[SimpleNamespace]:
    """Return the games by short name (`coin`, `wheel`, `card`, `war`, `ladder` ...), registered while a module runs."""
    games = [cls() for cls in CLASSES]
    for game in games:
        register_game(game)
    yield SimpleNamespace(**{game.id.removeprefix("probe-"): game for game in games})
    for game in games:
        unregister_game(game.id)


@pytest.fixture
def registered() -> Iterator[Callable[[HouseGame[Any]], HouseGame[Any]]]:
    """Return a function that registers a game until the test is over."""
    added: list[str] = []

    def add(game: HouseGame[Any]) -> HouseGame[Any]:
        register_game(game)
        added.append(game.id)
        return game

    yield add
    for game_id in added:
        unregister_game(game_id)


START = 1_700_000_000_000


def make_tables(probes: SimpleNamespace) -> dict[int, Table]:
    """Return one table a probe, its number as in `Casino.COIN`, `Casino.WHEEL` and so on."""
    games = (
        probes.coin,
        probes.wheel,
        probes.card,
        probes.war,
        probes.ladder,
        probes.forms,
        probes.rogue,
        probes.endless,
    )
    return {number: make_table(number, game) for number, game in enumerate(games)}


class Casino:
    """A casino in memory. Every instruction gets a seed of its own; the ledger is checked after each."""

    COIN, WHEEL, CARD, WAR, LADDER, FORMS, ROGUE, ENDLESS = range(8)

    def __init__(self, tables: dict[int, Table], state: MemoryState | None = None) -> None:
        self.tables = tables
        self.state = MemoryState() if state is None else state
        self.time = START
        self.count = 0

    def do(self, player: str, body: Any, *, seed: bytes | None = None) -> tuple[Any, ...]:
        """Carry out an instruction and return the events."""
        self.count += 1
        if seed is None:
            seed = sha256(b"casino %d" % self.count).digest()
        events = execute(self.state, Instruction(player, body), seed, self.time, tables=self.tables)
        check_ledger(self.state, thorough=True)
        return events

    def ok(self, player: str, body: Any, *, seed: bytes | None = None) -> tuple[Any, ...]:
        """Carry out an instruction that must not be refused."""
        events = self.do(player, body, seed=seed)
        assert not isinstance(events[0], CasinoError), events[0]
        return events

    def refused(self, player: str, body: Any) -> CasinoError:
        """Carry out an instruction that must be refused and change nothing; return the error."""
        before = dict(self.state.values)
        events = self.do(player, body)
        assert len(events) == 1, events
        assert isinstance(events[0], CasinoError), events
        assert self.state.values == before
        return events[0]

    def register(self, *players: str) -> None:
        for player in players:
            self.ok(player, Register(player.title()))

    def arm(self, player: str, *modifiers: Any) -> None:
        for modifier in modifiers:
            self.ok(player, PlayerAction(modifier))

    def start(
        self, player: str, session_id: int, table: int, stake: int = 0, *, seed: bytes | None = None
    ) -> tuple[Any, ...]:
        return self.ok(player, StartGame(table, stake, session_id), seed=seed)

    def payload(self, session_id: int, type: str, /, **payload: Any) -> bytes:
        return encode_payload(game_of(self.session(session_id)), act(type, **payload))

    def move(
        self, player: str, session_id: int, type: str, /, *, seed: bytes | None = None, **payload: Any
    ) -> tuple[Any, ...]:
        return self.ok(player, GameMove(session_id, self.payload(session_id, type, **payload)), seed=seed)

    def close(self, player: str, session_id: int) -> tuple[Any, ...]:
        return self.ok(player, CloseSession(session_id))

    def chips(self, player: str) -> int:
        return Ledger(self.state).balance(f"player/{player}")

    def balance(self, account: str) -> int:
        return Ledger(self.state).balance(account)

    def player(self, player: str) -> Player:
        found = self.state.get(f"player/{player}")
        assert isinstance(found, Player)
        return found

    def session(self, session_id: int) -> Session:
        found = self.state.get(f"session/{session_id}")
        assert isinstance(found, Session)
        return found

    def give(self, player: str, chips: int) -> None:
        """Hand out chips as the welcome gift does, so that the books stay in order."""
        ledger = Ledger(self.state)
        ledger.move("deposits", f"player/{player}", chips, "gift")


def stream_bytes(seed: bytes, session_id: int, move_number: int) -> Iterator[int]:
    """Yield the bytes of a stream, from SHA-256 alone."""
    block = sha256(seed + session_id.to_bytes(8, "big") + move_number.to_bytes(4, "big")).digest()
    while True:
        yield from block
        block = sha256(block).digest()


def draws_below(stream: Iterator[int], bounds: tuple[int, ...]) -> tuple[int, ...]:
    """Return one draw a bound: bytes at or above 255 − 255 mod m are thrown away."""
    return tuple(next(byte for byte in stream if byte < 255 - 255 % bound) % bound for bound in bounds)


class Oracle:
    """Finds seeds under which a move draws what a test wants, and says what a move draws."""

    @staticmethod
    def draws(seed: bytes, session_id: int, move_number: int, *bounds: int) -> tuple[int, ...]:
        return draws_below(stream_bytes(seed, session_id, move_number), bounds)

    @classmethod
    def seed(cls, wanted: Callable[..., bool], session_id: int, move_number: int, *bounds: int) -> bytes:
        for number in range(10_000):
            seed = sha256(b"seed %d" % number).digest()
            if wanted(*cls.draws(seed, session_id, move_number, *bounds)):
                return seed
        raise AssertionError("no seed gives that")

    @classmethod
    def heads(cls, session_id: int, move_number: int) -> bytes:
        return cls.seed(lambda side: side == 0, session_id, move_number, 2)

    @classmethod
    def tails(cls, session_id: int, move_number: int) -> bytes:
        return cls.seed(lambda side: side == 1, session_id, move_number, 2)


@pytest.fixture(scope="session")
def oracle() -> type[Oracle]:
    return Oracle


@pytest.fixture(scope="module")
def tables(probes: SimpleNamespace) -> dict[int, Table]:
    return make_tables(probes)


@pytest.fixture
def casino(tables: dict[int, Table]) -> Casino:
    """Return an empty casino with a table for every probe."""
    return Casino(tables)


@pytest.fixture(scope="module")
def open_casino(tables: dict[int, Table]) -> Callable[..., Casino]:
    """Return a function that opens a casino, for tests that need many or other tables."""

    def open_one(other: dict[int, Table] | None = None, state: MemoryState | None = None) -> Casino:
        return Casino(tables if other is None else other, state)

    return open_one
