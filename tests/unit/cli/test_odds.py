"""`croupier odds`: every game has odds or says why not, and a check tells right figures from wrong ones."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from click.testing import Result
from rich.console import Console

from croupier.cli import odds_check
from croupier.cli.commands import odds
from croupier.engine import get_game, list_games
from croupier.games.shut_the_box.policies import policy_rows
from croupier.house import BetCodes, TableGame, TableState, TableSteps

Run = Callable[..., Result]
PLAIN: dict[str, Any] = {"color_system": None, "highlight": False, "markup": False, "emoji": False}


@pytest.mark.parametrize("game_id", [game_id for game_id in list_games() if game_id != "lanes"])
def test_every_game_but_lanes_has_odds(run: Run, game_id: str) -> None:
    answer = run("odds", game_id, "--json")

    assert answer.exit_code == 0
    odds = json.loads(answer.stdout)
    assert odds["bots" if game_id == "shut-the-box" else "bets"]


def test_shut_the_box_tells_exact_scores(run: Run) -> None:
    """The fractions of the game's page, which a solver of its own confirms."""
    bots = {bot["bot"]: bot for bot in json.loads(run("odds", "shut-the-box", "--json").stdout)["bots"]}

    assert bots["optimal_score"]["score"] == "57123431375/4897760256"
    assert bots["optimal_shut"]["shut"] == "2840041/38263752"
    ten = json.loads(run("odds", "shut-the-box", "-o", "tile_count=10", "--json").stdout)["bots"]
    assert round(float(Fraction(ten[3]["score"])), 4) == 16.8854


def test_the_table_of_craps_has_the_odds_of_craps_under_its_own_options(run: Run) -> None:
    answer = run("odds", "craps-table", "field", "-o", "pay_table=nullspace", "-o", "bank=5000", "--json")

    odds = json.loads(answer.stdout)
    assert (odds["game"], [bet["edge"] for bet in odds["bets"]]) == ("craps", ["1/36"])
    assert run("odds", "craps-table", "-o", "bank=-1").exit_code == 2


def test_the_line_with_odds_costs_less_per_chip_the_more_odds_there_are(run: Run) -> None:
    """Single odds are published as 0.848 % of all chips, double odds as 0.606 %, 3-4-5 times odds as 0.374 %."""
    rows = json.loads(run("odds", "craps", "pass", "--json").stdout)["bets"]
    edges = {row["policy"]: round(float(100 * Fraction(row["edge_per_chip"])), 3) for row in rows}

    assert edges == {"-": 1.414, "single_odds": 0.848, "double_odds": 0.606, "full_odds": 0.374}


def test_a_check_compares_and_agrees(run: Run) -> None:
    answer = run("odds", "casino-war", "--check", "--rounds", "20000", "--threads", "1", "--json")

    told = json.loads(answer.stdout)
    assert answer.exit_code == 0
    assert told["agrees"]
    assert told["figures"] == len(told["comparisons"]) == 8
    tie = next(row for row in told["comparisons"] if row["bet"] == "tie" and not row["options"])
    assert tie["exact"] == "58/311"
    assert tie["rounds"] == 20_000
    assert tie["z"] == pytest.approx((tie["simulated"] - 58 / 311) / tie["stderr"])


@pytest.mark.parametrize("option", ["vig=upfront", "max_bets=1"])  # as many are laid at once, whatever a table takes
def test_a_check_knows_a_bet_by_its_other_names(run: Run, option: str) -> None:
    answer = run("odds", "craps", "any7", "--option", option, "--check", "--rounds", "1000", "--json")
    assert [row["bet"] for row in json.loads(answer.stdout)["comparisons"]] == ["next:7"]


def test_a_check_ends_with_1_where_a_figure_is_wrong(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from msgspec.structs import replace

    from croupier.sim import odds_check as sim

    def wrong(trial: sim.Trial, *args: object, **told: object) -> list[sim.Comparison]:
        return [replace(each, z=4.6) for each in right(trial, 1000)]

    right = sim.run_trial
    monkeypatch.setattr(sim, "run_trial", wrong)

    answer = run("odds", "casino-war", "tie", "--check")

    assert answer.exit_code == 1
    assert "farther apart than that" in answer.stdout


def test_a_check_makes_a_table_for_a_page(run: Run) -> None:
    answer = run("odds", "casino-war", "tie", "--check", "-n", "1000", "--markdown")

    head, rule, usual, eleven = answer.stdout.splitlines()
    assert head == f"| {' | '.join(odds_check.HEADINGS)} |"
    assert rule.count("---") == len(odds_check.HEADINGS)
    assert usual.startswith("| `casino-war` |  | `tie` |  | 18.6495 % | ")
    assert eleven.startswith("| `casino-war` | tie_pays=11 | `tie` |  | 11.2540 % | ")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["roulette", "--all"],
        ["--all", "--option", "decks=1"],
        ["roulette", "--rounds", "5"],
        ["roulette", "nothing", "--check", "--rounds", "5"],
        ["shut-the-box", "--super"],
        ["shut-the-box", "--super", "--check", "--rounds", "5"],
    ],
    ids=" ".join,
)
def test_arguments_that_make_no_sense_exit_with_2(run: Run, words: list[str]) -> None:
    assert run("odds", *words).exit_code == 2


@pytest.mark.parametrize("game_id", [game_id for game_id in list_games() if game_id not in ("lanes", "craps-table")])
def test_no_figure_and_no_name_is_cut_however_narrow_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, game_id: str
) -> None:
    """Each word at a terminal stands in the output of a pipe, too, where rows are never folded."""
    kind = type(get_game(game_id))
    if game_id == "shut-the-box":
        monkeypatch.setattr(odds, "policy_rows", cache(policy_rows))  # figures are counted once, shown five times
    else:
        monkeypatch.setattr(kind, "odds", cache(kind.odds))  # type: ignore[attr-defined]
    whole = run("odds", game_id).stdout
    for columns in (40, 60, 80, 120):
        console = Console(width=columns, force_terminal=True, **PLAIN)
        monkeypatch.setattr(odds, "make_console", lambda console=console: console)

        shown = run("odds", game_id).stdout

        assert max(map(len, shown.splitlines())) <= columns
        words = re.sub(r"\(\d+ columns have no room for:[^)]*\)", "", shown).split()
        assert set(words) <= set(whole.split())
        edges = re.findall(r"\S+%", whole.splitlines()[2])
        assert any(edge in words for edge in edges)
        assert (game_id, columns) != ("three-card-poker", 80) or "402/5525" in words  # fractions stay whole


def test_a_pipe_gets_every_row_on_one_line(run: Run) -> None:
    lines = run("odds", "ultimate-texas-holdem").stdout.splitlines()

    assert [line.split()[0] for line in lines[1:]] == ["bet", "ante", "ante", "trips", "six_card", "progressive"]


def test_sources_are_told_row_by_row_and_fit_eighty_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Casino war's rows name their second sources; a row under options nobody looked at was compared with nothing."""
    monkeypatch.setattr(odds, "make_console", lambda: Console(width=80, force_terminal=True, **PLAIN))

    shown = run("odds", "casino-war", "--sources").stdout
    war = next(line for line in shown.splitlines() if "always_war" in line)
    unseen = run("odds", "hi-lo", "higher:7", "-o", "commission_bps=123", "--sources").stdout

    assert war.split("%")[1].strip() == "count, closed form, published, simulation"
    assert max(map(len, shown.splitlines())) <= 80
    assert "nothing else" in unseen
    told = json.loads(run("odds", "casino-war", "tie", "--json").stdout)["bets"][0]
    assert told["checked"] == ["count", "closed form", "published", "simulation"]


# A game that cannot be counted says so, and names the simulation that measures it.


def draw(stream: Any, find: Any, options: Any, work: Any) -> None:
    """Throw nine dice: 6**9 ways are more than can be counted."""
    find[0] = 0
    for _ in range(9):
        find[0] += stream.next_bounded(6) + 1


def settle(kind: int, number: int, stake: int, find: Any, options: Any) -> int:
    return 2 * stake if find[0] < 31 else 0


class NineDice(TableGame[TableState]):
    """Nine dice, and a bet that they show less than 31 in all."""

    id, name = "nine-dice", "Nine Dice"
    codes = BetCodes({"low": (0, 0)})
    decide = "throw"
    steps = TableSteps.plain(draw, settle)

    def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
        return 2 * stake


@pytest.fixture
def nine_dice(registered: Any) -> None:
    registered(NineDice())


def test_a_game_that_cannot_be_counted_says_so_and_offers_a_simulation(run: Run, nine_dice: None) -> None:
    answer = run("odds", "nine-dice")

    assert answer.exit_code == 0
    assert "has no exact odds: a round can fall in too many ways to be counted" in answer.stdout
    assert "with its interval: croupier simulate nine-dice" in " ".join(answer.stdout.split())


def test_the_simulation_it_offers_has_an_interval_around_the_edge(run: Run, nine_dice: None) -> None:
    """Nine dice show 31 or less just as often as 32 or more, so the edge is twice the chance of 31."""
    ways = [1]
    for _ in range(9):
        ways = [sum(ways[max(0, total - 6) : total]) for total in range(len(ways) + 6)]
    edge = 2 * ways[31] / 6**9
    line = json.loads(run("odds", "nine-dice", "--json").stdout)["simulate"]

    found = json.loads(run(*shlex.split(line)[1:], "--rounds", "300", "--engine", "--json").stdout)

    low, high = (float(bound) for bound in found["interval"])
    assert low < edge < high
