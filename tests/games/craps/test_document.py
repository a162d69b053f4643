"""The craps document's object as its reader would type it: equality, clones, JSON, the steps of a roll, its prices."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import timedelta
from fractions import Fraction

import pytest

from croupier.errors import BadDocument
from croupier.games.craps import (
    MAX_HISTORY,
    Bet,
    BetResolution,
    BetState,
    BetType,
    CrapsGame,
    DiceRoll,
    EntropyContribution,
    GameCrypto,
    GamePhase,
    HopBet,
    InvalidBet,
    OddsBet,
    RateLimiter,
    odds,
)
from croupier.games.craps.options import CrapsOptions

DOCUMENT = CrapsOptions(pay_table="document")


def point_game() -> CrapsGame:
    """A table with ann, bob and cy, the point 6, and a bet of most kinds."""
    game = CrapsGame("g", ["ann", "bob", "cy"])
    game.place_bet("ann", Bet(BetType.PASS, 10))
    game.place_bet("bob", Bet(BetType.DONT_PASS, 10))
    game.place_bet("cy", Bet(BetType.FIRE, 1))
    game.process_roll(DiceRoll(2, 4))
    game.place_bet("bob", Bet(BetType.COME, 10))
    game.place_bet("cy", Bet(BetType.FIELD, 5))
    game.place_bet("ann", OddsBet(BetType.PASS, 20, 6))
    game.place_bet("cy", HopBet.hard(2, 5))
    return game


def test_bets_are_found_by_type_through_a_live_view() -> None:
    game = point_game()
    view = game.player_bets

    assert view["ann"][BetType.PASS] == Bet(BetType.PASS, 10)
    assert view["ann"][BetType.ODDS_PASS].amount == 20
    assert BetType.PASS in view["ann"]
    assert BetType.FIELD not in view["ann"]
    with pytest.raises(KeyError):
        view["ann"][BetType.FIELD]
    with pytest.raises(KeyError):
        view["dan"]
    game.place_bet("ann", Bet(BetType.FIELD, 5))
    assert BetType.FIELD in view["ann"]
    assert list(view) == ["ann", "bob", "cy"]
    assert len(view) == 3
    bets, laid = view["ann"], Bet(BetType.PASS, 10)
    assert bets.get(BetType.PASS) == bets.get((BetType.PASS, 0)) == laid
    assert (bets.get(BetType.COME), bets.get((BetType.PASS, 6)), bets.get("pass", 5)) == (None, None, 5)
    game.process_roll(DiceRoll(3, 6))
    assert view["bob"][BetType.COME].number == 9
    assert game.come_points["bob"] == {9: 10}


def test_reading_one_players_bets_builds_nobody_elses() -> None:
    asked: list[str] = []

    class Counting(CrapsGame):  # type: ignore[misc]
        def get_player_bets(self, player):
            asked.append(player)
            return super().get_player_bets(player)

    game = Counting("g", [f"p{number}" for number in range(5000)])
    game.place_bet("p7", Bet(BetType.PASS, 10))

    assert game.player_bets["p7"][BetType.PASS].amount == 10
    assert asked == ["p7"]


@pytest.mark.parametrize("twin_of", [CrapsGame.clone, copy.copy, copy.deepcopy])
def test_a_clone_is_equal_and_shares_nothing(twin_of) -> None:
    game = point_game()
    before = json.dumps(game.to_dict())
    twin = twin_of(game)
    assert twin == game

    twin.place_bet("bob", Bet(BetType.FIELD, 5))
    assert BetType.FIELD not in game.player_bets["bob"]
    twin.process_roll(DiceRoll(3, 4))
    twin.place_bet("ann", Bet(BetType.PASS, 5))

    assert twin != game
    assert json.dumps(game.to_dict()) == before
    assert (len(game.roll_history), len(twin.roll_history)) == (1, 2)


def test_equality_sees_bets_rolls_shooter_and_options() -> None:
    assert CrapsGame("g", "ann") == CrapsGame("g", ["ann"])  # one player may be named by text
    assert CrapsGame("g", "ann") != CrapsGame("h", "ann")
    assert CrapsGame("g", "ann") != CrapsGame("g", "ann", CrapsOptions())
    assert CrapsGame(game_id="g", shooter="ann") == CrapsGame.new("g", "ann")
    assert CrapsGame("g", "ann") != "g"
    with pytest.raises(TypeError):
        hash(CrapsGame("g", "ann"))


def test_a_game_goes_to_json_and_back_and_plays_on_alike() -> None:
    game = point_game()
    text = json.dumps(game.to_dict())
    again = CrapsGame.from_dict(json.loads(text))

    assert again == game
    assert again.process_roll(DiceRoll(2, 2)) == game.process_roll(DiceRoll(2, 2))
    assert again == game


@pytest.mark.parametrize(
    "change", [{"shooter": "dan"}, {"seats": {}}, {"participants": []}, {"table": {"phase": "lunch"}}, {"more": 1}]
)
def test_plain_data_that_is_no_game_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadDocument):
        CrapsGame.from_dict({**point_game().to_dict(), **change})


ROLLS = [DiceRoll(die1, die2) for die1 in range(1, 7) for die2 in range(1, 7)]


@pytest.mark.parametrize("roll", ROLLS)
def test_the_steps_of_the_document_in_its_order_are_process_roll(roll: DiceRoll) -> None:
    """History, trackers, the bets of the phase, those of one roll, the phase: the pipeline of the text."""
    whole, steps = point_game(), point_game()

    steps.track_roll(roll)
    steps.update_special_tracking(roll)
    assert steps.resolve_comeout_roll(roll) == []
    resolved = steps.resolve_point_roll(roll) + steps.resolve_one_roll_bets(roll)
    steps.update_phase(roll.total())

    def key(one):
        return one.player, one.bet_type

    assert sorted(resolved, key=key) == sorted(whole.process_roll(roll), key=key)
    assert steps == whole


def test_resolving_changes_nothing_and_asks_for_its_phase() -> None:
    game = CrapsGame("g", "ann")
    game.place_bet("ann", Bet(BetType.PASS, 10))
    before = game.clone()

    (won,) = game.resolve_comeout_roll(DiceRoll(6, 5))
    (lost,) = game.resolve_comeout_roll(DiceRoll(1, 1))

    assert won == BetResolution.Won(player="ann", bet_type=BetType.PASS, amount=10, payout=20)
    assert (won.outcome, won.profit) == (BetState.WON, 10)
    assert (lost.outcome, lost.payout) == ("lost", 0)
    assert game.resolve_comeout_roll(DiceRoll(2, 2)) == []
    assert game.resolve_point_roll(DiceRoll(6, 5)) == []
    assert game == before


def test_the_trackers_follow_the_document() -> None:
    game = CrapsGame("g", "ann")
    game.update_phase(6)
    assert (game.phase, game.point) == (GamePhase.POINT, 6)

    game.update_special_tracking(DiceRoll(3, 3))
    assert (game.fire_points, game.bonus_numbers, game.repeater_counts) == ({6}, {6}, {6: 1})
    assert game.hardway_streak == {6: 1}
    easy = game.clone()
    easy.update_special_tracking(DiceRoll(2, 4))
    assert (easy.hardway_streak, easy.repeater_counts) == ({}, {6: 2})
    assert (game.phase, game.hot_roller_streak) == (GamePhase.POINT, 0)  # the phase moves last, the streak with it
    game.update_phase(6)
    assert (game.phase, game.point, game.series_id, game.hot_roller_streak) == (GamePhase.COME_OUT, None, 1, 1)
    assert game.fire_points == {6}  # special bets go on

    for total in (8, 8, 9):  # without a roll that was tracked too
        game.update_phase(total)
    assert (game.point, game.hot_roller_streak, game.series_id) == (9, 2, 2)
    game.update_phase(7)
    assert (game.fire_points, game.bonus_numbers, game.hot_roller_streak, game.series_id) == (set(), set(), 0, 3)


def test_history_is_bounded_by_the_documents_name() -> None:
    game = CrapsGame("g", "ann")
    for _ in range(1005):
        game.process_roll(DiceRoll(6, 6))

    assert (game.roll_count, len(game.roll_history)) == (1005, MAX_HISTORY) == (1005, 1000)


def test_a_bet_works_or_is_off() -> None:
    game = point_game()
    game.place_bet("cy", Bet(BetType.YES_8, 6))
    assert game.bet_state("cy", BetType.YES_8) is BetState.WORKING
    game.process_roll(DiceRoll(3, 3))  # a come-out: place bets are off by habit

    assert game.bet_state("cy", BetType.YES_8) is BetState.OFF
    with pytest.raises(InvalidBet):
        game.bet_state("cy", BetType.YES_4)


def test_a_rate_limiter_keeps_the_smallest_interval() -> None:
    limiter = RateLimiter(min_interval=timedelta(seconds=2))

    assert [limiter.allow("ann", now) for now in (10.0, 11.9, 12.0, 13.0)] == [True, False, True, False]
    assert limiter.allow("bob", 13.0)
    assert limiter.last_bet_time == {"ann": 12.0, "bob": 13.0}
    assert [RateLimiter(min_interval=1, clock=lambda: 5.0).allow("ann") for _ in range(2)] == [True, True]
    hourly = RateLimiter(min_interval=3600)  # by the clock of the machine, where no time is given
    assert [hourly.allow("ann"), hourly.allow("bob"), hourly.allow("ann")] == [True, True, False]


def test_a_resolution_is_won_lost_or_a_push() -> None:
    """Bets of the phase come before those of one roll, whoever laid them; a player who bets sits down."""
    game = CrapsGame.new("g", "ann")
    game.place_bet("ann", Bet(BetType.FIELD, 10))
    for kind in (BetType.PASS, BetType.WORLD):
        game.place_bet("bob", Bet(kind, 10))
    rolled = game.process_roll(DiceRoll(3, 4))

    assert [(one.player, one.bet_type.name, type(one).__name__, one.outcome, one.profit) for one in rolled] == [
        ("bob", "PASS", "Won", BetState.WON, 10),
        ("ann", "FIELD", "Lost", BetState.LOST, -10),
        ("bob", "WORLD", "Push", BetState.PUSH, 0),
    ]
    assert isinstance(rolled[0], BetResolution.Won)
    assert pickle.loads(pickle.dumps(rolled)) == rolled
    assert game.participants == ["ann", "bob"]


def test_odds_are_on_the_point_that_they_name() -> None:
    game = point_game()
    game.remove_bet("ann", BetType.ODDS_PASS)

    with pytest.raises(InvalidBet, match="odds on 4: the point is 6"):
        game.place_bet("ann", OddsBet(BetType.PASS, 20, 4))


def test_dice_come_from_one_machine_or_from_contributions() -> None:
    sources = [bytes([number] * 32) for number in (1, 2, 3)]
    given = [EntropyContribution(f"p{number}", source, 1, b"") for number, source in enumerate(sources)]

    assert DiceRoll(*GameCrypto.combine_randomness(given)) == CrapsGame.roll_dice_from_sources(sources)
    assert all(1 <= die <= 6 for die in GameCrypto.generate_secure_dice_roll())
    assert (BetType.PLACE_6, BetType.LAY_10, BetType.ANY_SEVEN) == (BetType.YES_6, BetType.NO_10, BetType.NEXT_7)
    assert GamePhase.ComeOut is GamePhase.COME_OUT


def chance_twice(total: int) -> Fraction:
    ways = 6 - abs(total - 7)
    return Fraction(ways, ways + 6) ** 2


def test_the_documents_pay_table_has_its_figures_and_their_edges() -> None:
    edges = {row.bet: row.edge for row in odds.odds(DOCUMENT) if row.policy == "-"}
    pays = {2: 40, 3: 13, 4: 7, 5: 5, 6: 3}

    for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        assert edges[f"repeater:{total}"] == 1 - chance_twice(total) * (1 + pays[min(total, 14 - total)])
    assert (edges["pass"], edges["dont_pass"]) == (Fraction(7, 495), Fraction(3, 220))
    assert (edges["field"], edges["next:7"]) == (Fraction(1, 18), Fraction(1, 6))
    assert (edges["hop:3-3"], edges["hop:1-2"]) == (1 - Fraction(31, 36), 1 - Fraction(2 * 16, 36))
    casino = {row.bet: row.edge for row in odds.odds(CrapsOptions()) if row.policy == "-"}
    differ = {bet for bet in edges if edges[bet] != casino[bet]}
    assert differ == {"fire", *(f"repeater:{total}" for total in (3, 4, 5, 6, 8, 9, 10, 11))}


@pytest.mark.parametrize(("stake", "loss"), [(1, "16.6667"), (5, "3.3333"), (10, "1.6667"), (20, "0.8333")])
def test_small_stakes_lose_what_the_page_says_under_nullspace(stake: int, loss: str) -> None:
    """One 7 in six: five to one, less a chip at least."""
    profit = 5 * stake - max(5 * stake // 100, 1)

    assert f"{float(1 - Fraction(stake + profit, 6 * stake)):.4%}" == f"{loss}%"
    game = CrapsGame("g", "ann", CrapsOptions(pay_table="nullspace"))
    game.place_bet("ann", Bet(BetType.NEXT_7, stake))
    (won,) = game.process_roll(DiceRoll(3, 4))
    assert won.profit == profit
