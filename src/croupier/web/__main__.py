"""`python -m croupier.web`: the page that verifies anything, as one file or served by itself.

python -m croupier.web verify.html      write it: it works from a disk, without a server and without a network
python -m croupier.web --serve [PORT]   serve it on 127.0.0.1 (port 8010) until interrupted
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from croupier.web.python_files import has_runtime
from croupier.web.single_page import single_page


def make_server(port: int, page: bytes) -> ThreadingHTTPServer:
    """Return a server on this machine alone that has one page."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_page = self.path == "/"
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page) if is_page else 0))
            self.end_headers()
            self.wfile.write(page if is_page else b"")

        def log_message(self, *arguments: Any) -> None:
            """Stay silent."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m croupier.web", description="The page that verifies anything.")
    parser.add_argument("file", nargs="?", help="write the page into this file")
    parser.add_argument("--serve", nargs="?", type=int, const=8010, metavar="PORT", help="serve it on 127.0.0.1")
    given = parser.parse_args(arguments)
    if (given.file is None) == (given.serve is None):
        parser.error("name a file, or --serve")
    if not has_runtime():
        print("Python for the browser is not installed: `make web-python` builds croupier-web-python.", file=sys.stderr)
        return 1
    page = single_page()
    if given.file is not None:
        Path(given.file).write_bytes(page)
        print(f"{given.file}: {len(page):,} bytes; open it in a browser")
        return 0
    with make_server(given.serve, page) as server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
