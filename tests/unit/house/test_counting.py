"""Odds counted through the engine: the odds sheets of six games by a second way, and rounds worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import engine
from croupier.engine.chance import every_draw
from croupier.errors import DrawError
from croupier.games.baccarat import Baccarat
from croupier.games.casino_war import CasinoWar
from croupier.games.casino_war import rules as casino_war_rules
from croupier.games.craps.rules import ids
from croupier.house import HouseGame
from croupier.house.counting import (
    TooManyOutcomes,
    _absorbed,
    _Graph,
    count_round,
    counted_row,
    counted_rows,
    row_of_sums,
    sums_of,
)
from croupier.house.odds import SOURCES, row_key, with_sources
from tools.odds_checks import SHIPPED, Checks, exists, kept_checks, shipped_sources

WHOLE = ("win", "push", "lose", "edge", "edge_per_chip", "variance")
F = Fraction


def get_game(game_id: str) -> Any:
    """Return a game of the house; each has more than the type says."""
    return engine.get_game(game_id)


def figures(row):
    return {name: getattr(row, name) for name in WHOLE}


@pytest.mark.parametrize(
    ("game_id", "options", "count"),
    [
        ("roulette", None, 157),
        ("roulette", {"zero_rule": "la_partage"}, 157),
        ("roulette", {"zero_rule": "en_prison"}, 157),
        ("roulette", {"zero_rule": "en_prison_repeat"}, 157),
        ("roulette", {"zero_rule": "double_zero"}, 161),
        ("sic-bo", None, 119),
        ("sic-bo", {"pay_table": "atlantic_city"}, 119),
    ],
)
def test_every_bet_of_a_table_is_worth_what_its_sheet_says(game_id, options, count, checks):
    """The sheets count pockets and rolls with the rules; this plays each through the engine and its accounts."""
    game = get_game(game_id)
    chosen = game.read_options(options)
    sheet = {row.bet: figures(row) for row in game.odds(chosen)}

    counted = {row.bet: figures(row) for row in counted_rows(game, chosen)}

    assert counted == sheet
    assert len(counted) == count
    checks("count", game_id, game.odds(chosen))


def craps_bets(pay_table):
    game = get_game("craps")
    for row in game.odds({"pay_table": pay_table}):
        code = game.codes.codes.get(row.bet, (0, 0))[0]
        if not row.refused and row.bet in game.codes.codes and not ids.needs_trackers(code) and not ids.is_come(code):
            yield row


# Stakes that no price of the table rounds, by the limits that hold for a bet.
STAKES = {
    "casino": {ids.TABLE_LIMITS: 1320, ids.PROP_LIMITS: 60, ids.SIDE_LIMITS: 60},
    "nullspace": {ids.TABLE_LIMITS: 3000, ids.PROP_LIMITS: 300, ids.SIDE_LIMITS: 100},
    "bitcraps": {ids.TABLE_LIMITS: 3000, ids.PROP_LIMITS: 300, ids.SIDE_LIMITS: 100},
}


@pytest.mark.parametrize(
    "pay_table", ["casino", *(pytest.param(name, marks=pytest.mark.soak) for name in ("nullspace", "bitcraps"))]
)
def test_bets_of_craps_that_wait_for_their_roll_are_solved_as_equations(pay_table, checks):
    """The dice may go on for ever; the sheet has absorbing chains, this has the engine's own states and elimination."""
    game, wrong, count = get_game("craps"), {}, 0
    for row in craps_bets(pay_table):
        if row.policy not in ("-", "no_odds") or row.bet.startswith("odds"):
            continue
        stake = STAKES[pay_table][ids.LIMITS_OF[game.codes.codes[row.bet][0]]]
        counted = counted_row(game, {row.bet: stake}, "", {"pay_table": pay_table}, limit=3000)
        count += 1
        checks("count", "craps", [row])
        if figures(counted) != figures(row):
            wrong[row.bet] = figures(row), figures(counted)
    assert wrong == {}
    assert count > 60


# A commission of hi-lo in hundredths of a percent: a stake of ten thousand rounds nothing.
@pytest.mark.parametrize("options", [None, {"tie_pushes": False}, {"commission_bps": 0}])
def test_a_guess_and_three_guesses_of_hi_lo_are_worth_what_its_sheet_says(options, checks):
    game = get_game("hi-lo")
    for policy in ("one_guess", "three_guesses"):
        (sheet,) = [row for row in game.odds(options) if (row.bet, row.policy) == ("stake", policy)]
        assert figures(counted_row(game, {"stake": 1_000_000}, policy, options)) == figures(sheet)
        checks("count", "hi-lo", [sheet])


# Cards: what matters of them is named, and those that are alike are counted once.


class CountedWar(CasinoWar):
    """Casino war by ranks. All ties are one: how a war goes on does not depend on the rank that tied."""

    def position(self, state):
        return state.outcome

    def counted_pack(self, state, options):
        pack = [card for card in range(52) for _ in range(6)]
        for card in () if state is None else (*state.player, *state.dealer):
            pack.remove(card)
        return [card % 13 for card in pack]


WAR_TABLES = [None, {"second_tie_bonus": False}, {"tie_pays": 11}]


def check_war(options):
    """Compare the main bet under both policies and the tie bet; return how many rows that is."""
    game = CountedWar()
    sheet = {(row.bet, row.policy): figures(row) for row in CasinoWar().odds(options)}
    found = {
        ("main", policy): figures(counted_row(game, {"main": 10}, policy, options, limit=1_000_000))
        for policy in ("always_war", "always_surrender")
    }
    plan = game.plan({"main": 10, "tie": 10}, "always_surrender", options)
    tie = sums_of(count_round(game, plan, options), "tie")
    found["tie", "-"] = figures(row_of_sums("tie", "-", 10, tie))
    assert found == sheet


@pytest.mark.parametrize("options", WAR_TABLES, ids=str)
def test_casino_war_without_burned_cards_is_worth_what_its_sheet_says(options, monkeypatch, checks):
    """Nobody sees the three cards that a war burns, so without them it is worth as much; the soak burns them."""
    monkeypatch.setattr(casino_war_rules, "BURN_COUNT", 0)
    check_war(options)
    checks("count", "casino-war", CasinoWar().odds(options))


@pytest.mark.soak
@pytest.mark.parametrize("options", WAR_TABLES, ids=str)
def test_casino_war_is_worth_what_its_sheet_says(options):
    """Every two cards of the shoe, and after a tie every three to burn and every two of those that are left."""
    check_war(options)


def test_ties_of_every_rank_go_on_alike(monkeypatch):
    """As `CountedWar.position` says: counted with the rank in the position, the endings have the same chances."""
    monkeypatch.setattr(casino_war_rules, "BURN_COUNT", 0)
    game, plan = CountedWar(), CountedWar().plan({"main": 10}, "always_war")
    merged = count_round(game, plan)
    monkeypatch.setattr(CountedWar, "position", lambda self, state: [state.outcome, [c % 13 for c in state.player]])
    assert count_round(game, plan) == merged


class CountedBaccarat(Baccarat):
    """Baccarat by what cards count; pairs, which ask for more, are left out."""

    def counted_pack(self, state, options):
        return [min(card % 13 + 1, 10) for card in range(52) for _ in range(8)]

    def bet_lists(self, options):
        yield {bet: 2520 for bet in self.codes.codes if "pair" not in bet}


@pytest.mark.soak
@pytest.mark.parametrize("options", [None, {"tie_pays": 8}], ids=str)
def test_the_bets_of_baccarat_on_totals_are_worth_what_their_sheet_says(options, checks):
    """Every six cards of eight packs by value: some 400,000 rounds through the engine, two minutes."""
    game = CountedBaccarat()
    sheet = {row.bet: figures(row) for row in Baccarat().odds(options) if "pair" not in row.bet}
    counted = {row.bet: figures(row) for row in counted_rows(game, game.read_options(options), 1_000_000)}
    assert counted == sheet
    assert len(counted) == 7
    checks("count", "baccarat", [row for row in Baccarat().odds(options) if "pair" not in row.bet])


def test_cards_that_are_alike_are_drawn_once_with_the_chance_of_all():
    """Two of five cards, three of them red: 3/5 * 2/4 and so on, worked out by hand."""

    def two(rng):
        deck = [1, 1, 1, 2, 2]
        return rng.draw_card(deck), rng.draw_card(deck)

    found = {drawn: chance for chance, _, drawn in every_draw(two, pack=[1, 1, 1, 2, 2])}
    assert found == {(1, 1): F(3, 10), (1, 2): F(3, 10), (2, 1): F(3, 10), (2, 2): F(1, 10)}


# What a loop comes to, worked out by hand.


def test_play_that_comes_back_to_where_it_was_is_solved_and_not_followed_for_ever():
    """Half the time it ends with the first ending; else it goes to and fro until it leaves with the second."""
    first, second = (("a", 1, 2),), (("a", 1, 0),)
    following: list[dict[Any, Fraction]] = [{first: F(1, 2), 1: F(1, 2)}, {0: F(1, 3), 1: F(1, 3), second: F(1, 3)}]

    found = _absorbed({0: F(1)}, following)

    assert found == {first: F(2, 3), second: F(1, 3)}  # x = 1/2 + x / 4, for each visit returns with chance 1/4


def test_a_round_that_never_ends_is_told_and_not_divided_by_nothing():
    with pytest.raises(TooManyOutcomes, match="never ends"):
        _absorbed({0: F(1)}, [{1: F(1)}, {0: F(1)}])


def test_more_ways_than_the_limit_are_told_with_what_to_do_instead():
    game = get_game("baccarat")
    with pytest.raises(TooManyOutcomes, match=r"Baccarat can fall in more than 100 ways: simulate"):
        count_round(game, game.plan({"player": 10}), limit=100)


def test_ways_are_given_up_when_too_many_are_known_and_never_for_a_guess():
    """One first value of 500 leads to 900 ways, the others to one each: 1,399, whichever of them is looked at first."""
    game, plan = get_game("roulette"), get_game("roulette").plan({"red": 10})

    def skewed(rng):
        return [rng.next_bounded(30) for _ in range(2)] if rng.next_bounded_usize(500) == 0 else []

    assert sum(chance for chance, _ in _Graph(game, plan, 1_399)._ways(skewed, ())) == 1
    with pytest.raises(TooManyOutcomes, match="more than 1398 ways"):
        list(_Graph(game, plan, 1_398)._ways(skewed, ()))


def test_a_hand_of_cards_is_given_up_long_before_so_many_were_dealt():
    """Every run tells what else could have been drawn: five cards of 52 pass a limit of 100,000 after a few runs."""
    runs = 0

    def five(rng):
        nonlocal runs
        runs += 1
        deck = list(range(52))
        return [rng.draw_card(deck) for _ in range(5)]

    with pytest.raises(DrawError, match="more than 100000 outcomes"):
        list(every_draw(five))
    assert runs < 2_000


# What odds say they were checked by: every claim is a test's that exists, of a row with these very figures.


def red():
    game = get_game("roulette")
    assert isinstance(game, HouseGame)
    return next(row for row in game.odds() if row.bet == "red")


def test_every_claim_is_made_by_a_test_that_exists():
    """A test compares its rows with the list when it runs (the fixture `checks`)."""
    assert [check.test for check in kept_checks() if not exists(check.test)] == []
    assert {check.source for check in kept_checks()} == set(SOURCES)
    assert SHIPPED.read_text() == shipped_sources(kept_checks())
    assert not exists("tests/unit/house/test_counting.py::test_of_another_name")


def test_a_claim_is_of_the_figures_and_not_of_the_bet_alone():
    """A row whose edge is off by one in a million was checked by nobody."""
    row = red()
    wrong = replace(row, edge=row.edge + Fraction(1, 10**6), checked=())

    assert set(row.checked) >= {"count", "closed form", "published", "simulation"}
    assert with_sources("roulette", [wrong], False) == (wrong,)
    assert with_sources("roulette", [replace(row, checked=())], True)[0].checked == ()


def test_a_test_that_compares_other_rows_than_the_list_says_fails(monkeypatch):
    monkeypatch.delenv("CROUPIER_ODDS_CHECKS", raising=False)
    told = next(check for check in kept_checks() if check.game == "roulette")
    for rows in ([], [red()]):
        other = Checks(told.test)
        if rows:
            other(told.source, "roulette", rows)
        with pytest.raises(AssertionError, match="tools/odds_checks"):
            other.finish()
    with pytest.raises(AssertionError, match="compares nothing"):
        Checks("tests/x.py::test_y")("count", "roulette", [])


def test_keys_are_of_one_row_each():
    game = get_game("craps")
    assert isinstance(game, HouseGame)
    rows = game.odds()
    assert len({row_key("craps", row, False) for row in rows}) == len(rows)
