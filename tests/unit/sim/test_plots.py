"""Pictures: every kind is drawn, says what it shows, and comes out the same twice."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from croupier.engine import get_game
from croupier.errors import BadOptions
from croupier.house import HouseGame
from croupier.sim.bankroll import simulate_paths
from croupier.sim.plots import plot_bets, plot_convergence, save_figure
from croupier.sim.simulate import simulate

SEED = bytes(range(32))


def figures() -> dict[str, Any]:
    game = get_game("roulette")
    assert isinstance(game, HouseGame)
    bets = {"red": 10, "straight:17": 1}
    result = simulate(game, bets, rounds=20_000, seed=SEED)
    runs = [simulate(game, bets, rounds=rounds, seed=SEED) for rounds in (100, 1000, 10_000)]
    return {
        "distribution": result.plot(),
        "bets": result.plot("bets"),
        "bets with exact edges": plot_bets(result, {"red": 1 / 37}),
        "convergence": plot_convergence(runs, 1 / 37),
        "paths": simulate_paths(game, {"red": 10}, bankroll=100, rounds=100, paths=50, seed=SEED).plot(),
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
    game = get_game("roulette")
    assert isinstance(game, HouseGame)
    result = simulate(game, {"red": 10, "straight:17": 1}, rounds=20_000, seed=SEED)
    heights = [bar.get_height() for bar in result.plot().axes[0].patches]  # type: ignore[attr-defined]

    assert heights == [rounds / 20_000 for _, rounds in result.distribution]


def test_unknown_kinds_and_other_files_are_refused(tmp_path):
    game = get_game("roulette")
    assert isinstance(game, HouseGame)
    result = simulate(game, {"red": 10}, rounds=100, seed=SEED)
    with pytest.raises(BadOptions, match="no picture"):
        result.plot("pie")
    with pytest.raises(BadOptions, match=r"\.png or \.svg"):
        save_figure(result.plot(), tmp_path / "a.pdf")
    with pytest.raises(BadOptions, match="nothing to plot"):
        plot_convergence([])


def test_frames_and_tables_hold_the_distribution():
    game = get_game("roulette")
    assert isinstance(game, HouseGame)
    result = simulate(game, {"red": 10, "straight:17": 1}, rounds=1000, seed=SEED)

    assert result.to_pandas()["rounds"].sum() == 1000
    assert result.to_pandas().attrs["rounds"] == 1000
    assert result.to_arrow().column("low").to_pylist() == [net for net, _ in result.distribution]
