"""Games of many bets and one draw, and the probes themselves under the conformance kit."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.engine import Action, Range, act, action, apply_action, create_match, legal_actions
from croupier.engine.legal import legal_ranges
from croupier.errors import BadGame
from croupier.house import (
    GameError,
    GameType,
    HouseState,
    HouseTurn,
    Line,
    OddsRow,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.money import Stake
from croupier.house.odds import row_from_returns
from croupier.house.table_game import TableGame
from croupier.rng import GameRng
from croupier.testing import check_game

SEED = bytes(32)


def begin(game, options=None, *, super_mode=False):
    session = open_session(game, player="ann", session_id=1, seed=SEED, options=options, super_mode=super_mode)
    session, result = init_game(session, GameRng.new(SEED, 1, 0))
    return settle(session, result)


def after(session, *actions, seed=None):
    for move in actions:
        session, result = process_game_move(session, move, seed=seed)
        session = settle(session, result)
    return session


def refusal(session, move):
    with pytest.raises(GameError) as no:
        process_game_move(session, move)
    return no.value.reason


def place(bet, stake=1):
    return act("place", bet=bet, stake=stake)


def batch(*bets):
    return act("batch", bets=[{"bet": bet, "stake": stake} for bet, stake in bets])


def test_bets_are_laid_one_by_one_and_one_draw_settles_them(probes, oracle):
    session = after(begin(probes.wheel), place("even", 10), place("number:4", 5), place("even", 1))
    assert session.money.open == (Stake("even", 11, 22), Stake("number:4", 5, 45))
    four = oracle.seed(lambda pocket: pocket == 4, 1, 4, 10)
    assert after(session, act("spin"), seed=four).money.lines == (Line("even", 11, 22), Line("number:4", 5, 45))
    zero = oracle.seed(lambda pocket: pocket == 0, 1, 4, 10)
    assert after(session, act("spin"), seed=zero).money.lines == (Line("even", 11, 0), Line("number:4", 5, 0))


def test_a_batch_is_laid_and_decided_in_one_move(probes, oracle):
    seven = oracle.seed(lambda pocket: pocket == 7, 1, 1, 10)
    session = after(begin(probes.wheel), batch(("odd", 10), ("number:7", 2), ("even", 3)), seed=seven)
    assert session.money.lines == (Line("odd", 10, 20), Line("number:7", 2, 18), Line("even", 3, 0))
    assert (session.is_complete, session.move_count) == (True, 1)


def test_a_batch_is_as_strict_as_laying_one_by_one(probes):
    session = begin(probes.wheel, {"has_zero": False})
    assert refusal(session, place("number:0")) == "unknown_bet"
    assert refusal(session, batch(("even", 1), ("number:0", 1))) == "unknown_bet"
    assert refusal(session, place("red")) == "unknown_bet"
    assert refusal(session, batch(("red", 1))) == "unknown_bet"
    assert refusal(session, batch(("even", 1), ("even", 1))) == "bet_twice"
    assert refusal(session, batch(("even", 1), ("odd", 1), ("number:1", 1), ("number:2", 1))) == "too_many_bets"
    assert refusal(after(session, place("even")), batch(("odd", 1))) == "bets_are_down"
    assert session == begin(probes.wheel, {"has_zero": False})


def test_no_more_bets_than_the_most_but_more_chips_on_those_that_lie(probes):
    session = after(begin(probes.wheel), place("even"), place("odd"), place("number:1"))
    assert refusal(session, place("number:2")) == "too_many_bets"
    session = after(session, place("odd", 5))
    assert [stake.stake for stake in session.money.open] == [1, 6, 1]


def test_nothing_can_be_drawn_or_taken_back_where_nothing_lies(probes):
    session = begin(probes.wheel)
    assert refusal(session, act("spin")) == "no_bets"
    assert refusal(session, act("clear")) == "no_bets"
    cleared = after(session, place("even", 10), act("clear"))
    assert (cleared.money.open, cleared.money.staked) == ((), 0)
    assert refusal(cleared, act("spin")) == "no_bets"


def test_only_eligible_bets_pay_the_fee_and_are_boosted(probes):
    session = after(begin(probes.wheel, super_mode=True), place("even", 7), place("number:3", 10))
    assert session.money.open == (Stake("even", 7, 14), Stake("number:3", 10, 90, True))
    assert session.money.fees == 2
    assert refusal(session, place("number:3", 7)) == "super_stake"


def test_hints_are_legal_and_stakes_have_a_range(probes):
    for super_mode, low, high, step in ((False, 1, 5000, 1), (True, 5, 5000, 5)):
        match = begin(probes.wheel, super_mode=super_mode).match
        assert match
        assert legal_ranges(probes.wheel, match) == {"place": {"stake": Range(low, high, step)}}
        assert {found.type for found in legal_actions(probes.wheel, match)} == {"place"}
        match = after(begin(probes.wheel, super_mode=super_mode), place("even", 5)).match
        assert match
        assert {found.type for found in legal_actions(probes.wheel, match)} == {"place", "spin", "clear"}


def test_time_running_out_plays_the_round(probes):
    session = after(begin(probes.wheel), place("even", 5), Action("time_out"))
    assert session.is_complete


def test_a_table_game_must_say_the_most_a_bet_returns():
    class Blank(HouseState, frozen=True):
        pass

    class Silent(TableGame[Blank]):
        id, name = "probe-silent", "Silent"
        game_type = GameType.HI_LO
        codes = None  # type: ignore[assignment]

        def setup(self, table):
            return Blank()

        @action(opcode=0)
        def go(self, state: Blank, turn: HouseTurn) -> Blank:
            return state

    with pytest.raises(BadGame, match="most"):
        Silent().most_returned("red", 1, None, False)


@pytest.mark.parametrize("name", ["coin", "wheel", "card", "war", "ladder"])
def test_the_probes_keep_every_law_of_the_conformance_kit(probes, name):
    """So that what these tests find is the house's doing and not theirs."""
    report = check_game(getattr(probes, name), seeds=2, limit=5000)
    assert report.findings == ()


def test_the_audit_of_a_state_finds_chips_that_are_on_no_line(probes):
    match = after(begin(probes.wheel), place("even", 5)).match
    assert match
    state = match.game
    assert probes.wheel.audit(state) is None
    for forged in (replace(state.money, staked=6), replace(state.money, returned=1), replace(state.money, open=())):
        assert probes.wheel.audit(replace(state, money=forged))


def test_a_player_cannot_leave_chips_on_the_table(probes):
    match = create_match(probes.wheel, ["ann"], seed=SEED)
    match = apply_action(probes.wheel, match, place("even", 5)).state
    answer = apply_action(probes.wheel, match, Action("leave"))
    assert not answer.ok
    assert answer.code == "bets_open"


# What an odds sheet is made of.


def test_a_row_of_odds_counts_chances_and_edge():
    row = row_from_returns("red", {2: Fraction(18, 37), 1: Fraction(1, 37), 0: Fraction(18, 37)})
    chances = (Fraction(18, 37), Fraction(1, 37), Fraction(18, 37))
    assert row == OddsRow("red", "-", *chances, Fraction(0), Fraction(0), variance=Fraction(36, 37))
    assert row.plain() == {
        "bet": "red",
        "policy": "-",
        "win": "18/37",
        "push": "1/37",
        "lose": "18/37",
        "edge": "0/1",
        "edge_per_chip": "0/1",
        "method": "exact",
        "variance": "36/37",
    }


@given(weights=st.dictionaries(st.fractions(0, 40, max_denominator=5), st.integers(1, 50), min_size=1, max_size=6))
def test_the_edge_is_the_stake_less_what_comes_back_on_average(weights):
    whole = sum(weights.values())
    row = row_from_returns("bet", {returned: Fraction(weight, whole) for returned, weight in weights.items()})
    assert row.win + row.push + row.lose == 1
    average = sum((returned * weight for returned, weight in weights.items()), Fraction(0)) / whole
    assert row.edge == row.edge_per_chip == 1 - average


def test_chances_that_do_not_add_up_are_a_bug():
    with pytest.raises(AssertionError, match="add up"):
        row_from_returns("red", {2: Fraction(1, 2), 0: Fraction(1, 3)})
