"""The published hazards of craps (tests/vectors/README.md) that concern rules, money and the life of a bet.

Each test is named after its row; three are scenes in test_game.py. That every id is decided by some roll, and that a
losing side bet is taken, is mistake 1, and the bounded log is mistake 21. That encoder and decoder are one list is in
test_rules.py, that odds never outlive their flat bet in test_placing.py, and that players with the same bet get each
their own chips is a law of the table. Rows about commitments, seeds, signatures and policing belong to the fair-dice
protocol; rates, a gate in front of the game, to the server.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.engine import act, apply_action
from croupier.errors import BadOptions
from croupier.games.craps import Craps, odds, placing
from croupier.games.craps.bets import BETS, IDS, read_name
from croupier.games.craps.layout import CrapsTable, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import BONUS, FIRE, HOT_ROLLER, REPEATER, RIDE, TABLES, book_of
from croupier.games.craps.rules import prices
from croupier.house import make_table
from croupier.house.money import Cover
from croupier.testing import HouseKit, ScriptedRng
from tests.games.craps.seats import Felt, code, live, returns, stake_for
from tests.games.scenes import play, scenes

BOOK = book_of(CrapsOptions())
SEED = bytes(range(32))
GAME = Craps()
KIT = HouseKit(GAME)


# Prices.


def test_prices__an_overpaying_table_is_loaded_only_when_the_operator_allows_it():
    bitcraps = CrapsOptions(pay_table="bitcraps")
    with pytest.raises(BadOptions, match=r"ride_line, different_doubles.*odds_dont_pass on_5, odds_dont_pass on_9"):
        odds.check_paytable(bitcraps)
    with pytest.raises(BadOptions):
        make_table(3, GAME, bitcraps)
    assert odds.check_paytable(bitcraps, allow_overpay=True)
    assert make_table(3, GAME, bitcraps, allow_overpay=True).options == bitcraps
    for name in ("casino", "nullspace"):
        assert all(row.edge >= 0 for row in odds.check_paytable(CrapsOptions(pay_table=name)))


VARIANTS = [
    *(("fire", {"fire": name}) for name in FIRE),
    *(("ride_line", {"ride": name}) for name in RIDE if name != "bitcraps"),
    *(("hot_roller", {"hot_roller": name}) for name in HOT_ROLLER),
    *(("bonus_all", {"bonus": name}) for name in BONUS),
    *((f"repeater:{total}", {"repeater": name}) for name in REPEATER for total in (2, 3, 4, 5, 6)),
    ("field", {"field_triple": True}),
    *((bet, {"vig": "upfront"}) for bet in ("no:2", "no:4", "no:6", "yes:4")),
]


@pytest.mark.parametrize(("bet", "options"), VARIANTS, ids=str)
def test_prices__no_published_variant_gives_players_an_edge(bet, options):
    assert 0 < odds.bet_odds(IDS.index(bet), GAME.read_options(options)).edge < 1


def test_prices__every_price_is_profit_to_one():
    """ "25 for 1" and "24 to 1" are the same price, and only the second is stored."""
    assert FIRE["fire-a"][4:] == (24, 249, 999)
    for book in (book_of(CrapsOptions(pay_table=name)) for name in TABLES):
        assert returns(throw(CrapsTable(), [(live("pass", 10),)], 5, 6, book)) == {"pass": 20}
        assert set(book.prices[prices.FIRE_PAYS : prices.FIRE_PAYS + 4]) == {prices.LOSES}


@pytest.mark.parametrize("name", TABLES)
def test_prices__one_event_has_one_price(name):
    """Two bets on the same event, taken at every table: hops and NEXT, aliases."""
    book = book_of(CrapsOptions(pay_table=name))
    for hop, total in (("hop:1-1", 2), ("hop:1-2", 3), ("hop:5-6", 11), ("hop:6-6", 12)):
        first, second = (prices.slot_of(IDS.index(bet), 0, 0) for bet in (hop, f"next:{total}"))
        same = book.prices[4 * first : 4 * first + 4] == book.prices[4 * second : 4 * second + 4]
        assert same or not prices.is_offered(first, book.prices)
    assert read_name("any7") == read_name("next:7")


# Life of a bet.


def test_lifecycle__a_closed_table_takes_no_bet_at_all():
    """Also none of those that have no phase of their own: hardways and NEXT."""
    closed = CrapsTable(phase="closed", roll_count=7)
    for name in BETS:
        assert code(placing.place_bet, closed, (), name, stake_for(name), BOOK) == "table_closed"


# Money.

PLAYED = ["pass", "dont_pass", "field", "yes:6", "buy:4", "no:10", "lose:6", "hard:8", "fire", "bonus_small", "horn"]


@given(data=st.data(), upfront=st.booleans())
def test_money__players_stakes_and_bank_are_constant(data, upfront):
    """The players' total may grow: it is the sum with the bank and the table that never does."""
    players, bank = 1_000, 100_000
    match = KIT.start(options={"vig": "upfront" if upfront else "win"})
    for _ in range(14):
        before = match.game.money
        kind = data.draw(st.sampled_from(["place", "roll", "remove", "lower", "raise", "add_odds", "clear", "come"]))
        name = data.draw(st.sampled_from([*PLAYED, "come", "odds_pass", "odds_come:6"]))
        stake = data.draw(st.sampled_from([5, 10, 12, 20, 60]))
        fields: dict[str, Any] = {"bet": name, "stake": stake}
        payload = {"roll": {}, "clear": {}, "remove": {"bet": name}, "add_odds": {"stake": stake}}.get(kind, fields)
        kind = "place" if kind == "come" else kind
        rng = ScriptedRng([data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))]) if kind == "roll" else None
        answer = apply_action(GAME, match, act(kind, **payload), rng=rng, host=Cover(funds=players))
        if not answer.ok:
            continue
        match = answer.state
        money = match.game.money
        taken, handed = money.staked - before.staked, money.returned - before.returned
        players += handed - taken
        open_stakes = sum(stake.stake for stake in money.open)
        lost = sum(line.stake for line in money.lines) - sum(line.returned for line in money.lines)
        assert players >= 0
        assert players + open_stakes + (bank + lost) == 101_000
        assert GAME.audit(match.game) is None
        assert {stake.bet: stake.stake for stake in money.open} == {
            bet.name: bet.outlay(book_of(match.options)) for bet in match.game.bets
        }
        if match.status == "finished":
            break


def test_money__every_amount_is_a_whole_number():
    for book in (book_of(CrapsOptions(pay_table=name)) for name in TABLES):
        assert {type(number) for number in (*book.prices, *book.limits)} == {int}
        for stake in (7, 11, 13):
            (decision,) = throw(CrapsTable(), [(live("no:9", stake),)], 3, 4, book).decisions
            assert type(decision.returned) is int


# Scenes: settlement, side bets, ties, hops, hardways.

HOPS = "up hop:1-6 10; up hop:2-5 10; up hop:3-4 10; up next:7 10"
ALL_SEVENS = "\n".join(
    f"{HOPS}; {die}{7 - die}; ? last "
    + str({f"hop:{low}-{7 - low}": 160 * (low in (die, 7 - die)) for low in (1, 2, 3)} | {"next:7": 50})
    for die in range(1, 7)
)


@pytest.mark.parametrize(
    ("head", "scene"),
    scenes(f"""
# settlement: a hardway thrown hard wins | point_6
up hard:8 10; 44; ? last {{'hard:8': 100}}
# settlement: the same total thrown easy loses | point_6
up hard:8 10; 53; ? last {{'hard:8': 0}}
# settlement: a six sets the point | fresh
up pass 10; 33; ? last {{}}
# settlement: a six makes the point of six | point_6
up pass 10; 33; ? last {{'pass': 20}}
# settlement: a six is nothing to a point of nine | point_9
up pass 10; 33; ? last {{}}
# lifecycle: a side bet joined late does not inherit progress | fresh
44; 44; place fire 5 -> window_closed; place ride_line 5 -> window_closed; place replay 5 -> window_closed
place hot_roller 5 -> window_closed; place bonus_all 5 -> window_closed; place repeater:8 5 -> window_closed
place twice_hard 5 -> window_closed; place different_doubles 5 -> window_closed
# ties: twelve is a push for the dark side at its come out | fresh
up dont_pass 10; up dont_come:5 10; 66; ? last {{'dont_pass': 10}}
# ties: twelve is a push for the dark side on its first roll only | point_6
up dont_pass 10; up dont_come 10; up dont_come:5 10; 66; ? last {{'dont_come': 10}}
# ties: world on seven returns the stake | fresh
up world 5; 34; ? last {{'world': 5}}
# ties: two line wins return the stake | fresh
place ride_line 5; 34; 34; ? pass_wins 2; 22; ? last {{}}; 34; ? last {{'ride_line': 5}}
# hops: seven has three and none of them is any seven | fresh
{ALL_SEVENS}
# hardways: aces and twelves are doubles but no hardways | fresh
11; 66; ? doubles_seen (1, 6); ? hard_streak (0, 0, 0, 0); place hard:2 10 -> unknown_bet
place hard:12 10 -> unknown_bet
"""),
)
def test_a_published_hazard_is_met(head, scene):
    play(Felt(head), scene)
