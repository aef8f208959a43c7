"""Fuzzing targets. Each takes bytes, only raises the errors of its contract and keeps its promises."""

from __future__ import annotations

import contextlib
import functools
import io
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app import caps
from app.bridge import messages, wire
from app.bridge.stdio import Oversized
from app.clients.config_file import ConfigText, data_of, entry_of, with_entry, without_entry
from app.clients.profile import ConfigFormat
from app.corpus.corpus import Corpus
from app.corpus.restore import describe, prepare, swap
from app.errors import UnsupportedContentError, WebRAGError
from app.extract import Page, extract, page_markdown
from app.extract.addresses import Resolver
from app.extract.discovery import bookmark_folders, bookmark_urls, llms_txt_urls, sitemap_urls
from app.extract.feed import feed_urls
from app.extract.pictures import SIGNATURES, read_picture
from app.ingest.chunking import chunk_page
from app.ingest.files import content_type_of
from app.ingest.prepared import Body, document_of, prepare_here
from app.kb.alignment import as_seen
from app.kb.spans import split_spans
from app.retrieval.analysis import analyse, specifics
from app.retrieval.citations import quotables
from app.text.entities import mentions_of
from app.text.markdown_blocks import fences, scan_blocks, sentence_spans
from app.text.page_text import marked, unmarked
from app.text.shield import address_flags, instruction_flags
from app.text.terms import query_terms, split_identifiers, words
from app.text.tokens import ChunkingLimits, token_counter
from app.web.urls import join_url, normalise_url, same_site
from support import fuzz_seeds as seeds
from support.fuzz_files import BINARY_SHEET, OFFICE, OFFICE_WORDS, OLD_WORKBOOK, TEXT_WORDS, TEXTS, binary_workbook

URL: Final = "https://docs.example/guide/page.html"
MAX_CHUNK_TOKENS: Final = 60
ENTRY: Final = {"command": "/opt/webrag/webrag", "args": ["mcp", "--data-dir", 'C:\\a "b"'], "env": {"A": "1"}}
MEMORY: Final = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Folder for files of targets, in memory if the system has such a folder."""
UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff\u202e]")


@dataclass(frozen=True, slots=True)
class Target:
    """A target. `share` is its part of all executions, `seeds` are valid inputs, `tokens` words of their format."""

    name: str
    share: int
    run: Callable[[bytes], None]
    seeds: Sequence[bytes]
    tokens: Sequence[bytes] = ()


# --- Pages ---


def _page(body: bytes, content_type: str, url: str = URL) -> None:
    with contextlib.suppress(WebRAGError):
        _check_page(extract(body, url=url, content_type=content_type, charset=None))


@functools.cache
def pictures() -> tuple[bytes, ...]:
    """Return an image of every supported format: with few colors, many colors, transparency, animation."""
    from PIL import Image

    wave = Image.radial_gradient("L").resize((48, 40))
    coloured = Image.merge("RGB", (wave, wave.rotate(90, expand=False), wave.rotate(180)))
    coloured.putalpha(wave)
    made = []
    for format, options in (("PNG", {}), ("JPEG", {}), ("JPEG", {"progressive": True}), ("WEBP", {}), ("GIF", {})):
        written = io.BytesIO()
        (coloured.convert("RGB") if format == "JPEG" else coloured).save(written, format, **options)
        made.append(written.getvalue())
    moving = io.BytesIO()
    wave.save(moving, "GIF", save_all=True, append_images=[wave.rotate(90), wave.rotate(180)])
    return (*made, moving.getvalue())


def _picture(body: bytes) -> None:
    """Check that a stored image is small, of one of the two display formats, and readable."""
    with contextlib.suppress(UnsupportedContentError):
        made = read_picture(body, URL)
        assert made.content.startswith(SIGNATURES[made.media_type]) and len(made.content) <= caps.MAX_KEPT_PICTURE_BYTES
        assert 0 < max(made.width, made.height) <= caps.MAX_PICTURE_SIDE
        again = read_picture(made.content, URL)
        assert (again.width, again.height) == (made.width, made.height)


def _check_page(page: Page) -> None:
    """Check that the offsets of a page are correct and its chunks contain its text."""
    assert not UNSEEN.search(page.text)
    last = 0
    for section in page.sections:
        assert last <= section.start < section.end <= len(page.text)
        last = section.end
    for link in page.links:
        assert page.text[link.start : link.end] == link.text != ""
        assert link.url.startswith(("http://", "https://"))
    for image in page.images:
        assert 0 <= image.position <= len(page.text)
    page_markdown(page)
    f"{page.title}{page.text}".encode()
    _check_chunks(page)


def _check_chunks(page: Page) -> None:
    chunks = chunk_page(page, url=URL, count_tokens=token_counter(None), max_tokens=MAX_CHUNK_TOKENS)
    for chunk in chunks:
        assert chunk.tokens <= MAX_CHUNK_TOKENS
        assert 0 <= chunk.start < chunk.end <= len(page.text)
        assert page.text[chunk.start : chunk.end] in chunk.text
    assert len({chunk.key for chunk in chunks}) == len(chunks)


def _markdown(body: bytes) -> None:
    _page(
        body, "text/markdown", "https://docs.example/page.mdx" if body[:1] == b"i" else "https://docs.example/page.md"
    )


def _lists(body: bytes) -> None:
    llms_txt_urls(body, url=URL)
    sitemap_urls(body, url=URL)
    feed_urls(body, url=URL)
    bookmark_urls(body)
    bookmark_folders(body)


# --- Texts ---


def _blocks(body: bytes) -> None:
    text = body.decode("utf-8", "replace")
    covered = 0
    for block in scan_blocks(text, ()):
        assert covered <= block.start < block.end <= len(text)
        assert not text[covered : block.start].strip()
        covered = block.end
    assert not text[covered:].strip()
    for fence in fences(text):
        fence.content(text)
    last = 0
    for span in sentence_spans(text):
        assert last <= span.start <= span.end <= len(text)
        last = span.end


def _passage(body: bytes) -> None:
    text = body.decode("utf-8", "replace")
    instruction_flags(text)
    unmarked(marked(text))
    as_seen(text)
    mentions_of("Title", text, (), ())
    split_identifiers(text)
    for quotable in quotables(text):
        assert text[quotable.span.start : quotable.span.end].strip()
    for span in split_spans(text):
        assert 0 <= span.start < span.end <= len(text)


def _question(body: bytes) -> None:
    text = body.decode("utf-8", "surrogatepass" if b"\xed\xa0" in body and _is_wtf8(body) else "replace")
    words(text)
    if query_terms(text):
        specifics(analyse(text, known_context=text[::-1]))


def _is_wtf8(body: bytes) -> bool:
    try:
        body.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _address(body: bytes) -> None:
    text = body.decode("utf-8", "replace")
    base, _, reference = text.partition(" ")
    address_flags(text)
    with contextlib.suppress(WebRAGError):
        url = normalise_url(text)
        assert normalise_url(url) == url
        assert same_site(url, url)
    with contextlib.suppress(WebRAGError):
        join_url(base, reference)
    with contextlib.suppress(WebRAGError):
        join_url(URL, text)
    Resolver(base, reference)(text)
    Resolver(URL)(text)
    Resolver("file:///home/anna/a.html")(text)


# --- Configuration files ---


def _config(body: bytes, language: ConfigFormat, keys: tuple[str, ...]) -> None:
    """Check that adding and removing an entry does not change the meaning of other data."""
    config = ConfigText(Path("/nowhere/file"), body, body.decode("utf-8", "replace"), format=language)
    with contextlib.suppress(WebRAGError):
        before = data_of(config)
        existing = entry_of(config, keys)
        changed = ConfigText(config.path, body, with_entry(config, keys, ENTRY), format=language)
        assert entry_of(changed, keys) == ENTRY
        assert with_entry(changed, keys, ENTRY) == changed.text
        if existing is None and (text := without_entry(changed, keys)) is not None:
            after = data_of(ConfigText(config.path, body, text, format=language))
            assert _rest(after, keys) == _rest(before, keys), "other data was changed"


def _rest(data: Any, keys: tuple[str, ...]) -> str:
    """Return the data without the member and without empty parents."""
    if not isinstance(data, dict) or not keys:
        return repr(data) if data is not None else "{}"
    inner = _rest(data.get(keys[0]), keys[1:]) if len(keys) > 1 else "{}"
    others = {key: value for key, value in data.items() if key != keys[0]}
    return repr(others) if inner == "{}" else f"{others!r}{inner}"


# --- JSON-RPC ---


def _message(body: bytes) -> None:
    for line in body.split(b"\n"):
        with contextlib.suppress(messages.InvalidMessageError):
            value = messages.parse_line(line)
            for each in value if isinstance(value, list) else [value]:
                messages.expects_answer(each)
            message = messages.read_message(value, line)
            if message is not None:
                messages.cancelled_id(message)
                for header in messages.protocol_headers(message, "2025-06-18").values():
                    header.encode("latin-1")
                list(messages.update_notices(message))
                list(messages.change_notices(message, messages.LIST_CHANGES))
                messages.encode(messages.parse_line(messages.error_reply(-32603, message.method, message.id)))
    half = len(body) // 2
    Oversized(body[:half], body[half:]).message_id()
    messages.first_result([body])
    pieces = [body[start : start + 7] for start in range(0, len(body), 7)]
    list(wire.read_events(iter(pieces)))
    list(wire.read_words(iter(pieces)))


# --- Backups ---


@functools.cache
def backup_bytes() -> bytes:
    """Return a small, valid backup."""
    with tempfile.TemporaryDirectory(prefix="webrag-fuzz-") as folder:
        file = Path(folder) / "corpus.db"
        corpus = Corpus.open(file, dimension=0, model="")
        try:
            limits = ChunkingLimits(MAX_CHUNK_TOKENS, token_counter(None))
            prepared = prepare_here(Body(seeds.HTML[0], URL, "text/html", None), limits)
            corpus.documents.store(document_of(prepared, kind="web", crawled=1.0))
            backup = Path(folder) / "backup.db"
            corpus.backup(backup)
        finally:
            corpus.close()
        return backup.read_bytes()


def _restore(body: bytes) -> None:
    with tempfile.TemporaryDirectory(prefix="webrag-fuzz-", dir=MEMORY) as folder:
        backup = Path(folder) / "backup.db"
        backup.write_bytes(body)
        with contextlib.suppress(WebRAGError):
            describe(backup)
        with contextlib.suppress(WebRAGError):
            swap(prepare(backup, Path(folder) / "corpus.db"), Path(folder) / "corpus.db")
            corpus = Corpus.open(Path(folder) / "corpus.db", dimension=0, model="")
            try:
                corpus.totals()
                assert not corpus.verify()
            finally:
                corpus.close()
        left = {path.name for path in Path(folder).iterdir()} - {
            "backup.db",
            "corpus.db",
            "corpus.db-wal",
            "corpus.db-shm",
        }
        assert not left, left


def _file_targets() -> Iterator[Target]:
    """Yield a target for each format of files. The damaged part of an Office file is its XML."""
    unknown = "application/octet-stream"
    for name, (seed, pack) in OFFICE.items():

        def run(body: bytes, pack: Callable[[str], bytes] = pack) -> None:
            _page(pack(body.decode("utf-8", "replace")), unknown)

        yield Target(name, 20, run, (seed.encode(),), OFFICE_WORDS)
    yield Target("old workbook", 20, lambda body: _page(body, unknown), (OLD_WORKBOOK,))
    yield Target("binary workbook", 20, lambda body: _page(binary_workbook(body), unknown), (BINARY_SHEET,))
    for file, text in TEXTS.items():
        kind, url = content_type_of(Path(file)), f"https://docs.example/{file}"
        yield Target(file, 20, functools.partial(_page, content_type=kind, url=url), (text,), TEXT_WORDS)


def targets() -> tuple[Target, ...]:
    """Return all targets. Slow ones have small shares."""
    json_keys, toml_keys, yaml_keys = ("mcpServers", "webrag"), ("mcp_servers", "webrag"), ("extensions", "webrag")
    markup = seeds.MARKUP_WORDS
    return (
        Target("html", 15, lambda body: _page(body, "text/html"), seeds.HTML, markup),
        Target("style sheets", 20, lambda body: _page(body, "text/html"), seeds.STYLED, seeds.STYLE_WORDS),
        Target("markdown", 15, _markdown, seeds.MARKDOWN, seeds.MARKDOWN_WORDS),
        Target("plain", 80, lambda body: _page(body, "text/plain"), seeds.PLAIN),
        Target("feed", 60, lambda body: _page(body, "application/rss+xml"), seeds.FEEDS, markup),
        Target("pdf", 25, lambda body: _page(body, "application/pdf"), seeds.PDF, seeds.PDF_WORDS),
        Target("pictures", 60, _picture, pictures(), seeds.PICTURE_WORDS),
        Target(
            "archive", 20, lambda body: _page(body, "multipart/related"), seeds.ARCHIVES, seeds.ARCHIVE_WORDS + markup
        ),
        Target("lists", 30, _lists, seeds.LISTS, markup + seeds.MARKDOWN_WORDS),
        Target("markdown scanner", 60, _blocks, seeds.MARKDOWN, seeds.MARKDOWN_WORDS),
        Target("passage", 30, _passage, seeds.MARKDOWN, seeds.MARKDOWN_WORDS),
        Target("question", 60, _question, seeds.QUESTIONS, seeds.QUESTION_WORDS),
        Target("address", 180, _address, seeds.ADDRESSES, seeds.ADDRESS_WORDS),
        Target("json", 150, lambda body: _config(body, ConfigFormat.JSONC, json_keys), seeds.JSON, seeds.CONFIG_WORDS),
        Target("toml", 90, lambda body: _config(body, ConfigFormat.TOML, toml_keys), seeds.TOML, seeds.CONFIG_WORDS),
        Target("yaml", 25, lambda body: _config(body, ConfigFormat.YAML, yaml_keys), seeds.YAML, seeds.CONFIG_WORDS),
        Target("json-rpc", 140, _message, seeds.MESSAGES, seeds.MESSAGE_WORDS),
        Target("restore", 5, _restore, (backup_bytes(),)),
        *_file_targets(),
    )
