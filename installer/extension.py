"""Pack the browser extension from extension/: a ZIP file for Chromium browsers, an XPI file for Firefox."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from drawing import png
from facts import BUILD, DIST, ICON, ROOT, fresh, homepage, version
from mcpb.pack import pack

SOURCE: Final = ROOT / "extension"
ICON_SIZES: Final = (16, 32, 48, 128)
FAMILIES: Final = {"chromium": "zip", "firefox": "xpi"}
FIREFOX_ID: Final = "webrag@webrag.desktop"
OLDEST: Final = {"chromium": "127", "firefox": "128.0"}
"""First versions with all features that the sources use."""


def build(kind: str) -> Path:
    """Build the package for `chromium` or `firefox` in dist/."""
    folder = lay_out(fresh(BUILD / f"extension-{kind}"), kind)
    target = DIST / f"webrag-browser-{version()}-{kind}.{FAMILIES[kind]}"
    target.parent.mkdir(exist_ok=True)
    pack(folder, target)
    return target


def lay_out(folder: Path, kind: str) -> Path:
    """Copy the files of the extension into a folder, as a browser loads them."""
    shutil.copytree(SOURCE, folder, dirs_exist_ok=True)
    text = json.dumps(manifest(kind), indent=2, ensure_ascii=False) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    for size in ICON_SIZES:
        (folder / f"icon-{size}.png").write_bytes(png(ICON, size))
    return folder


def manifest(kind: str) -> dict[str, Any]:
    """Return the manifest. The families differ in the background script and the identification."""
    common: dict[str, Any] = json.loads((SOURCE / "manifest.json").read_text(encoding="utf-8"))
    common["version"] = version().partition("-")[0]
    if page := homepage():
        common["homepage_url"] = page
    if kind == "chromium":
        worker = {"service_worker": "background.js", "type": "module"}
        return {**common, "background": worker, "minimum_chrome_version": OLDEST[kind]}
    gecko = {
        "id": FIREFOX_ID,
        "strict_min_version": OLDEST[kind],
        "data_collection_permissions": {"required": ["none"]},
    }
    scripts = {"scripts": ["background.js"], "type": "module"}
    return {**common, "background": scripts, "browser_specific_settings": {"gecko": gecko}}


if __name__ == "__main__":
    lay_out(fresh(Path(sys.argv[2])), sys.argv[1])
