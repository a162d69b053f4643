"""Whole matches and sessions of every game, through the client, over a real server; each record is proven."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.bots import find_bot
from croupier.client import ApiError, Client, DiceSeat, Room, SyncClient, dice
from croupier.engine import act, get_game, list_games, read_record, verify
from croupier.fairness.dice import verify_transcript
from croupier.fairness.dice.failures import waits_for_bank
from croupier.house import HouseGame
from croupier.transcripts import check_transcript
from tests.unit.client.stories import with_clients

MATCHES = ("shut-the-box", "lanes", "craps-table")
MOVES_MAX = 40


def test_every_game_is_played_here() -> None:
    houses = [game_id for game_id in list_games() if isinstance(get_game(game_id), HouseGame)]
    assert sorted([*MATCHES, *houses]) == sorted(list_games())


@pytest.mark.parametrize(
    ("game_id", "bot"), [("shut-the-box", "random"), ("lanes", "greedy"), ("craps-table", "no_odds")]
)
@with_clients("ann", "bob")
async def test_a_match_is_played_to_its_end_and_its_record_is_proven(
    server: Any, game_id: str, bot: str, ann: Client, bob: Client
) -> None:
    room = await ann.create_room(game_id, seats=2)
    assert (await bob.join(room.code.lower())).status == "opening"  # until Ann has looked, and opened her seat
    assert (await ann.room(room.id)).status == "active"
    policy = find_bot(get_game(game_id), bot)

    ends = await asyncio.gather(ann.play(room.id, policy), bob.play(room.id, policy))

    assert [end.status for end in ends] == ["finished", "finished"]
    assert ends[0].version == ends[1].version > 0
    for client in (ann, bob):
        found = await client.check_record(room.id)
        assert found.ok, found.problem
        assert found.is_compared
        assert found.version is None or found.version == ends[0].version


@with_clients("ann", "bob")
async def test_a_secret_that_comes_when_the_match_is_over_is_no_failure(server: Any, ann: Client, bob: Client) -> None:
    """So it was for a player who was away while the seats had to be opened: following the room raised "finished"."""
    room = await ann.create_room("lanes", seats=2)
    await bob.join(room.id)
    early = await ann.get(f"/rooms/{room.id}", Room)
    assert (early.status, (await ann.room(room.id)).status) == ("opening", "active")
    assert (await ann.leave(room.id)).is_over
    async with Client(server.url, ann.token, account_id=ann.account_id, kept=ann.notes.file()) as again:
        assert await again.met(early) == early


def test_bots_of_the_server_play_with_somebody(server: Any) -> None:
    with SyncClient(server.url) as ann:
        ann.register("Ann")
        room = ann.create_room("shut-the-box", bots=["random", "optimal_score"])
        assert room.status == "active"

        end = ann.play(room.id, find_bot(get_game("shut-the-box"), "first"))

        assert end.status == "finished"
        found = ann.check_record(room.id)
        assert found.ok
        assert found.is_compared
        assert {seat.bot for seat in end.seats} == {"", "random", "optimal_score"}


def test_a_round_of_every_house_game_is_played_and_its_record_is_proven(server: Any) -> None:
    with SyncClient(server.url) as ann:
        ann.register("Ann")
        tables = {table["game"]: table for table in ann.tables()}
        houses = [game_id for game_id in list_games() if isinstance(get_game(game_id), HouseGame)]
        assert set(houses) <= set(tables)
        for game_id in houses:
            number, game = tables[game_id]["id"], get_game(game_id)
            assert isinstance(game, HouseGame)
            session = ann.start_session(number, 10 if game.opens_with_stake else 0)
            for _ in range(MOVES_MAX):
                if session.is_complete:
                    break
                legal = ann.session(session.session_id, legal=True).legal
                assert legal, game_id
                session = ann.move(session, legal[0])
            if not session.is_complete:
                session = ann.close_session(session)
            found = ann.check_session(session)
            assert found.ok, (game_id, found.problem)
            assert found.is_compared
        assert [check.ok for check in ann.check_commitments()] == [True, True, True]


def test_a_bot_without_chips_for_the_table_leaves_it(server: Any) -> None:
    with SyncClient(server.url) as ann:
        ann.register("Ann")
        table = next(table["id"] for table in ann.tables() if table["game"] == "roulette")
        ann.start_session(table, action=act("place", bet="red", stake=1000))
        end = ann.play(ann.start_session(table), find_bot(get_game("roulette"), "random"))
        assert end.is_complete
        assert end.lines == ()


@with_clients("ann")
async def test_a_session_is_played_over_a_live_connection_and_its_record_is_proven(server: Any, ann: Client) -> None:
    async with ann.live() as live:
        tables = {table["game"]: table["id"] for table in await ann.tables()}
        red = act("batch", bets=[{"bet": "red", "stake": 10}])
        whole = await live.start_session(tables["roulette"], action=red)
        assert whole.is_complete
        assert whole.next is not None
        assert (await ann.check_session(whole)).ok
        session = await live.start_session(tables["roulette"])
        assert session.session_id == whole.next.session_id, "the commitment that came along"
        place = act("place", bet="red", stake=10)
        first = await live.move(session, place, key="once")
        assert await ann.move(session, place, key="once") == first, "over HTTP it is the same request"
        end = await live.close_session(first)
        assert end.is_complete
        assert end.next is not None
        assert (await ann.check_session(end)).ok
        with pytest.raises(ApiError) as refused:
            await live.start_session(tables["roulette"], action=act("no_such"))
        assert refused.value.extra["opened"]["commitment"] == end.next.commitment, "checked by the client"
        assert all(check.ok for check in await ann.check_commitments())


async def roll(seats: list[DiceSeat], *, is_betting: bool = True) -> tuple[int, int]:
    """Let everybody bet on the pass line who can, be ready, and the shooter lock; return the dice."""
    first = seats[0]
    count = first.match.game.table.roll_count
    for seat in seats:
        await seat.until(lambda match: match.turn.phase == "betting" and match.version >= first.match.version)
        if is_betting and not seat.match.game.table.point:
            await seat.bet(act("place", bet="pass", stake=10))
    shooter = next(seat for seat in seats if seat.is_shooter)
    for seat in seats:
        if seat is not shooter:
            await seat.act(act("ready"))
    await shooter.act(act("lock"))
    for seat in seats:
        await seat.until(lambda match: match.game.table.roll_count == count + 1)
    dice: tuple[int, int] = first.match.game.table.dice
    return dice


@with_clients("ann", "bob")
async def test_a_table_throws_dice_that_everybody_makes_and_record_and_transcript_prove_each_other(
    server: Any, ann: Client, bob: Client
) -> None:
    async with await DiceSeat.open(ann) as one, await DiceSeat.at(bob, one.room_id) as two:
        seats = [one, two]
        for seat in seats:
            await seat.sit(50)
        for seat in seats:
            await seat.act(act("buy_in", chips=500))
        rolls = [await roll(seats) for _ in range(2)]
        while one.match.game.has_bets:
            rolls.append(await roll(seats, is_betting=False))
        for seat in seats:
            await seat.act(act("cash_out"))
        for seat in seats:
            await seat.until(lambda match: match.status == "finished")
            assert not seat.complaints
    record = await ann.record(one.room_id)
    transcript = await ann.ask("GET", f"/rooms/{one.room_id}/transcript")

    verdict, checks = check_transcript(transcript, record)
    assert verdict.ok
    assert all(check.ok for check in checks), checks
    assert [found.faces for found in verdict.rolls] == rolls
    assert verify(record).ok
    assert read_record(record).commitments is None
    room = await ann.room(one.room_id)
    assert room.status == "finished"
    assert room.server_seed is None  # the key of the table is made from it
    own = verify_transcript(two.transcript())
    assert own.ok
    assert [found.seed for found in own.rolls] == [found.seed for found in verdict.rolls]


@with_clients("ann")
async def test_a_bet_whose_answer_was_lost_is_not_told_to_be_refused(server: Any, ann: Client) -> None:
    async with await DiceSeat.open(ann) as seat:
        await seat.sit(50)
        await seat.act(act("buy_in", chips=500))
        live, lost = seat._live, list[Any]()
        live._answer_seconds, hear = 0.2, live._hear
        live._hear = lambda frame: (hear if lost or frame["type"] != "done" else lost.append)(frame)  # type: ignore[method-assign]

        await seat.bet(act("place", bet="pass", stake=10))

        assert lost
        assert [bet.stake for bet in seat.match.game.seats[0].bets] == [10]
        with pytest.raises(ApiError, match="stale_seq"):  # what never came is refused as before
            await seat._send(replace(seat.player.me.leave(), seq=0))


@with_clients("ann")
async def test_a_bank_that_keeps_a_roll_back_is_complained_of_and_a_bad_connection_is_not(
    server: Any, ann: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "WATCH_SECONDS", 0.01)
    async with await DiceSeat.open(ann) as seat:
        await seat.sit(50)
        await seat.act(act("buy_in", chips=500))
        await seat.bet(act("place", bet="pass", stake=10))
        hear, bank, get, asked = seat._hear, seat.player.me.table.terms.table_key, ann.get, []

        async def hear_all_but_the_bank(item: dict[str, Any]) -> None:
            is_opening = item.get("dice", {}).get("type") == "reveal" and item["dice"]["key"] == bank
            await (asyncio.Event().wait() if is_opening else hear(item))

        async def ask(*path: str, **query: Any) -> Any:
            page = await get(*path, **query)
            asked.append(len(page["items"]))
            return page if len(asked) < 3 else {**page, "items": []}

        monkeypatch.setattr(seat, "_hear", hear_all_but_the_bank)
        monkeypatch.setattr(ann, "get", ask)
        await seat.act(act("lock"))
        while not waits_for_bank(seat.player.me.table, seat.player.me.table.round):  # type: ignore[arg-type]
            await asyncio.sleep(0.01)
        assert (asked, seat.complaints) == ([], [])  # it has ten seconds
        now = dice._now()
        monkeypatch.setattr(dice, "_now", lambda: now + 10_000)
        while not seat.complaints:
            await asyncio.sleep(0.01)

        assert asked == [1, 1, 1]  # twice the server had more to tell
        assert [one.code for one in seat.complaints] == ["bank_missing"]


@with_clients("ann", "bob")
async def test_who_sits_down_while_the_dice_are_thrown_is_told_so(server: Any, ann: Client, bob: Client) -> None:
    async with await DiceSeat.open(ann) as one, await DiceSeat.at(bob, one.room_id) as two:
        await one.sit(50)
        await one.act(act("buy_in", chips=500))
        await one.bet(act("place", bet="pass", stake=10))
        one._send = lambda *message: asyncio.sleep(0, 0)  # type: ignore[method-assign]
        await one.act(act("lock"))  # and she keeps her part of the dice to herself

        with pytest.raises(ApiError, match="nobody sits down between lock and roll"):
            await asyncio.wait_for(two.sit(50), 5)


@with_clients("ann")
async def test_an_action_with_the_same_key_happens_once(server: Any, ann: Client) -> None:
    room = await ann.create_room("shut-the-box", seats=1)

    first = await ann.act(room, act("roll"), key="once")
    again = await ann.act(room, act("roll"), key="once")

    assert first == again
    assert (await ann.room(room.id)).version == 1
    with pytest.raises(ApiError) as refused:
        await ann.act(room, act("roll"), key="twice")
    assert (refused.value.reason, refused.value.status) == ("stale_version", 409)
    assert refused.value.extra["version"] == 1


@with_clients("ann")
async def test_a_record_of_another_seed_or_room_is_not_accepted(
    server: Any, ann: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await ann.create_room("shut-the-box", seats=1)
    await ann.play(room.id, find_bot(get_game("shut-the-box"), "first"))
    assert (await ann.check_record(room.id)).ok
    kept = ann.notes.get(room.session_id)
    assert kept is not None
    lies: dict[str, dict[str, Any]] = {
        "the host's signature does not hold": {"commitment": "0" * 64},  # as if the room had said so at first
        "your seat's secret is not the one you made": {"secret": "0" * 64},
        "the seats are not those you opened for": {"seats_digest": "0" * 64},
        "your seat has no part in the seed": {"seat": 1},
        "the game is not what you asked for": {"game": "lanes"},
        "the options are not what you asked for": {"options": {"rounds": 99}},
    }
    for problem, lie in lies.items():
        ann.notes.note(room.session_id, **lie)
        assert (await ann.check_record(room.id)).problem == problem
        ann.notes.note(room.session_id, **{name: getattr(kept, name) for name in lie})
    assert (await ann.check_record(room.id)).ok
    other, record = await ann.create_room("shut-the-box", seats=1), await ann.record(room.id)
    monkeypatch.setattr(ann, "record", lambda room_id: asyncio.sleep(0, record))
    assert (await ann.check_record(other.id)).problem == "it is the record of another match"


@with_clients("ann", "eve")
async def test_a_spectator_verifies_a_record_and_has_no_part_in_its_seed(server: Any, ann: Client, eve: Client) -> None:
    room = await ann.create_room("shut-the-box", seats=1)
    await eve.room(room.id)  # she notes the commitment
    await ann.play(room.id, find_bot(get_game("shut-the-box"), "first"))

    found = await eve.check_record(room.id)

    assert found.ok
    assert found.is_compared
    assert ("client seed", None) in [(check.name, check.ok) for check in found.checks]


def test_records_can_be_checked_by_the_command(server: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from croupier.cli.app import app

    with SyncClient(server.url) as ann:
        ann.register("Ann")
        room = ann.create_room("shut-the-box", seats=1)
        updates = ann.follow(room.id, legal=True)
        seen = next(updates)
        while not seen.room.is_over:
            assert seen.room.legal
            ann.act(seen.room, seen.room.legal[0])
            seen = next(update for update in updates if update.version > seen.version)
        (tmp_path / "match.json").write_bytes(ann.record(room.id))
        (tmp_path / "kept.json").write_bytes(ann.notes.write())

    record, kept = str(tmp_path / "match.json"), str(tmp_path / "kept.json")
    assert app(["verify", record], standalone_mode=False) in (0, None)
    assert "consistent; not compared with what you saw" in capsys.readouterr().out
    assert app(["verify", record, "--kept", kept], standalone_mode=False) in (0, None)
    assert "verified" in capsys.readouterr().out
