"""Text that a page declares in JSON-LD to be the description of its product, or a question with its answer."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Final

_SCRIPT: Final = re.compile(r"<script[^<>]{0,400}application/ld\+json[^<>]{0,400}>", re.IGNORECASE)
_END: Final = "</script"
_TAG: Final = re.compile(r"<[^<>]*>")
_TEXTS: Final = {
    "Product": ("description", "disambiguatingDescription"),
    "ProductGroup": ("description", "disambiguatingDescription"),
    "ProductModel": ("description", "disambiguatingDescription"),
    "PropertyValue": ("value",),
    "Question": ("name",),
    "Answer": ("text",),
}
_MAX_SCRIPT_CHARS: Final = 500_000
_MAX_NODES: Final = 20_000


def declared_texts(markup: str) -> list[str]:
    """The texts, without markup; none of a script that is no JSON."""
    return [text for script in _scripts(markup) for text in _texts(_parsed(script))]


def _scripts(markup: str) -> Iterator[str]:
    position = 0
    while (start := _SCRIPT.search(markup, position)) is not None:
        position = markup.find(_END, start.end())
        if position < 0:
            return
        yield markup[start.end() : position]


def _parsed(script: str) -> object:
    """The value of a script, whatever wraps it; None when it is broken."""
    if len(script) > _MAX_SCRIPT_CHARS:
        return None
    script = script.replace("<![CDATA[", "").replace("]]>", "")
    start = next((position for position, sign in enumerate(script) if sign in "{["), 0)
    end = max(script.rfind("}"), script.rfind("]"))
    try:
        value: object = json.loads(script[start : end + 1], strict=False)
    except (ValueError, RecursionError):
        return None
    return value


def _texts(value: object) -> Iterator[str]:
    pending = [value]
    for _ in range(_MAX_NODES):
        if not pending:
            return
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, dict):
            pending.extend(node.values())
            for name in _names(node.get("@type")):
                yield from (_plain(node[key]) for key in _TEXTS.get(name, ()) if isinstance(node.get(key), str))


def _names(kind: object) -> list[str]:
    return [name for name in (kind if isinstance(kind, list) else [kind]) if isinstance(name, str)]


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub(" ", html.unescape(text)))
