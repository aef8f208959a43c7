"""The model card: card.toml beside a model's files says what must be known to use them, with their hashes."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.embed.embedder import ModelCard
from app.errors import EmbedderError

CARD_FILE: Final = "card.toml"
POOLINGS: Final = ("mean", "cls")

_KINDS: Final[Mapping[str, type]] = {
    "name": str,
    "revision": str,
    "dimension": int,
    "pooling": str,
    "normalise": bool,
    "query_prefix": str,
    "passage_prefix": str,
    "max_tokens": int,
    "similarity_threshold": float,
    "licence": str,
}


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on disk: its card and the SHA-256 that each of its files must have."""

    path: Path
    card: ModelCard
    hashes: Mapping[str, str]

    def checked(self, name: str) -> str:
        """The path of a file; raises EmbedderError when it is missing or not the one of the card."""
        path = self.path / name
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise EmbedderError(f"{path} cannot be read: {error.strerror}.") from error
        if digest != self.hashes.get(name):
            raise EmbedderError(f"{path} is damaged or not the file that {CARD_FILE} describes.")
        return str(path)


def load_card(model_dir: Path) -> ModelCard:
    """The card of the model in a folder, whose files are not looked at; raises EmbedderError."""
    return open_model(model_dir).card


def open_model(model_dir: Path) -> ModelFolder:
    """The card and file hashes of a folder; raises EmbedderError naming what is wrong with card.toml."""
    path = model_dir / CARD_FILE
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EmbedderError(f"There is no embedding model in {model_dir}: {error.strerror}.") from error
    except ValueError as error:
        raise EmbedderError(f"{path} cannot be read: {error}.") from error
    values = {name: _value(raw, name, kind, path) for name, kind in _KINDS.items()}
    hashes = raw.get("files")
    if not isinstance(hashes, dict) or not all(isinstance(digest, str) for digest in hashes.values()):
        raise EmbedderError(f"{path} does not list the hashes of the model's files.")
    _check(values, path)
    return ModelFolder(model_dir, ModelCard(**values, fingerprint=_fingerprint(values, hashes)), hashes)


def fingerprint_of(parts: Mapping[str, Any]) -> str:
    """A SHA-256 over values that change the vectors, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _fingerprint(values: Mapping[str, Any], hashes: Mapping[str, str]) -> str:
    """Name, revision, threshold and licence are left out: they change no vector."""
    names = ("dimension", "pooling", "normalise", "query_prefix", "passage_prefix", "max_tokens")
    return fingerprint_of({**{name: values[name] for name in names}, "files": dict(hashes)})


def _value(raw: Mapping[str, Any], name: str, kind: type, path: Path) -> Any:
    value = raw.get(name)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise EmbedderError(f"{path}: {name} is missing or not of type {kind.__name__}.")
    return value


def _check(values: Mapping[str, Any], path: Path) -> None:
    if values["pooling"] not in POOLINGS:
        raise EmbedderError(f"{path}: pooling must be one of {', '.join(POOLINGS)}.")
    if values["dimension"] < 8 or values["dimension"] % 8:
        raise EmbedderError(f"{path}: dimension must be a multiple of 8.")
    if values["max_tokens"] < 8:
        raise EmbedderError(f"{path}: max_tokens is too small.")
    if not values["normalise"]:
        raise EmbedderError(f"{path}: only models whose vectors are normalised can be used.")
