"""The installer of Windows, for one person and without administrator rights, made by NSIS."""

from __future__ import annotations

import os
from pathlib import Path

from drawing import write_ico
from facts import (
    BUILD,
    DIST,
    ICON,
    INSTALLER,
    ROOT,
    CannotBuildError,
    fresh,
    require_bundle,
    require_tool,
    run,
    version,
)

PAYLOAD = "WEBRAG_PAYLOAD"
"""Names another folder to pack, so that the script can be tried where no Windows program can be made."""


def build(_kind: str) -> Path:
    """Make it in dist/. Raises CannotBuildError and CalledProcessError."""
    tool = require_tool("makensis", "package nsis, or the installer of NSIS")
    payload = Path(os.environ[PAYLOAD]) if PAYLOAD in os.environ else windows_bundle()
    folder = fresh(BUILD / "nsis")
    # What packs a stand-in must not be taken for an artefact.
    target = (folder if PAYLOAD in os.environ else DIST) / f"WebRAG-{version()}-setup.exe"
    target.parent.mkdir(exist_ok=True)
    facts = {
        "VERSION": version(),
        "NUMBERS": ".".join([*version().split(".")[:3], "0"]),
        "PAYLOAD": payload,
        "ICON": write_ico(ICON, folder),
        "LICENCE": ROOT / "LICENSE",
        "TARGET": target,
        "KILOBYTES": sum(path.stat().st_size for path in payload.rglob("*") if path.is_file()) // 1024,
    }
    defined = [f"-D{name}={fact}" for name, fact in facts.items()]
    run([tool, "-V2", "-WX", *defined, INSTALLER / "windows" / "webrag.nsi"])
    return target


def windows_bundle() -> Path:
    """The folder of programs. Raises CannotBuildError on systems that cannot make it."""
    if os.name != "nt":
        raise CannotBuildError(f"programs for Windows are made on Windows only ({PAYLOAD}=FOLDER tries the script)")
    return require_bundle()
