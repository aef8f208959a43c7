"""An AppImage: one file for Linux that is started as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

from drawing import png
from facts import (
    BUILD,
    DIST,
    ICON,
    INSTALLER,
    fresh,
    machine,
    require_bundle,
    require_system,
    require_tool,
    run,
    version,
)
from packages import METAINFO, filled, source_date


def build(_kind: str) -> Path:
    """Make it in dist/. Raises CannotBuildError and CalledProcessError."""
    require_system("linux", "Linux")
    bundle = require_bundle()
    tool = require_tool("appimagetool", "from the releases of AppImage/appimagetool")
    folder = lay_out(bundle, fresh(BUILD / "appimage") / "WebRAG.AppDir")
    target = DIST / f"WebRAG-{version()}-{machine()}.AppImage"
    run(
        [tool, "--no-appstream", "--comp", "zstd", folder, target],
        environ={"ARCH": machine(), "VERSION": version(), "SOURCE_DATE_EPOCH": source_date()},
    )
    target.chmod(0o755)
    return target


def lay_out(bundle: Path, folder: Path) -> Path:
    """The folder that becomes the image."""
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
