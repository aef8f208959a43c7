"""Load models in a fraction of the time and memory.

Large weights stay in model.onnx and are mapped into memory, so only the parts in use are loaded. A tokenizer with many pieces becomes
sorted arrays (see `unigram`), which are made once and stored in the folder of a chosen model.
"""

from __future__ import annotations

import logging
import mmap
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.embed.folder import MODEL_FILE, TOKENIZER_FILE, ModelFolder
from app.embed.unigram import UnigramTokenizer, unigram_arrays

log = logging.getLogger(__name__)

QUICK_FILE: Final = "quick.npz"
MAPPED_BYTES: Final = 1 << 17
"""Weights of this size are mapped."""
_VERSION: Final = 1
_SOURCE: Final = "source"

# Numbers of fields and values of ONNX.
_GRAPH, _WEIGHTS = 7, 5
_TYPE, _RAW_DATA, _EXTERNAL_DATA, _DATA_LOCATION = 2, 9, 13, 14
_ONE_BYTE_TYPES: Final = (2, 3)
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def make_quick(folder: ModelFolder) -> None:
    """Store the tokenizer as arrays unless they are there; without them, it loads slowly. Raises EmbedderError for a damaged file."""
    if read_quick(folder) is not None:
        return
    tokenizer = Path(folder.checked(TOKENIZER_FILE))
    try:
        parts = {_SOURCE: _source(folder), **(unigram_arrays(tokenizer.read_bytes()) or {})}
        temporary = folder.path / f"new-{QUICK_FILE}"
        np.savez(temporary, allow_pickle=False, **parts)
        temporary.replace(folder.path / QUICK_FILE)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError) as error:
        log.info("%s loads slowly: %s", folder.path, error)


def quick_tokenizer(folder: ModelFolder) -> UnigramTokenizer | None:
    """Return the tokenizer from its arrays, or None."""
    parts = read_quick(folder, "keys", "numbers", "scores", "unknown", "rest")
    return UnigramTokenizer(parts) if parts is not None else None


def read_quick(folder: ModelFolder, *names: str) -> dict[str, NDArray[Any]] | None:
    """Return stored arrays, by default all, or None if they are missing, damaged or made from another tokenizer."""
    try:
        with np.load(folder.path / QUICK_FILE, allow_pickle=False) as stored:
            if np.array_equal(stored[_SOURCE], _source(folder)):
                return {name: stored[name] for name in names or stored.files}
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile) as error:
        log.debug("%s", error)
    return None


def _source(folder: ModelFolder) -> NDArray[Any]:
    """Return what the arrays are made from."""
    return np.array([str(_VERSION), folder.hashes.get(TOKENIZER_FILE, "")])


def mapped_model(file: Path) -> bytes | None:
    """Return an ONNX model whose large weights refer to their places in the file; None if it cannot be read."""
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            parts = []
            for number, start, inside, after in _fields(data, 0, len(data)):
                graph = _fields(data, inside, after) if number == _GRAPH else ()
                inner = b"".join(
                    _field(_WEIGHTS, b"".join(_mapped_weights(data, begin, end)))
                    if kind == _WEIGHTS and end - begin >= MAPPED_BYTES
                    else data[first:end]
                    for kind, first, begin, end in graph
                )
                parts.append(_field(_GRAPH, inner) if inner else data[start:after])
            return b"".join(parts)
    except (OSError, ValueError, IndexError) as error:
        log.info("%s is loaded completely: %s", file, error)
        return None


def _mapped_weights(model: mmap.mmap, begin: int, end: int) -> Iterator[bytes]:
    fields, location = list(_fields(model, begin, end)), b""
    is_one_byte = any(number == _TYPE and model[inside] in _ONE_BYTE_TYPES for number, _, inside, _ in fields)
    for number, start, inside, after in fields:
        # Other weights must be aligned in memory.
        if number == _RAW_DATA and (is_one_byte or inside % 8 == 0):
            for name, value in (("location", MODEL_FILE), ("offset", str(inside)), ("length", str(after - inside))):
                yield _field(_EXTERNAL_DATA, _field(1, name.encode()) + _field(2, value.encode()))
            location = bytes([_DATA_LOCATION << 3 | _VARINT, 1])
        else:
            yield model[start:after]
    yield location


def _fields(data: mmap.mmap, at: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield number, start, start of the content and end of each field of a protobuf message."""
    while at < end:
        start = at
        tag, at = _varint(data, at)
        inside, kind = at, tag & 7
        if kind == _VARINT:
            _, at = _varint(data, at)
        elif kind == _BYTES:
            size, inside = _varint(data, at)
            at = inside + size
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"unknown type {kind} in {MODEL_FILE}")
        if at > end:
            raise ValueError(f"{MODEL_FILE} ends early")
        yield tag >> 3, start, inside, at


def _varint(data: mmap.mmap, at: int) -> tuple[int, int]:
    """Return the number at this place, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _field(number: int, content: bytes) -> bytes:
    """Return a field with bytes."""
    head, size = bytearray([number << 3 | _BYTES]), len(content)
    while size >= 0x80:
        head.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([*head, size]) + content
