"""Craps at the house: every action and refusal, come bets and odds as lines, super mode, limits, payloads, chips."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Action, Match, act, apply_action, legal_actions, view_for
from croupier.engine.legal import legal_ranges
from croupier.games.craps import Craps
from croupier.games.craps.bets import BETS, IDS
from croupier.house import (
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    GameMove,
    GameType,
    Instruction,
    LossPreDeducted,
    MemoryState,
    PlayerAction,
    Push,
    Register,
    StartGame,
    Terms,
    Win,
    check_ledger,
    decode_payload,
    encode_payload,
    execute,
    generate_super_multipliers,
    init_game,
    make_table,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.money import Cover
from croupier.rng import GameRng
from croupier.testing import HouseKit, ScriptedRng, check_game, place

SEED = bytes(range(32))
GAME = Craps()
KIT = HouseKit(GAME)
refusal = KIT.refusal
OPTIONS: list[Any] = [
    None,
    {"pay_table": "bitcraps"},
    {"pay_table": "nullspace", "hot_roller": "rolls"},
    {"vig": "upfront", "odds_plan": "double", "table_min": 10},
]


class SuperCraps(Craps):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(0, True)


def start(*, super_mode: bool = False, session_id: int = 0, **options: Any) -> Match[Any]:
    return KIT.start(super_mode=super_mode, session_id=session_id, options=options)


def do(match: Match[Any], *actions: Any, cover: Cover | None = None) -> Match[Any]:
    """Take actions; a pair of faces is a roll of them."""
    for action in actions:
        is_roll = isinstance(action, tuple)
        rng = ScriptedRng([face - 1 for face in action]) if is_roll else None
        match = KIT.do(match, act("roll") if is_roll else action, rng=rng, cover=cover)
    return match


def batch(**bets: int) -> Any:
    return act("batch", bets=[{"bet": bet.replace("_n", ":"), "stake": stake} for bet, stake in bets.items()])


def lines(match: Match[Any]) -> list[tuple[str, int, int]]:
    return [(line.bet, line.stake, line.returned) for line in match.game.money.lines]


def up(match: Match[Any]) -> dict[str, int]:
    """Return what lies on the table by the accounts, which must be what the rules see there."""
    found = {stake.bet: stake.stake for stake in match.game.money.open}
    assert sorted(found) == sorted(bet.name for bet in match.game.bets)
    return found


# A session.


def test_a_session_starts_before_a_come_out_roll_with_nothing_on_the_table():
    match = start()

    assert (match.turn.phase, match.game.table.point, match.game.bets) == ("come_out", 0, ())
    assert match.game.money.staked == 0
    assert refusal(match, act("roll")) == "no_bets"
    assert refusal(match, act("clear")) == "no_bets"


def test_the_pass_line_goes_from_come_out_to_point_to_its_end():
    match = do(start(), place("pass", 10), (2, 2))
    assert (match.turn.phase, match.game.table.point, up(match)) == ("point", 4, {"pass": 10})
    match = do(match, (6, 5), (1, 3))

    assert match.status == "finished"
    assert lines(match) == [("pass", 10, 20)]
    assert match.result is not None
    assert match.result.reason == "won 10"


def test_a_session_ends_with_the_roll_that_leaves_no_bet_and_not_before():
    match = do(start(), place("pass", 10), place("field", 5), (5, 6))
    assert match.status == "finished"

    match = do(start(), place("pass", 10), place("yes:6", 12), (5, 6))
    assert (match.status, up(match)) == ("active", {"yes:6": 12})
    match = do(match, place("pass", 10), (2, 2), (3, 4))
    assert match.status == "finished"
    assert lines(match) == [("pass", 10, 20), ("pass", 10, 0), ("yes:6", 12, 0)]


def test_a_seven_out_ends_every_session_whose_bets_are_all_working():
    names = [name for name in IDS if not name.startswith(("odds", "come", "dont_come"))]
    match = start()
    for name in names:
        match = do(match, place(name, {"horn": 4, "c_and_e": 2}.get(name, 60 if name.startswith(("yes", "no")) else 5)))
    assert len(match.game.bets) == 85
    match = do(match, (4, 4), place("come", 10), place("dont_come", 10), act("add_odds", stake=30), (3, 4))

    assert match.status == "finished"
    assert GAME.audit(match.game) is None


def test_a_table_with_nothing_on_it_can_be_left():
    match = do(start(), place("yes:6", 12), (5, 6), act("remove", bet="yes:6"))
    assert (match.status, up(match)) == ("active", {})
    assert do(match, Action("leave")).status == "finished"
    with_chips = do(start(), place("yes:6", 12))
    assert refusal(with_chips, Action("leave")) == "bets_open"


# Come bets and their lines.


def test_a_come_bet_has_its_number_in_its_name_once_it_has_travelled():
    match = do(start(), place("pass", 10), (3, 3), place("come", 15), (4, 5))
    assert up(match) == {"pass": 10, "come:9": 15}
    match = do(match, act("add_odds", stake=30), place("come", 20), (5, 4))

    assert lines(match) == [("come:9", 15, 30), ("odds_come:9", 30, 75)]
    assert up(match) == {"pass": 10, "come:9": 20}
    assert [(bet.name, bet.placed) for bet in match.game.bets] == [("pass", 0), ("come:9", 2)]


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


def test_come_odds_are_off_at_the_come_out_unless_they_are_switched_on():
    base = do(start(), place("pass", 10), (3, 3), place("come", 10), (4, 5), act("add_odds", stake=20), (3, 3))
    assert base.turn.phase == "come_out"
    assert {line[0]: line[2] for line in lines(do(base, (3, 4)))} == {"pass": 20, "come:9": 0, "odds_come:9": 20}
    on = do(base, act("switch", bet="odds_come:9", come_out=True, point=True))
    assert {line[0]: line[2] for line in lines(do(on, (3, 4)))} == {"pass": 20, "come:9": 0, "odds_come:9": 0}
    assert {line[0]: line[2] for line in lines(do(on, (4, 5)))}["odds_come:9"] == 50


# Actions.


def test_a_bet_that_is_up_is_raised_and_not_placed_again():
    match = do(start(), place("yes:6", 12))
    assert refusal(match, place("yes:6", 12)) == "already_placed"
    assert refusal(match, place("buy:6", 20)) == "already_placed"
    assert up(do(match, act("raise", bet="yes:6", stake=6))) == {"yes:6": 18}


def test_chips_move_as_bets_are_raised_lowered_and_removed():
    match = do(start(), place("yes:6", 60), place("dont_pass", 20), (4, 4), place("odds_dont_pass", 120))
    assert (match.game.money.staked, up(match)) == (200, {"yes:6": 60, "dont_pass": 20, "odds_dont_pass": 120})
    match = do(match, act("lower", bet="dont_pass", stake=10))
    assert (match.game.money.staked, up(match)) == (130, {"yes:6": 60, "dont_pass": 10, "odds_dont_pass": 60})
    match = do(match, act("raise", bet="yes:6", stake=30), act("lower", bet="yes:6", stake=60))
    assert (match.game.money.staked, up(match)) == (100, {"yes:6": 30, "dont_pass": 10, "odds_dont_pass": 60})
    match = do(match, act("remove", bet="dont_pass"))
    assert (match.game.money.staked, up(match)) == (30, {"yes:6": 30})
    assert [stake.most for stake in match.game.money.open] == [65]


def test_odds_are_added_to_the_newest_flat_bet():
    match = do(start(), place("pass", 10), (3, 3), act("add_odds", stake=20), act("add_odds", stake=30))
    assert up(match) == {"pass": 10, "odds_pass": 50}
    assert refusal(match, act("add_odds", stake=1)) == "over_odds"
    assert refusal(do(start(), place("pass", 10)), act("add_odds", stake=10)) == "no_flat_bet"


def test_everything_comes_back_before_the_first_roll_and_only_what_may_afterwards():
    match = do(start(), place("pass", 10), place("fire", 5), place("yes:6", 12), act("clear"))
    assert (up(match), match.game.money.staked, match.game.bets) == ({}, 0, ())
    match = do(match, place("pass", 10), place("fire", 5), place("yes:6", 12), (2, 2), act("clear"))
    assert (up(match), match.game.money.staked) == ({"pass": 10, "fire": 5}, 15)
    assert refusal(match, act("clear")) == "no_bets"


def test_a_batch_is_placed_and_rolled_in_one_move_and_is_as_strict_as_single_bets():
    match = apply_action(GAME, start(), batch(**{"pass": 10, "field": 5}), rng=ScriptedRng([5, 4])).state
    assert lines(match) == [("pass", 10, 20), ("field", 5, 10)]
    assert match.version == 1
    for bets, code in (
        ({"pass": 10, "come": 10}, "window_closed"), ({"pass": 4}, "under_limit"), ({"horn": 6}, "not_a_multiple"),
        ({"odds_pass": 10}, "window_closed"), ({"fire": 101}, "over_limit"),
        ({"yes_n4": 10, "buy_n4": 10}, "already_placed"),
    ):  # fmt: skip
        assert refusal(start(), batch(**bets)) == code
    assert refusal(do(start(), place("pass", 10)), batch(field=5)) == "bets_are_down"
    twice = act("batch", bets=[{"bet": "field", "stake": 5}, {"bet": "field", "stake": 5}])
    assert refusal(start(), twice) == "bet_twice"
    later = do(start(), place("yes:6", 12), (2, 2), act("remove", bet="yes:6"))
    assert refusal(later, batch(**{"pass": 10})) == "window_closed"


def test_refusals_say_what_is_wrong_and_draw_nothing():
    match = do(start(), place("pass", 10), (3, 3))
    for action, code in (
        (place("red", 10), "unknown_bet"), (place("pass", 10), "already_placed"),
        (place("dont_pass", 10), "window_closed"), (place("horn", 5), "not_a_multiple"),
        (place("fire", 5), "window_closed"), (place("come", 4), "under_limit"), (place("come", 5_001), "over_limit"),
        (place("odds_pass", 51), "over_odds"), (place("odds_come:6", 10), "no_flat_bet"),
        (place("no:2", 11), "profit_too_small"), (place("come:6", 10), "unknown_bet"),
        (act("raise", bet="pass", stake=5), "contract_bet"), (act("lower", bet="pass", stake=5), "contract_bet"),
        (act("remove", bet="pass"), "contract_bet"), (act("remove", bet="field"), "not_placed"),
        (act("switch", bet="pass", come_out=False, point=True), "always_works"), (place("pass", 0), "bad_payload"),
    ):  # fmt: skip
        assert refusal(match, action) == code


def test_other_names_of_bets_are_taken_and_stand_under_their_own():
    match = do(
        start(), place("any7", 5), place("place:6", 12), place("lay:4", 40), place("hop:3-1", 5), place("big8", 5)
    )
    assert up(match) == {"next:7": 5, "yes:6": 12, "no:4": 40, "hop:1-3": 5, "big:8": 5}


# Money and limits.


def test_a_commission_up_front_is_part_of_what_lies_on_the_line():
    match = do(start(vig="upfront"), place("buy:4", 25), place("no:10", 40))
    assert up(match) == {"buy:4": 26, "no:10": 41}
    assert do(match, act("remove", bet="buy:4")).game.money.staked == 41
    won = do(match, act("switch", bet="buy:4", come_out=True, point=True), (2, 2))
    assert lines(won) == [("buy:4", 26, 75)]
    raised = do(match, act("raise", bet="buy:4", stake=75))
    assert up(raised)["buy:4"] == 105
    assert up(do(raised, act("lower", bet="buy:4", stake=60)))["buy:4"] == 42


def test_nobody_plays_with_chips_they_have_not_and_the_house_covers_what_it_may_lose():
    poor = Cover(funds=12)
    match = do(start(), place("pass", 10), cover=poor)
    assert refusal(match, place("yes:6", 13), poor) == "insufficient_funds"
    assert refusal(match, act("raise", bet="pass", stake=13), poor) == "insufficient_funds"
    assert refusal(start(), place("next:2", 10), Cover(exposure_max=309)) == "exposure_limit"
    assert up(do(start(), place("next:2", 10), cover=Cover(exposure_max=310))) == {"next:2": 10}
    assert refusal(start(), place("fire", 100), Cover(stake_max=50)) == "over_limit"
    assert refusal(start(), place("field", 3), Cover(stake_min=5)) == "under_limit"


def test_cover_is_released_when_a_bet_is_decided():
    tight = Cover(exposure_max=400)
    match = do(start(), place("next:2", 10), place("pass", 10), (2, 2), cover=tight)
    assert sum(stake.most for stake in match.game.money.open) == 20
    assert up(do(match, place("next:2", 12), cover=tight)) == {"pass": 10, "next:2": 12}


def test_caps_on_one_player_come_after_the_balance():
    match = do(start(player_max=100, max_bets=2), place("pass", 60))
    assert refusal(match, place("yes:6", 42)) == "player_limit"
    assert refusal(match, place("yes:6", 42), Cover(funds=41)) == "insufficient_funds"
    assert refusal(match, act("raise", bet="pass", stake=41)) == "player_limit"
    full = do(match, place("field", 5))
    assert refusal(full, place("next:2", 1)) == "too_many_bets"
    assert up(do(full, act("raise", bet="field", stake=5)))["field"] == 10


def test_more_than_twenty_bets_may_be_up():
    match = start()
    for name in [name for name in IDS if name.startswith(("hop", "next"))]:
        match = do(match, place(name, 5))
    assert len(up(match)) == 32


# Super mode.


def lit_session(number: int, multiplier: int) -> int:
    """Return a session whose super mode lights a point with a multiplier."""
    return next(
        session_id
        for session_id in range(10_000)
        if any(
            (lit.id, lit.multiplier) == (number, multiplier)
            for lit in generate_super_multipliers(GAME, SEED, session_id)
        )
    )


@pytest.mark.parametrize(("number", "multiplier"), [(6, 2), (5, 4), (10, 7), (4, 15)])
def test_a_lit_point_boosts_a_pass_that_was_placed_before_the_first_roll(number, multiplier):
    dice = (number - number // 2, number // 2)
    match = do(start(super_mode=True, session_id=lit_session(number, multiplier)), place("pass", 10))
    assert (match.game.money.fees, match.game.money.open[0].boosted, match.game.lit) == (2, True, ())
    match = do(match, dice, dice)
    assert lines(match) == [("pass", 10, 10 + 10 * (multiplier + 1) // 2)]
    assert match.game.lit == generate_super_multipliers(GAME, SEED, int(match.match_id))
    lost = do(start(super_mode=True, session_id=int(match.match_id)), place("pass", 10), dice, (3, 4))
    assert lines(lost) == [("pass", 10, 0)]


def test_nothing_else_is_boosted():
    session_id = lit_session(6, 2)
    match = do(
        start(super_mode=True, session_id=session_id), place("pass", 5), place("yes:6", 12), place("dont_pass", 7)
    )
    assert [stake.bet for stake in match.game.money.open if stake.boosted] == ["pass"]
    natural = do(match, (5, 6))
    assert ("pass", 5, 10) in lines(natural)
    later = do(natural, place("pass", 12), (3, 3), (3, 3))  # placed after the first roll: no fee, no boost
    assert ("pass", 12, 24) in lines(later)
    assert later.game.money.fees == 1


def test_a_super_stake_is_a_multiple_of_five_and_its_fee_is_never_given_back():
    match = start(super_mode=True)
    assert refusal(match, place("pass", 12)) == "super_stake"
    match = do(match, place("pass", 20), act("lower", bet="pass", stake=10))
    assert (match.game.money.fees, up(match)) == (4, {"pass": 10})
    match = do(match, act("raise", bet="pass", stake=5))
    assert (match.game.money.fees, match.game.money.open[0].most) == (5, 15 + 15 * 16 // 2)
    assert do(match, act("remove", bet="pass")).game.money.fees == 5
    assert refusal(match, act("raise", bet="pass", stake=3)) == "super_stake"


def test_multipliers_are_shown_with_the_result_of_the_pass_and_not_before():
    match = do(start(super_mode=True), place("pass", 10), place("fire", 5), (3, 3), (2, 2))
    assert match.game.lit == ()
    assert view_for(GAME, match, "ann").game.lit == ()
    assert len(do(match, (3, 3)).game.lit) == 3


# Payloads, results and the house.


def test_opcodes_are_those_of_the_protocol():
    assert {spec.name: spec.opcode for spec in GAME.actions.values()} == {
        "place": 0, "add_odds": 1, "roll": 2, "clear": 3, "batch": 4, "raise": 5, "lower": 6, "remove": 7, "switch": 8,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("action", "payload"),
    [
        (place("pass", 100), "0100" "0000" "0000000000000064"),
        (place("buy:4", 25), "0100" "0701" "0000000000000019"),
        (place("odds_come:6", 30), "0100" "1f06" "000000000000001e"),
        (act("add_odds", stake=25), "0101" "0000000000000019"),
        (act("roll"), "0102"),
        (act("clear"), "0103"),
        (batch(**{"pass": 100, "field": 5}), "0104" "02" "0000" "0000000000000064" "0400" "0000000000000005"),
        (act("raise", bet="yes:6", stake=6), "0105" "0900" "0000000000000006"),
        (act("lower", bet="yes:6", stake=6), "0106" "0900" "0000000000000006"),
        (act("remove", bet="come:9"), "0107" "0209"),
        (act("switch", bet="hard:8", come_out=True, point=False), "0108" "1b00" "01" "00"),
    ],
)  # fmt: skip
def test_moves_have_the_bytes_of_the_protocol(action, payload):
    assert encode_payload(GAME, action).hex() == payload
    assert decode_payload(GAME, bytes.fromhex(payload)) == Action(action.type, action.payload)


@pytest.mark.parametrize(
    "payload",
    ["", "01", "0200", "0109", "0102ff", "0100005b0000000000000005", "01000007", "010007020000000000000005",
     "01001f000000000000000005", "0101000000000000000019", "0104000000", "010415", "01081b000201", "0107020b"],
)  # fmt: skip
def test_bytes_that_are_no_move_are_refused(payload):
    with pytest.raises(GameError) as error:
        decode_payload(GAME, bytes.fromhex(payload))
    assert error.value.kind is ErrorKind.INVALID_PAYLOAD


def session_of(*actions: Any, seed: bytes = SEED) -> tuple[Any, Any]:
    session = open_session(GAME, player="ann", session_id=1, seed=seed)
    session, result = init_game(session, GameRng.new(seed, 1, 0))
    for action in actions:
        is_roll = isinstance(action, tuple)
        rng = ScriptedRng([face - 1 for face in action]) if is_roll else None
        session, result = process_game_move(settle(session, result), act("roll") if is_roll else action, rng)
    return session, replace(result, logs=())


def test_results_say_how_the_money_moved():
    assert session_of(place("pass", 100))[1] == ContinueWithUpdate(-100)
    assert session_of(place("pass", 100), (2, 2), act("add_odds", stake=25), (3, 4))[1] == LossPreDeducted(125)
    assert session_of(place("pass", 100), (5, 6))[1] == Win(200)
    assert session_of(place("dont_pass", 100), (6, 6))[1] == Push(100)
    assert session_of(place("pass", 100), place("field", 5), (2, 2))[1] == ContinueWithUpdate(10)
    assert session_of(place("yes:6", 60), act("lower", bet="yes:6", stake=12))[1] == ContinueWithUpdate(12)


def test_a_whole_evening_at_the_house_keeps_the_ledger_in_order():
    state = MemoryState()

    def ask(body: Any, time: int = 0) -> Any:
        events = execute(state, Instruction("ann", body), SEED, time)
        check_ledger(state, thorough=True)
        return events

    def move(action: Any) -> Any:
        return ask(GameMove(1, encode_payload(GAME, action)))

    ask(Register("Ann"))
    ask(PlayerAction("super"))
    (started, *_) = ask(StartGame(int(GameType.CRAPS), 0, 1))
    assert started.game_id == "craps"
    (moved, *_) = move(place("pass", 100))
    assert moved.balances.chips == 1000 - 120
    (moved, *_) = move(place("yes:6", 60))
    assert moved.balances.chips == 820
    (moved, *_) = move(act("remove", bet="yes:6"))
    assert moved.balances.chips == 880
    while True:
        (moved, *rest) = move(act("roll"))
        if any(type(event).__name__ == "GameCompleted" for event in rest):
            break
    (refused,) = move(act("roll"))
    assert refused.reason == "finished"


def test_an_abandoned_session_is_rolled_to_its_end_and_dead_bets_come_down():
    match = do(start(), place("pass", 10), place("fire", 5))
    turns = 0
    while match.status == "active":
        match = do(match, Action("time_out"))
        turns += 1
    assert turns == match.game.table.roll_count
    off = do(start(), place("yes:6", 12), act("switch", bet="yes:6", come_out=False, point=False), place("field", 5))
    off = do(off, Action("time_out"))  # decides the field
    assert up(off) == {"yes:6": 12}
    off = do(off, Action("time_out"))
    assert (up(off), off.game.money.staked) == ({}, 5)
    assert do(off, Action("leave")).status == "finished"


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


def test_a_roll_is_told_with_what_it_decided():
    match = do(start(), place("pass", 10), place("buy:4", 25), place("hard:4", 5), place("field", 5), place("horn", 4))
    cases = [
        ((3, 3), "3 and 3: 6, the point is 6; field loses 5; horn loses 4"),
        ((2, 2), "2 and 2: 4; buy:4 wins 49 (2 to 1 less commission); hard:4 wins 35 (7 to 1)"),
        ((1, 5), "1 and 5: 6, the point is made; pass wins 10 (1 to 1); won 85"),
    ]
    for dice, text in cases:
        before, match = match, do(match, dice)
        assert GAME.describe(act("roll"), before, match) == text
    match = do(
        start(), place("pass", 10), place("world", 5), (3, 3), place("come", 10), (4, 5), act("add_odds", stake=20)
    )
    before, match = match, do(match, (6, 3))
    assert (
        GAME.describe(act("roll"), before, match) == "6 and 3: 9; come:9 wins 10 (1 to 1); odds_come:9 wins 30 (3 to 2)"
    )
    before, match = match, do(match, place("come", 10))
    assert (
        GAME.describe(Action("place", {"bet": "come", "stake": 10}, "ann"), before, match)
        == "ann: place bet=come stake=10"
    )
    before, match = match, do(match, (2, 3))
    assert GAME.describe(act("roll"), before, match) == "2 and 3: 5; come goes to 5"


def test_prices_are_told_as_the_pay_table_has_them():
    match = do(start(), place("dont_pass", 20), place("fire", 5), place("no:5", 60), (3, 3), act("add_odds", stake=60))
    match = do(match, place("next:7", 5), place("world", 5), place("hop:3-4", 5))
    before, match = match, do(match, (3, 4))
    assert GAME.describe(act("roll"), before, match) == (
        "3 and 4: 7, seven-out; dont_pass wins 20 (1 to 1); no:5 wins 38 (2 to 3 less commission); "
        "odds_dont_pass wins 50 (5 to 6); fire loses 5; next:7 wins 20 (4 to 1); hop:3-4 wins 75 (15 to 1); "
        "world gets its 5 back; won 198"
    )
    match = do(start(pay_table="bitcraps"), place("next:6", 50), place("field", 5))
    assert GAME.describe(act("roll"), match, do(match, (2, 4))).startswith(
        "2 and 4: 6, the point is 6; field loses 5; next:6 wins 304 (6.08 to 1)"
    )
    match = do(start(pay_table="nullspace"), place("next:6", 50), place("field", 5))
    assert "next:6 wins 297 (6 to 1 less commission)" in GAME.describe(act("roll"), match, do(match, (2, 4)))
    assert "field wins 15 (3 to 1)" in GAME.describe(act("roll"), match, do(match, (6, 6)))


def test_the_table_fits_eighty_columns_and_shows_the_chips():
    match = start()
    for name, stake in (("pass", 5_000), ("yes:6", 5_000), ("buy:4", 25), ("lose:10", 22), ("hop:1-3", 5), ("fire", 5)):
        match = do(match, place(name, stake))
    match = do(match, (4, 4), place("come", 5_000), place("dont_come", 10), act("add_odds", stake=10_000), (4, 5))
    match = do(match, place("odds_come:9", 20_000), place("odds_dont_come:9", 12))
    text = re.sub(r"\[/?[a-z ]*\]", "", GAME.render(view_for(GAME, match, "ann")))

    assert max(map(len, text.splitlines())) <= 80
    for shown in (
        "point 8",
        "(8)",
        "●5000",
        "●b25",
        "●l22",
        "●20k",
        "pass 5000 odds 10000",
        "fire 5",
        "points made: none",
    ):
        assert shown in text, shown


def test_every_bet_up_is_seen_in_the_picture():
    names = [
        name for name in BETS if not name.startswith(("odds", "buy", "lose")) and not re.match(r"(dont_)?come", name)
    ]
    match = start()
    for name in names:
        before = GAME.render(view_for(GAME, match, "ann"))
        match = do(match, place(name, {"horn": 4, "c_and_e": 2}.get(name, 60 if name.startswith(("yes", "no")) else 5)))
        assert GAME.render(view_for(GAME, match, "ann")) != before, name


# Laws.


@pytest.mark.parametrize("game", [GAME, SuperCraps()], ids=["plain", "super"])
def test_the_game_keeps_every_law_with_every_kind_of_options(game):
    report = check_game(game, seeds=4, options=OPTIONS)
    assert report.actions > 100


def test_a_table_of_the_catalogue_is_checked():
    table = make_table(3, GAME)
    assert (table.stake_min, table.stake_max) == (1, 30_000)
    assert GAME.game_type is GameType.CRAPS
