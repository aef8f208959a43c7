"""Find the labels of images and icons used as words, and whether a label is part of the text.

Icons become `img` elements with the label as `alt` before anything is removed from a tree. The writer asks `is_said` for each image.
"""

from __future__ import annotations

import re
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.hidden import Hiding, has_hidden_class
from app.extract.tree import strings
from app.text.wordings import wording

MAX_LABEL_CHARS: Final = 100  # A longer label describes an image and is not a word of the text.
_MAX_EMOJI_CHARS: Final = 32
_MAX_ICON_SIDE: Final = 64
_MAX_STEPS: Final = 8  # The number of elements around an image to search for text of the same line.
_WEAK: Final = "data-weak"  # Marks labels that count only in a cell without other text.
_SAID: Final = "data-said"
_CELLS: Final = ("td", "th")
_NAMED: Final = ("i", "b", "em", "svg")  # Elements without text that contain a drawing.
_NO_ICONS: Final = word_set("img input button select textarea iframe object video audio canvas html")
_SEEN: Final = strings(".//text()[not(ancestor::*[@aria-hidden='true'])]")
_SHAPE: Final = r"(?:-(?:circle|square|o|lg|bold|fill|solid))*(?=$|\s)"
_STATES: Final = {"true": "[x]", "false": "[ ]"}
_YES: Final = re.compile(rf"(?:^|[\s#_-])(?:check|checkmark|tick|ok|yes){_SHAPE}")
_NO: Final = re.compile(rf"(?:^|[\s#_-])(?:times|xmark|cross|close|remove|no){_SHAPE}|-x{_SHAPE}")
_NO_LABEL: Final = wording("pages.toml", "images", "no_label")
"""File names, generic names of images, and names of control actions."""
_INLINE: Final = word_set(
    "a abbr b bdi bdo cite code del em font i img ins kbd label mark q s small span strong sub sup tt u var"
)


def name_icons(tree: HtmlElement, hiding: Hiding) -> None:
    """Turn labeled icons into images; call it before hidden elements and drawings are removed."""
    labelled = [icon for icon in hiding.labelled if icon.tag not in _NO_ICONS]
    for icon in dict.fromkeys([*labelled, *tree.iter("svg")]):
        cell = _cell_of(icon)
        if cell is None and icon.tag not in _NAMED and icon.get("role") != "img":
            continue
        is_inner = next(icon.iterancestors("svg", "button"), None) is not None
        if not is_inner and (icon.tag == "svg" or not collapse("".join(_SEEN(icon)))):
            _name(icon, cell)
    if next(tree.iter("td"), None) is None:
        return
    for text in hiding.suspects:
        if has_hidden_class(text.get("class") or "") and _cell_of(text) is not None:
            # Text for screen readers is the label of an image, which counts only in a cell without other text.
            label, is_shown = collapse(text.text_content()), "none" not in (text.get("style") or "")
            if label and is_shown and text.get("hidden") is None and text.getparent() is not None:
                text.addnext(text.makeelement("img", {"alt": label, _WEAK: ""}))
                text.drop_tree()
    for icon in list(tree.iter("i", "span", "div")):
        if not len(icon) and not icon.text and (icon.get("class") or icon.get("aria-checked")):
            sign = _drawn_sign(icon)
            if sign and _cell_of(icon) is not None:
                _make_image(icon, sign, is_weak=True)


def _cell_of(icon: HtmlElement) -> HtmlElement | None:
    return icon if icon.tag in _CELLS else next(icon.iterancestors(*_CELLS), None)


def _name(icon: HtmlElement, cell: HtmlElement | None) -> None:
    """Replace an icon without text by its label; in a cell only if it has nothing better."""
    title = icon.findtext("title") if icon.tag == "svg" else icon.get("title")
    label = collapse(icon.get("aria-label") or title or "")
    if icon.tag == "svg" and not label and cell is not None:
        label = _drawn_sign(icon)
    if not label or (icon.get("href") or "").startswith("#"):
        return
    if cell is not None and icon is cell:
        cell.append(cell.makeelement("img", {"alt": label, _WEAK: ""}))
    elif icon.get("role") == "img" or icon.find(".//img") is None:
        _make_image(icon, label, is_weak=icon.tag == "a")


def _drawn_sign(icon: HtmlElement) -> str:
    """Return the sign of an icon, named by its state, its classes or its drawing."""
    if state := _STATES.get(icon.get("aria-checked") or ""):
        return state
    drawing = icon.find(".//use")
    used = (drawing.get("href") or drawing.get("xlink:href") or "") if drawing is not None else ""
    names = f"{icon.get('class') or ''} {used}".lower()
    return "✓" if _YES.search(names) else "✗" if _NO.search(names) else ""


def _make_image(icon: HtmlElement, label: str, *, is_weak: bool) -> None:
    """Keep style and classes, by which a page may hide the image."""
    icon.tag, icon.text = "img", None
    icon[:] = []
    icon.attrib.pop("aria-hidden", None)
    icon.set("alt", label)
    if is_weak:
        icon.set(_WEAK, "")


def label_of(image: HtmlElement) -> str:
    """Return the words that an image stands for; empty if it is decoration or not a sign."""
    alt = image.get("alt")
    label = collapse((image.get("aria-label") or image.get("title") or "") if alt is None else alt)
    return "" if len(label) > MAX_LABEL_CHARS or _NO_LABEL.search(label) else label


def choose_in_cell(cell: HtmlElement) -> None:
    """Mark the images of a cell whose labels are not in its text."""
    shown = said = _words(cell.text_content())
    for image in cell.iter("img"):
        label = _words(label_of(image))
        is_weak = image.get(_WEAK) is not None and said.strip()
        is_repeated = label in shown or (shown.strip() and shown in label)
        if label.strip() and not is_repeated and not is_weak:
            image.set(_SAID, "")
            said += label


def _words(text: str) -> str:
    return f" {collapse(text).casefold()} "


def is_said(image: HtmlElement, *, in_cell: bool) -> bool:
    """Whether the label of an image is part of the text: in a cell if it was chosen, otherwise emoji and icons within a sentence."""
    if in_cell:
        return image.get(_SAID) is not None
    label = label_of(image)
    if not label or image.get(_WEAK) is not None:
        return False
    is_emoji = not any(map(str.isalnum, label)) and any(sign >= "\u2100" for sign in label)
    if len(label) <= _MAX_EMOJI_CHARS and (is_emoji or "emoji" in (image.get("class") or "")):
        return True
    sides = (image.get("width") or "", image.get("height") or "")
    if any(side.isdecimal() and int(side[:6]) > _MAX_ICON_SIDE for side in sides):
        return False
    return _text_beside(image, back=True).rstrip().endswith(":") or is_in_sentence(image)


def is_in_sentence(element: HtmlElement) -> bool:
    """Whether a sentence begins before an element and continues after it."""
    before, after = _text_beside(element, back=True).rstrip(), _text_beside(element, back=False)
    return bool(before) and before[-1] not in ".!?…" and bool(after.strip())


def _text_beside(image: HtmlElement, *, back: bool) -> str:
    """Return the nearest text on one side in the same line."""
    node: HtmlElement | None = image
    for _ in range(_MAX_STEPS):
        if node is None:
            break
        beside = node.getprevious() if back else node.getnext()
        parent = node.getparent()
        text = node.tail if not back else beside.tail if beside is not None else parent.text
        if (text or "").strip():
            return str(text)
        if beside is None:
            node = parent if parent is not None and parent.tag in _INLINE else None
            continue
        if beside.tag not in _INLINE or collapse(beside.text_content()):
            return beside.text_content() if beside.tag in _INLINE else ""
        node = beside
    return ""
