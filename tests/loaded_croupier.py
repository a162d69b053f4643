"""A fast way to run `croupier` commands in tests: a process that has loaded the package forks for each of them.

python loaded_croupier.py SOCKET             load the command and the games, then run what is asked for, one by one
python -IS loaded_croupier.py SOCKET WORDS   have a command run there, with this folder, environment and terminal
"""

from __future__ import annotations

import marshal
import os
import socket
import sys


def ask(address: str, words: list[str]) -> int:
    """Return the exit code of a command that a loaded process runs with our files, folder and environment."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        socket.send_fds(line, [b"3"], [0, 1, 2])
        line.sendall(marshal.dumps((words, os.getcwd(), dict(os.environ))))
        line.shutdown(socket.SHUT_WR)
        return line.recv(1)[0]


def serve(address: str) -> None:
    """Run commands until this process is ended."""
    import croupier.sim.simulate
    from croupier.cli.app import app
    from croupier.engine import get_game, list_games

    assert croupier.sim.simulate.CHUNK
    assert app.name
    for game_id in list_games():
        get_game(game_id)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen()
        print("ready", flush=True)
        while True:
            line = door.accept()[0]
            with line:
                files = socket.recv_fds(line, 1, 3)[1]
                data = b""
                while more := line.recv(65_536):
                    data += more
                child = os.fork()
                if not child:
                    _become(files, *marshal.loads(data))
                for file in files:
                    os.close(file)
                line.send(bytes([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255]))


def _become(files: list[int], words: list[str], folder: str, environment: dict[str, str]) -> None:
    """Be the command from here on, and end."""
    import traceback
    from multiprocessing import active_children

    from croupier.cli import main

    code: object = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["croupier", *words]
        main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for worker in active_children():  # as at the end of Python: a pool that was told to shut down still tells them
            worker.join()
        os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
    serve(sys.argv[1])
