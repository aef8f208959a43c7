"""Articles: whether a page that does not say so holds one, and the parts of an article's page that are none of it.

An article is a dense run of paragraphs in one place. Around and in it stand boxes about its author, lists of tags, lines that
lead to other stories and requests to sign up, which extractors take for text because they are written as paragraphs. Sizes
are characters without white space, so that languages without spaces between words are measured like the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse
from app.extract.clean import is_marked_content, probable_boilerplate, related_content, split_names
from app.extract.metadata import Metadata
from app.extract.tree import holds, link_share, text_size

_MIN_PARAGRAPH_BYTES: Final = 60
"""UTF-8 of a paragraph that counts: a line of English, and as much in Chinese, whose characters have three bytes."""
_MAX_PARAGRAPH_LINKS: Final = 0.5
_MIN_PARAGRAPHS: Final = 4
_MIN_IN_ONE_PLACE: Final = 0.7
"""Share of the text of all such paragraphs that stands in one element or right below it."""
_LEVELS: Final = 2
_MIN_BESIDE: Final = 0.5
"""Share of the text of all such paragraphs that has to stand right beside a list for it to be the article's own."""
_MAX_LIST_LINKS: Final = 0.3
_IS_PUBLISHED_BY: Final = holds(
    "//meta[translate(@name, 'AUTHOR', 'author')='author'] | //*[contains(concat(' ', @rel, ' '), ' author ')]"
    " | //*[@itemprop='author'] | //*[contains(@class, 'byline')]"
    " | //link[@type='application/rss+xml' or @type='application/atom+xml']"
    " | //*[@id='comments' or @id='respond' or @id='disqus_thread' or @id='comment-form' or @id='commentform']"
)
_SINGLE: Final = holds("count(//article) <= 1 and count(//pre) < 3")
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
_MAX_BOX_SHARE: Final = 0.25
"""A part with more of the text than this is no side matter, whatever its name."""
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


@dataclass(frozen=True, slots=True)
class Prose:
    """The long paragraphs of a page: their number, their characters, and those in the place that has most of them."""

    paragraphs: int
    size: int
    densest: int


def read_prose(body: HtmlElement) -> Prose:
    """Measure the paragraphs of a page that are mostly no links."""
    sizes = []
    places: Counter[HtmlElement] = Counter()
    for paragraph in body.iter("p"):
        if not _is_long(paragraph):
            continue
        size = text_size(paragraph)
        sizes.append(size)
        for place in islice(paragraph.iterancestors(), _LEVELS):
            places[place] += size
    return Prose(len(sizes), sum(sizes), max(places.values(), default=0))


def written_lists(body: HtmlElement) -> list[HtmlElement]:
    """Lists that stand right beside most of the paragraphs and lead nowhere: ingredients, steps, changes. Extractors lose them."""
    beside: Counter[HtmlElement] = Counter()
    for paragraph in body.iter("p"):
        parent = paragraph.getparent()
        if parent is not None and _is_long(paragraph):
            beside[parent] += text_size(paragraph)
    needed = _MIN_BESIDE * beside.total()
    places = [place for place, size in beside.items() if size >= needed]
    lists = [child for place in places for child in place.iterchildren("ul", "ol")]
    sides = set(probable_boilerplate((body,))) if lists else set()
    return [each for each in lists if each not in sides and link_share(each) <= _MAX_LIST_LINKS]


def _is_long(paragraph: HtmlElement) -> bool:
    """Whether a paragraph counts: long and mostly no links."""
    text = "".join(paragraph.text_content().split())
    return len(text.encode()) >= _MIN_PARAGRAPH_BYTES and link_share(paragraph) < _MAX_PARAGRAPH_LINKS


def reads_like_article(tree: HtmlElement, prose: Prose, metadata: Metadata) -> bool:
    """Whether nearly all paragraphs stand in one place of a page that names an author or a date, has a feed or comments."""
    if prose.paragraphs < _MIN_PARAGRAPHS or prose.densest < _MIN_IN_ONE_PLACE * prose.size or not _SINGLE(tree):
        return False
    return metadata.published is not None or metadata.page_type == "article" or _IS_PUBLISHED_BY(tree)


def foreign_parts(body: HtmlElement) -> Iterator[HtmlElement]:
    """What stands in the page of an article and is none of it."""
    limit = _MAX_BOX_SHARE * text_size(body)
    for part in body.iterdescendants(*_BOXES):
        names = f"{part.get('class') or ''} {part.get('id') or ''}"
        if len(names) < 2:
            continue
        is_box = _is_author_box(names)
        if not (is_box or _is_tag_list(names)) or text_size(part) > limit:
            continue
        if (is_box or link_share(part) >= _MIN_TAG_LINKS) and not is_marked_content(part):
            yield part
    yield from related_content((body,))
    if not is_technical(body):
        yield from (line for line in islice(body.iter(*_LINES), _MAX_LINES) if _leads_elsewhere(line))


def is_technical(body: HtmlElement) -> bool:
    """Whether there is code on the page."""
    return next(body.iter("pre", "code"), None) is not None


def _leads_elsewhere(line: HtmlElement) -> bool:
    """Whether a line leads to other stories, asks for something or names who helped; never so beside code, where steps of
    a manual are worded like that.
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


@lru_cache(maxsize=4096)
def _is_author_box(names: str) -> bool:
    return bool(_AUTHOR_BOX.search(split_names(names)))


@lru_cache(maxsize=4096)
def _is_tag_list(names: str) -> bool:
    return bool(_TAG_LIST.search(split_names(names)))
