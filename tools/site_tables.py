"""Tables of the documentation that are made of the source: errors, bytes of moves, odds, and what cheats gained."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import inspect

import croupier
from croupier.engine import get_game, list_games
from croupier.errors import CroupierError
from croupier.house import BetCodes, HouseGame, OddsRow, default_catalogue
from croupier.house.table_game import TableGame
from tools.adversaries import SCENARIOS

Rows = Iterable[list[str]]
WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
TRICKS = Path(__file__).with_name("adversaries") / "gains.json"
"""What `simulate(scenario, 2000, seed=b"adversaries")` found: share of bets won, bets bought out, chips a bet."""

# Bets of the page of odds, each with the policy behind a stroke where there is a choice.
MAIN = {
    "baccarat": "player banker tie player_pair lucky_six player_dragon banker_dragon panda_eight perfect_pair",
    "blackjack": "main/basic main/never_bust main/mimic_dealer twenty_one_plus_three lucky_ladies perfect_pairs "
    "bust_it royal_match",
    "casino-war": "main/always_war main/always_surrender tie",
    "craps": "pass dont_pass come odds_pass field yes:6 buy:4 no:4 hard:8 next:7 fire bonus_all replay",
    "hi-lo": "stake/one_guess stake/three_guesses stake/streak_5 stake/best",
    "roulette": "red straight:17 straight:34",
    "sic-bo": "small single:5 total:4 total:7 total:9 total:10 domino:1-4 any_triple",
    "three-card-poker": "ante/best ante/always_play pair_plus six_card progressive",
    "ultimate-texas-holdem": "ante/best ante/simple trips six_card progressive",
    "video-poker": "stake/optimal stake/royal_hunter stake/hold_all",
}
CHANGED = {
    "baccarat": "tie_pays=8,tie pair_pays=11,player_pair",
    "blackjack": "hit_soft_17=false,main/basic six_to_five=true,main/basic surrender=true,main/basic "
    "peek=true,main/basic hit_split_aces=false,main/basic decks=6,main/basic decks=1,main/basic decks=1,perfect_pairs",
    "casino-war": "tie_pays=11,tie second_tie_bonus=false,main/always_war",
    "craps": "pay_table=nullspace,field pay_table=nullspace,next:7 pay_table=bitcraps,yes:6 "
    "pay_table=bitcraps,different_doubles ride=ride-3,ride_line hot_roller=ways,hot_roller",
    "hi-lo": "tie_pushes=false,stake/one_guess",
    "roulette": "zero_rule=la_partage,red zero_rule=en_prison,red zero_rule=en_prison_repeat,red "
    "zero_rule=double_zero,red zero_rule=double_zero,top_line",
    "sic-bo": "pay_table=atlantic_city,total:4 pay_table=atlantic_city,any_triple",
    "three-card-poker": "qualifier=q64,ante/best",
    "ultimate-texas-holdem": "play_4x=false,ante/best dealer_qualifies=always,ante/best",
    "video-poker": "pay_table=jacks_8_5,stake/optimal pay_table=bonus_8_5,stake/optimal "
    "pay_table=double_bonus_9_7,stake/optimal pay_table=deuces_wild,stake/optimal",
}
EXACT_MAX = 25
"""Characters of a fraction that is told beside its percentage."""


def house_games() -> list[HouseGame[Any]]:
    """Return the games against the house."""
    return [game for game in map(get_game, list_games()) if isinstance(game, HouseGame)]


def exceptions() -> Rows:
    """Yield every error that has a code of its own, in the words of its docstring."""
    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for kind in dict.fromkeys(_kinds(CroupierError)):
        if "code" in vars(kind):
            said = (kind.__doc__ or "").partition("\n\n")[0]
            yield [f"`{kind.__name__}`", f"`{kind.code}`", " ".join(said.split())]


def _kinds(kind: type[CroupierError]) -> Iterator[type[CroupierError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds(each)


def layout(kind: Any) -> str:
    """Return how a type is written in a move, in words."""
    if isinstance(kind, inspect.Metadata):
        codes: Any = (kind.extra or {}).get("bets")
        if isinstance(codes, BetCodes):
            return "kind u8, number u8" if codes.numbered else "kind u8"
        return layout(kind.type) if codes is None else str(codes.layout)  # a game's own bytes, such as a mask
    if isinstance(kind, inspect.IntType):
        assert kind.le is not None
        return next(name for name, width in WIDTHS.items() if kind.le.bit_length() <= 8 * width)
    if isinstance(kind, inspect.BoolType):
        return "u8"
    if isinstance(kind, inspect.VarTupleType):
        return f"count u8, each: {layout(kind.item_type)}"
    assert isinstance(kind, inspect.StructType)
    return "; ".join(f"`{field.name}` {layout(field.type)}" for field in kind.fields)


def opcodes() -> Rows:
    """Return every action of every house game with its bytes."""
    rows = [
        [f"`{game.id}`", str(spec.opcode), f"`{spec.name}`", layout(inspect.type_info(spec.payload)) or "–"]
        for game in house_games()
        for spec in game.actions.values()
    ]
    return sorted(rows, key=lambda row: (row[0], int(row[1])))


def bets() -> Rows:
    """Yield every kind of bet with the bets that are written so, each behind its number."""
    for game in house_games():
        if isinstance(game, TableGame):
            kinds: dict[int, list[str]] = {}
            for name, (kind, number) in sorted(game.codes.codes.items(), key=lambda one: one[1]):
                kinds.setdefault(kind, []).append(f"{number} `{name}`" if game.codes.numbered else f"`{name}`")
            yield from ([f"`{game.id}`", str(kind), ", ".join(names)] for kind, names in kinds.items())


def catalogue() -> Rows:
    """Return the tables of the usual catalogue, with the stakes that they take; what edges they have, tests count."""
    found = [
        [f"`{each.game_id}`", str(each.id), f"{each.stake_min:,} to {each.stake_max:,}"]
        for each in default_catalogue(trusts_own=True).values()
    ]
    return sorted(found)


@cache
def sheet(game_id: str, super_mode: bool, option: str = "") -> dict[tuple[str, str], OddsRow]:
    """Return the rows of a game under one option, by bet and policy."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    name, _, value = option.partition("=")
    read = json.loads(value) if value in ("true", "false") or value.isdecimal() else value
    options = game.read_options({name: read} if option else None)
    rows = game.super_odds(options) if super_mode else game.odds(options)
    return {(row.bet, row.policy.strip("-")): row for row in rows}


def percent(value: Fraction) -> str:
    """Return a share with four digits of a percent."""
    return f"{float(100 * value):.4f} %"


def _exactly(row: OddsRow) -> str:
    text = str(row.edge)
    return text if row.method == "exact" and len(text) <= EXACT_MAX else ""


def super_text(row: OddsRow | None) -> str:
    """Return the edge per chip laid out; of a bounded one both bounds, where they differ."""
    if row is None:
        return ""
    low = percent(row.edge_per_chip)
    if row.low is None or row.high is None:
        return low
    high = percent(row.edge_per_chip / row.low * row.high)
    return low if low == high else f"{low} to {high}"


def main_edges() -> Rows:
    """Yield what the main bets are worth under the usual options."""
    for game_id, listed in MAIN.items():
        for bet, _, policy in (word.partition("/") for word in listed.split()):
            row = sheet(game_id, False)[bet, policy]
            boosted = super_text(sheet(game_id, True).get((bet, policy)))
            named = f"`{policy}`" if policy else ""
            yield [f"`{game_id}`", f"`{bet}`", named, percent(row.edge), _exactly(row), boosted]


def changed_edges() -> Rows:
    """Yield what some bets are worth under other options."""
    for game_id, listed in CHANGED.items():
        for option, _, name in (word.partition(",") for word in listed.split()):
            bet, _, policy = name.partition("/")
            row = sheet(game_id, False, option)[bet, policy]
            named = f"`{policy}`" if policy else ""
            yield [f"`{game_id}`", f"`{option}`", f"`{bet}`", named, percent(row.edge), _exactly(row)]


def tricks() -> Rows:
    """Yield what is tried at a table of shared dice, and what came of it."""
    found: dict[str, list[str]] = json.loads(TRICKS.read_text(encoding="utf-8"))
    return ([f"`{name}`", scenario.about, *found[name]] for name, scenario in SCENARIOS.items())
