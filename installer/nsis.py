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
    require_makensis()
    payload = Path(os.environ[PAYLOAD]) if PAYLOAD in os.environ else windows_bundle()
    # What packs a stand-in must not be taken for an artefact.
    folder = BUILD / "nsis" if PAYLOAD in os.environ else DIST
    return pack(payload, folder / f"WebRAG-{version()}-setup.exe")


def pack(payload: Path, target: Path, number: str = "", *, cpu: str = "", quickly: bool = False) -> Path:
    """Pack a folder of programs. `number` names another version, `cpu` a processor that the installer itself is made for; `quickly` makes a
    larger file in less time.

    Raises CannotBuildError and CalledProcessError.
    """
    tool = require_makensis()
    number = number or version()
    target.parent.mkdir(parents=True, exist_ok=True)
    facts: dict[str, object] = {
        "VERSION": number,
        "NUMBERS": ".".join([*number.split(".")[:3], "0"]),
        "PAYLOAD": payload,
        "ICON": write_ico(ICON, fresh(BUILD / "nsis-icon")),
        "LICENCE": ROOT / "LICENSE",
        "TARGET": target,
        "KILOBYTES": sum(path.stat().st_size for path in payload.rglob("*") if path.is_file()) // 1024,
    }
    facts |= ({"CPU": cpu} if cpu else {}) | ({"QUICKLY": ""} if quickly else {})
    defined = [f"-D{name}={fact}" for name, fact in facts.items()]
    run([tool, "-V2", "-WX", *defined, INSTALLER / "windows" / "webrag.nsi"])
    return target


def require_makensis() -> str:
    """The path of the compiler. Raises CannotBuildError."""
    return require_tool("makensis", "package nsis, or the installer of NSIS")


def windows_bundle() -> Path:
    """The folder of programs. Raises CannotBuildError on systems that cannot make it."""
    if os.name != "nt":
        raise CannotBuildError("programs for Windows are made on Windows (make windows-setup tries it all under Wine)")
    return require_bundle()
