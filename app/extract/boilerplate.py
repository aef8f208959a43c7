"""Parts of a page that are about the page: navigation, permalinks, buttons, footers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.measure import by_attribute, link_share, text_size
from app.extract.xpath import elements

_NEVER_TEXT: Final = word_set(
    "style template iframe object embed svg canvas audio video map select textarea datalist noembed"
)
_PERHAPS_TEXT: Final = ("script", "dialog", "input", "button")
_LABELS: Final = ("h2", "h3", "h4", "dt", "summary")
_LANGUAGE_SIGNS: Final = elements("//div[contains(@class, 'language-')]/span[@class='lang']")
_MIN_QUESTION_SPACES: Final = 3
_ROLES: Final = frozenset(
    {"navigation", "search", "dialog", "alertdialog", "menu", "menubar", "tooltip", "toolbar", "contentinfo"}
)
_MAX_SHARE: Final = 0.5

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
    dropdown-menu dropdown-panel language-name mobile-menu mainmenu submenu tagline
    sphx-glr-download-link-note sphx-glr-signature td-page-meta__lastmod toplang bottomlang
    """
)
_HEADING_LINKS: Final = elements(
    "//a[contains(@href, '#')][parent::h1 or parent::h2 or parent::h3 or parent::h4 or parent::h5"
    " or parent::h6 or parent::dt or contains(@class, 'anchor') or contains(@class, 'mark') or contains(@class, 'link')]"
)


_KEYED_LINKS: Final = elements(
    "//div[@class='header' or @class='nav-panel'][.//a[@accesskey='n' or @accesskey='p' or @accesskey='u']]"
)
"""The line with links to the chapters around that Texinfo sets before each section."""


def never_text(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Elements that hold no text for readers: scripts, drawings, form controls."""
    yield from tree.iter(*_NEVER_TEXT)
    yield from (element for element in tree.iter(*_PERHAPS_TEXT) if not _is_text(element))
    yield from _LANGUAGE_SIGNS(tree)


def _is_text(element: HtmlElement) -> bool:
    """Whether a script is a formula, a dialog is open, an input ticks an item, a button is a heading or a label
    with a question.
    """
    if element.tag == "script":
        return (element.get("type") or "").startswith("math/")
    if element.tag == "dialog":
        return element.get("open") is not None
    if element.tag == "input":
        return element.get("type") == "checkbox" and next(element.iterancestors("li"), None) is not None
    if element.get("role") == "tab" or next(element.iterancestors(*_LABELS), None) is not None:
        return True
    is_opener = element.get("aria-expanded") is not None or element.get("aria-controls") is not None
    return is_opener and collapse(element.text_content()).count(" ") >= _MIN_QUESTION_SPACES


def boilerplate(tree: HtmlElement) -> Iterator[HtmlElement]:
    """What is no content on any page, by element, role and the class names of the usual generators."""
    limit = _MAX_SHARE * text_size(tree)
    having = by_attribute(tree, ("role", "class"))
    candidates = [*tree.iter("nav"), *_KEYED_LINKS(tree)]
    candidates += [element for element in having["role"] if element.get("role") in _ROLES and element.tag != "body"]
    candidates += [element for element in having["class"] if _is_boilerplate(element.get("class") or "")]
    for element in candidates:
        if text_size(element) <= limit or link_share(element) > _MAX_SHARE:
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
