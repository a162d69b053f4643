"""Who watches a craps table of shared dice: players who keep a copy, and auditors who have the files."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import Action, LogEntry, act, replay, verify, write_record
from croupier.engine.model import HOST
from croupier.fairness.dice import Ed25519Signer, Ed25519Verifier, Reveal, verify_transcript, write_transcript
from croupier.fairness.dice.messages import Bet, Commit, Roll
from croupier.games.craps.table.shared_dice import RoomAnswer, stakes_for
from croupier.transcripts import check_transcript, withheld_roll
from tests.games.craps_table.sitting import GAME, Sitting

# Players who watch.


def complaint(player: Any, action: Action, **drawn: Any) -> str:
    """Return the code with which a player complains about an action that the host says was taken."""
    version = player.match.version
    found = player.hear(LogEntry(action, version + 1, **drawn), 0).complaint
    assert (found is not None, player.match.version) == (True, version)
    return str(found.code)


def test_a_player_follows_no_host_that_buys_out_or_closes_as_it_likes():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="pass", stake=10)

    for action in (Action("buy_out", {"player": sitting.key("ann")}, HOST), Action("close", {"reason": "host"}, HOST)):
        assert complaint(sitting.players["bob"], action) == "host_oversteps"


def test_a_player_follows_no_bet_without_an_order_of_its_owner():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="field", stake=10)
    sitting.bet("ann", "raise", bet="field", stake=10)

    for player in sitting.players.values():
        again = Action("raise", {"bet": "field", "stake": 10}, sitting.key("ann"))
        assert complaint(player, again) == "unsigned_bet"
    assert sitting.copies_agree()


@pytest.mark.parametrize(
    ("forged", "code"),
    [
        (act("keep_up", bet="next:2"), "unsigned_bet"),
        (act("cash_out"), "unsigned_bet"),
        (act("leave"), "unsigned_bet"),
        (act("join", id="dan"), "unsigned_bet"),
        (Action("join", {"id": "dan"}, "0"), "unsigned_bet"),  # bob has signed that he sits down, dan has not
        (Action("buy_out", {}, HOST), "action_refused"),
        (Action("buy_out", {"player": []}, HOST), "action_refused"),
        (Action("buy_out", 5, HOST), "action_refused"),  # type: ignore[arg-type]
    ],
)
def test_a_player_follows_nothing_that_moves_bets_or_seats_without_a_signature(forged, code):
    """Taken down at face value a good bet pays too little; kept up, a bad one is staked again and again."""
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="next:2", stake=10)
    by = forged.player_id or ("dan" if forged.type == "join" else sitting.key("ann"))
    by = sitting.key("bob") if by == "0" else by

    for player in sitting.players.values():
        assert complaint(player, replace(forged, player_id=by)) == code


@pytest.mark.parametrize("seed", ["zz", ""])
def test_a_player_complains_of_a_seed_that_cannot_be_one(seed):
    sitting = Sitting("ann", "bob")
    sitting.act("bob", "ready")
    assert complaint(sitting.players["bob"], Action("roll", {}, sitting.key("ann")), seed=seed) == "action_refused"


@pytest.mark.parametrize(
    "wanted",
    [
        act("place", bet="field", stake=10, keep_up=True),
        act("switch", bet="yes:6", come_out=True, point=False),  # the next roll is a come-out: nothing else is signed
        act("switch", bet="yes:6", come_out=False, point=False),
    ],
)
def test_an_order_that_cannot_say_all_that_is_asked_for_is_refused(wanted):
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="yes:6", stake=12)

    assert sitting.players["ann"].order(wanted).code == "order_differs"  # type: ignore[union-attr]


def locked(sitting: Sitting) -> None:
    """Lock a bet of ann's in the match, and begin no round yet."""
    sitting.bet("ann", "place", bet="field", stake=10)
    sitting.act("bob", "ready")
    sitting.spread(sitting.room._dispatch(Action("lock", {}, sitting.room.match.turn.current)))


def dice_alone(sitting: Sitting, stop: type | None = None) -> list[str]:
    """Play a round at the dice, up to an event of a kind, and nothing in the match; return the players' complaints."""
    waiting, found = list(sitting.room.host.lock(stakes_for(sitting.room.match), 0).send), []
    while waiting:
        event = waiting.pop(0)
        if type(event) is stop:
            break
        for player in sitting.players.values():
            reply = player.hear(event, 0)
            found += [] if reply.complaint is None else [reply.complaint.code]
            for message in reply.send:
                waiting += sitting.room.host.receive(message, 0).send
    return found


CLOSED = Action("close", {"reason": "host", "at_value": True}, HOST)


@pytest.mark.parametrize("kept_back", [None, Roll, Commit])
def test_a_player_follows_nothing_else_while_a_round_is_on_or_its_roll_not_thrown(kept_back):
    """Whoever knows the roll, the bank, could pass the dice, close the table, or make another roll instead."""
    sitting = Sitting("ann", "bob")
    locked(sitting)
    assert dice_alone(sitting, kept_back) == []

    for player in sitting.players.values():
        for instead in (Action("pass_dice", {}, sitting.room.match.turn.current), CLOSED):
            assert complaint(player, instead) == "other_dice"


def test_a_player_objects_to_a_second_round_for_one_move():
    sitting = Sitting("ann", "bob")
    locked(sitting)

    assert dice_alone(sitting) == []
    assert dice_alone(sitting) == ["stakes_differ", "stakes_differ"]


def told_as(sitting: Sitting, book: Any = None) -> tuple[Any, Any]:
    """Return what an auditor says of the orders at a table, and of a roll that was kept back, by the host's book."""
    record, transcript = sitting.room.record(), (book or sitting.room.host).transcript()
    verdict, states = verify_transcript(transcript, verifier=sitting.verifier), replay(record)
    assert verdict.ok
    assert verify(write_record(record)).ok
    orders = GAME.dice_problem([entry.event for entry in transcript.entries], record.actions, states)
    return orders, withheld_roll(transcript, verdict.closed, states[-1])


@pytest.mark.parametrize(
    "action",
    [
        act("place", bet="any7", stake=200),
        act("raise", bet="field", stake=10),
        act("remove", bet="field"),
        act("keep_up", bet="field"),
        act("cash_out"),
        act("leave"),
    ],
)
@pytest.mark.parametrize("comes", ["before the round", "after it"])
def test_an_auditor_finds_what_moved_a_bet_or_a_seat_without_a_signature(action, comes):
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="field", stake=10)
    if comes == "after it":
        sitting.round()
        sitting.bet("ann", "place", bet="field", stake=10)
    move = sitting.room.match.version + 1
    assert sitting.room._dispatch(replace(action, player_id=sitting.key("ann"))).ok

    assert told_as(sitting) == (f"move {move} ({action.type}) is of somebody who has signed no such order", None)


def test_an_auditor_finds_a_table_that_closed_at_face_value():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="field", stake=10)
    move = sitting.room.match.version + 1
    assert sitting.room._dispatch(Action("close", {"reason": "host"}, HOST)).ok

    assert told_as(sitting)[0] == f"move {move} (close) paid stakes instead of what the bets were worth"


def test_an_auditor_finds_an_order_that_was_carried_out_twice():
    sitting = Sitting("ann", "bob")
    sitting.bet("ann", "place", bet="field", stake=10)
    raised = sitting.bet("ann", "raise", bet="field", stake=10).send[-1]
    assert isinstance(raised, LogEntry)
    assert sitting.room._dispatch(raised.action).ok

    assert told_as(sitting)[0] == f"move {raised.version + 1} (raise) is of somebody who has signed no such order"


def test_an_auditor_finds_an_order_that_was_carried_out_when_its_roll_was_over():
    """A host that waits with an order until it has seen a roll could choose."""
    sitting = Sitting("ann", "bob")
    order = sitting.players["ann"].order(act("place", bet="field", stake=10))
    assert isinstance(order, Bet)
    meant = sitting.room._meant(order)
    sitting.spread(RoomAnswer(send=sitting.room.host.receive(order, 0).send))
    sitting.round()
    assert isinstance(meant, Action)
    assert sitting.room._dispatch(meant).ok

    assert "(place) is of somebody who has signed no such order" in told_as(sitting)[0]


def test_an_auditor_finds_an_order_that_was_carried_out_before_it_was_signed():
    sitting = Sitting(
        "ann", "bob", sign=lambda name: Ed25519Signer(name.ljust(32).encode()), verifier=Ed25519Verifier()
    )
    move = sitting.room.match.version + 1
    assert sitting.room._dispatch(Action("place", {"bet": "hard:6", "stake": 10}, sitting.key("ann"))).ok
    for player in sitting.players.values():
        player.match = sitting.room.match
    while sitting.chair("ann").bets:
        assert sitting.round().rolled
    assert sitting.bet("ann", "place", bet="hard:6", stake=10).ok

    verdict = f"move {move} (place) is of somebody who has signed no such order"
    assert told_as(sitting)[0] == verdict
    files = write_transcript(sitting.room.host.transcript()), write_record(sitting.room.record())
    assert [(check.name, check.text) for check in check_transcript(*files)[1] if not check.ok] == [("orders", verdict)]


def test_an_auditor_finds_a_lock_that_hides_what_could_be_won():
    """The bank's bond has to cover it, and a bank that overlooks an opening of that player pays it."""
    sitting = Sitting("ann", "bob")
    locked(sitting)
    stakes = stakes_for(sitting.room.match)
    hidden = replace(stakes, positions=tuple(replace(one, win_max=0) for one in stakes.positions))
    assert sitting.room.host.lock(hidden, 0).ok

    assert told_as(sitting)[0] == "round 1 was locked over other bets, or other wins, than the record has"


def test_an_auditor_finds_a_match_that_ended_while_its_dice_were_kept_back():
    sitting = Sitting("ann", "bob")
    locked(sitting)
    dice_alone(sitting, Reveal)
    assert sitting.room._dispatch(CLOSED).ok

    ann = sitting.players["ann"].me
    assert told_as(sitting, ann) == (None, "the match ended while a round was on: its dice were never shown")


def test_a_player_follows_no_roll_but_that_of_the_round():
    sitting = Sitting("ann", "bob")
    bob = sitting.players["bob"]
    sitting.act("bob", "ready")

    for seed in (None, "00" * 32):
        assert complaint(bob, Action("roll", {}, sitting.key("ann")), drew=True, seed=seed) == "other_dice"
    assert complaint(bob, Action("roll", {}, bob.me.key)) == "action_refused"
