"""The changelog: fragments are named as their README says, and outcomes come first."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEADINGS = ["Outcomes", "Added", "Changed", "Fixed", "Removed"]


def test_fragments_have_a_heading_and_say_something() -> None:
    fragments = [path for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]

    for path in fragments:
        assert re.fullmatch(rf"[a-z0-9-]+\.({'|'.join(HEADINGS).lower()})\.md", path.name)
        assert path.read_text().strip()


def test_the_headings_of_every_release_stand_in_their_order() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()

    for release in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        found = re.findall(r"^### (.+)$", release, flags=re.MULTILINE)
        assert found == ["Outcomes", *(heading for heading in HEADINGS[1:] if heading in found)]


def test_the_readme_of_the_fragments_lists_the_headings() -> None:
    text = (ROOT / "changelog.d" / "README.md").read_text()

    assert re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE) == [heading.lower() for heading in HEADINGS]
