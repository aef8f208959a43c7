"""The window with the real engine and endpoint: it shows what assistants do, and its statements are true."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.backend import Phase
from app.desktop.dialogs.add.dialog import AddPageDialog
from app.instance import is_healthy, read_runtime
from app.settings import load_settings
from tests.conftest import with_guide
from tests.desktop.window import take_away
from tests.integration.application import TELLS_IMPORTS, imported, of_shared_libraries
from tests.support.site import Site

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]
RULES = "".join(
    f"<p>Rule {number}: every vessel keeps a distance of {number} metres and reports to the pilot.</p>"
    for number in range(1, 30)
)
ARTICLE = (
    f"<html><head><title>Harbour rules</title></head><body><main><h1>Harbour rules</h1>{RULES}</main></body></html>"
)


@pytest.fixture
def real(qtbot: QtBot, tmp_path: Path, guide_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DesktopApp]:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    # Not as overrides: a restart uses the saved settings, and the default port can be in use.
    monkeypatch.setenv("MCP_PORT", "0")
    monkeypatch.setenv("WEBRAG_ALLOW_NETWORKS", "127.0.0.0/8")
    settings = load_settings(data_dir=with_guide(tmp_path, guide_file))
    desktop = DesktopApp(application, settings)
    desktop.start()
    qtbot.waitUntil(lambda: bool(desktop.status.url))
    yield desktop
    desktop.quit()
    assert desktop.ended_in_time
    take_away(desktop)


def call(desktop: DesktopApp, qtbot: QtBot, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make one tool call from another thread, as a bridge does."""
    info = read_runtime(desktop.settings.running.data_dir)
    assert info is not None
    answers: list[dict[str, Any]] = []

    def ask() -> None:
        connection = http.client.HTTPConnection(info.host, info.port, timeout=30)
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        headers = {
            "Authorization": f"Bearer {info.token}",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "MCP-Protocol-Version": "2025-06-18",
            "X-WebRAG-Client": "test-client/1",
            "X-WebRAG-Bridge": "1",
        }
        connection.request("POST", "/mcp", json.dumps(body), headers)
        answers.append(json.loads(connection.getresponse().read()))

    thread = threading.Thread(target=ask)
    thread.start()
    qtbot.waitUntil(lambda: not thread.is_alive())
    return answers[0]["result"]


def test_a_page_read_by_an_assistant_appears_on_every_page_of_the_window(real: DesktopApp, qtbot: QtBot) -> None:
    window = real.window
    with Site() as site:
        site.page("/rules", ARTICLE)
        result = call(real, qtbot, "answer", {"url": site.url("/rules"), "query": "What distance does rule 7 ask for?"})
        assert not result.get("isError")
        library = window.library.model
        qtbot.waitUntil(lambda: any(row.title == "Harbour rules" for row in library.everything))
        stored = next(row for row in library.everything if row.title == "Harbour rules")
        window.library.select_document(stored.id)
        qtbot.waitUntil(lambda: "Rule 7" in window.library.pane.preview.toPlainText())
        calls = window.activity.model
        qtbot.waitUntil(
            lambda: [(c.client, c.tool, c.outcome) for c in calls.records] == [("test-client", "answer", "ok")]
        )
        window.search.query.setText("distance of vessels")
        window.search.search()
        qtbot.waitUntil(lambda: window.search.hits.rowCount() > 0)
        assert "Harbour rules" in window.search.assistant.text.toPlainText()
        check_the_record(real, qtbot, site, stored.id)


def check_the_record(real: DesktopApp, qtbot: QtBot, site: Site, document_id: int) -> None:
    """Check a call with a page and a failed call, live and after a restart."""
    model, details = real.window.activity.model, real.window.activity.calls.details
    gone = site.url("/gone?token=topsecret")
    assert call(real, qtbot, "answer", {"url": gone, "query": "x"}).get("isError")
    qtbot.waitUntil(lambda: model.total == 2 and all(one.reads or one.failure for one in model.everything))
    live = {one.tool + one.outcome: (one.reads, one.saved, one.failure) for one in model.everything}
    model.replace(())
    model.reload()
    qtbot.waitUntil(lambda: model.total == 2)
    assert {one.tool + one.outcome: (one.reads, one.saved, one.failure) for one in model.everything} == live
    good = next(one for one in model.everything if one.outcome == "ok")
    assert good.reads[0].document_id == document_id and good.reads[0].ranges and good.reads[0].whole
    assert good.saved == good.reads[0].whole - good.tokens
    failed = next(one for one in model.everything if one.failure is not None)
    assert failed.failure is not None and failed.failure.url.endswith("/gone?token=[redacted]")
    real.window.activity.calls.select_call(good.key)
    qtbot.waitUntil(lambda: details.page is not None and details.page.ranges == good.reads[0].ranges)
    files = [path for path in real.settings.running.data_dir.rglob("*") if path.is_file()]
    assert not [path.name for path in files if b"topsecret" in path.read_bytes()]


def add(desktop: DesktopApp, way: str) -> AddPageDialog:
    desktop.window.add_page("")
    dialog = desktop.window.findChildren(AddPageDialog)[-1]
    dialog.show_way(way)
    return dialog


def test_a_site_and_a_folder_are_added_through_the_window(real: DesktopApp, tmp_path: Path, qtbot: QtBot) -> None:
    window, pane = real.window, real.window.activity.jobs
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tides.md").write_text("# Tides\n\nThe tide turns twice a day.\n")
    with Site() as site:
        site.page(
            "/docs/",
            '<html><body><main><h1>Port</h1><p>All rules.</p><a href="/docs/rules">Rules</a></main></body></html>',
        )
        site.page("/docs/rules", ARTICLE)
        dialog = add(real, "site")
        dialog.site.address.setText(site.url("/docs/"))
        dialog.site.preview()
        qtbot.waitUntil(lambda: bool(dialog.site.card.found.text()))
        dialog.panel.start()
        qtbot.waitUntil(lambda: [row.state for row in pane.model.records] == ["done"])
        assert window.current_page is window.activity
        assert "2 of 2 pages" in pane._facts.full_text
        dialog = add(real, "files")
        dialog.files.path.setText(str(notes))
        dialog.panel.start()
        qtbot.waitUntil(lambda: [row.state for row in pane.model.records] == ["done", "done"])
    library = window.library.model
    qtbot.waitUntil(lambda: {"Harbour rules", "Tides"} <= {row.title for row in library.everything})
    window.library.facets.choose_place("notes")
    assert [row.title for row in library.records] == ["Tides"]
    assert real.status.jobs == 0


def test_pausing_tells_assistants_the_reason(real: DesktopApp, qtbot: QtBot) -> None:
    real.engine.set_paused(True)
    qtbot.waitUntil(lambda: real.status.phase is Phase.PAUSED)
    refused = call(real, qtbot, "search", {"query": "guide"})
    assert refused["isError"]
    assert "paused" in refused["content"][0]["text"].lower()
    real.engine.set_paused(False)
    qtbot.waitUntil(lambda: real.status.phase is Phase.RUNNING)
    assert not call(real, qtbot, "search", {"query": "guide"}).get("isError")


def test_a_restart_uses_the_saved_settings(real: DesktopApp, qtbot: QtBot) -> None:
    real.settings.save("mcp_response_token_budget", 700)
    seen: list[Phase] = []
    real.engine.state_changed.connect(lambda state: seen.append(state.phase))
    real.restart()
    qtbot.waitUntil(lambda: Phase.STARTING in seen and real.status.phase is Phase.RUNNING and bool(real.status.url))
    assert real.settings.running.mcp_response_token_budget == 700
    result = call(real, qtbot, "search", {"query": "connect an assistant"})
    assert len(result["content"][0]["text"]) < 700 * 6
    info = read_runtime(real.settings.running.data_dir)
    assert info is not None
    assert is_healthy(info)


def test_a_running_process_exits_cleanly_on_sigterm(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there is no SIGTERM")
    environment = {**os.environ, "MCP_PORT": "0"}
    command = [sys.executable, "-m", "app.desktop", "--hidden", "--data-dir", str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while (info := read_runtime(tmp_path)) is None or not is_healthy(info):
            assert process.poll() is None
            assert time.monotonic() < deadline, "the application did not start"
            time.sleep(0.1)
        process.terminate()
        assert process.wait(60) == 0
        assert read_runtime(tmp_path) is None
        assert not (tmp_path / "corpus.db-wal").exists()
    finally:
        process.kill()


def test_the_selftest_passes_and_changes_no_user_data(own_home: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "app.desktop", "--selftest"],
        cwd=ROOT,
        env=os.environ | TELLS_IMPORTS,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert result.returncode == 0, result.stderr
    assert all(line.startswith("ok") for line in result.stdout.splitlines())
    assert "application" in result.stdout
    assert not (own_home / "xdg_data_home" / "webrag").exists()
    assert "app.desktop.pages.settings.sections" in imported(result.stderr), "every page was created"
    assert not of_shared_libraries(result.stderr), "without a shared library, its code is not loaded"


def test_the_preview_shows_what_is_stored_and_fetches_once(real: DesktopApp, qtbot: QtBot) -> None:
    from urllib.parse import urlsplit

    with Site() as site:
        site.page("/rules", ARTICLE)
        site.redirect("/old", "/rules")
        dialog = add(real, "pages")
        dialog.pages.fill((site.url("/old"),))
        card = dialog.pages.card
        qtbot.waitUntil(lambda: card.look is not None)
        assert card.title.full_text == "Harbour rules"
        assert urlsplit(card.address.full_text).path == "/rules"
        assert "The address you entered redirects here." in card.warnings
        assert card.excerpt.toPlainText().startswith("Rule 1: every vessel")
        assert all(row.title != "Harbour rules" for row in real.window.library.model.everything), "not stored yet"
        dialog.panel.start()
        library = real.window.library.model
        qtbot.waitUntil(lambda: any(row.title == "Harbour rules" for row in library.everything))
        assert site.count("/rules") == 1
        dialog.deleteLater()

        dialog = add(real, "pages")
        dialog.pages.fill((site.url("/rules"),))
        again = dialog.pages.card
        qtbot.waitUntil(lambda: again.look is not None)
        assert dialog.panel.action == "Replace copy"
        dialog.pages.fill((site.url("/missing"),))
        qtbot.waitUntil(lambda: again.error is not None)
        assert again.remedy.text() == "Open in browser"
        dialog.reject()
