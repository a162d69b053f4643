"""The page in few files: modules joined as they stand, and edges that were counted beforehand."""

from __future__ import annotations

import json
import re
import subprocess
from importlib import resources
from typing import Any

import pytest

from croupier.engine import get_game
from croupier.house import HouseGame
from croupier.server.transport.static import static_files
from croupier.web.bundles import BadModule, page_files

PAGE = """\
<link rel="stylesheet" href="/web/css/base.css" />
<link rel="stylesheet" href="/web/css/shell.css" />
<script src="/web/app.js">"""
REST = {"css/base.css": "a", "css/shell.css": "b", "index.html": PAGE}


def joined(**modules: str) -> tuple[str, dict[str, str], str]:
    """Return the hash, the files without it, and the page."""
    files, page = page_files({**{path.replace("__", "/") + ".js": text for path, text in modules.items()}, **REST})
    (digest,) = {path.partition("/")[0] for path in files}
    return digest, {path.partition("/")[2]: text for path, text in files.items()}, page


def run_in_node(files: dict[str, str], digest: str, folder: Any, script: str) -> str:
    """Run a script beside the files of a page, with addresses that lead to them."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text.replace(f"/web/{digest}/", f"file://{folder}/"), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "main.js").write_text(script, encoding="utf-8")
    done = subprocess.run(["node", "main.js"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_joined_modules_do_what_they_did(tmp_path):
    digest, files, _ = joined(
        app='import { add as plus, log } from "./lib/sum.js";\nimport table from "./lib/table.js";\n'
        "log(`app ${plus(1, 2)} ${table.name}`);\n"
        "export const load = async (name) => (await import(`./tables/${name}.js`)).default();\n"
        'export const late = async () => (await import("./screens/lobby.js")).shown;\n',
        lib__sum='export const log = (text) => console.log(text);\nlog("sum");\n'
        "/** Add. */\nexport function add(a, b) {\n  return a + b;\n}\n",
        lib__table='import { log } from "./sum.js";\nlog("table");\nexport default { name: "felt" };\n',
        screens__lobby='import "../lib/table.js";\nconst shown = 7;\nexport { shown };\n',
        tables__war='import { add } from "../lib/sum.js";\nimport { deep } from "../lib/deep.js";\n'
        "export default () => add(deep, 1);\n",
        lib__deep="export const deep = 40;\n",
    )
    assert sorted(files) == ["app.js", "css/base.css", "tables/war.js"]
    script = 'import { $app } from "./app.js";\nconsole.log(await $app.load("war"), await $app.late());\n'
    assert run_in_node(files, digest, tmp_path, script).split("\n")[:-1] == ["sum", "table", "app 3 felt", "41 7"]


def test_what_two_tables_need_is_in_the_first_bundle_and_runs_once(tmp_path):
    table = 'import { next } from "../lib/count.js";\nexport const at = next();\n'
    digest, files, _ = joined(
        app="export const load = (name) => import(`./tables/${name}.js`);\n",
        lib__count="let count = 0;\nexport const next = () => (count += 1);\n",
        tables__one=table,
        tables__two=table,
    )
    assert "count" not in files["tables/one.js"].replace("$lib_count", "")
    script = 'import { $app } from "./app.js";\nconst load = async (name) => console.log((await $app.load(name)).at);\n'
    script += 'await load("one");\nawait load("two");\nawait load("one");\n'
    assert run_in_node(files, digest, tmp_path, script).split() == ["1", "2", "1"]


@pytest.mark.parametrize(
    "odd",
    [
        'import * as all from "./lib.js";\n',
        "export let changing = 1;\n",
        "export default function named() {}\n",
        "export const { one, two } = pair;\n",
        "await something();\n",
        'export { one } from "./lib.js";\n',
    ],
)
def test_a_form_that_cannot_be_joined_is_refused_by_name(odd):
    with pytest.raises(BadModule, match=re.escape("app.js: cannot be joined with others: " + odd.rstrip())):
        joined(app=odd, lib="export const one = 1;\n")


def test_imports_in_a_ring_and_modules_that_are_not_there_are_refused():
    with pytest.raises(BadModule, match=re.escape("imports in a ring: app.js -> a.js -> b.js -> a.js")):
        joined(app='import "./a.js";\n', a='import "./b.js";\n', b='import "./a.js";\n')
    with pytest.raises(BadModule, match=re.escape("there is no module lib/gone.js")):
        joined(app='import "./lib/gone.js";\n')


def test_the_address_changes_with_anything_that_is_in_it():
    first, files, page = joined(app="1;\n")
    assert page == f'<link rel="stylesheet" href="/web/{first}/css/base.css" />\n<script src="/web/{first}/app.js">'
    assert files["css/base.css"] == "ab"
    assert joined(app="2;\n")[0] != first
    assert page_files({**REST, "app.js": "1;\n", "css/shell.css": "c"})[1] != page


def test_every_module_of_the_page_is_in_one_bundle_alone():
    texts = [file.body.decode() for path, file in static_files().items() if file.is_fixed and path.endswith(".js")]
    modules = [name for text in texts for name in re.findall(r"^// (\S+\.js)$", text, re.MULTILINE)]
    assert len(modules) == len(set(modules)) > 80
    for name in ("app.js", "lib/api.js", "tables/roulette.js", "common/dice-play.js"):
        assert name in modules


def test_the_lobby_has_the_edges_that_are_counted():
    written = json.loads(resources.files("croupier.web").joinpath("static/data/edges.json").read_bytes())
    assert len(written) == 10
    for name, (low, high) in written.items():
        game = get_game(name)
        assert isinstance(game, HouseGame)
        edges = [row.edge for row in game.odds(game.read_options(None))]
        assert (low, high) == (str(min(edges)), str(max(edges))), "python tools/edges.py --write"


RESOURCES = """
performance.getEntriesByType("resource").map(({ name, transferSize }) => [new URL(name).pathname, transferSize])
"""


def test_a_first_visit_takes_few_requests_and_a_second_fetches_no_module_again(visitor):
    def loaded() -> list[tuple[str, int]]:
        visitor.page.wait_for_selector(".games:not(:has-text('…'))")
        visitor.page.wait_for_function("performance.getEntriesByName(`${location.origin}/api/v1/versions?since=0`)")
        return [tuple(one) for one in visitor.page.evaluate(RESOURCES)]

    first = loaded()
    assert len(first) < 15, first  # and the page itself
    fixed = [path for path, _ in first if re.match(r"/web/[0-9a-f]{16}/", path)]
    assert [path.rpartition("/")[2] for path in fixed] == ["base.css", "app.js"]
    visitor.page.reload()
    again = dict(loaded())
    assert [again[path] for path in fixed] == [0, 0], "taken from what the browser keeps"


def test_a_first_visit_straight_to_a_table_takes_few_requests(meet, url, any_game):
    """Also by the link to a room, which whoever opened it has sent."""
    address = f"{url}/#/play/{any_game}"
    if not isinstance(get_game(any_game), HouseGame):
        host = meet()
        host.open_room(any_game, "^Play")
        address = host.page.url
    straight = meet(url=address)
    straight.settle()
    straight.page.wait_for_load_state("networkidle")

    found = [path for path, _ in straight.page.evaluate(RESOURCES)]
    assert len(found) < 15, found  # and the page itself
