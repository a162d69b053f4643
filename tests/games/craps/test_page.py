"""The page of craps: the windows, prices and edges it states are those of the rules and the odds."""

from __future__ import annotations

import re
from functools import cache, partial

from croupier.games.craps import Craps, odds
from croupier.games.craps.bets import ALIASES, IDS, read_name
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import BONUS, FIRE, HOT_ROLLER, REPEATER, RIDE, book_of
from croupier.games.craps.rules import ids, prices
from croupier.house import OddsRow
from tests.games.pages import percent, plain_table

GAME = Craps()
PAGE = GAME.rules_text()
table = partial(plain_table, PAGE)
WINDOWS = ("come-out", "point up", "any time", "new hand", "new set", "on its number")


@cache
def rows(pay_table: str) -> tuple[OddsRow, ...]:
    return odds.odds(GAME.read_options({"pay_table": pay_table}))


def told(row: OddsRow) -> str:
    return "refused" if row.refused else percent(row.edge)


def price(bet: int, number: int = 0, mode: int = 0) -> str:
    """Return a price of the usual pay table as the page writes it."""
    book = book_of(CrapsOptions()).prices
    slot = prices.slot_of(bet, number, mode) * prices.ROW
    text = f"{book[slot]}:{book[slot + 1]}"
    return f"{text} less 5 %" if book[slot + 2] else text


SPECIAL = {
    "field": "2:1 on 2 and 12, else 1:1",
    **dict.fromkeys(("odds_pass", "odds_come"), f"{price(29, 4)}, {price(29, 5)}, {price(29, 6)}"),
    **dict.fromkeys(("odds_dont_pass", "odds_dont_come"), f"{price(30, 4)}, {price(30, 5)}, {price(30, 6)}"),
    **dict.fromkeys(("hot_roller", "fire", "ride_line", "replay", "different_doubles"), "by tiers, below"),
    "muggsy": "2:1, or 3:1",
    "horn": "30:1 or 15:1 on a quarter",
    "world": "30:1, 15:1 or 4:1 on a fifth",
    "c_and_e": "7:1 or 15:1 on a half",
}


def numbers(cell: str) -> list[int]:
    """Return the ids of a row: one, several, or a range."""
    ranges = [part.split("–") for part in cell.split(", ")]
    return [each for part in ranges for each in range(int(part[0]), int(part[-1]) + 1)]


def test_the_table_of_bets_names_all_ninety_one_with_their_windows_prices_and_edges():
    listed = table("bet | id | placed | wins on | loses on | pays | edge | `nullspace` | `bitcraps`")
    named: dict[int, str] = {}
    for names, cell, placed, _, _, pays, *edges in listed:
        named |= dict(zip(numbers(cell), names.split(", "), strict=True))
        for bet, name in zip(numbers(cell), names.split(", "), strict=True):
            assert placed == WINDOWS[ids.WINDOW[bet]], name
            assert pays == SPECIAL.get(name, price(bet)), name
            assert edges == [told(rows(pay_table)[bet]) for pay_table in ("casino", "nullspace", "bitcraps")], name
    assert named == dict(enumerate(IDS))
    assert len(named) == 91


def test_the_other_modes_have_their_prices_and_edges():
    found = {row.bet: row for row in rows("casino") if row.bet.startswith(("buy", "lose"))}
    listed = [(name, *cells) for names, *cells in table("bet | pays | edge") for name in names.split(", ")]
    assert {name for name, _, _ in listed} == set(found)
    for name, pays, edge in listed:
        named = read_name(name)
        assert named is not None
        assert (pays, edge) == (price(named.id, mode=1), percent(found[name].edge))


def tiers(pays: tuple[int, ...], first: int) -> list[str]:
    return ["lose" if each < 0 else "push" if each == 0 else str(each) for each in pays[first:]]


def test_the_tiers_are_those_of_the_pay_tables():
    fire = {name: cells for name, *cells in table("`fire` | 3 | 4 | 5 | 6 | edge")}
    assert fire == {name: [*tiers(pays, 3), edge_of("fire", fire=name)] for name, pays in FIRE.items()}
    ride = {name: cells for name, *cells in table("`ride` | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11+ | edge")}
    assert ride == {name: [*tiers(pays, 2), edge_of("ride_line", ride=name)] for name, pays in RIDE.items()}
    hot = {name: edge for name, _, _, edge in table("`hot_roller` | counts | pays | edge")}
    assert hot == {name: edge_of("hot_roller", hot_roller=name) for name in HOT_ROLLER}
    for name, _, pays, _ in table("`hot_roller` | counts | pays | edge"):
        steps = HOT_ROLLER[name][1]
        assert pays == ", ".join(f"{least}+ {'push' if each == 0 else each}" for least, each in steps)


def edge_of(bet: str, **options: object) -> str:
    return percent(odds.bet_odds(IDS.index(bet), GAME.read_options(options)).edge)


def test_the_options_change_what_the_page_says():
    listed = {(option, bet): edge for option, bet, edge in table("option | bet | edge")}
    wanted = {}
    cases: list[tuple[str, str, dict[str, object]]] = [
        ("bonus=bonus-classic", "bonus_small", {"bonus": "bonus-classic"}),
        ("bonus=bonus-classic", "bonus_all", {"bonus": "bonus-classic"}),
        ("repeater=repeater-for-one", "repeater:6", {"repeater": "repeater-for-one"}),
        ("field_triple=true", "field", {"field_triple": True}),
        ("vig=upfront", "no:4", {"vig": "upfront"}),
    ]
    cases += [("repeater=twice", f"repeater:{total}", {"repeater": "twice"}) for total in (6, 5, 4, 3, 2)]
    for option, bet, choices in cases:
        wanted[option, bet] = edge_of(bet, **choices)
    assert listed.keys() == wanted.keys() | {("vig=upfront", "buy:4")}
    buy = next(row for row in odds.odds(CrapsOptions(vig="upfront")) if row.bet == "buy:4")
    assert listed == wanted | {("vig=upfront", "buy:4"): percent(buy.edge)}
    assert (set(BONUS), set(REPEATER)) == ({"bonus", "bonus-classic"}, {"repeater", "repeater-for-one", "twice"})


def test_full_odds_and_super_mode_cost_what_the_page_says():
    for plan, light, dark in table("`odds_plan` | `pass` with full odds | `dont_pass` with full odds"):
        found = {(row.bet, row.policy): row for row in odds.odds(GAME.read_options({"odds_plan": plan}))}
        wanted = [percent(found[bet, "full_odds"].edge_per_chip) for bet in ("pass", "dont_pass")]
        assert [light, dark] == wanted
    (row,) = GAME.super_odds()
    assert f"costs {percent(row.edge_per_chip)} of what you lay out" in PAGE


def test_the_page_names_every_alias_once():
    listed = {alias: bet for aliases, bet in table("also called | is") for alias in aliases.split(", ")}
    plain = {alias: bet for alias, bet in ALIASES.items() if not re.search(r":\d", alias)}
    assert listed == plain | {"place:6": "yes:6", "lay:6": "no:6", "place_to_lose:6": "lose:6", "hop:3-1": "hop:1-3"}
