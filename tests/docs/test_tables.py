"""Tables on the pages: what they list is what there is, and what they state is what comes out."""

from __future__ import annotations

import ast
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import get_game
from croupier.engine import Match, MatchRecord
from croupier.games.shut_the_box.odds import analyse, board_value, policy_value
from croupier.games.shut_the_box.policies import POLICIES
from croupier.testing.house_laws import ADVICE
from tests.docs.conftest import table_rows

ROOT = Path(__file__).parents[2]


def section(page: str, heading: str) -> str:
    (text,) = re.findall(rf"^##+ {heading}$(.*?)(?=^##+ |\Z)", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    return str(text)


# The record format.


def test_the_page_of_the_record_format_lists_the_fields_of_a_record() -> None:
    fields = re.findall(r"^\| `(\w+)` \|", section("docs/record-format.md", "Field by field"), re.MULTILINE)

    assert sorted(fields) == sorted(MatchRecord.__struct_fields__)


def test_the_page_of_the_record_format_lists_what_is_in_a_digest() -> None:
    cells = re.findall(r"^\| (`[^|]+) \|", section("docs/record-format.md", "The digest of a state"), re.MULTILINE)
    fields = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]

    assert sorted([*fields, "updated_at"]) == sorted(Match.__struct_fields__)


# The laws.


def test_the_page_about_testing_lists_the_laws_of_the_kit() -> None:
    """Read from the source: the first argument of every `found(...)`; those made from a call's name are one row.

    What an error of a house game breaks is told by `law_of`.
    """
    laws = {"no faults", *ADVICE}
    for module in ("conformance.py", "house_laws.py"):
        for node in ast.walk(ast.parse((ROOT / "src" / "croupier" / "testing" / module).read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "found":
                law = node.args[0]
                if not isinstance(law, ast.Starred | ast.Name):
                    laws.add(str(law.value) if isinstance(law, ast.Constant) else "no …")

    assert {row[0] for row in table_rows("docs/testing.md", "law")} == laws


# The figures of Shut the Box: exact values rounded to the digits shown.


def score(value: Fraction) -> str:
    return f"{float(value):.4f}"


def percent(value: Fraction) -> str:
    return f"{float(value * 100):.4f} %"


RULES_PAGE = "src/croupier/games/shut_the_box/rules.md"


def test_the_rules_page_states_what_best_play_is_worth() -> None:
    for count, least, best in table_rows(RULES_PAGE, "tiles"):
        full = range(1, int(count) + 1)
        assert least == score(board_value(full, tile_count=int(count)))
        assert best == percent(board_value(full, "shut", tile_count=int(count)))


def test_the_rules_page_states_what_the_die_rules_are_worth() -> None:
    full = range(1, 10)
    for die_rule, choice, least, best in table_rows(RULES_PAGE, "`die_rule` | `die_choice`"):
        rule = {"die_rule": die_rule, "die_choice": choice == "true"}
        assert least == score(board_value(full, **rule))  # type: ignore[arg-type]
        assert best == percent(board_value(full, "shut", **rule))  # type: ignore[arg-type]


def test_the_rules_page_states_how_the_bots_do() -> None:
    rows = {row[0]: (row[2], row[3]) for row in table_rows(RULES_PAGE, "bot")}

    assert rows == {
        name: (score(policy_value(policy)), percent(policy_value(policy, "shut"))) for name, policy in POLICIES.items()
    }
    assert set(rows) == set(get_game("shut-the-box").bots)


def test_what_the_rules_page_says_about_playing_well_is_so() -> None:
    text = (ROOT / RULES_PAGE).read_text()
    full = range(1, 10)

    assert f"{board_value(full)} and {board_value(full, 'shut')}" in text
    assert f"once in {float(1 / board_value(full, 'shut')):.1f} rounds" in text
    for total in range(2, 10):
        assert analyse(full, total)[0].tiles == analyse(full, total, "shut")[0].tiles == (total,)
    assert policy_value(POLICIES["fewest_tiles"]) - board_value(full) < Fraction(56, 100)
    ten, eleven = analyse(full, 10), analyse(full, 11)
    assert (ten[0].tiles, f"{float(ten[0].value):.3f}") == ((1, 9), "11.885")
    assert (ten[1].tiles, f"{float(ten[1].value):.3f}") == ((2, 8), "13.506")
    assert analyse(full, 10, "shut")[0].tiles == (4, 6)
    assert (eleven[0].tiles, analyse(full, 11, "shut")[0].tiles) == ((2, 9), (5, 6))
    assert board_value([7], "shut") == Fraction(1, 6)


# The games in the README.


def test_the_readme_lists_exactly_the_games_that_are_registered() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["croupier.games"]
    rows = table_rows("README.md", "game")

    assert len(rows) == 13
    assert {row[1] for row in rows} == set(points)


def test_the_readme_states_the_exact_figures_of_shut_the_box() -> None:
    full = range(1, 10)
    (row,) = [row for row in table_rows("README.md", "game") if row[1] == "shut-the-box"]

    assert score(board_value(full)) in row[2]
    assert percent(board_value(full, "shut")) in row[2]


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "decisions").glob("*.md")), ids=lambda path: path.name)
def test_a_decision_has_its_number_and_four_parts(path: Path) -> None:
    text = path.read_text()

    assert text.startswith(f"# {path.name[:4]}: ")
    assert re.findall(r"^\*\*(.+?)\.\*\*", text, re.MULTILINE) == [
        "What pressed",
        "What we chose",
        "Its cost",
        "What would change our mind",
    ]
