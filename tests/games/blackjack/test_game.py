"""Blackjack at the table: every action and refusal, what bets bring back, the peek, super mode, payloads, chips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from croupier.engine import Action, Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.errors import BadOptions
from croupier.games.blackjack.bets import SIDE_BETS
from croupier.games.blackjack.options import BlackjackOptions
from croupier.house import Continue, ContinueWithUpdate, Loss, LossPreDeducted, Push, Win, make_table
from croupier.house.money import Cover
from croupier.kit.cards import card_name
from croupier.rng import GameRng
from croupier.testing import cards_of, dealing, laid, lines
from tests.games.blackjack.facts import GAME, KIT
from tests.games.scenes import look_at, play, rows, scenes, steps

SEED = bytes(range(32))


class Shoe:
    """A session that reads steps in words: an action, its stakes, and the cards it draws: `hit 8C`, `side_bet 5`.

    `bets 0 5 0 0 0 QH QH AD` lays the five side bets and deals. The head has options of the table (`peek`,
    `hit_soft_17=no`), the stake, limits of the player and the house (`funds=99`, which hold from the deal on), and
    `lit`: of 32 zero bytes, session 1 lights 10♥ ×3, 8♣ ×3, 8♥ ×4, 4♣ ×3, 2♣ ×2 (V13).
    """

    def __init__(self, head: str) -> None:
        words: dict[str, Any] = dict(word.partition("=")[::2] for word in head.split() if word != "usual")
        limits = {name: int(words.pop(name)) for name in list(words) if name in Cover.__struct_fields__}
        self.cover = Cover(**limits) if limits else None
        terms: dict[str, Any] = {"seed": bytes(32), "session_id": 1} if "lit" in words else {}
        terms["super_mode"] = "lit" in words or "super" in words
        stake = int(words.pop("stake", 100))
        options = {
            name: int(value) if value.isdigit() else value != "no"
            for name, value in words.items()
            if name not in ("lit", "super")
        }
        self.match = KIT.start(stake, options=options, **terms)
        self.told = ""

    @staticmethod
    def read(words: list[str]) -> tuple[Any, list[str]]:
        """Return an action and the cards it draws."""
        name, *rest = words
        if name == "bets":
            return act("bet_and_deal", **dict(zip(SIDE_BETS, map(int, rest[:5]), strict=True))), rest[5:]
        if name == "side_bet":
            return act(name, stake=int(rest[0])), []
        return act(name), rest

    def take(self, words: list[str]) -> None:
        action, names = self.read(words)
        before, stream = self.match, dealing(" ".join(names), self.seen, decks=self.match.options.decks)
        rng = stream if names else None
        self.match = KIT.do(before, action, rng=rng, cover=self.cover)
        self.told = GAME.describe(Action(action.type, action.payload, "ann"), before, self.match)
        assert not names or len(stream.bounds) == len(names), "it drew fewer cards than the scene has"

    def refusal(self, words: list[str]) -> str:
        return KIT.refusal(self.match, self.read(words)[0], self.cover)

    @property
    def seen(self) -> str:
        return " ".join(map(card_name, self.match.game.seen))

    def look(self, path: str) -> Any:
        game = self.match.game
        asked: dict[str, Any] = {
            "told": lambda: self.told,
            "lines": lambda: {bet: (stake, returned) for bet, stake, returned in lines(self.match)},
            "open": lambda: dict(laid(self.match)),
            "most": lambda: [stake.most for stake in game.money.open],
            "dealer": lambda: " ".join(map(card_name, game.dealer)),
            "first": lambda: " ".join(map(card_name, game.first)),
            "seen": lambda: self.seen,
            "hands": lambda: [" ".join(map(card_name, hand.cards)) for hand in game.hands],
            "numbers": lambda: [hand.number for hand in game.hands],
            "statuses": lambda: [hand.status for hand in game.hands],
            "totals": lambda: [hand.total for hand in game.hands],
            "active": lambda: game.hands.index(game.active),
            "lit": lambda: [(lit.id, lit.multiplier) for lit in game.lit],
        }
        return asked[path]() if path in asked else look_at(self.match, path)


def after(head: str, scene: str) -> Shoe:
    """Return a session in which these steps were taken."""
    shoe = Shoe(head)
    for step in steps(scene):
        shoe.take(step.split())
    return shoe


def dealt(names: str, **options: Any) -> Match[Any]:
    """Return a session with these three cards on the table: the player's two, the dealer's one."""
    return KIT.do(KIT.start(100, options=options), act("deal"), rng=dealing(names, decks=options.get("decks", 8)))


# Opening, side bets, the deal, hits, doubles, splits, the peek.


SCENES = scenes("""
# the opening stake lies on the main bet | usual
? open {'main': 100}; ? most [250]; ? game.money.opening 100; ? turn.phase 'deal'
# a bet on 21 plus 3 replaces the one before it and 0 takes it back | usual
side_bet 10; side_bet 25; ? open {'main': 100, 'twenty_one_plus_three': 25}
side_bet 0; ? open {'main': 100}; ? game.money.staked 100; ? game.money.returned 0
# five stakes lay all side bets in place of those before and deal | usual
side_bet 40; bets 5 0 7 8 9 5S 9H KD; ? turn.phase 'play'; ? hands ['5S 9H']
? open {'main': 100, 'twenty_one_plus_three': 5, 'perfect_pairs': 7, 'bust_it': 8, 'royal_match': 9}
# side bets are counted in whole chips | usual
side_bet -1 -> bad_payload; side_bet 9223372036854775808 -> bad_payload
# side bets that are just covered are taken | funds=15 stake_min=3
bets 3 3 3 3 3; ? game.money.staked 115
# side bets beyond the funds are refused | funds=14
bets 3 3 3 3 3 -> insufficient_funds; side_bet 15 -> insufficient_funds
# a side bet beyond ten chips is refused | funds=10
side_bet 11 -> insufficient_funds
# a side bet under the limit is refused | stake_min=5
side_bet 4 -> under_limit
# a side bet over the limit is refused | stake_max=500
bets 0 0 0 0 501 -> over_limit
# a side bet that the house cannot cover is refused | exposure_max=10259
bets 0 10 0 0 0 -> exposure_limit
# the deal shows two cards and the dealers one | usual
deal 5S 9H KD; ? totals [14]; ? dealer 'KD'; ? first '5S 9H'; ? turn.phase 'play'
# a hit takes a card | usual
deal 5S 9H KD; hit 2C; ? turn.phase 'play'; ? totals [16]; ? statuses ['playing']
# a hand that reaches 21 stands by itself | usual
deal 5S 9H KD; hit 7C; ? turn.phase 'reveal'; ? totals [21]; ? statuses ['standing']
# a double stakes as much again takes one card and stands | usual
deal 5S 6H 7D; double 2C; ? turn.phase 'reveal'; ? statuses ['standing']; ? game.money.staked 200
reveal 9C KC; ? lines {'main': (100, 200), 'double:1': (100, 200)}
# a double beyond the funds is refused before a card is drawn | funds=99
deal 5S 6H 7D; double -> insufficient_funds
# a double that the house cannot cover is refused before a card is drawn | exposure_max=449
deal 5S 6H 7D; double -> exposure_limit
# a double that is just covered is taken | funds=100 exposure_max=450
deal 5S 6H 7D; double; ? game.money.staked 200
# a split makes two hands the left one first | usual
deal 8S 8H 7D; split 2C 3C; ? hands ['8S 2C', '8H 3C']; ? active 0; ? game.money.staked 200
# a split beyond the funds is refused before cards are drawn | funds=99
deal 8S 8H 7D; split -> insufficient_funds
# a split that is just covered is taken | funds=100
deal 8S 8H 7D; split; ? game.money.staked 200
# hands are numbered as they were made and stand from left to right | usual
deal 8S 8H 7D; split 8C 8D; split KC 2D; stand; stand; split KD KH; ? numbers [1, 3, 2, 4]
? open {'main': 100, 'split:2': 100, 'split:3': 100, 'split:4': 100}; ? hands ['8S KC', '8C 2D', '8H KD', '8D KH']
# an ace and a ten from a split are no natural and wait for the player | usual
deal AS AH 7D; split KC 5D; ? statuses ['playing', 'playing']; ? totals [21, 16]
stand; stand; reveal KD; ? lines {'main': (100, 200), 'split:2': (100, 0)}
# split aces stand at once where they may not be hit | hit_split_aces=no
deal AS AH 7D; split AC 5D; ? turn.phase 'reveal'; ? statuses ['standing', 'standing']
# a natural goes to the reveal | usual
deal AS KH 7D; ? turn.phase 'reveal'; ? statuses ['natural']
# who surrenders waits for the reveal | surrender
deal KS 6H KD; surrender; ? turn.phase 'reveal'; ? statuses ['surrendered']
# without a peek nothing is offered | usual
deal KS 6H AD; ? turn.phase 'play'
# without a peek nobody looks | usual
deal KS 6H KD; ? game.peeked False
# after a peek in vain the round goes on and the card is back in the shoe | peek
deal QH 6H KD 5C; ? turn.phase 'play'; ? game.peeked True; ? dealer 'KD'; ? seen 'QH 6H KD'
# a low card up needs no peek | peek
deal QH 9H 9D; ? turn.phase 'play'; ? game.peeked False
# an ace offers insurance before the dealer looks | peek
deal KS 6H AD; ? turn.phase 'insurance'; ? game.peeked False
insurance KC; ? status 'finished'; ? lines {'main': (100, 0), 'insurance': (50, 150)}; ? game.peeked False
# insurance may be declined against a natural | peek
deal KS 6H AD; decline KC; ? status 'finished'; ? lines {'main': (100, 0)}; ? game.peeked False
# insurance may be taken in vain | peek
deal KS 6H AD; insurance 9C; ? status 'active'; ? lines {'insurance': (50, 0)}; ? game.peeked True
# insurance may be declined against nothing | peek
deal KS 6H AD; decline 9C; ? status 'active'; ? lines {}; ? game.peeked True
# insurance is half the stake rounded down | peek stake=25
deal KS 6H AD; insurance KC; ? lines {'main': (25, 0), 'insurance': (12, 36)}
# half a chip insures nothing | peek stake=1
deal KS 6H AD; insurance -> stake_too_small
# insurance beyond the funds is refused | peek funds=49
deal KS 6H AD; insurance -> insufficient_funds
# an insured natural against a natural is even money | peek
deal AS KH AD; insurance KC; ? lines {'main': (100, 100), 'insurance': (50, 150)}; ? game.money.net 100
# an insured natural against another hand is even money | peek
deal AS KH AD; insurance 7C; reveal 7C; ? lines {'insurance': (50, 0), 'main': (100, 250)}; ? game.money.net 100
# even money pays a natural 1 to 1 against a natural | peek
deal AS KH AD; even_money; ? turn.phase 'reveal'; ? statuses ['even_money']; reveal KC; ? lines {'main': (100, 200)}
# even money pays a natural 1 to 1 against another hand | peek
deal AS KH AD; even_money; reveal 7C; ? lines {'main': (100, 200)}
# lit cards are shown with the result and not before | lit
deal 8H 9C 6D; stand; ? lit []; reveal KH 10C; ? lit [(22, 3), (46, 3), (20, 4), (42, 3), (40, 2)]
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_session_goes_as_written(head, scene):
    play(Shoe(head), scene)


@pytest.mark.parametrize(
    ("head", "scene"),
    rows("""
usual | deal 10S KH 7D; split -> not_a_pair
usual | deal 2S 2H 7D; hit 2C; split -> not_two_cards
resplit_aces=no | deal AS AH 7D; split AC 5D; split -> no_resplit_aces
usual | deal 8S 8H 7D; split 8C 8D; split 8C 8D; split 8C 8D; split -> too_many_hands
double_after_split=no | deal 8S 8H 7D; split 3C 5D; double -> no_double_after_split
usual | deal 5S 2H 7D; hit 3C; double -> not_two_cards
peek | deal KS 6H AD; even_money -> no_natural
peek six_to_five | deal AS KH AD; even_money -> no_even_money
usual | deal 8S 8H 7D; surrender -> no_surrender
surrender | deal 8S 2H 7D; hit 3C; surrender -> surrender_too_late
surrender | deal 8S 8H 7D; split 3C 5D; surrender -> surrender_too_late
usual | hit -> wrong_phase; reveal -> wrong_phase
usual | deal 8S 2H 7D; deal -> wrong_phase; reveal -> wrong_phase; side_bet 5 -> wrong_phase; leave -> bets_open
usual | deal 8S 2H AD; insurance -> wrong_phase
usual | deal AS KH 7D; hit -> wrong_phase
usual | deal 5S 9H KD; hit 8C; hit -> finished
"""),
)
def test_what_cannot_be_done_is_refused_and_nothing_is_drawn(head, scene):
    play(Shoe(head), scene)


def test_a_part_of_the_side_bets_is_no_payload():
    assert KIT.refusal(KIT.start(100), act("bet_and_deal", bust_it=5)) == "bad_payload"


# Whole rounds: what is done, the dealer's cards, what each bet returns of a stake of 100 or as told.


@pytest.mark.parametrize(
    ("head", "scene", "dealer", "expected"),
    rows("""
# Who stands is paid by the dealer's hand.
usual | deal KS QH 7D; stand; reveal KC | 7D KC | main 100 200
usual | deal KS QH 7D; stand; reveal 6C KC | 7D 6C KC | main 100 200
usual | deal KS 7H 7D; stand; reveal KC | 7D KC | main 100 100
usual | deal KS 6H 7D; stand; reveal KC | 7D KC | main 100 0
usual | deal KS 6H 7D; stand; reveal 5C KC | 7D 5C KC | main 100 200
usual | deal KS QH AD; stand; reveal KC | AD KC | main 100 0
usual | deal KS QH KD; stand; reveal AC | KD AC | main 100 0
usual | deal KS QH AD; stand; reveal 9C | AD 9C | main 100 100
# A natural pays its price or pushes.
usual | deal AS KH 7D; reveal KC | 7D KC | main 100 250
six_to_five | deal AS KH 7D; reveal KC | 7D KC | main 100 220
usual | deal AS KH KD; reveal AC | KD AC | main 100 100
six_to_five | deal AS KH AD; reveal KC | AD KC | main 100 100
# The dealer hits soft 17 where the table says so.
usual | deal KS 8H AD; stand; reveal 6C 4C | AD 6C 4C | main 100 0
hit_soft_17=no | deal KS 8H AD; stand; reveal 6C | AD 6C | main 100 200
# A bust ends the round without a card of the dealer's; lucky ladies asks for one, bust it for all of them.
usual | deal 5S 9H KD; hit 8C | KD | main 100 0
usual | deal 8S 8H 6D; split KC QD; hit 9C; hit 9D | 6D | main 100 0, split:2 100 0
usual | bets 0 5 0 0 0 QH QH AD; hit 8C KS | AD KS | main 100 0, lucky_ladies 5 5005
usual | bets 0 0 0 5 0 QH QH 6D; hit 8C 9S KC | 6D 9S KC | main 100 0, bust_it 5 10
# Side bets are settled from the first cards, whatever comes later.
usual | bets 5 5 5 5 5 9S 9S 9S; split 2H 3H; stand; stand; reveal 5D 10C | 9S 5D 10C | main 100 200, split:2 100 200, \
twenty_one_plus_three 5 505, lucky_ladies 5 0, perfect_pairs 5 130, bust_it 5 10, royal_match 5 17
# A double that busts costs both stakes, and without a peek a natural takes both.
usual | deal 9S 6H 7D; double KC | 7D | main 100 0, double:1 100 0
usual | deal 5S 6H KD; double 10C; reveal AC | KD AC | main 100 0, double:1 100 0
# A doubled hand of a split is settled with its own number.
usual | deal 8S 8H 6D; split 3C 2D; double KC; double KD; reveal KH 4C | 6D KH 4C | main 100 200, double:1 100 200, \
split:2 100 100, double:2 100 100
# Surrender gives half back, unless the dealer has a natural; a surrendered hand still sees the dealer bust; after a
# peek surrender is always half.
surrender | deal KS 6H KD; surrender; reveal 7C | KD 7C | main 100 50
surrender | deal KS 6H KD; surrender; reveal AC | KD AC | main 100 0
surrender | bets 0 0 0 5 0 KS 6H 6D; surrender; reveal 9C KC | 6D 9C KC | main 100 50, bust_it 5 10
peek surrender | deal KS 6H KD 9C; surrender; reveal 9D | KD 9D | main 100 50
# A natural under a ten ends the round with the deal.
peek | bets 0 5 0 0 0 QH QH KD AC | KD AC | main 100 0, lucky_ladies 5 5005
# Lit cards of the first hand boost the profit of the main bet.
lit | deal 10H 9S 7D; stand; reveal KC | 7D KC | main 100 350
lit | deal 10H 10H 7D; stand; reveal KC | 7D KC | main 100 800
lit | deal 10H 4C 7D; hit 2C; stand; reveal KC | 7D KC | main 100 0
lit | deal 10H 4C 7D; hit 2C; stand; reveal 8C KC | 7D 8C KC | main 100 1475
lit | deal 10S 9S 7D; stand; reveal KC | 7D KC | main 100 200
lit | deal 10H 7S 7D; stand; reveal KC | 7D KC | main 100 100
lit | deal AS 10H 7D; reveal KC | 7D KC | main 100 475
# It is the hand that the opening stake ends in; raises and side bets are not boosted and pay no fee.
lit | deal 8H 8C 6D; split 10H KD; stand; stand; reveal KH 10C | 6D KH 10C | main 100 1025, split:2 100 200
lit | bets 0 0 5 0 0 8H 8C 6D; split 3S 3D; double KS; double KD; reveal KH 10C | 6D KH 10C | main 100 425, \
double:1 100 200, split:2 100 200, double:2 100 200, perfect_pairs 5 30
"""),
)
def test_a_round_ends_with_the_dealers_cards_and_pays_every_bet(head, scene, dealer, expected):
    shoe = after(head, scene)

    paid = {bet: (int(stake), int(back)) for bet, stake, back in (line.split() for line in expected.split(", "))}
    assert (shoe.look("status"), shoe.look("dealer")) == ("finished", dealer)
    assert shoe.look("lines") == paid
    assert shoe.look("game.money.staked") == sum(stake for stake, _ in paid.values())
    assert shoe.look("game.money.fees") == (20 if head == "lit" else 0)


# The peek.


def test_every_draw_after_a_peek_first_sets_some_card_aside_that_makes_no_natural():
    """The hole card of a move is drawn again while it would be a natural, and the player's card comes after it."""
    match = after("peek", "deal QH 2H KD 5C").match
    pack = sorted((Counter(dict.fromkeys(range(52), 8)) - Counter(match.game.seen)).elements())
    ace, nine = pack.index(0), pack.index(8)
    stream = ScriptedRng([ace, ace + 1, nine, pack.index(4)])

    answer = apply_action(GAME, match, act("hit"), rng=stream)

    assert answer.ok
    assert stream.bounds == [413, 413, 413, 412]
    assert answer.state.game.hands[0].cards[2] == 4


def test_the_reveal_after_a_peek_shows_no_natural():
    match = after("peek", "deal QH 9H KD 5C; stand").match
    pack = sorted((Counter(dict.fromkeys(range(52), 8)) - Counter(match.game.seen)).elements())

    answer = apply_action(GAME, match, act("reveal"), rng=ScriptedRng([pack.index(0), pack.index(8)]))

    assert answer.ok
    assert answer.state.game.dealer == tuple(cards_of("KD 9S"))


def shares(found: Iterable[Any]) -> dict[Any, Fraction]:
    """Return how likely each is of what comes about in equally likely ways."""
    counts = Counter(found)
    return {key: Fraction(count, counts.total()) for key, count in counts.items()}


def without(shoe: list[int], card: int) -> list[int]:
    return list((Counter(shoe) - Counter([card])).elements())


@pytest.mark.parametrize("shoe", [[1, 1, 5, 7, 7], [1, 2, 3, 3, 3, 10], [1, 1, 1, 4, 9, 9]])
def test_a_hole_card_drawn_anew_in_every_move_has_the_law_of_one_that_was_laid_aside(shoe):
    """Decision 0024, counted whole for a small shoe in which a 1 makes a natural: two hits and then the reveal."""
    laid_aside = shares(course for course in permutations(shoe, 3) if course[2] != 1)

    def beside_a_hole_card(left: list[int]) -> dict[Any, Fraction]:
        return shares(card for card, hole in permutations(left, 2) if hole != 1)

    anew = dict.fromkeys(laid_aside, Fraction(0))
    for one, chance in beside_a_hole_card(shoe).items():
        left = without(shoe, one)
        for other, next_chance in beside_a_hole_card(left).items():
            for hole, last_chance in shares(card for card in without(left, other) if card != 1).items():
                anew[one, other, hole] += chance * next_chance * last_chance

    assert anew == laid_aside


def test_nothing_in_the_state_is_hidden():
    """There is no card that a view would have to leave out, so views are the state itself."""
    match = after("peek", "deal QH 2H KD 5C").match

    assert view_for(GAME, match, "ann").game == match.game
    assert not GAME.has_secrets


# Sessions, bytes and chips.


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("deal KS 9H 7D; stand; reveal KC", [Continue(), Continue(), Win(200)]),
        ("deal KS 7H 7D; stand; reveal KC", [Continue(), Continue(), Push(100)]),
        ("deal KS 6H 7D; hit KC", [Continue(), Loss()]),
        ("deal 9S 6H 7D; double KC", [Continue(), LossPreDeducted(200)]),
        ("bets 5 0 0 5 0 KS 6H 7D; stand; reveal KC", [ContinueWithUpdate(-10), Continue(), LossPreDeducted(110)]),
        (
            "deal 8S 8H 6D; split 3C 2D; double KC; stand; reveal KH 4C",
            [Continue(), ContinueWithUpdate(-100), ContinueWithUpdate(-100), Continue(), Win(400)],
        ),
    ],
)
def test_moves_have_the_published_results(moves, expected):
    played, known = [], ""
    for step in steps(moves):
        action, names = Shoe.read(step.split())
        drawn = " ".join(names)
        played.append((action, dealing(drawn, known, decks=8) if drawn else None))
        known += " " + drawn
    assert KIT.results(played, 100) == expected


def test_moves_draw_from_streams_of_their_own_and_stands_take_a_number():
    """The dealer's cards are those of the stream of the reveal, which comes two moves after the deal."""
    for session_id in range(50):
        match = KIT.do(KIT.start(100, session_id=session_id, options={"decks": 2}), act("deal"))
        if match.turn.phase != "play":
            continue
        pack = GameRng.new(b"", 0, 0).create_shoe_excluding(list(match.game.seen), 2, shuffled=False)
        done = KIT.do(match, act("stand"), act("reveal"))
        stream = GameRng.new(SEED, session_id, 3)
        assert list(done.game.dealer[1:]) == [stream.draw_card(pack) for _ in done.game.dealer[1:]]


def test_an_abandoned_session_is_dealt_declined_stood_and_revealed():
    shoe = Shoe("peek")
    done = []
    for names in ("KS 6H AD", "9C", None, "9D"):
        turn = type("Turn", (), {"phase": shoe.match.turn.phase})()
        action = GAME.auto_action(shoe.match.game, turn)
        assert action is not None
        done.append(action.type)
        shoe.take([action.type, *(names or "").split()])

    assert done == ["deal", "decline", "stand", "reveal"]
    assert shoe.match.status == "finished"


def test_legal_actions_and_ranges_are_those_of_the_phase():
    before = KIT.start(100)
    assert {action.type for action in legal_actions(GAME, before)} == {"deal", "side_bet", "bet_and_deal"}
    assert legal_ranges(GAME, before)["side_bet"]["stake"].high == 5000
    assert set(legal_ranges(GAME, before)["bet_and_deal"]) == set(SIDE_BETS)

    pair = dealt("8S 8H 7D", surrender=True)
    assert [action.type for action in legal_actions(GAME, pair)] == ["hit", "stand", "double", "split", "surrender"]
    assert legal_ranges(GAME, pair) == {}
    offer = dealt("AS KH AD", peek=True)
    assert [action.type for action in legal_actions(GAME, offer)] == ["insurance", "even_money", "decline"]


# The catalogue.


def test_the_default_table_can_be_made_and_one_that_favours_players_only_on_purpose():
    assert make_table(1, GAME).stake_max == 5000
    generous = BlackjackOptions(decks=1, hit_soft_17=False, peek=True)
    with pytest.raises(BadOptions, match="edge of -0"):
        make_table(1, GAME, generous)
    assert make_table(1, GAME, generous, allow_overpay=True).options == generous
    with pytest.raises(BadOptions, match=r"edge of 0\.0252%, which better play takes away"):  # -0.0145 % for the coach
        make_table(1, GAME, BlackjackOptions(decks=1, resplit_aces=False))


# Text.


@pytest.mark.parametrize(
    ("head", "scene", "text"),
    rows("""
usual | deal AS 6H KD | A♠ 6♥ is soft 17; the dealer shows K♦
usual | deal AS KH 7D | A♠ K♥ is 21, a natural; the dealer shows 7♦
usual | deal 5S 9H KD; hit 2C | hit: 2♣ makes 16
usual | deal 5S 9H KD; hit 8C | hit: 8♣ makes 22, bust; main loses; lost 100
usual | deal 8S 8H 7D; split 3C KD | split into 8♠ 3♣ (11) and 8♥ K♦ (18)
usual | deal 8S 8H 7D; split 3C KD; double 9C | hand 1, doubled: 9♣ makes 20
usual | deal KS QH 7D; stand; reveal 8C KC | dealer 7♦ 8♣ K♣ is 25, bust; main pays 100, 1 to 1; won 100
surrender | deal KS 6H KD; surrender; reveal 7C | dealer K♦ 7♣ is 17; main gives 50 of 100 back; lost 50
six_to_five | deal AS KH 7D; reveal KC | dealer 7♦ K♣ is 17; main pays 120, 6 to 5; won 120
peek | deal KS 6H AD; insurance KC | insured; dealer A♦ K♣, a natural; main loses; insurance pays 100, 2 to 1; push
peek | deal KS 6H AD; decline 9C | no insurance; no natural for the dealer
peek | deal KS 6H AD; insurance 9C | insured; no natural for the dealer; insurance loses
usual | side_bet 5 | ann: side_bet stake=5
lit | deal 10H 9S 7D; stand; reveal KC | dealer 7♦ K♣ is 17; main pays 250, 1 to 1, boosted ×3; won 250
usual | bets 0 5 5 5 5 QH QH 6D; stand; reveal 9C KC | dealer 6♦ 9♣ K♣ is 25, bust; main pays 100, 1 to 1; \
lucky_ladies pays 625, 125 to 1 for queens of hearts; perfect_pairs pays 125, 25 to 1 for a perfect pair; \
bust_it pays 5, 1 to 1 for a bust with 3 cards; royal_match pays 12, 5 to 2 for two cards of a suit; won 867
"""),
)
def test_a_move_is_told_in_one_line(head, scene, text):
    assert after(head, scene).told == text


def test_the_table_shows_hands_cards_and_accounts():
    match = after("usual", "deal 8S 8H KD; split 3C KC; double 9C").match

    shown = GAME.render(view_for(GAME, match, "ann"))

    assert "Hand 1" in shown
    assert "doubled" in shown
    assert "split:2" in shown
    assert "??" in shown
    assert max(len(line) for line in shown.splitlines()) < 160  # markup included
    offer = GAME.render(view_for(GAME, dealt("8S 8H AD", peek=True), "ann"))
    assert "insurance" in offer


# Policies.


@pytest.mark.parametrize(
    ("policy", "head", "cards", "action"),
    rows("""
# Without a hole card, as published for games in which a dealer's natural takes every stake: no double or split
# against ten or ace.
basic | usual | KS 6H KD | hit
basic | surrender | KS 6H KD | surrender
basic | usual | KS 2H 4D | stand
basic | usual | 6S 5H KD | hit
basic | usual | 6S 5H 9D | double
basic | usual | 8S 8H KD | hit
basic | usual | 8S 8H 9D | split
basic | usual | 10S KH 6D | stand
basic | usual | KS KH 6D | stand
basic | usual | AS 7H 9D | hit
basic | usual | AS 7H 2D | double
# The others do what they are called.
never_bust | usual | KS 2H KD | stand
never_bust | usual | 9S 2H 6D | double
mimic_dealer | usual | 8S 8H 6D | hit
mimic_dealer | usual | KS 7H KD | stand
mimic_dealer | usual | AS 6H KD | hit
mimic_dealer | hit_soft_17=no | AS 6H KD | stand
"""),
)
def test_policies_play_as_they_are_called(policy, head, cards, action):
    assert KIT.chosen(after(head, f"deal {cards}").match)[policy] == action
