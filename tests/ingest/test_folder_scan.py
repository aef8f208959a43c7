from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app import caps
from app.errors import FileAccessError
from app.ingest.files import file_path
from app.ingest.folders.scan import checked_folder, scan_folder


def write(path: Path, text: str = "# Notes\n\nSome text.\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(root: Path) -> set[str]:
    return {file_path(url).relative_to(root).as_posix() for url in scan_folder(root).files}


def test_texts_of_known_kinds_are_found_at_any_depth(tmp_path: Path) -> None:
    for name in ("a.md", "b.PDF", "deep/er/c.html", "deep/d.txt", "e.mht", "g.rst", "x.py", "y.png", "README"):
        write(tmp_path / name)
    assert names(tmp_path) == {"a.md", "b.PDF", "deep/er/c.html", "deep/d.txt", "e.mht", "g.rst", "x.py"}


def test_hidden_files_and_folders_of_tools_are_passed_over(tmp_path: Path) -> None:
    for name in (".hidden.md", ".git/x.md", "node_modules/y.md", "sub/__pycache__/z.md", "~$open.md", "kept.md"):
        write(tmp_path / name)
    assert names(tmp_path) == {"kept.md"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_links_and_devices_are_never_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    write(outside / "secret.md")
    write(root / "kept.md")
    (root / "linked").symlink_to(outside)
    (root / "linked.md").symlink_to(outside / "secret.md")
    (root / "circle").symlink_to(root)
    (root / "broken.md").symlink_to(root / "nothing")
    os.mkfifo(root / "pipe.md")
    assert names(root) == {"kept.md"}


def test_the_limits_of_files_depth_and_size_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_FOLDER_FILES", 5)
    monkeypatch.setattr(caps, "MAX_FOLDER_DEPTH", 2)
    monkeypatch.setattr(caps, "MAX_FILE_BYTES", 100)
    write(tmp_path / "1/2/in.md")
    write(tmp_path / "1/2/3/out.md")
    large = write(tmp_path / "large.md", "x" * 101)
    scan = scan_folder(tmp_path)
    assert names(tmp_path) == {"1/2/in.md"} and scan.too_large == [large] and scan.is_cut
    for number in range(10):
        write(tmp_path / f"{number}.md")
    assert len(scan_folder(tmp_path).files) == 5 and scan_folder(tmp_path).is_cut


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind here")
def test_a_folder_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    write(tmp_path / "kept.md")
    closed = tmp_path / "closed"
    write(closed / "x.md")
    closed.chmod(0)
    try:
        assert scan_folder(tmp_path).unread == [closed] and names(tmp_path) == {"kept.md"}
    finally:
        closed.chmod(0o700)


def test_a_folder_that_is_away_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        scan_folder(tmp_path / "gone")


def test_disks_and_home_folders_are_rejected(tmp_path: Path, own_home: Path) -> None:
    file = write(tmp_path / "file.md")
    for path in (Path("/"), own_home, own_home.parent, tmp_path / "none", file, Path("~")):
        with pytest.raises(FileAccessError):
            checked_folder(path)
    notes = own_home / "notes"
    notes.mkdir()
    assert checked_folder(Path("~/notes")) == notes.resolve() == checked_folder(notes / ".." / "notes")
