"""Clocks that are set a day ahead or a day back, while the server runs and while it is down."""

from __future__ import annotations

from itertools import pairwise

import pytest

from croupier.server.running.background import _grant
from croupier.server.running.clock import SteadyClock

DAY = 86_400_000
ROOM = {"game": "shut-the-box", "seats": 1, "turn_ms": 60_000}


class Walls:
    """The two clocks of a machine: one that somebody sets, and one that only goes on."""

    def __init__(self, now):
        self.wall, self.steady = now * 1_000_000, 5_000_000_000
        self.boot()

    def boot(self):
        """Start a process: it takes the wall clock's time once, and carries it on."""
        self.clock = SteadyClock(lambda: self.wall, lambda: self.steady)

    def now(self):
        return self.clock.now()

    def pass_by(self, ms):
        self.wall += ms * 1_000_000
        self.steady += ms * 1_000_000

    def jump(self, ms):
        self.wall += ms * 1_000_000


@pytest.fixture
def walls(site):
    made = Walls(site.now)
    site.service.clock = made.now
    return made


@pytest.mark.parametrize("jump_s", [3600, -3600])
def test_the_servers_time_follows_a_jump_by_a_hundredth(jump_s):
    walls = Walls(1_000_000_000)
    seen = [walls.now()]
    walls.jump(jump_s * 1000)
    for _ in range(1000):
        walls.pass_by(1000)
        seen.append(walls.now())
    assert seen[0] == 1_000_000_000
    assert {later - earlier for earlier, later in pairwise(seen)} == {1010 if jump_s > 0 else 990}
    assert walls.clock.monotonic() == 1_005_000


def test_the_servers_time_is_the_walls_once_it_has_caught_up():
    walls = Walls(1_000_000_000)
    walls.jump(1000)
    for _ in range(200):
        walls.pass_by(1000)
        walls.now()
    assert walls.now() * 10**6 == walls.wall


jumps = pytest.mark.parametrize("jump", [DAY, -DAY], ids=["a day ahead", "a day back"])


@jumps
def test_a_turn_is_as_long_as_it_was_when_the_clock_is_set(site, walls, jump):
    """A deadline comes a hundredth early or late at most."""
    ann = site.person()
    room = site.begin(ann, ROOM)
    begin = site.service.clock()
    assert room["deadline"] == begin + 60_000
    walls.jump(jump)
    walls.pass_by(59_000)
    assert site.service.look_now(lambda call: call.tx.due_rooms(call.now, 10)) == []
    walls.pass_by(1_700)
    assert [due.id for due in site.service.look_now(lambda call: call.tx.due_rooms(call.now, 10))] == [room["id"]]


@jumps
def test_a_key_is_good_for_its_day_when_the_clock_is_set(site, walls, jump):
    ann = site.person()
    first = ann.post("/commitments", headers={"Idempotency-Key": "k"})
    walls.jump(jump)
    walls.pass_by(60_000)
    assert ann.post("/commitments", headers={"Idempotency-Key": "k"}) == first
    walls.pass_by(23 * 3_600_000 * 98 // 100)
    assert ann.post("/commitments", headers={"Idempotency-Key": "k"}) == first
    walls.pass_by(2 * 3_600_000)
    assert ann.post("/commitments", headers={"Idempotency-Key": "k"}) != first


@jumps
def test_tokens_and_tickets_last_as_long_as_they_would_have(make_site, jump):
    site = make_site(token_days=2)
    walls = Walls(site.now)
    site.service.clock = walls.now
    ann = site.person()
    walls.jump(jump)
    walls.pass_by(46 * 3_600_000)
    assert ann.get("/me")["name"] == "Ann"
    walls.pass_by(3 * 3_600_000)
    assert ann.refused("GET", "/me") == (401, "bad_token")


@jumps
def test_a_looser_limit_of_ones_own_waits_its_day_when_the_clock_is_set(site, walls, jump):
    """Nobody gets around a limit by waiting for an operator to set the clock."""
    ann = site.person()
    ann.good(ann.ask("PUT", "/me/limits", {"loss_day": 5}))
    ann.good(ann.ask("PUT", "/me/limits", {"loss_day": 500}))
    walls.jump(jump)
    walls.pass_by(3_600_000)
    session = site.session(ann, 6)
    stake = {"type": "place", "payload": {"bet": "red", "stake": 6}}
    body = {"id": "a", "expected_version": 0, "action": stake}
    assert ann.refused("POST", f"/sessions/{session['session_id']}/moves", body) == (403, "loss_limit")


def test_the_servers_time_never_goes_back(site, walls):
    times = [site.service.clock()]
    for jump in (-DAY, DAY, -DAY, 5, -DAY):
        walls.jump(jump)
        walls.pass_by(10)
        times.append(site.service.clock())
    assert times == sorted(times)


@jumps
def test_a_server_that_was_down_while_the_clock_was_set_gives_a_turn_its_usual_time(site, walls, jump):
    """A deadline that was due long ago begins anew, and nobody waits for one that is a day away."""
    ann = site.person()
    room = site.begin(ann, ROOM)
    waiting = ann.post("/rooms", {**ROOM, "seats": 2})  # for others, who have longer than a turn to come
    walls.jump(jump)
    walls.boot()
    site.service.change_now(_grant)
    now = site.service.clock()
    assert now - site.now == jump
    assert ann.get(f"/rooms/{room['id']}")["deadline"] == now + 60_000
    assert ann.get(f"/rooms/{waiting['id']}")["deadline"] == now + site.service.settings.abandoned_ms


@jumps
def test_nothing_happens_twice_when_the_clock_was_set_while_the_server_was_down(site, walls, jump):
    """A key may have been forgotten with its day; the version that the action named is still taken."""
    ann = site.person()
    room = site.begin(ann, ROOM)
    body = {"id": "k", "expected_version": 0, "action": {"type": "roll"}}
    first = ann.post(f"/rooms/{room['id']}/actions", body)
    walls.jump(jump + (1 if jump > 0 else -1))
    walls.boot()
    if jump < 0:
        assert ann.post(f"/rooms/{room['id']}/actions", body) == first
    else:
        assert ann.refused("POST", f"/rooms/{room['id']}/actions", body) == (409, "stale_version")
    assert ann.get(f"/rooms/{room['id']}")["version"] == 1
