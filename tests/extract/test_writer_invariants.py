"""For any markup, fences close, tables keep their columns, tags are removed, and offsets are correct."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import EmptyPageError
from app.extract import Page, extract
from app.extract.characters import word_set
from tests.extract.pages import check_offsets

WORDS = st.text(alphabet="ab c\n|*_`#.$[]()\\é\u200b\u00a0\u2028", max_size=12)
ELEMENTS = sorted(
    word_set(
        """
        p div b code code|class=x a|href=/x a|href=#y blockquote blockquote|class=note-title ul li ol|start=9 dl dl|class=section_note
        dt dt|id=t dd h1 h2 h3|id=h table table|class=lntable table|class=calloutlist caption thead tr td td|colspan=3
        td|rowspan=2 th|colspan=2 th|rowspan=3 pre pre|class=rust pre|data-lang=c span span|class=math span|class=boring sup sub
        br hr img|src=/i.png img|src=1.png|alt=1 figure figcaption details summary div|role=table div|role=row
        div|role=cell div|class=summary-table div|class=col-first div|class=col-last div|class=fragment div|class=line div|class=memproto
        div|class=tabbed-set div|class=tabbed-labels label div|class=tabbed-content div|class=tabbed-block
        div|role=tablist div|role=tab div|role=tabpanel div|class=note p|class=title math mfrac msup mi mtable mtr mtd
        """
    )
)
FENCE = re.compile(r"^(?:[ >]|[-*+] |\d+\. )*(`{3,})([^`]*)$")
RULE = re.compile(r"^(?:[ >]|[-*+] |\d+\. )*\|(?:-+\|)+$")
CELL_BORDER = re.compile(r"(?<!\\)\|")


def element(name: str, content: str) -> str:
    tag, *attributes = name.split("|")
    written = " ".join(attribute.replace("=", '="').replace("_", " ") + '"' for attribute in attributes)
    return f"<{tag} {written}>{content}</{tag}>"


MARKUP = st.recursive(
    WORDS,
    lambda inner: st.builds(element, st.sampled_from(ELEMENTS), st.lists(inner, max_size=4).map("".join)),
    max_leaves=40,
)


def page_of(markup: str) -> Page | None:
    body = f"<html><head><title>T</title></head><body><main>start {markup}</main></body></html>".encode()
    try:
        return extract(body, url="https://docs.example/guide/page.html", content_type="text/html", charset="utf-8")
    except EmptyPageError:
        return None


def prose(text: str) -> list[str]:
    """Return the lines outside fences; fails if a fence stays open."""
    lines, opened = [], ""
    for line in text.split("\n"):
        match = FENCE.match(line)
        if match and not opened:
            opened = match.group(1)
        elif match and match.group(1) == opened and not match.group(2):
            opened = ""
        elif not opened:
            lines.append(line)
    assert not opened, text
    return lines


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(MARKUP)
def test_markdown_is_well_formed(markup: str) -> None:
    page = page_of(markup)
    if page is None:
        return
    check_offsets(page)
    lines = prose(page.text)
    assert not any("<" in line for line in lines)
    for number, line in enumerate(lines):
        if RULE.match(line):
            columns = len(CELL_BORDER.findall(line))
            rows = [lines[number - 1], *lines[number + 1 :]]
            end = next((place for place, row in enumerate(rows) if not row.rstrip().endswith("|")), len(rows))
            assert {len(CELL_BORDER.findall(row)) for row in rows[:end]} == {columns}, page.text


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WORDS, min_size=1, max_size=6), st.sampled_from(["pre", "pre|class=rust", "div|class=fragment"]))
def test_code_is_exact(lines: list[str], name: str) -> None:
    source = [line.replace("\n", "").replace("\u2028", "").replace("\u200b", "") for line in lines]
    content = "".join(f'<div class="line">{line}</div>' for line in source) if "fragment" in name else "\n".join(source)
    page = page_of(element(name, "\n" + content))
    assert page is not None
    shown = [line.replace("\u00a0", " ") for line in source]
    if "fragment" in name:
        shown = [line for line in shown if line]
    expected = "\n".join(shown).strip("\n").rstrip()
    if expected.strip():
        body = page.text.removeprefix("start\n\n").split("\n")[1:-1]
        assert "\n".join(body) == expected
