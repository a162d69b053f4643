"""The server process: frames, logs without secrets, ports, probes, metrics, and the commands of an operator."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.frames import Frame, Opcode

from croupier.cli.app import app
from croupier.cli.commands.serve import setting_texts
from croupier.server.process import metrics
from croupier.server.process.logs import JsonLines, blotted
from croupier.server.process.protocols import frame_head
from croupier.server.process.serve import Addresses, serve
from croupier.server.settings import Settings
from tests.unit.server.conftest import serving

TOKEN = "n_XFpYybnEEHw_cXgG9OrEKSWbYNmrGHd0_0g0vwOdY"
SEED = "c0ffee" * 10 + "beef"


def run(*words: str) -> int:
    found = app([*words], standalone_mode=False)
    return found if isinstance(found, int) else 0


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 300_000])
def test_a_frame_is_the_one_that_the_library_writes(size: int) -> None:
    text = b"x" * size

    assert frame_head(size) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


@pytest.mark.parametrize("secret", [TOKEN, SEED, f"{TOKEN}="])
def test_secrets_are_redacted_from_log_lines(secret: str) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.Logger("test")
    logger.addHandler(handler)
    try:
        raise ValueError(f"cannot read {secret}")
    except ValueError:
        logger.exception(
            "asked for /live?ticket=%s", secret, extra={"token": secret, "room": "m_" + "k" * 20, "count": 3}
        )
    line = json.loads(stream.getvalue())
    assert secret.rstrip("=") not in stream.getvalue()
    assert line["message"] == "asked for /live?ticket=[hidden]"
    assert (line["token"], line["room"], line["count"], line["level"]) == ("[hidden]", "m_" + "k" * 20, 3, "error")
    assert "ValueError" in line["error"]


def test_ids_and_sentences_stay_readable() -> None:
    text = "room m_0123456789abcdefghjk of p_0123456789abcdefghjk: internationalisation, 12:00"
    assert blotted(text) == text


def test_every_setting_has_a_flag_and_a_sentence() -> None:
    texts = setting_texts()
    assert set(texts) == set(Settings.__struct_fields__)
    assert all(text.endswith(".") for text in texts.values())


def test_a_port_that_is_taken_is_told_before_anything_is_opened(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = Settings(port=port, metrics_port=0, database=f"sqlite:///{tmp_path}/x.db")
        with pytest.raises(OSError, match="in use; --port takes another port"):
            asyncio.run(serve(settings, lambda _: None))
        second = Settings(port=0, metrics_port=port, database=f"sqlite:///{tmp_path}/x.db")
        with pytest.raises(OSError, match="in use; --metrics-port takes another port"):
            asyncio.run(serve(second, lambda _: None))
    elsewhere = Settings(host="192.0.2.1", port=0, metrics_port=0, database=f"sqlite:///{tmp_path}/x.db")
    with pytest.raises(OSError, match="Cannot assign") as refused:  # an address of nobody's: no other port would help
        asyncio.run(serve(elsewhere, lambda _: None))
    assert "another port" not in str(refused.value)
    assert not (tmp_path / "x.db").exists()


@pytest.fixture
def served(tmp_path: Path) -> Any:
    return serving(tmp_path)


async def test_a_server_serves_until_it_is_told_to_stop(served: Addresses) -> None:
    async with httpx.AsyncClient() as http:
        assert (await http.get(f"{served.url}/api/v1/games")).status_code == 200
        assert (await http.get(f"{served.metrics_url}/readyz")).text == "ready\n"
        assert (await http.get(f"{served.url}/metrics")).status_code == 404
        assert (await http.get(f"{served.metrics_url}/secrets")).status_code == 404


async def test_probes_are_answered_while_the_loop_is_busy_and_tell_when_it_hangs(
    served: Addresses, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = served.metrics_url
    # This is the loop that serves, and it waits here: nothing else runs on it.
    assert httpx.get(f"{url}/livez", timeout=60).text == "alive\n"
    assert "croupier_connections 0.0" in httpx.get(f"{url}/metrics", timeout=60).text
    monkeypatch.setattr(metrics, "STALLED_SECONDS", 0)
    assert httpx.get(f"{url}/livez", timeout=60).status_code == 503


def test_an_operators_commands_check_copy_and_move_a_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, other = (f"sqlite:///{tmp_path}/{name}.db" for name in ("old", "new", "other"))

    def told() -> Any:
        return json.loads(capsys.readouterr().out)

    assert run("server", "operator", "Olga", "--database", old, "--json") == 0
    made = told()
    assert len(made["token"]) == len(made["recovery_key"]) == 43
    assert run("server", "audit", "--database", old, "--json") == 0
    assert told()["problem"] is None
    assert run("server", "backup", str(tmp_path / "copy"), "--database", old, "--json") == 0
    assert told()["bytes"] == (tmp_path / "copy").stat().st_size
    assert run("server", "restore", str(tmp_path / "copy"), "--database", new, "--json") == 0
    assert run("server", "export", str(tmp_path / "lines"), "--database", new) == 0
    assert run("server", "import", str(tmp_path / "lines"), "--database", other) == 0
    assert run("server", "export", str(tmp_path / "again"), "--database", other) == 0
    assert (tmp_path / "lines").read_bytes() == (tmp_path / "again").read_bytes()
    assert stat.S_IMODE((tmp_path / "lines").stat().st_mode) == 0o600
    capsys.readouterr()
    assert run("server", "export", str(tmp_path / "lines"), "--database", new) == 2  # nothing is written over
    assert run("server", "export", str(tmp_path / "none"), "--account", "nobody", "--database", new) == 2
    assert not (tmp_path / "none").exists()
    assert run("server", "dance") == 2
    assert "no action" in capsys.readouterr().err
    assert run("server", "operator", "O" * 33, "--database", old) == 2
    assert capsys.readouterr().err == "error: a name is 1 to 32 printable characters [bad_name]\n"


@pytest.mark.parametrize("action", ["audit", "backup", "accept", "export"])
def test_a_database_that_is_not_there_is_not_made_to_be_looked_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    missing = tmp_path / "croupire.db"

    written = [] if action in ("audit", "accept") else [str(tmp_path / "written")]
    assert run("server", action, *written, "--database", f"sqlite:///{missing}") == 2

    assert f"there is no database {missing}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("action", ["audit", "backup", "restore", "operator"])
@pytest.mark.parametrize("address", ["sqlite:///", "sqlite://", "sqlite://croupier.db"])
def test_an_address_without_a_file_is_no_database_to_look_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], action: str, address: str
) -> None:
    written = [] if action == "audit" else [str(tmp_path / "written")]
    assert run("server", action, *written, "--database", address) == 2

    assert f"{address} names no file, so there is no database" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
