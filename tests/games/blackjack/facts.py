"""Facts of blackjack for `test_house_facts`: options, bytes, openings, and rounds of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.engine import act
from croupier.games.blackjack import Blackjack, rules
from croupier.games.blackjack.bets import SIDE_BETS
from croupier.house import GameType
from croupier.testing import HouseKit
from tests.games.house_facts import GameFacts, Round, not_opened

KIT = HouseKit(Blackjack(), stake=100)
GAME = KIT.game
OPCODES = "hit stand double split deal side_bet reveal bet_and_deal - surrender insurance even_money decline"
FIVE = dict(zip(SIDE_BETS, (1, 2, 3, 4, 5), strict=True))

SOME = {"main": 15, "lucky_ladies": 2, "royal_match": 3}
ALL = {"main": 20, **dict(zip(SIDE_BETS, (3, 2, 5, 7, 3), strict=True))}
ONE_DECK = {"decks": 1, "surrender": True, "peek": True, "hit_soft_17": False}
TWO_DECKS = {"decks": 2, "six_to_five": True, "double_after_split": False, "resplit_aces": False}
FOUR_DECKS = {"decks": 4, "surrender": True, "hit_split_aces": False, "peek": True}


def _shows(case: Round, states: Sequence[Any]) -> None:
    hands = [hand for state in states for hand in state.hands]
    wanted = {"standing", "natural"}
    if case.policy != "never_bust":
        wanted.add("busted")
    if case.policy != "mimic_dealer":
        assert any(len(state.hands) > 1 for state in states)
        assert any(hand.doubled for hand in hands)
        if (case.options or {}).get("surrender"):
            wanted.add("surrendered")
    assert {hand.status for hand in hands} >= wanted


FACTS = GameFacts(
    kit=KIT,
    game_type=GameType.BLACKJACK,
    stake_max=5_000,
    opcodes=OPCODES,
    options=[
        {},
        {"decks": 1, "peek": True, "surrender": True},
        {"decks": 2, "hit_soft_17": False, "six_to_five": True, "peek": True},
        {"decks": 4, "double_after_split": False, "resplit_aces": False, "surrender": True},
        {"decks": 6, "hit_split_aces": False},
    ],
    bad_options=[{"decks": 3}, {"peek": 1}, {"insurance": True}, {"decks": 0}],
    law_seeds=8,
    payloads={
        **{f"01{code:02x}": act(word) for code, word in enumerate(OPCODES.split()) if code not in (5, 7, 8)},
        "0105000000000000000a": act("side_bet", stake=10),
        "0107" + "".join(f"{stake:016x}" for stake in FIVE.values()): act("bet_and_deal", **FIVE),
    },
    not_payloads=["0108", "010d", "0107" + "00" * 8, "0107" + "00" * 32, "0007"],
    opening_refusals=not_opened(100, 100, 250, None),
    rounds=[
        Round({"main": 20}, "basic"),
        Round(ALL, "basic", None, True),
        Round(ALL, "basic", ONE_DECK),
        Round(SOME, "basic", TWO_DECKS),
        Round(ALL, "basic", {"decks": 6, "peek": True, "hit_split_aces": False}),
        Round(SOME, "basic", FOUR_DECKS, True),
        Round(ALL, "never_bust", ONE_DECK, True),
        Round(ALL, "mimic_dealer", None, True),
    ],
    round_count=500,
    shows=_shows,
    largest=[Round({"main": rules.STAKE_MAX // 5 * 5, **dict.fromkeys(SIDE_BETS, rules.STAKE_MAX)}, "basic")],
    largest_count=300,
    main_bet="main",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[
        *({"bust_it": 5}, {"main": 5, "double:1": 5}, {"main": 5, "bust_it": 0}),
        Round({"main": 5, "insurance": 5}, "", {"peek": True}),
    ],
    first_moves=[(Round({"main": 20}), 1)],
)
