"""The files for containers and systemd say nothing that the server does not know. No daemon is needed to read them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from croupier.server.process.file_limits import allow_many_files
from croupier.server.settings import Settings, load_settings

ROOT = Path(__file__).parents[4]
DEPLOY = ROOT / "deploy"
pytestmark = pytest.mark.skipif(not DEPLOY.exists(), reason="the files are not part of a source package")


def settings_named(text):
    told = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return dict(re.findall(r"(CROUPIER_[A-Z_]+)[=:] ?(\S+)", told))


def test_every_variable_that_is_set_is_a_setting_and_can_be_read():
    for name in ("Dockerfile", "compose.yaml", "croupier.service"):
        named = settings_named((DEPLOY / name).read_text())
        assert named, name
        for key in named:
            assert key.removeprefix("CROUPIER_").lower() in Settings.__struct_fields__, (name, key)
        load_settings(environment=named)


def test_the_image_is_built_from_files_that_are_there_and_runs_as_nobody():
    lines = re.sub(r"\\\n", " ", (DEPLOY / "Dockerfile").read_text()).splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    known = {"ARG", "FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL"}
    assert {word[0] for word in words} <= known | {"ENTRYPOINT"}
    copied = [source for word in words if word[0] == "COPY" and "--from" not in word[1] for source in word[1:-1]]
    assert copied
    assert all((ROOT / source).exists() for source in copied)
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert set(copied) == set(kept)
    assert ["USER", "10001"] in words
    assert words.index(["USER", "10001"]) < next(i for i, word in enumerate(words) if word[0] == "ENTRYPOINT")
    assert "--require-hashes" in " ".join(lines)
    (probe,) = [line for line in lines if line.startswith("HEALTHCHECK")]
    port = settings_named("\n".join(lines))["CROUPIER_METRICS_PORT"]
    assert f"http://127.0.0.1:{port}/readyz" in probe


PINNED = re.compile(r"[^@\s]+@sha256:[0-9a-f]{64}")


def images():
    """Return every image that is built on or run, as it is where nothing else is given."""
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    usual = dict(line[4:].split("=", 1) for line in lines if line.startswith("ARG ") and "=" in line)
    stages = {line.split()[3] for line in lines if line.startswith("FROM ") and " AS " in line}
    bases = {line.split()[1] for line in lines if line.startswith("FROM ")} - stages
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"].values()
    run = [service["image"] for service in services if "build" not in service]
    given = [value for service in services for value in service.get("build", {}).get("args", {}).values()]
    return [usual.get(base[2:-1], base) for base in bases] + [
        re.sub(r"^\$\{\w+:-(.*)\}$", r"\1", one) for one in run + given
    ]


def test_no_image_is_taken_by_its_tag():
    assert len(images()) >= 4
    assert [image for image in images() if not PINNED.fullmatch(image)] == []
    assert len({image for image in images() if image.startswith("python:")}) == 1, "one Python in both files"
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    assert "grep -Eqx '.+@sha256:[0-9a-f]{64}'" in dockerfile  # a build is refused whose argument names none


@pytest.mark.parametrize("digest", ["sha256:" + "0123456789abcdef" * 4, "", "sha256:12", "latest"])
def test_the_script_writes_digests_or_nothing(tmp_path, digest):
    """With a `docker` that answers what the test says."""
    docker = tmp_path / "docker"
    docker.write_text(f"#!/bin/sh\necho '{digest}'\n")
    docker.chmod(0o755)
    script = tmp_path / "deploy" / "pin-images"
    script.parent.mkdir()
    script.write_bytes((DEPLOY / "pin-images").read_bytes())
    done = subprocess.run(
        ["sh", str(script)], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True, timeout=60
    )
    written = tmp_path / "deploy" / ".env"
    if len(digest) == 71:
        assert done.returncode == 0
        lines = written.read_text().splitlines()
        assert [line.partition("=")[0] for line in lines] == ["PYTHON_IMAGE", "POSTGRES_IMAGE"]
        assert all(PINNED.fullmatch(line.partition("=")[2]) for line in lines)
    else:
        assert (done.returncode, written.exists()) == (1, False)
        assert "is no digest; nothing was written" in done.stderr


def test_both_processes_of_the_compose_file_share_one_database_and_no_secret_is_in_it():
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    servers = [service for service in composed["services"].values() if service["image"] == "croupier"]
    assert len(servers) == 2
    assert {service["environment"]["CROUPIER_DATABASE"] for service in servers} == {
        "postgresql://croupier@postgres/croupier"
    }
    for service in servers:
        assert (ROOT / "deploy" / service["build"]["context"] / service["build"]["dockerfile"]).exists()
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        assert service["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    used = {
        name if isinstance(name, str) else name["source"]
        for s in composed["services"].values()
        for name in s["secrets"]
    }
    assert used == set(composed["secrets"])
    assert set(composed["volumes"]) == {"postgres"}
    assert "PASSWORD:" not in (DEPLOY / "compose.yaml").read_text()


def test_systemd_lets_the_server_have_all_its_connections_and_time_to_stop():
    unit = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "croupier.service").read_text(), re.MULTILINE))
    usual = Settings()
    assert unit["ExecStart"].endswith("/croupier serve")
    assert int(unit["LimitNOFILE"]) > 2 * usual.connections_max
    assert int(unit["TimeoutStopSec"]) * 1000 > 2 * usual.stop_ms
    for name in ("NoNewPrivileges", "PrivateDevices", "PrivateTmp", "ProtectHome", "RestrictNamespaces", "DynamicUser"):
        assert unit[name] == "yes"
    assert (unit["ProtectSystem"], unit["CapabilityBoundingSet"]) == ("strict", "")


def test_a_process_asks_for_all_the_files_it_may_have():
    code = (
        "import resource as r; from croupier.server.process.file_limits import allow_many_files as a;"
        "high = r.getrlimit(r.RLIMIT_NOFILE)[1]; r.setrlimit(r.RLIMIT_NOFILE, (256, high));"
        "print(a() == high == r.getrlimit(r.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert done.stdout == b"True\n"
    assert allow_many_files() > 0
