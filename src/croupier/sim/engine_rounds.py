"""Rounds played by the reference engine, for games and players without a kernel: the same sessions, the same figures.

A chunk of rounds is a pure function of the job and a range of sessions, as it is with kernels, so processes and
machines make no difference to what it comes to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from croupier.bots.play import by_player, play_out
from croupier.bots.simulation import simulated_match
from croupier.engine import Action, Match, MatchClient, apply_action, create_match, view_for
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.house import Plan
from croupier.house.modifiers import modified_net
from croupier.rng import GameRng
from croupier.sim.jobs import PLAYER, Job
from croupier.sim.match_results import MatchCounts, no_counts
from croupier.sim.tally import LineTotals, Tally

# Sessions against the house.


def count_sessions(job: Job, first: int, count: int) -> Tally:
    """Return the tally of `count` sessions from session `first` on."""
    total, plan = Tally(), job.plan()
    for session_id in range(first, first + count):
        total.add(play_account(job, plan, session_id))
    return total


def play_account(job: Job, plan: Plan | None, session_id: int) -> Tally:
    """Play one session and return its tally."""
    if plan is None:
        return _bot_account(job, session_id)
    match = _started(job, plan, session_id)
    money = _play_plan(job, plan, match, partial(apply_action, job.game)).game.money
    returned = {bet: 0 for place, bet in enumerate(plan.bets) if plan.late >> place & 1 == 0}  # laid in every round
    for line in money.lines:
        bet = plan.bet_of(line.bet)
        returned[bet] = returned.get(bet, 0) + line.returned
    stakes = zip(plan.bets, plan.stakes, strict=True)
    lines = {bet: (stake, returned[bet]) for bet, stake in stakes if bet in returned}
    return _account(job, money, plan.opening, lines)


def _bot_account(job: Job, session_id: int) -> Tally:
    """Play one session with a bot, which lays what bets it likes: the opening is all that the first draw decides on."""
    client = _bot_client(job, session_id)
    money = client.get_state().game.money
    seen = (state.game.money for state in client.history())
    opening = next((each.staked for each in seen if each.drawn), money.staked)
    lines: dict[str, tuple[int, int]] = {}
    for line in money.lines:
        staked, returned = lines.get(line.bet, (0, 0))
        lines[line.bet] = (staked + line.stake, returned + line.returned)
    return _account(job, money, opening, lines)


def _account(job: Job, money: Any, opening: int, lines: dict[str, tuple[int, int]]) -> Tally:
    """Return the tally of one session; `lines` has the stake and the return of each bet."""
    bonus = modified_net(money.net, job.shield, job.double) - money.net
    return Tally(
        rounds=1,
        opening=opening,
        staked=money.staked,
        returned=money.returned,
        fees=money.fees,
        bonus=bonus,
        modified=int(bonus != 0),
        nets=Counter([money.returned + bonus - money.staked - money.fees]),
        lines={bet: LineTotals(bet, stake, back, (back - stake) ** 2, 1) for bet, (stake, back) in lines.items()},
    )


@contextmanager
def _told() -> Iterator[None]:
    """Tell who asked for the rounds why the game refuses the stake that they open with."""
    try:
        yield
    except Refusal as no:
        raise BadOptions(f"{no.sentence} ({no.code})") from None


@_told()
def _started(job: Job, plan: Plan, session_id: int) -> Match[Any]:
    return create_match(job.game, [PLAYER], seed=job.seed, session_id=session_id, options=job.options, host=plan.terms)


def _play_plan(job: Job, plan: Plan, match: Match[Any], do: Callable[[Match[Any], Action], Any]) -> Match[Any]:
    """Play a session to its end by the policy of its plan, each action carried out by `do`."""
    nothing = GameRng.new(b"", 0, 0)  # policies of plans draw nothing
    while match.status == "active":
        answer = do(match, plan.policy(view_for(job.game, match, PLAYER), (), nothing))
        if not answer.ok:
            raise BadOptions(f"the engine refused a simulated action: {answer.error}")
        match = answer.state
    return match


@_told()
def _bot_client(job: Job, session_id: int) -> MatchClient[Any]:
    return play_out(
        job.game,
        by_player(job.game, {PLAYER: job.bots[0]}),
        job.seed,
        session_id=session_id,
        options=job.options,
        host=job.terms,
    )


# Matches between players.


def count_matches(job: Job, first: int, count: int) -> MatchCounts:
    """Return the counts of `count` matches from session `first` on."""
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
    client = MatchClient(game, _started(job, plan, session_id))
    _play_plan(job, plan, client.base, lambda _, action: client.dispatch(action))
    return client
