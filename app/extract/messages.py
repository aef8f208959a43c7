"""Read messages: web pages saved as one message (MHTML), single emails, and mailboxes.

The text of an email begins with its sender, recipients, date and attachments. An email in a mailbox is a section with the anchor
`message=N`, an attachment one with the anchor `attachment=N`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import Compat32
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from app import caps
from app.errors import EmptyPageError, UnsupportedContentError, WebRAGError
from app.extract.addresses import is_web_address
from app.extract.characters import collapse, storable
from app.extract.html import extract_html
from app.extract.members import Member, with_members
from app.extract.page import Page, Section
from app.extract.plain import extract_plain
from app.text.media_types import ARCHIVE, EMAIL, MAILBOX, MHTML, kind_of
from app.text.sentence import joined, sentence

log = logging.getLogger(__name__)

MAX_MESSAGES: Final = 5_000  # The limit for one mailbox.
MAX_ATTACHMENTS_NAMED: Final = 20  # The limit for one message, also for reading them.
_ATTACHMENT_LEVEL: Final = 2
_MESSAGE_START: Final = re.compile(rb"(?:\A|\n\r?\n)(From [^\n]*+\n)")
_QUOTED_START: Final = re.compile(rb"^>(>*+From )", re.MULTILINE)
_SHOWN_HEADERS: Final = ("From", "To", "Cc", "Date")
_MAX_SHOWN_CHARS: Final = 1_000
_MAX_HEADER_CHARS: Final = 8_000
_NUMBERED: Final = re.compile(r"\*\d++(?=\*?\s*+=)")
_WITH_PARAMETERS: Final = ("content-type", "content-disposition")


class _TameHeaders(Compat32):
    """Cuts headers that are longer than any real one: parsing time grows with the square of the length.

    Python fails to sort the parts of a parameter if only some are numbered.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        value = value[:_MAX_HEADER_CHARS]
        return name, _NUMBERED.sub("", value) if name.lower() in _WITH_PARAMETERS else value


def extract_archive(body: bytes, *, url: str) -> Page:
    """Return the page of a message: the main part of a saved web page, or the text of an email with its usual headers.

    Raises the errors of the part's reader, and EmptyPageError if there is none.
    """
    try:
        return _page(message_from_bytes(body, policy=_TameHeaders()), url)
    except RecursionError as error:
        # Python reads the parts of a message recursively.
        hint = "Save it as .eml in your mail program and add that file."
        raise UnsupportedContentError(sentence("{} is damaged.", url), url=url, hint=hint) from error


def extract_mailbox(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a mailbox, with a section for each message. Raises EmptyPageError."""
    parts: list[str] = []
    sections: list[Section] = []
    page = Page(url, "", "")
    length = left_out = 0
    starts = [match.span(1) for match in _MESSAGE_START.finditer(body)]
    ends = [*(start for start, _ in starts[1:]), len(body)]
    for number, ((_, begin), end) in enumerate(zip(starts, ends, strict=False), 1):
        if number > MAX_MESSAGES or length > caps.MAX_PAGE_CHARS:
            left_out += 1
            continue
        try:
            mail = extract_archive(_QUOTED_START.sub(rb"\1", body[begin:end]), url=url)
        except WebRAGError:
            left_out += 1
            continue
        heading = f"## {mail.title}"
        text = f"{heading}\n\n{mail.text}"
        start = length + len(heading) + 2
        sections.append(Section(2, mail.title, f"message={number}", length, length + len(text)))
        links = (replace(link, start=link.start + start, end=link.end + start) for link in mail.links)
        page = replace(page, links=(*page.links, *links)[: caps.MAX_LINKS_PER_PAGE])
        parts.append(text)
        length += len(text) + 2
    if not parts:
        raise EmptyPageError(sentence("{} has no readable text.", url), url=url)
    note = [sentence("Skipped messages: {}.", f"{left_out:,}")] if left_out else []
    title = url.rpartition("/")[2]
    return replace(page, title=title, text="\n\n".join(parts), sections=tuple(sections), note=joined(note))


def _page(message: Message, url: str) -> Page:
    # The part that `start` names, otherwise the first web page, otherwise the first text.
    parts = [part for part in message.walk() if not part.is_multipart()]
    first = str(message.get_param("start") or "").strip()
    pages = [part for part in parts if part.get_content_type() in ("text/html", "application/xhtml+xml")]
    named = [part for part in pages if first and part.get("Content-ID", "").strip() == first]
    texts = [part for part in parts if part.get_content_type() == "text/plain" and not part.get_filename()]
    part = next(iter([*named, *pages, *texts]), None)
    content = part.get_payload(decode=True) if part is not None else None
    data = content if isinstance(content, bytes) else b""
    if part is None or not data.strip():
        hint = "Save the page again as a single file, then add that file."
        raise EmptyPageError(sentence("{} does not contain a web page.", url), url=url, hint=hint)
    charset = part.get_content_charset()
    base = _location(part) or _location(message)
    subject = _header(message, "Subject")[: caps.MAX_TITLE_CHARS].rstrip()
    if part.get_content_type() == "text/plain":
        page = extract_plain(data, url=url, charset=charset)
        page = replace(page, title=subject or page.title)
    else:
        page = extract_html(data, url=url, charset=charset, base_url=base, title=subject)
    is_mail = base is None and message.get("From") and (message.get("Date") or message.get("To"))
    return _with_headers(page, message) if is_mail else page


def _with_headers(page: Page, message: Message) -> Page:
    """Return the page of an email with its sender, recipients, date and the names of its attachments."""
    said = {name: _header(message, name) for name in _SHOWN_HEADERS}
    names = [
        collapse(part.get_filename() or "") for part in message.walk() if part.get_content_disposition() == "attachment"
    ]
    said["Attachments"] = ", ".join(filter(None, names[:MAX_ATTACHMENTS_NAMED]))
    lines = [f"- {name}: {storable(value)}" for name, value in said.items() if value]
    head = "\n".join(lines) + "\n\n"
    by = len(head)
    try:
        published = parsedate_to_datetime(said["Date"]).date().isoformat()
    except (TypeError, ValueError, OverflowError):
        published = page.published or ""
    page = replace(
        page,
        text=head + page.text,
        sections=tuple(replace(each, start=each.start + by, end=each.end + by) for each in page.sections),
        links=tuple(replace(each, start=each.start + by, end=each.end + by) for each in page.links),
        images=tuple(replace(each, position=each.position + by) for each in page.images),
        published=published or None,
    )
    return with_members(page, _attachments(message, page.url), level=_ATTACHMENT_LEVEL)[0]


def _attachments(message: Message, url: str) -> Iterator[Member]:
    """Yield the attachments that WebRAG can read. Messages and archives in messages are skipped."""
    from app.extract import extract

    parts = (part for part in message.walk() if part.get_content_disposition() == "attachment")
    for number, part in enumerate(islice(parts, MAX_ATTACHMENTS_NAMED), 1):
        name = collapse(part.get_filename() or "")
        kind, data = kind_of(PurePosixPath(name)), part.get_payload(decode=True)
        if kind is None or kind in (EMAIL, MAILBOX, MHTML, ARCHIVE) or not isinstance(data, bytes):
            continue
        try:
            page = extract(data, url=f"{url}!/{quote(name)}", content_type=kind.types[0], charset=None)
        except WebRAGError as error:
            log.info("cannot read an attachment: %s", error)
            continue
        yield Member(f"Attachment: {name}", f"attachment={number}", page)


def _location(part: Message) -> str | None:
    """Return the web address in the headers of a message or a part."""
    for name in ("Content-Location", "Snapshot-Content-Location"):
        address = "".join(str(part.get(name, "")).split())
        if is_web_address(address) and len(address) <= caps.MAX_URL_CHARS:
            return address
    return None


def _header(message: Message, name: str) -> str:
    """Return a header in readable form; empty if it is missing or damaged."""
    try:
        value = str(make_header(decode_header(str(message.get(name, "")))))
    except (MessageError, LookupError, ValueError):
        return ""
    return collapse(value)[:_MAX_SHOWN_CHARS]
