"""Craps as plain objects: the names of the founding document, with its examples, over the one engine."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadPlayers
from croupier.fairness.dice import Reveal, Rolled, encoding
from croupier.fairness.dice.messages import Commit, signed
from croupier.games.craps.bets import IDS
from croupier.games.craps.compat import (
    Bet,
    BetLimits,
    BetType,
    CrapsGame,
    DiceRoll,
    EntropyContribution,
    GamePhase,
    HopBet,
    InvalidBet,
    OddsBet,
    RollSequence,
    calculate_odds_payout,
    roll_dice_from_sources,
    roll_dice_secure,
)
from croupier.games.craps.compat.rolls import BadRoll
from croupier.games.craps.layout import LiveBet, throw
from croupier.games.craps.options import CrapsOptions
from tools.adversaries import MacSigner, MacVerifier

faces = st.integers(1, 6)


def new(*players: str) -> CrapsGame:
    return CrapsGame("table 1", players or ("ann", "bob"))


def decided(game: CrapsGame, die1: int, die2: int) -> list[tuple[str, str, str, int]]:
    rolled = game.process_roll(DiceRoll(die1, die2))
    return [(one.player, one.bet_type.name, one.outcome, one.profit) for one in rolled]


def reason_of(game: CrapsGame, player: str, bet: Bet, limits: BetLimits | None = None) -> str:
    with pytest.raises(InvalidBet) as error:
        game.place_bet(player, bet, limits)
    return error.value.reason


# The game.


def test_a_new_game_is_at_the_come_out_with_nothing_tracked():
    game = new()

    assert (game.game_id, game.participants, game.shooter) == ("table 1", ["ann", "bob"], "ann")
    assert (game.phase, game.point, game.series_id, game.roll_count) == (GamePhase.COME_OUT, None, 0, 0)
    assert (game.roll_history, game.fire_points, game.bonus_numbers) == ([], set(), set())
    assert (game.repeater_counts, game.hardway_streak, game.hot_roller_streak) == ({}, {}, 0)
    assert game.player_bets == {"ann": {}, "bob": {}}
    assert game.come_points == game.dont_come_points == {"ann": {}, "bob": {}}
    assert repr(game) == "<CrapsGame 'table 1', come_out, 0 rolls>"


@pytest.mark.parametrize("players", [[], ["ann", "ann"]])
def test_a_game_has_participants_with_ids_of_their_own(players):
    with pytest.raises(BadPlayers):
        CrapsGame("t", players)


def test_a_come_out_seven_or_eleven_wins_and_craps_loses():
    """The sketch of the document: `7 | 11 => Won`, `2 | 3 | 12 => Lost`, else the bet stays."""
    for die1, die2, outcome in ((3, 4, "won"), (5, 6, "won"), (1, 1, "lost"), (1, 2, "lost"), (6, 6, "lost")):
        game = new()
        game.place_bet("ann", Bet(BetType.PASS, 10))
        profit = 10 if outcome == "won" else -10
        assert decided(game, die1, die2) == [("ann", "PASS", outcome, profit)]
        assert (game.phase, game.get_player_bets("ann")) == (GamePhase.COME_OUT, {})


def test_a_point_is_set_made_and_sevened_out():
    game = new()
    game.place_bet("ann", Bet(BetType.PASS, 10))
    assert decided(game, 3, 3) == []
    assert (game.phase, game.point, repr(game)) == (GamePhase.POINT, 6, "<CrapsGame 'table 1', point 6, 1 rolls>")
    assert decided(game, 2, 4) == [("ann", "PASS", "won", 10)]
    assert (game.series_id, game.hot_roller_streak, game.fire_points, game.shooter) == (1, 1, {6}, "ann")
    game.place_bet("ann", Bet(BetType.PASS, 10))
    decided(game, 4, 4)

    assert decided(game, 3, 4) == [("ann", "PASS", "lost", -10)]

    assert (game.series_id, game.hot_roller_streak, game.fire_points, game.shooter) == (2, 0, set(), "bob")
    assert game.roll_history == [DiceRoll(3, 3), DiceRoll(2, 4), DiceRoll(4, 4), DiceRoll(3, 4)]
    assert game.roll_count == 4


def test_trackers_tell_what_has_fallen():
    game = new()
    for die1, die2 in ((3, 3), (3, 3), (2, 2), (1, 3), (6, 6)):
        game.process_roll(DiceRoll(die1, die2))

    assert game.bonus_numbers == {4, 6, 12}
    assert game.repeater_counts == {4: 2, 6: 2, 12: 1}
    assert game.hardway_streak == {6: 2}


def test_come_bets_travel_to_their_points_and_carry_odds():
    game = new()
    game.process_roll(DiceRoll(2, 2))
    game.place_bet("ann", Bet(BetType.COME, 10))
    game.place_bet("bob", Bet(BetType.DONT_COME, 20))
    game.process_roll(DiceRoll(3, 3))
    assert (game.come_points["ann"], game.dont_come_points["bob"]) == ({6: 10}, {6: 20})
    game.place_bet("ann", OddsBet(BetType.COME, 50, 6).bet)
    assert game.get_player_bets("ann") == {
        (BetType.COME, 6): Bet(BetType.COME, 10, 6),
        (BetType.ODDS_COME, 6): Bet(BetType.ODDS_COME, 50, 6),
    }

    assert decided(game, 2, 4) == [
        ("ann", "COME", "won", 10),
        ("ann", "ODDS_COME", "won", 60),
        ("bob", "DONT_COME", "lost", -20),
    ]


def test_one_bet_a_type_and_the_right_phase():
    game = new()
    game.place_bet("ann", Bet(BetType.PASS, 10))

    assert reason_of(game, "ann", Bet(BetType.PASS, 10)) == "already_placed"
    assert reason_of(game, "ann", Bet(BetType.COME, 10)) == "window_closed"
    assert reason_of(game, "ann", Bet(BetType.FIELD, 0)) == "stake_too_small"
    game.place_bet("bob", Bet(BetType.PASS, 10))
    with pytest.raises(BadPlayers):
        game.place_bet("cid", Bet(BetType.PASS, 10))
    with pytest.raises(BadPlayers):
        game.get_player_bets("cid")


def test_limits_of_the_moment_go_before_those_of_the_table():
    game = new()
    limits = BetLimits(min_bet=20, max_bet=30, max_odds_multiple=1)

    assert reason_of(game, "ann", Bet(BetType.PASS, 19), limits) == "under_limit"
    assert reason_of(game, "ann", Bet(BetType.FIELD, 31), limits) == "over_limit"
    game.place_bet("ann", Bet(BetType.PASS, 20), limits)
    game.process_roll(DiceRoll(3, 3))
    assert reason_of(game, "ann", OddsBet(BetType.PASS, 21, 6).bet, limits) == "over_odds"
    game.place_bet("ann", OddsBet(BetType.PASS, 20, 6).bet, limits)


def test_limits_leave_prices_alone():
    limits = BetLimits(1, 10, 2).options(CrapsOptions(pay_table="nullspace", fire="fire-b"))

    assert (limits.pay_table, limits.fire, limits.side_max, limits.odds_map) == ("nullspace", "fire-b", 10, (2,) * 6)


def test_a_bet_is_taken_down_with_its_odds_unless_it_is_a_contract():
    game = new()
    game.place_bet("ann", Bet(BetType.DONT_PASS, 10))
    game.place_bet("bob", Bet(BetType.PASS, 10))
    game.process_roll(DiceRoll(2, 2))
    game.place_bet("ann", OddsBet(BetType.DONT_PASS, 60, 4).bet)

    assert game.remove_bet("ann", BetType.DONT_PASS) == Bet(BetType.DONT_PASS, 10)
    assert game.get_player_bets("ann") == {}
    with pytest.raises(InvalidBet):
        game.remove_bet("bob", BetType.PASS)


def test_a_closed_game_takes_neither_bets_nor_rolls():
    game = new()
    game.place_bet("ann", Bet(BetType.PASS, 10))
    game.process_roll(DiceRoll(2, 2))

    assert game.close() == {"ann": 10, "bob": 0}

    assert (game.phase, game.point, game.roll_count, len(game.roll_history)) == (GamePhase.CLOSED, None, 1, 1)
    assert reason_of(game, "ann", Bet(BetType.HARD_8, 10)) == "table_closed"
    with pytest.raises(BadRoll):
        game.process_roll(DiceRoll(3, 4))


def test_history_is_bounded():
    game = new()
    for _ in range(1005):
        game.process_roll(DiceRoll(6, 6))

    assert (game.roll_count, len(game.roll_history)) == (1005, 1000)


@given(rolls=st.lists(st.tuples(faces, faces), max_size=40), stake=st.integers(5, 500))
def test_the_object_decides_what_the_engine_decides(rolls, stake):
    """The same bets put into `throw` by hand: a shell with rules of its own would differ somewhere."""
    game = new("ann")
    table = game.table
    for die1, die2 in rolls:
        seat = []
        for kind in (BetType.PASS, BetType.COME, BetType.FIELD, BetType.YES_6, BetType.REPEATER_4):
            try:
                game.place_bet("ann", Bet(kind, stake if kind is not BetType.REPEATER_4 else 5))
            except InvalidBet:
                continue
        seat = list(game._seats["ann"])
        outcome = throw(table, [tuple(seat)], die1, die2, game.book)

        found = game.process_roll(DiceRoll(die1, die2))

        assert [(one.bet_type, one.number, one.returned) for one in found] == [
            (one.bet.id, one.bet.number, one.returned) for one in outcome.decisions
        ]
        assert (game.table, game._seats["ann"]) == (outcome.table, outcome.seats[0])
        table = outcome.table


# Bets.


def test_bet_types_are_the_ids_of_the_sheet():
    names = [kind.name.lower() for kind in BetType]
    ours = [name.replace(":", "_").replace("-", "_") for name in IDS]

    assert list(BetType) == list(range(91))
    assert names == ours


@pytest.mark.parametrize(
    ("kind", "come_out", "point"),
    [
        (BetType.PASS, True, False),
        (BetType.DONT_PASS, True, False),
        (BetType.COME, False, True),
        (BetType.FIELD, True, True),
        (BetType.HARD_8, True, True),
        (BetType.ODDS_PASS, False, True),
        (BetType.ODDS_COME, True, True),
        (BetType.FIRE, True, False),
        (BetType.REPEATER_6, True, False),
        (BetType.MUGGSY, True, False),
        (BetType.HOP_3_4, True, True),
    ],
)
def test_a_bet_belongs_to_its_phases_and_to_no_closed_table(kind, come_out, point):
    phases = (GamePhase.COME_OUT, GamePhase.POINT, GamePhase.CLOSED)

    assert [kind.is_valid_for_phase(phase) for phase in phases] == [come_out, point, False]


@pytest.mark.parametrize(
    ("point", "amount", "profit"),
    [(4, 10, 20), (10, 10, 20), (5, 10, 15), (9, 10, 15), (6, 10, 12), (8, 10, 12), (5, 3, 4), (6, 4, 4)],
)
def test_odds_pay_true_odds_rounded_down(point, amount, profit):
    """The document: 2 to 1, 3 to 2, 6 to 5."""
    assert calculate_odds_payout(point, amount) == profit


@pytest.mark.parametrize("number", [2, 3, 7, 11, 12, 0])
def test_a_number_that_is_no_point_has_no_odds(number):
    with pytest.raises(InvalidBet):
        calculate_odds_payout(number, 10)
    with pytest.raises(InvalidBet):
        _ = OddsBet(BetType.PASS, 10, number).bet
    with pytest.raises(InvalidBet):
        _ = OddsBet(BetType.FIELD, 10, 4).bet


def test_hops_are_pairs_without_order_and_pay_thirty_and_fifteen():
    """The document: "Payouts: Hard = 30:1, Easy = 15:1"."""
    game = new()
    game.place_bet("ann", Bet(HopBet.hard(2).bet_type, 10))
    game.place_bet("ann", Bet(HopBet.easy(4, 2).bet_type, 10))
    assert decided(game, 2, 2) == [("ann", "HOP_2_2", "won", 300), ("ann", "HOP_2_4", "lost", -10)]
    game.place_bet("ann", Bet(HopBet.easy(2, 4).bet_type, 10))
    assert decided(game, 4, 2) == [("ann", "HOP_2_4", "won", 150)]

    with pytest.raises(InvalidBet):
        HopBet.easy(3, 3)
    with pytest.raises(BadRoll):
        HopBet.hard(7)


def test_a_resolution_names_profit_and_what_came_back():
    game = new()
    game.place_bet("ann", Bet(BetType.PASS, 10))
    game.place_bet("ann", Bet(BetType.WORLD, 10))
    pass_bet, world = game.process_roll(DiceRoll(3, 4))

    assert (pass_bet.amount, pass_bet.payout, pass_bet.returned, pass_bet.profit) == (10, 20, 20, 10)
    assert (world.outcome, world.payout, world.profit) == ("push", 10, 0)


# Dice.


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (True, 1), (2.0, 3), ("1", 1)])
def test_dice_that_cannot_be_are_refused(dice):
    with pytest.raises(BadRoll):
        DiceRoll(*dice)


def test_hardways_are_four_of_the_six_doubles():
    hard = [(a, b) for a in range(1, 7) for b in range(1, 7) if DiceRoll(a, b).is_hard_way()]

    assert hard == [(2, 2), (3, 3), (4, 4), (5, 5)]
    assert DiceRoll(5, 6).total() == 11


def test_dice_of_this_machine_say_that_nobody_can_check_them():
    rolls = [roll_dice_secure() for _ in range(200)]

    assert not any(roll.is_verifiable for roll in rolls)
    assert len({(roll.die1, roll.die2) for roll in rolls}) > 20  # 36 are possible; below 21 once in more than 10**20
    game = new()
    game.roll_dice()
    assert not game.roll_history[0].is_verifiable


def test_a_chained_table_takes_no_roll_that_nobody_can_check():
    game = CrapsGame("t", ["ann"], is_chained=True)
    with pytest.raises(BadRoll):
        game.roll_dice()
    assert game.roll_count == 0

    game.process_roll(DiceRoll.of(Rolled(1, 5, bytes(32), (3, 4), "00" * 32)))

    assert game.roll_history == [DiceRoll(3, 4, is_verifiable=True)]
    with pytest.raises(BadRoll):
        DiceRoll.of(Rolled(1, 5, bytes(32), (3, 4, 5), "00" * 32))


def by_hand(sources: list[bytes]) -> tuple[int, int]:
    """The dice of some sources, written out: XOR, then SHA-256 of tagged fields, then bytes below 252 modulo 6."""
    mixed = bytes(32)
    for source in sources:
        mixed = bytes(a ^ b for a, b in zip(mixed, source, strict=True))
    fields = [b"craps/seed/1", b"", mixed]
    seed = sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).digest()
    block = sha256(seed + bytes(8) + bytes(4)).digest()
    dice = [1 + byte % 6 for byte in block if byte < 252][:2]
    return dice[0], dice[1]


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=6))
def test_dice_from_sources_follow_from_all_of_them_in_any_order(sources):
    roll = roll_dice_from_sources(sources)

    assert (roll.die1, roll.die2) == by_hand(sources)
    assert roll_dice_from_sources(sources[::-1]) == roll
    assert not roll.is_verifiable


@pytest.mark.parametrize("sources", [[], [bytes(31)], ["0" * 32], [bytes(32), bytes(33)]])
def test_sources_are_32_bytes_each(sources):
    with pytest.raises(BadRoll):
        roll_dice_from_sources(sources)


def test_a_contribution_is_a_reveal_that_opens_its_commit_and_is_signed():
    signer, verifier = MacSigner("ann"), MacVerifier()
    context, commits, secret = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32
    c = encoding.commitment(context, bytes.fromhex(signer.key), 7, secret)
    commit = Commit(1, signer.key, 7, context.hex(), c.hex())
    reveal = signed(signer, Reveal(1, signer.key, 7, secret.hex()), bytes(16), commits=commits)

    given_in = EntropyContribution.of(reveal)

    assert (given_in.player, given_in.entropy, given_in.nonce) == (signer.key, secret, 7)
    assert given_in.opens(commit)
    assert given_in.is_signed(commits, verifier)
    assert not given_in.is_signed(bytes(32), verifier)  # signed for another round
    for other in (
        EntropyContribution(signer.key, bytes(32), 7, given_in.signature),
        EntropyContribution(signer.key, secret, 8, given_in.signature),
        EntropyContribution(MacSigner("bob").key, secret, 7, given_in.signature),
    ):
        assert not other.opens(commit)
        assert not other.is_signed(commits, verifier)


# Rows of rolls.


@given(rolls=st.lists(st.tuples(faces, faces), max_size=60), keep=st.integers(1, 12))
def test_patterns_are_those_of_the_rolls_that_are_kept(rolls, keep):
    sequence = RollSequence([DiceRoll(*dice) for dice in rolls], keep=keep)

    kept = rolls[-keep:]
    totals = [sum(dice) for dice in kept]
    wanted: dict[str, int] = {}
    for dice, total in zip(kept, totals, strict=True):
        names = [f"total:{total}", f"hop:{min(dice)}-{max(dice)}"]
        names += [f"hard:{total}"] if dice[0] == dice[1] and total in (4, 6, 8, 10) else []
        for name in names:
            wanted[name] = wanted.get(name, 0) + 1
    for first, second in pairwise(totals):
        if first == second:
            wanted[f"again:{first}"] = wanted.get(f"again:{first}", 0) + 1
    assert [(roll.die1, roll.die2) for roll in sequence.rolls] == kept
    assert dict(sequence.patterns) == wanted
    assert len(sequence) == len(kept)


def test_a_sequence_keeps_something():
    with pytest.raises(BadRoll):
        RollSequence(keep=0)


def test_a_live_bet_and_a_bet_say_the_same():
    assert Bet(BetType.YES_4, 10, mode=1).name == LiveBet(7, 10, mode=1).name == "buy:4"
