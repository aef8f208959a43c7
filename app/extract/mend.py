"""Markup and trees brought into the shape that browsers make of them, where libxml2 loses parts of the text."""

from __future__ import annotations

import re
from typing import Final

from lxml.html import Element, HtmlElement, fragment_fromstring

_BODY_END: Final = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_NO_TEXT: Final = re.compile(
    r"(?>\s+|</(?:body|html)\s*>|<!--.*?(?:-->|\Z)|<script\b.*?(?:</script\s*>|\Z))*+", re.IGNORECASE | re.DOTALL
)
_TITLE_END: Final = re.compile(r"</title", re.IGNORECASE)
_OPEN_TITLE: Final = re.compile(r"<title\b[^>]*>[^<]*", re.IGNORECASE)
_OF_HEAD: Final = frozenset(
    {"title", "meta", "link", "base", "script", "style", "noscript", "template", "object", "basefont", "bgsound"}
)
_NOFRAMES_WORDS: Final = 100
"""Shorter texts for browsers without frames only say that there are frames."""
_OF_DOCUMENT: Final = frozenset({"head", "body", "frameset"})


def mend_markup(markup: str) -> str:
    """The markup without an end of the body that text follows, and with every title closed."""
    end = _BODY_END.search(markup)
    if end is not None and not _NO_TEXT.fullmatch(markup, end.start()):
        markup = _BODY_END.sub("", markup)
    if not _TITLE_END.search(markup):
        markup = _OPEN_TITLE.sub(r"\g<0></title>", markup, count=1)
    return markup


def mend_tree(tree: HtmlElement) -> None:
    """Give the tree one body that holds all that is not head; elements younger than HTML 4 get stuck in the head."""
    if tree.tag != "html":
        return
    _open_noframes(tree)
    head = tree.find("head")
    strays = _behind_head(head) if head is not None else []
    strays += [child for child in tree if child.tag not in _OF_DOCUMENT]
    if not strays:
        return
    body = tree.find("body")
    if body is None:
        body = Element("body")
        tree.append(body)
    for stray in reversed(strays):
        body.insert(0, stray)
    body.text, strays[-1].tail = None, (strays[-1].tail or "") + (body.text or "") or None


def _behind_head(head: HtmlElement) -> list[HtmlElement]:
    """The children of the head from the first one on that does not belong there."""
    children = list(head)
    first = next((place for place, child in enumerate(children) if child.tag not in _OF_HEAD), len(children))
    return children[first:]


def _open_noframes(tree: HtmlElement) -> None:
    """Make the text for browsers without frames the content of a frameset when it is more than a remark."""
    frameset = tree.find("frameset")
    if frameset is None:
        return
    for fallback in list(frameset.iter("noframes")):
        fallback.drop_tree()
        content = fragment_fromstring(fallback.text_content(), create_parent="body")
        if len(str(content.text_content()).split()) >= _NOFRAMES_WORDS:
            tree.append(content)
