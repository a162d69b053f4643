"""Bots in rooms have a budget: they do not play for ever, with nobody there or with somebody who looks on."""

from __future__ import annotations

from croupier.engine import act
from croupier.server.operations import actions, room_bots, rooms
from croupier.wire.rooms import NewRoom


def bots_play(office, room, most):
    """Let the bots of a room act, the first legal action each time, and return how often they did."""
    for count in range(most):
        if office.bot_moves(room.id) is None:
            return count
    return most


def test_bots_do_not_play_on_when_everybody_else_has_left(office, ann):
    """Three bots went on throwing dice for ever."""
    room = office.begin(ann, NewRoom("craps-table", bots=("random",) * 3))
    bots_play(office, room, 40)

    office.do(rooms.leave_room, ann, room.id)

    bots_play(office, room, 1_000)
    assert office.do(lambda call: call.room(room.id)).status == "finished"


def test_bots_play_among_themselves_only_so_long_and_go_on_when_a_person_acts(office, ann, monkeypatch):
    monkeypatch.setattr(room_bots, "ALONE_MAX", 100)
    room = office.begin(ann, NewRoom("craps-table", bots=("random",) * 3))
    assert bots_play(office, room, 1_000) == 128  # the first multiple of 64 from 100 on
    assert bots_play(office, room, 1_000) == 0
    office.restart()
    assert bots_play(office, room, 1_000) == 0

    office.do(actions.act, ann, room.id, 128, act("buy_in", chips=20))

    assert bots_play(office, room, 1_000) == 127  # at 192 the action of a person is not a hundred old
