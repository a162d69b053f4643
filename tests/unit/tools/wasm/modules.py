"""Runs compiled modules in node, for the tests of the compiler."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

from tests.web.page_modules import NODE

CALLS = Path(__file__).with_name("calls.mjs")


def call_all(code: bytes, calls: list[dict[str, Any]]) -> list[Any]:
    """Return what each call gives: its value and the arrays asked for, or ("trap", number of the error)."""
    text = json.dumps({"code": base64.b64encode(code).decode(), "calls": [_told(call) for call in calls]})
    done = subprocess.run([str(NODE), str(CALLS)], input=text, capture_output=True, text=True, check=True)
    return [_read(answer) for answer in json.loads(done.stdout)]


def _told(call: dict[str, Any]) -> dict[str, Any]:
    args = [[str(int(x)) for x in each] if isinstance(each, list | tuple) else str(int(each)) for each in call["args"]]
    return {**call, "args": args}


def _read(answer: dict[str, Any]) -> Any:
    if "trap" in answer:
        return "trap", answer["trap"]
    value = answer["value"]
    number = tuple(map(int, value)) if isinstance(value, list) else None if value is None else int(value)
    return number, [list(map(int, each)) for each in answer["arrays"]]
