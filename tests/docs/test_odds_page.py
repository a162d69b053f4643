"""The pages that state edges: every figure is worked out again from the games."""

from __future__ import annotations

import json
import os
import re
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.engine import get_game, list_games
from croupier.house import HouseGame
from tests.docs.conftest import rows_in, table_rows
from tools.site_pages import SIMULATED, on_page_markdown, simulated_table
from tools.site_tables import CHANGED, MAIN, percent, sheet, super_text

ROOT = Path(__file__).parents[2]
HOUSE_GAMES = [game_id for game_id in list_games() if isinstance(get_game(game_id), HouseGame)]


PRICED = table_rows(
    "docs/decisions/0011-super-mode-priced.md", "game", "bet", "policy", "edge", "in super mode", "above the band by"
)


def test_every_house_game_is_on_the_page_with_every_bet_that_has_no_number() -> None:
    told = {(game, re.split("[:/]", word)[0]) for game, listed in MAIN.items() for word in listed.split()}

    assert list(MAIN) == HOUSE_GAMES
    assert {("baccarat", bet) for bet, _ in sheet("baccarat", False)} - told == {("baccarat", "banker_pair")}
    assert {("casino-war", bet) for bet, _ in sheet("casino-war", False)} <= told


def test_the_tables_of_edges_state_known_figures_and_what_options_change() -> None:
    """Figures in print, and one that is bounded; the other rows are made of the same sheets."""
    main, changed = on_page_markdown("<!-- made: edges -->\n"), on_page_markdown("<!-- made: changes -->\n")

    assert "| `craps` | `pass` |  | 1.4141 % | 7/495 | 1.4412 % |\n" in main
    assert "| `hi-lo` | `stake` | `best` | 0.0000 % | 0 | 3.7113 % to 4.1731 % |\n" in main
    assert "| `video-poker` | `stake` | `optimal` | 0.4561 % | 7576216117/1661102543100 | 5.7309 % |\n" in main
    assert "| `roulette` | `zero_rule=en_prison` | `red` |  | 1.3879 % | 19/1369 |\n" in changed
    usual = {tuple(row[:3]): row[3] for row in rows_in(main)}
    assert [row for row in rows_in(changed) if usual.get((row[0], row[2], row[3])) == row[4]] == []


# The table of simulations.

COMPARED: list[list[str]] = json.loads(SIMULATED.read_text())
SIGMAS = 4.5


def compared_row(row: list[str]) -> tuple[str, str, bool, str, str]:
    """Return game, option, whether it is super mode, bet and policy of a row of that table."""
    words = [word.strip() for word in row[1].split(",") if word.strip()]
    options = [word for word in words if word != "super"]
    return row[0], ",".join(options), "super" in words, row[2].partition(",")[0], row[3]


def test_the_table_of_simulations_states_the_exact_figures_and_none_is_far_away() -> None:
    for row in COMPARED:
        game_id, option, super_mode, bet, policy = compared_row(row)
        exact, simulated, stderr = (float(cell.removesuffix(" %")) for cell in row[4:7])
        z = float(row[7])
        assert abs(z) <= SIGMAS, row
        if game_id != "shut-the-box":
            found = sheet(game_id, super_mode, option)[bet, policy]
            low, high = found.low or found.edge, found.high or found.edge
            assert round(float(100 * low), 4) <= exact <= round(float(100 * high), 4), row
            if found.variance is not None:
                assert f"{stderr:.4f}" == f"{100 * (found.variance / int(row[8].replace(',', ''))) ** 0.5:.4f}", row
        # Four digits of a percent: where the standard error is small, z can be told from them roughly only.
        assert simulated - exact == pytest.approx(z * stderr, abs=0.0002 + 0.006 * stderr + 0.00006 * abs(z)), row


def test_the_table_of_simulations_has_every_game_and_every_option_that_is_published() -> None:
    told = {(row[0], compared_row(row)[1]) for row in COMPARED}

    assert {game_id for game_id, _ in told} == {*HOUSE_GAMES, "shut-the-box"}
    assert {(game, word.partition(",")[0]) for game, listed in CHANGED.items() for word in listed.split()} <= told
    supers = {row[0] for row in COMPARED if compared_row(row)[2]}
    assert supers == set(HOUSE_GAMES)


@pytest.mark.soak
def test_the_table_of_simulations_is_made_again_by_the_command() -> None:
    """Each simulation with the rounds that its row states: an hour on two cores, where they are the usual ones."""
    pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")
    from croupier.cli.odds_check import markdown_table
    from croupier.sim.odds_check import Comparison, published_trials, run_trial

    rounds = {compared_row(row)[:3]: set[int]() for row in COMPARED}
    by_bet = {compared_row(row): int(row[8].replace(",", "")) for row in COMPARED}
    for key, number in by_bet.items():
        rounds[key[:3]].add(number)
    found: list[Comparison] = []
    for trial in published_trials():
        usual = rounds[trial.game_id, trial.options, trial.super_mode]
        number = trial.usual_rounds if trial.usual_rounds in usual else max(usual)
        found += run_trial(trial, number, threads=os.cpu_count() or 1)

    assert rows_in(markdown_table(found)) == rows_in(simulated_table())


# The decision about super mode.

BAND_LOW, BAND_ABOVE = Fraction(5, 1000), Fraction(15, 100)


@pytest.mark.parametrize("row", PRICED, ids=lambda row: "-".join(row[:3]))
def test_super_mode_costs_what_the_decision_says(row: list[str]) -> None:
    game_id, bet, policy, edge, in_super, above = row
    normal, boosted = sheet(game_id, False)[bet, policy], sheet(game_id, True)[bet, policy]

    assert (edge, in_super) == (percent(normal.edge), super_text(boosted))
    over = boosted.edge_per_chip - normal.edge - BAND_ABOVE
    assert above == ("" if over <= 0 else percent(over))
    assert boosted.edge_per_chip >= BAND_LOW


def test_the_decision_names_every_row_above_the_band_and_none_is_below_it() -> None:
    above = set()
    for game_id in HOUSE_GAMES:
        for (bet, policy), row in sheet(game_id, True).items():
            assert row.edge_per_chip >= BAND_LOW
            if row.edge_per_chip > sheet(game_id, False)[bet, policy].edge + BAND_ABOVE:
                above.add((game_id, bet, policy))

    assert above == {(row[0], row[1], row[2]) for row in PRICED if row[5]}


# The README.


def test_the_readme_states_the_edges_of_the_house_games() -> None:
    """Every percentage in the row of a house game stands behind the bet, and the policy or option, that it is for."""
    rows = {row[1]: row[2] for row in table_rows("README.md", "game", "id", "exact figures")}
    claim = re.compile(r"([\w:]+)(?: \(([\w=]+)\))? (\d+\.\d{4} %)")
    for game_id in HOUSE_GAMES:
        claims = claim.findall(rows[game_id])
        assert claims
        assert rows[game_id].count("%") == len(claims)
        for bet, qualifier, edge in claims:
            option = qualifier if "=" in qualifier else ""
            assert edge == percent(sheet(game_id, False, option)[bet, "" if option else qualifier].edge)


def test_the_decision_states_the_bounds_that_set_the_constant_of_hi_lo() -> None:
    text = (ROOT / "docs" / "decisions" / "0011-super-mode-priced.md").read_text()
    usual, without = sheet("hi-lo", True)["stake", "best"], sheet("hi-lo", True, "commission_bps=0")["stake", "best"]
    largest = Fraction(1200, 10) * 2  # ten right guesses, an ace on show
    larger_boost = 1 + (largest - 1) / 1200

    assert f"below {percent(usual.edge_per_chip)}; without" in text
    assert f"choose, below {percent(without.edge_per_chip)}." in " ".join(text.split())
    assert f"would be {percent(1 - larger_boost / Fraction(6, 5))}:" in text
