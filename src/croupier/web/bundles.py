"""Bundles: the modules of the page joined into few files, so that a first visit takes few requests.

The modules are written so that a browser can read them as they are; here they are put into one file, each as a function
of its own, in the order in which they need each other. The first bundle has `app.js`, the screens, and all that two
others would share. Every module that is loaded when it is wanted, such as a table, has a bundle with what it alone
needs. They and the styles stand under a hash of all of them: a browser keeps them for good, and fetches a new version
whole.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256

FIRST = "app.js"
SCREENS = "screens/"
HASH = "@hash@"  # in the place of the hash, until it is known

IMPORT = re.compile(r'^import (?:(?P<default>\w+) from |\{(?P<names>[^}]*)\} from )?"(?P<path>\.[^"]+)";\n', re.M)
WANTED = re.compile(r'\bimport\("(?P<path>\.[^"]+)"\)')
WANTED_FROM = re.compile(r"\bimport\(`(?P<folder>\.[^$`]*/)\$")
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (?P<name>\w+))", re.M)
EXPORT_LIST = re.compile(r"^export \{(?P<names>[\w\s,]*)\};\n", re.M)
EXPORT_DEFAULT = re.compile(r"^export default (?!async |function|class)", re.M)
STYLE = re.compile(r'\s*<link [^>]*"/web/(?P<path>css/[^"]+)"[^>]*>')
NOT_OURS = re.compile(r"^(?:import|export|await)\b.*", re.M)


class BadModule(ValueError):
    """A module that cannot be joined: it has a form that our pages do not use, or its imports go in a ring."""


class Module:
    """One file: what it imports, what it loads when that is wanted, and what it exports."""

    def __init__(self, path: str, text: str, paths: Iterable[str]) -> None:
        self.path, self.text = path, text
        self.imports = [self.address(one["path"]) for one in IMPORT.finditer(text)]
        self.wanted = [self.address(one["path"]) for one in WANTED.finditer(text)]
        for one in WANTED_FROM.finditer(text):
            self.wanted += [each for each in paths if posixpath.dirname(each) == self.address(one["folder"])]
        self.exports = [one["name"] for one in EXPORT.finditer(text)]
        for one in EXPORT_LIST.finditer(text):
            self.exports += _split(one["names"])
        self.has_default = EXPORT_DEFAULT.search(text) is not None

    def address(self, path: str) -> str:
        """Return where a path that stands in the module leads to."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path))

    def joined(self, first: Iterable[str]) -> str:
        """Return the module as a constant: a function that ran once, and what it exports."""
        given = [*self.exports, *(["default: $default"] if self.has_default else [])]
        body = WANTED.sub(lambda one: self._load(self.address(one["path"]), first), IMPORT.sub(self._take, self.text))
        body = WANTED_FROM.sub(lambda one: f"import(`/web/{HASH}/{self.address(one['folder'])}/$", body)
        body = EXPORT_DEFAULT.sub("const $default = ", EXPORT.sub("", EXPORT_LIST.sub("", body)))
        body = body.replace("/web/css/", f"/web/{HASH}/css/")
        body = body.replace("import.meta.url", f'new URL("/web/{self.path}", import.meta.url)')
        if odd := NOT_OURS.search(body):
            raise BadModule(f"{self.path}: cannot be joined with others: {odd[0]}")
        return f"const {_name(self.path)} = (() => {{\n{body}return {{ {', '.join(given)} }};\n}})();\n"

    def _take(self, found: re.Match[str]) -> str:
        names = [name.replace(" as ", ": ") for name in _split(found["names"] or "")]
        taken = [f"default: {found['default']}"] if found["default"] else names
        return f"const {{ {', '.join(taken)} }} = {_name(self.address(found['path']))};\n" if taken else ""

    def _load(self, path: str, first: Iterable[str]) -> str:
        return f"Promise.resolve({_name(path)})" if path in first else f'import("/web/{HASH}/{path}")'


def page_files(texts: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return bundles and styles by their paths below /web/, and the page that asks for them.

    `texts` are the modules, the styles and `index.html` by their paths. What `app.js` does not lead to is not joined.
    """
    files = _bundles({path: text for path, text in texts.items() if path.endswith(".js")})
    styles = [one["path"] for one in STYLE.finditer(texts["index.html"])]
    files |= {path: text for path, text in texts.items() if path.startswith("css/") and path not in styles}
    files[styles[0]] = "".join(texts[path] for path in styles)
    digest = sha256("".join(f"{path}\n{files[path]}" for path in sorted(files)).encode()).hexdigest()[:16]
    page = STYLE.sub(lambda one: one[0] if one["path"] == styles[0] else "", texts["index.html"])
    for path in (FIRST, styles[0]):
        page = page.replace(f'"/web/{path}"', f'"/web/{digest}/{path}"')
    return {f"{digest}/{path}": text.replace(HASH, digest) for path, text in files.items()}, page


def _bundles(texts: Mapping[str, str]) -> dict[str, str]:
    """Return every bundle by the path of the module that it is loaded for."""
    modules = _reached(texts)
    screens = [path for path in modules[FIRST].wanted if path.startswith(SCREENS)]
    first = _ordered([*screens, FIRST], modules, ())
    wanted = {path for one in modules.values() for path in one.wanted}
    roots = [path for path in modules if path in wanted and path not in first]
    needed = Counter(path for root in roots for path in _ordered([root], modules, first))
    shared = [path for path, count in needed.items() if count > 1]
    first = _ordered([*shared, *screens, FIRST], modules, ())
    joined = {FIRST: _joined(first, modules, first) + f"export {{ {', '.join(map(_name, first))} }};\n"}
    for root in roots:
        own = _ordered([root], modules, first)
        taken = {name for path in own for name in modules[path].imports if name in first} | {root} & {*first}
        before = f'import {{ {", ".join(sorted(map(_name, taken)))} }} from "/web/{HASH}/{FIRST}";\n' if taken else ""
        joined[root] = before + _joined(own, modules, first) + _handed(modules[root])
    return joined


def _reached(texts: Mapping[str, str]) -> dict[str, Module]:
    found: dict[str, Module] = {}
    left = [FIRST]
    while left:
        path = left.pop()
        if path not in found:
            if path not in texts:
                raise BadModule(f"there is no module {path}")
            found[path] = Module(path, texts[path], texts)
            left += found[path].imports + found[path].wanted
    return dict(sorted(found.items()))


def _ordered(roots: Iterable[str], modules: Mapping[str, Module], without: Iterable[str]) -> list[str]:
    """Return modules and all that they import, each behind what it needs, but for those that are there already."""
    done: dict[str, None] = {}

    def visit(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise BadModule(f"imports in a ring: {' -> '.join((*above, path))}")
        if path not in done and path not in without:
            for name in modules[path].imports:
                visit(name, (*above, path))
            done[path] = None

    for root in roots:
        visit(root, ())
    return list(done)


def _joined(paths: Iterable[str], modules: Mapping[str, Module], first: Iterable[str]) -> str:
    return "".join(f"// {path}\n{modules[path].joined(first)}" for path in paths)


def _handed(root: Module) -> str:
    default = f"export default {_name(root.path)}.default;\n" if root.has_default else ""
    named = f"export const {{ {', '.join(root.exports)} }} = {_name(root.path)};\n" if root.exports else ""
    return named + default


def _name(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
