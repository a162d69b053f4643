"""Ultimate texas hold'em at the table: every action and refusal, what bets bring back, super mode, coach, chips."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.games.ultimate_texas_holdem import UltimateTexasHoldem, rules
from croupier.games.ultimate_texas_holdem.odds import flop_values, hole_values, river_values
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
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
GAME = UltimateTexasHoldem()
KIT = HouseKit(GAME, stake=100)
start, do, refusal = KIT.start, KIT.do, KIT.refusal
ALL_OPTIONS: list[Any] = [
    {"dealer_qualifies": needs, "play_3x": three, "play_4x": four}
    for needs, three, four in product(("pair", "always"), (True, False), (True, False))
]
DEAL, CHECK, FOLD, REVEAL = act("deal"), act("check"), act("fold"), act("reveal")
PLAY = {multiple: act(f"play_{multiple}x") for multiple in (1, 2, 3, 4)}


class SuperHoldem(UltimateTexasHoldem):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(10, True)


def cards_of(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def dealing(names: str, known: str = "") -> ScriptedRng:
    """Return a stream that deals these cards in order, from one pack without those that are known."""
    pack = [card for card in range(52) if card not in cards_of(known)]
    entries = []
    for card in cards_of(names):
        place = pack.index(card)
        entries.append(place)
        pack[place] = pack[-1]
        pack.pop()
    return ScriptedRng(entries)


def lines(match: Match[Any]) -> dict[str, tuple[int, int]]:
    return {line.bet: (line.stake, line.returned) for line in match.game.money.lines}


def lying(match: Match[Any]) -> list[tuple[str, int]]:
    return [(stake.bet, stake.stake) for stake in match.game.money.open]


HOLE, FLOP, LAST = "KS 7D", "QH 7C 2S", "JD 5H"
BOARD = f"{FLOP} {LAST}"


def dealt(side: Any = None, hole: str = HOLE, **terms: Any) -> Match[Any]:
    """Return a session with the hole cards dealt."""
    return do(start(**terms), act("deal_with", **side) if side else DEAL, rng=dealing(hole))


def on_flop(side: Any = None, **terms: Any) -> Match[Any]:
    return do(dealt(side, **terms), CHECK, rng=dealing(FLOP, HOLE))


def at_river(side: Any = None, **terms: Any) -> Match[Any]:
    return do(on_flop(side, **terms), CHECK, rng=dealing(LAST, f"{HOLE} {FLOP}"))


def showdown(hole: str, board: str, dealer: str, extra: str = "", side: Any = None, **terms: Any) -> Match[Any]:
    """Return a session in which four times the Ante was bet before these cards came."""
    raised = do(dealt(side, hole, **terms), PLAY[4])
    return do(raised, REVEAL, rng=dealing(f"{board} {dealer} {extra}", hole))


# Opening.


def test_ante_and_blind_are_taken_at_the_start():
    match = start(100)

    assert lying(match) == [("ante", 100), ("blind", 100)]
    assert (match.game.money.opening, match.game.money.staked, match.turn.phase) == (200, 200, "deal")
    assert (match.game.hole, match.game.money.drawn) == ((), False)


@pytest.mark.parametrize(
    ("stake", "super_mode", "cover", "code"),
    [
        (0, False, None, "stake_too_small"),
        (100, False, Cover(funds=199), "insufficient_funds"),
        (100, True, Cover(funds=219), "insufficient_funds"),
        (4, False, Cover(stake_min=5), "under_limit"),
        (501, False, Cover(stake_max=500), "over_limit"),
        (100, False, Cover(exposure_max=200 + 50_099), "exposure_limit"),
        (12, True, None, "super_stake"),
    ],
)
def test_an_opening_that_is_not_covered_is_refused(stake, super_mode, cover, code):
    with pytest.raises(Refusal) as no:
        start(stake, super_mode=super_mode, cover=cover)
    assert no.value.code == code


def test_an_opening_that_is_just_covered_is_taken():
    match = start(100, super_mode=True, cover=Cover(220, 100, 100, 1_650 + 50_100))

    assert (match.game.money.fees, match.game.money.staked) == (20, 200)


@pytest.mark.parametrize("options", [{"dealer_qualifies": "queen"}, {"play_3x": 1}, {"play_5x": True}])
def test_options_that_are_not_on_the_list_are_refused(options):
    with pytest.raises(BadOptions):
        start(options=options)


# Side bets.


@pytest.mark.parametrize("bet", ["trips", "six_card", "progressive"])
def test_a_side_bet_is_replaced_and_taken_back(bet):
    once = do(start(), act(bet, stake=1))
    assert lying(once)[2:] == [(bet, 1)]
    assert lying(do(once, act(bet, stake=1)))[2:] == [(bet, 1)]
    if bet != "progressive":
        assert lying(do(once, act(bet, stake=25)))[2:] == [(bet, 25)]
    back = do(once, act(bet, stake=0))
    assert lying(back) == lying(start())
    assert (back.game.money.staked, back.game.money.returned) == (200, 0)
    assert do(back, act(bet, stake=0)).game == back.game


@pytest.mark.parametrize("stake", [2, 5, 2**63 - 1])
def test_the_progressive_bet_takes_one_chip_and_nothing_else(stake):
    assert refusal(start(), act("progressive", stake=stake)) == "progressive_stake"
    with_others = act("deal_with", trips=1, six_card=1, progressive=stake)
    assert refusal(start(), with_others) == "progressive_stake"


@pytest.mark.parametrize(
    ("action", "cover", "code"),
    [
        (act("trips", stake=-1), None, "bad_payload"),
        (act("trips", stake=2**63), None, "bad_payload"),
        (act("six_card", stake=True), None, "bad_payload"),
        (act("deal_with", trips=1, six_card=1), None, "bad_payload"),
        (act("trips", stake=11), Cover(funds=10), "insufficient_funds"),
        (act("six_card", stake=4), Cover(stake_min=5), "under_limit"),
        (act("trips", stake=501), Cover(stake_max=500), "over_limit"),
        (act("six_card", stake=10), Cover(exposure_max=50_300 + 10_009), "exposure_limit"),
        (act("deal_with", trips=5, six_card=5, progressive=1), Cover(funds=10), "insufficient_funds"),
    ],
)
def test_a_side_bet_that_is_not_covered_is_refused(action, cover, code):
    assert refusal(start(), action, cover) == code


def test_chips_on_the_old_side_bets_pay_for_the_new_ones():
    match = do(start(), act("trips", stake=10), act("six_card", stake=5))

    again = act("deal_with", trips=3, six_card=12, progressive=1)
    assert refusal(match, again, Cover(funds=0)) == "insufficient_funds"
    assert lying(do(match, again, cover=Cover(funds=1)))[2:] == [("trips", 3), ("six_card", 12), ("progressive", 1)]


def test_a_deal_with_nothing_takes_all_side_bets_back():
    match = do(start(), act("trips", stake=10), act("deal_with", trips=0, six_card=0, progressive=0))

    assert lying(match) == [("ante", 100), ("blind", 100)]
    assert match.turn.phase == "preflop"


# Cards and phases.


def test_a_round_that_is_checked_through_goes_from_phase_to_phase():
    match = start()
    for action, phase, size in ((DEAL, "preflop", 2), (CHECK, "flop", 5), (CHECK, "river", 7)):
        match = do(match, action)
        assert (match.turn.phase, len(match.game.cards)) == (phase, size)
    match = do(match, PLAY[1])
    assert (match.turn.phase, match.game.play, lying(match)[-1]) == ("reveal", 1, ("play", 100))
    match = do(match, REVEAL)
    assert (match.status, len(match.game.cards), match.game.extra) == ("finished", 9, ())


@pytest.mark.parametrize(
    ("actions", "moves"),
    [
        ((DEAL, PLAY[4], REVEAL), {1: 2, 3: 9}),
        ((DEAL, PLAY[3], REVEAL), {1: 2, 3: 9}),
        ((DEAL, CHECK, PLAY[2], REVEAL), {1: 2, 2: 5, 4: 9}),
        ((DEAL, CHECK, CHECK, PLAY[1], REVEAL), {1: 2, 2: 5, 3: 7, 5: 9}),
        ((DEAL, CHECK, CHECK, FOLD), {1: 2, 2: 5, 3: 7, 4: 9}),
        ((act("six_card", stake=1), DEAL, CHECK, CHECK, FOLD), {2: 2, 3: 5, 4: 7, 5: 13}),
        ((act("deal_with", trips=0, six_card=1, progressive=0), PLAY[4], REVEAL), {1: 2, 3: 13}),
    ],
)
def test_moves_draw_from_streams_of_their_own_and_raises_draw_nothing(actions, moves):
    """Sheet, section 4: which cards come with which move; they are drawn again here from the streams alone."""
    match = do(start(session_id=5), *actions)

    cards: list[int] = []
    for move, size in moves.items():
        pack, stream = [card for card in range(52) if card not in cards], GameRng.new(SEED, 5, move)
        while len(cards) < size:
            place = stream.next_bounded(len(pack))
            cards.append(pack[place])
            pack[place] = pack[-1]
            pack.pop()
    assert list(match.game.cards) == cards


@pytest.mark.parametrize(
    ("match", "action", "code"),
    [
        (start(), CHECK, "wrong_phase"),
        (start(), PLAY[4], "wrong_phase"),
        (start(), FOLD, "wrong_phase"),
        (start(), REVEAL, "wrong_phase"),
        (start(), act("deal", trips=5), "bad_payload"),
        (start(), act("play", stake=5), "unknown_action"),
        (dealt(), DEAL, "wrong_phase"),
        (dealt(), act("trips", stake=5), "wrong_phase"),
        (dealt(), act("progressive", stake=0), "wrong_phase"),
        (dealt(), PLAY[2], "wrong_phase"),
        (dealt(), FOLD, "wrong_phase"),
        (dealt(options={"play_4x": False}), PLAY[4], "raise_not_offered"),
        (dealt(options={"play_3x": False}), PLAY[3], "raise_not_offered"),
        (on_flop(), PLAY[4], "wrong_phase"),
        (on_flop(), PLAY[1], "wrong_phase"),
        (on_flop(), FOLD, "wrong_phase"),
        (at_river(), CHECK, "wrong_phase"),
        (at_river(), PLAY[2], "wrong_phase"),
        (at_river(), REVEAL, "wrong_phase"),
        (do(dealt(), PLAY[4]), CHECK, "wrong_phase"),
        (do(dealt(), PLAY[4]), PLAY[3], "wrong_phase"),
        (do(at_river(), PLAY[1]), FOLD, "wrong_phase"),
        (do(at_river(), FOLD), REVEAL, "finished"),
        (start(), act("leave"), "bets_open"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(match, action, code):
    assert refusal(match, action) == code


# Play.


@pytest.mark.parametrize(("match", "multiple"), [(dealt(), 4), (dealt(), 3), (on_flop(), 2), (at_river(), 1)])
def test_a_raise_is_taken_when_it_is_made_or_refused(match, multiple):
    stake = 100 * multiple

    assert refusal(match, PLAY[multiple], Cover(funds=stake - 1)) == "insufficient_funds"
    raised = do(match, PLAY[multiple], cover=Cover(funds=stake))
    assert lying(raised)[-1] == ("play", stake)
    assert refusal(match, PLAY[multiple], Cover(exposure_max=50_300 + 2 * stake - 1)) == "exposure_limit"
    if match.turn.phase != "river":
        assert do(match, CHECK, cover=Cover(funds=0)).game.money.staked == 200


def test_a_raise_may_exceed_the_limit_that_the_ante_kept():
    """Through the house, at the usual table: the Ante is the largest it takes, Play four times that."""
    state, tables = MemoryState(), {9: make_table(9, GAME)}
    limit = tables[9].stake_max
    execute(state, Instruction("ann", Register()), SEED, 1, tables=tables)
    state.put("balance/player/ann", 1_000 + 10 * limit)
    state.put("balance/deposits", -1_000 - 10 * limit)
    bodies: list[Any] = [StartGame(9, limit + 1, 1), StartGame(9, limit, 1)]
    bodies += [GameMove(1, encode_payload(GAME, action)) for action in (act("trips", stake=limit + 1), DEAL, PLAY[4])]
    said = []
    for moment, body in enumerate(bodies, 1):
        event = execute(state, Instruction("ann", body), SEED, moment, tables=tables)[0]
        said.append(getattr(event, "reason", type(event).__name__))

    assert said == ["over_limit", "GameStarted", "over_limit", "GameMoved", "GameMoved"]
    assert lying(state.values["session/1"].match)[-1] == ("play", 4 * limit)


# Endings. The Ante is 100, Play 400.


@pytest.mark.parametrize(
    ("hole", "board", "dealer", "outcome", "ante", "blind", "play"),
    [
        ("AS AH", "KD 9C 7H 4D 2S", "KH QC", "won", 200, 100, 800),
        ("AS AH", "KD 9C 7H 4D 2S", "QH JC", "won_unqualified", 100, 100, 800),
        ("3S 5H", "KD 9C 7H 4D 2S", "QH JC", "lost_unqualified", 100, 0, 0),
        ("3S 5H", "KD 9C 7H 4D 2S", "KH JC", "lost", 0, 0, 0),
        ("3S 5H", "AD KC QH JD 9S", "3H 5C", "tied", 100, 100, 400),  # the board plays: less than a pair ties too
        ("AS 5H", "AD KC QH JD 10S", "3H 5C", "tied", 100, 100, 400),  # a straight that ties gets no bonus
        ("AS QD", "KD JC 10H 4D 2S", "KH KC", "won", 200, 200, 800),
        ("AS 3S", "KS JS 10S 4D 2D", "KH KC", "won", 200, 250, 800),
        ("2C 4C", "2D 2H 4H 9D KS", "KH KC", "lost", 0, 0, 0),
        ("2C 4C", "2D 2H 4H 9D KS", "AH KC", "won", 200, 400, 800),
        ("2C 2S", "2D 2H 4H 9D KS", "KH KC", "won", 200, 1_100, 800),
        ("5S 6S", "7S 8S 9S KD KS", "KH KC", "won", 200, 5_100, 800),
        ("AS KS", "QS JS 10S KD 2C", "KH KC", "won", 200, 50_100, 800),
        ("AS KS", "QS JS 10S 3D 2C", "9H 7C", "won_unqualified", 100, 50_100, 800),
    ],
)
def test_the_main_bets_are_settled_by_both_hands(hole, board, dealer, outcome, ante, blind, play):
    match = showdown(hole, board, dealer)

    assert match.game.outcome == outcome
    assert lines(match) == {"ante": (100, ante), "blind": (100, blind), "play": (400, play)}


def test_a_dealer_who_always_qualifies_plays_for_the_ante_with_nothing():
    always = {"dealer_qualifies": "always"}
    won = showdown("AS AH", "KD 9C 7H 4D 2S", "QH JC", options=always)
    lost = showdown("3S 5H", "KD 9C 7H 4D 2S", "QH JC", options=always)

    assert (won.game.outcome, lines(won)["ante"]) == ("won", (100, 200))
    assert (lost.game.outcome, lines(lost)["ante"]) == ("lost", (100, 0))


def test_a_fold_gives_up_ante_and_blind_and_shows_the_dealer():
    match = do(at_river(), FOLD, rng=dealing("AS AH", f"{HOLE} {BOARD}"))

    assert lines(match) == {"ante": (100, 0), "blind": (100, 0)}
    assert (match.game.outcome, match.game.dealer) == ("folded", tuple(cards_of("AS AH")))


SIDE = {"trips": 10, "six_card": 10, "progressive": 1}


def test_side_bets_are_decided_by_their_own_cards_whether_won_lost_or_folded():
    """Trips by the seven cards, six-card by the hole cards and four more, progressive by hole cards and flop."""
    won = showdown("7S 7D", "7H 9C KC 4D 2S", "KH QC", "AH AC AD 3D", SIDE)
    lost = showdown("7S 7D", "QH 9C KC 7H 2S", "KH KD", "7C AC 5D 3D", SIDE)
    river = do(dealt(SIDE, "7S 7D"), CHECK, rng=dealing("7H 9C KC", "7S 7D"))
    river = do(river, CHECK, rng=dealing("4D 2S", "7S 7D 7H 9C KC"))
    folded = do(river, FOLD, rng=dealing("KH QC AH AC AD 3D", "7S 7D 7H 9C KC 4D 2S"))

    assert {bet: lines(won)[bet] for bet in SIDE} == {"trips": (10, 40), "six_card": (10, 210), "progressive": (1, 15)}
    assert {bet: lines(lost)[bet] for bet in SIDE} == {"trips": (10, 40), "six_card": (10, 80), "progressive": (1, 0)}
    assert {bet: lines(folded)[bet] for bet in SIDE} == {bet: lines(won)[bet] for bet in SIDE}
    assert folded.game.extra == won.game.extra == tuple(cards_of("AH AC AD 3D"))


def test_four_cards_are_drawn_for_the_six_card_bet_alone():
    others = {"trips": 10, "six_card": 0, "progressive": 1}

    assert do(at_river(SIDE), FOLD).game.extra != ()
    assert do(at_river(others), FOLD).game.extra == ()


# Super mode. Of 32 zero bytes, session 1 marks the ten and the queen (casino-core, V13).

MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}


@pytest.mark.parametrize(
    ("hole", "board", "dealer", "ante"),
    [
        ("AS AH", "KD 9C 7H 4D 2S", "KH 3C", 200),  # no marked rank
        ("AS AH", "QD 9C 7H 4D 2S", "KH KC", 250),  # a queen among the five
        ("AS 3S", "KS 9S 4S QD 2D", "KH KC", 200),  # a queen, but no part of the flush
        ("AS QD", "KD JC 10H 4D 2S", "KH KC", 300),
        ("AS AD", "AH QC 9H 4D 2S", "KH KC", 350),
        ("AS AD", "AH QC QH 4D 2S", "KH KC", 400),
        ("10S QD", "QH 9C 7H 4D 2S", "9H 3C", 350),  # both hole cards marked
        ("AS AH", "QD 9C 7H 4D 2S", "KH JC", 100),  # the dealer does not qualify
        ("3S 5H", "QD 9C 7H 4D 2S", "KH KC", 0),
    ],
)
def test_marked_ranks_boost_an_ante_that_wins(hole, board, dealer, ante):
    match = showdown(hole, board, dealer, **MARKED)

    assert lines(match)["ante"] == (100, ante)
    assert [lit.id for lit in match.game.lit] == [9, 11]


def test_only_the_ante_pays_the_fee_and_nothing_else_is_boosted():
    match = showdown("AS QD", "KD JC 10H 4D 2S", "KH KC", "3C 3H 3D 8C", {**SIDE, "trips": 33}, **MARKED)

    assert (match.game.money.fees, match.game.money.staked) == (20, 644)
    assert lines(match) == {
        "ante": (100, 300),
        "blind": (100, 200),
        "play": (400, 800),
        "trips": (33, 165),
        "six_card": (10, 80),
        "progressive": (1, 30),
    }


def test_marked_ranks_are_shown_with_the_result_and_not_before():
    states: list[Match[Any]] = [dealt(**MARKED), on_flop(**MARKED), at_river(**MARKED), do(dealt(**MARKED), PLAY[4])]

    assert all(match.game.lit == () for match in states)
    assert [lit.id for lit in do(states[2], FOLD).game.lit] == [9, 11]
    assert do(at_river(seed=bytes(32), session_id=1), FOLD).game.lit == ()


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "action"),
    [
        ("0100", CHECK),
        ("0101", PLAY[4]),
        ("0102", PLAY[2]),
        ("0103", PLAY[1]),
        ("0104", FOLD),
        ("0105", DEAL),
        ("0106000000000000000a", act("trips", stake=10)),
        ("0107", REVEAL),
        ("0108", PLAY[3]),
        ("01090000000000000000", act("six_card", stake=0)),
        ("010a0000000000000001", act("progressive", stake=1)),
        ("010b000000000000000500000000000000070000000000000001", act("deal_with", trips=5, six_card=7, progressive=1)),
    ],
)
def test_actions_have_the_bytes_of_the_sheet_behind_a_version(payload, action):
    assert encode_payload(GAME, action) == bytes.fromhex(payload)
    assert decode_payload(GAME, bytes.fromhex(payload)) == action


def opened(stake: int = 100, options: Any = None) -> Any:
    session = open_session(GAME, player="ann", session_id=0, stake=stake, seed=SEED, options=options)
    session, result = init_game(session, GameRng.new(SEED, 0, 0))
    return settle(session, result)


def test_a_raise_that_is_switched_off_is_an_invalid_move():
    session, result = process_game_move(opened(options={"play_4x": False}), bytes.fromhex("0105"))
    with pytest.raises(GameError) as no:
        process_game_move(settle(session, result), bytes.fromhex("0101"))
    assert no.value.kind is ErrorKind.INVALID_MOVE


def test_opening_is_booked_as_both_stakes_and_nothing_else():
    session = open_session(GAME, player="ann", session_id=0, stake=100, seed=SEED)
    session, result = init_game(session, GameRng.new(SEED, 0, 0))

    assert result == Continue()
    assert session.money.taken == 200


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (
            [("0105", HOLE), ("0101", ""), ("0107", f"{BOARD} QS QC")],
            [Continue(), ContinueWithUpdate(-400), LossPreDeducted(600)],
        ),
        (
            [("0105", HOLE), ("0108", ""), ("0107", f"{BOARD} AS 3C")],
            [Continue(), ContinueWithUpdate(-300), Win(800)],  # the dealer has nothing: the Ante pushes
        ),
        (
            [("0105", HOLE), ("0101", ""), ("0107", "AD KC QH JD 10S 3H 5C")],
            [Continue(), ContinueWithUpdate(-400), Push(600)],
        ),
        ([("0105", HOLE), ("0100", FLOP), ("0100", LAST), ("0104", "AS 3C")], [Continue()] * 3 + [Loss()]),
        (
            [("0106000000000000000a", ""), ("0105", HOLE), ("0100", FLOP), ("0100", LAST), ("0104", "AS 3C")],
            [ContinueWithUpdate(-10), Continue(), Continue(), Continue(), LossPreDeducted(210)],
        ),
        (
            [("010600000000000000c8", ""), ("01060000000000000032", ""), ("01060000000000000032", "")],
            [ContinueWithUpdate(-200), ContinueWithUpdate(150), Continue()],
        ),
    ],
)
def test_results_tell_what_each_move_did_to_the_money(moves, expected):
    session, seen, known = opened(), [], ""
    for payload, cards in moves:
        session, result = process_game_move(session, bytes.fromhex(payload), dealing(cards, known) if cards else None)
        session, known = settle(session, result), f"{known} {cards}"
        seen.append(replace(result, logs=()))

    assert seen == expected


def test_chips_are_conserved_over_plain_and_super_sessions():
    """Sixty sessions through the house; the player's chips are the first thousand and what was won, less fees."""
    state, tables = MemoryState(), {9: make_table(9, GAME)}
    moment, expected, endings = 0, 1000, set()
    ways: Iterator[Any] = iter(
        [[PLAY[4], REVEAL], [PLAY[3], REVEAL], [CHECK, PLAY[2], REVEAL], [CHECK, CHECK, PLAY[1], REVEAL]] * 12
        + [[CHECK, CHECK, FOLD]] * 12
    )

    def tell(body: Any) -> tuple[Any, ...]:
        nonlocal moment
        moment += 1
        events = execute(state, Instruction("ann", body), SEED, moment, tables=tables)
        check_ledger(state)
        return events

    tell(Register())
    for session_id, way in enumerate(ways):
        if session_id % 2:
            tell(PlayerAction("super"))
        tell(StartGame(9, 5, session_id))
        first = act("deal_with", trips=1, six_card=1, progressive=1) if session_id % 3 else DEAL
        for action in [first, *way]:
            events = tell(GameMove(session_id, encode_payload(GAME, action)))
        done = next(event for event in events if type(event).__name__ == "GameCompleted")
        expected += done.net - done.fees
        assert done.balances.chips == expected
        endings.add(state.values[f"session/{session_id}"].match.game.outcome)
    assert {"folded", "lost", "won", "won_unqualified"} <= endings
    check_ledger(state, thorough=True)


def test_tables_that_give_the_player_an_edge_need_the_operators_word():
    for options in ALL_OPTIONS:
        gives_away = options["dealer_qualifies"] == "always" and (options["play_3x"] or options["play_4x"])
        if gives_away:
            with pytest.raises(BadOptions, match="edge of -"):
                make_table(9, GAME, options)
        assert make_table(9, GAME, options, allow_overpay=gives_away).options == GAME.read_options(options)


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=4, options=ALL_OPTIONS).actions > 50
    assert check_game(SuperHoldem(), seeds=4, options=ALL_OPTIONS).actions > 50


def test_the_choices_are_those_of_the_phase():
    def names(match: Match[Any]) -> list[str]:
        return [action.type for action in legal_actions(GAME, match)]

    assert names(start()) == ["deal", "deal_with", "trips", "trips", "six_card", "six_card", "progressive"]
    assert names(dealt()) == ["check", "play_4x", "play_3x"]
    assert names(dealt(options={"play_3x": False, "play_4x": False})) == ["check"]
    assert names(on_flop()) == ["check", "play_2x"]
    assert names(at_river()) == ["play_1x", "fold"]
    assert names(do(at_river(), PLAY[1])) == ["reveal"]
    laid = do(start(), act("trips", stake=5), act("progressive", stake=1))
    taken_back = [action for action in legal_actions(GAME, laid) if action.payload == {"stake": 0}]
    assert [action.type for action in taken_back] == ["trips", "progressive"]


def test_ranges_are_told_before_the_deal():
    found = legal_ranges(GAME, start())

    assert {name: span["stake"].high for name, span in found.items() if "stake" in span} == {
        "trips": 5_000,
        "six_card": 5_000,
        "progressive": 1,
    }
    assert set(found["deal_with"]) == {"trips", "six_card", "progressive"}
    assert legal_ranges(GAME, dealt()) == {}


def test_a_player_who_is_away_never_pays_more_than_was_staked():
    for match in (start(), dealt(SIDE), on_flop(), at_river()):
        staked = match.game.money.staked
        while match.status == "active":
            match = do(match, act("time_out"), cover=Cover(funds=0))
        assert (match.game.outcome, match.game.money.staked) == ("folded", staked)
    assert do(do(dealt(), PLAY[4]), act("time_out"), cover=Cover(funds=0)).game.outcome != "folded"


def chosen(match: Match[Any]) -> dict[str, str]:
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)
    return {name: bot(view, legal, GameRng.new(b"", 0, 0)).type for name, bot in GAME.bots.items()}


def test_both_policies_are_bots():
    assert chosen(start()) == {"best": "deal", "simple": "deal"}
    assert chosen(dealt()) == {"best": "play_4x", "simple": "play_4x"}
    assert chosen(dealt(hole="KS 4D")) == {"best": "check", "simple": "check"}
    assert chosen(dealt(options={"play_4x": False}, hole="AS AD")) == {"best": "play_3x", "simple": "play_3x"}
    assert chosen(on_flop()) == {"best": "play_2x", "simple": "play_2x"}
    assert chosen(at_river()) == {"best": "play_1x", "simple": "play_1x"}
    assert chosen(do(at_river(), PLAY[1])) == {"best": "reveal", "simple": "reveal"}
    nothing = GAME.situation("4S 3D:QH QC 9S JD 7H")
    assert {bot(view_for(GAME, nothing, "you"), (), GameRng.new(b"", 0, 0)).type for bot in GAME.bots.values()} == {
        "fold"
    }


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.ULTIMATE_HOLDEM, True, (1, 5_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {
        "check": 0,
        "play_4x": 1,
        "play_2x": 2,
        "play_1x": 3,
        "fold": 4,
        "deal": 5,
        "trips": 6,
        "reveal": 7,
        "play_3x": 8,
        "six_card": 9,
        "progressive": 10,
        "deal_with": 11,
    }
    assert [(row.bet, row.policy) for row in GAME.odds()] == [
        ("ante", "best"),
        ("ante", "simple"),
        ("trips", "-"),
        ("six_card", "-"),
        ("progressive", "-"),
    ]
    assert [(row.bet, row.policy) for row in GAME.super_odds()] == [("ante", "best"), ("ante", "simple")]


# The coach.


def advice(match: Match[Any]) -> dict[str, Any]:
    view = view_for(GAME, match, match.turn.current)
    found = GAME.advise(view, legal_actions(GAME, match))
    values = [item.value for item in found]
    assert values == sorted(values, reverse=True)
    return {item.action.type: item.value for item in found}


def test_the_coach_values_every_choice_at_every_stage_best_first():
    options = HoldemOptions()
    cards = cards_of(f"{HOLE} {BOARD}")
    before, flop, river = hole_values(cards[:2], options), flop_values(cards[:5], options), river_values(cards, options)

    assert advice(dealt()) == {"play_4x": before[4], "play_3x": before[3], "check": before[0]}
    assert advice(on_flop()) == {"play_2x": flop[2], "check": flop[0]}
    assert advice(at_river()) == {"play_1x": river[1], "fold": Fraction(-2)}


def test_the_coach_knows_what_a_bet_that_was_made_is_worth():
    options = HoldemOptions()
    cards = cards_of(f"{HOLE} {BOARD}")

    assert advice(do(dealt(), PLAY[3])) == {"reveal": hole_values(cards[:2], options)[3]}
    assert advice(do(on_flop(), PLAY[2])) == {"reveal": advice(on_flop())["play_2x"]}
    assert advice(do(at_river(), PLAY[1])) == {"reveal": river_values(cards, options)[1]}


def test_before_the_deal_the_coach_counts_what_the_bets_cost():
    edges = {(row.bet, row.policy): row.edge for row in GAME.odds()}
    match = do(start(), act("trips", stake=50))
    view = view_for(GAME, match, "ann")
    values = {
        (item.action.type, item.action.payload.get("stake")): item.value
        for item in GAME.advise(view, legal_actions(GAME, match))
    }

    main, trips = edges["ante", "best"], edges["trips", "-"]
    assert values["deal", None] == -main - trips / 2
    assert values["trips", 0] == -main
    assert values["trips", 10] == -main - trips / 10
    assert values["progressive", 1] == -main - trips / 2 - edges["progressive", "-"] / 100
    assert values["deal_with", None] == -main - trips / 10 - edges["six_card", "-"] / 10 - (
        edges["progressive", "-"] / 100
    )


def test_the_coach_answers_on_the_flop_within_two_seconds():
    """Of the processor's time, by plain Python. A flop of one suit, with two others in the hole, takes the longest."""
    match = GAME.situation("AD 2C:2S 6S 10S")
    begun = time.process_time()

    advice(match)

    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "phase", "hole", "board"),
    [
        ("KS 7D", "preflop", "KS 7D", ""),
        ("ks,7d : qh 7c 2s", "flop", "KS 7D", "QH 7C 2S"),
        ("K♠ 7♦:Q♥ 7♣ 2♠ J♦ 5♥", "river", "KS 7D", "QH 7C 2S JD 5H"),
    ],
)
def test_situations_are_read(text, phase, hole, board):
    match = GAME.situation(text)

    assert (match.turn.phase, match.game.hole, match.game.board) == (phase, *map(tuple, map(cards_of, (hole, board))))


@pytest.mark.parametrize(
    "text", ["", "KS", "KS 7D 2C", "KS KS", "KS 7D:QH", "KS 7D:QH 7C 7D", "KS 7D:QH 7C 2S JD", "?"]
)
def test_situations_that_cannot_be_are_refused(text):
    with pytest.raises(BadOptions, match="not a situation"):
        GAME.situation(text)


def test_an_aim_that_the_coach_does_not_know_is_refused():
    with pytest.raises(BadOptions):
        GAME.advise(view_for(GAME, dealt(), "ann"), (CHECK,), "glory")


# Text.


def told(match: Match[Any], action: Any, rng: GameRng | None = None) -> str:
    answer = apply_action(GAME, match, action, rng=rng)
    assert answer.ok
    return GAME.describe(answer.action, match, answer.state)


def test_the_log_tells_the_cards_and_why_each_bet_was_paid():
    assert told(start(), DEAL, dealing(HOLE)) == "you get K♠ 7♦; play 4× or 3×, or check?"
    no_raise = start(options={"play_3x": False, "play_4x": False})
    assert told(no_raise, DEAL, dealing(HOLE)) == "you get K♠ 7♦; check?"
    assert told(dealt(), CHECK, dealing(FLOP, HOLE)) == (
        "the flop is Q♥ 7♣ 2♠: you have a pair of sevens; play 2×, or check?"
    )
    assert told(on_flop(), CHECK, dealing(LAST, f"{HOLE} {FLOP}")) == (
        "then J♦ 5♥: you have a pair of sevens; play 1×, or fold?"
    )
    assert told(at_river(), PLAY[1]) == "ann: play_1x"
    assert told(at_river(), FOLD, dealing("AS AC", f"{HOLE} {BOARD}")) == (
        "folded: K♠ 7♦ on Q♥ 7♣ 2♠ J♦ 5♥ is a pair of sevens, the dealer's A♠ A♣ a pair of aces; "
        "ante loses; blind loses; lost 200"
    )
    bet = do(at_river(SIDE), PLAY[1])
    assert told(bet, REVEAL, dealing("AS 3C KD KC KH 3H", f"{HOLE} {BOARD}")) == (
        "K♠ 7♦ on Q♥ 7♣ 2♠ J♦ 5♥ is a pair of sevens, the dealer's A♠ 3♣ ace high: "
        "you win, and the dealer does not qualify; ante pushes; blind pushes; play pays 100, 1 to 1; trips loses; "
        "six_card pays 1,000, 100 to 1 for four of a kind with the four extra cards; progressive loses; won 1089"
    )


def test_the_log_names_bonus_and_boost():
    raised = do(dealt(hole="AS QD", **MARKED), PLAY[4])
    assert told(raised, REVEAL, dealing("KD JC 10H 4D 2S KH KC", "AS QD")) == (
        "A♠ Q♦ on K♦ J♣ 10♥ 4♦ 2♠ is a straight to the ace, the dealer's K♥ K♣ three kings: you win; "
        "ante pays 200, 1 to 1, boosted ×2; blind pays 100, 1 to 1 for a straight; play pays 400, 1 to 1; won 700"
    )
    flush = do(dealt(hole="AS 3S"), PLAY[4])
    assert "blind pays 150, 3 to 2 for a flush" in told(flush, REVEAL, dealing("KS JS 10S 4D 2D KH KC", "AS 3S"))


def test_the_table_shows_the_cards_and_the_choice():
    assert GAME.render(view_for(GAME, start(), "ann")).splitlines()[:4] == [
        "  You     [dim]  ??[/dim][dim]  ??[/dim]",
        "  Board   " + "[dim]  ??[/dim]" * 5,
        "  Dealer  [dim]  ??[/dim][dim]  ??[/dim]",
        "  [dim]Lay side bets (trips, six_card, progressive) if you like, then deal.[/dim]",
    ]
    assert GAME.render(view_for(GAME, on_flop(), "ann")).splitlines()[:4] == [
        "  You     [bold]  K♠[/][red]  7♦[/]              a pair of sevens",
        "  Board   [red]  Q♥[/][bold]  7♣[/][bold]  2♠[/][dim]  ??[/dim][dim]  ??[/dim]",
        "  Dealer  [dim]  ??[/dim][dim]  ??[/dim]",
        "  [bold yellow]Play for 200 more, or check.[/bold yellow]",
    ]
    done = do(do(at_river(SIDE), PLAY[1]), REVEAL, rng=dealing("AS 3C KD KC KH 3H", f"{HOLE} {BOARD}"))
    shown = GAME.render(view_for(GAME, done, "ann")).splitlines()
    assert shown[2] == "  Dealer  [bold]  A♠[/][bold]  3♣[/]              ace high[dim], does not qualify[/dim]"
    assert shown[3].endswith("four kings with your two")
    assert not any("Play for" in line for line in shown)


def test_the_largest_returns_are_covered():
    """What the house is told a bet can bring is what the best hand brings."""
    match = showdown("AS KS", "QS JS 10S KD 2C", "KH KC", "QH JH 10H 9H", SIDE)

    assert [rules.return_max(kind, stake, False) for kind, stake in enumerate((100, 100, 400, 10))] == [
        returned for _, returned in list(lines(match).values())[:4]
    ]
