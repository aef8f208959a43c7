"""Read HTML documents: decode, parse, clean, select the content, write it as Markdown.

Also handles tab controls and navigation links outside the content, and detects pages with status 200 but without content: sign-in walls,
checks of visitors, script skeletons, soft 404s, notices of failures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app import caps
from app.errors import ContentProtectedError, EmptyPageError, SkeletonPageError
from app.extract.addresses import Resolver, is_web_address
from app.extract.characters import collapse, decode, word_set
from app.extract.clean import remove_boilerplate, remove_unseen
from app.extract.page import Link, Page, read_metadata
from app.extract.selection import content_roots
from app.extract.tree import body_of, elements, has_class, holds, parse, string, strings
from app.extract.writer.document import assemble, write
from app.text.refresh import refresh_target
from app.text.sentence import Sentence, sentence
from app.text.wordings import wording

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
_MAX_NESTED: Final = 2  # Tab controls inside more than these remain: expanding one searches all of its content.
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
    metadata = replace(metadata, title=metadata.title or title)
    # A page that a browser saved as a local file names its original address in a comment.
    saved = None if is_web_address(url) else _SAVED_FROM.search(markup, 0, _HEAD_CHARS)
    original = (saved.group(1) or saved.group(2)) if saved else ""
    resolve = Resolver(base_url or (original if is_web_address(original) else url), metadata.base_href)
    signs = read_signs(tree)
    targets = dict.fromkeys(href for href in _HREFS(tree) if not href.startswith(_NO_PAGES))
    remove_unseen(tree)
    seen = body_of(tree).text_content()
    refuse_walls(signs, seen, markup, url)
    is_scripted = is_skeleton(signs, seen)
    if any(word in markup for word in _SOURCE_WORDS):  # the words in the source of every tab control
        expand_tabs(tree)
    remove_boilerplate(tree)
    written = write(content_roots(tree, markup, metadata), resolve)
    del held
    if not written.length:
        raise no_text_error(url, signs, resolve, skeleton=is_scripted, markdown_url=metadata.markdown_url)
    notes = ([SKELETON_NOTE] if is_scripted else []) + notes_of(signs, written.getvalue(), url, resolve)
    page = assemble(written, url=url, metadata=metadata, notes=tuple(notes))
    return replace(page, navigation=navigation(targets, resolve, page.links, url))


def expand_tabs(tree: HtmlElement) -> None:
    """Put a bold label before each panel and remove the tabs, inner controls first. Tabs that share a panel only filter its content."""
    controls = _SETS(tree)
    known = set(controls)
    for control in reversed(controls):
        around = (each for each in control.iterancestors() if each in known)
        if next(islice(around, _MAX_NESTED, None), None) is not None:
            continue
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
            if (holder := label.getparent()) is not None:
                label.drop_tree()
                if holder.tag == "li" and not len(holder) and not (holder.text or "").strip():
                    holder.drop_tree()


def navigation(
    targets: Iterable[str], resolve: Callable[[str], str | None], links: Iterable[Link], url: str
) -> tuple[str, ...]:
    """Return the web addresses among `targets` that are neither the page itself nor one of its content links."""
    known = {address.partition("#")[0] for address in (url, *(link.url for link in links))}
    addresses = ((resolve(target) or "").partition("#")[0] for target in targets)
    new = (address for address in addresses if address not in known and is_web_address(address))
    return tuple(dict.fromkeys(new))[: caps.MAX_NAVIGATION_LINKS]


_PASSWORD: Final = holds("//input[@type='password']")
_SCRIPTED: Final = holds("//script[@src or string-length() > 200]")
_APP_ROOT: Final = holds("//div[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @id='svelte'] | //app-root")
_NOSCRIPT: Final = string("//noscript")
_REFRESH: Final = string("//meta[translate(@http-equiv, 'REFSH', 'refsh')='refresh'][not(ancestor::noscript)]/@content")
_FRAMES: Final = strings("//*[self::frame or self::iframe]/@src")
_TITLES: Final = elements("//*[self::title or self::h1]")
_JAVASCRIPT: Final = re.compile(r"java\s?script", re.IGNORECASE)
_SIGN_IN: Final = wording("pages.toml", "pages", "sign_in")
_NOT_FOUND: Final = wording("pages.toml", "pages", "not_found")
_CHECK: Final = wording("pages.toml", "pages", "check")
_CHECK_SOURCES: Final = (
    "captcha", "turnstile", "challenge", "cf-chl", "_incapsula_", "anubis", "ddos-guard", "checkpoint",
)  # fmt: skip
_FAILED: Final = wording("pages.toml", "pages", "failed")
_OUTAGE: Final = wording("pages.toml", "pages", "outage")
_WALL_WORDS: Final = 120
_SKELETON_WORDS: Final = 60
_APP_WORDS: Final = 20
_BARE_WORDS: Final = 5
_NOT_FOUND_WORDS: Final = 150
_NOTICE_WORDS: Final = 80
_FRAMES_NAMED: Final = 4
SKELETON_NOTE: Final = sentence(
    "The page builds most of its text with JavaScript. WebRAG could only read the text that the server sent."
)
NOT_FOUND_NOTE: Final = sentence("The site says that this page was not found (although it returned status 200).")
FAILURE_NOTE: Final = sentence(
    "The site seems to show a failure or an outage instead of the page (although it returned status 200)."
)
FORWARD_NOTE: Final = "The page redirects browsers to another address"  # The beginning of the note with the address.


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of a page before cleaning, with the address to which it redirects browsers and those of its frames, as written."""

    titles: str
    asks_password: bool
    says_scripts: bool
    has_app_root: bool
    is_scripted: bool
    forward: str
    frames: tuple[str, ...]


def read_signs(tree: HtmlElement) -> Signs:
    """Return the signs of a tree that still has its scripts and forms."""
    is_scripted = bool(_SCRIPTED(tree))
    return Signs(
        titles=" | ".join(collapse(element.text_content()) for element in _TITLES(tree)),
        asks_password=bool(_PASSWORD(tree)),
        says_scripts=is_scripted and bool(_JAVASCRIPT.search(_NOSCRIPT(tree))),
        has_app_root=is_scripted and _APP_ROOT(tree),
        is_scripted=is_scripted,
        forward=refresh_target(refresh) if (refresh := str(_REFRESH(tree))) else "",
        frames=tuple(_FRAMES(tree)),
    )


def refuse_walls(signs: Signs, text: str, markup: str, url: str) -> None:
    """Raise ContentProtectedError if a page with little text asks for a password, or whether the visitor is human."""
    said = f"{signs.titles} {text}"
    if len(text.split()) >= _WALL_WORDS:
        return
    if signs.asks_password and _SIGN_IN.search(said):
        raise ContentProtectedError(sentence("{} requires you to sign in.", url), url=url)
    if _CHECK.search(said) and any(word in markup.lower() for word in _CHECK_SOURCES):
        raise ContentProtectedError(sentence("{} asks visitors to prove that they are human.", url), url=url)


def is_skeleton(signs: Signs, text: str) -> bool:
    """Whether scripts create the text of a page."""
    words = len(text.split())
    if signs.says_scripts:
        return words < _SKELETON_WORDS
    return words < (_APP_WORDS if signs.has_app_root else _BARE_WORDS if signs.is_scripted else 0)


def notes_of(signs: Signs, text: str, url: str, resolve: Resolver) -> list[Sentence]:
    """Return what a short page says about itself: that it does not exist, a failure or an outage, another address."""
    notes = []
    words = len(text.split())
    if words < _NOT_FOUND_WORDS and _NOT_FOUND.search(signs.titles):
        notes.append(NOT_FOUND_NOTE)
    elif words < _NOTICE_WORDS and (_FAILED.search(signs.titles) or _OUTAGE.search(text)):
        notes.append(FAILURE_NOTE)
    target = resolve(signs.forward) if signs.forward and words < _WALL_WORDS else None
    if target and target.partition("#")[0] != url:
        notes.append(sentence("The page redirects browsers to another address: {}.", target))
    return notes


def no_text_error(
    url: str, signs: Signs, resolve: Resolver, *, skeleton: bool, markdown_url: str | None
) -> EmptyPageError:
    """Return why a page has no text, and where the text may be."""
    if forward := resolve(signs.forward) if signs.forward else None:
        hint = "Use that address instead."
        return EmptyPageError(sentence("{} has no text and only redirects to {}.", url, forward), url=url, hint=hint)
    if skeleton:
        message = sentence("{} has no text without JavaScript.", url)
        version = sentence("Use the page's Markdown version: {}", markdown_url) if markdown_url else None
        return SkeletonPageError(message, url=url, markdown_url=markdown_url, hint=version)
    frames = [target for source in signs.frames if (target := resolve(source))]
    if frames:
        named = ", ".join(dict.fromkeys(frames[:_FRAMES_NAMED]))
        hint = "Use the address of the frame with the text."
        message = sentence("{} has no text and only shows other pages in frames: {}.", url, named)
        return EmptyPageError(message, url=url, hint=hint, frames=tuple(dict.fromkeys(frames)))
    return EmptyPageError(sentence("{} has no readable text.", url), url=url)
