"""The page that verifies anything as one file: modules, styles, Python and the installed rules, without a server."""

from __future__ import annotations

import base64
import json
import posixpath
import re
from hashlib import sha256

from croupier.web.python_files import python_files
from croupier.web.sources import page_sources

IMPORT = re.compile(r'(from |import )"(\.{1,2}/[^"]+)"')
ROOTS = ("python/worker.js", "verify/verify.js")
STYLES = ("css/base.css", "css/offline.css")


def single_page() -> bytes:
    """Return the page. Its policy names the one script and the one style that stand in it, and allows nothing else."""
    files = python_files()
    texts: dict[str, str] = {}
    for root in ROOTS:
        _collect(root, texts)
    style = "".join(_text(name) for name in STYLES)
    boot = _text("verify/single.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_source(boot)}' blob: 'wasm-unsafe-eval'",
            f"style-src '{_source(style)}'",
            "worker-src blob:",
            "connect-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    told = {
        "order": list(texts),
        "texts": texts,
        "source": _text("python/check.py"),
        "manifest": json.loads(files["manifest.json"]),
    }
    data = json.dumps(told).replace("<", "\\u003c")
    packed = [
        f'<script type="text/plain" data-name="{name}">{base64.b64encode(content).decode()}</script>\n'
        for name, content in files.items()
        if name != "manifest.json"
    ]
    body = _text("verify/index.html")
    body = re.sub(r"\s*<link [^>]*>|\s*<script [^>]*></script>", "", body)
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}" />\n    <style>{style}</style>\n  </head>'
    scripts = f'<script type="application/json" id="modules">{data}</script>\n{"".join(packed)}'
    page = body.replace("</head>", head)
    return page.replace("</body>", f'{scripts}<script type="module">{boot}</script>\n  </body>').encode()


def _source(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


def _text(path: str) -> str:
    return page_sources()[path].decode()


def _collect(path: str, texts: dict[str, str]) -> None:
    """Add a module behind all that it imports; the names of modules become marks that `single.js` replaces."""
    if path in texts:
        return
    text = _text(path)
    here = posixpath.dirname(path)
    for _, name in IMPORT.findall(text):
        _collect(posixpath.normpath(posixpath.join(here, name)), texts)
    texts[path] = IMPORT.sub(lambda found: f'{found[1]}"@{posixpath.normpath(posixpath.join(here, found[2]))}@"', text)
