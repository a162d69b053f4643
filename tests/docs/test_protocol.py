"""The page of the protocol: opcodes, fields, bets, instructions, events and codes are those of the source."""

from __future__ import annotations

import ast
import re
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from croupier.engine import act
from croupier.house import ErrorKind, HouseGame, encode_payload, instructions, results
from croupier.house.table_game import TableGame
from tests.docs.conftest import rows_in, section, words
from tools.site_tables import WIDTHS, bets, exceptions, house_games, opcodes

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text()
GAMES = house_games()


EVENT_CODES = [(int(code), words(reasons)) for code, _, reasons, *_ in rows_in(section(PAGE, "Event codes"))]


# Opcodes and bets: their tables are made of the signatures and codes, and what was published once stays.


def test_opcodes_and_codes_of_bets_are_those_that_were_published() -> None:
    """Digests of the rows: whoever changes one changes what other programs write and read."""
    published = {
        opcodes: "13d08b01481309eda63e88392ba17d0c52ebb66fb22acf3aa46c41a38d44c78a",
        bets: "e023766f37fa485531e75fb3e9b15778857ca928f93241c1bed13b9206746d96",
    }

    for made, digest in published.items():
        text = "\n".join(" | ".join(row) for row in made())
        assert sha256(text.encode()).hexdigest() == digest, text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_moves_are_as_long_as_the_page_says(game: HouseGame[Any]) -> None:
    samples: dict[str, Any] = {"stake": 5, "cards": [1, 3], "come_out": True, "point": True}
    if isinstance(game, TableGame):
        samples["bet"] = game.sample_bets[0]
        samples["bets"] = [{"bet": bet, "stake": 5} for bet in game.sample_bets]
    for game_id, _, name, fields in opcodes():
        if game_id != f"`{game.id}`":
            continue
        payload = {field: samples.get(field, 5) for field in game.actions[name.strip("`")].fields}
        once, _, each = fields.partition("each:")
        length = 2 + width(once) + len(payload.get("bets", ())) * width(each)
        assert len(encode_payload(game, act(name.strip("`"), **payload))) == length


def width(text: str) -> int:
    return sum(WIDTHS[word] for word in re.findall(r"\bu\d+\b", text))


# Instructions and events.


@pytest.mark.parametrize(
    ("heading", "structs"),
    [("Instructions", get_args(instructions.Body)), ("Events", get_args(instructions.Event))],
)
def test_the_page_lists_the_fields_of_what_is_asked_and_answered(heading: str, structs: tuple[Any, ...]) -> None:
    listed = {words(row[0])[0]: tuple(words(row[1])) for row in rows_in(section(PAGE, heading))}

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
    """Reasons stand in order, and codes rise."""
    listed = {(code, reason) for code, reasons in EVENT_CODES for reason in reasons}
    codes = [code for code, _ in EVENT_CODES]

    assert listed == codes_and_reasons()
    assert set(codes) >= {kind.value for kind in ErrorKind}
    assert codes == sorted(set(codes))
    assert all(reasons == sorted(reasons) for _, reasons in EVENT_CODES)


def test_every_reason_on_the_page_is_explained_among_the_refusals() -> None:
    refusals = (ROOT / "docs" / "refusals.md").read_text()
    explained = set(re.findall(r"^\| `(\w+)` \|", refusals, flags=re.MULTILINE))
    explained |= {row[1].strip("`") for row in exceptions()}

    assert {reason for _, reasons in EVENT_CODES for reason in reasons} <= explained
