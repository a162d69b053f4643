"""Several threads read types that nobody has read before: in a process of their own, which a mistake would end."""

import subprocess
import sys

READ = """
import os, sys, threading
from msgspec import convert
from croupier.engine import LogEntry
from croupier.server.running.warm_types import prepare_types

sys.setswitchinterval(1e-6)
entry = {{"action": {{"type": "roll", "payload": {{}}, "player_id": "p"}}, "version": 1, "at": 5, "drew": True}}
together = threading.Barrier(6)

def read():
    together.wait()
    assert convert(entry, LogEntry).version == 1

for _ in range(10):
    child = os.fork()
    if not child:
        {first}
        threads = [threading.Thread(target=read) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print("read")
"""


def test_types_that_are_prepared_are_read_by_several_threads_at_once() -> None:
    """Without `prepare_types` about one process in seven ends here, so one of ten does by a chance of 0.8."""
    command = [sys.executable, "-c", READ.format(first="prepare_types()")]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"read\n"), done.stderr
