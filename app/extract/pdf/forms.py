"""Leave out forms of a PDF file that draw themselves, or each other, so often that PDFium would be busy for minutes."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import chain, islice, pairwise
from typing import Final

_MAX_DRAWN: Final = 300_000  # The forms that one form may draw through others; PDFium takes two seconds for as many.
_LEVELS: Final = 40  # PDFium draws no forms that are deeper in each other.
_MAX_OBJECTS: Final = 500_000
_MAX_CONTENT_BYTES: Final = 1_048_576
_MAX_ALL_BYTES: Final = 256 * 1_048_576  # Forms after these are left out: they can be small compressed.
_OBJECT: Final = re.compile(rb"\b(\d{1,8})\s+\d{1,5}\s+obj\b")
_END: Final = re.compile(rb"stream\r?\n|endobj")
_FORM: Final = re.compile(rb"/Subtype\s*/(Form)\b")
_RESOURCES: Final = re.compile(rb"/Resources\s+(\d{1,8})\s+\d{1,5}\s+R")
_LIST: Final = re.compile(rb"/XObject\s*(?:<<([^<>]*+)>>|(\d{1,8})\s+\d{1,5}\s+R)")
_NAME: Final = re.compile(rb"/([^\s/<>\[\]()]++)\s+(\d{1,8})\s+\d{1,5}\s+R")
_DRAWN: Final = re.compile(rb"/([^\s/<>\[\]()]++)\s+Do\b")


def without_endless_forms(body: bytes) -> bytes:
    """Return the file with another type, of the same length, for such forms: the rest of their pages stays readable."""
    if not _FORM.search(body):
        return body
    places: dict[int, tuple[int, int, int]] = {}
    for found, after in pairwise(chain(islice(_OBJECT.finditer(body), _MAX_OBJECTS), (None,))):
        if found and (end := _END.search(body, found.end(), after.start() if after else len(body))):
            places[int(found[1])] = (found.end(), end.start(), end.end())
    texts = {number: body[start:end] for number, (start, end, _) in places.items()}
    forms = {number: form for number, text in texts.items() if (form := _FORM.search(text))}

    @cache  # Many forms share a list.
    def names(place: int, *, is_list: bool) -> dict[bytes, int]:
        text = texts.get(place, b"")
        if not is_list:
            if (found := _LIST.search(text)) is None:
                return {}
            if found[2]:
                return names(int(found[2]), is_list=True)
            text = found[1]
        return {name: int(target) for name, target in _NAME.findall(text) if int(target) in forms}

    drawn: dict[int, Counter[int]] = {}
    left = _MAX_ALL_BYTES
    for number in forms:
        resources = _RESOURCES.search(texts[number])
        named = names(int(resources[1]) if resources else number, is_list=False)
        content = _content(texts[number], body, places[number][2]) if named and left > 0 else b""
        left -= len(content)
        targets = Counter(named[name] for name in _DRAWN.findall(content) if name in named)
        if targets or (named and left <= 0):
            drawn[number] = targets if left > 0 else Counter({number: 2})  # Not read: as if endless.
    changed = bytearray(body)
    for number in (number for number, count in _counts(drawn).items() if count > _MAX_DRAWN):
        start = places[number][0] + forms[number].start(1)
        changed[start : start + 4] = b"None"
    return bytes(changed)


def _counts(drawn: Mapping[int, Counter[int]]) -> dict[int, int]:
    """Return how many forms each one draws, also through others; not exactly above the limit."""
    counts = dict.fromkeys(drawn, 1)
    for _ in range(_LEVELS):
        before = counts
        counts = {
            number: min(1 + sum(times * before.get(target, 1) for target, times in targets.items()), _MAX_DRAWN + 1)
            for number, targets in drawn.items()
        }
        if counts == before:
            break
    return counts


def _content(text: bytes, body: bytes, start: int) -> bytes:
    """Return the beginning of a form's instructions; empty if they are encrypted or in a rare encoding."""
    content = body[start : start + _MAX_CONTENT_BYTES]
    if b"/Filter" not in text:
        return content.partition(b"endstream")[0]
    with suppress(zlib.error):
        return zlib.decompressobj().decompress(content, _MAX_CONTENT_BYTES)
    return b""
