"""The API over HTTP: whole rounds, idempotency keys, versions, hostile input, rate limits, origins, headers."""

from __future__ import annotations

import re
from random import Random

import pytest

from croupier.engine import get_game, list_games, read_record, verify
from croupier.house import HouseGame
from croupier.server.operations.dice import KEY_EXAMPLE
from croupier.server.operations.table_settings import usual_tables
from croupier.server.problems import Problem
from croupier.server.running import requests as requests_module
from croupier.server.transport.openapi import PREFIX
from croupier.server.transport.reading import check_depth
from croupier.store.interface import StoreUnavailable
from tests.unit.server.starting import begin_over_http

HOUSE_GAMES = [table.game_id for table in usual_tables().values()]
DAY = 86_400_000
PLACE = {"type": "place", "payload": {"bet": "red", "stake": 10}}
KEY = {"headers": {"Idempotency-Key": "k1"}}


@pytest.fixture(scope="module")
def town(make_town):
    """A server for all tests that do not mind each other."""
    return make_town()


@pytest.fixture
def ann(town):
    return town.person()


# Whole rounds.


def test_every_house_game_has_a_table():
    assert sorted(HOUSE_GAMES) == [g for g in sorted(list_games()) if isinstance(get_game(g), HouseGame)]


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_a_round_of_every_house_game_is_played_and_its_record_verifies(town, game_id):
    play_round(town, game_id)


def play_round(town, game_id):
    """Play a round at random, and check its record, its recall and its chips."""
    ann, rng = town.person(), Random(game_id)
    table = next(table for table in usual_tables().values() if table.game_id == game_id)
    opens = ann.get(f"/games/{game_id}")["opens_with_stake"]
    session = town.session(ann, table.id, 10 if opens else 0)
    number = session["session_id"]
    for _ in range(40):
        if session["is_complete"]:
            break
        legal = ann.get(f"/sessions/{number}?legal=true")["legal"]
        cheap = [action for action in legal if action["payload"].get("stake", 1) <= 50] or legal
        session = town.move(ann, session, rng.choice(cheap))
    if not session["is_complete"]:
        session = ann.post(f"/sessions/{number}/close")

    data = ann.ask("GET", f"/sessions/{number}/record").content
    found = verify(data)
    assert found.ok, found.problem
    names = ["form", "rules", "commitment", "seed", "receipt", "moves", "seal"]
    assert [check.name for check in found.checks] == names
    record = read_record(data)
    assert (record.game_id, record.session_id) == (game_id, number)
    assert record.commitments is not None
    assert record.commitments.commitment == session["commitment"]
    steps = ann.get(f"/sessions/{number}/recall?limit=100")
    assert steps[-1]["view"] == session["view"]
    assert len(record.actions) == session["version"] >= 1
    movements = ann.get("/me/ledger?limit=100")
    balance = sum(row["amount"] * (1 if row["target"] == f"player/{ann.id}" else -1) for row in movements)
    assert balance == session["purse"]["chips"]


def test_postgresql_serves_the_same(make_site, postgres):
    """A round, a key, a refusal, a page, an export and a deletion: every kind of statement that requests lead to."""
    site = make_site(postgres.new_database())
    play_round(site, "blackjack")
    ann, olga = site.person(), site.operator()
    assert ann.post("/me/deposits", {"amount": 5}, **KEY) == ann.post("/me/deposits", {"amount": 5}, **KEY)
    assert ann.refused("POST", "/me/deposits", {"amount": 5}) == (422, "deposit_too_soon")
    room = site.begin(ann, {"game": "shut-the-box", "seats": 1})
    ann.post(f"/rooms/{room['id']}/actions", {"id": "1", "expected_version": 0, "action": {"type": "roll"}})
    assert ann.ask("GET", f"/rooms/{room['id']}/coach").status_code == 200
    assert [row["id"] for row in ann.get("/rooms?game=shut-the-box&limit=1")] == [room["id"]]
    olga.post(f"/operator/rooms/{room['id']}/freeze", {"frozen": True})
    assert ann.get("/me/export")["rooms"][0]["is_frozen"] is True
    ann.good(ann.ask("DELETE", "/me"))
    assert ann.refused("GET", "/me") == (401, "bad_token")


def test_a_match_between_two_people_and_a_bot_in_a_seat(site):
    ann, bob = site.person("Ann"), site.person("Bob")
    room = ann.post("/rooms", {"game": "shut-the-box", "seats": 2})
    room_id, code = room["id"], room["code"]
    assert site.nobody.get("/rooms")[0]["id"] == room_id
    joined = bob.post(f"/rooms/{code.lower()}/join")
    assert (joined["status"], joined["seat"], joined["commitment"]) == ("open", 1, room["commitment"])
    begin_over_http(joined, ann, bob)
    by_id = {ann.id: ann, bob.id: bob}
    version = 0
    for _ in range(200):
        seen = ann.get(f"/rooms/{room_id}?legal=true")
        if seen["status"] == "finished":
            break
        mover = by_id[seen["view"]["turn"]["current"]]
        legal = mover.get(f"/rooms/{room_id}?legal=true")["legal"]
        body = {"id": f"a{version}", "expected_version": version, "action": legal[0]}
        version = mover.post(f"/rooms/{room_id}/actions", body)["version"]

    assert seen["status"] == "finished"
    assert seen["server_seed"] is not None
    data = site.nobody.ask("GET", f"/rooms/{room_id}/record").content
    assert verify(data).ok
    pair = read_record(data).commitments
    assert pair is not None
    assert pair.commitment == room["commitment"]
    log = bob.get(f"/rooms/{room_id}/log?since=2")
    assert [entry["version"] for entry in log["entries"]] == list(range(3, version + 1))
    again = bob.post(f"/rooms/{room_id}/rematch")
    assert ann.post(f"/rooms/{room_id}/rematch")["id"] == again["id"] != room_id


def test_the_coach_and_the_odds_answer(town, ann):
    session = town.session(ann, 4, 5)
    said = ann.get(f"/sessions/{session['session_id']}/coach")

    assert said["advice"][0]["cost"] == "0/1"
    (red,) = [row for row in ann.get("/games/roulette/odds?table=6")["bets"] if row["bet"] == "red"]
    assert red["edge"] == "1/37"


# Once.


def test_a_key_makes_a_request_idempotent(ann):
    first, second = (ann.ask("POST", "/me/deposits", {"amount": 100}, **KEY) for _ in range(2))

    assert first.status_code == second.status_code == 200
    assert first.content == second.content
    assert ann.get("/me")["house"]["chips"] == 1100


def test_the_same_key_with_another_request_is_refused(ann):
    ann.post("/commitments", **KEY)

    assert ann.refused("POST", "/me/deposits", {"amount": 1}, **KEY) == (409, "key_reused")
    ann.post("/me/deposits", {"amount": 1}, headers={"Idempotency-Key": "k2"})
    assert ann.refused("POST", "/me/deposits", {"amount": 2}, headers={"Idempotency-Key": "k2"}) == (409, "key_reused")
    assert ann.get("/me")["house"]["chips"] == 1001


def test_idempotency_keys_are_scoped_to_the_account(town):
    ann, bob = town.person("Ann"), town.person("Bob")
    first, other = ann.post("/commitments", **KEY), bob.post("/commitments", **KEY)

    assert first["session_id"] != other["session_id"]


def test_a_key_is_kept_for_a_day(site):
    ann = site.person()
    first = ann.post("/commitments", **KEY)
    site.now += DAY - 1
    assert ann.post("/commitments", **KEY) == first
    site.now += 1
    assert ann.post("/commitments", **KEY)["session_id"] != first["session_id"]


def test_a_refusal_is_not_kept(site):
    ann, olga = site.person(), site.operator()
    olga.post("/operator/freeze", {"frozen": True})
    assert ann.refused("POST", "/commitments", **KEY) == (423, "frozen")
    olga.post("/operator/freeze", {"frozen": False})

    assert ann.post("/commitments", **KEY)["session_id"] > 0


@pytest.mark.parametrize("key", ["", "x" * 65, "a\tb", "a b"])
def test_a_key_is_short_and_printable(ann, key):
    assert ann.refused("POST", "/commitments", headers={"Idempotency-Key": key}) == (400, "bad_request")


def test_an_action_id_is_a_key(town, ann):
    session = town.session(ann, 6)
    path = f"/sessions/{session['session_id']}/moves"
    body = {"id": "m1", "expected_version": 0, "action": PLACE}
    first = ann.post(path, body)
    ann.post(path, {"id": "m2", "expected_version": 1, "action": {"type": "spin"}})

    assert ann.post(path, body) == first  # the answer had got lost; the session has moved on since
    assert ann.refused("POST", path, {**body, "expected_version": 2}) == (409, "key_reused")
    assert len(ann.get(f"/sessions/{session['session_id']}/recall")) == 3
    assert ann.refused("POST", path, body, **KEY) == (400, "bad_request")  # two keys, of which one would be ignored
    assert ann.post(path, body, headers={"Idempotency-Key": "m1"}) == first


def test_answers_with_a_secret_are_not_kept(town, ann):
    tokens = {ann.post("/me/tokens", {"label": "x"}, **KEY)["token"] for _ in range(2)}

    assert len(tokens) == 2
    assert town.store.read(lambda tx: tx.find_reply(ann.id, "k1")) is None


def test_a_refusal_of_the_rules_is_422_and_a_stale_version_is_told_the_current_one(town, ann):
    room = town.begin(ann, {"game": "shut-the-box", "seats": 1})
    path, roll = f"/rooms/{room['id']}/actions", {"id": "1", "expected_version": 0, "action": {"type": "roll"}}
    shut = {**roll, "action": {"type": "shut", "payload": {"tiles": [1]}}}

    assert ann.refused("POST", path, shut) == (422, "wrong_phase")
    assert ann.get(f"/rooms/{room['id']}")["version"] == 0
    ann.post(path, roll)
    response = ann.ask("POST", path, {**roll, "id": "2"})
    assert (response.status_code, response.json()["code"], response.json()["version"]) == (409, "stale_version", 1)


# What clients should not send.

HOSTILE = {
    "nothing": b"",
    "not JSON": b"{",
    "null": b"null",
    "a list": b"[]",
    "a number": b"7",
    "a lone surrogate": b'{"name": "\\ud800"}',
    "bytes that are no text": b'{"name": "\xff"}',
    "NUL": b'{"name": "a\\u0000b"}',
    "a number for a name": b'{"name": 7}',
    "true for a name": b'{"name": true}',
    "no name": b"{}",
    "one field too many": b'{"name": "Ann", "role": "operator"}',
    "another case": b'{"Name": "Ann"}',
    "a key twice": b'{"name": "Ann", "name": "Bob"}',
    "nested too deeply": b'{"name": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "nested a little too deeply": b'{"name": ' + b"[" * 32 + b"]" * 32 + b"}",
    "a huge number": b'{"name": "Ann", "label": ' + b"9" * 5000 + b"}",
    "infinity": b'{"name": 1e999}',
    "not a number": b'{"name": NaN}',
    "a byte order mark": b'\xef\xbb\xbf{"name": "Ann"}',
    "two values": b'{"name": "Ann"} {"name": "Bob"}',
}


def send(town, content, kind="application/json"):
    """Ask for an account with these bytes as the body."""
    headers = {} if kind is None else {"Content-Type": kind}
    return town.client.post(f"{PREFIX}/accounts", content=content, headers=headers)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_are_refused_politely(town, name):
    response = send(town, HOSTILE[name])

    assert response.status_code == 400, response.text
    assert response.json()["code"] in ("bad_request", "bad_name")
    assert len(response.content) < 1000


HUGE = [-1, 2**53 + 1, 2**63, 2**64, 10**400, 1.5, 1e300, True, "7", None, [], {}]


@pytest.mark.parametrize("value", HUGE, ids=lambda value: repr(value)[:12])
def test_numbers_are_whole_and_bounded(town, ann, value):
    number = ann.post("/commitments")["session_id"]
    bodies = {
        "/me/deposits": {"amount": value},
        "/sessions": {"session_id": value, "table": 6},
        f"/sessions/{number}/moves": {"id": "1", "expected_version": value, "action": PLACE},
    }
    for path, body in bodies.items():
        status, code = ann.refused("POST", path, body)
        assert (status, code) == (400, "bad_request"), path
    session = town.session(ann, 6)
    move = {"type": "place", "payload": {"bet": "red", "stake": value}}
    body = {"id": "1", "expected_version": 0, "action": move}
    assert ann.ask("POST", f"/sessions/{session['session_id']}/moves", body).status_code in (400, 422)
    room = town.begin(ann, {"game": "shut-the-box", "seats": 1})
    body["action"] = {"type": "shut", "payload": {"tiles": [value]}}
    assert ann.ask("POST", f"/rooms/{room['id']}/actions", body).status_code in (400, 422)


@pytest.mark.parametrize(
    "room",
    [
        {"game": "whist"},
        {"game": "roulette"},
        {"game": "lanes", "seats": 10**30},
        {"game": "lanes", "turn_ms": 10**30},
        {"game": "lanes", "turn_ms": -1},
        {"game": "lanes", "bots": ["random"] * 1000},
        {"game": "lanes", "bots": ["nobody"]},
        {"game": "lanes", "bots": ["\u0000"]},
        {"game": "lanes", "options": {"x": 10**30}},
        {"game": "lanes", "options": {"\u0000": "\u0000"}},
        {"game": "lanes", "client_seed": "aa"},
        {"game": "lanes", "ready": True},
        {"key": KEY_EXAMPLE + "\n"},
        *({"key": KEY_EXAMPLE, "turn_ms": turn_ms} for turn_ms in (2**64, 2**62, -1, 5)),
    ],
    ids=lambda room: repr(room)[-40:],
)
def test_rooms_with_impossible_options_are_refused(town, room):
    response = town.person().ask("POST", "/dice-rooms" if "key" in room else "/rooms", room)

    assert response.status_code in (400, 404, 422), response.text


@pytest.mark.parametrize("name", ["a b", "%00", "é", "x" * 65, "..%2f..%2fetc", "';--", "%ff", "%ed%a0%80"])
def test_names_in_paths_are_plain(town, name):
    for path in (f"/rooms/{name}", f"/games/{name}", f"/sessions/{name}", f"/operator/accounts/{name}"):
        status, _ = town.operator().refused("GET", path)
        assert status == 404


@pytest.mark.parametrize("number", ["0", "-1", "1e3", "9" * 18, "9" * 19, "0x1", "\u0661", "1.0"])
def test_invalid_session_ids_are_not_found(town, number):
    assert town.person().refused("GET", f"/sessions/{number}")[0] == 404


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=x",
        "limit=1.5",
        "limit=" + "9" * 5000,
        "limit=5&limit=6",
        "unknown=1",
        "after=%00",
        "after=%ff",
        "after=a%20b",
        "game=" + "x" * 65,
        "limit",
        "&".join(f"x{n}=1" for n in range(100)),
    ],
    ids=lambda query: query[:16],
)
def test_queries_are_typed_and_bounded(town, query):
    assert town.nobody.refused("GET", f"/rooms?{query}") == (400, "bad_request")


def test_bodies_have_a_largest_size_however_they_come(town):
    content = b'{"name": "' + b"x" * 65_536 + b'"}'
    pieces = (content[at : at + 1000] for at in range(0, len(content), 1000))
    for body in (content, pieces):
        response = send(town, body)
        assert (response.status_code, response.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])
def test_bodies_are_json_and_say_so(town, kind):
    response = send(town, b'{"name": "Ann"}', kind)

    assert (response.status_code, response.json()["code"]) == (415, "wrong_type")


def test_json_may_name_its_charset(town):
    assert send(town, b'{"name": "Ann"}', "Application/JSON; charset=utf-8").status_code == 201


def test_a_request_without_a_body_may_bring_an_empty_one_and_no_other(ann):
    assert ann.post("/commitments", {})["session_id"] > 0
    assert ann.refused("POST", "/commitments", {"session_id": 5}) == (400, "bad_request")


@pytest.mark.parametrize(
    ("data", "depth"),
    [
        (b"7", 0),
        (b"[[]]", 2),
        (b'{"a":[{}]}', 3),
        (b'"[[[["', 0),
        (b'["\\"[[", "]]"]', 1),
        (b'"\\\\" [[', 2),
        (b'"[[', 0),
    ],
)
def test_depth_is_counted_outside_of_strings(data, depth):
    check_depth(data, depth)
    if depth:
        with pytest.raises(Problem):
            check_depth(data, depth - 1)


# Who comes too often, from elsewhere, or too late.


def test_an_account_is_counted_whatever_token_it_uses(make_site):
    site = make_site(requests_burst=20, requests_refill_ms=1500)
    ann = site.person()
    other = ann.post("/me/tokens", {"label": "other"})["token"]
    for token in (ann.token, other) * 4:
        ann.token = token
        ann.get("/me")
    assert site.service.requests_limit.wait_ms(f"account {ann.id}") == 0
    known = set(site.service.accounts_known.values())
    assert known == {ann.id}
    for _ in range(20):
        site.service.requests_limit.allow(f"account {ann.id}")
    response = ann.ask("GET", "/me")
    assert (response.status_code, response.json()["code"]) == (429, "too_many_requests")
    assert response.headers["retry-after"] == "2"
    assert response.json()["retry_after_ms"] == 1500


def test_an_address_may_open_so_many_accounts(make_site):
    site = make_site(registrations_burst=2, registrations_refill_ms=1000)
    site.person("Ann"), site.person("Bob")

    assert site.nobody.refused("POST", "/accounts", {"name": "Cy"}) == (429, "too_many_requests")
    assert site.nobody.get("/games")
    site.ticks += 1000
    site.person("Cy")


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://testserver.local", True),
        ("https://testserver.local", True),
        ("https://friend.example", True),
        ("https://evil.example", False),
        ("https://testserver.local.evil.example", False),
        ("http://testserver.local:8080", False),
        ("null", False),
        ("", False),
        ("http://[", False),
    ],
)
def test_pages_of_other_sites_change_nothing(make_site, origin, allowed):
    site = make_site(origins=("https://friend.example",))
    ann = site.person()
    response = ann.ask("POST", "/commitments", headers={"Origin": origin})

    if allowed:
        assert response.status_code == 201
    else:
        assert (response.status_code, response.json()["code"]) == (403, "bad_origin")
    expected = origin if origin == "https://friend.example" else None
    assert response.headers.get("access-control-allow-origin") == expected


def test_a_server_that_stops_says_so_and_still_shows(site):
    ann = site.person()
    site.service.is_stopping = True

    assert ann.refused("POST", "/commitments") == (503, "shutting_down")
    assert ann.get("/me")["name"] == "Ann"


def test_a_store_that_cannot_write_is_no_fault_of_the_client(site, monkeypatch):
    ann = site.person()
    before = ann.get("/me")

    def fails(jobs, *, within=None):
        raise StoreUnavailable("disk full at /var/lib/croupier")

    monkeypatch.setattr(site.store, "run", fails)
    response = ann.ask("POST", "/me/deposits", {"amount": 5})
    assert (response.status_code, response.json()["code"]) == (503, "store_unavailable")
    assert "disk" not in response.text
    monkeypatch.undo()
    assert ann.get("/me") == before
    assert ann.post("/me/deposits", {"amount": 5})["chips"] == 1005


def test_an_unexpected_error_is_a_500_that_tells_nothing_and_is_logged_without_the_token(site, monkeypatch, caplog):
    ann, reason = site.person(), ["broken"]

    def breaks(*_):
        raise RuntimeError(*reason)

    monkeypatch.setattr(requests_module, "perform", breaks)
    ann.ask("POST", "/rooms", {"game": "lanes"})
    assert "broken" in caplog.text
    assert ann.token not in caplog.text
    reason[0] = f"the token is {ann.token}"
    response = ann.ask("POST", "/commitments")
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    assert ann.token not in response.text
    assert "RuntimeError" not in response.text


# What every answer says.


def test_every_answer_has_the_headers_that_keep_browsers_safe(town, ann):
    for response in (
        ann.ask("GET", "/me"),
        ann.ask("GET", "/nothing"),
        ann.ask("PUT", "/games"),
        ann.ask("POST", "/rooms", {}),
        town.client.get("/"),
        town.client.get("/api"),
        town.client.get("/start.css"),
        town.client.get(f"{PREFIX}/openapi.json"),
    ):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # WebAssembly may be compiled, text may not
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert "server" not in response.headers
        assert response.headers["cache-control"] in ("no-store", "no-cache")
    assert ann.ask("GET", "/me").headers["cache-control"] == "no-store"


def test_pages_load_nothing_from_elsewhere(town):
    for path in ("/api", "/start.css"):
        text = town.client.get(path).text
        assert not re.search(r"(src|href)=[\"'](https?:)?//", text)
        assert "<script" not in text
        assert "style=" not in text


def test_the_browser_client_is_handed_out_with_tags_packed_and_nothing_else(town):
    page = town.client.get("/", headers={"accept-encoding": "identity"})
    script = town.client.get("/web/app.js", headers={"accept-encoding": "gzip"})

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    (address,) = re.findall(r'<script type="module" src="(/web/[0-9a-f]{16}/app.js)">', page.text)
    assert "immutable" in town.client.get(address).headers["cache-control"]
    assert script.headers["content-encoding"] == "gzip"
    tag = script.headers["etag"]
    for known in (tag, f"W/{tag}", f'"older", W/{tag}', "*"):  # a proxy that packs makes a tag a weak one
        again = town.client.get("/web/app.js", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
    assert town.client.get("/web/app.js", headers={"if-none-match": '"older"'}).status_code == 200
    for taken, packed in (
        ("gzip;q=0", None),
        ("br, gzip; q=0.0, *", None),
        ("gzip;q=0.5", "gzip"),
        ("gzip, br", "gzip"),
    ):
        given = town.client.get("/web/app.js", headers={"accept-encoding": taken})
        assert given.headers.get("content-encoding") == packed
    for path in ("/web/", "/web/../app.py", "/web/lib", "/web/nothing.js", "/web/%2e%2e/__init__.py"):
        assert town.client.get(path).status_code == 404
