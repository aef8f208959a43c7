"""Whether an expected span is in a result: alphanumeric words in order and adjacent, whatever the marks around them."""

from __future__ import annotations

import re
import unicodedata

_LINK = re.compile(r"(!?\[[^\[\]]*\])\([^()\s]*\)")
_BLOCK = re.compile(r"^Source \[\d+\]", re.MULTILINE)
_AFTER = re.compile(r"^\[(?:IMAGES|EXPANSION TRACE|CITATIONS|STATS)\]\s*$", re.MULTILINE)
_NONE = re.compile(r"no relevant content|not found|\(none\)", re.IGNORECASE)


def spoken(text: str) -> str:
    """The words of a text, lower case, between single spaces."""
    plain = _LINK.sub(r"\1", unicodedata.normalize("NFKC", text).replace("\\_", "_"))
    words = re.findall(r"[^\W_]+", plain.lower())
    return f" {' '.join(words)} "


def holds(text: str, span: str) -> bool:
    """Whether the span's words stand in the text."""
    return spoken(span) in spoken(text)


def evidence_blocks(result: str) -> list[str]:
    """The evidence blocks of a result, best first."""
    start = result.find("[EVIDENCE]")
    body = result[start + len("[EVIDENCE]") :] if start >= 0 else result
    end = _AFTER.search(body)
    body = body[: end.start()] if end else body
    starts = [match.start() for match in _BLOCK.finditer(body)]
    return [body[a:b] for a, b in zip(starts, [*starts[1:], len(body)], strict=True)]


def says_nothing_found(result: str) -> bool:
    """Whether the result tells before any evidence that there is none."""
    first = _BLOCK.search(result)
    return bool(_NONE.search(result[: first.start()] if first else result))
