"""Rounds played by the reference engine, for games and players without a kernel: the same sessions, the same figures.

A chunk of rounds is a pure function of the job and a range of sessions, as it is with kernels, so processes and
machines make no difference to what it comes to.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from croupier.bots.play import by_player, play_out
from croupier.bots.simulation import simulated_match
from croupier.engine import Accepted, Match, MatchClient, apply_action, create_match, legal_actions, view_for
from croupier.errors import BadOptions
from croupier.house import Plan
from croupier.house.modifiers import modified_net
from croupier.rng import GameRng
from croupier.sim.jobs import PLAYER, Job
from croupier.sim.match_results import MatchCounts, no_counts
from croupier.sim.results import LineTotals, Simulation


class SessionTotals(Struct, frozen=True):
    """Totals of one session against the house."""

    opening: int
    staked: int
    returned: int
    fees: int
    bonus: int
    """What modifiers added."""
    lines: dict[str, tuple[int, int]]
    """What was staked on each bet, and what it returned."""

    @property
    def net(self) -> int:
        """Net result of the player, fees paid."""
        return self.returned + self.bonus - self.staked - self.fees


class LineCounts(Struct):
    """Totals of one bet."""

    staked: int = 0
    returned: int = 0
    net_squares: int = 0
    rounds: int = 0


class HouseCounts(Struct):
    """Totals of a number of sessions; counts of different sessions are added up with `add`."""

    rounds: int
    opening: int
    staked: int
    returned: int
    fees: int
    bonus: int
    modified: int
    nets: Counter[int]
    lines: dict[str, LineCounts]

    def add(self, other: HouseCounts) -> None:
        """Take in other sessions of the same kind."""
        for name in ("rounds", "opening", "staked", "returned", "fees", "bonus", "modified"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.nets.update(other.nets)
        for bet, line in other.lines.items():
            mine = self.lines.setdefault(bet, LineCounts())
            for name in ("staked", "returned", "net_squares", "rounds"):
                setattr(mine, name, getattr(mine, name) + getattr(line, name))

    def count(self, account: SessionTotals) -> None:
        """Take in one session."""
        self.rounds += 1
        self.opening += account.opening
        self.staked += account.staked
        self.returned += account.returned
        self.fees += account.fees
        self.bonus += account.bonus
        self.modified += account.bonus != 0
        self.nets[account.net] += 1
        for bet, (staked, returned) in account.lines.items():
            line = self.lines.setdefault(bet, LineCounts())
            line.staked += staked
            line.returned += returned
            line.net_squares += (returned - staked) ** 2
            line.rounds += 1

    def result(self, plan: Plan | None, **told: Any) -> Simulation:
        """Return the result that the counts make; bets are in the order of the plan, or else of their names."""
        if self.opening == 0:
            raise BadOptions("nothing was staked in any round, so there is no edge to tell")
        return Simulation(
            rounds=self.rounds,
            opening=self.opening,
            staked=self.staked,
            returned=self.returned,
            fees=self.fees,
            net_squares=sum(net * net * count for net, count in self.nets.items()),
            distribution=tuple(sorted(self.nets.items())),
            pooled=(),
            lines=tuple(
                LineTotals(bet, line.staked, line.returned, line.net_squares, line.rounds)
                for bet, line in ((bet, self.lines.get(bet)) for bet in (plan.bets if plan else sorted(self.lines)))
                if line is not None and line.staked
            ),
            bonus=self.bonus,
            modified=self.modified,
            **told,
        )


# Sessions against the house.


def count_sessions(job: Job, first: int, count: int) -> HouseCounts:
    """Return what `count` sessions from session `first` on came to."""
    counts = HouseCounts(0, 0, 0, 0, 0, 0, 0, Counter(), {})
    plan = job.plan()
    for session_id in range(first, first + count):
        counts.count(play_account(job, plan, session_id))
    return counts


def play_account(job: Job, plan: Plan | None, session_id: int) -> SessionTotals:
    """Play one session and return what it came to."""
    if plan is None:
        return _bot_account(job, session_id)
    money = _planned(job, plan, session_id).game.money
    returned = {bet: 0 for place, bet in enumerate(plan.bets) if plan.late >> place & 1 == 0}  # laid in every round
    for line in money.lines:
        bet = plan.bet_of(line.bet)
        returned[bet] = returned.get(bet, 0) + line.returned
    stakes = zip(plan.bets, plan.stakes, strict=True)
    lines = {bet: (stake, returned[bet]) for bet, stake in stakes if bet in returned}
    return _account(job, money, plan.opening, lines)


def _bot_account(job: Job, session_id: int) -> SessionTotals:
    """Play one session with a bot, which lays what bets it likes: the opening is all that the first draw decides on."""
    openings: list[int] = []

    def look(money: Any) -> None:
        if money.drawn and not openings:
            openings.append(money.staked)

    def on_step(answer: Accepted[Any]) -> None:
        look(answer.state.game.money)

    client = _bot_client(job, session_id, on_step)
    if client.base.game.money.drawn:
        openings.insert(0, client.base.game.money.staked)
    money = client.get_state().game.money
    lines: dict[str, tuple[int, int]] = {}
    for line in money.lines:
        staked, returned = lines.get(line.bet, (0, 0))
        lines[line.bet] = (staked + line.stake, returned + line.returned)
    return _account(job, money, openings[0] if openings else money.staked, lines)


def _account(job: Job, money: Any, opening: int, lines: dict[str, tuple[int, int]]) -> SessionTotals:
    bonus = modified_net(money.net, job.shield, job.double) - money.net
    return SessionTotals(opening, money.staked, money.returned, money.fees, bonus, lines)


def _planned(job: Job, plan: Plan, session_id: int) -> Match[Any]:
    game = job.game
    match = create_match(game, [PLAYER], seed=job.seed, session_id=session_id, options=job.options, host=plan.terms)
    nothing = GameRng.new(b"", 0, 0)  # policies of plans draw nothing
    while match.status == "active":
        answer = apply_action(game, match, plan.policy(view_for(game, match, PLAYER), (), nothing))
        if not answer.ok:
            raise BadOptions(f"the engine refused a simulated action: {answer.error}")
        match = answer.state
    return match


def _bot_client(job: Job, session_id: int, on_step: Any = None) -> MatchClient[Any]:
    return play_out(
        job.game,
        by_player(job.game, {PLAYER: job.bots[0]}),
        job.seed,
        session_id=session_id,
        options=job.options,
        host=job.terms,
        on_step=on_step,
    )


# Matches between players.


def count_matches(job: Job, first: int, count: int) -> MatchCounts:
    """Return what `count` matches from session `first` on came to."""
    seated = by_player(job.game, job.bots)
    counts = no_counts(len(seated))
    for session_id in range(first, first + count):
        client = simulated_match(job.game, seated, session_id, job.seed, options=job.options, rotate=job.rotate)
        counts.count(client.get_state(), tuple(seated))
    return counts


# One of them again.


def play_client(job: Job, session_id: int) -> MatchClient[Any]:
    """Return a round as the engine plays it, with its log."""
    game = job.game
    if not job.is_house:
        seated = by_player(game, job.bots)
        return simulated_match(game, seated, session_id, job.seed, options=job.options, rotate=job.rotate)
    plan = job.plan()
    if plan is None:
        return _bot_client(job, session_id)
    match = create_match(game, [PLAYER], seed=job.seed, session_id=session_id, options=job.options, host=plan.terms)
    client = MatchClient(game, match)
    nothing = GameRng.new(b"", 0, 0)
    while client.get_state().status == "active":
        state = client.get_state()
        answer = client.dispatch(plan.policy(view_for(game, state, PLAYER), legal_actions(game, state), nothing))
        if not answer.ok:
            raise BadOptions(f"the engine refused a simulated action: {answer.error}")
    return client
