"""The page of the API: its routes, errors and limits are those of the source."""

from __future__ import annotations

from pathlib import Path

from croupier.fairness import seeds
from croupier.server.operations import accounts
from croupier.server.operations.context import CODE_CHARACTERS
from croupier.server.operations.declaration.fields import NAME_MAX
from croupier.server.operations.declaration.registry import OPERATIONS
from croupier.server.problems import PROBLEMS
from croupier.server.settings import Settings
from tests.docs.conftest import rows_in, section
from tools.site_pages import on_page_markdown

PAGE = on_page_markdown((Path(__file__).parents[2] / "docs" / "api.md").read_text())


def rows(heading: str) -> list[list[str]]:
    return rows_in(section(PAGE, heading))


def test_the_site_has_every_code_and_every_route_where_the_page_says() -> None:
    errors, routes = PAGE.partition("## Routes")[::2]

    assert [
        code for code, (status, said) in PROBLEMS.items() if f"| `{code}` | {status} | {said} |" not in errors
    ] == []
    said = [f"| {each.method} | `{each.path}` | {each.role} | {each.summary} |" for each in OPERATIONS]
    assert [row for row in said if row not in routes] == []
    assert len(said) > 60


def test_the_limits_on_the_page_are_those_that_are_kept() -> None:
    usual = Settings()
    said = {row[0]: row[1] for row in rows("Limits")}

    assert said["body"] == f"{usual.body_max // 1024} KiB"
    assert said["depth of JSON"] == str(usual.depth_max)
    assert said["name"] == f"1 to {NAME_MAX} printable characters"
    assert said["client seed"] == f"up to {seeds.CLIENT_SEED_MAX} bytes, in lower-case hex"
    requests = f"{usual.requests_burst} at once, then {1000 // usual.requests_refill_ms} a second"
    assert said["requests, of an account and of an address"] == requests
    openings = f"{usual.registrations_burst} at once, then {60_000 // usual.registrations_refill_ms} a minute"
    assert said["accounts and recoveries, from an address"] == openings
    assert said["tokens of an account"] == str(accounts.TOKENS_EACH)
    assert said["items on a page"] == "100"
    assert {
        getattr(each.query(), "limit", 0) for each in OPERATIONS if each.query and each.name.startswith("list_")
    } == {50}
    assert f"good for {usual.token_days} days" in PAGE
    assert CODE_CHARACTERS in PAGE
