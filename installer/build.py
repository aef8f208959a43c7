"""Build an installer or package from dist/webrag: build.py deb|rpm|appimage|nsis|dmg|mcpb|chromium|firefox|all.

The exit status is 0 on success, 3 if something is missing on this machine (with a message of one line), 1 if a tool failed.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from facts import DIST, MISSING, CannotBuildError, sha256

KINDS: Final = {
    "deb": "packages",
    "rpm": "packages",
    "appimage": "appimage",
    "nsis": "nsis",
    "dmg": "dmg",
    "mcpb": "mcpb.pack",
    "chromium": "extension",
    "firefox": "extension",
}
CHECKSUMS: Final = "SHA256SUMS"


def main(arguments: list[str] | None = None) -> int:
    """Build the given kinds. With `all`, report kinds that cannot be built here without failing."""
    parser = argparse.ArgumentParser(prog="build.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=(*KINDS, "all"))
    kind = parser.parse_args(arguments).kind
    statuses = [build(name) for name in (KINDS if kind == "all" else [kind])]
    if 0 in statuses:
        write_checksums(DIST)
    if kind == "all":
        return 1 if 1 in statuses else 0
    return statuses[0]


def build(kind: str) -> int:
    """Build one artifact and return its exit status."""
    began = time.monotonic()
    try:
        made: Path = importlib.import_module(KINDS[kind]).build(kind)
    except CannotBuildError as error:
        print(f"{kind:9}not built: {error}", file=sys.stderr)
        return MISSING
    except subprocess.CalledProcessError as error:
        print(f"{kind:9}failed: {error}", file=sys.stderr)
        return 1
    size = made.stat().st_size / 1e6
    print(f"{kind:9}{made.name}, {size:.{1 if size >= 1 else 3}f} MB, {time.monotonic() - began:.0f} s")
    return 0


def write_checksums(folder: Path) -> None:
    """Write SHA256SUMS of the files in a folder, for `sha256sum --check`."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != CHECKSUMS)
    lines = [f"{sha256(path)}  {path.name}\n" for path in files]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.exit(main())
