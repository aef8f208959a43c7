"""Parts of a page that are about the page: navigation, permalinks, buttons, footers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.writer.notices import notice_label
from app.extract.xpath import elements

_NEVER_TEXT: Final = elements(
    "//script[not(starts-with(@type, 'math/'))] | //style | //template | //iframe | //object | //embed"
    " | //svg | //canvas | //audio | //video | //map | //select | //textarea | //datalist | //dialog[not(@open)]"
    " | //input[not(@type='checkbox' and ancestor::li)]"
    " | //div[contains(@class, 'language-')]/span[@class='lang']"
    " | //button[not(ancestor::h2 or ancestor::h3 or ancestor::h4 or ancestor::dt or ancestor::summary"
    " or @role='tab')]"
)
_ROLES: Final = frozenset(
    {"navigation", "search", "dialog", "alertdialog", "menu", "menubar", "tooltip", "toolbar", "contentinfo"}
)
_WITH_ROLE: Final = elements("//*[@role]")
_WITH_CLASS: Final = elements("//*[@class]")
_NAVS: Final = elements("//nav")
_MAX_SHARE: Final = 0.5
_MAX_LOOSE_SHARE: Final = 0.25
"""A part with more of the page's text than this is no side matter, whatever its name: names of page frames
mention their sides.
"""

_ALWAYS: Final = word_set(
    """
    headerlink anchorjs-link id_link viewcode-back copybtn copy-button copy-btn btn-clipboard
    clipboard-copy zeroclipboard-container linenos linenodiv lineno line-numbers-rows lnt
    hljs-ln-numbers rouge-gutter prev-next-area prev-next prev-next-bottom prev-next-footer prevnext
    pagination pagination-nav pager page-nav page-navigation post-navigation nav-links nav-previous
    nav-next rst-footer-buttons md-footer VPDocFooter theme-doc-footer docs-prevnext navheader navfooter
    breadcrumb breadcrumbs rst-breadcrumbs-buttons wy-breadcrumbs bd-breadcrumbs theme-doc-breadcrumbs
    edit-this-page theme-edit-this-page edit-link edit-page-link editlink md-source-file
    md-content__button edit-on-github last-updated page-metadata theme-last-updated feedback
    page-feedback was-this-helpful theme-doc-toc-mobile theme-doc-toc-desktop VPDocAsideOutline
    VPLocalNav table-of-contents toc-sidebar bd-sidebar bd-sidebar-primary bd-sidebar-secondary
    sphinxsidebar sphinxsidebarwrapper md-sidebar VPSidebar skip-link skip-to-content skiplink skip-nav
    cookie-banner cookie-consent cookie-notice cookiebar gdpr share-buttons social-share sharedaddy
    jp-relatedposts addtoany_content mw-editsection mw-jump-link noprint navbox catlinks searchmenu
    mobile-menu mainmenu submenu tagline sphx-glr-download-link-note sphx-glr-signature
    """
)
_LOOSE: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|footer|sidebar|promo|subscribe|newsletter|cookies?|gdpr|consent|"
    r"share|sharing|social|related|recommended|advert\w*|adsbygoogle|banner|popup|modal|pagination|skip)(?:$|[\s_-])",
    re.IGNORECASE,
)
_HEADING_LINKS: Final = elements(
    "//a[contains(@href, '#')][parent::h1 or parent::h2 or parent::h3 or parent::h4 or parent::h5"
    " or parent::h6 or parent::dt or contains(@class, 'anchor') or contains(@class, 'mark') or contains(@class, 'link')]"
)


def never_text(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Elements that hold no text for readers: scripts, drawings, form controls."""
    yield from _NEVER_TEXT(tree)


def boilerplate(tree: HtmlElement) -> Iterator[HtmlElement]:
    """What is no content on any page, by element, role and the class names of the usual generators."""
    limit = _MAX_SHARE * len(tree.text_content())
    candidates = list(_NAVS(tree))
    candidates += [element for element in _WITH_ROLE(tree) if element.get("role") in _ROLES and element.tag != "body"]
    candidates += [element for element in _WITH_CLASS(tree) if _is_boilerplate(element.get("class"))]
    for element in candidates:
        if len(element.text_content()) <= limit or link_share(element) > _MAX_SHARE:
            yield element


def link_share(element: HtmlElement) -> float:
    """Share of the text of an element that is that of links."""
    linked = sum(len(link.text_content().strip()) for link in element.iter("a"))
    return linked / max(len(" ".join(element.text_content().split())), 1)


def loose_boilerplate(root: HtmlElement) -> Iterator[HtmlElement]:
    """What is probably no content, for pages that name no main part: sides, footers, telling class names
    and ids.
    """
    limit = _MAX_LOOSE_SHARE * len(root.text_content())
    for element in root.iterdescendants(
        "aside", "footer", "div", "section", "ul", "ol", "table", "p", "header", "form"
    ):
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        is_side = element.tag in ("aside", "footer") or (len(names) > 1 and _is_loose(names))
        if is_side and notice_label(element.get("class") or "") is None and len(element.text_content()) <= limit:
            yield element


def permalinks(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Links that only mark a heading or a term as a target (`¶`, `#`)."""
    for link in _HEADING_LINKS(tree):
        text = collapse(link.text_content())
        if "headerlink" in (link.get("class") or "") or (len(text) <= 3 and not any(map(str.isalnum, text))):
            yield link


@lru_cache(maxsize=8192)
def _is_boilerplate(classes: str) -> bool:
    return not _ALWAYS.isdisjoint(classes.split())


@lru_cache(maxsize=8192)
def _is_loose(names: str) -> bool:
    return bool(_LOOSE.search(names))
