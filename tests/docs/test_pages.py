"""Code on the pages is code that tests run, commands print what is shown, links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from doctest import ELLIPSIS, OutputChecker
from os.path import normpath
from pathlib import Path
from textwrap import dedent

import pytest

from croupier import get_game
from docs.conftest import collect_ignore  # type: ignore[import-not-found, unused-ignore]
from tests.docs.conftest import Shell
from tools.site_pages import PAGES as MADE_PAGES

ROOT = Path(__file__).parents[2]
TESTED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["testpaths"]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "changelog.d").glob("README.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
SOURCES = [
    *(ROOT / "docs" / "examples").glob("*.py"),
    *(ROOT / "examples").rglob("*.py"),
    *(ROOT / "examples").rglob("pyproject.toml"),
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
LANGUAGES = {"console", "diff", "nginx", "python", "text", "toml"}

DOCTEST = "import doctest, sys; sys.exit(doctest.testfile('page.md', False, optionflags=doctest.ELLIPSIS).failed)"
SESSIONS = f'python -c "{DOCTEST}"'
# The pages under Learn and Do in mkdocs.yml, and those of them with sessions that no other test runs from nothing.
READ_THROUGH = [
    ROOT / "docs" / page
    for group in re.findall(r"^  - (?:Learn|Do):\n((?:      .*\n)+)", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    for page in re.findall(r": (\S+)$", group, re.MULTILINE)
]
HOW_TO = [ROOT / "docs" / page for page in collect_ignore if page.endswith(".md")]
PICTURES = {
    ("concepts", "seed ─► stream of this move"),
    ("fairness", "1. a locked box          2. your number             3. the box is opened"),
    ("fairness", "issued ──────────► started ──────────► finished: opened in the record"),
    (
        "fairness",
        'commitment = SHA-256( lp("croupier/commitment/2") ‖ lp(host_key) ‖ lp(account) ‖ u64 n ‖ u64 session_id',
    ),
    ("scale", "┌── process 1 ──┐"),
    ("shared-dice", "table                          players                             what is fixed then"),
    ("validators", "block k      Ann's move is in it: her account is locked, nothing is drawn"),
}
RUN_ELSEWHERE = {
    ("client", "croupier serve"): "tests/docs/test_client_page.py",
    (
        "deploy",
        "map $http_upgrade $connection_upgrade { default upgrade; '' ''; }",
    ): "tests/server_faults/test_nginx.py",
    ("shared-dice", "croupier verify table.json --record match.json"): "tests/docs/test_shared_dice_page.py",
    ("validators", "croupier node localnet --simulated"): "tests/unit/chain/test_page_story.py",
    ("validators", "croupier node key ann.json"): "tests/unit/chain/test_page_story.py",
    ("web", "python -m croupier.web verify.html      # write it"): "tests/web/python/test_verify_page.py",
    ("web", 'import init, { Game } from "./shut-the-box.js";'): "tests/web/offline/test_box.py",
    ("fairness", "croupier verify round.json --kept croupier-kept.json"): "tests/unit/cli/test_verify.py",
}
NOT_RUN = {
    ("deploy", "sudo -u postgres createuser --pwprompt croupier"): "asks for a password, as another user",
    ("deploy", "CROUPIER_DATABASE=postgresql://croupier@127.0.0.1/croupier"): "settings of a machine with a name",
    ("deploy", "play.example.org {"): "Caddy, which `make services` does not install",
    ("deploy", "curl https://play.example.org/api/v1/games       # through the proxy"): "a machine with a name",
    (
        "operate",
        "pg_dump --format=custom --file=monday.dump postgresql://croupier@db.example.org/croupier",
    ): "another machine",
    ("scale", "dask scheduler                       # on one machine"): "several machines",
}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, *languages: str) -> list[str]:
    """Return the fenced blocks of a page in these languages."""
    return [text for language, text in BLOCK.findall(page.read_text()) if language in languages]


def is_session(block: str) -> bool:
    return block.startswith(">>> ")


def steps(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with the output that is shown below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield line, shown


def runs_here(line: str) -> bool:
    """Tell whether a command is run: ours, and what feeds it. Setting up is for `make` and the tests of packages."""
    return line.startswith(("croupier ", "printf ", "sed "))


PAGES_WITH_COMMANDS = [
    page for page in PAGES if any(runs_here(line) for block in blocks(page, "console") for line, _ in steps(block))
]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_says_what_it_is(page: Path) -> None:
    text = page.read_text()
    languages = [language for language, _ in BLOCK.findall(text)]

    assert set(languages) <= LANGUAGES
    assert text.count("```") == 2 * len(languages)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_code_on_a_page_is_code_that_tests_run(page: Path) -> None:
    """A session is a doctest, on a page that pytest collects; other code stands so in a file that tests import."""
    for block in blocks(page, "python", "toml"):
        if is_session(block):
            assert any((ROOT / tested) in (page, *page.parents) for tested in TESTED), block
            continue
        texts = [source.read_text() for source in SOURCES]
        shown = block.strip("\n")
        assert any(shown in text or shown in dedent_all(text, shown) for text in texts), block


def dedent_all(text: str, shown: str) -> str:
    """Return the text with the part that begins like `shown` moved to the left, for methods shown on their own."""
    first = re.escape(shown.partition("\n")[0])
    found = re.search(rf"^ +{first}$", text, re.MULTILINE)
    if found is None:
        return ""
    lines = text[found.start() :].splitlines()[: len(shown.splitlines())]
    return dedent("\n".join(lines))


def squeezed(output: str) -> str:
    """Return output with one space for many, because columns may move, and with doctest's dots for what is left out."""
    rows = [" ".join(row.split()) for row in output.replace("…", "...").splitlines()]
    return "".join(f"{row}\n" for row in rows)


def shows(shown: str, printed: str) -> bool:
    """Tell whether a page shows what was printed; nothing shown may be anything."""
    return not shown or OutputChecker().check_output(squeezed(shown), squeezed(printed), ELLIPSIS)


def follow(block: str, shell: Shell) -> None:
    """Type the commands of a console block: each works and prints what is shown."""
    for line, shown in steps(block):
        printed, exit_code = shell(line)
        assert exit_code == 0, f"{line}\n{printed}"
        assert shows(shown, printed), f"{line}\n{printed}"


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=name)
def test_commands_on_a_page_do_what_it_shows(page: Path, shell: Shell) -> None:
    """In order, in one folder. An exit code other than 0 is shown by `echo $?`; output that is not shown may be any."""
    exit_code, asked = 0, True
    for block in blocks(page, "console"):
        for line, shown in steps(block):
            if line == "echo $?":
                assert shown == f"{exit_code}\n", f"{line} after exit code {exit_code}"
                asked = True
                continue
            assert exit_code == 0 or asked, f"the command before {line!r} ended with {exit_code}"
            if not runs_here(line):
                continue
            printed, exit_code = shell(line)
            asked = False
            assert shows(shown, printed), f"{line}\n{printed}"
    assert exit_code == 0 or asked


@pytest.mark.parametrize("page", HOW_TO, ids=name)
def test_sessions_of_a_how_to_page_work_in_a_folder_with_its_files(page: Path, shell: Shell, tmp_path: Path) -> None:
    """In the environment of a reader, not in the one of the tests; pytest does not collect these pages."""
    for example in (ROOT / "docs" / "examples").glob("*.py"):
        (tmp_path / "desk" / example.name).symlink_to(example)
    (tmp_path / "desk" / "tools").symlink_to(ROOT / "tools")  # for who has the repository
    (tmp_path / "desk" / "page.md").symlink_to(page)

    printed, exit_code = shell(SESSIONS)
    assert exit_code == 0, printed


def test_every_other_block_is_a_picture_run_elsewhere_or_cannot_be_run() -> None:
    """Of the pages to learn from and to do by; the list of what is not run only shrinks."""
    shown = {
        (page.stem, text.lstrip("$ ").partition("\n")[0].strip())
        for page in READ_THROUGH
        for language, text in BLOCK.findall(page.read_text())
        if language in ("nginx", "text")
    }

    assert shown == {*PICTURES, *RUN_ELSEWHERE, *NOT_RUN}
    assert all((ROOT / test).exists() for test in RUN_ELSEWHERE.values())
    assert len(NOT_RUN) <= 6


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_make_targets_on_a_page_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    lines = [line for block in blocks(page, "console") for line, _ in steps(block)]
    named = {words[1] for line in lines if (words := line.split())[0] == "make"}

    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_files_lead_somewhere(page: Path) -> None:
    """mkdocs looks at the links inside docs/; these are all, the README's too, as one reads them in the repository.

    But for pages that are made when the site is built, which it alone has.
    """
    made = {str(ROOT / "docs" / name) for name in MADE_PAGES}
    targets = [link.partition("#")[0] for link in LINK.findall(page.read_text()) if "://" not in link]

    lost = [target for target in targets if target and not (page.parent / target).exists()]
    assert [target for target in lost if normpath(page.parent / target) not in made] == []


def test_the_rules_pages_in_the_documentation_are_the_ones_in_the_package() -> None:
    games = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["croupier.games"]
    shown = {path.stem: path for path in (ROOT / "docs" / "games").iterdir()}

    assert shown.keys() == games.keys()
    for game_id, path in shown.items():
        assert path.is_symlink()
        assert path.resolve().is_relative_to(ROOT / "src" / "croupier" / "games")
        assert path.read_text() == get_game(game_id).rules_text()
