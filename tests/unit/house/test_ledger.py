"""The ledger: every chip has a from and a to, and tampering is found."""

from copy import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.house import CHIPS_MAX, Ledger, Line, MemoryState, check_ledger
from croupier.house.ledger import DEPOSITS, HOUSE, OPEN, LedgerBroken, Movement, player_account
from croupier.house.money import Money, Stake

ANN, BOB = "player/ann", "player/bob"


def ledger(**chips):
    """Return a ledger in which players hold chips."""
    books = Ledger(MemoryState())
    for name, amount in chips.items():
        books.move(DEPOSITS, player_account(name), amount, "welcome")
    return books


def balances(books):
    return {account: books.balance(account) for account in books.accounts()}


def movements(books):
    return [books._state.get(f"movement/{number}") for number in range(1, books.count() + 1)]


def check(books):
    for thorough in (False, True):
        before = copy(books._state.values)
        check_ledger(books._state, thorough=thorough)
        assert books._state.values == before


def is_broken(state, thorough=True, match=None):
    with pytest.raises(LedgerBroken, match=match):
        check_ledger(state, thorough=thorough)


# Moving.


def test_chips_go_from_one_account_to_another_and_are_written_down():
    books = ledger(ann=1000)
    books.move(ANN, OPEN, 100, "stake", 7)

    assert balances(books) == {DEPOSITS: -1000, ANN: 900, OPEN: 100}
    assert movements(books) == [
        Movement(1, DEPOSITS, ANN, 1000, "welcome"),
        Movement(2, ANN, OPEN, 100, "stake", 7),
    ]
    check(books)


def test_no_chips_are_no_movement():
    books = ledger(ann=10)
    books.move(ANN, BOB, 0, "nothing")
    assert books.count() == 1
    assert books.accounts() == (DEPOSITS, ANN)


@pytest.mark.parametrize("amount", [-1, -1000, CHIPS_MAX + 1, 10**30])
def test_an_amount_below_nothing_or_beyond_the_bound_cannot_move(amount):
    books = ledger(ann=10)
    with pytest.raises(LedgerBroken):
        books.move(HOUSE, ANN, amount, "theft")
    assert balances(books) == {DEPOSITS: -10, ANN: 10}


def test_a_player_cannot_go_below_nothing_but_the_house_can():
    books = ledger(ann=10)
    with pytest.raises(LedgerBroken, match="player/ann"):
        books.move(ANN, HOUSE, 11, "stake")
    other = ledger(ann=10)
    other.move(HOUSE, ANN, 500, "return")
    assert balances(other) == {DEPOSITS: -10, ANN: 510, HOUSE: -500}
    check(other)


# Booking a move of a session.


def booked(before, after):
    """Return what moves from account to account when a move of a session is booked."""
    books = ledger(ann=1000)
    books.move(ANN, OPEN, sum(stake.stake for stake in before.open), "stake", 7)
    count = books.count()
    books.book("ann", 7, before, after)
    check(books)
    return [(m.source, m.target, m.amount) for m in movements(books)[count:]]


RED, ODD = Stake("red", 100, 200), Stake("odd", 50, 100)


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        (Money(), Money(), []),
        (Money(), Money(staked=100, open=(RED,)), [(ANN, OPEN, 100)]),
        (Money(staked=100, open=(RED,)), Money(staked=150, open=(RED, ODD)), [(ANN, OPEN, 50)]),
        (Money(staked=150, open=(RED, ODD)), Money(staked=50, open=(ODD,)), [(OPEN, ANN, 100)]),
        (Money(), Money(staked=100, fees=20, open=(RED,)), [(ANN, OPEN, 100), (ANN, HOUSE, 20)]),
        (
            Money(staked=100, fees=20, open=(RED,)),
            Money(staked=50, fees=30, open=(ODD,)),
            [(OPEN, ANN, 50), (ANN, HOUSE, 10)],
        ),
        (
            Money(staked=150, open=(RED, ODD)),
            Money(staked=150, returned=200, lines=(Line("red", 100, 200), Line("odd", 50, 0)), finished=True),
            [(OPEN, HOUSE, 100), (HOUSE, ANN, 200), (OPEN, HOUSE, 50)],
        ),
        (
            Money(),
            Money(staked=100, returned=30, lines=(Line("red", 100, 30),), finished=True),
            [(ANN, OPEN, 100), (OPEN, HOUSE, 100), (HOUSE, ANN, 30)],
        ),
        (
            Money(staked=200, returned=7, open=(RED,), lines=(Line("red", 100, 7),)),  # a line of an earlier move
            Money(staked=200, returned=107, lines=(Line("red", 100, 7), Line("red", 100, 100))),
            [(OPEN, HOUSE, 100), (HOUSE, ANN, 100)],
        ),
    ],
)
def test_a_move_of_a_session_is_booked_stake_by_stake_and_line_by_line(before, after, moved):
    assert booked(before, after) == moved


# Checking.


def play_a_little():
    books = ledger(ann=1000, bob=1000)
    placed = Money(staked=150, fees=20, open=(RED, ODD))
    books.book("ann", 7, Money(), placed)
    books.book("ann", 7, placed, replace(placed, open=(), lines=(Line("red", 100, 200), Line("odd", 50, 0))))
    books.book("bob", 8, Money(), Money(staked=50, open=(ODD,)))
    check(books)
    return books


@given(key=st.integers(0, 10**6), change=st.integers(-100, 100).filter(bool))
def test_one_balance_that_was_changed_is_found_at_once(key, change):
    state = play_a_little()._state
    accounts = Ledger(state).accounts()
    account = accounts[key % len(accounts)]
    state.put(f"balance/{account}", state.get(f"balance/{account}") + change)
    is_broken(state, thorough=False)


@given(pair=st.permutations([HOUSE, OPEN, DEPOSITS, ANN, BOB]), amount=st.integers(1, 40))
def test_chips_moved_between_balances_without_a_movement_are_found_thoroughly(pair, amount):
    state = play_a_little()._state
    for account, change in ((pair[0], -amount), (pair[1], amount)):
        state.put(f"balance/{account}", state.get(f"balance/{account}") + change)
    is_broken(state)


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize(
    "change",
    [
        {"amount": 1},
        {"amount": -50},
        {"amount": CHIPS_MAX},
        {"source": "player/eve"},
        {"target": "player/eve"},
        {"source": "player/eve", "target": "house"},
        None,
    ],
    ids=str,
)
def test_a_movement_that_was_changed_or_is_missing_is_found(number, change):
    books = play_a_little()
    assert books.count() == 8
    key, state = f"movement/{number}", books._state
    state.put(key, None if change is None else replace(state.get(key), **change))
    is_broken(state)


def test_a_movement_in_the_place_of_another_is_found():
    """Swapped movements make the same balances, but their numbers tell."""
    state = play_a_little()._state
    third, fourth = state.get("movement/3"), state.get("movement/4")
    state.put("movement/3", fourth)
    state.put("movement/4", third)
    is_broken(state)


@pytest.mark.parametrize("count", [0, 7, 9, None])
def test_a_wrong_count_of_movements_is_found(count):
    state = play_a_little()._state
    state.put("ledger/count", count)
    is_broken(state)


def test_an_account_taken_off_the_list_is_found():
    books = play_a_little()
    for account in books.accounts():
        state = MemoryState(books._state.values)
        state.put("ledger/accounts", tuple(name for name in books.accounts() if name != account))
        is_broken(state)


def test_open_stakes_below_nothing_are_found_without_being_thorough():
    books = ledger(ann=10)
    books.move(OPEN, ANN, 5, "stake taken back that was never laid")
    is_broken(books._state, thorough=False, match="open stakes")


def test_a_player_below_nothing_is_found():
    """The ledger never lets it happen; whoever wrote it did not use the ledger."""
    books = ledger(ann=10)
    state = books._state
    state.put("balance/player/ann", -5)
    state.put("balance/house", 15)
    state.put("ledger/accounts", (*books.accounts(), HOUSE))
    state.put("movement/2", Movement(2, ANN, HOUSE, 15, "theft"))
    state.put("ledger/count", 2)
    is_broken(state)


def test_an_empty_ledger_is_in_order():
    check(ledger())
