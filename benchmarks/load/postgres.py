"""A PostgreSQL server for a benchmark or a test: made in a temporary folder, and removed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path
from tempfile import mkdtemp


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest if there are several; None if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    program = shutil.which("initdb")
    return None if program is None else Path(program).resolve().parent


class PostgresServer:
    """A server of our own, reached through a socket in its folder. `settings` are lines of its configuration."""

    def __init__(self, programs: Path, settings: str = "") -> None:
        self._programs = programs
        self.folder = Path(mkdtemp(prefix="croupier-postgres-"))  # short: a socket's path has 107 bytes
        self._user = None
        if os.getuid() == 0:  # as whom it refuses to run
            self._user = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
            shutil.chown(self.folder, self._user)
        self._call("initdb", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--username=croupier")
        usual = f"listen_addresses = ''\nmax_connections = 60\nunix_socket_directories = '{self.folder}'\n"
        with open(self.folder / "data" / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(usual + settings)
        self.start()

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), f"--pgdata={self.folder / 'data'}", *arguments]
        null = subprocess.DEVNULL
        subprocess.run(command, check=True, user=self._user, cwd=self.folder, timeout=120, stdin=null, stdout=null)

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._call("pg_ctl", "start", "--wait", f"--log={self.folder / 'log'}")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: `fast` as an operator does, `immediate` as a crash does."""
        self._call("pg_ctl", "stop", "--wait", f"--mode={mode}")

    def url(self, database: str = "postgres") -> str:
        """Return the address of a database."""
        return f"postgresql://croupier@/{database}?host={self.folder}"

    def remove(self) -> None:
        """Stop it and delete everything."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
