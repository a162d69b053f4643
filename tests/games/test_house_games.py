"""One suite over every house game there is: bytes of every kind, whole evenings, and records of all of it.

Positions are found by playing at random, so a new game is covered from the day it is registered. Chance here has fixed
seeds; nothing is sampled that could come out otherwise tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest
from msgspec.structs import replace

from croupier import house
from croupier.engine import (
    Action,
    LogEntry,
    act,
    get_game,
    legal_actions,
    list_games,
    make_record,
    read_record,
    state_digest,
    verify,
    write_record,
)
from croupier.engine.transition import trial_turn
from croupier.house.game import house_game
from croupier.house.money import Cover
from croupier.rng import GameRng
from croupier.testing import HouseKit
from tests.unit.house import evenings
from tests.unit.house.evenings import PLAYERS

SEED = bytes(range(32))
HOUSE_GAMES = [game_id for game_id in list_games() if isinstance(get_game(game_id), house.HouseGame)]
# Less than some bets cost, so that every limit is met.
COVER, EXPOSURE = Cover(funds=600, stake_min=1, stake_max=500), 2_000
WALKS, WALK_LENGTH = 40, 12
BATCH_REASONS = {"bet_twice", "bets_are_down", "exposure_limit", "insufficient_funds", "no_bets", "over_limit"}
FAULTS = {"game_fault", "invalid_state", "no words"}  # a payload that brought the game down, or got no answer


def option_sets(game: house.HouseGame[Any]) -> list[Any]:
    """Return the default options, and for each switch or choice a set with another value of it."""
    found = [game.read_options(None)]
    for field in msgspec.structs.fields(type(found[0])) if isinstance(found[0], msgspec.Struct) else ():
        choices = get_args(field.type) if get_origin(field.type) is Literal else ()
        if field.type is bool:
            choices = (False, True)
        now = getattr(found[0], field.name)
        found += [replace(found[0], **{field.name: choice}) for choice in choices if choice != now]
    return found


@cache
def walks(game_id: str) -> tuple[tuple[list[house.Session], list[Action]], ...]:
    """Return sessions played at random, plain and super, under every choice of options: each state, each action."""
    game, rng = house_game(game_id), Random(f"positions {game_id}")
    kit, found = HouseKit(game, stake=game.sample_terms().stake, seed=SEED), []
    for number in range(WALKS):
        options, is_super = rng.choice(option_sets(game)), number % 2 == 1
        states, actions = [kit.opened(session_id=number, options=options, super_mode=is_super)], []
        for _ in range(WALK_LENGTH):
            match = states[-1].match
            assert match is not None
            legal = legal_actions(game, match)
            if not legal:
                break
            actions.append(rng.choice(legal))
            session, result = house.process_game_move(states[-1], actions[-1])
            states.append(house.settle(session, result))
        found.append((states, actions))
    return tuple(found)


def positions(game_id: str) -> list[house.Session]:
    return [session for states, _ in walks(game_id) for session in states]


@cache
def valid_payloads(game_id: str) -> tuple[bytes, ...]:
    """Return the bytes of every legal action met in those positions, and of batches, one with a bet named twice."""
    game = house_game(game_id)
    found: dict[bytes, None] = {}
    for session in positions(game_id):
        assert session.match is not None
        for action in legal_actions(game, session.match):
            found[house.encode_payload(game, action)] = None
    if "batch" in game.actions:
        for stake in (5, 400):
            bets = [{"bet": bet, "stake": stake} for bet in game.usual_bets()]
            found[house.encode_payload(game, act("batch", bets=bets))] = None
            found[house.encode_payload(game, act("batch", bets=bets + bets[:1]))] = None
    return tuple(found)


def payloads(game_id: str, count: int) -> Iterator[bytes]:
    """Yield random bytes, and valid payloads with a few of their bytes changed, cut off or added."""
    rng, valid = Random(f"payloads {game_id}"), valid_payloads(game_id)
    by_opcode: dict[int, list[bytes]] = {}
    for payload in valid:
        by_opcode.setdefault(payload[1], []).append(payload)
    opcodes = sorted(by_opcode)
    for number in range(count):
        if number % 5 == 0:
            yield bytes([1]) * (number % 2) + rng.randbytes(rng.randrange(24))
            continue
        data = bytearray(rng.choice(by_opcode[rng.choice(opcodes)]))
        for _ in range(rng.randrange(3)):
            data[rng.randrange(len(data))] = rng.choice((rng.randrange(11), rng.randrange(256)))
        if rng.random() < 0.2:
            data = data[: rng.randrange(len(data) + 1)]
        elif rng.random() < 0.1:
            data += rng.randbytes(rng.randrange(1, 5))
        yield bytes(data)


def try_payloads(game_id: str, count: int) -> tuple[int, set[str]]:
    """Return how many payloads were moves, and the reasons why the others were not."""
    game, tables = house_game(game_id), positions(game_id)
    rng = Random(f"tables {game_id}")
    digests = [state_digest(table.match) for table in tables if table.match]
    accepted, reasons, drawn_by_refusals = 0, set(), []
    for payload in payloads(game_id, count):
        session = rng.choice(tables)
        stream = GameRng.new(SEED, session.id, session.move_count + 1)
        try:
            # The house stands for what lies on the table already, whatever it is.
            lying = sum(stake.most for stake in session.money.open)
            cover = replace(COVER, exposure_max=EXPOSURE + lying)
            after, _ = house.process_game_move(session, payload, stream, cover=cover)
        except house.GameError as error:
            reasons.add(error.reason if str(error) else "no words")
            drawn_by_refusals.append(stream.bytes_used)
            continue
        accepted += 1
        assert after.move_count == session.move_count + 1
        assert house.encode_payload(game, house.decode_payload(game, payload)) == payload
        money = after.money
        assert money.staked == sum(stake.stake for stake in money.open) + sum(line.stake for line in money.lines)
        assert money.returned == sum(line.returned for line in money.lines)
        assert not (after.is_complete and money.open)
    assert [state_digest(table.match) for table in tables if table.match] == digests
    assert not any(drawn_by_refusals)
    return accepted, reasons


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_bytes_are_a_move_or_a_clear_error_that_changed_and_drew_nothing(game_id):
    count = 20_000 if game_id == "sic-bo" else 5_000  # hardly any of its bets can return more than the exposure
    accepted, reasons = try_payloads(game_id, count)

    assert accepted > count / 20
    assert {"invalid_payload", "finished"} <= reasons
    assert not reasons & FAULTS
    if "batch" in house_game(game_id).actions:
        assert reasons >= BATCH_REASONS


@pytest.mark.soak
@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_a_hundred_thousand_payloads_are_moves_or_clear_errors(game_id):
    accepted, reasons = try_payloads(game_id, 100_000)

    assert accepted > 4_000
    assert not reasons & FAULTS


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_positions_cover_both_modes_and_reach_the_end(game_id):
    """The suite above is worth as much as the positions it starts from."""
    found = positions(game_id)
    game = house_game(game_id)
    used = {house.decode_payload(game, payload).type for payload in valid_payloads(game_id)}

    assert {session.super_mode for session in found} == {False, True}
    assert sum(session.is_complete for session in found) >= 5
    assert len({state_digest(session.match) for session in found if session.match}) > 20
    assert len(used) >= min(3, len(game.actions))


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_sessions_leave_records_that_verify_and_lies_do_not(game_id):
    game = house_game(game_id)
    finished = [walk for walk in walks(game_id) if walk[0][-1].is_complete]
    assert len(finished) >= 5
    for states, actions in finished[:8]:
        start = states[0].match
        assert start is not None
        log = [LogEntry(action, version) for version, action in enumerate(actions, 1)]
        record = make_record(game, start, log)
        assert verify(write_record(record)).ok
        assert read_record(write_record(record)) == record
        assert record.digests[-1] == state_digest(states[-1].match)  # type: ignore[arg-type]
        for lie in (
            {"session_id": record.session_id + 1},
            {"digests": (*record.digests[:-1], "00" * 32)},
            {"actions": record.actions[:-1]},
            {"super": not record.super},
        ):
            assert not verify(replace(record, **lie)).ok


# Evenings at the default tables.

STAKES = (1, 5, 10, 25, 100, 200, 505, 20_000, 2**63 - 1)


class Evening(evenings.Evening):
    """A casino with every game at its default table, and players who do whatever comes to mind."""

    def __init__(self, number: int) -> None:
        super().__init__(f"evening {number}")
        for player in PLAYERS:
            self.do(player, house.Register(player))

    def step(self) -> None:
        rng = self.rng
        running = self.running()
        what = rng.random()
        if what < 0.1:
            self.do(rng.choice(PLAYERS), house.PlayerAction(rng.choice(("shield", "double", "super"))))
        elif what < 0.15 and self.sessions:
            self.time += rng.choice((0, 3_600_000))
            self.do(rng.choice(PLAYERS), house.CloseSession(rng.choice(self.sessions)))
        elif what < 0.35 or not running:
            table = rng.choice(list(house.default_catalogue(trusts_own=True).values()))
            stake = rng.choice(STAKES) if house_game(table.game_id).opens_with_stake else 0
            self.do(rng.choice(PLAYERS), house.StartGame(table.id, stake, len(self.sessions) + rng.randrange(2)))
        else:
            session = self.session(rng.choice(running))
            self.do(session.player, house.GameMove(session.id, self.payload(session)))

    def payload(self, session: house.Session) -> bytes:
        rng, game = self.rng, house_game(session.game_id)
        assert session.match is not None
        legal = legal_actions(game, session.match)
        if rng.random() < 0.1 or not legal:
            return rng.choice(valid_payloads(session.game_id))
        return house.encode_payload(game, rng.choice(legal))


def play_evenings(numbers: range) -> set[str]:
    """Play evenings and return the games of which a session was completed."""
    completed = set()
    for number in numbers:
        evening = Evening(number)
        for _ in range(40):
            evening.step()
        evening.replay()
        completed |= {evening.session(number).game_id for number in {*evening.sessions} - {*evening.running()}}
    return completed


def test_evenings_with_every_game_conserve_every_chip_and_replay():
    assert play_evenings(range(12)) == set(HOUSE_GAMES)


@pytest.mark.soak
def test_a_thousand_evenings_with_every_game_conserve_every_chip_and_replay():
    assert play_evenings(range(12, 1040)) == set(HOUSE_GAMES)


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_an_abandoned_session_ends_by_its_auto_action_without_taking_more_chips(game_id):
    game = house_game(game_id)
    for session in positions(game_id):
        match = session.match
        assert match is not None
        seen = [match]
        while seen[-1].status == "active" and seen[-1].game.money.open:
            turn_action = game.auto_action(seen[-1].game, trial_turn(game, seen[-1], "ann"))
            assert turn_action is not None
            session, result = house.process_game_move(session, turn_action)
            session = house.settle(session, result)
            assert session.match is not None
            seen.append(session.match)
            assert len(seen) < 1000
        for before, after in pairwise(seen):
            assert after.game.money.staked <= before.game.money.staked, "nobody was there to stake more"
