"""Facts of hi-lo for `test_house_facts`: options, bytes, openings, and rounds of the kernel."""

from __future__ import annotations

from croupier.engine import act
from croupier.games.hi_lo import HiLo, rules
from croupier.games.hi_lo.bets import POLICIES
from croupier.house import GameType
from croupier.house.money import Cover
from croupier.testing import HouseKit
from tests.games.house_facts import GameFacts, Round

KIT = HouseKit(HiLo(), stake=100)
GAME = KIT.game
HARSH = {"tie_pushes": False, "commission_bps": 0}

FACTS = GameFacts(
    kit=KIT,
    game_type=GameType.HI_LO,
    stake_max=1_000,
    opcodes="higher lower cash_out same",
    options=[
        {},
        {"commission_bps": 0},
        {"same_anywhere": True, "commission_bps": 10_000},
        {"same_anywhere": True, "tie_pushes": False},
    ],
    bad_options=[{"commission_bps": 10_001}, {"commission_bps": -1}, {"tie_pushes": 1}, {"same": True}],
    law_seeds=12,
    payloads={f"010{code}": act(word) for code, word in enumerate(("higher", "lower", "cash_out", "same"))},
    not_payloads=["0104", "01ff", "01020000"],
    opening=[("stake", 100)],
    most_returned=116_400_003,
    just_covered=Cover(120, 100, 100, 116_400_003 + 116_399_903 * 2390 // 12_500),
    opening_refusals=[(-5, False, None, "stake_too_small"), (2**63 - 1, False, None, "exposure_limit")],
    rounds=[
        Round({"stake": 15}, policy, options, super_mode)
        for options, policies in ((None, POLICIES), (HARSH, ("three_guesses", "streak_3", "patient")))
        for policy in policies
        for super_mode in (False, True)
    ],
    round_count=500,
    main_bet="stake",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[{"higher:5": 5}, {"stake": 5, "main": 5}, Round({"stake": 5}, "two_guesses")],
    first_moves=[(Round({"stake": 5}), 0)],
)
