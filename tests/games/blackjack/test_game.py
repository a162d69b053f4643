"""Blackjack at the table: every action and refusal, what bets bring back, the peek, super mode, payloads, chips."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from croupier.engine import Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.games.blackjack import Blackjack, rules
from croupier.games.blackjack.bets import SIDE_BETS
from croupier.games.blackjack.options import BlackjackOptions
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
from croupier.rng import GameRng
from croupier.testing import HouseKit, check_game

SEED = bytes(range(32))
GAME = Blackjack()
KIT = HouseKit(GAME)
refusal = KIT.refusal
DEAL, HIT, STAND, DOUBLE, SPLIT = act("deal"), act("hit"), act("stand"), act("double"), act("split")
SURRENDER, REVEAL = act("surrender"), act("reveal")
INSURANCE, EVEN_MONEY, DECLINE = act("insurance"), act("even_money"), act("decline")


# Of 32 zero bytes, session 1 lights 10♥ ×3, 8♣ ×3, 8♥ ×4, 4♣ ×3, 2♣ ×2 (casino-core, V13).
LIT: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}


class SuperBlackjack(Blackjack):
    """The same game, whose sessions are super sessions wherever none is asked for."""

    def sample_terms(self) -> Terms:
        return Terms(10, True)


def start(stake: int = 100, **options: Any) -> Match[Any]:
    terms = {name: options.pop(name) for name in ("super_mode", "seed", "session_id", "cover") if name in options}
    return KIT.start(stake, options=options, **terms)


def cards_of(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def dealing(match: Match[Any], names: str) -> ScriptedRng:
    """Return a stream that deals these cards in order, from the shoe without what is on the table."""
    pack = sorted((Counter(dict.fromkeys(range(52), match.options.decks)) - Counter(match.game.seen)).elements())
    entries = []
    for card in cards_of(names):
        place = pack.index(card)
        entries.append(place)
        pack[place] = pack[-1]
        pack.pop()
    return ScriptedRng(entries)


def play(match: Match[Any], *moves: Any, cover: Cover | None = None) -> Match[Any]:
    """Make moves: an action, or an action and the cards it draws."""
    for move in moves:
        action, names = move if isinstance(move, tuple) else (move, None)
        stream = None if names is None else dealing(match, names)
        match = KIT.do(match, action, rng=stream, cover=cover)
        if stream is not None:
            assert len(stream.bounds) == len(names.split()), "it drew fewer cards than the test has"
    return match


def dealt(names: str, **terms: Any) -> Match[Any]:
    """Return a session with these three cards on the table: the player's two, the dealer's one."""
    return play(start(**terms), (DEAL, names))


def lines(match: Match[Any]) -> dict[str, tuple[int, int]]:
    return {line.bet: (line.stake, line.returned) for line in match.game.money.lines}


def all_five(*stakes: int) -> Any:
    return act("bet_and_deal", **dict(zip(SIDE_BETS, stakes, strict=True)))


# Opening and side bets.


def test_the_opening_stake_lies_on_the_main_bet():
    match = start(100)

    assert [(stake.bet, stake.stake, stake.most) for stake in match.game.money.open] == [("main", 100, 250)]
    assert (match.game.money.opening, match.turn.phase) == (100, "deal")


@pytest.mark.parametrize(
    ("stake", "super_mode", "cover", "code"),
    [
        (0, False, None, "stake_too_small"),
        (101, False, Cover(funds=100), "insufficient_funds"),
        (100, True, Cover(funds=119), "insufficient_funds"),
        (4, False, Cover(stake_min=5), "under_limit"),
        (501, False, Cover(stake_max=500), "over_limit"),
        (100, False, Cover(exposure_max=249), "exposure_limit"),
        (12, True, None, "super_stake"),
    ],
)
def test_an_opening_stake_that_is_not_covered_is_refused(stake, super_mode, cover, code):
    with pytest.raises(Refusal) as no:
        start(stake, super_mode=super_mode, cover=cover)
    assert no.value.code == code


@pytest.mark.parametrize("options", [{"decks": 3}, {"peek": 1}, {"insurance": True}, {"decks": 0}])
def test_options_that_are_not_on_the_list_are_refused(options):
    with pytest.raises(BadOptions):
        start(**options)


def test_a_bet_on_21_plus_3_replaces_the_one_before_it_and_0_takes_it_back():
    match = play(start(), act("side_bet", stake=10), act("side_bet", stake=25))
    assert [(stake.bet, stake.stake) for stake in match.game.money.open][1:] == [("twenty_one_plus_three", 25)]

    match = play(match, act("side_bet", stake=0))
    assert [stake.bet for stake in match.game.money.open] == ["main"]
    assert (match.game.money.staked, match.game.money.returned) == (100, 0)


def test_five_stakes_lay_all_side_bets_in_place_of_those_before_and_deal():
    match = play(start(), act("side_bet", stake=40), (all_five(5, 0, 7, 8, 9), "5S 9H KD"))

    assert {stake.bet: stake.stake for stake in match.game.money.open} == {
        "main": 100,
        "twenty_one_plus_three": 5,
        "perfect_pairs": 7,
        "bust_it": 8,
        "royal_match": 9,
    }
    assert (match.turn.phase, match.game.hands[0].cards) == ("play", tuple(cards_of("5S 9H")))


@pytest.mark.parametrize(
    ("action", "cover", "code"),
    [
        (act("side_bet", stake=-1), None, "bad_payload"),
        (act("side_bet", stake=2**63), None, "bad_payload"),
        (act("side_bet", stake=11), Cover(funds=10), "insufficient_funds"),
        (act("side_bet", stake=4), Cover(stake_min=5), "under_limit"),
        (all_five(0, 0, 0, 0, 501), Cover(stake_max=500), "over_limit"),
        (all_five(3, 3, 3, 3, 3), Cover(funds=14), "insufficient_funds"),
        (all_five(0, 10, 0, 0, 0), Cover(exposure_max=250 + 10_009), "exposure_limit"),
        (act("bet_and_deal", bust_it=5), None, "bad_payload"),
    ],
)
def test_side_bets_that_are_not_covered_are_refused(action, cover, code):
    assert refusal(start(), action, cover) == code


def test_side_bets_that_are_just_covered_are_taken():
    match = play(start(), all_five(3, 3, 3, 3, 3), cover=Cover(funds=15, stake_min=3))

    assert match.game.money.staked == 115


# The deal and the reveal.


def test_the_deal_shows_two_cards_and_the_dealers_one():
    match = dealt("5S 9H KD")

    assert (match.game.hands[0].total, match.game.dealer, match.game.first) == (14, (cards_of("KD")[0],), (4, 21))
    assert match.turn.phase == "play"


@pytest.mark.parametrize(
    ("up_card", "dealer", "six_to_five", "returned"),
    [("7D", "KC", False, 250), ("7D", "KC", True, 220), ("KD", "AC", False, 100), ("AD", "KC", True, 100)],
)
def test_a_natural_goes_to_the_reveal_and_pays_its_price_or_pushes(up_card, dealer, six_to_five, returned):
    waiting = dealt(f"AS KH {up_card}", six_to_five=six_to_five)
    assert (waiting.turn.phase, waiting.game.hands[0].status) == ("reveal", "natural")

    assert lines(play(waiting, (REVEAL, dealer))) == {"main": (100, returned)}


# Hits.


@pytest.mark.parametrize(
    ("card", "phase", "total", "status"), [("2C", "play", 16, "playing"), ("7C", "reveal", 21, "standing")]
)
def test_a_hit_takes_a_card_and_a_hand_that_reaches_21_stands_by_itself(card, phase, total, status):
    match = play(dealt("5S 9H KD"), (HIT, card))

    assert (match.turn.phase, match.game.hands[0].total, match.game.hands[0].status) == (phase, total, status)


# Doubles.


def test_a_double_stakes_as_much_again_takes_one_card_and_stands():
    match = play(dealt("5S 6H 7D"), (DOUBLE, "2C"))
    assert (match.turn.phase, match.game.hands[0].status, match.game.money.staked) == ("reveal", "standing", 200)

    assert lines(play(match, (REVEAL, "9C KC"))) == {"main": (100, 200), "double:1": (100, 200)}


def test_a_double_is_taken_before_a_card_is_drawn_or_refused():
    match = dealt("5S 6H 7D")

    assert refusal(match, DOUBLE, Cover(funds=99)) == "insufficient_funds"
    assert refusal(match, DOUBLE, Cover(exposure_max=449)) == "exposure_limit"
    assert play(match, DOUBLE, cover=Cover(funds=100, exposure_max=450)).game.money.staked == 200


# Splits.


def test_a_split_makes_two_hands_the_left_one_first():
    match = play(dealt("8S 8H 7D"), (SPLIT, "2C 3C"))

    assert [hand.cards for hand in match.game.hands] == [tuple(cards_of("8S 2C")), tuple(cards_of("8H 3C"))]
    assert match.game.active == match.game.hands[0]
    assert match.game.money.staked == 200


def test_hands_are_numbered_as_they_were_made_and_stand_from_left_to_right():
    match = play(dealt("8S 8H 7D"), (SPLIT, "8C 8D"), (SPLIT, "KC 2D"), (STAND), (STAND), (SPLIT, "KD KH"))

    assert [hand.number for hand in match.game.hands] == [1, 3, 2, 4]
    assert [stake.bet for stake in match.game.money.open] == ["main", "split:2", "split:3", "split:4"]
    assert [hand.cards[0] for hand in match.game.hands] == cards_of("8S 8C 8H 8D")


def test_an_ace_and_a_ten_from_a_split_are_no_natural_and_wait_for_the_player():
    match = play(dealt("AS AH 7D"), (SPLIT, "KC 5D"))
    assert (match.game.hands[0].status, match.game.hands[0].total) == ("playing", 21)

    match = play(match, STAND, STAND, (REVEAL, "KD"))
    assert lines(match) == {"main": (100, 200), "split:2": (100, 0)}


def test_split_aces_stand_at_once_where_they_may_not_be_hit():
    match = play(dealt("AS AH 7D", hit_split_aces=False), (SPLIT, "AC 5D"))

    assert (match.turn.phase, [hand.status for hand in match.game.hands]) == ("reveal", ["standing"] * 2)


@pytest.mark.parametrize(
    ("match", "action", "code"),
    [
        (dealt("10S KH 7D"), SPLIT, "not_a_pair"),
        (play(dealt("2S 2H 7D"), (HIT, "2C")), SPLIT, "not_two_cards"),
        (play(dealt("AS AH 7D", resplit_aces=False), (SPLIT, "AC 5D")), SPLIT, "no_resplit_aces"),
        (play(dealt("8S 8H 7D"), (SPLIT, "8C 8D"), (SPLIT, "8C 8D"), (SPLIT, "8C 8D")), SPLIT, "too_many_hands"),
        (play(dealt("8S 8H 7D", double_after_split=False), (SPLIT, "3C 5D")), DOUBLE, "no_double_after_split"),
        (play(dealt("5S 2H 7D"), (HIT, "3C")), DOUBLE, "not_two_cards"),
        (dealt("KS 6H AD", peek=True), EVEN_MONEY, "no_natural"),
        (dealt("AS KH AD", peek=True, six_to_five=True), EVEN_MONEY, "no_even_money"),
        (dealt("8S 8H 7D"), SURRENDER, "no_surrender"),
        (play(dealt("8S 2H 7D", surrender=True), (HIT, "3C")), SURRENDER, "surrender_too_late"),
        (play(dealt("8S 8H 7D", surrender=True), (SPLIT, "3C 5D")), SURRENDER, "surrender_too_late"),
        (start(), HIT, "wrong_phase"),
        (start(), REVEAL, "wrong_phase"),
        (dealt("8S 2H 7D"), DEAL, "wrong_phase"),
        (dealt("8S 2H 7D"), REVEAL, "wrong_phase"),
        (dealt("8S 2H 7D"), act("side_bet", stake=5), "wrong_phase"),
        (dealt("8S 2H AD"), INSURANCE, "wrong_phase"),
        (dealt("AS KH 7D"), HIT, "wrong_phase"),
        (play(dealt("5S 9H KD"), (HIT, "8C")), HIT, "finished"),
        (dealt("8S 2H 7D"), act("leave"), "bets_open"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(match, action, code):
    assert refusal(match, action) == code


def test_a_split_is_taken_before_cards_are_drawn_or_refused():
    match = dealt("8S 8H 7D")

    assert refusal(match, SPLIT, Cover(funds=99)) == "insufficient_funds"
    assert play(match, SPLIT, cover=Cover(funds=100)).game.money.staked == 200


# Surrender.


@pytest.mark.parametrize(("dealer", "returned"), [("7C", 50), ("AC", 0)])
def test_surrender_gives_half_back_unless_the_dealer_has_a_natural(dealer, returned):
    match = play(dealt("KS 6H KD", surrender=True), SURRENDER)
    assert (match.turn.phase, match.game.hands[0].status) == ("reveal", "surrendered")

    assert lines(play(match, (REVEAL, dealer))) == {"main": (100, returned)}


# Whole rounds.


@pytest.mark.parametrize(
    ("match", "moves", "dealer", "expected"),
    [
        # Who stands is paid by the dealer's hand.
        (dealt("KS QH 7D"), [STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 200)}),
        (dealt("KS QH 7D"), [STAND, (REVEAL, "6C KC")], "7D 6C KC", {"main": (100, 200)}),
        (dealt("KS 7H 7D"), [STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 100)}),
        (dealt("KS 6H 7D"), [STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 0)}),
        (dealt("KS 6H 7D"), [STAND, (REVEAL, "5C KC")], "7D 5C KC", {"main": (100, 200)}),
        (dealt("KS QH AD"), [STAND, (REVEAL, "KC")], "AD KC", {"main": (100, 0)}),
        (dealt("KS QH KD"), [STAND, (REVEAL, "AC")], "KD AC", {"main": (100, 0)}),
        (dealt("KS QH AD"), [STAND, (REVEAL, "9C")], "AD 9C", {"main": (100, 100)}),
        # The dealer hits soft 17 where the table says so.
        (dealt("KS 8H AD"), [STAND, (REVEAL, "6C 4C")], "AD 6C 4C", {"main": (100, 0)}),
        (dealt("KS 8H AD", hit_soft_17=False), [STAND, (REVEAL, "6C")], "AD 6C", {"main": (100, 200)}),
        # A bust ends the round without a card of the dealer's; lucky ladies asks for one, bust it for all of them.
        (dealt("5S 9H KD"), [(HIT, "8C")], "KD", {"main": (100, 0)}),
        (
            start(),
            [(all_five(0, 5, 0, 0, 0), "QH QH AD"), (HIT, "8C KS")],
            "AD KS",
            {"main": (100, 0), "lucky_ladies": (5, 5005)},
        ),
        (
            start(),
            [(all_five(0, 0, 0, 5, 0), "QH QH 6D"), (HIT, "8C 9S KC")],
            "6D 9S KC",
            {"main": (100, 0), "bust_it": (5, 10)},
        ),
        # Side bets are settled from the first cards, whatever comes later.
        (
            start(),
            [(all_five(5, 5, 5, 5, 5), "9S 9S 9S"), (SPLIT, "2H 3H"), STAND, STAND, (REVEAL, "5D 10C")],
            "9S 5D 10C",
            {"main": (100, 200), "split:2": (100, 200), "twenty_one_plus_three": (5, 505), "lucky_ladies": (5, 0)}
            | {"perfect_pairs": (5, 130), "bust_it": (5, 10), "royal_match": (5, 17)},
        ),
        # A double that busts costs both stakes, and without a peek a natural takes both.
        (dealt("9S 6H 7D"), [(DOUBLE, "KC")], "7D", {"main": (100, 0), "double:1": (100, 0)}),
        (dealt("5S 6H KD"), [(DOUBLE, "10C"), (REVEAL, "AC")], "KD AC", {"main": (100, 0), "double:1": (100, 0)}),
        # A doubled hand of a split is settled with its own number.
        (
            dealt("8S 8H 6D"),
            [(SPLIT, "3C 2D"), (DOUBLE, "KC"), (DOUBLE, "KD"), (REVEAL, "KH 4C")],
            "6D KH 4C",
            {"main": (100, 200), "double:1": (100, 200), "split:2": (100, 100), "double:2": (100, 100)},
        ),
        # A surrendered hand still sees the dealer bust; after a peek surrender is always half.
        (
            start(surrender=True),
            [(all_five(0, 0, 0, 5, 0), "KS 6H 6D"), SURRENDER, (REVEAL, "9C KC")],
            "6D 9C KC",
            {"main": (100, 50), "bust_it": (5, 10)},
        ),
        (
            start(peek=True, surrender=True),
            [(DEAL, "KS 6H KD 9C"), SURRENDER, (REVEAL, "9D")],
            "KD 9D",
            {"main": (100, 50)},
        ),
        # A natural under a ten ends the round with the deal.
        (
            start(peek=True),
            [(all_five(0, 5, 0, 0, 0), "QH QH KD AC")],
            "KD AC",
            {"main": (100, 0), "lucky_ladies": (5, 5005)},
        ),
        # Lit cards of the first hand boost the profit of the main bet.
        (dealt("10H 9S 7D", **LIT), [STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 100 + 250)}),
        (dealt("10H 10H 7D", **LIT), [STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 100 + 700)}),
        (dealt("10H 4C 7D", **LIT), [(HIT, "2C"), STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 0)}),
        (
            dealt("10H 4C 7D", **LIT),
            [(HIT, "2C"), STAND, (REVEAL, "8C KC")],
            "7D 8C KC",
            {"main": (100, 100 + 1375)},
        ),
        (dealt("10S 9S 7D", **LIT), [STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 200)}),
        (dealt("10H 7S 7D", **LIT), [STAND, (REVEAL, "KC")], "7D KC", {"main": (100, 100)}),
        (dealt("AS 10H 7D", **LIT), [(REVEAL, "KC")], "7D KC", {"main": (100, 100 + 375)}),
        # It is the hand that the opening stake ends in; raises and side bets are not boosted and pay no fee.
        (
            dealt("8H 8C 6D", **LIT),
            [(SPLIT, "10H KD"), STAND, STAND, (REVEAL, "KH 10C")],
            "6D KH 10C",
            {"main": (100, 100 + 925), "split:2": (100, 200)},
        ),
        (
            start(**LIT),
            [
                (all_five(0, 0, 5, 0, 0), "8H 8C 6D"),
                (SPLIT, "3S 3D"),
                (DOUBLE, "KS"),
                (DOUBLE, "KD"),
                (REVEAL, "KH 10C"),
            ],
            "6D KH 10C",
            {"main": (100, 100 + 325), "double:1": (100, 200), "split:2": (100, 200), "double:2": (100, 200)}
            | {"perfect_pairs": (5, 30)},
        ),
    ],
)
def test_a_round_ends_with_the_dealers_cards_and_pays_every_bet(match, moves, dealer, expected):
    done = play(match, *moves)

    assert (done.status, done.game.dealer) == ("finished", tuple(cards_of(dealer)))
    assert lines(done) == expected
    assert done.game.money.staked == sum(stake for stake, _ in expected.values())
    assert done.game.money.fees == (20 if match.game.super_mode else 0)


# The peek.


def test_without_a_peek_nothing_is_offered_and_nobody_looks():
    assert dealt("KS 6H AD").turn.phase == "play"
    assert not dealt("KS 6H KD").game.peeked


def test_after_a_peek_in_vain_the_round_goes_on_and_the_card_is_back_in_the_shoe():
    match = play(start(peek=True), (DEAL, "QH 6H KD 5C"))

    assert (match.turn.phase, match.game.peeked, match.game.dealer) == ("play", True, tuple(cards_of("KD")))
    assert match.game.seen == tuple(cards_of("QH 6H KD"))


def test_every_draw_after_a_peek_first_sets_some_card_aside_that_makes_no_natural():
    """The hole card of a move is drawn again while it would be a natural, and the player's card comes after it."""
    match = play(start(peek=True), (DEAL, "QH 2H KD 5C"))
    pack = sorted((Counter(dict.fromkeys(range(52), 8)) - Counter(match.game.seen)).elements())
    ace, nine = pack.index(0), pack.index(8)
    stream = ScriptedRng([ace, ace + 1, nine, pack.index(4)])

    answer = apply_action(GAME, match, HIT, rng=stream)

    assert answer.ok
    assert stream.bounds == [413, 413, 413, 412]
    assert answer.state.game.hands[0].cards[2] == 4


def test_the_reveal_after_a_peek_shows_no_natural():
    match = play(start(peek=True), (DEAL, "QH 9H KD 5C"), STAND)
    pack = sorted((Counter(dict.fromkeys(range(52), 8)) - Counter(match.game.seen)).elements())

    answer = apply_action(GAME, match, REVEAL, rng=ScriptedRng([pack.index(0), pack.index(8)]))

    assert answer.ok
    assert answer.state.game.dealer == tuple(cards_of("KD 9S"))


def test_a_low_card_up_needs_no_peek():
    match = play(start(peek=True), (DEAL, "QH 9H 9D"))

    assert (match.turn.phase, match.game.peeked) == ("play", False)


@pytest.mark.parametrize(
    ("action", "hole", "status", "expected"),
    [
        (INSURANCE, "KC", "finished", {"main": (100, 0), "insurance": (50, 150)}),
        (DECLINE, "KC", "finished", {"main": (100, 0)}),
        (INSURANCE, "9C", "active", {"insurance": (50, 0)}),
        (DECLINE, "9C", "active", {}),
    ],
)
def test_an_ace_offers_insurance_before_the_dealer_looks(action, hole, status, expected):
    offered = dealt("KS 6H AD", peek=True)
    assert (offered.turn.phase, offered.game.peeked) == ("insurance", False)

    match = play(offered, (action, hole))

    assert (match.status, lines(match)) == (status, expected)
    assert match.game.peeked is (status == "active")


def test_insurance_is_half_the_stake_rounded_down():
    match = play(dealt("KS 6H AD", peek=True, stake=25), (INSURANCE, "KC"))
    assert lines(match) == {"main": (25, 0), "insurance": (12, 36)}

    assert refusal(dealt("KS 6H AD", peek=True, stake=1), INSURANCE) == "stake_too_small"
    assert refusal(dealt("KS 6H AD", peek=True), INSURANCE, Cover(funds=49)) == "insufficient_funds"


@pytest.mark.parametrize(("hole", "expected"), [("KC", (100, 100)), ("7C", (100, 250))])
def test_an_insured_natural_is_even_money_either_way(hole, expected):
    match = play(dealt("AS KH AD", peek=True), (INSURANCE, hole))
    if match.status == "active":
        match = play(match, (REVEAL, "7C"))

    assert lines(match)["main"] == expected
    assert match.game.money.net == 100


@pytest.mark.parametrize("hole", ["KC", "7C"])
def test_even_money_pays_a_natural_1_to_1_whatever_the_dealer_has(hole):
    match = play(dealt("AS KH AD", peek=True), EVEN_MONEY)
    assert (match.turn.phase, match.game.hands[0].status) == ("reveal", "even_money")

    assert lines(play(match, (REVEAL, hole))) == {"main": (100, 200)}


def law_with_a_card_laid_aside(shoe: Counter[int], barred: int) -> dict[Any, Fraction]:
    """Return the chances of two draws and the hole card where it was dealt before them and makes no natural."""
    found: dict[Any, Fraction] = {}
    eligible = [card for card in shoe.elements() if card != barred]
    for hole in eligible:
        left = list((shoe - Counter([hole])).elements())
        for i, j in product(range(len(left)), repeat=2):
            if i != j:
                key = left[i], left[j], hole
                chance = Fraction(1, len(eligible) * len(left) * (len(left) - 1))
                found[key] = found.get(key, Fraction(0)) + chance
    return found


def law_of_our_draws(shoe: Counter[int], barred: int) -> dict[Any, Fraction]:
    """Return the same where each move draws a hole card of its own, and keeps none."""
    found: dict[Any, Fraction] = {}

    def one_draw(left: Counter[int]) -> dict[int, Fraction]:
        chances: dict[int, Fraction] = {}
        eligible = [card for card in left.elements() if card != barred]
        for hole in eligible:
            rest = list((left - Counter([hole])).elements())
            for card in rest:
                chances[card] = chances.get(card, Fraction(0)) + Fraction(1, len(eligible) * len(rest))
        return chances

    for one, chance in one_draw(shoe).items():
        after = shoe - Counter([one])
        for other, next_chance in one_draw(after).items():
            last = after - Counter([other])
            eligible = [card for card in last.elements() if card != barred]
            for hole in eligible:
                key = one, other, hole
                found[key] = found.get(key, Fraction(0)) + chance * next_chance * Fraction(1, len(eligible))
    return found


def test_a_hole_card_drawn_anew_in_every_move_has_the_law_of_one_that_was_laid_aside():
    """Decision 0024, counted whole for a small shoe: two hits and then the reveal."""
    for shoe in (Counter({1: 2, 5: 1, 7: 2}), Counter({1: 1, 2: 1, 3: 3, 10: 1}), Counter({1: 3, 4: 1, 9: 2})):
        assert law_with_a_card_laid_aside(shoe, 1) == law_of_our_draws(shoe, 1)


def test_nothing_in_the_state_is_hidden():
    """There is no card that a view would have to leave out, so views are the state itself."""
    match = play(start(peek=True), (DEAL, "QH 2H KD 5C"))

    assert view_for(GAME, match, "ann").game == match.game
    assert not GAME.has_secrets


# Super mode.


def test_lit_cards_are_shown_with_the_result_and_not_before():
    waiting = play(dealt("8H 9C 6D", **LIT), STAND)
    assert waiting.game.lit == ()

    done = play(waiting, (REVEAL, "KH 10C"))
    assert [(lit.id, lit.multiplier) for lit in done.game.lit] == [(22, 3), (46, 3), (20, 4), (42, 3), (40, 2)]


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("payload", "action"),
    [
        ("0100", HIT),
        ("0101", STAND),
        ("0102", DOUBLE),
        ("0103", SPLIT),
        ("0104", DEAL),
        ("0105000000000000000a", act("side_bet", stake=10)),
        ("0106", REVEAL),
        ("0107" + "".join(f"{stake:016x}" for stake in (1, 2, 3, 4, 5)), all_five(1, 2, 3, 4, 5)),
        ("0109", SURRENDER),
        ("010a", INSURANCE),
        ("010b", EVEN_MONEY),
        ("010c", DECLINE),
    ],
)
def test_actions_have_the_bytes_of_the_sheet_behind_a_version(payload, action):
    assert encode_payload(GAME, action) == bytes.fromhex(payload)
    assert decode_payload(GAME, bytes.fromhex(payload)) == action


@pytest.mark.parametrize("payload", ["01", "0108", "010d", "010400", "0107" + "00" * 8, "0107" + "00" * 32, "0007"])
def test_other_bytes_are_no_move(payload):
    with pytest.raises(GameError) as no:
        decode_payload(GAME, bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


def results(moves: list[Any], **options: Any) -> list[Any]:
    """Return the results of a session's moves: an action, or an action and the cards it draws."""
    session = open_session(GAME, player="ann", session_id=1, stake=100, seed=SEED, options=options)
    session, result = init_game(session, GameRng.new(SEED, 1, 0))
    found: list[Any] = []
    for move in moves:
        action, names = move if isinstance(move, tuple) else (move, None)
        session = settle(session, result)
        assert session.match is not None
        stream = None if names is None else dealing(session.match, names)
        session, result = process_game_move(session, action, stream)
        found.append(type(result)(*[getattr(result, field) for field in result.__struct_fields__ if field != "logs"]))
    return found


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([(DEAL, "KS 9H 7D"), STAND, (REVEAL, "KC")], [Continue(), Continue(), Win(200)]),
        ([(DEAL, "KS 7H 7D"), STAND, (REVEAL, "KC")], [Continue(), Continue(), Push(100)]),
        ([(DEAL, "KS 6H 7D"), (HIT, "KC")], [Continue(), Loss()]),
        ([(DEAL, "9S 6H 7D"), (DOUBLE, "KC")], [Continue(), LossPreDeducted(200)]),
        (
            [(all_five(5, 0, 0, 5, 0), "KS 6H 7D"), STAND, (REVEAL, "KC")],
            [ContinueWithUpdate(-10), Continue(), LossPreDeducted(110)],
        ),
        (
            [(DEAL, "8S 8H 6D"), (SPLIT, "3C 2D"), (DOUBLE, "KC"), STAND, (REVEAL, "KH 4C")],
            [Continue(), ContinueWithUpdate(-100), ContinueWithUpdate(-100), Continue(), Win(400)],
        ),
    ],
)
def test_moves_have_the_results_of_the_sheet(moves, expected):
    assert results(moves) == expected


def test_moves_draw_from_streams_of_their_own_and_stands_take_a_number():
    """The dealer's cards are those of the stream of the reveal, which comes two moves after the deal."""
    for session_id in range(50):
        match = play(start(session_id=session_id, decks=2), DEAL)
        if match.turn.phase != "play":
            continue
        pack = GameRng.new(b"", 0, 0).create_shoe_excluding(list(match.game.seen), 2, shuffled=False)
        done = play(match, STAND, REVEAL)
        stream = GameRng.new(SEED, session_id, 3)
        assert list(done.game.dealer[1:]) == [stream.draw_card(pack) for _ in done.game.dealer[1:]]


def test_an_abandoned_session_is_dealt_declined_stood_and_revealed():
    match = start(peek=True)
    done = []
    for names in ("KS 6H AD", "9C", None, "9D"):
        turn = type("Turn", (), {"phase": match.turn.phase})()
        action = GAME.auto_action(match.game, turn)
        done.append(action.type)
        match = play(match, (action, names) if names else action)

    assert done == ["deal", "decline", "stand", "reveal"]
    assert match.status == "finished"


def test_legal_actions_and_ranges_are_those_of_the_phase():
    before = start()
    assert {action.type for action in legal_actions(GAME, before)} == {"deal", "side_bet", "bet_and_deal"}
    assert legal_ranges(GAME, before)["side_bet"]["stake"].high == 5000
    assert set(legal_ranges(GAME, before)["bet_and_deal"]) == set(SIDE_BETS)

    pair = dealt("8S 8H 7D", surrender=True)
    assert [action.type for action in legal_actions(GAME, pair)] == ["hit", "stand", "double", "split", "surrender"]
    assert legal_ranges(GAME, pair) == {}
    offer = dealt("AS KH AD", peek=True)
    assert [action.type for action in legal_actions(GAME, offer)] == ["insurance", "even_money", "decline"]


OPTION_SETS: list[Any] = [
    None,
    {"decks": 1, "peek": True, "surrender": True},
    {"decks": 2, "hit_soft_17": False, "six_to_five": True, "peek": True},
    {"decks": 4, "double_after_split": False, "resplit_aces": False, "surrender": True},
    {"decks": 6, "hit_split_aces": False},
]


@pytest.mark.parametrize("game", [Blackjack(), SuperBlackjack()], ids=["plain", "super"])
def test_the_game_keeps_every_law_of_the_engine(game):
    assert check_game(game, seeds=8, options=OPTION_SETS).actions > 100


# The catalogue.


def test_the_default_table_can_be_made_and_one_that_favours_players_only_on_purpose():
    assert GAME.game_type is GameType.BLACKJACK
    assert make_table(1, GAME).stake_max == 5000
    generous = BlackjackOptions(decks=1, hit_soft_17=False, peek=True)
    with pytest.raises(BadOptions, match="edge of -0"):
        make_table(1, GAME, generous)
    assert make_table(1, GAME, generous, allow_overpay=True).options == generous


# Text.


def told(match: Match[Any], *moves: Any) -> str:
    """Return what is said of the last move."""
    for move in moves[:-1]:
        match = play(match, move)
    action, names = moves[-1] if isinstance(moves[-1], tuple) else (moves[-1], None)
    stream = None if names is None else dealing(match, names)
    answer = apply_action(GAME, match, action, rng=stream)
    assert answer.ok
    return GAME.describe(answer.action, match, answer.state)


@pytest.mark.parametrize(
    ("match", "moves", "text"),
    [
        (start(), [(DEAL, "AS 6H KD")], "A♠ 6♥ is soft 17; the dealer shows K♦"),
        (start(), [(DEAL, "AS KH 7D")], "A♠ K♥ is 21, a natural; the dealer shows 7♦"),
        (dealt("5S 9H KD"), [(HIT, "2C")], "hit: 2♣ makes 16"),
        (dealt("5S 9H KD"), [(HIT, "8C")], "hit: 8♣ makes 22, bust; main loses; lost 100"),
        (dealt("8S 8H 7D"), [(SPLIT, "3C KD")], "split into 8♠ 3♣ (11) and 8♥ K♦ (18)"),
        (dealt("8S 8H 7D"), [(SPLIT, "3C KD"), (DOUBLE, "9C")], "hand 1, doubled: 9♣ makes 20"),
        (
            dealt("KS QH 7D"),
            [STAND, (REVEAL, "8C KC")],
            "dealer 7♦ 8♣ K♣ is 25, bust; main pays 100, 1 to 1; won 100",
        ),
        (
            dealt("KS 6H KD", surrender=True),
            [SURRENDER, (REVEAL, "7C")],
            "dealer K♦ 7♣ is 17; main gives 50 of 100 back; lost 50",
        ),
        (
            dealt("AS KH 7D", six_to_five=True),
            [(REVEAL, "KC")],
            "dealer 7♦ K♣ is 17; main pays 120, 6 to 5; won 120",
        ),
        (
            dealt("KS 6H AD", peek=True),
            [(INSURANCE, "KC")],
            "insured; dealer A♦ K♣, a natural; main loses; insurance pays 100, 2 to 1; push",
        ),
        (dealt("KS 6H AD", peek=True), [(DECLINE, "9C")], "no insurance; no natural for the dealer"),
        (dealt("KS 6H AD", peek=True), [(INSURANCE, "9C")], "insured; no natural for the dealer; insurance loses"),
        (start(), [act("side_bet", stake=5)], "ann: side_bet stake=5"),
        (
            dealt("10H 9S 7D", **LIT),
            [STAND, (REVEAL, "KC")],
            "dealer 7♦ K♣ is 17; main pays 250, 1 to 1, boosted ×3; won 250",
        ),
        (
            start(),
            [(all_five(0, 5, 5, 5, 5), "QH QH 6D"), STAND, (REVEAL, "9C KC")],
            "dealer 6♦ 9♣ K♣ is 25, bust; main pays 100, 1 to 1; lucky_ladies pays 625, 125 to 1 for queens of hearts; "
            "perfect_pairs pays 125, 25 to 1 for a perfect pair; bust_it pays 5, 1 to 1 for a bust with 3 cards; "
            "royal_match pays 12, 5 to 2 for two cards of a suit; won 867",
        ),
    ],
)
def test_a_move_is_told_in_one_line(match, moves, text):
    assert told(match, *moves) == text


def test_the_table_shows_hands_cards_and_accounts():
    match = play(dealt("8S 8H KD"), (SPLIT, "3C KC"), (DOUBLE, "9C"))

    shown = GAME.render(view_for(GAME, match, "ann"))

    assert "Hand 1" in shown
    assert "doubled" in shown
    assert "split:2" in shown
    assert "??" in shown
    assert max(len(line) for line in shown.splitlines()) < 160  # markup included
    offer = GAME.render(view_for(GAME, dealt("8S 8H AD", peek=True), "ann"))
    assert "insurance" in offer


# Policies.


def choices(policy: str, cards: str, **options: Any) -> str:
    match = dealt(cards, **options)
    return GAME.bots[policy](view_for(GAME, match, "ann"), (), GameRng.new(b"", 0, 0)).type


@pytest.mark.parametrize(
    ("cards", "options", "action"),
    [
        ("KS 6H KD", {}, "hit"),
        ("KS 6H KD", {"surrender": True}, "surrender"),
        ("KS 2H 4D", {}, "stand"),
        ("6S 5H KD", {}, "hit"),
        ("6S 5H 9D", {}, "double"),
        ("8S 8H KD", {}, "hit"),
        ("8S 8H 9D", {}, "split"),
        ("10S KH 6D", {}, "stand"),
        ("KS KH 6D", {}, "stand"),
        ("AS 7H 9D", {}, "hit"),
        ("AS 7H 2D", {}, "double"),
    ],
)
def test_basic_strategy_plays_without_a_hole_card(cards, options, action):
    """As published for games in which a dealer's natural takes every stake: no double or split against ten or ace."""
    assert choices("basic", cards, **options) == action


def test_the_other_policies_do_what_they_are_called():
    assert choices("never_bust", "KS 2H KD") == "stand"
    assert choices("never_bust", "9S 2H 6D") == "double"
    assert choices("mimic_dealer", "8S 8H 6D") == "hit"
    assert choices("mimic_dealer", "KS 7H KD") == "stand"
    assert choices("mimic_dealer", "AS 6H KD") == "hit"
    assert choices("mimic_dealer", "AS 6H KD", hit_soft_17=False) == "stand"
    assert rules.TABLE_SIZE == 360
