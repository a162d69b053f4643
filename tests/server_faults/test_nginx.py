"""Behind a real nginx, with the configuration that the page on operating a server shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from tests.server_faults.conftest import ServerProcess, free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PAGE = Path(__file__).parents[2] / "docs" / "deploy.md"
pytestmark = pytest.mark.skipif(NGINX is None, reason="there is no nginx here: `make services` installs it")


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, int]]:
    """A server and the port of an nginx in front of it."""
    tmp_path = tmp_path_factory.mktemp("nginx")
    limits = {"registrations_burst": 2, "registrations_refill_ms": 10**9}
    server = ServerProcess(tmp_path, proxies="127.0.0.1", hosts="play.example.org", **limits)
    (shown,) = re.findall(r"```nginx\n(.*?)```", PAGE.read_text(), re.DOTALL)
    port = free_port()
    shown = re.sub(r"\n +ssl_\S+ \S+;", "", shown).replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    shown = shown.replace("http://127.0.0.1:8000", server.url)
    folders = "".join(f"{name}_temp_path {tmp_path};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    conf = tmp_path / "nginx.conf"
    head = f"daemon off; pid {tmp_path}/pid; error_log stderr; events {{}}"
    conf.write_text(f"{head}\nhttp {{ access_log off; {folders}\n{shown} }}")
    with open(tmp_path / "nginx.log", "wb") as log:
        process = subprocess.Popen([str(NGINX), "-e", "stderr", "-p", str(tmp_path), "-c", str(conf)], stderr=log)
    try:
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{port}/")
                break
            except httpx.ConnectError:
                assert process.poll() is None, (tmp_path / "nginx.log").read_text()
        yield server, port
    finally:
        process.terminate()
        process.wait()
        assert server.end() == 0


def test_behind_nginx_everybody_has_their_own_address_and_nobody_anothers(proxied: tuple[Any, int]) -> None:
    server, port = proxied

    def register(address: str, url: str, host: str, forged: str = "203.0.113.9") -> int:
        with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as http:
            headers = {"Host": host, "X-Forwarded-For": forged}
            answer = http.post(f"{url}/api/v1/accounts", json={"name": "Ann"}, headers=headers)
            return answer.status_code

    nginx, host = f"http://127.0.0.1:{port}", "play.example.org"
    found = [register("127.0.0.2", nginx, host, f"198.51.100.{n}") for n in range(4)]
    assert found == [201, 201, 429, 429], "a forged address is one more to register from"
    assert [register("127.0.0.3", nginx, host) for _ in range(3)] == [201, 201, 429]
    # Not through the proxy, and not from one of ours: nothing that it says about itself counts.
    found = [register("127.0.0.4", server.url, host, f"198.51.100.{n}") for n in range(4)]
    assert found == [201, 201, 429, 429]
    assert register("127.0.0.5", nginx, "evil.example") == 421
    assert server.metric('croupier_refusals_total{code="wrong_host"}') > 0


async def test_live_connections_pass_through_nginx(proxied: tuple[Any, int]) -> None:
    _, port = proxied
    headers = {"Host": "play.example.org"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1", headers=headers) as http:
        made = (await http.post("/accounts", json={"name": "Ann"})).json()
        http.headers["Authorization"] = f"Bearer {made['token']}"
        ticket = (await http.post("/tickets", json={})).json()["ticket"]

        def live_at(host: str) -> Any:
            uri = f"ws://{host}/api/v1/live?ticket={ticket}"
            return connect(uri, subprotocols=[Subprotocol("croupier.v1")], host="127.0.0.1", port=port)

        with pytest.raises(InvalidStatus, match="421"):
            await live_at("evil.example")
        async with live_at("play.example.org") as live:
            await live.send('{"type":"ping","id":"p"}')
            assert '"pong"' in str(await live.recv())
