"""The fee of super mode is one number: changed in a copy of the package, all that charges or tells it follows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import croupier
from croupier.engine import get_game, list_games
from croupier.house import HouseGame
from croupier.rounds import SUPER_FEE_DIVISOR

PACKAGE = Path(croupier.__file__).parent
ROOT = PACKAGE.parents[1]
FIFTH, QUARTER = "SUPER_FEE_DIVISOR = 5\n", "SUPER_FEE_DIVISOR = 4\n"

# Run in the copy: every house game that plays a super round, by its usual policy, on stakes that divide by four.
SCRIPT = """
import sys
import tomllib
from importlib import import_module

from croupier.engine.legal import legal_ranges
from croupier.errors import BadOptions
from croupier.house import HouseGame, get_super_mode_fee
from croupier.house.table_game import TableGame
from croupier.testing import HouseKit

games = tomllib.load(open(sys.argv[1], "rb"))["project"]["entry-points"]["croupier.games"].values()
rounds = 0
for place in sorted(games):
    module, _, name = place.partition(":")
    game = getattr(import_module(module), name)()
    if not isinstance(game, HouseGame) or not game.super_odds():
        continue
    row = game.super_odds()[0]
    bet = row.bet
    kit = HouseKit(game, stake=0 if isinstance(game, TableGame) else 20, keeps_scratch=isinstance(game, TableGame))
    for session_id in range(20):
        money = kit.same_round(game.plan({bet: 20}, "", None, True), session_id).money
        assert money.fees == 5, (name, money)
        rounds += 1
    try:
        game.plan({bet: 10}, "", None, True)
    except BadOptions as error:
        assert "a multiple of 4" in str(error), error
    else:
        raise AssertionError(f"{name} takes a stake that does not divide")
    for each in game.super_odds():
        print(name, each.bet, each.policy, each.edge, each.edge / each.edge_per_chip, sep="\\t")
    if isinstance(game, TableGame) and game.steps:
        assert legal_ranges(game, kit.start(super_mode=True))["place"]["stake"].step == 4, name
assert get_super_mode_fee(100) == 25
assert rounds == 200, rounds
"""


def run(source: Path) -> dict[tuple[str, ...], tuple[Fraction, Fraction]]:
    """Return the edge of every bet in super mode, as a package tells it, and what is laid out for a chip of it."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    pyproject = ROOT / "pyproject.toml"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(pyproject)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {(*names,): (Fraction(edge), Fraction(laid_out)) for *names, edge, laid_out in rows}


def test_the_super_fee_from_a_fifth_to_a_quarter_is_one_edit(tmp_path):
    """Odds, simulated rounds, sessions of the engine, hints and refusals all charge a quarter after it."""
    copy = tmp_path / "croupier"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    rounds = copy / "rounds.py"
    text = rounds.read_text()
    assert text.count(FIFTH) == 1
    rounds.write_text(text.replace(FIFTH, QUARTER))

    found = run(tmp_path)

    more = Fraction(1, 4) - Fraction(1, 5)
    for game_id in list_games():
        game = get_game(game_id)
        for row in game.super_odds() if isinstance(game, HouseGame) else ():
            edge, laid_out = found.pop((type(game).__name__, row.bet, row.policy))
            assert edge - row.edge == more, (game_id, row)
            assert laid_out - row.edge / row.edge_per_chip == more, (game_id, row)
    assert not found


# The fee in words, and what in a page tells it or the stakes that it divides.
WORDS = {3: "third", 4: "quarter", 5: "fifth", 10: "tenth"}
TELLS_FEE = re.compile(r"(?:fee of a|get_super_mode_fee\(stake\)` is a) (\w+)")
TELLS_STAKES = re.compile(r"(?:must be|stakes? (?:are|is)(?: a)?|and is a) multiples? of (\d+)")


def test_every_page_tells_the_fee_that_is_charged():
    """Prose cannot follow the number by itself: these are the sentences to write again when it is changed."""
    rules = sorted((PACKAGE / "games").rglob("rules.md"))
    pages = [*rules, ROOT / "docs/house.md", ROOT / "docs/refusals.md", PACKAGE / "web/static/screens/session.js"]
    fees, stakes = set(), set()
    telling = []
    for page in pages:
        text = re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))
        found = TELLS_FEE.findall(text)
        fees.update(found)
        stakes.update(TELLS_STAKES.findall(text))
        telling += [page] if found else []

    supers = [game for game in map(get_game, list_games()) if isinstance(game, HouseGame) and game.super_odds()]
    assert len(telling) == len(supers) + 2  # the page of the house, and the web page
    assert fees == {WORDS[SUPER_FEE_DIVISOR]}
    assert stakes == {str(SUPER_FEE_DIVISOR)}


def test_the_fee_is_written_down_once():
    """No other module has a fee of its own, a row of its own or a super move of its own."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text()
        for copy in ("STAKED, RETURNED, FEES, LINES", "SUPER_MOVE =", "SUPER_FEE_DIVISOR =", "stakes[0] // 5"):
            assert copy not in text or path.name == "rounds.py", (path, copy)
        assert "fee of a " not in text, path  # figures are for pages, where a test looks at them
