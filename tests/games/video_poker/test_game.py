"""Video poker at the table: the deal, every hold and refusal, what hands bring back, super mode, payloads, chips."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine import Match, act, apply_action, legal_actions, view_for
from croupier.engine.chance import ScriptedRng
from croupier.engine.legal import legal_ranges
from croupier.engine.notation import parse_action
from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES, POLICIES
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.render import hand_words
from croupier.games.video_poker.rules import hands, rounds
from croupier.house import ErrorKind, GameError, Loss, Push, Win, encode_payload, make_table
from croupier.kit.cards import card_name
from croupier.rng import GameRng
from croupier.testing import cards_of, dealing, lines
from tests.games.video_poker.facts import GAME, KIT, hold


def start(names: str = "", stake: int = 100, **terms: Any) -> Match[Any]:
    """Return a session in which these cards were dealt, or whatever its seed deals."""
    return KIT.start(stake, rng=dealing(names) if names else None, **terms)


def do(match: Match[Any], action: Any, draws: str | None = None) -> Match[Any]:
    return KIT.do(match, action, rng=None if draws is None else drawing(match, draws))


def drawing(match: Match[Any], names: str) -> ScriptedRng:
    return dealing(names, " ".join(map(card_name, match.game.dealt)))


# Opening.


def test_the_stake_is_taken_and_five_cards_are_dealt_when_the_session_opens():
    match = start("AS KH 10D 2C 7S")

    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("stake", 100)]
    assert list(match.game.dealt) == list(match.game.cards) == cards_of("AS KH 10D 2C 7S")
    assert (match.game.held, match.game.hand, match.turn.phase) == ((), None, "draw")


# Holding.


@pytest.mark.parametrize("mask", range(32))
def test_every_hold_keeps_its_cards_and_replaces_the_others_in_place(mask):
    match = start("AS KH 10D 2C 7S")
    held = [number for number in range(1, 6) if mask >> (number - 1) & 1]
    drawn = iter(cards_of("3S 4H 5D 9C JC"))
    stream = drawing(match, " ".join(["3S", "4H", "5D", "9C", "JC"][: 5 - len(held)]))

    after = KIT.do(match, hold(*held), rng=stream)

    dealt = cards_of("AS KH 10D 2C 7S")
    assert list(after.game.cards) == [card if n in held else next(drawn) for n, card in enumerate(dealt, 1)]
    assert after.game.held == tuple(held)
    assert list(after.game.dealt) == dealt
    assert after.status == "finished"
    assert stream.bounds == list(range(47, 42 + len(held), -1))  # of 47 cards, and none where all are kept


@pytest.mark.parametrize("line", ["hold 1,3", "hold 1 3", "hold cards=1,3"])
def test_a_hold_is_typed_as_numbers(line):
    assert parse_action(GAME, line) == hold(1, 3)
    assert parse_action(GAME, "hold []") == hold()


# What hands bring back.

NATURAL = [
    ("AS KS QS JS 10S", "royal_flush", (800, 800, 800, 800)),
    ("9S KS QS JS 10S", "straight_flush", (50, 50, 50, 50)),
    ("AS 2S 3S 4S 5S", "straight_flush", (50, 50, 50, 50)),
    ("AS AH AD AC 5S", "four_aces", (25, 25, 80, 160)),
    ("2S 2H 2D 2C AS", "four_twos_to_fours", (25, 25, 40, 80)),
    ("4S 4H 4D 4C AS", "four_twos_to_fours", (25, 25, 40, 80)),
    ("5S 5H 5D 5C AS", "four_of_a_kind", (25, 25, 25, 50)),
    ("KS KH KD KC AS", "four_of_a_kind", (25, 25, 25, 50)),
    ("5S 5H 5D AC AS", "full_house", (9, 8, 8, 9)),
    ("AS 2S 3S 4S 9S", "flush", (6, 5, 5, 7)),
    ("AS KH QS JS 10S", "straight", (4, 4, 4, 5)),
    ("AS 2H 3S 4S 5S", "straight", (4, 4, 4, 5)),
    ("5S 5H 5D KC AS", "three_of_a_kind", (3, 3, 3, 3)),
    ("5S 5H 4D 4C AS", "two_pair", (2, 2, 2, 1)),
    ("JS JH 4D 5C AS", "high_pair", (1, 1, 1, 1)),
    ("AS AH 4D 5C 10S", "high_pair", (1, 1, 1, 1)),
    ("10S 10H 4D 5C AS", "nothing", (0, 0, 0, 0)),
    ("QS KH AD 2C 3S", "nothing", (0, 0, 0, 0)),
]
MARKED_WORDS = {
    ("jacks_9_6", "AS AH AD AC 5S"): "[bold green]four of a kind         25[/bold green]",
    ("bonus_8_5", "AS AH AD AC 5S"): "[bold green]four aces              80[/bold green]",
    ("bonus_8_5", "5S 5H 5D 5C AS"): "[bold green]four fives to kings    25[/bold green]",
    ("deuces_wild", "AS KS QS JS 10S"): "[bold green]natural royal flush   800[/bold green]",
}
WILD = [
    ("AS KS QS JS 10S", "royal_flush", 800),
    ("2S 2H 2D 2C AS", "four_deuces", 200),
    ("AS 2H QS JS 10S", "wild_royal_flush", 25),
    ("2S 2H 2D 10C QC", "wild_royal_flush", 25),
    ("2S 2H 2D AC AS", "five_of_a_kind", 16),
    ("2S AH AD AC AS", "five_of_a_kind", 16),
    ("2S 3H 5H 4H AH", "straight_flush", 10),
    ("2S 2H 5C 6C 9C", "straight_flush", 10),
    ("2S 2H 2C 6C 9S", "four_of_a_kind", 4),
    ("AS AH AD AC 5S", "four_of_a_kind", 4),
    ("2S 5H 5C 6C 6S", "full_house", 4),
    ("2S 5H 9H KH 6H", "flush", 3),
    ("2S 5H 9H 7D 6H", "straight", 2),
    ("2S AH 4H 5D 3H", "straight", 2),
    ("2S 2H KH 5D 9C", "three_of_a_kind", 1),
    ("5S 5H 5D KC AS", "three_of_a_kind", 1),
    ("2S KH KD 5D 9C", "three_of_a_kind", 1),
    ("5S 5H KD KC AS", "nothing", 0),
    ("2S KH QD 5D 9C", "nothing", 0),
]


PAID = [
    *(
        (names, table, hand, price)
        for names, hand, row in NATURAL
        for table, price in zip(PAY_TABLES, row, strict=False)
    ),
    *((names, "deuces_wild", hand, price) for names, hand, price in WILD),
]


@pytest.mark.parametrize(("names", "table", "hand", "price"), PAID)
def test_a_hand_brings_back_what_its_table_pays_and_that_price_is_marked(names, table, hand, price):
    match = do(start(names, options={"pay_table": table}), hold(1, 2, 3, 4, 5))

    assert match.game.hand == hand
    assert lines(match) == [("stake", 100, 100 * price)]
    marked = [row for row in KIT.rendered(match)[6:] if "[bold green]" in row]
    assert sum(row.count("[bold green]") for row in marked) == (price > 0)
    assert not price or f"{price}[/bold green]" in marked[0]
    assert MARKED_WORDS.get((table, names), "") in "".join(marked)


def test_the_lists_above_show_every_hand_of_every_table():
    shown = {hand for _, hand, _ in NATURAL} | {hand for _, hand, _ in WILD}

    assert len(shown) == hands.HANDS


# Super mode. Of 32 zero bytes, session 1 marks cards 22, 50, 36 and 47: 10♥ Q♣ J♦ 9♣ (V13).

MARKED: dict[str, Any] = {"super_mode": True, "seed": bytes(32), "session_id": 1}
KEEP_ALL = hold(1, 2, 3, 4, 5)


WON = "kept everything: three of a kind returns"


@pytest.mark.parametrize(
    ("names", "stake", "returned"),
    [
        ("5S 5H 5D KC AS", 500, 1_500),  # none marked
        ("5S 5H 5D KC QC", 500, 1_508),  # one: 1,000 × 1.008
        ("QC QH 10H 10S AS", 500, 1_020),  # two: 500 × 1.04
        ("10H JD 9C 8S 7S", 500, 500 + 4_440),  # three: 1,500 × 2.96
        ("10H QC JD 9C 8S", 500, 500 + 31_440),  # all four: 1,500 × 20.96
        ("AC KC QC JC 10C", 500, 500 + 8_373_520),  # a royal flush with one: 399,500 × 20.96
        ("AS KS QS JS 10S", 500, 400_000),  # with none
        ("JD JS 10H 9C 3S", 500, 500),  # a push is not boosted, however many are marked
        ("10H QC 9C 3S 4S", 500, 0),
        ("5S 5H 5D KC QC", 35, 105),  # 70 × 0.008 is less than a chip
        ("10H JD 9C 8S 7S", 35, 35 + 310),  # 105 × 2.96 = 310.8
        ("deuces_wild AC KC QC JC 2S", 500, 500 + 12_096),  # a wild royal flush is boosted like any other hand
        ("deuces_wild AC KC QC JC 10C", 500, 500 + 8_373_520),
    ],
)
def test_marked_cards_in_the_final_hand_boost_its_profit(names, stake, returned):
    is_wild = names.startswith("deuces_wild ")
    options = {"pay_table": "deuces_wild"} if is_wild else None
    match = do(start(names.removeprefix("deuces_wild "), stake, options=options, **MARKED), KEEP_ALL)

    assert lines(match) == [("stake", stake, returned)]
    assert match.game.money.fees == stake // 5


@pytest.mark.parametrize(
    ("match", "action", "draws", "line", "told"),
    [
        # The final hand counts, and not the one that was dealt; a marked card that was thrown away does not.
        (start("AS AH AD AC 5S"), hold(5), "2C 3C 8D 9D", 0, "kept 5♠, drew 2♣ 3♣ 8♦ 9♦: nothing; lost 100"),
        (
            *(start("QC 5S 5H 5D KC", 500, **MARKED), hold(2, 3, 4, 5), "AS", 1_500),
            "kept 5♠ 5♥ 5♦ K♣, drew A♠: three of a kind returns 1,500, 3 for each chip; won 1000",
        ),
        (
            *(start("KS KH 4D 5C 9S"), hold(1, 2), "KD 2C 3C", 300),
            "kept K♠ K♥, drew K♦ 2♣ 3♣: three of a kind returns 300, 3 for each chip; won 200",
        ),
        (
            *(start("KS KH 4D 5C 9S"), hold(1, 2), "AD 2C 3C", 100),
            "kept K♠ K♥, drew A♦ 2♣ 3♣: jacks or better returns the stake; push",
        ),
        (
            *(start("KS KH 4D 5C 9S"), hold(), "AD 2C 3C 7H 8H", 0),
            "kept nothing, drew A♦ 2♣ 3♣ 7♥ 8♥: nothing; lost 100",
        ),
        (
            *(start("AS KS QS JS 10S"), KEEP_ALL, "", 80_000),
            "kept everything: royal flush returns 80,000, 800 for each chip; won 79900",
        ),
        # The log of a super session names the boost.
        (
            *(start("5S 5H 5D KC QC", 500, **MARKED), KEEP_ALL, "", 1_508),
            f"{WON} 1,508, 3 for each chip, the profit boosted ×1.008; won 1008",
        ),
        (*(start("5S 5H 5D KC AS", 500, **MARKED), KEEP_ALL, "", 1_500), f"{WON} 1,500, 3 for each chip; won 1000"),
    ],
)
def test_the_log_says_what_was_kept_what_came_and_what_it_pays(match, action, draws, line, told):
    assert [returned for *_, returned in lines(do(match, action, draws))] == [line]
    assert KIT.told(match, action, drawing(match, draws)) == told


# Sessions, bytes and chips.


@pytest.mark.parametrize("cards", [[1, 1], [2, 1], [0], [6], [1, 2, 3, 4, 5, 5]])
def test_an_invalid_hold_cannot_be_encoded(cards):
    """Two ones are not a two: a hold that is named wrongly must not become another one."""
    with pytest.raises(GameError) as no:
        encode_payload(GAME, act("hold", cards=cards))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


@pytest.mark.parametrize(
    ("names", "expected"), [("5S 5H 5D KC AS", Win(300)), ("JS JH 4D 5C AS", Push(100)), ("10S 10H 4D 5C AS", Loss())]
)
def test_results_tell_a_win_a_push_and_a_loss(names, expected):
    assert KIT.results([(bytes.fromhex("01001f"), None)], 100, rng=dealing(names)) == [expected]


# Around the table.


def test_the_usual_table_is_jacks_or_better():
    assert dict(GAME.usual_bets()) == {"stake": 125}
    assert VideoPokerOptions().pay_table == "jacks_9_6"


def test_the_choices_are_the_32_holds():
    legal = legal_actions(GAME, start())

    assert [encode_payload(GAME, action)[2] for action in legal] == list(range(32))
    assert legal_ranges(GAME, start()) == {}
    assert legal_actions(GAME, do(start(), hold())) == ()


def test_a_player_who_is_away_keeps_the_best_cards_by_the_pay_table():
    for names, held in (("JS JH 7D 2C 9C", (1, 2)), ("AS KS QS JS 2S", (1, 2, 3, 4))):
        assert do(start(names), act("time_out")).game.held == held
    wild = start("JS JH 7D 2C 9C", options={"pay_table": "deuces_wild"})
    assert do(wild, act("time_out")).game.held == (1, 2, 4)


@pytest.mark.parametrize("name", PAY_TABLES)
def test_policies_are_bots(name):
    match = start("AS KS QS JH JD", options={"pay_table": name})
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)

    chosen = {policy: bot(view, legal, GameRng.new(b"", 0, 0)) for policy, bot in GAME.bots.items()}

    assert tuple(chosen) == POLICIES
    assert all(apply_action(GAME, match, action).ok for action in chosen.values())
    assert chosen["hold_all"] == KEEP_ALL
    assert chosen["royal_hunter"] == hold(1, 2, 3)


def test_the_table_shows_the_cards_with_their_numbers_and_the_prices():
    rows = KIT.rendered(start("10S KH 4D 5C 9S"))

    assert rows[0] == "  ╭─────╮  ╭─────╮  ╭─────╮  ╭─────╮  ╭─────╮"
    assert rows[1].startswith("  │[bold]10 [/]  │  │[bold red]K  [/]  │")
    assert rows[5].count("[bold cyan]") == 5
    assert "  [dim]royal flush           800[/dim]     [dim]straight                4[/dim]" in rows
    assert rows[-1] == "  stake                     100  [dim]open[/dim]"


def test_the_table_shows_what_was_held_and_the_hand_that_was_made():
    rows = KIT.rendered(do(start("KS KH 4D 5C 9S"), hold(1, 2), "KD 2C 3C"))

    assert rows[5].count("held") == 2
    assert rows[5].count("drawn") == 3
    assert rows[6] == "  [dim]dealt: K♠ K♥ 4♦ 5♣ 9♠[/dim]"
    assert sum("[bold green]three of a kind         3[/bold green]" in row for row in rows) == 1


def test_hands_of_one_name_pay_the_same_at_every_table():
    for name in PAY_TABLES:
        options = VideoPokerOptions(name)
        prices = [
            (hand_words(hand, options), pays) for hand, pays in zip(HAND_NAMES, options.pays, strict=True) if pays
        ]
        assert len({words for words, _ in prices}) == len(set(prices))


def test_the_largest_stake_of_the_table_can_be_covered():
    """The usual exposure of a table holds a boosted royal flush at the largest stake."""
    table = make_table(4, GAME)

    assert rounds.super_return(table.stake_max, 800 * table.stake_max, 5000) < table.exposure_max
