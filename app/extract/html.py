"""An HTML document as a Page: decode, parse, clean, select the content, write it as Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from app.errors import ContentProtectedError, EmptyPageError
from app.extract import walls
from app.extract.addresses import Resolver, is_web_address
from app.extract.assemble import assemble
from app.extract.clean import remove_boilerplate, remove_unseen
from app.extract.decode import decode, parse
from app.extract.metadata import read_metadata
from app.extract.navigation import link_targets, navigation
from app.extract.page import Page
from app.extract.select import content_roots
from app.extract.tabs import expand_tabs, may_have_tabs
from app.extract.writer.document import write

_SAVED_FROM: Final = re.compile(
    r"<!--\s*saved from url=\(\d+\)(\S+)|\burl:\s*(https?://\S+)[^>]{0,400}?\bsaved date:", re.IGNORECASE
)
_HEAD_CHARS: Final = 2_000


def extract_html(body: bytes, *, url: str, charset: str | None, base_url: str | None = None, title: str = "") -> Page:
    """Page of an HTML or XHTML body. Raises EmptyPageError, SkeletonPageError and ContentProtectedError.

    `base_url` is the address that relative links refer to where it is not `url`; `title` is used where the page has none.
    """
    markup = decode(body, charset)
    try:
        tree = parse(markup)
    except ValueError:
        raise EmptyPageError(f"{url} has no content.", url=url) from None
    metadata = read_metadata(tree, url)
    if title and not metadata.title:
        metadata = replace(metadata, title=title)
    resolve = Resolver(base_url or _saved_from(markup, url) or url, metadata.base_href)
    signs = walls.read_signs(tree)
    targets = link_targets(tree)
    remove_unseen(tree)
    content = tree.find("body")
    seen = (content if content is not None else tree).text_content()
    if walls.is_sign_in_wall(signs, seen):
        raise ContentProtectedError(f"{url} asks for a sign-in before it shows its content.", url=url)
    is_skeleton = walls.is_skeleton(signs, seen)
    if may_have_tabs(markup):
        expand_tabs(tree)
    remove_boilerplate(tree)
    written = write(content_roots(tree, markup, metadata), resolve)
    if not written.length:
        raise walls.no_text_error(url, signs, resolve, skeleton=is_skeleton, markdown_url=metadata.markdown_url)
    notes = [walls.SKELETON_NOTE] if is_skeleton else []
    if walls.is_soft_not_found(signs, written.getvalue()):
        notes.append(walls.NOT_FOUND_NOTE)
    page = assemble(written, url=url, metadata=metadata, notes=tuple(notes))
    return replace(page, navigation=navigation(targets, resolve, page.links, url))


def _saved_from(markup: str, url: str) -> str | None:
    """Where a browser saved a local file from, as it notes in a comment."""
    if is_web_address(url):
        return None
    match = _SAVED_FROM.search(markup, 0, _HEAD_CHARS)
    address = (match.group(1) or match.group(2)) if match else ""
    return address if is_web_address(address) else None
