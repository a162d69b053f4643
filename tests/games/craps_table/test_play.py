"""The shared table at a terminal, and the bots that take its empty seats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from croupier.bots import play_out
from croupier.cli.app import app
from croupier.engine import Action, MatchClient, Player, create_match, legal_actions, verify, view_for
from croupier.games.craps.layout import CrapsTable, LiveBet
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.table.bots import BOTS, largest_odds
from croupier.games.craps.table.game import SharedCraps
from croupier.games.craps.table.state import Chair
from croupier.rng import GameRng

GAME = SharedCraps()
BOOK = book_of(CrapsOptions())


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["play", "craps-table", *arguments], input=typed, env={"COLUMNS": "80"})


TYPED = "buy_in 500\nplace pass 10\nplace field 5\nroll\nplace odds_pass 30\nready\nroll\ncash_out\n"


def test_a_person_plays_with_bots_and_the_record_verifies(tmp_path: Path):
    record = tmp_path / "table.json"

    done = play("--seats", "3", "--seed", "01", "--record", str(record), typed=TYPED)

    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert "You rolled 3 and 5: 8, the point is 8; You: field loses 5" in lines
    assert "You cashed out 541; the dice went to full_odds" in lines
    assert any(line.startswith("full_odds 2 bet 25 on odds_pass") for line in lines)
    assert "You 41, full_odds 70, full_odds 2 70" in lines
    assert verify(record.read_bytes()).ok


def test_a_refusal_is_printed_and_the_player_asked_again():
    done = play("--seats", "2", "--seed", "01", typed="buy_in 500\nroll\nplace come 10\nplace pass 5000\nq\n")

    assert "no: full_odds: still betting [not_ready]" in done.output
    assert "no: come is placed with a point up, and this is a come-out roll [window_closed]" in done.output
    assert "no: that takes 5,000 chips, and 500 are in the rack [insufficient_funds]" in done.output


def test_several_people_share_a_keyboard_with_bots():
    done = play("--players", "Ann,Bob", "--seats", "3", "--seed", "01", typed="1\n1\nn\nq\n")

    assert done.exit_code == 0, done.output
    assert "Ann bought in for 200" in done.output
    assert "Bob bought in for 200" in done.output
    assert "full_odds bought in for 200" in done.output


@pytest.mark.parametrize("bot", BOTS)
def test_bots_play_an_evening_to_its_end(bot):
    for number in range(4):
        client = play_out(GAME, [bot] * 3, bytes([number]) * 32, on_step=None)
        match = client.get_state()
        assert match.game.table.phase == "closed"
        assert match.game.table.roll_count >= 20
        assert match.result is not None
        assert -sum(int(net) for net in match.result.scores.values()) == match.game.bank - 1_000_000
        bets = {entry.action.payload["bet"] for entry in client.get_log() if entry.action.type == "place"}
        wanted = {"no_odds": {"pass"}, "dont_pass": {"dont_pass", "odds_dont_pass"}, "full_odds": {"pass", "odds_pass"}}
        assert bets == wanted[bot]


def test_bots_go_home_when_the_last_person_has():
    players = [Player("ann", "Ann", 0), Player("bot", "Bot", 1, is_bot=True)]
    client = MatchClient(GAME, create_match(GAME, players, seed=bytes(32)))
    client.dispatch(Action("buy_in", {"chips": 100}, "bot"))
    client.dispatch(Action("cash_out", {}, "ann"))

    assert chosen("full_odds", client) == "cash_out"


def chosen(policy: str, client: MatchClient[Any]) -> str:
    """Return what a bot in the seat of that name does now."""
    match = client.get_state()
    return BOTS[policy](view_for(GAME, match, "bot"), legal_actions(GAME, match, "bot"), GameRng.new(b"", 0, 0)).type


def test_a_bot_that_cannot_pay_for_another_bet_goes_home():
    client = MatchClient(GAME, create_match(GAME, ["bot", "ann"], seed=bytes(32), options={"buy_in_min": 5}))
    client.dispatch(Action("buy_in", {"chips": 5}, "bot"))
    client.dispatch(Action("place", {"bet": "next:12", "stake": 1}, "bot"))
    assert chosen("no_odds", client) == "ready"
    client.dispatch(Action("remove", {"bet": "next:12"}, "bot"))
    client.dispatch(Action("place", {"bet": "next:12", "stake": 3}, "bot"))
    client.dispatch(Action("ready", {}, "ann"))
    client.dispatch(Action("roll", {}, "bot"))
    assert client.get_state().game.seats[0].chips == 2  # 3 on the 12 were lost with this seed

    assert chosen("no_odds", client) == "cash_out"


@pytest.mark.parametrize(
    ("point", "bets", "chips", "largest"),
    [
        (4, (LiveBet(0, 10),), 1000, ("odds_pass", 30)),
        (5, (LiveBet(0, 10),), 1000, ("odds_pass", 40)),
        (6, (LiveBet(0, 7),), 1000, ("odds_pass", 35)),
        (5, (LiveBet(0, 10),), 7, ("odds_pass", 6)),  # 3 to 2 is paid in whole chips on even stakes
        (6, (LiveBet(0, 10),), 4, None),  # 6 to 5 on multiples of five
        (4, (LiveBet(1, 10),), 1000, ("odds_dont_pass", 60)),
        (9, (LiveBet(1, 10),), 50, ("odds_dont_pass", 48)),
        (4, (LiveBet(0, 10), LiveBet(29, 5, 4)), 1000, None),
        (4, (LiveBet(2, 10, 8),), 1000, ("odds_come:8", 50)),
        (4, (LiveBet(2, 10),), 1000, None),
        (0, (LiveBet(0, 10),), 1000, None),
        (4, (LiveBet(4, 10),), 1000, None),
    ],
)
def test_the_largest_odds_are_those_of_the_plan_in_clean_stakes(point, bets, chips, largest):
    table = CrapsTable("point", point, 1) if point else CrapsTable()

    assert largest_odds(table, Chair(chips=chips, bets=bets), BOOK) == largest
