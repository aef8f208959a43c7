"""The structure of a documentation page in its markup, as the reference for bench/structure.py.

The rules know the markup of each generator and do not use the program's extraction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin

from lxml.html import HtmlElement, HTMLParser, document_fromstring

from app import caps
from support.data_tables import compared_rows, is_data
from support.generators import HEADINGS, clean, content
from support.letters import exact_lines, letters

LANGUAGE = re.compile(
    r"(?:highlight-source|highlight-text|highlight|language|lang|src)-([\w+#.-]+)$|^brush:([\w+#.-]+)"
)
NO_LANGUAGE = {"default", "none", "text", "notranslate", "plaintext", "plain", "txt", "nohighlight", "block", "toolbar"}
NOTICES = {"note", "warning", "tip", "caution", "important", "danger", "attention", "hint", "error", "seealso", "info"}
NOTICE_BOXES = {
    "admonition",
    "theme-admonition",
    "custom-block",
    "markdown-alert",
    "admonitionblock",
    "starlight-aside",
}
NOTICE_TITLE = (
    "(.//*[contains(@class, 'admonition-title') or contains(@class, 'custom-block-title') or contains(@class, 'admonitionHeading')"
    " or contains(@class, 'admonition-heading')"
    " or contains(@class, 'alert-title') or contains(@class, '__title')] | ./h3 | ./h2 | ./h4 | ./summary"
    " | ./*[@class='title'] | ./p[1][@class='title'] | .//td[@class='icon'])[1]"
)
SECTION_TAGS = ("section", "div", "article")
FRAMES = {
    "content",
    "main",
    "main-content",
    "body",
    "root",
    "app",
    "page",
    "wrapper",
    "header",
    "page-content",
    "preamble",
}


@dataclass(slots=True)
class Held:
    """All countable items in page order. Links and images up to the limits of a Page."""

    headings: list[str] = field(default_factory=list)
    anchors: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    term_anchors: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    languages: list[tuple[str, str]] = field(default_factory=list)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    notices: list[tuple[str, str]] = field(default_factory=list)
    images: list[tuple[str, str]] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def held_by(body: bytes, url: str) -> Held:
    """Count the items in the content of a page."""
    tree = document_fromstring(body, parser=HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True))
    roots = content(tree)
    held = Held()
    for root in roots:
        clean(root, url)
        _read(root, url, held)
    return held


def _read(root: HtmlElement, url: str, held: Held) -> None:
    notices = _read_notices(root, held)
    for node in root.iter(*HEADINGS):
        if not _inside(node, ("table", "blockquote", "dt")):
            _read_heading(node, held)
    _read_code(root, held)
    for table in root.iter("table"):
        if is_data(table) and notices.isdisjoint([table, *table.iterancestors()]):
            held.rows += [row for row in compared_rows(table) if any(row)]
    held.formulas += _formulas(root)
    for link in root.iter("a"):
        text = letters(link.text_content())
        address = urljoin(url, (link.get("href") or "").strip())
        is_permalink = (link.get("href") or "").startswith("#") and _inside(link, HEADINGS)
        if link.get("href") and text and not is_permalink and address.startswith(("http://", "https://")):
            held.links.append((address.replace(" ", "%20"), text[:80]))
    held.links = held.links[: caps.MAX_LINKS_PER_PAGE]
    for term in root.iter("dt"):
        text = _own_text(term)
        if text.strip():
            held.terms.append(letters(text)[:80] or "".join(text.split()))
            if term.get("id"):
                held.term_anchors.append(term.get("id"))
    _read_images(root, url, held)
    held.words += re.findall(r"[^\W_]+", " ".join(root.itertext()).lower())


def _read_notices(root: HtmlElement, held: Held) -> set[HtmlElement]:
    """Find notice boxes. Their titles are not headings and their icons not images."""
    boxes = {node for node in root.iter("div", "aside", "section", "table", "details", "blockquote") if _kind(node)}
    for box in boxes:
        title = next(iter(box.xpath(NOTICE_TITLE)), None)
        held.notices.append((_kind(box), letters(title.text_content()) if title is not None else ""))
        for heading in [] if title is None else [*title.iter(*HEADINGS)]:
            heading.tag = "p"
        for icon in box.xpath(".//td//img[not(ancestor::td//p)] | .//td[@class='icon']//img"):
            icon.drop_tree()
    return boxes


def _read_heading(node: HtmlElement, held: Held) -> None:
    text = letters(node.text_content())
    if not text:
        return
    held.headings.append(f"{node.tag[1]} {text[:120]}")
    names = _anchors(node)
    if names:
        held.anchors.append((text[:120], names))


def _anchors(heading: HtmlElement) -> frozenset[str]:
    """Return every fragment that leads to a heading: its own, inner ones, the target before it, the section that it opens."""
    own = [heading.get("id"), *heading.xpath(".//@id"), *heading.xpath(".//a/@name")]
    own += heading.get("data-permalinks", "").split()
    before = heading.getprevious()
    while before is not None and before.tag in ("a", "span") and not f"{before.text or ''}{before.tail or ''}".strip():
        own += [before.get("id"), before.get("name")]
        before = before.getprevious()
    node = heading.getparent()
    for _ in range(4):
        if node is None or node.tag == "body":
            break
        if node.tag in SECTION_TAGS and node.get("id") not in FRAMES and next(node.iter(*HEADINGS)) is heading:
            own.append(node.get("id"))
        node = node.getparent()
    return frozenset(str(name) for name in own if name)


def _kind(node: HtmlElement) -> str:
    """Return the kind of a notice box, or an empty string."""
    tokens = (node.get("class") or "").lower().split()
    if len(tokens) == 1 and tokens[0] in NOTICES - {"info", "error", "hint", "attention", "seealso"}:
        return tokens[0]
    if NOTICE_BOXES.isdisjoint(tokens) or (node.getparent() is not None and _kind_above(node)):
        return ""
    return next((token.rpartition("-")[2] for token in tokens if token.rpartition("-")[2] in NOTICES), "admonition")


def _kind_above(node: HtmlElement) -> bool:
    """Whether the parent already is the box (AsciiDoc wraps a table in it)."""
    return not NOTICE_BOXES.isdisjoint((node.getparent().get("class") or "").lower().split())


def _inside(node: HtmlElement, tags: Sequence[str]) -> bool:
    return next(node.iterancestors(*tags), None) is not None


def _read_code(root: HtmlElement, held: Held) -> None:
    for block in root.iter("pre"):
        table = next(block.iterancestors("table"), None)
        if _inside(block, ("pre",)) or (table is not None and is_data(table)):
            continue
        code = exact_lines("".join(_shown(block)))
        if code:
            held.code.append(code)
            language = _language(block)
            if language:
                held.languages.append((code, language))


def _shown(block: HtmlElement) -> Iterator[str]:
    """Yield the text of preformatted markup with the line ends of its elements."""
    yield block.text or ""
    for child in block:
        if isinstance(child.tag, str):
            text = "\n" if child.tag == "br" else "".join(_shown(child))
            yield text
            is_line = child.tag in ("div", "p", "li", "tr") and not text.endswith("\n")
            if is_line and not (child.tail or "").startswith("\n"):
                yield "\n"
        yield child.tail or ""


def _language(block: HtmlElement) -> str:
    nodes = [block, *block.findall(".//code")[:1], *list(block.iterancestors())[:3]]
    for node in nodes:
        classes = re.sub(r"brush:\s*", "brush:", node.get("class") or "").split()
        for name in classes:
            match = LANGUAGE.match(name)
            found = (match.group(1) or match.group(2)).lower() if match else ""
            if found and found not in NO_LANGUAGE:
                return found
    return ""


def _formulas(root: HtmlElement) -> Iterator[str]:
    """Yield the LaTeX of every formula with a source, without white space."""
    for node in root.xpath(
        ".//script[starts-with(@type, 'math/')] | .//math | .//img[contains(@class, 'math')]"
        " | .//*[contains(concat(' ', @class, ' '), ' math ') or contains(@class, 'arithmatex')][not(.//math)][not(self::img)]"
    ):
        source = _tex(node)
        if source:
            yield "".join(source.split())


def _tex(node: HtmlElement) -> str:
    if node.tag == "math":
        notes = node.xpath(".//annotation[contains(@encoding, 'tex')]/text()")
        return str(notes[0] if notes else node.get("alttext") or "")
    if node.tag == "img":
        return node.get("alt") or ""
    text = "".join(part for part in node.xpath(".//text()[not(ancestor::*[@class='eqno'])]")).strip()
    return re.sub(r"^\\[(\[]|\\[)\]]$", "", text).strip()


def _own_text(term: HtmlElement) -> str:
    """Return the text of a term without nested terms and definitions from the parser."""
    return "".join(term.xpath(".//text()[not(ancestor::dd[ancestor::dt])][count(ancestor::dt) = 1]"))


def _read_images(root: HtmlElement, url: str, held: Held) -> None:
    for image in root.iter("img"):
        source = (image.get("src") or "").strip()
        if source and not source.startswith("data:") and "math" not in (image.get("class") or "").split():
            held.images.append((urljoin(url, source).replace(" ", "%20"), letters(image.get("alt") or "")))
    held.images = list(dict(reversed(held.images)).items())[::-1][: caps.MAX_IMAGES_PER_PAGE]
    for caption in root.xpath(".//figcaption | .//p[@class='caption'] | .//caption"):
        if letters(caption.text_content()):
            held.captions.append(letters(caption.text_content())[:120])
