"""Craps at the house: every action and refusal, come bets and odds as lines, super mode, limits, payloads, chips."""

from __future__ import annotations

import re
from typing import Any

import pytest

from croupier import house
from croupier.engine import Action, Match, act, legal_actions, view_for
from croupier.engine.legal import legal_ranges
from croupier.games.craps import Craps
from croupier.games.craps.bets import BETS, IDS
from croupier.house.money import Cover
from croupier.testing import HouseKit, ScriptedRng, lines, place
from tests.games.craps.seats import payload_of, stake_for
from tests.games.scenes import look_at, scenes
from tests.games.scenes import play as run_scene

SEED = bytes(range(32))
GAME = Craps()
KIT = HouseKit(GAME)
refusal = KIT.refusal


def start(*, super_mode: bool = False, session_id: int = 0, **options: Any) -> Match[Any]:
    return KIT.start(super_mode=super_mode, session_id=session_id, options=options)


def do(match: Match[Any], *actions: Any, cover: Cover | None = None) -> Match[Any]:
    """Take actions; a pair of faces is a roll of them."""
    for action in actions:
        is_roll = isinstance(action, tuple)
        rng = ScriptedRng([face - 1 for face in action]) if is_roll else None
        match = KIT.do(match, act("roll") if is_roll else action, rng=rng, cover=cover)
    return match


def up(match: Match[Any]) -> dict[str, int]:
    """Return what lies on the table by the accounts, which must be what the rules see there."""
    found = {stake.bet: stake.stake for stake in match.game.money.open}
    assert sorted(found) == sorted(bet.name for bet in match.game.bets)
    return found


# Scenes: the options of a table, what is done there, and what is then so.


class Felt:
    """A session that reads steps in words: `place pass 10`, `22` (a roll), `switch yes:6 yes no`, `batch pass 10 @34`.

    The head has options of the table, `super`, `lit=6:2` for a session that lights a point with a multiplier, and
    limits of the player and the house, such as `funds=12`.
    """

    def __init__(self, head: str) -> None:
        words = dict(word.partition("=")[::2] for word in head.split() if word != "usual")
        super_mode, lit = "super" in words, words.pop("lit", "")
        words.pop("super", None)
        limits = {name: int(words.pop(name)) for name in list(words) if name in Cover.__struct_fields__}
        self.cover = Cover(**limits) if limits else None
        options = {name: int(value) if value.isdigit() else value for name, value in words.items()}
        self.match = start(super_mode=super_mode, session_id=lit_session(*lit.split(":")) if lit else 0, **options)
        self.told = ""

    @staticmethod
    def read(words: list[str]) -> Any:
        name, *rest = words
        if name in ("leave", "time_out"):
            return Action(name)
        if name == "batch":
            return act("batch", bets=[{"bet": rest[i], "stake": int(rest[i + 1])} for i in range(0, len(rest), 2)])
        return act(name, **payload_of(name, rest))

    def take(self, words: list[str]) -> None:
        dice = words.pop().removeprefix("@") if words[0].isdigit() or words[-1].startswith("@") else ""
        action = self.read(words) if words else act("roll")
        before = self.match
        self.match = KIT.do(
            before, action, rng=ScriptedRng.of_dice(*map(int, dice)) if dice else None, cover=self.cover
        )
        self.told = GAME.describe(Action(action.type, action.payload, "ann"), before, self.match)

    def refusal(self, words: list[str]) -> str:
        return refusal(self.match, self.read(words), self.cover)

    def look(self, path: str) -> Any:
        match path:
            case "told":
                return self.told
            case "up":
                return up(self.match)
            case "lines":
                return lines(self.match)
            case "paid":
                return {bet: returned for bet, _, returned in lines(self.match)}
            case "most":
                return [stake.most for stake in self.match.game.money.open]
            case "boosted":
                return [stake.bet for stake in self.match.game.money.open if stake.boosted]
            case "lit_count":
                assert view_for(GAME, self.match, "ann").game.lit == self.match.game.lit
                return len(self.match.game.lit)
        return look_at(self.match, path)


def lit_session(number: Any, multiplier: Any) -> int:
    """Return a session whose super mode lights a point with a multiplier."""
    wanted = int(number), int(multiplier)
    found = (
        session_id
        for session_id in range(10_000)
        if wanted in [(lit.id, lit.multiplier) for lit in house.generate_super_multipliers(GAME, SEED, session_id)]
    )
    return next(found)


SCENES = scenes("""
# a session starts before a come out roll with nothing on the table | usual
? turn.phase 'come_out'; ? game.table.point 0; ? game.bets (); ? game.money.staked 0
roll -> no_bets; clear -> no_bets
# the pass line goes from come out to point to its end | usual
place pass 10; 22; ? turn.phase 'point'; ? game.table.point 4; ? up {'pass': 10}
65; 13; ? status 'finished'; ? lines [('pass', 10, 20)]; ? result.reason 'won 10'
# a session ends with the roll that leaves no bet | usual
place pass 10; place field 5; 56; ? status 'finished'
# a session does not end before the roll that leaves no bet | usual
place pass 10; place yes:6 12; 56; ? status 'active'; ? up {'yes:6': 12}
place pass 10; 22; 34; ? status 'finished'; ? lines [('pass', 10, 20), ('pass', 10, 0), ('yes:6', 12, 0)]
# a table with nothing on it can be left | usual
place yes:6 12; leave -> bets_open; 56; remove yes:6; ? status 'active'; ? up {}; leave; ? status 'finished'
# a come bet has its number in its name once it has travelled | usual
place pass 10; 33; place come 15; 45; ? up {'pass': 10, 'come:9': 15}
add_odds 30; place come 20; 54; ? lines [('come:9', 15, 30), ('odds_come:9', 30, 75)]
? up {'pass': 10, 'come:9': 20}; ? game.bets.0.name 'pass'; ? game.bets.0.placed 0
? game.bets.1.name 'come:9'; ? game.bets.1.placed 2
# come odds are off at the come out | usual
place pass 10; 33; place come 10; 45; add_odds 20; 33; ? turn.phase 'come_out'
34; ? paid {'pass': 20, 'come:9': 0, 'odds_come:9': 20}
# come odds that are switched on lose at the come out | usual
place pass 10; 33; place come 10; 45; add_odds 20; 33; switch odds_come:9 yes yes
34; ? paid {'pass': 20, 'come:9': 0, 'odds_come:9': 0}
# come odds that are switched on win at the come out | usual
place pass 10; 33; place come 10; 45; add_odds 20; 33; switch odds_come:9 yes yes
45; ? paid {'pass': 20, 'come:9': 20, 'odds_come:9': 50}
# a bet that is up is raised and not placed again | usual
place yes:6 12; place yes:6 12 -> already_placed; place buy:6 20 -> already_placed; raise yes:6 6; ? up {'yes:6': 18}
# chips move as bets are raised lowered and removed | usual
place yes:6 60; place dont_pass 20; 44; place odds_dont_pass 120
? game.money.staked 200; ? up {'yes:6': 60, 'dont_pass': 20, 'odds_dont_pass': 120}
lower dont_pass 10; ? game.money.staked 130; ? up {'yes:6': 60, 'dont_pass': 10, 'odds_dont_pass': 60}
raise yes:6 30; lower yes:6 60; ? game.money.staked 100; ? up {'yes:6': 30, 'dont_pass': 10, 'odds_dont_pass': 60}
remove dont_pass; ? game.money.staked 30; ? up {'yes:6': 30}; ? most [65]
# odds are added to the newest flat bet | usual
place pass 10; add_odds 10 -> no_flat_bet; 33; add_odds 20; add_odds 30; ? up {'pass': 10, 'odds_pass': 50}
add_odds 1 -> over_odds
# everything comes back before the first roll and only what may afterwards | usual
## The hazard of lifecycle: taking chips back does not let a player escape a bad point.
place pass 10; place fire 5; place yes:6 12; clear; ? up {}; ? game.money.staked 0; ? game.bets ()
place pass 10; place fire 5; place yes:6 12; 22; clear; ? up {'pass': 10, 'fire': 5}; ? game.money.staked 15
clear -> no_bets
# hazard of lifecycle: an ended session takes nothing more | usual
place field 5; 56; ? status 'finished'; place hard:8 5 -> finished; roll -> finished; clear -> finished
add_odds 5 -> finished
# hazard of money: the bank keeps the stake of a lost bet and not what it had reserved | usual
place next:2 10; ? most [310]; 33; ? game.money.staked 10; ? game.money.returned 0; ? game.money.open ()
# a batch is placed and rolled in one move | usual
batch pass 10 field 5 @65; ? lines [('pass', 10, 20), ('field', 5, 10)]; ? version 1
# a batch is as strict as single bets | usual
batch pass 10 come 10 -> window_closed; batch pass 4 -> under_limit; batch horn 6 -> not_a_multiple
batch odds_pass 10 -> window_closed; batch fire 101 -> over_limit; batch yes:4 10 buy:4 10 -> already_placed
batch field 5 field 5 -> bet_twice; place pass 10; batch field 5 -> bets_are_down
# a batch is for the first roll | usual
place yes:6 12; 22; remove yes:6; batch pass 10 -> window_closed
# refusals say what is wrong and draw nothing | usual
place pass 10; 33; place red 10 -> unknown_bet; place pass 10 -> already_placed; place dont_pass 10 -> window_closed
place horn 5 -> not_a_multiple; place fire 5 -> window_closed; place come 4 -> under_limit
place come 5001 -> over_limit; place odds_pass 51 -> over_odds; place odds_come:6 10 -> no_flat_bet
place no:2 11 -> profit_too_small; place come:6 10 -> unknown_bet; raise pass 5 -> contract_bet
lower pass 5 -> contract_bet; remove pass -> contract_bet; remove field -> not_placed
switch pass no yes -> always_works; place pass 0 -> bad_payload
# other names of bets are taken and stand under their own | usual
place any7 5; place place:6 12; place lay:4 40; place hop:3-1 5; place big8 5
? up {'next:7': 5, 'yes:6': 12, 'no:4': 40, 'hop:1-3': 5, 'big:8': 5}
# a commission up front is part of what lies on the line | vig=upfront
place buy:4 25; place no:10 40; ? up {'buy:4': 26, 'no:10': 41}; raise buy:4 75; ? up {'buy:4': 105, 'no:10': 41}
lower buy:4 60; ? up {'buy:4': 42, 'no:10': 41}; remove buy:4; ? game.money.staked 41
# a commission up front is not given back with a win | vig=upfront
place buy:4 25; place no:10 40; switch buy:4 yes yes; 22; ? lines [('buy:4', 26, 75)]
# nobody plays with chips they have not | funds=12
place pass 10; place yes:6 13 -> insufficient_funds; raise pass 13 -> insufficient_funds
# the house covers what it may lose | exposure_max=309
place next:2 10 -> exposure_limit
# the house covers just what it may lose | exposure_max=310
place next:2 10; ? up {'next:2': 10}
# a table has a largest stake | stake_max=50
place fire 100 -> over_limit
# a table has a smallest stake | stake_min=5
place field 3 -> under_limit
# cover is released when a bet is decided | exposure_max=400
place next:2 10; place pass 10; 22; ? most [20]; place next:2 12; ? up {'pass': 10, 'next:2': 12}
# caps on one player | player_max=100 max_bets=2
place pass 60; place yes:6 42 -> player_limit; raise pass 41 -> player_limit
place field 5; place next:2 1 -> too_many_bets; raise field 5; ? up {'pass': 60, 'field': 10}
# caps on one player come after the balance | player_max=100 max_bets=2 funds=60
place pass 60; place yes:6 61 -> insufficient_funds
# nothing else than a pass before the first roll is boosted | super lit=6:2
place pass 5; place yes:6 12; place dont_pass 7; ? boosted ['pass']; 56; ? paid {'pass': 10, 'dont_pass': 0}
## Placed after the first roll: no fee, no boost.
place pass 12; 33; 33; ? lines [('pass', 5, 10), ('dont_pass', 7, 0), ('pass', 12, 24), ('yes:6', 12, 26)]
? game.money.fees 1
# a super stake is a multiple of five and its fee is never given back | super
place pass 12 -> super_stake; place pass 20; lower pass 3 -> super_stake; lower pass 10
? game.money.fees 4; ? up {'pass': 10}
raise pass 5; ? game.money.fees 5; ? most [135]; raise pass 3 -> super_stake; remove pass; ? game.money.fees 5
# a pass that could win too much where it is lit is refused | super max_profit=100
place pass 15 -> over_profit; place pass 10; raise pass 5 -> over_profit
# multipliers are shown with the result of the pass and not before | super
place pass 10; place fire 5; 33; 22; ? lit_count 0; 33; ? lit_count 3
# bets that are off come down from an abandoned table | usual
place yes:6 12; switch yes:6 no no; place field 5; time_out; ? up {'yes:6': 12}
time_out; ? up {}; ? game.money.staked 5; leave; ? status 'finished'
# a roll is told with what it decided | usual
place pass 10; place buy:4 25; place hard:4 5; place field 5; place horn 4
33; ? told '3 and 3: 6, the point is 6; field loses 5; horn loses 4'
22; ? told '2 and 2: 4; buy:4 wins 49 (2 to 1 less commission); hard:4 wins 35 (7 to 1)'
15; ? told '1 and 5: 6, the point is made; pass wins 10 (1 to 1); won 85'
# the way of a come bet is told | usual
place pass 10; place world 5; 33; place come 10; 45; add_odds 20
63; ? told '6 and 3: 9; come:9 wins 10 (1 to 1); odds_come:9 wins 30 (3 to 2)'
place come 10; ? told 'ann: place bet=come stake=10'; 23; ? told '2 and 3: 5; come goes to 5'
# all prices of a seven out are told | usual
place dont_pass 20; place fire 5; place no:5 60; 33; add_odds 60; place next:7 5; place world 5; place hop:3-4 5
34; ? told '3 and 4: 7, seven-out; dont_pass wins 20 (1 to 1); no:5 wins 38 (2 to 3 less commission); \
odds_dont_pass wins 50 (5 to 6); fire loses 5; next:7 wins 20 (4 to 1); hop:3-4 wins 75 (15 to 1); \
world gets its 5 back; won 198'
# prices in hundredths are told as the pay table has them | pay_table=bitcraps
place next:6 50; place field 5
24; ? told '2 and 4: 6, the point is 6; field loses 5; next:6 wins 304 (6.08 to 1); won 299'
# prices with a commission are told as the pay table has them | pay_table=nullspace
place next:6 50; place field 5
24; ? told '2 and 4: 6, the point is 6; field loses 5; next:6 wins 297 (6 to 1 less commission); won 292'
# prices by tiers are told as the pay table has them | pay_table=nullspace
place next:6 50; place field 5; 66; ? told '6 and 6: 12, craps; field wins 15 (3 to 1); next:6 loses 50; lost 35'
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_session_goes_as_written(head, scene):
    run_scene(Felt(head), scene)


ROLL = act("roll")


def test_an_abandoned_session_is_rolled_to_its_end():
    match, turns = do(start(), place("pass", 10), place("fire", 5)), 0
    while match.status == "active":
        match, turns = do(match, Action("time_out")), turns + 1
    assert turns == match.game.table.roll_count


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        ([place("pass", 100)], house.ContinueWithUpdate(-100)),
        ([place("pass", 100), (2, 2), act("add_odds", stake=25), (3, 4)], house.LossPreDeducted(125)),
        ([place("pass", 100), (5, 6)], house.Win(200)),
        ([place("dont_pass", 100), (6, 6)], house.Push(100)),
        ([place("pass", 100), place("field", 5), (2, 2)], house.ContinueWithUpdate(10)),
        ([place("yes:6", 60), act("lower", bet="yes:6", stake=12)], house.ContinueWithUpdate(12)),
    ],
)
def test_results_say_how_the_money_moved(moves, result):
    played = [(ROLL, ScriptedRng.of_dice(*move)) if isinstance(move, tuple) else (move, None) for move in moves]
    assert KIT.results(played)[-1] == result


# A session.


def test_a_seven_out_ends_a_session_with_every_bet_up():
    names = [name for name in IDS if not name.startswith(("odds", "come", "dont_come"))]
    match = start()
    for name in names:
        match = do(match, place(name, stake_for(name)))
    assert len(up(match)) == 85
    match = do(match, (4, 4), place("come", 10), place("dont_come", 10), act("add_odds", stake=30), (3, 4))

    assert match.status == "finished"
    assert GAME.audit(match.game) is None


# Come bets and their lines.


def test_every_kind_of_come_bet_may_lie_on_every_number():
    match = do(start(), place("pass", 10), (3, 3))
    for dice in ((2, 2), (1, 4), (4, 4), (4, 5), (5, 5)):
        match = do(match, place("come", 10), place("dont_come", 10), dice)
    assert up(match) == {"pass": 10, **{f"{kind}:{n}": 10 for n in (4, 5, 8, 9, 10) for kind in ("come", "dont_come")}}
    match = do(match, place("come", 10), place("dont_come", 10), (3, 4))

    assert match.status == "finished"
    paid = {line[0]: line[2] for line in lines(match)}
    assert paid == {"pass": 0, "come": 20, "dont_come": 0, **{f"come:{n}": 0 for n in (4, 5, 8, 9, 10)},
                    **{f"dont_come:{n}": 20 for n in (4, 5, 8, 9, 10)}}  # fmt: skip


# Super mode.


@pytest.mark.parametrize(("number", "multiplier"), [(6, 2), (5, 4), (10, 7), (4, 15)])
def test_a_lit_point_boosts_a_pass_that_was_placed_before_the_first_roll(number, multiplier):
    dice = (number - number // 2, number // 2)
    match = do(start(super_mode=True, session_id=lit_session(number, multiplier)), place("pass", 10))
    assert (match.game.money.fees, match.game.money.open[0].boosted, match.game.lit) == (2, True, ())
    match = do(match, dice, dice)
    assert lines(match) == [("pass", 10, 10 + 10 * (multiplier + 1) // 2)]
    assert match.game.lit == house.generate_super_multipliers(GAME, SEED, int(match.match_id))
    lost = do(start(super_mode=True, session_id=int(match.match_id)), place("pass", 10), dice, (3, 4))
    assert lines(lost) == [("pass", 10, 0)]


# Payloads, results and the house.


def test_sessions_at_the_house_keep_the_ledger_in_order():
    """Every second one in super mode: a bet that is taken down gives its chips back, and nothing gives the fee back."""
    moves = [place("pass", 100), place("yes:6", 60), act("remove", bet="yes:6"), act("roll")]
    states = KIT.sessions(4, lambda number: moves)

    assert [(state.money.staked, state.money.fees) for state in states] == [(100, 0), (100, 20)] * 2


# What a player is shown.


def test_hints_are_legal_and_stakes_have_a_range():
    match = start()
    assert {action.type for action in legal_actions(GAME, match)} == {"place"}
    assert legal_ranges(GAME, match)["place"]["stake"].low == 1
    match = do(match, place("pass", 10), place("yes:6", 12), (3, 3))
    kinds = {action.type for action in legal_actions(GAME, match)}
    assert kinds == {"place", "roll", "add_odds", "remove", "switch", "clear"}
    assert act("place", bet="odds_pass", stake=50) in [
        Action(action.type, action.payload) for action in legal_actions(GAME, match)
    ]


def test_the_table_fits_eighty_columns_and_shows_the_chips():
    match = start()
    for name, stake in (("pass", 5_000), ("yes:6", 5_000), ("buy:4", 25), ("lose:10", 22), ("hop:1-3", 5), ("fire", 5)):
        match = do(match, place(name, stake))
    match = do(match, (4, 4), place("come", 5_000), place("dont_come", 10), act("add_odds", stake=10_000), (4, 5))
    match = do(match, place("odds_come:9", 20_000), place("odds_dont_come:9", 12))
    text = re.sub(r"\[/?[a-z ]*\]", "", GAME.render(view_for(GAME, match, "ann")))

    assert max(map(len, text.splitlines())) <= 80
    chips = ("●5000", "●b25", "●l22", "●20k", "pass 5000 odds 10000", "fire 5")
    for shown in ("point 8", "(8)", *chips, "points made: none"):
        assert shown in text, shown


def test_every_bet_up_is_seen_in_the_picture():
    names = [
        name for name in BETS if not name.startswith(("odds", "buy", "lose")) and not re.match(r"(dont_)?come", name)
    ]
    match = start()
    for name in names:
        before = GAME.render(view_for(GAME, match, "ann"))
        match = do(match, place(name, stake_for(name)))
        assert GAME.render(view_for(GAME, match, "ann")) != before, name
