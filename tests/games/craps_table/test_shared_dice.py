"""A craps table with dice that everybody makes: the match and the transcript, proven together, and what goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.engine import Action, LogEntry, Refused, act, replay, state_digest, verify, write_record
from croupier.engine.model import HOST
from croupier.engine.rate_limit import MessageLimits
from croupier.errors import BadDocument, BadOptions
from croupier.fairness.dice import (
    Contributor,
    DiceHost,
    Ed25519Signer,
    Ed25519Verifier,
    Reveal,
    Stakes,
    verify_transcript,
    write_transcript,
)
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.messages import Ack, Close, Commit, Equivocation, Lock, signed
from croupier.fairness.dice.verifying import record_problem
from croupier.games.craps.layout import CrapsTable, LiveBet
from croupier.games.craps.table.orders import action_for, order_for, read_bet
from croupier.games.craps.table.shared_dice import DiceRoom, stakes_for, win_max
from croupier.transcripts import check_transcript
from tests.games.craps_table.sitting import BOOK, CHAIN, GAME, NO_COMMIT, Sitting
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
    match = start = create_match(
        GAME,
        record.players,
        seed=bytes.fromhex(record.seed),
        session_id=record.session_id,
        match_id=record.match_id,
        options=record.options,
    )
    log = []
    for action, seed in zip(record.actions, record.seeds, strict=True):
        answer = apply_action(GAME, match, action, seed=bytes.fromhex(seed) or None)
        if not answer.ok:
            continue
        match = answer.state
        log.append(LogEntry(answer.action, match.version, seed=seed or None))
    return write_record(make_record(GAME, start, log))


@pytest.mark.parametrize(
    "how",
    [
        "another seed for a roll",
        "the seeds of two rolls exchanged",
        "a bet that was not there",
        "a roll that no round made",
        "another secret in the transcript",
    ],
)
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


def test_what_is_locked_is_every_bet_on_the_table_and_the_roll_to_come():
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


@pytest.mark.parametrize(
    ("verb", "bet", "code"),
    [
        ("place", (4, 0, 10, "", False), "order_differs"),  # the field always works
        ("place", (4, 4, 10, "", True), "order_differs"),
        ("place", (4, 0, 10, "place", True), "order_differs"),
        ("place", (7, 0, 10, "", False), "order_differs"),  # a YES has a mode
        ("place", (4, 0, 501, "", True), "over_limit"),
        ("place", (2, 0, 10, "", True), "window_closed"),
        ("place", (0, 0, 10, "", True), "already_placed"),
        ("place", (91, 0, 10, "", True), "unknown_bet"),
        ("place", (4, 11, 10, "", True), "unknown_bet"),
        ("raise", (0, 0, 10, "", True), "bad_payload"),  # by nothing
        ("raise", (0, 0, 5001, "", True), "over_limit"),
        ("lower", (0, 0, 11, "", True), "bad_payload"),
        ("lower", (0, 0, 0, "", True), "bad_lowering"),
        ("remove", (0, 0, 9, "", True), "order_differs"),
        ("remove", (4, 0, 10, "", True), "not_placed"),
        ("switch", (0, 0, 10, "", False), "always_works"),
        ("switch", (4, 0, 10, "", True), "not_placed"),
    ],
)
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


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (act("place", bet="pass", stake=10), "unsigned_bet"),
        (act("remove", bet="pass"), "unsigned_bet"),
        (act("roll"), "dice_are_shared"),
        (act("time_out"), "dice_are_shared"),
        (act("close", reason="host"), "host_only"),
        (act("leave"), "host_only"),
        (act("join", id="dan"), "host_only"),
        (act("pass_dice"), "nobody_else"),
        (act("dance"), "unknown_action"),
    ],
)
def test_nothing_draws_or_bets_past_the_protocol(action, code):
    sitting = Sitting("ann")
    sitting.bet("ann", "place", bet="pass", stake=10)

    assert sitting.act("ann", action.type, **action.payload).code == code
    assert sitting.room.act(replace(action, player_id=None), 0).code == "host_only"
    assert sitting.room.act(replace(action, player_id=""), 0).code == "host_only"


def test_bets_are_limited_to_what_the_banks_bond_could_pay():
    sitting = Sitting("ann", "bob", table_bond=350)
    sitting.bet("ann", "place", bet="next:12", stake=10)  # wins 300
    assert sitting.send("bob", sitting.players["bob"].order(act("place", bet="pass", stake=60))).code == "bond_limit"

    sitting.bet("bob", "place", bet="pass", stake=50)

    assert sitting.round().rolled is not None


# Rounds that fail.


def test_a_player_who_does_not_open_pays_the_fee_and_bets_stand():
    sitting = Sitting("ann", "bob", "cid")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.bet("bob", "place", bet="field", stake=10)
    sitting.silent = {"bob": Reveal}
    ended = sitting.round()
    assert ended.voided is not None
    assert (ended.voided.reason, ended.voided.keys) == ("reveal_missing", (sitting.key("bob"),))
    # Ann could have won 10 and bob 20 (two and twelve pay 2 to 1): as much the table loses. Nobody gets it, or the fee.
    moved = [(one.source, one.target, one.chips) for one in ended.movements]
    table = sitting.room.host.table.terms.table_key
    assert moved == [(f"bond:{sitting.key('bob')}", "unclaimed", 5), (f"bond:{table}", "unclaimed", 30)]
    locked = sitting.room.match
    assert (locked.turn.phase, locked.game.table.roll_count) == ("locked", 0)

    ended = sitting.round()

    assert ended.rolled is not None
    assert ended.rolled.round == 2
    assert sitting.room.match.version == locked.version + 1
    assert sitting.copies_agree()
    sitting.proves()


def test_three_void_rounds_close_the_table_and_pay_what_bets_are_worth():
    """The point is 8, which comes before a 7 five times in eleven: of 99 on pass 90 are left. Of 36 on field, 34."""
    sitting = with_point(8, "ann", "bob")
    sitting.bet("bob", "place", bet="field", stake=36)
    sitting.silent = {"ann": Commit, "bob": Commit}

    for _ in range(3):
        ended = sitting.round()

    assert ended.closed == "three_voids"
    match = sitting.room.match
    assert (match.status, match.game.table.phase, match.game.bank) == ("finished", "closed", 1_000_000 + 9 + 2)
    assert [chair.paid_out for chair in match.game.seats] == [991, 998]
    assert match.result is not None
    assert match.result.reason == "three rounds in a row were void; bets were paid what they were worth"
    assert not [one for one in ended.movements if one.source.startswith("stake:")]
    assert sitting.copies_agree()
    sitting.proves()


def test_a_shooter_who_sits_out_loses_the_dice_after_the_roll():
    sitting = Sitting("ann", "bob", "cid", name="table 72")
    sitting.bet("bob", "place", bet="pass", stake=10)
    sitting.silent = {"ann": NO_COMMIT}
    dice = []
    for _ in range(3):
        assert sitting.shooter == "ann"
        ended = sitting.round()
        assert ended.rolled is not None
        dice.append(ended.rolled.faces)

    assert dice == [(4, 4), (3, 6), (2, 2)]  # no seven-out: the dice pass because ann does not answer
    assert sitting.shooter == "bob"
    assert [entry.action.type for entry in sitting.room.log][-3:] == ["lock", "roll", "time_out"]
    assert sitting.room.host.table.seats[sitting.key("ann")].status == "out"
    sitting.proves()


def test_whoever_bets_and_does_not_commit_is_bought_out_and_loses_the_dice():
    """No bet is decided by dice that its owner had no part in. Ten on pass are worth 20 times 244/495: 9, and a chip
    that is nobody's."""
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.bet("bob", "place", bet="field", stake=10)
    sitting.silent = {"ann": NO_COMMIT}

    ended = sitting.round()

    assert ended.voided is not None
    assert (ended.voided.reason, ended.voided.keys) == ("commit_missing", (sitting.key("ann"),))
    assert ended.movements == ()
    assert (sitting.chair("ann").chips, sitting.chair("ann").bets, sitting.chair("ann").unclaimed) == (999, (), 1)
    assert (sitting.shooter, sitting.room.match.turn.phase) == ("bob", "locked")
    assert [entry.action.type for entry in sitting.room.log][-3:] == ["lock", "buy_out", "time_out"]
    assert sitting.copies_agree()
    assert sitting.round().rolled is not None  # bob's bet is rolled for, without her
    order = sitting.players["ann"].order(act("place", bet="field", stake=10))
    hand = sitting.room.match.game.table.hand_id
    assert sitting.send("ann", order).code == ("sits_out" if hand == 0 else "")
    sitting.proves()


def test_proof_against_the_table_closes_it_and_nobody_gets_less_than_the_stake():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.round()
    sitting.bet("bob", "place", bet="field", stake=10)
    before = [chair.chips + chair.at_risk for chair in sitting.room.match.game.seats]
    sitting.silent = {"ann": (Ack, Reveal), "bob": (Ack, Reveal)}
    for player in ("ann", "bob"):
        if player != sitting.shooter:
            sitting.act(player, "ready")
    sitting.act(sitting.shooter, "lock")
    (first,) = [entry.event for entry in sitting.room.host.book.entries[-1:] if isinstance(entry.event, Close)]
    second = signed(sitting.signer, replace(first, digest="00" * 32), sitting.room.host.table.game_id)

    answer = sitting.send("ann", Equivocation(first, second))

    assert answer.closed == "two_closes"
    match = sitting.room.match
    assert (match.status, [chair.paid_out for chair in match.game.seats]) == ("finished", before)
    bond = [one.chips for one in answer.movements if one.source == f"bond:{sitting.terms.table_key}"]
    assert sum(bond) == 500_000


def test_too_few_contributors_begin_no_round_and_leave_the_betting_open():
    sitting = Sitting("ann")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.silent = {"ann": Reveal}
    assert sitting.round().voided is not None
    before = sitting.room.match

    answer = sitting.room.lock(sitting.now)

    assert answer.code == "too_few_seats"  # the only player contributes no more in this hand
    assert sitting.room.match is before


# Ways out of a bad point.


def with_point(point: int, *names: str) -> Sitting:
    """Return a table at which ann has 99 on pass and the point stands."""
    for number in range(100):
        sitting = Sitting(*names, name=f"table {number}")
        sitting.bet("ann", "place", bet="pass", stake=99)
        sitting.round()
        if sitting.room.match.game.table.point == point:
            return sitting
    raise AssertionError("no such point")


def object_to_everything(sitting: Sitting, *names: str) -> None:
    """Let players see other stakes than there are."""
    for name in names:
        see_otherwise(sitting.players[name].me)


def see_otherwise(me: Contributor) -> None:
    see = me.expect

    def expect(stakes: Stakes) -> None:
        see(replace(stakes, move_number=0))

    me.expect = expect  # type: ignore[method-assign]


@pytest.mark.parametrize("point", [4, 5, 6])
def test_free_objections_do_not_buy_a_way_out_of_a_bad_point(point):
    """Three friends object in turn and the table closes: ann gets what pass is worth, and not her stake."""
    sitting = with_point(point, "ann", "eve", "ivy", "joe")
    object_to_everything(sitting, "eve", "ivy", "joe")

    ended = [sitting.round() for _ in range(3)]

    assert [one.voided and one.voided.reason for one in ended] == ["objected"] * 3
    assert ended[-1].closed == "three_voids"
    assert sitting.chair("ann").paid_out == 1_000 - 99 + {4: 66, 5: 79, 6: 90}[point]
    sitting.proves()


def test_a_seat_that_objects_again_and_again_does_not_close_the_table():
    """It sits out the hand after the first time, and its partner's bet is rolled for."""
    sitting = with_point(4, "ann", "eve")
    object_to_everything(sitting, "eve")

    first, second = sitting.round(), sitting.round()

    assert first.voided is not None
    assert second.rolled is not None
    assert ("eve", "stakes_differ") in sitting.complaints


@pytest.mark.parametrize("point", [4, 5, 6])
def test_whoever_objects_to_get_rid_of_a_bet_gets_what_it_is_worth(point):
    sitting = with_point(point, "ann", "bob")
    object_to_everything(sitting, "ann")

    ended = sitting.round()

    assert ended.voided is not None
    assert sitting.chair("ann").chips == 1_000 - 99 + {4: 66, 5: 79, 6: 90}[point]
    assert sitting.copies_agree()
    sitting.proves()


def test_a_table_that_has_used_up_its_rounds_pays_what_bets_are_worth():
    sitting = with_point(5, "ann", "bob")
    host = sitting.room.host
    host.book.table = replace(host.book.table, round_number=host.table.terms.rounds_max)

    sitting.act("bob", "ready")
    answer = sitting.act("ann", "lock") if sitting.shooter == "ann" else sitting.act("bob", "lock")

    assert answer.ok
    assert sitting.room.match.status == "finished"
    assert sitting.chair("ann").paid_out == 1_000 - 99 + 79


# Players who watch.


def test_a_player_follows_no_host_that_buys_out_or_closes_as_it_likes():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    bob = sitting.players["bob"]
    version = bob.match.version

    for action in (
        Action("buy_out", {"player": sitting.key("ann")}, HOST),
        Action("close", {"reason": "host"}, HOST),
    ):
        reply = bob.hear(LogEntry(action, version + 1), 0)
        assert reply.complaint is not None
        assert reply.complaint.code == "host_oversteps"
    assert bob.match.version == version


def test_a_player_objects_to_stakes_that_are_not_those_on_the_table():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.players["bob"].match = replace(
        sitting.players["bob"].match, version=sitting.players["bob"].match.version + 1
    )

    ended = sitting.round()

    assert ended.voided is not None
    assert ended.voided.reason == "objected"
    assert ("bob", "stakes_differ") in sitting.complaints


def test_a_player_follows_no_roll_but_that_of_the_round():
    sitting = Sitting("ann", "bob")
    bob = sitting.players["bob"]
    sitting.act("bob", "ready")
    shooter = sitting.room.match.turn.current
    version = bob.match.version

    for seed in (None, "00" * 32):
        entry = LogEntry(Action("roll", {}, shooter), version + 1, drew=True, seed=seed)
        reply = bob.hear(entry, 0)
        assert reply.complaint is not None
        assert reply.complaint.code == "other_dice"
    reply = bob.hear(LogEntry(Action("roll", {}, bob.me.key), version + 1), 0)
    assert reply.complaint is not None
    assert reply.complaint.code == "action_refused"
    assert bob.match.version == version


def test_a_player_is_told_what_the_rules_would_refuse_before_signing():
    sitting = Sitting("ann")

    no = sitting.players["ann"].order(act("place", bet="come", stake=10))

    assert isinstance(no, Refused)
    assert no.code == "window_closed"
    no = sitting.players["ann"].order(act("buy_in", chips=100))
    assert isinstance(no, Refused)
    assert no.code == "unknown_action"


# Coming, going, ending.


def test_whoever_sits_down_at_the_dice_sits_down_at_the_table_and_leaves_both():
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


def test_nobody_leaves_in_the_middle_of_a_round():
    sitting = Sitting("ann", "bob")
    sitting.silent = {"ann": Reveal}
    sitting.act("bob", "ready")
    sitting.act("ann", "lock")

    assert sitting.send("bob", sitting.players["bob"].me.leave()).code == "round_on"
    assert sitting.room.close(sitting.now).code == "wrong_phase"


def test_more_chips_for_a_bond_change_nothing_at_the_table():
    sitting = Sitting("ann")
    before = sitting.room.match

    assert sitting.send("ann", sitting.players["ann"].me.join(10)).ok

    assert sitting.room.match is before


def test_a_table_ends_in_good_order_when_no_bet_is_up():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="field", stake=10)
    assert sitting.room.end(sitting.now).code == "bets_open"
    sitting.round()

    ended = sitting.spread(sitting.room.end(sitting.now))

    assert ended.closed == "ended"
    assert {one.target for one in ended.movements} >= {f"player:{sitting.key(name)}" for name in ("ann", "bob")}
    assert (sitting.room.match.status, sitting.room.match.game.table.phase) == ("finished", "closed")
    assert sitting.copies_agree()
    sitting.proves()


def test_a_host_that_must_close_pays_what_bets_are_worth_and_then_bonds():
    sitting = Sitting("ann")
    sitting.bet("ann", "place", bet="field", stake=36)

    assert sitting.spread(sitting.room.close(sitting.now)).ok
    assert sitting.chair("ann").paid_out == 998  # the field has an edge of 1/18
    assert sitting.room.end(sitting.now).closed == "ended"


def test_a_host_that_starts_again_goes_on_where_it_was_even_in_the_middle_of_a_round():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)
    sitting.round()
    sitting.silent = {"bob": Reveal}
    for name in ("ann", "bob"):
        if name != sitting.shooter:
            sitting.act(name, "ready")
    sitting.act(sitting.shooter, "lock")
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


def test_whoever_is_too_fast_waits():
    now = 0
    sitting = Sitting("ann", "bob", gate=MessageLimits(lambda: now))
    codes = [sitting.act("ann", "buy_in", chips=20).code for _ in range(12)]

    assert codes == [""] * 8 + ["too_fast"] * 4  # two of ten were used to sit down
    order = sitting.players["ann"].order(act("place", bet="pass", stake=10))
    assert sitting.send("ann", order).code == "too_fast"
    assert sitting.bet("bob", "place", bet="pass", stake=10).ok
    now = 100
    assert sitting.send("ann", order).ok


def test_nonsense_is_dropped_and_counted_by_whoever_sent_it():
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
