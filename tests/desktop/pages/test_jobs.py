"""Jobs on the Activity page: live progress, actions and explanations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.models.activity import Call, outcome_text
from app.desktop.models.jobs import FAILED, LEFT, PROGRESS, STATE, TARGET, cause_text, kind_of, page_name
from app.desktop.pages.activity.jobs import JobsPane
from app.desktop.status import TrayState
from app.errors import (
    AddressDeniedError,
    BodyTooLargeError,
    ContentProtectedError,
    DamagedFileError,
    EmptyPageError,
    FetchError,
    NoIndexError,
    RobotsDeniedError,
    SkeletonPageError,
    TooManyRedirectsError,
    UnknownJobError,
    UnsupportedContentError,
)
from app.library.job_records import ItemState, JobCounts, JobKind, JobState
from app.orchestration.loop import NOT_NEEDED, TIME_BUDGET
from app.orchestration.pages import SAME_TEXT
from app.server.render.errors import failure_of
from app.web.exchange import status_error, timeout_error, transport_error
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeEngine, FakeParts
from tests.support.jobs import SITE, FakeJobs, changed, items, job

pytestmark = pytest.mark.shared_window


@pytest.fixture
def pane(desktop: DesktopApp) -> JobsPane:
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("jobs")
    return desktop.window.activity.jobs


@pytest.fixture
def jobs(parts: FakeParts, pane: JobsPane) -> FakeJobs:
    return parts.engines[0].jobs


def cells(pane: JobsPane, column: int) -> list[str]:
    return [str(pane.model.index(row, column).data()) for row in range(pane.model.rowCount())]


def test_without_jobs_the_page_explains_how_to_start_one(pane: JobsPane) -> None:
    assert pane.stack.currentWidget() is pane._empty


@pytest.mark.own_window
def test_jobs_of_earlier_runs_are_shown(start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    async def known(self: FakeJobs, limit: int) -> list[object]:
        return [job(3, JobState.PAUSED), job(2, JobState.DONE)]

    monkeypatch.setattr(FakeJobs, "jobs", known)
    pane = start(FakeParts()).window.activity.jobs
    qtbot.waitUntil(lambda: cells(pane, STATE) == ["Paused", "Done"])
    assert pane.stack.currentWidget() is pane._splitter


def test_a_job_is_updated_live(pane: JobsPane, jobs: FakeJobs, desktop: DesktopApp, qtbot: QtBot) -> None:
    jobs.put(job(7, JobState.QUEUED, counts=JobCounts(waiting=1)))
    qtbot.waitUntil(lambda: cells(pane, STATE) == ["Waiting"])
    jobs.put(job(), 36.0)
    qtbot.waitUntil(lambda: (cells(pane, PROGRESS), cells(pane, LEFT)) == (["23 of 41"], ["36 s"]))
    assert (cells(pane, TARGET), cells(pane, FAILED)) == (["docs.example.org"], ["2"])
    assert pane._facts.full_text == "Running  ·  23 of 41 pages  ·  2 failed  ·  30 a minute  ·  36 s left"
    assert desktop.status.jobs == 1
    assert desktop.status.tray_state is TrayState.BUSY
    assert desktop.window.sidebar.buttons["activity"].accessibleName() == "Activity (1)"
    jobs.put(job(7, JobState.DONE, counts=JobCounts(stored=36, unchanged=1, skipped=3, failed=1)))
    qtbot.waitUntil(lambda: cells(pane, PROGRESS) == ["37 pages"])
    assert desktop.status.jobs == 0
    assert desktop.window.sidebar.buttons["activity"].accessibleName() == "Activity"


def test_known_jobs_show_their_own_estimate(start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    async def known(self: FakeJobs, limit: int) -> list[object]:
        return [job(3), job(2)]

    monkeypatch.setattr(FakeJobs, "jobs", known)
    monkeypatch.setattr(FakeJobs, "seconds_left", lambda self, job_id: {3: 12.0}.get(job_id))
    pane = start(FakeParts()).window.activity.jobs
    qtbot.waitUntil(lambda: cells(pane, LEFT) == ["12 s", "–"])


def test_many_jobs_in_one_batch_are_all_updated(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    for number in range(1, 6):
        jobs.put(job(number))
    qtbot.waitUntil(lambda: pane.model.rowCount() == 5)


def test_failed_pages_are_listed_with_their_reason(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    jobs.pages[7] = items(ItemState.STORED, ItemState.SKIPPED, ItemState.FAILED)
    jobs.put(job())
    qtbot.waitUntil(lambda: pane.unread.rowCount() == 2)
    assert str(pane.unread.index(0, 1).data()) == "The site answered with 404."
    jobs.pages[7] += items(ItemState.FAILED, site="https://other.example/")
    jobs.put(job(counts=JobCounts(waiting=1, failed=3)))
    qtbot.waitUntil(lambda: pane.unread.rowCount() == 3)


@pytest.mark.parametrize(
    ("state", "failed", "enabled"),
    [
        (JobState.QUEUED, 0, (True, True, False)),
        (JobState.RUNNING, 2, (True, True, False)),
        (JobState.PAUSED, 2, (True, True, False)),
        (JobState.DONE, 2, (False, False, True)),
        (JobState.DONE, 0, (False, False, False)),
        (JobState.FAILED, 2, (False, False, True)),
        (JobState.CANCELLED, 2, (False, False, True)),
    ],
)
def test_only_actions_allowed_in_the_state_are_offered(
    state: JobState, failed: int, enabled: tuple[bool, ...], pane: JobsPane, jobs: FakeJobs, qtbot: QtBot
) -> None:
    jobs.put(job(7, state, counts=JobCounts(waiting=3, failed=failed)))
    qtbot.waitUntil(lambda: pane.model.rowCount() == 1)
    buttons = (pane.pause_button, pane.cancel_button, pane.retry_button)
    assert tuple(made.isEnabled() for made in buttons) == enabled


def test_jobs_are_paused_resumed_cancelled_and_retried(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    jobs.put(job())
    qtbot.waitUntil(lambda: pane.pause_button.isEnabled())
    pane.pause_button.click()
    qtbot.waitUntil(lambda: pane.pause_button.text() == "Resume")
    pane.pause_button.click()
    qtbot.waitUntil(lambda: cells(pane, STATE) == ["Waiting"])
    pane.cancel_button.click()
    qtbot.waitUntil(lambda: pane.retry_button.isEnabled())
    pane.retry_button.click()
    qtbot.waitUntil(lambda: cells(pane, STATE) == ["Waiting"])
    assert [asked[0] for asked in jobs.asked] == ["pause", "resume", "cancel", "retry"]


def test_a_failed_job_shows_its_reason(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    jobs.put(job(7, JobState.FAILED, detail="Half of the pages failed."))
    qtbot.waitUntil(lambda: pane._note.text() == "Half of the pages failed.")
    assert not pane._note.isHidden()


def test_a_failed_action_is_explained(
    pane: JobsPane, jobs: FakeJobs, desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(self: FakeJobs, job_id: int) -> None:
        raise UnknownJobError("There is no job 7.")

    monkeypatch.setattr(FakeJobs, "pause", gone)
    jobs.put(job())
    qtbot.waitUntil(lambda: pane.pause_button.isEnabled())
    pane.pause_button.click()
    qtbot.waitUntil(lambda: desktop.window.toast._title.text() == "Job not found")


def test_folders_are_shown_by_their_path(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    jobs.put(job(7, kind=JobKind.FOLDER, target="/home/ada/notes", counts=JobCounts(stored=1, waiting=2)))
    qtbot.waitUntil(lambda: cells(pane, TARGET) == ["/home/ada/notes"])
    assert "1 of 3 files" in pane._facts.full_text


def test_the_selection_is_kept_while_other_jobs_change(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    jobs.put(job(1))
    jobs.put(replace(job(2), target="https://second.example/"))
    qtbot.waitUntil(lambda: pane.model.rowCount() == 2)
    pane.select_job(1)
    jobs.put(job(3))
    qtbot.waitUntil(lambda: pane.model.rowCount() == 3)
    assert pane._shown is not None
    assert pane._shown.id == 1


def test_events_of_ended_jobs_are_ignored(desktop: DesktopApp, pane: JobsPane, qtbot: QtBot) -> None:
    desktop.bus.publish(changed(job(1, JobState.CANCELLED)))
    qtbot.waitUntil(lambda: pane.model.rowCount() == 1)
    assert desktop.status.jobs == 0
    engine = desktop.status.engine
    assert isinstance(engine, FakeEngine)


def test_failed_pages_are_grouped_by_cause(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    slow = replace(items(ItemState.FAILED)[0], url=f"{SITE}slow", reason="docs did not respond within 30 s.")
    jobs.pages[7] = [*items(ItemState.SKIPPED, ItemState.FAILED, ItemState.FAILED), slow]
    jobs.put(job())
    qtbot.waitUntil(lambda: pane.causes.rowCount() == 4)
    assert [(cause.count, cause.text) for cause in pane.causes.records] == [
        (4, "All causes"),
        (2, "Page not found"),
        (1, "The site took too long to respond"),
        (1, "Blocked by robots.txt"),
    ]
    assert pane.unread.rowCount() == 4
    pane.cause_table.selectRow(2)
    assert [item.url for item in pane.unread.records] == [f"{SITE}slow"]


def test_the_summary_distinguishes_new_changed_and_unchanged_pages(
    pane: JobsPane, jobs: FakeJobs, qtbot: QtBot
) -> None:
    counts = JobCounts(stored=30, updated=4, unchanged=5, skipped=1, failed=2)
    jobs.put(job(7, JobState.DONE, counts=counts))
    words = "30 new, 4 changed, 5 unchanged, 1 skipped, 2 failed"
    qtbot.waitUntil(lambda: pane.legend.accessibleDescription() == words)
    assert pane._facts.full_text.endswith("took 46.0 s")


def test_jobs_are_controlled_by_menu_and_keyboard(pane: JobsPane, jobs: FakeJobs, qtbot: QtBot) -> None:
    jobs.put(job())
    qtbot.waitUntil(lambda: pane.pause_button.isEnabled())
    pane.table.setFocus()
    pane._press_pause()
    qtbot.waitUntil(lambda: pane.pause_button.text() == "Resume")
    menu = pane.menu()
    assert [action.text() for action in menu.actions() if action.isEnabled() and action.text()] == [
        *("Resume", "Cancel", "Copy address", "Block site")
    ]
    assert not pane.item_menu().actions()[0].isEnabled(), "no failed page is selected"
    menu.actions()[-1].trigger()
    assert pane._context.settings.value("deny_hosts") == ("docs.example.org",)


@given(st.text(max_size=80))
def test_every_reason_has_a_cause(reason: str) -> None:
    assert cause_text(kind_of(reason)) or not reason


def test_an_unknown_reason_of_several_files_is_one_cause() -> None:
    one, other = (kind_of(f"file:///home/ann/{name}.xml is a generated file.") for name in ("a", "b%20c"))
    assert one == other == "… is a generated file."


@pytest.mark.parametrize("reason", [NOT_NEEDED, SAME_TEXT, TIME_BUDGET])
def test_the_reason_of_a_skipped_link_is_translated(reason: str) -> None:
    assert cause_text(kind_of(reason)) != reason


def test_pages_of_a_job_are_named_by_their_path() -> None:
    assert page_name("https://docs.example.org/sqlite/selfcontained.html") == "sqlite/selfcontained.html"
    assert page_name("https://docs.example.org/a%20b/?page=2") == "a b?page=2"
    assert page_name("https://docs.example.org/") == "docs.example.org"
    assert page_name("file:///home/a/notes.md") == "/home/a/notes.md"


URL = "https://robots.example/blocked/no-javascript"


def _errors() -> Iterator[FetchError]:
    """Yield errors as reading pages raises them."""
    for status in (401, 403, 404, 410, 429, 500, 502, 503):
        yield status_error(status, URL, None)
    yield status_error(503, URL, 30.0)
    yield timeout_error(URL, 20.0)
    request = httpx.Request("GET", URL)
    for error in (httpx.ConnectError("no route"), httpx.ReadError("reset"), httpx.PoolTimeout("late")):
        error.request = request
        yield transport_error(error, URL, 20.0)
    yield AddressDeniedError("10.0.0.9 is blocked: it leads to a private network.", url=URL)
    yield AddressDeniedError("a.example is on your list of blocked sites.", url=URL)
    yield RobotsDeniedError("The site's robots.txt does not allow programs to read this page.", url=URL)
    yield NoIndexError(f"{URL} does not allow programs to index it.", url=URL)
    yield TooManyRedirectsError("a.example redirects in a loop.", url=URL)
    yield TooManyRedirectsError("a.example redirects more than 10 times.", url=URL)
    yield BodyTooLargeError("The page is larger than 10 MiB.", url=URL)
    yield UnsupportedContentError(f"{URL} is not text.", url=URL)
    yield UnsupportedContentError(f"{URL} is a ZIP file, which cannot be read as text.", url=URL)
    yield UnsupportedContentError("a.example returned image/png, which WebRAG cannot read as text.", url=URL)
    yield DamagedFileError(f"{URL} is damaged.", url=URL)
    yield EmptyPageError(f"{URL} has no readable text.", url=URL)
    yield EmptyPageError(f"{URL} is empty.", url=URL)
    yield EmptyPageError(f"{URL} has no text layer, only images (pages: 3).", url=URL)
    yield SkeletonPageError(f"{URL} has no text without JavaScript.", url=URL)
    yield ContentProtectedError(f"{URL} requires you to sign in.", url=URL)
    yield ContentProtectedError(f"{URL} is protected with a password.", url=URL)
    unreachable = FetchError.unreachable_title
    yield FetchError("The host a.example was not found (Name or service not known).", url=URL, title=unreachable)
    yield FetchError("The host a.example does not have an IP address.", url=URL, title=unreachable)


@pytest.mark.parametrize("error", list(_errors()), ids=str)
def test_an_error_has_one_title_in_dialogs_jobs_and_calls(error: FetchError) -> None:
    title = error.title
    assert cause_text(kind_of(str(error))) == title
    told = replace(failure_of(error), url=URL)
    call = Call(("stored", 1), 0.0, "claude-ai", "answer", error.code, failure=told)
    assert outcome_text(call) == title
    # Calls recorded by earlier versions, and pages of `ingest`, have other titles.
    for general in ("Page could not be read", "The site answered with an error", "Content protected"):
        assert outcome_text(replace(call, failure=replace(told, title=general))) == title
