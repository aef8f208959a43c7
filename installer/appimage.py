"""Build an AppImage, a single executable file for Linux. All its sources are Debian packages or in this repository."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from drawing import png
from facts import (
    BUILD,
    DIST,
    ICON,
    INSTALLER,
    CannotBuildError,
    fresh,
    machine,
    require_bundle,
    require_system,
    require_tool,
    run,
    sha256,
    source_date,
    version,
)
from packages import METAINFO, filled

COMPILER: Final = "cc"
OPTIONS: Final = ("-Wall", "-Wextra", "-Werror", "-Os", "-s", "-static", "-ffunction-sections", "-Wl,--gc-sections")
LIBRARIES: Final = ("-lsquashfuse", "-lzstd", "-lz")
HEADER: Final = "usr/include/squashfuse/squashfuse.h"
PACKAGES: Final = "installer/linux/system-packages.sh appimage"
MAGIC: Final = b"AI\x02"
MAGIC_AT: Final = 8
"""Offset of the mark of a type-2 AppImage, in the padding of the ELF identification."""


def build(_kind: str) -> Path:
    """Build the AppImage in dist/. Raises CannotBuildError and CalledProcessError."""
    require_system("linux", "Linux")
    target = DIST / f"WebRAG-{version()}-{machine()}.AppImage"
    return make(lay_out(require_bundle(), fresh(BUILD / "appimage") / "WebRAG.AppDir"), target)


def make(folder: Path, target: Path, *, quickly: bool = False) -> Path:
    """Pack a folder with an AppRun into one executable file; `quickly` without compression. Raises CannotBuildError, CalledProcessError."""
    squash = require_tool("mksquashfs", PACKAGES)
    compiler = require_tool(COMPILER, PACKAGES)
    if not (Path("/") / HEADER).is_file():
        raise CannotBuildError(f"the library squashfuse is missing ({PACKAGES})")
    image, head = folder.with_name("image.squashfs"), folder.with_name("runtime")
    plain = (
        "-noappend",
        "-no-progress",
        "-quiet",
        "-all-root",
        "-no-xattrs",
        "-comp",
        "zstd",
        *(["-noI", "-noD", "-noF"] * quickly),
    )
    # The tool refuses the options if the variable is set.
    environ = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    times = ("-all-time", source_date(), "-mkfs-time", source_date())
    subprocess.run([squash, folder, image, *plain, *times], check=True, env=environ)
    source = INSTALLER / "linux" / "appimage_runtime.c"
    run([compiler, *OPTIONS, f'-DIMAGE="{sha256(image)}"', "-o", head, source, *LIBRARIES])
    program = bytearray(head.read_bytes())
    program[MAGIC_AT : MAGIC_AT + len(MAGIC)] = MAGIC
    with target.open("wb") as whole, image.open("rb") as squashed:
        whole.write(program)
        shutil.copyfileobj(squashed, whole)
    target.chmod(0o755)
    return target


def lay_out(bundle: Path, folder: Path) -> Path:
    """Create the folder of the image."""
    linux = INSTALLER / "linux"
    shutil.copytree(bundle, folder / "usr" / "lib" / "webrag", symlinks=True)
    (folder / "webrag.png").write_bytes(png(ICON, 256))
    (folder / ".DirIcon").symlink_to("webrag.png")
    shutil.copy(linux / "webrag.desktop", folder)
    shutil.copy(linux / "AppRun", folder)
    (folder / "AppRun").chmod(0o755)
    metainfo = folder / "usr" / "share" / "metainfo"
    metainfo.mkdir(parents=True)
    filled("org.webrag.desktop.metainfo.in.xml", metainfo / METAINFO.replace("metainfo.xml", "appdata.xml"))
    return folder
