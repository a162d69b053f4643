"""Sessions: bytes in, a result out; chance from numbered streams; an error changes nothing; records that verify."""

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.engine import Action, LogEntry, make_record, replay, verify, view_for, write_record
from croupier.errors import BadOptions, RecordMismatch
from croupier.house import (
    Continue,
    ErrorKind,
    GameError,
    LitKind,
    generate_super_multipliers,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.game import Lit
from croupier.house.money import Cover, Money, Stake
from croupier.rng import GameRng

SEED = bytes(range(32))


def opened(game, stake=0, **others):
    return open_session(game, player="ann", session_id=7, stake=stake, seed=SEED, **others)


def begin(game, stake=0, **others):
    session, result = init_game(opened(game, stake, **others), GameRng.new(SEED, 7, 0))
    return settle(session, result)


def state_of(session):
    assert session.match is not None
    return session.match.game


def place(bet, stake):
    return Action("place", {"bet": bet, "stake": stake})


def error(call):
    with pytest.raises(GameError) as no:
        call()
    return no.value


# The life of a session.


def test_a_session_is_a_match_of_one_seat_named_by_its_number(probes):
    before = opened(probes.card, 30)
    assert (before.match, before.is_complete, before.move_count, before.money) == (None, False, 0, Money())
    session = begin(probes.card, 30)

    assert session.match.match_id == "7"
    assert [player.id for player in session.match.players] == ["ann"]
    assert (session.id, session.player, session.game_id, session.stake) == (7, "ann", "probe-card", 30)
    money = session.money
    assert (money.opening, money.staked, money.returned, money.fees, money.lines) == (30, 30, 0, 0, ())
    assert money.open == (Stake("main", 30, 60),)
    assert (session.is_complete, session.move_count) == (False, 0)
    over, _ = process_game_move(session, b"\x01\x00")
    assert (over.is_complete, over.move_count) == (True, 1)


def test_a_session_begins_once(probes):
    session = begin(probes.coin)
    again = error(lambda: init_game(session, GameRng.new(SEED, 7, 0)))
    assert (again.kind, "begun" in str(again)) == (ErrorKind.INVALID_MOVE, True)


def test_a_session_that_has_not_begun_takes_no_move(probes):
    no = error(lambda: process_game_move(opened(probes.coin), b"\x01\x01"))
    assert no.kind is ErrorKind.INVALID_STATE


def test_options_are_fixed_when_the_session_opens(probes):
    session = begin(probes.wheel, options={"has_zero": False})
    assert session.match.options == session.options == probes.wheel.Options(has_zero=False)
    no = error(lambda: process_game_move(session, place("number:0", 1)))
    assert (no.kind, no.reason) == (ErrorKind.INVALID_PAYLOAD, "unknown_bet")
    with pytest.raises(BadOptions):
        opened(probes.wheel, options={"pockets": 3})


# Chance.


def test_set_up_draws_from_stream_0_and_moves_from_1_2_3(probes, oracle):
    climb = Action("climb", {"rungs": 3, "stake": 10})
    session, result = process_game_move(begin(probes.ladder), climb)
    for number in (2, 3, 4):
        session, result = process_game_move(settle(session, result), b"\x01\x01")
        assert state_of(session).rolls[-1:] == oracle.draws(SEED, 7, number, 3)
    assert session.is_complete
    assert begin(probes.card, 10).match.game.mine == oracle.draws(SEED, 7, 0, 10)[0]


@given(seed=st.binary(max_size=64), session_id=st.integers(0, 2**64 - 1), rungs=st.integers(1, 3))
def test_an_explicit_stream_of_the_same_number_gives_the_same_session(probes, seed, session_id, rungs):
    climb = Action("climb", {"rungs": rungs, "stake": 10})

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


def test_set_up_draws_from_the_stream_it_is_given(probes, oracle):
    for seed in (b"one", b"two", b"three"):
        session, _ = init_game(opened(probes.card, 10), GameRng.new(seed, 7, 0))
        assert (state_of(session).mine,) == oracle.draws(seed, 7, 0, 10)


def test_a_host_brings_its_own_seed_for_a_move(probes, oracle):
    session, result = process_game_move(begin(probes.coin), place("heads", 10), seed=b"first")
    placed = settle(session, result)
    for seed in (b"second", b"third", b"fourth", b"x" * 48):
        flipped, _ = process_game_move(placed, b"\x01\x01", seed=seed)
        assert (state_of(flipped).side,) == oracle.draws(seed, 7, 2, 2)
    assert flipped.seed == SEED.hex()


def test_a_refused_move_draws_nothing_and_counts_for_nothing(probes, oracle):
    session = begin(probes.coin)
    rng = GameRng.new(SEED, 7, 1)
    for payload, cover in [
        (b"\x01\x01", None),
        (place("heads", 10), Cover(9)),
        (place("edge", 10), None),
        (b"\x01", None),
        (Action("fly"), None),
    ]:
        error(lambda payload=payload, cover=cover: process_game_move(session, payload, rng, cover=cover))
    batch = Action("batch", {"bets": [{"bet": "even", "stake": 1}, {"bet": "odd", "stake": 10}]})
    error(lambda: process_game_move(begin(probes.wheel), batch, rng, cover=Cover(10)))
    assert rng.bytes_used == 0
    session, result = process_game_move(session, place("heads", 10))
    session, result = process_game_move(settle(session, result), b"\x01\x01")
    assert (state_of(session).side,) == oracle.draws(SEED, 7, 2, 2)


def test_a_stream_that_was_drawn_from_before_cannot_pay_for_a_stake(probes):
    """Whoever passes one stream for several moves would let stakes follow draws."""
    used = GameRng.new(SEED, 7, 1)
    used.next_byte()
    no = error(lambda: process_game_move(begin(probes.coin), place("heads", 10), used))
    assert (no.kind, no.reason) == (ErrorKind.INVALID_STATE, "game_fault")


def test_a_stake_that_the_purse_does_not_cover_draws_nothing_at_set_up(probes):
    rng = GameRng.new(SEED, 7, 0)
    no = error(lambda: init_game(opened(probes.card, 30), rng, Cover(29)))
    assert (no.reason, rng.bytes_used) == ("insufficient_funds", 0)


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
        ("coin", Action("flip", {}, "bob"), ErrorKind.INVALID_MOVE, "unknown_player"),
        ("coin", Action("join", {"id": "bob"}), ErrorKind.INVALID_MOVE, "no_late_join"),
        ("war", b"\x01\x01", ErrorKind.INVALID_MOVE, "wrong_phase"),
        ("card", Action("leave"), ErrorKind.INVALID_MOVE, "bets_open"),
        ("rogue", b"\x01\x02", ErrorKind.DECK_EXHAUSTED, "deck_exhausted"),
    ],
)
def test_an_error_says_why_and_leaves_the_session_as_it_was(probes, name, payload, kind, reason):
    game = getattr(probes, name)
    stake = 10 if game.opens_with_stake else 0
    session = begin(game, stake)
    cover = Cover(1000, 2, 1500 if reason == "insufficient_funds" else 500, 3000 if "funds" in reason else 900)
    if reason == "over_limit":
        cover = Cover(1000, 2, 500, 5000)

    no = error(lambda: process_game_move(session, payload, cover=cover))
    assert (no.kind, no.reason) == (kind, reason)
    assert session == begin(game, stake)


def test_a_session_that_is_over_takes_no_move(probes):
    over, result = process_game_move(begin(probes.card, 10), b"\x01\x00")
    for payload in (b"\x01\x00", Action("leave"), Action("time_out"), Action("show")):
        no = error(lambda payload=payload: process_game_move(settle(over, result), payload))
        assert (no.kind, no.kind.value) == (ErrorKind.GAME_ALREADY_COMPLETE, 8)


@pytest.mark.parametrize("number", range(15))
def test_a_game_that_breaks_the_rules_of_money_is_stopped_before_anything_changes(probes, number):
    """Whatever a game does wrong with chips surfaces as a fault; nothing is dropped, created, or locked up."""
    session = begin(probes.rogue, 10)
    crime = probes.rogue.CRIMES[number]
    no = error(lambda: process_game_move(session, bytes((1, 0, number))))
    assert (no.kind, no.kind.value, no.reason) == (ErrorKind.INVALID_STATE, 17, "game_fault"), crime
    assert session == begin(probes.rogue, 10)


def test_accounts_that_a_game_writes_itself_do_not_stand(probes):
    session, result = process_game_move(begin(probes.rogue, 10), b"\x01\x01")
    assert result == Continue(result.logs)
    assert session.money == Money(opening=10, staked=10, open=(Stake("main", 10, 20),))
    assert not session.is_complete


@pytest.mark.parametrize("at_setup", ["take_after_draw", "crash"])
def test_a_game_that_breaks_at_set_up_is_an_error_like_one_that_breaks_in_play(probes, at_setup):
    """Any other exception from a game surfaces as a fault, and hosts answer with a refusal."""
    session = opened(probes.rogue, 10, options={"at_setup": at_setup})
    no = error(lambda: init_game(session, GameRng.new(SEED, 7, 0)))
    assert (no.kind, no.reason) == (ErrorKind.INVALID_STATE, "game_fault")


@pytest.mark.parametrize(
    ("options", "stake", "kind", "reason"),
    [
        ({"at_setup": "refuse"}, 10, ErrorKind.INVALID_MOVE, "closed"),
        ({"at_setup": "no_deck"}, 10, ErrorKind.DECK_EXHAUSTED, "deck_exhausted"),
        ({}, 0, ErrorKind.INVALID_PAYLOAD, "stake_too_small"),
        ({}, -5, ErrorKind.INVALID_PAYLOAD, "stake_too_small"),
    ],
)
def test_a_refusal_at_set_up_is_of_the_same_kind_as_in_play(probes, options, stake, kind, reason):
    session = opened(probes.rogue, stake, options=options)
    no = error(lambda: init_game(session, GameRng.new(SEED, 7, 0)))
    assert (no.kind, no.reason) == (kind, reason)


def test_nobody_can_move_for_another_player(probes):
    session = begin(probes.coin)
    for player in ("bob", "house", ""):
        no = error(lambda player=player: process_game_move(session, Action("flip", {}, player)))
        assert no.reason == "unknown_player"


# Super mode.


def test_what_is_lit_comes_from_a_stream_of_its_own_and_shows_with_the_result(probes, oracle):
    lit = (Lit(LitKind.NUMBER, oracle.draws(SEED, 7, 2**32 - 1, 2)[0], 3),)
    assert generate_super_multipliers(probes.coin, SEED, 7) == lit
    session, result = process_game_move(begin(probes.coin, super_mode=True), place("heads", 10))
    assert session.match is not None
    assert session.match.game.lit == ()
    assert view_for(probes.coin, session.match, "ann").game.lit == ()
    assert (session.money.fees, session.money.open) == (2, (Stake("heads", 10, 40, True),))
    flipped, _ = process_game_move(settle(session, result), b"\x01\x01")
    assert state_of(flipped).lit == lit


def test_a_boost_pays_on_the_lit_side_only_and_only_in_super_mode(probes, oracle):
    """What is lit follows from the host's seed for the move that settles: the start's may be public by then."""
    sides = ("heads", "tails")
    for side in (0, 1):
        seed = oracle.seed(lambda drawn, side=side: drawn == side, 7, 2, 2)
        lit = oracle.draws(seed, 7, 2**32 - 1, 2)[0]
        for super_mode in (False, True):
            session, result = process_game_move(
                begin(probes.coin, super_mode=super_mode), place(sides[side], 10), seed=seed
            )
            flipped, _ = process_game_move(settle(session, result), b"\x01\x01", seed=seed)
            assert flipped.money.returned == (40 if super_mode and side == lit else 20)


def test_a_game_without_multipliers_lights_nothing(probes):
    assert generate_super_multipliers(probes.wheel, SEED, 7) == ()
    session, _ = process_game_move(begin(probes.wheel, super_mode=True), place("number:1", 5))
    assert session.money.fees == 1


# Records.


def played(game, moves, stake=0, seeds=None, **others):
    """Return the record of a session."""
    session = begin(game, stake, **others)
    start, log = session.match, []
    for number, payload in enumerate(moves):
        seed = seeds[number] if seeds else None
        session, result = process_game_move(session, payload, seed=seed, cover=Cover(1000, 1, 500, 5000))
        session = settle(session, result)
        action = payload if isinstance(payload, Action) else None
        assert action is not None
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
    card = played(probes.card, [Action("show")], 30)
    assert (card.stake, card.super, card.session_id, card.match_id) == (30, False, 7, "7")
    assert verify(write_record(card)).ok
    coin = played(probes.coin, FLIP, super_mode=True)
    assert (coin.stake, coin.super) == (0, True)
    assert verify(write_record(coin)).ok
    assert state_of(verify(write_record(coin))).money.fees == 3
    wheel = played(probes.wheel, [place("number:3", 10), Action("spin")], options={"number_pays": 3})
    assert verify(write_record(wheel)).ok


def test_a_session_under_a_hosts_seeds_verifies_with_them_and_not_without(probes):
    record = played(probes.ladder, [Action("climb", {"rungs": 1, "stake": 5}), Action("roll")], seeds=[b"one", b"two"])
    assert record.seeds == (b"one".hex(), b"two".hex())
    assert verify(write_record(record)).ok
    outcomes = {verify(resealed(record, seeds=["", bytes((number,)).hex()])).ok for number in range(20)}
    assert False in outcomes


@pytest.mark.parametrize("stake", [0, 29, 31, 3000, 2**63 - 1])
def test_a_record_with_another_stake_is_caught(probes, stake):
    record = played(probes.card, [Action("show")], 30)
    assert verify(resealed(record)).ok
    found = verify(resealed(record, stake=stake))
    assert not found.ok
    assert found.version == 0


def test_a_record_with_another_super_flag_is_caught(probes):
    for super_mode in (False, True):
        record = played(probes.coin, FLIP, super_mode=super_mode)
        found = verify(resealed(record, super=not super_mode))
        assert not found.ok
        assert found.version == 0


def test_a_stake_on_a_game_that_opens_with_none_is_caught(probes):
    assert not verify(resealed(played(probes.coin, FLIP), stake=10)).ok


def test_a_record_with_a_larger_bet_is_caught(probes):
    record = played(probes.coin, FLIP)
    actions = json.loads(write_record(record))["actions"]
    actions[0]["payload"]["stake"] = 11
    found = verify(resealed(record, actions=actions))
    assert (found.ok, found.version) == (False, 1)
    with pytest.raises(RecordMismatch):
        replay(
            replace(
                record, actions=(replace(record.actions[0], payload={"bet": "heads", "stake": 11}), *record.actions[1:])
            )
        )
