"""Video poker at the table: the deal, every hold and refusal, what hands bring back, super mode, payloads, chips."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.engine.notation import parse_action
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.games.video_poker import VideoPoker
from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES, POLICIES
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.render import hand_words
from croupier.games.video_poker.rules import hands, rounds
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
GAME = VideoPoker()
KIT = HouseKit(GAME)
refusal = KIT.refusal
ALL_OPTIONS: list[Any] = [{"pay_table": name} for name in PAY_TABLES]


class SuperPoker(VideoPoker):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(10, True)


def cards_of(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def script(pack: list[int], names: str) -> ScriptedRng:
    """Return a stream that draws these cards in order from the pack."""
    places = []
    for card in cards_of(names):
        place = pack.index(card)
        places.append(place)
        pack[place] = pack[-1]
        pack.pop()
    return ScriptedRng(places)


def start(names: str = "", stake: int = 100, **terms: Any) -> Match[Any]:
    """Return a session in which these cards were dealt, or whatever its seed deals."""
    return KIT.start(stake, rng=script(list(range(52)), names) if names else None, **terms)


def hold(*numbers: int) -> Any:
    return act("hold", cards=list(numbers))


def drawing(match: Match[Any], names: str) -> ScriptedRng:
    return script([card for card in range(52) if card not in match.game.dealt], names)


def do(match: Match[Any], action: Any, draws: str | None = None) -> Match[Any]:
    return KIT.do(match, action, rng=None if draws is None else drawing(match, draws))


def lines(match: Match[Any]) -> list[tuple[str, int, int]]:
    return [(line.bet, line.stake, line.returned) for line in match.game.money.lines]


# Opening.


def test_the_stake_is_taken_and_five_cards_are_dealt_when_the_session_opens():
    match = start("AS KH 10D 2C 7S")

    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("stake", 100)]
    assert list(match.game.dealt) == list(match.game.cards) == cards_of("AS KH 10D 2C 7S")
    assert (match.game.held, match.game.hand, match.turn.phase) == ((), None, "draw")


def test_deal_and_draw_come_from_streams_of_their_own():
    """The deal from stream 0, the draw from stream 1, as drawn by the generator itself from sorted packs."""
    for session_id in range(30):
        match = start(session_id=session_id)
        pack, stream = list(range(52)), GameRng.new(SEED, session_id, 0)
        dealt = [stream.draw_card(pack) for _ in range(5)]
        assert list(match.game.dealt) == dealt
        left, stream = [card for card in range(52) if card not in dealt], GameRng.new(SEED, session_id, 1)
        drawn = [stream.draw_card(left) for _ in range(3)]
        after = do(match, hold(2, 4))
        assert list(after.game.cards) == [drawn[0], dealt[1], drawn[1], dealt[3], drawn[2]]


@pytest.mark.parametrize(
    ("stake", "super_mode", "cover", "code"),
    [
        (0, False, None, "stake_too_small"),
        (101, False, Cover(funds=100), "insufficient_funds"),
        (100, True, Cover(funds=119), "insufficient_funds"),
        (4, False, Cover(stake_min=5), "under_limit"),
        (501, False, Cover(stake_max=500), "over_limit"),
        (100, False, Cover(exposure_max=79_999), "exposure_limit"),
        (100, True, Cover(exposure_max=1_674_803), "exposure_limit"),
        (12, True, None, "super_stake"),
    ],
)
def test_a_stake_that_is_not_covered_is_refused(stake, super_mode, cover, code):
    with pytest.raises(Refusal) as no:
        start(stake=stake, super_mode=super_mode, cover=cover)
    assert no.value.code == code


def test_a_stake_that_is_just_covered_is_taken():
    """The house must be able to pay a royal flush; in super mode a boosted one, 100 + 79,900 × 20.96."""
    assert start(cover=Cover(100, 100, 100, 80_000)).game.money.staked == 100
    assert start(super_mode=True, cover=Cover(120, 100, 100, 1_674_804)).game.money.fees == 20


@pytest.mark.parametrize("options", [{"pay_table": "jacks_9_5"}, {"pay_table": 0}, {"rules": 1}])
def test_options_that_are_not_on_the_list_are_refused(options):
    with pytest.raises(BadOptions):
        start(options=options)


# Holding.


@pytest.mark.parametrize("mask", range(32))
def test_every_hold_keeps_its_cards_and_replaces_the_others_in_place(mask):
    match = start("AS KH 10D 2C 7S")
    held = [number for number in range(1, 6) if mask >> (number - 1) & 1]
    drawn = iter(cards_of("3S 4H 5D 9C JC"))
    names = " ".join(["3S", "4H", "5D", "9C", "JC"][: 5 - len(held)])

    after = do(match, hold(*held), names)

    dealt = cards_of("AS KH 10D 2C 7S")
    assert list(after.game.cards) == [card if n in held else next(drawn) for n, card in enumerate(dealt, 1)]
    assert after.game.held == tuple(held)
    assert list(after.game.dealt) == dealt
    assert after.status == "finished"


def test_keeping_everything_draws_nothing():
    match = start("AS KH 10D 2C 7S")
    stream = ScriptedRng([])

    answer = apply_action(GAME, match, hold(1, 2, 3, 4, 5), rng=stream)

    assert answer.ok
    assert stream.bounds == []
    assert answer.state.game.cards == match.game.dealt


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (hold(1, 1), "bad_hold"),
        (hold(3, 1), "bad_hold"),
        (hold(1, 2, 3, 5, 4), "bad_hold"),
        (hold(0), "bad_payload"),
        (hold(6), "bad_payload"),
        (hold(1, 2, 3, 4, 5, 5), "bad_payload"),
        (act("hold"), "bad_payload"),
        (act("hold", cards=3), "bad_payload"),
        (act("hold", cards=[True]), "bad_payload"),
        (act("hold", cards=[1], mask=1), "bad_payload"),
        (act("draw"), "unknown_action"),
        (act("leave"), "bets_open"),
    ],
)
def test_what_cannot_be_held_is_refused_and_nothing_is_drawn(action, code):
    assert refusal(start(), action) == code


def test_one_draw_is_all_there_is():
    assert refusal(do(start(), hold(1)), hold(1)) == "finished"


@pytest.mark.parametrize("line", ["hold 1,3", "hold 1 3", "hold cards=1,3"])
def test_a_hold_is_typed_as_numbers(line):
    assert parse_action(GAME, line) == hold(1, 3)
    assert parse_action(GAME, "hold []") == hold()


# What hands bring back.

NATURAL = [
    ("AS KS QS JS 10S", "royal_flush", (800, 800, 800, 800)),
    ("9S KS QS JS 10S", "straight_flush", (50, 50, 50, 50)),
    ("AS 2S 3S 4S 5S", "straight_flush", (50, 50, 50, 50)),
    ("AS AH AD AC 5S", "four_aces", (25, 25, 80, 160)),
    ("2S 2H 2D 2C AS", "four_twos_to_fours", (25, 25, 40, 80)),
    ("4S 4H 4D 4C AS", "four_twos_to_fours", (25, 25, 40, 80)),
    ("5S 5H 5D 5C AS", "four_of_a_kind", (25, 25, 25, 50)),
    ("KS KH KD KC AS", "four_of_a_kind", (25, 25, 25, 50)),
    ("5S 5H 5D AC AS", "full_house", (9, 8, 8, 9)),
    ("AS 2S 3S 4S 9S", "flush", (6, 5, 5, 7)),
    ("AS KH QS JS 10S", "straight", (4, 4, 4, 5)),
    ("AS 2H 3S 4S 5S", "straight", (4, 4, 4, 5)),
    ("5S 5H 5D KC AS", "three_of_a_kind", (3, 3, 3, 3)),
    ("5S 5H 4D 4C AS", "two_pair", (2, 2, 2, 1)),
    ("JS JH 4D 5C AS", "high_pair", (1, 1, 1, 1)),
    ("AS AH 4D 5C 10S", "high_pair", (1, 1, 1, 1)),
    ("10S 10H 4D 5C AS", "nothing", (0, 0, 0, 0)),
    ("QS KH AD 2C 3S", "nothing", (0, 0, 0, 0)),
]
WILD = [
    ("AS KS QS JS 10S", "royal_flush", 800),
    ("2S 2H 2D 2C AS", "four_deuces", 200),
    ("AS 2H QS JS 10S", "wild_royal_flush", 25),
    ("2S 2H 2D 10C QC", "wild_royal_flush", 25),
    ("2S 2H 2D AC AS", "five_of_a_kind", 16),
    ("2S AH AD AC AS", "five_of_a_kind", 16),
    ("2S 3H 5H 4H AH", "straight_flush", 10),
    ("2S 2H 5C 6C 9C", "straight_flush", 10),
    ("2S 2H 2C 6C 9S", "four_of_a_kind", 4),
    ("AS AH AD AC 5S", "four_of_a_kind", 4),
    ("2S 5H 5C 6C 6S", "full_house", 4),
    ("2S 5H 9H KH 6H", "flush", 3),
    ("2S 5H 9H 7D 6H", "straight", 2),
    ("2S AH 4H 5D 3H", "straight", 2),
    ("2S 2H KH 5D 9C", "three_of_a_kind", 1),
    ("5S 5H 5D KC AS", "three_of_a_kind", 1),
    ("2S KH KD 5D 9C", "three_of_a_kind", 1),
    ("5S 5H KD KC AS", "nothing", 0),
    ("2S KH QD 5D 9C", "nothing", 0),
]


@pytest.mark.parametrize(("names", "hand", "prices"), NATURAL)
def test_a_hand_brings_back_what_each_table_pays(names, hand, prices):
    for name, price in zip(PAY_TABLES[:4], prices, strict=True):
        match = do(start(names, options={"pay_table": name}), hold(1, 2, 3, 4, 5))
        assert match.game.hand == hand
        assert lines(match) == [("stake", 100, 100 * price)]


@pytest.mark.parametrize(("names", "hand", "price"), WILD)
def test_a_hand_with_wild_deuces_brings_back_what_the_table_pays(names, hand, price):
    match = do(start(names, options={"pay_table": "deuces_wild"}), hold(1, 2, 3, 4, 5))

    assert match.game.hand == hand
    assert lines(match) == [("stake", 100, 100 * price)]


def test_the_lists_above_show_every_hand_of_every_table():
    shown = {hand for _, hand, _ in NATURAL} | {hand for _, hand, _ in WILD}

    assert len(shown) == hands.HANDS


def test_the_final_hand_counts_and_not_the_one_that_was_dealt():
    match = do(start("AS AH AD AC 5S"), hold(5), "2C 3C 8D 9D")

    assert (match.game.hand, lines(match)) == ("nothing", [("stake", 100, 0)])


# Super mode. Of 32 zero bytes, session 1 marks cards 22, 50, 36 and 47: 10♥ Q♣ J♦ 9♣ (casino-core, V13).

MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}
KEEP_ALL = hold(1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("names", "stake", "returned"),
    [
        ("5S 5H 5D KC AS", 500, 1_500),  # none marked
        ("5S 5H 5D KC QC", 500, 1_508),  # one: 1,000 × 1.008
        ("QC QH 10H 10S AS", 500, 1_020),  # two: 500 × 1.04
        ("10H JD 9C 8S 7S", 500, 500 + 4_440),  # three: 1,500 × 2.96
        ("10H QC JD 9C 8S", 500, 500 + 31_440),  # all four: 1,500 × 20.96
        ("AC KC QC JC 10C", 500, 500 + 8_373_520),  # a royal flush with one: 399,500 × 20.96
        ("AS KS QS JS 10S", 500, 400_000),  # with none
        ("JD JS 10H 9C 3S", 500, 500),  # a push is not boosted, however many are marked
        ("10H QC 9C 3S 4S", 500, 0),
        ("5S 5H 5D KC QC", 35, 105),  # 70 × 0.008 is less than a chip
        ("10H JD 9C 8S 7S", 35, 35 + 310),  # 105 × 2.96 = 310.8
    ],
)
def test_marked_cards_in_the_final_hand_boost_its_profit(names, stake, returned):
    match = do(start(names, stake, **MARKED), KEEP_ALL)

    assert lines(match) == [("stake", stake, returned)]
    assert match.game.money.fees == stake // 5


def test_a_wild_royal_flush_is_boosted_like_any_other_hand():
    options = {"pay_table": "deuces_wild"}

    wild = do(start("AC KC QC JC 2S", 500, options=options, **MARKED), KEEP_ALL)
    natural = do(start("AC KC QC JC 10C", 500, options=options, **MARKED), KEEP_ALL)

    assert [lines(match)[0][2] for match in (wild, natural)] == [500 + 12_096, 500 + 8_373_520]


def test_a_marked_card_that_was_thrown_away_does_not_count():
    match = do(start("QC 5S 5H 5D KC", 500, **MARKED), hold(2, 3, 4, 5), "AS")

    assert lines(match) == [("stake", 500, 1_500)]


def test_marked_cards_are_shown_with_the_result_and_not_before():
    match = start(**MARKED)
    assert match.game.lit == ()

    after = do(match, hold())

    assert [(lit.id, lit.multiplier) for lit in after.game.lit] == [(22, 1), (50, 1), (36, 1), (47, 1)]


def test_a_plain_session_marks_nothing_and_costs_no_fee():
    match = do(start("5S 5H 5D KC QC", 500, seed=bytes(32), session_id=1), KEEP_ALL)

    assert (match.game.lit, match.game.money.fees, lines(match)) == ((), 0, [("stake", 500, 1_500)])


# Sessions, bytes and chips.


@pytest.mark.parametrize("mask", range(32))
def test_a_hold_is_a_mask_behind_version_and_opcode(mask):
    payload = bytes([1, 0, mask])
    held = [number for number in range(1, 6) if mask >> (number - 1) & 1]

    assert encode_payload(GAME, hold(*held)) == payload
    assert decode_payload(GAME, payload) == hold(*held)


@pytest.mark.parametrize("payload", [f"0100{mask:02x}" for mask in range(32, 256)])
def test_bits_above_the_fifth_are_refused_and_not_ignored(payload):
    with pytest.raises(GameError) as no:
        decode_payload(GAME, bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


@pytest.mark.parametrize("cards", [[1, 1], [2, 1], [0], [6], [1, 2, 3, 4, 5, 5]])
def test_what_is_no_hold_has_no_bytes(cards):
    """Two ones are not a two: a hold that is named wrongly must not become another one."""
    with pytest.raises(GameError) as no:
        encode_payload(GAME, act("hold", cards=cards))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("5S 5H 5D KC AS", Win(300)),
        ("JS JH 4D 5C AS", Push(100)),
        ("10S 10H 4D 5C AS", Loss()),
    ],
)
def test_results_tell_a_win_a_push_and_a_loss(names, expected):
    session = open_session(GAME, player="ann", session_id=0, stake=100, seed=SEED)
    session, result = init_game(session, script(list(range(52)), names))
    assert result == Continue()

    session, result = process_game_move(settle(session, result), bytes.fromhex("01001f"))

    assert replace(result, logs=()) == expected
    assert result.logs[0].startswith("kept everything: ")


def test_chips_are_conserved_over_plain_and_super_sessions():
    """Eighty sessions through the house; the player's chips are the first thousand and what was won, less fees."""
    state, tables = MemoryState(), {4: make_table(4, GAME)}
    moment, expected, won = 0, 1000, 0

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
        tell(StartGame(4, 10, session_id))
        events = tell(GameMove(session_id, bytes([1, 0, session_id % 32])))
        done = next(event for event in events if type(event).__name__ == "GameCompleted")
        expected += done.net - done.fees
        won += done.net > 0
        assert done.balances.chips == expected
    assert won > 3
    check_ledger(state, thorough=True)


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=5, options=ALL_OPTIONS).actions == 25
    assert check_game(SuperPoker(), seeds=5, options=ALL_OPTIONS).actions == 25


def test_the_choices_are_the_32_holds():
    legal = legal_actions(GAME, start())

    assert [encode_payload(GAME, action)[2] for action in legal] == list(range(32))
    assert legal_ranges(GAME, start()) == {}
    assert legal_actions(GAME, do(start(), hold())) == ()


def test_a_player_who_is_away_keeps_the_best_cards_by_the_pay_table():
    for names, held in (("JS JH 7D 2C 9C", (1, 2)), ("AS KS QS JS 2S", (1, 2, 3, 4))):
        assert do(start(names), act("time_out")).game.held == held
    wild = start("JS JH 7D 2C 9C", options={"pay_table": "deuces_wild"})
    assert do(wild, act("time_out")).game.held == (1, 2, 4)


@pytest.mark.parametrize("name", PAY_TABLES)
def test_policies_are_bots(name):
    match = start("AS KS QS JH JD", options={"pay_table": name})
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)

    chosen = {policy: bot(view, legal, GameRng.new(b"", 0, 0)) for policy, bot in GAME.bots.items()}

    assert tuple(chosen) == POLICIES
    assert all(apply_action(GAME, match, action).ok for action in chosen.values())
    assert chosen["hold_all"] == KEEP_ALL
    assert chosen["royal_hunter"] == hold(1, 2, 3)


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.VIDEO_POKER, True, (1, 1_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {"hold": 0}
    assert dict(GAME.usual_bets()) == {"stake": 125}
    assert [(row.bet, row.policy) for row in GAME.odds()] == [("stake", policy) for policy in POLICIES]
    assert [(row.bet, row.policy) for row in GAME.super_odds()] == [("stake", policy) for policy in POLICIES]
    assert VideoPokerOptions().pay_table == "jacks_9_6"


def told(match: Match[Any], action: Any, draws: str | None = None) -> str:
    answer = apply_action(GAME, match, action, rng=None if draws is None else drawing(match, draws))
    assert answer.ok
    return GAME.describe(answer.action, match, answer.state)


def test_the_log_says_what_was_kept_what_came_and_what_it_pays():
    pair = start("KS KH 4D 5C 9S")

    assert told(pair, hold(1, 2), "KD 2C 3C") == (
        "kept K♠ K♥, drew K♦ 2♣ 3♣: three of a kind returns 300, 3 for each chip; won 200"
    )
    assert told(pair, hold(1, 2), "AD 2C 3C") == "kept K♠ K♥, drew A♦ 2♣ 3♣: jacks or better returns the stake; push"
    assert told(pair, hold(), "AD 2C 3C 7H 8H") == "kept nothing, drew A♦ 2♣ 3♣ 7♥ 8♥: nothing; lost 100"
    assert told(start("AS KS QS JS 10S"), KEEP_ALL) == (
        "kept everything: royal flush returns 80,000, 800 for each chip; won 79900"
    )


def test_the_log_of_a_super_session_names_the_boost():
    assert told(start("5S 5H 5D KC QC", 500, **MARKED), KEEP_ALL) == (
        "kept everything: three of a kind returns 1,508, 3 for each chip, the profit boosted ×1.008; won 1008"
    )
    assert told(start("5S 5H 5D KC AS", 500, **MARKED), KEEP_ALL) == (
        "kept everything: three of a kind returns 1,500, 3 for each chip; won 1000"
    )


def shown(match: Match[Any]) -> list[str]:
    return GAME.render(view_for(GAME, match, "ann")).splitlines()


def test_the_table_shows_the_cards_with_their_numbers_and_the_prices():
    rows = shown(start("10S KH 4D 5C 9S"))

    assert rows[0] == "  ╭─────╮  ╭─────╮  ╭─────╮  ╭─────╮  ╭─────╮"
    assert rows[1].startswith("  │[bold]10 [/]  │  │[bold red]K  [/]  │")
    assert rows[5].count("[bold cyan]") == 5
    assert "  [dim]royal flush           800[/dim]     [dim]straight                4[/dim]" in rows
    assert rows[-1] == "  stake                     100  [dim]open[/dim]"


def test_the_table_shows_what_was_held_and_the_hand_that_was_made():
    rows = shown(do(start("KS KH 4D 5C 9S"), hold(1, 2), "KD 2C 3C"))

    assert rows[5].count("held") == 2
    assert rows[5].count("drawn") == 3
    assert rows[6] == "  [dim]dealt: K♠ K♥ 4♦ 5♣ 9♠[/dim]"
    assert sum("[bold green]three of a kind         3[/bold green]" in row for row in rows) == 1


@pytest.mark.parametrize(
    ("name", "names", "words"),
    [
        ("jacks_9_6", "AS AH AD AC 5S", "four of a kind         25"),
        ("bonus_8_5", "AS AH AD AC 5S", "four aces              80"),
        ("bonus_8_5", "5S 5H 5D 5C AS", "four fives to kings    25"),
        ("deuces_wild", "AS KS QS JS 10S", "natural royal flush   800"),
    ],
)
def test_the_price_that_was_paid_is_marked_in_the_pay_table(name, names, words):
    rows = shown(do(start(names, options={"pay_table": name}), KEEP_ALL))

    assert [row for row in rows if f"[bold green]{words}[/bold green]" in row]
    assert sum(row.count("[bold green]") for row in rows[6:]) == 1


def test_a_hand_that_pays_nothing_marks_no_price():
    for names in ("10S 10H 4D 5C AS", "QS KH AD 2C 3S"):
        rows = shown(do(start(names), KEEP_ALL))
        assert not [row for row in rows[6:] if "[bold green]" in row]


def test_hands_of_one_name_pay_the_same_at_every_table():
    for name in PAY_TABLES:
        options = VideoPokerOptions(name)
        prices = [
            (hand_words(hand, options), pays) for hand, pays in zip(HAND_NAMES, options.pays, strict=True) if pays
        ]
        assert len({words for words, _ in prices}) == len(set(prices))


def test_the_largest_stake_of_the_table_can_be_covered():
    """The usual exposure of a table holds a boosted royal flush at the largest stake."""
    table = make_table(4, GAME)

    assert rounds.super_return(table.stake_max, 800 * table.stake_max, 5000) < table.exposure_max
