"""What tests of the page's modules need: a way to run them without a page, and sessions to run them on."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.engine import MatchClient, create_match, get_game, make_record, view_for, write_record
from croupier.fairness import SeedPair

STATIC = Path(__file__).parents[2] / "src/croupier/web/static"
NODE = shutil.which("node")
USUAL = {
    "baccarat": {"player": 5, "banker": 5},
    "blackjack": {"main": 5},
    "casino-war": {"main": 5},
    "craps": {"pass": 5},
    "hi-lo": {"stake": 5},
    "roulette": {"red": 5},
    "sic-bo": {"small": 5},
    "three-card-poker": {"ante": 5},
    "ultimate-texas-holdem": {"ante": 5},
    "video-poker": {"stake": 5},
}

needs_node = pytest.mark.skipif(NODE is None, reason="node runs the modules of the page")


def run(script: str, given: Any = None) -> Any:
    """What a script prints as JSON; `given` is what it can use under that name."""
    code = f"const given = {json.dumps(given)};\n{script}"
    command = [str(NODE), "--input-type=module", "-"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


def played(game_id: str, session: int) -> dict[str, Any]:
    """A whole session with its record, and what its player saw at every step."""
    game: Any = get_game(game_id)
    pair, plan = SeedPair.of(bytes([session]) * 32, b"mine"), game.plan(USUAL[game_id])
    seed = pair.match_seed(session)
    client = MatchClient(game, create_match(game, ["ann"], seed=seed, session_id=session, host=plan.terms))
    while client.get_state().status == "active":
        client.dispatch(plan.policy(view_for(game, client.get_state(), "ann"), (), None))
    steps = [{"view": json.loads(msgspec.json.encode(view_for(game, match, "ann")))} for match in client.history()]
    text = write_record(make_record(game, client.base, client.get_log(), commitments=pair)).decode()
    return {"text": text, "steps": steps, "seen": {"commitment": pair.commitment, "at": 0}}
