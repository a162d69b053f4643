"""Sessions: bytes in, a result out; chance from numbered streams; an error changes nothing; records that verify."""

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.engine import Action, LogEntry, MatchClient, act, make_record, replay, verify, view_for, write_record
from croupier.errors import BadOptions, RecordMismatch
from croupier.games.video_poker import VideoPoker
from croupier.house import (
    Continue,
    ErrorKind,
    LitKind,
    generate_super_multipliers,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.game import Lit
from croupier.house.money import Cover, Money, Stake, Terms
from croupier.rng import GameRng
from croupier.testing import place
from tests.unit.house.playing import SEED, after, batch, begun, error_of, opened, refusal

CLIMB = act("climb", rungs=3, stake=10)


# The life of a session.


def test_a_session_is_a_match_of_one_seat_named_by_its_number(probes):
    before = opened(probes.card, 30)
    assert (before.match, before.is_complete, before.move_count, before.money) == (None, False, 0, Money())
    session = begun(probes.card, 30)

    assert session.match.match_id == "7"
    assert [player.id for player in session.match.players] == ["ann"]
    assert (session.id, session.player, session.game_id, session.stake) == (7, "ann", "probe-card", 30)
    money = session.money
    assert (money.opening, money.staked, money.returned, money.fees, money.lines) == (30, 30, 0, 0, ())
    assert money.open == (Stake("main", 30, 60),)
    assert (session.is_complete, session.move_count) == (False, 0)
    over, _ = process_game_move(session, b"\x01\x00")
    assert (over.is_complete, over.move_count) == (True, 1)


def test_a_session_begins_once_and_takes_no_move_before(probes):
    assert error_of(process_game_move, opened(probes.coin), b"\x01\x01").kind is ErrorKind.INVALID_STATE
    again = error_of(init_game, begun(probes.coin), GameRng.new(SEED, 7, 0))
    assert (again.kind, "begun" in str(again)) == (ErrorKind.INVALID_MOVE, True)


def test_options_are_fixed_when_the_session_opens(probes):
    session = begun(probes.wheel, options={"has_zero": False})
    assert session.match.options == session.options == probes.wheel.Options(has_zero=False)
    assert refusal(session, place("number:0", 1)) == "unknown_bet"
    with pytest.raises(BadOptions):
        opened(probes.wheel, options={"pockets": 3})


# Chance.


def test_set_up_draws_from_stream_0_and_moves_from_1_2_3(probes, oracle):
    session = after(begun(probes.ladder), CLIMB, b"\x01\x01", b"\x01\x01", b"\x01\x01")
    assert session.match.game.rolls == tuple(oracle.draws(SEED, 7, number, 3)[0] for number in (2, 3, 4))
    assert session.is_complete
    for seed in (SEED, b"one", b"two", b"three"):
        session = init_game(opened(probes.card, 10), GameRng.new(seed, 7, 0))[0]
        assert session.match is not None
        assert (session.match.game.mine,) == oracle.draws(seed, 7, 0, 10)


@given(seed=st.binary(max_size=64), session_id=st.integers(0, 2**64 - 1), rungs=st.integers(1, 3))
def test_an_explicit_stream_of_the_same_number_gives_the_same_session(probes, seed, session_id, rungs):
    climb = act("climb", rungs=rungs, stake=10)

    def play(streams):
        session = open_session(probes.ladder, player="ann", session_id=session_id, seed=seed)
        session, result = init_game(session, GameRng.new(seed, session_id, 0))
        results = []
        payloads = [climb] + [b"\x01\x01"] * rungs
        for number, payload in enumerate(payloads, 1):
            rng = GameRng.new(seed, session_id, number) if streams else None
            session, result = process_game_move(settle(session, result), payload, rng)
            results.append(result)
        return session, results

    assert play(True) == play(False)


def test_a_host_brings_its_own_seed_for_a_move(probes, oracle):
    placed = after(begun(probes.coin), place("heads", 10), seed=b"first")
    for seed in (b"second", b"third", b"fourth", b"x" * 48):
        flipped = after(placed, b"\x01\x01", seed=seed)
        assert (flipped.match.game.side,) == oracle.draws(seed, 7, 2, 2)
    assert flipped.seed == SEED.hex()


def test_a_refused_move_draws_nothing_and_counts_for_nothing(probes, oracle):
    session = begun(probes.coin)
    rng = GameRng.new(SEED, 7, 1)
    for payload, cover in [
        (b"\x01\x01", None),
        (place("heads", 10), Cover(9)),
        (place("edge", 10), None),
        (b"\x01", None),
        (Action("fly"), None),
    ]:
        refusal(session, payload, rng=rng, cover=cover)
    refusal(begun(probes.wheel), batch(("even", 1), ("odd", 10)), rng=rng, cover=Cover(10))
    assert error_of(init_game, opened(probes.card, 30), rng, Cover(29)).reason == "insufficient_funds"
    assert rng.bytes_used == 0
    session = after(session, place("heads", 10), b"\x01\x01")
    assert (session.match.game.side,) == oracle.draws(SEED, 7, 2, 2)


def test_a_stream_that_was_drawn_from_before_cannot_pay_for_a_stake(probes):
    """Whoever passes one stream for several moves would let stakes follow draws."""
    used = GameRng.new(SEED, 7, 1)
    used.next_byte()
    no = error_of(process_game_move, begun(probes.coin), place("heads", 10), used)
    assert (no.kind, no.reason) == (ErrorKind.INVALID_STATE, "game_fault")


# Errors: five kinds, and the session is as it was.


@pytest.mark.parametrize(
    ("name", "payload", "kind", "reason"),
    [
        ("coin", b"", ErrorKind.INVALID_PAYLOAD, "invalid_payload"),
        ("coin", b"\x02\x01", ErrorKind.INVALID_PAYLOAD, "invalid_payload"),
        ("coin", b"\x01\x09", ErrorKind.INVALID_PAYLOAD, "invalid_payload"),
        ("coin", bytearray(b"\x01\x01"), ErrorKind.INVALID_PAYLOAD, "bad_action"),
        ("coin", None, ErrorKind.INVALID_PAYLOAD, "bad_action"),
        ("coin", Action("fly"), ErrorKind.INVALID_PAYLOAD, "unknown_action"),
        ("coin", place("heads", 0), ErrorKind.INVALID_PAYLOAD, "bad_payload"),
        ("coin", place("edge", 1), ErrorKind.INVALID_PAYLOAD, "unknown_bet"),
        ("coin", b"\x01\x01", ErrorKind.INVALID_MOVE, "no_bets"),
        ("coin", place("heads", 1001), ErrorKind.INVALID_MOVE, "insufficient_funds"),
        ("coin", place("heads", 501), ErrorKind.INVALID_MOVE, "over_limit"),
        ("coin", place("heads", 1), ErrorKind.INVALID_MOVE, "under_limit"),
        ("coin", place("heads", 451), ErrorKind.INVALID_MOVE, "exposure_limit"),
        *(("coin", Action("flip", {}, who), ErrorKind.INVALID_MOVE, "unknown_player") for who in ("bob", "house", "")),
        ("coin", Action("join", {"id": "bob"}), ErrorKind.INVALID_MOVE, "no_late_join"),
        ("war", b"\x01\x01", ErrorKind.INVALID_MOVE, "wrong_phase"),
        ("card", Action("leave"), ErrorKind.INVALID_MOVE, "bets_open"),
        ("rogue", b"\x01\x02", ErrorKind.DECK_EXHAUSTED, "deck_exhausted"),
    ],
)
def test_an_error_says_why_and_leaves_the_session_as_it_was(probes, name, payload, kind, reason):
    game = getattr(probes, name)
    stake = 10 if game.opens_with_stake else 0
    session = begun(game, stake)
    cover = Cover(1000, 2, 1500 if reason == "insufficient_funds" else 500, 3000 if "funds" in reason else 900)
    if reason == "over_limit":
        cover = Cover(1000, 2, 500, 5000)

    no = error_of(process_game_move, session, payload, cover=cover)
    assert (no.kind, no.reason) == (kind, reason)
    assert session == begun(game, stake)


def test_a_session_that_is_over_takes_no_move(probes):
    over = after(begun(probes.card, 10), b"\x01\x00")
    for payload in (b"\x01\x00", Action("leave"), Action("time_out"), Action("show")):
        no = error_of(process_game_move, over, payload)
        assert (no.kind, no.kind.value) == (ErrorKind.GAME_ALREADY_COMPLETE, 8)


def test_accounts_that_a_game_writes_itself_do_not_stand(probes):
    session, result = process_game_move(begun(probes.rogue, 10), b"\x01\x01")
    assert result == Continue(result.logs)
    assert session.money == Money(opening=10, staked=10, open=(Stake("main", 10, 20),))
    assert not session.is_complete


@pytest.mark.parametrize(
    ("options", "stake", "kind", "reason"),
    [
        ({"at_setup": "take_after_draw"}, 10, ErrorKind.INVALID_STATE, "game_fault"),
        ({"at_setup": "crash"}, 10, ErrorKind.INVALID_STATE, "game_fault"),
        ({"at_setup": "refuse"}, 10, ErrorKind.INVALID_MOVE, "closed"),
        ({"at_setup": "no_deck"}, 10, ErrorKind.DECK_EXHAUSTED, "deck_exhausted"),
        ({}, 0, ErrorKind.INVALID_PAYLOAD, "stake_too_small"),
        ({}, -5, ErrorKind.INVALID_PAYLOAD, "stake_too_small"),
    ],
)
def test_an_error_at_set_up_is_of_the_same_kind_as_in_play(probes, options, stake, kind, reason):
    """Any exception from a game surfaces as a fault, and hosts answer with a refusal."""
    no = error_of(init_game, opened(probes.rogue, stake, options=options), GameRng.new(SEED, 7, 0))
    assert (no.kind, no.reason) == (kind, reason)


# Super mode.


def test_multipliers_come_from_a_stream_of_their_own_and_show_with_the_result(probes, oracle):
    lit = (Lit(LitKind.NUMBER, oracle.draws(SEED, 7, 2**32 - 1, 2)[0], 3),)
    assert generate_super_multipliers(probes.coin, SEED, 7) == lit
    session = after(begun(probes.coin, super_mode=True), place("heads", 10))
    assert session.match.game.lit == ()
    assert view_for(probes.coin, session.match, "ann").game.lit == ()
    assert (session.money.fees, session.money.open) == (2, (Stake("heads", 10, 40, True),))
    assert after(session, b"\x01\x01").match.game.lit == lit


@pytest.mark.parametrize("super_mode", [False, True])
def test_undo_that_stops_at_chance_stops_where_the_multipliers_were_shown(super_mode):
    """To keep all five cards draws nothing, and whoever has seen what is lit would keep others."""
    client = MatchClient.start(VideoPoker(), ["ann"], seed=SEED, host=Terms(10, super_mode))
    assert client.dispatch(act("hold", cards=(1, 2, 3, 4, 5))).ok

    assert (client.log[0].drew, client.undo(stop_at_chance=True)) == (False, not super_mode)


def test_a_boost_pays_on_the_lit_side_only_and_only_in_super_mode(probes, oracle):
    """The multipliers follow from the host's seed for the move that settles: the start's may be public by then."""
    for side, name in enumerate(("heads", "tails")):
        seed = oracle.drawing(side, 7, 2, 2)
        lit = oracle.draws(seed, 7, 2**32 - 1, 2)[0]
        for super_mode in (False, True):
            flipped = after(begun(probes.coin, super_mode=super_mode), place(name, 10), b"\x01\x01", seed=seed)
            assert flipped.match.game.lit == ((Lit(LitKind.NUMBER, lit, 3),) if super_mode else ())
            assert flipped.money.returned == (40 if super_mode and side == lit else 20)


def test_a_game_without_multipliers_lights_nothing(probes):
    assert generate_super_multipliers(probes.wheel, SEED, 7) == ()
    assert after(begun(probes.wheel, super_mode=True), place("number:1", 5)).money.fees == 1


# Records.


def record_of(game, moves, stake=0, seeds=None, **others):
    """Return the record of a session."""
    session = begun(game, stake, **others)
    start, log = session.match, []
    for number, action in enumerate(moves):
        seed = seeds[number] if seeds else None
        session = after(session, action, seed=seed, cover=Cover(1000, 1, 500, 5000))
        log.append(LogEntry(replace(action, player_id="ann"), session.move_count, seed=seed and seed.hex()))
    record = make_record(game, start, log)
    assert replay(record)[-1] == session.match
    return record


def resealed(record, **changes):
    """Return the bytes of a record with changes and a digest that fits them, as a forger would make it."""
    plain = json.loads(write_record(record))
    plain.update(changes)
    plain = {key: value for key, value in plain.items() if value or key not in ("stake", "super")}
    del plain["record_digest"]
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    plain["record_digest"] = sha256(text.encode()).hexdigest()
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


FLIP = (place("heads", 10), place("tails", 5), Action("flip"))


def test_the_record_of_a_session_verifies_and_says_stake_and_super(probes):
    card = record_of(probes.card, [act("show")], 30)
    assert (card.stake, card.super, card.session_id, card.match_id) == (30, False, 7, "7")
    assert verify(write_record(card)).ok
    coin = record_of(probes.coin, FLIP, super_mode=True)
    assert (coin.stake, coin.super) == (0, True)
    verified: Any = verify(write_record(coin))
    assert (verified.ok, verified.match.game.money.fees) == (True, 3)
    wheel = record_of(probes.wheel, [place("number:3", 10), Action("spin")], options={"number_pays": 3})
    assert verify(write_record(wheel)).ok


def test_a_session_under_a_hosts_seeds_verifies_with_them_and_not_without(probes):
    record = record_of(probes.ladder, [act("climb", rungs=1, stake=5), act("roll")], seeds=[b"one", b"two"])
    assert record.seeds == (b"one".hex(), b"two".hex())
    assert verify(write_record(record)).ok
    outcomes = {verify(resealed(record, seeds=["", bytes((number,)).hex()])).ok for number in range(20)}
    assert False in outcomes


@pytest.mark.parametrize("stake", [0, 29, 31, 3000, 2**63 - 1])
def test_a_record_with_another_stake_is_caught(probes, stake):
    record = record_of(probes.card, [act("show")], 30)
    assert verify(resealed(record)).ok
    found = verify(resealed(record, stake=stake))
    assert not found.ok
    assert found.version == 0


def test_a_record_with_another_super_flag_is_caught(probes):
    for super_mode in (False, True):
        record = record_of(probes.coin, FLIP, super_mode=super_mode)
        found = verify(resealed(record, super=not super_mode))
        assert not found.ok
        assert found.version == 0


def test_a_record_with_a_larger_bet_or_a_stake_where_there_is_none_is_caught(probes):
    record = record_of(probes.coin, FLIP)
    assert not verify(resealed(record, stake=10)).ok
    actions = json.loads(write_record(record))["actions"]
    actions[0]["payload"]["stake"] = 11
    found = verify(resealed(record, actions=actions))
    assert (found.ok, found.version) == (False, 1)
    larger = replace(record.actions[0], payload={"bet": "heads", "stake": 11})
    with pytest.raises(RecordMismatch):
        replay(replace(record, actions=(larger, *record.actions[1:])))
