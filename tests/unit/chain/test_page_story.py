"""The commands of docs/validators.md, typed as they stand there: a simulated network, and somebody who plays on it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

from croupier.chain.node.run import free_ports

PAGE = (Path(__file__).parents[3] / "docs" / "validators.md").read_text()
NETWORK, PLAYER = re.findall(r"^```text\n((?:\$ croupier node .*\n)+)", PAGE, flags=re.MULTILINE)
CROUPIER = [sys.executable, "-m", "croupier"]


def test_the_commands_of_the_page_play_on_a_simulated_network(tmp_path: Path) -> None:
    port = str(free_ports(1)[0].rpc)
    start = [*CROUPIER, *NETWORK.split()[2:], "--port", port]
    with subprocess.Popen(start, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as network:
        try:
            assert network.stdout is not None
            assert f"RPC at http://127.0.0.1:{port}; Ctrl-C ends them" in network.stdout.readline()
            told = []
            for line in PLAYER.splitlines():
                words = line.split()[2:]
                where = [] if words[1] == "key" else ["--rpc", f"http://127.0.0.1:{port}"]
                run = subprocess.run([*CROUPIER, *words, *where], cwd=tmp_path, capture_output=True, text=True)
                assert run.returncode == 0, (line, run.stdout, run.stderr)
                told.append(run.stdout)
            move = ["node", "send", "move", "1", "0104", "--key", "ann.json", *where]
            refused = subprocess.run([*CROUPIER, *move], cwd=tmp_path, capture_output=True, text=True)
        finally:
            network.send_signal(signal.SIGINT)
            assert network.wait(30) == 0
    assert len(told) == 5
    assert refused.returncode == 1
    assert "session 1 is over" in refused.stdout
    assert "GameStarted: 1000 chips" in told[2]
    assert "GameMoved: the ball falls into" in told[3], told[3]
    assert "height" in told[-1]
