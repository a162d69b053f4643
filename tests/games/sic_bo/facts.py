"""Facts of sic bo for `test_house_facts`: bytes, refusals, results, sessions, and rounds of the kernel."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from croupier.engine import Match, act
from croupier.engine.chance import ScriptedRng
from croupier.games.sic_bo import SicBo, rules
from croupier.games.sic_bo.bets import BETS
from croupier.house import GameType, LossPreDeducted, Push, Win
from croupier.testing import HouseKit, batch, place
from tests.games.house_facts import Evening, Results, Round, TableFacts, at_once, updates

KIT = HouseKit(SicBo(), seed=bytes(range(48)), keeps_scratch=True)
ROLL, CLEAR = act("roll"), act("clear")
ATLANTIC_CITY = {"pay_table": "atlantic_city"}
ONE_OF_EACH = ["small", "big", "odd", "even", "triple:2", "any_triple", "double:5", "single:4", "domino:1-6"]
ONE_OF_EACH += ["easy_hop:2-3-5", "hard_hop:4-4-1", "four_faces:1-2-4-6"]
dice = ScriptedRng.of_dice


def rolled(bets: dict[str, int], *faces: int, **terms: Any) -> Match[Any]:
    """Return the match after a batch that these dice decide."""
    return KIT.do(KIT.start(**terms), batch(bets), rng=dice(*faces))


FACTS = TableFacts(
    kit=KIT,
    game_type=GameType.SIC_BO,
    stake_max=5_000,
    opcodes="place roll clear batch",
    odds_rows=list(BETS),
    super_rows=[f"total:{total}" for total in range(4, 18)],
    options=[{"pay_table": "macau"}, ATLANTIC_CITY],
    bad_options=[{"pay_table": "vegas"}, {"pay_table": 1}, {"dice": 4}],
    law_seeds=6,
    payloads={
        "010000000000000000000064": place("small", 100),
        "010009140000000000000019": place("domino:1-4", 25),
        "01000a070000000000000001": place("easy_hop:1-2-3", 1),
        "0101": ROLL,
        "0102": CLEAR,
        "0103 02 0000 0000000000000064 0709 000000000000012c": batch({"small": 100, "total:9": 300}),
    },
    not_payloads=[
        "010401",  # the pay table is an option
        "011a03c82e6115482a03",  # no compact batch
        "01000d000000000000000064",  # no such kind
        "010007020000000000000064",  # no such total
        "010009410000000000000064",  # the higher face first
    ],
    results=[
        Results(
            [
                *((action, None) for action in (place("small", 100), place("total:9", 50), CLEAR)),
                (place("total:9", 5), None),
                (ROLL, dice(1, 4, 4)),
            ],
            [*updates(-100, -50, 150, -5), Win(35)],
        ),
        at_once({"small": 100, "big": 100}, dice(1, 4, 4), Push(200)),  # one wins what the other loses
        at_once({"small": 100, "big": 40}, dice(1, 4, 4), Win(200)),
        at_once({"small": 10, "total:9": 90}, dice(1, 4, 5), Win(20)),  # it may be less than was staked
        at_once({"small": 100, "odd": 7}, dice(2, 2, 2), LossPreDeducted(107)),
    ],
    evening=Evening(
        60, lambda number: [batch({"small": 5} if number % 3 else {"total:10": 5, "single:4": 3, "domino:1-2": 1})]
    ),
    refusals=[],
    rounds=[
        Round(bets, "", options, super_mode)
        for options, super_mode in product((None, ATLANTIC_CITY), (False, True))
        for bets in ({f"total:{n}": 15 for n in range(3, 19)}, dict.fromkeys(ONE_OF_EACH, 7), {"total:9": 5})
    ],
    largest=[
        Round(dict.fromkeys(list(BETS)[first : first + 20], rules.STAKE_MAX // 5 * 5), "", ATLANTIC_CITY)
        for first in range(0, len(BETS), 20)
    ],
    largest_count=100,
    main_bet="total:9",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[{"total:2": 5}, {"small": 0}, {"small": rules.STAKE_MAX + 1}, dict.fromkeys(list(BETS)[:21], 1)],
    first_moves=[(Round({"total:9": 5}), 1)],
    find="dice",
    three=("small", "total:9", "big"),
    most_bets=list(BETS)[:20],
    one_more="four_faces:3-4-5-6",
    unknown=["middle", "total:2", "total:19", "total:20", "domino:4-1", "domino:4-4", "single:7", "easy_hop:1-1-2"],
    covered=({"any_triple": 10, "single:4": 10}, 250 + 40),
    usual=["small", "single:4", "total:9", "hard_hop:4-4-1"],
    draw=lambda: dice(4, 1, 4),
    boosted="total:9",
    not_boosted=["small", "total:3"],
    logs=[
        (
            *({"small": 100, "single:4": 10, "big": 5, "even": 5}, partial(dice, 4, 1, 4)),
            "the dice show 4 1 4: 9, small and odd; small pays 100 (1 to 1); single:4 pays 20 (2 to 1); "
            "lost big, even; won 110",
        ),
        (
            *({"small": 100, "any_triple": 10}, partial(dice, 2, 2, 2)),
            "the dice show 2 2 2: a triple (6); any_triple pays 240 (24 to 1); lost small; won 140",
        ),
        (*({"total:11": 7}, partial(dice, 6, 6, 4)), "the dice show 6 6 4: 16, big and even; lost total:11; lost 7"),
    ],
)
