"""The page of commands, as the site has it: every command and every option is on it, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.cli.app import COMMANDS
from tests.docs.conftest import Shell
from tools.site_pages import on_page_markdown

PAGE = on_page_markdown((Path(__file__).parents[2] / "docs" / "cli.md").read_text())
SECTIONS = dict(re.findall(r"^## croupier (\w+)$(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))
LONG_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def test_every_command_has_a_section() -> None:
    assert set(SECTIONS) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_told(command: str, shell: Shell) -> None:
    helped, _ = shell(f"croupier {command} --help")
    (options,) = re.findall(r"^Options:$(.*)", helped, flags=re.MULTILINE | re.DOTALL)

    known = set(LONG_OPTION.findall(options)) - {"--help"}
    assert known == set(LONG_OPTION.findall(SECTIONS[command])) - {"--help"}
