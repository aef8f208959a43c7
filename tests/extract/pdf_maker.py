"""Tiny PDF files for tests: pages of text lines, each with its place and size; an outline; links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 612, 792


@dataclass(frozen=True)
class Text:
    """A line of text; `font` is F1 (Helvetica) or F2 (Courier)."""

    text: str
    x: float
    y: float
    size: float = 10
    font: str = "F1"


@dataclass(frozen=True)
class Mark:
    """A web link over a rectangle."""

    url: str
    left: float
    bottom: float
    right: float
    top: float


def column(text: str, *, x: float = 72, top: float = 700, step: float = 12) -> list[Text]:
    """Lines one below the other."""
    return [Text(line, x, top - number * step) for number, line in enumerate(text.split("\n")) if line]


def make_pdf(
    pages: Sequence[Sequence[Text]],
    *,
    title: str = "",
    date: str = "",
    outline: Sequence[tuple[str, int]] = (),
    links: Sequence[tuple[int, Mark]] = (),
    encrypt: bool = False,
) -> bytes:
    """A PDF file; `outline` and `links` name pages from 0 on."""
    objects: list[bytes] = []

    def add(content: str | bytes) -> int:
        objects.append(content.encode("latin-1") if isinstance(content, str) else content)
        return len(objects)

    catalog, tree = add(""), add("")
    fonts = [add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>") for name in ("Helvetica", "Courier")]
    kids = []
    for number, lines in enumerate(pages):
        stream = "\n".join(
            f"BT /{line.font} {line.size} Tf {line.x} {line.y} Td ({_escaped(line.text)}) Tj ET" for line in lines
        )
        content = add(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        marks = [
            add(
                f"<< /Type /Annot /Subtype /Link /Rect [{mark.left} {mark.bottom} {mark.right} {mark.top}]"
                f" /A << /S /URI /URI ({_escaped(mark.url)}) >> >>"
            )
            for page, mark in links
            if page == number
        ]
        annotations = " ".join(f"{mark} 0 R" for mark in marks)
        kids.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {content} 0 R"
                f" /Annots [{annotations}] /Resources << /Font << /F1 {fonts[0]} 0 R /F2 {fonts[1]} 0 R >> >> >>"
            )
        )
    objects[tree - 1] = (
        f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
    )
    outlines = _add_outline(add, objects, outline, kids)
    objects[catalog - 1] = f"<< /Type /Catalog /Pages {tree} 0 R{outlines} >>".encode()
    info = add(f"<< /Title ({_escaped(title)}) /CreationDate ({date}) >>")
    lock = "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{0}> /U <{0}> >> /ID [<00> <00>]".format("41" * 32)
    return _file(objects, f"/Root {catalog} 0 R /Info {info} 0 R {lock if encrypt else ''}")


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


def _file(objects: list[bytes], trailer: str) -> bytes:
    body = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer.encode(), len(body))
    return body + table + end
