"""The packages of a project, or all stored ones, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from app import caps
from app.desktop.models.rows import Column, LoadedModel, amount
from app.desktop.wording import counted, rough_size, translator
from app.durations import time_span
from app.library.packages import DOCSET, DOWNLOADED, INSTALLED, SITE, Ecosystem, Package, StoredPackage
from app.text.sentence import listing

if TYPE_CHECKING:
    from app.desktop.engine_thread import EngineThread
    from app.engine import Engine
    from app.engine.packages import PackageList, ScannedProject, UsedPackage

_tr = translator("PackagesModel")

DOWNLOADABLE: Final = (Ecosystem.PYPI, Ecosystem.NPM)
NAME, VERSION, USE, DIRECT, SOURCE, PAGES, SIZE, STATE = range(8)


@dataclass(frozen=True, slots=True)
class PackageRow:
    """A package as a project uses it and as it is stored, at least one of both. `others` are other stored versions."""

    package: Package
    used: UsedPackage | None
    stored: StoredPackage | None
    others: tuple[str, ...]

    @property
    def id(self) -> str:
        return str(self.package)

    @property
    def is_stored(self) -> bool:
        return self.stored is not None and self.stored.is_complete

    @property
    def can_add(self) -> bool:
        """Whether documentation is or may be available, here or in a public registry."""
        used = self.used
        is_public = used is not None and not used.is_private and self.package.ecosystem in DOWNLOADABLE
        return used is not None and not self.is_stored and (self.is_here or is_public)

    @property
    def is_direct(self) -> bool:
        return self.used is not None and self.used.is_direct

    @property
    def is_here(self) -> bool:
        """Whether a copy is installed."""
        return self.used is not None and bool(self.used.source)

    @property
    def disk_bytes(self) -> int:
        """Estimated disk space with vectors; 0 if unknown."""
        if self.stored is not None and self.stored.characters:
            return self.stored.disk_bytes
        return self.used.disk_bytes if self.used is not None else 0


@dataclass(frozen=True, slots=True)
class PackageListing:
    """The known packages and projects, and the project whose packages are listed, if any."""

    known: PackageList
    project: ScannedProject | None

    def rows(self) -> list[PackageRow]:
        stored = {each.package: each for each in self.known.packages}
        versions: dict[tuple[str, str], list[Package]] = {}
        for package in stored:
            versions.setdefault((package.ecosystem, package.name), []).append(package)
        used = {each.package: each for each in self.project.packages} if self.project is not None else {}
        listed = used if self.project is not None else stored
        return [
            PackageRow(
                package,
                used.get(package),
                stored.get(package),
                tuple(each.version for each in versions.get((package.ecosystem, package.name), ()) if each != package),
            )
            for package in listed
        ]


async def load_packages(engine: Engine, root: str) -> PackageListing:
    """Read a known project as it is now, and what is stored. Raises FileAccessError if the project is gone."""
    project = await engine.packages.project(Path(root)) if root else None
    return PackageListing(await engine.packages.stored(), project)


async def packages_in(engine: Engine, folder: Path) -> list[PackageRow]:
    """Read the projects in a folder, and return their direct packages that can be added. Raises FileAccessError."""
    projects, known = await engine.packages.scan(folder), await engine.packages.stored()
    rows = (row for project in projects for row in PackageListing(known, project).rows())
    found = {row.id: row for row in rows if row.can_add and row.is_direct}
    return list(found.values())[: caps.MAX_PACKAGES_ADDED]


def project_name(root: str) -> str:
    return PurePath(root).name or root


def use_text(row: PackageRow) -> str:
    """Return whether a package is locked and installed in its project."""
    if row.used is None:
        return _tr("Used by a project") if row.stored is not None and row.stored.is_used else "–"
    if not row.used.is_locked:
        return _tr("Installed, not locked")
    return _tr("Locked and installed") if row.is_here else _tr("Locked")


def source_text(row: PackageRow) -> str:
    """Return where the documentation is from, or would come from."""
    here = _tr("Installed copy")
    if row.stored is not None:
        sources = {INSTALLED: here, DOWNLOADED: _tr("Download"), DOCSET: _tr("Docset"), SITE: _tr("Documentation site")}
        return sources.get(row.stored.source, row.stored.source)
    if row.is_here or row.can_add:
        return here if row.is_here else _tr("Only by download")
    return _tr("Private, not installed") if row.used is not None and row.used.is_private else _tr("Not installed")


def state_text(row: PackageRow) -> str:
    stored = row.stored
    if stored is None:
        return _tr("Not added")
    if not stored.is_complete:
        return _tr("Incomplete")
    return _tr("Added") if stored.is_current else _tr("Added, only if named")


def _state_mark(row: PackageRow) -> tuple[str, str]:
    if row.stored is None:
        return "minus", "muted"
    return ("ok", "success") if row.is_stored else ("alert", "warning")


def cost_text(rows: Sequence[PackageRow]) -> str:
    """Return disk space and time for adding installed copies, such as `about 40 MB, 2 min`."""
    used = [row.used for row in rows if row.used is not None]
    disk, seconds = sum(each.disk_bytes for each in used), sum(each.seconds for each in used)
    return _tr("about {} and {}").format(rough_size(disk), time_span(seconds)) if disk else ""


def contents_text(row: PackageRow) -> str:
    """Return what the stored documentation consists of."""
    stored = row.stored
    if stored is None or not stored.pages:
        return ""
    prose = stored.pages - stored.api - stored.changes
    parts = (
        (prose, _tr("1 page of documentation"), _tr("{} pages of documentation")),
        (stored.api, _tr("1 page of signatures"), _tr("{} pages of signatures")),
        (stored.changes, _tr("1 page of release notes"), _tr("{} pages of release notes")),
        (stored.symbols, _tr("1 symbol"), _tr("{} symbols")),
    )
    return listing(counted(count, one, many) for count, one, many in parts if count)


class PackagesModel(LoadedModel[PackageRow]):
    """The packages of the project `root`, or all stored ones if it is empty."""

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        self.root = ""
        self.listing: PackageListing | None = None
        self._is_direct_only = True
        columns: list[Column[PackageRow]] = [
            Column(_tr("Name"), lambda r: r.package.name, lambda r: (r.package.name, r.id), tip=lambda r: r.id),
            Column(_tr("Version"), lambda r: r.package.version),
            Column(_tr("In the project"), use_text),
            Column(_tr("Direct"), lambda r: _tr("Yes") if r.is_direct else "–", lambda r: r.is_direct),
            Column(_tr("Documentation"), source_text),
            amount(_tr("Pages"), lambda r: r.stored.pages if r.stored is not None else 0, is_zero_shown=False),
            Column(
                _tr("Size"),
                lambda r: rough_size(r.disk_bytes) if r.disk_bytes else "–",
                lambda r: r.disk_bytes,
                right=True,
            ),
            Column(_tr("State"), state_text, mark=_state_mark),
        ]
        super().__init__(thread, columns, parent)

    def haystack(self, record: PackageRow) -> str:
        return record.id.casefold()

    def accepts(self, record: PackageRow) -> bool:
        return not self._is_direct_only or record.used is None or record.is_direct

    def show_direct(self, only: bool) -> None:
        """Show only the packages that the project names itself, or all."""
        self._is_direct_only = only
        self.rearrange()

    def reload(self) -> None:
        root = self.root

        def take(found: PackageListing) -> None:
            if root == self.root:
                self.listing = found
                self.replace(found.rows())
            else:
                self._again = True

        self._load(lambda engine: load_packages(engine, root), take)


def summary_text(listing: PackageListing, limit: int) -> str:
    """Return the numbers of projects and packages, and the disk space of all packages."""
    packages, projects = listing.known.packages, listing.known.projects
    disk = sum(each.disk_bytes for each in packages)
    return "  ·  ".join(
        (
            counted(len(projects), _tr("1 project"), _tr("{} projects")),
            counted(len(packages), _tr("1 package added"), _tr("{} packages added")),
            *[_tr("about {} of {}").format(rough_size(disk), rough_size(limit))] * bool(packages),
        )
    )
