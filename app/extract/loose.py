"""Parts that are probably no content, where nothing better is known: sides, footers, telling names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.measure import text_size
from app.extract.writer.notices import notice_label
from app.extract.xpath import holds, strings

_FRAMES: Final = ("aside", "footer", "div", "section", "ul", "ol", "table", "p", "header", "form", "dl", "dd")
_NAVIGATION: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|pagination|skip|toolbar|filters?|facets?|refinements?|sorting"
    r"|sort-by)(?:$|[\s_-])",
    re.IGNORECASE,
)
_LOOSE: Final = re.compile(
    r"(?:^|[\s_-])(?:footer|sidebar|promo|subscribe|newsletter|cookies?|gdpr|consent|share|sharing|social|login|signup"
    r"|related|recommended|recommendations|similar|trending|sponsored|advert\w*|adsbygoogle|banner|popup|modal|signature|infobar"
    r"|announcement|announcement-bar|up-?sells?|cross-?sells?|mini-?cart|cart-drawer|localization)(?:$|[\s_-])",
    re.IGNORECASE,
)
_FORUM_FURNITURE: Final = word_set(
    """
    message-userExtras message-userTitle message-actionBar message-attribution-opposite reactionsBar extraUserInfo
    bbCodeBlock-expandLink bbCodeBlock-shrinkLink userinfo_extra memberaction_body postfoot postcontrols nodecontrols
    usertitle thread_controls thread_info threadpagenav navlinks profile-rank profile-posts profile-joined
    profile-contact profile-custom-field post-buttons action-bar jumpbox back2top author_statistics post_controls
    ipsComment_controls ipsComment_tools ipsItemControls cAuthorPane_info ipsReact post-menu js-post-menu
    js-voting-container js-add-link comments-link js-add-answer-component bottom-notice post-controls topic-map flat-list
    """
)
"""What forum software puts around each post: counts, ranks, buttons."""
_HAS_TITLE: Final = holds(".//h1")
_PLAIN_TEXTS: Final = strings(".//text()[not(ancestor::a)]")
_MIN_PROSE_SPACES: Final = 10
_MIN_PROSE_SHARE: Final = 0.3
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_LOOSE_SHARE: Final = 0.25
"""A part with more of the text than this is no side matter, whatever its name: names of page frames mention
their sides.
"""


def loose_boilerplate(roots: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    """What is probably no content in parts of a page: sides, footers, telling class names and ids."""
    limit = _MAX_LOOSE_SHARE * sum(map(text_size, roots))
    for element in (part for root in roots for part in root.iterdescendants(*_FRAMES)):
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if not (
            element.tag in ("aside", "footer") or _is_loose(names) or (_is_navigation(names) and not _is_prose(element))
        ):
            continue
        if _is_content(element) or text_size(element) > limit:
            continue
        yield element


def _is_content(element: HtmlElement) -> bool:
    """Whether an element is a notice, holds the title or is a part of code, whatever its name."""
    if notice_label(element.get("class") or "") is not None or _HAS_TITLE(element):
        return True
    return next(element.iterancestors("pre"), None) is not None


def _is_prose(element: HtmlElement) -> bool:
    """Whether much of the text of an element reads like sentences and is no link."""
    runs = (text for text in _PLAIN_TEXTS(element) if text.strip().count(" ") >= _MIN_PROSE_SPACES)
    return sum(len("".join(run.split())) for run in runs) >= _MIN_PROSE_SHARE * text_size(element)


@lru_cache(maxsize=8192)
def _is_loose(names: str) -> bool:
    if len(names) < 2:
        return False
    return not _FORUM_FURNITURE.isdisjoint(names.split()) or bool(_LOOSE.search(_CAMEL.sub("-", names)))


@lru_cache(maxsize=8192)
def _is_navigation(names: str) -> bool:
    return len(names) > 1 and bool(_NAVIGATION.search(_CAMEL.sub("-", names)))
