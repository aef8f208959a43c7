"""The finished Page out of what the writer left: sections with ends, capped links and images, notes."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from app import caps
from app.extract.characters import collapse
from app.extract.metadata import Metadata
from app.extract.page import Image, Link, Page, Section
from app.extract.writer.sink import Sink
from app.text.sentence import joined, sentence


def assemble(written: Sink, *, url: str, metadata: Metadata, notes: tuple[str, ...] = ()) -> Page:
    """A Page whose offsets all lie in its text; what had to be cut off is said in `note`."""
    text = written.getvalue()
    remarks: list[str] = list(notes)
    if len(text) > caps.MAX_PAGE_CHARS:
        text = cut_at_line(text, caps.MAX_PAGE_CHARS)
        remarks.append(sentence("Only the first {} characters were kept.", f"{caps.MAX_PAGE_CHARS:,}"))
    links = _links(written, text)
    if len(links) > caps.MAX_LINKS_PER_PAGE:
        kept, found = f"{caps.MAX_LINKS_PER_PAGE:,}", f"{len(links):,}"
        remarks.append(sentence("Only the first {0} of {1} links were kept.", kept, found))
        links = links[: caps.MAX_LINKS_PER_PAGE]
    sections = _sections(written, text)
    return Page(
        url=url,
        title=metadata.title or _title(sections, text, url),
        text=text,
        sections=sections,
        links=tuple(links),
        images=_images(written, text),
        language=metadata.language,
        canonical_url=metadata.canonical_url,
        published=metadata.published,
        note=joined(remarks),
        noindex=metadata.noindex,
        nofollow=metadata.nofollow,
        markdown_url=metadata.markdown_url,
    )


def cut_at_line(text: str, limit: int) -> str:
    """The text cut to `limit` characters, behind a whole line if there is one."""
    border = text.rfind("\n", limit // 2, limit)
    return text[: border if border >= 0 else limit].rstrip()


def _sections(written: Sink, text: str) -> tuple[Section, ...]:
    marks = sorted(
        (mark for mark in written.headings if mark.heading and mark.start < len(text)),
        key=lambda mark: mark.start,
    )
    ends = [*(mark.start for mark in marks[1:]), len(text)]
    return tuple(
        Section(mark.level, mark.heading[: caps.MAX_HEADING_CHARS].rstrip(), mark.anchor, mark.start, end)
        for mark, end in zip(marks, ends, strict=False)
    )


def _links(written: Sink, text: str) -> list[Link]:
    links = []
    for link in sorted(written.links, key=lambda link: (link.start, link.end)):
        end = min(link.end, link.start + caps.MAX_ANCHOR_TEXT_CHARS, len(text))
        label = text[link.start : end].rstrip()
        if label:
            links.append(Link(link.target, label, link.start, link.start + len(label)))
    return links


def _images(written: Sink, text: str) -> tuple[Image, ...]:
    images: dict[str, Image] = {}
    for picture in sorted(written.pictures, key=lambda picture: picture.position):
        images.setdefault(
            picture.url, Image(picture.url, picture.alt, picture.caption, min(picture.position, len(text)))
        )
    return tuple(images.values())[: caps.MAX_IMAGES_PER_PAGE]


def _title(sections: tuple[Section, ...], text: str, url: str) -> str:
    """The highest of the first headings, else the file's name, else the first line."""
    if sections:
        return min(sections[:5], key=lambda section: section.level).heading
    name = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
    return name or collapse(text.partition("\n")[0])[: caps.MAX_TITLE_CHARS]
