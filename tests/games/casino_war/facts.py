"""Facts of casino war for `test_house_facts`: bytes, refusals, results, endings, logs, and rounds of the kernel."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from croupier import testing
from croupier.engine import Match, act
from croupier.games.casino_war import CasinoWar, rules
from croupier.house import Continue, GameType, Loss, LossPreDeducted, Push, Win
from croupier.house.money import Cover
from croupier.testing import HouseKit
from tests.games.house_facts import CardFacts, Evening, Refused, Round, by_cards, refused, updates

KIT = HouseKit(CasinoWar(), stake=100)
start, do = KIT.start, KIT.do
PLAY, WAR, SURRENDER = act("play"), act("war"), act("surrender")
OPTIONS = [{"tie_pays": pays, "second_tie_bonus": bonus} for pays in (10, 11) for bonus in (True, False)]
CHEAP, NO_BONUS = OPTIONS[-1], {"second_tie_bonus": False}
MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}  # the ten, the queen and the jack
dealing = partial(testing.dealing, decks=6)
results = partial(by_cards, decks=6)


def tie_bet(stake: int) -> Any:
    return act("tie_bet", stake=stake)


def with_tie_bet() -> Match[Any]:
    return do(start(), tie_bet(10))


super_start = partial(start, **MARKED)


def played(cards: str = "9S 9H", tie: int = 0, **terms: Any) -> Match[Any]:
    """Return a session in which these cards were dealt; the usual ones tie."""
    match = start(**terms)
    return do(do(match, tie_bet(tie)) if tie else match, PLAY, rng=dealing(cards))


def war(cards: str, first: str = "9S 9H", tie: int = 0, **terms: Any) -> Match[Any]:
    """Return a session in which a tie led to war, with three burned cards and then these two."""
    return do(played(first, tie, **terms), WAR, rng=war_stream(cards, first))


def war_stream(cards: str, first: str = "9S 9H") -> Any:
    return dealing(f"2S 3S 4S {cards}", known=first)


def surrendered(*args: Any, **terms: Any) -> Match[Any]:
    return do(played(*args, **terms), SURRENDER)


def main(returned: int, raised: int) -> dict[str, int]:
    return {"main": returned, "raise": raised}


def shows_endings(asked: Round, states: Any) -> None:
    """About 148 rounds tie, and some 11 of the wars tie again."""
    after = {"always_war": {"war_lost", "war_won", "war_tied"}, "always_surrender": {"surrendered"}}[asked.policy]
    assert {state.outcome for state in states} == {"lost", "won"} | after


TEN, DEAL, TO_WAR, GIVE_UP = ("0103000000000000000a", ""), ("0100", "9S 9H"), "0101", ("0102", "")
LOST_WAR = (TO_WAR, "2S 3S 4S QD KD")

FACTS = CardFacts(
    kit=KIT,
    game_type=GameType.CASINO_WAR,
    stake_max=5_000,
    opcodes="play war surrender tie_bet",
    odds_rows=["main always_war", "main always_surrender", "tie"],
    super_rows=["main always_war", "main always_surrender"],
    options=OPTIONS,
    bad_options=[{"tie_pays": 12}, {"second_tie_bonus": 1}, {"decks": 8}],
    law_seeds=10,
    payloads={"0100": PLAY, "0101": WAR, "0102": SURRENDER, "0103000000000000000a": tie_bet(10)},
    not_payloads=[
        "0103",
        "0103ffffffffffffffff",
        "0104",  # published: refused, with and without a stake
        "0104000000000000000a",
        "010502",  # rules are options here
    ],
    not_moves=["0101", "0102"],
    results=[
        results(("0100", "AS KS"), expected=[Win(200)]),
        results(("0100", "KS AS"), expected=[Loss()]),
        results(TEN, ("0100", "KS AS"), expected=[*updates(-10), LossPreDeducted(110)]),
        results(TEN, *[("01030000000000000004", "")] * 2, expected=[*updates(-10, 6), Continue()]),
        results(DEAL, GIVE_UP, expected=[Continue(), Win(50)], stake=101),
        results(DEAL, GIVE_UP, expected=[Continue(), Push(1)], stake=1),
        results(DEAL, (TO_WAR, "2S 3S 4S KD QD"), expected=[Continue(), Win(300)]),
        results(DEAL, (TO_WAR, "2S 3S 4S QD QS"), expected=[Continue(), Win(400)]),
        results(DEAL, LOST_WAR, expected=[Continue(), LossPreDeducted(200)]),
        results(TEN, DEAL, LOST_WAR, expected=[*updates(-10, 110), LossPreDeducted(100)]),
        # The tie bet won what the war lost.
        results(("01030000000000000014", ""), DEAL, LOST_WAR, expected=[*updates(-20, 220), Push(0)]),
    ],
    evening=Evening(
        80,
        lambda number: [tie_bet(1), PLAY, WAR if number % 3 else SURRENDER],
        stake=10,
        endings=frozenset({"surrendered", "war_won", "war_lost"}),
    ),
    refusals=[
        Refused(start, tie_bet(10), "exposure_limit", Cover(exposure_max=200 + 109)),
        # The raise is taken before a card is drawn, and the house must cover the bonus of a second tie.
        Refused(played, WAR, "insufficient_funds", Cover(funds=99)),
        Refused(played, WAR, "exposure_limit", Cover(exposure_max=499)),
        *refused(
            {
                "wrong_phase": [
                    *((start, action) for action in (WAR, SURRENDER)),
                    *((played, action) for action in (PLAY, tie_bet(5), tie_bet(0))),
                ],
                "bad_payload": [(start, act("play", stake=5))],
                "unknown_action": [(start, act("deal"))],
                "finished": [(surrendered, WAR), (lambda: war("QD KD"), WAR)],
                "bets_open": [(start, act("leave"))],
            }
        ),
    ],
    rounds=[
        Round(bets, policy, options, super_mode)
        for policy, bets, options, super_mode in product(
            ("always_war", "always_surrender"), ({"main": 15}, {"main": 25, "tie": 7}), (None, CHEAP), (False, True)
        )
    ],
    shows=shows_endings,
    largest=[Round({"main": rules.STAKE_MAX // 5 * 5, "tie": rules.STAKE_MAX}, "always_war", {"tie_pays": 11})],
    largest_count=300,
    main_bet="main",
    kernel_stake_max=rules.STAKE_MAX,
    no_plans=[{"tie": 5}, {"main": 5, "raise": 5}, {"main": 5, "player": 5}, {"main": 5, "tie": 0}],
    first_moves=[(Round({"main": 5}), 1), (Round({"main": 5, "tie": 1}), 2)],  # the tie bet is a move before the deal
    opening=[("main", 100)],
    most_returned=200,
    just_covered=Cover(120, 100, 100, 400),
    sides={"tie_bet": "tie"},
    choices=[
        (start, "play tie_bet:1 tie_bet:10"),
        (lambda: do(start(), tie_bet(5)), "play tie_bet:1 tie_bet:10 tie_bet:0"),
        (played, "war surrender"),
    ],
    ranges={"tie_bet stake": (0, 5_000)},
    away=[(played, {"surrendered"}), (start, {"won", "lost", "surrendered"})],
    bots=[(played, {"always_war": "war", "always_surrender": "surrender"})],
    endings=[
        # The higher card wins even money and ends the session; a tie bet is lost with the deal.
        *((partial(played, cards), "won", {"main": 200}) for cards in ("AS KS", "3C 2D")),
        *((partial(played, cards), "lost", {"main": 0}) for cards in ("KS AS", "2S AH", "10D JD")),
        (partial(played, "AS KS", 10), "won", {"tie": 0, "main": 200}),
        (partial(played, "KS AS", 10), "lost", {"tie": 0, "main": 0}),
        # Surrender returns half, rounded down, but a single chip whole; a tie bet that was paid stays paid.
        *(
            (partial(surrendered, stake=stake), "surrendered", {"main": returned})
            for stake, returned in ((1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (100, 50), (101, 50))
        ),
        (partial(surrendered, tie=10), "surrendered", {"tie": 110, "main": 50}),
        # A war pushes the main bet and pays the raise; burned aces help nobody.
        (partial(war, "KD QD"), "war_won", main(100, 200)),
        (partial(war, "QD QS"), "war_tied", main(100, 300)),
        (partial(war, "QD QS", options=NO_BONUS), "war_tied", main(100, 200)),
        (partial(war, "9D 9C"), "war_tied", main(100, 300)),  # on the tied rank again
        (partial(war, "QD KD"), "war_lost", main(0, 0)),
        (lambda: do(played(), WAR, rng=dealing("AS AH AD 2C 3C", known="9S 9H")), "war_lost", main(0, 0)),
        (partial(war, "KD QD", tie=10), "war_won", {"tie": 110, **main(100, 200)}),
        # Super mode: a marked card doubles a win on the deal.
        *(
            (partial(played, cards, **MARKED), "won", {"main": returned})
            for cards, returned in (("QS 5H", 300), ("KS 5H", 200), ("KS JH", 200))
        ),
        (partial(played, "10S KH", **MARKED), "lost", {"main": 0}),
        (partial(surrendered, "QS QH", **MARKED), "surrendered", {"main": 50}),  # never boosted
        *(
            (partial(war, cards, first, **MARKED), outcome, returned)
            for first, cards, outcome, returned in (
                ("QS QH", "KD 2D", "war_won", main(400, 200)),  # tied on a marked rank
                ("QS QH", "JD JH", "war_tied", main(400, 300)),  # the bonus of a second tie is not boosted
                ("9S 9H", "10D 2D", "war_won", main(200, 200)),  # the war card alone is marked
                ("9S 9H", "KD JH", "war_won", main(100, 200)),  # the dealer's cards do not count
                ("9S 9H", "KD KH", "war_tied", main(100, 300)),
                ("QS QH", "2D KD", "war_lost", main(0, 0)),
            )
        ),
    ],
    told=[
        (start, PLAY, dealing("AS KS"), "A♠ beats K♠; main pays 100, 1 to 1; won 100"),
        (with_tie_bet, PLAY, dealing("KS AS"), "K♠ loses to A♠; tie loses; main loses; lost 110"),
        (
            *(with_tie_bet, PLAY, dealing("9S 9H")),
            "9♠ ties with 9♥; tie pays 100, 10 to 1; surrender half, or go to war?",
        ),
        (
            *(partial(played, stake=101), SURRENDER, None),
            "surrendered after 9♠ tied with 9♥; main gives 50 of 101 back; lost 51",
        ),
        (
            *(played, WAR, war_stream("KD QD")),
            "K♦ wins the war against Q♦; main pushes; raise pays 100, 1 to 1; won 100",
        ),
        (
            *(played, WAR, war_stream("QD QS")),
            "Q♦ wins the war, tied again with Q♠; main pushes; raise pays 200, 2 to 1 with the bonus; won 200",
        ),
        (played, WAR, war_stream("QD KD"), "Q♦ loses the war to K♦; main loses; raise loses; lost 200"),
        (super_start, PLAY, dealing("QS 5H"), "Q♠ beats 5♥; main pays 200, the win boosted ×2; won 200"),
        (super_start, PLAY, dealing("KS 5H"), "K♠ beats 5♥; main pays 100, 1 to 1; won 100"),
        (
            *(partial(played, "QS QH", **MARKED), WAR, war_stream("KD 2D", "QS QH")),
            "K♦ wins the war against 2♦; main pays 300, the win boosted ×4; raise pays 100, 1 to 1; won 400",
        ),
    ],
    plan_bets={"main": 10, "tie": 2},
    facts_of=lambda state: [
        *(state.player[0], state.dealer[0]),
        *([state.player[1], state.dealer[1]] if state.outcome.startswith("war") else [-1, -1]),
    ],
    outcomes="lost won tied surrendered war_lost war_won war_tied",
    marked=[9, 11, 10],
)
