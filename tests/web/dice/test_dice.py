"""Shared dice in the page: a second implementation, against the bytes, the tables and the orders of the first."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.engine import Action, Match, Refused, act, apply_action, state_digest, view_for, write_record
from croupier.fairness.dice.terms import game_id_of
from croupier.games.craps.bets import NAMED
from croupier.games.craps.table.orders import order_for
from croupier.games.craps.table.shared_dice import stakes_for
from tests.web.dice.room import GAME, Table, plain, played, resigned, run
from tests.web.page_modules import STATIC, needs_node, other_than, seal

pytest.importorskip("cryptography")

pytestmark = needs_node


# Byte strings.


def test_the_published_check_values_hold():
    """docs/shared-dice.md, at the end of "Byte for byte"."""
    script = """const keys = ["a1".repeat(32), "b2".repeat(32)];
const secrets = ["11".repeat(32), "22".repeat(32)];
const digest = toHex((await import(given.sha)).sha256(dice.encode("craps/bets/1")));
const lock = { round: 1, previous: dice.ZERO, digest, roster: keys };
const context = dice.contextOf(fromHex("01".repeat(16)), lock);
const commits = keys.map((key, i) => {
  const nonce = [7, 9][i];
  return { key, nonce, commitment: dice.commitmentOf(context, key, nonce, secrets[i]) };
});
answer([context, dice.rollSeed(dice.commitSet(context, commits), secrets)]);"""

    assert run(script, {"sha": (STATIC / "lib/sha256.js").as_uri()}) == [
        "3d83e0beae500a8af97a9e4ca9aff1b6b2dab0bb439a2261359497ce8d9555d5",
        "f3652c0e1335539f000ebee313a6fe16a6faf7c6fb09c7c3755189bbac14929b",
    ]


# Books.

FOLLOW = """const results = given.map(({ terms, events, trusts }) => {
  const book = new DiceBook(terms);
  book.trusts = Boolean(trusts);
  for (const [place, event] of events.entries()) {
    try { book.apply(event); } catch (wrong) { return { place, code: wrong.code ?? String(wrong) }; }
  }
  const keys = (parts) => parts.map(({ key }) => key);
  const rolls = book.rolls.map(({ round, move, seed, faces, parts }) => [round, move, seed, faces, keys(parts)]);
  return { book: book.book, transcript: book.transcript, rolls, closed: book.closed, signatures: book.signatures };
});
answer(results);"""


def followed(table: Table, *books: list[Any], **more: Any) -> list[Any]:
    """Return where a page stands that has followed each of these books of a table."""
    result: list[Any] = run(FOLLOW, [{"terms": plain(table.terms), "events": book, **more} for book in books])
    return result


def test_a_table_of_the_reference_is_followed_to_the_same_book_and_the_same_dice():
    table = played(6)
    (found,) = followed(table, table.events)
    dice = table.room.host.table
    seeds = [entry for entry in table.room.log if entry.seed]

    assert found["book"] == dice.book.hex()
    assert found["transcript"] == dice.transcript
    assert [(roll[1], roll[2]) for roll in found["rolls"]] == [(entry.version, entry.seed) for entry in seeds]
    history = [roll[2:4] for roll in plain(table.match.game.table.history)]
    assert [roll[3] for roll in found["rolls"]] == history
    everybody = sorted([table.signer.key, *(one.me.key for one in table.players.values())])
    assert all(roll[4] == everybody for roll in found["rolls"])
    assert found["signatures"] == len(table.events)


def test_a_changed_field_in_any_message_is_found():
    """Every field of every message of a round, one after the other; whatever follows is as it was."""
    table = played(1)
    begin = next(i for i, event in enumerate(table.events) if event["type"] == "lock")
    honest = table.events[begin : begin + 12]
    cases = [
        [*table.events[:place], {**event, name: other_than(event[name])}, *table.events[place + 1 :]]
        for place, event in enumerate(honest, begin)
        for name in event
        if name != "type" and event[name] not in ([], "")
    ]
    found = followed(table, *cases)

    assert {event["type"] for event in honest} == {"lock", "commit", "close", "ack", "open", "reveal", "roll"}
    assert len(cases) > 50
    missed = [i for i, answer in enumerate(found) if "code" not in answer]
    assert missed == []


def test_a_table_that_leaves_out_a_player_or_rolls_other_dice_is_found_even_if_it_signs_that():
    """The table has its own key: what it must not say is refused although the signature holds."""
    table = played(1)
    events = table.events
    place = next(i for i, event in enumerate(events) if event["type"] == "close")
    commits = [one for one in events[place]["commits"] if one["key"] == table.signer.key]
    fewer = resigned(table, {**events[place], "commits": commits})
    last = next(i for i, event in enumerate(events) if event["type"] == "roll")
    commit_set = bytes.fromhex(events[place]["digest"])
    roll = {**events[last], "faces": [face % 6 + 1 for face in events[last]["faces"]]}
    other = resigned(table, roll, commits=commit_set)
    found = followed(table, [*events[:place], fewer], [*events[:last], other])

    assert [one["code"] for one in found] == ["close_differs", "roll_differs"]


def test_three_void_rounds_close_the_book_as_they_close_the_table():
    """Ann alone, who never answers: nobody but the bank commits."""
    table = Table(("ann",))
    table.act("ann", act("buy_in", chips=100))
    answer = table.room.act(Action("lock", {}, table.players["ann"].me.key), 0)
    told = [*answer.send]
    for turn in range(1, 4):
        told += table.room.tick(20_000 * turn).send
        if not table.room.host.table.closed:
            told += table.room.lock(20_000 * turn).send
    events = [*table.events, *(plain(one) for one in told if hasattr(one, "signature"))]
    (found,) = followed(table, events)

    assert found["closed"] == table.room.host.table.closed == "three_voids"
    assert found["book"] == table.room.host.table.book.hex()


def test_a_table_of_the_older_protocol_is_not_followed():
    """Its terms have neither field, and its messages are checked by the command."""
    terms = plain(Table(("ann",)).terms)
    old = {name: value for name, value in terms.items() if name not in ("protocol", "object_ms")}
    script = "answer(given.map((terms) => { try { new DiceBook(terms); } catch (wrong) { return wrong.code; } }));"

    assert run(script, [terms, old, {**terms, "protocol": 1}, {**terms, "fee": -1}]) == [
        None,
        "old_protocol",
        "old_protocol",
        "bad_options",
    ]


def test_a_message_over_4_mib_is_not_read():
    """4 MiB: the reference reads no more either."""
    table = played(1)
    place = next(i for i, event in enumerate(table.events) if event["type"] == "lock")
    script = """const book = new DiceBook(given.terms);
for (const event of given.events) book.apply(event);
answer(given.sizes.map((size) => {
  const lock = { ...given.lock, roster: Array(size).fill(given.lock.digest) };
  try { book.apply(lock); } catch (wrong) { return wrong.code; }
}));"""
    about = {"terms": plain(table.terms), "events": table.events[:place], "lock": table.events[place]}

    assert run(script, {**about, "sizes": [10, 2**16]}) == ["wrong_roster", "unreadable"]


def test_a_book_checked_before_is_read_again_without_its_signatures_to_the_same_book():
    table = played(2)

    assert followed(table, table.events, trusts=True) == followed(table, table.events)


RECORD = f"""const {{ recordSeeds }} = await import("{(STATIC / "lib/dice-record.js").as_uri()}");
const book = new DiceBook(given.terms);
for (const event of given.events) book.apply(event);
answer(given.texts.map((text) => recordSeeds(text, book).map(({{ name, ok }}) => [name, ok])));"""


def test_a_record_that_drew_from_anything_else_is_found():
    table = played(3)
    honest = json.loads(write_record(table.room.record()))
    rolled = [move for move, seed in enumerate(honest["seeds"]) if seed]
    swapped = [*honest["seeds"]]
    swapped[rolled[0]], swapped[rolled[1]] = swapped[rolled[1]], swapped[rolled[0]]
    added = [*honest["seeds"]]
    added[next(move for move, seed in enumerate(added) if not seed)] = "ab" * 32
    other = [*honest["digests"]]
    other[rolled[1]] = "00" * 32
    changes: list[dict[str, Any]] = [{}, {"seeds": swapped}, {"seeds": added}, {"digests": other}, {"session_id": 5}]
    texts = [seal({**honest, **change}) for change in changes]
    given = {"terms": plain(table.terms), "events": table.events, "texts": [*texts, texts[0].replace("field", "pass")]}
    found = run(RECORD, given)

    assert found == [
        [["seal", True], ["seeds", True]],
        *[[["seal", True], ["seeds", False]]] * 4,
        [["seal", False], ["seeds", True]],
    ]


def test_the_seed_of_the_deal_may_come_from_a_round_of_its_own():
    rolls = [[{"round": 1, "move": 0, "seed": seed * 32, "state": "", "action": "{}"}] for seed in ("ab", "cd")]
    text = seal({"session_id": 5, "seed": "ab" * 32, "seeds": [""], "digests": ["00" * 32], "actions": [{}]})
    ask = "answer(given.books.map((book) => recordSeeds(given.text, book).every(({ ok }) => ok)));"
    books = [{"terms": {"session_id": 5}, "rolls": one} for one in rolls]

    assert run(RECORD.splitlines()[0] + ask, {"books": books, "text": text}) == [True, False]


# Seats.


def states() -> list[Match[Any]]:
    """A come-out and a point, with bets of every kind that can lie there."""
    table = Table(("ann",))
    table.act("ann", act("buy_in", chips=50_000))
    found = [table.match]
    match = table.match
    key = table.players["ann"].me.key
    for seed in range(200):
        state = match
        for bet in ("pass", "field", "yes:6", "buy:4", "no:8", "lose:5", "hard:8", "next:7", "hop:1-3", "big:6"):
            answer = apply_action(GAME, state, Action("place", {"bet": bet, "stake": 20}, key))
            state = answer.state if answer.ok else state
        found.append(state)
        answer = apply_action(GAME, state, Action("roll", {}, key), seed=bytes([seed]))
        if not answer.ok or not answer.state.game.table.point:
            continue
        state = answer.state
        for bet in ("come", "dont_come", "odds_pass"):
            answer = apply_action(GAME, state, Action("place", {"bet": bet, "stake": 20}, key))
            state = answer.state if answer.ok else state
        found.append(state)
        for again in range(60):
            answer = apply_action(GAME, state, Action("roll", {}, key), seed=bytes([again, seed]))
            bets = answer.state.game.seats[0].bets
            if answer.ok and answer.state.game.table.point and any(bet.id in (2, 3) and bet.number for bet in bets):
                return [*found[-3:], answer.state]
    raise AssertionError("no come bet has travelled")


VERBS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("place", {"stake": 20}),
    ("raise", {"stake": 20}),
    ("lower", {"stake": 10}),
    ("remove", {}),
    ("switch", {"come_out": True, "point": False}),
    ("switch", {"come_out": False, "point": True}),
)


def test_orders_for_every_bet_and_verb_are_the_bytes_of_the_reference():
    asked, expected = [], []
    for match in states():
        key = match.players[0].id
        view = plain(view_for(GAME, match, key))
        for bet in NAMED:
            for verb, more in VERBS:
                order = order_for(match, Action(verb, {"bet": bet, **more}, key))
                if not isinstance(order, Refused):
                    asked.append([view, key, verb, {"bet": bet, **more}])
                    expected.append({"verb": order[0], "bet": order[1].hex()})
    kinds = {(one[2], one[3]["bet"]) for one in asked}
    assert {verb for verb, _ in kinds} == {"place", "raise", "lower", "remove", "switch"}
    assert {bet for _, bet in kinds} >= {"odds_pass", "buy:4", "lose:5", "yes:6", "no:8", "hop:1-3", "fire"}
    assert any(bet.startswith(("come:", "dont_come:", "odds_come:", "odds_dont_come:")) for _, bet in kinds)

    assert run("answer(given.map((one) => orderFor(...one)));", asked) == expected


@pytest.mark.parametrize("pay_table", ["casino", "bitcraps", "nullspace"])
def test_stakes_and_the_digest_of_a_state_follow_from_the_view(pay_table):
    table = Table(names := ("ann", "bob"), pay_table=pay_table, allow_overpay=True)
    for name in names:
        table.act(name, act("buy_in", chips=1000))
        for bet in ("pass", "yes:6", "no:8", "hard:8", "field"):
            table.act(name, act("place", bet=bet, stake=30))
    match = table.match
    given = {
        "view": plain(view_for(GAME, match, None)),
        "seed": game_id_of(table.terms).hex(),
        "session": table.terms.session_id,
    }
    script = "answer([stakesOf(given.view), digestOf(given.view, given.seed, given.session)]);"

    assert run(script, given) == [sorted(stakes_for(match).entries), state_digest(match)]
