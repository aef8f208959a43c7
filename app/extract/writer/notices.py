"""Write notices (admonitions, callouts, alerts) as labeled paragraphs: `⚠️ WARNING: …`, `ℹ️ NOTE: …`."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.tree import HEADINGS
from app.extract.writer.sink import Leave, Sink
from app.paths import asset_table

_SIGNS: Final = {
    "⚠️": "WARNING CAUTION DANGER ATTENTION ERROR BUG FAILURE", "💡": "TIP HINT", "❗": "IMPORTANT",
}  # fmt: skip
_SIGN_OF: Final = {label: sign for sign, labels in _SIGNS.items() for label in labels.split()}
_PLAIN_SIGN: Final = "ℹ️"

_TITLE_CLASSES: Final = (
    "admonition-title", "admonitionHeading", "admonition-heading", "alert-title", "custom-block-title",
    "callout-title", "starlight-aside__title", "alert-heading", "blockquote-tag-title",
)  # fmt: skip
KINDS: Final = word_set(asset_table("pages.toml")["names"]["notice_kinds"])
_LABELS: Final = {kind: kind.upper() for kind in KINDS - {"details"}} | {
    "seealso": "SEE ALSO", "see-also": "SEE ALSO", "secondary": "NOTE", "warn": "WARNING", "notes": "NOTE", "tips": "TIP",
}  # fmt: skip
_BARE_KINDS: Final = frozenset({"note", "warning", "tip", "caution", "important", "danger"})
_LIST_KINDS: Final = _BARE_KINDS | {"attention", "seealso", "todo", "bug"}
_CONTAINERS: Final = word_set(asset_table("pages.toml")["classes"]["notices"])
_PREFIX: Final = re.compile(
    r"(?:theme-admonition|markdown-alert|admonition|alert|bd-callout|callout|starlight-aside|notice|note|is|docs-callout"
    r"|hint|custom-block|blockquote-tag)--?"
)
_TITLE_REACH: Final = 100  # The elements at the beginning of a notice that can be its title.


@lru_cache(maxsize=4096)
def notice_label(classes: str) -> str | None:
    """Return the label for a class attribute, or None if the element is not a notice."""
    tokens = classes.lower().split()
    if len(tokens) == 1 and tokens[0] in _BARE_KINDS:
        return tokens[0].upper()
    if _CONTAINERS.isdisjoint(tokens):
        return None
    for token in sorted(tokens, key=_CONTAINERS.__contains__):
        kind = _PREFIX.sub("", token, count=1) if _PREFIX.match(token) else token
        if kind in _LABELS and kind not in _CONTAINERS - {"hint"}:
            return _LABELS[kind]
    return "NOTE" if "admonition" in tokens or "admonitionblock" in tokens else None


def list_label(element: HtmlElement) -> str | None:
    """Return the label of a definition list that is a Doxygen notice (`dl class="section note"`)."""
    tokens = (element.get("class") or "").lower().split()
    if "section" not in tokens:
        return None
    return next((_LABELS[token] for token in tokens if token in _LIST_KINDS), None)


def quotation_label(element: HtmlElement) -> str | None:
    """Return the label of a quotation that is a notice, also one whose first paragraph is the title (`note-title`)."""
    classes = (element.get("class") or "").lower()
    kind = classes.removesuffix("-title")
    if kind == classes or kind not in _BARE_KINDS or not len(element):
        return notice_label(classes)
    element[0].set("class", _TITLE_CLASSES[0])
    return kind.upper()


def notice(element: HtmlElement, out: Sink, label: str) -> Leave:
    """Write the label and its own title, if any, then the text in the same line."""
    starts = islice(element.iterdescendants(etree.Element), _TITLE_REACH)
    heading = next((each for each in starts if _is_title(each, element)), None)
    heading = _leading_heading(element, label) if heading is None else heading
    if heading is None:
        title = collapse(element.get("aria-label") or "")
    else:
        title = collapse(heading.text_content()) or collapse(" ".join(heading.xpath(".//img/@alt")))
        heading.drop_tree()
    # A title that only repeats the label is left out.
    title = "" if title.lower().rstrip(":") in (label.lower(), f"{label.lower()}s") else title.rstrip(":")
    if label == "NOTE" and title.upper() in _SIGN_OF:
        label, title = title.upper(), ""
    write_label(label, title, out)
    return out.block


def write_label(label: str, title: str, out: Sink) -> None:
    """Write `⚠️ WARNING:`, and the title, which ends the line."""
    out.hard_block()
    sign = _SIGN_OF.get(label, _PLAIN_SIGN)
    if title:
        out.text(f"{sign} {label}: {title}")
        out.block()
    elif out.flat:
        out.text(f"{sign} {label}: ")
    else:
        out.text(f"{sign} {label}")
        out.glue(":")


def _is_title(part: HtmlElement, notice: HtmlElement) -> bool:
    classes = part.get("class") or ""
    if any(name in classes for name in _TITLE_CLASSES):
        return True
    if part.getparent() is notice:
        return part.tag in ("summary", "dt") or "title" in classes.split()
    return part.tag == "td" and "icon" in classes.split()


def _leading_heading(element: HtmlElement, label: str) -> HtmlElement | None:
    """Return the first heading, or the first bold line or word if it only repeats the label."""
    first = next((child for child in element if isinstance(child.tag, str)), None)
    if first is None or (element.text or "").strip():
        return None
    if first.tag in HEADINGS:
        return first
    if first.tag in ("p", "div", "strong", "b", "span") and _says(first, label):
        return first
    # The label in bold with a colon at the start of a paragraph (`**Note:** …`).
    bold = first[0] if first.tag == "p" and len(first) and not (first.text or "").strip() else None
    if bold is None or bold.tag not in ("strong", "b") or not _says(bold, label):
        return None
    tail = (bold.tail or "").lstrip()
    if tail.startswith(":"):
        bold.tail = tail[1:]
        return bold
    return bold if bold.text_content().rstrip().endswith(":") else None


def _says(element: HtmlElement, label: str) -> bool:
    return collapse(element.text_content()).lower().rstrip(":") == label.lower()
