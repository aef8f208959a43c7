"""Dialogs that ask for consent to cookies. They are not part of a page, however long they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

_FRAMES: Final = ("div", "section", "aside", "form", "dialog", "footer", "header")
_PRODUCTS: Final = re.compile(
    r"(?:^|[\s_-])(?:cybotcookiebot|cookiebot|onetrust|osano|usercentrics|qc-cmp2|didomi|truste|trustarc|sp_message_container|cmplz"
    r"|cookie-law-info|iubenda-cs|klaro|borlabs|tarteaucitron|fc-consent|termly|cookiescript|cookiefirst|hs-eu-cookie|evidon"
    r"|moove_gdpr|cmpbox|ppms_cm|axeptio|cookieconsent|consentmanager|cc-window|civic-cookie|complianz|quantcast-choice|cookieyes|cky-)",
    re.IGNORECASE,
)
"""How the ids and classes of the usual consent tools begin."""
_SUBJECT: Final = re.compile(r"cookie|consent|gdpr|dsgvo|privacy|datenschutz", re.IGNORECASE)
_ABOUT: Final = re.compile(
    r"cookie|クッキー|쿠키|куки|personal data|personenbezogen|datenschutz|données personnelles|datos personales",
    re.IGNORECASE,
)
_AGREES: Final = re.compile(
    r"\b(?:accept|agree|allow|reject|decline|got it|ok\b|akzeptier|zustimm|ablehn|erlaub|einverstanden|accepter|refuser|aceptar|rechazar"
    r"|accett|rifiut|aceitar|accepteren|godkänn|godta|acceptér|hyväksy|akceptuj|zgadza|souhlas|přijm|elfogad|kabul"
    r"|принима|принять|соглас|прийня|погодж|αποδ[έο]χ)|同意|接受|許可|拒否|동의|허용",
    re.IGNORECASE,
)
_PAGE_PARTS: Final = ("main", "article")
_DIALOGS: Final = ("dialog", "alertdialog")
_NOWHERE: Final = ("", "#")
MAX_DIALOG_CHARS: Final = 20_000
"""Of a dialog with all its lists of partners; what is longer is a page about cookies."""
MAX_CHARS_LOOKED_AT: Final = 4_000_000
"""Over all elements of a page: elements that hold each other would be read once for each level."""


def consent_dialogs(tree: HtmlElement) -> Iterator[HtmlElement]:
    """The outermost elements that only ask for consent. Call it while the buttons are there."""
    body = tree.find("body")
    asking: set[HtmlElement] = set()
    left = MAX_CHARS_LOOKED_AT
    for element in (body if body is not None else tree).iterdescendants(*_FRAMES):
        if element.getparent() in asking:
            asking.add(element)
        elif _may_ask(element, is_outermost=element.getparent() is body):
            text = element.text_content()
            left -= len(text) + 1
            if left < 0:
                return
            if _asks(element, text):
                asking.add(element)
                yield element


def _may_ask(element: HtmlElement, *, is_outermost: bool) -> bool:
    names = " ".join(filter(None, (element.get("id"), element.get("class"), element.get("aria-label"))))
    return is_outermost or _is_dialog(element) or _is_named(names)


@lru_cache(maxsize=8192)
def _is_named(names: str) -> bool:
    return bool(_PRODUCTS.search(names) or _SUBJECT.search(names))


def _is_dialog(element: HtmlElement) -> bool:
    return element.tag == "dialog" or element.get("role") in _DIALOGS


def _asks(element: HtmlElement, text: str) -> bool:
    """Whether an element mentions cookies, lets a reader agree, and does not hold a part of the page itself."""
    page_parts = _PAGE_PARTS if _is_dialog(element) else (*_PAGE_PARTS, "h1")
    if len(text) > MAX_DIALOG_CHARS or not _ABOUT.search(text) or next(element.iter(*page_parts), None) is not None:
        return False
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    choices = (each for each in element.iter("button", "a", "input") if each is not element)
    return bool(_PRODUCTS.search(names)) or any(map(_agrees, choices))


def _agrees(choice: HtmlElement) -> bool:
    """Whether a reader agrees with this button or link. A link to another page is none: a text about cookies has those."""
    href = (choice.get("href") or "").strip()
    if href not in _NOWHERE and not href.lower().startswith("javascript:") and choice.get("role") != "button":
        return False
    label = f"{choice.text_content()} {choice.get('value') or ''} {choice.get('aria-label') or ''}"
    return _AGREES.search(label) is not None
