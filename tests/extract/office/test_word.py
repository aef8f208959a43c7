"""Word documents: structure, formats, omitted parts."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from app.errors import EmptyPageError
from app.extract import members
from tests.extract.office.files import URL, WORD, paragraph, read, relations, style, styles, word
from tests.extract.pages import check_offsets
from tests.support.growth import LINEAR, cost

NUMBERING = f"""<w:numbering xmlns:w="{WORD}">
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>"""


def item(text: str, level: int = 0, numbering: int = 1) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{numbering}"/></w:numPr>')


def text_of(body: str, **related: str) -> str:
    page = read(word(body, {"word/numbering.xml": NUMBERING}, n="numbering numbering.xml", **related))
    check_offsets(page)
    return page.text


def test_headings_come_from_styles_and_from_outline_levels() -> None:
    known = styles(style("H1", "heading 1"), style("Own", "Chapter", '<w:basedOn w:val="H1"/>'))
    body = (
        paragraph("One", '<w:pStyle w:val="Own"/>') + paragraph("Text.") + paragraph("Two", '<w:outlineLvl w:val="1"/>')
    )
    page = read(word(body, {"word/styles.xml": known}, s="styles styles.xml"))
    assert page.text == "# One\n\nText.\n\n## Two"
    assert [(section.level, section.heading) for section in page.sections] == [(1, "One"), (2, "Two")]


def test_text_below_a_reading_is_kept() -> None:
    reading = "<w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase>"
    assert text_of(f"<w:p><w:r><w:ruby>{reading}</w:ruby></w:r><w:r><w:t>です</w:t></w:r></w:p>") == "漢字です"


def test_alternatives_directly_in_a_paragraph_are_read() -> None:
    markup = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    choice = "<c:Choice><w:r><w:t>New</w:t></w:r></c:Choice><c:Fallback><w:r><w:t>Old</w:t></w:r></c:Fallback>"
    alternatives = f'<c:AlternateContent xmlns:c="{markup}">{choice}</c:AlternateContent>'
    assert text_of(f"<w:p>{alternatives}<w:r><w:t> words</w:t></w:r></w:p>") == "New words"


def test_charts_and_diagrams_are_read() -> None:
    point = '<pt idx="0"><v>{}</v></pt>'
    series = (
        f"<ser><tx>{point.format('North')}</tx><cat>{point.format('Q1')}</cat><val>{point.format('12')}</val></ser>"
    )
    diagram = (
        "<dataModel><pt><t><p><r><t>Plan</t></r></p></t></pt><pt><t><p><r><t>Build</t></r></p></t></pt></dataModel>"
    )
    parts = {"word/charts/chart1.xml": f"<chartSpace>{series}</chartSpace>", "word/diagrams/data1.xml": diagram}
    drawings = ("<w:chart r:id='c'/>", "<w:relIds r:dm='d'/>")
    graphics = "".join(
        f"<w:p><w:r><w:drawing><w:graphic>{each}</w:graphic></w:drawing></w:r></w:p>" for each in drawings
    )
    page = read(
        word(f"{graphics}{paragraph('End.')}", parts, c="chart charts/chart1.xml", d="diagramData diagrams/data1.xml")
    )
    assert page.text == "|     | North |\n|-----|-------|\n| Q1  | 12    |\n\nPlan\n\nBuild\n\nEnd."


def test_cells_of_a_short_row_are_below_their_columns() -> None:
    cells = "".join(f"<w:tc>{paragraph(each)}</w:tc>" for each in "ABC")
    short = f'<w:tr><w:trPr><w:gridBefore w:val="2"/></w:trPr><w:tc>{paragraph("1")}</w:tc></w:tr>'
    text = text_of(f"<w:tbl><w:tr>{cells}</w:tr>{short}</w:tbl>")
    assert text.splitlines()[2] == "|     |     | 1   |"


def test_lists_are_nested_and_continue_after_other_paragraphs() -> None:
    body = (
        item("First")
        + item("inner", 1)
        + item("Second")
        + item("more of it", 0, 2)
        + paragraph("Between.")
        + item("Third")
    )
    assert text_of(body) == "1. First\n   - inner\n\n2. Second\n\n   more of it\n\nBetween.\n\n3. Third"


def test_tables_keep_their_spans() -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    rows = (
        cell("Name") + cell("Price"),
        cell("Rotor", '<w:vMerge w:val="restart"/>') + cell("a|b"),
        cell("", "<w:vMerge/>") + cell("2"),
        cell("Both", '<w:gridSpan w:val="2"/>'),
    )
    lines = text_of("<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>").splitlines()
    cells = [[cell.strip() for cell in line.replace("\\|", "/").split("|")[1:-1]] for line in lines]
    assert cells[0] == ["Name", "Price"]
    assert cells[2:] == [["Rotor", "a/b"], ["Rotor", "2"], ["Both", "Both"]]


def test_code_keeps_every_character() -> None:
    mono = '<w:rFonts w:ascii="Courier New"/>'
    body = paragraph('if a &lt; b:  print("x")', run=mono) + paragraph("    pass", run=mono) + paragraph("Text.")
    assert text_of(body) == '```\nif a < b:  print("x")\n    pass\n```\n\nText.'


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("<w:b/>", "**x**"),
        ('<w:b w:val="0"/>', "x"),
        ("<w:i/>", "*x*"),
        ("<w:strike/>", "~~x~~"),
        ('<w:vertAlign w:val="superscript"/>', "a^x"),
        ('<w:rFonts w:ascii="Consolas"/>', "`x`"),
        ("<w:vanish/>", "a"),
        ('<w:color w:val="FFFFFF"/>', "a"),
        ('<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>', "x"),
    ],
)
def test_formats_of_runs(run: str, expected: str) -> None:
    body = f"<w:p><w:r><w:t>a</w:t></w:r><w:r><w:rPr>{run}</w:rPr><w:t>x</w:t></w:r></w:p>"
    assert expected in text_of(body)
    assert ("x" in text_of(body)) == ("x" in expected)


def test_tracked_changes_are_accepted_with_a_note() -> None:
    body = (
        "<w:p><w:r><w:t>Pay </w:t></w:r><w:del><w:r><w:delText>100</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>200</w:t></w:r></w:ins></w:p>"
    )
    page = read(word(body))
    assert page.text == "Pay 200"
    assert page.note == "Text deleted with tracked changes is not included."


def test_links_of_relations_and_of_fields() -> None:
    body = (
        '<w:p><w:hyperlink r:id="l"><w:r><w:t>one</w:t></w:r></w:hyperlink><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText> HYPERLINK "https://b.example/" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        '<w:r><w:t>two</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t> three</w:t></w:r></w:p>'
    )
    page = read(word(body, l="hyperlink external https://a.example/"))
    assert page.text == "onetwo three"
    assert [(link.url, link.text) for link in page.links] == [
        ("https://a.example/", "one"),
        ("https://b.example/", "two"),
    ]


def test_notes_follow_behind_a_rule() -> None:
    notes = f'<w:footnotes xmlns:w="{WORD}"><w:footnote w:id="2">{paragraph("The source.")}</w:footnote></w:footnotes>'
    body = '<w:p><w:r><w:t>Claim</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    page = read(word(body, {"word/footnotes.xml": notes}, f="footnotes footnotes.xml"))
    assert page.text == "Claim[1]\n\n---\n\n1. The source."


def test_formulas_are_latex() -> None:
    fraction = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    assert text_of(f"<w:p><m:oMath>{fraction}</m:oMath></w:p>") == r"$\frac{a}{2}$"


def test_images_are_named_and_text_boxes_are_read_once() -> None:
    box = f"<w:txbxContent>{paragraph('In a box.')}</w:txbxContent>"
    shapes = f'<w:drawing><w:docPr descr="A red&#10;valve"/>{box}</w:drawing>'
    copy = f"<w:AlternateContent><w:Choice>{shapes}</w:Choice><w:Fallback>{box}</w:Fallback></w:AlternateContent>"
    text = text_of(f"<w:p><w:r>{copy}</w:r></w:p>")
    assert "[Image: A red valve]" in text
    assert text.count("In a box.") == 1


def test_title_and_date_come_from_the_properties() -> None:
    core = "<core><title>Handbook</title><created>2024-03-01T10:00:00Z</created><language>de</language></core>"
    page = read(word(paragraph("Text."), {"docProps/core.xml": core}))
    assert (page.title, page.published, page.language, page.url) == ("Handbook", "2024-03-01", "de", URL)


def test_a_cut_document_is_read_up_to_the_damage() -> None:
    parts = {"word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{paragraph("Kept.")}<w:p><w:r><w:t>Los'}
    page = read(word("", parts))
    assert page.text.startswith("Kept.")
    assert page.note == "The file is damaged. Only the text before the damage was read."


def test_the_main_part_may_have_another_name() -> None:
    parts = {
        "_rels/.rels": relations(r1="officeDocument word/document2.xml"),
        "word/document2.xml": f'<w:document xmlns:w="{WORD}"><w:body>{paragraph("Here.")}</w:body></w:document>',
    }
    assert read(word("", parts)).text == "Here."


def test_a_note_that_refers_to_itself_is_written_once() -> None:
    reference = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    note = f'<w:footnote w:id="1"><w:p><w:r><w:t>again</w:t></w:r>{reference}</w:p></w:footnote>'
    parts = {"word/footnotes.xml": f'<w:footnotes xmlns:w="{WORD}">{note}</w:footnotes>'}
    page = read(
        word(f"<w:p><w:r><w:t>one</w:t></w:r>{reference}{reference}</w:p>", parts, f1="footnotes footnotes.xml")
    )
    assert page.text == "one[1][1]\n\n---\n\n1. again[1]"


DAILY = (
    "<w:p>"
    + "".join(
        f"<w:r><w:rPr>{bold}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"
        for bold, text in (("", "Wipe "), ("<w:b/>", "daily"), ("", "."))
    )
    + "</w:p>"
)
CHUNK = '<w:altChunk r:id="c{}"/>'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("afchunk.htm", "<html><head><title>Lamps</title></head><body><h2>Care</h2><p>Wipe <b>daily</b>.</p></body></html>"),
        ("chunk.rtf", r"{\rtf1{\stylesheet{\s2 heading 2;}}\pard\s2 Care\par\pard\plain Wipe {\b daily}.\par}"),
        ("inner.docx", word(paragraph("Care", '<w:outlineLvl w:val="1"/>') + DAILY)),
        ("page.mht", "MIME-Version: 1.0\nContent-Type: text/html\n\n<html><body><h2>Care</h2><p>Wipe <b>daily</b>.</p></body></html>"),
    ],
)  # fmt: skip
def test_files_that_exporters_embed_are_read(name: str, content: str | bytes) -> None:
    page = read(word(CHUNK.format(1), {f"word/{name}": content}, c1=f"aFChunk {name}"))
    assert page.text == "## Care\n\nWipe **daily**."
    assert page.url == URL


def test_several_embedded_files_follow_the_text_as_sections() -> None:
    page = read(
        word(
            paragraph("Own text.") + CHUNK.format(1) + CHUNK.format(2) + CHUNK.format(3) + CHUNK.format(4),
            {
                "word/a.htm": "<title>A</title><p>First.</p>",
                "word/b.htm": "<title>B</title><p>Second.</p>",
                "word/c.docx": b"PK\x03\x04",
            },
            c1="aFChunk a.htm",
            c2="aFChunk b.htm",
            c3="aFChunk c.docx",
        )
    )
    check_offsets(page)
    assert page.text == "Own text.\n\n# A\n\nFirst.\n\n# B\n\nSecond."
    assert page.note == "Skipped damaged, empty or too large files in the document: 2."


def test_the_time_for_embedded_files_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "READ_SECONDS", 0)
    page = read(
        word(paragraph("Own text.") + CHUNK.format(1) * 99, {"word/a.htm": "<p>A.</p>" * 9_000}, c1="aFChunk a.htm")
    )
    assert page.text == "Own text."
    assert page.note == "Skipped damaged, empty or too large files in the document: 99."


def test_embedded_documents_do_not_embed_further_ones() -> None:
    inner = word(CHUNK.format(1), {"word/deep.htm": "<p>Deep.</p>"}, c1="aFChunk deep.htm")
    with pytest.raises(EmptyPageError):
        read(word(CHUNK.format(1), {"word/inner.docx": inner}, c1="aFChunk inner.docx"))


def bold(text: str) -> str:
    return paragraph(text, run="<w:b/>")


def test_bold_lines_are_headings_in_a_document_without_heading_styles() -> None:
    body = "".join(
        bold(title) + paragraph(f"{title} is explained here.") for title in ("Duties", "1.2 Pay.", "Who may apply:")
    )
    page = read(word(bold("Ministry of Lamps") + bold("Vacancy 7") + paragraph("Posted in May.") + body))
    check_offsets(page)
    assert page.text.split("\n\n") == [
        "**Ministry of Lamps**", "## Vacancy 7", "Posted in May.", "## Duties", "Duties is explained here.", "## 1.2 Pay.",
        "1.2 Pay. is explained here.", "## Who may apply:", "Who may apply: is explained here.",
    ]  # fmt: skip
    assert [section.heading for section in page.sections] == ["Vacancy 7", "Duties", "1.2 Pay.", "Who may apply:"]
    assert page.title == "Vacancy 7"


def test_other_bold_lines_stay_as_they_are() -> None:
    warnings = "".join(bold(f"Do not open valve {number}!") + paragraph("It is hot.") for number in range(5))
    assert "#" not in read(word(warnings)).text
    few = "".join(bold(title) + paragraph("Text.") for title in ("Note", "Hint"))
    assert "#" not in read(word(few)).text
    known = styles(style("H1", "heading 1"))
    chapters = "".join(
        paragraph(f"Chapter {number}", '<w:pStyle w:val="H1"/>') + paragraph("Text.") for number in (1, 2)
    )
    notes = "".join(bold(title) + paragraph("Text.") for title in ("Note", "Hint", "Tip"))
    page = read(word(chapters + notes, {"word/styles.xml": known}, s="styles styles.xml"))
    assert [section.heading for section in page.sections] == ["Chapter 1", "Chapter 2"]


def test_words_of_bold_lines_stay_apart() -> None:
    body = "".join(bold(f"{title}</w:t><w:br/><w:t>daily") + paragraph("Text.") for title in ("Pay", "Leave", "Care"))
    page = read(word(body))
    assert [section.heading for section in page.sections] == ["Pay daily", "Leave daily", "Care daily"]


def test_a_late_bold_line_is_not_the_title() -> None:
    body = paragraph("A long opening. " * 40) + "".join(
        bold(title) + paragraph("Text.") for title in ("Pay", "Leave", "Care")
    )
    assert read(word(body)).title == PurePosixPath(URL).name


def test_bold_lines_are_found_in_linear_time() -> None:
    assert cost(lambda size: word((bold("Title") + paragraph("Text.")) * size), read, 2_000).growth <= LINEAR


def test_check_boxes_of_forms_are_shown() -> None:
    def box(state: str) -> str:
        begin = f'<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>{state}</w:checkBox></w:ffData></w:fldChar>'
        return (
            f"<w:r>{begin}</w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r>"
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    on, off = '<w:default w:val="1"/>', '<w:default w:val="0"/>'
    answers = [on, off, f"{off}<w:checked/>", f'{on}<w:checked w:val="0"/>']
    line = "".join(f"{box(state)}<w:r><w:t> {place} </w:t></w:r>" for place, state in enumerate(answers))
    assert text_of(f"<w:p>{line}</w:p>") == "☒ 0 ☐ 1 ☒ 2 ☐ 3"


def test_symbols_of_wingdings_are_shown() -> None:
    signs = "".join(
        f'<w:r><w:sym w:font="Wingdings" w:char="{code}"/></w:r>' for code in ("F0FE", "F0A8", "F0FC", "F04A")
    )
    assert text_of(f"<w:p>{signs}<w:r><w:t> done</w:t></w:r></w:p>") == "☑☐✓ done"
