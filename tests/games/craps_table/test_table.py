"""The shared table: every action, every refusal, whose dice they are, who comes and goes, how it ends."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from itertools import product

import pytest

from croupier.engine import Action, apply_action, create_match
from croupier.engine.model import HOST
from croupier.errors import BadPlayers
from croupier.fairness.dice.failures import TABLE_FAULTS
from croupier.games.craps.table.game import FAULTS, SEATS_EVER, SharedCraps
from croupier.rng import GameRng
from croupier.testing import ScriptedRng
from tests.games.craps_table.conftest import staged
from tests.games.scenes import play, scenes

GAME = SharedCraps()


# Scenes: the players and options of a table, what they do, and what is then so.

SCENES = scenes("""
# buying in puts chips into the rack and cashing out takes them home | ann bob chips=0
ann buy_in 300; ann buy_in 50; ? ann.chips 350; ? ann.bought 350
ann cash_out; ? ann.chips 0; ? ann.paid_out 350; ? ann.net 0; ? ann.is_out True; ? game.bank 1_000_000
# buying in has limits | ann chips=0
ann buy_in 19 -> under_buy_in; ann buy_in 50001 -> over_buy_in; ann buy_in 0 -> bad_payload
ann buy_in -5 -> bad_payload
# the most a player buys is counted over all their buying | ann bob chips=40_000
ann buy_in 10001 -> over_buy_in; ann buy_in 10000; ann cash_out; ann buy_in 20 -> over_buy_in
# nobody brings more chips than books can hold | ann bob chips=0 bank=4611686018427387903 buy_in_max=4611686018427387903
## Half of 2**63 - 1 lies in the bank; 101 chips more and the books are full.
ann buy_in 4611686018427387803; bob buy_in 102 -> over_buy_in; bob buy_in 101; ? chips_in_all 9223372036854775807
# a cash out leaves contract bets on the table | ann bob
## Otherwise whoever does not like the point could take the bet away from under it.
ann place pass 10; ann place fire 5; roll 22; ann place odds_pass 20; ann place yes:6 12; ann place come 10
## Come was still in its box, odds and yes are free.
ann cash_out; ? ann.bets {'pass': 10, 'fire': 5}; ? ann.paid_out 985; ? ann.chips 0; ? ann.is_out False
ann cash_out -> nothing_to_cash
roll 13; ? ann.bets {'fire': 5}; ? ann.chips 20
# a dont bet comes down at any time | ann bob
ann place dont_pass 10; roll 22; ann cash_out; ? ann.is_out True; ? ann.paid_out 1000
# every seat bets on the same roll and is settled at once | ann bob cid
cid place field 5; ann place pass 10; bob place dont_pass 20; bob place any7 5; roll 34
? settled [(0, 'pass', 10), (1, 'dont_pass', -20), (1, 'next:7', 20), (2, 'field', -5)]
? ann.chips 1010; ? bob.chips 1000; ? cid.chips 995; ? game.bank 999_995; ? game.has_bets False
# bets are raised lowered removed and switched | ann
ann place yes:4 10; ann raise place:4 15; ? ann.bets {'yes:4': 25}; ? ann.chips 975; ? ann.at_risk 25
ann lower yes:4 20; ? ann.bets {'yes:4': 5}; ? ann.chips 995
ann switch yes:4 yes no; ? ann.bets.0.working 1
ann remove yes:4; ? ann.bets {}; ? ann.chips 1000; ? ann.at_risk 0
# a bet that is off is neither won nor lost until it is switched on | ann
ann place yes:4 10; roll 34; ? ann.bets {'yes:4': 10}
ann switch yes:4 yes yes; roll 34; ? settled [(0, 'yes:4', -10)]
# a bet that is kept up is placed again at once | ann
## Field pays 2 to 1, pass loses, and both go up again; then a point and seven-out, and only pass does.
ann place field 10 kept; ann place pass 10; ann keep_up pass
roll 66; ? ann.bets {'pass': 10, 'field': 10}; ? ann.chips 990
ann keep_up field no; roll 22 34; ? ann.bets {'pass': 10}
# what is kept up goes up only while its window and the chips allow it | ann bob chips=20
## Craps: pass is lost, field returns 10, which is not enough for pass.
ann place pass 15 kept; ann place field 5 kept; bob place fire 20 kept
roll 12; ? ann.bets {'field': 5}
## Bob lost, and has nothing left; field won on the 4, lost on the 7, and is up again both times.
roll 22 34; ? bob.bets {}; ? ann.bets {'field': 5}
# fire is kept up at the start of the next hand | ann
ann place fire 20 kept; roll 22 34; ? ann.bets {'fire': 20}; ? game.table.hand_id 1
# contract bets and bets that stay up cannot be touched by a single action | ann
ann place pass 10; ann place replay 10; ann place dont_pass 10; roll 22
ann remove pass -> contract_bet; ann lower pass 5 -> contract_bet; ann raise pass 5 -> contract_bet
ann raise dont_pass 5 -> only_lower; ann remove replay -> stays_up; ann place fire 5 -> window_closed
# caps are checked after the balance | ann player_max=100 max_bets=2 bank=200 chips=150
## The published order: family limits, balance, then player and bank. Hard 4 returns eightfold.
ann place pass 151 -> insufficient_funds; ann place pass 101 -> player_limit; ann place hard:4 30 -> bank_limit
ann place hard:4 25; ann place field 1 -> bank_limit
ann lower hard:4 20; ann place field 1; ann place pass 5 -> too_many_bets
# the bank covers the bets of all players together | ann bob bank=400
ann place next:12 10; bob place pass 50 -> bank_limit; bob place pass 45; roll 66; ? game.bank 145
# a commission paid with the stake comes back with it | ann vig='upfront' allow_overpay=True
ann place buy:4 40; ? ann.chips 958; ? ann.at_risk 42; ann remove buy:4; ? ann.chips 1000
# the shooter waits until everybody is ready | ann bob cid
## Nobody waits for a player who has cashed out.
ann roll -> not_ready; ann lock -> not_ready; bob ready; ann roll -> not_ready; ? error 'cid: still betting'
cid cash_out; ann roll 33; ? bob.is_ready False
# whoever is ready bets again after the roll | ann bob
bob ready; bob place field 5 -> is_ready; bob raise field 5 -> is_ready; bob lower field 5 -> is_ready
bob remove field -> is_ready; bob switch field yes yes -> is_ready; bob keep_up field -> is_ready
bob cash_out -> is_ready; bob ready -> is_ready; ann roll 33; bob place field 5
# buying more chips is betting on | ann bob
bob ready; bob buy_in 100; ann roll -> not_ready; bob place field 5
# only the shooter locks rolls and passes the dice | ann bob
bob ready; bob lock -> not_your_turn; bob roll -> not_your_turn; bob pass_dice -> not_your_turn
# the dice pass at a seven out and at nothing else | ann bob cid
roll 34 11 56 22 66 22; ? shooter 'ann'; roll 44 34; ? shooter 'bob'
roll 44 34 44 34; ? shooter 'ann'; ? game.table.hand_id 3; ? turn.turn_number 4
# the dice skip whoever has cashed out | ann bob cid
bob cash_out; roll 44 34; ? shooter 'cid'
# a shooter may pass the dice and the hand goes on | ann bob
ann place pass 10; roll 22; ann pass_dice; ? shooter 'bob'; ? game_changed False
roll 13; ? settled [(0, 'pass', 10)]
# a lone player passes the dice to nobody | ann
ann pass_dice -> nobody_else
# nobody passes the dice to whoever has cashed out | ann bob
bob cash_out; ann pass_dice -> nobody_else
# a shooter who is ready waits for the others | ann bob
ann ready; ann pass_dice -> not_ready; ? ann.actions []; bob ready; ? ann.actions ['roll', 'lock', 'pass_dice']
# locked dice may still be passed on and stay locked | ann bob
bob ready; ann lock; ann pass_dice; ? shooter 'bob'; ? turn.phase 'locked'
ann place field 5 -> wrong_phase; bob roll 12
# a newcomer gets a chair and the dice in turn | ann
dan join dan; ann roll -> not_ready; dan buy_in 100; dan place dont_pass 10
roll 22 34; ? shooter 'dan'; ? dan.chips 110
# a shooter who leaves in mid hand hands the dice on and bets stay | ann bob cid
ann place pass 10; ann place bonus_small 5; bob place pass 10; roll 22; ann place odds_pass 30
ann leave; ? shooter 'bob'; ? game.table.point 4; ? game.table.hand_rolls 1
? ann.bets {'pass': 10, 'bonus_small': 5}; ? ann.paid_out 985
roll 13; ? settled [(0, 'pass', 10), (1, 'pass', 10)]; ? ann.chips 0; ? ann.paid_out 1005
roll 34; ? settled [(0, 'bonus_small', -5)]; ? ann.net 5; ? ann.paid_out 1005
# nothing is kept up for a leaver | ann bob
ann place pass 10 kept; roll 22; ann leave; roll 22; ? ann.bets {}; ? ann.paid_out 1010
# whoever has left can do nothing and does not come back | ann bob cid
bob leave; bob buy_in 100 -> left_match; bob join bob -> already_seated; roll 34 22 34; ? shooter 'cid'
# the last player stays until every bet is decided | ann bob
## Else two friends could take any bet back: one leaves it standing, the other closes the table by leaving.
ann place pass 10; roll 22; ann leave; bob leave -> bets_open
roll 34; bob leave; ? game.table.phase 'closed'; ? result.scores {'ann': -10, 'bob': 0}
# a player who runs out of time is ready and a shooter loses the dice | ann bob cid
bob time_out; ? bob.is_ready True; bob time_out -> nothing_to_do
ann time_out; ? shooter 'bob'; ann ready; cid ready; bob lock; ann time_out -> nothing_to_do
bob time_out; ? shooter 'cid'; ? turn.phase 'locked'
# a lone player who is ready and gone rolls | ann
ann ready; ann time_out; ? game.table.roll_count 1
# a lone player who is gone is cashed out | ann
ann time_out; ? status 'finished'; ? ann.paid_out 1000
? told 'ann ran out of time and was cashed out 1,000; the table has closed'
# dice for a leavers bet are thrown by whoever is there | ann bob
## Everybody left at the table has cashed out, but a bet of somebody who has gone is still up.
ann place pass 10; bob cash_out; roll 22; ann leave; ? shooter 'bob'; ? status 'active'; ? bob.actions ['roll', 'lock']
bob roll 22; ? status 'finished'; ? ann.net 10
# the table closes when everybody has cashed out | ann bob cid
ann place field 10; bob place dont_pass 5; bob place next:3 4; roll 11; ann cash_out; cid cash_out; ? status 'active'
? shooter 'bob'; bob cash_out; ? game.table.phase 'closed'; ? result.status 'win'; ? result.winners ('ann', 'bob')
? result.scores {'ann': 20, 'bob': 1, 'cid': 0}; ann buy_in 100 -> finished; ann place pass 10 -> finished
# a table where nobody is ahead ends in a draw | ann
ann place field 10; roll 33; ann cash_out; ? result.status 'draw'; ? result.scores {'ann': -10}
# a player may cash out and buy in again while the table is open | ann bob
bob cash_out; ? bob.actions []; bob buy_in 100; ? bob.is_out False; ann roll -> not_ready; ? bob.net 0
# the host closes in good order only when no bet is up | ann bob
bob place pass 10; host close ended -> bets_open; bob remove pass; host close ended yes
? ann.paid_out 1000; ? bob.paid_out 1000; ? result.reason 'the table has closed'
# the bets of one player are bought and everybody elses play on | ann bob
## Pass on 4 wins one time in three; odds are fair.
ann place pass 30; bob place pass 30; roll 22; ann place odds_pass 30
host buy_out ann; ? ann.bets {}; ? bob.bets {'pass': 30}; ? ann.chips 990; ? game.bank 1_000_010
? told 'ann sits out: bets of 60 were bought out for 50'
host buy_out ann -> no_bets; host buy_out cid -> no_bets; bob buy_out bob -> host_only
# what cannot be done is refused with its code | ann
ann place pass 10; ann place yes:7 10 -> unknown_bet; ann place come 10 -> window_closed
ann place odds_pass 10 -> window_closed; ann place odds_come:6 10 -> no_flat_bet; ann place pass 10 -> already_placed
ann place dont_pass 4 -> under_limit; ann place dont_pass 5001 -> over_limit; ann place horn 6 -> not_a_multiple
ann place dont_pass 1001 -> insufficient_funds; ann raise field 5 -> not_placed; ann raise pass 4995 -> over_limit
ann raise pass 991 -> insufficient_funds; ann lower pass 10 -> bad_lowering; ann lower pass 6 -> under_limit
ann remove field -> not_placed; ann switch pass no no -> always_works; ann keep_up hard:4 -> not_placed
ann close ended -> host_only; ann close host -> host_only; ann shout -> unknown_action
# nothing changes between lock and roll | ann bob
## What everybody commits to before the dice secrets open must still be there when they fall.
ann place pass 10; bob place pass 10; bob ready; ann lock; ? bob.actions []; ? ann.actions ['roll', 'pass_dice']
ann buy_in 100 -> wrong_phase; ann cash_out -> wrong_phase; ann place field 5 -> wrong_phase
ann raise pass 5 -> wrong_phase; ann lower pass 5 -> wrong_phase; ann remove pass -> wrong_phase
ann switch pass yes yes -> wrong_phase; ann keep_up pass -> wrong_phase; ann ready -> wrong_phase
ann leave -> wrong_phase; ann join dan -> wrong_phase
bob buy_in 100 -> wrong_phase; bob cash_out -> wrong_phase; bob place field 5 -> wrong_phase
bob raise pass 5 -> wrong_phase; bob lower pass 5 -> wrong_phase; bob remove pass -> wrong_phase
bob switch pass yes yes -> wrong_phase; bob keep_up pass -> wrong_phase; bob ready -> wrong_phase
bob leave -> wrong_phase; bob join dan -> wrong_phase; ann roll 22; ? turn.phase 'betting'
# every action is told in a line | ann bob
? told 'bob bought in for 1,000'; ann place pass 10; ? told 'ann bet 10 on pass'
bob place yes:4 1000; ? told 'bob bet 1,000 on yes:4'; bob lower yes:4 900; ? told 'bob took 900 off yes:4'
bob switch yes:4 no no; ? told 'bob had yes:4 switched off'; bob keep_up yes:4; ? told 'bob wanted yes:4 kept up'
bob remove yes:4; ? told 'bob took yes:4 down'; ann pass_dice; ? told 'ann passed the dice; the dice went to bob'
bob time_out; ? told 'bob ran out of time and lost the dice; the dice went to ann'
bob time_out; ? told 'bob ran out of time and was taken to be ready'; ann lock; ? told 'ann locked the betting'
ann roll 22; ? told 'ann rolled 2 and 2: 4, the point is 4'; dan join dan Dan; ? told 'Dan sat down'
dan leave; ? told 'Dan left with 0'; host close host
? told 'the host closed the table: the host has closed the table; all stakes went back'
# no player can speak for the host | ann
ann close host -> host_only; host place pass 10 -> unknown_player; host leave -> unknown_player
host close because -> bad_payload
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_the_table_does_what_is_written(head, scene):
    play(staged(head), scene)


FIRST_PROTOCOL = """
ann place pass 10; ann place fire 10; bob place pass 10; cid place lay:4 40; roll 23; ann place odds_pass 20; bob leave
{locked}
host close three_voids no; ? game.table.phase 'closed'; ? game.table.point 0; ? game.cover 0; ? game.bank 1_000_000
? ann.paid_out 1000; ? bob.paid_out 1000; ? cid.paid_out 1000; ? ann.chips 0; ? bob.chips 0; ? cid.chips 0
? ann.bets {{}}; ? bob.bets {{}}; ? cid.bets {{}}
? result.reason 'three rounds in a row were void; all stakes went back'
"""


@pytest.mark.parametrize("locked", ["", "cid ready; ann lock"], ids=["betting", "locked"])
def test_a_table_of_the_first_protocol_handed_every_stake_back(locked):
    """Its records say so, and are still re-executed."""
    play(staged("ann bob cid vig='upfront' allow_overpay=True"), FIRST_PROTOCOL.format(locked=locked))


# Refusals.


LAID = {"bet": "dont_pass", "stake": 10}
NO_PAYLOADS = [
    *(("place", LAID | {"stake": stake}) for stake in (0, True, 5.0, 2**63)),
    *(("place", {"bet": "dont_pass"}), ("place", LAID | {"mode": 1}), ("place", LAID | {"bet": "x" * 33})),
    ("roll", {"faces": [6, 6]}),
]


@pytest.mark.parametrize(("action", "payload"), NO_PAYLOADS)
def test_a_malformed_payload_is_refused(open_table, action, payload):
    table = open_table("ann")
    table.do("ann", "place", bet="pass", stake=10)

    assert table.refused("ann", action, **payload) == "bad_payload"


# Dice.


def test_a_roll_draws_two_dice_and_nothing_else_draws(open_table):
    """The first two dice of the stream of its move, die 1 first: what a round of shared dice has promised."""
    table = open_table("ann", "bob")
    table.do("bob", "ready")
    seed = b"the seed of the round"
    answer = apply_action(GAME, table.match, Action("roll"), seed=seed)

    rng = GameRng.new(seed, 7, table.match.version + 1)
    assert answer.ok
    assert answer.drew
    assert answer.state.game.table.dice == (rng.roll_die(), rng.roll_die())
    scripted = ScriptedRng.of_dice(2, 5)
    apply_action(GAME, table.match, Action("roll"), rng=scripted)
    assert scripted.bounds == [6, 6]
    assert not any(entry.drew for entry in table.log)


def test_the_dice_follow_from_the_seed_by_hashing_alone(open_table):
    """A stream of a move is SHA-256 of seed, session and move number; bytes from 252 up are thrown away."""
    table = open_table("ann")
    for move in range(2, 42):  # buying in was move 1
        table.do("ann", "roll")
        block = sha256(bytes(range(32)) + (7).to_bytes(8, "big") + move.to_bytes(4, "big")).digest()
        die1, die2 = [1 + byte % 6 for byte in block if byte < 252][:2]
        assert table.match.game.table.dice == (die1, die2)


# Coming, going, running out of time.


def test_a_table_seats_sixteen_at_a_time(open_table):
    table = open_table(*(f"p{number}" for number in range(16)), chips=0)
    assert table.refused("dan", "join", id="dan") == "table_full"
    table.do("p3", "leave")
    table.do("dan", "join", id="dan")
    with pytest.raises(BadPlayers):
        create_match(GAME, [f"p{number}" for number in range(17)], seed=b"")


def test_a_table_gives_out_only_so_many_chairs(open_table):
    table = open_table("ann", chips=0)
    for number in range(SEATS_EVER - 1):
        table.do(f"p{number}", "join", id=f"p{number}")
        table.do(f"p{number}", "leave")

    assert table.refused("dan", "join", id="dan") == "seats_used_up"


def test_a_lone_player_does_not_escape_a_contract_bet_by_leaving(open_table):
    table = open_table("ann")
    table.go("ann place pass 10; roll 22")

    assert table.refused("ann", "leave") == "bets_open"
    table.do("ann", "time_out")  # the host rolls on for a player who is gone
    while table.match.game.has_bets:
        table.do("ann", "time_out")
    table.do("ann", "leave")
    assert table.match.status == "finished"


# The end.


@pytest.mark.parametrize("phase", ["betting", "locked"])
@pytest.mark.parametrize(
    ("reason", "home", "bank"),
    [
        *((reason, [998, 1_007, 992], 1_000_002) for reason in ("three_voids", "host", "rounds_used_up")),
        *((fault, [1_000, 1_007, 1_000], 999_992) for fault in ("bank_missing", "two_closes", "old_protocol")),
    ],
)
def test_a_table_that_must_close_pays_what_bets_are_worth(open_table, phase, reason, home, bank):
    """The point is 5, and comes before a 7 four times in ten. At a table at fault nobody gets less than they staked.

    Ann's 10 on pass are worth 2/5 of 20, Cid's 40 are 32. Bob has 40 on don't pass, worth 3/5 of 80, and 10 on the
    field, worth 17/18 of it: 57 and 4/9 in all. The bank pays 58 for that, and one chip is nobody's.
    """
    table = open_table("ann", "bob", "cid")
    table.go("ann place pass 10; bob place dont_pass 40; cid place pass 40; roll 23; bob place field 10")
    if phase == "locked":
        table.go("bob ready; cid ready; ann lock")

    table.close(reason)

    game = table.match.game
    assert ([chair.paid_out for chair in game.seats], game.bank) == (home, bank)
    assert [chair.unclaimed for chair in game.seats] == [0, 1, 0]
    assert (game.table.phase, game.cover) == ("closed", 0)


def test_table_and_dice_name_the_same_faults_of_the_table():
    assert {*TABLE_FAULTS, "old_protocol"} == FAULTS


@pytest.mark.parametrize("bet", ["pass", "dont_pass"])
@pytest.mark.parametrize("way", ["close", "buy_out"])
def test_the_moment_at_which_bets_are_bought_out_gains_nobody_anything(open_table, bet, way):
    """A host closes, or a player has itself bought out, whenever a point stands: over all 36 rolls that comes to what
    the bet is worth from the start, 1 - 7/495 and 1 - 3/220 of the stake. With stakes handed back it would not."""
    brought = Fraction(0)
    for dice in product(range(1, 7), repeat=2):
        table = open_table("ann", chips=19_800, table_max=19_800, player_max=19_800)
        table.do("ann", "place", bet=bet, stake=19_800)
        table.roll(dice)
        if table.match.game.table.point and way == "close":
            table.close("host")
        elif table.match.game.table.point:
            table.do(HOST, "buy_out", player="ann")
        chair = table.chair("ann")
        assert not chair.bets
        brought += Fraction(chair.chips + chair.paid_out + chair.at_risk, 36)

    assert brought == 19_800 * (1 - {"pass": Fraction(7, 495), "dont_pass": Fraction(3, 220)}[bet])
