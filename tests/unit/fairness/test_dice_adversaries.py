"""Adversaries at a table of shared dice gain nothing, or less than it costs them; a gain would be seen.

The bet is a chip on seven at 5 to 1, which wins one time in six. Samples are drawn with fixed seeds: 200 rolls here,
400 where a gain must be told from chance, 100,000 in `make soak`. A count passes within 4.5 standard deviations of what
its chance says; a count that is as it should be fails once in 147,000 times (both sides of a normal distribution).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest

from croupier.fairness.dice.machine import step
from tools.adversaries import SCENARIOS, Tally, simulate, simulation

SIGMAS = Fraction(9, 2)
SEVEN = Fraction(1, 6)

# What each trick of a player comes to besides its sixth of wins, for n rolls.
PLAYERS: dict[str, Callable[[Tally, int], bool]] = {
    "honest": lambda t, n: t.void_count == t.forfeited == 0 and not t.dropped,
    "withholder": lambda t, n: t.forfeited == t.void_count and is_likely(t.void_count, n, 1 - SEVEN),
    "late-opener": lambda t, n: t.forfeited == t.void_count == t.dropped["wrong_round"] > n // 2,
    "latecomer": lambda t, n: t.forfeited == 0 < t.void_count == t.bought_count == n == t.dropped["wrong_round"],
    "equivocator": lambda t, n: t.forfeited == 1000 * n,
    "replayer": lambda t, n: t.forfeited == t.void_count == 0 and t.dropped["wrong_round"] > n,
    "early-opener": lambda t, n: t.forfeited == 0 < t.void_count == t.bought_count == n,
    "copier": lambda t, n: t.forfeited == t.void_count == t.dropped["wrong_secret"] == t.bought_count == n,
    "objector": lambda t, n: t.forfeited == 0 < t.void_count == t.bought_count == n,
    "forger": lambda t, n: t.forfeited == t.void_count == 0 and t.dropped["bad_signature"] >= n,
}
SILENCED = {"silent-bank": "bank_missing", "hidden-bank": "bank_missing", "two-faced-table": "two_closes"}
LEFT_OUT = ["dropping-table", "censoring-table"]
GAINS_SHOWN = {
    "naive": Fraction(11, 36),
    "naive-two-partners": Fraction(91, 216),
    "bonds-alone": Fraction(11, 36),
}


def sizes(rolls: int) -> pytest.MarkDecorator:
    """Give a test so many rolls, and those of the soak."""
    return pytest.mark.parametrize("rolls", [rolls, pytest.param(100_000, marks=pytest.mark.soak)])


def is_likely(count: int, trials: int, chance: Fraction) -> bool:
    """Tell whether a count is within the bound of what the chance says."""
    return (count - trials * chance) ** 2 <= SIGMAS**2 * trials * chance * (1 - chance)


@cache
def play(name: str, rolls: int, scheme: str = "test-mac") -> Tally:
    return simulate(SCENARIOS[name], rolls, seed=b"adversaries", scheme=scheme)


def test_every_scenario_is_looked_at():
    others = {"overlooking-table", "framing-table", "framing-partners", "colluder", "colluder-fixed-fee", "bank-first"}

    assert {*PLAYERS, *SILENCED, *LEFT_OUT, *GAINS_SHOWN, *others} == set(SCENARIOS)


# Players.


def assert_no_gain(name: str, tally: Tally, rolls: int) -> None:
    """A bet that is not decided is bought out at its stake; one that is decided is won one time in six."""
    assert tally.rolls + tally.bought_count == rolls
    assert is_likely(tally.wins, tally.rolls, SEVEN), f"{tally.wins} of {tally.rolls}"
    assert tally.net == 6 * tally.wins - tally.rolls - tally.forfeited
    assert PLAYERS[name](tally, rolls), tally
    assert tally.complaints == {}


@sizes(200)
@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_who_cheats_wins_no_more_often_than_one_in_six(name, rolls):
    assert_no_gain(name, play(name, rolls), rolls)


@pytest.mark.parametrize("name", PLAYERS)
def test_nobody_gains_with_real_signatures_either(name):
    """A thousand rolls of Ed25519 between them."""
    assert_no_gain(name, play(name, 112, "ed25519"), 112)


# Tables.


@sizes(200)
@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_table_that_leaves_out_whom_it_bets_against_gains_nothing_and_is_found_out_every_time(name, rolls):
    """No bet is decided by dice that its owner had no part in: a partner who grinds the roll grinds it for nobody."""
    tally = play(name, rolls)

    assert (tally.bought_count, tally.rolls, tally.net) == (rolls, 0, 0)
    assert tally.complaints == {"commit_dropped": rolls}
    assert tally.void_count == rolls


@sizes(200)
def test_a_table_whose_partner_objects_to_what_the_openings_show_is_too_late(rolls):
    """Openings follow OPEN, and objections precede it: by the time the roll is known nothing makes it void for free."""
    tally = play("overlooking-table", rolls)

    assert tally.rolls == rolls
    assert is_likely(tally.wins, rolls, 1 - SEVEN), f"{tally.wins} of {rolls}"
    assert tally.void_count == tally.forfeited == 0
    assert tally.complaints == {}


@sizes(200)
@pytest.mark.parametrize("name", SILENCED)
def test_a_bank_that_refuses_a_roll_forfeits_what_the_roll_would_have_cost(name, rolls):
    """It never loses a bet: but each one that it would have lost costs five chips all the same, and the table."""
    tally = play(name, rolls)

    assert tally.rolls + tally.closed_count == rolls
    assert tally.wins == tally.rolls == tally.profit
    assert is_likely(tally.closed_count, rolls, SEVEN)
    assert tally.forfeited == 5 * tally.closed_count
    assert sum(tally.complaints.values()) == 2 * tally.closed_count  # both players complain, of what was done
    assert set(tally.complaints) == {SILENCED[name]}


# In league with the bank.


@sizes(200)
def test_a_player_in_league_with_the_bank_loses_by_it(rolls):
    """Seven is refused once: it falls one time in 36. The refusal costs six chips: 5/6 - 1 = -1/6 a roll."""
    tally = play("colluder", rolls)

    assert is_likely(rolls - tally.wins, rolls, SEVEN**2)
    assert is_likely(tally.void_count, rolls, SEVEN)
    assert tally.forfeited == 6 * tally.void_count
    assert rolls < 1000 or abs(Fraction(tally.net, rolls) + Fraction(1, 6)) < Fraction(1, 20)


@sizes(200)
def test_for_a_small_fee_a_player_in_league_with_the_bank_gains(rolls):
    """The known limit of a fee alone, and the reason why the table pays as well: a fee of 1 buys a second roll."""
    tally = play("colluder-fixed-fee", rolls)

    assert is_likely(rolls - tally.wins, rolls, SEVEN**2)
    assert tally.forfeited == tally.void_count
    assert tally.net > rolls // 2


@sizes(200)
def test_a_table_that_frames_a_player_pays_what_the_roll_would_have_cost(rolls):
    """Lateness leaves no proof, so it costs the table, too. Whoever is framed knows at once."""
    tally = play("framing-table", rolls)

    assert tally.rolls + tally.closed_count == rolls
    assert tally.wins == tally.rolls == tally.profit
    assert tally.forfeited == 5 * tally.complaints["reveal_ignored"]
    assert is_likely(tally.closed_count, rolls, SEVEN**2)  # both players framed: nobody is left to roll with
    assert rolls < 1000 or abs(Fraction(tally.net, rolls)) < Fraction(1, 20)
    assert tally.void_count >= tally.closed_count


@sizes(200)
def test_a_table_with_a_seat_of_its_own_does_not_earn_the_fee_of_a_player_it_frames(rolls):
    """The bettor is blamed whenever the roll is bad: that costs the cover of 5, and nobody gets the fee of 3."""
    tally = play("framing-partners", rolls)

    assert tally.wins == tally.rolls == tally.profit
    assert tally.complaints == {"reveal_ignored": tally.bought_count}
    assert tally.forfeited == 5 * tally.bought_count + 3 * tally.closed_count  # its own seat framed: the fee is gone
    assert rolls < 1000 or abs(Fraction(tally.net, rolls)) < Fraction(3, 20)  # three standard errors


# Were there a gain, it would be seen.


@sizes(400)
@pytest.mark.parametrize("name", GAINS_SHOWN)
def test_whoever_knows_the_roll_and_can_refuse_it_wins_more_often(name, rolls):
    """With p = 1/6 and m refusals, 1 - (1 - p)^(m + 1); and that is not what chance would call a sixth."""
    tally = play(name, rolls)

    assert is_likely(tally.wins, rolls, GAINS_SHOWN[name]), f"{tally.wins} of {rolls}"
    assert not is_likely(tally.wins, rolls, SEVEN)


@sizes(200)
def test_were_the_bank_to_open_first_the_last_player_would_open_what_wins_and_nothing_else(rolls):
    tally = play("bank-first", rolls)

    assert tally.wins == tally.rolls == rolls - tally.bought_count
    assert is_likely(tally.rolls, rolls, SEVEN)
    assert tally.net == 5 * tally.rolls > rolls // 2


@sizes(200)
def test_without_a_bank_bonds_that_cover_the_round_cost_more_than_refusing_gains(rolls):
    """Five rolls in six are refused; the bond of twelve goes half to the partner and half to the other side."""
    tally = play("bonds-alone", rolls)

    assert is_likely(tally.void_count, rolls, 1 - SEVEN)
    assert tally.forfeited == 6 * tally.void_count
    assert tally.net < -4 * rolls + rolls // 3


@sizes(200)
def test_without_bonds_either_refusing_is_free(rolls):
    tally = play("naive", rolls)

    assert tally.forfeited == 0
    assert tally.net == 6 * tally.wins - rolls > rolls // 2


def test_the_same_seed_gives_the_same_tally_and_another_seed_another():
    one = simulate(SCENARIOS["withholder"], 40, seed=b"one")

    assert simulate(SCENARIOS["withholder"], 40, seed=b"one") == one
    assert simulate(SCENARIOS["withholder"], 40, seed=b"two") != one


@pytest.mark.parametrize("name", ["withholder", "two-faced-table"])
def test_asking_the_machine_once_for_all_at_the_table_changes_nothing(name, monkeypatch):
    remembered = simulate(SCENARIOS[name], 20)

    monkeypatch.setattr(simulation, "Remembered", lambda: step)

    assert simulate(SCENARIOS[name], 20) == remembered
