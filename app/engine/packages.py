"""Documentation of the packages that projects use: find their versions, store pages of exactly these versions, remove them."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import quote

from app import caps
from app.corpus.docsets import DocChanges, DocPageIn, DocStamp
from app.docsets.indexing import VERSION, page_in
from app.engine.components import Components
from app.errors import FetchError, FileAccessError, InvalidArgumentError, WebRAGError
from app.events import ProgressCallback, no_progress
from app.ingest.prepared import Body, content_hash
from app.ingest.runner.run import Finished, Work
from app.library import packages as records
from app.library.job_records import ItemState, Job, JobItem, JobKind
from app.packages.archives import (
    ArtefactError,
    artefact_contents,
    check_public,
    locked_artefact,
    published_artefact,
    registry_address,
)
from app.packages.contents import Found, installed_contents, installed_size
from app.packages.docsets import FoundDocset, docsets_here, read_docset
from app.packages.manifests import PackagePage, Project, Used
from app.packages.projects import changed_at, read_project, read_projects
from app.packages.sites import (
    INVENTORY,
    MAX_INVENTORY_BYTES,
    check_version,
    read_inventory,
    site_contents,
    with_signatures,
)
from app.text.sentence import sentence

log = logging.getLogger(__name__)

DOWNLOADS: Final = "downloads"  # The option of a job that may ask registries.
ENOUGH_PROSE_BYTES: Final = 10_000  # With so much prose beside the README, an installed copy is enough.
LOOK_SECONDS: Final = 30.0
SETTLE_SECONDS: Final = 5.0
USUAL_ARTEFACT_BYTES: Final = 1_800_000
SECONDS_PER_DOWNLOAD: Final = 5.0
BYTES_PER_SECOND: Final = 150_000  # Pages that become searchable by keyword, on two cores.


@dataclass(frozen=True, slots=True)
class UsedPackage:
    """A package of a project. `source` is where its pages would come from, empty if nothing of it is on this computer.

    `characters`, `disk_bytes` and `seconds` are estimates for adding it; 0 if it is stored or cannot be added.
    """

    package: records.Package
    is_direct: bool
    is_locked: bool
    is_private: bool
    is_stored: bool
    source: str
    characters: int = 0
    disk_bytes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ScannedProject:
    """A project with its packages, direct ones first."""

    root: str
    files: tuple[str, ...]
    packages: tuple[UsedPackage, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddedPackage:
    """The result of adding a package. `failure` says why nothing was stored, `note` what is incomplete."""

    package: records.Package
    source: str
    pages: int
    characters: int
    failure: str = ""
    hint: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Download:
    """A request to a public registry. `has_digest`: the lock file has a hash of the file. `size` is in bytes, 0 if unknown.

    `likely_size` and `seconds` are estimates.
    """

    package: records.Package
    url: str
    has_digest: bool
    size: int
    seconds: float = SECONDS_PER_DOWNLOAD

    @property
    def likely_size(self) -> int:
        return self.size or USUAL_ARTEFACT_BYTES


@dataclass(frozen=True, slots=True)
class PackageList:
    """The stored packages and the known projects."""

    packages: tuple[records.StoredPackage, ...]
    projects: tuple[records.StoredProject, ...]


class Packages:
    """Needs a running engine with a private library."""

    def __init__(self, components: Components, lock: asyncio.Lock) -> None:
        if components.node is not None:
            raise InvalidArgumentError(
                sentence("A shared library does not contain packages."), hint="Add them to the private library."
            )
        self._jobs = components.jobs
        self._corpus = components.corpus
        self._store = components.corpus.packages
        self._docsets = components.corpus.docsets
        self._pipeline = components.pipeline
        self._fetcher = components.fetcher
        self._lock = lock

    async def stored(self) -> PackageList:
        """Return what is stored."""
        return await asyncio.to_thread(lambda: PackageList(tuple(self._store.all()), tuple(self._store.projects())))

    async def project(self, root: Path) -> ScannedProject:
        """Read one project without remembering it, so that `follow` still notices its changes. Raises FileAccessError if it is gone."""
        project = await asyncio.to_thread(_read, root)
        if project is None:
            raise FileAccessError(
                sentence("{} contains neither a lock file nor installed packages.", root),
                hint="Add the project again if you moved it, or forget it.",
            )
        return await asyncio.to_thread(self._scanned, project)

    async def scan(self, root: Path) -> tuple[ScannedProject, ...]:
        """Read the projects in a folder, and remember them. Raises FileAccessError."""
        return await asyncio.to_thread(lambda: tuple(map(self._scanned, self._projects(root))))

    async def add(
        self,
        names: Sequence[str] = (),
        root: Path | None = None,
        progress: ProgressCallback = no_progress,
        *,
        downloads: bool = False,
    ) -> tuple[AddedPackage, ...]:
        """Store the documentation of packages, of all known projects or those in a folder; without names, of the direct ones.

        With `downloads`, makes the requests that the method `downloads` lists. Stored packages only get missing symbols.
        Raises UnknownPackageError for a name that no project uses, FileAccessError.
        """
        wanted = await self.wanted(names, root)
        added = []
        for place, used in enumerate(wanted, start=1):
            await progress("packages", used.package.shown, place, len(wanted))
            try:
                added.append(await self.keep(used, downloads=downloads))
            except (FetchError, FileAccessError) as error:
                added.append(AddedPackage(used.package, "", 0, 0, error.message, error.hint))
        return tuple(added)

    async def begin(self, names: Sequence[str], target: str, *, downloads: bool = False) -> Job:
        """Start a job that adds packages; `target` names it. Raises UnknownPackageError."""
        items = [JobItem(str(used.package), 0) for used in await self.wanted(names)]
        job, _ = await self._jobs.add(JobKind.PACKAGES, target, json.dumps({DOWNLOADS: downloads}))
        await asyncio.to_thread(self._corpus.jobs.add_items, job.id, items)
        return await self._jobs.wake(job)

    async def begin_for_assistant(self, name: str, allowed: str) -> Job:
        """Start a job that adds a package, with a download if necessary. `allowed` is the setting `mcp_add_packages`.

        Raises InvalidArgumentError if the user does not allow this package, UnknownPackageError.
        """
        if allowed == "never":
            raise InvalidArgumentError(
                sentence("The user does not let assistants add packages."),
                hint="Ask the user to add it on the page Packages, or to change Settings > Tools.",
            )
        wanted = await self.wanted([name])
        if allowed == "projects" and not all(used.is_locked or used.installed for used in wanted):
            raise records.UnknownPackageError(
                sentence("No known project uses {}, and the user only lets assistants add packages of projects.", name),
                hint="Ask the user to add the project on the page Packages, or to change Settings > Tools.",
            )
        return await self.begin([name], name, downloads=True)

    async def keep(self, used: Used, *, downloads: bool) -> AddedPackage:
        """Store the documentation of a package unless it is stored. Raises FetchError, FileAccessError."""
        async with self._lock:
            known = (await asyncio.to_thread(self._complete)).get(used.package)
            if known is not None and not (downloads and known.source == records.INSTALLED):
                await asyncio.to_thread(self._complete_symbols, known, used)
                return AddedPackage(known.package, known.source, known.pages, known.characters)
            return await self._added(used.package, *await self._gathered(used, downloads=downloads))

    async def add_docset(self, path: Path, name: str = "") -> AddedPackage:
        """Store the pages and names of a docset, under this name if it has this version. Raises FileAccessError, InvalidArgumentError."""
        package, found = await asyncio.to_thread(read_docset, path, records.name_of(name) if name else None)
        async with self._lock:
            return await self._added(package, records.DOCSET, found)

    async def add_site(self, name: str, address: str, progress: ProgressCallback = no_progress) -> AddedPackage:
        """Store the pages of a documentation site that proves to be of this version, and its names.

        Asks robots.txt and observes the rate limit of the site. Raises UnknownPackageError, FetchError, FileAccessError.
        """
        package = (await self.wanted([name]))[0].package
        inventory = await self._fetcher.fetch_file(f"{address.rstrip('/')}/{INVENTORY}", MAX_INVENTORY_BYTES)
        site = await asyncio.to_thread(read_inventory, inventory.body, inventory.url)
        check_version(site, package, address)
        bodies: dict[str, bytes] = {}
        failed = 0
        places = list(site.pages.items())[: caps.MAX_PACKAGE_PAGES]
        for count, (page, place) in enumerate(places, start=1):
            await progress("packages", package.shown, count, len(places))
            if sum(map(len, bodies.values())) > caps.MAX_PACKAGE_BYTES:
                break
            try:
                result = await self._fetcher.fetch_file(place, caps.MAX_PACKAGE_FILE_BYTES)
            except FetchError as error:
                log.info("a page of %s was not fetched: %s", package, error)
                failed += 1
                continue
            # A redirect can lead to another version.
            if result.url.startswith(site.base):
                bodies[page] = result.body
            else:
                failed += 1
        found = await asyncio.to_thread(site_contents, package, site, bodies)
        found = replace(found, is_cut=found.is_cut or len(bodies) + failed < len(site.pages))
        if not found.pages:
            raise FileAccessError(
                sentence("{} does not contain pages.", address), hint="Open the address in a browser, and check it."
            )
        async with self._lock:
            added = await self._added(package, records.SITE, found)
        return replace(added, note=" ".join(filter(None, (_unread(failed), added.note))))

    async def docsets(self) -> tuple[FoundDocset, ...]:
        """Return the docsets of Zeal and Dash on this computer."""
        return tuple(await asyncio.to_thread(docsets_here))

    async def _added(self, package: records.Package, source: str, found: Found) -> AddedPackage:
        if not await asyncio.to_thread(self._has_room):
            raise FileAccessError(
                sentence("The packages use {} GiB, which is the limit.", caps.PACKAGES_DISK_BYTES // caps.GIB),
                hint="Remove packages that you no longer need.",
            )
        started = time.perf_counter()
        added = await self._stored(package, source, found)
        log.info("package %s: %d pages in %.1f s", package, added.pages, time.perf_counter() - started)
        return added

    def _complete_symbols(self, known: records.StoredPackage, used: Used) -> None:
        """Store the symbols of an installed copy whose pages an earlier version stored."""
        if used.installed and known.package in self._store.without_symbols():
            try:
                self._store.put_symbols(known.id, installed_contents(used.package, Path(used.installed)).symbols)
            except FileAccessError as error:
                log.info("the symbols of %s were not read: %s", used.package, error)

    def _has_room(self) -> bool:
        """Whether the packages are within their disk space, after removing ones that no project uses, least recently asked first."""
        stored = sorted(self._store.all(), key=lambda each: each.asked_at)
        used = sum(each.disk_bytes for each in stored)
        for each in stored:
            if used < caps.PACKAGES_DISK_BYTES:
                break
            if not each.is_used:
                log.info("package %s is removed to make room", each.package)
                self._store.remove(each.id)
                used -= each.disk_bytes
        return used < caps.PACKAGES_DISK_BYTES

    async def downloads(self, names: Sequence[str] = (), root: Path | None = None) -> tuple[Download, ...]:
        """Return the first request for each package that `add` with `downloads` may make, without making any."""
        stored = await asyncio.to_thread(self._complete)
        planned = []
        for used in await self.wanted(names, root):
            known = stored.get(used.package)
            if known is not None and known.source != records.INSTALLED:
                continue
            with suppress(ArtefactError):
                check_public(used)
                locked = locked_artefact(used)
                address = locked.url if locked is not None else registry_address(used.package)
                planned.append(Download(used.package, address, bool(used.digest), used.size))
        return tuple(planned)

    async def wanted(self, names: Sequence[str], root: Path | None = None) -> list[Used]:
        """Return the named packages, otherwise the direct ones, each once. Raises UnknownPackageError, FileAccessError."""
        projects = await asyncio.to_thread(self._projects, root)
        if names:
            found = [each for name in names for each in _named(records.name_of(name), projects)]
        else:
            direct = (each for project in projects for each in project.packages if each.is_direct)
            found = list(direct)[: caps.MAX_PACKAGES_ADDED]
        return list({each.package: each for each in found}.values())

    async def wanted_by(self, job: Job) -> dict[str, Used]:
        """Return the packages of a job by its items. Raises UnknownPackageError."""
        items = await asyncio.to_thread(self._corpus.jobs.items, job.id, limit=caps.MAX_JOB_ITEMS)
        wanted = await self.wanted([item.url for item in items]) if items else []
        return {str(used.package): used for used in wanted}

    def _complete(self) -> dict[records.Package, records.StoredPackage]:
        return {each.package: each for each in self._store.all() if each.is_complete}

    async def remove(self, names: Sequence[str]) -> tuple[records.Package, ...]:
        """Remove packages with their pages. Raises UnknownPackageError."""
        found = [await asyncio.to_thread(self._store.find, records.name_of(name)) for name in names]
        for number, _ in found:
            await asyncio.to_thread(self._store.remove, number)
        return tuple(package for _, package in found)

    async def forget_project(self, root: Path) -> bool:
        """Forget a project but not its packages; return False if it is unknown."""
        return await asyncio.to_thread(self._store.forget_project, str(root))

    async def refresh(self, progress: ProgressCallback = no_progress) -> tuple[AddedPackage, ...]:
        """Read the known projects again, and add the direct packages whose version has changed."""
        projects = await asyncio.to_thread(self._projects, None)
        known = {(each.package.ecosystem, each.package.name) for each in await asyncio.to_thread(self._store.all)}
        changed = {
            str(each.package)
            for project in projects
            for each in project.packages
            if each.is_direct and (each.package.ecosystem, each.package.name) in known
        }
        return await self.add(sorted(changed), progress=progress) if changed else ()

    async def follow(self, may_work: Callable[[], bool]) -> None:
        """Add new versions from installed copies whenever a known project changes, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                if may_work() and await asyncio.to_thread(self._has_changed):
                    await self.refresh()
            except WebRAGError as error:
                log.warning("the packages of projects were not read: %s", error)

    def _has_changed(self) -> bool:
        """Whether a project changed after it was read. A package manager may still be writing for SETTLE_SECONDS."""
        latest = time.time() - SETTLE_SECONDS
        for each in self._store.projects():
            with suppress(OSError):  # reported by `_read` when its packages are needed
                if each.read_at < changed_at(Path(each.root)) < latest:
                    return True
        return False

    def _projects(self, root: Path | None) -> list[Project]:
        """Return and remember the projects in a folder, or the known ones that still exist, as they are now. Raises FileAccessError."""
        if root is not None:
            projects = read_projects(root)
        else:
            known = (_read(Path(each.root)) for each in self._store.projects())
            projects = [project for project in known if project is not None]
        for project in projects:
            used = [each for each in project.packages if each.is_locked] or project.packages
            self._store.keep_project(project.root, [(each.package, each.is_direct) for each in used])
        return projects

    def _scanned(self, project: Project) -> ScannedProject:
        stored = self._complete()
        packages = tuple(_described(each, is_stored=each.package in stored) for each in project.packages)
        return ScannedProject(project.root, project.files, packages, project.notes)

    async def _gathered(self, used: Used, *, downloads: bool) -> tuple[str, Found]:
        """Return the source and the pages: of the installed copy, and of the artefact if that is allowed and the copy has little prose.

        Raises FileAccessError, FetchError.
        """
        own = (
            await asyncio.to_thread(installed_contents, used.package, Path(used.installed))
            if used.installed
            else Found()
        )
        if not downloads or sum(len(page.content) for page in own.docs[1:]) >= ENOUGH_PROSE_BYTES:
            return records.INSTALLED, _checked(used, own)
        try:
            other = await self._downloaded(used)
        except (FetchError, FileAccessError):
            if own.pages:
                return records.INSTALLED, own
            raise
        both = Found(
            other.docs or own.docs,
            own.api or other.api,
            other.changes or own.changes,
            other.is_cut or own.is_cut,
            own.symbols or other.symbols,
        )
        return records.DOWNLOADED, _checked(used, both)

    async def _downloaded(self, used: Used) -> Found:
        """Return what the artefact of exactly this version holds. Raises FetchError, ArtefactError, ArchiveError."""
        check_public(used)
        artefact = locked_artefact(used)
        if artefact is None:
            description = await self._fetcher.fetch_file(registry_address(used.package), caps.MAX_BODY_BYTES)
            artefact = published_artefact(used, description.body)
        result = await self._fetcher.fetch_file(artefact.url, caps.MAX_PACKAGE_BYTES)
        return await asyncio.to_thread(artefact_contents, used.package, result.body, artefact.digest)

    async def _stored(self, package: records.Package, source: str, found: Found) -> AddedPackage:
        """Store the pages for both kinds of search, prose first; complete after the last one."""
        number = await asyncio.to_thread(self._store.add, package, source)
        pages: list[DocPageIn] = []
        failed = 0
        for page in found.pages:
            url = f"{package.address}{quote(page.path)}"
            charset = None if page.media_type == "text/html" else "utf-8"
            body = Body(page.content, url, page.media_type, charset, url)
            try:
                document = await self._pipeline.store_package_page(body, package_id=number, title=package.shown)
            except FileAccessError:
                raise
            except WebRAGError as error:
                log.info("a page of %s was not read: %s", package, error)
                failed += 1
                continue
            pages.append(await asyncio.to_thread(_doc_page, page, url, document.text))
        is_index = source in (records.DOCSET, records.SITE)
        # Signatures of an installed copy say more than the names on a site.
        if found.symbols and (not is_index or package in await asyncio.to_thread(self._store.without_symbols)):
            symbols = found.symbols
            if is_index:
                symbols = await asyncio.to_thread(with_signatures, symbols, {page.url: page.content for page in pages})
            await asyncio.to_thread(self._store.put_symbols, number, symbols)
        docset = await asyncio.to_thread(self._store.docset_of, number)
        note = _unread(failed)
        if found.is_cut:
            note = sentence("Only the first {} pages are stored.", f"{len(pages):,}")
        await asyncio.to_thread(self._docsets.update, docset, VERSION, DocChanges(pages=tuple(pages), note=note))
        return AddedPackage(package, source, len(pages), sum(len(page.content) for page in pages), note=note)


class PackagesWork(Work):
    """The work of a job that adds packages."""

    is_patient = True

    def __init__(self, job: Job, packages: Packages) -> None:
        self._job = job
        self._packages = packages
        self._downloads = bool(json.loads(job.options).get(DOWNLOADS))
        self._wanted: dict[str, Used] = {}

    async def prepare(self) -> None:
        """Read the projects as they are now."""
        self._wanted = await self._packages.wanted_by(self._job)

    async def read(self, item: JobItem) -> Finished:
        """Add one package. Raises FetchError, FileAccessError."""
        added = await self._packages.keep(self._wanted[item.url], downloads=self._downloads)
        return Finished(ItemState.STORED, added.note)


def _read(root: Path) -> Project | None:
    """Return the project in a folder, or None if it is gone or cannot be read now, such as one on another computer."""
    try:
        return read_project(root) if root.is_dir() else None
    except OSError as error:
        log.warning("the project %s cannot be read: %s", root, error)
        return None


def _unread(count: int) -> str:
    return sentence("{} of its pages cannot be read.", f"{count:,}") if count else ""


def _checked(used: Used, found: Found) -> Found:
    """Return the pages. Raises FileAccessError if there are none."""
    if not used.installed and not found.pages:
        hint = "Install the packages of the project, or add it with --download."
        raise FileAccessError(sentence("{} is not installed in the project.", used.package.shown), hint=hint)
    if not found.pages:
        hint = "Name a site of exactly this version: webrag packages add NAME@VERSION --site URL."
        raise FileAccessError(sentence("The copy of {} does not contain documentation.", used.package.shown), hint=hint)
    return found


def _described(used: Used, *, is_stored: bool) -> UsedPackage:
    source = records.INSTALLED if used.installed else ""
    described = UsedPackage(used.package, used.is_direct, used.is_locked, bool(used.index), is_stored, source)
    if is_stored or not used.installed or not used.is_direct:
        return described
    try:
        size = installed_size(used.package, Path(used.installed))
    except FileAccessError:
        return replace(described, source="")
    return replace(
        described, characters=size, disk_bytes=size * records.BYTES_ON_DISK, seconds=max(0.1, size / BYTES_PER_SECOND)
    )


def _named(wanted: records.PackageName, projects: Sequence[Project]) -> list[Used]:
    """Return the packages of projects with this name: the direct ones, otherwise all. Another version is not installed.

    Raises UnknownPackageError if the registry is unknown, or if the name without a version is not used.
    """
    same = [
        each
        for project in projects
        for each in project.packages
        if each.package.name.casefold() == wanted.name.casefold() and wanted.ecosystem in ("", each.package.ecosystem)
    ]
    version = wanted.version.removeprefix("v")
    found = [each for each in same if version in ("", each.package.version.removeprefix("v"))]
    ecosystems = {each.package.ecosystem for each in same} or {wanted.ecosystem}
    if not found and version and len(ecosystems) == 1 and (ecosystem := ecosystems.pop()):
        index = next((each.index for each in same if each.index), "")
        return [Used(records.Package(ecosystem, wanted.name, wanted.version), index=index, is_locked=False)]
    if not found:
        raise records.UnknownPackageError(
            sentence("No known project uses {}.", str(wanted)),
            hint="Add the project in the window or with webrag packages scan FOLDER. Or name the registry and version: pypi/flask@3.1.3.",
        )
    return [each for each in found if each.is_direct] or found


def _doc_page(page: PackagePage, url: str, text: str) -> DocPageIn:
    stamp = DocStamp(0, len(page.content), content_hash(text))
    return page_in(f"{page.path}.md", url, page.path.partition("/")[0], text, stamp)
