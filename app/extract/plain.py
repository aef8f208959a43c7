"""Read plain text: lines as they are, addresses as links."""

from __future__ import annotations

import re
from typing import Final

from app import caps
from app.errors import EmptyPageError, UnsupportedContentError
from app.extract.addresses import file_name, has_host
from app.extract.characters import collapse, decode, verbatim, wide_encoding
from app.extract.page import Link, Page
from app.extract.writer.document import cut_at_line
from app.text.sentence import sentence

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+")
_TRAILING: Final = ".,;:!?)*_"
_BLANK_RUN: Final = re.compile(r"\n{4,}")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_UNDERLINED: Final = re.compile(
    r"^[ \t]*(\w[^\n|]{2,150})\n[ \t]*(={3,}|-{3,}|~{3,}|\*{3,}|#{3,})[ \t]*$", re.MULTILINE
)
_TITLE_CHARS: Final = 1_000
_MAX_CONTROL_SHARE: Final = 0.01


def read_text(body: bytes, *, url: str, charset: str | None) -> str:
    """Return the text of a file in a text format. Raises UnsupportedContentError for binary data."""
    if looks_binary(body):
        raise UnsupportedContentError(sentence("{} is not text.", url), url=url)
    return decode(body, charset, is_markup=False)


def extract_plain(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a plain text body. Raises UnsupportedContentError for binary data, EmptyPageError for an empty body."""
    raw = verbatim(read_text(body, url=url, charset=charset))
    text = _BLANK_RUN.sub("\n\n\n", "\n".join(line.rstrip() for line in raw.split("\n"))).strip("\n")
    if not text.strip():
        raise EmptyPageError(sentence("{} has no readable text.", url), url=url)
    note = ""
    if len(text) > caps.MAX_PAGE_CHARS:
        text = cut_at_line(text, caps.MAX_PAGE_CHARS)
        note = sentence("Only the first {} characters were kept.", f"{caps.MAX_PAGE_CHARS:,}")
    heading = _UNDERLINED.search(text, 0, _TITLE_CHARS)
    if heading is not None and len(heading.group(2)) >= len(heading.group(1).rstrip()) - 2:
        title = collapse(heading.group(1))
    else:
        title = file_name(url) or next(line.strip() for line in text.split("\n") if line.strip())
    links: list[Link] = []
    for match in _ADDRESS.finditer(text):
        address = match.group().rstrip(_TRAILING)
        end = match.start() + min(len(address), caps.MAX_ANCHOR_TEXT_CHARS)
        if len(address) <= caps.MAX_URL_CHARS and has_host(address):
            links.append(Link(address, text[match.start() : end], match.start(), end))
        if len(links) == caps.MAX_LINKS_PER_PAGE:
            break
    return Page(url=url, title=title[: caps.MAX_TITLE_CHARS], text=text, links=tuple(links), note=note)


def looks_binary(body: bytes) -> bool:
    """Whether the first bytes contain more control codes than text does. UTF-16 counts as text."""
    sample = body[:4096]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")) or wide_encoding(sample):
        return False
    return len(_CONTROLS.findall(sample.decode("latin-1"))) > _MAX_CONTROL_SHARE * max(len(sample), 100)
