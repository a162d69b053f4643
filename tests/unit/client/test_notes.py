"""The client's notes, and the lies of a host that it finds by them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from croupier.client import ApiError, Client, ServerGone
from croupier.engine import Verification, act, read_record, verify, write_record
from croupier.engine.records.seed_checks import read_kept
from croupier.errors import BadDocument
from tests.unit.client.dishonest import ACCOUNT, TABLE, Host, lying, table_body


def tell(host: Host, story: Callable[[Client], Awaitable[Any]], **more: Any) -> Any:
    """Return what a story with a client of the host returns."""

    async def whole() -> Any:
        async with host.client(**more) as client:
            return await story(client)

    return asyncio.run(whole())


async def play(client: Client) -> Verification:
    return await client.check_session(await client.start_session(TABLE))


async def play_and_write(client: Client) -> bytes:
    await client.start_session(TABLE)
    return client.notes.write()


def refused(host: Host, match: str, story: Callable[[Client], Awaitable[Any]] = play, **more: Any) -> None:
    with pytest.raises(BadDocument, match=match):
        tell(host, story, **more)


def test_a_session_at_an_honest_host_passes_every_check() -> None:
    found = tell(Host(), play)

    assert found.ok, found.problem
    assert found.is_compared
    assert [check.name for check in found.checks if check.ok] == [
        "form", "rules", "commitment", "seed", "kept", "receipt", "mine", "client seed", "asked", "count", "log",
        "moves", "seal",
    ]  # fmt: skip


# The seed.


class Steers(Host):
    """Uses a client seed of its own, tried out until the pocket is 0, whatever the player names."""

    def used_seed(self, named: str) -> str:
        table_digest = self.entries[-1]["body"]["table_digest"]
        for number in range(1000):
            mine = sha256(b"%d" % number).hexdigest()
            ended = verify(self.record(self.rows[-1], mine, table_digest))
            assert ended.ok
            assert ended.match is not None
            if ended.match.game.pockets[-1] == 0:
                self.chosen = mine
                return mine
        raise AssertionError("no seed gives 0")


def test_a_host_that_answers_with_another_client_seed_is_caught() -> None:
    class Openly(Steers):
        def shown_seed(self, named: str) -> str:
            return self.chosen

    refused(Openly(), "changed the parts of the seed")


def test_a_host_that_shows_our_client_seed_and_plays_another_is_caught() -> None:
    host = Steers()

    found = tell(host, play)

    assert verify(next(iter(host.records.values()))).ok  # by itself the record is consistent
    assert found.problem == "the client seed is not the one you named"


@pytest.mark.parametrize(
    ("lie", "problem"),
    [
        (
            lambda host, honest, row, *more: honest({**row, **host.issue(row["session_id"], "p_bob", 1)}, *more),
            "the commitment is not the one you were given",
        ),
        (
            lambda host, honest, row, client_seed, _: honest(row, client_seed, "99" * 32),
            "the table is not what you asked for",
        ),
        (
            lambda host, honest, *given: write_record(replace(read_record(honest(*given)), commitments=None)),
            "you were given a commitment for this session, and the record has none",
        ),
    ],
    ids=["another commitment", "another table", "no commitment"],
)
def test_a_host_that_plays_something_else_than_it_committed_to_is_caught(
    lie: Callable[..., bytes], problem: str
) -> None:
    assert tell(lying("record", lie), play).problem == problem


def test_a_host_that_shows_the_record_of_another_session_is_caught() -> None:
    host = Host()

    async def lose_then_show_a_win(client: Client) -> Verification:
        won, lost = await client.start_session(TABLE), await client.start_session(TABLE)
        host.records[lost.session_id] = host.records[won.session_id]
        assert (await client.check_session(won)).ok
        return await client.check_session(lost)

    assert tell(host, lose_then_show_a_win).problem == "it is the record of another match"


@pytest.mark.parametrize("path", ["/sessions", "/sessions/102", "/sessions/102/moves", "/sessions/102/close"])
def test_a_host_that_answers_with_another_session_is_caught(path: str) -> None:
    shown: dict[str, Any] = {}

    def lie(host: Host, honest: Callable[..., Any], asked: str, query: httpx.QueryParams, body: Any) -> Any:
        if not asked.startswith("/sessions"):
            return honest(asked, query, body)
        if asked == "/sessions":
            shown.update(host.start(body))
        return {**shown, "session_id": 101} if asked == path else shown

    async def story(client: Client) -> None:
        await client.start_session(TABLE)
        session = await client.start_session(TABLE)
        await client.session(session.session_id)
        await client.close_session(await client.move(session, act("spin")))

    refused(lying("route", lie), "answers with session 101, asked for was 102", story)


@pytest.mark.parametrize("has_armed", [False, True])
def test_a_host_that_chooses_super_mode_when_it_knows_the_seed_is_caught(has_armed: bool) -> None:
    host = Host()
    host.has_armed, host.is_super = has_armed, not has_armed

    refused(host, "super mode is not as it was armed")
    asked = [path for _, path, _ in host.asked]
    assert asked.index("/me") < asked.index("/sessions")


@pytest.mark.parametrize(
    ("opened", "problem"),
    [
        ({}, None),
        ({"server_seed": "ab" * 32}, "opened something else"),
        ({"server_seed": "no"}, "opened something else"),
        ({"client_seed": "ab" * 32}, "opened something else"),
    ],
)
def test_a_start_that_is_refused_has_to_open_what_was_committed_to(opened: dict[str, str], problem: str | None) -> None:
    def refuse(host: Host, honest: Callable[..., httpx.Response], request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/sessions"):
            return honest(request)
        named = json.loads(request.content)["client_seed"]
        said = {"server_seed": host.rows[-1]["server_seed"], "client_seed": named, **opened}
        return httpx.Response(422, json={"code": "bad_stake", "detail": "no", "opened": said})

    with pytest.raises(BadDocument if problem else ApiError, match=problem or "bad_stake"):
        tell(lying("answer", refuse), play)


# Receipts and the log.

UNSIGNED = "signature under its commitment does not hold"


@pytest.mark.parametrize(
    ("method", "change", "match"),
    [
        ("commit", lambda _: {"receipt": Host("other").issue(101, ACCOUNT, 1)["receipt"]}, UNSIGNED),
        ("commit", lambda _: {"commitment": "ab" * 32}, UNSIGNED),
        ("commit", lambda said: {"n": said["n"] + 1}, UNSIGNED),
        ("commit", lambda said: {"session_id": said["session_id"] + 1}, UNSIGNED),
        ("commit", lambda _: Host().issue(101, "p_bob", 1), "committed to somebody else"),
        ("versions", lambda _: {"entries": []}, "keeps entries of its log of versions back"),
        ("versions", lambda said: {"entries": said["entries"][1:]}, "goes from entry 0 to entry 2"),
        ("versions", lambda _: {"signature": "ab" * 64}, "log of versions is not signed"),
        ("start", lambda _: {"table_digest": "99" * 32}, "not the one that was announced"),
    ],
)
def test_a_receipt_a_log_or_a_table_that_the_host_has_changed_is_not_taken(
    method: str, change: Callable[[dict[str, Any]], dict[str, Any]], match: str
) -> None:
    def lie(_: Host, honest: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
        said = honest(*given)
        return {**said, **{name: value for name, value in change(said).items() if name in said}}

    host = lying(method, lie)
    refused(host, match)
    assert len(host.sent("/sessions")) == (method == "start")  # nothing of ours went out before


async def twice(client: Client) -> None:
    await play(client)
    await play(client)


def test_a_commitment_does_not_change() -> None:
    def repeat(host: Host, _: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        issued = host.issue(101, ACCOUNT, len(host.rows) + 1)
        host.rows.append({**issued, "state": "issued", "client_seed": None})
        return {name: value for name, value in issued.items() if name != "server_seed"}

    refused(lying("commit", repeat), "changed what it committed to", twice)


@pytest.mark.parametrize(("grows", "match"), [(True, "does not go on from"), (False, "two logs of versions")])
def test_a_log_that_was_rewritten_is_found(grows: bool, match: str) -> None:
    """When it grows, and by two heads for one number."""
    host = Host()

    async def story(client: Client) -> None:
        assert (await play(client)).ok
        host.entries[0]["body"] = {"scheme": 2, "commitment_ms": 1}
        if grows:
            host.announce("table", table_body(stake_min=2))
        await play(client)

    refused(host, match, story)


def test_a_log_that_was_rewritten_between_two_clients_is_found_by_the_notes() -> None:
    host = Host()
    kept = read_kept(tell(host, play_and_write))
    assert tell(host, play, kept=kept).ok
    host.entries[0]["body"] = {"scheme": 2, "commitment_ms": 1}
    refused(host, "does not go on from", kept=kept)
    host.announce("table", table_body(stake_min=2))
    refused(host, "does not go on from", kept=kept)


def test_a_log_that_has_become_shorter_is_found() -> None:
    host = Host()
    host.announce("rules", {"game_id": "roulette"})
    kept = read_kept(tell(host, play_and_write))
    del host.entries[2:]
    refused(host, "keeps entries of its log of versions back", kept=kept)


def test_a_log_is_read_page_by_page() -> None:
    host = lying("versions", lambda host, honest, since: {**honest(since), "entries": host.entries[since : since + 1]})
    assert tell(host, play).ok
    assert len(host.sent("/versions")) == 3


def test_a_table_that_is_announced_under_another_digest_is_not_taken() -> None:
    host = Host()
    host.announce("table", {**table_body(), "stake_min": 100})
    refused(host, "under a digest of something else")


def test_a_host_whose_key_has_changed_is_not_trusted_again() -> None:
    kept = read_kept(tell(Host(), play_and_write))
    refused(Host("another"), "another key", kept=kept)

    def change_key(host: Host, honest: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        other = Host("another")
        other.entries, other.rows = host.entries, host.rows
        return other.commit() if host.rows else honest()

    refused(lying("commit", change_key), "another key", twice)


# Commitments.


def test_where_no_more_commitments_are_given_out_the_oldest_unused_one_is_taken() -> None:
    host = Host()
    for state in ("expired", "issued", "issued"):
        host.commit()
        host.rows[-1]["state"] = state
    host.refusals["/commitments"] = ["too_many_commitments"]

    assert tell(host, play).ok
    assert [body["session_id"] for body in host.sent("/sessions")] == [102]


def test_a_commitment_for_which_a_seed_was_named_is_not_taken_again() -> None:
    """Its host may have got the seed although no answer came: with a second one it could choose."""
    host = Host()

    async def story(client: Client) -> None:
        host.refusals = {"/sessions": ["overloaded"], "/commitments": ["", "too_many_commitments"]}
        with pytest.raises(ApiError, match="overloaded"):
            await client.start_session(TABLE)
        assert host.rows[0]["state"] == "issued"
        with pytest.raises(ApiError, match="too_many_commitments"):
            await client.start_session(TABLE)

    tell(host, story)
    assert len(host.sent("/sessions")) == 1


def test_a_table_that_has_changed_is_sat_down_at_again_once() -> None:
    host = Host()
    host.refusals["/sessions"] = ["table_changed"]
    assert tell(host, play).ok
    first, second = host.sent("/sessions")
    assert (first["session_id"], second["session_id"]) == (101, 102)
    assert first["client_seed"] != second["client_seed"]

    host.refusals["/sessions"] = ["table_changed", "table_changed"]
    with pytest.raises(ApiError, match="table_changed"):
        tell(host, play)


def checks_of(host: Host, change: Callable[[], object]) -> dict[str, tuple[bool | None, str]]:
    """Return what checking the commitments finds after three sessions and a change to what the host lists."""

    async def story(client: Client) -> Any:
        for _ in range(3):
            await client.start_session(TABLE)
        change()
        return await client.check_commitments()

    return {check.name: (check.ok, check.text) for check in tell(host, story)}


def test_commitments_that_are_all_there_and_opened_pass() -> None:
    host = Host()
    assert checks_of(host, lambda: None) == {
        "count": (True, "they are numbered without a gap"),
        "opened": (True, "those that are over are opened"),
        "mine": (True, "all that were noted are there"),
    }


@pytest.mark.parametrize(
    ("name", "text", "change"),
    [
        ("count", "numbers are left out", {"n": 4, **Host().issue(103, ACCOUNT, 4)}),
        ("mine", "commitment 3 is another one now", Host().issue(103, ACCOUNT, 4)),
        ("opened", "commitment 3 does not open", {"server_seed": "00" * 32}),
        ("opened", "commitment 3 does not open", {"server_seed": "00"}),
        ("opened", "commitment 3 is finished and not opened", {"server_seed": None}),
        ("mine", "commitment 3 has another client seed", {"client_seed": "00" * 32}),
    ],
)
def test_a_commitment_that_the_host_lists_otherwise_is_found(name: str, text: str, change: dict[str, Any]) -> None:
    host = Host()
    found = checks_of(host, lambda: host.rows[2].update(change))
    assert found[name] == (False, text)


def test_a_list_of_commitments_that_has_no_end_is_not_read_for_ever() -> None:
    def repeat(host: Host, honest: Callable[..., Any], path: str, *more: Any) -> Any:
        assert len(host.asked) < 100
        return list(reversed(host.rows)) if path == "/me/commitments" else honest(path, *more)

    with pytest.raises(BadDocument, match="again and again"):
        checks_of(lying("route", repeat), lambda: None)


def test_a_commitment_that_is_not_listed_any_more_is_found() -> None:
    host = Host()
    found = checks_of(host, lambda: host.rows.pop(1))
    assert found["count"] == (False, "numbers are left out")
    assert found["mine"] == (False, "commitment 2 is gone")


# The file.


def test_notes_are_saved_to_a_file_read_again_and_continued() -> None:
    host = Host()
    kept = read_kept(tell(host, play_and_write))

    assert kept.log is not None
    assert (kept.log.host_key, kept.log.n) == (host.key, 3)
    (one,) = kept.kept
    assert (one.kind, one.session_id, one.account, one.n, one.log_n) == ("session", 101, ACCOUNT, 1, 3)
    assert (one.game, one.stake, one.super) == ("roulette", 0, False)
    assert one.client_seed == host.sent("/sessions")[0]["client_seed"]
    assert len(one.client_seed) == 64
    found = verify(host.records[101], kept=kept)
    assert found.ok
    assert found.is_compared

    data = tell(host, play_and_write, kept=kept)
    assert [one.n for one in read_kept(data).kept] == [1, 2]
    assert all(verify(host.records[number], kept=read_kept(data)).is_compared for number in (101, 102))
    assert not verify(host.records[102], kept=kept).is_compared


# Rooms.


async def sit_down(client: Client) -> Any:
    return await client.create_room("shut-the-box")


def test_a_seat_is_opened_when_the_room_is_as_it_should_be() -> None:
    host = Host()

    async def story(client: Client) -> None:
        assert (await sit_down(client)).status == "active"
        kept = client.notes.get(500)
        assert kept is not None
        (opened,) = host.sent("/rooms/m_1/open")
        assert opened == {"secret": kept.secret}
        assert host.sent("/rooms/m_1/ready")[0]["commitment"] == host.seat_commitment(0, bytes.fromhex(kept.secret))
        assert kept.seats_digest == host.seats_digest()

    tell(host, story)


def seats_than_shown(host: Host, honest: Callable[[], str]) -> str:
    host.room["seats"][1]["commitment"] = host.seat_commitment(1, sha256(b"a better one").digest())
    found = honest()
    host.room["seats"][1]["commitment"] = host.seat_commitment(1, host.bob)
    return found


def table_than_shown(host: Host, honest: Callable[..., dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
    host.room["table_digest"] = "88" * 32
    return honest(body)


@pytest.mark.parametrize(
    ("unsent", "method", "lie", "match"),
    [
        (
            "ready",
            "open_room",
            lambda _, honest: {**honest(), "host_key": "", "receipt": ""},
            "signed nothing about the seed",
        ),
        ("ready", "room_digest", lambda _, honest: "77" * 32, "other rules than were announced"),
        ("open", "seats_digest", seats_than_shown, "fixed other seats than it shows"),
        ("open", "fix_seats", table_than_shown, "fixed other seats than it shows"),
        (
            "open",
            "fix_seats",
            lambda host, honest, _: honest({"commitment": host.seat_commitment(0, host.bob)}),
            "without what this client was ready with",
        ),
    ],
)
def test_nobody_gets_ready_or_opens_a_seat_where_the_room_is_not_as_it_should_be(
    unsent: str, method: str, lie: Callable[..., Any], match: str
) -> None:
    host = lying(method, lie)
    refused(host, match, sit_down)
    assert host.sent(f"/rooms/m_1/{unsent}") == []


def test_nobody_gets_ready_again_for_a_commitment_whose_seat_was_opened() -> None:
    """A host that has seen our secret and did not like the seed would have another one for nothing."""
    host = Host()

    async def story(client: Client) -> None:
        await sit_down(client)
        host.room |= {"status": "open", "seats_digest": ""}
        with pytest.raises(BadDocument, match="begins anew"):
            await client.ready("m_1")
        assert len(host.sent("/rooms/m_1/ready")) == 1

    tell(host, story)


def test_a_seat_is_opened_again_after_an_answer_was_lost_and_for_the_same_seats_only() -> None:
    is_broken = True

    def break_off(_: Host, honest: Callable[..., Any], path: str, *more: Any) -> Any:
        if path.endswith("/open") and is_broken:
            raise httpx.ConnectError("gone")
        return honest(path, *more)

    host = lying("route", break_off)

    async def story(client: Client) -> None:
        nonlocal is_broken
        with pytest.raises(ServerGone):
            await sit_down(client)
        bobs = host.room["seats"][1]["commitment"]
        host.room["seats"][1]["commitment"] = host.seat_commitment(1, sha256(b"a better one").digest())
        host.room["seats_digest"] = host.seats_digest()
        with pytest.raises(BadDocument, match="fixed the seats twice"):
            await client.room("m_1")
        host.room["seats"][1]["commitment"] = bobs
        host.room["seats_digest"] = host.seats_digest()
        is_broken = False
        assert (await client.room("m_1")).status == "active"
        assert (await client.room("m_1")).status == "active"

    tell(host, story)
    first, second = host.sent("/rooms/m_1/open")
    assert first == second


def test_a_player_no_longer_ready_opens_nothing() -> None:
    host = Host()

    async def story(client: Client) -> None:
        room = await client.create_room("shut-the-box", ready=False)
        assert room.status == "open"
        host.fix_seats = lambda body: host.room  # type: ignore[method-assign]  # Bob is not ready
        await client.ready("m_1")
        ready = host.sent("/rooms/m_1/ready")[0]
        await client.ready("m_1", False)
        Host.fix_seats(host, ready)
        assert (await client.room("m_1")).status == "opening"

    tell(host, story)
    assert host.sent("/rooms/m_1/open") == []


def test_a_client_in_many_tasks_reads_the_log_once() -> None:
    host = Host()

    async def story(client: Client) -> list[Verification]:
        return await asyncio.gather(*(play(client) for _ in range(5)))

    assert all(found.ok for found in tell(host, story))
    assert len(host.sent("/versions")) == 1
