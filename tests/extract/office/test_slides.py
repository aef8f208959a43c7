"""Presentations: a section per slide, notes, tables, charts, hidden slides."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tests.extract.office.files import DRAWING, RELATED, SLIDES, URL, presentation, read, relations, shape
from tests.extract.pages import check_offsets


def test_a_slide_is_a_section_with_its_number() -> None:
    nested = '<a:p><a:pPr lvl="1"/><a:r><a:t>inner</a:t></a:r></a:p>'
    page = read(presentation(shape("title", "Budget") + shape("body", "one", nested, "two"), shape("", "A box.")))
    check_offsets(page)
    assert page.text == "## Slide 1: Budget\n\n- one\n  - inner\n- two\n\n## Slide 2\n\nA box."
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("Slide 1: Budget", "slide=1"),
        ("Slide 2", "slide=2"),
    ]


def test_speaker_notes_are_a_quotation() -> None:
    notes = f'<p:notes xmlns:p="{SLIDES}" xmlns:a="{DRAWING}"><p:cSld><p:spTree>{shape("body", "Say hello.")}</p:spTree></p:cSld></p:notes>'
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations(n="notesSlide ../notesSlides/notes1.xml"),
        "ppt/notesSlides/notes1.xml": notes,
    }
    page = read(presentation(shape("title", "Start"), parts=parts))
    assert page.text == "## Slide 1: Start\n\n**Speaker notes**\n\n> Say hello."


def test_code_is_known_by_its_font() -> None:
    def run(text: str, more: str = "") -> str:
        return f'<a:r><a:rPr {more}><a:latin typeface="Courier New"/></a:rPr><a:t>{text}</a:t></a:r>'

    bold = 'b="1"'
    block = f"<a:p>{run('if x:', bold)}<a:br/>{run('    stop()')}</a:p>"
    words = f"<a:p><a:r><a:t>Call </a:t></a:r>{run('stop()')}<a:r><a:t> when in </a:t></a:r>{{}}</a:p>"
    italic = '<a:r><a:rPr i="1"/><a:t>doubt</a:t></a:r>'
    page = read(presentation(shape("title", "T") + shape("body", block, words.format(italic))))
    assert "```\nif x:\n    stop()\n```\n\n- Call `stop()` when in *doubt*" in page.text


def test_hidden_slides_are_marked_and_counted() -> None:
    page = read(presentation(shape("title", "Secret"), shown="0"))
    assert page.text == "## Slide 1: Secret (hidden)"
    assert page.note == "Hidden slides (marked in the text): 1."


def test_slide_numbers_and_footers_are_excluded() -> None:
    page = read(presentation(shape("title", "T") + shape("sldNum", "7") + shape("ftr", "Company") + shape("", "x")))
    assert page.text == "## Slide 1: T\n\nx"


def test_tables_and_charts_are_tables() -> None:
    def cell(text: str) -> str:
        return f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    rows = f"<a:tr>{cell('a')}{cell('b')}</a:tr><a:tr>{cell('1')}{cell('2')}</a:tr>"
    frame = "<p:graphicFrame><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></p:graphicFrame>"
    chart = (
        '<c:chartSpace xmlns:c="urn:c"><c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat><c:pt idx="0"><c:v>Q1</c:v></c:pt>'
        '<c:pt idx="1"><c:v>Q2</c:v></c:pt></c:cat><c:val><c:pt idx="1"><c:v>5</c:v></c:pt></c:val></c:ser></c:chartSpace>'
    )
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations(c="chart ../charts/chart1.xml"),
        "ppt/charts/chart1.xml": chart,
    }
    drawn = f'<c:chart xmlns:c="urn:c" xmlns:r="{RELATED}" r:id="c"/>'
    page = read(presentation(frame.format(f"<a:tbl>{rows}</a:tbl>") + frame.format(drawn), parts=parts))
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.text.splitlines() if "|" in line]
    assert cells[0] == ["a", "b"]
    assert cells[2] == ["1", "2"]
    assert cells[3] == ["", "Sales"]
    assert cells[5:] == [["Q1", ""], ["Q2", "5"]]


def test_a_cut_slide_is_read_up_to_the_damage_with_a_note() -> None:
    whole = presentation(shape("title", "Costs"))
    broken = presentation(shape("title", "Costs") + "<p:sp>")
    assert read(whole).note == ""
    page = read(broken)
    assert page.text == "## Slide 1: Costs" and "damaged" in page.note


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("Travel costs", "Travel costs"),
        ("Slide rules for pilots", "Slide rules for pilots"),
        ("PowerPoint Presentation", "Budget"),
        ("Présentation PowerPoint", "Budget"),
        ("Microsoft PowerPoint - budget.ppt", "Budget"),
        ("Folie 1", "Budget"),
        ("Normal.dot", "Budget"),
        ("", "Budget"),
    ],
)
def test_the_title_is_declared_by_the_writer_or_from_the_first_slide_with_one(declared: str, expected: str) -> None:
    core = f'<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{declared}</dc:title></c>'
    slides = presentation(shape("", "A picture."), shape("title", "Budget"), parts={"docProps/core.xml": core})
    assert read(slides).title == expected


def test_slides_without_titles_are_named_after_the_file() -> None:
    assert read(presentation(shape("", "A box."), shown="0")).title == PurePosixPath(URL).name


def test_bold_lines_on_slides_do_not_hide_the_first_title() -> None:
    lines = [
        shape("", f'<a:p><a:r><a:rPr b="1"/><a:t>{name}</a:t></a:r></a:p>', "Text.")
        for name in ("Oil", "Wick", "Glass")
    ]
    page = read(presentation(shape("title", "Lamps") + "".join(lines)))
    assert page.title == "Lamps"
    assert "### Oil" in page.text
