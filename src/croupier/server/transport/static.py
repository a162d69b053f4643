"""The files of the browser client, read and joined once, and handed out packed where the browser takes that."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256

import msgspec
from msgspec import Struct

from croupier.games.lanes.cards.card_set import own_cards, own_decks
from croupier.web.bundles import page_files
from croupier.web.python_files import python_files
from croupier.web.sources import page_sources

KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".py": "text/plain",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
}
TEXTS = ("text/css", "text/html", "text/javascript")


class StaticFile(Struct, frozen=True):
    """A file: its bytes, the same packed, and a tag that changes when they do."""

    kind: str
    body: bytes
    packed: bytes
    tag: str
    is_fixed: bool = False
    """Whether its address holds its hash, so that a browser may keep it for good."""


@cache
def static_files() -> dict[str, StaticFile]:
    """Return every file of the client by its path, such as lib/rng.js, and what tables show beside the rules."""
    cards, decks = own_cards(), own_decks()
    lanes = msgspec.json.encode({"cards": list(cards), "factions": cards.factions, "decks": decks})
    kinds = {path: KINDS.get(path[path.rfind(".") :]) for path in page_sources()}
    # An editor's leftovers are not for the world.
    files = {path: _file(kind, page_sources()[path]) for path, kind in kinds.items() if kind is not None}
    joined, page = page_files({path: file.body.decode() for path, file in files.items() if file.kind in TEXTS})
    for path, text in joined.items():
        files[path] = _file(KINDS[path[path.rfind(".") :]], text.encode(), is_fixed=True)
    return {**files, "index.html": _file("text/html", page.encode()), "data/lanes.json": _file(KINDS[".json"], lanes)}


@cache
def python_static() -> dict[str, StaticFile]:
    """Return Python for the browser, by its paths; nothing where its package is not installed.

    All of it stands under the hash of its list, so that it is fetched once. Packing the rules takes half a second.
    """
    files = python_files()
    if not files:
        return {}
    folder = f"python/{sha256(files['manifest.json']).hexdigest()[:16]}"
    found = {}
    for name, content in files.items():
        plain = gzip.decompress(content) if name.endswith(".gz") else content
        name = name.removesuffix(".gz")
        tag = f'"{sha256(plain).hexdigest()[:32]}"'
        found[f"{folder}/{name}"] = StaticFile(KINDS[name[name.rfind(".") :]], plain, content, tag, True)
    manifest = msgspec.json.encode({**msgspec.json.decode(files["manifest.json"]), "base": f"/web/{folder}/"})
    return {**found, "python/manifest.json": _file(KINDS[".json"], manifest)}


def _file(kind: str, body: bytes, is_fixed: bool = False) -> StaticFile:
    return StaticFile(kind, body, gzip.compress(body, 9, mtime=0), f'"{sha256(body).hexdigest()[:32]}"', is_fixed)
