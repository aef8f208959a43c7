from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir


@pytest.fixture(scope="session")
def model_dir() -> Path:
    folder = assets_dir() / "model"
    assert (folder / "model.onnx").is_file(), f"{folder} is not built yet; run `make setup` first"
    return folder


@pytest.fixture(scope="session")
def onnx(model_dir: Path) -> Iterator[OnnxEmbedder]:
    model = OnnxEmbedder(model_dir)
    yield model
    model.close()
