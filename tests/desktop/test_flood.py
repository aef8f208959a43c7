"""Work of the window's thread during a crawl: little, and none for hidden pages."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.events import DocumentChanged, EmbeddingProgress, Event, JobChanged, PassageWanted

BATCHES: Final = 60
MOST_OF_MEASURE: Final = 2.0
"""Average processor time of a batch and what follows from it, in multiples of `measure`. It takes 0.8."""
HEAVY: Final = ("numpy", "apsw", "lxml", "httpx", "mcp", "onnxruntime", "app.engine.facade")


def crawl_batch(number: int) -> list[Event]:
    changed = [DocumentChanged(f"https://a.example/{number}-{each}", 1 + each, "stored") for each in range(6)]
    job = JobChanged(1, "crawl", "https://a.example/", "running", number, BATCHES, 0)
    return [*changed, job, EmbeddingProgress(1_000 - number)]


def measure() -> float:
    """Return this thread's processor time for constant work: about 10 ms, more on a busy machine."""
    began = time.thread_time()
    assert sum(len(str(number)) for number in range(200_000)) == 1_088_890
    return time.thread_time() - began


@pytest.mark.real
@pytest.mark.parametrize("page", ["home", "library", "activity"])
def test_a_flood_of_events_leaves_the_window_responsive(desktop: DesktopApp, qtbot: QtBot, page: str) -> None:
    desktop.window.go_to(page)
    qtbot.waitUntil(lambda: desktop.window.library.model.is_loaded)
    before, began = measure(), time.thread_time()
    for number in range(BATCHES):
        desktop.bridge.batch.emit(crawl_batch(number))
        desktop._application.processEvents()
    took = (time.thread_time() - began) / BATCHES
    assert took < MOST_OF_MEASURE * (before + measure()) / 2


def test_a_wanted_passage_is_shown_in_the_window(desktop: DesktopApp, qtbot: QtBot) -> None:
    """As a button of the evidence view in an assistant asks for it."""
    desktop.window.hide()
    desktop.bus.publish(PassageWanted(2, 0, 4))
    qtbot.waitUntil(lambda: desktop.window.isVisible() and desktop.window.current_page is desktop.window.library)
    qtbot.waitUntil(lambda: (shown := desktop.window.library.pane._shown) is not None and shown.id == 2)


def test_importing_the_window_does_not_import_engine_packages() -> None:
    program = f"import sys, app.desktop.application; print([name for name in {HEAVY!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_qt_binding_does_not_read_sources_of_imported_modules() -> None:
    program = (
        "import app.desktop.qt, linecache, sys; app.desktop.qt.spare_sources();"
        "import app.desktop.main_window; print(len(linecache.cache))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "0"
