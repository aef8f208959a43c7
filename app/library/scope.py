"""Which pages of which library are meant: a page by its address, `webrag://page/12` in the private library and `webrag://lib/NAME/page/12`
in any; the place of a document, its source root, the tag below it and its path; the filter of a search or a list; and where a caller may
look, checked against this instance.

Ids of documents are those of one library; an address without a name means the private one. Each store compiles a filter into a
condition of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from app.errors import ScopeViolationError

SCHEME: Final = "webrag"
PAGE_TEMPLATE: Final = f"{SCHEME}://page/{{page_id}}"
LIBRARY_PAGE_TEMPLATE: Final = f"{SCHEME}://lib/{{library}}/page/{{page_id}}"
SHARED: Final = f"{SCHEME}://lib/"
"""What addresses of pages begin with that name their library."""
PICTURE_PART: Final = "/picture/{number}"
PICTURE_TEMPLATE: Final = PAGE_TEMPLATE + PICTURE_PART

_PAGE: Final = rf"{SCHEME}://(?:lib/(?P<library>[a-z0-9][a-z0-9-]{{0,62}})/)?page/(?P<id>[1-9][0-9]{{0,17}})"
PAGE_ADDRESS: Final = re.compile(_PAGE)
"""Of a page; `library` is None for the private one."""
PICTURE_ADDRESS: Final = re.compile(rf"{_PAGE}/picture/(?P<number>[1-9][0-9]{{0,2}})")
"""Of a picture of a page, by its number in the page from 1."""


def library_of(uri: str) -> str:
    """The name of the library that an address of ours names; empty for the private one and for what is no such address."""
    match = PAGE_ADDRESS.match(uri)
    return (match["library"] or "") if match is not None else ""


MAX_TAG_FOLDER_CHARS: Final = 80
"""A longer first folder is no part of a document's tag."""

GUIDE_ROOT: Final = "guide"
FILES_ROOT: Final = "files"
"""The root of files that were added one by one."""

LABEL_KINDS: Final = ("collection", "tag")
"""What stands before the colon where a scope names a person's own group of pages."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}

LAST_CHARACTER: Final = "\U0010ffff"
BEHIND_SLASH: Final = "0"
"""The character that follows a slash: what is below a tag lies between the tag with a slash and the tag with this."""


@dataclass(frozen=True, slots=True)
class Place:
    """`tag` is the root, or the root and the first folder below it; `path` has no slash at its front."""

    tag: str
    path: str


def place_of(url: str, *, folder_name: str = "", folder_url: str = "") -> Place:
    """The place of a page, a guide page, or a file; `folder_name` and `folder_url` are those of the kept folder that holds the file.

    `https://docs.python.org/3/library/os.html` has the tag `docs.python.org/3`, a page directly under its host the host itself.
    """
    if folder_name:
        base = f"{folder_url.rstrip('/')}/"
        return _below(folder_name, _readable(url[len(base) :]) if url.startswith(base) else "")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return Place(FILES_ROOT, "")
    if parts.scheme == "webrag":
        return Place(GUIDE_ROOT, _readable(parts.path))
    if parts.scheme not in DEFAULT_PORTS:
        return Place(FILES_ROOT, _readable(parts.path))
    root = host if port is None or port == DEFAULT_PORTS[parts.scheme] else f"{host}:{port}"
    return _below(root, _readable(parts.path))


def root_of(tag: str) -> str:
    """The source root of a tag: a host with its port, the name of a folder, GUIDE_ROOT or FILES_ROOT."""
    return tag.partition("/")[0]


def site_of(tag: str, url: str) -> str:
    """The site of a document with this tag, in lower case.

    Projects share hosts: a site is a host with the first folder of its pages, or a whole folder of files. The site of a page directly
    under its host is the host itself, with all of its folders.
    """
    return tag.lower() if url.partition(":")[0] in DEFAULT_PORTS else root_of(tag.lower())


def tag_named(text: str) -> str:
    """What a caller may have written for a root or tag, as tags are stored: without scheme and slashes at its ends."""
    return text.strip().removeprefix("https://").removeprefix("http://").strip("/")


def label_named(text: str) -> tuple[str, str] | None:
    """Kind and name of a label in a scope: `collection:Thesis` or `tag:draft`; None for anything else, addresses included."""
    kind, colon, name = text.strip().partition(":")
    is_label = colon and kind.lower() in LABEL_KINDS and name.strip()
    return (kind.lower(), name.strip()) if is_label else None


def _below(root: str, path: str) -> Place:
    folder, slash, _ = path.partition("/")
    has_folder = slash and 0 < len(folder) <= MAX_TAG_FOLDER_CHARS
    return Place(f"{root}/{folder}" if has_folder else root, path)


def _readable(path: str) -> str:
    """A path of an address as people write it, without a slash at its front."""
    return unquote(path).replace("\0", "").lstrip("/")


@dataclass(frozen=True, slots=True)
class Filter:
    """Restricts a search; empty fields restrict nothing, all fields given must hold. `urls` accepts aliases too.

    `doc_tags` are groups of source roots ("docs.python.org", "fastapi", "guide"), tags below them ("fastapi/tutorial"), labels
    ("collection:Thesis", "tag:draft") and ids of documents: a document must have or be one of each group; a tag of a source stands for
    everything below it.
    `path_prefix` begins the path below the root, without a slash at its front ("3/library", "tutorial/"). `changed_after` is in seconds
    since the epoch.
    """

    urls: tuple[str, ...] = ()
    document_ids: tuple[int, ...] = ()
    url_prefix: str = ""
    doc_tags: tuple[tuple[str | int, ...], ...] = ()
    path_prefix: str = ""
    changed_after: float | None = None


EVERYTHING: Final = Filter()


ENVIRONMENTS: Final = ("dev", "prod", "scratch")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a call may see; empty fields restrict nothing.

    `repositories` are source roots (host names, folder names), `doc_tags` roots, tags below them or labels ("collection:Thesis"). In the
    environment "scratch" only what the caller's session holds is seen; "dev" and "prod" both mean the corpus.
    """

    project_id: str = ""
    environment: str = ""
    doc_tags: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    def check(self, project_id: str) -> None:
        """Raise ScopeViolationError unless the call means this project or none."""
        if self.project_id and self.project_id != project_id:
            raise ScopeViolationError(
                f"scope.project_id {self.project_id!r} is not the project of this instance ({project_id!r})."
            )

    @property
    def has_labels(self) -> bool:
        """Whether a collection or a tag of the person restricts it, which the tag of a document does not tell."""
        return any(label_named(tag) for tag in (*self.doc_tags, *self.repositories))

    @property
    def is_session_only(self) -> bool:
        """Whether only what the caller's session holds is seen."""
        return self.environment == "scratch"


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a call wants to see of its scope. `changed_after` is in seconds since the epoch.

    `path_prefix` is the beginning of an address (`https://docs.python.org/3/li`) or, without a scheme, of the path below the source root
    (`/3/library`, `tutorial/`).
    """

    doc_tags: tuple[str, ...] = ()
    path_prefix: str = ""
    changed_after: float | None = None


def filter_of(scope: Scope, narrowing: Narrowing = Narrowing()) -> Filter:
    """What passes both."""
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
    """Whether a document with this tag is within the tags of a scope, its labels aside."""
    return all(
        any(_is_within(doc_tag, tag_named(tag)) for tag in group)
        for group in (scope.doc_tags, scope.repositories)
        if group
    )


def _is_within(doc_tag: str, wanted: str) -> bool:
    tag, root = doc_tag.lower(), wanted.lower()
    return tag == root or tag.startswith(f"{root}/")
