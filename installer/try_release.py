"""Install, start, ask, update and remove each package of a release, and write the table of docs/install.md: try_release.py [KIND...]

Uses dist/ and build/ of `make release`. Tries packages for Linux in a new Debian (installer/try_package.sh: root, debootstrap, network),
the Windows installer under Wine (installer/try_setup.py). Updates start from a build with a lower version. Keeps the results of other
kinds. The exit status is 1 if a trial fails or a package is too large. `--table` only writes the table again.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import appimage
import packages
import release
from facts import BUILD, DIST, INSTALLER, ROOT, fresh, require_bundle, run, version

OLDER: Final = "0.0.9"
ONLY_IN_OLDER: Final = "gone-with-an-update.txt"
FACTS: Final = ROOT / "docs" / "release.json"
PAGE: Final = ROOT / "docs" / "install.md"
BETWEEN: Final = re.compile(r"(?<=<!-- release -->\n).*?(?=<!-- end of release -->)", re.DOTALL)
LINE: Final = re.compile(r"(ok|FAIL) +(\w+)(?:: (.*))?")
HEAD: Final = ("File", "Size", "Tried on", "Installed", "Started", "Asked", "Updated", "Removed")
DOCUMENTS: Final = ("sbom", "licenses", "registry")
STEPS: Final = ("install", "start", "ask", "update", "remove")
MAX_DEB_BYTES: Final = 150_000_000
TRIALS: Final = (
    *(("deb", "bookworm"), ("deb", "trixie"), ("rpm", "bookworm"), ("appimage", "bookworm"), ("wheel", "bookworm")),
    ("nsis", "wine"),
)
FOR_DEBIAN_12: Final = (
    *("--python-version=3.11.2", "--only-binary=:all:", "--abi=cp311", "--abi=abi3", "--abi=none"),
    *(f"--platform=manylinux_2_{number}_x86_64" for number in range(5, 37)),
    *("--platform=manylinux2014_x86_64", "--platform=manylinux1_x86_64"),
)
"""The packages that pip selects there, which are not those for the Python of this machine."""
SYSTEMS: Final = {"bookworm": "Debian 12", "trixie": "Debian 13", "wine": "Wine"}
REMARKS: Final = {"rpm": " with its rpm, dependencies not checked", "appimage": " without FUSE"}


def main(arguments: list[str]) -> int:
    """Run the trials, and write their results after each."""
    manifest = release.verify(DIST) if "--table" not in arguments else {}
    facts: dict[str, Any] = json.loads(FACTS.read_text("utf-8")) if FACTS.is_file() else {}
    if manifest:
        head = {name: manifest[name] for name in ("version", "missing")}
        files = [{name: each[name] for name in ("file", "kind", "bytes")} for each in manifest["files"]]
        facts = {"trials": [], **facts, **head, "files": files}
        for kind, system in TRIALS:
            if not arguments or kind in arguments:
                kept = [each for each in facts["trials"] if (each["kind"], each["system"]) != (kind, system)]
                facts["trials"] = [
                    *kept,
                    {"kind": kind, "system": system, **attempt(kind, system)},
                ]
                write(facts)
    write(facts)
    large = [each["file"] for each in facts["files"] if each["kind"] == "deb" and each["bytes"] > MAX_DEB_BYTES]
    failed = [f"{each['kind']} on {each['system']}" for each in facts["trials"] if each["failed"]]
    print(f"too large: {', '.join(large) or 'none'}; failed: {', '.join(failed) or 'none'}")
    return int(bool(large or failed))


def attempt(kind: str, system: str) -> dict[str, Any]:
    """Run one trial, print its lines and return its result: the seconds of each step, and the failure or nothing."""
    with tempfile.TemporaryDirectory(prefix="try-release.") as scratch:
        folder = Path(scratch)
        command = [sys.executable, str(INSTALLER / "try_setup.py")]
        environ = {"SUITE": system, "WHEELS": str(folder / "wheels")}
        if kind != "nsis":
            [file] = [DIST / each["file"] for each in release.read(DIST)["files"] if each["kind"] == kind]
            command = [str(INSTALLER / "try_package.sh"), str(file), str(older(kind, file, folder))]
        print(f"== {kind} on {SYSTEMS[system]}", flush=True)
        with subprocess.Popen(command, env=os.environ | environ, stdout=subprocess.PIPE, text=True) as trial:
            assert trial.stdout is not None
            lines = []
            for line in trial.stdout:
                print(line, end="", flush=True)
                lines.append(line.rstrip())
    return {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), **result(lines, trial.returncode)}


def result(lines: Iterable[str], status: int) -> dict[str, Any]:
    """Read the printed steps of a trial."""
    found = [match for line in lines if (match := LINE.match(line))]
    wrong = [match[0].removeprefix("FAIL").strip() for match in found if match[1] == "FAIL"]
    return {
        "steps": [match[2] for match in found if match[1] == "ok" and match[2] in STEPS],
        "failed": wrong[0] if wrong else f"exit status {status}" if status else "",
    }


def older(kind: str, file: Path, folder: Path) -> Path:
    """Build a package with a lower version, quickly, and with a file that the update must remove."""
    extra = folder / ONLY_IN_OLDER
    extra.write_text("A file of an older version.\n", encoding="utf-8")
    target = folder / f"older.{file.suffix.removeprefix('.')}"
    if kind == "wheel":
        run([sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder / "wheels", *FOR_DEBIAN_12, file])
        (folder / "wheels" / file.name).unlink()
        return older_wheel(file, folder)
    if kind == "appimage":
        laid_out = appimage.lay_out(require_bundle(), folder / "image" / "WebRAG.AppDir")
        extra.rename(laid_out / "usr" / extra.name)
        return appimage.make(laid_out, target, quickly=True)
    described = packages.description(require_bundle(), fresh(BUILD / kind), kind)
    described |= {"version": OLDER, kind: {"compression": "none" if kind == "deb" else "gzip:1"}}
    described["contents"].append({"src": str(extra), "dst": f"{packages.PROGRAMS}/{extra.name}"})
    return packages.pack(described, kind, target)


def older_wheel(file: Path, folder: Path) -> Path:
    """Copy a wheel with a lower version and an additional file."""
    target = folder / file.name.replace(version(), OLDER)
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith((".dist-info/METADATA", ".dist-info/RECORD")):
                data = data.replace(f"Version: {version()}".encode(), f"Version: {OLDER}".encode())
                data = data.replace(f"-{version()}.dist-info".encode(), f"-{OLDER}.dist-info".encode())
            if name.endswith(".dist-info/RECORD"):
                data += f"app/{ONLY_IN_OLDER},,\n".encode()
            copy.writestr(name.replace(f"-{version()}.", f"-{OLDER}."), data)
        copy.writestr(f"app/{ONLY_IN_OLDER}", "A file of an older version.\n")
    return target


def write(facts: Mapping[str, Any]) -> None:
    """Write the results, and the table into the page."""
    FACTS.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    page = PAGE.read_text("utf-8")
    PAGE.write_text(BETWEEN.sub(lambda _: table(facts), page), encoding="utf-8")


def table(facts: Mapping[str, Any]) -> str:
    """Return the results as Markdown: a line for each file and system, and for each kind that was not built."""
    rows = [HEAD, ("---",) * len(HEAD)]
    for each in facts["files"]:
        if each["kind"] in DOCUMENTS:
            continue
        name, size = f"`{each['file']}`", f"{each['bytes'] / 1e6:.{1 if each['bytes'] >= 1e6 else 2}f} MB"
        trials = [trial for trial in facts["trials"] if trial["kind"] == each["kind"]]
        rows += [(name, size, *_cells(trial)) for trial in trials] or [(name, size)]
    rows += [(kind, "not built", why) for kind, why in facts["missing"].items() if kind in release.FROZEN]
    return "".join(f"| {' | '.join(row + ('',) * (len(HEAD) - len(row)))} |\n" for row in rows)


def _cells(trial: Mapping[str, Any]) -> tuple[str, ...]:
    system = SYSTEMS[trial["system"]] + REMARKS.get(trial["kind"], "")
    marks = ("✓" if step in trial["steps"] else "✗" if trial["failed"] else "" for step in STEPS)
    return f"{system}, {trial['date']}", *marks


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
