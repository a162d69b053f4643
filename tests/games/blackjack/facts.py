"""Blackjack for the tests over all house games: options, bytes, and stakes that it is not opened with."""

from __future__ import annotations

from croupier.engine import act
from croupier.games.blackjack import Blackjack
from croupier.games.blackjack.bets import SIDE_BETS
from croupier.house import GameType
from croupier.house.money import Cover
from croupier.testing import HouseKit
from tests.games.house_facts import GameFacts

KIT = HouseKit(Blackjack(), stake=100)
GAME = KIT.game
OPCODES = "hit stand double split deal side_bet reveal bet_and_deal - surrender insurance even_money decline"
FIVE = dict(zip(SIDE_BETS, (1, 2, 3, 4, 5), strict=True))

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
    opening_refusals=[
        (0, False, None, "stake_too_small"),
        (101, False, Cover(funds=100), "insufficient_funds"),
        (100, True, Cover(funds=119), "insufficient_funds"),
        (4, False, Cover(stake_min=5), "under_limit"),
        (501, False, Cover(stake_max=500), "over_limit"),
        (100, False, Cover(exposure_max=249), "exposure_limit"),
        (12, True, None, "super_stake"),
    ],
)
