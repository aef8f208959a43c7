"""Compare two builds member by member: compare.py ONE TWO. Folders, packages, archives and frozen programs are opened.

Prints one line per difference with the path of the member and what differs: content, time, mode, owner or order. The exit status is 1 if
something differs.
"""

from __future__ import annotations

import gzip
import importlib
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import zstandard

from packages import AR, AR_HEADER

CONTEXT: Final = 20
"""Bytes to print before and after the first different one."""
SQUASHFS: Final = b"hsqs"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
PYZ: Final = b"PYZ\0"
FROZEN: Final = b"MEI\014\013\012\013\016"
"""The mark of PyInstaller near the end of a program."""
FROZEN_END: Final = 8192
RPM: Final = b"\xed\xab\xee\xdb"


@dataclass(frozen=True, slots=True)
class Member:
    """A part of a file: what it contains, and facts about it such as its time."""

    data: bytes
    facts: dict[str, object] = field(default_factory=dict)


def main(arguments: list[str]) -> int:
    """Print the differences. Returns 2 for a wrong command line."""
    if len(arguments) != 2:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    found = 0
    for line in differences(folder(Path(arguments[0])), folder(Path(arguments[1]))):
        print(line, flush=True)
        found += 1
    print(f"{found} differences" if found else "no difference")
    return int(bool(found))


def folder(path: Path) -> dict[str, Member]:
    """Return the files of a folder, or one file. Links contain their target."""
    if path.is_file():
        return {"file": Member(path.read_bytes())}
    return {
        each.relative_to(path).as_posix(): Member(
            str(each.readlink()).encode() if each.is_symlink() else each.read_bytes(), {"mode": each.lstat().st_mode}
        )
        for each in sorted(path.rglob("*"))
        if each.is_symlink() or each.is_file()
    }


def differences(one: dict[str, Member], two: dict[str, Member], inside: str = "") -> Iterator[str]:
    """Yield each difference, in the innermost member that has it."""
    for name in sorted(one.keys() ^ two.keys()):
        yield f"{inside}{name}: only in the {'first' if name in one else 'second'}"
    both = [name for name in one if name in two]
    if both != [name for name in two if name in one]:
        yield f"{inside or 'files'}: order"
    for name in both:
        yield from _differences(one[name], two[name], inside + name)


def _differences(one: Member, two: Member, name: str) -> Iterator[str]:
    for fact in one.facts:
        if one.facts[fact] != two.facts[fact]:
            yield f"{name}: {fact} {one.facts[fact]} and {two.facts[fact]}"
    if one.data == two.data:
        return
    parts = members(one.data), members(two.data)
    deeper = [] if not all(parts) else list(differences(*parts, f"{name} > "))
    yield from deeper or [f"{name}: content, {_bytes(one.data, two.data)}"]


def _bytes(one: bytes, two: bytes) -> str:
    """Return how many bytes differ, and the text around the first."""
    shared = min(len(one), len(two))
    unequal = np.flatnonzero(np.frombuffer(one, np.uint8, shared) != np.frombuffer(two, np.uint8, shared))
    at = int(unequal[0]) if len(unequal) else shared
    sizes = f"{len(one)} and {len(two)} bytes" if len(one) != len(two) else f"{len(unequal)} of {len(one)} bytes"
    around = (data[max(at - CONTEXT, 0) : at + CONTEXT] for data in (one, two))
    return f"{sizes}, from {at}: {' and '.join(map(repr, around))}"


def members(data: bytes) -> dict[str, Member]:
    """Return the parts of an archive in their order, or nothing if the format is unknown."""
    if data.startswith(AR):
        return dict(_ar(data))
    if data.startswith(RPM):
        return _rpm(data)
    if data.startswith(ZSTD):
        plain = zstandard.ZstdDecompressor().decompressobj().decompress(data)
        return members(plain) or {"zstd": Member(plain)}
    if data[:4] == b"PK\3\4":
        return _zip(data)
    if data[:2] == b"\x1f\x8b":
        plain = gzip.decompress(data)
        return {"time": Member(data[4:8]), **(members(plain) or {"gzip": Member(plain)})}
    if data[257:262] == b"ustar":
        return dict(_tar(data))
    if data.startswith(PYZ):
        return _pyz(data)
    if FROZEN in data[-FROZEN_END:]:
        return _frozen(data)
    if data[8:11] == b"AI\2":
        return _appimage(data)
    return {}


def _ar(data: bytes) -> Iterator[tuple[str, Member]]:
    at = len(AR)
    while at < len(data):
        head = data[at : at + AR_HEADER].decode("ascii")
        size = int(head[48:58])
        at += AR_HEADER
        facts: dict[str, object] = {
            "time": head[16:28].strip(),
            "owner": head[28:40].strip(),
            "mode": head[40:48].strip(),
        }
        yield head[:16].strip(" /"), Member(data[at : at + size], facts)
        at += size + size % 2


def _tar(data: bytes) -> Iterator[tuple[str, Member]]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for each in archive:
            content = archive.extractfile(each) if each.isfile() else None
            owner = (each.uid, each.gid, each.uname, each.gname)
            facts: dict[str, object] = {"time": each.mtime, "mode": each.mode, "owner": owner}
            yield each.name, Member(content.read() if content else each.linkname.encode(), facts)


def _zip(data: bytes) -> dict[str, Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {
            each.filename: Member(archive.read(each), {"time": each.date_time, "mode": each.external_attr >> 16})
            for each in archive.infolist()
        }


def _rpm(data: bytes) -> dict[str, Member]:
    """Split the headers from the files, which is a zstd frame with a cpio archive."""
    at = data.find(ZSTD)
    return {"headers": Member(data[:at]), "files": Member(data[at:])} if at > 0 else {}


def _appimage(data: bytes) -> dict[str, Member]:
    """Split the runtime from the image, and unpack the image with unsquashfs."""
    at = next(place for place in range(0, len(data), 4) if data[place : place + 4] == SQUASHFS)
    with tempfile.TemporaryDirectory() as scratch:
        image = Path(scratch, "image")
        image.write_bytes(data[at:])
        unpack = ["unsquashfs", "-no-progress", "-quiet", "-dest", f"{scratch}/files", str(image)]
        subprocess.run(unpack, check=True, stdout=subprocess.DEVNULL)
        times = subprocess.run(["unsquashfs", "-stat", image], check=True, capture_output=True).stdout
        files = folder(Path(scratch, "files"))
    return {"runtime": Member(data[:at]), "image": Member(times), **files}


def _frozen(data: bytes) -> dict[str, Member]:
    """Return the parts of a program that PyInstaller made, and its head."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        archive = readers().CArchiveReader(file.name)
        parts = {name: Member(archive.extract(name)) for name in archive.toc}
        return {"head": Member(data.replace(archive.raw_pkg_data(), b"")), **parts}


def _pyz(data: bytes) -> dict[str, Member]:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        archive = readers().ZlibArchiveReader(file.name)
        return {name: Member(archive.extract(name, raw=True) or b"") for name in archive.toc}


def readers() -> Any:
    """Return the module of PyInstaller, which has no types."""
    return importlib.import_module("PyInstaller.archive.readers")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
