"""The page that verifies anything: on the server, as one file without a network, and served by a command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.cli.app import app
from croupier.web.__main__ import main
from tests.docs.conftest import load_example
from tests.environments import with_path
from tests.unit.client.conftest import ServerProcess  # type: ignore[import-not-found, unused-ignore]
from tests.web.conftest import open_page  # type: ignore[import-not-found, unused-ignore]
from tests.web.page_modules import played, seal
from tests.web.python.page_python import LATE_MS, needs_python

pytestmark = needs_python


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A good record, one that was changed, a replay, what was kept, many records, a transcript, and no JSON at all."""
    folder = tmp_path_factory.mktemp("files")
    first, second = played("roulette", 50), played("blackjack", 51)
    changed = json.loads(first["text"])
    changed["actions"][0]["payload"]["bets"][0]["stake"] += 1
    forged = {"records": [second["text"]], "kept": second["kept"]}
    replay = {"document": "croupier-replay", "schema": 1, "record": first["text"], "steps": []}
    texts = {
        "good.json": first["text"],
        "changed.json": seal(changed),
        "replay.json": json.dumps(replay),
        "kept.json": json.dumps(first["kept"]),
        "many.json": json.dumps({"document": "croupier-records", "records": [first["text"], second["text"]] * 10}),
        "forged.json": json.dumps(forged),
        "other.json": json.dumps({"records": [first["text"], seal(changed)]}),
        "nothing.json": "no JSON",
        "large.json": " " * (33 * 2**20),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in texts}


def verdicts(page: Any, paths: list[Path]) -> dict[str, tuple[str, str]]:
    """Drop files; return for each what the execution and what the page's own check say: good, bad or none."""
    page.set_input_files("#files", [str(path) for path in paths])
    page.wait_for_selector("#verdicts[data-done=yes]", state="attached", timeout=LATE_MS)
    found = page.locator("#verdicts > li").evaluate_all(
        """items => items.map((item) => [item.dataset.file, [
          item.querySelector("[data-executed]").dataset.executed, item.querySelector("[data-own]").dataset.own]])"""
    )
    page.evaluate("document.getElementById('verdicts').removeAttribute('data-done')")
    return {name: tuple(states) for name, states in found}


def by_command(*arguments: Path | str) -> list[str]:
    """Return the lines of `croupier verify`."""
    done = CliRunner().invoke(app, ["verify", *map(str, arguments)], prog_name="croupier")
    assert done.exit_code in (0, 1), done.output
    return done.output.splitlines()


def check_words(page: Any, name: str, lines: list[str]) -> None:
    """Every line of the command stands in the page, in the same words; behind a verdict the command says who won."""
    item = page.locator(f'[data-file="{name}"]')
    rows = set(item.locator(".check").all_text_contents())
    verdict = item.locator("[data-executed]").inner_text()

    assert len(lines) >= 3
    assert {re.sub(r"^\S+  .{10,}?  (?=\S)", "", line) for line in lines[:-1]} == {
        row for row in rows if " ran with the digest " not in row
    }
    assert lines[-1].startswith(verdict)


@pytest.fixture(scope="module")
def with_pig(tmp_path_factory: pytest.TempPathFactory, examples_path: Path) -> Iterator[Any]:
    """A server that has the example packages installed, which nobody else knows, and the record of a match of Pig."""
    folder = tmp_path_factory.mktemp("server")
    play = ["play", "pig", "--auto", "hold_at_20", "--record", str(folder / "pig.json")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", with_path(examples_path))
        server = ServerProcess(folder)
        subprocess.run([sys.executable, "-m", "croupier", *play], capture_output=True, check=True)
    yield SimpleNamespace(url=server.url, pig=folder / "pig.json")
    server.end()


@pytest.fixture(scope="module")
def server_page(browser: Any, with_pig: Any) -> Any:
    """The page on the server; its Python starts once for the file."""
    return open_page(browser, f"{with_pig.url}/web/verify/index.html", service_workers="block")


def test_files_of_every_kind_are_checked_on_the_server_page(server_page, with_pig, files):
    page = server_page

    found = verdicts(page, list(files.values()))

    assert found == {
        "good.json": ("good", "good"),
        "many.json": ("good", "good"),
        "changed.json": ("bad", "good"),  # only the rules know what that stake would have paid
        "replay.json": ("good", "good"),
        "forged.json": ("good", "good"),
        "other.json": ("bad", "good"),
        "nothing.json": ("bad", "bad"),
        "large.json": ("none", "bad"),
    }
    assert "20 of 20 records hold." in page.locator('[data-file="many.json"]').inner_text()
    other = page.locator('[data-file="other.json"]').inner_text()
    assert "1 of 2 records hold." in other
    assert "Record 2, Roulette, session 50: not verified: version 1" in other
    assert "larger than 32 MiB" in page.locator('[data-file="large.json"]').inner_text()
    assert page.locator('[data-file="good.json"] [data-executed]').inner_text() == "verified: it is what you saw"
    forged = page.locator('[data-file="forged.json"] [data-executed]').inner_text()
    assert forged == "consistent; not compared with what you saw", "only the file says what was kept of it"
    for name in ("good.json", "changed.json"):
        check_words(page, name, by_command(files[name], "--kept", files["kept.json"]))
    assert page.locator("#status").inner_text() == "4 of 8 files hold, 4 compared with what was kept."
    assert [asked for asked in page.asked if not asked.startswith((with_pig.url, "blob:"))] == []
    assert page.complaints == []


def test_a_game_of_another_package_is_executed_and_listed(server_page, with_pig):
    """The server packs what it has installed, by the package's own list of files."""
    page = server_page

    assert verdicts(page, [with_pig.pig]) == {"pig.json": ("good", "good")}
    assert "Pig, rules version 1, ran with the digest" in page.locator('[data-file="pig.json"]').inner_text()
    manifest = page.request.get(f"{with_pig.url}/web/python/manifest.json").json()
    (package,) = (one for one in manifest["packages"] if one["name"] == "croupier-pig")
    assert f"croupier-pig-1.0.0.zipSHA-256 {package['sha256']}" in page.locator("#packages").text_content()


def test_one_file_works_from_a_disk_without_a_network(browser, files, tmp_path):
    page_file = tmp_path / "verify.html"
    assert main([str(page_file)]) == 0
    page = open_page(browser, page_file.as_uri(), service_workers="block")
    page.context.set_offline(True)

    found = verdicts(page, [files["good.json"], files["changed.json"], files["kept.json"]])

    assert found == {"good.json": ("good", "good"), "changed.json": ("bad", "good")}
    assert [asked for asked in page.asked if not asked.startswith(("file:", "blob:"))] == []
    assert page.complaints == []
    policy = page.locator('meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "http" not in policy


def test_the_command_serves_the_same_page(browser, files):
    command = [sys.executable, "-m", "croupier.web", "--serve", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            page = open_page(browser, process.stdout.readline().strip(), service_workers="block")

            assert verdicts(page, [files["good.json"]]) == {"good.json": ("good", "good")}
        finally:
            process.terminate()


def test_the_command_says_what_it_wants(capsys):
    with pytest.raises(SystemExit) as ended:
        main([])

    assert ended.value.code == 2
    assert "name a file, or --serve" in capsys.readouterr().err


def test_a_transcript_of_shared_dice_is_worked_out_with_its_signatures(server_page, tmp_path):
    load_example("shared_dice").play(tmp_path)
    text = (tmp_path / "table.json").read_text()
    place = text.index('"signature":"') + 20
    (tmp_path / "forged.json").write_text(text[:place] + ("0" if text[place] != "0" else "1") + text[place + 1 :])

    found = verdicts(server_page, [tmp_path / "table.json", tmp_path / "forged.json"])

    assert found == {"table.json": ("good", "good"), "forged.json": ("bad", "bad")}
    for name in found:
        check_words(server_page, name, by_command(tmp_path / name))

    match = tmp_path / "match.json"
    other = json.loads(match.read_text())
    other["seeds"] = [seed and "ab" * 32 for seed in other["seeds"]]
    (tmp_path / "other.json").write_text(seal(other))
    for record, state in ((match, "good"), (tmp_path / "other.json", "bad")):
        found = verdicts(server_page, [tmp_path / "table.json", record])
        assert found["table.json"] == (state, state)
        check_words(server_page, "table.json", by_command(tmp_path / "table.json", "--record", record))


def test_a_whole_history_is_saved_and_checked_where_nobody_knows_the_player(visitor, server_page, tmp_path):
    """The file holds what the browser kept and what the host had announced, so that nothing is left open."""
    for game in ("roulette", "casino-war"):
        visitor.play(game)
    visitor.go("")
    visitor.open_room("shut-the-box", "^Play")
    visitor.play_box()
    visitor.go("history")
    with visitor.page.expect_download() as saved:
        visitor.page.get_by_role("button", name="Save all records").click()
    path = tmp_path / "history.json"
    saved.value.save_as(path)
    visitor.page.get_by_role("button", name="Saved: 3 records").wait_for()
    changed = json.loads(path.read_text())
    for entry in changed["log"]["entries"]:
        if entry[1] == "rules/casino-war":
            entry[2][1] = "00" * 32
    (tmp_path / "announced.json").write_text(json.dumps(changed))

    found = verdicts(server_page, [path, tmp_path / "announced.json"])

    assert found == {"history.json": ("good", "good"), "announced.json": ("bad", "good")}
    assert "1 of 2 files hold, 2 compared with what was kept." in server_page.locator("#status").inner_text()
    said = server_page.locator('[data-file="announced.json"] summary').first.inner_text()
    assert re.match(r"Record \d, Casino War, session \d+: not verified: Casino War, .* announced with the", said)
