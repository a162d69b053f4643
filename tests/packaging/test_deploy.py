"""What operators start the server with names settings and files that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from croupier.server.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "croupier.service"])
def test_every_variable_that_is_set_is_a_setting(name):
    named = set(re.findall(rf"\b{PREFIX}(\w+)", (DEPLOY / name).read_text()))

    assert named
    assert {one.lower() for one in named} <= set(Settings.__struct_fields__)


def test_what_the_image_copies_is_there_and_not_ignored():
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    lines = re.findall(r"^COPY (?!--from)(.+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    sources = [source for line in lines for source in line.split()[:-1]]

    assert set(sources) == set(kept)
    assert all((ROOT / source).exists() for source in sources)


def test_the_compose_file_runs_two_servers_that_wait_for_the_database():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    servers = [service for name, service in services.items() if name != "postgres"]

    assert len(servers) == 2
    for server in servers:
        assert server["depends_on"]["postgres"]["condition"] == "service_healthy"
        assert (server["read_only"], server["cap_drop"]) == (True, ["ALL"])
        assert all(port.startswith("127.0.0.1:") for port in server["ports"])


def test_the_unit_has_no_rights_it_does_not_need():
    unit = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "croupier.service").read_text(), re.MULTILINE))

    for setting in ("NoNewPrivileges", "PrivateDevices", "PrivateTmp", "DynamicUser", "RestrictNamespaces"):
        assert unit[setting] == "yes"
    assert unit["ProtectSystem"] == "strict"
    assert unit["CapabilityBoundingSet"] == ""
    assert unit["ExecStart"].endswith("/croupier serve")
