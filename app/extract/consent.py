"""Find cookie consent dialogs. They are not part of a page, however long they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.tree import body_of, elements

_PRODUCTS: Final = re.compile(
    r"(?:^|[\s_-])(?:cybotcookiebot|cookiebot|onetrust|osano|usercentrics|qc-cmp2|didomi|truste|trustarc|sp_message_container|cmplz"
    r"|cookie-law-info|iubenda-cs|klaro|borlabs|tarteaucitron|fc-consent|termly|cookiescript|cookiefirst|hs-eu-cookie|evidon"
    r"|moove_gdpr|cmpbox|ppms_cm|axeptio|cookieconsent|consentmanager|cc-window|civic-cookie|complianz|quantcast-choice|cookieyes|cky-)",
    re.IGNORECASE,
)
"""The prefixes of ids and classes of common consent tools."""
_SUBJECT: Final = re.compile(r"cookie|consent|gdpr|dsgvo|privacy|datenschutz", re.IGNORECASE)
_ABOUT: Final = (
    "cookie", "クッキー", "쿠키", "куки", "personal data", "personenbezogen", "datenschutz", "données personnelles",
    "datos personales",
)  # fmt: skip
"""Lower-case words. Every page is searched for them, and plain words are fifty times as fast as a pattern."""
_AGREES: Final = re.compile(
    r"\b(?:accept|agree|allow|reject|decline|got it|ok\b|akzeptier|zustimm|ablehn|erlaub|einverstanden|accepter|refuser|aceptar|rechazar"
    r"|accett|rifiut|aceitar|accepteren|godkänn|godta|acceptér|hyväksy|akceptuj|zgadza|souhlas|přijm|elfogad|kabul|i understand|understood"
    r"|принима|принять|соглас|прийня|погодж|αποδ[έο]χ)|同意|接受|許可|拒否|知道了|我明白|동의|허용",
    re.IGNORECASE,
)
_PAGE_PARTS: Final = ("main", "article")
_HEADED_PARTS: Final = (*_PAGE_PARTS, "h1")
_CHOICES: Final = elements(
    ".//button|.//a|.//input|.//*[@role='button' or contains(@class, 'btn') or contains(@class, 'button')]"
)
_DIALOGS: Final = ("dialog", "alertdialog")
_NAMED: Final = elements(
    ".//*[@id or @class or @aria-label or self::dialog or @role='dialog' or @role='alertdialog' or contains(name(), '-')]"
)
_WRAPPERS: Final = 4
"""The number of elements around the whole page, as frameworks create them, that are treated like its body."""
_NOWHERE: Final = ("", "#")
_MAX_LABEL_CHARS: Final = 120
MAX_DIALOG_CHARS: Final = 20_000
"""The size of a dialog with all its lists of partners; a longer text is a page about cookies."""
MAX_CHARS_LOOKED_AT: Final = 4_000_000
"""The limit over all elements of a page: nested elements would be read once for each level."""


def consent_dialogs(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the outermost elements that only ask for consent. Call it while the buttons are present."""
    root = body_of(tree)
    if not _mentions_consent(root.text_content()):
        return
    asking: set[HtmlElement] = set()
    left = MAX_CHARS_LOOKED_AT
    parts = [*_outer_parts(root), *(each for each in _NAMED(root) if _is_dialog(each) or _is_named(_names(each)))]
    for element in dict.fromkeys(parts):
        if asking and not asking.isdisjoint(element.iterancestors()):
            continue
        text = element.text_content()
        left -= len(text) + 1
        if left < 0:
            return
        # It mentions cookies, lets a reader agree, and does not contain a part of the page itself.
        page_parts = _PAGE_PARTS if _is_dialog(element) else _HEADED_PARTS
        if (
            len(text) <= MAX_DIALOG_CHARS
            and _mentions_consent(text)
            and next(element.iter(*page_parts), None) is None
            and (_PRODUCTS.search(_names(element)) or any(map(_agrees, _CHOICES(element))))
        ):
            asking.add(element)
            yield element


def _agrees(choice: HtmlElement) -> bool:
    """Whether this button or link accepts. A link to another page does not: texts about cookies contain such links."""
    href = (choice.get("href") or "").strip()
    if href not in _NOWHERE and not href.lower().startswith("javascript:") and choice.get("role") != "button":
        return False
    label = f"{choice.text_content()} {choice.get('value') or ''} {choice.get('aria-label') or ''}"
    return len(label) <= _MAX_LABEL_CHARS and _AGREES.search(label) is not None


def _outer_parts(root: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the children of the body, and of the elements that wrap the whole page."""
    outer = [(root, 0)]
    for wrapper, depth in outer:
        for part in wrapper.iterchildren(etree.Element):
            if not _is_dialog(part) and next(part.iter(*_HEADED_PARTS), None) is not None:
                if depth < _WRAPPERS:
                    outer.append((part, depth + 1))
            else:
                yield part


def _mentions_consent(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _ABOUT)


def _names(element: HtmlElement) -> str:
    """Return the names of an element, including the tag of a custom one."""
    tag = element.tag if "-" in element.tag else ""
    return " ".join(filter(None, (element.get("id"), element.get("class"), element.get("aria-label"), tag)))


@lru_cache(maxsize=8192)
def _is_named(names: str) -> bool:
    return bool(_PRODUCTS.search(names) or _SUBJECT.search(names))


def _is_dialog(element: HtmlElement) -> bool:
    return element.tag == "dialog" or element.get("role") in _DIALOGS
