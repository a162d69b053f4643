"""`lines.js`, the page's check of a session's money: states that the record sealed, sums of the ledger, chips moved."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from croupier.engine import MatchClient, create_match, get_game, legal_actions
from croupier.fairness import SeedPair
from croupier.house import Terms
from tests.web.page_modules import HOUSE_GAMES, call, needs_node, played, proofs, recorded

pytestmark = needs_node


def verdicts(rounds: list[dict[str, Any]]) -> list[dict[str, bool | None]]:
    """Return what became of every check, without what the player kept."""
    found = proofs([{name: value for name, value in one.items() if name != "kept"} for one in rounds])
    return [{name: ok for name, ok, _ in checks} for checks in found]


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_a_line_that_was_changed_is_found(game_id: str) -> None:
    """One chip more on a line: the sums differ. One chip more there and in the sum: the sealed state differs."""
    honest = played(game_id, 3)
    alone, with_sum = (played(game_id, 3) for _ in range(2))
    alone["steps"][-1]["view"]["game"]["money"]["lines"][0]["returned"] += 1
    money = with_sum["steps"][-1]["view"]["game"]["money"]
    money["lines"][0]["returned"] += 1
    money["returned"] += 1
    first, second, third = verdicts([honest, alone, with_sum])

    assert (first["states"], first["lines"]) == (True, True)
    assert (second["states"], second["lines"]) == (False, False)
    assert (third["states"], third["lines"]) == (False, True)


def test_a_line_that_changes_after_it_was_settled_is_found() -> None:
    """The state before the last shows a line that the last one no longer has."""
    changed = played("craps", 3)
    changed["steps"][-2]["view"]["game"]["money"]["lines"] = [{"bet": "pass", "stake": 7, "returned": 7}]
    (found,) = verdicts([changed])

    assert found["lines"] is False


def test_the_ledger_is_counted_with_what_shields_and_doubling_add() -> None:
    honest = played("roulette", 3)
    money = honest["steps"][-1]["view"]["game"]["money"]
    moves = [
        {"source": "player/ann", "target": "table/6", "amount": money["staked"], "reason": "stake", "session": 3},
        {"source": "table/6", "target": "player/ann", "amount": money["returned"], "reason": "return", "session": 3},
    ]
    bonus = {"source": "house", "target": "player/ann", "amount": 5, "reason": "double", "session": 3}
    wrong = {**moves[1], "amount": money["returned"] + 1}
    ledgers = [moves, [*moves, bonus], [moves[0], wrong], moves[:1]]
    rounds = [{**honest, "ledger": {"movements": one, "account": "player/ann"}} for one in ledgers]
    found = [one["ledger"] for one in verdicts(rounds)]

    assert found == [True, True, False, not money["returned"]]


def test_prices_are_worked_out_exactly_and_rounded_down() -> None:
    prices = [("35", "1"), ("3", "2"), ("19", "20"), ("6", "5"), ("7", "3")]
    stakes = [1, 2, 3, 7, 2**53 + 1, 2**62 - 1]
    profits = "given.stakes.map((stake) => given.prices.map((price) => String(m.profitAt(stake, price))))"
    found = call("lib/lines.js", profits, {"stakes": [str(stake) for stake in stakes], "prices": prices})
    expected = [[str(int(stake * Fraction(int(a), int(b)))) for a, b in prices] for stake in stakes]

    assert found == expected


@pytest.mark.parametrize(
    ("line", "prices", "said"),
    [
        ({"stake": 10, "returned": 0}, [], "10 lost"),
        ({"stake": 10, "returned": 5}, [], "10 − 5 = 5"),
        ({"stake": 10, "returned": 10}, [], "10 + 0 = 10"),
        ({"stake": 10, "returned": 360}, ["35 to 1"], "10 + 10 × 35/1 = 360, as published"),
        ({"stake": 7, "returned": 17}, ["3 to 2"], "7 + 7 × 3/2, rounded down, = 17, as published"),
        ({"stake": 7, "returned": 18}, ["3 to 2"], "7 + 7 × 11/7 = 18"),
        ({"stake": 6, "returned": 15}, [], "6 + 6 × 3/2 = 15"),
        ({"stake": 10, "returned": 60}, ["4 to 1", "5 to 1"], "10 + 10 × 5/1 = 60, as published"),
    ],
)
def test_a_line_says_what_it_is_the_sum_of(line: dict[str, int], prices: list[str], said: str) -> None:
    line_sum = "m.lineSum(given.line, given.prices.flatMap(m.pricesIn))"
    assert call("lib/lines.js", line_sum, {"line": line, "prices": prices}) == said


def wandered(game_id: str, session: int, is_super: bool) -> dict[str, Any] | None:
    """A session in which any legal action may be taken; None for one that did not come to an end."""
    game: Any = get_game(game_id)
    pair, chance = SeedPair.of(bytes([session]) * 32, b"\x77" * 32, session), Random(f"{game_id}/{session}")
    terms = Terms(stake=10 if game.opens_with_stake else 0, super_mode=is_super)
    seed = pair.match_seed(session)
    client = MatchClient(game, create_match(game, ["ann"], seed=seed, session_id=session, host=terms))
    for _ in range(150):
        if client.get_state().status == "active":
            client.dispatch(chance.choice(legal_actions(game, client.get_state())))
    if client.get_state().status == "active":
        return None
    return recorded(client, pair)


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_however_it_is_played_an_honest_session_holds(game_id: str) -> None:
    """Side bets, splits, busts, insurance, super mode: nothing honest is called wrong."""
    tries = [wandered(game_id, session, is_super=session % 2 == 1) for session in range(40)]
    rounds = [one for one in tries if one]

    assert len(rounds) > 30
    names = ["form", "seal", "commitment", "seed", "draws", "states", "lines"]
    for found in verdicts(rounds):
        assert found == dict.fromkeys(names, True)
