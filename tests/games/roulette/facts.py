"""Facts of roulette for `test_house_facts`: bytes, refusals, results, sessions, and rounds of the kernel."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from croupier.engine import Match, act
from croupier.engine.chance import ScriptedRng
from croupier.games.roulette import Roulette, rules
from croupier.games.roulette.bets import BETS, bets_of
from croupier.games.roulette.options import ZERO_RULES
from croupier.house import GameType, LossPreDeducted, Push, Win
from croupier.testing import HouseKit, batch, place
from tests.games.house_facts import Evening, Refused, Results, Round, TableFacts, at_once, updates

KIT = HouseKit(Roulette(), keeps_scratch=True)
SPIN, CLEAR = act("spin"), act("clear")
OPTIONS = [{"zero_rule": zero_rule} for zero_rule in ZERO_RULES]
OUTSIDE = ["red", "black", "even", "odd", "low", "high", "dozen:1", "dozen:2", "column:1", "column:3"]
EVEN_MONEY = OUTSIDE[:6]
INSIDE = ["straight:0", "straight:17", "split:1-2", "split:14-17", "street:1-2-3", "corner:1-2-4-5", "trio:0-1-2"]
NUMBERS = [f"straight:{number}" for number in range(37)]


def start(zero_rule: str = "standard", **terms: Any) -> Match[Any]:
    return KIT.start(options={"zero_rule": zero_rule}, **terms)


def spun(bets: dict[str, int], *pockets: int, zero_rule: str = "standard", **terms: Any) -> Match[Any]:
    """Return the match after a batch that is decided by these pockets."""
    match = KIT.do(start(zero_rule, **terms), batch(bets), rng=ScriptedRng(pockets[:1]))
    for pocket in pockets[1:]:
        match = KIT.do(match, SPIN, rng=ScriptedRng([pocket]))
    return match


def imprisoned(pocket: int, expected: Any) -> Results:
    moves = [(batch({"red": 100}), ScriptedRng([0])), (SPIN, ScriptedRng([pocket]))]
    return Results(moves, [*updates(-100), expected], options={"zero_rule": "en_prison"})


def shows_prison(asked: Round, states: Any) -> None:
    spins = {"en_prison": {1, 2}, "en_prison_repeat": {1, 2, 3}}.get(asked.options["zero_rule"], {1})
    assert {len(state.pockets) for state in states} == spins


FACTS = TableFacts(
    kit=KIT,
    game_type=GameType.ROULETTE,
    stake_max=10_000,
    opcodes="place spin clear - batch",
    odds_rows=list(bets_of(rules.STANDARD)),
    super_rows=NUMBERS,
    options=OPTIONS,
    bad_options=[{"zero_rule": "triple_zero"}, {"zero_rule": 1}, {"wheel": "american"}],
    law_seeds=3,
    payloads={
        "0100 0100 0000000000000064": place("red", 100),
        "0100 0011 0000000000000005": place("straight:17", 5),
        "0100 0025 0000000000000001": place("straight:00", 1),
        "0100 0802 0000000000000001": place("column:3", 1),
        "0100 0e27 0000000000000001": place("split:00-2", 1),
        "0101": SPIN,
        "0102": CLEAR,
        "0104 02 0100 0000000000000064 0011 000000000000012c": batch({"red": 100, "straight:17": 300}),
    },
    not_payloads=[
        "010302",  # the zero rule is an option
        "012222003288580500",  # no packed batch
        "0100 1200 0000000000000064",  # no such kind
        "0100 0026 0000000000000064",  # no such number
        "0100 0025 0000000000000064",  # not on this wheel
    ],
    results=[
        Results(
            [
                *((action, None) for action in (place("red", 100), place("straight:17", 50), CLEAR)),
                (place("straight:17", 5), None),
                (SPIN, ScriptedRng([17])),
            ],
            [*updates(-100, -50, 150, -5), Win(180)],
        ),
        at_once({"red": 100, "black": 100}, ScriptedRng([17]), Push(200)),  # one wins what the other loses
        at_once({"red": 100, "black": 40}, ScriptedRng([17]), Win(80)),  # it may be less than was staked
        at_once({"straight:17": 1, "red": 100}, ScriptedRng([17]), Win(36)),
        at_once({"red": 100, "odd": 7}, ScriptedRng([0]), LossPreDeducted(107)),
        imprisoned(1, Push(100)),
        imprisoned(2, LossPreDeducted(100)),
    ],
    evening=Evening(
        80,
        lambda number: [batch({"red": 5} if number % 3 else {"straight:17": 5, "even": 3, "dozen:2": 1}), SPIN],
        options=[None, {"zero_rule": "en_prison_repeat"}],
    ),
    refusals=[
        *(
            Refused(partial(start, zero_rule), action, "unknown_bet")
            for number, zero_rule in enumerate(ZERO_RULES)
            for bet in set(BETS) - set(bets_of(number))
            for action in (place(bet, 3), batch({"red": 3, bet: 3}))
        ),
        *(
            Refused(lambda: spun({"red": 100}, 0, zero_rule="en_prison"), action, "wrong_phase")
            for action in (place("red", 1), CLEAR, batch({"red": 1}))
        ),
    ],
    rounds=[
        Round(bets, "", options, super_mode)
        for options, super_mode in product(OPTIONS, (False, True))
        for bets in (dict.fromkeys([*INSIDE, *OUTSIDE], 15), {"red": 7})
    ],
    shows=shows_prison,
    largest=[
        Round(dict.fromkeys(names[:10] + OUTSIDE, rules.STAKE_MAX // 5 * 5), "", {"zero_rule": ZERO_RULES[number]})
        for number in (rules.STANDARD, rules.EN_PRISON, rules.DOUBLE_ZERO_WHEEL)
        for names in [[name for name in bets_of(number) if "17" in name]]
    ],
    main_bet="straight:17",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[
        *({"straight:37": 5}, {"straight:00": 5}, {"red": 0}, {"red": rules.STAKE_MAX + 1}),
        dict.fromkeys(NUMBERS[:21], 1),
    ],
    first_moves=[(Round({"straight:17": 5}), 1)],
    find="pockets",
    three=("red", "straight:17", "black"),
    most_bets=NUMBERS[:20],
    one_more="red",
    unknown=["green", "straight:37", "split:3-4", "corner:3-4-6-7", "dozen:0", "six_line:33"],
    covered=({"straight:17": 10, "dozen:1": 10}, 360 + 30),
    usual=["black", "straight:17", "dozen:2"],
    draw=lambda: ScriptedRng([17]),
    boosted="straight:17",
    not_boosted=["red", "split:1-2", "dozen:1"],
)
