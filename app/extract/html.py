"""Read HTML documents: decode, parse, clean, select the content, write it as Markdown.

Also handles tab controls and navigation links outside the content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app import caps
from app.errors import ContentProtectedError, EmptyPageError
from app.extract import soft_errors
from app.extract.addresses import Resolver, is_web_address
from app.extract.characters import decode, word_set
from app.extract.clean import remove_boilerplate, remove_unseen
from app.extract.metadata import read_metadata
from app.extract.page import Link, Page
from app.extract.selection import content_roots
from app.extract.tree import body_of, elements, has_class, parse, strings
from app.extract.writer.document import assemble, write
from app.text.sentence import sentence

_SAVED_FROM: Final = re.compile(
    r"<!--\s*saved from url=\(\d+\)(\S+)|\burl:\s*(https?://\S++)[^>]{0,400}?\bsaved date:", re.IGNORECASE
)
_HEAD_CHARS: Final = 2_000
_SETS: Final = elements(
    f"//*[{has_class('tabs-container')} or {has_class('tabbed-set')} or {has_class('sd-tab-set')}"
    f" or {has_class('sphinx-tabs')} or {has_class('vp-code-group')} or self::starlight-tabs"
    " or child::*[@role='tablist']]"
)
_SOURCE_WORDS: Final = word_set("tablist tabs-container tabbed-set sd-tab-set sphinx-tabs vp-code-group starlight-tabs")
_LABELS: Final = elements(
    ".//*[@role='tab'] | .//label[contains(@class, 'tab')]"
    " | .//label[ancestor::*[contains(@class, 'tabs') or contains(@class, 'tabbed-labels')]]"
)
_PANELS: Final = elements(
    f".//*[@role='tabpanel' or {has_class('sd-tab-content')} or {has_class('tabbed-block')}"
    f" or {has_class('tabbed-content')} and not(.//*[{has_class('tabbed-block')}])"
    f" or parent::*[{has_class('blocks')}]]"
)
_LABELLED: Final = "data-labelled"
_HREFS: Final = strings(
    "//*[self::a or self::area][not(contains(translate(@rel, 'NOFLW', 'noflw'), 'nofollow'))]/@href"
)
_NO_PAGES: Final = ("#", "javascript:", "mailto:", "data:", "tel:")


def extract_html(body: bytes, *, url: str, charset: str | None, base_url: str | None = None, title: str = "") -> Page:
    """Return the page of an HTML or XHTML body. Raises EmptyPageError, SkeletonPageError and ContentProtectedError.

    `base_url` replaces `url` for resolving relative links; `title` is used if the page has none.
    """
    markup = decode(body, charset)
    try:
        tree = parse(markup)
    except ValueError:
        raise EmptyPageError(sentence("{} is empty.", url), url=url) from None
    # lxml recreates the object of an element at every visit unless something references it, and a page is walked about twenty times.
    held = [*tree.iter()]
    metadata = read_metadata(tree, url)
    if title and not metadata.title:
        metadata = replace(metadata, title=title)
    # A page that a browser saved as a local file names its original address in a comment.
    saved = None if is_web_address(url) else _SAVED_FROM.search(markup, 0, _HEAD_CHARS)
    original = (saved.group(1) or saved.group(2)) if saved else ""
    resolve = Resolver(base_url or (original if is_web_address(original) else url), metadata.base_href)
    signs = soft_errors.read_signs(tree)
    targets = link_targets(tree)
    remove_unseen(tree)
    seen = body_of(tree).text_content()
    if soft_errors.is_sign_in_wall(signs, seen):
        raise ContentProtectedError(sentence("{} requires you to sign in.", url), url=url)
    is_skeleton = soft_errors.is_skeleton(signs, seen)
    if any(word in markup for word in _SOURCE_WORDS):  # the words in the source of every tab control
        expand_tabs(tree)
    remove_boilerplate(tree)
    written = write(content_roots(tree, markup, metadata), resolve)
    del held
    if not written.length:
        raise soft_errors.no_text_error(url, signs, resolve, skeleton=is_skeleton, markdown_url=metadata.markdown_url)
    notes = [soft_errors.SKELETON_NOTE] if is_skeleton else []
    if soft_errors.is_soft_not_found(signs, written.getvalue()):
        notes.append(soft_errors.NOT_FOUND_NOTE)
    if forward := soft_errors.forward_note(signs, written.getvalue(), url, resolve):
        notes.append(forward)
    page = assemble(written, url=url, metadata=metadata, notes=tuple(notes))
    return replace(page, navigation=navigation(targets, resolve, page.links, url))


def expand_tabs(tree: HtmlElement) -> None:
    """Put a bold label before each panel and remove the row of tabs; controls inside panels come first.

    Tabs that share a panel only filter its content and do not become labels.
    """
    for control in reversed(_SETS(tree)):
        # Each tab has its panel, by ids, otherwise by order.
        labels = _LABELS(control)
        panels = [panel for panel in _PANELS(control) if _LABELLED not in panel.attrib]
        by_id = {panel.get("id"): panel for panel in panels if panel.get("id")}
        named = (label.get("aria-controls") or label.get("data-bs-target") or label.get("href", "") for label in labels)
        found = [by_id.get(name.removeprefix("#")) for name in named]
        if not labels or any(panel is None for panel in found):
            found = list(panels) if len(labels) == len(panels) else []
        pairs = [(label, panel) for label, panel in zip(labels, found, strict=False) if panel is not None]
        is_filter = len({panel for _, panel in pairs}) < len(pairs)
        for label, panel in pairs:
            if not is_filter:
                paragraph = etree.SubElement(panel, "p")
                etree.SubElement(paragraph, "strong").text = " ".join(label.text_content().split())
                panel.insert(0, paragraph)
                paragraph.tail, panel.text = panel.text, None
            panel.set(_LABELLED, "")
        for label, _ in pairs:
            holder = label.getparent()
            if holder is not None:
                label.drop_tree()
                if holder.tag == "li" and not len(holder) and not (holder.text or "").strip():
                    holder.drop_tree()


def link_targets(tree: HtmlElement) -> dict[str, None]:
    """Return the link targets of a whole tree in order, each once, without those marked `nofollow`."""
    return dict.fromkeys(href for href in _HREFS(tree) if not href.startswith(_NO_PAGES))


def navigation(
    targets: Iterable[str], resolve: Callable[[str], str | None], links: Iterable[Link], url: str
) -> tuple[str, ...]:
    """Return the web addresses among `targets` that are neither the page itself nor one of its content links."""
    known = {address.partition("#")[0] for address in (url, *(link.url for link in links))}
    addresses = ((resolve(target) or "").partition("#")[0] for target in targets)
    new = (address for address in addresses if address not in known and is_web_address(address))
    return tuple(dict.fromkeys(new))[: caps.MAX_NAVIGATION_LINKS]
