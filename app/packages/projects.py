"""Find the projects in a folder and the exact versions that they use: from lock files and installed copies, without running anything."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from app import caps
from app.containment import is_inside, is_skipped
from app.errors import FileAccessError
from app.library.packages import Ecosystem, Package, package_of
from app.packages import lock_others as locks
from app.packages.lock_node import read_bun, read_npm, read_pnpm, read_yarn, required
from app.packages.manifests import UNREADABLE, Folder, Locked, LockFileError, Project, Used, entries, table
from app.text.sentence import listing, sentence

Reader: TypeAlias = Callable[[str, Folder], Iterator[Locked]]

READERS: Final[Mapping[str, tuple[str, Reader]]] = {
    "uv.lock": (Ecosystem.PYPI, locks.read_uv),
    "poetry.lock": (Ecosystem.PYPI, locks.read_poetry),
    "pdm.lock": (Ecosystem.PYPI, locks.read_poetry),
    "Pipfile.lock": (Ecosystem.PYPI, locks.read_pipfile),
    "pylock.toml": (Ecosystem.PYPI, locks.read_pylock),
    "package-lock.json": (Ecosystem.NPM, read_npm),
    "npm-shrinkwrap.json": (Ecosystem.NPM, read_npm),
    "pnpm-lock.yaml": (Ecosystem.NPM, read_pnpm),
    "yarn.lock": (Ecosystem.NPM, read_yarn),
    "bun.lock": (Ecosystem.NPM, read_bun),
    "Cargo.lock": (Ecosystem.CARGO, locks.read_cargo),
    "go.mod": (Ecosystem.GOLANG, locks.read_go),
    "Gemfile.lock": (Ecosystem.GEM, locks.read_gemfile),
    "composer.lock": (Ecosystem.COMPOSER, locks.read_composer),
}
"""The readers of lock files, by file name. Requirements files have many names."""

ENVIRONMENTS: Final = (".venv", "venv", "env")
_PASSED_OVER: Final = frozenset({"venv", "env", "site-packages", "vendor", "target", "dist", "build"})
_MAX_FOLDERS: Final = 5_000
_MAX_INSTALLED: Final = 5_000
_DIFFERENCES_SHOWN: Final = 10


def read_projects(root: Path) -> list[Project]:
    """Return the projects in a folder and up to MAX_PROJECT_DEPTH folders below. Raises FileAccessError if there are none."""
    try:
        base = root.resolve(strict=True)
        if not base.is_dir():
            raise FileAccessError(sentence("{} is not a folder.", root), hint="Choose the folder of a project.")
    except (OSError, RuntimeError, ValueError) as error:
        raise FileAccessError(sentence("The folder {} cannot be read.", root), hint="Check the path.") from error
    found = (read_project(folder) for folder in _folders(base))
    projects = list(islice((project for project in found if project is not None), caps.MAX_PROJECTS))
    if not projects:
        raise FileAccessError(
            sentence("{} contains neither a lock file nor installed packages.", root),
            hint="Choose the folder with the lock file, for example uv.lock or package-lock.json.",
        )
    return projects


def read_project(folder: Path) -> Project | None:
    """Return the project in this folder, or None without lock file and installed packages. Damaged lock files become notes."""
    files: list[str] = []
    notes: list[str] = []
    used: dict[Package, Used] = {}
    for path, ecosystem, reader in lock_files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            read = read_lock_file(path, ecosystem, reader)
        except FileAccessError as error:
            notes.append(error.message)
            continue
        files.append(name)
        for each in read:
            known = used.get(each.package)
            used[each.package] = each if known is None else replace(known, is_direct=known.is_direct or each.is_direct)
    notes += _add_installed(folder, used)
    if not files and not notes and not used:
        return None
    ordered = sorted(used.values(), key=lambda each: (not each.is_direct, each.package))
    return Project(str(folder), tuple(files), tuple(ordered), tuple(notes))


def read_lock_file(path: Path, ecosystem: str, reader: Reader) -> list[Used]:
    """Return the packages of a lock file, each once. Raises FileAccessError, LockFileError."""
    folder = Folder(path.parent)
    found: dict[Package, Used] = {}
    try:
        for locked in reader(folder.text(path.name), folder):
            if (package := package_of(ecosystem, locked.name, locked.version)) is None:
                continue
            if len(found) >= caps.MAX_LOCK_ENTRIES:
                raise LockFileError(sentence("{} lists more than {} packages.", path, f"{caps.MAX_LOCK_ENTRIES:,}"))
            known = found.get(package)
            size = locked.size if isinstance(locked.size, int) else 0
            is_direct = locked.is_direct or (known is not None and known.is_direct)
            found[package] = Used(package, is_direct, locked.index, locked.digest, locked.url, size=size)
    except UNREADABLE as error:
        raise LockFileError(sentence("{} cannot be read: its format is damaged or unknown.", path)) from error
    return list(found.values())


def lock_files(folder: Path) -> Iterator[tuple[Path, str, Reader]]:
    """Yield the lock files in this folder, with their readers."""
    for name, (ecosystem, reader) in READERS.items():
        if (folder / name).is_file():
            yield folder / name, ecosystem, reader
    for pattern in ("pylock.*.toml", "requirements*.txt", "requirements/*.txt"):
        reader = locks.read_pylock if pattern.startswith("pylock") else locks.read_requirements
        for path in sorted(islice(folder.glob(pattern), caps.MAX_PROJECTS)):
            if path.is_file():
                yield path, Ecosystem.PYPI, reader


def _folders(base: Path) -> Iterator[Path]:
    """Yield the folder and the folders below it, nearest first, without hidden, installed and built ones."""
    level, seen = [base], 0
    for _ in range(caps.MAX_PROJECT_DEPTH + 1):
        below: list[Path] = []
        for folder in level:
            seen += 1
            if seen > _MAX_FOLDERS:
                return
            yield folder
            with suppress(OSError), os.scandir(folder) as entries:
                names = sorted(each.name for each in entries if each.is_dir(follow_symlinks=False))
                below += [folder / name for name in names if not is_skipped(name) and name not in _PASSED_OVER]
        level = below


def changed_at(folder: Path) -> float:
    """Return when lock files or installed packages of a project changed last, in seconds since the epoch; 0 if there are none."""
    patterns = [
        f"{name}/{part}" for name in ENVIRONMENTS for part in ("lib/python3*/site-packages", "Lib/site-packages")
    ]
    installed = (path for pattern in (*patterns, "node_modules", "vendor/composer") for path in folder.glob(pattern))
    times = [0.0]
    for path in (*(path for path, _, _ in lock_files(folder)), *installed):
        with suppress(OSError):
            times.append(path.stat().st_mtime)
    return max(times)


# --- Installed copies ---


def _add_installed(folder: Path, used: dict[Package, Used]) -> list[str]:
    """Add the installed copies to the packages of lock files; return notes on versions that differ from the lock file."""
    locked: dict[tuple[str, str], list[Used]] = {}
    for each in used.values():
        locked.setdefault((each.package.ecosystem, each.package.name), []).append(each)
    direct: dict[str, set[str]] = {}
    different = []
    for package, known in used.items():
        if (copy := copy_of(package, folder)) is not None:
            used[package] = replace(known, installed=str(copy))
    for package, place in (*_python_copies(folder), *_node_copies(folder)):
        own, others = used.get(package), locked.get((package.ecosystem, package.name), [])
        if own is not None:
            used[package] = replace(own, installed=str(place))
            continue
        if not direct:
            node = set(required(Folder(folder).json("package.json")))
            direct = {Ecosystem.PYPI: locks.direct_names(Folder(folder)), Ecosystem.NPM: node}
        is_asked = package.name in direct[package.ecosystem]
        used[package] = Used(package, is_asked and not others, installed=str(place), is_locked=False)
        if is_asked and others:
            versions = ", ".join(sorted(each.package.version for each in others))
            different.append(sentence("{} (locked: {})", package.shown, versions))
    if not different:
        return []
    return [sentence("Installed in another version than locked: {}.", listing(different, _DIFFERENCES_SHOWN))]


def _python_copies(folder: Path) -> Iterator[tuple[Package, Path]]:
    """Yield the distributions in the virtual environments of a project, with their `.dist-info` folders."""
    for name in ENVIRONMENTS:
        if not (folder / name / "pyvenv.cfg").is_file():
            continue
        for pattern in ("lib/python3*/site-packages/*.dist-info", "Lib/site-packages/*.dist-info"):
            for path in islice((folder / name).glob(pattern), _MAX_INSTALLED):
                project, _, version = path.name.removesuffix(".dist-info").partition("-")
                if (package := package_of(Ecosystem.PYPI, project, version)) is not None:
                    yield package, path


def _node_copies(folder: Path) -> Iterator[tuple[Package, Path]]:
    """Yield the packages directly in `node_modules`, with their folders; links only if they lead to a place in it."""
    modules = folder / "node_modules"
    places = islice((path for pattern in ("[!@.]*", "@*/*") for path in modules.glob(pattern)), _MAX_INSTALLED)
    for path in places:
        try:
            place = path.resolve(strict=True)
            is_own = is_inside(modules.resolve(), place)
        except (OSError, RuntimeError):
            continue
        manifest = table(Folder(place).json("package.json")) if is_own else {}
        if (package := package_of(Ecosystem.NPM, manifest.get("name"), manifest.get("version"))) is not None:
            yield package, place


MAX_PLACES: Final = 100
_CAPITAL: Final = re.compile(r"[A-Z]")
_GEMS: Final = (
    ".gem/ruby/*/gems",
    ".local/share/gem/ruby/*/gems",
    ".rbenv/versions/*/lib/ruby/gems/*/gems",
    ".rvm/gems/*/gems",
    ".asdf/installs/ruby/*/lib/ruby/gems/*/gems",
)
_SYSTEM_GEMS: Final = ("var/lib/gems/*/gems", "usr/local/lib/ruby/gems/*/gems", "opt/homebrew/lib/ruby/gems/*/gems")


def copy_of(package: Package, project: Path) -> Path | None:
    """Return the folder of the installed copy of exactly this version, or None."""
    name, version = package.name, package.version
    places: Iterator[tuple[Path, str]]
    if package.ecosystem == Ecosystem.CARGO:
        places = ((base, f"{name}-{version}") for base in _found(_folder("CARGO_HOME", ".cargo"), "registry/src/*"))
    elif package.ecosystem == Ecosystem.GOLANG:
        escaped = _CAPITAL.sub(lambda found: f"!{found[0].lower()}", f"{name}@{version}")
        go = _folder("GOPATH", "go") / "pkg" / "mod"
        places = iter([(_folder("GOMODCACHE", go), escaped)])
    elif package.ecosystem == Ecosystem.GEM:
        places = ((base, f"{name}-{version}") for base in _gem_folders(project))
    elif package.ecosystem == Ecosystem.COMPOSER and _composer_version(project, name) == version:
        places = iter([(project / "vendor", name)])
    else:
        return None
    for base, relative in places:
        place = base / relative
        # A name from a lock file must not lead elsewhere, also by a link.
        if place.is_dir() and is_inside(base.resolve(), place.resolve()):
            return place
    return None


def _folder(variable: str, usual: str | Path) -> Path:
    """Return the folder in an environment variable, otherwise the usual one in the home folder."""
    return Path(os.environ.get(variable) or Path.home() / usual)


def _found(base: Path, pattern: str) -> Iterator[Path]:
    return islice(base.glob(pattern), MAX_PLACES)


def _gem_folders(project: Path) -> Iterator[Path]:
    yield from _found(project, "vendor/bundle/ruby/*/gems")
    if os.environ.get("GEM_HOME"):
        yield Path(os.environ["GEM_HOME"]) / "gems"
    for base, patterns in ((Path.home(), _GEMS), (Path("/"), _SYSTEM_GEMS)):
        for pattern in patterns:
            yield from _found(base, pattern)


def _composer_version(project: Path, name: str) -> str:
    """Return the version of a package in `vendor`; empty if it is not installed."""
    document = Folder(project / "vendor" / "composer").json("installed.json")
    packages = entries(table(document).get("packages") if isinstance(document, dict) else document, dict)
    same = (str(each.get("version")) for each in packages if str(each.get("name")).lower() == name)
    return next(same, "").removeprefix("v")
