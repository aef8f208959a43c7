"""Build the Windows installer for one user, without administrator rights, with NSIS."""

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
"""Variable with another folder to pack, to test the script without Windows programs."""


def build(_kind: str) -> Path:
    """Build it in dist/. Raises CannotBuildError and CalledProcessError."""
    require_makensis()
    payload = Path(os.environ[PAYLOAD]) if PAYLOAD in os.environ else windows_bundle()
    # A packed stand-in must not look like a real installer.
    folder = BUILD / "nsis" if PAYLOAD in os.environ else DIST
    return pack(payload, folder / f"WebRAG-{version()}-setup.exe")


def pack(payload: Path, target: Path, number: str = "", *, cpu: str = "", quickly: bool = False) -> Path:
    """Pack a folder of programs. `number` sets another version, `cpu` the processor type of the installer; `quickly` trades size for speed.

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
    """Return the path of the compiler. Raises CannotBuildError."""
    return require_tool("makensis", "package nsis, or the installer of NSIS")


def windows_bundle() -> Path:
    """Return the folder of programs. Raises CannotBuildError on other systems."""
    if os.name != "nt":
        raise CannotBuildError(
            "Windows programs can only be built on Windows (make windows-setup tests the build under Wine)"
        )
    return require_bundle()
