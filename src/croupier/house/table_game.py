"""`TableGame`: base class of the games in which a player lays several bets and one draw decides them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar

from msgspec import Meta, defstruct
from msgspec.structs import replace

from croupier.engine import Action, MatchView, Range, Turn, act, action, refuse
from croupier.engine.chance import every_draw
from croupier.engine.plain import nearest
from croupier.errors import BadGame, BadOptions, DrawError
from croupier.house.counting import COUNTED_STAKE
from croupier.house.game import HouseGame, HouseState, HouseTurn
from croupier.house.money import CHIPS_MAX, Terms
from croupier.house.odds import add
from croupier.house.payload import BetCodes, Chips, bet_type
from croupier.house.plan import Plan, check_stake, no_kernel
from croupier.house.supermode import settled
from croupier.house.table_round import TableSteps, settling, table_step
from croupier.rng import GameRng
from croupier.rounds import FACTS, ROW_SIZE, STAYS, SUPER_FEE_DIVISOR, SUPER_MOVE

S = TypeVar("S", bound=HouseState)


class TableState(HouseState, frozen=True):
    """The state of a table game that remembers its draw and nothing else."""

    find: tuple[int, ...] = ()
    """The draw as the rules number it; empty before."""


SAMPLES_MAX = 40
DECIDE_OPCODE = 1


@cache
def first_finds(steps: TableSteps, options: tuple[int, ...]) -> Mapping[tuple[int, ...], Fraction]:
    """Return everything that a first draw can find, with its chance."""

    def draw(rng: GameRng) -> tuple[int, ...]:
        find = [0] * steps.find_size
        steps.draw(rng, find, options, [0] * steps.pack_size)
        return tuple(find)

    found: dict[tuple[int, ...], Fraction] = {}
    try:
        for chance, _, find in every_draw(draw, "a draw"):
            add(found, find, chance)
        return found
    except DrawError as error:
        raise BadGame(f"a game must say the most its bets return: {error}") from None


class BetOpcodes(NamedTuple):
    """The opcodes of the actions that all table games have; that which draws has 1 unless the game writes it."""

    place: int = 0
    clear: int = 2
    batch: int = 3


class TableGame(HouseGame[S], Generic[S]):
    """A house game that is opened with nothing: bets are laid one by one or all at once, then one draw settles them.

    A game that names its `steps` or `opcodes` has the actions `place`, `clear` and `batch`, and the one that it calls
    `decide` where it does not write that itself; what they do is in `placed`, `cleared` and `drawn`. A game whose state
    is a `TableState` need write nothing more.
    """

    opens_with_stake = False
    starting_phase = "betting"
    codes: ClassVar[BetCodes]
    opcodes: ClassVar[BetOpcodes | None] = None
    betting_phases: ClassVar[tuple[str, ...]] = ("betting",)
    bets_max: ClassVar[int] = 20
    sample_bets: ClassVar[tuple[str, ...]] = ()
    """A few bets that hints and random players lay, where there are too many to list; else all are."""
    decide: ClassVar[str] = "draw"
    """The name of the action that draws and settles."""
    steps: ClassVar[TableSteps | None] = None
    """The steps of a round, from the game's rules; a game without them draws and settles by itself."""
    staying_phase: ClassVar[str] = ""
    """The phase after a draw that left bets on the table."""
    step: ClassVar[Callable[..., int]] = staticmethod(no_kernel)
    """The kernel; a game without one is simulated by the engine."""
    drawing: ClassVar[str] = "Draw, and settle every bet."
    """The action that draws, in words."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if cls.opcodes is None and "steps" in vars(cls):
            cls.opcodes = BetOpcodes()
        if cls.opcodes is not None and "opcodes" in vars(cls):
            _add_actions(cls, cls.opcodes)
        if not cls.sample_bets and vars(cls).get("codes") is not None:
            cls.sample_bets = tuple(cls.codes.codes)[:SAMPLES_MAX]
        super().__init_subclass__(**kwargs)
        if cls.steps is not None and "steps" in vars(cls):
            cls.step = staticmethod(table_step(cls.steps, settling(cls.steps.settle)))
        if cls.opcodes is not None and hasattr(cls, "actions"):
            cls.actions = dict(sorted(cls.actions.items(), key=lambda item: item[1].opcode or 0))

    def setup(self, table: Any) -> S:
        """Return a table with nothing drawn."""
        return self.shape.runtime_type()  # type: ignore[no-any-return]

    def placed(self, state: S, turn: HouseTurn, bet: str, stake: int) -> S:
        """Lay chips on a bet, or more chips on it."""
        if bet not in self.codes.codes:
            meant = f"{nearest(bet, self.codes.codes)} (bets are named like {', '.join(self.sample_bets)})"
            refuse("unknown_bet", f"{self.name} has no bet {bet!r}{meant}")
        problem = self.bet_problem(bet, turn.options)
        if problem:
            refuse("unknown_bet", problem)
        if len(turn.stakes) >= self.bets_max and turn.stake_on(bet) is None:
            refuse("too_many_bets", f"{self.bets_max} bets are down; that is the most")
        most = self.most_returned(bet, stake, turn.options, turn.super_mode)
        turn.take(bet, stake, most=most, boosted=self.is_eligible(bet))
        return state

    def cleared(self, state: S, turn: HouseTurn) -> S:
        """Take every bet back."""
        self.take_back(turn)
        return state

    def drawn(self, state: S, turn: HouseTurn) -> S:
        """Make a draw, and settle every bet that it decides."""
        steps = self.steps
        if steps is None:
            raise BadGame(f"{type(self).__name__} must say how its bets are decided")
        facts, options = self.facts(state), self.kernel_options(turn.options)
        find = [*facts, *[0] * (steps.find_size - len(facts))]
        steps.draw(turn.rng, find, options, [0] * steps.pack_size)
        lit = turn.light()
        for laid in turn.stakes:
            returned = settled(steps, laid, self.codes.codes[laid.bet], find, options, lit)
            if returned != STAYS:
                turn.settle(laid.bet, returned)
        if not turn.stakes:
            turn.finish()
        elif turn.phase != self.staying_phase:
            turn.events.set_phase(self.staying_phase)
        return self.with_draw(state, find)

    def with_draw(self, state: S, find: Sequence[int]) -> S:
        """Return the state with what was drawn."""
        if isinstance(state, TableState):
            return replace(state, find=tuple(find))
        raise BadGame(f"{type(self).__name__} must say what a draw changes")

    def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
        """Return the largest return a stake on a bet can bring, stake included."""
        if self.steps is None or (self.is_eligible(bet) and super_mode):
            raise BadGame(f"{type(self).__name__} must say the most a bet returns: the house covers no less")
        numbers = self.kernel_options(options)
        code = self.codes.codes[bet]
        return max(self.steps.settle(*code, stake, find, numbers) for find in first_finds(self.steps, numbers))

    def is_eligible(self, bet: str) -> bool:
        """Tell whether super mode can boost the bet."""
        return self.steps is not None and self.steps.is_eligible(*self.codes.codes[bet])

    def bet_problem(self, bet: str, options: Any) -> str | None:
        """Return why a bet that has a code is not on offer under the options, or None."""
        return None

    def all_placed(self, state: S, turn: HouseTurn, bets: Iterable[Any]) -> S:
        """Lay the bets of a batch, each with `bet` and `stake`; it comes before any other and names none twice."""
        if turn.stakes:
            refuse("bets_are_down", "a batch comes before any other bet; clear the table first")
        seen: set[str] = set()
        for each in bets:
            if each.bet in seen:
                refuse("bet_twice", f"the batch names {each.bet} twice")
            seen.add(each.bet)
            state = self.placed(state, turn, each.bet, each.stake)
        return state

    def take_back(self, turn: HouseTurn) -> None:
        """Give every stake back."""
        if not turn.stakes:
            refuse("no_bets", "there are no bets to take back")
        for stake in turn.stakes:
            turn.withdraw(stake.bet)

    def require_bets(self, turn: HouseTurn) -> None:
        """Refuse unless something is staked."""
        if not turn.stakes:
            refuse("no_bets", "lay a bet first")

    def legal(self, state: S, turn: Turn) -> Iterator[Action]:
        """Yield a few bets, the draw, and taking everything back."""
        low, step = self._limits(turn)[0], SUPER_FEE_DIVISOR if state.super_mode else 1
        smallest = low + -low % step
        for bet in self.sample_bets:
            yield act("place", bet=bet, stake=smallest)
            yield act("place", bet=bet, stake=10 * smallest)
        yield act(self.decide)
        yield act("clear")

    def ranges(self, state: S, turn: Turn) -> dict[str, dict[str, Range]]:
        """Return the stakes the table takes."""
        low, high = self._limits(turn)
        step = SUPER_FEE_DIVISOR if state.super_mode else 1
        stakes = Range(low + -low % step, high // step * step, step)
        return {"place": {"stake": stakes}} if stakes.low <= stakes.high else {}

    def bet_lists(self, options: Any) -> Iterator[Mapping[str, int]]:
        """Yield every bet on offer, as many at a time as a round takes."""
        bets = [bet for bet in self.codes.codes if self.bet_problem(bet, options) is None]
        for first in range(0, len(bets), self.bets_max):
            yield dict.fromkeys(bets[first : first + self.bets_max], COUNTED_STAKE)

    def usual_bets(self) -> Mapping[str, int]:
        """Return a bet of each sample."""
        return dict.fromkeys(self.sample_bets, 10)

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a batch of bets is simulated: laid at once and decided."""
        chosen = self.read_options(options)
        if policy:
            raise BadOptions(f"{self.name} leaves nothing to decide, so there is no policy {policy!r}")
        for bet in bets:
            problem = self.bet_problem(bet, chosen) if bet in self.codes.codes else ""
            if bet not in self.codes.codes:
                problem = f"{self.name} has no bet {bet!r}{nearest(bet, self.codes.codes)}"
            if problem:
                raise BadOptions(problem)
            largest = CHIPS_MAX if self.steps is None else self.steps.stake_max
            check_stake(bet, bets[bet], largest, super_mode and self.is_eligible(bet))
        if not 1 <= len(bets) <= self.bets_max:
            raise BadOptions(f"a round has 1 to {self.bets_max} bets, got {len(bets)}")
        batch = act("batch", bets=[{"bet": bet, "stake": stake} for bet, stake in bets.items()])

        def play(view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
            return batch if view.version == 0 else act(self.decide)

        codes = [self.codes.codes[bet] for bet in bets]
        return Plan(
            step=self.step,
            first_move=SUPER_MOVE if super_mode else 1,
            bets=tuple(bets),
            kinds=tuple(kind for kind, _ in codes),
            numbers=tuple(number for _, number in codes),
            stakes=tuple(bets.values()),
            options=(*self.kernel_options(chosen), int(super_mode)),
            work_size=1 if self.steps is None else self.steps.pack_size,
            terms=Terms(0, super_mode),
            policy=play,
            facts=self.facts,
            # Without super mode a kernel of steps remembers nothing, and needs no room for it.
            row_size=ROW_SIZE if super_mode or self.steps is None else FACTS + self.steps.find_size,
            steps=self.steps,
        )

    def kernel_options(self, options: Any) -> tuple[int, ...]:
        """Return the options as the kernel's numbers; whether it is a super session comes last."""
        return ()

    def facts(self, state: S) -> tuple[int, ...]:
        """Return what decided the session so far, as the kernel writes it into its row; nothing before a draw."""
        return state.find if isinstance(state, TableState) else ()

    def auto_action(self, state: S, turn: Turn) -> Action | None:
        """Play the round out."""
        return act(self.decide) if state.money.open else None


def _add_actions(cls: type[TableGame[Any]], opcodes: BetOpcodes) -> None:
    """Give a game the actions that all of them have, with the types of its own bets in their signatures.

    They cannot stand in the class: a signature is the schema of a payload, and every game has bets of its own.
    """
    bet = bet_type(cls.codes)
    entry = defstruct("PlacedBet", [("bet", bet), ("stake", Chips)], frozen=True, forbid_unknown_fields=True)
    entry.__doc__ = "One bet of a batch."

    def place(self: Any, state: Any, turn: Any, bet: str, stake: int) -> Any:
        return self.placed(state, turn, bet, stake)

    def clear(self: Any, state: Any, turn: Any) -> Any:
        return self.cleared(state, turn)

    def batch(self: Any, state: Any, turn: Any, bets: Any) -> Any:
        """Lay several bets and play at once."""
        return self.drawn(self.all_placed(state, turn, bets), turn)

    place.__doc__, place.__annotations__ = cls.placed.__doc__, {"bet": bet, "stake": Chips}
    clear.__doc__ = cls.cleared.__doc__
    batch.__annotations__ = {"bets": Annotated[tuple[entry, ...], Meta(min_length=1, max_length=cls.bets_max)]}  # type: ignore[valid-type]

    def decide(self: Any, state: Any, turn: Any) -> Any:
        self.require_bets(turn)
        return self.drawn(state, turn)

    decide.__name__, decide.__doc__ = cls.decide, cls.drawing
    staying = {cls.staying_phase} - {"", *cls.betting_phases}
    actions: list[Callable[..., Any]] = [place, clear, batch, decide]
    for method, opcode in zip(actions, (*opcodes, DECIDE_OPCODE), strict=True):
        if method.__name__ not in vars(cls):
            phases = (*cls.betting_phases, *staying) if method is decide else cls.betting_phases
            setattr(cls, method.__name__, action(phase=phases, opcode=opcode)(method))
