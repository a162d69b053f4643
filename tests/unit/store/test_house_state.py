"""The house over a database answers and keeps what it does over a dictionary."""

from __future__ import annotations

import pytest

from croupier.engine import get_game, list_games
from croupier.house import GameMove, HouseGame, Instruction, MemoryState, Register, check_ledger, execute
from croupier.house.instructions import LeaderboardUpdated
from croupier.house.ledger import Ledger, LedgerBroken, Movement
from croupier.store.database import open_store
from croupier.store.interface import Conflict
from tests.unit.store.conftest import carry_out, catalogue, evening

HOUSE_GAMES = [game_id for game_id in list_games() if isinstance(get_game(game_id), HouseGame)]


def evening_of(game_id):
    """Return what is asked on an evening at a game, the answers of a house over a dictionary, and the dictionary.

    It keeps a leaderboard; of that the answers are silent, as they are over a database, which ranks its accounts.
    """
    asked, plain = evening(game_id), MemoryState()
    answers = [execute(plain, *one, tables=catalogue()) for one in asked]
    silent = [tuple(event for event in answer if not isinstance(event, LeaderboardUpdated)) for answer in answers]
    return asked, silent, plain.values


def jobs_of(asked):
    return [lambda tx, one=one: carry_out(tx, *one) for one in asked]


def find(store, key):
    return store.read(lambda tx: tx.house().get(key))


def play(store, asked):
    return [answer for job in jobs_of(asked) for answer in store.run([job])]


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_an_evening_at_any_game_is_the_same_as_in_a_dictionary(game_id):
    """Every session is written and read back before each move, so every state goes to JSON and back unharmed."""
    asked, expected, plain = evening_of(game_id)
    with open_store("sqlite://") as store:
        assert play(store, asked) == expected

        store.read(lambda tx: check_ledger(tx.house(), thorough=True))
        assert plain.keys() >= {"session/1", "movement/1", "ledger/count"}
        board = [(f"player/{name}", chips) for name, chips in plain.pop("leaderboard")]
        assert store.read(lambda tx: tx.house().richest(10)) == board != []
        found = {key: find(store, key) for key in plain}
        assert sorted(found.pop("ledger/accounts")) == sorted(plain["ledger/accounts"])
        assert found == {key: value for key, value in plain.items() if key != "ledger/accounts"}


def test_chips_beyond_64_bits_do_not_move(store):
    """A bank that has given out 2^63 - 1 chips gives out no more, and whoever asked hears why."""
    most = 2**63 - 1
    give = lambda player, chips: lambda transaction: Ledger(transaction.house()).move("bank", player, chips, "gift")  # noqa: E731

    (first,) = store.run([give("player/ann", most)])
    (second,) = store.run([give("player/bob", 1)])

    assert first is None
    assert isinstance(second, LedgerBroken)
    assert [find(store, f"balance/{who}") for who in ("bank", "player/bob")] == [-most, None]


def test_both_databases_play_the_same_evening(store):
    asked, expected, plain = evening_of("blackjack")

    assert play(store, asked) == expected
    store.read(lambda transaction: check_ledger(transaction.house(), thorough=True))
    told = store.read(lambda transaction: transaction.movements("player/a_ann"))
    movements = [value for key, value in plain.items() if key.startswith("movement/")]
    mine = [one.number for one in movements if "player/a_ann" in (one.source, one.target)]
    assert [movement.number for movement in told] == sorted(mine, reverse=True)


def test_a_whole_evening_in_one_transaction_is_the_same(store):
    """Jobs of one batch share what has been read; one that fails in between must not leave its chips there."""
    asked, expected, _ = evening_of("blackjack")

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
