"""Sound: off unless it is wanted, and a sound for what happened, never for what was there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.page_modules import HOUSE_GAMES, STATIC, call, needs_node, played, run

pytestmark = needs_node


SOUND = (STATIC / "lib/sound.js").as_uri()
IN_TURN = "given.map((state, i) => m.soundsFor(state, given[i - 1] ?? null))"
"""The sounds of one state after the other."""


def test_no_device_is_opened_before_sound_is_wanted() -> None:
    """A stand-in for the browser's audio counts what is made of it."""
    script = f"""import {{ play, setSound }} from "{SOUND}";
let opened = 0, started = 0, suspended = 0;
const special = {{
  connect: (next) => next,
  start: () => (started += 1),
  getChannelData: () => new Float32Array(48000),
}};
const node = () => new Proxy(function () {{}}, {{
  get: (_, name) => special[name] ?? node(), apply: () => node(), set: () => true,
}});
globalThis.AudioContext = class {{
  sampleRate = 48000; currentTime = 0; state = "running";
  constructor() {{ opened += 1; }}
  createBuffer() {{ return node(); }}
  createBufferSource() {{ return node(); }}
  createBiquadFilter() {{ return node(); }}
  createGain() {{ return node(); }}
  createOscillator() {{ return node(); }}
  suspend() {{ suspended += 1; }}
}};
const seen = [];
const note = () => seen.push([opened, started, suspended]);
play("win"); note();
setSound(true); note();
for (const name of ["chip", "card", "dice", "wheel", "win", "trumpet"]) play(name);
note();
setSound(false); play("win"); note();
console.log(JSON.stringify(seen));"""
    before, wanted, after, off = run(script)

    assert before == wanted == [0, 0, 0]
    assert after[0] == 1
    assert after[1] == 2 + 1 + 6 + 14 + 4  # taps and tones of each sound
    assert off == [1, after[1], 1]


def heard(game_id: str, session: int) -> list[list[str]]:
    """The sounds of a session, step by step, as a screen hears them."""
    steps = played(game_id, session)["steps"]
    states = []
    for version, step in enumerate(steps):
        view = step["view"]
        lines = view["game"]["money"]["lines"]
        state = {"kind": "session", "status": view["status"], "version": version, "view": view, "lines": lines}
        states.append(state)
    found: list[list[str]] = call("lib/sound.js", IN_TURN, states)
    profit = sum(line["returned"] - line["stake"] for line in states[-1]["lines"])
    assert ("win" in found[-1]) == (profit > 0)
    assert not any("win" in some for some in found[:-1])
    return found


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_every_draw_has_its_sound(game_id: str) -> None:
    sound = {"roulette": "wheel", "sic-bo": "dice", "craps": "dice"}.get(game_id, "card")
    for session in range(4):
        found = heard(game_id, session)
        others = {"wheel", "dice", "card"} - {sound}
        assert any(sound in some for some in found)
        assert not any(others & set(some) for some in found)


def test_the_same_state_again_is_silent() -> None:
    steps = played("roulette", 1)["steps"]
    state = {"kind": "session", "status": "finished", "version": 1, "view": steps[-1]["view"], "lines": []}
    pairs = '[[given, given], [null, given], [{ ...given, kind: "match" }, null]]'

    assert call("lib/sound.js", f"{pairs}.map((pair) => m.soundsFor(...pair))", state) == [[], [], []]


def test_a_box_is_heard_when_it_is_rolled_and_not_when_tiles_are_shut() -> None:
    """The same faces twice are two rolls."""

    def state(version: int, phase: str, dice: list[int]) -> dict[str, Any]:
        view = {"match_id": "m", "version": version, "turn": {"phase": phase}, "game": {"dice": dice}, "viewer": "ann"}
        return {"kind": "match", "status": "active", "version": version, "view": view, "lines": []}

    states = [
        state(0, "roll", [0, 0]),
        state(1, "shut", [3, 4]),
        state(2, "roll", [3, 4]),
        state(3, "shut", [3, 4]),
        state(4, "roll", [0, 0]),
    ]

    assert call("lib/sound.js", IN_TURN, states) == [[], ["dice"], [], ["dice"], []]
