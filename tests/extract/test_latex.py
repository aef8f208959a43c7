"""LaTeX: its structure and its formulas, commands that are unknown, and sources that include files or never end."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.extract import Page, extract
from tests.extract.pages import check_offsets
from tests.support.growth import cost


def read(text: str, *, url: str = "https://docs.example/pump.tex") -> Page:
    page = extract(text.encode(), url=url, content_type="application/x-tex", charset=None)
    check_offsets(page)
    return page


def test_sections_lists_code_tables_formulas_and_footnotes_are_kept() -> None:
    page = read(
        "\\documentclass{article}\n\\newcommand{\\x}[1]{secret #1}\n\\title{The \\emph{Pump}}\n\\begin{document}\n\\maketitle\n"
        "\\section{Care}\\label{sec:care} % hidden words\nPlain \\textbf{bold} and \\texttt{x<1} at 50\\,\\% -- \\href{https://a.example/x\\_y}"
        "{a link}.\\footnote{The \\emph{note}.}\n"
        'M\\"uller, na\\"{\\i}ve, \\c{c}a~va. See Section~\\ref{sec:care} and \\cite[p.~2]{knuth}.\n\n'
        "\\begin{enumerate}\n\\item one\n\\item two\n\\begin{itemize}\n\\item inner\n\\end{itemize}\n\\end{enumerate}\n"
        "\\begin{description}\n\\item[Valve] Opens slowly.\n\\end{description}\n\\subsection*{Deep}\n"
        "\\begin{lstlisting}[language=Python]\ndef f(x):  # 5 % \\emph{no}\n    return x\n\\end{lstlisting}\n"
        "\\begin{tabular}{|l|r|}\n\\hline\nA & B \\\\ \\hline\n1 & a \\& b \\\\\n\\multicolumn{2}{c}{wide} \\\\\n\\hline\n\\end{tabular}\n"
        "Formula $H=\\frac{a}{b}$, costs \\$5 and\n\\begin{equation}\\label{eq:e}\nE=mc^2\n\\end{equation}\n"
        "\\begin{quote}Quoted text.\\end{quote}\n\\unknown[opt]{kept text}\\indexdef{secret}{words} \\verb|a_b{|\n\\end{document}\nAfter.\n"
    )
    assert page.text == (
        "# The Pump\n\n## Care\n\nPlain **bold** and `x<1` at 50 % – a link.[1] Müller, naïve, ça va. "
        "See Section sec:care and [knuth].\n\n"
        "1. one\n2. two\n   - inner\n\n**Valve**: Opens slowly.\n\n### Deep\n\n"
        "```python\ndef f(x):  # 5 % \\emph{no}\n    return x\n```\n\n| A    | B     |\n|------|-------|\n| 1    | a & b |\n"
        "| wide | wide  |\n\n"
        "Formula $H=\\frac{a}{b}$, costs $5 and\n\n$$E=mc^2$$\n\n> Quoted text.\n\nkept text `a_b{`\n\n---\n\n1. The *note*."
    )
    assert [(section.heading, section.anchor) for section in page.sections][1:] == [
        ("Care", "sec:care"),
        ("Deep", None),
    ]
    assert page.title == "The Pump"
    assert [link.url for link in page.links] == ["https://a.example/x_y"]


def test_a_part_of_a_document_is_read_and_long_tables_keep_one_header() -> None:
    page = read(
        "\\chapter{One}\n\\section{Two}\n\\begin{longtable}{ll}\nA & B \\\\\n\\endfirsthead\nA & B \\\\\n\\endhead\nmore \\\\\n\\endfoot\n"
        "1 & 2 \\\\\n\\end{longtable}\n"
    )
    assert page.text == "# One\n\n## Two\n\n| A   | B   |\n|-----|-----|\n| 1   | 2   |"


def test_nothing_is_included(tmp_path: Path) -> None:
    file = tmp_path / "secret.tex"
    file.write_text("secret words\n")
    page = read(f"Start.\n\n\\input{{{file}}}\n\\lstinputlisting[x=1]{{{file}}}\n\nEnd.\n")
    assert page.text == "Start.\n\nEnd."
    assert page.note == "Files that this one includes are not read: 2."


@pytest.mark.real
@pytest.mark.parametrize(
    "unit",
    ["{", "}", "$", "$a", "\\(", "\\[a", "\\begin{a}", "\\end{a}", "\\begin{a}{\\end{b}", "\\begin{verbatim}", "\\begin{equation}",
     "\\url{",
     "\\url{{{a}", "\\item[", "\\begin{itemize}\\item a ", "\\item a ", "\\textbf{a", "\\textbf{a}", "\\footnote{a", "\\footnote{a} ", "&",
     "\\\\", "\\section{a}", "\\section{", "\\verb|", "%a", "\n ", "\\begin{tabular}{l}a&", "\\newcommand{\\a}[1]", "\\'", "\\href{a}{",
     "\\begin{tabular}{l}a\\\\\\endhead ", "\\cite[a]", "[", "\\emph ", "\\title{", "\\caption{a}"],
)  # fmt: skip
def test_hostile_sources_are_read_in_linear_time(unit: str) -> None:
    def parse(text: str) -> None:
        extract(b"\\title{a}" + text.encode(), url="file:///a.tex", content_type="", charset=None)

    assert cost(lambda size: unit * (size // len(unit)), parse, 15_000).growth < 3


@pytest.mark.real
def test_rows_of_one_table_are_read_in_linear_time() -> None:
    def parse(text: str) -> None:
        read(f"\\begin{{tabular}}{{ll}}{text}\\end{{tabular}}")

    assert cost(lambda size: "a & b \\\\ \\endhead " * (size // 12), parse, 10_000).growth < 3


def test_many_groups_in_one_paragraph_take_linear_time() -> None:
    def parse(text: str) -> None:
        assert (
            len(extract(text.encode(), url="file:///a.tex", content_type="", charset=None).text) == len(text) // 2 - 1
        )

    assert cost(lambda size: "{a} " * size, parse, 10_000).growth < 3
