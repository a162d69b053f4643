"""Tables on the pages: each lists what the source has, and the figures are those that come out."""

from __future__ import annotations

import ast
import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import pytest

from croupier import get_game
from croupier.chain import limits, queries
from croupier.chain.abci.protobuf import ITEMS_MAX
from croupier.chain.abci.server import FRAME_BYTES_MAX
from croupier.chain.block import CODES
from croupier.chain.node.cometbft import VERSION
from croupier.engine import Match, MatchRecord
from croupier.fairness.dice.failures import FAILURES
from croupier.fairness.dice.transcript import Transcript
from croupier.games.shut_the_box.odds import analyse
from croupier.games.shut_the_box.policies import POLICIES
from croupier.house import ErrorKind, Table
from croupier.house.results import AnyResult
from croupier.testing.house_laws import ADVICE
from tests.docs.conftest import rows_in, section, table_rows, words
from tests.games.shut_the_box.matches import board_value, policy_value

ROOT = Path(__file__).parents[2]


RECORDS = (ROOT / "docs" / "record-format.md").read_text()
VALIDATORS = (ROOT / "docs" / "validators.md").read_text()


def first(rows: list[list[str]]) -> list[str]:
    """Return the words in the first cells of rows."""
    return [name for row in rows for name in words(row[0]) or [row[0]]]


def of_house(*head: str) -> list[list[str]]:
    return table_rows("docs/house.md", *head, ticks=True)


@pytest.mark.parametrize(
    ("told", "known"),
    [
        (sorted(first(rows_in(section(RECORDS, "Field by field")))), sorted(MatchRecord.__struct_fields__)),
        (
            sorted([*first(rows_in(section(RECORDS, "The digest of a state"))), "updated_at"]),
            sorted(Match.__struct_fields__),
        ),
        (first(table_rows("docs/shared-dice.md", "code")), list(FAILURES)),
        (first(table_rows("docs/shared-dice.md", "field")), list(Transcript.__struct_fields__)),
        (sorted(first(of_house("variant", "when"))), sorted(variant.__name__ for variant in get_args(AnyResult))),
        (first(of_house("field", "meaning")), list(Table.__struct_fields__)),
        (
            {words(kind)[0]: int(code) for kind, code, _ in of_house("kind", "event code", "when")},
            {kind.name: kind.value for kind in ErrorKind},
        ),
        (
            {name: int(value) for name, value in re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|$", VALIDATORS, re.MULTILINE)},
            {
                **{name: value for name, value in vars(limits).items() if name.isupper()},
                "FRAME_BYTES_MAX": FRAME_BYTES_MAX,
                "ITEMS_MAX": ITEMS_MAX,
            },
        ),
        ({name: int(code) for code, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", VALIDATORS, re.MULTILINE)}, CODES),
        (
            set(re.findall(r"^\| `(/[^`]+)` \|", VALIDATORS, re.MULTILINE)),
            set(re.findall(r"^ *(/\S+)", str(queries.__doc__), re.MULTILINE)),
        ),
        (set(re.findall(r"`cometbft` (v[\d.]+\d)", VALIDATORS)), {VERSION}),
    ],
    ids=[
        "fields of a record",
        "fields in a digest",
        "failures of shared dice",
        "fields of a transcript",
        "variants of a result",
        "fields of a house table",
        "kinds of errors",
        "limits of validators",
        "codes of transactions",
        "queries",
        "version of CometBFT",
    ],
)
def test_the_page_lists_what_the_source_has(told: Any, known: Any) -> None:
    assert told == known


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


def test_the_rules_page_states_what_best_play_and_the_die_rules_are_worth() -> None:
    worths: list[Any] = [
        (int(row[0]), {"tile_count": int(row[0])}, *row[1:]) for row in table_rows(RULES_PAGE, "tiles")
    ]
    for die_rule, choice, *told in table_rows(RULES_PAGE, "`die_rule` | `die_choice`"):
        worths.append((9, {"die_rule": die_rule, "die_choice": choice == "true"}, *told))
    for count, rule, least, best in worths:
        full = range(1, count + 1)
        assert (least, best) == (score(board_value(full, **rule)), percent(board_value(full, "shut", **rule)))


def test_the_rules_page_states_how_the_bots_do() -> None:
    rows = {row[0]: (row[2], row[3]) for row in table_rows(RULES_PAGE, "bot")}

    assert rows == {
        name: (score(policy_value(policy)), percent(policy_value(policy, "shut"))) for name, policy in POLICIES.items()
    }
    assert set(rows) == set(get_game("shut-the-box").bots)


def test_the_advice_of_the_rules_page_is_best_play() -> None:
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


def test_the_readme_lists_the_games_that_are_registered_and_the_figures_of_shut_the_box() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["croupier.games"]
    rows = table_rows("README.md", "game")
    figures = {row[1]: row[2] for row in rows}
    full = range(1, 10)

    assert len(rows) == 13
    assert set(figures) == set(points)
    assert score(board_value(full)) in figures["shut-the-box"]
    assert percent(board_value(full, "shut")) in figures["shut-the-box"]


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
