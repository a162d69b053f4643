"""Writes tests/web/states/*.json: what tables are given, made by playing real rounds; harness.html shows them.

Each file holds the game's catalogue entry, the states of one round in order, and the players' names. Run it from the
root of the repository: `python tests/web/make_states.py [game ...]`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.engine import (
    Action,
    Game,
    Match,
    act,
    apply_action,
    create_match,
    get_game,
    legal_actions,
    list_games,
    view_for,
)
from croupier.engine.legal import legal_ranges
from croupier.house import HouseGame, Terms

STATES = Path(__file__).parent / "states"
ME = "p1"
NAMES = {"p1": "Ann", "p2": "Bob", "p3": "Cleo", "p4": "Dev"}

SCRIPTS: dict[str, dict[str, list[tuple[str, Action]]]] = {
    "roulette": {
        "bets": [
            (ME, act("place", bet=bet, stake=stake))
            for bet, stake in [("red", 25), ("straight:17", 5), ("split:14-17", 5), ("corner:25-26-28-29", 100)]
        ],
        "round": [
            (
                ME,
                act(
                    "batch",
                    bets=[
                        {"bet": "red", "stake": 20},
                        {"bet": "straight:34", "stake": 5},
                        {"bet": "street:34-35-36", "stake": 5},
                        {"bet": "dozen:2", "stake": 500},
                    ],
                ),
            )
        ],
    },
    "sic-bo": {
        "round": [
            (
                ME,
                act(
                    "batch",
                    bets=[
                        {"bet": bet, "stake": 5}
                        for bet in ("small", "big", "odd", "even", "total:9", "single:4", "domino:1-4", "any_triple")
                    ],
                ),
            )
        ],
    },
    "baccarat": {
        "round": [
            (
                ME,
                act("batch", bets=[{"bet": bet, "stake": 50} for bet in ("player", "banker", "tie", "banker_dragon")]),
            )
        ],
    },
    "craps": {
        "hand": [
            (ME, act("place", bet="pass", stake=10)),
            (ME, act("place", bet="fire", stake=5)),
            (ME, act("place", bet="bonus_small", stake=5)),
            (ME, act("place", bet="repeater:6", stake=1)),
            (ME, act("place", bet="yes:6", stake=12)),
            (ME, act("place", bet="no:10", stake=40)),
            (ME, act("roll")),
            (ME, act("place", bet="odds_pass", stake=20)),
            (ME, act("place", bet="come", stake=10)),
            (ME, act("place", bet="dont_come", stake=25)),
            (ME, act("place", bet="hard:8", stake=5)),
            (ME, act("place", bet="buy:4", stake=20)),
            (ME, act("place", bet="hop:1-3", stake=5)),
            (ME, act("place", bet="next:11", stake=5)),
            (ME, act("place", bet="field", stake=5)),
            (ME, act("roll")),
            (ME, act("place", bet="come", stake=10)),
            (ME, act("roll")),
            (ME, act("roll")),
            (ME, act("roll")),
            (ME, act("roll")),
            (ME, act("roll")),
            (ME, act("roll")),
        ],
    },
    "craps-table": {
        "hand": [
            *((player, act("buy_in", chips=1000)) for player in ("p1", "p2", "p3")),
            ("p1", act("place", bet="pass", stake=10)),
            ("p1", act("place", bet="yes:6", stake=12)),
            ("p2", act("place", bet="pass", stake=25)),
            ("p2", act("place", bet="dont_pass", stake=5)),
            ("p2", act("place", bet="yes:8", stake=12)),
            ("p3", act("place", bet="dont_pass", stake=100)),
            ("p3", act("place", bet="field", stake=5, keep_up=True)),
            ("p2", act("ready")),
            ("p3", act("ready")),
            ("p4", act("ready")),
            ("p1", act("roll")),
            ("p2", act("ready")),
            ("p3", act("ready")),
            ("p4", act("ready")),
            ("p1", act("roll")),
            ("p1", act("place", bet="come", stake=15)),
            ("p2", act("place", bet="come", stake=25)),
            ("p3", act("place", bet="dont_come", stake=50)),
            ("p3", act("place", bet="hard:8", stake=5)),
            ("p2", act("ready")),
            ("p3", act("ready")),
            ("p4", act("ready")),
            ("p1", act("roll")),
            ("p1", act("place", bet="next:7", stake=5)),
            ("p2", act("ready")),
        ],
    },
}


def main(wanted: list[str]) -> None:
    """Write the states of the games wanted, or of all."""
    STATES.mkdir(exist_ok=True)
    for info in list_games():
        game_id = info if isinstance(info, str) else info.id
        if wanted and game_id not in wanted:
            continue
        game = get_game(game_id)
        scripts = SCRIPTS.get(game_id) or {"round": []}
        for label, script in scripts.items():
            states = list(_scripted(game, script) if script else _played(game))
            entry = {"game": _catalogue(game), "states": states, "names": NAMES, "me": ME}
            (STATES / f"{game_id}-{label}.json").write_bytes(msgspec.json.encode(entry, order="sorted"))
            print(f"{game_id}-{label}: {len(states)} states")


def _begin(game: Game[Any]) -> Match[Any]:
    if isinstance(game, HouseGame):
        terms = Terms(20 if game.opens_with_stake else 0)
        return create_match(game, [ME], seed=bytes(32), session_id=6, host=terms)
    least, most = game.players
    players = list(NAMES)[: max(least, min(most, 4 if game.id == "craps-table" else 2))]
    return create_match(game, players, seed=bytes(32), session_id=6)


def _scripted(game: Game[Any], script: Iterable[tuple[str, Action]]) -> Iterator[dict[str, Any]]:
    match = _begin(game)
    yield _state(game, match, [])
    for player, action in script:
        answer = apply_action(game, match, replace(action, player_id=player))
        if not answer.ok:
            print(f"  {game.id}: {player} {action.type} {action.payload}: {answer.code}", file=sys.stderr)
            continue
        words = game.describe(answer.action, match, answer.state)
        match = answer.state
        yield _state(game, match, [words])
        if match.status == "finished":
            return


def _played(game: Game[Any], most: int = 60) -> Iterator[dict[str, Any]]:
    match = _begin(game)
    yield _state(game, match, [])
    for move in range(most):
        if match.status == "finished":
            return
        player = next((one.id for one in match.players if legal_actions(game, match, one.id)), None)
        if player is None:
            return
        legal = legal_actions(game, match, player)
        action = legal[(7 * move + 3) % len(legal)]
        answer = apply_action(game, match, replace(action, player_id=player))
        if not answer.ok:
            return
        words = game.describe(answer.action, match, answer.state)
        match = answer.state
        yield _state(game, match, [words])


def _state(game: Game[Any], match: Match[Any], logs: list[str]) -> dict[str, Any]:
    money = getattr(match.game, "money", None)
    return {
        "kind": "session" if isinstance(game, HouseGame) else "match",
        "status": match.status,
        "version": match.version,
        "view": msgspec.to_builtins(view_for(game, match, ME)),
        "legal": msgspec.to_builtins(legal_actions(game, match, ME)),
        "ranges": msgspec.to_builtins(legal_ranges(game, match, ME)),
        "lines": msgspec.to_builtins(money.lines) if money else [],
        "net": money.net if money else 0,
        "money": msgspec.to_builtins(money) if money else None,
        "logs": logs,
    }


def _catalogue(game: Game[Any]) -> dict[str, Any]:
    priced = get_game("craps") if game.id == "craps-table" else game
    pays = _pays(priced)
    rows = priced.odds() if isinstance(priced, HouseGame) else ()
    bets: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row.bet in bets or row.edge is None:
            continue
        edge = f"{float(row.edge) * 100:.2f} %"
        kind = row.bet.partition(":")[0]
        bets[row.bet] = {"id": row.bet, "name": row.bet, "edge": edge, "pays": pays.get(row.bet) or pays.get(kind)}
    limits = dict(zip(("min", "max"), getattr(game, "stake_limits", (1, 10_000)), strict=True))
    return {"id": game.id, "name": game.name, "bets": list(bets.values()), "limits": limits, "actions": {}}


def _pays(game: Game[Any]) -> dict[str, str]:
    """What bets pay, read from the tables of the rules; a kind takes the price of the first bet of it."""
    found: dict[str, str] = {}
    at: dict[str, int] = {}
    for line in game.rules_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if "pays" in cells and ("bet" in cells):
            at = {"bet": cells.index("bet"), "pays": cells.index("pays")}
        elif at and line.startswith("|") and "---" not in line and len(cells) > max(at.values()):
            for bet in re.findall(r"`([a-z_]+(?::[0-9-]+)?)`", cells[at["bet"]]):
                found.setdefault(bet, cells[at["pays"]])
                found.setdefault(bet.partition(":")[0], cells[at["pays"]])
        elif not line.startswith("|"):
            at = {}
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
