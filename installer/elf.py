"""Find the system requirements of the programs in a folder: shared libraries outside the folder, and the version of the C library."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from facts import require_tool

MAGIC: Final = b"\x7fELF"
_NEEDED: Final = re.compile(r"^\s+NEEDED\s+(\S+)", re.MULTILINE)
_GLIBC: Final = re.compile(r"\bGLIBC_(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Demands:
    """Names of shared libraries, and the minimum version of glibc."""

    libraries: frozenset[str]
    glibc: tuple[int, int]


def demands(folder: Path) -> Demands:
    """Read every binary of a folder. Raises CannotBuildError without objdump."""
    objdump = require_tool("objdump", "package binutils")
    binaries = [path for path in sorted(folder.rglob("*")) if is_elf(path)]
    inside = {path.name for path in folder.rglob("*")}
    needed: set[str] = set()
    glibc = (2, 17)
    for part in _portions(binaries):
        said = subprocess.run([objdump, "-p", *map(str, part)], capture_output=True, text=True, check=True).stdout
        needed.update(_NEEDED.findall(said))
        glibc = max([glibc, *((int(major), int(minor)) for major, minor in _GLIBC.findall(said))])
    return Demands(frozenset(needed - inside), glibc)


def is_elf(path: Path) -> bool:
    """Whether a file is an ELF program or library."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


def _portions(paths: list[Path], size: int = 100) -> Iterable[list[Path]]:
    return (paths[start : start + size] for start in range(0, len(paths), size))
