"""Ann and Bob play on a server, prove the record, and throw dice that neither of them, nor the server, can steer.

Run `croupier serve`, then this with the server's address: python play_online.py http://127.0.0.1:8000
"""

import asyncio
import sys
from pathlib import Path

from croupier.bots import find_bot
from croupier.client import Client, DiceSeat, SyncClient
from croupier.engine import act, get_game


def roulette(url: str, kept: Path) -> str:
    with SyncClient(url) as ann:
        ann.register("Ann")
        table = next(table["id"] for table in ann.tables() if table["game"] == "roulette")
        session = ann.start_session(table)
        kept.write_bytes(ann.notes.write())  # before the first bet: what the server cannot take back
        session = ann.move(session, act("place", bet="red", stake=10))
        session = ann.move(session, act("spin"))
        assert session.is_complete
        assert ann.check_session(session).ok  # worked out again here, and compared with the notes
        assert all(check.ok for check in ann.check_commitments())
        return f"{session.ended.net:+} chips" if session.ended else ""


def alone(url: str) -> int:
    with SyncClient(url) as ann:
        ann.register("Ann")
        room = ann.create_room("shut-the-box", bots=["random"])
        for update in ann.follow(room.id, legal=True):
            if update.room.legal:
                ann.act(update.room, update.room.legal[0])
        assert ann.check_record(room.id).ok
        return update.version


def video_poker(url: str) -> tuple[str, int]:
    with SyncClient(url) as ann:
        ann.register("Ann")
        table = next(table["id"] for table in ann.tables() if table["game"] == "video-poker")
        session = ann.start_session(table, stake=5)
        best = ann.coach(session).advice[0]  # what each choice is worth, best first
        session = ann.move(session, best.action)
        assert ann.check_session(session).ok
        random = find_bot(get_game("video-poker"), "random")
        session = ann.play(ann.start_session(table, stake=5), random)
        assert ann.check_session(session).ok
        return best.text, session.purse.chips


async def match_of_bots(url: str) -> tuple[str, ...]:
    game = get_game("lanes")
    async with Client(url) as ann, Client(url) as bob:
        await ann.register("Ann")
        await bob.register("Bob")
        room = await ann.create_room("lanes", seats=2)
        await bob.join(room.code)
        end, _ = await asyncio.gather(
            ann.play(room.id, find_bot(game, "greedy")),
            bob.play(room.id, find_bot(game, "random")),
        )
        assert (await bob.check_record(room.id)).ok
        return end.match_view().result.winners  # type: ignore[union-attr]


async def watch(url: str, room_id: str) -> list[int]:
    async with Client(url) as eve:
        await eve.register("Eve")
        seen = []
        async with eve.live() as live:
            async for update in live.follow(room_id):
                seen.append(update.version)
                if update.room.is_over:
                    break
        return seen


async def dice(url: str) -> tuple[int, int]:
    async with Client(url) as ann, Client(url) as bob:
        await ann.register("Ann")
        await bob.register("Bob")
        async with await DiceSeat.open(ann) as one, await DiceSeat.at(bob, one.room_id) as two:
            for seat in (one, two):
                await seat.sit(bond=50)
                await seat.act(act("buy_in", chips=100))
            await one.bet(act("place", bet="field", stake=5))
            await two.act(act("ready"))
            await one.act(act("lock"))  # everybody commits, everybody opens, and the dice fall
            match = await one.until(lambda match: match.game.table.roll_count == 1)
            assert not one.complaints
            faces: tuple[int, int] = match.game.table.dice
            return faces


if __name__ == "__main__":
    print(roulette(sys.argv[1], Path("kept.json")))
    print(video_poker(sys.argv[1]))
    print(alone(sys.argv[1]))
    print(asyncio.run(match_of_bots(sys.argv[1])))
    print(asyncio.run(dice(sys.argv[1])))
