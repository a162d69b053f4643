"""Instructions about sessions: the order of checks, every event code, what modifiers do to chips, and closing."""

from collections.abc import Iterator
from hashlib import sha256

import pytest
from msgspec.structs import replace

from croupier.engine import Action, act, action
from croupier.house import (
    CHIPS_MAX,
    CasinoError,
    CloseSession,
    GameMove,
    GameMoved,
    HouseGame,
    HouseState,
    HouseTurn,
    Line,
    PlayerAction,
    StartGame,
    make_table,
)
from croupier.house.instructions import Balances, GameCompleted, GameStarted, LeaderboardUpdated
from croupier.house.payload import Chips

HOUR = 3_600_000


def names(events):
    return [type(event).__name__ for event in events]


def completed(events):
    (found,) = [event for event in events if isinstance(event, GameCompleted)]
    return found


# Sitting down: what is checked, in its order.


def test_sitting_down_takes_the_stake_and_shows_the_view(casino, oracle):
    casino.register("ann")
    seed = oracle.seed(lambda card: card == 4, 5, 0, 10)
    events = casino.start("ann", 5, casino.CARD, 30, seed=seed)

    assert names(events) == ["GameStarted", "LeaderboardUpdated"]
    started = events[0]
    assert isinstance(started, GameStarted)
    assert (started.session_id, started.player, started.game_id, started.stake) == (5, "ann", "probe-card", 30)
    assert started.balances == Balances(970, 3, 3)
    assert started.view.game.mine == 4
    assert not hasattr(started.view, "rng_state")
    assert (casino.chips("ann"), casino.balance("open"), casino.balance("house")) == (970, 30, 0)


def test_each_check_of_a_start_comes_before_the_next(casino, tables, probes):
    """Begin with everything wrong and mend one thing at a time: the codes come in the order of the checks."""
    body = {"table": 99, "stake": 0, "session_id": -1}
    codes = []

    def refused():
        error = casino.refused("ann", StartGame(**body))
        codes.append((error.error_code, error.reason))

    refused()
    casino.register("ann", "bob")
    casino.start("bob", 5, casino.COIN)
    casino.tables = {**tables, 10: make_table(10, probes.card, stake_max=5000, exposure_max=6000, super_allowed=False)}
    casino.arm("ann", "super")
    refused()
    body["table"] = 10
    refused()
    body["session_id"] = 5
    refused()
    casino.tables[10] = replace(casino.tables[10], super_allowed=True)
    refused()
    body["stake"] = 5001
    refused()
    body["stake"] = 4999
    refused()
    body["stake"] = 5000
    refused()
    casino.give("ann", 9000)
    refused()
    body["stake"] = 3000
    refused()
    body["session_id"] = 6
    casino.ok("ann", StartGame(**body))

    assert codes == [
        (2, "player_not_found"),
        (19, "no_such_table"),
        (16, "bad_session_id"),
        (19, "no_super_mode"),
        (4, "bad_stake"),
        (4, "over_limit"),
        (4, "super_stake"),
        (3, "insufficient_funds"),
        (21, "exposure_limit"),
        (5, "session_exists"),
    ]


@pytest.mark.parametrize("session_id", [-1, 2**64, 1.0, "1", None, True])
def test_a_session_id_is_a_number_of_64_bits(casino, session_id):
    casino.register("ann")
    error = casino.refused("ann", StartGame(casino.COIN, 0, session_id))
    assert (error.error_code, error.reason) == (16, "bad_session_id")


@pytest.mark.parametrize("session_id", [0, 2**63, 2**64 - 1])
def test_any_number_of_64_bits_will_do(casino, session_id):
    casino.register("ann")
    casino.start("ann", session_id, casino.COIN)
    casino.move("ann", session_id, "place", bet="heads", stake=1)
    assert casino.session(session_id).match.match_id == str(session_id)


@pytest.mark.parametrize("table", [8, -1, 65536, 2**64, None, "0", [], {}])
def test_a_table_that_is_not_there_is_refused(casino, table):
    casino.register("ann")
    error = casino.refused("ann", StartGame(table, 0, 1))
    assert (error.error_code, error.reason) == (19, "no_such_table")


@pytest.mark.parametrize("stake", [0, -1, -(2**63), True, 1.0, "10", None])
def test_a_game_that_opens_with_a_stake_needs_one(casino, stake):
    casino.register("ann")
    error = casino.refused("ann", StartGame(casino.CARD, stake, 1))
    assert (error.error_code, error.reason) == (4, "bad_stake")


@pytest.mark.parametrize("stake", [1, -1, 10, 2**63, False, 0.0, None])
def test_a_table_game_is_opened_with_nothing(casino, stake):
    """A stake given here would be lost."""
    casino.register("ann")
    error = casino.refused("ann", StartGame(casino.COIN, stake, 1))
    assert (error.error_code, error.reason) == (4, "bad_stake")


@pytest.mark.parametrize(
    ("stake", "code"),
    [(9, 4), (10, None), (500, None), (501, 4), (10**30, 4)],
)
def test_the_limits_of_a_table_hold_at_the_start(casino, probes, stake, code):
    casino.tables = {3: make_table(3, probes.war, stake_min=10, stake_max=500)}
    casino.register("ann")
    if code is None:
        casino.start("ann", 1, 3, stake)
    else:
        assert casino.refused("ann", StartGame(3, stake, 1)).error_code == code


def test_the_last_chip_can_be_staked_and_not_one_more(casino):
    casino.register("ann")
    error = casino.refused("ann", StartGame(casino.WAR, 1001, 1))
    assert (error.error_code, error.reason) == (3, "insufficient_funds")
    casino.start("ann", 1, casino.WAR, 1000)
    assert casino.chips("ann") == 0
    assert casino.refused("ann", StartGame(casino.WAR, 1, 2)).error_code == 3


def test_a_session_id_is_taken_once_whoever_took_it_and_for_ever(casino):
    casino.register("ann", "bob")
    casino.start("ann", 1, casino.CARD, 10)
    for player, table, stake in (("ann", casino.CARD, 10), ("bob", casino.CARD, 10), ("bob", casino.COIN, 0)):
        error = casino.refused(player, StartGame(table, stake, 1))
        assert (error.error_code, error.reason, error.session_id) == (5, "session_exists", 1)
    casino.move("ann", 1, "show")
    assert casino.session(1).is_complete
    assert casino.refused("bob", StartGame(casino.CARD, 10, 1)).error_code == 5
    assert casino.session(1).player == "ann"


@pytest.mark.parametrize(
    ("at_setup", "code", "reason"),
    [
        ("refuse", 9, "closed"),
        ("no_deck", 18, "deck_exhausted"),
        ("crash", 17, "game_fault"),
        ("take_after_draw", 17, "game_fault"),
    ],
)
def test_a_game_that_fails_at_set_up_is_an_event_and_not_a_crash(casino, probes, at_setup, code, reason):
    casino.tables = {6: make_table(6, probes.rogue, {"at_setup": at_setup})}
    casino.register("ann")
    error = casino.refused("ann", StartGame(6, 10, 1))
    assert (error.error_code, error.reason) == (code, reason)


# Moving: what is checked, in its order.


def test_each_check_of_a_move_comes_before_the_next(casino):
    casino.register("ann", "bob")
    assert casino.refused("bob", GameMove(1, b"")).error_code == 6
    casino.start("ann", 1, casino.CARD, 10)
    error = casino.refused("bob", GameMove(1, b""))
    assert (error.error_code, error.reason, error.session_id) == (7, "session_not_owned", 1)
    assert casino.refused("ann", GameMove(1, b"")).error_code == 16
    casino.move("ann", 1, "show")
    assert casino.refused("bob", GameMove(1, b"")).error_code == 7
    error = casino.refused("ann", GameMove(1, b"no payload"))
    assert (error.error_code, error.reason) == (8, "finished")


@pytest.mark.parametrize("session_id", [2, -1, 2**64, None, "2", 1.5])
def test_a_session_that_is_not_there_is_refused(casino, session_id):
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    assert casino.refused("ann", GameMove(session_id, b"\x01\x01")).error_code == 6
    assert casino.refused("ann", CloseSession(session_id)).error_code == 6


@pytest.mark.parametrize("payload", [None, "01", [1], bytearray(b"\x01\x01"), Action("leave"), Action("time_out"), 257])
def test_a_payload_that_is_no_action_of_the_game_is_refused(casino, payload):
    """Leaving and timing out are for the house to say."""
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    assert casino.refused("ann", GameMove(1, payload)).error_code == 16


def place(casino, bet, stake):
    return GameMove(1, casino.payload(1, "place", bet=bet, stake=stake))


def test_every_way_a_move_can_fail_has_its_event_code(casino, probes):
    casino.tables = {
        **casino.tables,
        0: make_table(0, probes.coin, stake_min=10, stake_max=800, exposure_max=1600),
    }
    casino.register("ann")
    casino.start("ann", 1, 0)
    assert casino.refused("ann", GameMove(1, b"\x01\x01")).error_code == 9
    assert casino.refused("ann", GameMove(1, b"\x02\x01")).error_code == 16
    assert casino.refused("ann", GameMove(1, b"\x01\x07")).error_code == 16
    assert casino.refused("ann", GameMove(1, bytes.fromhex("010000") + bytes(8))).error_code == 16
    assert casino.refused("ann", GameMove(1, bytes.fromhex("010009") + bytes(7) + b"\x0a")).error_code == 16
    assert casino.refused("ann", place(casino, "heads", 9)).error_code == 4
    assert casino.refused("ann", place(casino, "heads", 801)).error_code == 4
    casino.ok("ann", place(casino, "heads", 700))
    error = casino.refused("ann", place(casino, "heads", 101))
    assert (error.error_code, error.reason) == (4, "over_limit")
    error = casino.refused("ann", place(casino, "tails", 301))
    assert (error.error_code, error.reason) == (3, "insufficient_funds")
    error = casino.refused("ann", place(casino, "tails", 101))
    assert (error.error_code, error.reason) == (21, "exposure_limit")
    casino.ok("ann", place(casino, "tails", 100))


@pytest.mark.parametrize("number", range(15))
def test_a_game_that_breaks_in_play_is_event_code_17_and_costs_nobody_a_chip(casino, probes, number):
    casino.register("ann")
    casino.start("ann", 1, casino.ROGUE, 10)
    error = casino.refused("ann", GameMove(1, bytes((1, 0, number))))
    assert (error.error_code, error.reason) == (17, "game_fault"), probes.rogue.CRIMES[number]


def test_no_card_left_is_event_code_18(casino):
    casino.register("ann")
    casino.start("ann", 1, casino.ROGUE, 10)
    assert casino.refused("ann", GameMove(1, b"\x01\x02")).error_code == 18


def test_a_move_says_what_it_settled_and_what_is_left(casino, oracle):
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    events = casino.move("ann", 1, "place", bet="heads", stake=100)
    assert names(events) == ["GameMoved", "LeaderboardUpdated"]
    assert isinstance(events[0], GameMoved)
    assert (events[0].move_number, events[0].lines, events[0].balances) == (1, (), Balances(900, 3, 3))
    assert events[0].logs == ("ann: place bet=heads stake=100",)
    casino.move("ann", 1, "place", bet="tails", stake=60)
    events = casino.move("ann", 1, "flip", seed=oracle.heads(1, 3))

    assert events[0].move_number == 3
    assert events[0].lines == (Line("heads", 100, 200), Line("tails", 60, 0))
    assert events[0].balances == Balances(1040, 3, 3)
    assert completed(events) == GameCompleted(
        1, "ann", "probe-coin", 160, 200, 0, 40, False, False, Balances(1040, 3, 3)
    )
    assert set(names(events[1:])) == {"GameCompleted", "LeaderboardUpdated"}
    assert casino.player("ann").sessions_played == 1


def test_each_move_draws_from_the_seed_it_came_with(casino, oracle):
    casino.register("ann")
    casino.start("ann", 1, casino.LADDER, seed=b"start")
    casino.move("ann", 1, "climb", rungs=3, stake=10, seed=b"climb")
    for number, seed in enumerate([b"one", b"two", b"three"], 2):
        casino.move("ann", 1, "roll", seed=seed)
        assert casino.session(1).match.game.rolls[-1:] == oracle.draws(seed, 1, number, 3)
    assert casino.session(1).seed == b"start".hex()


def test_no_event_lets_out_a_seed(casino):
    casino.register("ann")
    seed = b"a seed that nobody may see yet.."
    events = list(casino.ok("ann", StartGame(casino.CARD, 10, 1), seed=seed))
    events += casino.ok("ann", GameMove(1, b"\x01\x00"), seed=seed)
    events += casino.do("ann", GameMove(1, b"\x01\x00"), seed=seed)
    for event in events:
        assert seed.hex() not in repr(event)
        assert repr(seed) not in repr(event)


def test_chips_returned_early_can_be_staked_at_once_elsewhere(casino, oracle):
    casino.register("ann")
    casino.start("ann", 1, casino.LADDER)
    casino.move("ann", 1, "climb", rungs=2, stake=500)
    casino.start("ann", 2, casino.COIN)
    assert casino.refused("ann", GameMove(2, casino.payload(2, "place", bet="heads", stake=1))).error_code == 3
    casino.move("ann", 1, "roll", seed=oracle.seed(lambda face: face == 2, 1, 2, 3))
    assert (casino.chips("ann"), casino.balance("open")) == (1500, 500)
    casino.move("ann", 2, "place", bet="heads", stake=1500)
    assert casino.chips("ann") == 0


def test_a_table_that_is_taken_out_of_the_catalogue_keeps_its_limits_for_those_who_sit_at_it(casino):
    """Closing a table must not open it to stakes without limit."""
    casino.register("ann")
    casino.give("ann", 10**9)
    casino.start("ann", 1, casino.COIN)
    body = place(casino, "heads", 10_001)
    assert casino.refused("ann", body).error_code == 4
    casino.tables = {}
    assert casino.refused("ann", body).error_code == 4


def test_a_session_at_a_table_that_is_gone_can_be_played_out(casino, oracle):
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    casino.tables = {}
    assert completed(casino.move("ann", 1, "flip", seed=oracle.heads(1, 2))).net == 100


# Modifiers.


def flip(casino, oracle, session_id, wins, stake=100, player="ann"):
    """Sit down, bet on heads, and win or lose; return how the session was completed."""
    casino.start(player, session_id, casino.COIN)
    casino.move(player, session_id, "place", bet="heads", stake=stake)
    seed = oracle.heads(session_id, 2) if wins else oracle.tails(session_id, 2)
    return completed(casino.move(player, session_id, "flip", seed=seed))


@pytest.mark.parametrize(
    ("armed", "wins", "chips", "net", "used"),
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
def test_a_modifier_leaves_these_chips_and_uses(casino, oracle, armed, wins, chips, net, used):
    casino.register("ann")
    casino.arm("ann", *armed)
    done = flip(casino, oracle, 1, wins)

    assert (done.net, done.was_shielded, done.was_doubled) == (net, used[0] == 1, used[1] == 1)
    assert casino.chips("ann") == chips == done.balances.chips
    assert (casino.player("ann").shields, casino.player("ann").doubles) == (3 - used[0], 3 - used[1])
    assert casino.balance("house") == 1000 - chips
    assert casino.balance("open") == 0


def test_a_push_uses_no_modifier(casino, oracle):
    casino.register("ann")
    casino.arm("ann", "shield", "double")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    casino.move("ann", 1, "place", bet="tails", stake=100)
    done = completed(casino.move("ann", 1, "flip"))
    assert (done.net, done.was_shielded, done.was_doubled, casino.chips("ann")) == (0, False, False, 1000)
    assert (casino.player("ann").shields, casino.player("ann").doubles) == (3, 3)


@pytest.mark.parametrize(("modifier", "pool"), [("shield", "shields"), ("double", "doubles")])
def test_three_of_each_are_all_there_are(casino, oracle, modifier, pool):
    casino.register("ann")
    wins = modifier == "double"
    for session_id in range(1, 4):
        casino.arm("ann", modifier)
        done = flip(casino, oracle, session_id, wins, 10)
        assert (done.was_shielded, done.was_doubled) == (not wins, wins)
    assert getattr(casino.player("ann"), pool) == 0
    assert casino.refused("ann", PlayerAction(modifier)).error_code == 9
    assert casino.chips("ann") == (1060 if wins else 1000)
    assert flip(casino, oracle, 4, wins, 10).net == (10 if wins else -10)


def test_flags_go_with_the_session_that_starts_next_and_with_no_other(casino, oracle):
    """They belong to the session that reserved them, whichever ends first."""
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    casino.arm("ann", "shield")
    casino.start("ann", 2, casino.COIN)
    player = casino.player("ann")
    assert (player.active_shield, player.active_double, player.active_super) == (False, False, False)
    casino.arm("ann", "double")
    casino.start("ann", 3, casino.COIN)
    for session_id in (1, 2, 3):
        casino.move("ann", session_id, "place", bet="heads", stake=100)
    assert [casino.session(n).shield for n in (1, 2, 3)] == [False, True, False]
    assert [casino.session(n).double for n in (1, 2, 3)] == [False, False, True]

    casino.arm("ann", "shield", "double")  # for a fourth: the running ones get nothing of it
    assert completed(casino.move("ann", 1, "flip", seed=oracle.tails(1, 2))).net == -100
    assert completed(casino.move("ann", 3, "flip", seed=oracle.heads(3, 2))).net == 200
    assert completed(casino.move("ann", 2, "flip", seed=oracle.tails(2, 2))).net == 0
    player = casino.player("ann")
    assert (player.active_shield, player.active_double) == (True, True)
    assert (player.shields, player.doubles) == (2, 2)
    assert casino.chips("ann") == 1000 - 100 + 200


def test_a_refused_start_leaves_the_flags_armed(casino):
    casino.register("ann")
    casino.arm("ann", "shield", "double", "super")
    casino.refused("ann", StartGame(casino.CARD, 5000, 1))
    player = casino.player("ann")
    assert (player.active_shield, player.active_double, player.active_super) == (True, True, True)


def test_a_shield_gives_back_every_stake_of_the_session_and_no_fee(casino, oracle):
    casino.register("ann")
    casino.arm("ann", "shield", "super")
    casino.start("ann", 1, casino.WAR, 100)
    assert casino.chips("ann") == 880
    casino.move("ann", 1, "deal", seed=oracle.seed(lambda mine, theirs: mine == theirs, 1, 1, 3, 3))
    done = completed(casino.move("ann", 1, "fight", seed=oracle.seed(lambda mine, theirs: mine < theirs, 1, 2, 3, 3)))
    assert (done.staked, done.returned, done.fees, done.net, done.was_shielded) == (200, 0, 20, 0, True)
    assert casino.chips("ann") == 980
    assert casino.balance("house") == 20


def test_a_double_doubles_the_profit_and_not_the_stake(casino, oracle):
    casino.register("ann")
    casino.arm("ann", "double")
    casino.start("ann", 1, casino.LADDER)
    casino.move("ann", 1, "climb", rungs=2, stake=10)
    casino.move("ann", 1, "roll", seed=oracle.seed(lambda face: face == 2, 1, 2, 3))
    done = completed(casino.move("ann", 1, "roll", seed=oracle.seed(lambda face: face == 0, 1, 3, 3)))
    assert (done.staked, done.returned, done.net, done.was_doubled) == (20, 30, 20, True)
    assert casino.chips("ann") == 1020


# Super mode.


@pytest.mark.parametrize(("stake", "fee"), [(5, 1), (100, 20), (500, 100)])
def test_super_mode_costs_a_fifth_which_stays_with_the_house(casino, oracle, stake, fee):
    casino.register("ann")
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=stake)
    assert (casino.chips("ann"), casino.balance("house"), casino.balance("open")) == (1000 - stake - fee, fee, stake)
    casino.move("ann", 1, "clear")
    assert (casino.chips("ann"), casino.balance("house"), casino.balance("open")) == (1000 - fee, fee, 0)


def test_a_super_fee_must_be_covered_too(casino):
    casino.register("ann")
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.COIN)
    error = casino.refused("ann", place(casino, "heads", 835))
    assert (error.error_code, error.reason) == (3, "insufficient_funds")  # 835 and 167
    assert casino.refused("ann", place(casino, "heads", 7)).error_code == 4
    casino.ok("ann", place(casino, "heads", 830))  # 830 and 166
    assert casino.chips("ann") == 4


def test_a_boosted_profit_comes_from_the_house(casino, oracle):
    casino.register("ann")
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    # The seed of the move that settles, under which heads falls and heads is lit.
    numbers = (sha256(b"lit %d" % number).digest() for number in range(1000))
    seed = next(s for s in numbers if oracle.draws(s, 1, 2, 2) == oracle.draws(s, 1, 2**32 - 1, 2) == (0,))
    done = completed(casino.move("ann", 1, "flip", seed=seed))
    assert (done.returned, done.fees, done.net) == (400, 20, 300)
    assert (casino.chips("ann"), casino.balance("house")) == (1280, -280)


def test_super_mode_lasts_for_one_session(casino):
    casino.register("ann")
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.COIN)
    casino.start("ann", 2, casino.COIN)
    assert (casino.session(1).super_mode, casino.session(2).super_mode) == (True, False)
    assert not casino.player("ann").active_super


class Boxes(HouseState, frozen=True):
    opened: int = 0


class Encore(HouseGame[Boxes]):
    """Settles one box a move, shows what is lit with the first, and would take stakes on the next."""

    id, name = "probe-encore", "Encore"
    opens_with_stake = False

    def setup(self, table):
        return Boxes()

    @action(opcode=0)
    def lay(self, state: Boxes, turn: HouseTurn, stake: Chips) -> Boxes:
        turn.take(f"box:{state.opened}", stake, most=10 * stake, boosted=True)
        return state

    @action(opcode=1)
    def open_box(self, state: Boxes, turn: HouseTurn) -> Boxes:
        turn.rng.next_byte()
        turn.light()
        for laid in turn.stakes:
            turn.settle(laid.bet, 0)
        return replace(state, opened=state.opened + 1)

    def legal(self, state: Boxes, turn: object) -> Iterator[Action]:
        yield act("open_box")


def test_no_stake_is_boosted_that_was_placed_after_the_first_draw(casino, registered):
    """By then a player may have seen what is lit."""
    game = registered(Encore())
    casino.tables = {0: make_table(0, game)}
    casino.register("ann")
    casino.arm("ann", "super")
    casino.start("ann", 1, 0)
    casino.move("ann", 1, "lay", stake=5)
    assert casino.session(1).money.open[0].boosted
    casino.move("ann", 1, "open_box")
    events = casino.do("ann", GameMove(1, casino.payload(1, "lay", stake=5)))
    assert isinstance(events[0], CasinoError) or not casino.session(1).money.open[0].boosted


# At the chip bound.


def rich(casino, probes, chips):
    casino.tables = {0: make_table(0, probes.coin, stake_max=CHIPS_MAX // 2, exposure_max=CHIPS_MAX)}
    casino.register("ann")
    casino.give("ann", chips - 1000)


@pytest.mark.parametrize("armed", [(), ("double",)])
def test_nobody_ever_holds_more_than_the_chip_bound(casino, probes, oracle, armed):
    """A player a hundred below it wins two hundred: refused, or paid up to the bound, but no more and no crash."""
    rich(casino, probes, CHIPS_MAX - 100)
    casino.arm("ann", *armed)
    casino.start("ann", 1, 0)
    casino.do("ann", GameMove(1, casino.payload(1, "place", bet="heads", stake=200)))
    casino.do("ann", GameMove(1, b"\x01\x01"), seed=oracle.heads(1, 2))
    assert casino.chips("ann") <= CHIPS_MAX


def test_a_double_is_paid_up_to_the_chip_bound(casino, probes, oracle):
    rich(casino, probes, CHIPS_MAX - 150)
    casino.arm("ann", "double")
    done = flip(casino, oracle, 1, True)
    assert done.was_doubled
    assert casino.chips("ann") == CHIPS_MAX


# Closing what was abandoned.


def test_a_session_can_be_closed_after_an_hour_and_not_before(casino):
    casino.register("ann", "bob")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    start = casino.time
    for idle in (0, 1, HOUR - 1):
        casino.time = start + idle
        for player in ("ann", "bob", "eve"):
            error = casino.refused(player, CloseSession(1))
            assert (error.error_code, error.reason, error.session_id) == (10, "not_abandoned", 1)
    casino.time = start + HOUR
    casino.close("bob", 1)
    assert casino.session(1).is_complete


def test_a_table_says_how_long_its_sessions_may_be_idle(casino, probes):
    casino.tables = {0: make_table(0, probes.coin, abandoned_ms=5000)}
    casino.register("ann", "bob")
    casino.start("ann", 1, 0)
    casino.time += 4999
    assert casino.refused("bob", CloseSession(1)).error_code == 10
    casino.time += 1
    casino.close("bob", 1)


def test_nobody_can_close_a_session_at_once_because_its_table_is_gone(casino):
    """Else a stranger could surrender another player's hand the moment an operator changes the catalogue."""
    casino.register("ann", "bob")
    casino.start("ann", 1, casino.WAR, 100)
    casino.tables = {}
    casino.time += 1
    assert casino.refused("bob", CloseSession(1)).error_code == 10
    casino.time += HOUR
    casino.close("bob", 1)


def test_every_move_starts_the_hour_anew(casino):
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    for _ in range(3):
        casino.time += HOUR - 1
        assert casino.refused("ann", CloseSession(1)).error_code == 10
        casino.move("ann", 1, "place", bet="heads", stake=10)
    casino.time += HOUR - 1
    casino.refused("ann", GameMove(1, b"\x01\x09"))  # what is refused is no move
    casino.time += 1
    casino.close("ann", 1)


def test_closing_plays_the_open_bets_out_for_their_owner(casino, oracle):
    casino.register("ann", "bob")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    casino.time += HOUR
    events = casino.ok("bob", CloseSession(1), seed=oracle.heads(1, 2))

    assert names(events) == ["GameMoved", "LeaderboardUpdated", "GameCompleted"]
    assert events[0].balances == Balances(1100, 3, 3)  # ann's, not bob's
    assert events[0].action == Action("time_out", {}, "ann")  # as a record keeps it
    done = completed(events)
    assert (done.player, done.net, done.returned) == ("ann", 100, 200)
    assert (casino.chips("ann"), casino.chips("bob"), casino.balance("open")) == (1100, 1000, 0)
    assert casino.player("ann").sessions_played == 1
    assert casino.player("bob").sessions_played == 0


def test_closing_goes_on_until_the_session_is_over(casino, oracle):
    casino.register("ann")
    casino.start("ann", 1, casino.LADDER)
    casino.move("ann", 1, "climb", rungs=3, stake=10)
    casino.time += HOUR
    seed = b"the same for every move of the instruction"
    events = casino.ok("ann", CloseSession(1), seed=seed)

    told = [name for name in names(events) if name != "LeaderboardUpdated"]
    assert told == ["GameMoved", "GameMoved", "GameMoved", "GameCompleted"]
    assert names(events)[-1] == "GameCompleted"
    assert casino.session(1).match.game.rolls == tuple(oracle.draws(seed, 1, n, 3)[0] for n in (2, 3, 4))


def test_closing_uses_the_modifiers_the_session_was_started_with(casino, oracle):
    casino.register("ann", "bob")
    casino.arm("ann", "shield")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    casino.time += HOUR
    done = completed(casino.ok("bob", CloseSession(1), seed=oracle.tails(1, 2)))
    assert (done.net, done.was_shielded, casino.chips("ann")) == (0, True, 1000)
    assert (casino.player("ann").shields, casino.player("bob").shields) == (2, 3)


def test_a_session_with_nothing_staked_is_left(casino):
    casino.register("ann")
    casino.start("ann", 1, casino.COIN)
    casino.time += HOUR
    done = completed(casino.close("ann", 1))
    assert (done.staked, done.returned, done.net) == (0, 0, 0)
    assert casino.chips("ann") == 1000
    assert casino.refused("ann", GameMove(1, casino.payload(1, "place", bet="heads", stake=1))).error_code == 8


def test_a_session_whose_bets_were_taken_back_is_left_too(casino):
    casino.register("ann")
    casino.arm("ann", "super")
    casino.start("ann", 1, casino.COIN)
    casino.move("ann", 1, "place", bet="heads", stake=100)
    casino.move("ann", 1, "clear")
    casino.time += HOUR
    done = completed(casino.close("ann", 1))
    assert (done.net, done.fees, casino.chips("ann")) == (0, 20, 980)


def test_a_session_that_is_over_is_not_closed_again(casino, oracle):
    casino.register("ann")
    flip(casino, oracle, 1, True)
    casino.time += HOUR
    assert casino.refused("ann", CloseSession(1)).error_code == 8


def test_a_game_that_never_ends_cannot_be_closed_and_nothing_changes(casino):
    casino.register("ann")
    casino.start("ann", 1, casino.ENDLESS, 10)
    casino.time += HOUR
    error = casino.refused("ann", CloseSession(1))
    assert (error.error_code, error.reason) == (9, "cannot_close")


def test_a_game_whose_auto_action_breaks_cannot_be_closed_and_nothing_changes(casino):
    casino.register("ann")
    casino.start("ann", 1, casino.ROGUE, 10)
    casino.time += HOUR
    error = casino.refused("ann", CloseSession(1))
    assert (error.error_code, error.reason) == (17, "game_fault")


def test_an_unchanged_board_is_not_announced(casino):
    casino.register("ann")
    events = casino.start("ann", 1, casino.COIN)
    assert not any(isinstance(event, LeaderboardUpdated) for event in events)
