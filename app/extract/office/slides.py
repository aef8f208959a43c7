"""Read presentations (.pptx, .pptm): each slide is a section with the anchor `slide=N`, with its speaker notes as a quotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.office.elements import (
    OpenLists,
    add_comment,
    add_slide,
    add_speaker_notes,
    append_text,
    attribute,
    attribute_with_namespace,
    child,
    children,
    formula,
    make,
    name_of,
    nested,
    number,
    text_of,
)
from app.extract.office.package import Package, Relation, related
from app.extract.office.word_styles import MONOSPACED
from app.extract.page import Page
from app.text.sentence import sentence

MAX_SLIDES: Final = 2_000
MAX_CHART_SERIES: Final = 50
MAX_CHART_ROWS: Final = 500
_MAX_GROUPS: Final = 20
_TITLES: Final = frozenset({"title", "ctrTitle"})
_NOT_CONTENT: Final = frozenset({"sldNum", "ftr", "dt", "hdr", "sldImg"})
_LISTS: Final = frozenset({"body", "obj"})


def extract_slides(package: Package) -> Page:
    """Return the page of a presentation. Raises EmptyPageError, UnsupportedContentError and ContentProtectedError."""
    main = package.main_part("ppt/presentation.xml")
    if main not in package:
        raise package.damaged()
    relations = package.relations(main)
    parts = (related(relations, kind) for kind in ("commentAuthors", "authors"))
    people = (each for part in parts if part in package for each in package.xml(part))
    authors = {attribute(each, "id"): attribute(each, "name") for each in people}
    ids = [each for listed in children(package.xml(main), "sldIdLst") for each in children(listed, "sldId")]
    body = make("body")
    hidden = 0
    for place, entry in enumerate(ids[:MAX_SLIDES], 1):
        key = attribute_with_namespace(entry, "id")
        if key in relations and relations[key].target in package:
            slide = _Slide(package, relations[key].target)
            slide.write(body, place)
            slide.write_comments(body, authors)
            hidden += slide.is_hidden
    notes = []
    if hidden:
        notes.append(sentence("Hidden slides (marked in the text): {}.", f"{hidden:,}"))
    if len(ids) > MAX_SLIDES:
        notes.append(sentence("Only the first {0} of {1} slides were read.", f"{MAX_SLIDES:,}", f"{len(ids):,}"))
    return package.page(body, notes)


class _Slide:
    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._root = package.xml(part)
        self._relations = package.relations(part)
        self.is_hidden = self._root.get("show") == "0"

    def write(self, body: HtmlElement, place: int) -> None:
        """Write the heading of the slide, its content, and its speaker notes."""
        shapes = list(_shapes(child(self._root, "cSld", "spTree"), 0))
        title = next((shape for shape in shapes if _placeholder(shape) in _TITLES), None)
        add_slide(body, place, " ".join(map(_text_of, _paragraphs(title))), is_hidden=self.is_hidden)
        for shape in shapes:
            if shape is not title and _placeholder(shape) not in _NOT_CONTENT:
                self._write_shape(shape, body)
        notes = related(self._relations, "notesSlide")
        if notes in self._package:
            quotation = make("blockquote")
            for shape in _shapes(child(self._package.xml(notes), "cSld", "spTree"), 0):
                if _placeholder(shape) == "body":
                    _write_paragraphs(shape, quotation, {})
            add_speaker_notes(body, quotation)

    def write_comments(self, body: HtmlElement, authors: Mapping[str, str]) -> None:
        """Write the comments on the slide with their replies, if comments are wanted."""
        part = related(self._relations, "comments")
        is_wanted = self._package.reads_comments and part in self._package
        for comment in self._package.xml(part).iter("{*}cm", "{*}reply") if is_wanted else ():
            quotation = make("blockquote")
            _write_paragraphs(comment, quotation, {})
            if text := text_of(child(comment, "text")):  # in files of PowerPoint 2019 and older
                quotation.append(make("p", text))
            add_comment(body, authors.get(attribute(comment, "authorId"), ""), quotation)

    def _write_shape(self, shape: etree._Element, body: HtmlElement) -> None:
        if name_of(shape) == "sp":
            _write_paragraphs(shape, body, self._relations, is_list=_placeholder(shape) in _LISTS)
        elif name_of(shape) == "pic":
            properties = child(shape, "nvPicPr", "cNvPr")
            if description := " ".join(attribute(properties, "descr").split()):
                body.append(make("p", f"[Image: {description}]"))
        for data in children(child(shape, "graphic"), "graphicData"):
            for part in data:
                if name_of(part) == "tbl":
                    body.append(_table(part, self._relations))
                else:
                    write_graphic(part, body, self._package, self._relations)


def _shapes(tree: etree._Element | None, depth: int) -> Iterator[etree._Element]:
    """Yield the shapes of a slide in order, with groups resolved."""
    for shape in tree if tree is not None and depth < _MAX_GROUPS else ():
        if name_of(shape) == "grpSp":
            yield from _shapes(shape, depth + 1)
        elif name_of(shape) == "AlternateContent":
            yield from _shapes(child(shape, "Choice"), depth + 1)
        elif name_of(shape) in ("sp", "pic", "graphicFrame"):
            yield shape


def _placeholder(shape: etree._Element) -> str:
    """Return the purpose of a shape on the slide; empty if the layout does not name one."""
    properties = next((each for each in shape if name_of(each) in ("nvSpPr", "nvPicPr")), None)
    holder = child(properties, "nvPr", "ph")
    return holder.get("type", "body") if holder is not None else ""


def _paragraphs(shape: etree._Element | None) -> Iterable[etree._Element]:
    return children(child(shape, "txBody"), "p")


def _text_of(paragraph: etree._Element) -> str:
    return "".join(
        (part.text or "") if name_of(part) == "t" else " " * (name_of(part) == "br") for part in paragraph.iter()
    )


def _write_paragraphs(
    shape: etree._Element, out: HtmlElement, relations: Mapping[str, Relation], *, is_list: bool = False
) -> None:
    """Write the paragraphs of a shape; `is_list` makes items of paragraphs unless they turn off their bullet."""
    lists = OpenLists(out)
    for paragraph in _paragraphs(shape):
        if not _text_of(paragraph).strip() and next(paragraph.iter("{*}oMath"), None) is None:
            continue
        properties = child(paragraph, "pPr")
        depth = min(number(attribute(properties, "lvl")), 8)
        marks = {name_of(each) for each in properties} if properties is not None else set()
        is_ordered = "buAutoNum" in marks
        runs = [run for run in paragraph if name_of(run) in ("r", "fld") and _text_of(run).strip()]
        if not is_ordered and "buChar" not in marks and runs and all(map(_is_monospaced, runs)):
            lists.close()
            lines = ("\n" if name_of(run) == "br" else _text_of(run) for run in paragraph)
            out.append(make("pre", "".join(lines)))
        elif "buNone" in marks or not (is_list or is_ordered or "buChar" in marks):
            lists.close()
            _write_runs(paragraph, nested(out, "p"), relations)
        else:
            _write_runs(paragraph, lists.add_item(depth, is_ordered=is_ordered), relations)


def _write_runs(paragraph: etree._Element, out: HtmlElement, relations: Mapping[str, Relation]) -> None:
    for run in paragraph:
        if name_of(run) in ("r", "fld"):
            properties, into, is_code = child(run, "rPr"), out, _is_monospaced(run)
            relation = relations.get(attribute(child(properties, "hlinkClick"), "id"))
            if relation is not None and relation.is_external:
                into = make("a", href=relation.target)
                out.append(into)
            styles = [tag for tag, name in (("strong", "b"), ("em", "i")) if attribute(properties, name) == "1"]
            text = child(run, "t")
            append_text(nested(into, *(["code"] if is_code else styles)), text.text if text is not None else "")
        elif name_of(run) == "br":
            out.append(make("br"))
        elif name_of(run) in ("m", "AlternateContent"):
            found = next(run.iter("{*}oMath"), None)
            out.extend([formula(found, is_display=False)] if found is not None else [])


def _is_monospaced(run: etree._Element) -> bool:
    return MONOSPACED.search(attribute(child(run, "rPr", "latin"), "typeface")) is not None


def _table(table: etree._Element, relations: Mapping[str, Relation]) -> HtmlElement:
    out = make("table")
    for row in children(table, "tr"):
        written = nested(out, "tr")
        for cell in children(row, "tc"):
            if attribute(cell, "hMerge") == "1" or attribute(cell, "vMerge") == "1":
                continue
            spans = {"colspan": attribute(cell, "gridSpan"), "rowspan": attribute(cell, "rowSpan")}
            made = make("th" if written.getprevious() is None else "td", **spans)
            written.append(made)
            for paragraph in _paragraphs(cell):
                _write_runs(paragraph, nested(made, "p"), relations)
    return out


def write_graphic(part: etree._Element, body: HtmlElement, package: Package, relations: Mapping[str, Relation]) -> None:
    """Write the values of a chart or the texts of a diagram (SmartArt); nothing for other parts."""
    keys = {"chart": "id", "relIds": "dm"}
    relation = relations.get(attribute(part, keys.get(name_of(part), "")))
    if relation is None or relation.target not in package:
        return
    root = package.xml(relation.target)
    if name_of(part) == "chart":
        _write_chart(root, body)
    else:
        texts = (" ".join(_text_of(paragraph).split()) for paragraph in root.iter("{*}p"))
        body.extend(make("p", text) for text in texts if text)


def _write_chart(root: etree._Element, body: HtmlElement) -> None:
    """Write the values of a chart as a table: a row for each category, a column for each series."""
    title = next(root.iter("{*}title"), None)
    if title is not None and (text := " ".join(_text_of(title).split())):
        body.append(make("p", "", make("strong", text)))
    categories: dict[int, str] = {}
    columns: list[tuple[str, dict[int, str]]] = []
    for series in islice(root.iter("{*}ser"), MAX_CHART_SERIES):
        categories = categories or _points(child(series, "cat")) or _points(child(series, "xVal"))
        values = _points(child(series, "val")) or _points(child(series, "yVal"))
        columns.append((" ".join(_points(child(series, "tx")).values()), values))
    if not columns:
        return
    last = max((*categories, *(place for _, values in columns for place in values)), default=-1)
    rows = [["", *(name for name, _ in columns)]]
    for place in range(min(last + 1, MAX_CHART_ROWS)):
        rows.append([categories.get(place, ""), *(values.get(place, "") for _, values in columns)])
    cells = ([make("td" if place else "th", text) for text in row] for place, row in enumerate(rows))
    body.append(make("table", "", *(make("tr", "", *row) for row in cells)))


def _points(element: etree._Element | None) -> dict[int, str]:
    """Return the cached values of a chart by position."""
    if element is None:
        return {}
    points = {number(attribute(each, "idx")): text_of(child(each, "v")) for each in element.iter("{*}pt")}
    return points or dict(enumerate(text for each in element.iter("{*}v") if (text := text_of(each))))
