"""Describe built files in manifest.json and SHA256SUMS: release.py merge TARGET FOLDER...

`installer/build.py` writes the manifest of what it built. `merge` copies the files of several systems into one folder with one manifest.
The manifest does not contain the time of the build, so that two builds of a commit can be equal.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from facts import ROOT, commit, release_date, sha256, version

MANIFEST: Final = "manifest.json"
CHECKSUMS: Final = "SHA256SUMS"
FROZEN: Final = frozenset({"deb", "rpm", "appimage", "nsis", "dmg"})
FILED_UNDER: Final = {"wine": "nsis"}
TOOLS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "appimage": (("mksquashfs", "-version"), ("cc", "--version")),
    "nsis": (("makensis", "-VERSION"),),
    "wine": (("makensis", "-VERSION"), ("wine", "--version")),
}
"""Programs that no lock file pins, with the option that prints their version."""


def describe(folder: Path, built: Mapping[str, Path], missing: Mapping[str, str]) -> dict[str, Any]:
    """Write the manifest and the checksums of a folder, and return the manifest. Keeps entries of earlier builds of this commit.

    Args:
        built: file by kind.
        missing: reason by kind, in one line.
    """
    lacking = {FILED_UNDER.get(kind, kind): why for kind, why in missing.items()}
    made = {**_head(), "files": [entry(kind, path) for kind, path in built.items()], "missing": lacking}
    if (folder / MANIFEST).is_file() and _head().items() <= (old := read(folder)).items():
        again = {each["kind"] for each in made["files"]} | set(lacking)
        kept = [each for each in old["files"] if each["kind"] not in again and (folder / each["file"]).is_file()]
        made = merged([{**old, "files": kept}, made])
    return write(folder, made)


def _head() -> dict[str, Any]:
    return {
        "product": "WebRAG Desktop",
        "version": version(),
        "commit": commit(),
        "date": release_date(),
        "locks": {name: sha256(ROOT / name) for name in ("requirements.lock", "installer/tools.lock")},
    }


def entry(kind: str, path: Path) -> dict[str, Any]:
    """Return the entry of one file, with the system and the tools that built it."""
    system = platform.freedesktop_os_release()["PRETTY_NAME"] if sys.platform == "linux" else platform.platform()
    how: dict[str, str] = {"system": f"{system}, {platform.machine()}", "python": platform.python_version()}
    if kind in FROZEN or kind == "wine":
        how["pyinstaller"] = importlib.metadata.version("pyinstaller")
    how |= {tool: _first_line(tool, option) for tool, option in TOOLS.get(kind, ())}
    return {
        "file": path.name,
        "kind": FILED_UNDER.get(kind, kind),
        "bytes": path.stat().st_size,
        "sha256": sha256(path),
        "built": how,
    }


def _first_line(tool: str, option: str) -> str:
    done = subprocess.run([tool, option], capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().partition("\n")[0]


def merged(manifests: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return one manifest. A kind is missing if no system built it.

    Raises:
        ValueError: The versions, commits or lock files differ, or two different files have one name.
    """
    all_of = list(manifests)
    head, *others = ({name: each[name] for name in ("version", "commit", "locks")} for each in all_of)
    if any(other != head for other in others):
        raise ValueError("the manifests describe different versions or commits")
    files: dict[str, Mapping[str, Any]] = {}
    for each in (each for manifest in all_of for each in manifest["files"]):
        if files.setdefault(each["file"], each)["sha256"] != each["sha256"]:
            raise ValueError(f"two different files are named {each['file']}")
    have = {each["kind"] for each in files.values()}
    missing = {kind: why for manifest in all_of for kind, why in manifest["missing"].items() if kind not in have}
    return {**all_of[0], "files": [files[name] for name in sorted(files)], "missing": dict(sorted(missing.items()))}


def read(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder."""
    found: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
    return found


def write(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """Write the manifest, and SHA256SUMS of its files and of itself, for `sha256sum --check`."""
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
    sums = {each["file"]: each["sha256"] for each in manifest["files"]} | {MANIFEST: sha256(folder / MANIFEST)}
    lines = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    (folder / CHECKSUMS).write_text(lines, encoding="utf-8", newline="\n")
    return manifest


def verify(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder. Raises ValueError if a file is not the described one."""
    manifest = read(folder)
    for each in manifest["files"]:
        path = folder / each["file"]
        if not path.is_file() or sha256(path) != each["sha256"]:
            raise ValueError(f"{path} is not the file of {MANIFEST}")
    return manifest


def main(arguments: list[str]) -> int:
    """Merge folders. Returns 2 for a wrong command line."""
    if len(arguments) < 3 or arguments[0] != "merge":
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    target, *folders = map(Path, arguments[1:])
    whole = merged([verify(folder) for folder in folders])
    target.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        for each in read(folder)["files"]:
            shutil.copy2(folder / each["file"], target)
    write(target, whole)
    print(f"{len(whole['files'])} files, missing: {', '.join(whole['missing']) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
