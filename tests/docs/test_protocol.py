"""The page of the protocol: opcodes, fields, bets, instructions, events and codes are those of the source."""

from __future__ import annotations

import ast
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from croupier.engine import act, get_game, list_games
from croupier.house import BetCodes, ErrorKind, HouseGame, encode_payload, instructions, results
from croupier.house.table_game import TableGame

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text()
GAMES = [game for game in map(get_game, list_games()) if isinstance(game, HouseGame)]
WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading, backticks and all; heads and rulers left out."""
    (section,) = re.findall(rf"^## {heading}$(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# Opcodes: the layout is read off the signatures, by other means than the codec's.


def layout(kind: Any) -> str:
    """Return how a type is written, in the words of the page."""
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


def test_the_page_lists_every_action_of_every_house_game_with_its_bytes() -> None:
    actions = [
        [f"`{game.id}`", str(spec.opcode), f"`{spec.name}`", layout(inspect.type_info(spec.payload)) or "–"]
        for game in GAMES
        for spec in game.actions.values()
    ]

    assert rows("Opcodes") == sorted(actions, key=lambda row: (row[0], int(row[1])))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_moves_are_as_long_as_the_page_says(game: HouseGame[Any]) -> None:
    samples: dict[str, Any] = {"stake": 5, "cards": [1, 3], "come_out": True, "point": True}
    if isinstance(game, TableGame):
        samples["bet"] = game.sample_bets[0]
        samples["bets"] = [{"bet": bet, "stake": 5} for bet in game.sample_bets]
    for game_id, _, name, fields in rows("Opcodes"):
        if game_id != f"`{game.id}`":
            continue
        payload = {field: samples.get(field, 5) for field in game.actions[name.strip("`")].fields}
        once, _, each = fields.partition("each:")
        length = 2 + width(once) + len(payload.get("bets", ())) * width(each)
        assert len(encode_payload(game, act(name.strip("`"), **payload))) == length


def width(text: str) -> int:
    return sum(WIDTHS[word] for word in re.findall(r"\bu\d+\b", text))


def test_the_page_lists_every_kind_of_bet() -> None:
    listed = {(game, int(kind), words(name)[0]): int(bets) for game, kind, name, _, bets in rows("Bets")}
    counted: Counter[tuple[str, int, str]] = Counter()
    for game in GAMES:
        if isinstance(game, TableGame):
            for name, (kind, _) in game.codes.codes.items():
                counted[f"`{game.id}`", kind, name.partition(":")[0]] += 1

    assert listed == counted


# Instructions and events.


@pytest.mark.parametrize(
    ("heading", "structs"),
    [("Instructions", get_args(instructions.Body)), ("Events", get_args(instructions.Event))],
)
def test_the_page_lists_the_fields_of_what_is_asked_and_answered(heading: str, structs: tuple[Any, ...]) -> None:
    listed = {words(row[0])[0]: tuple(words(row[1])) for row in rows(heading)}

    assert listed == {struct.__name__: struct.__struct_fields__ for struct in structs}


def test_an_instruction_and_the_balances_have_the_fields_that_the_page_names() -> None:
    assert instructions.Instruction.__struct_fields__ == ("player", "body")
    assert instructions.Balances.__struct_fields__ == ("chips", "shields", "doubles")
    written = msgspec.json.encode(instructions.GameMove(7, b"\1\1"))
    assert written == b'{"type":"GameMove","session_id":7,"payload":"AQE="}'


# Event codes.


# Under its name the package holds the function.
EXECUTE: Any = import_module("croupier.house.execute")


def constant(node: ast.expr) -> int:
    assert isinstance(node, ast.Name)
    return int(getattr(EXECUTE, node.id))


def codes_and_reasons() -> set[tuple[int, str]]:
    """Return the event code of every reason: those that the house writes, and those of errors of a game."""
    found = set()
    for node in ast.walk(ast.parse(Path(EXECUTE.__file__).read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        code_at = {"refuse": 0, "CasinoError": 2}.get(name)
        if code_at is not None and isinstance(node.args[code_at + 1], ast.Constant):
            found.add((constant(node.args[code_at]), str(ast.literal_eval(node.args[code_at + 1]))))
    of_money: dict[str, int] = EXECUTE._CODES
    kinds: dict[str, ErrorKind] = results._KINDS
    by_reason = {reason: kind.value for reason, kind in kinds.items()} | of_money
    by_kind = {kind.name.lower(): kind.value for kind in (ErrorKind.INVALID_PAYLOAD, ErrorKind.INVALID_MOVE)}
    broken = {"invalid_state": ErrorKind.INVALID_STATE.value, "game_fault": ErrorKind.INVALID_STATE.value}
    return found | {(code, reason) for reason, code in {**by_kind, **broken, **by_reason}.items()}


def test_the_page_lists_every_event_code_with_its_reasons() -> None:
    listed = {(int(row[0]), reason) for row in rows("Event codes") for reason in words(row[2])}

    assert listed == codes_and_reasons()
    assert {code for code, _ in listed} >= {kind.value for kind in ErrorKind}


def test_reasons_stand_in_order_and_codes_rise() -> None:
    listed = rows("Event codes")

    assert [int(row[0]) for row in listed] == sorted({int(row[0]) for row in listed})
    assert all(words(row[2]) == sorted(words(row[2])) for row in listed)


def test_every_reason_on_the_page_is_explained_among_the_refusals() -> None:
    refusals = (ROOT / "docs" / "refusals.md").read_text()
    explained = set(re.findall(r"^\| `(\w+)` \|", refusals, flags=re.MULTILINE))
    explained |= set(re.findall(r"^\| `\w+` \| `(\w+)` \|", refusals, flags=re.MULTILINE))

    assert {reason for row in rows("Event codes") for reason in words(row[2])} <= explained
