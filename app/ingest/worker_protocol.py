"""The protocol between the program and its preparation process: requests, prepared pages in small frames, images, errors.

A frame is a line of JSON, followed by raw bytes if the line says so. Frames contain only data, and only known error classes are raised
again, so that a parser controlled by a malicious file gains nothing here.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from app import caps, errors
from app.errors import PreparationError, WebRAGError
from app.extract import Image, Link, Page, Section
from app.extract.pictures import SIGNATURES, Picture
from app.ingest.pieces import batches
from app.ingest.prepared import Body, PictureBody, Prepared
from app.library.records import ChunkIn
from app.text.sentence import sentence
from app.text.tokens import CHARS_PER_TOKEN, ChunkingLimits, token_counter

PREPARE_LINE_BYTES: Final = 4 * caps.MIB
PREPARE_RESULT_BYTES: Final = 64 * caps.MIB  # The maximum size of the separate process's result for one body.
_TEXT: Final = (str,)
_MAYBE_TEXT: Final = (str, type(None))
_NUMBER: Final = (int,)
_Shape = Sequence[tuple[type, ...]]
_SECTION: Final[_Shape] = (_NUMBER, _TEXT, _MAYBE_TEXT, _NUMBER, _NUMBER)
_LINK: Final[_Shape] = (_TEXT, _TEXT, _NUMBER, _NUMBER)
_IMAGE: Final[_Shape] = (_TEXT, _TEXT, _TEXT, _NUMBER)
_NAVIGATION: Final[_Shape] = (_TEXT,)
_CHUNK: Final[_Shape] = (*(_TEXT, (list,), _MAYBE_TEXT, _NUMBER, _NUMBER), *(_TEXT, _TEXT, _NUMBER, _TEXT))
_PAGE: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("url", "title", "language", "note"), _TEXT),
    **dict.fromkeys(("canonical_url", "published", "markdown_url"), _MAYBE_TEXT),
    **dict.fromkeys(("noindex", "nofollow"), (bool,)),
}
_BODY: Final = ("url", "content_type", "charset", "store_url", "reads_comments")
_MAX_NUMBER: Final = 2**31
Row = Sequence[Any]
Made = TypeVar("Made")
CLASSES: Final[Mapping[str, type[WebRAGError]]] = {
    name: value for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, WebRAGError)
}
_ATTRIBUTES: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("url", "hint", "note"), (str,)),
    "status": (int,),
    **dict.fromkeys(("links", "frames"), (list,)),
    "markdown_url": (str, type(None)),
}
"""The fields that an error may carry in addition to its message, as JSON."""
_ABSENT: Final = object()
Head = Mapping[str, Any]
BYTES: Final = "bytes"
PICTURE: Final = "picture"
PIECE_BYTES: Final = 64 * caps.KIB
"""Bodies and batches of rows are sent in parts of about this size: writing or parsing one takes well under a millisecond."""


def send_request(stream: IO[bytes], body: Body, limits: ChunkingLimits) -> None:
    """Request the preparation of a body."""
    head = {
        **{name: getattr(body, name) for name in _BODY},
        "max_tokens": limits.max_tokens,
        "tokenizer": str(limits.tokenizer_file) if limits.tokenizer_file is not None else None,
        "scripts": dict(limits.scripts),
    }
    write_frame(stream, head, body.content)


def send_picture_request(stream: IO[bytes], picture: PictureBody) -> None:
    """Request the decoding and re-encoding of an image."""
    write_frame(stream, {"kind": PICTURE, "url": picture.url}, picture.content)


def read_request(
    stream: IO[bytes], counters: dict[str | None, ChunkingLimits]
) -> tuple[Body, ChunkingLimits] | PictureBody:
    """Return the next request, with its counter, which is cached in `counters`. Raises FrameError at the end."""
    frame = read_frame(stream, caps.MAX_FILE_BYTES)
    head = frame.head
    if frame.kind == PICTURE:
        return PictureBody(frame.payload, head["url"])
    tokenizer, max_tokens, scripts = head["tokenizer"], head["max_tokens"], head["scripts"]
    known = counters.get(tokenizer)
    if known is None or (known.max_tokens, known.scripts) != (max_tokens, scripts):
        path = Path(tokenizer) if tokenizer is not None else None
        known = counters[tokenizer] = ChunkingLimits(max_tokens, token_counter(path, scripts), path, scripts)
    return Body(frame.payload, **{name: head[name] for name in _BODY}), known


def send_prepared(stream: IO[bytes], prepared: Prepared) -> None:
    """Send a prepared page. Chunks omit their text, which the receiver cuts from the page."""
    page = prepared.page
    write_frame(stream, {"kind": "page", "store_url": prepared.url, **{name: getattr(page, name) for name in _PAGE}})
    for start in range(0, len(page.text), PIECE_BYTES):
        piece = page.text[start : start + PIECE_BYTES]
        write_frame(stream, {"kind": "text"}, piece.encode("utf-8", "surrogatepass"))
    tables: tuple[tuple[str, Iterator[Row]], ...] = (
        ("sections", ((s.level, s.heading, s.anchor, s.start, s.end) for s in page.sections)),
        ("links", ((link.url, link.text, link.start, link.end) for link in page.links)),
        ("images", ((image.url, image.alt, image.caption, image.position) for image in page.images)),
        ("navigation", ((url,) for url in page.navigation)),
        ("chunks", (_chunk_row(chunk) for chunk in prepared.chunks)),
    )
    for kind, rows in tables:
        for batch in batches(rows, _length):
            write_frame(stream, {"kind": kind, "rows": batch})
    write_frame(stream, {"kind": "done"})


def _length(row: Row) -> int:
    return 16 + sum(len(value) if isinstance(value, str) else 8 for value in row)


def _chunk_row(chunk: ChunkIn) -> Row:
    prefix = chunk.text[: chunk.prefix_length]
    suffix = chunk.text[len(chunk.text) - chunk.suffix_length :]
    return (
        *(chunk.key, list(chunk.section_path), chunk.anchor, chunk.start, chunk.end),
        *(prefix, suffix, chunk.tokens, chunk.identifiers),
    )


def read_answer(stream: IO[bytes], url: str, limits: ChunkingLimits) -> Prepared:
    """Return the prepared page, or raise its error.

    Raises FrameError if the other process ended or sent something else. Works in short steps, so that other threads can run.
    """
    left = PREPARE_RESULT_BYTES

    def following(*kinds: str) -> Frame:
        """Return the next frame, which must be of one of these kinds."""
        nonlocal left
        frame = read_frame(stream, PIECE_BYTES * 4)
        left -= frame.size
        if left < 0:
            raise FrameError("the answer is too large")
        if frame.kind not in kinds:
            raise FrameError("a frame is of an unknown kind")
        return frame

    head = following("page", "error").head
    if head["kind"] == "error":
        raise error_of(head, url)
    fields = {name: _checked(head.get(name), kinds) for name, kinds in _PAGE.items()}
    parts: dict[str, list[Row]] = {"sections": [], "links": [], "images": [], "navigation": [], "chunks": []}
    pieces: list[str] = []
    while (frame := following("text", "done", *parts)).kind != "done":
        if frame.kind == "text":
            try:
                pieces.append(frame.payload.decode("utf-8", "surrogatepass"))
            except UnicodeDecodeError:
                raise FrameError("a text is not UTF-8") from None
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
    chunks = _made(lambda *row: _chunk(text, longest, row), parts["chunks"], _CHUNK, caps.MAX_CHUNKS_PER_DOCUMENT)
    return Prepared(_checked(head.get("store_url"), _TEXT), page, chunks)


def send_picture(stream: IO[bytes], picture: Picture) -> None:
    """Send an image."""
    head = {"kind": PICTURE, "media_type": picture.media_type, "width": picture.width, "height": picture.height}
    write_frame(stream, head, picture.content)


def read_picture_answer(stream: IO[bytes], url: str) -> Picture:
    """Return the image, or raise its error.

    Raises FrameError for anything but a PNG or JPEG within the limits of stored images.
    """
    frame = read_frame(stream, caps.MAX_KEPT_PICTURE_BYTES)
    if frame.kind == "error":
        raise error_of(frame.head, url)
    media_type = _checked(frame.head.get("media_type"), _TEXT)
    width, height = (_checked(frame.head.get(name), _NUMBER) for name in ("width", "height"))
    signature = SIGNATURES.get(media_type)
    is_sound = frame.kind == PICTURE and signature is not None and frame.payload.startswith(signature)
    if not is_sound or not 1 <= min(width, height) <= max(width, height) <= caps.MAX_PICTURE_SIDE:
        raise FrameError("the answer is not an image")
    return Picture(media_type, width, height, frame.payload)


def _checked(value: object, kinds: tuple[type, ...]) -> Any:
    if type(value) not in kinds:
        raise FrameError("a value has the wrong type")
    return value


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


def _chunk(text: str, longest: int, row: Row) -> ChunkIn:
    key, path, anchor, start, end, prefix, suffix, tokens, identifiers = row
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


def error_head(error: WebRAGError) -> Head:
    """Return the error as a frame."""
    carried = {name: getattr(error, name) for name in _ATTRIBUTES if hasattr(error, name)}
    return {"kind": "error", "type": type(error).__name__, "message": error.message, **carried}


def error_of(head: Head, url: str) -> WebRAGError:
    """Return the error of a frame; a PreparationError if it is unknown or incomplete."""
    message, known = head.get("message"), CLASSES.get(str(head.get("type")))
    if not isinstance(message, str) or known is None:
        return PreparationError(sentence("{} could not be read for an unknown reason.", url), url=url)
    attributes = {name: head[name] for name, kinds in _ATTRIBUTES.items() if isinstance(head.get(name, _ABSENT), kinds)}
    for name in ("links", "frames"):
        found = attributes.pop(name, ())
        if found and all(isinstance(each, str) for each in found):
            attributes[name] = tuple(found[: caps.MAX_NAVIGATION_LINKS])
    wanted = inspect.signature(known.__init__).parameters
    try:
        error = known(message, **{name: value for name, value in attributes.items() if name in wanted})
    except TypeError:
        return PreparationError(sentence("{} could not be read: {}", url, message), url=url)
    error.hint = attributes.get("hint", error.hint)
    return error


class FrameError(ValueError):
    """The other process ended, or sent an invalid frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: the content of the line, and its bytes. `size` includes both."""

    head: Head
    payload: bytes
    size: int

    @property
    def kind(self) -> str:
        return str(self.head.get("kind", ""))


def write_frame(stream: IO[bytes], head: Head, payload: bytes = b"") -> None:
    """Write one frame."""
    line = json.dumps({**head, BYTES: len(payload)} if payload else head, separators=(",", ":"))
    stream.write(line.encode("ascii") + b"\n")
    for start in range(0, len(payload), PIECE_BYTES):
        stream.write(memoryview(payload)[start : start + PIECE_BYTES])
    stream.flush()


def read_frame(stream: IO[bytes], max_bytes: int) -> Frame:
    """Wait for one frame. Raises FrameError at the end of the stream and above `max_bytes`."""
    line = stream.readline(PREPARE_LINE_BYTES + 1)
    if not line:
        raise FrameError("it ended")
    if len(line) > PREPARE_LINE_BYTES or not line.endswith(b"\n"):
        raise FrameError("a line is too long or cut off")
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        raise FrameError("a line is not JSON") from None
    if not isinstance(head, dict):
        raise FrameError("a line is not an object")
    size = head.get(BYTES, 0)
    if type(size) is not int or not 0 <= size <= max_bytes:
        raise FrameError("a size is not usable")
    payload = stream.read(size) if size else b""
    if len(payload) != size:
        raise FrameError("it ended")
    return Frame(head, payload, len(line) + len(payload))
