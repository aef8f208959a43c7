"""An HTML document as a Page: decode, parse, clean, select the content, write it as Markdown."""

from __future__ import annotations

from app.errors import ContentProtectedError, EmptyPageError
from app.extract import walls
from app.extract.addresses import Resolver
from app.extract.assemble import assemble
from app.extract.clean import remove_boilerplate, remove_unseen
from app.extract.decode import decode, parse
from app.extract.metadata import read_metadata
from app.extract.page import Page
from app.extract.select import content_roots
from app.extract.tabs import expand_tabs, may_have_tabs
from app.extract.writer.document import write


def extract_html(body: bytes, *, url: str, charset: str | None) -> Page:
    """Page of an HTML or XHTML body. Raises EmptyPageError and ContentProtectedError."""
    markup = decode(body, charset)
    try:
        tree = parse(markup)
    except ValueError:
        raise EmptyPageError(f"{url} has no content.", url=url) from None
    metadata = read_metadata(tree, url)
    signs = walls.read_signs(tree)
    remove_unseen(tree)
    content = tree.find("body")
    seen = (content if content is not None else tree).text_content()
    if walls.is_sign_in_wall(signs, seen):
        raise ContentProtectedError(f"{url} asks for a sign-in before it shows its content.", url=url)
    is_skeleton = walls.is_skeleton(signs, seen)
    if may_have_tabs(markup):
        expand_tabs(tree)
    remove_boilerplate(tree)
    written = write(content_roots(tree, markup, metadata), Resolver(url, metadata.base_href))
    if not written.length:
        raise EmptyPageError(_why_empty(url, is_skeleton, signs.forward), url=url)
    notes = [walls.SKELETON_NOTE] if is_skeleton else []
    if walls.is_soft_not_found(signs, written.getvalue()):
        notes.append(walls.NOT_FOUND_NOTE)
    return assemble(written, url=url, metadata=metadata, notes=tuple(notes))


def _why_empty(url: str, is_skeleton: bool, forward: str) -> str:
    if forward:
        return f"{url} holds no text; it only forwards to {forward}."
    if is_skeleton:
        return f"{url} holds no text: the page is built with JavaScript in the browser."
    return f"{url} holds no readable text."
