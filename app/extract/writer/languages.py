"""The language of code, from what generators write beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import word_set

_PREFIXED: Final = re.compile(
    r"(?:^|\s)(?:(?:highlight-source|highlight-text|highlight|language|lang|src|prism)[-:]|brush:\s*)([\w+#.-]+)",
    re.IGNORECASE,
)
_NO_LANGUAGE: Final = word_set(
    """
    default none text txt plain plaintext plain-text notranslate nohighlight no-highlight highlight
    source block wrapper container auto code sourcecode toolbar copy line lines line-numbers numbered
    unknown undefined nocode
    """
)
_BEFORE_A_NAME: Final = frozenset({"sourcecode", "hljs", "prettyprint"})
_BARE_NAMES: Final = word_set(
    """
    bash c clojure cpp csharp css dart diff docker elixir erlang go graphql groovy haskell html ini java javascript
    json julia kotlin lua mermaid ocaml perl php powershell python ruby rust scala shell sql swift toml typescript
    xml yaml
    """
)
"""Names that stand as a class of their own on code; other words of that kind name looks."""
_MAX_NAME_CHARS: Final = 20
_ANCESTORS: Final = 3
_TABLE_PARTS: Final = frozenset({"table", "tbody", "tr", "td"})


def language(element: HtmlElement) -> str:
    """The language that a class of the element, its `code` or one of three ancestors names; empty if none."""
    inner = element.find(".//code")
    own = [element] if inner is None else [element, inner]
    for node in [*own, *_ancestors(element)]:
        named = node.get("data-lang") or node.get("data-language")
        if named and _is_language(named.strip()):
            return str(named).strip().lower()
        found = _from_classes(node.get("class") or "")
        if found:
            return found
    return next((name for node in own for name in (node.get("class") or "").lower().split() if name in _BARE_NAMES), "")


def _from_classes(classes: str) -> str:
    for match in _PREFIXED.finditer(classes):
        name = str(match.group(1))
        if _is_language(name):
            return name.lower()
    tokens = classes.split()
    if len(tokens) > 1 and tokens[0].lower() in _BEFORE_A_NAME:
        name = tokens[1].removeprefix("lang-")
        return name.lower() if _is_language(name) else ""
    return ""


def _is_language(name: str) -> bool:
    return 0 < len(name) <= _MAX_NAME_CHARS and name.lower() not in _NO_LANGUAGE and not name.isdigit()


def _ancestors(element: HtmlElement) -> Iterator[HtmlElement]:
    """The nearest wrappers; the parts of a table that holds line numbers beside the code do not count."""
    left = _ANCESTORS
    for node in element.iterancestors():
        if not left:
            return
        left -= node.tag not in _TABLE_PARTS
        yield node
