"""Ultimate texas hold'em at the table: cards and phases, raises, side bets, the coach and the table."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest

from croupier import house
from croupier.engine import Match, act, legal_actions, view_for
from croupier.errors import BadOptions
from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.odds import flop_values, hole_values, river_values
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.house.money import Cover
from croupier.testing import cards_of, dealing, laid, returned
from tests.games.ultimate_texas_holdem.facts import (
    BOARD,
    CHECK,
    DEAL,
    FOLD,
    HOLE,
    KIT,
    MARKED,
    NO_4X,
    OPTIONS,
    PLAY,
    REVEAL,
    SIDE,
    at_river,
    bet_at_river,
    deal_with,
    dealt,
    on_flop,
    raised,
    showdown,
)

GAME: Any = KIT.game
start, do, refusal = KIT.start, KIT.do, KIT.refusal


# Side bets.


def test_chips_on_the_old_side_bets_pay_for_the_new_ones():
    match = do(start(), act("trips", stake=10), act("six_card", stake=5))

    again = deal_with(3, 12, 1)
    assert refusal(match, again, Cover(funds=0)) == "insufficient_funds"
    assert laid(do(match, again, cover=Cover(funds=1)))[2:] == [("trips", 3), ("six_card", 12), ("progressive", 1)]


def test_a_deal_with_nothing_takes_all_side_bets_back():
    match = do(start(), act("trips", stake=10), deal_with())

    assert laid(match) == [("ante", 100), ("blind", 100)]
    assert match.turn.phase == "preflop"


# Cards and phases.


def test_a_round_that_is_checked_through_goes_from_phase_to_phase():
    match = start()
    for action, phase, size in ((DEAL, "preflop", 2), (CHECK, "flop", 5), (CHECK, "river", 7)):
        match = do(match, action)
        assert (match.turn.phase, len(match.game.cards)) == (phase, size)
    match = do(match, PLAY[1])
    assert (match.turn.phase, match.game.play, laid(match)[-1]) == ("reveal", 1, ("play", 100))
    match = do(match, REVEAL)
    assert (match.status, len(match.game.cards), match.game.extra) == ("finished", 9, ())


# Play.


@pytest.mark.parametrize(("match", "multiple"), [(dealt, 4), (dealt, 3), (on_flop, 2), (at_river, 1)])
def test_a_raise_that_is_just_covered_is_taken_and_a_check_needs_no_chips(match, multiple):
    cover = Cover(funds=100 * multiple, exposure_max=50_300 + 200 * multiple)

    assert laid(do(match(), PLAY[multiple], cover=cover))[-1] == ("play", 100 * multiple)
    last = FOLD if match is at_river else CHECK
    assert do(match(), last, cover=Cover(funds=0)).game.money.staked == 200


def test_a_raise_may_exceed_the_limit_that_the_ante_kept():
    """Through the house, at the usual table: the Ante is the largest it takes, Play four times that."""
    state, tables = house.MemoryState(), {9: house.make_table(9, GAME)}
    limit = tables[9].stake_max
    house.execute(state, house.Instruction("ann", house.Register()), KIT.seed, 1, tables=tables)
    state.put("balance/player/ann", 1_000 + 10 * limit)
    state.put("balance/deposits", -1_000 - 10 * limit)
    bodies: list[Any] = [house.StartGame(9, limit + 1, 1), house.StartGame(9, limit, 1)]
    bodies += [
        house.GameMove(1, house.encode_payload(GAME, action))
        for action in (act("trips", stake=limit + 1), DEAL, PLAY[4])
    ]
    said = []
    for nonce, body in enumerate(bodies, 1):
        event = house.execute(state, house.Instruction("ann", body), KIT.seed, nonce, tables=tables)[0]
        said.append(getattr(event, "reason", type(event).__name__))

    assert said == ["over_limit", "GameStarted", "over_limit", "GameMoved", "GameMoved"]
    assert laid(state.values["session/1"].match)[-1] == ("play", 4 * limit)


# Side bets and what is marked.


def test_side_bets_are_decided_by_their_own_cards_whether_won_lost_or_folded():
    """Trips by the seven cards, six-card by the hole cards and four more, progressive by hole cards and flop."""
    won = showdown("7S 7D", "7H 9C KC 4D 2S", "KH QC", "AH AC AD 3D", SIDE)
    lost = showdown("7S 7D", "QH 9C KC 7H 2S", "KH KD", "7C AC 5D 3D", SIDE)
    river = do(dealt(SIDE, "7S 7D"), CHECK, rng=dealing("7H 9C KC", "7S 7D"))
    river = do(river, CHECK, rng=dealing("4D 2S", "7S 7D 7H 9C KC"))
    folded = do(river, FOLD, rng=dealing("KH QC AH AC AD 3D", "7S 7D 7H 9C KC 4D 2S"))

    for match, expected in ((won, [40, 210, 15]), (lost, [40, 80, 0]), (folded, [40, 210, 15])):
        assert [returned(match)[bet] for bet in SIDE] == expected
    assert folded.game.extra == won.game.extra == tuple(cards_of("AH AC AD 3D"))


def test_four_cards_are_drawn_for_the_six_card_bet_alone():
    assert do(at_river(SIDE), FOLD).game.extra != ()
    assert do(at_river({**SIDE, "six_card": 0}), FOLD).game.extra == ()


def test_a_fold_shows_the_dealer_and_only_the_ante_pays_the_fee():
    match = do(at_river(SIDE, **MARKED), FOLD, rng=dealing("AS AH 2C 3C 4C 5C", f"{HOLE} {BOARD}"))

    assert match.game.dealer == tuple(cards_of("AS AH"))
    assert (match.game.money.fees, match.game.money.staked) == (20, 221)
    assert [lit.id for lit in match.game.lit] == [9, 11]
    for before in (on_flop(**MARKED), at_river(**MARKED), raised(**MARKED)):
        assert before.game.lit == ()


def test_a_raise_that_is_switched_off_is_an_invalid_move():
    session, result = house.process_game_move(KIT.opened(options=NO_4X), bytes.fromhex("0105"))
    with pytest.raises(house.GameError) as no:
        house.process_game_move(house.settle(session, result), bytes.fromhex("0101"))
    assert no.value.kind is house.ErrorKind.INVALID_MOVE


def test_tables_that_give_the_player_an_edge_need_the_operators_word():
    for options in OPTIONS:
        gives_away = options["dealer_qualifies"] == "always" and (options["play_3x"] or options["play_4x"])
        if gives_away:
            with pytest.raises(BadOptions, match="edge of -"):
                house.make_table(9, GAME, options)
        assert house.make_table(9, GAME, options, allow_overpay=gives_away).options == GAME.read_options(options)


# The coach.


def advice(match: Match[Any]) -> dict[str, Any]:
    view = view_for(GAME, match, match.turn.current)
    found = GAME.advise(view, legal_actions(GAME, match))
    values = [item.value for item in found]
    assert values == sorted(values, reverse=True)
    return {item.action.type: item.value for item in found}


def test_the_coach_values_every_choice_at_every_stage_best_first():
    options = HoldemOptions()
    cards = cards_of(f"{HOLE} {BOARD}")
    before, flop, river = hole_values(cards[:2], options), flop_values(cards[:5], options), river_values(cards, options)

    assert advice(dealt()) == {"play_4x": before[4], "play_3x": before[3], "check": before[0]}
    assert advice(on_flop()) == {"play_2x": flop[2], "check": flop[0]}
    assert advice(at_river()) == {"play_1x": river[1], "fold": Fraction(-2)}


def test_the_coach_knows_what_a_bet_that_was_made_is_worth():
    options = HoldemOptions()
    cards = cards_of(f"{HOLE} {BOARD}")

    assert advice(do(dealt(), PLAY[3])) == {"reveal": hole_values(cards[:2], options)[3]}
    assert advice(do(on_flop(), PLAY[2])) == {"reveal": advice(on_flop())["play_2x"]}
    assert advice(do(at_river(), PLAY[1])) == {"reveal": river_values(cards, options)[1]}


def test_before_the_deal_the_coach_counts_what_the_bets_cost():
    edges = {(row.bet, row.policy): row.edge for row in GAME.odds()}
    match = do(start(), act("trips", stake=50))
    found = GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match))
    values = {(item.action.type, item.action.payload.get("stake")): item.value for item in found}

    main, trips = edges["ante", "best"], edges["trips", "-"]
    assert values["deal", None] == -main - trips / 2
    assert values["trips", 0] == -main
    assert values["trips", 10] == -main - trips / 10
    assert values["progressive", 1] == -main - trips / 2 - edges["progressive", "-"] / 100
    sides = trips / 10 + edges["six_card", "-"] / 10 + edges["progressive", "-"] / 100
    assert values["deal_with", None] == -main - sides


def test_the_coach_answers_on_the_flop_within_two_seconds():
    """Of the processor's time, by plain Python. A flop of one suit, with two others in the hole, takes the longest."""
    match = GAME.situation("AD 2C:2S 6S 10S")
    begun = time.process_time()

    advice(match)

    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "phase", "hole", "board"),
    [
        ("KS 7D", "preflop", "KS 7D", ""),
        ("ks,7d : qh 7c 2s", "flop", "KS 7D", "QH 7C 2S"),
        ("K♠ 7♦:Q♥ 7♣ 2♠ J♦ 5♥", "river", "KS 7D", "QH 7C 2S JD 5H"),
    ],
)
def test_situations_are_read(text, phase, hole, board):
    match = GAME.situation(text)

    assert (match.turn.phase, match.game.hole, match.game.board) == (phase, *map(tuple, map(cards_of, (hole, board))))


@pytest.mark.parametrize(
    "text", ["", "KS", "KS 7D 2C", "KS KS", "KS 7D:QH", "KS 7D:QH 7C 7D", "KS 7D:QH 7C 2S JD", "?"]
)
def test_impossible_situations_are_refused(text):
    with pytest.raises(BadOptions, match="not a situation"):
        GAME.situation(text)


def test_an_aim_that_the_coach_does_not_know_is_refused():
    with pytest.raises(BadOptions):
        GAME.advise(view_for(GAME, dealt(), "ann"), (CHECK,), "glory")


# Text.


def test_the_log_names_the_bonus_of_a_flush():
    line = KIT.told(raised("AS 3S"), REVEAL, dealing("KS JS 10S 4D 2D KH KC", "AS 3S"))

    assert "blind pays 150, 3 to 2 for a flush" in line


def test_the_table_shows_the_cards_and_the_choice():
    assert KIT.rendered(start())[:4] == [
        "  You     [dim]  ??[/dim][dim]  ??[/dim]",
        "  Board   " + "[dim]  ??[/dim]" * 5,
        "  Dealer  [dim]  ??[/dim][dim]  ??[/dim]",
        "  [dim]Lay side bets (trips, six_card, progressive) if you like, then deal.[/dim]",
    ]
    assert KIT.rendered(on_flop())[:4] == [
        "  You     [bold]  K♠[/][red]  7♦[/]              a pair of sevens",
        "  Board   [red]  Q♥[/][bold]  7♣[/][bold]  2♠[/][dim]  ??[/dim][dim]  ??[/dim]",
        "  Dealer  [dim]  ??[/dim][dim]  ??[/dim]",
        "  [bold yellow]Play for 200 more, or check.[/bold yellow]",
    ]
    shown = KIT.rendered(do(bet_at_river(SIDE), REVEAL, rng=dealing("AS 3C KD KC KH 3H", f"{HOLE} {BOARD}")))
    assert shown[2] == "  Dealer  [bold]  A♠[/][bold]  3♣[/]              ace high[dim], does not qualify[/dim]"
    assert shown[3].endswith("four kings with your two")
    assert not any("Play for" in line for line in shown)


def test_the_largest_returns_are_covered():
    """The best hand brings what the house is told that a bet can bring."""
    match = showdown("AS KS", "QS JS 10S KD 2C", "KH KC", "QH JH 10H 9H", SIDE)

    most = [rules.return_max(kind, stake, False) for kind, stake in enumerate((100, 100, 400, 10))]
    assert most == list(returned(match).values())[:4]
