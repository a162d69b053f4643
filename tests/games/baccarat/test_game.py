"""Baccarat at the table: every action and refusal, what each bet brings back, super mode, payloads, chips."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.errors import BadOptions
from croupier.games.baccarat import Baccarat, rules
from croupier.games.baccarat.bets import BETS
from croupier.games.baccarat.odds import banker_edge
from croupier.games.baccarat.options import BaccaratOptions
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
from croupier.kit.cards import parse_card
from croupier.rng import GameRng
from croupier.testing import HouseKit, check_game, place, returned

SEED = bytes(range(32))
GAME = Baccarat()
KIT = HouseKit(GAME)
start, do, refusal = KIT.start, KIT.do, KIT.refusal
ALL_OPTIONS: list[Any] = [{"tie_pays": tie, "pair_pays": pair} for tie in (9, 8) for pair in (12, 11)]


class SuperBaccarat(Baccarat):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(0, True)


def dealing(cards: str) -> ScriptedRng:
    """Return a stream that deals these cards, in the order of the draw."""
    pack = sorted(list(range(52)) * 8)
    entries = []
    for name in cards.split():
        place = pack.index(parse_card(name))
        entries.append(place)
        pack[place] = pack[-1]
        pack.pop()
    return ScriptedRng(entries)


def batch(**bets: int) -> Any:
    return act("batch", bets=[{"bet": bet, "stake": stake} for bet, stake in bets.items()])


# Betting.


def test_a_session_starts_with_no_cards_and_no_chips():
    match = start()

    assert match.turn.phase == "betting"
    assert (match.game.player, match.game.banker) == ((), ())
    assert (match.game.money.staked, match.game.money.open) == (0, ())


def test_chips_on_the_same_bet_add_up():
    match = do(start(), place("player", 100), place("tie", 5), place("player", 20))

    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("player", 120), ("tie", 5)]
    assert match.game.money.staked == 125


def test_clearing_the_table_gives_every_stake_back():
    match = do(start(), place("player", 100), place("tie", 5), act("clear"))

    assert match.game.money.open == ()
    assert (match.game.money.staked, match.game.money.returned, match.game.money.lines) == (0, 0, ())
    assert do(match, place("banker", 7)).game.money.staked == 7


def test_all_ten_bets_can_be_down_at_once():
    match = do(start(), *(place(bet, 3) for bet in BETS))

    assert len(match.game.money.open) == 10
    assert do(match, act("deal")).status == "finished"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (act("deal"), "no_bets"),
        (act("clear"), "no_bets"),
        (place("draw", 5), "unknown_bet"),
        (place("straight:17", 5), "unknown_bet"),
        (place("player", 0), "bad_payload"),
        (place("player", -5), "bad_payload"),
        (place("player", 2**63), "bad_payload"),
        (place("player", True), "bad_payload"),
        (act("place", bet="player"), "bad_payload"),
        (batch(), "bad_payload"),
        (act("batch", bets=[{"bet": "tie", "stake": 1}] * 2), "bet_twice"),
        (act("batch", bets=[{"bet": "tie", "stake": 1}] * 11), "bad_payload"),
        (act("batch", bets=[{"bet": "tie", "stake": 1, "number": 0}]), "bad_payload"),
        (batch(player=5, nobody=5), "unknown_bet"),
        (batch(player=5, tie=0), "bad_payload"),
        (act("war"), "unknown_action"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(action, code):
    assert refusal(start(), action) == code


def test_a_batch_is_refused_when_bets_are_down():
    assert refusal(do(start(), place("tie", 5)), batch(player=5)) == "bets_are_down"


def test_nothing_can_be_done_once_the_cards_are_dealt():
    match = do(start(), batch(player=10))

    for action in (place("player", 1), act("deal"), act("clear"), batch(player=10)):
        assert refusal(match, action) == "finished"


@pytest.mark.parametrize(
    ("action", "cover", "code"),
    [
        (place("player", 101), Cover(funds=100), "insufficient_funds"),
        (batch(player=60, tie=41), Cover(funds=100), "insufficient_funds"),
        (place("player", 4), Cover(stake_min=5), "under_limit"),
        (place("player", 501), Cover(stake_max=500), "over_limit"),
        # Tie returns 100, the pair bet 130: 230 in all.
        (batch(tie=10, player_pair=10), Cover(exposure_max=229), "exposure_limit"),
    ],
)
def test_chips_that_are_not_covered_are_refused_before_anything_is_drawn(action, cover, code):
    assert refusal(start(), action, cover) == code


def test_chips_that_are_just_covered_are_taken():
    cover = Cover(funds=20, stake_min=10, stake_max=10, exposure_max=230)

    assert do(start(), batch(tie=10, player_pair=10), cover=cover).status == "finished"


def test_more_chips_on_a_bet_are_held_to_the_limit_of_the_bet():
    match = do(start(), place("player", 400))

    assert refusal(match, place("player", 101), Cover(stake_max=500)) == "over_limit"
    assert do(match, place("player", 100), cover=Cover(stake_max=500)).game.money.staked == 500


# The deal.

ROUNDS = {
    # Player 1, Player 2, Banker 1, Banker 2, then third cards; and what 10 chips bring back, the bets left out lose.
    "a natural eight": ("4S 4H KD 7C", {"player": 20, "player_pair": 130, "player_dragon": 20}),
    "two natural nines": (
        "9S KS 9H QH",
        {"player": 10, "banker": 10, "tie": 100, "player_dragon": 10, "banker_dragon": 10},
    ),
    "an ordinary tie": ("6S KS 6H QH", {"player": 10, "banker": 10, "tie": 100}),
    "a Banker six of two cards": ("2S 3H 10D 6C KC", {"banker": 15, "lucky_six": 130}),
    "a Banker six of three cards": ("KS QH 2D AC 2H 3S", {"banker": 15, "lucky_six": 240, "banker_dragon": 20}),
    "a three-card eight": ("AS 2H KD 7C 5S", {"player": 20, "panda_eight": 260}),
    "a win by nine": ("4S KH KD QC 5S JS", {"player": 20, "player_dragon": 310}),
    "a win by eight": ("KS QH 2D KC KD 6C", {"banker": 20, "banker_dragon": 110}),
    "a win by seven": ("KS QH 2D KC KD 5C", {"banker": 20, "banker_dragon": 70}),
    "a win by six": ("2S KH KD QC 4S JS", {"player": 20, "player_dragon": 50}),
    "a win by five": ("KS QH 5D KC KD", {"banker": 20, "banker_dragon": 30}),
    "one identical pair": ("QH QH 6D KC 3S", {"banker": 15, "player_pair": 130, "perfect_pair": 260, "lucky_six": 130}),
    "two identical pairs": (
        "4H 4H 4H 4H",
        {
            "player": 10,
            "banker": 10,
            "tie": 100,
            "player_pair": 130,
            "banker_pair": 130,
            "player_dragon": 10,
            "banker_dragon": 10,
            "perfect_pair": 2510,
        },
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_ten_chips_on_every_bet_bring_back(name):
    cards, expected = ROUNDS[name]

    stream = dealing(cards)
    match = do(start(), *(place(bet, 10) for bet in BETS))
    match = do(match, act("deal"), rng=stream)

    assert len(stream.bounds) == len(cards.split())
    assert returned(match) == {bet: expected.get(bet, 0) for bet in BETS}
    assert match.game.money.finished
    assert match.game.money.net == sum(expected.values()) - 100


def test_cards_are_kept_by_hand_in_the_order_they_were_drawn():
    match = do(start(), batch(player=1), rng=dealing("KS QH 2D AC 2H 3S"))

    assert match.game.player == tuple(map(parse_card, ("KS", "QH", "2H")))
    assert match.game.banker == tuple(map(parse_card, ("2D", "AC", "3S")))


def test_a_batch_brings_what_the_same_bets_bring_one_by_one():
    cards = "QH QH 6D KC 3S"
    bets = dict.fromkeys(BETS, 7)

    one_by_one = do(do(start(), *(place(bet, 7) for bet in BETS)), act("deal"), rng=dealing(cards))
    at_once = do(start(), batch(**bets), rng=dealing(cards))

    assert at_once.game == one_by_one.game


def test_the_deal_draws_from_the_stream_of_its_move():
    by_batch = do(start(session_id=5), batch(player=10))
    after_one_bet = do(start(session_id=5), place("player", 10), act("deal"))

    for move, match in ((1, by_batch), (2, after_one_bet)):
        pack, cards = sorted(list(range(52)) * 8), [0] * 6
        rules.deal_round(GameRng.new(SEED, 5, move), pack, 416, cards)
        assert list(match.game.slots) == cards
    assert by_batch.game.slots != after_one_bet.game.slots


def test_tie_and_pairs_pay_what_the_options_say():
    match = do(
        start(options={"tie_pays": 8, "pair_pays": 11}), batch(tie=10, player_pair=10), rng=dealing("4H 4H 4H 4H")
    )

    assert returned(match) == {"tie": 90, "player_pair": 120}


def test_half_of_one_chip_is_nothing_when_banker_wins_with_six():
    match = do(start(), batch(banker=1), rng=dealing("2S 3H 10D 6C KC"))

    assert returned(match) == {"banker": 1}
    assert match.result is not None
    assert match.result.reason == "push"


@pytest.mark.parametrize("options", [{"tie_pays": 10}, {"pair_pays": 13}, {"decks": 6}, {"tie_pays": "9"}])
def test_options_that_are_not_on_the_list_are_refused(options):
    with pytest.raises(BadOptions):
        start(options=options)


# Super mode. Session 14 lights the queen of hearts times 3, the two of diamonds times 5, the eight of hearts times 3
# (sheet, section 13).


def super_round(cards: str, **bets: int) -> Match[Any]:
    return do(start(super_mode=True, session_id=14), batch(**bets), rng=dealing(cards))


@pytest.mark.parametrize(
    ("cards", "bet", "expected"),
    [
        ("8H KS KC 7D", "player", 10 + 30),
        ("8H QH KC 7D", "player", 10 + 90),
        ("8S KS KC 7D", "player", 10 + 10),
        ("8S KS KC QH", "player", 10 + 10),  # the queen is in the other hand
        ("2D 2D KC KD 5C JS", "player", 10 + 250),  # a lit card dealt twice counts twice
        ("8H KS KC 9D", "player", 0),
        ("8H KS QH 8C", "player", 10),  # a push is never boosted
        ("KS 7D QH 9C", "banker", 10 + 30),
        ("2S 3H QH 6C KC", "banker", 10 + 15),  # half on six, then boosted
        ("9H KS QS 9C", "tie", 10 + 60),  # 6 to 1 instead of 9 to 1
        ("8H KS QH 8C", "tie", 10 + 540),  # the cards of both hands
        ("8H KS QH 8C", "player_dragon", 10),
        ("8H 8H KC 7D", "perfect_pair", 10 + 250),
    ],
)
def test_a_boost_multiplies_the_profit_of_a_winning_eligible_bet(cards, bet, expected):
    assert returned(super_round(cards, **{bet: 10})) == {bet: expected}


def test_the_fee_is_a_fifth_of_the_eligible_stakes_alone():
    match = super_round("8S KS KC 7D", player=100, banker=50, tie=5, lucky_six=33)

    assert match.game.money.fees == 31
    assert match.game.money.staked == 188


def test_eligible_stakes_of_a_super_session_are_multiples_of_five():
    match = start(super_mode=True)

    for bet in ("player", "banker", "tie"):
        assert refusal(match, place(bet, 12)) == "super_stake"
    assert do(match, place("panda_eight", 12)).game.money.staked == 12


def test_the_fee_has_to_be_covered_too():
    match = start(super_mode=True)

    assert refusal(match, place("player", 100), Cover(funds=119)) == "insufficient_funds"
    assert do(match, place("player", 100), cover=Cover(funds=120)).game.money.fees == 20


def test_the_house_must_cover_the_largest_boost():
    match = start(super_mode=True)

    assert refusal(match, place("tie", 5), Cover(exposure_max=5 * (1 + 6 * 512) - 1)) == "exposure_limit"
    assert do(match, place("tie", 5), cover=Cover(exposure_max=5 * (1 + 6 * 512))).game.money.staked == 5


def test_lit_cards_are_shown_with_the_result_and_not_before():
    match = do(start(super_mode=True, session_id=14), place("player", 5))
    assert match.game.lit == ()

    lit = do(match, act("deal")).game.lit

    assert [(entry.kind.name, entry.id, entry.multiplier) for entry in lit] == [
        ("CARD", 24, 3),
        ("CARD", 27, 5),
        ("CARD", 20, 3),
    ]
    assert lit == generate_super_multipliers(GAME, SEED, 14)


def test_a_plain_session_lights_nothing():
    match = do(start(session_id=14), batch(player=10), rng=dealing("8H KS KC 7D"))

    assert (match.game.lit, match.game.money.fees, returned(match)) == ((), 0, {"player": 20})


def test_no_bet_brings_back_more_than_its_largest_return():
    """Every bet reaches it in some round; the largest boosts are counted rather than dealt."""
    best = {
        "lucky_six": ("KS QH 2D AC 2H 3S", 24),
        "player_dragon": ("4S KH KD QC 5S JS", 31),
        "banker_dragon": ("KD QC 3S KH JS 6S", 31),
        "panda_eight": ("AS 2H KD 7C 5S", 26),
        "perfect_pair": ("4H 4H 4H 4H", 251),
        "tie": ("4H 4H 4H 4H", 10),
        "player_pair": ("4H 4H 4H 4H", 13),
        "banker_pair": ("4H 4H 4H 4H", 13),
        "player": ("8S KS KC 7D", 2),
        "banker": ("KC 7D 8S KS", 2),
    }
    for bet, (cards, most) in best.items():
        assert rules.return_max(BETS[bet][0], 1, 9, 12, False) == most
        assert returned(do(start(), batch(**{bet: 10}), rng=dealing(cards))) == {bet: 10 * most}
    assert [rules.return_max(kind, 1, 9, 12, True) for kind in range(3)] == [513, 513, 3073]
    assert sum(rules.return_max(kind, 1, 9, 12, True) for kind in range(10)) == 4488


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "action"),
    [
        ("0100000000000000000064", place("player", 100)),
        ("0100090000000000000001", place("perfect_pair", 1)),
        ("0101", act("deal")),
        ("0102", act("clear")),
        ("010302000000000000000064020000000000000005", batch(player=100, tie=5)),
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
        "0104",  # no such opcode
        "01000a0000000000000064",  # the sheet's second code for Perfect pair is not taken
        "01000000000000000064",  # a byte short
        "010000000000000000006400",
        "010100",
        "0100000000000000000000",  # no chips
        "010000ffffffffffffffff",  # more than there can be
        "010300",
        "010302000000000000000064",
        "0103020000000000000000640000000000000000640000",
    ],
)
def test_other_bytes_are_an_invalid_payload(payload):
    with pytest.raises(GameError) as no:
        process_game_move(opened(), bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


def opened(super_mode: bool = False) -> Any:
    session = open_session(GAME, player="ann", session_id=3, seed=SEED, super_mode=super_mode)
    session, result = init_game(session, GameRng.new(SEED, 3, 0))
    return settle(session, result)


def test_results_tell_what_each_move_did_to_the_money():
    session = opened()
    seen: list[Any] = []
    for payload, cards in (
        ("0100000000000000000064", None),
        ("0100010000000000000032", None),
        ("0102", None),
        ("0100020000000000000005", None),
        ("0101", "9S KS 9H QH"),
    ):
        rng = None if cards is None else dealing(cards)
        session, result = process_game_move(session, bytes.fromhex(payload), rng)
        session = settle(session, result)
        seen.append(result)

    assert [type(result) for result in seen] == [ContinueWithUpdate] * 4 + [Win]
    assert [result.payout for result in seen[:4]] == [-100, -50, 150, -5]
    assert seen[4].amount == 50
    assert seen[4].logs[0].startswith("Player 9♠ K♠ is 9, Banker 9♥ Q♥ is 9: a tie; tie pays 45 (a tie, 9 to 1)")


@pytest.mark.parametrize(
    ("bets", "cards", "expected"),
    [
        ({"player": 100, "banker": 40}, "9S KS 9H QH", Push(140)),
        ({"player": 100, "tie": 1}, "9S KS 9H QH", Win(110)),
        ({"player": 10, "tie": 90}, "8S KS KC 7D", Win(20)),  # it may be less than was staked
        ({"player": 100, "banker": 100}, "8S KS KC 7D", Push(200)),  # one wins what the other loses
        ({"banker": 100, "tie": 7}, "8S KS KC 7D", LossPreDeducted(107)),
    ],
)
def test_a_round_ends_in_the_result_that_its_money_says(bets, cards, expected):
    _, result = process_game_move(opened(), batch(**bets), dealing(cards))

    assert replace(result, logs=()) == expected


def test_opening_moves_no_chips():
    session = open_session(GAME, player="ann", session_id=3, seed=SEED)

    assert init_game(session, GameRng.new(SEED, 3, 0))[1] == Continue()


def test_chips_are_conserved_over_plain_and_super_sessions():
    """Sixty sessions through the house; the player's chips are the first thousand and what was won, less fees."""
    state, tables = MemoryState(), {0: make_table(0, GAME)}
    moment, expected = 0, 1000

    def tell(body: Any) -> tuple[Any, ...]:
        nonlocal moment
        moment += 1
        return execute(state, Instruction("ann", body), SEED, moment, tables=tables)

    tell(Register())
    for session_id in range(60):
        if session_id % 2:
            tell(PlayerAction("super"))
        tell(StartGame(0, 0, session_id))
        bets = {"player": 5} if session_id % 3 else {"banker": 5, "tie": 5, "lucky_six": 1}
        events = tell(GameMove(session_id, encode_payload(GAME, batch(**bets))))
        done = next(event for event in events if type(event).__name__ == "GameCompleted")
        expected += done.net - done.fees
        assert done.balances.chips == expected
        check_ledger(state)
    check_ledger(state, thorough=True)


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=4, options=ALL_OPTIONS).actions > 50
    assert check_game(SuperBaccarat(), seeds=4, options=ALL_OPTIONS).actions > 50


def test_hints_offer_stakes_that_are_taken():
    for super_mode, smallest in ((False, 1), (True, 5)):
        match = start(super_mode=super_mode)
        stakes = {action.payload["stake"] for action in legal_actions(GAME, match)}
        assert stakes == {smallest, 10 * smallest}
        span = legal_ranges(GAME, match)["place"]["stake"]
        assert (span.low, span.high, span.step) == (smallest, 10_000, smallest)


def test_an_abandoned_round_is_dealt():
    match = do(start(), place("player", 5))

    assert do(match, act("time_out")).status == "finished"


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.BACCARAT, False, (1, 10_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {
        "place": 0,
        "deal": 1,
        "clear": 2,
        "batch": 3,
    }
    assert [row.bet for row in GAME.odds()] == list(BETS)
    assert [row.bet for row in GAME.super_odds()] == ["player", "banker", "tie"]
    assert make_table(7, GAME, {"tie_pays": 8}).stake_max == 10_000


@pytest.mark.parametrize(
    ("cards", "bets", "text"),
    [
        (
            "2S 3H 10D 6C KC",
            {"banker": 100, "lucky_six": 10, "player": 5},
            "Player 2♠ 3♥ K♣ is 5, Banker 10♦ 6♣ is 6: Banker wins; banker pays 50 (6 beats 5, half); "
            "lucky_six pays 120 (a six of two cards, 12 to 1); lost player; won 165",
        ),
        (
            "4H 4H 4H 4H",
            {"player": 10, "player_dragon": 10, "perfect_pair": 10},
            "Player 4♥ 4♥ is 8, Banker 4♥ 4♥ is 8: a tie; player pushes (a tie); player_dragon pushes (equal "
            "naturals); perfect_pair pays 2,500 (two identical pairs, 250 to 1); won 2500",
        ),
        (
            "KS QH 5D KC KD",
            {"banker_dragon": 10, "banker": 10},
            "Player K♠ Q♥ K♦ is 0, Banker 5♦ K♣ is 5: Banker wins; banker_dragon pays 20 (won by 5, 2 to 1); "
            "banker pays 10 (5 beats 0, 1 to 1); won 30",
        ),
        (
            "QH QH 6D KC 3S",
            {"player_pair": 10, "perfect_pair": 10},
            "Player Q♥ Q♥ 3♠ is 3, Banker 6♦ K♣ is 6: Banker wins; player_pair pays 120 (a pair, 12 to 1); "
            "perfect_pair pays 250 (an identical pair, 25 to 1); won 370",
        ),
        (
            "AS 2H KD 7C 5S",
            {"panda_eight": 10, "player": 10},
            "Player A♠ 2♥ 5♠ is 8, Banker K♦ 7♣ is 7: Player wins; panda_eight pays 250 (an eight of three cards, "
            "25 to 1); player pays 10 (8 beats 7, 1 to 1); won 260",
        ),
        (
            "8S KS KC 7D",
            {"player_dragon": 10},
            "Player 8♠ K♠ is 8, Banker K♣ 7♦ is 7: Player wins; player_dragon pays 10 (a natural, 1 to 1); won 10",
        ),
    ],
)
def test_the_log_says_why_each_bet_was_paid(cards, bets, text):
    before = start()
    answer = apply_action(GAME, before, batch(**bets), rng=dealing(cards))
    assert answer.ok

    assert GAME.describe(answer.action, before, answer.state) == text


def test_the_log_of_a_super_session_names_the_boost():
    before = start(super_mode=True, session_id=14)
    answer = apply_action(GAME, before, batch(tie=10, player=10), rng=dealing("8H KS QH 8C"))
    assert answer.ok

    assert GAME.describe(answer.action, before, answer.state) == (
        "Player 8♥ K♠ is 8, Banker Q♥ 8♣ is 8: a tie; tie pays 540 (a tie, 6 to 1, boosted ×9); "
        "player pushes (a tie); won 540"
    )


def test_the_table_shows_both_hands_and_the_winner():
    match = do(start(), batch(banker=10), rng=dealing("2S 3H 10D 6C KC"))

    assert GAME.render(view_for(GAME, match, "ann")).splitlines() == [
        "  Player [bold] 2♠[/] [red] 3♥[/] [bold] K♣[/]   [bold]5[/bold]",
        "  Banker [red]10♦[/] [bold] 6♣[/]       [bold]6[/bold]  [bold green]wins[/bold green]",
        "  banker                     10  [green]returned 15[/green]",
    ]
    assert GAME.render(view_for(GAME, start(), "ann")).splitlines() == [
        "  Player  [dim]??  ??[/dim]",
        "  Banker  [dim]??  ??[/dim]",
    ]


def percent(chance: Any) -> str:
    return f"{float(chance):.4%}".replace("%", " %")


def test_the_page_gives_the_figures_of_the_odds():
    page = GAME.rules_text()
    rows = {row.bet: row for row in GAME.odds()}

    for bet, row in rows.items():
        (line,) = [line for line in page.splitlines() if line.startswith(f"| `{bet}` |") and line.count("|") == 6]
        assert line.endswith(f"| {percent(row.win)} | {percent(row.edge)} |")
    for row in GAME.super_odds():
        assert f"| `{row.bet}` | {percent(row.edge_per_chip)} |" in page
    cheap = {row.bet: row for row in GAME.odds(BaccaratOptions(tie_pays=8, pair_pays=11))}
    assert f"at 8 its edge is {percent(cheap['tie'].edge)}" in page
    assert f"at 11 their edge is {percent(cheap['player_pair'].edge)}" in page
    assert f"{percent(banker_edge(1))} on one chip\nand {percent(banker_edge(101))} on 101" in page
