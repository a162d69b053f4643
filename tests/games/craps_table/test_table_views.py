"""The shared table: its options, and what is listed, shown and kept of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.engine import (
    Action,
    apply_action,
    create_match,
    legal_actions,
    view_for,
)
from croupier.engine.legal import legal_ranges
from croupier.errors import BadOptions
from croupier.games.craps import odds
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.table.game import SharedCraps
from croupier.games.craps.table.state import SharedTable, TableOptions

GAME = SharedCraps()


# Options.


def test_prices_that_give_chips_away_need_the_operators_word():
    with pytest.raises(BadOptions, match="ride_line"):
        create_match(GAME, ["ann"], seed=b"", options={"ride": "bitcraps"})
    create_match(GAME, ["ann"], seed=b"", options={"ride": "bitcraps", "allow_overpay": True})
    create_match(GAME, ["ann"], seed=b"", options={"ride": "ride-2", "vig": "upfront"})


def test_the_usual_prices_give_nothing_away():
    """`setup` takes this for granted, because working it out takes a second."""
    assert all(row.edge >= 0 for row in odds.check_paytable(CrapsOptions()))


NO_TABLES = [{"bank": 0}, {"bank": 2**62}, {"buy_in_min": 0}, {"buy_in_min": 100, "buy_in_max": 99}, {"seats": 4}]
NO_TABLES += [{"table_min": 10, "table_max": 9}]


@pytest.mark.parametrize("options", [*NO_TABLES, {"pay_table": "free"}])
def test_options_that_make_no_table_are_refused(options):
    with pytest.raises(BadOptions):
        create_match(GAME, ["ann"], seed=b"", options=options)


def test_options_are_those_of_craps_and_some_more():
    own = set(TableOptions.__struct_fields__) - set(CrapsOptions.__struct_fields__)
    assert own == {"bank", "buy_in_min", "buy_in_max", "allow_overpay"}


# What is listed, shown and kept.


def test_legal_actions_list_a_few_bets_with_their_largest_odds(open_table):
    table = open_table("ann", "bob", "cid", chips=0)
    listed = [(one.type, one.payload) for one in legal_actions(GAME, table.match, "ann")]
    assert listed == [("buy_in", {"chips": 200}), ("ready", {}), ("cash_out", {}), ("pass_dice", {})]
    table.seat("ann", "bob", "cid")
    table.go("ann place pass 10; bob place dont_pass 10; roll 33")

    place = [one.payload for one in legal_actions(GAME, table.match, "ann") if one.type == "place"]
    assert {"bet": "odds_pass", "stake": 50} in place
    assert {"bet": "yes:6", "stake": 6} in place  # the least that the table takes in sixes
    place = [one.payload for one in legal_actions(GAME, table.match, "bob") if one.type == "place"]
    assert {"bet": "odds_dont_pass", "stake": 60} in place


def test_ranges_say_what_can_be_bought_and_staked(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=100)
    found = {
        (action, field): (span.low, span.high)
        for action, fields in legal_ranges(GAME, table.match, "ann").items()
        for field, span in fields.items()
    }

    assert found == {
        ("buy_in", "chips"): (20, 49_000),
        ("place", "stake"): (1, 900),
        ("raise", "stake"): (1, 900),
        ("lower", "stake"): (1, 99),
    }
    table.do("ann", "ready")
    assert set(legal_ranges(GAME, table.match, "ann")) == {"buy_in"}
    table.go("bob ready; ann lock")
    assert legal_ranges(GAME, table.match, "ann") == {}
    for bought, more in ((49_980, {"buy_in"}), (49_981, set())):  # the least there is to buy, or less
        full = open_table("ann", chips=bought)
        assert set(legal_ranges(GAME, full.match, "ann")) == {"place", *more}


def test_everybody_sees_everything(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)

    assert view_for(GAME, table.match, None).game == table.match.game


def test_the_log_tells_a_roll_bet_by_bet_while_they_are_few(open_table):
    table = open_table("ann", "bob")
    table.go("ann place pass 10; bob place world 5; roll 34")
    assert table.look("told") == "ann rolled 3 and 4: 7, a natural; ann: pass wins 10; bob: world pushes"

    for bet in ("field", "next:2", "next:3", "next:4", "next:5", "next:6", "next:8", "next:9", "pass"):
        table.do("ann", "place", bet=bet, stake=5)
    table.roll((1, 1))
    assert table.look("told") == "ann rolled 1 and 1: 2, craps; ann won 125 on 9 bets"
    for number in (2, 3, 4, 5, 6, 8, 9, 10):
        table.do("ann", "place", bet=f"next:{number}", stake=5)
    table.go("ann place pass 40; roll 34")
    assert table.look("told") == "ann rolled 3 and 4: 7, a natural; ann won 0 on 9 bets"
    assert "[dim]+0[/]" in GAME.render(view_for(GAME, table.match, "ann"))


def test_the_picture_is_at_most_eighty_columns_wide(open_table):
    names = [f"somebody with a very long name {number} [red]" for number in range(15)] + ["just twenty letters!"]
    table = open_table(*names, chips=50_000, bank=10**9, player_max=10**6)
    bets = [f"{kind}:{n}" for kind in ("yes", "no") for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)]
    bets += [f"hop:{low}-{high}" for low in range(1, 7) for high in range(low, 7)] + ["pass", "fire", "bonus_all"]
    for bet in bets:
        table.do(names[0], "place", bet=bet, stake=100, keep_up=True)
    table.do(names[1], "cash_out")
    table.do(names[2], "leave")
    table.roll((4, 4))

    for viewer in (names[0], names[1], None):
        picture = plain(GAME.render(view_for(GAME, table.match, viewer)))
        assert max(map(len, picture.splitlines())) <= 80
        assert "somebody with a ve…" in picture
        assert "just twenty letter…" in picture
        assert "(8)" in picture
    assert "yes:2 100 ↻" in plain(GAME.render(view_for(GAME, table.match, names[0])))


def plain(markup: str) -> str:
    from rich.text import Text

    return Text.from_markup(markup, emoji=False).plain


def test_the_picture_shows_the_point_the_shooter_and_everybodys_chips(open_table):
    table = open_table("ann", "bob")
    table.go("ann place pass 10; bob place hard:8 10; roll 44; bob ready")

    picture = plain(GAME.render(view_for(GAME, table.match, "bob")))

    assert "bets are open, shooter ann" in picture
    assert "hand 1, 1 rolls in it, 1 in all: 8" in picture
    assert "◆ ann" in picture
    assert "hard:8 10" in picture
    assert "ready" in picture
    assert "bank 1,000,000, of which 120 covers the bets that are up" in picture


def test_a_state_with_chips_from_nowhere_is_found_at_the_next_action(open_table):
    table = open_table("ann")
    state: SharedTable = table.match.game
    forged = replace(table.match, game=replace(state, bank=state.bank + 1))

    with pytest.raises(Exception, match="the bank began with 1000000"):
        apply_action(GAME, forged, Action("ready", {}, "ann"))
