"""The cache of matches, where other processes move them too."""

from __future__ import annotations

import pytest

from croupier.engine import act
from croupier.server.operations import actions, context, room_views, rooms
from croupier.server.operations.context import MatchCache
from croupier.wire.rooms import NewRoom


def test_actions_of_another_process_are_applied_to_the_cached_match(office, ann, bob, monkeypatch):
    """Two processes on one database: the match is not read from its beginning again, unless something was undone."""
    room_id = office.begin(ann, NewRoom("shut-the-box", seats=2), bob).id
    others = MatchCache(office.cache.settings, office.entropy)

    def elsewhere(operation, *arguments):
        own, office.cache = office.cache, others
        try:
            return office.do(operation, *arguments)
        finally:
            office.cache = own

    began = elsewhere(room_views.find_room, ann, room_id)
    with monkeypatch.context() as patched:
        patched.setattr(context, "read_match", lambda *_: pytest.fail("the match was read from its beginning"))
        office.do(actions.act, ann, room_id, 0, act("roll"))
        office.do(actions.act, ann, room_id, 1, office.do(room_views.find_room, ann, room_id, legal=True).legal[0])
        assert elsewhere(room_views.find_room, ann, room_id) == office.do(room_views.find_room, ann, room_id)

    office.do(rooms.ask_undo, ann, room_id)
    undone = office.do(rooms.answer_undo, bob, room_id, True)
    assert undone.version == 3
    assert elsewhere(room_views.find_room, bob, room_id) == undone
    assert began.version == 0
