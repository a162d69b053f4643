"""`Job`: a simulation as data that can be sent to another process or machine: game, bets, seed, players.

Where the game has a plan with a kernel, compiled rounds are played. Everything else is played by the reference engine:
games of other packages, matches between several seats, and whatever bots are named for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict

from msgspec import Struct

from croupier.bots import bot_names, find_bot
from croupier.bots.play import AnyBot
from croupier.engine import Game
from croupier.errors import BadOptions, BadPlayers
from croupier.house import HouseGame, Plan, Terms
from croupier.house.plan import check_stake, strategy_name
from croupier.rng import seed_bytes

MODIFIERS = ("shield", "double")
PLAYER = "player"


class Job(Struct, frozen=True):
    """One kind of round: the same game, options, bets and players every time, another session id."""

    game: Game[Any]
    seed: bytes
    options: Any
    bets: dict[str, int]
    policy: str
    super_mode: bool
    modifiers: tuple[str, ...]
    strategy: Any
    """A strategy of the player's own, in place of a policy."""
    bots: tuple[AnyBot, ...]
    """Bots on the seats; against the house, none where the policy of a plan plays."""
    rotate: bool
    by_engine: bool

    @property
    def is_house(self) -> bool:
        """Whether the game is played against the house, for chips."""
        return isinstance(self.game, HouseGame)

    @property
    def shield(self) -> bool:
        """Whether a shield is armed for every session."""
        return "shield" in self.modifiers

    @property
    def double(self) -> bool:
        """Whether a double is armed for every session."""
        return "double" in self.modifiers

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bots."""
        return tuple(bot if isinstance(bot, str) else getattr(bot, "__name__", type(bot).__name__) for bot in self.bots)

    @property
    def policy_name(self) -> str:
        """Policy that decides for the player against the house."""
        if self.strategy is not None:
            return strategy_name(self.strategy)
        return self.names[0] if self.bots else self.policy

    @property
    def terms(self) -> Terms:
        """Terms of a session against the house that a bot plays."""
        assert isinstance(self.game, HouseGame)
        return self.game.terms(sum(self.bets.values()), self.super_mode)

    def plan(self) -> Plan | None:
        """Return how the game itself says that it is simulated; None where bots play."""
        game = self.game
        if isinstance(game, HouseGame):
            if self.bots:
                return None
            if self.strategy is not None:
                return game.plan_strategy(self.strategy, self.bets, self.options, self.super_mode)
            return game.plan(self.bets, self.policy, self.options, self.super_mode)
        if not _has_plan(game) or len(self.bots) > 1 or self.bots[0] not in game.bots:
            return None
        found: Plan = game.plan({}, self.bots[0], self.options)  # type: ignore[attr-defined]
        return found

    def kernel_plan(self) -> Plan | None:
        """Return the plan if its rounds can be played without the engine."""
        plan = None if self.by_engine else self.plan()
        return plan if plan is not None and plan.has_kernel else None


class JobKeywords(TypedDict, total=False):
    """The keywords of `make_job` that a game against the house takes."""

    options: Any
    super_mode: bool
    modifiers: Collection[str]
    strategy: Any
    bots: Sequence[AnyBot]
    by_engine: bool


def make_job(
    game: Game[Any],
    bets: Mapping[str, int] | None = None,
    policy: str = "",
    seed: bytes | int | str = bytes(32),
    *,
    options: Any = None,
    super_mode: bool = False,
    modifiers: Collection[str] = (),
    strategy: Any = None,
    bots: Sequence[AnyBot] = (),
    seats: int | None = None,
    rotate: bool = False,
    by_engine: bool = False,
) -> Job:
    """Return the job, or refuse it with what is wrong.

    Without `bets` the game's usual ones are laid. A bot that is named against the house lays its own, so there is none
    to name but the stake that a session is opened with. Between players, seats that no bot is named for get the last.
    """
    seed, chosen = seed_bytes(seed), game.read_options(options)
    if isinstance(bots, str):
        raise BadPlayers(f"bots is a list of bots or names, got the text {bots!r}")
    if sum([bool(policy), bool(bots), strategy is not None]) > 1:
        raise BadOptions("a policy, a strategy or bots: one of them decides")
    told = {"rotate": rotate, "by_engine": by_engine}
    if not isinstance(game, HouseGame):
        _check_without_house(game, bets, super_mode, modifiers, strategy)
        seated = _seated(game, bots or ([policy] if policy else []), seats)
        return Job(game, seed, chosen, {}, "", False, (), None, seated, **told)
    if seats not in (None, 1) or rotate or len(bots) > 1:
        raise BadPlayers(f"{game.name} has one seat, against the house")
    for modifier in modifiers:
        if modifier not in MODIFIERS:
            raise BadOptions(f"there is no modifier {modifier!r}: {' and '.join(MODIFIERS)}; super mode is an option")
    if strategy is not None:
        strategy = game.read_strategy(strategy)
    elif not bots and not _has_plan(game):
        bots = (policy or _usual_bot(game),)
        policy = ""
    laid = _own_stake(game, bets) if bots else dict(game.usual_bets() if bets is None else bets)
    armed = tuple(name for name in MODIFIERS if name in modifiers)
    return Job(game, seed, chosen, laid, policy, super_mode, armed, strategy, _found(game, bots), **told)


def _check_without_house(game: Game[Any], bets: Any, super_mode: bool, modifiers: Any, strategy: Any) -> None:
    named = {"bets": bets, "super mode": super_mode, "modifiers": modifiers, "a strategy": strategy is not None}
    given = [name for name, value in named.items() if value]
    if given:
        raise BadOptions(f"{game.name} is not played against the house: it has no use for {', '.join(given)}")


def _own_stake(game: HouseGame[Any], bets: Mapping[str, int] | None) -> dict[str, int]:
    """Return what a session that a bot plays is opened with."""
    if not game.opens_with_stake:
        if bets:
            raise BadOptions(f"at {game.name} a bot lays bets of its own: name none, or no bot")
        return {}
    usual = game.usual_bets()
    laid = dict(bets or usual)
    if len(laid) != 1 or not laid.keys() <= usual.keys():
        raise BadOptions(f"a bot plays {game.name} for one stake, {', '.join(usual)}, and decides the rest; got {laid}")
    for bet, stake in laid.items():
        check_stake(bet, stake)
    return laid


def _seated(game: Game[Any], bots: Sequence[AnyBot], seats: int | None) -> tuple[AnyBot, ...]:
    fewest, most = game.players
    count = max(fewest, len(bots)) if seats is None else seats
    if not fewest <= count <= most or len(bots) > count:
        raise BadPlayers(f"{game.name} is for {fewest} to {most} players; got {len(bots)} bots for {count} seats")
    named = list(bots) or [_usual_bot(game)]
    return _found(game, (*named, *named[-1:] * (count - len(named))))


def _found(game: Game[Any], bots: Sequence[AnyBot]) -> tuple[AnyBot, ...]:
    """Return the bots, having looked for those that are named."""
    for bot in bots:
        if isinstance(bot, str):
            find_bot(game, bot)
    return tuple(bots)


def _usual_bot(game: Game[Any]) -> str:
    """Return the bot that plays where none is named: the one of the game's plan, or its own first, or any action."""
    if not isinstance(game, HouseGame) and _has_plan(game):
        planned = game.plan({}).policy  # type: ignore[attr-defined]
        return next(name for name, bot in game.bots.items() if bot is planned)
    return bot_names(game)[0]


def _has_plan(game: Game[Any]) -> bool:
    """Tell whether a game says how it is simulated."""
    return getattr(type(game), "plan", HouseGame.plan) is not HouseGame.plan
