"""Addresses, source tags and filters of library pages, and the scope that limits a caller.

A page address is `webrag://page/12` in the private library and `webrag://lib/NAME/page/12` in any library. Document IDs are valid in one
library. Each store compiles filters to its own conditions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from app.errors import ScopeViolationError
from app.library.packages import CHANGES, PACKAGE_LABEL, PACKAGE_SCHEME, package_at
from app.text.sentence import sentence

SCHEME: Final = "webrag"
PAGE_TEMPLATE: Final = f"{SCHEME}://page/{{page_id}}"
LIBRARY_PAGE_TEMPLATE: Final = f"{SCHEME}://lib/{{library}}/page/{{page_id}}"
SHARED: Final = f"{SCHEME}://lib/"  # Prefix of page addresses that name their library.
PICTURE_PART: Final = "/picture/{number}"
PICTURE_TEMPLATE: Final = PAGE_TEMPLATE + PICTURE_PART
_PAGE: Final = rf"{SCHEME}://(?:lib/(?P<library>[a-z0-9][a-z0-9-]{{0,62}})/)?page/(?P<id>[1-9][0-9]{{0,17}})"
PAGE_ADDRESS: Final = re.compile(_PAGE)  # Address of a page; `library` is None for the private one.
PICTURE_ADDRESS: Final = re.compile(rf"{_PAGE}/picture/(?P<number>[1-9][0-9]{{0,2}})")
"""Address of an image of a page, by its number in the page from 1."""


def library_of(uri: str) -> str:
    """Return the library name in an address; empty for the private library and for other text."""
    match = PAGE_ADDRESS.match(uri)
    return (match["library"] or "") if match is not None else ""


MAX_TAG_FOLDER_CHARS: Final = 80  # A longer first folder is not part of a document's tag.
GUIDE_ROOT: Final = "guide"
FILES_ROOT: Final = "files"  # The root of files that were added one by one.
LABEL_KINDS: Final = ("collection", "tag", PACKAGE_LABEL)
"""Prefixes, before the colon, that name a user's own group of pages in a scope, or a package."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
LAST_CHARACTER: Final = "\U0010ffff"
BEHIND_SLASH: Final = "0"  # The character after the slash: all below a tag sorts between both.


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a document. `tag` is the root, or the root and the first folder below it; `path` has no leading slash."""

    tag: str
    path: str


def place_of(url: str, *, folder_name: str = "", folder_url: str = "") -> Place:
    """Return the place of a page, guide page or file, in a watched folder if named: `docs.python.org/3`."""
    if folder_name:
        base = f"{folder_url.rstrip('/')}/"
        return _below(folder_name, _readable(url[len(base) :]) if url.startswith(base) else "")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return Place(FILES_ROOT, "")
    if url.startswith(PACKAGE_SCHEME) and (package := package_at(url)) is not None:
        return _below(package.root, _readable(url.removeprefix(package.address)))
    if parts.scheme == "webrag":
        return Place(GUIDE_ROOT, _readable(parts.path))
    if parts.scheme not in DEFAULT_PORTS:
        return Place(FILES_ROOT, _readable(parts.path))
    root = host if port is None or port == DEFAULT_PORTS[parts.scheme] else f"{host}:{port}"
    return _below(root, _readable(parts.path))


def root_of(tag: str) -> str:
    """Return the source root of a tag: a host with its port, the name of a folder, GUIDE_ROOT or FILES_ROOT."""
    return tag.partition("/")[0]


def site_of(tag: str, url: str) -> str:
    """Return the site of a document in lower case: a host with the first folder of its pages, or a folder of files."""
    return tag.lower() if url.partition(":")[0] in DEFAULT_PORTS else root_of(tag.lower())


def tag_named(text: str) -> str:
    """Return a root or tag as it is stored, without the scheme and outer slashes that a caller may add."""
    return text.strip().removeprefix("https://").removeprefix("http://").strip("/")


def label_named(text: str) -> tuple[str, str] | None:
    """Return kind and name of a label, `collection:Thesis` or `tag:draft`, or None for other text such as an address."""
    kind, colon, name = text.strip().partition(":")
    is_label = colon and kind.lower() in LABEL_KINDS and name.strip()
    return (kind.lower(), name.strip()) if is_label else None


def _below(root: str, path: str) -> Place:
    folder, slash, _ = path.partition("/")
    has_folder = slash and 0 < len(folder) <= MAX_TAG_FOLDER_CHARS
    return Place(f"{root}/{folder}" if has_folder else root, path)


def _readable(path: str) -> str:
    return unquote(path).replace("\0", "").lstrip("/")


_ASKS_ABOUT_CHANGES: Final = re.compile(
    r"\b(?:chang(?:e|es|ed|elog)|new in|what'?s new|release|releases|released|release notes|deprecat\w*|remov(?:ed|al)|"
    r"introduced|migrat\w*|upgrad\w*|breaking|backward\w*|since (?:which )?version|renamed)\b",
    re.IGNORECASE,
)


def asks_about_changes(question: str) -> bool:
    """Whether a question is about differences between versions, which release notes answer."""
    return _ASKS_ABOUT_CHANGES.search(question) is not None


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions of a search. Empty fields restrict nothing; all others must hold. `urls` accepts aliases.

    `doc_tags` are groups of source roots ("docs.python.org", "fastapi", "guide"), tags below them ("fastapi/tutorial"), labels
    ("collection:Thesis", "tag:draft") and document IDs. A document must match one entry of each group; a source tag includes everything
    below it. `path_prefix` is a prefix of the path below the root, without a leading slash ("3/library", "tutorial/"). `changed_after` is
    in seconds since the epoch. `with_changes`: a search also covers the release notes of packages. `is_foreign`: only pages in other
    languages than English, in a library with a second model.
    """

    urls: tuple[str, ...] = ()
    document_ids: tuple[int, ...] = ()
    url_prefix: str = ""
    doc_tags: tuple[tuple[str | int, ...], ...] = ()
    path_prefix: str = ""
    changed_after: float | None = None
    with_changes: bool = False
    is_foreign: bool = False

    @property
    def names_pages(self) -> bool:
        """Whether it names pages, so that a search covers any version of a package among them."""
        return bool(self.urls or self.document_ids)

    @property
    def names_package(self) -> bool:
        """Whether it names a package in a version, so that a search also covers a version that is not current."""
        tags = [tag for group in self.doc_tags for tag in group if isinstance(tag, str)]
        labels = [label for tag in tags if (label := label_named(tag)) is not None]
        has_root = any("@" in root_of(tag)[1:] for tag in tags if label_named(tag) is None)
        return (
            has_root or any(kind == PACKAGE_LABEL for kind, _ in labels) or self.url_prefix.startswith(PACKAGE_SCHEME)
        )

    @property
    def names_changes(self) -> bool:
        """Whether it names the release notes of a package."""
        tags = (tag for group in self.doc_tags for tag in group if isinstance(tag, str))
        return self.with_changes or any(tag.endswith(f"/{CHANGES}") for tag in tags)


EVERYTHING: Final = Filter()


ENVIRONMENTS: Final = ("dev", "prod", "scratch")


@dataclass(frozen=True, slots=True)
class Scope:
    """The pages that a call can see; empty fields restrict nothing.

    `repositories` are source roots (host names, folder names), `doc_tags` roots, tags below them or labels ("collection:Thesis"). The
    environment "scratch" contains only the passages saved in the caller's session; "dev" and "prod" both mean the corpus.
    """

    project_id: str = ""
    environment: str = ""
    doc_tags: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    def check(self, project_id: str) -> None:
        """Raise ScopeViolationError unless `project_id` is empty or names this project."""
        if self.project_id and self.project_id != project_id:
            raise ScopeViolationError(
                sentence("scope.project_id is {}, but this project is {}.", repr(self.project_id), repr(project_id))
            )

    @property
    def has_labels(self) -> bool:
        """Whether a collection or a user's tag restricts the scope, which a document's own tag does not show."""
        return any(label_named(tag) for tag in (*self.doc_tags, *self.repositories))

    @property
    def is_session_only(self) -> bool:
        """Whether the scope contains only the passages saved in the caller's session."""
        return self.environment == "scratch"


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A narrower selection in a scope. `path_prefix` is one of the address or of the path below the source root."""

    doc_tags: tuple[str, ...] = ()
    path_prefix: str = ""
    changed_after: float | None = None


def filter_of(scope: Scope, narrowing: Narrowing = Narrowing()) -> Filter:
    """Return a filter that combines both."""
    groups = (scope.doc_tags, scope.repositories, narrowing.doc_tags)
    prefix = narrowing.path_prefix.strip()
    is_address = "://" in prefix
    return Filter(
        url_prefix=prefix if is_address else "",
        doc_tags=tuple(tuple(tag_named(tag) for tag in group) for group in groups if group),
        path_prefix="" if is_address else prefix.lstrip("/"),
        changed_after=narrowing.changed_after,
    )


def admits(scope: Scope, doc_tag: str) -> bool:
    """Whether a document with this tag is within the tags of a scope. Ignores labels."""
    within = f"{doc_tag.lower()}/"
    groups = [group for group in (scope.doc_tags, scope.repositories) if group]
    return all(any(within.startswith(f"{tag_named(tag).lower()}/") for tag in group) for group in groups)
