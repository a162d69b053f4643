"""The command as a process of its own: real pipes, a real terminal, signals, and packages that are broken."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.engine import read_record
from tests.unit.cli.pty_terminal import ESCAPES, PATIENCE


def test_a_match_at_a_real_terminal(terminal, tmp_path):
    """The whole story: menu, commitment, board, a wrong word, a choice, undo, a hint, quitting; then the record."""
    path = tmp_path / "g.json"
    at = terminal("play", "-v", "--record", str(path))

    at.until("which game? ")
    at.type("shut-the-box\n")
    board = at.until("\n> ")
    assert re.search(r"commitment [0-9a-f]{64}\n", board)
    assert "│  1 ││  2 ││  3 ││  4 ││  5 ││  6 ││  7 ││  8 ││  9 │" in board
    assert max(map(len, board.splitlines())) <= 80
    at.type("\n")
    rolled = at.until("\n> ")
    assert "You rolled" in rolled
    assert "to shut" in rolled
    at.type("shut 99\n")
    assert "no: there is no tile 99; this box has tiles 1 to 9 [no_such_tile]" in at.until("\n> ")
    at.type("h\n")
    assert "best" in at.until("\n> ")
    at.type("1\n")
    assert "You shut" in at.until("\n> ")
    at.type("u\n")
    assert "back at version 1" in at.until("\n> ")
    at.type("q\n")
    assert at.leave() == 0
    assert len(read_record(path.read_bytes()).actions) == 1


def test_the_tab_key_completes_bets_and_actions_at_the_prompt(terminal, tmp_path):
    at = terminal("play", "roulette", XDG_DATA_HOME=str(tmp_path))
    at.prompt()
    at.type("bla\t10\n")
    assert at.prompt().startswith("black 10\n")
    at.type("q\n")
    assert at.leave() == 0


def test_a_question_mark_shows_the_keys_alone_and_rules_are_paged(terminal):
    at = terminal("play", "shut-the-box", "--seed", "00", PAGER="sed 's/^/paged: /'")
    at.prompt()
    at.type("?\n")
    keys = at.prompt()
    at.type("rules\n")
    rules = at.prompt()
    at.type("q\n")

    assert at.leave() == 0
    assert "a hint from the coach" in keys
    assert "How to play" not in keys
    assert "paged: " not in keys
    assert len(re.findall(r"^paged: ", rules, flags=re.MULTILINE)) > 24  # more than a screen


def test_ctrl_d_leaves_with_0(terminal):
    at = terminal("play", "shut-the-box")
    at.until("\n> ")
    at.type("\x04")

    assert at.leave() == 0
    assert b"Traceback" not in at.shown


def test_a_terminal_gets_colours_unless_it_asks_for_none(terminal):
    colour = re.compile(rb"\x1b\[[0-9;]*3[0-9]")

    plain = terminal("coach", "shut-the-box", "1,2:3", NO_COLOR="1")
    coloured = terminal("coach", "shut-the-box", "1,2:3")

    assert (plain.leave(), coloured.leave()) == (0, 0)
    assert colour.search(coloured.shown)
    assert not colour.search(plain.shown)


def test_a_pipe_gets_no_colours_and_whole_lines(shell, tmp_path):
    path = str(tmp_path / "g.json")
    shell("play", "shut-the-box", "--auto", "optimal_score", "--seed", "00", "--record", path)

    answer = shell("verify", path)

    assert b"\x1b" not in answer.stdout
    seal = read_record(Path(path).read_bytes()).record_digest
    assert f"seal        record digest {seal}\n" in answer.stdout.decode()


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_tables_fit_the_terminal_and_break_no_name(terminal, columns):
    at = terminal("games", COLUMNS=str(columns))

    assert at.leave() == 0
    lines = ESCAPES.sub(b"", at.shown).replace(b"\r", b"").decode().splitlines()
    assert max(map(len, lines)) <= columns
    words = {word.strip(",") for line in lines for word in line.split()}
    assert {"ultimate-texas-holdem", "shut-the-box", "three-card-poker"} <= words
    assert {"cash_out_at_once", "always_surrender"} <= words or columns == 60


def test_a_scripted_match_shows_what_was_typed(shell):
    answer = shell("play", "shut-the-box", "--seed", "00", typed=b"\nshut 4\nq\n")

    assert answer.returncode == 0
    assert "\n> shut 4\nYou shut 4\n" in answer.stdout.decode()


def test_bytes_that_are_no_text_break_nothing(shell):
    answer = shell("play", "shut-the-box", "--seed", "00", typed=b"\n\xff\xfe\nshut \x00\nq\n")
    named = shell(b"rules", b"\xff\x1b")
    seeded = shell(b"play", b"shut-the-box", b"--client-seed", b"\xff", b"--auto", b"first", b"--json")

    assert (answer.returncode, answer.stderr) == (0, b"")
    assert named.returncode == 2
    assert b"[unknown_game]" in named.stderr
    assert b"\x1b" not in named.stderr
    assert b'"client_seed": "ff"' in seeded.stdout


def test_an_output_that_holds_only_ascii_breaks_nothing(shell):
    for arguments in (["games"], ["rules", "shut-the-box"], ["play", "shut-the-box", "--auto", "first"]):
        answer = shell(*arguments, PYTHONIOENCODING="ascii")

        assert (answer.returncode, answer.stderr) == (0, b"")


def test_a_reader_who_leaves_early_sees_no_traceback(environment):
    command = f"{sys.executable} -m croupier rules shut-the-box --schema | head -n 1"

    answer = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, timeout=PATIENCE, check=True)

    assert (answer.stdout, answer.stderr) == (b"{\n", b"")
    nobody = f"(sleep 0.2; {sys.executable} -m croupier coach shut-the-box 1,2:3; echo $? >&2) | true"

    answer = subprocess.run(["bash", "-c", nobody], env=environment, capture_output=True, timeout=PATIENCE, check=True)

    assert answer.stderr == b"141\n"  # 1 would say that there is no advice


def test_the_version_needs_neither_rich_nor_a_compiler(environment):
    program = (
        "import sys; sys.argv = ['croupier', '--version']\n"
        "from croupier.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: print(end.code)\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'rich', 'numpy', 'numba', 'markdown_it'}))\n"
        "print([name for name in sys.modules if name.startswith(('croupier.bots', 'croupier.sim'))])\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )

    version, *games, code, heavy, parts = answer.stdout.splitlines()
    assert re.fullmatch(r"croupier \d+\.\d+\.\d+.*", version)
    assert (len(games), code, heavy, parts) == (13, "0", "[]", "[]")


def test_closed_streams_are_an_empty_input_and_an_output_that_is_lost(environment):
    for words, closed, code in (("play shut-the-box", "<&-", 0), ("games --json", ">&-", 0), ("games x", "2>&-", 2)):
        line = f"exec {sys.executable} -m croupier {words} {closed}"
        ended = subprocess.run(["sh", "-c", line], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert (ended.returncode, ended.stderr) == (code, b"")


def test_a_broken_package_is_listed_with_its_error_and_hides_nobody(shell, third_party):
    folder = third_party({"ludo": "no_such_module:Ludo", "chess": "their_chess:Chess"})
    (folder / "their_chess.py").write_text("raise RuntimeError('no board\\nat all')\n")

    listed = shell("games", also_on_path=folder)
    menu = shell("play", typed=b"99\nshut-the-box\nq\n", also_on_path=folder)
    asked = shell("rules", "chess", also_on_path=folder)
    version = shell("--version", also_on_path=folder)
    odds = shell("odds", "--all", "--json", also_on_path=folder)

    text = " ".join(listed.stdout.decode().split())
    assert listed.returncode == 0
    assert "shut-the-box Shut the Box" in text
    assert "ludo the package their-games has a game 'ludo' that does not load: No module named 'no_such_module'" in text
    assert "chess the package their-games has a game 'chess' that does not load: no board at all" in text
    assert menu.returncode == 0
    assert "1 roll" in menu.stdout.decode()
    assert asked.returncode == 2
    assert asked.stderr.endswith(b"[bad_game]\n")
    assert [version.returncode, odds.returncode] == [0, 0]
    assert b"\nludo " in version.stdout
    assert version.stdout.count(b" rules ") == 13
    told = {each["game"]: each.get("error", "") for each in json.loads(odds.stdout)}
    assert "no board at all" in told["chess"]
    assert told["roulette"] == ""


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("croupier pl", ["play"]),
        ("croupier play shut", ["shut-the-box"]),
        ("croupier rules shut", ["shut-the-box"]),
        ("croupier play shut-the-box --bot optimal_sc", ["optimal_score"]),
        ("croupier play shut-the-box --auto rand", ["random"]),
        ("croupier simulate roulette --bet re", ["red="]),
        ("croupier simulate blackjack --policy mim", ["mimic_dealer"]),
        ("croupier play roulette -o zero_rule=la", ["zero_rule=la_partage"]),
        ("croupier play no-such-game --record x --bot zzz", []),
    ],
)
def test_the_shell_completes_commands_games_and_bots(shell, words, completions):
    place = str(len(words.split()) - 1)

    answer = shell(_CROUPIER_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=place)

    assert answer.stdout.decode().split() == [f"plain,{word}" for word in completions]
    assert answer.stderr == b""


@pytest.mark.parametrize(
    ("name", "starts_with"), [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish/config.fish")]
)
def test_completion_is_installed_once_for_the_shell_in_use(shell, tmp_path, name, starts_with):
    options = ("--show-completion", "--install-completion", "--install-completion")
    own = {"HOME": str(tmp_path), "XDG_DATA_HOME": "", "SHELL": f"/usr/bin/{name}"}

    shown, *installed = (shell(option, **own) for option in options)

    script = tmp_path / ".local/share/croupier" / f"completion.{name}"
    assert [answer.returncode for answer in installed] == [0, 0]
    assert f"_CROUPIER_COMPLETE={name}_complete" in shown.stdout.decode()
    assert script.read_bytes() == shown.stdout
    assert (tmp_path / starts_with).read_text().count(f'source "{script}"') == 1


def test_a_shell_without_completion_is_refused(shell):
    answer = shell("--show-completion", SHELL="/bin/tcsh")

    assert answer.returncode == 2
    assert answer.stderr == b"error: completion is for bash, zsh, fish; SHELL=tcsh says which you use [usage]\n"


@pytest.mark.parametrize("game", ["craps", "blackjack", "lanes"])
def test_a_simulation_tells_a_figure_while_it_compiles_and_what_it_knows_at_ctrl_c(terminal, tmp_path, game):
    """Nothing is compiled yet: the engine plays, and a figure is there after 2 s. Ctrl-C is heard within a second.

    Both are seconds of the processor, as others may have it beside us.
    """
    pytest.importorskip("numba", reason="simulation needs croupier[sim]")
    before = os.times()
    at = terminal("simulate", game, "--rounds", "1e12", XDG_CACHE_HOME=str(tmp_path))

    bar = at.until("±")
    first = at.processor_seconds()
    assert at.leave(interrupt=True) == 130
    after = os.times()
    shown = ESCAPES.sub(b"", at.shown).replace(b"\r", b"").decode()
    if game != "lanes":  # which has no kernel
        figures = re.findall(r"compiling, engine: (\d+) rounds, edge -?[0-9.]+% ± ([0-9.]+)%", bar)
        assert figures
        assert all(int(rounds) >= 30 and float(around) > 0 for rounds, around in figures)
    assert first < 2
    whole = after.children_user + after.children_system - before.children_user - before.children_system
    assert whole - first < 1
    assert re.search(r"[0-9,]+ (rounds|matches) in .* s \(", shown)
    assert re.search(r"\nstopped after [0-9,]+ of 1,000,000,000,000 rounds\n", shown)
    assert "Traceback" not in shown
