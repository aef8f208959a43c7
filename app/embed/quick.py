"""A second form of a chosen model that loads in a fraction of the time and memory. It is made once, from the checked files of the folder.

Large weights stay in model.onnx and are mapped into memory, so only the parts in use are loaded. A tokenizer with many pieces becomes
sorted arrays (see `unigram`).
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
_MODEL: Final = "model"
_SOURCE: Final = "source"

# Numbers of fields and values of ONNX.
_GRAPH, _WEIGHTS = 7, 5
_TYPE, _RAW_DATA, _EXTERNAL_DATA, _DATA_LOCATION = 2, 9, 13, 14
_ONE_BYTE_TYPES: Final = (2, 3)
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def make_quick(folder: ModelFolder) -> None:
    """Write the second form unless it is there. Without it, the model loads from its own files. Raises EmbedderError for damaged files."""
    if read_quick(folder) is not None:
        return
    model, tokenizer = Path(folder.checked(MODEL_FILE)), Path(folder.checked(TOKENIZER_FILE))
    try:
        parts: dict[str, NDArray[Any]] = {_SOURCE: _source(folder)}
        parts |= unigram_arrays(tokenizer.read_bytes()) or {}
        with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            parts[_MODEL] = np.frombuffer(_with_mapped_weights(data), np.uint8)
        temporary = folder.path / f"new-{QUICK_FILE}"
        np.savez(temporary, allow_pickle=False, **parts)
        temporary.replace(folder.path / QUICK_FILE)
    except (OSError, ValueError, IndexError, KeyError, TypeError) as error:
        log.info("%s loads slowly: %s", folder.path, error)


def quick_tokenizer(folder: ModelFolder) -> UnigramTokenizer | None:
    """Return the tokenizer in its second form, or None."""
    parts = read_quick(folder, "keys", "numbers", "scores", "unknown", "rest")
    return UnigramTokenizer(parts) if parts is not None else None


def quick_model(folder: ModelFolder) -> bytes | None:
    """Return the model without the large weights, or None."""
    parts = read_quick(folder, _MODEL)
    return parts[_MODEL].tobytes() if parts is not None else None


def read_quick(folder: ModelFolder, *names: str) -> dict[str, NDArray[Any]] | None:
    """Return parts of the second form, by default all, or None if it is missing, damaged or made from other files."""
    try:
        with np.load(folder.path / QUICK_FILE, allow_pickle=False) as stored:
            if np.array_equal(stored[_SOURCE], _source(folder)):
                return {name: stored[name] for name in names or stored.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        log.debug("%s", error)
    return None


def _source(folder: ModelFolder) -> NDArray[Any]:
    """Return what the second form is made from."""
    return np.array([str(_VERSION), folder.hashes.get(MODEL_FILE, ""), folder.hashes.get(TOKENIZER_FILE, "")])


def _with_mapped_weights(model: mmap.mmap) -> bytes:
    """Return an ONNX model whose large weights refer to their places in model.onnx."""
    parts = []
    for number, start, inside, after in _fields(model, 0, len(model)):
        graph = _fields(model, inside, after) if number == _GRAPH else ()
        inner = b"".join(_mapped(model, *field) for field in graph)
        parts.append(_field(_GRAPH, inner) if inner else model[start:after])
    return b"".join(parts)


def _mapped(model: mmap.mmap, number: int, start: int, inside: int, after: int) -> bytes:
    """Return a field of a graph, with its weights mapped if they are large."""
    if number == _WEIGHTS and after - inside >= MAPPED_BYTES:
        return _field(_WEIGHTS, b"".join(_mapped_weights(model, inside, after)))
    return model[start:after]


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
