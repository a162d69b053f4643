"""Laws of the shared table, held against thousands of actions at random: sense and nonsense, by anybody, in any order.

Chance here has fixed seeds; nothing is sampled that could come out otherwise tomorrow.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from croupier.engine import Action, apply_action, create_match, make_record, verify, write_record
from croupier.engine.model import HOST
from croupier.games.craps.bets import BETS
from croupier.games.craps.layout import LiveBet
from croupier.games.craps.table.game import SharedCraps
from croupier.rng import GameRng
from croupier.testing import ScriptedRng

GAME = SharedCraps()
NAMES = sorted(BETS)
USUAL = ["pass", "dont_pass", "come", "dont_come", "odds_pass", "odds_dont_pass", "field", "yes:6", "no:4", "hard:8"]
USUAL += ["fire", "replay", "bonus_all", "repeater:6", "next:7", "hop:3-4", "odds_come:6", "big:8", "muggsy", "world"]
ACTIONS = 4000

OPTIONS: dict[str, dict[str, Any]] = {
    "usual": {},
    "poor": {"bank": 3_000, "player_max": 400, "max_bets": 4, "buy_in_max": 2_000},
    "upfront": {"vig": "upfront", "odds_plan": "100x", "pay_table": "nullspace", "allow_overpay": True},
}


def anything(rng: GameRng, table: Any) -> tuple[str, str, dict[str, Any]]:
    """Return somebody, and what they ask for: mostly sense, sometimes none."""
    order = table.match.turn.order
    late = [one for one in order if table.chair(one).is_waited_for and one != table.shooter]
    if not late and rng.next_bounded(3):
        return table.shooter, "lock" if rng.next_bounded(5) == 0 else "roll", {}
    player = rng.pick(late or order) if rng.next_bounded(5) else rng.pick(order)
    bet = rng.pick(USUAL if rng.next_bounded(3) else NAMES)
    mine = [live.name for live in table.chair(player).bets]
    if mine and rng.next_bounded(2):
        bet = rng.pick(mine)
    stake = rng.pick([1, 5, 6, 10, 12, 20, 25, 60, 100, 500, 5_000, 60_000])
    sense: list[tuple[int, str, str, dict[str, Any]]] = [
        (90, player, "place", {"bet": bet, "stake": stake, "keep_up": rng.next_bounded(4) == 0}),
        (8, player, "buy_in", {"chips": rng.pick([19, 20, 1_000, 2_000, 60_000])}),
        (1, player, "cash_out", {}),
        (6, player, "raise", {"bet": bet, "stake": stake}),
        (8, player, "lower", {"bet": bet, "stake": stake}),
        (5, player, "remove", {"bet": bet}),
        (5, player, "switch", {"bet": bet, "come_out": bool(stake % 2), "point": bool(rng.next_bounded(2))}),
        (4, player, "keep_up", {"bet": bet, "keep": bool(rng.next_bounded(2))}),
        (15, player, "ready", {}),
        (4, table.shooter, "lock", {}),
        (4, player, "roll", {}),
        (4, table.shooter, "pass_dice", {}),
        (6, player, "time_out", {}),
        (2 if len(order) > 3 else 0, player, "leave", {}),
        (2 if len(order) < 6 else 0, "newcomer", "join", {"id": f"n{len(table.match.players)}"}),
        (1, HOST, "close", {"reason": "ended" if rng.next_bounded(9) else "three_voids", "at_value": True}),
        (2, HOST, "buy_out", {"player": player}),
        (3, player, rng.pick(["close", "rol", "buy_in", "place"]), {"reason": "host"}),
    ]
    place = rng.next_bounded(sum(weight for weight, *_ in sense))
    for weight, who, action, payload in sense:
        if place < weight:
            return payload["id"] if action == "join" else who, action, payload
        place -= weight
    raise AssertionError


@pytest.mark.parametrize("name", OPTIONS)
def test_no_chip_is_made_or_lost_in_four_thousand_actions_of_any_kind(open_table, name):
    """`Table.do` checks the books after each, and that a refusal leaves the very same match."""
    rng = GameRng.new(b"laws", 0, len(name))
    table = open_table("ann", "bob", "cid", "dan", chips=0, **OPTIONS[name])
    done: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for _ in range(ACTIONS):
        if table.match.status == "finished":
            records_verify(table)
            table = open_table("ann", "bob", "cid", "dan", chips=0, **OPTIONS[name])
        player, action, payload = anything(rng, table)
        is_going = action in ("cash_out", "leave")
        bound = [bet for bet in table.chair(player).bets if is_bound(table, bet)] if is_going else []
        answer = table.attempt(player, action, **payload)
        if answer.ok:
            done[action] += 1
            left = [(bet.id, bet.number) for bet in table.chair(player).bets] if bound else []
            assert all((bet.id, bet.number) in left for bet in bound), "a contract bet went home with its player"
        else:
            codes[answer.code] += 1
    records_verify(table)

    assert set(done) >= set(GAME.actions) - {"close"} | {"join", "leave", "time_out"}
    assert done["roll"] > 200
    assert done["buy_out"] > 10
    wanted = {"insufficient_funds", "window_closed", "not_ready", "is_ready", "wrong_phase", "not_your_turn"}
    wanted |= {"host_only", "unknown_action", "bad_payload", "already_placed", "not_placed", "over_limit"}
    if name == "poor":
        wanted |= {"bank_limit", "player_limit", "too_many_bets"}
    assert wanted <= set(codes)


def is_bound(table: Any, bet: LiveBet) -> bool:
    """Tell whether a bet is under contract: pass with a point, or come on a number (ids 0 and 2)."""
    number: int = table.match.game.table.point if bet.id == 0 else bet.number
    return bet.id in (0, 2) and number > 0


def records_verify(table: Any) -> None:
    assert verify(write_record(make_record(GAME, table.start, table.log))).ok


def test_what_a_seat_wins_does_not_depend_on_who_else_is_there(open_table):
    """Everybody's bets and the same dice, each alone at a table: the same chips after every roll."""
    rng = GameRng.new(b"alone", 0, 0)
    together = open_table("ann", "bob", "cid", "dan", chips=20_000, bank=10**9, player_max=10**6)
    players = [player.id for player in together.match.players]
    alone = {
        player: create_match(GAME, [player], seed=b"", options={"bank": 10**9, "player_max": 10**6})
        for player in players
    }

    def also(player: str, action: Action, dice: tuple[int, ...] = ()) -> None:
        answer = apply_action(GAME, alone[player], action, rng=ScriptedRng.of_dice(*dice) if dice else None)
        assert answer.ok, answer
        alone[player] = answer.state

    for player in players:
        also(player, Action("buy_in", {"chips": 20_000}, player))
    for _ in range(150):
        for player in players:
            for _ in range(1 + rng.next_bounded(3)):
                payload = {
                    "bet": rng.pick(USUAL),
                    "stake": rng.pick([5, 6, 10, 60]),
                    "keep_up": not rng.next_bounded(3),
                }
                if together.attempt(player, "place", **payload).ok:
                    also(player, Action("place", payload, player))
        dice = (rng.roll_die(), rng.roll_die())
        together.roll(dice)
        for player in players:
            also(player, Action("roll", {}, player), dice)
            chair, own = together.chair(player), alone[player].game.seats[0]
            assert (chair.chips, chair.bets, chair.at_risk) == (own.chips, own.bets, own.at_risk)
            assert alone[player].game.table == together.match.game.table
    assert together.match.game.table.hand_id > 5
