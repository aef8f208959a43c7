"""Detect pages with status 200 but without content: sign-in walls, script skeletons, soft 404s."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lxml.html import HtmlElement

from app.errors import EmptyPageError, SkeletonPageError
from app.extract.addresses import Resolver
from app.extract.characters import collapse
from app.extract.tree import elements, holds, string, strings
from app.text.refresh import refresh_target
from app.text.sentence import Sentence, sentence

_PASSWORD: Final = holds("//input[@type='password']")
_SCRIPTED: Final = holds("//script[@src or string-length() > 200]")
_APP_ROOT: Final = holds("//div[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @id='svelte'] | //app-root")
_NOSCRIPT: Final = string("//noscript")
_REFRESH: Final = string("//meta[translate(@http-equiv, 'REFSH', 'refsh')='refresh'][not(ancestor::noscript)]/@content")
_FRAMES: Final = strings("//*[self::frame or self::iframe]/@src")
_TITLES: Final = elements("//*[self::title or self::h1]")
_JAVASCRIPT: Final = re.compile(r"java\s?script", re.IGNORECASE)
_SIGN_IN: Final = re.compile(
    r"\b(?:sign|log)[\s-]?(?:in|on)\b|\blogin\b|\banmeld|\bconnexion\b|\biniciar sesión\b"
    r"|\bpassword\b|\bpasswort\b",
    re.IGNORECASE,
)
_NOT_FOUND: Final = re.compile(
    r"\b404\b|\bnot (?:be )?found\b|\bpage (?:does not|doesn[’']t) exist\b"
    r"|\bno longer (?:exists|available)\b|\bnicht gefunden\b",
    re.IGNORECASE,
)
_WALL_WORDS: Final = 120
_SKELETON_WORDS: Final = 60
_APP_WORDS: Final = 20
_BARE_WORDS: Final = 5
_NOT_FOUND_WORDS: Final = 150
_FRAMES_NAMED: Final = 4
SKELETON_NOTE: Final = sentence(
    "The page builds most of its text with JavaScript. WebRAG could only read the text that the server sent."
)
NOT_FOUND_NOTE: Final = sentence("The site says that this page was not found (although it returned status 200).")
FORWARD_NOTE: Final = "The page redirects browsers to another address"  # The beginning of the note with the address.


@dataclass(frozen=True, slots=True)
class Signs:
    """The visible signs of a page before cleaning.

    `forward` is the address that it redirects the browser to, `frames` are the addresses of its frames, as written.
    """

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


def is_sign_in_wall(signs: Signs, text: str) -> bool:
    """Whether a page asks for a password and contains little else. `text` is all visible text."""
    is_short = len(text.split()) < _WALL_WORDS
    return signs.asks_password and is_short and bool(_SIGN_IN.search(f"{signs.titles} {text}"))


def is_skeleton(signs: Signs, text: str) -> bool:
    """Whether scripts create the text of a page."""
    words = len(text.split())
    if signs.says_scripts:
        return words < _SKELETON_WORDS
    return words < (_APP_WORDS if signs.has_app_root else _BARE_WORDS if signs.is_scripted else 0)


def is_soft_not_found(signs: Signs, text: str) -> bool:
    """Whether a short page says in its title or heading that it does not exist."""
    return len(text.split()) < _NOT_FOUND_WORDS and bool(_NOT_FOUND.search(signs.titles))


def forward_note(signs: Signs, text: str, url: str, resolve: Resolver) -> Sentence | None:
    """Return the note for a short page that redirects browsers to another address; None for any other page."""
    target = (resolve(signs.forward) if signs.forward else None) or ""
    if not target or target.partition("#")[0] == url or len(text.split()) >= _WALL_WORDS:
        return None
    return sentence("The page redirects browsers to another address: {}.", target)


def no_text_error(
    url: str, signs: Signs, resolve: Resolver, *, skeleton: bool, markdown_url: str | None
) -> EmptyPageError:
    """Return why a page has no text, and where the text may be."""
    forward = (resolve(signs.forward) if signs.forward else None) or ""
    if forward:
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
        return EmptyPageError(message, url=url, hint=hint)
    return EmptyPageError(sentence("{} has no readable text.", url), url=url)
