"""Instructions about sessions: the order of checks, every event code, what modifiers do to chips, and closing."""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from croupier.engine import Action
from croupier.house import (
    CHIPS_MAX,
    CasinoError,
    CloseSession,
    GameMove,
    GameMoved,
    Line,
    PlayerAction,
    StartGame,
    make_table,
)
from croupier.house.instructions import Balances, GameCompleted, GameStarted
from tests.unit.house.playing import HOUR, completed

NO_FUNDS, OVER_LIMIT, NO_PAYLOAD = (3, "insufficient_funds"), (4, "over_limit"), (16, "invalid_payload")


def names(events):
    return [type(event).__name__ for event in events]


def place(casino, bet, stake, session_id=1):
    return GameMove(session_id, casino.payload(session_id, "place", bet=bet, stake=stake))


# Sitting down: what is checked, in its order.


def test_sitting_down_takes_the_stake_and_shows_the_view(casino, oracle):
    events = casino.start("ann", 5, casino.CARD, 30, seed=oracle.drawing(4, 5, 0, 10))

    assert names(events) == ["GameStarted", "LeaderboardUpdated"]
    started = events[0]
    assert isinstance(started, GameStarted)
    assert (started.session_id, started.player, started.game_id, started.stake) == (5, "ann", "probe-card", 30)
    assert started.balances == Balances(970, 3, 3)
    assert started.view.game.mine == 4
    assert not hasattr(started.view, "rng_state")
    assert (casino.chips("ann"), casino.balance("open"), casino.balance("house")) == (970, 30, 0)


def test_each_check_of_a_start_comes_before_the_next(empty_casino, tables, probes):
    """Begin with everything wrong and mend one thing at a time: the codes come in the order of the checks."""
    casino, asked = empty_casino, StartGame(99, 0, -1)
    assert casino.refused("ann", asked) == (2, "player_not_found")
    casino.register("ann", "bob")
    casino.start("bob", 5, casino.COIN)
    casino.tables = {**tables, 10: make_table(10, probes.card, stake_max=5000, exposure_max=6000, super_allowed=False)}
    casino.arm("ann", "super")
    for change, refused in [
        ({}, (19, "no_such_table")),
        ({"table": 10}, (16, "bad_session_id")),
        ({"session_id": 5}, (19, "no_super_mode")),
    ]:
        asked = replace(asked, **change)
        assert casino.refused("ann", asked) == refused
    casino.tables[10] = replace(casino.tables[10], super_allowed=True)
    for stake, refused in [(0, (4, "bad_stake")), (5001, OVER_LIMIT), (4999, (4, "super_stake")), (5000, NO_FUNDS)]:
        asked = replace(asked, stake=stake)
        assert casino.refused("ann", asked) == refused
    casino.give("ann", 9000)
    assert casino.refused("ann", asked) == (21, "exposure_limit")
    asked = replace(asked, stake=3000)
    assert casino.refused("ann", asked) == (5, "session_exists")
    casino.ok("ann", replace(asked, session_id=6))


@pytest.mark.parametrize(
    ("field", "values", "refused"),
    [
        ("session_id", [-1, 2**64, 1.0, "1", None, True], (16, "bad_session_id")),
        ("table", [10, -1, 65536, 2**64, None, "0", [], {}], (19, "no_such_table")),
        ("stake", [1, -1, 10, 2**63, False, 0.0, None], (4, "bad_stake")),  # a stake given here would be lost
    ],
)
def test_a_start_with_a_field_that_cannot_be_is_refused(casino, field, values, refused):
    for value in values:
        assert casino.refused("ann", replace(StartGame(casino.COIN, 0, 1), **{field: value})) == refused, value


@pytest.mark.parametrize("stake", [0, -1, -(2**63), True, 1.0, "10", None])
def test_a_game_that_opens_with_a_stake_needs_one(casino, stake):
    assert casino.refused("ann", StartGame(casino.CARD, stake, 1)) == (4, "bad_stake")


@pytest.mark.parametrize("session_id", [0, 2**63, 2**64 - 1])
def test_any_session_id_of_64_bits_will_do(casino, session_id):
    casino.heads("ann", session_id, 1)
    assert casino.session(session_id).match.match_id == str(session_id)


@pytest.mark.parametrize(
    ("stake", "refused"),
    [(9, (4, "under_limit")), (10, None), (500, None), (501, OVER_LIMIT), (10**30, OVER_LIMIT)],
)
def test_the_limits_of_a_table_hold_at_the_start(casino, probes, stake, refused):
    casino.tables = {3: make_table(3, probes.war, stake_min=10, stake_max=500)}
    if refused is None:
        casino.start("ann", 1, 3, stake)
    else:
        assert casino.refused("ann", StartGame(3, stake, 1)) == refused


def test_the_last_chip_can_be_staked_and_not_one_more(casino):
    assert casino.refused("ann", StartGame(casino.WAR, 1001, 1)) == NO_FUNDS
    casino.start("ann", 1, casino.WAR, 1000)
    assert casino.chips("ann") == 0
    assert casino.refused("ann", StartGame(casino.WAR, 1, 2)) == NO_FUNDS


def test_a_session_id_is_taken_once_whoever_took_it_and_for_ever(casino):
    casino.start("ann", 1, casino.CARD, 10)
    for player, table, stake in (("ann", casino.CARD, 10), ("bob", casino.CARD, 10), ("bob", casino.COIN, 0)):
        assert casino.refused(player, StartGame(table, stake, 1)) == (5, "session_exists")
    casino.move("ann", 1, "show")
    assert casino.session(1).is_complete
    assert casino.refused("bob", StartGame(casino.CARD, 10, 1)) == (5, "session_exists")
    assert casino.session(1).player == "ann"


@pytest.mark.parametrize(
    ("at_setup", "refused"),
    [
        ("refuse", (9, "closed")),
        ("no_deck", (18, "deck_exhausted")),
        ("crash", (17, "game_fault")),
        ("take_after_draw", (17, "game_fault")),
    ],
)
def test_a_game_that_fails_at_set_up_is_an_event_and_not_a_crash(casino, probes, at_setup, refused):
    casino.tables = {6: make_table(6, probes.rogue, {"at_setup": at_setup})}
    assert casino.refused("ann", StartGame(6, 10, 1)) == refused


# Moving: what is checked, in its order.


def test_each_check_of_a_move_comes_before_the_next(casino):
    move, not_owned = GameMove(1, b""), (7, "session_not_owned")
    assert casino.refused("bob", move) == (6, "session_not_found")
    casino.start("ann", 1, casino.CARD, 10)
    assert casino.refused("bob", move) == not_owned
    assert casino.refused("ann", move) == NO_PAYLOAD
    casino.move("ann", 1, "show")
    assert casino.refused("bob", move) == not_owned
    assert casino.refused("ann", GameMove(1, b"no payload")) == (8, "finished")


@pytest.mark.parametrize("session_id", [2, -1, 2**64, None, "2", 1.5])
def test_a_session_that_is_not_there_is_refused(casino, session_id):
    casino.start("ann", 1, casino.COIN)
    assert casino.refused("ann", GameMove(session_id, b"\x01\x01")) == (6, "session_not_found")
    assert casino.refused("ann", CloseSession(session_id)) == (6, "session_not_found")


@pytest.mark.parametrize("payload", [None, "01", [1], bytearray(b"\x01\x01"), Action("leave"), Action("time_out"), 257])
def test_a_payload_that_is_no_action_of_the_game_is_refused(casino, payload):
    """Leaving and timing out are for the house to say."""
    casino.start("ann", 1, casino.COIN)
    assert casino.refused("ann", GameMove(1, payload))[0] == 16


def test_every_way_a_move_can_fail_has_its_event_code(casino, probes):
    casino.tables = {0: make_table(0, probes.coin, stake_min=10, stake_max=800, exposure_max=1600)}
    casino.start("ann", 1, 0)
    for payload, refused in [
        ("0101", (9, "no_bets")),
        ("0201", NO_PAYLOAD),
        ("0107", NO_PAYLOAD),
        ("010000 0000000000000000", (16, "bad_payload")),
        ("010009 000000000000000a", NO_PAYLOAD),
    ]:
        assert casino.refused("ann", GameMove(1, bytes.fromhex(payload))) == refused
    assert casino.refused("ann", place(casino, "heads", 9)) == (4, "under_limit")
    assert casino.refused("ann", place(casino, "heads", 801)) == OVER_LIMIT
    casino.ok("ann", place(casino, "heads", 700))
    assert casino.refused("ann", place(casino, "heads", 101)) == OVER_LIMIT
    assert casino.refused("ann", place(casino, "tails", 301)) == NO_FUNDS
    assert casino.refused("ann", place(casino, "tails", 101)) == (21, "exposure_limit")
    casino.ok("ann", place(casino, "tails", 100))


def test_a_game_that_breaks_in_play_is_event_code_17_and_costs_nobody_a_chip(casino, probes):
    """And one whose cards run out 18."""
    casino.start("ann", 1, casino.ROGUE, 10)
    for number, crime in enumerate(probes.rogue.CRIMES):
        assert casino.refused("ann", GameMove(1, bytes((1, 0, number)))) == (17, "game_fault"), crime
    assert casino.refused("ann", GameMove(1, b"\x01\x02")) == (18, "deck_exhausted")


def test_a_move_says_what_it_settled_and_what_is_left(casino, oracle):
    casino.start("ann", 1, casino.COIN)
    events = casino.move("ann", 1, "place", bet="heads", stake=100)
    assert names(events) == ["GameMoved", "LeaderboardUpdated"]
    assert isinstance(events[0], GameMoved)
    assert (events[0].move_number, events[0].lines, events[0].balances) == (1, (), Balances(900, 3, 3))
    assert events[0].logs == ("ann: place bet=heads stake=100",)
    casino.move("ann", 1, "place", bet="tails", stake=60)
    events = casino.move("ann", 1, "flip", seed=oracle.heads(1, 3))

    left = Balances(1040, 3, 3)
    assert (events[0].move_number, events[0].balances) == (3, left)
    assert events[0].lines == (Line("heads", 100, 200), Line("tails", 60, 0))
    assert completed(events) == GameCompleted(1, "ann", "probe-coin", 160, 200, 0, 40, False, False, left)
    assert set(names(events[1:])) == {"GameCompleted", "LeaderboardUpdated"}
    assert casino.player("ann").sessions_played == 1


def test_each_move_draws_from_the_seed_it_came_with(casino, oracle):
    casino.start("ann", 1, casino.LADDER, seed=b"start")
    casino.move("ann", 1, "climb", rungs=3, stake=10, seed=b"climb")
    for number, seed in enumerate([b"one", b"two", b"three"], 2):
        casino.move("ann", 1, "roll", seed=seed)
        assert casino.session(1).match.game.rolls[-1:] == oracle.draws(seed, 1, number, 3)
    assert casino.session(1).seed == b"start".hex()


def test_no_event_lets_out_a_seed(casino):
    seed = b"a seed that nobody may see yet.."
    events = list(casino.ok("ann", StartGame(casino.CARD, 10, 1), seed=seed))
    events += casino.ok("ann", GameMove(1, b"\x01\x00"), seed=seed)
    events += casino.do("ann", GameMove(1, b"\x01\x00"), seed=seed)
    for event in events:
        assert seed.hex() not in repr(event)
        assert repr(seed) not in repr(event)


def test_chips_returned_early_can_be_staked_at_once_elsewhere(casino, oracle):
    casino.start("ann", 1, casino.LADDER)
    casino.move("ann", 1, "climb", rungs=2, stake=500)
    casino.start("ann", 2, casino.COIN)
    assert casino.refused("ann", place(casino, "heads", 1, 2)) == NO_FUNDS
    casino.move("ann", 1, "roll", seed=oracle.drawing(2, 1, 2, 3))
    assert (casino.chips("ann"), casino.balance("open")) == (1500, 500)
    casino.ok("ann", place(casino, "heads", 1500, 2))
    assert casino.chips("ann") == 0


def test_a_table_taken_out_of_the_catalogue_keeps_its_limits_and_is_played_out(casino, oracle):
    """Closing a table must not open it to stakes without limit for those who sit at it."""
    casino.give("ann", 10**9)
    casino.heads()
    before, body = casino.chips("ann"), place(casino, "tails", 10_001)
    assert casino.refused("ann", body) == OVER_LIMIT
    casino.tables = {}
    assert casino.refused("ann", body) == OVER_LIMIT
    assert completed(casino.move("ann", 1, "flip", seed=oracle.heads(1, 2))).net == 100
    assert casino.chips("ann") == before + 200


# Modifiers.


def flip(casino, oracle, session_id, wins, stake=100):
    """Sit down, bet on heads, and win or lose; return how the session was completed."""
    casino.heads("ann", session_id, stake)
    seed = oracle.heads(session_id, 2) if wins else oracle.tails(session_id, 2)
    return completed(casino.move("ann", session_id, "flip", seed=seed))


def pools(casino, player="ann"):
    return casino.player(player).shields, casino.player(player).doubles


def armed(casino):
    player = casino.player("ann")
    return player.active_shield, player.active_double, player.active_super


@pytest.mark.parametrize(
    ("modifiers", "wins", "chips", "net", "used"),
    [
        ((), True, 1100, 100, (0, 0)),
        ((), False, 900, -100, (0, 0)),
        (("shield",), False, 1000, 0, (1, 0)),
        (("shield",), True, 1100, 100, (0, 0)),
        (("double",), True, 1200, 200, (0, 1)),
        (("double",), False, 900, -100, (0, 0)),
        (("shield", "double"), True, 1200, 200, (0, 1)),
        (("shield", "double"), False, 1000, 0, (1, 0)),
    ],
)
def test_a_modifier_leaves_these_chips_and_uses(casino, oracle, modifiers, wins, chips, net, used):
    casino.arm("ann", *modifiers)
    done = flip(casino, oracle, 1, wins)

    assert (done.net, done.was_shielded, done.was_doubled) == (net, used[0] == 1, used[1] == 1)
    assert casino.chips("ann") == chips == done.balances.chips
    assert pools(casino) == (3 - used[0], 3 - used[1])
    assert (casino.balance("house"), casino.balance("open")) == (1000 - chips, 0)


def test_a_push_uses_no_modifier(casino):
    casino.arm("ann", "shield", "double")
    casino.heads()
    casino.move("ann", 1, "place", bet="tails", stake=100)
    done = completed(casino.move("ann", 1, "flip"))
    assert (done.net, done.was_shielded, done.was_doubled, casino.chips("ann")) == (0, False, False, 1000)
    assert pools(casino) == (3, 3)


@pytest.mark.parametrize(("modifier", "left"), [("shield", (0, 3)), ("double", (3, 0))])
def test_three_of_each_are_all_there_are(casino, oracle, modifier, left):
    wins = modifier == "double"
    for session_id in range(1, 4):
        casino.arm("ann", modifier)
        done = flip(casino, oracle, session_id, wins, 10)
        assert (done.was_shielded, done.was_doubled) == (not wins, wins)
    assert pools(casino) == left
    assert casino.refused("ann", PlayerAction(modifier)) == (9, f"no_{modifier}")
    assert casino.chips("ann") == (1060 if wins else 1000)
    assert flip(casino, oracle, 4, wins, 10).net == (10 if wins else -10)


def test_flags_go_with_the_session_that_starts_next_and_with_no_other(casino, oracle):
    """They belong to the session that reserved them, whichever ends first."""
    casino.heads("ann", 1)
    casino.arm("ann", "shield")
    casino.heads("ann", 2)
    assert armed(casino) == (False, False, False)
    casino.arm("ann", "double")
    casino.heads("ann", 3)
    assert [casino.session(n).shield for n in (1, 2, 3)] == [False, True, False]
    assert [casino.session(n).double for n in (1, 2, 3)] == [False, False, True]

    casino.arm("ann", "shield", "double")  # for a fourth: the running ones get nothing of it
    assert completed(casino.move("ann", 1, "flip", seed=oracle.tails(1, 2))).net == -100
    assert completed(casino.move("ann", 3, "flip", seed=oracle.heads(3, 2))).net == 200
    assert completed(casino.move("ann", 2, "flip", seed=oracle.tails(2, 2))).net == 0
    assert armed(casino) == (True, True, False)
    assert pools(casino) == (2, 2)
    assert casino.chips("ann") == 1000 - 100 + 200


def test_a_refused_start_leaves_the_flags_armed(casino):
    casino.arm("ann", "shield", "double", "super")
    casino.refused("ann", StartGame(casino.CARD, 5000, 1))
    assert armed(casino) == (True, True, True)


def test_a_shield_gives_back_every_stake_of_the_session_and_no_fee(casino, oracle):
    casino.arm("ann", "shield", "super")
    casino.start("ann", 1, casino.WAR, 100)
    assert casino.chips("ann") == 880
    casino.move("ann", 1, "deal", seed=oracle.seed(lambda mine, theirs: mine == theirs, 1, 1, 3, 3))
    done = completed(casino.move("ann", 1, "fight", seed=oracle.seed(lambda mine, theirs: mine < theirs, 1, 2, 3, 3)))
    assert (done.staked, done.returned, done.fees, done.net, done.was_shielded) == (200, 0, 20, 0, True)
    assert (casino.chips("ann"), casino.balance("house")) == (980, 20)


def test_a_double_doubles_the_profit_and_not_the_stake(casino, oracle):
    casino.arm("ann", "double")
    casino.start("ann", 1, casino.LADDER)
    casino.move("ann", 1, "climb", rungs=2, stake=10)
    casino.move("ann", 1, "roll", seed=oracle.drawing(2, 1, 2, 3))
    done = completed(casino.move("ann", 1, "roll", seed=oracle.drawing(0, 1, 3, 3)))
    assert (done.staked, done.returned, done.net, done.was_doubled) == (20, 30, 20, True)
    assert casino.chips("ann") == 1020


# Super mode.


@pytest.mark.parametrize(("stake", "fee"), [(5, 1), (100, 20), (500, 100)])
def test_super_mode_costs_a_fifth_which_stays_with_the_house(casino, stake, fee):
    casino.arm("ann", "super")
    casino.heads(stake=stake)
    assert (casino.chips("ann"), casino.balance("house"), casino.balance("open")) == (1000 - stake - fee, fee, stake)
    casino.move("ann", 1, "clear")
    assert (casino.chips("ann"), casino.balance("house"), casino.balance("open")) == (1000 - fee, fee, 0)


def test_a_super_fee_must_be_covered_too(casino):
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.COIN)
    assert casino.refused("ann", place(casino, "heads", 835)) == NO_FUNDS  # 835 and 167
    assert casino.refused("ann", place(casino, "heads", 7)) == (4, "super_stake")
    casino.ok("ann", place(casino, "heads", 830))  # 830 and 166
    assert casino.chips("ann") == 4


def test_a_boosted_profit_comes_from_the_house(casino, oracle):
    casino.arm("ann", "super")
    casino.heads()
    # The seed of the move that settles, under which heads falls and heads is lit.
    numbers = (sha256(b"lit %d" % number).digest() for number in range(1000))
    seed = next(s for s in numbers if oracle.draws(s, 1, 2, 2) == oracle.draws(s, 1, 2**32 - 1, 2) == (0,))
    done = completed(casino.move("ann", 1, "flip", seed=seed))
    assert (done.returned, done.fees, done.net) == (400, 20, 300)
    assert (casino.chips("ann"), casino.balance("house")) == (1280, -280)


def test_super_mode_lasts_for_one_session(casino):
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.COIN)
    casino.start("ann", 2, casino.COIN)
    assert (casino.session(1).super_mode, casino.session(2).super_mode) == (True, False)
    assert not casino.player("ann").active_super


def test_no_stake_is_boosted_that_was_placed_after_the_first_draw(casino):
    """By then a player may have seen what is lit."""
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.ENCORE)
    casino.move("ann", 1, "lay", stake=5)
    assert casino.session(1).money.open[0].boosted
    casino.move("ann", 1, "open_box")
    events = casino.do("ann", GameMove(1, casino.payload(1, "lay", stake=5)))
    assert isinstance(events[0], CasinoError) or not casino.session(1).money.open[0].boosted


# At the chip bound.


def rich(casino, probes, chips, *modifiers):
    casino.tables = {0: make_table(0, probes.coin, stake_max=CHIPS_MAX // 2, exposure_max=CHIPS_MAX)}
    casino.give("ann", chips - 1000)
    casino.arm("ann", *modifiers)


@pytest.mark.parametrize("modifiers", [(), ("double",)])
def test_nobody_ever_holds_more_than_the_chip_bound(casino, probes, oracle, modifiers):
    """A player a hundred below it wins two hundred: refused, or paid up to the bound, but no more and no crash."""
    rich(casino, probes, CHIPS_MAX - 100, *modifiers)
    casino.start("ann", 1, 0)
    casino.do("ann", place(casino, "heads", 200))
    casino.do("ann", GameMove(1, b"\x01\x01"), seed=oracle.heads(1, 2))
    assert casino.chips("ann") <= CHIPS_MAX


def test_a_double_is_paid_up_to_the_chip_bound(casino, probes, oracle):
    rich(casino, probes, CHIPS_MAX - 150, "double")
    assert flip(casino, oracle, 1, True).was_doubled
    assert casino.chips("ann") == CHIPS_MAX


# Closing what was abandoned.

NOT_ABANDONED = (10, "not_abandoned")


def test_a_session_can_be_closed_after_an_hour_and_not_before(casino):
    casino.heads()
    start = casino.time
    for idle in (0, 1, HOUR - 1):
        casino.time = start + idle
        for player in ("ann", "bob", "eve"):
            assert casino.refused(player, CloseSession(1)) == NOT_ABANDONED
    casino.time = start + HOUR
    casino.close("bob", 1)
    assert casino.session(1).is_complete


def test_a_table_says_how_long_its_sessions_may_be_idle(casino, probes):
    casino.tables = {0: make_table(0, probes.coin, abandoned_ms=5000)}
    casino.start("ann", 1, 0)
    casino.time += 4999
    assert casino.refused("bob", CloseSession(1)) == NOT_ABANDONED
    casino.time += 1
    casino.close("bob", 1)


def test_nobody_can_close_a_session_at_once_because_its_table_is_gone(casino):
    """Else a stranger could surrender another player's hand the moment an operator changes the catalogue."""
    casino.start("ann", 1, casino.WAR, 100)
    casino.tables = {}
    casino.time += 1
    assert casino.refused("bob", CloseSession(1)) == NOT_ABANDONED
    casino.time += HOUR
    casino.close("bob", 1)


def test_every_move_starts_the_hour_anew(casino):
    casino.start("ann", 1, casino.COIN)
    for _ in range(3):
        casino.time += HOUR - 1
        assert casino.refused("ann", CloseSession(1)) == NOT_ABANDONED
        casino.move("ann", 1, "place", bet="heads", stake=10)
    casino.time += HOUR - 1
    casino.refused("ann", GameMove(1, b"\x01\x09"))  # what is refused is no move
    casino.time += 1
    casino.close("ann", 1)


def test_closing_plays_the_open_bets_out_for_their_owner(casino, oracle):
    casino.heads()
    casino.time += HOUR
    events = casino.close("bob", 1, seed=oracle.heads(1, 2))

    assert names(events) == ["GameMoved", "LeaderboardUpdated", "GameCompleted"]
    assert events[0].balances == Balances(1100, 3, 3)  # ann's, not bob's
    assert events[0].action == Action("time_out", {}, "ann")  # as a record keeps it
    done = completed(events)
    assert (done.player, done.net, done.returned) == ("ann", 100, 200)
    assert (casino.chips("ann"), casino.chips("bob"), casino.balance("open")) == (1100, 1000, 0)
    assert (casino.player("ann").sessions_played, casino.player("bob").sessions_played) == (1, 0)
    assert casino.state.get("leaderboard") == (("ann", 1100), ("bob", 1000))


def test_closing_goes_on_until_the_session_is_over(casino, oracle):
    casino.start("ann", 1, casino.LADDER)
    casino.move("ann", 1, "climb", rungs=3, stake=10)
    casino.time += HOUR
    seed = b"the same for every move of the instruction"
    events = casino.close("ann", 1, seed=seed)

    told = [name for name in names(events) if name != "LeaderboardUpdated"]
    assert told == ["GameMoved", "GameMoved", "GameMoved", "GameCompleted"]
    assert names(events)[-1] == "GameCompleted"
    assert casino.session(1).match.game.rolls == tuple(oracle.draws(seed, 1, n, 3)[0] for n in (2, 3, 4))


def test_closing_uses_the_modifiers_the_session_was_started_with(casino, oracle):
    casino.arm("ann", "shield")
    casino.heads()
    casino.time += HOUR
    done = completed(casino.close("bob", 1, seed=oracle.tails(1, 2)))
    assert (done.net, done.was_shielded, casino.chips("ann")) == (0, True, 1000)
    assert (pools(casino), pools(casino, "bob")) == ((2, 3), (3, 3))


def test_a_session_with_nothing_staked_is_left(casino):
    casino.start("ann", 1, casino.COIN)
    casino.time += HOUR
    done = completed(casino.close("ann", 1))
    assert (done.staked, done.returned, done.net, casino.chips("ann")) == (0, 0, 0, 1000)
    assert casino.refused("ann", place(casino, "heads", 1)) == (8, "finished")


def test_a_session_whose_bets_were_taken_back_is_left_too(casino):
    casino.arm("ann", "super")
    casino.heads()
    casino.move("ann", 1, "clear")
    casino.time += HOUR
    done = completed(casino.close("ann", 1))
    assert (done.net, done.fees, casino.chips("ann")) == (0, 20, 980)


def test_a_session_that_is_over_is_not_closed_again(casino, oracle):
    flip(casino, oracle, 1, True)
    casino.time += HOUR
    assert casino.refused("ann", CloseSession(1)) == (8, "finished")


@pytest.mark.parametrize(("table", "refused"), [("ENDLESS", (9, "cannot_close")), ("ROGUE", (17, "game_fault"))])
def test_a_game_that_never_ends_or_breaks_cannot_be_closed_and_nothing_changes(casino, table, refused):
    casino.start("ann", 1, getattr(casino, table), 10)
    casino.time += HOUR
    assert casino.refused("ann", CloseSession(1)) == refused
