"""The catalogue of games: schemas that fit what games take, rules, pay tables, odds, the coach, and previews."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from croupier.engine import act, get_game, list_games, state_digest, view_for
from croupier.engine.plain import canonical
from croupier.engine.views import imagine
from croupier.house import HouseGame
from croupier.rng import GameRng
from croupier.server.operations import actions, catalogue, room_views, rooms, sessions
from croupier.server.operations.catalogue import pay_tables
from croupier.server.problems import Problem
from croupier.wire.rooms import NewRoom

GAMES = list_games()
VIDEO_POKER = 4


def reason(operation, *arguments):
    with pytest.raises(Problem) as caught:
        operation(*arguments)
    return caught.value.reason


def odds(office, game_id, table=None, is_super=False):
    found, options = office.do(catalogue.table_options, game_id, table)
    return catalogue.odds_of(found, options, is_super)


# Games.


def test_every_game_is_listed_with_who_plays_it():
    listed = {game.id: game for game in catalogue.list_all_games()}

    assert set(listed) == set(GAMES)
    assert listed["roulette"].is_house
    assert not listed["lanes"].is_house
    assert listed["shut-the-box"].players == get_game("shut-the-box").players
    assert "random" in listed["lanes"].bots


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_tells_the_schemas_of_everything_it_takes(game_id):
    game, seen = get_game(game_id), catalogue.find_game(game_id)

    assert set(seen.actions) == set(game.actions)
    for name, action in seen.actions.items():
        assert action.payload["type"] == "object"
        assert set(action.payload["properties"]) == set(game.actions[name].fields)
        assert action.payload.get("additionalProperties") is False
    msgspec.json.encode(seen)


def test_an_unknown_game_is_refused():
    for operation in (catalogue.find_game, catalogue.rules_of):
        assert reason(operation, "whist") == "no_such_game"
        assert reason(operation, "../etc") == "no_such_game"


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_are_those_for_people(game_id):
    found = catalogue.rules_of(game_id)

    assert found.rules.startswith("# ")
    assert len(found.rules) > 500


def test_pay_tables_are_the_tables_of_the_rules_that_say_what_is_paid():
    prices = "## Prices\n| hand | pays |\n|:--|--:|\n| pair | 1 to 1 |\n| a \\| b | 2 |"
    page = f"# A\n| x | y |\n|---|---|\n| 1 | 2 |\n\n{prices}"

    (table,) = pay_tables(page)
    assert table.heading == "Prices"
    assert table.columns == ("hand", "pays")
    assert table.rows == (("pair", "1 to 1"), ("a \\| b", "2"))


@pytest.mark.parametrize(
    ("game_id", "first", "cell"),
    [("sic-bo", "`any_triple`", "24 to 1"), ("roulette", "`straight:17`", "35 to 1"), ("video-poker", "flush", "6")],
)
def test_games_with_prices_have_pay_tables(game_id, first, cell):
    rows = [row for table in catalogue.find_game(game_id).pay_tables for row in table.rows]

    assert any(first in row[0] and any(cell in other for other in row[1:]) for row in rows), rows


# Odds.


def test_odds_are_exact_and_those_of_the_table_and_of_its_mode(office):
    usual = odds(office, "roulette")
    (red,) = [row for row in usual.bets if row["bet"] == "red"]
    (straight,) = [row for row in odds(office, "roulette", None, True).bets if row["bet"] == "straight:17"]

    assert (red["edge"], red["win"], usual.options) == ("1/37", "18/37", {"zero_rule": "standard"})
    assert odds(office, "roulette", 6) == usual
    assert Fraction(straight["edge"]) > 0
    assert straight not in usual.bets


@pytest.mark.parametrize(
    ("game_id", "table", "code"),
    [
        ("roulette", 7, "not_found"),
        ("roulette", 600, "not_found"),
        ("lanes", None, "no_odds"),
        ("whist", None, "no_such_game"),
    ],
)
def test_odds_that_there_are_none_of_are_refused(office, game_id, table, code):
    assert reason(odds, office, game_id, table) == code


# The coach.


def test_the_coach_values_every_choice_best_first(office, ann):
    room = office.begin(ann, NewRoom("shut-the-box", seats=1))
    room = office.do(actions.act, ann, room.id, 0, act("roll"))
    (situation,) = office.do(catalogue.coach_room, ann, room.id, "").arguments
    said = catalogue.advise(situation)

    assert said.version == 1
    assert said.objective == get_game("shut-the-box").objectives[0]
    assert {canonical(row.action) for row in said.advice} == {canonical(action) for action in situation.legal}
    assert said.advice[0].cost == "0/1"
    costs = [Fraction(row.cost or 0) for row in said.advice]
    assert costs == sorted(costs)


def test_the_coach_of_a_session_speaks_of_its_hand_until_it_is_over(office, ann):
    number = office.start(ann, VIDEO_POKER, 5).session_id
    said = office.do(catalogue.coach_session, ann, number, "return")()

    assert len(said.advice) == 32  # every set of five cards that can be held
    assert said.player_id == ann.id
    assert office.refusal(catalogue.coach_session, ann, number, "fame") == "bad_request"
    office.do(sessions.close_session, ann, number)
    assert office.refusal(catalogue.coach_session, ann, number, "") == "finished"


def test_the_coach_is_asked_by_who_has_a_seat_and_about_what_they_see(office, ann, bob):
    room = office.begin(ann, NewRoom("lanes", bots=("random",)))

    assert office.do(catalogue.coach_room, ann, room.id, "").arguments[0].view.viewer == ann.id
    assert office.refusal(catalogue.coach_room, bob, room.id, "") == "not_seated"


def test_a_game_without_a_coach_says_so(office, ann):
    number = office.start(ann).session_id

    assert office.refusal(catalogue.coach_session, ann, number, "") == "no_coach"
    assert not get_game("roulette").objectives


def test_tables_are_listed_with_their_limits(office):
    tables = {table.id: table for table in office.do(catalogue.list_tables)}

    assert len(tables) == sum(isinstance(get_game(game_id), HouseGame) for game_id in GAMES)
    assert (tables[6].game, tables[6].stake_min, tables[6].stake_max) == ("roulette", 1, 10_000)


# Previews.


@pytest.fixture
def room_id(office, ann):
    """A room in which Ann plays lanes with a bot."""
    return office.begin(ann, NewRoom("lanes", bots=("random",))).id


def plays(office, ann, room_id):
    """Return what Ann can play now, after she has kept her hand and whoever is before her has moved."""
    for _ in range(20):
        (situation,) = office.do(catalogue.coach_room, ann, room_id, "").arguments
        found = [action for action in situation.legal if action.type == "play"]
        if found:
            return situation, found
        version = office.do(room_views.find_room, ann, room_id).version
        if situation.legal:
            office.do(actions.act, ann, room_id, version, situation.legal[0])
        else:
            office.bot_moves(room_id)
    raise AssertionError("nobody ever plays")


def foreseen(office, ann, room_id, action):
    payload = msgspec.json.encode(action.payload).decode()
    return office.do(catalogue.preview_in_room, ann, room_id, action.type, payload)


def test_a_preview_shows_the_board_that_the_play_then_leads_to(office, ann, room_id):
    """The board that was foreseen is there after the very play; only the next card could not be known."""
    situation, found = plays(office, ann, room_id)
    seen = foreseen(office, ann, room_id, found[0])
    version = office.do(room_views.find_room, ann, room_id).version
    office.do(actions.act, ann, room_id, version, found[0])
    after = office.do(room_views.find_room, ann, room_id)

    assert seen.version == situation.view.version
    assert seen.reasons
    assert seen.game.tiles != situation.view.game.tiles
    assert seen.game.tiles == after.view.game.tiles
    assert seen.game.lanes == after.view.game.lanes


def test_a_preview_follows_from_what_the_viewer_sees(office, ann, room_id):
    """Matches that differ in what is hidden from Ann, and in nothing she sees, are foreseen alike."""
    situation, found = plays(office, ann, room_id)
    game, view = get_game("lanes"), situation.view
    others = [imagine(game, view, GameRng.new(bytes([turn]), 0, 0)) for turn in range(5)]

    assert len({state_digest(other) for other in others}) == 5
    for action in found[:5]:
        expected = foreseen(office, ann, room_id, action).game
        for other in others:
            seen = game.foresee(view_for(game, other, ann.id), action)
            assert seen is not None
            assert seen[0] == expected


def test_previews_that_cannot_be_are_refused(office, ann, bob, room_id):
    _, found = plays(office, ann, room_id)
    good = msgspec.json.encode(found[0].payload).decode()
    ask = catalogue.preview_in_room

    assert office.refusal(ask, bob, room_id, "play", good) == "not_seated"
    assert office.refusal(ask, ann, room_id, "play", '{"hand_index":0,"lane":7,"col":0}') == "bad_request"
    for payload in ("{", "[]", '{"a":', "1", '"x"', '{"hand_index":true}'):
        assert reason(office.do, ask, ann, room_id, "play", payload) == "bad_request"  # in the words of the decoder
    assert office.refusal(ask, ann, room_id, "cheat", "{}") == "bad_request"
    fresh = office.begin(bob, NewRoom("lanes", bots=("random",)))
    mulligan = office.do(room_views.find_room, bob, fresh.id, legal=True).legal[0]
    with pytest.raises(Problem, match="no_preview: this action is not shown beforehand"):  # of a game that shows others
        foreseen(office, bob, fresh.id, mulligan)
    alone = office.begin(bob, NewRoom("shut-the-box", seats=1))
    assert office.refusal(ask, bob, alone.id, "roll", "{}") == "no_preview"
    office.do(rooms.leave_room, bob, alone.id)
    assert office.refusal(ask, bob, alone.id, "roll", "{}") == "not_seated"


def test_a_room_that_closed_before_its_match_has_no_coach_and_no_preview(office, ann):
    room = office.do(rooms.create_room, ann, NewRoom("shut-the-box", seats=2))
    office.now = room.deadline
    assert office.do(rooms.time_up, room.id).status == "closed"

    assert office.refusal(catalogue.coach_room, ann, room.id) == "not_started"
    assert office.refusal(catalogue.preview_in_room, ann, room.id, "roll") == "not_started"
