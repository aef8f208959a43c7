"""Freeze both programs for Windows under Wine, pack a setup program, and print the sizes: windows_setup.py [--again].

Uses the build.spec and NSIS script of Windows, with Python from python.org and the Windows packages of the lock file in the prefix of
windows_under_wine.py. Creates build/windows-setup/webrag (the folder), WebRAG-VERSION-setup.exe and a quickly packed older version for
installer/try_setup.py. --again packs the existing folder. Returns 75 if Wine or a package is not available, and 1 if the folder contains
forbidden files, lacks required ones, or the setup program is larger than MAX_SETUP_BYTES.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

import nsis
from facts import DIST, NAME, ROOT, CannotBuildError, version
from windows_under_wine import COMPILER, STAND_INS, UNAVAILABLE, Place, UnavailableError, windows_path

FOLDER: Final = ROOT / "build" / "windows-setup"
PROGRAMS: Final = FOLDER / "webrag"
OLDER: Final = "0.0.9"
ONLY_IN_OLDER: Final = Path("_internal", "gone-with-an-update.txt")
MAX_SETUP_BYTES: Final = 150_000_000
CPU: Final = "amd64"
"""CPU type of the setup program. Debian's Wine only runs 32-bit programs with packages of another architecture. The release is 32-bit."""
OBJDUMP: Final = COMPILER.replace("gcc", "objdump")
OF_WINDOWS: Final = frozenset({"ucrtbase.dll", *STAND_INS})
"""Parts of Windows or of the test. A program that includes them cannot be shipped."""
RUNTIME: Final = re.compile(r"(?:msvcp|vcruntime|concrt|vcomp|vccorlib|mfc)\d\w*\.dll")
"""Runtime of Microsoft's compiler, which a new Windows installation lacks."""


def setup_file(number: str) -> Path:
    return FOLDER / f"WebRAG-{number}-setup.exe"


def main(arguments: list[str]) -> int:
    """Freeze, check the result, pack."""
    try:
        made = make(again="--again" in arguments)
    except (UnavailableError, CannotBuildError) as error:
        print(f"Cannot build the Windows programs here: {error}", file=sys.stderr)
        return UNAVAILABLE
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    size = made.stat().st_size
    print(f"{made.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    return int(size > MAX_SETUP_BYTES)


def build(_kind: str) -> Path:
    """Build the setup program in dist/. Raises CannotBuildError, CalledProcessError, and ValueError for wrong files."""
    try:
        return Path(shutil.copy(make(), DIST))
    except UnavailableError as error:
        raise CannotBuildError(str(error)) from error


def make(*, again: bool = False) -> Path:
    """Freeze, check and pack the programs; `again` packs the existing ones.

    Raises UnavailableError, CannotBuildError, CalledProcessError, and ValueError for wrong files.
    """
    place = Place.default()
    place.make()
    if not again:
        freeze(place)
    if wrong := faults(PROGRAMS):
        raise ValueError("\n".join(wrong))
    return pack()


def freeze(place: Place) -> None:
    """Build PROGRAMS again. Raises CannotBuildError."""
    began = time.monotonic()
    add_metadata(place.packages)
    shutil.rmtree(FOLDER, ignore_errors=True)
    folders = (f"--{name}path={windows_path(path)}" for name, path in (("dist", FOLDER), ("work", FOLDER / "work")))
    status = place.run("-m", "PyInstaller", "--noconfirm", "--clean", "--log-level=WARN", *folders, "build.spec")
    if status or not (PROGRAMS / "webrag-desktop.exe").is_file():
        raise CannotBuildError(f"PyInstaller ended with {status}")
    files = [path for path in PROGRAMS.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"frozen in {time.monotonic() - began:.0f} s: {size / 1e6:.0f} MB in {len(files)} files")


def add_metadata(packages: Path) -> None:
    """Add the metadata of the project, which build.spec reads. It is the same on every system, so it comes from this environment."""
    for old in packages.glob(f"{NAME.replace('-', '_')}-*.dist-info"):
        shutil.rmtree(old)
    [found] = {Path(str(file.locate())).parent for file in distribution(NAME).files or () if file.name == "METADATA"}
    shutil.copytree(found, packages / found.name)


def faults(folder: Path) -> list[str]:
    """List files that belong to Windows, and missing runtime libraries of the compiler."""
    inside = {path.name.lower(): path for path in folder.rglob("*") if path.suffix.lower() in {".dll", ".exe", ".pyd"}}
    foreign = sorted(name for name in inside if name in OF_WINDOWS or name.startswith("api-ms-win-"))
    wanted = {
        needed: name
        for name, path in inside.items()
        for needed in imports(path)
        if RUNTIME.fullmatch(needed) and needed not in inside
    }
    return [
        *(f"{name} belongs to Windows and must not be included" for name in foreign),
        *(f"{needed} is missing, and {name} needs it" for needed, name in sorted(wanted.items())),
    ]


def imports(program: Path) -> set[str]:
    """Return the libraries that a program imports, in lower case. Raises CannotBuildError."""
    done = subprocess.run([OBJDUMP, "--private-headers", program], capture_output=True, check=False)
    if done.returncode:
        raise CannotBuildError(f"{OBJDUMP} cannot read {program.name}")
    return {name.decode().lower() for name in re.findall(rb"DLL Name: (\S+)", done.stdout)}


def pack() -> Path:
    """Pack both setup programs and return the current version. Raises CannotBuildError and CalledProcessError."""
    extra = PROGRAMS / ONLY_IN_OLDER
    extra.write_text("A file of an older version.\n", encoding="utf-8")
    try:
        nsis.pack(PROGRAMS, setup_file(OLDER), OLDER, cpu=CPU, quickly=True)
    finally:
        extra.unlink()
    return nsis.pack(PROGRAMS, setup_file(version()), cpu=CPU)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
