"""The public surface: names and signatures of the packages are those of `surface.txt`."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tools.surface import ROOT, TARGET, surface_text


def test_the_public_surface_is_the_one_written_down():
    kept = (ROOT / TARGET).read_text(encoding="utf-8").splitlines()
    now = surface_text().splitlines()

    changes = "\n".join(difflib.unified_diff(kept, now, TARGET, "src", lineterm="", n=0))
    assert not changes, (
        f"public names or signatures changed; if that is meant: python tools/surface.py --write\n{changes}"
    )


FILES = {
    "croupier/__init__.py": 'from croupier.kit import Card, deal\n__all__ = ["Card", "deal"]\n',
    "croupier/kit/__init__.py": (
        "from croupier.kit import faces\n"
        "from croupier.kit.cards import Card, LOW, HIGH, PACK, deal, turn\n"
        '__all__ = ["Card", "HIGH", "LOW", "PACK", "deal", "faces", "turn"]\n'
    ),
    "croupier/kit/faces.py": "",
    "croupier/kit/cards.py": """
LOW, HIGH = 1, 13
PACK: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)
class _Named(Struct):
    name: str = ""
    _secret: int
class Card(_Named, frozen=True):
    rank: int
    def __init__(self, rank: int) -> None:
        self.suit = rank // 13
        self._cache: int = 0
    @property
    def words(self) -> str: ...
    def _hidden(self): ...
    @classmethod
    async def fetch(cls, *ids: int) -> "Card": ...
@overload
def deal(count: int) -> int: ...
@overload
def deal(count: str) -> str: ...
def deal(count): ...
def turn(card: Card, /, *, up: bool = True) -> Card | None: ...
def unsaid(): ...
""",
    "croupier/rng.py": '__all__ = ["draw"]\ndef draw(): ...\n',
    "croupier/kit/private.py": '__all__ = ["inside"]\ndef inside(): ...\n',
}
TEXT = """\
# Public names and signatures. A change that is meant: python tools/surface.py --write
# 8 names, 10 with those that stand at two doors:
#     2 croupier
#     7 croupier.kit
#     1 croupier.rng

croupier.Card is croupier.kit.Card
croupier.deal is croupier.kit.deal

class croupier.kit.Card(_Named, frozen=True)
croupier.kit.Card.name: str = ''
croupier.kit.Card.rank: int
croupier.kit.Card.__init__(self, rank: int) -> None
property croupier.kit.Card.words(self) -> str
classmethod async croupier.kit.Card.fetch(cls, *ids: int) -> 'Card'
croupier.kit.Card.suit
croupier.kit.HIGH = 13
croupier.kit.LOW = 1
croupier.kit.PACK: tuple[int, ...] = ...
croupier.kit.deal(count: int) -> int
croupier.kit.deal(count: str) -> str
croupier.kit.faces is croupier.kit.faces
croupier.kit.turn(card: Card, /, *, up: bool=True) -> Card | None

croupier.rng.draw()
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A package with three doors and a module that is none."""
    for name, text in FILES.items():
        (tmp_path / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / name).write_text(text)
    return tmp_path


def test_a_door_tells_names_signatures_and_public_members_once(tree):
    assert surface_text(tree) == TEXT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("up: bool", "down: bool"),
        ("= True", "= False"),
        ("rank: int\n", "rank: str\n"),
        ("words", "text"),
        ("13", "12"),
    ],
)
def test_a_changed_signature_field_default_or_constant_changes_the_text(tree, old, new):
    path = tree / "src/croupier/kit/cards.py"
    path.write_text(path.read_text().replace(old, new, 1))

    assert surface_text(tree) != TEXT
