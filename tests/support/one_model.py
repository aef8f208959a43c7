"""The built-in model, loaded once for all engines of a process. All processes of a run compute each text once.

Most of the start of an engine is loading its model, and most of the processor time after it the passages of the guide, which are always
the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, TypeVar

import numpy as np
import pytest

from app.embed import onnx
from app.embed.folder import TOKENIZER_FILE, ModelFolder
from app.embed.onnx import LoadedModel
from app.paths import assets_dir
from app.text import tokens

T = TypeVar("T")
FOLDER: Final = assets_dir() / "model"

_load_model, _load_tokenizer = onnx.load_model, onnx.load_tokenizer


class _Session:
    """A session of the model that stores its results in a folder, which other processes share."""

    def __init__(self, session: Any, folder: Path) -> None:
        self._session = session
        self._folder = folder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def run(self, outputs: Sequence[str], feeds: dict[str, Any]) -> list[Any]:
        given = repr([*outputs, *((name, values.tobytes()) for name, values in feeds.items())])
        file = self._folder / f"{sha256(given.encode()).hexdigest()}.npy"
        if not file.exists():
            (made,) = self._session.run(outputs, feeds)
            with NamedTemporaryFile(dir=self._folder, delete=False) as new:
                np.save(new, made)
            Path(new.name).replace(file)
        return [np.load(file)]


@contextmanager
def one_model(folder: Path) -> Iterator[None]:
    """Load the built-in model, its tokenizer and its kind of counter once within the context. The folder is for results."""

    def is_built_in(model: ModelFolder) -> bool:
        return model.path == FOLDER

    def load_remembering(chosen: ModelFolder) -> LoadedModel:
        model = _load_model(chosen)
        return replace(model, session=_Session(model.session, folder)) if is_built_in(chosen) else model

    counts_by_words = _once(tokens._counts_by_words, (FOLDER / TOKENIZER_FILE).__eq__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnx, "load_model", _once(load_remembering, is_built_in))
        patch.setattr(onnx, "load_tokenizer", _once(_load_tokenizer, is_built_in))
        patch.setattr(tokens, "_counts_by_words", counts_by_words)
        yield


@contextmanager
def models_apart() -> Iterator[None]:
    """Load and compute within the context as the program does, for tests of that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnx, "load_model", _load_model)
        patch.setattr(onnx, "load_tokenizer", _load_tokenizer)
        yield


def _once(load: Callable[[Any], T], is_shared: Callable[[Any], bool]) -> Callable[[Any], T]:
    """Return the function, which loads what is shared only the first time."""
    lock, made = threading.Lock(), []

    def loaded(place: Any) -> T:
        if not is_shared(place):
            return load(place)
        with lock:
            if not made:
                made.append(load(place))
        return made[0]

    return loaded
