"""Bots think elsewhere, in turn by account, and choose the same however long they wait. Nothing here is timed."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import msgspec
import pytest

from croupier.bots import find_bot
from croupier.bots.choosing import pick_bot_action
from croupier.engine import Action, apply_action, create_match, serialize_match
from croupier.engine import get_game as find_game
from croupier.server.operations import catalogue
from croupier.server.operations.room_bots import BotTurn
from croupier.server.problems import Problem
from croupier.server.running.bot_processes import BotProcesses, think
from croupier.server.running.fair_turns import FairTurns

SEED = bytes(32)


def turn_of(host: str, bot: str) -> BotTurn:
    match = create_match(find_game("shut-the-box"), ["a", "b"], seed=SEED)
    return BotTurn(f"m_{host}", host, 0, "a", bot, "shut-the-box", match, SEED)


async def test_a_bot_that_breaks_costs_its_seat_only_the_choice() -> None:
    thinker = BotProcesses(1, seconds=60)
    turn = turn_of("ann", "no such bot")
    assert await thinker.choose(turn) == Action("roll", {}, "a")
    thinker.close()


def test_a_bot_thinks_the_same_in_a_process_of_its_own() -> None:
    match = create_match(find_game("shut-the-box"), ["a"], seed=SEED)
    found = think("shut-the-box", serialize_match(match), "first", "a", SEED, 60)
    assert found == b'{"type":"roll","payload":{},"player_id":"a"}'


def test_a_bot_that_needs_more_time_begins_again_and_chooses_the_same() -> None:
    """Fifty playouts of each of nine choices take some 400 ms of processor time: more than the first limit."""
    game = find_game("shut-the-box")
    rolled = apply_action(game, create_match(game, ["a", "b"], seed=bytes([1]) * 32), Action("roll", {}, "a"))
    assert rolled.ok
    job = (game.id, serialize_match(rolled.state), "monte_carlo", "a", SEED)

    gc.disable()  # Hypothesis hears of collections, and whatever is raised there is passed over
    try:
        assert think(*job, 0.001) == b""
    finally:
        gc.enable()
    expected = pick_bot_action(game, rolled.state, find_bot(game, "monte_carlo"), "a", SEED)
    assert msgspec.json.decode(think(*job, 600), type=Action) == expected


async def test_odds_that_cannot_be_counted_ahead_leave_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_counted", {})
    roulette = ("roulette", b"{}", False)
    thinker = BotProcesses(1)
    await thinker.count([("no-such-game", b"{}", False), roulette])
    assert thinker._counter._pool is None, "its process is not kept"
    assert list(catalogue._counted) == [roulette]
    monkeypatch.setattr(catalogue, "count_odds", None)
    (red,) = [row for row in catalogue.odds_of(*roulette).bets if row["bet"] == "red"]
    assert red["edge"] == "1/37"


class Told(BotProcesses):
    """Two lanes whose processes do what a test says: `first` bots answer, others think until they are let."""

    def __init__(self) -> None:
        super().__init__(1)
        self.may_end = asyncio.Event()
        self.begun: list[tuple[str, str]] = []
        for name, lane in zip(("quick", "long"), self._lanes, strict=True):
            lane.run = self._thinking(name)  # type: ignore[method-assign]

    def _thinking(self, lane: str) -> Any:
        async def found(think: Any, *job: Any) -> Any:
            self.begun.append((lane, job[2]))
            await asyncio.sleep(0)
            if job[2] == "monte_carlo":
                if lane == "quick":
                    return b""
                await self.may_end.wait()
            return think(*job[:2], "first", *job[3:5], 600)

        return found


async def test_a_guest_with_many_slow_bots_delays_nobody() -> None:
    """Twenty rooms of one guest think for ever, and neither a neighbour's bot waits for them nor a neighbour's thought.

    A neighbour whose bot also thinks for long waits for one decision of that guest and not for twenty.
    """
    thinker = Told()
    assert [lane.seconds for lane in thinker._lanes] == [1, 120], "the first think no longer than a second"
    slow = [asyncio.create_task(thinker.choose(turn_of("eve", "monte_carlo"))) for _ in range(20)]
    while ("long", "monte_carlo") not in thinker.begun:
        await asyncio.sleep(0)
    for _ in range(5):
        assert await thinker.choose(turn_of("ann", "first")) == Action("roll", {}, "a")
    assert thinker.begun.count(("long", "monte_carlo")) == 1, "no slow bot has ended meanwhile"
    bob = asyncio.create_task(thinker.choose(turn_of("bob", "monte_carlo")))
    while thinker.begun.count(("quick", "monte_carlo")) < 21:
        await asyncio.sleep(0)
    for _ in range(5):
        await asyncio.sleep(0)
    order = list[str]()
    bob.add_done_callback(lambda _: order.append("bob"))
    for each in slow:
        each.add_done_callback(lambda _: order.append("eve"))
    thinker.may_end.set()
    assert await asyncio.gather(bob, *slow) == [Action("roll", {}, "a")] * 21
    assert order.index("bob") <= 2
    thinker.close()


async def test_a_full_queue_of_turns_refuses_with_a_sentence() -> None:
    turns, end = FairTurns(1, waiting_max=2), asyncio.Event()

    async def work(account: str) -> str:
        async with turns.of(account):
            await end.wait()
            return account

    tasks = [asyncio.create_task(work("eve")) for _ in range(3)]  # one works, two wait
    await asyncio.sleep(0)
    with pytest.raises(Problem, match=r"too_many_requests.*wait for it"):
        await work("eve")
    tasks.append(asyncio.create_task(work("ann")))
    end.set()
    assert await asyncio.gather(*tasks) == ["eve", "eve", "eve", "ann"]


async def test_bots_take_turns_by_account_and_nobody_has_all_of_them() -> None:
    """One guest with twenty rooms of slow bots kept a neighbour's bot waiting for all twenty."""
    turns, order, ends = FairTurns(2), list[str](), dict[str, asyncio.Event]()

    async def have_turn(account: str, name: str) -> None:
        ends[name] = asyncio.Event()
        async with turns.of(account):
            order.append(name)
            await ends[name].wait()

    tasks = [asyncio.create_task(have_turn("slow", f"slow {n}")) for n in range(20)]
    await asyncio.sleep(0)
    assert order == ["slow 0"], "one account has half of the turns"
    tasks.append(asyncio.create_task(have_turn("ann", "ann")))
    for _ in range(3):
        await asyncio.sleep(0)
    assert order == ["slow 0", "ann"], "a neighbour waits for nobody's line"
    gone = asyncio.create_task(have_turn("bob", "bob"))
    tasks.append(asyncio.create_task(have_turn("cid", "cid")))
    await asyncio.sleep(0)
    gone.cancel()
    for name in ("slow 0", "ann"):
        ends[name].set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert sorted(order[2:]) == ["cid", "slow 1"]
    while len(order) < 22:
        for event in ends.values():
            event.set()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert (turns._free, turns._waiting, +turns._running) == (2, {}, {})

    turns, order = FairTurns(1), []

    async def come(account: str) -> None:
        async with turns.of(account):
            order.append(account)
            await asyncio.sleep(0)

    await asyncio.gather(*map(come, ["slow"] * 20 + ["ann", "bob"]))
    assert order[:5] == ["slow", "slow", "ann", "bob", "slow"], "who has had a turn waits behind the others"
