"""What hosts ask of every game: somebody sits down, leaves, or ran out of time. It is played, logged and replayed."""

from typing import Any, Literal

import pytest
from msgspec import Struct

from croupier.engine import (
    Action,
    Game,
    MatchClient,
    MatchResult,
    Player,
    act,
    action,
    apply_action,
    create_match,
    make_record,
    read_record,
    refuse,
    replay,
    state_digest,
    verify,
    write_record,
)

LEAVE_A, LEAVE_B, LEAVE_C = (Action("leave", {}, player) for player in "abc")


def replays(game, match, *asked: Any) -> Any:
    """Return the last state, once it is certain that the record of these actions gives every state again."""
    client = MatchClient(game, match)
    for one in asked:
        answer = client.dispatch(one)
        assert answer.ok, answer
    record = make_record(game, client.base, client.get_log())
    data = write_record(record)
    assert read_record(data) == record
    assert verify(data, game=game).ok, verify(data, game=game).problem
    assert replay(record, game=game) == client.history()
    return client.get_state()


# Leaving.


def test_when_the_current_player_leaves_the_turn_passes_on(cafe, start):
    after = replays(cafe, start(cafe, ["a", "b", "c"]), LEAVE_A)

    assert after.turn.current == "b"
    assert after.turn.order == ("b", "c")
    assert after.turn.turn_number == 2
    assert after.game.gone == ("a",)
    assert [player.id for player in after.players] == ["a", "b", "c"]  # the seat stays theirs


def test_when_the_last_in_order_leaves_on_their_turn_it_wraps(cafe, start):
    after = replays(cafe, start(cafe, ["a", "b", "c"], starting_player="c"), LEAVE_C)

    assert (after.turn.current, after.turn.order) == ("a", ("a", "b"))


def test_when_another_player_leaves_the_turn_stays(cafe, start):
    after = replays(cafe, start(cafe, ["a", "b", "c"]), LEAVE_B)

    assert (after.turn.current, after.turn.order, after.turn.turn_number) == ("a", ("a", "c"), 1)


def test_when_too_few_are_left_they_win(cafe, start):
    after = replays(cafe, start(cafe, ["a", "b"]), LEAVE_A)

    assert after.status == "finished"
    assert after.result == MatchResult("win", ("b",), "too few players are left")
    assert after.turn.order == ("b",)


def test_when_nobody_is_left_it_is_a_draw(pig, start):
    after = replays(pig, start(pig, ["a"]), LEAVE_A)

    assert after.result == MatchResult("draw", reason="too few players are left")
    assert after.turn.order == ()


def test_leaving_one_by_one_ends_with_the_last(pig, start):
    after = replays(pig, start(pig, ["a", "b", "c"]), LEAVE_B, LEAVE_A)
    assert after.status == "active"
    assert (after.turn.current, after.turn.order) == ("c", ("c",))

    assert replays(pig, start(pig, ["a", "b", "c"]), LEAVE_B, LEAVE_A, LEAVE_C).status == "finished"


def test_without_a_player_it_is_the_current_one_who_leaves(cafe, start):
    answer: Any = apply_action(cafe, start(cafe, ["a", "b", "c"]), act("leave"))

    assert answer.action == LEAVE_A


def test_who_left_is_neither_asked_nor_heard_again(cafe, start, accept, no):
    match = accept(cafe, start(cafe, ["a", "b", "c"]), LEAVE_B)

    for asked in (Action("sip", {}, "b"), LEAVE_B, Action("time_out", {}, "b"), Action("fly", {}, "b")):
        assert no(cafe, match, asked) == "left_match"
    after = accept(cafe, match, act("wait"))
    assert after.turn.current == "c"


@pytest.mark.parametrize("payload", [{"why": "tired"}, {"id": "a"}, [1], "now", 5], ids=repr)
def test_leaving_and_running_out_of_time_take_no_payload(cafe, start, no, payload):
    for name in ("leave", "time_out"):
        assert no(cafe, start(cafe), Action(name, payload)) == "bad_payload"


class Flow(Struct, frozen=True):
    began: tuple[str, ...] = ()


class Guild(Game[Flow]):
    """What a game may do when somebody leaves: end the turn or the game, hand the turn over, or say no."""

    id, name, players = "guild", "Guild", (2, 4)
    late_join = True
    phases = ("late",)
    how: str = ""

    def setup(self, table):
        return Flow()

    @action()
    def go(self, state, turn):
        turn.events.end_turn()
        return state

    def on_turn_begin(self, state, turn):
        return Flow((*state.began, turn.actor))

    def on_leave(self, state, turn):
        if self.how == "refuse":
            refuse("bound", "the oath binds")
        if self.how == "to c":
            turn.events.end_turn("c")
        if self.how == "end turn":
            turn.events.end_turn()
        if self.how == "end game":
            turn.events.end_game(MatchResult("win", ("c",), "the guild is dissolved"))
        if self.how == "phase":
            turn.events.set_phase("late")
        return state

    def on_join(self, state, turn):
        if self.how == "refuse":
            refuse("closed", "the guild is closed")
        if self.how == "to newcomer":
            turn.events.end_turn(turn.actor)
        assert turn.actor in turn.order
        assert turn.seat == len(turn.players) - 1
        return state


@pytest.fixture
def guild():
    return Guild()


@pytest.mark.parametrize(
    ("how", "who", "current", "began"),
    [
        ("", "a", "b", ("b",)),
        ("", "b", "a", ()),
        ("to c", "a", "c", ("c",)),
        ("to c", "b", "c", ("c",)),
        ("end turn", "a", "b", ("b",)),
        ("end turn", "b", "c", ("c",)),
        ("phase", "a", "b", ("b",)),
        ("phase", "b", "a", ()),
    ],
)
def test_a_game_may_say_where_the_turn_goes_when_somebody_leaves(guild, start, how, who, current, began):
    guild.how = how

    after = replays(guild, start(guild, ["a", "b", "c"]), Action("leave", {}, who))

    assert after.turn.current == current
    assert after.game.began == began
    assert after.turn.phase == ("late" if how == "phase" else "play")
    assert who not in after.turn.order


def test_a_game_may_end_because_somebody_left(guild, start):
    guild.how = "end game"

    after = replays(guild, start(guild, ["a", "b", "c"]), LEAVE_A)

    assert after.result == MatchResult("win", ("c",), "the guild is dissolved")
    assert after.game.began == ()


def test_the_games_own_result_beats_that_of_too_few_players(guild, start):
    guild.how = "end game"
    match = start(guild, ["a", "c"])

    assert replays(guild, match, LEAVE_A).result.reason == "the guild is dissolved"


def test_a_game_may_refuse_to_let_go_or_to_let_in(guild, start, no):
    guild.how = "refuse"
    match = start(guild, ["a", "b"])

    assert no(guild, match, LEAVE_A) == "bound"
    assert no(guild, match, act("join", id="d")) == "closed"


def test_leaving_draws_from_the_stream_of_its_own_move(start, accept, oracle_dice):
    class Dicey(Game[tuple[int, ...]]):
        id, name, players = "dicey", "Dicey", (1, 3)

        def setup(self, table):
            return ()

        @action()
        def go(self, state, turn):
            return state

        def on_leave(self, state, turn):
            return turn.rng.dice(6, 3)

    match = accept(Dicey(), start(Dicey(), ["a", "b"], seed=b"leave"), act("go"))

    answer: Any = apply_action(Dicey(), match, act("leave"))

    assert answer.state.game == oracle_dice(b"leave", 0, 2, 3)
    assert answer.drew is True


# Joining.


def test_a_newcomer_takes_the_next_seat_and_plays_after_the_others(cafe, start):
    after = replays(cafe, start(cafe), act("sip"), act("join", id="c", name="Cé"), act("sip"))

    assert after.players[2] == Player("c", "Cé", 2, False)
    assert after.turn.order == ("a", "b", "c")
    assert after.turn.current == "c"
    assert len(after.game.sips) == 3


@pytest.mark.parametrize("is_bot", [True, False])
def test_a_bot_may_join_and_is_one_in_the_replay_too(cafe, start, is_bot):
    """Either it is a bot in the record as well, or a join takes no such field."""
    match = start(cafe)
    asked = act("join", id="c", name="C", is_bot=is_bot)
    if not apply_action(cafe, match, asked).ok:
        return

    after = replays(cafe, match, asked)

    assert after.players[2].is_bot is is_bot


def test_a_newcomer_may_be_handed_the_turn(guild, start):
    guild.how = "to newcomer"

    after = replays(guild, start(guild), act("join", id="z"))

    assert after.turn.current == "z"
    assert after.game.began == ("z",)


def test_the_join_is_logged_as_the_newcomers(cafe, start):
    answer: Any = apply_action(cafe, start(cafe), Action("join", {"id": "c", "name": "C"}, "a"))

    assert answer.action.player_id == "c"
    assert answer.action.payload["id"] == "c"


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({}, "bad_payload"),
        ({"id": ""}, "bad_payload"),
        ({"id": " c"}, "bad_payload"),
        ({"id": "c\n"}, "bad_payload"),
        ({"id": "\ud800"}, "bad_payload"),
        ({"id": "c" * 65}, "bad_payload"),
        ({"id": 5}, "bad_payload"),
        ({"id": None}, "bad_payload"),
        ({"id": ["c"]}, "bad_payload"),
        ({"id": "c", "name": ""}, "accepted"),
        ({"id": "c", "name": "\x00"}, "bad_payload"),
        ({"id": "c", "name": 5}, "bad_payload"),
        ({"id": "c", "seat": 0}, "bad_payload"),  # seats are the engine's to give
        ({"id": "c", "seat": "front"}, "bad_payload"),
        ({"id": "c", "chips": 5}, "bad_payload"),
        ({"id": "c", 5: 5}, "bad_payload"),
        ({"id": "a"}, "already_seated"),
        ({"id": "b", "name": "another b"}, "already_seated"),
        ([], "bad_payload"),
        ("c", "bad_payload"),
        (None, "bad_payload"),
        (5, "bad_payload"),
    ],
    ids=ascii,
)
def test_who_cannot_sit_down_is_told_why(cafe, start, no, payload, code):
    match = start(cafe)
    if code == "accepted":
        assert apply_action(cafe, match, Action("join", payload)).ok
    else:
        assert no(cafe, match, Action("join", payload)) == code


def test_a_full_table_takes_nobody(cafe, start, accept, no):
    match = accept(cafe, start(cafe), act("join", id="c"), act("join", id="d"))

    assert no(cafe, match, act("join", id="e")) == "table_full"
    # A place that is left is free again, but not for one who had it before.
    match = accept(cafe, match, Action("leave", {}, "d"))
    assert no(cafe, match, act("join", id="d")) == "already_seated"
    assert accept(cafe, match, act("join", id="e")).players[4].seat == 4


def test_a_game_that_takes_nobody_late_says_so(pig, start, no):
    assert no(pig, start(pig), act("join", id="c")) == "no_late_join"


# Time.


def test_the_game_says_what_is_done_for_one_who_dawdles(cafe, start):
    after = replays(cafe, start(cafe), act("time_out"))

    assert after.turn.current == "b"
    assert after.game.sips == (0, 0)


def test_otherwise_it_is_the_first_legal_action(pig, start, oracle_dice):
    after = replays(pig, start(pig, seed=b"t"), act("time_out"))

    assert after.game.dice == oracle_dice(b"t", 0, 1, 1)


def test_time_that_runs_out_is_logged_as_such_and_draws_as_the_action_would(pig, start):
    match = start(pig)

    timed: Any = apply_action(pig, match, act("time_out"))
    asked = apply_action(pig, match, act("roll"))

    assert timed.action == Action("time_out", {}, "a")
    assert timed.drew is True
    assert state_digest(timed.state) == state_digest(asked.state)


def test_time_runs_out_for_those_alone_who_have_something_to_do(rps, pig, start, accept, no):
    match = accept(rps, start(rps), Action("throw", {"hand": "rock"}, "b"))
    assert no(rps, match, Action("time_out", {}, "b")) == "nothing_to_do"

    after = replays(rps, start(rps), Action("throw", {"hand": "paper"}, "b"), Action("time_out", {}, "a"))

    assert after.result == MatchResult("win", ("b",), "paper beats rock")
    assert no(pig, start(pig), Action("time_out", {}, "b")) == "nothing_to_do"


def test_a_secret_choice_made_by_the_clock_stays_secret(rps, start):
    client = MatchClient(rps, start(rps))
    client.dispatch(Action("time_out", {}, "a"))

    (entry,) = client.get_log("b", everything=False)

    assert entry.action == Action("time_out", {}, "a")


class Moody(Game[Flow]):
    """Its automatic action changes what it is handed, and draws."""

    id, name, players = "moody", "Moody", (1, 2)
    late_join = True

    def setup(self, table):
        return Flow()

    @action()
    def say(self, state, turn, word: Literal["yes", "no"]):
        return Flow((*state.began, word))

    def auto_action(self, state, turn):
        turn.events.end_turn()
        return act("say", word=turn.rng.pick(("yes", "no")))


def test_an_automatic_action_sees_a_throw_away_stream_and_inert_events():
    words = set()
    for number in range(20):
        match = create_match(Moody(), ["a", "b"], seed=bytes([number]))
        after = apply_action(Moody(), match, act("time_out")).state
        assert after.turn == match.turn
        words.add(after.game.began)

    assert len(words) == 1  # the same whatever the seed: nothing of the real stream is in it


def test_everything_hosts_ask_for_keeps_versions_and_streams_in_step(cafe, start):
    client = MatchClient(cafe, start(cafe, ["a", "b", "c"]))
    for asked in (act("join", id="d"), LEAVE_B, act("time_out"), act("sip"), Action("leave", {}, "d")):
        assert client.dispatch(asked).ok
        state = client.get_state()
        assert state.rng_state.move_number == state.version + 1
    assert client.get_state().version == 5


def test_hosts_may_bring_a_seed_for_their_own_actions(pig, start, oracle_dice):
    match = start(pig)

    answer = apply_action(pig, match, act("time_out"), seed=b"beacon")

    assert answer.state.game.dice == oracle_dice(b"beacon", 0, 1, 1)


def test_the_time_of_a_hosts_action_is_the_callers(cafe, start):
    assert apply_action(cafe, start(cafe, ["a", "b", "c"]), LEAVE_A, now=6).state.updated_at == 6
    assert apply_action(cafe, start(cafe), act("time_out"), now=7).state.updated_at == 7
    assert apply_action(cafe, start(cafe), act("join", id="c"), now=8).state.updated_at == 8
