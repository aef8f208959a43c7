"""The cost of preparing bodies of artificial shapes: four times the size is about four times the work."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import pairwise
from time import process_time

import pytest

from app import caps
from app.embed.folder import TOKENIZER_FILE
from app.ingest.chunking import pack
from app.ingest.pieces import cut_blocks
from app.ingest.prepared import Body, Prepared, prepare_here
from app.paths import assets_dir
from app.text.markdown_blocks import PROSE, scan_blocks
from app.text.tokens import CHARS_PER_TOKEN, ChunkingLimits, token_counter

pytestmark = pytest.mark.real

COUNT = token_counter(assets_dir() / "model" / TOKENIZER_FILE)
LIMITS = ChunkingLimits(220, token_counter(None))
SIZE = 8_000

HTML: dict[str, Callable[[int], str]] = {
    "an endless word": lambda n: f"<p>{'a' * n * 4}</p>",
    "a long line of code": lambda n: f"<pre>{'x' * n * 4}</pre>",
    "a paragraph without a full stop": lambda n: f"<p>{'word and other word ' * (n // 10)}</p>",
    "links in a row": lambda n: "".join(f"<a href=/{i}>item {i}</a>\n" for i in range(n // 40)),
    "headings alone": lambda n: "".join(f"<h2>Heading {i}</h2>" for i in range(n // 25)),
    "code spans in one paragraph": lambda n: f"<p>{'Call <code>f. G</code> now. ' * (n // 25)}</p>",
    "a wide table": lambda n: f"<table>{('<tr>' + '<td>c</td>' * (n // 100) + '</tr>') * 4}</table>",
    "one line of tiny sentences": lambda n: f"<p>{'Go. ' * (n // 4)}</p>",
}
MARKDOWN: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "[" * n * 2,
    "backticks": lambda n: "a ` " * n * 2,
    "a list": lambda n: "".join(f"- item {i}\n" for i in range(n // 20)),
    "comments of MDX": lambda n: "import A from 'a'\n\n" + "{/* a " * (n // 4),
    "signs of formulas": lambda n: "$$a\n" * (n // 4),
}
PLAIN: dict[str, Callable[[int], str]] = {
    "unclosed formulas": lambda n: "$$a\n" * (n // 4),
    "numbers": lambda n: "".join(f"{i}\n" for i in range(n // 6)),
    "a table rule that is none": lambda n: f"a|b\n{' ' * n}-{' ' * n}x|\n",
}
SHAPES = [
    *(pytest.param("text/html", make, id=name) for name, make in HTML.items()),
    *(pytest.param("text/markdown", make, id=f"Markdown, {name}") for name, make in MARKDOWN.items()),
    *(pytest.param("text/plain", make, id=f"plain, {name}") for name, make in PLAIN.items()),
]


def prepare(content: str, content_type: str) -> Prepared:
    return prepare_here(Body(content.encode(), "https://docs.example/x", content_type), LIMITS)


def seconds(content: str, content_type: str) -> float:
    gc.collect()
    started = process_time()
    prepare(content, content_type)
    return process_time() - started


@pytest.mark.parametrize(("content_type", "make"), SHAPES)
def test_the_work_is_proportional_to_the_body(content_type: str, make: Callable[[int], str]) -> None:
    prepare(make(1_000), content_type)
    small = min(seconds(make(SIZE), content_type) for _ in range(2))
    # Four times the work for four times the body; sixteen times would be quadratic. Measured again after an
    # interruption.
    most = 9 * small + 0.1
    assert any(seconds(make(4 * SIZE), content_type) < most for _ in range(2))


def test_no_text_of_megabytes_is_counted() -> None:
    longest = 0

    def count(texts: Sequence[str]) -> list[int]:
        nonlocal longest
        longest = max([longest, *map(len, texts)])
        return COUNT(texts)

    limits = ChunkingLimits(220, count)
    prepared = prepare_here(Body(b"<p>" + b"a" * 300_000 + b"</p>", "https://docs.example/x", "text/html"), limits)
    assert longest <= 220 * CHARS_PER_TOKEN
    assert sum(len(chunk.text) for chunk in prepared.chunks) > 0


def test_chunking_stops_after_the_last_kept_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0

    def count(texts: Sequence[str]) -> list[int]:
        nonlocal counted
        counted += sum(map(len, texts))
        return COUNT(texts)

    monkeypatch.setattr(caps, "MAX_CHUNKS_PER_DOCUMENT", 5)
    text = " ".join(f"Sentence number {n} says something of its own." for n in range(60_000))
    body = Body(text.encode(), "https://docs.example/x.txt", "text/plain")
    prepared = prepare_here(body, ChunkingLimits(220, count))
    assert len(prepared.chunks) == 5
    assert counted < len(text) / 4


def test_pieces_packed_in_windows_contain_all_tokens_within_the_limit() -> None:
    text = "".join(f"It is {n}. " for n in range(30_000))
    [block] = scan_blocks(text, [])
    assert block.kind in PROSE
    chunks = list(pack(text, cut_blocks(text, [(block, len(text))], COUNT, 60), 60))
    assert chunks[0].start == 0
    assert chunks[-1].end == len(text.rstrip())
    assert all(after.start <= before.end + 1 for before, after in pairwise(chunks))
    assert all(after.end > before.end for before, after in pairwise(chunks))
    assert max(chunk.tokens for chunk in chunks) <= 60


def test_millions_of_small_blocks_are_joined_without_loss() -> None:
    text = "\n\n".join(f"line {n}" for n in range(120_000))
    blocks = list(scan_blocks(text, []))
    assert len(blocks) < 105_000
    assert " ".join(text[block.start : block.end] for block in blocks).split() == text.split()


def test_a_long_markdown_file_is_read_in_parts_as_one_page() -> None:
    part = "## Valve {0}\n\nIt opens at [the limit][limit] of {0} bar, see `valve_{0}`.\n\n"
    source = "# Valves\n\n" + "".join(map(part.format, range(7_000))) + "[limit]: /limit\n"
    page = prepare(source, "text/markdown").page
    assert len(page.sections) == 7_001
    assert len({section.anchor for section in page.sections}) == 7_001
    assert page.text.count("It opens at the limit of ") == 7_000
    assert {link.url for link in page.links} == {"https://docs.example/limit"}
    assert "shown as source text" not in page.note


def test_a_table_cut_at_the_end_of_a_part_repeats_its_header() -> None:
    rows = "".join(f"| {n} | value of {n}: {'something to say, ' * 4} |\n" for n in range(6_000))
    text = prepare(f"| number | value |\n|---|---|\n{rows}", "text/markdown").page.text
    assert text.count("| number ") > 1
    assert "| 5999 " in text
