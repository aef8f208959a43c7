"""Pages that answer 200 and hold something else than content: sign-in walls, script skeletons, soft 404s."""

from __future__ import annotations

import re
from typing import Final

from lxml.etree import XPath
from lxml.html import HtmlElement

from app.extract.characters import collapse

_PASSWORD: Final = XPath("boolean(//input[@type='password'])")
_SCRIPTED: Final = XPath("boolean(//script[@src or string-length() > 200])")
_APP_ROOT: Final = XPath("boolean(//*[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @id='svelte' or local-name()='app-root'])")
_NOSCRIPT: Final = XPath("string(//noscript)")
_REFRESH: Final = XPath("string(//meta[translate(@http-equiv, 'REFSH', 'refsh')='refresh']/@content)")
_TITLES: Final = XPath("//title | //h1")
_JAVASCRIPT: Final = re.compile(r"java\s?script", re.IGNORECASE)
_SIGN_IN: Final = re.compile(r"\b(?:sign|log)[\s-]?(?:in|on)\b|\banmelden\b|\bconnexion\b|\biniciar sesión\b|\bpassword\b", re.IGNORECASE)
_NOT_FOUND: Final = re.compile(
    r"\b404\b|\b(?:page|document|file|article|content)?\s*(?:could |was |can(?:no|')t be )?not (?:be )?found\b|\bpage (?:does not|doesn't) exist\b"
    r"|\bno longer (?:exists|available)\b",
    re.IGNORECASE,
)
_WALL_WORDS: Final = 120
_SKELETON_WORDS: Final = 60
_NOT_FOUND_WORDS: Final = 150

SKELETON_NOTE: Final = "The page builds most of its text with JavaScript; only what the server sent could be read."
NOT_FOUND_NOTE: Final = "The site says that this page was not found (it answered with status 200)."


def is_sign_in_wall(tree: HtmlElement) -> bool:
    """Whether a page asks for a password and says little else. To be asked before the tree is cleaned."""
    if not _PASSWORD(tree):
        return False
    text = visible_words(tree)
    return len(text.split()) < _WALL_WORDS and bool(_SIGN_IN.search(text + " " + _titles(tree)))


def is_skeleton(tree: HtmlElement) -> bool:
    """Whether the text of a page is made by its scripts. To be asked before the tree is cleaned."""
    words = len(visible_words(tree).split())
    if words >= _SKELETON_WORDS or not _SCRIPTED(tree):
        return False
    return bool(_APP_ROOT(tree)) or bool(_JAVASCRIPT.search(_NOSCRIPT(tree))) or words < 5


def forward_target(tree: HtmlElement) -> str:
    """Address that a `<meta http-equiv=refresh>` leads to, empty if there is none."""
    match = re.search(r"url\s*=\s*['\"]?([^'\"]+)", str(_REFRESH(tree)), re.IGNORECASE)
    return match.group(1).strip() if match else ""


def is_soft_not_found(tree: HtmlElement, text: str) -> bool:
    """Whether a short page says in its title or heading that it does not exist."""
    return len(text.split()) < _NOT_FOUND_WORDS and bool(_NOT_FOUND.search(_titles(tree)))


def visible_words(tree: HtmlElement) -> str:
    """The text of the body without scripts, styles and `noscript`."""
    parts = _BODY_TEXT(tree)
    return collapse(" ".join(parts))


def _titles(tree: HtmlElement) -> str:
    return " | ".join(collapse(element.text_content()) for element in _TITLES(tree))


_BODY_TEXT: Final = XPath(
    "//body//text()[not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template or ancestor::select)]"
)
