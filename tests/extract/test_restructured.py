"""reStructuredText: its structure, the directives of Sphinx, and sources that try to read files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app.extract import Page, extract
from app.extract.restructured import MAX_COSTLY_LINES
from tests.extract.pages import check_offsets


def read(text: str, *, url: str = "file:///docs/pump.rst", content_type: str = "text/plain") -> Page:
    page = extract(text.encode(), url=url, content_type=content_type, charset=None)
    check_offsets(page)
    return page


def test_headings_lists_code_tables_links_and_formulas_are_kept() -> None:
    page = read(
        "Pumps\n=====\n\n.. _care:\n\nCare\n----\n\nPlain **bold** ``x<1`` `link <https://example.org/>`_ :math:`E=mc^2`.\n\n"
        "#. one\n#. two\n\n   * inner\n\n.. code-block:: python\n   :linenos:\n\n   def f():\n       return 1\n\n"
        "+---+-------+\n| A | B     |\n+===+=======+\n| 1 | x | y |\n+---+-------+\n"
    )
    assert page.text == (
        "# Pumps\n\n## Care\n\nPlain **bold** `x<1` link $E=mc^2$.\n\n1. one\n2. two\n   - inner\n\n"
        "```python\ndef f():\n    return 1\n```\n\n| A   | B      |\n|-----|--------|\n| 1   | x \\| y |"
    )
    assert [(section.heading, section.anchor) for section in page.sections] == [("Pumps", "pumps"), ("Care", "care")]
    assert page.title == "Pumps"


def test_directives_and_roles_of_sphinx_are_read() -> None:
    page = read(
        "API\n===\n\n.. toctree::\n   :maxdepth: 2\n\n   hidden\n\n.. py:function:: start(speed=3)\n\n   Start :class:`~pump.Pump`, see "
        ":ref:`the care page <care>`.\n\n   .. versionadded:: 2.1\n      The *speed*.\n\n.. some-box:: Some words\n   :any: option\n\n"
        "   Inside.\n"
    )
    assert "hidden" not in page.text
    assert "**start(speed=3)**: Start `Pump`, see the care page." in page.text
    assert "New in version 2.1" in page.text and "The *speed*." in page.text
    assert "Some words\n\nInside." in page.text


@pytest.mark.parametrize(
    "directive",
    [
        ".. include:: {}",
        ".. literalinclude:: {}",
        ".. raw:: html\n   :file: {}",
        ".. csv-table::\n   :file: {}",
        ".. raw:: html\n\n   <script>secret words</script>",
    ],
)
def test_nothing_is_read_from_disk_or_passed_through(directive: str, tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text("secret words\n")
    page = read(f"Start here.\n\n{directive.format(file)}\n\nEnd here.\n")
    assert "secret words" not in page.text
    assert bool(page.note) == ("include:" in directive)
    assert "Start here." in page.text and "End here." in page.text


@pytest.mark.parametrize(
    "source",
    [
        "\n\n".join(f"{'  ' * depth}* item" for depth in range(400)),
        "*" * 20_000,
        "`" * 20_000,
        "word :role:`" * 2_000,
        "\n".join([".. a::"] * 2_000),
        "+---+\n| a |\n" * (MAX_COSTLY_LINES + 1),
        ".. [1] a\n" * (MAX_COSTLY_LINES + 1),
        ".. |x| replace:: |x|\n\n|x| words",
        ".. default-role:: nothing\n\n`text` words",
    ],
)
def test_hostile_sources_stay_readable(source: str) -> None:
    assert read(f"Readable words.\n\n{source}").text.startswith("Readable words.")


def test_the_name_decides_only_if_the_type_is_inconclusive() -> None:
    source = "Pumps\n=====\n\n``x``"
    assert read(source, content_type="text/x-rst", url="https://example.org/page").text == "# Pumps\n\n`x`"
    html = "<!doctype html><html><body><p>A page with words.</p></body></html>"
    assert read(html, content_type="text/html").text == "A page with words."


@pytest.mark.parametrize(
    "source",
    [
        "=== ===\nfour words in rows\nxx   zz lost\n=== ===",
        "+---+\n| a lost\n+---+",
        ".. list-table::\n\n   * - a\n     - b\n   * - lost",
        ".. figure:: a.png\n   :unknown: option\n\n   The lost figure",
        ".. math:: lost\n   :nowrap:",
        ".. table:: a\n\n   No table, but lost text",
        ".. class:: Pump(speed, mode=None, \\\n             lost=1)\n\n   Starts.",
        ".. class:: Lost\n\n   Starts.",
        ".. class:: pumps.lost\n\n   Starts.",
        ".. |a| replace:: |b|\n\nlost |a|",
    ],
)
def test_text_that_docutils_cannot_read_is_kept(source: str) -> None:
    page = read(f"Before.\n\n{source}\n\nAfter.\n")
    assert "lost" in page.text.lower() and page.text.endswith("After.")
    assert "System Messages" not in page.text


def test_a_style_is_not_a_class() -> None:
    assert read(".. class:: big-orange\n\n   Words.").text == "Words."


def test_a_block_of_too_many_marks_is_plain_text() -> None:
    started = time.process_time()
    page = extract(b"Words\n\n" + b"*a `b |c " * 60_000, url="file:///a.rst", content_type="", charset=None)
    assert page.text.startswith("Words")
    assert "shown as source text" in page.note
    assert time.process_time() - started < 10


def test_a_source_on_which_docutils_fails_is_shown_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexError

    monkeypatch.setattr("app.extract.restructured.publish_parts", fail)
    page = read("Readable *words*.")
    assert (page.text, "shown as source text" in page.note) == ("Readable *words*.", True)


@pytest.mark.parametrize(
    ("name", "unit"),
    [("a.rst", ".. note:: a\n\n"), ("a.rst", ":a: b\n"), ("a.adoc", "|a |b\n"), ("a.adoc", "* a\n"), ("a.tex", "a & b \\\\\n"),
     ("a.texi", "@item\na\n"), ("a.man", ".PP\na\n")],
)  # fmt: skip
def test_data_in_a_markup_is_shown_as_it_is(name: str, unit: str) -> None:
    body = f".TH A 1\n\n{unit * (150_000 // len(unit))}\n\nthe end\n".encode()
    page = extract(body, url=f"file:///files/{name}", content_type="", charset=None)
    assert page.note == "This file is too large or damaged and is shown as source text."
    assert unit.strip() in page.text and page.text.endswith("the end")
