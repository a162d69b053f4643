"""A full evening at every game at a real terminal: ten rounds, three widths, colours or none, both ways out."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from croupier.bots import play_out
from croupier.bots.turn_order import next_to_act
from croupier.cli.choices import spoken
from croupier.cli.typed import read_line
from croupier.engine import apply_action, get_game, list_games, verify, view_for
from croupier.house import HouseGame
from croupier.house.money import Terms
from tests.unit.cli.conftest import told_chips, told_results
from tests.unit.cli.pty_terminal import ESCAPES

ROUNDS = 10
WIDTHS = (80, 60, 120)
PROMPTS_MAX = 400  # of an evening; one that does not come to its end fails

# What is typed in the first round, and afterwards wherever a round wants something: Enter repeats the bets.
EVENINGS = {
    "baccarat": (["banker 10", "deal"], "deal"),
    "blackjack": (["deal"], "1"),
    "casino-war": (["play"], "1"),
    "craps": (["pass 10", "roll"], "roll"),
    "craps-table": (["buy 200", "field 5", "roll"], "cash_out"),
    "hi-lo": ([], "cash"),
    "lanes": (["keep"], "pass"),
    "roulette": (["red 10", "17 5", "spin"], "spin"),
    "shut-the-box": ([], "1"),
    "sic-bo": (["10 on small", "roll"], "roll"),
    "three-card-poker": (["deal"], "1"),
    "ultimate-texas-holdem": (["deal"], "1"),
    "video-poker": ([], "1 3"),
}
COLOUR = re.compile(rb"\x1b\[[0-9;]*?(?:3[0-8]|9[0-7])[;m]")
TABLES = ("baccarat", "craps", "roulette", "sic-bo")
CHIPLESS = ("craps-table", "lanes", "shut-the-box")


def test_there_is_an_evening_for_every_game():
    assert list(EVENINGS) == sorted(list_games())


@pytest.mark.parametrize("game_id", EVENINGS)
def test_every_choice_is_shown_in_words_that_mean_it(game_id):
    game = get_game(game_id)
    host = Terms(stake=10) if isinstance(game, HouseGame) and game.opens_with_stake else None
    for match in play_out(game, ["random"] * game.players[0], 7, host=host).history():
        if match.status == "active":
            player, legal = next_to_act(game, match)
            view = view_for(game, match, player)
            for choice in legal:
                words = spoken(game, choice, view)
                meant = read_line(game, legal, words, view)
                answer = apply_action(game, match, replace(meant, player_id=player))
                assert answer.ok
                assert spoken(game, answer.action, view) == words  # of two equal cards it may be the other


def visit(at, game: str, width: int):
    """Play five rounds at a terminal that becomes narrower and wider, begin the next, and return what was shown."""
    typed, later = EVENINGS[game]
    lines, shown, rounds = list(typed), "", 0
    for _ in range(PROMPTS_MAX):
        part = at.prompt()
        shown += part
        if "the table needs" not in part:
            assert max(map(len, part.splitlines())) <= width, part
        if not part.endswith("q leaves> "):
            if rounds == ROUNDS // 2:
                return shown
            at.type(f"{lines.pop(0) if lines else later}\n")
            continue
        if rounds == ROUNDS // 2:  # casino war, where most hands need no decision
            return shown
        rounds += 1
        width = WIDTHS[rounds % len(WIDTHS)]
        at.resize(width)
        if game in CHIPLESS:
            lines = list(typed)
        # Where Enter lays the bets and plays the round at once, a bet begins the last one.
        is_begun = rounds == ROUNDS // 2 and game in TABLES
        at.type(f"{typed[0]}\n" if is_begun else "\n")
    raise AssertionError(shown)


@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_at_a_terminal(terminal, tmp_path, game):
    """Nothing is cut at any width, nothing breaks, and the chips add up over two visits of five hands each.

    The first has colours and is left by `q`, the second has none and is left by Ctrl-C, both in the midst of a hand
    where it has one.
    """
    opponent = ["--bot", "random"] if game == "lanes" else []
    evening = ""
    for number, (more, is_interrupted) in enumerate([({}, False), ({"NO_COLOR": "1"}, True)]):
        path = tmp_path / f"last-{number}.json"
        words = ("play", game, "--seed", "02", "--record", str(path), *opponent)
        at = terminal(*words, XDG_DATA_HOME=str(tmp_path), **more)
        shown = visit(at, game, WIDTHS[0])
        if not is_interrupted:
            at.type("q\n")
        assert at.leave(interrupt=is_interrupted) == (130 if is_interrupted else 0)
        shown += ESCAPES.sub(b"", at.shown).replace(b"\r", b"").decode()

        assert "Traceback" not in shown
        assert bool(COLOUR.search(at.everything)) is not bool(more)
        assert "…" not in shown.replace("… and ", "")
        assert not re.search(r"^no: ", shown, flags=re.MULTILINE), shown
        assert f"croupier verify {path}\n" in shown  # in one piece, to be copied
        assert verify(path.read_bytes()).ok
        evening += shown
    if game not in CHIPLESS:
        assert len(told_results(evening)) >= ROUNDS
        assert told_chips(evening)[-1] == 1000 + sum(told_results(evening))
