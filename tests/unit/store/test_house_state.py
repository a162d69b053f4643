"""The house over a database answers and keeps what it does over a dictionary."""

from __future__ import annotations

import pytest

from croupier.engine import get_game, list_games
from croupier.house import GameMove, HouseGame, Instruction, MemoryState, Register, check_ledger, execute
from croupier.house.ledger import Ledger, LedgerBroken, Movement
from croupier.store.database import open_store
from croupier.store.interface import Conflict
from tests.unit.store.conftest import carry_out

HOUSE_GAMES = [game_id for game_id in list_games() if isinstance(get_game(game_id), HouseGame)]


def jobs_of(asked):
    return [lambda tx, one=one: carry_out(tx, *one) for one in asked]


def find(store, key):
    return store.read(lambda tx: tx.house().get(key))


def play(store, asked):
    return [answer for job in jobs_of(asked) for answer in store.run([job])]


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_an_evening_at_any_game_is_the_same_as_in_a_dictionary(game_id, evening_of, tables):
    """Every session is written and read back before each move, so every state goes to JSON and back unharmed."""
    asked, plain = evening_of(game_id), MemoryState()
    expected = [execute(plain, *one, tables=tables) for one in asked]
    with open_store("sqlite://") as store:
        assert play(store, asked) == expected

        def compare(transaction):
            house = transaction.house()
            found = {key: house.get(key) for key in plain.values}
            check_ledger(house, thorough=True)
            return found

        assert plain.values.keys() >= {"session/1", "movement/1", "ledger/count", "leaderboard"}
        found = store.read(compare)
        assert sorted(found.pop("ledger/accounts")) == sorted(plain.values["ledger/accounts"])
        assert found == {key: value for key, value in plain.values.items() if key != "ledger/accounts"}


def test_chips_beyond_64_bits_do_not_move(store):
    """A bank that has given out 2^63 - 1 chips gives out no more, and whoever asked hears why."""
    most = 2**63 - 1
    give = lambda player, chips: lambda transaction: Ledger(transaction.house()).move("bank", player, chips, "gift")  # noqa: E731

    (first,) = store.run([give("player/ann", most)])
    (second,) = store.run([give("player/bob", 1)])

    assert first is None
    assert isinstance(second, LedgerBroken)
    kept = store.read(lambda transaction: [transaction.house().get(f"balance/{who}") for who in ("bank", "player/bob")])
    assert kept == [-most, None]


def test_both_databases_play_the_same_evening(store, evening_of, tables):
    asked, plain = evening_of("blackjack"), MemoryState()
    expected = [execute(plain, *one, tables=tables) for one in asked]

    assert play(store, asked) == expected
    store.read(lambda transaction: check_ledger(transaction.house(), thorough=True))
    told = store.read(lambda transaction: transaction.movements("player/a_ann"))
    assert [movement.number for movement in told] == sorted(
        (
            value.number
            for key, value in plain.values.items()
            if key[:9] == "movement/" and "player/a_ann" in (value.source, value.target)
        ),
        reverse=True,
    )


def test_a_whole_evening_in_one_transaction_is_the_same(store, evening_of, tables):
    """Jobs of one batch share what has been read; one that fails in between must not leave its chips there."""
    asked, plain = evening_of("blackjack"), MemoryState()
    expected = [execute(plain, *one, tables=tables) for one in asked]

    def spend_and_fail(transaction):
        house = transaction.house()
        house.put("balance/player/a_ann", 10**6)
        raise KeyError("on purpose")

    answers = store.run([each for job in jobs_of(asked) for each in (job, spend_and_fail)])
    assert answers[::2] == expected
    assert {type(answer) for answer in answers[1::2]} == {KeyError}


def test_a_movement_cannot_be_put_twice(store):
    movement = Movement(1, "deposits", "player/a_ann", 5, "because")
    first, second = store.run([lambda transaction: transaction.house().put("movement/1", movement)] * 2)
    assert first is None
    assert isinstance(second, Conflict)


def test_an_id_that_no_session_can_have_finds_none_and_other_keys_are_refused():
    with open_store("sqlite://") as store:
        for number in ("abc", "-1", "9" * 19, "9" * 400, "²"):
            assert find(store, f"session/{number}") is None
        with pytest.raises(LookupError):
            find(store, "chips/a_ann")
        (answer,) = store.run([lambda transaction: transaction.house().put("chips/a_ann", 5)])
        assert isinstance(answer, LookupError)


def test_a_move_in_an_unknown_session_is_refused_and_no_error(store):
    execute_all = [Instruction("a_ann", Register("Ann")), Instruction("a_ann", GameMove(2**64 - 1, b""))]
    answers = play(store, [(one, bytes(32), 1) for one in execute_all])
    assert answers[1][0].reason == "session_not_found"
