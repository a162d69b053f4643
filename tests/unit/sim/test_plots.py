"""Pictures: every kind is drawn, says what it shows, and comes out the same twice."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from croupier.errors import BadOptions
from croupier.sim.bankroll import simulate_paths
from croupier.sim.plots import plot_bets, plot_convergence, save_figure
from croupier.sim.simulate import simulate
from tests.unit.sim.conftest import house_game

SEED = bytes(range(32))


def spun(rounds: int) -> Any:
    return simulate(house_game("roulette"), {"red": 10, "straight:17": 1}, rounds=rounds, seed=SEED)


def figures() -> dict[str, Any]:
    result = spun(20_000)
    runs = [spun(rounds) for rounds in (100, 1000, 10_000)]
    return {
        "distribution": result.plot(),
        "bets": result.plot("bets"),
        "bets with exact edges": plot_bets(result, {"red": 1 / 37}),
        "convergence": plot_convergence(runs, 1 / 37),
        "paths": simulate_paths(
            house_game("roulette"), {"red": 10}, bankroll=100, rounds=100, paths=50, seed=SEED
        ).plot(),
    }


def test_every_picture_has_a_title_and_named_axes_and_saves_the_same_bytes_twice(tmp_path):
    once, twice = figures(), figures()
    for name, figure in once.items():
        axes = figure.axes[0]
        assert axes.get_title(), name
        assert axes.get_xlabel(), name
        first = save_figure(figure, tmp_path / "a.svg").read_bytes()
        assert save_figure(twice[name], tmp_path / "b.svg").read_bytes() == first, name
        assert ElementTree.fromstring(first).tag.endswith("svg"), name
        assert save_figure(figure, tmp_path / "a.png").read_bytes().startswith(b"\x89PNG"), name


def test_the_bars_of_the_distribution_are_its_shares():
    result = spun(20_000)
    heights = [bar.get_height() for bar in result.plot().axes[0].patches]

    assert heights == [rounds / 20_000 for _, rounds in result.distribution]


def test_unknown_kinds_and_other_files_are_refused(tmp_path):
    result = spun(100)
    with pytest.raises(BadOptions, match="no picture"):
        result.plot("pie")
    with pytest.raises(BadOptions, match=r"\.png or \.svg"):
        save_figure(result.plot(), tmp_path / "a.pdf")
    with pytest.raises(BadOptions, match="nothing to plot"):
        plot_convergence([])


def test_frames_and_tables_hold_the_distribution():
    result = spun(1000)

    assert result.to_pandas()["rounds"].sum() == 1000
    assert result.to_pandas().attrs["rounds"] == 1000
    assert result.to_arrow().column("low").to_pylist() == [net for net, _ in result.distribution]
