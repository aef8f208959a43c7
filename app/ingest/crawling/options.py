"""Options of a crawl, and its preview."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from app import caps
from app.errors import InvalidArgumentError
from app.serialise import from_jsonable, to_jsonable
from app.text.sentence import sentence


class CrawlScope(StrEnum):
    """The links of a page that belong to the crawl."""

    PAGE = "page"  # The page and the pages on its host that it links to.
    SUBPAGES = "subpages"  # Pages below the folder of the start page.
    HOST = "host"  # Pages on the same host.


def _limited(default: int, lowest: int, highest: int) -> int:
    """Declare a number among the options with its limits, which all schemas and forms use."""
    limit: int = field(default=default, metadata={"minimum": lowest, "maximum": highest})
    return limit


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """Scope and limits; `refresh` requests every page again even if its copy is fresh (unchanged ones answer 304).

    `left_out` are folders to exclude, as paths that begin and end with a slash.
    """

    scope: CrawlScope = CrawlScope.SUBPAGES
    max_pages: int = _limited(caps.DEFAULT_CRAWL_PAGES, 1, caps.MAX_CRAWL_PAGES)
    max_depth: int = _limited(caps.DEFAULT_CRAWL_DEPTH, 0, caps.MAX_CRAWL_DEPTH)
    refresh: bool = True
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> CrawlOptions:
        """Return the options from validated arguments; missing ones and None have the default."""
        return from_jsonable(cls, to_jsonable({name: value for name, value in given.items() if value is not None}))


CRAWL_LIMITS: Final[Mapping[str, Mapping[str, Any]]] = {
    each.name: {**each.metadata, "default": each.default} for each in fields(CrawlOptions) if each.metadata
}
"""Minimum, maximum and default of each number among the options."""


@dataclass(frozen=True, slots=True)
class CrawlPreview:
    """The pages of a future crawl, found without storing anything.

    `urls` are the first known pages, `known` counts all of them, and `is_complete`: a sitemap described the whole site. `sources` names
    where they were found ("sitemap", "llms.txt", "feed", "links", "stored"). `excluded` counts pages disallowed by robots.txt, `seconds`
    estimates the time at the polite rate, and `notes` are sentences for the user. `folders` are the paths of all folders with known
    pages, each with the number of its direct pages.
    """

    start: str
    title: str
    options: CrawlOptions
    urls: tuple[str, ...]
    known: int
    is_complete: bool
    sources: tuple[str, ...]
    excluded: int
    seconds: float
    notes: tuple[str, ...] = ()
    folders: tuple[tuple[str, int], ...] = ()


def checked_options(options: CrawlOptions) -> CrawlOptions:
    """Return the options if they are within the limits; raises InvalidArgumentError."""
    pages, depth = CRAWL_LIMITS["max_pages"], CRAWL_LIMITS["max_depth"]
    if not pages["minimum"] <= options.max_pages <= pages["maximum"]:
        limits = (pages["minimum"], pages["maximum"], options.max_pages)
        raise InvalidArgumentError(sentence("A crawl indexes {} to {} pages, not {}.", *limits))
    if not depth["minimum"] <= options.max_depth <= depth["maximum"]:
        limits = (depth["minimum"], depth["maximum"], options.max_depth)
        raise InvalidArgumentError(sentence("A crawl follows {} to {} links in a row, not {}.", *limits))
    if len(options.left_out) > caps.MAX_CRAWL_LEFT_OUT:
        raise InvalidArgumentError(
            sentence("A crawl excludes up to {} folders, not {}.", caps.MAX_CRAWL_LEFT_OUT, len(options.left_out)),
            hint="Exclude their parent folders instead.",
        )
    for folder in options.left_out:
        if not (folder.startswith("/") and folder.endswith("/")):
            message = sentence("“{}” is not a folder of a site.", folder)
            raise InvalidArgumentError(message, hint="Enter the folder in the form /archive/.")
    return options


def options_to_json(options: CrawlOptions) -> str:
    """Return the options as stored with a job."""
    kept = asdict(options)
    if not options.left_out:
        del kept["left_out"]
    return json.dumps(kept, sort_keys=True)


def options_from_json(text: str) -> CrawlOptions:
    """Return the options of a stored job; raises InvalidArgumentError if they are invalid."""
    try:
        kept = json.loads(text)
        if (
            not isinstance(kept, dict)
            or "scope" not in kept
            or kept.keys() - {each.name for each in fields(CrawlOptions)}
        ):
            raise ValueError("It has other fields.")
        return checked_options(from_jsonable(CrawlOptions, kept))
    except ValueError as error:
        message = sentence("The stored options of this crawl are invalid.")
        raise InvalidArgumentError(message, hint="Start a new crawl.") from error
