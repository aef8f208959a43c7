"""An HTML document as a Page: decode, parse, select the content, clean it, write it as Markdown."""

from __future__ import annotations

from typing import Final

from lxml.etree import XPath
from lxml.html import HtmlElement

from app.errors import ContentProtectedError, EmptyPageError
from app.extract import walls
from app.extract.addresses import Resolver
from app.extract.assemble import assemble
from app.extract.boilerplate import loose_boilerplate
from app.extract.clean import drop, remove_boilerplate, remove_unseen
from app.extract.decode import decode, parse
from app.extract.guided import keep_guided
from app.extract.metadata import read_metadata
from app.extract.oracle import oracle_text
from app.extract.page import Page
from app.extract.select import landmark
from app.extract.writer.document import write

_THREAD: Final = XPath("boolean(//*[contains(@class, 'comment') or contains(@class, 'topic') or contains(@itemtype, 'DiscussionForum')])")


def extract_html(body: bytes, *, url: str, charset: str | None) -> Page:
    """Page of an HTML or XHTML body. Raises EmptyPageError and ContentProtectedError."""
    return page_from_markup(decode(body, charset), url=url)


def page_from_markup(markup: str, *, url: str) -> Page:
    """Page of HTML text. Raises EmptyPageError and ContentProtectedError."""
    try:
        tree = parse(markup)
    except ValueError:
        raise EmptyPageError(f"{url} has no content.", url=url) from None
    metadata = read_metadata(tree, url)
    if walls.is_sign_in_wall(tree):
        raise ContentProtectedError(f"{url} asks for a sign-in before it shows its content.", url=url)
    is_skeleton = walls.is_skeleton(tree)
    forward = walls.forward_target(tree)
    remove_unseen(tree)
    remove_boilerplate(tree)
    written = write(_content(tree, markup), Resolver(url, metadata.base_href))
    if not written.length:
        raise EmptyPageError(_why_empty(url, is_skeleton, forward), url=url)
    notes = [walls.SKELETON_NOTE] if is_skeleton else []
    if walls.is_soft_not_found(tree, written.getvalue()):
        notes.append(walls.NOT_FOUND_NOTE)
    return assemble(written, url=url, metadata=metadata, notes=tuple(notes))


def _content(tree: HtmlElement, markup: str) -> tuple[HtmlElement, ...]:
    """The elements that hold the content: as the page marks them, else as two extractors see it, else all but the sides."""
    marked = landmark(tree)
    if marked is not None:
        return marked.roots
    body = tree.find("body")
    if body is None:
        return (tree,)
    oracle = oracle_text(markup, is_thread=bool(_THREAD(body)))
    if not (oracle and keep_guided(body, oracle)):
        drop(loose_boilerplate(body))
    return (body,)


def _why_empty(url: str, is_skeleton: bool, forward: str) -> str:
    if forward:
        return f"{url} holds no text; it only forwards to {forward}."
    if is_skeleton:
        return f"{url} holds no text: the page is built with JavaScript in the browser."
    return f"{url} holds no readable text."
