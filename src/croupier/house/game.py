"""`HouseGame`: a game with one seat whose actions move chips; a session is a match of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import suppress
from enum import IntEnum
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import Game, Match, MatchResult, Setup, Turn, get_game, refuse
from croupier.engine.actions import ActionSpec
from croupier.errors import BadGame, BadOptions, DeckExhausted, GameFault
from croupier.house.counting import TooManyOutcomes, counted_prices, counted_rows
from croupier.house.money import Cover, Money, Stake, Terms, Till
from croupier.house.odds import OddsRow, with_sources
from croupier.house.plan import BadStrategy, Plan, read_strategy
from croupier.kit.cards import card_label, is_card, parse_card
from croupier.kit.errors import KitError
from croupier.rng import GameRng
from croupier.rounds import LIT_MAX, SUPER_MOVE


class GameType(IntEnum):
    """The ten house games and their codes, by the founding document's spelling as well."""

    BACCARAT = Baccarat = 0
    BLACKJACK = Blackjack = 1
    CASINO_WAR = CasinoWar = 2
    CRAPS = Craps = 3
    VIDEO_POKER = VideoPoker = 4
    HI_LO = HILO = HiLo = 5
    ROULETTE = Roulette = 6
    SIC_BO = SicBo = 7
    THREE_CARD = ThreeCard = 8
    ULTIMATE_HOLDEM = UltimateHoldem = 9

    @property
    def game_id(self) -> str:
        """The id of the game, as `get_game` knows it."""
        full = {self.THREE_CARD: "three-card-poker", self.ULTIMATE_HOLDEM: "ultimate-texas-holdem"}
        return full.get(self, self.name.lower().replace("_", "-"))


class LitKind(IntEnum):
    """Kinds of things that a super mode multiplier lies on (docs/house.md, Super mode)."""

    CARD = 0
    NUMBER = 1
    TOTAL = 2
    RANK = 3
    SUIT = 4


class Lit(Struct, frozen=True):
    """One super mode multiplier: on what, and how much."""

    kind: LitKind
    id: int
    multiplier: int


class HouseState(Struct, frozen=True, kw_only=True):
    """Base state of every house game: the accounts, and super mode. The engine fills it in."""

    stake: int = 0
    """The stake the session was opened with."""
    money: Money = Money()
    super_mode: bool = False
    lit: tuple[Lit, ...] = ()
    """The multipliers, shown with the result and not before."""


S = TypeVar("S", bound=HouseState)
_Odds = Callable[[Any], tuple[OddsRow, ...]]


class _Chips:
    """The money methods that set-up and turns share."""

    __slots__ = ()

    till: Till
    drew: bool
    rng: GameRng

    def take(
        self, bet: str, stake: int, *, most: int, boosted: bool = False, reserved: bool = False, fixed: bool = False
    ) -> None:
        """Put chips on a bet, before anything is drawn. `most` is the largest return they can bring.

        Refused when the player, the table's limits or the house do not cover it. `boosted` says that the bet is
        eligible for super mode; in a super session it then costs the fee. `reserved` chips are set aside: where
        they are lost, the result says that they were taken with the end. A `fixed` stake is one whose size the rules
        say, such as a raise by a multiple of another stake: the table's limits a bet do not apply to it.
        """
        if self.drew:
            raise GameFault(f"took a stake on {bet} after drawing; take stakes before anything is drawn")
        self.till.take(bet, stake, most, boosted, reserved, fixed)

    def stake_on(self, bet: str) -> Stake | None:
        """Return what lies on a bet now, if anything."""
        return self.till.stake_on(bet)

    def draw_card(self, deck: MutableSequence[int]) -> int:
        """Take a card from anywhere in the deck; with none left the move is not made (`DECK_EXHAUSTED`)."""
        card = self.rng.draw_card(deck)
        if card is None:
            raise DeckExhausted("there is no card left to draw")
        return card

    @property
    def stakes(self) -> tuple[Stake, ...]:
        """Every open bet, in the order they were placed."""
        return self.till.money.open


class HouseSetup(_Chips, Setup):
    """Context of `setup` in a house game: also the opening `stake`, which it puts on a bet with `take`."""

    __slots__ = ("stake", "super_mode", "till")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        terms: Terms = self.host or Terms()
        self.stake = terms.stake
        self.super_mode = terms.super_mode
        self.till = Till(Money(), terms.cover, terms.super_mode)


class HouseTurn(_Chips, Turn):
    """Context of a house action: also `take`, `settle`, `withdraw`, `finish`, and in super mode what is lit."""

    __slots__ = ("_game", "_state", "lit", "till")

    _game: HouseGame[Any]
    _state: HouseState

    def begin(self, game: HouseGame[Any], state: HouseState) -> None:
        """Open the till on the accounts of the state; the engine does this before the action runs."""
        self._game = game
        self._state = state
        self.till = Till(state.money, self.host, state.super_mode)
        self.lit: tuple[Lit, ...] = state.lit

    @property
    def super_mode(self) -> bool:
        """Whether this is a super session."""
        return self._state.super_mode

    def settle(self, bet: str, returned: int) -> None:
        """Close a bet with what it returns, stake included."""
        self.till.settle(bet, returned)

    def withdraw(self, bet: str) -> int:
        """Give the stake of a bet back as if it had never been placed, and return it; a super fee stays paid."""
        return self.till.withdraw(bet)

    def finish(self) -> None:
        """End the session: every bet is settled."""
        self.till.finish()

    def light(self) -> tuple[Lit, ...]:
        """Return the multipliers of a super session, from a stream of their own that the seed fixes.

        Call it when a bet is settled: from then on the state shows them.
        """
        if self._state.super_mode and not self.lit:
            # The host's seed for this move where there is one: that of the start may be public when bets are laid.
            seed = bytes.fromhex(self._rng_state.seed) if self._seed is None else self._seed
            self.lit = self._game.super_multipliers(GameRng.new(seed, self._rng_state.session_id, SUPER_MOVE))
        return self.lit


class HouseGame(Game[S], Generic[S]):
    """The rules of a game against the house. Its state is a `HouseState`; its actions declare money on the turn.

    A game that takes its stake at the start has `opens_with_stake`; one whose bets are placed by actions has not. An
    action that decides the session calls `turn.finish()`, and the engine makes the result from the accounts.
    """

    players = (1, 1)
    game_type: ClassVar[GameType]
    opens_with_stake: ClassVar[bool] = True
    stake_limits: ClassVar[tuple[int, int]] = (1, 10_000)
    """Smallest and largest stake a bet at the default table."""
    Strategy: ClassVar[type[Struct] | None] = None
    """The shape of a player's own strategy, where the game takes one."""
    usual_policy: ClassVar[str] = ""
    """The default policy of simulated players, in games where there is something to decide."""
    sheet: ClassVar[tuple[_Odds, _Odds, Callable[[Any], Mapping[str, tuple[Fraction, ...]]]] | None] = None
    """Functions of the options that return the odds, those of super mode, and the prices."""
    lights: ClassVar[tuple[LitKind, Callable[..., int]] | None] = None
    """The kind that super mode lights, and its rule: `light(stream, ids, multipliers)` returns how much it lit."""
    card_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of the state that hold the cards on the table, each card once."""
    raw_action: ClassVar[str] = ""
    """The action, if any, whose one field is the bytes of a payload as they come, without a version and an opcode."""
    turn_type = HouseTurn
    setup_type = HouseSetup

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "process_move" in vars(cls):
            made = f"croupier.house.hosted({cls.__name__}, id=…, name=…, most=…)"
            raise BadGame(f"a plain class with init and process_move, not one of HouseGame, becomes a game by {made}")
        super().__init_subclass__(**kwargs)

    @staticmethod
    def init(session: Any, rng: GameRng | None = None) -> Any:
        """Begin a session and return it with the result, as `croupier.house.init_game` does."""
        from croupier.house.session import init_game

        return init_game(session, rng)

    @staticmethod
    def process_move(session: Any, payload: Any, rng: GameRng | None = None) -> Any:
        """Make a move and return the session with the result, as `croupier.house.process_game_move` does."""
        from croupier.house.session import process_game_move

        return process_game_move(session, payload, rng)

    def terms(self, stake: int, super_mode: bool) -> Terms:
        """Return the terms that a session starts with."""
        return Terms(stake, super_mode)

    def _limits(self, turn: Turn) -> tuple[int, int]:
        """Return the smallest and the largest stake of a bet: the table's, or else those of the default table."""
        cover: Cover | None = turn.host
        return self.stake_limits if cover is None else (cover.stake_min, cover.stake_max or self.stake_limits[1])

    def sample_terms(self) -> Terms:
        """Return terms with a small stake, where one is needed."""
        return Terms(10 * self.stake_limits[0] if self.opens_with_stake else 0)

    def card_copies(self, options: Any) -> int:
        """Return how many copies of a card can lie on the table: the number of decks."""
        return 1

    def card_problem(self, state: S, options: Any) -> str | None:
        """Return None if the cards on the table can lie there, else which cannot."""
        cards = [card for field in self.card_fields for card in getattr(state, field)]
        copies = self.card_copies(options)
        for card in cards:
            if not is_card(card):
                return f"{card} is no card: cards are 0 to 51"
            if copies < len(cards) and cards.count(card) > copies:
                return f"{card_label(card)} is there {cards.count(card)} times, of {copies} in the shoe"
        return None

    def audit(self, state: S, options: Any = None) -> str | None:
        """Return None if every chip staked is open or on a line, every chip returned on a line, and the cards exist."""
        money = state.money
        staked = sum(stake.stake for stake in money.open) + sum(line.stake for line in money.lines)
        returned = sum(line.returned for line in money.lines)
        if (staked, returned) != (money.staked, money.returned):
            return f"staked {money.staked} and returned {money.returned}, but the bets say {staked} and {returned}"
        return self.card_problem(state, self.read_options(options))

    def opening(self, start: Match[S]) -> tuple[int, bool]:
        """Return the opening stake, and whether it is a super session."""
        return start.game.stake, start.game.super_mode

    def seal(self, state: S, table: Setup | Turn) -> S:
        """Return the state with the accounts as declared on the turn, and end the match where the money says so."""
        if isinstance(table, HouseSetup):
            money = table.till.money
            money = replace(money, opening=money.staked, drawn=table.drew)
            return replace(state, stake=table.stake, money=money, super_mode=table.super_mode)
        assert isinstance(table, HouseTurn)
        money = replace(table.till.money, drawn=state.money.drawn or table.drew)
        table.till.sealed = True
        if money.finished:
            player = table.players[0].id
            ahead = money.net
            status, winners = ("win", (player,)) if ahead > 0 else ("draw", ())
            table.events.end_game(MatchResult(status, winners, _reason(money), {player: ahead}))  # type: ignore[arg-type]
        return replace(state, money=money, lit=table.lit)

    def on_leave(self, state: S, turn: Turn) -> S:
        """Let a player go who has nothing on the table."""
        if state.money.open:
            refuse("bets_open", "there are chips on the table: play the round out")
        return state

    def super_multipliers(self, stream: GameRng) -> tuple[Lit, ...]:
        """Return what is lit in a super session (docs/house.md, Super mode); nothing where the game draws nothing."""
        if self.lights is None:
            return ()
        kind, light = self.lights
        ids, multipliers = [0] * LIT_MAX, [0] * LIT_MAX
        return tuple(Lit(kind, ids[i], multipliers[i]) for i in range(light(stream, ids, multipliers)))

    def position(self, state: S) -> Any:
        """Return what matters of a state for how play goes on, as plain data; the accounts are added to it.

        Exact odds are counted (`croupier.house.counting`) with two states as one where they are alike in this. A game
        that keeps a history leaves it out here, so that play can come back to where it was.
        """
        return replace(state, money=Money())

    def counted_pack(self, state: S | None, options: Any) -> Sequence[Hashable]:
        """Return what matters of each card in the pack that the next move draws from, in the order of the pack.

        Before set-up there is no state. Cards that are alike here are counted once when odds are counted: of six
        packs, where only ranks matter, thirteen cards. With none, every value of a draw is counted for itself.
        """
        return ()

    def odds(self, options: Any = None) -> tuple[OddsRow, ...]:
        """Return the exact worth of every bet, or what can be said of it.

        A game without a `sheet` is counted; the answer is empty where that cannot be done.
        """
        chosen = self.read_options(options)
        if self.sheet is not None:
            return with_sources(self.id, self.sheet[0](chosen), False)
        with suppress(TooManyOutcomes):
            return counted_rows(self, chosen)
        return ()

    def prices(self, options: Any = None) -> Mapping[str, tuple[Fraction, ...]]:
        """Return every bet that a table with these options takes, and all that a chip on it can return by the rules.

        The stake is counted in, super mode is not, and nothing is rounded: the least first, `(0, 2)` for even money.
        """
        chosen = self.read_options(options)
        if self.sheet is not None:
            return self.sheet[2](chosen)
        with suppress(TooManyOutcomes):
            return counted_prices(self, chosen)
        return {}

    def skill(self, options: Any) -> Fraction:
        """Return how much more than by any policy of its odds the best player may win, per chip; a table earns that."""
        return Fraction(0)

    def super_odds(self, options: Any = None) -> tuple[OddsRow, ...]:
        """Return the worth of every eligible bet in super mode: `edge` per chip staked, the fee included."""
        if self.sheet is None:
            return ()
        return with_sources(self.id, self.sheet[1](self.read_options(options)), True)

    def bet_lists(self, options: Any) -> Iterator[Mapping[str, int]]:
        """Yield the rounds whose odds are counted, as bets and stakes: the usual one, where there is a plan for it."""
        if type(self).plan is not HouseGame.plan:
            yield self.usual_bets()

    def usual_bets(self) -> Mapping[str, int]:
        """Return bets to simulate where nobody names any; none where a session is not opened with a stake."""
        return {"main": 10} if self.opens_with_stake else {}

    def policy_named(self, policy: str) -> str:
        """Return the policy of this name, or the usual one where there is no name."""
        policy = policy or self.usual_policy
        if policy not in self.bots:
            raise BadOptions(f"{self.name} has no policy {policy!r}; there are {', '.join(self.bots)}")
        return policy

    def situation_cards(self, text: str, *counts: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the cards of a described situation, part by part between colons; each part has one of its counts.

        All cards are different. `BadOptions` says what to give instead.
        """
        try:
            parts = [tuple(map(parse_card, part.replace(",", " ").split())) for part in text.split(":")]
        except KitError as error:
            raise BadOptions(f"{text!r} is not a situation ({error}); give {self.situation_help}") from None
        cards = [card for part in parts for card in part]
        if tuple(map(len, parts)) not in counts or len(set(cards)) < len(cards):
            raise BadOptions(f"{text!r} is not a situation; give {self.situation_help}")
        return parts

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a round with these bets (name to stake) is simulated. A game need not say: its bots then play."""
        raise BadOptions(f"{self.name} does not say how a round is simulated: name a bot that plays it")

    def plan_strategy(
        self, strategy: Any, bets: Mapping[str, int], options: Any = None, super_mode: bool = False
    ) -> Plan:
        """Return how a round is simulated for a player with a strategy of their own, which `read_strategy` has read."""
        raise BadStrategy(f"{self.name} takes no strategy: policies are chosen by name")

    def read_strategy(self, data: Any) -> Any:
        """Return a strategy from the content of a file or from plain data; `BadStrategy` says what is wrong with it."""
        if self.Strategy is None:
            raise BadStrategy(f"{self.name} takes no strategy: policies are chosen by name")
        return read_strategy(data, self.Strategy)

    def opcode_table(self) -> dict[int, ActionSpec]:
        """Return the actions by the opcode that stands for them on the wire."""
        found: dict[int, ActionSpec] = {}
        for spec in self.actions.values():
            if spec.opcode is None or not 0 <= spec.opcode <= 255 or spec.opcode in found:
                raise BadGame(f"{self.id}.{spec.name}: a house action has an opcode of its own, 0 to 255")
            found[spec.opcode] = spec
        return found


def _reason(money: Money) -> str:
    if money.net > 0:
        return f"won {money.net}"
    return "push" if money.net == 0 else f"lost {-money.net}"


def house_game(game: HouseGame[Any] | GameType | str) -> HouseGame[Any]:
    """Return a game against the house; itself, or the one of that type, or of the name of its type or its id."""
    if isinstance(game, str):
        game = GameType.__members__.get(game.upper().replace("-", "_"), game)
    found = game if isinstance(game, Game) else get_game(game)
    if not isinstance(found, HouseGame):
        raise BadGame(f"{found.id} is not a house game")
    return found
