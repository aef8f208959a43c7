"""Find the parts of an article's page that do not belong to the article.

Articles contain and are surrounded by author boxes, tags, links to other stories and sign-up requests, which extractors mistake for text
because they are paragraphs. Sizes are characters without white space, so that languages without spaces between words are measured the
same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse
from app.extract.clean import is_marked_content, related_content, split_names
from app.extract.tree import link_share, text_size

_BOXES: Final = ("div", "section", "aside", "p", "ul", "footer", "dl", "address")
_AUTHOR_BOX: Final = re.compile(
    r"(?:^|[\s_-])(?:authors?-?(?:bio|box|info|card|profile|details|description|about)|about-?(?:the-?)?authors?|bio-?box"
    r"|comments?-?(?:area|section|list|form|policy|wrapper)|respond|disqus)(?:$|[\s_-])",
    re.IGNORECASE,
)
_TAG_LIST: Final = re.compile(
    r"(?:^|[\s_-])(?:(?:post|entry|article|story|content)-?)?(?:tags|keywords|topics)(?:-?(?:list|links|box))?(?:$|\s)",
    re.IGNORECASE,
)
_MIN_TAG_LINKS: Final = 0.6
_MAX_BOX_SHARE: Final = 0.25  # A part with more of the text than this is content, regardless of its name.
_LINES: Final = ("p", "h2", "h3", "h4", "h5", "h6")
_MAX_LINE_CHARS: Final = 240
_MIN_TEASER_LINKS: Final = 0.5
_MIN_CAPITAL_LINKS: Final = 0.95
_TEASER: Final = re.compile(
    r"\W{0,2}(?:(?:read|see|watch|learn|find out) )?(?:related(?: \w{1,12})?|read (?:more|also|next|this)|also read|see also|must[ -]read"
    r"|more(?: (?:from|on|about) [^:]{1,40})?|recommended|don[’']t miss|up next|trending|lesen sie (?:auch|mehr)|mehr zum thema"
    r"|siehe auch|lire aussi|à lire(?: aussi)?|voir aussi|le[ea] también|ver también|leggi anche|leia (?:também|mais)"
    r"|читайте также|相关阅读|延伸閱讀|延伸阅读|関連記事|あわせて読みたい)\s?(?:[:：>»|–—-]|$).*"
    r"|(?:click|tap) here (?:to|for) .*|(?:get|download) (?:the|our) .{2,40} app\b.*",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"(?:sign(?:ing)? up|subscribe)\b.*\b(?:newsletters?|inbox|updates|alerts|channel|podcast|e-?mails?|magazine|on youtube)\b.*"
    r"|(?:please )?(?:like|follow) (?:us|me|him|her|them|@?[\w.]{2,20}(?: [\w.]{2,20}){0,3}) on"
    r" (?:twitter|facebook|instagram|youtube|x\b|linkedin|telegram|google news|tiktok).*"
    r"|join (?:our|the) .{2,40}(?:newsletter|mailing list|community)\b.*|(?:get|receive) .{2,60}\b(?:to|in) your inbox.*"
    r"|.*\b(?:sign up|subscribe|delivered|inbox)\b.*\bnewsletters?\b.*|.*\bnewsletters?\b.*\b(?:sign up|subscribe|delivered|inbox)\b.*"
    r"|(?:abonnieren sie|folgen sie uns|abonnez-vous|suscr[ií]bete|iscriviti)\b.*\b(?:newsletter|kanal|chaîne|canal|boletín)\b.*",
    re.IGNORECASE,
)
_CREDIT: Final = re.compile(
    r".{3,160}\bcontributed (?:to this (?:report|article|story|post)|reporting|reporting to this \w+)(?: from .{2,60})?\W*",
    re.IGNORECASE,
)
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
