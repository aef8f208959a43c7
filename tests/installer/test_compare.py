"""compare.py names the innermost member that differs, and what differs."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard

import compare
import packages


def zipped(text: str, year: int = 2026) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(zipfile.ZipInfo("same.txt", (2026, 1, 1, 0, 0, 0)), "same")
        archive.writestr(zipfile.ZipInfo("text.txt", (year, 1, 1, 0, 0, 0)), text)
    return target.getvalue()


def tarred(mtime: int, *names: str, content: bytes = b"a") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(content), mtime
            archive.addfile(entry, io.BytesIO(content))
    return target.getvalue()


def packed(data: bytes, time: int = 5, name: str = "data.tar.zst") -> bytes:
    """Return a Debian package with one member."""
    head = f"{name:16}{time:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n"
    return packages.AR + head.encode() + data + b"\n" * (len(data) % 2)


def compared(tmp_path: Path, name: str, one: bytes, two: bytes) -> list[str]:
    for folder, data in (("one", one), ("two", two)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(data)
    return list(compare.differences(compare.folder(tmp_path / "one"), compare.folder(tmp_path / "two")))


@pytest.mark.parametrize(
    ("name", "one", "two", "expected"),
    [
        ("a.zip", zipped("one"), zipped("one"), []),
        ("a.txt", b"built 1", b"built 2", ["a.txt: content, 1 of 7 bytes, from 6: b'built 1' and b'built 2'"]),
        (
            "a.whl",
            zipped("one", 2025),
            zipped("two"),
            [
                "a.whl > text.txt: time (2025, 1, 1, 0, 0, 0) and (2026, 1, 1, 0, 0, 0)",
                "a.whl > text.txt: content, 3 of 3 bytes, from 0: b'one' and b'two'",
            ],
        ),
        (
            "a.deb",
            packed(zstandard.compress(tarred(1, "x")), 1),
            packed(zstandard.compress(tarred(2, "x")), 2),
            ["a.deb > data.tar.zst: time 1 and 2", "a.deb > data.tar.zst > x: time 1 and 2"],
        ),
        (
            "a.tar.gz",
            gzip.compress(tarred(1, "x", "y", "z"), mtime=1),
            gzip.compress(tarred(1, "y", "x"), mtime=1),
            ["a.tar.gz > z: only in the first", "a.tar.gz > : order"],
        ),
        (
            "changelog.gz",
            gzip.compress(b"same", mtime=1),
            gzip.compress(b"same", mtime=2),
            ["changelog.gz > time: content, 1 of 4 bytes, from 0: b'\\x01\\x00\\x00\\x00' and b'\\x02\\x00\\x00\\x00'"],
        ),
        (
            "a.rpm",
            compare.RPM + b"one" + zstandard.compress(b"files"),
            compare.RPM + b"two" + zstandard.compress(b"files"),
            [
                "a.rpm > headers: content, 3 of 7 bytes, from 4: b'\\xed\\xab\\xee\\xdbone' and b'\\xed\\xab\\xee\\xdbtwo'"
            ],
        ),
    ],
)
def test_the_innermost_difference_is_named(
    tmp_path: Path, name: str, one: bytes, two: bytes, expected: list[str]
) -> None:
    assert compared(tmp_path, name, one, two) == expected


def test_missing_files_and_changed_rights_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "program").write_bytes(b"x")
    assert compare.main([str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    (tmp_path / "one" / "program").chmod(0o755)
    (tmp_path / "two" / "link").symlink_to("program")
    assert compare.main([str(tmp_path / "one"), str(tmp_path / "two")]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "no difference" and said[1] == "link: only in the second"
    assert said[2].startswith("program: mode ") and said[3] == "2 differences"


def test_the_files_of_a_debian_package_are_compressed_for_dpkg() -> None:
    other = packed(b"2.0", name="debian-binary")[len(packages.AR) :]
    made = packages.compressed(packed(tarred(1, "x", content=bytes(2_000_000)), name="data.tar") + other)
    members = compare.members(made)
    assert list(members) == ["data.tar.zst", "debian-binary"] and members["debian-binary"].data == b"2.0"
    assert zstandard.get_frame_parameters(members["data.tar.zst"].data).window_size <= 2**27
    assert compare.members(members["data.tar.zst"].data)["x"].data == bytes(2_000_000)
    assert members["data.tar.zst"].facts == compare.members(packed(b""))["data.tar.zst"].facts
