"""The documentation sites: their packages, and unpacking into a folder outside the checkout."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import tarfile
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import IO, Final

HERE: Final = Path(__file__).parent
PACKAGES: Final = HERE / "packages.toml"
QUESTIONS: Final = HERE / "questions"
TRANSLATED: Final = "languages"
"""The part with translated documentation. The minimum of the set excludes it."""
SPLITS: Final = ("train", "development", "test", TRANSLATED)
MAX_PAGES: Final = 6_000
MAX_SITE_BYTES: Final = 400 * 2**20
DOWNLOAD_SECONDS: Final = 300
PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml")


class SiteError(Exception):
    """A site is not available. The message contains the reason and the solution."""


@dataclass(frozen=True, slots=True)
class Site:
    """One table of packages.toml. `keep` and `leave_out` are patterns of paths in `root`, `language` is the language of its pages."""

    name: str
    package: str
    version: str
    sha256: str
    root: str
    start: str
    split: str
    form: str
    licence: str
    keep: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    language: str = "en"

    def takes(self, path: str) -> bool:
        """Whether the file at this path in the root belongs to the site."""
        if not path.removesuffix(".gz").endswith(PAGE_ENDINGS) or any(fnmatch(path, each) for each in self.leave_out):
            return False
        return not self.keep or any(fnmatch(path, each) for each in self.keep)


def read_sites(file: Path = PACKAGES) -> dict[str, Site]:
    """Return the sites by name, in the order of the file."""
    found = {}
    for name, row in tomllib.loads(file.read_text("utf-8")).items():
        patterns = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
        found[name] = Site(name=name, **{**row, **patterns})
    return found


def default_cache() -> Path:
    """Return the default folder of packages and pages."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "webrag-docqa"


def folder_of(cache: Path) -> Path:
    """Return the folder with one folder per site."""
    return cache / "sites"


def is_made(site: Site, cache: Path) -> bool:
    """Whether the cache contains the pages of exactly this package and selection."""
    stamp = _stamp(site, cache)
    return stamp.is_file() and stamp.read_text("utf-8") == repr(site)


def make(site: Site, cache: Path) -> int:
    """Download, check and unpack a site unless it exists. Returns its number of pages. Raises SiteError."""
    folder = folder_of(cache) / site.name
    if not is_made(site, cache):
        archive = _downloaded(site, cache / "packages")
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = cache / f"{site.name}.part"
        shutil.rmtree(fresh, ignore_errors=True)
        _from_package(archive, lambda stream: unpack(stream, site, fresh))
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
        _stamp(site, cache).parent.mkdir(exist_ok=True)
        _stamp(site, cache).write_text(repr(site), "utf-8")
    return sum(1 for _ in folder.rglob("*.*htm*"))


def unpack(stream: IO[bytes], site: Site, folder: Path) -> None:
    """Write the pages of a tar stream into a folder. Links between files become copies. Raises SiteError."""
    links: list[tuple[str, str]] = []
    pages = size = 0
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            path = _below(member.name, site.root)
            if path is None or not site.takes(path):
                continue
            if member.issym() or member.islnk():
                start = str(PurePosixPath(path).parent) if member.issym() else ""
                target = member.linkname if member.issym() else _below(member.linkname, site.root)
                links.append((path, os.path.normpath(str(PurePosixPath(start) / target)) if target else ""))
                continue
            body = archive.extractfile(member) if member.isfile() else None
            if body is None:
                continue
            pages, size = pages + 1, size + member.size
            if pages > MAX_PAGES or size > MAX_SITE_BYTES:
                raise SiteError(
                    f"{site.name}: more than {MAX_PAGES} pages or {MAX_SITE_BYTES >> 20} MiB. Exclude some."
                )
            _write(folder / path, body.read())
    for path, target in links:
        if (folder / target).is_file() and not target.startswith(("..", "/")):
            _write(folder / path, (folder / target).read_bytes())
    if not (folder / site.start).is_file():
        raise SiteError(f"{site.name}: the package has no {site.root}/{site.start}.")


def _write(file: Path, body: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".gz":
        file, body = file.with_suffix(""), gzip.decompress(body)
    file.write_bytes(body)


def _below(name: str, root: str) -> str | None:
    """Return the path in the root, or None for other paths and those that leave it."""
    path = PurePosixPath(name.removeprefix("./"))
    if ".." in path.parts or not path.is_relative_to(root) or str(path) == root:
        return None
    return str(path.relative_to(root))


def _stamp(site: Site, cache: Path) -> Path:
    return cache / "made" / site.name


def _downloaded(site: Site, folder: Path) -> Path:
    """Return the package file with the pinned content."""
    folder.mkdir(parents=True, exist_ok=True)
    file = _with_digest(folder.glob(f"{site.package}_*.deb"), site.sha256)
    if file is not None:
        return file
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise SiteError("Downloading the documentation packages requires apt-get and dpkg-deb: run this on Debian 12.")
    wanted = f"{site.package}={site.version}"
    command = ["apt-get", "download", "-q", wanted]
    run = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=DOWNLOAD_SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    file = _with_digest(folder.glob(f"{site.package}_*.deb"), site.sha256)
    if file is None:
        said = (run.stderr.strip().splitlines() or ["the downloaded file has another content"])[-1]
        raise SiteError(f"{site.name}: {wanted} is not available as pinned (run apt-get update on Debian 12): {said}")
    return file


def _with_digest(files: Iterable[Path], digest: str) -> Path | None:
    return next((file for file in files if hashlib.sha256(file.read_bytes()).hexdigest() == digest), None)


def _from_package(archive: Path, use: Callable[[IO[bytes]], None]) -> None:
    """Pass on the tar stream of a package."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            use(process.stdout)
        finally:
            process.kill()
