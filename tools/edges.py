"""Edges for the lobby: the smallest and the largest of every house game's bets, counted when the page is built.

    python tools/edges.py            print them
    python tools/edges.py --write    write them to the page's data, which a test compares

Counting them takes seconds, which the first visitor of a server should not have to wait.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from croupier.engine import get_game, list_games
from croupier.house import HouseGame

TARGET = Path(__file__).parents[1] / "src/croupier/web/static/data/edges.json"


def edges() -> dict[str, tuple[str, str]]:
    """Return the edges of each house game under its usual options, as p/q."""
    found = {}
    for game in map(get_game, list_games()):
        if isinstance(game, HouseGame):
            rows = [row.edge for row in game.odds(game.read_options(None))]
            found[game.id] = str(min(rows)), str(max(rows))
    return found


def main() -> None:
    """Print the edges, or write them."""
    text = msgspec.json.format(msgspec.json.encode(edges()), indent=1) + b"\n"
    if sys.argv[1:] == ["--write"]:
        TARGET.parent.mkdir(exist_ok=True)
        TARGET.write_bytes(text)
    else:
        sys.stdout.buffer.write(text)


if __name__ == "__main__":
    main()
