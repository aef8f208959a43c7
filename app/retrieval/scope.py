"""Where a caller may look: the scope of a call, checked against this instance, as a filter of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.errors import ScopeViolationError
from app.library.scope import Filter, label_named, tag_named

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
