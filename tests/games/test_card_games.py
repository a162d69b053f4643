"""Games that open with a stake and have side bets, decisions and bots, by the facts of each game."""

from __future__ import annotations

from itertools import product

from croupier.engine import act, legal_actions
from croupier.engine.legal import legal_ranges
from croupier.house.money import Cover
from croupier.testing import laid, lines, returned
from tests.games.house_facts import CardFacts, per_case, per_game

per_card_game = per_game(CardFacts)


@per_card_game
def test_the_opening_stakes_lie_on_the_main_bets(facts):
    match, money = facts.kit.start(), facts.kit.start().game.money

    assert laid(match) == list(facts.opening)
    assert money.opening == money.staked == sum(stake for _, stake in facts.opening)
    assert (match.turn.phase, money.drawn) == ("deal", False)


@per_card_game
def test_a_side_bet_is_replaced_and_taken_back(facts):
    start, do = facts.kit.start(), facts.kit.do
    for action, bet in facts.sides.items():
        match = do(start, act(action, stake=10), act(action, stake=25))
        assert laid(match) == [*facts.opening, (bet, 25)]
        assert match.game.money.staked == start.game.money.staked + 25
        back = do(match, act(action, stake=0))
        assert laid(back) == list(facts.opening)
        assert (back.game.money.staked, back.game.money.returned) == (start.game.money.staked, 0)
        assert do(back, act(action, stake=0)).game == back.game
        assert do(start, act(action, stake=0)).game == start.game


@per_card_game
def test_chips_on_the_old_side_bet_pay_for_the_new_one(facts):
    start, do = facts.kit.start(), facts.kit.do
    for action in facts.sides:
        match = do(start, act(action, stake=10))
        assert facts.kit.refusal(match, act(action, stake=16), Cover(funds=5)) == "insufficient_funds"
        for stake, funds in ((15, 5), (3, 0)):
            after = do(match, act(action, stake=stake), cover=Cover(funds=funds))
            assert after.game.money.staked == start.game.money.staked + stake


@per_card_game
def test_side_bets_that_are_not_covered_or_no_chips_are_refused_before_a_card_is_drawn(facts):
    covers = {
        "insufficient_funds": (11, Cover(funds=10)),
        "under_limit": (4, Cover(stake_min=5)),
        "over_limit": (501, Cover(stake_max=500)),
    }
    for action in facts.sides:
        for stake in (-1, 2**63, True):
            assert facts.kit.refusal(facts.kit.start(), act(action, stake=stake)) == "bad_payload"
        for code, (stake, cover) in covers.items():
            assert facts.kit.refusal(facts.kit.start(), act(action, stake=stake), cover) == code


@per_card_game
def test_a_bet_of_one_chip_takes_one_chip_and_says_no_to_more(facts):
    start, do = facts.kit.start(), facts.kit.do
    for bet in facts.one_chip:
        match = do(start, act(bet, stake=1))
        assert laid(match) == laid(do(match, act(bet, stake=1))) == [*facts.opening, (bet, 1)]
        assert laid(do(match, act(bet, stake=0))) == list(facts.opening)
        for stake, before in product((2, 5, 9, 2**63 - 1), (start, match)):
            assert facts.kit.refusal(before, act(bet, stake=stake)) == "progressive_stake"
            others = act("deal_with", **dict.fromkeys(facts.sides, 1), **{bet: stake})
            assert facts.kit.refusal(before, others) == "progressive_stake"


@per_case("choices")
def test_the_choices_are_those_of_the_phase(facts, case):
    match, expected = case
    legal = legal_actions(facts.game, match())

    assert [":".join(map(str, (action.type, *action.payload.values()))) for action in legal] == expected.split()


@per_card_game
def test_ranges_are_told_before_the_deal_and_not_after_it(facts):
    spans = legal_ranges(facts.game, facts.kit.start())

    assert {
        f"{action} {field}": (span.low, span.high) for action, fields in spans.items() for field, span in fields.items()
    } == facts.ranges
    assert legal_ranges(facts.game, facts.choices[-1][0]()) == {}


@per_case("away")
def test_a_player_who_is_away_never_pays_more_than_was_staked(facts, case):
    match, endings = case[0](), case[1]
    staked = match.game.money.staked
    while match.status == "active":
        match = facts.kit.do(match, act("time_out"), cover=Cover(funds=0))

    assert match.game.outcome in endings
    assert match.game.money.staked == staked


@per_case("bots")
def test_every_policy_is_a_bot(facts, case):
    match, expected = case

    assert facts.kit.chosen(match()) == expected


@per_case("endings")
def test_a_round_ends_and_pays_as_the_rules_page_says(facts, case):
    make, outcome, expected = case
    match = make()

    assert (match.game.outcome, match.status) == (outcome, "finished")
    assert list(returned(match).items()) == list(expected.items())
    assert match.game.money.staked == sum(stake for _, stake, _ in lines(match))


@per_case("told")
def test_the_log_says_why_each_bet_was_paid(facts, case):
    match, action, stream, line = case

    assert facts.kit.told(match(), action, stream) == line


@per_card_game
def test_a_plan_has_the_bets_of_the_opening_and_the_first_policy_unless_told_otherwise(facts):
    """Its facts are the cards and the ending."""
    main, game = facts.main_bet, facts.game
    plan = game.plan(dict(reversed(facts.plan_bets.items())))
    bots = [name for name in game.bots if name != "uniform"]

    assert (plan.bets, plan.stakes) == (tuple(facts.plan_bets), tuple(facts.plan_bets.values()))
    assert plan.terms.stake == facts.plan_bets[main]
    assert game.plan({main: 10}).options == game.plan({main: 10}, bots[0]).options
    for number in range(200):
        state = facts.kit.same_round(plan, number)
        *found, ending = plan.facts(state)
        assert found == facts.facts_of(state)
        assert state.outcome == facts.outcomes.split()[ending]
