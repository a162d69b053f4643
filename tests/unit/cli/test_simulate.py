"""`croupier simulate` beyond the house: bots on seats, records of matches, strategies from files, modifiers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

pytest.importorskip("numba", reason="simulation needs croupier[sim]")

Run = Callable[..., Result]


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_bots_are_seated_in_the_order_they_are_named(run: Run):
    command = ("simulate", "shut-the-box", "--rounds", "20", "--bot", "optimal_score", "--bot", "uniform")
    told = data(run(*command, "--seats", "3", "--rotate", "--json"))

    assert [seat["bot"] for seat in told["seats"]] == ["optimal_score", "uniform", "uniform"]
    assert sum(seat["share"] for seat in told["seats"]) == pytest.approx(1)
    assert (told["rounds"], told["hash_path"]) == (20, "engine")
    assert sum(row["rounds"] for row in told["distribution"]) == 60
    shown = run(*command)
    assert shown.exit_code == 0
    assert "optimal_score" in shown.output


@pytest.mark.parametrize("game", ["roulette", "shut-the-box"])
def test_how_streams_are_hashed_is_told_to_who_asks(run: Run, game: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CROUPIER_HASH_PATH", "portable")
    command = ("simulate", game, "--rounds", "20")

    assert "portable" not in run(*command).output
    assert " s (portable)" in run(*command, "-v").output
    assert data(run(*command, "--json"))["hash_path"] == "portable"
    assert " s (engine)" in run(*command, "--engine").output


def test_a_match_that_was_found_is_recorded_and_verifies(run: Run, tmp_path: Path):
    file = str(tmp_path / "shut.json")
    command = ("simulate", "shut-the-box", "--rounds", "200", "--find", "win == 1", "--record", file)
    found = data(run(*command, "--json"))

    assert found
    assert all(each["won"] == [1] and each["scores"] == [0] for each in found)
    assert run("verify", file).exit_code == 0
    assert run("simulate", "shut-the-box", "--rounds", "5", "--find", "score > 45").exit_code == 1


def test_the_engine_and_the_kernel_have_one_digest(run: Run):
    command = ("simulate", "casino-war", "--rounds", "100", "--bet", "main=10", "--modifier", "double", "--json")
    kernel, engine = data(run(*command)), data(run(*command, "--engine"))

    assert (kernel["hash_path"] == "engine", engine["hash_path"]) == (False, "engine")
    assert kernel["digest"] == engine["digest"]
    assert (kernel["modifiers"], kernel["bonus"] > 0) == (["double"], True)


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "not a strategy"), ('{"by_streak": ["HHH"]}', "thirteen letters"), ('{"streaks": 1}', "streaks")],
)
def test_a_file_that_is_no_strategy_is_refused(run: Run, path: Path, content: str, words: str):
    path.write_text(content)
    result = run("simulate", "hi-lo", "--rounds", "10", "--strategy", str(path))

    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.rstrip().endswith("[bad_strategy]")


def test_a_strategy_from_a_file_is_played(run: Run, path: Path):
    path.write_text('{"by_streak": ["CCCCCCCCCCCCC"]}')
    told = data(run("simulate", "hi-lo", "--rounds", "50", "--strategy", str(path), "--engine", "--json"))

    assert (told["push"], told["policy"][:6]) == (1.0, "table-")


def test_pictures_of_matches_are_scores_and_wins(run: Run, tmp_path: Path):
    for picture in ("scores", "wins"):
        file = tmp_path / f"{picture}.svg"
        command = ("simulate", "shut-the-box", "--rounds", "20", "--plot", str(file), "--picture", picture)
        assert run(*command).exit_code == 0
        assert "svg" in file.read_text()
    assert run("simulate", "shut-the-box", "--rounds", "20", "--plot", "x.svg", "--picture", "bets").exit_code != 0


@pytest.mark.parametrize(
    ("words", "exact", "is_shown"),
    [
        ("roulette --bet red=10 --picture convergence", "exact 2.7027%", True),
        ("video-poker --picture convergence", "exact 0.4561%", True),
        ("roulette --bet red=10 --bet straight:17=1 --picture bets", "<!-- exact -->", True),
        ("blackjack --bet main=10 --bet lucky_ladies=1 --picture bets", "<!-- exact -->", True),
        ("blackjack --bet main=10 --picture bets", "<!-- exact -->", False),  # an edge with raises in it
    ],
)
def test_pictures_show_where_the_edge_should_be(run: Run, tmp_path: Path, words: str, exact: str, is_shown: bool):
    file = tmp_path / "picture.svg"
    result = run("simulate", *words.split(), "--rounds", "200", "--plot", str(file))

    assert result.exit_code == 0
    assert (exact in file.read_text()) is is_shown


def test_a_picture_of_super_bets_has_no_fee_in_the_exact_edge(run: Run, path: Path, monkeypatch: pytest.MonkeyPatch):
    def plot_bets(result: Any, exact: Any) -> Any:
        drawn.append((result.lines[0], exact["straight:17"]))
        return result.plot()

    drawn: list[Any] = []
    monkeypatch.setattr("croupier.sim.plots.plot_bets", plot_bets)
    words = "simulate roulette --bet straight:17=5 --super --rounds 100000 --picture bets --plot"
    assert run(*words.split(), str(path.with_suffix(".svg"))).exit_code == 0

    ((line, exact),) = drawn
    assert exact == pytest.approx(float(line.edge), abs=4 * line.stderr)


def test_bets_and_what_was_added_later_come_to_the_totals(run: Run):
    told = data(run("simulate", "blackjack", "--bet", "main=10", "--bet", "bust_it=2", "--rounds", "2000", "--json"))
    for chips in ("staked", "returned"):
        assert sum(bet[chips] for bet in told["bets"]) + told["added"][chips] == told[chips]
    assert told["added"]["staked"] > 0

    plain = ("simulate", "roulette", "--bet", "red=10", "--rounds", "200")
    assert data(run(*plain, "--json"))["added"] == {"staked": 0, "returned": 0}
    shown = run(*plain).stdout
    assert "added later" not in shown
    assert "the edge of a bet is of its own chips" not in shown


def test_the_schema_of_a_game_has_that_of_its_strategies(run: Run):
    schema = data(run("rules", "three-card-poker", "--schema"))

    assert list(schema["strategy"]["$defs"]["LowestHand"]["properties"]) == ["play_from"]
    assert "strategy" not in data(run("rules", "roulette", "--schema"))


def test_a_missing_extra_names_the_packages_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "croupier.sim.jobs", None)

    answer = run("simulate", "roulette")

    assert answer.exit_code == 2
    assert "pip install 'matplotlib>=3.10,<4' 'numba>=0.61,<1' 'numpy>=2.1,<3' [usage]" in answer.stderr


@pytest.mark.parametrize(
    ("missing", "words", "packages"),
    [
        ("matplotlib", "simulate roulette --rounds 10 --plot new.svg", "'numba>=0.61,<1' 'numpy>=2.1,<3' [usage]"),
        ("py_arkworks_bls12381", "node status", "'cryptography>=44,<51' 'msgspec>=0.22,<0.23' 'py-arkworks-bls12381>="),
        (
            "psycopg",
            "server audit --database postgresql://x@127.0.0.1:1/x",
            "'cryptography>=44,<51' 'litestar>=2.13,<3'",
        ),
        ("uvicorn", "serve", "'psycopg[binary]>=3.2.3,<4' 'uvicorn>=0.32,<1' 'uvloop>=0.21,<1' 'websockets>=14,<17'"),
    ],
)
def test_a_package_that_is_missing_anywhere_names_all_that_its_extra_needs(
    missing: str, words: str, packages: str
) -> None:
    script = f"import sys; sys.modules['{missing}'] = None; from croupier.cli import main; main()"
    said = subprocess.run(
        [sys.executable, "-c", script, *words.split()], capture_output=True, text=True, timeout=120, check=False
    )

    assert said.returncode == 2
    assert f"needs more packages ({missing} is missing): pip install " in said.stderr
    assert packages in said.stderr
    assert said.stderr.endswith(" [usage]\n")


@pytest.mark.parametrize("rounds", ["1e3", "1000", "1_000", "1,000"])
def test_rounds_are_written_as_people_write_them(run: Run, rounds: str) -> None:
    assert json.loads(run("simulate", "casino-war", "--rounds", rounds, "--json").stdout)["rounds"] == 1000


@pytest.mark.parametrize("rounds", ["1.5", "1e99", "ten", "-3"])
def test_rounds_that_are_no_whole_number_are_refused(run: Run, rounds: str) -> None:
    assert run("simulate", "casino-war", "--rounds", rounds).exit_code == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("roulette", "bets: red 10, straight:17 10, dozen:1 10, split:1-2 10\n"),
        ("casino-war", "bets: main 10; policy: always_war\n"),
        ("casino-war --policy always_surrender --bet tie=5 --bet main=20", "; policy: always_surrender\n"),
        ("hi-lo --bot random --bet stake=7", "bets: stake 7; bot: random\n"),
        ("roulette --bet red=10", "of the opening stake, as in odds; 95 % sure"),
        ("blackjack", "of its own chips: odds has what was added to it later in it, as the total has\n"),
        ("blackjack", "added later"),
        ("roulette --bet straight:17=10 --super", "of its own chips: odds has fees in it, as the total has\n"),
    ],
)
def test_the_bets_the_policy_and_the_kind_of_edge_are_told(run: Run, words: str, told: str) -> None:
    assert told in run("simulate", *words.split(), "--rounds", "200").stdout


def test_a_simulation_that_is_stopped_leaves_no_worker_and_ends_with_130(environment: dict[str, str]) -> None:
    code = (
        "import time; from multiprocessing import get_context; from croupier.cli.watch import end_at_once; "
        "from croupier.cli.app import Commands; get_context('spawn').Process(target=time.sleep, args=(60,)).start(); "
        "Commands(callback=lambda: end_at_once(130), invoke_without_command=True).main([])"
    )
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, timeout=30)

    assert (ended.returncode, ended.stderr) == (130, b"")
