"""Facts of video poker for `test_house_facts`: bytes, refusals, results, and rounds of the kernel."""

from __future__ import annotations

from typing import Any

from croupier.engine import act
from croupier.games.video_poker import VideoPoker
from croupier.games.video_poker.bets import PAY_TABLES, POLICIES
from croupier.games.video_poker.rules import rounds
from croupier.house import GameType, decode_payload
from croupier.house.money import Cover
from croupier.testing import HouseKit
from tests.games.house_facts import Evening, Facts, Refused, Round

KIT = HouseKit(VideoPoker(), stake=100)
GAME = KIT.game
MASKS = {f"0100{mask:02x}": [number for number in range(1, 6) if mask >> (number - 1) & 1] for mask in range(32)}


def hold(*numbers: int) -> Any:
    return act("hold", cards=list(numbers))


NO_HOLDS: list[tuple[Any, str]] = [
    *((hold(*held), "bad_hold") for held in ((1, 1), (3, 1), (1, 2, 3, 5, 4))),
    *((hold(*held), "bad_payload") for held in ((0,), (6,), (1, 2, 3, 4, 5, 5))),
    *((act("hold", **fields), "bad_payload") for fields in ({}, {"cards": 3}, {"cards": [True]})),
    (act("hold", cards=[1], mask=1), "bad_payload"),
    (act("draw"), "unknown_action"),
    (act("leave"), "bets_open"),
]

FACTS = Facts(
    kit=KIT,
    game_type=GameType.VIDEO_POKER,
    stake_max=1_000,
    opcodes="hold",
    odds_rows=[f"stake {policy}" for policy in POLICIES],
    super_rows=[f"stake {policy}" for policy in POLICIES],
    options=[{"pay_table": name} for name in PAY_TABLES],
    bad_options=[{"pay_table": "jacks_9_5"}, {"pay_table": 0}, {"rules": 1}],
    law_seeds=11,
    payloads={payload: hold(*held) for payload, held in MASKS.items()},
    not_payloads=[f"0100{mask:02x}" for mask in range(32, 256)],  # bits above the fifth are not ignored
    results=[],
    evening=Evening(80, lambda number: [decode_payload(GAME, bytes([1, 0, number % 32]))], stake=10),
    refusals=[
        *(Refused(KIT.start, action, code) for action, code in NO_HOLDS),
        Refused(lambda: KIT.do(KIT.start(), hold(1)), hold(1), "finished"),  # one draw is all there is
    ],
    opening=[("stake", 100)],
    most_returned=80_000,  # a royal flush
    just_covered=Cover(120, 100, 100, 1_674_804),  # a boosted one, 100 + 79,900 × 20.96
    marked=[22, 50, 36, 47],
    rounds=[
        Round({"stake": 15}, policy, {"pay_table": name}, super_mode)
        for policy in POLICIES
        for name in (PAY_TABLES if policy == "optimal" else ("jacks_9_6", "deuces_wild"))
        for super_mode in (False, True)
    ],
    largest=[],  # a royal flush is dealt for them
    main_bet="stake",
    kernel_stake_max=rounds.STAKE_MAX,
    no_plans=[{"main": 5}, {"stake": 5, "main": 5}, Round({"stake": 5}, "best")],
    first_moves=[(Round({"stake": 5}), 0)],
)
