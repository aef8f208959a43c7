"""The published artefact of a package: its address in the public registry, and its hash. Fetching is up to the caller."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlsplit

from app.errors import FileAccessError
from app.library.packages import Ecosystem, Package
from app.packages.archives import open_archive
from app.packages.contents import Found, contents_of
from app.packages.manifests import UNREADABLE, entries, table
from app.packages.records import Used
from app.packages.registries import registry_of
from app.text.sentence import sentence

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
        raise ArtefactError(
            sentence(
                "{} comes from a private index. WebRAG does not ask the public registry for it.", used.package.shown
            ),
            hint="Install the packages of the project, then add it again.",
        )
    if used.package.ecosystem not in (Ecosystem.PYPI, Ecosystem.NPM):
        raise ArtefactError(
            sentence("WebRAG cannot download packages of {} yet.", used.package.ecosystem),
            hint="Name a site of exactly this version: webrag packages add NAME@VERSION --site URL.",
        )


def registry_address(package: Package) -> str:
    """Return the address at which the public registry describes exactly this version."""
    name, version = quote(package.name, safe="@/"), quote(package.version, safe="")
    address = registry_of(Ecosystem(package.ecosystem)).address
    if package.ecosystem == Ecosystem.PYPI:
        return f"{address}/pypi/{name}/{version}/json"
    return f"{address}/{name.replace('/', '%2F')}/{version}"


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
        found = _sdist(document) if used.package.ecosystem == Ecosystem.PYPI else _tarball(document)
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
    return contents_of(package, archive.sizes, archive.read, metadata=archive.metadata)


def matches(content: bytes, digests: str) -> bool:
    """Whether the content has one of the hashes of the strongest kind given."""
    known: dict[str, set[bytes]] = {}
    for digest in digests.split():
        kind = digest[: len("sha256")].partition(":")[0].partition("-")[0]
        value = _decoded(digest[len(kind) + 1 :], is_hex=digest[len(kind) :].startswith(":"))
        if len(value) == _HASHES.get(kind):
            known.setdefault(kind, set()).add(value)
    strongest = max(known, key=lambda kind: _HASHES[kind], default="")
    return (
        bool(strongest)
        and hashlib.new(strongest, content, usedforsecurity=strongest != "sha1").digest() in known[strongest]
    )


def _decoded(text: str, *, is_hex: bool) -> bytes:
    try:
        return bytes.fromhex(text) if is_hex else base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return b""


def _sdist(document: Mapping[str, Any]) -> Artefact | None:
    files = (each for each in entries(document["urls"], dict) if each.get("packagetype") == "sdist")
    found = next(files, None)
    return Artefact(str(found["url"]), f"sha256:{found['digests']['sha256']}") if found is not None else None


def _tarball(document: Mapping[str, Any]) -> Artefact | None:
    dist = table(document.get("dist"))
    return Artefact(str(dist["tarball"]), str(dist["integrity"])) if dist else None
