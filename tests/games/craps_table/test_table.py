"""The shared table: every action, every refusal, whose dice they are, who comes and goes, how it ends."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import (
    HOST,
    Action,
    apply_action,
    create_match,
    deserialize_match,
    legal_actions,
    make_record,
    serialize_match,
    verify,
    view_for,
    write_record,
)
from croupier.engine.legal import legal_ranges
from croupier.errors import BadOptions, BadPlayers
from croupier.fairness.dice.failures import TABLE_FAULTS
from croupier.games.craps import odds
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.table.game import FAULTS, SEATS_EVER, SharedCraps
from croupier.games.craps.table.state import SharedTable, TableOptions
from croupier.rng import GameRng
from croupier.testing import ScriptedRng

GAME = SharedCraps()


# Chips.


def test_buying_in_puts_chips_into_the_rack_and_cashing_out_takes_them_home(open_table):
    table = open_table("ann", "bob", chips=0)
    table.do("ann", "buy_in", chips=300)
    table.do("ann", "buy_in", chips=50)
    assert (table.chair("ann").chips, table.chair("ann").bought) == (350, 350)

    table.do("ann", "cash_out")

    assert (table.chair("ann").chips, table.chair("ann").paid_out, table.chair("ann").net) == (0, 350, 0)
    assert table.chair("ann").is_out
    assert table.match.game.bank == 1_000_000


@pytest.mark.parametrize(
    ("chips", "code"), [(19, "under_buy_in"), (50_001, "over_buy_in"), (0, "bad_payload"), (-5, "bad_payload")]
)
def test_buying_in_has_limits(open_table, chips, code):
    assert open_table("ann", chips=0).refused("ann", "buy_in", chips=chips) == code


def test_the_most_a_player_buys_is_counted_over_all_their_buying(open_table):
    table = open_table("ann", "bob", chips=40_000)

    assert table.refused("ann", "buy_in", chips=10_001) == "over_buy_in"
    table.do("ann", "buy_in", chips=10_000)
    table.do("ann", "cash_out")
    assert table.refused("ann", "buy_in", chips=20) == "over_buy_in"


def test_nobody_brings_more_chips_than_books_can_hold(open_table):
    half = (2**63 - 1) // 2
    table = open_table("ann", "bob", chips=0, bank=half, buy_in_max=half)
    table.do("ann", "buy_in", chips=half - 100)

    assert table.refused("bob", "buy_in", chips=102) == "over_buy_in"
    table.do("bob", "buy_in", chips=101)
    assert sum(chair.chips for chair in table.match.game.seats) + table.match.game.bank == 2**63 - 1


def test_a_cash_out_leaves_contract_bets_on_the_table(open_table):
    """Otherwise whoever does not like the point could take the bet away from under it."""
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("ann", "place", bet="fire", stake=5)
    table.roll((2, 2))
    table.do("ann", "place", bet="odds_pass", stake=20)
    table.do("ann", "place", bet="yes:6", stake=12)
    table.do("ann", "place", bet="come", stake=10)

    table.do("ann", "cash_out")

    assert table.bets("ann") == {"pass": 10, "fire": 5}  # come was still in its box, odds and yes are free
    assert (table.chair("ann").paid_out, table.chair("ann").chips) == (985, 0)
    assert not table.chair("ann").is_out
    assert table.refused("ann", "cash_out") == "nothing_to_cash"

    table.roll((1, 3))  # the point is made

    assert (table.bets("ann"), table.chair("ann").chips) == ({"fire": 5}, 20)


def test_a_dont_bet_comes_down_at_any_time(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="dont_pass", stake=10)
    table.roll((2, 2))

    table.do("ann", "cash_out")

    assert table.chair("ann").is_out
    assert table.chair("ann").paid_out == 1000


# Bets.


def test_every_seat_bets_on_the_same_roll_and_is_settled_at_once(open_table):
    table = open_table("ann", "bob", "cid")
    table.do("cid", "place", bet="field", stake=5)
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "place", bet="dont_pass", stake=20)
    table.do("bob", "place", bet="any7", stake=5)

    table.roll((3, 4))

    assert table.settled() == [(0, "pass", 10), (1, "dont_pass", -20), (1, "next:7", 20), (2, "field", -5)]
    assert [table.chair(player).chips for player in ("ann", "bob", "cid")] == [1010, 1000, 995]
    assert table.match.game.bank == 1_000_000 - 5
    assert not table.match.game.has_bets


def test_bets_are_raised_lowered_removed_and_switched(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="yes:4", stake=10)
    table.do("ann", "raise", bet="place:4", stake=15)
    assert (table.bets("ann"), table.chair("ann").chips, table.chair("ann").at_risk) == ({"yes:4": 25}, 975, 25)
    table.do("ann", "lower", bet="yes:4", stake=20)
    assert (table.bets("ann"), table.chair("ann").chips) == ({"yes:4": 5}, 995)
    table.do("ann", "switch", bet="yes:4", come_out=True, point=False)
    assert table.chair("ann").bets[0].working == 1

    table.do("ann", "remove", bet="yes:4")

    assert (table.bets("ann"), table.chair("ann").chips, table.chair("ann").at_risk) == ({}, 1000, 0)


def test_a_bet_that_is_off_is_neither_won_nor_lost_until_it_is_switched_on(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="yes:4", stake=10)
    table.roll((3, 4))
    assert table.bets("ann") == {"yes:4": 10}

    table.do("ann", "switch", bet="yes:4", come_out=True, point=True)
    table.roll((3, 4))

    assert table.settled() == [(0, "yes:4", -10)]


def test_a_bet_that_is_kept_up_is_placed_again_at_once(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="field", stake=10, keep_up=True)
    table.do("ann", "place", bet="pass", stake=10)
    table.do("ann", "keep_up", bet="pass")

    table.roll((6, 6))  # field pays 2 to 1, pass loses; both go up again

    assert table.bets("ann") == {"pass": 10, "field": 10}
    assert table.chair("ann").chips == 1000 - 20 - 10 + 20
    table.do("ann", "keep_up", bet="field", keep=False)
    table.roll((2, 2), (3, 4))  # the point, then seven-out: pass goes up again, field does not
    assert table.bets("ann") == {"pass": 10}


def test_what_is_kept_up_goes_up_only_while_its_window_and_the_chips_allow_it(open_table):
    table = open_table("ann", "bob", chips=20)
    table.do("ann", "place", bet="pass", stake=15, keep_up=True)
    table.do("ann", "place", bet="field", stake=5, keep_up=True)
    table.do("bob", "place", bet="fire", stake=20, keep_up=True)

    table.roll((1, 2))  # craps: pass is lost, field returns 10, which is not enough for pass

    assert table.bets("ann") == {"field": 5}
    table.roll((2, 2), (3, 4))
    assert table.bets("bob") == {}  # lost, and there is nothing left to keep it up with
    assert table.bets("ann") == {"field": 5}  # won on the 4, lost on the 7, and up again both times


def test_fire_is_kept_up_at_the_start_of_the_next_hand(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="fire", stake=20, keep_up=True)
    table.roll((2, 2), (3, 4))

    assert table.bets("ann") == {"fire": 20}
    assert table.match.game.table.hand_id == 1


@pytest.mark.parametrize(
    ("action", "payload", "code"),
    [
        ("place", {"bet": "yes:7", "stake": 10}, "unknown_bet"),
        ("place", {"bet": "come", "stake": 10}, "window_closed"),
        ("place", {"bet": "odds_pass", "stake": 10}, "window_closed"),
        ("place", {"bet": "odds_come:6", "stake": 10}, "no_flat_bet"),
        ("place", {"bet": "pass", "stake": 10}, "already_placed"),
        ("place", {"bet": "dont_pass", "stake": 4}, "under_limit"),
        ("place", {"bet": "dont_pass", "stake": 5001}, "over_limit"),
        ("place", {"bet": "dont_pass", "stake": 0}, "bad_payload"),
        ("place", {"bet": "dont_pass", "stake": True}, "bad_payload"),
        ("place", {"bet": "dont_pass", "stake": 5.0}, "bad_payload"),
        ("place", {"bet": "dont_pass", "stake": 2**63}, "bad_payload"),
        ("place", {"bet": "dont_pass"}, "bad_payload"),
        ("place", {"bet": "dont_pass", "stake": 10, "mode": 1}, "bad_payload"),
        ("place", {"bet": "x" * 33, "stake": 10}, "bad_payload"),
        ("place", {"bet": "horn", "stake": 6}, "not_a_multiple"),
        ("place", {"bet": "dont_pass", "stake": 1001}, "insufficient_funds"),
        ("raise", {"bet": "field", "stake": 5}, "not_placed"),
        ("raise", {"bet": "pass", "stake": 4995}, "over_limit"),
        ("raise", {"bet": "pass", "stake": 991}, "insufficient_funds"),
        ("lower", {"bet": "pass", "stake": 10}, "bad_lowering"),
        ("lower", {"bet": "pass", "stake": 6}, "under_limit"),
        ("remove", {"bet": "field"}, "not_placed"),
        ("switch", {"bet": "pass", "come_out": False, "point": False}, "always_works"),
        ("keep_up", {"bet": "hard:4"}, "not_placed"),
        ("roll", {"faces": [6, 6]}, "bad_payload"),
        ("close", {"reason": "ended"}, "host_only"),
        ("close", {"reason": "host"}, "host_only"),
        ("shout", {}, "unknown_action"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_code(open_table, action, payload, code):
    table = open_table("ann")
    table.do("ann", "place", bet="pass", stake=10)

    assert table.refused("ann", action, **payload) == code


def test_contract_bets_and_bets_that_stay_up_cannot_be_touched_by_a_single_action(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("ann", "place", bet="replay", stake=10)
    table.do("ann", "place", bet="dont_pass", stake=10)
    table.roll((2, 2))

    assert table.refused("ann", "remove", bet="pass") == "contract_bet"
    assert table.refused("ann", "lower", bet="pass", stake=5) == "contract_bet"
    assert table.refused("ann", "raise", bet="pass", stake=5) == "contract_bet"
    assert table.refused("ann", "raise", bet="dont_pass", stake=5) == "only_lower"
    assert table.refused("ann", "remove", bet="replay") == "stays_up"
    assert table.refused("ann", "place", bet="fire", stake=5) == "window_closed"


def test_caps_are_checked_after_the_balance(open_table):
    """The order of the sheet: family limits, balance, then player and bank."""
    table = open_table("ann", player_max=100, max_bets=2, bank=200, chips=150)

    assert table.refused("ann", "place", bet="pass", stake=151) == "insufficient_funds"
    assert table.refused("ann", "place", bet="pass", stake=101) == "player_limit"
    assert table.refused("ann", "place", bet="hard:4", stake=30) == "bank_limit"  # 30 + 210 returned at most
    table.do("ann", "place", bet="hard:4", stake=25)  # 25 + 175 is all the bank has
    assert table.refused("ann", "place", bet="field", stake=1) == "bank_limit"
    table.do("ann", "lower", bet="hard:4", stake=20)
    table.do("ann", "place", bet="field", stake=1)
    assert table.refused("ann", "place", bet="pass", stake=5) == "too_many_bets"


def test_the_bank_covers_the_bets_of_all_players_together(open_table):
    table = open_table("ann", "bob", bank=400)
    table.do("ann", "place", bet="next:12", stake=10)  # 310

    assert table.refused("bob", "place", bet="pass", stake=50) == "bank_limit"
    table.do("bob", "place", bet="pass", stake=45)
    table.roll((6, 6))

    assert table.match.game.bank == 400 - 300 + 45


def test_a_commission_paid_with_the_stake_comes_back_with_it(open_table):
    table = open_table("ann", vig="upfront", allow_overpay=True)
    table.do("ann", "place", bet="buy:4", stake=40)
    assert (table.chair("ann").chips, table.chair("ann").at_risk) == (1000 - 42, 42)

    table.do("ann", "remove", bet="buy:4")

    assert table.chair("ann").chips == 1000


# The betting window.


def test_the_shooter_waits_until_everybody_is_ready(open_table):
    table = open_table("ann", "bob", "cid")
    assert table.refused("ann", "roll") == "not_ready"
    assert table.refused("ann", "lock") == "not_ready"
    table.do("bob", "ready")
    assert table.attempt("ann", "roll").error == "cid: still betting"

    table.do("cid", "cash_out")  # nobody waits for a player who has cashed out

    table.do("ann", "roll", (3, 3))
    assert not table.chair("bob").is_ready


def test_whoever_is_ready_bets_again_after_the_roll(open_table):
    table = open_table("ann", "bob")
    table.do("bob", "ready")

    tried: list[tuple[str, dict[str, Any]]] = [
        ("place", {"bet": "field", "stake": 5}),
        ("raise", {"bet": "field", "stake": 5}),
        ("lower", {"bet": "field", "stake": 5}),
        ("remove", {"bet": "field"}),
        ("switch", {"bet": "field", "come_out": True, "point": True}),
        ("keep_up", {"bet": "field"}),
        ("cash_out", {}),
        ("ready", {}),
    ]
    for action, payload in tried:
        assert table.refused("bob", action, **payload) == "is_ready"
    table.do("ann", "roll", (3, 3))
    table.do("bob", "place", bet="field", stake=5)


def test_buying_more_chips_is_betting_on(open_table):
    table = open_table("ann", "bob")
    table.do("bob", "ready")

    table.do("bob", "buy_in", chips=100)

    assert table.refused("ann", "roll") == "not_ready"
    table.do("bob", "place", bet="field", stake=5)


@pytest.mark.parametrize(
    ("action", "payload"),
    [
        ("buy_in", {"chips": 100}),
        ("cash_out", {}),
        ("place", {"bet": "field", "stake": 5}),
        ("raise", {"bet": "pass", "stake": 5}),
        ("lower", {"bet": "pass", "stake": 5}),
        ("remove", {"bet": "pass"}),
        ("switch", {"bet": "pass", "come_out": True, "point": True}),
        ("keep_up", {"bet": "pass"}),
        ("ready", {}),
        ("leave", {}),
        ("join", {"id": "dan"}),
    ],
)
def test_nothing_changes_between_lock_and_roll(open_table, action, payload):
    """What everybody commits to before the dice secrets open must still be there when they fall."""
    table = open_table("ann", "bob")
    for player in ("ann", "bob"):
        table.do(player, "place", bet="pass", stake=10)
    table.do("bob", "ready")
    table.do("ann", "lock")

    assert table.refused("ann", action, **payload) == "wrong_phase"
    assert table.refused("bob", action, **payload) == "wrong_phase"
    assert legal_actions(GAME, table.match, "bob") == ()
    assert [one.type for one in legal_actions(GAME, table.match, "ann")] == ["roll", "pass_dice"]

    table.do("ann", "roll", (2, 2))

    assert table.match.turn.phase == "betting"


def test_only_the_shooter_locks_rolls_and_passes_the_dice(open_table):
    table = open_table("ann", "bob")
    table.do("bob", "ready")

    assert [table.refused("bob", action) for action in ("lock", "roll", "pass_dice")] == ["not_your_turn"] * 3


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


def test_the_dice_pass_at_a_seven_out_and_at_nothing_else(open_table):
    table = open_table("ann", "bob", "cid")
    table.roll((3, 4), (1, 1), (5, 6), (2, 2), (6, 6), (2, 2))
    assert table.shooter == "ann"
    table.roll((4, 4), (3, 4))
    assert table.shooter == "bob"
    table.roll((4, 4), (3, 4), (4, 4), (3, 4))

    assert (table.shooter, table.match.game.table.hand_id, table.match.turn.turn_number) == ("ann", 3, 4)


def test_the_dice_skip_whoever_has_cashed_out(open_table):
    table = open_table("ann", "bob", "cid")
    table.do("bob", "cash_out")

    table.roll((4, 4), (3, 4))

    assert table.shooter == "cid"


def test_a_shooter_may_pass_the_dice_and_the_hand_goes_on(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.roll((2, 2))
    before = table.match.game

    table.do("ann", "pass_dice")

    assert table.shooter == "bob"
    assert table.match.game == before
    table.roll((1, 3))
    assert table.settled() == [(0, "pass", 10)]


def test_nobody_passes_the_dice_to_nobody(open_table):
    assert open_table("ann").refused("ann", "pass_dice") == "nobody_else"
    table = open_table("ann", "bob")
    table.do("bob", "cash_out")
    assert table.refused("ann", "pass_dice") == "nobody_else"


def test_a_shooter_who_is_ready_waits_for_the_others(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "ready")

    assert table.refused("ann", "pass_dice") == "not_ready"
    assert legal_actions(GAME, table.match, "ann") == ()
    table.do("bob", "ready")
    assert [one.type for one in legal_actions(GAME, table.match, "ann")] == ["roll", "lock", "pass_dice"]


def test_locked_dice_may_still_be_passed_on_and_stay_locked(open_table):
    table = open_table("ann", "bob")
    table.do("bob", "ready")
    table.do("ann", "lock")

    table.do("ann", "pass_dice")

    assert (table.shooter, table.match.turn.phase) == ("bob", "locked")
    assert table.refused("ann", "place", bet="field", stake=5) == "wrong_phase"
    table.do("bob", "roll", (1, 2))


# Coming, going, running out of time.


def test_a_newcomer_gets_a_chair_and_the_dice_in_turn(open_table):
    table = open_table("ann")
    table.do("dan", "join", id="dan", name="Dan")
    assert table.refused("ann", "roll") == "not_ready"
    table.do("dan", "buy_in", chips=100)
    table.do("dan", "place", bet="dont_pass", stake=10)

    table.roll((2, 2), (3, 4))

    assert (table.shooter, table.chair("dan").chips) == ("dan", 110)


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


def test_a_shooter_who_leaves_in_mid_hand_hands_the_dice_on_and_bets_stay(open_table):
    table = open_table("ann", "bob", "cid")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("ann", "place", bet="bonus_small", stake=5)
    table.do("bob", "place", bet="pass", stake=10)
    table.roll((2, 2))
    table.do("ann", "place", bet="odds_pass", stake=30)

    table.do("ann", "leave")

    assert (table.shooter, table.match.game.table.point, table.match.game.table.hand_rolls) == ("bob", 4, 1)
    assert (table.bets("ann"), table.chair("ann").paid_out) == ({"pass": 10, "bonus_small": 5}, 985)
    table.roll((1, 3))
    assert table.settled() == [(0, "pass", 10), (1, "pass", 10)]
    assert (table.chair("ann").chips, table.chair("ann").paid_out) == (0, 985 + 20)
    table.roll((3, 4))
    assert table.settled() == [(0, "bonus_small", -5)]
    assert (table.chair("ann").net, table.chair("ann").paid_out) == (5, 1005)


def test_nothing_is_kept_up_for_a_leaver(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10, keep_up=True)
    table.roll((2, 2))
    table.do("ann", "leave")

    table.roll((2, 2))

    assert table.bets("ann") == {}
    assert table.chair("ann").paid_out == 1010


def test_whoever_has_left_can_do_nothing_and_does_not_come_back(open_table):
    table = open_table("ann", "bob", "cid")
    table.do("bob", "leave")

    assert table.refused("bob", "buy_in", chips=100) == "left_match"
    assert table.refused("bob", "join", id="bob") == "already_seated"
    table.roll((3, 4), (2, 2), (3, 4))
    assert table.shooter == "cid"


def test_the_last_player_stays_until_every_bet_is_decided(open_table):
    """Else two friends could take any bet back: one leaves it standing, the other closes the table by leaving."""
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.roll((2, 2))
    table.do("ann", "leave")

    assert table.refused("bob", "leave") == "bets_open"
    table.roll((3, 4))
    table.do("bob", "leave")

    assert table.match.game.table.phase == "closed"
    assert table.match.result is not None
    assert table.match.result.scores == {"ann": -10, "bob": 0}


def test_a_lone_player_does_not_escape_a_contract_bet_by_leaving(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="pass", stake=10)
    table.roll((2, 2))

    assert table.refused("ann", "leave") == "bets_open"
    table.do("ann", "time_out")  # the host rolls on for a player who is gone
    while table.match.game.has_bets:
        table.do("ann", "time_out")
    table.do("ann", "leave")
    assert table.match.status == "finished"


def test_a_player_who_runs_out_of_time_is_ready_and_a_shooter_loses_the_dice(open_table):
    table = open_table("ann", "bob", "cid")
    table.do("bob", "time_out")
    assert table.chair("bob").is_ready
    assert table.refused("bob", "time_out") == "nothing_to_do"

    table.do("ann", "time_out")

    assert table.shooter == "bob"
    table.do("ann", "ready")
    table.do("cid", "ready")
    table.do("bob", "lock")
    assert table.refused("ann", "time_out") == "nothing_to_do"
    table.do("bob", "time_out")
    assert (table.shooter, table.match.turn.phase) == ("cid", "locked")


def test_a_lone_player_who_is_gone_is_cashed_out(open_table):
    table = open_table("ann")

    table.do("ann", "time_out")

    assert table.match.status == "finished"
    assert table.chair("ann").paid_out == 1000
    assert lines_of(table)[-1] == "ann ran out of time and was cashed out 1,000; the table has closed"


def test_a_lone_player_who_is_ready_and_gone_rolls(open_table):
    table = open_table("ann")
    table.do("ann", "ready")

    answer = table.attempt("ann", "time_out")

    assert answer.ok
    assert answer.drew


def test_dice_for_a_leavers_bet_are_thrown_by_whoever_is_there(open_table):
    """Everybody left at the table has cashed out, but a bet of somebody who has gone is still up."""
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "cash_out")
    table.roll((2, 2))
    table.do("ann", "leave")
    assert (table.shooter, table.match.status) == ("bob", "active")
    assert [one.type for one in legal_actions(GAME, table.match, "bob")] == ["roll", "lock"]

    table.do("bob", "roll", (2, 2))

    assert table.match.status == "finished"
    assert table.chair("ann").net == 10


# The end.


def test_the_table_closes_when_everybody_has_cashed_out(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="field", stake=10)
    table.roll((6, 6))
    table.do("ann", "cash_out")
    assert (table.shooter, table.match.status) == ("bob", "active")

    table.do("bob", "cash_out")

    assert table.match.game.table.phase == "closed"
    result = table.match.result
    assert result is not None
    assert (result.status, result.winners, result.scores) == ("win", ("ann",), {"ann": 20, "bob": 0})
    assert table.refused("ann", "buy_in", chips=100) == "finished"
    assert table.refused("ann", "place", bet="pass", stake=10) == "finished"


def test_a_table_where_nobody_is_ahead_ends_in_a_draw(open_table):
    table = open_table("ann")
    table.do("ann", "place", bet="field", stake=10)
    table.roll((3, 3))
    table.do("ann", "cash_out")

    assert table.match.result is not None
    assert (table.match.result.status, table.match.result.scores) == ("draw", {"ann": -10})


def test_a_player_may_cash_out_and_buy_in_again_while_the_table_is_open(open_table):
    table = open_table("ann", "bob")
    table.do("bob", "cash_out")
    assert legal_actions(GAME, table.match, "bob") == ()

    table.do("bob", "buy_in", chips=100)

    assert not table.chair("bob").is_out
    assert table.refused("ann", "roll") == "not_ready"
    assert table.chair("bob").net == 0


def test_the_host_closes_in_good_order_only_when_no_bet_is_up(open_table):
    table = open_table("ann", "bob")
    table.do("bob", "place", bet="pass", stake=10)
    assert table.refused(HOST, "close", reason="ended") == "bets_open"
    table.do("bob", "remove", bet="pass")

    table.close()

    assert [chair.paid_out for chair in table.match.game.seats] == [1000, 1000]
    assert table.match.result is not None
    assert table.match.result.reason == "the table has closed"


@pytest.mark.parametrize("phase", ["betting", "locked"])
def test_a_table_of_the_first_protocol_handed_every_stake_back(open_table, phase):
    """Its records say so, and are still re-executed."""
    table = open_table("ann", "bob", "cid", vig="upfront", allow_overpay=True)
    table.do("ann", "place", bet="pass", stake=10)
    table.do("ann", "place", bet="fire", stake=10)
    table.do("bob", "place", bet="pass", stake=10)
    table.do("cid", "place", bet="lay:4", stake=40)
    table.roll((2, 3))
    table.do("ann", "place", bet="odds_pass", stake=20)
    table.do("bob", "leave")
    if phase == "locked":
        table.do("cid", "ready")
        table.do("ann", "lock")

    table.close("three_voids", at_value=False)

    game = table.match.game
    assert (game.table.phase, game.table.point, game.cover, game.bank) == ("closed", 0, 0, 1_000_000)
    assert [(chair.paid_out, chair.chips, chair.bets) for chair in game.seats] == [(1000, 0, ())] * 3
    assert table.match.result is not None
    assert table.match.result.reason == "three rounds in a row were void; all stakes went back"


@pytest.mark.parametrize("phase", ["betting", "locked"])
@pytest.mark.parametrize(
    ("reason", "home", "bank"),
    [
        ("three_voids", [998, 1_007, 992], 1_000_002),
        ("host", [998, 1_007, 992], 1_000_002),
        ("rounds_used_up", [998, 1_007, 992], 1_000_002),
        ("bank_missing", [1_000, 1_007, 1_000], 999_992),
        ("two_closes", [1_000, 1_007, 1_000], 999_992),
        ("old_protocol", [1_000, 1_007, 1_000], 999_992),
    ],
)
def test_a_table_that_must_close_pays_what_bets_are_worth(open_table, phase, reason, home, bank):
    """The point is 5, and comes before a 7 four times in ten. At a table at fault nobody gets less than they staked.

    Ann's 10 on pass are worth 2/5 of 20, Cid's 40 are 32. Bob has 40 on don't pass, worth 3/5 of 80, and 10 on the
    field, worth 17/18 of it: 57 and 4/9 in all. The bank pays 58 for that, and one chip is nobody's.
    """
    table = open_table("ann", "bob", "cid")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "place", bet="dont_pass", stake=40)
    table.do("cid", "place", bet="pass", stake=40)
    table.roll((2, 3))
    table.do("bob", "place", bet="field", stake=10)
    if phase == "locked":
        table.do("bob", "ready")
        table.do("cid", "ready")
        table.do("ann", "lock")

    table.close(reason)

    game = table.match.game
    assert ([chair.paid_out for chair in game.seats], game.bank) == (home, bank)
    assert [chair.unclaimed for chair in game.seats] == [0, 1, 0]
    assert (game.table.phase, game.cover) == ("closed", 0)


def test_what_is_a_fault_of_the_table_is_so_at_the_dice_as_well():
    assert {*TABLE_FAULTS, "old_protocol"} == FAULTS


def test_the_bets_of_one_player_are_bought_and_everybody_elses_play_on(open_table):
    table = open_table("ann", "bob")
    for player in ("ann", "bob"):
        table.do(player, "place", bet="pass", stake=30)
    table.roll((2, 2))
    table.do("ann", "place", bet="odds_pass", stake=30)

    table.do(HOST, "buy_out", player="ann")

    assert (table.bets("ann"), table.bets("bob")) == ({}, {"pass": 30})
    assert table.chair("ann").chips == 1_000 - 60 + 20 + 30  # pass on 4 wins one time in three; odds are fair
    assert table.match.game.bank == 1_000_000 + 10
    assert lines_of(table)[-1] == "ann sits out: bets of 60 were bought out for 50"
    for nobody in ("ann", "cid"):
        assert table.refused(HOST, "buy_out", player=nobody) == "no_bets"
    assert table.refused("bob", "buy_out", player="bob") == "host_only"


@pytest.mark.parametrize("bet", ["pass", "dont_pass"])
@pytest.mark.parametrize("way", ["close", "buy_out"])
def test_whoever_chooses_when_bets_are_bought_gains_nothing(open_table, bet, way):
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


def test_no_player_can_speak_for_the_host(open_table):
    table = open_table("ann")

    assert table.refused("ann", "close", reason="host") == "host_only"
    assert table.refused(HOST, "place", bet="pass", stake=10) == "unknown_player"
    assert table.refused(HOST, "leave") == "unknown_player"
    assert table.refused(HOST, "close", reason="because") == "bad_payload"


# Options.


def test_prices_that_give_chips_away_need_the_operators_word():
    with pytest.raises(BadOptions, match="ride_line"):
        create_match(GAME, ["ann"], seed=b"", options={"ride": "bitcraps"})
    create_match(GAME, ["ann"], seed=b"", options={"ride": "bitcraps", "allow_overpay": True})
    create_match(GAME, ["ann"], seed=b"", options={"ride": "ride-2", "vig": "upfront"})


def test_the_usual_prices_give_nothing_away():
    """`setup` takes this for granted, because working it out takes a second."""
    assert all(row.edge >= 0 for row in odds.check_paytable(CrapsOptions()))


@pytest.mark.parametrize(
    "options",
    [
        {"bank": 0},
        {"bank": 2**62},
        {"buy_in_min": 0},
        {"buy_in_min": 100, "buy_in_max": 99},
        {"table_min": 10, "table_max": 9},
        {"seats": 4},
        {"pay_table": "free"},
    ],
)
def test_options_that_make_no_table_are_refused(options):
    with pytest.raises(BadOptions):
        create_match(GAME, ["ann"], seed=b"", options=options)


def test_options_are_those_of_craps_and_some_more():
    assert set(TableOptions.__struct_fields__) - set(CrapsOptions.__struct_fields__) == {
        "bank",
        "buy_in_min",
        "buy_in_max",
        "allow_overpay",
    }


# What is listed, shown and kept.


def test_what_is_listed_is_a_few_bets_with_their_largest_odds(open_table):
    table = open_table("ann", "bob", "cid", chips=0)
    listed = [(one.type, one.payload) for one in legal_actions(GAME, table.match, "ann")]
    assert listed == [("buy_in", {"chips": 200}), ("ready", {}), ("cash_out", {}), ("pass_dice", {})]
    table.seat("ann", "bob", "cid")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "place", bet="dont_pass", stake=10)
    table.roll((3, 3))

    place = [one.payload for one in legal_actions(GAME, table.match, "ann") if one.type == "place"]
    assert {"bet": "odds_pass", "stake": 50} in place
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
    table.do("bob", "ready")
    table.do("ann", "lock")
    assert legal_ranges(GAME, table.match, "ann") == {}


def test_everybody_sees_everything(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)

    assert view_for(GAME, table.match, None).game == table.match.game


def lines_of(table: Any) -> list[str]:
    match, told = table.start, []
    for entry in table.log:
        after = apply_action(GAME, match, entry.action).state
        told.append(GAME.describe(entry.action, match, after))
        match = after
    return told


def test_the_log_tells_what_was_done(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "place", bet="yes:4", stake=1000)
    table.do("bob", "lower", bet="yes:4", stake=900)
    table.do("bob", "switch", bet="yes:4", come_out=False, point=False)
    table.do("bob", "keep_up", bet="yes:4")
    table.do("bob", "remove", bet="yes:4")
    table.do("ann", "pass_dice")
    table.do("bob", "time_out")
    table.do("bob", "time_out")
    table.do("ann", "lock")
    table.do("ann", "roll")
    table.do("dan", "join", id="dan", name="Dan")
    table.do("dan", "leave")
    table.do(HOST, "close", reason="host")

    told = lines_of(table)

    assert told[:-4] == [
        "ann bought in for 1,000",
        "bob bought in for 1,000",
        "ann bet 10 on pass",
        "bob bet 1,000 on yes:4",
        "bob took 900 off yes:4",
        "bob had yes:4 switched off",
        "bob wanted yes:4 kept up",
        "bob took yes:4 down",
        "ann passed the dice; the dice went to bob",
        "bob ran out of time and lost the dice; the dice went to ann",
        "bob ran out of time and was taken to be ready",
        "ann locked the betting",
    ]
    assert told[-4].startswith("ann rolled ")
    assert told[-3:] == [
        "Dan sat down",
        "Dan left with 0",
        "the host closed the table: the host has closed the table; all stakes went back",
    ]


def test_the_log_tells_a_roll_bet_by_bet_while_they_are_few(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "place", bet="world", stake=5)
    before = table.match
    table.roll((3, 4))
    (line,) = [GAME.describe(Action("roll", {}, "ann"), before, table.match)]
    assert line == "ann rolled 3 and 4: 7, a natural; ann: pass wins 10; bob: world pushes"

    for bet in ("field", "next:2", "next:3", "next:4", "next:5", "next:6", "next:8", "next:9", "pass"):
        table.do("ann", "place", bet=bet, stake=5)
    before = table.match
    table.roll((1, 1))

    line = GAME.describe(Action("roll", {}, "ann"), before, table.match)
    assert line == "ann rolled 1 and 1: 2, craps; ann won 125 on 9 bets"


def test_the_picture_is_at_most_eighty_columns_wide(open_table):
    names = [f"somebody with a very long name {number} [red]" for number in range(16)]
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
        assert "(8)" in picture
    assert "yes:2 100 ↻" in plain(GAME.render(view_for(GAME, table.match, names[0])))


def plain(markup: str) -> str:
    from rich.text import Text

    return Text.from_markup(markup, emoji=False).plain


def test_the_picture_shows_the_point_the_shooter_and_everybodys_chips(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "place", bet="hard:8", stake=10)
    table.roll((4, 4))
    table.do("bob", "ready")

    picture = plain(GAME.render(view_for(GAME, table.match, "bob")))

    assert "bets are open, shooter ann" in picture
    assert "hand 1, 1 rolls in it, 1 in all: 8" in picture
    assert "◆ ann" in picture
    assert "hard:8 10" in picture
    assert "ready" in picture
    assert "bank 1,000,000, of which 120 covers the bets that are up" in picture


def test_a_match_is_saved_and_loaded_in_the_middle_of_a_hand(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10, keep_up=True)
    table.roll((2, 2))

    assert deserialize_match(serialize_match(table.match)) == table.match


def test_a_record_of_the_table_verifies_and_a_changed_one_does_not(open_table):
    table = open_table("ann", "bob")
    table.do("ann", "place", bet="pass", stake=10)
    table.do("bob", "ready")
    for number in range(6):
        if number == 3:
            table.do(table.shooter, "pass_dice")
        for player in table.match.turn.order:
            if player != table.shooter and not table.chair(player).is_ready:
                table.do(player, "ready")
        table.do(table.shooter, "roll")
    table.do("dan", "join", id="dan")
    table.do("ann", "leave")
    table.do("bob", "time_out")
    table.do(HOST, "close", reason="host")
    record = make_record(GAME, table.start, table.log)

    assert verify(write_record(record)).ok
    stolen = [
        replace(one, payload={"bet": "dont_pass", "stake": 10}) if one.type == "place" else one
        for one in record.actions
    ]
    assert not verify(replace(record, actions=tuple(stolen))).ok


def test_an_unreadable_state_is_not_played_on(open_table):
    """A state with chips from nowhere is found out at the next action."""
    table = open_table("ann")
    state: SharedTable = table.match.game
    forged = replace(table.match, game=replace(state, bank=state.bank + 1))

    with pytest.raises(Exception, match="the bank began with 1000000"):
        apply_action(GAME, forged, Action("ready", {}, "ann"))
