"""Facts of craps for `test_house_facts`: options, bytes, the plans it lacks, and sessions of the kernel."""

from __future__ import annotations

from typing import Any

from croupier.engine import act
from croupier.games.craps import Craps
from croupier.games.craps.bets import IDS
from croupier.games.craps.rules.prices import STAKE_MAX
from croupier.house import GameType
from croupier.testing import HouseKit, batch, place
from tests.games.house_facts import GameFacts, Round

KIT = HouseKit(Craps(), keeps_scratch=True)
EVERYTHING = {
    "pass": 15, "dont_pass": 10, "field": 5, "yes:6": 12, "buy:4": 25, "no:5": 35, "lose:8": 10, "hard:8": 3,
    "hot_roller": 5, "fire": 5, "twice_hard": 5, "ride_line": 5, "muggsy": 5, "bonus_small": 5, "bonus_all": 5,
    "replay": 5, "different_doubles": 5, "repeater:6": 5, "horn": 4, "hop:1-3": 1,
}  # fmt: skip
PLAIN = {"pass": 10, "yes:9": 10, "next:7": 5, "big:8": 10, "no:2": 120, "any_craps": 1, "world": 5, "c_and_e": 2}
BITCRAPS = {"pay_table": "bitcraps"}
WAYS = {"hot_roller": "ways", "ride": "ride-3", "fire": "fire-d"}
LARGE_BETS = ["pass", "next:2", "fire", "replay", "yes:2", "no:2", "bonus_all", *(f"hop:{n}-{n}" for n in range(1, 7))]
LARGEST = {"table_max": STAKE_MAX, "prop_max": STAKE_MAX, "side_max": STAKE_MAX, "fire": "fire-b"}
LARGEST |= {"max_profit": 2**63 - 1, "player_max": 2**63 - 1}


def shows(asked: Round, states: Any) -> None:
    """Sessions differ in length; every line of a bet has its stake, and odds are in the accounts alone."""
    plan = KIT.game.plan(*asked)
    assert len({state.table.roll_count for state in states}) > 1
    for state in states:
        lines = {plan.bet_of(line.bet): line.stake for line in state.money.lines}
        assert len(lines) == len(state.money.lines)
        for bet, stake in zip(plan.bets, plan.stakes, strict=True):
            assert lines.get(bet, stake if bet in ("come", "dont_come") else None) == stake, bet


FACTS = GameFacts(
    kit=KIT,
    game_type=GameType.CRAPS,
    stake_max=30_000,
    opcodes="place add_odds roll clear batch raise lower remove switch",
    options=[
        {},
        BITCRAPS,
        {"pay_table": "nullspace", "hot_roller": "rolls"},
        {"vig": "upfront", "odds_plan": "double", "table_min": 10},
    ],
    bad_options=[
        {"pay_table": "vegas"}, {"fire": "fire-e"}, {"ride": "ride-8"}, {"hot_roller": "cold"}, {"odds_plan": "7x"},
        {"odds_map": [1, 2, 3]}, {"odds_map": [-1, 2, 3, 3, 2, 1]}, {"table_min": 0}, {"table_min": 10, "table_max": 9},
        {"side_min": 5, "side_max": 4}, {"prop_min": 600}, {"max_bets": 129}, {"vig": "never"}, {"table_max": 2**62},
        {"set_rules": 1}, {"table_max": 5, "pay": 1},
    ],
    law_seeds=4,
    payloads={
        "0100 0000 0000000000000064": place("pass", 100),
        "0100 0701 0000000000000019": place("buy:4", 25),
        "0100 1f06 000000000000001e": place("odds_come:6", 30),
        "0101 0000000000000019": act("add_odds", stake=25),
        "0102": act("roll"),
        "0103": act("clear"),
        "0104 02 0000 0000000000000064 0400 0000000000000005": batch({"pass": 100, "field": 5}),
        "0105 0900 0000000000000006": act("raise", bet="yes:6", stake=6),
        "0106 0900 0000000000000006": act("lower", bet="yes:6", stake=6),
        "0107 0209": act("remove", bet="come:9"),
        "0108 1b00 0100": act("switch", bet="hard:8", come_out=True, point=False),
    },
    not_payloads=[
        "0200", "0109", "0102ff", "0100005b0000000000000005", "01000007", "010007020000000000000005",
        "01001f000000000000000005", "0101000000000000000019", "0104000000", "010415", "01081b000201", "0107020b",
    ],
    rounds=[
        Round(EVERYTHING, "", {}),
        Round(EVERYTHING, "full_odds", WAYS, True),
        Round(EVERYTHING, "full_odds", {"hot_roller": "rolls", "vig": "upfront", "odds_plan": "double"}),
        Round(PLAIN, "", BITCRAPS),
        Round(PLAIN, "full_odds", {"pay_table": "nullspace", "vig": "upfront", "odds_map": (0, 1, 2, 2, 1, 7)}, True),
        Round({"pass": 10}, "full_odds", {}),
        Round({"dont_pass": 10}, "full_odds", {"odds_plan": "100x"}),
        Round({"muggsy": 5}, "", BITCRAPS),
        Round({"pass": 15, "dont_pass": 10, "yes:4": 10}, "single_odds", {}),
        Round({"dont_pass": 10, "pass": 5}, "double_odds", {"odds_map": (1, 2, 3, 3, 2, 0)}, True),
        Round({"fire": 5, "pass": 5, "repeater:2": 5, "field": 5}, "double_odds", {}),
        Round({"come": 10, "pass": 15}, "", {}, True),
        Round({"field": 5, "come": 10, "dont_come": 15, "hard:6": 5}, "full_odds", {"odds_plan": "100x"}),
        Round({"dont_come": 20, "dont_pass": 10, "fire": 5, "come": 10}, "double_odds", BITCRAPS, True),
        Round({"pass": 15, "dont_pass": 10}, "full_odds", None, True),
    ],
    round_count=250,
    shows=shows,
    largest=[Round(dict.fromkeys(LARGE_BETS, STAKE_MAX // 60 * 60), "", LARGEST)],
    largest_count=50,
    main_bet="pass",
    kernel_stake_max=5_000,
    no_plans=[
        {"pass": 4},
        {"come": 10, "dont_come": 10},  # nobody rolls for them
        *({"pass": 10, **other} for other in ({"come": 4}, {"come:6": 10}, {"odds_pass": 10})),
        *({"odds_pass": 10}, {"yes:7": 10}, {"horn": 3}, {"yes:4": 10, "buy:4": 20}),
        {name: 5 for name in IDS if name.startswith("hop")},
        Round({"pass": 5, "come": 500}, "full_odds", {"odds_plan": "100x"}),
        Round({"buy:4": 20}, "", BITCRAPS),
        Round({"hop:1-1": 5}, "", {"pay_table": "nullspace"}),
        Round({"pass": 10}, "half_odds"),
        Round({"pass": 1_000}, "full_odds", {"odds_plan": "100x"}),  # 100,000 chips of odds: more than one may risk
        Round({"fire": STAKE_MAX + 1}, "", {"side_max": STAKE_MAX}),
    ],
    first_moves=[(Round({"pass": 10}), 1)],
)  # fmt: skip
