"""The preparation process: the same result as in this process, and each failure affects only its page."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import caps, errors
from app.embed.embedder import Embedder
from app.errors import EmptyPageError, FetchError, NoIndexError, PreparationError, SkeletonPageError, WebRAGError
from app.extract import Image, Link, Page, Section
from app.ingest.preparation import PREPARE_APART_BYTES, PREPARE_UNNAMED_SECONDS, Preparer, is_apart
from app.ingest.prepared import Body, Prepared, prepare_here
from app.ingest.worker_protocol import (
    CLASSES,
    PREPARE_LINE_BYTES,
    FrameError,
    error_head,
    error_of,
    read_answer,
    read_frame,
    send_prepared,
    write_frame,
)
from app.library.records import ChunkIn
from app.paths import assets_dir
from app.text.tokens import ChunkingLimits, WordCounter, fast_counter, token_counter

ROOT = Path(__file__).resolve().parents[2]
URL = "https://docs.example/manual.html"
LIMITS = ChunkingLimits(220, token_counter(None))
SECTION = (
    "<h2 id=s{0}>Valve {0}</h2><p>Valve number {0} opens at {0} bar. It is checked every {0} days, in the morning.</p>"
)
SMALL = b"<h1>Sea</h1><p>The tide rises and falls twice a day in this harbour.</p>"


def manual(sections: int) -> bytes:
    return f"<title>Manual</title><h1>Manual</h1>{''.join(SECTION.format(n) for n in range(sections))}".encode()


def pdf_like(content: bytes = SMALL) -> Body:
    """Return a small body that the separate process always reads."""
    return Body(content, "https://docs.example/manual.mht", "text/html")


def worker(patch: str) -> list[str]:
    """Return the command of a worker whose `prepare_here` is replaced by a function of the patch."""
    return [sys.executable, "-c", f"import os, sys, time\nimport app.ingest.worker as w\n{patch}\nsys.exit(w.main())"]


@asynccontextmanager
async def preparer(command: list[str] | None = None) -> AsyncIterator[Preparer]:
    made = Preparer(LIMITS, command=command)
    try:
        yield made
    finally:
        await made.stop()
        assert not made.process_ids


async def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 (another process)
            await asyncio.sleep(0.01)


async def test_a_large_page_is_prepared_in_the_process_with_the_same_result(embedder: Embedder) -> None:
    tokenizer = assets_dir() / "model" / "tokenizer.json"
    limits = ChunkingLimits(220, embedder.count_tokens_batch, tokenizer)
    body = Body(manual(PREPARE_APART_BYTES // len(SECTION)), URL, "text/html", "utf-8")
    assert len(body.content) >= PREPARE_APART_BYTES
    made = Preparer(limits)
    try:
        prepared = await made.prepare(body)
        assert made.process_ids
        assert prepared == prepare_here(body, limits)
        assert len(prepared.chunks) > 200
    finally:
        await made.stop()


@pytest.mark.real
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with the one that started it")
def test_no_process_outlives_the_program(tmp_path: Path) -> None:
    stuck = worker("w.prepare_here = lambda *_: __import__('re').match('(a|a)+$', 'a' * 60 + 'b')")
    program = f"""
import asyncio, sys
from app.ingest.preparation import Preparer
from tests.ingest.test_preparation import LIMITS, pdf_like
async def main():
    made = Preparer(LIMITS, command={stuck!r})
    reading = asyncio.create_task(made.prepare(pdf_like()))
    while not made.process_ids:
        await asyncio.sleep(0.02)
    await asyncio.sleep(1)
    print(*made.process_ids, flush=True)
    await reading
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        reader = psutil.Process(int(running.stdout.readline()))
        running.kill()
    assert not psutil.wait_procs([reader], timeout=10)[1]


async def test_a_small_page_needs_no_process() -> None:
    async with preparer() as made:
        prepared = await made.prepare(Body(SMALL, URL, "text/html"))
        assert prepared.page.title and not made.process_ids


@pytest.mark.parametrize(
    ("body", "apart"),
    [
        (Body(b"%PDF-1.7 ...", URL, ""), True),
        (Body(b"x", "file:///a/book.PDF", ""), True),
        (Body(b"x", "file:///a/page.mhtml", ""), True),
        (Body(b"x", URL, "multipart/related"), True),
        (Body(b"x" * PREPARE_APART_BYTES, URL, "text/html"), True),
        (Body(b"x", URL, "text/html"), False),
    ],
)
def test_bodies_for_the_separate_process_are_recognized(body: Body, apart: bool) -> None:
    assert is_apart(body) is apart


@pytest.mark.parametrize("unit", ["`", "*_", "---\n", "<p>", "[a](", "| ", "<b><i>", "- item 1\n"])
def test_repetitive_bodies_are_prepared_in_the_separate_process(unit: str) -> None:
    run = (unit * 10_000)[:10_000].encode()
    for content in (run, SMALL * 50 + run, run + manual(20)):
        assert is_apart(Body(content, URL, "text/html"))
    assert not is_apart(Body(manual(300), URL, "text/html"))


@pytest.mark.real
async def test_the_event_loop_runs_during_an_endless_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "PREPARE_SECONDS", 2.0)
    stuck = worker("w.prepare_here = lambda *_: __import__('re').match('(a|a)+$', 'a' * 60 + 'b')")
    async with preparer(stuck) as made:
        reading = asyncio.create_task(made.prepare(Body(b"`" * 30_000, URL, "text/html")))
        ticks = 0
        while not reading.done():
            await asyncio.sleep(0.01)
            ticks += 1
        assert ticks > 50
        with pytest.raises(PreparationError, match="could not be read within 2 seconds"):
            await reading


def test_counting_is_the_same_everywhere(embedder: Embedder) -> None:
    texts = [
        "",
        "The tide rises.",
        "日本語の文章です。",
        "x" * 400,
        "a\ud800b",
        "snake_case CamelCase 12.5 `code`",
        "\n\n \t",
    ]
    count = token_counter(assets_dir() / "model" / "tokenizer.json")
    assert count(texts) == embedder.count_tokens_batch(texts)
    assert token_counter(None)(["a\ud800b", "abcdefghi"]) == [2, 3]


SIGNS = [
    *"ab1 _-.[]#`$\x00\x1c\x85\xa0\u200b\u3000\u0301é日ß½\t\n\u2028\ufeff\u00ad“–€",
    "[CLS]",
    "[MASK]",
    "##",
    "x" * 70,
]
TOKENIZER = assets_dir() / "model" / "tokenizer.json"
COUNT_BY_WORDS = token_counter(TOKENIZER)


@pytest.mark.real
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(SIGNS), max_size=25).map("".join) | st.text(max_size=80), max_size=4))
def test_counting_by_words_is_exact(embedder: Embedder, texts: list[str]) -> None:
    assert isinstance(COUNT_BY_WORDS, WordCounter)
    assert COUNT_BY_WORDS(texts) == embedder.count_tokens_batch(texts)


def test_the_word_counter_limits_its_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.text.tokens._MOST_WORDS", 100)
    count = WordCounter(lambda texts: [len(text) for text in texts])
    for start in range(0, 5_000, 50):
        words = [f"w{n}" for n in range(start, start + 50)]
        assert count([" ".join(words)]) == [sum(map(len, words))]
    assert len(count._known) <= 150


def test_other_tokenizers_are_unchanged(tmp_path: Path) -> None:
    def count(texts: Sequence[str]) -> list[int]:
        return [1 for _ in texts]

    other = tmp_path / "tokenizer.json"
    other.write_text('{"normalizer": null, "pre_tokenizer": {"type": "ByteLevel"}}')
    for file in (None, other, tmp_path / "missing.json"):
        assert fast_counter(count, file) is count
    assert isinstance(fast_counter(count, TOKENIZER), WordCounter)


def full_page() -> Prepared:
    text = "# Größe \ud800 \U0001f30a\n\nEin Satz mit Wörtern.\n" * 4_000
    page = Page(
        url=URL,
        title="Größe",
        text=text,
        sections=(Section(1, "Größe", None, 0, 9), Section(2, "x", "x", 9, 20)),
        links=(Link("https://a.example/", "Satz", 3, 7),),
        images=(Image("https://a.example/i.png", "alt", "", 5),),
        language="de",
        canonical_url=URL,
        published="2024-01-01",
        note="A note.",
        navigation=("https://a.example/menu",),
        noindex=True,
        nofollow=True,
        markdown_url=f"{URL}.md",
    )
    chunk = ChunkIn("k", ("Größe", "x"), "x", f"| a |\n{text[5:90]}\n```", 5, 90, 6, 4, 30, "größe")
    return Prepared(URL, page, (chunk, replace(chunk, key="l", section_path=(), anchor=None)))


def test_every_part_of_a_page_survives_the_protocol() -> None:
    prepared = full_page()
    empty = Page("", "", "")
    assert all(getattr(prepared.page, each.name) != getattr(empty, each.name) for each in fields(Page))
    stream = io.BytesIO()
    send_prepared(stream, prepared)
    stream.seek(0)
    assert read_answer(stream, URL, LIMITS) == prepared


def test_every_error_survives_the_protocol() -> None:
    extra = {"url": URL, "hint": "do it", "status": 418, "links": ("https://a.example/",), "markdown_url": f"{URL}.md"}
    extra |= {"frames": ("https://a.example/menu",)}
    made: list[WebRAGError] = [
        EmptyPageError("empty", url=URL, hint="look elsewhere", frames=("https://a.example/menu",)),
        SkeletonPageError("script", url=URL, markdown_url=f"{URL}.md", hint="render it"),
        NoIndexError("no", url=URL, links=("https://a.example/",)),
        errors.HTTPStatusError("teapot", url=URL, status=418),
        errors.CorpusError("disk", hint="free some"),
    ]
    for error in made:
        back = error_of(json.loads(json.dumps(error_head(error))), "x")
        assert type(back) is type(error) and str(back) == str(error) and back.hint == error.hint
        for name in extra:
            assert getattr(back, name, None) == getattr(error, name, None)
    assert "HTTPStatusError" in CLASSES and "Exception" not in CLASSES


@pytest.mark.parametrize(
    "head",
    [
        {"type": "SystemExit", "message": "x"},
        {"type": "EmptyPageError"},
        {"type": "HTTPStatusError", "message": "x", "url": URL},
        {"type": "HTTPStatusError", "message": "x", "url": URL, "status": "500"},
        {"type": ["EmptyPageError"], "message": "x"},
    ],
)
def test_an_incomplete_error_is_a_preparation_error(head: dict[str, object]) -> None:
    assert type(error_of(head, URL)) is PreparationError


def answer(*frames: tuple[dict[str, object], bytes]) -> bytes:
    stream = io.BytesIO()
    for head, payload in frames:
        write_frame(stream, head, payload)
    return stream.getvalue()


PAGE: dict[str, object] = {
    **dict.fromkeys(("url", "title", "language", "note", "store_url"), "x"),
    **dict.fromkeys(("canonical_url", "published", "markdown_url"), None),
    "kind": "page",
    "noindex": False,
    "nofollow": False,
}
DONE: tuple[dict[str, object], bytes] = ({"kind": "done"}, b"")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"not json\n",
        b"[1]\n",
        b'{"kind": "page"}\n',
        b"[" * 100_000 + b"\n",
        answer(({"kind": "text"}, b"x"), DONE),
        answer((PAGE | {"title": 7}, b""), DONE),
        answer((PAGE, b""), ({"kind": "text"}, b"\xff\xfe"), DONE),
        answer((PAGE, b""), ({"kind": "text"}, b"x")),
        answer((PAGE, b""), ({"kind": "links", "rows": [["u", "t", 0]]}, b""), DONE),
        answer((PAGE, b""), ({"kind": "links", "rows": [["u", "t", 0, True]]}, b""), DONE),
        answer((PAGE, b""), ({"kind": "links", "rows": [["u", "t", 0, 10**30]]}, b""), DONE),
        answer((PAGE, b""), ({"kind": "links", "rows": {"a": 1}}, b""), DONE),
        answer((PAGE, b""), ({"kind": "chunks", "rows": [["k", [], None, 0, 9, "", "", 1, ""]]}, b""), DONE),
        answer((PAGE, b""), ({"kind": "chunks", "rows": [["k", [7], None, 0, 0, "", "", 1, ""]]}, b""), DONE),
        answer((PAGE, b""), *[({"kind": "images", "rows": [["u", "a", "c", 0]] * 100}, b"")] * 3, DONE),
        b'{"kind":"page","bytes":99999999999}\n',
        b'{"kind":"page","bytes":-1}\n',
    ],
)
def test_invalid_answers_of_a_process_are_rejected(sent: bytes) -> None:
    with pytest.raises(FrameError):
        read_answer(io.BytesIO(sent), URL, LIMITS)


def test_an_endless_response_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ingest.worker_protocol.PREPARE_RESULT_BYTES", 10_000)
    with pytest.raises(FrameError, match="too large"):
        read_answer(io.BytesIO(answer((PAGE, b""), *[({"kind": "text"}, b"x" * 1_000)] * 20, DONE)), URL, LIMITS)
    with pytest.raises(FrameError, match="too long"):
        read_frame(io.BytesIO(b"x" * (PREPARE_LINE_BYTES + 2)), 0)


async def test_prints_of_libraries_do_not_disturb() -> None:
    noisy = worker(
        "real = w.prepare_here\n"
        "def prepare_here(body, limits):\n"
        "    print('hello'); os.write(1, b'low level\\n'); assert sys.stdin.read() == ''; sys.stderr.write('x' * 200_000)\n"
        "    return real(body, limits)\n"
        "w.prepare_here = prepare_here"
    )
    async with preparer(noisy) as made:
        for _ in range(2):
            assert (await made.prepare(pdf_like())).chunks[0].text.startswith("# Sea")


async def test_a_crash_affects_only_one_page() -> None:
    crashing = worker(
        "real = w.prepare_here\n"
        "def prepare_here(body, limits):\n"
        "    if b'crash' in body.content: os.kill(os.getpid(), 9)\n"
        "    if b'raise' in body.content: raise RecursionError\n"
        "    return real(body, limits)\n"
        "w.prepare_here = prepare_here"
    )
    async with preparer(crashing) as made:
        for content in (b"<p>crash", b"<p>raise"):
            with pytest.raises(PreparationError) as caught:
                await made.prepare(pdf_like(content))
            assert caught.value.url == pdf_like().url
            assert (await made.prepare(pdf_like())).page.title == "Sea"


async def test_errors_of_a_page_keep_the_process() -> None:
    async with preparer() as made:
        with pytest.raises(EmptyPageError) as caught:
            await made.prepare(pdf_like(b"<html><body></body></html>"))
        assert caught.value.url == pdf_like().url
        processes = made.process_ids
        await made.prepare(pdf_like())
        assert processes == made.process_ids != ()


async def test_a_page_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = worker(
        "real = w.prepare_here\n"
        "def prepare_here(body, limits):\n"
        "    while b'slow' in body.content: pass\n"
        "    return real(body, limits)\n"
        "w.prepare_here = prepare_here"
    )
    async with preparer(slow) as made:
        await made.prepare(pdf_like())
        process = psutil.Process(made.process_ids[0])
        monkeypatch.setattr(caps, "PREPARE_SECONDS", 0.2)
        with pytest.raises(PreparationError, match="within"):
            await made.prepare(pdf_like(b"<p>slow"))
        assert not process.is_running()
        monkeypatch.setattr(caps, "PREPARE_SECONDS", 20.0)
        assert (await made.prepare(pdf_like())).page.title == "Sea"


SLEEPY = (
    "real = w.prepare_here\n"
    "def prepare_here(body, limits):\n"
    "    if b'sleepy' in body.content: time.sleep(float(body.content.split()[-1]))\n"
    "    return real(body, limits)\n"
    "w.prepare_here = prepare_here"
)


async def test_a_page_on_a_busy_machine_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async with preparer(worker(SLEEPY)) as made:
        await made.prepare(pdf_like())
        monkeypatch.setattr(caps, "PREPARE_SECONDS", 0.5)
        assert "sleepy" in (await made.prepare(pdf_like(b"<p>sleepy</p> 1.5"))).page.text


async def test_a_page_is_still_read_after_the_computer_slept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of some systems goes on in the meantime."""
    async with preparer(worker(SLEEPY)) as made:
        await made.prepare(pdf_like())
        reading = asyncio.create_task(made.prepare(pdf_like(b"<p>sleepy</p> 0.6")))
        await asyncio.sleep(0.2)
        awake = time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: awake() + 30 * 3_600)
        assert "sleepy" in (await reading).page.text


async def test_a_process_that_only_waits_hits_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async with preparer(worker(SLEEPY)) as made:
        await made.prepare(pdf_like())
        monkeypatch.setattr(caps, "PREPARE_SECONDS", 0.2)
        monkeypatch.setattr(caps, "PREPARE_WALL_FACTOR", 3)
        with pytest.raises(PreparationError, match="within"):
            await made.prepare(pdf_like(b"<p>sleepy</p> 60"))


ENDLESS = (
    "real = w.prepare_here\n"
    "def prepare_here(body, limits):\n"
    "    while b'endless' in body.content: pass\n"
    "    return real(body, limits)\n"
    "w.prepare_here = prepare_here"
)


@pytest.mark.parametrize("more", [{"named": False}, {"at_leisure": True}, {"at_leisure": True, "named": False}])
async def test_an_unnamed_page_does_not_delay_awaited_pages(more: dict[str, bool]) -> None:
    async with preparer(worker(SLEEPY)) as made:
        waiting = pdf_like(b"<p>sleepy</p> 600")
        others = [asyncio.ensure_future(made.prepare(waiting, **more)) for _ in range(3)]
        await until(lambda: bool(made.process_ids))
        async with asyncio.timeout(100):
            for _ in range(2):
                assert (await made.prepare(pdf_like())).page.title == "Sea"
        assert not any(each.done() for each in others) and len(made.process_ids) == 2
        for each in others:
            each.cancel()
        await asyncio.gather(*others, return_exceptions=True)


async def test_an_unnamed_page_has_a_shorter_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ingest.preparation.PREPARE_UNNAMED_SECONDS", 0.2)
    async with preparer(worker(ENDLESS)) as made:
        named = asyncio.ensure_future(made.prepare(pdf_like(b"<p>endless")))
        await until(lambda: bool(made.process_ids))
        with pytest.raises(PreparationError, match="within"):
            await made.prepare(pdf_like(b"<p>endless"), named=False)
        assert not named.done()
        named.cancel()
        await asyncio.gather(named, return_exceptions=True)
    assert PREPARE_UNNAMED_SECONDS < caps.PREPARE_SECONDS


async def test_stopping_does_not_wait_for_a_page() -> None:
    endless = worker("def prepare_here(body, limits):\n    time.sleep(60)\nw.prepare_here = prepare_here")
    made = Preparer(LIMITS, command=endless)
    reading = asyncio.ensure_future(made.prepare(pdf_like()))
    await until(lambda: bool(made.process_ids))
    async with asyncio.timeout(60):
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await made.stop()
    assert reading.cancelled() and not made.process_ids


@pytest.mark.real
@pytest.mark.skipif(sys.platform not in ("linux", "win32"), reason="macOS limits no address space reliably")
@pytest.mark.parametrize("bomb", ["bytearray(4 << 30)", "[bytearray(1 << 20) for _ in range(1 << 12)]"])
async def test_a_memory_bomb_is_an_error(bomb: str) -> None:
    greedy = worker(
        "real = w.prepare_here; w.PREPARE_MEMORY_BYTES = 128 << 20\n"
        "def prepare_here(body, limits):\n"
        f"    hoard = {bomb} if b'bomb' in body.content else None\n"
        "    return real(body, limits)\n"
        "w.prepare_here = prepare_here"
    )
    async with preparer(greedy) as made:
        with pytest.raises(PreparationError, match="memory"):
            await made.prepare(pdf_like(b"<p>bomb"))
        assert (await made.prepare(pdf_like())).page.title == "Sea"


async def test_an_idle_process_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ingest.preparation.PREPARE_IDLE_SECONDS", 0.05)
    async with preparer() as made:
        await made.prepare(pdf_like())
        process = psutil.Process(made.process_ids[0])
        await until(lambda: not process.is_running())
        await made.prepare(pdf_like())


async def test_the_process_has_no_secrets_and_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_SERVER_API_KEY", "secret")
    telling = worker(
        "from app.errors import FetchError\n"
        "def prepare_here(body, limits):\n"
        "    raise FetchError(f'{sorted(os.environ)} nice {os.nice(0) if hasattr(os, \"nice\") else 10}')\n"
        "w.prepare_here = prepare_here"
    )
    async with preparer(telling) as made:
        with pytest.raises(FetchError) as caught:
            await made.prepare(pdf_like())
    assert "EMBEDDING" not in str(caught.value) and "PATH" in str(caught.value)
    assert int(str(caught.value).split()[-1]) >= 10


async def test_the_process_ends_with_the_program() -> None:
    command = [sys.executable, "-m", "app.ingest.worker"]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, cwd=Path(__file__).parents[2])
    assert process.stdin is not None
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 10) == 0


async def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    async with preparer([str(tmp_path / "nothing")]) as made:
        with pytest.raises(PreparationError, match="could not start"):
            await made.prepare(pdf_like())


async def test_pages_share_the_processes() -> None:
    """Named pages share two processes, pages of a crawl one."""
    async with preparer() as made:
        waiting: list[Awaitable[Prepared]] = [made.prepare(pdf_like()) for _ in range(4)]
        assert [each.page.title for each in await asyncio.gather(*waiting)] == ["Sea"] * 4
        assert len(made.process_ids) <= 2
