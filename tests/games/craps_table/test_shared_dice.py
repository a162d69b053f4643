"""A craps table with dice that everybody makes: the match and the transcript, proven together, and what goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.engine import Action, LogEntry, Refused, act, replay, state_digest, verify, write_record
from croupier.engine.rate_limit import MessageLimits
from croupier.errors import BadDocument, BadOptions
from croupier.fairness.dice import DiceHost, Ed25519Signer, Ed25519Verifier, Reveal, verify_transcript, write_transcript
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.messages import Ack, Close, Equivocation, Lock, signed
from croupier.games.craps.layout import CrapsTable, LiveBet
from croupier.games.craps.table.orders import action_for, order_for, read_bet
from croupier.games.craps.table.shared_dice import DiceRoom, stakes_for, win_max
from croupier.transcripts import check_transcript, record_problem
from tests.games.craps_table.sitting import BOOK, CHAIN, GAME, Sitting
from tests.games.scenes import grouped, play, scenes
from tools.adversaries import MacSigner, MacVerifier

# From the first bet to the proof.


@pytest.fixture(scope="module")
def evening() -> Sitting:
    """Three players and the bank, real signatures, twenty rolls, a void round among them, everybody cashes out."""
    keys = {name: Ed25519Signer(bytes([number]) * 32) for number, name in enumerate(("table", "ann", "bob", "cid"), 1)}
    sitting = Sitting("ann", "bob", "cid", sign=keys.__getitem__, verifier=Ed25519Verifier())
    for number in range(20):
        for name, bet in (("ann", "pass"), ("bob", "dont_pass"), ("cid", "field")):
            if not sitting.room.match.game.table.point or bet == "field":
                sitting.bet(name, "place", bet=bet, stake=10) if sitting.chair(name).bets == () else None
        if sitting.room.match.game.table.point and len(sitting.chair("ann").bets) == 1:
            sitting.bet("ann", "place", bet="odds_pass", stake=30)
        if number == 7:
            sitting.silent = {"bob": Reveal}
            assert sitting.round().voided is not None
            sitting.silent = {}
        assert sitting.round().rolled is not None
    assert sitting.complaints == [("bob", "reveal_ignored")]  # bob thinks it was sent; the wire lost it
    for name in ("ann", "bob", "cid"):
        sitting.act(name, "cash_out")
    return sitting


def test_twenty_rolls_by_three_players_and_the_bank_prove_themselves(evening):
    assert evening.room.match.game.table.roll_count == 20
    assert evening.copies_agree()
    evening.proves()
    dice = [(one.die1, one.die2) for one in evening.room.match.game.table.history]
    rolls = verify_transcript(evening.room.host.transcript()).rolls
    assert [roll.faces for roll in rolls] == dice


def test_the_command_verifies_transcript_and_record_together(evening, tmp_path: Path):
    from click.testing import CliRunner

    from croupier.cli.app import app

    (tmp_path / "dice").write_bytes(write_transcript(evening.room.host.transcript()))
    (tmp_path / "match").write_bytes(write_record(evening.room.record()))

    done = CliRunner().invoke(app, ["verify", str(tmp_path / "dice"), "--record", str(tmp_path / "match")])

    assert done.exit_code == 0, done.output
    assert "20 moves drew from these rolls, in order" in done.output
    assert "nothing else was drawn" in done.output


def tampered(evening: Sitting, how: str) -> tuple[bytes, bytes]:
    """Return a transcript and a record of which one was changed."""
    transcript, record = evening.room.host.transcript(), evening.room.record()
    data, match = write_transcript(transcript), write_record(record)
    rolls = [number for number, seed in enumerate(record.seeds) if seed]
    if how == "another seed for a roll":
        seeds = list(record.seeds)
        seeds[rolls[3]] = "00" * 32
        return data, _remade(record, seeds=tuple(seeds))
    if how == "the seeds of two rolls exchanged":
        seeds = list(record.seeds)
        seeds[rolls[0]], seeds[rolls[1]] = seeds[rolls[1]], seeds[rolls[0]]
        return data, _remade(record, seeds=tuple(seeds))
    if how == "a bet that was not there":
        actions = list(record.actions)
        actions[rolls[0] - 2] = Action("place", {"bet": "any7", "stake": 100}, record.players[0].id)
        return data, _remade(record, actions=tuple(actions))
    if how == "a roll that no round made":
        at = rolls[-1] + 1
        turn = replay(record)[at].turn
        more = [Action("ready", {}, player) for player in turn.order if player != turn.current]
        more.append(Action("roll", {}, turn.current))
        return data, _remade(
            record, actions=(*record.actions[:at], *more), seeds=(*record.seeds[:at], *[""] * len(more))
        )
    secret = next(entry.event.secret for entry in transcript.entries if isinstance(entry.event, Reveal))
    changed = data.replace(secret.encode(), ("1" if secret[0] == "0" else "0").encode() + secret[1:].encode())
    return changed, match


def _remade(record: Any, **changed: Any) -> bytes:
    """Return a record that re-executes as far as it goes and says so: only the dice can tell."""
    from croupier.engine import apply_action, create_match, make_record

    record = replace(record, **changed)
    told = {"session_id": record.session_id, "match_id": record.match_id, "options": record.options}
    match = start = create_match(GAME, record.players, seed=bytes.fromhex(record.seed), **told)
    log = []
    for action, seed in zip(record.actions, record.seeds, strict=True):
        answer = apply_action(GAME, match, action, seed=bytes.fromhex(seed) or None)
        if not answer.ok:
            continue
        match = answer.state
        log.append(LogEntry(answer.action, match.version, seed=seed or None))
    return write_record(make_record(GAME, start, log))


FORGERIES = ["another seed for a roll", "the seeds of two rolls exchanged", "a bet that was not there"]
FORGERIES += ["a roll that no round made", "another secret in the transcript"]


@pytest.mark.parametrize("how", FORGERIES)
def test_a_change_in_either_file_is_found(evening, how):
    data, record = tampered(evening, how)
    _, checks = check_transcript(data, record)
    failed = [check for check in checks if not check.ok]

    assert len(failed) == 1
    if how != "another secret in the transcript":
        assert verify(record).ok, "the record alone would have passed"


def test_files_of_two_tables_do_not_prove_each_other(evening):
    other = Sitting("ann", "bob")
    other.round()

    transcript = evening.room.host.transcript()
    rolls = verify_transcript(transcript).rolls
    assert record_problem(transcript, rolls, other.room.record()) is not None


# What is locked.


def test_a_lock_covers_every_bet_on_the_table_and_the_roll_to_come():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.bet("bob", "place", bet="buy:4", stake=20)
    match = sitting.room.match

    stakes = stakes_for(match)

    assert sorted(stakes.entries) == sorted(
        [
            live_bet(sitting.key("ann"), 0, 0, 10).hex(),
            live_bet(sitting.key("bob"), 7, 0, 20, "buy", working=False).hex(),
        ]
    )
    assert (stakes.move_number, stakes.hand, stakes.state) == (match.version + 1, 0, state_digest(match))
    assert msgspec.json.decode(stakes.action) == {"type": "roll", "payload": {}, "player_id": sitting.key("ann")}
    assert {(one.key, one.stake, one.win_max) for one in stakes.positions} == {
        (sitting.key("ann"), 10, 10),
        (sitting.key("bob"), 20, 0),  # off at the come-out: the next roll brings nothing
    }


@pytest.mark.parametrize(
    ("table", "bets", "most"),
    [
        (CrapsTable(), (LiveBet(0, 10), LiveBet(4, 10)), 20),  # 11: pass and field both win
        (CrapsTable(), (LiveBet(0, 10), LiveBet(1, 10)), 0),  # one pays the other
        (CrapsTable(), (LiveBet(53, 10), LiveBet(4, 10)), 320),  # 12: next:12 pays 30, field 2
        (CrapsTable("point", 4, 1), (LiveBet(0, 10), LiveBet(29, 30, 4)), 70),
        (CrapsTable(), (), 0),
    ],
)
def test_the_most_that_the_next_roll_can_bring_is_counted_over_all_dice(table, bets, most):
    assert win_max(table, bets, BOOK) == most


def test_orders_say_how_a_bet_will_lie_and_mean_the_same_on_the_other_side():
    sitting = Sitting("ann")
    for action in (
        act("place", bet="yes:4", stake=25),
        act("raise", bet="yes:4", stake=5),
        act("lower", bet="yes:4", stake=10),
        act("switch", bet="yes:4", come_out=True, point=True),
        act("place", bet="lose:6", stake=10),
        act("remove", bet="lose:6"),
        act("place", bet="pass", stake=10),
    ):
        asked = replace(action, player_id=sitting.key("ann"))
        order = order_for(sitting.room.match, asked)
        assert not isinstance(order, Refused)
        assert action_for(sitting.room.match, *order, sitting.key("ann")) == asked
        last = read_bet(order[1])
        assert sitting.send("ann", sitting.players["ann"].me.bet(*order)).ok
    assert [(bet.name, bet.stake, bet.working) for bet in sitting.chair("ann").bets] == [
        ("yes:4", 20, 3),
        ("pass", 10, 3),
    ]
    assert last == (sitting.key("ann"), 0, 0, 10, "", True)


NO_ORDERS = {
    "order_differs": [
        ("place", (4, 0, 10, "", False)),  # the field always works
        *(("place", (4, 4, 10, "", True)), ("place", (4, 0, 10, "place", True)), ("remove", (0, 0, 9, "", True))),
        ("place", (7, 0, 10, "", False)),  # a YES has a mode
    ],
    "over_limit": [("place", (4, 0, 501, "", True)), ("raise", (0, 0, 5001, "", True))],
    "window_closed": [("place", (2, 0, 10, "", True))],
    "already_placed": [("place", (0, 0, 10, "", True))],
    "unknown_bet": [("place", (91, 0, 10, "", True)), ("place", (4, 11, 10, "", True))],
    "bad_payload": [("raise", (0, 0, 10, "", True)), ("lower", (0, 0, 11, "", True))],  # by nothing, or less
    "bad_lowering": [("lower", (0, 0, 0, "", True))],
    "not_placed": [("remove", (4, 0, 10, "", True)), ("switch", (4, 0, 10, "", True))],
    "always_works": [("switch", (0, 0, 10, "", False))],
}


@pytest.mark.parametrize(("verb", "bet", "code"), grouped(NO_ORDERS))
def test_an_order_that_the_rules_refuse_or_that_says_something_else_changes_nothing(verb, bet, code):
    sitting = Sitting("ann")
    sitting.bet("ann", "place", bet="pass", stake=10)
    before, entries = sitting.room.match, len(sitting.room.host.book.entries)
    me = sitting.players["ann"].me

    answer = sitting.send("ann", me.bet(verb, live_bet(me.key, *bet)))

    assert (answer.ok, answer.code) == (False, code)
    assert sitting.room.match is before
    assert len(sitting.room.host.book.entries) == entries


def test_nobody_orders_for_somebody_else():
    sitting = Sitting("ann", "bob")
    ann, bob = sitting.players["ann"].me, sitting.players["bob"].me
    theirs = live_bet(ann.key, 4, 0, 10)

    assert sitting.send("bob", bob.bet("place", theirs)).code == "unknown_bet"
    forged = replace(bob.bet("place", theirs), key=ann.key)
    assert sitting.send("bob", forged).code == "bad_signature"
    assert sitting.send("bob", bob.bet("place", b"not a bet at all")).code == "unknown_bet"
    assert read_bet(theirs + b"\x00\x00\x00\x00") is None
    assert read_bet(theirs[:-1]) is None


def test_an_order_is_good_for_one_bet():
    """A signed message that is sent again is stale, whoever sends it."""
    sitting = Sitting("ann", "bob")
    order = sitting.players["ann"].order(act("place", bet="field", stake=10))
    sitting.send("ann", order)
    sitting.round()
    assert sitting.chair("ann").bets == ()

    assert sitting.send("bob", order).code == "stale_seq"
    assert sitting.chair("ann").bets == ()


PAST_THE_PROTOCOL = {
    "unsigned_bet": [
        act("place", bet="pass", stake=10),
        act("remove", bet="pass"),
        act("keep_up", bet="pass"),
        act("cash_out"),  # the bet is free to come down, and would
    ],
    "dice_are_shared": [act("roll"), act("time_out")],
    "host_only": [act("close", reason="host"), act("leave"), act("join", id="dan")],
    "nobody_else": [act("pass_dice")],
    "unknown_action": [act("dance")],
}


@pytest.mark.parametrize(("action", "code"), grouped(PAST_THE_PROTOCOL))
def test_no_unsigned_action_draws_or_bets(action, code):
    sitting = Sitting("ann")
    sitting.bet("ann", "place", bet="pass", stake=10)

    assert sitting.act("ann", action.type, **action.payload).code == code
    assert sitting.room.act(replace(action, player_id=None), 0).code == "host_only"
    assert sitting.room.act(replace(action, player_id=""), 0).code == "host_only"


# Scenes: who sits there, and a point that stands with 99 of ann's on pass; what is said; and what is then so.


def staged(head: str) -> Sitting:
    """Return the table that a scene begins with; of a hundred tables the first that has the point."""
    words = [word.partition("=") for word in head.split()]
    names = [word for word, is_option, _ in words if not is_option]
    options: dict[str, Any] = {name: int(value) for name, is_option, value in words if is_option}
    if "table" in options:
        options["name"] = f"table {options.pop('table')}"
    if "point" not in options:
        return Sitting(*names, **options)
    for number in range(100):
        sitting = Sitting(*names, name=f"table {number}")
        sitting.bet("ann", "place", bet="pass", stake=99)
        sitting.round()
        if sitting.room.match.game.table.point == options["point"]:
            return sitting
    raise AssertionError("no such point")


BAD_POINTS = """
# free objections do not buy a way out of a point of {point} | ann eve ivy joe point={point}
## Three friends object in turn and the table closes: ann gets what pass is worth, and not her stake.
eve objects; ivy objects; joe objects; round; ? ended.voided.reason 'objected'; round; ? ended.voided.reason 'objected'
round; ? ended.voided.reason 'objected'; ? ended.closed 'three_voids'; ? ann.paid_out {left}; ? proves True
# whoever objects to get rid of a bet gets what it is worth at a point of {point} | ann bob point={point}
ann objects; round; ? rolled False; ? ann.chips {left}; ? agree True; ? proves True
"""
SCENES = scenes("""
# bets are limited to what the banks bond could pay | ann bob table_bond=350
## Next 12 wins 300.
ann place next:12 10; bob place pass 60 -> bond_limit; bob place pass 50; round; ? rolled True
# bets are limited to what the banks bond could win and not return | ann bob table_bond=310
ann place next:12 10; bob place pass 15 -> bond_limit; bob place pass 10; round; ? rolled True
# a player who does not open pays the fee and bets stand | ann bob cid
ann place pass 10; bob place field 10; bob keeps opening; round
? ended.voided.reason 'reveal_missing'; ? blamed ['bob']
## Ann could have won 10 and bob 20 (two and twelve pay 2 to 1): as much the table loses. Nobody gets it, or the fee.
? moved [('bond:bob', 'unclaimed', 5), ('bond:table', 'unclaimed', 30)]
? turn.phase 'locked'; ? game.table.roll_count 0; mark
round; ? rolled True; ? ended.rolled.round 2; ? since 1; ? agree True; ? proves True
# three void rounds close the table and pay what bets are worth | ann bob point=8
## The point is 8, which comes before a 7 five times in eleven: of 99 on pass 90 are left. Of 36 on field, 34.
bob place field 36; ann keeps commitment; bob keeps commitment; round; round; round; ? ended.closed 'three_voids'
? status 'finished'; ? game.table.phase 'closed'; ? game.bank 1_000_011; ? ann.paid_out 991; ? bob.paid_out 998
? result.reason 'three rounds in a row were void; bets were paid what they were worth'
? stakes_moved []; ? agree True; ? proves True
# a shooter who sits out loses the dice after the roll | ann bob cid table=72
## No seven-out: the dice pass because ann does not answer.
bob place pass 10; ann keeps everything; ? shooter 'ann'; round; ? dice (4, 4); ? shooter 'ann'; round; ? dice (3, 6)
? shooter 'ann'; round; ? dice (2, 2); ? shooter 'bob'; ? log ['lock', 'roll', 'time_out']; ? ann.status 'out'
? proves True
# whoever bets and does not commit is bought out and loses the dice | ann bob
## No bet is decided by dice that its owner had no part in. Ten on pass are worth 20 times 244/495: 9, and a chip
## that is nobody's.
ann place pass 10; bob place field 10; ann keeps everything; round
? ended.voided.reason 'commit_missing'; ? blamed ['ann']; ? moved []; ? ann.chips 999; ? ann.bets {}; ? ann.unclaimed 1
? shooter 'bob'; ? turn.phase 'locked'; ? log ['lock', 'buy_out', 'time_out']; ? agree True
## Bob's bet is rolled for, without her.
round; ? rolled True; ? game.table.hand_id 0; ann place field 10 -> sits_out; ? proves True
# too few contributors begin no round and leave the betting open | ann
## The only player contributes no more in this hand.
ann place pass 10; ann keeps opening; round; ? rolled False; host lock -> too_few_seats
# a seat that objects again and again does not close the table | ann eve point=4
## It sits out the hand after the first time, and its partner's bet is rolled for.
eve objects; round; ? rolled False; round; ? rolled True; ? eve.complaints ['stakes_differ']
# a table that has used up its rounds pays what bets are worth | ann bob point=5
used up; bob ready; shooter lock; ? status 'finished'; ? ann.paid_out 980
# a player objects to stakes that are not those on the table | ann bob
ann place pass 10; bob misreads; round; ? ended.voided.reason 'objected'; ? bob.complaints ['stakes_differ']
# a player is told what the rules would refuse before signing | ann
ann orders place come 10 -> unsigned window_closed; ann orders buy_in 100 -> unsigned unknown_action
# nobody leaves or passes the dice in the middle of a round | ann bob
ann keeps opening; bob ready; ann lock; bob leaves -> round_on; host close -> wrong_phase
ann pass_dice -> wrong_phase; ann time_out -> wrong_phase
# more chips for a bond change nothing at the table | ann
mark; ann joins 10; ? same True
# a table ends in good order when no bet is up | ann bob
ann place field 10; host end -> bets_open; round; host end; ? ended.closed 'ended'; ? paid ['ann', 'bob']
? status 'finished'; ? game.table.phase 'closed'; ? agree True; ? proves True
# a host that must close pays what bets are worth and then bonds | ann
## The field has an edge of 1/18.
ann place field 36; host close; ? ann.paid_out 998; host end; ? ended.closed 'ended'
""" + "".join(BAD_POINTS.format(point=point, left=left) for point, left in ((4, 967), (5, 980), (6, 991))))  # fmt: skip


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_table_with_shared_dice_does_what_is_written(head, scene):
    play(staged(head), scene)


# Rounds that fail.


def test_proof_against_the_table_closes_it_and_nobody_gets_less_than_the_stake():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.round()
    sitting.bet("bob", "place", bet="field", stake=10)
    before = [chair.chips + chair.at_risk for chair in sitting.room.match.game.seats]
    sitting.silent = {"ann": (Ack, Reveal), "bob": (Ack, Reveal)}
    sitting.lock()
    (first,) = [entry.event for entry in sitting.room.host.book.entries[-1:] if isinstance(entry.event, Close)]
    second = signed(sitting.signer, replace(first, digest="00" * 32), sitting.room.host.table.game_id)

    answer = sitting.send("ann", Equivocation(first, second))

    assert answer.closed == "two_closes"
    match = sitting.room.match
    assert (match.status, [chair.paid_out for chair in match.game.seats]) == ("finished", before)
    bond = [one.chips for one in answer.movements if one.source == f"bond:{sitting.terms.table_key}"]
    assert sum(bond) == 500_000


# Coming, going, ending.


def test_joining_and_leaving_the_dice_joins_and_leaves_the_table():
    sitting = Sitting("ann", "bob")
    sitting.signers["dan"] = MacSigner("dan")
    sitting.sit("dan")
    sitting.players["dan"].match = sitting.room.match  # a latecomer asks for the match as it stands
    sitting.act("dan", "buy_in", chips=100)
    sitting.bet("dan", "place", bet="pass", stake=10)
    while sitting.room.match.game.table.point == 0:
        sitting.round()
        if not sitting.chair("dan").bets:
            sitting.bet("dan", "place", bet="pass", stake=10)

    answer = sitting.send("dan", sitting.players["dan"].me.leave())

    assert answer.ok
    assert sitting.key("dan") not in sitting.room.match.turn.order
    assert (
        sitting.chair("dan").bets == ()
    )  # a contract bet: bought at its value, for dan has no part in the dice to come
    assert [entry.action.type for entry in sitting.room.log][-2:] == ["leave", "buy_out"]
    del sitting.players["dan"]
    assert sitting.round().rolled is not None
    lock = [one.event for one in sitting.room.host.book.entries if isinstance(one.event, Lock)][-1]
    assert sitting.key("dan") not in {place.key for place in lock.positions}
    sitting.proves()


def test_a_host_that_starts_again_goes_on_where_it_was_even_in_the_middle_of_a_round():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.round()
    sitting.silent = {"bob": Reveal}
    sitting.lock()
    before = sitting.room
    assert before.deadline is not None
    host = DiceHost(sitting.terms, sitting.signer, MacVerifier(), CHAIN, before.host.book.entries)

    sitting.room = DiceRoom(before.start, host, log=before.log)

    assert state_digest(sitting.room.match) == state_digest(before.match)
    kept = sitting.players["bob"].me.kept
    assert kept is not None
    sitting.silent = {}
    assert sitting.send("bob", kept.reveal).ok
    assert sitting.room.match.game.table.roll_count == 2
    assert sitting.copies_agree()
    sitting.proves()
    with pytest.raises(BadDocument):
        DiceRoom(before.start, host, log=before.log[1:])


# The door.


def test_a_player_over_the_rate_limit_is_refused_until_later():
    now = 0
    sitting = Sitting("ann", "bob", gate=MessageLimits(lambda: now))
    codes = [sitting.act("ann", "buy_in", chips=20).code for _ in range(12)]

    assert codes == [""] * 8 + ["too_fast"] * 4  # two of ten were used to sit down
    order = sitting.players["ann"].order(act("place", bet="pass", stake=10))
    assert sitting.send("ann", order).code == "too_fast"
    assert sitting.bet("bob", "place", bet="pass", stake=10).ok
    now = 100
    assert sitting.send("ann", order).ok


def test_unreadable_messages_count_against_the_rate_limit_of_their_sender():
    now = 0
    sitting = Sitting("ann", "bob", gate=MessageLimits(lambda: now))

    codes = [sitting.room.receive(b"{}", 0, sender="ann").code for _ in range(12)]

    assert codes == ["unreadable"] * 10 + ["too_fast"] * 2
    assert sitting.bet("bob", "place", bet="pass", stake=10).ok
    assert sitting.act("ann", "ready").code == "too_fast"


def test_a_room_has_a_bank_two_dice_and_one_session():
    sitting = Sitting("ann")
    for wrong in ({"dice": 3}, {"hidden": True}, {"session_id": 8}):
        terms = replace(sitting.terms, **wrong)
        host = DiceHost(terms, sitting.signer, MacVerifier(), CHAIN)
        with pytest.raises(BadOptions):
            DiceRoom(sitting.room.start, host)
    bankless = DiceHost(replace(sitting.terms, chain_end=""), sitting.signer, MacVerifier())
    with pytest.raises(BadOptions):
        DiceRoom(sitting.room.start, bankless)
