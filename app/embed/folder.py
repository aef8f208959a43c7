"""The folder of a model: card.toml describes how to use its files and has the SHA-256 of each."""

from __future__ import annotations

import base64
import hashlib
import json
import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.embed.embedder import RERANKER, ModelCard, Vector, fingerprint_of
from app.errors import EmbedderError
from app.paths import assets_dir
from app.serialise import read_toml
from app.text.sentence import Sentence, listing, sentence

CARD_FILE: Final = "card.toml"
MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
SUBJECTS_FILE: Final = "subjects.txt"
POOLINGS: Final = ("mean", "cls", "last")

_REQUIRED: Final[Mapping[str, type]] = {
    "name": str, "revision": str, "dimension": int, "pooling": str, "normalise": bool, "query_prefix": str, "passage_prefix": str,
    "max_tokens": int, "similarity_threshold": float, "licence": str,
}  # fmt: skip
_OPTIONAL: Final[Mapping[str, type]] = {
    "source": str,
    "languages": list,
    "centre": str,
    "calibrated": bool,
    "kind": str,
}
_OF_RERANKERS: Final[Mapping[str, Any]] = {
    "dimension": 8, "pooling": "mean", "normalise": True, "query_prefix": "", "passage_prefix": "", "similarity_threshold": 0.0
}  # fmt: skip
"""Values about vectors, which the card of a reranker does not have."""
_IN_FINGERPRINT: Final = ("dimension", "pooling", "normalise", "query_prefix", "passage_prefix", "max_tokens")
"""The values that change vectors, in addition to the files."""
_LOCATION: Final = b"\n\x08location"
"""The key in an ONNX file before the name of another file with weights, as protobuf writes it."""


@dataclass(frozen=True, slots=True)
class Centre:
    """The means of a model over texts of many subjects and languages, float32 (dimension,).

    Subtracting them makes signs of vectors differ between texts, and gives cosines the scale of the built-in model.
    """

    vector: Vector
    token: Vector


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on disk: its card and the SHA-256 of each file."""

    path: Path
    card: ModelCard
    hashes: Mapping[str, str]
    _seen: dict[str, tuple[int, ...]] = field(default_factory=dict, compare=False)
    """Size, times and number of each checked file; hashing 120 MB again takes longer than loading them."""

    def checked(self, name: str) -> str:
        """Return the path of a file. Raises EmbedderError if it is missing or does not match the card."""
        path = self.path / name
        try:
            with path.open("rb") as file:
                state = os.fstat(file.fileno())
                seen = state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
                if self._seen.get(name) == seen:
                    return str(path)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise EmbedderError(sentence("WebRAG cannot read {}: {}.", path, error.strerror)) from error
        if digest != self.hashes.get(name):
            raise EmbedderError(sentence("{} is damaged or does not match {}.", path, CARD_FILE))
        self._seen[name] = seen
        return str(path)

    def checked_model(self) -> str:
        """Return the path of the model after checking every file that it reads. Raises EmbedderError."""
        seen = self._seen.get(MODEL_FILE)
        path = self.checked(MODEL_FILE)
        for name in self.hashes.keys() - {MODEL_FILE, TOKENIZER_FILE}:
            self.checked(name)
        if seen != self._seen[MODEL_FILE] and (unlisted := weight_files(Path(path)) - self.hashes.keys()):
            del self._seen[MODEL_FILE]
            raise EmbedderError(
                sentence("{} reads files that {} does not list: {}.", path, CARD_FILE, listing(sorted(unlisted)))
            )
        return path


def weight_files(model: Path) -> set[str]:
    """Return the names of the files that an ONNX file reads weights from."""
    found: set[str] = set()
    if not model.stat().st_size:
        return found
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = data.find(_LOCATION)
        while at >= 0:
            tag, size = data[at + len(_LOCATION) : at + len(_LOCATION) + 2].ljust(2, b"\0")
            at += len(_LOCATION) + 2
            # Anything but a short name is not a file of the folder.
            found.add(data[at : at + size].decode("utf-8", "replace") if tag == 0x12 and size < 0x80 else "?")
            at = data.find(_LOCATION, at)
    return found


def load_centre(folder: ModelFolder) -> Centre | None:
    """Return the centre that the card names, or None. Raises EmbedderError."""
    if not folder.card.centre:
        return None
    path = folder.checked(folder.card.centre)
    try:
        stored = json.loads(Path(path).read_bytes())
        vector, token = (np.frombuffer(base64.b64decode(stored[name]), "<f4") for name in ("vector", "token"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbedderError(sentence("WebRAG cannot read {}: {}.", path, error)) from error
    if not (vector.size == token.size == folder.card.dimension and np.isfinite([vector, token]).all()):
        raise EmbedderError(sentence("{} does not fit a model with {} dimensions.", path, folder.card.dimension))
    return Centre(vector, token)


def load_card(folder: Path) -> ModelCard:
    """Return the card of the model in a folder without checking its files. Raises EmbedderError."""
    return open_model(folder).card


def open_model(folder: Path, kind: str | None = None) -> ModelFolder:
    """Return the card and file hashes of a folder. Raises EmbedderError that names the problem in card.toml.

    With `kind`, a model of another kind is a problem.
    """
    path = folder / CARD_FILE
    try:
        raw = read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EmbedderError(sentence("No model in {}: {}.", folder, error.strerror)) from error
    except ValueError as error:
        raise EmbedderError(sentence("WebRAG cannot read {}: {}.", path, error)) from error
    if raw.get("kind") == RERANKER:
        raw = {**_OF_RERANKERS, **raw}
    values = {name: _value(path, name, raw.get(name), kind) for name, kind in _REQUIRED.items()}
    values |= {name: _value(path, name, raw[name], kind) for name, kind in _OPTIONAL.items() if name in raw}
    hashes = raw.get("files")
    if not isinstance(hashes, dict) or not all(isinstance(digest, str) for digest in hashes.values()):
        raise EmbedderError(sentence("{} does not list the hashes of the model's files.", path))
    if problem := _problem(path, values, hashes, kind):
        raise EmbedderError(problem)
    values["languages"] = tuple(map(str, values.get("languages", ())))
    # Name, revision, threshold and license are omitted: they do not change vectors.
    fingerprint = fingerprint_of({**{name: values[name] for name in _IN_FINGERPRINT}, "files": dict(hashes)})
    return ModelFolder(folder, ModelCard(**values, fingerprint=fingerprint), hashes)


def _value(path: Path, name: str, value: Any, kind: type) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise EmbedderError(sentence("{}: {} is missing or not of type {}.", path, name, kind.__name__))
    return value


def _problem(path: Path, values: Mapping[str, Any], hashes: Mapping[str, str], kind: str | None) -> Sentence | None:
    """Return why a card with these values cannot be used, or None."""
    own = values.get("kind", "")
    if own not in ("", RERANKER):
        return sentence("{}: WebRAG does not know the kind {}.", path, own)
    if kind is not None and own != kind:
        return sentence("{} is a reranker.", path) if own else sentence("{} is not a reranker.", path)
    if values["pooling"] not in POOLINGS:
        return sentence("{}: pooling must be one of {}.", path, ", ".join(POOLINGS))
    if values["dimension"] < 8 or values["dimension"] % 8:
        return sentence("{}: dimension must be a multiple of 8.", path)
    if values["max_tokens"] < 8:
        return sentence("{}: {} is too small.", path, "max_tokens")
    if not values["normalise"]:
        return sentence("{}: only models with normalized output can be used.", path)
    if outside := [name for name in hashes if Path(name).name != name or "\\" in name]:
        return sentence("{}: {} is not the name of a file in this folder.", path, outside[0])
    if values.get("centre") and values["centre"] not in hashes:
        return sentence("{}: {} is missing in [files].", path, values["centre"])
    return None


def subjects() -> tuple[str, ...]:
    """Return short texts of many subjects and languages."""
    lines = (assets_dir() / SUBJECTS_FILE).read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))
