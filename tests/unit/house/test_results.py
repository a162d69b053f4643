"""Results: which of the seven a move makes, what each moves, and that each must be settled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.engine import Action, Refused, act
from croupier.house import (
    Continue,
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    Line,
    Loss,
    LossPreDeducted,
    LossWithExtraDeduction,
    Push,
    UnsettledResult,
    Win,
    game_result_delta,
    init_game,
    process_game_move,
    settle,
)
from croupier.house.money import Money, Stake
from croupier.house.results import result_of
from croupier.testing import place
from tests.unit.house.playing import begun, opened, played


def over(**accounts):
    return Money(finished=True, **accounts)


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [
        (Money(), Money(), Continue()),
        (Money(staked=100), Money(staked=100), Continue()),
        (Money(), Money(staked=100), ContinueWithUpdate(-100)),
        (Money(staked=100), Money(), ContinueWithUpdate(100)),  # taken back
        (Money(staked=100), Money(staked=100, returned=30), ContinueWithUpdate(30)),
        (Money(staked=100), Money(staked=150, returned=30), ContinueWithUpdate(-20)),
        (Money(staked=100), Money(staked=130, returned=30), Continue()),  # as much in as out
        (Money(opening=100, staked=100), over(opening=100, staked=100, returned=200), Win(200)),
        (Money(opening=100, staked=100), over(opening=100, staked=100, returned=100), Push(100)),
        (Money(opening=100, staked=100), over(opening=100, staked=100), Loss()),
        (Money(opening=100, staked=100), over(opening=100, staked=100, returned=50), Win(50)),  # a surrender
        (Money(opening=100, staked=100), over(opening=100, staked=200), LossPreDeducted(200)),  # a lost raise
        (Money(opening=100, staked=200), over(opening=100, staked=200), LossPreDeducted(200)),
        (Money(), over(staked=50), LossPreDeducted(50)),  # a batch that is lost
        (Money(), over(staked=50, returned=50), Push(50)),
        (Money(), over(staked=50, returned=51), Win(51)),
        (Money(staked=50), over(staked=50), LossPreDeducted(50)),
        (Money(staked=100, returned=40), over(staked=100, returned=40), LossPreDeducted(60)),
        (Money(staked=100, returned=100), over(staked=100, returned=100), Push(0)),  # it came back earlier
        (Money(staked=100, returned=40), over(staked=100, returned=100), Push(60)),
        (Money(staked=100, returned=40), over(staked=100, returned=41), Win(1)),
        (Money(), over(), Push(0)),
    ],
)
def test_the_result_follows_from_the_accounts_before_and_after(before, after, result):
    assert result_of(before, after) == result
    assert result_of(before, after, ("a line",)) == replace(result, logs=("a line",))


@pytest.mark.parametrize("opening", [0, 200])
def test_a_session_that_ends_ahead_is_a_win_even_if_its_last_bet_is_lost(opening):
    """300 came back earlier for the 200 staked; the last move returns nothing more."""
    before = Money(
        opening=opening, staked=200, returned=300, open=(Stake("b", 100, 300),), lines=(Line("a", 100, 300),)
    )
    after = replace(before, open=(), lines=(*before.lines, Line("b", 100, 0)), finished=True)

    assert result_of(before, after) == Win(0)


amounts = st.integers(0, 3)  # few enough for every coincidence to come up


@given(opening=amounts, raised=amounts, early=amounts, late=amounts, taken=amounts)
def test_every_ending_reports_chips_that_are_not_below_nothing(opening, raised, early, late, taken):
    before = Money(opening=opening, staked=opening + raised, returned=early)
    after = Money(opening=opening, staked=opening + raised + taken, returned=early + late, finished=True)
    result = result_of(before, after)

    assert not isinstance(result, Continue | ContinueWithUpdate)
    if after.net == 0:
        assert result == Push(late)
    elif after.net > 0 or late:
        assert result == Win(late)
    else:
        assert result in (Loss(), LossPreDeducted(-after.net))
        assert isinstance(result, Loss) == (raised + taken == 0)


@pytest.mark.parametrize(
    ("result", "delta"),
    [
        (Continue(), 0),
        (ContinueWithUpdate(-70), -70),
        (ContinueWithUpdate(0), 0),
        (ContinueWithUpdate(70), 70),
        (Win(200), 200),
        (Win(0), 0),
        (Push(100), 100),
        (Loss(), 0),
        (LossWithExtraDeduction(50), -50),
        (LossPreDeducted(300), 0),
    ],
)
def test_the_delta_of_each_variant_is_the_documented_one(result, delta):
    """As docs/house.md, Results, lists them."""
    assert game_result_delta(result) == delta
    assert game_result_delta(replace(result, logs=("a line",))) == delta


# In play.


def test_a_session_begins_with_continue_and_its_stake_taken(probes):
    session, result = init_game(opened(probes.card, 30))

    assert result == Continue()
    assert (session.money.opening, session.money.staked) == (30, 30)


@pytest.mark.parametrize(
    ("moves", "endings"),
    [((b"\1\0", b"\1\1"), {LossWithExtraDeduction(100), Win(300)}), ((b"\1\1",), {Loss(), Win(200)})],
    ids=["reserved", "without a reservation"],
)
def test_a_reserved_charge_is_taken_with_the_loss(probes, moves, endings):
    seen = set()
    for number in range(20):
        session, found = played(begun(probes.surety, 100, seed=bytes((number,))), *moves)
        assert sum(map(game_result_delta, found)) - 100 == session.money.net
        seen.add(found[-1])
    assert seen == endings


def test_reserving_moves_no_chips_in_the_result_and_still_sets_them_aside(probes):
    session, vouched = played(begun(probes.surety, 100), b"\1\0")

    assert (vouched, session.money.staked) == ([Continue()], 200)


@given(data=st.data())
def test_results_add_up_to_the_net_of_the_session(probes, data):
    """Opening out, every delta in, and the stakes of the last move out: what is left is what the player won."""
    session = begun(probes.ladder, session_id=data.draw(st.integers(1, 10**6)))
    moved = 0
    payload: Action | bytes = act("climb", rungs=data.draw(st.integers(1, 3)), stake=data.draw(st.integers(1, 50)))
    while not session.is_complete:
        session, (result,) = played(session, payload)
        moved += game_result_delta(result)
        payload = b"\x01\x03" if len(session.money.open) > 1 and data.draw(st.booleans()) else b"\x01\x01"
    assert moved == session.money.net


# A result must be settled.


def test_no_move_is_made_before_the_last_result_is_settled(probes):
    dealt, first = init_game(opened(probes.coin))
    with pytest.raises(UnsettledResult, match="Continue"):
        process_game_move(dealt, place("heads", 1))
    placed, result = process_game_move(settle(dealt, first), place("heads", 1))
    with pytest.raises(UnsettledResult, match="ContinueWithUpdate"):
        process_game_move(placed, b"\x01\x01")
    with pytest.raises(UnsettledResult):
        process_game_move(placed, b"")  # before the bytes are looked at
    assert settle(placed, result).unsettled is None


@pytest.mark.parametrize("wrong", [ContinueWithUpdate(-2), ContinueWithUpdate(-1), Continue(), Win(1), Push(-1)])
def test_only_the_very_result_can_be_settled(probes, wrong):
    placed, result = process_game_move(begun(probes.coin), place("heads", 1))
    assert result == ContinueWithUpdate(-1, ("ann: place bet=heads stake=1",))
    with pytest.raises(UnsettledResult):
        settle(placed, wrong)
    with pytest.raises(UnsettledResult):
        settle(settle(placed, result), result)  # not twice
    with pytest.raises(UnsettledResult):
        settle(opened(probes.coin), wrong)  # it has not begun


def test_a_session_that_is_over_never_says_that_it_goes_on(probes):
    """A player who leaves with nothing on the table ends the session: that is a push of nothing."""
    left, result = process_game_move(begun(probes.coin), Action("leave", {}, "ann"))
    assert left.is_complete
    assert result == Push(0, result.logs)


# Errors.


@pytest.mark.parametrize(
    ("code", "kind", "event_code"),
    [
        ("finished", ErrorKind.GAME_ALREADY_COMPLETE, 8),
        ("no_bets", ErrorKind.INVALID_MOVE, 9),
        ("wrong_phase", ErrorKind.INVALID_MOVE, 9),
        ("insufficient_funds", ErrorKind.INVALID_MOVE, 9),
        ("bad_payload", ErrorKind.INVALID_PAYLOAD, 16),
        ("unknown_action", ErrorKind.INVALID_PAYLOAD, 16),
        ("unknown_bet", ErrorKind.INVALID_PAYLOAD, 16),
        ("stake_too_small", ErrorKind.INVALID_PAYLOAD, 16),
        ("deck_exhausted", ErrorKind.DECK_EXHAUSTED, 18),
    ],
)
def test_a_refusal_becomes_one_of_five_errors_with_documented_event_codes(probes, code, kind, event_code):
    """The codes of docs/protocol.md, Event codes; 17, InvalidState, is a game that breaks."""
    error = GameError.of(Refused(code, "why", begun(probes.coin).match))
    assert (error.kind, error.reason, str(error), error.kind.value) == (kind, code, "why", event_code)
    assert ErrorKind.INVALID_STATE.value == 17
    assert len(ErrorKind) == 5
