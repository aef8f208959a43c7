"""Open the archive of a package in memory: gzipped tar files and ZIP files, with limits. Nothing is written and no link is followed.

Also names the published artefact of a package: its address in the public registry, and its hash. Fetching is up to the caller.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import json
import posixpath
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, TypeAlias
from urllib.parse import quote, urlsplit

from app import caps
from app.errors import FileAccessError
from app.library.packages import Ecosystem, Package
from app.packages.contents import DOC_TYPES, Found, contents_of
from app.packages.manifests import UNREADABLE, Used, entries, registry_of, table
from app.text.sentence import sentence

READ_SUFFIXES: Final = (*DOC_TYPES, ".py", ".pyi", ".d.ts", ".d.mts", ".d.cts")
IsRead: TypeAlias = Callable[[str, int], bool]
_METADATA: Final = "PKG-INFO"
_PIECE_BYTES: Final = 256 * caps.KIB
_MIN_RATIO_BYTES: Final = caps.MIB  # Smaller output is not compared with the size of the archive.


class ArchiveError(FileAccessError):
    """An archive that is damaged, too large, or contains members that no package needs."""

    title = "Package archive refused"
    default_hint = "WebRAG does not read this package. Report it to its author if it is not an attack."


@dataclass(frozen=True, slots=True)
class Archive:
    """The documentation and modules in an archive, by path below its only folder; `metadata` is the PKG-INFO of a Python package."""

    files: dict[str, bytes]
    metadata: bytes = b""


def is_of_package(name: str, size: int) -> bool:
    """Whether a member of an archive is documentation or a module."""
    is_wanted = name.lower().endswith(READ_SUFFIXES) or (PurePosixPath(name).name == _METADATA and name.count("/") == 1)
    return is_wanted and size <= caps.MAX_PACKAGE_FILE_BYTES


def open_archive(content: bytes, is_read: IsRead = is_of_package) -> Archive:
    """Return the files to be read, by name and size. Raises ArchiveError for an archive that breaks a limit or could write elsewhere."""
    try:
        members = (_zipped if content.startswith(b"PK\x03\x04") else _tarred)(content, is_read)
        files: dict[str, bytes] = {}
        kept = 0
        for count, (name, body) in enumerate(members, start=1):
            if count > caps.MAX_UNPACKED_MEMBERS:
                raise ArchiveError(sentence("The archive has more than {} members.", f"{caps.MAX_UNPACKED_MEMBERS:,}"))
            path = _checked(name).partition("/")[2]
            kept += len(body or b"")
            if kept > caps.MAX_PACKAGE_BYTES:
                raise _too_large()
            if body is not None and path:
                files[path] = body
    # zipfile raises RuntimeError for passwords and unknown compression.
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise ArchiveError(sentence("The archive is damaged ({}).", type(error).__name__)) from error
    return Archive({path: body for path, body in files.items() if path != _METADATA}, files.get(_METADATA, b""))


def _checked(name: str) -> str:
    """Return the name of a member. Raises ArchiveError unless it is a plain path."""
    plain = name.removeprefix("./").rstrip("/")
    parts = plain.split("/")
    if "\0" in name or "\\" in name or plain.startswith("/") or ".." in parts or ":" in parts[0]:
        raise ArchiveError(sentence("The archive contains a path that leads out of it."))
    return plain


def _tarred(content: bytes, is_read: IsRead) -> Iterator[tuple[str, bytes | None]]:
    """Yield name and content of each member; None for members that are not read."""
    with tarfile.open(fileobj=_Unpacked(content), mode="r|") as tar:
        for member in tar:
            tar.members.clear()  # type: ignore[attr-defined]  # the module keeps every member
            if member.ischr() or member.isblk() or member.isfifo():
                raise ArchiveError(sentence("The archive contains a device."))
            if member.issym() or member.islnk():
                inside = "" if member.islnk() else posixpath.dirname(member.name)
                _checked(posixpath.normpath(posixpath.join(inside, member.linkname)))
            is_plain = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE)
            file = tar.extractfile(member) if is_plain and is_read(member.name, member.size) else None
            yield member.name, file.read() if file is not None else None


def _zipped(content: bytes, is_read: IsRead) -> Iterator[tuple[str, bytes | None]]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        left = min(caps.MAX_UNPACKED_BYTES, max(_MIN_RATIO_BYTES, caps.MAX_UNPACKED_RATIO * len(content)))
        for member in packed.infolist():
            if member.is_dir() or not is_read(member.filename, member.file_size):
                yield member.filename, None
                continue
            with packed.open(member) as file:
                body = file.read(caps.MAX_PACKAGE_FILE_BYTES + 1)
            left -= len(body)
            if left < 0 or len(body) > caps.MAX_PACKAGE_FILE_BYTES:
                raise _too_large()
            yield member.filename, body


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a gzip file, up to the limits. Raises ArchiveError."""

    def __init__(self, content: bytes) -> None:
        self._left = memoryview(content)
        self._most = min(caps.MAX_UNPACKED_BYTES, max(_MIN_RATIO_BYTES, caps.MAX_UNPACKED_RATIO * len(content)))
        self._decoder = zlib.decompressobj(wbits=31)
        self._ready = b""
        self._count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes."""
        while len(self._ready) < size and (self._left or self._decoder.unconsumed_tail) and not self._decoder.eof:
            piece = self._decoder.unconsumed_tail or bytes(self._left[:_PIECE_BYTES])
            if not self._decoder.unconsumed_tail:
                self._left = self._left[_PIECE_BYTES:]
            made = self._decoder.decompress(piece, _PIECE_BYTES)
            self._count += len(made)
            if self._count > self._most:
                raise _too_large()
            self._ready += made
        found, self._ready = self._ready[:size], self._ready[size:]
        return found


def _too_large() -> ArchiveError:
    most = caps.MAX_UNPACKED_BYTES // caps.MIB
    return ArchiveError(sentence("The archive is larger than {} MiB when unpacked.", most))


_HASHES: Final = {"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}
"""Known hashes with their length in bytes. A lock file with only SHA-1 is older than the registry's own hash."""


class ArtefactError(FileAccessError):
    """The artefact of a package cannot be used."""

    title = "Package not available"


@dataclass(frozen=True, slots=True)
class Artefact:
    """Where the artefact of a package is, and its hashes (`sha256:HEX`, `sha512-BASE64`), separated by spaces."""

    url: str
    digest: str


def check_public(used: Used) -> None:
    """Raise ArtefactError for a package of a private index, or of a registry that WebRAG does not read."""
    if used.index:
        name, hint = used.package.shown, "Install the packages of the project, then add it again."
        message = sentence("{} comes from a private index. WebRAG does not ask the public registry for it.", name)
        raise ArtefactError(message, hint=hint)
    if used.package.ecosystem not in (Ecosystem.PYPI, Ecosystem.NPM):
        raise ArtefactError(
            sentence("WebRAG cannot download packages of {} yet.", used.package.ecosystem),
            hint="Name a site of exactly this version: webrag packages add NAME@VERSION --site URL.",
        )


def registry_address(package: Package) -> str:
    """Return the address at which the public registry describes exactly this version."""
    name, version = quote(package.name, safe="@/"), quote(package.version, safe="")
    address = registry_of(Ecosystem(package.ecosystem)).address
    is_python = package.ecosystem == Ecosystem.PYPI
    return f"{address}/pypi/{name}/{version}/json" if is_python else f"{address}/{name.replace('/', '%2F')}/{version}"


def locked_artefact(used: Used) -> Artefact | None:
    """Return the artefact that the lock file names with a hash, or None if the registry must be asked for its address."""
    if not used.url.startswith("https://") or not used.digest:
        return None
    archives = registry_of(Ecosystem(used.package.ecosystem)).archives
    return Artefact(used.url, used.digest) if urlsplit(used.url).hostname in archives else None


def published_artefact(used: Used, description: bytes) -> Artefact:
    """Return the artefact in the registry's description, with the hash of the lock file if it has one. Raises ArtefactError."""
    try:
        document = table(json.loads(description))
        if used.package.ecosystem == Ecosystem.PYPI:
            sources = (each for each in entries(document["urls"], dict) if each.get("packagetype") == "sdist")
            found = next((Artefact(str(each["url"]), f"sha256:{each['digests']['sha256']}") for each in sources), None)
        else:
            dist = table(document.get("dist"))
            found = Artefact(str(dist["tarball"]), str(dist["integrity"])) if dist else None
    except UNREADABLE as error:
        raise ArtefactError(sentence("The registry's description of {} is damaged.", used.package.shown)) from error
    if found is None or urlsplit(found.url).scheme != urlsplit(registry_address(used.package)).scheme:
        raise ArtefactError(
            sentence("{} was published without its sources.", used.package.shown),
            hint="Install the packages of the project, then add it again.",
        )
    return Artefact(found.url, used.digest or found.digest)


def artefact_contents(package: Package, content: bytes, digest: str) -> Found:
    """Return what an artefact holds. Raises ArtefactError unless it has one of these hashes, and ArchiveError."""
    if not matches(content, digest):
        raise ArtefactError(
            sentence("The downloaded file of {} does not have the hash in the lock file.", package.shown),
            hint="Do not install this version before you know why. Create the lock file again if it is outdated.",
        )
    archive = open_archive(content)
    sizes = {path: len(body) for path, body in archive.files.items()}
    return contents_of(package, sizes, archive.files.__getitem__, metadata=archive.metadata)


def matches(content: bytes, digests: str) -> bool:
    """Whether the content has one of the hashes of the strongest kind given."""
    known: dict[str, set[bytes]] = {}
    for digest in digests.split():
        kind = digest[: len("sha256")].partition(":")[0].partition("-")[0]
        value = _decoded(digest[len(kind) + 1 :], is_hex=digest[len(kind) :].startswith(":"))
        if len(value) == _HASHES.get(kind):
            known.setdefault(kind, set()).add(value)
    if not known:
        return False
    strongest = max(known, key=lambda kind: _HASHES[kind])
    return hashlib.new(strongest, content, usedforsecurity=strongest != "sha1").digest() in known[strongest]


def _decoded(text: str, *, is_hex: bool) -> bytes:
    try:
        return bytes.fromhex(text) if is_hex else base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return b""
