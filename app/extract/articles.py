"""Find the parts of an article's page that do not belong to the article.

Articles contain and are surrounded by author boxes, tags, links to other stories and sign-up requests, which extractors mistake for text
because they are paragraphs. Sizes are characters without white space, so that languages without spaces between words are measured the
same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse
from app.extract.clean import is_marked_content, related_content, split_names
from app.extract.tree import link_share, text_size
from app.text.wordings import wording

_BOXES: Final = ("div", "section", "aside", "p", "ul", "footer", "dl", "address")
_AUTHOR_BOX: Final = wording("pages.toml", "articles", "author_box")
_TAG_LIST: Final = wording("pages.toml", "articles", "tag_list")
_MIN_TAG_LINKS: Final = 0.6
_MAX_BOX_SHARE: Final = 0.25  # A part with more of the text than this is content, regardless of its name.
_LINES: Final = ("p", "h2", "h3", "h4", "h5", "h6")
_MAX_LINE_CHARS: Final = 240
_MIN_TEASER_LINKS: Final = 0.5
_MIN_CAPITAL_LINKS: Final = 0.95
_TEASER: Final = wording("pages.toml", "articles", "teaser")
_REQUEST: Final = wording("pages.toml", "articles", "request")
_CREDIT: Final = wording("pages.toml", "articles", "credit")
_MAX_LINES: Final = 20_000


def foreign_parts(body: HtmlElement) -> Iterator[HtmlElement]:
    """Yield elements of an article's page that do not belong to the article."""
    limit = _MAX_BOX_SHARE * text_size(body)
    for part in body.iterdescendants(*_BOXES):
        names = f"{part.get('class') or ''} {part.get('id') or ''}"
        if len(names) < 2:
            continue
        is_box = bool(_AUTHOR_BOX.search(split_names(names)))
        if not (is_box or _TAG_LIST.search(split_names(names))) or text_size(part) > limit:
            continue
        if (is_box or link_share(part) >= _MIN_TAG_LINKS) and not is_marked_content(part):
            yield part
    yield from related_content((body,))
    if not is_technical(body):
        yield from (line for line in islice(body.iter(*_LINES), _MAX_LINES) if _leads_elsewhere(line))


def is_technical(body: HtmlElement) -> bool:
    """Whether the page contains code."""
    return next(body.iter("pre", "code"), None) is not None


def _leads_elsewhere(line: HtmlElement) -> bool:
    """Whether a line links to other stories, asks for something or credits someone. False next to code, where manuals use similar
    wording.
    """
    text = collapse(line.text_content())
    if not text or len(text) > _MAX_LINE_CHARS:
        return False
    if next(line.iter("a"), None) is None:
        return bool(_CREDIT.fullmatch(text))
    share = link_share(line)
    return (
        bool(_REQUEST.fullmatch(text) or _CREDIT.fullmatch(text))
        or (share >= _MIN_TEASER_LINKS and bool(_TEASER.fullmatch(text)))
        or (share >= _MIN_CAPITAL_LINKS and text.isupper())
    )
