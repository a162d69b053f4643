"""`MatchClient`: each of its calls and their rules, one by one; test_client_machine.py has the model for the rest."""

from typing import Any

import pytest
from msgspec import structs

from croupier.engine import (
    Action,
    Match,
    MatchClient,
    act,
    action,
    state_digest,
)
from croupier.errors import BadSeed, GameFault, WrongMatch
from tests.unit.engine.counting import check_log, over


@pytest.fixture
def client(pig, start):
    """Return a client of a match of two at Pig, at version 3, with a counter of notifications."""
    client: Any = MatchClient(pig, start(pig, options={"goal": 1000}))
    for _ in range(3):
        assert client.dispatch(act("roll")).ok
    client.calls = []
    client.subscribe(client.calls.append)
    return client


def keeps_its_law(client: MatchClient[Any]) -> None:
    """Its log leads to its present, and it goes to every state of its history."""
    check_log(client)
    versions = range(client.base.version, client.get_state().version + 1)
    assert [state_digest(known) for known in client.history()] == [
        state_digest(client.goto(version)) for version in versions
    ]


# Looking.


def test_a_new_client_has_its_state_an_empty_log_and_no_error(pig, start):
    match = start(pig)
    client = MatchClient(pig, match)

    assert client.get_state() is match
    assert client.get_log() == ()
    assert client.get_error() is None
    assert (client.can_undo, client.can_redo) == (False, False)
    assert client.history() == (match,)
    assert client.get_state().version == 0


def test_a_client_does_not_take_a_match_of_another_game(pig, tictactoe, start):
    with pytest.raises(WrongMatch, match="'tic-tac-toe' was given to a client of 'small-pig'"):
        MatchClient(pig, start(tictactoe))


# Dispatch.


def test_an_accepted_action_is_stored_and_told(client):
    before = client.get_state()

    answer = client.dispatch({"type": "roll"}, now=77)

    assert answer.ok
    assert client.get_state() is answer.state
    entry = client.get_log()[-1]
    assert (entry.action, entry.version, entry.at, entry.drew) == (answer.action, 4, 77, True)
    assert client.calls == [answer.state]
    assert client.can_undo
    assert client.goto(3) is before
    keeps_its_law(client)


def test_a_fault_of_the_game_leaves_the_client_as_it_was(careless, start):
    client = MatchClient(careless, start(careless))
    client.dispatch(act("take"))
    before = client.get_state()

    with pytest.raises(GameFault):
        client.dispatch(act("take_and_crash"))

    assert client.get_state() is before
    assert client.dispatch(act("take")).ok
    keeps_its_law(client)


@pytest.mark.parametrize("seed", ["text", 5, bytearray(b"x")], ids=repr)
def test_an_invalid_seed_of_the_host_changes_nothing(client, seed):
    client.dispatch(act("roll"), seed=b"one")
    before = client.get_state()
    for asked in (act("roll"), act("hold")):
        with pytest.raises(BadSeed):
            client.dispatch(asked, seed=seed)

    assert client.get_state() is before
    keeps_its_law(client)


# Undo and redo.


def test_undo_crosses_the_end_of_a_match(tictactoe, start):
    client = MatchClient(tictactoe, start(tictactoe))
    for cell in (0, 3, 1, 4, 2):
        client.dispatch(act("mark", cell=cell))
    assert client.get_state().status == "finished"

    assert client.undo()

    assert client.get_state().status == "active"
    assert client.dispatch(act("mark", cell=8)).ok


# Chance and reveals.


def test_undo_can_be_told_to_stop_at_chance(client, tictactoe, start):
    assert client.undo(stop_at_chance=True) is False
    assert client.get_state().version == 3
    assert client.crosses_chance()
    assert client.undo() is True  # plain undo goes back

    without = MatchClient(tictactoe, start(tictactoe))
    assert without.crosses_chance() is False
    without.dispatch(act("mark", cell=4))
    assert without.crosses_chance() is False
    assert without.undo(stop_at_chance=True) is True


def test_holding_draws_nothing_and_rolling_does(pig, start):
    """The exact test is whether the stream was drawn from, action by action."""
    client = MatchClient(pig, start(pig, seed=b"hold"))
    client.dispatch(act("roll"))
    while client.dispatch(act("hold")).ok is False:
        client.dispatch(act("roll"))

    assert client.undo(stop_at_chance=True) is True  # the hold
    assert client.undo(stop_at_chance=True) is False  # the roll before it


@pytest.mark.parametrize(("name", "is_shown"), [("take", True), ("play", True), ("bury", False)])
def test_a_card_that_somebody_saw_is_not_taken_back_and_a_buried_one_is(hands, start, name, is_shown):
    """Taking a hidden card is a reveal, although nothing is drawn."""
    client = MatchClient(hands, start(hands))
    payload = {} if name == "take" else {"card": client.get_state().game.hands[0][1]}
    answer: Any = client.dispatch(Action(name, payload))

    assert answer.drew is False
    assert client.crosses_chance() is is_shown
    assert client.undo(stop_at_chance=True) is not is_shown
    assert client.undo() is is_shown


def test_the_last_hidden_card_is_a_reveal_only_if_it_could_have_been_another(hands, start):
    """Of three players' cards, nine, the deck holds three; with one card unknown there is nothing to learn."""
    client = MatchClient(hands, start(hands))
    match = client.get_state()
    # Everything but the top card of the deck lies on the pile: a knows which card it must be.
    (known, *rest), deck = match.game.hands[0], match.game.deck
    pile = (*rest, *match.game.hands[1], *deck[1:])
    almost = structs.replace(match, game=structs.replace(match.game, hands=((known,), ()), deck=deck[:1], pile=pile))
    client = MatchClient(hands, almost)

    client.dispatch(act("take"))

    assert client.crosses_chance() is False


def test_the_throw_that_opens_both_hands_is_a_reveal_and_the_first_is_not(rps, start):
    client = MatchClient(rps, start(rps))
    client.dispatch(Action("throw", {"hand": "rock"}, "b"))
    assert client.crosses_chance() is False

    client.dispatch(Action("throw", {"hand": "paper"}, "a"))

    assert client.crosses_chance() is True
    assert client.undo(stop_at_chance=True) is False


def test_a_game_that_hides_but_cannot_redeal_counts_as_revealing(start):
    """Its stand-ins cannot be played with; that must not stop undo with a fault."""

    def look(self, state, turn):
        return state if min(state) >= 0 else (1 // 0,)

    game = over(tuple[int, ...], (3, 1, 2), look=action(look), view=lambda self, state, viewer: (-1,) * len(state))()
    client = MatchClient(game, start(game))
    client.dispatch(act("look"))

    assert client.undo(stop_at_chance=True) is False


# The authority.


def test_a_state_of_another_match_or_game_is_refused(client, pig, tictactoe, start):
    before = client.get_state()
    for foreign in (start(pig, match_id="another"), start(tictactoe), structs.replace(before, game_id="pigs")):
        with pytest.raises(WrongMatch):
            client.replace_state(structs.replace(foreign, version=99))

    assert client.get_state() is before
    assert client.calls == []


# Time travel.


def test_going_to_a_version_leaves_the_live_line_alone(client):
    states = client.history()

    assert [client.goto(version) for version in range(4)] == list(states)
    assert client.get_state() is states[3]
    assert client.calls == []


@pytest.mark.parametrize(("undone", "version"), [(0, -1), (0, 4), (0, 10**30), (1, 3)])
def test_there_is_no_going_to_a_version_that_is_not_on_the_line_or_was_undone(client, undone, version):
    for _ in range(undone):
        client.undo()

    with pytest.raises(WrongMatch, match=f"knows versions 0 to {3 - undone}"):
        client.goto(version)
    with pytest.raises(WrongMatch):
        client.fork(version)


def test_a_fork_lives_its_own_life(client, pig):
    assert client.fork().get_state() is client.get_state()
    fork = client.fork(2)

    assert fork.get_state() is client.goto(2)
    assert fork.get_log() == client.get_log()[:2]
    keeps_its_law(fork)
    fork.dispatch(act("roll"), seed=b"another world")
    assert fork.get_state() != client.get_state()
    fork.undo()
    fork.undo()
    fork.undo()
    assert fork.undo() is False
    assert client.get_state().version == 3
    assert client.calls == []
    keeps_its_law(client)
    keeps_its_law(fork)


# Errors and listeners.


def test_a_listener_is_told_until_it_unsubscribes_and_that_twice_is_harmless(client):
    seen: list[Match[Any]] = []
    stop = client.subscribe(seen.append)
    stop_other = client.subscribe(seen.append)  # the same listener twice is two subscriptions
    client.dispatch(act("roll"))
    assert len(seen) == 2
    stop()
    stop()
    client.dispatch(act("roll"))
    assert len(seen) == 3
    stop_other()
    client.dispatch(act("roll"))

    assert len(seen) == 3
    assert len(client.calls) == 3


def test_a_listener_that_raises_stops_neither_the_others_nor_the_match(pig, start):
    client = MatchClient(pig, start(pig))
    seen: list[Match[Any]] = []

    def broken(match):
        raise ValueError("no screen")

    client.subscribe(broken)
    client.subscribe(seen.append)

    assert client.dispatch(act("roll")).ok
    assert client.undo()
    assert [match.version for match in seen] == [1, 0]
    assert [str(error) for error in client.listener_errors] == ["no screen", "no screen"]


def test_listeners_added_or_removed_during_a_notification_do_not_break_it(pig, start):
    client = MatchClient(pig, start(pig))
    seen: list[str] = []
    stops: dict[str, Any] = {}

    def first(match):
        seen.append("first")
        stops["first"]()
        client.subscribe(lambda match: seen.append("late"))

    stops["first"] = client.subscribe(first)
    client.subscribe(lambda match: seen.append("second"))

    client.dispatch(act("roll"))
    assert seen[:1] + [name for name in seen if name == "second"] == ["first", "second"]
    seen.clear()
    client.dispatch(act("roll"))

    assert sorted(seen) == ["late", "second"]


def test_a_listener_may_act_and_everyone_ends_up_with_the_latest_state(pig, start):
    client = MatchClient(pig, start(pig))
    last: list[Match[Any]] = []

    def eager(match):
        if match.version < 4:
            client.dispatch(act("roll"))

    client.subscribe(eager)
    client.subscribe(last.append)

    client.dispatch(act("roll"))

    assert client.get_state().version == 4
    assert last[-1] is client.get_state()
    keeps_its_law(client)


def test_a_client_keeps_the_law_whoever_comes_and_goes(cafe, start):
    client = MatchClient(cafe, start(cafe, ["a", "b", "c"]))
    for asked in (act("sip"), Action("join", {"id": "d", "name": "Dee"}), Action("leave", {}, "b"), act("time_out")):
        assert client.dispatch(asked).ok, asked
    keeps_its_law(client)
    client.undo()
    client.undo()
    keeps_its_law(client)
    assert client.get_state().turn.order == ("a", "b", "c", "d")
