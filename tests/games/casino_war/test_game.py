"""Casino war at the table: every action and refusal, what each bet brings back, super mode, payloads, chips."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.games.casino_war import CasinoWar, rules
from croupier.games.casino_war.options import CasinoWarOptions
from croupier.house import (
    Continue,
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    GameMove,
    GameType,
    Instruction,
    Loss,
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
GAME = CasinoWar()
KIT = HouseKit(GAME, stake=100)
start, do, refusal = KIT.start, KIT.do, KIT.refusal
ALL_OPTIONS: list[Any] = [{"tie_pays": pays, "second_tie_bonus": bonus} for pays in (10, 11) for bonus in (True, False)]
PLAY, WAR, SURRENDER = act("play"), act("war"), act("surrender")


class SuperWar(CasinoWar):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(10, True)


def cards_of(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def dealing(names: str, tied: str = "") -> ScriptedRng:
    """Return a stream that deals these cards in order, from six decks without the two that tied."""
    pack = sorted(list(range(52)) * 6)
    for card in cards_of(tied):
        pack.remove(card)
    entries = []
    for card in cards_of(names):
        place = pack.index(card)
        entries.append(place)
        pack[place] = pack[-1]
        pack.pop()
    return ScriptedRng(entries)


def tie_bet(stake: int) -> Any:
    return act("tie_bet", stake=stake)


def lines(match: Match[Any]) -> list[tuple[str, int, int]]:
    return [(line.bet, line.stake, line.returned) for line in match.game.money.lines]


def tied(cards: str = "9S 9H", **terms: Any) -> Match[Any]:
    """Return a session whose first cards tied."""
    return do(start(**terms), PLAY, rng=dealing(cards))


# Opening.


def test_the_opening_stake_lies_on_the_main_bet():
    match = start(100)

    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("main", 100)]
    assert (match.game.money.opening, match.game.money.staked, match.turn.phase) == (100, 100, "deal")


@pytest.mark.parametrize(
    ("stake", "super_mode", "cover", "code"),
    [
        (0, False, None, "stake_too_small"),
        (101, False, Cover(funds=100), "insufficient_funds"),
        (100, True, Cover(funds=119), "insufficient_funds"),
        (4, False, Cover(stake_min=5), "under_limit"),
        (501, False, Cover(stake_max=500), "over_limit"),
        (100, False, Cover(exposure_max=199), "exposure_limit"),
        (100, True, Cover(exposure_max=399), "exposure_limit"),
        (12, True, None, "super_stake"),
    ],
)
def test_an_opening_stake_that_is_not_covered_is_refused(stake, super_mode, cover, code):
    with pytest.raises(Refusal) as no:
        start(stake, super_mode=super_mode, cover=cover)
    assert no.value.code == code


def test_an_opening_stake_that_is_just_covered_is_taken():
    assert start(100, super_mode=True, cover=Cover(120, 100, 100, 400)).game.money.fees == 20


@pytest.mark.parametrize("options", [{"tie_pays": 12}, {"second_tie_bonus": 1}, {"decks": 8}])
def test_options_that_are_not_on_the_list_are_refused(options):
    with pytest.raises(BadOptions):
        start(options=options)


# The tie bet.


def test_a_tie_bet_replaces_the_one_before_it():
    match = do(start(), tie_bet(10), tie_bet(25))

    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("main", 100), ("tie", 25)]
    assert match.game.money.staked == 125


def test_a_tie_bet_of_nothing_takes_it_back():
    match = do(start(), tie_bet(10), tie_bet(0))

    assert [stake.bet for stake in match.game.money.open] == ["main"]
    assert (match.game.money.staked, match.game.money.returned) == (100, 0)
    assert do(match, tie_bet(0)).game == match.game


def test_chips_on_the_old_tie_bet_pay_for_the_new_one():
    match = do(start(), tie_bet(10))

    assert refusal(match, tie_bet(16), Cover(funds=5)) == "insufficient_funds"
    assert do(match, tie_bet(15), cover=Cover(funds=5)).game.money.staked == 115
    assert do(match, tie_bet(3), cover=Cover(funds=0)).game.money.staked == 103


@pytest.mark.parametrize(
    ("stake", "cover", "code"),
    [
        (-1, None, "bad_payload"),
        (2**63, None, "bad_payload"),
        (True, None, "bad_payload"),
        (11, Cover(funds=10), "insufficient_funds"),
        (4, Cover(stake_min=5), "under_limit"),
        (501, Cover(stake_max=500), "over_limit"),
        (10, Cover(exposure_max=200 + 109), "exposure_limit"),
    ],
)
def test_a_tie_bet_that_is_not_covered_is_refused(stake, cover, code):
    assert refusal(start(), tie_bet(stake), cover) == code


# The deal.


@pytest.mark.parametrize(
    ("cards", "outcome", "expected"),
    [
        ("AS KS", "won", 200),
        ("3C 2D", "won", 200),
        ("KS AS", "lost", 0),
        ("2S AH", "lost", 0),
        ("10D JD", "lost", 0),
    ],
)
def test_the_higher_card_wins_even_money_and_ends_the_session(cards, outcome, expected):
    match = do(start(), PLAY, rng=dealing(cards))

    assert match.status == "finished"
    assert (match.game.outcome, [*match.game.player, *match.game.dealer]) == (outcome, cards_of(cards))
    assert lines(match) == [("main", 100, expected)]


@pytest.mark.parametrize("cards", ["AS KS", "KS AS"])
def test_a_tie_bet_is_lost_with_the_deal(cards):
    match = do(do(start(), tie_bet(10)), PLAY, rng=dealing(cards))

    assert lines(match)[0] == ("tie", 10, 0)
    assert match.game.money.open == ()


@pytest.mark.parametrize(("pays", "expected"), [(10, 110), (11, 120)])
def test_equal_ranks_pay_the_tie_bet_at_once_and_lead_to_war(pays, expected):
    match = do(do(start(options={"tie_pays": pays}), tie_bet(10)), PLAY, rng=dealing("9S 9H"))

    assert (match.status, match.turn.phase, match.game.outcome) == ("active", "war", "tied")
    assert lines(match) == [("tie", 10, expected)]
    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("main", 100)]


def test_the_same_card_of_two_decks_ties():
    assert tied("9S 9S").turn.phase == "war"


# After a tie.


@pytest.mark.parametrize(("stake", "returned"), [(1, 1), (2, 1), (3, 1), (100, 50), (101, 50)])
def test_surrender_returns_half_rounded_down_but_a_single_chip_whole(stake, returned):
    match = do(tied(stake=stake), SURRENDER)

    assert lines(match) == [("main", stake, returned)]
    assert (match.status, match.game.outcome, match.game.player) == ("finished", "surrendered", (parse_card("9S"),))


@pytest.mark.parametrize(
    ("cards", "bonus", "outcome", "main", "raised"),
    [
        ("2S 3S 4S KD QD", True, "war_won", 100, 200),
        ("2S 3S 4S QD QS", True, "war_tied", 100, 300),
        ("2S 3S 4S QD QS", False, "war_tied", 100, 200),
        ("2S 3S 4S 9D 9C", True, "war_tied", 100, 300),  # on the tied rank again
        ("2S 3S 4S QD KD", True, "war_lost", 0, 0),
        ("AS AH AD 2C 3C", True, "war_lost", 0, 0),  # burned aces help nobody
    ],
)
def test_a_war_pushes_the_main_bet_and_pays_the_raise(cards, bonus, outcome, main, raised):
    stream = dealing(cards, tied="9S 9H")

    match = do(tied(options={"second_tie_bonus": bonus}), WAR, rng=stream)

    assert stream.bounds == [310, 309, 308, 307, 306]
    assert (match.status, match.game.outcome) == ("finished", outcome)
    assert lines(match) == [("main", 100, main), ("raise", 100, raised)]
    assert [*match.game.player, *match.game.dealer] == cards_of("9S {3} 9H {4}".format(*cards.split()))


def test_the_raise_is_taken_before_a_card_is_drawn_or_war_is_refused():
    match = tied()

    assert refusal(match, WAR, Cover(funds=99)) == "insufficient_funds"
    assert do(match, WAR, cover=Cover(funds=100)).game.money.staked == 200
    assert do(match, SURRENDER, cover=Cover(funds=0)).status == "finished"


def test_the_house_must_cover_the_bonus_of_a_second_tie():
    assert refusal(tied(), WAR, Cover(exposure_max=499)) == "exposure_limit"
    assert do(tied(), WAR, cover=Cover(exposure_max=500)).status == "finished"
    no_bonus = tied(options={"second_tie_bonus": False})
    assert do(no_bonus, WAR, cover=Cover(exposure_max=400)).status == "finished"


def test_a_tie_bet_that_was_paid_stays_paid():
    won = do(do(start(), tie_bet(10)), PLAY, rng=dealing("9S 9H"))

    for action in (WAR, SURRENDER):
        match = do(won, action)
        assert lines(match)[0] == ("tie", 10, 110)
        assert match.game.money.staked == sum(line[1] for line in lines(match))


@pytest.mark.parametrize(
    ("match", "action", "code"),
    [
        (start(), WAR, "wrong_phase"),
        (start(), SURRENDER, "wrong_phase"),
        (start(), act("play", stake=5), "bad_payload"),
        (start(), act("deal"), "unknown_action"),
        (tied(), PLAY, "wrong_phase"),
        (tied(), tie_bet(5), "wrong_phase"),
        (tied(), tie_bet(0), "wrong_phase"),
        (do(tied(), SURRENDER), WAR, "finished"),
        (do(tied(), WAR), WAR, "finished"),
        (start(), act("leave"), "bets_open"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(match, action, code):
    assert refusal(match, action) == code


def test_moves_draw_from_streams_of_their_own():
    """Sessions are searched for a tie with a tie bet, which makes the deal move 2 and the war move 3."""
    found = 0
    for session_id in range(200):
        match = do(start(session_id=session_id), tie_bet(1), PLAY)
        assert (match.game.player[0], match.game.dealer[0]) == rules.draw_first(GameRng.new(SEED, session_id, 2))
        if match.turn.phase == "war":
            found += 1
            match = do(match, WAR)
            left = sorted(list(range(52)) * 6)
            for card in (match.game.player[0], match.game.dealer[0]):
                left.remove(card)
            dealt = rules.draw_war(GameRng.new(SEED, session_id, 3), left, 310)
            assert (match.game.player[1], match.game.dealer[1]) == dealt
    assert found > 5


# Super mode. Of 32 zero bytes, session 1 marks the ten, the queen and the jack (casino-core, V13).

MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}


def super_tied(cards: str) -> Match[Any]:
    return tied(cards, **MARKED)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("QS 5H", 300), ("KS 5H", 200), ("KS JH", 200), ("10S KH", 0)],
)
def test_a_marked_card_doubles_a_win_on_the_deal(cards, expected):
    match = do(start(**MARKED), PLAY, rng=dealing(cards))

    assert lines(match) == [("main", 100, expected)]


@pytest.mark.parametrize(
    ("first", "war", "main", "raised"),
    [
        ("QS QH", "KD 2D", 400, 200),  # tied on a marked rank
        ("QS QH", "JD JH", 400, 300),  # the bonus of a second tie is not boosted
        ("9S 9H", "10D 2D", 200, 200),  # the war card alone is marked
        ("9S 9H", "KD JH", 100, 200),  # the dealer's cards do not count
        ("9S 9H", "KD KH", 100, 300),
        ("QS QH", "2D KD", 0, 0),
    ],
)
def test_marked_ranks_boost_a_war_that_is_won(first, war, main, raised):
    match = do(super_tied(first), WAR, rng=dealing(f"2S 3S 4S {war}", tied=first))

    assert lines(match) == [("main", 100, main), ("raise", 100, raised)]


def test_surrender_is_never_boosted():
    assert lines(do(super_tied("QS QH"), SURRENDER)) == [("main", 100, 50)]


def test_only_the_main_bet_pays_the_fee():
    match = do(do(start(**MARKED), tie_bet(33)), PLAY, rng=dealing("9S 9H"))
    match = do(match, WAR)

    assert (match.game.money.fees, match.game.money.staked) == (20, 233)


def test_marked_ranks_are_shown_once_they_cannot_change_the_answer_to_a_tie():
    waiting = do(do(start(**MARKED), tie_bet(5)), PLAY, rng=dealing("QS QH"))
    assert lines(waiting) == [("tie", 5, 55)]
    assert waiting.game.lit == ()

    for match in (do(waiting, WAR), do(waiting, SURRENDER), do(start(**MARKED), PLAY, rng=dealing("QS KH"))):
        assert [lit.id for lit in match.game.lit] == [9, 11, 10]


def test_a_plain_session_marks_nothing():
    match = do(start(seed=bytes(32), session_id=1), PLAY, rng=dealing("QS 5H"))

    assert (match.game.lit, match.game.money.fees, lines(match)) == ((), 0, [("main", 100, 200)])


def test_no_bet_brings_back_more_than_its_largest_return():
    assert [rules.return_max(kind, 1, 10, True, False) for kind in range(3)] == [2, 3, 11]
    assert [rules.return_max(kind, 1, 11, False, False) for kind in range(3)] == [2, 2, 12]
    assert [rules.return_max(kind, 1, 11, True, True) for kind in range(3)] == [4, 3, 12]
    for found in range(7):
        for boost in (1, 2) if found == rules.DEAL_WON else (1, 2, 4):
            assert rules.super_main_return(10, found, boost) <= 40


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "action"),
    [("0100", PLAY), ("0101", WAR), ("0102", SURRENDER), ("0103000000000000000a", tie_bet(10))],
)
def test_actions_have_the_bytes_of_the_sheet_behind_a_version(payload, action):
    assert encode_payload(GAME, action) == bytes.fromhex(payload)
    assert decode_payload(GAME, bytes.fromhex(payload)) == action


def opened(stake: int = 100, super_mode: bool = False) -> Any:
    session = open_session(GAME, player="ann", session_id=0, stake=stake, seed=SEED, super_mode=super_mode)
    session, result = init_game(session, GameRng.new(SEED, 0, 0))
    return settle(session, result)


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "00",
        "01",
        "0200",
        "010000",
        "0103",
        "010300000000000000",
        "0103000000000000000a00",
        "0103ffffffffffffffff",
        "0104",  # sheet, section 13: refused, with and without a stake
        "0104000000000000000a",
        "010502",  # rules are options here
    ],
)
def test_other_bytes_are_an_invalid_payload(payload):
    with pytest.raises(GameError) as no:
        process_game_move(opened(), bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


def test_war_before_a_tie_is_an_invalid_move():
    with pytest.raises(GameError) as no:
        process_game_move(opened(), bytes.fromhex("0101"))
    assert no.value.kind is ErrorKind.INVALID_MOVE


@pytest.mark.parametrize(
    ("stake", "moves", "expected"),
    [
        (100, [("0100", "AS KS")], [Win(200)]),
        (100, [("0100", "KS AS")], [Loss()]),
        (
            100,
            [("0103000000000000000a", ""), ("0100", "KS AS")],
            [ContinueWithUpdate(-10), LossPreDeducted(110)],
        ),
        (
            100,
            [("0103000000000000000a", ""), ("01030000000000000004", ""), ("01030000000000000004", "")],
            [ContinueWithUpdate(-10), ContinueWithUpdate(6), Continue()],
        ),
        (101, [("0100", "9S 9H"), ("0102", "")], [Continue(), Win(50)]),
        (1, [("0100", "9S 9H"), ("0102", "")], [Continue(), Push(1)]),
        (100, [("0100", "9S 9H"), ("0101", "2S 3S 4S KD QD")], [Continue(), Win(300)]),
        (100, [("0100", "9S 9H"), ("0101", "2S 3S 4S QD QS")], [Continue(), Win(400)]),
        (100, [("0100", "9S 9H"), ("0101", "2S 3S 4S QD KD")], [Continue(), LossPreDeducted(200)]),
        (
            100,
            [("0103000000000000000a", ""), ("0100", "9S 9H"), ("0101", "2S 3S 4S QD KD")],
            [ContinueWithUpdate(-10), ContinueWithUpdate(110), LossPreDeducted(100)],
        ),
        (
            100,
            [("01030000000000000014", ""), ("0100", "9S 9H"), ("0101", "2S 3S 4S QD KD")],
            [ContinueWithUpdate(-20), ContinueWithUpdate(220), Push(0)],  # the tie bet won what the war lost
        ),
    ],
)
def test_results_tell_what_each_move_did_to_the_money(stake, moves, expected):
    session, seen = opened(stake), []
    for payload, cards in moves:
        rng = dealing(cards, tied="9S 9H" if payload == "0101" else "") if cards else None
        session, result = process_game_move(session, bytes.fromhex(payload), rng)
        session = settle(session, result)
        seen.append(replace(result, logs=()))

    assert seen == expected


def test_opening_is_booked_as_the_stake_and_nothing_else():
    session = open_session(GAME, player="ann", session_id=0, stake=100, seed=SEED)

    assert init_game(session, GameRng.new(SEED, 0, 0))[1] == Continue()


def test_chips_are_conserved_over_plain_and_super_sessions():
    """Eighty sessions through the house; the player's chips are the first thousand and what was won, less fees."""
    state, tables = MemoryState(), {2: make_table(2, GAME)}
    moment, expected, wars = 0, 1000, 0

    def tell(body: Any) -> tuple[Any, ...]:
        nonlocal moment
        moment += 1
        events = execute(state, Instruction("ann", body), SEED, moment, tables=tables)
        check_ledger(state)
        return events

    tell(Register())
    for session_id in range(80):
        if session_id % 2:
            tell(PlayerAction("super"))
        tell(StartGame(2, 10, session_id))
        tell(GameMove(session_id, encode_payload(GAME, tie_bet(1))))
        events = tell(GameMove(session_id, encode_payload(GAME, PLAY)))
        if len(events[0].lines) == 1:
            wars += 1
            events = tell(GameMove(session_id, encode_payload(GAME, WAR if session_id % 3 else SURRENDER)))
        done = next(event for event in events if type(event).__name__ == "GameCompleted")
        expected += done.net - done.fees
        assert done.balances.chips == expected
    assert wars > 2
    check_ledger(state, thorough=True)


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=10, options=ALL_OPTIONS).actions > 50
    assert check_game(SuperWar(), seeds=10, options=ALL_OPTIONS).actions > 50


def test_the_choices_are_those_of_the_phase():
    def names(match: Match[Any]) -> list[tuple[str, Any]]:
        return [(action.type, action.payload.get("stake")) for action in legal_actions(GAME, match)]

    assert names(start()) == [("play", None), ("tie_bet", 1), ("tie_bet", 10)]
    assert names(do(start(), tie_bet(5))) == [("play", None), ("tie_bet", 1), ("tie_bet", 10), ("tie_bet", 0)]
    assert names(tied()) == [("war", None), ("surrender", None)]
    span = legal_ranges(GAME, start())["tie_bet"]["stake"]
    assert (span.low, span.high) == (0, 5_000)
    assert legal_ranges(GAME, tied()) == {}


def test_a_player_who_is_away_never_pays_more_than_was_staked():
    match = tied()

    closed = do(match, act("time_out"), cover=Cover(funds=0))

    assert closed.game.outcome == "surrendered"
    assert do(start(), act("time_out")).game.outcome is not None


def test_both_policies_are_bots():
    match = tied()
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)

    chosen = {name: bot(view, legal, GameRng.new(b"", 0, 0)).type for name, bot in GAME.bots.items()}

    assert chosen == {"always_war": "war", "always_surrender": "surrender"}


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.CASINO_WAR, True, (1, 5_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {
        "play": 0,
        "war": 1,
        "surrender": 2,
        "tie_bet": 3,
    }
    assert [(row.bet, row.policy) for row in GAME.odds()] == [
        ("main", "always_war"),
        ("main", "always_surrender"),
        ("tie", "-"),
    ]
    assert [(row.bet, row.policy) for row in GAME.super_odds()] == [
        ("main", "always_war"),
        ("main", "always_surrender"),
    ]
    assert make_table(7, GAME, {"tie_pays": 11}).stake_max == 5_000


def told(match: Match[Any], action: Any, rng: GameRng | None = None) -> str:
    answer = apply_action(GAME, match, action, rng=rng)
    assert answer.ok
    return GAME.describe(answer.action, match, answer.state)


def test_the_log_says_why_each_bet_was_paid():
    with_tie_bet = do(start(), tie_bet(10))

    assert told(start(), PLAY, dealing("AS KS")) == "A♠ beats K♠; main pays 100, 1 to 1; won 100"
    assert told(with_tie_bet, PLAY, dealing("KS AS")) == "K♠ loses to A♠; tie loses; main loses; lost 110"
    assert told(with_tie_bet, PLAY, dealing("9S 9H")) == (
        "9♠ ties with 9♥; tie pays 100, 10 to 1; surrender half, or go to war?"
    )
    assert told(tied(stake=101), SURRENDER) == "surrendered after 9♠ tied with 9♥; main gives 50 of 101 back; lost 51"
    assert told(tied(), WAR, dealing("2S 3S 4S KD QD", "9S 9H")) == (
        "K♦ wins the war against Q♦; main pushes; raise pays 100, 1 to 1; won 100"
    )
    assert told(tied(), WAR, dealing("2S 3S 4S QD QS", "9S 9H")) == (
        "Q♦ wins the war, tied again with Q♠; main pushes; raise pays 200, 2 to 1 with the bonus; won 200"
    )
    assert told(tied(), WAR, dealing("2S 3S 4S QD KD", "9S 9H")) == (
        "Q♦ loses the war to K♦; main loses; raise loses; lost 200"
    )


def test_the_log_of_a_super_session_names_the_boost():
    assert told(start(**MARKED), PLAY, dealing("QS 5H")) == "Q♠ beats 5♥; main pays 200, the win boosted ×2; won 200"
    assert told(start(**MARKED), PLAY, dealing("KS 5H")) == "K♠ beats 5♥; main pays 100, 1 to 1; won 100"
    assert told(super_tied("QS QH"), WAR, dealing("2S 3S 4S KD 2D", "QS QH")) == (
        "K♦ wins the war against 2♦; main pays 300, the win boosted ×4; raise pays 100, 1 to 1; won 400"
    )


def test_the_table_shows_the_cards_and_the_choice():
    assert GAME.render(view_for(GAME, tied(), "ann")).splitlines() == [
        "  You       [bold]  9♠[/]",
        "  Dealer    [red]  9♥[/]",
        "  [bold yellow]A tie: surrender half the bet, or raise it and go to war.[/bold yellow]",
        "  main                      100  [dim]open[/dim]",
    ]
    at_war = do(tied(), WAR, rng=dealing("2S 3S 4S KD 10S", "9S 9H"))
    assert GAME.render(view_for(GAME, at_war, "ann")).splitlines()[:3] == [
        "  [dim]          deal   war[/dim]",
        "  You       [bold]  9♠[/]  [red]  K♦[/]",
        "  Dealer    [red]  9♥[/]  [bold] 10♠[/]",
    ]
    assert GAME.render(view_for(GAME, start(), "ann")).splitlines()[0] == "  You       [dim]  ??[/dim]"


def percent(chance: Any) -> str:
    return f"{float(chance):.4%}".replace("%", " %")


def test_the_page_gives_the_figures_of_the_odds():
    page = GAME.rules_text()
    war, surrender, tie = GAME.odds()

    for start_of_row, row in (("`main` | go to war", war), ("`main` | surrender", surrender), ("`tie` |", tie)):
        figures = f"{percent(row.win)} | {percent(row.edge)} | {percent(row.edge_per_chip)} |"
        assert f"| {start_of_row} | {figures}" in page
    for answer, row in zip(("go to war", "surrender"), GAME.super_odds(), strict=True):
        assert f"| {answer} | {percent(row.edge)} | {percent(row.edge_per_chip)} |" in page
    cheap_war, _, cheap_tie = GAME.odds(CasinoWarOptions(tie_pays=11, second_tie_bonus=False))
    assert f"at 11 its edge is {percent(cheap_tie.edge)}" in page
    assert f"without it going to war costs {percent(cheap_war.edge)}" in page
    assert f"war {float(war.edge / tie.win) * 100:.1f} % of it on average" in page
