"""PDF files: paragraphs, words, running lines, headings, links, and unreadable files."""

from __future__ import annotations

import io
import time
import zlib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import ContentProtectedError, EmptyPageError, UnsupportedContentError, WebRAGError
from app.extract import Page, extract
from app.extract.pdf.forms import without_endless_forms
from app.extract.pdf.lines import Line, PageText
from app.extract.pdf.structure import Heading, outline_headings
from tests.extract.pdf_maker import Mark, Text, column, make_pdf, pdf_file
from tests.support.growth import cost

PROSE = (
    "The oven must be hot before the loaf goes in, because the first minutes\n"
    "decide how far it rises, and a cold oven dries the crust too early to stret-\n"
    "ch at all. The well-\n"
    "known rule says thirty minutes."
)

WORDS = ["salt", "flour", "water", "rye", "yeast", "malt", "bran", "spelt", "oats"]


def pdf_page(body: bytes, *, url: str = "https://h.example/book.pdf") -> Page:
    page = extract(body, url=url, content_type="application/pdf", charset=None)
    for link in page.links:
        assert page.text[link.start : link.end] == link.text
    assert [section.start for section in page.sections[1:]] == [section.end for section in page.sections[:-1]]
    assert page.sections[-1].end == len(page.text)
    return page


def test_lines_become_paragraphs_and_broken_words_are_whole() -> None:
    text = [
        *column(PROSE),
        *column("A second paragraph stands further below, and it also is well-known, and\nends.", top=600),
    ]
    page = pdf_page(make_pdf([text]))
    assert page.text == (
        "The oven must be hot before the loaf goes in, because the first minutes decide how far it rises, and a cold"
        " oven dries the crust too early to stretch at all. The well-known rule says thirty minutes."
        "\n\nA second paragraph stands further below, and it also is well-known, and ends."
    )


def test_each_page_is_a_section_that_can_be_cited() -> None:
    page = pdf_page(make_pdf([column("first page"), column(""), column("third page")]))
    found = [(section.anchor, page.text[section.start : section.end].strip()) for section in page.sections]
    assert found == [("page=1", "first page"), ("page=3", "third page")]
    assert page.sections[1].heading == "Page 3"


def test_running_headers_footers_and_page_numbers_are_removed() -> None:
    pages = [
        [
            Text(f"The Baker's Handbook    Chapter {number // 4}", 72, 760),
            *column(f"{WORDS[number]} is what begins this page\nand the oven number {number} is hot."),
            Text(f"{number}", 300, 30),
        ]
        for number in range(1, 9)
    ]
    page = pdf_page(make_pdf(pages))
    assert "Handbook" not in page.text
    assert page.text.split("\n\n")[2] == "rye is what begins this page and the oven number 3 is hot."
    assert len(page.text.split("\n\n")) == 8


def test_a_single_line_at_the_edge_is_kept() -> None:
    page = pdf_page(make_pdf([[Text("A remark at the top", 72, 760), *column("Body text.")], column("More text.")]))
    assert "A remark at the top" in page.text


def test_lines_are_read_from_top_to_bottom_in_any_order_of_the_file() -> None:
    lines = column(
        "One line that is first in the order,\nthe second of these lines follows,\nthe third of them is last."
    )
    page = pdf_page(make_pdf([lines[::-1]]))
    assert (
        page.text
        == "One line that is first in the order, the second of these lines follows, the third of them is last."
    )


def test_two_columns_stay_apart() -> None:
    left = column("Left column begins at\nthe top and goes on\nuntil it ends here.", x=60)
    right = column("The right column is\nread after it, as the\nfile has it.", x=330)
    text = pdf_page(make_pdf([left + right])).text
    assert text.index("until it ends here.") < text.index("The right column")


def test_code_keeps_its_lines_and_indentation() -> None:
    code = [Text("def bake(loaf):", 90, 640, font="F2"), Text("return loaf.heat()", 114, 628, font="F2")]
    page = pdf_page(make_pdf([[*column("Some text before:"), *code, *column("and behind it.", top=600)]]))
    assert "```\ndef bake(loaf):\n    return loaf.heat()\n```" in page.text


def test_outline_titles_become_headings_in_place() -> None:
    pages = [
        [
            Text("1 Flour", 72, 700, 14),
            *column("About flour.", top=660),
            Text("1.1 Rye", 72, 600),
            *column("Dark.", top=580),
        ],
        column("More about rye on the next page."),
        [Text("2 Water", 72, 700, 14), *column("About water.", top=660)],
    ]
    outline = [("Flour", 0), ("1.1 Rye", 0), ("Water", 2), ("Elsewhere", 2)]
    page = pdf_page(make_pdf(pages, title="Bread", date="D:20240309", outline=outline))
    assert (page.title, page.published) == ("Bread", "2024-03-09")
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("1 Flour", "page=1"),
        ("1.1 Rye", "page=1"),
        ("1.1 Rye", "page=2"),
        ("2 Water", "page=3"),
    ]
    assert page.text.startswith("# 1 Flour\n\nAbout flour.\n\n# 1.1 Rye\n\nDark.\n\nMore about rye")


def test_titles_are_found_in_linear_time_and_in_order() -> None:
    def headings(size: int) -> list[Heading]:
        lines = tuple(
            Line(f"{place % 7}. Part {place // 2}", 0.0, 9.0, -place, -place, 9.0, False) for place in range(size)
        )
        titles = [(1, title) for place in range(size) for title in (f"Part {place}", f"Missing {place}")]
        return outline_headings(PageText(1, 9.0, 9.0, lines), titles)

    assert [(each.title, each.first, each.last) for each in headings(4)] == [
        *((title, 0, 0) for title in ("Missing 0", "Missing 1", "Part 2", "Missing 2", "Part 3", "Missing 3")),
        ("0. Part 0", 0, 1),
        ("2. Part 1", 2, 3),
    ]
    assert cost(lambda size: size, headings, 1_000).growth < 2.6


def test_without_an_outline_larger_type_marks_headings_and_the_title() -> None:
    body = "\n".join(["Plain words of the body that go on and on."] * 20)
    page = pdf_page(make_pdf([[Text("The Great Book", 72, 740, 20), *column(body)]], title="Microsoft Word - x.doc"))
    assert page.title == "The Great Book"
    assert page.text.startswith("# The Great Book\n\nPlain words")


def test_links_to_the_web_are_kept() -> None:
    lines = column("See the guide of the mill for more.")
    marks = [
        (0, Mark("https://mill.example/guide", 90, 695, 138, 712)),
        (0, Mark("javascript:alert(1)", 140, 695, 180, 712)),
    ]
    page = pdf_page(make_pdf([lines], links=marks))
    assert [link.url for link in page.links] == ["https://mill.example/guide"]
    assert page.links[0].text in "See the guide of the mill"


def test_plain_text_that_looks_like_markdown_is_not_a_heading() -> None:
    assert pdf_page(make_pdf([column("# apt install bread")])).text == "\\# apt install bread"


def test_a_scanned_file_is_reported() -> None:
    with pytest.raises(EmptyPageError, match=r"has no text layer, only images \(pages: 2\)") as caught:
        pdf_page(make_pdf([[], []]))
    assert "OCR" in caught.value.hint


def test_pages_without_text_are_noted() -> None:
    assert pdf_page(make_pdf([column("text"), [], []])).note == "2 of 3 pages have no text and may be scanned images."


def test_a_file_with_a_password_is_protected_content() -> None:
    with pytest.raises(ContentProtectedError, match="password") as caught:
        pdf_page(make_pdf([column("secret")], encrypt=True))
    assert "password" in caught.value.hint


@pytest.mark.parametrize("body", [b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF", b"%PDF-", b"no PDF at all"])
def test_a_damaged_file_is_an_error_with_a_hint(body: bytes) -> None:
    with pytest.raises(UnsupportedContentError, match="is damaged"):
        pdf_page(body)


def test_only_so_many_pages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.extract.pdf.document.MAX_PDF_PAGES", 2)
    page = pdf_page(make_pdf([column(f"page {number}") for number in "abc"]))
    assert page.note == "Only the first 2 of 3 pages were read."
    assert "page c" not in page.text


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 4000), st.binary(max_size=40))
def test_damage_anywhere_is_read_or_a_typed_error(place: int, junk: bytes) -> None:
    body = make_pdf([column(PROSE), column(PROSE)], outline=[("The oven", 0)])
    with suppress(WebRAGError):
        pdf_page(body[:place] + junk + body[place + len(junk) :])


def test_pages_are_read_by_the_dozen_a_second() -> None:
    body = make_pdf(
        [column("\n".join(f"Line {line} of page {number} is here." for line in range(45))) for number in range(60)]
    )
    started = time.process_time()
    pdf_page(body)
    assert time.process_time() - started < 6


@pytest.mark.parametrize("address", ["hTtps://h.example/a", "HTTPS://h.example/a"])
def test_schemes_of_links_are_in_small_letters(address: str) -> None:
    body = make_pdf([column("See the manual.\nThen read on.")], links=[(0, Mark(address, 60, 690, 400, 712))])
    assert [link.url for link in pdf_page(body).links] == ["https://h.example/a"]


def test_a_line_has_no_line_end_inside() -> None:
    body = make_pdf([[Text("One\rtwo three", 72, 700)]])
    assert pdf_page(body).text.split("\n") == ["One two three"]


def test_a_lone_surrogate_in_declared_text_is_replaced() -> None:
    half = "\\376\\377\\330\\000"
    pages = [column("The words of the file, one after the other.")]
    body = make_pdf(pages, title="TITLE", date="DATE", outline=[("MARK", 0)])
    for name in (b"TITLE", b"DATE", b"MARK"):
        body = body.replace(b"(" + name + b")", f"({half})".encode())
    assert "The words of the file" in extract(body, url="https://h.example/a.pdf", content_type="", charset=None).text


def test_ligatures_of_fonts_without_names_are_read() -> None:
    page = pdf_page(make_pdf([column("The \x1crst coe\x1ecient is \x10di\x1berent\x11, x \x1e y.")]))
    assert page.text == "The first coefficient is “different”, x  y."


def test_accents_over_letters_belong_to_them() -> None:
    words = [Text("Pr", 72, 700), Text("\xa8", 83.1, 700), Text("amien", 82, 700)]
    page = pdf_page(make_pdf([[*words, Text("Not over\xb4", 72, 688)]]))
    assert page.text == "Prämien\nNot over´"


@pytest.mark.parametrize(("creator", "words"), [("groff version 1.22.4", "they are"), ("Writer", "theyare")])
def test_narrow_spaces_of_groff_are_kept(creator: str, words: str) -> None:
    page = pdf_page(make_pdf([[Text("Here they", 72, 700), Text("are", 117.4, 700)]], creator=creator))
    assert words in page.text


def test_attached_files_are_counted() -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(make_pdf([column("Some words of text")]))
    document.new_attachment("a.txt").set_data(b"attached")
    body = io.BytesIO()
    document.save(body)
    page = extract(body.getvalue(), url="file:///a.pdf", content_type="", charset=None)
    assert page.note == "Attached files are not read: 1."


def file_of_forms(*drawing: tuple[dict[str, int], bytes], is_packed: bool, is_shared: bool) -> bytes:
    """Return a file whose page draws the first form; each form has names for others and draws some of them."""
    text = b"BT /F 12 Tf 20 %d Td (Form %d) Tj ET "
    listed = (
        b"<< /Font << /F 5 0 R >> /XObject << %s >> >>"
        % " ".join(f"/{name} {6 + target} 0 R" for name, target in names.items()).encode()
        for names, _ in drawing
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>",
        b"<< /Length 58 >>\nstream\nBT /F 12 Tf 20 180 Td (Some text of the page) Tj ET /X Do \nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    resources = list(listed)
    for place, (_, drawn) in enumerate(drawing):
        content = text % (20 * place, place) + drawn
        content = zlib.compress(content) if is_packed else content
        named = b"%d 0 R" % (6 + len(drawing) + place) if is_shared else resources[place]
        looks = b"/Subtype /Form /BBox [0 0 200 200] /Resources %s /Length %d" % (named, len(content))
        objects.append(b"<< %s %s >>\nstream\n%s\nendstream" % (looks, b"/Filter /FlateDecode" * is_packed, content))
    return pdf_file([*objects, *resources], "/Root 1 0 R")


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize(
    "forms",
    [
        [({"A": 0}, b"/A Do /A Do")],
        [({"A": 1}, b"/A Do /A Do"), ({"A": 0}, b"/A Do /A Do")],
        [*(({"A": place + 1}, b"/A Do /A Do /A Do") for place in range(35)), ({}, b"")],
    ],
)
def test_forms_that_draw_endlessly_many_are_left_out(
    forms: list[tuple[dict[str, int], bytes]], is_packed: bool, is_shared: bool
) -> None:
    began = time.process_time()
    assert pdf_page(file_of_forms(*forms, is_packed=is_packed, is_shared=is_shared)).text == "Some text of the page"
    assert time.process_time() - began < 5


def test_forms_are_left_out_after_a_total_size(monkeypatch: pytest.MonkeyPatch) -> None:
    body = file_of_forms(({"A": 1}, b"/A Do"), ({}, b""), is_packed=True, is_shared=False)
    assert "Form 1" in pdf_page(body).text
    monkeypatch.setattr("app.extract.pdf.forms._MAX_ALL_BYTES", 10)
    assert pdf_page(body).text == "Some text of the page"


def test_a_list_that_many_forms_share_is_read_once() -> None:
    form = b"%d 0 obj << /Subtype /Form /Resources 1 0 R >> stream\nendstream endobj\n"
    names = b" ".join(b"/X%d %d 0 R" % (number, number) for number in range(2, 2_000))
    body = b"1 0 obj << /XObject << %s >> >> endobj\n" % names + b"".join(form % number for number in range(2, 2_000))
    began = time.process_time()
    assert without_endless_forms(body) == body
    assert time.process_time() - began < 1


def test_other_forms_are_read_though_their_names_include_themselves() -> None:
    forms = [({"A": 0, "B": 1}, b"/B Do /B Do"), ({"A": 0, "B": 1}, b"")]
    text = pdf_page(file_of_forms(*forms, is_packed=True, is_shared=True)).text
    assert "Form 0" in text and "Form 1" in text


def file_of_fonts(*pages: tuple[int, str]) -> bytes:
    """Return a file with pages of one line, in font 1, or in font 2, which does not name its letters."""
    inner = "/Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{6 + 2 * page} 0 R' for page in range(len(pages)))}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [<< {inner} >>] >>".encode(),
    ]
    for font, text in pages:
        codes = text.encode().hex() if font == 1 else "".join(f"{ord(sign) - 29:04x}" for sign in text)
        drawing = f"BT /F{font} 12 Tf 60 700 Td <{codes}> Tj ET"
        fonts = "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>"
        objects.append(f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream".encode())
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R {fonts} >>".encode()
        )
    return pdf_file(objects, "/Root 1 0 R")


def test_pages_whose_fonts_do_not_name_their_letters_are_left_out_with_a_note() -> None:
    garbled = (2, "The lamp burns for 9 hours, and its oil cost 12 pence in 1938.")
    page = pdf_page(file_of_fonts((1, "A readable page."), garbled, (1, "Another one."), garbled))
    assert page.text == "A readable page.\n\nAnother one."
    assert page.note == "The text of 2 of 4 pages cannot be read, because its fonts do not name the letters."
    with pytest.raises(EmptyPageError, match="do not name their letters") as caught:
        pdf_page(file_of_fonts(garbled))
    assert "OCR" in caught.value.hint
