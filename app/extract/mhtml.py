"""Web pages in MIME messages: MHTML archives as browsers save them, and mails."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message

from app import caps
from app.errors import EmptyPageError
from app.extract.addresses import is_web_address
from app.extract.characters import collapse
from app.extract.html import extract_html
from app.extract.page import Page
from app.extract.plain import extract_plain


def extract_archive(body: bytes, *, url: str) -> Page:
    """Page of the main part of a message; its links are resolved against the address it was saved from.

    Raises what the reader of the part raises, and EmptyPageError when there is none.
    """
    message = message_from_bytes(body)
    part = _main_part(message)
    content = part.get_payload(decode=True) if part is not None else None
    data = content if isinstance(content, bytes) else b""
    if part is None or not data.strip():
        hint = "Save the page again as a single file and add that."
        raise EmptyPageError(f"{url} holds no web page.", url=url, hint=hint)
    charset = part.get_content_charset()
    if part.get_content_type() == "text/plain":
        page = extract_plain(data, url=url, charset=charset)
        return replace(page, title=_subject(message) or page.title)
    base = _location(part) or _location(message)
    return extract_html(data, url=url, charset=charset, base_url=base, title=_subject(message))


def _main_part(message: Message) -> Message | None:
    """The part that `start` names, else the first web page, else the first text."""
    parts = [part for part in message.walk() if not part.is_multipart()]
    start = message.get_param("start")
    pages = [part for part in parts if part.get_content_type() in ("text/html", "application/xhtml+xml")]
    named = [part for part in pages if start and part.get("Content-ID", "").strip() == str(start).strip()]
    texts = [part for part in parts if part.get_content_type() == "text/plain" and not part.get_filename()]
    return next(iter([*named, *pages, *texts]), None)


def _location(part: Message) -> str | None:
    """The web address in the headers of a message or a part."""
    for name in ("Content-Location", "Snapshot-Content-Location"):
        address = "".join(str(part.get(name, "")).split())
        if is_web_address(address) and len(address) <= caps.MAX_URL_CHARS:
            return address
    return None


def _subject(message: Message) -> str:
    try:
        subject = str(make_header(decode_header(str(message.get("Subject", "")))))
    except (LookupError, UnicodeError, ValueError):
        return ""
    return collapse(subject)[: caps.MAX_TITLE_CHARS].rstrip()
