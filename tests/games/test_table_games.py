"""Betting at the games in which several bets are laid and one draw decides them all, by the facts of each game."""

from __future__ import annotations

from typing import Any

from croupier.engine import act, legal_actions
from croupier.engine.legal import legal_ranges
from croupier.house import ErrorKind, generate_super_multipliers, process_game_move
from croupier.house.money import Cover
from croupier.rounds import LIT_COUNT, LIT_IDS, LIT_MULTIPLIERS
from croupier.testing import batch, laid, lines, place, returned
from tests.games.house_facts import TableFacts, kind_of_error, per_case, per_game

per_table = per_game(TableFacts)


@per_table
def test_a_session_starts_with_nothing_drawn_and_no_chips(facts):
    match = facts.kit.start()

    assert (match.turn.phase, [getattr(match.game, name) for name in facts.find.split()]) == (
        "betting",
        [() for _ in facts.find.split()],
    )
    assert (match.game.money.staked, match.game.money.open) == (0, ())


@per_table
def test_chips_on_the_same_bet_add_up_and_clearing_the_table_gives_them_back(facts):
    one, other, third = facts.three
    do, match = facts.kit.do, facts.kit.start()
    match = do(match, place(one, 100), place(other, 5), place(one, 20))

    assert laid(match) == [(one, 120), (other, 5)]
    assert match.game.money.staked == 125

    match = do(match, act("clear"))

    assert laid(match) == []
    assert (match.game.money.staked, match.game.money.returned, match.game.money.lines) == (0, 0, ())
    assert facts.kit.refusal(match, act(facts.game.decide)) == "no_bets"
    assert do(match, place(third, 7)).game.money.staked == 7


@per_table
def test_as_many_bets_can_be_down_as_the_game_says_and_no_more(facts):
    do, most = facts.kit.do, list(facts.most_bets)
    match = do(facts.kit.start(), *(place(bet, 3) for bet in most))

    assert len(laid(match)) == len(most) == facts.game.bets_max
    if facts.one_more:
        assert facts.kit.refusal(match, place(facts.one_more, 3)) == "too_many_bets"
    assert len(laid(do(match, place(most[0], 3)))) == len(most)  # more chips on one of them
    assert do(match, act(facts.game.decide)).status == "finished"
    assert len(lines(do(facts.kit.start(), batch(dict.fromkeys(most, 1))))) == len(most)


def refusals(facts: TableFacts) -> list[tuple[Any, str]]:
    """Return what no table takes before anything is laid, with the code of each refusal."""
    one, other, third = facts.three
    twice = {"bet": other, "stake": 1}
    return [
        (act(facts.game.decide), "no_bets"),
        (act("clear"), "no_bets"),
        (act("shuffle"), "unknown_action"),
        (act("place", bet=one), "bad_payload"),
        *((place(one, stake), "bad_payload") for stake in (0, -5, 2**63, True)),
        *((place(bet, 5), "unknown_bet") for bet in facts.unknown),
        *((batch({one: 5, bet: 5}), "unknown_bet") for bet in facts.unknown),
        (batch({}), "bad_payload"),
        (batch({one: 5, third: 0}), "bad_payload"),
        (act("batch", bets=[twice] * 2), "bet_twice"),
        (act("batch", bets=[twice] * (facts.game.bets_max + 1)), "bad_payload"),
        (act("batch", bets=[{**twice, "number": 0}]), "bad_payload"),
        # Chips that are not covered.
        (place(one, 101), "insufficient_funds"),
        (batch({one: 60, third: 41}), "insufficient_funds"),
        (place(one, 4), "under_limit"),
        (place(one, 501), "over_limit"),
    ]


COVERS = {"insufficient_funds": Cover(funds=100), "under_limit": Cover(stake_min=5), "over_limit": Cover(stake_max=500)}


@per_table
def test_an_illegal_bet_or_draw_is_refused_and_draws_nothing(facts):
    match, refusal = facts.kit.start(), facts.kit.refusal
    for action, code in refusals(facts):
        assert refusal(match, action, COVERS.get(code)) == code, action


@per_table
def test_bets_are_covered_to_the_last_chip_that_they_can_return(facts):
    bets, most = facts.covered
    match, limits = facts.kit.start(), {"funds": 20, "stake_min": 10, "stake_max": 10}

    assert set(bets.values()) == {10}
    assert facts.kit.refusal(match, batch(bets), Cover(exposure_max=most - 1)) == "exposure_limit"
    assert facts.kit.do(match, batch(bets), cover=Cover(**limits, exposure_max=most)).status == "finished"


@per_table
def test_more_chips_on_a_bet_are_held_to_the_limit_of_the_bet(facts):
    bet, limit = facts.three[0], Cover(stake_max=500)
    match = facts.kit.do(facts.kit.start(), place(bet, 400))

    assert facts.kit.refusal(match, place(bet, 101), limit) == "over_limit"
    assert facts.kit.do(match, place(bet, 100), cover=limit).game.money.staked == 500


@per_table
def test_a_batch_is_refused_when_bets_are_down_and_nothing_can_be_done_after_the_draw(facts):
    one, _, third = facts.three
    start, do, refusal = facts.kit.start(), facts.kit.do, facts.kit.refusal

    assert refusal(do(start, place(one, 5)), batch({third: 5})) == "bets_are_down"
    match = do(start, batch({one: 10}))
    for action in (place(one, 1), act(facts.game.decide), act("clear"), batch({one: 10})):
        assert refusal(match, action) == "finished"


@per_table
def test_a_batch_brings_what_the_same_bets_bring_one_by_one(facts):
    bets, do = dict.fromkeys(facts.usual, 7), facts.kit.do
    one_by_one = do(facts.kit.start(), *(place(bet, 7) for bet in bets))
    one_by_one = do(one_by_one, act(facts.game.decide), rng=facts.draw())

    assert do(facts.kit.start(), batch(bets), rng=facts.draw()).game == one_by_one.game
    assert set(returned(one_by_one)) == set(bets)


@per_case("logs")
def test_the_log_says_why_each_bet_was_paid(facts, case):
    bets, stream, line = case

    assert facts.kit.told(facts.kit.start(), batch(bets), stream()) == line
    assert process_game_move(facts.kit.opened(), batch(bets), stream())[1].logs == (line,)


@per_table
def test_bytes_of_no_chips_or_of_too_many_or_of_no_batch_are_an_invalid_payload(facts):
    first = next(iter(facts.payloads)).replace(" ", "")
    bet, batch_of = first[4:], f"01{facts.game.opcodes.batch:02x}"
    for wrong in (first[:-16] + "0" * 16, first[:-16] + "f" * 16, *(batch_of + end for end in ("00", "02" + bet))):
        assert kind_of_error(facts, wrong) is ErrorKind.INVALID_PAYLOAD, wrong


@per_table
def test_hints_offer_stakes_that_are_taken(facts):
    for super_mode, smallest in ((False, 1), (True, 5)):
        match = facts.kit.start(super_mode=super_mode)
        stakes = {action.payload["stake"] for action in legal_actions(facts.game, match)}
        assert stakes == {smallest, 10 * smallest}
        placed = facts.kit.do(match, place(facts.three[0], 5))
        assert {action.type for action in legal_actions(facts.game, placed)} == {"place", facts.game.decide, "clear"}
        span = legal_ranges(facts.game, match)["place"]["stake"]
        assert (span.low, span.high, span.step) == (smallest, facts.stake_max, smallest)


@per_table
def test_an_abandoned_round_is_played_and_nobody_can_leave_chips_on_the_table(facts):
    match = facts.kit.do(facts.kit.start(), place(facts.three[0], 5))

    assert facts.kit.do(match, act("time_out")).status == "finished"
    assert facts.kit.refusal(match, act("leave")) == "bets_open"


@per_table
def test_bets_without_a_boost_need_no_round_stake_in_super_mode(facts):
    boosted, others = facts.boosted, dict.fromkeys(facts.not_boosted, 12)

    assert facts.game.plan(others, super_mode=True).stakes == tuple(others.values())
    match = facts.kit.do(facts.kit.start(super_mode=True), *(place(bet, 12) for bet in others), place(boosted, 25))
    assert match.game.money.fees == 5
    assert [stake.boosted for stake in match.game.money.open] == [False] * len(others) + [True]
    assert facts.kit.refusal(match, place(boosted, 12)) == "super_stake"
    assert facts.kit.do(match, act("clear")).game.money.fees == 5  # it stays paid


@per_table
def test_the_row_of_a_kernel_has_what_is_lit_in_its_place(facts):
    row = facts.kit.by_kernel(facts.game.plan({facts.boosted: 5}, super_mode=True))
    lit = generate_super_multipliers(facts.game, facts.kit.seed, 0)

    assert lit
    assert row[LIT_COUNT] == len(lit)
    assert row[LIT_IDS:][: len(lit)] == [entry.id for entry in lit]
    assert row[LIT_MULTIPLIERS:][: len(lit)] == [entry.multiplier for entry in lit]
