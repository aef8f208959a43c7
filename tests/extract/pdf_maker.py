"""Create tiny PDF files for tests: pages of positioned text lines, drawn lines, an outline, links and forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 612, 792


@dataclass(frozen=True)
class Text:
    """A line of text; `font` is F1 (Helvetica) or F2 (Courier). It runs upward if `is_upward`."""

    text: str
    x: float
    y: float
    size: float = 10
    font: str = "F1"
    is_upward: bool = False

    def __str__(self) -> str:
        turn = "0 1 -1 0" if self.is_upward else "1 0 0 1"
        return f"BT /{self.font} {self.size} Tf {turn} {self.x} {self.y} Tm ({_escaped(self.text)}) Tj ET"


@dataclass(frozen=True)
class Rule:
    """A drawn line."""

    x: float
    y: float
    to_x: float
    to_y: float

    def __str__(self) -> str:
        return f"{self.x} {self.y} m {self.to_x} {self.to_y} l S"


@dataclass(frozen=True)
class Field:
    """A form field over a rectangle: a text, or a check box if `is_checked` is not None; or an annotation of another kind."""

    left: float
    bottom: float
    right: float
    top: float
    value: str = ""
    is_checked: bool | None = None
    name: str = ""
    kind: str = "Widget"
    flags: int = 4

    def __str__(self) -> str:
        state = "Yes" if self.is_checked else "Off"
        looks = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"
        kind = (
            f"/FT /Tx /V ({_escaped(self.value)})"
            if self.is_checked is None
            else f"/FT /Btn /V /{state} /AS /{state} /AP << /N << /Yes << {looks} >> /Off << {looks} >> >> >>"
        )
        name = f"/TU ({_escaped(self.name)})" if self.name else ""
        if self.kind != "Widget":
            kind = f"/Contents ({_escaped(self.value)})"
        return (
            f"<< /Type /Annot /Subtype /{self.kind} /T (field{self.left}x{self.bottom}) {name} {kind}"
            f" /Rect [{self.left} {self.bottom} {self.right} {self.top}] /F {self.flags} >>"
        )


@dataclass(frozen=True)
class Mark:
    """A web link over a rectangle."""

    url: str
    left: float
    bottom: float
    right: float
    top: float


def column(text: str, *, x: float = 72, top: float = 700, step: float = 12) -> list[Text]:
    """Return lines below each other."""
    return [Text(line, x, top - number * step) for number, line in enumerate(text.split("\n")) if line]


def grid(
    rows: Sequence[Sequence[str]], *, x: float, top: float, width: float = 80, height: float = 18
) -> list[Text | Rule]:
    """Return a table with lines around all of its cells."""
    right, bottom = x + width * len(rows[0]), top - height * len(rows)
    drawn: list[Text | Rule] = [Rule(x, top - height * row, right, top - height * row) for row in range(len(rows) + 1)]
    drawn += [Rule(x + width * column, top, x + width * column, bottom) for column in range(len(rows[0]) + 1)]
    for number, row in enumerate(rows):
        texts = [Text(text, x + width * column + 4, top - height * number - 13) for column, text in enumerate(row)]
        drawn += [text for text in texts if text.text]
    return drawn


def make_pdf(
    pages: Sequence[Sequence[Text | Rule]],
    *,
    title: str = "",
    date: str = "",
    creator: str = "",
    outline: Sequence[tuple[str, int]] = (),
    links: Sequence[tuple[int, Mark]] = (),
    fields: Sequence[tuple[int, Field]] = (),
    turned: int = 0,
    encrypt: bool = False,
    is_wide: bool = False,
    visible: str = "",
) -> bytes:
    """Return a PDF file. `outline`, `links` and `fields` refer to pages from 0; `turned` is the rotation of the pages, `visible` a
    part of them.
    """
    objects: list[bytes] = []
    width, height = (HEIGHT, WIDTH) if is_wide else (WIDTH, HEIGHT)
    crop = f"/CropBox [{visible}]" if visible else ""

    def add(content: str | bytes) -> int:
        objects.append(content.encode("latin-1") if isinstance(content, str) else content)
        return len(objects)

    catalog, tree = add(""), add("")
    fonts = [
        add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
        for name in ("Helvetica", "Courier")
    ]
    kids = []
    form: list[int] = []
    for number, lines in enumerate(pages):
        stream = "\n".join(map(str, lines))
        content = add(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        marks = [
            add(
                f"<< /Type /Annot /Subtype /Link /Rect [{mark.left} {mark.bottom} {mark.right} {mark.top}]"
                f" /A << /S /URI /URI ({_escaped(mark.url)}) >> >>"
            )
            for page, mark in links
            if page == number
        ]
        widgets = [add(str(field)) for page, field in fields if page == number]
        form += widgets
        annotations = " ".join(f"{mark} 0 R" for mark in [*marks, *widgets])
        kids.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {width} {height}] {crop} /Rotate {turned} /Contents {content} 0 R"
                f" /Annots [{annotations}] /Resources << /Font << /F1 {fonts[0]} 0 R /F2 {fonts[1]} 0 R >> >> >>"
            )
        )
    objects[tree - 1] = (
        f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
    )
    outlines = _add_outline(add, objects, outline, kids)
    acroform = f" /AcroForm << /Fields [{' '.join(f'{field} 0 R' for field in form)}] >>" if form else ""
    objects[catalog - 1] = f"<< /Type /Catalog /Pages {tree} 0 R{outlines}{acroform} >>".encode()
    info = add(f"<< /Title ({_escaped(title)}) /CreationDate ({date}) /Creator ({creator}) >>")
    lock = "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{0}> /U <{0}> >> /ID [<00> <00>]".format("41" * 32)
    return pdf_file(objects, f"/Root {catalog} 0 R /Info {info} 0 R {lock if encrypt else ''}")


def _add_outline(add, objects, outline, kids) -> str:  # type: ignore[no-untyped-def]
    if not outline:
        return ""
    root = add("")
    first = len(objects) + 1
    for place, (name, page) in enumerate(outline):
        following = f" /Next {first + place + 1} 0 R" if place + 1 < len(outline) else ""
        add(f"<< /Title ({_escaped(name)}) /Parent {root} 0 R /Dest [{kids[page]} 0 R /Fit]{following} >>")
    objects[root - 1] = (
        f"<< /Type /Outlines /First {first} 0 R /Last {len(objects)} 0 R /Count {len(outline)} >>".encode()
    )
    return f" /Outlines {root} 0 R"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def pdf_file(objects: list[bytes], trailer: str) -> bytes:
    """Return a file of numbered objects."""
    body = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer.encode(), len(body))
    return body + table + end
