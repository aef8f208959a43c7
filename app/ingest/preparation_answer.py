"""What the preparation process answers: a prepared page in small frames, or an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, Final, TypeVar

from app import caps
from app.corpus.records import ChunkIn
from app.extract import Image, Link, Page, Section
from app.ingest.counting import ChunkingLimits
from app.ingest.frames import PIECE_BYTES, Frame, FrameError, batches, read_frame, write_frame
from app.ingest.pieces import CHARS_PER_TOKEN
from app.ingest.preparation_errors import error_of
from app.ingest.prepared import Prepared

_TEXT: Final = (str,)
_MAYBE_TEXT: Final = (str, type(None))
_NUMBER: Final = (int,)

_Shape = Sequence[tuple[type, ...]]
_SECTION: Final[_Shape] = (_NUMBER, _TEXT, _MAYBE_TEXT, _NUMBER, _NUMBER)
_LINK: Final[_Shape] = (_TEXT, _TEXT, _NUMBER, _NUMBER)
_IMAGE: Final[_Shape] = (_TEXT, _TEXT, _TEXT, _NUMBER)
_NAVIGATION: Final[_Shape] = (_TEXT,)
_CHUNK: Final[_Shape] = (
    *(_TEXT, (list,), _MAYBE_TEXT, _NUMBER, _NUMBER),
    *(_TEXT, _TEXT, _NUMBER, _TEXT),
)
_PAGE: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("url", "title", "language", "note"), _TEXT),
    **dict.fromkeys(("canonical_url", "published", "markdown_url"), _MAYBE_TEXT),
    **dict.fromkeys(("noindex", "nofollow"), (bool,)),
}

_MAX_NUMBER: Final = 2**31

Row = Sequence[Any]
Made = TypeVar("Made")


def send_prepared(stream: IO[bytes], prepared: Prepared) -> None:
    """Answer with a prepared page. A chunk goes without its text, which the other side cuts from the page."""
    page = prepared.page
    write_frame(stream, {"kind": "page", "store_url": prepared.url, **{name: getattr(page, name) for name in _PAGE}})
    for start in range(0, len(page.text), PIECE_BYTES):
        piece = page.text[start : start + PIECE_BYTES]
        write_frame(stream, {"kind": "text"}, piece.encode("utf-8", "surrogatepass"))
    for kind, rows in _rows(prepared):
        for batch in batches(rows):
            write_frame(stream, {"kind": kind, "rows": batch})
    write_frame(stream, {"kind": "done"})
    stream.flush()


def _rows(prepared: Prepared) -> Iterator[tuple[str, Iterator[Row]]]:
    page = prepared.page
    yield "sections", ((s.level, s.heading, s.anchor, s.start, s.end) for s in page.sections)
    yield "links", ((link.url, link.text, link.start, link.end) for link in page.links)
    yield "images", ((image.url, image.alt, image.caption, image.position) for image in page.images)
    yield "navigation", ((url,) for url in page.navigation)
    yield "chunks", (_chunk_row(chunk) for chunk in prepared.chunks)


def _chunk_row(chunk: ChunkIn) -> Row:
    prefix = chunk.text[: chunk.prefix_length]
    suffix = chunk.text[len(chunk.text) - chunk.suffix_length :]
    return (
        *(chunk.key, list(chunk.section_path), chunk.anchor, chunk.start, chunk.end),
        *(prefix, suffix, chunk.tokens, chunk.identifiers),
    )


def read_answer(stream: IO[bytes], url: str, limits: ChunkingLimits) -> Prepared:
    """The answer to a request: the prepared page, or its error raised.

    Raises FrameError when the other side ended or sent something else. Short steps only: other threads get their turn.
    """
    frames = _Frames(stream)
    head = frames.next("page", "error").head
    if head["kind"] == "error":
        raise error_of(head, url)
    fields = {name: _checked(head.get(name), kinds) for name, kinds in _PAGE.items()}
    parts: dict[str, list[Row]] = {"sections": [], "links": [], "images": [], "navigation": [], "chunks": []}
    pieces: list[str] = []
    while (frame := frames.next("text", "done", *parts)).kind != "done":
        if frame.kind == "text":
            pieces.append(_decoded(frame.payload))
        else:
            parts[frame.kind] += _checked(frame.head.get("rows"), (list,))
    text = "".join(pieces)
    page = Page(
        text=text,
        sections=_made(Section, parts["sections"], _SECTION),
        links=_made(Link, parts["links"], _LINK, caps.MAX_LINKS_PER_PAGE),
        images=_made(Image, parts["images"], _IMAGE, caps.MAX_IMAGES_PER_PAGE),
        navigation=_made(str, parts["navigation"], _NAVIGATION, caps.MAX_NAVIGATION_LINKS),
        **fields,
    )
    longest = limits.max_tokens * CHARS_PER_TOKEN
    chunks = _made(lambda *row: _chunk(text, longest, *row), parts["chunks"], _CHUNK, caps.MAX_CHUNKS_PER_DOCUMENT)
    return Prepared(_checked(head.get("store_url"), _TEXT), page, chunks)


class _Frames:
    """The frames of one answer, which together stay within the cap."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._left = caps.PREPARE_RESULT_BYTES

    def next(self, *kinds: str) -> Frame:
        """The next frame, which must be of one of these kinds."""
        frame = read_frame(self._stream, PIECE_BYTES * 4)
        self._left -= frame.size
        if self._left < 0:
            raise FrameError("the answer is too large")
        if frame.kind not in kinds:
            raise FrameError("a frame is of an unknown kind")
        return frame


def _checked(value: object, kinds: tuple[type, ...]) -> Any:
    if type(value) not in kinds:
        raise FrameError("a value has the wrong type")
    return value


def _decoded(payload: bytes) -> str:
    try:
        return payload.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise FrameError("a text is not UTF-8") from None


def _made(make: Callable[..., Made], rows: list[Row], shape: _Shape, most: int | None = None) -> tuple[Made, ...]:
    if most is not None and len(rows) > most:
        raise FrameError("there are too many rows")
    for row in rows:
        if type(row) is not list or len(row) != len(shape):
            raise FrameError("a row has the wrong shape")
        for value, kinds in zip(row, shape, strict=True):
            _checked(value, kinds)
            if kinds is _NUMBER and not 0 <= value <= _MAX_NUMBER:
                raise FrameError("a number is out of range")
    return tuple(make(*row) for row in rows)


def _chunk(
    text: str,
    longest: int,
    key: str,
    path: list[str],
    anchor: str | None,
    start: int,
    end: int,
    prefix: str,
    suffix: str,
    tokens: int,
    identifiers: str,
) -> ChunkIn:
    if not 0 <= start <= end <= len(text) or max(end - start, len(prefix), len(suffix)) > longest:
        raise FrameError("a chunk is not in its text")
    return ChunkIn(
        key=key,
        section_path=tuple(_checked(part, _TEXT) for part in path),
        anchor=anchor,
        text=prefix + text[start:end] + suffix,
        start=start,
        end=end,
        prefix_length=len(prefix),
        suffix_length=len(suffix),
        tokens=tokens,
        identifiers=identifiers,
    )
