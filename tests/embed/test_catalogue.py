from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from app.embed import configured_embedder
from app.embed import models as models_module
from app.embed.folder import CARD_FILE, load_card
from app.embed.models import (
    BUILT_IN,
    NO_RERANKER,
    CatalogueFile,
    CatalogueModel,
    add_model,
    catalogue,
    known_models,
    remove_model,
)
from app.errors import EmbedderError, ModelNotAddedError
from app.secrets import SecretStore
from app.settings import Settings, load_settings
from app.slots import NetworkSlots
from tests.support.models import make_model


@dataclass
class Publisher:
    """A server with the files of one model. It sends at most `most` bytes per reply, and changes a byte if `is_wrong`."""

    folder: Path
    address: str = ""
    most: int = 1 << 40
    is_wrong: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("made") / "tiny", dimension=64)


@pytest.fixture
def publisher(made: Path) -> Iterator[Publisher]:
    serving = Publisher(made)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = self.headers.get("Range", "")
            serving.asked.append((self.path, given))
            data = bytearray((serving.folder / Path(self.path).name).read_bytes())
            data[len(data) // 2] ^= serving.is_wrong
            start = int(given[6:-1]) if given else 0
            self.send_response(206 if given else 200)
            self.send_header("Content-Length", str(len(data) - start))
            if given:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()
            self.wfile.write(data[start : start + serving.most])

        def log_message(self, format: str, *args: object) -> None:
            """Do not print requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    serving.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield serving
    server.shutdown()
    server.server_close()


@pytest.fixture
def offer(made: Path, monkeypatch: pytest.MonkeyPatch) -> CatalogueModel:
    """A catalogue with the model of the publisher only."""
    files = tuple(
        CatalogueFile(path, len(data := (made / Path(path).name).read_bytes()), hashlib.sha256(data).hexdigest())
        for path in ("onnx/model.onnx", "tokenizer.json")
    )
    card = {
        "licence": "MIT",
        "languages": ["en"],
        "dimension": 64,
        "pooling": "cls",
        "query_prefix": "",
        "passage_prefix": "",
        "max_tokens": 128,
    }
    made_up = CatalogueModel("tiny", "maker/tiny", "1" * 40, "For tests.", files, card)
    monkeypatch.setattr(models_module, "catalogue", lambda: {"tiny": made_up})
    return made_up


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "data", environ={})


def test_every_entry_of_the_catalogue_makes_a_card(tmp_path: Path) -> None:
    assert next(iter(catalogue())) == "multilingual-e5-small"
    for name, model in catalogue().items():
        (tmp_path / CARD_FILE).write_text(model.card_text(), encoding="utf-8")
        card = load_card(tmp_path)
        assert (card.name, card.revision) == (name, model.revision)
        assert card.licence in ("MIT", "Apache-2.0")
        assert model.revision in card.source
        assert [file.name for file in model.files] == ["model.onnx", "tokenizer.json"]
        assert all(len(file.sha256) == 64 for file in model.files)
    kinds = {name: model.card.get("kind") for name, model in catalogue().items()}
    rerankers = [name for name, kind in kinds.items() if kind]
    assert rerankers == ["ms-marco-MiniLM-L-6-v2", "mmarco-mMiniLMv2-L12-H384-v1"]
    assert all("research" in catalogue()[name].meaning for name in rerankers), "the licence of the training data"


def test_a_downloaded_model_can_be_used(settings: Settings, publisher: Publisher, offer: CatalogueModel) -> None:
    told: list[tuple[str, int, int]] = []
    card = add_model(settings, "tiny", source=publisher.address, told=lambda *step: told.append(step))
    assert {step for step, _, _ in told} == {"tiny", "Preparing tiny"}
    assert [path for path, _ in publisher.asked] == [
        f"/maker/tiny/resolve/{offer.revision}/{file.path}" for file in offer.files
    ]
    found = {model.name: model for model in known_models(settings)}
    assert list(found) == [BUILT_IN, NO_RERANKER, "tiny"]
    assert found[BUILT_IN].is_used
    assert found["tiny"].is_added
    embedder = configured_embedder(replace(settings, embedding_model_folder="tiny"), SecretStore(), NetworkSlots(1))
    assert embedder.card.fingerprint == card.fingerprint
    embedder.close()
    with pytest.raises(ModelNotAddedError, match="already added"):
        add_model(settings, "tiny", source=publisher.address)
    remove_model(settings, "tiny")
    assert not {model.name: model for model in known_models(settings)}["tiny"].is_added


def test_a_cut_download_continues(settings: Settings, publisher: Publisher, offer: CatalogueModel) -> None:
    publisher.most = 70_000
    with pytest.raises(ModelNotAddedError, match="interrupted") as caught:
        add_model(settings, "tiny", source=publisher.address)
    assert "continues" in caught.value.hint
    assert not {model.name: model for model in known_models(settings)}["tiny"].is_added
    publisher.most = 1 << 40
    add_model(settings, "tiny", source=publisher.address)
    assert [given for _, given in publisher.asked] == ["", "bytes=70000-", ""]


def test_wrong_bytes_are_not_installed(settings: Settings, publisher: Publisher, offer: CatalogueModel) -> None:
    publisher.is_wrong = True
    with pytest.raises(ModelNotAddedError, match=r"onnx/model\.onnx is not the file"):
        add_model(settings, "tiny", source=publisher.address)
    assert not (settings.data_dir / "models" / "tiny").exists()
    publisher.is_wrong = False
    add_model(settings, "tiny", source=publisher.address)
    assert publisher.asked[1] == publisher.asked[0], "the wrong file is deleted"


def test_a_server_without_the_files_is_reported(settings: Settings, offer: CatalogueModel) -> None:
    with pytest.raises(ModelNotAddedError, match="interrupted"):
        add_model(settings, "tiny", source="http://127.0.0.1:9")


@pytest.mark.parametrize("source", ["http://[::1", "https://mirror:port"])
def test_an_invalid_address_of_a_mirror_is_an_error(settings: Settings, offer: CatalogueModel, source: str) -> None:
    with pytest.raises(ModelNotAddedError, match="is not a web address"):
        add_model(settings, "tiny", source=source)


def test_the_mirror_of_the_settings_is_asked(settings: Settings, publisher: Publisher, offer: CatalogueModel) -> None:
    add_model(replace(settings, embedding_model_mirror=publisher.address), "tiny")
    assert len(publisher.asked) == 2


def test_files_of_a_folder_need_no_network(
    settings: Settings, made: Path, offer: CatalogueModel, tmp_path: Path
) -> None:
    with pytest.raises(ModelNotAddedError, match=r"does not contain onnx/model\.onnx"):
        add_model(settings, "tiny", source=str(tmp_path))
    add_model(settings, "tiny", source=str(made))
    assert {model.name: model for model in known_models(settings)}["tiny"].is_added


def test_a_folder_with_a_card_is_copied(settings: Settings, made: Path, offer: CatalogueModel, tmp_path: Path) -> None:
    mine = Path(shutil.copytree(made, tmp_path / "mine"))
    add_model(settings, str(mine))
    shutil.rmtree(mine)
    assert {model.name: model for model in known_models(settings)}["mine"].is_added


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_an_incomplete_folder_is_not_added(
    settings: Settings, made: Path, offer: CatalogueModel, tmp_path: Path, name: str
) -> None:
    mine = Path(shutil.copytree(made, tmp_path / "mine"))
    (mine / name).unlink()
    with pytest.raises(EmbedderError, match=name):
        add_model(settings, str(mine))
    assert [model.name for model in known_models(settings)] == [BUILT_IN, NO_RERANKER, "tiny"]


@pytest.mark.parametrize("name", ["../other", "unknown", BUILT_IN, NO_RERANKER, "x.part"])
def test_only_added_models_can_be_removed(settings: Settings, offer: CatalogueModel, name: str) -> None:
    with pytest.raises(ModelNotAddedError):
        remove_model(settings, name)


def test_a_chosen_model_that_is_missing_is_listed_with_its_problem(settings: Settings, offer: CatalogueModel) -> None:
    chosen = replace(settings, embedding_model_folder="gone")
    gone = {model.name: model for model in known_models(chosen)}["gone"]
    assert gone.is_used
    assert "No model in" in gone.problem
    with pytest.raises(ModelNotAddedError, match="in use"):
        remove_model(chosen, "gone")
