"""Chunks: exact ranges, hard limits, well-formed parts, stable keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import caps
from app.embed.embedder import Embedder
from app.extract import Page, extract
from app.ingest.chunking import chunk_page, folded
from app.library.records import ChunkIn
from app.orchestration.assembly import CHUNK_TOKENS
from app.text.markdown_blocks import Kind, scan_blocks
from app.text.terms import split_identifiers

URL = "https://docs.example/guide"
Counter = Callable[[Sequence[str]], list[int]]


def words(texts: Sequence[str]) -> list[int]:
    """Count words and signs as tokens."""
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def characters(texts: Sequence[str]) -> list[int]:
    """Count a token for every three characters, rounded up."""
    return [-(-len(text) // 3) for text in texts]


def page_of(markdown: str) -> Page:
    return extract(markdown.encode(), url=f"{URL}.md", content_type="text/markdown", charset="utf-8")


def chunks_of(page: Page, limit: int = 60, count: Counter = words) -> tuple[ChunkIn, ...]:
    return chunk_page(page, url=URL, count_tokens=count, max_tokens=limit)


def core(chunk: ChunkIn) -> str:
    return chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]


def check_spans(page: Page, chunks: Sequence[ChunkIn], limit: int, count: Counter) -> None:
    """Check that ranges are exact and in order, keys differ, and no chunk is too large or empty."""
    for chunk in chunks:
        assert core(chunk) == page.text[chunk.start : chunk.end]
        assert chunk.tokens <= limit
        assert count([chunk.text])[0] <= limit
        assert chunk.text.strip()
    assert [chunk.start for chunk in chunks] == sorted(chunk.start for chunk in chunks)
    assert len({chunk.key for chunk in chunks}) == len(chunks)


def check_cover(page: Page, chunks: Sequence[ChunkIn]) -> None:
    """Check that chunks contain every character except white space, on a page without repetition."""
    covered = bytearray(len(page.text))
    for chunk in chunks:
        covered[chunk.start : chunk.end] = b"\x01" * (chunk.end - chunk.start)
    assert not [sign for sign, is_in in zip(page.text, covered, strict=True) if not is_in and not sign.isspace()]


GOLDEN_KEYS = [
    "aeeee44872fa391f3d5ec27efe45c49b58fd25b73224a84baafd605e3d2f41ff",
    "23f6cc4e93d55867d09fbdadaaee3a7ce0505a69e3d394340d09cb6890b112c2",
    "9a8c626868f3f7705c36be89744580900b0c7ba9ecd26affe4955d941d92c6ba",
]

GIANT_WORD = "".join(f"{n}x" for n in range(4_000))
GIANT_LINE = " ".join(f"word{n};" for n in range(3_000))

PROSE = "The tide rises slowly. It falls again after six hours. Boats wait for it in the harbour. "


def test_sections_become_chunks_with_path_and_anchor() -> None:
    page = page_of(f"# Sea\n\n{PROSE * 3}\n\n## Tides {{#tides}}\n\n{PROSE * 3}\n\n### Spring\n\n{PROSE * 3}")
    chunks = chunks_of(page, 80)
    assert [(chunk.section_path, chunk.anchor) for chunk in chunks] == [
        (("Sea",), "sea"),
        (("Sea", "Tides"), "tides"),
        (("Sea", "Tides", "Spring"), "spring"),
    ]
    assert chunks[1].text.startswith("## Tides\n\nThe tide")
    check_spans(page, chunks, 80, words)
    check_cover(page, chunks)


def test_small_siblings_share_a_chunk_and_keep_their_headings() -> None:
    page = page_of("# Words\n\n" + "\n\n".join(f"## Term {n}\n\nMeaning of term {n}." for n in range(4)))
    chunks = chunks_of(page, 60)
    assert chunks[0].section_path == ("Words",)
    assert chunks[0].anchor == "term-0"
    assert chunks[0].text.startswith("# Words\n\n## Term 0")
    assert "## Term 1" in chunks[0].text
    check_spans(page, chunks, 60, words)


def test_large_siblings_stay_apart() -> None:
    page = page_of(f"# A\n\n## B\n\n{PROSE * 4}\n\n## C\n\n{PROSE * 4}")
    assert [chunk.section_path[-1] for chunk in chunks_of(page, 200)] == ["B", "C"]


def test_no_chunk_ends_with_a_heading() -> None:
    code = "".join(f"call({n})\n" for n in range(60))
    page = page_of(f"# A\n\n{PROSE * 2}\n\n## Empty\n\n## B\n\n{PROSE * 6}\n\n## C\n\n```\n{code}```\n\n## End")
    chunks = chunks_of(page, 50)
    for chunk in chunks:
        last = chunk.text.rstrip().split("\n")[-1]
        assert not last.startswith("#") or chunk.text.strip() == last
    check_spans(page, chunks, 50, words)
    check_cover(page, chunks)


def test_prose_overlaps_by_whole_sentences_within_a_section() -> None:
    text = " ".join(f"Sentence {n} has words." for n in range(60))
    page = page_of(f"# A\n\n{text}\n\n# B\n\n{text.replace('has', 'had')}")
    chunks = chunks_of(page, 100)
    for before, after in pairwise(chunks):
        overlap = before.end - after.start
        if before.section_path != after.section_path:
            assert overlap <= 0
            continue
        assert 0 < words([page.text[after.start : before.end]])[0] <= 0.15 * 100
        assert page.text[after.start :].startswith("Sentence ")
    check_spans(page, chunks, 100, words)
    check_cover(page, chunks)


def test_a_long_fence_is_closed_and_opened_again() -> None:
    code = "\n".join(f"value_{n} = call({n})" for n in range(60))
    page = page_of(f"# A\n\nIntro.\n\n```python\n{code}\n```\n\nOutro.")
    chunks = chunks_of(page, 80)
    assert len(chunks) > 4
    for chunk in chunks:
        assert chunk.text.count("```") % 2 == 0
    middle = [chunk for chunk in chunks if chunk.prefix_length and chunk.suffix_length]
    assert all(chunk.text.startswith("```python\nvalue_") and chunk.text.endswith(")\n```") for chunk in middle)
    check_spans(page, chunks, 80, words)
    check_cover(page, chunks)


def test_a_fence_in_a_list_is_opened_again_with_its_indentation() -> None:
    code = "\n".join(f"   line {n}" for n in range(50))
    page = page_of(f"1. step\n\n   ```sh\n{code}\n   ```\n")
    chunks = chunks_of(page, 40)
    assert chunks[1].text.startswith("   ```sh\n   line")
    assert chunks[1].text.endswith("\n   ```")
    check_spans(page, chunks, 40, words)
    check_cover(page, chunks)


def test_a_long_table_repeats_its_header() -> None:
    rows = "\n".join(f"| row {n} | value {n} |" for n in range(40))
    page = page_of(f"# A\n\n| Name | Value |\n|---|---|\n{rows}\n")
    chunks = chunks_of(page, 80)
    assert len(chunks) > 3
    for chunk in chunks[1:]:
        lines = chunk.text.split("\n")
        assert lines[0].startswith("| Name")
        assert set(lines[1]) <= set("|-")
        assert all(line.startswith("| row") and line.endswith("|") for line in lines[2:])
    check_spans(page, chunks, 80, words)
    check_cover(page, chunks)


def test_a_padded_header_is_repeated_without_its_padding(embedder: Embedder) -> None:
    cells = [f"{name:<60}" for name in ("Declared type", "Resulting affinity", "Rule that decides")]
    header = f"| {' | '.join(cells)} |\n|{'|'.join(['-' * 62] * 3)}|"
    rows = "\n".join(f"| type {n:<55} | affinity {n:<51} | rule {n:<55} |" for n in range(60))
    page = page_of(f"# A\n\n{header}\n{rows}\n")
    chunks = chunks_of(page, 220, embedder.count_tokens_batch)
    assert len(chunks) > 2
    for chunk in chunks[1:]:
        assert chunk.text.startswith(
            "| Declared type | Resulting affinity | Rule that decides |\n|---|---|---|\n| type "
        )
    check_spans(page, chunks, 220, embedder.count_tokens_batch)


def test_formulas_and_code_spans_are_not_cut() -> None:
    sentence = "Here `a. b. c` holds and $x. y. z$ too. "
    page = page_of(f"# A\n\n{sentence * 30}\n\n$$\nx = 1\n$$\n")
    for chunk in chunks_of(page, 50):
        assert chunk.text.count("`") % 2 == 0
        assert chunk.text.count("$") % 2 == 0


def test_a_lead_in_stays_with_the_following_text() -> None:
    page = page_of(f"# A\n\n{PROSE * 2}\n\n{PROSE}\n\nFor example:\n\n```\nx = 1\n```\n\n{PROSE * 3}")
    (holder,) = [chunk for chunk in chunks_of(page, 70) if "For example:" in chunk.text]
    assert "x = 1" in holder.text


@pytest.mark.parametrize(
    "giant",
    [
        GIANT_WORD,
        GIANT_LINE,
        f"```\n{GIANT_WORD}\n```",
        f"```\n{GIANT_LINE}\n```",
        f"| a | b |\n|---|---|\n| {GIANT_LINE} | x |",
        f"| {GIANT_LINE} | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
        f"$$\n{GIANT_LINE}\n$$",
        f"- {GIANT_LINE}",
        f"# {GIANT_LINE}\n\ntext",
    ],
)
def test_one_giant_line_is_cut(giant: str) -> None:
    page = page_of(giant)
    for count in (words, characters):
        chunks = chunks_of(page, 64, count)
        check_spans(page, chunks, 64, count)
        check_cover(page, chunks)
        assert max(chunk.end - chunk.start for chunk in chunks) <= 64 * 32


def test_duplicates_within_a_page_are_dropped() -> None:
    again = PROSE.upper().replace(".", " ;").replace(" ", "\t")
    page = page_of(f"# A\n\n{PROSE * 3}\n\n# A\n\n{again * 3}")
    chunks = chunks_of(page, 100)
    assert len(chunks) == 1
    assert chunks[0].start == 0
    assert page.text.count("TIDE") == 3


def test_texts_that_differ_in_a_digit_or_are_short_are_not_duplicates() -> None:
    numbered = "".join(f"# Entry\n\nOn day {n} it was so. {PROSE * 3}\n\n" for n in range(3))
    assert len(chunks_of(page_of(numbered), 100)) == 3
    brief = "".join(f"# Entry\n\nSee there.\n\n# Part {n}\n\nNumber {n}. {PROSE * 3}\n\n" for n in range(3))
    assert sum(chunk.text.count("See there.") for chunk in chunks_of(page_of(brief), 100)) == 3


@pytest.mark.parametrize(
    ("text", "same"),
    [("The  tide, (rises)!", "the tide rises"), ("Übermaß", "ÜBERMASS"), ("हिन्दी। है", "हिन्दी  है"), ("a_b", "A-B")],
)
def test_folding_removes_case_space_and_punctuation(text: str, same: str) -> None:
    assert folded(text) == folded(same)


@pytest.mark.parametrize(
    ("text", "other"), [("v1.2", "v1.3"), ("हिन्दी", "हन्दी"), ("cafe\u0301", "cafe"), ("ab", "a b")]
)
def test_folding_keeps_digits_marks_and_words(text: str, other: str) -> None:
    assert folded(text) != folded(other)


def test_identifiers_and_tokens() -> None:
    page = page_of("# A\n\nUse RandomForestClassifier with n_estimators.")
    (chunk,) = chunks_of(page)
    assert chunk.identifiers == "random forest classifier estimators"
    assert chunk.tokens == words([chunk.text])[0]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("HTTPServer2 json.dumps", "http server"),
        ("sqlite3_wal_checkpoint_v2", "sqlite wal checkpoint"),
        ("plain words Only NASA", ""),
        ("asyncio.TaskGroup TaskGroup", "task group"),
        ("__init__", "init"),
    ],
)
def test_split_identifiers(text: str, parts: str) -> None:
    assert split_identifiers(text) == parts


def test_keys_are_the_same_on_every_machine() -> None:
    page = page_of(
        "# Tide\n\nThe tide rises.\n\n## Überfahrt {#u}\n\nDie Fähre fährt. " + "Viele Wörter stehen hier. " * 12
    )
    keys = [chunk.key for chunk in chunk_page(page, url=URL, count_tokens=words, max_tokens=40)]
    assert keys == GOLDEN_KEYS


def test_keys_only_depend_on_position_and_text() -> None:
    page = page_of(f"# A\n\n{PROSE * 3}\n\n# B\n\nother {PROSE * 3}")
    changed = page_of(f"# A\n\n{PROSE * 3}\n\n# B\n\nchanged {PROSE * 3}")
    before, after = chunks_of(page, 100), chunks_of(changed, 100)
    assert before[0].key == after[0].key
    assert before[1].key != after[1].key
    assert chunk_page(page, url="https://else.example/", count_tokens=words, max_tokens=100)[0].key != before[0].key


def test_plain_text_without_headings() -> None:
    body = "\n\n".join(f"Paragraph {n}. {PROSE}" for n in range(20)).encode()
    page = extract(body, url="https://h.example/a.txt", content_type="text/plain", charset=None)
    chunks = chunks_of(page, 60)
    assert {chunk.section_path for chunk in chunks} == {()}
    check_spans(page, chunks, 60, words)
    check_cover(page, chunks)


def test_the_number_of_chunks_is_capped(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(caps, "MAX_CHUNKS_PER_DOCUMENT", 3)
    page = page_of("\n\n".join(f"Paragraph {n} {PROSE * 3}" for n in range(20)))
    assert len(chunks_of(page, 60)) == 3
    assert "first 3 chunks" in caplog.text


BLOCKS = st.one_of(
    st.integers(1, 5).map(lambda n: PROSE * n),
    st.integers(1, 14).map(lambda n: "```py\n" + "".join(f"call({line}, {n})\n" for line in range(n)) + "```"),
    st.integers(1, 9).map(lambda n: "$$\n" + "".join(f"x_{line} = y + {n}\n" for line in range(n)) + "$$"),
    st.integers(1, 30).map(lambda n: "| a | b |\n|---|---|\n" + "\n".join(f"| row {r} | {n} |" for r in range(n))),
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(BLOCKS, min_size=1, max_size=12), st.integers(60, 120))
def test_code_and_formulas_that_fit_stay_whole_and_rows_always(blocks: list[str], limit: int) -> None:
    page = page_of("# A\n\n" + "\n\n".join(blocks))
    chunks = chunks_of(page, limit)
    check_spans(page, chunks, limit, words)
    ends = {chunk.end for chunk in chunks} | {chunk.start for chunk in chunks}
    for block in scan_blocks(page.text, []):
        source = page.text[block.start : block.end]
        inside = [page.text[end - 1 : end + 1] for end in ends if block.start < end < block.end]
        if block.kind in (Kind.FENCE, Kind.FORMULA) and words([source])[0] <= limit:
            assert not inside
        assert block.kind is not Kind.TABLE or all("\n" in around for around in inside)
    for chunk in chunks:
        lines = chunk.text.split("\n")
        for above, line in pairwise(lines):
            assert not line.startswith("| row") or above.startswith("|")
        assert not lines[0].startswith("| row")


LINES = st.sampled_from(
    [
        "# Heading", "## Sub heading", "### Deep", "", "", "A sentence. Another one follows here. And a third.",
        "word " * 40, "- item one with words", "  continued item", "1. first", "> quoted text", "```py", "```", "x = call(1)",
        "| a | b |", "|---|---|", "| 1 | 2 |", "$$", "y = x^2", "`code. span` and $a. b$.", "x" * 300, "---", "**Term**: text",
        "日本語の文章です。次の文。", "    indented", "~~~", "````",
    ]
)  # fmt: skip


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINES, min_size=1, max_size=60), st.integers(12, 80), st.sampled_from([words, characters]))
def test_spans_and_caps_hold_for_any_page(lines: list[str], limit: int, count: Counter) -> None:
    source = "start\n" + "\n".join(lines)
    for page in (page_of(source), Page(URL, "t", source.strip())):
        check_spans(page, chunks_of(page, limit, count), limit, count)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINES, min_size=1, max_size=60), st.integers(12, 80), st.sampled_from([words, characters]))
def test_chunks_contain_the_whole_text(lines: list[str], limit: int, count: Counter) -> None:
    numbered = [f"{line} q{n}q" if re.search(r"\w", line) else line for n, line in enumerate(lines)]
    page = Page(URL, "t", "start\n" + "\n".join(numbered).rstrip())
    signs = [chunk for chunk in chunks_of(page, limit, count) if re.search(r"\w", chunk.text)]
    covered = "".join(core(chunk) for chunk in signs)
    assert all(f"q{n}q" in covered for n, line in enumerate(lines) if re.search(r"\w", line))


def test_chunks_of_the_bundled_model(embedder: Embedder) -> None:
    code = "value = call(12345)\n" * 80
    page = page_of(f"# Model\n\n{PROSE * 40}\n\n```py\n{code}```\n")
    chunks = chunk_page(page, url=URL, count_tokens=embedder.count_tokens_batch, max_tokens=CHUNK_TOKENS)
    assert max(chunk.tokens for chunk in chunks) <= CHUNK_TOKENS
    assert [chunk.tokens for chunk in chunks] == embedder.count_tokens_batch([chunk.text for chunk in chunks])
