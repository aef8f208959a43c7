"""What kind of page it is, by what it says of itself: generator, Open Graph, JSON-LD, microdata."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum, auto
from typing import Final

from lxml.html import HtmlElement

from app.extract.metadata import Metadata
from app.extract.xpath import holds, strings

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
"""Sphinx and its style sheets; DocBook, Texinfo and the like, which link each page to its place in a book."""
_ITEM_TYPES: Final = strings("//*[@itemscope]/@itemtype")
_IS_PUBLISHED: Final = holds("//meta[@property='article:published_time' or @name='article:published_time']")
_ARTICLES: Final = frozenset(
    {"Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "LiveBlogPosting", "OpinionNewsArticle"}
)
_PRODUCTS: Final = frozenset({"Product", "ProductGroup"})
_LISTS: Final = frozenset({"ItemList", "CollectionPage"})
_THREADS: Final = frozenset({"DiscussionForumPosting", "QAPage"})


class Kind(Enum):
    """Kinds that are selected differently."""

    DOCUMENTATION = auto()
    ARTICLE = auto()
    PERHAPS_ARTICLE = auto()
    """Called an article by a site that may call all its pages so."""
    PRODUCT = auto()
    LIST = auto()
    THREAD = auto()
    UNKNOWN = auto()


def kind_of(tree: HtmlElement, metadata: Metadata) -> Kind:
    """The kind of a page; documentation is told from all others by its generator or its code and targets."""
    types = _types(tree, metadata)
    kind = _declared_kind(tree, metadata, types)
    if _GENERATORS.search(metadata.generator):
        return Kind.DOCUMENTATION
    if kind is not Kind.ARTICLE and (_SIGNS_OF_GENERATORS(tree) or _CODE_AND_TARGETS(tree)):
        return Kind.DOCUMENTATION
    return kind


def _declared_kind(tree: HtmlElement, metadata: Metadata, types: frozenset[str]) -> Kind:
    if not types.isdisjoint(_THREADS):
        return Kind.THREAD
    if not types.isdisjoint(_LISTS):
        return Kind.LIST
    if not types.isdisjoint(_ARTICLES):
        return Kind.ARTICLE
    if not types.isdisjoint(_PRODUCTS):
        return Kind.PRODUCT
    if metadata.page_type == "article" and (metadata.published is not None or not metadata.schema_types):
        return Kind.ARTICLE if _IS_PUBLISHED(tree) else Kind.PERHAPS_ARTICLE
    is_shop = metadata.page_type.startswith("product") and "group" not in metadata.page_type
    return Kind.PRODUCT if is_shop else Kind.UNKNOWN


def _types(tree: HtmlElement, metadata: Metadata) -> frozenset[str]:
    """Types of JSON-LD, and those of microdata that occur once: a page about one article or product marks one."""
    marked = Counter(name.rpartition("/")[2] for value in _ITEM_TYPES(tree) for name in value.split())
    return metadata.schema_types | {name for name, count in marked.items() if count == 1 or name in _LISTS | _THREADS}
