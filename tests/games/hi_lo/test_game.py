"""Hi-lo at the table: every action and refusal, what a cash-out pays, the cap, super mode, payloads, chips."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, apply_action, create_match, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.turn import Refusal
from croupier.games.hi_lo import HiLo
from croupier.games.hi_lo.bets import POLICIES
from croupier.house import (
    Continue,
    ErrorKind,
    GameError,
    GameMove,
    GameType,
    Instruction,
    Loss,
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
from croupier.kit.cards import parse_card
from croupier.rng import GameRng
from croupier.testing import HouseKit, check_game

SEED = bytes(range(32))
GAME = HiLo()
KIT = HouseKit(GAME)
FREE = {"commission_bps": 0}
ALL_OPTIONS: list[Any] = [
    None,
    FREE,
    {"same_anywhere": True, "commission_bps": 10_000},
    {"same_anywhere": True, "tie_pushes": False},
]
GUESSES = ("higher", "lower", "same")


class SuperHiLo(HiLo):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(10, True)


def card(name: str) -> ScriptedRng:
    """Return a stream that deals this card."""
    return ScriptedRng([parse_card(name)])


def start(first: str = "7S", stake: int = 100, *, super_mode: bool = False, options: Any = None) -> Match[Any]:
    return KIT.start(stake, super_mode=super_mode, options=options, rng=card(first))


def play(match: Match[Any], *steps: str) -> Match[Any]:
    """Take steps such as `higher 9H`, a guess and the card that comes, or `cash_out`."""
    for step in steps:
        word, _, name = step.partition(" ")
        match = KIT.do(match, act(word), rng=card(name) if name else None)
    return match


def returned(match: Match[Any]) -> int:
    assert match.status == "finished"
    (line,) = match.game.money.lines
    assert line.bet == "stake"
    assert match.game.money.returned == line.returned
    return int(line.returned)


# Guesses.


def test_a_session_starts_with_the_stake_down_and_one_card_on_show():
    match = create_match(GAME, ["ann"], seed=bytes(48), session_id=3, host=Terms(25))

    assert match.game.cards == (GameRng.new(bytes(48), 3, 0).draw_card(list(range(52))),)
    assert (match.game.guesses, match.game.factor, match.game.streak) == ((), 10_000, 0)
    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("stake", 25)]
    assert (match.game.money.opening, match.game.money.staked) == (25, 25)


@pytest.mark.parametrize(
    ("first", "step", "factor"),
    [
        ("AS", "higher 2S", 10_000),
        ("2S", "higher KS", 10_909),
        ("3H", "higher 4D", 12_000),
        ("4S", "higher QS", 13_333),
        ("5S", "higher 6S", 15_000),
        ("6S", "higher 7C", 17_142),
        ("7S", "higher 8S", 20_000),
        ("8S", "higher 9S", 24_000),
        ("9S", "higher 10S", 30_000),
        ("10S", "higher JS", 40_000),
        ("JS", "higher QS", 60_000),
        ("QS", "higher KS", 120_000),
        ("KS", "lower QS", 10_000),
        ("QD", "lower AD", 10_909),
        ("8S", "lower 2S", 17_142),
        ("2C", "lower AH", 120_000),
        ("AS", "same AC", 120_000),
        ("KS", "same KS", 120_000),  # the very card on show may come again
    ],
)
def test_a_right_guess_multiplies_the_pot_by_twelve_over_the_ranks_that_win(first, step, factor):
    match = play(start(first), step)

    assert match.status == "active"
    assert (match.game.factor, match.game.streak) == (factor, 1)
    assert match.game.guesses == (step.split()[0],)
    assert match.game.cards == (parse_card(first), parse_card(step.split()[1]))


def test_right_guesses_multiply_and_round_down_each_time():
    match = play(start("6S"), "higher 8S", "lower 6H", "higher 7S")

    assert match.game.factor == 50_370  # 17142, 29384.8, 50370.1
    assert match.game.streak == 3


@pytest.mark.parametrize(("first", "step"), [("7S", "higher 6S"), ("7S", "lower 8S"), ("AS", "same 2S")])
def test_a_wrong_guess_loses_the_stake_and_ends_the_session(first, step):
    match = play(start(first), step)

    assert returned(match) == 0
    assert match.game.factor == 0
    assert match.result is not None
    assert match.result.reason == "lost 100"
    assert match.result.scores == {"ann": -100}


def test_an_equal_rank_pushes_and_shows_the_new_card():
    match = play(start("7S"), "higher 7H", "lower 7D")

    assert match.status == "active"
    assert (match.game.factor, match.game.streak) == (10_000, 0)
    assert match.game.cards[-1] == parse_card("7D")


def test_an_equal_rank_loses_where_the_options_say_so():
    for word in ("higher", "lower"):
        assert returned(play(start("7S", options={"tie_pushes": False}), f"{word} 7H")) == 0
    assert play(start("AS", options={"tie_pushes": False}), "same AH").game.streak == 1


@pytest.mark.parametrize(
    ("first", "word"), [("KS", "higher"), ("AS", "lower"), ("2S", "same"), ("7S", "same"), ("QS", "same")]
)
def test_a_guess_that_is_not_offered_is_refused_before_a_card_is_drawn(first, word):
    assert KIT.refusal(start(first), act(word)) == "guess_not_offered"


def test_same_may_be_guessed_anywhere_where_the_options_say_so():
    match = play(start("7S", options={"same_anywhere": True}), "same 7C")

    assert match.game.factor == 120_000


@pytest.mark.parametrize(
    ("first", "offered"),
    [("AS", {"higher", "same"}), ("7S", {"higher", "lower"}), ("KS", {"lower", "same"})],
)
def test_the_choices_are_the_guesses_on_offer_and_the_cash_out(first, offered):
    assert {action.type for action in legal_actions(GAME, start(first))} == offered | {"cash_out"}


def test_nothing_can_be_done_once_the_session_is_over():
    for match in (play(start(), "higher 2S"), play(start(), "cash_out")):
        for word in (*GUESSES, "cash_out"):
            assert KIT.refusal(match, act(word)) == "finished"


# Cash-outs.


def test_a_cash_out_before_any_guess_gives_the_stake_back():
    for options in ALL_OPTIONS:
        match = play(start(options=options), "cash_out")
        assert returned(match) == 100
        assert match.result is not None
        assert match.result.reason == "push"


@pytest.mark.parametrize(
    ("steps", "commission_bps", "expected"),
    [
        (("higher 9S",), 300, 197),
        (("higher 9S",), 0, 200),
        (("higher 9S",), 10_000, 100),  # all of the profit
        (("higher 9S", "lower 2S"), 300, 294),  # 3 times 100, less 3 % of 200
        (("higher 8S", "lower 7S"), 300, 335),  # 3.4284 times 100, less 3 % of 242.84: 335.5548
    ],
)
def test_a_cash_out_pays_the_pot_less_commission_on_the_profit(steps, commission_bps, expected):
    match = play(start("7S", options={"commission_bps": commission_bps}), *steps, "cash_out")

    assert returned(match) == expected
    assert match.game.cards[-1] == parse_card(steps[-1].split()[1])


def test_a_cash_out_draws_nothing():
    answer = apply_action(GAME, start(), act("cash_out"))

    assert answer.ok
    assert not answer.drew


def test_a_guess_that_cannot_lose_wins_nothing():
    assert returned(play(start("AS"), "higher 9S", "cash_out")) == 100
    assert returned(play(start("KS"), "lower 9S", "cash_out")) == 100


@pytest.mark.parametrize(
    ("first", "steps", "expected"),
    [
        ("5S", ("higher 5H", "higher KH", "cash_out"), 150),
        ("QD", ("higher QD", "lower 2S", "cash_out"), 109),
        ("AD", ("same AC", "cash_out"), 1200),
        ("AC", ("higher 7S", "cash_out"), 100),
    ],
)
def test_the_sessions_of_the_sheet_pay_what_it_says_without_commission(first, steps, expected):
    """Its cards come from shuffled packs, ours do not; what they pay is the same (sheet, section 13)."""
    assert returned(play(start(first, options=FREE), *steps)) == expected


def test_the_pot_is_cashed_out_within_the_guess_that_takes_it_to_a_hundred_thousand():
    match = play(start("AS"), "same AH", "same AD", "same AC", "same AS")
    assert (match.status, match.game.factor) == ("active", 207_360_000)

    match = play(match, "same AH")

    assert returned(match) == 100 + 24_883_100 * 97 // 100
    assert (match.game.factor, match.game.streak) == (2_488_320_000, 5)


def test_the_largest_pot_stays_below_what_was_declared():
    match = play(start("AS"), "same AH", "same AD", "same AC", "same AS", "higher 10S", "higher KS")
    assert match.game.factor == 829_440_000
    (stake,) = match.game.money.open

    match = play(match, "same KH")

    assert match.game.factor == 9_953_280_000
    assert returned(match) == 96_546_819 < stake.most
    assert stake.most == 100 + 100 * (1_200_000 - 1) * 97 // 100


# Super mode.


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (("cash_out",), 100_000),  # nothing at 0
        (("higher 9S", "cash_out"), 197_023),  # 97,000 more, and 3/12500 of it: 23.28
        (("higher 9S", "lower AS", "cash_out"), 294_465),  # 194,000, times 1 + 30/12500 with an ace
        (("higher 7H", "higher 9S", "cash_out"), 197_023),  # pushes do not count
    ],
)
def test_a_super_cash_out_boosts_the_profit_by_the_streak(steps, expected):
    match = play(start("7S", 100_000, super_mode=True), *steps)

    assert returned(match) == expected
    assert match.game.money.fees == 20_000
    assert match.game.money.staked == 100_000


def test_the_boost_of_a_streak_of_ten_is_doubled_by_an_ace():
    up_and_down = ("higher 8S", "lower 7S") * 5
    match = play(start("7S", 10_000, super_mode=True, options=FREE), *up_and_down)
    assert (match.game.streak, match.game.factor) == (10, 4_736_478)

    # The profit is 4,726,478, and 1190/12500 of it 449,960.7.
    assert returned(play(match, "cash_out")) == 4_736_478 + 449_960
    last = play(match, "lower 6S", "lower AS", "cash_out")
    assert last.game.factor == 22_735_094
    assert returned(last) == 22_735_094 + 22_725_094 * 2390 // 12_500


def test_nothing_is_lit_in_hi_lo():
    assert generate_super_multipliers(GAME, SEED, 7) == ()
    assert play(start(super_mode=True), "higher 9S", "cash_out").game.lit == ()


def test_a_lost_super_session_keeps_its_fee():
    money = play(start(super_mode=True), "higher 2S").game.money

    assert (money.staked, money.returned, money.fees) == (100, 0, 20)


def test_the_cap_holds_in_super_mode_with_its_boost():
    match = play(start("AS", super_mode=True), "same AH", "same AD", "same AC", "same AS", "same AH")

    profit = 24_883_100 * 97 // 100
    assert returned(match) == 100 + profit + profit * 150 // 12_500  # 80 tenths for five, doubled by the ace


# What a host covers.


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (Terms(0), "stake_too_small"),
        (Terms(-5), "stake_too_small"),
        (Terms(12, True), "super_stake"),
        (Terms(101, False, Cover(funds=100)), "insufficient_funds"),
        (Terms(100, True, Cover(funds=119)), "insufficient_funds"),
        (Terms(4, False, Cover(stake_min=5)), "under_limit"),
        (Terms(1001, False, Cover(stake_max=1000)), "over_limit"),
        (Terms(1, False, Cover(exposure_max=1_000_000)), "exposure_limit"),
        (Terms(2**63 - 1), "exposure_limit"),
    ],
)
def test_a_stake_that_is_not_covered_is_refused_before_a_card_is_drawn(terms, code):
    stream = GameRng.new(SEED, 0, 0)
    with pytest.raises(Refusal) as no:
        create_match(GAME, ["ann"], seed=SEED, host=terms, rng=stream)

    assert no.value.code == code
    assert stream.bytes_used == 0


def test_a_stake_that_is_just_covered_is_taken():
    most = 5 + 5 * 1_199_999 * 97 // 100
    boosted = most + (most - 5) * 2390 // 12_500
    for super_mode, exposure in ((False, most), (True, boosted)):
        cover = Cover(funds=6 if super_mode else 5, stake_min=5, stake_max=5, exposure_max=exposure)
        assert create_match(GAME, ["ann"], seed=SEED, host=Terms(5, super_mode, cover)).status == "active"


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "word"), [("0100", "higher"), ("0101", "lower"), ("0102", "cash_out"), ("0103", "same")]
)
def test_actions_have_the_bytes_of_the_sheet_behind_a_version(payload, word):
    assert encode_payload(GAME, act(word)) == bytes.fromhex(payload)
    assert decode_payload(GAME, bytes.fromhex(payload)) == act(word)


@pytest.mark.parametrize("payload", ["", "00", "01", "0000", "0200", "0104", "01ff", "010000", "01020000"])
def test_other_bytes_are_an_invalid_payload(payload):
    with pytest.raises(GameError) as no:
        process_game_move(opened("7S"), bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


def opened(first: str, stake: int = 100) -> Any:
    session = open_session(GAME, player="ann", session_id=3, stake=stake, seed=SEED)
    session, result = init_game(session, card(first))
    assert result == Continue()
    return settle(session, result)


@pytest.mark.parametrize(
    ("first", "steps", "expected"),
    [
        ("7S", [("0100", "9S"), ("0102", "")], [Continue(), Win(197)]),
        ("7S", [("0101", "9S")], [Loss()]),
        ("7S", [("0100", "7H"), ("0102", "")], [Continue(), Push(100)]),
        ("KS", [("0103", "KD"), ("0101", "2D"), ("0101", "3D")], [Continue(), Continue(), Loss()]),
        ("7S", [("0102", "")], [Push(100)]),
        ("AS", [("0103", "AD")] * 5, [Continue()] * 4 + [Win(100 + 24_883_100 * 97 // 100)]),
    ],
)
def test_results_tell_what_each_move_did_to_the_money(first, steps, expected):
    session, seen = opened(first), []
    for payload, name in steps:
        session, result = process_game_move(session, bytes.fromhex(payload), card(name) if name else None)
        session = settle(session, result)
        seen.append(replace(result, logs=()))

    assert seen == expected


def test_a_guess_that_is_not_offered_is_an_invalid_move():
    with pytest.raises(GameError) as no:
        process_game_move(opened("KS"), bytes.fromhex("0100"))

    assert (no.value.kind, no.value.reason) == (ErrorKind.INVALID_MOVE, "guess_not_offered")


def test_chips_are_conserved_over_plain_and_super_sessions():
    """Sixty sessions through the house; the player's chips are the first thousand and what was won, less fees."""
    state, tables = MemoryState(), {5: make_table(5, GAME)}
    moment, expected = 0, 1000

    def tell(body: Any) -> tuple[Any, ...]:
        nonlocal moment
        moment += 1
        return execute(state, Instruction("ann", body), SEED, moment, tables=tables)

    tell(Register())
    for session_id in range(60):
        if session_id % 2:
            tell(PlayerAction("super"))
        tell(StartGame(5, 5, session_id))
        for word in ("higher", "lower", "cash_out"):  # what cannot be done is refused, and the next word tried
            events = tell(GameMove(session_id, encode_payload(GAME, act(word))))
            done = next((event for event in events if type(event).__name__ == "GameCompleted"), None)
            if done is not None:
                expected += done.net - done.fees
                assert done.balances.chips == expected
                break
        check_ledger(state)
    check_ledger(state, thorough=True)
    assert expected != 1000


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=12, options=ALL_OPTIONS).actions > 50
    assert check_game(SuperHiLo(), seeds=12, options=ALL_OPTIONS).actions > 50


def test_an_abandoned_session_is_cashed_out():
    assert returned(play(start("7S"), "higher 9S", "time_out")) == 197
    assert returned(play(start("7S"), "time_out")) == 100


def test_nobody_walks_away_from_chips_on_the_table():
    assert KIT.refusal(start(), act("leave")) == "bets_open"


def test_bots_guess_the_likelier_side_and_stop_where_they_say():
    assert list(GAME.bots) == [*POLICIES, "best"]
    match = play(start("9S"), "lower 3S", "higher 3D")  # two guesses, one of them right
    chosen = {
        name: bot(view_for(GAME, match, "ann"), (), GameRng.new(b"", 0, 0)).type for name, bot in GAME.bots.items()
    }

    assert chosen == {
        "cash_out_at_once": "cash_out",
        "one_guess": "cash_out",
        "three_guesses": "higher",
        "streak_1": "cash_out",
        "streak_3": "higher",
        "streak_5": "higher",
        "patient": "higher",
        "best": "cash_out",
    }


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.HI_LO, True, (1, 1_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {
        "higher": 0,
        "lower": 1,
        "cash_out": 2,
        "same": 3,
    }
    policies = ["one_guess", "three_guesses", "streak_1", "streak_3", "streak_5", "best"]
    assert [row.policy for row in GAME.odds() if row.bet == "stake"] == policies
    assert [row.policy for row in GAME.super_odds()] == policies
    assert make_table(5, GAME, {"commission_bps": 500}).stake_max == 1_000


@pytest.mark.parametrize(
    ("first", "steps", "text"),
    [
        ("5S", ("higher KH",), "5♠ to K♥: higher was right; the pot is ×1.5, a cash-out pays 148"),
        ("5S", ("higher 5H",), "5♠ to 5♥: higher pushed, the ranks are equal; the pot is ×1, a cash-out pays 100"),
        ("5S", ("lower KH",), "5♠ to K♥: lower was wrong; lost 100"),
        ("5S", ("higher KH", "cash_out"), "cashed out at ×1.5: 148 back; won 48"),
        ("5S", ("cash_out",), "cashed out at ×1: 100 back; push"),
        ("5S", ("time_out",), "cashed out at ×1: 100 back; push"),
        (
            "AS",
            ("same AS",) * 5,
            "A♠ to A♠: same was right; cashed out by itself at ×248,832: 24,136,707 back; won 24136607",
        ),
    ],
)
def test_the_log_says_what_the_card_did_and_what_the_pot_is_worth(first, steps, text):
    before = play(start(first), *steps[:-1])
    after = play(before, steps[-1])

    assert GAME.describe(act(steps[-1].split()[0]), before, after) == text


def test_the_log_of_a_super_session_names_the_boost():
    before = play(start("7S", super_mode=True), "higher 9S", "lower AS")
    after = play(before, "cash_out")

    assert GAME.describe(act("cash_out"), before, after) == "cashed out at ×3, boost ×1.0024: 294 back; won 194"


def shown(match: Match[Any]) -> list[str]:
    return GAME.render(view_for(GAME, match, "ann")).splitlines()


def test_the_table_shows_the_card_the_pot_and_what_is_on_offer():
    assert shown(play(start("5S"), "higher KH")) == [
        "  ╭───────╮",
        "  │ [bold red]K    [/] │   [default]5♠[/] [cyan]▲[/cyan]",
        "  │   [bold red]♥[/]   │   the pot is [bold]×1.5[/bold] (1 right)",
        "  │ [bold red]    K[/] │   a cash-out pays [bold green]148[/bold green]"
        "[dim] after 3 % commission on the profit[/dim]",
        "  ╰───────╯",
        "  [cyan]▼[/cyan] lower          ×1  [dim]with 12 of 13 ranks[/dim]",
        "  [cyan]=[/cyan] same          ×12  [dim]with 1 of 13 ranks[/dim]",
        "  [dim]after higher or lower an equal rank leaves the pot as it is[/dim]",
        "  stake                     100  [dim]open[/dim]",
    ]


def test_the_table_shows_how_a_session_ended():
    lost, cashed = shown(play(start("5S"), "higher 3H")), shown(play(start("5S"), "higher KH", "cash_out"))

    assert lost[2] == "  │   [bold red]♥[/]   │   [bold red]higher was wrong[/bold red] after 0 right"
    assert lost[-1] == "  stake                     100  [red]returned 0[/red]"
    assert cashed[2] == "  │   [bold red]♥[/]   │   cashed out at [bold]×1.5[/bold] (1 right)"
    assert cashed[-1] == "  stake                     100  [green]returned 148[/green]"


def test_a_long_run_fits_eighty_columns():
    match = play(start("7S", 100_000, super_mode=True), *("higher 10D", "lower 7D") * 6)
    rows = [re.sub(r"\[[a-z/ ]*\]", "", row) for row in shown(match)]

    assert rows[1] == "  │ 7     │   … 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼"
    assert max(map(len, rows)) <= 80
