"""Every house game by its facts: identity, options, payload bytes, chips, odds, kernels."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from croupier.engine import legal_actions
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.house import Continue, ErrorKind, decode_payload, encode_payload, init_game, make_table, open_session
from croupier.house.card_game import CardGame
from croupier.house.money import Cover
from croupier.rng import SUPER_MOVE, GameRng
from croupier.sim.kernels import kernel_of
from croupier.testing import check_game, in_super_mode, laid
from tests.games.house_facts import Facts, Round, kind_of_error, per_case, per_game

OUTLAY = Fraction(6, 5)  # a stake and its fee
ROUNDS = 500


@per_game()
def test_a_game_says_what_it_is(facts):
    game = facts.game
    names = dict(enumerate(facts.opcodes.split()))

    assert (game.game_type, game.stake_limits) == (facts.game_type, (1, facts.stake_max))
    assert game.opens_with_stake == (facts.kit.stake > 0)
    assert {code: spec.name for code, spec in game.opcode_table().items()} == {
        code: name for code, name in names.items() if name != "-"
    }
    assert make_table(7, game, facts.options[0]).stake_max == facts.stake_max
    assert game.read_options(None) == game.read_options(facts.options[0])
    for options in facts.options:
        assert msgspec.to_builtins(game.read_options(options)).items() >= options.items()


# Options.


@per_case("bad_options")
def test_options_that_are_not_on_the_list_are_refused(facts, case):
    with pytest.raises(BadOptions):
        facts.kit.start(options=case)


@per_game()
def test_random_players_keep_every_law_of_the_engine_in_super_mode(facts):
    """In plain sessions they do for every registered game, in `tests/conformance`."""
    game, least = in_super_mode(facts.game), 100 if facts.game.id in ("blackjack", "craps") else 50

    assert check_game(game, seeds=facts.law_seeds, options=facts.options, rounds=0, outcomes=0).actions > least


# Bytes.


@per_game()
def test_actions_have_the_published_bytes_behind_a_version(facts):
    for payload, action in facts.payloads.items():
        assert encode_payload(facts.game, action) == bytes.fromhex(payload)
        assert decode_payload(facts.game, bytes.fromhex(payload)) == action


@per_game()
def test_bytes_too_few_too_many_or_of_another_version_are_an_invalid_payload(facts):
    for payload in facts.payloads:
        for wrong in (payload[:-2], payload + "00", "00" + payload[2:], "02" + payload[2:], payload[2:]):
            assert kind_of_error(facts, wrong) is ErrorKind.INVALID_PAYLOAD, wrong
    for wrong in ("", "00", "01", "02"):
        assert kind_of_error(facts, wrong) is ErrorKind.INVALID_PAYLOAD


@per_case("not_payloads")
def test_other_bytes_are_an_invalid_payload(facts, case):
    assert kind_of_error(facts, case) is ErrorKind.INVALID_PAYLOAD


@per_case("not_moves")
def test_an_action_out_of_turn_is_an_invalid_move(facts, case):
    assert kind_of_error(facts, case) is ErrorKind.INVALID_MOVE


# Chips.


@per_game()
def test_opening_is_booked_as_the_stake_and_nothing_else(facts):
    session = open_session(facts.game, player="ann", session_id=3, stake=facts.kit.stake, seed=bytes(32))

    assert init_game(session, GameRng.new(bytes(32), 3, 0))[1] == Continue()


@per_game(having="just_covered")
def test_an_opening_that_is_just_covered_is_taken_in_super_mode_and_in_a_plain_session(facts):
    money = facts.kit.start(super_mode=True, cover=facts.just_covered).game.money
    plain = Cover(sum(stake for _, stake in facts.opening), exposure_max=facts.most_returned)

    assert money.fees == facts.kit.stake // 5
    assert money.staked + money.fees == facts.just_covered.funds
    assert laid(facts.kit.start(cover=plain)) == list(facts.opening)


@per_game(having="marked")
def test_marks_of_super_mode_are_shown_with_the_result_and_not_before(facts):
    """Of 32 zero bytes, session 1 marks what V13 says; a plain session marks nothing."""
    for super_mode in (True, False):
        match = facts.kit.start(super_mode=super_mode, seed=bytes(32), session_id=1)
        while match.status == "active":
            assert match.game.lit == ()
            match = facts.kit.do(match, legal_actions(facts.game, match)[0])
        assert [lit.id for lit in match.game.lit] == (facts.marked if super_mode else [])
        assert match.game.money.fees == (facts.kit.stake // 5 if super_mode else 0)


@per_case("opening_refusals")
def test_an_opening_stake_that_is_not_covered_is_refused(facts, case):
    stake, super_mode, cover, code = case
    stream = GameRng.new(bytes(32), 3, 0)
    with pytest.raises(Refusal) as no:
        facts.kit.start(stake, super_mode=super_mode, cover=cover, rng=stream)
    assert (no.value.code, stream.bytes_used) == (code, 0)


@per_case("refusals")
def test_an_illegal_action_is_refused_and_draws_nothing(facts, case):
    assert facts.kit.refusal(case.match(), case.action, case.cover) == case.code


@per_case("results")
def test_results_tell_what_each_move_did_to_the_money(facts, case):
    moves = [(bytes.fromhex(move) if isinstance(move, str) else move, stream) for move, stream in case.moves]

    assert facts.kit.results(moves, case.stake, options=case.options) == case.expected


@per_game(Facts)
def test_chips_are_conserved_over_plain_and_super_sessions(facts):
    count, actions, stake, options, endings = facts.evening

    states = facts.kit.sessions(count, actions, stake=stake, options=options)

    assert len(states) == count
    assert endings <= {getattr(state, "outcome", "") for state in states}


# Odds.


@per_game(Facts)
def test_odds_have_a_row_for_every_bet_and_chances_that_add_up(facts):
    """Super edges lie between half a percent of what is laid out and fifteen points above the plain ones.

    They are shares of the stake and its fee, and of every chip.
    """
    for number, options in enumerate(facts.options):
        chosen = facts.game.read_options(options)
        plain, boosted = facts.game.odds(chosen), facts.game.super_odds(chosen)
        for row in plain + boosted:
            assert row.method == "exact"
            assert row.win + row.push + row.lose == 1
            assert min(row.win, row.push, row.lose) >= 0
        edges = {(row.bet, row.policy): row.edge for row in plain}
        for row in boosted:
            edge = edges[row.bet, row.policy]
            for share in (row.edge / OUTLAY, row.edge_per_chip) if edge > 0 else ():
                assert Fraction(1, 200) <= share <= edge + Fraction(15, 100), row
        for named, rows in ((facts.odds_rows, plain), (facts.super_rows, boosted)) if number == 0 else ():
            assert [f"{row.bet} {row.policy}".removesuffix(" -") for row in rows] == list(named)


# Kernels.


def played(facts, case, count):
    plan = facts.game.plan(*case)
    return [facts.kit.same_round(plan, number, case.options, kernel_of(plan)) for number in range(count)]


def check_rounds(facts, case, count):
    states = played(facts, case, count)
    if facts.shows is not None:
        facts.shows(case, states)


@per_case("rounds")
def test_rounds_of_a_kernel_are_those_of_the_engine(facts, case):
    is_rare = "en_prison_repeat" in str(case.options)  # a third spin comes once in 1,400 rounds
    check_rounds(facts, case, facts.round_count if is_rare else min(facts.round_count, ROUNDS))


@pytest.mark.soak
@per_case("rounds")
def test_two_thousand_rounds_of_a_kernel_are_those_of_the_engine(facts, case):
    check_rounds(facts, case, 2000)


@pytest.mark.parametrize("is_super", [False, True], ids=["plain", "super"])
@per_case("largest")
def test_the_largest_stakes_stay_within_63_bits(facts, case, is_super):
    for state in played(facts, case._replace(super_mode=is_super), facts.largest_count):
        money = state.money
        assert max(money.staked, money.returned, money.fees) < 2**63


@per_game()
def test_a_round_that_cannot_be_played_has_no_plan(facts):
    bet, stake_max = facts.main_bet, facts.kernel_stake_max
    asked = [row if isinstance(row, Round) else Round(row) for row in ({}, *facts.no_plans)]
    if bet:
        asked += [Round({bet: 0}), Round({bet: 12}, super_mode=True), Round({bet: 5}, "martingale")]
        asked += [Round({bet: stake_max + 1}), *(Round({bet: 5}, "", options) for options in facts.bad_options)]
        assert facts.game.plan({bet: stake_max}).stakes[0] == stake_max
    for case in asked:
        with pytest.raises(BadOptions):
            facts.game.plan(*case)


@per_case("first_moves")
def test_a_super_round_begins_with_the_stream_of_what_is_lit_unless_that_is_shown_last(facts, case):
    asked, move = case
    is_shown_last = isinstance(facts.game, CardGame)

    assert facts.game.plan(*asked).first_move == move
    assert facts.game.plan(*asked._replace(super_mode=True)).first_move == (move if is_shown_last else SUPER_MOVE)
