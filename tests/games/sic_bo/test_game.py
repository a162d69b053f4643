"""Sic bo at the table: every action and refusal, what each bet brings back, super mode, payloads, chips."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, apply_action, chance_outcomes, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.games.sic_bo import SicBo, rules
from croupier.games.sic_bo.bets import BETS
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

SEED = bytes(range(48))
GAME = SicBo()
KIT = HouseKit(GAME, seed=SEED)
start, do, refusal = KIT.start, KIT.do, KIT.refusal
ATLANTIC_CITY = {"pay_table": "atlantic_city"}
ALL_OPTIONS: list[Any] = [None, ATLANTIC_CITY]


class SuperSicBo(SicBo):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(0, True)


def rolled(bets: dict[str, int], *dice: int, options: Any = None) -> Match[Any]:
    return do(start(options=options), batch(bets), rng=ScriptedRng.of_dice(*dice))


# Betting.


def test_a_session_starts_with_no_dice_and_no_chips():
    match = start()

    assert match.turn.phase == "betting"
    assert match.game.dice == ()
    assert (match.game.money.staked, match.game.money.open) == (0, ())


def test_chips_on_the_same_bet_add_up():
    match = do(start(), place("small", 100), place("total:9", 5), place("small", 20))

    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("small", 120), ("total:9", 5)]
    assert match.game.money.staked == 125


def test_clearing_the_table_gives_every_stake_back():
    match = do(start(), place("small", 100), place("total:9", 5), act("clear"))

    assert match.game.money.open == ()
    assert (match.game.money.staked, match.game.money.returned, match.game.money.lines) == (0, 0, ())
    assert do(match, place("big", 7)).game.money.staked == 7


def test_every_bet_of_the_catalogue_can_be_laid():
    for bet in BETS:
        assert do(start(), place(bet, 3)).game.money.open[0].bet == bet


def test_twenty_bets_can_be_down_and_no_more():
    twenty = list(BETS)[:20]
    match = do(start(), *(place(bet, 3) for bet in twenty))

    assert refusal(match, place("four_faces:3-4-5-6", 3)) == "too_many_bets"
    assert len(do(match, place(twenty[0], 3)).game.money.open) == 20  # more chips on one of them
    assert do(match, act("roll")).status == "finished"
    assert len(do(start(), batch(dict.fromkeys(twenty, 1))).game.money.lines) == 20


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (act("roll"), "no_bets"),
        (act("clear"), "no_bets"),
        (place("middle", 5), "unknown_bet"),
        (place("total:2", 5), "unknown_bet"),
        (place("total:19", 5), "unknown_bet"),
        (place("domino:4-1", 5), "unknown_bet"),
        (place("domino:4-4", 5), "unknown_bet"),
        (place("single:7", 5), "unknown_bet"),
        (place("easy_hop:1-1-2", 5), "unknown_bet"),
        (place("small", 0), "bad_payload"),
        (place("small", -5), "bad_payload"),
        (place("small", 2**63), "bad_payload"),
        (place("small", True), "bad_payload"),
        (act("place", bet="small"), "bad_payload"),
        (batch({}), "bad_payload"),
        (act("batch", bets=[{"bet": "big", "stake": 1}] * 2), "bet_twice"),
        (act("batch", bets=[{"bet": "big", "stake": 1}] * 21), "bad_payload"),
        (act("batch", bets=[{"bet": "big", "stake": 1, "number": 0}]), "bad_payload"),
        (batch({"small": 5, "total:20": 5}), "unknown_bet"),
        (batch({"small": 5, "big": 0}), "bad_payload"),
        (act("spin"), "unknown_action"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(action, code):
    assert refusal(start(), action) == code


def test_a_batch_is_refused_when_bets_are_down():
    assert refusal(do(start(), place("big", 5)), batch({"small": 5})) == "bets_are_down"


def test_nothing_can_be_done_once_the_dice_are_rolled():
    match = do(start(), batch({"small": 10}))

    for action in (place("small", 1), act("roll"), act("clear"), batch({"small": 10})):
        assert refusal(match, action) == "finished"


@pytest.mark.parametrize(
    ("action", "cover", "code"),
    [
        (place("small", 101), Cover(funds=100), "insufficient_funds"),
        (batch({"small": 60, "big": 41}), Cover(funds=100), "insufficient_funds"),
        (place("small", 4), Cover(stake_min=5), "under_limit"),
        (place("small", 501), Cover(stake_max=500), "over_limit"),
        # Any triple returns 250, a single 40.
        (batch({"any_triple": 10, "single:4": 10}), Cover(exposure_max=289), "exposure_limit"),
    ],
)
def test_chips_that_are_not_covered_are_refused_before_anything_is_drawn(action, cover, code):
    assert refusal(start(), action, cover) == code


def test_chips_that_are_just_covered_are_taken():
    cover = Cover(funds=20, stake_min=10, stake_max=10, exposure_max=290)

    assert do(start(), batch({"any_triple": 10, "single:4": 10}), cover=cover).status == "finished"


def test_more_chips_on_a_bet_are_held_to_the_limit_of_the_bet():
    match = do(start(), place("small", 400))

    assert refusal(match, place("small", 101), Cover(stake_max=500)) == "over_limit"
    assert do(match, place("small", 100), cover=Cover(stake_max=500)).game.money.staked == 500


# The roll.

FOUR = {"four_faces:1-2-3-4": 80}
PAIR = {"double:4": 90, "hard_hop:4-4-1": 510}


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        # What 10 chips bring back on each of the bets below; those left out lose.
        ((1, 2, 4), {"small": 20, "odd": 20, "total:7": 130, "single:4": 20, "domino:1-4": 60} | FOUR),
        ((4, 1, 4), {"small": 20, "odd": 20, "total:9": 70, "single:4": 30, "domino:1-4": 60} | PAIR),
        ((4, 4, 4), {"any_triple": 250, "triple:4": 1510, "double:4": 90, "single:4": 40}),
        ((3, 2, 1), {"small": 20, "even": 20, "easy_hop:1-2-3": 310} | FOUR),
        ((6, 6, 5), {"big": 20, "odd": 20, "total:17": 510}),
        ((6, 6, 6), {"any_triple": 250, "total:18": 1810}),
        ((5, 5, 6), {"big": 20, "even": 20}),
    ],
)
def test_ten_chips_on_these_bets_bring_back(dice, expected):
    bets = [
        "small",
        "big",
        "odd",
        "even",
        "any_triple",
        "triple:4",
        "double:4",
        "single:4",
        "total:7",
        "total:9",
        "total:17",
        "total:18",
        "domino:1-4",
        "easy_hop:1-2-3",
        "hard_hop:4-4-1",
        "four_faces:1-2-3-4",
    ]
    match = rolled(dict.fromkeys(bets, 10), *dice)

    assert match.game.dice == dice
    assert returned(match) == {bet: expected.get(bet, 0) for bet in bets}
    assert match.game.money.net == sum(expected.values()) - 160


def test_atlantic_city_pays_its_own_prices():
    bets = {"triple:2": 1, "any_triple": 1, "double:2": 1, "total:6": 1}

    assert returned(rolled(bets, 2, 2, 2)) == {"triple:2": 151, "any_triple": 25, "double:2": 9, "total:6": 15}
    assert returned(rolled(bets, 2, 2, 2, options=ATLANTIC_CITY)) == {
        "triple:2": 181,
        "any_triple": 31,
        "double:2": 11,
        "total:6": 18,
    }


def test_a_batch_brings_what_the_same_bets_bring_one_by_one():
    bets = {"small": 7, "single:4": 7, "total:9": 7, "hard_hop:4-4-1": 7}

    match = do(start(), *(place(bet, stake) for bet, stake in bets.items()))
    one_by_one = do(match, act("roll"), rng=ScriptedRng.of_dice(4, 1, 4))

    assert rolled(bets, 4, 1, 4).game == one_by_one.game


def test_the_dice_come_from_the_stream_of_the_move():
    """The published dice of session 42, whose roll is move 1 in a batch, and one more for each bet before it."""
    dice = [(2, 6, 6), (5, 5, 3), (1, 4, 4), (1, 4, 1), (2, 6, 5), (6, 2, 1), (6, 1, 3)]

    assert do(start(session_id=42), batch({"small": 100})).game.dice == dice[0]
    for count, expected in enumerate(dice[1:], 1):
        match = do(start(session_id=42), *(place(bet, 1) for bet in list(BETS)[:count]), act("roll"))
        assert match.game.dice == expected


def test_all_rolls_are_equally_likely():
    outcomes = chance_outcomes(GAME, do(start(), place("small", 1)), act("roll"))

    assert {outcome.state.game.dice for outcome in outcomes} == set(product(range(1, 7), repeat=3))
    assert {outcome.chance.denominator for outcome in outcomes} == {216}


# Super mode.


def test_the_lit_totals_are_those_of_the_sheet_and_shown_with_the_result():
    """Sheet, section 13: session 4 lights 10, 16 and 14, and its first move rolls 6, 4, 4."""
    match = start(super_mode=True, session_id=4)
    lit = generate_super_multipliers(GAME, SEED, 4)
    assert [(entry.id, entry.multiplier) for entry in lit] == [(10, 3), (16, 17), (14, 6)]
    assert do(match, place("total:14", 100)).game.lit == ()

    match = do(match, batch({"total:14": 100, "double:4": 10, "total:9": 50}))

    assert match.game.dice == (6, 4, 4)
    assert match.game.lit == lit
    # 12 to 1 times 1 + 5/10; the double is not boosted, nor did it cost a fee.
    assert returned(match) == {"total:14": 1900, "double:4": 90, "total:9": 0}
    assert match.game.money.fees == 30


def test_an_unlit_total_pays_its_price():
    match = do(start(super_mode=True, session_id=4), batch({"total:9": 100}), rng=ScriptedRng.of_dice(4, 4, 1))

    assert returned(match) == {"total:9": 700}


def test_totals_cost_the_fee_and_other_bets_do_not():
    match = do(start(super_mode=True), place("total:9", 25), place("small", 7), place("total:3", 9))

    assert match.game.money.fees == 5
    assert [stake.boosted for stake in match.game.money.open] == [True, False, False]
    assert refusal(match, place("total:9", 12)) == "super_stake"
    assert refusal(match, batch({"total:9": 5})) == "bets_are_down"
    assert do(match, act("clear")).game.money.fees == 5  # it stays paid


def test_chips_laid_in_parts_are_paid_their_boost_together():
    """Five and five on 6 at 17 to 1, lit with 30: 331.5 of profit each, and 663 together."""
    session_id = next(
        number
        for number in range(10_000)
        if (6, 30) in [(lit.id, lit.multiplier) for lit in generate_super_multipliers(GAME, SEED, number)]
    )
    match = start(super_mode=True, options=ATLANTIC_CITY, session_id=session_id)

    match = do(do(match, place("total:6", 5), place("total:6", 5)), act("roll"), rng=ScriptedRng.of_dice(1, 2, 3))

    assert returned(match) == {"total:6": 673}


def test_no_bet_returns_more_than_was_declared():
    for bet, super_mode in product(("small", "single:2", "total:9", "total:10", "hard_hop:4-4-1"), (False, True)):
        (stake,) = do(start(super_mode=super_mode), place(bet, 100)).game.money.open
        boost = {"total:9": 39, "total:10": 12}.get(bet, 10) if super_mode else 10
        pays = {"small": 1, "single:2": 3, "total:9": 6, "total:10": 6, "hard_hop:4-4-1": 50}[bet]
        assert stake.most == 100 + 100 * pays * boost // 10


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "action"),
    [
        ("010000000000000000000064", place("small", 100)),
        ("010009140000000000000019", place("domino:1-4", 25)),
        ("01000a070000000000000001", place("easy_hop:1-2-3", 1)),
        ("0101", act("roll")),
        ("0102", act("clear")),
        ("0103 02 0000 0000000000000064 0709 000000000000012c", batch({"small": 100, "total:9": 300})),
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
        "010401",  # the pay table is an option
        "011a03c82e6115482a03",  # no compact batch
        "01000d000000000000000064",  # no such kind
        "010007020000000000000064",  # no such total
        "010009410000000000000064",  # the higher face first
        "0100000000000000000064",  # a byte short
        "01000000000000000000006400",
        "010100",
        "010000000000000000000000",  # no chips
        "01000000ffffffffffffffff",  # more than there can be
        "010300",
        "0103020000000000000000000064",
        "0103010000000000000000006400",
    ],
)
def test_other_bytes_are_an_invalid_payload(payload):
    with pytest.raises(GameError) as no:
        process_game_move(opened(), bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


def opened() -> Any:
    session = open_session(GAME, player="ann", session_id=42, seed=SEED)
    session, result = init_game(session, GameRng.new(SEED, 42, 0))
    return settle(session, result)


def test_results_tell_what_each_move_did_to_the_money():
    session = opened()
    seen: list[Any] = []
    for action, rng in (
        (place("small", 100), None),
        (place("total:9", 50), None),
        (act("clear"), None),
        (place("total:9", 5), None),
        (act("roll"), ScriptedRng.of_dice(1, 4, 4)),
    ):
        session, result = process_game_move(session, encode_payload(GAME, action), rng)
        session = settle(session, result)
        seen.append(result)

    assert [type(result) for result in seen] == [ContinueWithUpdate] * 4 + [Win]
    assert [result.payout for result in seen[:4]] == [-100, -50, 150, -5]
    assert seen[4].amount == 35
    assert seen[4].logs == ("the dice show 1 4 4: 9, small and odd; total:9 pays 30 (6 to 1); won 30",)


@pytest.mark.parametrize(
    ("bets", "dice", "expected"),
    [
        ({"small": 100, "big": 100}, (1, 4, 4), Push(200)),  # one wins what the other loses
        ({"small": 100, "big": 40}, (1, 4, 4), Win(200)),
        ({"small": 10, "total:9": 90}, (1, 4, 5), Win(20)),  # it may be less than was staked
        ({"small": 100, "odd": 7}, (2, 2, 2), LossPreDeducted(107)),
    ],
)
def test_a_round_ends_in_the_result_that_its_money_says(bets, dice, expected):
    _, result = process_game_move(opened(), batch(bets), ScriptedRng.of_dice(*dice))

    assert replace(result, logs=()) == expected


def test_opening_moves_no_chips():
    session = open_session(GAME, player="ann", session_id=3, seed=SEED)

    assert init_game(session, GameRng.new(SEED, 3, 0))[1] == Continue()


def test_chips_are_conserved_over_plain_and_super_sessions():
    """Sixty sessions through the house; the player's chips are the first thousand and what was won, less fees."""
    state, tables = MemoryState(), {7: make_table(7, GAME)}
    moment, expected = 0, 1000

    def tell(body: Any) -> tuple[Any, ...]:
        nonlocal moment
        moment += 1
        return execute(state, Instruction("ann", body), SEED, moment, tables=tables)

    tell(Register())
    for session_id in range(60):
        if session_id % 2:
            tell(PlayerAction("super"))
        tell(StartGame(7, 0, session_id))
        bets = {"small": 5} if session_id % 3 else {"total:10": 5, "single:4": 3, "domino:1-2": 1}
        events = tell(GameMove(session_id, encode_payload(GAME, batch(bets))))
        done = next(event for event in events if type(event).__name__ == "GameCompleted")
        expected += done.net - done.fees
        assert done.balances.chips == expected
        check_ledger(state)
    check_ledger(state, thorough=True)


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=6, options=ALL_OPTIONS).actions > 50
    assert check_game(SuperSicBo(), seeds=6, options=ALL_OPTIONS).actions > 50


def test_hints_offer_stakes_that_are_taken():
    for super_mode, smallest in ((False, 1), (True, 5)):
        match = start(super_mode=super_mode)
        stakes = {action.payload["stake"] for action in legal_actions(GAME, match)}
        assert stakes == {smallest, 10 * smallest}
        span = legal_ranges(GAME, match)["place"]["stake"]
        assert (span.low, span.high, span.step) == (smallest, 5_000, smallest)


def test_an_abandoned_round_is_rolled():
    match = do(start(), place("small", 5))

    assert do(match, act("time_out")).status == "finished"


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.SIC_BO, False, (1, 5_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {
        "place": 0,
        "roll": 1,
        "clear": 2,
        "batch": 3,
    }
    assert [row.bet for row in GAME.odds()] == list(BETS)
    assert [row.bet for row in GAME.super_odds()] == [f"total:{total}" for total in range(4, 18)]
    assert make_table(7, GAME, ATLANTIC_CITY).stake_max == 5_000
    assert rules.BETS_MAX == GAME.bets_max == 20


@pytest.mark.parametrize(
    ("bets", "dice", "text"),
    [
        (
            {"small": 100, "single:4": 10, "big": 5, "even": 5},
            (4, 1, 4),
            "the dice show 4 1 4: 9, small and odd; small pays 100 (1 to 1); single:4 pays 20 (2 to 1); "
            "lost big, even; won 110",
        ),
        (
            {"small": 100, "any_triple": 10},
            (2, 2, 2),
            "the dice show 2 2 2: a triple (6); any_triple pays 240 (24 to 1); lost small; won 140",
        ),
        ({"total:11": 7}, (6, 6, 4), "the dice show 6 6 4: 16, big and even; lost total:11; lost 7"),
    ],
)
def test_the_log_says_what_each_bet_was_paid(bets, dice, text):
    before = start()
    answer = apply_action(GAME, before, batch(bets), rng=ScriptedRng.of_dice(*dice))
    assert answer.ok

    assert GAME.describe(answer.action, before, answer.state) == text


def test_the_log_of_a_super_session_names_what_was_lit():
    before = start(super_mode=True, session_id=4)
    answer = apply_action(GAME, before, batch({"total:14": 100}))
    assert answer.ok

    assert GAME.describe(answer.action, before, answer.state) == (
        "the dice show 6 4 4: 14, big and even; total:14 pays 1,800 (12 to 1, boosted by a lit ×6); won 1800"
    )


def shown(match: Match[Any]) -> list[str]:
    return [re.sub(r"\[[a-z/ ]*\]", "", row).rstrip() for row in GAME.render(view_for(GAME, match, "ann")).splitlines()]


def test_the_table_shows_the_prices_and_where_the_chips_lie():
    assert shown(
        do(start(), place("small", 10), place("total:9", 5), place("single:4", 1), place("domino:1-4", 2))
    ) == [
        "  small 1 ●    big 1      odd 1      even 1      any_triple 24    (to 1)",
        "",
        "  total      3   4   5   6   7   8   9● 10  11  12  13  14  15  16  17  18",
        "  pays     180  50  18  14  12   8   6   6   6   6   8  12  14  18  50 180",
        "",
        "  single     1   2   3   4●  5   6   pays 1, 2 or 3, as many as show it",
        "  double     1   2   3   4   5   6   pays 8",
        "  triple     1   2   3   4   5   6   pays 150",
        "",
        "  domino 5 ●   easy_hop 30     hard_hop 50     four_faces 7",
        "",
        "  small                      10  open",
        "  total:9                     5  open",
        "  single:4                    1  open",
        "  domino:1-4                  2  open",
    ]


def test_the_table_shows_the_dice_and_what_they_add_up_to():
    rows = shown(rolled({"small": 10}, 4, 1, 4))

    assert rows[-7:] == [
        "  ╭───────╮ ╭───────╮ ╭───────╮",
        "  │ ●   ● │ │       │ │ ●   ● │",
        "  │       │ │   ●   │ │       │   9, small and odd",
        "  │ ●   ● │ │       │ │ ●   ● │",
        "  ╰───────╯ ╰───────╯ ╰───────╯",
        "",
        "  small                      10  returned 20",
    ]
    assert max(map(len, rows)) <= 80


def test_the_table_of_atlantic_city_shows_its_prices():
    assert "  pays     180  60  30  17  12   8   6   6   6   6   8  12  17  30  60 180" in shown(
        start(options=ATLANTIC_CITY)
    )
