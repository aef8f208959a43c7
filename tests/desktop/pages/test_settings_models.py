"""Settings > Search model: the list of models, and choosing one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.pages.settings.models import SETTING, EmbedderSection
from app.embed import NO_MODEL
from app.embed.embedder import RERANKER, EmbedderCheck
from app.engine import models as engine_models
from app.engine.models import ModelTrial
from app.errors import ModelNotAddedError
from tests.desktop.window import as_new


@pytest.fixture
def section(shared_desktop: DesktopApp, qtbot: QtBot) -> EmbedderSection:
    as_new(shared_desktop)
    section = shared_desktop.window.settings.embedder
    section.reload()
    qtbot.waitUntil(lambda: section.choice.choice.count() > 1)
    return section


def test_the_catalogue_shows_license_size_and_source_before_a_download(section: EmbedderSection) -> None:
    row = section.choice
    assert row.choice.itemText(0) == "Built-in model"
    assert not row.button.isEnabled(), "it is in use"
    row.choice.setCurrentIndex(1)
    text = row.text.text()
    assert "About 100 languages" in text
    assert "License: MIT, 135" in text
    assert "downloads it from https://huggingface.co/Xenova/multilingual-e5-small" in text
    assert row.button.isEnabled()


def test_a_chosen_model_is_added_tested_and_saved(
    section: EmbedderSection, shared_desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    added: list[str] = []

    def add(_settings: Any, wanted: str, *, told: Any) -> str:
        told("step", 1, 2)
        added.append(wanted)
        return wanted

    trial = ModelTrial("multilingual-e5-small", NO_MODEL, EmbedderCheck(4.0, 32.0, 1.0), 10_000, 312.0, 10)
    monkeypatch.setattr(engine_models, "add", add)
    monkeypatch.setattr(engine_models, "try_model", lambda _settings, _name: trial)
    section.choice.choice.setCurrentIndex(1)
    section.choice.button.click()
    store = shared_desktop.context.settings
    qtbot.waitUntil(lambda: store.value(SETTING) == "multilingual-e5-small")
    assert added == ["multilingual-e5-small"]
    assert section.state.per_second == 32.0
    qtbot.waitUntil(lambda: "English questions do not wait" in section.change.text())
    store.reset(SETTING)


def test_a_reranker_has_a_row_of_its_own(
    section: EmbedderSection, shared_desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, store, restarts = section.reranker, shared_desktop.context.settings, []
    qtbot.waitUntil(lambda: row.choice.count() == 3)
    assert [row.choice.itemText(at) for at in range(2)] == ["None", "ms-marco-MiniLM-L-6-v2"]
    assert not row.button.isEnabled(), "none is in use"
    assert "orders them again" in row.text.text()
    row.choice.setCurrentIndex(1)
    assert "licensed for research only" in row.text.text()
    assert "License: Apache-2.0, 23.9 MB" in row.text.text()
    card = replace(NO_MODEL, kind=RERANKER)
    trial = ModelTrial("ms-marco-MiniLM-L-6-v2", card, EmbedderCheck(230.0, 87.0, None), 0, 0.0, 0)
    monkeypatch.setattr(engine_models, "add", lambda _settings, wanted, **_: wanted)
    monkeypatch.setattr(engine_models, "try_model", lambda _settings, _name: trial)
    row.chosen.connect(lambda: restarts.append(1))
    row.button.click()
    qtbot.waitUntil(lambda: store.value("reranker_model") == trial.name and bool(restarts))
    assert store.value(SETTING) == ""
    section.choice._choose(trial)
    assert "This is a reranker." in section.choice.problem.text()
    row.choice.setCurrentIndex(0)
    row._begin_use()
    assert store.value("reranker_model") == ""
    store.reset("reranker_model")
    section.choice.forget()


def test_a_failure_keeps_the_current_model(
    section: EmbedderSection, shared_desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def add(_settings: Any, wanted: str, **_: Any) -> str:
        raise ModelNotAddedError("The download was interrupted.")

    monkeypatch.setattr(engine_models, "add", add)
    row = section.choice
    row.choice.addItem(str(tmp_path), str(tmp_path))
    row.choice.setCurrentIndex(row.choice.count() - 1)
    assert "copies this folder" in row.text.text()
    row.button.click()
    qtbot.waitUntil(lambda: row.badge.text() == "failed")
    assert "The current model stays in use." in row.problem.text()
    assert shared_desktop.context.settings.value(SETTING) == ""
