"""Examples and worked numbers of the founding documents, in Python's spelling, as a reader would type them.

Shut the Box has its own file, `games/shut_the_box/test_solo.py`; craps' object too, `games/craps/test_document.py`.
The draws of a stream are compared with a second calculation in `unit/test_rng_oracle.py`.
"""

from __future__ import annotations

import time
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from typing import Any

import pytest

import croupier
from croupier import (
    Game,
    GameRng,
    MatchClient,
    MatchResult,
    MatchState,
    Turn,
    act,
    action,
    apply_action,
    bots,
    create_match,
    get_game,
)
from croupier.bots import play_out
from croupier.cli.files import now_ms
from croupier.engine import Rules, deserialize_match, make_record, serialize_match
from croupier.errors import BadSeed, WrongMatch
from croupier.games.craps import (
    BadRoll,
    Bet,
    BetState,
    BetType,
    CrapsGame,
    DiceRoll,
    GamePhase,
    RollSequence,
    calculate_odds_payout,
    roll_dice_from_sources,
    roll_dice_secure,
)
from croupier.rng import seed_bytes
from croupier.sim.simulate import simulate

SEED = bytes(range(32))

# The casino's execution engine.


def test_5_1_a_stream_is_opened_by_seed_session_and_move() -> None:
    block = sha256(SEED + (7).to_bytes(8, "big") + (3).to_bytes(4, "big")).digest()
    rng = GameRng.new(SEED, 7, 3)

    assert (rng.state(), rng.index) == (block, 0)
    assert GameRng.from_state(block).next_u32() == rng.next_u32()
    with pytest.raises(TypeError, match=r"GameRng\.new\(seed"):
        GameRng(SEED, 7, 3)


# Craps.


@pytest.mark.parametrize(
    ("dice", "outcome", "payout"),
    [
        ((3, 4), BetState.WON, 20),
        ((5, 6), BetState.WON, 20),
        ((1, 1), BetState.LOST, 0),
        ((1, 2), BetState.LOST, 0),
        ((6, 6), BetState.LOST, 0),
    ],
)
def test_the_come_out_wins_or_loses_and_stays(dice: tuple[int, int], outcome: BetState, payout: int) -> None:
    game = CrapsGame("g", "ann")
    game.place_bet("ann", Bet(BetType.PASS, 10))

    (decided,) = game.process_roll(DiceRoll(*dice))

    assert (decided.outcome, decided.payout, game.phase) == (outcome, payout, "come_out")


@pytest.mark.parametrize("point", [4, 5, 6, 8, 9, 10])
def test_a_point_is_set_made_and_sevened_out(point: int) -> None:
    dice = DiceRoll(point - point // 2, point // 2)
    game = CrapsGame("g", ["ann", "bob"])
    game.process_roll(dice)
    assert (game.phase, game.point, game.series_id) == (GamePhase.POINT, point, 0)
    game.process_roll(dice)
    assert (game.phase, game.point, game.series_id, game.hot_roller_streak) == (GamePhase.COME_OUT, None, 1, 1)
    assert game.fire_points == {point}
    game.process_roll(dice)
    game.process_roll(DiceRoll(3, 4))
    assert (game.phase, game.point, game.series_id, game.hot_roller_streak) == (GamePhase.COME_OUT, None, 2, 0)
    assert (game.fire_points, game.bonus_numbers, game.come_points["ann"]) == (set(), set(), {})


def test_a_seven_out_and_a_made_point_cascade() -> None:
    """The eight effects of the one, come bets lost and don't come bets won among them; the other goes on."""
    game = CrapsGame("g", ["ann", "bob"])
    game.process_roll(DiceRoll(2, 2))
    game.place_bet("ann", Bet(BetType.COME, 10))
    game.place_bet("bob", Bet(BetType.DONT_COME, 10))
    game.process_roll(DiceRoll(3, 3))
    assert (game.come_points["ann"], game.dont_come_points["bob"]) == ({6: 10}, {6: 10})
    lost, won = game.clone().process_roll(DiceRoll(3, 4))
    assert (lost.bet_type, lost.payout, won.bet_type, won.payout) == (BetType.COME, 0, BetType.DONT_COME, 20)

    game.process_roll(DiceRoll(1, 3))  # the point is made: special bets and come bets go on
    assert (game.hot_roller_streak, game.fire_points, game.bonus_numbers) == (1, {4}, {4, 6})
    won, lost = game.process_roll(DiceRoll(2, 4))
    assert (won.payout, lost.payout, game.come_points["ann"], game.point) == (20, 0, {}, 6)
    game.process_roll(DiceRoll(3, 4))
    assert (game.phase, game.point, game.series_id, game.hot_roller_streak) == (GamePhase.COME_OUT, None, 2, 0)
    assert (game.fire_points, game.bonus_numbers, game.dont_come_points["bob"]) == (set(), set(), {})


@pytest.mark.parametrize(
    ("kind", "dice", "profit"),
    [("ANY_7", (3, 4), 40), ("FIELD", (1, 1), 20), ("FIELD", (6, 6), 20), ("FIELD", (4, 5), 10)],
)
def test_the_casino_pays_what_the_table_says(kind: str, dice: tuple[int, int], profit: int) -> None:
    """4 to 1 for Any 7, 2 to 1 for the ends of the Field; `field_triple` makes the 12 pay 3 to 1."""
    game = CrapsGame("g", "ann")
    game.place_bet("ann", Bet(BetType[kind], 10))

    assert [one.profit for one in game.process_roll(DiceRoll(*dice))] == [profit]
    assert sum(each < 64 for each in BetType) == 64


def test_dice_are_fair_in_expectation_and_variance() -> None:
    """1/6 a face, 7/2 and 35/12; 252 bytes of 256 count, so that a byte is thrown away with chance 4/256."""
    faces = range(1, 7)
    mean = Fraction(sum(faces), 6)

    assert mean == Fraction(7, 2)
    assert sum((face - mean) ** 2 for face in faces) / 6 == Fraction(35, 12)
    assert [sum(byte % 6 + 1 == face for byte in range(252)) for face in faces] == [42] * 6
    assert (256 % 6, f"{4 / 256:.2%}", round(float(Fraction(35, 12)), 2)) == (4, "1.56%", 2.92)
    assert 1 <= roll_dice_secure().die1 <= 6
    assert roll_dice_from_sources([bytes([1] * 32), bytes([2] * 32)]) == DiceRoll(5, 1)


@pytest.mark.parametrize(
    ("point", "amount", "pays"),
    [(4, 10, 20), (10, 10, 20), (5, 10, 15), (9, 10, 15), (6, 10, 12), (8, 10, 12), (5, 3, 4), (6, 4, 4)],
)
def test_odds_pay_what_the_block_says_rounded_down(point: int, amount: int, pays: int) -> None:
    assert calculate_odds_payout(point, amount) == pays


def test_a_sequence_of_rolls_counts_patterns() -> None:
    sequence = RollSequence([DiceRoll(3, 3), DiceRoll(2, 4)])

    assert len(sequence.rolls) == 2
    assert sequence.patterns["total:6"] == 2
    with pytest.raises(BadRoll):
        RollSequence(keep=0)


# The match engine.


class Counter(Game[dict]):
    """Add one or two; whoever reaches five wins."""

    id, name = "counter-of-the-document", "Counter"
    players = (2, 2)
    starting_phase = "play"

    def setup(self, table: Any) -> dict[str, Any]:
        return {"count": 0}

    def validate(self, game: dict[str, Any], action: Any, ctx: Turn) -> Any:
        return Rules.all(
            Rules.require_current_player(ctx),
            Rules.require_phase(ctx, "play"),
            Rules.require(game["count"] < 5, "You cannot do that yet."),
        )

    @action()
    def add(self, game: dict[str, Any], ctx: Turn, by: int = 1) -> None:
        game["count"] += by  # a reducer edits the state
        ctx.events.end_turn()

    def legal(self, game: dict[str, Any], turn: Any) -> Any:
        return iter([act("add", by=1), act("add", by=2)])

    def end_if(self, game: dict[str, Any], ctx: Turn) -> MatchResult | None:
        return MatchResult("win", (ctx.actor,), "five") if game["count"] >= 5 else None


def test_the_lifecycle_of_the_document_with_its_json() -> None:
    """A `Game[dict]`, players and actions with the document's keys, from version 0 to the result."""
    game = Counter()
    state: MatchState[Any] = create_match(game, [{"id": "ann"}, {"id": "bot", "name": "Bot", "isBot": True}], seed=42)
    assert (state.status, state.version, state.turn.current) == ("active", 0, "ann")
    assert [player.is_bot for player in state.players] == [False, True]

    first = apply_action(game, state, {"type": "add", "payload": {"by": 2}})
    assert first.ok
    assert (first.state.version, first.state.turn.turn_number, first.state.turn.current) == (1, 2, "bot")
    wrong = apply_action(game, first.state, {"type": "add", "playerId": "ann"})
    assert not wrong.ok
    assert wrong.state is first.state
    second = apply_action(game, first.state, {"type": "add", "payload": {"by": 3}, "playerId": "bot"})
    assert second.ok
    assert (second.state.status, second.state.result) == ("finished", MatchResult("win", ("bot",), "five"))
    assert state.game == {"count": 0}
    assert deserialize_match(serialize_match(second.state), game) == second.state


@pytest.mark.parametrize("seed", [SEED, 42, "forty-two"])
def test_a_seed_is_bytes_a_number_or_a_text_everywhere(seed: Any) -> None:
    box = get_game("shut-the-box")
    match = create_match(box, ["ann"], seed=seed)

    assert match.rng_state.seed == seed_bytes(seed).hex()
    assert create_match(box, ["ann"], seed=seed_bytes(seed)) == match
    assert MatchClient.start(box, ["ann"], seed=seed).get_state() == match
    assert play_out(box, ["random"], seed, bot_seed=seed).base.rng_state == match.rng_state
    told = seed_bytes(seed).hex()
    assert bots.simulate(box, ["random"], 1, seed).seed == told
    assert bots.run_arena(box, ["random", "first"], 2, seed).seed == told
    assert simulate(box, rounds=1, seed=seed, bots=["random"]).seed == told
    assert simulate(get_game("roulette"), rounds=1, seed=seed, by_engine=True).seed == told


def test_a_text_is_hashed_under_a_tag_of_its_own() -> None:
    assert seed_bytes("forty-two") == sha256(b"croupier: a seed in words\0forty-two").digest()
    assert seed_bytes(42) == bytes(7) + b"\x2a"
    for bad in (-1, 2**64, 1.5, True, None, bytearray(4), "\ud800"):
        with pytest.raises(BadSeed):
            seed_bytes(bad)  # type: ignore[arg-type]


def test_create_match_asks_for_a_seed_and_shells_draw_one() -> None:
    box = get_game("shut-the-box")
    with pytest.raises(TypeError):
        create_match(box, ["ann"])  # type: ignore[call-arg]

    clients = [MatchClient.start(box, ["ann"]), play_out(box, ["random"]), play_out(box, ["random"])]

    seeds = [client.base.rng_state.seed for client in clients]
    assert len(set(seeds)) == 3  # 2**-256 that two are equal
    assert all(len(seed) == 64 for seed in seeds)
    assert make_record(box, clients[1].base, clients[1].get_log()).seed == seeds[1]


def test_updated_at_is_the_time_of_whoever_hosts() -> None:
    times = iter((1000, 2000, 3000))
    client = MatchClient.start(get_game("shut-the-box"), ["ann"], seed=1, clock=lambda: next(times))
    assert client.get_state().updated_at == 1000
    client.dispatch({"type": "roll"})

    assert client.get_state().updated_at == 2000
    assert client.get_log()[0].at == 2000
    assert client.fork().clock is client.clock
    assert abs(now_ms() - time.time() * 1000) < 10_000


def test_a_client_has_state_and_log_and_calls_listeners_of_both_kinds() -> None:
    client = MatchClient.start(get_game("shut-the-box"), ["ann"], seed=1)
    heard: list[int] = []
    client.subscribe(lambda: heard.append(-1))
    client.subscribe(lambda match: heard.append(match.version))
    client.dispatch({"type": "roll"})

    assert (heard, client.listener_errors) == ([-1, 1], [])
    assert (client.state, client.log) == (client.get_state(), client.get_log())
    with pytest.raises(WrongMatch, match="deserialize_match"):
        client.replace_state({"version": 9})  # type: ignore[arg-type]


def test_a_reason_is_a_text() -> None:
    reason: Any = Rules.all(Rules.require(True, "x"), Rules.require(False, "You cannot do that yet.", code="early"))

    assert (reason, reason.code, bool(reason)) == ("You cannot do that yet.", "early", False)


@pytest.mark.parametrize(
    ("package", "names"),
    [
        ("house", "GameSession GameType Player GameError InvalidMove init_game apply_modifiers get_super_mode_fee"),
        ("engine", "PlayerInfo TurnState RandomSource serialize_match"),
        ("games.craps", "CrapsGame Bet BetType DiceRoll GamePhase BetResolution GameCrypto roll_dice_secure"),
        ("games.lanes", "Deck Hand CardHydrator BoardState LegalityChecker apply_pawns_for_you effect_engine"),
    ],
)
def test_the_documents_names_are_found_at_the_top_as_well(package: str, names: str) -> None:
    found = import_module(f"croupier.{package}")

    assert all(getattr(croupier, name) is getattr(found, name) for name in names.split())
    assert (croupier.house, croupier.hilo) == tuple(map(import_module, ("croupier.house", "croupier.games.hi_lo")))
    with pytest.raises(AttributeError):
        croupier.no_such_thing  # noqa: B018
    with pytest.raises(ImportError):
        exec("from croupier.games import no_such_game", {})
    with pytest.raises(ImportError, match=r"croupier.house has a move's .* croupier.engine"):
        exec("from croupier import GameResult", {})


MODULES = """house.cards=kit.cards house.limits=house.catalogue house.logging=house.results games.hilo=games.hi_lo
house.serialization=engine.plain house.super_mode=house.supermode games.three_card=games.three_card_poker
games.ultimate_holdem=games.ultimate_texas_holdem"""


@pytest.mark.parametrize(("alias", "real"), [pair.split("=") for pair in MODULES.split()])
def test_a_module_is_imported_by_the_documents_name(alias: str, real: str) -> None:
    """`from croupier.house.super_mode import get_super_mode_fee` as well as `from croupier.house import super_mode`."""
    name = next(
        one
        for one, value in vars(import_module(f"croupier.{real}")).items()
        if one[0] != "_" and hasattr(value, "__module__")
    )
    found: dict[str, Any] = {}
    exec(f"import croupier.{alias}\nfrom croupier.{alias} import {name}\nwhole = croupier.{alias}", found)

    assert found["whole"] is import_module(f"croupier.{real}")
    assert found[name] is getattr(found["whole"], name)


def test_an_action_is_marked_with_or_without_parentheses() -> None:
    """The reducer's `ctx.random` is the stream of the move."""

    class Roller(Game[dict]):
        id, name, players = "roller", "Roller", (1, 1)

        def setup(self, ctx: Any) -> dict[str, Any]:
            return {"die": 0}

        @action
        def roll(self, game: dict[str, Any], ctx: Any) -> dict[str, Any]:
            return {"die": ctx.random.roll_die()}

    game = Roller()
    match = create_match(game, ["ann"], seed=7)
    rolled = apply_action(game, match, {"type": "roll"})

    assert rolled.ok
    assert rolled.state.game == {"die": GameRng.new(bytes.fromhex(match.rng_state.seed), 0, 1).roll_die()}
