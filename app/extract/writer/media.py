"""Images and figures: noted beside the text; captions stay in it."""

from __future__ import annotations

import re
from typing import Final, Literal

from lxml.html import HtmlElement

from app.extract.characters import collapse
from app.extract.writer.formulas import math_image
from app.extract.writer.sink import Sink
from app.extract.writer.walk import Answer, Leave
from app.extract.xpath import has_class, string

_SOURCES: Final = ("data-src", "data-original", "data-lazy-src", "data-actualsrc", "src")
_CAPTION: Final = string(
    f"(.//figcaption | .//p[{has_class('caption')}] | .//*[contains(@class, 'wp-caption-text')]"
    f" | ./*[{has_class('title')}])[1]"
)
_TINY: Final = re.compile(r"[0-3](?:px)?")


def figure(element: HtmlElement, out: Sink) -> Leave:
    """A figure lends its caption to the images in it."""
    out.block()
    out.captions.append(collapse(_CAPTION(element)))

    def leave() -> None:
        out.captions.pop()
        out.block()

    return leave


def image(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """An image with its absolute address; tracking pixels and embedded data are left out."""
    if "math" in (element.get("class") or "").split() and math_image(element, out) is not None:
        return Answer.DONE
    if callout(element):
        out.text(callout(element))
        return Answer.DONE
    source = _source(element)
    url = out.resolve(source) if source else None
    if url is not None and not _is_tiny(element):
        out.picture(url, collapse(element.get("alt") or ""), out.captions[-1] if out.captions else "")
    return Answer.DONE


def callout(element: HtmlElement) -> str:
    """`(1)` for the drawn number that ties a line of code to its explanation; empty for other images."""
    number = (element.get("alt") or "").strip(" ()")
    is_number = number.isascii() and number.isdigit() and len(number) < 3
    name = (element.get("src") or "").rpartition("/")[2].partition(".")[0]
    return f"({number})" if is_number and name == number else ""


def _source(element: HtmlElement) -> str:
    for name in _SOURCES:
        value = (element.get(name) or "").strip()
        if value and not value.startswith("data:"):
            return value
    for name in ("data-srcset", "srcset"):
        candidates = (element.get(name) or "").split()
        if candidates and not candidates[0].startswith("data:"):
            return candidates[0].rstrip(",")
    return ""


def _is_tiny(element: HtmlElement) -> bool:
    return any(_TINY.fullmatch((element.get(side) or "").strip()) for side in ("width", "height"))
