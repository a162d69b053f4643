"""Thousands of random evenings at the casino. Invariant: no chip appears or vanishes (see `evenings`)."""

from collections import Counter

import pytest

from croupier.house import (
    CasinoError,
    CloseSession,
    Deposit,
    GameMove,
    Instruction,
    MemoryState,
    PlayerAction,
    Register,
    StartGame,
    execute,
)
from croupier.house.game import HouseTurn
from croupier.house.instructions import GameCompleted
from croupier.house.money import Till
from tests.unit.house import evenings
from tests.unit.house.evenings import PLAYERS, START

# How often those who have staked go on, and by which opcodes.
GOING_ON = {
    "probe-coin": (0.6, (1, 1, 1, 2)),
    "probe-wheel": (0.6, (1, 1, 2)),
    "probe-ladder": (0.8, (1, 1, 3)),
    "probe-card": (1, (0,)),
    "probe-war": (1, (0, 0, 1, 1, 2)),
}


class Evening(evenings.Evening):
    """A random sequence of instructions."""

    def stake(self):
        return self.rng.choice((1, 4, 5, 10, 10, 25, 50, 100, 100, 200, 505, 1000, 5000, 20_000, 2**63 - 1))

    def payload(self, session):
        """Return bytes for a move, mostly sensible ones."""
        rng = self.rng
        if rng.random() < 0.05:
            return rng.randbytes(rng.randrange(12))
        stake = self.stake().to_bytes(8, "big")
        how_often, opcodes = GOING_ON.get(session.game_id, (0, b""))
        if session.money.open and rng.random() < how_often:
            return bytes((1, rng.choice(opcodes)))
        match session.game_id:
            case "probe-coin":
                return b"\x01\x00" + bytes((rng.randrange(2),)) + stake
            case "probe-wheel":
                bets = [rng.choice((b"\x00\x00", b"\x01\x00", b"\x02\x03", b"\x02\x07")) for _ in range(3)]
                if rng.random() < 0.5:
                    return b"\x01\x00" + bets[0] + stake
                count = rng.randrange(1, 4)
                batch = b"".join(bet + self.stake().to_bytes(8, "big") for bet in bets[:count])
                return b"\x01\x04" + bytes((count,)) + batch
            case _:
                return b"\x01\x00" + bytes((rng.randrange(1, 4),)) + stake

    def body(self):
        rng = self.rng
        what = rng.random()
        running = self.running()
        if what < 0.18:
            return PlayerAction(rng.choice(("shield", "double", "super")))
        if what < 0.22:
            return Deposit(rng.choice((0, 1, 500, 1000, 1001)))
        if what < 0.25:
            return Register("Somebody")
        if what < 0.30 and self.sessions:
            self.time += rng.choice((0, 3_600_000, 86_400_000))
            return CloseSession(rng.choice(self.sessions))
        if what < 0.50 or not running:
            table = rng.randrange(5)
            stake = self.stake() if table in (2, 3) else 0
            return StartGame(table, stake, rng.randrange(1, 8))
        session_id = rng.choice(running)
        return GameMove(session_id, self.payload(self.session(session_id)))

    def step(self):
        rng = self.rng
        body = self.body()
        player = rng.choice(PLAYERS)
        if isinstance(body, GameMove) and rng.random() < 0.95:
            player = self.session(body.session_id).player
        return self.do(player, body)


@pytest.fixture(scope="module")
def registered_players(tables):
    """Return the values of a state in which both players are registered, to begin evenings with."""
    state = MemoryState()
    for player in PLAYERS:
        execute(state, Instruction(player, Register(player)), b"", START, tables=tables)
    return state.values


def play_evenings(tables, values, numbers):
    """Play evenings of 5 to 12 instructions; return how often each thing happened."""
    seen = Counter[str]()
    for number in numbers:
        evening = Evening(number, tables, values if number % 10 else None)
        for _ in range(evening.rng.randrange(5, 13)):
            for event in evening.step():
                seen[type(event).__name__] += 1
                if isinstance(event, GameCompleted):
                    seen.update(flag for flag in ("was_shielded", "was_doubled", "fees") if getattr(event, flag))
                elif isinstance(event, CasinoError):
                    seen[event.reason] += 1
        if number % 10 == 1:
            evening.replay()
    return seen


def test_four_thousand_evenings_conserve_every_chip(tables, registered_players):
    """And a tenth of them, replayed from their logs, give equal events and equal state."""
    seen = play_evenings(tables, registered_players, range(4_000))
    for name in (
        "GameCompleted",
        "GameStarted",
        "was_shielded",
        "was_doubled",
        "fees",
        "ModifierToggled",
        "Deposited",
        "LeaderboardUpdated",
        "insufficient_funds",
        "over_limit",
        "super_stake",
        "session_exists",
        "session_not_owned",
        "no_bets",
        "not_abandoned",
        "finished",
    ):
        assert seen[name] >= 50, f"{name} came up {seen[name]} times: the evenings test too little"


@pytest.mark.soak
def test_a_hundred_thousand_more_evenings_conserve_every_chip(tables, registered_players):
    play_evenings(tables, registered_players, range(4_000, 110_000))


def test_long_evenings_conserve_every_chip(tables, registered_players):
    for number in range(20):
        evening = Evening(f"long {number}", tables, registered_players)
        for _ in range(150):
            evening.step()
        evening.replay()


def test_the_board_agrees_with_the_ledger_all_evening(tables, registered_players):
    """Also when one player closes the session of the other."""
    closed = 0
    for number in range(300):
        evening = Evening(f"board {number}", tables, registered_players)
        for _ in range(12):
            evening.step()
            closed += isinstance(evening.log[-1][0].body, CloseSession)
            chips = [(player, evening.state.get(f"balance/player/{player}")) for player in PLAYERS]
            best_first = tuple(sorted(chips, key=lambda entry: (-entry[1], entry[0])))
            assert evening.state.get("leaderboard") == best_first
    assert closed > 50


def test_every_stake_is_taken_before_anything_is_drawn(tables, registered_players, monkeypatch):
    """The till and the stream are watched: in no move does a stake follow a draw, and a refused move draws nothing."""
    takes, drawn, refused_after, turns = [], [], [], []
    take, begin = Till.take, HouseTurn.begin

    def watched_begin(self, game, state):
        turns.append(self)
        begin(self, game, state)

    def watched_take(self, *args):
        rng = turns[-1]._rng if turns and turns[-1].till is self else None
        takes.append(0 if rng is None else rng.bytes_used)
        take(self, *args)

    monkeypatch.setattr(HouseTurn, "begin", watched_begin)
    monkeypatch.setattr(Till, "take", watched_take)
    for number in range(200):
        evening = Evening(f"watched {number}", tables, registered_players)
        for _ in range(12):
            turns.clear()
            events = evening.step()
            used = [turn._rng.bytes_used for turn in turns if turn._rng is not None]
            if isinstance(events[0], CasinoError):
                refused_after += used
            drawn += used
    assert len(takes) > 500
    assert set(takes) == {0}
    assert sum(count > 0 for count in drawn) > 200
    assert not any(refused_after)
