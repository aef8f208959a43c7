"""Pack the bundle that connects Claude Desktop to the installed application: a ZIP file with a manifest."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import zipfile
from pathlib import Path
from typing import Any, Final

from drawing import png
from facts import BUILD, DIST, ICON, INSTALLER, CannotBuildError, fresh, homepage, run, source_date, version

FOLDER: Final = INSTALLER / "mcpb"
ICON_SIZE: Final = 512
MODE: Final = 0o644


def build(_kind: str) -> Path:
    """Build it in dist/, and validate it if the tool of the format is installed."""
    folder = lay_out(fresh(BUILD / "mcpb"))
    validate(folder / "manifest.json")
    target = DIST / file_name()
    target.parent.mkdir(exist_ok=True)
    pack(folder, target)
    return target


def file_name() -> str:
    return f"webrag-desktop-{version()}.mcpb"


def lay_out(folder: Path) -> Path:
    """Copy the files of the bundle into a folder."""
    (folder / "server").mkdir()
    shutil.copy(FOLDER / "server" / "index.js", folder / "server")
    (folder / "manifest.json").write_text(json.dumps(manifest(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "icon.png").write_bytes(png(ICON, ICON_SIZE))
    return folder


def manifest() -> dict[str, Any]:
    """Return the manifest for the host."""
    text = (FOLDER / "manifest.in.json").read_text(encoding="utf-8").replace("@VERSION@", version())
    described: dict[str, Any] = json.loads(text)
    page = homepage()
    return {**described, "homepage": page, "support": f"{page}/issues"} if page else described


def pack(folder: Path, target: Path) -> None:
    """Write the archive reproducibly."""
    moment = time.gmtime(max(int(source_date()), 315_532_800))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), moment)
                entry.external_attr = MODE << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())


def validate(manifest_file: Path) -> None:
    """Validate the manifest against the schema of the format. Raises CannotBuildError if it does not match."""
    tool = shutil.which("mcpb")
    if tool is None:
        print("mcpb     not validated: the program mcpb is missing (npm package @anthropic-ai/mcpb)")
        return
    try:
        run([tool, "validate", manifest_file])
    except subprocess.CalledProcessError as error:
        raise CannotBuildError("the manifest does not match the schema") from error
