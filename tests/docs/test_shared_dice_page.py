"""The page about shared dice: its tables list what there is, and its figures are what the simulator counts."""

from __future__ import annotations

import re
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

from click.testing import CliRunner

from croupier.fairness.dice import Terms, messages
from tests.docs.conftest import load_example, table_rows

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "shared-dice.md").read_text()


def test_the_page_lists_every_byte_string() -> None:
    folder = ROOT / "src" / "croupier" / "fairness" / "dice"
    source = (folder / "encoding.py").read_text() + (folder / "messages.py").read_text()

    assert set(re.findall(r'"(craps/[a-z-]+/[12])"', PAGE)) == set(re.findall(r'"(craps/[a-z-]+/[12])"', source))


def test_the_page_lists_every_message_with_its_fields() -> None:
    rows = {row[0].lower(): row[1] for row in table_rows("docs/shared-dice.md", "message")[:-1]}
    kinds = {kind.__struct_config__.tag: kind for kind in messages.Message.__args__}

    assert set(rows) == set(kinds)
    for name, kind in kinds.items():
        named = [field.split()[0] for field in rows[name].split(", ")]
        fields = [field.split("_")[0] for field in kind.__struct_fields__ if field != "signature"]
        assert named == fields, name


def test_the_page_states_the_default_terms() -> None:
    named = set(re.findall(r"`(table_pays=False|hidden=True)`", PAGE))
    terms = Terms(name="t", table_key="00" * 32)

    assert named == {"table_pays=False", "hidden=True"}
    assert (terms.table_pays, terms.hidden) == (True, False)
    assert (terms.commit_ms, terms.object_ms, terms.reveal_ms, terms.protocol) == (10_000, 2_000, 10_000, 2)


def test_the_command_says_what_the_page_shows(tmp_path: Path) -> None:
    load_example("shared_dice").play(tmp_path)
    from croupier.cli.app import app

    (shown,) = re.findall(r"^\$ croupier verify table.json --record match.json\n(.*?)^```$", PAGE, re.M | re.S)
    arguments = ["verify", str(tmp_path / "table.json"), "--record", str(tmp_path / "match.json")]
    printed = CliRunner().invoke(app, arguments, prog_name="croupier")

    assert printed.exit_code == 0
    assert OutputChecker().check_output(shown.replace("…", "..."), printed.stdout, ELLIPSIS), printed.stdout
