"""A house game of another package, written by `croupier new` and installed: a round of it is played on the page."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.commands.new import package_files
from tests.environments import install, with_path
from tests.unit.client.conftest import ServerProcess  # type: ignore[import-not-found, unused-ignore]


@pytest.fixture(scope="module")
def wheel_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server answers that has Big Six installed beside croupier."""
    folder = tmp_path_factory.mktemp("wheel")
    for path, text in package_files("big-six", True).items():
        (folder / "package" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "package" / path).write_text(text)
    install(folder / "site-packages", folder / "package")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", with_path(folder / "site-packages"))
        server = ServerProcess(folder)
    yield str(server.url)
    server.end()


GAMES = "fetch('/api/v1/games').then((answer) => answer.json())"


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_a_round_of_a_game_of_ones_own_is_played_on_the_page(
    meet: Callable[..., Any], wheel_url: str, width: int, height: int
) -> None:
    visitor = meet(url=wheel_url, width=width, height=height)
    heading = visitor.page.get_by_role("heading", name="Big Six", exact=True)
    (about,) = [game["description"] for game in visitor.page.evaluate(GAMES) if game["id"] == "big-six"]
    assert about
    assert about in visitor.page.locator("li.game").filter(has=heading).inner_text()

    visitor.open_table("big-six")
    visitor.act("Begin", until="[data-turn=mine]")
    visitor.page.locator('.felt [data-bet="joker"]').click()
    visitor.wait_for_version(1)
    visitor.act("Spin", until="[data-status=finished]")

    assert re.match(r"You (win|lose) [\d,]+", visitor.page.locator(".lines-sum").inner_text())
    assert visitor.proof()["seed"] == ""
    if picture := os.environ.get("PICTURES"):
        visitor.page.screenshot(path=Path(picture) / f"big-six-{width}.png")
