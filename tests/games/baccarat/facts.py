"""Baccarat for the tests over all house games: bytes, refusals, results, sessions, and rounds of the kernel."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from croupier import testing
from croupier.engine import Match, act
from croupier.games.baccarat import Baccarat, rules
from croupier.games.baccarat.bets import BETS
from croupier.house import GameType, LossPreDeducted, Push, Win
from croupier.house.money import Cover
from croupier.testing import HouseKit, batch, place
from tests.games.house_facts import Evening, Refused, Results, Round, TableFacts, at_once, updates

KIT = HouseKit(Baccarat(), keeps_scratch=True)
DEAL, CLEAR = act("deal"), act("clear")
CHEAP = {"tie_pays": 8, "pair_pays": 11}
dealing = partial(testing.dealing, decks=8)
super_start = partial(KIT.start, super_mode=True)


def dealt(cards: str, bets: dict[str, int], **terms: Any) -> Match[Any]:
    """Return the match after a batch that these cards decide."""
    return KIT.do(KIT.start(**terms), batch(bets), rng=dealing(cards))


FACTS = TableFacts(
    kit=KIT,
    game_type=GameType.BACCARAT,
    stake_max=10_000,
    opcodes="place deal clear batch",
    odds_rows=list(BETS),
    super_rows=["player", "banker", "tie"],
    options=[{"tie_pays": tie, "pair_pays": pair} for tie in (9, 8) for pair in (12, 11)],
    bad_options=[{"tie_pays": 10}, {"pair_pays": 13}, {"decks": 6}, {"tie_pays": "9"}],
    law_seeds=4,
    payloads={
        "0100000000000000000064": place("player", 100),
        "0100090000000000000001": place("perfect_pair", 1),
        "0101": DEAL,
        "0102": CLEAR,
        "010302000000000000000064020000000000000005": batch({"player": 100, "tie": 5}),
    },
    not_payloads=[
        "0104",  # no such opcode
        "01000a0000000000000064",  # a published second code for Perfect pair is not taken
        "0103020000000000000000640000000000000000640000",
    ],
    results=[
        Results(
            [
                *((payload, None) for payload in ("0100000000000000000064", "0100010000000000000032", "0102")),
                ("0100020000000000000005", None),
                ("0101", dealing("9S KS 9H QH")),
            ],
            [*updates(-100, -50, 150, -5), Win(50)],
        ),
        at_once({"player": 100, "banker": 40}, dealing("9S KS 9H QH"), Push(140)),
        at_once({"player": 100, "tie": 1}, dealing("9S KS 9H QH"), Win(110)),
        at_once({"player": 10, "tie": 90}, dealing("8S KS KC 7D"), Win(20)),  # it may be less than was staked
        at_once({"player": 100, "banker": 100}, dealing("8S KS KC 7D"), Push(200)),  # one wins what the other loses
        at_once({"banker": 100, "tie": 7}, dealing("8S KS KC 7D"), LossPreDeducted(107)),
    ],
    evening=Evening(
        60, lambda number: [batch({"player": 5} if number % 3 else {"banker": 5, "tie": 5, "lucky_six": 1})]
    ),
    refusals=[
        *(Refused(super_start, place(bet, 12), "super_stake") for bet in ("player", "banker", "tie")),
        # The fee has to be covered too, and the house must cover the largest boost.
        Refused(super_start, place("player", 100), "insufficient_funds", Cover(funds=119)),
        Refused(super_start, place("tie", 5), "exposure_limit", Cover(exposure_max=5 * (1 + 6 * 512) - 1)),
    ],
    rounds=[
        Round(bets, "", options, super_mode)
        for (bets, options), super_mode in product(
            [
                (dict.fromkeys(BETS, 15), None),
                (dict.fromkeys(BETS, 15), CHEAP),
                ({"banker": 5}, None),
                ({"tie": 10, "player": 25, "perfect_pair": 1}, {"tie_pays": 8}),
            ],
            (False, True),
        )
    ],
    largest=[Round(dict.fromkeys(BETS, rules.STAKE_MAX // 5 * 5))],
    largest_count=100,
    main_bet="player",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[{"draw": 5}],
    first_moves=[(Round({"player": 5}), 1)],
    find="player banker",
    three=("player", "tie", "banker"),
    most_bets=list(BETS),
    unknown=["draw", "straight:17", "nobody"],
    covered=({"tie": 10, "player_pair": 10}, 100 + 130),
    usual=list(BETS),
    draw=lambda: dealing("QH QH 6D KC 3S"),
    boosted="tie",
    not_boosted=["panda_eight", "perfect_pair"],
)
