"""The AppImage unpacks once, starts the program inside, and removes unused versions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import appimage
import facts

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        sys.platform != "linux" or shutil.which("mksquashfs") is None or not Path("/", appimage.HEADER).is_file(),
        reason="needs mksquashfs and libsquashfuse (installer/linux/system-packages.sh appimage)",
    ),
]
SCRIPT = '#!/bin/sh\necho "$APPIMAGE" "$APPDIR" "$OWD" "$@"\ncat "$APPDIR/sub/link"\nif [ "$1" = wait ]; then read -r _; fi\n'
TEXT = "words\n" * 50_000
SECONDS = 60


def image(folder: Path, text: str) -> Path:
    inside = folder / "AppDir"
    (inside / "sub").mkdir(parents=True)
    (inside / "AppRun").write_text(SCRIPT)
    (inside / "AppRun").chmod(0o755)
    (inside / "sub" / "file").write_text(text)
    (inside / "sub" / "link").symlink_to("file")
    return appimage.make(inside, folder / "WebRAG.AppImage")


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build two versions."""
    first, second = (image(tmp_path_factory.mktemp("image"), text) for text in (TEXT, "newer\n"))
    return first, second


Start = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    def start(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(program), *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=variables(tmp_path), capture_output=True, text=True, check=False, timeout=SECONDS
        )

    return start


def variables(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(folder / "cache")}


def unpacked(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "cache" / "webrag-appimage").iterdir() if path.is_dir())


def test_it_is_an_appimage_of_type_2(images: tuple[Path, Path], start: Start) -> None:
    head = images[0].read_bytes()
    assert head[:4] == b"\x7fELF" and head[8:11] == b"AI\x02"
    offset = int(start(images[0], "--appimage-offset").stdout)
    assert head[offset : offset + 4] == b"hsqs"
    needs = subprocess.run(["ldd", images[0]], capture_output=True, text=True, check=False)
    assert "not a dynamic executable" in needs.stderr


def test_it_unpacks_once_and_starts_the_program_inside(images: tuple[Path, Path], start: Start, tmp_path: Path) -> None:
    done = start(images[0], "mcp", "two words")
    [folder] = unpacked(tmp_path)
    first, _, rest = done.stdout.partition("\n")
    assert (first, rest) == (f"{images[0]} {folder} {tmp_path} mcp two words", TEXT)
    assert folder.name == facts.sha256(images[0].with_name("image.squashfs"))
    (folder / "sub" / "file").write_text("not unpacked again")
    assert start(images[0]).stdout.endswith("not unpacked again")
    assert start(images[0], "--appimage-extract-and-run", "x").stdout.split("\n")[0].endswith(f"{tmp_path} x")
    (folder / "AppRun").unlink()
    assert start(images[0]).stderr.endswith(f". Remove {folder} and start again\n")


def test_programs_that_start_at_once_share_one_folder(images: tuple[Path, Path], tmp_path: Path) -> None:
    running = [
        subprocess.Popen([images[0]], env=variables(tmp_path), stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert all(process.communicate(timeout=SECONDS)[0].endswith(TEXT) for process in running)
    assert len(unpacked(tmp_path)) == 1


def test_an_older_version_is_deleted_when_nothing_runs_from_it(
    images: tuple[Path, Path], start: Start, tmp_path: Path
) -> None:
    older, newer = images
    with subprocess.Popen(
        [older, "wait"], env=variables(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        [folder] = unpacked(tmp_path)
        start(newer)
        assert folder in unpacked(tmp_path) and len(unpacked(tmp_path)) == 2
        running.communicate("\n", timeout=SECONDS)
    shutil.rmtree(next(other for other in unpacked(tmp_path) if other != folder))
    start(newer)
    assert folder not in unpacked(tmp_path) and len(unpacked(tmp_path)) == 1


def test_a_damaged_file_is_reported_and_nothing_is_stored(
    images: tuple[Path, Path], start: Start, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.AppImage"
    whole = images[0].read_bytes()
    offset = int(start(images[0], "--appimage-offset").stdout)
    damaged.write_bytes(whole[: offset + 96] + bytes(len(whole) - offset - 96))
    damaged.chmod(0o755)
    done = start(damaged)
    assert done.returncode == 127
    assert done.stderr == "WebRAG: the file is damaged. Download it again and compare its checksum\n"
    assert unpacked(tmp_path) == []


def test_a_folder_that_others_may_change_is_refused(images: tuple[Path, Path], start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "webrag-appimage"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    done = start(images[0])
    assert done.returncode == 127 and "only you can change" in done.stderr
    folder.rmdir()
    folder.symlink_to(tmp_path)
    assert "only you can change" in start(images[0]).stderr


def test_extracting_by_hand_and_unknown_options(images: tuple[Path, Path], start: Start, tmp_path: Path) -> None:
    assert start(images[0], "--appimage-extract").returncode == 0
    assert (tmp_path / "squashfs-root" / "sub" / "link").read_text() == TEXT
    done = start(images[0], "--appimage-mount")
    assert done.returncode == 127 and "--appimage-extract" in done.stderr


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(appimage, "HEADER", "usr/include/none.h")
    with pytest.raises(facts.CannotBuildError, match=r"squashfuse is missing .*system-packages\.sh appimage"):
        appimage.make(tmp_path, tmp_path / "x.AppImage")
