"""Build installers and packages in dist/: build.py KIND... | all | release.

Kinds: wheel, programs (the folder dist/webrag, which deb, rpm, appimage, nsis and dmg pack), mcpb, registry (server.json), chromium,
firefox, sbom, licenses, and wine: nsis with programs frozen under Wine. `all` empties dist/ and builds every kind that this system can
build, `release` also wine.

The exit status is 0 on success, 3 if something is missing on this machine (with a message of one line), 1 if a tool failed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import release
from facts import DIST, MISSING, CannotBuildError, source_date

KINDS: Final = {
    "wheel": "programs",
    "programs": "programs",
    "deb": "packages",
    "rpm": "packages",
    "appimage": "appimage",
    "nsis": "nsis",
    "dmg": "dmg",
    "mcpb": "mcpb.pack",
    "registry": "server_json",
    "chromium": "extension",
    "firefox": "extension",
    "sbom": "sbom",
    "licenses": "sbom",
}
UNDER_WINE: Final = {"wine": "windows_setup"}


def main(arguments: list[str] | None = None) -> int:
    """Build the given kinds and describe them. With `all` and `release`, report kinds that cannot be built here without failing."""
    parser = argparse.ArgumentParser(prog="build.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="+", choices=(*KINDS, *UNDER_WINE, "all", "release"), metavar="KIND")
    kinds = parser.parse_args(arguments).kinds
    # Tools that run as processes take the time of files, and the order of sets, from these.
    os.environ |= {"SOURCE_DATE_EPOCH": source_date(), "PYTHONHASHSEED": "0"}
    several = kinds in (["all"], ["release"])
    if several:
        shutil.rmtree(DIST, ignore_errors=True)
        instead = "wine" if kinds == ["release"] and sys.platform == "linux" else "nsis"
        kinds = [instead if kind == "nsis" else kind for kind in KINDS]
    DIST.mkdir(exist_ok=True)
    outcomes = {kind: attempt(kind) for kind in kinds}
    built = {kind: made for kind, made in outcomes.items() if isinstance(made, Path)}
    missing = {kind: str(why) for kind, why in outcomes.items() if isinstance(why, Exception)}
    release.describe(DIST, {kind: path for kind, path in built.items() if path.is_file()}, missing)
    if any(not isinstance(outcome, Path | CannotBuildError) for outcome in outcomes.values()):
        return 1
    return MISSING if missing and not several else 0


def attempt(kind: str) -> Path | Exception:
    """Build one kind, and print its result. Returns its file or folder, or the error."""
    began = time.monotonic()
    try:
        made: Path = importlib.import_module((KINDS | UNDER_WINE)[kind]).build(kind)
    except CannotBuildError as error:
        print(f"{kind:9}not built: {error}", file=sys.stderr)
        return error
    except (subprocess.CalledProcessError, ValueError) as error:
        print(f"{kind:9}failed: {error}", file=sys.stderr)
        return error
    files = [made] if made.is_file() else [path for path in made.rglob("*") if path.is_file() and not path.is_symlink()]
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{kind:9}{made.name}, {size:.{1 if size >= 1 else 3}f} MB, {time.monotonic() - began:.0f} s", flush=True)
    return made


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.exit(main())
