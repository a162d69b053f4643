"""Three card poker at the table: every action and refusal, what each bet brings back, the coach, super mode, chips."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from time import process_time
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.games.three_card_poker import ThreeCardPoker, dealer, policies, rules
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.house import (
    Continue,
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    GameType,
    Loss,
    LossPreDeducted,
    Push,
    Terms,
    Win,
    decode_payload,
    encode_payload,
    init_game,
    make_table,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.money import Cover
from croupier.kit.cards import parse_card
from croupier.kit.poker import rank3
from croupier.rng import GameRng
from croupier.testing import HouseKit, check_game

SEED = bytes(range(32))
GAME = ThreeCardPoker()
KIT = HouseKit(GAME, stake=100)
start, do, refusal = KIT.start, KIT.do, KIT.refusal
DEAL, PLAY, FOLD, REVEAL = act("deal"), act("play"), act("fold"), act("reveal")
LOW = "10C 8H 3C"  # the dealer does not qualify
ALL_OPTIONS: list[Any] = [{"qualifier": "queen"}, {"qualifier": "q64"}]


class SuperThreeCard(ThreeCardPoker):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(10, True)


def cards_of(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def dealing(names: str, held: str = "") -> ScriptedRng:
    """Return a stream that deals these cards in order, from the sorted pack without those held."""
    pack = [card for card in range(52) if card not in cards_of(held)]
    entries = []
    for card in cards_of(names):
        place = pack.index(card)
        entries.append(place)
        pack[place] = pack[-1]
        pack.pop()
    return ScriptedRng(entries)


def side(bet: str, stake: int) -> Any:
    return act(bet, stake=stake)


def deal_with(pair_plus: int, six_card: int, progressive: int) -> Any:
    return act("deal_with", pair_plus=pair_plus, six_card=six_card, progressive=progressive)


def lines(match: Match[Any]) -> dict[str, int]:
    """Return what each settled bet brought back, in order."""
    return {line.bet: line.returned for line in match.game.money.lines}


def stakes(match: Match[Any]) -> list[tuple[str, int]]:
    return [(stake.bet, stake.stake) for stake in match.game.money.open]


def dealt(hand: str, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> Match[Any]:
    """Return a session in which the player holds a hand."""
    return do(start(**terms), deal_with(*sides), rng=dealing(hand))


def played(hand: str, dealer: str, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> Match[Any]:
    return do(do(dealt(hand, sides, **terms), PLAY), REVEAL, rng=dealing(dealer, held=hand))


def folded(hand: str, dealer: str, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> Match[Any]:
    return do(dealt(hand, sides, **terms), FOLD, rng=dealing(dealer, held=hand))


# Opening.


def test_the_opening_stake_is_the_ante():
    match = start(100)

    assert (stakes(match), match.turn.phase) == ([("ante", 100)], "deal")
    assert (match.game.money.opening, match.game.money.staked) == (100, 100)


@pytest.mark.parametrize(
    ("stake", "super_mode", "cover", "code"),
    [
        (0, False, None, "stake_too_small"),
        (101, False, Cover(funds=100), "insufficient_funds"),
        (100, True, Cover(funds=119), "insufficient_funds"),
        (4, False, Cover(stake_min=5), "under_limit"),
        (501, False, Cover(stake_max=500), "over_limit"),
        (100, False, Cover(exposure_max=699), "exposure_limit"),
        (100, True, Cover(exposure_max=4059), "exposure_limit"),
        (12, True, None, "super_stake"),
    ],
)
def test_an_ante_that_is_not_covered_is_refused(stake, super_mode, cover, code):
    with pytest.raises(Refusal) as no:
        start(stake, super_mode=super_mode, cover=cover)
    assert no.value.code == code


def test_an_ante_that_is_just_covered_is_taken():
    assert start(100, super_mode=True, cover=Cover(120, 100, 100, 4060)).game.money.fees == 20


@pytest.mark.parametrize("options", [{"qualifier": "king"}, {"qualifier": 1}, {"decks": 1}])
def test_options_that_are_not_on_the_list_are_refused(options):
    with pytest.raises(BadOptions):
        start(options=options)


# Side bets.


@pytest.mark.parametrize("bet", ["pair_plus", "six_card"])
def test_a_side_bet_replaces_the_one_before_it_and_nothing_takes_it_back(bet):
    match = do(start(), side(bet, 10), side(bet, 25))

    assert stakes(match) == [("ante", 100), (bet, 25)]
    assert stakes(do(match, side(bet, 0))) == [("ante", 100)]
    assert do(start(), side(bet, 0)).game == start().game


def test_chips_on_the_old_side_bet_pay_for_the_new_one():
    match = do(start(), side("pair_plus", 10))

    assert refusal(match, side("pair_plus", 16), Cover(funds=5)) == "insufficient_funds"
    assert do(match, side("pair_plus", 15), cover=Cover(funds=5)).game.money.staked == 115
    assert do(match, side("pair_plus", 3), cover=Cover(funds=0)).game.money.staked == 103


def test_the_progressive_takes_one_chip_and_says_no_to_more():
    match = do(start(), side("progressive", 1))

    assert stakes(match) == [("ante", 100), ("progressive", 1)]
    assert stakes(do(match, side("progressive", 1))) == stakes(match)
    assert stakes(do(match, side("progressive", 0))) == [("ante", 100)]
    for stake in (2, 9, 2**63 - 1):
        assert refusal(start(), side("progressive", stake)) == "progressive_stake"
        assert refusal(match, deal_with(0, 0, stake)) == "progressive_stake"


@pytest.mark.parametrize(
    ("action", "cover", "code"),
    [
        (side("pair_plus", -1), None, "bad_payload"),
        (side("six_card", 2**63), None, "bad_payload"),
        (side("pair_plus", 11), Cover(funds=10), "insufficient_funds"),
        (side("pair_plus", 4), Cover(stake_min=5), "under_limit"),
        (side("six_card", 501), Cover(stake_max=500), "over_limit"),
        (side("pair_plus", 10), Cover(exposure_max=700 + 409), "exposure_limit"),
        (side("six_card", 1), Cover(exposure_max=700 + 1000), "exposure_limit"),
        (side("progressive", 1), Cover(exposure_max=700 + 9999), "exposure_limit"),
        (deal_with(5, 5, 1), Cover(funds=10), "insufficient_funds"),
        (deal_with(5, 5, 1), Cover(exposure_max=700 + 205 + 5005 + 9999), "exposure_limit"),
        (act("deal_with", pair_plus=1, six_card=1), None, "bad_payload"),
        (act("deal", stake=5), None, "bad_payload"),
    ],
)
def test_side_bets_that_are_not_covered_are_refused_before_a_card_is_drawn(action, cover, code):
    assert refusal(start(), action, cover) == code


def test_dealing_with_all_three_replaces_what_was_laid():
    match = do(start(), side("pair_plus", 50), side("progressive", 1))

    assert stakes(do(match, deal_with(7, 3, 0))) == [("ante", 100), ("pair_plus", 7), ("six_card", 3)]
    assert stakes(do(match, deal_with(0, 0, 0))) == [("ante", 100)]
    assert stakes(do(match, DEAL)) == [("ante", 100), ("pair_plus", 50), ("progressive", 1)]
    covered = Cover(funds=0, exposure_max=700 + 410 + 2002)
    assert do(match, deal_with(10, 2, 0), cover=covered).game.money.staked == 112


# The deal, and what follows.


def test_three_cards_are_dealt_from_the_whole_pack_and_the_dealers_from_what_is_left():
    deal, reveal, fold = dealing("QS 6H 4D"), dealing("KS 9H 9D", held="QS 6H 4D"), dealing(LOW, held="QS 6H 4D")

    match = do(start(), DEAL, rng=deal)
    assert (match.turn.phase, list(match.game.player)) == ("decide", cards_of("QS 6H 4D"))
    assert (match.game.dealer, match.game.outcome) == ((), None)
    waiting = do(match, PLAY)
    assert (waiting.turn.phase, waiting.game.dealer, stakes(waiting)) == ("reveal", (), [("ante", 100), ("play", 100)])
    shown = do(waiting, REVEAL, rng=reveal)
    assert (shown.status, list(shown.game.dealer)) == ("finished", cards_of("KS 9H 9D"))
    assert list(do(match, FOLD, rng=fold).game.dealer) == cards_of(LOW)
    assert (deal.bounds, reveal.bounds, fold.bounds) == ([52, 51, 50], [49, 48, 47], [49, 48, 47])


def test_moves_draw_from_streams_of_their_own():
    """The deal is move 1; folding draws from move 2 and revealing from move 3, so they meet other dealers."""
    for session_id in range(20):
        match = do(start(session_id=session_id), DEAL)
        pack = list(range(52))
        assert match.game.player == rules.draw_three(GameRng.new(SEED, session_id, 1), pack, 52)
        for move, end in ((2, do(match, FOLD)), (3, do(match, PLAY, REVEAL))):
            left = [card for card in range(52) if card not in match.game.player]
            assert end.game.dealer == rules.draw_three(GameRng.new(SEED, session_id, move), left, 49)


@pytest.mark.parametrize(
    ("hand", "dealer", "qualifier", "outcome", "ante", "play"),
    [
        ("QS 6H 4D", "JS 9H 2D", "queen", "not_qualified", 200, 100),
        ("2S 3H 5D", "JS 9H 2D", "queen", "not_qualified", 200, 100),
        ("QS 6H 4D", "QH 5H 3D", "queen", "won", 200, 200),
        ("QS 6H 4D", "QH 5H 3D", "q64", "not_qualified", 200, 100),
        ("QS 7H 2D", "QH 6D 4C", "q64", "won", 200, 200),
        ("QS 6H 4D", "QH 6D 4C", "queen", "tied", 100, 100),
        ("QS 6H 4D", "QH 6D 5C", "queen", "lost", 0, 0),
        ("KS KH 4D", "2H 3D 4C", "queen", "lost", 0, 0),
        ("2S 3H 4D", "AH 2D 3C", "queen", "won", 300, 200),
        ("2S 3H 4D", "2H 3D 4C", "queen", "tied", 200, 100),
        ("2S 3H 4D", "5H 6D 7C", "queen", "lost", 100, 0),
        ("2S 3H 4D", LOW, "queen", "not_qualified", 300, 100),
        ("7S 7H 7D", "KH KD KC", "queen", "lost", 400, 0),
        ("7S 7H 7D", "5H 6D 7C", "queen", "won", 600, 200),
        ("7S 8S 9S", "5H 6D 7C", "queen", "won", 700, 200),
        ("7S 8S 9S", "8H 9H 10H", "queen", "lost", 500, 0),
        ("7S 8S 9S", "7H 8H 9H", "queen", "tied", 600, 100),
    ],
)
def test_ante_and_play_return_what_the_sheet_says(hand, dealer, qualifier, outcome, ante, play):
    match = played(hand, dealer, options={"qualifier": qualifier})

    assert (match.status, match.game.outcome) == ("finished", outcome)
    assert lines(match) == {"ante": ante, "play": play}
    assert match.game.money.staked == 200


def test_folding_loses_the_ante_and_nothing_else():
    match = folded("7S 8S 9S", LOW)

    assert (match.game.outcome, lines(match), match.game.money.staked) == ("folded", {"ante": 0}, 100)


@pytest.mark.parametrize("end", [played, folded])
@pytest.mark.parametrize(
    ("hand", "dealer", "pair_plus", "six_card", "progressive"),
    [
        ("QS 6H 4D", "KS 9H 2D", 0, 0, 0),
        ("QS QH 4D", "KS 9H 2D", 20, 0, 0),
        ("QS QH 4D", "QD 9H 2D", 20, 80, 0),
        ("2S 3H 4D", "5S 6H KD", 70, 110, 6),
        ("2S 8S 4S", "5S 9S KD", 40, 160, 0),
        ("7S 7H 7D", "5S 5H KD", 310, 210, 60),
        ("7S 7H 7D", "7C 5H KD", 310, 1010, 60),
        ("7S 8S 9S", "5S 6S KD", 410, 2010, 70),
        ("AH KH QH", "5S 6S KD", 410, 0, 500),
        ("AS KS QS", "JS 10S KD", 410, 10_010, 10_000),
        ("JS 10S KS", "AS QS KD", 40, 10_010, 0),
    ],
)
def test_side_bets_are_decided_also_after_a_fold(end, hand, dealer, pair_plus, six_card, progressive):
    match = end(hand, dealer, sides=(10, 10, 1))

    found = lines(match)
    assert [found[bet] for bet in ("pair_plus", "six_card", "progressive")] == [pair_plus, six_card, progressive]
    assert match.game.money.staked == (121 if end is folded else 221)


def test_play_is_taken_before_the_dealer_draws_or_is_refused():
    match = dealt("QS 6H 4D")

    assert refusal(match, PLAY, Cover(funds=99)) == "insufficient_funds"
    assert refusal(match, PLAY, Cover(exposure_max=899)) == "exposure_limit"
    assert do(match, PLAY, cover=Cover(funds=100, exposure_max=900)).game.money.staked == 200
    assert do(match, FOLD, cover=Cover(funds=0)).status == "finished"


@pytest.mark.parametrize(
    ("match", "action", "code"),
    [
        (start(), PLAY, "wrong_phase"),
        (start(), FOLD, "wrong_phase"),
        (start(), REVEAL, "wrong_phase"),
        (start(), act("hit"), "unknown_action"),
        (start(), act("leave"), "bets_open"),
        (dealt("QS 6H 4D"), DEAL, "wrong_phase"),
        (dealt("QS 6H 4D"), deal_with(1, 1, 1), "wrong_phase"),
        (dealt("QS 6H 4D"), side("pair_plus", 5), "wrong_phase"),
        (dealt("QS 6H 4D"), side("pair_plus", 0), "wrong_phase"),
        (dealt("QS 6H 4D"), side("progressive", 9), "wrong_phase"),
        (dealt("QS 6H 4D"), REVEAL, "wrong_phase"),
        (do(dealt("QS 6H 4D"), PLAY), PLAY, "wrong_phase"),
        (do(dealt("QS 6H 4D"), PLAY), FOLD, "wrong_phase"),
        (played("QS 6H 4D", LOW), REVEAL, "finished"),
        (folded("QS 6H 4D", "9S 4H 2C"), PLAY, "finished"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(match, action, code):
    assert refusal(match, action) == code


# Super mode. Of 32 zero bytes, session 1 marks diamonds and spades (casino-core, V13).

MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}


@pytest.mark.parametrize(
    ("hand", "dealer", "ante"),
    [
        ("KS 6S 4H", LOW, 240),  # 1.4 times the profit
        ("KS 6D 4H", LOW, 200),
        ("KH 6H 4S", LOW, 200),  # hearts are not marked
        ("KS 6S 4H", "QS 9H 2D", 240),
        ("KS 6S 4H", "KD 6H 4C", 100),
        ("KS 6S 4H", "AD 6H 4C", 0),
        ("5S 6S 7H", LOW, 460),  # a straight and its bonus, 1.8 times
        ("5S 6S 7H", "8S 9H 10D", 100),  # beaten: the bonus just brings the Ante back
        ("5S 6S 7H", "5H 6D 7C", 280),  # tied: the bonus is a profit
        ("KS 6S 4S", LOW, 320),  # 2.2 times
        ("KH 6H 4H", LOW, 200),
        ("5S 6S 7S", LOW, 4060),  # 6.6 times
        ("5S 6S 7S", "8H 9H 10H", 2740),
        ("7S 7D 7H", LOW, 600),
    ],
)
def test_marked_suits_boost_the_profit_of_the_ante(hand, dealer, ante):
    match = played(hand, dealer, **MARKED)

    assert lines(match)["ante"] == ante
    assert [lit.id for lit in match.game.lit] == [2, 0]


def test_only_the_ante_pays_the_fee_and_only_it_is_boosted():
    plain = lines(played("5S 6S 7S", "QS 9H 2D", sides=(33, 7, 1)))
    match = played("5S 6S 7S", "QS 9H 2D", sides=(33, 7, 1), **MARKED)

    assert (match.game.money.fees, match.game.money.staked) == (20, 241)
    assert {bet: lines(match)[bet] for bet in plain if bet != "ante"} == {
        "play": 200,
        "pair_plus": 33 * 41,
        "six_card": 0,
        "progressive": 70,
    }


def test_marked_suits_are_shown_with_the_dealers_hand_and_not_before():
    waiting = dealt("KS 6S 4H", **MARKED)

    assert waiting.game.lit == do(waiting, PLAY).game.lit == ()
    assert [lit.id for lit in do(waiting, FOLD).game.lit] == [2, 0]
    assert played("KS 6S 4H", LOW).game.lit == ()


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "action"),
    [
        ("0100", PLAY),
        ("0101", FOLD),
        ("0102", DEAL),
        ("0103000000000000000a", side("pair_plus", 10)),
        ("0104", REVEAL),
        ("01050000000000000000", side("six_card", 0)),
        ("01060000000000000001", side("progressive", 1)),
        ("0107000000000000000a000000000000000b0000000000000001", deal_with(10, 11, 1)),
    ],
)
def test_actions_have_the_bytes_of_the_sheet_behind_a_version(payload, action):
    assert encode_payload(GAME, action) == bytes.fromhex(payload)
    assert decode_payload(GAME, bytes.fromhex(payload)) == action


def opened(stake: int = 100) -> Any:
    session = open_session(GAME, player="ann", session_id=0, stake=stake, seed=SEED)
    session, result = init_game(session, GameRng.new(SEED, 0, 0))
    assert result == Continue()
    return settle(session, result)


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ("0102000000000000000a", ErrorKind.INVALID_PAYLOAD),  # the deal has one form: bets are laid before it
        ("010801", ErrorKind.INVALID_PAYLOAD),  # rules are options here
        ("01060000000000000002", ErrorKind.INVALID_MOVE),
        ("0100", ErrorKind.INVALID_MOVE),
    ],
)
def test_other_bytes_are_an_error_of_their_kind(payload, kind):
    with pytest.raises(GameError) as no:
        process_game_move(opened(), bytes.fromhex(payload))
    assert no.value.kind is kind


WITH_SIDES = "0107000000000000000a000000000000000a0000000000000001"
HELD = "QS 6H 4D"


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (["0102", "0100", ("0104", LOW)], [Continue(), ContinueWithUpdate(-100), Win(300)]),
        (["0102", "0100", ("0104", "QH 6D 4C")], [Continue(), ContinueWithUpdate(-100), Push(200)]),
        (["0102", "0100", ("0104", "KH 6D 4C")], [Continue(), ContinueWithUpdate(-100), LossPreDeducted(200)]),
        (["0102", ("0101", "KH 6D 4C")], [Continue(), Loss()]),
        ([WITH_SIDES, ("0101", "KH 6D 2C")], [ContinueWithUpdate(-21), LossPreDeducted(121)]),
        ([WITH_SIDES, ("0101", "QH QD 2C")], [ContinueWithUpdate(-21), Win(80)]),
        (
            ["01030000000000000019", "01030000000000000005", "01060000000000000000", "01060000000000000001"],
            [ContinueWithUpdate(-25), ContinueWithUpdate(20), Continue(), ContinueWithUpdate(-1)],
        ),
        (["01030000000000000019", "0102"], [ContinueWithUpdate(-25), Continue()]),
        (["01030000000000000019", WITH_SIDES], [ContinueWithUpdate(-25), ContinueWithUpdate(4)]),
    ],
)
def test_results_tell_what_each_move_did_to_the_money(moves, expected):
    session, seen = opened(), []
    for move in moves:
        payload, dealer_cards = (move, "") if isinstance(move, str) else move
        rng = dealing(dealer_cards, held=HELD) if dealer_cards else None
        if payload in ("0102", WITH_SIDES):
            rng = dealing(HELD)
        session, result = process_game_move(session, bytes.fromhex(payload), rng)
        session = settle(session, result)
        seen.append(replace(result, logs=()))

    assert seen == expected


# The coach.


def advice(match: Match[Any]) -> list[Any]:
    return list(GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match)))


@pytest.mark.parametrize("qualifier", ["queen", "q64"])
@pytest.mark.parametrize("hand", ["QS 6H 3D", "QS 6H 4D", "QS 7H 2D", "2S 3H 5D", "7S 7H 2D", "2S 3S 4S", "AS 2H 3D"])
def test_the_coach_values_play_and_fold_by_every_hand_of_the_dealer(hand, qualifier):
    """A second count: the profit of each of the 18,424 rounds, from the table of the sheet."""
    held = cards_of(hand)
    mine, lowest = rank3(*held), {"queen": 0xC0000, "q64": 0xC6400}[qualifier]
    bonus = {5: 5, 4: 4, 3: 1}.get(mine >> 20, 0)
    total = 0
    for other in combinations([card for card in range(52) if card not in held], 3):
        theirs = rank3(*other)
        total += bonus + (1 if theirs < lowest else 2 * ((mine > theirs) - (mine < theirs)))

    found = {each.action.type: each.value for each in advice(dealt(hand, stake=7, options={"qualifier": qualifier}))}

    assert found == {"play": 7 * Fraction(total, 18_424), "fold": -7}


def test_the_coach_puts_the_best_first_in_every_stage():
    before = advice(do(start(), side("pair_plus", 10)))
    assert (before[0].action.type, before[0].action.payload) == ("pair_plus", {"stake": 0})
    assert before[0].value == -100 * GAME.odds()[0].edge
    assert [each.value for each in before] == sorted((each.value for each in before), reverse=True)
    assert len(before) == len(legal_actions(GAME, do(start(), side("pair_plus", 10))))
    assert [each.action.type for each in advice(dealt("QS 6H 4D"))] == ["play", "fold"]
    assert [each.action.type for each in advice(dealt("QS 6H 3D"))] == ["fold", "play"]
    (only,) = advice(do(dealt("QS 6H 3D"), PLAY))
    assert (only.action.type, only.value) == ("reveal", advice(dealt("QS 6H 3D"))[1].value)


def test_before_the_deal_the_coach_counts_what_every_bet_costs():
    pair_plus, six_card, progressive = (row.edge for row in GAME.odds()[-3:])
    found = {(each.action.type, *each.action.payload.values()): each for each in advice(start(10))}

    best = -10 * GAME.odds()[0].edge
    assert found["deal",].value == best
    assert found["pair_plus", 10].value == best - 10 * pair_plus
    assert found["deal_with", 10, 10, 1].value == best - 10 * pair_plus - 10 * six_card - progressive
    assert found["pair_plus", 10].text == "ante costs 0.3373, pair_plus costs 0.7276"


def test_in_super_mode_the_coach_counts_the_boost_and_not_the_fee():
    """Q-5-2 with two spades: spades are marked half the time, and a dealer who is out pays 1.4 instead of 1."""
    suited = advice(dealt("QS 5S 2H", **MARKED))
    plain = advice(dealt("QS 5S 2H"))

    counts = dealer.outcome_counts((parse_card("QS"), parse_card("5S"), parse_card("2H")), rules.QUEEN)
    gain = Fraction(counts[rules.NOT_QUALIFIED] + counts[rules.WON], 18_424) * Fraction(2, 5) / 2 * 100
    assert suited[0].action.type == "play"
    assert suited[0].value == plain[1].value + gain
    assert plain[0].action.type == "fold"
    assert advice(start(**MARKED))[0].value == 100 * (Fraction(1, 5) - GAME.super_odds()[0].edge)


def test_the_coach_answers_within_fifty_milliseconds_from_a_cold_start():
    """Processor time, the best of three runs with empty caches; about 15 ms where nothing else is running."""
    match = dealt("QS 6H 4D", sides=(10, 10, 1))
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)
    taken = []
    for _ in range(3):
        for cached in (dealer._tables, dealer.starting_hands, dealer.outcome_counts, policies._value):
            cached.cache_clear()
        begun = process_time()
        GAME.advise(view, legal)
        taken.append(process_time() - begun)

    assert min(taken) < 0.05


def test_a_situation_is_three_cards_with_an_ante_of_one():
    match = GAME.situation("qs, 6H 4♦", {"qualifier": "q64"})

    assert (match.turn.phase, match.game.stake, list(match.game.player)) == ("decide", 1, cards_of("QS 6H 4D"))
    assert match.options == ThreeCardOptions(qualifier="q64")
    assert [action.type for action in legal_actions(GAME, match)] == ["play", "fold"]
    for text in ("", "QS 6H", "QS 6H 4D 2C", "QS QS 4D", "QS 6H 1D"):
        with pytest.raises(BadOptions):
            GAME.situation(text)
    with pytest.raises(BadOptions):
        GAME.advise(view_for(GAME, match, "you"), (), "glory")


# Around the table.


def test_random_players_keep_every_law_of_the_engine():
    assert check_game(GAME, seeds=8, options=ALL_OPTIONS).actions > 50
    assert check_game(SuperThreeCard(), seeds=8, options=ALL_OPTIONS).actions > 50


def test_the_choices_are_those_of_the_phase():
    def names(match: Match[Any]) -> list[tuple[Any, ...]]:
        return [(action.type, *action.payload.values()) for action in legal_actions(GAME, match)]

    sides = [("pair_plus", 1), ("pair_plus", 10), ("six_card", 1), ("six_card", 10), ("progressive", 1)]
    assert names(start()) == [("deal",), ("deal_with", 10, 10, 1), *sides]
    assert names(do(start(), side("progressive", 1)))[-1] == ("progressive", 0)
    assert names(dealt("QS 6H 4D")) == [("play",), ("fold",)]
    assert names(do(dealt("QS 6H 4D"), PLAY)) == [("reveal",)]
    spans = legal_ranges(GAME, start())
    assert (spans["pair_plus"]["stake"].low, spans["pair_plus"]["stake"].high) == (0, 5_000)
    assert (spans["deal_with"]["progressive"].low, spans["deal_with"]["progressive"].high) == (0, 1)
    assert legal_ranges(GAME, dealt("QS 6H 4D")) == {}


def test_a_player_who_is_away_is_dealt_in_and_folds():
    away = act("time_out")

    assert do(dealt("7S 7H 7D"), away, cover=Cover(funds=0)).game.outcome == "folded"
    assert do(start(), away, away).game.outcome == "folded"
    assert do(do(dealt("QS 6H 4D"), PLAY), away).game.outcome in ("won", "lost", "tied", "not_qualified")


@pytest.mark.parametrize(
    ("hand", "plays"),
    [
        ("QS 6H 4D", {"best", "q64", "queen_high", "always_play"}),
        ("QS 7H 2D", {"best", "q64", "q72", "queen_high", "always_play"}),
        ("QS 6H 3D", {"queen_high", "always_play"}),
        ("JS 10H 8D", {"always_play"}),
        ("2S 2H 3D", {"best", "q64", "q72", "queen_high", "always_play"}),
    ],
)
def test_every_policy_is_a_bot(hand, plays):
    match = dealt(hand)
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)

    chosen = {name: bot(view, legal, GameRng.new(b"", 0, 0)).type for name, bot in GAME.bots.items()}

    assert {name for name, action in chosen.items() if action == "play"} == plays
    assert set(chosen) == {"best", "q64", "q72", "queen_high", "always_play"}


def test_the_game_says_what_it_is():
    assert (GAME.game_type, GAME.opens_with_stake, GAME.stake_limits) == (GameType.THREE_CARD, True, (1, 5_000))
    assert {spec.name: code for code, spec in GAME.opcode_table().items()} == {
        "play": 0,
        "fold": 1,
        "deal": 2,
        "pair_plus": 3,
        "reveal": 4,
        "six_card": 5,
        "progressive": 6,
        "deal_with": 7,
    }
    assert GAME.usual_bets() == {"ante": 10}
    assert make_table(8, GAME, {"qualifier": "q64"}).stake_max == 5_000


def told(match: Match[Any], action: Any, rng: GameRng | None = None) -> str:
    answer = apply_action(GAME, match, action, rng=rng)
    assert answer.ok
    return GAME.describe(answer.action, match, answer.state)


def reveal_told(hand: str, dealer_cards: str, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> str:
    return told(do(dealt(hand, sides, **terms), PLAY), REVEAL, dealing(dealer_cards, held=hand))


def test_the_log_says_why_each_bet_was_paid():
    assert told(start(), DEAL, dealing("QS 6H 4D")) == "you get Q♠ 6♥ 4♦ (Q-6-4 high); play or fold?"
    assert reveal_told("QS 6H 4D", "JS 9H 2D") == (
        "Q♠ 6♥ 4♦ (Q-6-4 high); the dealer has J♠ 9♥ 2♦ (J-9-2 high) and does not qualify; "
        "ante pays 100, 1 to 1; play pushes; won 100"
    )
    assert reveal_told("7S 8S 9S", "5S 6S KD", (10, 10, 1)) == (
        "7♠ 8♠ 9♠ (a straight flush to the nine); the dealer has 5♠ 6♠ K♦ (K-6-5 high) and qualifies: you win; "
        "ante pays 600, 1 to 1 and a bonus of 5 to 1; play pays 100, 1 to 1; "
        "pair_plus pays 400, 40 to 1 for a straight flush; six_card pays 2,000, 200 to 1 for a straight flush "
        "among the six; progressive pays 69, 69 to 1 for a straight flush; won 3169"
    )
    assert reveal_told("2S 3H 4D", "5H 6D 7C") == (
        "2♠ 3♥ 4♦ (a straight to the four); the dealer has 5♥ 6♦ 7♣ (a straight to the seven) and qualifies: "
        "the dealer wins; ante loses, but its bonus of 1 to 1 brings 100 back; play loses; lost 100"
    )
    assert reveal_told("2S 3H 4D", "2H 3D 4C") == (
        "2♠ 3♥ 4♦ (a straight to the four); the dealer has 2♥ 3♦ 4♣ (a straight to the four) and qualifies: a tie; "
        "ante pushes, and its bonus pays 100, 1 to 1; play pushes; won 100"
    )
    assert reveal_told("QS 6H 4D", "QH 6D 4C").endswith("a tie; ante pushes; play pushes; push")
    assert "progressive pays 9,999, 9,999 to 1 for A-K-Q of spades" in reveal_told("AS KS QS", LOW, (0, 0, 1))


def test_the_log_of_a_fold_says_whether_the_dealer_would_have_qualified():
    def fold_told(dealer_cards: str, qualifier: str) -> str:
        match = dealt("7S 7H 2D", (10, 0, 0), options={"qualifier": qualifier})
        return told(match, FOLD, dealing(dealer_cards, held="7S 7H 2D"))

    assert fold_told("QS 5H 3C", "queen") == (
        "folded 7♠ 7♥ 2♦ (a pair of sevens, two kicker); the dealer has Q♠ 5♥ 3♣ (Q-5-3 high) and qualifies; "
        "ante loses; pair_plus pays 10, 1 to 1 for a pair; lost 90"
    )
    assert "(Q-5-3 high) and does not qualify; ante loses" in fold_told("QS 5H 3C", "q64")


def test_the_log_of_a_super_session_names_the_boost():
    assert "ante pays 140, 1 to 1, boosted ×1.4; " in reveal_told("KS 6S 4H", "QS 9H 2D", **MARKED)
    assert "and a bonus of 5 to 1, boosted ×6.6; " in reveal_told("5S 6S 7S", LOW, **MARKED)
    assert "ante pays 100, 1 to 1; play" in reveal_told("KS 6D 4H", "QS 9H 2D", **MARKED)
    assert "brings 100 back; play loses" in reveal_told("5S 6S 7H", "8S 9H 10D", **MARKED)


def test_the_table_shows_the_hands_and_the_choice():
    assert GAME.render(view_for(GAME, start(), "ann")).splitlines()[:3] == [
        "  You     [dim]  ??   ??   ??[/dim]",
        "  Dealer  [dim]  ??   ??   ??[/dim]",
        "  [dim]Lay side bets (pair_plus, six_card, progressive) if you like, then deal.[/dim]",
    ]
    assert GAME.render(view_for(GAME, dealt("QS 6H 10D"), "ann")).splitlines() == [
        "  You      [bold] Q♠[/]  [red] 6♥[/]  [red]10♦[/]   Q-10-6 high",
        "  Dealer  [dim]  ??   ??   ??[/dim]",
        "  [bold yellow]Play for 100 more, or fold and lose the Ante.[/bold yellow]",
        "  ante                      100  [dim]open[/dim]",
    ]
    assert GAME.render(view_for(GAME, played("QS 6H 10D", LOW), "ann")).splitlines()[1] == (
        "  Dealer   [bold]10♣[/]  [red] 8♥[/]  [bold] 3♣[/]   10-8-3 high[dim], does not qualify[/dim]"
    )


# The page.


def percent(chance: Any) -> str:
    return f"{float(chance):.4%}".replace("%", " %")


def test_the_page_gives_the_figures_of_the_odds():
    page = GAME.rules_text()
    queen, q64 = GAME.odds(), GAME.odds(ThreeCardOptions(qualifier="q64"))

    for row in queen:
        policy = f"`{row.policy}`" if row.policy != "-" else ""
        figures = f"{percent(row.win)} | {percent(row.edge)} | {percent(row.edge_per_chip)} |"
        assert re.search(rf"^\| `{row.bet}` \| {policy}[^|]*\| {re.escape(figures)}$", page, re.MULTILINE), row
    for row in q64[:3]:
        assert f"| `{row.policy}` | {percent(row.edge)} | {percent(row.edge_per_chip)} |" in page
    for options in (None, ThreeCardOptions(qualifier="q64")):
        for row in GAME.super_odds(options)[:3]:
            qualifier = "queen" if options is None else "q64"
            figures = f"{percent(row.edge)} | {percent(row.edge_per_chip)} |"
            assert f"| `{qualifier}` | `{row.policy}` | {figures}" in page
