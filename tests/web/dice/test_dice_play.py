"""A player of shared dice in the page: what it owes a round, and what it makes of a table after a reload."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from croupier.engine import Action, Refused, act, view_for, write_record
from croupier.fairness.dice import Ed25519Signer, write_transcript
from croupier.fairness.dice.terms import game_id_of
from croupier.games.craps.table.shared_dice import stakes_for
from croupier.rng import GameRng
from croupier.transcripts import check_transcript
from tests.web.dice.room import GAME, Browser, Table, plain, played, resigned, run, seated
from tests.web.page_modules import STATIC, needs_node

pytest.importorskip("cryptography")

pytestmark = needs_node


def test_a_player_in_the_page_plays_whole_rounds_with_one_of_the_reference():
    table, eve = seated("bob", fill=3)
    key = eve.keys["key"]
    assert key == Ed25519Signer(bytes([4] * 32)).key
    for turn in range(2):
        view = plain(view_for(GAME, table.match, None))
        order = run("answer(orderFor(...given));", [view, key, "place", {"bet": "field", "stake": 5}])
        eve.make("bet", order)
        shooter = table.match.turn.current
        for player in (key, table.players["bob"].me.key):
            if player != shooter:
                table.tell(table.room.act(Action("ready", {}, player), 0))
        table.tell(table.room.act(Action("lock", {}, shooter), 0))
        commit = eve.ask()
        assert commit["type"] == "commit"
        assert eve.ask() == commit  # the same after a reload, and in a second tab
        eve.send(commit)
        ack = eve.ask()
        assert ack["type"] == "ack"
        eve.send(ack)
        reveal = eve.ask()
        assert reveal["type"] == "reveal"
        assert sha256(bytes.fromhex(reveal["secret"])).hexdigest() not in json.dumps(commit)
        eve.send(reveal)
        assert table.match.game.table.roll_count == turn + 1
        assert eve.ask() is None


def test_the_page_objects_to_stakes_that_it_does_not_see():
    table, eve = seated()
    table.tell(table.room.act(Action("lock", {}, eve.keys["key"]), 0))
    seen = plain(view_for(GAME, table.match, None))
    seen["game"]["seats"][0]["chips"] -= 1

    assert eve.ask(view=seen)["type"] == "objection"
    assert eve.ask()["type"] == "commit"


@pytest.mark.parametrize("change", [{"positions": []}, {"hand": 1}])
def test_the_page_objects_to_a_lock_that_hides_whose_bets_the_dice_decide(change):
    """Without its position the table could leave the page's secret out, and decide its bet with a seat of its own."""
    table, eve = seated("bob")
    view = plain(view_for(GAME, table.match, None))
    field = {"bet": "field", "stake": 5}
    eve.make("bet", run("answer(orderFor(...given));", [view, eve.keys["key"], "place", field]))
    table.act("bob", act("ready"))
    table.tell(table.room.act(Action("lock", {}, eve.keys["key"]), 0))
    on = table.room.host.table.round
    assert on is not None
    place = next(i for i, one in enumerate(table.events) if one["type"] == "lock")
    lock = resigned(table, {**table.events[place], **change}, context=on.context)

    assert eve.ask()["type"] == "commit"
    assert eve.ask(events=[*table.events[:place], lock])["reason"] == "stakes_differ"


LOCKS = """const [book, out] = [new DiceBook(given.terms, () => true), []];
const seat = new DiceSeat(given.keys, book);
for (const [at, view] of given.locks) {
  for (const event of given.events.slice(book.count, at)) book.apply(event);
  out.push(seat.owed(view)?.type);
}
answer(out);"""
BETS = "pass dont_pass come dont_come field yes:6 yes:8 buy:4 no:4 lose:6 hard:6 odds_pass odds_dont_pass fire next:7 "
BETS += "odds_come:4 odds_come:5 odds_come:6 odds_come:8 odds_dont_come:6 odds_dont_come:8 hop:1-2 horn big:6 come come"
VERBS = ["place", "place", "place", "raise", "lower", "remove", "switch"]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_page_commits_to_every_round_of_an_honest_table(seed):
    """Forty rolls over bets that are placed, changed, taken down, travel and win, at random but the same each time."""
    rng, table, locks = GameRng.new(bytes(32), seed, 0), Table(bank=10**7, buy_in_max=10**6), []
    ann = table.players["ann"]
    for name in table.players:
        table.act(name, act("buy_in", chips=100_000))
    for _ in range(40):
        for verb in [rng.pick(VERBS) for _ in range(rng.next_bounded(8))]:
            seat = next(one.seat for one in table.match.players if one.id == ann.me.key)
            bets = [bet.name for bet in table.match.game.seats[seat].bets]
            payload: dict[str, Any] = {"bet": rng.pick(BETS.split() if verb == "place" or not bets else bets)}
            if verb == "switch":
                payload |= {"come_out": rng.next_bounded(2) > 0, "point": rng.next_bounded(2) > 0}
            elif verb != "remove":
                payload["stake"] = rng.pick([5, 6, 10, 12, 20, 30, 60])
            order = ann.order(act(verb, **payload))
            if not isinstance(order, Refused) and (answer := table.room.receive(order, 0)).ok:
                table.tell(answer)
        shooter = table.match.turn.current
        for name, player in table.players.items():
            if player.me.key != shooter:
                table.act(name, act("ready"))
        answer = table.room.act(Action("lock", {}, shooter), 0)
        locks.append([len(table.events) + 1, plain(view_for(GAME, table.match, None))])
        table.tell(answer)

    keys = {"key": ann.me.key, "seed": "11" * 32, "root": "22" * 32}
    given = {"keys": keys, "terms": plain(table.terms), "events": table.events, "locks": locks}
    assert run(LOCKS, given) == ["commit"] * 40
    files = write_transcript(table.room.host.transcript()), write_record(table.room.record())
    assert [check for check in check_transcript(*files)[1] if check.ok is False] == []


def answer_of(table: Table) -> str:
    """Return what ann's page answers to the LOCK that was told last, over what lies on the table."""
    view = plain(view_for(GAME, table.match, None))
    keys = {"key": table.players["ann"].me.key, "seed": "11" * 32, "root": "22" * 32}
    locks = [[len(table.events), view]]
    (found,) = run(LOCKS, {"keys": keys, "terms": plain(table.terms), "events": table.events, "locks": locks})
    return str(found)


def lock_unheard(table: Table) -> list[Any]:
    """Begin a round without telling players of the reference, who would object."""
    told = list(table.room.host.lock(stakes_for(table.match), 0).send)
    table.told += told
    return told


@pytest.mark.parametrize(
    ("forged", "answer"),
    [
        (None, "commit"),
        (act("place", bet="any7", stake=5), "objection"),
        (act("place", bet="field", stake=5), "objection"),  # it was signed, and decided by the roll since
        (act("place", bet="any_craps", stake=5), "objection"),  # it was signed, and removed
        (act("raise", bet="yes:6", stake=6), "objection"),
        (act("raise", bet="yes:8", stake=6), "objection"),
    ],
)
def test_the_page_objects_to_bets_of_its_player_that_were_not_signed(forged, answer):
    """Else a table could stake a player's chips on what it likes."""
    table = Table()
    table.act("ann", act("buy_in", chips=500))
    for bet, stake in (("field", 5), ("yes:6", 12)):
        table.act("ann", act("place", bet=bet, stake=stake))
    table.round()
    table.act("ann", act("place", bet="any_craps", stake=5))
    table.act("ann", act("remove", bet="any_craps"))
    table.act("ann", act("place", bet="yes:8", stake=12))
    key, shooter = table.players["ann"].me.key, table.match.turn.current
    ann = next(one.seat for one in table.match.players if one.id == key)
    assert [bet.name for bet in table.match.game.seats[ann].bets] == ["yes:6", "yes:8"]

    if forged is not None:
        table.told += table.room._dispatch(msgspec.structs.replace(forged, player_id=key)).send
    for player in table.match.turn.order:
        if player != shooter:
            table.told += table.room._dispatch(Action("ready", {}, player)).send
    table.told += table.room._dispatch(Action("lock", {}, shooter)).send
    lock_unheard(table)
    assert answer_of(table) == answer


def test_the_page_objects_to_a_second_round_for_one_move():
    """A table that dislikes a roll could leave it unthrown and lock again, until it likes one."""
    table = Table(["ann"])
    table.act("ann", act("buy_in", chips=500))
    table.act("ann", act("place", bet="field", stake=5))
    table.tell(table.room._dispatch(Action("lock", {}, table.match.turn.current)))
    waiting = lock_unheard(table)
    assert answer_of(table) == "commit"
    while waiting:
        for message in table.players["ann"].hear(waiting.pop(0), 0).send:
            told = table.room.host.receive(message, 0).send
            table.told += told
            waiting += told
    assert table.events[-1]["type"] == "roll"

    lock_unheard(table)
    assert answer_of(table) == "objection"


def closed_without() -> tuple[Table, Browser]:
    """Return a round of Bob's dice that the page was to be in, closed when its time was up."""
    table, eve = seated("bob")
    table.act("bob", act("ready"))
    table.tell(table.room.act(Action("lock", {}, eve.keys["key"]), 0))
    table.tell(table.room.tick(table.terms.commit_ms))
    return table, eve


def test_the_page_objects_when_its_commitment_was_dropped_and_the_table_must_hear_it():
    table, eve = closed_without()
    on = table.room.host.table.round
    assert on is not None
    assert (on.phase, list(on.acks)) == ("closed", [table.players["bob"].me.key])
    objection = eve.ask(kept={"committed": on.context.hex()})

    assert (objection["type"], objection["reason"]) == ("objection", "commit_dropped")
    eve.send(objection)
    assert table.room.host.table.voids == 1


def test_a_page_that_came_too_late_to_commit_agrees_if_it_sees_the_same_stakes():
    table, eve = closed_without()
    seen = plain(view_for(GAME, table.match, None))
    seen["game"]["seats"][0]["chips"] -= 1

    assert eve.ask(view=seen)["reason"] == "stakes_differ"
    assert eve.ask()["type"] == "ack"
    eve.send(eve.ask())
    assert table.match.game.table.roll_count == 1


# A page that is loaded again.

PLAY = f"""const store = new Map([["croupier.dice.room", JSON.stringify(given.kept)]]);
globalThis.localStorage = {{ getItem: (key) => store.get(key) ?? null, setItem: store.set.bind(store) }};
const {{ DicePlay }} = await import("{(STATIC / "common/dice-play.js").as_uri()}");
const kept = () => JSON.parse(store.get("croupier.dice.room"));
const sent = [];
globalThis.fetch = async (address, {{ method, body }}) => {{
  if (method === "POST") {{
    sent.push([JSON.parse(body).message.type, kept().opened ?? 0]);
    return new Response('{{"ok":true,"version":0}}');
  }}
  const items = given.items.filter(([version]) => version > Number(address.split("since=")[1]));
  const told = items.map(([version, text]) => `{{"version":${{version}},"dice":${{text}}}}`).join(",");
  const end = given.items.at(-1)[0];
  return new Response(`{{"terms":${{given.terms}},"items":[${{told}}],"version":${{end}},"room_version":${{end}}}}`);
}};
const play = new DicePlay("room", {{ look: async () => ({{ view: given.view }}), changed() {{}} }});
await play.sync({{ view: given.view }});
answer({{ trouble: play.trouble?.code ?? null, shown: play.book?.count ?? null, sent, kept: kept() }});"""


def opened(table: Table, events: list[Any], kept: dict[str, Any]) -> Any:
    """Return what a page does that is told these events, and kept that from before."""
    items = [[version, json.dumps(event)] for version, event in enumerate(events, 1)]
    view = plain(view_for(GAME, table.match, None))
    return run(PLAY, {"terms": json.dumps(plain(table.terms)), "items": items, "kept": kept, "view": view})


def test_a_page_that_is_told_less_than_it_knew_takes_and_answers_nothing():
    table = played(1)
    forged = {**table.events[0], "signature": "00" * 64}
    kept = {"id": game_id_of(table.terms).hex(), "version": 50, "book": "ff" * 32}
    found = opened(table, [forged], kept)

    assert found == {"trouble": "wrong_book", "shown": None, "sent": [], "kept": kept}


def test_a_page_goes_on_from_what_it_knew_and_from_nothing_else():
    table = played(2)
    events = table.events
    kept = opened(table, events[:-3], {})["kept"]
    assert (kept["version"], kept["id"]) == (len(events) - 3, game_id_of(table.terms).hex())
    again = opened(table, events, kept)
    assert (again["trouble"], again["shown"], again["kept"]["version"]) == (None, len(events), len(events))

    shorter = opened(table, events[:-4], kept)
    assert (shorter["trouble"], shorter["shown"], shorter["kept"]) == ("wrong_book", None, kept)
    early = opened(table, events[:2], {})["kept"]
    other = opened(table, [events[0], {**events[1], "salt": "00" * 32}, *events[2:]], early)
    assert (other["trouble"], other["shown"], other["kept"]) == ("wrong_book", None, early)
    forged = opened(table, [*events[:-3], {**events[-3], "signature": "00" * 64}], kept)
    assert (forged["trouble"], forged["kept"]) == ("bad_signature", kept)


def test_a_tab_that_was_open_before_leaves_the_keys_that_another_sat_down_with():
    table = played(1)
    tabs = """const before = { ...kept(), keys: makeKeys() };
store.set("croupier.dice.room", JSON.stringify(before));
await play.sync({ view: given.view });
const heard = kept().keys;
await play.sit(50);
answer([heard, kept().keys].map((keys) => keys?.key === before.keys.key));"""
    given = {"terms": json.dumps(plain(table.terms)), "items": [[1, json.dumps(table.events[0])]], "kept": {}}

    assert run(PLAY.rpartition("answer(")[0] + tabs, {**given, "view": {}}) == [True, True]


def test_a_page_tells_a_table_that_repeats_itself_from_one_that_goes_on():
    table = played(1)
    items = [[version, json.dumps(event)] for version, event in enumerate(table.events, 1)]
    twice = [*items[:3], [3, items[3][1]]]
    found = run(PLAY, {"terms": json.dumps(plain(table.terms)), "items": twice, "kept": {}, "view": None})

    assert found["trouble"] == "wrong_book"


def test_a_table_that_signed_two_lists_of_commitments_is_in_trouble():
    table = played(1)
    place = next(i for i, event in enumerate(table.events) if event["type"] == "close")
    other = resigned(table, {**table.events[place], "digest": "ab" * 32})
    found = opened(table, [*table.events[: place + 1], other], {})

    assert found["trouble"] == "two_closes"


def test_a_round_that_was_opened_is_not_committed_to_again():
    """A secret follows from the context: what was opened for it is known, whatever the table says happened since."""
    table, eve = seated()
    keys = eve.keys
    table.tell(table.room.act(Action("lock", {}, keys["key"]), 0))
    locked, view = table.events, plain(view_for(GAME, table.match, None))
    first = opened(table, locked, {"keys": keys})
    assert (first["trouble"], first["sent"]) == (None, [["commit", 0]])
    for _ in ("commit", "ack"):
        eve.send(eve.ask(view=view))
    second = opened(table, table.events, first["kept"])
    assert second["sent"] == [["reveal", 1]]  # kept before it goes out

    rewound = opened(table, locked, {"keys": keys, "opened": second["kept"]["opened"]})
    assert (rewound["trouble"], rewound["sent"]) == ("wrong_book", [])
