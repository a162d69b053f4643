"""The till in `house.money`: what may be staked, what a bet may return, and that no chip is free or charged twice."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.engine import act
from croupier.engine.turn import Refusal
from croupier.errors import GameFault
from croupier.house import CHIPS_MAX, Line, get_super_mode_fee, process_game_move
from croupier.house.money import Cover, Money, Stake, Till
from tests.unit.house.playing import after, batch, begun, error_of, refusal


def till(*stakes, is_super=False, **cover):
    """Return a till with stakes that were taken: bet, chips, the most they return, whether boosted."""
    made = Till(Money(), Cover(**cover) if cover else None, is_super)
    for bet, stake, most, *boosted in stakes:
        made.take(bet, stake, most, bool(boosted))
    return made


def code(till, bet, stake, most=None, boosted=False, **how):
    """Return the code with which the till refuses a stake, or None; a refused stake must leave it as it was."""
    before = till.money
    try:
        till.take(bet, stake, 2 * stake if most is None else most, boosted, **how)
    except Refusal as no:
        found = no
    else:
        return None
    assert till.money == before
    assert bet in found.sentence
    return found.code


# What is refused, and where the line runs.


@pytest.mark.parametrize(
    ("cover", "stake", "refused"),
    [
        ({}, -CHIPS_MAX, "stake_too_small"),
        ({}, -1, "stake_too_small"),
        ({}, 0, "stake_too_small"),
        ({}, 1, None),
        ({"stake_min": 5}, 4, "under_limit"),
        ({"stake_min": 5}, 5, None),
        ({"stake_max": 500}, 500, None),
        ({"stake_max": 500}, 501, "over_limit"),
        ({"funds": 0}, 1, "insufficient_funds"),
        ({"funds": 100}, 100, None),
        ({"funds": 100}, 101, "insufficient_funds"),
        ({"exposure_max": 200}, 100, None),
        ({"exposure_max": 200}, 101, "exposure_limit"),
        ({"stake_min": 5, "stake_max": 5, "funds": 5, "exposure_max": 10}, 5, None),
    ],
)
def test_a_stake_is_refused_just_beyond_each_limit(cover, stake, refused):
    assert code(till(**cover), "red", stake) == refused


@pytest.mark.parametrize(
    ("cover", "stake", "refused"),
    [
        ({"stake_min": 5}, 1, None),
        ({"stake_max": 500}, 2000, None),
        ({"funds": 100}, 101, "insufficient_funds"),
        ({"exposure_max": 200}, 101, "exposure_limit"),
        ({}, 0, "stake_too_small"),
    ],
)
def test_a_stake_whose_size_the_rules_say_is_free_of_the_limits_a_bet_and_of_nothing_else(cover, stake, refused):
    assert code(till(**cover), "red", stake, fixed=True) == refused


@pytest.mark.parametrize(
    ("stake", "most", "refused"),
    [
        (CHIPS_MAX, CHIPS_MAX, None),
        (1, CHIPS_MAX, None),
        (1, CHIPS_MAX + 1, "exposure_limit"),
        (CHIPS_MAX + 1, CHIPS_MAX + 1, "exposure_limit"),
        (10**30, 10**30, "exposure_limit"),
    ],
)
def test_no_bet_can_return_more_than_the_chip_bound_even_without_a_cover(stake, most, refused):
    assert code(till(), "red", stake, most) == refused


def test_exposure_counts_every_open_bet_once_and_settled_ones_no_more():
    both = till(("red", 1, CHIPS_MAX - 10))
    assert code(both, "black", 1, 11) == "exposure_limit"
    assert code(both, "red", 1, 11) == "exposure_limit"
    assert code(both, "black", 1, 10) is None
    table = till(("red", 50, 100), ("black", 50, 100), exposure_max=300)
    assert code(table, "odd", 51, 101) == "exposure_limit"
    assert code(table, "red", 51, 101) == "exposure_limit"
    assert code(table, "odd", 50, 100) is None
    assert code(table, "even", 1, 1) == "exposure_limit"
    table.settle("red", 0)
    assert code(table, "even", 50, 100) is None
    assert code(till(("red", 50, 100), exposure_max=200), "red", 50, 100) is None


def test_a_stake_is_checked_for_its_size_then_limits_then_super_mode_then_funds_then_exposure():
    for change, stake, refused in [
        ({}, 0, "stake_too_small"),
        ({}, 5, "under_limit"),
        ({}, 9, "over_limit"),
        ({}, 7, "super_stake"),
        ({"stake_max": 10}, 10, "insufficient_funds"),
        ({"stake_max": 10, "funds": 12}, 10, "exposure_limit"),
    ]:
        strict = {"funds": 0, "stake_min": 6, "stake_max": 8, "exposure_max": 0, **change}
        assert code(till(is_super=True, **strict), "red", stake, boosted=True) == refused


# Several stakes on one bet are one stake.


def test_stakes_on_one_bet_merge_in_its_first_place():
    table = till(("red", 10, 20), ("odd", 1, 2), ("red", 7, 14))

    assert table.money.open == (Stake("red", 17, 34), Stake("odd", 1, 2))
    assert table.money == Money(staked=18, open=(Stake("red", 17, 34), Stake("odd", 1, 2)))


def test_limits_bind_the_merged_stake():
    table = till(stake_min=5, stake_max=10)
    assert code(table, "red", 5) is None
    assert code(table, "red", 1) is None  # 6 lie there: more than the least, although one chip alone is not
    assert code(table, "red", 5) == "over_limit"
    assert code(table, "red", 4) is None
    assert code(table, "red", 1) == "over_limit"


def test_chips_that_paid_no_fee_never_become_boosted_by_lying_on_the_same_bet():
    """One chip without a fee, then five with: either they do not mix, or the six are not all boosted."""
    table = till(("red", 1, 2), is_super=True)
    try:
        table.take("red", 5, 20, True)
    except (Refusal, GameFault):
        return
    boosted = sum(stake.stake for stake in table.money.open if stake.boosted)
    assert get_super_mode_fee(boosted) <= table.money.fees
    assert boosted <= 5


def test_chips_that_paid_the_fee_stay_boosted_when_others_join_them():
    table = till(("red", 5, 20, True), is_super=True)
    with suppress(Refusal, GameFault):
        table.take("red", 1, 2)
    assert any(stake.boosted for stake in table.money.open)


# Super mode.


@pytest.mark.parametrize("stake", [1, 2, 3, 4, 6, 9, 101, 10**18 + 1])
def test_an_eligible_stake_in_super_mode_that_is_no_multiple_of_five_is_refused(stake):
    assert code(till(is_super=True), "red", stake, boosted=True) == "super_stake"
    assert code(till(is_super=True), "red", stake) is None  # not eligible: no fee, no boost
    assert code(till(), "red", stake, boosted=True) is None  # not a super session


@pytest.mark.parametrize(("stake", "fee"), [(5, 1), (10, 2), (700, 140), (CHIPS_MAX // 10 * 5, CHIPS_MAX // 10)])
def test_the_super_fee_is_a_fifth_of_every_eligible_stake(stake, fee):
    table = till(("red", stake, 2 * stake, True), is_super=True)
    assert table.money == Money(staked=stake, fees=fee, open=(Stake("red", stake, 2 * stake, True),))
    assert code(till(is_super=True, funds=stake + fee), "red", stake, boosted=True) is None
    assert code(till(is_super=True, funds=stake + fee - 1), "red", stake, boosted=True) == "insufficient_funds"


def test_a_wager_cannot_dodge_the_fee_by_being_split():
    assert till(*[("red", 5, 10, True)] * 20, is_super=True).money.fees == 20  # as for one stake of 100


def test_without_super_mode_nothing_is_boosted_and_nothing_costs_a_fee():
    assert till(("red", 5, 10, True)).money == Money(staked=5, open=(Stake("red", 5, 10, False),))


# Taking back, settling, finishing.


def test_a_withdrawn_bet_was_never_staked_but_its_fee_stays_paid():
    table = till(("red", 10, 40, True), ("red", 5, 20, True), ("odd", 3, 6), is_super=True)
    assert table.withdraw("red") == 15
    assert table.money == Money(staked=3, fees=3, open=(Stake("odd", 3, 6),))
    table.take("red", 10, 40, True)
    assert table.money.fees == 5  # laying it again costs the fee again


def test_a_settled_bet_is_on_a_line_with_all_that_lay_on_it():
    table = till(("red", 10, 20), ("red", 5, 10))
    table.settle("red", 30)

    assert table.money == Money(staked=15, returned=30, lines=(Line("red", 15, 30),))
    assert table.money.net == Line("red", 15, 30).profit == 15


@pytest.mark.parametrize(
    ("returned", "why"),
    [(-1, "never negative"), (7.5, "whole chips"), (15.0, "whole chips"), (21, "at most 20"), (10**30, "at most 20")],
)
def test_a_bet_cannot_return_less_than_nothing_or_more_than_was_declared_or_part_of_a_chip(returned, why):
    with pytest.raises(GameFault, match=f"red .*{why}"):
        till(("red", 10, 20)).settle("red", returned)


@pytest.mark.parametrize(("stake", "most"), [(10.0, 20), (10, 25.0), (True, 2)])
def test_a_stake_and_the_most_it_brings_are_whole_chips(stake, most):
    with pytest.raises(GameFault, match="chips are whole numbers"):
        till(("red", stake, most))


@pytest.mark.parametrize("returned", [0, 1, 10, 20])
def test_a_bet_may_return_anything_from_nothing_to_the_most(returned):
    table = till(("red", 10, 20))
    table.settle("red", returned)
    assert table.money.returned == returned


def test_a_bet_that_is_not_on_the_table_can_neither_be_settled_nor_taken_back():
    table = till(("red", 10, 20))
    table.settle("red", 20)
    for call, *values in ((table.settle, "red", 20), (table.withdraw, "red"), (table.settle, "odd", 0)):
        with pytest.raises(GameFault, match="nothing on"):
            call(*values)
    assert table.money.returned == 20


def test_a_session_cannot_finish_while_a_bet_is_open_and_takes_no_stake_after():
    """Chips laid after the end would lie on the table for ever."""
    table = till(("red", 10, 20))
    with pytest.raises(GameFault, match="red"):
        table.finish()
    table.settle("red", 0)
    table.finish()
    assert table.money.finished
    with pytest.raises((GameFault, Refusal)):
        table.take("red", 10, 20)
    assert table.money.open == ()


def test_stake_on_tells_what_lies_on_a_bet_now():
    table = till()
    assert table.stake_on("red") is None
    table.take("red", 10, 20)
    assert table.stake_on("red") == Stake("red", 10, 20)
    table.withdraw("red")
    assert table.stake_on("red") is None


# The law: whatever was staked is open, on a line, or was given back; the till agrees with plain counting.


operations = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.sampled_from("abc"), st.integers(1, 60), st.booleans()),
        st.tuples(st.just("settle"), st.sampled_from("abc"), st.integers(0, 130), st.just(False)),
        st.tuples(st.just("withdraw"), st.sampled_from("abc"), st.just(0), st.just(False)),
    ),
    max_size=25,
)


@given(operations=operations, is_super=st.booleans(), funds=st.integers(0, 200))
def test_the_till_agrees_with_counting_chips_by_hand(operations, is_super, funds):
    """A purse, a heap of chips on each bet, and a jar of fees: the purse never goes below nothing."""
    table = till(is_super=is_super, funds=funds)
    purse, jar, paid = funds, 0, 0
    heaps: dict[str, int] = {}
    for what, bet, amount, boosted in operations:
        if what == "take":
            fee = amount // 5 if boosted and is_super else 0
            heap_is_boosted = bet in heaps and bool(table.stake_on(bet).boosted)
            if bet in heaps and heap_is_boosted != (boosted and is_super):
                continue  # whether such chips mix is a test of its own
            fits = purse >= amount + fee and not (boosted and is_super and amount % 5)
            assert (code(table, bet, amount, 2 * amount, boosted) is None) == fits
            if fits:
                purse -= amount + fee
                jar += fee
                heaps[bet] = heaps.get(bet, 0) + amount
        elif bet not in heaps:
            with pytest.raises(GameFault):
                table.settle(bet, amount) if what == "settle" else table.withdraw(bet)
        elif what == "withdraw":
            heap = heaps.pop(bet)
            assert table.withdraw(bet) == heap
            purse += heap
        elif amount > 2 * heaps[bet]:
            continue  # refused as a bug of the game, above
        else:
            table.settle(bet, amount)
            heaps.pop(bet)
            paid += amount
        assert purse >= 0
        assert {stake.bet: stake.stake for stake in table.money.open} == heaps
    money = table.money
    assert (money.fees, money.returned) == (jar, paid)
    assert money.staked == sum(heaps.values()) + sum(line.stake for line in money.lines)
    assert funds == purse + jar + money.staked


# What one move has spent already counts against the purse.


@pytest.mark.parametrize(
    ("name", "is_super", "move", "fees"),
    [
        ("wheel", False, batch(("even", 40), ("odd", 30), ("number:3", 30)), 0),
        ("wheel", True, batch(("number:1", 50), ("number:2", 50)), 20),
        ("ladder", False, act("climb", rungs=2, stake=50), 0),
    ],
)
def test_a_move_is_covered_as_a_whole_with_its_fees_or_not_at_all(probes, name, is_super, move, fees):
    session = begun(getattr(probes, name), super_mode=is_super)

    assert refusal(session, move, cover=Cover(99 + fees)) == "insufficient_funds"
    moved = after(session, move, cover=Cover(100 + fees))
    assert (moved.money.staked, moved.money.fees) == (100, fees)


def test_a_refused_stake_says_what_is_left(probes):
    bets = batch(("even", 40), ("odd", 30), ("number:3", 30))
    assert "29 chips are left" in str(error_of(process_game_move, begun(probes.wheel), bets, cover=Cover(99)))


@pytest.mark.parametrize(("is_super", "fee"), [(False, 0), (True, 2)])
def test_a_stake_at_the_start_is_covered_like_any_other(probes, is_super, fee):
    no = error_of(begun, probes.card, 10, super_mode=is_super, cover=Cover(9 + fee))
    assert no.reason == "insufficient_funds"
    money = begun(probes.card, 10, super_mode=is_super, cover=Cover(10 + fee)).money
    assert (money.opening, money.fees) == (10, fee)


def test_returns_of_the_same_move_do_not_pay_for_its_stakes(probes, oracle):
    """The raise of a war is covered by chips in hand; the stake already on the table is no cover."""
    tie = oracle.seed(lambda mine, theirs: mine == theirs, 7, 1, 3, 3)
    tied = after(begun(probes.war, 10), b"\x01\x00", seed=tie)
    assert refusal(tied, b"\x01\x01", cover=Cover(9)) == "insufficient_funds"
    assert after(tied, b"\x01\x01", cover=Cover(10)).is_complete
