"""Facts of three card poker for `test_house_facts`: bytes, refusals, results, endings, logs, kernel rounds."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from croupier.engine import Match, act
from croupier.games.three_card_poker import ThreeCardPoker, rules
from croupier.house import Continue, GameType, Loss, LossPreDeducted, Push, Win
from croupier.house.money import Cover
from croupier.testing import HouseKit, dealing
from tests.games.house_facts import CardFacts, Evening, Refused, Round, by_cards, refused, updates

KIT = HouseKit(ThreeCardPoker(), stake=100)
start, do = KIT.start, KIT.do
DEAL, PLAY, FOLD, REVEAL = act("deal"), act("play"), act("fold"), act("reveal")
LOW, HELD = "10C 8H 3C", "QS 6H 4D"  # a dealer who does not qualify, a hand that is played
QUEEN, Q64 = {"qualifier": "queen"}, {"qualifier": "q64"}
MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}  # diamonds and spades
ALL_BETS = {"ante": 15, "pair_plus": 7, "six_card": 3, "progressive": 1}
POLICIES = ("best", "q64", "q72", "queen_high", "always_play")


def side(bet: str, stake: int) -> Any:
    return act(bet, stake=stake)


def deal_with(pair_plus: int, six_card: int, progressive: int) -> Any:
    return act("deal_with", pair_plus=pair_plus, six_card=six_card, progressive=progressive)


def dealt(hand: str = HELD, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> Match[Any]:
    """Return a session in which the player holds a hand."""
    return do(start(**terms), deal_with(*sides), rng=dealing(hand))


def waiting(*args: Any, **terms: Any) -> Match[Any]:
    """Return a session in which the player has played and the dealer's cards are to come."""
    return do(dealt(*args, **terms), PLAY)


def played(hand: str, dealer: str, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> Match[Any]:
    return do(waiting(hand, sides, **terms), REVEAL, rng=dealing(dealer, known=hand))


def folded(hand: str, dealer: str, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> Match[Any]:
    return do(dealt(hand, sides, **terms), FOLD, rng=dealing(dealer, known=hand))


def ended(hand: str, dealer: str, outcome: str, ante: int, play: int, **terms: Any) -> Any:
    return partial(played, hand, dealer, **terms), outcome, {"ante": ante, "play": play}


def sides_decided(hand: str, dealer: str, *returned: int) -> Any:
    """Return the endings of a hand with side bets of 10, 10 and 1, played and folded: they are the same."""
    sides = dict(zip(("pair_plus", "six_card", "progressive"), returned[3:], strict=True))
    outcome = ("not_qualified", "won", "lost")[returned[0]]
    return [
        (partial(played, hand, dealer, (10, 10, 1)), outcome, {"ante": returned[1], "play": returned[2], **sides}),
        (partial(folded, hand, dealer, (10, 10, 1)), "folded", {"ante": 0, **sides}),
    ]


def told(hand: str, dealer: str, line: str, sides: tuple[int, int, int] = (0, 0, 0), **terms: Any) -> Any:
    return partial(waiting, hand, sides, **terms), REVEAL, dealing(dealer, known=hand), line


DEALT, PLAYED = ("0102", HELD), ("0100", "")
WITH_SIDES = ("0107000000000000000a000000000000000a0000000000000001", HELD)
PAIR_PLUS = ("01030000000000000019", "")


def shows_endings(asked: Round, states: Any) -> None:
    """Ties are too rare to ask for: one round in 1,600."""
    folds = set() if asked.policy == "always_play" else {"folded"}
    assert {state.outcome for state in states} - {"tied"} == {"not_qualified", "won", "lost"} | folds


def bots(hand: str, *plays: str) -> Any:
    return partial(dealt, hand), {policy: "play" if policy in plays else "fold" for policy in POLICIES}


FACTS = CardFacts(
    kit=KIT,
    game_type=GameType.THREE_CARD,
    stake_max=5_000,
    opcodes="play fold deal pair_plus reveal six_card progressive deal_with",
    odds_rows=[*(f"ante {policy}" for policy in POLICIES), "pair_plus", "six_card", "progressive"],
    super_rows=[f"ante {policy}" for policy in POLICIES],
    options=[QUEEN, Q64],
    bad_options=[{"qualifier": "king"}, {"qualifier": 1}, {"decks": 1}],
    law_seeds=8,
    payloads={
        "0100": PLAY,
        "0101": FOLD,
        "0102": DEAL,
        "0103000000000000000a": side("pair_plus", 10),
        "0104": REVEAL,
        "01050000000000000000": side("six_card", 0),
        "01060000000000000001": side("progressive", 1),
        "0107000000000000000a000000000000000b0000000000000001": deal_with(10, 11, 1),
    },
    not_payloads=[
        "0102000000000000000a",  # the deal has one form: bets are laid before it
        "010801",  # rules are options here
    ],
    not_moves=["01060000000000000002", "0100"],
    results=[
        by_cards(DEALT, PLAYED, ("0104", LOW), expected=[Continue(), *updates(-100), Win(300)]),
        by_cards(DEALT, PLAYED, ("0104", "QH 6D 4C"), expected=[Continue(), *updates(-100), Push(200)]),
        by_cards(DEALT, PLAYED, ("0104", "KH 6D 4C"), expected=[Continue(), *updates(-100), LossPreDeducted(200)]),
        by_cards(DEALT, ("0101", "KH 6D 4C"), expected=[Continue(), Loss()]),
        by_cards(WITH_SIDES, ("0101", "KH 6D 2C"), expected=[*updates(-21), LossPreDeducted(121)]),
        by_cards(WITH_SIDES, ("0101", "QH QD 2C"), expected=[*updates(-21), Win(80)]),
        by_cards(
            PAIR_PLUS,
            *((payload, "") for payload in ("01030000000000000005", "01060000000000000000", "01060000000000000001")),
            expected=[*updates(-25, 20), Continue(), *updates(-1)],
        ),
        by_cards(PAIR_PLUS, DEALT, expected=[*updates(-25), Continue()]),
        by_cards(PAIR_PLUS, WITH_SIDES, expected=updates(-25, 4)),
    ],
    evening=Evening(
        60,
        lambda number: [deal_with(1, 1, 1) if number % 3 else DEAL, *([PLAY, REVEAL] if number % 5 else [FOLD])],
        stake=5,
        endings=frozenset({"folded", "not_qualified", "won", "lost"}),
    ),
    refusals=[
        Refused(start, side("pair_plus", 10), "exposure_limit", Cover(exposure_max=700 + 409)),
        Refused(start, side("six_card", 1), "exposure_limit", Cover(exposure_max=700 + 1000)),
        Refused(start, side("progressive", 1), "exposure_limit", Cover(exposure_max=700 + 9999)),
        Refused(start, deal_with(5, 5, 1), "insufficient_funds", Cover(funds=10)),
        Refused(start, deal_with(5, 5, 1), "exposure_limit", Cover(exposure_max=700 + 205 + 5005 + 9999)),
        # Play is taken before the dealer draws.
        Refused(dealt, PLAY, "insufficient_funds", Cover(funds=99)),
        Refused(dealt, PLAY, "exposure_limit", Cover(exposure_max=899)),
        *refused(
            {
                "bad_payload": [(start, act("deal_with", pair_plus=1, six_card=1)), (start, act("deal", stake=5))],
                "unknown_action": [(start, act("hit"))],
                "bets_open": [(start, act("leave"))],
                "wrong_phase": [
                    *((start, action) for action in (PLAY, FOLD, REVEAL)),
                    *((dealt, action) for action in (DEAL, REVEAL, deal_with(1, 1, 1), side("pair_plus", 5))),
                    *((dealt, action) for action in (side("pair_plus", 0), side("progressive", 9))),
                    *((waiting, action) for action in (PLAY, FOLD)),
                ],
                "finished": [(lambda: played(HELD, LOW), REVEAL), (lambda: folded(HELD, "9S 4H 2C"), PLAY)],
            }
        ),
    ],
    rounds=[
        Round(bets, policy, options, super_mode)
        for policy, bets, options, super_mode in (
            *product(("best",), ({"ante": 15}, ALL_BETS), (QUEEN, Q64), (False, True)),
            *product(POLICIES[1:], (ALL_BETS,), (QUEEN,), (False, True)),
        )
    ],
    shows=shows_endings,
    largest=[
        Round(
            {"ante": rules.STAKE_MAX // 5 * 5, "pair_plus": rules.STAKE_MAX, "six_card": rules.STAKE_MAX}
            | {"progressive": 1},
            "always_play",
        )
    ],
    largest_count=300,
    main_bet="ante",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[
        {"pair_plus": 5},
        *({"ante": 5, **sides} for sides in ({"play": 5}, {"main": 5}, {"pair_plus": 0}, {"progressive": 2})),
        {"ante": 5, "six_card": rules.STAKE_MAX + 1},
    ],
    first_moves=[(Round({"ante": 5}), 1), (Round(ALL_BETS), 1)],
    opening=[("ante", 100)],
    most_returned=700,
    just_covered=Cover(120, 100, 100, 4060),
    sides={"pair_plus": "pair_plus", "six_card": "six_card"},
    one_chip=["progressive"],
    choices=[
        (start, "deal deal_with:10:10:1 pair_plus:1 pair_plus:10 six_card:1 six_card:10 progressive:1"),
        (
            lambda: do(start(), side("progressive", 1)),
            "deal deal_with:10:10:1 pair_plus:1 pair_plus:10 six_card:1 six_card:10 progressive:1 progressive:0",
        ),
        (waiting, "reveal"),
        (dealt, "play fold"),
    ],
    ranges={"pair_plus stake": (0, 5_000), "six_card stake": (0, 5_000), "progressive stake": (0, 1)}
    | {"deal_with pair_plus": (0, 5_000), "deal_with six_card": (0, 5_000), "deal_with progressive": (0, 1)},
    away=[
        (partial(dealt, "7S 7H 7D"), {"folded"}),
        (start, {"folded"}),
        (waiting, {"won", "lost", "tied", "not_qualified"}),
    ],
    bots=[
        bots("QS 6H 4D", "best", "q64", "queen_high", "always_play"),
        bots("QS 7H 2D", *POLICIES),
        bots("QS 6H 3D", "queen_high", "always_play"),
        bots("JS 10H 8D", "always_play"),
        bots("2S 2H 3D", *POLICIES),
    ],
    endings=[
        ended(HELD, "JS 9H 2D", "not_qualified", 200, 100),
        ended("2S 3H 5D", "JS 9H 2D", "not_qualified", 200, 100),
        ended(HELD, "QH 5H 3D", "won", 200, 200),
        ended(HELD, "QH 5H 3D", "not_qualified", 200, 100, options=Q64),
        ended("QS 7H 2D", "QH 6D 4C", "won", 200, 200, options=Q64),
        ended(HELD, "QH 6D 4C", "tied", 100, 100),
        ended(HELD, "QH 6D 5C", "lost", 0, 0),
        ended("KS KH 4D", "2H 3D 4C", "lost", 0, 0),
        ended("2S 3H 4D", "AH 2D 3C", "won", 300, 200),
        ended("2S 3H 4D", "2H 3D 4C", "tied", 200, 100),
        ended("2S 3H 4D", "5H 6D 7C", "lost", 100, 0),
        ended("2S 3H 4D", LOW, "not_qualified", 300, 100),
        ended("7S 7H 7D", "KH KD KC", "lost", 400, 0),
        ended("7S 7H 7D", "5H 6D 7C", "won", 600, 200),
        ended("7S 8S 9S", "5H 6D 7C", "won", 700, 200),
        ended("7S 8S 9S", "8H 9H 10H", "lost", 500, 0),
        ended("7S 8S 9S", "7H 8H 9H", "tied", 600, 100),
        (partial(folded, "7S 8S 9S", LOW), "folded", {"ante": 0}),  # and nothing else
        # Side bets are decided also after a fold: ante, play, and then what 10, 10 and 1 bring back.
        *sides_decided("QS 6H 4D", "KS 9H 2D", 2, 0, 0, 0, 0, 0),
        *sides_decided("QS QH 4D", "KS 9H 2D", 1, 200, 200, 20, 0, 0),
        *sides_decided("QS QH 4D", "QD 9H 2D", 1, 200, 200, 20, 80, 0),
        *sides_decided("2S 3H 4D", "5S 6H KD", 1, 300, 200, 70, 110, 6),
        *sides_decided("2S 8S 4S", "5S 9S KD", 1, 200, 200, 40, 160, 0),
        *sides_decided("7S 7H 7D", "5S 5H KD", 1, 600, 200, 310, 210, 60),
        *sides_decided("7S 7H 7D", "7C 5H KD", 1, 600, 200, 310, 1010, 60),
        *sides_decided("7S 8S 9S", "5S 6S KD", 1, 700, 200, 410, 2010, 70),
        *sides_decided("AH KH QH", "5S 6S KD", 1, 700, 200, 410, 0, 500),
        *sides_decided("AS KS QS", "JS 10S KD", 1, 700, 200, 410, 10_010, 10_000),
        *sides_decided("JS 10S KS", "AS QS KD", 2, 0, 0, 40, 10_010, 0),
        # Super mode: marked suits boost the profit of the ante.
        ended("KS 6S 4H", LOW, "not_qualified", 240, 100, **MARKED),  # 1.4 times the profit
        ended("KS 6D 4H", LOW, "not_qualified", 200, 100, **MARKED),
        ended("KH 6H 4S", LOW, "not_qualified", 200, 100, **MARKED),  # hearts are not marked
        ended("KS 6S 4H", "QS 9H 2D", "won", 240, 200, **MARKED),
        ended("KS 6S 4H", "KD 6H 4C", "tied", 100, 100, **MARKED),
        ended("KS 6S 4H", "AD 6H 4C", "lost", 0, 0, **MARKED),
        ended("5S 6S 7H", LOW, "not_qualified", 460, 100, **MARKED),  # a straight and its bonus, 1.8 times
        ended("5S 6S 7H", "8S 9H 10D", "lost", 100, 0, **MARKED),  # the bonus just brings the Ante back
        ended("5S 6S 7H", "5H 6D 7C", "tied", 280, 100, **MARKED),  # the bonus is a profit
        ended("KS 6S 4S", LOW, "not_qualified", 320, 100, **MARKED),  # 2.2 times
        ended("KH 6H 4H", LOW, "not_qualified", 200, 100, **MARKED),
        ended("5S 6S 7S", LOW, "not_qualified", 4060, 100, **MARKED),  # 6.6 times
        ended("5S 6S 7S", "8H 9H 10H", "lost", 2740, 0, **MARKED),
        ended("7S 7D 7H", LOW, "not_qualified", 600, 100, **MARKED),
    ],
    told=[
        (start, DEAL, dealing(HELD), "you get Q♠ 6♥ 4♦ (Q-6-4 high); play or fold?"),
        told(
            *(HELD, "JS 9H 2D"),
            "Q♠ 6♥ 4♦ (Q-6-4 high); the dealer has J♠ 9♥ 2♦ (J-9-2 high) and does not qualify; "
            "ante pays 100, 1 to 1; play pushes; won 100",
        ),
        told(
            *("7S 8S 9S", "5S 6S KD"),
            "7♠ 8♠ 9♠ (a straight flush to the nine); the dealer has 5♠ 6♠ K♦ (K-6-5 high) and qualifies: you win; "
            "ante pays 600, 1 to 1 and a bonus of 5 to 1; play pays 100, 1 to 1; "
            "pair_plus pays 400, 40 to 1 for a straight flush; six_card pays 2,000, 200 to 1 for a straight flush "
            "among the six; progressive pays 69, 69 to 1 for a straight flush; won 3169",
            (10, 10, 1),
        ),
        told(
            *("2S 3H 4D", "5H 6D 7C"),
            "2♠ 3♥ 4♦ (a straight to the four); the dealer has 5♥ 6♦ 7♣ (a straight to the seven) and qualifies: "
            "the dealer wins; ante loses, but its bonus of 1 to 1 brings 100 back; play loses; lost 100",
        ),
        told(
            *("2S 3H 4D", "2H 3D 4C"),
            "2♠ 3♥ 4♦ (a straight to the four); the dealer has 2♥ 3♦ 4♣ (a straight to the four) and qualifies: a tie; "
            "ante pushes, and its bonus pays 100, 1 to 1; play pushes; won 100",
        ),
        (
            *(partial(dealt, "7S 7H 2D", (10, 0, 0)), FOLD, dealing("QS 5H 3C", known="7S 7H 2D")),
            "folded 7♠ 7♥ 2♦ (a pair of sevens, two kicker); the dealer has Q♠ 5♥ 3♣ (Q-5-3 high) and qualifies; "
            "ante loses; pair_plus pays 10, 1 to 1 for a pair; lost 90",
        ),
    ],
    plan_bets={"ante": 10, "pair_plus": 2, "six_card": 3, "progressive": 1},
    facts_of=lambda state: [*state.player, *state.dealer],
    outcomes="folded not_qualified won tied lost",
    marked=[2, 0],
)
