"""Facts of ultimate texas hold'em for `test_house_facts`: bytes, refusals, results, endings, logs, kernel rounds."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from croupier.engine import Match, act
from croupier.games.ultimate_texas_holdem import UltimateTexasHoldem, rules
from croupier.house import Continue, GameType, Loss, LossPreDeducted, Push, Win
from croupier.house.money import Cover
from croupier.testing import HouseKit, dealing
from tests.games.house_facts import CardFacts, Evening, Refused, Round, by_cards, refused, updates

KIT = HouseKit(UltimateTexasHoldem(), stake=100)
start, do = KIT.start, KIT.do
OPTIONS: list[dict[str, Any]] = [
    {"dealer_qualifies": needs, "play_3x": three, "play_4x": four}
    for needs, three, four in product(("pair", "always"), (True, False), (True, False))
]
ALWAYS, NO_4X = {"dealer_qualifies": "always"}, {"play_4x": False}
DEAL, CHECK, FOLD, REVEAL = act("deal"), act("check"), act("fold"), act("reveal")
PLAY = {multiple: act(f"play_{multiple}x") for multiple in (1, 2, 3, 4)}
HOLE, FLOP, LAST = "KS 7D", "QH 7C 2S", "JD 5H"
BOARD = f"{FLOP} {LAST}"
SIDE = {"trips": 10, "six_card": 10, "progressive": 1}
ALL_BETS = {"ante": 25, "trips": 7, "six_card": 3, "progressive": 1}
MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}  # the ten and the queen


def deal_with(trips: int = 0, six_card: int = 0, progressive: int = 0) -> Any:
    return act("deal_with", trips=trips, six_card=six_card, progressive=progressive)


def dealt(side: Any = None, hole: str = HOLE, **terms: Any) -> Match[Any]:
    """Return a session with the hole cards dealt."""
    return do(start(**terms), deal_with(**side) if side else DEAL, rng=dealing(hole))


def on_flop(side: Any = None, **terms: Any) -> Match[Any]:
    return do(dealt(side, **terms), CHECK, rng=dealing(FLOP, HOLE))


def at_river(side: Any = None, **terms: Any) -> Match[Any]:
    return do(on_flop(side, **terms), CHECK, rng=dealing(LAST, f"{HOLE} {FLOP}"))


def raised(hole: str = HOLE, side: Any = None, **terms: Any) -> Match[Any]:
    """Return a session in which four times the Ante was bet before the flop."""
    return do(dealt(side, hole, **terms), PLAY[4])


def bet_at_river(side: Any = None, **terms: Any) -> Match[Any]:
    return do(at_river(side, **terms), PLAY[1])


def showdown(hole: str, board: str, dealer: str, extra: str = "", side: Any = None, **terms: Any) -> Match[Any]:
    """Return a session in which four times the Ante was bet before these cards came."""
    return do(raised(hole, side, **terms), REVEAL, rng=dealing(f"{board} {dealer} {extra}", hole))


def ended(hole: str, board: str, dealer: str, outcome: str, *returned: int, **terms: Any) -> Any:
    """Return an ending after four times an Ante of 100, with what Ante, Blind and Play brought back."""
    expected = dict(zip(("ante", "blind", "play"), returned, strict=True))
    return partial(showdown, hole, board, dealer, **terms), outcome, expected


def way(number: int) -> list[Any]:
    ways = [[PLAY[4]], [PLAY[3]], [CHECK, PLAY[2]], [CHECK, CHECK, PLAY[1]], [CHECK, CHECK, FOLD]]
    first = deal_with(1, 1, 1) if number % 3 else DEAL
    return [first, *ways[number % 5], *([REVEAL] if number % 5 < 4 else [])]


def shows_everything(asked: Round, states: Any) -> None:
    """Every way a round can go is among them: each raise that is on offer, a fold, and every ending."""
    chosen: Any = KIT.game.read_options(asked.options)
    assert {state.play for state in states} == {0, 1, 2, 4 if chosen.play_4x else 3}
    unqualified = {"lost_unqualified", "won_unqualified"} if chosen.dealer_qualifies == "pair" else set()
    assert {state.outcome for state in states} == {"folded", "lost", "tied", "won"} | unqualified


def both(action: str) -> dict[str, str]:
    return {"best": action, "simple": action}


DEALT = ("0105", HOLE)
CHECKED = (("0100", FLOP), ("0100", LAST), ("0104", "AS 3C"))
HIGH = "KD 9C 7H 4D 2S"
BEFORE = "deal deal_with:10:10:1 trips:1 trips:10 six_card:1 six_card:10 progressive:1"

FACTS = CardFacts(
    kit=KIT,
    game_type=GameType.ULTIMATE_HOLDEM,
    stake_max=5_000,
    opcodes="check play_4x play_2x play_1x fold deal trips reveal play_3x six_card progressive deal_with",
    odds_rows=["ante best", "ante simple", "trips", "six_card", "progressive"],
    super_rows=["ante best", "ante simple"],
    options=OPTIONS,
    bad_options=[{"dealer_qualifies": "queen"}, {"play_3x": 1}, {"play_5x": True}],
    law_seeds=4,
    payloads={
        "0100": CHECK,
        "0101": PLAY[4],
        "0102": PLAY[2],
        "0103": PLAY[1],
        "0104": FOLD,
        "0105": DEAL,
        "0106000000000000000a": act("trips", stake=10),
        "0107": REVEAL,
        "0108": PLAY[3],
        "01090000000000000000": act("six_card", stake=0),
        "010a0000000000000001": act("progressive", stake=1),
        "010b000000000000000500000000000000070000000000000001": deal_with(5, 7, 1),
    },
    not_payloads=["010d", "010c02"],  # no such opcode; rules are options here
    not_moves=["0100", "0101", "010a0000000000000002"],
    results=[
        by_cards(
            *(DEALT, ("0101", ""), ("0107", f"{BOARD} QS QC")),
            expected=[Continue(), *updates(-400), LossPreDeducted(600)],
        ),
        # The dealer has nothing: the Ante pushes.
        by_cards(*(DEALT, ("0108", ""), ("0107", f"{BOARD} AS 3C")), expected=[Continue(), *updates(-300), Win(800)]),
        by_cards(
            *(DEALT, ("0101", ""), ("0107", "AD KC QH JD 10S 3H 5C")), expected=[Continue(), *updates(-400), Push(600)]
        ),
        by_cards(DEALT, *CHECKED, expected=[*[Continue()] * 3, Loss()]),
        by_cards(
            *(("0106000000000000000a", ""), DEALT, *CHECKED),
            expected=[*updates(-10), *[Continue()] * 3, LossPreDeducted(210)],
        ),
        by_cards(
            *(("010600000000000000c8", ""), *[("01060000000000000032", "")] * 2),
            expected=[*updates(-200, 150), Continue()],
        ),
    ],
    evening=Evening(60, way, stake=5, endings=frozenset({"folded", "lost", "won", "won_unqualified"})),
    refusals=[
        Refused(start, act("six_card", stake=10), "exposure_limit", Cover(exposure_max=50_300 + 10_009)),
        Refused(start, deal_with(5, 5, 1), "insufficient_funds", Cover(funds=10)),
        # A raise is taken when it is made.
        *(
            Refused(match, PLAY[multiple], code, cover)
            for match, multiple in ((dealt, 4), (dealt, 3), (on_flop, 2), (at_river, 1))
            for code, cover in (
                ("insufficient_funds", Cover(funds=100 * multiple - 1)),
                ("exposure_limit", Cover(exposure_max=50_300 + 200 * multiple - 1)),
            )
        ),
        *refused(
            {
                "bad_payload": [(start, act("deal", trips=5)), (start, act("deal_with", trips=1, six_card=1))],
                "unknown_action": [(start, act("play", stake=5))],
                "bets_open": [(start, act("leave"))],
                "raise_not_offered": [
                    (partial(dealt, options=NO_4X), PLAY[4]),
                    (partial(dealt, options={"play_3x": False}), PLAY[3]),
                ],
                "wrong_phase": [
                    *((start, action) for action in (CHECK, PLAY[4], FOLD, REVEAL)),
                    *((dealt, action) for action in (DEAL, PLAY[2], FOLD, act("trips", stake=5))),
                    (dealt, act("progressive", stake=0)),
                    *((on_flop, action) for action in (PLAY[4], PLAY[1], FOLD)),
                    *((at_river, action) for action in (CHECK, PLAY[2], REVEAL)),
                    *((raised, action) for action in (CHECK, PLAY[3])),
                    (bet_at_river, FOLD),
                ],
                "finished": [(lambda: do(at_river(), FOLD), REVEAL)],
            }
        ),
    ],
    rounds=[
        Round(ALL_BETS, "best"),
        Round({"ante": 15}, "best", ALWAYS, True),
        Round(ALL_BETS, "simple", None, True),
        Round({"ante": 15, "trips": 1}, "simple", NO_4X),
    ],
    shows=shows_everything,
    largest=[
        Round(
            {"ante": rules.STAKE_MAX // 5 * 5, "trips": rules.STAKE_MAX, "six_card": rules.STAKE_MAX, "progressive": 1},
            "simple",
        )
    ],
    main_bet="ante",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[
        {"trips": 5},
        *({"ante": 5, **sides} for sides in ({"blind": 5}, {"play": 5}, {"six_card": 0}, {"progressive": 2})),
    ],
    first_moves=[(Round({"ante": 10}), 1), (Round(ALL_BETS), 1)],
    opening=[("ante", 100), ("blind", 100)],
    most_returned=50_300,
    just_covered=Cover(220, 100, 100, 1_650 + 50_100),
    sides={"trips": "trips", "six_card": "six_card"},
    one_chip=["progressive"],
    choices=[
        (start, BEFORE),
        (
            lambda: do(start(), act("trips", stake=5), act("progressive", stake=1)),
            BEFORE.replace("trips:10", "trips:10 trips:0") + " progressive:0",
        ),
        (partial(dealt, options={"play_3x": False, "play_4x": False}), "check"),
        (on_flop, "check play_2x"),
        (at_river, "play_1x fold"),
        (bet_at_river, "reveal"),
        (dealt, "check play_4x play_3x"),
    ],
    ranges={"trips stake": (0, 5_000), "six_card stake": (0, 5_000), "progressive stake": (0, 1)}
    | {"deal_with trips": (0, 5_000), "deal_with six_card": (0, 5_000), "deal_with progressive": (0, 1)},
    away=[
        *((match, {"folded"}) for match in (start, partial(dealt, SIDE), on_flop, at_river)),
        (raised, {"lost", "lost_unqualified", "tied", "won", "won_unqualified"}),
    ],
    bots=[
        (start, both("deal")),
        (dealt, both("play_4x")),
        (partial(dealt, hole="KS 4D"), both("check")),
        (partial(dealt, hole="AS AD", options=NO_4X), both("play_3x")),
        (on_flop, both("play_2x")),
        (at_river, both("play_1x")),
        (bet_at_river, both("reveal")),
        (lambda: UltimateTexasHoldem().situation("4S 3D:QH QC 9S JD 7H"), both("fold")),
    ],
    endings=[
        ended("AS AH", HIGH, "KH QC", "won", 200, 100, 800),
        ended("AS AH", HIGH, "QH JC", "won_unqualified", 100, 100, 800),
        ended("3S 5H", HIGH, "QH JC", "lost_unqualified", 100, 0, 0),
        ended("3S 5H", HIGH, "KH JC", "lost", 0, 0, 0),
        ended("3S 5H", "AD KC QH JD 9S", "3H 5C", "tied", 100, 100, 400),  # the board plays: a pair is not needed
        ended("AS 5H", "AD KC QH JD 10S", "3H 5C", "tied", 100, 100, 400),  # a straight that ties gets no bonus
        ended("AS QD", "KD JC 10H 4D 2S", "KH KC", "won", 200, 200, 800),
        ended("AS 3S", "KS JS 10S 4D 2D", "KH KC", "won", 200, 250, 800),
        ended("2C 4C", "2D 2H 4H 9D KS", "KH KC", "lost", 0, 0, 0),
        ended("2C 4C", "2D 2H 4H 9D KS", "AH KC", "won", 200, 400, 800),
        ended("2C 2S", "2D 2H 4H 9D KS", "KH KC", "won", 200, 1_100, 800),
        ended("5S 6S", "7S 8S 9S KD KS", "KH KC", "won", 200, 5_100, 800),
        ended("AS KS", "QS JS 10S KD 2C", "KH KC", "won", 200, 50_100, 800),
        ended("AS KS", "QS JS 10S 3D 2C", "9H 7C", "won_unqualified", 100, 50_100, 800),
        # A dealer who always qualifies plays for the Ante with nothing.
        ended("AS AH", HIGH, "QH JC", "won", 200, 100, 800, options=ALWAYS),
        ended("3S 5H", HIGH, "QH JC", "lost", 0, 0, 0, options=ALWAYS),
        (lambda: do(at_river(), FOLD, rng=dealing("AS AH", f"{HOLE} {BOARD}")), "folded", {"ante": 0, "blind": 0}),
        # Super mode: marked ranks boost an Ante that wins.
        ended("AS AH", HIGH, "KH 3C", "won", 200, 100, 800, **MARKED),  # no marked rank
        ended("AS AH", "QD 9C 7H 4D 2S", "KH KC", "won", 250, 100, 800, **MARKED),  # a queen among the five
        ended("AS 3S", "KS 9S 4S QD 2D", "KH KC", "won", 200, 250, 800, **MARKED),  # a queen, no part of the flush
        ended("AS QD", "KD JC 10H 4D 2S", "KH KC", "won", 300, 200, 800, **MARKED),
        ended("AS AD", "AH QC 9H 4D 2S", "KH KC", "won", 350, 100, 800, **MARKED),
        ended("AS AD", "AH QC QH 4D 2S", "KH KC", "won", 400, 400, 800, **MARKED),
        ended("10S QD", "QH 9C 7H 4D 2S", "9H 3C", "won", 350, 100, 800, **MARKED),  # both hole cards marked
        ended("AS AH", "QD 9C 7H 4D 2S", "KH JC", "won_unqualified", 100, 100, 800, **MARKED),
        ended("3S 5H", "QD 9C 7H 4D 2S", "KH KC", "lost", 0, 0, 0, **MARKED),
        # Nothing but the Ante is boosted.
        (
            partial(showdown, "AS QD", "KD JC 10H 4D 2S", "KH KC", "3C 3H 3D 8C", {**SIDE, "trips": 33}, **MARKED),
            "won",
            {"ante": 300, "blind": 200, "play": 800, "trips": 165, "six_card": 80, "progressive": 30},
        ),
    ],
    told=[
        (start, DEAL, dealing(HOLE), "you get K♠ 7♦; play 4× or 3×, or check?"),
        (*(partial(start, options={"play_3x": False, "play_4x": False}), DEAL, dealing(HOLE)), "you get K♠ 7♦; check?"),
        (*(dealt, CHECK, dealing(FLOP, HOLE)), "the flop is Q♥ 7♣ 2♠: you have a pair of sevens; play 2×, or check?"),
        (
            *(on_flop, CHECK, dealing(LAST, f"{HOLE} {FLOP}")),
            "then J♦ 5♥: you have a pair of sevens; play 1×, or fold?",
        ),
        (at_river, PLAY[1], None, "ann: play_1x"),
        (
            *(at_river, FOLD, dealing("AS AC", f"{HOLE} {BOARD}")),
            "folded: K♠ 7♦ on Q♥ 7♣ 2♠ J♦ 5♥ is a pair of sevens, the dealer's A♠ A♣ a pair of aces; "
            "ante loses; blind loses; lost 200",
        ),
        (
            *(partial(bet_at_river, SIDE), REVEAL, dealing("AS 3C KD KC KH 3H", f"{HOLE} {BOARD}")),
            "K♠ 7♦ on Q♥ 7♣ 2♠ J♦ 5♥ is a pair of sevens, the dealer's A♠ 3♣ ace high: "
            "you win, and the dealer does not qualify; ante pushes; blind pushes; play pays 100, 1 to 1; trips loses; "
            "six_card pays 1,000, 100 to 1 for four of a kind with the four extra cards; progressive loses; won 1089",
        ),
        (
            *(partial(raised, "AS QD", **MARKED), REVEAL, dealing("KD JC 10H 4D 2S KH KC", "AS QD")),
            "A♠ Q♦ on K♦ J♣ 10♥ 4♦ 2♠ is a straight to the ace, the dealer's K♥ K♣ three kings: you win; "
            "ante pays 200, 1 to 1, boosted ×2; blind pays 100, 1 to 1 for a straight; play pays 400, 1 to 1; won 700",
        ),
    ],
    plan_bets={"ante": 10, "trips": 2, "six_card": 3, "progressive": 1},
    facts_of=lambda state: [*state.hole, *state.board, *state.dealer, *state.extra, state.play],
    outcomes="folded lost lost_unqualified tied won_unqualified won",
    marked=[9, 11],
)
