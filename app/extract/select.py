"""Which part of a page is its content.

Documentation is believed: the main part that it marks is taken as it is. Articles and products say what they are
(Open Graph, schema.org) and surround the text with teasers: there an extractor guides the choice of blocks, and what
a product declares of itself is kept besides. Listings, forums and all the rest are taken widely, but for what looks
like the frame of the page, because extractors made for articles lose most of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lxml.html import HtmlElement

from app.extract.clean import drop
from app.extract.declared import declared_texts
from app.extract.guided import keep_guided
from app.extract.kinds import Kind, kind_of
from app.extract.landmarks import landmark
from app.extract.loose import loose_boilerplate
from app.extract.measure import link_share
from app.extract.metadata import Metadata
from app.extract.oracle import oracle_text
from app.extract.sidematter import side_matter
from app.extract.specifications import specifications
from app.extract.xpath import holds

MIN_GUIDED_SHARE: Final = 0.1
"""Share of the wide text that an extractor must keep of an article to be followed."""
MIN_DOUBTFUL_SHARE: Final = 0.75
"""The same where the page has a `main` element and only its Open Graph type says that it is an article."""
MIN_UNMARKED_SHARE: Final = 0.6
"""The same where the page declares no type and marks no main part."""
MAX_LINK_SHARE: Final = 0.3
"""A page that says nothing of itself is taken whole when less of its text than this is that of links."""


MAX_SECTION_LINKS: Final = 0.5
"""A part of a manual with more of its text in links than this is navigation, unless it is marked as a section."""

_TARGETS: Final = frozenset({"p", "dl", "dd", "table"})
_HAS_HEADING: Final = holds(".//h2 | .//h3 | .//h4 | .//h5 | .//h6")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What is content whatever an extractor says: texts that the page declares, parts of the tree."""

    texts: Sequence[str] = ()
    parts: Sequence[HtmlElement] = ()


_NO_EVIDENCE: Final = _Evidence()


def content_roots(tree: HtmlElement, markup: str, metadata: Metadata) -> tuple[HtmlElement, ...]:
    """The elements of a cleaned tree that hold the content, in order; other parts of them are taken out."""
    body = tree.find("body")
    if body is None:
        return (tree,)
    marked = landmark(tree)
    roots = marked.roots
    kind = kind_of(tree, metadata)
    if marked.is_generated and kind in (Kind.UNKNOWN, Kind.PERHAPS_ARTICLE):
        kind = Kind.DOCUMENTATION
    if kind is Kind.DOCUMENTATION:
        return roots or _unframed(body)
    if kind is Kind.PRODUCT:
        evidence = _Evidence(declared_texts(markup), specifications(tree))
        return _guided(body, roots, oracle_text(tree, with_comments=False), MIN_GUIDED_SHARE, evidence)
    if kind in (Kind.ARTICLE, Kind.PERHAPS_ARTICLE):
        is_doubtful = kind is Kind.PERHAPS_ARTICLE and any(_is_main(root) for root in roots)
        share = MIN_DOUBTFUL_SHARE if is_doubtful else MIN_GUIDED_SHARE
        return _guided(body, roots, oracle_text(tree, with_comments=False), share)
    if roots or not _is_unmarked(body, kind, metadata):
        return _wide(roots or (body,))
    return _guided(body, (), oracle_text(tree, with_comments=True), MIN_UNMARKED_SHARE)


def _is_unmarked(body: HtmlElement, kind: Kind, metadata: Metadata) -> bool:
    """Whether a page says nothing of itself and is full of links: scripts, but no type and no main part."""
    if kind is Kind.LIST or metadata.page_type or metadata.schema_types:
        return False
    return metadata.is_scripted and link_share(body) >= MAX_LINK_SHARE


def _guided(
    body: HtmlElement, roots: tuple[HtmlElement, ...], oracle: str, share: float, evidence: _Evidence = _NO_EVIDENCE
) -> tuple[HtmlElement, ...]:
    """The blocks that the extractor kept, if that is at least `share` of the wide choice; else the wide
    choice.
    """
    side_parts = set(loose_boilerplate((body,))) if not roots else set()
    wide = sum(len(root.text_content().split()) for root in roots or (body,))
    wide -= sum(len(part.text_content().split()) for part in side_parts if side_parts.isdisjoint(part.iterancestors()))
    if len(oracle.split()) >= share * wide and keep_guided(body, oracle, declared=evidence.texts, sure=evidence.parts):
        return (body,)
    return _wide(roots or (body,))


def _is_main(root: HtmlElement) -> bool:
    return "main" in (root.tag, root.get("role"))


def _unframed(body: HtmlElement) -> tuple[HtmlElement, ...]:
    """The body of a manual that marks no main part: parts with a heading are its sections, whatever their names, and
    a paragraph with nothing but an id is the target of a reference.
    """
    drop(part for part in loose_boilerplate((body,)) if not _is_written(part))
    return (body,)


def _is_written(part: HtmlElement) -> bool:
    if _HAS_HEADING(part):
        is_section = part.tag == "section" or "section" in (part.get("class") or "").split()
        return is_section or link_share(part) <= MAX_SECTION_LINKS
    return part.tag in _TARGETS and part.get("class") is None and link_share(part) <= MAX_SECTION_LINKS


def _wide(roots: tuple[HtmlElement, ...]) -> tuple[HtmlElement, ...]:
    drop(loose_boilerplate(roots))
    drop(side_matter(roots))
    return roots
