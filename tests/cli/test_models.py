"""`webrag models` in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.cli.library import own_model
from app.clients.checks import check_machine, ignore
from app.engine import models as engine_models
from app.engine.licences import packages
from app.secrets import SecretStore
from app.settings import load_settings
from tests.support.models import make_model, make_reranker
from tests.support.site import Exchange, Site


def run(*arguments: str, data: Path) -> int:
    return main(["models", *arguments, "--data-dir", str(data)])


def test_models_are_listed_without_a_request(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("httpx.Client.__init__", None)
    assert run("list", "--json", data=tmp_path) == 0
    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert listed["built-in"]["is_used"]
    assert listed["multilingual-e5-small"]["licence"] == "MIT"
    assert run(data=tmp_path) == 0
    out = capsys.readouterr().out
    assert "not downloaded" in out
    assert "https://huggingface.co/Xenova/multilingual-e5-small" in out


def test_a_folder_is_added_tested_used_and_removed(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, data = make_model(tmp_path / "mine"), tmp_path / "data"
    assert run("add", str(mine), "--json", data=data) == 0
    assert json.loads(capsys.readouterr().out) == {"added": "mine", "calibrated": True, "dimension": 768}
    assert run("test", "mine", data=data) == 0
    assert "tiny works: 768 dimensions" in capsys.readouterr().out
    monkeypatch.setattr(engine_models, "count_chunks", lambda _: 10_000)
    assert run("use", "mine", data=data) == 1
    told = capsys.readouterr()
    assert "10,000 stored passages again, in about" in told.err
    assert load_settings(data_dir=data).embedding_model_folder == ""
    assert run("use", "mine", "--yes", data=data) == 0
    assert load_settings(data_dir=data).embedding_model_folder == "mine"
    assert run("remove", "mine", data=data) == 1
    assert run("use", "built-in", "--yes", data=data) == 0
    assert run("remove", "mine", data=data) == 0
    assert not (data / "models" / "mine").exists()


def test_a_reranker_is_added_used_and_no_longer_used(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, data = make_reranker(tmp_path / "mine"), tmp_path / "data"
    assert run("add", str(mine), "--json", data=data) == 0
    assert json.loads(capsys.readouterr().out) == {"added": "mine"}
    assert run("use", "mine", data=data) == 0
    assert "It is the reranker after the next start." in capsys.readouterr().out
    settings = load_settings(data_dir=data)
    assert (settings.reranker_model, settings.embedding_model_folder) == ("mine", "")
    found = {check.name: check for check in check_machine(data, ignore, SecretStore())}["reranker"]
    assert found.ok
    assert run("remove", "mine", data=data) == 1
    assert run("use", "no-reranker", data=data) == 0
    assert load_settings(data_dir=data).reranker_model == ""
    assert run("remove", "mine", data=data) == 0
    capsys.readouterr()
    assert run("list", data=data) == 0
    assert "*no-reranker" in capsys.readouterr().out


def test_a_node_sets_up_its_library_for_the_chosen_model(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built_in = own_model(tmp_path)
    monkeypatch.setenv("EMBEDDING_MODEL_FOLDER", str(make_model(tmp_path / "mine")))
    chosen = own_model(tmp_path)
    assert (built_in.dimension, chosen.dimension) == (384, 768)
    assert own_model(tmp_path) == chosen


def test_a_node_sets_up_its_library_for_an_embedding_server(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def embed(exchange: Exchange) -> None:
        asked = json.loads(exchange.handler.rfile.read(int(exchange.request.headers["content-length"])))["input"]
        rows = [{"embedding": [len(text), *map(ord, f"{text:16}"[:15])]} for text in asked]
        exchange.send(json.dumps({"data": rows}).encode(), 200, "application/json")

    with Site() as site:
        site.on("/v1/embeddings", embed)
        monkeypatch.setenv("EMBEDDING_SERVER_URL", site.url(""))
        monkeypatch.setenv("EMBEDDING_MODEL_NAME", "small")
        assert own_model(tmp_path).dimension == 16


def test_the_doctor_checks_the_chosen_model(own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL_FOLDER", str(make_model(tmp_path / "mine")))
    found = {check.name: check for check in check_machine(tmp_path, ignore, SecretStore())}["embedding model"]
    assert (found.ok, found.detail) == (True, "tiny, 768 dimensions")
    (tmp_path / "mine" / "model.onnx").write_bytes(b"cut")
    found = {check.name: check for check in check_machine(tmp_path, ignore, SecretStore())}["embedding model"]
    assert not found.ok
    assert "model.onnx is damaged" in found.detail


def test_licenses_list_added_and_chosen_models(own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = make_model(tmp_path / "mine", dimension=64)
    assert run("add", str(mine), data=tmp_path / "data") == 0
    assert "tiny" in {each.name for each in packages(tmp_path / "data")}
    assert "tiny" not in {each.name for each in packages(tmp_path / "other")}
    monkeypatch.setenv("EMBEDDING_MODEL_FOLDER", str(mine))
    monkeypatch.setenv("RERANKER_MODEL", str(make_reranker(tmp_path / "pairs")))
    assert {"tiny", "pairs"} <= {each.name for each in packages(tmp_path / "other")}


def test_a_model_that_gives_no_numbers_is_not_used(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = make_model(tmp_path / "broken", dimension=64, value=float("nan"))
    assert run("use", str(broken), data=tmp_path / "data") == 1
    assert "not numbers" in capsys.readouterr().err
    assert run("add", str(broken), data=tmp_path / "data") == 1
    assert load_settings(data_dir=tmp_path / "data").embedding_model_folder == ""


def test_a_command_without_a_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("use", data=tmp_path) == 1
    assert "models list" in capsys.readouterr().err
