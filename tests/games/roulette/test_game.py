"""Roulette at the table: every action and refusal, what each bet brings back, zero, super mode, payloads, chips."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, chance_outcomes, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.games.roulette import Roulette
from croupier.games.roulette.bets import BETS, bets_of
from croupier.games.roulette.options import ZERO_RULES, RouletteOptions
from croupier.house import (
    Continue,
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
from croupier.testing import HouseKit, batch, check_game, place, returned

SEED = bytes(range(32))
GAME = Roulette()
KIT = HouseKit(GAME)
do, refusal = KIT.do, KIT.refusal
ALL_OPTIONS: list[Any] = [{"zero_rule": zero_rule} for zero_rule in ZERO_RULES]
EVEN_MONEY = ("red", "black", "even", "odd", "low", "high")


class SuperRoulette(Roulette):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(0, True)


def start(zero_rule: str = "standard", *, super_mode: bool = False, session_id: int = 0) -> Match[Any]:
    return KIT.start(super_mode=super_mode, session_id=session_id, options={"zero_rule": zero_rule})


def spun(bets: dict[str, int], *pockets: int, zero_rule: str = "standard") -> Match[Any]:
    """Return the match after a batch that is decided by these pockets."""
    match = do(start(zero_rule), batch(bets), rng=ScriptedRng(pockets[:1]))
    for pocket in pockets[1:]:
        match = do(match, act("spin"), rng=ScriptedRng([pocket]))
    return match


# Betting.


def test_a_session_starts_with_no_spin_and_no_chips():
    match = start()

    assert match.turn.phase == "betting"
    assert match.game.pockets == ()
    assert (match.game.money.staked, match.game.money.open) == (0, ())


def test_chips_on_the_same_bet_add_up():
    match = do(start(), place("red", 100), place("straight:17", 5), place("red", 20))

    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("red", 120), ("straight:17", 5)]
    assert match.game.money.staked == 125


def test_clearing_the_table_gives_every_stake_back():
    match = do(start(), place("red", 100), place("straight:17", 5), act("clear"))

    assert match.game.money.open == ()
    assert (match.game.money.staked, match.game.money.returned, match.game.money.lines) == (0, 0, ())
    assert do(match, place("black", 7)).game.money.staked == 7


@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_a_wheel_takes_the_bets_of_its_layout_and_no_others(zero_rule):
    offered = bets_of(ZERO_RULES.index(zero_rule))
    match = start(zero_rule)
    for bet in BETS:
        if bet in offered:
            assert do(match, place(bet, 3)).game.money.open[0].bet == bet
        else:
            assert refusal(match, place(bet, 3)) == "unknown_bet"
            assert refusal(match, batch({"red": 3, bet: 3})) == "unknown_bet"


def test_twenty_bets_can_be_down_and_no_more():
    twenty = [f"straight:{number}" for number in range(20)]
    match = do(start(), *(place(bet, 3) for bet in twenty))

    assert refusal(match, place("red", 3)) == "too_many_bets"
    assert len(do(match, place("straight:0", 3)).game.money.open) == 20  # more chips on one of them
    assert do(match, act("spin")).status == "finished"
    assert len(do(start(), batch(dict.fromkeys(twenty, 1))).game.money.lines) == 20


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (act("spin"), "no_bets"),
        (act("clear"), "no_bets"),
        (place("green", 5), "unknown_bet"),
        (place("straight:37", 5), "unknown_bet"),
        (place("split:3-4", 5), "unknown_bet"),
        (place("corner:3-4-6-7", 5), "unknown_bet"),
        (place("dozen:0", 5), "unknown_bet"),
        (place("red", 0), "bad_payload"),
        (place("red", -5), "bad_payload"),
        (place("red", 2**63), "bad_payload"),
        (place("red", True), "bad_payload"),
        (act("place", bet="red"), "bad_payload"),
        (batch({}), "bad_payload"),
        (act("batch", bets=[{"bet": "red", "stake": 1}] * 2), "bet_twice"),
        (act("batch", bets=[{"bet": "red", "stake": 1}] * 21), "bad_payload"),
        (act("batch", bets=[{"bet": "red", "stake": 1, "number": 0}]), "bad_payload"),
        (batch({"red": 5, "six_line:33": 5}), "unknown_bet"),
        (batch({"red": 5, "black": 0}), "bad_payload"),
        (act("roll"), "unknown_action"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(action, code):
    assert refusal(start(), action) == code


def test_a_batch_is_refused_when_bets_are_down():
    assert refusal(do(start(), place("red", 5)), batch({"black": 5})) == "bets_are_down"


def test_nothing_can_be_done_once_the_ball_has_fallen():
    match = do(start(), batch({"red": 10}))

    for action in (place("red", 1), act("spin"), act("clear"), batch({"red": 10})):
        assert refusal(match, action) == "finished"


@pytest.mark.parametrize(
    ("action", "cover", "code"),
    [
        (place("red", 101), Cover(funds=100), "insufficient_funds"),
        (batch({"red": 60, "black": 41}), Cover(funds=100), "insufficient_funds"),
        (place("red", 4), Cover(stake_min=5), "under_limit"),
        (place("red", 501), Cover(stake_max=500), "over_limit"),
        # A number returns 360, a dozen 30.
        (batch({"straight:17": 10, "dozen:1": 10}), Cover(exposure_max=389), "exposure_limit"),
    ],
)
def test_chips_that_are_not_covered_are_refused_before_anything_is_drawn(action, cover, code):
    assert refusal(start(), action, cover) == code


def test_chips_that_are_just_covered_are_taken():
    cover = Cover(funds=20, stake_min=10, stake_max=10, exposure_max=390)

    assert do(start(), batch({"straight:17": 10, "dozen:1": 10}), cover=cover).status == "finished"


# The spin.

ON_17 = {
    "straight:17": 360,
    "split:14-17": 180,
    "split:17-18": 180,
    "street:16-17-18": 120,
    "corner:13-14-16-17": 90,
    "six_line:16-17-18-19-20-21": 60,
    "dozen:2": 30,
    "column:2": 30,
    "black": 20,
    "odd": 20,
    "low": 20,
    "red": 0,
    "even": 0,
    "high": 0,
    "straight:16": 0,
    "first_four": 0,
    "trio:0-1-2": 0,
    "split:0-1": 0,
}


def test_ten_chips_on_these_bets_bring_back_with_17():
    match = spun(dict.fromkeys(ON_17, 10), 17)

    assert match.game.pockets == (17,)
    assert returned(match) == ON_17
    assert match.game.money.net == sum(ON_17.values()) - 180


def test_ten_chips_near_the_zeros_bring_back():
    one_zero = ["straight:0", "split:0-2", "trio:0-1-2", "trio:0-2-3", "first_four"]
    assert list(returned(spun(dict.fromkeys(one_zero, 10), 0)).values()) == [360, 180, 120, 120, 90]
    assert list(returned(spun(dict.fromkeys(one_zero, 10), 2)).values()) == [0, 180, 120, 120, 90]

    two_zeros = ["straight:0", "straight:00", "split:0-00", "split:00-3", "trio:0-00-2", "trio:00-2-3", "top_line"]
    bets = dict.fromkeys(two_zeros, 10)
    assert list(returned(spun(bets, 37, zero_rule="double_zero")).values()) == [0, 360, 180, 180, 120, 120, 70]
    assert list(returned(spun(bets, 3, zero_rule="double_zero")).values()) == [0, 0, 0, 180, 0, 120, 70]


def test_a_batch_brings_what_the_same_bets_bring_one_by_one():
    bets = {"black": 7, "straight:17": 7, "dozen:2": 7}

    match = do(start(), *(place(bet, stake) for bet, stake in bets.items()))
    one_by_one = do(match, act("spin"), rng=ScriptedRng([17]))

    assert spun(bets, 17).game == one_by_one.game


@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_all_pockets_are_equally_likely(zero_rule):
    count = 38 if zero_rule == "double_zero" else 37
    outcomes = chance_outcomes(GAME, do(start(zero_rule), place("dozen:1", 1)), act("spin"))

    assert [outcome.state.game.pockets for outcome in outcomes] == [(pocket,) for pocket in range(count)]
    assert {outcome.chance.denominator for outcome in outcomes} == {count}


def test_the_pocket_comes_from_the_stream_of_the_move():
    """The published spins of session 1: 15 on stream 1, 8 on stream 3 after two bets."""
    assert do(start(session_id=1), batch({"red": 100, "straight:17": 300})).game.pockets == (15,)
    match = do(start(session_id=1), place("red", 100), place("straight:17", 5), act("spin"))

    assert match.game.pockets == (8,)
    assert match.game.money.net == -105


# Zero.


@pytest.mark.parametrize("bet", EVEN_MONEY)
def test_zero_takes_even_money_bets_where_no_rule_is_kind(bet):
    assert returned(spun({bet: 101}, 0)) == {bet: 0}
    assert returned(spun({bet: 101}, 0, zero_rule="double_zero")) == {bet: 0}
    assert returned(spun({bet: 101}, 37, zero_rule="double_zero")) == {bet: 0}


@pytest.mark.parametrize("bet", EVEN_MONEY)
def test_la_partage_gives_half_back_rounded_down(bet):
    assert returned(spun({bet: 101, "dozen:1": 10, "straight:0": 1}, 0, zero_rule="la_partage")) == {
        bet: 50,
        "dozen:1": 0,
        "straight:0": 36,
    }


@pytest.mark.parametrize(
    ("zero_rule", "pockets", "expected"),
    [
        ("en_prison", (0, 1), 100),
        ("en_prison", (0, 2), 0),
        ("en_prison", (0, 0), 0),
        ("en_prison_repeat", (0, 1), 100),
        ("en_prison_repeat", (0, 2), 0),
        ("en_prison_repeat", (0, 0, 0, 1), 100),
        ("en_prison_repeat", (0, 0, 2), 0),
    ],
)
def test_a_prison_spin_frees_the_stake_or_takes_it(zero_rule, pockets, expected):
    match = spun({"red": 100}, *pockets, zero_rule=zero_rule)

    assert match.status == "finished"
    assert match.game.pockets == pockets
    assert returned(match) == {"red": expected}


def test_zero_imprisons_even_money_bets_and_settles_the_others():
    match = spun({"red": 100, "straight:0": 10, "dozen:1": 5, "high": 20}, 0, zero_rule="en_prison")

    assert match.turn.phase == "prison"
    assert returned(match) == {"straight:0": 360, "dozen:1": 0}
    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("red", 100), ("high", 20)]

    match = do(match, act("spin"), rng=ScriptedRng([12]))

    assert returned(match) == {"straight:0": 360, "dozen:1": 0, "red": 100, "high": 0}
    assert match.game.money.returned == 460


def test_a_round_without_even_money_bets_ends_with_zero():
    assert spun({"straight:0": 10, "dozen:1": 5}, 0, zero_rule="en_prison").status == "finished"


def test_in_prison_there_is_nothing_to_do_but_spin():
    match = spun({"red": 100}, 0, zero_rule="en_prison")

    assert [action.type for action in legal_actions(GAME, match)] == ["spin"]
    for action in (place("red", 1), act("clear"), batch({"red": 1})):
        assert refusal(match, action) == "wrong_phase"


def test_chips_in_prison_are_at_stake_until_the_next_spin():
    session = opened({"zero_rule": "en_prison"})
    session, imprisoned = process_game_move(session, batch({"red": 100}), ScriptedRng([0]))
    assert replace(imprisoned, logs=()) == ContinueWithUpdate(-100)

    for pocket, expected in ((1, Push(100)), (2, LossPreDeducted(100))):
        _, result = process_game_move(settle(session, imprisoned), act("spin"), ScriptedRng([pocket]))
        assert replace(result, logs=()) == expected


# Super mode.


def test_the_lit_numbers_are_those_of_the_sheet_and_shown_with_the_result():
    """Sheet, section 13: session 7 lights these, and its second move spins 27."""
    match = start(super_mode=True, session_id=7)
    lit = generate_super_multipliers(GAME, SEED, 7)
    assert [(entry.id, entry.multiplier) for entry in lit] == [(26, 400), (27, 50), (6, 100), (34, 150), (20, 50)]

    match = do(match, place("straight:27", 100))
    assert match.game.lit == ()
    match = do(match, act("spin"))

    assert match.game.pockets == (27,)
    assert match.game.lit == lit
    assert returned(match) == {"straight:27": 5100}
    assert match.game.money.fees == 20


def test_an_unlit_number_pays_thirty_to_one_and_other_bets_their_price():
    bets = {"straight:17": 5, "black": 7, "split:17-18": 1, "straight:16": 5}
    match = do(start(super_mode=True, session_id=7), batch(bets), rng=ScriptedRng([17]))

    assert returned(match) == {"straight:17": 155, "black": 14, "split:17-18": 18, "straight:16": 0}
    assert match.game.money.fees == 2


def test_a_lit_number_pays_its_multiplier_and_the_others_nothing_more():
    bets = {"straight:26": 5, "black": 7, "split:25-26": 1}
    match = do(start(super_mode=True, session_id=7), batch(bets), rng=ScriptedRng([26]))

    assert returned(match) == {"straight:26": 2005, "black": 14, "split:25-26": 18}


def test_numbers_cost_the_fee_and_other_bets_and_the_double_zero_do_not():
    match = start("double_zero", super_mode=True)
    match = do(match, place("straight:17", 25), place("red", 7), place("straight:00", 3))

    assert match.game.money.fees == 5
    assert [stake.boosted for stake in match.game.money.open] == [True, False, False]
    assert refusal(match, place("straight:17", 12)) == "super_stake"
    assert do(match, act("clear")).game.money.fees == 5  # it stays paid
    match = do(match, act("spin"), rng=ScriptedRng([37]))
    assert returned(match) == {"straight:17": 0, "red": 0, "straight:00": 108}


def test_imprisoned_bets_are_not_boosted():
    match = do(
        start("en_prison", super_mode=True, session_id=7), batch({"red": 7, "straight:0": 5}), rng=ScriptedRng([0])
    )
    assert returned(match) == {"straight:0": 155}
    assert match.game.lit  # the number was settled, so they are shown

    match = do(match, act("spin"), rng=ScriptedRng([27]))

    assert returned(match) == {"straight:0": 155, "red": 7}


@pytest.mark.parametrize(("bet", "most"), [("straight:17", 40100), ("red", 200), ("split:1-2", 1800), ("dozen:1", 300)])
def test_the_most_a_bet_returns_is_declared(bet, most):
    (stake,) = do(start(super_mode=True), place(bet, 100)).game.money.open

    assert stake.most == most
    assert do(start(), place("straight:17", 100)).game.money.open[0].most == 3600


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "action"),
    [
        ("0100 0100 0000000000000064", place("red", 100)),
        ("0100 0011 0000000000000005", place("straight:17", 5)),
        ("0100 0025 0000000000000001", place("straight:00", 1)),
        ("0100 0802 0000000000000001", place("column:3", 1)),
        ("0100 0e27 0000000000000001", place("split:00-2", 1)),
        ("0101", act("spin")),
        ("0102", act("clear")),
        ("0104 02 0100 0000000000000064 0011 000000000000012c", batch({"red": 100, "straight:17": 300})),
    ],
)
def test_actions_have_the_bytes_of_the_sheet_behind_a_version(payload, action):
    assert encode_payload(GAME, action) == bytes.fromhex(payload)
    assert decode_payload(GAME, bytes.fromhex(payload)) == action


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "01",
        "0201",
        "010302",  # the zero rule is an option
        "012222003288580500",  # no packed batch
        "0100 1200 0000000000000064",  # no such kind
        "0100 0026 0000000000000064",  # no such number
        "0100 0025 0000000000000064",  # not on this wheel
        "0100 0100 00000000000064",  # a byte short
        "0100 0100 0000000000000064 00",
        "010100",
        "0100 0100 0000000000000000",  # no chips
        "0100 0100 ffffffffffffffff",  # more than there can be
        "010400",
        "0104 02 0100 0000000000000064",
        "0104 01 0100 0000000000000064 00",
    ],
)
def test_other_bytes_are_an_invalid_payload(payload):
    with pytest.raises(GameError) as no:
        process_game_move(opened(), bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


def opened(options: Any = None) -> Any:
    session = open_session(GAME, player="ann", session_id=3, seed=SEED, options=options)
    session, result = init_game(session, GameRng.new(SEED, 3, 0))
    assert result == Continue()
    return settle(session, result)


def test_results_tell_what_each_move_did_to_the_money():
    session = opened()
    seen: list[Any] = []
    for action, rng in (
        (place("red", 100), None),
        (place("straight:17", 50), None),
        (act("clear"), None),
        (place("straight:17", 5), None),
        (act("spin"), ScriptedRng([17])),
    ):
        session, result = process_game_move(session, encode_payload(GAME, action), rng)
        session = settle(session, result)
        seen.append(result)

    assert [type(result) for result in seen] == [ContinueWithUpdate] * 4 + [Win]
    assert [result.payout for result in seen[:4]] == [-100, -50, 150, -5]
    assert seen[4].amount == 180


@pytest.mark.parametrize(
    ("bets", "pocket", "expected"),
    [
        ({"red": 100, "black": 100}, 17, Push(200)),  # one wins what the other loses
        ({"red": 100, "black": 40}, 17, Win(80)),  # it may be less than was staked
        ({"straight:17": 1, "red": 100}, 17, Win(36)),
        ({"red": 100, "odd": 7}, 0, LossPreDeducted(107)),
    ],
)
def test_a_round_ends_in_the_result_that_its_money_says(bets, pocket, expected):
    _, result = process_game_move(opened(), batch(bets), ScriptedRng([pocket]))

    assert replace(result, logs=()) == expected


def test_chips_are_conserved_over_plain_and_super_sessions():
    """Eighty sessions through the house; the player's chips are the first thousand and what was won, less fees."""
    tables = {6: make_table(6, GAME), 7: make_table(7, GAME, {"zero_rule": "en_prison_repeat"})}
    state = MemoryState()
    moment, expected = 0, 1000

    def tell(body: Any) -> tuple[Any, ...]:
        nonlocal moment
        moment += 1
        return execute(state, Instruction("ann", body), SEED, moment, tables=tables)

    tell(Register())
    for session_id in range(80):
        if session_id % 2:
            tell(PlayerAction("super"))
        tell(StartGame(6 + session_id % 4 // 2, 0, session_id))
        bets = {"red": 5} if session_id % 3 else {"straight:17": 5, "even": 3, "dozen:2": 1}
        action = batch(bets)
        while True:
            events = tell(GameMove(session_id, encode_payload(GAME, action)))
            done = next((event for event in events if type(event).__name__ == "GameCompleted"), None)
            check_ledger(state)
            if done is not None:
                break
            action = act("spin")
        expected += done.net - done.fees
        assert done.balances.chips == expected
    check_ledger(state, thorough=True)


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=3, options=ALL_OPTIONS).actions > 50
    assert check_game(SuperRoulette(), seeds=3, options=ALL_OPTIONS).actions > 50


def test_hints_offer_stakes_that_are_taken():
    for super_mode, smallest in ((False, 1), (True, 5)):
        match = start(super_mode=super_mode)
        stakes = {action.payload["stake"] for action in legal_actions(GAME, match)}
        assert stakes == {smallest, 10 * smallest}
        span = legal_ranges(GAME, match)["place"]["stake"]
        assert (span.low, span.high, span.step) == (smallest, 10_000, smallest)


def test_an_abandoned_round_is_spun_to_its_end():
    assert do(do(start(), place("red", 5)), act("time_out")).status == "finished"
    match = spun({"red": 100}, 0, zero_rule="en_prison")
    assert do(match, act("time_out"), rng=ScriptedRng([1])).game.money.returned == 100


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.ROULETTE, False, (1, 10_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {
        "place": 0,
        "spin": 1,
        "clear": 2,
        "batch": 4,
    }
    for zero_rule in range(5):
        options = RouletteOptions(ZERO_RULES[zero_rule])
        assert [row.bet for row in GAME.odds(options)] == list(bets_of(zero_rule))
    assert [row.bet for row in GAME.super_odds()] == [f"straight:{number}" for number in range(37)]
    assert make_table(6, GAME, {"zero_rule": "la_partage"}).stake_max == 10_000


def test_the_log_tells_where_the_ball_fell():
    before = do(start("en_prison"), place("red", 100))
    imprisoned = do(before, act("spin"), rng=ScriptedRng([0]))
    freed = do(imprisoned, act("spin"), rng=ScriptedRng([1]))

    assert GAME.describe(act("spin"), before, imprisoned).startswith("the ball falls into 0")
    assert GAME.describe(act("spin"), imprisoned, freed).startswith("the ball falls into 1 red")
    lost = do(start("double_zero"), batch({"red": 5}), rng=ScriptedRng([37]))
    assert GAME.describe(batch({"red": 5}), start("double_zero"), lost).startswith("the ball falls into 00")
    assert GAME.describe(batch({"red": 5}), start("double_zero"), lost).endswith("lost 5")


def shown(match: Match[Any]) -> list[str]:
    return [re.sub(r"\[[a-z/ ]*\]", "", row).rstrip() for row in GAME.render(view_for(GAME, match, "ann")).splitlines()]


def test_the_layout_shows_where_the_chips_lie():
    bets = {"straight:17": 5, "split:0-2": 1, "corner:25-26-28-29": 1, "red": 10, "dozen:3": 2, "column:1": 2}

    assert shown(do(start(), *(place(bet, stake) for bet, stake in bets.items()))) == [
        "      │  3   6   9  12  15  18  21  24  27  30  33  36 │ column:3",
        "    0○│  2○  5   8  11  14  17● 20  23  26○ 29○ 32  35 │ column:2",
        "      │  1   4   7  10  13  16  19  22  25○ 28○ 31  34 │ column:1 ●",
        "      │   dozen:1     │   dozen:2     │   dozen:3 ●    │",
        "      │ low   │even   │ red ● │black  │ odd   │high    │",
        "  ● chips on the number   ○ on a bet that shares it with others",
        "  straight:17                 5  open",
        "  split:0-2                   1  open",
        "  corner:25-26-28-29          1  open",
        "  red                        10  open",
        "  dozen:3                     2  open",
        "  column:1                    2  open",
    ]


def test_the_layout_of_the_double_zero_wheel_has_both():
    assert [row[:7] for row in shown(do(start("double_zero"), place("straight:00", 1)))[:3]] == [
        "   00●│",
        "      │",
        "    0 │",
    ]


def test_the_layout_marks_what_won():
    match = spun({"red": 10}, 32)
    text = GAME.render(view_for(GAME, match, "ann"))

    marked = re.findall(r"\[bold reverse[a-z ]*\] *([a-z0-9:]+)", text)
    assert marked == ["32", "column:2", "dozen:3", "even", "red", "high"]
    assert "  The ball fell into 32 red." in shown(match)


def test_the_layout_tells_of_prison():
    rows = shown(spun({"red": 10}, 0, zero_rule="en_prison"))

    assert "  The bets that are left are imprisoned: the next spin frees or takes them." in rows
    assert "imprisoned" not in "".join(shown(spun({"red": 10}, 0, 1, zero_rule="en_prison")))
    assert "  The ball fell into 0, then 1 red." in shown(spun({"red": 10}, 0, 1, zero_rule="en_prison"))


@pytest.mark.parametrize("super_mode", [False, True])
def test_a_full_layout_fits_eighty_columns(super_mode):
    twenty = [f"straight:{number}" for number in range(10)] + list(EVEN_MONEY) + ["corner:1-2-4-5"]
    for zero_rule, pocket in product(("standard", "double_zero"), (0, 17)):
        match = do(
            start(zero_rule, super_mode=super_mode), batch(dict.fromkeys(twenty, 10_000)), rng=ScriptedRng([pocket])
        )
        assert max(map(len, shown(match))) <= 80
