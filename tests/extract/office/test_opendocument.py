"""OpenDocument files: texts with their structure, slides as sections, sheets as shown."""

from __future__ import annotations

import pytest
from lxml import etree

from app.errors import ContentProtectedError, EmptyPageError, UnsupportedContentError
from app.extract.office.opendocument import _pieces
from app.extract.sheet_text import MAX_CELLS
from tests.extract.office.files import opendocument, packed, read
from tests.extract.pages import check_offsets

CODE = '<style:style style:name="Preformatted_20_Text" style:family="paragraph"/>'
SPANS = (
    '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="C" style:family="text"><style:text-properties style:font-name="Courier New"/></style:style>'
    '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>'
)
NUMBERED = (
    '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/>'
    '<text:list-level-style-bullet text:level="2"/></text:list-style>'
)


def item(text: str, inner: str = "") -> str:
    return f"<text:list-item><text:p>{text}</text:p>{inner}</text:list-item>"


def cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def sheet(name: str, *rows: str, style: str = "") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{"".join(rows)}</table:table>'


def test_rows_in_nested_groups_and_numbered_paragraphs_are_read() -> None:
    group = "<table:table-row-group>{}</table:table-row-group>"
    rows = f"<table:table-row>{cell('A') + cell('B')}</table:table-row>"
    rows += group.format(group.format(f"<table:table-row>{cell('1') + cell('2')}</table:table-row>"))
    numbered = "<text:numbered-paragraph><text:p>Clause</text:p></text:numbered-paragraph>"
    page = read(opendocument(f"<table:table>{rows}</table:table>{numbered}"))
    assert page.text == "| A   | B   |\n|-----|-----|\n| 1   | 2   |\n\nClause"


def test_words_on_several_lines_of_a_cell_are_apart() -> None:
    sheet = f"<table:table-row>{cell('one<text:line-break/>two<text:tab/>three')}</table:table-row>"
    page = read(opendocument(f'<table:table table:name="S">{sheet}</table:table>', "spreadsheet"))
    assert "| one two three |" in page.text


def test_a_text_keeps_headings_lists_code_tables_links_and_notes() -> None:
    nested = f"<text:list>{item('inner')}</text:list>"
    body = (
        '<text:p text:style-name="Title">Pumps</text:p>'
        '<text:h text:outline-level="2"><text:bookmark-start text:name="care"/>Care</text:h>'
        '<text:p>Plain <text:span text:style-name="B">bold</text:span> <text:span text:style-name="C">x&lt;1</text:span> '
        '<text:a xlink:href="https://example.org/">link</text:a>.<text:note><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>The note.</text:p></text:note-body></text:note></text:p>"
        f'<text:list text:style-name="N">{item("one", nested)}{item("two")}</text:list>'
        '<text:p text:style-name="Preformatted_20_Text">if<text:s text:c="2"/>x:</text:p>'
        '<text:p text:style-name="Preformatted_20_Text"><text:tab/>y()</text:p>'
        f"<table:table>{row(cell('A'), cell('B'))}{row(cell('1'), cell('a | b'))}</table:table>"
    )
    page = read(opendocument(body, automatic=SPANS + NUMBERED, common=CODE))
    check_offsets(page)
    assert page.text == (
        "# Pumps\n\n## Care\n\nPlain **bold** `x<1` [link](https://example.org/).[1]\n\n1. one\n   - inner\n2. two\n\n"
        "```\nif  x:\n\ty()\n```\n\n| A   | B      |\n|-----|--------|\n| 1   | a \\| b |\n\n---\n\n1. The note."
    ).replace("[link](https://example.org/)", "link")
    assert [link.url for link in page.links] == ["https://example.org/"]
    assert (page.title, page.language, page.published) == ("Made", "en", "2025-03-04")
    assert [section.anchor for section in page.sections if section.heading == "Care"] == ["care"]


def test_the_style_of_an_inner_list_may_define_only_its_first_level() -> None:
    bullet = '<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1"/></text:list-style>'
    counted = '<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>'
    inner = '<text:list text:style-name="L2"><text:list-item><text:p>in</text:p></text:list-item></text:list>'
    outer = f'<text:list text:style-name="L1"><text:list-item><text:p>out</text:p>{inner}</text:list-item></text:list>'
    assert read(opendocument(outer, automatic=bullet + counted)).text == "- out\n  1. in"


def test_lists_that_libreoffice_divides_are_joined() -> None:
    def items(*texts: str) -> str:
        return "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in texts)

    inner = f"<text:list-item><text:list>{items('in')}</text:list></text:list-item>"
    lists = "".join(f"<text:list>{each}</text:list>" for each in (items("one", "two"), inner, items("three")))
    assert read(opendocument(lists)).text == "- one\n- two\n  - in\n- three"


def test_a_paragraph_in_a_font_for_code_is_code() -> None:
    styles = '<style:style style:name="T1" style:family="text"><style:text-properties style:font-name="Courier1"/></style:style>'
    span = '<text:span text:style-name="T1">{}</text:span>'
    code = f"<text:p>{span.format('if x:')}<text:s/>{span.format('go()')}</text:p>"
    text = f"<text:p>Call {span.format('go()')}.</text:p>"
    assert read(opendocument(code + text, automatic=styles)).text == "```\nif x: go()\n```\n\nCall `go()`."


def test_hidden_and_deleted_text_and_comments_are_excluded() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        '<text:p>Seen<text:span text:style-name="H"> hidden</text:span>'
        "<office:annotation><text:p>comment</text:p></office:annotation>.</text:p>"
    )
    page = read(opendocument(body, automatic=SPANS))
    assert page.text == "Seen."
    assert page.note == "Text deleted with tracked changes is not included."


def test_a_formula_is_latex_and_an_image_its_description() -> None:
    body = (
        '<text:p>Mass <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> and '
        "<draw:frame><draw:image/><svg:desc>A red pump</svg:desc></draw:frame></text:p>"
    )
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>m</mi><mo>=</mo><mn>2</mn></math>'
    page = read(opendocument(body, parts={"Object 1/content.xml": math}))
    assert page.text == "Mass $m=2$ and [Image: A red pump]"


@pytest.mark.parametrize(
    "shape", ["circle", "polyline", "polygon", "regular-polygon", "path", "caption", "measure", "rect", "connector"]
)
def test_the_text_of_every_shape_is_kept(shape: str) -> None:
    drawn = f"<draw:{shape}><text:p>Inside</text:p></draw:{shape}>"
    slide = f"<draw:page><draw:a>{drawn}</draw:a>{drawn.replace('Inside', 'More')}</draw:page>"
    assert read(opendocument(slide, "presentation")).text == "## Slide 1\n\nInside\n\nMore"
    assert read(opendocument(drawn)).text == "Inside"


def test_the_title_of_an_index_is_kept() -> None:
    body = "<text:index-body><text:index-title><text:p>Words</text:p></text:index-title><text:p>Pump 3</text:p></text:index-body>"
    page = read(opendocument(f"<text:alphabetical-index>{body}</text:alphabetical-index>"))
    assert page.text == "Words\n\nPump 3"


def test_spaces_in_a_cell_are_limited() -> None:
    """One element stands for any number of them."""
    found = list(_pieces(etree.fromstring("<p>a<s c='999999'/>b</p>")))
    assert [len(piece) for piece in found if piece] == [1, 200, 1]


def test_a_slide_is_a_section_with_its_number() -> None:
    hidden = (
        '<style:style style:name="D" style:family="drawing-page">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    )

    def frame(kind: str, text: str) -> str:
        return f'<draw:frame presentation:class="{kind}"><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>'

    notes = f"<presentation:notes>{frame('notes', 'Say hello.')}</presentation:notes>"
    slides = (
        f"<draw:page>{frame('outline', 'First point')}{frame('title', 'Budget')}{frame('footer', 'Company')}{notes}</draw:page>"
        f'<draw:page draw:style-name="D">{frame("subtitle", "Later")}</draw:page>'
    )
    page = read(opendocument(slides, "presentation", automatic=hidden))
    check_offsets(page)
    assert page.text == (
        "## Slide 1: Budget\n\nFirst point\n\n**Speaker notes**\n\n> Say hello.\n\n## Slide 2 (hidden)\n\nLater"
    )
    assert [section.anchor for section in page.sections] == ["slide=1", "slide=2"]
    assert page.note == "Slides that are marked as hidden: 1."


def test_sheets_show_what_the_cells_show() -> None:
    style = (
        '<style:style style:name="T" style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    rows = (
        row(cell("Name"), cell("Share", 'office:value="0.2"')),
        row(cell("Anna"), cell("20 %", 'office:value="0.2"')),
        row(cell("secret"), more='table:visibility="collapse"'),
        row("<table:table-cell/>", more='table:number-rows-repeated="1048000"'),
    )
    page = read(
        opendocument(sheet("People", *rows) + sheet("Old", row(cell("x")), style="T"), "spreadsheet", automatic=style)
    )
    assert page.text == ("## People\n\n### People, rows 1–2\n\n| Name | Share |\n| --- | --- |\n| Anna | 20 % |")
    assert [section.anchor for section in page.sections] == ["sheet=People", "sheet=People&range=A1:B2"]
    assert page.note == "Skipped hidden sheets: 1. Skipped hidden rows: 1."


def test_repeated_cells_end_at_the_limit() -> None:
    wide = row(cell("x", 'table:number-columns-repeated="16384"'), more='table:number-rows-repeated="1048576"')
    page = read(opendocument(sheet("S", wide), "spreadsheet"))
    assert f"{MAX_CELLS:,}" not in page.text and "Only the first" in page.note


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (opendocument("<text:p/>"), EmptyPageError),
        (opendocument("", parts={"content.xml": "<a"}), UnsupportedContentError),
        (
            opendocument("<text:p>x</text:p>", parts={"META-INF/manifest.xml": "<m><encryption-data/></m>"}),
            ContentProtectedError,
        ),
        (packed({"mimetype": "application/vnd.oasis.opendocument.text"}), UnsupportedContentError),
    ],
)
def test_unreadable_content_is_a_typed_error(body: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        read(body)


def test_deeply_nested_lists_and_spans_are_read() -> None:
    lists = "<text:list><text:list-item>" * 100 + "<text:p>deep</text:p>" + "</text:list-item></text:list>" * 100
    spans = "<text:p>" + "<text:span>" * 200 + "in" + "</text:span>" * 200 + " after</text:p>"
    assert read(opendocument(lists + spans)).text.endswith("after")


def test_text_below_too_many_levels_is_named() -> None:
    for start, end in (
        ("<text:section>", "</text:section>"),
        ("<text:list><text:list-item>", "</text:list-item></text:list>"),
    ):
        page = read(opendocument(f"<text:p>Text</text:p>{start * 70}<text:p>deep</text:p>{end * 70}"))
        assert page.text == "Text" and page.note == "The file is damaged. Only the text before the damage was read."


def test_bold_lines_keep_their_links() -> None:
    link = '<text:span text:style-name="B"><text:a xlink:href="https://example.org/{0}">{0}</text:a></text:span>'
    body = "".join(f"<text:p>{link.format(name)}</text:p><text:p>Text.</text:p>" for name in ("Oil", "Wick", "Glass"))
    page = read(opendocument(body, automatic=SPANS))
    assert [link.url for link in page.links] == [f"https://example.org/{name}" for name in ("Oil", "Wick", "Glass")]
