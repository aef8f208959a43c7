"""Notebooks: cells as sections, code with its language, outputs, damage."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import Page, extract
from app.extract.notebook import MAX_OUTPUT_CHARS
from tests.extract.pages import check_offsets

URL = "file:///files/pump.ipynb"


def cell(kind: str, source: str | list[str], *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "outputs": list(outputs)}


def read(*cells: dict[str, Any], content_type: str = "") -> Page:
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}}
    page = extract(json.dumps(notebook).encode(), url=URL, content_type=content_type, charset=None)
    check_offsets(page)
    return page


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/json", "application/x-ipynb+json"])
def test_cells_become_text_and_code(content_type: str) -> None:
    output = {"output_type": "stream", "text": ["3\n", "\x1b[31m4\x1b[0m\n"]}
    page = read(
        cell("markdown", ["# Pumps\n", "Why **they** run."]),
        cell("code", "x = 3\nprint(x < 4)", output),
        cell("raw", "as it is"),
        content_type=content_type,
    )
    assert page.text == (
        "# Pumps\n\nWhy **they** run.\n\n```python\nx = 3\nprint(x < 4)\n```\n\n```\n3\n4\n```\n\n```\nas it is\n```"
    )
    assert [(each.level, each.heading, each.anchor) for each in page.sections] == [
        (1, "Pumps", "cell=1"),
        (2, "Cell 2", "cell=2"),
        (2, "Cell 3", "cell=3"),
    ]
    assert page.title == "Pumps"


def test_outputs_are_tables_errors_and_text_but_no_figures() -> None:
    table = {"output_type": "execute_result", "data": {"text/html": "<table><tr><th>a<th>b<tr><td>1<td>2</table>"}}
    error = {"output_type": "error", "ename": "ValueError", "evalue": "no pump"}
    figure = {
        "output_type": "display_data",
        "data": {"text/plain": "<Figure size 640x480 with 1 Axes>", "image/png": "AAAA"},
    }
    text = read(cell("code", "show()", table, error, figure)).text
    assert "| a   | b   |" in text
    assert "ValueError: no pump" in text
    assert "Figure" not in text
    assert "AAAA" not in text


def test_long_outputs_are_cut() -> None:
    text = read(cell("code", "run()", {"output_type": "stream", "text": "z" * (2 * MAX_OUTPUT_CHARS)})).text
    assert text.count("z") == MAX_OUTPUT_CHARS


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'{"cells": 3}', b'{"metadata": {}}', b"[" * 100_000],
)
def test_invalid_notebooks_are_rejected(body: bytes) -> None:
    with pytest.raises(UnsupportedContentError, match="is damaged"):
        extract(body, url=URL, content_type="", charset=None)


def test_odd_cells_do_not_affect_others() -> None:
    odd: list[Any] = [None, 3, {}, {"cell_type": "code", "source": {"a": 1}, "outputs": "x"}, cell("markdown", "Text.")]
    page = extract(json.dumps({"cells": odd, "metadata": []}).encode(), url=URL, content_type="", charset=None)
    assert page.text == "Text."


def test_a_notebook_without_text_is_empty() -> None:
    with pytest.raises(EmptyPageError):
        read(cell("code", "  "))


def test_a_web_page_named_like_a_notebook_is_a_web_page() -> None:
    body = b"<html><body><p>Rendered notebook.</p></body></html>"
    assert (
        extract(body, url="https://h.example/a.ipynb", content_type="text/html", charset=None).text
        == "Rendered notebook."
    )


def test_short_cells_full_of_marks_are_formatted() -> None:
    assert read(cell("markdown", "**Note**"), cell("markdown", "a\n\nb")).text == "**Note**\n\na\n\nb"


def test_cells_of_version_3_are_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Pumps"]},
        {"cell_type": "code", "input": "x = 3", "outputs": [{"output_type": "pyout", "text": ["3"]}]},
        {"cell_type": "code", "input": "1 / 0", "outputs": [{"output_type": "pyerr", "ename": "E", "evalue": "bad"}]},
    ]
    body = json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}, None, {}]}).encode()
    page = extract(body, url=URL, content_type="", charset=None)
    assert page.text == "# Pumps\n\n```\nx = 3\n```\n\n```\n3\n```\n\n```\n1 / 0\n```\n\n```\nE: bad\n```"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"text/html": "<p>One <b>two</b></p>"}, "One **two**"),
        ({"text/markdown": "One *two*", "text/plain": "<IPython.core.display.Markdown object>"}, "One *two*"),
        ({"text/latex": "$x^2$"}, "```\n$x^2$\n```"),
    ],
)
def test_outputs_without_plain_text_are_read(data: dict[str, str], text: str) -> None:
    assert read(cell("code", "", {"output_type": "execute_result", "data": data})).text == text


def test_cut_outputs_are_named() -> None:
    page = read(cell("code", "x", {"output_type": "stream", "text": "a b\n" * MAX_OUTPUT_CHARS}))
    assert page.note == "Only the first 20,000 characters of long outputs were read."
