"""The errors as one tree: one root, stable codes, facts as attributes, and all of them cross process boundaries."""

import copy
import pickle
import re
from typing import Any

import pytest

from croupier import errors
from croupier.engine.turn import Refusal
from croupier.errors import BadDocument, BadOptions, CroupierError, GameFault, RecordMismatch

CODES: dict[str, tuple[str, type[Exception]]] = {
    "CroupierError": ("error", Exception),
    "DrawError": ("bad_draw", ValueError),
    "UnknownGame": ("unknown_game", LookupError),
    "BadGame": ("bad_game", TypeError),
    "BadPlayers": ("bad_players", ValueError),
    "BadOptions": ("bad_options", ValueError),
    "BadSeed": ("bad_seed", ValueError),
    "WrongMatch": ("wrong_match", ValueError),
    "GameFault": ("game_fault", RuntimeError),
    "BadDocument": ("bad_document", ValueError),
    "WrongSchema": ("wrong_schema", BadDocument),
    "RecordMismatch": ("record_mismatch", ValueError),
}
TREE: dict[Any, tuple[str, type[Exception]]] = {getattr(errors, name): row for name, row in CODES.items()}
EXAMPLES = [
    *[kind("what went wrong") for kind in TREE if kind is not RecordMismatch],
    BadOptions("rounds 0: 1 or more", "$.rounds"),
    GameFault("pig: roll raised KeyError", "ab" * 32),
    RecordMismatch("version 3 has another digest", 3),
    Refusal("wrong_sum", "3, 4 adds up to 7, the roll was 8"),
]


@pytest.mark.parametrize("kind", TREE)
def test_codes_and_bases_are_as_listed(kind):
    """Codes are part of the interface: this list changes by addition only."""
    code, base = TREE[kind]

    assert kind.code == code
    assert issubclass(kind, base)
    assert issubclass(kind, CroupierError)


def test_codes_are_unique_lower_snake_case():
    codes = [kind.code for kind in TREE]

    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in codes)


def test_the_module_holds_the_tree_and_draws_it():
    held = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)}

    assert held >= set(TREE)
    assert sorted(errors.__all__) == sorted(kind.__name__ for kind in held)
    for kind in held:
        assert kind.__name__ in (errors.__doc__ or "")
        assert kind.__doc__


def test_facts_are_attributes():
    assert BadOptions("no", "$.goal").path == "$.goal"
    assert BadOptions("no").path == "$"
    assert RecordMismatch("no", 7).version == 7
    fault = GameFault("it broke", "0123456789abcdef" * 4)
    assert fault.digest == "0123456789abcdef" * 4
    assert str(fault) == "it broke [state 0123456789abcdef]"
    assert str(GameFault("it broke")) == "it broke"


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_crosses_process_boundaries_whole(error, way):
    """Simulations and servers run games in other processes: an error that cannot be pickled kills the pool."""
    twin = way(error)

    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)
