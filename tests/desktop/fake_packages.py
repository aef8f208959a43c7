"""Packages of the fake engine: projects that tests provide, and jobs that they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.engine.packages import Download, PackageList, ScannedProject, UsedPackage
from app.errors import FileAccessError
from app.library.job_records import Job, JobKind
from app.library.packages import INSTALLED, Package, StoredPackage, StoredProject, name_of
from tests.support.jobs import FakeJobs

NOW = 1_771_777_800.0
SHOP = "/home/ann/shop"


def used(
    name: str, *, version: str = "1.0", direct: bool = True, here: bool = True, private: bool = False
) -> UsedPackage:
    """Return a package of a project, by default direct and installed."""
    return UsedPackage(
        Package("pypi", name, version),
        is_direct=direct,
        is_locked=True,
        is_private=private,
        is_stored=False,
        source=INSTALLED if here else "",
        disk_bytes=2_000_000 if here else 0,
        seconds=20.0 if here else 0.0,
    )


def project(*packages: UsedPackage, root: str = SHOP, notes: tuple[str, ...] = ()) -> ScannedProject:
    return ScannedProject(root, ("uv.lock",), packages, notes)


def stored(package: Package, *, number: int = 1, current: bool = True, complete: bool = True) -> StoredPackage:
    facts = (current, 40, 100_000, NOW, NOW, complete, True, 30, 2, 120)
    return StoredPackage(number, package, INSTALLED, *facts)


@dataclass
class FakePackages:
    """`on_disk` are the projects that can be read, `projects` the roots of the known ones; `asked` records the calls."""

    jobs: FakeJobs
    on_disk: dict[str, ScannedProject] = field(default_factory=dict)
    projects: list[str] = field(default_factory=list)
    packages: list[StoredPackage] = field(default_factory=list)
    asked: list[tuple[object, ...]] = field(default_factory=list)

    def put(self, *known: ScannedProject) -> None:
        """Make projects known."""
        self.on_disk |= {each.root: each for each in known}
        self.projects += [each.root for each in known]

    async def stored(self) -> PackageList:
        projects = (StoredProject(root, NOW, 9, 1) for root in self.projects)
        return PackageList(tuple(self.packages), tuple(projects))

    async def project(self, root: Path) -> ScannedProject:
        return self._read(root)

    async def scan(self, root: Path) -> tuple[ScannedProject, ...]:
        self.asked.append(("scan", root))
        found = self._read(root)
        self.projects += [found.root] * (found.root not in self.projects)
        return (found,)

    async def downloads(self, names: Sequence[str]) -> tuple[Download, ...]:
        self.asked.append(("downloads", *names))
        packages = [self._package(name) for name in names]
        return tuple(
            Download(each, f"https://registry.example/{each.name}/{each.version}", True, 1_500_000) for each in packages
        )

    async def begin(self, names: Sequence[str], target: str, *, downloads: bool = False) -> Job:
        self.asked.append(("begin", tuple(names), target, downloads))
        return self.jobs._begin(JobKind.PACKAGES, target)

    async def remove(self, names: Sequence[str]) -> tuple[Package, ...]:
        gone = tuple(each.package for each in self.packages if str(each.package) in names)
        self.packages = [each for each in self.packages if each.package not in gone]
        return gone

    async def forget_project(self, root: Path) -> bool:
        self.asked.append(("forget", root))
        self.projects.remove(str(root))
        return True

    def _read(self, root: Path) -> ScannedProject:
        if str(root) not in self.on_disk:
            raise FileAccessError(f"{root} contains no lock file.", hint="Add the project again.")
        known = {each.package for each in self.packages if each.is_complete}
        found = self.on_disk[str(root)]
        return replace(found, packages=tuple(replace(each, is_stored=each.package in known) for each in found.packages))

    def _package(self, name: str) -> Package:
        named = name_of(name)
        return Package(named.ecosystem, named.name, named.version)
