from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir
from tests.support.one_model import models_apart


@pytest.fixture(scope="module", autouse=True)
def models_as_in_the_program() -> Iterator[None]:
    with models_apart():
        yield


@pytest.fixture(scope="session")
def model_dir() -> Path:
    folder = assets_dir() / "model"
    assert (folder / "model.onnx").is_file(), f"{folder} is not built yet; run `make setup` first"
    return folder


@pytest.fixture(scope="module")
def onnx(model_dir: Path) -> Iterator[OnnxEmbedder]:
    model = OnnxEmbedder(model_dir)
    yield model
    model.close()
