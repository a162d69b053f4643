"""Files: whole or not at all, safe names, and the player's folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click import Context
from hypothesis import given
from hypothesis import strategies as st

from croupier.cli.commands.play import play
from croupier.cli.errors import Usage
from croupier.cli.files import Folder, check_writable, data_folder, open_match, save_client, write_file
from croupier.cli.inputs import complete_saves
from croupier.engine import MatchClient, act, create_match
from croupier.errors import CroupierError
from croupier.games.shut_the_box import ShutTheBox


def a_client(moves: int = 1) -> MatchClient:
    game = ShutTheBox()
    client = MatchClient(game, create_match(game, ["Ann"], seed=b"\0"))
    for number in range(moves):
        client.dispatch(act("shut", tiles=[4]) if number % 2 else act("roll"))
    return client


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path, path):
    path.write_bytes(b"old")

    write_file(path, b"new")

    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["g.json"]


def test_when_writing_fails_the_old_file_is_still_there(tmp_path, path, monkeypatch):
    path.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_file(path, b"new")

    assert caught.value.filename == str(path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["g.json"])


def test_a_link_keeps_pointing_at_the_file_it_points_at(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")

    write_file(tmp_path / "link", b"new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced():
    write_file("/dev/null", b"new")

    assert not Path("/dev/null").is_file()


def test_a_pipe_without_a_name_is_written_to(monkeypatch):
    monkeypatch.setattr(os, "access", lambda *asked: False)  # as its folder answers all but root
    reading, writing = os.pipe()

    check_writable(f"/dev/fd/{writing}")
    write_file(f"/dev/fd/{writing}", b"new")

    assert os.read(reading, 9) == b"new"
    os.close(reading)
    os.close(writing)


def test_an_unwritable_path_is_refused_before_the_match(tmp_path):
    check_writable(str(tmp_path / "g.json"))
    with pytest.raises(FileNotFoundError):
        check_writable(str(tmp_path / "none" / "g.json"))
    with pytest.raises(IsADirectoryError):
        check_writable(str(tmp_path))


@given(name=st.text(min_size=1, max_size=20))
def test_any_name_stays_inside_the_folder_and_comes_back(tmp_path_factory, name: str) -> None:
    folder = Folder(tmp_path_factory.mktemp("folder"))

    folder[name] = b"data"

    assert folder.file(name).resolve().parent == folder.path.resolve()
    assert not folder.file(name).name.startswith(".")
    assert (list(folder), folder[name]) == ([name], b"data")
    del folder[name]
    assert (len(folder), name in folder) == (0, False)


@pytest.mark.parametrize("name", ["", "x" * 201, "é" * 100], ids=len)
def test_no_name_and_an_endless_name_are_refused(tmp_path, name):
    with pytest.raises(Usage):
        Folder(tmp_path)[name] = b""


def test_a_missing_save_folder_is_empty_and_other_files_in_it_are_ignored(tmp_path):
    for name in ("a.b.json", ".json", "notes.txt"):
        (tmp_path / name).write_bytes(b"")

    assert (list(Folder(tmp_path)), list(Folder(tmp_path / "none"))) == ([], [])
    with pytest.raises(KeyError):
        Folder(tmp_path / "none")["x"]


def test_the_data_folder_follows_the_standard(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder() == Path("/data/croupier")
    monkeypatch.setenv("HOME", "/home/ann")
    for not_absolute in ("", "data"):
        monkeypatch.setenv("XDG_DATA_HOME", not_absolute)
        assert data_folder() == Path("/home/ann/.local/share/croupier")


@pytest.fixture
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "croupier"


def test_a_save_comes_back_with_its_log(own_home):
    client = a_client(2)
    save_client("one", client, None)

    kept = open_match("one")

    assert kept.client.get_state() == client.get_state()
    assert [entry.action for entry in kept.client.get_log()] == [entry.action for entry in client.get_log()]


def test_a_record_that_does_not_lead_to_the_save_is_ignored(own_home):
    save_client("one", a_client(2), None)
    save_client("two", a_client(1), None)
    (own_home / "records" / "one.json").write_bytes((own_home / "records" / "two.json").read_bytes())
    (own_home / "records" / "two.json").write_bytes(b"nonsense")

    assert [open_match(slot).client.base.version for slot in ("one", "two")] == [2, 1]


def test_no_save_makes_way_for_another_and_a_log_goes_with_the_save_that_was_deleted(own_home, run):
    for number in range(22):
        save_client(f"slot {number:02}", a_client(), None)
    listed = run("play", "--load", "none").stderr
    (own_home / "saves" / "slot 00.json").unlink()
    save_client("slot 01", a_client(), None)

    assert "saves are: 'slot 00', " in listed
    assert "'slot 21' [usage]" in listed
    kept = [f"slot {number:02}.json" for number in range(1, 22)]
    assert sorted(os.listdir(own_home / "saves")) == kept
    assert sorted(os.listdir(own_home / "records")) == kept
    assert complete_saves(Context(play), play.params[0], "slot 2") == ["slot 20", "slot 21"]


def test_a_save_in_any_file_can_be_opened(own_home, path):
    path.write_bytes(save_client("one", a_client(), None).read_bytes())

    assert open_match(str(path)).client.get_state() == a_client().get_state()


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"saved_at":1}', b'{"schema":1}', b"\xff", b"[" * 100_000])
def test_a_file_that_holds_no_match_is_refused_in_words(own_home, path, data):
    path.write_bytes(data)

    with pytest.raises(CroupierError, match=r"the (record|save)"):
        open_match(str(path))
