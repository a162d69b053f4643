"""Replays that need no server: what the page writes into a file, what it makes of files, and links to sessions."""

from __future__ import annotations

import json

import pytest

from tests.web.page_modules import STATIC, needs_node, played, run

pytestmark = needs_node


HEAD = f"""import {{ readReplay, writeReplay }} from "{(STATIC / "lib/replay-file.js").as_uri()}";
import {{ checkRecord }} from "{(STATIC / "lib/proof.js").as_uri()}";
"""
WRITE = f"""{HEAD}const steps = given.steps.map((step, version) => ({{ ...step, version, text: "", at: 0 }}));
console.log(JSON.stringify(writeReplay(given.text, steps, {{ names: {{ ann: "Ann" }} }})));"""
PROVE = f"""{HEAD}console.log(JSON.stringify(given.map((text) => {{
  const {{ kind, steps, names, ...found }} = readReplay(text);
  return [kind, names, checkRecord(found.text, {{ steps }}).checks.filter(({{ ok }}) => !ok).map(({{ name }}) => name)];
}})));"""
REFUSED = f"""{HEAD}console.log(JSON.stringify(given.map((text) => {{
  try {{ return readReplay(text).kind; }} catch (error) {{ return error.message; }}
}})));"""


@pytest.mark.parametrize("game_id", ["roulette", "craps", "video-poker", "blackjack"])
def test_a_replay_that_was_saved_is_proven_from_the_file_alone(game_id: str) -> None:
    honest = played(game_id, 5)
    text = run(WRITE, honest)
    document = json.loads(text)
    last = document["steps"][-1]["view"]["game"]["money"]["lines"][0]
    last["stake"] += 1
    found = run(PROVE, [text, honest["text"], json.dumps(document)])

    assert found[0] == ["replay", {"ann": "Ann"}, []]
    assert found[1] == ["record", {}, []]
    assert found[2][2] == ["states", "lines"]
    assert json.loads(text)["record"] == honest["text"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The file is not JSON"),
        ("{", "The file is not JSON"),
        ("[]", "The file is neither"),
        ("null", "The file is neither"),
        ('{"document":"croupier-replay","record":"{}","steps":[]}', "The file is neither"),
        ('{"document":"croupier-replay","record":7,"steps":[]}', "The file is neither"),
        ('{"game_id":"roulette"}', "The file is neither"),
    ],
)
def test_a_file_that_is_no_replay_is_refused_in_words(text: str, said: str) -> None:
    (found,) = run(REFUSED, [text])

    assert found.startswith(said)


def test_steps_that_cannot_be_read_are_refused() -> None:
    honest = played("roulette", 5)
    text = json.dumps({"document": "croupier-replay", "record": honest["text"], "steps": [{"view": 3}]})

    assert run(REFUSED, [text]) == ["The steps of the replay cannot be read."]
