"""The commands that start our programs, for every kind of installation, and the files that we replace."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.paths import program, replace_file


@pytest.fixture
def mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a running AppImage: its files are in a folder that is removed when it exits."""
    folder = tmp_path / "mount"
    (folder / "usr" / "lib").mkdir(parents=True)
    (folder / "usr" / "lib" / "webrag").touch()
    monkeypatch.setenv("APPIMAGE", "/home/ada/Applications/WebRAG.AppImage")
    monkeypatch.setenv("APPDIR", str(folder))
    return folder / "usr" / "lib"


def test_a_program_next_to_the_interpreter(tmp_path: Path) -> None:
    (tmp_path / "webrag").touch()
    assert program("webrag", "app", str(tmp_path / "python")) == [str(tmp_path / "webrag")]


def test_the_module_if_there_is_no_program(tmp_path: Path) -> None:
    python = str(tmp_path / "python")
    assert program("webrag", "app", python) == [python, "-m", "app"]


def test_a_renamed_frozen_program_is_its_own_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert program("webrag", "app", str(tmp_path / "webrag-copy")) == [str(tmp_path / "webrag-copy")]


def test_the_image_inside_an_image(mounted: Path) -> None:
    assert program("webrag", "app", str(mounted / "webrag")) == ["/home/ada/Applications/WebRAG.AppImage"]


def test_a_child_of_another_image_is_not_that_image(mounted: Path, tmp_path: Path) -> None:
    (tmp_path / "webrag").touch()
    assert program("webrag", "app", str(tmp_path / "webrag")) == [str(tmp_path / "webrag")]


def test_an_image_without_its_folder_is_ignored(mounted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("APPDIR")
    assert program("webrag", "app", str(mounted / "webrag")) == [str(mounted / "webrag")]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not have these permissions")
@pytest.mark.parametrize(("before", "mode"), [(0o600, 0o666), (0o644, 0o600)])
def test_a_replaced_file_is_not_readable_by_more_users(tmp_path: Path, before: int, mode: int) -> None:
    file = tmp_path / "settings.toml"
    file.touch(before)
    replace_file(file, "new\n", mode)
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new\n", 0o600)


def test_a_missing_folder_that_the_user_chose_is_not_created(tmp_path: Path) -> None:
    file = tmp_path / "disk" / "notes.txt"
    with pytest.raises(FileNotFoundError):
        replace_file(file, "text", makes_folder=False)
    replace_file(file, "text")
    assert file.read_text("utf-8") == "text"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    file, link = tmp_path / "dotfiles" / "config.toml", tmp_path / "config.toml"
    link.symlink_to(file)
    for text in ("new", "newer"):
        replace_file(link, text)
        assert (link.is_symlink(), file.read_text("utf-8")) == (True, text)
    assert list(file.parent.iterdir()) == [file]
