"""Select the content of a page, depending on its kind and its landmarks.

Documentation is trusted: its marked main part is used as it is. Articles and products declare their type (Open Graph, schema.org) and
surround the text with teasers: an extractor guides the choice of blocks, and a product's own declarations are kept too. A page that
declares nothing but reads like an article, with most paragraphs in one place, is treated as one if the extractor agrees with the wide
choice. Sizes are characters without white space. Listings, forums and all other pages are kept except for apparent page frames, because
extractors for articles lose most of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum, auto
from itertools import islice
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.clean import drop, is_marked_content, probable_boilerplate, related_content, split_names
from app.extract.guided_selection import declared_texts, keep_guided, reference_text, specifications
from app.extract.page import Metadata
from app.extract.tree import elements, has_class, holds, link_share, strings, text_size
from app.paths import asset_table
from app.text.wordings import wording

MIN_GUIDED_SHARE: Final = 0.1
"""The share of the wide text that an extractor must keep of an article for its choice to be used."""
MIN_DOUBTFUL_SHARE: Final = 0.75
"""The same for a page with a `main` element that only its Open Graph type declares an article."""
MIN_UNMARKED_SHARE: Final = 0.5  # The same for a page without a declared type and main part.
MIN_PROSE_SHARE: Final = 0.5
"""The share of the paragraphs in one place that the extractor must keep of an article. For a page that only reads like an article, also
their minimum share of its choice.
"""
MIN_CAPTION_SHARE: Final = 0.5
"""Captions with at least this share of the paragraphs' characters are the main content of a page with images."""
MAX_CAPTION_LINKS: Final = 0.5  # A caption with more of its text in links leads to another story.
MAX_SECOND_LOOK_CHARS: Final = 100_000
"""Larger articles in which the extractor finds too little are not read again with its slow methods."""
MAX_LINK_SHARE: Final = 0.3  # A page without declarations is used whole if a smaller share of its text is links.
MAX_SECTION_LINKS: Final = 0.5
"""A part of a manual with more of its text in links is navigation, unless it is marked as a section."""
_MIN_PARAGRAPH_BYTES: Final = 60
"""The UTF-8 length of a paragraph that counts: a line of English, or the same in Chinese, whose characters take three bytes."""
_MAX_PARAGRAPH_LINKS: Final = 0.5
_MIN_PARAGRAPHS: Final = 4
_MIN_IN_ONE_PLACE: Final = 0.7
"""The share of the text of all such paragraphs that is in one element or directly below it."""
_LEVELS: Final = 2
_MIN_BESIDE: Final = 0.5  # The share of the text of all such paragraphs next to a list that belongs to the article.
_MAX_LIST_LINKS: Final = 0.3
_IS_PUBLISHED_BY: Final = holds(
    "//meta[translate(@name, 'AUTHOR', 'author')='author'] | //*[contains(concat(' ', @rel, ' '), ' author ')]"
    " | //*[@itemprop='author'] | //*[contains(@class, 'byline')]"
    " | //link[@type='application/rss+xml' or @type='application/atom+xml']"
    " | //*[@id='comments' or @id='respond' or @id='disqus_thread' or @id='comment-form' or @id='commentform']"
)
_SINGLE: Final = holds("count(//article) <= 1 and count(//pre) < 3")
_TARGETS: Final = frozenset({"p", "dl", "dd", "table"})
_HAS_HEADING: Final = holds(".//h2 | .//h3 | .//h4 | .//h5 | .//h6")
_GENERATORS: Final = re.compile(
    r"sphinx|docutils|mkdocs|docusaurus|vitepress|vuepress|docbook|asciidoc|antora|mdbook|rustdoc|javadoc|doxygen|gitbook|starlight"
    r"|docfx|typedoc|pdoc|jsdoc|yard|ocamldoc|haddock|texinfo|makeinfo|pandoc|latex2html|docsify|mediawiki|readthedocs|nextra|publican"
)
_CODE_AND_TARGETS: Final = holds(
    "count(//pre) >= 3 and count(//*[self::h1 or self::h2 or self::h3 or self::h4][@id or .//@id or @data-anchor]) >= 3"
)
_SIGNS_OF_GENERATORS: Final = holds(
    "//link[contains(@href, '_static/')]"
    " | //link[@rel='up' or @rel='top' or @rel='contents'][//link[@rel='next' or @rel='prev' or @rel='previous']]"
)
"""Sphinx and its style sheets; DocBook, Texinfo and similar, which link each page to its place in a book."""
_ITEM_TYPES: Final = strings("//*[@itemscope]/@itemtype")
_IS_PUBLISHED: Final = holds("//meta[@property='article:published_time' or @name='article:published_time']")
_ARTICLES: Final = word_set(asset_table("pages.toml")["names"]["article_types"])
_PRODUCTS: Final = frozenset({"Product", "ProductGroup"})
_LISTS: Final = frozenset({"ItemList", "CollectionPage"})
_THREADS: Final = frozenset({"DiscussionForumPosting", "QAPage"})
MIN_SHARE: Final = 0.25  # A landmark with less of the body's text does not contain the content.
_FRAMEWORKS: Final = word_set(
    "vp-doc theme-doc-markdown sl-markdown-content bd-article mw-parser-output markdown-body markdown-section"
)
_FRAMEWORK_CANDIDATES: Final = elements(
    "//div[contains(@class, '-doc') or contains(@class, 'sl-markdown') or contains(@class, 'mw-parser')]"
    " | //article[contains(@class, 'bd-article') or contains(@class, 'markdown-body')]"
    " | //section[contains(@class, 'markdown-section')]"
)
_GENERATED_IDS: Final = ("apicontent", "bodyContent", "mw-content-text", "docs-content")
_BY_ID: Final = (
    "article", "content", "main", "main-content", "main_content", "mainContent", "maincontent", "page-content",
)  # fmt: skip
_LANDMARKS: Final = (
    elements("//*[@role='main'] | //main"),
    elements("//*[@itemprop='articleBody']"),
    elements("//article"),
    elements("//*[" + " or ".join(f"@id='{name}'" for name in _BY_ID) + "]"),
)
_BY_STRUCTURE: Final = elements(
    "//*[" + " or ".join(f"@id='{name}'" for name in _GENERATED_IDS) + "]"
    " | (//div[@id='path'])[1]/following-sibling::div"
    "[@id='page-content' or @id='preamble' or @id='directive-ref' or @id='directive-list']"
)
"""Ids that only generators use; the text after the path of the page (Apache)."""
_CONTENTS: Final = elements(f"//div[{has_class('contents')}]")
_DOXYGEN_TITLE: Final = elements(
    f"self::*[preceding-sibling::*[1]/self::div[{has_class('header')}]]/preceding-sibling::*[1]//div[{has_class('headertitle')}]"
)
_DOCBOOK: Final = elements(
    "body/div[@class='sect1' or @class='refentry' or @class='chapter' or @class='section'"
    " or @class='appendix'"
    " or @class='part' or @class='book' or @class='preface' or @class='article' or @class='index'"
    " or @class='bibliography']"
)
_TITLE_BEFORE: Final = elements(
    "preceding-sibling::*[self::div or self::header or self::h1][.//h1 or self::h1][count(.//a) < 3][1]"
)
_TITLE_OF_MAIN: Final = elements("ancestor::main[1][count(.//h1) = 1]//h1")
_HAS_TITLE: Final = holds(".//h1")


def content_roots(tree: HtmlElement, markup: str, metadata: Metadata) -> tuple[HtmlElement, ...]:
    """Return the elements of a cleaned tree that contain the content, in order; other parts inside them are removed."""
    if (body := tree.find("body")) is None:
        return (tree,)
    roots, is_generated = landmark(tree)
    kind = kind_of(tree, metadata)
    if is_generated and kind in (Kind.UNKNOWN, Kind.PERHAPS_ARTICLE):
        kind = Kind.DOCUMENTATION
    if kind is Kind.DOCUMENTATION and roots:
        return roots
    if kind is Kind.DOCUMENTATION:
        drop(part for part in probable_boilerplate((body,)) if not _is_part_of_manual(part))
        return (body,)
    is_kept, is_declared = False, bool(metadata.page_type or metadata.schema_types)
    if kind is Kind.PRODUCT:
        reference = reference_text(tree, with_comments=False)
        if _size(reference) >= MIN_GUIDED_SHARE * _wide_size(body, roots):
            is_kept = keep_guided(body, reference, declared=declared_texts(markup), sure=specifications(tree))
    elif kind in (Kind.ARTICLE, Kind.PERHAPS_ARTICLE, Kind.UNKNOWN):
        is_kept = _keep_article(tree, body, roots, kind, metadata)
    # A page that declares nothing and is full of links: scripts, but no type and no main part.
    is_bare = kind in (Kind.UNKNOWN, Kind.THREAD) and not (roots or is_declared) and metadata.is_scripted
    if not is_kept and is_bare and link_share(body) >= MAX_LINK_SHARE:
        reference = reference_text(tree, with_comments=True)
        is_kept = _size(reference) >= MIN_UNMARKED_SHARE * _wide_size(body, ()) and keep_guided(body, reference)
    wide = roots if roots and not is_kept else (body,)
    if not is_kept:
        drop(probable_boilerplate(wide))
        drop(related_content(wide))
    return wide


def _keep_article(
    tree: HtmlElement, body: HtmlElement, roots: tuple[HtmlElement, ...], kind: Kind, metadata: Metadata
) -> bool:
    """Keep the blocks of an article that the extractor kept. Return False without changes if these are too little of the wide choice."""
    sizes, places = list[int](), Counter[HtmlElement]()
    for paragraph in filter(_is_long, body.iter("p")):
        sizes.append(text_size(paragraph))
        for place in islice(paragraph.iterancestors(), _LEVELS):
            places[place] += sizes[-1]
    size, densest = sum(sizes), max(places.values(), default=0)
    if kind is Kind.UNKNOWN:
        # Nearly all paragraphs are in one place of a page that has an author, a date, a feed or comments.
        is_dense = len(sizes) >= _MIN_PARAGRAPHS and densest >= _MIN_IN_ONE_PLACE * size
        is_dated = metadata.published is not None or metadata.page_type == "article"
        if not (is_dense and _SINGLE(tree) and (is_dated or _IS_PUBLISHED_BY(tree))):
            return False
    reference = reference_text(tree, with_comments=False)
    wide = _wide_size(body, roots)
    if kind is Kind.UNKNOWN:
        # A page that only reads like an article: the extractor agrees with the wide choice and kept mainly paragraphs.
        share = MIN_DOUBTFUL_SHARE
        is_article = densest >= MIN_PROSE_SHARE * _size(reference)
    else:
        is_doubtful = kind is Kind.PERHAPS_ARTICLE and any("main" in (root.tag, root.get("role")) for root in roots)
        share, is_article = MIN_DOUBTFUL_SHARE if is_doubtful else MIN_GUIDED_SHARE, True
        expected = max(share * wide, MIN_PROSE_SHARE * densest)
        if _size(reference) < expected and wide <= MAX_SECOND_LOOK_CHARS:
            # It kept few paragraphs: try again with its slow methods.
            reference = max(reference, reference_text(tree, with_comments=False, thorough=True), key=_size)
    return _size(reference) >= share * wide and is_article and _keep_parts(body, roots, reference, size)


def _keep_parts(body: HtmlElement, roots: tuple[HtmlElement, ...], reference: str, size: int) -> bool:
    """Keep the blocks of the reference in an article with `size` characters in paragraphs. Keep captions only next to code, where they
    explain drawings rather than photographs, and if they contain much of the content.
    """
    captions = [caption for root in roots or (body,) for caption in root.iter("figcaption")]
    captions = [caption for caption in captions if link_share(caption) <= MAX_CAPTION_LINKS]
    are_content = bool(captions) and sum(map(text_size, captions)) >= MIN_CAPTION_SHARE * size
    return keep_guided(
        body,
        reference,
        sure=[*_written_lists(body), *(captions if are_content and roots else ())],
        foreign=foreign_parts(body),
        with_captions=is_technical(body) or are_content,
    )


def _wide_size(body: HtmlElement, roots: tuple[HtmlElement, ...]) -> int:
    """Return the characters of the wide choice without white space."""
    if roots:
        return sum(map(text_size, roots))
    parts = set(probable_boilerplate((body,)))
    return text_size(body) - sum(text_size(part) for part in parts if parts.isdisjoint(part.iterancestors()))


def _size(text: str) -> int:
    return len("".join(text.split()))


def _is_part_of_manual(part: HtmlElement) -> bool:
    """Whether a part named like a page frame belongs to a manual: a section with a heading, or a paragraph that references lead to."""
    if _HAS_HEADING(part):
        is_section = part.tag == "section" or "section" in (part.get("class") or "").split()
        return is_section or link_share(part) <= MAX_SECTION_LINKS
    return part.tag in _TARGETS and part.get("class") is None and link_share(part) <= MAX_SECTION_LINKS


class Kind(Enum):
    """Kinds of pages with different selection."""

    DOCUMENTATION = auto()
    ARTICLE = auto()
    PERHAPS_ARTICLE = auto()  # Called an article by a site that may call all its pages so.
    PRODUCT = auto()
    LIST = auto()
    THREAD = auto()
    UNKNOWN = auto()


def kind_of(tree: HtmlElement, metadata: Metadata) -> Kind:
    """Return the kind of a page; documentation is recognized by its generator, or by its code and targets."""
    # Microdata types count if they occur once: a page about one article or product marks one.
    marked = Counter(name.rpartition("/")[2] for value in _ITEM_TYPES(tree) for name in value.split())
    single = {name for name, count in marked.items() if count == 1 or name in _LISTS | _THREADS}
    kind = _declared_kind(tree, metadata, metadata.schema_types | single)
    if _GENERATORS.search(metadata.generator):
        return Kind.DOCUMENTATION
    if kind is not Kind.ARTICLE and (_SIGNS_OF_GENERATORS(tree) or _CODE_AND_TARGETS(tree)):
        return Kind.DOCUMENTATION
    return kind


def _declared_kind(tree: HtmlElement, metadata: Metadata, types: frozenset[str]) -> Kind:
    if not types.isdisjoint(_THREADS):
        return Kind.THREAD
    if not types.isdisjoint(_LISTS):
        is_article = metadata.page_type == "article" and not types.isdisjoint(_ARTICLES)
        return Kind.PERHAPS_ARTICLE if is_article else Kind.LIST
    if not types.isdisjoint(_ARTICLES):
        return Kind.ARTICLE
    if not types.isdisjoint(_PRODUCTS):
        return Kind.PRODUCT
    if metadata.page_type == "article" and (metadata.published is not None or not metadata.schema_types):
        return Kind.ARTICLE if _IS_PUBLISHED(tree) else Kind.PERHAPS_ARTICLE
    is_shop = metadata.page_type.startswith("product") and "group" not in metadata.page_type
    return Kind.PRODUCT if is_shop else Kind.UNKNOWN


def landmark(tree: HtmlElement) -> tuple[tuple[HtmlElement, ...], bool]:
    """Return the marked content of the page, with the title directly before it, and whether a documentation generator made it."""
    if docbook := _DOCBOOK(tree):
        return tuple(docbook), True
    whole = text_size(tree.find("body"))
    for path in (_framework_parts, *_LANDMARKS):
        candidates = path(tree)
        chosen = set(candidates)
        found = [element for element in candidates if chosen.isdisjoint(element.iterancestors())]
        if found and sum(map(text_size, found)) >= MIN_SHARE * whole:
            return _with_title(found), path is _framework_parts
    return (), False


def _framework_parts(tree: HtmlElement) -> list[HtmlElement]:
    """Return the containers that documentation generators use for the text."""
    by_class = [
        node for node in _FRAMEWORK_CANDIDATES(tree) if not _FRAMEWORKS.isdisjoint((node.get("class") or "").split())
    ]
    return by_class or _BY_STRUCTURE(tree) or [node for node in _CONTENTS(tree) if _DOXYGEN_TITLE(node)]


def _with_title(roots: list[HtmlElement]) -> tuple[HtmlElement, ...]:
    """Return the roots with the title next to them, or alone in another part of the same `main`, before them."""
    if any(_HAS_TITLE(root) for root in roots):
        return tuple(roots)
    first = roots[0]
    titles = _DOXYGEN_TITLE(first) or _TITLE_BEFORE(first) or _TITLE_OF_MAIN(first)
    for number, title in enumerate(titles):
        if title.tag == "h1":  # only the inside of a root is written
            titles[number] = frame = title.makeelement("div")
            title.addprevious(frame)
            frame.append(title)
            frame.tail, title.tail = title.tail, None
    return (*titles, *roots)


def _written_lists(body: HtmlElement) -> list[HtmlElement]:
    """Return lists next to most of the paragraphs without links: ingredients, steps, changes. Extractors lose them."""
    beside: Counter[HtmlElement] = Counter()
    for paragraph in filter(_is_long, body.iter("p")):
        beside[paragraph.getparent()] += text_size(paragraph)
    needed = _MIN_BESIDE * beside.total()
    places = [place for place, size in beside.items() if size >= needed]
    lists = [child for place in places for child in place.iterchildren("ul", "ol")]
    sides = set(probable_boilerplate((body,))) if lists else set()
    return [each for each in lists if each not in sides and link_share(each) <= _MAX_LIST_LINKS]


def _is_long(paragraph: HtmlElement) -> bool:
    """Whether a paragraph counts: long and mostly not links."""
    text = "".join(paragraph.text_content().split())
    return len(text.encode()) >= _MIN_PARAGRAPH_BYTES and link_share(paragraph) < _MAX_PARAGRAPH_LINKS


# --- Author boxes, tags, links to other stories and requests, which extractors mistake for text of an article ---

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
    """Whether a line links to other stories, asks for something or credits someone."""
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
