"""Facts of baccarat for `test_house_facts`: bytes, refusals, results, sessions, and rounds of the kernel."""

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


def told(cards: str, bets: dict[str, int], line: str) -> Any:
    return bets, partial(dealing, cards), line


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
    logs=[
        told(
            *("2S 3H 10D 6C KC", {"banker": 100, "lucky_six": 10, "player": 5}),
            "Player 2♠ 3♥ K♣ is 5, Banker 10♦ 6♣ is 6: Banker wins; banker pays 50 (6 beats 5, half); "
            "lucky_six pays 120 (a six of two cards, 12 to 1); lost player; won 165",
        ),
        told(
            *("4H 4H 4H 4H", {"player": 10, "player_dragon": 10, "perfect_pair": 10}),
            "Player 4♥ 4♥ is 8, Banker 4♥ 4♥ is 8: a tie; player pushes (a tie); player_dragon pushes (equal "
            "naturals); perfect_pair pays 2,500 (two identical pairs, 250 to 1); won 2500",
        ),
        told(
            *("KS QH 5D KC KD", {"banker_dragon": 10, "banker": 10}),
            "Player K♠ Q♥ K♦ is 0, Banker 5♦ K♣ is 5: Banker wins; banker_dragon pays 20 (won by 5, 2 to 1); "
            "banker pays 10 (5 beats 0, 1 to 1); won 30",
        ),
        told(
            *("QH QH 6D KC 3S", {"player_pair": 10, "perfect_pair": 10}),
            "Player Q♥ Q♥ 3♠ is 3, Banker 6♦ K♣ is 6: Banker wins; player_pair pays 120 (a pair, 12 to 1); "
            "perfect_pair pays 250 (an identical pair, 25 to 1); won 370",
        ),
        told(
            *("AS 2H KD 7C 5S", {"panda_eight": 10, "player": 10}),
            "Player A♠ 2♥ 5♠ is 8, Banker K♦ 7♣ is 7: Player wins; panda_eight pays 250 (an eight of three cards, "
            "25 to 1); player pays 10 (8 beats 7, 1 to 1); won 260",
        ),
        told(
            *("8S KS KC 7D", {"player_dragon": 10}),
            "Player 8♠ K♠ is 8, Banker K♣ 7♦ is 7: Player wins; player_dragon pays 10 (a natural, 1 to 1); won 10",
        ),
    ],
)
