"""The page of conformance: every line it tells readers to type runs, and every test that it points to exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "conformance.md").read_text()
SECTIONS = dict(re.findall(r"^## (.+?)$(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))

# What a reader of a section has typed before.
BEFORE = {
    "The casino's execution engine": """
import croupier.cli.draw_list
from croupier import GameRng, act, draws, get_game
from croupier.engine import canonical
from croupier.games.roulette import Roulette
from croupier.house import *
from croupier.house import supermode
from croupier.kit import cards
from croupier.rng import SUPER_MOVE
seed = bytes(32)
rng = GameRng.new(seed, 1, 0)
opened = open_session(get_game("roulette"), player="ann", session_id=1, seed=seed)
session = settle(*init_game(opened, GameRng.new(seed, 1, 0)))
""",
    "The match engine": """
from croupier import *
from croupier.engine import *
from croupier.errors import BadPlayers
game = get_game("shut-the-box")
match = create_match(game, ["ann", "bob"], seed=42)
client = MatchClient(game, match)
""",
    "Shut the Box, the plain object": """
from croupier.games.shut_the_box import Game, SoloBox, check_combinations
game = Game(1)
""",
    "Craps": """
from fractions import Fraction
from croupier import GameRng, get_game
from croupier.fairness import dice
from croupier.fairness.dice import encoding
from croupier.games.craps.compat import *
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.table.shared_dice import DiceRoom
seed = bytes(32)
game = CrapsGame("g", ["ann", "bob"])
game.place_bet("ann", Bet(BetType.PASS, 10))
""",
    "The card duel": """
from croupier.games.lanes import *
from croupier.games.lanes.cards.card_set import own_decks
ids = list(own_decks()[0].cards)
deck = Deck(ids, 7)
hand = Hand(CardHydrator())
hand.from_card_ids(ids[:5])
card = hand[0]
state = GameState(Deck(ids, 1), Deck(ids, 2), seed=1)
move = state.legal_moves()[0]
board = BoardState()
""",
}


def rows(section: str) -> list[list[str]]:
    """Return the rows of a section that have a test."""
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if len(row) == 3 and "::" in row[2]]


TYPED = [(section, row[1].strip("`")) for section in BEFORE for row in rows(section)]
POINTERS = sorted({row[2].strip("` ") for section in BEFORE for row in rows(section)})


@cache
def functions_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(("section", "line"), TYPED, ids=[line for _, line in TYPED])
def test_a_line_of_the_page_can_be_typed(section: str, line: str) -> None:
    """What is a comparison at its end must be true, everything before it just runs."""
    typed: dict[str, Any] = {}
    exec(BEFORE[section], typed)
    *first, last = ast.parse(line).body
    exec(compile(ast.Module(first, []), line, "exec"), typed)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), line, "exec"), typed)
        return
    value = eval(compile(ast.Expression(last.value), line, "eval"), typed)
    if isinstance(last.value, ast.Compare):
        assert value


@pytest.mark.parametrize("pointer", POINTERS)
def test_the_test_exists(pointer: str) -> None:
    path, _, test = pointer.partition("::")

    assert test in functions_in(TESTS / path)


def test_every_row_of_the_page_is_read() -> None:
    """A row is a line to type with its test, or a departure with its reason."""
    heads = ("their name", "the document")
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line[2:].startswith(heads)]
    departures = [line for line in lines if "::" not in line]

    assert len(lines) - len(departures) == len(TYPED) > 250
    assert all(len(line.strip("| ").split(" | ")) == 3 for line in departures)
    assert "*later*" not in PAGE


def test_every_document_has_a_section() -> None:
    assert list(SECTIONS) == ["Which interface is which", *BEFORE]
