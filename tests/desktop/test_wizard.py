"""Tests of the setup: steps, skipping, changes, failures and when it opens."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from app.desktop.application import SHOWN, WAITING, DesktopApp, FirstRun
from app.desktop.help import ShortcutsDialog
from app.desktop.pages.packages.adding import AddPackagesDialog
from app.desktop.state_file import StateFile
from app.desktop.wizard.assistants import AssistantRow
from app.desktop.wizard.wizard import Wizard
from app.embed.embedder import PassageEmbedding
from app.engine import EmbedderState
from app.engine.maintenance import try_embedder
from app.errors import AddressDeniedError, EmbedderError
from app.events import ClientsChanged, EmbeddingProgress
from app.orchestration.result import OrchestrationResult
from app.paths import corpus_file
from app.retrieval.records import RetrievedChunk
from tests.desktop.fake_engine import FakeEngine, FakeParts, chunk, result_of
from tests.desktop.fake_packages import SHOP, project, used
from tests.desktop.walking import unnamed

KEY = Qt.Key


@pytest.fixture
def parts(shared_parts: FakeParts) -> FakeParts:
    return shared_parts


@pytest.fixture
def desktop(shared_desktop: DesktopApp) -> DesktopApp:
    return shared_desktop


@pytest.fixture(autouse=True)
def usable_model(parts: FakeParts) -> None:
    for engine in parts.engines:
        engine.embedder = EmbedderState("small model", True, "", 0)


@pytest.fixture
def claude(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Claude Desktop's configuration on Linux with another server."""
    monkeypatch.setattr("sys.platform", "linux")
    folder = own_home / "xdg_config_home" / "Claude"
    folder.mkdir(parents=True)
    file = folder / "claude_desktop_config.json"
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    return file


@pytest.fixture
def wizard(desktop: DesktopApp, claude: Path) -> Iterator[Wizard]:
    desktop.window.show_wizard()
    yield desktop.window.wizard
    desktop.window.wizard.reject()


def test_all_steps_can_be_skipped_without_changes(wizard: Wizard, claude: Path, own_home: Path, qtbot: QtBot) -> None:
    before = claude.read_text(), sorted(str(path) for path in own_home.rglob("*.desktop"))
    for place in range(5):
        assert wizard.place == place
        if place == 3:
            qtbot.waitUntil(lambda: wizard.assistants.is_offering)
            assert wizard.next_button.text() == "Skip this step"
        wizard.next()
    assert not wizard.isVisible()
    assert (claude.read_text(), sorted(str(path) for path in own_home.rglob("*.desktop"))) == before


def test_the_keyboard_moves_through_the_steps(wizard: Wizard, qtbot: QtBot) -> None:
    qtbot.keyClick(wizard, KEY.Key_Return)
    qtbot.keyClick(wizard, KEY.Key_Return)
    assert wizard.place == 2
    qtbot.keyClick(wizard, KEY.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert wizard.place == 1
    qtbot.keyClick(wizard, KEY.Key_Escape)
    assert not wizard.isVisible()


def test_the_storage_step_shows_the_folder_and_free_space(wizard: Wizard, desktop: DesktopApp, qtbot: QtBot) -> None:
    wizard.show_step(1)
    qtbot.waitUntil(lambda: "free on this disk" in wizard.storage.room.text)
    assert wizard.storage.place.text == str(desktop.settings.running.data_dir)
    assert not wizard.storage.explanation.isVisible()
    wizard.storage.elsewhere.click()
    assert wizard.storage.explanation.isVisible()


class FakeAutostart:
    """A fake autostart entry."""

    is_enabled = False
    needs_repair = False
    broken = ""

    def enable(self) -> None:
        if self.broken:
            from app.errors import AutostartError

            raise AutostartError(self.broken)
        self.is_enabled = True

    def disable(self) -> None:
        self.is_enabled = False


def test_the_login_switch_saves_immediately_and_reports_a_failure(
    desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = FakeAutostart()
    monkeypatch.setattr("app.desktop.pages.settings.sections.autostart", lambda _data_dir: entry)
    desktop.window.show_wizard()
    wizard = desktop.window.wizard
    wizard.show_step(1)
    login = wizard.storage.login
    qtbot.waitUntil(lambda: login.switch.isEnabled())
    login.switch.click()
    qtbot.waitUntil(lambda: entry.is_enabled)
    qtbot.waitUntil(lambda: login.switch.isEnabled())
    login.switch.click()
    qtbot.waitUntil(lambda: not entry.is_enabled)
    qtbot.waitUntil(lambda: login.switch.isEnabled())
    entry.broken = "The folder cannot be written."
    login.switch.click()
    qtbot.waitUntil(lambda: "cannot be written" in login.text)
    assert not login.switch.isChecked()


def test_the_model_test_passes(wizard: Wizard, qtbot: QtBot) -> None:
    wizard.show_step(2)
    qtbot.waitUntil(lambda: wizard.model_test.is_passed)
    assert wizard.model_test.verdict.name.text() == "Semantic search works"
    assert "12 ms" in wizard.model_test.verdict.text
    assert wizard.model_test.near_bar.value() > wizard.model_test.far_bar.value()
    assert wizard.next_button.text() == "Next"


def test_a_missing_model_is_explained_and_can_be_tested_again(wizard: Wizard, parts: FakeParts, qtbot: QtBot) -> None:
    parts.engines[0].embedder = EmbedderState("none", False, "The model file is damaged.", 0)
    wizard.show_step(2)
    test = wizard.model_test
    qtbot.waitUntil(lambda: test.verdict.name.text() == "Search model not available")
    assert "The model file is damaged." in test.verdict.text
    assert "uses keyword search only" in test.verdict.text
    parts.engines[0].embedder = EmbedderState("small model", True, "", 0)
    test.again.click()
    qtbot.waitUntil(lambda: test.is_passed)


def test_an_assistant_is_connected_only_by_the_click(wizard: Wizard, claude: Path, qtbot: QtBot) -> None:
    before = claude.read_text()
    wizard.show_step(3)
    step = wizard.assistants
    qtbot.waitUntil(lambda: bool(step.rows))
    row = next(row for row in step.rows if row.offer.profile.name == "claude-desktop")
    row.show_change.click()
    qtbot.waitUntil(lambda: '"webrag"' in step.dialog.diff.toPlainText())
    step.dialog.reject()
    assert claude.read_text() == before
    for other in step.rows:
        other.tick.setChecked(other is row)
    step.connect_chosen()
    qtbot.waitUntil(lambda: row.badge.text() == "Entry added")
    servers = json.loads(claude.read_text())["mcpServers"]
    assert servers["other"] == {"command": "x"}
    assert "webrag" in servers
    assert not row.tick.isEnabled()


def test_enter_connects_and_a_restart_is_requested_until_the_assistant_connects(
    wizard: Wizard, desktop: DesktopApp, claude: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr("app.desktop.models.clients.running_since", lambda _profile: 1.0)
    wizard.show_step(3)
    step = wizard.assistants

    def row() -> AssistantRow:
        return next(row for row in step.rows if row.offer.profile.name == "claude-desktop")

    qtbot.waitUntil(lambda: bool(step.rows) and step.connect_button.isDefault())
    qtbot.keyClick(wizard, KEY.Key_Return)
    qtbot.waitUntil(lambda: row().badge.text() == "Entry added")
    assert wizard.next_button.isDefault() and wizard.place == 3
    for _ in range(2):
        wizard.next()
        wizard.back()
        qtbot.waitUntil(lambda: "webrag" in claude.read_text() and row().badge.text() == "Entry added")
        assert row().hint.text().startswith("Quit Claude Desktop completely") and row().hint.isVisible()
    home = desktop.window.home.assistants
    qtbot.waitUntil(lambda: home.rows[0].badge.text() == "Restart Claude Desktop")
    desktop.bus.publish(ClientsChanged(("claude-ai",)))
    qtbot.waitUntil(lambda: row().badge.text() == "Connected")
    assert not row().hint.isVisible()
    qtbot.waitUntil(lambda: home.rows[0].badge.text() == "Connected now")
    wizard.next()
    wizard.back()
    qtbot.waitUntil(lambda: row().badge.text() == "Connected")
    assert not row().hint.isVisible()
    desktop.window.clients.model.end("claude-desktop")
    desktop.bus.publish(ClientsChanged(()))
    qtbot.waitUntil(lambda: not desktop.status.clients)


def test_the_standard_tools_are_offered_with_their_cost(wizard: Wizard, desktop: DesktopApp, qtbot: QtBot) -> None:
    wizard.show_step(3)
    offer = wizard.assistants.tools
    qtbot.waitUntil(lambda: offer.isVisible() and "tokens" in offer.buttons["standard"].text())
    assert offer.buttons["full"].isChecked()
    assert re.search(r"10 tools, about 2,1\d0 tokens", offer.buttons["standard"].text())
    offer.buttons["standard"].click()
    assert desktop.settings.value("mcp_tool_profile") == "standard"
    desktop.settings.save("mcp_tool_profile", "docs")
    wizard.show_step(2)
    wizard.show_step(3)
    qtbot.waitUntil(lambda: wizard.assistants.is_offering and not offer.isVisible())


def test_paths_are_shortened_as_in_the_change(
    wizard: Wizard, claude: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setenv("HOME", str(own_home))
    wizard.show_step(3)
    qtbot.waitUntil(lambda: bool(wizard.assistants.rows))
    row = next(row for row in wizard.assistants.rows if row.offer.profile.name == "claude-desktop")
    assert row.text.full_text == str(Path("~", claude.relative_to(own_home)))
    row.show_failure(f"{claude} cannot be written.")
    assert row.text.full_text.startswith("~") and "cannot be written" in row.text.full_text
    row.show_connected()
    row.show_attached()
    assert row.text.full_text == str(Path("~", claude.relative_to(own_home))), "the problem is solved"


def test_an_unselected_assistant_is_not_connected(wizard: Wizard, claude: Path, qtbot: QtBot) -> None:
    before = claude.read_text()
    wizard.show_step(3)
    qtbot.waitUntil(lambda: bool(wizard.assistants.rows))
    for row in wizard.assistants.rows:
        row.tick.click()
    assert not wizard.assistants.connect_button.isEnabled()
    assert wizard.next_button.text() == "Next"
    wizard.assistants.connect_chosen()
    assert claude.read_text() == before


def test_a_corrupt_file_is_reported_and_never_written(wizard: Wizard, claude: Path, qtbot: QtBot) -> None:
    claude.write_text("{ not json")
    wizard.show_step(3)
    qtbot.waitUntil(lambda: bool(wizard.assistants.rows))
    row = next(row for row in wizard.assistants.rows if row.offer.profile.name == "claude-desktop")
    assert row.badge.text() == "Problem"
    assert not row.tick.isEnabled()
    assert claude.read_text() == "{ not json"


def test_a_file_changed_in_the_meantime_is_not_written(wizard: Wizard, claude: Path, qtbot: QtBot) -> None:
    wizard.show_step(3)
    qtbot.waitUntil(lambda: bool(wizard.assistants.rows))
    claude.write_text('{"mcpServers": {"newer": {"command": "y"}}}')
    wizard.assistants.connect_chosen()
    row = next(row for row in wizard.assistants.rows if row.offer.profile.name == "claude-desktop")
    qtbot.waitUntil(lambda: row.badge.text() == "Problem")
    assert json.loads(claude.read_text()) == {"mcpServers": {"newer": {"command": "y"}}}


def test_a_computer_without_assistants_shows_a_message(desktop: DesktopApp, own_home: Path, qtbot: QtBot) -> None:
    desktop.window.show_wizard()
    step = desktop.window.wizard.assistants
    desktop.window.wizard.show_step(3)
    qtbot.waitUntil(lambda: step._nobody.isVisible())
    assert not step.is_offering


def test_a_question_is_answered_and_opens_its_page(
    wizard: Wizard, desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[int, int, int]] = []
    monkeypatch.setattr(desktop.context, "show_document", lambda *place: shown.append(place))
    wizard.show_step(4)
    step = wizard.first_question
    step.chips[0].click()
    assert not step.results.list.isVisible(), "only the page of the best result is shown"
    page = step.results.page
    qtbot.waitUntil(lambda: page.isVisible() and not page.loading.is_running)
    assert page.reader.preview.marks
    step.copy_button.click()
    assert QGuiApplication.clipboard().text() == step.example
    page._library.click()
    assert not wizard.isVisible()
    assert len(shown) == 1


def test_enter_asks_and_does_not_finish_the_setup(wizard: Wizard, qtbot: QtBot) -> None:
    wizard.show_step(4)
    step = wizard.first_question
    step.question.setText("nothing of the kind")
    qtbot.keyClick(step.question, KEY.Key_Return)
    qtbot.waitUntil(lambda: "No answer in your library" in step.nothing.text())
    assert wizard.isVisible()


def test_an_early_answer_is_marked_and_renewed_automatically(
    wizard: Wizard, desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    wizard.first_question.results.renewal._timer.setInterval(1)
    asked: list[str] = []

    async def search(_self: object, query: str, **_: object) -> OrchestrationResult:
        asked.append(query)
        found = RetrievedChunk(chunk(0, f"Answer {len(asked)}."), 0.5, 0.8, is_waiting=len(asked) == 1)
        return result_of(query, (found,))

    monkeypatch.setattr(FakeEngine, "search", search)
    status = desktop.context.status
    status.on_events([EmbeddingProgress(40)])
    step = wizard.first_question
    step.ask_for("How do I cancel a task?")
    qtbot.waitUntil(lambda: [hit.chunk.text for hit in step.results.hits.records] == ["Answer 1."], timeout=60_000)
    assert step.took.text().startswith("keyword match only")
    status.on_events([EmbeddingProgress(24)])
    qtbot.waitUntil(lambda: [hit.chunk.text for hit in step.results.hits.records] == ["Answer 2."], timeout=60_000)
    assert step.took.text().startswith("found in")
    status.on_events([EmbeddingProgress(0)])


def test_the_first_page_is_added_or_its_error_shown(wizard: Wizard, parts: FakeParts, qtbot: QtBot) -> None:
    wizard.show_step(4)
    content = wizard.first_question.content
    content.address.setText("slow.example")
    content.add()
    qtbot.waitUntil(lambda: "did not answer" in content._text.full_text.strip())
    assert content.address.isEnabled()
    content.address.setText("new.example/page")
    qtbot.keyClick(content.address, KEY.Key_Return)
    qtbot.waitUntil(lambda: "to the library" in content._text.full_text.strip())
    assert ("add", "https://new.example/page") in parts.engines[0].asked
    assert wizard.isVisible()


def test_documentation_for_a_project_comes_from_this_computer_unless_the_user_asks(
    wizard: Wizard, desktop: DesktopApp, qtbot: QtBot
) -> None:
    packages = desktop.status.engine.packages  # type: ignore[union-attr]
    packages.on_disk[SHOP] = project(used("flask"), used("httpx", here=False), used("click", direct=False))  # type: ignore[attr-defined]
    wizard.show_step(4)
    content = wizard.first_question.content
    content.add_project(Path(SHOP))
    qtbot.waitUntil(lambda: bool(wizard.findChildren(AddPackagesDialog)))
    (dialog,) = wizard.findChildren(AddPackagesDialog)
    assert not dialog.downloads.isChecked() and "does not use the network" in dialog._here.text()
    dialog.add.click()
    qtbot.waitUntil(lambda: "adds the documentation for “shop”" in content._text.full_text.strip())
    assert packages.asked[-1] == ("begin", ("pypi/flask@1.0",), SHOP, False)  # type: ignore[attr-defined]
    content.add_project(Path("/srv/gone"))
    qtbot.waitUntil(lambda: "Add the project again." in content._text.full_text.strip())


def test_a_message_does_not_move_the_question(wizard: Wizard, qtbot: QtBot) -> None:
    wizard.show_step(4)
    step = wizard.first_question
    QApplication.processEvents()
    assert not wizard.findChild(QScrollArea).verticalScrollBar().isVisible()
    before = step.question.mapTo(wizard, QPoint())
    step.content.address.setText("two words")
    step.content.add()
    assert step.content._text.full_text.strip().startswith("Enter a web address")
    QApplication.processEvents()
    assert step.question.mapTo(wizard, QPoint()) == before


def test_a_long_message_takes_two_lines(wizard: Wizard, qtbot: QtBot) -> None:
    wizard.show_step(4)
    content = wizard.first_question.content
    content._fail(AddressDeniedError("127.0.0.1 is blocked: it leads to this computer."))
    shown = content._text
    qtbot.waitUntil(lambda: "\n" in shown.text() and not shown.text().endswith("…"))
    assert shown.text().replace("\n", " ").split() == content._text.full_text.strip().split()
    assert shown.height() >= 2 * shown.fontMetrics().height()
    wizard.resize(wizard.minimumSize())
    content._fail(AddressDeniedError("word" * 200))
    assert wizard.width() == wizard.minimumWidth(), "a long word does not widen anything"
    qtbot.waitUntil(lambda: shown.text().count("\n") == 1 and shown.text().endswith("…"))


def test_the_setting_that_blocks_a_page_is_one_click_away(wizard: Wizard, desktop: DesktopApp) -> None:
    wizard.show_step(4)
    content = wizard.first_question.content
    content._fail(AddressDeniedError("127.0.0.1 is blocked: it leads to this computer."))
    assert content.setting_button.isVisible()
    content._fail(EmbedderError("The page was not read."))
    assert not content.setting_button.isVisible()
    content._fail(AddressDeniedError("127.0.0.1 is blocked: it leads to this computer."))
    content.setting_button.click()
    assert not wizard.isVisible()
    assert desktop.window.current_page.name == "settings"


def test_an_address_in_the_question_field_is_added(wizard: Wizard, parts: FakeParts, qtbot: QtBot) -> None:
    wizard.show_step(4)
    step = wizard.first_question
    qtbot.keyClicks(step.question, "https://asked.example/page")
    qtbot.keyClick(step.question, KEY.Key_Return)
    qtbot.waitUntil(lambda: "to the library" in step.content._text.full_text.strip())
    assert ("add", "https://asked.example/page") in parts.engines[0].asked
    assert step.question.text() == ""


def test_the_setup_is_centered_at_the_first_start(desktop: DesktopApp, qtbot: QtBot) -> None:
    desktop.window.hide()
    desktop.window.show_wizard(alone=True)
    wizard = desktop.window.wizard
    qtbot.waitUntil(wizard.isVisible)
    off = wizard.frameGeometry().center() - wizard.screen().availableGeometry().center()
    assert off.manhattanLength() <= 4
    wizard.reject()
    assert desktop.window.isVisible()


def test_every_control_has_a_name_for_screen_readers(wizard: Wizard, desktop: DesktopApp, qtbot: QtBot) -> None:
    wizard.show_step(3)
    qtbot.waitUntil(lambda: bool(wizard.assistants.rows))
    roots = (wizard, desktop.window.finder, ShortcutsDialog(None))
    assert [name for root in roots for name in unnamed(root)] == []


def first_run(folder: Path) -> FirstRun:
    state = StateFile(folder / "window.json")
    made = FirstRun(state, folder)
    state.close()
    return made


def test_a_new_folder_is_set_up_once(tmp_path: Path) -> None:
    state = StateFile(tmp_path / "window.json")
    first = FirstRun(state, tmp_path)
    assert first.is_due
    first.note_shown()
    state.close()
    assert not first_run(tmp_path).is_due


def test_a_used_folder_is_not_set_up(tmp_path: Path) -> None:
    corpus_file(tmp_path).touch()
    assert not first_run(tmp_path).is_due


def test_a_hidden_first_start_leaves_the_setup_for_the_first_window(tmp_path: Path) -> None:
    first_run(tmp_path)
    corpus_file(tmp_path).touch()
    assert first_run(tmp_path).is_due


def test_the_setup_opens_once_with_the_first_window(desktop: DesktopApp) -> None:
    desktop.show_window()
    assert desktop.window.findChild(Wizard) is None or not desktop.window.wizard.isVisible()
    desktop._first_run = FirstRun(desktop.context.memory, desktop.settings.running.data_dir)
    desktop.show_window()
    assert desktop.window.wizard.isVisible()
    shown = desktop.window.wizard
    shown.reject()
    assert desktop.window.isVisible()
    desktop.show_window()
    assert desktop.window.wizard is shown
    assert not shown.isVisible()


class OneVector:
    """An embedder that returns the same vector for everything."""

    def __init__(self) -> None:
        from types import SimpleNamespace

        self.card = SimpleNamespace(name="flat", dimension=2)

    def embed_passages(self, texts: list[str]) -> list[PassageEmbedding]:
        import numpy as np

        return [PassageEmbedding(np.array([1.0, 0.0], np.float32), np.zeros((0, 0), np.uint8)) for _ in texts]


def test_a_model_that_cannot_distinguish_sentences_fails() -> None:
    with pytest.raises(EmbedderError, match="does not distinguish"):
        try_embedder(OneVector(), "a", "b", "c")  # type: ignore[arg-type]


@pytest.mark.real
def test_the_real_model_and_guide_pass_the_setup(tmp_path: Path) -> None:
    from app.desktop.models.search import HitsModel
    from app.desktop.preview.stored import marks_of
    from app.desktop.wizard.facts import FAR, NEAR, QUESTION
    from app.desktop.wizard.first_question import PASSAGES, SUGGESTIONS
    from app.engine import build_engine
    from app.settings import load_settings

    async def run() -> None:
        engine = build_engine(load_settings(data_dir=tmp_path))
        await engine.start()
        try:
            trial = await engine.maintenance.try_embedder(QUESTION, NEAR, FAR)
            assert trial.near > 0.3 > trial.far
            deadline = time.monotonic() + 60
            while any(page.chunks_embedded < page.chunks for page in (await engine.status(limit=20)).documents):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.05)
            for question in SUGGESTIONS:
                result = await engine.search(question, top_k=PASSAGES)
                hits = HitsModel()
                hits.show_result(result)
                best = hits.records[0]
                assert best.chunk.url.startswith("webrag://guide/")
                document = await engine.documents.get(best.chunk.document_id)
                assert document is not None
                (start, end), _ = marks_of(best, result.citations)
                assert document.text[start:end] in [quote.verbatim_text for quote in result.citations]
        finally:
            await engine.stop()

    asyncio.run(run())


def test_the_window_opens_after_the_setup(desktop: DesktopApp) -> None:
    desktop.window.hide()
    desktop.context.memory.remove(SHOWN)
    desktop.context.memory.set(WAITING, True)
    desktop._first_run = FirstRun(desktop.context.memory, desktop.settings.running.data_dir)
    desktop.show_window()
    assert desktop.window.wizard.isVisible() and not desktop.window.isVisible()
    desktop.show_window()
    assert not desktop.window.isVisible(), "a second start brings the setup to the front"
    desktop.window.wizard.reject()
    assert desktop.window.isVisible()


def test_only_an_assistant_with_a_session_is_shown_as_connected(
    wizard: Wizard, desktop: DesktopApp, qtbot: QtBot
) -> None:
    wizard.show_step(3)
    step = wizard.assistants
    qtbot.waitUntil(lambda: bool(step.rows))
    row = next(row for row in step.rows if row.offer.profile.name == "claude-desktop")
    assert row.badge.text() != "Connected"
    desktop.bus.publish(ClientsChanged(("claude-ai",)))
    qtbot.waitUntil(lambda: row.badge.text() == "Connected", timeout=60_000)


@pytest.mark.parametrize(("system", "is_offered"), [("en_US", False), ("fr_FR", True)])
def test_another_model_is_offered_if_the_system_is_not_english(
    desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, system: str, is_offered: bool
) -> None:
    locale = QLocale(system)
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: locale))
    wizard = Wizard(desktop.context, None)
    qtbot.addWidget(wizard)
    wizard.show_step(wizard.steps.index(wizard.model_test))
    models = wizard.model_test.models
    assert models.isVisibleTo(wizard.model_test) is is_offered
    qtbot.waitUntil(lambda: models.choice.currentText() == "multilingual-e5-small")
    assert "MIT" in models.text.text()
