"""Craps as plain objects: the names of the founding document, with its examples, over the one engine."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadPlayers
from croupier.fairness.dice import Reveal, Rolled, encoding
from croupier.fairness.dice.messages import Commit, signed
from croupier.games.craps.bets import IDS
from croupier.games.craps.compat import (
    BadRoll,
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
from croupier.games.craps.layout import LiveBet, throw
from croupier.games.craps.options import CrapsOptions
from tests.games.scenes import look_at, play, scenes
from tools.adversaries import MacSigner, MacVerifier

faces = st.integers(1, 6)


def new(*players: str) -> CrapsGame:
    return CrapsGame("table 1", players or ("ann", "bob"))


# The game.


class Objects:
    """A game that reads steps in words: `33` is a roll, `ann ODDS_COME:6 50` a bet; `ann remove PASS`."""

    def __init__(self, head: str) -> None:
        numbers = [int(number) for number in head.split()] if head != "usual" else []
        self.game, self.limits = new(), BetLimits(*numbers) if numbers else None
        self.decided: list[tuple[str, str, str, int]] = []
        self.removed: Bet | None = None

    def take(self, words: list[str]) -> None:
        if words[0].isdigit():
            rolled = self.game.process_roll(DiceRoll(int(words[0][0]), int(words[0][1])))
            self.decided = [(one.player, one.bet_type.name, one.outcome, one.profit) for one in rolled]
            assert [one.payout for one in rolled] == [one.amount + one.profit for one in rolled]
        elif words[1] == "remove":
            self.removed = self.game.remove_bet(words[0], BetType[words[2]])
        else:
            name, _, number = words[1].partition(":")
            flat = name.removeprefix("ODDS_")
            odds = OddsBet(BetType[flat], int(words[2]), int(number)).bet if number else None
            self.game.place_bet(words[0], odds or Bet(BetType[name], int(words[2])), self.limits)

    def refusal(self, words: list[str]) -> str:
        with pytest.raises((InvalidBet, BadRoll, BadPlayers)) as error:
            self.take(words)
        return getattr(error.value, "reason", "") or type(error.value).__name__

    def look(self, path: str) -> Any:
        if path == "decided":
            return self.decided
        if path == "history":
            return [(roll.die1, roll.die2) for roll in self.game.roll_history]
        if path == "player_bets":  # live views
            return {name: dict(bets) for name, bets in self.game.player_bets.items()}
        if path == "participants":
            return list(self.game.participants)
        if path == "closed":
            return self.game.close()
        if path == "removed":
            assert self.removed is not None
            return (self.removed.bet_type.name, self.removed.amount)
        name, _, rest = path.partition(".")
        if rest == "bets":
            bets = self.game.get_player_bets(name)
            assert all(key == (bet.bet_type, bet.number) for key, bet in bets.items())
            return {(bet.bet_type.name, bet.number): bet.amount for bet in bets.values()}
        found = repr(self.game) if path == "repr" else look_at(self.game, path)
        if isinstance(found, frozenset):
            return set(found)
        return found.name if isinstance(found, GamePhase) else found


SCENES = scenes("""
# a new game is at the come out with nothing tracked | usual
? game_id 'table 1'; ? participants ['ann', 'bob']; ? shooter 'ann'; ? phase 'COME_OUT'; ? point None; ? series_id 0
? roll_count 0; ? roll_history []; ? fire_points set(); ? bonus_numbers set(); ? repeater_counts {}; ? hardway_streak {}
? hot_roller_streak 0; ? player_bets {'ann': {}, 'bob': {}}; ? come_points {'ann': {}, 'bob': {}}
? dont_come_points {'ann': {}, 'bob': {}}; ? repr "<CrapsGame 'table 1', come_out, 0 rolls>"
# a point is set made and sevened out | usual
ann PASS 10; 33; ? decided []; ? phase 'POINT'; ? point 6; ? repr "<CrapsGame 'table 1', point 6, 1 rolls>"
24; ? decided [('ann', 'PASS', 'won', 10)]; ? series_id 1; ? hot_roller_streak 1; ? fire_points {6}; ? shooter 'ann'
ann PASS 10; 44; 34; ? decided [('ann', 'PASS', 'lost', -10)]; ? series_id 2; ? hot_roller_streak 0
? fire_points set(); ? shooter 'bob'; ? history [(3, 3), (2, 4), (4, 4), (3, 4)]; ? roll_count 4
# trackers tell what has fallen | usual
33; 33; 22; 13; 66; ? bonus_numbers {4, 6, 12}; ? repeater_counts {4: 2, 6: 2, 12: 1}; ? hardway_streak {6: 2}
# come bets travel to their points and carry odds | usual
22; ann COME 10; bob DONT_COME 20; 33; ? come_points.ann {6: 10}; ? dont_come_points.bob {6: 20}
ann ODDS_COME:6 50; ? ann.bets {('COME', 6): 10, ('ODDS_COME', 6): 50}; 24
? decided [('ann', 'COME', 'won', 10), ('ann', 'ODDS_COME', 'won', 60), ('bob', 'DONT_COME', 'lost', -20)]
# one bet a type and the right phase | usual
ann PASS 10; ann PASS 10 -> already_placed; ann COME 10 -> window_closed; ann FIELD 0 -> stake_too_small
bob PASS 10; cid remove PASS -> BadPlayers; cid PASS 10; ? participants ['ann', 'bob', 'cid']
# limits of the moment go before those of the table | 20 30 1
ann PASS 19 -> under_limit; ann FIELD 31 -> over_limit; ann PASS 20; 33; ann ODDS_PASS:6 21 -> over_odds
ann ODDS_PASS:6 20
# a bet is taken down with its odds unless it is a contract | usual
ann DONT_PASS 10; bob PASS 10; 22; ann ODDS_DONT_PASS:4 60; ann remove DONT_PASS; ? removed ('DONT_PASS', 10)
? ann.bets {}; bob remove PASS -> contract_bet
# a closed game takes neither bets nor rolls | usual
ann PASS 10; 22; ? closed {'ann': 10, 'bob': 0}; ? phase 'CLOSED'; ? point None; ? roll_count 1; ? history [(2, 2)]
ann HARD_8 10 -> table_closed; 34 -> BadRoll
# hops are pairs without order and pay thirty and fifteen | usual
## The document: "Payouts: Hard = 30:1, Easy = 15:1".
ann HOP_2_2 10; ann HOP_2_4 10; 22; ? decided [('ann', 'HOP_2_2', 'won', 300), ('ann', 'HOP_2_4', 'lost', -10)]
ann HOP_2_4 10; 42; ? decided [('ann', 'HOP_2_4', 'won', 150)]
# repeater 2 on 6 wins at the second 6 | usual
## The progression of the document: 6, 8, 6.
ann REPEATER_6 10; 24; ? decided []; 35; ? decided []; 15; ? decided [('ann', 'REPEATER_6', 'won', 30)]
# fire loses with three points made | usual
ann FIRE 1; 31; 31; 41; 41; 51; 51; 22; ? decided []; 34; ? decided [('ann', 'FIRE', 'lost', -1)]
# fire pays 25 for four points | usual
ann FIRE 1; 31; 31; 41; 41; 51; 51; 62; 62; 22; ? decided []; 34; ? decided [('ann', 'FIRE', 'won', 25)]
# fire pays 250 for five points | usual
ann FIRE 1; 31; 31; 41; 41; 51; 51; 62; 62; 63; 63; 22; ? decided []; 34; ? decided [('ann', 'FIRE', 'won', 250)]
# fire pays 1000 with the sixth point | usual
ann FIRE 1; 31; 31; 41; 41; 51; 51; 62; 62; 63; 63; 64; ? decided []; 64; ? decided [('ann', 'FIRE', 'won', 1000)]
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_game_goes_as_written(head, scene):
    play(Objects(head), scene)


def test_bets_of_an_unknown_player_are_refused():
    with pytest.raises(BadPlayers):
        new().get_player_bets("cid")


def test_hops_are_named_by_their_dice():
    hops = [HopBet.hard(2).bet_type, HopBet.easy(4, 2).bet_type, HopBet.easy(2, 4).bet_type]
    assert hops == [BetType.HOP_2_2, BetType.HOP_2_4, BetType.HOP_2_4]
    assert Bet(HopBet.Easy(4, 2), 10).name == Bet(BetType.HOP_2_4, 10).name == "hop:2-4"  # type: ignore[arg-type]
    with pytest.raises(InvalidBet):
        HopBet.easy(3, 3)
    with pytest.raises(BadRoll):
        HopBet.hard(7)


@pytest.mark.parametrize("players", [[], ["ann", "ann"]])
def test_a_game_has_participants_with_ids_of_their_own(players):
    with pytest.raises(BadPlayers):
        CrapsGame("t", players)


def test_appending_a_participant_is_refused_and_not_lost():
    game = CrapsGame("t", ["ann"])
    with pytest.raises(BadPlayers, match="sits down with a first bet"):
        game.participants.append("bob")
    with pytest.raises(BadPlayers):
        game.participants[0] = "bob"
    assert (game.participants, game.participants[0]) == (["ann"], "ann")


def test_limits_leave_prices_alone():
    limits = BetLimits(1, 10, 2).options(CrapsOptions(pay_table="nullspace", fire="fire-b"))

    assert (limits.pay_table, limits.fire, limits.side_max, limits.odds_map) == ("nullspace", "fire-b", 10, (2,) * 6)


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
        seat = list(game.seats["ann"])
        outcome = throw(table, [tuple(seat)], die1, die2, game.book)

        found = game.process_roll(DiceRoll(die1, die2))

        assert [(one.bet_type, one.number, one.payout) for one in found] == [
            (one.bet.id, one.bet.number, one.returned) for one in outcome.decisions
        ]
        assert (game.table, game.seats["ann"]) == (outcome.table, outcome.seats[0])
        table = outcome.table


# Bets.


def test_bet_types_are_the_ids_of_the_bets():
    names = [kind.name.lower() for kind in BetType]
    ours = [name.replace(":", "_").replace("-", "_") for name in IDS]

    assert list(BetType) == list(range(91))
    assert names == ours


@pytest.mark.parametrize(
    ("phases", "kinds"),
    [
        ([True, False, False], "PASS DONT_PASS FIRE REPEATER_6 MUGGSY"),
        ([False, True, False], "COME ODDS_PASS"),
        ([True, True, False], "FIELD HARD_8 ODDS_COME HOP_3_4"),
    ],
)
def test_a_bet_belongs_to_its_phases_and_to_no_closed_table(phases, kinds):
    for kind in kinds.split():
        assert [BetType[kind].is_valid_for_phase(phase) for phase in GamePhase] == phases


@pytest.mark.parametrize("number", [2, 3, 7, 11, 12, 0])
def test_a_number_that_is_no_point_has_no_odds(number):
    with pytest.raises(InvalidBet):
        calculate_odds_payout(number, 10)
    with pytest.raises(InvalidBet):
        _ = OddsBet(BetType.PASS, 10, number).bet
    with pytest.raises(InvalidBet):
        _ = OddsBet(BetType.FIELD, 10, 4).bet


# Dice.


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (True, 1), (2.0, 3), ("1", 1)])
def test_impossible_dice_are_refused(dice):
    with pytest.raises(BadRoll):
        DiceRoll(*dice)


def test_hardways_are_four_of_the_six_doubles():
    hard = [(a, b) for a in range(1, 7) for b in range(1, 7) if DiceRoll(a, b).is_hard_way()]

    assert hard == [(2, 2), (3, 3), (4, 4), (5, 5)]
    assert DiceRoll(5, 6).total() == 11


def test_dice_of_one_machine_are_not_verifiable():
    rolls = [roll_dice_secure() for _ in range(200)]

    assert not any(roll.is_verifiable for roll in rolls)
    assert len({(roll.die1, roll.die2) for roll in rolls}) > 20  # 36 are possible; below 21 once in more than 10**20
    game = new()
    game.process_roll(game.roll_dice_secure())
    assert not game.roll_history[0].is_verifiable


def test_a_chained_table_refuses_a_roll_that_is_not_verifiable():
    game = CrapsGame("t", ["ann"], is_chained=True)
    with pytest.raises(BadRoll):
        game.process_roll(game.roll_dice_secure())
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


def test_a_live_bet_and_a_bet_say_the_same():
    assert Bet(BetType.YES_4, 10, mode=1).name == LiveBet(7, 10, mode=1).name == "buy:4"
