"""Read messages: web pages saved as one message (MHTML), single emails, and mailboxes.

The text of an email begins with its sender, recipients, date and attachments. An email in a mailbox is a section with the anchor
`message=N`, an attachment or forwarded message one with the anchor `attachment=N`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import Compat32
from email.utils import parsedate_to_datetime
from functools import partial
from html import escape
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from app import caps
from app.errors import DamagedFileError, EmptyFileError, EmptyPageError
from app.extract.addresses import file_name, is_web_address
from app.extract.characters import collapse, decode, storable
from app.extract.html import extract_html
from app.extract.members import INNER_MARK, Member, read_member, with_members
from app.extract.page import Page, moved
from app.extract.plain import extract_plain
from app.text.media_types import ARCHIVE, EMAIL, HTML, MAILBOX, MHTML, NOT_TEXT_TYPES, READ_TYPES, kind_of
from app.text.sentence import joined, sentence

MAX_MESSAGES: Final = 5_000  # The limit for one mailbox.
MAX_ATTACHMENTS: Final = 50  # The limit for one message.
_MESSAGE_START: Final = re.compile(rb"(?:\A|\n\r?\n)(From [^\n]*+\n)(?=[!-9;-~]++:|\r?\n|\Z)")
_QUOTED_START: Final = re.compile(rb"^>(>*+From )", re.MULTILINE)
_SHOWN_HEADERS: Final = ("From", "To", "Cc", "Date")
_MAX_SHOWN_CHARS: Final = 1_000
_MAX_HEADER_CHARS: Final = 8_000
_ENCODED: Final = re.compile(r"=\?[^?\s]++\?[bBqQ]\?[^?]*+\?=(?:\s++=\?[^?\s]++\?[bBqQ]\?[^?]*+\?=)*+")
_NUMBERED: Final = re.compile(r"\*\d++(?=\*?\s*+=)")
_WITH_PARAMETERS: Final = ("content-type", "content-disposition")


class _TameHeaders(Compat32):
    """Cuts headers that are longer than any real one: parsing time grows with the square of the length.

    Python fails to sort the parts of a parameter if only some are numbered, and replaces bytes that are not ASCII.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        value = value[:_MAX_HEADER_CHARS]
        return name, _NUMBERED.sub("", value) if name.lower() in _WITH_PARAMETERS else value

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value if value.isascii() else decode(value.encode("utf-8", "surrogateescape"), None, is_markup=False)


def extract_archive(body: bytes, *, url: str) -> Page:
    """Return the page of a saved web page, or of an email with its usual headers. Raises the errors of its reader, EmptyPageError."""
    try:
        return _page(message_from_bytes(body, policy=_TameHeaders()), url)
    except RecursionError as error:
        # Python reads the parts of a message recursively.
        hint = "Save it as .eml in your mail program and add that file."
        raise DamagedFileError(sentence("{} is damaged.", url), url=url, hint=hint) from error


def extract_mailbox(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a mailbox, with a section for each message. Raises EmptyPageError."""
    starts = [match.span(1) for match in _MESSAGE_START.finditer(body)]
    ends = [*(start for start, _ in starts[1:]), len(body)]

    def messages() -> Iterator[Member | None]:
        for number, ((_, begin), end) in enumerate(zip(starts, ends, strict=False), 1):
            message = _QUOTED_START.sub(rb"\1", body[begin:end]) if number <= MAX_MESSAGES else b""
            page = read_member(message, url=url, content_type=EMAIL.types[0])
            yield Member(page.title, f"message={number}", page) if page is not None else None

    page, left_out = with_members(Page(url, file_name(url), ""), messages(), level=2)
    if not starts:
        return extract_plain(body, url=url, charset=charset)
    if not page.text:
        raise EmptyFileError(sentence("{} has no readable text.", url), url=url)
    skipped = sentence("Skipped messages: {}.", f"{left_out:,}") if left_out else ""
    return replace(page, note=joined([page.note, skipped]))


def _page(message: Message, url: str) -> Page:
    # The part that `start` names, otherwise the first web page, otherwise all texts. A message in the message is an attachment.
    parts = [part for part in _parts(message) if not part.is_multipart()]
    if not any(map(_is_text, parts)):
        parts = [part for part in message.walk() if not part.is_multipart()]
    first = str(message.get_param("start") or "").strip()
    pages = [part for part in parts if _is_page(part)]
    named = [part for part in pages if first and part.get("Content-ID", "").strip() == first]
    texts = [part for part in parts if _is_text(part) and not _is_page(part) and not part.get_filename()]
    base = next(filter(None, map(_location, [*named, *pages[:1], message])), None)
    is_sent = message.get("Date") or message.get("To") or message.get_content_type() == "multipart/mixed"
    is_mail = base is None and message.get("From") and is_sent
    subject = _header(message, "Subject")[: caps.MAX_TITLE_CHARS].rstrip()
    for shown in (named[:1], _shown(message) if is_mail else [], pages[:1], texts):
        with suppress(EmptyPageError):
            page = _read(shown, url, base, subject)
            return _with_headers(page, message) if is_mail else page
    if is_mail:
        return _with_headers(Page(url, subject or file_name(url), ""), message)
    hint = "Save the page again as a single file, then add that file."
    raise EmptyPageError(sentence("{} does not contain a web page.", url), url=url, hint=hint)


def _read(parts: list[Message], url: str, base: str | None, subject: str) -> Page:
    """Return the page of texts and web pages one after the other. Raises EmptyPageError."""
    said = [(part, content) for part in parts if isinstance(content := part.get_payload(decode=True), bytes)]
    if len(said) == 1 and _is_page(said[0][0]):
        part, data = said[0]
        return extract_html(data, url=url, charset=part.get_content_charset(), base_url=base, title=subject)
    has_page = any(_is_page(part) for part, _ in said)
    decoded = []
    for part, data in said:
        text = decode(data, part.get_content_charset(), is_markup=_is_page(part))
        is_whole = _is_page(part) or not has_page
        decoded.append(text if is_whole else f"<p>{escape(text).replace(chr(10), '<br>')}</p>")
    data = "\n\n".join(decoded).encode(errors="replace")
    if has_page:
        return extract_html(data, url=url, charset="utf-8", base_url=base, title=subject)
    page = extract_plain(data, url=url, charset="utf-8")
    return replace(page, title=subject or page.title)


def _shown(message: Message) -> list[Message]:
    """Return the texts of an email in order; of alternatives, those with a web page if there are any."""
    found: list[Message] = []
    waiting = [message]
    while waiting:
        part = waiting.pop()
        inner = part.get_payload()
        if not isinstance(inner, list):
            found += [part] if _is_text(part) and (part is message or not _is_attachment(part)) else []
        elif part is message or part.get_content_type() != EMAIL.types[0]:
            below = [each for each in inner if isinstance(each, Message)]
            if part.get_content_type() == "multipart/alternative":
                below = [each for each in below if any(map(_is_page, _parts(each)))] or below
            waiting += reversed(below)
    return found


def _is_page(part: Message) -> bool:
    return part.get_content_type() in HTML.types


def _is_text(part: Message) -> bool:
    """Whether a part is text. A message whose parts have damaged borders is one text."""
    kind = part.get_content_type()
    return (kind.startswith("text/") and kind not in NOT_TEXT_TYPES) or kind.startswith("multipart/")


def _with_headers(page: Page, message: Message) -> Page:
    """Return the page of an email with its sender, recipients, date and the names of its attachments."""
    said = {name: _header(message, name) for name in _SHOWN_HEADERS}
    parts = [part for part in _parts(message) if part is not message and _is_attachment(part)]
    said["Attachments"] = ", ".join(filter(None, map(_name_of, parts[:MAX_ATTACHMENTS])))
    lines = [f"- {name}: {storable(value)}" for name, value in said.items() if value]
    is_empty = not page.text
    head = "\n".join(lines) + ("" if is_empty else "\n\n")
    try:
        published = parsedate_to_datetime(said["Date"]).date().isoformat()
    except (TypeError, ValueError, OverflowError):
        published = page.published or ""
    page = replace(moved(page, len(head)), text=head + page.text, published=published or None)
    page, left_out = with_members(page, _attachments(parts, page.url), level=2)
    if is_empty and len(page.text) == len(head):
        raise EmptyFileError(sentence("{} has no readable text.", page.url), url=page.url)
    said_more = sentence("Skipped damaged, empty or too large attachments: {}.", f"{left_out:,}") if left_out else ""
    return replace(page, note=joined([page.note, said_more]))


def _is_attachment(part: Message) -> bool:
    """Whether a part is an attachment, a message in the message, or a named part in a format that WebRAG reads."""
    is_message = part.get_content_type() == EMAIL.types[0]
    is_named = not part.is_multipart() and kind_of(PurePosixPath(_file_name(part))) is not None
    return is_message or is_named or part.get_content_disposition() == "attachment"


def _name_of(part: Message) -> str:
    """Return the file name of a part or, of a message in the message, its subject."""
    inner = part.get_payload(0) if part.is_multipart() else None
    return collapse(_file_name(part)) or (_header(inner, "Subject") if isinstance(inner, Message) else "")


def _parts(message: Message) -> Iterator[Message]:
    """Yield the message and its parts in order, but not the parts of messages in the message."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        yield part
        inner = part.get_payload()
        if isinstance(inner, list) and (part is message or part.get_content_type() != EMAIL.types[0]):
            waiting += [each for each in reversed(inner) if isinstance(each, Message)]


def _attachments(parts: list[Message], url: str) -> Iterator[Member | None]:
    """Yield the attachments in known formats. Messages and archives in files inside other files are skipped."""
    for number, part in enumerate(parts, 1):
        name, kind = _name_of(part), kind_of(PurePosixPath(_file_name(part)))
        inner = part.get_payload(0) if part.is_multipart() else None
        content_type = EMAIL.types[0] if inner is not None else kind.types[0] if kind else part.get_content_type()
        if content_type not in READ_TYPES and not content_type.startswith("text/"):
            continue
        is_container = inner is not None or kind in (EMAIL, MAILBOX, MHTML, ARCHIVE)
        page = None
        if number <= MAX_ATTACHMENTS and not (is_container and INNER_MARK in url):
            read = inner.as_bytes if isinstance(inner, Message) else partial(part.get_payload, decode=True)
            page = read_member(read, url=f"{url}{INNER_MARK}{quote(name)}", content_type=content_type)
        title = f"Attachment: {name or (page.title if page else '')}"
        yield Member(title, f"attachment={number}", page) if page is not None else None


def _location(part: Message) -> str | None:
    """Return the web address in the headers of a message or a part."""
    for name in ("Content-Location", "Snapshot-Content-Location"):
        address = "".join(str(part.get(name, "")).split())
        if is_web_address(address) and len(address) <= caps.MAX_URL_CHARS:
            return address
    return None


def _file_name(part: Message) -> str:
    """Return the file name of a part. Many mail programs encode it like a subject, against the standard."""
    name = part.get_filename() or ""
    return _decoded(name) or name


def _header(message: Message, name: str) -> str:
    """Return a header in readable form; empty if it is missing or damaged."""
    return collapse(_decoded(str(message.get(name, ""))))[:_MAX_SHOWN_CHARS]


def _decoded(value: str) -> str:
    """Return a header or a parameter without its encodings; empty if it is damaged."""
    try:
        if value.isascii():
            return str(make_header(decode_header(value)))
        # Python cannot decode words next to characters that are not ASCII.
        return _ENCODED.sub(lambda match: str(make_header(decode_header(match[0]))), value)
    except (MessageError, LookupError, ValueError):
        return ""
