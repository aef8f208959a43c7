"""Parts that lead away from the page's own content, told by their headings: related articles, newsletters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse
from app.extract.measure import link_share, text_size
from app.extract.xpath import elements

_HEADINGS_IN: Final = elements(
    ".//*[self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6 or @role='heading']"
)
_THINGS: Final = (
    r"(?:posts?|articles?|stor(?:y|ies)|content|threads?|topics?|questions?|news|products?|items?|search(?:es)?|links?"
    r"|services?|videos?|reading|reads?|discussions?|conversations?|pages?|pins?|jobs?|recipes?|categories|collections?)"
)
_LEADS_AWAY: Final = re.compile(
    rf"(?:related|similar|recommended|suggested|trending|sponsored|promoted|other|more)(?: \w+)?(?: {_THINGS})(?: .*)?"
    r"|(?:related|similar|recommended|sponsored|trending)(?: (?:for|to) .*)?"
    r"|(?:you|you[’']ll|we know you[’']ll|we think you[’']ll|things you) (?:may|might|would|will|also)?.*(?:like|love|enjoy|interested).*"
    r"|(?:customers|people|shoppers|others|readers|viewers|users) (?:who|also|frequently).*"
    r"|(?:your )?recently viewed.*|products related to.*|frequently bought.*|what to read next|read (?:also|next|this next)"
    r"|more (?:like this|from|in|on|by|about|to (?:explore|love|read)) ?.*|don[’']t miss.*|keep reading|up next|explore more"
    r"|(?:from|on) (?:our|the) blog|(?:get|join|sign up|subscribe).*(?:newsletter|updates|inbox|mailing list).*|newsletter"
    r"|share (?:this|on) .*|share|follow us.*|leave a (?:reply|comment)|(?:post|add|write) a comment|your answer"
    r"|(?:create an account|sign in|sign up|log in|register|join).* (?:comment|reply|post|discussion|conversation|community)"
    r"|ähnliche .*|das könnte (?:sie|dich|dir) .*|mehr zum thema|lesen sie auch.*|weitere (?:artikel|beiträge|produkte)"
    r"|articles? (?:liés|similaires|connexes)|produits (?:similaires|associés)|vous aimerez aussi.*|à lire aussi.*"
    r"|(?:artículos|noticias|productos|entradas) relacionad[oa]s|también te puede .*|(?:articoli|prodotti) correlati|leggi anche.*",
    re.IGNORECASE,
)
_MAX_HEADING_CHARS: Final = 80
_MIN_LINK_SHARE: Final = 0.25
_MAX_SHARE: Final = 0.25
"""A part with more of the text than this is no side matter, whatever its heading."""


def side_matter(roots: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    """The largest part that each such heading opens, if much of its text is links."""
    limit = _MAX_SHARE * sum(map(text_size, roots))
    for heading in (heading for root in roots for heading in _HEADINGS_IN(root)):
        if not _leads_away(collapse(heading.text_content()).rstrip(":…. ")):
            continue
        part = _part_of(heading, set(roots), limit)
        linked = link_share(part) * text_size(part)
        if part is not heading and linked >= _MIN_LINK_SHARE * (text_size(part) - text_size(heading)):
            yield part


def _part_of(heading: HtmlElement, roots: set[HtmlElement], limit: float) -> HtmlElement:
    """The outermost element that begins with the heading and is no larger than `limit`."""
    part = heading
    while True:
        parent = part.getparent()
        if parent is None or parent in roots or not _begins_with(parent, part) or text_size(parent) > limit:
            return part
        part = parent


def _begins_with(parent: HtmlElement, part: HtmlElement) -> bool:
    if (parent.text or "").strip():
        return False
    for child in parent:
        if child is part:
            return True
        if text_size(child) or (child.tail or "").strip():
            return False
    return False


@lru_cache(maxsize=4096)
def _leads_away(heading: str) -> bool:
    return len(heading) <= _MAX_HEADING_CHARS and bool(_LEADS_AWAY.fullmatch(heading))
