"""Which part of a page is its content.

Documentation and pages that declare nothing are believed: the main part they mark is taken as it is.
Articles and products say what they are (Open Graph, schema.org) and surround the text with teasers: there
two extractors guide the choice of blocks. Listings, forums and all the rest are taken widely, because
extractors made for articles lose most of them.
"""

from __future__ import annotations

import re
from typing import Final

from lxml.html import HtmlElement

from app.extract.boilerplate import link_share, loose_boilerplate
from app.extract.clean import drop
from app.extract.guided import keep_guided
from app.extract.landmarks import landmark
from app.extract.metadata import Metadata
from app.extract.oracle import oracle_text
from app.extract.xpath import holds

_GENERATORS: Final = re.compile(
    r"sphinx|docutils|mkdocs|docusaurus|vitepress|vuepress|docbook|asciidoc|antora|mdbook|rustdoc|javadoc|doxygen|gitbook|starlight"
    r"|docfx|typedoc|pdoc|jsdoc|yard|ocamldoc|haddock|texinfo|makeinfo|pandoc|latex2html|docsify|mediawiki|readthedocs|nextra"
)
_CODE_AND_TARGETS: Final = holds(
    "count(//pre) >= 3 and count(//*[self::h1 or self::h2 or self::h3 or self::h4][@id or .//@id or @data-anchor]) >= 3"
)
_ARTICLES: Final = frozenset(
    {"Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "LiveBlogPosting", "OpinionNewsArticle"}
)
_GATHERINGS: Final = frozenset({"ItemList", "CollectionPage", "DiscussionForumPosting", "QAPage"})

MIN_GUIDED_SHARE: Final = 0.1
"""Share of the wide text that an extractor must keep of an article to be followed."""
MIN_UNMARKED_SHARE: Final = 0.6
"""The same where the page declares no type and marks no main part."""
MAX_LINK_SHARE: Final = 0.3
"""A page that loads scripts but declares nothing is taken whole when less of its text than this is that of links."""


def content_roots(tree: HtmlElement, markup: str, metadata: Metadata) -> tuple[HtmlElement, ...]:
    """The elements of a cleaned tree that hold the content, in order; other parts of them are taken out."""
    body = tree.find("body")
    if body is None:
        return (tree,)
    roots = landmark(tree)
    if roots and _is_documentation(tree, metadata):
        return roots
    if _is_article(metadata) or _is_product(metadata):
        return _guided(body, roots, oracle_text(markup, with_comments=False), MIN_GUIDED_SHARE)
    if roots:
        return _wide(roots)
    is_undeclared = not metadata.page_type and not metadata.schema_types
    if is_undeclared and (not metadata.is_scripted or link_share(body) < MAX_LINK_SHARE):
        return _wide((body,))
    return _guided(body, (), oracle_text(markup, with_comments=True), MIN_UNMARKED_SHARE)


def _guided(body: HtmlElement, roots: tuple[HtmlElement, ...], oracle: str, share: float) -> tuple[HtmlElement, ...]:
    """The blocks that the extractor kept, if that is at least `share` of the wide choice; else the wide
    choice.
    """
    side_parts = set(loose_boilerplate(body)) if not roots else set()
    wide = sum(len(root.text_content().split()) for root in roots or (body,))
    wide -= sum(len(part.text_content().split()) for part in side_parts if side_parts.isdisjoint(part.iterancestors()))
    if len(oracle.split()) >= share * wide and keep_guided(body, oracle):
        return (body,)
    return _wide(roots or (body,))


def _wide(roots: tuple[HtmlElement, ...]) -> tuple[HtmlElement, ...]:
    for root in roots:
        drop(loose_boilerplate(root))
    return roots


def _is_documentation(tree: HtmlElement, metadata: Metadata) -> bool:
    if _GENERATORS.search(metadata.generator):
        return True
    return not _is_article(metadata) and bool(_CODE_AND_TARGETS(tree))


def _is_article(metadata: Metadata) -> bool:
    types = metadata.schema_types
    if not types.isdisjoint(_GATHERINGS):
        return False
    if not types.isdisjoint(_ARTICLES):
        return True
    return metadata.page_type == "article" and (metadata.published is not None or not types)


def _is_product(metadata: Metadata) -> bool:
    if "Product" in metadata.schema_types:
        return metadata.schema_types.isdisjoint({"ItemList", "CollectionPage"})
    return metadata.page_type.startswith("product") and "group" not in metadata.page_type
