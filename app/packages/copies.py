"""Installed copies of Rust, Go, Ruby and PHP packages, in the caches of their package managers or the folder `vendor` of a project."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from app.containment import is_inside
from app.library.packages import Ecosystem, Package
from app.packages.manifests import Folder, entries, table

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
