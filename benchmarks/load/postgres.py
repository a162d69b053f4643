"""A PostgreSQL server for a benchmark: made in a temporary folder, with its usual care for the disk, and removed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest if there are several; None if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    program = shutil.which("initdb")
    return None if program is None else Path(program).resolve().parent


@contextmanager
def run_postgres(programs: Path) -> Iterator[str]:
    """Run a server and yield the address of an empty database in it."""
    with TemporaryDirectory(prefix="croupier-pg-") as name:  # short: a socket's path has 107 bytes
        folder = Path(name)
        user = None
        if os.getuid() == 0:  # as whom it refuses to run
            user = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
            shutil.chown(folder, user)

        def call(program: str, *arguments: str) -> None:
            command = [str(programs / program), f"--pgdata={folder / 'data'}", *arguments]
            null = subprocess.DEVNULL
            subprocess.run(command, check=True, user=user, cwd=folder, timeout=120, stdin=null, stdout=null)

        call("initdb", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--username=croupier")
        with open(folder / "data" / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(f"listen_addresses = ''\nmax_connections = 60\nunix_socket_directories = '{folder}'\n")
        call("pg_ctl", "start", "--wait", f"--log={folder / 'log'}")
        try:
            yield f"postgresql://croupier@/postgres?host={folder}"
        finally:
            call("pg_ctl", "stop", "--wait", "--mode=fast")
