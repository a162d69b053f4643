"""A test kit for games against the house: sessions, refusals, published sessions, and kernels beside the engine.

>>> from croupier.games.roulette import Roulette
>>> kit = HouseKit(Roulette())
>>> match = kit.do(kit.start(), place("red", 5))
>>> kit.refusal(match, batch({"black": 5}))
'bets_are_down'
>>> plan = kit.game.plan({"red": 5})
>>> kit.same_round(plan, session_id=7).money.staked
5
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from croupier.engine import Action, Match, act, apply_action, create_match, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.house import (
    GameMove,
    HouseGame,
    Instruction,
    MemoryState,
    Plan,
    PlayerAction,
    Register,
    StartGame,
    Terms,
    check_ledger,
    encode_payload,
    execute,
    init_game,
    make_table,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.money import Cover
from croupier.kit.cards import parse_card
from croupier.rng import GameRng
from croupier.rounds import DONE, FACTS, FACTS_MAX, FEES, LINES, NOT_LAID, RETURNED, ROW_SIZE, STAKED

SEED = bytes(range(32))
RUBBISH = 7

Streams = Mapping[int, Any] | Sequence[Any]
"""Streams by move number, in place of those of a seed."""


def place(bet: str, stake: int) -> Any:
    """Return the action that lays chips on a bet."""
    return act("place", bet=bet, stake=stake)


def batch(bets: Mapping[str, int]) -> Any:
    """Return the action that lays several bets and plays at once."""
    return act("batch", bets=[{"bet": bet, "stake": stake} for bet, stake in bets.items()])


def returned(match: Match[Any]) -> dict[str, int]:
    """Return what each settled bet brought back."""
    return {line.bet: line.returned for line in match.game.money.lines}


def lines(match: Match[Any]) -> list[tuple[str, int, int]]:
    """Return the settled bets in their order: bet, stake, return."""
    return [(line.bet, line.stake, line.returned) for line in match.game.money.lines]


def laid(match: Match[Any]) -> list[tuple[str, int]]:
    """Return the bets that lie on the table, with their stakes."""
    return [(stake.bet, stake.stake) for stake in match.game.money.open]


def cards_of(names: str) -> list[int]:
    """Return the cards of names such as `AS 10H`."""
    return [parse_card(name) for name in names.split()]


def dealing(names: str, known: str = "", *, decks: int = 1) -> ScriptedRng:
    """Return a stream that deals these cards in order, from sorted decks without those that are known.

    >>> dealing("2S AS", known="AH").choose(51)
    1
    """
    pack = sorted(decks * list(range(52)))
    for card in cards_of(known):
        pack.remove(card)
    places = []
    for card in cards_of(names):
        places.append(pack.index(card))
        pack[places[-1]] = pack[-1]
        pack.pop()
    return ScriptedRng(places)


def in_super_mode(game: HouseGame[Any]) -> HouseGame[Any]:
    """Return the same game, whose sessions are super sessions wherever none is asked for."""
    terms = Terms(game.sample_terms().stake, True)
    kind: Any = type(f"Super{type(game).__name__}", (type(game),), {"sample_terms": lambda _: terms})
    found: HouseGame[Any] = kind()
    return found


def round_difference(plan: Plan, row: Sequence[int], state: Any) -> str | None:
    """Return None if a kernel's row tells the accounts, lines and facts of a finished state, else where they differ."""
    money = state.money
    accounts = (row[STAKED], row[RETURNED], row[FEES]), (money.staked, money.returned, money.fees)
    if accounts[0] != accounts[1]:
        return f"staked, returned and fees are {accounts[0]} by the kernel, {accounts[1]} by the engine"
    lines: dict[str, int] = {}
    for line in money.lines:
        bet = plan.bet_of(line.bet)
        lines[bet] = lines.get(bet, 0) + line.returned
    for index, bet in enumerate(plan.bets):
        is_late = plan.late >> index & 1 == 1
        if row[LINES + index] != lines.get(bet, NOT_LAID if is_late else None):
            return f"{bet} returned {row[LINES + index]} by the kernel, {lines.get(bet, 'nothing')} by the engine"
    facts = tuple(plan.facts(state))
    if len(facts) > FACTS_MAX:
        return f"there are {len(facts)} facts, and a row has room for {FACTS_MAX}"
    if tuple(row[FACTS : FACTS + len(facts)]) != facts:
        return f"the facts are {tuple(row[FACTS : FACTS + len(facts)])} by the kernel, {facts} by the engine"
    return None


def assert_same_round(plan: Plan, row: list[int], state: Any) -> None:
    """Assert that a kernel's row tells the accounts, lines and facts of a finished state."""
    problem = round_difference(plan, row, state)
    assert problem is None, problem


class HouseKit:
    """One game, and what tests do with it; chance comes from `seed` wherever no stream is given.

    The scratch arrays of a kernel are full of rubbish in every round, unless it keeps things in `work`: then that one
    begins as zeros, and a round finds both as the rounds of the plan before it left them.
    """

    def __init__(
        self, game: HouseGame[Any], *, stake: int = 0, seed: bytes = SEED, keeps_scratch: bool = False
    ) -> None:
        self.game = game
        self.stake = stake
        self.seed = seed
        self._kept: dict[Any, tuple[list[int], list[int]]] | None = {} if keeps_scratch else None

    # Sessions.

    def start(
        self,
        stake: int | None = None,
        *,
        super_mode: bool = False,
        options: Any = None,
        session_id: int = 0,
        cover: Cover | None = None,
        seed: bytes | None = None,
        rng: Any = None,
    ) -> Match[Any]:
        """Return a new match."""
        terms = Terms(self.stake if stake is None else stake, super_mode, cover)
        return create_match(
            self.game, ["ann"], seed=seed or self.seed, session_id=session_id, options=options, host=terms, rng=rng
        )

    def do(self, match: Match[Any], *actions: Any, rng: Any = None, cover: Cover | None = None) -> Match[Any]:
        """Return the match after actions that are all taken."""
        for action in actions:
            answer = apply_action(self.game, match, action, rng=rng, host=cover)
            assert answer.ok, answer.error
            match = answer.state
        return match

    def refusal(self, match: Match[Any], action: Any, cover: Cover | None = None) -> str:
        """Return the code of a refusal that left the match alone and drew nothing."""
        stream = GameRng.new(self.seed, 0, 1)
        answer = apply_action(self.game, match, action, rng=stream, host=cover)
        assert not answer.ok
        assert answer.state is match
        assert stream.bytes_used == 0
        return answer.code

    def opened(
        self,
        stake: int | None = None,
        *,
        session_id: int = 0,
        seed: bytes | None = None,
        options: Any = None,
        super_mode: bool = False,
        rng: Any = None,
    ) -> Any:
        """Return a session with the house that has been opened and settled."""
        seed, stake = self.seed if seed is None else seed, self.stake if stake is None else stake
        session = open_session(
            self.game,
            player="ann",
            session_id=session_id,
            stake=stake,
            seed=seed,
            options=options,
            super_mode=super_mode,
        )
        return settle(*init_game(session, rng or GameRng.new(seed, session_id, 0)))

    def results(self, moves: Iterable[tuple[Any, Any]], stake: int | None = None, **terms: Any) -> list[Any]:
        """Return the result of every move of a session, without its log; a move is an action or bytes, and a stream."""
        session, found = self.opened(stake, **terms), []
        for move, stream in moves:
            payload = move if isinstance(move, bytes) else encode_payload(self.game, move)
            session, result = process_game_move(session, payload, stream)
            session = settle(session, result)
            found.append(replace(result, logs=()))
        return found

    def sessions(
        self,
        count: int,
        actions: Callable[[int], Sequence[Action]],
        *,
        stake: int | None = None,
        options: Sequence[Any] = (None,),
    ) -> list[Any]:
        """Play sessions through the house, every second one in super mode, and return their last states.

        A session takes its actions in order, and the last of them again, until it is complete; the tables have these
        options in turn. After every one the player has the first chips and what was won, less fees.
        """
        tables = {number: make_table(number, self.game, chosen) for number, chosen in enumerate(options)}
        state, told, chips, found = MemoryState(), 0, 1000, []

        def tell(body: Any) -> tuple[Any, ...]:
            nonlocal told
            told += 1
            events = execute(state, Instruction("ann", body), self.seed, told, tables=tables)
            check_ledger(state)
            return events

        tell(Register())
        for session_id in range(count):
            if session_id % 2:
                tell(PlayerAction("super"))
            tell(StartGame(session_id // 2 % len(tables), self.stake if stake is None else stake, session_id))
            waiting, done = list(actions(session_id)), None
            while done is None:
                events = tell(GameMove(session_id, encode_payload(self.game, waiting[0])))
                done = next((event for event in events if type(event).__name__ == "GameCompleted"), None)
                waiting = waiting[1:] or waiting
            chips += done.net - done.fees
            assert done.balances.chips == chips
            found.append(state.values[f"session/{session_id}"].match.game)
        check_ledger(state, thorough=True)
        return found

    # Text and bots.

    def told(self, match: Match[Any], action: Any, rng: Any = None) -> str:
        """Return the log line of an action that is taken."""
        answer = apply_action(self.game, match, action, rng=rng)
        assert answer.ok, answer.error
        return self.game.describe(answer.action, match, answer.state)

    def rendered(self, match: Match[Any]) -> list[str]:
        """Return the lines that the table shows, with their markup."""
        return self.game.render(view_for(self.game, match, match.players[0].id)).splitlines()

    def shown(self, match: Match[Any]) -> list[str]:
        """Return the lines that the table shows, as plain text."""
        return [re.sub(r"\[[a-z/ ]*\]", "", line).rstrip() for line in self.rendered(match)]

    def chosen(self, match: Match[Any]) -> dict[str, str]:
        """Return the action that each bot takes."""
        view, legal = view_for(self.game, match, match.players[0].id), legal_actions(self.game, match)
        return {name: bot(view, legal, GameRng.new(b"", 0, 0)).type for name, bot in self.game.bots.items()}

    # Published sessions.

    def published(self, case: Mapping[str, Any], *, in_order: bool = True) -> Any:
        """Play a published session, move by move from its payloads, and return it; its accounts are those published.

        Lines are compared in the order the bets were settled in, unless that is not published.
        """
        session = self.opened(
            case.get("stake", 0),
            session_id=int(case["session_id"]),
            seed=bytes.fromhex(case["seed"]),
            options=case.get("options"),
            super_mode=case["super"],
        )
        result: Any = None
        for payload in case["moves"]:
            session, result = process_game_move(session, bytes.fromhex(payload))
            session = settle(session, result)
        assert session.is_complete
        assert type(result).__name__ == case.get("result", type(result).__name__)
        money = session.money
        lines = [[line.bet, line.stake, line.returned] for line in money.lines]
        published = case["lines"]
        assert lines == published if in_order else sorted(lines) == sorted(published), (lines, published)
        assert (money.staked, money.returned, money.fees) == (case["staked"], case["returned"], case["fees"])
        return session

    # Kernels.

    def by_kernel(
        self,
        plan: Plan,
        session_id: int = 0,
        streams: Streams | None = None,
        kernel: tuple[Callable[..., int], int] | None = None,
    ) -> list[int]:
        """Return the row of a round that the kernel of a plan plays, or another one of it: a step and a work size."""
        step, size = kernel or (plan.step, plan.work_size)
        row, (work, spare) = [0] * max(plan.row_size, ROW_SIZE), self._scratch((plan, step), size)
        move = plan.first_move
        while True:
            stream = GameRng.new(self.seed, session_id, move) if streams is None else streams[move]
            move = step(stream, move, row, plan.kinds, plan.numbers, plan.stakes, plan.options, work, spare)
            if move == DONE:
                return row

    def _scratch(self, key: Any, size: int) -> tuple[list[int], list[int]]:
        if self._kept is None:
            return [RUBBISH] * size, [RUBBISH] * size
        return self._kept.setdefault(key, ([0] * size, [RUBBISH] * size))

    def by_engine(
        self, plan: Plan, session_id: int = 0, options: Any = None, streams: Streams | None = None
    ) -> Match[Any]:
        """Return the same round as the engine plays it."""
        first = streams.get(0) if isinstance(streams, Mapping) else None
        match = create_match(
            self.game, ["ann"], seed=self.seed, session_id=session_id, options=options, host=plan.terms, rng=first
        )
        while match.status == "active":
            action = plan.policy(view_for(self.game, match, "ann"), (), GameRng.new(b"", 0, 0))
            match = self.do(match, action, rng=None if streams is None else streams[match.version + 1])
        return match

    def same_round(
        self,
        plan: Plan,
        session_id: int = 0,
        options: Any = None,
        kernel: tuple[Callable[..., int], int] | None = None,
    ) -> Any:
        """Return the final state of a round that kernel and engine play alike, to the last chip and fact."""
        state = self.by_engine(plan, session_id, options).game
        assert_same_round(plan, self.by_kernel(plan, session_id, kernel=kernel), state)
        return state
